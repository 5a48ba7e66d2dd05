/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/notes.h"

#include <string.h>

#include "common/text_writer.h"
#include "model/checker.h"

struct algebra {
  arena *memory;
  spelling style;
  const model *model;
  unsigned char *named; /* by number of the let: 1: named, 2: defined */
  const model_let *let; /* the let whose body is being written */
};

algebra *algebra_create(arena *a, spelling s, const model *m)
{
  algebra *w = ARENA_NEW(a, algebra);
  w->memory = a;
  w->style = s;
  w->model = m;
  w->named = ARENA_ARRAY(a, m->n_lets + 1, unsigned char);
  return w;
}

/* ---- names ---- */

static const char *name_text(algebra *w, const char *name)
{
  return spelled_name(w->memory, w->style, name);
}

static const formula *algebra_atom(algebra *w, const char *text)
{
  return formula_atom(w->memory, FORMULA_ATOM, text);
}

/* name[index,...] */
static const char *entry_text(algebra *w, const char *name, const model_expr *e)
{
  return name_text(w, text_entry(w->memory, name, e->n_index, e->index));
}

static const char *algebra_index_text(algebra *w, const model_index *index)
{
  return spelled_index(w->memory, w->style, text_index(w->memory, index, 0));
}

/* ---- sums over sets ---- */

static const formula *algebra_condition_formula(algebra *w, const model_condition *c)
{
  formula_kind kind = (formula_kind)(FORMULA_EQ + (c->kind - CONDITION_EQ));
  if (c->kind < CONDITION_AND) {
    return formula_of(w->memory, kind, algebra_atom(w, algebra_index_text(w, c->left)),
                      algebra_atom(w, algebra_index_text(w, c->right)));
  }
  return formula_of(w->memory, kind, algebra_condition_formula(w, c->a),
                    c->kind == CONDITION_NOT ? NULL : algebra_condition_formula(w, c->b));
}

const char *algebra_domain(algebra *w, int n, const model_binder *const binders[],
                           const model_condition *condition)
{
  const char *in = spelled_letter(w->style, LETTER_IN);
  const char *comma = w->style == SPELL_LATEX ? ",\\, " : ", ";
  writer *out = writer_create(w->memory);
  for (int i = 0; i < n; i++) {
    writer_printf(out, "%s%s %s %s", i ? comma : "", name_text(w, binders[i]->name), in,
                  name_text(w, binders[i]->set->name));
  }
  if (condition) {
    const char *where = w->style == SPELL_ASCII ? " where " : comma;
    writer_printf(out, "%s%s", n ? where : "",
                  formula_text(w->memory, w->style, algebra_condition_formula(w, condition)));
  }
  return writer_text(out);
}

const formula *algebra_over(algebra *w, formula_kind kind, int n,
                            const model_binder *const binders[], const model_condition *condition,
                            const formula *value)
{
  if (n == 0 && !condition) {
    return value;
  }
  const char *domain = algebra_domain(w, n, binders, condition);
  return formula_of(w->memory, n ? kind : FORMULA_WHERE, algebra_atom(w, domain), value);
}

/* The same over the binders of the expression e, of which the value is a part. */
static const formula *over(algebra *w, formula_kind kind, const model_expr *e, const formula *value)
{
  return algebra_over(w, kind, e->n_binders, e->binders, e->condition, value);
}

const formula *algebra_total(algebra *w, const model_family *f)
{
  int minus = f->body->kind == EXPR_NEG;
  const formula *value = algebra_formula(w, minus ? f->body->a : f->body);
  value = algebra_over(w, FORMULA_SUM_OVER, f->n_binders, f->binders, f->condition, value);
  return minus ? formula_of(w->memory, FORMULA_NEGATION, value, NULL) : value;
}

/* ---- operators ---- */

static const formula *difference(algebra *w, const model_expr *e)
{
  const formula *x = algebra_formula(w, e->a);
  if (e->b->kind == EXPR_NUMBER && mpq_sgn(e->b->number) == 0) {
    return x; /* a constraint "f == 0" is stored as f - 0 */
  }
  return formula_of(w->memory, FORMULA_SUM, x,
                    formula_of(w->memory, FORMULA_NEGATION, algebra_formula(w, e->b), NULL));
}

static const formula *power_formula(algebra *w, const model_expr *e)
{
  const formula *base = algebra_formula(w, e->a);
  int is_plain = e->b->kind == EXPR_NUMBER && mpq_sgn(e->b->number) > 0;
  return is_plain ? formula_power(w->memory, base, e->b->number)
                  : formula_of(w->memory, FORMULA_POWER, base, algebra_formula(w, e->b));
}

/* ---- calls ---- */

