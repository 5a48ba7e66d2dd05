/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * formulas.c -- lets, the Hamiltonian, constraints, observables, invariants, forces and events.
 */
#include "language/rewrite.h"
#include "model/formula_checks.h"

/* Begins a formula: its description for messages, and the bits of USES_ that it may not have. */
static void formulas_begin(checker *c, const char *kind, const char *name, unsigned forbidden)
{
  c->what = arena_printf(c->memory, "%s '%s'", kind, name);
  c->forbidden = forbidden;
}

/* ---- lets ---- */

/* Adds the arguments to the scope.  Returns NULL after an error. */
static const bound *let_arguments(checker *c, const syntax_statement *s, argument_use uses[],
                                  const model_binder *binders[])
{
  const bound *inner = NULL;
  for (int j = 0; j < s->n_labels; j++) {
    bound *b = scope_add(c, inner, &s->labels[j], NULL);
    if (!b) {
      return NULL;
    }
    b->use = &uses[j];
    b->argument = j;
    binders[j] = b->binder;
    inner = b;
  }
  return inner;
}

/* Checks that each argument is used either as a label or as a number, not as both. */
static int uses_agree(checker *c, const syntax_statement *s, const argument_use uses[])
{
  int good = 1;
  for (int j = 0; j < s->n_labels; j++) {
    const argument_use *use = &uses[j];
    const char *other = use->conflict     ? "another label set"
                        : use->as_integer ? "integers"
                        : use->as_value   ? "numbers"
                                          : NULL;
    if (!use->labels || !other) {
      continue;
    }
    diagnostics_error(
        c->d, s->labels[j].where,
        "argument '%s' is used as a label of '%s' and for %s, too: no call can fit both",
        s->labels[j].text, use->labels->name, other);
    good = 0;
  }
  return good;
}

void formulas_let(checker *c, const syntax_statement *s, declared *own)
{
  model_let *let = ARENA_NEW(c->memory, model_let);
  argument_use *uses = ARENA_ARRAY(c->memory, s->n_labels + 1, argument_use);
  const model_binder **binders = ARENA_ARRAY(c->memory, s->n_labels + 1, const model_binder *);
  formulas_begin(c, "let", s->name.text, USES_LAMBDA);
  if (s->n_labels > MODEL_MAX_ARGUMENTS) {
    diagnostics_error(c->d, s->name.where, "let '%s' has %d arguments; at most %d are possible",
                      s->name.text, s->n_labels, MODEL_MAX_ARGUMENTS);
    return;
  }
  const bound *inner = let_arguments(c, s, uses, binders);
  if (s->n_labels > 0 && !inner) {
    return;
  }
  const model_set *vector = vectors_set(c, s->a, inner);
  checked body = failed;
  if (vector) { /* the index of its component becomes one more argument */
    const model_binder *last = scope_binder(c, scope_free_name(c, inner, 0), NULL);
    const vector_component at = {vector, indices_variable(c->memory, last, s->a->where)};
    binders[s->n_labels] = last;
    uses[s->n_labels].labels = vector->is_range ? NULL : vector;
    uses[s->n_labels].as_integer = vector->is_range;
    body = vectors_component(c, s->a, inner, &at);
  } else {
    body = expressions_check(c, s->a, inner);
  }
  if (!uses_agree(c, s, uses) || !body.expr) {
    return;
  }
  let->name = s->name.text;
  let->number = c->m->n_lets;
  let->n_arguments = s->n_labels + (vector != NULL);
  let->arguments = binders;
  let->body = body.expr;
  let->where = s->name.where;
  own->let = let;
  own->vector = vector;
  own->arguments = uses;
  own->uses = body.uses;
  own->depth = body.depth;
  c->lets[c->m->n_lets++] = let;
}

/* ---- the Hamiltonian ---- */

typedef struct terms {
  const model_family **at;
  int n;
  size_t capacity;
} terms;

static model_family *new_family(checker *c, const model_expr *body, const char *text, span where)
{
  model_family *family = ARENA_NEW(c->memory, model_family);
  family->body = body;
  family->text = text;
  family->where = where;
  return family;
}

