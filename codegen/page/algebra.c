/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page/algebra.h"

#include <string.h>

#include "emit/writer.h"
#include "model/checker.h"

/* How tightly the outermost operator of a text binds. */
typedef enum binding { BIND_SUM, BIND_BIG, BIND_PRODUCT, BIND_FACTOR, BIND_BASE } binding;

struct algebra {
  arena *memory;
  page_style style;
  const model *model;
  unsigned char *named; /* by the number of the let: 1 named, 2 defined */
  const model_let *let; /* the one whose body is written */
};

algebra *algebra_create(arena *a, page_style style, const model *m)
{
  algebra *w = ARENA_NEW(a, algebra);
  w->memory = a;
  w->style = style;
  w->model = m;
  w->named = ARENA_ARRAY(a, m->n_lets + 1, unsigned char);
  return w;
}

static const char *write_expr(algebra *w, const model_expr *e, binding least);

static const char *inside(algebra *w, const char *text, binding has, binding least)
{
  const char *form = w->style == PAGE_LATEX ? "\\left(%s\\right)" : "(%s)";
  return has < least ? arena_printf(w->memory, form, text) : text;
}

static const char *name_text(algebra *w, const char *name)
{
  return page_name(w->memory, w->style, name);
}

/* name[index,...] */
static const char *entry_text(algebra *w, const char *name, const model_expr *e)
{
  const char *text = name;
  for (int i = 0; i < e->n_index; i++) {
    text = arena_printf(w->memory, "%s%s%s", text, i ? "," : "[",
                        text_index(w->memory, e->index[i], 0));
  }
  return name_text(w, e->n_index ? arena_printf(w->memory, "%s]", text) : text);
}

/* ---- sums over sets ---- */

static const char *relation_text(page_style style, model_condition_kind kind)
{
  static const char *const relations[][3] = {[CONDITION_EQ] = {"==", "=", "="},
                                             [CONDITION_NE] = {"!=", "≠", "\\ne"},
                                             [CONDITION_LT] = {"<", "<", "<"},
                                             [CONDITION_LE] = {"<=", "≤", "\\le"},
                                             [CONDITION_GT] = {">", ">", ">"},
                                             [CONDITION_GE] = {">=", "≥", "\\ge"},
                                             [CONDITION_AND] = {"and", "and", "\\text{ and }"},
                                             [CONDITION_OR] = {"or", "or", "\\text{ or }"},
                                             [CONDITION_NOT] = {"not", "not", "\\text{not }"}};
  return relations[kind][style];
}

static const char *index_text(algebra *w, const model_index *index)
{
  return page_index(w->memory, w->style, text_index(w->memory, index, 0));
}

static const char *condition_text(algebra *w, const model_condition *c, int is_part)
{
  const char *relation = relation_text(w->style, c->kind);
  if (c->kind == CONDITION_NOT) {
    return arena_printf(w->memory, "%s %s", relation, condition_text(w, c->a, 1));
  }
  if (c->kind == CONDITION_AND || c->kind == CONDITION_OR) {
    const char *text = arena_printf(w->memory, "%s %s %s", condition_text(w, c->a, 1), relation,
                                    condition_text(w, c->b, 1));
    return is_part ? arena_printf(w->memory, "(%s)", text) : text;
  }
  return arena_printf(w->memory, "%s %s %s", index_text(w, c->left), relation,
                      index_text(w, c->right));
}

const char *algebra_domain(algebra *w, int n, const model_binder *const binders[],
                           const model_condition *condition)
{
  const char *in = page_letter_text(w->style, LETTER_IN);
  const char *comma = w->style == PAGE_LATEX ? ",\\, " : ", ";
  writer *out = writer_create(w->memory);
  for (int i = 0; i < n; i++) {
    const char *set = binders[i]->set->name;
    writer_printf(out, "%s%s %s %s", i ? comma : "", name_text(w, binders[i]->name), in,
                  name_text(w, set));
  }
  if (condition) {
    writer_printf(out, "%s%s", n ? comma : "", condition_text(w, condition, 0));
  }
  return writer_text(out);
}

/* What counts where a condition holds: Iverson's bracket. */
static const char *write_guarded(algebra *w, const model_expr *e, binding least)
{
  const char *condition = condition_text(w, e->condition, 0);
  if (w->style == PAGE_ASCII) {
    return arena_printf(w->memory, "(if %s then %s else 0)", condition,
                        write_expr(w, e->a, BIND_SUM));
  }
  const char *form = w->style == PAGE_LATEX ? "\\left[%s\\right] %s" : "[%s]·%s";
  const char *text = arena_printf(w->memory, form, condition, write_expr(w, e->a, BIND_FACTOR));
  return inside(w, text, BIND_PRODUCT, least);
}

