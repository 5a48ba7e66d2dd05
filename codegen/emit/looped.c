/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "emit/loops.h"
#include "emit/tables.h"
#include "expr/nest_bounds.h"
#include "model/index_nodes.h"

/* ---- references outside their arrays at the sizes of a run ---- */

/* The tests of the references of one nest, and the messages of failed tests. */
typedef struct reference_list {
  loops_frame *frame;
  writer *texts;
  int n;
} reference_list;

static const model_set *set_of(const ir_reference *r, int dim)
{
  return r->coordinate  ? r->coordinate->shape.sets[dim]
         : r->parameter ? r->parameter->shape.sets[dim]
                        : r->constraint->binders[dim]->set;
}

/* 1 if a nonempty set of an open loop implies that the index is positive. */
static int loops_references_is_positive(const loops_frame *f, const model_index *index)
{
  index_form form = index_form_of(index);
  index_form excess = index_form_plus(&form, -1);
  int known = index_form_never_negative(&excess);
  for (int i = 0; i < f->n_binders && !known; i++) {
    index_form first = index_form_first(f->binders[i]->set);
    index_form last = index_form_last(f->binders[i]->set);
    index_form rest = index_form_add(&excess, &last, -1);
    rest = index_form_add(&rest, &first, 1);
    known = index_form_never_negative(&rest);
  }
  return known;
}

/* Writes a test. If the condition holds, the function returns the number of the text. */
static void test_if(reference_list *list, const char *condition, const char *note, const char *text)
{
  loops_frame *f = list->frame;
  list->n++;
  loops_open(f, "if (%s) {", condition);
  loops_line(f, "return %d; /* %s */", list->n, note);
  loops_close(f, 1);
  writer_printf(list->texts, "    %s,\n", writer_literal(f->memory, text));
}

static void test_divisor(reference_list *list, const model_index *divisor, const char *where)
{
  loops_frame *f = list->frame;
  index_form form = index_form_of(divisor);
  index_form one = index_form_constant(1);
  const char *text = text_index(f->memory, divisor, 0);
  if (loops_references_is_positive(f, divisor)) {
    return;
  }
  test_if(list, loops_compare(f, &form, FORMULA_LT, &one),
          arena_printf(f->memory, "mod(..., %s)", text),
          arena_printf(f->memory, "the divisor %s of mod in %s is not positive", text, where));
}

/* Appends to `text` the conditions under which an index leaves a set: "i < 1 || i > N". */
static const char *outside_of(loops_frame *f, const char *text, const model_index *index,
                              const model_set *set)
{
  index_form own = index_form_of(index);
  index_form first = index_form_first(set);
  index_form last = index_form_last(set);
  index_form above = index_form_add(&own, &first, -1);
  index_form below = index_form_add(&last, &own, -1);
  if (!index_form_never_negative(&above)) {
    text = arena_printf(f->memory, "%s%s%s", text, *text ? " || " : "",
                        loops_compare(f, &own, FORMULA_LT, &first));
  }
  if (!index_form_never_negative(&below)) {
    text = arena_printf(f->memory, "%s%s%s", text, *text ? " || " : "",
                        loops_compare(f, &own, FORMULA_GT, &last));
  }
  return text;
}

/* The condition under which a reference is outside its array; "" if it never is. */
static const char *outside(loops_frame *f, const ir_reference *r)
{
  const char *text = "";
  for (int i = 0; i < r->n_index; i++) {
    text = outside_of(f, text, r->index[i], set_of(r, i));
  }
  return text;
}

static void test_outside(reference_list *list, const char *condition, const char *text,
                         const char *where)
{
  if (*condition) {
    test_if(list, condition, text,
            arena_printf(list->frame->memory, "%s in %s is outside of its array", text, where));
  }
}

static void test_partial(reference_list *list, const model_index *index, const char *where)
{
  if (index->kind == INDEX_MOD) {
    test_divisor(list, index->b, where);
  }
  if (index->kind == INDEX_ENTRY) {
    test_outside(list, outside_of(list->frame, "", index->a, index->indices->set),
                 text_index(list->frame->memory, index, 0), where);
  }
}

