/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inits.c -- initial states, and the heat bath, which gives two values to each coordinate as well.
 */
#include <string.h>

#include "model/checker.h"
#include "model/formula_checks.h"
#include "model/index_values.h"

/* Checks that an initial state sets each entry exactly once.
 *
 * Each assignment covers a box of the array: one element or a range in every dimension.  Pairwise
 * disjoint boxes cover the array if and only if their volumes add up to its size, so entries need
 * not be enumerated. */

typedef struct box {
  long lower[MODEL_MAX_BINDERS];
  long upper[MODEL_MAX_BINDERS];
  const model_assignment *from;
} box;

static box box_of(const model_assignment *a)
{
  box b = {.from = a};
  for (int j = 0; j < a->coordinate->shape.n; j++) {
    const model_index *index = a->index[j];
    if (index->kind == INDEX_VARIABLE) {
      b.lower[j] = index->binder->set->first;
      b.upper[j] = b.lower[j] + index->binder->set->count - 1;
    } else {
      b.lower[j] = b.upper[j] = model_index_value(index, NULL);
    }
  }
  return b;
}

/* Number of entries of the box in the dimensions from `from` on. */
static long volume(const box *b, const model_shape *shape, int from)
{
  long v = 1;
  for (int j = from; j < shape->n; j++) {
    v *= b->upper[j] - b->lower[j] + 1;
  }
  return v;
}

/* Sets `at` to the first entry that two boxes share.  Returns 0 if there is none. */
static int common(const box *a, const box *b, const model_shape *shape, long at[])
{
  for (int j = 0; j < shape->n; j++) {
    long upper = a->upper[j] < b->upper[j] ? a->upper[j] : b->upper[j];
    at[j] = a->lower[j] > b->lower[j] ? a->lower[j] : b->lower[j];
    if (at[j] > upper) {
      return 0;
    }
  }
  return 1;
}

/* Reports, for each box, the first earlier box that overlaps it.  Returns 1 if all boxes are
 * disjoint. */
static int disjoint(checker *c, const char *name, const model_shape *shape, const box boxes[],
                    int n)
{
  long at[MODEL_MAX_BINDERS];
  int good = 1;
  for (int i = 1; i < n; i++) {
    int j = 0;
    while (j < i && !common(&boxes[j], &boxes[i], shape, at)) {
      j++;
    }
    if (j == i) {
      continue;
    }
    diagnostics_error(c->d, boxes[i].from->where, "%s is set twice",
                      model_entry_text(c->memory, name, shape, at));
    diagnostics_note(c->d, boxes[j].from->where, "it is set first here");
    good = 0;
  }
  return good;
}

/* Whether the boxes that intersect the slice at `value` of dimension j cover this slice. */
static int slice_full(const model_shape *shape, const box boxes[], int n, int j, long value)
{
  long whole = 1;
  for (int i = j + 1; i < shape->n; i++) {
    whole *= shape->sets[i]->count;
  }
  for (int i = 0; i < n; i++) {
    if (boxes[i].lower[j] <= value && value <= boxes[i].upper[j]) {
      whole -= volume(&boxes[i], shape, j + 1);
    }
  }
  return whole == 0;
}

/* Finds the first entry that n disjoint boxes leave uncovered.  In each dimension, it is at the
 * start of the set or just after a box. */
static void first_gap(const model_shape *shape, box boxes[], int n, long at[])
{
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    int kept = 0;
    at[j] = set->first + set->count - 1;
    if (!slice_full(shape, boxes, n, j, set->first)) {
      at[j] = set->first;
    }
    for (int i = 0; i < n; i++) {
      long next = boxes[i].upper[j] + 1;
      if (next < at[j] && !slice_full(shape, boxes, n, j, next)) {
        at[j] = next;
      }
    }
    for (int i = 0; i < n; i++) {
      if (boxes[i].lower[j] <= at[j] && at[j] <= boxes[i].upper[j]) {
        boxes[kept++] = boxes[i];
      }
    }
    n = kept;
  }
}

/* Whether the initial state gives momenta rather than velocities. */
static int has_momenta(const model_init *init)
{
  int found = 0;
  for (int i = 0; i < init->n; i++) {
    const model_assignment *a = &init->assignments[i];
    found = found || (a->is_momentum && !a->is_velocity && !a->coordinate->is_algebraic);
  }
  return found;
}

static const char default_name[] = "default";
static const char bath_name[] = "bath"; /* a state may have that name as well: compare addresses */

