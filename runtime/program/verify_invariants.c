/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Invariants: along solutions on M^H, where zdot = X_H + sum_j lambda_j X_{g_j},
 *
 *   dI/dt = {I,H} + sum_j lambda_j {I,g_j} = 0,
 *
 * with the lambda that keeps rho at 0:  0 = drho_i/dt = {rho_i,H} + sum_j N_ij lambda_j.  The {I,g_j} themselves need
 * not be 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/deficient.h"
#include "program/difference.h"
#include "program/verifier.h"

/* What is needed at a point of M^H. */
typedef struct velocity {
  double *value;  /* 2d: zdot */
  double *size;   /* 2d: the magnitudes of its terms */
  double *lambda; /* m */
} velocity;

/* The invariants' gradients, by differences, one column of n_invariant values per entry of z. */
typedef struct invariant_gradients {
  double *size;       /* n_invariant: |I_i| + sum_j |dI_i/dz_j z_j| */
  double *derivative; /* 2d columns */
  double *rounding;   /* 2d columns: what rounding allows each derivative */
} invariant_gradients;

typedef struct invariant_context {
  sw_system *system;
  const double *k;
} invariant_context;

static void evaluate_invariants(void *context, const double z[], double out[])
{
  const invariant_context *at = context;
  sw_verifier_evaluate(at->system, at->system->invariant, z, at->k, out, at->system->n_invariant);
}

/* The size of the terms is not known before the derivatives are, so they are found twice. */
static sw_status differentiate(sw_verifier *v, const double z[], const double k[],
                               invariant_gradients *of)
{
  sw_system *system = v->system;
  size_t rows = (size_t)system->n_invariant;
  invariant_context context = {system, k};
  sw_difference difference = {.evaluate = evaluate_invariants,
                              .context = &context,
                              .rows = system->n_invariant,
                              .cols = v->n,
                              .v = z,
                              .length = v->length};
  double *sum = v->work[0];
  sw_status status = SW_OK;
  memset(of->size, 0, rows * sizeof *of->size);
  for (int pass = 0; pass < 2 && status == SW_OK; pass++) {
    evaluate_invariants(&context, z, sum);
    for (size_t i = 0; i < rows; i++) {
      sum[i] = fabs(sum[i]);
    }
    for (int j = 0; j < v->n && status == SW_OK; j++) {
      double *column = of->derivative + (size_t)j * rows;
      status =
          sw_difference_column(&difference, j, of->size, column, of->rounding + (size_t)j * rows);
      for (size_t i = 0; i < rows; i++) {
        sum[i] += fabs(column[i] * z[j]);
      }
    }
    memcpy(of->size, sum, rows * sizeof *sum);
  }
  return status;
}

/* Adds f X to the velocity for the gradient of f at entry `variable` of z, X = (f_p, -f_q). */
static void add_field(const sw_system *system, velocity *to, int variable, double gradient)
{
  int d = system->nq;
  int moved = variable < d ? variable + d : variable - d;
  to->value[moved] += variable < d ? -gradient : gradient;
  to->size[moved] += fabs(gradient);
}

/* lambda from N lambda = -{rho,H}, the shortest where constraints are redundant.  Errors: SW_ERR_MEMORY,
 * SW_ERR_SINGULAR. */
static sw_status solve_multipliers(sw_verifier *v, const double z[], const double k[],
                                   const double gradient[], double lambda[])
{
  sw_system *system = v->system;
  const sw_pattern *rho = &system->hidden_jac_pattern;
  const int d = system->nq;
  const sw_multipliers multipliers = {strcmp(v->redundant, "drop") == 0 ? SW_REDUNDANT_MIN_NORM
                                                                        : SW_REDUNDANT_ERROR,
                                      0, system->nc};
  sw_deficient *matrix = NULL;
  sw_verifier_evaluate(system, system->hidden_jac, z, k, v->values.hidden_jac, rho->entries);
  sw_verifier_evaluate(system, system->nondegeneracy, z, k, v->values.nondegeneracy,
                       system->nondegeneracy_pattern.entries);
  memset(lambda, 0, (size_t)system->nc * sizeof *lambda);
  for (int e = 0; e < rho->entries; e++) {
    int col = rho->col[e];
    /* -{rho,H} = rho_p . H_q - rho_q . H_p */
    lambda[rho->row[e]] +=
        v->values.hidden_jac[e] * (col < d ? -gradient[col + d] : gradient[col - d]);
  }
  sw_status status = sw_deficient_create(&system->nondegeneracy_pattern, multipliers, &matrix);
  if (status == SW_OK) {
    sw_deficient_begin(matrix);
    status = sw_deficient_factor(matrix, v->values.nondegeneracy) ? SW_ERR_SINGULAR : SW_OK;
  }
  if (status == SW_OK) {
    sw_deficient_solve(matrix, lambda);
  }
  sw_deficient_free(&matrix);
  return status;
}

