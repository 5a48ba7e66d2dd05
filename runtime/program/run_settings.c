/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "io/data_list.h"
#include "io/tableau_file.h"
#include "methods/methods.h"
#include "program/bias.h"
#include "program/method_options.h"
#include "program/option_values.h"
#include "program/parameter_names.h"

enum {
  KEY_METHOD = 0x200,
  KEY_BASE,
  KEY_BASE_FILE,
  KEY_BIAS,
  KEY_BASE_MINUS,
  KEY_ADJOINT,
  KEY_ITERATION,
  KEY_COMPOSE,
  KEY_COMPENSATED,
  KEY_STEP,
  KEY_T_END,
  KEY_INIT,
  KEY_INIT_FILE,
  KEY_SET,
  KEY_PROJECT,
  KEY_TOLERANCE,
  KEY_CHECK_REVERSIBLE,
  KEY_REDUNDANT,
  KEY_SOLVER
};

static const struct argp_option options[] = {
    {"method", KEY_METHOD, "NAME", 0, "Method; see below", 0},
    {"base", KEY_BASE, "NAME", 0, "Base method, or none; see below", 0},
    {"base-file", KEY_BASE_FILE, "FILE", 0,
     "A base method of your own instead, a partitioned Runge-Kutta method such as {\"name\": "
     "\"heun\", \"A\": [[0, 0], [1, 0]], \"b\": [0.5, 0.5]}, with \"A_hat\" and \"b_hat\" for "
     "momenta where these differ",
     0},
    {"bias", KEY_BIAS, "A-,A+", 0,
     "Between which parts of the step, before and after, the curve of a state goes; for "
     "variational: two numbers with "
     "A+ - A- = 1, or symmetric, which is -0.5,0.5, the default, or forward, which is 0,1",
     0},
    {"base-minus", KEY_BASE_MINUS, "NAME", 0,
     "Another method for the part of the curve of a state before it; for variational", 0},
    {"adjoint", KEY_ADJOINT, "WHICH", 0,
     "Take the adjoint of the method before a state (minus), behind it (plus), or both; for "
     "variational",
     0},
    {"iteration", KEY_ITERATION, "HOW", 0,
     "Solve for the steps of variational by newton or fixed-point", 0},
    {"compose", KEY_COMPOSE, "NAME", 0,
     "Compose each step of shorter ones, for a higher order; see below", 0},
    {"compensated", KEY_COMPENSATED, "no|yes", OPTION_ARG_OPTIONAL,
     "Add the steps by compensated summation, which leaves about h times the rounding errors", 0},
    {"step", KEY_STEP, "H", 0, "Step size; negative runs backwards", 0},
    {"t-end", KEY_T_END, "T", 0, "Time to reach from t = 0, a multiple of the step", 0},
    {"init", KEY_INIT, "NAME", 0, "Initial state; see 'info'", 0},
    {"init-file", KEY_INIT_FILE, "FILE", 0,
     "Initial state from a .npy or .csv file instead, as --save-state writes it; t starts "
     "at 0",
     0},
    {"set", KEY_SET, "PARAM=VALUE", 0,
     "Change a parameter: an entry such as m.3, or a whole array by its name; repeatable. "
     "A VALUE of the form @FILE takes each entry's value from a .npy or .csv file",
     0},
    {"project", KEY_PROJECT, "R", OPTION_ARG_OPTIONAL,
     "Move the initial state to the constraint manifold first, and refuse it where that moves "
     "positions or momenta by more than R (0.1; inf: by anything) of their size",
     0},
    {"tolerance", KEY_TOLERANCE, "T", 0,
     "Largest scaled residual of a solve that is accepted (1e-12)", 0},
    {"check-reversible", KEY_CHECK_REVERSIBLE, "T", OPTION_ARG_OPTIONAL,
     "After every step, make the step back, and stop where it misses the start by more than T "
     "(2e-8) of the state; for rattle",
     0},
    {"redundant", KEY_REDUNDANT, "NAME", 0,
     "Constraints that follow from others: error (refuse them by name), drop (leave them "
     "out) or min-norm (multipliers of the smallest norm)",
     0},
    {"solver", KEY_SOLVER, "NAME", 0,
     "Who solves a step: auto (straight-line code of the model where it has some, else KINSOL), "
     "fused (refuse to run without such code) or kinsol",
     0},
    {0}};

