/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/step_check.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/processor.h"
#include "common/shared_vectors.h"
#include "linear/sparse.h"
#include "model/scale.h"
#include "solve/solver.h"

int sw_inertia_negative(int n, double A[], int pivots[], double work[])
{
  int negative = 0;

  if (LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', n, A, n, pivots, work, n) != 0) {
    return -1;
  }
  for (int i = 0; i < n; i++) {
    if (pivots[i] < 0) {
      /* A pivot of size 2 has one eigenvalue of each sign. */
      negative++;
      i++;
    } else {
      negative += A[(size_t)i * (size_t)n + (size_t)i] < 0.0;
    }
  }
  return negative;
}

int sw_covered(const sw_system *system, const double k[], sw_proof proof)
{
  return proof == SW_PROVED || (proof == SW_PROVED_BY_DEFAULT && !system->is_given &&
                                memcmp(k, system->k_default, (size_t)system->nk * sizeof *k) == 0);
}

/* Number of entries of C that are not proved to be 0 on M for all parameters and sizes. */
static size_t brackets_unknown(const sw_system *system)
{
  const sw_structure *s = &system->model->structure;

  return s->commuting || s->coisotropic == SW_PROVED ? 0
                                                     : (size_t)system->coisotropy_pattern.entries;
}

void sw_component_carve(sw_carver *c, sw_component *s)
{
  const sw_system *system = s->system;
  const size_t m = (size_t)system->nc;
  const size_t most = m < SW_COMPONENT_DENSE ? m : SW_COMPONENT_DENSE;
  const size_t dense = s->holonomic || m < 2 ? 0 : most;

  s->dense = sw_carve(c, dense, dense);
  s->work = sw_carve(c, dense, 1);
  s->pivots = sw_carve_bytes(c, dense * sizeof *s->pivots);
  s->values = sw_carve(c, (size_t)system->nondegeneracy_pattern.entries, 1);
  SW_CARVE(c, m, 1, &s->of_g.q, &s->of_g.p, &s->of_rho.q, &s->of_rho.p);
  s->brackets = sw_carve(c, brackets_unknown(system), 1);
  sw_dependence_carve(c, system, &s->dependence);
  const size_t entries = s->holonomic ? 0 : (size_t)system->nondegeneracy_pattern.entries;
  const size_t d = s->holonomic ? 0 : (size_t)system->nq;
  SW_CARVE(c, entries, 1, &s->rate, &s->ahead);
  SW_CARVE(c, d, 2, &s->along, &s->point);
  s->lambda = sw_carve(c, s->holonomic ? 0 : m, 1);
}

/* Computes N at z, cleaned by sw_nondegeneracy_clean, the gradient sizes of g and rho, Dg in g->jac
 * and Drho in rho->jac. Returns 0 if a value is not finite. */
static int sw_component_values(sw_component *c, const double z[])
{
  const sw_system *system = c->system;

  system->nondegeneracy(system, z, c->k, c->values);
  sw_requirement_jac_at(c->g, z);
  sw_requirement_jac_at(c->rho, z);
  sw_gradients_of(&system->constraint_jac_pattern, c->g->jac, system->nq, c->of_g);
  sw_gradients_of(&system->hidden_jac_pattern, c->rho->jac, system->nq, c->of_rho);
  return sw_nondegeneracy_clean(&system->nondegeneracy_pattern, c->of_g, c->of_rho,
                                sw_sizes_of(system, z), c->values);
}

/* Number of negative eigenvalues of block b. N is symmetric on M^H, up to the units of its rows;
 * scaling the columns by the same units restores the symmetry. */
static int count_in_block(const sw_component *c, const double values[], int b, sw_sizes size)
{
  const sw_pattern *pattern = &c->system->nondegeneracy_pattern;
  const sw_blocks *blocks = &c->blocks;
  const int n = sw_block_size(blocks, b);

  sw_zero(c->dense, (size_t)n * (size_t)n);
  for (int t = blocks->entry_start[b]; t < blocks->entry_start[b + 1]; t++) {
    const int e = blocks->entry[t];
    const int i = blocks->local[pattern->row[e]];
    const int j = blocks->local[pattern->col[e]];
    const size_t at = (size_t)(i < j ? i : j) * (size_t)n + (size_t)(i < j ? j : i);
    const double value =
        values[e] / sw_power_below(sw_gradient_change(c->of_g, pattern->col[e], size));
    c->dense[at] += i == j ? value : 0.5 * value;
  }
  return sw_inertia_negative(n, c->dense, c->pivots, c->work);
}