/* Appends a family to the list of its kind. */
static void formulas_append(checker *c, model_family *family, int *n, const model_family *list[])
{
  const model_family *last = *n ? list[*n - 1] : NULL;
  family->offset = last ? last->offset + last->count : 0;
  ranges_family(c, family);
  list[(*n)++] = family;
}

/* Adds one term of H or L.  A sum over index sets becomes a family, unless one of its sets
 * depends on another. */
static void formulas_add_term(checker *c, terms *list, const model_expr *e, int negative)
{
  int is_family = e->kind == EXPR_SUM;
  for (int j = 0; j < e->n_binders; j++) {
    is_family = is_family && !e->binders[j]->set->is_dependent;
  }
  const model_expr *body = is_family ? e->a : e;
  const char *text = e->kind == EXPR_MOMENTUM && e->coordinate->is_time ? e->coordinate->momentum
                                                                        : text_folded(c, e->where);
  if (negative) {
    model_expr *minus = expressions_new(c, EXPR_NEG, e->where);
    minus->a = body;
    body = minus;
    text = arena_printf(c->memory, "-%s", text);
  }
  model_family *family = new_family(c, body, text, e->where);
  if (is_family) {
    family->n_binders = e->n_binders;
    family->binders = e->binders;
    family->condition = e->condition;
  }
  list->at = arena_grow(c->memory, list->at, (size_t)list->n, &list->capacity, sizeof *list->at);
  formulas_append(c, family, &list->n, list->at);
}

/* Splits a formula at + and -, through parentheses and unary minus. */
static void formulas_split(checker *c, terms *list, const model_expr *e, int negative)
{
  switch (e->kind) {
  case EXPR_ADD:
  case EXPR_SUB:
    formulas_split(c, list, e->a, negative);
    formulas_split(c, list, e->b, e->kind == EXPR_SUB ? !negative : negative);
    break;
  case EXPR_NEG:
    formulas_split(c, list, e->a, !negative);
    break;
  default:
    formulas_add_term(c, list, e, negative);
    break;
  }
}

/* The terms of H or L. */
static checked formulas_terms_of(checker *c, const syntax_statement *s, declared *own)
{
  terms list = {0};
  checked whole = expressions_check(c, s->a, NULL);
  if (!whole.expr) {
    own->failed = 1;
    return whole;
  }
  own->uses = whole.uses;
  own->depth = whole.depth;
  formulas_split(c, &list, whole.expr, 0);
  c->m->n_terms = list.n;
  c->m->terms = list.at;
  return whole;
}

void formulas_hamiltonian(checker *c, const syntax_statement *s, declared *own)
{
  formulas_begin(c, "the Hamiltonian", s->name.text,
                 USES_LAMBDA | USES_INPUT | USES_ALGEBRAIC_POSITION);
  formulas_terms_of(c, s, own);
  c->m->hamiltonian_name = s->name.text;
  c->m->hamiltonian_text = text_folded(c, s->text_where);
  if (s->has_time) {
    c->m->hamiltonian_text =
        arena_printf(c->memory, "%s + %s", c->m->hamiltonian_text, TIME_MOMENTUM_NAME);
  }
}

void formulas_lagrangian(checker *c, const syntax_statement *s, declared *own)
{
  declared *energy = c->hamiltonian;
  formulas_begin(c, "the Lagrangian", s->name.text,
                 USES_LAMBDA | USES_INPUT | USES_ALGEBRAIC_POSITION | USES_MOMENTUM);
  checked L = formulas_terms_of(c, s, own);
  if (energy) {
    energy->failed = own->failed;
    energy->uses = (L.uses & ~(unsigned)USES_VELOCITY) | USES_MOMENTUM;
    energy->depth = L.depth;
  }
  c->m->lagrangian_name = s->name.text;
  c->m->lagrangian_text = text_folded(c, s->text_where);
  c->m->hamiltonian_name = lagrangian_energy(s).text;
}

/* ---- constraints, observables, invariants ---- */

/* Creates a family with the statement's name and binders, and appends it to the list of its
 * kind. */
