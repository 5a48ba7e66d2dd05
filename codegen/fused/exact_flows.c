/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exact_flows.c -- a base method composed of exact flows of parts of H, f1_{h/2} .. fn_h ..
 * f1_{h/2} (runtime/step/splitting.h). Each is
 *
 *   z1 = z + Phi J f'(z),
 *   Phi = h, or integral_0^h e^(s A) ds with A = J f'' of parameters (runtime/step/part_flow.h).
 *
 * So a step solves for the multipliers alone. The values of Phi are given: the calling function
 * computes them once for h and the parameters.
 */
#include "expr/builders.h"
#include "fused/carry.h"

/* A = J f'', 2d x 2d values of the setup; NULL: 0. */
static const ir_expr **matrix_of(composer *c, const fused_part *part)
{
  const int d = c->step->d;
  const ir_expr **A = composer_formulas(c, 4 * d * d);
  for (int e = 0; e < part->hess->n; e++) {
    const ir_entry *entry = &part->hess->entries[e];
    for (int mirrored = 0; mirrored <= (entry->row != entry->col); mirrored++) {
      const int i = composer_conjugate(c, mirrored ? entry->col : entry->row);
      const int j = mirrored ? entry->row : entry->col;
      const ir_expr *value = composer_driving(c, i, composer_at(c, entry->value, NULL, NULL));
      A[2 * i * d + j] =
          fused_compute_as(c->values, value, "A_%s_%s", composer_name(c, i), composer_name(c, j));
    }
  }
  return A;
}

/* Marks the entries of e^(s A) that can be nonzero, which are those where A leads from j to i. */
static char *reached_by(composer *c, int n, const ir_expr *const A[])
{
  char *reached = ARENA_ARRAY(c->memory, n * n, char);
  for (int e = 0; e < n * n; e++) {
    reached[e] = (char)(A[e] != NULL || e % (n + 1) == 0);
  }
  for (int k = 0; k < n; k++) {
    for (int e = 0; e < n * n; e++) {
      reached[e] = (char)(reached[e] || (reached[e / n * n + k] && reached[k * n + e % n]));
    }
  }
  return reached;
}

/* Adds Phi of a block with these n entries of z, for the time t. */
static void add_phi(composer *c, int n, const int entry[], const ir_expr *const A[],
                    const ir_expr *t, const ir_expr *all[])
{
  const int dim = 2 * c->step->d;
  fused_step *s = c->step;
  fused_phi phi = {.n = n, .t = t};
  phi.A = composer_formulas(c, n * n);
  phi.Phi = composer_formulas(c, n * n);
  for (int e = 0; e < n * n; e++) {
    phi.A[e] = A[dim * entry[e / n] + entry[e % n]];
  }
  const char *reached = reached_by(c, n, phi.A);
  for (int e = 0; e < n * n; e++) {
    const int i = entry[e / n];
    const int j = entry[e % n];
    const char *name =
        arena_printf(c->memory, "phi_%s_%s", composer_name(c, i), composer_name(c, j));
    phi.Phi[e] = reached[e] ? fused_given(c->values, FUSED_H | FUSED_PHI, name, "") : NULL;
    all[dim * i + j] = phi.Phi[e];
  }
  s->phi = arena_grow(c->memory, s->phi, (size_t)s->n_phis, &s->room_of_phis, sizeof *s->phi);
  s->phi[s->n_phis++] = phi;
}

/* Phi of all blocks of a linear flow, 2d x 2d; NULL: 0. */
static const ir_expr **phi_of(composer *c, const fused_part *part, const ir_expr *t)
{
  const int dim = 2 * c->step->d;
  const ir_expr **A = matrix_of(c, part);
  const int *first = composer_blocks(c, dim, A);
  const ir_expr **Phi = composer_formulas(c, dim * dim);
  for (int i = 0; i < dim; i++) {
    int entry[FUSED_BLOCK_OF_PHI_MOST];
    int n = 0;
    for (int j = i; j < dim && first[i] == i; j++) {
      if (first[j] == i && n == FUSED_BLOCK_OF_PHI_MOST) {
        c->refusal = arena_printf(c->memory, "a linear flow of its H connects more than %d entries",
                                  FUSED_BLOCK_OF_PHI_MOST);
        return Phi;
      }
      if (first[j] == i) {
        entry[n++] = j;
      }
    }
    if (n == 1 && !A[dim * i + i]) {
      Phi[dim * i + i] = t;
    } else if (n > 0) {
      add_phi(c, n, entry, A, t, Phi);
    }
  }
  return Phi;
}

/* c->z <- the flow of a part for the time t. */
static void exact_flows_flow(composer *c, int number, const fused_part *part,
                             const ir_expr *const Phi[], const ir_expr *t)
{
  const int dim = 2 * c->step->d;
  const ir_expr **X = composer_zeros(c, dim);
  const ir_expr **z = composer_formulas(c, dim);
  for (int e = 0; e < part->grad->n; e++) {
    const int by = part->grad->entries[e].row;
    const int i = composer_conjugate(c, by);
    const char *name = arena_printf(c->memory, "f%d_%s", number + 1, composer_name(c, by));
    const ir_expr *slope = composer_at(c, part->grad->entries[e].value, c->z, NULL);
    X[i] = composer_driving(c, i, fused_define(c->values, name, "", slope));
  }
  for (int i = 0; i < dim; i++) {
    const ir_expr *by = composer_zero(c);
    for (int j = 0; j < dim; j++) {
      const ir_expr *entry = Phi ? Phi[dim * i + j] : i == j ? t : NULL;
      by = entry ? ir_plus(c->context, by, ir_times(c->context, entry, X[j])) : by;
    }
    const char *name = arena_printf(c->memory, "%s_after_%d", composer_name(c, i), number + 1);
    if (c->by && !ir_is_zero(by)) {
      c->by[i] = carry_more(c, i, by);
    }
    z[i] = ir_is_zero(by) ? c->z[i]
           : c->by        ? carry_reached(c, i, name, c->by[i])
                          : fused_define(c->values, name, "", ir_plus(c->context, c->z[i], by));
  }
  c->z = z;
}

void composer_flows(composer *c)
{
  const int n = c->base->n_parts;
  const fused_part *parts = c->base->parts;
  const ir_expr ***Phi = ARENA_ARRAY(c->memory, n, const ir_expr **);
  for (int k = 0; k < 2 * n - 1 && !c->refusal; k++) {
    const int i = k < n ? k : 2 * n - 2 - k;
    const double weight = i == n - 1 ? 1.0 : 0.5;
    const ir_expr *t = composer_part_of_h(c, weight);
    if (parts[i].is_linear && !Phi[i]) {
      Phi[i] = phi_of(c, &parts[i], t);
    }
    if (!c->refusal) {
      exact_flows_flow(c, i, &parts[i], Phi[i], t);
    }
  }
}
