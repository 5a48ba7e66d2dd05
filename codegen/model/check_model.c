/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check_model.c -- the sequence of checks that turns a text into a checked model.
 */
#include <string.h>

#include "language/rewrite.h"
#include "model/formula_checks.h"

typedef void statement_check(checker *c, const syntax_statement *s, declared *own);

/* Calls `check` for the statements whose kind is in the mask (bits 1 << kind) and that own their
 * name, in the order of the file. */
static void each(checker *c, unsigned kinds, statement_check *check)
{
  for (int i = 0; i < c->tree->n; i++) {
    const syntax_statement *s = c->tree->statements[i];
    declared *own = kinds & 1u << s->kind ? names_own(c, &s->name, i) : NULL;
    if (own) {
      c->order = i;
      check(c, s, own);
    }
  }
}

static void set(checker *c, const syntax_statement *s, declared *own)
{
  own->set = s->kind == STATEMENT_RANGE ? sets_range(c, s)
                                        : sets_labels(c, &s->name, s->n_labels, s->labels);
  if (own->set) {
    sets_enter(c, own->set);
  }
}

static void check_model_formula(checker *c, const syntax_statement *s, declared *own)
{
  if (s->kind == STATEMENT_LET) {
    formulas_let(c, s, own);
  } else if (s->kind == STATEMENT_HAMILTONIAN && own == c->hamiltonian) {
    formulas_hamiltonian(c, s, own);
  } else if (s->kind == STATEMENT_LAGRANGIAN && own == c->lagrangian) {
    formulas_lagrangian(c, s, own);
  } else if (s->kind == STATEMENT_CONSTRAINT) {
    formulas_constraint(c, s, own);
  } else if (s->kind == STATEMENT_ALGEBRAIC) {
    formulas_algebraic(c, s);
  } else if (s->kind == STATEMENT_OBSERVE || s->kind == STATEMENT_INVARIANT) {
    formulas_observe(c, s, own);
  } else if (s->kind == STATEMENT_FORCE) {
    formulas_force(c, s, own);
  } else if (s->kind == STATEMENT_EVENT) {
    formulas_event(c, s, own);
  }
}

/* Checks that the model line comes first and occurs once. */
static void header(checker *c)
{
  const syntax_tree *tree = c->tree;
  const syntax_statement *first = tree->n ? tree->statements[0] : NULL;
  if (!first || first->kind != STATEMENT_MODEL) {
    diagnostics_error(c->d, first ? first->where : (span){0, 0},
                      "a model begins with its name: model NAME \"title\"");
  } else {
    names_check_length(c, &first->name);
    c->m->name = first->name.text;
    c->m->where = first->name.where;
    c->m->title = first->title ? first->title : "";
  }
  for (int i = 1; i < tree->n; i++) {
    if (tree->statements[i]->kind == STATEMENT_MODEL) {
      diagnostics_error(c->d, tree->statements[i]->where,
                        "a file has one 'model' statement, its first");
    }
  }
}

/* Checks that there is exactly one Hamiltonian or Lagrangian, and at least one coordinate. */
static void required(checker *c)
{
  const syntax_tree *tree = c->tree;
  const syntax_statement *given = NULL;
  int coordinates = 0;
  span place = tree->n ? tree->statements[0]->where : (span){0, 0};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    coordinates += s->kind == STATEMENT_COORD && !s->has_time;
    if (s->kind != STATEMENT_HAMILTONIAN && s->kind != STATEMENT_LAGRANGIAN) {
      continue;
    }
    int is_lagrangian = s->kind == STATEMENT_LAGRANGIAN;
    if (given) {
      int same = s->kind == given->kind;
      diagnostics_error(c->d, s->where,
                        same && !is_lagrangian
                            ? "a model has one Hamiltonian, and this is another one"
                        : same ? "a model has one Lagrangian, and this is another one"
                               : "a model has a Hamiltonian or a Lagrangian, not both: each of "
                                 "them says all of the other");
      diagnostics_note(c->d, given->where, "the first one is here");
      continue;
    }
    given = s;
    c->lagrangian = is_lagrangian ? names_own(c, &s->name, i) : NULL;
    const syntax_name energy = is_lagrangian ? lagrangian_energy(s) : s->name;
    c->hamiltonian = names_own(c, &energy, i);
  }
  if (!given) {
    diagnostics_error(c->d, place,
                      "the model has no Hamiltonian: add 'hamiltonian H = ...', or 'lagrangian "
                      "L = ...'");
  } else {
    lagrangian_check_coordinates(c, given);
  }
  if (!coordinates) {
    diagnostics_error(c->d, place, "the model has no coordinates: add 'coord q momentum p'");
  }
}

static void provide_lists(checker *c)
{
  int n = c->tree->n + 1;
  model *m = c->m;
  m->sizes = c->sizes = ARENA_ARRAY(c->memory, n, model_size *);
  m->indices = c->indices = ARENA_ARRAY(c->memory, n, const model_indices *);
  m->parameters = c->parameters = ARENA_ARRAY(c->memory, n, const model_parameter *);
  m->coordinates = c->coordinates = ARENA_ARRAY(c->memory, n, const model_coordinate *);
  m->lets = c->lets = ARENA_ARRAY(c->memory, n, const model_let *);
  m->constraints = c->constraints = ARENA_ARRAY(c->memory, n, const model_family *);
  m->observe = c->observe = ARENA_ARRAY(c->memory, n, const model_family *);
  m->invariants = c->invariants = ARENA_ARRAY(c->memory, n, const model_family *);
  m->forces = c->forces = ARENA_ARRAY(c->memory, n, const model_family *);
  m->events = c->events = ARENA_ARRAY(c->memory, n, const model_family *);
  m->force_targets = c->force_targets = ARENA_ARRAY(c->memory, n, const model_family *);
}

