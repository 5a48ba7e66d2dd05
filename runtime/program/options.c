/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.c -- parses the options of the table in settings.h.
 *
 * The parsers return 0, or an error code of argp: EINVAL or EIO after they have printed the error,
 * or ENOMEM.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/subcommands.h"
#include "common/user_text.h"
#include "io/tableau_file.h"
#include "methods/bases.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "program/settings.h"
#include "program/verify.h"
#include "sidewinder/methods.h"
#include "step/splitting.h"

/* ---- values ---- */

/* Sets *choice to the index of the name that equals arg; errors call the list `kind`. */
static error_t choose_number(struct argp_state *state, const char *kind, const char *arg,
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

/* Sets *choice to the name that equals arg, in a list that ends with NULL. */
static error_t choose_name(struct argp_state *state, const char *kind, const char *arg,
                           const char *const *names, const char **choice)
{
  size_t count = 0;
  int number = 0;
  while (names[count] != NULL) {
    count++;
  }
  error_t error = choose_number(state, kind, arg, names, count, &number);
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

static error_t take_real(struct argp_state *state, const char *option, const char *arg,
                         double *value)
{
  if (sw_text_real(arg, value)) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not a finite decimal number", option, arg);
  return EINVAL;
}

static error_t take_tolerance(struct argp_state *state, const char *option, const char *arg,
                              double *tolerance)
{
  error_t error = take_real(state, option, arg, tolerance);
  if (error == 0 && !(*tolerance > 0.0 && *tolerance < 1.0)) {
    argp_error(state, "--%s must be between 0 and 1", option);
    return EINVAL;
  }
  return error;
}

/* ---- parsers of single options ---- */

static const struct {
  const char *name;
  double value[2];
} named[] = {
#define NAMED_BIAS(identifier, name, before, after) {name, {before, after}},
    SW_BIASES(NAMED_BIAS)
#undef NAMED_BIAS
};

int sw_bias_read(const char *text, double bias[2])
{
  char first[SW_TEXT_MESSAGE];
  const char *comma = strchr(text, ',');
  const size_t length = comma != NULL ? (size_t)(comma - text) : 0;
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    if (strcmp(text, named[i].name) == 0) {
      memcpy(bias, named[i].value, sizeof named[i].value);
      return 1;
    }
  }
  if (length == 0 || length >= sizeof first) {
    return 0;
  }
  memcpy(first, text, length);
  first[length] = '\0';
  return sw_text_real(first, &bias[0]) && sw_text_real(comma + 1, &bias[1]);
}

static error_t read_sample(struct argp_state *state, const char *arg, sw_settings *settings)
{
  const sw_system *system = settings->system;
  char message[SW_TEXT_MESSAGE];
  if (settings->sample == NULL) {
    settings->sample = calloc(2 * (size_t)system->nq + 1, sizeof *settings->sample);
  }
  const sw_status status = settings->sample == NULL
                               ? SW_ERR_MEMORY
                               : sw_sample_read(system, arg, settings->sample, message);
  if (status == SW_ERR_ARGUMENT) {
    argp_error(state, "--sample: %s", message);
    return EINVAL;
  }
  return status == SW_OK ? 0 : ENOMEM;
}

static error_t read_quantiles(struct argp_state *state, const char *arg, sw_settings *settings)
{
  char *list = strdup(arg);
  char *rest = list;
  if (list == NULL) {
    return ENOMEM;
  }
  settings->n_levels = 0;
  while (rest != NULL) {
    const char *level = strsep(&rest, ",");
    double *to = &settings->levels[settings->n_levels];
    if (settings->n_levels == SW_LEVELS_MOST || !sw_text_real(level, to) || *to < 0.0 ||
        *to > 1.0) {
      argp_error(state, "--quantiles: '%.60s' is not one of at most %d numbers from 0 to 1", level,
                 SW_LEVELS_MOST);
      free(list);
      return EINVAL;
    }
    settings->n_levels++;
  }
  free(list);
  return 0;
}

static error_t read_init(struct argp_state *state, const char *arg, sw_settings *settings)
{
  sw_system *system = settings->system;
  const size_t count = (size_t)system->n_init;
  settings->init_named = 1;
  if (count == 0) {
    argp_error(state, "--init: model '%s' has no initial state", system->model->name);
    return EINVAL;
  }
  const char **names = calloc(count, sizeof *names);
  if (names == NULL) {
    return ENOMEM;
  }
  for (size_t i = 0; i < count; i++) {
    names[i] = sw_system_init_name(system, (int)i);
  }
  error_t error = choose_number(state, "initial state", arg, names, count, &settings->init);
  free(names);
  return error;
}

static error_t read_parameter(struct argp_state *state, const char *arg, sw_settings *settings)
{
  char message[SW_TEXT_MESSAGE];
  const char *file = strstr(arg, "=@");
  switch (sw_parameters_set(settings->system, arg, settings->k, message)) {
  case SW_OK:
    return file == NULL || sw_files_add(&settings->files, "--set", file + 2, SW_FILE_READ) ? 0
                                                                                           : ENOMEM;
  case SW_ERR_MEMORY:
    return ENOMEM;
  case SW_ERR_IO:
    argp_failure(state, 0, 0, "--set: %s", message);
    return EIO;
  default:
    argp_error(state, "--set: %s", message);
    return EINVAL;
  }
}

static error_t read_only(struct argp_state *state, const char *arg, sw_settings *settings)
{
  settings->only = arg;
  if (sw_verify_asked(arg) > 0) {
    return 0;
  }
  argp_error(state, "--only: no check has a name that begins with '%.100s'", arg);
  return EINVAL;
}

static error_t read_error(struct argp_state *state, const char *arg, sw_settings *settings)
{
  if (sw_text_real(arg, &settings->error) && settings->error >= 1e-12 && settings->error <= 0.1) {
    return 0;
  }
  argp_error(state, "--error: '%.100s' is not a number from 1e-12 to 0.1", arg);
  return EINVAL;
}

static error_t read_named_base(struct argp_state *state, const char *arg, sw_settings *settings)
{
  settings->options.tableau = NULL;
  settings->base_named = 1;
  if (strcmp(arg, "none") == 0) {
    settings->options.base = "none";
    return 0;
  }
  return choose_name(state, "base method", arg, sw_base_choices(), &settings->options.base);
}

static error_t read_base(struct argp_state *state, const char *arg, sw_settings *settings)
{
  char message[SW_TEXT_MESSAGE];
  const sw_status status =
      sw_tableau_read(arg, &settings->tableau, &settings->tableau_report, message);
  if (status == SW_ERR_MEMORY) {
    return ENOMEM;
  }
  if (status != SW_OK) {
    argp_error(state, "--base-file: %s", message);
    return status == SW_ERR_IO ? EIO : EINVAL;
  }
  settings->options.tableau = &settings->tableau.tableau;
  settings->options.base = settings->tableau.name;
  settings->base_named = 1;
  return sw_files_add(&settings->files, "--base-file", arg, SW_FILE_READ) ? 0 : ENOMEM;
}

static error_t read_bias(struct argp_state *state, const char *arg, sw_settings *settings)
{
  settings->bias_named = 1;
  if (!sw_bias_read(arg, settings->options.bias)) {
    argp_error(state, "--bias: '%.100s' is not symmetric, forward, or two numbers A-,A+", arg);
    return EINVAL;
  }
  return 0;
}

static error_t read_compensated(struct argp_state *state, const char *arg, sw_settings *settings)
{
  static const char *const answers[] = {"no", "yes"};
  int *compensated = &settings->options.compensated;
  *compensated = 1;
  return arg == NULL ? 0
                     : choose_number(state, "value of --compensated", arg, answers, 2, compensated);
}

static error_t read_step(struct argp_state *state, const char *arg, sw_settings *settings)
{
  error_t error = take_real(state, "step", arg, &settings->step);
  if (error == 0 && settings->step == 0.0) {
    argp_error(state, "--step must not be zero");
    return EINVAL;
  }
  return error;
}

/* arg: NULL keeps the default. */
static error_t read_projection(struct argp_state *state, const char *arg, sw_settings *settings)
{
  settings->project = 1;
  if (arg == NULL) {
    return 0;
  }
  if (strcmp(arg, "inf") == 0) {
    settings->most_moved = INFINITY;
    return 0;
  }
  error_t error = take_real(state, "project", arg, &settings->most_moved);
  if (error == 0 && settings->most_moved < 0.0) {
    argp_error(state, "--project must not be negative");
    return EINVAL;
  }
  return error;
}

static error_t read_reversible(struct argp_state *state, const char *arg, sw_settings *settings)
{
  sw_options *options = &settings->options;
  options->check_reversible = 1;
  return arg == NULL
             ? 0
             : take_tolerance(state, "check-reversible", arg, &options->reversible_tolerance);
}

/* ---- the table ---- */

typedef struct sw_option {
  unsigned commands; /* the commands that have the option */
  const char *name;
  const char *arg;
  const char *doc;
  sw_value_kind kind;
  size_t at; /* offset of the member of sw_settings that receives the value */
  int flags; /* flags of argp */
  long lowest;
  long highest;     /* 0: no upper bound */
  double preset;    /* default of INTEGER, SMALL, SECONDS and REAL */
  const char *what; /* the kind of the names, for errors */
  const char *const *(*names)(void);
  error_t (*read)(struct argp_state *state, const char *arg, sw_settings *settings);
} sw_option;

static const sw_option table[] = {
#define ROW_OF_NEW(type, member, ...) {__VA_ARGS__, .at = offsetof(sw_settings, member)},
#define ROW_OF_MORE(member, ...)      {__VA_ARGS__, .at = offsetof(sw_settings, member)},
    SW_OPTIONS(ROW_OF_NEW, ROW_OF_MORE)
#undef ROW_OF_NEW
#undef ROW_OF_MORE
};

enum { OPTIONS = sizeof table / sizeof *table, FIRST_KEY = 0x200 };

void sw_options_preset(sw_settings *settings)
{
  for (int i = 0; i < OPTIONS; i++) {
    const sw_option *option = &table[i];
    void *to = (char *)settings + option->at;
    if (!(option->commands & settings->command)) {
      continue;
    }
    if (option->kind == SW_VALUE_INTEGER) {
      *(long *)to = (long)option->preset;
    } else if (option->kind == SW_VALUE_SMALL) {
      *(int *)to = (int)option->preset;
    } else if (option->kind == SW_VALUE_SECONDS || option->kind == SW_VALUE_REAL) {
      *(double *)to = option->preset;
    }
  }
}

static error_t take_option(struct argp_state *state, const sw_option *option, const char *arg,
                           sw_settings *settings)
{
  const long highest = option->highest != 0 ? option->highest : LONG_MAX;
  void *to = (char *)settings + option->at;
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
    if (sw_text_real(arg, to) && *(double *)to >= 0.0) {
      return 0;
    }
    argp_error(state, "--%s: '%.100s' is not a number of at least 0", option->name, arg);
    return EINVAL;
  case SW_VALUE_REAL:
    return take_real(state, option->name, arg, to);
  case SW_VALUE_TOLERANCE:
    return take_tolerance(state, option->name, arg, to);
  case SW_VALUE_NAME:
    return choose_name(state, option->what, arg, option->names(), to);
  case SW_VALUE_READ:
    break;
  }
  return option->read(state, arg, settings);
}

