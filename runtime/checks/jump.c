/* SPDX-License-Identifier: BSD-3-Clause */
#include "checks/jump.h"

#include <math.h>

#include "common/processor.h"
#include "common/shared_vectors.h"
#include "linear/sparse.h"
#include "model/scale.h"

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
