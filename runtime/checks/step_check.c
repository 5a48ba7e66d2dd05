/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/step_check.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "common/processor.h"

/* A bound of the parts of g and rho, in their scales, that are round-off of the last slide and of
 * their evaluation. */
static const double round_off = 16.0 * DBL_EPSILON;

void sw_step_check_carve(sw_carver *c, sw_step_check *s)
{
  const size_t d = (size_t)s->system->nq;
  const size_t m = (size_t)s->system->nc;

  sw_residual_carve(c, s->system, &s->residual);
  SW_CARVE(c, m, 1, &s->watch.first, &s->a, &s->b);
  SW_CARVE(c, 2, d, &s->x, &s->y);
}

void sw_step_check_carve_rest(sw_carver *c, sw_step_check *s)
{
  sw_component_carve(c, &s->component);
  sw_residual_carve_jac(c, s->system, &s->residual);
}

double sw_floor_at_end(const sw_step_check *s)
{
  return s->tolerance + round_off;
}

static double floor_at_start(const sw_step_check *s)
{
  return fmax(SW_STATE_TOLERANCE, 2.0 * sw_floor_at_end(s));
}

/* The sizes by which the state of a step that has begun is judged. */
static sw_sizes sw_sizes_at_start(const sw_step_check *s)
{
  const sw_step *step = s->step;
  sw_sizes size =
      sw_sizes_sum(step->extent, sw_sizes_proportion(step->extent, step->moved), step->moved);

  if (size.p < step->floor_p) {
    size.p = step->floor_p;
  }
  return size;
}

/* ---- on M and on M^H ---- */

static sw_residual residual_at(const sw_step_check *s, int hidden, const double z[], sw_sizes size)
{
  sw_holonomic *fast = s->component.holonomic;
  const sw_residual_scratch *scratch = &s->residual;

  if (fast && !fast->hidden_jac) {
    const int finite =
        sw_holonomic_judge(fast, hidden, z, size, scratch->value, scratch->scale, scratch->sums);
    return sw_residual_of(s->system->nc, finite, scratch);
  }
  return sw_residual_at(hidden ? s->component.rho : s->component.g, z, size, &s->residual);
}

/* The residual of g at z in the scales for these sizes; or, for steps on M^H and an accepted g,
 * that of rho, and then *hidden is 1. */
static sw_residual worst_residual(const sw_step_check *s, const double z[], sw_sizes size,
                                  int *hidden)
{
  const sw_residual g = residual_at(s, 0, z, size);

  *hidden = s->on_hidden && sw_residual_accepted(&g, sw_floor_at_end(s));
  return *hidden ? residual_at(s, 1, z, size) : g;
}

/* Returns SW_OK if the residual is at most `floor`; else `off`, with the cause `how`. */
static sw_status check_residual(sw_residual found, double floor, sw_status off, sw_failure how,
                                sw_failure *to)
{
  if (!isfinite(found.largest)) {
    return sw_fail_not_finite(to);
  }
  if (sw_residual_accepted(&found, floor)) {
    return SW_OK;
  }
  how.cause = SW_CAUSE_OFF;
  how.index = found.worst;
  how.value = found.value;
  how.relative = found.scaled;
  how.limit = floor;
  return sw_fail(to, off, how);
}

/* 1 if the start is zero up to the round-off of the step and so gives no size for scales.  Example:
 * a bead at rest at the origin, which the step moves by its round-off alone. */
static int is_nothing(const sw_step_check *s)
{
  return sw_sizes_proportion(s->step->extent, s->step->moved) <= SW_SIZES_NOTHING;
}

/* Tests whether g, or rho if `hidden` is 1, is accepted at the start in the scales for its sizes;
 * or, if is_nothing, for the sizes of the step. */