/* The input of the parser. */
typedef struct options_input {
  sw_settings *settings;
  int takes_words; /* 1 if the command has arguments that are not options */
  int helped;
} options_input;

static error_t options_parse_key(int key, char *arg, struct argp_state *state)
{
  options_input *input = state->input;
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = &input->helped;
    return 0;
  }
  if (key == ARGP_KEY_ARGS && input->takes_words) {
    input->settings->words = state->argv + state->next;
    input->settings->n_words = (size_t)(state->argc - state->next);
    return 0;
  }
  return key >= FIRST_KEY && key < FIRST_KEY + OPTIONS
             ? take_option(state, &table[key - FIRST_KEY], arg, input->settings)
             : ARGP_ERR_UNKNOWN;
}

/* Returns the lists of names at the end of a command's help; NULL if memory is short. */
static char *list_methods(void)
{
  char *list = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&list, &size);
  if (file == NULL) {
    return NULL;
  }
  fputs("Methods (paper: McLachlan, Modin, Verdier, Wilkins, Geometric Generalisations of SHAKE "
        "and RATTLE); 'for g(q)' means constraints on the positions only:\n",
        file);
  for (const char *const *name = sw_method_names(); *name != NULL; name++) {
    fprintf(file, "  %-10s %s\n", *name, sw_method_find(*name)->what);
  }
  fputs("Base methods; those that are not symplectic are for variational and for comparison.  With "
        "constraints, rattle and shake have at most second order:\n",
        file);
  for (const char *const *name = sw_base_names(); *name != NULL; name++) {
    const sw_base *base = sw_base_find(*name);
    sw_tableau_report report;
    if (sw_tableau_examine(&base->tableau, &report, NULL) == SW_OK) {
      fprintf(file, "  %-18s %-28s order %d%s%s\n", *name, base->what, base->order,
              report.symmetric ? ", symmetric" : "", report.symplectic ? "" : ", not symplectic");
    }
  }
  fprintf(file, "  %-18s %-28s order 2, symmetric\n", SW_SPLITTING, "exact flows of parts of H");
  fputs("Compositions of rattle, lobatto and index1 over symmetric base methods:\n", file);
  for (const char *const *name = sw_composition_names(); *name != NULL; name++) {
    fprintf(file, "  %-18s %s\n", *name, sw_composition_find(*name)->what);
  }
  return sw_text_written(file, &list);
}

