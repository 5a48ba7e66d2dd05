/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/polynomial.h"

#include <stdlib.h>
#include <string.h>

#include "expr/derivative.h"

/* Limit on converted nodes per ring: a formula with shared parts becomes long when it is
 * expanded. */
#define WORK_LIMIT 200000

static int is_small_power(mpq_srcptr exponent)
{
  return mpz_cmp_ui(mpq_denref(exponent), 1) == 0 && mpq_sgn(exponent) > 0 &&
         mpz_cmp_ui(mpq_numref(exponent), POLYNOMIAL_EXPONENT) <= 0;
}

/* base^(a/b) = atom^|a| with the atom base^(1/b) or base^(-1/b).  Returns NULL if |a| is too
 * large. */
static const ir_expr *root(ir_context *c, const ir_factor *f, ulong *power)
{
  if (mpz_cmpabs_ui(mpq_numref(f->exponent), POLYNOMIAL_EXPONENT) > 0) {
    return NULL;
  }
  mpq_t unit;
  mpq_init(unit);
  mpz_set_si(mpq_numref(unit), mpq_sgn(f->exponent));
  mpz_set(mpq_denref(unit), mpq_denref(f->exponent));
  const ir_expr *atom = ir_pow(c, f->base, unit);
  mpq_clear(unit);
  mpz_t size;
  mpz_init(size);
  mpz_abs(size, mpq_numref(f->exponent));
  *power = mpz_get_ui(size);
  mpz_clear(size);
  return atom;
}

/* ---- exponentials ---- */

/* Splits exp(c x) into c and x, where x has no rational factor. */
static const ir_expr *polynomial_exponent_of(const ir_expr *e, mpq_ptr c)
{
  const ir_expr *x = e->arguments[0];
  if (x->kind == IR_SUM && x->n == 1) {
    mpq_set(c, x->terms[0].coefficient);
    return x->terms[0].node;
  }
  mpq_set_ui(c, 1, 1);
  return x;
}

/* exp(c x) as a power of exp(u x) or exp(-u x).  The unit u divides the factors c of all
 * exponentials of the ring. */
static const ir_expr *polynomial_exponential(ir_context *c, const ir_expr *e, int n,
                                             const polynomial_group groups[], ulong *power)
{
  mpq_t factor;
  mpq_t unit;
  mpq_init(factor);
  mpq_init(unit);
  const ir_expr *x = polynomial_exponent_of(e, factor);
  const ir_expr *atom = NULL;
  for (int i = 0; i < n && !atom; i++) {
    if (groups[i].node == x) {
      mpq_set(unit, groups[i].unit->value);
      if (mpq_sgn(factor) < 0) {
        mpq_neg(unit, unit);
      }
      mpq_div(factor, factor, unit);
      *power = mpz_get_ui(mpq_numref(factor)); /* an integer, by the choice of the unit */
      atom = mpz_cmp_ui(mpq_numref(factor), POLYNOMIAL_EXPONENT) <= 0
                 ? ir_apply(c, IR_EXP, ir_scale(c, unit, x), NULL)
                 : NULL;
    }
  }
  mpq_clear(unit);
  mpq_clear(factor);
  return atom;
}

/* ---- the atoms of expressions ---- */

typedef struct collector {
  ir_context *c;
  char *seen; /* by node id */
  const ir_expr *atoms[POLYNOMIAL_VARIABLES];
  int n;
  const ir_expr *exponentials[POLYNOMIAL_VARIABLES];
  int n_exponentials;
  polynomial_group groups[POLYNOMIAL_VARIABLES];
  int n_groups;
  int full;
} collector;

static void add_atom(collector *k, const ir_expr *atom)
{
  for (int i = 0; i < k->n; i++) {
    if (k->atoms[i] == atom) {
      return;
    }
  }
  if (k->n == POLYNOMIAL_VARIABLES) {
    k->full = 1;
    return;
  }
  k->atoms[k->n++] = atom;
}

