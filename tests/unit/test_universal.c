/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_universal.c -- the universal functions G_k(c, t) in C, as expressions and in balls, and the
 * closed fibre flows that are made of them, against Arb: for c from 1e-300 to 1e300 of either sign,
 * and 0.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <arb_mat.h>

#include "analysis/ball.h"
#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/evaluate.h"
#include "expr/magnitude.h"
#include "sidewinder/functions.h"
#include "symbolic/symbolic.h"

#include "random_trees.h"

enum { BITS = 2400 };

static double (*const functions[4])(double, double) = {sw_g0, sw_g1, sw_g2, sw_g3};

/* G_k(c, t) by its closed form; BITS make up for what cancels down to |c| t^2 = 1e-300. */
static void reference(int k, double c, double t, arb_t value)
{
  arb_t root;
  arb_t s;
  arb_init(root);
  arb_init(s);
  arb_set_d(root, fabs(c));
  arb_sqrt(root, root, BITS);
  arb_set_d(s, t);
  arb_mul(s, s, root, BITS);
  if (c == 0) {
    arb_set_d(value, t);
    arb_pow_ui(value, value, (ulong)k, BITS);
    arb_div_ui(value, value, k == 3 ? 6 : k == 2 ? 2 : 1, BITS);
  } else if (k % 2) {
    (c < 0 ? arb_sin : arb_sinh)(value, s, BITS);
    arb_div(value, value, root, BITS);
    arb_set_d(s, t);
  } else {
    (c < 0 ? arb_cos : arb_cosh)(value, s, BITS);
    arb_one(s);
  }
  if (k > 1 && c != 0) {
    arb_sub(value, value, s, BITS);
    arb_set_d(s, c);
    arb_div(value, value, s, BITS);
  }
  arb_clear(root);
  arb_clear(s);
}

static double reference_value(int k, double c, double t)
{
  arb_t value;
  arb_init(value);
  reference(k, c, t, value);
  double v = ball_double(value);
  arb_clear(value);
  return v;
}

/* |v - reference| in units of the last place of `size`. */
static double units(double v, int k, double c, double t, double size)
{
  arb_t exact;
  arb_t found;
  arb_init(exact);
  arb_init(found);
  reference(k, c, t, exact);
  arb_set_d(found, v);
  arb_sub(found, found, exact, BITS);
  double error = fabs(ball_double(found)) / (DBL_EPSILON * size);
  arb_clear(exact);
  arb_clear(found);
  return error;
}

/* c of either sign between 1e-300 and 1e300, now and then 0, and t such that |c| t^2 = s^2. */
static double draw(uint64_t *seed, double *t, double *s)
{
  double c = pow(10, 300 * sw_random(seed)) * (random_below(seed, 2) ? 1 : -1);
  *s = random_below(seed, 3) ? pow(10, 2 * sw_random(seed)) : pow(10, 70 * sw_random(seed) - 75);
  *t = *s / sqrt(fabs(c)) * (random_below(seed, 2) ? 1 : -1);
  if (random_below(seed, 20) == 0) {
    c = 0;
    *t = *s;
  }
  return c;
}

static void functions_are_exact_for_neighbours_of_their_arguments(void **state)
{
  (void)state;
  uint64_t seed = 1;
  double worst[4] = {0};
  double small[4] = {0};
  for (int i = 0; i < 6000; i++) {
    double t = 0;
    double s = 0;
    double c = draw(&seed, &t, &s);
    for (int k = 0; k < 4; k++) {
      double v = functions[k](c, t);
      double value = reference_value(k, c, t);
      double slope = k ? reference_value(k - 1, c, t) : c * reference_value(1, c, t);
      if (fabs(value) < 1e-290 || !isfinite(value)) {
        continue;
      }
      worst[k] = fmax(worst[k], units(v, k, c, t, fabs(value) + fabs(t * slope)));
      if (s <= 1) {
        small[k] = fmax(small[k], units(v, k, c, t, fabs(value)));
      }
    }
  }
  for (int k = 0; k < 4; k++) {
    print_message("G_%d: %.2f units of |G| + |t G'|; of |G| alone where |c| t^2 <= 1: %.2f\n", k,
                  worst[k], small[k]);
    assert_true(worst[k] <= 4 && small[k] <= 4);
    assert_true(small[k] > 0);
  }
}

