/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/rewrite.h"

#include <string.h>

/* The binders around a name, from the innermost outwards. */
typedef struct rewrite_scope {
  const syntax_binders *binders;
  const syntax_statement *let; /* or the let whose arguments are bound */
  const struct rewrite_scope *outer;
} rewrite_scope;

/* Returns the replacement of a name, or the name itself if it is not replaced. */
typedef const syntax_expr *rewrite_name(void *context, arena *a, const syntax_expr *name,
                                        const rewrite_scope *inner);

/* A replacement applied to all formulas. */
typedef struct rewriting {
  arena *memory;
  rewrite_name *name;
  void *context;
  int with_references; /* 1: `name` also replaces references, such as v[i] */
} rewriting;

static int rewrite_is(const char *text, const char *name)
{
  return text && strcmp(text, name) == 0;
}

/* Creates a node without operands at a source range; the text is that of a name or a number. */
static syntax_expr *rewrite_node(arena *a, syntax_kind kind, const char *text, span where)
{
  syntax_expr *e = ARENA_NEW(a, syntax_expr);
  e->kind = kind;
  e->text = text;
  e->where = where;
  e->name_where = where;
  return e;
}

/* ---- declared and bound names ---- */

/* 1 if a statement of the tree declares the name, possibly as a label. */
static int rewrite_is_declared(const syntax_tree *tree, const char *name)
{
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    int declares =
        s->kind != STATEMENT_MODEL && s->kind != STATEMENT_INIT && s->kind != STATEMENT_BATH;
    /* its `second` is the name of a set, not a declaration */
    int is_of_set = s->kind == STATEMENT_INDICES;
    if (declares &&
        (rewrite_is(s->name.text, name) || (!is_of_set && rewrite_is(s->second.text, name)) ||
         rewrite_is(s->velocity.text, name))) {
      return 1;
    }
    for (int j = 0; s->kind == STATEMENT_LABELS && j < s->n_labels; j++) {
      if (rewrite_is(s->labels[j].text, name)) {
        return 1;
      }
    }
  }
  return 0;
}

static int binds(const syntax_binder *b, const char *name)
{
  int found = rewrite_is(b->name.text, name);
  for (int i = 0; i < b->n_parts; i++) {
    found = found || rewrite_is(b->parts[i].text, name);
  }
  return found;
}

/* 1 if a variable with this name is bound around it. */
static int rewrite_is_bound(const rewrite_scope *inner, const char *name)
{
  for (const rewrite_scope *s = inner; s; s = s->outer) {
    for (int j = 0; s->binders && j < s->binders->n; j++) {
      if (binds(&s->binders->at[j], name)) {
        return 1;
      }
    }
    for (int j = 0; s->let && j < s->let->n_labels; j++) {
      if (rewrite_is(s->let->labels[j].text, name)) {
        return 1;
      }
    }
  }
  return 0;
}

/* ---- copies, only if something changes ---- */

static const syntax_expr *rewrite_expression(const rewriting *r, const syntax_expr *e,
                                             const rewrite_scope *outer);

static const syntax_expr *const *
expressions(const rewriting *r, int n, const syntax_expr *const list[], const rewrite_scope *outer)
{
  const syntax_expr **copy = ARENA_ARRAY(r->memory, n + 1, const syntax_expr *);
  int is_same = 1;
  for (int i = 0; i < n; i++) {
    copy[i] = rewrite_expression(r, list[i], outer);
    is_same = is_same && copy[i] == list[i];
  }
  return is_same ? list : copy;
}

static const syntax_condition *rewrite_condition(const rewriting *r, const syntax_condition *c,
                                                 const rewrite_scope *outer)
{
  if (!c) {
    return NULL;
  }
  syntax_condition next = *c;
  next.left = rewrite_expression(r, c->left, outer);
  next.right = rewrite_expression(r, c->right, outer);
  next.a = rewrite_condition(r, c->a, outer);
  next.b = rewrite_condition(r, c->b, outer);
  if (next.left == c->left && next.right == c->right && next.a == c->a && next.b == c->b) {
    return c;
  }
  return ARENA_COPY(r->memory, syntax_condition, &next);
}

/* The set of a binder may use earlier binders. `outer` already contains all of them, because names
 * are unique. */
