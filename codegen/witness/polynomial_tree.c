/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/polynomial_tree.h"

/* A number, a parameter, or a product of numbers and parameters. */
static int is_factor(const model_expr *e)
{
  switch (e->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
  case EXPR_INDEX:
  case EXPR_PARAMETER:
    return 1;
  case EXPR_MUL:
    return is_factor(e->a) && is_factor(e->b);
  default:
    return 0;
  }
}

static int is_plain(const model *m, const model_expr *e);

static int are_plain(const model *m, int n, const model_family *const families[])
{
  int plain = 1;
  for (int i = 0; i < n; i++) {
    plain = plain && is_plain(m, families[i]->body);
  }
  return plain;
}

static int is_plain_let(const model *m, const model_expr *e)
{
  int plain = is_plain(m, e->let->body);
  for (int i = 0; i < e->let->n_arguments; i++) {
    plain = plain && is_plain(m, e->arguments[i].value);
  }
  return plain;
}

static int is_plain_power(const model *m, const model_expr *e)
{
  return e->b->kind == EXPR_NUMBER && mpz_cmp_ui(mpq_denref(e->b->number), 1) == 0 &&
         is_plain(m, e->a);
}

static int is_plain(const model *m, const model_expr *e)
{
  switch (e->kind) {
  case EXPR_NUMBER:
  case EXPR_PI:
  case EXPR_INDEX:
  case EXPR_PARAMETER:
  case EXPR_ARGUMENT:
  case EXPR_POSITION:
  case EXPR_MOMENTUM:
    return 1;
  case EXPR_NEG:
  case EXPR_SUM:
  case EXPR_PRODUCT:
    return is_plain(m, e->a);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
    return is_plain(m, e->b) && is_plain(m, e->a);
  case EXPR_DIV:
    return is_factor(e->b) && is_plain(m, e->a);
  case EXPR_POW:
    return is_plain_power(m, e);
  case EXPR_LET:
    return is_plain_let(m, e);
  case EXPR_HAMILTONIAN:
    return are_plain(m, m->n_terms, m->terms);
  case EXPR_CONSTRAINT:
    return is_plain(m, e->family->body);
  default:
    return 0;
  }
}

/* H of a Lagrangian counts as no polynomial, since it is a quotient in general. */
int polynomial_tree_hamiltonian(const model *m)
{
  return !m->lagrangian_name && are_plain(m, m->n_terms, m->terms);
}

int polynomial_tree_constraints(const model *m)
{
  return are_plain(m, m->n_constraints, m->constraints);
}
