/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base_stages.c -- the stages of a base method, entry by entry. Each entry is computed as soon as
 * the entries that it depends on are known, so the midpoint rule with a linear force is explicit.
 * If the dependences form a cycle, one more entry becomes an unknown.
 *
 * Forces of constraints on the positions are the increments of momenta by a slide, as in
 * runtime/step/stages.c: -Dg(Q)^T lambda is the momentum of Gamma_lambda(Q,0).
 */
#include "expr/builders.h"
#include "expr/derivative.h"
#include "fused/carry.h"
#include "step/stage_plan.h"

typedef struct stages {
  composer *c;
  sw_stage_plan plan;
  int d;
  int is_forced;
  double of_force;  /* the force of H is its gradient times this factor */
  char *reads;      /* 2d x 2d: 1 if entry i of grad H reads entry j of z */
  char *pull_reads; /* d x 2d: 1 if entry d + i of the fibre flow reads entry j of z */
  const ir_expr **value[SW_VALUES_MOST]; /* d entries each; NULL: not known yet */
  const ir_expr **slope[SW_SLOPES_MOST]; /* 2d entries each, H_q and H_p; NULL: not known yet */
  const ir_expr **pull[SW_SLOPES_MOST];  /* d entries each, h Dg^T lambda; NULL: not known yet */
  const ir_expr **lambda
      [SW_SLOPES_MOST]; /* h times the multipliers of each force, as inputs of the fibre flow */
  /* d entries each: an unknown, the distance of a value from the start, which needs an equation;
   * else NULL */
  const ir_expr **move[SW_VALUES_MOST];
} stages;

/* 1 if, as written, H_q reads positions alone and H_p momenta alone. */
static int halves_are_apart(const stages *s)
{
  const int dim = 2 * s->d;
  int apart = 1;
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j < dim; j++) {
      apart &= !s->reads[i * dim + j] || (i < s->d) == (j < s->d);
    }
  }
  return apart;
}

/* Adds an unknown for each multiplier of each stage in which constraints act. */
static void add_multipliers(stages *s)
{
  composer *c = s->c;
  const ir_program *p = c->program;
  fused_phase *phase = c->phase;
  const int many = s->is_forced ? s->plan.forces : 0;
  s->pull_reads = ARENA_ARRAY(c->memory, 2 * s->d * s->d, char);
  for (int i = 0; i < s->d && many; i++) {
    ir_inputs_read(c->context, IR_Z, 2 * s->d, c->flow.z[s->d + i], s->pull_reads + 2 * i * s->d);
  }
  for (int i = 0; i < many; i++) {
    s->lambda[i] = composer_formulas(c, 3 * p->nc);
    for (int j = 0; j < p->nc; j++) {
      const char *name = arena_printf(c->memory, "pull_%s_%d", p->c_names[j], i + 1);
      s->lambda[i][j] = composer_unknown(c, name, "h lambda", composer_zero(c));
      if (c->refusal) {
        return;
      }
      phase->force_weight[phase->n - 1] = sw_stage_plan_force_weight(&s->plan, i);
      phase->forces++;
      phase->keeps_pivots = 1;
    }
  }
}

static void base_stages_prepare(stages *s, composer *c, const sw_operation *o)
{
  const ir_program *p = c->program;
  const ir_function *grad = &p->functions[IR_HAMILTONIAN_GRAD];
  const int dim = 2 * p->nq;
  *s = (stages){.c = c, .d = p->nq, .is_forced = o->kind == SW_FORCED && p->nc > 0};
  s->of_force = o->force > 0.0 ? o->force : 1.0;
  s->reads = ARENA_ARRAY(c->memory, dim * dim, char);
  for (int i = 0; i < dim; i++) {
    ir_inputs_read(c->context, IR_Z, dim, grad->entries[i].value, s->reads + i * dim);
  }
  sw_stage_plan_make(c->base->tableau, halves_are_apart(s), &s->plan);
  for (int v = 0; v < s->plan.values; v++) {
    s->value[v] = composer_formulas(c, s->d);
    s->move[v] = composer_formulas(c, s->d);
    for (int j = 0; j < s->d && v < SW_VALUE_Q1; j++) {
      s->value[v][j] = c->z[v * s->d + j];
    }
  }
  for (int k = 0; k < s->plan.slopes; k++) {
    s->slope[k] = composer_formulas(c, dim);
    s->pull[k] = composer_formulas(c, p->nq);
  }
  add_multipliers(s);
}

