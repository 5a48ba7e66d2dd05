/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/certify.h"

#include <flint/fmpq_mat.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/polynomial.h"
#include "common/rational.h"

/* Limits on generators, unknown coefficients and equations of one system. */
#define MAX_GENERATORS 64
#define MAX_UNKNOWNS   300
#define MAX_EQUATIONS  1000
#define SLOTS          1024
/* Limits on polynomials to divide: the division may visit all their monomials. */
#define DIVISION_VARIABLES 16
#define DIVISION_TERMS     80
#define DIVISION_DEGREE    8
/* Cost of other parts than the linear system, in the same unit. */
#define SEARCH_WORK    50.0
#define GENERATOR_WORK 2e4

certifier certifier_create(ir_context *c)
{
  certifier k = {.c = c, .limit = 1e9};
  return k;
}

void certifier_free(certifier *k)
{
  k->c = NULL;
  flint_cleanup();
}

const ir_expr *multiplied_out(ir_context *c, const ir_expr *e, int most)
{
  const ir_expr *result = e->kind == IR_SUM && e->n > most ? NULL : e;
  polynomial_ring *r = polynomial_ring_create(c, 1, &e);
  if (!r) {
    return result;
  }
  fmpq_mpoly_t p;
  fmpq_mpoly_init(p, r->ctx);
  if (polynomial_of(r, e, p) && fmpq_mpoly_length(p, r->ctx) <= most) {
    result = polynomial_expr(r, p);
  }
  fmpq_mpoly_clear(p, r->ctx);
  polynomial_ring_free(r);
  return result;
}

/* Labelled monomials without duplicates, in order of insertion; a hash table with chains. */
typedef struct monomials {
  int variables;
  int n;
  int most;
  int labels[MAX_EQUATIONS];
  ulong (*exponents)[POLYNOMIAL_VARIABLES];
  int last[SLOTS]; /* by slot: 1 + the number of its last monomial */
  int before[MAX_EQUATIONS];
} monomials;

static void certify_forget(monomials *list)
{
  list->n = 0;
  memset(list->last, 0, sizeof list->last);
}

static size_t certify_slot_of(const monomials *list, int label, const ulong exponents[])
{
  ulong hash = (ulong)label;
  for (int v = 0; v < list->variables; v++) {
    hash = hash * 31 + exponents[v];
  }
  return (hash ^ hash >> 15) % SLOTS;
}

static int certify_find(const monomials *list, int label, const ulong exponents[])
{
  size_t size = (size_t)list->variables * sizeof *exponents;
  int i = list->last[certify_slot_of(list, label, exponents)] - 1;
  while (i >= 0 && (list->labels[i] != label || memcmp(list->exponents[i], exponents, size) != 0)) {
    i = list->before[i] - 1;
  }
  return i;
}

/* Returns 1 if the monomial is new, 0 if it exists, -1 if the list is full. */
static int insert(monomials *list, int label, const ulong exponents[])
{
  if (certify_find(list, label, exponents) >= 0) {
    return 0;
  }
  if (list->n == list->most) {
    return -1;
  }
  size_t slot = certify_slot_of(list, label, exponents);
  list->before[list->n] = list->last[slot];
  list->labels[list->n] = label;
  memcpy(list->exponents[list->n++], exponents, (size_t)list->variables * sizeof *exponents);
  list->last[slot] = list->n;
  return 1;
}

/* The problem in polynomials. */
typedef struct certify_system {
  polynomial_ring *ring;
  fmpq_mpoly_struct *value;
  int n; /* number of generators, including the relations among atoms of the ring */
  fmpq_mpoly_struct *generators;
  int converted; /* 0 if a polynomial is too large */
  int with_rest;
  slong degree;               /* largest degree of a product */
  int with_constants;         /* 1 if monomials of a generator that do not read z may cancel, too */
  monomials support;          /* monomials of value and of all products, one equation each */
  monomials unknowns;         /* monomials of the factors; the label is the generator */
  fmpq_mpoly_struct *factors; /* the solution */
} certify_system;

