/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "emit/loops.h"
#include "model/index_nodes.h"

/* Indices of a looped model, and conditions on them, as C expressions. */

emit_words *loops_words(const loops_frame *f)
{
  emit_words *words = emit_words_create(f->memory, f->emission->words);
  for (int i = 0; i < f->n_binders; i++) {
    emit_words_reserve(words, f->binder_names[i]);
  }
  return words;
}

/* ---- parts of indices ---- */

int loops_is_atom(const char *text)
{
  return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
         strlen(text);
}

/* The C name of a size or a variable. */
static const char *loops_text_name_of(const loops_frame *f, const model_index *variable)
{
  if (variable->size) {
    return f->emission->sizes[variable->size->number];
  }
  for (int i = f->n_binders; i-- > 0;) {
    if (f->binders[i] == variable->binder) {
      return f->binder_names[i];
    }
  }
  return variable->binder->name;
}

static const formula *loops_text_atom(const loops_frame *f, const char *text)
{
  return formula_atom(f->memory, FORMULA_ATOM, text);
}

static const formula *loops_text_number(const loops_frame *f, double value)
{
  const formula *size = loops_text_atom(f, writer_double(f->memory, value < 0 ? -value : value));
  return value < 0 ? formula_of(f->memory, FORMULA_NEGATION, size, NULL) : size;
}

static const formula *form_formula(loops_frame *f, const index_form *form);

/* C functions (emit/writer.c) of two longs, and of two doubles. */
static const char *const functions[][2] = {[INDEX_MOD] = {"modulo", "modulo_of"},
                                           [INDEX_MIN] = {"smaller", "min_of"},
                                           [INDEX_MAX] = {"larger", "max_of"}};

/* mod, min or max of two forms. */
static const formula *made_formula(loops_frame *f, const model_index *made)
{
  index_form left = index_form_of(made->a);
  index_form right = index_form_of(made->b);
  return formula_call(f->memory, functions[made->kind][0], form_formula(f, &left),
                      form_formula(f, &right));
}

/* The entry of an array of indices: "a[e - 1]". */
static const formula *loops_text_entry_formula(loops_frame *f, const model_index *entry)
{
  index_form at = index_form_of(entry->a);
  index_form first = index_form_first(entry->indices->set);
  index_form place = index_form_add(&at, &first, -1);
  const char *name = f->emission->indices[entry->indices->number];
  return loops_text_atom(f, arena_printf(f->memory, "%s[%s]", name, loops_index(f, &place)));
}

/* An index in integers. */
static const formula *as_long(void *frame, arena *a, const model_index *index)
{
  loops_frame *f = frame;
  (void)a;
  return !index->a                           ? loops_text_atom(f, loops_text_name_of(f, index))
         : index->kind == INDEX_ENTRY        ? loops_text_entry_formula(f, index)
         : model_index_function(index->kind) ? made_formula(f, index)
                                             : NULL;
}

/* An index in doubles, from integer variables. */
static const formula *as_double(void *frame, arena *a, const model_index *index)
{
  if (index->kind == INDEX_INTEGER || index->kind == INDEX_LABEL) {
    return loops_text_number(frame, (double)index->value);
  }
  const formula *own = as_long(frame, a, index);
  return own ? loops_text_atom(frame, arena_printf(a, "(double)%s", formula_text(a, SPELL_C, own)))
             : NULL;
}

/* An index in doubles, from variables that are doubles. */
static const formula *as_bound(void *frame, arena *a, const model_index *index)
{
  loops_frame *f = frame;
  if (model_index_function(index->kind)) {
    return formula_call(a, functions[index->kind][1], text_index_formula(a, index->a, as_bound, f),
                        text_index_formula(a, index->b, as_bound, f));
  }
  return index->kind == INDEX_SIZE ? loops_text_atom(f, loops_text_name_of(f, index))
         : index->a                ? NULL
                                   : loops_text_number(f, (double)index->value);
}

const char *loops_bound(loops_frame *f, const model_index *index)
{
  return formula_text(f->memory, SPELL_C, text_index_formula(f->memory, index, as_bound, f));
}

/* ---- forms ---- */

