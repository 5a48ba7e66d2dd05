/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starts.c -- initial states of a hanging chain, a coiled chain and rigid water, and their text
 * form for other programs.
 */
#include "starts.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_hand_parameters.h"
#include "chain.h"
#include "water_box.h"

const large larges[] = {
    {"chain 100",
     &sw_model_chain,
     "N",
     100,
     NULL,
     "gravity",
     0,
     0.064 / 100,
     2000,
     NULL,
     {NULL, NULL}},
    {"chain 1000",
     &sw_model_chain,
     "N",
     1000,
     NULL,
     "gravity",
     0,
     0.064 / 1000,
     200,
     NULL,
     {NULL, NULL}},
    {"coil 1000",
     &sw_model_chain,
     "N",
     1000,
     NULL,
     "gravity",
     1,
     0.064 / 1000,
     200,
     NULL,
     {NULL, NULL}},
    {"water 1000",
     &sw_model_water_box,
     "W",
     1000,
     "forces",
     "well",
     0,
     1e-3,
     200,
     &sw_stepper_water_box,
     {&sw_stepper_water_box_4, &sw_stepper_water_box_8}},
    {.name = NULL},
};

void must(int good, const char *subject, const char *what)
{
  if (!good) {
    fprintf(stderr, "%s: %s\n", subject, what);
    exit(3);
  }
}

/* In [-1, 1), from a linear congruential generator (D. E. Knuth's MMIX). */
static double next_random(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return ldexp((double)(*seed >> 11), -52) - 1.0;
}

/* Replaces u by a unit vector at the angle of a polymer's links, rotated about u by a random
 * angle. */
static void turn_link(double u[3], uint64_t *seed)
{
  const int least = fabs(u[0]) < fabs(u[1]) ? 0 : 1;
  double across[3];
  double size = 0.0;

  for (int k = 0; k < 3; k++) {
    across[k] = (k == least) - u[least] * u[k];
    size += across[k] * across[k];
  }
  const double angle = M_PI * next_random(seed);
  const double c = cos(angle) / sqrt(size);
  const double s = sin(angle) / sqrt(size);
  const double to[3] = {across[0] * c + (u[1] * across[2] - u[2] * across[1]) * s,
                        across[1] * c + (u[2] * across[0] - u[0] * across[2]) * s,
                        across[2] * c + (u[0] * across[1] - u[1] * across[0]) * s};
  for (int k = 0; k < 3; k++) {
    u[k] = u[k] / 3.0 + sqrt(8.0 / 9.0) * to[k];
  }
}

/* Nodes move by about 0.007 of a link per step, as in a polymer with steps of 2 fs. */
static void coil(sw_sim *sim, const large *l)
{
  const double a = 1.0 / (double)(l->size - 1);
  const size_t d = 3 * (size_t)l->size;
  double *z = calloc(2 * d, sizeof *z);
  double u[3] = {0.0, 0.0, 1.0};
  uint64_t seed = 1;

  must(z != NULL, l->name, "no memory");
  for (size_t i = 3; i < d; i += 3) {
    for (size_t k = 0; k < 3; k++) {
      z[i + k] = z[i + k - 3] + a * u[k];
      z[d + i + k] = sw_sim_parameters(sim)[i / 3] * 0.007 * a / l->h * next_random(&seed);
    }
    turn_link(u, &seed);
  }
  must(sw_sim_set_state(sim, 0.0, z) == SW_OK && sw_sim_project(sim) == SW_OK, l->name,
       sw_sim_message(sim));
  free(z);
}