static slong degree_of(const ulong exponents[], int n)
{
  slong degree = 0;
  for (int i = 0; i < n; i++) {
    degree += (slong)exponents[i];
  }
  return degree;
}

static int add_support(certify_system *s, const fmpq_mpoly_t p, const ulong shift[])
{
  ulong exponents[POLYNOMIAL_VARIABLES] = {0};
  for (slong i = 0; i < fmpq_mpoly_length(p, s->ring->ctx); i++) {
    fmpq_mpoly_get_term_exp_ui(exponents, p, i, s->ring->ctx);
    for (int v = 0; shift && v < s->ring->n; v++) {
      exponents[v] += shift[v];
    }
    if (insert(&s->support, 0, exponents) < 0) {
      return 0;
    }
  }
  return 1;
}

/* Adds the unknowns with which generator j can cancel the monomial; returns 0 if a list is full. */
static int add_unknowns(certify_system *s, int j, const ulong monomial[])
{
  const polynomial_ring *r = s->ring;
  const fmpq_mpoly_struct *g = &s->generators[j];
  slong degree = fmpq_mpoly_total_degree_si(g, r->ctx);
  ulong exponents[POLYNOMIAL_VARIABLES] = {0};
  for (slong i = 0; i < fmpq_mpoly_length(g, r->ctx); i++) {
    fmpq_mpoly_get_term_exp_ui(exponents, g, i, r->ctx);
    int divides = s->with_constants || degree_of(exponents, r->n_state) > 0;
    for (int v = 0; v < r->n && divides; v++) {
      divides = exponents[v] <= monomial[v];
      exponents[v] = monomial[v] - exponents[v];
    }
    if (!divides || degree_of(exponents, r->n) + degree > s->degree) {
      continue;
    }
    int is_new = insert(&s->unknowns, j, exponents);
    if (is_new < 0 || (is_new && !add_support(s, g, exponents))) {
      return 0;
    }
  }
  return 1;
}

/* Collects all monomials and unknowns that can take part; returns 0 if a list is full. */
static int close_support(certify_system *s)
{
  certify_forget(&s->support);
  certify_forget(&s->unknowns);
  int room = add_support(s, s->value, NULL);
  for (int i = 0; i < s->support.n && room; i++) {
    for (int j = 0; j < s->n && room; j++) {
      room = add_unknowns(s, j, s->support.exponents[i]);
    }
  }
  return room;
}

/* Fills a column with the coefficients of p, shifted by a monomial. */
static void fill_column(const certify_system *s, const fmpq_mpoly_t p, const ulong shift[],
                        slong column, fmpq_mat_t matrix)
{
  ulong exponents[POLYNOMIAL_VARIABLES] = {0};
  for (slong i = 0; i < fmpq_mpoly_length(p, s->ring->ctx); i++) {
    fmpq_mpoly_get_term_exp_ui(exponents, p, i, s->ring->ctx);
    for (int v = 0; shift && v < s->ring->n; v++) {
      exponents[v] += shift[v];
    }
    int row = certify_find(&s->support, 0, exponents);
    if (row >= 0 && !(s->with_rest && degree_of(exponents, s->ring->n_state) == 0)) {
      fmpq_mpoly_get_term_coeff_fmpq(fmpq_mat_entry(matrix, row, column), p, i, s->ring->ctx);
    }
  }
}

/* Reads the factors from the reduced matrix; unknowns without a pivot are 0.  Returns 0 if the
 * system is inconsistent. */
static int read_solution(certify_system *s, const fmpq_mat_t matrix, slong rank)
{
  slong last = s->unknowns.n;
  for (slong row = 0; row < rank; row++) {
    slong column = 0;
    while (fmpq_is_zero(fmpq_mat_entry(matrix, row, column))) {
      column++;
    }
    if (column == last) {
      return 0;
    }
    if (!fmpq_is_zero(fmpq_mat_entry(matrix, row, last))) {
      fmpq_mpoly_push_term_fmpq_ui(&s->factors[s->unknowns.labels[column]],
                                   fmpq_mat_entry(matrix, row, last), s->unknowns.exponents[column],
                                   s->ring->ctx);
    }
  }
  for (int j = 0; j < s->n; j++) {
    fmpq_mpoly_sort_terms(&s->factors[j], s->ring->ctx);
  }
  return 1;
}