/* "q[node, ax]": all entries of an array, as `init` names them. */
static const char *all_sets(const checker *c, const char *name, const model_shape *shape)
{
  const char *text = name;
  for (int i = 0; i < shape->n; i++) {
    text = arena_printf(c->memory, "%s%s%s", text, i == 0 ? "[" : ", ", shape->sets[i]->name);
  }
  return shape->n > 0 ? arena_printf(c->memory, "%s]", text) : text;
}

static void check_array(checker *c, const model_init *init, const model_coordinate *q,
                        int is_momentum, box boxes[])
{
  const char *name = !is_momentum                        ? q->name
                     : q->velocity && !has_momenta(init) ? q->velocity
                                                         : q->momentum;
  long at[MODEL_MAX_BINDERS];
  long missing = q->shape.count;
  int n = 0;
  for (int i = 0; i < init->n; i++) {
    const model_assignment *a = &init->assignments[i];
    if (a->coordinate != q || a->is_momentum != is_momentum) {
      continue;
    }
    box next = box_of(a);
    if (volume(&next, &q->shape, 0) > 0) {
      boxes[n++] = next;
    }
  }
  if (!disjoint(c, name, &q->shape, boxes, n)) {
    return;
  }
  for (int i = 0; i < n; i++) {
    missing -= volume(&boxes[i], &q->shape, 0);
  }
  if (missing == 0) {
    return;
  }
  first_gap(&q->shape, boxes, n, at);
  const char *entry = model_entry_text(c->memory, name, &q->shape, at);
  const char *more =
      missing == 1 ? "" : arena_printf(c->memory, " and %ld more of '%s'", missing - 1, name);
  const char *state = init->name == default_name ? "" : arena_printf(c->memory, "%s: ", init->name);
  const char *what = missing == q->shape.count ? all_sets(c, name, &q->shape) : entry;
  if (init->name == bath_name) {
    diagnostics_error(c->d, init->where,
                      "the bath does not set %s%s; add 'bath %s: kT = 0, friction = 0'", entry,
                      more, what);
    return;
  }
  diagnostics_error(c->d, init->where,
                    "initial state '%s' does not set %s%s; add values, such as 'init %s%s = 0'",
                    init->name, entry, more, state, what);
}

/* Reports entries of coordinates that an initial state sets twice or not at all. */
static void coverage_check(checker *c, const model_init *init)
{
  box *boxes = ARENA_ARRAY(c->memory, init->n + 1, box);
  /* The number of states times coordinates is unbounded, so the loop ends after enough messages. */
  for (int j = 0; j < c->m->n_coordinates && diagnostics_count(c->d) < PRINTED_ERRORS; j++) {
    for (int is_momentum = init->name == bath_name; is_momentum < 2; is_momentum++) {
      check_array(c, init, c->m->coordinates[j], is_momentum, boxes);
    }
  }
}

/* An initial state under construction. */
typedef struct state {
  model_init init;
  model_assignment *assignments;
  size_t capacity;
  int failed;
} state;

/* "[i in node, k in ax]": brackets with an index over each set of the coordinate. */
static const char *all_indices(const checker *c, const model_coordinate *coordinate)
{
  static const char letters[] = "ijklmn";
  const model_shape *shape = &coordinate->shape;
  const char *text = "";
  for (int i = 0; i < shape->n; i++) {
    text = arena_printf(c->memory, "%s%s%c in %s", text, i == 0 ? "[" : ", ",
                        letters[i % (int)(sizeof letters - 1)], shape->sets[i]->name);
  }
  return shape->n > 0 ? arena_printf(c->memory, "%s]", text) : "";
}

static const char *state_name(const syntax_statement *s)
{
  return s->second.text ? s->second.text : default_name;
}

/* The contents of one index position: a set, a list of elements, or one element. */
typedef struct place {
  const syntax_binder *binder;
  const model_set *set; /* NULL: one element, `fixed` */
  inline_members only;
  const model_index *fixed;
} place;

