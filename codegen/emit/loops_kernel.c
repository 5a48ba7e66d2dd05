/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "emit/loops.h"

/* Number of inputs of the kernel in each space. */
static void count_inputs(const loops_kernel *k, loops_factor factor, int size[IR_SPACES])
{
  size[IR_K] = k->kernel->n_values;
  size[IR_Z] = 2 * k->kernel->n_sites;
  size[IR_NEXT] = size[IR_Z];
  size[IR_VALUE] = 0;
  size[IR_LAMBDA] = factor == FACTOR_ROW           ? 1
                    : factor == FACTOR_MULTIPLIERS ? k->kernel->n_multipliers
                    : factor == FACTOR_V           ? size[IR_Z]
                    : factor == FACTOR_DIRECTIONS  ? 2 * size[IR_Z] + 1
                                                   : 0;
}

/* Marks the values that are the same in all iterations: parameters without indices. */
static const unsigned char *fixed_values(loops_emission *e, const ir_kernel *kernel)
{
  unsigned char *fixed = ARENA_ARRAY(e->memory, kernel->n_values + 1, unsigned char);
  for (int i = 0; i < kernel->n_values; i++) {
    const ir_reference *r = &kernel->values[i];
    fixed[i] = r->parameter && r->parameter->shape.n == 0;
  }
  return fixed;
}

void loops_kernel_code(loops_emission *e, loops_kernel *k, loops_factor factor)
{
  int size[IR_SPACES];
  count_inputs(k, factor, size);
  const char *quantity = !k->family ? "a sum or an initial state"
                         : !k->family->family
                             ? "H"
                             : arena_printf(e->memory, "'%s'", k->family->family->name);
  k->code = emit_code(e->context, k->n, k->values, size, fixed_values(e, k->kernel), quantity);
}

loops_kernel loops_kernel_of_value(loops_emission *e, const ir_kernel *kernel, const ir_nest *outer)
{
  static const ir_nest none = {0, NULL, NULL};
  loops_kernel k = {.kernel = kernel, .outer = outer, .inner = &none, .n = 1};
  k.values = ARENA_ARRAY(e->memory, 1, const ir_expr *);
  k.values[0] = kernel->value;
  loops_kernel_code(e, &k, FACTOR_NONE);
  return k;
}

/* The label of local unknown i: "q[i,x]" or "p[i,x]". */
static const char *loops_kernel_label(loops_frame *f, const loops_kernel *k, int i)
{
  int n = k->kernel->n_sites;
  return loops_text(f, &k->kernel->sites[i % n], i >= n);
}

/* ---- positions of the sites ---- */

static emit_words *loops_kernel_words_of(loops_frame *f, loops_kernel *k)
{
  k->words = k->words ? k->words : loops_words(f);
  return k->words;
}

/* Writes const long s0 = ...; for the wanted sites, or for all if wanted is NULL. */
static void loops_kernel_sites(loops_frame *f, loops_kernel *k, const unsigned char *wanted)
{
  int n = k->kernel->n_sites;
  emit_words *words = loops_kernel_words_of(f, k);
  k->sites = ARENA_ARRAY(f->memory, n + 1, const char *);
  for (int i = 0; i < n; i++) {
    if (wanted && !wanted[i]) {
      continue;
    }
    k->sites[i] = emit_words_make(f->memory, words, arena_printf(f->memory, "s%d", i));
    const char *place = loops_place(f, &k->kernel->sites[i], 0);
    emit_noted(f->body, f->indent, k->kernel->sites[i].text, "const long %s = %s;", k->sites[i],
               place);
  }
}

/* Number in z of local unknown i, by the site's name or as an expression. */
static const char *loops_kernel_unknown(loops_frame *f, loops_kernel *k, int i)
{
  int n = k->kernel->n_sites;
  if (!k->sites || !k->sites[i % n]) {
    return loops_place(f, &k->kernel->sites[i % n], i >= n);
  }
  return i < n ? k->sites[i] : arena_printf(f->memory, "d + %s", k->sites[i % n]);
}

/* ---- inputs of the code ---- */

/* Declares a local variable with this value and returns its name. */
static const char *gather(loops_frame *f, loops_kernel *k, emit_declaration *line, const char *text,
                          const char *value)
{
  const char *name = emit_words_take(f->memory, loops_kernel_words_of(f, k), text);
  emit_declare(line, name, value);
  return name;
}