/* Errors: those of solve_multipliers. */
static sw_status find_velocity(sw_verifier *v, const double z[], const double k[], velocity *to)
{
  sw_system *system = v->system;
  const sw_pattern *g = &system->constraint_jac_pattern;
  double *gradient = v->work[1];
  memset(to->value, 0, (size_t)v->n * sizeof *to->value);
  memset(to->size, 0, (size_t)v->n * sizeof *to->size);
  sw_verifier_evaluate(system, system->hamiltonian_grad, z, k, gradient, v->n);
  for (int i = 0; i < v->n; i++) {
    add_field(system, to, i, gradient[i]);
  }
  if (system->nc == 0) {
    return SW_OK;
  }
  sw_status status = solve_multipliers(v, z, k, gradient, to->lambda);
  if (status == SW_OK) {
    sw_verifier_evaluate(system, system->constraint_jac, z, k, v->values.constraint_jac,
                         g->entries);
    for (int e = 0; e < g->entries; e++) {
      add_field(system, to, g->col[e], to->lambda[g->row[e]] * v->values.constraint_jac[e]);
    }
  }
  return status;
}

/* dI_i/dt relative to its terms and to rounding. */
static void check_rates(sw_verifier *v, const invariant_gradients *of, const velocity *at,
                        int point, sw_finding *finding)
{
  size_t rows = (size_t)v->system->n_invariant;
  for (size_t i = 0; i < rows; i++) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (int j = 0; j < v->n; j++) {
      double derivative = of->derivative[(size_t)j * rows + i];
      double rounding = of->rounding[(size_t)j * rows + i];
      if (at->size[j] == 0.0) {
        continue;
      }
      sum += derivative * at->value[j];
      magnitude += at->size[j] * (fabs(derivative) + rounding / finding->tolerance);
    }
    sw_finding_take(finding, sum == 0.0 ? 0.0 : fabs(sum) / magnitude,
                    "d(%s)/dt = %.3g on M^H, of terms of %.3g (point %d)",
                    v->names[SW_INVARIANT][i], sum, magnitude, point);
  }
}

/* A point of M^H with its parameters into the finding; 1 where N is regular there. */
static int check_at(sw_verifier *v, int point, invariant_gradients *of, velocity *at,
                    sw_finding *finding)
{
  const double *z = v->on + (size_t)point * (size_t)v->n;
  const double *k = v->k_on + (size_t)point * (size_t)v->system->nk;
  sw_status status = find_velocity(v, z, k, at);
  if (status == SW_OK) {
    status = differentiate(v, z, k, of);
  }
  if (status == SW_ERR_MEMORY) {
    sw_finding_fail(finding, "out of memory");
  } else if (status == SW_OK) {
    check_rates(v, of, at, point, finding);
  }
  return status == SW_OK;
}

/* The default parameters decide; where others near them say something else, that is noted. */
static void check_points(sw_verifier *v, invariant_gradients *of, velocity *at, sw_finding *finding)
{
  sw_finding others = {.worst = -1.0, .tolerance = finding->tolerance};
  int regular = 0;
  for (int point = 0; point < v->reached; point++) {
    int own = sw_verifier_has_defaults(v, point);
    int good = check_at(v, point, of, at, own ? finding : &others);
    regular += own && good;
  }
  if (regular == 0 && finding->outcome == SW_CHECK_PASS) {
    sw_finding_exclude(finding,
                       "no point was reached with the default parameters at which N is regular");
  } else if (finding->worst <= finding->tolerance && !(others.worst <= others.tolerance)) {
    sw_finding_note(finding, "with the default parameters; with others %.120s", others.note);
  }
}

void sw_check_invariants(sw_verifier *v, const char *base, sw_finding *finding)
{
  size_t rows = (size_t)v->system->n_invariant;
  size_t n = (size_t)v->n;
  size_t matrix = rows * n;
  double *block = malloc((rows + 2 * matrix + 2 * n + (size_t)v->system->nc) * sizeof *block);
  (void)base;
  if (block == NULL) {
    sw_finding_fail(finding, "out of memory");
    return;
  }
  invariant_gradients of = {block, block + rows, block + rows + matrix};
  double *rest = block + rows + 2 * matrix;
  velocity at = {rest, rest + n, rest + 2 * n};
  check_points(v, &of, &at, finding);
  free(block);
}
