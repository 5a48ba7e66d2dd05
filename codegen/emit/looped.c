/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/looped.h"

#include <string.h>

#include "emit/loops_functions.h"

/* "q[node,xyz]". */
static const char *declared(arena *a, const char *name, const model_shape *shape)
{
  const char *text = name;
  for (int i = 0; i < shape->n; i++) {
    text = arena_printf(a, "%s%s%s", text, i ? "," : "[", shape->sets[i]->name);
  }
  return shape->n ? arena_printf(a, "%s]", text) : text;
}

/* The names of n arrays, "(q[node,xyz], s)". */
typedef const char *declaration(arena *a, const model *m, int i);

static const char *position(arena *a, const model *m, int i)
{
  return declared(a, m->coordinates[i]->name, &m->coordinates[i]->shape);
}

static const char *momentum(arena *a, const model *m, int i)
{
  return declared(a, m->coordinates[i]->momentum, &m->coordinates[i]->shape);
}

static const char *parameter(arena *a, const model *m, int i)
{
  return declared(a, m->parameters[i]->name, &m->parameters[i]->shape);
}

static const char *list(arena *a, const model *m, int n, declaration *of)
{
  const char *text = "";
  for (int i = 0; i < n; i++) {
    text = arena_printf(a, "%s%s%s", text, i ? ", " : "", of(a, m, i));
  }
  return arena_printf(a, "(%s)", text);
}

static void emit_limit(writer *w)
{
  writer_printf(w, "/* The largest number of contributions or instances that is of use. */\n"
                   "enum { MOST = 2147483647 };\n\n");
}

static emit_counts counts_of(const loops_emission *e)
{
  const model *m = e->model;
  const ir_loops *l = e->loops;
  return (emit_counts){.n_sizes = m->n_sizes,
                       .n_sets = m->n_sets,
                       .n_references = e->n_references,
                       .n_coordinates = m->n_coordinates,
                       .n_parameters = m->n_parameters,
                       .n_constraints = l->n_constraints,
                       .n_observe = l->n_observe,
                       .n_invariants = l->n_invariants,
                       .n_states = l->n_states};
}

emit_parts emit_loops(arena *a, ir_context *c, const emit_input *in)
{
  const model *m = in->model;
  loops_emission *e = loops_emission_create(a, c, m, in->loops);
  writer *functions = writer_create(a);
  loops_emit_shapes(e, functions);
  loops_emit_values(e, functions);
  loops_emit_matrices(e, functions);
  loops_emit_flows(e, functions);
  writer *limited = writer_create(a);
  if (strstr(writer_text(functions), " > MOST)")) {
    emit_limit(limited);
  }
  writer_printf(limited, "%s", writer_text(functions));
  writer *tables = writer_create(a);
  loops_emit_tables(e, tables);
  return (emit_parts){.positions = list(a, m, m->n_coordinates, position),
                      .momenta = list(a, m, m->n_coordinates, momentum),
                      .parameters = list(a, m, m->n_parameters, parameter),
                      .functions = writer_text(limited),
                      .tables = writer_text(tables),
                      .members = writer_text(e->members),
                      .structure = &in->loops->structure,
                      .commuting = !in->loops->shares,
                      .counts = counts_of(e)};
}
