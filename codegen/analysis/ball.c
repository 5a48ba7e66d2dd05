/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/ball.h"

#include <arb_hypgeom.h>
#include <flint/fmpq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- powers and functions of balls, with the sizes of their values ---- */

typedef struct ball {
  arb_struct value;
  mag_struct size;
  unsigned pass; /* pass that computed value and size */
} ball;

/* size <- |slope| size(x), and size <- size + |slope| size(x). */
static void ball_times_slope(mag_t size, const arb_t slope, mag_srcptr of_x)
{
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, slope);
  mag_mul(size, magnitude, of_x);
  mag_clear(magnitude);
}

void ball_add_slope(mag_t size, const arb_t slope, mag_srcptr of_x)
{
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, slope);
  mag_addmul(size, magnitude, of_x);
  mag_clear(magnitude);
}

/* x^a, with its complete size |a| |x|^(a-1) size(x). */
static void ball_rational_power(const ball *x, mpq_srcptr exponent, arb_t value, mag_t size,
                                slong precision)
{
  fmpq_t a;
  fmpq_init(a);
  fmpq_set_mpq(a, exponent);
  arb_pow_fmpq(value, &x->value, a, precision);
  if (fmpq_is_one(a)) {
    mag_set(size, &x->size);
  } else {
    arb_t slope;
    fmpq_t less;
    arb_init(slope);
    fmpq_init(less);
    fmpq_sub_si(less, a, 1);
    arb_pow_fmpq(slope, &x->value, less, 64);
    arb_mul_fmpz(slope, slope, fmpq_numref(a), 64);
    arb_div_fmpz(slope, slope, fmpq_denref(a), 64);
    ball_times_slope(size, slope, &x->size);
    fmpq_clear(less);
    arb_clear(slope);
  }
  fmpq_clear(a);
}

/* f(x) for one argument, and a slope whose magnitude bounds |f'(x)|. */
static void ball_single(ir_call f, const arb_t x, arb_t value, arb_t slope, slong precision)
{
  arb_one(slope);
  switch (f) {
  case IR_SIN:
  case IR_COS:
    (f == IR_SIN ? arb_sin : arb_cos)(value, x, precision);
    return;
  case IR_ATAN:
  case IR_TANH:
    (f == IR_ATAN ? arb_atan : arb_tanh)(value, x, precision);
    return;
  case IR_ABS:
    arb_abs(value, x);
    return;
  case IR_TAN:
    arb_tan(value, x, precision);
    arb_addmul(slope, value, value, precision);
    return;
  case IR_ASIN:
  case IR_ACOS:
    (f == IR_ASIN ? arb_asin : arb_acos)(value, x, precision);
    arb_submul(slope, x, x, precision);
    arb_rsqrt(slope, slope, precision);
    return;
  case IR_SINH:
    arb_sinh_cosh(value, slope, x, precision);
    return;
  case IR_COSH:
    arb_sinh_cosh(slope, value, x, precision);
    arb_set(slope, value);
    return;
  case IR_EXP:
    arb_exp(value, x, precision);
    arb_set(slope, value);
    return;
  case IR_LOG:
    arb_log(value, x, precision);
    arb_inv(slope, x, precision);
    return;
  case IR_HOLD:
    arb_set(value, x);
    return;
  default:
    break;
  }
  /* Steps are evaluated only on one side of their jump, and sign also at 0 itself.  Other functions
   * do not occur in models. */
  arb_zero(slope);
  if (f == IR_INSIDE && arb_is_nonnegative(x)) {
    arb_one(value);
  } else if (f == IR_SIGN && (arb_is_zero(x) || !arb_contains_zero(x))) {
    arb_sgn(value, x);
  } else {
    arb_indeterminate(value);
  }
}

