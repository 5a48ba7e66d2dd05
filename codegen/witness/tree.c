/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "witness/tree.h"

/* Limit on nested formulas, for which the stack suffices with and without sanitizers. */
enum { TREE_MAX_DEPTH = 4000 };

/* Limit on the number of coupled velocities. */
enum { MOST_VELOCITIES = 80 };

tree tree_create(arena *a, const model *m, jets *arithmetic)
{
  return (tree){.model = m,
                .arithmetic = arithmetic,
                .environment = ARENA_ARRAY(a, m->n_slots + 1, long),
                .let_orders = ARENA_ARRAY(a, m->n_lets + 1, int)};
}

/* Number of the instance that a reference names, in its family of constraints or invariants; -1 if
 * the filter excludes it. Sets the variables of the family to the instance's indices. */
static long instance_number(tree *t, const model_expr *e)
{
  long wanted[MODEL_MAX_BINDERS] = {0};
  const model_family *family = e->family;
  for (int j = 0; j < e->n_index; j++) {
    wanted[j] = tree_index(t, e->index[j]);
  }
  tree_instances each = tree_family(t, family);
  while (tree_next(&each)) {
    int same = 1;
    for (int j = 0; j < family->n_binders; j++) {
      same = same && t->environment[family->binders[j]->slot] == wanted[j];
    }
    if (same) {
      return each.number;
    }
  }
  return -1;
}

/* ---- models that are given by a Lagrangian ---- */

/* Adds the value of e, or its negative, to the total. */
static void add_value(tree *t, jet_total *total, const model_expr *e, int is_negative)
{
  size_t mark = t->arithmetic->n_made;
  const jet *value = tree_value(t, e);
  jet_total_add(t->arithmetic, total, is_negative ? jet_negative(t->arithmetic, value) : value);
  jets_release(t->arithmetic, mark);
}

/* Sum of the model file's terms of H or L. */
static jet *terms(tree *t)
{
  jet_total total;
  jet_total_open(&total);
  for (int i = 0; i < t->model->n_terms; i++) {
    const model_family *term = t->model->terms[i];
    tree_instances each = tree_family(t, term);
    while (tree_next(&each)) {
      add_value(t, &total, term->body, 0);
    }
  }
  return jet_total_close(t->arithmetic, &total);
}

jet *tree_lagrangian(tree *t)
{
  int outside = t->in_lagrangian;
  t->in_lagrangian = 1;
  jet *L = terms(t);
  t->in_lagrangian = outside;
  return L;
}

/* L about v = 0, to two orders more than requested. Returns NULL, and records trouble, if that is
 * not possible. */
static const jet *at_rest(tree *t)
{
  int d = (int)tree_coordinates_count(t);
  if (d > MOST_VELOCITIES || t->arithmetic->order + 2 > JET_MAX_ORDER) {
    jets_trouble(t->arithmetic, d > MOST_VELOCITIES ? "it has too many velocities"
                                                    : "brackets are nested too deep");
    return NULL;
  }
  arb_ptr z = t->z;
  arb_ptr still = _arb_vec_init(2 * d);
  char *moves = tree_moving(t);
  for (int i = 0; i < 2 * d; i++) {
    if (!moves[i]) {
      arb_set(still + i, z + i);
    }
  }
  flint_free(moves);
  t->z = still;
  t->arithmetic->order += 2;
  jet *L = tree_lagrangian(t);
  t->arithmetic->order -= 2;
  t->z = z;
  _arb_vec_clear(still, 2 * d);
  return t->arithmetic->trouble ? NULL : L;
}

/* All velocities, in an array that the caller frees; NULL if they are unknown. The environment is
 * saved, because L may contain the let that needs the velocities, and this let has index variables
 * of its own. */
static jet **velocities(tree *t)
{
  size_t size = ((size_t)t->model->n_slots + 1) * sizeof *t->environment;
  long *environment = flint_malloc(size);
  memcpy(environment, t->environment, size);
  const jet *L = at_rest(t);
  jet **v = L ? tree_velocities(t, L) : NULL;
  memcpy(t->environment, environment, size);
  flint_free(environment);
  return v;
}

/* An entry of v as a function of positions and momenta, where L_v = p. */
static jet *tree_velocity(tree *t, long place)
{
  if (t->velocity) {
    return t->velocity[place];
  }
  jet **v = velocities(t);
  jet *result = v ? v[place] : jet_zero(t->arithmetic);
  flint_free(v);
  return result;
}

/* L as a function of positions and momenta. */
static jet *lagrangian_there(tree *t)
{
  if (t->in_lagrangian || t->velocity) {
    return terms(t);
  }
  t->velocity = velocities(t);
  jet *L = t->velocity ? terms(t) : jet_zero(t->arithmetic);
  flint_free(t->velocity);
  t->velocity = NULL;
  return L;
}

/* ---- expressions ---- */

