/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "common/vectors.h"
#include "io/data_list.h"
#include "io/tableau_file.h"
#include "methods/bases.h"
#include "methods/compositions.h"
#include "methods/methods.h"
#include "sidewinder/version.h"
#include "step/splitting.h"

/* ---- compatible options ---- */

static const char *method_with_inverse(void)
{
  const char *const *name = sw_method_names();
  while (!sw_method_find(*name)->has_inverse) {
    name++;
  }
  return *name;
}

/* Checks that H has parts with exact flows, if the base method is a splitting. */
static int check_splitting(const sw_invocation *call, const sw_options *options)
{
  const sw_model *model = call->system->model;
  if (options->tableau != NULL || strcmp(options->base, SW_SPLITTING) != 0) {
    return SW_EXIT_GOOD;
  }
  if (sw_division_of(model) == SW_DIVISION_NONE) {
    return sw_complain(call, SW_EXIT_USAGE, "--base %s: %s", SW_SPLITTING,
                       model->undivided != NULL ? model->undivided : "H has no parts");
  }
  return sw_splitting_is_too_large(call->system)
             ? sw_complain(call, SW_EXIT_USAGE,
                           "--base %s: H is of degree 2 and connects more than %d entries of z, "
                           "too many for the exponential of its field; use midpoint or verlet",
                           SW_SPLITTING, SW_BLOCK_MOST)
             : SW_EXIT_GOOD;
}

static int check_composition(const sw_invocation *call, const sw_options *options)
{
  const sw_tableau *base =
      options->tableau != NULL ? options->tableau : sw_base_tableau(options->base);
  sw_tableau_report report = {0};
  if (!sw_method_find(options->method)->has_inverse) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--compose: %s is not symmetric, so no composition raises its order; use %s",
                       options->method, method_with_inverse());
  }
  /* sw_options_objection checks below whether a bias is symmetric. */
  if (!sw_method_takes_base(sw_method_find(options->method)) ||
      sw_method_find(options->method)->has_bias) {
    return SW_EXIT_GOOD;
  }
  if (base != NULL) {
    (void)sw_tableau_examine(base, &report, NULL);
  }
  return report.symmetric || strcmp(options->base, SW_SPLITTING) == 0
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_USAGE,
                           "--compose: the base method %s is not symmetric, so no composition "
                           "raises the order; use a symmetric one, such as verlet",
                           options->base);
}

/* Checks whether the method supports the requested options: reversed steps, composition.  Returns
 * SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
static int check_method(const sw_invocation *call, const sw_options *options)
{
  /* The run line of a hand-written model may hold unknown names. */
  if (sw_method_find(options->method) == NULL || sw_composition_find(options->compose) == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "the model's run line: %s",
                       sw_options_objection(call->system->model, options));
  }
  if (options->check_reversible && !sw_method_find(options->method)->has_inverse) {
    return sw_complain(call, SW_EXIT_USAGE, "--check-reversible: %s has no inverse; %s has one",
                       options->method, method_with_inverse());
  }
  int code = check_splitting(call, options);
  if (code == SW_EXIT_GOOD && sw_composition_find(options->compose)->n > 1) {
    code = check_composition(call, options);
  }
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  const char *objection = sw_options_objection(call->system->model, options);
  return objection[0] == '\0'
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_USAGE, "--method %s: %s", options->method, objection);
}

/* Fills *options with the defaults and the values of the model's run line. */
static void begin_method(sw_options *options, const sw_run_defaults *run)
{
  sw_options_init(options);
  if (run->method != NULL) {
    options->method = run->method;
  }
  if (run->base != NULL) {
    options->base = run->base;
  }
  if (run->compose != NULL) {
    options->compose = run->compose;
  }
  if (run->bias != NULL) {
    (void)sw_bias_read(run->bias, options->bias);
  }
  options->compensated = run->compensated;
  if (run->adjoint != NULL) {
    options->adjoint = run->adjoint;
  }
  options->base_minus = run->base_minus;
}

static void begin_redundant(sw_options *options, const sw_run_defaults *run)
{
  if (run->redundant != NULL) {
    options->redundant = run->redundant;
  }
}

/* Resets the options of variational integrators: the run line sets them for its own method, not
 * for this one. */
static void forget_curves(sw_options *options, const sw_run_defaults *defaults, int bias_named)
{
  sw_options own;
  sw_options_init(&own);
  if (!bias_named) {
    memcpy(options->bias, own.bias, sizeof own.bias);
  }
  options->base_minus = options->base_minus == defaults->base_minus ? NULL : options->base_minus;
  options->adjoint = options->adjoint == defaults->adjoint ? own.adjoint : options->adjoint;
}

