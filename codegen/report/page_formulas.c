/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_formulas.c -- the formulas of a page: L and H; g, rho, C, N and the fibre flow of an
 * unrolled model; formulas with indices for each family of a looped one.
 */
#include "expr/derivative.h"

#include <limits.h>

#include "report/notes.h"
#include "report/page.h"

/* Maximal number of operations of a value of the fibre flow; longer ones are not readable. */
#define SHORT_FLOW 60.0

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

/* Writes the values of a function with one value per row, under these names. */
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

static const char *force_name(const notes *n, int i)
{
  return spelled_name(n->memory, n->style, spelled_entry(n->memory, n->program->force_names[i]));
}

void page_forces(const notes *n)
{
  list_values(n, IR_FORCE, force_name);
}

/* ---- C and N ---- */

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
  const char *form = n->style == SPELL_LATEX ? "%s_{%d,%d}" : "%s[%d,%d]";
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
      notes_value(n, arena_printf(n->memory, form, letter, e->row + 1, e->col + 1), "=", e->value);
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

/* Explains G0, G1 and G3, if the formulas above contain one of them. */
static void explain_universal(const notes *n)
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
    if (listed < LISTED && page_operations(n->printer, value) <= SHORT_FLOW) {
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
  explain_universal(n);
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

/* ---- formulas with indices ---- */

/* Writes left = right, followed by `behind`. */
static void write_formula(const notes *n, const char *left, const formula *right,
                          const char *behind)
{
  sheet_formula(n->sheet, left, "=", page_formula(n->memory, n->style, right, INT_MAX), behind);
}

/* The suffix " (i in link)" of a formula that holds for all these indices; "" without binders. */
static const char *for_all(const notes *n, int count, const model_binder *const binders[],
                           const model_condition *condition)
{
  const char *domain = algebra_domain(n->algebra, count, binders, condition);
  const char *form = n->style == SPELL_LATEX ? " \\qquad (%s)" : "   (%s)";
  return *domain ? arena_printf(n->memory, form, domain) : "";
}

static void write_lets(const notes *n)
{
  const char *left = NULL;
  const formula *right = NULL;
  while (algebra_next_let(n->algebra, &left, &right)) {
    write_formula(n, left, right, "");
  }
}

void page_terms_of(const notes *n, const char *name)
{
  if (n->style == SPELL_ASCII) {
    return; /* in ASCII it would repeat the model file */
  }
  const model *m = n->c->model;
  const formula **term = ARENA_ARRAY(n->memory, m->n_terms + 1, const formula *);
  for (int i = 0; i < m->n_terms; i++) {
    term[i] = algebra_total(n->algebra, m->terms[i]);
  }
  write_formula(n, spelled_name(n->memory, n->style, name),
                formula_list(n->memory, FORMULA_SUM, m->n_terms, term), "");
  write_lets(n);
}

void page_bath(const notes *n)
{
  const model *m = n->c->model;
  const model_init *bath = m->inits[m->n_inits];
  for (int i = 0; i < bath->n; i++) {
    const model_assignment *a = &bath->assignments[i];
    const model_coordinate *q = a->coordinate;
    if (q->is_time || q->is_algebraic) {
      continue;
    }
    sheet_words(n->sheet, 0, "%s of %s", a->is_momentum ? "friction" : "temperature", q->momentum);
    if (a->values.body) {
      const char *left = spelled_name(n->memory, n->style, a->is_momentum ? "gamma" : "kT");
      write_formula(n, left, algebra_formula(n->algebra, a->values.body),
                    for_all(n, a->values.n_binders, a->values.binders, NULL));
    }
  }
  write_lets(n);
}

/* sign * x * y */
static const ir_expr *families_product(ir_context *c, int sign, const ir_expr *x, const ir_expr *y)
{
  const ir_expr *factors[] = {ir_integer(c, sign), x, y};
  return ir_mul(c, 3, factors);
}

/* ---- the hidden constraint ---- */

/* The atom (dH/dx), used as a factor. */
static const formula *slope(const notes *n, const formula *x)
{
  static const char *const forms[] = {
      "(d%s/d%s)", "(∂%s/∂%s)", "\\frac{\\partial %s}{\\partial %s}",
      [SPELL_MATHML] = "<mfrac><mrow><mo>∂</mo>%s</mrow><mrow><mo>∂</mo>%s</mrow></mfrac>"};
  const char *H = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
  return formula_atom(n->memory, FORMULA_ATOM,
                      arena_printf(n->memory, forms[n->style], H, x->text));
}

/* Writes rho = g_q . H_p - g_p . H_q. The derivatives of H are named as multipliers. */
static void write_hidden(const notes *n, const char *g, const ir_part *part)
{
  ir_context *c = n->c->context;
  const ir_kernel *k = &part->kernel;
  ir_names names = ir_kernel_names(n->memory, n->style, k);
  const formula **slopes = ARENA_ARRAY(n->memory, 2 * k->n_sites + 1, const formula *);
  const ir_expr **terms = ARENA_ARRAY(n->memory, k->gradient.n + 1, const ir_expr *);
  for (int i = 0; i < k->gradient.n; i++) {
    const ir_entry *e = &k->gradient.entries[i];
    int is_position = e->row < k->n_sites;
    int other = is_position ? e->row + k->n_sites : e->row - k->n_sites;
    slopes[other] = slope(n, names.of[IR_Z][other]);
    terms[i] = families_product(c, is_position ? 1 : -1, ir_input(c, IR_LAMBDA, other), e->value);
  }
  names.of[IR_LAMBDA] = slopes;
  const char *H = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
  page_sum sum = page_terms(n->printer, &names, ir_add(c, k->gradient.n, terms), NULL, ROOM);
  sheet_formula(n->sheet, notes_bracket(n, g, H), "=", sum,
                for_all(n, part->nest.n, part->nest.binders, part->nest.condition));
}

/* ---- the fibre flow ---- */

static void write_flow(const notes *n, const ir_looped_family *f, const ir_part *part)
{
  ir_context *c = n->c->context;
  const ir_kernel *k = &part->kernel;
  ir_names names = ir_kernel_names(n->memory, n->style, k);
  int is_closed = f->fibre == IR_FIBRE_CLOSED;
  const ir_function *of = is_closed ? &f->flow : &k->gradient;
  for (int i = 0; i < of->n && i < LISTED; i++) {
    int row = is_closed ? i : of->entries[i].row;
    const ir_expr *value = of->entries[i].value;
    if (!is_closed) {
      /* X_g = (g_p, -g_q): p changes by the derivative by q, and q by the derivative by p. */
      int sign = f->fibre == IR_FIBRE_SHIFT_P ? -1 : 1;
      row -= sign * k->n_sites;
      const ir_expr *moved[] = {ir_input(c, IR_Z, row),
                                families_product(c, sign, ir_input(c, IR_LAMBDA, 0), value)};
      value = ir_add(c, 2, moved);
    }
    page_sum sum = page_terms(n->printer, &names, value, ir_input(c, IR_Z, row), ROOM);
    sheet_formula(n->sheet, names.of[IR_Z][row]->text, spelled_letter(n->style, LETTER_MAPS_TO),
                  sum, for_all(n, part->nest.n, part->nest.binders, part->nest.condition));
  }
}

/* The name of a family with the names of its binders: name[i,j]. */
static const char *family_name(const notes *n, const model_family *f)
{
  const char *text = f->name;
  for (int i = 0; i < f->n_binders; i++) {
    text = arena_printf(n->memory, "%s%s%s", text, i ? "," : "[", f->binders[i]->name);
  }
  return spelled_name(n->memory, n->style,
                      f->n_binders ? arena_printf(n->memory, "%s]", text) : text);
}

static void families_write_family(const notes *n, const ir_looped_family *f)
{
  const model_family *own = f->family;
  const char *name = family_name(n, own);
  sheet_section(n->sheet, "Constraint %s, for all %s", own->heading, n->varied);
  write_formula(n, name, algebra_formula(n->algebra, own->body),
                for_all(n, own->n_binders, own->binders, own->condition));
  write_lets(n);
  for (int i = 0; i < f->n_parts; i++) {
    write_hidden(n, name, &f->parts[i]);
  }
  if (f->fibre == IR_FIBRE_NUMERICAL) {
    sheet_words(n->sheet, 0, "and its fibre flow is integrated numerically");
    return;
  }
  sheet_words(n->sheet, 0, "and its fibre flow with multiplier $\\lambda$ is");
  for (int i = 0; i < f->n_parts; i++) {
    write_flow(n, f, &f->parts[i]);
  }
}

void page_families(const notes *n)
{
  const ir_loops *l = n->c->loops;
  notes own = *n;
  /* so that lets are defined here as well */
  own.algebra = algebra_create(n->memory, n->style, n->c->model);
  for (int i = 0; i < l->n_constraints; i++) {
    families_write_family(&own, &l->constraints[i]);
  }
  explain_universal(n);
}

/* ---- L and H ---- */

/* Maximal columns of L, which has a second form, and of H, which has none; maximal operations of H
 * on one line. */
#define ROOM_L  200
#define ROOM_H  1200
#define SHORT_H 120.0

/* Writes L in full. Returns 0 if it was shortened. */
static int page_lagrangian_written_out(const notes *n, const char *name)
{
  const ir_program *p = n->program;
  arena *a = n->memory;
  if (n->c->loops || !p->lagrangian) {
    return 0;
  }
  ir_program with_velocities = *p;
  const char **v = ARENA_ARRAY(a, p->nq + 1, const char *);
  for (int i = 0; i < n->c->model->n_coordinates; i++) {
    const model_coordinate *q = n->c->model->coordinates[i];
    const char *const *entries = model_shape_names(a, q->velocity ? q->velocity : "", &q->shape);
    for (long j = 0; j < q->shape.count; j++) {
      v[q->offset + j] = entries[j];
    }
  }
  with_velocities.p_names = v;
  const ir_names names = ir_program_names(a, n->style, &with_velocities);
  page_sum sum = page_terms(n->printer, &names, p->lagrangian, NULL, ROOM_L);
  if (sum.n == sum.n_terms) {
    sheet_formula(n->sheet, spelled_name(a, n->style, name), "=", sum, "");
  }
  return sum.n == sum.n_terms;
}

/* H of a looped model: the sum of its kernels over their sets. NULL if a kernel is too long. */
static const formula *of_kernels(const notes *n)
{
  const ir_looped_family *H = &n->c->loops->hamiltonian;
  const formula **term = ARENA_ARRAY(n->memory, H->n_parts + 1, const formula *);
  for (int i = 0; i < H->n_parts; i++) {
    const ir_part *part = &H->parts[i];
    const ir_names names = ir_kernel_names(n->memory, n->style, &part->kernel);
    if (page_operations(n->printer, part->kernel.value) > ROOM) {
      return NULL;
    }
    term[i] = algebra_over(n->algebra, FORMULA_SUM_OVER, part->nest.n, part->nest.binders,
                           part->nest.condition, ir_formula(n->memory, &names, part->kernel.value));
  }
  return formula_list(n->memory, FORMULA_SUM, H->n_parts, term);
}

/* A description of H, for a long formula. */
static const char *in_words(const notes *n)
{
  const char *form = n->style == SPELL_LATEX ? "p v - %s, \\quad %s_v = p"
                                             : "p.v - %s with the velocities of %s_v = p";
  const char *L = spelled_name(n->memory, n->style, n->c->model->lagrangian_name);
  return arena_printf(n->memory, form, L, L);
}

static void page_lagrangian_hamiltonian(const notes *n)
{
  const char *left = spelled_name(n->memory, n->style, n->c->model->hamiltonian_name);
  const formula *H = n->c->loops ? of_kernels(n) : NULL;
  if (H) {
    sheet_formula(n->sheet, left, "=", page_formula(n->memory, n->style, H, INT_MAX), "");
  } else if (n->c->loops || !page_hamiltonian(n, ROOM_H)) {
    const char *text = in_words(n);
    sheet_formula(n->sheet, left, "=", (page_sum){.n_terms = 1, .n = 1, .text = &text}, "");
  }
}

void page_lagrangian(const notes *n)
{
  const model *m = n->c->model;
  sheet_section(n->sheet, "Lagrangian");
  sheet_source(n->sheet, "%s = %s", m->lagrangian_name, m->lagrangian_text);
  if (!page_lagrangian_written_out(n, m->lagrangian_name)) {
    page_terms_of(n, m->lagrangian_name);
  }
  sheet_section(n->sheet, "Hamiltonian");
  page_lagrangian_hamiltonian(n);
}

const char *page_hamiltonian_text(const compilation *c)
{
  if (!c->model->lagrangian_name) {
    return c->model->hamiltonian_text;
  }
  const notes n = notes_plain(c);
  const formula *H = c->loops ? of_kernels(&n) : NULL;
  const char *text =
      H          ? formula_text(n.memory, n.style, H)
      : c->loops ? NULL
                 : page_expression(n.printer, &n.names,
                                   c->program->functions[IR_HAMILTONIAN].entries[0].value, SHORT_H);
  return text ? text : in_words(&n);
}
