/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/values_file.h"
#include "sim/sim_internal.h"

/* "WHAT by 0.02 (5 % of 0.4)". */
static int put_part(char *text, size_t room, const char *what, double moved, double size)
{
  return size > 0.0
             ? snprintf(text, room, "%s by %.3g (%.3g %% of %.3g)", what, moved,
                        100.0 * moved / size, size)
             : snprintf(text, room, "%s by %.3g%s", what, moved, moved > 0.0 ? " (from 0)" : "");
}

void sw_moved_text(const sw_settings *settings, const sw_moved *moved, char text[SW_MOVED_TEXT])
{
  text[0] = '\0';
  if (settings->project) {
    int used = put_part(text, SW_MOVED_TEXT, "moves positions", moved->q, moved->size_q);
    put_part(text + used, SW_MOVED_TEXT - (size_t)used, ", momenta", moved->p, moved->size_p);
  }
}

void sw_moved_print(const sw_settings *settings, const sw_moved *moved, FILE *stream)
{
  char text[SW_MOVED_TEXT];
  sw_moved_text(settings, moved, text);
  if (text[0] != '\0') {
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
                         isnan(z[i]) ? ", or no line of it sets that at these sizes" : "");
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

/* Refuses a state where the energy is not a number: nothing that would be said about a run from there would
 * mean anything. */
static int check_energy(const sw_invocation *call, const sw_settings *settings, const sw_sim *sim)
{
  sw_system *system = settings->system;
  double energy = NAN;
  system->hamiltonian(system, sw_sim_state(sim), sw_sim_parameters(sim), &energy);
  if (isfinite(energy)) {
    return SW_EXIT_GOOD;
  }
  const sw_sizes size = sw_sizes_of(system, sw_sim_state(sim));
  return sw_complain(
      call, SW_EXIT_USAGE,
      "H is %s in the initial state '%.100s' with these parameters, where the largest "
      "|q| is %.6g and the largest |p| is %.6g; give another state or others",
      isnan(energy)  ? "nan"
      : energy > 0.0 ? "inf"
                     : "-inf",
      sw_settings_start(settings), size.q, size.p);
}

static int project(const sw_invocation *call, const sw_settings *settings, sw_sim *sim,
                   sw_moved *moved)
{
  char text[SW_MOVED_TEXT];
  sw_status status = sw_sim_project(sim);
  if (status != SW_OK) {
    return sw_program_refuse(call, sim, status);
  }
  *moved = sim->moved;
  const double part =
      fmax(sw_moved_part(moved->q, moved->size_q), sw_moved_part(moved->p, moved->size_p));
  if (part <= settings->most_moved) {
    return SW_EXIT_GOOD;
  }
  sw_moved_text(settings, moved, text);
  return sw_complain(
      call, SW_EXIT_USAGE,
      "the initial state '%.100s' is far from the constraint manifold: its projection "
      "%s, more than %.3g %%; give a nearer state, or allow it with --project=%.2g",
      sw_settings_start(settings), text, 100.0 * settings->most_moved, 1.1 * part);
}

int sw_start_create(const sw_invocation *call, const sw_settings *settings, sw_sim **sim)
{
  sw_status status = sw_sim_create_on(settings->system, &settings->options, sim);
  if (status == SW_OK) {
    status = sw_sim_set_parameters(*sim, settings->k);
  }
  if (status == SW_OK) {
    return SW_EXIT_GOOD;
  }
  /* Other options have been looked at before. */
  const int is_unfused = status == SW_ERR_OPTION && strcmp(settings->options.solver, "fused") == 0;
  int code = is_unfused ? sw_complain(call, SW_EXIT_USAGE, "--solver fused: %s", sw_no_clusters)
                        : sw_program_refuse(call, *sim, status);
  sw_sim_free(sim);
  return code;
}

static int start_at(const sw_invocation *call, const sw_settings *settings, const double z[],
                    sw_sim *sim, sw_moved *moved)
{
  int code = SW_EXIT_GOOD;
  sw_status status = sw_sim_set_state(sim, 0.0, z);
  if (status != SW_OK) {
    return sw_program_refuse(call, sim, status);
  }
  if (settings->project) {
    code = project(call, settings, sim, moved);
  }
  return code == SW_EXIT_GOOD ? check_energy(call, settings, sim) : code;
}

int sw_start(const sw_invocation *call, const sw_settings *settings, sw_sim **sim, sw_moved *moved)
{
  *moved = (sw_moved){0.0, 0.0, 0.0, 0.0};
  *sim = NULL;
  double *z = calloc(2 * (size_t)settings->system->nq, sizeof *z);
  if (z == NULL) {
    return sw_out_of_memory(call);
  }
  int code = sw_start_state(call, settings, z);
  if (code == SW_EXIT_GOOD) {
    code = sw_start_create(call, settings, sim);
  }
  if (code == SW_EXIT_GOOD) {
    code = start_at(call, settings, z, *sim, moved);
  }
  if (code != SW_EXIT_GOOD) {
    sw_sim_free(sim);
  }
  free(z);
  return code;
}
