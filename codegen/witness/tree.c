/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/tree.h"

#include <string.h>

#include "model/model_limits.h"

/* Formulas within formulas: what the stack has room for, with and without instruments. */
enum { TREE_MAX_DEPTH = 4000 };

/* ---- indices, conditions, sets ---- */

static long size_value(const tree *t, const model_size *size)
{
  int i = 0;
  while (t->sizes && t->model->sizes[i] != size) {
    i++;
  }
  return t->sizes ? t->sizes[i] : size->value;
}

long tree_index(const tree *t, const model_index *index)
{
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return index->value;
  case INDEX_SIZE:
    return size_value(t, index->size);
  case INDEX_VARIABLE:
    return t->environment[index->binder->slot];
  case INDEX_NEG:
    return -tree_index(t, index->a);
  case INDEX_ADD:
  case INDEX_SUB:
  case INDEX_MUL:
    break;
  }
  long a = tree_index(t, index->a);
  long b = tree_index(t, index->b);
  return index->kind == INDEX_ADD ? a + b : index->kind == INDEX_SUB ? a - b : a * b;
}

static int holds(const tree *t, const model_condition *c)
{
  if (!c) {
    return 1;
  }
  switch (c->kind) {
  case CONDITION_AND:
    return holds(t, c->a) && holds(t, c->b);
  case CONDITION_OR:
    return holds(t, c->a) || holds(t, c->b);
  case CONDITION_NOT:
    return !holds(t, c->a);
  default:
    break;
  }
  long difference = tree_index(t, c->left) - tree_index(t, c->right);
  return (c->kind == CONDITION_EQ && difference == 0) ||
         (c->kind == CONDITION_NE && difference != 0) ||
         (c->kind == CONDITION_LT && difference < 0) ||
         (c->kind == CONDITION_LE && difference <= 0) ||
         (c->kind == CONDITION_GT && difference > 0) ||
         (c->kind == CONDITION_GE && difference >= 0);
}

long tree_first(const tree *t, const model_set *set)
{
  return set->is_range ? tree_index(t, set->lower) : 0;
}

long tree_count(const tree *t, const model_set *set)
{
  if (!set->is_range) {
    return set->count;
  }
  long n = tree_index(t, set->upper) - tree_first(t, set) + 1;
  return n > 0 ? n : 0;
}

static tree_instances instances_of(tree *t, int n, const model_binder *const binders[],
                                   const model_condition *condition)
{
  tree_instances i = {t, n, binders, condition, 0, 1, -1};
  for (int j = 0; j < n; j++) {
    i.all *= tree_count(t, binders[j]->set);
  }
  return i;
}

int tree_next(tree_instances *i)
{
  while (i->next < i->all && jets_afford(i->t->arithmetic, 1)) {
    long rest = i->next++;
    for (int j = i->n - 1; j >= 0; j--) {
      const model_set *set = i->binders[j]->set;
      long count = tree_count(i->t, set);
      i->t->environment[i->binders[j]->slot] = tree_first(i->t, set) + rest % count;
      rest /= count;
    }
    if (holds(i->t, i->condition)) {
      i->number++;
      return 1;
    }
  }
  return 0;
}

long tree_shape_count(const tree *t, const model_shape *shape)
{
  long n = 1;
  for (int j = 0; j < shape->n; j++) {
    n *= tree_count(t, shape->sets[j]);
  }
  return n;
}

long tree_place(const tree *t, const model_shape *shape, const model_index *const index[])
{
  long place = 0;
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    place = place * tree_count(t, set) + tree_index(t, index[j]) - tree_first(t, set);
  }
  return place;
}

long tree_coordinate_start(const tree *t, const model_coordinate *coordinate)
{
  const model *m = t->model;
  long start = 0;
  for (int i = 0; i < m->n_coordinates && m->coordinates[i] != coordinate; i++) {
    start += tree_shape_count(t, &m->coordinates[i]->shape);
  }
  return start;
}

long tree_parameter_start(const tree *t, const model_parameter *parameter)
{
  const model *m = t->model;
  long start = 0;
  for (int i = 0; i < m->n_parameters && m->parameters[i] != parameter; i++) {
    start += tree_shape_count(t, &m->parameters[i]->shape);
  }
  return start;
}

long tree_coordinates_count(const tree *t)
{
  return tree_coordinate_start(t, NULL);
}

