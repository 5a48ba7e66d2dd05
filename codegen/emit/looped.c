/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * looped.c -- the parts of a generated file for a model with loops.
 */
#include <string.h>

#include "emit/loops.h"
#include "emit/tables.h"

/* ---- sizes and sets ---- */

/* Writes their tables and returns the members of the constant. */
static const char *looped_emit_sizes(writer *w, arena *a, const model *m)
{
  const char **names = ARENA_ARRAY(a, m->n_sizes + 1, const char *);
  writer *values = writer_create(a);
  writer *members = writer_create(a);
  for (int i = 0; i < m->n_sizes; i++) {
    names[i] = m->sizes[i]->name;
    writer_printf(values, i ? ", " : "");
    writer_printf(values, m->sizes[i]->is_data ? "SW_NO_DEFAULT" : "%ld", m->sizes[i]->value);
  }
  emit_strings(w, a, "size_names", names, m->n_sizes);
  emit_list(w, "long", "size_default", writer_text(values));
  if (m->n_sizes) {
    writer_printf(members, "    .n_sizes = %d,\n    .size_names = size_names,\n", m->n_sizes);
    writer_printf(members, "    .size_default = size_default,\n");
  }
  if (m->n_sets) {
    writer_printf(members, "    .n_sets = %d,\n    .sets = sets,\n    .ranges = ranges,\n",
                  m->n_sets);
  }
  return writer_text(members);
}

/* Writes the table of arrays of indices and returns the members of the constant. */
static const char *emit_indices(emit_parts *parts, const model *m)
{
  arena *a = parts->memory;
  emit_table table = {0};
  for (int i = 0; i < m->n_indices; i++) {
    const model_indices *own = m->indices[i];
    emit_row(a, &table, "%s, %d, %d", writer_literal(a, own->name), loops_set_number(m, own->set),
             loops_set_number(m, own->target));
  }
  emit_rows(parts->lists, "sw_index_array", "indices", &table);
  return m->n_indices
             ? arena_printf(a, "    .n_indices = %d,\n    .indices = indices,\n", m->n_indices)
             : "";
}

static void emit_sets(emit_parts *parts, const model *m)
{
  arena *a = parts->memory;
  emit_table table = {0};
  for (int i = 0; i < m->n_sets; i++) {
    const model_set *set = m->sets[i];
    const char *labels = set->is_range ? "NULL" : arena_printf(a, "labels_%d", i);
    if (!set->is_range) {
      emit_strings(parts->lists, a, labels, set->labels, (int)set->count);
    }
    emit_row(a, &table, "%s, %s", writer_literal(a, set->name), labels);
  }
  emit_rows(parts->lists, "sw_set", "sets", &table);
}

/* Writes the table of a list of sets and returns its name; "NULL" if the list is empty. */
static const char *looped_list_of(emit_parts *parts, const model *m, int n,
                                  const model_set *const sets[])
{
  arena *a = parts->memory;
  const char *name = "sets";
  const char *numbers = "";
  for (int i = 0; i < n; i++) {
    int number = loops_set_number(m, sets[i]);
    name = arena_printf(a, "%s_%d", name, number);
    numbers = arena_printf(a, "%s%s%d", numbers, i ? ", " : "", number);
  }
  /* A search for this head cannot match a name of the model, which occurs only in strings. */
  const char *head = arena_printf(a, "static const int %s[]", name);
  if (n > 0 && !strstr(writer_text(parts->lists), head)) {
    emit_list(parts->lists, "int", name, numbers);
  }
  return n > 0 ? name : "NULL";
}

/* ---- variables ---- */

/* Adds the row of an array and returns its declaration, such as "q[node,xyz]". */
static const char *emit_array(emit_parts *parts, const model *m, emit_table_id table,
                              const char *name, const model_shape *shape)
{
  const char *text = name;
  for (int i = 0; i < shape->n; i++) {
    text = arena_printf(parts->memory, "%s%s%s", text, i ? "," : "[", shape->sets[i]->name);
  }
  emit_array_row(parts, table, name, shape->n, looped_list_of(parts, m, shape->n, shape->sets));
  return shape->n ? arena_printf(parts->memory, "%s]", text) : text;
}

static void emit_variables(emit_parts *parts, const model *m)
{
  const char **q = ARENA_ARRAY(parts->memory, m->n_coordinates + 1, const char *);
  const char **p = ARENA_ARRAY(parts->memory, m->n_coordinates + 1, const char *);
  const char **k = ARENA_ARRAY(parts->memory, m->n_parameters + 1, const char *);
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_coordinate *c = m->coordinates[i];
    q[i] = emit_array(parts, m, TABLE_POSITIONS, c->name, &c->shape);
    p[i] = emit_array(parts, m, TABLE_MOMENTA, c->momentum, &c->shape);
  }
  for (int i = 0; i < m->n_parameters; i++) {
    const model_parameter *own = m->parameters[i];
    k[i] = emit_array(parts, m, TABLE_PARAMETERS, own->name, &own->shape);
    emit_bounds_row(parts, own);
  }
  parts->names[TABLE_POSITIONS] = q;
  parts->names[TABLE_MOMENTA] = p;
  parts->names[TABLE_PARAMETERS] = k;
}

static void looped_emit_families(emit_parts *parts, const model *m, emit_table_id table,
                                 const loops_list *list)
{
  static const char *const fibres[] = {"SW_FIBRE_SHIFT_P", "SW_FIBRE_SHIFT_Q", "SW_FIBRE_FLOW",
                                       "SW_FIBRE_FLOW"};
  for (int i = 0; i < list->n; i++) {
    const model_family *own = list->families[i].family;
    const model_set **sets = loops_sets(parts->memory, own->n_binders, own->binders);
    emit_family_row(parts, table, own->name, own->n_binders,
                    looped_list_of(parts, m, own->n_binders, sets), list->instances[i],
                    fibres[list->families[i].fibre]);
  }
}

/* ---- all parts ---- */

emit_parts emit_looped(arena *a, ir_context *c, const emit_input *in)
{
  const model *m = in->model;
  loops_emission *e = loops_emission_create(a, c, m, in->loops);
  loops_emit_shapes(e);
  loops_emit_functions(e);
  const char *limit =
      e->is_limited ? "/* The largest number of contributions or instances that is of use. */\n"
                      "enum { MOST = 2147483647 };\n\n"
                    : "";
  emit_parts parts = {.memory = a,
                      .functions = arena_printf(a, "%s%s", limit, writer_text(e->functions)),
                      .lists = writer_create(a),
                      .members = writer_text(e->members),
                      .structure = &in->loops->structure,
                      .commuting = !in->loops->shares};
  parts.sizes = looped_emit_sizes(parts.lists, a, m);
  emit_sets(&parts, m);
  parts.sizes = arena_printf(a, "%s%s", parts.sizes, emit_indices(&parts, m));
  emit_variables(&parts, m);
  looped_emit_families(&parts, m, TABLE_CONSTRAINTS, &e->lists[LOOPS_CONSTRAINTS]);
  looped_emit_families(&parts, m, TABLE_OBSERVABLES, &e->lists[LOOPS_OBSERVE]);
  looped_emit_families(&parts, m, TABLE_INVARIANTS, &e->lists[LOOPS_INVARIANTS]);
  looped_emit_families(&parts, m, TABLE_FORCES, &e->lists[LOOPS_FORCES]);
  looped_emit_families(&parts, m, TABLE_EVENTS, &e->lists[LOOPS_EVENTS]);
  for (int i = 0; i < in->loops->n_states; i++) {
    emit_state_row(&parts, in->loops->states[i].name, i);
  }
  return parts;
}
