/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c -- the output of `sidewinder check --json`.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rational.h"
#include "report/json_parts.h"
#include "report/page.h"

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
static json_t *json_matrix(const notes *w, const ir_function *f)
{
  json_t *entries = json_array();
  for (int i = 0; i < f->n; i++) {
    const ir_entry *e = &f->entries[i];
    json_add(entries, json_made(w, "row:i column:i formula:e", e->row + 1, e->col + 1, e->value));
  }
  return json_made(w, "rows:i columns:i entries:o", f->rows, f->cols, entries);
}

/* The fibre flow through (q, p): the entries that change; null if no closed form is known. */
static json_t *json_flow(const notes *w, const ir_function *f)
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

/* Formulas of c->program; null without a program. */
static json_t *json_program(const notes *w)
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
                        json_matrix(w, &f[IR_COISOTROPY]), json_matrix(w, &f[IR_NONDEGENERACY]),
                        json_flow(w, &f[IR_FIBRE_FLOW])));
  }
  return object;
}

/* ---- looped ---- */

/* The derivatives of a kernel by the entries that it reads. */
static json_t *json_gradient(const notes *w, const ir_kernel *k)
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
                       json_gradient(w, &f->parts[j].kernel)));
  }
  return json_made(w, "name:w indices:o fibre:w parts:o", own->name,
                   binder_names(w, own->n_binders, own->binders), fibres[f->fibre], parts);
}

/* Formulas of c->loops; null for an unrolled model. */
static json_t *json_families(const notes *w)
{
  const ir_loops *l = w->c->loops;
  return l ? json_list(w, l->n_constraints, family) : json_null();
}

/* Change it with every incompatible change of the object. */
#define SCHEMA "sidewinder-check-2"

static json_t *set_names(const model_shape *s)
{
  json_t *sets = json_array();
  for (int i = 0; i < s->n; i++) {
    json_add(sets, json_string(s->sets[i]->name));
  }
  return sets;
}

static json_t *json_size(const notes *w, int i)
{
  const model_size *s = w->c->model->sizes[i];
  return json_made(w, "name:w value:o", s->name,
                   s->is_data ? json_null() : json_integer((json_int_t)s->value));
}

static json_t *indices(const notes *w, int i)
{
  const model_indices *own = w->c->model->indices[i];
  return json_made(w, "name:w set:w target:w", own->name, own->set->name, own->target->name);
}

static json_t *coordinate(const notes *w, int i)
{
  const model_coordinate *q = w->c->model->coordinates[i];
  json_t *velocity = q->velocity ? json_string(q->velocity) : json_null();
  return json_made(w, "position:w momentum:w velocity:o sets:o count:l algebraic:b", q->name,
                   q->momentum, velocity, set_names(&q->shape), q->shape.count, q->is_algebraic);
}

/* A bound of a parameter; null if there is none. */
static json_t *bound(const notes *w, mpq_srcptr value, int is_closed)
{
  return value ? json_made(w, "value:r allowed:b", rational_double(value), is_closed) : json_null();
}

static json_t *parameter(const notes *w, int i)
{
  const model_parameter *k = w->c->model->parameters[i];
  return json_made(w, "name:w sets:o count:l data:b lower:o upper:o", k->name, set_names(&k->shape),
                   k->shape.count, k->is_data, bound(w, k->lower, k->lower_closed),
                   bound(w, k->upper, k->upper_closed));
}

static json_t *json_constraint(const notes *w, int i)
{
  const model_family *f = w->c->model->constraints[i];
  json_t *reads = json_array();
  for (int j = 0; j < f->n_slots; j++) {
    json_add(reads, json_string(f->slots[j].text));
  }
  return json_made(w, "name:w heading:w text:w instances:l reads:o", f->name, f->heading, f->text,
                   f->count, reads);
}

static json_t *degree(int of)
{
  return of < 0 ? json_null() : json_integer(of);
}

static json_t *part(const notes *w, int i)
{
  static const char *const flows[] = {[FLOW_KICK] = "kick",
                                      [FLOW_MIXED] = "mixed",
                                      [FLOW_DRIFT] = "drift",
                                      [FLOW_LINEAR] = "linear"};
  const record_part *p = &w->found->splitting.parts[i];
  return json_made(w, "flow:w formula:e", flows[p->flow], p->value);
}

