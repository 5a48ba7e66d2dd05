/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c -- what `sidewinder check --json` prints.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/evaluate.h"
#include "page/json_parts.h"

/* Changes with what programs that read the object would notice. */
#define SCHEMA "sidewinder-check-2"

static json_t *shape(json_author *w, const model_shape *s)
{
  json_t *sets = json_array();
  for (int i = 0; i < s->n; i++) {
    json_add(w, sets, json_words(w, s->sets[i]->name));
  }
  return sets;
}

static json_t *sizes(json_author *w)
{
  const model *m = w->c->model;
  json_t *list = json_array();
  for (int i = 0; i < m->n_sizes; i++) {
    json_t *size = json_object();
    json_put(w, size, "name", json_words(w, m->sizes[i]->name));
    json_put(w, size, "value", json_integer(m->sizes[i]->value));
    json_add(w, list, size);
  }
  return list;
}

static json_t *coordinates(json_author *w)
{
  const model *m = w->c->model;
  json_t *list = json_array();
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_coordinate *q = m->coordinates[i];
    json_t *coordinate = json_object();
    json_put(w, coordinate, "position", json_words(w, q->name));
    json_put(w, coordinate, "momentum", json_words(w, q->momentum));
    json_put(w, coordinate, "sets", shape(w, &q->shape));
    json_put(w, coordinate, "count", json_integer(q->shape.count));
    json_put(w, coordinate, "algebraic", json_boolean(q->is_algebraic));
    json_add(w, list, coordinate);
  }
  return list;
}

/* A bound of a parameter: null where there is none. */
static json_t *bound(json_author *w, mpq_srcptr value, int is_closed)
{
  if (!value) {
    return json_null();
  }
  json_t *object = json_object();
  json_put(w, object, "value", json_number(ir_rational_value(value)));
  json_put(w, object, "allowed", json_boolean(is_closed));
  return object;
}

static json_t *parameters(json_author *w)
{
  const model *m = w->c->model;
  json_t *list = json_array();
  for (int i = 0; i < m->n_parameters; i++) {
    const model_parameter *k = m->parameters[i];
    json_t *parameter = json_object();
    json_put(w, parameter, "name", json_words(w, k->name));
    json_put(w, parameter, "sets", shape(w, &k->shape));
    json_put(w, parameter, "count", json_integer(k->shape.count));
    json_put(w, parameter, "lower", bound(w, k->lower, k->lower_closed));
    json_put(w, parameter, "upper", bound(w, k->upper, k->upper_closed));
    json_add(w, list, parameter);
  }
  return list;
}

static json_t *constraints(json_author *w)
{
  const model *m = w->c->model;
  json_t *list = json_array();
  for (int i = 0; i < m->n_constraints; i++) {
    const model_family *f = m->constraints[i];
    json_t *family = json_object();
    json_t *reads = json_array();
    json_put(w, family, "name", json_words(w, f->name));
    json_put(w, family, "heading", json_words(w, f->heading));
    json_put(w, family, "text", json_words(w, f->text));
    json_put(w, family, "instances", json_integer(f->count));
    for (int j = 0; j < f->n_slots; j++) {
      json_add(w, reads, json_words(w, f->slots[j].text));
    }
    json_put(w, family, "reads", reads);
    json_add(w, list, family);
  }
  return list;
}

static json_t *structure(json_author *w)
{
  static const char *const mass[] = {[IR_MASS_GENERAL] = "general",
                                     [IR_MASS_CONSTANT] = "constant",
                                     [IR_MASS_CONSTANT_DIAGONAL] = "constant_diagonal"};
  const compilation *c = w->c;
  const ir_structure *s = c->loops ? &c->loops->structure : &c->program->structure;
  json_t *object = json_object();
  json_put(w, object, "separable", json_boolean(s->separable));
  json_put(w, object, "mass_matrix", json_words(w, mass[s->mass]));
  json_put(w, object, "degree_H", s->degree_H < 0 ? json_null() : json_integer(s->degree_H));
  json_put(w, object, "holonomic", json_boolean(s->holonomic));
  json_put(w, object, "degree_g", s->degree_g < 0 ? json_null() : json_integer(s->degree_g));
  json_put(w, object, "fibre_flow", json_words(w, s->fibre && *s->fibre ? s->fibre : NULL));
  return object;
}