static int binders(const rewriting *r, const syntax_binders *b, syntax_binders *copy,
                   const rewrite_scope *outer)
{
  syntax_binder *at = ARENA_ARRAY(r->memory, b->n + 1, syntax_binder);
  int is_same = 1;
  *copy = *b;
  for (int i = 0; i < b->n; i++) {
    const syntax_set *set = &b->at[i].set;
    at[i] = b->at[i];
    at[i].index = rewrite_expression(r, b->at[i].index, outer);
    at[i].set.lower = rewrite_expression(r, set->lower, outer);
    at[i].set.upper = rewrite_expression(r, set->upper, outer);
    at[i].set.items = expressions(r, set->n_items, set->items, outer);
    is_same = is_same && at[i].index == b->at[i].index && at[i].set.lower == set->lower &&
              at[i].set.upper == set->upper && at[i].set.items == set->items;
  }
  copy->at = is_same ? b->at : at;
  copy->condition = rewrite_condition(r, b->condition, outer);
  return is_same && copy->condition == b->condition;
}

static const syntax_expr *rewrite_expression(const rewriting *r, const syntax_expr *e,
                                             const rewrite_scope *outer)
{
  if (!e) {
    return NULL;
  }
  if (e->kind == SYNTAX_NAME) {
    return r->name(r->context, r->memory, e, outer);
  }
  const rewrite_scope inner = {&e->binders, NULL, outer};
  syntax_expr next = *e;
  int is_same = binders(r, &e->binders, &next.binders, &inner);
  next.a = rewrite_expression(r, e->a, &inner);
  next.b = rewrite_expression(r, e->b, &inner);
  next.args = expressions(r, e->n_args, e->args, &inner);
  if (!is_same || next.a != e->a || next.b != e->b || next.args != e->args) {
    e = ARENA_COPY(r->memory, syntax_expr, &next);
  }
  return r->with_references && e->kind == SYNTAX_REFERENCE
             ? r->name(r->context, r->memory, e, outer)
             : e;
}

static const syntax_value *values(const rewriting *r, const syntax_value *v,
                                  const rewrite_scope *outer)
{
  if (!v) {
    return NULL;
  }
  syntax_value next = *v;
  syntax_table_entry *entries = ARENA_ARRAY(r->memory, v->n_entries + 1, syntax_table_entry);
  int is_same = 1;
  next.expr = rewrite_expression(r, v->expr, outer);
  for (int i = 0; i < v->n_entries; i++) {
    entries[i] = v->entries[i];
    entries[i].value = values(r, v->entries[i].value, outer);
    is_same = is_same && entries[i].value == v->entries[i].value;
  }
  if (is_same && next.expr == v->expr) {
    return v;
  }
  next.entries = entries;
  return ARENA_COPY(r->memory, syntax_value, &next);
}

/* Returns the statement with all names in its formulas, binders and values replaced; the statement
 * itself if no name is. */
static const syntax_statement *rewrite_statement(arena *a, const syntax_statement *s,
                                                 rewrite_name *name, void *context)
{
  const rewriting r = {a, name, context, 0};
  const rewrite_scope inner = {&s->binders, s->kind == STATEMENT_LET ? s : NULL, NULL};
  syntax_statement next = *s;
  int is_same = binders(&r, &s->binders, &next.binders, &inner);
  next.a = rewrite_expression(&r, s->a, &inner);
  next.b = rewrite_expression(&r, s->b, &inner);
  next.value = values(&r, s->value, &inner);
  if (is_same && next.a == s->a && next.b == s->b && next.value == s->value) {
    return s;
  }
  return ARENA_COPY(a, syntax_statement, &next);
}

/* ---- data sets and tuples ---- */

/* Largest number of parts of a tuple. */
#define MOST_PARTS 8

/* Number of elements of each data set when the model is checked. The real numbers are known only at
 * run time. */
#define SAMPLE "4"

typedef struct extension {
  arena *memory;
  diagnostics *errors;
  const syntax_tree *tree;
  const syntax_statement **list;
  size_t n;
  size_t room;
} extension;

static void data_sets_append(extension *x, const syntax_statement *s)
{
  x->list = arena_grow(x->memory, x->list, x->n, &x->room, sizeof *x->list);
  x->list[x->n++] = s;
}

