/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/loops_frame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emit/function.h"

const char *loops_labels_name(const loops_emission *e, int set)
{
  return arena_printf(e->memory, "labels_%d", set);
}

const char *loops_sets_name(const loops_emission *e, int n, const model_set *const sets[])
{
  const char *name = "sets";
  for (int i = 0; i < n; i++) {
    name = arena_printf(e->memory, "%s_%d", name, loops_set_number(e, sets[i]));
  }
  return name;
}

static void name_families(loops_emission *e, emit_words *words, loops_kind kind, int n,
                          const model_family *const list[])
{
  e->instances[kind] = ARENA_ARRAY(e->memory, n + 1, const char *);
  for (int i = 0; i < n; i++) {
    if (list[i]->condition) {
      const char *name = arena_printf(e->memory, "%s_instances", list[i]->name);
      e->instances[kind][i] = emit_words_make(e->memory, words, name);
    }
  }
}

loops_emission *loops_emission_create(arena *a, ir_context *c, const model *m,
                                      const ir_loops *loops)
{
  loops_emission *e = ARENA_NEW(a, loops_emission);
  *e = (loops_emission){.memory = a, .context = c, .model = m, .loops = loops};
  int most = m->n_sizes + m->n_sets + 2 * m->n_coordinates + m->n_parameters + m->n_constraints +
             m->n_observe + m->n_invariants;
  emit_words *words = emit_words_create(a, (size_t)most);
  name_families(e, words, LOOPS_CONSTRAINTS, m->n_constraints, m->constraints);
  name_families(e, words, LOOPS_OBSERVE, m->n_observe, m->observe);
  name_families(e, words, LOOPS_INVARIANTS, m->n_invariants, m->invariants);
  e->sizes = ARENA_ARRAY(a, m->n_sizes + 1, const char *);
  for (int i = 0; i < m->n_sizes; i++) {
    e->sizes[i] = emit_words_take(a, words, m->sizes[i]->name);
  }
  e->positions = ARENA_ARRAY(a, m->n_coordinates + 1, const char *);
  e->momenta = ARENA_ARRAY(a, m->n_coordinates + 1, const char *);
  for (int i = 0; i < m->n_coordinates; i++) {
    if (m->coordinates[i]->shape.n) { /* only arrays are bound */
      e->positions[i] = emit_words_take(a, words, m->coordinates[i]->name);
      e->momenta[i] = emit_words_take(a, words, m->coordinates[i]->momentum);
    }
  }
  e->parameters = ARENA_ARRAY(a, m->n_parameters + 1, const char *);
  for (int i = 0; i < m->n_parameters; i++) {
    e->parameters[i] = emit_words_take(a, words, m->parameters[i]->name);
  }
  e->counts = ARENA_ARRAY(a, m->n_sets + 1, const char *);
  for (int i = 0; i < m->n_sets; i++) {
    e->counts[i] = emit_words_take(a, words, arena_printf(a, "n_%s", m->sets[i]->name));
  }
  e->words = words;
  e->members = writer_create(a);
  return e;
}

void loops_member(loops_emission *e, const char *name)
{
  writer_printf(e->members, "    .%s = %s,\n", name, name);
}

loops_frame *loops_frame_create(loops_emission *e)
{
  arena *a = e->memory;
  loops_frame *f = ARENA_NEW(a, loops_frame);
  f->emission = e;
  f->memory = a;
  f->body = writer_create(a);
  f->indent = 2;
  f->size_used = ARENA_ARRAY(a, e->model->n_sizes + 1, unsigned char);
  f->count_used = ARENA_ARRAY(a, e->model->n_sets + 1, unsigned char);
  f->position_used = ARENA_ARRAY(a, e->model->n_coordinates + 1, unsigned char);
  f->momentum_used = ARENA_ARRAY(a, e->model->n_coordinates + 1, unsigned char);
  f->parameter_used = ARENA_ARRAY(a, e->model->n_parameters + 1, unsigned char);
  return f;
}

/* ---- lines ---- */

