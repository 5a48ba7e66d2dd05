/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/values_file.h"
#include "sim/sim_internal.h"

void sw_moved_print(const sw_settings *settings, const sw_moved *moved, FILE *stream)
{
  char text[SW_MOVED_TEXT];
  if (settings->project) {
    sw_moved_text(moved, text);
    fprintf(stream, "projection     %s\n", text);
  }
}

int sw_start_check(const sw_invocation *call, const sw_system *system, int init, const double z[])
{
  const int d = system->nq;
  char name[SW_NAME_BYTES];
  for (int i = 0; i < 2 * d; i++) {
    if (!isfinite(z[i])) {
      return sw_complain(call, SW_EXIT_USAGE,
                         "%s is not finite in the initial state '%.100s' with these parameters%s",
                         sw_system_name(system, i < d ? SW_Q : SW_P, i < d ? i : i - d, name),
                         sw_system_init_name(system, init),
                         isnan(z[i]) ? ", or no line of it sets that entry at these sizes" : "");
    }
  }
  return SW_EXIT_GOOD;
}

int sw_start_state(const sw_invocation *call, const sw_settings *settings, double z[])
{
  char message[SW_TEXT_MESSAGE];
  if (settings->init_file != NULL) {
    const sw_entries wanted = sw_entries_of_state(settings->system);
    sw_status status = sw_values_read(settings->init_file, &wanted, z, message);
    return sw_file_exit_code(call, "init-file", message, status);
  }
  sw_system_init(settings->system, settings->init, settings->k, z);
  return sw_start_check(call, settings->system, settings->init, z);
}

/* 1 if H is finite after entry i is replaced by `value`. */
static int is_finite_at(const sw_settings *settings, const sw_sim *sim, double z[], int i,
                        double value)
{
  sw_system *system = settings->system;
  const double kept = z[i];
  double energy = NAN;
  z[i] = value;
  system->hamiltonian(system, z, sw_sim_parameters(sim), &energy);
  z[i] = kept;
  return isfinite(energy);
}

/* The first entry of z whose change makes H finite; 2d if there is none.  Tries small changes
 * first, then large ones. */
static int find_cause(const sw_settings *settings, const sw_sim *sim, double z[])
{
  static const double factors[] = {1.0 + 1e-6, 1.0, 0.5, 0.1, 0.0, -1.0, 2.0};
  static const double shifts[] = {0.0, 1e-6, 0.0, 0.0, 0.0, 0.0, 1.0};
  const int dim = 2 * settings->system->nq;
  for (size_t way = 0; way < sizeof factors / sizeof *factors; way++) {
    for (int i = 0; i < dim; i++) {
      if (is_finite_at(settings, sim, z, i, factors[way] * z[i] + shifts[way])) {
        return i;
      }
    }
  }
  return dim;
}

/* 1 if an entry of H_pp is not finite at z, for an H_pp that depends only on the positions. */
static int mass_is_singular(sw_system *system, const sw_sim *sim, const double z[])
{
  const sw_pattern *pattern = &system->hamiltonian_hess_pattern;
  int singular = 0;
  if (!system->model->structure.mass_watch || system->is_lean) {
    return 0;
  }
  double *hess = calloc((size_t)pattern->entries + 1, sizeof *hess);
  if (hess != NULL) {
    system->hamiltonian_hess(system, z, sw_sim_parameters(sim), hess);
  }
  for (int e = 0; hess != NULL && e < pattern->entries; e++) {
    singular |=
        pattern->row[e] >= system->nq && pattern->col[e] >= system->nq && !isfinite(hess[e]);
  }
  free(hess);
  return singular;
}

/* Writes why H is not finite at z: the entry of z, and the function in H that is undefined there.
 * "" if unknown. */
static void name_cause(const sw_invocation *call, const sw_settings *settings, const sw_sim *sim,
                       double z[], char text[SW_TEXT_MESSAGE])
{
  const int d = settings->system->nq;
  const int i = find_cause(settings, sim, z);
  const sw_partial_function *f = call->program != NULL ? call->program->partial : NULL;
  char name[SW_NAME_BYTES];
  char between[SW_NAME_BYTES + 2];
  text[0] = '\0';
  if (i == 2 * d) {
    return;
  }
  sw_system_name(settings->system, i < d ? SW_Q : SW_P, i % d, name);
  snprintf(between, sizeof between, " %s ", name);
  while (f != NULL && f->text != NULL && strstr(f->reads, between) == NULL) {
    f++;
  }
  const int known = f != NULL && f->text != NULL;
  snprintf(text, SW_TEXT_MESSAGE, ", because of %.100s%s%.60s = %.6g%s", known ? f->text : "",
           known ? " at " : "", name, z[i],
           mass_is_singular(settings->system, sim, z) ? " (the mass matrix is singular there)"
                                                      : "");
}

/* Rejects a state with an energy that is not finite, because no result of a run from it would be
 * meaningful. */
static int check_energy(const sw_invocation *call, const sw_settings *settings, const sw_sim *sim)
{
  sw_system *system = settings->system;
  double energy = NAN;
  system->hamiltonian(system, sw_sim_state(sim), sw_sim_parameters(sim), &energy);
  if (isfinite(energy)) {
    return SW_EXIT_GOOD;
  }
  const sw_sizes size = sw_sizes_of(system, sw_sim_state(sim));
  char why[SW_TEXT_MESSAGE] = "";
  double *z = calloc(2 * (size_t)system->nq, sizeof *z);
  if (z != NULL) {
    sw_copy(z, sw_sim_state(sim), 2 * (size_t)system->nq);
    name_cause(call, settings, sim, z, why);
  }
  free(z);
  return sw_complain(
      call, SW_EXIT_USAGE,
      "H is %s in the initial state '%.100s' with these parameters%s; the largest |q| is %.6g and "
      "the largest |p| is %.6g; use another state or other parameters",
      isnan(energy)  ? "nan"
      : energy > 0.0 ? "inf"
                     : "-inf",
      sw_settings_start(settings), why, size.q, size.p);
}

