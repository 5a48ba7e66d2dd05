/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/discrete_gradient.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/expr.h"
#include "expr/secant.h"
#include "expr/substitute.h"

/* The inner expression through which an expression reads the state.
 *
 * ((q1 - q2)^2 - 1)^2 reads the state through q1 - q2 alone, and (x^2 + y^2)^(-3) through
 * x^2 + y^2.  Both are functions of one inner expression, as if the model had named it.  x^2 y^4
 * reads the state through two expressions. */

/* Degrees and inner expressions of the nodes that existed at its creation.  The tables are indexed
 * by node id, so that shared parts are visited once. */
typedef struct ir_inners {
  ir_context *c;
  char *degree; /* degree + 1; 0 if not yet computed */
  char *seen;
  const ir_expr **inner;
} ir_inners;

/* ---- degrees ---- */

/* The degree of a part to the power n; 3 for any degree above 2 and for other powers. */
static int degree_of_power(int part, mpq_srcptr n)
{
  int is_small = rational_is_integer(n) && mpq_sgn(n) > 0 && mpq_cmp_ui(n, 2, 1) <= 0;
  return part == 0 ? 0 : is_small ? part * (int)mpz_get_ui(mpq_numref(n)) : 3;
}

/* The degree of e as a polynomial in the state, as it is written, if at most 2; else 3. */
static int ir_degree(ir_inners *s, const ir_expr *e)
{
  if (s->degree[e->id]) {
    return s->degree[e->id] - 1;
  }
  int most = e->kind == IR_INPUT && e->space == IR_Z;
  for (int i = 0; i < e->n && most < 3; i++) {
    int part = ir_degree(s, ir_operand(e, i));
    if (e->kind == IR_PRODUCT) {
      most += degree_of_power(part, e->factors[i].exponent);
    } else if (part > most) {
      most = e->kind == IR_SUM || e->call == IR_HOLD ? part : 3;
    }
  }
  most = most > 3 ? 3 : most;
  s->degree[e->id] = (char)(1 + most);
  return most;
}

/* ---- inner expressions ---- */

/* The expression without constant terms and without its rational factor. */
static const ir_expr *without_constants(ir_inners *s, const ir_expr *e)
{
  if (e->kind != IR_SUM) {
    return e;
  }
  const ir_expr **terms = ARENA_ARRAY(ir_context_arena(s->c), e->n, const ir_expr *);
  int n = 0;
  for (int i = 0; i < e->n; i++) {
    if (ir_degree(s, e->terms[i].node) > 0) {
      terms[n++] = ir_scale(s->c, e->terms[i].coefficient, e->terms[i].node);
    }
  }
  return ir_primitive(ir_add(s->c, n, terms));
}

/* The innermost expression through which alone e reads the state.  It is at most quadratic and has
 * no constant term.  Returns the number 0 if e does not read the state, and NULL if there is no
 * such expression. */
static const ir_expr *ir_inner(ir_inners *s, const ir_expr *e)
{
  if (s->seen[e->id]) {
    return s->inner[e->id];
  }
  const ir_expr *nothing = ir_integer(s->c, 0);
  const ir_expr *found = ir_degree(s, e) > 0 && e->kind == IR_INPUT ? e : nothing;
  for (int i = 0; i < e->n && found; i++) {
    const ir_expr *part = ir_inner(s, ir_operand(e, i));
    found = found == nothing || found == part ? part : part == nothing ? found : NULL;
  }
  found = found || ir_degree(s, e) > 2 ? found : without_constants(s, e);
  s->inner[e->id] = found;
  s->seen[e->id] = 1;
  return found;
}

/* Data shared by all discrete gradients of a model.  Arrays have `all` entries: the state first,
 * then the named functions. */
typedef struct discrete {
  ir_context *c;
  int dim;                /* 2d */
  int all;                /* 2d + n */
  const ir_expr **plain;  /* z and the named functions */
  const ir_expr **from;   /* z and the named functions at z */
  const ir_expr **to;     /* z1 and the named functions at z1 */
  const ir_expr **middle; /* the means of `from` and `to`; the state's part is zm */
  const ir_expr ***slope; /* n rows with 2d entries: grad pi(zm) */

  /* Scratch arrays with `all` entries. */
  const ir_expr **part;
  const ir_expr **by_name;
  const ir_expr **secant;
  char *reads;
} discrete;

static const ir_expr **array(const discrete *s, int n)
{
  return ARENA_ARRAY(ir_context_arena(s->c), n + 1, const ir_expr *);
}

