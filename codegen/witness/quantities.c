/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/witness.h"

#include <arb.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "sidewinder/witness.h"
#include "witness/tree.h"

/* ---- from balls to entries of a table: 30 certain digits, or no value ---- */

/* The entries of one function while they are collected. */
typedef struct digits {
  arena *memory;
  sw_witness_entry *at;
  size_t n;
  size_t room;
  int uncertain;       /* 1 if a higher precision may make some entries certain */
  const char *trouble; /* why an entry could not be computed, or NULL */
} digits;

/* Accuracy in bits: 2^-100 is below 1e-30. */
enum { CERTAIN = 100 };

/* Binary exponents beyond which a double, or its remainder, loses digits. */
enum { LARGEST = 960, SMALLEST = -900 };

/* 1 if |value| is certainly at most 2^-bits times size. */
static int digits_is_below(const arb_t value, const mag_t size, int bits)
{
  mag_t largest;
  mag_t bound;
  mag_init(largest);
  mag_init(bound);
  arb_get_mag(largest, value);
  mag_mul_2exp_si(bound, size, -bits);
  int below = mag_cmp(largest, bound) <= 0;
  mag_clear(largest);
  mag_clear(bound);
  return below;
}

/* Adds a value and the size of its terms, unless both are exactly 0. */
static void digits_add(digits *e, long row, long col, const arb_t value, const mag_t size)
{
  if (arb_is_zero(value) && mag_is_zero(size)) {
    return;
  }
  if (!arb_is_finite(value) || mag_is_inf(size)) {
    e->trouble = "it is not defined, or not smooth, there";
    return;
  }
  int is_nothing = arb_is_zero(value) || digits_is_below(value, size, CERTAIN);
  int is_certain = is_nothing || arb_rel_accuracy_bits(value) >= CERTAIN;
  if (!is_certain) {
    e->uncertain = 1;
    return;
  }
  if (mag_cmp_2exp_si(size, LARGEST) > 0 ||
      (!is_nothing && arf_cmpabs_2exp_si(arb_midref(value), SMALLEST) < 0)) {
    e->trouble = "it is beyond what a double can hold";
    return;
  }
  sw_witness_entry entry = {.row = (int)row, .col = (int)col, .size = mag_get_d(size)};
  if (!is_nothing) {
    arf_t rest;
    arf_init(rest);
    entry.value = arf_get_d(arb_midref(value), ARF_RND_NEAR);
    arf_set_d(rest, entry.value);
    arf_sub(rest, arb_midref(value), rest, 200, ARF_RND_NEAR);
    entry.rest = arf_get_d(rest, ARF_RND_NEAR);
    arf_clear(rest);
  }
  e->at = arena_grow(e->memory, e->at, e->n, &e->room, sizeof *e->at);
  e->at[e->n++] = entry;
}

static int compare_entries(const void *first, const void *second)
{
  const sw_witness_entry *a = first;
  const sw_witness_entry *b = second;
  return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                          : (a->col > b->col) - (a->col < b->col);
}

/* Returns the sorted entries, or sets `missing` if there was trouble. */
static sw_witness_values digits_values(digits *e, sw_witnessed what, int number)
{
  sw_witness_values values = {.what = what, .number = number, .missing = e->trouble};
  if (!e->trouble) {
    values.n = (int)e->n;
    values.entries = e->at;
    if (e->n > 0) {
      qsort(e->at, e->n, sizeof *e->at, compare_entries);
    }
  }
  return values;
}

/* ---- one evaluation at a point and a precision: jets of H, of the constraints and of rho ---- */

typedef struct session {
  const model *m;
  const sw_witness_point *point;
  jets arithmetic;
  tree t;
  int d;
  int nc;
  int nk;
  const jet *H;          /* with the order given to session_make_H */
  const jet **g;         /* nc constraints */
  const jet **rho;       /* nc: {g_i,H}, one order less */
  const char *H_trouble; /* why H does not exist, or NULL */
  const char *g_trouble;
  const char *rho_trouble;
} session;

