/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "io/tableau_file.h"
#include "methods/bases.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "program/parameter_names.h"

enum {
  KEY_METHOD = 0x200,
  KEY_BASE,
  KEY_BASE_FILE,
  KEY_COMPOSE,
  KEY_STEP,
  KEY_T_END,
  KEY_INIT,
  KEY_INIT_FILE,
  KEY_SET,
  KEY_PROJECT,
  KEY_TOLERANCE,
  KEY_CHECK_REVERSIBLE,
  KEY_REDUNDANT
};

static const struct argp_option options[] = {
    {.name = "method", .key = KEY_METHOD, .arg = "NAME", .doc = "Method; see below"},
    {.name = "base", .key = KEY_BASE, .arg = "NAME", .doc = "Base method; see below"},
    {.name = "base-file",
     .key = KEY_BASE_FILE,
     .arg = "FILE",
     .doc =
         "A base method of your own instead, a partitioned Runge-Kutta method such as {\"name\": "
         "\"heun\", \"A\": [[0, 0], [1, 0]], \"b\": [0.5, 0.5]}, with \"A_hat\" and \"b_hat\" for "
         "momenta where these differ"},
    {.name = "compose",
     .key = KEY_COMPOSE,
     .arg = "NAME",
     .doc = "Compose each step of shorter ones, for a higher order; see below"},
    {.name = "step", .key = KEY_STEP, .arg = "H", .doc = "Step size; negative runs backwards"},
    {.name = "t-end",
     .key = KEY_T_END,
     .arg = "T",
     .doc = "Time to reach from t = 0, a multiple of the step"},
    {.name = "init", .key = KEY_INIT, .arg = "NAME", .doc = "Initial state; see 'info'"},
    {.name = "init-file",
     .key = KEY_INIT_FILE,
     .arg = "FILE",
     .doc = "Initial state from a .npy or .csv file instead, as --save-state writes it; t starts "
            "at 0"},
    {.name = "set",
     .key = KEY_SET,
     .arg = "PARAM=VALUE",
     .doc = "Change a parameter: an entry such as m.3, or a whole array by its name; repeatable. "
            "A VALUE of the form @FILE takes each entry's value from a .npy or .csv file"},
    {.name = "project",
     .key = KEY_PROJECT,
     .arg = "R",
     .flags = OPTION_ARG_OPTIONAL,
     .doc =
         "Move the initial state to the constraint manifold first, and refuse it where that moves "
         "positions or momenta by more than R (0.1; inf: by anything) of their size"},
    {.name = "tolerance",
     .key = KEY_TOLERANCE,
     .arg = "T",
     .doc = "Largest scaled residual of a solve that is accepted (1e-12)"},
    {.name = "check-reversible",
     .key = KEY_CHECK_REVERSIBLE,
     .arg = "T",
     .flags = OPTION_ARG_OPTIONAL,
     .doc =
         "After every step, make the step back, and stop where it misses the start by more than T "
         "(2e-8) of the state; for rattle"},
    {.name = "redundant",
     .key = KEY_REDUNDANT,
     .arg = "NAME",
     .doc = "Constraints that follow from others: error (refuse them by name), drop (leave them "
            "out) or min-norm (multipliers of the smallest norm)"},
    {0}};

static size_t count_names(const char *const *names)
{
  size_t count = 0;
  while (names[count] != NULL) {
    count++;
  }
  return count;
}

/* Prints the usage error and returns what argp wants to see after one. */
static error_t unknown(struct argp_state *state, const char *kind, const char *given,
                       const char *const names[], size_t count)
{
  char message[SW_TEXT_MESSAGE];
  sw_text_unknown(kind, given, names, count, message);
  argp_error(state, "%s", message);
  return EINVAL;
}

/* Sets *choice to the entry of names that equals arg. */
static error_t choose(struct argp_state *state, const char *kind, const char *arg,
                      const char *const *names, const char **choice)
{
  for (size_t i = 0; names[i] != NULL; i++) {
    if (strcmp(names[i], arg) == 0) {
      *choice = names[i];
      return 0;
    }
  }
  return unknown(state, kind, arg, names, count_names(names));
}

