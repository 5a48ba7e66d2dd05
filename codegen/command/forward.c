/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/forward.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/request.h"
#include "command/toolchain.h"

static void print_usage(const char *command, FILE *stream)
{
  fprintf(stream,
          "Usage: sidewinder %s [--size NAME=VALUE] [--lowering HOW] MODEL [options]\n"
          "The model comes first; `sidewinder %s MODEL --help` lists the options.\n",
          command, command);
}

/* What is ours and what goes to the program. */
typedef struct words_split {
  request *r;
  char **rest; /* the program, its command, and its words */
  int n;
} words_split;

/* Takes a word that is no option of ours: the model, where there is none yet, else the program's.  Returns 0 where the
 * model is missing. */
static int take_word(words_split *to, char *word)
{
  if (to->r->model) {
    to->rest[to->n++] = word;
  } else if (word[0] != '-') {
    to->r->model = word;
  }
  return to->r->model != NULL;
}

/* Reads the words up to a "--".  Returns what is wrong with them, "" where that is the usage; NULL where nothing is. */
static const char *take_options(arena *a, int argc, char **argv, words_split *to)
{
  static const struct option ours[] = {
      {"size", required_argument, NULL, 's'}, {"lowering", required_argument, NULL, 'l'}, {0}};
  const char *wrong = NULL;
  opterr = 0;
  while (!wrong) {
    const int before = optind;
    /* "-": all words in their order; ":": an option without its value is told. */
    const int key = getopt_long(argc, argv, "-:s:l:", ours, NULL);
    if (key == 's' || (key == ':' && optopt == 's')) {
      wrong = request_size(to->r, a, key == 's' ? optarg : "");
    } else if (key == 'l' || key == ':') {
      wrong = request_lowering(to->r, a, key == 'l' ? optarg : "");
    } else if (key == -1) {
      break;
    } else if (optind > before && !take_word(to, argv[optind - 1])) {
      wrong = "";
    }
  }
  return wrong;
}

/* Whether the program is to run that method, which needs more of the model than others do. */
static int asks_for(const words_split *to, const char *method)
{
  int found = 0;
  for (int i = 2; i < to->n; i++) {
    const char *equals = strchr(to->rest[i], '=');
    found |= !strcmp(equals ? equals + 1 : to->rest[i], method);
  }
  return found;
}

/* What the program's words say for an option that takes a value, the last time; NULL where they do not. */
static const char *value_of(const words_split *to, const char *option)
{
  const char *value = NULL;
  const size_t length = strlen(option);
  for (int i = 2; i < to->n && strcmp(to->rest[i], "--") != 0; i++) {
    const char *word = to->rest[i];
    if (!strncmp(word, option, length) && word[length] == '=') {
      value = word + length + 1;
    } else if (!strcmp(word, option) && i + 1 < to->n) {
      value = to->rest[i + 1];
    }
  }
  return value;
}

/* Whether the program's words ask for compensated steps: as compile_settings has it. */
static int compensated_by(const words_split *to)
{
  static const char option[] = "--compensated";
  const size_t length = sizeof option - 1;
  int found = 0;
  for (int i = 2; i < to->n && strcmp(to->rest[i], "--") != 0; i++) {
    const char *word = to->rest[i];
    if (!strncmp(word, option, length) && (word[length] == '\0' || word[length] == '=')) {
      found = strcmp(word + length, "=no") != 0 ? 1 : -1;
    }
  }
  return found;
}

/* Splits the words behind the command: --size, --lowering and the model are ours, and the model is the first
 * word that is no option, or follows "--"; all else is the program's. */
static outcome split_words(arena *a, const char *command, int argc, char **argv, words_split *to)
{
  const char *wrong = take_options(a, argc, argv, to);
  int i = optind;
  if (!wrong && !to->r->model && i < argc) {
    to->r->model = argv[i++];
  } else if (!wrong && i < argc) {
    i--; /* the "--" is for the program, too */
  }
  while (!wrong && i < argc) {
    to->rest[to->n++] = argv[i++];
  }
  if (wrong && *wrong) {
    fprintf(stderr, "sidewinder: %s\n", wrong);
    return OUTCOME_WRONG;
  }
  if (to->r->model) {
    return OUTCOME_GOOD;
  }
  const char *last = argv[optind - 1];
  const int is_help = !strcmp(last, "--help") || !strcmp(last, "-h") || !strcmp(last, "-?");
  print_usage(command, is_help ? stdout : stderr);
  return is_help ? OUTCOME_GOOD : OUTCOME_WRONG;
}

/* Puts an option behind the program and its command, before a "--" that ends the options. */
static void insert_option(char **rest, int *n, char *option)
{
  memmove(rest + 3, rest + 2, (size_t)(*n - 2) * sizeof *rest);
  rest[2] = option;
  (*n)++;
}

/* One program serves all sizes of a looped model, and is told those that were asked for. */
static void tell_sizes(arena *a, const request *r, const compilation *c, char **rest, int *n)
{
  for (int i = c->loops ? r->n_sizes - 1 : -1; i >= 0; i--) {
    insert_option(rest, n, arena_printf(a, "--size=%s=%ld", r->sizes[i].name, r->sizes[i].value));
  }
}

/* Commands that write files, which must not be the model's. */
static void tell_model(arena *a, const request *r, char **rest, int *n)
{
  if (!strcmp(rest[1], "run") || !strcmp(rest[1], "ensemble")) {
    insert_option(rest, n, arena_printf(a, "--model-file=%s", r->model));
  }
}

outcome forward(arena *a, const char *command, int argc, char **argv)
{
  request r = {.at_own_sizes = 1};
  words_split split = {&r, ARENA_ARRAY(a, argc + 4 + REQUEST_SIZES, char *), 2};
  outcome result = split_words(a, command, argc, argv, &split);
  char **rest = split.rest;
  if (result != OUTCOME_GOOD || !r.model) {
    return result;
  }
  rest[1] = arena_strdup(a, command);
  r.discrete = asks_for(&split, "energy-momentum");
  r.variational = asks_for(&split, "variational");
  r.method = value_of(&split, "--method");
  r.base = value_of(&split, "--base");
  r.compensated = compensated_by(&split);
  compilation c;
  const char *program = NULL;
  result = request_compile(a, &r, &c);
  if (result == OUTCOME_GOOD) {
    tell_sizes(a, &r, &c, rest, &split.n);
    tell_model(a, &r, rest, &split.n);
    if (!strcmp(command, "verify")) {
      compile_witness(a, &c);
    }
    const toolchain_product what = {.lanes = !strcmp(command, "ensemble")};
    result = toolchain_cached(a, &c, &what, &program);
  }
  compilation_free(&c);
  if (result == OUTCOME_GOOD) {
    rest[0] = arena_strdup(a, c.model->name);
    fflush(stdout);
    execv(program, rest);
    fprintf(stderr, "sidewinder: cannot start '%s': %s\n", program, strerror(errno));
    result = OUTCOME_FAILED;
  }
  return result;
}