/* |factor| times the index of a term. */
static const formula *loops_text_term_formula(loops_frame *f, const index_term *term)
{
  const formula *of = text_index_formula(f->memory, term->of, as_long, f);
  long factor = labs(term->factor);
  return factor == 1 ? of
                     : formula_of(f->memory, FORMULA_PRODUCT,
                                  loops_text_atom(f, arena_printf(f->memory, "%ld", factor)), of);
}

static const formula *linear_formula(loops_frame *f, const index_form *form)
{
  arena *a = f->memory;
  const formula **part = ARENA_ARRAY(a, form->n + 2, const formula *);
  const formula *constant = loops_text_atom(f, arena_printf(a, "%ld", labs(form->constant)));
  int n = 0;
  for (int i = 0; i < form->n; i++) {
    if (form->terms[i].factor > 0) {
      part[n++] = loops_text_term_formula(f, &form->terms[i]);
    }
  }
  /* a positive constant comes first if no term is positive */
  int leads = n == 0 && (form->constant > 0 || form->n == 0);
  if (leads && form->constant >= 0) {
    part[n++] = constant;
  }
  for (int i = 0; i < form->n; i++) {
    if (form->terms[i].factor < 0) {
      part[n++] =
          formula_of(a, FORMULA_NEGATION, loops_text_term_formula(f, &form->terms[i]), NULL);
    }
  }
  if (form->constant < 0) {
    part[n++] = formula_of(a, FORMULA_NEGATION, constant, NULL);
  } else if (form->constant > 0 && !leads) {
    part[n++] = constant;
  }
  return formula_list(a, FORMULA_SUM, n, part);
}

static const formula *double_formula(loops_frame *f, const index_form *form)
{
  if (!form->linear) {
    return text_index_formula(f->memory, form->tree, as_double, f);
  }
  if (form->n == 0) {
    return loops_text_number(f, (double)form->constant);
  }
  const char *text = formula_text(f->memory, SPELL_C, linear_formula(f, form));
  return loops_text_atom(
      f, arena_printf(f->memory, loops_is_atom(text) ? "(double)%s" : "(double)(%s)", text));
}

/* The same as a double, which is exact below 2^53. */
static const char *loops_index_double(loops_frame *f, const index_form *form)
{
  return formula_text(f->memory, SPELL_C, double_formula(f, form));
}

static const formula *form_formula(loops_frame *f, const index_form *form)
{
  return form->linear ? linear_formula(f, form)
                      : loops_text_atom(
                            f, arena_printf(f->memory, "(long)(%s)", loops_index_double(f, form)));
}

const char *loops_index(loops_frame *f, const index_form *form)
{
  return formula_text(f->memory, SPELL_C, form_formula(f, form));
}

/* ---- conditions ---- */

/* Splits a form into its positive part and its negated negative part. */
static void loops_text_split(const index_form *form, index_form *left, index_form *right)
{
  *left = *right = index_form_constant(0);
  for (int i = 0; i < form->n; i++) {
    index_form *side = form->terms[i].factor > 0 ? left : right;
    side->terms[side->n] = form->terms[i];
    side->terms[side->n++].factor = labs(form->terms[i].factor);
  }
  /* The constant goes to the right unless the left side would be empty: "i > N - 1" reads better
   * than "i + 1 > N". */
  if (form->constant > 0 && left->n == 0) {
    left->constant = form->constant;
  } else {
    right->constant = -form->constant;
  }
}

static const formula *loops_text_compare(loops_frame *f, const index_form *left,
                                         formula_kind relation, const index_form *right)
{
  static const formula_kind mirrored[] = {FORMULA_EQ, FORMULA_NE, FORMULA_GT,
                                          FORMULA_GE, FORMULA_LT, FORMULA_LE};
  index_form difference = index_form_add(left, right, -1);
  if (!difference.linear) {
    return formula_of(f->memory, relation, double_formula(f, left), double_formula(f, right));
  }
  index_form larger;
  index_form smaller;
  loops_text_split(&difference, &larger, &smaller);
  return larger.n == 0 && smaller.n > 0
             ? formula_of(f->memory, mirrored[relation - FORMULA_EQ], linear_formula(f, &smaller),
                          linear_formula(f, &larger))
             : formula_of(f->memory, relation, linear_formula(f, &larger),
                          linear_formula(f, &smaller));
}

