/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_references.c -- the function that finds references which leave their arrays at the sizes of a run.
 */
#include "emit/loops_bounds.h"
#include "emit/loops_functions.h"
#include "model/checker.h"

/* References of one nest, with what is wrong where they leave their arrays. */
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

/* Bit 0: the index may be below the set, bit 1: above. */
static int may_leave(const ir_reference *r, int dim)
{
  index_form own = index_form_of(r->index[dim]);
  index_form first = index_form_first(set_of(r, dim));
  index_form last = index_form_last(set_of(r, dim));
  index_form above = index_form_add(&own, &first, -1);
  index_form below = index_form_add(&last, &own, -1);
  return (above.linear && index_form_never_negative(&above) ? 0 : 1) |
         (below.linear && index_form_never_negative(&below) ? 0 : 2);
}

/* Whether the set of an open loop has elements only where the form is positive. */
static int is_positive(const loops_frame *f, const model_index *index)
{
  index_form form = index_form_of(index);
  index_form one = index_form_constant(1);
  index_form excess = index_form_add(&form, &one, -1);
  int known = excess.linear && index_form_never_negative(&excess);
  for (int i = 0; i < f->n_binders && !known; i++) {
    index_form first = index_form_first(f->binders[i]->set);
    index_form last = index_form_last(f->binders[i]->set);
    index_form rest = index_form_add(&excess, &last, -1);
    rest = index_form_add(&rest, &first, 1);
    known = rest.linear && index_form_never_negative(&rest);
  }
  return known;
}

/* 1 where a divisor of mod within the index may not be positive. */
static int may_divide(const loops_frame *f, const model_index *index)
{
  return index && ((index->kind == INDEX_MOD && !is_positive(f, index->b)) ||
                   may_divide(f, index->a) || may_divide(f, index->b));
}

static int tests_of(const loops_frame *f, const ir_kernel *k);

static int index_needs_test(const loops_frame *f, const ir_reference *r, int dim)
{
  int is_entry = r->coordinate || r->parameter || r->constraint;
  return may_divide(f, r->index[dim]) || (is_entry && may_leave(r, dim));
}

static int needs_test(const loops_frame *f, const ir_reference *r)
{
  if (r->sum) {
    return tests_of(f, &r->sum->kernel) > 0;
  }
  for (int i = 0; i < r->n_index; i++) {
    if (index_needs_test(f, r, i)) {
      return 1;
    }
  }
  return 0;
}

static int tests_of(const loops_frame *f, const ir_kernel *k)
{
  int n = 0;
  for (int i = 0; i < k->n_sites; i++) {
    n += needs_test(f, &k->sites[i]);
  }
  for (int i = 0; i < k->n_values; i++) {
    n += needs_test(f, &k->values[i]);
  }
  for (int i = 0; i < k->n_multipliers; i++) {
    n += needs_test(f, &k->multipliers[i]);
  }
  return n;
}

/* Returns the number of the text where the condition holds. */
static void test_if(reference_list *list, const char *condition, const char *note, const char *text)
{
  loops_frame *f = list->frame;
  list->n++;
  loops_open(f, "if (%s) {", condition);
  loops_line(f, "return %d; /* %s */", list->n, note);
  loops_close(f);
  writer_printf(list->texts, "    %s,\n", writer_literal(f->memory, text));
}

static void test_divisor(reference_list *list, const model_index *divisor, const char *where)
{
  loops_frame *f = list->frame;
  index_form form = index_form_of(divisor);
  index_form one = index_form_constant(1);
  const char *text = text_index(f->memory, divisor, 0);
  test_if(list, loops_compare(f, &form, "<", &one), arena_printf(f->memory, "mod(..., %s)", text),
          arena_printf(f->memory, "the divisor %s of mod in %s is not positive", text, where));
}

/* Inner ones first. */
static void test_divisors(reference_list *list, const model_index *index, const char *where)
{
  if (!may_divide(list->frame, index)) {
    return;
  }
  test_divisors(list, index->a, where);
  test_divisors(list, index->b, where);
  if (index->kind == INDEX_MOD && !is_positive(list->frame, index->b)) {
    test_divisor(list, index->b, where);
  }
}

static void test_kernel(reference_list *list, const ir_kernel *k, const char *where);

static void test(reference_list *list, const ir_reference *r, const char *where)
{
  loops_frame *f = list->frame;
  const char *text = "";
  if (r->sum && needs_test(f, r)) {
    int blocks = loops_nest_open(f, &r->sum->nest);
    test_kernel(list, &r->sum->kernel, where);
    loops_nest_close(f, &r->sum->nest, blocks);
  }
  int is_entry = r->coordinate || r->parameter || r->constraint;
  for (int i = 0; i < r->n_index; i++) {
    test_divisors(list, r->index[i], where);
  }
  for (int i = 0; i < r->n_index && is_entry; i++) {
    int leaves = may_leave(r, i);
    index_form own = index_form_of(r->index[i]);
    index_form first = index_form_first(set_of(r, i));
    index_form last = index_form_last(set_of(r, i));
    if (leaves & 1) {
      text = arena_printf(f->memory, "%s%s%s", text, *text ? " || " : "",
                          loops_compare(f, &own, "<", &first));
    }
    if (leaves & 2) {
      text = arena_printf(f->memory, "%s%s%s", text, *text ? " || " : "",
                          loops_compare(f, &own, ">", &last));
    }
  }
  if (*text) {
    test_if(list, text, r->text,
            arena_printf(f->memory, "%s in %s is outside of its array", r->text, where));
  }
}

