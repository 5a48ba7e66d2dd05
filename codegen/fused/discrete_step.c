/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discrete_step.c -- a step with discrete gradients, z1 = z + J (h DH(z,z1) + sum_i h lambda_i
 * Dg_i(z,z1)), entry by entry. Each entry of z1 is computed as soon as the entries that it depends
 * on are known. If the dependences form a cycle, one more entry becomes an unknown.
 */
#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/substitute.h"
#include "fused/composer.h"

typedef struct discrete {
  composer *c;
  int d;
  const ir_expr **lambda; /* m: h times the multipliers */
  const ir_expr **slope;  /* 2d: h DH + sum_i h lambda_i Dg_i, with the inputs of IR_NEXT for z1 */
  char *reads;            /* 2d x 2d: 1 if slope i reads entry j of z1 */
  const ir_expr **end;    /* 2d: z1; NULL: not known yet */
  const ir_expr **move;   /* 2d: an unknown, the distance of the entry from z; else NULL */
  int *row;               /* 2d: number of this unknown */
} discrete;

/* Entry i of J slope; NULL unless the entries of z1 that it reads are known. */
static const ir_expr *discrete_step_change(discrete *s, int i)
{
  ir_context *c = s->c->context;
  const int at = composer_conjugate(s->c, i);
  const ir_expr **next = composer_formulas(s->c, 2 * s->d);
  for (int j = 0; j < 2 * s->d; j++) {
    if (s->reads[2 * at * s->d + j] && !s->end[j]) {
      return NULL;
    }
    next[j] = s->end[j] ? s->end[j] : ir_integer(c, 0);
  }
  const ir_expr *slope = ir_substitute(c, IR_NEXT, next, s->slope[at]);
  slope = composer_define_entry(s->c, "slope", at, composer_at(s->c, slope, s->c->z, NULL));
  return composer_driving(s->c, i, slope);
}

static void prepare(discrete *s, composer *c)
{
  const ir_program *p = c->program;
  const ir_function *DH = &p->functions[IR_DISCRETE_GRAD];
  const ir_function *Dg = &p->functions[IR_DISCRETE_JAC];
  const int dim = 2 * p->nq;
  *s = (discrete){.c = c, .d = p->nq};
  s->lambda = composer_formulas(c, p->nc);
  s->slope = composer_zeros(c, dim);
  s->reads = ARENA_ARRAY(c->memory, dim * dim, char);
  s->end = composer_formulas(c, dim);
  s->move = composer_formulas(c, dim);
  s->row = ARENA_ARRAY(c->memory, dim, int);
  for (int i = 0; i < p->nc; i++) {
    const char *name = arena_printf(c->memory, "along_%s", p->c_names[i]);
    s->lambda[i] = composer_unknown(c, name, "h lambda", composer_zero(c));
  }
  c->phase->m = p->nc;
  for (int e = 0; e < DH->n; e++) {
    s->slope[DH->entries[e].row] = ir_times(c->context, c->step->h, DH->entries[e].value);
  }
  for (int e = 0; e < Dg->n; e++) {
    const ir_entry *entry = &Dg->entries[e];
    composer_add(c, &s->slope[entry->col], s->lambda[entry->row], entry->value);
  }
  for (int i = 0; i < dim; i++) {
    ir_inputs_read(c->context, IR_NEXT, dim, s->slope[i], s->reads + i * dim);
  }
}

static const ir_expr *discrete_step_moved(discrete *s, int i, const ir_expr *by)
{
  const char *name = arena_printf(s->c->memory, "%s_after", composer_name(s->c, i));
  return fused_define(s->c->values, name, "", ir_plus(s->c->context, s->c->z[i], by));
}

/* Computes all entries that can be computed. Returns the number of remaining entries. */
static int discrete_step_go_on(discrete *s)
{
  int pending = -1;
  for (int before = 0; pending != before;) {
    before = pending;
    pending = 0;
    for (int i = 0; i < 2 * s->d; i++) {
      const ir_expr *by = s->end[i] ? NULL : discrete_step_change(s, i);
      s->end[i] = by ? discrete_step_moved(s, i, by) : s->end[i];
      pending += !s->end[i];
    }
  }
  return pending;
}

/* 1 if an entry that is not known yet depends on entry i. */
static int discrete_step_is_wanted(const discrete *s, int i)
{
  int wanted = 0;
  for (int j = 0; j < 2 * s->d && !s->end[i]; j++) {
    wanted |= s->reads[2 * j * s->d + i] && !s->end[composer_conjugate(s->c, j)];
  }
  return wanted;
}

/* Makes an unknown of the first needed entry, momenta before positions. Its guess is z + h X_H(z),
 * as in runtime/step/discrete.h. */
static void discrete_step_guess(discrete *s)
{
  composer *c = s->c;
  int i = s->d;
  while (!discrete_step_is_wanted(s, i)) {
    i = (i + 1) % (2 * s->d);
  }
  const int at = composer_conjugate(c, i);
  const ir_expr *slope =
      composer_define_entry(c, "H", at, composer_value(c, IR_HAMILTONIAN_GRAD, at, c->z));
  slope = composer_driving(c, i, slope);
  s->row[i] = c->phase->n;
  s->move[i] = composer_unknown(
      c, arena_printf(c->memory, "move_%s", composer_name(c, i)), "",
      composer_define_entry(s->c, "guess", i, ir_times(c->context, c->step->h, slope)));
  s->end[i] = discrete_step_moved(s, i, s->move[i]);
}

void composer_discrete(composer *c, const sw_operation *o)
{
  discrete s;
  (void)o;
  if (!c->program->functions[IR_DISCRETE_GRAD].rows) {
    c->refusal = "it has no discrete gradients, which `--with discrete` makes";
    return;
  }
  prepare(&s, c);
  while (!c->refusal && discrete_step_go_on(&s)) {
    discrete_step_guess(&s);
  }
  for (int i = 0; i < 2 * s.d && !c->refusal; i++) {
    if (s.move[i]) {
      composer_miss(c, s.row[i], i >= s.d, composer_name(c, i),
                    ir_minus(c->context, s.move[i], discrete_step_change(&s, i)));
    }
  }
  c->phase->keeps_pivots = 1;
  c->z = s.end;
}