/* n doubles as balls, or zeros if x is NULL. The caller frees the vector with _arb_vec_clear. */
static arb_ptr session_vector(const double x[], int n)
{
  arb_ptr v = _arb_vec_init(n);
  for (int i = 0; x && i < n; i++) {
    arb_set_d(v + i, x[i]);
  }
  return v;
}

/* Opens a session. The point must outlive the session. */
static void session_open(session *s, arena *a, const model *m, const sw_witness_point *point,
                         long budget, slong precision)
{
  *s = (session){.m = m, .point = point};
  jets_open(&s->arithmetic, budget);
  s->arithmetic.precision = precision;
  s->t = tree_create(a, m, &s->arithmetic);
  s->d = (int)tree_coordinates_count(&s->t);
  s->nk = (int)tree_parameters_count(&s->t);
  s->nc = (int)tree_families_count(&s->t, m->n_constraints, m->constraints);
  s->t.k = session_vector(point->k, s->nk);
  s->t.lambda = session_vector(point->lambda, s->nc);
  s->t.z = session_vector(point->z, 2 * s->d);
  s->g = ARENA_ARRAY(a, s->nc + 1, const jet *);
  s->rho = ARENA_ARRAY(a, s->nc + 1, const jet *);
}

static void session_close(session *s)
{
  _arb_vec_clear(s->t.z, 2 * s->d);
  _arb_vec_clear(s->t.k, s->nk);
  _arb_vec_clear(s->t.lambda, s->nc);
  jets_close(&s->arithmetic);
}

/* Returns the trouble so far, and clears it for the next part unless the budget is used up. */
static const char *session_trouble(session *s)
{
  const char *trouble = s->arithmetic.trouble;
  if (s->arithmetic.work <= s->arithmetic.budget) {
    s->arithmetic.trouble = NULL;
  }
  return trouble;
}

/* Compute H or g to this order. An error is recorded in s->H_trouble or s->g_trouble. */
static void session_make_H(session *s, int order)
{
  s->arithmetic.order = order;
  s->H = tree_hamiltonian(&s->t);
  s->H_trouble = session_trouble(s);
}

static void session_make_g(session *s, int order)
{
  s->arithmetic.order = order;
  tree_constraints(&s->t, s->g);
  s->g_trouble = session_trouble(s);
}

/* ---- terms of jets as entries of a table ---- */

/* Adds factor times a term as entry (row, col). */
static void terms_add(session *s, digits *e, long row, long col, const jet_term *term, int factor)
{
  arb_t value;
  mag_t size;
  arb_init(value);
  mag_init(size);
  arb_mul_si(value, &term->value, factor, s->arithmetic.precision);
  mag_mul_ui(size, &term->size, (ulong)factor);
  digits_add(e, row, col, value, size);
  arb_clear(value);
  mag_clear(size);
}

/* Adds the constant term of a as entry (row, col). */
static void terms_constant(session *s, digits *e, long row, long col, const jet *a)
{
  if (jet_constant(a)) {
    terms_add(s, e, row, col, jet_constant(a), 1);
  }
}

/* Adds the gradient of a as row `row`, or as a column if row is negative. */
static void terms_gradient(session *s, digits *e, long row, const jet *a)
{
  for (long i = 0; i < a->n; i++) {
    if (monomial_degree(a->terms[i].monomial) == 1) {
      int v = monomial_variable(a->terms[i].monomial, 0);
      terms_add(s, e, row < 0 ? v : row, row < 0 ? 0 : v, &a->terms[i], 1);
    }
  }
}

/* Adds the lower triangle of the second derivatives of a. */
static void terms_hessian(session *s, digits *e, const jet *a)
{
  for (long i = 0; i < a->n; i++) {
    uint64_t monomial = a->terms[i].monomial;
    if (monomial_degree(monomial) == 2) {
      int u = monomial_variable(monomial, 0);
      int v = monomial_variable(monomial, 1);
      terms_add(s, e, u, v, &a->terms[i], u == v ? 2 : 1);
    }
  }
}

