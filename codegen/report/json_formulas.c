/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_formulas.c -- H, g, rho, C, N and the fibre flow as JSON, and the families of looped models.
 */
#include "report/json_parts.h"

/* A function with one value per constraint. */
static json_t *by_constraint(const notes *w, const ir_function *f)
{
  json_t *list = json_array();
  for (int i = 0; i < f->rows; i++) {
    json_add(list, json_made(w, "constraint:c formula:e", i, f->entries[i].value));
  }
  return list;
}

/* A matrix: its entries that are not identically zero. */
static json_t *json_formulas_matrix(const notes *w, const ir_function *f)
{
  json_t *entries = json_array();
  for (int i = 0; i < f->n; i++) {
    const ir_entry *e = &f->entries[i];
    json_add(entries, json_made(w, "row:i column:i formula:e", e->row + 1, e->col + 1, e->value));
  }
  return json_made(w, "rows:i columns:i entries:o", f->rows, f->cols, entries);
}

/* The fibre flow through (q, p): the entries that change; null if no closed form is known. */
static json_t *json_formulas_flow(const notes *w, const ir_function *f)
{
  if (f->rows == 0) {
    return json_null();
  }
  json_t *list = json_array();
  for (int i = 0; i < f->rows; i++) {
    const ir_expr *value = f->entries[i].value;
    if (!ir_is_input(value, IR_Z, i)) {
      json_add(list, json_made(w, "entry:w formula:e", w->names.of[IR_Z][i]->text, value));
    }
  }
  return list;
}

json_t *json_program(const notes *w)
{
  const ir_program *p = w->program;
  if (!p) {
    return json_null();
  }
  const ir_function *f = p->functions;
  json_t *object =
      json_made(w, "sizes:w positions:o momenta:o parameters:o defaults:o hamiltonian:e",
                w->c->loops ? w->c->sibling : NULL, json_names(w, p->nq, p->q_names),
                json_names(w, p->nq, p->p_names), json_names(w, p->nk, p->k_names),
                json_numbers(p->nk, p->k_default), f[IR_HAMILTONIAN].entries[0].value);
  if (p->nc > 0) {
    json_join(object,
              json_made(w, "constraints:o hidden:o coisotropy:o nondegeneracy:o fibre_flow:o",
                        by_constraint(w, &f[IR_CONSTRAINT]), by_constraint(w, &f[IR_HIDDEN]),
                        json_formulas_matrix(w, &f[IR_COISOTROPY]),
                        json_formulas_matrix(w, &f[IR_NONDEGENERACY]),
                        json_formulas_flow(w, &f[IR_FIBRE_FLOW])));
  }
  return object;
}

/* ---- looped ---- */

/* The derivatives of a kernel by the entries that it reads. */
static json_t *json_formulas_gradient(const notes *w, const ir_kernel *k)
{
  json_t *list = json_array();
  notes own = *w;
  own.names = ir_kernel_names(w->memory, SPELL_ASCII, k);
  for (int i = 0; i < k->gradient.n; i++) {
    const ir_entry *e = &k->gradient.entries[i];
    json_add(list, json_made(&own, "by:w formula:e", own.names.of[IR_Z][e->row]->text, e->value));
  }
  return list;
}

static json_t *binder_names(const notes *w, int n, const model_binder *const binders[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    const model_set *set = binders[i]->set;
    json_add(list, json_made(w, "name:w set:w", binders[i]->name, set ? set->name : NULL));
  }
  return list;
}

static json_t *family(const notes *w, int i)
{
  static const char *const fibres[] = {[IR_FIBRE_SHIFT_P] = "shift_of_p",
                                       [IR_FIBRE_SHIFT_Q] = "shift_of_q",
                                       [IR_FIBRE_CLOSED] = "closed",
                                       [IR_FIBRE_NUMERICAL] = "numerical"};
  const ir_looped_family *f = &w->c->loops->constraints[i];
  const model_family *own = f->family;
  json_t *parts = json_array();
  for (int j = 0; j < f->n_parts; j++) {
    const ir_nest *nest = &f->parts[j].nest;
    json_add(parts,
             json_made(w, "summed_over:o derivatives:o", binder_names(w, nest->n, nest->binders),
                       json_formulas_gradient(w, &f->parts[j].kernel)));
  }
  return json_made(w, "name:w indices:o fibre:w parts:o", own->name,
                   binder_names(w, own->n_binders, own->binders), fibres[f->fibre], parts);
}

json_t *json_families(const notes *w)
{
  const ir_loops *l = w->c->loops;
  return l ? json_list(w, l->n_constraints, family) : json_null();
}