static sw_status check_on_m_at_start(const sw_step_check *s, int hidden, sw_failure *to)
{
  const double floor = floor_at_start(s);
  sw_residual found = residual_at(s, hidden, s->step->z0, sw_sizes_at_start(s));

  if (is_nothing(s) && !sw_residual_accepted(&found, floor)) {
    found = residual_at(s, hidden, s->step->z0, s->step->size);
  }
  return check_residual(found, floor, hidden ? SW_ERR_OFF_MH : SW_ERR_OFF_M,
                        (sw_failure){.hidden = hidden}, to);
}

/* 1 if the values f of g or rho at the end are accepted by lower bounds of their scales that need
 * no further evaluation. */
static int is_clear(const sw_step_check *s, int hidden, const double f[], sw_sizes size)
{
  const sw_component *c = &s->component;
  const sw_holonomic *fast = c->holonomic;
  const sw_gradients of = hidden ? c->of_rho : c->of_g;
  const double floor = sw_floor_at_end(s);
  sw_size_limits parts = {f, of.q, of.p, floor * size.q, floor * size.p};

  if (fast && hidden) {
    parts = (sw_size_limits){f, fast->terms, fast->end.slope_sums, floor, floor * size.p};
  } else if (fast) {
    parts = (sw_size_limits){f, fast->end.sums, fast->end.sums, floor * size.q, floor * size.q};
  }
  return sw_share_within(s->system->team, (size_t)s->system->nc, &parts);
}

/* 1 if the start is nothing, and off M itself by its own sizes. */
static int starts_from_nothing(const sw_step_check *s)
{
  int hidden = 0;

  if (!is_nothing(s)) {
    return 0;
  }
  const sw_residual found = worst_residual(s, s->step->z0, sw_sizes_at_start(s), &hidden);
  return !sw_residual_accepted(&found, sw_floor_at_end(s));
}

/* The sizes of the state at the start of the last slide of a step at rest.  The slide removes the
 * round-off of the positions over h from the momenta.  The end is this difference, so its round-off
 * is that of the larger momenta before the slide. */
static sw_sizes before_slide(const sw_step_check *s, const sw_made_step *made)
{
  const sw_system *system = s->system;

  for (int i = 0; i < system->nc; i++) {
    s->a[i] = -s->step->h * made->slide[i];
  }
  system->fibre_flow(system, made->end, s->k, s->a, s->x);
  return sw_sizes_of(system, s->x);
}

static sw_status check_on_m_at_end(const sw_step_check *s, sw_made_step *made, sw_failure *to)
{
  int hidden = 0;

  made->known.judged = sw_larger_sizes(sw_sizes_at_start(s), made->known.extent);
  if (s->step->is_at_rest && made->slide) {
    made->known.judged = sw_larger_sizes(made->known.judged, before_slide(s, made));
  }
  if (is_clear(s, 0, s->component.g->value, made->known.judged) &&
      (!s->on_hidden || is_clear(s, 1, made->rho, made->known.judged))) {
    return SW_OK;
  }
  if (starts_from_nothing(s)) {
    made->known.judged = sw_larger_sizes(s->step->size, made->known.extent);
  }
  const sw_residual found = worst_residual(s, made->end, made->known.judged, &hidden);
  return check_residual(found, sw_floor_at_end(s), SW_ERR_LEFT_M,
                        (sw_failure){.at_end = 1, .hidden = hidden}, to);
}

/* ---- N invertible ---- */

/* Examines a state whose N has a small pivot or dropped constraints.  Constraints may be dependent
 * up to round-off.  If constraints are dropped, their gradients must depend on the others. */
static sw_status look_closer(sw_step_check *s, int at_end, const double z[], sw_failure *to)
{
  const int strict = s->redundant == SW_REDUNDANT_ERROR;
  sw_dependence found;

  if (!sw_component_dependence(&s->component, z, &found)) {
    return sw_fail_not_finite(to);
  }
  if (strict ? found.dependent == 0 : found.degenerate == 0) {
    return SW_OK;
  }
  return sw_fail(to, SW_ERR_SINGULAR,
                 (sw_failure){.cause = SW_CAUSE_SINGULAR, .at_end = at_end, .dependence = found});
}