/* Functions that variational integrators need: the rates of H_p and of rho along the
 * constrained field,
 *
 *   A_i = {H_{p_i},H} + sum_j lambda_j {H_{p_i},g_j},
 *   B_i = {rho_i,H} + sum_j lambda_j {rho_i,g_j},
 *
 * with derivatives by (z, lambda), and third derivatives of g (model.h). They come from jets of H
 * and g of order 4 and jets of rho of order 3. */

/* Component i of (H_p, rho). */
static const jet *rated(session *s, int i)
{
  jets *a = &s->arithmetic;
  a->order = 3;
  return i < s->d ? jet_bracket(a, jet_variable(a, i, s->t.z + i), s->H, s->d) : s->rho[i - s->d];
}

static const jet *rates_multiplier(session *s, int j)
{
  return jet_number(&s->arithmetic, s->t.lambda + j);
}

/* Rate of f along the constrained field, to this order. */
static const jet *rates_rate(session *s, const jet *f, int order)
{
  jets *a = &s->arithmetic;
  a->order = order;
  const jet *sum = jet_bracket(a, f, s->H, s->d);
  for (int j = 0; j < s->nc; j++) {
    const jet *part = jet_product(a, rates_multiplier(s, j), jet_bracket(a, f, s->g[j], s->d));
    sum = jet_sum(a, sum, part);
  }
  return sum;
}

static void accelerations(session *s, digits *e, int with_derivatives)
{
  for (int i = 0; i < s->d + s->nc; i++) {
    size_t mark = s->arithmetic.n_made;
    const jet *f = rated(s, i);
    const jet *value = rates_rate(s, f, 1);
    if (!with_derivatives) {
      terms_constant(s, e, i, 0, value);
    } else {
      terms_gradient(s, e, i, value);
      for (int j = 0; j < s->nc; j++) {
        terms_constant(s, e, i, 2 * s->d + j, jet_bracket(&s->arithmetic, f, s->g[j], s->d));
      }
    }
    jets_release(&s->arithmetic, mark);
  }
}

/* Entry i of v as a number. */
static const jet *vector_entry(session *s, int i)
{
  return jet_double(&s->arithmetic, s->point->v[i]);
}

/* For the sum a.A + b.B + c.H_p with the weights a = v_q, b = lambda, c = v_p: adds the lower
 * triangle of its second derivatives by z, then a row for each multiplier, in which the sum is
 * linear. */
static void rates_second_derivatives(session *s, digits *e)
{
  jets *a = &s->arithmetic;
  const jet *sum = jet_zero(a);
  for (int i = 0; i < s->d + s->nc; i++) {
    const jet *f = rated(s, i);
    const jet *weight = i < s->d ? vector_entry(s, i) : rates_multiplier(s, i - s->d);
    sum = jet_sum(a, sum, jet_product(a, weight, rates_rate(s, f, 2)));
    if (i < s->d) {
      sum = jet_sum(a, sum, jet_product(a, vector_entry(s, s->d + i), f));
    }
  }
  terms_hessian(s, e, sum);
  for (int j = 0; j < s->nc; j++) {
    size_t mark = a->n_made;
    const jet *slope = jet_zero(a);
    for (int i = 0; i < s->d + s->nc; i++) {
      const jet *f = rated(s, i);
      const jet *weight = i < s->d ? vector_entry(s, i) : rates_multiplier(s, i - s->d);
      a->order = 1;
      slope = jet_sum(a, slope, jet_product(a, weight, jet_bracket(a, f, s->g[j], s->d)));
    }
    terms_gradient(s, e, 2 * s->d + j, slope);
    jets_release(a, mark);
  }
}

/* Derivative of f by its first n variables along n entries of v: the first n entries, or, if
 * turned, the other half first and then the first half. */