error_t sw_settings_choose_init(struct argp_state *state, sw_system *system, const char *arg,
                                int *init)
{
  size_t count = (size_t)system->n_init;
  for (int i = 0; i < system->n_init; i++) {
    if (strcmp(sw_system_init_name(system, i), arg) == 0) {
      *init = i;
      return 0;
    }
  }
  if (system->n_init <= 0) {
    argp_error(state, "--init: model '%s' has no initial state", system->model->name);
    return EINVAL;
  }
  const char **names = calloc(count + 1, sizeof *names);
  if (names == NULL) {
    return ENOMEM;
  }
  for (size_t i = 0; i < count; i++) {
    names[i] = sw_system_init_name(system, (int)i);
  }
  error_t error = unknown(state, "initial state", arg, names, count);
  free(names);
  return error;
}

static error_t read_real(struct argp_state *state, const char *option, const char *arg,
                         double *value)
{
  if (sw_text_real(arg, value)) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not a finite decimal number", option, arg);
  return EINVAL;
}

error_t sw_settings_set_parameter(struct argp_state *state, sw_system *system, const char *arg,
                                  double k[])
{
  char message[SW_TEXT_MESSAGE];
  switch (sw_parameters_set(system, arg, k, message)) {
  case SW_OK:
    return 0;
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

static error_t read_step(struct argp_state *state, const char *arg, double *step)
{
  error_t error = read_real(state, "step", arg, step);
  if (error == 0 && *step == 0.0) {
    argp_error(state, "--step: the step must not be zero");
    return EINVAL;
  }
  return error;
}

static error_t read_tolerance(struct argp_state *state, const char *option, const char *arg,
                              double *tolerance)
{
  error_t error = read_real(state, option, arg, tolerance);
  if (error == 0 && !(*tolerance > 0.0 && *tolerance < 1.0)) {
    argp_error(state, "--%s: it must be between 0 and 1", option);
    return EINVAL;
  }
  return error;
}

/* NULL: the default. */
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
  error_t error = read_real(state, "project", arg, &settings->most_moved);
  if (error == 0 && settings->most_moved < 0.0) {
    argp_error(state, "--project: it must not be negative");
    return EINVAL;
  }
  return error;
}

static error_t set_parameter(struct argp_state *state, const char *arg, sw_settings *settings)
{
  const char *file = strstr(arg, "=@");
  error_t error = sw_settings_set_parameter(state, settings->system, arg, settings->k);
  if (error == 0 && file != NULL &&
      !sw_files_add(&settings->files, "--set", file + 2, SW_FILE_READ)) {
    return ENOMEM;
  }
  return error;
}

/* --base-file. */
static error_t read_base(struct argp_state *state, const char *arg, sw_settings *settings)
{
  char message[SW_TEXT_MESSAGE];
  const sw_status status =
      sw_tableau_read(arg, &settings->tableau, &settings->tableau_report, message);
  if (status != SW_OK) {
    argp_error(state, "--base-file: %s", message);
    return status == SW_ERR_IO ? EIO : EINVAL;
  }
  settings->options.tableau = &settings->tableau.tableau;
  settings->options.base = settings->tableau.name;
  return sw_files_add(&settings->files, "--base-file", arg, SW_FILE_READ) ? 0 : ENOMEM;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  sw_settings *settings = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &settings->helped;
    return 0;
  case KEY_METHOD:
    return choose(state, "method", arg, sw_method_names(), &settings->options.method);
  case KEY_BASE:
    settings->options.tableau = NULL;
    return choose(state, "base method", arg, sw_base_names(), &settings->options.base);
  case KEY_BASE_FILE:
    return read_base(state, arg, settings);
  case KEY_COMPOSE:
    return choose(state, "composition", arg, sw_composition_names(), &settings->options.compose);
  case KEY_STEP:
    return read_step(state, arg, &settings->step);
  case KEY_T_END:
    return read_real(state, "t-end", arg, &settings->t_end);
  case KEY_INIT:
    settings->init_named = 1;
    return sw_settings_choose_init(state, settings->system, arg, &settings->init);
  case KEY_INIT_FILE:
    settings->init_file = arg;
    return 0;
  case KEY_SET:
    return set_parameter(state, arg, settings);
  case KEY_PROJECT:
    return read_projection(state, arg, settings);
  case KEY_TOLERANCE:
    return read_tolerance(state, "tolerance", arg, &settings->options.tolerance);
  case KEY_CHECK_REVERSIBLE:
    settings->options.check_reversible = 1;
    return arg == NULL ? 0
                       : read_tolerance(state, "check-reversible", arg,
                                        &settings->options.reversible_tolerance);
  case KEY_REDUNDANT:
    return choose(state, "treatment of redundant constraints", arg, sw_redundant_names(),
                  &settings->options.redundant);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};

/* What the names of methods mean, behind the help of a command. */
static char *list_methods(int key, const char *text, void *input)
{
  char *list = NULL;
  size_t size = 0;
  FILE *file = key == ARGP_KEY_HELP_POST_DOC ? open_memstream(&list, &size) : NULL;
  (void)input;
  if (file == NULL) {
    return text == NULL ? NULL : strdup(text);
  }
  fputs(
      "Methods (paper: McLachlan, Modin, Verdier, Wilkins, Geometric Generalisations of SHAKE and "
      "RATTLE):\n"
      "  shake     along the fibre, then a step of the base method, so that g = 0\n"
      "  rattle    shake, then along the fibre again, so that {g,H} = 0 too\n"
      "Base methods; with constraints the order is 2 at most:\n",
      file);
  for (const char *const *name = sw_base_names(); *name != NULL; name++) {
    const sw_base *base = sw_base_find(*name);
    sw_tableau_report report;
    if (sw_tableau_examine(&base->tableau, &report, NULL) == SW_OK) {
      fprintf(file, "  %-18s %-28s order %d%s%s\n", *name, base->what, base->order,
              report.symmetric ? ", symmetric" : "", report.symplectic ? "" : ", not symplectic");
    }
  }
  fputs("Compositions of rattle over symmetric base methods, with constraints or without:\n", file);
  for (const char *const *name = sw_composition_names(); *name != NULL; name++) {
    fprintf(file, "  %-18s %s\n", *name, sw_composition_find(*name)->what);
  }
  return sw_text_written(file, &list);
}

const struct argp sw_settings_argp = {.options = options,
                                      .parser = parse,
                                      .doc = "\v ",
                                      .children = children,
                                      .help_filter = list_methods};

int sw_settings_init(sw_system *system, sw_settings *settings)
{
  const sw_run_defaults *run = &system->model->run;
  size_t count = (size_t)system->nk;
  *settings = (sw_settings){.system = system,
                            .init = system->n_init > 0 ? 0 : -1,
                            .step = run->step,
                            .t_end = NAN,
                            .steps = -1,
                            .most_moved = 0.1};
  sw_options_init(&settings->options);
  if (run->method != NULL) {
    settings->options.method = run->method;
  }
  if (run->base != NULL) {
    settings->options.base = run->base;
  }
  for (int i = 0; run->init != NULL && i < system->n_init; i++) {
    if (strcmp(sw_system_init_name(system, i), run->init) == 0) {
      settings->init = i;
    }
  }
  settings->k = calloc(count + 1, sizeof *settings->k);
  if (settings->k == NULL) {
    return 0;
  }
  if (count > 0) {
    memcpy(settings->k, system->k_default, count * sizeof *settings->k);
  }
  return 1;
}

void sw_settings_clear(sw_settings *settings)
{
  free(settings->k);
  settings->k = NULL;
  sw_files_clear(&settings->files);
}

/* Turns a time into a number of steps. */
static int divide(const sw_invocation *call, sw_settings *settings, double t)
{
  double h = settings->step;
  double ratio = t / h;
  if (ratio < 0.0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "a step of %.15g never reaches t = %.15g from t = 0: their signs differ", h,
                       t);
  }
  if (!(ratio <= 1e15)) {
    return sw_complain(call, SW_EXIT_USAGE, "t = %.15g is more than 1e15 steps of %.15g", t, h);
  }
  if (fabs(ratio - round(ratio)) > 1e-9 * ratio) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "t = %.15g is not a multiple of the step %.15g; the nearest multiples are "
                       "%.15g (%.0f steps) and %.15g (%.0f steps)",
                       t, h, floor(ratio) * h, floor(ratio), ceil(ratio) * h, ceil(ratio));
  }
  settings->steps = (long)round(ratio);
  return SW_EXIT_GOOD;
}