static void test_kernel(reference_list *list, const ir_kernel *k, const char *where)
{
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

/* 1 where what is tested of a kernel reads the binder. */
static int test_reads(const loops_frame *f, const ir_kernel *k, const model_binder *b)
{
  const ir_reference *const lists[] = {k->sites, k->values, k->multipliers};
  const int n[] = {k->n_sites, k->n_values, k->n_multipliers};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < n[i]; j++) {
      const ir_reference *r = &lists[i][j];
      for (int dim = 0; dim < r->n_index; dim++) {
        if (index_needs_test(f, r, dim) && bounds_index_reads(r->index[dim], b)) {
          return 1;
        }
      }
      if (r->sum && (bounds_nest_reads(&r->sum->nest, b) || test_reads(f, &r->sum->kernel, b))) {
        return 1;
      }
    }
  }
  return 0;
}

/* The loops of a family without those that no test depends on. */
static ir_nest tested_nest(const loops_frame *f, const ir_looped_family *family)
{
  const ir_nest *all = &family->nest;
  const model_binder **binders = ARENA_ARRAY(f->memory, all->n + 1, const model_binder *);
  ir_nest nest = {0, binders, NULL};
  if (all->condition) {
    return *all;
  }
  for (int i = 0; i < all->n; i++) {
    const model_binder *b = all->binders[i];
    index_form count = index_form_count(b->set);
    int reads = b->set->is_dependent || !index_form_is_constant(&count) || count.constant == 0;
    for (int j = 0; j < family->n_parts && !reads; j++) {
      reads = bounds_nest_reads(&family->parts[j].nest, b) ||
              test_reads(f, &family->parts[j].kernel, b);
    }
    if (reads) {
      binders[nest.n++] = b;
    }
  }
  return nest;
}

static void test_families(reference_list *list, const char *kind, int n,
                          const ir_looped_family families[])
{
  loops_frame *f = list->frame;
  for (int i = 0; i < n; i++) {
    const ir_looped_family *family = &families[i];
    const char *where = family->family
                            ? arena_printf(f->memory, "%s %s", kind, family->family->heading)
                            : f->emission->model->hamiltonian_name;
    int tests = 0;
    for (int j = 0; j < family->n_parts; j++) {
      tests += tests_of(f, &family->parts[j].kernel);
    }
    if (!tests) {
      continue;
    }
    ir_nest nest = tested_nest(f, family);
    int blocks = loops_nest_open(f, &nest);
    for (int j = 0; j < family->n_parts; j++) {
      const ir_part *part = &family->parts[j];
      if (tests_of(f, &part->kernel)) {
        int inner = loops_nest_open(f, &part->nest);
        test_kernel(list, &part->kernel, where);
        loops_nest_close(f, &part->nest, inner);
      }
    }
    loops_nest_close(f, &nest, blocks);
  }
}

static void test_assignments(reference_list *list, int n, const ir_assignment assignments[],
                             const char *where)
{
  loops_frame *f = list->frame;
  for (int i = 0; i < n; i++) {
    const ir_assignment *as = &assignments[i];
    if (tests_of(f, &as->kernel) || needs_test(f, &as->target)) {
      int blocks = loops_nest_open(f, &as->nest);
      test(list, &as->target, where);
      test_kernel(list, &as->kernel, where);
      loops_nest_close(f, &as->nest, blocks);
    }
  }
}

void loops_emit_references(loops_emission *e, writer *w)
{
  const ir_loops *l = e->loops;
  reference_list list = {loops_frame_create(e), writer_create(e->memory), 0};
  for (int i = 0; i < l->n_divisors; i++) {
    if (!is_positive(list.frame, l->divisors[i])) {
      test_divisor(&list, l->divisors[i], "a condition or the end of a sum");
    }
  }
  test_families(&list, "H", 1, &l->hamiltonian);
  test_families(&list, "constraint", l->n_constraints, l->constraints);
  test_families(&list, "observable", l->n_observe, l->observe);
  test_families(&list, "invariant", l->n_invariants, l->invariants);
  test_assignments(&list, l->n_defaults, l->defaults, "a default");
  for (int i = 0; i < l->n_states; i++) {
    test_assignments(&list, l->states[i].n, l->states[i].assignments,
                     arena_printf(e->memory, "initial state '%s'", l->states[i].name));
  }
  e->n_references = list.n;
  if (list.n == 0) {
    return;
  }
  loops_line(list.frame, "return 0;");
  loops_frame_finish(list.frame, w, "0, or the number from 1 of a reference that leaves its array.",
                     "static int references(const long sizes[])", TAKES(ARGUMENT_SIZES));
  writer_printf(w, "static const char *const reference_texts[] = {\n%s};\n\n",
                writer_text(list.texts));
}
