/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares generated derivatives with finite differences.
 */
#include <math.h>

#include "common/vectors.h"
#include "program/verifier.h"

/* The function and the variable of a generated derivative. */
typedef struct derivative {
  int of;
  int by_lambda; /* with respect to lambda, else to z */
  int symmetric; /* the pattern holds the lower triangle */
} derivative;

static const derivative derivatives[SW_WITNESSED] = {
    [SW_WITNESS_HAMILTONIAN_GRAD] = {SW_WITNESS_HAMILTONIAN, 0, 0},
    [SW_WITNESS_HAMILTONIAN_HESS] = {SW_WITNESS_HAMILTONIAN_GRAD, 0, 1},
    [SW_WITNESS_CONSTRAINT_JAC] = {SW_WITNESS_CONSTRAINT, 0, 0},
    [SW_WITNESS_CONSTRAINT_HESS] = {SW_WITNESS_CONSTRAINT_JAC, 0, 1}, /* of Dg^T lambda */
    [SW_WITNESS_HIDDEN_JAC] = {SW_WITNESS_HIDDEN, 0, 0},
    [SW_WITNESS_FIBRE_FLOW_LAMBDA] = {SW_WITNESS_FIBRE_FLOW, 1, 0},
    [SW_WITNESS_FIBRE_FLOW_Z] = {SW_WITNESS_FIBRE_FLOW, 0, 0},
};

/* A function of z with lambda fixed, or of lambda with z fixed. */
typedef struct section {
  sw_verifier *v;
  const derivative *by;
  const sw_point *at;
} section;

static void verify_derivatives_evaluate(void *context, const double x[], double out[])
{
  const section *s = context;
  sw_verifier *v = s->v;
  const sw_output *of = &v->output[s->by->of];
  const double *z = s->by->by_lambda ? s->at->z : x;
  const double *lambda = s->by->by_lambda ? x : s->at->lambda;
  const int is_jacobian = s->by->of == SW_WITNESS_CONSTRAINT_JAC;
  sw_output_evaluate(v->system, of, z, s->at->k, lambda, NAN,
                     is_jacobian ? v->value[s->by->of] : out);
  if (is_jacobian) {
    sw_verifier_multiply_transposed(v, s->by->of, lambda, out, v->work[1]);
  }
}

/* Returns the magnitudes of the terms of rho = Dg X_H, and writes the magnitudes of the terms of
 *   Drho_i = Hess g_i X_H - (Hess H) X_{g_i}
 * to v->hidden_terms.  These terms can cancel at all points if H, or a part of it, is constant on
 * the fibres. */
static const double *sizes_of_hidden(sw_verifier *v, const sw_point *at)
{
  const sw_pattern *hidden = v->output[SW_WITNESS_HIDDEN_JAC].pattern;
  double *terms = v->work[1];
  double *field = v->work[2];
  double *row = v->work[3];
  double *field_of_row = v->work[4];
  double *one = v->work[5];
  const sw_point along = {at->number, at->z, at->k, one};
  int next_jac = 0;
  int next = 0;
  sw_verifier_contract_hidden(v, at, field, row, terms);
  sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_HESS, at);
  sw_zero(one, (size_t)v->system->nc);
  for (int i = 0; i < v->system->nc; i++) {
    one[i] = 1.0;
    sw_verifier_value(v, SW_WITNESS_CONSTRAINT_HESS, &along);
    one[i] = 0.0;
    sw_verifier_spread_row(v, SW_WITNESS_CONSTRAINT_JAC, i, &next_jac, row);
    sw_verifier_field(v, row, field_of_row);
    sw_zero(row, (size_t)v->n);
    sw_verifier_add_sizes(v, SW_WITNESS_CONSTRAINT_HESS, field, row);
    sw_verifier_add_sizes(v, SW_WITNESS_HAMILTONIAN_HESS, field_of_row, row);
    for (; next < hidden->entries && hidden->row[next] == i; next++) {
      v->hidden_terms[next] = row[hidden->col[next]];
    }
  }
  return terms;
}

void sw_check_derivative(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_output *generated = &v->output[v->what];
  const derivative *by = &derivatives[v->what];
  const sw_output *of = &v->output[by->of];
  section context = {v, by, at};
  const int is_hidden = v->what == SW_WITNESS_HIDDEN_JAC;
  const double *terms = is_hidden ? sizes_of_hidden(v, at) : NULL;
  double *length = v->work[0];
  for (int i = 0; i < v->system->nc; i++) {
    length[i] = fabs(at->lambda[i]);
  }
  const sw_difference difference = {.evaluate = verify_derivatives_evaluate,
                                    .context = &context,
                                    .rows = of->pattern != NULL ? of->pattern->cols : of->count,
                                    .cols = by->by_lambda ? v->system->nc : v->n,
                                    .v = by->by_lambda ? at->lambda : at->z,
                                    .length = by->by_lambda ? length : v->length,
                                    .pattern = generated->pattern,
                                    .value = sw_verifier_value(v, v->what, at),
                                    .symmetric = by->symmetric,
                                    .terms = terms,
                                    .value_terms = is_hidden ? v->hidden_terms : NULL};
  sw_verifier_compare(v, &difference, by->by_lambda, at->number, finding);
}
