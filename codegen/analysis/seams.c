/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/examinations.h"

#include <math.h>
#include <string.h>

#include "analysis/dependence_means.h"
#include "analysis/proof.h"
#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/substitute.h"

/* Limits on seams, on starting points for each, and on the distance of points relative to the
 * start. */
enum { MOST_SEAMS = 24, ROUNDS = 24, POINTS = 8 };
#define FARTHEST 30.0
/* A formula is evaluated at this distance from a kink, 2^NEAR scales, to this many bits. */
enum { NEAR = -120, PRECISION = 512 };

typedef struct seam {
  seam_kind kind;
  const ir_expr *what;
  const ir_expr *side; /* an expression that has to be negative at the seam, or NULL */
} seam;

typedef struct seams {
  study *s;
  char *visited; /* by node id; bit 1: visited outside functions, bit 2: inside one */
  unsigned n_visited;
  int with_poles; /* 1 if poles outside functions are seams, too */
  int n;
  seam list[MOST_SEAMS];
} seams;

static int is_kink(seam_kind kind)
{
  return kind == SEAM_ABS || kind == SEAM_MIN || kind == SEAM_ROOT;
}

int seam_may_jump(seam_kind kind)
{
  return kind == SEAM_SIGN || kind == SEAM_ATAN2 || kind == SEAM_TAN || kind == SEAM_POLE;
}

static void seams_add(seams *k, seam_kind kind, const ir_expr *what, const ir_expr *side)
{
  what = is_kink(kind) ? ir_primitive(what) : what;
  for (int i = 0; i < k->n; i++) {
    if (k->list[i].what == what &&
        (k->list[i].kind == kind || (is_kink(kind) && is_kink(k->list[i].kind)))) {
      return;
    }
  }
  if (k->n < MOST_SEAMS && ir_reads_state(k->s->c, what) && ir_may_vanish(k->s->p, what)) {
    k->list[k->n++] = (seam){kind, what, side};
  }
}

/* A function of a/u may jump at u = 0; outside functions a/u is infinite there. */
static void add_pole(seams *k, const ir_expr *base, int inside)
{
  if (inside) {
    seams_add(k, SEAM_POLE, base, NULL);
  } else if (k->with_poles && !is_pole_of_model(k->s, base)) {
    seams_add(k, SEAM_INFINITE, base, NULL);
  }
}

/* w for a non-integer positive power of w^2, w^4 and so on, such as sqrt(x^2); else NULL. */
static const ir_expr *root_of_power(study *s, const ir_factor *f)
{
  if (mpq_sgn(f->exponent) <= 0 || mpz_cmp_ui(mpq_denref(f->exponent), 1) == 0) {
    return NULL;
  }
  repeated r = find_repeated(s, f->base);
  return r.all ? r.base : NULL;
}

static void seams_collect(seams *k, const ir_expr *e, int inside);

/* Visits the argument of a sine or cosine, or a term of it; is_whole is 1 while all factors are
 * integers.  An integer multiple of atan2 jumps by a multiple of 2 pi, which sine and cosine
 * ignore. */
static void collect_angle(seams *k, const ir_expr *e, int is_whole)
{
  for (int i = 0; e->kind == IR_SUM && i < e->n; i++) {
    collect_angle(k, e->terms[i].node,
                  is_whole && mpz_cmp_ui(mpq_denref(e->terms[i].coefficient), 1) == 0);
  }
  if (e->kind == IR_CALL && e->call == IR_ATAN2 && is_whole) {
    seams_collect(k, e->arguments[0], 1);
    seams_collect(k, e->arguments[1], 1);
  } else if (e->kind != IR_SUM) {
    seams_collect(k, e, 1);
  }
}