static const char *write_big(algebra *w, const model_expr *e, binding least)
{
  if (e->n_binders == 0) {
    return write_guarded(w, e, least);
  }
  int is_sum = e->kind == EXPR_SUM;
  const char *domain = NULL;
  if (w->style == PAGE_ASCII) {
    domain = algebra_domain(w, e->n_binders, e->binders, NULL);
    const char *where =
        e->condition ? arena_printf(w->memory, " where %s", condition_text(w, e->condition, 0))
                     : "";
    return arena_printf(w->memory, "%s(%s%s: %s)", is_sum ? "sum" : "product", domain, where,
                        write_expr(w, e->a, BIND_SUM));
  }
  domain = algebra_domain(w, e->n_binders, e->binders, e->condition);
  const char *letter = page_letter_text(w->style, is_sum ? LETTER_SUM : LETTER_PRODUCT);
  const char *form = w->style == PAGE_LATEX ? "%s_{%s} %s" : "%s{%s} %s";
  const char *text = arena_printf(w->memory, form, letter, domain, write_expr(w, e->a, BIND_BIG));
  return inside(w, text, BIND_BIG, least);
}

/* ---- operators ---- */

static const char *write_add(algebra *w, const model_expr *e, binding least)
{
  const char *minus = page_letter_text(w->style, LETTER_MINUS);
  int is_add = e->kind == EXPR_ADD;
  if (!is_add && e->b->kind == EXPR_NUMBER && mpq_sgn(e->b->number) == 0) {
    return write_expr(w, e->a, least); /* a constraint "f == 0" is f - 0 */
  }
  const char *text =
      arena_printf(w->memory, "%s %s %s", write_expr(w, e->a, BIND_SUM), is_add ? "+" : minus,
                   write_expr(w, e->b, is_add ? BIND_BIG : BIND_PRODUCT));
  return inside(w, text, BIND_SUM, least);
}

static const char *write_mul(algebra *w, const model_expr *e, binding least)
{
  const char *a = write_expr(w, e->a, BIND_PRODUCT);
  const char *b = write_expr(w, e->b, BIND_FACTOR);
  const char *form = w->style == PAGE_ASCII   ? "%s*%s"
                     : w->style == PAGE_LATEX ? "%s \\, %s"
                     : b[0] == '('            ? "%s·%s"
                                              : "%s %s";
  return inside(w, arena_printf(w->memory, form, a, b), BIND_PRODUCT, least);
}

static const char *write_div(algebra *w, const model_expr *e, binding least)
{
  if (w->style == PAGE_LATEX) {
    const char *text = arena_printf(w->memory, "\\frac{%s}{%s}", write_expr(w, e->a, BIND_SUM),
                                    write_expr(w, e->b, BIND_SUM));
    return inside(w, text, BIND_FACTOR, least);
  }
  const char *text = arena_printf(w->memory, "%s/%s", write_expr(w, e->a, BIND_PRODUCT),
                                  write_expr(w, e->b, BIND_FACTOR));
  return inside(w, text, BIND_PRODUCT, least);
}

static const char *write_pow(algebra *w, const model_expr *e, binding least)
{
  const char *base = write_expr(w, e->a, BIND_BASE);
  const char *text = NULL;
  if (w->style == PAGE_LATEX) {
    text = arena_printf(w->memory, "{%s}^{%s}", base, write_expr(w, e->b, BIND_SUM));
  } else if (e->b->kind == EXPR_NUMBER && mpq_sgn(e->b->number) > 0) {
    text = arena_printf(w->memory, "%s%s", base, page_exponent(w->memory, w->style, e->b->number));
  } else {
    text = arena_printf(w->memory, "%s^(%s)", base, write_expr(w, e->b, BIND_SUM));
  }
  return inside(w, text, BIND_FACTOR, least);
}

static const char *write_number(algebra *w, mpq_srcptr number, binding least)
{
  int is_fraction = 0;
  const char *text = page_rational(w->memory, number, &is_fraction);
  if (mpq_sgn(number) < 0) {
    text = arena_printf(w->memory, "%s%s", page_letter_text(w->style, LETTER_MINUS), text);
  }
  return inside(w, text,
                mpq_sgn(number) < 0 ? BIND_SUM
                : is_fraction       ? BIND_PRODUCT
                                    : BIND_BASE,
                least);
}

/* ---- calls ---- */