/* The greatest common divisor of two positive fractions a/b and c/d in lowest terms, gcd(a d, c
 * b)/(b d). */
static void common_divisor(mpq_t out, mpq_srcptr x, mpq_srcptr y)
{
  mpz_t left;
  mpz_t right;
  mpz_init(left);
  mpz_init(right);
  mpz_mul(left, mpq_numref(x), mpq_denref(y));
  mpz_mul(right, mpq_numref(y), mpq_denref(x));
  mpz_mul(mpq_denref(out), mpq_denref(x), mpq_denref(y));
  mpz_gcd(mpq_numref(out), left, right);
  mpq_canonicalize(out);
  mpz_clear(right);
  mpz_clear(left);
}

/* Adds an exponential and updates the unit of its group, so that it divides the new factor, too. */
static void add_exponential(collector *k, const ir_expr *e)
{
  if (k->n_exponentials == POLYNOMIAL_VARIABLES) {
    k->full = 1;
    return;
  }
  k->exponentials[k->n_exponentials++] = e;
  mpq_t factor;
  mpq_t unit;
  mpq_init(factor);
  mpq_init(unit);
  const ir_expr *x = polynomial_exponent_of(e, factor);
  mpq_abs(factor, factor);
  int i = 0;
  while (i < k->n_groups && k->groups[i].node != x) {
    i++;
  }
  if (i == k->n_groups) {
    k->groups[k->n_groups++] = (polynomial_group){x, ir_number(k->c, factor)};
  } else {
    common_divisor(unit, factor, k->groups[i].unit->value);
    k->groups[i].unit = ir_number(k->c, unit);
  }
  mpq_clear(unit);
  mpq_clear(factor);
}

static void polynomial_collect(collector *k, const ir_expr *e)
{
  if (k->full || k->seen[e->id]) {
    return;
  }
  k->seen[e->id] = 1;
  switch (e->kind) {
  case IR_NUMBER:
    return;
  case IR_CALL:
    if (e->call == IR_INSIDE) { /* 1 wherever the formula is defined */
      return;
    }
    if (e->call == IR_EXP) {
      add_exponential(k, e);
      return;
    }
    add_atom(k, e);
    return;
  case IR_PI:
  case IR_INPUT:
    add_atom(k, e);
    return;
  case IR_SUM:
    for (int i = 0; i < e->n; i++) {
      polynomial_collect(k, e->terms[i].node);
    }
    return;
  case IR_PRODUCT:
    for (int i = 0; i < e->n && !k->full; i++) {
      polynomial_collect(k, e->factors[i].base); /* needed for the relation of a root */
      ulong power = 0;
      const ir_expr *atom =
          is_small_power(e->factors[i].exponent) ? NULL : root(k->c, &e->factors[i], &power);
      if (atom) {
        add_atom(k, atom);
      } else if (!is_small_power(e->factors[i].exponent)) {
        k->full = 1;
      }
    }
    return;
  }
}

polynomial_ring *polynomial_ring_create(ir_context *c, int n, const ir_expr *const e[])
{
  collector k = {.c = c, .seen = ir_zeros(ir_context_size(c), 1)};
  for (int i = 0; i < n; i++) {
    polynomial_collect(&k, e[i]);
  }
  free(k.seen);
  for (int i = 0; i < k.n_exponentials && !k.full; i++) {
    ulong power = 0;
    const ir_expr *atom =
        polynomial_exponential(c, k.exponentials[i], k.n_groups, k.groups, &power);
    if (atom) {
      add_atom(&k, atom);
    }
    k.full |= !atom;
  }
  if (k.full) {
    return NULL;
  }
  polynomial_ring *r = ARENA_NEW(ir_context_arena(c), polynomial_ring);
  r->c = c;
  r->n = k.n;
  r->n_groups = k.n_groups;
  memcpy(r->groups, k.groups, sizeof r->groups);
  int state[POLYNOMIAL_VARIABLES];
  for (int i = 0; i < k.n; i++) {
    int reads = ir_reads_state(c, k.atoms[i]);
    int at = i;
    while (at > 0 && (reads > state[at - 1] ||
                      (reads == state[at - 1] && ir_compare(k.atoms[i], r->atoms[at - 1]) < 0))) {
      r->atoms[at] = r->atoms[at - 1];
      state[at] = state[at - 1];
      at--;
    }
    r->atoms[at] = k.atoms[i];
    state[at] = reads;
    r->n_state += reads;
  }
  fmpq_mpoly_ctx_init(r->ctx, r->n > 0 ? r->n : 1, ORD_DEGREVLEX);
  return r;
}

