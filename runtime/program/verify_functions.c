/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the generated functions against each other: derivatives, scales, brackets, structure.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "program/verifier.h"

/* ---- every output is written ---- */

/* Number of guard values before and after an output array.  The function must not change them. */
enum { GUARDS = 16 };

static int count_changed(const double guards[], double fill)
{
  int changed = 0;
  for (int i = 0; i < GUARDS; i++) {
    changed += guards[i] != fill;
  }
  return changed;
}

/* Evaluates twice into memory with different contents.  The results differ if an entry is not
 * written, or if the function depends on anything but its arguments. */
static void check_output(const sw_system *system, const sw_output *of, const sw_point *at,
                         const double lambda[], sw_finding *finding)
{
  size_t count = (size_t)of->count;
  double *block = malloc((2 * count + 3 * GUARDS) * sizeof *block);
  if (block == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
    return;
  }
  double *once = block + GUARDS;
  double *twice = once + count + GUARDS;
  for (size_t i = 0; i < 2 * count + 3 * GUARDS; i++) {
    block[i] = 3.0;
  }
  sw_output_evaluate(system, of, at->z, at->k, lambda, 1.0, once);
  sw_output_evaluate(system, of, at->z, at->k, lambda, 2.0, twice);
  int different = 0;
  int where = 0;
  for (int i = 0; i < of->count; i++) {
    if (memcmp(&once[i], &twice[i], sizeof *once) != 0) {
      different++;
      where = i;
    }
  }
  sw_finding_take(finding, different,
                  "%s: %d values not written or not reproducible, the last is number %d (point %d)",
                  of->name, different, where, at->number);
  int beside = count_changed(block, 3.0) + count_changed(once + count, 3.0) +
               count_changed(twice + count, 3.0);
  sw_finding_take(finding, beside, "%s: %d values beside the array are written (point %d)",
                  of->name, beside, at->number);
  free(block);
}

void sw_check_outputs(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  double *weights = malloc((SW_OUTPUT_WEIGHTS(v->system) + 1) * sizeof *weights);
  for (int what = 0; weights != NULL && what < SW_OUTPUTS; what++) {
    if (sw_output_exists(&v->output[what])) {
      /* The test works with any vector of the length of z. */
      const double *lambda = sw_output_argument(v->system, what, at->lambda, v->length, weights);
      check_output(v->system, &v->output[what], at, lambda, finding);
    }
  }
  if (weights == NULL) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
  }
  free(weights);
  for (int i = 0; i < v->system->n_init; i++) {
    const sw_output init = sw_output_init(v->system, i);
    check_output(v->system, &init, at, NULL, finding);
  }
}

/* ---- structural properties that the runtime relies on ---- */

/*
 * Checks the structural claims of the model, which the runtime relies on, against values of its
 * functions.  Claims that the model does not make are not checked: the general code is correct
 * for every model.
 */

/* Checks the entries of Hess H that must be zero: H_pq if H is separable, and the off-diagonal
 * entries of H_pp if the mass matrix is diagonal.  Figures are relative to the largest entry. */
static void check_zero_entries(sw_verifier *v, const double hess[], int point, sw_finding *finding)
{
  const sw_structure *claims = &v->system->model->structure;
  const sw_pattern *pattern = &v->system->hamiltonian_hess_pattern;
  const double largest = sw_max_abs((size_t)pattern->entries, hess);
  int d = v->system->nq;
  for (int e = 0; e < pattern->entries; e++) {
    int row = pattern->row[e];
    int col = pattern->col[e];
    int mixed = row >= d && col < d && claims->separable;
    int off_diagonal = col >= d && row != col && claims->mass == SW_MASS_CONSTANT_DIAGONAL;
    if (mixed || off_diagonal) {
      sw_finding_take(finding, sw_figure(hess[e], largest), "H_zz at %s, %s is %.3g (point %d)",
                      sw_verifier_z_name(v, row), sw_verifier_z_name(v, col), hess[e], point);
    }
  }
}

