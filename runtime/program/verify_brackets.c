/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "program/verifier.h"

/* A sparse matrix of gradients: row i is grad a_i. */
typedef struct gradients {
  const sw_pattern *pattern;
  const double *value;
} gradients;

/* Adds {a,b_i} to sum[i] and the magnitude of its terms to magnitude[i], for every row i of b, where
 * a holds grad a (2d values):  {a,b} = a_q . b_p - a_p . b_q. */
static void contract(const double a[], int d, const gradients *b, double sum[], double magnitude[])
{
  for (int e = 0; e < b->pattern->entries; e++) {
    int row = b->pattern->row[e];
    int col = b->pattern->col[e];
    double term = col < d ? -a[col + d] * b->value[e] : a[col - d] * b->value[e];
    sum[row] += term;
    magnitude[row] += fabs(term);
  }
}

static double norm(const double x[], int n)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sqrt(sum);
}

/* norms[i] = |row i|; its length is pattern->rows. */
static void row_norms(const gradients *of, double norms[])
{
  for (int i = 0; i < of->pattern->rows; i++) {
    norms[i] = 0.0;
  }
  for (int e = 0; e < of->pattern->entries; e++) {
    norms[of->pattern->row[e]] += of->value[e] * of->value[e];
  }
  for (int i = 0; i < of->pattern->rows; i++) {
    norms[i] = sqrt(norms[i]);
  }
}

/* Spreads the entries of row `row`, which begin at entry *next, over x (cols values). */
static void spread_row(const gradients *of, int row, int *next, double x[])
{
  memset(x, 0, (size_t)of->pattern->cols * sizeof *x);
  for (; *next < of->pattern->entries && of->pattern->row[*next] == row; ++*next) {
    x[of->pattern->col[*next]] = of->value[*next];
  }
}

/* Compares the matrix of {a_i,b_j} as generated with the contraction of a and b.  The figure of an
 * entry is its error over the magnitude of its terms; a thousandth of |grad a_i| |grad b_j| is added,
 * because an entry of a gradient can be a rounding error alone where it vanishes. */
static void check_brackets(sw_verifier *v, const gradients *a, const gradients *b,
                           const gradients *generated, int point, sw_finding *finding)
{
  sw_system *system = v->system;
  int m = system->nc;
  double *row = v->work[0];
  double *sum = v->work[1];
  double *magnitude = v->work[2];
  double *norms = v->work[3];
  double *entries = v->work[4];
  int next_a = 0;
  int next = 0;
  row_norms(b, norms);
  for (int i = 0; i < m; i++) {
    spread_row(a, i, &next_a, row);
    spread_row(generated, i, &next, entries);
    memset(sum, 0, (size_t)m * sizeof *sum);
    memset(magnitude, 0, (size_t)m * sizeof *magnitude);
    contract(row, system->nq, b, sum, magnitude);
    double size = norm(row, v->n);
    for (int j = 0; j < m; j++) {
      double error = fabs(entries[j] - sum[j]);
      double against = magnitude[j] + 1e-3 * size * norms[j];
      sw_finding_take(finding, error == 0.0 ? 0.0 : error / against,
                      "%s, %s: %.17g generated, %.17g by contraction (point %d)", v->names[SW_C][i],
                      v->names[SW_C][j], entries[j], sum[j], point);
    }
  }
}

/* Evaluates Dg at a point and returns it. */
static gradients constraint_gradients(sw_verifier *v, const double z[], const double k[])
{
  sw_system *system = v->system;
  sw_verifier_evaluate(v->system, system->constraint_jac, z, k, v->values.constraint_jac,
                       system->constraint_jac_pattern.entries);
  return (gradients){&system->constraint_jac_pattern, v->values.constraint_jac};
}

static gradients coisotropy_matrix(sw_verifier *v, const double z[], const double k[])
{
  sw_system *system = v->system;
  sw_verifier_evaluate(v->system, system->coisotropy, z, k, v->values.coisotropy,
                       system->coisotropy_pattern.entries);
  return (gradients){&system->coisotropy_pattern, v->values.coisotropy};
}

void sw_check_coisotropy(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)v->system->nk;
    gradients g = constraint_gradients(v, z, k);
    gradients generated = coisotropy_matrix(v, z, k);
    check_brackets(v, &g, &g, &generated, point, finding);
  }
}

void sw_check_nondegeneracy(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    gradients g = constraint_gradients(v, z, k);
    gradients rho = {&system->hidden_jac_pattern, v->values.hidden_jac};
    gradients generated = {&system->nondegeneracy_pattern, v->values.nondegeneracy};
    sw_verifier_evaluate(v->system, system->hidden_jac, z, k, v->values.hidden_jac,
                         rho.pattern->entries);
    sw_verifier_evaluate(v->system, system->nondegeneracy, z, k, v->values.nondegeneracy,
                         generated.pattern->entries);
    check_brackets(v, &rho, &g, &generated, point, finding);
  }
}

