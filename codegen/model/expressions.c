/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expressions.c -- formulas: every name looked up, every index checked for its kind.
 *
 * Whether indices lie in their ranges is found later, in ranges.c, where lets are followed.
 */
#include <string.h>

#include "model/checker.h"

static const checked failed = {NULL, NULL, 0, 0};

/* What a name in a formula can be, for suggestions. */
enum {
  VALUE_KINDS = 1 << NAME_SIZE | 1 << NAME_PARAMETER | 1 << NAME_POSITION | 1 << NAME_MOMENTUM |
                1 << NAME_LET | 1 << NAME_HAMILTONIAN | 1 << NAME_CONSTRAINT
};

span expressions_name_place(const syntax_expr *e)
{
  return e->kind == SYNTAX_NAME ? e->where : e->name_where;
}

model_expr *expressions_new(checker *c, model_expr_kind kind, span where)
{
  model_expr *node = ARENA_NEW(c->memory, model_expr);
  node->kind = kind;
  node->where = where;
  return node;
}

checked expressions_node(checker *c, model_expr *node, const checked *a, const checked *b)
{
  checked result = {node, NULL, 0, 1};
  if (a) {
    result.uses |= a->uses;
    result.depth = a->depth + 1;
  }
  if (b) {
    result.uses |= b->uses;
    result.depth = b->depth >= result.depth ? b->depth + 1 : result.depth;
  }
  if (result.depth > MODEL_MAX_DEPTH) {
    diagnostics_error(c->d, node->where,
                      "this formula is more than %d levels deep, with the lets that it uses",
                      MODEL_MAX_DEPTH);
    return failed;
  }
  return result;
}

int expressions_allowed(checker *c, span where, unsigned uses, const char *name)
{
  unsigned excess = uses & c->forbidden;
  if (excess & USES_MULTIPLIER) {
    diagnostics_error(c->d, where,
                      "%s cannot use multipliers: only an observable ('observe') can, "
                      "outside brackets",
                      c->what);
  } else if (excess & USES_STATE) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on a coordinate or a momentum",
                      c->what, name);
  } else if (excess) {
    diagnostics_error(c->d, where,
                      "%s cannot use '%s', which is or depends on a parameter; use a let", c->what,
                      name);
  }
  return !excess;
}

const model_index *const *expressions_indices(checker *c, const syntax_expr *e, int n,
                                              const model_set *const sets[], const char *what,
                                              const bound *inner)
{
  const model_index **index = NULL;
  int good = 1;
  int given = e->kind == SYNTAX_REFERENCE ? e->n_args : 0;
  if (given != n) {
    if (n == 0) {
      diagnostics_error(c->d, e->where, "%s has no index", what);
    } else if (given == 0) {
      diagnostics_error(c->d, e->where, "%s needs %d %s", what, n, n == 1 ? "index" : "indices");
    } else {
      diagnostics_error(c->d, e->where, "%s needs %d %s, and %d %s given", what, n,
                        n == 1 ? "index" : "indices", given, given == 1 ? "is" : "are");
    }
    return NULL;
  }
  index = ARENA_ARRAY(c->memory, n + 1, const model_index *);
  for (int j = 0; j < n; j++) {
    index[j] = indices_for_set(c, e->args[j], sets[j], inner);
    good = good && index[j];
  }
  return good ? index : NULL;
}

/* A leaf with the indices of a reference. */
static checked reference(checker *c, const syntax_expr *e, model_expr *node, const declared *d,
                         const model_shape *shape, const bound *inner)
{
  const char *kind = strchr(names_kind(d->kind), ' ') + 1; /* without its article */
  const char *what = arena_printf(c->memory, "%s '%s'", kind, d->name);
  node->n_index = shape->n;
  node->index = expressions_indices(c, e, shape->n, shape->sets, what, inner);
  return node->index ? expressions_node(c, node, NULL, NULL) : failed;
}

/* The shape that the indices of a constraint have. */
static model_shape family_shape(checker *c, const model_family *family)
{
  const model_set **sets = ARENA_ARRAY(c->memory, family->n_binders + 1, const model_set *);
  model_shape shape = {family->n_binders, sets, 0};
  for (int j = 0; j < family->n_binders; j++) {
    sets[j] = family->binders[j]->set;
  }
  return shape;
}

