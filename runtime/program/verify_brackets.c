/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares generated brackets with contractions of generated gradients, {a,b} = a_q . b_p - a_p .
 * b_q = -grad b . X_a; and checks the coisotropy matrix C_ij = {g_i,g_j}.
 */
#include <math.h>

#include "common/vectors.h"
#include "program/verifier.h"

/* norms[i] = |row i| of the matrix in value[what]. */
static void row_norms(const sw_verifier *v, int what, double norms[])
{
  const sw_pattern *pattern = v->output[what].pattern;
  const double *value = v->value[what];
  sw_zero(norms, (size_t)pattern->rows);
  for (int e = 0; e < pattern->entries; e++) {
    norms[pattern->row[e]] += value[e] * value[e];
  }
  for (int i = 0; i < pattern->rows; i++) {
    norms[i] = sqrt(norms[i]);
  }
}

/* Checks the matrix `what` of brackets {a_i,g_j} against the gradients of a.  The figure of an
 * entry is its error relative to the magnitude of its terms plus 1e-3 |grad a_i| |grad g_j|.  The
 * addition is needed because an entry of a vanishing gradient can be pure rounding error. */
static void check_brackets(sw_verifier *v, int what, int a, const sw_point *at, sw_finding *finding)
{
  const int m = v->system->nc;
  double *row = v->work[0];
  double *field = v->work[1];
  double *product = v->work[2]; /* Dg X_a = -{a,g} */
  double *magnitude = v->work[3];
  double *norms = v->work[4];
  double *entries = v->work[5];
  int next_a = 0;
  int next = 0;
  sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  sw_verifier_value(v, a, at);
  sw_verifier_value(v, what, at);
  row_norms(v, SW_WITNESS_CONSTRAINT_JAC, norms);
  for (int i = 0; i < m; i++) {
    sw_verifier_spread_row(v, a, i, &next_a, row);
    sw_verifier_spread_row(v, what, i, &next, entries);
    sw_verifier_field(v, row, field);
    sw_verifier_multiply(v, SW_WITNESS_CONSTRAINT_JAC, field, product, magnitude);
    double size = 0.0;
    for (int j = 0; j < v->n; j++) {
      size += row[j] * row[j];
    }
    for (int j = 0; j < m; j++) {
      sw_finding_take(
          finding, sw_figure(entries[j] + product[j], magnitude[j] + 1e-3 * sqrt(size) * norms[j]),
          "%s, %s: %.17g generated, %.17g by contraction (point %d)", v->names[SW_C][i],
          v->names[SW_C][j], entries[j], -product[j], at->number);
    }
  }
}

void sw_check_coisotropy(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  check_brackets(v, SW_WITNESS_COISOTROPY, SW_WITNESS_CONSTRAINT_JAC, at, finding);
}

void sw_check_nondegeneracy(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  check_brackets(v, SW_WITNESS_NONDEGENERACY, SW_WITNESS_HIDDEN_JAC, at, finding);
}

/* Checks rho = {g,H} = Dg X_H. */
void sw_check_hidden(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  double *product = v->work[1];
  double *magnitude = v->work[2];
  sw_verifier_contract_hidden(v, at, v->work[0], product, magnitude);
  const double *hidden = sw_verifier_value(v, SW_WITNESS_HIDDEN, at);
  const double *scale = sw_verifier_value(v, SW_OUTPUT_HIDDEN_SCALE, at);
  for (int i = 0; i < v->system->nc; i++) {
    sw_finding_take(finding, sw_figure(hidden[i] - product[i], magnitude[i] + scale[i]),
                    "%s: %.17g generated, %.17g by contraction (point %d)", v->names[SW_C][i],
                    hidden[i], product[i], at->number);
  }
}

/* C_ij; 0 outside the pattern.  Bisection in the sorted entries. */
static double coisotropy_entry(const sw_verifier *v, int row, int col)
{
  const sw_pattern *pattern = &v->system->coisotropy_pattern;
  int low = 0;
  int high = pattern->entries;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pattern->row[middle] < row || (pattern->row[middle] == row && pattern->col[middle] < col)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int found = low < pattern->entries && pattern->row[low] == row && pattern->col[low] == col;
  return found ? v->value[SW_WITNESS_COISOTROPY][low] : 0.0;
}

/* Evaluates Dg and C, and returns the norms of the rows of Dg. */
static const double *evaluate_coisotropy(sw_verifier *v, const sw_point *at)
{
  sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  sw_verifier_value(v, SW_WITNESS_COISOTROPY, at);
  row_norms(v, SW_WITNESS_CONSTRAINT_JAC, v->work[0]);
  return v->work[0];
}

void sw_check_antisymmetry(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_pattern *pattern = &v->system->coisotropy_pattern;
  const double *C = v->value[SW_WITNESS_COISOTROPY];
  const double *norms = evaluate_coisotropy(v, at);
  for (int e = 0; e < pattern->entries; e++) {
    int i = pattern->row[e];
    int j = pattern->col[e];
    double other = coisotropy_entry(v, j, i);
    sw_finding_take(finding, sw_figure(C[e] + other, fabs(C[e]) + 1e-3 * norms[i] * norms[j]),
                    "%s, %s: C_ij = %.17g, C_ji = %.17g (point %d)", v->names[SW_C][i],
                    v->names[SW_C][j], C[e], other, at->number);
  }
}

void sw_check_coisotropic(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_pattern *pattern = &v->system->coisotropy_pattern;
  const double *C = v->value[SW_WITNESS_COISOTROPY];
  const double *norms = evaluate_coisotropy(v, at);
  for (int e = 0; e < pattern->entries; e++) {
    int i = pattern->row[e];
    int j = pattern->col[e];
    sw_finding_take(finding, sw_figure(C[e], norms[i] * norms[j]),
                    "%s, %s: {g_i,g_j} = %.3g on M (point %d)", v->names[SW_C][i],
                    v->names[SW_C][j], C[e], at->number);
  }
  if (v->second_class && finding->note[0] == '\0') {
    sw_finding_say(finding, SW_CHECK_PASS,
                   "with the default parameters; with others near them it is not");
  }
}
