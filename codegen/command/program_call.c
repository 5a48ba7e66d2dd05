/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/program_call.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/toolchain.h"

enum { MORE_WORDS = 16 /* words that program_call_add may append */ };

static void print_usage(const program_call *call, FILE *stream)
{
  fprintf(stream,
          "Usage: sidewinder %s [--size NAME=VALUE] [--data FILE] [--lowering HOW]\n"
          "       [--compile-limit SECONDS] %sMODEL [options]\n"
          "MODEL is the first word that ends with '.sw', or else the first word;\n"
          "`sidewinder %s MODEL --help` lists the options%s.\n",
          call->own, call->takes_output ? "[-o FILE] " : "", call->command,
          strcmp(call->own, call->command) != 0 ? " of the run" : "");
}

/* Handles a word that is not one of our options: the first is the model, the others are for the
 * program.  Returns 0 if the model is missing. */
static int take_word(program_call *to, char *word)
{
  if (to->request.model) {
    to->words[to->n++] = word;
  } else if (word[0] != '-') {
    to->request.model = word;
  }
  return to->request.model != NULL;
}

/* Handles one of our options; returns an error message, or NULL. */
static const char *take_option(arena *a, program_call *to, int key, const char *value)
{
  switch (key) {
  case 's':
    return request_size(&to->request, a, value);
  case 'd':
    if (to->data) {
      return "--data is there twice; put all into one file";
    }
    to->data = value;
    return *value ? NULL : "--data wants the name of a file";
  case 'c':
    return request_compile_limit(&to->request, a, value);
  case 'l':
    return request_lowering(&to->request, a, value);
  case 'o':
    to->request.output = value;
    return *value ? NULL : "-o wants the name of a file";
  default:
    to->x = value;
    return *value ? NULL : "-x wants the name of a column";
  }
}

/* Parses the words before a "--".  Returns an error message, "" for wrong usage, or NULL. */
static const char *take_options(arena *a, int argc, char **argv, program_call *to)
{
  static const struct option ours[] = {{"output", required_argument, NULL, 'o'},
                                       {"x", required_argument, NULL, 'x'},
                                       {"size", required_argument, NULL, 's'},
                                       {"data", required_argument, NULL, 'd'},
                                       {"lowering", required_argument, NULL, 'l'},
                                       {"compile-limit", required_argument, NULL, 'c'},
                                       {0}};
  const char *wrong = NULL;
  opterr = 0;
  while (!wrong) {
    const int before = optind;
    /* "-" keeps all words in order; ":" reports an option without its value. */
    const int key = to->takes_output ? getopt_long(argc, argv, "-:s:l:o:x:", ours, NULL)
                                     : getopt_long(argc, argv, "-:s:l:", ours + 2, NULL);
    if (key == -1) {
      break;
    }
    const int known = key == ':' ? optopt : key;
    if (known && strchr("sdlcox", known)) {
      wrong = take_option(a, to, known, key == ':' ? "" : optarg);
    } else if (optind > before && !take_word(to, argv[optind - 1])) {
      wrong = "";
    }
  }
  return wrong;
}

/* 1 if the program is to run this method, which needs more functions of the model than others
 * do. */
static int asks_for(const program_call *call, const char *method)
{
  int found = 0;
  for (int i = 2; i < call->n; i++) {
    const char *equals = strchr(call->words[i], '=');
    found |= !strcmp(equals ? equals + 1 : call->words[i], method);
  }
  return found;
}

const char *program_call_value(const program_call *call, const char *option)
{
  const char *value = NULL;
  const size_t length = strlen(option);
  for (int i = 2; i < call->n && strcmp(call->words[i], "--") != 0; i++) {
    const char *word = call->words[i];
    if (!strncmp(word, option, length) && word[length] == '=') {
      value = word + length + 1;
    } else if (!strcmp(word, option) && i + 1 < call->n) {
      value = call->words[i + 1];
    }
  }
  return value;
}

/* The words' setting of --compensated, encoded as in compile_settings: 1 on, -1 off, 0 unset. */
static int compensated_by(const program_call *call)
{
  static const char option[] = "--compensated";
  const size_t length = sizeof option - 1;
  int found = 0;
  for (int i = 2; i < call->n && strcmp(call->words[i], "--") != 0; i++) {
    const char *word = call->words[i];
    if (!strncmp(word, option, length) && (word[length] == '\0' || word[length] == '=')) {
      found = strcmp(word + length, "=no") != 0 ? 1 : -1;
    }
  }
  return found;
}

int program_call_is_model(const char *word)
{
  const size_t length = strlen(word);
  return word[0] != '-' && length > 3 && !strcmp(word + length - 3, ".sw");
}