static const char *write_call(algebra *w, const model_expr *e)
{
  const char *name = model_function_name(e->function);
  const char *first = write_expr(w, e->a, BIND_SUM);
  if (e->b) {
    first = arena_printf(w->memory, "%s, %s", first, write_expr(w, e->b, BIND_SUM));
  }
  if (w->style == PAGE_LATEX) {
    const char *form = e->function == FUNCTION_SQRT  ? "\\sqrt{%s%s}"
                       : e->function == FUNCTION_ABS ? "\\left|%s%s\\right|"
                                                     : "\\operatorname{%s}\\left(%s\\right)";
    int is_named = e->function != FUNCTION_SQRT && e->function != FUNCTION_ABS;
    return arena_printf(w->memory, form, is_named ? name : "", first);
  }
  int is_root = w->style == PAGE_UTF8 && e->function == FUNCTION_SQRT;
  return arena_printf(w->memory, "%s(%s)", is_root ? "√" : name, first);
}

static const char *write_let(algebra *w, const model_expr *e)
{
  for (int i = 0; i < w->model->n_lets; i++) {
    if (w->model->lets[i] == e->let && w->named[i] == 0) {
      w->named[i] = 1;
    }
  }
  const char *name = name_text(w, e->let->name);
  const char *list = "";
  for (int i = 0; i < e->let->n_arguments; i++) {
    const model_argument *x = &e->arguments[i];
    const char *text = x->index ? index_text(w, x->index) : write_expr(w, x->value, BIND_SUM);
    list = arena_printf(w->memory, "%s%s%s", list, i ? ", " : "", text);
  }
  return e->let->n_arguments ? arena_printf(w->memory, "%s(%s)", name, list) : name;
}

/* An argument of the let whose body this is. */
static const char *argument_text(algebra *w, const model_expr *e)
{
  return name_text(w, w->let ? w->let->arguments[e->argument]->name : "?");
}

static const char *write_bracket(algebra *w, const model_expr *e)
{
  const char *form = w->style == PAGE_ASCII   ? "bracket(%s, %s)"
                     : w->style == PAGE_LATEX ? "\\{%s, %s\\}"
                                              : "{%s, %s}";
  return arena_printf(w->memory, form, write_expr(w, e->a, BIND_SUM),
                      write_expr(w, e->b, BIND_SUM));
}

static const char *write_index(algebra *w, const model_expr *e, binding least)
{
  const char *text = text_index(w->memory, e->index[0], 0);
  return inside(w, page_index(w->memory, w->style, text),
                strpbrk(text, "+-*") ? BIND_SUM : BIND_BASE, least);
}

static const char *write_leaf(algebra *w, const model_expr *e)
{
  static const char *const pi[] = {"pi", "π", "\\pi"};
  switch (e->kind) {
  case EXPR_PARAMETER:
    return entry_text(w, e->parameter->name, e);
  case EXPR_POSITION:
    return entry_text(w, e->coordinate->name, e);
  case EXPR_MOMENTUM:
    return entry_text(w, e->coordinate->momentum, e);
  case EXPR_HAMILTONIAN:
    return name_text(w, w->model->hamiltonian_name);
  case EXPR_CONSTRAINT:
    return entry_text(w, e->family->name, e);
  case EXPR_MULTIPLIER:
    return arena_printf(w->memory, w->style == PAGE_ASCII ? "multiplier(%s)" : "%s(%s)",
                        w->style == PAGE_ASCII ? entry_text(w, e->family->name, e)
                                               : page_letter_text(w->style, LETTER_LAMBDA),
                        entry_text(w, e->family->name, e));
  default:
    return pi[w->style];
  }
}

static const char *write_expr(algebra *w, const model_expr *e, binding least)
{
  switch (e->kind) {
  case EXPR_NUMBER:
    return write_number(w, e->number, least);
  case EXPR_INDEX:
    return write_index(w, e, least);
  case EXPR_NEG:
    return inside(w,
                  arena_printf(w->memory, "%s%s", page_letter_text(w->style, LETTER_MINUS),
                               write_expr(w, e->a, BIND_PRODUCT)),
                  BIND_SUM, least);
  case EXPR_ADD:
  case EXPR_SUB:
    return write_add(w, e, least);
  case EXPR_MUL:
    return write_mul(w, e, least);
  case EXPR_DIV:
    return write_div(w, e, least);
  case EXPR_POW:
    return write_pow(w, e, least);
  case EXPR_CALL:
    return write_call(w, e);
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return write_big(w, e, least);
  case EXPR_LET:
    return write_let(w, e);
  case EXPR_ARGUMENT:
    return argument_text(w, e);
  case EXPR_BRACKET:
    return write_bracket(w, e);
  default:
    return write_leaf(w, e);
  }
}

const char *algebra_expression(algebra *w, const model_expr *e)
{
  return write_expr(w, e, BIND_SUM);
}

int algebra_next_let(algebra *w, const char **left, const char **right)
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
    *right = write_expr(w, w->let->body, BIND_SUM);
    w->let = NULL;
    return 1;
  }
  return 0;
}
