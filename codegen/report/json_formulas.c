/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_formulas.c -- H, g, rho, C, N and the fibre flow in JSON; the families of looped models.
 */
#include "report/json_parts.h"

/* For a function with one value a constraint. */
static json_t *by_constraint(json_author *w, const ir_function *f)
{
  json_t *list = json_array();
  for (int i = 0; i < f->rows; i++) {
    json_add(w, list, json_made(w, "constraint:c formula:e", i, f->entries[i].value));
  }
  return list;
}

/* The entries that are not identically zero. */
static json_t *matrix(json_author *w, const ir_function *f)
{
  json_t *entries = json_array();
  for (int i = 0; i < f->n; i++) {
    const ir_entry *e = &f->entries[i];
    json_add(w, entries,
             json_made(w, "row:i column:i formula:e", e->row + 1, e->col + 1, e->value));
  }
  return json_made(w, "rows:i columns:i entries:o", f->rows, f->cols, entries);
}

/* What a point of the fibre through (q, p) has in place of each entry; null where no closed form is known. */
static json_t *flow(json_author *w, const ir_function *f)
{
  if (f->rows == 0) {
    return json_null();
  }
  json_t *list = json_array();
  for (int i = 0; i < f->rows; i++) {
    const ir_expr *value = f->entries[i].value;
    if (!ir_is_input(value, IR_Z, i)) {
      json_add(w, list, json_made(w, "entry:w formula:e", w->names.of[IR_Z][i]->text, value));
    }
  }
  return list;
}

json_t *json_program(json_author *w)
{
  const ir_program *p = w->c->program;
  if (!p) {
    return json_null();
  }
  const ir_function *f = p->functions;
  json_t *object =
      json_made(w, "sizes:w positions:o momenta:o parameters:o defaults:o hamiltonian:e",
                w->c->loops ? w->c->sibling : NULL, json_names(w, p->nq, p->q_names),
                json_names(w, p->nq, p->p_names), json_names(w, p->nk, p->k_names),
                json_numbers(w, p->nk, p->k_default), f[IR_HAMILTONIAN].entries[0].value);
  if (p->nc > 0) {
    json_join(w, object,
              json_made(w, "constraints:o hidden:o coisotropy:o nondegeneracy:o fibre_flow:o",
                        by_constraint(w, &f[IR_CONSTRAINT]), by_constraint(w, &f[IR_HIDDEN]),
                        matrix(w, &f[IR_COISOTROPY]), matrix(w, &f[IR_NONDEGENERACY]),
                        flow(w, &f[IR_FIBRE_FLOW])));
  }
  return object;
}

/* ---- looped ---- */

/* A kernel's derivatives by the entries that it reads. */
static json_t *gradient(json_author *w, const ir_kernel *k)
{
  json_t *list = json_array();
  ir_names program = w->names;
  w->names = ir_kernel_names(w->memory, SPELL_ASCII, k);
  for (int i = 0; i < k->gradient.n; i++) {
    const ir_entry *e = &k->gradient.entries[i];
    json_add(w, list, json_made(w, "by:w formula:e", w->names.of[IR_Z][e->row]->text, e->value));
  }
  w->names = program;
  return list;
}

static json_t *binder_names(json_author *w, int n, const model_binder *const binders[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    const model_set *set = binders[i]->set;
    json_add(w, list, json_made(w, "name:w set:w", binders[i]->name, set ? set->name : NULL));
  }
  return list;
}

static json_t *family(json_author *w, int i)
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
    json_add(w, parts,
             json_made(w, "summed_over:o derivatives:o", binder_names(w, nest->n, nest->binders),
                       gradient(w, &f->parts[j].kernel)));
  }
  return json_made(w, "name:w indices:o fibre:w parts:o", own->name,
                   binder_names(w, own->n_binders, own->binders), fibres[f->fibre], parts);
}

json_t *json_families(json_author *w)
{
  const ir_loops *l = w->c->loops;
  return l ? json_list(w, l->n_constraints, family) : json_null();
}