/* What the closed forms with a division by c lose, so that the figures above can fail. */
static void division_by_c_loses_all_digits(void **state)
{
  (void)state;
  double c = 1e-12;
  double naive = (sinh(sqrt(c)) / sqrt(c) - 1) / c;
  assert_true(units(naive, 3, c, 1, 1) > 1e6);
  assert_true(units(sw_g3(c, 1), 3, c, 1, 1) < 1);
}

static void nothing_overflows_before_the_value_does(void **state)
{
  (void)state;
  assert_true(units(sw_g1(1e300, 8e-148), 1, 1e300, 8e-148,
                    1e-3 * reference_value(1, 1e300, 8e-148)) < 1e6);
  assert_true(isfinite(sw_g3(1e-250, 9e102)) && isfinite(sw_g2(1e-308, 1.2e154)));
  assert_true(isinf(sw_g0(1, 800)) && isinf(sw_g1(1, 800)) && sw_g1(1, -800) < 0);
  assert_true(sw_g1(0, 3) == 3 && sw_g0(-0.0, 5) == 1 && sw_g2(0, 4) == 8 && sw_g3(0, 3) == 4.5);
  assert_true(isnan(sw_g0((double)NAN, 1)) && isnan(sw_g3(1, (double)NAN)));
}

/* ---- as expressions ---- */

typedef struct room {
  arena *memory;
  ir_context *c;
  const ir_expr *a; /* z_0 and z_1 */
  const ir_expr *t;
} room;

static room open_room(void)
{
  room r = {.memory = arena_create()};
  r.c = ir_context_create(r.memory);
  r.a = ir_input(r.c, IR_Z, 0);
  r.t = ir_input(r.c, IR_Z, 1);
  return r;
}

static void close_room(room *r)
{
  ir_context_free(r->c);
  arena_free(r->memory);
}

static double value_at(const room *r, const ir_expr *e, const double z[2])
{
  ir_evaluator *evaluator = ir_evaluator_create(r->c);
  const ir_values in = {{NULL, NULL, z}};
  ir_evaluator_begin(evaluator, &in);
  double v = ir_evaluator_value(evaluator, e);
  ir_evaluator_free(evaluator);
  return v;
}

/* dG/dt and dG/dc of a derivative that is written with G alone, against differences of the exact
 * values. */
static void derivatives_stay_within_the_family(void **state)
{
  (void)state;
  room r = open_room();
  uint64_t seed = 3;
  for (int k = 0; k < 4; k++) {
    const ir_expr *slopes[2];
    ir_gradient(r.c, 2, ir_apply(r.c, (ir_call)(IR_G0 + k), r.a, r.t), slopes);
    for (int i = 0; i < 200; i++) {
      const double z[2] = {4 * sw_random(&seed), 2 * sw_random(&seed)};
      const double h = 1e-5;
      double by_c = (functions[k](z[0] + h, z[1]) - functions[k](z[0] - h, z[1])) / (2 * h);
      double by_t = (functions[k](z[0], z[1] + h) - functions[k](z[0], z[1] - h)) / (2 * h);
      assert_true(fabs(value_at(&r, slopes[0], z) - by_c) < 1e-9 * (1 + fabs(by_c)));
      assert_true(fabs(value_at(&r, slopes[1], z) - by_t) < 1e-9 * (1 + fabs(by_t)));
    }
  }
  close_room(&r);
}

static void normal_form_knows_parity_and_zero(void **state)
{
  (void)state;
  room r = open_room();
  const ir_expr *minus = ir_minus(r.c, ir_integer(r.c, 0), r.t);
  const ir_expr *zero = ir_integer(r.c, 0);
  for (int k = 0; k < 4; k++) {
    ir_call call = (ir_call)(IR_G0 + k);
    const ir_expr *e = ir_apply(r.c, call, r.a, r.t);
    assert_ptr_equal(ir_apply(r.c, call, r.a, minus), k % 2 ? ir_minus(r.c, zero, e) : e);
    assert_ptr_equal(ir_apply(r.c, call, r.a, zero), ir_integer(r.c, k == 0));
    const double z[2] = {0, 1.5};
    assert_true(value_at(&r, ir_apply(r.c, call, zero, r.t), z) == functions[k](0, 1.5));
  }
  close_room(&r);
}