int expressions_declared_before(checker *c, span where, const declared *d)
{
  if (d->order < c->order) {
    return 1;
  }
  if (d->order == c->order) {
    diagnostics_error(c->d, where, "'%s' is used in its own definition", d->name);
    return 0;
  }
  diagnostics_error(c->d, where,
                    "'%s' is used before its declaration; move this statement below it", d->name);
  diagnostics_note(c->d, d->where, "'%s' is declared here", d->name);
  return 0;
}

static checked constraint(checker *c, const syntax_expr *e, model_expr_kind kind, const declared *d,
                          const bound *inner)
{
  model_expr *node = NULL;
  model_shape shape;
  checked result;
  if (!expressions_declared_before(c, e->where, d) || !d->family) {
    return failed;
  }
  node = expressions_new(c, kind, e->where);
  node->family = d->family;
  shape = family_shape(c, d->family);
  result = reference(c, e, node, d, &shape, inner);
  if (kind == EXPR_CONSTRAINT) {
    result.uses = d->uses;
    result.depth = d->depth + 1;
  }
  return result;
}

static checked hamiltonian(checker *c, const syntax_expr *e, const declared *d)
{
  checked inside = {NULL, NULL, d->uses, d->depth};
  if (!expressions_declared_before(c, e->where, d)) {
    return failed;
  }
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "the Hamiltonian '%s' has no index", d->name);
    return failed;
  }
  if (d->failed) {
    return failed;
  }
  return expressions_node(c, expressions_new(c, EXPR_HAMILTONIAN, e->where), &inside, NULL);
}

static checked size(checker *c, const syntax_expr *e, const declared *d)
{
  model_expr *node = expressions_new(c, EXPR_INDEX, e->where);
  const model_index **index = ARENA_ARRAY(c->memory, 1, const model_index *);
  checked result;
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "size '%s' has no index", d->name);
    return failed;
  }
  index[0] = indices_for_set(c, e, NULL, NULL);
  if (!index[0]) {
    return failed;
  }
  node->index = index;
  node->n_index = 1;
  result = expressions_node(c, node, NULL, NULL);
  result.constant = numbers_from_long(c->memory, d->size->value);
  return result;
}

/* A parameter, coordinate or momentum. */
static checked entry(checker *c, const syntax_expr *e, const declared *d, const bound *inner)
{
  model_expr *node = NULL;
  checked result;
  unsigned uses = d->kind == NAME_PARAMETER ? USES_PARAMETERS : USES_STATE;
  if (d->kind == NAME_PARAMETER ? !d->parameter : !d->coordinate) {
    return failed;
  }
  if (!expressions_allowed(c, expressions_name_place(e), uses, d->name)) {
    return failed;
  }
  node = expressions_new(c,
                         d->kind == NAME_PARAMETER  ? EXPR_PARAMETER
                         : d->kind == NAME_POSITION ? EXPR_POSITION
                                                    : EXPR_MOMENTUM,
                         e->where);
  node->parameter = d->parameter;
  node->coordinate = d->coordinate;
  result =
      reference(c, e, node, d, d->parameter ? &d->parameter->shape : &d->coordinate->shape, inner);
  result.uses = uses;
  return result;
}

