/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * declarations.c -- the names that statements declare, explicitly or implicitly.
 */
#include <stdlib.h>
#include <string.h>

#include "model/checker.h"

/* The kind of a name in words, such as "the momentum that 'algebraic beta' brings along". */
static const char *names_what(const checker *c, const declared *d)
{
  if (!d->implied_by) {
    return names_kind(d->kind);
  }
  return arena_printf(c->memory, "the %s that '%s' brings along",
                      strchr(names_kind(d->kind), ' ') + 1, d->implied_by);
}

static declared *enter_unchecked(checker *c, name_kind kind, const syntax_name *name, int order)
{
  declared *d = &c->names[c->n_names++];
  d->kind = kind;
  d->name = name->text;
  d->where = name->where;
  d->order = order;
  return d;
}

static void declarations_enter(checker *c, name_kind kind, const syntax_name *name, int order)
{
  names_check_length(c, name);
  enter_unchecked(c, kind, name, order);
}

/* Enters a name that a statement implies.  `other` is the clause that would rename it, or NULL. */
static void enter_implied(checker *c, name_kind kind, const syntax_name *name, int order,
                          const char *statement, const char *other)
{
  declared *d = enter_unchecked(c, kind, name, order);
  d->implied_by = statement;
  d->renamed_by = other;
}

/* Enters the second name of a statement: given explicitly, as in "momentum NAME", or implied.
 * `head` is the beginning of the statement. */
static void enter_second(checker *c, name_kind kind, const syntax_name *name,
                         const syntax_statement *s, int order, const char *head)
{
  const char *word = kind == NAME_HAMILTONIAN ? "hamiltonian" : "momentum";
  if (s->second.text) {
    declarations_enter(c, kind, name, order);
  } else {
    enter_implied(c, kind, name, order, head, arena_printf(c->memory, "%s %s NAME", head, word));
  }
}

syntax_name names_conjugate(const checker *c, const syntax_statement *s)
{
  const char *prefix = s->kind == STATEMENT_ALGEBRAIC ? "alpha_" : "p_";
  const syntax_name made = {arena_printf(c->memory, "%s%s", prefix, s->name.text), s->name.where};
  return s->second.text ? s->second : made;
}

/* Enters the implied names of an algebraic variable. */
static void enter_algebraic(checker *c, const syntax_statement *s, int order)
{
  const syntax_name position = names_conjugate(c, s);
  const syntax_name constraint = algebraic_constraint_name(c, s);
  const char *head = arena_printf(c->memory, "algebraic %s", s->name.text);
  algebraic_check_length(c, s);
  enter_second(c, NAME_POSITION, &position, s, order, head);
  enter_implied(c, NAME_CONSTRAINT, &constraint, order, head, NULL);
}

/* Enters the momentum of a coordinate: explicit, or implied if the coordinate has a velocity. */
static void enter_momentum(checker *c, const syntax_statement *s, int order)
{
  const syntax_name momentum = names_conjugate(c, s);
  const char *head = "";
  if (s->velocity.text) {
    declarations_enter(c, NAME_VELOCITY, &s->velocity, order);
    head = arena_printf(c->memory, "coord %s velocity %s", s->name.text, s->velocity.text);
  }
  if (!s->second.text) {
    names_check_length(c, &momentum);
  }
  enter_second(c, NAME_MOMENTUM, &momentum, s, order, head);
}

/* Enters the Hamiltonian of a Lagrangian, unless this is a second Lagrangian, which is an error
 * by itself. */
static void enter_energy(checker *c, const syntax_statement *s, int order)
{
  const syntax_name energy = lagrangian_energy(s);
  for (int i = 0; i < order; i++) {
    if (c->tree->statements[i]->kind == STATEMENT_LAGRANGIAN) {
      return;
    }
  }
  enter_second(c, NAME_HAMILTONIAN, &energy, s, order,
               arena_printf(c->memory, "lagrangian %s", s->name.text));
}

static void enter_statement(checker *c, const syntax_statement *s, int order)
{
  static const struct {
    syntax_statement_kind statement;
    name_kind kind;
  } kinds[] = {
      {STATEMENT_SIZE, NAME_SIZE},
      {STATEMENT_RANGE, NAME_SET},
      {STATEMENT_LABELS, NAME_SET},
      {STATEMENT_PARAM, NAME_PARAMETER},
      {STATEMENT_INDICES, NAME_INDICES},
      {STATEMENT_COORD, NAME_POSITION},
      {STATEMENT_ALGEBRAIC, NAME_MOMENTUM},
      {STATEMENT_LET, NAME_LET},
      {STATEMENT_HAMILTONIAN, NAME_HAMILTONIAN},
      {STATEMENT_LAGRANGIAN, NAME_LAGRANGIAN},
      {STATEMENT_CONSTRAINT, NAME_CONSTRAINT},
      {STATEMENT_OBSERVE, NAME_OBSERVE},
      {STATEMENT_INVARIANT, NAME_INVARIANT},
      {STATEMENT_FORCE, NAME_FORCE},
      {STATEMENT_EVENT, NAME_EVENT},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].statement == s->kind && s->is_data) {
      enter_implied(c, kinds[i].kind, &s->name, order, text_folded(c, s->text_where), NULL);
    } else if (kinds[i].statement == s->kind) {
      declarations_enter(c, kinds[i].kind, &s->name, order);
    }
  }
  if (s->kind == STATEMENT_COORD) {
    enter_momentum(c, s, order);
  }
  if (s->kind == STATEMENT_LAGRANGIAN) {
    enter_energy(c, s, order);
  }
  if (s->kind == STATEMENT_ALGEBRAIC) {
    enter_algebraic(c, s, order);
  }
}

/* Sorts by name, then by position in the file, so the first declaration of a name comes first. */
static int by_name(const void *a, const void *b)
{
  const declared *left = a;
  const declared *right = b;
  int order = strcmp(left->name, right->name);
  return order
             ? order
             : (left->where.begin > right->where.begin) - (left->where.begin < right->where.begin);
}

static void report_twice(checker *c, const declared *d)
{
  if (!d->implied_by) {
    diagnostics_error(c->d, d->where, "'%s' is declared twice", d->name);
  } else if (d->renamed_by) {
    diagnostics_error(c->d, d->where, "'%s' is declared twice, here as %s; '%s' calls it NAME",
                      d->name, names_what(c, d), d->renamed_by);
  } else {
    diagnostics_error(c->d, d->where, "'%s' is declared twice, here as %s", d->name,
                      names_what(c, d));
  }
}

void names_collect(checker *c)
{
  int kept = 0;
  c->names = ARENA_ARRAY(c->memory, 3 * c->tree->n + 1, declared);
  for (int i = 0; i < c->tree->n; i++) {
    enter_statement(c, c->tree->statements[i], i);
  }
  qsort(c->names, (size_t)c->n_names, sizeof *c->names, by_name);
  for (int i = 0; i < c->n_names; i++) {
    declared *d = &c->names[i];
    const declared *first = kept ? &c->names[kept - 1] : NULL;
    if (first && strcmp(first->name, d->name) == 0) {
      report_twice(c, d);
      diagnostics_note(c->d, first->where, "it is first declared here, as %s%s",
                       names_what(c, first),
                       first->renamed_by && !d->renamed_by
                           ? arena_printf(c->memory, "; '%s' calls that NAME", first->renamed_by)
                           : "");
      continue;
    }
    c->names[kept++] = *d;
  }
  c->n_names = kept;
}