/* The magnitude of G_k bounds what changes of the arguments in the last place do. */
static void magnitudes_bound_the_slopes(void **state)
{
  (void)state;
  room r = open_room();
  uint64_t seed = 5;
  for (int k = 0; k < 4; k++) {
    const ir_expr *e = ir_apply(r.c, (ir_call)(IR_G0 + k), r.a, r.t);
    const ir_expr *bound = NULL;
    const ir_expr *slopes[2];
    ir_magnitudes(r.c, 1, &e, &bound);
    ir_gradient(r.c, 2, e, slopes);
    for (int i = 0; i < 300; i++) {
      const double z[2] = {2 * sw_random(&seed), 2 * sw_random(&seed)};
      double change = fabs(value_at(&r, e, z)) + fabs(z[0] * value_at(&r, slopes[0], z)) +
                      fabs(z[1] * value_at(&r, slopes[1], z));
      assert_true(value_at(&r, bound, z) >= change * (1 - 1e-12));
      assert_true(value_at(&r, bound, z) <= 50 * (1 + change));
    }
  }
  close_room(&r);
}

static void balls_contain_the_value_and_are_small(void **state)
{
  (void)state;
  room r = open_room();
  ball_evaluator *balls = ball_evaluator_create(r.c);
  arb_ptr z = _arb_vec_init(2);
  arb_t exact;
  arb_init(exact);
  uint64_t seed = 7;
  for (int i = 0; i < 400; i++) {
    double c = i ? 20 * sw_random(&seed) * pow(10, -20 * (i % 3)) : 0;
    double t = 3 * sw_random(&seed);
    arb_set_d(z, c);
    arb_set_d(z + 1, t);
    const ball_inputs in = {NULL, z, NULL};
    ball_begin(balls, &in, 256);
    for (int k = 0; k < 4; k++) {
      arb_srcptr value = ball_value(balls, ir_apply(r.c, (ir_call)(IR_G0 + k), r.a, r.t));
      reference(k, c, t, exact);
      assert_true(arb_overlaps(value, exact));
      assert_true(mag_get_d(arb_radref(value)) <= 1e-60 * (1 + fabs(ball_double(exact))));
      assert_true(mag_get_d(ball_size(balls, ir_apply(r.c, (ir_call)(IR_G0 + k), r.a, r.t))) >=
                  fabs(ball_double(exact)));
    }
  }
  arb_clear(exact);
  _arb_vec_clear(z, 2);
  ball_evaluator_free(balls);
  close_room(&r);
}

/* ---- flows ---- */

typedef struct flow {
  arena *memory;
  ir_context *c;
  const ir_program *program;
} flow;

static flow lower_text(const char *text)
{
  flow r = {.memory = arena_create()};
  diagnostics *d = diagnostics_create(r.memory, "test.sw", text, strlen(text));
  const model *m = model_check(r.memory, d, "test.sw", text, strlen(text), 0, NULL);
  r.c = ir_context_create(r.memory);
  r.program = m ? symbolic_lower(r.memory, d, m, r.c) : NULL;
  if (!r.program) {
    diagnostics_print(d, stderr);
  }
  assert_non_null(r.program);
  return r;
}

/* The field of g at the parameters: z' = A z + b, as doubles. */
typedef struct linear {
  int n;
  double A[6][6];
  double b[6];
} linear;

static void product_row(const arb_mat_t E, int i, int n, const arb_t unit, arb_srcptr z, arb_t sum)
{
  arb_mul(sum, arb_mat_entry(E, i, n), unit, BITS);
  for (int j = 0; j < n; j++) {
    arb_addmul(sum, arb_mat_entry(E, i, j), z + j, BITS);
  }
}

/* exp(t A) and what it makes of z, from the exponential of (A b; 0 0), and the same with |A|, |b|,
 * |z|, which bounds the terms. */
