/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_matrices.c -- the sparse matrices of a looped model: where the contributions stand, and what
 * they are, in the same order.
 */
#include <string.h>

#include "emit/function.h"
#include "emit/loops_functions.h"

#define SIZED       "const long sizes[], const double z[], const double k[], "
#define TAKES_SIZED (TAKES(ARGUMENT_SIZES) | TAKES(ARGUMENT_Z) | TAKES(ARGUMENT_K))

/* ---- where a contribution stands ---- */

typedef struct place_text {
  const char *row;
  const char *col;
} place_text;

/* Local unknowns of one kind, both positions or both momenta, of two sites. */
static int same_kind(const loops_kernel *k, const ir_entry *entry)
{
  int n = k->kernel->n_sites;
  return entry->row != entry->col && (entry->row >= n) == (entry->col >= n);
}

static loops_order entry_order(const loops_frame *f, const loops_kernel *k, const ir_entry *entry)
{
  int n = k->kernel->n_sites;
  return loops_kernel_order(f->emission, k, entry->row % n, entry->col % n);
}

/* In the lower triangle of the whole matrix: momenta are below positions, and else the larger place is
 * the row. */
static place_text triangle_place(loops_frame *f, loops_kernel *k, const ir_entry *entry)
{
  const char *row = loops_kernel_unknown(f, k, entry->row);
  const char *col = loops_kernel_unknown(f, k, entry->col);
  if (!same_kind(k, entry)) {
    return (place_text){row, col};
  }
  switch (entry_order(f, k, entry)) {
  case ORDER_BEHIND:
    return (place_text){row, col};
  case ORDER_BEFORE:
    return (place_text){col, row};
  case ORDER_APART:
  case ORDER_UNKNOWN:
    break;
  }
  return (place_text){arena_printf(f->memory, "larger(%s, %s)", row, col),
                      arena_printf(f->memory, "smaller(%s, %s)", row, col)};
}

static int is_integer(const char *text)
{
  return text[strspn(text, "0123456789")] == '\0';
}

/* The number of value i. */
static const char *number_of(const loops_frame *f, int i)
{
  return loops_plus(f->memory, f->at, arena_printf(f->memory, "%d", i));
}

/* The present values have numbers that are short. */
static void begin_values(loops_frame *f, const loops_kernel *k)
{
  if (k->n > 1 && !loops_is_atom(f->at) && !is_integer(f->at)) {
    loops_line(f, "const long t = %s;", f->at);
    f->at = "t";
  }
}

/* Where places are counted, they are written only if they are asked for; where not, that has been tested. */
static void open_places(loops_frame *f, const loops_kernel *k)
{
  if (f->is_counting) {
    loops_open(f, "if (rows) {");
  } else {
    begin_values(f, k);
  }
}

/* A number of values that no int can hold is as good as any larger one. */
static void close_places(loops_frame *f, const loops_kernel *k)
{
  if (f->is_counting) {
    loops_close(f);
    loops_line(f, "t += %d;", k->n);
    loops_open(f, "if (t > MOST) {");
    loops_line(f, "return t;");
    loops_close(f);
  }
}

static void end_values(loops_frame *f, const loops_kernel *k)
{
  if (f->is_counting) {
    loops_line(f, "t += %d;", k->n);
  }
}

static void write_place(loops_frame *f, int i, place_text place)
{
  const char *at = number_of(f, i);
  loops_line(f, "rows[%s] = %s;", at, loops_as_int(f->memory, place.row));
  loops_line(f, "cols[%s] = %s;", at, loops_as_int(f->memory, place.col));
}

static void note_sites(loops_kernel *k, unsigned char wanted[])
{
  int n = k->kernel->n_sites;
  for (int i = 0; i < k->n; i++) {
    wanted[k->entries[i].row % n] = 1;
    wanted[k->entries[i].col % n] = 1;
  }
}

static void triangle_places(loops_frame *f, loops_kernel *k)
{
  unsigned char *wanted = ARENA_ARRAY(f->memory, k->kernel->n_sites + 1, unsigned char);
  note_sites(k, wanted);
  open_places(f, k);
  loops_kernel_sites(f, k, wanted);
  for (int i = 0; i < k->n; i++) {
    write_place(f, i, triangle_place(f, k, &k->entries[i]));
  }
  close_places(f, k);
}

static void square_places(loops_frame *f, loops_kernel *k)
{
  unsigned char *wanted = ARENA_ARRAY(f->memory, k->kernel->n_sites + 1, unsigned char);
  note_sites(k, wanted);
  open_places(f, k);
  loops_kernel_sites(f, k, wanted);
  for (int i = 0; i < k->n; i++) {
    write_place(f, i,
                (place_text){loops_kernel_unknown(f, k, k->entries[i].row),
                             loops_kernel_unknown(f, k, k->entries[i].col)});
  }
  close_places(f, k);
}

