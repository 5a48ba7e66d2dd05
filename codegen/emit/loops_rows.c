/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_rows.c -- a half of the gradient of H in pieces, which threads compute in parallel.
 *
 * A piece has the entries of some rows of the arrays: those whose first index is from `begin` to
 * `end` - 1. Let i be the variable of a kernel's outermost loop. If all its entries are in rows i +
 * c, the loop covers those i that lead to a row of the piece. It adds to these rows alone, so each
 * entry is a sum in the order of the loops, for any division into pieces. Other kernels, such as
 * kernels of pairs, follow in one piece.
 *
 * If the strength of a term is a parameter and is 0, its loops are skipped, provided that its
 * forces are defined at all states. Otherwise a step beyond an edge of H must fail for any
 * strength.
 */
#include <string.h>

#include "emit/loops.h"
#include "expr/sign.h"

/* ---- selection of kernels ---- */

/* The set of the rows: the set of the first index of the first array; NULL if it does not grow with
 * a size. */
static const model_set *set_of_rows(const model *m)
{
  const model_shape *shape = m->n_coordinates ? &m->coordinates[0]->shape : NULL;
  if (!shape || shape->n == 0 || shape->sets[0]->is_dependent) {
    return NULL;
  }
  index_form count = index_form_count(shape->sets[0]);
  return count.linear && !index_form_is_constant(&count) ? shape->sets[0] : NULL;
}

/* 1 if all entries of a kernel are in rows i + low .. i + high, which are then set in *k. */
static int find_window(loops_kernel *k, const model_set *set)
{
  if (k->inner->n == 0) {
    return 0;
  }
  const model_binder *binder = k->inner->binders[0];
  for (int e = 0; e < k->n; e++) {
    const ir_reference *site = &k->kernel->sites[k->entries[e].row % k->kernel->n_sites];
    if (site->n_index == 0 || site->coordinate->shape.sets[0] != set) {
      return 0;
    }
    int other = 0;
    index_form row = index_form_of(site->index[0]);
    index_form rest = index_form_without(&row, binder);
    if (!row.linear || index_form_factor(&row, binder, &other) != 1 || other ||
        !index_form_is_constant(&rest)) {
      return 0;
    }
    k->low = e == 0 || rest.constant < k->low ? rest.constant : k->low;
    k->high = e == 0 || rest.constant > k->high ? rest.constant : k->high;
  }
  k->is_all_rows = binder->set == set && k->low == 0 && k->high == 0 && !k->inner->condition;
  return 1;
}

/* ---- terms that are switched off ---- */

static int may_be_zero(const model_parameter *p)
{
  const int below = p->lower ? mpq_sgn(p->lower) + !p->lower_closed : -1;
  const int above = p->upper ? mpq_sgn(p->upper) - !p->upper_closed : 1;
  return below <= 0 && above >= 0;
}

/* 1 if forces of the kernel may be undefined in a whole region, where steps must fail. Sizes and
 * indices are constant during a run, so the state at the start reveals errors that depend on
 * them. */
static int loops_rows_may_be_undefined(loops_frame *f, const ir_kernel *kernel)
{
  ir_bounds *bounds = ARENA_ARRAY(f->memory, kernel->n_values + 1, ir_bounds);
  const ir_program within = {.k_bounds = bounds};
  int found = 0;
  mpq_t zero;
  mpq_init(zero);
  for (int i = 0; i < kernel->n_values; i++) {
    const model_parameter *p = kernel->values[i].parameter;
    bounds[i] = p ? (ir_bounds){p->lower, p->upper, p->lower_closed, p->upper_closed}
                  : (ir_bounds){.lower = zero};
  }
  for (int e = 0; e < kernel->gradient.n && !found; e++) {
    found = ir_may_be_undefined(&within, kernel->gradient.entries[e].value);
  }
  mpq_clear(zero);
  return found;
}

/* The scalar parameter that may be 0 and is a factor of the kernel; NULL if there is none, or if
 * the kernel's forces may be undefined. */
