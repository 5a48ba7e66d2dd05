/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/tables.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/rational.h"

/* ---- rows ---- */

void emit_row(arena *a, emit_table *table, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  table->rows = arena_grow(a, table->rows, table->n, &table->room, sizeof *table->rows);
  table->rows[table->n++] = arena_vprintf(a, format, args);
  va_end(args);
}

void emit_array_row(emit_parts *parts, emit_table_id table, const char *name, int n,
                    const char *sets)
{
  emit_row(parts->memory, &parts->tables[table], "%s, %d, %s", writer_literal(parts->memory, name),
           n, sets);
}

void emit_family_row(emit_parts *parts, emit_table_id table, const char *name, int n,
                     const char *sets, const char *instances, const char *fibre)
{
  emit_row(parts->memory, &parts->tables[table], "%s, %d, %s, %s, %s",
           writer_literal(parts->memory, name), n, sets, instances ? instances : "NULL", fibre);
}

void emit_bounds_row(emit_parts *parts, const model_parameter *p)
{
  arena *a = parts->memory;
  int closed = (p->lower_closed ? 1 : 0) | (p->upper_closed ? 2 : 0) | (p->is_data ? 4 : 0);
  emit_row(a, &parts->tables[TABLE_BOUNDS], "%s, %s, %d",
           writer_double(a, p->lower ? rational_double(p->lower) : -INFINITY),
           writer_double(a, p->upper ? rational_double(p->upper) : INFINITY), closed);
}

const char *emit_state_name(arena *a, int i)
{
  return arena_printf(a, "init_%d", i);
}

void emit_state_row(emit_parts *parts, const char *name, int i)
{
  emit_row(parts->memory, &parts->tables[TABLE_INIT], "%s, %s", writer_literal(parts->memory, name),
           emit_state_name(parts->memory, i));
}

/* ---- tables ---- */

/* Type and name of each table, and the member with its number of rows, unless another table has set
 * it. */
static const struct {
  const char *type;
  const char *name;
  const char *count;
} forms[TABLES] = {[TABLE_POSITIONS] = {"sw_array", "positions", "n_coordinates"},
                   [TABLE_MOMENTA] = {"sw_array", "momenta", NULL},
                   [TABLE_PARAMETERS] = {"sw_array", "parameters", "n_parameters"},
                   [TABLE_BOUNDS] = {"sw_bounds", "bounds", NULL},
                   [TABLE_CONSTRAINTS] = {"sw_family", "constraints", "n_constraints"},
                   [TABLE_OBSERVABLES] = {"sw_family", "observables", "n_observe"},
                   [TABLE_INVARIANTS] = {"sw_family", "invariants", "n_invariant"},
                   [TABLE_INIT] = {"sw_initial_state", "init", "n_init"}};

void emit_rows(writer *w, const char *type, const char *name, const emit_table *table)
{
  const char *head = arena_printf(writer_memory(w), "static const %s %s[] = {", type, name);
  writer *line = writer_create(writer_memory(w));
  for (size_t i = 0; i < table->n; i++) {
    writer_printf(line, "%s{%s}", i ? ", " : "", table->rows[i]);
  }
  if (table->n == 0) {
    return;
  }
  if (strlen(head) + strlen(writer_text(line)) + 2 <= WRITER_COLUMNS) {
    writer_printf(w, "%s%s};\n", head, writer_text(line));
    return;
  }
  writer_printf(w, "%s\n", head);
  for (size_t i = 0; i < table->n; i++) {
    writer_printf(w, "    {%s},\n", table->rows[i]);
  }
  writer_printf(w, "};\n");
}

void emit_tables(writer *w, const emit_parts *parts)
{
  writer_printf(w, "%s", writer_text(parts->lists));
  for (int i = 0; i < TABLES; i++) {
    emit_rows(w, forms[i].type, forms[i].name, &parts->tables[i]);
  }
  writer_printf(w, "\n");
}

/* ---- the constant ---- */

/* Writes the flags of constraints that, by a certificate, follow from the others. */
static void emit_follows(writer *w, const emit_input *in)
{
  const record_independence *found = in->loops ? NULL : &in->found->independence;
  int n = 0;
  for (int i = 0; found && i < found->n_redundant; i++) {
    n += found->redundancies[i].evidence == EVIDENCE_CERTIFICATE;
  }
  for (int c = 0; n > 0 && c < in->program->nc; c++) {
    int follows = 0;
    for (int i = 0; i < found->n_redundant; i++) {
      const record_redundancy *r = &found->redundancies[i];
      follows |= r->constraint == c && r->evidence == EVIDENCE_CERTIFICATE;
    }
    writer_printf(w, "%s%d", c ? ", " : "    .follows = (const unsigned char[]){", follows);
  }
  writer_printf(w, n > 0 ? "},\n" : "");
}

void emit_constant(writer *w, arena *a, const emit_input *in, const emit_parts *parts)
{
  emit_identity(w, a, in);
  writer_printf(w, "%s", parts->sizes);
  for (int i = 0; i < TABLES; i++) {
    size_t n = parts->tables[i].n;
    if (forms[i].count) {
      writer_printf(w, "    .%s = %zu,\n", forms[i].count, n);
    }
    if (n) {
      writer_printf(w, "    .%s = %s,\n", forms[i].name, forms[i].name);
    }
  }
  emit_run(w, a, &in->model->run);
  emit_structure(w, a, in, parts->structure, parts->commuting);
  emit_follows(w, in);
  if (in->undivided) {
    writer_printf(w, "    .undivided = %s,\n", writer_literal(a, in->undivided));
  }
  writer_printf(w, "%s};\n", parts->members);
}
