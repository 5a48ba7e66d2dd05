/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/composer.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/sign.h"
#include "expr/substitute.h"

typedef struct turning {
  ir_context *context;
  const ir_program *program;
  int m;
  int j;                /* the multiplier under examination */
  const ir_expr *angle; /* argument of its sines and cosines; NULL: none found yet */
  int turns;            /* 0 if the multiplier also occurs elsewhere */
  /* 1: they occur in products of an even number of factors, so phi = 2 angle; else phi = angle */
  int is_even;
  char *seen;           /* indexed by ids */
  const ir_expr **made; /* indexed by ids */
} turning;

static int is_of_angle(const turning *t, const ir_expr *e)
{
  return e->kind == IR_CALL && (e->call == IR_SIN || e->call == IR_COS) &&
         e->arguments[0] == t->angle;
}

/* ---- analysis ---- */

/* Multiplicity of a factor as a sine or cosine of the angle; -1 if its exponent is not a positive
 * integer. */
static long rotation_times(const turning *t, const ir_factor *f)
{
  return !is_of_angle(t, f->base) ? 0
         : mpz_cmp_ui(mpq_denref(f->exponent), 1) == 0 && mpq_sgn(f->exponent) > 0 &&
                 mpz_fits_slong_p(mpq_numref(f->exponent))
             ? mpz_get_si(mpq_numref(f->exponent))
             : -1;
}

static void rotation_look(turning *t, const ir_expr *e, int in_product)
{
  if (t->seen[e->id] && !is_of_angle(t, e)) {
    return;
  }
  t->seen[e->id] = 1;
  if (e->kind == IR_CALL && (e->call == IR_SIN || e->call == IR_COS) &&
      ir_reads(t->context, e, ir_input(t->context, IR_LAMBDA, t->j))) {
    t->angle = t->angle ? t->angle : e->arguments[0];
    t->turns &= e->arguments[0] == t->angle;
    t->is_even &= in_product;
    return;
  }
  t->turns &= !ir_is_input(e, IR_LAMBDA, t->j);
  long odd = 0;
  for (int i = 0; e->kind == IR_PRODUCT && i < e->n; i++) {
    rotation_look(t, e->factors[i].base, 1); /* finds the angle */
    const long n = rotation_times(t, &e->factors[i]);
    t->turns &= n >= 0;
    odd ^= n & 1;
  }
  t->is_even &= !odd;
  for (int i = 0; e->kind != IR_PRODUCT && i < e->n; i++) {
    rotation_look(t, ir_operand(e, i), 0);
  }
}

/* The rate in angle = rate lambda_j if it is positive and depends on parameters alone; else
 * NULL. */
static const ir_expr *rotation_rate_of(turning *t)
{
  ir_context *c = t->context;
  const ir_expr *lambda = ir_input(c, IR_LAMBDA, t->j);
  const ir_expr *rate = ir_times(c, t->angle, ir_power(c, lambda, -1, 1));
  int of_parameters = !ir_reads_state(c, rate) && ir_sign(t->program, rate) > 0;
  for (int i = 0; i < t->m; i++) {
    of_parameters &= !ir_reads(c, rate, ir_input(c, IR_LAMBDA, i));
  }
  return of_parameters ? rate : NULL;
}

/* ---- sines and cosines instead of universal functions ---- */

/* G_0(c,t) or G_1(c,t) by the angle sqrt(-c) t, if c is negative and depends on parameters alone;
 * else NULL. */
static const ir_expr *by_angle(const turning *t, const ir_expr *e)
{
  ir_context *c = t->context;
  if (e->kind != IR_CALL || (e->call != IR_G0 && e->call != IR_G1) ||
      !ir_reads(c, e->arguments[1], ir_input(c, IR_LAMBDA, t->j)) ||
      ir_reads_state(c, e->arguments[0]) || ir_sign(t->program, e->arguments[0]) >= 0) {
    return NULL;
  }
  const ir_expr *w = ir_power(c, ir_negated(c, e->arguments[0]), 1, 2);
  const ir_expr *angle = ir_times(c, w, e->arguments[1]);
  return e->call == IR_G0 ? ir_apply(c, IR_COS, angle, NULL)
                          : ir_times(c, ir_apply(c, IR_SIN, angle, NULL), ir_power(c, w, -1, 1));
}

