/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_shapes.c -- what a looped model computes of its sizes: bounds of sets, references, filtered
 * families, defaults and initial states.
 */
#include "emit/function.h"
#include "emit/loops_functions.h"
#include "emit/loops_sums.h"
#include "emit/tables.h"

/* ---- ranges ---- */

/* A bound in sizes that are doubles. */
static const char *bound_text(loops_frame *f, const model_index *index)
{
  arena *a = f->memory;
  const model *m = f->emission->model;
  switch (index->kind) {
  case INDEX_SIZE:
    for (int i = 0; i < m->n_sizes; i++) {
      if (m->sizes[i] == index->size) {
        f->used[ARGUMENT_SIZES] = f->size_used[i] = 1;
        return f->emission->sizes[i];
      }
    }
    break;
  case INDEX_ADD:
    return arena_printf(a, "%s + %s", bound_text(f, index->a), bound_text(f, index->b));
  case INDEX_SUB:
    return arena_printf(
        a, index->b->kind == INDEX_ADD || index->b->kind == INDEX_SUB ? "%s - (%s)" : "%s - %s",
        bound_text(f, index->a), bound_text(f, index->b));
  case INDEX_MUL:
    return arena_printf(a, "(%s) * (%s)", bound_text(f, index->a), bound_text(f, index->b));
  case INDEX_NEG:
    return arena_printf(a, "-(%s)", bound_text(f, index->a));
  case INDEX_MOD:
  case INDEX_MIN:
  case INDEX_MAX:
    return arena_printf(a, "%s(%s, %s)",
                        index->kind == INDEX_MOD   ? "modulo_of"
                        : index->kind == INDEX_MIN ? "min_of"
                                                   : "max_of",
                        bound_text(f, index->a), bound_text(f, index->b));
  case INDEX_INTEGER:
  case INDEX_LABEL:
  case INDEX_VARIABLE:
    break;
  }
  return arena_printf(a, index->value < 0 ? "(%s)" : "%s", writer_double(a, (double)index->value));
}

static void emit_ranges(loops_emission *e, writer *w)
{
  const model *m = e->model;
  loops_frame *f = loops_frame_create(e);
  if (m->n_sets == 0) {
    return;
  }
  for (int i = 0; i < m->n_sets; i++) {
    const model_set *set = m->sets[i];
    const char *first = set->is_range ? bound_text(f, set->lower) : "0.0";
    const char *last = set->is_range ? bound_text(f, set->upper)
                                     : writer_double(e->memory, (double)(set->count - 1));
    loops_line(f, "first[%d] = %s; /* %s */", i, first, set->name);
    loops_line(f, "last[%d] = %s;", i, last);
  }
  writer_printf(w, "/* First and last element of every set. */\n"
                   "static void ranges(const double sizes[], double first[], double last[])\n{\n");
  int n = 0;
  for (int i = 0; i < m->n_sizes; i++) {
    if (f->size_used[i]) {
      writer_printf(w, "  const double %s = sizes[%d];\n", e->sizes[i], i);
      n++;
    }
  }
  if (n == 0) {
    writer_printf(w, "  (void)sizes;\n");
  }
  writer_printf(w, "\n%s}\n\n", writer_text(f->body));
}

/* ---- filtered families ---- */

static void emit_instances(loops_emission *e, writer *w, loops_kind kind, int n,
                           const ir_looped_family list[])
{
  for (int i = 0; i < n; i++) {
    const char *name = e->instances[kind][i];
    if (!name) {
      continue;
    }
    const ir_nest *nest = &list[i].nest;
    loops_frame *f = loops_frame_create(e);
    loops_line(f, "long count = 0;");
    int blocks = loops_nest_open(f, nest);
    loops_open(f, "if (index) {");
    for (int j = 0; j < nest->n; j++) {
      int from = f->n_binders - nest->n + j;
      const char *at = nest->n == 1 ? "count" : arena_printf(e->memory, "%d * count", nest->n);
      const char *plus = j ? arena_printf(e->memory, " + %d", j) : "";
      loops_line(f, "index[%s%s] = %s;", at, plus, f->binder_names[from]);
    }
    loops_close(f);
    loops_line(f, "count++;");
    loops_open(f, "if (count > MOST) {");
    loops_line(f, "return count;");
    loops_close(f);
    loops_nest_close(f, nest, blocks);
    loops_line(f, "return count;");
    loops_frame_finish(
        f, w,
        arena_printf(e->memory, "Indices of the instances of %s, and how many they are.",
                     list[i].family->heading),
        arena_printf(e->memory, "static long %s(const long sizes[], long index[])", name),
        TAKES(ARGUMENT_SIZES));
  }
}