static void seams_collect(seams *k, const ir_expr *e, int inside)
{
  char bit = inside ? 2 : 1;
  if (e->id >= k->n_visited || k->visited[e->id] & bit) {
    return;
  }
  k->visited[e->id] = (char)(k->visited[e->id] | bit);
  for (int i = 0; e->kind != IR_CALL && i < e->n; i++) {
    seams_collect(k, ir_operand(e, i), inside);
    if (e->kind == IR_PRODUCT && mpq_sgn(e->factors[i].exponent) < 0) {
      add_pole(k, e->factors[i].base, inside);
    }
    if (e->kind == IR_PRODUCT && root_of_power(k->s, &e->factors[i])) {
      seams_add(k, SEAM_ROOT, root_of_power(k->s, &e->factors[i]), NULL);
    }
  }
  if (e->kind != IR_CALL) {
    return;
  }
  if (e->call == IR_ABS) {
    seams_add(k, SEAM_ABS, e->arguments[0], NULL);
  } else if (e->call == IR_SIGN) {
    seams_add(k, SEAM_SIGN, e->arguments[0], NULL);
  } else if (e->call == IR_MIN || e->call == IR_MAX) {
    seams_add(k, SEAM_MIN, ir_minus(k->s->c, e->arguments[0], e->arguments[1]), NULL);
  } else if (e->call == IR_ATAN2) {
    seams_add(k, SEAM_ATAN2, e->arguments[0], e->arguments[1]);
  } else if (e->call == IR_LOG) {
    add_pole(k, e->arguments[0], 0);
  } else if (e->call == IR_TAN) {
    seams_add(k, SEAM_TAN, ir_apply(k->s->c, IR_COS, e->arguments[0], NULL), NULL);
  }
  if (e->call == IR_SIN || e->call == IR_COS) {
    collect_angle(k, e->arguments[0], 1);
    return;
  }
  for (int i = 0; i < e->n; i++) {
    seams_collect(k, e->arguments[i], inside || (e->call != IR_ABS && e->call != IR_HOLD));
  }
}

/* 1 if e is a product with a factor `what` or |what|, which is zero on the seam. */
static int is_zero_on(study *s, const ir_expr *what, const ir_expr *e)
{
  const ir_expr *product = ir_primitive(e);
  const ir_expr *size = ir_primitive(ir_apply(s->c, IR_ABS, what, NULL));
  int found = 0;
  for (int i = 0; product->kind == IR_PRODUCT && i < product->n; i++) {
    const ir_factor *f = &product->factors[i];
    found |= mpq_sgn(f->exponent) > 0 && (f->base == ir_primitive(what) || f->base == size);
  }
  return found;
}

/* ---- formulas on a kink ---- */

/* Replaces expressions by their values on `what` = 0, without the functions that have a kink
 * there. */
typedef struct restriction {
  study *s;
  const ir_expr *what;
  const ir_expr **done; /* by node id */
  unsigned n;
} restriction;

/* The value on the kink of a node that has its kink there: 0 for abs, an argument for min and max;
 * NULL for others. */
static const ir_expr *on_kink(const restriction *k, const ir_expr *e)
{
  ir_context *c = k->s->c;
  if (e->kind != IR_CALL) {
    return NULL;
  }
  if (e->call == IR_ABS) {
    return ir_primitive(e->arguments[0]) == k->what ? ir_integer(c, 0) : NULL;
  }
  int is_choice = e->call == IR_MIN || e->call == IR_MAX;
  return is_choice && ir_primitive(ir_minus(c, e->arguments[0], e->arguments[1])) == k->what
             ? e->arguments[0]
             : NULL;
}

/* A factor of the product that is 0 on the kink and has no derivative there, or a pole; NULL if
 * there is none. */
static const ir_factor *factor_on_kink(const restriction *k, const ir_expr *e)
{
  for (int i = 0; e->kind == IR_PRODUCT && i < e->n; i++) {
    const ir_factor *f = &e->factors[i];
    const ir_expr *value = on_kink(k, f->base);
    const ir_expr *root = root_of_power(k->s, f);
    if ((value && ir_is_zero(value)) || (root && ir_primitive(root) == k->what)) {
      return f;
    }
  }
  return NULL;
}

/* The value of e on the kink. */
static const ir_expr *seams_restricted(void *data, const ir_expr *e)
{
  restriction *k = data;
  if (e->id >= k->n) {
    return e;
  }
  if (!k->done[e->id]) {
    const ir_expr *value = on_kink(k, e);
    const ir_factor *f = value ? NULL : factor_on_kink(k, e);
    k->done[e->id] = value ? value
                     : f   ? ir_integer(k->s->c, 0)
                           : ir_rebuilt(k->s->c, e, seams_restricted, k);
  }
  return k->done[e->id];
}