/* The derivatives of e with respect to the first n inputs, at `middle`. */
static void gradient_in_middle(const discrete *s, int n, const ir_expr *e, const ir_expr *out[])
{
  ir_gradient(s->c, n, e, out);
  ir_substitution *middle = ir_substitution_create(s->c, IR_Z, s->middle);
  for (int i = 0; i < n; i++) {
    out[i] = ir_substituted(middle, out[i]);
  }
  ir_substitution_free(middle);
}

static discrete discrete_gradient_begin(ir_context *c, int dim, int n,
                                        const ir_expr *const values[])
{
  discrete s = {.c = c, .dim = dim, .all = dim + n};
  s.plain = array(&s, s.all);
  s.from = array(&s, s.all);
  s.to = array(&s, s.all);
  s.middle = array(&s, s.all);
  s.part = array(&s, s.all);
  s.by_name = array(&s, s.all);
  s.secant = array(&s, s.all);
  s.reads = ARENA_ARRAY(ir_context_arena(c), s.all + 1, char);
  s.slope = ARENA_ARRAY(ir_context_arena(c), n + 1, const ir_expr **);
  for (int i = 0; i < dim; i++) {
    s.plain[i] = s.from[i] = ir_input(c, IR_Z, i);
    s.to[i] = ir_input(c, IR_NEXT, i);
    s.middle[i] = ir_mean(c, s.from[i], s.to[i]);
  }
  for (int j = 0; j < n; j++) {
    const ir_expr *value = values[j];
    s.plain[dim + j] = value;
    s.from[dim + j] = ir_apply(c, IR_HOLD, value, NULL);
    s.to[dim + j] = ir_apply(c, IR_HOLD, ir_substitute(c, IR_Z, s.to, value), NULL);
    s.middle[dim + j] = ir_mean(c, s.from[dim + j], s.to[dim + j]);
    s.slope[j] = array(&s, dim);
    gradient_in_middle(&s, dim, value, s.slope[j]);
  }
  return s;
}

/* ---- terms ---- */

typedef struct terms {
  const ir_expr **at;
  size_t n;
  size_t room;
} terms;

static void push(const discrete *s, const ir_expr *e, terms *list)
{
  list->at = arena_grow(ir_context_arena(s->c), list->at, list->n, &list->room, sizeof *list->at);
  list->at[list->n++] = e;
}

static const ir_expr *discrete_gradient_sum_of(const discrete *s, const terms *list)
{
  return ir_add(s->c, (int)list->n, list->at);
}

/* The only factor of a product that reads the state, if this factor is a sum; else NULL. */
static const ir_expr *sum_in(ir_context *c, const ir_expr *e)
{
  const ir_expr *found = NULL;
  for (int i = 0; i < e->n; i++) {
    const ir_expr *base = e->factors[i].base;
    if (!ir_reads_state(c, base)) {
      continue;
    }
    if (found || base->kind != IR_SUM || !rational_is_one(e->factors[i].exponent)) {
      return NULL;
    }
    found = base;
  }
  return found;
}

/* Adds the terms of factor * e.  A sum is split even if constants multiply it. */
static void discrete_gradient_split(const discrete *s, const ir_expr *factor, const ir_expr *e,
                                    terms *list)
{
  ir_context *c = s->c;
  const ir_expr *sum = e->kind == IR_SUM ? e : e->kind == IR_PRODUCT ? sum_in(c, e) : NULL;
  if (!sum) {
    push(s, ir_times(c, factor, e), list);
    return;
  }
  if (sum != e) {
    factor = ir_times(c, factor, ir_times(c, e, ir_power(c, sum, -1, 1)));
  }
  for (int i = 0; i < sum->n; i++) {
    discrete_gradient_split(s, ir_scale(c, sum->terms[i].coefficient, factor), sum->terms[i].node,
                            list);
  }
}

/* ---- the formulas ---- */

static void discrete_gradient_add_to(const discrete *s, const ir_expr *factor,
                                     const ir_expr *const more[], const ir_expr *out[])
{
  for (int i = 0; i < s->dim; i++) {
    out[i] = ir_is_zero(more[i]) ? out[i] : ir_plus(s->c, out[i], ir_times(s->c, factor, more[i]));
  }
}

/* The midpoint formula for e in the inputs marked by `in`, of n inputs, from their values at both
 * states. */
