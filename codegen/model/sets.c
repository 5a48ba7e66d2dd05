/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sets.c -- sizes and index sets.
 */
#include "model/formula_checks.h"
#include "model/index_values.h"

/* Messages list at most this many sizes. */
#define MAX_LISTED_SIZES 20

void sets_size(checker *c, const syntax_statement *s, declared *own)
{
  long value = numbers_integer(c, s->a, MODEL_MAX_SIZE, "a size");
  if (value < 0) {
    return;
  }
  model_size *size = ARENA_NEW(c->memory, model_size);
  size->name = s->name.text;
  size->value = value;
  size->is_data = s->is_data;
  size->where = s->name.where;
  size->number = c->m->n_sizes;
  c->sizes[c->m->n_sizes++] = size;
  own->size = size;
}

/* The location for errors in a setting, which is not in the file: the first size, else the model
 * line. */
static span settings_place(const checker *c)
{
  for (int i = 0; i < c->tree->n; i++) {
    if (c->tree->statements[i]->kind == STATEMENT_SIZE) {
      return c->tree->statements[i]->name.where;
    }
  }
  return c->tree->n ? c->tree->statements[0]->where : (span){0, 0};
}

/* The sizes that exist, for a message: "N, K". */
static const char *known_sizes(const checker *c)
{
  const char *list = "";
  int listed = 0;
  for (int i = 0; i < c->n_names; i++) {
    if (c->names[i].kind != NAME_SIZE) {
      continue;
    }
    if (listed == MAX_LISTED_SIZES) {
      return arena_printf(c->memory, "%s, ...", list);
    }
    list = arena_printf(c->memory, "%s%s%s", list, listed++ ? ", " : "", c->names[i].name);
  }
  return listed ? list : "none";
}

void sets_apply_settings(checker *c, int n, const model_size_setting settings[])
{
  c->settings = settings;
  c->n_settings = n;
  for (int i = 0; i < n; i++) {
    const char *name = settings[i].name;
    declared *d = names_find(c, name);
    if (settings[i].elements) {
      continue; /* sets_indices uses it */
    }
    if (!d || d->kind != NAME_SIZE) {
      diagnostics_error(c->d, settings_place(c),
                        "--size %s=%ld: model '%s' has no size '%s' (its sizes: %s)", name,
                        settings[i].value, c->m->name ? c->m->name : "", name, known_sizes(c));
    } else if (settings[i].value < 0 || settings[i].value > MODEL_MAX_SIZE) {
      diagnostics_error(c->d, d->where, "--size %s=%ld: a size is an integer from 0 to %ld", name,
                        settings[i].value, MODEL_MAX_SIZE);
    } else if (d->size) {
      d->size->value = settings[i].value;
    }
  }
}

/* Checks that a bound of a range consists of integers and sizes only. */
static int is_constant_end(checker *c, const model_index *end, span where)
{
  span place = end->where.end > end->where.begin ? end->where : where;
  if (model_index_has(end, INDEX_ENTRY)) {
    diagnostics_error(c->d, place,
                      "the ends of this set consist of integers and sizes: an array of indices can "
                      "end a set only within the variable that it belongs to");
    return 0;
  }
  return reach_good(c, NULL, end, place);
}

const model_set *sets_between(checker *c, const char *name, const model_index *lower,
                              const model_index *upper, span where)
{
  if (!is_constant_end(c, lower, where) || !is_constant_end(c, upper, where)) {
    return NULL;
  }
  model_set *set = ARENA_NEW(c->memory, model_set);
  set->name = name;
  set->is_range = 1;
  set->lower = lower;
  set->upper = upper;
  set->first = model_index_value(lower, NULL);
  long last = model_index_value(upper, NULL);
  set->count = last < set->first ? 0 : last - set->first + 1;
  set->where = where;
  if (set->count > MODEL_MAX_INSTANCES) {
    diagnostics_error(c->d, where, "the set '%s' has %ld elements; at most %ld are possible",
                      set->name, set->count, MODEL_MAX_INSTANCES);
    return NULL;
  }
  return set;
}

const model_set *sets_range(checker *c, const syntax_statement *s)
{
  const model_index *lower = indices_for_set(c, s->a, NULL, NULL);
  const model_index *upper = indices_for_set(c, s->b, NULL, NULL);
  return lower && upper ? sets_between(c, s->name.text, lower, upper, s->name.where) : NULL;
}

void sets_enter(checker *c, const model_set *set)
{
  model *m = c->m;
  for (int i = 0; i < m->n_sets; i++) {
    if (c->sets[i] == set) {
      return;
    }
  }
  c->sets = arena_grow(c->memory, c->sets, (size_t)m->n_sets, &c->sets_capacity, sizeof *c->sets);
  c->sets[m->n_sets++] = set;
  m->sets = c->sets;
}

const model_set *sets_labels(checker *c, const syntax_name *name, int n,
                             const syntax_name written[])
{
  model_set *set = ARENA_NEW(c->memory, model_set);
  const char **labels = ARENA_ARRAY(c->memory, n + 1, const char *);
  set->name = name->text;
  set->labels = labels;
  set->where = name->where;
  if (n > MODEL_MAX_LABELS) {
    diagnostics_error(c->d, name->where,
                      "the set '%s' has %d labels; at most %d are possible, use "
                      "a range '1 .. %d'",
                      set->name, n, MODEL_MAX_LABELS, n);
    return NULL;
  }
  for (int i = 0; i < n; i++) {
    const syntax_name *label = &written[i];
    if (!names_check_length(c, label)) {
      continue;
    }
    long first = indices_position(set, label->text);
    if (first >= 0) {
      diagnostics_error(c->d, label->where, "the label '%s' stands twice in the set '%s'",
                        label->text, set->name);
      continue;
    }
    labels[set->count++] = label->text;
  }
  return set;
}