/* Tests the parts of an index, inner ones first. */
static void test_index(reference_list *list, const model_index *index, const char *where)
{
  if (index) {
    test_index(list, index->a, where);
    test_index(list, index->b, where);
    test_partial(list, index, where);
  }
}

static void test_within(reference_list *list, const ir_nest *nest, const ir_reference *target,
                        const ir_kernel *k, const char *where);

static void test(reference_list *list, const ir_reference *r, const char *where)
{
  if (r->sum) {
    test_within(list, &r->sum->nest, NULL, &r->sum->kernel, where);
  }
  for (int i = 0; i < r->n_index; i++) {
    test_index(list, r->index[i], where);
  }
  int is_entry = r->coordinate || r->parameter || r->constraint;
  if (is_entry) {
    test_outside(list, outside(list->frame, r), r->text, where);
  }
}

/* Tests the target of an assignment, unless it is NULL, and all entries that a kernel reads. */
static void test_entries(reference_list *list, const ir_reference *target, const ir_kernel *k,
                         const char *where)
{
  if (target) {
    test(list, target, where);
  }
  for (int i = 0; i < k->n_sites; i++) {
    test(list, &k->sites[i], where);
  }
  for (int i = 0; i < k->n_values; i++) {
    test(list, &k->values[i], where);
  }
  for (int i = 0; i < k->n_multipliers; i++) {
    test(list, &k->multipliers[i], where);
  }
}

/* ---- the loops around them ---- */

/* A list of tests that is discarded. Its contents decide which loops are written. */
typedef struct trial {
  loops_frame frame;
  reference_list list;
} trial;

static trial *try(const reference_list *list)
{
  arena *a = list->frame->memory;
  trial *t = ARENA_NEW(a, trial);
  t->frame = *list->frame;
  t->frame.body = writer_create(a);
  t->list = (reference_list){&t->frame, writer_create(a), 0};
  return t;
}

static void test_within(reference_list *list, const ir_nest *nest, const ir_reference *target,
                        const ir_kernel *k, const char *where)
{
  trial *t = try(list);
  loops_nest_open(&t->frame, nest);
  test_entries(&t->list, target, k, where);
  if (t->list.n > 0) {
    int blocks = loops_nest_open(list->frame, nest);
    test_entries(list, target, k, where);
    loops_nest_close(list->frame, nest, blocks);
  }
}

static void test_parts(reference_list *list, const ir_looped_family *family, const char *where)
{
  for (int i = 0; i < family->n_parts; i++) {
    test_within(list, &family->parts[i].nest, NULL, &family->parts[i].kernel, where);
  }
}

/* Tests a family. Loops that no test depends on are omitted, unless they are filtered or may have
 * no iterations. */
static void test_family(reference_list *list, const ir_looped_family *family, const char *where)
{
  loops_frame *f = list->frame;
  const ir_nest *all = &family->nest;
  const model_binder **binders = ARENA_ARRAY(f->memory, all->n + 1, const model_binder *);
  ir_nest nest = {0, binders, all->condition};
  trial *t = try(list);
  for (int i = 0; i < all->n; i++) {
    loops_nest_push(&t->frame, all->binders[i], all->binders[i]->name);
  }
  test_parts(&t->list, family, where);
  const char *tests = writer_text(t->frame.body);
  for (int i = 0; i < all->n; i++) {
    const model_set *set = all->binders[i]->set;
    index_form count = index_form_count(set);
    int has_iterations = index_form_is_constant(&count) && count.constant > 0 && !set->is_dependent;
    const char *name = t->frame.binder_names[f->n_binders + i];
    if (all->condition || !has_iterations || writer_mentions(tests, name)) {
      binders[nest.n++] = all->binders[i];
    }
  }
  if (t->list.n > 0) {
    int blocks = loops_nest_open(f, &nest);
    test_parts(list, family, where);
    loops_nest_close(f, &nest, blocks);
  }
}

static void test_assignments(reference_list *list, int n, const ir_assignment assignments[],
                             const char *where)
{
  for (int i = 0; i < n; i++) {
    const ir_assignment *as = &assignments[i];
    test_within(list, &as->nest, &as->target, &as->kernel, where);
  }
}