/* Checks that the dimension contains all elements of the set. */
static int is_part(checker *c, const model_set *set, const model_set *dimension, span where)
{
  if (set != dimension && !(set->is_range && dimension->is_range)) {
    diagnostics_error(c->d, where, "this index runs over '%s', not over '%s'", dimension->name,
                      set->name);
    return 0;
  }
  if (set->is_dependent) {
    diagnostics_error(c->d, where,
                      "this set depends on another index; in 'init' each has a set of its own");
    return 0;
  }
  if (set->count > 0 && (set->first < dimension->first ||
                         set->first + set->count > dimension->first + dimension->count)) {
    diagnostics_error(c->d, where, "%s goes beyond %s", text_range(c->memory, set),
                      text_range(c->memory, dimension));
    return 0;
  }
  return 1;
}

/* A set or a list in a dimension.  Elements of a list must lie in the dimension, even if their
 * set has elements outside it. */
static int inits_over_set(checker *c, const syntax_set *s, const model_set *dimension, place *at)
{
  at->set = inline_set(c, s, NULL, &at->only);
  if (!at->set) {
    return 0;
  }
  int is_alike = at->set == dimension || (at->set->is_range && dimension->is_range);
  if (at->only.n == 0 || !is_alike) {
    return is_part(c, at->set, dimension, s->where);
  }
  int good = 1;
  for (int i = 0; i < at->only.n && good; i++) {
    good = reach_place(c, "index", at->only.at[i], dimension) >= 0;
  }
  return good;
}

static int inits_find_place(checker *c, const syntax_binder *b, const model_set *dimension,
                            place *at)
{
  at->binder = b;
  if (!b->index) {
    return inits_over_set(c, &b->set, dimension, at);
  }
  if (b->index->kind == SYNTAX_NAME && indices_position(dimension, b->index->text) < 0) {
    const syntax_set named = {.name = {b->index->text, b->index->where}, .where = b->index->where};
    const declared *d = names_find(c, named.name.text);
    if (d && d->kind == NAME_SET) {
      return inits_over_set(c, &named, dimension, at);
    }
  }
  at->fixed = indices_for_set(c, b->index, dimension, NULL);
  if (at->fixed && model_index_has(at->fixed, INDEX_ENTRY)) {
    diagnostics_error(
        c->d, b->index->where,
        "which entry %s names depends on data, and every entry is set exactly once: set "
        "all of them, to parameters for instance",
        text_index(c->memory, at->fixed, 0));
    return 0;
  }
  return at->fixed && reach_place(c, "index", at->fixed, dimension) >= 0;
}

/* Element `number` of the list; the variable, if there is one, denotes this element. */
static const model_index *inits_element(checker *c, const place *at, int number,
                                        const bound **inner)
{
  const syntax_binder *b = at->binder;
  const model_index *item = at->only.at[number];
  if (b->name.text) {
    bound *added = scope_bind(c, *inner, b, at->set);
    if (!added) {
      return NULL;
    }
    added->fixed = item;
    *inner = added;
  }
  return item;
}

/* The position, momentum or velocity that a statement sets; NULL after an error. */
static const declared *target(checker *c, const syntax_statement *s)
{
  const declared *d = names_find(c, s->name.text);
  if (!d) {
    names_unknown(c, s->name.where, s->name.text,
                  1u << NAME_POSITION | 1u << NAME_MOMENTUM | 1u << NAME_VELOCITY, NULL);
    return NULL;
  }
  if (s->kind == STATEMENT_BATH && d->kind != NAME_MOMENTUM) {
    diagnostics_error(c->d, s->name.where, "'%s' is %s; a bath acts on momenta", s->name.text,
                      names_kind(d->kind));
    return NULL;
  }
  if (d->kind != NAME_POSITION && d->kind != NAME_MOMENTUM && d->kind != NAME_VELOCITY) {
    diagnostics_error(c->d, s->name.where,
                      "'%s' is %s; an initial state gives values to coordinates and momenta",
                      s->name.text, names_kind(d->kind));
    return NULL;
  }
  if (!d->coordinate) {
    return NULL;
  }
  if (d->coordinate->is_algebraic && d->kind == NAME_POSITION) {
    diagnostics_error(
        c->d, s->name.where,
        "'%s' is the position conjugate to the algebraic variable '%s', and 0 in every "
        "initial state; set '%s' only",
        d->name, d->coordinate->momentum, d->coordinate->momentum);
    return NULL;
  }
  if (s->binders.condition) {
    diagnostics_error(c->d, s->binders.condition->where, "'where' is not possible in '%s'",
                      s->kind == STATEMENT_BATH ? "bath" : "init");
    return NULL;
  }
  if (s->binders.n != d->coordinate->shape.n) {
    const int n = d->coordinate->shape.n;
    diagnostics_error(c->d, s->name.where, "'%s' has %d %s, and %d %s given; write '%s %s%s%s ...'",
                      d->name, n, n == 1 ? "index" : "indices", s->binders.n,
                      s->binders.n == 1 ? "is" : "are", s->kind == STATEMENT_BATH ? "bath" : "init",
                      d->name, all_indices(c, d->coordinate),
                      s->kind == STATEMENT_BATH ? ":" : " =");
    return NULL;
  }
  return d;
}

