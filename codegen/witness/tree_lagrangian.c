/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_lagrangian.c -- H of a model that is given by L, computed numerically and not by formulas.
 *
 * The jet of L = v.M(q)v/2 + a(q).v - V(q) about v = 0, to two orders more than requested, contains
 * M, a and V as jets in q. Elimination with row exchanges solves M v = p - a, and H = (p - a).v/2 +
 * V.
 *
 * Elimination multiplies the sizes of terms by each other, so they far exceed the real rounding
 * errors. The sizes are therefore recomputed, degree by degree, as those of a stable solution of M
 * v = y: |M^-1| times the sizes of y and of the products in M v.
 */
#include <arb_mat.h>
#include <string.h>

#include "witness/tree.h"

/* The equations M v = y, row by row. A NULL entry is 0. */
typedef struct equations {
  int d;
  const char *moves; /* 2d: whether it is the number of a velocity in L */
  jet **M;
  jet **y;
  jet *V;
} equations;

/* Sets entry (i,j) of M from the coefficient of v_i v_j. */
static void set_mass(tree *t, equations *e, const jet *L, int i, int j)
{
  jet *mass = jet_factor_of(t->arithmetic, L, e->moves, e->d + i, e->d + j);
  e->M[i * e->d + j] = i == j ? jet_sum(t->arithmetic, mass, mass) : mass;
  e->M[j * e->d + i] = e->M[i * e->d + j];
}

/* The first two velocities of a monomial; 0 if it has fewer. */
static int two_velocities(const equations *e, uint64_t monomial, int two[])
{
  int n = 0;
  for (int i = 0; i < monomial_degree(monomial) && n < 2; i++) {
    int variable = monomial_variable(monomial, i);
    if (e->moves[variable]) {
      two[n++] = variable - e->d;
    }
  }
  return n == 2;
}

static equations tree_lagrangian_equations_of(tree *t, const jet *L, const char moves[])
{
  int d = (int)tree_coordinates_count(t);
  equations e = {d, moves, NULL, NULL, NULL};
  e.M = flint_calloc((size_t)d * (size_t)d + 1, sizeof *e.M);
  e.y = flint_calloc((size_t)d + 1, sizeof *e.y);
  e.V = jet_negative(t->arithmetic, jet_factor_of(t->arithmetic, L, moves, -1, -1));
  for (int i = 0; i < d; i++) {
    e.y[i] = jet_difference(t->arithmetic, jet_variable(t->arithmetic, d + i, &t->z[d + i]),
                            jet_factor_of(t->arithmetic, L, moves, d + i, -1));
  }
  for (long i = 0; i < L->n; i++) {
    int at[2];
    if (two_velocities(&e, L->terms[i].monomial, at) && !e.M[at[0] * d + at[1]]) {
      set_mass(t, &e, L, at[0], at[1]);
    }
  }
  return e;
}

static void forget(equations *e)
{
  flint_free(e->M);
  flint_free(e->y);
}

/* Lower bound of the magnitude of a constant term; -1 if the term may be 0. */
static double pivot_size(const jet *a)
{
  arb_t value;
  arf_t lower;
  const jet_term *constant = a ? jet_constant(a) : NULL;
  if (!constant) {
    return -1;
  }
  arb_init(value);
  arf_init(lower);
  arb_set(value, &constant->value);
  arb_get_abs_lbound_arf(lower, value, 53);
  double size = arf_is_zero(lower) ? -1 : arf_get_d(lower, ARF_RND_DOWN);
  arf_clear(lower);
  arb_clear(value);
  return size;
}

static void tree_lagrangian_exchange(equations *e, int a, int b)
{
  for (int j = 0; j < e->d; j++) {
    jet *kept = e->M[a * e->d + j];
    e->M[a * e->d + j] = e->M[b * e->d + j];
    e->M[b * e->d + j] = kept;
  }
  jet *kept = e->y[a];
  e->y[a] = e->y[b];
  e->y[b] = kept;
}