static void row_places(loops_frame *f, loops_kernel *k)
{
  open_places(f, k);
  for (int i = 0; i < k->n; i++) {
    int unknown = k->entries[i].row;
    loops_line(f, "rows[%s] = %s;", number_of(f, i), loops_as_int(f->memory, f->row));
    emit_noted(f->body, f->memory, f->indent,
               arena_printf(f->memory, "cols[%s] = %s;", number_of(f, i),
                            loops_as_int(f->memory, loops_kernel_unknown(f, k, unknown))),
               loops_kernel_label(f, k, unknown));
  }
  close_places(f, k);
}

/* ---- what it is ---- */

static void set_value(loops_frame *f, int i, const char *factor, const char *value)
{
  loops_line(f, "out[%s] = %s%s;", number_of(f, i), factor, value);
  f->used[ARGUMENT_OUT] = 1;
}

static void set_values(loops_frame *f, loops_kernel *k)
{
  begin_values(f, k);
  for (int i = 0; i < k->n; i++) {
    set_value(f, i, "", loops_kernel_value(f, k, i, 0));
  }
  end_values(f, k);
}

/* A pair of sites that are the same entry in this round stands for two entries of the Hessian. */
static void set_triangle(loops_frame *f, loops_kernel *k)
{
  int n = k->kernel->n_sites;
  unsigned char *wanted = ARENA_ARRAY(f->memory, n + 1, unsigned char);
  unsigned char *twice = ARENA_ARRAY(f->memory, k->n + 1, unsigned char);
  for (int i = 0; i < k->n; i++) {
    const ir_entry *entry = &k->entries[i];
    if (same_kind(k, entry) && entry_order(f, k, entry) == ORDER_UNKNOWN) {
      wanted[entry->row % n] = wanted[entry->col % n] = twice[i] = 1;
    }
  }
  loops_kernel_sites(f, k, wanted);
  begin_values(f, k);
  for (int i = 0; i < k->n; i++) {
    const char *factor = "";
    if (twice[i]) {
      factor = arena_printf(f->memory, "(%s == %s ? 2.0 : 1.0) * ", k->sites[k->entries[i].row % n],
                            k->sites[k->entries[i].col % n]);
    }
    set_value(f, i, factor, loops_kernel_value(f, k, i, twice[i]));
  }
  end_values(f, k);
}

/* ---- pairs of functions ---- */

static void emit_places(loops_emission *e, writer *w, const loops_quantity *q, int n,
                        const ir_looped_family list[], const char *quantity, const char *name)
{
  loops_frame *f = loops_frame_create(e);
  if (loops_parts(e, q, n, list) == 0) {
    loops_line(f, "(void)rows, (void)cols;");
    loops_line(f, "return 0;");
  } else if (loops_have_to_count(e, q, n, list)) {
    loops_families(f, q, LOOPS_CONSTRAINTS, n, list);
    loops_line(f, "return t;");
  } else {
    loops_open(f, "if (rows) {");
    const char *all = loops_families(f, q, LOOPS_CONSTRAINTS, n, list);
    loops_close(f);
    loops_line(f, "return %s;", all);
  }
  loops_frame_finish(
      f, w, arena_printf(e->memory, "%s: rows and columns, and how many they are.", quantity),
      arena_printf(e->memory, "static long %s_places(const long sizes[], int rows[], int cols[])",
                   name),
      TAKES(ARGUMENT_SIZES));
}

static void emit_values(loops_emission *e, writer *w, const loops_quantity *q, int n,
                        const ir_looped_family list[], const char *quantity, const char *name,
                        const char *factor)
{
  loops_frame *f = loops_frame_create(e);
  if (loops_parts(e, q, n, list)) {
    loops_families(f, q, LOOPS_CONSTRAINTS, n, list);
  }
  unsigned takes = TAKES_SIZED | TAKES(ARGUMENT_OUT);
  if (*factor) {
    takes |= q->factor == FACTOR_V ? TAKES(ARGUMENT_V) : TAKES(ARGUMENT_LAMBDA);
  }
  loops_frame_finish(
      f, w, arena_printf(e->memory, "%s.", quantity),
      arena_printf(e->memory, "static void %s(" SIZED "%sdouble out[])", name,
                   *factor ? arena_printf(e->memory, "const double %s[], ", factor) : ""),
      takes);
}

/* Both, of one matrix. */
static void emit_matrix(loops_emission *e, writer *w, const loops_quantity *places,
                        const loops_quantity *values, int n, const ir_looped_family list[],
                        const char *quantity, const char *name, const char *factor)
{
  emit_places(e, w, places, n, list, quantity, name);
  emit_values(e, w, values, n, list, quantity, name, factor);
  writer_printf(e->members, "    .%s = {{.list = %s_places}, %s},\n", name, name, name);
}