static syntax_statement *data_sets_added(extension *x, const syntax_statement *s,
                                         syntax_statement_kind kind, const char *name)
{
  syntax_statement *own = ARENA_NEW(x->memory, syntax_statement);
  own->kind = kind;
  own->where = s->where;
  own->name = (syntax_name){name, s->name.where};
  own->text_where = s->text_where;
  own->is_data = 1;
  data_sets_append(x, own);
  return own;
}

/* ---- sets ---- */

/* Gets the factors of A * B * C, which must be names. Returns their number, or -1 for any other
 * expression. */
static int data_sets_parts_of(const syntax_expr *e, const syntax_expr *parts[MOST_PARTS])
{
  if (e->kind == SYNTAX_NAME) {
    parts[0] = e;
    return 1;
  }
  int n = e->kind == SYNTAX_MUL && e->b->kind == SYNTAX_NAME ? data_sets_parts_of(e->a, parts) : -1;
  if (n < 0 || n == MOST_PARTS) {
    return -1;
  }
  parts[n] = e->b;
  return n + 1;
}

static const char *part_name(arena *a, const char *set, int part)
{
  return arena_printf(a, "%s.%d", set, part + 1);
}

static void data_sets_add_parts(extension *x, const syntax_statement *s)
{
  const syntax_expr *parts[MOST_PARTS];
  int n = data_sets_parts_of(s->a, parts);
  if (n < 0) {
    diagnostics_error(x->errors, s->a->where,
                      "tuples are made of sets: 'data in A * B', of at most %d", MOST_PARTS);
  }
  for (int i = 0; i < n; i++) {
    syntax_statement *own =
        data_sets_added(x, s, STATEMENT_INDICES, part_name(x->memory, s->name.text, i));
    syntax_binder *over = ARENA_NEW(x->memory, syntax_binder);
    *over =
        (syntax_binder){.index = rewrite_node(x->memory, SYNTAX_NAME, s->name.text, s->name.where),
                        .where = s->name.where};
    own->binders = (syntax_binders){.n = 1, .at = over, .where = s->name.where};
    own->second = (syntax_name){parts[i]->text, parts[i]->where};
  }
}

static void add_set(extension *x, const syntax_statement *s)
{
  const char *size = arena_printf(x->memory, "n_%s", s->name.text);
  syntax_statement *count = data_sets_added(x, s, STATEMENT_SIZE, size);
  syntax_statement *set = data_sets_added(x, s, STATEMENT_RANGE, s->name.text);
  count->a = rewrite_node(x->memory, SYNTAX_NUMBER, SAMPLE, s->name.where);
  set->is_data = 0;
  set->a = rewrite_node(x->memory, SYNTAX_NUMBER, "1", s->name.where);
  set->b = rewrite_node(x->memory, SYNTAX_NAME, size, s->name.where);
  if (s->a) {
    data_sets_add_parts(x, s);
  }
}

/* ---- tuples ---- */

/* Finds the statement `set NAME = data in ...`, or NULL. */
static const syntax_statement *tuples_of(const syntax_tree *tree, const char *set)
{
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_DATA && s->a && strcmp(s->name.text, set) == 0) {
      return s;
    }
  }
  return NULL;
}

/* The expression for part number `part` of a tuple, which replaces the part's name. */
static const syntax_expr *data_sets_entry(extension *x, const syntax_binder *b, int part,
                                          const syntax_expr *name)
{
  const syntax_statement *set = b->set.name.text ? tuples_of(x->tree, b->set.name.text) : NULL;
  const syntax_expr *parts[MOST_PARTS];
  int n = set ? data_sets_parts_of(set->a, parts) : 0;
  if (n != b->n_parts) {
    return name; /* the checker reports the error at the binder */
  }
  syntax_expr *e = rewrite_node(x->memory, SYNTAX_REFERENCE,
                                part_name(x->memory, set->name.text, part), name->where);
  const syntax_expr **index = ARENA_ARRAY(x->memory, 1, const syntax_expr *);
  index[0] = rewrite_node(x->memory, SYNTAX_NAME, b->name.text, name->where);
  e->n_args = 1;
  e->args = index;
  return e;
}

static const syntax_expr *part_for(void *context, arena *a, const syntax_expr *name,
                                   const rewrite_scope *inner)
{
  extension *x = context;
  (void)a;
  for (const rewrite_scope *s = inner; s; s = s->outer) {
    for (int j = 0; s->binders && j < s->binders->n; j++) {
      const syntax_binder *b = &s->binders->at[j];
      if (b->name.text && strcmp(b->name.text, name->text) == 0) {
        return name;
      }
      for (int i = 0; i < b->n_parts; i++) {
        if (strcmp(b->parts[i].text, name->text) == 0) {
          return data_sets_entry(x, b, i, name);
        }
      }
    }
  }
  return name;
}