static const jet *along(session *s, const jet *f, int n, int turned, int order)
{
  double *weights = flint_calloc(2 * (size_t)s->d + 1, sizeof *weights);
  for (int i = 0; i < n; i++) {
    weights[i] = s->point->v[turned ? (i + s->d) % (2 * s->d) : i];
  }
  s->arithmetic.order = order;
  const jet *sum = jet_along(&s->arithmetic, f, weights);
  flint_free(weights);
  return sum;
}

/* Adds the rows g_i,zz v. */
static void jac_along(session *s, digits *e)
{
  for (int i = 0; i < s->nc; i++) {
    size_t mark = s->arithmetic.n_made;
    terms_gradient(s, e, i, along(s, s->g[i], 2 * s->d, 0, 1));
    jets_release(&s->arithmetic, mark);
  }
}

/* Adds the matrix of the brackets {a_i, g_j}: C if a = g, and N if a = rho. Sums the products of
 * the first derivatives directly, because there may be thousands of brackets. */
static void brackets(session *s, const jet *const a[], digits *e)
{
  size_t n = 2 * (size_t)s->d;
  const jet_term **slope = flint_malloc(n * sizeof *slope); /* of a_i by each variable, or NULL */
  arb_t value;
  mag_t size;
  arb_init(value);
  mag_init(size);
  for (int i = 0; i < s->nc; i++) {
    memset(slope, 0, n * sizeof *slope);
    for (long t = 0; t < a[i]->n; t++) {
      if (monomial_degree(a[i]->terms[t].monomial) == 1) {
        slope[monomial_variable(a[i]->terms[t].monomial, 0)] = &a[i]->terms[t];
      }
    }
    for (int j = 0; j < s->nc; j++) {
      arb_zero(value);
      mag_zero(size);
      for (long t = 0; t < s->g[j]->n; t++) {
        const jet_term *term = &s->g[j]->terms[t];
        int v = monomial_variable(term->monomial, 0);
        const jet_term *other = monomial_degree(term->monomial) != 1 ? NULL
                                : v < s->d                           ? slope[v + s->d]
                                                                     : slope[v - s->d];
        if (other) {
          (v < s->d ? arb_submul : arb_addmul)(value, &other->value, &term->value,
                                               s->arithmetic.precision);
          mag_addmul(size, &other->size, &term->size);
        }
      }
      digits_add(e, i, j, value, size);
    }
  }
  mag_clear(size);
  arb_clear(value);
  flint_free(slope);
}

/* Derivative of f along the first direction, or, if twice, along both directions, with its second
 * derivatives. */
static const jet *derived(session *s, const jet *f, int n, int twice)
{
  return twice ? along(s, along(s, f, n, 0, 3), n, 1, 2) : along(s, f, n, 0, 2);
}

/* Adds the second derivatives, by positions, of the derived constraints, summed with the weights
 * lambda. */
static void derived_constraints(session *s, digits *e, int twice)
{
  jets *a = &s->arithmetic;
  const jet *sum = jet_zero(a);
  for (int i = 0; i < s->nc; i++) {
    sum = jet_sum(a, sum, jet_product(a, rates_multiplier(s, i), derived(s, s->g[i], s->d, twice)));
  }
  terms_hessian(s, e, sum);
}

/* First and last precision in bits; the precision doubles in between. */
enum { FIRST_PRECISION = 128, LAST_PRECISION = 1024 };

/* ---- entries ---- */

static void values_of_families(session *s, int n, const model_family *const families[], digits *e)
{
  long row = 0;
  s->arithmetic.order = 0;
  for (int f = 0; f < n; f++) {
    tree_instances each = tree_family(&s->t, families[f]);
    while (tree_next(&each)) {
      terms_constant(s, e, row++, 0, tree_value(&s->t, families[f]->body));
    }
  }
}

/* Adds the values of a parameter or an initial state to the entries of an array that begins at row
 * `start`. */