static void ball_angle(const ball *y, const ball *x, arb_t value, mag_t size, slong precision)
{
  arb_t square;
  mag_t part;
  arb_init(square);
  mag_init(part);
  arb_atan2(value, &y->value, &x->value, precision);
  ball_times_slope(size, &x->value, &y->size);
  ball_add_slope(size, &y->value, &x->size);
  arb_mul(square, &x->value, &x->value, precision);
  arb_addmul(square, &y->value, &y->value, precision);
  arb_get_mag_lower(part, square);
  mag_div(size, size, part);
  mag_clear(part);
  arb_clear(square);
}

/* x^y; the derivatives are y x^(y-1) and x^y log x. */
static void ball_power(const ball *x, const ball *y, arb_t value, mag_t size, slong precision)
{
  arb_t slope;
  arb_init(slope);
  arb_pow(value, &x->value, &y->value, precision);
  arb_div(slope, &y->value, &x->value, precision);
  ball_times_slope(size, slope, &x->size);
  arb_log(slope, &x->value, precision);
  ball_add_slope(size, slope, &y->size);
  ball_times_slope(size, value, size);
  arb_clear(slope);
}

/* G_k(c, t) = t^k/k! 1F2(1; (k+1)/2, (k+2)/2; c t^2/4).  Its derivative with respect to t is
 * G_{k-1}(c, t), or c G_1(c, t) for k = 0.  Its derivative with respect to c is at most t^2
 * G_k(|c|, |t|)/(2 k + 2). */
static void universal_value(int k, const arb_t c, const arb_t t, arb_t value, slong precision)
{
  arb_struct lower[2];
  arb_t one;
  arb_t x;
  arb_init(one);
  arb_init(x);
  arb_one(one);
  for (int i = 0; i < 2; i++) {
    arb_init(&lower[i]);
    arb_set_si(&lower[i], k + 1 + i);
    arb_mul_2exp_si(&lower[i], &lower[i], -1);
  }
  arb_mul(x, t, t, precision);
  arb_mul(x, x, c, precision);
  arb_mul_2exp_si(x, x, -2);
  arb_hypgeom_pfq(value, one, 1, lower, 2, x, 0, precision);
  arb_pow_ui(x, t, (ulong)k, precision);
  arb_mul(value, value, x, precision);
  arb_fac_ui(x, (ulong)k, precision);
  arb_div(value, value, x, precision);
  arb_clear(&lower[0]);
  arb_clear(&lower[1]);
  arb_clear(x);
  arb_clear(one);
}

static void ball_universal(int k, const ball *c, const ball *t, arb_t value, mag_t size,
                           slong precision)
{
  arb_t slope;
  arb_t other;
  arb_init(slope);
  arb_init(other);
  universal_value(k, &c->value, &t->value, value, precision);
  universal_value(k ? k - 1 : 1, &c->value, &t->value, slope, precision);
  if (k == 0) {
    arb_mul(slope, slope, &c->value, precision);
  }
  ball_times_slope(size, slope, &t->size);
  arb_abs(slope, &c->value);
  arb_abs(other, &t->value);
  universal_value(k, slope, other, slope, precision);
  arb_mul(other, other, other, precision);
  arb_mul(slope, slope, other, precision);
  arb_div_si(slope, slope, 2 * k + 2, precision);
  ball_add_slope(size, slope, &c->size);
  arb_clear(other);
  arb_clear(slope);
}

struct ball_evaluator {
  const ir_context *c;
  ball_inputs inputs;
  slong precision;
  unsigned pass;
  unsigned n_slots;
  unsigned *slot; /* by node id: index into balls, counted from 1; 0 if the node has none yet */
  unsigned n;
  unsigned capacity;
  ball *balls;
  double work;
};

static void *grown(void *old, size_t count, size_t size)
{
  void *larger = realloc(old, count * size);
  if (!larger) {
    fputs("sidewinder: out of memory\n", stderr);
    exit(3);
  }
  return larger;
}

ball_evaluator *ball_evaluator_create(const ir_context *c)
{
  ball_evaluator *e = ir_zeros(1, sizeof *e);
  e->c = c;
  return e;
}