/* Counts the negative eigenvalues of all blocks of N with these values. */
static void count_negative(const sw_component *c, const double values[], const double z[],
                           sw_side *side)
{
  const sw_sizes size = sw_sizes_of(c->system, z);
  const sw_blocks *blocks = &c->blocks;
  int largest = 0;

  for (int b = 0; b < blocks->count; b++) {
    largest = sw_larger_int(largest, sw_block_size(blocks, b));
  }
  if (!c->dense || blocks->count == 0) {
    return;
  }
  if (largest > SW_COMPONENT_DENSE) {
    const sw_signature by_pivots = sw_deficient_signature(c->linear);
    side->negative = by_pivots.count;
    side->inertia = by_pivots.negative;
    return;
  }
  side->negative = 0;
  for (int b = 0; b < blocks->count && side->negative >= 0; b++) {
    const int negative = count_in_block(c, values, b, size);
    side->negative = negative < 0 ? -1 : side->negative + negative;
    side->inertia += (uint64_t)negative * sw_block_key(b);
  }
}

/* Reads the last factorisation. The sign does not depend on the choice of dropped constraints: N is
 * symmetric on M^H, so N = U K U^T with a regular K and a U with dependent rows; det N_RR = (det
 * U_R)^2 det K for every choice R. */
sw_side sw_component_side_of_slide(const sw_component *c, sw_status status)
{
  if (status == SW_ERR_MEMORY) {
    return (sw_side){.sign = SW_SIGN_NO_MEMORY};
  }
  if (status != SW_OK) {
    return (sw_side){.sign = 0};
  }
  return (sw_side){.sign = sw_deficient_sign(c->linear),
                   .dropped = sw_deficient_dropped(c->linear),
                   .clear = sw_deficient_clear(c->linear),
                   .signs = sw_signs_of_blocks(c->linear),
                   .negative = -1};
}

/* Factorises the matrix with these values. */
static sw_side side_of(const sw_component *c, const double values[], const double z[])
{
  sw_deficient_begin(c->linear);
  const sw_status status = sw_deficient_factor(c->linear, values);
  sw_side side = sw_component_side_of_slide(c, status);

  if (status == SW_OK && side.dropped == 0) {
    count_negative(c, values, z, &side);
  }
  return side;
}

sw_side sw_component_side(sw_component *c, int at_end, const double z[])
{
  sw_holonomic *s = c->holonomic;
  const double *values = c->values;

  if (s) {
    sw_frame *frame = at_end ? &s->end : &s->start;
    sw_frame_at(s, frame, z);
    sw_holonomic_matrix(s, frame);
    values = s->matrix;
  } else if (!sw_component_values(c, z)) {
    return (sw_side){.sign = SW_SIGN_NOT_FINITE};
  }
  return side_of(c, values, z);
}

/* ---- N along the motion ---- */

/* Solves N lambda = -({rho,H} + Drho.F) at z, where N is factorised. Leaves X_H + F in c->along.
 * F = 0 unless c->adds_forces. */
static void find_multipliers(sw_component *c, const double z[], sw_sizes size, double lambda[])
{
  const sw_system *system = c->system;
  const int d = system->nq;

  system->hamiltonian_grad(system, z, c->k, c->point);
  sw_turn((size_t)d, c->point, c->along);
  if (c->adds_forces && system->force) {
    system->force(system, z, c->k, c->point);
    sw_add_scaled(d, 1.0, c->point, c->along + d);
  }
  sw_multiply(&system->hidden_jac_pattern, c->rho->jac, 1, c->along, lambda);
  for (int i = 0; i < system->nc; i++) {
    lambda[i] /= -sw_power_below(sw_gradient_change(c->of_g, i, size));
  }
  sw_deficient_solve(c->linear, lambda);
}

/* Computes the weights of the shortest multipliers, which are smooth functions of z, and which a
 * factor of a constraint multiplies. N_jj is the square of a length, up to its sign, if H_pp is
 * positive definite and g_j depends on positions; otherwise it may vanish. */
static void weigh(const sw_component *c, sw_sizes size)
{
  const sw_system *system = c->system;
  const sw_pattern *N = &system->nondegeneracy_pattern;
  const sw_pattern *Dg = &system->constraint_jac_pattern;
  const int is_length = system->model->structure.holonomic;

  sw_zero(c->weight, (size_t)system->nc);
  for (int e = 0; is_length && e < N->entries; e++) {
    const int j = N->col[e];
    if (N->row[e] == j) {
      const double unit = sw_power_below(sw_gradient_change(c->of_g, j, size));
      c->weight[j] = sqrt(fabs(unit * c->values[e]));
    }
  }
  for (int e = 0; !is_length && e < Dg->entries; e++) {
    c->weight[Dg->row[e]] = hypot(c->weight[Dg->row[e]], c->g->jac[e]);
  }
  for (int j = 0; j < system->nc; j++) {
    c->weight[j] = sw_nonzero_scale(c->weight[j]);
  }
}

