/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/model_check.h"
#include "common/vectors.h"
#include "io/data_list.h"
#include "io/data_schema.h"
#include "program/settings.h"

enum { LONGEST_LIST = 40 };

static const char doc[] =
    "Print the model: variables, parameters, initial states, analysis.\v"
    "An initial state is printed with the largest |g| and |{g,H}|, and with the condition number "
    "of the nondegeneracy matrix N, which must be finite for RATTLE to be well defined. Parameters "
    "have their default values.";

static const char *yes_no(int condition)
{
  return condition ? "yes" : "no";
}

static const char *mass_words(sw_mass_matrix mass)
{
  return mass == SW_MASS_CONSTANT_DIAGONAL ? "constant, diagonal"
         : mass == SW_MASS_CONSTANT        ? "constant"
                                           : "depends on the state";
}

static const char *proof_words(sw_proof proof)
{
  return proof == SW_PROVED ? "proved"
         : proof == SW_PROVED_BY_DEFAULT
             ? "proved with the default parameters; a run with others checks it"
             : "not proved; a run checks it";
}

static void print_names(const char *label, const sw_system *system, sw_name_kind kind, int count)
{
  char name[SW_NAME_BYTES];
  printf("%-20s", label);
  for (int i = 0; i < count && i < LONGEST_LIST; i++) {
    printf(" %s", sw_system_name(system, kind, i, name));
  }
  if (count > LONGEST_LIST) {
    printf(" ... and %d more", count - LONGEST_LIST);
  }
  puts(count == 0 ? " none" : "");
}

static void print_degree(const char *label, int degree)
{
  if (degree < 0) {
    printf("%-20s no polynomial\n", label);
  } else {
    printf("%-20s polynomial of degree %d\n", label, degree);
  }
}

static void info_print_sizes(const sw_system *system)
{
  const sw_model *model = system->model;
  if (model->n_sizes == 0) {
    return;
  }
  printf("%-20s", "sizes");
  for (int i = 0; i < model->n_sizes; i++) {
    printf(" %s = %ld", model->size_names[i], sw_system_sizes(system)[i]);
  }
  puts(sw_data_is_wanted(model) ? " (--data and --size change them)" : " (--size changes them)");
}

static void print_structure(const sw_system *system)
{
  const sw_structure *found = &system->model->structure;
  printf("%-20s %d degrees of freedom, %d constraints, %d parameters\n", "size", system->nq,
         system->nc, system->nk);
  info_print_sizes(system);
  print_names("positions", system, SW_Q, system->nq);
  print_names("momenta", system, SW_P, system->nq);
  print_names("constraints", system, SW_C, system->nc);
  print_names("observables", system, SW_OBSERVE, system->n_observe);
  print_names("invariants", system, SW_INVARIANT, system->n_invariant);
  if (system->n_event > 0) {
    print_names("events", system, SW_EVENT, system->n_event);
  }
  printf("%-20s %s\n", "separable H", yes_no(found->separable));
  printf("%-20s %s\n", "mass matrix", mass_words(found->mass));
  print_degree("H", found->degree_H);
  if (system->nc == 0) {
    return;
  }
  print_degree("g", found->degree_g);
  printf("%-20s %s\n", "holonomic", yes_no(found->holonomic));
  printf("%-20s %s\n", "coisotropic", proof_words(found->coisotropic));
  printf("%-20s %s\n", "N invertible", proof_words(found->nondegenerate));
  printf("%-20s %s\n", "commuting", yes_no(found->commuting));
  printf("%-20s %s\n", "multipliers",
         "q' = H_p + lambda dg/dp, p' = -H_q - lambda dg/dq; the force on p is -lambda dg/dq");
  printf("%-20s %s\n", "fibre flow", found->fibre == NULL ? "" : found->fibre);
}

static void info_print_parameters(const sw_system *system)
{
  puts("\nparameters");
  for (int i = 0; i < system->nk && i < LONGEST_LIST; i++) {
    char bounds[64];
    char name[SW_NAME_BYTES];
    sw_bounds_text(sw_system_bounds(system, i), bounds);
    if (isnan(system->k_default[i])) {
      printf("  %-18s comes from data", sw_system_name(system, SW_K, i, name));
    } else {
      printf("  %-18s %.15g", sw_system_name(system, SW_K, i, name), system->k_default[i]);
    }
    printf("%s%s%s\n", bounds[0] == '\0' ? "" : "  in ", bounds,
           sw_system_is_input(system, i) ? "  (input)" : "");
  }
  if (system->nk > LONGEST_LIST) {
    printf("  ... and %d more\n", system->nk - LONGEST_LIST);
  }
  if (system->nk == 0) {
    puts("  none");
  }
}