/* Compares H_pp with its value at the first point, if the mass matrix is constant. */
static void check_mass(sw_verifier *v, const double hess[], int point, sw_finding *finding)
{
  const sw_pattern *pattern = &v->system->hamiltonian_hess_pattern;
  const double *first = v->first_hess;
  for (int e = 0; e < pattern->entries; e++) {
    if (pattern->col[e] >= v->system->nq) {
      sw_finding_take(finding, sw_figure(hess[e] - first[e], fabs(hess[e]) + fabs(first[e])),
                      "H_pp at %s, %s is %.17g, but %.17g at another point (point %d)",
                      sw_verifier_z_name(v, pattern->row[e]),
                      sw_verifier_z_name(v, pattern->col[e]), hess[e], first[e], point);
    }
  }
}

void sw_check_energy_structure(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_structure *claims = &v->system->model->structure;
  const sw_point with_defaults = {at->number, at->z, v->k_default, at->lambda};
  if (!claims->separable && claims->mass == SW_MASS_GENERAL) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the model claims neither");
    return;
  }
  const double *hess = sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_HESS, &with_defaults);
  if (at->number == 0) {
    sw_copy(v->first_hess, hess, (size_t)v->output[SW_WITNESS_HAMILTONIAN_HESS].count);
  }
  sw_finding_take(finding, 0.0, "%s", "");
  check_zero_entries(v, hess, at->number, finding);
  if (claims->mass != SW_MASS_GENERAL) {
    check_mass(v, hess, at->number, finding);
  }
}

void sw_check_constraint_structure(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const sw_system *system = v->system;
  const sw_structure *claims = &system->model->structure;
  const sw_pattern *jacobian = &system->constraint_jac_pattern;
  const sw_pattern *brackets = &system->coisotropy_pattern;
  const char **names = v->names[SW_C];
  if (!claims->holonomic && !claims->commuting) {
    sw_finding_say(finding, SW_CHECK_NOT_APPLICABLE, "the model claims neither");
    return;
  }
  const double *Dg = sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  const double *C = sw_verifier_value(v, SW_WITNESS_COISOTROPY, at);
  sw_finding_take(finding, 0.0, "%s", "");
  for (int e = 0; claims->holonomic && e < jacobian->entries; e++) {
    if (jacobian->col[e] >= system->nq) {
      sw_finding_take(finding, fabs(Dg[e]), "%s depends on %s: %.3g (point %d)",
                      names[jacobian->row[e]], sw_verifier_z_name(v, jacobian->col[e]), Dg[e],
                      at->number);
    }
  }
  for (int e = 0; claims->commuting && e < brackets->entries; e++) {
    sw_finding_take(finding, fabs(C[e]), "{%s, %s} = %.3g off M (point %d)",
                    names[brackets->row[e]], names[brackets->col[e]], C[e], at->number);
  }
}

/* ---- derivatives against finite differences ---- */

/*
 * Compares generated derivatives with finite differences.
 */

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

/* ---- scales ---- */

/*
 * Checks the scales of g and rho, from both sides.  Solves and initial states are accepted if
 * their residual is small relative to its scale.  So a scale that is too large accepts any state,
 * and a scale that is too small rejects every state.
 *
 * From below: |f_i| <= scale_i, because the scale sums the magnitudes of f_i's terms.
 *
 * From above: the terms are estimated from the change of f_i under a relative change of z by at
 * most delta.  The change is about delta times the largest term, unless terms cancel.
 * Cancellation at a single point stays far below `generosity`, because the points are random.
 * However, the terms of rho = Dg X_H cancel at all points if H, or a part of it, is constant on
 * the fibres.  No change of z reveals these terms, so the terms of sum_j |Dg_ij X_H,j| are used,
 * too.
 */

enum { CHANGES = 32 };

static const double delta = 1.0 / (1 << 20);
static const double generosity = 1e4;

