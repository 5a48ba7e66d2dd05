/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/sheet.h"

#include <string.h>

#include "report/page_words.h"

struct page_printer {
  arena *memory;
  spelling style;
  unsigned n;
  double *operations; /* by id; 0: unknown */
  int met_universal;
};

page_printer *page_printer_create(arena *a, spelling s)
{
  page_printer *f = ARENA_NEW(a, page_printer);
  f->memory = a;
  f->style = s;
  return f;
}

int page_met_universal(const page_printer *f)
{
  return f->met_universal;
}

/* Makes room for this id. The parts of a node have smaller ids. */
static void make_room(page_printer *f, unsigned id)
{
  unsigned n = id + id / 8 + 1;
  double *operations = ARENA_ARRAY(f->memory, n, double);
  if (f->n > 0) {
    memcpy(operations, f->operations, f->n * sizeof *operations);
  }
  f->operations = operations;
  f->n = n;
}

double page_operations(page_printer *f, const ir_expr *e)
{
  if (e->id >= f->n) {
    make_room(f, e->id);
  }
  if (f->operations[e->id] > 0) {
    return f->operations[e->id];
  }
  double sum = 1;
  for (int i = 0; i < e->n; i++) {
    sum += (e->kind != IR_CALL) + page_operations(f, ir_operand(e, i));
  }
  f->operations[e->id] = sum;
  return sum;
}

static int has_universal(const formula *f)
{
  int found = f->kind == FORMULA_CALL && *f->text == 'G';
  for (int i = 0; i < f->n && !found; i++) {
    found = has_universal(f->part[i]);
  }
  return found;
}

/* Maximal number of operations of a term that is written out; each takes several columns. */
#define TERM_OPERATIONS 400.0

page_sum page_terms(page_printer *f, const ir_names *names, const ir_expr *e, const ir_expr *lead,
                    int room)
{
  ir_terms terms = ir_terms_of(f->memory, e, lead);
  page_sum sum = {.n_terms = terms.n, .operations = page_operations(f, e)};
  const char **text = ARENA_ARRAY(f->memory, terms.n, const char *);
  for (int used = 0; sum.n < terms.n; sum.n++) {
    if (page_operations(f, terms.term[sum.n].node) > TERM_OPERATIONS) {
      break;
    }
    const formula *term = ir_term_formula(f->memory, names, &terms, sum.n);
    text[sum.n] = formula_term(f->memory, f->style, term, sum.n == 0);
    used += page_columns(f->style, text[sum.n]);
    if (used > room) {
      break;
    }
    f->met_universal |= has_universal(term);
  }
  sum.text = text;
  return sum;
}

page_sum page_formula(arena *a, spelling s, const formula *f, int room)
{
  int is_sum = f->kind == FORMULA_SUM;
  page_sum sum = {.n_terms = is_sum ? f->n : 1};
  const char **text = ARENA_ARRAY(a, sum.n_terms, const char *);
  for (int used = 0; sum.n < sum.n_terms && used <= room; sum.n++) {
    text[sum.n] = formula_term(a, s, is_sum ? f->part[sum.n] : f, sum.n == 0);
    used += page_columns(s, text[sum.n]);
  }
  sum.text = text;
  return sum;
}

const char *page_expression(page_printer *f, const ir_names *names, const ir_expr *e, double most)
{
  return page_operations(f, e) <= most
             ? formula_text(f->memory, f->style, ir_formula(f->memory, names, e))
             : NULL;
}
