/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parameter_statements.c -- values of arrays, as one expression over index variables or as a
 * table; and parameters with their defaults and bounds.
 */
#include <math.h>

#include "model/formula_checks.h"
#include "model/index_values.h"

/* A table that is being filled, in the array's order. */
typedef struct filling {
  const bound *inner;
  int n;
  const model_binder *const *binders;
  /* NULL if the number of entries is wrong; entries are then only checked for errors */
  const model_expr **table;
  mpq_srcptr *constants;
} filling;

static int index_tables_fill(checker *c, const syntax_value *value, filling *f, int level, long at);

static int fill_keyed(checker *c, const syntax_value *value, filling *f, int level, long at)
{
  const model_set *set = f->binders[level]->set;
  const syntax_table_entry **seen =
      ARENA_ARRAY(c->memory, value->n_entries + 1, const syntax_table_entry *);
  int good = 1;
  for (int i = 0; i < value->n_entries; i++) {
    const syntax_table_entry *entry = &value->entries[i];
    const model_index *key = indices_for_set(c, entry->key, set, NULL);
    long place = key ? reach_place(c, "key", key, set) : -1;
    if (place < 0) {
      good = 0;
      continue;
    }
    if (place <= value->n_entries && seen[place]) {
      diagnostics_error(c->d, entry->key->where, "the entry for %s stands twice in this table",
                        model_element_text(c->memory, set, set->first + place));
      diagnostics_note(c->d, seen[place]->key->where, "it is given first here");
      good = 0;
      continue;
    }
    if (place <= value->n_entries) {
      seen[place] = entry;
    }
    good = index_tables_fill(c, entry->value, f, level + 1, at * set->count + place) && good;
  }
  /* `seen` has one slot more than the table has entries, so the first gap lies inside it. */
  for (long i = 0; good && i < set->count; i++) {
    good = seen[i] != NULL;
    if (!good) {
      diagnostics_error(c->d, value->where, "this table has no entry for %s of the set '%s'",
                        model_element_text(c->memory, set, set->first + i), set->name);
    }
  }
  return good;
}

static int fill_positions(checker *c, const syntax_value *value, filling *f, int level, long at)
{
  const model_set *set = f->binders[level]->set;
  int good = 1;
  if (value->n_entries != set->count) {
    diagnostics_error(c->d, value->where, "this table has %d %s, and the set '%s' has %ld elements",
                      value->n_entries, value->n_entries == 1 ? "entry" : "entries", set->name,
                      set->count);
    return 0;
  }
  for (int i = 0; i < value->n_entries; i++) {
    good = index_tables_fill(c, value->entries[i].value, f, level + 1, at * set->count + i) && good;
  }
  return good;
}

/* Fills the part of the table whose first `level` indices give the position `at`. */
static int index_tables_fill(checker *c, const syntax_value *value, filling *f, int level, long at)
{
  int keyed = 0;
  if (value->expr && level == f->n) {
    checked entry = expressions_check(c, value->expr, f->inner);
    if (!entry.expr) {
      return 0;
    }
    ranges_expression(c, entry.expr, f->n, f->binders);
    if (f->table) {
      f->table[at] = entry.expr;
      f->constants[at] = entry.constant;
    }
    return 1;
  }
  if (value->expr || level == f->n) {
    diagnostics_error(c->d, value->where,
                      value->expr
                          ? "a table { } is expected here: one level of braces for each index"
                          : "a number is expected here: the braces go deeper than the indices");
    return 0;
  }
  for (int i = 0; i < value->n_entries; i++) {
    keyed += value->entries[i].key != NULL;
  }
  if (keyed > 0 && keyed < value->n_entries) {
    diagnostics_error(c->d, value->where, "either all entries of a table have keys, or none");
    return 0;
  }
  return keyed ? fill_keyed(c, value, f, level, at) : fill_positions(c, value, f, level, at);
}

/* The number of expressions in a table, including nested tables. */
static long count_leaves(const syntax_value *value)
{
  long n = value->expr ? 1 : 0;
  for (int i = 0; !value->expr && i < value->n_entries; i++) {
    n += count_leaves(value->entries[i].value);
  }
  return n;
}

int values_check(checker *c, const syntax_value *value, int n, const model_binder *const binders[],
                 const bound *inner, values_checked *result)
{
  filling f = {inner, n, binders, NULL, NULL};
  long count = 1;
  result->values.n_binders = n;
  result->values.binders = binders;
  if (value->expr) {
    checked body = expressions_check(c, value->expr, inner);
    if (!body.expr) {
      return 0;
    }
    ranges_expression(c, body.expr, n, binders);
    result->values.body = body.expr;
    result->n_constants = 1;
    result->constants = ARENA_NEW(c->memory, mpq_srcptr);
    result->constants[0] = body.constant;
    return 1;
  }
  if (n == 0) {
    diagnostics_error(c->d, value->where, "a table { } needs an index; write the value alone");
    return 0;
  }
  for (int j = 0; j < n; j++) {
    count *= binders[j]->set->count;
  }
  if (count_leaves(value) == count) {
    f.table = ARENA_ARRAY(c->memory, count + 1, const model_expr *);
    f.constants = ARENA_ARRAY(c->memory, count + 1, mpq_srcptr);
  }
  result->values.table = f.table;
  result->constants = f.constants;
  result->n_constants = count;
  return index_tables_fill(c, value, &f, 0, 0);
}

/* ---- parameters ---- */