/* Whether the method can be composed as asked for. */
static int check_composition(const sw_invocation *call, const sw_settings *settings)
{
  const sw_options *asked = &settings->options;
  const sw_tableau *base = asked->tableau != NULL ? asked->tableau : sw_base_tableau(asked->base);
  sw_tableau_report report = {0};
  if (sw_composition_find(asked->compose)->n == 1) {
    return SW_EXIT_GOOD;
  }
  if (!sw_method_find(asked->method)->has_inverse) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--compose: %s is not symmetric, so that no composition raises its order; "
                       "take rattle",
                       asked->method);
  }
  (void)sw_tableau_examine(base, &report, NULL);
  return report.symmetric
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_USAGE,
                           "--compose: the base method %s is not symmetric, so that no composition "
                           "raises the order; take one that is, such as verlet",
                           asked->base);
}

int sw_settings_finish(const sw_invocation *call, sw_settings *settings)
{
  const sw_run_defaults *run = &settings->system->model->run;
  int t_end_given = !isnan(settings->t_end);
  if (settings->init_named && settings->init_file != NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--init and --init-file exclude each other");
  }
  if (settings->init < 0 && settings->init_file == NULL) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "model '%s' has no initial state; give one by --init-file FILE, or an "
                       "'init' in the model",
                       settings->system->model->name);
  }
  if (settings->options.check_reversible &&
      !sw_method_find(settings->options.method)->has_inverse) {
    const char *const *other = sw_method_names();
    while (!sw_method_find(*other)->has_inverse) {
      other++;
    }
    return sw_complain(call, SW_EXIT_USAGE, "--check-reversible: %s has no inverse; %s has one",
                       settings->options.method, *other);
  }
  int code = check_composition(call, settings);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  if (!isfinite(settings->step) || settings->step == 0.0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "no step: the model's run line does not give one; use --step H");
  }
  if (t_end_given && settings->steps >= 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--steps and --t-end exclude each other");
  }
  if (t_end_given) {
    return divide(call, settings, settings->t_end);
  }
  if (settings->steps < 0) {
    settings->steps = run->steps;
  }
  if (settings->steps >= 0) {
    return SW_EXIT_GOOD;
  }
  if (!isfinite(run->t_end)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "no end: the model's run line does not give one; use --t-end T");
  }
  return divide(call, settings, run->t_end);
}

