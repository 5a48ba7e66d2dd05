/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_program.c -- the formulas of an unrolled model: H, g, rho, C, N and the fibre flow.
 */
#include "expr/derivative.h"
#include "report/notes.h"

/* Maximal number of operations of a value of the fibre flow; longer ones are not readable. */
#define SHORT 60.0

int page_hamiltonian(const notes *n, int room)
{
  const ir_expr *H = n->program->functions[IR_HAMILTONIAN].entries[0].value;
  page_sum sum = page_terms(n->printer, &n->names, H, NULL, room);
  if (sum.n == sum.n_terms) {
    const char *left = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
    sheet_formula(n->sheet, left, "=", sum, "");
    return 1;
  }
  sheet_words(n->sheet, 4, "written out: %d term%s, %.6g operations", sum.n_terms,
              sum.n_terms == 1 ? "" : "s", sum.operations);
  return 0;
}

/* Writes the values of a function with one value per constraint, under these names. */
static void list_values(const notes *n, ir_function_id id,
                        const char *(*name)(const notes *n, int i))
{
  const ir_function *f = &n->program->functions[id];
  for (int i = 0; i < f->rows && i < LISTED; i++) {
    notes_value(n, name(n, i), "=", f->entries[i].value);
  }
  notes_more(n, f->rows - LISTED, "");
}

/* The name of a constraint with its number, which is its row in C and N. A letter g could be a name
 * of the model. */
static const char *numbered(const notes *n, int i)
{
  const char *form = n->style == SPELL_LATEX    ? "(%d)\\quad %s"
                     : n->style == SPELL_MATHML ? "(%d)<mspace width=\"1em\"/>%s"
                                                : "(%d) %s";
  const char *name = notes_constraint(n, i);
  return n->program->nc > 1 ? arena_printf(n->memory, form, i + 1, name) : name;
}

void page_constraints(const notes *n)
{
  list_values(n, IR_CONSTRAINT, numbered);
}

/* ---- C and N ---- */

static const char *cell_name(const notes *n, const char *letter, int i, int j)
{
  const char *form = n->style == SPELL_LATEX ? "%s_{%d,%d}" : "%s[%d,%d]";
  return arena_printf(n->memory, form, letter, i + 1, j + 1);
}

static int is_symmetric(const ir_function *f)
{
  for (int i = 0; i < f->n; i++) {
    if (f->entries[i].value != ir_entry_at(f, f->entries[i].col, f->entries[i].row)) {
      return 0;
    }
  }
  return 1;
}

/* Writes the entries that are not zero, one per line. */
static void list_entries(const notes *n, const char *letter, const ir_function *f)
{
  int symmetric = f->rows > 1 && is_symmetric(f);
  int shown = 0;
  int all = 0;
  for (int i = 0; i < f->n; i++) {
    const ir_entry *e = &f->entries[i];
    if (symmetric && e->row > e->col) {
      continue;
    }
    all++;
    if (shown < LISTED) {
      notes_value(n, cell_name(n, letter, e->row, e->col), "=", e->value);
      shown++;
    }
  }
  notes_more(n, all - shown, ", not 0");
  if (symmetric) {
    sheet_words(n->sheet, 0, "and likewise below the diagonal: it is symmetric");
  }
}

static void page_program_matrix(const notes *n, const char *letter, const ir_function *f)
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

void page_explain_universal(const notes *n)
{
  static const char *const what[] = {
      "G0(c,t) = cosh(sqrt(c) t), G1(c,t) = sinh(sqrt(c) t)/sqrt(c), G3(c,t) = (G1(c,t) - t)/c",
      "G₀(c,t) = cosh(√c t), G₁(c,t) = sinh(√c t)/√c, G₃(c,t) = (G₁(c,t) − t)/c",
      ("G_0(c,t) = \\cosh(\\sqrt{c}\\, t), \\quad G_1(c,t) = \\sinh(\\sqrt{c}\\, t)/\\sqrt{c}, "
       "\\quad G_3(c,t) = (G_1(c,t) - t)/c"),
      [SPELL_MATHML] = ("G_0(c,t) = \\cosh(<msqrt><mi>c</mi></msqrt>t), "
                        "G_1(c,t) = \\sinh(<msqrt><mi>c</mi></msqrt>t)/<msqrt><mi>c</mi></msqrt>, "
                        "G_3(c,t) = (G_1(c,t) - t)/c")};
  if (page_met_universal(n->printer)) {
    sheet_words(n->sheet, 0,
                "with the universal functions, which are entire in c: cos and sin for c < 0,");
    sheet_line(n->sheet, what[n->style]);
  }
}

