/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_units.c -- the runtime in other units: the same motion, and with powers of two the same
 * digits.
 *
 * A system is wrapped whose positions, momenta, Hamiltonian and constraints are those of another
 * one times units.  Then the time has the unit uq up/uH, the hidden constraint i ug_i/ut, a
 * multiplier uH/ug_i, and the argument of a fibre flow uq up/ug_i.  Nothing but units is different:
 * what the generator makes of a model in other units is for tests/units.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "all_models.h"
#include "model/numerical_fibre.h"
#include "model/reduced.h"
#include "pairs.h"
#include "sim/sim_internal.h"

enum { steps = 40, draws = 2 };
static const double agreement = 1e-10;

typedef struct {
  sw_system system; /* what the runtime sees */
  sw_system *own;   /* in the units of the model */
  double *z;        /* 2d: scratch, in those units */
  double *lambda;   /* m, or 2d for a direction */
  double unit[2];   /* of positions, momenta */
  double h;         /* of H */
  double *g;        /* m: of the constraints */
} scaled;

static const scaled *of(const sw_system *system)
{
  return (const scaled *)(const void *)system;
}

static double unit(const scaled *s, int i)
{
  return s->unit[i >= s->own->nq];
}

static double time_unit(const scaled *s)
{
  return s->unit[0] * s->unit[1] / s->h;
}

static const double *own_state(const scaled *s, const double z[])
{
  for (int i = 0; i < 2 * s->own->nq; i++)
    s->z[i] = z[i] / unit(s, i);
  return s->z;
}

static void hamiltonian(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->hamiltonian(s->own, own_state(s, z), k, out);
  out[0] *= s->h;
}

static void scale_half(const scaled *s, int half, double out[])
{
  for (int i = 0; i < s->own->nq; i++)
    out[i] *= s->h / s->unit[half];
}

static void hamiltonian_grad(const sw_system *system, const double z[], const double k[],
                             double out[])
{
  const scaled *s = of(system);

  s->own->hamiltonian_grad(s->own, own_state(s, z), k, out);
  scale_half(s, 0, out);
  scale_half(s, 1, out + s->own->nq);
}

static void hamiltonian_grad_q(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  const scaled *s = of(system);

  s->own->hamiltonian_grad_q(s->own, own_state(s, z), k, out);
  scale_half(s, 0, out);
}

static void hamiltonian_grad_p(const sw_system *system, const double z[], const double k[],
                               double out[])
{
  const scaled *s = of(system);

  s->own->hamiltonian_grad_p(s->own, own_state(s, z), k, out);
  scale_half(s, 1, out);
}

/* Entries of second derivatives. */
static void divide_both(const scaled *s, const sw_pattern *pattern, double factor, double out[])
{
  for (int e = 0; e < pattern->entries; e++)
    out[e] *= factor / unit(s, pattern->row[e]) / unit(s, pattern->col[e]);
}

static void hamiltonian_hess(const sw_system *system, const double z[], const double k[],
                             double out[])
{
  const scaled *s = of(system);

  s->own->hamiltonian_hess(s->own, own_state(s, z), k, out);
  divide_both(s, &s->own->hamiltonian_hess_pattern, s->h, out);
}

/* Values of the constraints, or, over the unit of time, of the hidden ones. */
static void scale_values(const scaled *s, double over, double out[])
{
  for (int i = 0; i < s->own->nc; i++)
    out[i] *= s->g[i] / over;
}

static void scale_jac(const scaled *s, const sw_pattern *pattern, double over, double out[])
{
  for (int e = 0; e < pattern->entries; e++)
    out[e] *= s->g[pattern->row[e]] / over / unit(s, pattern->col[e]);
}

static void constraint(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->constraint(s->own, own_state(s, z), k, out);
  scale_values(s, 1.0, out);
}

static void constraint_scale(const sw_system *system, const double z[], const double k[],
                             double out[])
{
  const scaled *s = of(system);

  s->own->constraint_scale(s->own, own_state(s, z), k, out);
  scale_values(s, 1.0, out);
}

static void constraint_jac(const sw_system *system, const double z[], const double k[],
                           double out[])
{
  const scaled *s = of(system);

  s->own->constraint_jac(s->own, own_state(s, z), k, out);
  scale_jac(s, &s->own->constraint_jac_pattern, 1.0, out);
}