static checked global(checker *c, const syntax_expr *e, const bound *inner)
{
  declared *d = names_find(c, e->text);
  model_function function;
  checked result = failed;
  if (!d && calls_function(e->text, &function)) {
    diagnostics_error(c->d, e->where, "'%s' is a function: write %s(...)", e->text, e->text);
    return failed;
  }
  if (!d) {
    names_unknown(c, expressions_name_place(e), e->text, VALUE_KINDS, inner);
    return failed;
  }
  switch (d->kind) {
  case NAME_SIZE:
    return d->size ? size(c, e, d) : failed;
  case NAME_PARAMETER:
  case NAME_POSITION:
  case NAME_MOMENTUM:
    return entry(c, e, d, inner);
  case NAME_LET:
    return expressions_declared_before(c, e->where, d) ? calls_let(c, e, d, inner) : failed;
  case NAME_HAMILTONIAN:
    if (expressions_allowed(c, e->where, d->uses, d->name)) {
      result = hamiltonian(c, e, d);
    }
    return result;
  case NAME_CONSTRAINT:
    if (expressions_allowed(c, e->where, USES_STATE, d->name)) {
      result = constraint(c, e, EXPR_CONSTRAINT, d, inner);
    }
    return result;
  case NAME_SET:
  case NAME_OBSERVE:
  case NAME_INVARIANT:
    break;
  }
  diagnostics_error(c->d, e->where, "'%s' is %s and has no value in a formula%s", d->name,
                    names_kind(d->kind), d->kind == NAME_SET ? "" : "; define it by a let");
  return failed;
}

/* A name that may be a bound variable. */
static checked name(checker *c, const syntax_expr *e, const bound *inner)
{
  const bound *b = scope_find(inner, e->text);
  const model_index **index = NULL;
  model_expr *node = NULL;
  if (!b) {
    return global(c, e, inner);
  }
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "'%s' is an index variable here and has no index", e->text);
    return failed;
  }
  if (b->use) {
    b->use->as_value = 1;
    node = expressions_new(c, EXPR_ARGUMENT, e->where);
    node->argument = b->argument;
    return expressions_node(c, node, NULL, NULL);
  }
  if (!b->binder->set->is_range) {
    diagnostics_error(c->d, e->where, "'%s' runs over the labels of '%s' and has no numeric value",
                      e->text, b->binder->set->name);
    return failed;
  }
  index = ARENA_ARRAY(c->memory, 1, const model_index *);
  index[0] = indices_for_set(c, e, NULL, inner);
  node = expressions_new(c, EXPR_INDEX, e->where);
  node->index = index;
  node->n_index = 1;
  return expressions_node(c, node, NULL, NULL);
}

static checked number(checker *c, const syntax_expr *e)
{
  model_expr *node = expressions_new(c, EXPR_NUMBER, e->where);
  checked result;
  node->number = numbers_literal(c, e);
  if (!node->number) {
    return failed;
  }
  result = expressions_node(c, node, NULL, NULL);
  result.constant = node->number;
  return result;
}

static checked negation(checker *c, const syntax_expr *e, const bound *inner)
{
  checked a = expressions_check(c, e->a, inner);
  model_expr *node = NULL;
  checked result;
  if (!a.expr) {
    return failed;
  }
  node = expressions_new(c, EXPR_NEG, e->where);
  node->a = a.expr;
  result = expressions_node(c, node, &a, NULL);
  return result.expr && constants_fold(c, &result, &a, NULL) ? result : failed;
}

static int is_binary(syntax_kind kind)
{
  return kind == SYNTAX_ADD || kind == SYNTAX_SUB || kind == SYNTAX_MUL || kind == SYNTAX_DIV ||
         kind == SYNTAX_POW;
}

static checked combine(checker *c, const syntax_expr *e, const checked *a, const checked *b)
{
  static const model_expr_kind kinds[] = {
      [SYNTAX_ADD] = EXPR_ADD, [SYNTAX_SUB] = EXPR_SUB, [SYNTAX_MUL] = EXPR_MUL,
      [SYNTAX_DIV] = EXPR_DIV, [SYNTAX_POW] = EXPR_POW,
  };
  model_expr *node = NULL;
  checked result;
  if (!a->expr || !b->expr) {
    return failed;
  }
  node = expressions_new(c, kinds[e->kind], e->where);
  node->a = a->expr;
  node->b = b->expr;
  result = expressions_node(c, node, a, b);
  return result.expr && constants_fold(c, &result, a, b) ? result : failed;
}

/* A chain a + b + c + ... leans to the left and may have thousands of links: a loop, not a recursion,
 * goes along it. */