/* Writes the function references and its texts. */
static void loops_emit_references(loops_emission *e)
{
  static const char *const words[] = {"H", "constraint", "observable", "invariant"};
  const ir_loops *l = e->loops;
  reference_list list = {loops_frame_create(e), writer_create(e->memory), 0};
  for (int i = 0; i < l->n_partial; i++) {
    test_partial(&list, l->partial[i], "a condition or the end of a sum");
  }
  for (int kind = 0; kind < LOOPS_OF_MODEL; kind++) {
    for (int i = 0; i < e->lists[kind].n; i++) {
      const ir_looped_family *family = &e->lists[kind].families[i];
      test_family(&list, family,
                  family->family
                      ? arena_printf(e->memory, "%s %s", words[kind], family->family->heading)
                      : e->model->hamiltonian_name);
    }
  }
  test_assignments(&list, l->n_defaults, l->defaults, "a default");
  for (int i = 0; i < l->n_states; i++) {
    test_assignments(&list, l->states[i].n, l->states[i].assignments,
                     arena_printf(e->memory, "initial state '%s'", l->states[i].name));
  }
  if (list.n == 0) {
    return;
  }
  loops_line(list.frame, "return 0;");
  loops_frame_finish(list.frame, "0, or the number from 1 of a reference that leaves its array.",
                     "int", "references", EMIT_SIZES);
  writer_printf(e->functions, "static const char *const reference_texts[] = {\n%s};\n\n",
                writer_text(list.texts));
  loops_member(e, "references");
  loops_member(e, "reference_texts");
}

/* Functions that depend on sizes alone: bounds of sets, filtered families, defaults and initial
 * states; and first the sums in these, with the loops of the assignments around them. */

/* ---- sums that grow ---- */

/* A sum in which a variable of the assignment occurs in one end only. */
typedef struct growing {
  const ir_part *part; /* NULL: no such sum */
  int along;           /* number of the variable */
  int direction;       /* 1 or -1: the sum grows while the variable rises or falls */
  int at_last;         /* 1 if its last term depends on the variable, 0 if its first does */
  const char *name;
  const char *variable; /* variable of its first loop */
} growing;

static growing find_growing(loops_frame *f, const ir_assignment *as, const ir_part *part)
{
  growing none = {NULL, 0, 0, 0, NULL, NULL};
  const ir_nest *nest = &part->nest;
  index_form first;
  index_form last;
  if (nest->n == 0) {
    return none;
  }
  loops_nest_ends(f, nest, &first, &last);
  for (int i = 0; i < as->nest.n && first.linear && last.linear; i++) {
    const model_binder *b = as->nest.binders[i];
    const ir_nest inner = {nest->n - 1, nest->binders + 1, NULL};
    int other = bounds_kernel_reads(&part->kernel, b) || bounds_filter_reads(f->memory, nest, b) ||
                bounds_nest_reads(&inner, b);
    long at_first = index_form_factor(&first, b, &other);
    long at_last = index_form_factor(&last, b, &other);
    if (!other && (at_first == 0) != (at_last == 0)) {
      int direction = at_last > 0 || at_first < 0 ? 1 : -1;
      return (growing){part, i, direction, at_last != 0, NULL, NULL};
    }
  }
  return none;
}

/* Finds the sums that grow along the same variable, in the same direction, as the first one found.
 * Returns their number. */
static int find_all(loops_frame *f, const ir_assignment *as, const loops_kernel *k, growing list[])
{
  int n = 0;
  const growing *leader = NULL;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_reference *r = &as->kernel.values[i];
    list[i] = (growing){NULL, 0, 0, 0, NULL, NULL};
    if (!r->sum || !k->code->used[IR_K][i]) {
      continue;
    }
    growing found = find_growing(f, as, r->sum);
    if (found.part &&
        (!leader || (found.along == leader->along && found.direction == leader->direction))) {
      list[i] = found;
      leader = leader ? leader : &list[i];
      n++;
    }
  }
  return n;
}