static jet *tree_number(tree *t, const model_expr *e)
{
  arb_t value;
  fmpq_t exact;
  arb_init(value);
  fmpq_init(exact);
  if (e->kind == EXPR_NUMBER) {
    fmpq_set_mpq(exact, e->number);
    arb_set_fmpq(value, exact, t->arithmetic->precision);
  } else if (e->kind == EXPR_PI) {
    arb_const_pi(value, t->arithmetic->precision);
  } else {
    arb_set_si(value, tree_index(t, e->index[0]));
  }
  jet *result = jet_number(t->arithmetic, value);
  fmpq_clear(exact);
  arb_clear(value);
  return result;
}

static jet *tree_entry(tree *t, const model_expr *e)
{
  if (e->kind == EXPR_PARAMETER) {
    long start = tree_parameter_start(t, e->parameter);
    return jet_number(t->arithmetic, t->k + start + tree_place(t, &e->parameter->shape, e->index));
  }
  long place =
      tree_coordinate_start(t, e->coordinate) + tree_place(t, &e->coordinate->shape, e->index);
  if (e->kind == EXPR_VELOCITY && !t->in_lagrangian) {
    return tree_velocity(t, place);
  }
  place += e->kind == EXPR_POSITION ? 0 : tree_coordinates_count(t);
  return jet_variable(t->arithmetic, (int)place, t->z + place);
}

/* a + b - c + ...: a left-leaning tree that may have thousands of terms, hence the loop. */
static jet *tree_chain(tree *t, const model_expr *e)
{
  jet_total total;
  jet_total_open(&total);
  for (; e->kind == EXPR_ADD || e->kind == EXPR_SUB; e = e->a) {
    add_value(t, &total, e->b, e->kind == EXPR_SUB);
  }
  add_value(t, &total, e, 0);
  return jet_total_close(t->arithmetic, &total);
}

/* a * b / c * ...: a left-leaning tree, too long for recursion as well. */
static jet *factors(tree *t, const model_expr *e)
{
  jet *above = jet_double(t->arithmetic, 1.0);
  jet *below = NULL;
  for (; e->kind == EXPR_MUL || e->kind == EXPR_DIV; e = e->a) {
    jet *factor = tree_value(t, e->b);
    if (e->kind == EXPR_MUL) {
      above = jet_product(t->arithmetic, above, factor);
    } else {
      below = below ? jet_product(t->arithmetic, below, factor) : factor;
    }
  }
  above = jet_product(t->arithmetic, tree_value(t, e), above);
  return below ? jet_quotient(t->arithmetic, above, below) : above;
}

static jet *sum(tree *t, const model_expr *e)
{
  jet_total total;
  tree_instances each = tree_sum(t, e);
  jet_total_open(&total);
  while (tree_next(&each)) {
    add_value(t, &total, e->a, 0);
  }
  return jet_total_close(t->arithmetic, &total);
}

static jet *tree_product(tree *t, const model_expr *e)
{
  jet *result = jet_double(t->arithmetic, 1.0);
  tree_instances each = tree_sum(t, e);
  while (tree_next(&each)) {
    result = jet_product(t->arithmetic, result, tree_value(t, e->a));
  }
  return result;
}

/* Number of additional orders that the brackets in a formula need, including the brackets in its
 * lets. */
static int bracket_orders(tree *t, const model_expr *e);

static int let_orders(tree *t, const model_let *let)
{
  int *orders = &t->let_orders[let->number];
  if (!*orders) {
    *orders = 1 + bracket_orders(t, let->body);
  }
  return *orders - 1;
}

static int tree_larger(int a, int b)
{
  return a > b ? a : b;
}

static int bracket_orders(tree *t, const model_expr *e)
{
  int n = 0;
  for (; e; e = e->a) {
    n = tree_larger(n, e->b ? bracket_orders(t, e->b) : 0);
    if (e->kind == EXPR_LET) {
      n = tree_larger(n, let_orders(t, e->let));
      for (int j = 0; j < e->let->n_arguments; j++) {
        n = tree_larger(n, bracket_orders(t, e->arguments[j].value));
      }
    }
    if (e->kind == EXPR_CONSTRAINT) {
      n = tree_larger(n, bracket_orders(t, e->family->body));
    }
    if (e->kind == EXPR_BRACKET) {
      return tree_larger(n, 1 + tree_larger(bracket_orders(t, e->a), bracket_orders(t, e->b)));
    }
  }
  return n;
}

/* Evaluates a let. Arguments are evaluated in the caller's environment, before the let's own
 * variables are set, to the order that the brackets in its body need. */
static jet *let(tree *t, const model_expr *e)
{
  jet *values[MODEL_MAX_ARGUMENTS];
  long indices[MODEL_MAX_ARGUMENTS];
  jet **outer = t->arguments;
  int order = t->arithmetic->order;
  int wanted = order + let_orders(t, e->let);
  t->arithmetic->order = wanted < JET_MAX_ORDER ? wanted : JET_MAX_ORDER;
  for (int j = 0; j < e->let->n_arguments; j++) {
    const model_argument *argument = &e->arguments[j];
    values[j] = tree_value(t, argument->value);
    indices[j] = argument->index ? tree_index(t, argument->index) : 0;
  }
  t->arithmetic->order = order;
  for (int j = 0; j < e->let->n_arguments; j++) {
    t->environment[e->let->arguments[j]->slot] = indices[j];
  }
  t->arguments = values;
  jet *result = tree_value(t, e->let->body);
  t->arguments = outer;
  return result;
}