static void constraint_hess(const sw_system *system, const double z[], const double k[],
                            const double lambda[], double out[])
{
  const scaled *s = of(system);

  for (int i = 0; i < s->own->nc; i++)
    s->lambda[i] = lambda[i] * s->g[i];
  s->own->constraint_hess(s->own, own_state(s, z), k, s->lambda, out);
  divide_both(s, &s->own->constraint_hess_pattern, 1.0, out);
}

static void constraint_jac_along(const sw_system *system, const double z[], const double k[],
                                 const double v[], double out[])
{
  const scaled *s = of(system);

  for (int i = 0; i < 2 * s->own->nq; i++)
    s->lambda[i] = v[i] / unit(s, i);
  s->own->constraint_jac_along(s->own, own_state(s, z), k, s->lambda, out);
  scale_jac(s, &s->own->constraint_jac_pattern, 1.0, out);
}

static void hidden(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->hidden(s->own, own_state(s, z), k, out);
  scale_values(s, time_unit(s), out);
}

static void hidden_scale(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->hidden_scale(s->own, own_state(s, z), k, out);
  scale_values(s, time_unit(s), out);
}

static void hidden_jac(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->hidden_jac(s->own, own_state(s, z), k, out);
  scale_jac(s, &s->own->hidden_jac_pattern, time_unit(s), out);
}

/* Brackets with constraint j, whose left side has the unit of constraint i, over that of time for
 * N. */
static void scale_brackets(const scaled *s, const sw_pattern *pattern, double over, double out[])
{
  for (int e = 0; e < pattern->entries; e++)
    out[e] *= s->g[pattern->row[e]] / over * (s->g[pattern->col[e]] / s->unit[0] / s->unit[1]);
}

static void coisotropy(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->coisotropy(s->own, own_state(s, z), k, out);
  scale_brackets(s, &s->own->coisotropy_pattern, 1.0, out);
}

static void nondegeneracy(const sw_system *system, const double z[], const double k[], double out[])
{
  const scaled *s = of(system);

  s->own->nondegeneracy(s->own, own_state(s, z), k, out);
  scale_brackets(s, &s->own->nondegeneracy_pattern, time_unit(s), out);
}

static const double *own_argument(const scaled *s, const double lambda[])
{
  for (int i = 0; i < s->own->nc; i++)
    s->lambda[i] = lambda[i] * s->g[i] / s->unit[0] / s->unit[1];
  return s->lambda;
}

static void fibre_flow(const sw_system *system, const double z[], const double k[],
                       const double lambda[], double out[])
{
  const scaled *s = of(system);

  s->own->fibre_flow(s->own, own_state(s, z), k, own_argument(s, lambda), out);
  for (int i = 0; i < 2 * s->own->nq; i++)
    out[i] *= unit(s, i);
}

static void fibre_flow_lambda(const sw_system *system, const double z[], const double k[],
                              const double lambda[], double out[])
{
  const scaled *s = of(system);
  const sw_pattern *pattern = &s->own->fibre_flow_lambda_pattern;

  s->own->fibre_flow_lambda(s->own, own_state(s, z), k, own_argument(s, lambda), out);
  for (int e = 0; e < pattern->entries; e++)
    out[e] *= unit(s, pattern->row[e]) * (s->g[pattern->col[e]] / s->unit[0] / s->unit[1]);
}

static void fibre_flow_z(const sw_system *system, const double z[], const double k[],
                         const double lambda[], double out[])
{
  const scaled *s = of(system);
  const sw_pattern *pattern = &s->own->fibre_flow_z_pattern;

  s->own->fibre_flow_z(s->own, own_state(s, z), k, own_argument(s, lambda), out);
  for (int e = 0; e < pattern->entries; e++)
    out[e] *= unit(s, pattern->row[e]) / unit(s, pattern->col[e]);
}