static void begin_sum(loops_frame *f, growing *g)
{
  index_form first;
  index_form last;
  g->name = loops_nest_push(f, NULL, "total");
  loops_line(f, "double %s = 0.0;", g->name);
  loops_nest_ends(f, &g->part->nest, &first, &last);
  const char *start = loops_index(f, g->at_last ? &first : &last);
  g->variable = loops_nest_push(f, g->part->nest.binders[0], g->part->nest.binders[0]->name);
  loops_line(f, "long %s = %s;", g->variable, start);
}

/* Writes the loop that adds the new terms of this iteration. */
static void continue_sum(loops_frame *f, const growing *g)
{
  index_form first;
  index_form last;
  loops_nest_ends(f, &g->part->nest, &first, &last);
  const char *end = loops_index(f, g->at_last ? &last : &first);
  loops_open(f, g->at_last ? "for (; %s <= %s; %s++) {" : "for (; %s >= %s; %s--) {", g->variable,
             end, g->variable);
  int before = f->n_binders;
  int blocks = loops_nest_open_from(f, &g->part->nest, 1);
  loops_add_term(f, g->part, g->name);
  f->n_binders = before;
  loops_close(f, blocks + 1);
}

static void open_along(loops_frame *f, const model_binder *binder, int direction)
{
  index_form first = index_form_first(binder->set);
  index_form last = index_form_last(binder->set);
  const char *from = loops_index(f, &first);
  const char *to = loops_index(f, &last);
  const char *v = loops_nest_push(f, binder, binder->name);
  if (direction > 0) {
    loops_open(f, "for (long %s = %s; %s <= %s; %s++) {", v, from, v, to, v);
  } else {
    loops_open(f, "for (long %s = %s; %s >= %s; %s--) {", v, to, v, from, v);
  }
}

/* Writes the sums that are the same in all iterations first. Returns 1 if there are any. */
static int constant_sums(loops_frame *f, const ir_assignment *as, loops_kernel *k)
{
  int found = 0;
  for (int i = 0; i < as->kernel.n_values; i++) {
    const ir_part *sum = as->kernel.values[i].sum;
    int varies = !sum || !k->code->used[IR_K][i];
    for (int j = 0; j < as->nest.n && !varies; j++) {
      const model_binder *b = as->nest.binders[j];
      varies = bounds_nest_reads(&sum->nest, b) || bounds_kernel_reads(&sum->kernel, b);
    }
    if (varies || as->nest.n == 0) {
      continue;
    }
    if (!found) {
      loops_open(f, "{");
    }
    found = 1;
    k->sums[i] = loops_sum(f, sum);
  }
  return found;
}

/* Opens the loops of the assignment; the loop along which the sums grow is the innermost. */
static void open_growing(loops_frame *f, const ir_assignment *as, loops_kernel *k, growing list[],
                         int in_block)
{
  int n = as->kernel.n_values;
  const growing *leader = list;
  while (!leader->part) {
    leader++;
  }
  const model_binder **others = ARENA_ARRAY(f->memory, as->nest.n + 1, const model_binder *);
  ir_nest outer = {0, others, NULL};
  for (int i = 0; i < as->nest.n; i++) {
    if (i != leader->along) {
      others[outer.n++] = as->nest.binders[i];
    }
  }
  loops_nest_open(f, &outer);
  if (outer.n == 0 && !in_block) {
    loops_open(f, "{");
  }
  for (int i = 0; i < n; i++) {
    if (list[i].part) {
      begin_sum(f, &list[i]);
      k->sums[i] = list[i].name;
    }
  }
  open_along(f, as->nest.binders[leader->along], leader->direction);
  for (int i = 0; i < n; i++) {
    if (list[i].part) {
      continue_sum(f, &list[i]);
    }
  }
  const ir_nest rest = {0, NULL, as->nest.condition};
  loops_nest_open(f, &rest);
}

/* Opens the loops of an assignment and returns the number of blocks. If a sum gains a few terms
 * from one iteration of a loop to the next, this loop becomes the innermost one. Then k->sums has
 * the names of these sums, which are updated in every iteration. */