/* ---- the whole tree ---- */

const syntax_tree *data_extend(arena *a, diagnostics *d, const syntax_tree *tree)
{
  extension x = {.memory = a, .errors = d, .tree = tree};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_DATA) {
      add_set(&x, s);
    } else {
      data_sets_append(&x, rewrite_statement(a, s, part_for, &x));
    }
  }
  syntax_tree *extended = ARENA_NEW(a, syntax_tree);
  extended->n = (int)x.n;
  extended->statements = x.list;
  return extended;
}

/* ---- the time ---- */

/* Statements whose formulas may contain the time. */
enum {
  WITH_FORMULAS = 1 << STATEMENT_LET | 1 << STATEMENT_HAMILTONIAN | 1 << STATEMENT_LAGRANGIAN |
                  1 << STATEMENT_CONSTRAINT | 1 << STATEMENT_OBSERVE | 1 << STATEMENT_INVARIANT |
                  1 << STATEMENT_FORCE | 1 << STATEMENT_EVENT
};

/* ---- search for the name ---- */

/* The first use of the name as a value in a formula, or NULL. Indices and conditions are skipped,
 * since they are integers. */
static const syntax_expr *time_find(const syntax_expr *e, const char *name,
                                    const rewrite_scope *outer)
{
  if (!e) {
    return NULL;
  }
  if (e->kind == SYNTAX_NAME) {
    return rewrite_is(e->text, name) && !rewrite_is_bound(outer, name) ? e : NULL;
  }
  const rewrite_scope inner = {&e->binders, NULL, outer};
  const syntax_expr *found = time_find(e->a, name, &inner);
  found = found ? found : time_find(e->b, name, &inner);
  for (int j = 0; e->kind == SYNTAX_CALL && j < e->n_args && !found; j++) {
    found = time_find(e->args[j], name, &inner);
  }
  return found;
}

static const syntax_expr *find_in(const syntax_statement *s, const char *name)
{
  const rewrite_scope arguments = {&s->binders, s->kind == STATEMENT_LET ? s : NULL, NULL};
  const syntax_expr *found =
      1u << s->kind & WITH_FORMULAS ? time_find(s->a, name, &arguments) : NULL;
  return found || s->kind != STATEMENT_CONSTRAINT ? found : time_find(s->b, name, &arguments);
}

/* ---- H with p_t ---- */

/* a + p_t or a - p_t, at the source range of a. */
static const syntax_expr *with_momentum(arena *a, syntax_kind kind, const syntax_expr *e)
{
  syntax_expr *result = rewrite_node(a, kind, NULL, e->where);
  result->a = e;
  result->b = rewrite_node(a, SYNTAX_NAME, TIME_MOMENTUM_NAME, e->where);
  return result;
}

/* The name of H or of L, and its replacement in other statements. */
typedef struct given {
  const char *name;
  syntax_kind undo; /* operation with p_t that restores the expression of the file */
} given;

static const syntax_expr *undone(void *context, arena *a, const syntax_expr *name,
                                 const rewrite_scope *inner)
{
  const given *H = context;
  return rewrite_is(name->text, H->name) && !rewrite_is_bound(inner, H->name)
             ? with_momentum(a, H->undo, name)
             : name;
}

static const syntax_statement *extend(arena *a, const syntax_statement *s, given both[2])
{
  if (s->kind == STATEMENT_HAMILTONIAN || s->kind == STATEMENT_LAGRANGIAN) {
    int is_lagrangian = s->kind == STATEMENT_LAGRANGIAN;
    syntax_statement *copy = ARENA_COPY(a, syntax_statement, s);
    copy->a = with_momentum(a, is_lagrangian ? SYNTAX_SUB : SYNTAX_ADD, s->a);
    copy->has_time = 1;
    return copy;
  }
  for (int i = 0; i < 2 && both[i].name && 1u << s->kind & WITH_FORMULAS; i++) {
    s = rewrite_statement(a, s, undone, &both[i]);
  }
  return s;
}

/* ---- statements added after the file's ---- */

