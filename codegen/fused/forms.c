/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forms.c -- the choice of forms. A value that is affine in the unknowns u has two forms. In the
 * form free + sum_j slope_j u_j the coefficients are computed once, before Newton's method. In the
 * original formula the parts without u can be computed once as well.
 *
 * The first form suits a position of a pendulum. The second suits an entry of the Jacobian of a
 * long chain, which has many slopes, and any value that is needed only once after the last
 * iteration. For a value that is not affine, the parts before the unknowns are computed separately
 * if this costs less.
 *
 * The cost of a step is its number of weighted operations. Starting from affine forms, each value
 * in turn changes to its other form if the step becomes cheaper.
 */
#include "fused/step.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/code.h"

/* Assumed number of iterations of a solve: most solves take two or three. */
static const double evaluations = 3.0;

/* Costs of operations, in additions. Reading a value has a cost because there are more values than
 * registers. */
static const double cost_of_quotient = 4.0;
static const double cost_of_call = 20.0;
static const double cost_of_reading = 0.5;

typedef struct form {
  const ir_expr *formula;
  double cost;
  fused_list reads;
} form;

typedef struct forms {
  const fused_step *step;
  fused_values *f;
  arena *memory;
  form *now;         /* of each value; formula is NULL if it is given */
  fused_list *reads; /* those of `now` */
  form *other;       /* the alternative form of each value, if any */
  char *needed;      /* scratch of a count: 1 if the value is needed */
  char *is_tried;    /* 1 if a residual or a change needs the value */
} forms;

/* ---- parts that are computed earlier ---- */

static int forms_level_of(const fused_values *f, const ir_expr *e)
{
  return fused_level(fused_depends(f, e));
}

/* 1 if e is a number, pi or an input, which cost nothing. */
static int is_leaf(const ir_expr *e)
{
  return e->kind == IR_NUMBER || e->kind == IR_PI || e->kind == IR_INPUT;
}

/* The replacement of parts of a formula that precede a level by values. Shared parts are visited
 * once. */
typedef struct hoisting {
  fused_values *f;
  int level;
  unsigned size;         /* length of the next two arrays, which are indexed by ids of nodes */
  unsigned *seen;        /* number of the pass that found the result */
  const ir_expr **found; /* the result */
  unsigned pass;
} hoisting;

static const ir_expr *without_early_parts(hoisting *h, const ir_expr *e);

/* Combines the parts of a sum or product that can be computed before the level into one value. */
static const ir_expr *without_early(hoisting *h, const ir_expr *e)
{
  ir_context *c = h->f->context;
  const int is_sum = e->kind == IR_SUM;
  const ir_expr **early = ir_zeros((size_t)e->n, sizeof *early);
  const ir_expr **rest = ir_zeros((size_t)e->n + 1, sizeof *rest);
  int n_early = 0;
  int n_rest = 0;
  for (int i = 0; i < e->n; i++) {
    const ir_expr *part = is_sum ? ir_scale(c, e->terms[i].coefficient, e->terms[i].node)
                                 : ir_pow(c, e->factors[i].base, e->factors[i].exponent);
    if (forms_level_of(h->f, part) < h->level) {
      early[n_early++] = part;
    } else if (is_sum) {
      rest[n_rest++] =
          ir_scale(c, e->terms[i].coefficient, without_early_parts(h, e->terms[i].node));
    } else {
      rest[n_rest++] =
          ir_pow(c, without_early_parts(h, e->factors[i].base), e->factors[i].exponent);
    }
  }
  const ir_expr *known = is_sum ? ir_add(c, n_early, early) : ir_mul(c, n_early, early);
  rest[n_rest++] = is_leaf(known) ? known : fused_compute_before(h->f, "part", known, h->level);
  const ir_expr *all = is_sum ? ir_add(c, n_rest, rest) : ir_mul(c, n_rest, rest);
  free(early);
  free(rest);
  return all;
}