void sw_check_hidden(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  int m = system->nc;
  double *sum = v->work[1];
  double *magnitude = v->work[2];
  double *scale = v->values.hidden_scale;
  (void)base;
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    gradients g = constraint_gradients(v, z, k);
    sw_verifier_evaluate(v->system, system->hamiltonian_grad, z, k, v->values.energy_grad, v->n);
    sw_verifier_evaluate(v->system, system->hidden, z, k, v->values.hidden, m);
    sw_verifier_evaluate(v->system, system->hidden_scale, z, k, scale, m);
    memset(sum, 0, (size_t)m * sizeof *sum);
    memset(magnitude, 0, (size_t)m * sizeof *magnitude);
    contract(v->values.energy_grad, system->nq, &g, sum, magnitude); /* {H,g} = -rho */
    for (int i = 0; i < m; i++) {
      double error = fabs(v->values.hidden[i] + sum[i]);
      sw_finding_take(finding, error == 0.0 ? 0.0 : error / (magnitude[i] + scale[i]),
                      "%s: %.17g generated, %.17g by contraction (point %d)", v->names[SW_C][i],
                      v->values.hidden[i], -sum[i], point);
    }
  }
}

/* The value at (row, col), 0 outside the pattern.  Entries are sorted: bisection. */
static double entry(const gradients *of, int row, int col)
{
  int low = 0;
  int high = of->pattern->entries;
  while (low < high) {
    int middle = low + (high - low) / 2;
    int before = of->pattern->row[middle] < row ||
                 (of->pattern->row[middle] == row && of->pattern->col[middle] < col);
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int found =
      low < of->pattern->entries && of->pattern->row[low] == row && of->pattern->col[low] == col;
  return found ? of->value[low] : 0.0;
}

static int nothing_generated(sw_system *system, sw_finding *finding)
{
  if (system->coisotropy_pattern.entries > 0) {
    return 0;
  }
  sw_finding_exclude(finding, "C has no entry: it is identically zero");
  return 1;
}

void sw_check_antisymmetry(sw_verifier *v, const char *base, sw_finding *finding)
{
  sw_system *system = v->system;
  (void)base;
  if (nothing_generated(system, finding)) {
    return;
  }
  for (int point = 0; point < v->options.points; point++) {
    const double *z = v->near + (size_t)point * (size_t)v->n;
    const double *k = v->k + (size_t)point * (size_t)system->nk;
    gradients g = constraint_gradients(v, z, k);
    gradients c = coisotropy_matrix(v, z, k);
    row_norms(&g, v->work[0]);
    for (int e = 0; e < c.pattern->entries; e++) {
      int i = c.pattern->row[e];
      int j = c.pattern->col[e];
      double defect = fabs(c.value[e] + entry(&c, j, i));
      double size = fabs(c.value[e]) + 1e-3 * v->work[0][i] * v->work[0][j];
      sw_finding_take(finding, defect == 0.0 ? 0.0 : defect / size,
                      "%s, %s: C_ij = %.17g, C_ji = %.17g (point %d)", v->names[SW_C][i],
                      v->names[SW_C][j], c.value[e], entry(&c, j, i), point);
    }
  }
}

void sw_check_coisotropic_at(sw_verifier *v, const double z[], const double k[], int point,
                             sw_finding *finding)
{
  gradients g = constraint_gradients(v, z, k);
  gradients c = coisotropy_matrix(v, z, k);
  row_norms(&g, v->work[0]);
  for (int e = 0; e < c.pattern->entries; e++) {
    int i = c.pattern->row[e];
    int j = c.pattern->col[e];
    double defect = fabs(c.value[e]);
    sw_finding_take(finding, defect == 0.0 ? 0.0 : defect / (v->work[0][i] * v->work[0][j]),
                    "%s, %s: {g_i,g_j} = %.3g on M (point %d)", v->names[SW_C][i],
                    v->names[SW_C][j], c.value[e], point);
  }
}

void sw_check_coisotropic(sw_verifier *v, const char *base, sw_finding *finding)
{
  (void)base;
  if (nothing_generated(v->system, finding)) {
    return;
  }
  for (int point = 0; point < v->reached; point++) {
    sw_check_coisotropic_at(v, v->on + (size_t)point * (size_t)v->n,
                            v->k_on + (size_t)point * (size_t)v->system->nk, point, finding);
  }
  if (v->second_class && finding->note[0] == '\0') {
    sw_finding_note(finding, "with the default parameters; with others near them it is not");
  }
}