static int loops_sums_open(loops_frame *f, const ir_assignment *as, loops_kernel *k)
{
  int before = f->indent;
  growing *list = ARENA_ARRAY(f->memory, as->kernel.n_values + 1, growing);
  k->sums = ARENA_ARRAY(f->memory, as->kernel.n_values + 1, const char *);
  int in_block = constant_sums(f, as, k);
  if (find_all(f, as, k, list) > 0) {
    open_growing(f, as, k, list, in_block);
  } else {
    loops_nest_open(f, &as->nest);
  }
  return (f->indent - before) / 2;
}

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
  e->is_limited = 1;
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
  emit_noted(f->body, f->indent, loops_text(f, &as->target, as->is_momentum), "%s[%s] = %s;", array,
             loops_place(f, &as->target, as->is_momentum),
             is_data ? "NAN" : loops_kernel_value(f, &k, 0, 0));
  f->n_binders = before;
  loops_close(f, blocks);
}

/* Writes all functions of sizes alone: ranges, instances, parameter_values, initial states. */
static void loops_emit_shapes(loops_emission *e)
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

/* ---- sizes and sets ---- */

/* Writes their tables and returns the members of the constant. */
static const char *looped_emit_sizes(writer *w, arena *a, const model *m)
{
  const char **names = ARENA_ARRAY(a, m->n_sizes + 1, const char *);
  writer *values = writer_create(a);
  writer *members = writer_create(a);
  for (int i = 0; i < m->n_sizes; i++) {
    names[i] = m->sizes[i]->name;
    writer_printf(values, i ? ", " : "");
    writer_printf(values, m->sizes[i]->is_data ? "SW_NO_DEFAULT" : "%ld", m->sizes[i]->value);
  }
  emit_strings(w, a, "size_names", names, m->n_sizes);
  emit_list(w, "long", "size_default", writer_text(values));
  if (m->n_sizes) {
    writer_printf(members, "    .n_sizes = %d,\n    .size_names = size_names,\n", m->n_sizes);
    writer_printf(members, "    .size_default = size_default,\n");
  }
  if (m->n_sets) {
    writer_printf(members, "    .n_sets = %d,\n    .sets = sets,\n    .ranges = ranges,\n",
                  m->n_sets);
  }
  return writer_text(members);
}

/* Writes the table of arrays of indices and returns the members of the constant. */
static const char *emit_indices(emit_parts *parts, const model *m)
{
  arena *a = parts->memory;
  emit_table table = {0};
  for (int i = 0; i < m->n_indices; i++) {
    const model_indices *own = m->indices[i];
    emit_row(a, &table, "%s, %d, %d", writer_literal(a, own->name), loops_set_number(m, own->set),
             loops_set_number(m, own->target));
  }
  emit_rows(parts->lists, "sw_index_array", "indices", &table);
  return m->n_indices
             ? arena_printf(a, "    .n_indices = %d,\n    .indices = indices,\n", m->n_indices)
             : "";
}

static void emit_sets(emit_parts *parts, const model *m)
{
  arena *a = parts->memory;
  emit_table table = {0};
  for (int i = 0; i < m->n_sets; i++) {
    const model_set *set = m->sets[i];
    const char *labels = set->is_range ? "NULL" : arena_printf(a, "labels_%d", i);
    if (!set->is_range) {
      emit_strings(parts->lists, a, labels, set->labels, (int)set->count);
    }
    emit_row(a, &table, "%s, %s", writer_literal(a, set->name), labels);
  }
  emit_rows(parts->lists, "sw_set", "sets", &table);
}

/* Writes the table of a list of sets and returns its name; "NULL" if the list is empty. */
static const char *looped_list_of(emit_parts *parts, const model *m, int n,
                                  const model_set *const sets[])
{
  arena *a = parts->memory;
  const char *name = "sets";
  const char *numbers = "";
  for (int i = 0; i < n; i++) {
    int number = loops_set_number(m, sets[i]);
    name = arena_printf(a, "%s_%d", name, number);
    numbers = arena_printf(a, "%s%s%d", numbers, i ? ", " : "", number);
  }
  /* A search for this head cannot match a name of the model, which occurs only in strings. */
  const char *head = arena_printf(a, "static const int %s[]", name);
  if (n > 0 && !strstr(writer_text(parts->lists), head)) {
    emit_list(parts->lists, "int", name, numbers);
  }
  return n > 0 ? name : "NULL";
}

