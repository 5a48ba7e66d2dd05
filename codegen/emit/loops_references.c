/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_references.c -- the function `references`, which tests at the sizes of a run whether a
 * reference leaves its array.
 */
#include "emit/loops.h"
#include "model/index_nodes.h"

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

void loops_emit_references(loops_emission *e)
{
  static const char *const words[] = {
      [LOOPS_CONSTRAINTS] = "constraint", [LOOPS_OBSERVE] = "observable",
      [LOOPS_INVARIANTS] = "invariant",   [LOOPS_FORCES] = "force",
      [LOOPS_EVENTS] = "event",           [LOOPS_FORCE_TARGETS] = "the momentum of force"};
  const ir_loops *l = e->loops;
  reference_list list = {loops_frame_create(e), writer_create(e->memory), 0};
  for (int i = 0; i < l->n_partial; i++) {
    test_partial(&list, l->partial[i], "a condition or the end of a sum");
  }
  for (int kind = 0; kind < LOOPS_KINDS; kind++) {
    const int is_stated = kind < LOOPS_OF_MODEL || kind == LOOPS_FORCE_TARGETS;
    for (int i = 0; is_stated && i < e->lists[kind].n; i++) {
      const ir_looped_family *family = &e->lists[kind].families[i];
      test_family(&list, family,
                  family->family
                      ? arena_printf(e->memory, "%s %s", words[kind], family->family->heading)
                      : e->model->hamiltonian_name);
    }
  }
  test_assignments(&list, l->n_defaults, l->defaults, "a default");
  for (int i = 0; i < l->n_states + l->has_bath; i++) {
    test_assignments(&list, l->states[i].n, l->states[i].assignments,
                     i == l->n_states
                         ? "a bath"
                         : arena_printf(e->memory, "initial state '%s'", l->states[i].name));
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