static void values_of_array(session *s, const model_values *values, const model_shape *shape,
                            const model_index *const index[], long start, digits *e)
{
  tree_instances each = tree_array(&s->t, values);
  while (tree_next(&each)) {
    long place = index ? tree_place(&s->t, shape, index) : each.number;
    terms_constant(s, e, start + place, 0, tree_value(&s->t, tree_array_value(values, &each)));
  }
}

static void k_default(session *s, digits *e)
{
  s->arithmetic.order = 0;
  for (int i = 0; i < s->m->n_parameters; i++) {
    const model_parameter *p = s->m->parameters[i];
    values_of_array(s, &p->values, &p->shape, NULL, tree_parameter_start(&s->t, p), e);
  }
}

static long quantities_start_of(const session *s, const model_assignment *set)
{
  return tree_coordinate_start(&s->t, set->coordinate) + (set->is_momentum ? s->d : 0);
}

/* Copies the positions and velocities of an initial state into z. */
static void take_state(session *s, const model_init *init, arb_ptr z)
{
  for (int i = 0; i < init->n; i++) {
    const model_assignment *set = &init->assignments[i];
    tree_instances each = tree_array(&s->t, &set->values);
    while (tree_next(&each)) {
      long place = tree_place(&s->t, &set->coordinate->shape, set->index);
      size_t mark = s->arithmetic.n_made;
      const jet *value = tree_value(&s->t, tree_array_value(&set->values, &each));
      if (jet_constant(value)) {
        arb_set(z + quantities_start_of(s, set) + place, &jet_constant(value)->value);
      }
      jets_release(&s->arithmetic, mark);
    }
  }
}

/* Adds the momenta that belong to the velocities of an initial state, p = L_v(q,v). */
static void initial_momenta(session *s, const model_init *init, digits *e)
{
  arb_ptr z = s->t.z;
  arb_ptr start = _arb_vec_init(2 * s->d);
  take_state(s, init, start);
  s->t.z = start;
  s->arithmetic.order = 1;
  const jet *L = tree_lagrangian(&s->t);
  s->arithmetic.order = 0;
  s->t.z = z;
  char *moves = tree_moving(&s->t);
  for (long i = 0; i < L->n; i++) {
    uint64_t monomial = L->terms[i].monomial;
    if (monomial_degree(monomial) == 1 && moves[monomial_variable(monomial, 0)]) {
      terms_add(s, e, monomial_variable(monomial, 0), 0, &L->terms[i], 1);
    }
  }
  flint_free(moves);
  _arb_vec_clear(start, 2 * s->d);
}

static void initial_state(session *s, const model_init *init, digits *e)
{
  int has_velocities = 0;
  s->arithmetic.order = 0;
  for (int i = 0; i < init->n; i++) {
    const model_assignment *set = &init->assignments[i];
    has_velocities = has_velocities || set->is_velocity;
    if (!set->is_velocity) {
      values_of_array(s, &set->values, &set->coordinate->shape, set->index,
                      quantities_start_of(s, set), e);
    }
  }
  if (has_velocities) {
    initial_momenta(s, init, e);
  }
}

/* Adds F, or its gradients if `order` is 1. Each entry of F is the sum of the forces on one
 * momentum. */
static void put_forces(session *s, int order, digits *e)
{
  const model *m = s->m;
  jet **sums = ARENA_ARRAY(e->memory, s->d + 1, jet *);
  s->arithmetic.order = order;
  for (int f = 0; f < m->n_forces; f++) {
    const model_expr *position = m->force_targets[f]->body;
    const model_coordinate *q = position->coordinate;
    tree_instances each = tree_family(&s->t, m->forces[f]);
    while (tree_next(&each)) {
      const long i =
          tree_coordinate_start(&s->t, q) + tree_place(&s->t, &q->shape, position->index);
      jet *value = tree_value(&s->t, m->forces[f]->body);
      sums[i] = sums[i] ? jet_sum(&s->arithmetic, sums[i], value) : value;
    }
  }
  for (long i = 0; i < s->d; i++) {
    if (sums[i] && order > 0) {
      terms_gradient(s, e, i, sums[i]);
    } else if (sums[i]) {
      terms_constant(s, e, i, 0, sums[i]);
    }
  }
}

