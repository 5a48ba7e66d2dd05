/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>

#include "emit/loops.h"
#include "expr/nest_bounds.h"

/* ---- loops ---- */

/* A bound under construction: the largest (sign 1) or smallest (sign -1) of several. */
typedef struct loop_end {
  index_form form; /* linear if a single form is the bound */
  const char *text;
} loop_end;

static void loops_nest_tighten(loops_frame *f, loop_end *end, const index_form *other, int sign)
{
  index_form excess = index_form_add(&end->form, other, -1);
  index_form lack = index_form_add(other, &end->form, -1);
  if (index_form_never_negative(sign > 0 ? &excess : &lack)) {
    return;
  }
  const char *text = loops_index(f, other);
  if (index_form_never_negative(sign > 0 ? &lack : &excess)) {
    *end = (loop_end){*other, text};
    return;
  }
  end->text =
      arena_printf(f->memory, "%s(%s, %s)", sign > 0 ? "larger" : "smaller", end->text, text);
  end->form.linear = 0;
}

int loops_nest_grows(const ir_nest *nest)
{
  if (nest->n == 0) {
    return 0;
  }
  index_form count = index_form_count(nest->binders[0]->set);
  return !index_form_is_constant(&count);
}

const char *loops_nest_push(loops_frame *f, const model_binder *binder, const char *text)
{
  emit_words *words = loops_words(f);
  size_t n = (size_t)f->n_binders++;
  f->binders = arena_grow(f->memory, f->binders, n, &f->binder_room, sizeof *f->binders);
  f->binder_names =
      arena_grow(f->memory, f->binder_names, n, &f->name_room, sizeof *f->binder_names);
  f->binders[n] = binder;
  f->binder_names[n] = emit_words_take(f->memory, words, text);
  return f->binder_names[n];
}

const char *loops_cut(loops_frame *f, const char *start, const model_set *set, int is_end)
{
  return loops_plus(f->memory, start,
                    arena_printf(f->memory, "cut(%s, piece%s, pieces)", loops_times(f, 1, 1, &set),
                                 is_end ? " + 1" : ""));
}

/* The first and the last value of the variable of number `level`. */
static void loops_nest_ends_of(loops_frame *f, const ir_nest *nest, int level, int n,
                               const bounds_conjunct list[], loop_end *from, loop_end *to)
{
  index_form first = index_form_first(nest->binders[level]->set);
  index_form last = index_form_last(nest->binders[level]->set);
  *from = (loop_end){first, loops_index(f, &first)};
  *to = (loop_end){last, loops_index(f, &last)};
  for (int i = 0; i < n; i++) {
    if (list[i].level == level && list[i].lower) {
      loops_nest_tighten(f, from, &list[i].first, 1);
    }
    if (list[i].level == level && list[i].upper) {
      loops_nest_tighten(f, to, &list[i].last, -1);
    }
  }
}

static void open_loop(loops_frame *f, const ir_nest *nest, int level, int n,
                      const bounds_conjunct list[])
{
  const model_binder *binder = nest->binders[level];
  loop_end from;
  loop_end to;
  loops_nest_ends_of(f, nest, level, n, list, &from, &to);
  const char *v = loops_nest_push(f, binder, binder->name);
  const char *relation = "<";
  if (f->divides) {
    const char *start = from.text;
    from.text = loops_cut(f, start, binder->set, 0);
    to.text = loops_cut(f, start, binder->set, 1);
    f->divides = 0;
  } else if (f->rows_low && f->all_rows) {
    from.text = "begin";
    to.text = "end";
  } else if (f->rows_low) {
    from.text = arena_printf(f->memory, "larger(%s, begin%s)", from.text, f->rows_high);
    to.text = arena_printf(f->memory, "smaller(%s, end%s)", to.text, f->rows_low);
    relation = "<=";
  } else if (to.form.linear && index_form_is_constant(&to.form) && !binder->set->is_range) {
    to.text = arena_printf(f->memory, "%ld", to.form.constant + 1);
  } else {
    relation = "<=";
  }
  f->rows_low = NULL;
  loops_open(f, "for (long %s = %s; %s %s %s; %s++) {", v, from.text, v, relation, to.text, v);
}

/* Opens the tests for the remaining conjuncts of the variables up to number `level`. */
static void open_filters(loops_frame *f, int level, int n, const bounds_conjunct list[])
{
  for (int i = 0; i < n; i++) {
    if (list[i].level != level || !list[i].filters) {
      continue;
    }
    if (level < 0) {
      loops_open(f, "if (%s) {", loops_condition(f, list[i].condition, 1));
    } else {
      loops_open(f, "if (%s) {", loops_condition(f, list[i].condition, 0));
      loops_line(f, "continue;");
      loops_close(f, 1);
    }
  }
}

