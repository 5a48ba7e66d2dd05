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
    json_add(w, sets, json_words(w, s->sets[i]->name));
  }
  return sets;
}

static json_t *size(json_author *w, int i)
{
  const model_size *s = w->c->model->sizes[i];
  return json_pack("{s:o, s:I}", "name", json_words(w, s->name), "value", (json_int_t)s->value);
}

static json_t *coordinate(json_author *w, int i)
{
  const model_coordinate *q = w->c->model->coordinates[i];
  return json_pack("{s:o, s:o, s:o, s:I, s:b}", "position", json_words(w, q->name), "momentum",
                   json_words(w, q->momentum), "sets", set_names(w, &q->shape), "count",
                   (json_int_t)q->shape.count, "algebraic", q->is_algebraic);
}

/* A bound of a parameter: null where there is none. */
static json_t *bound(mpq_srcptr value, int is_closed)
{
  return value ? json_pack("{s:o, s:b}", "value", json_number(rational_double(value)), "allowed",
                           is_closed)
               : json_null();
}

static json_t *parameter(json_author *w, int i)
{
  const model_parameter *k = w->c->model->parameters[i];
  return json_pack("{s:o, s:o, s:I, s:o, s:o}", "name", json_words(w, k->name), "sets",
                   set_names(w, &k->shape), "count", (json_int_t)k->shape.count, "lower",
                   bound(k->lower, k->lower_closed), "upper", bound(k->upper, k->upper_closed));
}

static json_t *constraint(json_author *w, int i)
{
  const model_family *f = w->c->model->constraints[i];
  json_t *reads = json_array();
  for (int j = 0; j < f->n_slots; j++) {
    json_add(w, reads, json_words(w, f->slots[j].text));
  }
  return json_pack("{s:o, s:o, s:o, s:I, s:o}", "name", json_words(w, f->name), "heading",
                   json_words(w, f->heading), "text", json_words(w, f->text), "instances",
                   (json_int_t)f->count, "reads", reads);
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
  return json_pack("{s:b, s:s, s:o, s:b, s:o, s:o}", "separable", s->separable, "mass_matrix",
                   mass[s->mass], "degree_H", degree(s->degree_H), "holonomic", s->holonomic,
                   "degree_g", degree(s->degree_g), "fibre_flow",
                   json_words(w, s->fibre && *s->fibre ? s->fibre : NULL));
}

static json_t *state(json_author *w, int i)
{
  const record_state *s = &w->c->found->states[i];
  return json_pack("{s:o, s:b, s:o, s:o, s:o, s:b, s:b, s:b}", "name",
                   json_words(w, w->c->program->states[i].name), "finite", s->finite, "largest_g",
                   json_number(s->largest_g), "largest_rho", json_number(s->largest_hidden),
                   "condition_of_N", json_number(s->condition), "N_singular",
                   s->finite && isinf(s->condition), "on_M", s->on_M, "on_MH", s->on_MH);
}

static json_t *redundant(json_author *w, int i)
{
  return json_constraint(w, w->c->found->independence.redundancies[i].constraint);
}

/* Names of the constraints that a refusal is about. */
static json_t *culprits(json_author *w, const record *found)
{
  const record_independence *d = &found->independence;
  json_t *names = NULL;
  switch (found->refused) {
  case REFUSED_FLAT:
    return json_pack("[o]", json_constraint(w, d->flat));
  case REFUSED_SECOND_CLASS:
    return json_pair(w, found->pair);
  case REFUSED_DEPENDENT:
    return json_list(w, d->n_redundant, redundant);
  case REFUSED_NO_POINT:
    return json_list(w, d->n_conflicting, json_conflicting);
  case REFUSED_DEGENERATE:
    names = json_array();
    for (int i = 0; i < found->n_conserved; i++) {
      if (found->conserved[i].constraint >= 0) {
        json_add(w, names, json_constraint(w, found->conserved[i].constraint));
      }
    }
    return names;
  case REFUSED_NOT:
  case REFUSED_NO_MOTION:
    break;
  }
  return json_array();
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
  return json_pack("{s:s, s:o, s:o}", "kind", kinds[c->found ? c->found->refused : REFUSED_NOT],
                   "constraints", c->found ? culprits(w, c->found) : json_array(), "message",
                   json_words(w, c->refusal));
}

static json_t *the_model(json_author *w)
{
  const compilation *c = w->c;
  const model *m = c->model;
  return json_pack("{s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:{s:o, s:o}, s:o}",
                   "file", json_words(w, c->file), "name", json_words(w, m->name), "title",
                   json_words(w, m->title), "digest", json_words(w, c->digest), "lowering",
                   c->loops ? "looped" : "unrolled", "d", (json_int_t)m->nq, "m", (json_int_t)m->nc,
                   "parameter_count", (json_int_t)m->nk, "sizes", json_list(w, m->n_sizes, size),
                   "coordinates", json_list(w, m->n_coordinates, coordinate), "parameters",
                   json_list(w, m->n_parameters, parameter), "hamiltonian", "name",
                   json_words(w, m->hamiltonian_name), "text", json_words(w, m->hamiltonian_text),
                   "constraints", json_list(w, m->n_constraints, constraint));
}

const char *page_json(const compilation *c)
{
  arena *a = ir_context_arena(c->context);
  const ir_program *p = c->program;
  json_author w = {a, c, page_printer_create(a, SPELL_ASCII), {{NULL}}, 0};
  if (p) {
    w.names = ir_program_names(a, SPELL_ASCII, p);
  }
  json_t *page = json_pack("{s:s, s:s, s:s, s:o}", "schema", SCHEMA, "answer", page_answer_name(c),
                           "conclusion", page_conclusion(c), "refusal", refusal(&w));
  json_t *rest =
      json_pack("{s:o, s:o, s:o, s:o, s:o}", "structure", structure(&w), "families",
                json_families(&w), "formulas", json_program(&w), "verdicts", json_verdicts(&w),
                "states", json_list(&w, p && p->nc > 0 ? p->n_states : 0, state));
  json_t *top = the_model(&w);
  int failed = json_object_update(page, top) != 0 || json_object_update(page, rest) != 0;
  char *text = failed || w.failed ? NULL : json_dumps(page, JSON_INDENT(2));
  const char *copy = text ? arena_printf(a, "%s\n", text) : NULL;
  json_decref(top);
  json_decref(rest);
  json_decref(page);
  free(text);
  return copy;
}