static int start_project(const sw_invocation *call, const sw_settings *settings, sw_sim *sim,
                         sw_moved *moved)
{
  char text[SW_MOVED_TEXT];
  const sw_status status = sw_sim_project_within(sim, settings->most_moved);
  *moved = sim->moved;
  if (status != SW_ERR_OFF_M) {
    return status == SW_OK ? SW_EXIT_GOOD : sw_program_refuse(call, sim, status);
  }
  sw_moved_text(moved, text);
  return sw_complain(
      call, SW_EXIT_USAGE,
      "the initial state '%.100s' is far from the constraint manifold: its projection "
      "%s, more than %.3g %%; give a nearer state, or allow it with --project=%.2g",
      sw_settings_start(settings), text, 100.0 * settings->most_moved, 1.1 * sw_moved_part(moved));
}

int sw_start_create(const sw_invocation *call, const sw_settings *settings, sw_sim **sim)
{
  sw_status status = sw_sim_create_on(settings->system, &settings->options, sim);
  if (status == SW_OK) {
    status = sw_sim_set_parameters(*sim, settings->k);
  }
  if (status == SW_OK && sw_settings_have_noise(settings)) {
    status = sw_sim_set_seed(*sim, sw_settings_seed(settings), 0);
  }
  if (status == SW_OK) {
    return SW_EXIT_GOOD;
  }
  /* Other options have already been checked. */
  const int is_unfused = status == SW_ERR_OPTION && strcmp(settings->options.solver, "fused") == 0;
  int code = is_unfused ? sw_complain(call, SW_EXIT_USAGE, "--solver fused: %s", sw_no_clusters)
                        : sw_program_refuse(call, *sim, status);
  sw_sim_free(sim);
  return code;
}

static int start_start_at(const sw_invocation *call, const sw_settings *settings, const double z[],
                          sw_sim *sim, sw_moved *moved)
{
  int code = SW_EXIT_GOOD;
  sw_status status = sw_sim_set_state(sim, 0.0, z);
  if (status != SW_OK) {
    return sw_program_refuse(call, sim, status);
  }
  if (settings->project) {
    code = start_project(call, settings, sim, moved);
  }
  return code == SW_EXIT_GOOD ? check_energy(call, settings, sim) : code;
}

/* Restores the data that a state file has in addition to z. */
static int add_contents(const sw_invocation *call, const sw_settings *settings, const double z[],
                        sw_contents contents, sw_sim *sim)
{
  const size_t dim = 2 * (size_t)settings->system->nq;
  const int carries = contents == SW_CONTENTS_CARRY;
  if (contents == SW_CONTENTS_STATE) {
    return SW_EXIT_GOOD;
  }
  if (settings->project) {
    return sw_complain(
        call, SW_EXIT_USAGE,
        "--project: %s has %s; it is not moved, because the next step depends on all of it",
        settings->init_file, sw_contents_words(contents));
  }
  double *saved = calloc(sw_sim_saved_count(sim), sizeof *saved);
  if (saved == NULL) {
    return sw_out_of_memory(call);
  }
  sw_sim_save(sim, saved);
  double *more =
      saved + sw_sim_saved_count(sim) - (carries || contents == SW_CONTENTS_BDF2 ? dim : 0);
  if (contents != SW_CONTENTS_LEAPFROG) {
    sw_copy(more, z + dim, dim);
  }
  saved[SW_SAVED_H] = carries ? 0.0 : z[contents == SW_CONTENTS_LEAPFROG ? dim : 2 * dim];
  const sw_status status = sw_sim_restore(sim, saved);
  free(saved);
  return status == SW_OK ? SW_EXIT_GOOD : sw_program_refuse(call, sim, status);
}

static int read_state(const sw_invocation *call, const sw_settings *settings, const sw_sim *sim,
                      double z[], sw_contents *contents)
{
  char message[SW_TEXT_MESSAGE];
  *contents = SW_CONTENTS_STATE;
  if (settings->init_file == NULL) {
    return sw_start_state(call, settings, z);
  }
  const sw_status status = sw_values_read_state(settings->init_file, sim, z, contents, message);
  return sw_file_exit_code(call, "init-file", message, status);
}

int sw_start(const sw_invocation *call, const sw_settings *settings, sw_sim **sim, sw_moved *moved)
{
  sw_contents contents = SW_CONTENTS_STATE;
  *moved = (sw_moved){0.0, 0.0, 0.0, 0.0};
  *sim = NULL;
  double *z = calloc(4 * (size_t)settings->system->nq + 1, sizeof *z);
  if (z == NULL) {
    return sw_out_of_memory(call);
  }
  int code = sw_start_create(call, settings, sim);
  if (code == SW_EXIT_GOOD) {
    code = read_state(call, settings, *sim, z, &contents);
  }
  if (code == SW_EXIT_GOOD) {
    code = start_start_at(call, settings, z, *sim, moved);
  }
  if (code == SW_EXIT_GOOD) {
    code = add_contents(call, settings, z, contents, *sim);
  }
  if (code != SW_EXIT_GOOD) {
    sw_sim_free(sim);
  }
  free(z);
  return code;
}
