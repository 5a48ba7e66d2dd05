/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "analysis/certify.h"
#include "analysis/dependence_means.h"
#include "analysis/examinations.h"
#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/sign.h"
#include "expr/substitute.h"

/* Limits on reported surfaces, on terms of an expanded determinant, and on degrees of freedom. */
enum { MOST_SURFACES = 8, MOST_TERMS = 200, MOST_FREEDOM = 64 };

typedef struct masses {
  study *s;
  int d;
  const ir_expr **matrix; /* d x d: L_vv of a Lagrangian, else H_pp; NULL entries are 0 */
  ir_call squared;        /* sine or cosine: the function whose squares are replaced */
  char *visited;          /* by node id */
  unsigned n_visited;
  int n;
  const ir_expr *surface[MOST_SURFACES];
  int open; /* 1 if the matrix may be singular or infinite elsewhere, too */
} masses;

/* ---- the matrix ---- */

/* 1 if no entry of H_pp reads a momentum; otherwise H_pp is not a mass matrix. */
static int singular_mass_is_quadratic(const study *s)
{
  const ir_function *hess = &s->p->functions[IR_HAMILTONIAN_HESS];
  const int d = s->p->nq;
  char *reads = ARENA_ARRAY(s->memory, 2 * d, char);
  int any = 0;
  for (int e = 0; e < hess->n && !s->p->lagrangian; e++) {
    if (hess->entries[e].row >= d && hess->entries[e].col >= d) {
      ir_inputs_read(s->c, IR_Z, 2 * d, hess->entries[e].value, reads);
      for (int i = d; i < 2 * d; i++) {
        any |= reads[i];
      }
    }
  }
  return !any;
}

static void find_matrix(masses *m)
{
  const ir_program *p = m->s->p;
  const ir_function *hess = &p->functions[IR_HAMILTONIAN_HESS];
  const int d = m->d;
  if (!p->lagrangian) {
    for (int i = 0; i < hess->n; i++) {
      const ir_entry *e = &hess->entries[i];
      if (e->row >= d && e->col >= d) {
        m->matrix[(e->row - d) * d + e->col - d] = e->value;
        m->matrix[(e->col - d) * d + e->row - d] = e->value;
      }
    }
    return;
  }
  const ir_expr **slope = ARENA_ARRAY(m->s->memory, 2 * d, const ir_expr *);
  const ir_expr **second = ARENA_ARRAY(m->s->memory, 2 * d, const ir_expr *);
  ir_gradient(m->s->c, 2 * d, p->lagrangian, slope);
  for (int i = 0; i < d; i++) {
    ir_gradient(m->s->c, 2 * d, slope[d + i], second);
    for (int j = 0; j < d; j++) {
      m->matrix[i * d + j] = ir_is_zero(second[d + j]) ? NULL : second[d + j];
    }
  }
}

/* ---- signs ---- */

/* e with cos^2 replaced by 1 - sin^2, or vice versa. */
static const ir_expr *without_squares(void *data, const ir_expr *e)
{
  masses *m = data;
  ir_context *c = m->s->c;
  const ir_call other = m->squared == IR_COS ? IR_SIN : IR_COS;
  if (e->kind != IR_PRODUCT) {
    return ir_rebuilt(c, e, without_squares, m);
  }
  const ir_expr *product = ir_integer(c, 1);
  for (int i = 0; i < e->n; i++) {
    const ir_expr *base = e->factors[i].base;
    const int is_square = base->kind == IR_CALL && base->call == m->squared &&
                          mpq_cmp_si(e->factors[i].exponent, 2, 1) == 0;
    const ir_expr *factor =
        is_square ? ir_minus(c, ir_integer(c, 1),
                             ir_power(c, ir_apply(c, other, base->arguments[0], NULL), 2, 1))
                  : ir_pow(c, without_squares(m, base), e->factors[i].exponent);
    product = ir_times(c, product, factor);
  }
  return product;
}

/* A form of e that shows its sign, if there is one; else the shortest form. */
static const ir_expr *signed_form(masses *m, const ir_expr *e)
{
  const ir_expr *form[4] = {e, multiplied_out(m->s->c, e, MOST_TERMS), NULL, NULL};
  for (int i = 0; i < 2; i++) {
    m->squared = i == 0 ? IR_COS : IR_SIN;
    form[2 + i] = multiplied_out(m->s->c, without_squares(m, form[1] ? form[1] : e), MOST_TERMS);
  }
  for (int i = 0; i < 4; i++) {
    if (form[i] && ir_sign(m->s->p, form[i]) != 0) {
      return form[i];
    }
  }
  /* The shortest form is best for reports. */
  const ir_expr *best = e;
  for (int i = 1; i < 4; i++) {
    best = form[i] && form[i]->n < best->n ? form[i] : best;
  }
  return best;
}

/* ---- poles and zeros ---- */