error_t sw_settings_choose_init(struct argp_state *state, sw_system *system, const char *arg,
                                int *init)
{
  size_t count = (size_t)system->n_init;
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
  error_t error = sw_option_number(state, "initial state", arg, names, count, init);
  free(names);
  return error;
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
  error_t error = sw_option_real(state, "step", arg, step);
  if (error == 0 && *step == 0.0) {
    argp_error(state, "--step: the step must not be zero");
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
  error_t error = sw_option_real(state, "project", arg, &settings->most_moved);
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
  settings->base_named = 1;
  return sw_files_add(&settings->files, "--base-file", arg, SW_FILE_READ) ? 0 : ENOMEM;
}

static const char *const answers[] = {"no", "yes"};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  sw_settings *settings = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &settings->helped;
    return 0;
  case KEY_METHOD:
    return sw_option_choose(state, "method", arg, sw_method_names(), &settings->options.method);
  case KEY_BASE:
    settings->options.tableau = NULL;
    settings->base_named = 1;
    if (strcmp(arg, "none") == 0) {
      settings->options.base = "none";
      return 0;
    }
    return sw_option_choose(state, "base method", arg, sw_base_choices(), &settings->options.base);
  case KEY_BASE_FILE:
    return read_base(state, arg, settings);
  case KEY_BIAS:
    settings->bias_named = 1;
    if (!sw_bias_read(arg, settings->options.bias)) {
      argp_error(state, "--bias: '%.100s' is not symmetric, forward, or two numbers A-,A+", arg);
      return EINVAL;
    }
    return 0;
  case KEY_BASE_MINUS:
    return sw_option_choose(state, "base method", arg, sw_base_names(),
                            &settings->options.base_minus);
  case KEY_ADJOINT:
    return sw_option_choose(state, "adjoint", arg, sw_adjoint_names(), &settings->options.adjoint);
  case KEY_ITERATION:
    return sw_option_choose(state, "iteration", arg, sw_iteration_names(),
                            &settings->options.iteration);
  case KEY_COMPOSE:
    return sw_option_choose(state, "composition", arg, sw_composition_names(),
                            &settings->options.compose);
  case KEY_COMPENSATED:
    settings->options.compensated = 1;
    return arg == NULL ? 0
                       : sw_option_number(state, "answer to --compensated", arg, answers, 2,
                                          &settings->options.compensated);
  case KEY_STEP:
    return read_step(state, arg, &settings->step);
  case KEY_T_END:
    return sw_option_real(state, "t-end", arg, &settings->t_end);
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
    return sw_option_tolerance(state, "tolerance", arg, &settings->options.tolerance);
  case KEY_CHECK_REVERSIBLE:
    settings->options.check_reversible = 1;
    return arg == NULL ? 0
                       : sw_option_tolerance(state, "check-reversible", arg,
                                             &settings->options.reversible_tolerance);
  case KEY_REDUNDANT:
    return sw_option_choose(state, "treatment of redundant constraints", arg, sw_redundant_names(),
                            &settings->options.redundant);
  case KEY_SOLVER:
    return sw_option_choose(state, "solver", arg, sw_solver_names(), &settings->options.solver);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {{.argp = &sw_help_argp}, {0}};

/* What the names of methods mean, behind the help of a command. */
static char *list_methods(int key, const char *text, void *input)
{
  (void)input;
  return key == ARGP_KEY_HELP_POST_DOC ? sw_method_options_help()
         : text == NULL                ? NULL
                                       : strdup(text);
}

static const struct argp settings_argp = {.options = options,
                                          .parser = parse,
                                          .doc = "\v ",
                                          .children = children,
                                          .help_filter = list_methods};

/* Fills *settings with what the model's run line says and the default parameters.  Returns 1, or 0 when out of
 * memory. */
static int begin(const sw_invocation *call, sw_settings *settings)
{
  sw_system *system = call->system;
  const sw_run_defaults *run = &system->model->run;
  size_t count = (size_t)system->nk;
  *settings = (sw_settings){.system = system,
                            .init = system->n_init > 0 ? 0 : -1,
                            .step = run->step,
                            .t_end = NAN,
                            .steps = -1,
                            .most_moved = 0.1};
  sw_method_options_begin(&settings->options, run);
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
  int added = 1;
  for (size_t i = 0; call->data != NULL && i < sw_data_n_files(call->data) && added; i++) {
    added = sw_files_add(&settings->files, "--data", sw_data_file(call->data, i), SW_FILE_READ);
  }
  return added;
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

/* Checks that there are one initial state and a step, and settles the number of steps: --steps, or
 * --t-end, or what the model's run line says.  A time is t_end / step steps, which must be an integer to
 * 1e-9.  Returns SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
static int finish(const sw_invocation *call, sw_settings *settings)
{
  const sw_run_defaults *run = &settings->system->model->run;
  int t_end_given = !isnan(settings->t_end);
  if (settings->init_named && settings->init_file != NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--init and --init-file exclude each other");
  }
  if (settings->init_from != NULL && (settings->init_named || settings->init_file != NULL)) {
    return sw_complain(call, SW_EXIT_USAGE, "--init-from and --%s exclude each other",
                       settings->init_named ? "init" : "init-file");
  }
  if (settings->init < 0 && settings->init_file == NULL && settings->init_from == NULL) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "model '%s' has no initial state; give one by --init-file FILE, or an "
                       "'init' in the model",
                       settings->system->model->name);
  }
  settings->options.stepper = call->stepper;
  settings->options.lanes = call->lanes;
  sw_method_options_finish(&settings->options, run, settings->base_named, settings->bias_named);
  int code = sw_method_options_check(call, &settings->options);
  code = code == SW_EXIT_GOOD ? sw_program_check_parameters(call, settings->k) : code;
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

int sw_settings_command(const sw_invocation *call, const struct argp_option own_options[],
                        argp_parser_t parser, const char *doc, void *input,
                        int (*command)(const sw_invocation *call, void *input))
{
  const struct argp_child own_children[] = {{.argp = &settings_argp}, {0}};
  const struct argp argp = {
      .options = own_options, .parser = parser, .doc = doc, .children = own_children};
  sw_settings *settings = input;
  if (!begin(call, settings)) {
    return sw_complain(call, SW_EXIT_FAILED, "out of memory");
  }
  settings->program = call->program;
  int code = sw_parse_arguments(call, &argp, input, &settings->helped);
  if (code < 0) {
    code = finish(call, settings);
    code = code == SW_EXIT_GOOD ? command(call, input) : code;
  }
  free(settings->k);
  sw_files_clear(&settings->files);
  return code;
}

void sw_settings_print_base(const sw_settings *settings, FILE *stream)
{
  char text[SW_TABLEAU_TEXT];
  if (settings->options.tableau != NULL) {
    sw_tableau_text(settings->options.tableau, &settings->tableau_report, text);
    fprintf(stream, "base method    %s: %s\n", settings->options.base, text);
  }
}

int sw_settings_add_files(const sw_settings *settings, const char *model_file, sw_files *files)
{
  const sw_files *given = &settings->files;
  int added = 1;
  for (size_t i = 0; i < given->count && added; i++) {
    added = sw_files_add(files, given->file[i].option, given->file[i].path, SW_FILE_READ);
  }
  return added && sw_files_add(files, "the model", model_file, SW_FILE_READ) &&
         sw_files_add(files, "--init-file", settings->init_file, SW_FILE_READ);
}

const char *sw_settings_start(const sw_settings *settings)
{
  return settings->init_from != NULL   ? settings->init_from
         : settings->init_file != NULL ? settings->init_file
                                       : sw_system_init_name(settings->system, settings->init);
}

sw_origin sw_settings_origin(const sw_settings *settings, long every)
{
  const sw_options *chosen = &settings->options;
  return (sw_origin){.program = settings->program,
                     .method = chosen->method,
                     .base = chosen->base,
                     .tableau = chosen->tableau,
                     .bias = {chosen->bias[0], chosen->bias[1]},
                     .base_minus = chosen->base_minus,
                     .adjoint = chosen->adjoint,
                     .compose = chosen->compose,
                     .init = sw_settings_start(settings),
                     .step = settings->step,
                     .every = every,
                     .projected = settings->project};
}
