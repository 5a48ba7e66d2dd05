/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/subcommands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "sidewinder/version.h"

enum { KEY_USAGE = 0x100, KEY_VERSION };

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
  (void)arg;
  if (key != 'h' && key != '?' && key != KEY_USAGE) {
    return ARGP_ERR_UNKNOWN;
  }
  argp_state_help(state, stdout, key == KEY_USAGE ? ARGP_HELP_USAGE : ARGP_HELP_STD_HELP);
  *(int *)state->input = 1;
  state->next = state->argc;
  return 0;
}

static const struct argp_option help_options[] = {
    {.name = "help", .key = 'h', .doc = "Give this help", .group = -1},
    {.name = "usage", .key = KEY_USAGE, .doc = "Give a short usage message", .group = -1},
    {.key = '?', .flags = OPTION_HIDDEN, .doc = "", .group = -1},
    {0}};

const struct argp sw_help_argp = {.options = help_options, .parser = parse_help};

/* ---- unknown options ---- */

enum { MOST_OPTIONS = 256 };

typedef struct long_options {
  const char *names[MOST_OPTIONS];
  int takes_value[MOST_OPTIONS]; /* in the next word, unless '=' follows the name */
  size_t n;
} long_options;

static void collect_options(const struct argp *argp, long_options *to)
{
  int takes_value = 0;
  for (const struct argp_option *o = argp->options;
       o && (o->name || o->key || o->doc) && to->n < MOST_OPTIONS; o++) {
    if (!(o->flags & OPTION_ALIAS)) {
      takes_value = o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
    }
    if (o->name) {
      to->takes_value[to->n] = takes_value;
      to->names[to->n++] = o->name;
    }
  }
  for (const struct argp_child *child = argp->children; child && child->argp; child++) {
    collect_options(child->argp, to);
  }
}

/* The index of the option with this name, or of the only option with this prefix; -1 if there is
 * none, -2 if there are several. */
static int option_place(const long_options *all, const char *word, size_t length)
{
  int place = -1;
  for (size_t i = 0; i < all->n; i++) {
    if (strncmp(all->names[i], word, length) == 0) {
      if (all->names[i][length] == '\0') {
        return (int)i;
      }
      place = place == -1 ? (int)i : -2;
    }
  }
  return place;
}

/* Reports the first unknown option that resembles a known one.  Returns 1 if it has reported one.
 * argp reports all other errors. */
static int report_misspelt(const struct argp *argp, int argc, char **argv)
{
  long_options all = {.n = 0};
  collect_options(argp, &all);
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strncmp(argv[i], "--", 2) != 0) {
      continue;
    }
    char name[64];
    const char *word = argv[i] + 2;
    const size_t length = strcspn(word, "=");
    const int place = option_place(&all, word, length);
    if (place >= 0 && all.takes_value[place] && word[length] == '\0') {
      i++;
    }
    if (place != -1 || length >= sizeof name) {
      continue;
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *near = sw_text_nearest(name, all.names, all.n);
    if (near != NULL) {
      fprintf(stderr, "%s: unknown option '--%s'; did you mean '--%s'?\n", argv[0], name, near);
      return 1;
    }
  }
  return 0;
}

static int subcommands_parse(const struct argp *argp, unsigned flags, int argc, char **argv,
                             void *input, const int *helped)
{
  error_t error = argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT | ARGP_NO_HELP, NULL, input);
  if (error == ENOMEM) {
    fprintf(stderr, "%s: out of memory\n", argv[0]);
  }
  return error == ENOMEM || error == EIO ? SW_FAILURE
         : error != 0                    ? SW_WRONG_USAGE
         : *helped                       ? SW_HELPED
                                         : -1;
}

int sw_words_parse(const struct argp *argp, int argc, char **argv, void *input, const int *helped)
{
  if (report_misspelt(argp, argc, argv)) {
    return SW_WRONG_USAGE;
  }
  return subcommands_parse(argp, 0, argc, argv, input, helped);
}

/* ---- the command ---- */

typedef struct top_level {
  int helped;
  int first; /* index of the command in argv, 0 if there is none */
} top_level;

/* Stops at the first word that is not an option.  This word is the command, and the rest belongs to
 * the command. */
static error_t parse_top_level(int key, char *arg, struct argp_state *state)
{
  top_level *top = state->input;
  (void)arg;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &top->helped;
    return 0;
  case KEY_VERSION:
    puts("sidewinder " SW_VERSION);
    top->helped = 1;
    state->next = state->argc;
    return 0;
  case ARGP_KEY_ARG:
    top->first = state->next - 1;
    state->next = state->argc;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option top_level_options[] = {
    {.name = "version", .key = KEY_VERSION, .doc = "Print sidewinder's version", .group = -1}, {0}};

static int subcommands_unknown(const sw_subcommands *of, const char *name, const char *given)
{
  const char *near = sw_text_nearest(given, of->names, of->count);
  fprintf(stderr, "%s: there is no command '%.100s'%s%s%s\nTry '%s --help' for more information.\n",
          name, given, near == NULL ? "" : "; did you mean '", near == NULL ? "" : near,
          near == NULL ? "" : "'?", name);
  return SW_WRONG_USAGE;
}

/* Runs the command argv[0] with argc words. */
static int subcommands_run(const sw_subcommands *of, const char *name, int argc, char **argv)
{
  size_t number = 0;
  while (number < of->count && strcmp(of->names[number], argv[0]) != 0) {
    number++;
  }
  if (number == of->count) {
    return subcommands_unknown(of, name, argv[0]);
  }
  const size_t size = strlen(name) + strlen(argv[0]) + 2;
  char *own_name = malloc(size);
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int code = SW_FAILURE;
  if (own_name != NULL && words != NULL) {
    snprintf(own_name, size, "%s %s", name, argv[0]);
    memcpy(words, argv, (size_t)argc * sizeof *words);
    words[0] = own_name;
    code = of->run(of->context, number, argc, words);
  } else {
    fprintf(stderr, "%s: out of memory\n", name);
  }
  free(words);
  free(own_name);
  return code;
}

int sw_subcommands_run(const sw_subcommands *of, const char *name, int argc, char **argv)
{
  const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};
  const struct argp argp = {.options = top_level_options,
                            .parser = parse_top_level,
                            .args_doc = of->args_doc,
                            .doc = of->doc,
                            .children = children,
                            .help_filter = of->help_filter};
  char asked[] = "--help";
  top_level top = {0, 0};
  int code = subcommands_parse(&argp, ARGP_IN_ORDER, argc, argv, &top, &top.helped);
  if (code >= 0) {
    return code;
  }
  char **words = argv + top.first;
  if (top.first == 0) {
    char *shown = strdup(name);
    fprintf(stderr, "%s: no command\n", name);
    argp_help(&argp, stderr, ARGP_HELP_STD_HELP, shown == NULL ? asked : shown);
    free(shown);
    return SW_WRONG_USAGE;
  }
  if (strcmp(words[0], "help") != 0) {
    return subcommands_run(of, name, argc - top.first, words);
  }
  char *with_command[] = {words[1], asked, NULL};
  char *alone[] = {argv[0], asked, NULL};
  return words[1] != NULL ? subcommands_run(of, name, 2, with_command)
                          : subcommands_parse(&argp, 0, 2, alone, &top, &top.helped);
}