static void reference_flow(const linear *f, double t, const double z[], int absolute, double end[],
                           double by_t[], double by_z[6][6])
{
  arb_mat_t X;
  arb_mat_t E;
  arb_mat_init(X, f->n + 1, f->n + 1);
  arb_mat_init(E, f->n + 1, f->n + 1);
  arb_ptr start = _arb_vec_init(f->n);
  arb_ptr final = _arb_vec_init(f->n);
  arb_t one;
  arb_init(one);
  arb_one(one);
  for (int i = 0; i < f->n; i++) {
    arb_set_d(start + i, absolute ? fabs(z[i]) : z[i]);
    for (int j = 0; j <= f->n; j++) {
      double a = j < f->n ? f->A[i][j] : f->b[i];
      arb_set_d(arb_mat_entry(X, i, j), absolute ? fabs(a) : a);
    }
  }
  arb_t time;
  arb_init(time);
  arb_set_d(time, absolute ? fabs(t) : t);
  arb_mat_scalar_mul_arb(E, X, time, BITS);
  arb_mat_exp(E, E, BITS);
  for (int i = 0; i < f->n; i++) {
    product_row(E, i, f->n, one, start, final + i);
    end[i] = ball_double(final + i);
    for (int j = 0; j < f->n; j++) {
      by_z[i][j] = ball_double(arb_mat_entry(E, i, j));
    }
  }
  for (int i = 0; i < f->n; i++) {
    product_row(X, i, f->n, one, final, time);
    by_t[i] = ball_double(time);
  }
  arb_clear(time);
  arb_clear(one);
  _arb_vec_clear(start, f->n);
  _arb_vec_clear(final, f->n);
  arb_mat_clear(X);
  arb_mat_clear(E);
}

/* Largest error of entries of one function, in units of the last place of the reference with
 * absolute values. */
static double compare(const flow *r, ir_function_id id, const double z[], const double k[],
                      double t, const double exact[], const double size[], int cols)
{
  const ir_function *f = &r->program->functions[id];
  double found[36] = {0};
  const ir_values in = {{k, &t, z}};
  ir_evaluator *evaluator = ir_evaluator_create(r->c);
  ir_evaluator_begin(evaluator, &in);
  for (int i = 0; i < f->n; i++) {
    found[f->entries[i].row * cols + f->entries[i].col] =
        ir_evaluator_value(evaluator, f->entries[i].value);
  }
  ir_evaluator_free(evaluator);
  double worst = 0;
  for (int i = 0; i < f->rows * cols; i++) {
    if (size[i] > 1e-280 && size[i] < 1e280) {
      double error = fabs(found[i] - exact[i]) / (DBL_EPSILON * size[i]);
      worst = error <= worst ? worst : error;
    } else if (!(size[i] > 0)) {
      assert_true(found[i] == 0);
    }
  }
  return worst;
}

/* The worst entry of the flow and of its derivatives. */
static double flow_error(const flow *r, const linear *f, const double z[], const double k[],
                         double t)
{
  double end[2][6];
  double by_t[2][6];
  double by_z[2][6][6];
  double dense[2][36];
  for (int i = 0; i < 2; i++) {
    reference_flow(f, t, z, i, end[i], by_t[i], by_z[i]);
    for (int j = 0; j < f->n * f->n; j++) {
      dense[i][j] = by_z[i][j / f->n][j % f->n];
    }
  }
  double a = compare(r, IR_FIBRE_FLOW, z, k, t, end[0], end[1], 1);
  double b = compare(r, IR_FIBRE_FLOW_LAMBDA, z, k, t, by_t[0], by_t[1], 1);
  double c = compare(r, IR_FIBRE_FLOW_Z, z, k, t, dense[0], dense[1], f->n);
  return fmax(a, fmax(b, c));
}