/* Moves the first model file before a "--" to the front.  Options may precede the model, and only
 * the model's program knows which options take a value. */
static void put_model_first(int argc, char **argv)
{
  int i = 1;
  while (i < argc && strcmp(argv[i], "--") != 0 && !program_call_is_model(argv[i])) {
    i++;
  }
  if (i < argc && program_call_is_model(argv[i])) {
    char *const first = argv[i];
    memmove(argv + 2, argv + 1, (size_t)(i - 1) * sizeof *argv);
    argv[1] = first;
  }
}

outcome program_call_read(arena *a, int argc, char **argv, program_call *call)
{
  put_model_first(argc, argv);
  call->room = argc + REQUEST_SIZES + MORE_WORDS;
  call->words = ARENA_ARRAY(a, call->room + 1, char *);
  call->words[1] = arena_strdup(a, call->command);
  call->n = 2;
  const char *wrong = take_options(a, argc, argv, call);
  int i = optind;
  if (!wrong && !call->request.model && i < argc) {
    call->request.model = argv[i++];
  } else if (!wrong && i < argc) {
    i--; /* passes the "--" on to the program */
  }
  while (!wrong && i < argc) {
    call->words[call->n++] = argv[i++];
  }
  if (wrong && *wrong) {
    fprintf(stderr, "sidewinder: %s\n", wrong);
    return OUTCOME_WRONG;
  }
  if (call->request.model) {
    return OUTCOME_GOOD;
  }
  const char *last = argv[optind - 1];
  const int is_help = !strcmp(last, "--help") || !strcmp(last, "-h") || !strcmp(last, "-?");
  print_usage(call, is_help ? stdout : stderr);
  return is_help ? OUTCOME_GOOD : OUTCOME_WRONG;
}

/* Inserts an option after the program and its command, and therefore before any "--". */
static void insert_option(program_call *call, char *option)
{
  memmove(call->words + 3, call->words + 2, (size_t)(call->n - 2) * sizeof *call->words);
  call->words[2] = option;
  call->n++;
}

/* Passes requested sizes to the program of a looped model, which serves all sizes. */
static void tell_sizes(arena *a, program_call *call)
{
  const request *r = &call->request;
  for (int i = call->c.loops ? r->n_sizes - 1 : -1; i >= 0; i--) {
    insert_option(call, arena_printf(a, "--size=%s=%ld", r->sizes[i].name, r->sizes[i].value));
  }
}

static void tell_data(arena *a, program_call *call)
{
  if (call->data) {
    insert_option(call, arena_printf(a, "--data=%s", call->data));
  }
}

/* Passes the model's path to commands that write files, so that they cannot overwrite it. */
static void tell_model(arena *a, program_call *call)
{
  if (!strcmp(call->command, "run") || !strcmp(call->command, "ensemble")) {
    insert_option(call, arena_printf(a, "--model-file=%s", call->request.model));
  }
}

outcome program_call_compile(arena *a, program_call *call)
{
  request *r = &call->request;
  r->discrete = asks_for(call, "energy-momentum");
  r->variational = asks_for(call, "variational");
  r->method = program_call_value(call, "--method");
  r->base = program_call_value(call, "--base");
  r->compensated = compensated_by(call);
  return request_compile(a, r, &call->c);
}

outcome program_call_build(arena *a, program_call *call)
{
  tell_sizes(a, call);
  tell_data(a, call);
  tell_model(a, call);
  if (!strcmp(call->command, "verify")) {
    compile_witness(a, &call->c);
  }
  call->words[0] = arena_strdup(a, call->c.model->name);
  const toolchain_product what = {.lanes = !strcmp(call->command, "ensemble"),
                                  .limit = call->request.compile_limit};
  return toolchain_cached(a, &call->c, &what, &call->program);
}

void program_call_add(arena *a, program_call *call, const char *word)
{
  if (call->n < call->room) {
    call->words[call->n++] = arena_strdup(a, word);
  }
}

outcome forward(arena *a, const char *command, int argc, char **argv)
{
  program_call call = {.own = command, .command = command, .request = {.at_own_sizes = 1}};
  outcome result = program_call_read(a, argc, argv, &call);
  if (result != OUTCOME_GOOD || !call.request.model) {
    return result;
  }
  result = program_call_compile(a, &call);
  if (result == OUTCOME_GOOD) {
    result = program_call_build(a, &call);
  }
  compilation_free(&call.c);
  if (result == OUTCOME_GOOD) {
    fflush(stdout);
    execv(call.program, call.words);
    fprintf(stderr, "sidewinder: cannot start '%s': %s\n", call.program, strerror(errno));
    result = OUTCOME_FAILED;
  }
  return result;
}