const char *loops_compare(loops_frame *f, const index_form *left, formula_kind relation,
                          const index_form *right)
{
  return formula_text(f->memory, SPELL_C, loops_text_compare(f, left, relation, right));
}

static const formula *loops_text_condition_formula(loops_frame *f, const model_condition *c,
                                                   int holds)
{
  if (c->kind == CONDITION_NOT) {
    return loops_text_condition_formula(f, c->a, !holds);
  }
  model_condition_kind own = holds ? c->kind : model_condition_opposite(c->kind);
  formula_kind kind = (formula_kind)(FORMULA_EQ + own);
  if (c->left) {
    index_form left = index_form_of(c->left);
    index_form right = index_form_of(c->right);
    return loops_text_compare(f, &left, kind, &right);
  }
  return formula_of(f->memory, kind, loops_text_condition_formula(f, c->a, holds),
                    loops_text_condition_formula(f, c->b, holds));
}

const char *loops_condition(loops_frame *f, const model_condition *c, int holds)
{
  return formula_text(f->memory, SPELL_C, loops_text_condition_formula(f, c, holds));
}

static const formula *loops_text_words_of(arena *a, const model_condition *c)
{
  formula_kind kind = (formula_kind)(FORMULA_EQ + c->kind);
  return c->left ? formula_of(a, kind, text_index_formula(a, c->left, text_by_name, NULL),
                              text_index_formula(a, c->right, text_by_name, NULL))
                 : formula_of(a, kind, loops_text_words_of(a, c->a),
                              c->b ? loops_text_words_of(a, c->b) : NULL);
}

const char *loops_condition_words(arena *a, const model_condition *c)
{
  return formula_text(a, SPELL_ASCII, loops_text_words_of(a, c));
}

/* Entries of arrays as C expressions: their counts, positions and values. */

/* ---- sums as text ---- */

static int loops_entries_is_number(const char *text)
{
  return *text && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 12;
}

const char *loops_plus(arena *a, const char *x, const char *y)
{
  if (!strcmp(x, "0")) {
    return y;
  }
  if (!strcmp(y, "0")) {
    return x;
  }
  if (loops_entries_is_number(x) && loops_entries_is_number(y)) {
    return arena_printf(a, "%ld", strtol(x, NULL, 10) + strtol(y, NULL, 10));
  }
  const char *last = strrchr(x, '+');
  if (last && last > x + 1 && loops_entries_is_number(last + 2) && loops_entries_is_number(y)) {
    long number = strtol(last + 2, NULL, 10) + strtol(y, NULL, 10);
    return arena_printf(a, "%.*s+ %ld", (int)(last - x), x, number);
  }
  return *y == '-' ? arena_printf(a, "%s - %s", x, y + 1) : arena_printf(a, "%s + %s", x, y);
}

/* ---- counts ---- */

int loops_set_number(const model *m, const model_set *set)
{
  int i = 0;
  while (i < m->n_sets - 1 && m->sets[i] != set) {
    i++;
  }
  return i;
}

const model_set **loops_sets(arena *a, int n, const model_binder *const binders[])
{
  const model_set **sets = ARENA_ARRAY(a, n + 1, const model_set *);
  for (int i = 0; i < n; i++) {
    sets[i] = binders[i]->set;
  }
  return sets;
}

const char *loops_count_value(loops_frame *f, const model_set *set)
{
  arena *a = f->memory;
  index_form first = index_form_first(set);
  index_form last = index_form_last(set);
  index_form behind = index_form_plus(&last, 1);
  index_form count = index_form_add(&behind, &first, -1);
  if (!count.linear) {
    const char *text = arena_printf(a, "(long)(%s - (%s)) + 1", loops_index_double(f, &last),
                                    loops_index_double(f, &first));
    return arena_printf(a, "%s > 0 ? %s : 0", text, text);
  }
  return arena_printf(a, "%s ? %s : 0", loops_compare(f, &behind, FORMULA_GT, &first),
                      loops_index(f, &count));
}