sw_sim *start_large(const large *l, const sw_stepper *stepper)
{
  const sw_stepper *const lanes[] = {stepper, NULL};
  const sw_size sizes[] = {{.name = l->size_name, .value = l->size}, {.name = l->zero, .value = 0}};
  sw_sim *sim = NULL;
  sw_options options;

  sw_options_init(&options);
  options.base = "verlet";
  options.stepper = stepper != NULL ? l->stepper : NULL;
  options.lanes = stepper != l->stepper ? lanes : NULL;
  options.n_sizes = l->zero != NULL ? 2 : 1;
  options.sizes = sizes;
  must(sw_sim_create(l->model, &options, &sim) == SW_OK, l->name, "no simulation");
  const size_t nk = (size_t)sw_sim_nk(sim);
  const int zero = parameter_index(sim, l->zero_force);
  double *k = malloc(nk * sizeof *k);
  must(k != NULL && zero >= 0, l->name, "no memory, or a parameter is missing");
  memcpy(k, sw_sim_parameters(sim), nk * sizeof *k);
  k[zero] = 0.0;
  must(sw_sim_set_parameters(sim, k) == SW_OK, l->name, "a parameter is refused");
  free(k);
  if (l->coil) {
    coil(sim, l);
  }
  return sim;
}

/* Sets the nodes of each bond: consecutive nodes of a chain, or O-H1, O-H2, H1-H2.  Returns the
 * number of bonds. */
static long bonds(const large *l, int (*bond)[2])
{
  static const int triangle[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  const long n = l->model == &sw_model_chain ? l->size - 1 : 3 * l->size;

  for (long b = 0; b < n && bond != NULL; b++) {
    for (int end = 0; end < 2; end++) {
      bond[b][end] =
          l->model == &sw_model_chain ? (int)b + end : 3 * (int)(b / 3) + triangle[b % 3][end];
    }
  }
  return n;
}

static double mass(const large *l, const sw_sim *sim, int node)
{
  return l->model == &sw_model_chain
             ? sw_sim_parameters(sim)[node]
             : sw_sim_parameters(sim)[parameter_index(sim, "m.O") + node % 3];
}

double shortest_bond2(const large *l)
{
  return l->model == &sw_model_chain ? 1.0 / ((double)(l->size - 1) * (double)(l->size - 1)) : 0.01;
}

/* ---- initial states for other programs ---- */

static void write_nodes(FILE *file, const large *l, const sw_sim *sim)
{
  const double *q = sw_sim_state(sim);
  const double *p = q + sw_sim_nq(sim);

  for (int i = 0; i < sw_sim_nq(sim) / 3; i++) {
    const double m = mass(l, sim, i);
    fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", m, q[3 * i], q[3 * i + 1],
            q[3 * i + 2], p[3 * i] / m, p[3 * i + 1] / m, p[3 * i + 2] / m);
  }
}

FILE *create_start(const char *folder, const char *name)
{
  char path[4096];

  snprintf(path, sizeof path, "%s/%s.start", folder, name);
  for (char *c = strrchr(path, '/'); *c != '\0'; c++) {
    *c = *c == ' ' ? '_' : *c;
  }
  FILE *file = fopen(path, "w");
  must(file != NULL, name, "cannot write where it starts");
  return file;
}

void close_start(FILE *file, const char *name)
{
  const int bad = ferror(file);
  must(fclose(file) == 0 && !bad, name, "cannot write where it starts");
}

void write_start(const char *folder, const large *l)
{
  sw_sim *sim = start_large(l, NULL);
  const long n = bonds(l, NULL);
  int(*bond)[2] = malloc((size_t)n * sizeof *bond);
  FILE *file = create_start(folder, l->name);

  must(bond != NULL, l->name, "no memory");
  (void)bonds(l, bond);
  fprintf(file, "%d %ld %.17g %d\n", sw_sim_nq(sim) / 3, n, l->h, check_steps);
  write_nodes(file, l, sim);
  must(sw_sim_run(sim, l->h, check_steps, NULL, NULL) == SW_OK, l->name, sw_sim_message(sim));
  write_nodes(file, l, sim);
  for (long b = 0; b < n; b++) {
    fprintf(file, "%d %d\n", bond[b][0], bond[b][1]);
  }
  close_start(file, l->name);
  free(bond);
  sw_sim_free(&sim);
}