static int certify_solve(certifier *k, certify_system *s)
{
  double work = (double)s->unknowns.n * s->unknowns.n * s->support.n;
  if (k->work + work > k->limit) {
    return 0;
  }
  k->work += work;
  fmpq_mat_t matrix;
  fmpq_mat_init(matrix, s->support.n, s->unknowns.n + 1);
  for (int u = 0; u < s->unknowns.n; u++) {
    fill_column(s, &s->generators[s->unknowns.labels[u]], s->unknowns.exponents[u], u, matrix);
  }
  fill_column(s, s->value, NULL, s->unknowns.n, matrix);
  slong rank = fmpq_mat_rref(matrix, matrix);
  int solved = read_solution(s, matrix, rank);
  fmpq_mat_clear(matrix);
  return solved;
}

/* rest = value - sum of products.  Returns 1 if rest is 0, or, with_rest, does not read z. */
static int certify_check(const certify_system *s, fmpq_mpoly_t rest)
{
  fmpq_mpoly_t product;
  fmpq_mpoly_init(product, s->ring->ctx);
  fmpq_mpoly_set(rest, s->value, s->ring->ctx);
  for (int j = 0; j < s->n; j++) {
    fmpq_mpoly_mul(product, &s->factors[j], &s->generators[j], s->ring->ctx);
    fmpq_mpoly_sub(rest, rest, product, s->ring->ctx);
  }
  fmpq_mpoly_clear(product, s->ring->ctx);
  ulong exponents[POLYNOMIAL_VARIABLES] = {0};
  int good = s->with_rest || fmpq_mpoly_is_zero(rest, s->ring->ctx);
  for (slong i = 0; i < fmpq_mpoly_length(rest, s->ring->ctx) && good; i++) {
    fmpq_mpoly_get_term_exp_ui(exponents, rest, i, s->ring->ctx);
    good = degree_of(exponents, s->ring->n_state) == 0;
  }
  return good;
}

static const record_certificate *answer(certifier *k, const certify_system *s, const ir_expr *value,
                                        int n, const certify_generator generators[])
{
  arena *a = ir_context_arena(k->c);
  record_certificate *result = NULL;
  fmpq_mpoly_t rest;
  fmpq_mpoly_init(rest, s->ring->ctx);
  if (certify_check(s, rest)) {
    result = ARENA_NEW(a, record_certificate);
    record_product *products = ARENA_ARRAY(a, s->n + 1, record_product);
    result->value = value;
    result->rest = polynomial_expr(s->ring, rest);
    result->products = products;
    for (int j = 0; j < s->n; j++) {
      if (!fmpq_mpoly_is_zero(&s->factors[j], s->ring->ctx)) {
        record_product *product = &products[result->n++];
        product->level = j < n ? generators[j].level : -1;
        product->index = j < n ? generators[j].index : j - n;
        product->factor = polynomial_expr(s->ring, &s->factors[j]);
        product->generator =
            j < n ? generators[j].value : polynomial_expr(s->ring, &s->generators[j]);
      }
    }
  }
  fmpq_mpoly_clear(rest, s->ring->ctx);
  return result;
}