/* Returns an error if the side of N could not be computed. */
static sw_status check_known(const sw_side *side, sw_failure *to)
{
  if (side->sign == SW_SIGN_NO_MEMORY) {
    return sw_fail(to, SW_ERR_MEMORY, (sw_failure){.cause = SW_CAUSE_MEMORY});
  }
  return side->sign == SW_SIGN_NOT_FINITE ? sw_fail_not_finite(to) : SW_OK;
}

static sw_status check_side(sw_step_check *s, int at_end, const sw_side *side, const double z[],
                            sw_failure *to)
{
  const int clear = s->redundant == SW_REDUNDANT_ERROR ? side->clear : side->dropped == 0;
  const sw_status status = check_known(side, to);

  if (status != SW_OK) {
    return status;
  }
  if (side->sign == 0) {
    *to = (sw_failure){.cause = SW_CAUSE_SINGULAR, .at_end = at_end};
    (void)sw_component_dependence(&s->component, z, &to->dependence);
    return SW_ERR_SINGULAR;
  }
  return clear ? SW_OK : look_closer(s, at_end, z, to);
}

/* Refuses a step whose ends have different signs of N, because points with det N = 0 separate
 * them. */
static sw_status check_sides(const sw_side *before, const sw_side *after, sw_failure *to)
{
  if (after->dropped == before->dropped &&
      (after->sign != before->sign || after->signs != before->signs)) {
    return sw_fail(to, SW_ERR_COMPONENT, (sw_failure){.cause = SW_CAUSE_SIGN});
  }
  if (after->negative >= 0 && before->negative >= 0 && after->negative != before->negative) {
    return sw_fail(to, SW_ERR_COMPONENT,
                   (sw_failure){.cause = SW_CAUSE_EIGENVALUES,
                                .index = after->negative,
                                .other = before->negative});
  }
  if (after->negative >= 0 && before->negative >= 0 && after->inertia != before->inertia) {
    return sw_fail(to, SW_ERR_COMPONENT, (sw_failure){.cause = SW_CAUSE_BLOCKS});
  }
  return SW_OK;
}

/* ---- a step ---- */

int sw_watches_n(const sw_step_check *s)
{
  const sw_structure *structure = &s->system->model->structure;

  return s->system->nc > 0 &&
         (s->on_hidden ||
          (structure->holonomic && !sw_covered(s->system, s->k, structure->nondegenerate)));
}

int sw_watches_surface(const sw_step_check *s)
{
  return s->system->nc > 0 && s->on_hidden && !s->component.holonomic &&
         s->redundant == SW_REDUNDANT_ERROR &&
         !sw_covered(s->system, s->k, s->system->model->structure.nondegenerate);
}

/* 1 if N, extrapolated from the end back over the step, changes its side.  The last call of
 * sw_component_side must have been at the end. */
static int may_cross(sw_step_check *s, const sw_made_step *made)
{
  const sw_side *side = &made->known.side;
  sw_component *c = &s->component;

  if (!sw_watches_surface(s) || (side->sign != 1 && side->sign != -1) ||
      !sw_component_rate(c, made->end)) {
    return 0;
  }
  const sw_side before = sw_component_extrapolated(c, made->end, -s->step->h, 0, c->blocks.count);
  return !sw_same_side(&before, side);
}

sw_status sw_check_finite(sw_step_check *s, sw_failure *found)
{
  const sw_system *system = s->system;
  const int unset = sw_system_unset(system, s->k);
  double H = 0.0;

  if (unset < system->nk) {
    return sw_fail(found, SW_ERR_PARAMETER,
                   (sw_failure){.cause = SW_CAUSE_PARAMETER, .index = unset});
  }
  system->hamiltonian(system, s->step->z0, s->k, &H);
  if (!isfinite(H)) {
    return sw_fail(found, SW_ERR_NOT_FINITE, (sw_failure){.cause = SW_CAUSE_ENERGY, .value = H});
  }
  /* scratch: the step has not begun to use these arrays */
  double *slope = s->component.holonomic ? s->component.holonomic->z1 : s->x;
  system->hamiltonian_grad(system, s->step->z0, s->k, slope);
  for (int i = 0; i < 2 * system->nq; i++) {
    if (!isfinite(slope[i])) {
      return sw_fail(found, SW_ERR_NOT_FINITE,
                     (sw_failure){.cause = SW_CAUSE_SLOPE, .index = i, .value = slope[i]});
    }
  }
  return SW_OK;
}