static const char *formatted(arena *a, const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = ARENA_ARRAY(a, length + 1, char);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void loops_line(loops_frame *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  writer_statement(f->body, f->indent, formatted(f->memory, format, args));
  va_end(args);
}

void loops_open(loops_frame *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  writer_statement(f->body, f->indent, formatted(f->memory, format, args));
  va_end(args);
  f->indent += 2;
  f->inside++;
}

void loops_close(loops_frame *f)
{
  f->indent -= 2;
  f->inside--;
  loops_line(f, "}");
}

/* ---- the head of the function ---- */

static const char *set_count_value(loops_frame *f, const model_set *set)
{
  index_form first = index_form_first(set);
  index_form last = index_form_last(set);
  index_form count = index_form_add(&last, &first, -1);
  index_form one = index_form_constant(1);
  count = index_form_add(&count, &one, 1);
  if (!count.linear) {
    const char *text = arena_printf(f->memory, "(long)(%s - (%s)) + 1",
                                    loops_index_double(f, &last), loops_index_double(f, &first));
    return arena_printf(f->memory, "%s > 0 ? %s : 0", text, text);
  }
  index_form left = index_form_add(&last, &one, 1);
  return arena_printf(f->memory, "%s ? %s : 0", loops_compare(f, &left, ">", &first),
                      loops_index(f, &count));
}

static void bind_arrays(loops_frame *f, writer *w)
{
  const model *m = f->emission->model;
  arena *a = f->memory;
  for (int momentum = 0; momentum < 2; momentum++) {
    for (int i = 0; i < m->n_coordinates; i++) {
      if (momentum ? f->momentum_used[i] : f->position_used[i]) {
        f->d_used |= momentum;
        const char *base = loops_plus(a, momentum ? "d" : "0", loops_coordinate_base(f, i));
        writer_statement(
            w, 2,
            arena_printf(a, "const double *const %s = %s;",
                         momentum ? f->emission->momenta[i] : f->emission->positions[i],
                         loops_plus(a, "z", base)));
      }
    }
  }
  for (int i = 0; i < m->n_parameters; i++) {
    if (!f->parameter_used[i]) {
      continue;
    }
    const char *base = loops_parameter_base(f, i);
    const char *name = f->emission->parameters[i];
    writer_statement(
        w, 2,
        m->parameters[i]->shape.n
            ? arena_printf(a, "const double *const %s = %s;", name, loops_plus(a, "k", base))
            : arena_printf(a, "const double %s = k[%s];", name, base));
  }
}

/* Sizes, then what is computed from them; written from the last to the first, since each asks for more
 * of those before it. */
static const char *bindings(loops_frame *f)
{
  const model *m = f->emission->model;
  arena *a = f->memory;
  writer *arrays = writer_create(a);
  bind_arrays(f, arrays);
  const char *d = f->d_used ? arena_printf(a, "  const long d = %s;\n",
                                           loops_coordinate_base(f, m->n_coordinates))
                            : "";
  writer *counts = writer_create(a);
  for (int i = 0; i < m->n_sets; i++) {
    if (f->count_used[i]) {
      writer_statement(counts, 2,
                       arena_printf(a, "const long %s = %s;", f->emission->counts[i],
                                    set_count_value(f, m->sets[i])));
    }
  }
  writer *sizes = writer_create(a);
  for (int i = 0; i < m->n_sizes; i++) {
    if (f->size_used[i]) {
      f->used[ARGUMENT_SIZES] = 1;
      writer_printf(sizes, "  const long %s = sizes[%d];\n", f->emission->sizes[i], i);
    }
  }
  return arena_printf(a, "%s%s%s%s", writer_text(sizes), writer_text(counts), d,
                      writer_text(arrays));
}

void loops_frame_finish(loops_frame *f, writer *w, const char *comment, const char *signature,
                        unsigned takes)
{
  static const char *const arguments[ARGUMENTS] = {"sizes", "z", "k", "lambda", "v", "out"};
  const char *head = bindings(f);
  if (*comment) {
    writer_statement(w, 0, arena_printf(f->memory, "/* %s */", comment));
  }
  writer_statement(w, 0, signature);
  writer_printf(w, "{\n%s", head);
  unsigned char used[ARGUMENTS];
  int unused = 0;
  for (int i = 0; i < ARGUMENTS; i++) {
    used[i] = f->used[i] || !(takes & TAKES(i));
    unused = unused || !used[i];
  }
  emit_unused(w, ARGUMENTS, arguments, used);
  writer_printf(w, "%s%s}\n\n", *head || unused ? "\n" : "", writer_text(f->body));
}
