/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/jet.h"

#include <stdlib.h>

/* ---- monomials ---- */

enum { MONOMIAL_BITS = 16, MONOMIAL_MASK = 0xffff };

int monomial_degree(uint64_t monomial)
{
  int degree = 0;
  for (; monomial; monomial >>= MONOMIAL_BITS) {
    degree++;
  }
  return degree;
}

int monomial_variable(uint64_t monomial, int i)
{
  return (int)(monomial >> (MONOMIAL_BITS * i) & MONOMIAL_MASK) - 1;
}

/* a b, whose degree must not exceed MONOMIAL_MAX_DEGREE. */
static uint64_t monomial_times(uint64_t a, uint64_t b)
{
  uint64_t product = 0;
  for (int shift = 0; a || b; shift += MONOMIAL_BITS) {
    uint64_t *from = (a & MONOMIAL_MASK) > (b & MONOMIAL_MASK) ? &a : &b;
    product |= (*from & MONOMIAL_MASK) << shift;
    *from >>= MONOMIAL_BITS;
  }
  return product;
}

/* The monomial without one factor `variable`, which it must contain. */
static uint64_t monomial_without(uint64_t monomial, int variable)
{
  uint64_t below = 0;
  int shift = 0;
  while (monomial_variable(monomial, 0) != variable) {
    below |= (monomial & MONOMIAL_MASK) << shift;
    monomial >>= MONOMIAL_BITS;
    shift += MONOMIAL_BITS;
  }
  return below | (monomial >> MONOMIAL_BITS) << shift;
}

static int monomial_exponent(uint64_t monomial, int variable)
{
  int n = 0;
  for (; monomial; monomial >>= MONOMIAL_BITS) {
    n += monomial_variable(monomial, 0) == variable;
  }
  return n;
}

/* ---- the arithmetic ---- */

void jets_open(jets *arithmetic, long budget)
{
  *arithmetic = (jets){.budget = budget, .precision = 128};
}

static void release_jet(jet *a)
{
  for (long i = 0; i < a->n; i++) {
    arb_clear(&a->terms[i].value);
    mag_clear(&a->terms[i].size);
  }
  flint_free(a->terms);
}

void jets_release(jets *arithmetic, size_t mark)
{
  while (arithmetic->n_made > mark) {
    jet *a = arithmetic->made[--arithmetic->n_made];
    release_jet(a);
    flint_free(a);
  }
}

void jets_close(jets *arithmetic)
{
  jets_release(arithmetic, 0);
  flint_free(arithmetic->made);
  arithmetic->made = NULL;
  arithmetic->room = 0;
}

void jets_trouble(jets *arithmetic, const char *why)
{
  if (!arithmetic->trouble) {
    arithmetic->trouble = why;
  }
}

int jets_afford(jets *arithmetic, long n)
{
  arithmetic->work += n;
  if (arithmetic->work > arithmetic->budget) {
    jets_trouble(arithmetic, "it takes too much work");
  }
  return !arithmetic->trouble;
}

jet *jet_zero(jets *arithmetic)
{
  if (arithmetic->n_made == arithmetic->room) {
    arithmetic->room = 2 * arithmetic->room + 64;
    arithmetic->made = flint_realloc(arithmetic->made, arithmetic->room * sizeof *arithmetic->made);
  }
  jet *a = flint_malloc(sizeof *a);
  *a = (jet){0, 0, NULL};
  arithmetic->made[arithmetic->n_made++] = a;
  return a;
}

/* ---- terms ---- */

/* Appends a term with the coefficient 0. */
static jet_term *jet_append(jet *a, uint64_t monomial)
{
  if (a->n == a->room) {
    a->room = 2 * a->room + 4;
    a->terms = flint_realloc(a->terms, (size_t)a->room * sizeof *a->terms);
  }
  jet_term *term = &a->terms[a->n++];
  term->monomial = monomial;
  arb_init(&term->value);
  mag_init(&term->size);
  return term;
}

static void append_copy(jet *a, const jet_term *from)
{
  jet_term *term = jet_append(a, from->monomial);
  arb_set(&term->value, &from->value);
  mag_set(&term->size, &from->size);
}

static int compare_terms(const void *first, const void *second)
{
  const jet_term *a = first;
  const jet_term *b = second;
  return (a->monomial > b->monomial) - (a->monomial < b->monomial);
}

/* Adds up adjacent terms with the same monomial; the terms are sorted. */
static void merge_equal(jets *arithmetic, jet *a)
{
  long kept = 0;
  for (long i = 0; i < a->n; i++) {
    jet_term *term = &a->terms[i];
    jet_term *last = &a->terms[kept - (kept > 0)];
    if (kept > 0 && last->monomial == term->monomial) {
      arb_add(&last->value, &last->value, &term->value, arithmetic->precision);
      mag_add(&last->size, &last->size, &term->size);
      arb_clear(&term->value);
      mag_clear(&term->size);
    } else {
      a->terms[kept++] = *term;
    }
  }
  a->n = kept;
}