/* A^2 = c I with c = -a b, about a centre: g = a p^2/2 + b (q - X)^2/2 + e p. */
static void quadratic_flows_of_one_degree_of_freedom(void **state)
{
  (void)state;
  flow r = lower_text("model one\ncoord q momentum p\nparam a = 1\nparam b = 1\nparam X = 0\n"
                      "param e = 0\nhamiltonian H = p^2/2\n"
                      "constraint c: a*p^2/2 + b*(q - X)^2/2 + e*p == 1\n");
  assert_string_equal(r.program->structure.constraint_kind[0], "quadratic: rotation or hyperbolic");
  uint64_t seed = 11;
  double worst = 0;
  for (int i = 0; i < 1500; i++) {
    double t = 0;
    double s = 0;
    double c = draw(&seed, &t, &s);
    double a = pow(10, 100 * sw_random(&seed));
    double b = -c / a;
    /* Products such as a^2 b have to be doubles, and so have the units of q and p. */
    double largest = fmax(fabs(c * a), fabs(c * b));
    double least = b == 0 ? a : fmin(fabs(c * a), fabs(c * b));
    if (s > 3 || !(largest < 1e150) || !(least > 1e-150) || fabs(t) > 1e100 || fabs(t) < 1e-100) {
      continue;
    }
    /* Of the sizes that the units of q and p have: q ~ a t p. */
    double p = pow(10, 20 * sw_random(&seed));
    double q = p * a * fabs(t);
    const double k[4] = {a, b, q * sw_random(&seed), p * sw_random(&seed)};
    const linear f = {2, {{0, a}, {-b, 0}}, {k[3], b * k[2]}};
    const double z[2] = {q * sw_random(&seed), p * sw_random(&seed)};
    double error = flow_error(&r, &f, z, k, t);
    worst = error <= worst ? worst : error;
  }
  print_message("flows with A^2 = c I: %.1f units\n", worst);
  assert_true(worst <= 16);
  ir_context_free(r.c);
  arena_free(r.memory);
}

/* A^3 = c A with c = a b + e f, the lift of q' = B q + v with B = (0 a 0; b 0 e; 0 f 0): g = p.(B q
 * + v) + w.q. */
static void quadratic_flows_with_a_cubic_equation(void **state)
{
  (void)state;
  flow r = lower_text("model three\nset xyz = {x, y, z}\ncoord q[xyz] momentum p\nparam a = 1\n"
                      "param b = 1\nparam e = 1\nparam f = 1\nparam v[xyz] = 0\nparam w[xyz] = 0\n"
                      "hamiltonian H = p[x]^2/2\n"
                      "constraint c: a*p[x]*q[y] + b*p[y]*q[x] + e*p[y]*q[z] + f*p[z]*q[y]\n"
                      "  + sum(i in xyz: v[i]*p[i] + w[i]*q[i]) == 1\n");
  assert_string_equal(r.program->structure.constraint_kind[0], "quadratic: rotation or hyperbolic");
  uint64_t seed = 13;
  double worst = 0;
  for (int i = 0; i < 1200; i++) {
    double small = random_below(&seed, 4) ? pow(10, -150 * (1 + sw_random(&seed))) : 0;
    double a = sw_random(&seed);
    double b = sw_random(&seed);
    double e = sw_random(&seed);
    double f = sw_random(&seed);
    switch (random_below(&seed, 4)) {
    case 0: /* b and f are small, so c is, and A^2 is not */
      b *= small;
      f *= small;
      break;
    case 1: /* c = 0, or nearly */
      e = a;
      f = -b * (1 + random_below(&seed, 2) * 1e-9);
      break;
    default: /* generic, of either sign */
      break;
    }
    double k[10] = {a, b, e, f};
    double z[6];
    for (int j = 0; j < 6; j++) {
      k[4 + j] = sw_random(&seed);
      z[j] = sw_random(&seed);
    }
    const linear field = {6,
                          {{0, a, 0, 0, 0, 0},
                           {b, 0, e, 0, 0, 0},
                           {0, f, 0, 0, 0, 0},
                           {0, 0, 0, 0, -b, 0},
                           {0, 0, 0, -a, 0, -f},
                           {0, 0, 0, 0, -e, 0}},
                          {k[4], k[5], k[6], -k[7], -k[8], -k[9]}};
    double error = flow_error(&r, &field, z, k, 2 * sw_random(&seed));
    worst = error <= worst ? worst : error;
  }
  print_message("flows with A^3 = c A: %.1f units\n", worst);
  assert_true(worst <= 24);
  ir_context_free(r.c);
  arena_free(r.memory);
}