/* The name of an entry of the two directions, or of the multiplier after them. */
static const char *direction_name(loops_frame *f, loops_kernel *k, emit_declaration *line, int i)
{
  const int dim = 2 * k->kernel->n_sites;
  const int is_second = i >= dim;
  const int of_constraint = k->family->family != NULL;
  if (i == 2 * dim) {
    return arena_printf(f->memory, "lambda[%s]", f->row);
  }
  const char *start = !of_constraint ? (is_second ? "2 * d" : "0")
                      : is_second    ? "count + d"
                                     : "count";
  return gather(
      f, k, line,
      arena_printf(f->memory, "%s_%s", is_second ? "w" : "u", loops_kernel_label(f, k, i % dim)),
      arena_printf(f->memory, "lambda[%s]",
                   loops_plus(f->memory, start, loops_kernel_unknown(f, k, i % dim))));
}

/* The name of input i of a space, declared if necessary. */
static const char *input_name(loops_frame *f, loops_kernel *k, emit_declaration *line,
                              ir_space space, loops_factor factor, int i)
{
  const ir_kernel *own = k->kernel;
  if (space == IR_Z) {
    return gather(f, k, line, loops_kernel_label(f, k, i),
                  loops_value(f, &own->sites[i % own->n_sites], i >= own->n_sites));
  }
  if (space == IR_NEXT) {
    return gather(f, k, line, arena_printf(f->memory, "%s.next", loops_kernel_label(f, k, i)),
                  arena_printf(f->memory, "z1[%s]", loops_kernel_unknown(f, k, i)));
  }
  if (space == IR_LAMBDA && factor == FACTOR_DIRECTIONS) {
    return direction_name(f, k, line, i);
  }
  if (space == IR_LAMBDA) {
    return factor == FACTOR_V
               ? gather(f, k, line, arena_printf(f->memory, "v_%s", loops_kernel_label(f, k, i)),
                        arena_printf(f->memory, "v[%s]", loops_kernel_unknown(f, k, i)))
           : factor == FACTOR_ROW ? arena_printf(f->memory, "lambda[%s]", f->row)
                                  : loops_value(f, &own->multipliers[i], 0);
  }
  const ir_reference *r = &own->values[i];
  return r->sum                                  ? k->sums[i]
         : r->parameter && r->parameter->shape.n ? gather(f, k, line, r->text, loops_value(f, r, 0))
                                                 : loops_value(f, r, 0);
}

void loops_kernel_gather(loops_frame *f, loops_kernel *k, loops_factor factor)
{
  static const ir_space spaces[] = {IR_Z, IR_NEXT, IR_K, IR_LAMBDA};
  int size[IR_SPACES];
  /* The loops of sums come before everything else. */
  for (int i = 0; i < k->kernel->n_values; i++) {
    const ir_reference *r = &k->kernel->values[i];
    if (r->sum && k->code->used[IR_K][i]) {
      k->sums = k->sums ? k->sums : ARENA_ARRAY(f->memory, k->kernel->n_values, const char *);
      k->sums[i] = k->sums[i] ? k->sums[i] : loops_sum(f, r->sum);
    }
  }
  emit_declaration line = {"double", f->body, f->indent, NULL, 0};
  count_inputs(k, factor, size);
  for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
    const ir_space space = spaces[s];
    const char **names = ARENA_ARRAY(f->memory, size[space] + 1, const char *);
    for (int i = 0; i < size[space]; i++) {
      if ((space == IR_Z || space == IR_NEXT) && i == k->kernel->n_sites) {
        emit_declared(&line); /* momenta begin a new line */
      }
      if (k->code->used[space][i]) {
        names[i] = input_name(f, k, &line, space, factor, i);
      }
    }
    emit_declared(&line);
    k->names.of[space] = names;
  }
  emit_temporaries(f->body, f->memory, k->code, &k->names, f->indent);
}

const char *loops_kernel_value(loops_frame *f, const loops_kernel *k, int i, int tight)
{
  const ir_op *op = k->code->outputs[i];
  const char *text = emit_expression(f->memory, &k->names, op, 0);
  return tight && (op->kind == OP_ADD || op->kind == OP_NEG) && op->temporary < 0
             ? arena_printf(f->memory, "(%s)", text)
             : text;
}

/* ---- order of the sites ---- */

/* The sign of a form in every iteration: 1, -1, 0; 2: it is not 0; 3: unknown. */
static int loops_kernel_sign_of(const loops_kernel *k, const index_form *form)
{
  int sign = 0;
  if (index_form_is_constant(form)) {
    return form->constant > 0 ? 1 : form->constant < 0 ? -1 : 0;
  }
  if (loops_nest_separates(k->outer, form, &sign) || loops_nest_separates(k->inner, form, &sign)) {
    return sign ? sign : 2;
  }
  return 3;
}