/* Chooses the base method, in this order:
 * - the value of --base, if base_named is 1;
 * - the base method of the model's run line, if the method is the one named there or has the same
 *   choice;
 * - the default of the method. */
static void finish_method(sw_options *options, const sw_run_defaults *defaults, int base_named,
                          int bias_named)
{
  const sw_method *method = sw_method_find(options->method);
  const sw_method *run = sw_method_find(defaults->method != NULL ? defaults->method : "rattle");
  if (method == NULL) {
    return; /* check_method reports the error */
  }
  if (!base_named) {
    options->base = sw_method_base(method, run, defaults->base);
  }
  if (!method->has_bias) {
    forget_curves(options, defaults, bias_named);
  }
  if (options->base == NULL) {
    options->base = method->base != NULL ? method->base : "none";
  }
}

void sw_options_of_run(const sw_model *model, const char *method, sw_options *options)
{
  begin_method(options, &model->run);
  begin_redundant(options, &model->run);
  if (method != NULL) {
    options->method = method;
  }
  finish_method(options, &model->run, 0, 0);
}

/* ---- settings ---- */

/* Sets *settings to the values of the model's run line and the default parameters.  Returns 1, or
 * 0 if memory is short. */
static int settings_begin(const sw_invocation *call, const sw_command *command,
                          sw_settings *settings)
{
  sw_system *system = call->system;
  const sw_run_defaults *run = &system->model->run;
  const size_t count = (size_t)system->nk;
  *settings = (sw_settings){.program = call->program,
                            .system = system,
                            .command = command->command,
                            .init = system->n_init > 0 ? 0 : -1,
                            .step = run->step,
                            .t_end = NAN,
                            .steps = -1,
                            .error = 1e-6,
                            .most_moved = SW_PROJECT_MOST};
  if (command->command & SW_FOR_STEPS) {
    begin_method(&settings->options, run);
  } else { /* a method that starts from states of M */
    sw_options_init(&settings->options);
    settings->options.method = "shake";
    settings->options.base = "midpoint";
  }
  begin_redundant(&settings->options, run);
  sw_options_preset(settings);
  settings->every = run->every > 0 ? run->every : 1;
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
static int settings_divide(const sw_invocation *call, sw_settings *settings, double t)
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
static int settings_check_state(const sw_invocation *call, const sw_settings *settings)
{
  if (settings->init_named && settings->init_file != NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--init and --init-file exclude each other");
  }
  if (settings->init_from != NULL && (settings->init_named || settings->init_file != NULL)) {
    return sw_complain(call, SW_EXIT_USAGE, "--init-from and --%s exclude each other",
                       settings->init_named ? "init" : "init-file");
  }
  if (settings->init < 0 && settings->init_file == NULL && settings->init_from == NULL) {
    return sw_complain(
        call, SW_EXIT_USAGE,
        "model '%s' has no initial state; use --init-file FILE, or add an 'init' to the model",
        settings->system->model->name);
  }
  return sw_program_check_parameters(call, settings->k);
}

int sw_settings_have_noise(const sw_settings *settings)
{
  return (sw_method_find(settings->options.method)->needs & SW_NEEDS_BATH) != 0;
}

long sw_settings_seed(const sw_settings *settings)
{
  return settings->seed < 0 ? 0 : settings->seed;
}

/* Checks that a seed has noise, and that other commands have none. */
static int check_noise(const sw_invocation *call, const sw_settings *settings)
{
  const char *method = settings->options.method;
  const int is_run = settings->command == SW_FOR_RUN;
  if (is_run && settings->seed >= 0 && !sw_settings_have_noise(settings)) {
    return sw_complain(call, SW_EXIT_USAGE, "--seed: the steps of %s contain no noise", method);
  }
  if (!is_run && settings->command != SW_FOR_ENSEMBLE && sw_settings_have_noise(settings)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--method %s: its steps contain noise, so they approximate no single motion "
                       "and have no derivative; use --method rattle, which leaves out the bath",
                       method);
  }
  return SW_EXIT_GOOD;
}

