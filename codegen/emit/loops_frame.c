/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/loops_frame.h"

#include <stdarg.h>

/* ---- data of a file ---- */

static loops_list loops_frame_list_of(arena *a, emit_words *words, int n,
                                      const ir_looped_family families[])
{
  loops_list list = {n, families, ARENA_ARRAY(a, n + 1, const char *)};
  for (int i = 0; i < n; i++) {
    const model_family *family = families[i].family;
    if (family && family->condition) {
      list.instances[i] = emit_words_make(a, words, arena_printf(a, "%s_instances", family->name));
    }
  }
  return list;
}

static void name_variables(loops_emission *e, emit_words *words)
{
  const model *m = e->model;
  arena *a = e->memory;
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
  e->indices = ARENA_ARRAY(a, m->n_indices + 1, const char *);
  for (int i = 0; i < m->n_indices; i++) {
    e->indices[i] = emit_words_take(a, words, m->indices[i]->name);
  }
  e->counts = ARENA_ARRAY(a, m->n_sets + 1, const char *);
  for (int i = 0; i < m->n_sets; i++) {
    e->counts[i] = emit_words_take(a, words, arena_printf(a, "n_%s", m->sets[i]->name));
  }
}

loops_emission *loops_emission_create(arena *a, ir_context *c, const model *m, const ir_loops *l)
{
  loops_emission *e = ARENA_NEW(a, loops_emission);
  emit_words *words = emit_words_create(a);
  *e = (loops_emission){.memory = a,
                        .context = c,
                        .model = m,
                        .loops = l,
                        .words = words,
                        .functions = writer_create(a),
                        .members = writer_create(a)};
  e->lists[LOOPS_HAMILTONIAN] = loops_frame_list_of(a, words, 1, &l->hamiltonian);
  e->lists[LOOPS_CONSTRAINTS] = loops_frame_list_of(a, words, l->n_constraints, l->constraints);
  e->lists[LOOPS_OBSERVE] = loops_frame_list_of(a, words, l->n_observe, l->observe);
  e->lists[LOOPS_INVARIANTS] = loops_frame_list_of(a, words, l->n_invariants, l->invariants);
  if (l->discrete_H) {
    e->lists[LOOPS_DISCRETE_H] =
        (loops_list){1, l->discrete_H, e->lists[LOOPS_HAMILTONIAN].instances};
    e->lists[LOOPS_DISCRETE_G] =
        (loops_list){l->n_constraints, l->discrete_g, e->lists[LOOPS_CONSTRAINTS].instances};
  }
  name_variables(e, words);
  return e;
}

void loops_member(loops_emission *e, const char *name)
{
  writer_printf(e->members, "    .%s = %s,\n", name, name);
}

loops_frame *loops_frame_create(loops_emission *e)
{
  loops_frame *f = ARENA_NEW(e->memory, loops_frame);
  *f = (loops_frame){
      .emission = e, .memory = e->memory, .body = writer_create(e->memory), .indent = 2};
  return f;
}

/* ---- lines ---- */

void loops_line(loops_frame *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  writer_statement(f->body, f->indent, arena_vprintf(f->memory, format, args));
  va_end(args);
}

void loops_open(loops_frame *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  writer_statement(f->body, f->indent, arena_vprintf(f->memory, format, args));
  va_end(args);
  f->indent += 2;
}

void loops_close(loops_frame *f, int blocks)
{
  for (int i = 0; i < blocks; i++) {
    f->indent -= 2;
    loops_line(f, "}");
  }
}

/* ---- the head of the function ---- */

/* The declarations at the head. They are written from the last to the first, since each may need
 * earlier ones. */
typedef struct loops_head {
  loops_frame *frame;
  const char *body;
  const char *text;
} loops_head;

static int mentions(const loops_head *h, const char *name)
{
  return name && (writer_mentions(h->text, name) || writer_mentions(h->body, name));
}

static void declare(loops_head *h, const char *type, const char *name, const char *value)
{
  writer *line = writer_create(h->frame->memory);
  writer_statement(line, 2, arena_printf(h->frame->memory, "const %s%s = %s;", type, name, value));
  h->text = arena_printf(h->frame->memory, "%s%s", writer_text(line), h->text);
}

static void declare_arrays(loops_head *h)
{
  static const char pointer[] = "double *const ";
  loops_frame *f = h->frame;
  const loops_emission *e = f->emission;
  arena *a = f->memory;
  for (int i = e->model->n_parameters; i-- > 0;) {
    const char *base = loops_parameter_base(f, i);
    if (!mentions(h, e->parameters[i])) {
      continue;
    }
    if (e->model->parameters[i]->shape.n) {
      declare(h, pointer, e->parameters[i], loops_plus(a, "k", base));
    } else {
      declare(h, "double ", e->parameters[i], arena_printf(a, "k[%s]", base));
    }
  }
  for (int momentum = 2; momentum-- > 0;) {
    for (int i = e->model->n_coordinates; i-- > 0;) {
      const char *name = (momentum ? e->momenta : e->positions)[i];
      if (mentions(h, name)) {
        const char *base = loops_plus(a, momentum ? "d" : "0", loops_coordinate_base(f, i));
        declare(h, pointer, name, loops_plus(a, "z", base));
      }
    }
  }
}

static void declare_indices(loops_head *h)
{
  loops_frame *f = h->frame;
  const loops_emission *e = f->emission;
  for (int i = e->model->n_indices; i-- > 0;) {
    if (mentions(h, e->indices[i])) {
      declare(h, "long *const ", e->indices[i],
              arena_printf(f->memory, "sizes + %s", loops_indices_base(f, i)));
    }
  }
}

static const char *head_of(loops_frame *f, const char *body)
{
  const loops_emission *e = f->emission;
  const model *m = e->model;
  loops_head h = {f, body, ""};
  declare_arrays(&h);
  if (mentions(&h, "d")) {
    declare(&h, "long ", "d", loops_coordinate_base(f, m->n_coordinates));
  }
  declare_indices(&h);
  for (int i = m->n_sets; i-- > 0;) {
    if (mentions(&h, e->counts[i])) {
      declare(&h, "long ", e->counts[i], loops_count_value(f, m->sets[i]));
    }
  }
  for (int i = m->n_sizes; i-- > 0;) {
    if (mentions(&h, e->sizes[i])) {
      declare(&h, "long ", e->sizes[i], arena_printf(f->memory, "sizes[%d]", i));
    }
  }
  return h.text;
}

void loops_frame_finish(loops_frame *f, const char *comment, const char *result, const char *name,
                        const char *arguments)
{
  const char *body = writer_text(f->body);
  emit_function(f->emission->functions, comment, result, name, arguments, head_of(f, body), body);
}