long tree_parameters_count(const tree *t)
{
  return tree_parameter_start(t, NULL);
}

tree tree_create(arena *a, const model *m, jets *arithmetic)
{
  return (tree){.model = m,
                .arithmetic = arithmetic,
                .environment = ARENA_ARRAY(a, m->n_slots + 1, long),
                .let_orders = ARENA_ARRAY(a, m->n_lets + 1, int)};
}

/* ---- families ---- */

tree_instances tree_sum(tree *t, const model_expr *e)
{
  return instances_of(t, e->n_binders, e->binders, e->condition);
}

tree_instances tree_family(tree *t, const model_family *family)
{
  return instances_of(t, family->n_binders, family->binders, family->condition);
}

long tree_families_count(tree *t, int n, const model_family *const families[])
{
  long count = 0;
  for (int f = 0; f < n; f++) {
    tree_instances each = tree_family(t, families[f]);
    while (tree_next(&each)) {
      count++;
    }
  }
  return count;
}

/* The number among all constraints of the instance that a reference names; -1 where the filter leaves it
 * out.  The variables of the family are set to its indices. */
static long constraint_number(tree *t, const model_expr *e)
{
  long wanted[MODEL_MAX_BINDERS];
  long before = 0;
  const model_family *family = e->family;
  for (int j = 0; j < e->n_index; j++) {
    wanted[j] = tree_index(t, e->index[j]);
  }
  for (int i = 0; t->model->constraints[i] != family; i++) {
    before += tree_families_count(t, 1, &t->model->constraints[i]);
  }
  tree_instances each = tree_family(t, family);
  while (tree_next(&each)) {
    int same = 1;
    for (int j = 0; j < family->n_binders; j++) {
      same = same && t->environment[family->binders[j]->slot] == wanted[j];
    }
    if (same) {
      return before + each.number;
    }
  }
  return -1;
}

/* ---- expressions ---- */

static jet *number(tree *t, const model_expr *e)
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

static jet *entry(tree *t, const model_expr *e)
{
  if (e->kind == EXPR_PARAMETER) {
    long start = tree_parameter_start(t, e->parameter);
    return jet_number(t->arithmetic, t->k + start + tree_place(t, &e->parameter->shape, e->index));
  }
  long place =
      tree_coordinate_start(t, e->coordinate) + tree_place(t, &e->coordinate->shape, e->index);
  place += e->kind == EXPR_MOMENTUM ? tree_coordinates_count(t) : 0;
  return jet_variable(t->arithmetic, (int)place, &t->z[place]);
}

/* a + b - c + ..., which leans to the left and may have thousands of terms. */
static jet *chain(tree *t, const model_expr *e)
{
  jet_total total;
  jet_total_open(&total);
  for (; e->kind == EXPR_ADD || e->kind == EXPR_SUB; e = e->a) {
    size_t mark = t->arithmetic->n_made;
    jet *term = tree_value(t, e->b);
    jet_total_add(t->arithmetic, &total,
                  e->kind == EXPR_ADD ? term : jet_negative(t->arithmetic, term));
    jets_release(t->arithmetic, mark);
  }
  size_t mark = t->arithmetic->n_made;
  jet_total_add(t->arithmetic, &total, tree_value(t, e));
  jets_release(t->arithmetic, mark);
  return jet_total_close(t->arithmetic, &total);
}

static jet *unit(tree *t)
{
  arb_t value;
  arb_init(value);
  arb_one(value);
  jet *result = jet_number(t->arithmetic, value);
  arb_clear(value);
  return result;
}

/* a * b / c * ..., likewise. */
static jet *factors(tree *t, const model_expr *e)
{
  jet *above = unit(t);
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
    size_t mark = t->arithmetic->n_made;
    jet_total_add(t->arithmetic, &total, tree_value(t, e->a));
    jets_release(t->arithmetic, mark);
  }
  return jet_total_close(t->arithmetic, &total);
}

static jet *product(tree *t, const model_expr *e)
{
  jet *result = unit(t);
  tree_instances each = tree_sum(t, e);
  while (tree_next(&each)) {
    result = jet_product(t->arithmetic, result, tree_value(t, e->a));
  }
  return result;
}

/* How many orders a formula asks for beyond its own, for the brackets in it, lets followed. */
static int bracket_orders(tree *t, const model_expr *e);

