/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_tables.c -- the tables of a looped model: sizes, sets, arrays, families.
 */
#include <string.h>

#include "emit/loops_functions.h"
#include "emit/tables.h"

/* ---- sets ---- */

static void emit_sizes(loops_emission *e, writer *w)
{
  const model *m = e->model;
  const char **names = ARENA_ARRAY(e->memory, m->n_sizes + 1, const char *);
  writer *values = writer_create(e->memory);
  writer_printf(values, "static const long size_default[] = {");
  for (int i = 0; i < m->n_sizes; i++) {
    names[i] = m->sizes[i]->name;
    writer_printf(values, "%s%ld", i ? ", " : "", m->sizes[i]->value);
  }
  writer_printf(values, "};");
  emit_strings(w, e->memory, "size_names", names, m->n_sizes);
  if (m->n_sizes) {
    writer_statement(w, 0, writer_text(values));
  }
}

static void emit_sets(loops_emission *e, writer *w)
{
  const model *m = e->model;
  for (int i = 0; i < m->n_sets; i++) {
    if (!m->sets[i]->is_range) {
      emit_strings(w, e->memory, loops_labels_name(e, i), m->sets[i]->labels,
                   (int)m->sets[i]->count);
    }
  }
  const char **rows = ARENA_ARRAY(e->memory, m->n_sets + 1, const char *);
  for (int i = 0; i < m->n_sets; i++) {
    rows[i] = arena_printf(e->memory, "%s, %s", writer_literal(e->memory, m->sets[i]->name),
                           m->sets[i]->is_range ? "NULL" : loops_labels_name(e, i));
  }
  emit_rows(w, e->memory, "sw_set", "sets", m->n_sets, rows);
}

/* ---- lists of sets ---- */

typedef struct set_lists {
  loops_emission *emission;
  writer *writer;
  int n;
  const char **names; /* of those that have been written */
} set_lists;

/* The list's name, after its table has been written; NULL where it is empty. */
static const char *sets_table(set_lists *lists, int n, const model_set *const sets[])
{
  loops_emission *e = lists->emission;
  const char *name = loops_sets_name(e, n, sets);
  if (n == 0) {
    return "NULL";
  }
  for (int i = 0; i < lists->n; i++) {
    if (!strcmp(lists->names[i], name)) {
      return name;
    }
  }
  lists->names[lists->n++] = name;
  writer *list = writer_create(e->memory);
  writer_printf(list, "static const int %s[] = {", name);
  for (int i = 0; i < n; i++) {
    writer_printf(list, "%s%d", i ? ", " : "", loops_set_number(e, sets[i]));
  }
  writer_printf(list, "};");
  writer_statement(lists->writer, 0, writer_text(list));
  return name;
}

static const char *array_row(set_lists *lists, const char *name, const model_shape *shape)
{
  arena *a = lists->emission->memory;
  return arena_printf(a, "%s, %d, %s", writer_literal(a, name), shape->n,
                      sets_table(lists, shape->n, shape->sets));
}

static const char *family_row(set_lists *lists, const model_family *family, const char *instances,
                              ir_fibre fibre)
{
  static const char *const kinds[] = {"SW_FIBRE_SHIFT_P", "SW_FIBRE_SHIFT_Q", "SW_FIBRE_FLOW",
                                      "SW_FIBRE_FLOW"};
  arena *a = lists->emission->memory;
  const model_set **sets = ARENA_ARRAY(a, family->n_binders + 1, const model_set *);
  for (int i = 0; i < family->n_binders; i++) {
    sets[i] = family->binders[i]->set;
  }
  return arena_printf(a, "%s, %d, %s, %s, %s", writer_literal(a, family->name), family->n_binders,
                      sets_table(lists, family->n_binders, sets), instances ? instances : "NULL",
                      kinds[fibre]);
}

static void emit_arrays(set_lists *lists)
{
  loops_emission *e = lists->emission;
  const model *m = e->model;
  int n = m->n_coordinates > m->n_parameters ? m->n_coordinates : m->n_parameters;
  const char **rows = ARENA_ARRAY(e->memory, n + 1, const char *);
  for (int momenta = 0; momenta < 2; momenta++) {
    for (int i = 0; i < m->n_coordinates; i++) {
      const model_coordinate *c = m->coordinates[i];
      rows[i] = array_row(lists, momenta ? c->momentum : c->name, &c->shape);
    }
    emit_rows(lists->writer, e->memory, "sw_array", momenta ? "momenta" : "positions",
              m->n_coordinates, rows);
  }
  for (int i = 0; i < m->n_parameters; i++) {
    rows[i] = array_row(lists, m->parameters[i]->name, &m->parameters[i]->shape);
  }
  emit_rows(lists->writer, e->memory, "sw_array", "parameters", m->n_parameters, rows);
  for (int i = 0; i < m->n_parameters; i++) {
    rows[i] = emit_bounds_row(e->memory, m->parameters[i]);
  }
  emit_rows(lists->writer, e->memory, "sw_bounds", "bounds", m->n_parameters, rows);
}

static void emit_families(set_lists *lists, loops_kind kind, const char *table, int n,
                          const ir_looped_family list[])
{
  loops_emission *e = lists->emission;
  const char **rows = ARENA_ARRAY(e->memory, n + 1, const char *);
  for (int i = 0; i < n; i++) {
    rows[i] = family_row(lists, list[i].family, e->instances[kind][i],
                         kind == LOOPS_CONSTRAINTS ? list[i].fibre : IR_FIBRE_SHIFT_P);
  }
  emit_rows(lists->writer, e->memory, "sw_family", table, n, rows);
}

void loops_emit_tables(loops_emission *e, writer *w)
{
  const model *m = e->model;
  const ir_loops *l = e->loops;
  int most =
      2 * m->n_coordinates + m->n_parameters + l->n_constraints + l->n_observe + l->n_invariants;
  set_lists lists = {e, w, 0, ARENA_ARRAY(e->memory, most + 1, const char *)};
  emit_sizes(e, w);
  emit_sets(e, w);
  emit_arrays(&lists);
  emit_families(&lists, LOOPS_CONSTRAINTS, "constraints", l->n_constraints, l->constraints);
  emit_families(&lists, LOOPS_OBSERVE, "observables", l->n_observe, l->observe);
  emit_families(&lists, LOOPS_INVARIANTS, "invariants", l->n_invariants, l->invariants);
  const char **rows = ARENA_ARRAY(e->memory, l->n_states + 1, const char *);
  for (int i = 0; i < l->n_states; i++) {
    rows[i] = emit_state_row(e->memory, l->states[i].name, i);
  }
  emit_rows(w, e->memory, "sw_initial_state", "init", l->n_states, rows);
}