/* Checks the state, the method and the step.  Sets the number of steps from --steps, --t-end or
 * the model's run line.  Returns SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
static int settings_finish(const sw_invocation *call, sw_settings *settings)
{
  const sw_run_defaults *run = &settings->system->model->run;
  int t_end_given = !isnan(settings->t_end);
  int code = settings_check_state(call, settings);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  settings->options.stepper = call->stepper;
  settings->options.lanes = call->lanes;
  finish_method(&settings->options, run, settings->base_named, settings->bias_named);
  code = check_method(call, &settings->options);
  code = code == SW_EXIT_GOOD ? check_noise(call, settings) : code;
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  if (settings->project_output && sw_method_find(settings->options.method)->on_hidden) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--project-output: %s stays on M^H, so there is nothing to project",
                       settings->options.method);
  }
  if (!isfinite(settings->step) || settings->step == 0.0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "no step: the model's run line does not give one; use --step H");
  }
  if (t_end_given && settings->steps >= 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--steps and --t-end exclude each other");
  }
  if (t_end_given) {
    return settings_divide(call, settings, settings->t_end);
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
  return settings_divide(call, settings, run->t_end);
}

int sw_settings_run(const sw_invocation *call, const sw_command *command)
{
  sw_settings settings;
  int code = SW_EXIT_FAILED;
  if (!settings_begin(call, command, &settings)) {
    sw_out_of_memory(call);
  } else {
    code = sw_options_parse(call, command, &settings);
    if (code < 0) {
      code = command->command & SW_FOR_STEPS    ? settings_finish(call, &settings)
             : command->command & SW_FOR_STATES ? settings_check_state(call, &settings)
                                                : SW_EXIT_GOOD;
      code = code == SW_EXIT_GOOD ? command->run(call, &settings) : code;
    }
  }
  free(settings.k);
  free(settings.sample);
  sw_files_clear(&settings.files);
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

int sw_settings_add_files(const sw_settings *settings, sw_files *files)
{
  const sw_files *given = &settings->files;
  int added = 1;
  for (size_t i = 0; i < given->count && added; i++) {
    added = sw_files_add(files, given->file[i].option, given->file[i].path, SW_FILE_READ);
  }
  return added && sw_files_add(files, "the model", settings->model_file, SW_FILE_READ) &&
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

sw_origin sw_settings_origin(const sw_settings *settings)
{
  return (sw_origin){.program = settings->program,
                     .options = &settings->options,
                     .init = sw_settings_start(settings),
                     .step = settings->step,
                     .every = settings->every,
                     .input = settings->input,
                     .input_linear = settings->input_linear,
                     .projected = settings->project};
}

/* ---- identity of a run ---- */

void sw_identity_line(FILE *file, const char *key, const char *value)
{
  fprintf(file, "%s: ", key);
  for (; value != NULL && *value != '\0'; value++) {
    fputc((unsigned char)*value < ' ' ? ' ' : *value, file);
  }
  fputc('\n', file);
}

/* Writes the name of the base method and the coefficients of a user-defined tableau. */
static void put_base(FILE *file, const sw_options *options)
{
  const sw_tableau *t = options->tableau;
  sw_identity_line(file, "base", options->base);
  for (int half = 0; half < 2 && t != NULL; half++) {
    for (int i = 0; i < t->stages * (t->stages + 1); i++) {
      const int of_b = i / t->stages == t->stages;
      fprintf(file, "coefficient: %.17g\n",
              of_b ? sw_tableau_b(t, half)[i % t->stages] : sw_tableau_A(t, half)[i]);
    }
  }
}

void sw_identity_put(FILE *file, const sw_settings *settings)
{
  const sw_options *options = &settings->options;
  const sw_model *model = settings->system->model;
  sw_identity_line(file, "sidewinder", SW_VERSION);
  sw_identity_line(file, "model", model->name);
  sw_identity_line(file, "digest", model->digest);
  for (int i = 0; i < model->n_sizes; i++) {
    fprintf(file, "size %s: %ld\n", model->size_names[i], sw_system_sizes(settings->system)[i]);
  }
  if (model->n_indices > 0) {
    fprintf(file, "indices: %016" PRIx64 "\n", sw_system_indices_digest(settings->system));
  }
  sw_identity_line(file, "method", options->method);
  put_base(file, options);
  fprintf(file, "bias: %.17g, %.17g\n", options->bias[0], options->bias[1]);
  sw_identity_line(file, "base-minus", options->base_minus);
  sw_identity_line(file, "adjoint", options->adjoint);
  sw_identity_line(file, "compose", options->compose);
  sw_identity_line(file, "compensated", options->compensated ? "yes" : "no");
  fprintf(file, "step: %.17g\ntolerance: %.17g\n", settings->step, options->tolerance);
  sw_identity_line(file, "redundant", options->redundant);
  sw_identity_line(file, "solver", options->solver);
  fprintf(file, "check-reversible: %.17g\n",
          options->check_reversible ? options->reversible_tolerance : 0.0);
  sw_identity_line(file, "init", sw_settings_start(settings));
  fprintf(file, "project: %s\n", settings->project ? "yes" : "no");
}