static void midpoint_formula(const discrete *s, int n, const char in[], const ir_expr *e,
                             const ir_expr *out[])
{
  ir_context *c = s->c;
  const ir_expr **secant = s->secant;
  terms along = {0};
  terms square = {0};
  ir_secants(c, n, s->from, s->to, e, secant);
  gradient_in_middle(s, n, e, out);
  for (int i = 0; i < n; i++) {
    if (in[i]) {
      const ir_expr *w = ir_minus(c, s->to[i], s->from[i]);
      push(s, ir_times(c, ir_minus(c, secant[i], out[i]), w), &along);
      push(s, ir_power(c, w, 2, 1), &square);
    }
  }
  const ir_expr *factor =
      ir_over(c, ir_apply(c, IR_HOLD, discrete_gradient_sum_of(s, &along), NULL),
              discrete_gradient_sum_of(s, &square));
  for (int i = 0; i < n; i++) {
    if (in[i]) {
      out[i] = ir_plus(c, out[i], ir_times(c, factor, ir_minus(c, s->to[i], s->from[i])));
    }
  }
}

/* Adds the discrete gradient of a function that reads named functions only, marked in s->reads: a
 * discrete gradient in their space, times their gradients.  Returns the number of names that e
 * reads. */
static int discrete_gradient_add_named(const discrete *s, const ir_expr *e, const ir_expr *out[])
{
  const ir_expr **by_name = s->by_name;
  const char *reads = s->reads;
  int names = 0;
  for (int i = s->dim; i < s->all; i++) {
    names += reads[i];
  }
  if (names == 1) {
    ir_secants(s->c, s->all, s->from, s->to, e, by_name);
  } else {
    midpoint_formula(s, s->all, reads, e, by_name);
  }
  for (int i = s->dim; i < s->all; i++) {
    if (reads[i]) {
      discrete_gradient_add_to(s, by_name[i], s->slope[i - s->dim], out);
    }
  }
  return names;
}

/* Terms whose midpoint formulas use the same entries of the state; one formula covers their sum. */
typedef struct group {
  char *in;
  terms list;
} group;

typedef struct groups {
  group *at;
  size_t n;
  size_t room;
} groups;

/* Widens the entries that a term reads to the entries of its midpoint formula.  These are the
 * positions, the momenta, or both, of all degrees of freedom that the term reads.  Positions or
 * momenta are included only if the term reads at least one of that kind. */
static void widen(const discrete *s, char reads[])
{
  const size_t d = (size_t)s->dim / 2;
  const int positions = memchr(reads, 1, d) != NULL;
  const int momenta = memchr(reads + d, 1, d) != NULL;
  for (size_t i = 0; i < d; i++) {
    const int is_read = reads[i] | reads[d + i];
    reads[i] = (char)(is_read & positions);
    reads[d + i] = (char)(is_read & momenta);
  }
}

static void push_grouped(const discrete *s, const ir_expr *e, groups *list)
{
  const size_t dim = (size_t)s->dim;
  size_t i = 0;
  ir_inputs_read(s->c, IR_Z, s->dim, e, s->reads);
  widen(s, s->reads);
  while (i < list->n && memcmp(list->at[i].in, s->reads, dim) != 0) {
    i++;
  }
  if (i == list->n) {
    arena *a = ir_context_arena(s->c);
    list->at = arena_grow(a, list->at, list->n, &list->room, sizeof *list->at);
    list->at[list->n++] = (group){.in = ARENA_ARRAY(a, dim + 1, char)};
    memcpy(list->at[i].in, s->reads, dim);
  }
  push(s, e, &list->at[i].list);
}

/* Adds one term: e with names, `plain` without.  A function of names alone or of one inner
 * expression is added to out; any other term goes to `others` for later. */
static void discrete_gradient_add_term(const discrete *s, const ir_expr *e, const ir_expr *plain,
                                       ir_inners *inners, groups *others, ir_discrete_terms *count,
                                       const ir_expr *out[])
{
  ir_inputs_read(s->c, IR_Z, s->all, e, s->reads);
  if (!memchr(s->reads, 1, (size_t)s->dim)) {
    int names = discrete_gradient_add_named(s, e, out);
    count->of_one += names == 1;
    count->of_several += names > 1;
  } else if (ir_inner(inners, plain)) {
    ir_secants(s->c, s->dim, s->from, s->to, plain, s->part);
    discrete_gradient_add_to(s, ir_integer(s->c, 1), s->part, out);
    count->of_inner++;
  } else {
    push_grouped(s, plain, others);
    count->others++;
  }
}

/* Splits f into terms: `named` with names, `plain` without.  Returns their number. */
static size_t discrete_gradient_terms_of(const discrete *s, const ir_expr *f, terms *named,
                                         terms *plain)
{
  discrete_gradient_split(s, ir_integer(s->c, 1), f, named);
  ir_substitution *names = ir_substitution_create(s->c, IR_Z, s->plain);
  for (size_t t = 0; t < named->n; t++) {
    push(s, ir_substituted(names, named->at[t]), plain);
  }
  ir_substitution_free(names);
  return named->n;
}