/* Entry i of grad H in slope k; NULL unless the values that it reads are known. */
static const ir_expr *slope_entry(stages *s, int k, int i)
{
  const sw_stage_slope *at = &s->plan.slope[k];
  const int dim = 2 * s->d;
  const ir_expr **z = composer_formulas(s->c, dim);
  if (s->slope[k][i]) {
    return s->slope[k][i];
  }
  for (int j = 0; j < dim; j++) {
    const int v = j < s->d ? at->q : at->p;
    z[j] = v >= 0 ? s->value[v][j % s->d] : NULL;
    if (s->reads[i * dim + j] && !z[j]) {
      return NULL;
    }
    z[j] = z[j] ? z[j] : composer_zero(s->c);
  }
  s->slope[k][i] =
      composer_define_entry(s->c, "H", i, composer_value(s->c, IR_HAMILTONIAN_GRAD, i, z));
  return s->slope[k][i];
}

/* 1 if constraints act in slope k. */
static int pulls(const stages *s, int k)
{
  return s->is_forced && s->plan.slope[k].force >= 0;
}

/* Entry i of h Dg(Q)^T lambda in slope k; NULL unless the positions that it reads are known. */
static const ir_expr *pull_entry(stages *s, int k, int i)
{
  composer *c = s->c;
  const sw_stage_slope *at = &s->plan.slope[k];
  const ir_expr *zero = composer_zero(c);
  const ir_expr **z = composer_formulas(c, 2 * s->d);
  if (s->pull[k][i]) {
    return s->pull[k][i];
  }
  for (int j = 0; j < 2 * s->d; j++) {
    const ir_expr *position = j < s->d ? s->value[at->q][j] : zero;
    if (s->pull_reads[2 * i * s->d + j] && !position) {
      return NULL;
    }
    z[j] = position ? position : zero;
  }
  const ir_expr *slid = composer_at(c, c->flow.z[s->d + i], z, s->lambda[at->force]);
  s->pull[k][i] = composer_define_entry(c, "pull", s->d + i, ir_negated(c->context, slid));
  return s->pull[k][i];
}

/* The weighted contribution of slope k to entry j of a value; NULL if it is not known. */
static const ir_expr *pushed(stages *s, int k, double weight, int half, int j)
{
  ir_context *c = s->c->context;
  const int i = half ? j : s->d + j; /* H_q for momenta, H_p for positions */
  const ir_expr *slope = slope_entry(s, k, i);
  const ir_expr *pull = slope && half && pulls(s, k) ? pull_entry(s, k, j) : ir_integer(c, 0);
  if (!slope || !pull) {
    return NULL;
  }
  const ir_expr *step = composer_part_of_h(s->c, half ? s->of_force * weight : weight);
  return ir_plus(c, ir_times(c, step, slope), composer_scaled(s->c, weight, pull));
}

/* The distance from the start of entry j of a value, from its slopes; NULL unless all of them are
 * known. */
static const ir_expr *move_by_slopes(stages *s, int v, int j)
{
  const ir_expr *sum = composer_zero(s->c);
  for (int k = 0; k < s->plan.slopes; k++) {
    for (int n = s->plan.slope[k].first; n < s->plan.slope[k].last; n++) {
      if (s->plan.push[n].value != v) {
        continue;
      }
      const ir_expr *push = pushed(s, k, s->plan.push[n].weight, s->plan.value[v].half, j);
      if (!push) {
        return NULL;
      }
      sum = ir_plus(s->c->context, sum, push);
    }
  }
  return sum;
}

/* The number in z of the position or momentum that entry j of value v approximates. */
static int entry_of(const stages *s, int v, int j)
{
  return s->plan.value[v].half * s->d + j;
}