/* f.p + c(q): the shift of p has no terms that cancel, wherever the centre of c is. */
static void lifts_of_translations_keep_their_digits(void **state)
{
  (void)state;
  flow r = lower_text("model lift\ncoord x momentum u\nparam X = 3e5\nhamiltonian H = u^2/2\n"
                      "constraint c: u + (x - X)^9 == 1\n");
  const double k[1] = {3e5};
  const double z[2] = {3e5 + 0.5, 0.25};
  const double t = 0.125;
  const double exact[2] = {3e5 + 0.625, 0.25 - (pow(0.625, 9) - pow(0.5, 9))};
  const double size[2] = {3e5, 0.25};
  assert_string_equal(r.program->structure.constraint_kind[0], "lift of a translation");
  assert_true(compare(&r, IR_FIBRE_FLOW, z, k, t, exact, size, 1) <= 4);
  ir_context_free(r.c);
  arena_free(r.memory);

  /* Too long to be multiplied out, and no polynomial that would not end. */
  r = lower_text("model lift\ncoord x momentum u\nhamiltonian H = u^2/2\n"
                 "constraint c: u + (x + 1)^30 == 1\n");
  assert_string_equal(r.program->structure.constraint_kind[0], "lift of a translation");
  const double near[2] = {-0.75, 0.25};
  const double near_size[2] = {0.75, 0.25};
  const double there[2] = {-0.625, 0.25 - (pow(0.375, 30) - pow(0.25, 30))};
  assert_true(compare(&r, IR_FIBRE_FLOW, near, NULL, t, there, near_size, 1) <= 4);
  ir_context_free(r.c);
  arena_free(r.memory);
}

static int has_universal(const ir_expr *e)
{
  int found = e->kind == IR_CALL && ir_universal_order(e->call) >= 0;
  for (int i = 0; i < e->n && !found; i++) {
    found = has_universal(e->kind == IR_SUM       ? e->terms[i].node
                          : e->kind == IR_PRODUCT ? e->factors[i].base
                                                  : e->arguments[i]);
  }
  return found;
}

/* Which formula a flow has does not depend on the size of a literal number, where that is
 * moderate. */
static void literal_numbers_keep_sines_and_cosines(void **state)
{
  (void)state;
  static const struct {
    const char *constraint;
    const char *kind;
    int universal;
  } cases[] = {
      {"q^2 + p^2", "quadratic: rotation", 0},
      {"q*p", "quadratic: hyperbolic", 0},
      {"w^2*q^2 + p^2", "quadratic: rotation", 1},
      {"k1*q^2 + p^2", "quadratic: rotation or hyperbolic", 1},
      {"1e-100*q^2 + 1e-100*p^2", "quadratic: rotation", 0},
      {"1e-148*q^2 + 1e-148*p^2", "quadratic: rotation", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    flow r = lower_text(arena_printf(a,
                                     "model t\ncoord q momentum p\nparam w = 1 in (0, inf)\n"
                                     "param k1 = 1\nhamiltonian H = p^2/2\nconstraint c: %s == 1\n",
                                     cases[i].constraint));
    assert_string_equal(r.program->structure.constraint_kind[0], cases[i].kind);
    const ir_function *f = &r.program->functions[IR_FIBRE_FLOW];
    const double z[2] = {0.5, 0.25};
    const double k[2] = {1, 1};
    const double lambda = 0.5;
    ir_evaluator *evaluator = ir_evaluator_create(r.c);
    ir_evaluator_begin(evaluator, &(ir_values){{k, &lambda, z}});
    assert_true(isfinite(ir_evaluator_value(evaluator, f->entries[0].value)));
    ir_evaluator_free(evaluator);
    assert_int_equal(has_universal(f->entries[0].value), cases[i].universal);
    ir_context_free(r.c);
    arena_free(r.memory);
    arena_free(a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_are_exact_for_neighbours_of_their_arguments),
      cmocka_unit_test(division_by_c_loses_all_digits),
      cmocka_unit_test(nothing_overflows_before_the_value_does),
      cmocka_unit_test(derivatives_stay_within_the_family),
      cmocka_unit_test(normal_form_knows_parity_and_zero),
      cmocka_unit_test(magnitudes_bound_the_slopes),
      cmocka_unit_test(balls_contain_the_value_and_are_small),
      cmocka_unit_test(quadratic_flows_of_one_degree_of_freedom),
      cmocka_unit_test(quadratic_flows_with_a_cubic_equation),
      cmocka_unit_test(lifts_of_translations_keep_their_digits),
      cmocka_unit_test(literal_numbers_keep_sines_and_cosines),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  flint_cleanup();
  return failed;
}
