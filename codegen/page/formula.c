/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page/formula.h"

#include <math.h>
#include <string.h>

#include "emit/writer.h"

/* How tightly the outermost operator of a text binds; a text stands alone where nothing is asked for. */
typedef enum binding { BIND_SUM, BIND_PRODUCT, BIND_FACTOR, BIND_BASE } binding;

struct page_printer {
  arena *memory;
  const ir_context *context;
  page_style style;
  unsigned n;
  double *operations; /* by id; 0: not known */
  const page_names *names;
};

page_printer *page_printer_create(arena *a, const ir_context *c, page_style style)
{
  page_printer *f = ARENA_NEW(a, page_printer);
  f->memory = a;
  f->context = c;
  f->style = style;
  return f;
}

/* The table has room for all nodes that there are by now. */
static void make_room(page_printer *f)
{
  unsigned n = ir_context_size(f->context);
  double *operations = ARENA_ARRAY(f->memory, n + n / 8 + 1, double);
  if (f->n > 0) {
    memcpy(operations, f->operations, f->n * sizeof *operations);
  }
  f->operations = operations;
  f->n = n + n / 8 + 1;
}

double page_operations(page_printer *f, const ir_expr *e)
{
  if (e->id >= f->n) {
    make_room(f);
  }
  if (f->operations[e->id] > 0) {
    return f->operations[e->id];
  }
  double sum = 1;
  for (int i = 0; i < e->n; i++) {
    sum += e->kind == IR_SUM       ? 1 + page_operations(f, e->terms[i].node)
           : e->kind == IR_PRODUCT ? 1 + page_operations(f, e->factors[i].base)
                                   : page_operations(f, e->arguments[i]);
  }
  f->operations[e->id] = sum;
  return sum;
}

static const char *write_node(page_printer *f, const ir_expr *e, binding least);

static const char *parenthesised(page_printer *f, const char *text)
{
  return arena_printf(f->memory, f->style == PAGE_LATEX ? "\\left(%s\\right)" : "(%s)", text);
}

static const char *inside(page_printer *f, const char *text, binding has, binding least)
{
  return has < least ? parenthesised(f, text) : text;
}

/* ---- powers and calls ---- */

static int is_half(mpq_srcptr exponent)
{
  return mpz_cmp_ui(mpq_denref(exponent), 2) == 0 && mpz_cmpabs_ui(mpq_numref(exponent), 1) == 0;
}

/* base^|exponent|. */
static const char *write_power(page_printer *f, const ir_expr *base, mpq_srcptr exponent,
                               binding least)
{
  static const char *const roots[] = {"sqrt(%s)", "√(%s)", "\\sqrt{%s}"};
  if (is_half(exponent)) {
    return arena_printf(f->memory, roots[f->style], write_node(f, base, BIND_SUM));
  }
  mpq_t size;
  mpq_init(size);
  mpq_abs(size, exponent);
  int is_one = mpq_cmp_ui(size, 1, 1) == 0;
  const char *above = page_exponent(f->memory, f->style, size);
  mpq_clear(size);
  if (is_one) {
    return write_node(f, base, least);
  }
  const char *text = arena_printf(f->memory, "%s%s", write_node(f, base, BIND_BASE), above);
  return inside(f, text, BIND_FACTOR, least);
}