/* Tries systems of increasing size. */
static const record_certificate *search(certifier *k, certify_system *s, const ir_expr *value,
                                        int n, const certify_generator generators[])
{
  static const struct {
    int more_degree;
    int with_constants;
  } passes[] = {{0, 0}, {0, 1}, {1, 0}, {2, 1}};
  slong degree = fmpq_mpoly_total_degree_si(s->value, s->ring->ctx);
  for (int j = 0; j < s->n; j++) {
    slong other = fmpq_mpoly_total_degree_si(&s->generators[j], s->ring->ctx);
    degree = other > degree ? other : degree;
  }
  for (size_t i = 0; i < sizeof passes / sizeof *passes && k->work <= k->limit; i++) {
    s->degree = degree + passes[i].more_degree;
    s->with_constants = passes[i].with_constants;
    int closed = close_support(s);
    k->work += SEARCH_WORK * s->support.n * (s->support.n + s->n);
    if (closed && certify_solve(k, s)) {
      return answer(k, s, value, n, generators);
    }
  }
  return NULL;
}

/* Converts value and generators to polynomials; returns 0 if one is too large. */
static int convert(certify_system *s, const ir_expr *value, int n,
                   const certify_generator generators[])
{
  int good = polynomial_of(s->ring, value, s->value);
  for (int j = 0; j < n; j++) {
    fmpq_mpoly_init(&s->generators[j], s->ring->ctx);
    s->n++;
    good = good && polynomial_of(s->ring, generators[j].value, &s->generators[j]);
  }
  if (good) {
    s->n += polynomial_relations(s->ring, MAX_GENERATORS - n, s->generators + n);
  }
  for (int j = 0; j < s->n; j++) {
    fmpq_mpoly_init(&s->factors[j], s->ring->ctx);
  }
  return good;
}

/* The problem in polynomials; NULL if it is too large. */
static certify_system *create_system(ir_context *c, const ir_expr *value, int n,
                                     const certify_generator generators[])
{
  const ir_expr *all[MAX_GENERATORS + 1];
  for (int j = 0; j < n; j++) {
    all[j] = generators[j].value;
  }
  all[n] = value;
  arena *a = ir_context_arena(c);
  polynomial_ring *ring = polynomial_ring_create(c, n + 1, all);
  if (!ring) {
    return NULL;
  }
  certify_system *s = ARENA_NEW(a, certify_system);
  s->ring = ring;
  s->value = ARENA_NEW(a, fmpq_mpoly_struct);
  s->generators = ARENA_ARRAY(a, MAX_GENERATORS, fmpq_mpoly_struct);
  s->factors = ARENA_ARRAY(a, MAX_GENERATORS, fmpq_mpoly_struct);
  fmpq_mpoly_init(s->value, ring->ctx);
  s->converted = convert(s, value, n, generators);
  return s;
}

static void clear_system(certify_system *s)
{
  for (int j = 0; j < s->n; j++) {
    fmpq_mpoly_clear(&s->generators[j], s->ring->ctx);
    fmpq_mpoly_clear(&s->factors[j], s->ring->ctx);
  }
  fmpq_mpoly_clear(s->value, s->ring->ctx);
  polynomial_ring_free(s->ring);
}

int certify_affords(const certifier *k, int n)
{
  return n <= MAX_GENERATORS && k->work <= k->limit;
}

const record_certificate *certify(certifier *k, const ir_expr *value, int n,
                                  const certify_generator generators[], int with_rest)
{
  if (!certify_affords(k, n)) {
    return NULL;
  }
  k->work += GENERATOR_WORK * (n + 1);
  certify_system *s = create_system(k->c, value, n, generators);
  if (!s) {
    return NULL;
  }
  s->with_rest = with_rest;
  s->support.variables = s->unknowns.variables = s->ring->n;
  s->support.most = MAX_EQUATIONS;
  s->unknowns.most = MAX_UNKNOWNS;
  s->support.exponents = calloc(MAX_EQUATIONS, sizeof *s->support.exponents);
  s->unknowns.exponents = calloc(MAX_UNKNOWNS, sizeof *s->unknowns.exponents);
  int ready = s->converted && s->support.exponents && s->unknowns.exponents;
  const record_certificate *found = ready ? search(k, s, value, n, generators) : NULL;
  free(s->support.exponents);
  free(s->unknowns.exponents);
  clear_system(s);
  return found;
}