static model_family *formulas_enter(checker *c, const syntax_statement *s,
                                    const scope_binders *binders, const model_expr *body, int *n,
                                    const model_family *list[])
{
  model_family *family = new_family(c, body, text_folded(c, s->text_where), s->name.where);
  span heading = {s->name.where.begin, binders->n ? s->binders.where.end : s->name.where.end};
  family->name = s->name.text;
  family->heading = text_folded(c, heading);
  family->n_binders = binders->n;
  family->binders = binders->binders;
  family->condition = binders->condition;
  formulas_append(c, family, n, list);
  return family;
}

void formulas_constraint(checker *c, const syntax_statement *s, declared *own)
{
  scope_binders binders;
  formulas_begin(c, "constraint", s->name.text,
                 USES_LAMBDA | USES_INPUT | USES_ALGEBRAIC | USES_ALGEBRAIC_POSITION |
                     USES_VELOCITY);
  if (!scope_binders_check(c, &s->binders, NULL, 1, &binders)) {
    return;
  }
  const model_set *vector = vectors_set(c, s->a, binders.inner);
  const syntax_expr *side = vector ? s->a : s->b;
  vector = vector ? vector : vectors_set(c, s->b, binders.inner);
  if (vector) {
    diagnostics_error(
        c->d, side->where,
        "this is a vector over '%s', and a constraint is an equation of numbers: write "
        "constraint %s[k in %s] with the index k behind the others",
        vector->name, s->name.text, vector->name);
    return;
  }
  checked left = expressions_check(c, s->a, binders.inner);
  checked right = expressions_check(c, s->b, binders.inner);
  checked g = expressions_operation(c, EXPR_SUB, s->text_where, &left, &right);
  if (!g.expr) {
    return;
  }
  if (!(g.uses & USES_STATE)) {
    diagnostics_error(c->d, s->name.where,
                      "constraint '%s' does not depend on any coordinate or momentum",
                      s->name.text);
    return;
  }
  own->uses = g.uses;
  own->depth = g.depth;
  own->family = formulas_enter(c, s, &binders, g.expr, &c->m->n_constraints, c->constraints);
  c->m->nc = own->family->offset + own->family->count;
}

/* The implied constraint of an algebraic variable. */
void formulas_algebraic(checker *c, const syntax_statement *s)
{
  const syntax_name name = algebraic_constraint_name(c, s);
  declared *own = names_own(c, &name, c->order);
  const declared *variable = names_own(c, &s->name, c->order);
  if (!own || !variable || !variable->coordinate) {
    return;
  }
  model_family *family = algebraic_family(c, s, variable->coordinate);
  formulas_append(c, family, &c->m->n_constraints, c->constraints);
  own->uses = USES_STATE | USES_ALGEBRAIC_POSITION;
  own->depth = 2;
  own->family = family;
  c->m->nc = family->offset + family->count;
}

void formulas_observe(checker *c, const syntax_statement *s, declared *own)
{
  int is_observe = s->kind == STATEMENT_OBSERVE;
  scope_binders binders;
  formulas_begin(c, is_observe ? "observable" : "invariant", s->name.text,
                 is_observe ? 0 : USES_LAMBDA | USES_INPUT);
  if (!scope_binders_check(c, &s->binders, NULL, 1, &binders)) {
    return;
  }
  checked body = expressions_check(c, s->a, binders.inner);
  if (!body.expr) {
    return;
  }
  own->uses = body.uses;
  own->depth = body.depth;
  if (is_observe) {
    model_family *family = formulas_enter(c, s, &binders, body.expr, &c->m->n_observe, c->observe);
    family->reads_lambda = (body.uses & USES_MULTIPLIER ? MODEL_READS_MULTIPLIERS : 0) |
                           (body.uses & USES_IMPULSE ? MODEL_READS_IMPULSES : 0);
  } else {
    own->family = formulas_enter(c, s, &binders, body.expr, &c->m->n_invariants, c->invariants);
  }
}

/* ---- forces ---- */