static const char *base_stages_name_of(const stages *s, int v, int j)
{
  const char *name = composer_name(s->c, entry_of(s, v, j));
  return v < SW_VALUES_OF_ENDS ? arena_printf(s->c->memory, "%s_after", name)
                               : arena_printf(s->c->memory, "%s_stage_%d", name, v - 3);
}

static const ir_expr *base_stages_moved(stages *s, int v, int j, const ir_expr *move)
{
  if (s->c->by) {
    const int i = entry_of(s, v, j);
    return carry_reached(s->c, i, base_stages_name_of(s, v, j), carry_more(s->c, i, move));
  }
  return fused_define(s->c->values, base_stages_name_of(s, v, j), "",
                      ir_plus(s->c->context, s->c->z[entry_of(s, v, j)], move));
}

/* Computes all entries that can be computed. Returns the number of remaining entries. */
static int base_stages_go_on(stages *s)
{
  int pending = -1;
  for (int before = 0; pending != before;) {
    before = pending;
    pending = 0;
    for (int v = SW_VALUE_Q1; v < s->plan.values; v++) {
      for (int j = 0; j < s->d; j++) {
        const ir_expr *move = s->value[v][j] ? NULL : move_by_slopes(s, v, j);
        if (move) {
          s->value[v][j] = base_stages_moved(s, v, j, move);
        }
        pending += !s->value[v][j];
      }
    }
  }
  return pending;
}

/* 1 if a slope that is not known yet reads this entry of a value. */
static int base_stages_is_wanted(const stages *s, int v, int j)
{
  const int dim = 2 * s->d;
  const int entry = entry_of(s, v, j);
  for (int k = 0; k < s->plan.slopes; k++) {
    const int at = s->plan.value[v].half ? s->plan.slope[k].p : s->plan.slope[k].q;
    for (int i = 0; i < dim && at == v; i++) {
      if (!s->slope[k][i] && s->reads[i * dim + entry]) {
        return 1;
      }
    }
    for (int i = 0; i < s->d && at == v && pulls(s, k); i++) {
      if (!s->pull[k][i] && s->pull_reads[i * dim + entry]) {
        return 1;
      }
    }
  }
  return 0;
}

/* Initial guess of Newton's method for entry j of a value: h sum w (H_p or -H_q) at the start, as
 * in runtime/step/stages.h. */
static const ir_expr *first_guess(stages *s, int v, int j)
{
  const int half = s->plan.value[v].half;
  const int i = half ? j : s->d + j;
  composer *c = s->c;
  const ir_expr *slope =
      composer_define_entry(c, "H", i, composer_value(c, IR_HAMILTONIAN_GRAD, i, c->start));
  const ir_expr *first_move = ir_times(c->context, composer_part_of_h(s->c, s->plan.sum[v]), slope);
  return fused_define(c->values, arena_printf(c->memory, "%s_guess", base_stages_name_of(s, v, j)),
                      "", first_move);
}

/* Makes an unknown of the first needed entry of one half. is_block selects the values that the
 * general solver solves for, or the others. Returns 0 if there is none. */
static int guess_one(stages *s, int is_block, int half)
{
  for (int v = SW_VALUE_Q1; v < s->plan.values; v++) {
    const int fits = s->plan.value[v].half == half && (s->plan.value[v].block >= 0) == is_block;
    for (int j = 0; j < s->d && fits; j++) {
      if (!s->value[v][j] && base_stages_is_wanted(s, v, j)) {
        const char *name = arena_printf(s->c->memory, "move_%s", base_stages_name_of(s, v, j));
        s->move[v][j] = composer_unknown(s->c, name, "", first_guess(s, v, j));
        s->value[v][j] = base_stages_moved(s, v, j, s->move[v][j]);
        return 1;
      }
    }
  }
  return 0;
}

/* Adds the equations X - h sum w slope = 0 of the unknown entries, in the order of the unknowns. */
static void equate(stages *s)
{
  fused_phase *phase = s->c->phase;
  for (int i = phase->m + phase->forces; i < phase->n; i++) {
    for (int v = SW_VALUE_Q1; v < s->plan.values; v++) {
      for (int j = 0; j < s->d; j++) {
        if (s->move[v][j] == phase->unknown[i]) {
          composer_miss(s->c, i, s->plan.value[v].half, base_stages_name_of(s, v, j),
                        ir_minus(s->c->context, phase->unknown[i], move_by_slopes(s, v, j)));
        }
      }
    }
  }
}