/* The count of a set: a number, a size, or else a name. */
static const char *count_of(loops_frame *f, const model_set *set)
{
  index_form count = index_form_count(set);
  int plain = count.linear &&
              (count.n == 0 || (count.n == 1 && count.constant == 0 && count.terms[0].factor == 1));
  return plain ? loops_index(f, &count)
               : f->emission->counts[loops_set_number(f->emission->model, set)];
}

const char *loops_times(loops_frame *f, long constant, int n, const model_set *const sets[])
{
  arena *a = f->memory;
  const char *text = "";
  for (int i = 0; i < n; i++) {
    index_form count = index_form_count(sets[i]);
    if (index_form_is_constant(&count) && count.constant <= 1000000000 / (constant + 1)) {
      constant *= count.constant;
    } else {
      text = arena_printf(a, "%s%s%s", text, *text ? " * " : "", count_of(f, sets[i]));
    }
  }
  if (!*text || constant == 0) {
    return arena_printf(a, "%ld", constant);
  }
  return constant == 1 ? text : arena_printf(a, "%ld * %s", constant, text);
}

const char *loops_family_count(loops_frame *f, loops_kind kind, int i)
{
  const loops_list *list = &f->emission->lists[kind];
  const model_family *family = list->families[i].family;
  return list->instances[i]
             ? arena_printf(f->memory, "%s(sizes, NULL)", list->instances[i])
             : loops_times(f, 1, family->n_binders,
                           loops_sets(f->memory, family->n_binders, family->binders));
}

/* ---- entries ---- */

const char *loops_as_int(arena *a, const char *text)
{
  return arena_printf(a, loops_is_atom(text) ? "(int)%s" : "(int)(%s)", text);
}

/* An offset under construction: a linear form, and a text for the preceding nonlinear part. */
typedef struct offset {
  const char *prefix;
  index_form form;
} offset;

static const char *offset_text(loops_frame *f, const offset *at)
{
  return loops_plus(f->memory, at->prefix, loops_index(f, &at->form));
}

static void offset_times(loops_frame *f, offset *at, const model_set *set)
{
  index_form zero = index_form_constant(0);
  index_form count = index_form_count(set);
  if (!strcmp(at->prefix, "0") && index_form_is_constant(&count)) {
    index_form scaled = index_form_add(&zero, &at->form, count.constant);
    if (scaled.linear) {
      at->form = scaled;
      return;
    }
  }
  const char *before = offset_text(f, at);
  if (strcmp(before, "0") != 0) {
    at->prefix = arena_printf(f->memory, loops_is_atom(before) ? "%s * %s" : "(%s) * %s", before,
                              count_of(f, set));
  }
  at->form = zero;
}

static void offset_plus(loops_frame *f, offset *at, index_form own, const model_set *set)
{
  index_form first = index_form_first(set);
  index_form relative = index_form_add(&own, &first, -1);
  index_form next = index_form_add(&at->form, &relative, 1);
  if (next.linear) {
    at->form = next;
    return;
  }
  const char *start = loops_index(f, &first);
  at->prefix = arena_printf(f->memory, loops_is_atom(start) ? "%s + %s - %s" : "%s + %s - (%s)",
                            offset_text(f, at), loops_index(f, &own), start);
  at->form = index_form_constant(0);
}

static const char *offset_from(loops_frame *f, const char *base, offset at)
{
  if (loops_entries_is_number(base)) {
    at.form.constant += strtol(base, NULL, 10);
    base = "0";
  }
  return loops_plus(f->memory, base, offset_text(f, &at));
}

/* The offset of an entry in its array, starting from `base`: row-major, by Horner's rule. */
static const char *offset_of(loops_frame *f, const char *base, int n, const model_set *const sets[],
                             const model_index *const index[])
{
  offset at = {"0", index_form_constant(0)};
  for (int i = 0; i < n; i++) {
    offset_times(f, &at, sets[i]);
    offset_plus(f, &at, index_form_of(index[i]), sets[i]);
  }
  return offset_from(f, base, at);
}

