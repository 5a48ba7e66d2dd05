/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/child.h"
#include "command/compiler.h"
#include "command/toolchain.h"
#include "common/files.h"

enum { MOST_BYTES = 1 << 28 };

/* Runs `PROGRAM info --given` with the data and sizes, and reads its output into *text. */
static outcome ask_program(arena *a, const request *r, const compilation *c, const char *program,
                           char **text)
{
  words list = {.n = 0};
  add_word(a, &list, c->model->name);
  add_word(a, &list, "info");
  add_word(a, &list, "--given");
  add_word(a, &list, arena_printf(a, "--data=%s", r->data));
  for (int i = 0; i < r->n_sizes && c->loops; i++) {
    add_word(a, &list, arena_printf(a, "--size=%s=%ld", r->sizes[i].name, r->sizes[i].value));
  }
  FILE *said = file_temporary();
  if (!said) {
    return OUTCOME_FAILED;
  }
  const child asked = {.path = program, .words = list.at, .input = -1, .output = fileno(said)};
  int code = 0;
  fflush(stderr);
  errno = child_run(&asked, &code);
  if (errno) {
    file_failed("start", program);
    code = OUTCOME_FAILED;
  }
  size_t length = 0;
  *text = code == 0 ? file_contents(a, said, MOST_BYTES, &length) : NULL;
  if (code == 0 && !*text) {
    fprintf(stderr, "sidewinder: the data of '%s' %s\n", r->data,
            errno == EFBIG ? "are too large for check" : "cannot be read again");
    code = OUTCOME_FAILED;
  }
  fclose(said);
  return code == 0 ? OUTCOME_GOOD : code <= OUTCOME_FAILED ? (outcome)code : OUTCOME_FAILED;
}

/* The next word, cut out of the text; "" at the end. */
static const char *next_word(char **text)
{
  char *word = *text + strspn(*text, " \n");
  char *end = word + strcspn(word, " \n");
  *text = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

static long next_integer(char **text)
{
  return strtol(next_word(text), NULL, 10);
}

/* Parses the program's output (print_given in runtime/program/info.c). */
static given_data read_given(arena *a, const request *r, const compilation *c, char *text)
{
  next_word(&text); /* "given" */
  const int n_sizes = (int)next_integer(&text);
  const int n_indices = (int)next_integer(&text);
  given_data data = {.file = r->data, .nk = (int)next_integer(&text)};
  model_size_setting *settings =
      ARENA_ARRAY(a, n_sizes + n_indices + r->n_sizes + 1, model_size_setting);
  double *k = ARENA_ARRAY(a, data.nk + 1, double);
  for (int i = 0; i < n_sizes + n_indices; i++) {
    model_size_setting *s = &settings[data.n++];
    s->name = next_word(&text);
    s->value = next_integer(&text);
    long *elements = i < n_sizes ? NULL : ARENA_ARRAY(a, s->value + 1, long);
    for (long j = 0; elements && j < s->value; j++) {
      elements[j] = next_integer(&text);
    }
    s->elements = elements;
  }
  /* An unrolled program has fixed sizes, so they come from the request. */
  for (int i = 0; i < r->n_sizes && !c->loops; i++) {
    settings[data.n++] = r->sizes[i];
  }
  for (int i = 0; i < data.nk; i++) {
    k[i] = strtod(next_word(&text), NULL);
  }
  data.settings = settings;
  data.k = k;
  return data;
}

outcome examine_data(arena *a, const request *r, compilation *c)
{
  const toolchain_product what = {0};
  const char *program = NULL;
  char *text = NULL;
  outcome result = toolchain_cached(a, c, &what, &program);
  if (result == OUTCOME_GOOD) {
    result = ask_program(a, r, c, program, &text);
  }
  if (result != OUTCOME_GOOD) {
    c->summary = NULL;
    return result;
  }
  const given_data data = read_given(a, r, c, text);
  for (int i = 0; i < data.nk; i++) {
    if (!isfinite(data.k[i])) {
      fprintf(stderr,
              "sidewinder: '%s' does not give all parameters without a default; `sidewinder info "
              "MODEL --schema` lists them\n",
              r->data);
      c->summary = NULL;
      return OUTCOME_WRONG;
    }
  }
  return compile_with_data(a, c, &data);
}
