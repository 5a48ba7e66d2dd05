/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/loops.h"

#include <string.h>

#include "emit/helpers.h"
#include "emit/loops_functions.h"
#include "emit/tables.h"

/* "q[node,xyz]". */
static const char *declared(arena *a, const char *name, const model_shape *shape)
{
  const char *text = name;
  for (int i = 0; i < shape->n; i++) {
    text = arena_printf(a, "%s%s%s", text, i ? "," : "[", shape->sets[i]->name);
  }
  return shape->n ? arena_printf(a, "%s]", text) : text;
}

/* The variables in their order, as arrays. */
static const char *unknowns(arena *a, const model *m)
{
  const char *q = "";
  const char *p = "";
  const char *k = "";
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_coordinate *c = m->coordinates[i];
    q = arena_printf(a, "%s%s%s", q, i ? ", " : "", declared(a, c->name, &c->shape));
    p = arena_printf(a, "%s%s%s", p, i ? ", " : "", declared(a, c->momentum, &c->shape));
  }
  for (int i = 0; i < m->n_parameters; i++) {
    const model_parameter *x = m->parameters[i];
    k = arena_printf(a, "%s%s%s", k, i ? ", " : "", declared(a, x->name, &x->shape));
  }
  const char *text = arena_printf(a, "positions   q = (%s)\nmomenta     p = (%s)", q, p);
  return *k ? arena_printf(a, "%s\nparameters  k = (%s)", text, k) : text;
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

const char *emit_loops_source(arena *a, ir_context *c, const emit_input *in)
{
  loops_emission *e = loops_emission_create(a, c, in->model, in->loops);
  writer *functions = writer_create(a);
  loops_emit_shapes(e, functions);
  loops_emit_values(e, functions);
  loops_emit_matrices(e, functions);
  loops_emit_flows(e, functions);
  writer *w = writer_create(a);
  emit_head(w, a, in, unknowns(a, in->model));
  if (strstr(writer_text(functions), " > MOST)")) {
    emit_limit(w);
  }
  emit_helpers(w, writer_text(functions));
  writer_printf(w, "%s", writer_text(functions));
  loops_emit_tables(e, w);
  emit_summary(w, a, in->summary);
  const emit_counts counts = counts_of(e);
  emit_constant(w, a, in, &counts, &in->loops->structure, !in->loops->shares,
                writer_text(e->members));
  return writer_text(w);
}