/* The parts are listed unless they follow from the form of H. */
static json_t *splitting(const notes *w)
{
  static const char *const divisions[] = {[DIVISION_NONE] = "none",
                                          [DIVISION_WHOLE] = "whole",
                                          [DIVISION_VERLET] = "verlet",
                                          [DIVISION_PARTS] = "parts"};
  const record_division division = notes_division(w);
  return json_made(w, "division:w parts:o undivided:w", divisions[division],
                   json_list(w, division == DIVISION_PARTS ? w->found->splitting.n : 0, part),
                   w->c->undivided);
}

static json_t *structure(const notes *w)
{
  static const char *const mass[] = {[IR_MASS_GENERAL] = "general",
                                     [IR_MASS_CONSTANT] = "constant",
                                     [IR_MASS_CONSTANT_DIAGONAL] = "constant_diagonal"};
  const ir_structure *s = w->structure;
  if (!s) {
    return json_null();
  }
  return json_made(w,
                   "separable:b mass_matrix:w degree_H:o holonomic:b degree_g:o fibre_flow:w "
                   "splitting:o",
                   s->separable, mass[s->mass], degree(s->degree_H), s->holonomic,
                   degree(s->degree_g), s->fibre && *s->fibre ? s->fibre : NULL, splitting(w));
}

static json_t *json_state(const notes *w, int i)
{
  const record_state *s = &w->found->states[i];
  return json_made(w,
                   "name:w finite:b largest_g:r largest_rho:r condition_of_N:r N_singular:b on_M:b "
                   "on_MH:b",
                   w->program->states[i].name, s->finite, s->largest_g, s->largest_hidden,
                   s->condition, s->finite && isinf(s->condition), s->on_M, s->on_MH);
}

static json_t *the_model(const notes *w)
{
  const compilation *c = w->c;
  const model *m = c->model;
  json_t *hamiltonian =
      json_made(w, "name:w text:w", m->hamiltonian_name, page_hamiltonian_text(c));
  json_t *lagrangian =
      m->lagrangian_name
          ? json_made(w, "name:w text:w coupled:l factorised:l", m->lagrangian_name,
                      m->lagrangian_text, (long)w->structure->coupled, (long)w->structure->solved)
          : json_null();
  return json_made(w,
                   "file:w name:w title:w digest:w lowering:w d:l m:l parameter_count:l sizes:o "
                   "indices:o coordinates:o parameters:o lagrangian:o hamiltonian:o constraints:o",
                   c->file, m->name, m->title, c->digest, c->loops ? "looped" : "unrolled", m->nq,
                   m->nc, m->nk, json_list(w, m->n_sizes, json_size),
                   json_list(w, m->n_indices, indices), json_list(w, m->n_coordinates, coordinate),
                   json_list(w, m->n_parameters, parameter), lagrangian, hamiltonian,
                   json_list(w, m->n_constraints, json_constraint));
}

static json_t *json_aside(const notes *w, int i)
{
  return json_made(w, "size:w reason:w", w->c->aside[i].at,
                   page_prose(w->memory, w->style, notes_aside(w, i)));
}

const char *page_json(const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  const ir_program *p = c->program;
  const notes w = notes_plain(c);
  json_t *page = json_made(&w, "schema:w answer:w conclusion:w set_aside:o refusal:o", SCHEMA,
                           page_answer_name(c), page_conclusion(c),
                           json_list(&w, c->n_aside, json_aside), json_refusal(&w));
  json_join(page, the_model(&w));
  json_join(page, json_made(&w, "structure:o families:o formulas:o verdicts:o states:o",
                            structure(&w), json_families(&w), json_program(&w), json_verdicts(&w),
                            json_list(&w, p && p->nc > 0 ? p->n_states : 0, json_state)));
  json_join(page, json_made(&w, "no_generated_step:w no_accelerations:w no_discrete_gradients:w",
                            c->unfused, c->unaccelerated, c->undiscrete));
  char *text = json_dumps(page, JSON_INDENT(2));
  json_require(text != NULL);
  const char *copy = arena_printf(a, "%s\n", text);
  json_decref(page);
  free(text);
  return copy;
}