static json_t *states(json_author *w)
{
  const ir_program *p = w->c->program;
  json_t *list = json_array();
  for (int i = 0; p && p->nc > 0 && i < p->n_states; i++) {
    const record_state *s = &w->c->found->states[i];
    json_t *state = json_object();
    json_put(w, state, "name", json_words(w, p->states[i].name));
    json_put(w, state, "finite", json_boolean(s->finite));
    json_put(w, state, "largest_g", json_number(s->largest_g));
    json_put(w, state, "largest_rho", json_number(s->largest_hidden));
    json_put(w, state, "condition_of_N", json_number(s->condition));
    json_put(w, state, "N_singular", json_boolean(s->finite && isinf(s->condition)));
    json_put(w, state, "on_M", json_boolean(s->on_M));
    json_put(w, state, "on_MH", json_boolean(s->on_MH));
    json_add(w, list, state);
  }
  return list;
}

/* Names of the constraints that a refusal is about. */
static void put_culprits(json_author *w, json_t *names)
{
  const record *found = w->c->found;
  const record_independence *d = &found->independence;
  if (found->refused == REFUSED_FLAT) {
    json_add(w, names, json_words(w, json_constraint(w, d->flat)));
  } else if (found->refused == REFUSED_SECOND_CLASS) {
    const ir_pair *pair = &w->c->program->structure.pairs[found->pair];
    json_add(w, names, json_words(w, json_constraint(w, pair->i)));
    json_add(w, names, json_words(w, json_constraint(w, pair->j)));
  } else if (found->refused == REFUSED_DEPENDENT) {
    for (int i = 0; i < d->n_redundant; i++) {
      json_add(w, names, json_words(w, json_constraint(w, d->redundancies[i].constraint)));
    }
  } else if (found->refused == REFUSED_NO_POINT) {
    for (int i = 0; i < d->n_conflicting; i++) {
      json_add(w, names, json_words(w, json_constraint(w, d->conflicting[i])));
    }
  } else if (found->refused == REFUSED_DEGENERATE) {
    for (int i = 0; i < found->n_conserved; i++) {
      if (found->conserved[i].constraint >= 0) {
        json_add(w, names, json_words(w, json_constraint(w, found->conserved[i].constraint)));
      }
    }
  }
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
  json_t *names = json_array();
  if (c->found) {
    put_culprits(w, names);
  }
  json_t *object = json_object();
  json_put(w, object, "kind", json_words(w, kinds[c->found ? c->found->refused : REFUSED_NOT]));
  json_put(w, object, "constraints", names);
  json_put(w, object, "message", json_words(w, c->refusal));
  return object;
}

static void put_model(json_author *w, json_t *page)
{
  const model *m = w->c->model;
  json_put(w, page, "file", json_words(w, w->c->file));
  json_put(w, page, "name", json_words(w, m->name));
  json_put(w, page, "title", json_words(w, m->title));
  json_put(w, page, "digest", json_words(w, w->c->digest));
  json_put(w, page, "lowering", json_words(w, w->c->loops ? "looped" : "unrolled"));
  json_put(w, page, "d", json_integer(m->nq));
  json_put(w, page, "m", json_integer(m->nc));
  json_put(w, page, "parameter_count", json_integer(m->nk));
  json_put(w, page, "sizes", sizes(w));
  json_put(w, page, "coordinates", coordinates(w));
  json_put(w, page, "parameters", parameters(w));
  json_t *hamiltonian = json_object();
  json_put(w, hamiltonian, "name", json_words(w, m->hamiltonian_name));
  json_put(w, hamiltonian, "text", json_words(w, m->hamiltonian_text));
  json_put(w, page, "hamiltonian", hamiltonian);
  json_put(w, page, "constraints", constraints(w));
}

/* The object as text in the arena; NULL where a part of it is missing. */
static const char *dump(json_author *w, json_t *page)
{
  char *text = w->failed ? NULL : json_dumps(page, JSON_INDENT(2));
  json_decref(page);
  const char *copy = text ? arena_printf(w->memory, "%s\n", text) : NULL;
  free(text);
  return copy;
}

const char *page_json(const compilation *c)
{
  json_author w = {ir_context_arena(c->context), c, NULL, {{NULL}}, 0};
  w.printer = page_printer_create(w.memory, SPELL_ASCII);
  if (c->program) {
    w.names = ir_program_names(w.memory, SPELL_ASCII, c->program);
  }
  json_t *page = json_object();
  json_put(&w, page, "schema", json_words(&w, SCHEMA));
  json_put(&w, page, "answer", json_words(&w, page_answer_name(c)));
  json_put(&w, page, "conclusion", json_words(&w, page_conclusion(c)));
  json_put(&w, page, "refusal", refusal(&w));
  put_model(&w, page);
  json_put(&w, page, "structure", structure(&w));
  json_put(&w, page, "families", json_families(&w));
  json_put(&w, page, "formulas", json_program(&w));
  json_put(&w, page, "verdicts", json_verdicts(&w));
  json_put(&w, page, "states", states(&w));
  return dump(&w, page);
}