void ball_evaluator_free(ball_evaluator *e)
{
  for (unsigned i = 0; i < e->n; i++) {
    arb_clear(&e->balls[i].value);
    mag_clear(&e->balls[i].size);
  }
  free(e->slot);
  free(e->balls);
  free(e);
}

void ball_begin(ball_evaluator *e, const ball_inputs *inputs, slong precision)
{
  e->inputs = *inputs;
  e->precision = precision;
  e->pass++;
}

double ball_work(const ball_evaluator *e)
{
  return e->work;
}

double ball_double(arb_srcptr x)
{
  return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* The index of a node's ball, which is created if it is new. */
static unsigned ball_slot_of(ball_evaluator *e, const ir_expr *node)
{
  if (node->id >= e->n_slots) {
    unsigned size = ir_context_size(e->c);
    e->slot = grown(e->slot, size, sizeof *e->slot);
    memset(e->slot + e->n_slots, 0, (size - e->n_slots) * sizeof *e->slot);
    e->n_slots = size;
  }
  if (!e->slot[node->id]) {
    if (e->n == e->capacity) {
      e->capacity = 2 * e->capacity + 256;
      e->balls = grown(e->balls, e->capacity, sizeof *e->balls);
    }
    arb_init(&e->balls[e->n].value);
    mag_init(&e->balls[e->n].size);
    e->balls[e->n].pass = 0;
    e->slot[node->id] = ++e->n;
  }
  return e->slot[node->id] - 1;
}

static const ball *ball_evaluate(ball_evaluator *e, const ir_expr *node);

static void set_rational(arb_t x, mpq_srcptr q, slong precision)
{
  fmpq_t exact;
  fmpq_init(exact);
  fmpq_set_mpq(exact, q);
  arb_set_fmpq(x, exact, precision);
  fmpq_clear(exact);
}

static void input(const ball_evaluator *e, const ir_expr *node, arb_t value, mag_t size)
{
  arb_srcptr from = node->space == IR_K ? e->inputs.k : node->space == IR_Z ? e->inputs.z : NULL;
  if (!from) {
    arb_indeterminate(value);
    mag_inf(size);
    return;
  }
  arb_set_round(value, from + node->index, e->precision);
  arb_get_mag(size, value);
  if (node->space == IR_Z && e->inputs.scale) {
    mag_t scale;
    mag_init(scale);
    mag_set_d(scale, e->inputs.scale[node->index]);
    mag_max(size, size, scale);
    mag_clear(scale);
  }
}

static void ball_sum(ball_evaluator *e, const ir_expr *node, arb_t value, mag_t size)
{
  arb_t coefficient;
  arb_init(coefficient);
  for (int i = 0; i < node->n; i++) {
    const ball *term = ball_evaluate(e, node->terms[i].node);
    set_rational(coefficient, node->terms[i].coefficient, e->precision);
    ball_add_slope(size, coefficient, &term->size);
    arb_addmul(value, coefficient, &term->value, e->precision);
  }
  arb_clear(coefficient);
}

static void ball_product(ball_evaluator *e, const ir_expr *node, arb_t value, mag_t size)
{
  arb_t factor;
  mag_t of_factor;
  arb_init(factor);
  mag_init(of_factor);
  for (int i = 0; i < node->n; i++) {
    ball_rational_power(ball_evaluate(e, node->factors[i].base), node->factors[i].exponent, factor,
                        of_factor, e->precision);
    if (i == 0) {
      arb_swap(value, factor);
      mag_swap(size, of_factor);
      continue;
    }
    ball_times_slope(size, factor, size);
    ball_add_slope(size, value, of_factor);
    arb_mul(value, value, factor, e->precision);
  }
  mag_clear(of_factor);
  arb_clear(factor);
}

static void ball_call(ball_evaluator *e, const ir_expr *node, arb_t value, mag_t size)
{
  /* A new node can move the array of balls: both arguments are evaluated before pointers to them
   * are used. */
  ball_evaluate(e, node->arguments[0]);
  const ball *y = node->n == 2 ? ball_evaluate(e, node->arguments[1]) : NULL;
  const ball *x = ball_evaluate(e, node->arguments[0]);
  if (y && node->call == IR_ATAN2) {
    ball_angle(x, y, value, size, e->precision);
  } else if (y && ir_universal_order(node->call) >= 0) {
    ball_universal(ir_universal_order(node->call), x, y, value, size, e->precision);
  } else if (y && (node->call == IR_MIN || node->call == IR_MAX)) {
    (node->call == IR_MIN ? arb_min : arb_max)(value, &x->value, &y->value, e->precision);
    mag_max(size, &x->size, &y->size);
  } else if (y) {
    ball_power(x, y, value, size, e->precision);
  } else {
    arb_t slope;
    arb_init(slope);
    ball_single(node->call, &x->value, value, slope, e->precision);
    ball_times_slope(size, slope, &x->size);
    arb_clear(slope);
  }
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, value);
  mag_add(size, size, magnitude);
  mag_clear(magnitude);
}