void polynomial_ring_free(polynomial_ring *r)
{
  fmpq_mpoly_ctx_clear(r->ctx);
}

/* ---- expressions to polynomials ---- */

/* out = atom^power; returns 0 if the ring has no such atom. */
static int polynomial_atom(polynomial_ring *r, const ir_expr *atom, ulong power, fmpq_mpoly_t out)
{
  for (int i = 0; i < r->n; i++) {
    if (r->atoms[i] == atom) {
      fmpq_mpoly_gen(out, i, r->ctx);
      return fmpq_mpoly_pow_ui(out, out, power, r->ctx);
    }
  }
  return 0;
}

/* a = a b; returns 0 if the product may be too long. */
static int polynomial_multiply(polynomial_ring *r, fmpq_mpoly_t a, const fmpq_mpoly_t b)
{
  double terms = (double)fmpq_mpoly_length(a, r->ctx) * (double)fmpq_mpoly_length(b, r->ctx);
  if (terms > 50.0 * POLYNOMIAL_TERMS) {
    return 0;
  }
  fmpq_mpoly_mul(a, a, b, r->ctx);
  return fmpq_mpoly_length(a, r->ctx) <= POLYNOMIAL_TERMS;
}

static int polynomial_of_sum(polynomial_ring *r, const ir_expr *e, fmpq_mpoly_t out)
{
  int good = 1;
  fmpq_mpoly_t term;
  fmpq_t coefficient;
  fmpq_mpoly_init(term, r->ctx);
  fmpq_init(coefficient);
  fmpq_mpoly_zero(out, r->ctx);
  for (int i = 0; i < e->n && good; i++) {
    good = polynomial_of(r, e->terms[i].node, term);
    fmpq_set_mpq(coefficient, e->terms[i].coefficient);
    fmpq_mpoly_scalar_mul_fmpq(term, term, coefficient, r->ctx);
    fmpq_mpoly_add(out, out, term, r->ctx);
    good = good && fmpq_mpoly_length(out, r->ctx) <= POLYNOMIAL_TERMS;
  }
  fmpq_clear(coefficient);
  fmpq_mpoly_clear(term, r->ctx);
  return good;
}

static int polynomial_of_product(polynomial_ring *r, const ir_expr *e, fmpq_mpoly_t out)
{
  int good = 1;
  fmpq_mpoly_t base;
  fmpq_mpoly_init(base, r->ctx);
  fmpq_mpoly_one(out, r->ctx);
  for (int i = 0; i < e->n && good; i++) {
    const ir_factor *f = &e->factors[i];
    ulong power = 0;
    if (is_small_power(f->exponent)) {
      good = polynomial_of(r, f->base, base);
      for (power = mpz_get_ui(mpq_numref(f->exponent)); good && power > 0; power--) {
        good = polynomial_multiply(r, out, base);
      }
    } else {
      const ir_expr *atom = root(r->c, f, &power);
      good = atom && polynomial_atom(r, atom, power, base) && polynomial_multiply(r, out, base);
    }
  }
  fmpq_mpoly_clear(base, r->ctx);
  return good;
}

