/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/lu_condition.c -- the 1-norm of an inverse that is only known by its products with vectors.
 *
 * The norm is the largest of |B x|_1 over the corners x = e_j.  The gradient of |B x|_1 is B^T sign(B x);
 * its largest entry names the corner to go to, until there is nothing to be gained.
 */
#include "linear/lu_condition.h"

#include <math.h>

enum { corners = 5 };

static double norm1(int n, const double x[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += fabs(x[i]);
  }
  return sum;
}

/* x <- its signs, of which sign keeps a copy.  Returns 1 where they are those of before. */
static int take_signs(int n, double x[], double sign[])
{
  int same = 1;

  for (int i = 0; i < n; i++) {
    const double now = x[i] < 0.0 ? -1.0 : 1.0;
    same &= now == sign[i];
    sign[i] = now;
    x[i] = now;
  }
  return same;
}

static int largest_entry(int n, const double x[])
{
  int best = 0;

  for (int i = 1; i < n; i++) {
    if (fabs(x[i]) > fabs(x[best])) {
      best = i;
    }
  }
  return best;
}

/* |B x|_1 for an x of alternating signs, which sees what cancels in all corners that were tried. */
static double alternating(int n, sw_apply *apply, void *context, double x[])
{
  for (int i = 0; i < n; i++) {
    const double size = n > 1 ? 1.0 + (double)i / (double)(n - 1) : 1.0;
    x[i] = i % 2 ? -size : size;
  }
  apply(context, 0, x);
  return 2.0 * norm1(n, x) / (3.0 * (double)n);
}

double sw_condition_norm1(int n, sw_apply *apply, void *context, double work[])
{
  double *x = work;
  double *sign = work + n;
  int corner = -1;
  double estimate;

  for (int i = 0; i < n; i++) {
    x[i] = 1.0 / (double)n;
    sign[i] = 0.0;
  }
  apply(context, 0, x);
  estimate = norm1(n, x);
  if (n == 1) {
    return estimate;
  }
  for (int tried = 0; tried < corners && !take_signs(n, x, sign); tried++) {
    apply(context, 1, x);
    const int next = largest_entry(n, x);
    if (corner >= 0 && !(fabs(x[next]) > fabs(x[corner]))) {
      break;
    }
    corner = next;
    for (int i = 0; i < n; i++) {
      x[i] = i == corner ? 1.0 : 0.0;
    }
    apply(context, 0, x);
    const double reached = norm1(n, x);
    if (!(reached > estimate)) {
      break;
    }
    estimate = reached;
  }
  return fmax(estimate, alternating(n, apply, context, x));
}