static checked binary(checker *c, const syntax_expr *e, const bound *inner)
{
  int n = 0;
  const syntax_expr *leaf = e;
  const syntax_expr **chain = NULL;
  checked result;
  for (; is_binary(leaf->kind); leaf = leaf->a) {
    n++;
  }
  chain = ARENA_ARRAY(c->memory, n, const syntax_expr *);
  for (leaf = e, n = 0; is_binary(leaf->kind); leaf = leaf->a) {
    chain[n++] = leaf;
  }
  result = expressions_check(c, leaf, inner);
  while (n-- > 0) {
    checked right = expressions_check(c, chain[n]->b, inner);
    result = combine(c, chain[n], &result, &right);
  }
  return result;
}

static checked repeated(checker *c, const syntax_expr *e, const bound *inner)
{
  scope_binders binders;
  checked body;
  model_expr *node = NULL;
  if (!scope_binders_check(c, &e->binders, inner, &binders)) {
    return failed;
  }
  body = expressions_check(c, e->a, binders.inner);
  if (!body.expr) {
    return failed;
  }
  node = expressions_new(c, e->kind == SYNTAX_SUM ? EXPR_SUM : EXPR_PRODUCT, e->where);
  node->n_binders = binders.n;
  node->binders = binders.binders;
  node->condition = binders.condition;
  node->a = body.expr;
  return expressions_node(c, node, &body, NULL);
}

static checked bracket(checker *c, const syntax_expr *e, const bound *inner)
{
  unsigned forbidden = c->forbidden;
  model_expr *node = NULL;
  checked a;
  checked b;
  checked result;
  if (!expressions_allowed(c, e->where, USES_STATE, "bracket")) {
    return failed;
  }
  /* The multipliers are functions of the state that are not known in closed form. */
  c->forbidden |= USES_MULTIPLIER;
  a = expressions_check(c, e->a, inner);
  b = expressions_check(c, e->b, inner);
  c->forbidden = forbidden;
  if (!a.expr || !b.expr) {
    return failed;
  }
  node = expressions_new(c, EXPR_BRACKET, e->where);
  node->a = a.expr;
  node->b = b.expr;
  result = expressions_node(c, node, &a, &b);
  result.uses |= USES_STATE;
  return result;
}

static checked multiplier(checker *c, const syntax_expr *e, const bound *inner)
{
  const syntax_expr *target = e->a;
  int is_name = target->kind == SYNTAX_NAME || target->kind == SYNTAX_REFERENCE;
  const declared *d = is_name ? names_find(c, target->text) : NULL;
  checked result;
  if (!expressions_allowed(c, e->where, USES_MULTIPLIER, "multiplier")) {
    return failed;
  }
  if (is_name && !d) {
    names_unknown(c, expressions_name_place(target), target->text, 1u << NAME_CONSTRAINT, NULL);
    return failed;
  }
  if (!d || d->kind != NAME_CONSTRAINT) {
    diagnostics_error(c->d, target->where,
                      "multiplier(...) takes a constraint, such as multiplier(length[i])");
    return failed;
  }
  result = constraint(c, target, EXPR_MULTIPLIER, d, inner);
  result.uses |= USES_MULTIPLIER;
  return result;
}

checked expressions_check(checker *c, const syntax_expr *e, const bound *inner)
{
  switch (e->kind) {
  case SYNTAX_NUMBER:
    return number(c, e);
  case SYNTAX_PI:
    return expressions_node(c, expressions_new(c, EXPR_PI, e->where), NULL, NULL);
  case SYNTAX_NAME:
  case SYNTAX_REFERENCE:
    return name(c, e, inner);
  case SYNTAX_CALL:
    return calls_check(c, e, inner);
  case SYNTAX_NEG:
    return negation(c, e, inner);
  case SYNTAX_ADD:
  case SYNTAX_SUB:
  case SYNTAX_MUL:
  case SYNTAX_DIV:
  case SYNTAX_POW:
    return binary(c, e, inner);
  case SYNTAX_SUM:
  case SYNTAX_PRODUCT:
    return repeated(c, e, inner);
  case SYNTAX_BRACKET:
    return bracket(c, e, inner);
  case SYNTAX_MULTIPLIER:
    return multiplier(c, e, inner);
  }
  return failed;
}