/* ---- all functions ---- */

enum {
  NEEDS_H = 1,
  NEEDS_G = 2,
  NEEDS_RHO = 4,
  IS_TERMS = 8,
  IS_RATE = 16,
  IS_ALONG = 32,
  NEEDS_F = 64,
  NEEDS_EVENTS = 128
};

static const unsigned needs_of[SW_WITNESSED] = {
    [SW_WITNESS_HAMILTONIAN] = NEEDS_H | IS_TERMS,
    [SW_WITNESS_HAMILTONIAN_GRAD] = NEEDS_H,
    [SW_WITNESS_HAMILTONIAN_HESS] = NEEDS_H,
    [SW_WITNESS_CONSTRAINT] = NEEDS_G | IS_TERMS,
    [SW_WITNESS_CONSTRAINT_JAC] = NEEDS_G,
    [SW_WITNESS_CONSTRAINT_JAC_ALONG] = NEEDS_G,
    [SW_WITNESS_CONSTRAINT_HESS] = NEEDS_G,
    [SW_WITNESS_HIDDEN] = NEEDS_G | NEEDS_RHO | IS_TERMS,
    [SW_WITNESS_HIDDEN_JAC] = NEEDS_G | NEEDS_RHO,
    [SW_WITNESS_COISOTROPY] = NEEDS_G,
    [SW_WITNESS_NONDEGENERACY] = NEEDS_G | NEEDS_RHO,
    [SW_WITNESS_ACCELERATION] = NEEDS_H | IS_RATE,
    [SW_WITNESS_ACCELERATION_JAC] = NEEDS_H | IS_RATE,
    [SW_WITNESS_ACCELERATION_HESS] = NEEDS_H | IS_RATE,
    [SW_WITNESS_CONSTRAINT_THIRD] = NEEDS_G | IS_RATE | IS_ALONG,
    [SW_WITNESS_HAMILTONIAN_THIRD] = NEEDS_H | IS_ALONG,
    [SW_WITNESS_HAMILTONIAN_FOURTH] = NEEDS_H | IS_ALONG,
    [SW_WITNESS_CONSTRAINT_FOURTH] = NEEDS_G | IS_ALONG,
    [SW_WITNESS_FORCE] = NEEDS_F,
    [SW_WITNESS_FORCE_JAC] = NEEDS_F,
    [SW_WITNESS_EVENT] = NEEDS_EVENTS,
};

/* Adds the entries of one function. init: the initial state if the function is SW_WITNESS_INIT.
 * From SW_WITNESS_ACCELERATION on, the weights are lambda and v of the point
 * (sidewinder/witness.h). */