sw_status sw_component_multipliers(sw_component *c, const double z[], double lambda[])
{
  if (!sw_component_values(c, z)) {
    return SW_ERR_NOT_FINITE;
  }
  weigh(c, sw_sizes_of(c->system, z));
  sw_deficient_begin(c->linear);
  const sw_status status = sw_deficient_factor(c->linear, c->values);
  if (status == SW_OK) {
    find_multipliers(c, z, sw_sizes_of(c->system, z), lambda);
  }
  return status;
}

/* c->along = X_H + sum_i lambda_i X_{g_i} at z, with the multipliers that keep rho. */
static void find_motion(sw_component *c, const double z[], sw_sizes size)
{
  const sw_system *system = c->system;
  const int d = system->nq;

  find_multipliers(c, z, size, c->lambda);
  sw_zero(c->point, 2 * (size_t)d);
  sw_add_transposed(&system->constraint_jac_pattern, c->g->jac, c->lambda, c->point);
  for (int i = 0; i < d; i++) {
    c->along[i] += c->point[d + i];
    c->along[d + i] -= c->point[i];
  }
}

int sw_component_rate(sw_component *c, const double z[])
{
  static const double part = 1e-6;
  const sw_system *system = c->system;
  const sw_pattern *pattern = &system->nondegeneracy_pattern;
  const size_t d = (size_t)system->nq;
  const sw_sizes size = sw_sizes_of(system, z);

  find_motion(c, z, size);
  const sw_sizes speed = {sw_max_abs(d, c->along), sw_max_abs(d, c->along + d)};
  const double time = part / sw_nonzero_scale(sw_sizes_relative(speed, size));
  for (size_t i = 0; i < 2 * d; i++) {
    c->point[i] = z[i] + time * c->along[i];
  }
  system->nondegeneracy(system, c->point, c->k, c->rate);
  for (int e = 0; e < pattern->entries; e++) {
    const double unit = sw_power_below(sw_gradient_change(c->of_g, pattern->row[e], size));
    c->rate[e] = (c->rate[e] / unit - c->values[e]) / time;
  }
  return isfinite(sw_max_abs((size_t)pattern->entries, c->rate));
}

sw_side sw_component_extrapolated(sw_component *c, const double z[], double time, int first,
                                  int end)
{
  const sw_blocks *blocks = &c->blocks;

  sw_copy(c->ahead, c->values, (size_t)c->system->nondegeneracy_pattern.entries);
  for (int i = blocks->entry_start[first]; i < blocks->entry_start[end]; i++) {
    const int e = blocks->entry[i];
    c->ahead[e] += time * c->rate[e];
  }
  return side_of(c, c->ahead, z);
}

int sw_same_side(const sw_side *a, const sw_side *b)
{
  const int counted = a->negative >= 0 && b->negative >= 0;

  return a->sign == b->sign && a->signs == b->signs &&
         (!counted || (a->negative == b->negative && a->inertia == b->inertia));
}

int sw_component_dependence(sw_component *c, const double z[], sw_dependence *found)
{
  *found = (sw_dependence){0};
  if (c->system->nc == 0) { /* no constraints: none is dependent */
    return 1;
  }
  if (c->complete && !c->complete(c->owner)) {
    return 0;
  }
  return sw_component_values(c, z) &&
         sw_dependence_find(&c->dependence, c->system, c->values, c->g->jac, c->of_g, found);
}

/* 1 if {g_i,g_j} is within the round-off of one half of a gradient while the other half nearly
 * vanishes. */
static int is_noise(sw_gradients g, sw_sizes size, int i, int j, double value)
{
  const double change_i = g.q[i] * size.q + g.p[i] * size.p;
  const double change_j = g.q[j] * size.q + g.p[j] * size.p;
  const double noise = 64.0 * DBL_EPSILON * (change_i / size.q) * (change_j / size.p);

  return fabs(value) <= noise && isfinite(noise);
}

int sw_component_commutes(const sw_component *c)
{
  return brackets_unknown(c->system) == 0 ||
         sw_covered(c->system, c->k, c->system->model->structure.coisotropic);
}