static int polynomial_of_call(polynomial_ring *r, const ir_expr *e, fmpq_mpoly_t out)
{
  ulong power = 1;
  if (e->call == IR_INSIDE) {
    fmpq_mpoly_one(out, r->ctx);
    return 1;
  }
  const ir_expr *atom =
      e->call == IR_EXP ? polynomial_exponential(r->c, e, r->n_groups, r->groups, &power) : e;
  return atom && polynomial_atom(r, atom, power, out);
}

int polynomial_of(polynomial_ring *r, const ir_expr *e, fmpq_mpoly_t out)
{
  fmpq_t value;
  if (r->work++ > WORK_LIMIT) {
    return 0;
  }
  switch (e->kind) {
  case IR_NUMBER:
    fmpq_init(value);
    fmpq_set_mpq(value, e->value);
    fmpq_mpoly_set_fmpq(out, value, r->ctx);
    fmpq_clear(value);
    return 1;
  case IR_CALL:
    return polynomial_of_call(r, e, out);
  case IR_PI:
  case IR_INPUT:
    return polynomial_atom(r, e, 1, out);
  case IR_SUM:
    return polynomial_of_sum(r, e, out);
  case IR_PRODUCT:
    return polynomial_of_product(r, e, out);
  }
  return 0;
}

/* ---- polynomials to expressions ---- */

/* coefficient * atoms^exponents */
static const ir_expr *term(const polynomial_ring *r, mpq_srcptr coefficient,
                           const ulong exponents[])
{
  const ir_expr *factors[POLYNOMIAL_VARIABLES];
  int n = 0;
  mpq_t power;
  mpq_init(power);
  for (int i = 0; i < r->n; i++) {
    if (exponents[i]) {
      mpq_set_ui(power, exponents[i], 1);
      factors[n++] = ir_pow(r->c, r->atoms[i], power);
    }
  }
  mpq_clear(power);
  return ir_scale(r->c, coefficient, ir_mul(r->c, n, factors));
}

const ir_expr *polynomial_expr(const polynomial_ring *r, const fmpq_mpoly_t p)
{
  slong n = fmpq_mpoly_length(p, r->ctx);
  const ir_expr **terms = ARENA_ARRAY(ir_context_arena(r->c), n + 1, const ir_expr *);
  ulong exponents[POLYNOMIAL_VARIABLES];
  fmpq_t coefficient;
  mpq_t value;
  fmpq_init(coefficient);
  mpq_init(value);
  for (slong i = 0; i < n; i++) {
    fmpq_mpoly_get_term_coeff_fmpq(coefficient, p, i, r->ctx);
    fmpq_mpoly_get_term_exp_ui(exponents, p, i, r->ctx);
    fmpq_get_mpq(value, coefficient);
    terms[i] = term(r, value, exponents);
  }
  mpq_clear(value);
  fmpq_clear(coefficient);
  return ir_add(r->c, (int)n, terms);
}

/* ---- relations between the atoms ---- */

/* x^2 + sign y^2 - 1 for the variables x and y. */
static void circle(const polynomial_ring *r, int x, int y, int sign, fmpq_mpoly_t out)
{
  fmpq_mpoly_t square;
  fmpq_mpoly_init(square, r->ctx);
  fmpq_mpoly_gen(out, x, r->ctx);
  fmpq_mpoly_mul(out, out, out, r->ctx);
  fmpq_mpoly_gen(square, y, r->ctx);
  fmpq_mpoly_mul(square, square, square, r->ctx);
  if (sign > 0) {
    fmpq_mpoly_add(out, out, square, r->ctx);
  } else {
    fmpq_mpoly_sub(out, out, square, r->ctx);
  }
  fmpq_mpoly_one(square, r->ctx);
  fmpq_mpoly_sub(out, out, square, r->ctx);
  fmpq_mpoly_clear(square, r->ctx);
}

