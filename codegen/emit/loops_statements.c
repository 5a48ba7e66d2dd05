/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_statements.c -- statements that use the outputs of a kernel in the innermost block of its
 * loops.
 */
#include <string.h>

#include "emit/loops_functions.h"

/* ---- vectors ---- */

void loops_set_zeros(loops_frame *f, const char *from, const char *to)
{
  loops_open(f, "for (long t = %s; t < %s; t++) {", from, to);
  loops_line(f, "out[t] = 0.0;");
  loops_close(f, 1);
}

void loops_add_to_sum(loops_frame *f, loops_kernel *k)
{
  loops_line(f, "sum += %s;", loops_kernel_value(f, k, 0, 0));
}

/* The row of an unknown, if it may be outside the piece; else NULL. */
static const char *loops_statements_row_of(loops_frame *f, const loops_kernel *k, int unknown)
{
  if (!k->is_in_rows || k->low == k->high) {
    return NULL;
  }
  index_form row = index_form_of(k->kernel->sites[unknown % k->kernel->n_sites].index[0]);
  return loops_index(f, &row);
}

/* Adds each output to out[]. Unknown i has the number of unknown i modulo `numbers`: in H_p, a
 * momentum has that of its position. */
static void loops_statements_add_to(loops_frame *f, loops_kernel *k, int numbers)
{
  for (int i = 0; i < k->n; i++) {
    int unknown = k->entries[i].row;
    const char *row = loops_statements_row_of(f, k, unknown);
    if (row && (i == 0 || strcmp(row, loops_statements_row_of(f, k, k->entries[i - 1].row)) != 0)) {
      loops_open(f, "if (begin <= %s && %s < end) {", row, row);
    }
    emit_noted(f->body, f->indent,
               arena_printf(f->memory, "out[%s] += %s;",
                            loops_kernel_unknown(f, k, unknown % numbers),
                            loops_kernel_value(f, k, i, 0)),
               loops_kernel_label(f, k, unknown));
    if (row &&
        (i == k->n - 1 || strcmp(row, loops_statements_row_of(f, k, k->entries[i + 1].row)) != 0)) {
      loops_close(f, 1);
    }
  }
}

void loops_add_to_gradient(loops_frame *f, loops_kernel *k)
{
  loops_statements_add_to(f, k, 2 * k->kernel->n_sites);
}

void loops_add_to_half(loops_frame *f, loops_kernel *k)
{
  loops_statements_add_to(f, k, k->kernel->n_sites);
}

void loops_begin_row(loops_frame *f, const ir_looped_family *family)
{
  if (family->n_parts != 1 || family->parts[0].nest.n || family->parts[0].nest.condition) {
    loops_line(f, "out[%s] = 0.0;", f->row);
  }
}

void loops_set_row(loops_frame *f, loops_kernel *k)
{
  loops_line(f, "out[%s] %s %s;", f->row, k->adds ? "+=" : "=", loops_kernel_value(f, k, 0, 0));
}

void loops_move(loops_frame *f, loops_kernel *k)
{
  const char **moved = ARENA_ARRAY(f->memory, k->n + 1, const char *);
  for (int i = 0; i < k->n; i++) {
    moved[i] = arena_printf(f->memory, "z[%s] = %s;", loops_kernel_unknown(f, k, k->entries[i].row),
                            loops_kernel_value(f, k, i, 0));
  }
  for (int i = 0; i < k->n; i++) {
    emit_noted(f->body, f->indent, moved[i], loops_kernel_label(f, k, k->entries[i].row));
  }
}

/* ---- values of matrices ---- */

/* The number of value i in the matrix. */
static const char *number_of(const loops_frame *f, int i)
{
  return loops_plus(f->memory, f->at, arena_printf(f->memory, "%d", i));
}

/* Introduces a variable t if the number of the present values is not a single word. */
static void begin_values(loops_frame *f, const loops_kernel *k)
{
  if (k->n > 1 && !loops_is_atom(f->at)) {
    loops_line(f, "const long t = %s;", f->at);
    f->at = "t";
  }
}

static void end_values(loops_frame *f, const loops_kernel *k)
{
  if (f->is_counting) {
    loops_line(f, "t += %d;", k->n);
  }
}

static void set_value(loops_frame *f, int i, const char *factor, const char *value)
{
  loops_line(f, "out[%s] = %s%s;", number_of(f, i), factor, value);
}

void loops_set_values(loops_frame *f, loops_kernel *k)
{
  begin_values(f, k);
  for (int i = 0; i < k->n; i++) {
    set_value(f, i, "", loops_kernel_value(f, k, i, 0));
  }
  end_values(f, k);
}