/* Entry j of a value at which g is evaluated. For a stage it is the unknown itself, which costs
 * less. For an end that is solved for, it is computed from its slopes. Then Newton's first change,
 * by which both solvers judge a root, is that of the general solver (sw_stages_forced_at of
 * runtime/step/stages.c). */
static const ir_expr *held(stages *s, int v, int j)
{
  return s->move[v][j] && v < SW_VALUES_OF_ENDS
             ? fused_define(
                   s->c->values, base_stages_name_of(s, v, j), "as its slopes make it",
                   ir_plus(s->c->context, s->c->z[entry_of(s, v, j)], move_by_slopes(s, v, j)))
             : s->value[v][j];
}

/* The increment of entry j of the state at this value; for compensated steps. */
static const ir_expr *base_stages_added(stages *s, int v, int j)
{
  return carry_more(s->c, entry_of(s, v, j),
                    s->move[v][j] ? s->move[v][j] : move_by_slopes(s, v, j));
}

/* (1 - c) g_i(q) if the method closes g (runtime/methods/methods.h), else 0; share is 1 - c. */
static const ir_expr *wanted(stages *s, int i, double share)
{
  composer *c = s->c;
  const ir_expr **z = composer_formulas(c, 2 * s->d);
  for (int j = 0; j < 2 * s->d; j++) {
    z[j] = j < s->d ? c->z[j] : composer_zero(c);
  }
  return composer_scaled(c, share, share != 0.0 ? composer_value(c, IR_CONSTRAINT, i, z) : z[s->d]);
}

/* Adds the equations g(Q_i) = wanted(...) of the stages in which constraints act. */
static void base_stages_hold(stages *s, int closes)
{
  composer *c = s->c;
  const ir_program *p = c->program;
  for (int i = 0; i < c->phase->forces; i++) {
    const double kept = closes ? 1.0 - sw_stage_plan_force_time(&s->plan, i / p->nc) : 0.0;
    const int at = s->plan.slope[sw_stage_plan_force_slope(&s->plan, i / p->nc)].q;
    const ir_expr **z = composer_formulas(c, 2 * s->d);
    const ir_expr **by = composer_formulas(c, 2 * s->d);
    for (int j = 0; j < 2 * s->d; j++) {
      z[j] = j < s->d ? held(s, at, j) : composer_zero(c);
      by[j] = c->by && j < s->d ? base_stages_added(s, at, j) : composer_zero(c);
    }
    const int g = i % p->nc;
    composer_hold(
        c, c->phase->m + i, g,
        c->by ? carry_residual(c, g, 1.0 - kept, z, by)
              : ir_minus(c->context, composer_value(c, IR_CONSTRAINT, g, z), wanted(s, g, kept)));
  }
}

void composer_stages(composer *c, const sw_operation *o)
{
  stages s;
  if (!c->base->tableau) {
    composer_flows(c);
    return;
  }
  base_stages_prepare(&s, c, o);
  while (base_stages_go_on(&s) && !c->refusal) {
    /* Makes an unknown of one entry. The order, positions before momenta, is that of the general
     * solver, so both judge the same first change. */
    if (!guess_one(&s, 1, 0) && !guess_one(&s, 1, 1) && !guess_one(&s, 0, 0) &&
        !guess_one(&s, 0, 1)) {
      c->refusal = "its stages cannot be put in order";
    }
  }
  if (c->refusal) {
    return;
  }
  equate(&s);
  base_stages_hold(&s, o->closes);
  const ir_expr **after = composer_formulas(c, 2 * s.d);
  for (int i = 0; i < 2 * s.d; i++) {
    after[i] = s.value[SW_VALUE_Q1 + i / s.d][i % s.d];
    if (c->by) {
      c->by[i] = base_stages_added(&s, SW_VALUE_Q1 + i / s.d, i % s.d);
    }
  }
  c->z = after;
}
