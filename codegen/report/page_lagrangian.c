/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_lagrangian.c -- L(q,v) from the file, and H(q,p), which follows from it.
 */
#include <limits.h>

#include "report/notes.h"
#include "report/page.h"

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
  const notes n = notes_take(sheet_plain(ir_context_arena(c->context)), c);
  const formula *H = c->loops ? of_kernels(&n) : NULL;
  const char *text =
      H          ? formula_text(n.memory, n.style, H)
      : c->loops ? NULL
                 : page_expression(n.printer, &n.names,
                                   c->program->functions[IR_HAMILTONIAN].entries[0].value, SHORT_H);
  return text ? text : in_words(&n);
}