void sw_settings_print_base(const sw_settings *settings, FILE *stream)
{
  char text[SW_TABLEAU_TEXT];
  if (settings->options.tableau != NULL) {
    sw_tableau_text(settings->options.tableau, &settings->tableau_report, text);
    fprintf(stream, "base method    %s: %s\n", settings->options.base, text);
  }
}

const char *sw_settings_start(const sw_settings *settings)
{
  return settings->init_file != NULL ? settings->init_file
                                     : sw_system_init_name(settings->system, settings->init);
}

void sw_settings_message(const sw_sim *sim, char message[SW_MESSAGE_BYTES])
{
  static const char *const remedies[] = {
      [SW_REMEDY_OTHER] = NULL,
      [SW_REMEDY_PROJECT] = "ask for projection (--project)",
      [SW_REMEDY_REDUNDANT] =
          "remove those that follow from others, or ask for --redundant drop or min-norm",
  };
  sw_sim_message_with(sim, remedies, message);
}

int sw_settings_refuse(const sw_invocation *call, const sw_sim *sim, sw_status status)
{
  char message[SW_MESSAGE_BYTES] = "";
  if (sim != NULL) {
    sw_settings_message(sim, message);
  }
  return sw_complain(call, sw_exit_code(status), "%s",
                     message[0] != '\0' ? message : sw_status_text(status));
}

int sw_settings_refuse_file(const sw_invocation *call, const char *option, const char *message,
                            sw_status status)
{
  return sw_complain(call, sw_exit_code(status), "--%s: %s", option,
                     message[0] != '\0' ? message : sw_status_text(status));
}
