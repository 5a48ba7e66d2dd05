/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/secant.h"

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

typedef struct secants {
  ir_slopes slopes;       /* must be first: rules cast ir_slopes * to secants * */
  ir_substitution *first; /* substitutes the values at the first point */
  ir_substitution *last;
} secants;

/* The values of an expression at both points. */
typedef struct pair {
  const ir_expr *u;
  const ir_expr *v;
} pair;

/* ---- small formulas ---- */

static const ir_expr *mean(ir_context *c, pair a)
{
  return ir_mean(c, a.u, a.v);
}

static const ir_expr *secant_inverse(ir_context *c, const ir_expr *e)
{
  return ir_power(c, e, -1, 1);
}

const ir_expr *ir_over(ir_context *c, const ir_expr *x, const ir_expr *y)
{
  const ir_expr *tiny = ir_power(c, ir_integer(c, 2), -500, 1);
  return ir_times(c, x, secant_inverse(c, ir_apply(c, IR_MAX, y, tiny)));
}

static pair applied(ir_context *c, ir_call call, pair a)
{
  return (pair){ir_apply(c, call, a.u, NULL), ir_apply(c, call, a.v, NULL)};
}

static pair secant_multiplied(ir_context *c, pair a, pair b)
{
  return (pair){ir_times(c, a.u, b.u), ir_times(c, a.v, b.v)};
}

static pair raised(ir_context *c, pair a, long numerator, unsigned long denominator)
{
  return (pair){ir_power(c, a.u, numerator, denominator), ir_power(c, a.v, numerator, denominator)};
}

/* ---- divided differences of powers ---- */

/* The divided difference of x^n, n >= 1, from x^(2k) = (x^k)^2 and x^(k+1) = x x^k. */
static const ir_expr *of_whole_power(ir_context *c, pair a, unsigned long n)
{
  if (n == 1) {
    return ir_integer(c, 1);
  }
  if (n % 2 == 0) {
    const pair half = raised(c, a, (long)(n / 2), 1);
    return ir_times(c, ir_plus(c, half.u, half.v), of_whole_power(c, a, n / 2));
  }
  return ir_plus(c, mean(c, raised(c, a, (long)n - 1, 1)),
                 ir_times(c, mean(c, a), of_whole_power(c, a, n - 1)));
}

/* The divided difference of x^(n/d) = y^n with y^d = x.  For 1/y it is -y[u,v]/(y(u) y(v)). */
static const ir_expr *secant_of_power(ir_context *c, pair a, mpq_srcptr exponent)
{
  const unsigned long n = mpz_get_ui(mpq_numref(exponent)); /* of |exponent| */
  const unsigned long d = mpz_get_ui(mpq_denref(exponent));
  const pair root = raised(c, a, 1, d);
  const ir_expr *slope =
      ir_times(c, of_whole_power(c, root, n), secant_inverse(c, of_whole_power(c, root, d)));
  if (mpq_sgn(exponent) > 0) {
    return slope;
  }
  const pair value = raised(c, a, (long)n, d);
  return ir_negated(c, ir_times(c, slope, secant_inverse(c, ir_times(c, value.u, value.v))));
}

/* ---- divided differences of elementary functions ---- */

/* sinh(w)/w for sign 1, sin(w)/w for sign -1, with w = (v - u)/part. */
static const ir_expr *ratio(ir_context *c, pair a, int sign, unsigned long part)
{
  const ir_expr *w =
      ir_times(c, ir_power(c, ir_integer(c, (long)part), -1, 1), ir_minus(c, a.v, a.u));
  return ir_apply(c, IR_G1, ir_times(c, ir_integer(c, sign), ir_power(c, w, 2, 1)),
                  ir_integer(c, 1));
}

/* f'(mean) times the ratio: f[u,v] for sin, cos, sinh, cosh and exp. */
static const ir_expr *halved(ir_context *c, ir_call slope, pair a, int sign)
{
  return ir_times(c, ir_apply(c, slope, mean(c, a), NULL), ratio(c, a, sign, 2));
}

/* tan[u,v] = sin(v-u)/((v-u) cos u cos v); tanh is analogous. */
static const ir_expr *of_tangent(ir_context *c, ir_call cosine, pair a, int sign)
{
  const pair below = applied(c, cosine, a);
  return ir_times(c, ratio(c, a, sign, 1), secant_inverse(c, ir_times(c, below.u, below.v)));
}

