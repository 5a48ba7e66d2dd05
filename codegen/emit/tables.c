/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/tables.h"

#include <math.h>
#include <string.h>

void emit_rows(writer *w, arena *a, const char *type, const char *table, int n,
               const char *const rows[])
{
  if (n == 0) {
    return;
  }
  const char *head = arena_printf(a, "static const %s %s[] = {", type, table);
  writer *line = writer_create(a);
  for (int i = 0; i < n; i++) {
    writer_printf(line, "%s{%s}", i ? ", " : "", rows[i]);
  }
  if (strlen(head) + strlen(writer_text(line)) + 2 <= WRITER_COLUMNS) {
    writer_printf(w, "%s%s};\n", head, writer_text(line));
    return;
  }
  writer_printf(w, "%s\n", head);
  for (int i = 0; i < n; i++) {
    writer_printf(w, "    {%s},\n", rows[i]);
  }
  writer_printf(w, "};\n");
}

const char *emit_bounds_row(arena *a, const model_parameter *p)
{
  int closed = (p->lower_closed ? 1 : 0) | (p->upper_closed ? 2 : 0);
  return arena_printf(a, "%s, %s, %d", writer_double(a, emit_bound(p->lower, -INFINITY)),
                      writer_double(a, emit_bound(p->upper, INFINITY)), closed);
}

const char *emit_state_name(arena *a, int i)
{
  return arena_printf(a, "init_%d", i);
}

const char *emit_state_row(arena *a, const char *name, int i)
{
  return arena_printf(a, "%s, %s", writer_literal(a, name), emit_state_name(a, i));
}

static void emit_count(writer *w, const char *member, int n)
{
  writer_printf(w, "    .%s = %d,\n", member, n);
}

/* The table or function of that name, where n > 0. */
static void emit_member(writer *w, const char *member, int n)
{
  if (n) {
    writer_printf(w, "    .%s = %s,\n", member, member);
  }
}

void emit_constant(writer *w, arena *a, const emit_input *in, const emit_parts *parts)
{
  const emit_counts *counts = &parts->counts;
  emit_identity(w, a, in);
  if (counts->n_sizes) {
    emit_count(w, "n_sizes", counts->n_sizes);
    emit_member(w, "size_names", 1);
    emit_member(w, "size_default", 1);
  }
  if (counts->n_sets) {
    emit_count(w, "n_sets", counts->n_sets);
    emit_member(w, "sets", 1);
    emit_member(w, "ranges", 1);
  }
  emit_member(w, "references", counts->n_references);
  emit_member(w, "reference_texts", counts->n_references);
  emit_count(w, "n_coordinates", counts->n_coordinates);
  emit_member(w, "positions", 1);
  emit_member(w, "momenta", 1);
  emit_count(w, "n_parameters", counts->n_parameters);
  emit_member(w, "parameters", counts->n_parameters);
  emit_member(w, "bounds", counts->n_parameters);
  emit_member(w, "parameter_values", counts->n_parameters);
  emit_count(w, "n_constraints", counts->n_constraints);
  emit_member(w, "constraints", counts->n_constraints);
  emit_count(w, "n_observe", counts->n_observe);
  emit_member(w, "observables", counts->n_observe);
  emit_count(w, "n_invariant", counts->n_invariants);
  emit_member(w, "invariants", counts->n_invariants);
  emit_count(w, "n_init", counts->n_states);
  emit_member(w, "init", counts->n_states);
  emit_run(w, a, &in->model->run);
  emit_structure(w, a, in, parts->structure, parts->commuting);
  writer_printf(w, "%s};\n", parts->members);
}