static void wrap(scaled *s)
{
  const sw_system *own = s->own;
  sw_system *system = &s->system;

  *system = *own;
  system->hamiltonian = hamiltonian;
  system->hamiltonian_grad = hamiltonian_grad;
  system->hamiltonian_grad_q = own->hamiltonian_grad_q ? hamiltonian_grad_q : NULL;
  system->hamiltonian_grad_p = own->hamiltonian_grad_p ? hamiltonian_grad_p : NULL;
  system->hamiltonian_hess = hamiltonian_hess;
  if (own->nc == 0)
    return;
  system->constraint = constraint;
  system->constraint_scale = constraint_scale;
  system->constraint_jac = constraint_jac;
  system->constraint_hess = constraint_hess;
  system->constraint_jac_along = own->constraint_jac_along ? constraint_jac_along : NULL;
  system->hidden = hidden;
  system->hidden_scale = hidden_scale;
  system->hidden_jac = hidden_jac;
  system->coisotropy = coisotropy;
  system->nondegeneracy = nondegeneracy;
  system->fibre_flow = fibre_flow;
  system->fibre_flow_lambda = fibre_flow_lambda;
  system->fibre_flow_z = fibre_flow_z;
  if (own->fibre) {
    /* A flow of its own, of the constraints in these units. */
    system->fibre = NULL;
    system->fibre_flow_lambda_pattern = own->fibre->replaced_by_lambda;
    system->fibre_flow_z_pattern = own->fibre->replaced_by_z;
    assert_int_equal(sw_fibre_install(system), SW_OK);
  }
}

static void open_scaled(scaled *s, sw_system *own)
{
  const size_t dim = 2 * (size_t)own->nq;
  const size_t m = (size_t)own->nc;

  *s = (scaled){.own = own,
                .z = calloc(dim, sizeof(double)),
                .lambda = calloc(dim + m, sizeof(double)),
                .g = calloc(m + 1, sizeof(double))};
  assert_true(s->z && s->lambda && s->g);
}

static void close_scaled(scaled *s)
{
  if (s->own->fibre)
    sw_fibre_remove(&s->system);
  free(s->z);
  free(s->lambda);
  free(s->g);
}

/* Between 1e-30 and 1e30, evenly in the logarithm. */
static double draw(uint64_t *seed, int exact)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  const double x = 2.0 * ((double)(*seed >> 11) / 9007199254740992.0) - 1.0;

  return exact ? ldexp(1.0, (int)(99.0 * x)) : pow(10.0, 30.0 * x);
}

static void draw_units(scaled *s, uint64_t *seed, int exact)
{
  s->unit[0] = draw(seed, exact);
  s->unit[1] = draw(seed, exact);
  s->h = draw(seed, exact);
  for (int i = 0; i < s->own->nc; i++)
    s->g[i] = draw(seed, exact);
}

/* Both after the same steps, the last of which may have failed. */
static void compare(const scaled *s, sw_sim *a, sw_sim *b, int exact, const char *what, int step)
{
  const int d = s->own->nq;
  const double *sizes[] = {&a->state.known.extent.q, &a->state.known.extent.p};

  for (int i = 0; i < 2 * d; i++) {
    const double expected = a->state.z[i] * unit(s, i);
    const double allowed = exact ? 0.0 : agreement * *sizes[i >= d] * unit(s, i);
    if (!(fabs(b->state.z[i] - expected) <= allowed))
      fail_msg("%s, step %d: entry %d is %.17g and not %.17g", what, step, i, b->state.z[i],
               expected);
  }
  for (int i = 0; i < s->own->nc && exact; i++) {
    if (b->state.lambda[i] != a->state.lambda[i] * (s->h / s->g[i]))
      fail_msg("%s, step %d: multiplier %d is %.17g and not %.17g", what, step, i,
               b->state.lambda[i], a->state.lambda[i] * (s->h / s->g[i]));
  }
}

/* A search that flies off may also end where a function overflows; a step of the usual size has no
 * such excuse. */
static int fails_to_converge(sw_status status, int too_large)
{
  return status == SW_ERR_NOT_CONVERGED || status == SW_ERR_SINGULAR ||
         (too_large && status == SW_ERR_NOT_FINITE);
}

