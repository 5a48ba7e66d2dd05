/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * algebraic.c -- variables without a time derivative, embedded in a larger phase space.
 *
 * `algebraic beta[node]` defines zdot = X_H(z, beta) with 0 = H_beta(z, beta) (paper 000, section
 * 5.3).  As in the paper, beta becomes a momentum.  Its position is alpha_beta (or the name in the
 * statement), and the constraint algebraic_beta[i in node]: -alpha_beta[i] == 0 is holonomic.  The
 * sign makes the multiplier the rate of beta.  The hidden constraint is rho = {-alpha,H} =
 * -H_beta, and N = {rho,-alpha} = -H_beta,beta.
 */
#include <string.h>

#include "model/formula_checks.h"

#define CONSTRAINT_PREFIX "algebraic_"

/* ---- names ---- */

syntax_name algebraic_constraint_name(const checker *c, const syntax_statement *s)
{
  const char *text = arena_printf(c->memory, CONSTRAINT_PREFIX "%s", s->name.text);
  return (syntax_name){text, s->name.where};
}

void algebraic_check_length(const checker *c, const syntax_statement *s)
{
  size_t n = strlen(s->name.text);
  size_t most = MODEL_MAX_NAME - (sizeof CONSTRAINT_PREFIX - 1);
  if (n > most && n <= MODEL_MAX_NAME) {
    diagnostics_error(c->d, s->name.where,
                      "the name of an algebraic variable has at most %zu characters, and this one "
                      "has %zu: its constraint is called " CONSTRAINT_PREFIX "NAME",
                      most, n);
  }
}

/* ---- the embedding ---- */

/* Sets the heading "algebraic_beta[i in node, j in xyz]" and the text "-alpha_beta[i,j] == 0". */
static void algebraic_describe(checker *c, const model_coordinate *q, model_family *family)
{
  arena *a = c->memory;
  const char *heading = family->name;
  const char *text = arena_printf(a, "-%s", q->name);
  for (int j = 0; j < family->n_binders; j++) {
    const model_binder *b = family->binders[j];
    heading = arena_printf(a, "%s%s%s in %s", heading, j ? ", " : "[", b->name, b->set->name);
    text = arena_printf(a, "%s%s%s", text, j ? "," : "[", b->name);
  }
  family->heading = family->n_binders ? arena_printf(a, "%s]", heading) : heading;
  family->text = arena_printf(a, "%s%s == 0", text, family->n_binders ? "]" : "");
}

model_family *algebraic_family(checker *c, const syntax_statement *s, const model_coordinate *q)
{
  model_family *family = ARENA_NEW(c->memory, model_family);
  const model_index **index = NULL;
  family->name = algebraic_constraint_name(c, s).text;
  family->n_binders = q->shape.n;
  family->binders = scope_over_array(c, q, &index);
  model_expr *alpha = expressions_new(c, EXPR_POSITION, q->where);
  alpha->coordinate = q;
  alpha->n_index = q->shape.n;
  alpha->index = index;
  model_expr *g = expressions_new(c, EXPR_NEG, q->where);
  g->a = alpha;
  family->body = g;
  family->where = q->where;
  algebraic_describe(c, q, family);
  return family;
}

model_assignment algebraic_start(checker *c, const model_coordinate *q)
{
  const model_index **index = NULL;
  model_assignment alpha = {.coordinate = q, .where = q->where};
  alpha.values.n_binders = q->shape.n;
  alpha.values.binders = scope_over_array(c, q, &index);
  alpha.values.body = expressions_number(c, numbers_from_long(c->memory, 0), q->where).expr;
  alpha.index = index;
  return alpha;
}

/* ---- requirements on the model ---- */

void algebraic_check(checker *c)
{
  const char *given = names_kind(c->lagrangian ? NAME_LAGRANGIAN : NAME_HAMILTONIAN);
  for (int i = 0; i < c->m->n_coordinates; i++) {
    const model_coordinate *q = c->m->coordinates[i];
    if (q->is_algebraic && c->hamiltonian && !c->hamiltonian->failed &&
        !(c->hamiltonian->uses & USES_ALGEBRAIC)) {
      diagnostics_error(c->d, q->where,
                        "%s does not depend on the algebraic variable '%s', and "
                        "%s_%s = 0 is to determine it; remove it",
                        given, q->momentum, c->lagrangian ? "L" : "H", q->momentum);
      diagnostics_note(c->d, c->hamiltonian->where, "%s is here", given);
    }
  }
}

/* ---- notes for reports ---- */

/* Lists of variables end after this many names. */
#define MAX_LISTED 4

/* "beta", or "(s, beta)" for several variables; their positions alpha if `positions` is 1.  *n is
 * their number. */
static const char *algebraic_list_of(arena *a, const model *m, int positions, int *n)
{
  const char *list = "";
  *n = 0;
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_coordinate *q = m->coordinates[i];
    if (q->is_algebraic && ++*n <= MAX_LISTED) {
      list = arena_printf(a, "%s%s%s", list, *n > 1 ? ", " : "", positions ? q->name : q->momentum);
    }
  }
  return *n > 1 ? arena_printf(a, "(%s%s)", list, *n > MAX_LISTED ? ", ..." : "") : list;
}

const char *model_algebraic_text(arena *a, const model *m)
{
  int n = 0;
  const char *names = algebraic_list_of(a, m, 0, &n);
  const char *alphas = algebraic_list_of(a, m, 1, &n);
  if (n == 0) {
    return "";
  }
  const char *b = n > 1 ? "b" : names;
  return arena_printf(a,
                      "%s%s %s no time derivative: H_%s = 0 determines %s where H_%s,%s\n"
                      "is invertible (index 1).  Here %s, whose position%s %s the\n"
                      "constraint%s keep%s at 0; rho = -H_%s, and the block of N is -H_%s,%s",
                      n > 1 ? "b = " : "", names, n > 1 ? "have" : "has", b, n > 1 ? "them" : "it",
                      b, b, n > 1 ? "they are momenta" : "it is a momentum", n > 1 ? "s" : "",
                      alphas, n > 1 ? "s" : "", n > 1 ? "" : "s", b, b, b);
}

const char *model_algebraic_degenerate(arena *a, const model *m)
{
  int n = 0;
  const char *names = algebraic_list_of(a, m, 0, &n);
  if (n == 0) {
    return "";
  }
  return arena_printf(
      a,
      "A block of N is -H_b,b for the algebraic b = %s: H_b = 0 is to determine %s.  "
      "Remove one on which H does not depend.  One in which H is linear is a "
      "multiplier: declare what it multiplies as a 'constraint' instead",
      names, n > 1 ? "them" : "it");
}