/* A formula with all G_0 and G_1 replaced. */
static const ir_expr *without_universal(void *looked_at, const ir_expr *e)
{
  turning *t = looked_at;
  const ir_expr *made = by_angle(t, e);
  if (!made && !t->made[e->id]) {
    t->made[e->id] = ir_rebuilt(t->context, e, without_universal, t);
  }
  return made ? made : t->made[e->id];
}

/* ---- rewriting ---- */

/* sin^a cos^b of the angle. */
static const ir_expr *powers(const turning *t, long a, long b)
{
  ir_context *c = t->context;
  const ir_expr *sine = ir_input(c, IR_LAMBDA, t->m + 2 * t->j);
  const ir_expr *versine = ir_input(c, IR_LAMBDA, t->m + 2 * t->j + 1);
  const ir_expr *one = ir_integer(c, 1);
  if (!t->is_even) {
    return ir_times(c, ir_power(c, sine, a, 1), ir_power(c, ir_minus(c, one, versine), b, 1));
  }
  const ir_expr *half = ir_power(c, ir_integer(c, 2), -1, 1);
  const ir_expr *squared = ir_times(c, half, versine); /* square of sin(phi/2) */
  const ir_expr *rest = a & 1 ? ir_times(c, half, sine) : one;
  return ir_times(c, rest,
                  ir_times(c, ir_power(c, squared, a / 2, 1),
                           ir_power(c, ir_minus(c, one, squared), b / 2, 1)));
}

static const ir_expr *rewritten(void *looked_at, const ir_expr *e);

static const ir_expr *rewritten_product(turning *t, const ir_expr *e)
{
  ir_context *c = t->context;
  const ir_expr *product = ir_integer(c, 1);
  long a = 0;
  long b = 0;
  for (int i = 0; i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    if (is_of_angle(t, f->base)) {
      *(f->base->call == IR_SIN ? &a : &b) += rotation_times(t, f);
    } else {
      product = ir_times(c, product, ir_pow(c, rewritten(t, f->base), f->exponent));
    }
  }
  return ir_times(c, product, powers(t, a, b));
}

static const ir_expr *rewritten(void *looked_at, const ir_expr *e)
{
  turning *t = looked_at;
  if (is_of_angle(t, e)) {
    return powers(t, e->call == IR_SIN, e->call == IR_COS);
  }
  if (!t->made[e->id]) {
    t->made[e->id] =
        e->kind == IR_PRODUCT ? rewritten_product(t, e) : ir_rebuilt(t->context, e, rewritten, t);
  }
  return t->made[e->id];
}

/* ---- the flow ---- */

/* Replaces multiplier j in the 2d formulas if it rotates. Returns its rate, or NULL. */
static const ir_expr *turn(ir_context *c, const ir_program *p, int j, const ir_expr *z[])
{
  turning t = {.context = c, .program = p, .m = p->nc, .j = j, .turns = 1, .is_even = 1};
  const ir_expr **turned = ir_zeros(2 * (size_t)p->nq, sizeof *turned);
  t.made = ir_zeros(ir_context_size(c) + 1, sizeof *t.made);
  for (int i = 0; i < 2 * p->nq; i++) {
    turned[i] = without_universal(&t, z[i]);
  }
  free(t.made);
  const unsigned size = ir_context_size(c);
  t.seen = ir_zeros(size + 1, 1);
  t.made = ir_zeros(size + 1, sizeof *t.made);
  for (int i = 0; i < 2 * p->nq; i++) {
    rotation_look(&t, turned[i], 0);
  }
  const ir_expr *rate = t.turns && t.angle ? rotation_rate_of(&t) : NULL;
  for (int i = 0; i < 2 * p->nq && rate; i++) {
    z[i] = rewritten(&t, turned[i]);
  }
  free(t.seen);
  free(t.made);
  free(turned);
  return rate && t.is_even ? ir_times(c, ir_integer(c, 2), rate) : rate;
}

fused_flow fused_flow_of(ir_context *c, const ir_program *p)
{
  arena *a = ir_context_arena(c);
  const ir_function *flow = &p->functions[IR_FIBRE_FLOW];
  fused_flow f = {ARENA_ARRAY(a, 2 * p->nq, const ir_expr *),
                  ARENA_ARRAY(a, p->nc + 1, const ir_expr *)};
  for (int i = 0; i < 2 * p->nq; i++) {
    f.z[i] = flow->entries[i].value;
  }
  for (int j = 0; j < p->nc; j++) {
    f.rate[j] = turn(c, p, j, f.z);
  }
  return f;
}