/* Steps of h, and in the end one that is too large, which has to fail in the same way. */
static void run_both(scaled *s, const sw_options *options, sw_sim *a, double h, int exact,
                     const char *what)
{
  sw_sim *b = NULL;
  const int dim = 2 * s->own->nq;
  double *z = calloc((size_t)dim, sizeof *z);

  assert_non_null(z);
  assert_int_equal(sw_sim_create_on(&s->system, options, &b), SW_OK);
  for (int i = 0; i < dim; i++)
    z[i] = a->state.z[i] * unit(s, i);
  assert_int_equal(sw_sim_set_state(b, 0.0, z), SW_OK);
  for (int n = 1; n <= steps + 2; n++) {
    const double size = n <= steps ? h : n == steps + 1 ? 30.0 * h : 1e3 * h;
    if (n > steps && is_slow(&(shipped){.model = s->own->model}))
      break;
    const sw_status expected = sw_sim_step(a, size);
    const sw_status found = sw_sim_step(b, size * time_unit(s));
    /* Where no solve converges, round-off decides how it ends. */
    const int alike =
        !exact && fails_to_converge(found, n > steps) && fails_to_converge(expected, n > steps);
    /* The same is true of whether the end of a step that is much too large is on M to round-off:
     * over rk4 it goes with h^4. */
    if (!exact && n > steps && found == SW_ERR_LEFT_M && expected == SW_OK &&
        b->failure.relative <= 10.0 * b->failure.limit)
      break;
    if (found != expected && !alike)
      fail_msg("%s, step %d: %s (%s) and not %s (%s)", what, n, sw_status_name(found),
               sw_sim_message(b), sw_status_name(expected), sw_sim_message(a));
    compare(s, a, b, exact, what, n);
  }
  assert_true(a->stats.steps >= steps);
  free(z);
  sw_sim_free(&b);
}

/* The system that simulations of the model have: without the constraints that `redundant` leaves
 * out.  A reduced system calls functions of a system of its own, so it is what is wrapped. */
static sw_system *open_own(const shipped *m, const char *redundant)
{
  sw_system *whole = NULL;
  sw_system *reduced = NULL;

  assert_int_equal(sw_system_create(m->model, m->n_sizes, m->sizes, &whole, NULL), SW_OK);
  if (!sw_has_follower(m->model) || strcmp(redundant, "drop") != 0)
    return whole;
  assert_int_equal(sw_system_reduce(whole, &reduced), SW_OK);
  sw_system_free(&whole);
  return reduced;
}

static void check(int model, const char *method, const char *base, int exact, uint64_t *seed)
{
  const shipped *m = model_number(model);
  sw_options options;
  scaled s;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.redundant = redundant_number(model);
  sw_system *own = open_own(m, options.redundant);
  open_scaled(&s, own);
  for (int n = 0; n < draws; n++) {
    char what[240];
    sw_sim *a = open_model(m, method, base, options.redundant);
    draw_units(&s, seed, exact);
    wrap(&s);
    snprintf(what, sizeof what, "%s %s %s %s, units %g %g %g", m->model->name, method, base,
             options.redundant, s.unit[0], s.unit[1], s.h);
    start_model(a, m->h, what);
    assert_int_equal(sw_sim_set_state(a, 0.0, a->state.z), SW_OK); /* both begin here */
    run_both(&s, &options, a, 0.5 * m->h, exact, what);
    sw_sim_free(&a);
    if (own->fibre)
      sw_fibre_remove(&s.system);
  }
  s.system.fibre = NULL;
  close_scaled(&s);
  sw_system_free(&own);
}

/* Parts of H are read off the model; models that have them are compared by tests/units.  The tests
 * of the methods that need accelerations or discrete gradients have other units of their own. */
static int is_wrapped(const sw_model *model, const char *base)
{
  return (model->n_parts == 0 || strcmp(base, SW_SPLITTING) != 0) && !model->acceleration &&
         !model->discrete_grad;
}

static void powers_of_two_change_no_digit(void **state)
{
  uint64_t seed = 2;

  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++)
    for (const char *const *base = bases_and_none; *base; base++)
      for (int i = 0; i < n_models; i++)
        if (is_wrapped(model_number(i)->model, *base) && sweep_takes(i, *method, *base))
          check(i, *method, *base, 1, &seed);
}

static void units_change_no_motion(void **state)
{
  uint64_t seed = 3;

  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++)
    for (const char *const *base = bases_and_none; *base; base++)
      for (int i = 0; i < n_models; i++)
        if (is_wrapped(model_number(i)->model, *base) && sweep_takes(i, *method, *base))
          check(i, *method, *base, 0, &seed);
}

int main(int argc, char **argv)
{
  (void)argv;
  whole_sweep = argc > 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powers_of_two_change_no_digit),
      cmocka_unit_test(units_change_no_motion),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