static void singular_mass_add(masses *m, const ir_expr *what)
{
  for (int i = 0; i < m->n; i++) {
    if (m->surface[i] == what) {
      return;
    }
  }
  if (m->n == MOST_SURFACES) {
    m->open = 1;
  } else {
    m->surface[m->n++] = what;
  }
}

/* Adds the factors of a product, or e itself, that may vanish at some state; with divisors_too also
 * those in a denominator. */
static void add_factors(masses *m, const ir_expr *e, int divisors_too)
{
  const ir_expr *p = ir_primitive(e);
  for (int i = 0; p->kind == IR_PRODUCT && i < p->n; i++) {
    if (divisors_too || mpq_sgn(p->factors[i].exponent) > 0) {
      add_factors(m, p->factors[i].base, divisors_too);
    }
  }
  if (p->kind == IR_PRODUCT || !ir_reads_state(m->s->c, p)) {
    return;
  }
  const ir_expr *form = ir_primitive(signed_form(m, p));
  if (form->kind == IR_PRODUCT && form != p) {
    add_factors(m, form, divisors_too);
  } else if (ir_may_vanish(m->s->p, form)) {
    singular_mass_add(m, form);
  }
}

/* Adds all divisors in a formula. */
static void add_divisors(masses *m, const ir_expr *e)
{
  if (e->id >= m->n_visited || m->visited[e->id]) {
    return;
  }
  m->visited[e->id] = 1;
  for (int i = 0; i < e->n; i++) {
    add_divisors(m, ir_operand(e, i));
    if (e->kind == IR_PRODUCT && mpq_sgn(e->factors[i].exponent) < 0) {
      add_factors(m, e->factors[i].base, 1);
    }
  }
}

/* Collects the rows that are connected with row i in block; returns their number. */
static int find_block(const masses *m, int i, char seen[], int block[])
{
  int n = 0;
  seen[i] = 1;
  block[n++] = i;
  for (int at = 0; at < n; at++) {
    for (int j = 0; j < m->d; j++) {
      if (!seen[j] && m->matrix[block[at] * m->d + j]) {
        seen[j] = 1;
        block[n++] = j;
      }
    }
  }
  return n;
}

/* Adds the zeros of the determinant of a block. */
static void examine_block(masses *m, int n, const int block[])
{
  if (n == 1 && !m->matrix[block[0] * m->d + block[0]]) {
    return; /* H is at most linear in this momentum */
  }
  if (n > MINORS_ORDER) {
    m->open = 1;
    return;
  }
  ir_entry entries[MINORS_ORDER * MINORS_ORDER];
  ir_function f = {.rows = n, .cols = n, .entries = entries};
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const ir_expr *value = m->matrix[block[i] * m->d + block[j]];
      if (value) {
        entries[f.n++] = (ir_entry){i, j, value};
      }
    }
  }
  const ir_expr *det = signed_form(m, determinant_of(m->s, &f));
  if (ir_is_zero(det)) {
    m->open = 1; /* the rank is smaller everywhere, and may decrease further */
  } else if (ir_sign(m->s->p, det) == 0) {
    add_factors(m, det, 0);
  }
}

static void find_surfaces(masses *m)
{
  const int d = m->d;
  char *seen = ARENA_ARRAY(m->s->memory, d, char);
  int *block = ARENA_ARRAY(m->s->memory, d, int);
  find_matrix(m);
  m->n_visited = ir_context_size(m->s->c);
  m->visited = ARENA_ARRAY(m->s->memory, m->n_visited, char);
  for (int i = 0; i < d * d; i++) {
    if (m->matrix[i]) {
      add_divisors(m, m->matrix[i]);
      m->open |= ir_may_be_undefined(m->s->p, m->matrix[i]);
    }
  }
  for (int i = 0; i < d; i++) {
    if (!seen[i]) {
      examine_block(m, find_block(m, i, seen, block), block);
    }
  }
}

void examine_mass_singular(study *s, record *r)
{
  const ir_program *p = s->p;
  masses found = {.s = s, .d = p->nq};
  if (p->structure.mass != IR_MASS_GENERAL) {
    return;
  }
  r->mass.watch = singular_mass_is_quadratic(s);
  r->mass.of_momenta = !r->mass.watch;
  if (!r->mass.watch || p->nq > MOST_FREEDOM) {
    return;
  }
  found.matrix = ARENA_ARRAY(s->memory, p->nq * p->nq, const ir_expr *);
  find_surfaces(&found);
  r->mass.watch = found.open || found.n > 0;
  r->mass_singular.items = ARENA_ARRAY(s->memory, found.n + 1, record_finding);
  for (int i = 0; i < found.n && r->mass.watch && !study_exhausted(s, 0.9); i++) {
    const double *at = meet_zero(s, found.surface[i], p->nc, s->g);
    if (at) {
      r->mass_singular.items[r->mass_singular.n++] =
          (record_finding){.value = found.surface[i], .at = at};
    }
  }
}