/* Stable sort (bottom-up merge sort). A stable sort adds equal monomials in the order in which they
 * were appended, so results are reproducible. */
static void sort_terms(jet *a)
{
  int sorted = 1;
  for (long i = 1; i < a->n && sorted; i++) {
    sorted = a->terms[i - 1].monomial <= a->terms[i].monomial;
  }
  if (sorted) {
    return;
  }
  jet_term *from = a->terms;
  jet_term *to = flint_malloc((size_t)a->n * sizeof *to);
  a->room = a->n;
  for (long width = 1; width < a->n; width *= 2) {
    for (long low = 0; low < a->n; low += 2 * width) {
      long middle = low + width < a->n ? low + width : a->n;
      long high = middle + width < a->n ? middle + width : a->n;
      long i = low;
      long j = middle;
      for (long k = low; k < high; k++) {
        int first = i < middle && (j >= high || compare_terms(&from[i], &from[j]) <= 0);
        to[k] = first ? from[i++] : from[j++];
      }
    }
    jet_term *swap = from;
    from = to;
    to = swap;
  }
  a->terms = from;
  flint_free(to);
}

const jet_term *jet_constant(const jet *a)
{
  return a->n > 0 && a->terms[0].monomial == 0 ? &a->terms[0] : NULL;
}

/* ---- leaves ---- */

jet *jet_number(jets *arithmetic, const arb_t value)
{
  jet *a = jet_zero(arithmetic);
  jet_term *term = jet_append(a, 0);
  arb_set(&term->value, value);
  arb_get_mag(&term->size, value);
  return a;
}

/* A constant with this size. */
static jet *coefficient(jets *arithmetic, const arb_struct *value, const mag_struct *size)
{
  jet *a = jet_number(arithmetic, value);
  mag_set(&a->terms[0].size, size);
  return a;
}

jet *jet_double(jets *arithmetic, double value)
{
  arb_t exact;
  arb_init(exact);
  arb_set_d(exact, value);
  jet *a = jet_number(arithmetic, exact);
  arb_clear(exact);
  return a;
}

jet *jet_variable(jets *arithmetic, int number, const arb_t value)
{
  jet *a = jet_number(arithmetic, value);
  if (arithmetic->order > 0) {
    jet_term *term = jet_append(a, (uint64_t)number + 1);
    arb_one(&term->value);
    mag_one(&term->size);
  }
  return a;
}

/* ---- sums ---- */

void jet_total_open(jet_total *total)
{
  *total = (jet_total){{0, 0, NULL}, 0};
}

static void jet_settle(jets *arithmetic, jet_total *total)
{
  sort_terms(&total->sum);
  merge_equal(arithmetic, &total->sum);
  total->sorted = total->sum.n;
}

void jet_total_add(jets *arithmetic, jet_total *total, const jet *a)
{
  if (!jets_afford(arithmetic, a->n)) {
    return;
  }
  for (long i = 0; i < a->n; i++) {
    append_copy(&total->sum, &a->terms[i]);
  }
  if (total->sum.n > 2 * total->sorted + 256) {
    jet_settle(arithmetic, total);
  }
}

jet *jet_total_close(jets *arithmetic, jet_total *total)
{
  jet *a = jet_zero(arithmetic);
  jet_settle(arithmetic, total);
  *a = total->sum;
  return a;
}

jet *jet_negative(jets *arithmetic, const jet *a)
{
  jet *negative = jet_zero(arithmetic);
  if (jets_afford(arithmetic, a->n)) {
    for (long i = 0; i < a->n; i++) {
      append_copy(negative, &a->terms[i]);
      arb_neg(&negative->terms[i].value, &negative->terms[i].value);
    }
  }
  return negative;
}

jet *jet_sum(jets *arithmetic, const jet *a, const jet *b)
{
  jet_total total;
  jet_total_open(&total);
  jet_total_add(arithmetic, &total, a);
  jet_total_add(arithmetic, &total, b);
  return jet_total_close(arithmetic, &total);
}

jet *jet_difference(jets *arithmetic, const jet *a, const jet *b)
{
  return jet_sum(arithmetic, a, jet_negative(arithmetic, b));
}

/* ---- products ---- */

jet *jet_product(jets *arithmetic, const jet *a, const jet *b)
{
  jet *product = jet_zero(arithmetic);
  for (long i = 0; i < a->n; i++) {
    int left = arithmetic->order - monomial_degree(a->terms[i].monomial);
    long j = 0;
    for (; j < b->n && monomial_degree(b->terms[j].monomial) <= left; j++) {
      jet_term *term =
          jet_append(product, monomial_times(a->terms[i].monomial, b->terms[j].monomial));
      arb_mul(&term->value, &a->terms[i].value, &b->terms[j].value, arithmetic->precision);
      mag_mul(&term->size, &a->terms[i].size, &b->terms[j].size);
    }
    if (!jets_afford(arithmetic, j)) {
      return jet_zero(arithmetic);
    }
  }
  sort_terms(product);
  merge_equal(arithmetic, product);
  return product;
}