static const formula *algebra_call_formula(algebra *w, const model_expr *e)
{
  const formula *x = algebra_formula(w, e->a);
  if (e->function == FUNCTION_SQRT || e->function == FUNCTION_ABS) {
    return formula_of(w->memory, e->function == FUNCTION_ABS ? FORMULA_ABS : FORMULA_ROOT, x, NULL);
  }
  return formula_call(w->memory, model_function_name(e->function), x,
                      e->b ? algebra_formula(w, e->b) : NULL);
}

static const formula *let_formula(algebra *w, const model_expr *e)
{
  if (w->named[e->let->number] == 0) {
    w->named[e->let->number] = 1;
  }
  const char *name = name_text(w, e->let->name);
  const char *list = "";
  for (int i = 0; i < e->let->n_arguments; i++) {
    const model_argument *x = &e->arguments[i];
    const char *text = x->index ? algebra_index_text(w, x->index)
                                : formula_text(w->memory, w->style, algebra_formula(w, x->value));
    list = arena_printf(w->memory, "%s%s%s", list, i ? ", " : "", text);
  }
  return algebra_atom(w, *list ? arena_printf(w->memory, "%s(%s)", name, list) : name);
}

/* "multiplier(c)" or "impulse(c)". */
static const char *lambda_text(algebra *w, const model_expr *e)
{
  const char *name = e->kind == EXPR_IMPULSE   ? name_text(w, "impulse")
                     : w->style == SPELL_ASCII ? "multiplier"
                                               : spelled_letter(w->style, LETTER_LAMBDA);
  return arena_printf(w->memory, "%s(%s)", name, entry_text(w, e->family->name, e));
}

/* The text of a leaf. */
static const char *leaf_text(algebra *w, const model_expr *e)
{
  switch (e->kind) {
  case EXPR_PARAMETER:
    return entry_text(w, e->parameter->name, e);
  case EXPR_POSITION:
    return entry_text(w, e->coordinate->name, e);
  case EXPR_MOMENTUM:
    return entry_text(w, e->coordinate->momentum, e);
  case EXPR_VELOCITY:
    return entry_text(w, e->coordinate->velocity, e);
  case EXPR_HAMILTONIAN:
    return name_text(w, w->model->hamiltonian_name);
  case EXPR_LAGRANGIAN:
    return name_text(w, w->model->lagrangian_name);
  case EXPR_CONSTRAINT:
    return entry_text(w, e->family->name, e);
  case EXPR_MULTIPLIER:
  case EXPR_IMPULSE:
    return lambda_text(w, e);
  default: /* an argument of the let that is being written */
    return name_text(w, w->let ? w->let->arguments[e->argument]->name : "?");
  }
}

/* The formula kinds of expressions with the parts a and b; FORMULA_ATOM for other expressions. */
static const formula_kind kinds_of_parts[EXPR_IMPULSE + 1] = {
    [EXPR_NEG] = FORMULA_NEGATION, [EXPR_ADD] = FORMULA_SUM,         [EXPR_MUL] = FORMULA_PRODUCT,
    [EXPR_DIV] = FORMULA_QUOTIENT, [EXPR_BRACKET] = FORMULA_BRACKET,
};

const formula *algebra_formula(algebra *w, const model_expr *e)
{
  arena *a = w->memory;
  switch (e->kind) {
  case EXPR_NUMBER:
    return formula_number(a, e->number);
  case EXPR_PI:
    return formula_atom(a, FORMULA_PI, NULL);
  case EXPR_INDEX:
    return formula_atom(a, FORMULA_INDEX, algebra_index_text(w, e->index[0]));
  case EXPR_SUB:
    return difference(w, e);
  case EXPR_POW:
    return power_formula(w, e);
  case EXPR_CALL:
    return algebra_call_formula(w, e);
  case EXPR_SUM:
    return over(w, FORMULA_SUM_OVER, e, algebra_formula(w, e->a));
  case EXPR_PRODUCT:
    return over(w, FORMULA_PRODUCT_OVER, e, algebra_formula(w, e->a));
  case EXPR_LET:
    return let_formula(w, e);
  default:
    break;
  }
  formula_kind kind = kinds_of_parts[e->kind];
  return kind == FORMULA_ATOM ? algebra_atom(w, leaf_text(w, e))
                              : formula_of(a, kind, algebra_formula(w, e->a),
                                           e->b ? algebra_formula(w, e->b) : NULL);
}

int algebra_next_let(algebra *w, const char **left, const formula **right)
{
  for (int i = 0; i < w->model->n_lets; i++) {
    if (w->named[i] != 1) {
      continue;
    }
    w->named[i] = 2;
    w->let = w->model->lets[i];
    const char *list = "";
    for (int j = 0; j < w->let->n_arguments; j++) {
      list = arena_printf(w->memory, "%s%s%s", list, j ? ", " : "",
                          name_text(w, w->let->arguments[j]->name));
    }
    const char *name = name_text(w, w->let->name);
    *left = *list ? arena_printf(w->memory, "%s(%s)", name, list) : name;
    *right = algebra_formula(w, w->let->body);
    w->let = NULL;
    return 1;
  }
  return 0;
}