/* ---- assignments ---- */

static void emit_assignment(loops_frame *f, const ir_assignment *as, const char *array)
{
  const ir_nest none = {0, NULL, NULL};
  loops_kernel k = {.kernel = &as->kernel, .outer = &as->nest, .inner = &none, .n = 1};
  k.values = ARENA_ARRAY(f->memory, 1, const ir_expr *);
  k.values[0] = as->kernel.value;
  loops_kernel_code(f->emission, &k, FACTOR_NONE);
  int is_simple = k.code->n_temporaries == 0;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_reference *r = &as->kernel.values[i];
    int is_gathered = r->sum || (r->parameter && r->parameter->shape.n);
    is_simple = is_simple && !(k.code->used[IR_K][i] && is_gathered);
  }
  int before = f->n_binders;
  int blocks = loops_sums_open(f, as, &k);
  int braces = blocks == 0 && !is_simple;
  if (braces) {
    loops_open(f, "{");
  }
  loops_kernel_gather(f, &k, FACTOR_NONE);
  emit_noted(f->body, f->memory, f->indent,
             arena_printf(f->memory, "%s[%s] = %s;", array,
                          loops_place(f, &as->target, as->is_momentum),
                          loops_kernel_value(f, &k, 0, 0)),
             loops_text(f, &as->target, as->is_momentum));
  if (braces) {
    loops_close(f);
  }
  loops_sums_close(f, before, blocks);
}

static void emit_defaults(loops_emission *e, writer *w)
{
  loops_frame *f = loops_frame_create(e);
  if (e->model->n_parameters == 0) {
    return;
  }
  for (int i = 0; i < e->loops->n_defaults; i++) {
    emit_assignment(f, &e->loops->defaults[i], "k");
    f->used[ARGUMENT_K] = 1;
  }
  loops_frame_finish(f, w, "The defaults of the parameters.",
                     "static void parameter_values(const long sizes[], double k[])",
                     TAKES(ARGUMENT_SIZES) | TAKES(ARGUMENT_K));
}

static void emit_states(loops_emission *e, writer *w)
{
  for (int i = 0; i < e->loops->n_states; i++) {
    const ir_looped_state *state = &e->loops->states[i];
    loops_frame *f = loops_frame_create(e);
    for (int j = 0; j < state->n; j++) {
      emit_assignment(f, &state->assignments[j], "z");
      f->used[ARGUMENT_Z] = 1;
    }
    loops_frame_finish(
        f, w, arena_printf(e->memory, "Initial state '%s'.", state->name),
        arena_printf(e->memory, "static void %s(const long sizes[], const double k[], double z[])",
                     emit_state_name(e->memory, i)),
        TAKES(ARGUMENT_SIZES) | TAKES(ARGUMENT_K) | TAKES(ARGUMENT_Z));
  }
}

void loops_emit_shapes(loops_emission *e, writer *w)
{
  const ir_loops *l = e->loops;
  emit_ranges(e, w);
  loops_emit_references(e, w);
  emit_instances(e, w, LOOPS_CONSTRAINTS, l->n_constraints, l->constraints);
  emit_instances(e, w, LOOPS_OBSERVE, l->n_observe, l->observe);
  emit_instances(e, w, LOOPS_INVARIANTS, l->n_invariants, l->invariants);
  emit_defaults(e, w);
  emit_states(e, w);
}
