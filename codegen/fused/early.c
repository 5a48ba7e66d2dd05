/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * early.c -- entries of the state that are final before the last solve. They overwrite the start at
 * that point. Values of the new state, such as a force, are then computed once, for this solve and
 * for the next step.
 */
#include <stdlib.h>

#include "expr/builders.h"
#include "expr/substitute.h"
#include "fused/composer.h"

/* 1 if only slides and their requirements follow. */
static int only_slides(const sw_operation *rest)
{
  while (rest->kind == SW_FIBRE || rest->kind == SW_REQUIRE_G || rest->kind == SW_REQUIRE_RHO) {
    rest++;
  }
  return rest->kind == SW_END;
}

int composer_is_final(const composer *c, const sw_operation *rest, int i)
{
  const ir_function *flow = &c->program->functions[IR_FIBRE_FLOW];
  return rest->kind != SW_END && only_slides(rest) && c->program->nc > 0 &&
         ir_is_input(flow->entries[i].value, IR_Z, i);
}

/* The final value of entry j of the state. */
static const ir_expr *early_end_of(const composer *c, int j)
{
  return c->by ? c->step->end[j] : c->z[j];
}

void composer_mark_early(composer *c, const sw_operation *rest)
{
  fused_step *s = c->step;
  /* The previous state must remain that of the start in all entries. */
  const int has_earlier = s->dim > 2 * s->d && !c->by;
  if (s->advances >= 0 || !c->may_advance || has_earlier) {
    return;
  }
  for (int i = 0; i < s->dim; i++) {
    /* An unchanged entry is not moved, and values that depend on it remain valid. */
    s->is_early[i] =
        (char)(composer_is_final(c, rest, i % (2 * s->d)) && early_end_of(c, i) != s->z[i]);
    s->advances = s->is_early[i] ? c->values->phase : s->advances;
  }
}

/* The residuals and changes of a phase. */
typedef struct solved {
  int n;
  const ir_expr *from[2 * FUSED_UNKNOWNS_MOST];
} solved;

static solved what_is_solved(const fused_phase *phase)
{
  solved s = {.n = 2 * phase->n};
  for (int i = 0; i < phase->n; i++) {
    s.from[2 * i] = phase->F[i];
    s.from[2 * i + 1] = phase->change[i];
  }
  return s;
}

/* The expression of value i, after the early entries have overwritten the start, in terms of now[],
 * the expressions of earlier values. NULL if it does not follow from them. *formula: its formula,
 * if it is a value of the state, else NULL. */
static const ir_expr *there(const composer *c, int i, const ir_expr *const now[],
                            const ir_expr **formula)
{
  const fused_values *f = c->values;
  const ir_expr *node = ir_input(c->context, IR_VALUE, i);
  const int level = fused_level(f->at[i].reads);
  *formula = NULL;
  for (int j = 0; j < c->step->dim; j++) {
    if (c->step->z[j] == node) {
      return c->step->is_early[j] ? early_end_of(c, j) : NULL;
    }
  }
  if (level != FUSED_PLACE || !f->at[i].formula) {
    return level == FUSED_SETUP ? node : NULL;
  }
  const fused_list reads = fused_reads(f, f->at[i].formula);
  int follows = 1;
  for (int j = 0; j < reads.n; j++) {
    follows &= reads.at[j] < i && now[reads.at[j]] != NULL;
  }
  *formula = follows ? ir_substitute(c->context, IR_VALUE, now, f->at[i].formula) : NULL;
  return *formula;
}

/* Removes entries from the early ones if their ends depend on values of the new state, such as a
 * force, which are computed after the move. Returns the number of removed entries. */
static int find_late(composer *c)
{
  fused_values *f = c->values;
  const solved by = what_is_solved(c->phase);
  const ir_expr **now = ir_zeros((size_t)f->n + 1, sizeof *now);
  int late = 0;
  for (int i = 0; i < f->n; i++) {
    const ir_expr *formula = NULL;
    now[i] = there(c, i, now, &formula);
    const ir_expr *known = formula ? fused_known(f, formula) : NULL;
    now[i] = known ? known : now[i];
    if (!known || !fused_of(f, known) || !fused_of(f, known)->formula ||
        fused_is_needed(f, known->index, by.n, by.from)) {
      continue;
    }
    char *needs = fused_needing(f, known->index);
    for (int j = 0; j < c->step->dim; j++) {
      const ir_expr *end = c->step->is_early[j] ? early_end_of(c, j) : NULL;
      if (end && fused_of(f, end) && needs[end->index]) {
        /* an entry and its carry stay together */
        c->step->is_early[j] = c->step->is_early[(j + 2 * c->step->d) % c->step->dim] = 0;
        late++;
      }
    }
    free(needs);
  }
  free(now);
  return late;
}

void composer_renew_place(composer *c)
{
  fused_values *f = c->values;
  const solved by = what_is_solved(c->phase);
  const int n = f->n; /* each value may get a renewed one */
  const ir_expr **now = ir_zeros((size_t)n + 1, sizeof *now);
  while (find_late(c) > 0) {
  }
  for (int i = 0; i < n; i++) {
    const ir_expr *formula = NULL;
    now[i] = there(c, i, now, &formula);
    if (formula) {
      now[i] = fused_renewed(f, ir_input(c->context, IR_VALUE, i));
      fused_take_over(f, formula, now[i], by.n, by.from);
      fused_equate(f, formula, now[i]);
    }
  }
  free(now);
}