loops_order loops_kernel_order(const loops_kernel *k, int i, int j)
{
  const ir_reference *a = &k->kernel->sites[i];
  const ir_reference *b = &k->kernel->sites[j];
  int first = a->coordinate->number;
  int second = b->coordinate->number;
  if (first != second) {
    return first < second ? ORDER_BEFORE : ORDER_BEHIND;
  }
  int decided = 1; /* all indices so far are equal */
  loops_order order = ORDER_UNKNOWN;
  for (int dim = 0; dim < a->n_index; dim++) {
    index_form difference = index_form_difference(a->index[dim], b->index[dim]);
    int sign = loops_kernel_sign_of(k, &difference);
    if (sign == 0) {
      continue;
    }
    if (sign != 3 && order == ORDER_UNKNOWN) {
      order = !decided || sign == 2 ? ORDER_APART : sign < 0 ? ORDER_BEFORE : ORDER_BEHIND;
    }
    decided = 0;
  }
  return order;
}

/* ---- one sum ---- */

void loops_add_term(loops_frame *f, const ir_part *part, const char *name)
{
  loops_kernel k = loops_kernel_of_value(f->emission, &part->kernel, &part->nest);
  int before = f->n_binders;
  loops_kernel_gather(f, &k, FACTOR_NONE);
  loops_line(f, "%s += %s;", name, loops_kernel_value(f, &k, 0, 0));
  f->n_binders = before;
}

const char *loops_sum(loops_frame *f, const ir_part *part)
{
  const char *name = loops_nest_push(f, NULL, "total");
  loops_line(f, "double %s = 0.0;", name);
  int blocks = loops_nest_open(f, &part->nest);
  loops_add_term(f, part, name);
  loops_nest_close(f, &part->nest, blocks);
  return name;
}

/* ---- statements that use the outputs in the innermost block: vectors ---- */

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
    emit_noted(f->body, f->indent, loops_kernel_label(f, k, unknown), "out[%s] += %s;",
               loops_kernel_unknown(f, k, unknown % numbers), loops_kernel_value(f, k, i, 0));
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
    emit_noted(f->body, f->indent, loops_kernel_label(f, k, k->entries[i].row), "%s", moved[i]);
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

/* Of two unknowns in the lower triangle, momenta are below positions; otherwise the larger number
 * is the row. */
void loops_set_places(loops_frame *f, loops_kernel *k, loops_places places)
{
  const int n = k->kernel->n_sites;
  unsigned char *wanted = ARENA_ARRAY(f->memory, n + 1, unsigned char);
  for (int i = 0; i < k->n && places != PLACES_ROW; i++) {
    wanted[k->entries[i].row % n] = wanted[k->entries[i].col % n] = 1;
  }
  if (f->is_counting) { /* without counters the test precedes the loops */
    loops_open(f, "if (rows) {");
  } else {
    begin_values(f, k);
  }
  loops_kernel_sites(f, k, wanted);
  for (int i = 0; i < k->n; i++) {
    const ir_entry *entry = &k->entries[i];
    const char *at = number_of(f, i);
    const char *row = loops_kernel_unknown(f, k, entry->row);
    const char *col = row;
    if (places == PLACES_ROW) {
      row = f->row;
    } else {
      col = loops_kernel_unknown(f, k, entry->col);
    }
    if (places == PLACES_TRIANGLE && same_kind(k, entry)) {
      const loops_order order = entry_order(k, entry);
      const char *first = row;
      row = order == ORDER_BEHIND   ? row
            : order == ORDER_BEFORE ? col
                                    : arena_printf(f->memory, "larger(%s, %s)", first, col);
      col = order == ORDER_BEHIND   ? col
            : order == ORDER_BEFORE ? first
                                    : arena_printf(f->memory, "smaller(%s, %s)", first, col);
    }
    loops_line(f, "rows[%s] = %s;", at, loops_as_int(f->memory, row));
    emit_noted(f->body, f->indent, places == PLACES_ROW ? loops_kernel_label(f, k, entry->row) : "",
               "cols[%s] = %s;", at, loops_as_int(f->memory, col));
  }
  if (f->is_counting) {
    loops_close(f, 1);
    end_values(f, k);
    f->emission->is_limited = 1; /* returns early if the number exceeds the range of int */
    loops_open(f, "if (t > MOST) {");
    loops_line(f, "return t;");
    loops_close(f, 1);
  }
}