/* r^b - x, or r^b x - 1, for the atom r = x^(1/b) or x^(-1/b); returns 0 for other atoms. */
static int of_root(polynomial_ring *r, int i, fmpq_mpoly_t out)
{
  const ir_expr *e = r->atoms[i];
  if (e->kind != IR_PRODUCT || e->n != 1 ||
      mpz_cmp_ui(mpq_denref(e->factors[0].exponent), POLYNOMIAL_EXPONENT) > 0) {
    return 0;
  }
  fmpq_mpoly_t base;
  fmpq_mpoly_init(base, r->ctx);
  int good = polynomial_of(r, e->factors[0].base, base) &&
             polynomial_atom(r, e, mpz_get_ui(mpq_denref(e->factors[0].exponent)), out);
  if (good && mpq_sgn(e->factors[0].exponent) < 0) {
    good = polynomial_multiply(r, out, base);
    fmpq_mpoly_one(base, r->ctx);
  }
  fmpq_mpoly_sub(out, out, base, r->ctx);
  fmpq_mpoly_clear(base, r->ctx);
  return good;
}

/* x y - 1 for the variables x and y. */
static void hyperbola(const polynomial_ring *r, int x, int y, fmpq_mpoly_t out)
{
  fmpq_mpoly_t other;
  fmpq_mpoly_init(other, r->ctx);
  fmpq_mpoly_gen(out, x, r->ctx);
  fmpq_mpoly_gen(other, y, r->ctx);
  fmpq_mpoly_mul(out, out, other, r->ctx);
  fmpq_mpoly_one(other, r->ctx);
  fmpq_mpoly_sub(out, out, other, r->ctx);
  fmpq_mpoly_clear(other, r->ctx);
}

/* r s - 1 for r = x^(1/b) and s = x^(-1/b). */
static int of_inverses(const polynomial_ring *r, int i, int j, fmpq_mpoly_t out)
{
  const ir_expr *a = r->atoms[i];
  const ir_expr *b = r->atoms[j];
  if (a->kind != IR_PRODUCT || b->kind != IR_PRODUCT || a->n != 1 || b->n != 1 ||
      a->factors[0].base != b->factors[0].base || mpq_sgn(a->factors[0].exponent) < 0) {
    return 0;
  }
  mpq_t sum;
  mpq_init(sum);
  mpq_add(sum, a->factors[0].exponent, b->factors[0].exponent);
  int inverse = mpq_sgn(sum) == 0;
  mpq_clear(sum);
  if (inverse) {
    hyperbola(r, i, j, out);
  }
  return inverse;
}

static int of_functions(const polynomial_ring *r, int i, int j, fmpq_mpoly_t out)
{
  const ir_expr *a = r->atoms[i];
  const ir_expr *b = r->atoms[j];
  if (a->kind != IR_CALL || b->kind != IR_CALL) {
    return 0;
  }
  if (a->call == IR_EXP && b->call == IR_EXP && i < j) {
    const ir_expr *zero[2] = {a->arguments[0], b->arguments[0]};
    int inverse = ir_is_zero(ir_add(r->c, 2, zero));
    if (inverse) {
      hyperbola(r, i, j, out);
    }
    return inverse;
  }
  if (a->arguments[0] != b->arguments[0]) {
    return 0;
  }
  int trigonometric = a->call == IR_COS && b->call == IR_SIN;
  int hyperbolic = a->call == IR_COSH && b->call == IR_SINH;
  if (trigonometric || hyperbolic) {
    circle(r, i, j, trigonometric ? 1 : -1, out);
  }
  return trigonometric || hyperbolic;
}

int polynomial_relations(polynomial_ring *r, int most, fmpq_mpoly_struct out[])
{
  int n = 0;
  for (int i = 0; i < r->n; i++) {
    for (int j = 0; j < r->n && n < most; j++) {
      fmpq_mpoly_init(&out[n], r->ctx);
      int found = i == j ? of_root(r, i, &out[n])
                         : of_inverses(r, i, j, &out[n]) || of_functions(r, i, j, &out[n]);
      if (found) {
        n++;
      } else {
        fmpq_mpoly_clear(&out[n], r->ctx);
      }
    }
  }
  return n;
}