/* 1 if a node that is 0 on the kink occurs in a denominator. */
static int has_pole_on_kink(const restriction *k, const ir_expr *e, char visited[])
{
  if (visited[e->id]) {
    return 0;
  }
  visited[e->id] = 1;
  const ir_factor *f = factor_on_kink(k, e);
  int has = f && mpq_sgn(f->exponent) < 0;
  for (int i = 0; i < e->n && !has; i++) {
    has = has_pole_on_kink(k, ir_operand(e, i), visited);
  }
  return has;
}

/* The equations of the surface on the seam; NULL if one of them is undefined there.  An equation
 * that holds on the whole seam is dropped, because it would make the gradients dependent. */
static const surface *surface_on(study *s, const seam *found, int n,
                                 const ir_expr *const surface_values[])
{
  const ir_expr **values = ARENA_ARRAY(s->memory, n + 1, const ir_expr *);
  restriction k = {s, found->what, NULL, ir_context_size(s->c)};
  k.done = ARENA_ARRAY(s->memory, k.n, const ir_expr *);
  char *visited = ARENA_ARRAY(s->memory, k.n, char);
  int rows = 0;
  for (int i = 0; i < n; i++) {
    const ir_expr *value = surface_values[i];
    if (is_kink(found->kind) && has_pole_on_kink(&k, value, visited)) {
      return NULL;
    }
    value = is_kink(found->kind) ? seams_restricted(&k, value) : value;
    if (!is_zero_on(s, found->what, value)) {
      values[rows++] = value;
    }
  }
  values[rows++] = found->what;
  return surface_create(s, rows, values);
}

/* ---- smoothness of a formula at a point ---- */

/* The value of e at the point, shifted by 2^exponent scales along a fixed direction, forward
 * (sign = 1) or backward. */
static void value_beside(study *s, point *x, const ir_expr *e, int exponent, int sign, arb_t out)
{
  arb_ptr z = _arb_vec_init(s->n);
  for (int j = 0; j < s->n; j++) {
    double part = 0.6180339887498949 * (j + 1);
    arb_get_mid_arb(z + j, x->exact + j);
    arb_set_d(out, sign * (0.5 + part - floor(part)) * s->scale[j]);
    arb_mul_2exp_si(out, out, exponent);
    arb_add(z + j, z + j, out, PRECISION);
  }
  const ball_inputs inputs = {x->at->exact, z, s->scale};
  ball_begin(s->balls, &inputs, PRECISION);
  arb_set(out, ball_value(s->balls, e));
  _arb_vec_clear(z, s->n);
}

/* The exponent r with which the even (odd = 0) or odd part of e decreases as t^r, where t is the
 * distance from the point.  The constant or linear term is excluded.  Infinite if the part is 0;
 * NaN if e is not finite there. */
static double rate_of_part(study *s, point *x, const ir_expr *e, int odd)
{
  arb_t part[3];
  arb_t back;
  arb_init(back);
  for (int i = 0; i < 3; i++) {
    arb_init(part[i]);
    value_beside(s, x, e, NEAR - i, 1, part[i]);
    value_beside(s, x, e, NEAR - i, -1, back);
    if (odd) {
      arb_sub(part[i], part[i], back, PRECISION);
      arb_mul_2exp_si(part[i], part[i], i);
    } else {
      arb_add(part[i], part[i], back, PRECISION);
    }
  }
  for (int i = 0; i < 2; i++) {
    arb_sub(part[i], part[i], part[i + 1], PRECISION);
    arb_mul_2exp_si(part[i], part[i], odd ? -i : 0);
  }
  double rate = (double)NAN;
  if (arb_is_finite(part[0]) && arb_is_finite(part[1])) {
    if (arb_contains_zero(part[0]) || arb_contains_zero(part[1])) {
      rate = (double)INFINITY;
    } else {
      arb_div(part[0], part[0], part[1], PRECISION);
      arb_abs(part[0], part[0]);
      rate = log2(ball_double(part[0]));
    }
  }
  for (int i = 0; i < 3; i++) {
    arb_clear(part[i]);
  }
  arb_clear(back);
  return rate;
}

