/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_tables.c -- values of arrays: one expression over index variables, or a table.
 */
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

/* The position, from 0, of the element that a key names; -1 after an error. */
static long key_position(checker *c, const syntax_expr *key, const model_set *set)
{
  const model_index *index = indices_for_set(c, key, set, NULL);
  return index ? reach_place(c, "key", index, set) : -1;
}

/* Checks that every element of the set has an entry.  `seen` has one slot more than the table has
 * entries, so the first gap lies inside it. */
static int complete(checker *c, const syntax_value *value, const model_set *set,
                    const syntax_table_entry *const seen[])
{
  for (long i = 0; i < set->count; i++) {
    if (seen[i]) {
      continue;
    }
    diagnostics_error(c->d, value->where, "this table has no entry for %s of the set '%s'",
                      model_element_text(c->memory, set, set->first + i), set->name);
    return 0;
  }
  return 1;
}

static int fill_keyed(checker *c, const syntax_value *value, filling *f, int level, long at)
{
  const model_set *set = f->binders[level]->set;
  const syntax_table_entry **seen =
      ARENA_ARRAY(c->memory, value->n_entries + 1, const syntax_table_entry *);
  int good = 1;
  for (int i = 0; i < value->n_entries; i++) {
    const syntax_table_entry *entry = &value->entries[i];
    long place = key_position(c, entry->key, set);
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
  return good && complete(c, value, set, seen);
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