/* At a point, writes f (m values) to v->work[F].  Writes the sum of the magnitudes of its terms
 * to v->work[SIZE] if these may cancel at all points; else 0. */
typedef void terms_function(sw_verifier *v, const sw_point *at);

enum { MOVED, FIELD, F, SIZE, CHANGE, FIRST_F, FIRST_SIZE, USED };

_Static_assert((int)USED <= (int)SW_WORK, "there is room for all of them");

static void terms_of_g(sw_verifier *v, const sw_point *at)
{
  const size_t m = (size_t)v->system->nc;
  sw_copy(v->work[F], sw_verifier_value(v, SW_WITNESS_CONSTRAINT, at), m);
  sw_zero(v->work[SIZE], m);
}

static void terms_of_rho(sw_verifier *v, const sw_point *at)
{
  sw_verifier_contract_hidden(v, at, v->work[FIELD], v->work[F], v->work[SIZE]);
  sw_copy(v->work[F], sw_verifier_value(v, SW_WITNESS_HIDDEN, at), (size_t)v->system->nc);
}

/* Sets CHANGE to the largest of |f_i(z') - f_i(z)| and |size_i(z') - size_i(z)| over random z'
 * with |z'_j - z_j| <= delta |z_j|. */
static void largest_changes(sw_verifier *v, terms_function *terms, const sw_point *at)
{
  const sw_point moved = {at->number, v->work[MOVED], at->k, at->lambda};
  const size_t m = (size_t)v->system->nc;
  double *const *work = v->work;
  terms(v, at);
  sw_copy(work[FIRST_F], work[F], m);
  sw_copy(work[FIRST_SIZE], work[SIZE], m);
  sw_zero(work[CHANGE], m);
  for (int trial = 0; trial < CHANGES; trial++) {
    for (int j = 0; j < v->n; j++) {
      moved.z[j] = at->z[j] * (1.0 + delta * sw_verifier_random(v));
    }
    terms(v, &moved);
    for (size_t i = 0; i < m; i++) {
      work[CHANGE][i] = fmax(work[CHANGE][i], fmax(fabs(work[F][i] - work[FIRST_F][i]),
                                                   fabs(work[SIZE][i] - work[FIRST_SIZE][i])));
    }
  }
}

static void verify_scales_check_scale(sw_verifier *v, terms_function *terms, int scale_function,
                                      const char *name, const sw_point *at, sw_finding *finding)
{
  /* rounding of another order of up to 2d terms */
  const double other_order = 1.0 + 2.0 * v->n * DBL_EPSILON;
  const double *f = v->work[FIRST_F];
  const double *scale = sw_verifier_value(v, scale_function, at);
  largest_changes(v, terms, at);
  for (int i = 0; i < v->system->nc; i++) {
    double highest = generosity * (v->work[CHANGE][i] / delta + fabs(f[i])) +
                     other_order * v->work[FIRST_SIZE][i];
    double below = sw_figure(f[i], scale[i]);
    double above = sw_figure(scale[i], highest);
    sw_finding_take(finding, isfinite(scale[i]) ? below : NAN,
                    "%s of %s: value %.17g, scale %.17g (point %d)", name, v->names[SW_C][i], f[i],
                    scale[i], at->number);
    sw_finding_take(finding, above, "%s of %s: scale %.3g, but its terms are below %.3g (point %d)",
                    name, v->names[SW_C][i], scale[i], highest, at->number);
  }
}

void sw_check_scales(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  verify_scales_check_scale(v, terms_of_g, SW_OUTPUT_CONSTRAINT_SCALE, "g", at, finding);
  verify_scales_check_scale(v, terms_of_rho, SW_OUTPUT_HIDDEN_SCALE, "rho", at, finding);
}

/* ---- brackets ---- */

/*
 * Compares generated brackets with contractions of generated gradients, {a,b} = a_q . b_p - a_p .
 * b_q = -grad b . X_a; and checks the coisotropy matrix C_ij = {g_i,g_j}.
 */

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