static const char *write_call(page_printer *f, const ir_expr *e)
{
  static const char *const latex[IR_CALLS] = {[IR_SIN] = "\\sin",
                                              [IR_COS] = "\\cos",
                                              [IR_TAN] = "\\tan",
                                              [IR_ASIN] = "\\arcsin",
                                              [IR_ACOS] = "\\arccos",
                                              [IR_ATAN] = "\\arctan",
                                              [IR_SINH] = "\\sinh",
                                              [IR_COSH] = "\\cosh",
                                              [IR_TANH] = "\\tanh",
                                              [IR_EXP] = "\\exp",
                                              [IR_LOG] = "\\log",
                                              [IR_MIN] = "\\min",
                                              [IR_MAX] = "\\max",
                                              [IR_SIGN] = "\\operatorname{sign}",
                                              [IR_ATAN2] = "\\operatorname{atan2}"};
  arena *a = f->memory;
  if (e->call == IR_POW) {
    const char *base = write_node(f, e->arguments[0], BIND_BASE);
    const char *above = write_node(f, e->arguments[1], BIND_SUM);
    return arena_printf(a, f->style == PAGE_LATEX ? "{%s}^{%s}" : "%s^(%s)", base, above);
  }
  const char *first = write_node(f, e->arguments[0], BIND_SUM);
  if (e->call == IR_HOLD) {
    return parenthesised(f, first);
  }
  if (e->call == IR_ABS && f->style != PAGE_ASCII) {
    return arena_printf(a, f->style == PAGE_LATEX ? "\\left|%s\\right|" : "|%s|", first);
  }
  if (e->n == 2) {
    first = arena_printf(a, "%s, %s", first, write_node(f, e->arguments[1], BIND_SUM));
  }
  const char *name = f->style == PAGE_LATEX ? latex[e->call] : ir_call_word(e->call);
  return arena_printf(a, "%s%s", name, parenthesised(f, first));
}

/* ---- products and quotients ---- */

/* Pieces of one side of a fraction bar. */
typedef struct side {
  writer *text;
  int n;
} side;

static void side_add(page_printer *f, side *s, const char *piece)
{
  static const char *const times[] = {"*", " ", " \\, "};
  const char *between = s->n == 0                                          ? ""
                        : f->style == PAGE_UTF8 && !strncmp(piece, "(", 1) ? "·"
                                                                           : times[f->style];
  writer_printf(s->text, "%s%s", between, piece);
  s->n++;
}

/* What a term is made of: a coefficient and factors, which are on both sides of the bar. */
typedef struct fraction {
  const char *above; /* of the coefficient; "" where it is 1 */
  const char *below;
  int n;
  const ir_factor *factors;
  int n_above;
  int n_below;
} fraction;

static fraction split(page_printer *f, mpq_srcptr coefficient, int n, const ir_factor factors[])
{
  int is_fraction = 0;
  const char *number = page_rational(f->memory, coefficient, &is_fraction);
  fraction t = {number, "", n, factors, 0, 0};
  if (is_fraction) {
    size_t bar = strcspn(number, "/");
    t.below = number + bar + 1;
    t.above = arena_strndup(f->memory, number, bar);
  }
  for (int i = 0; i < n; i++) {
    t.n_above += mpq_sgn(factors[i].exponent) > 0;
    t.n_below += mpq_sgn(factors[i].exponent) < 0;
  }
  if (t.n_above > 0 && !strcmp(t.above, "1")) {
    t.above = "";
  }
  t.n_above += *t.above != '\0';
  t.n_below += *t.below != '\0';
  return t;
}

/* One side of the bar; `least` is what its place asks of a side of one piece. */
static const char *write_side(page_printer *f, const fraction *t, int sign, binding least)
{
  const char *number = sign > 0 ? t->above : t->below;
  int pieces = sign > 0 ? t->n_above : t->n_below;
  side s = {writer_create(f->memory), 0};
  if (*number) {
    side_add(f, &s, number);
  }
  for (int i = 0; i < t->n; i++) {
    if (mpq_sgn(t->factors[i].exponent) == sign) {
      side_add(f, &s,
               write_power(f, t->factors[i].base, t->factors[i].exponent,
                           pieces == 1 ? least : BIND_FACTOR));
    }
  }
  return writer_text(s.text);
}