static void print_check(const sw_system *system, const sw_check *check)
{
  if (system->nc == 0) {
    puts("no constraints");
    return;
  }
  printf("|g| = %.3g, |{g,H}| = %.3g, N has rank %d of %d and condition %.3g", check->residual_g,
         check->residual_hidden, check->rank, system->nc, check->condition);
  if (!(check->scaled_g <= SW_STATE_TOLERANCE)) {
    fputs("; off M, use --project", stdout);
  } else if (!(check->scaled_hidden <= SW_STATE_TOLERANCE)) {
    fputs("; off M^H, use --project", stdout);
  }
  putchar('\n');
}

static int print_initial_states(const sw_invocation *call)
{
  const sw_system *system = call->system;
  double *z = calloc(2 * (size_t)system->nq, sizeof *z);
  int code = SW_EXIT_GOOD;
  if (z == NULL) {
    return sw_out_of_memory(call);
  }
  puts("\ninitial states");
  for (int i = 0; i < system->n_init && code == SW_EXIT_GOOD; i++) {
    sw_check check;
    sw_system_init(system, i, system->k_default, z);
    printf("  %-18s ", sw_system_init_name(system, i));
    sw_status status = isfinite(sw_max_abs(2 * (size_t)system->nq, z))
                           ? sw_system_check(system, NULL, z, &check)
                           : SW_ERR_NOT_FINITE;
    if (status == SW_OK) {
      print_check(system, &check);
    } else if (status == SW_ERR_NOT_FINITE) {
      puts(sw_status_text(status));
    } else {
      code = sw_program_refuse(call, NULL, status);
    }
  }
  if (system->n_init == 0) {
    puts("  none");
  }
  free(z);
  return code;
}

static void print_run(const sw_run_defaults *run)
{
  const char *const texts[][2] = {
      {"method", run->method},   {"base", run->base},
      {"compose", run->compose}, {"compensated", run->compensated ? "yes" : NULL},
      {"bias", run->bias},       {"base_minus", run->base_minus},
      {"adjoint", run->adjoint}, {"redundant", run->redundant},
      {"init", run->init}};
  puts("\nrun");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (texts[i][1] != NULL) {
      printf("  %s = %s\n", texts[i][0], texts[i][1]);
    }
  }
  if (isfinite(run->step)) {
    printf("  step = %.15g\n", run->step);
  }
  if (isfinite(run->t_end)) {
    printf("  t_end = %.15g\n", run->t_end);
  }
  if (run->steps >= 0) {
    printf("  steps = %ld\n", run->steps);
  }
  if (run->every > 0) {
    printf("  every = %ld\n", run->every);
  }
}

/* Prints method and base method of the generated step. */
static void print_stepper(const sw_stepper *stepper)
{
  printf("\nstraight-line steps\n");
  if (stepper != NULL) {
    printf("  method = %s\n  base = %s\n%s", stepper->method, stepper->base,
           stepper->compensated ? "  compensated = yes\n" : "");
  } else {
    puts("  none");
  }
}

/* Prints the sizes, index arrays and parameters of the run as numbers, for `sidewinder check
 * --data`. */
static int print_given(const sw_system *system)
{
  const sw_model *model = system->model;
  sw_size *given = sw_sizes_given(model, sw_system_sizes(system));
  if (given == NULL) {
    fprintf(stderr, "%s info: out of memory\n", model->name);
    return SW_EXIT_FAILED;
  }
  printf("given %d %d %d\n", model->n_sizes, model->n_indices, system->nk);
  for (int i = 0; i < model->n_sizes + model->n_indices; i++) {
    printf("%s %ld", given[i].name, given[i].value);
    for (long j = 0; given[i].indices != NULL && j < given[i].value; j++) {
      printf(" %ld", given[i].indices[j]);
    }
    puts("");
  }
  for (int i = 0; i < system->nk; i++) {
    printf("%.17g\n", system->k_default[i]);
  }
  free(given);
  return SW_EXIT_GOOD;
}

static int info_with(const sw_invocation *call, sw_settings *settings)
{
  const sw_system *system = call->system;
  if (settings->json && !settings->schema) {
    return sw_complain(call, SW_EXIT_USAGE, "--json needs --schema");
  }
  if (settings->schema) {
    (settings->json ? sw_data_schema_json : sw_data_schema_text)(system->model, stdout);
    return SW_EXIT_GOOD;
  }
  if (settings->given) {
    return print_given(system);
  }
  printf("%-20s %s\n%-20s %s\n%-20s %s\n", "model", system->model->name, "title",
         system->model->title, "digest", system->model->digest);
  print_structure(system);
  info_print_parameters(system);
  const int code = print_initial_states(call);
  print_run(&system->model->run);
  print_stepper(call->stepper);
  if (system->model->analysis[0] != '\0') {
    printf("\nanalysis\n%s", system->model->analysis);
  }
  return code;
}

const sw_command sw_command_info = {
    .command = SW_FOR_INFO, .name = "info", .doc = doc, .run = info_with};