void loops_emit_matrices(loops_emission *e, writer *w)
{
  const ir_loops *l = e->loops;
  static const loops_quantity hess_places = {.outputs = loops_outputs_hessian,
                                             .statements = triangle_places,
                                             .counts_values = 1,
                                             .is_pattern = 1};
  static const loops_quantity hess = {
      .outputs = loops_outputs_hessian, .statements = set_triangle, .counts_values = 1};
  static const loops_quantity jac_places = {.outputs = loops_outputs_gradient,
                                            .statements = row_places,
                                            .counts_rows = 1,
                                            .counts_values = 1,
                                            .is_pattern = 1};
  static const loops_quantity jac = {
      .outputs = loops_outputs_gradient, .statements = set_values, .counts_values = 1};
  static const loops_quantity times = {.outputs = loops_outputs_hessian_times,
                                       .factor = FACTOR_ROW,
                                       .statements = set_triangle,
                                       .counts_rows = 1,
                                       .counts_values = 1};
  static const loops_quantity along = {.outputs = loops_outputs_along,
                                       .factor = FACTOR_V,
                                       .statements = set_values,
                                       .counts_values = 1};
  emit_matrix(e, w, &hess_places, &hess, 1, &l->hamiltonian, "Hess H, lower triangle",
              "hamiltonian_hess", "");
  if (l->n_constraints == 0) {
    return;
  }
  emit_matrix(e, w, &jac_places, &jac, l->n_constraints, l->constraints, "Dg", "constraint_jac",
              "");
  emit_matrix(e, w, &hess_places, &times, l->n_constraints, l->constraints,
              "Hess(lambda . g), lower triangle", "constraint_hess", "lambda");
  emit_values(e, w, &along, l->n_constraints, l->constraints,
              "Row i: g_i,zz v, at the places of Dg", "constraint_jac_along", "v");
  loops_member(e, "constraint_jac_along");
}

/* ---- flows ---- */

int loops_has_flow(const ir_loops *loops)
{
  int closed = 0;
  for (int i = 0; i < loops->n_constraints; i++) {
    if (loops->constraints[i].fibre == IR_FIBRE_NUMERICAL) {
      return 0;
    }
    closed = closed || loops->constraints[i].fibre == IR_FIBRE_CLOSED;
  }
  return closed;
}

/* The entries of the flow that are not the unknowns themselves. */
static void outputs_flow(loops_emission *e, loops_kernel *k)
{
  const ir_function *flow = &k->family->flow;
  if (k->family->fibre != IR_FIBRE_CLOSED) {
    return;
  }
  ir_entry *entries = ARENA_ARRAY(e->memory, flow->n + 1, ir_entry);
  k->values = ARENA_ARRAY(e->memory, flow->n + 1, const ir_expr *);
  k->entries = entries;
  for (int i = 0; i < flow->n; i++) {
    if (flow->entries[i].value != ir_input(e->context, IR_Z, flow->entries[i].row)) {
      entries[k->n] = flow->entries[i];
      k->values[k->n++] = flow->entries[i].value;
    }
  }
}

static void outputs_flow_z(loops_emission *e, loops_kernel *k)
{
  const ir_function *flow = &k->family->flow_z;
  if (k->family->fibre != IR_FIBRE_CLOSED) {
    return;
  }
  k->n = flow->n;
  k->entries = flow->entries;
  k->values = ARENA_ARRAY(e->memory, flow->n + 1, const ir_expr *);
  for (int i = 0; i < flow->n; i++) {
    k->values[i] = flow->entries[i].value;
  }
}

static void move(loops_frame *f, loops_kernel *k)
{
  const char **moved = ARENA_ARRAY(f->memory, k->n + 1, const char *);
  for (int i = 0; i < k->n; i++) {
    moved[i] = arena_printf(f->memory, "z[%s] = %s;", loops_kernel_unknown(f, k, k->entries[i].row),
                            loops_kernel_value(f, k, i, 0));
  }
  for (int i = 0; i < k->n; i++) {
    emit_noted(f->body, f->memory, f->indent, moved[i],
               loops_kernel_label(f, k, k->entries[i].row));
  }
}

void loops_emit_flows(loops_emission *e, writer *w)
{
  const ir_loops *l = e->loops;
  static const loops_quantity flow = {
      .outputs = outputs_flow, .factor = FACTOR_ROW, .statements = move, .counts_rows = 1};
  static const loops_quantity places = {
      .outputs = outputs_flow_z, .statements = square_places, .counts_values = 1, .is_pattern = 1};
  static const loops_quantity flow_z = {.outputs = outputs_flow_z,
                                        .factor = FACTOR_ROW,
                                        .statements = set_values,
                                        .counts_rows = 1,
                                        .counts_values = 1};
  if (!loops_has_flow(l)) {
    return;
  }
  loops_frame *f = loops_frame_create(e);
  f->writes_state = 1;
  loops_families(f, &flow, LOOPS_CONSTRAINTS, l->n_constraints, l->constraints);
  loops_frame_finish(
      f, w, "z <- Gamma_lambda(z), for the constraints that are neither in q alone nor in p alone.",
      "static void family_flow(const long sizes[], const double k[], const double lambda[], double "
      "z[])",
      TAKES(ARGUMENT_SIZES) | TAKES(ARGUMENT_K) | TAKES(ARGUMENT_LAMBDA) | TAKES(ARGUMENT_Z));
  loops_member(e, "family_flow");
  emit_matrix(e, w, &places, &flow_z, l->n_constraints, l->constraints, "dGamma/dz - 1, likewise",
              "family_flow_z", "lambda");
}