static void add_assignment(checker *c, model_assignment next, state *to)
{
  to->assignments = arena_grow(c->memory, to->assignments, (size_t)to->init.n, &to->capacity,
                               sizeof *to->assignments);
  to->assignments[to->init.n++] = next;
  to->init.assignments = to->assignments;
}

/* The assignment for element chosen[j] of each list j. */
static int assignment(checker *c, const syntax_statement *s, const declared *d,
                      const place places[], const int chosen[], model_assignment *result)
{
  int n_places = s->binders.n;
  const model_binder **binders = ARENA_ARRAY(c->memory, n_places + 1, const model_binder *);
  const model_index **index = ARENA_ARRAY(c->memory, n_places + 1, const model_index *);
  const bound *inner = NULL;
  values_checked values = {0};
  int n = 0;
  for (int j = 0; j < n_places; j++) {
    const place *at = &places[j];
    if (at->fixed || at->only.n) {
      index[j] = at->fixed ? at->fixed : inits_element(c, at, chosen[j], &inner);
    } else {
      binders[n] = scope_variable(c, &inner, at->binder, at->set, j);
      index[j] = binders[n] ? indices_variable(c->memory, binders[n], at->binder->where) : NULL;
      n++;
    }
    if (!index[j]) {
      return 0;
    }
  }
  if (!values_check(c, s->value, n, binders, inner, &values)) {
    return 0;
  }
  *result = (model_assignment){.coordinate = d->coordinate,
                               .is_momentum = d->kind != NAME_POSITION,
                               .is_velocity = d->kind == NAME_VELOCITY,
                               .index = index,
                               .values = values.values,
                               .where = s->name.where};
  return 1;
}

/* Advances to the next choice of an element of each list.  Returns 0 after the last one. */
static int choose_next(int n, const place places[], int chosen[])
{
  for (int j = n - 1; j >= 0; j--) {
    if (chosen[j] + 1 < places[j].only.n) {
      chosen[j]++;
      return 1;
    }
    chosen[j] = 0;
  }
  return 0;
}

static int add_statement(checker *c, const syntax_statement *s, state *to)
{
  const declared *d = target(c, s);
  place places[MODEL_MAX_BINDERS] = {{0}};
  int chosen[MODEL_MAX_BINDERS] = {0};
  long choices = 1;
  int good = d != NULL;
  for (int j = 0; d && j < s->binders.n; j++) {
    good = inits_find_place(c, &s->binders.at[j], d->coordinate->shape.sets[j], &places[j]) && good;
    choices *= places[j].only.n > 0 && choices < MODEL_MAX_LABELS ? places[j].only.n : 1;
  }
  if (!good) {
    return 0;
  }
  if (choices > MODEL_MAX_LABELS) {
    diagnostics_error(c->d, s->binders.where,
                      "%ld combinations of the lists; at most %d are possible", choices,
                      MODEL_MAX_LABELS);
    return 0;
  }
  c->what = s->kind == STATEMENT_BATH
                ? "a bath"
                : arena_printf(c->memory, "initial state '%s'", state_name(s));
  c->forbidden = USES_STATE | USES_LAMBDA | USES_INPUT;
  do {
    model_assignment next;
    if (!assignment(c, s, d, places, chosen, &next)) {
      return 0;
    }
    add_assignment(c, next, to);
  } while (choose_next(s->binders.n, places, chosen));
  return 1;
}

/* ---- the heat bath ---- */

/* The assignment of `value` (NULL: 0) to all entries of an array; no body after an error. */
static model_assignment bath_everywhere(checker *c, const model_coordinate *q, int is_momentum,
                                        const syntax_expr *value, span where)
{
  const model_index **index = NULL;
  const syntax_value given = {.expr = value, .where = where};
  model_assignment all = {.coordinate = q, .is_momentum = is_momentum, .where = where};
  all.values.n_binders = q->shape.n;
  all.values.binders = scope_over_array(c, q, &index);
  all.index = index;
  if (value) {
    values_checked values = {0};
    all.values.body = NULL;
    if (values_check(c, &given, q->shape.n, all.values.binders, NULL, &values)) {
      all.values = values.values;
    }
  } else {
    all.values.body = expressions_number(c, numbers_from_long(c->memory, 0), where).expr;
  }
  return all;
}