static int parameter_statements_bounds(checker *c, const syntax_bounds *s, model_parameter *p)
{
  if (!s->present) {
    return 1;
  }
  p->lower_closed = s->lower && s->lower_closed;
  p->upper_closed = s->upper && s->upper_closed;
  /* The grammar allows signed numbers only, so the values are exact. */
  if (s->lower) {
    p->lower = expressions_check(c, s->lower, NULL).constant;
  }
  if (s->upper) {
    p->upper = expressions_check(c, s->upper, NULL).constant;
  }
  if ((s->lower && !p->lower) || (s->upper && !p->upper)) {
    return 0;
  }
  if (!p->lower || !p->upper) {
    return 1;
  }
  int order = mpq_cmp(p->lower, p->upper);
  if (order < 0 || (order == 0 && p->lower_closed && p->upper_closed)) {
    return 1;
  }
  diagnostics_error(c->d, s->where, "no number lies within these bounds");
  return 0;
}

static int within_bounds(const model_parameter *p, mpq_srcptr value)
{
  int below = p->lower ? mpq_cmp(value, p->lower) : 1;
  int above = p->upper ? mpq_cmp(p->upper, value) : 1;
  return (below > 0 || (below == 0 && p->lower_closed)) &&
         (above > 0 || (above == 0 && p->upper_closed));
}

/* Checks values that are known exactly.  The program checks the others when it starts. */
static void check_defaults(checker *c, const model_parameter *p, const values_checked *values)
{
  for (long i = 0; i < values->n_constants; i++) {
    mpq_srcptr value = values->constants[i];
    if (!value || within_bounds(p, value)) {
      continue;
    }
    span where = p->values.table ? p->values.table[i]->where : p->values.body->where;
    diagnostics_error(c->d, where, "the default %s of parameter '%s' lies outside its bounds",
                      numbers_text(c->memory, value), p->name);
  }
}

/* Sample number i, inside the bounds.  Neighbouring samples differ: the sequence is the
 * multiples of the golden ratio modulo 1. */
static mpq_srcptr sample_value(checker *c, const model_parameter *p, long i)
{
  enum { PARTS = 128 };
  double turns = (double)(i + 1) * 0.6180339887498949;
  long part = (long)((turns - floor(turns)) * PARTS);
  mpq_t value;
  mpq_t width;
  mpq_init(value);
  mpq_init(width);
  mpq_set_si(width, 1, 1);
  if (p->lower && p->upper) {
    mpq_sub(width, p->upper, p->lower);
  }
  mpq_set_si(value, PARTS + 2 * part, 4 * PARTS); /* 1/4 to 3/4 */
  mpq_mul(value, value, width);
  if (p->lower) {
    mpq_add(value, value, p->lower);
  } else if (p->upper) {
    mpq_sub(value, p->upper, value);
  }
  mpq_canonicalize(value);
  mpq_srcptr kept = rational_keep(c->memory, value);
  mpq_clears(value, width, (mpq_ptr)NULL);
  return kept;
}

/* Larger arrays have one sample value for all entries. */
#define MOST_SAMPLES 4096

/* Sample values of a parameter that a run supplies. */
static void sample_values(checker *c, const syntax_statement *s, model_parameter *p)
{
  long n = p->shape.n > 0 && p->shape.count <= MOST_SAMPLES ? p->shape.count : 0;
  p->is_data = 1;
  if (!parameter_statements_bounds(c, &s->bounds, p)) {
    return;
  }
  const model_expr **table = ARENA_ARRAY(c->memory, n + 1, const model_expr *);
  for (long i = 0; i < n; i++) {
    table[i] = expressions_number(c, sample_value(c, p, p->offset + i), s->name.where).expr;
  }
  if (n > 0) {
    p->values.table = table;
  } else {
    p->values.body = expressions_number(c, sample_value(c, p, p->offset), s->name.where).expr;
  }
}

/* The shape is checked first because formulas need it, the value last because it needs the lets. */
void parameters_shape(checker *c, const syntax_statement *s, declared *own)
{
  model_parameter *p = ARENA_NEW(c->memory, model_parameter);
  p->name = s->name.text;
  p->where = s->name.where;
  p->offset = c->m->nk;
  p->is_input = s->is_input;
  if (!sets_shape(c, &s->binders, &p->shape)) {
    return;
  }
  own->parameter = p;
  p->number = c->m->n_parameters;
  c->parameters[c->m->n_parameters++] = p;
  c->m->nk += p->shape.count;
}

void parameters_value(checker *c, const syntax_statement *s, declared *own)
{
  model_parameter *p = own->parameter;
  const bound *inner = NULL;
  values_checked values = {0};
  if (!p) {
    return;
  }
  c->what = arena_printf(c->memory, "parameter '%s'", p->name);
  c->forbidden = USES_PARAMETERS | USES_STATE | USES_LAMBDA;
  const model_binder **binders = ARENA_ARRAY(c->memory, p->shape.n + 1, const model_binder *);
  /* Dimensions without a variable get a generated one. */
  for (int j = 0; j < p->shape.n; j++) {
    binders[j] = scope_variable(c, &inner, &s->binders.at[j], p->shape.sets[j], j);
    if (!binders[j]) {
      return;
    }
  }
  if (!s->value) {
    p->values.n_binders = p->shape.n;
    p->values.binders = binders;
    sample_values(c, s, p);
    return;
  }
  if (!values_check(c, s->value, p->shape.n, binders, inner, &values)) {
    return;
  }
  p->values = values.values;
  if (parameter_statements_bounds(c, &s->bounds, p)) {
    check_defaults(c, p, &values);
  }
}