static int let_orders(tree *t, const model_let *let)
{
  int i = 0;
  while (t->model->lets[i] != let) {
    i++;
  }
  if (!t->let_orders[i]) {
    t->let_orders[i] = 1 + bracket_orders(t, let->body);
  }
  return t->let_orders[i] - 1;
}

static int larger(int a, int b)
{
  return a > b ? a : b;
}

static int bracket_orders(tree *t, const model_expr *e)
{
  int n = 0;
  for (; e; e = e->a) {
    n = larger(n, e->b ? bracket_orders(t, e->b) : 0);
    if (e->kind == EXPR_LET) {
      n = larger(n, let_orders(t, e->let));
      for (int j = 0; j < e->let->n_arguments; j++) {
        n = larger(n, bracket_orders(t, e->arguments[j].value));
      }
    }
    if (e->kind == EXPR_BRACKET) {
      return larger(n, 1 + larger(bracket_orders(t, e->a), bracket_orders(t, e->b)));
    }
  }
  return n;
}

/* Arguments are evaluated where the let is called, before its own variables are set, to the order that the
 * brackets in its body ask for. */
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
  jet_total total;
  jet_total_open(&total);
  for (int i = 0; i < t->model->n_terms; i++) {
    const model_family *term = t->model->terms[i];
    tree_instances each = tree_family(t, term);
    while (tree_next(&each)) {
      size_t mark = t->arithmetic->n_made;
      jet_total_add(t->arithmetic, &total, tree_value(t, term->body));
      jets_release(t->arithmetic, mark);
    }
  }
  return jet_total_close(t->arithmetic, &total);
}

static jet *constraint(tree *t, const model_expr *e)
{
  return constraint_number(t, e) < 0 ? jet_zero(t->arithmetic) : tree_value(t, e->family->body);
}

static jet *multiplier(tree *t, const model_expr *e)
{
  long i = constraint_number(t, e);
  if (i < 0 || !t->lambda) {
    jets_trouble(t->arithmetic, "there is no such multiplier");
    return jet_zero(t->arithmetic);
  }
  return jet_number(t->arithmetic, t->lambda + i);
}

static jet *bracket(tree *t, const model_expr *e)
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

static jet *call(tree *t, const model_expr *e)
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
    return number(t, e);
  case EXPR_PARAMETER:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
    return entry(t, e);
  case EXPR_ADD:
  case EXPR_SUB:
    return chain(t, e);
  case EXPR_MUL:
  case EXPR_DIV:
    return factors(t, e);
  case EXPR_NEG:
  case EXPR_POW:
  case EXPR_CALL:
    return call(t, e);
  case EXPR_SUM:
    return sum(t, e);
  case EXPR_PRODUCT:
    return product(t, e);
  case EXPR_LET:
    return let(t, e);
  case EXPR_ARGUMENT:
    return t->arguments[e->argument];
  case EXPR_HAMILTONIAN:
    return tree_hamiltonian(t);
  case EXPR_CONSTRAINT:
    return constraint(t, e);
  case EXPR_BRACKET:
    return bracket(t, e);
  case EXPR_MULTIPLIER:
    return multiplier(t, e);
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

/* ---- arrays ---- */

tree_instances tree_array(tree *t, const model_values *values)
{
  return instances_of(t, values->n_binders, values->binders, NULL);
}

const model_expr *tree_array_value(const model_values *values, const tree_instances *at)
{
  return values->body ? values->body : values->table[at->number];
}

/* ---- names ---- */

static const char *add_element(arena *a, const char *name, const model_set *set, long value)
{
  return set->is_range ? arena_printf(a, "%s.%ld", name, value)
                       : arena_printf(a, "%s.%s", name, set->labels[value]);
}

const char *tree_entry_name(arena *a, const tree *t, const char *name, const model_shape *shape,
                            long place)
{
  long stride = tree_shape_count(t, shape);
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    long count = tree_count(t, set);
    stride /= count;
    name = add_element(a, name, set, tree_first(t, set) + place / stride % count);
  }
  return name;
}

const char *tree_instance_name(arena *a, const model_family *family, const tree_instances *at)
{
  const char *name = family->name;
  for (int j = 0; j < family->n_binders; j++) {
    const model_binder *binder = family->binders[j];
    name = add_element(a, name, binder->set, at->t->environment[binder->slot]);
  }
  return name;
}