/* 1 if the tests at the end of the last step imply that the start is on M and M^H: the scales must
 * not have shrunk by more than the ratio of the two floors. */
static int found_on_m(const sw_step_check *s)
{
  const sw_sizes now = sw_sizes_at_start(s);
  const double ratio = floor_at_start(s) / sw_floor_at_end(s);

  return s->known->checked && s->known->judged.q <= ratio * now.q &&
         s->known->judged.p <= ratio * now.p;
}

sw_status sw_check_start(sw_step_check *s, sw_failure *found)
{
  const double *z = s->step->z0;
  sw_status status = SW_OK;

  if (s->system->nc == 0) {
    return SW_OK;
  }
  const int known = found_on_m(s);
  if (!known) {
    status = check_on_m_at_start(s, 0, found);
  }
  /* M^H is meaningless if constraints are second class, so this test comes before that of rho. */
  if (status == SW_OK && !s->known->checked) {
    status = sw_component_brackets(&s->component, 0, z, found);
  }
  if (status == SW_OK && !known && s->on_hidden) {
    status = check_on_m_at_start(s, 1, found);
  }
  if (status == SW_OK && !s->known->checked && sw_watches_n(s)) {
    s->known->side = sw_component_side(&s->component, 0, z);
    status = check_side(s, 0, &s->known->side, z, found);
  }
  return status;
}

sw_status sw_check_end(sw_step_check *s, sw_made_step *made, sw_failure *found)
{
  sw_component *c = &s->component;

  if (s->system->nc == 0) {
    return SW_OK;
  }
  /* The slide of holonomic.h has already found the side of the end. */
  if (sw_watches_n(s) && !(c->holonomic && s->on_hidden)) {
    made->known.side = sw_component_side(c, 1, made->end);
    made->may_cross = may_cross(s, made);
  }
  if (!c->holonomic && !s->on_hidden) {
    sw_requirement_jac_at(c->g, made->end);
    sw_gradients_of(&s->system->constraint_jac_pattern, c->g->jac, s->system->nq, c->of_g);
  }
  sw_status status = check_on_m_at_end(s, made, found);
  const sw_status brackets = sw_component_brackets(c, 1, made->end, found);
  if (brackets != SW_OK) {
    return brackets;
  }
  if (status == SW_OK && sw_watches_n(s)) {
    status = check_side(s, 1, &made->known.side, made->end, found);
    status = status == SW_OK ? check_sides(&s->known->side, &made->known.side, found) : status;
  }
  return status;
}

/* ---- a solve ---- */

/* The distance between the ends of the slides from z by h u and by h v, relative to the sizes of
 * the step. */
static double slides_apart(const sw_step_check *s, const double z[], const double u[],
                           const double v[])
{
  const sw_system *system = s->system;

  for (int i = 0; i < system->nc; i++) {
    s->a[i] = s->step->h * u[i];
    s->b[i] = s->step->h * v[i];
  }
  system->fibre_flow(system, z, s->k, s->a, s->x);
  system->fibre_flow(system, z, s->k, s->b, s->y);
  return sw_sizes_relative(sw_sizes_between((size_t)system->nq, s->x, s->y), s->step->size);
}

/* 1 if the step moves positions so little that the round-off of g can change the momenta by more
 * than SW_JUMP_SMALL of their size. */
static int moves_little(const sw_step_check *s)
{
  return s->step->moved.q <= SW_JUMP_REST * s->step->extent.q;
}