/* exp[u,v] from the values exp u and exp v. */
static const ir_expr *of_exp(ir_context *c, pair a, pair value)
{
  const pair root = raised(c, value, 1, 2);
  return ir_times(c, ir_times(c, root.u, root.v), ratio(c, a, 1, 2));
}

/* |x|[u,v] = (u + v)/(|u| + |v|). */
static const ir_expr *of_abs(ir_context *c, pair a)
{
  const pair size = applied(c, IR_ABS, a);
  return ir_over(c, ir_plus(c, a.u, a.v), ir_plus(c, size.u, size.v));
}

/* f[u,v] for calls of one argument. */
static const ir_expr *secant_of_call(ir_context *c, ir_call call, pair a)
{
  const pair value = applied(c, call, a);
  switch (call) {
  case IR_SIN:
    return halved(c, IR_COS, a, -1);
  case IR_COS:
    return ir_negated(c, halved(c, IR_SIN, a, -1));
  case IR_SINH:
    return halved(c, IR_COSH, a, 1);
  case IR_COSH:
    return halved(c, IR_SINH, a, 1);
  case IR_EXP:
    return halved(c, IR_EXP, a, 1);
  case IR_TAN:
    return of_tangent(c, IR_COS, a, -1);
  case IR_TANH:
    return of_tangent(c, IR_COSH, a, 1);
  case IR_LOG:
    return secant_inverse(c, of_exp(c, value, a));
  case IR_ASIN:
    return secant_inverse(c, halved(c, IR_COS, value, -1));
  case IR_ACOS:
    return ir_negated(c, secant_inverse(c, halved(c, IR_SIN, value, -1)));
  case IR_ATAN: { /* cos(atan x) = (1 + x^2)^(-1/2) */
    const ir_expr *one = ir_integer(c, 1);
    const pair square = raised(c, a, 2, 1);
    const ir_expr *below = ir_times(c, ir_power(c, ir_plus(c, one, square.u), 1, 2),
                                    ir_power(c, ir_plus(c, one, square.v), 1, 2));
    return secant_inverse(c, ir_times(c, below, ratio(c, value, -1, 1)));
  }
  case IR_ABS:
    return of_abs(c, a);
  case IR_SIGN: { /* a function with a jump */
    const ir_expr *w = ir_minus(c, a.v, a.u);
    return ir_over(c, ir_times(c, w, ir_minus(c, value.v, value.u)), ir_power(c, w, 2, 1));
  }
  case IR_HOLD:
    return ir_integer(c, 1);
  case IR_INSIDE: /* constant wherever it is defined */
  case IR_ATAN2:
  case IR_MIN:
  case IR_MAX:
  case IR_POW:
  case IR_G0:
  case IR_G1:
  case IR_G2:
  case IR_G3:
  case IR_CALLS:
    break;
  }
  return ir_integer(c, 0);
}

/* ---- slopes, part by part ---- */

static pair secant_values_of(const ir_slopes *slopes, const ir_expr *e)
{
  const secants *s = (const secants *)slopes;
  return (pair){ir_substituted(s->first, e), ir_substituted(s->last, e)};
}

/* The slope of a product a b, from the values and slopes of a and b. */
static const ir_expr *secant_of_product(ir_context *c, pair a, const ir_expr *a_slope, pair b,
                                        const ir_expr *b_slope)
{
  return ir_plus(c, ir_times(c, mean(c, a), b_slope), ir_times(c, mean(c, b), a_slope));
}

/* The slope of the angle of the point (y, x): the difference w of the angles has sin w = (x_u
 * y_v - y_u x_v)/(r_u r_v). */
static const ir_expr *angle_slope(ir_context *c, pair x, const ir_expr *x_slope, pair y,
                                  const ir_expr *y_slope)
{
  const ir_expr *cross = ir_minus(c, ir_times(c, y.u, x.v), ir_times(c, x.u, y.v));
  const ir_expr *dot = ir_plus(c, ir_times(c, x.u, x.v), ir_times(c, y.u, y.v));
  const pair w = {ir_integer(c, 0), ir_apply(c, IR_ATAN2, cross, dot)};
  const pair xx = raised(c, x, 2, 1);
  const pair yy = raised(c, y, 2, 1);
  const ir_expr *radii = ir_times(c, ir_power(c, ir_plus(c, xx.u, yy.u), 1, 2),
                                  ir_power(c, ir_plus(c, xx.v, yy.v), 1, 2));
  const ir_expr *turned =
      ir_minus(c, ir_times(c, mean(c, y), x_slope), ir_times(c, mean(c, x), y_slope));
  return ir_times(c, turned, secant_inverse(c, ir_times(c, radii, ratio(c, w, -1, 1))));
}