/* ---- variables ---- */

/* Adds the row of an array and returns its declaration, such as "q[node,xyz]". */
static const char *emit_array(emit_parts *parts, const model *m, emit_table_id table,
                              const char *name, const model_shape *shape)
{
  const char *text = name;
  for (int i = 0; i < shape->n; i++) {
    text = arena_printf(parts->memory, "%s%s%s", text, i ? "," : "[", shape->sets[i]->name);
  }
  emit_array_row(parts, table, name, shape->n, looped_list_of(parts, m, shape->n, shape->sets));
  return shape->n ? arena_printf(parts->memory, "%s]", text) : text;
}

static void emit_variables(emit_parts *parts, const model *m)
{
  const char **q = ARENA_ARRAY(parts->memory, m->n_coordinates + 1, const char *);
  const char **p = ARENA_ARRAY(parts->memory, m->n_coordinates + 1, const char *);
  const char **k = ARENA_ARRAY(parts->memory, m->n_parameters + 1, const char *);
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_coordinate *c = m->coordinates[i];
    q[i] = emit_array(parts, m, TABLE_POSITIONS, c->name, &c->shape);
    p[i] = emit_array(parts, m, TABLE_MOMENTA, c->momentum, &c->shape);
  }
  for (int i = 0; i < m->n_parameters; i++) {
    const model_parameter *own = m->parameters[i];
    k[i] = emit_array(parts, m, TABLE_PARAMETERS, own->name, &own->shape);
    emit_bounds_row(parts, own);
  }
  parts->names[TABLE_POSITIONS] = q;
  parts->names[TABLE_MOMENTA] = p;
  parts->names[TABLE_PARAMETERS] = k;
}

static void looped_emit_families(emit_parts *parts, const model *m, emit_table_id table,
                                 const loops_list *list)
{
  static const char *const fibres[] = {"SW_FIBRE_SHIFT_P", "SW_FIBRE_SHIFT_Q", "SW_FIBRE_FLOW",
                                       "SW_FIBRE_FLOW"};
  for (int i = 0; i < list->n; i++) {
    const model_family *own = list->families[i].family;
    const model_set **sets = loops_sets(parts->memory, own->n_binders, own->binders);
    emit_family_row(parts, table, own->name, own->n_binders,
                    looped_list_of(parts, m, own->n_binders, sets), list->instances[i],
                    fibres[list->families[i].fibre]);
  }
}

/* ---- all parts ---- */

static const char *functions_of(loops_emission *e)
{
  loops_emit_shapes(e);
  loops_emit_functions(e);
  return arena_printf(
      e->memory, "%s%s",
      e->is_limited ? "/* The largest number of contributions or instances that is of use. */\n"
                      "enum { MOST = 2147483647 };\n\n"
                    : "",
      writer_text(e->functions));
}

emit_parts emit_looped(arena *a, ir_context *c, const emit_input *in)
{
  const model *m = in->model;
  loops_emission *e = loops_emission_create(a, c, m, in->loops);
  emit_parts parts = {.memory = a,
                      .functions = functions_of(e),
                      .lists = writer_create(a),
                      .members = writer_text(e->members),
                      .structure = &in->loops->structure,
                      .commuting = !in->loops->shares};
  parts.sizes = looped_emit_sizes(parts.lists, a, m);
  emit_sets(&parts, m);
  parts.sizes = arena_printf(a, "%s%s", parts.sizes, emit_indices(&parts, m));
  emit_variables(&parts, m);
  looped_emit_families(&parts, m, TABLE_CONSTRAINTS, &e->lists[LOOPS_CONSTRAINTS]);
  looped_emit_families(&parts, m, TABLE_OBSERVABLES, &e->lists[LOOPS_OBSERVE]);
  looped_emit_families(&parts, m, TABLE_INVARIANTS, &e->lists[LOOPS_INVARIANTS]);
  for (int i = 0; i < in->loops->n_states; i++) {
    emit_state_row(&parts, in->loops->states[i].name, i);
  }
  return parts;
}