/* The order of the first derivative that e lacks at the point, 1 or 2; 0 if it has both. */
static int missing_derivative(study *s, point *x, const ir_expr *e)
{
  static const double near = 1e-3;
  point_refine(s, x, PRECISION);
  double even = rate_of_part(s, x, e, 0);
  double odd = rate_of_part(s, x, e, 1);
  if (even <= 1 + near || odd < 1 - near) {
    return 1;
  }
  return even < 2 - near || odd <= 2 + near ? 2 : 0;
}

/* ---- intersections of the surface with a seam ---- */

/* A point of the surface on the seam; NULL if none was found.  At a kink, e must lack a derivative
 * of order *order. */
static const double *meet(study *s, const seam *found, const ir_expr *e, int n,
                          const ir_expr *const surface_values[], int *order)
{
  const surface *f = surface_on(s, found, n, surface_values);
  points p = {.n = 0};
  if (f) {
    p = sample_surface(s, f, &s->settings[0], POINTS, ROUNDS, FARTHEST);
  }
  for (int i = 0; i < p.n; i++) {
    *order = is_kink(found->kind) ? missing_derivative(s, p.x[i], e) : 1;
    if (found->side) {
      point_begin(s, p.x[i], 64);
    }
    if (*order > 0 && (!found->side || arb_is_negative(ball_value(s->balls, found->side)))) {
      return p.x[i]->z;
    }
  }
  return NULL;
}

const double *meet_zero(study *s, const ir_expr *what, int n, const ir_expr *const equations[])
{
  const seam zero = {SEAM_INFINITE, what, NULL};
  int order = 0;
  return meet(s, &zero, what, n, equations, &order);
}

static void seams_examine(study *s, record *r, const ir_expr *e, const char *in, int invariant)
{
  int m = s->p->nc;
  seams k = {.s = s, .n_visited = ir_context_size(s->c), .with_poles = invariant >= 0};
  k.visited = ARENA_ARRAY(s->memory, k.n_visited, char);
  seams_collect(&k, e, 0);
  for (int i = 0; i < k.n && !study_exhausted(s, 0.9); i++) {
    int order = 0;
    const seam *found = &k.list[i];
    const double *at = meet(s, found, e, invariant >= 0 ? 2 * m : m, s->g, &order);
    int is_named = at != NULL;
    if (!at && invariant >= 0 && found->kind != SEAM_INFINITE) {
      /* The seam of an invariant is reported anywhere, unless the invariant has a derivative
       * there. */
      is_named = !is_kink(found->kind) || meet(s, found, e, 0, NULL, &order);
    }
    if (!is_named || (invariant >= 0 && order > 1)) {
      continue;
    }
    record_seam *longer = ARENA_ARRAY(s->memory, r->n_seams + 1, record_seam);
    if (r->n_seams > 0) {
      memcpy(longer, r->seams, (size_t)r->n_seams * sizeof *longer);
    }
    longer[r->n_seams++] = (record_seam){found->kind, in, found->what, at, invariant, order};
    r->seams = longer;
  }
}

int has_seams(study *s, const ir_expr *e)
{
  seams k = {.s = s, .n_visited = ir_context_size(s->c)};
  k.visited = ARENA_ARRAY(s->memory, k.n_visited, char);
  seams_collect(&k, e, 0);
  return k.n > 0;
}

void find_seams(study *s, record *r)
{
  const ir_program *p = s->p;
  seams_examine(s, r, s->H, "H", -1);
  for (int i = 0; i < p->nc; i++) {
    const char *in = arena_printf(s->memory, "constraint '%s'", p->c_names[i]);
    seams_examine(s, r, s->g[i], in, -1);
  }
  for (int i = 0; i < p->n_invariants; i++) {
    const char *in = arena_printf(s->memory, "invariant '%s'", p->invariant_names[i]);
    seams_examine(s, r, p->functions[IR_INVARIANT].entries[i].value, in, i);
  }
}