/* 1 if two local unknowns are of the same kind, both positions or both momenta, of different
 * sites. */
static int same_kind(const loops_kernel *k, const ir_entry *entry)
{
  int n = k->kernel->n_sites;
  return entry->row != entry->col && (entry->row >= n) == (entry->col >= n);
}

static loops_order entry_order(const loops_kernel *k, const ir_entry *entry)
{
  int n = k->kernel->n_sites;
  return loops_kernel_order(k, entry->row % n, entry->col % n);
}

/* If a pair of sites is the same entry in this iteration, its value counts for two entries of the
 * Hessian. */
void loops_set_triangle(loops_frame *f, loops_kernel *k)
{
  int n = k->kernel->n_sites;
  unsigned char *wanted = ARENA_ARRAY(f->memory, n + 1, unsigned char);
  unsigned char *twice = ARENA_ARRAY(f->memory, k->n + 1, unsigned char);
  for (int i = 0; i < k->n; i++) {
    const ir_entry *entry = &k->entries[i];
    if (same_kind(k, entry) && entry_order(k, entry) == ORDER_UNKNOWN) {
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

/* ---- places of matrices ---- */

/* Opens the test whether places are requested. Without counters that test precedes the loops. */
static void open_places(loops_frame *f, const loops_kernel *k)
{
  if (f->is_counting) {
    loops_open(f, "if (rows) {");
  } else {
    begin_values(f, k);
  }
}

/* Closes the test. The function returns early once the number of values exceeds the range of
 * int. */
static void close_places(loops_frame *f, const loops_kernel *k)
{
  if (f->is_counting) {
    loops_close(f, 1);
    end_values(f, k);
    loops_open(f, "if (t > MOST) {");
    loops_line(f, "return t;");
    loops_close(f, 1);
  }
}

static void write_place(loops_frame *f, int i, const char *row, const char *col, const char *note)
{
  const char *at = number_of(f, i);
  loops_line(f, "rows[%s] = %s;", at, loops_as_int(f->memory, row));
  emit_noted(f->body, f->indent,
             arena_printf(f->memory, "cols[%s] = %s;", at, loops_as_int(f->memory, col)), note);
}

/* Writes a place in the lower triangle of the whole matrix. Momenta are below positions; otherwise
 * the larger number is the row. */
static void triangle_place(loops_frame *f, loops_kernel *k, int i)
{
  const ir_entry *entry = &k->entries[i];
  const char *row = loops_kernel_unknown(f, k, entry->row);
  const char *col = loops_kernel_unknown(f, k, entry->col);
  loops_order order = same_kind(k, entry) ? entry_order(k, entry) : ORDER_BEHIND;
  if (order == ORDER_BEHIND) {
    write_place(f, i, row, col, "");
  } else if (order == ORDER_BEFORE) {
    write_place(f, i, col, row, "");
  } else {
    write_place(f, i, arena_printf(f->memory, "larger(%s, %s)", row, col),
                arena_printf(f->memory, "smaller(%s, %s)", row, col), "");
  }
}

static void square_place(loops_frame *f, loops_kernel *k, int i)
{
  write_place(f, i, loops_kernel_unknown(f, k, k->entries[i].row),
              loops_kernel_unknown(f, k, k->entries[i].col), "");
}

static void row_place(loops_frame *f, loops_kernel *k, int i)
{
  int unknown = k->entries[i].row;
  write_place(f, i, f->row, loops_kernel_unknown(f, k, unknown), loops_kernel_label(f, k, unknown));
}

/* Writes the places of all values. If `named` is 1, the positions of the sites get names first. */
static void write_places(loops_frame *f, loops_kernel *k, int named,
                         void (*place)(loops_frame *f, loops_kernel *k, int i))
{
  int n = k->kernel->n_sites;
  unsigned char *wanted = ARENA_ARRAY(f->memory, n + 1, unsigned char);
  for (int i = 0; i < k->n && named; i++) {
    wanted[k->entries[i].row % n] = 1;
    wanted[k->entries[i].col % n] = 1;
  }
  open_places(f, k);
  loops_kernel_sites(f, k, wanted);
  for (int i = 0; i < k->n; i++) {
    place(f, k, i);
  }
  close_places(f, k);
}

void loops_triangle_places(loops_frame *f, loops_kernel *k)
{
  write_places(f, k, 1, triangle_place);
}

void loops_square_places(loops_frame *f, loops_kernel *k)
{
  write_places(f, k, 1, square_place);
}

void loops_row_places(loops_frame *f, loops_kernel *k)
{
  write_places(f, k, 0, row_place);
}