const char *loops_iteration(loops_frame *f, const char *base, int n,
                            const model_binder *const binders[], long scale)
{
  index_form zero = index_form_constant(0);
  offset at = {"0", zero};
  for (int i = 0; i < n; i++) {
    const model_index *own = indices_variable(f->memory, binders[i], (span){0, 0});
    offset_times(f, &at, binders[i]->set);
    offset_plus(f, &at, index_form_of(own), binders[i]->set);
  }
  index_form scaled = index_form_add(&zero, &at.form, scale);
  if (!strcmp(at.prefix, "0") && scaled.linear) {
    at.form = scaled;
  } else if (scale != 1) {
    at = (offset){arena_printf(f->memory, "%ld * (%s)", scale, offset_text(f, &at)), zero};
  }
  return offset_from(f, base, at);
}

static const char *plus_count(loops_frame *f, const char *sum, const model_shape *shape)
{
  return loops_plus(f->memory, sum, loops_times(f, 1, shape->n, shape->sets));
}

const char *loops_coordinate_base(loops_frame *f, int n)
{
  const char *sum = "0";
  for (int i = 0; i < n; i++) {
    sum = plus_count(f, sum, &f->emission->model->coordinates[i]->shape);
  }
  return sum;
}

const char *loops_parameter_base(loops_frame *f, int n)
{
  const char *sum = "0";
  for (int i = 0; i < n; i++) {
    sum = plus_count(f, sum, &f->emission->model->parameters[i]->shape);
  }
  return sum;
}

const char *loops_indices_base(loops_frame *f, int n)
{
  const model *m = f->emission->model;
  const char *sum = arena_printf(f->memory, "%d", m->n_sizes);
  for (int i = 0; i < n; i++) {
    const model_shape shape = {1, &m->indices[i]->set, m->indices[i]->set->count};
    sum = plus_count(f, sum, &shape);
  }
  return sum;
}

/* The number of an entry of lambda. */
static const char *row_of_constraint(loops_frame *f, const ir_reference *r)
{
  const model *m = f->emission->model;
  const char *base = "0";
  for (int i = 0; i < m->n_constraints && m->constraints[i] != r->constraint; i++) {
    base = loops_plus(f->memory, base, loops_family_count(f, LOOPS_CONSTRAINTS, i));
  }
  return offset_of(f, base, r->n_index, loops_sets(f->memory, r->n_index, r->constraint->binders),
                   r->index);
}

const char *loops_place(loops_frame *f, const ir_reference *r, int is_momentum)
{
  arena *a = f->memory;
  if (r->constraint) {
    return row_of_constraint(f, r);
  }
  const model_shape *shape = r->coordinate ? &r->coordinate->shape : &r->parameter->shape;
  const char *base = r->coordinate ? loops_coordinate_base(f, r->coordinate->number)
                                   : loops_parameter_base(f, r->parameter->number);
  const char *place = offset_of(f, base, shape->n, shape->sets, r->index);
  return is_momentum ? loops_plus(a, "d", place) : place;
}

const char *loops_value(loops_frame *f, const ir_reference *r, int is_momentum)
{
  const loops_emission *e = f->emission;
  arena *a = f->memory;
  if (r->constraint) {
    const char *row = row_of_constraint(f, r);
    return arena_printf(a, "lambda[%s]", r->is_impulse ? loops_plus(a, "count", row) : row);
  }
  if (!r->coordinate && !r->parameter) {
    index_form number = index_form_of(r->index[0]);
    return arena_printf(a, number.linear ? "%s" : "(%s)", loops_index_double(f, &number));
  }
  const model_shape *shape = r->coordinate ? &r->coordinate->shape : &r->parameter->shape;
  if (r->coordinate && (shape->n == 0 || f->writes_state)) {
    return arena_printf(a, "z[%s]", loops_place(f, r, is_momentum));
  }
  const char *name = r->parameter
                         ? e->parameters[r->parameter->number]
                         : (is_momentum ? e->momenta : e->positions)[r->coordinate->number];
  return shape->n
             ? arena_printf(a, "%s[%s]", name, offset_of(f, "0", shape->n, shape->sets, r->index))
             : name;
}

const char *loops_text(loops_frame *f, const ir_reference *r, int is_momentum)
{
  size_t n = r->coordinate ? strlen(r->coordinate->name) : 0;
  if (!is_momentum || !n || strncmp(r->text, r->coordinate->name, n) != 0) {
    return r->text;
  }
  return arena_printf(f->memory, "%s%s", r->coordinate->momentum, r->text + n);
}