sw_status sw_component_brackets(sw_component *c, int at_end, const double z[], sw_failure *found)
{
  const sw_system *system = c->system;
  const sw_pattern *pattern = &system->coisotropy_pattern;
  double largest = SW_BRACKET_TOLERANCE;
  int worst = -1;

  if (sw_component_commutes(c)) {
    return SW_OK;
  }
  const sw_sizes size = sw_sizes_of(system, z);
  system->coisotropy(system, z, c->k, c->brackets);
  sw_requirement_jac_at(c->g, z);
  sw_gradients_of(&system->constraint_jac_pattern, c->g->jac, system->nq, c->of_g);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    const double relative = sw_bracket_relative(c->brackets[e], c->of_g, i, j);
    if (!(relative <= largest) && !is_noise(c->of_g, size, i, j, c->brackets[e])) {
      largest = relative;
      worst = e;
    }
  }
  if (worst < 0) {
    return SW_OK;
  }
  return isfinite(largest) ? sw_fail(found, SW_ERR_SECOND_CLASS,
                                     (sw_failure){.cause = SW_CAUSE_SECOND_CLASS,
                                                  .at_end = at_end,
                                                  .index = pattern->row[worst],
                                                  .other = pattern->col[worst],
                                                  .value = c->brackets[worst],
                                                  .relative = largest})
                           : sw_fail_not_finite(found);
}

static void watched_residual(void *context, const double u[], double F[])
{
  sw_watch *watch = context;

  watch->problem.residual(watch->problem.context, u, F);
  if (!watch->begun) {
    watch->begun = 1;
    watch->at_zero = sw_share_max_abs(watch->team, (size_t)watch->n, F);
  }
  /* The first nonzero iterate is u_1, because a search begins with full steps. */
  if (!watch->known) {
    watch->known = !sw_share_is_zero(watch->team, (size_t)watch->m, u);
  }
  if (watch->known == 1) {
    watch->known = 2;
    sw_share_copy(watch->team, watch->first, u, (size_t)watch->m);
  }
}

static void watched_jacobian(void *context, const double u[], double J[])
{
  const sw_watch *watch = context;

  watch->problem.jacobian(watch->problem.context, u, J);
}

sw_problem sw_watch_begin(sw_watch *watch, const sw_problem *problem, int n, int m)
{
  watch->problem = *problem;
  watch->n = n;
  watch->m = m;
  watch->begun = 0;
  watch->at_zero = 0.0;
  watch->known = 0;
  return (sw_problem){watched_residual, watched_jacobian, watch};
}

/* The largest changes of an equation: by the difference of two iterates, and by the first
 * iterate. */
typedef struct changes {
  const double *u;
  const double *first;
  const double *weight;
  sw_most apart;
  sw_most predicted;
} changes;

SW_FOR_EACH_PROCESSOR static void compare(void *context, size_t from, size_t end)
{
  changes *c = context;
  uint64_t apart = 0;
  uint64_t predicted = 0;

  for (size_t i = from; i < end; i++) {
    const double first = c->first[i] * c->weight[i];
    apart = sw_larger_bits(apart, sw_size_bits((c->u[i] - c->first[i]) * c->weight[i]));
    predicted = sw_larger_bits(predicted, sw_size_bits(first));
  }
  sw_most_meet(&c->apart, apart);
  sw_most_meet(&c->predicted, predicted);
}

sw_jump sw_find_jump(const sw_watch *watch, sw_root root, const double u[], double *distance)
{
  changes c = {.u = u,
               .first = watch->first,
               .weight = root.weights,
               .apart = sw_most_by(watch->team),
               .predicted = sw_most_by(watch->team)};

  *distance = 0.0;
  if (root.dropped == 0 && (root.sign * root.first_sign < 0 || root.signs != root.first_signs)) {
    return SW_JUMP_SIGN;
  }
  sw_team_share(watch->team, watch->known && root.weights ? (size_t)watch->m : 0, compare, &c);
  const double apart = sw_most_of(&c.apart);
  if (apart > 0.0) {
    *distance = apart / sw_most_of(&c.predicted);
  }
  if (!(*distance <= SW_JUMP_FACTOR)) {
    return SW_JUMP_FAR;
  }
  return watch->known && watch->at_zero <= SW_JUMP_ROUND_OFF ? SW_JUMP_NOISE : SW_JUMP_NONE;
}

double sw_find_far_blocks(const sw_watch *watch, sw_root root, const double u[], double apart[],
                          double predicted[])
{
  double largest = 0.0;
  const int n = watch->known && root.weights && root.block ? watch->m : 0;

  sw_zero(apart, (size_t)watch->m);
  sw_zero(predicted, (size_t)watch->m);
  for (int i = 0; i < n; i++) {
    const int b = root.block[i];
    const double first = watch->first[i] * root.weights[i];
    apart[b] = sw_larger_or_nan(apart[b], fabs((u[i] - watch->first[i]) * root.weights[i]));
    predicted[b] = fmax(predicted[b], fabs(first));
  }
  for (int b = 0; b < n; b++) {
    if (sw_block_is_far(apart[b], predicted[b])) {
      largest = sw_larger_or_nan(largest, apart[b] / predicted[b]);
    }
  }
  return largest;
}
