/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_shapes.c -- functions of a looped model that depend on sizes alone: bounds of sets,
 * filtered families, defaults and initial states.
 */
#include "emit/loops_functions.h"
#include "emit/loops_sums.h"
#include "emit/tables.h"

/* ---- ranges ---- */

static void emit_ranges(loops_emission *e)
{
  const model *m = e->model;
  loops_frame *f = loops_frame_create(e);
  const char *head = "";
  if (m->n_sets == 0) {
    return;
  }
  for (int i = 0; i < m->n_sets; i++) {
    const model_set *set = m->sets[i];
    const char *first = set->is_range ? loops_bound(f, set->lower) : "0.0";
    const char *last = set->is_range ? loops_bound(f, set->upper)
                                     : writer_double(e->memory, (double)(set->count - 1));
    loops_line(f, "first[%d] = %s; /* %s */", i, first, set->name);
    loops_line(f, "last[%d] = %s;", i, last);
  }
  const char *body = writer_text(f->body);
  for (int i = 0; i < m->n_sizes; i++) {
    if (writer_mentions(body, e->sizes[i])) {
      head = arena_printf(e->memory, "%s  const double %s = sizes[%d];\n", head, e->sizes[i], i);
    }
  }
  emit_function(e->functions, "First and last element of every set.", "void", "ranges",
                "const double sizes[], double first[], double last[]", head, body);
}

/* ---- filtered families ---- */

/* Writes the function that counts a filtered family; nothing for a family without a filter. */
static void emit_instances(loops_emission *e, const ir_looped_family *family, const char *name)
{
  const ir_nest *nest = &family->nest;
  loops_frame *f = loops_frame_create(e);
  if (!name) {
    return;
  }
  loops_line(f, "long count = 0;");
  int blocks = loops_nest_open(f, nest);
  loops_open(f, "if (index) {");
  for (int j = 0; j < nest->n; j++) {
    const char *at = nest->n == 1 ? "count" : arena_printf(e->memory, "%d * count", nest->n);
    const char *plus = j ? arena_printf(e->memory, " + %d", j) : "";
    loops_line(f, "index[%s%s] = %s;", at, plus, f->binder_names[j]);
  }
  loops_close(f, 1);
  loops_line(f, "count++;");
  loops_open(f, "if (count > MOST) {");
  loops_line(f, "return count;");
  loops_close(f, 1);
  loops_nest_close(f, nest, blocks);
  loops_line(f, "return count;");
  loops_frame_finish(f,
                     arena_printf(e->memory,
                                  "Indices of the instances of %s, and how many they are.",
                                  family->family->heading),
                     "long", name, EMIT_SIZES ", long index[]");
}

/* ---- assignments ---- */

static void emit_assignment(loops_frame *f, const ir_assignment *as, const char *array)
{
  loops_kernel k = loops_kernel_of_value(f->emission, &as->kernel, &as->nest);
  int is_simple = k.code->n_temporaries == 0;
  int is_data = as->target.parameter && as->target.parameter->is_data;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_reference *r = &as->kernel.values[i];
    int is_gathered = r->sum || (r->parameter && r->parameter->shape.n);
    is_simple = is_simple && !(k.code->used[IR_K][i] && is_gathered);
  }
  int before = f->n_binders;
  int blocks = loops_sums_open(f, as, &k);
  if (blocks == 0 && !is_simple) {
    loops_open(f, "{");
    blocks = 1;
  }
  loops_kernel_gather(f, &k, FACTOR_NONE);
  emit_noted(f->body, f->indent,
             arena_printf(f->memory, "%s[%s] = %s;", array,
                          loops_place(f, &as->target, as->is_momentum),
                          is_data ? "NAN" : loops_kernel_value(f, &k, 0, 0)),
             loops_text(f, &as->target, as->is_momentum));
  f->n_binders = before;
  loops_close(f, blocks);
}

void loops_emit_shapes(loops_emission *e)
{
  const ir_loops *l = e->loops;
  emit_ranges(e);
  loops_emit_references(e);
  for (int kind = 0; kind < LOOPS_OF_MODEL; kind++) {
    for (int i = 0; i < e->lists[kind].n; i++) {
      emit_instances(e, &e->lists[kind].families[i], e->lists[kind].instances[i]);
    }
  }
  if (e->model->n_parameters > 0) {
    loops_frame *f = loops_frame_create(e);
    for (int i = 0; i < l->n_defaults; i++) {
      emit_assignment(f, &l->defaults[i], "k");
    }
    loops_frame_finish(f, "The defaults of the parameters.", "void", "parameter_values",
                       EMIT_SIZES ", double k[]");
    loops_member(e, "parameter_values");
  }
  for (int i = 0; i < l->n_states; i++) {
    loops_frame *f = loops_frame_create(e);
    for (int j = 0; j < l->states[i].n; j++) {
      emit_assignment(f, &l->states[i].assignments[j], "z");
    }
    loops_frame_finish(f, arena_printf(e->memory, "Initial state '%s'.", l->states[i].name), "void",
                       emit_state_name(e->memory, i), EMIT_SIZES ", const double k[], double z[]");
  }
}
