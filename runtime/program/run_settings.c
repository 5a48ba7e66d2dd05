/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_settings.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "common/vectors.h"
#include "io/data_list.h"
#include "io/tableau_file.h"
#include "methods/methods.h"
#include "program/bias.h"
#include "program/method_options.h"
#include "program/option_values.h"
#include "program/parameter_names.h"

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

/* ---- parsers of single options ---- */

static error_t read_named_base(struct argp_state *state, const char *arg, void *into)
{
  sw_settings *settings = into;
  settings->options.tableau = NULL;
  settings->base_named = 1;
  if (strcmp(arg, "none") == 0) {
    settings->options.base = "none";
    return 0;
  }
  return sw_option_choose(state, "base method", arg, sw_base_choices(), &settings->options.base);
}

static error_t read_base(struct argp_state *state, const char *arg, void *into)
{
  sw_settings *settings = into;
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

static error_t read_bias(struct argp_state *state, const char *arg, void *into)
{
  sw_settings *settings = into;
  settings->bias_named = 1;
  if (!sw_bias_read(arg, settings->options.bias)) {
    argp_error(state, "--bias: '%.100s' is not symmetric, forward, or two numbers A-,A+", arg);
    return EINVAL;
  }
  return 0;
}

static error_t read_compensated(struct argp_state *state, const char *arg, void *into)
{
  static const char *const answers[] = {"no", "yes"};
  int *compensated = &((sw_settings *)into)->options.compensated;
  *compensated = 1;
  return arg == NULL
             ? 0
             : sw_option_number(state, "answer to --compensated", arg, answers, 2, compensated);
}

static error_t read_step(struct argp_state *state, const char *arg, void *into)
{
  double *step = &((sw_settings *)into)->step;
  error_t error = sw_option_real(state, "step", arg, step);
  if (error == 0 && *step == 0.0) {
    argp_error(state, "--step: the step must not be zero");
    return EINVAL;
  }
  return error;
}

static error_t run_settings_read_init(struct argp_state *state, const char *arg, void *into)
{
  sw_settings *settings = into;
  settings->init_named = 1;
  return sw_settings_choose_init(state, settings->system, arg, &settings->init);
}

static error_t run_settings_read_parameter(struct argp_state *state, const char *arg, void *into)
{
  sw_settings *settings = into;
  const char *file = strstr(arg, "=@");
  error_t error = sw_settings_set_parameter(state, settings->system, arg, settings->k);
  if (error == 0 && file != NULL &&
      !sw_files_add(&settings->files, "--set", file + 2, SW_FILE_READ)) {
    return ENOMEM;
  }
  return error;
}

/* Parses the value of --project; NULL: the default. */
static error_t read_projection(struct argp_state *state, const char *arg, void *into)
{
  sw_settings *settings = into;
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

static error_t read_reversible(struct argp_state *state, const char *arg, void *into)
{
  sw_options *options = &((sw_settings *)into)->options;
  options->check_reversible = 1;
  return arg == NULL
             ? 0
             : sw_option_tolerance(state, "check-reversible", arg, &options->reversible_tolerance);
}

#define AT(member) offsetof(sw_settings, member)

/* Options of an initial state, and of a solve from it. */
static const sw_option state_options[] = {
    {"init", "NAME", "Initial state; see 'info'", SW_VALUE_READ, .read = run_settings_read_init},
    {"init-file", "FILE",
     "Initial state from a .npy or .csv file instead, as --save-state writes it; t starts "
     "at 0",
     SW_VALUE_TEXT, .at = AT(init_file)},
    {"set", "PARAM=VALUE",
     "Change a parameter: an entry such as m.3, or a whole array by its name; repeatable. "
     "A VALUE of the form @FILE takes each entry's value from a .npy or .csv file",
     SW_VALUE_READ, .read = run_settings_read_parameter},
    {"project", "R",
     "Move the initial state to the constraint manifold first, and refuse it where that moves "
     "positions or momenta by more than R (0.1; inf: by anything) of their size",
     SW_VALUE_READ, .read = read_projection, .flags = OPTION_ARG_OPTIONAL},
    {"tolerance", "T", "Largest scaled residual of a solve that is accepted (1e-12)",
     SW_VALUE_TOLERANCE, .at = AT(options.tolerance)},
    {"redundant", "NAME",
     "Constraints that follow from others: error (refuse them by name), drop (leave them "
     "out) or min-norm (multipliers of the smallest norm)",
     SW_VALUE_NAME, .at = AT(options.redundant), .what = "treatment of redundant constraints",
     .names = sw_redundant_names},
    {0}};

/* Options of steps. */
static const sw_option step_options[] = {
    {"method", "NAME", "Method; see below", SW_VALUE_NAME, .at = AT(options.method),
     .what = "method", .names = sw_method_names},
    {"base", "NAME", "Base method, or none; see below", SW_VALUE_READ, .read = read_named_base},
    {"base-file", "FILE",
     "A base method of your own instead, a partitioned Runge-Kutta method such as {\"name\": "
     "\"heun\", \"A\": [[0, 0], [1, 0]], \"b\": [0.5, 0.5]}, with \"A_hat\" and \"b_hat\" for "
     "momenta where these differ",
     SW_VALUE_READ, .read = read_base},
    {"bias", "A-,A+",
     "Between which parts of the step, before and after, the curve of a state goes; for "
     "variational: two numbers with "
     "A+ - A- = 1, or symmetric, which is -0.5,0.5, the default, or forward, which is 0,1",
     SW_VALUE_READ, .read = read_bias},
    {"base-minus", "NAME",
     "Another method for the part of the curve of a state before it; for variational",
     SW_VALUE_NAME, .at = AT(options.base_minus), .what = "base method", .names = sw_base_names},
    {"adjoint", "WHICH",
     "Take the adjoint of the method before a state (minus), behind it (plus), or both; for "
     "variational",
     SW_VALUE_NAME, .at = AT(options.adjoint), .what = "adjoint", .names = sw_adjoint_names},
    {"compose", "NAME", "Compose each step of shorter ones, for a higher order; see below",
     SW_VALUE_NAME, .at = AT(options.compose), .what = "composition",
     .names = sw_composition_names},
    {"compensated", "no|yes",
     "Add the steps by compensated summation, which leaves about h times the rounding errors",
     SW_VALUE_READ, .read = read_compensated, .flags = OPTION_ARG_OPTIONAL},
    {"step", "H", "Step size; negative runs backwards", SW_VALUE_READ, .read = read_step},
    {"t-end", "T", "Time to reach from t = 0, a multiple of the step", SW_VALUE_REAL,
     .at = AT(t_end)},
    {"check-reversible", "T",
     "After every step, make the step back, and stop where it misses the start by more than T "
     "(2e-8) of the state; for rattle",
     SW_VALUE_READ, .read = read_reversible, .flags = OPTION_ARG_OPTIONAL},
    {"solver", "NAME",
     "Who solves a step: auto (straight-line code of the model where it has some, else KINSOL), "
     "fused (refuse to run without such code) or kinsol",
     SW_VALUE_NAME, .at = AT(options.solver), .what = "solver", .names = sw_solver_names},
    {0}};

/* ---- all options ---- */

/* Appends the lists of methods to the help of a command. */
static char *list_methods(int key, const char *text, void *input)
{
  (void)input;
  return key == ARGP_KEY_HELP_POST_DOC ? sw_method_options_help()
         : text == NULL                ? NULL
                                       : strdup(text);
}

/* Sets *settings to the values of the model's run line and the default parameters.  Returns 1, or
 * 0 if memory is short. */
static int run_settings_begin(const sw_invocation *call, sw_settings *settings)
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
  sw_copy(settings->k, system->k_default, count);
  int added = 1;
  for (size_t i = 0; call->data != NULL && i < sw_data_n_files(call->data) && added; i++) {
    added = sw_files_add(&settings->files, "--data", sw_data_file(call->data, i), SW_FILE_READ);
  }
  return added;
}

/* Sets the number of steps to t / step, which must be an integer up to a relative error of
 * 1e-9. */
static int run_settings_divide(const sw_invocation *call, sw_settings *settings, double t)
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

/* Checks that there is exactly one initial state, and that all parameters have values.  Returns
 * SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
static int run_settings_check_state(const sw_invocation *call, const sw_settings *settings)
{
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
  return sw_program_check_parameters(call, settings->k);
}

/* Checks the state, the method and the step.  Sets the number of steps from --steps, --t-end or
 * the model's run line.  Returns SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
static int finish(const sw_invocation *call, sw_settings *settings)
{
  const sw_run_defaults *run = &settings->system->model->run;
  int t_end_given = !isnan(settings->t_end);
  int code = run_settings_check_state(call, settings);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  settings->options.stepper = call->stepper;
  settings->options.lanes = call->lanes;
  sw_method_options_finish(&settings->options, run, settings->base_named, settings->bias_named);
  code = sw_method_options_check(call, &settings->options);
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
    return run_settings_divide(call, settings, settings->t_end);
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
  return run_settings_divide(call, settings, run->t_end);
}

/* Parses the words of a command into `input`, as sw_words_parse does.  The options are the
 * command's own, the options of a state and, if the command takes steps, the options of steps. */
static int run_settings_parse(const sw_invocation *call, int takes_steps,
                              const sw_option own_options[], const char *doc, void *input)
{
  struct argp_option listed[3][SW_OPTIONS_MOST + 1];
  const struct argp_child help[] = {{.argp = &sw_help_argp}, {0}};
  const struct argp of_state = {.options = listed[0], .parser = sw_options_take, .children = help};
  const struct argp_child state[] = {{.argp = &of_state}, {0}};
  const struct argp of_steps = {.options = listed[1],
                                .parser = sw_options_take,
                                .doc = "\v ",
                                .children = state,
                                .help_filter = list_methods};
  const struct argp_child steps[] = {{.argp = &of_steps}, {0}};
  const struct argp argp = {.options = listed[2],
                            .parser = sw_options_take,
                            .doc = doc,
                            .children = takes_steps ? steps : state};
  int helped = 0;
  sw_options_list(state_options, listed[0]);
  sw_options_list(step_options, listed[1]);
  sw_options_list(own_options, listed[2]);
  sw_taking for_state = {state_options, input, &helped, NULL};
  sw_taking for_steps = {step_options, input, &for_state, NULL};
  sw_taking own = {own_options, input, takes_steps ? &for_steps : &for_state, NULL};
  return sw_words_parse(&argp, call->argc, call->argv, &own, &helped);
}

static int run_settings_carry_out(const sw_invocation *call, int takes_steps,
                                  const sw_option own_options[], const char *doc, void *input,
                                  int (*command)(const sw_invocation *call, void *input))
{
  sw_settings *settings = input;
  if (!run_settings_begin(call, settings)) {
    return sw_out_of_memory(call);
  }
  settings->program = call->program;
  if (!takes_steps) {
    sw_options_init(&settings->options);
    settings->options.method = "shake";
    settings->options.base = "midpoint";
  }
  int code = run_settings_parse(call, takes_steps, own_options, doc, input);
  if (code < 0) {
    code = takes_steps ? finish(call, settings) : run_settings_check_state(call, settings);
    code = code == SW_EXIT_GOOD ? command(call, input) : code;
  }
  free(settings->k);
  sw_files_clear(&settings->files);
  return code;
}

int sw_settings_command(const sw_invocation *call, const sw_option own_options[], const char *doc,
                        void *input, int (*command)(const sw_invocation *call, void *input))
{
  return run_settings_carry_out(call, 1, own_options, doc, input, command);
}

int sw_settings_state_command(const sw_invocation *call, const sw_option own_options[],
                              const char *doc, void *input,
                              int (*command)(const sw_invocation *call, void *input))
{
  return run_settings_carry_out(call, 0, own_options, doc, input, command);
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

void sw_settings_print_hint(const sw_settings *settings, const sw_stats *stats, FILE *stream)
{
  const sw_options *options = &settings->options;
  const sw_stepper *has = options->stepper;
  if (stats->steps > 0 && stats->fused_steps == 0 && has != NULL &&
      has->compensated != options->compensated && strcmp(has->method, options->method) == 0 &&
      options->base != NULL && strcmp(has->base, options->base) == 0 &&
      strcmp(options->solver, "kinsol") != 0) {
    fprintf(stream,
            "straight line  none: this program is built with%s --compensated; build it "
            "with --compensated%s for faster steps\n",
            has->compensated ? "" : "out", options->compensated ? "" : "=no");
  }
}

sw_origin sw_settings_origin(const sw_settings *settings, long every)
{
  return (sw_origin){.program = settings->program,
                     .options = &settings->options,
                     .init = sw_settings_start(settings),
                     .step = settings->step,
                     .every = every,
                     .projected = settings->project};
}