/* min and max of a and b are (a + b -+ |a - b|)/2. */
static const ir_expr *extreme_slope(ir_context *c, ir_call call, pair x, const ir_expr *x_slope,
                                    pair y, const ir_expr *y_slope)
{
  const pair apart = {ir_minus(c, x.u, y.u), ir_minus(c, x.v, y.v)};
  const ir_expr *spread = ir_times(c, of_abs(c, apart), ir_minus(c, x_slope, y_slope));
  return ir_mean(c, ir_plus(c, x_slope, y_slope), call == IR_MIN ? ir_negated(c, spread) : spread);
}

/* x^y = exp(y log x). */
static const ir_expr *real_power_slope(ir_context *c, pair x, const ir_expr *x_slope, pair y,
                                       const ir_expr *y_slope)
{
  const pair logarithm = applied(c, IR_LOG, x);
  const pair value = {ir_apply(c, IR_POW, x.u, y.u), ir_apply(c, IR_POW, x.v, y.v)};
  const ir_expr *log_slope =
      ir_is_zero(x_slope) ? x_slope : ir_times(c, secant_of_call(c, IR_LOG, x), x_slope);
  return ir_times(c, of_exp(c, secant_multiplied(c, y, logarithm), value),
                  secant_of_product(c, y, y_slope, logarithm, log_slope));
}

static const ir_expr *secant_call_slope(ir_slopes *s, const ir_expr *e)
{
  ir_context *c = s->c;
  const ir_expr *x_slope = ir_slope_of(s, e->arguments[0]);
  const ir_expr *y_slope = e->n == 2 ? ir_slope_of(s, e->arguments[1]) : x_slope;
  if (ir_is_zero(x_slope) && ir_is_zero(y_slope)) {
    return x_slope;
  }
  const pair x = secant_values_of(s, e->arguments[0]);
  if (e->n == 1) {
    return ir_times(c, secant_of_call(c, e->call, x), x_slope);
  }
  const pair y = secant_values_of(s, e->arguments[1]);
  switch (e->call) {
  case IR_ATAN2:
    return angle_slope(c, x, x_slope, y, y_slope);
  case IR_MIN:
  case IR_MAX:
    return extreme_slope(c, e->call, x, x_slope, y, y_slope);
  default:
    return real_power_slope(c, x, x_slope, y, y_slope);
  }
}

/* Multiplies factor by factor; each step joins a factor and the product of the previous ones. */
static const ir_expr *secant_product_slope(ir_slopes *s, const ir_expr *e)
{
  ir_context *c = s->c;
  const ir_expr *one = ir_integer(c, 1);
  pair product = {one, one};
  const ir_expr *slope = ir_integer(c, 0);
  for (int i = 0; i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    const pair base = secant_values_of(s, f->base);
    const pair power = {ir_pow(c, base.u, f->exponent), ir_pow(c, base.v, f->exponent)};
    const ir_expr *own = ir_slope_of(s, f->base);
    own = ir_is_zero(own) ? own : ir_times(c, secant_of_power(c, base, f->exponent), own);
    slope = secant_of_product(c, product, slope, power, own);
    product = secant_multiplied(c, product, power);
  }
  return slope;
}

void ir_secants(ir_context *c, int n, const ir_expr *const from[], const ir_expr *const to[],
                const ir_expr *e, const ir_expr *out[])
{
  secants s = {.slopes = {.c = c,
                          .of_call = secant_call_slope,
                          .of_product = secant_product_slope,
                          .space = IR_Z},
               .first = ir_substitution_create(c, IR_Z, from),
               .last = ir_substitution_create(c, IR_Z, to)};
  char *reads = ARENA_ARRAY(ir_context_arena(c), n + 1, char);
  ir_inputs_read(c, IR_Z, n, e, reads);
  for (int i = 0; i < n; i++) {
    s.slopes.index = i;
    ir_slopes_begin(&s.slopes);
    out[i] = reads[i] ? ir_slope_of(&s.slopes, e) : ir_integer(c, 0);
  }
  ir_substitution_free(s.first);
  ir_substitution_free(s.last);
  ir_slopes_release(&s.slopes);
}
