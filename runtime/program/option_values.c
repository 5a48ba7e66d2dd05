/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/option_values.h"

#include <errno.h>
#include <limits.h>

#include "common/subcommands.h"
#include "common/user_text.h"

error_t sw_option_number(struct argp_state *state, const char *kind, const char *arg,
                         const char *const names[], size_t count, int *choice)
{
  char message[SW_TEXT_MESSAGE];
  const int place = sw_text_place(arg, names, count);
  if (place >= 0) {
    *choice = place;
    return 0;
  }
  sw_text_unknown(kind, arg, names, count, message);
  argp_error(state, "%s", message);
  return EINVAL;
}

error_t sw_option_choose(struct argp_state *state, const char *kind, const char *arg,
                         const char *const *names, const char **choice)
{
  size_t count = 0;
  int number = 0;
  while (names[count] != NULL) {
    count++;
  }
  error_t error = sw_option_number(state, kind, arg, names, count, &number);
  *choice = error == 0 ? names[number] : *choice;
  return error;
}

/* Parses the value of --option, an integer from lowest to highest (LONG_MAX: no upper bound). */
static error_t take_integer(struct argp_state *state, const char *option, const char *arg,
                            long lowest, long highest, long *value)
{
  if (sw_text_integer(arg, lowest, value) && *value <= highest) {
    return 0;
  }
  if (highest == LONG_MAX && sw_text_is_too_large(arg)) {
    argp_error(state, "--%s: %.100s is too large; the largest is %ld", option, arg, LONG_MAX);
  } else if (highest == LONG_MAX) {
    argp_error(state, "--%s: '%.100s' is not an integer of at least %ld", option, arg, lowest);
  } else {
    argp_error(state, "--%s: '%.100s' is not an integer from %ld to %ld", option, arg, lowest,
               highest);
  }
  return EINVAL;
}

error_t sw_option_real(struct argp_state *state, const char *option, const char *arg, double *value)
{
  if (sw_text_real(arg, value)) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not a finite decimal number", option, arg);
  return EINVAL;
}

error_t sw_option_tolerance(struct argp_state *state, const char *option, const char *arg,
                            double *tolerance)
{
  error_t error = sw_option_real(state, option, arg, tolerance);
  if (error == 0 && !(*tolerance > 0.0 && *tolerance < 1.0)) {
    argp_error(state, "--%s: it must be between 0 and 1", option);
    return EINVAL;
  }
  return error;
}

/* Parses a number of seconds, at least 0. */
static error_t take_seconds(struct argp_state *state, const char *option, const char *arg,
                            double *seconds)
{
  if (sw_text_real(arg, seconds) && *seconds >= 0.0) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not a number of at least 0", option, arg);
  return EINVAL;
}

/* ---- tables ---- */

enum { FIRST_KEY = 0x200 };

void sw_options_list(const sw_option options[], struct argp_option made[SW_OPTIONS_MOST + 1])
{
  int i = 0;
  for (; options[i].name != NULL && i < SW_OPTIONS_MOST; i++) {
    const sw_option *from = &options[i];
    made[i] = (struct argp_option){.name = from->name,
                                   .key = FIRST_KEY + i,
                                   .arg = from->arg,
                                   .flags = from->flags,
                                   .doc = from->doc};
  }
  made[i] = (struct argp_option){0};
}

static error_t option_values_take(struct argp_state *state, const sw_option *option,
                                  const char *arg, void *into)
{
  const long highest = option->highest != 0 ? option->highest : LONG_MAX;
  void *to = (char *)into + option->at;
  long value = 0;
  error_t error = 0;
  switch (option->kind) {
  case SW_VALUE_TEXT:
    *(const char **)to = arg;
    return 0;
  case SW_VALUE_FLAG:
    *(int *)to = 1;
    return 0;
  case SW_VALUE_INTEGER:
    return take_integer(state, option->name, arg, option->lowest, highest, to);
  case SW_VALUE_SMALL:
    error = take_integer(state, option->name, arg, option->lowest, highest, &value);
    *(int *)to = (int)value;
    return error;
  case SW_VALUE_SECONDS:
    return take_seconds(state, option->name, arg, to);
  case SW_VALUE_REAL:
    return sw_option_real(state, option->name, arg, to);
  case SW_VALUE_TOLERANCE:
    return sw_option_tolerance(state, option->name, arg, to);
  case SW_VALUE_NAME:
    return sw_option_choose(state, option->what, arg, option->names(), to);
  case SW_VALUE_READ:
    break;
  }
  return option->read(state, arg, into);
}

error_t sw_options_take(int key, char *arg, struct argp_state *state)
{
  const sw_taking *all = state->input;
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = all->of_child;
    return 0;
  }
  if (key == ARGP_KEY_ARGS && all->words != NULL) {
    *all->words = (sw_words){state->argv + state->next, (size_t)(state->argc - state->next)};
    return 0;
  }
  return key >= FIRST_KEY && key < FIRST_KEY + SW_OPTIONS_MOST
             ? option_values_take(state, &all->options[key - FIRST_KEY], arg, all->into)
             : ARGP_ERR_UNKNOWN;
}

int sw_options_parse(int argc, char **argv, const sw_option options[], const char *doc, void *into,
                     const char *args_doc, sw_words *words)
{
  struct argp_option listed[SW_OPTIONS_MOST + 1];
  const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};
  const struct argp argp = {.options = listed,
                            .parser = sw_options_take,
                            .args_doc = args_doc,
                            .doc = doc,
                            .children = children};
  int helped = 0;
  sw_taking taking = {options, into, &helped, words};
  sw_options_list(options, listed);
  return sw_words_parse(&argp, argc, argv, &taking, &helped);
}