/* |coefficient| times the factors. */
static const char *write_product(page_printer *f, mpq_srcptr coefficient, int n,
                                 const ir_factor factors[], binding least)
{
  fraction t = split(f, coefficient, n, factors);
  if (t.n_below == 0) {
    binding has = t.n_above > 1 ? BIND_PRODUCT : BIND_BASE;
    return inside(f, write_side(f, &t, 1, least), has, least);
  }
  if (f->style == PAGE_LATEX) {
    const char *text = arena_printf(f->memory, "\\frac{%s}{%s}", write_side(f, &t, 1, BIND_SUM),
                                    write_side(f, &t, -1, BIND_SUM));
    return inside(f, text, BIND_FACTOR, least);
  }
  const char *below = write_side(f, &t, -1, BIND_FACTOR);
  const char *text = arena_printf(f->memory, t.n_below > 1 ? "%s/(%s)" : "%s/%s",
                                  write_side(f, &t, 1, BIND_FACTOR), below);
  return inside(f, text, BIND_PRODUCT, least);
}

/* ---- sums ---- */

/* |coefficient| times a node that is no sum, or is a sum of several terms. */
static const char *write_scaled(page_printer *f, mpq_srcptr coefficient, const ir_expr *node,
                                binding least)
{
  if (node->kind == IR_NUMBER) {
    int is_fraction = 0;
    mpq_t value;
    mpq_init(value);
    mpq_mul(value, coefficient, node->value);
    const char *text = page_rational(f->memory, value, &is_fraction);
    if (is_fraction && f->style == PAGE_LATEX) {
      size_t bar = strcspn(text, "/");
      text = arena_printf(f->memory, "\\frac{%.*s}{%s}", (int)bar, text, text + bar + 1);
    }
    mpq_clear(value);
    return inside(f, text, is_fraction ? BIND_PRODUCT : BIND_BASE, least);
  }
  if (node->kind == IR_PRODUCT) {
    return write_product(f, coefficient, node->n, node->factors, least);
  }
  mpq_t one;
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  ir_factor alone = {node, one};
  const char *text = write_product(f, coefficient, 1, &alone, least);
  mpq_clear(one);
  return text;
}

/* A flat list of terms: a common factor in front of a sum is multiplied in. */
typedef struct term_list {
  const ir_expr *sum; /* NULL: one term, `alone` */
  const ir_expr *alone;
  mpq_srcptr scale; /* NULL: 1 */
  int n;
  int *order; /* NULL: as they are */
} term_list;

static int is_negative(const term_list *list, int i)
{
  int sign = mpq_sgn(list->sum->terms[i].coefficient);
  const ir_expr *node = list->sum->terms[i].node;
  sign *= node->kind == IR_NUMBER && mpq_sgn(node->value) < 0 ? -1 : 1;
  sign *= list->scale && mpq_sgn(list->scale) < 0 ? -1 : 1;
  return sign < 0;
}

/* Where the first term has a minus, those without one come first; and before all, the one with `lead`. */
static void arrange(page_printer *f, term_list *list, const ir_expr *lead)
{
  int n = 0;
  list->order = ARENA_ARRAY(f->memory, list->n, int);
  int by_sign = is_negative(list, 0);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < list->n; i++) {
      int leads = list->sum->terms[i].node == lead;
      int place = leads ? 0 : by_sign && is_negative(list, i) ? 2 : 1;
      if (place == round) {
        list->order[n++] = i;
      }
    }
  }
}

static term_list terms_of(page_printer *f, const ir_expr *e, const ir_expr *lead)
{
  if (e->kind != IR_SUM) {
    return (term_list){NULL, e, NULL, 1, NULL};
  }
  int is_scaled = e->n == 1 && e->terms[0].node->kind == IR_SUM;
  const ir_expr *sum = is_scaled ? e->terms[0].node : e;
  term_list list = {sum, NULL, is_scaled ? e->terms[0].coefficient : NULL, sum->n, NULL};
  arrange(f, &list, lead);
  return list;
}

static const ir_expr *term_node(const term_list *list, int i)
{
  return list->sum ? list->sum->terms[list->order[i]].node : list->alone;
}