static void quantities_make(session *s, sw_witnessed what, const model_init *init, digits *e)
{
  const jet *const *list = needs_of[what] & NEEDS_RHO ? s->rho : s->g;
  switch (what) {
  case SW_WITNESS_K_DEFAULT:
    k_default(s, e);
    break;
  case SW_WITNESS_INIT:
    initial_state(s, init, e);
    break;
  case SW_WITNESS_HAMILTONIAN:
    terms_constant(s, e, 0, 0, s->H);
    break;
  case SW_WITNESS_HAMILTONIAN_GRAD:
    terms_gradient(s, e, -1, s->H);
    break;
  case SW_WITNESS_HAMILTONIAN_HESS:
    terms_hessian(s, e, s->H);
    break;
  case SW_WITNESS_CONSTRAINT_JAC_ALONG:
    jac_along(s, e);
    break;
  case SW_WITNESS_CONSTRAINT_HESS:
    s->arithmetic.order = 2;
    terms_hessian(s, e, tree_combined(&s->t, s->nc, s->g));
    break;
  case SW_WITNESS_COISOTROPY:
  case SW_WITNESS_NONDEGENERACY:
    brackets(s, list, e);
    break;
  case SW_WITNESS_ACCELERATION:
  case SW_WITNESS_ACCELERATION_JAC:
    accelerations(s, e, what == SW_WITNESS_ACCELERATION_JAC);
    break;
  case SW_WITNESS_ACCELERATION_HESS:
    rates_second_derivatives(s, e);
    break;
  case SW_WITNESS_CONSTRAINT_THIRD:
  case SW_WITNESS_CONSTRAINT_FOURTH:
    derived_constraints(s, e, what == SW_WITNESS_CONSTRAINT_FOURTH);
    break;
  case SW_WITNESS_HAMILTONIAN_THIRD:
  case SW_WITNESS_HAMILTONIAN_FOURTH:
    terms_hessian(s, e, derived(s, s->H, 2 * s->d, what == SW_WITNESS_HAMILTONIAN_FOURTH));
    break;
  case SW_WITNESS_OBSERVE:
    values_of_families(s, s->m->n_observe, s->m->observe, e);
    break;
  case SW_WITNESS_FORCE:
  case SW_WITNESS_FORCE_JAC:
    put_forces(s, what == SW_WITNESS_FORCE_JAC, e);
    break;
  case SW_WITNESS_EVENT:
    values_of_families(s, s->m->n_events, s->m->events, e);
    break;
  case SW_WITNESS_INVARIANT:
    values_of_families(s, s->m->n_invariants, s->m->invariants, e);
    break;
  default:
    for (int i = 0; i < s->nc; i++) {
      if (what == SW_WITNESS_CONSTRAINT || what == SW_WITNESS_HIDDEN) {
        terms_constant(s, e, i, 0, list[i]);
      } else {
        terms_gradient(s, e, i, list[i]);
      }
    }
    break;
  }
}

static const char *trouble_of(const session *s, unsigned needs)
{
  if ((needs & NEEDS_H) && s->H_trouble) {
    return s->H_trouble;
  }
  if ((needs & (NEEDS_G | IS_RATE)) && s->g_trouble) {
    return s->g_trouble;
  }
  return needs & (NEEDS_RHO | IS_RATE) ? s->rho_trouble : NULL;
}

static void quantities_prepare(session *s, quantities_wanted wanted)
{
  int rates = wanted == QUANTITIES_RATES;
  int high = rates || wanted == QUANTITIES_ALONG;
  int all = wanted == QUANTITIES_ALL || high;
  if (!all && wanted != QUANTITIES_TERMS) {
    return;
  }
  session_make_H(s, high ? 4 : all ? 2 : 1);
  session_make_g(s, high ? 4 : all ? 2 : 1);
  s->rho_trouble = s->g_trouble ? s->g_trouble : s->H_trouble;
  if (!s->rho_trouble) {
    s->arithmetic.order = rates ? 3 : all ? 1 : 0;
    for (int i = 0; i < s->nc; i++) {
      s->rho[i] = jet_bracket(&s->arithmetic, s->g[i], s->H, s->d);
    }
    s->rho_trouble = session_trouble(s);
  }
}

/* Recomputes a value that was uncertain at lower precision. Returns 1 if the value is final. */
static int quantities_settle(session *s, arena *a, sw_witness_values *value)
{
  const model_init *init = s->m->n_inits > 0 ? s->m->inits[value->number] : NULL;
  digits e = {.memory = a};
  int is_last = s->arithmetic.precision >= LAST_PRECISION;
  e.trouble = trouble_of(s, needs_of[value->what]);
  if (!e.trouble) {
    size_t mark = s->arithmetic.n_made;
    quantities_make(s, value->what, init, &e);
    jets_release(&s->arithmetic, mark);
  }
  const char *trouble = session_trouble(s);
  e.trouble = e.trouble ? e.trouble : trouble;
  if (e.uncertain && is_last && !e.trouble) {
    e.trouble = "its 30 digits cannot be computed";
  }
  *value = digits_values(&e, value->what, value->number);
  return is_last || !(e.uncertain || e.trouble) || s->arithmetic.work > s->arithmetic.budget;
}