/* out = Df, 2d components.  Adds the counts of terms to *count. */
static void discrete_gradient(const discrete *s, const ir_expr *f, ir_discrete_terms *count,
                              const ir_expr *out[])
{
  const ir_expr *one = ir_integer(s->c, 1);
  terms named = {0};
  terms plain = {0};
  terms quadratic = {0};
  groups others = {0};
  const size_t n = discrete_gradient_terms_of(s, f, &named, &plain);
  const size_t nodes = ir_context_size(s->c);
  ir_inners inners = {s->c, ir_zeros(nodes, 1), ir_zeros(nodes, 1),
                      ir_zeros(nodes, sizeof(const ir_expr *))};
  for (int i = 0; i < s->dim; i++) {
    out[i] = ir_integer(s->c, 0);
  }
  for (size_t t = 0; t < n; t++) {
    if (ir_degree(&inners, plain.at[t]) <= 2) {
      push(s, plain.at[t], &quadratic);
    } else {
      discrete_gradient_add_term(s, named.at[t], plain.at[t], &inners, &others, count, out);
    }
  }
  free(inners.degree);
  free(inners.seen);
  free(inners.inner);
  count->quadratic += (int)quadratic.n;
  gradient_in_middle(s, s->dim, discrete_gradient_sum_of(s, &quadratic), s->part);
  discrete_gradient_add_to(s, one, s->part, out);
  for (size_t i = 0; i < others.n; i++) {
    midpoint_formula(s, s->dim, others.at[i].in, discrete_gradient_sum_of(s, &others.at[i].list),
                     s->part);
    discrete_gradient_add_to(s, one, s->part, out);
  }
}

/* ---- functions ---- */

static void discrete_gradient_constraints(const discrete *s, const ir_named_model *m, ir_program *p)
{
  ir_context *c = s->c;
  arena *a = ir_context_arena(c);
  ir_function *jac = &p->functions[IR_DISCRETE_JAC];
  const ir_expr **row = array(s, s->dim);
  const ir_expr **sum = array(s, s->dim);
  size_t room = 0;
  *jac = (ir_function){.rows = p->nc, .cols = s->dim};
  for (int i = 0; i < s->dim; i++) {
    sum[i] = ir_integer(c, 0);
  }
  for (int i = 0; i < p->nc; i++) {
    discrete_gradient(s, m->g[i], &p->structure.discrete_g, row);
    discrete_gradient_add_to(s, ir_input(c, IR_LAMBDA, i), row, sum);
    for (int j = 0; j < s->dim; j++) {
      if (!ir_is_zero(row[j])) {
        jac->entries = arena_grow(a, jac->entries, (size_t)jac->n, &room, sizeof *jac->entries);
        jac->entries[jac->n++] = (ir_entry){i, j, row[j]};
      }
    }
  }
  const ir_function sums = ir_vector(c, s->dim, sum);
  p->functions[IR_DISCRETE_JAC_NEXT] = ir_jacobian(c, &sums, IR_NEXT, s->dim);
}

void ir_discrete(ir_context *c, const ir_named_model *m, ir_program *p)
{
  const discrete s = discrete_gradient_begin(c, 2 * p->nq, m->n, m->values);
  const ir_expr **slopes = array(&s, s.dim);
  discrete_gradient(&s, m->H, &p->structure.discrete_H, slopes);
  p->functions[IR_DISCRETE_GRAD] = ir_vector(c, s.dim, slopes);
  p->functions[IR_DISCRETE_GRAD_NEXT] =
      ir_jacobian(c, &p->functions[IR_DISCRETE_GRAD], IR_NEXT, s.dim);
  if (p->nc > 0) {
    discrete_gradient_constraints(&s, m, p);
  }
}

void ir_discrete_kernel(ir_context *c, const ir_named_formula *f, ir_function *gradient,
                        ir_function *next, ir_discrete_terms *count)
{
  const discrete s = discrete_gradient_begin(c, f->dim, f->n, f->values);
  const ir_expr **slopes = array(&s, s.dim);
  discrete_gradient(&s, f->value, count, slopes);
  const ir_function all = ir_vector(c, s.dim, slopes);
  *next = ir_jacobian(c, &all, IR_NEXT, s.dim);
  *gradient = (ir_function){s.dim, 0, 0, all.entries};
  for (int i = 0; i < s.dim; i++) {
    if (!ir_is_zero(slopes[i])) {
      gradient->entries[gradient->n++] = (ir_entry){i, 0, slopes[i]};
    }
  }
}