static const ir_expr *without_early_parts(hoisting *h, const ir_expr *e)
{
  if (is_leaf(e)) {
    return e;
  }
  if (h->seen[e->id] == h->pass) {
    return h->found[e->id];
  }
  const ir_expr *result = NULL;
  if (forms_level_of(h->f, e) < h->level) {
    result = fused_compute_before(h->f, "part", e, h->level);
  } else if (e->kind != IR_CALL) {
    result = without_early(h, e);
  } else {
    const ir_expr *x = without_early_parts(h, e->arguments[0]);
    const ir_expr *y = e->n > 1 ? without_early_parts(h, e->arguments[1]) : NULL;
    result = ir_apply(h->f->context, e->call, x, y);
  }
  h->seen[e->id] = h->pass;
  h->found[e->id] = result;
  return result;
}

/* The next pass over formulas of up to that id. */
static void begin_pass(hoisting *h, unsigned id)
{
  if (id >= h->size) {
    free(h->seen);
    free(h->found);
    h->size = 2 * ir_context_size(h->f->context);
    h->seen = ir_zeros(h->size, sizeof *h->seen);
    h->found = ir_zeros(h->size, sizeof *h->found);
    h->pass = 0;
  }
  h->pass++;
}

/* e, where what can be computed before that level is a value. */
static const ir_expr *hoisted(hoisting *h, const ir_expr *e, int level)
{
  begin_pass(h, e->id);
  h->level = level;
  return without_early_parts(h, e);
}

/* 1 if the level is that of values before the unknowns of a later solve. By then values of the
 * state at the start may be overwritten. */
static int is_between_solves(int level)
{
  return level >= FUSED_BEGIN(1) && level % 2 == FUSED_BEGIN(0) % 2;
}

/* Whether a part that belongs to the setup and was not visited in this pass has a root or a
 * function. */
static int has_costly_part(hoisting *h, const ir_expr *e)
{
  if (is_leaf(e) || h->seen[e->id] == h->pass) {
    return 0;
  }
  h->seen[e->id] = h->pass;
  const int is_setup = forms_level_of(h->f, e) == FUSED_SETUP;
  int found = is_setup && e->kind == IR_CALL && e->call != IR_ABS;
  for (int i = 0; i < e->n && !found; i++) {
    const int is_root =
        e->kind == IR_PRODUCT && mpz_cmp_ui(mpq_denref(e->factors[i].exponent), 1) != 0;
    found = (is_root && forms_level_of(h->f, e->factors[i].base) == FUSED_SETUP) ||
            has_costly_part(h, ir_operand(e, i));
  }
  return found;
}

/* A formula of that level without what is better computed before. */
static const ir_expr *without_setup(hoisting *h, const ir_expr *e, int level)
{
  if (!e || level == FUSED_SETUP) {
    return e;
  }
  begin_pass(h, e->id);
  return has_costly_part(h, e) ? hoisted(h, e, FUSED_PLACE) : e;
}

/* ---- cost ---- */

static form forms_make_form(const forms *s, const ir_expr *formula)
{
  const fused_values *f = s->f;
  form result = {.formula = formula, .reads = fused_reads_kept(f, formula)};
  arena *scratch = arena_create();
  const ir_code *code = ir_code_create_in(scratch, f->context, 1, &formula, NULL, NULL);
  result.cost = code->additions + code->products + cost_of_quotient * code->quotients +
                cost_of_call * code->calls + cost_of_reading * result.reads.n;
  arena_free(scratch);
  return result;
}