/* The same bath for all momenta that have a mass. */
static int bath_add_all(checker *c, const syntax_statement *s, state *to)
{
  int good = 1;
  c->what = "a bath";
  c->forbidden = USES_STATE | USES_LAMBDA | USES_INPUT;
  for (int i = 0; i < 2 * c->m->n_coordinates && good; i++) {
    const model_coordinate *q = c->m->coordinates[i / 2];
    if (!q->is_time && !q->is_algebraic) {
      model_assignment next = bath_everywhere(c, q, i % 2, i % 2 ? s->b : s->a, s->text_where);
      good = next.values.body != NULL;
      if (good) {
        add_assignment(c, next, to);
      }
    }
  }
  return good;
}

/* A bath for some momenta. */
static int bath_add_some(checker *c, const syntax_statement *s, state *to)
{
  syntax_statement one = *s;
  for (int is_momentum = 0; is_momentum < 2; is_momentum++) {
    const int before = to->init.n;
    const syntax_value value = {.expr = is_momentum ? s->b : s->a, .where = s->text_where};
    one.value = &value;
    if (!add_statement(c, &one, to)) {
      return 0;
    }
    for (int i = before; i < to->init.n; i++) {
      to->assignments[i].is_momentum = is_momentum;
    }
  }
  return 1;
}

/* The bath of all statements; NULL if there is none, or after an error. */
static const model_init *bath_check(checker *c)
{
  state *bath = ARENA_NEW(c->memory, state);
  bath->init.name = bath_name;
  for (int i = 0; i < c->tree->n; i++) {
    const syntax_statement *s = c->tree->statements[i];
    if (s->kind == STATEMENT_BATH) {
      c->order = i;
      bath->init.where = s->where;
      bath->failed |= s->name.text ? !bath_add_some(c, s, bath) : !bath_add_all(c, s, bath);
    }
  }
  if (bath->init.n == 0 || bath->failed) {
    return NULL;
  }
  for (int i = 0; i < 2 * c->m->n_coordinates; i++) {
    const model_coordinate *q = c->m->coordinates[i / 2];
    if (q->is_time || q->is_algebraic) {
      add_assignment(c, bath_everywhere(c, q, i % 2, NULL, q->where), bath);
    }
  }
  coverage_check(c, &bath->init);
  return &bath->init;
}

void inits_check(checker *c)
{
  state *states = ARENA_ARRAY(c->memory, c->tree->n + 1, state);
  const model_init **list = ARENA_ARRAY(c->memory, c->tree->n + 2, const model_init *);
  int n = 0;
  for (int i = 0; i < c->tree->n; i++) {
    const syntax_statement *s = c->tree->statements[i];
    state *to = states;
    if (s->kind != STATEMENT_INIT) {
      continue;
    }
    while (to < states + n && strcmp(to->init.name, state_name(s)) != 0) {
      to++;
    }
    if (to == states + n) {
      n++;
      to->init.name = state_name(s);
      to->init.where = s->second.text ? s->second.where : s->where;
      if (s->second.text && !names_check_length(c, &s->second)) {
        to->failed = 1;
      }
    }
    c->order = i;
    to->failed |= !add_statement(c, s, to);
  }
  for (int i = 0; i < n; i++) {
    list[i] = &states[i].init;
    if (states[i].failed || !lagrangian_start_good(c, list[i])) {
      continue;
    }
    /* Positions conjugate to algebraic variables start at 0 without a statement.  In a complete
     * state these are fewer than the written statements; in an incomplete state they are omitted
     * when no more errors are printed. */
    int wanted = diagnostics_count(c->d) < PRINTED_ERRORS;
    for (int j = 0; wanted && j < c->m->n_coordinates; j++) {
      if (c->m->coordinates[j]->is_algebraic) {
        add_assignment(c, algebraic_start(c, c->m->coordinates[j]), &states[i]);
      }
    }
    coverage_check(c, list[i]);
  }
  list[n] = bath_check(c);
  c->m->has_bath = list[n] != NULL;
  c->m->n_inits = n;
  c->m->inits = list;
}
