/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/trajectory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "sim_internal.h"

struct sw_trajectory {
  FILE *file;
  int cause;         /* errno of the first failure, 0 before it */
  double *unknown;   /* m NaNs: the multiplier at step 0 */
  double *observed;  /* n_observe */
  double *invariant; /* n_invariant */
  double *residual;  /* m */
};

static void put_number(FILE *file, double x)
{
  if (isnan(x)) { /* printf would tell the sign of a NaN */
    fputs(",nan", file);
  } else {
    fprintf(file, ",%.17g", x);
  }
}

static void put_numbers(FILE *file, const double x[], int n)
{
  for (int i = 0; i < n; i++) {
    put_number(file, x[i]);
  }
}

static void put_names(FILE *file, const sw_system *system, sw_name_kind kind, int n)
{
  char name[SW_NAME_BYTES];
  for (int i = 0; i < n; i++) {
    fprintf(file, ",%s", sw_system_name(system, kind, i, name));
  }
}

static void put_sizes(FILE *file, const sw_system *system)
{
  const sw_loops *loops = system->model->loops;
  for (int i = 0; loops != NULL && i < loops->n_sizes; i++) {
    fprintf(file, "# size %s: %ld\n", loops->size_names[i], sw_looped_sizes(system)[i]);
  }
}

static void put_head(FILE *file, const sw_sim *sim, const sw_trajectory_origin *origin)
{
  const sw_system *system = sim->system;
  const double *k = sw_sim_parameters(sim);
  char name[SW_NAME_BYTES];
  sw_file_metadata(file, "model", system->model->name);
  sw_file_metadata(file, "title", system->model->title);
  sw_file_metadata(file, "digest", system->model->digest);
  put_sizes(file, system);
  sw_file_metadata(file, "method", origin->method);
  sw_file_metadata(file, "base", origin->base);
  fprintf(file, "# step: %.17g\n", origin->step);
  sw_file_metadata(file, "init", origin->init);
  sw_file_metadata(file, "projected", origin->projected ? "yes" : "no");
  for (int i = 0; i < system->nk; i++) {
    fprintf(file, "# parameter %s: %.17g\n", sw_system_name(system, SW_K, i, name), k[i]);
  }
  fputs("step,t", file);
  put_names(file, system, SW_Q, system->nq);
  put_names(file, system, SW_P, system->nq);
  put_names(file, system, SW_OBSERVE, system->n_observe);
  put_names(file, system, SW_INVARIANT, system->n_invariant);
  fputs(",residual_g,residual_hidden\n", file);
}

static void release(sw_trajectory *trajectory)
{
  free(trajectory->unknown);
  free(trajectory->observed);
  free(trajectory->invariant);
  free(trajectory->residual);
  free(trajectory);
}

static double *reals(int n)
{
  return calloc((size_t)n + 1, sizeof(double));
}

static sw_trajectory *allocate(const sw_system *system)
{
  sw_trajectory *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return NULL;
  }
  made->unknown = reals(system->nc);
  made->observed = reals(system->n_observe);
  made->invariant = reals(system->n_invariant);
  made->residual = reals(system->nc);
  if (made->unknown == NULL || made->observed == NULL || made->invariant == NULL ||
      made->residual == NULL) {
    release(made);
    return NULL;
  }
  for (int i = 0; i < system->nc; i++) {
    made->unknown[i] = NAN;
  }
  return made;
}

sw_status sw_trajectory_open(const char *path, const sw_sim *sim,
                             const sw_trajectory_origin *origin, sw_trajectory **trajectory)
{
  *trajectory = NULL;
  sw_trajectory *made = allocate(sim->system);
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  if (made->file == NULL) {
    int cause = errno;
    release(made);
    errno = cause;
    return SW_ERR_IO;
  }
  put_head(made->file, sim, origin);
  *trajectory = made;
  return SW_OK;
}

sw_status sw_trajectory_write(sw_trajectory *trajectory, const sw_sim *sim, long step)
{
  const sw_system *system = sim->system;
  const double *z = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  FILE *file = trajectory->file;
  errno = 0;
  fprintf(file, "%ld", step);
  put_number(file, sw_sim_time(sim));
  put_numbers(file, z, 2 * system->nq);
  if (system->n_observe > 0) {
    system->observe(system, z, k, step == 0 ? trajectory->unknown : sw_sim_lambda(sim),
                    trajectory->observed);
    put_numbers(file, trajectory->observed, system->n_observe);
  }
  if (system->n_invariant > 0) {
    system->invariant(system, z, k, trajectory->invariant);
    put_numbers(file, trajectory->invariant, system->n_invariant);
  }
  if (system->nc > 0) {
    system->constraint(system, z, k, trajectory->residual);
  }
  put_number(file, sw_max_abs((size_t)system->nc, trajectory->residual));
  if (system->nc > 0) {
    system->hidden(system, z, k, trajectory->residual);
  }
  put_number(file, sw_max_abs((size_t)system->nc, trajectory->residual));
  fputc('\n', file);
  return sw_file_check(file, &trajectory->cause);
}

sw_status sw_trajectory_close(sw_trajectory **trajectory, int *cause)
{
  sw_trajectory *closed = *trajectory;
  *cause = 0;
  if (closed == NULL) {
    return SW_OK;
  }
  sw_status status = sw_file_close(closed->file, &closed->cause);
  *cause = closed->cause;
  release(closed);
  *trajectory = NULL;
  return status;
}