/* 1 if the polynomials are small enough for a division, whose cost depends on the total degree. */
static int divides_soon(const certify_system *s)
{
  int soon = s->converted && s->ring->n <= DIVISION_VARIABLES &&
             fmpq_mpoly_length(s->value, s->ring->ctx) <= DIVISION_TERMS &&
             fmpq_mpoly_total_degree_si(s->value, s->ring->ctx) <= DIVISION_DEGREE;
  for (int j = 0; j < s->n && soon; j++) {
    soon = fmpq_mpoly_length(&s->generators[j], s->ring->ctx) <= DIVISION_TERMS &&
           !fmpq_mpoly_is_zero(&s->generators[j], s->ring->ctx);
  }
  return soon;
}

const ir_expr *reduced_modulo(ir_context *c, const ir_expr *e, int n,
                              const certify_generator generators[])
{
  certify_system *s = n < MAX_GENERATORS ? create_system(c, e, n, generators) : NULL;
  if (!s) {
    return e;
  }
  const ir_expr *result = e;
  if (divides_soon(s)) {
    fmpq_mpoly_struct *by[MAX_GENERATORS];
    fmpq_mpoly_struct *quotients[MAX_GENERATORS];
    fmpq_mpoly_t rest;
    fmpq_mpoly_init(rest, s->ring->ctx);
    for (int j = 0; j < s->n; j++) {
      by[j] = &s->generators[j];
      quotients[j] = &s->factors[j];
    }
    fmpq_mpoly_divrem_ideal(quotients, rest, s->value, by, s->n, s->ring->ctx);
    slong terms = fmpq_mpoly_length(rest, s->ring->ctx);
    if (terms > 0 && terms <= fmpq_mpoly_length(s->value, s->ring->ctx)) {
      result = polynomial_expr(s->ring, rest);
    }
    fmpq_mpoly_clear(rest, s->ring->ctx);
  }
  clear_system(s);
  return result;
}

/* ---- polynomials whose form shows that they have no real zero ---- */

/* 1 if all exponents of a term are even; sets *constant if all of them are 0. */
static int is_even(const polynomial_ring *r, const fmpq_mpoly_t p, slong term, int *constant)
{
  ulong exponents[POLYNOMIAL_VARIABLES] = {0};
  fmpq_mpoly_get_term_exp_ui(exponents, p, term, r->ctx);
  *constant = 1;
  for (int v = 0; v < r->n; v++) {
    *constant = *constant && exponents[v] == 0;
    if (exponents[v] % 2) {
      return 0;
    }
  }
  return 1;
}

/* The constant term of a polynomial whose terms are all even and of one sign; 0 for other
 * polynomials. */
static double definite_constant(const polynomial_ring *r, const fmpq_mpoly_t p)
{
  double least = 0;
  int sign = 0;
  int good = 1;
  fmpq_t coefficient;
  mpq_t value;
  fmpq_init(coefficient);
  mpq_init(value);
  for (slong i = 0; i < fmpq_mpoly_length(p, r->ctx) && good; i++) {
    int constant = 0;
    good = is_even(r, p, i, &constant);
    fmpq_mpoly_get_term_coeff_fmpq(coefficient, p, i, r->ctx);
    good = good && (sign == 0 || fmpq_sgn(coefficient) == sign);
    sign = fmpq_sgn(coefficient);
    if (constant) {
      fmpq_get_mpq(value, coefficient);
      least = rational_double(value);
    }
  }
  mpq_clear(value);
  fmpq_clear(coefficient);
  return good ? least : 0.0;
}

double definite_bound(ir_context *c, const ir_expr *e)
{
  polynomial_ring *r = polynomial_ring_create(c, 1, &e);
  if (!r) {
    return 0;
  }
  fmpq_mpoly_t p;
  fmpq_mpoly_init(p, r->ctx);
  double bound = polynomial_of(r, e, p) ? definite_constant(r, p) : 0.0;
  fmpq_mpoly_clear(p, r->ctx);
  polynomial_ring_free(r);
  return bound;
}
