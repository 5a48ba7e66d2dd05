/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vakonomic.c -- which constraints look like rolling without slipping?
 *
 * A constraint n(q).p = 0 restricts the velocities: w.v = 0 with the one-form w_i = n_i/H_ii, if
 * H_pp is constant and diagonal.  It follows from a condition on positions only if w is integrable,
 * w ^ dw = 0 (Frobenius).  Otherwise nonholonomic mechanics, with a force on p alone, differs from
 * the constrained Hamiltonian system, whose multiplier also moves positions.
 *
 * w ^ dw is evaluated at a random point.  Its component (i,j,k) is the sum of w_i (dw_k/dq_j -
 * dw_j/dq_k) over the cyclic permutations.
 */
#include <math.h>

#include "analysis/examinations.h"
#include "analysis/proof.h"
#include "common/random.h"
#include "expr/builders.h"
#include "expr/derivative.h"

/* Limits on the degrees of freedom, and on the positions that a constraint reads or moves. */
enum { MOST_FREEDOM = 64, MOST_POSITIONS = 16 };
/* A component of w ^ dw below this, relative to its terms, counts as zero. */
static const double small_component = 1e-8;

typedef struct one_form {
  int n; /* number of positions */
  int position[MOST_POSITIONS];
  double w[MOST_POSITIONS];
  double slope[MOST_POSITIONS][MOST_POSITIONS]; /* slope[i][j] = dw_i/dq_j */
} one_form;

/* 1 if g = n(q).p as an identity, n is not constant, and g has few positions, which are listed in
 * *f. */
static int is_linear(study *s, const ir_expr *g, const ir_expr *const g_z[], one_form *f)
{
  const int d = s->n / 2;
  char *reads = ARENA_ARRAY(s->memory, s->n, char);
  const ir_expr *rest = g;
  int varies = 0;
  for (int i = 0; i < d; i++) {
    const ir_expr *n = g_z[d + i];
    if (ir_is_zero(g_z[i]) && ir_is_zero(n)) {
      continue;
    }
    if (f->n == MOST_POSITIONS) {
      return 0;
    }
    f->position[f->n++] = i;
    rest = ir_minus(s->c, rest, ir_times(s->c, n, ir_input(s->c, IR_Z, d + i)));
    ir_inputs_read(s->c, IR_Z, s->n, n, reads);
    for (int j = 0; j < s->n; j++) {
      if (j >= d && reads[j]) {
        return 0;
      }
      varies |= reads[j];
    }
  }
  return varies && (ir_is_zero(rest) || prove(s, 0, rest, 0, NULL, 0));
}

static void evaluate(study *s, const ir_expr *const g_z[], one_form *f)
{
  const int d = s->n / 2;
  const ir_expr **slope = ARENA_ARRAY(s->memory, s->n, const ir_expr *);
  for (int i = 0; i < f->n; i++) {
    const int at = d + f->position[i];
    const ir_expr *inverse = ir_entry_at(&s->p->functions[IR_HAMILTONIAN_HESS], at, at);
    const double mass = inverse ? 1 / ir_evaluator_value(s->doubles, inverse) : (double)NAN;
    f->w[i] = mass * ir_evaluator_value(s->doubles, g_z[at]);
    ir_gradient(s->c, s->n, g_z[at], slope);
    for (int j = 0; j < f->n; j++) {
      f->slope[i][j] = mass * ir_evaluator_value(s->doubles, slope[f->position[j]]);
    }
  }
}

static int is_integrable(const one_form *f)
{
  for (int i = 0; i < f->n; i++) {
    for (int j = i + 1; j < f->n; j++) {
      for (int k = j + 1; k < f->n; k++) {
        const int cycle[5] = {i, j, k, i, j};
        double value = 0;
        double size = 0;
        for (int c = 0; c < 3; c++) {
          const double w = f->w[cycle[c]];
          const double first = w * f->slope[cycle[c + 2]][cycle[c + 1]];
          const double second = w * f->slope[cycle[c + 1]][cycle[c + 2]];
          value += first - second;
          size += fabs(first) + fabs(second);
        }
        if (fabs(value) > small_component * size) {
          return 0;
        }
      }
    }
  }
  return 1;
}

void examine_vakonomic(study *s, record *r)
{
  double *z = ARENA_ARRAY(s->memory, s->n, double);
  uint64_t random = 1877; /* F. G. Frobenius */
  if (s->p->structure.holonomic) {
    return;
  }
  r->vakonomic.unexamined = s->p->structure.mass != IR_MASS_CONSTANT_DIAGONAL ||
                            s->p->nq > MOST_FREEDOM || study_exhausted(s, 0.9);
  if (r->vakonomic.unexamined) {
    return;
  }
  for (int j = 0; j < s->n; j++) {
    z[j] = 1.5 * s->scale[j] * sw_random(&random);
  }
  r->vakonomic.items = ARENA_ARRAY(s->memory, s->p->nc + 1, record_finding);
  for (int i = 0; i < s->p->nc; i++) {
    const ir_expr *const *g_z = study_gradients(s) + (size_t)(i + 1) * (size_t)s->n;
    one_form f = {0};
    if (is_linear(s, s->g[i], g_z, &f)) {
      study_begin(s, &s->settings[0], z);
      evaluate(s, g_z, &f);
      if (!is_integrable(&f)) {
        r->vakonomic.items[r->vakonomic.n++] =
            (record_finding){.value = s->g[i], .range = s->p->nk > 0 ? RANGE_DEFAULTS : RANGE_ALL};
      }
    }
  }
}