/* The position that belongs to the momentum on which a force acts; NULL after an error. */
static const model_expr *force_target(checker *c, const syntax_statement *s, const bound *inner)
{
  const declared *d = s->b->text ? names_find(c, s->b->text) : NULL;
  const int is_reference = s->b->kind == SYNTAX_NAME || s->b->kind == SYNTAX_REFERENCE;
  const model_coordinate *q = is_reference && d && d->kind == NAME_MOMENTUM ? d->coordinate : NULL;
  if (is_reference && !d) {
    names_unknown(c, expressions_name_place(s->b), s->b->text, 1u << NAME_MOMENTUM, inner);
    return NULL;
  }
  if (!q && d && d->kind == NAME_MOMENTUM) {
    return NULL; /* its declaration has an error */
  }
  if (!q || q->is_time || q->is_algebraic) {
    const char *remedy =
        is_reference && d->coordinate && !d->coordinate->is_time && !d->coordinate->is_algebraic
            ? arena_printf(c->memory, "; write '%s'", d->coordinate->momentum)
            : "";
    diagnostics_error(c->d, s->b->where,
                      "%s acts on the momentum of a coordinate, and this is %s%s", c->what,
                      q && q->is_time ? "the momentum of the time"
                      : q             ? "an algebraic variable, which has no rate of change"
                      : is_reference  ? names_kind(d->kind)
                                      : "another expression",
                      remedy);
    return NULL;
  }
  const checked momentum = expressions_check(c, s->b, inner);
  if (!momentum.expr) {
    return NULL;
  }
  model_expr *position = ARENA_COPY(c->memory, model_expr, momentum.expr);
  position->kind = EXPR_POSITION;
  return position;
}

void formulas_force(checker *c, const syntax_statement *s, declared *own)
{
  scope_binders binders;
  formulas_begin(c, "force", s->name.text, USES_LAMBDA);
  if (!scope_binders_check(c, &s->binders, NULL, 1, &binders)) {
    return;
  }
  const model_expr *target = force_target(c, s, binders.inner);
  const checked body = expressions_check(c, s->a, binders.inner);
  if (!target || !body.expr) {
    return;
  }
  if (body.uses & (USES_ALGEBRAIC | USES_ALGEBRAIC_POSITION)) {
    diagnostics_error(c->d, s->a->where,
                      "%s cannot depend on an algebraic variable, which a step solves for after "
                      "it has applied the force; write the value of that variable as a formula",
                      c->what);
    return;
  }
  own->uses = body.uses;
  own->depth = body.depth;
  int n = c->m->n_forces;
  formulas_enter(c, s, &binders, target, &n, c->force_targets)->text = text_folded(c, s->b->where);
  formulas_enter(c, s, &binders, body.expr, &c->m->n_forces, c->forces);
}

void formulas_check_forces(checker *c)
{
  for (int i = 0; i < c->m->n_constraints && c->m->n_forces > 0; i++) {
    const declared *d = names_find(c, c->m->constraints[i]->name);
    if (d && d->uses & USES_MOMENTUM) {
      diagnostics_error(c->d, c->m->forces[0]->where,
                        "forces need constraints on positions: a force changes momenta, so a "
                        "constraint that reads momenta, such as '%s', would no longer hold; state "
                        "that constraint in positions, or leave out the force",
                        d->name);
      return;
    }
  }
}

/* ---- events ---- */

void formulas_event(checker *c, const syntax_statement *s, declared *own)
{
  scope_binders binders;
  formulas_begin(c, "event", s->name.text, USES_LAMBDA);
  if (!scope_binders_check(c, &s->binders, NULL, 1, &binders)) {
    return;
  }
  checked body = expressions_check(c, s->a, binders.inner);
  if (s->b) {
    const checked right = expressions_check(c, s->b, binders.inner);
    body = expressions_operation(c, EXPR_SUB, s->text_where, &body, &right);
  }
  if (!body.expr) {
    return;
  }
  if (!(body.uses & USES_STATE)) {
    diagnostics_error(c->d, s->name.where,
                      "event '%s' does not depend on any coordinate or momentum, so it cannot "
                      "happen between steps",
                      s->name.text);
    return;
  }
  own->uses = body.uses;
  own->depth = body.depth;
  model_family *family = formulas_enter(c, s, &binders, body.expr, &c->m->n_events, c->events);
  const unsigned directions = (unsigned)s->event & (EVENT_RISING | EVENT_FALLING);
  family->event = (sw_event_kind){
      .directions = (unsigned char)(directions ? directions : EVENT_RISING | EVENT_FALLING),
      .stops = (s->event & EVENT_STOP) != 0};
}
