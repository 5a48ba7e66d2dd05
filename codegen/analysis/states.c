/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <math.h>

#include "analysis/dependence_means.h"

/* The largest |f_i|, and in *scaled the largest relative to its scale; infinite if not finite. */
static double states_residual(study *s, ir_function_id id, const double z[], double *scaled)
{
  const ir_function *f = &s->p->functions[id];
  const ir_function *scale = &s->p->functions[id + 1];
  const ir_function *jac = &s->p->functions[id + 2];
  double size[2] = {0, 0};
  double largest = 0;
  *scaled = 0;
  for (int j = 0; j < s->n; j++) {
    size[j >= s->p->nq] = fmax(size[j >= s->p->nq], fabs(z[j]));
  }
  for (int i = 0, e = 0; i < f->n; i++) {
    double value = fabs(ir_evaluator_value(s->doubles, f->entries[i].value));
    double terms = ir_evaluator_value(s->doubles, scale->entries[i].value);
    double slopes = 0;
    for (; e < jac->n && jac->entries[e].row == i; e++) {
      slopes += fabs(ir_evaluator_value(s->doubles, jac->entries[e].value)) *
                size[jac->entries[e].col >= s->p->nq];
    }
    double unit = fmax(terms, slopes);
    largest = isfinite(value) ? fmax(largest, value) : (double)INFINITY;
    *scaled = fmax(*scaled, unit > 0 ? value / unit : value > 0 ? (double)INFINITY : 0);
  }
  return largest;
}

static record_state states_examine(study *s, const record *r, int j)
{
  const ir_program *p = s->p;
  record_state state = {.finite = 1};
  double *z = ARENA_ARRAY(s->memory, s->n, double);
  double scaled[2] = {0, 0};
  study_begin(s, &s->settings[0], NULL);
  for (int i = 0; i < s->n; i++) {
    z[i] = ir_evaluator_value(s->doubles, p->states[j].z[i]);
    state.finite = state.finite && isfinite(z[i]);
  }
  study_begin(s, &s->settings[0], z);
  double H = ir_evaluator_value(s->doubles, s->H);
  if (p->nc > 0) {
    state.largest_g = states_residual(s, IR_CONSTRAINT, z, &scaled[0]);
    state.largest_hidden = states_residual(s, IR_HIDDEN, z, &scaled[1]);
    int wanted = r->independence.redundant ? r->independence.rank : p->nc;
    state.condition = state.finite ? rank_loss(s, z, IR_NONDEGENERACY, wanted) : (double)NAN;
  }
  state.finite = state.finite && isfinite(H) && isfinite(state.largest_g) &&
                 isfinite(state.largest_hidden) && !isnan(state.condition);
  state.on_M = state.finite && scaled[0] <= RECORD_ON_MANIFOLD;
  state.on_MH = state.on_M && scaled[1] <= RECORD_ON_MANIFOLD;
  return state;
}

void examine_states(study *s, record *r)
{
  record_state *states = ARENA_ARRAY(s->memory, s->p->n_states + 1, record_state);
  for (int j = 0; j < s->p->n_states; j++) {
    states[j] = states_examine(s, r, j);
  }
  r->states = states;
}