/* The distance between the ends of the slides from z by h u and by h u_1, relative to the sizes of
 * the entries in which they differ.  Only blocks with far[b] > 0 count, and of them only the block
 * `only` unless it is -1. */
static double blocks_apart(sw_step_check *s, const double z[], const double u[], const int block[],
                           int only, const double far[])
{
  const sw_system *system = s->system;
  const int d = system->nq;
  sw_sizes moved = {0.0, 0.0};
  sw_sizes size = {0.0, 0.0};

  for (int i = 0; i < system->nc; i++) {
    const int counts = far[block[i]] > 0.0 && (only < 0 || block[i] == only);
    s->a[i] = s->step->h * u[i];
    s->residual.scale[i] = counts ? s->step->h * s->watch.first[i] : s->a[i];
  }
  system->fibre_flow(system, z, s->k, s->a, s->x);
  system->fibre_flow(system, z, s->k, s->residual.scale, s->y);
  for (int i = 0; i < d; i++) {
    const double in_q = fabs(s->x[i] - s->y[i]);
    const double in_p = fabs(s->x[d + i] - s->y[d + i]);
    if (in_q != 0.0 || in_p != 0.0) {
      moved = (sw_sizes){sw_larger_or_nan(moved.q, in_q), sw_larger_or_nan(moved.p, in_p)};
      size = sw_larger_sizes(size, (sw_sizes){fabs(s->y[i]), fabs(s->y[d + i])});
      size = sw_larger_sizes(size, (sw_sizes){fabs(z[i]), fabs(z[d + i])});
    }
  }
  return sw_sizes_relative(moved, size);
}

/* 1 if a block is at rest: its equations hold at the initial guess up to round-off, and its
 * constraints do not depend on momenta.  Its multipliers are then the round-off of positions over
 * h, and its momenta have the same round-off. */
static int block_rests(const sw_step_check *s, const sw_root *root, int block)
{
  const sw_pattern *Dg = &s->system->constraint_jac_pattern;

  for (int i = 0; i < s->watch.n; i++) {
    if (root->block[i] == block && !(fabs(root->at_guess[i]) <= SW_JUMP_ROUND_OFF)) {
      return 0;
    }
  }
  for (int e = 0; e < Dg->entries; e++) {
    if (root->block[Dg->row[e]] == block && Dg->col[e] >= s->system->nq) {
      return 0;
    }
  }
  return 1;
}

/* 1 if the slide of a far block ends elsewhere than with its first iterate.  Up to FEW far blocks
 * are compared one by one, so that a large block does not hide a small one. */
static int has_far_block(sw_step_check *s, sw_root root, const double z[], const double u[],
                         double *distance)
{
  enum { FEW = 64 };
  const int m = s->system->nc;
  double *far = s->b;
  int count = 0;

  *distance = sw_find_far_blocks(&s->watch, root, u, s->b, s->residual.scale);
  if (*distance == 0.0) {
    return 0;
  }
  for (int b = 0; b < m; b++) {
    far[b] = sw_block_is_far(far[b], s->residual.scale[b]) &&
             !(root.at_guess && block_rests(s, &root, b));
    count += far[b] > 0.0;
  }
  for (int b = 0; b < m && count <= FEW; b++) {
    if (far[b] > 0.0 && !(blocks_apart(s, z, u, root.block, b, far) <= SW_JUMP_SMALL)) {
      return 1;
    }
  }
  return count > FEW && !(blocks_apart(s, z, u, root.block, -1, far) <= SW_JUMP_SMALL);
}

/* 1 if a constraint depends on momenta.  Otherwise slides move momenta along straight lines, so no
 * slide can reach the root of another turn, however long it is. */
static int depends_on_momenta(const sw_system *system)
{
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  int e = system->model->structure.holonomic ? pattern->entries : 0;

  while (e < pattern->entries && pattern->col[e] < system->nq) {
    e++;
  }
  return e < pattern->entries;
}

