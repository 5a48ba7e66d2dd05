/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variational.h -- what the tests of variational integrators share.
 */
#ifndef TESTS_UNIT_VARIATIONAL_H
#define TESTS_UNIT_VARIATIONAL_H

#include "checks/symplectic.h"
#include "near.h"
#include "reference.h"

extern const sw_model sw_model_spherical_pendulum;
extern const sw_model sw_model_rigid_body;
extern const sw_model sw_model_curved;
extern const sw_model sw_model_cyclotron;
extern const sw_model sw_model_chain;
extern const sw_model sw_model_chain3;

static inline sw_options variational_options(const char *base, const char *base_minus,
                                             const char *adjoint)
{
  sw_options options;

  sw_options_init(&options);
  options.method = "variational";
  options.base = base;
  options.base_minus = base_minus;
  options.adjoint = adjoint;
  return options;
}

static inline sw_sim *variational_sim(const sw_model *model, const sw_options *options)
{
  sw_sim *sim = NULL;

  assert_string_equal(sw_options_objection(model, options), "");
  assert_int_equal(sw_sim_create(model, options, &sim), SW_OK);
  return sim;
}

static inline void variational_run(sw_sim *sim, double h, long steps)
{
  if (sw_sim_run(sim, h, steps, NULL, NULL) != SW_OK) {
    fail_msg("%s", sw_sim_message(sim));
  }
}

/* Where so many steps lead to by the time t; returns the number of entries of z. */
static inline int variational_end(const sw_model *model, const sw_options *options, double t,
                                  long steps, double z[])
{
  sw_sim *sim = variational_sim(model, options);

  const int dim = 2 * (int)sw_sim_nq(sim);

  assert_true(dim <= REFERENCE_MAX);
  variational_run(sim, t / (double)steps, steps);
  memcpy(z, sw_sim_state(sim), (size_t)dim * sizeof *z);
  sw_sim_free(&sim);
  return dim;
}

/* By another method, of order 6 with constraints and without. */
static inline void variational_solve_otherwise(const sw_model *model, double t, double z[])
{
  sw_options options;

  sw_options_init(&options);
  options.method = model->n_constraints > 0 ? "lobatto" : "rattle";
  options.base = model->n_constraints > 0 ? "lobatto-6" : "gauss-6";
  variational_end(model, &options, t, 400, z);
}

/* The slope of the error at t = 0.5 between so many steps and twice as many. */
static inline double variational_slope(const sw_model *model, const sw_options *options, long steps,
                                       const double exact[])
{
  double z[2][REFERENCE_MAX];
  int dim = 0;

  for (int fine = 0; fine < 2; fine++) {
    dim = variational_end(model, options, 0.5, steps << fine, z[fine]);
  }
  return log2(reference_distance(dim, z[0], exact) / reference_distance(dim, z[1], exact));
}

/* How much a step changes the two-form that it keeps. */
static inline double variational_defect(const sw_model *model, const sw_options *options)
{
  enum { N = 4 };
  double V[N * REFERENCE_MAX];
  double DV[N * REFERENCE_MAX];
  double found = NAN;
  sw_sim *sim = variational_sim(model, options);

  for (int i = 0; i < N * REFERENCE_MAX; i++) {
    V[i] = sin(1.0 + 37.0 * (double)i);
  }
  assert_int_equal(sw_symplectic_defect(sim, 0.1, N, V, DV, &found), SW_OK);
  sw_sim_free(&sim);
  return found;
}

#endif