static void ball_compute(ball_evaluator *e, const ir_expr *node, arb_t value, mag_t size)
{
  switch (node->kind) {
  case IR_NUMBER:
    set_rational(value, node->value, e->precision);
    arb_get_mag(size, value);
    return;
  case IR_PI:
    arb_const_pi(value, e->precision);
    arb_get_mag(size, value);
    return;
  case IR_INPUT:
    input(e, node, value, size);
    return;
  case IR_SUM:
    ball_sum(e, node, value, size);
    return;
  case IR_PRODUCT:
    ball_product(e, node, value, size);
    return;
  case IR_CALL:
    ball_call(e, node, value, size);
    return;
  }
}

static const ball *ball_evaluate(ball_evaluator *e, const ir_expr *node)
{
  unsigned at = ball_slot_of(e, node);
  if (e->balls[at].pass != e->pass) {
    ball own;
    arb_init(&own.value);
    mag_init(&own.size);
    ball_compute(e, node, &own.value, &own.size);
    arb_swap(&e->balls[at].value, &own.value);
    mag_swap(&e->balls[at].size, &own.size);
    e->balls[at].pass = e->pass;
    e->work += (1 + node->n) * (1.0 + (double)e->precision / 64) * (node->kind == IR_CALL ? 8 : 1);
    mag_clear(&own.size);
    arb_clear(&own.value);
  }
  return &e->balls[at];
}

arb_srcptr ball_value(ball_evaluator *e, const ir_expr *node)
{
  return &ball_evaluate(e, node)->value;
}

mag_srcptr ball_size(ball_evaluator *e, const ir_expr *node)
{
  return &ball_evaluate(e, node)->size;
}

int ball_is_small(arb_srcptr value, mag_srcptr size)
{
  mag_t largest;
  mag_t small;
  mag_init(largest);
  mag_init(small);
  arb_get_mag(largest, value);
  mag_mul_2exp_si(small, size, -100);
  int is_small = !mag_is_inf(size) && mag_cmp(largest, small) <= 0;
  mag_clear(small);
  mag_clear(largest);
  return is_small;
}

ball_answer ball_judge(arb_srcptr value, mag_srcptr size, slong precision)
{
  if (!arb_is_finite(value)) {
    return BALL_UNDECIDED;
  }
  if (!arb_contains_zero(value)) {
    return BALL_NOT_ZERO;
  }
  if (arb_is_zero(value)) {
    return BALL_ZERO;
  }
  return precision >= 256 && ball_is_small(value, size) ? BALL_ZERO : BALL_UNDECIDED;
}

ball_answer ball_decide(ball_evaluator *e, const ir_expr *node)
{
  const ball *b = ball_evaluate(e, node);
  return ball_judge(&b->value, &b->size, e->precision);
}