const span *model_first_data(const model *m)
{
  for (int i = 0; i < m->n_sizes; i++) {
    if (m->sizes[i]->is_data) {
      return &m->sizes[i]->where;
    }
  }
  return m->n_indices > 0 ? &m->indices[0]->where : NULL;
}

int model_is_small(const model *m)
{
  const double jacobian = 2.0 * (double)m->nq * (double)m->nc;
  return m->nq <= MODEL_MAX_UNROLLED && m->nk <= MODEL_MAX_UNROLLED &&
         jacobian <= MODEL_MAX_JACOBIAN;
}

int model_can_unroll(const model *m)
{
  return model_is_small(m) && !model_first_data(m);
}

int model_reads_impulses(const model *m)
{
  int reads = 0;
  for (int i = 0; i < m->n_observe; i++) {
    reads |= m->observe[i]->reads_lambda;
  }
  return (reads & MODEL_READS_IMPULSES) != 0;
}

int model_has_defaults(const model *m)
{
  int i = 0;
  while (i < m->n_parameters && !m->parameters[i]->is_data) {
    i++;
  }
  return i == m->n_parameters;
}

const char *model_time_text(const model *m)
{
  for (int i = 0; i < m->n_coordinates; i++) {
    if (m->coordinates[i]->is_time && m->n_forces > 0) {
      return "t is a position with t' = 1. Its momentum p_t has been added to H, which would be "
             "conserved without the forces. Formulas of the model that name H mean it without p_t";
    }
    if (m->coordinates[i]->is_time) {
      return "t is a position with t' = 1. Its momentum p_t has been added to H, which is "
             "conserved "
             "therefore: -p_t is the energy that the dependence on t has brought in. Formulas of "
             "the "
             "model that name H mean it without p_t";
    }
  }
  return "";
}

/* Checks all statements of the tree in their order.  NULL after errors. */
static const model *check_tree(checker *c, int n_settings, const model_size_setting settings[])
{
  const int before = diagnostics_count(c->d);
  provide_lists(c);
  header(c);
  names_collect(c);
  required(c);
  each(c, 1u << STATEMENT_SIZE, sets_size);
  sets_apply_settings(c, n_settings, settings);
  each(c, 1u << STATEMENT_RANGE | 1u << STATEMENT_LABELS, set);
  each(c, 1u << STATEMENT_INDICES, sets_indices);
  each(c, 1u << STATEMENT_PARAM, parameters_shape);
  each(c, 1u << STATEMENT_COORD | 1u << STATEMENT_ALGEBRAIC, sets_coordinate);
  /* Lets, H and constraints may use those above them. */
  each(c,
       1u << STATEMENT_LET | 1u << STATEMENT_HAMILTONIAN | 1u << STATEMENT_LAGRANGIAN |
           1u << STATEMENT_CONSTRAINT | 1u << STATEMENT_ALGEBRAIC | 1u << STATEMENT_OBSERVE |
           1u << STATEMENT_INVARIANT | 1u << STATEMENT_FORCE | 1u << STATEMENT_EVENT,
       check_model_formula);
  algebraic_check(c);
  formulas_check_forces(c);
  each(c, 1u << STATEMENT_PARAM, parameters_value);
  inits_check(c);
  run_check(c);
  /* Some sets may be empty at the present sizes, but the model needs a degree of freedom. */
  if (diagnostics_count(c->d) == before && c->m->nq == 0) {
    diagnostics_error(c->d, c->m->coordinates[0]->where,
                      "the model has no degrees of freedom at these sizes: all its arrays of "
                      "coordinates are empty");
  }
  return diagnostics_count(c->d) == before ? c->m : NULL;
}

static checker checker_of(arena *a, diagnostics *d, const char *file, const char *text,
                          const syntax_tree *tree)
{
  checker c = {.memory = a,
               .formula = expressions_check,
               .d = d,
               .text = text,
               .tree = tree,
               .m = ARENA_NEW(a, model),
               .components_left = MODEL_MAX_COMPONENTS,
               .rounds_left = MODEL_MAX_ALL_ROUNDS,
               .expansion_left = MODEL_MAX_ALL_EXPANSION};
  c.m->file = file;
  c.m->text = text;
  c.m->tree = tree;
  return c;
}

const model *model_check(arena *a, diagnostics *d, const char *file, const char *text,
                         size_t length, int n_settings, const model_size_setting settings[])
{
  const int before = diagnostics_count(d);
  const syntax_tree *tree = syntax_parse(a, d, text, length);
  if (diagnostics_count(d) == before) {
    tree = data_extend(a, d, tree);
  }
  if (diagnostics_count(d) == before) {
    tree = time_extend(a, d, tree);
  }
  if (diagnostics_count(d) > before) {
    return NULL;
  }
  checker c = checker_of(a, d, file, arena_strndup(a, text, length), tree);
  return check_tree(&c, n_settings, settings);
}

const model *model_at(arena *a, const model *m, int n_settings, const model_size_setting settings[])
{
  diagnostics *unseen = diagnostics_create(a, m->file, m->text, strlen(m->text));
  checker c = checker_of(a, unseen, m->file, m->text, m->tree);
  return check_tree(&c, n_settings, settings);
}

const model *model_lift(arena *a, diagnostics *d, const model *m)
{
  model_size_setting *sizes = ARENA_ARRAY(a, m->n_sizes + 1, model_size_setting);
  for (int i = 0; i < m->n_sizes; i++) {
    sizes[i] = (model_size_setting){.name = m->sizes[i]->name, .value = m->sizes[i]->value};
  }
  checker c = checker_of(a, d, m->file, m->text, parameters_lift(a, m->tree));
  return check_tree(&c, m->n_sizes, sizes);
}