/* a minus its constant term. */
static jet *jet_nilpotent(jets *arithmetic, const jet *a)
{
  jet *part = jet_zero(arithmetic);
  for (long i = jet_constant(a) ? 1 : 0; i < a->n; i++) {
    append_copy(part, &a->terms[i]);
  }
  return part;
}

jet *jet_compose(jets *arithmetic, const jet *a, const arb_struct coefficients[],
                 const mag_struct sizes[])
{
  const jet *u = jet_nilpotent(arithmetic, a);
  int k = u->n > 0 ? arithmetic->order : 0;
  jet *sum = coefficient(arithmetic, &coefficients[k], &sizes[k]);
  while (k-- > 0) {
    sum = jet_sum(arithmetic, jet_product(arithmetic, sum, u),
                  coefficient(arithmetic, &coefficients[k], &sizes[k]));
  }
  return sum;
}

jet *jet_factor_of(jets *arithmetic, const jet *a, const char is_apart[], int u, int v)
{
  jet *factor = jet_zero(arithmetic);
  for (long i = 0; i < a->n && jets_afford(arithmetic, 1); i++) {
    uint64_t rest = a->terms[i].monomial;
    const int wanted[] = {u, v};
    int same = 1;
    for (int j = 0; j < 2 && wanted[j] >= 0; j++) {
      same = same && monomial_exponent(rest, wanted[j]) > 0;
      rest = same ? monomial_without(rest, wanted[j]) : rest;
    }
    for (int j = 0; j < monomial_degree(rest); j++) {
      same = same && !is_apart[monomial_variable(rest, j)];
    }
    if (same && monomial_degree(rest) <= arithmetic->order) {
      append_copy(factor, &a->terms[i]);
      factor->terms[factor->n - 1].monomial = rest;
    }
  }
  sort_terms(factor);
  return factor;
}

/* ---- derivatives ---- */

/* Derivative by a variable; its order is one less. */
static jet *derivative_by(jets *arithmetic, const jet *a, int variable)
{
  jet *derivative = jet_zero(arithmetic);
  if (!jets_afford(arithmetic, a->n)) {
    return derivative;
  }
  for (long i = 0; i < a->n; i++) {
    int n = monomial_exponent(a->terms[i].monomial, variable);
    if (n > 0) {
      append_copy(derivative, &a->terms[i]);
      jet_term *term = &derivative->terms[derivative->n - 1];
      term->monomial = monomial_without(term->monomial, variable);
      arb_mul_si(&term->value, &term->value, n, arithmetic->precision);
      mag_mul_ui(&term->size, &term->size, (ulong)n);
    }
  }
  sort_terms(derivative);
  return derivative;
}

static int compare_numbers(const void *first, const void *second)
{
  const int *a = first;
  const int *b = second;
  return (*a > *b) - (*a < *b);
}

long jet_count_variables(const jet *a)
{
  long n = 0;
  for (long i = 0; i < a->n; i++) {
    n += monomial_degree(a->terms[i].monomial);
  }
  return n;
}

/* Writes the distinct variables of a into variables[], in ascending order, and returns their
 * number. The array has jet_count_variables(a) elements. */
static long variables_of(const jet *a, int variables[])
{
  long n = 0;
  long kept = 0;
  for (long i = 0; i < a->n; i++) {
    for (int j = 0; j < monomial_degree(a->terms[i].monomial); j++) {
      variables[n++] = monomial_variable(a->terms[i].monomial, j);
    }
  }
  if (n > 0) {
    qsort(variables, (size_t)n, sizeof *variables, compare_numbers);
  }
  for (long i = 0; i < n; i++) {
    if (kept == 0 || variables[kept - 1] != variables[i]) {
      variables[kept++] = variables[i];
    }
  }
  return kept;
}

/* The sum over all variables v of a: da/dv times the derivative of b by the conjugate variable,
 * with the sign of a bracket; or, if b is NULL, times weights[v]. */
static jet *contracted(jets *arithmetic, const jet *a, const jet *b, int d, const double weights[])
{
  int *variables = flint_malloc((size_t)(jet_count_variables(a) + 1) * sizeof *variables);
  long n = variables_of(a, variables);
  jet_total total;
  jet_total_open(&total);
  for (long i = 0; i < n; i++) {
    int v = variables[i];
    size_t mark = arithmetic->n_made;
    const jet *with = b ? derivative_by(arithmetic, b, v < d ? v + d : v - d)
                        : jet_double(arithmetic, weights[v]);
    const jet *term = jet_product(arithmetic, derivative_by(arithmetic, a, v), with);
    jet_total_add(arithmetic, &total, b && v >= d ? jet_negative(arithmetic, term) : term);
    jets_release(arithmetic, mark);
  }
  flint_free(variables);
  return jet_total_close(arithmetic, &total);
}

jet *jet_bracket(jets *arithmetic, const jet *a, const jet *b, int d)
{
  return contracted(arithmetic, a, b, d, NULL);
}

jet *jet_along(jets *arithmetic, const jet *a, const double weights[])
{
  return contracted(arithmetic, a, NULL, 0, weights);
}