static syntax_statement *time_added(arena *a, syntax_statement_kind kind, const char *name,
                                    span where)
{
  syntax_statement *s = ARENA_NEW(a, syntax_statement);
  s->kind = kind;
  s->where = where;
  s->name = (syntax_name){name, where};
  return s;
}

/* init NAME = 0, for the initial state of another statement. */
static const syntax_statement *time_start(arena *a, const syntax_statement *other, const char *name)
{
  syntax_statement *s = time_added(a, STATEMENT_INIT, name, other->where);
  const syntax_value zero = {.expr = rewrite_node(a, SYNTAX_NUMBER, "0", other->where),
                             .where = other->where};
  s->second = other->second;
  s->value = ARENA_COPY(a, syntax_value, &zero);
  return s;
}

/* 1 if one of the first n statements sets `name` (NULL: anything) in the initial state `state`
 * (NULL: the default). */
static int sets(const syntax_tree *tree, int n, const char *state, const char *name)
{
  for (int j = 0; j < n; j++) {
    const syntax_statement *s = tree->statements[j];
    if (s->kind == STATEMENT_INIT && (!name || rewrite_is(s->name.text, name)) &&
        (state ? rewrite_is(s->second.text, state) : !s->second.text)) {
      return 1;
    }
  }
  return 0;
}

/* ---- the whole tree ---- */

/* The first use of the time in a formula; NULL if there is none, or if the model declares the name
 * itself. */
static const syntax_expr *first_use(const syntax_tree *tree)
{
  const syntax_expr *use = NULL;
  for (int i = 0; i < tree->n && !use; i++) {
    use = find_in(tree->statements[i], TIME_NAME);
  }
  return use && !rewrite_is_declared(tree, TIME_NAME) ? use : NULL;
}

static void check_momentum(diagnostics *d, const syntax_tree *tree, const syntax_expr *use)
{
  if (rewrite_is_declared(tree, TIME_MOMENTUM_NAME)) {
    diagnostics_error(d, use->where,
                      "'%s' is the time here, whose momentum is called '%s', and the model "
                      "declares that name for something else; call that otherwise, or declare "
                      "'coord %s momentum NAME' and add NAME to H yourself",
                      TIME_NAME, TIME_MOMENTUM_NAME, TIME_NAME);
  }
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    const syntax_expr *own = s->kind == STATEMENT_HAMILTONIAN || s->kind == STATEMENT_LAGRANGIAN
                                 ? find_in(s, TIME_MOMENTUM_NAME)
                                 : NULL;
    if (own) {
      diagnostics_error(d, own->where,
                        "'%s', the momentum of the time '%s', is added to H by itself; leave it "
                        "out here",
                        TIME_MOMENTUM_NAME, TIME_NAME);
    }
  }
}

const syntax_tree *time_extend(arena *a, diagnostics *d, const syntax_tree *tree)
{
  const syntax_expr *use = first_use(tree);
  if (!use) {
    return tree;
  }
  check_momentum(d, tree, use);
  given both[2] = {{NULL, SYNTAX_SUB}, {NULL, SYNTAX_ADD}};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_HAMILTONIAN) {
      both[0].name = s->name.text;
    } else if (s->kind == STATEMENT_LAGRANGIAN) {
      both[0].name = s->second.text ? s->second.text : SYNTAX_ENERGY_NAME;
      both[1].name = s->name.text;
    }
  }
  syntax_tree *extended = ARENA_NEW(a, syntax_tree);
  const syntax_statement **list = ARENA_ARRAY(a, 3 * tree->n + 1, const syntax_statement *);
  syntax_statement *coordinate = time_added(a, STATEMENT_COORD, TIME_NAME, use->where);
  coordinate->second = (syntax_name){TIME_MOMENTUM_NAME, use->where};
  coordinate->has_time = 1;
  for (int i = 0; i < tree->n; i++) {
    list[i] = extend(a, tree->statements[i], both);
  }
  int n = tree->n;
  list[n++] = coordinate;
  static const char *const names[] = {TIME_NAME, TIME_MOMENTUM_NAME};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    const int begins_state = s->kind == STATEMENT_INIT && !sets(tree, i, s->second.text, NULL);
    for (int j = 0; j < 2 && begins_state; j++) {
      if (!sets(tree, tree->n, s->second.text, names[j])) {
        list[n++] = time_start(a, s, names[j]);
      }
    }
  }
  extended->n = n;
  extended->statements = list;
  return extended;
}