/* Appends the lists of methods to the help of a command that takes steps, and names installed
 * documentation. */
static char *options_filter_help(int key, const char *text, void *input)
{
  const options_input *of = input;
  return key == ARGP_KEY_HELP_EXTRA ? (of->settings->command & SW_FOR_STEPS ? list_methods() : NULL)
                                    : sw_text_installed(of->settings->program->header, 3, text);
}

int sw_options_parse(const sw_invocation *call, const sw_command *command, sw_settings *settings)
{
  struct argp_option listed[OPTIONS + 3] = {{0}};
  const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};
  const struct argp argp = {.options = listed,
                            .parser = options_parse_key,
                            .args_doc = command->args_doc,
                            .doc = command->doc,
                            .children = children,
                            .help_filter = options_filter_help};
  options_input input = {.settings = settings, .takes_words = command->args_doc != NULL};
  int n = 0;
  /* The help lists the command's own options first, in group 1. */
  if (settings->command & SW_FOR_STEPS) {
    listed[n++] = (struct argp_option){.doc = "Method and step:", .group = 2};
  }
  if (settings->command & SW_FOR_STATES) {
    listed[n++] = (struct argp_option){.doc = "Initial state and accuracy:", .group = 3};
  }
  for (int i = 0; i < OPTIONS; i++) {
    if (table[i].commands & settings->command) {
      listed[n++] = (struct argp_option){.name = table[i].name,
                                         .key = FIRST_KEY + i,
                                         .arg = table[i].arg,
                                         .flags = table[i].flags,
                                         .doc = table[i].doc,
                                         .group = table[i].commands == SW_FOR_STEPS    ? 2
                                                  : table[i].commands == SW_FOR_STATES ? 3
                                                                                       : 1};
    }
  }
  return sw_words_parse(&argp, call->argc, call->argv, &input, &input.helped);
}
