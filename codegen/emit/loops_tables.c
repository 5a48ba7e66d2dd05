/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_tables.c -- the tables of a looped model: sizes, sets, arrays, families.
 */
#include <math.h>
#include <string.h>

#include "emit/head.h"
#include "emit/loops_functions.h"

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
  if (m->n_sets == 0) {
    return;
  }
  writer_printf(w, "static const sw_set sets[] = {\n");
  for (int i = 0; i < m->n_sets; i++) {
    writer_printf(w, "    {%s, %s},\n", writer_literal(e->memory, m->sets[i]->name),
                  m->sets[i]->is_range ? "NULL" : loops_labels_name(e, i));
  }
  writer_printf(w, "};\n");
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
  return arena_printf(a, "    {%s, %d, %s},\n", writer_literal(a, name), shape->n,
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
  return arena_printf(a, "    {%s, %d, %s, %s, %s},\n", writer_literal(a, family->name),
                      family->n_binders, sets_table(lists, family->n_binders, sets),
                      instances ? instances : "NULL", kinds[fibre]);
}

static void emit_rows(writer *w, const char *type, const char *table, int n,
                      const char *const rows[])
{
  if (n == 0) {
    return;
  }
  writer_printf(w, "static const %s %s[] = {\n", type, table);
  for (int i = 0; i < n; i++) {
    writer_printf(w, "%s", rows[i]);
  }
  writer_printf(w, "};\n");
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
    emit_rows(lists->writer, "sw_array", momenta ? "momenta" : "positions", m->n_coordinates, rows);
  }
  for (int i = 0; i < m->n_parameters; i++) {
    rows[i] = array_row(lists, m->parameters[i]->name, &m->parameters[i]->shape);
  }
  emit_rows(lists->writer, "sw_array", "parameters", m->n_parameters, rows);
  for (int i = 0; i < m->n_parameters; i++) {
    const model_parameter *p = m->parameters[i];
    rows[i] = arena_printf(e->memory, "    {%s, %s, %d},\n",
                           writer_double(e->memory, emit_bound(p->lower, -INFINITY)),
                           writer_double(e->memory, emit_bound(p->upper, INFINITY)),
                           (p->lower_closed ? 1 : 0) | (p->upper_closed ? 2 : 0));
  }
  emit_rows(lists->writer, "sw_bounds", "bounds", m->n_parameters, rows);
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
  emit_rows(lists->writer, "sw_family", table, n, rows);
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
  if (l->n_states) {
    writer_printf(w, "static const sw_sized_state init[] = {\n");
    for (int i = 0; i < l->n_states; i++) {
      writer_printf(w, "    {%s, init_%d},\n", writer_literal(e->memory, l->states[i].name), i);
    }
    writer_printf(w, "};\n");
  }
  writer_printf(w, "\n");
}

/* ---- the constant ---- */

static void table_field(writer *w, const char *field, const char *table, int n)
{
  writer_printf(w, "    .%s = %s,\n", field, n ? table : "NULL");
}

static void counted_field(writer *w, const char *count, const char *field, const char *table, int n)
{
  writer_printf(w, "    .%s = %d,\n", count, n);
  table_field(w, field, table, n);
}

static void matrix_field(writer *w, const char *name)
{
  writer_printf(w, "    .%s = {%s_contributions, %s_scatter},\n", name, name, name);
}

static void function_field(writer *w, const char *name)
{
  writer_printf(w, "    .%s = %s,\n", name, name);
}

void loops_emit_constant(loops_emission *e, writer *w)
{
  const model *m = e->model;
  const ir_loops *l = e->loops;
  writer_printf(w, "static const sw_loops loops = {\n");
  counted_field(w, "n_sizes", "size_names", "size_names", m->n_sizes);
  table_field(w, "size_default", "size_default", m->n_sizes);
  counted_field(w, "n_sets", "sets", "sets", m->n_sets);
  function_field(w, "ranges");
  function_field(w, "references");
  table_field(w, "reference_texts", "reference_texts", e->n_references);
  counted_field(w, "n_coordinates", "positions", "positions", m->n_coordinates);
  table_field(w, "momenta", "momenta", m->n_coordinates);
  counted_field(w, "n_parameters", "parameters", "parameters", m->n_parameters);
  table_field(w, "bounds", "bounds", m->n_parameters);
  function_field(w, "parameter_values");
  table_field(w, "init", "init", l->n_states);
  counted_field(w, "n_constraints", "constraints", "constraints", l->n_constraints);
  counted_field(w, "n_observe", "observe", "observables", l->n_observe);
  counted_field(w, "n_invariants", "invariants", "invariants", l->n_invariants);
  function_field(w, "hamiltonian");
  function_field(w, "hamiltonian_grad");
  if (l->structure.separable) {
    function_field(w, "hamiltonian_grad_q");
    function_field(w, "hamiltonian_grad_p");
  }
  matrix_field(w, "hamiltonian_hess");
  if (l->n_constraints) {
    function_field(w, "constraint");
    function_field(w, "constraint_scale");
    matrix_field(w, "constraint_jac");
    matrix_field(w, "constraint_hess");
    function_field(w, "constraint_jac_along");
  }
  if (loops_has_flow(l)) {
    function_field(w, "fibre_flow");
    matrix_field(w, "fibre_flow_z");
  }
  if (l->n_observe) {
    function_field(w, "observe_values");
  }
  if (l->n_invariants) {
    function_field(w, "invariant_values");
  }
  writer_printf(w, "};\n\n");
}