/* ---- the lifted model ---- */

/* Names that no model file can contain. */
#define LIFTED_SCALE "scale."

typedef struct lifting {
  const syntax_tree *tree;
  const char *energies[2]; /* names of H and L */
} lifting;

static const syntax_expr *with_scale(arena *a, syntax_kind kind, const syntax_expr *e)
{
  syntax_expr *result = rewrite_node(a, kind, NULL, e->where);
  result->a = e;
  result->b = rewrite_node(a, SYNTAX_NAME, LIFTED_SCALE, e->where);
  return result;
}

/* H, L and velocities, each over s. */
static const syntax_expr *over_scale(void *context, arena *a, const syntax_expr *name,
                                     const rewrite_scope *inner)
{
  const lifting *of = context;
  int found = rewrite_is(of->energies[0], name->text) || rewrite_is(of->energies[1], name->text);
  for (int i = 0; i < of->tree->n && !found; i++) {
    const syntax_statement *s = of->tree->statements[i];
    found = s->kind == STATEMENT_COORD && rewrite_is(s->velocity.text, name->text);
  }
  return found && !rewrite_is_bound(inner, name->text) ? with_scale(a, SYNTAX_DIV, name) : name;
}

static const syntax_statement *lift_statement(arena *a, const syntax_statement *s, lifting *of)
{
  if (!(1u << s->kind & WITH_FORMULAS)) {
    return s;
  }
  const rewriting r = {a, over_scale, of, 1};
  const rewrite_scope inner = {&s->binders, s->kind == STATEMENT_LET ? s : NULL, NULL};
  syntax_statement *copy = ARENA_COPY(a, syntax_statement, s);
  copy->a = rewrite_expression(&r, s->a, &inner);
  copy->b = rewrite_expression(&r, s->b, &inner);
  if (s->kind == STATEMENT_HAMILTONIAN || s->kind == STATEMENT_LAGRANGIAN ||
      s->kind == STATEMENT_FORCE) {
    copy->a = with_scale(a, SYNTAX_MUL, copy->a);
  }
  return copy;
}

/* The coordinate of a parameter. */
static const syntax_statement *lift_parameter(arena *a, const syntax_statement *s)
{
  syntax_statement *copy = ARENA_COPY(a, syntax_statement, s);
  copy->kind = STATEMENT_COORD;
  copy->second = (syntax_name){arena_printf(a, "momentum.%s", s->name.text), s->name.where};
  copy->value = NULL;
  copy->bounds = (syntax_bounds){0};
  copy->is_input = 0;
  copy->is_data = 0;
  copy->has_time = 1; /* it needs no velocity in a Lagrangian */
  return copy;
}

const syntax_tree *parameters_lift(arena *a, const syntax_tree *tree)
{
  lifting of = {.tree = tree};
  syntax_tree *lifted = ARENA_NEW(a, syntax_tree);
  const syntax_statement **list = ARENA_ARRAY(a, tree->n + 1, const syntax_statement *);
  int n = 0;
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_HAMILTONIAN) {
      of.energies[0] = s->name.text;
    } else if (s->kind == STATEMENT_LAGRANGIAN) {
      of.energies[0] = s->second.text ? s->second.text : SYNTAX_ENERGY_NAME;
      of.energies[1] = s->name.text;
    }
  }
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    const unsigned left_out = 1u << STATEMENT_PARAM | 1u << STATEMENT_INIT | 1u << STATEMENT_BATH |
                              1u << STATEMENT_RUN | 1u << STATEMENT_OBSERVE |
                              1u << STATEMENT_INVARIANT;
    if (!(1u << s->kind & left_out)) {
      list[n++] = lift_statement(a, s, &of);
    }
  }
  for (int i = 0; i < tree->n; i++) {
    if (tree->statements[i]->kind == STATEMENT_PARAM) {
      list[n++] = lift_parameter(a, tree->statements[i]);
    }
  }
  syntax_statement *scale =
      time_added(a, STATEMENT_COORD, LIFTED_SCALE, tree->statements[0]->where);
  scale->second = (syntax_name){"momentum." LIFTED_SCALE, scale->where};
  scale->has_time = 1;
  list[n++] = scale;
  lifted->n = n;
  lifted->statements = list;
  return lifted;
}
