/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trajectory.c -- steps of a model in a shared object, in numbers that lose no digit.
 *
 * Usage: trajectory LIBRARY MODEL METHOD BASE REDUNDANT START STEP STEPS [SIZE=VALUE ...]
 *
 * START is "init" for the model's first initial state, "project" for that moved to the constraints,
 * and "-" for 2d numbers on standard input.  Prints d, m, and the largest position and momentum of
 * the model's initial state; then for the start and each step the time, the 2d values of the state
 * and the m multipliers, one line each; then the name of the status, "range" where a number has
 * become too large or too small for a double on the way, else "fine", and the message of a failure.
 * Numbers that are not whole are hexadecimal.
 */
#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sidewinder/sim.h"

enum { most_sizes = 8 };

static int print_state(const sw_sim *sim, long step, void *user)
{
  const double *z = sw_sim_state(sim);
  const double *lambda = sw_sim_impulses(sim);

  (void)step;
  (void)user;
  printf("%a", sw_sim_time(sim));
  for (int i = 0; i < 2 * sw_sim_nq(sim); i++)
    printf(" %a", z[i]);
  for (int i = 0; i < sw_sim_nc(sim); i++)
    printf(" %a", lambda[i]);
  putchar('\n');
  return 0;
}

static double largest(int n, const double x[])
{
  double found = 0.0;

  for (int i = 0; i < n; i++)
    found = fmax(found, fabs(x[i]));
  return found;
}

static const sw_model *open_model(const char *library, const char *name)
{
  char symbol[200];
  void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);

  if (!opened) {
    fprintf(stderr, "%s\n", dlerror());
    return NULL;
  }
  snprintf(symbol, sizeof symbol, "sw_model_%s", name);
  return dlsym(opened, symbol);
}

static sw_status start(sw_sim *sim, const char *how)
{
  const size_t dim = 2 * (size_t)sw_sim_nq(sim);

  if (strcmp(how, "project") == 0)
    return sw_sim_project(sim);
  if (strcmp(how, "-") != 0)
    return SW_OK;
  double *z = calloc(dim, sizeof *z);
  char number[64];
  for (size_t i = 0; i < dim && z && scanf("%63s", number) == 1; i++)
    z[i] = strtod(number, NULL);
  const sw_status status = z ? sw_sim_set_state(sim, 0.0, z) : SW_ERR_MEMORY;
  free(z);
  return status;
}

int main(int argc, char **argv)
{
  sw_size sizes[most_sizes];
  sw_options options;
  sw_sim *sim = NULL;

  if (argc < 9 || argc > 9 + most_sizes) {
    fputs(
        "usage: trajectory LIBRARY MODEL METHOD BASE REDUNDANT START STEP STEPS [SIZE=VALUE ...]\n",
        stderr);
    return 2;
  }
  const sw_model *model = open_model(argv[1], argv[2]);
  if (!model)
    return 2;
  sw_options_init(&options);
  options.method = argv[3];
  options.base = argv[4];
  options.redundant = argv[5];
  for (int i = 9; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (!equals)
      return 2;
    *equals = '\0';
    sizes[options.n_sizes++] = (sw_size){.name = argv[i], .value = strtol(equals + 1, NULL, 10)};
  }
  options.sizes = sizes;
  const sw_status created = sw_sim_create(model, &options, &sim);
  if (created != SW_OK) {
    printf("0 0 0 0\n%s\nfine\n", sw_status_name(created));
    return 0;
  }
  const int d = sw_sim_nq(sim);
  const double *z = sw_sim_state(sim);
  printf("%d %d %a %a\n", d, sw_sim_nc(sim), largest(d, z), largest(d, z + d));
  sw_status status = start(sim, argv[6]);
  feclearexcept(FE_ALL_EXCEPT);
  if (status == SW_OK)
    status = sw_sim_run(sim, strtod(argv[7], NULL), strtol(argv[8], NULL, 10), print_state, NULL);
  const char *range = fetestexcept(FE_OVERFLOW | FE_UNDERFLOW) ? "range" : "fine";
  printf("%s\n%s\n%s\n", sw_status_name(status), range, sw_sim_message(sim));
  sw_sim_free(&sim);
  return 0;
}