/* Pivot row of column j; d if there is none. */
static int pivot_of(const equations *e, int j)
{
  int best = e->d;
  double size = -1;
  for (int i = j; i < e->d; i++) {
    double own = pivot_size(e->M[i * e->d + j]);
    if (own > size) {
      size = own;
      best = i;
    }
  }
  return best;
}

/* a - factor * b */
static jet *tree_lagrangian_less(jets *s, jet *a, const jet *factor, const jet *b)
{
  jet *product = jet_product(s, factor, b);
  return a ? jet_difference(s, a, product) : jet_negative(s, product);
}

static void tree_lagrangian_eliminate(tree *t, equations *e, int j)
{
  jets *s = t->arithmetic;
  int d = e->d;
  for (int i = j + 1; i < d && !s->trouble; i++) {
    if (!e->M[i * d + j]) {
      continue;
    }
    const jet *factor = jet_quotient(s, e->M[i * d + j], e->M[j * d + j]);
    for (int k = j + 1; k < d; k++) {
      if (e->M[j * d + k]) {
        e->M[i * d + k] = tree_lagrangian_less(s, e->M[i * d + k], factor, e->M[j * d + k]);
      }
    }
    e->y[i] = tree_lagrangian_less(s, e->y[i], factor, e->y[j]);
  }
}

/* ---- sizes ---- */

/* Writes the magnitudes of M^-1 at the point into W (d x d). A variable without velocity has 1 on
 * the diagonal. Returns 0 if the magnitudes are unknown. */
static int inverse_sizes(const equations *e, mag_struct W[])
{
  enum { BITS = 64 };
  int d = e->d;
  arb_mat_t M;
  arb_mat_init(M, d, d);
  for (int i = 0; i < d * d; i++) {
    const jet_term *constant = e->M[i] ? jet_constant(e->M[i]) : NULL;
    if (constant) {
      arb_set(arb_mat_entry(M, i / d, i % d), &constant->value);
    }
  }
  for (int i = 0; i < d; i++) {
    if (!e->moves[d + i]) {
      arb_one(arb_mat_entry(M, i, i));
    }
  }
  int known = arb_mat_inv(M, M, BITS);
  for (int i = 0; known && i < d * d; i++) {
    arb_get_mag(&W[i], arb_mat_entry(M, i / d, i % d));
  }
  arb_mat_clear(M);
  return known;
}

static const jet_term *term_at(const jet *a, uint64_t monomial)
{
  for (long i = 0; a && i < a->n; i++) {
    if (a->terms[i].monomial == monomial) {
      return &a->terms[i];
    }
  }
  return NULL;
}

/* Sets the sizes of the terms of this degree of v, from the known terms of lower degree. products[]
 * has those of M v. */
static void size_degree(const equations *e, jet *v[], const mag_struct W[], int degree,
                        jet *const products[])
{
  int d = e->d;
  for (int i = 0; i < d; i++) {
    for (long n = 0; n < v[i]->n; n++) {
      jet_term *term = &v[i]->terms[n];
      for (int k = 0; monomial_degree(term->monomial) == degree && k < d; k++) {
        const jet_term *of_y = term_at(e->y[k], term->monomial);
        const jet_term *of_Mv = term_at(products[k], term->monomial);
        if (of_y) {
          mag_addmul(&term->size, &W[i * d + k], &of_y->size);
        }
        if (of_Mv) {
          mag_addmul(&term->size, &W[i * d + k], &of_Mv->size);
        }
      }
    }
  }
}