static const ir_reference *strength_of(loops_frame *f, const ir_kernel *kernel)
{
  const ir_expr *value = kernel->value;
  if (value->kind == IR_SUM && value->n == 1) {
    value = value->terms[0].node;
  }
  for (int i = 0; value->kind == IR_PRODUCT && i < value->n; i++) {
    const ir_expr *base = value->factors[i].base;
    if (base->kind == IR_INPUT && base->space == IR_K && mpq_sgn(value->factors[i].exponent) > 0) {
      const ir_reference *r = &kernel->values[base->index];
      if (r->parameter && r->parameter->shape.n == 0 && may_be_zero(r->parameter)) {
        return loops_rows_may_be_undefined(f, kernel) ? NULL : r;
      }
    }
  }
  return NULL;
}

/* ---- both kinds of kernels ---- */

/* The plan with the kernels of H whose entries are in such rows, or with the remaining kernels. */
static loops_plan loops_rows_part_of(loops_frame *f, const loops_quantity *q, const model_set *set,
                                     int in_rows)
{
  loops_plan plan = loops_plan_of(f, q, LOOPS_HAMILTONIAN, PLACES_NONE);
  plan.parts = 0;
  for (int i = 0; i < plan.n; i++) {
    loops_plan_family *family = &plan.families[i];
    int n = 0;
    for (int j = 0; j < family->n; j++) {
      loops_kernel *k = &family->kernels[j];
      if (find_window(k, set) == in_rows) {
        k->is_in_rows = in_rows;
        k->strength = strength_of(f, k->kernel);
        family->kernels[n++] = *k;
      }
    }
    family->n = n;
    plan.parts += n;
  }
  return plan;
}

/* ---- text ---- */

/* Sets the rows of all arrays to 0. The first piece sets arrays without such rows. */
static void emit_zero_rows(loops_frame *f, const model_set *set)
{
  const model *m = f->emission->model;
  arena *a = f->memory;
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_shape *shape = &m->coordinates[i]->shape;
    const char *base = loops_coordinate_base(f, i);
    if (shape->n == 0 || shape->sets[0] != set) {
      loops_open(f, "if (piece == 0) {");
      loops_set_zeros(f, base, loops_coordinate_base(f, i + 1));
      loops_close(f, 1);
      continue;
    }
    const char *stride = loops_times(f, 1, shape->n - 1, shape->sets + 1);
    const char *ends[2];
    for (int side = 0; side < 2; side++) {
      const char *cut = loops_cut(f, "0", set, side);
      ends[side] = loops_plus(
          a, base, strcmp(stride, "1") == 0 ? cut : arena_printf(a, "%s * %s", stride, cut));
    }
    loops_set_zeros(f, ends[0], ends[1]);
  }
}

static const char *emit_piece(loops_emission *e, const char *name, const char *quantity,
                              const loops_quantity *q, const model_set *set)
{
  loops_frame *f = loops_frame_create(e);
  const loops_plan plan = loops_rows_part_of(f, q, set, 1);
  const char *piece = arena_printf(e->memory, "%s_piece", name);
  index_form first = index_form_first(set);
  for (int side = 0; side < 2; side++) {
    loops_line(f, "const long %s = %s;", side ? "end" : "begin",
               loops_cut(f, loops_index(f, &first), set, side));
  }
  writer_printf(f->body, "\n");
  emit_zero_rows(f, set);
  loops_families(f, &plan);
  loops_frame_finish(f, arena_printf(e->memory, "%s, of a piece of the rows.", quantity), "void",
                     piece, EMIT_PIECE ", double out[]");
  loops_member(e, piece);
  return piece;
}

int loops_emit_rows(loops_emission *e, const char *name, const char *quantity,
                    const loops_quantity *q)
{
  const model_set *set = set_of_rows(e->model);
  loops_frame *rest = loops_frame_create(e);
  loops_frame *whole = loops_frame_create(e);
  if (!set || loops_rows_part_of(whole, q, set, 1).parts == 0) {
    return 0;
  }
  const char *left = arena_printf(e->memory, "%s_rest", name);
  const loops_plan others = loops_rows_part_of(rest, q, set, 0);
  loops_line(whole, "%s(sizes, 0, 1, z, k, out);", emit_piece(e, name, quantity, q, set));
  if (others.parts > 0) {
    loops_families(rest, &others);
    loops_frame_finish(rest, "What is left of it, added.", "void", left,
                       EMIT_STATE ", double out[]");
    loops_member(e, left);
    loops_line(whole, "%s(sizes, z, k, out);", left);
  }
  loops_frame_finish(whole, arena_printf(e->memory, "%s.", quantity), "void", name,
                     EMIT_STATE ", double out[]");
  loops_member(e, name);
  return 1;
}