static void page_program_fibre_flow(const notes *n)
{
  const ir_function *flow = &n->program->functions[IR_FIBRE_FLOW];
  if (flow->rows == 0) {
    return;
  }
  static const char *const what[] = {
      "Gamma_lambda = exp(sum_i lambda_i X_(g_i))", "Γ_λ = exp(Σ λᵢ X_gᵢ)",
      "\\Gamma_\\lambda = \\exp \\sum_i \\lambda_i X_{g_i}",
      [SPELL_MATHML] = "\\Gamma_\\lambda = \\exp \\sum_i \\lambda_i X_{g_i}"};
  const char *arrow = spelled_letter(n->style, LETTER_MAPS_TO);
  sheet_section_of(n->sheet, "Fibre flow", what[n->style], n->behind);
  int moved = 0;
  int listed = 0;
  for (int i = 0; i < flow->rows; i++) {
    const ir_expr *value = flow->entries[i].value;
    if (ir_is_input(value, IR_Z, i)) {
      continue;
    }
    moved++;
    if (listed < LISTED && page_operations(n->printer, value) <= SHORT) {
      const ir_expr *self = ir_input(n->c->context, IR_Z, i);
      sheet_formula(n->sheet, n->names.of[IR_Z][i]->text, arrow,
                    page_terms(n->printer, &n->names, value, self, ROOM), "");
      listed++;
    }
  }
  notes_more(n, moved - listed, ", which it moves as well");
  if (moved < flow->rows) {
    sheet_words(n->sheet, 0,
                moved ? "and all else stays" : "nothing moves: the constraints are constant");
  }
  page_explain_universal(n);
}

void page_program(const notes *n)
{
  static const char *const what_rho[] = {
      "rho = {g, H}", "ρ = {g, H}", "\\rho = \\{g, H\\}", [SPELL_MATHML] = "\\rho = \\{g, H\\}"};
  static const char *const what_C[] = {
      "C[i,j] = {g[i], g[j]}", "C[i,j] = {gᵢ, gⱼ}",
      "C_{i,j} = \\{g_i, g_j\\}", [SPELL_MATHML] = "C_{i,j} = \\{g_i, g_j\\}"};
  static const char *const what_N[] = {
      "N[i,j] = {{g[i], H}, g[j]}", "N[i,j] = {{gᵢ, H}, gⱼ}",
      "N_{i,j} = \\{\\{g_i, H\\}, g_j\\}", [SPELL_MATHML] = "N_{i,j} = \\{\\{g_i, H\\}, g_j\\}"};
  const ir_program *p = n->program;
  if (!p || p->nc == 0) {
    return;
  }
  if (n->c->loops) {
    sheet_section(n->sheet, "Constraints%s", n->behind);
    page_constraints(n);
  }
  sheet_section_of(n->sheet, "Hidden constraints", what_rho[n->style], n->behind);
  list_values(n, IR_HIDDEN, notes_hidden);
  sheet_section_of(n->sheet, "Coisotropy matrix", what_C[n->style], n->behind);
  page_program_matrix(n, "C", &p->functions[IR_COISOTROPY]);
  sheet_section_of(n->sheet, "Nondegeneracy matrix", what_N[n->style], n->behind);
  page_program_matrix(n, "N", &p->functions[IR_NONDEGENERACY]);
  if (!n->c->loops) {
    page_program_fibre_flow(n);
  }
}