static void size_velocities(jets *s, const equations *e, jet *v[])
{
  int d = e->d;
  mag_ptr W = _mag_vec_init((slong)d * d + 1);
  for (int i = 0; i < d; i++) {
    for (long n = 0; n < v[i]->n; n++) {
      arb_get_mag(&v[i]->terms[n].size, &v[i]->terms[n].value);
    }
  }
  if (!inverse_sizes(e, W)) {
    jets_trouble(s, "the mass matrix is singular, or nearly so");
  }
  jet **products = flint_calloc((size_t)d + 1, sizeof *products);
  for (int degree = 0; degree <= s->order && !s->trouble; degree++) {
    size_t mark = s->n_made;
    for (int k = 0; k < d; k++) {
      jet_total total;
      jet_total_open(&total);
      for (int j = 0; j < d; j++) {
        if (e->M[k * d + j]) {
          jet_total_add(s, &total, jet_product(s, e->M[k * d + j], v[j]));
        }
      }
      products[k] = jet_total_close(s, &total);
    }
    size_degree(e, v, W, degree, products);
    jets_release(s, mark);
  }
  flint_free(products);
  _mag_vec_clear(W, (slong)d * d + 1);
}

/* ---- the solution ---- */

char *tree_moving(tree *t)
{
  long d = tree_coordinates_count(t);
  char *moves = flint_calloc(2 * (size_t)d + 1, 1);
  for (int f = 0; f < t->model->n_coordinates; f++) {
    const model_coordinate *c = t->model->coordinates[f];
    long start = d + tree_coordinate_start(t, c);
    for (long i = 0; !c->is_algebraic && i < tree_shape_count(t, &c->shape); i++) {
      moves[start + i] = 1;
    }
  }
  return moves;
}

static equations copy_of(const equations *e)
{
  size_t d = (size_t)e->d;
  equations copy = {e->d, e->moves, flint_malloc((d * d + 1) * sizeof *e->M),
                    flint_malloc((d + 1) * sizeof *e->y), e->V};
  memcpy(copy.M, e->M, d * d * sizeof *e->M);
  memcpy(copy.y, e->y, d * sizeof *e->y);
  return copy;
}

/* Solves for the d velocities, in an array that the caller frees. The position conjugate to an
 * algebraic variable has the velocity 0. */
static jet **tree_lagrangian_solved(tree *t, const equations *given)
{
  jets *s = t->arithmetic;
  int d = given->d;
  jet **v = flint_calloc((size_t)d + 1, sizeof *v);
  equations work = copy_of(given);
  equations *e = &work;
  for (int j = 0; j < d && !s->trouble; j++) {
    const int moves = given->moves[d + j] != 0;
    int row = moves ? pivot_of(e, j) : j;
    if (row == d) {
      jets_trouble(s, "the mass matrix is singular, or nearly so");
    } else if (moves) {
      tree_lagrangian_exchange(e, j, row);
      tree_lagrangian_eliminate(t, e, j);
    }
  }
  for (int j = d - 1; j >= 0; j--) {
    jet *sum = e->y[j];
    for (int k = j + 1; k < d && !s->trouble; k++) {
      sum = e->M[j * d + k] ? tree_lagrangian_less(s, sum, e->M[j * d + k], v[k]) : sum;
    }
    v[j] = s->trouble || !given->moves[d + j] ? jet_zero(s) : jet_quotient(s, sum, e->M[j * d + j]);
  }
  if (!s->trouble) {
    size_velocities(s, given, v);
  }
  forget(&work);
  return v;
}

jet *tree_energy(tree *t, const jet *L)
{
  jets *s = t->arithmetic;
  char *moves = tree_moving(t);
  equations e = tree_lagrangian_equations_of(t, L, moves);
  jet **v = tree_lagrangian_solved(t, &e);
  const jet *half = jet_double(s, 0.5);
  jet *H = e.V;
  for (int i = 0; i < e.d; i++) {
    H = jet_sum(s, H, jet_product(s, half, jet_product(s, e.y[i], v[i])));
  }
  flint_free(v);
  flint_free(moves);
  forget(&e);
  return H;
}

jet **tree_velocities(tree *t, const jet *L)
{
  char *moves = tree_moving(t);
  equations e = tree_lagrangian_equations_of(t, L, moves);
  jet **v = t->arithmetic->trouble ? NULL : tree_lagrangian_solved(t, &e);
  flint_free(moves);
  forget(&e);
  return v;
}
