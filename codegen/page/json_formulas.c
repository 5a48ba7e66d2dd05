/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_formulas.c -- H, g, rho, C, N and the fibre flow in JSON; the families of looped models.
 */
#include <string.h>

#include "page/json_parts.h"

/* [{"constraint": ..., "formula": ...}, ...] for a function with one value a constraint. */
static json_t *by_constraint(json_author *w, const ir_function *f)
{
  json_t *list = json_array();
  for (int i = 0; i < f->rows; i++) {
    json_t *value = json_object();
    json_put(w, value, "constraint", json_words(w, json_constraint(w, i)));
    json_put(w, value, "formula", json_formula(w, f->entries[i].value));
    json_add(w, list, value);
  }
  return list;
}

/* The entries that are not identically zero. */
static json_t *matrix(json_author *w, const ir_function *f)
{
  json_t *object = json_object();
  json_t *entries = json_array();
  json_put(w, object, "rows", json_integer(f->rows));
  json_put(w, object, "columns", json_integer(f->cols));
  for (int i = 0; i < f->n; i++) {
    json_t *entry = json_object();
    json_put(w, entry, "row", json_integer(f->entries[i].row + 1));
    json_put(w, entry, "column", json_integer(f->entries[i].col + 1));
    json_put(w, entry, "formula", json_formula(w, f->entries[i].value));
    json_add(w, entries, entry);
  }
  json_put(w, object, "entries", entries);
  return object;
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
    if (value->kind == IR_INPUT && value->space == IR_Z && value->index == i) {
      continue;
    }
    json_t *moved = json_object();
    json_put(w, moved, "entry", json_words(w, w->names.of[IR_Z][i]->text));
    json_put(w, moved, "formula", json_formula(w, value));
    json_add(w, list, moved);
  }
  return list;
}

json_t *json_program(json_author *w)
{
  const ir_program *p = w->c->program;
  if (!p) {
    return json_null();
  }
  json_t *object = json_object();
  json_put(w, object, "sizes", w->c->loops ? json_words(w, w->c->sibling) : json_null());
  json_put(w, object, "positions", json_names(w, p->nq, p->q_names));
  json_put(w, object, "momenta", json_names(w, p->nq, p->p_names));
  json_put(w, object, "parameters", json_names(w, p->nk, p->k_names));
  json_put(w, object, "defaults", json_numbers(w, p->nk, p->k_default));
  json_put(w, object, "hamiltonian",
           json_formula(w, p->functions[IR_HAMILTONIAN].entries[0].value));
  if (p->nc > 0) {
    json_put(w, object, "constraints", by_constraint(w, &p->functions[IR_CONSTRAINT]));
    json_put(w, object, "hidden", by_constraint(w, &p->functions[IR_HIDDEN]));
    json_put(w, object, "coisotropy", matrix(w, &p->functions[IR_COISOTROPY]));
    json_put(w, object, "nondegeneracy", matrix(w, &p->functions[IR_NONDEGENERACY]));
    json_put(w, object, "fibre_flow", flow(w, &p->functions[IR_FIBRE_FLOW]));
  }
  return object;
}

/* ---- looped ---- */

/* A kernel's derivatives by the entries that it reads. */
static json_t *gradient(json_author *w, const ir_kernel *k)
{
  json_t *list = json_array();
  ir_names program = w->names;
  w->names = page_kernel_names(w->memory, SPELL_ASCII, k);
  for (int i = 0; i < k->gradient.n; i++) {
    const ir_entry *e = &k->gradient.entries[i];
    json_t *entry = json_object();
    json_put(w, entry, "by", json_words(w, w->names.of[IR_Z][e->row]->text));
    json_put(w, entry, "formula", json_formula(w, e->value));
    json_add(w, list, entry);
  }
  w->names = program;
  return list;
}

static json_t *binder_names(json_author *w, int n, const model_binder *const binders[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_t *binder = json_object();
    json_put(w, binder, "name", json_words(w, binders[i]->name));
    json_put(w, binder, "set", json_words(w, binders[i]->set ? binders[i]->set->name : NULL));
    json_add(w, list, binder);
  }
  return list;
}

json_t *json_families(json_author *w)
{
  static const char *const fibres[] = {[IR_FIBRE_SHIFT_P] = "shift_of_p",
                                       [IR_FIBRE_SHIFT_Q] = "shift_of_q",
                                       [IR_FIBRE_CLOSED] = "closed",
                                       [IR_FIBRE_NUMERICAL] = "numerical"};
  const ir_loops *l = w->c->loops;
  if (!l) {
    return json_null();
  }
  json_t *list = json_array();
  for (int i = 0; i < l->n_constraints; i++) {
    const ir_looped_family *f = &l->constraints[i];
    json_t *family = json_object();
    json_t *parts = json_array();
    json_put(w, family, "name", json_words(w, f->family->name));
    json_put(w, family, "indices", binder_names(w, f->family->n_binders, f->family->binders));
    json_put(w, family, "fibre", json_words(w, fibres[f->fibre]));
    for (int j = 0; j < f->n_parts; j++) {
      json_t *part = json_object();
      const ir_nest *nest = &f->parts[j].nest;
      json_put(w, part, "summed_over", binder_names(w, nest->n, nest->binders));
      json_put(w, part, "derivatives", gradient(w, &f->parts[j].kernel));
      json_add(w, parts, part);
    }
    json_put(w, family, "parts", parts);
    json_add(w, list, family);
  }
  return list;
}