static const char *term_text(page_printer *f, const term_list *list, int i)
{
  static const char *const first[][2] = {{"", "-"}, {"", "−"}, {"", "-"}};
  static const char *const later[][2] = {{" + ", " - "}, {" + ", " − "}, {" + ", " - "}};
  mpq_t c;
  mpq_init(c);
  mpq_set_ui(c, 1, 1);
  if (list->sum) {
    mpq_set(c, list->sum->terms[list->order[i]].coefficient);
  }
  if (list->scale) {
    mpq_mul(c, c, list->scale);
  }
  const ir_expr *node = term_node(list, i);
  int minus = mpq_sgn(c) < 0;
  if (node->kind == IR_NUMBER && mpq_sgn(node->value) < 0) {
    minus = !minus;
  }
  const char *sign = (i ? later : first)[f->style][minus];
  /* The first term of several, or one behind a sign, is never a sum without parentheses. */
  binding least = list->n > 1 || minus ? BIND_PRODUCT : BIND_SUM;
  const char *text = arena_printf(f->memory, "%s%s", sign, write_scaled(f, c, node, least));
  mpq_clear(c);
  return text;
}

static const char *write_sum(page_printer *f, const ir_expr *e, binding least)
{
  term_list list = terms_of(f, e, NULL);
  writer *w = writer_create(f->memory);
  for (int i = 0; i < list.n; i++) {
    writer_printf(w, "%s", term_text(f, &list, i));
  }
  const char *text = writer_text(w);
  if (list.n > 1) {
    return inside(f, text, BIND_SUM, least);
  }
  /* c x with c < 0 has a sign in front, and else it has been written for a place of its own. */
  int minus = mpq_sgn(e->terms[0].coefficient) < 0;
  return minus                  ? inside(f, text, BIND_SUM, least)
         : least > BIND_PRODUCT ? write_scaled(f, e->terms[0].coefficient, e->terms[0].node, least)
                                : text;
}

static const char *write_node(page_printer *f, const ir_expr *e, binding least)
{
  static const char *const pi[] = {"pi", "π", "\\pi"};
  mpq_t one;
  const char *text = NULL;
  switch (e->kind) {
  case IR_INPUT:
    text = f->names->of[e->space][e->index];
    /* An index that stands as a number, such as i-1, is a sum; those of an entry are inside of it. */
    return inside(f, text, strpbrk(text, "+-*") && !strpbrk(text, "[_") ? BIND_SUM : BIND_BASE,
                  least);
  case IR_PI:
    return pi[f->style];
  case IR_CALL:
    return inside(f, write_call(f, e), e->call == IR_POW ? BIND_FACTOR : BIND_BASE, least);
  case IR_SUM:
    return write_sum(f, e, least);
  case IR_NUMBER:
  case IR_PRODUCT:
    break;
  }
  if (e->kind == IR_NUMBER && mpq_sgn(e->value) < 0) {
    term_list list = {NULL, e, NULL, 1, NULL};
    return inside(f, term_text(f, &list, 0), BIND_SUM, least);
  }
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  text = write_scaled(f, one, e, least);
  mpq_clear(one);
  return text;
}

/* ---- what others see ---- */

/* Operations of one term that are written out at most: some columns each. */
#define TERM_OPERATIONS 400.0

page_sum page_terms(page_printer *f, const page_names *names, const ir_expr *e, const ir_expr *lead,
                    int room)
{
  f->names = names;
  term_list list = terms_of(f, e, lead);
  page_sum sum = {.n_terms = list.n, .operations = page_operations(f, e)};
  const char **text = ARENA_ARRAY(f->memory, list.n, const char *);
  for (int used = 0; sum.n < list.n; sum.n++) {
    if (page_operations(f, term_node(&list, sum.n)) > TERM_OPERATIONS) {
      break;
    }
    text[sum.n] = term_text(f, &list, sum.n);
    used += page_columns(text[sum.n]);
    if (used > room) {
      break;
    }
  }
  sum.text = text;
  return sum;
}

const char *page_expression(page_printer *f, const page_names *names, const ir_expr *e, double most)
{
  f->names = names;
  return page_operations(f, e) <= most ? write_node(f, e, BIND_SUM) : NULL;
}

const char *page_factor(page_printer *f, const page_names *names, const ir_expr *e, double most)
{
  f->names = names;
  return page_operations(f, e) <= most ? write_node(f, e, BIND_FACTOR) : NULL;
}
