/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/forward.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/request.h"
#include "command/toolchain.h"

static const struct {
  const char *name;
  const char *what;
} commands[] = {
    {"run", "Integrate, write a trajectory, print a summary."},
    {"verify", "Check every generated function, identities and orders."},
    {"converge", "Halve the step and print errors and observed orders."},
    {"lyapunov", "Estimate the largest Lyapunov exponents."},
    {"info", "Print variables, parameters, initial states, analysis."},
};

/* What a command does; NULL where it is not one of them. */
static const char *what_it_does(const char *command)
{
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (!strcmp(command, commands[i].name)) {
      return commands[i].what;
    }
  }
  return NULL;
}

int is_forwarded(const char *command)
{
  return what_it_does(command) != NULL;
}

/* The value of an option --NAME or -LETTER that `word` is, which may be the next word: then *taken is 2,
 * else 1.  NULL where the word is another. */
static const char *option_value(const char *word, const char *next, const char *name, int *taken)
{
  size_t length = strlen(name);
  const char *rest = NULL;
  if (word[0] == '-' && word[1] == name[0]) {
    rest = word + 2;
  } else if (!strncmp(word, "--", 2) && !strncmp(word + 2, name, length)) {
    rest = word + 2 + length;
    if (*rest != '=' && *rest != '\0') {
      return NULL;
    }
    rest += *rest == '=';
  }
  int is_next = rest && *rest == '\0' && rest[-1] != '=';
  *taken = is_next ? 2 : 1;
  return is_next ? next : rest;
}

/* Takes an option that is ours out of the words; how many words it has, 0 where there is none, -1 where
 * it is wrong. */
static int take_option(arena *a, const char *word, const char *next, request *r)
{
  int taken = 0;
  const char *wrong = NULL;
  const char *size = option_value(word, next, "size", &taken);
  if (size) {
    wrong = request_size(r, a, size);
  } else {
    const char *how = option_value(word, next, "lowering", &taken);
    taken = how ? taken : 0;
    wrong = how ? request_lowering(r, a, how) : NULL;
  }
  if (wrong) {
    fprintf(stderr, "sidewinder: %s\n", wrong);
    return -1;
  }
  return taken;
}

static void print_usage(const char *command, FILE *stream)
{
  fprintf(stream,
          "Usage: sidewinder %s [--size NAME=VALUE] [--lowering HOW] MODEL [options]\n"
          "%s\n"
          "The model comes first; `sidewinder %s MODEL --help` lists the options.\n",
          command, what_it_does(command), command);
}

static outcome wrong_usage(const char *command)
{
  print_usage(command, stderr);
  return OUTCOME_WRONG;
}

void forward_help(const char *command)
{
  print_usage(command, stdout);
}

/* Splits the words behind the command: --size, --lowering and the model are ours, and the model is the first
 * word that is no option, or follows "--"; all else is the program's and goes to rest. */
static outcome split_words(arena *a, int argc, char **argv, request *r, char **rest, int *n)
{
  for (int i = 2; i < argc; i++) {
    char *word = argv[i];
    int taken = take_option(a, word, i + 1 < argc ? argv[i + 1] : "", r);
    if (taken < 0) {
      return OUTCOME_WRONG;
    }
    if (taken > 0) {
      i += taken - 1;
      continue;
    }
    if (r->model) {
      rest[(*n)++] = word;
    } else if (!strcmp(word, "--") && i + 1 < argc) {
      r->model = argv[++i];
    } else if (word[0] != '-') {
      r->model = word;
    } else if (is_help(word)) {
      forward_help(argv[1]);
      return OUTCOME_GOOD;
    } else {
      return wrong_usage(argv[1]);
    }
  }
  return r->model ? OUTCOME_GOOD : wrong_usage(argv[1]);
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

/* `run` writes files, which must not be the model's. */
static void tell_model(arena *a, const request *r, char **rest, int *n)
{
  if (!strcmp(rest[1], "run")) {
    insert_option(rest, n, arena_printf(a, "--model-file=%s", r->model));
  }
}

outcome forward(arena *a, int argc, char **argv)
{
  request r = {.at_own_sizes = 1};
  char **rest = ARENA_ARRAY(a, argc + 3 + REQUEST_SIZES, char *);
  int n = 0;
  rest[n++] = NULL; /* the program */
  rest[n++] = argv[1];
  outcome result = split_words(a, argc, argv, &r, rest, &n);
  if (result != OUTCOME_GOOD || !r.model) {
    return result;
  }
  compilation c;
  const char *program = NULL;
  result = request_compile(a, &r, &c);
  if (result == OUTCOME_GOOD) {
    tell_sizes(a, &r, &c, rest, &n);
    tell_model(a, &r, rest, &n);
    if (!strcmp(argv[1], "verify")) {
      compile_witness(a, &c);
    }
    result = toolchain_cached(a, &c, &program);
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
