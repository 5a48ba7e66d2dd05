/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c -- what `sidewinder check --json` prints.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/rational.h"
#include "report/json_parts.h"

/* Changes with what programs that read the object would notice. */
#define SCHEMA "sidewinder-check-2"

static json_t *set_names(json_author *w, const model_shape *s)
{
  json_t *sets = json_array();
  for (int i = 0; i < s->n; i++) {
    json_add(w, sets, json_string(s->sets[i]->name));
  }
  return sets;
}

static json_t *size(json_author *w, int i)
{
  const model_size *s = w->c->model->sizes[i];
  return json_made(w, "name:w value:l", s->name, s->value);
}

static json_t *coordinate(json_author *w, int i)
{
  const model_coordinate *q = w->c->model->coordinates[i];
  return json_made(w, "position:w momentum:w sets:o count:l algebraic:b", q->name, q->momentum,
                   set_names(w, &q->shape), q->shape.count, q->is_algebraic);
}

/* A bound of a parameter: null where there is none. */
static json_t *bound(json_author *w, mpq_srcptr value, int is_closed)
{
  return value ? json_made(w, "value:r allowed:b", rational_double(value), is_closed) : json_null();
}

static json_t *parameter(json_author *w, int i)
{
  const model_parameter *k = w->c->model->parameters[i];
  return json_made(w, "name:w sets:o count:l lower:o upper:o", k->name, set_names(w, &k->shape),
                   k->shape.count, bound(w, k->lower, k->lower_closed),
                   bound(w, k->upper, k->upper_closed));
}

static json_t *constraint(json_author *w, int i)
{
  const model_family *f = w->c->model->constraints[i];
  json_t *reads = json_array();
  for (int j = 0; j < f->n_slots; j++) {
    json_add(w, reads, json_string(f->slots[j].text));
  }
  return json_made(w, "name:w heading:w text:w instances:l reads:o", f->name, f->heading, f->text,
                   f->count, reads);
}

static json_t *degree(int of)
{
  return of < 0 ? json_null() : json_integer(of);
}

static json_t *structure(json_author *w)
{
  static const char *const mass[] = {[IR_MASS_GENERAL] = "general",
                                     [IR_MASS_CONSTANT] = "constant",
                                     [IR_MASS_CONSTANT_DIAGONAL] = "constant_diagonal"};
  const compilation *c = w->c;
  if (!c->loops && !c->program) {
    return json_null();
  }
  const ir_structure *s = c->loops ? &c->loops->structure : &c->program->structure;
  return json_made(w, "separable:b mass_matrix:w degree_H:o holonomic:b degree_g:o fibre_flow:w",
                   s->separable, mass[s->mass], degree(s->degree_H), s->holonomic,
                   degree(s->degree_g), s->fibre && *s->fibre ? s->fibre : NULL);
}

static json_t *state(json_author *w, int i)
{
  const record_state *s = &w->c->found->states[i];
  return json_made(w,
                   "name:w finite:b largest_g:r largest_rho:r condition_of_N:r N_singular:b on_M:b "
                   "on_MH:b",
                   w->c->program->states[i].name, s->finite, s->largest_g, s->largest_hidden,
                   s->condition, s->finite && isinf(s->condition), s->on_M, s->on_MH);
}

/* Names of the constraints that a refusal is about. */
static json_t *culprits(json_author *w, const record *found)
{
  const record_independence *d = &found->independence;
  int most = d->n_redundant > found->n_conserved ? d->n_redundant : found->n_conserved;
  int *list = ARENA_ARRAY(w->memory, most + 1, int);
  int n = 0;
  switch (found->refused) {
  case REFUSED_SECOND_CLASS:
    return json_pair(w, found->pair);
  case REFUSED_NO_POINT:
    return json_constraints(w, d->n_conflicting, d->conflicting);
  case REFUSED_FLAT:
    list[n++] = d->flat;
    break;
  case REFUSED_DEPENDENT:
    for (; n < d->n_redundant; n++) {
      list[n] = d->redundancies[n].constraint;
    }
    break;
  case REFUSED_DEGENERATE:
    for (int i = 0; i < found->n_conserved; i++) {
      list[n] = found->conserved[i].constraint;
      n += list[n] >= 0;
    }
    break;
  case REFUSED_NOT:
  case REFUSED_NO_MOTION:
    break;
  }
  return json_constraints(w, n, list);
}

static json_t *refusal(json_author *w)
{
  static const char *const kinds[] = {[REFUSED_NOT] = "unexamined",
                                      [REFUSED_NO_POINT] = "no_point_of_M",
                                      [REFUSED_FLAT] = "vanishing_derivative",
                                      [REFUSED_DEPENDENT] = "dependent_constraints",
                                      [REFUSED_SECOND_CLASS] = "second_class",
                                      [REFUSED_DEGENERATE] = "degenerate",
                                      [REFUSED_NO_MOTION] = "no_motion"};
  const compilation *c = w->c;
  if (!*c->refusal) {
    return json_null();
  }
  return json_made(w, "kind:w constraints:o message:w",
                   kinds[c->found ? c->found->refused : REFUSED_NOT],
                   c->found ? culprits(w, c->found) : json_array(), c->refusal);
}

static json_t *the_model(json_author *w)
{
  const compilation *c = w->c;
  const model *m = c->model;
  json_t *hamiltonian = json_made(w, "name:w text:w", m->hamiltonian_name, m->hamiltonian_text);
  return json_made(w,
                   "file:w name:w title:w digest:w lowering:w d:l m:l parameter_count:l sizes:o "
                   "coordinates:o parameters:o hamiltonian:o constraints:o",
                   c->file, m->name, m->title, c->digest, c->loops ? "looped" : "unrolled", m->nq,
                   m->nc, m->nk, json_list(w, m->n_sizes, size),
                   json_list(w, m->n_coordinates, coordinate),
                   json_list(w, m->n_parameters, parameter), hamiltonian,
                   json_list(w, m->n_constraints, constraint));
}

const char *page_json(const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  const ir_program *p = c->program;
  json_author w = {.memory = a, .c = c, .printer = page_printer_create(a, SPELL_ASCII)};
  if (p) {
    w.names = ir_program_names(a, SPELL_ASCII, p);
  }
  json_t *page = json_made(&w, "schema:w answer:w conclusion:w refusal:o", SCHEMA,
                           page_answer_name(c), page_conclusion(c), refusal(&w));
  json_join(&w, page, the_model(&w));
  json_join(&w, page,
            json_made(&w, "structure:o families:o formulas:o verdicts:o states:o", structure(&w),
                      json_families(&w), json_program(&w), json_verdicts(&w),
                      json_list(&w, p && p->nc > 0 ? p->n_states : 0, state)));
  char *text = w.failed ? NULL : json_dumps(page, JSON_INDENT(2));
  const char *copy = text ? arena_printf(a, "%s\n", text) : NULL;
  json_decref(page);
  free(text);
  return copy;
}