static int quantities_is_wanted(quantities_wanted wanted, int what, unsigned needs)
{
  unsigned more = wanted == QUANTITIES_RATES ? IS_RATE : wanted == QUANTITIES_ALONG ? IS_ALONG : 0;
  if (more || wanted == QUANTITIES_ALL) {
    return what != SW_WITNESS_K_DEFAULT && (!(needs & (IS_RATE | IS_ALONG)) || (needs & more));
  }
  return (wanted == QUANTITIES_TERMS && (needs & IS_TERMS)) ||
         (wanted == QUANTITIES_DEFAULTS && what == SW_WITNESS_K_DEFAULT);
}

/* Lists the requested functions in values[] and returns their number. */
static int list(const session *s, quantities_wanted wanted, sw_witness_values values[])
{
  int n = 0;
  for (int what = 0; what < SW_WITNESSED; what++) {
    int has = (!(needs_of[what] & NEEDS_G) || s->nc > 0) &&
              (!(needs_of[what] & NEEDS_F) || s->m->n_forces > 0) &&
              (!(needs_of[what] & NEEDS_EVENTS) || s->m->n_events > 0) && what != SW_WITNESS_INIT &&
              (what < SW_WITNESS_FIBRE_FLOW || what > SW_WITNESS_FIBRE_FLOW_Z);
    if (has && quantities_is_wanted(wanted, what, needs_of[what])) {
      values[n++] = (sw_witness_values){.what = (sw_witnessed)what};
    }
  }
  int inits = wanted != QUANTITIES_TERMS && wanted != QUANTITIES_DEFAULTS;
  for (int i = 0; inits && i < s->m->n_inits; i++) {
    values[n++] = (sw_witness_values){.what = SW_WITNESS_INIT, .number = i};
  }
  return n;
}

int quantities_at(arena *a, const model *m, const sw_witness_point *point, quantities_wanted wanted,
                  long budget, long *work, sw_witness_values values[])
{
  int n = -1;
  char *done = ARENA_ARRAY(a, QUANTITIES_ROOM(m->n_inits), char);
  int left = 1;
  for (slong precision = FIRST_PRECISION; left && precision <= LAST_PRECISION; precision *= 2) {
    session s;
    session_open(&s, a, m, point, budget, precision);
    n = n < 0 ? list(&s, wanted, values) : n;
    quantities_prepare(&s, wanted);
    left = 0;
    for (int i = 0; i < n; i++) {
      done[i] = (char)(done[i] || quantities_settle(&s, a, &values[i]));
      left = left || !done[i];
    }
    *work += s.arithmetic.work;
    session_close(&s);
  }
  return n;
}

int quantities_exist(arena *a, const model *m, const double z[], const double k[],
                     const double length[], long budget, double speed[])
{
  session s;
  sw_witness_point point = {.z = z, .k = k};
  session_open(&s, a, m, &point, budget, FIRST_PRECISION);
  session_make_H(&s, 2);
  session_make_g(&s, 2);
  int exist = !s.H_trouble && !s.g_trouble;
  for (int i = 0; exist && i < s.nc; i++) {
    speed[i] = 0.0;
    for (long e = 0; e < s.g[i]->n; e++) {
      const jet_term *term = &s.g[i]->terms[e];
      if (monomial_degree(term->monomial) == 1) {
        int u = monomial_variable(term->monomial, 0);
        speed[i] = fmax(speed[i], mag_get_d(&term->size) / length[u < s.d ? u + s.d : u - s.d]);
      }
    }
  }
  session_close(&s);
  return exist;
}