sw_status sw_check_root(sw_step_check *s, sw_root root, const double z[], const double u[],
                        int hidden, sw_failure *found)
{
  static const sw_cause causes[] = {[SW_JUMP_SIGN] = SW_CAUSE_ROOT_SIGN,
                                    [SW_JUMP_FAR] = SW_CAUSE_ROOT_FAR,
                                    [SW_JUMP_NOISE] = SW_CAUSE_ROOT_NOISE};
  double distance = 0.0;
  const sw_jump jump = sw_find_jump(&s->watch, root, u, &distance);

  s->is_noise = 0;

  if (root.block && jump != SW_JUMP_SIGN && has_far_block(s, root, z, u, &distance)) {
    return sw_fail(found, SW_ERR_COMPONENT,
                   (sw_failure){.cause = SW_CAUSE_ROOT_FAR,
                                .hidden = hidden,
                                .value = s->step->h,
                                .relative = distance});
  }
  if (jump == SW_JUMP_NONE) {
    return SW_OK;
  }
  if (jump == SW_JUMP_NOISE) {
    sw_zero(s->watch.first, (size_t)s->system->nc);
  }
  if (jump != SW_JUMP_SIGN && s->watch.at_zero <= SW_JUMP_ROUND_OFF && moves_little(s)) {
    s->is_noise = s->step->is_at_rest || depends_on_momenta(s->system);
    return SW_OK;
  }
  if (jump != SW_JUMP_SIGN && slides_apart(s, z, u, s->watch.first) <= SW_JUMP_SMALL) {
    return SW_OK;
  }
  return sw_fail(
      found, jump == SW_JUMP_NOISE ? SW_ERR_NOT_CONVERGED : SW_ERR_COMPONENT,
      (sw_failure){
          .cause = causes[jump], .hidden = hidden, .value = s->step->h, .relative = distance});
}

/* The number of points at which a slide from z by h times the multipliers u is to be examined, for
 * each connected block of N: an estimate of the slide's length by the gradients at z, relative to
 * the entries of the state that the block moves, over SW_SLIDE_APART; 0 up to SW_JUMP_SMALL, at
 * most SW_SLIDE_POINTS.  In a step at rest momenta may be round-off, so only positions count.
 * Returns the largest length relative to the state. */
static double slide_points(sw_step_check *s, const double z[], const double u[], const int block[],
                           double points[])
{
  const sw_system *system = s->system;
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const size_t m = (size_t)system->nc;
  const int d = system->nq;
  const sw_gradients of = s->component.of_g;
  double *size_q = s->a;
  double *size_p = s->residual.scale;
  double *length_p = s->residual.value;
  double largest = 0.0;

  sw_requirement_jac_at(s->component.g, z);
  sw_gradients_of(jac, s->component.g->jac, d, of);
  sw_zero(points, m);
  sw_zero(length_p, m);
  sw_zero(size_q, m);
  sw_zero(size_p, m);
  for (int i = 0; i < system->nc; i++) {
    const int b = block ? block[i] : 0;
    points[b] += fabs(s->step->h * u[i]) * of.p[i];
    length_p[b] += s->step->is_at_rest ? 0.0 : fabs(s->step->h * u[i]) * of.q[i];
  }
  for (int e = 0; e < jac->entries; e++) {
    const int b = block ? block[jac->row[e]] : 0;
    double *size = jac->col[e] < d ? &size_p[b] : &size_q[b];
    *size = fmax(*size, fabs(z[jac->col[e] < d ? jac->col[e] + d : jac->col[e] - d]));
  }
  for (size_t b = 0; b < m; b++) {
    const sw_sizes length = {points[b], length_p[b]};
    const sw_sizes size = {size_q[b] > 0.0 ? size_q[b] : s->step->size.q,
                           size_p[b] > 0.0 ? size_p[b] : s->step->size.p};
    const double of_block = sw_sizes_relative(length, size);
    largest = sw_larger_or_nan(largest, sw_sizes_relative(length, s->step->size));
    points[b] = of_block <= SW_JUMP_SMALL
                    ? 0.0
                    : fmin(floor(of_block / SW_SLIDE_APART) + 1.0, SW_SLIDE_POINTS);
  }
  return largest;
}

