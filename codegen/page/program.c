/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.c -- the formulas of an unrolled model: H, g, rho, C, N and the fibre flow.
 */
#include "page/page.h"

/* Columns that one formula takes at most, and how many are listed one below the other. */
#define ROOM   400
#define LISTED 8
/* What one value of the fibre flow has at most: beyond, it is more than one can read. */
#define SHORT 60.0

/* What the writers below share. */
typedef struct notes {
  arena *memory;
  const compilation *c;
  const ir_program *program;
  page_style style;
  sheet *sheet;
  page_printer *printer;
  page_names names;
} notes;

static notes take_notes(sheet *s, const compilation *c)
{
  notes n = {ir_context_arena(c->context), c, c->program, sheet_style(s), s, NULL, {{NULL}}};
  n.printer = page_printer_create(n.memory, c->context, n.style);
  n.names = page_program_names(n.memory, n.style, c->program);
  return n;
}

static void formula(notes *n, const char *left, const char *relation, const ir_expr *value)
{
  page_sum sum = page_terms(n->printer, &n->names, value, ROOM);
  sheet_formula(n->sheet, left, relation, &sum);
}

/* The number of constraint i in formulas: 0, for none, where it is the only one. */
static int number(const notes *n, int i)
{
  return n->program->nc > 1 ? i + 1 : 0;
}

static void count_more(notes *n, int more, const char *of_what)
{
  if (more > 0) {
    sheet_words(n->sheet, 2, arena_printf(n->memory, "... and %d more %s", more, of_what));
  }
}

int page_hamiltonian(sheet *s, const compilation *c)
{
  notes n = take_notes(s, c);
  const ir_expr *H = c->program->functions[IR_HAMILTONIAN].entries[0].value;
  const char *left = page_name(n.memory, n.style, c->model->hamiltonian_name);
  page_sum sum = page_terms(n.printer, &n.names, H, ROOM);
  sheet_formula(s, left, "=", &sum);
  return sum.n == sum.n_terms;
}

void page_constraints(sheet *s, const compilation *c)
{
  notes n = take_notes(s, c);
  const ir_function *g = &c->program->functions[IR_CONSTRAINT];
  for (int i = 0; i < g->rows && i < LISTED; i++) {
    const char *name = page_name(n.memory, n.style, page_dotted(n.memory, c->program->c_names[i]));
    const char *left = page_indexed(n.memory, n.style, "g", number(&n, i));
    const char *form = n.style == PAGE_LATEX ? "%s \\;(%s)" : "%s (%s)";
    formula(&n, arena_printf(n.memory, form, left, name), "=", g->entries[i].value);
  }
  count_more(&n, g->rows - LISTED, "constraints");
}

static void hidden(notes *n, const char *at)
{
  sheet_section(n->sheet, arena_printf(n->memory, "Hidden constraints, rho = {g, H}%s", at));
  const ir_function *rho = &n->program->functions[IR_HIDDEN];
  const char *letter = page_letter_text(n->style, LETTER_RHO);
  for (int i = 0; i < rho->rows && i < LISTED; i++) {
    formula(n, page_indexed(n->memory, n->style, letter, number(n, i)), "=", rho->entries[i].value);
  }
  count_more(n, rho->rows - LISTED, "hidden constraints");
}

/* ---- C and N ---- */

static const char *entry_name(const notes *n, const char *letter, int i, int j)
{
  const char *form = n->style == PAGE_LATEX ? "%s_{%d,%d}" : "%s[%d,%d]";
  return arena_printf(n->memory, form, letter, i + 1, j + 1);
}

/* The entries that are not zero, one below the other. */
static void list_entries(notes *n, const char *letter, const ir_function *f)
{
  for (int i = 0; i < f->n && i < LISTED; i++) {
    const ir_entry *e = &f->entries[i];
    formula(n, entry_name(n, letter, e->row, e->col), "=", e->value);
  }
  count_more(n, f->n - LISTED, "entries that are not zero");
}

static void matrix(notes *n, const char *letter, const ir_function *f)
{
  const double most = 40;
  if (f->n == 0) {
    sheet_line(n->sheet, arena_printf(n->memory, "%s = 0", letter));
    return;
  }
  int cells = f->rows * f->cols;
  const char **text = cells <= 64 ? ARENA_ARRAY(n->memory, cells, const char *) : NULL;
  for (int i = 0; text && i < cells; i++) {
    text[i] = "0";
  }
  for (int i = 0; text && i < f->n; i++) {
    const ir_entry *e = &f->entries[i];
    const char *value = page_expression(n->printer, &n->names, e->value, most);
    if (value) {
      text[e->row * f->cols + e->col] = value;
    } else {
      text = NULL;
    }
  }
  if (!text || !sheet_matrix(n->sheet, letter, f->rows, f->cols, text)) {
    list_entries(n, letter, f);
  }
}

/* ---- the fibre flow ---- */

static int is_kept(const ir_entry *e, int i)
{
  return e->value->kind == IR_INPUT && e->value->space == IR_Z && e->value->index == i;
}

static void fibre_flow(notes *n, const char *at)
{
  const ir_function *flow = &n->program->functions[IR_FIBRE_FLOW];
  if (flow->rows == 0) {
    return;
  }
  const char *arrow = page_letter_text(n->style, LETTER_MAPS_TO);
  sheet_section(n->sheet, arena_printf(n->memory, "Fibre flow, Gamma_lambda%s", at));
  int moved = 0;
  int listed = 0;
  for (int i = 0; i < flow->rows; i++) {
    if (is_kept(&flow->entries[i], i)) {
      continue;
    }
    moved++;
    if (listed < LISTED && page_operations(n->printer, flow->entries[i].value) <= SHORT) {
      formula(n, n->names.of[IR_Z][i], arrow, flow->entries[i].value);
      listed++;
    }
  }
  count_more(n, moved - listed, "values that it moves");
  if (moved < flow->rows) {
    sheet_words(n->sheet, 2,
                moved ? "and all else stays" : "nothing moves: the constraints are constant");
  }
}

void page_program(sheet *s, const compilation *c)
{
  const ir_program *p = c->program;
  if (!p || p->nc == 0) {
    return;
  }
  notes n = take_notes(s, c);
  const char *at = c->loops && *c->sibling ? arena_printf(n.memory, ", at %s", c->sibling) : "";
  if (c->loops) {
    sheet_section(s, arena_printf(n.memory, "Constraints%s", at));
    page_constraints(s, c);
  }
  hidden(&n, at);
  sheet_section(s, arena_printf(n.memory, "Coisotropy matrix, C_ij = {g_i, g_j}%s", at));
  matrix(&n, "C", &p->functions[IR_COISOTROPY]);
  sheet_section(s, arena_printf(n.memory, "Nondegeneracy matrix, N_ij = {{g_i, H}, g_j}%s", at));
  matrix(&n, "N", &p->functions[IR_NONDEGENERACY]);
  if (!c->loops) {
    fibre_flow(&n, at);
  }
}