jet *tree_hamiltonian(tree *t)
{
  if (!t->model->lagrangian_name) {
    return terms(t);
  }
  const jet *L = at_rest(t);
  return L ? tree_energy(t, L) : jet_zero(t->arithmetic);
}

void tree_constraints(tree *t, const jet *g[])
{
  int i = 0;
  for (int f = 0; f < t->model->n_constraints; f++) {
    tree_instances each = tree_family(t, t->model->constraints[f]);
    while (tree_next(&each)) {
      g[i++] = tree_value(t, t->model->constraints[f]->body);
    }
  }
}

jet *tree_combined(tree *t, int n, const jet *const g[])
{
  jet_total total;
  jet_total_open(&total);
  for (int i = 0; i < n && !t->arithmetic->trouble; i++) {
    size_t mark = t->arithmetic->n_made;
    const jet *lambda = jet_number(t->arithmetic, t->lambda + i);
    jet_total_add(t->arithmetic, &total, jet_product(t->arithmetic, lambda, g[i]));
    jets_release(t->arithmetic, mark);
  }
  return jet_total_close(t->arithmetic, &total);
}

/* The multiplier of a constraint at the point, or its impulse: -lambda at the points of the
 * table. */
static jet *tree_lambda(tree *t, const model_expr *e)
{
  long i = instance_number(t, e);
  if (i < 0 || !t->lambda) {
    jets_trouble(t->arithmetic, "there is no such constraint");
    return jet_zero(t->arithmetic);
  }
  for (int f = 0; t->model->constraints[f] != e->family; f++) {
    i += tree_families_count(t, 1, &t->model->constraints[f]);
  }
  jet *lambda = jet_number(t->arithmetic, t->lambda + i);
  return e->kind == EXPR_IMPULSE ? jet_negative(t->arithmetic, lambda) : lambda;
}

static jet *tree_bracket(tree *t, const model_expr *e)
{
  jets *arithmetic = t->arithmetic;
  if (arithmetic->order == JET_MAX_ORDER) {
    jets_trouble(arithmetic, "brackets are nested too deep");
    return jet_zero(arithmetic);
  }
  arithmetic->order++;
  const jet *a = tree_value(t, e->a);
  const jet *b = tree_value(t, e->b);
  arithmetic->order--;
  return jet_bracket(arithmetic, a, b, (int)tree_coordinates_count(t));
}

static jet *tree_call(tree *t, const model_expr *e)
{
  const jet *a = tree_value(t, e->a);
  const jet *b = e->b ? tree_value(t, e->b) : NULL;
  if (e->kind == EXPR_NEG) {
    return jet_negative(t->arithmetic, a);
  }
  return e->kind == EXPR_POW ? jet_power(t->arithmetic, a, b)
                             : jet_call(t->arithmetic, e->function, a, b);
}

static jet *value(tree *t, const model_expr *e)
{
  switch (e->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
  case EXPR_INDEX:
    return tree_number(t, e);
  case EXPR_PARAMETER:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
  case EXPR_VELOCITY:
    return tree_entry(t, e);
  case EXPR_ADD:
  case EXPR_SUB:
    return tree_chain(t, e);
  case EXPR_MUL:
  case EXPR_DIV:
    return factors(t, e);
  case EXPR_NEG:
  case EXPR_POW:
  case EXPR_CALL:
    return tree_call(t, e);
  case EXPR_SUM:
    return sum(t, e);
  case EXPR_PRODUCT:
    return tree_product(t, e);
  case EXPR_LET:
    return let(t, e);
  case EXPR_ARGUMENT:
    return t->arguments[e->argument];
  case EXPR_HAMILTONIAN:
    return tree_hamiltonian(t);
  case EXPR_LAGRANGIAN:
    return lagrangian_there(t);
  case EXPR_CONSTRAINT:
    /* or an invariant; 0 if the filter excludes the instance */
    return instance_number(t, e) < 0 ? jet_zero(t->arithmetic) : tree_value(t, e->family->body);
  case EXPR_BRACKET:
    return tree_bracket(t, e);
  case EXPR_MULTIPLIER:
  case EXPR_IMPULSE:
    return tree_lambda(t, e);
  }
  jets_trouble(t->arithmetic, "it has a formula that is not known here");
  return jet_zero(t->arithmetic);
}

jet *tree_value(tree *t, const model_expr *e)
{
  if (t->depth == TREE_MAX_DEPTH) {
    jets_trouble(t->arithmetic, "its formulas are nested too deep");
  }
  if (!jets_afford(t->arithmetic, 1)) {
    return jet_zero(t->arithmetic);
  }
  t->depth++;
  jet *result = value(t, e);
  t->depth--;
  return result;
}