int loops_nest_open_from(loops_frame *f, const ir_nest *nest, int first)
{
  int before = f->indent;
  int n = 0;
  const bounds_conjunct *list = bounds_of(f->memory, nest, &n);
  for (int level = -1; level < nest->n; level++) {
    if (level >= first) {
      open_loop(f, nest, level, n, list);
    }
    open_filters(f, level, n, list);
  }
  return (f->indent - before) / 2;
}

int loops_nest_open(loops_frame *f, const ir_nest *nest)
{
  return loops_nest_open_from(f, nest, 0);
}

void loops_nest_ends(loops_frame *f, const ir_nest *nest, index_form *first, index_form *last)
{
  int n = 0;
  const bounds_conjunct *list = bounds_of(f->memory, nest, &n);
  loop_end from;
  loop_end to;
  loops_nest_ends_of(f, nest, 0, n, list, &from, &to);
  *first = from.form;
  *last = to.form;
}

void loops_nest_close(loops_frame *f, const ir_nest *nest, int blocks)
{
  f->n_binders -= nest->n;
  loops_close(f, blocks);
}

const char *loops_nest_text(arena *a, const ir_nest *nest)
{
  const char *text = "";
  for (int i = 0; i < nest->n; i++) {
    text = arena_printf(a, "%s%s%s in %s", text, i ? ", " : "", nest->binders[i]->name,
                        nest->binders[i]->set->name);
  }
  return nest->n && nest->condition
             ? arena_printf(a, "%s where %s", text, loops_condition_words(a, nest->condition))
             : text;
}

/* ---- implications of a condition for two indices ---- */

/* The sign of every x with x + c REL 0, given that c REL 0 is false; 0 if it is unknown. */
static int sign_where(model_condition_kind kind, long c)
{
  return kind == CONDITION_LT || kind == CONDITION_LE   ? -1
         : kind == CONDITION_GT || kind == CONDITION_GE ? 1
         : kind == CONDITION_EQ                         ? (c < 0) - (c > 0)
                                                        : 0;
}

static int separates(const model_condition *c, const index_form *difference, int *sign)
{
  if (c->kind == CONDITION_AND) {
    return separates(c->a, difference, sign) || separates(c->b, difference, sign);
  }
  if (!c->left) {
    return 0;
  }
  index_form form = index_form_difference(c->left, c->right);
  for (int turn = 1; turn >= -1; turn -= 2) { /* left - right = +-difference + rest */
    index_form rest = index_form_add(&form, difference, -turn);
    if (index_form_is_constant(&rest) && !model_condition_holds(c->kind, rest.constant)) {
      *sign = turn * sign_where(c->kind, rest.constant);
      return 1;
    }
  }
  return 0;
}

int loops_nest_separates(const ir_nest *nest, const index_form *difference, int *sign)
{
  return nest->condition && difference->linear && separates(nest->condition, difference, sign);
}

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
  emit_words *words = emit_words_create(a, NULL);
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
  e->lists[LOOPS_FORCES] = loops_frame_list_of(a, words, l->n_forces, l->forces);
  e->lists[LOOPS_EVENTS] = loops_frame_list_of(a, words, l->n_events, l->events);
  e->lists[LOOPS_FORCE_TARGETS] =
      (loops_list){l->n_forces, l->force_targets, e->lists[LOOPS_FORCES].instances};
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
  writer_statement(f->body, f->indent, "%s", arena_vprintf(f->memory, format, args));
  va_end(args);
}

void loops_open(loops_frame *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  writer_statement(f->body, f->indent, "%s", arena_vprintf(f->memory, format, args));
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
  writer_statement(line, 2, "const %s%s = %s;", type, name, value);
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

static const char *head_of(loops_frame *f, const char *body)
{
  const loops_emission *e = f->emission;
  const model *m = e->model;
  loops_head h = {f, body, ""};
  declare_arrays(&h);
  if (mentions(&h, "d")) {
    declare(&h, "long ", "d", loops_coordinate_base(f, m->n_coordinates));
  }
  for (int i = m->n_indices; i-- > 0;) {
    if (mentions(&h, e->indices[i])) {
      declare(&h, "long *const ", e->indices[i],
              arena_printf(f->memory, "sizes + %s", loops_indices_base(f, i)));
    }
  }
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