/* Cost of the whole step. */
static double cost(const forms *s)
{
  const fused_step *step = s->step;
  const size_t n = (size_t)s->f->n;
  double sum = 0.0;
  memset(s->needed, 0, n);
  fused_need(s->reads, step->dim, step->end, s->needed);
  fused_need(s->reads, step->m, step->g, s->needed);
  fused_need(s->reads, step->m, step->rho, s->needed);
  for (int i = 0; i < step->n_phases; i++) {
    const fused_phase *p = &step->phase[i];
    memset(s->is_tried, 0, n);
    fused_need(s->reads, p->n, p->F, s->is_tried);
    fused_need(s->reads, p->n, p->change, s->is_tried);
    for (size_t j = 0; j < n; j++) {
      const int again = s->is_tried[j] && fused_level(s->f->at[j].reads) == FUSED_TRY(i);
      sum += again ? (evaluations - 1.0) * s->now[j].cost : 0.0;
      s->needed[j] = (char)(s->needed[j] || s->is_tried[j]);
    }
  }
  for (size_t j = 0; j < n; j++) {
    const int is_setup = fused_level(s->f->at[j].reads) == FUSED_SETUP;
    sum += s->needed[j] && !is_setup ? s->now[j].cost : 0.0;
  }
  return sum;
}

/* ---- the choice ---- */

static void forms_exchange(forms *s, int i)
{
  const form other = s->other[i];
  s->other[i] = s->now[i];
  s->now[i] = other;
  s->reads[i] = other.reads;
  s->f->at[i].formula = other.formula;
}

void fused_choose_forms(const fused_step *step)
{
  fused_values *f = step->values;
  arena *a = ir_context_arena(f->context);
  forms s = {.step = step, .f = f, .memory = a};
  hoisting h = {.f = f};
  const int n = f->n;
  const ir_expr **direct = ARENA_ARRAY(a, n + 1, const ir_expr *);
  for (int i = 0; i < n && !ir_is_spent(f->context); i++) {
    const int level = fused_level(f->at[i].reads);
    const ir_expr *formula = without_setup(&h, f->at[i].direct, level);
    direct[i] =
        formula && forms_level_of(f, formula) == level ? hoisted(&h, formula, level) : formula;
    formula = without_setup(&h, f->at[i].formula, level);
    if (formula && is_between_solves(level) && forms_level_of(f, formula) == level) {
      formula = hoisted(&h, formula, level);
    } else if (formula && level >= FUSED_TRY(0) && !direct[i]) {
      /* it is evaluated repeatedly: the earlier parts are computed before, if this costs less */
      const ir_expr *other = hoisted(&h, formula, level);
      formula =
          forms_make_form(&s, other).cost < forms_make_form(&s, formula).cost ? other : formula;
    }
    f->at[i].formula = formula;
  }
  for (int i = 0; i < step->d && step->force; i++) {
    fused_value *v = fused_of(f, step->force[i]);
    const ir_expr *formula = v ? v->formula : NULL;
    if (formula && fused_level(v->reads) == FUSED_PLACE) {
      formula = hoisted(&h, formula, FUSED_PLACE);
      fused_of(f, step->force[i])->formula = formula;
    }
  }
  free(h.seen);
  free(h.found);
  s.now = ARENA_ARRAY(a, f->n + 1, form);
  s.other = ARENA_ARRAY(a, f->n + 1, form);
  s.reads = ARENA_ARRAY(a, f->n + 1, fused_list);
  s.needed = ARENA_ARRAY(a, f->n + 1, char);
  s.is_tried = ARENA_ARRAY(a, f->n + 1, char);
  for (int i = 0; i < f->n && !ir_is_spent(f->context); i++) {
    s.now[i] = f->at[i].formula ? forms_make_form(&s, f->at[i].formula) : (form){0};
    s.reads[i] = s.now[i].reads;
    s.other[i] = i < n && direct[i] ? forms_make_form(&s, direct[i]) : (form){0};
  }
  double least = cost(&s);
  for (int is_better = 1; is_better && !ir_is_spent(f->context);) {
    is_better = 0;
    for (int i = n - 1; i >= 0; i--) {
      if (s.other[i].formula) {
        forms_exchange(&s, i);
        const double found = cost(&s);
        if (found < least) {
          least = found;
          is_better = 1;
        } else {
          forms_exchange(&s, i);
        }
      }
    }
  }
}