/* Examines N in n points of the slide of the blocks with as many points; the others stay at z,
 * where N is `first`. */
static sw_status examine_slide(sw_step_check *s, const double z[], const double u[],
                               const int block[], int n, const sw_side *first, sw_failure *found)
{
  const double *points = s->b;
  sw_status status = SW_OK;

  for (int t = 1; t <= n && status == SW_OK; t++) {
    for (int i = 0; i < s->system->nc; i++) {
      const int moves = points[block ? block[i] : 0] == n;
      s->a[i] = moves ? s->step->h * u[i] * t / n : 0.0;
    }
    s->system->fibre_flow(s->system, z, s->k, s->a, s->x);
    const sw_side side = sw_component_side(&s->component, 0, s->x);
    status = check_known(&side, found);
    if (status == SW_OK &&
        (side.sign != first->sign || side.signs != first->signs || side.sign == 0)) {
      status = sw_fail(found, SW_ERR_COMPONENT, (sw_failure){.cause = SW_CAUSE_SLIDE});
    }
  }
  return status;
}

sw_status sw_check_slide(sw_step_check *s, const double z[], const double u[], sw_failure *found)
{
  static const double limit = SW_SLIDE_POINTS * SW_SLIDE_APART;
  unsigned char wanted[(int)SW_SLIDE_POINTS + 1] = {0};

  if (s->on_hidden || !s->component.linear || !depends_on_momenta(s->system)) {
    return SW_OK;
  }
  const int *block = sw_deficient_blocks(s->component.linear);
  const double length = slide_points(s, z, u, block, s->b);
  if (!isfinite(length)) {
    return sw_fail_not_finite(found);
  }
  if (length > limit) {
    return sw_fail(found, SW_ERR_COMPONENT,
                   (sw_failure){.cause = SW_CAUSE_LONG_SLIDE, .relative = length, .limit = limit});
  }
  for (int b = 0; b < s->system->nc; b++) {
    wanted[(int)s->b[b]] = 1;
  }
  sw_side first = {0};
  sw_status status = SW_OK;
  int known = 0;
  for (int n = 1; n <= (int)SW_SLIDE_POINTS && status == SW_OK; n++) {
    if (wanted[n] && !known) {
      first = sw_component_side(&s->component, 0, z);
      status = check_known(&first, found);
      known = 1;
    }
    if (wanted[n] && status == SW_OK) {
      status = examine_slide(s, z, u, block, n, &first, found);
    }
  }
  return status;
}

/* Looks for dependent constraints at z and, if there are none, at `reached` unless it is NULL. */
static void find_dependent_constraints(sw_step_check *s, const double z[], const double reached[],
                                       sw_dependence *found)
{
  const int there = sw_component_dependence(&s->component, z, found) && found->dependent > 0;

  if (!there && reached) {
    (void)sw_component_dependence(&s->component, reached, found);
  }
}

int sw_multipliers_are_noise(const sw_step_check *s)
{
  return s->step->is_at_rest && s->watch.begun && s->watch.at_zero <= SW_JUMP_ROUND_OFF;
}

sw_status sw_check_solve(sw_step_check *s, sw_status status, const sw_solve_report *report,
                         const double z[], const double reached[], sw_failure *found)
{
  *found = (sw_failure){.cause = status == SW_ERR_MEMORY     ? SW_CAUSE_MEMORY
                                 : status == SW_ERR_SINGULAR ? SW_CAUSE_NO_PIVOT
                                                             : SW_CAUSE_NO_SOLUTION,
                        .solve = *report,
                        .limit = s->tolerance};
  if (status == SW_ERR_NOT_FINITE) {
    return sw_fail_not_finite(found);
  }
  if (status == SW_ERR_SINGULAR && s->redundant == SW_REDUNDANT_ERROR) {
    find_dependent_constraints(s, z, reached, &found->dependence);
  }
  return status;
}
