/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lagrangian_statement.c -- models that are given by L(q,v) instead of H(q,p).
 *
 * `coord q[axis] velocity v` implies the momentum p_q[axis], and `lagrangian L = ...` the
 * Hamiltonian H; the file can rename both.  This file checks the statements only.  The Legendre
 * transform (symbolic/legendre.h) checks that L is quadratic in v and that the mass matrix is
 * invertible.
 */
#include "model/formula_checks.h"

syntax_name lagrangian_energy(const syntax_statement *s)
{
  return s->second.text ? s->second : (syntax_name){SYNTAX_ENERGY_NAME, s->name.where};
}

void lagrangian_check_coordinates(checker *c, const syntax_statement *given)
{
  int is_lagrangian = given->kind == STATEMENT_LAGRANGIAN;
  for (int i = 0; i < c->tree->n; i++) {
    const syntax_statement *s = c->tree->statements[i];
    if (s->kind != STATEMENT_COORD || s->has_time || is_lagrangian == (s->velocity.text != NULL)) {
      continue;
    }
    if (is_lagrangian) {
      diagnostics_error(c->d, s->name.where,
                        "a Lagrangian is a function of positions and velocities, and '%s' has "
                        "none: write 'coord %s velocity NAME momentum %s'",
                        s->name.text, s->name.text, s->second.text);
    } else {
      diagnostics_error(c->d, s->velocity.where,
                        "velocities belong to a Lagrangian, 'lagrangian L = ...': with a "
                        "Hamiltonian write 'coord %s momentum NAME'",
                        s->name.text);
    }
    diagnostics_note(c->d, given->where, "the %s is here",
                     is_lagrangian ? "Lagrangian" : "Hamiltonian");
  }
}

int lagrangian_start_good(checker *c, const model_init *init)
{
  const model_assignment *momentum = NULL;
  const model_assignment *velocity = NULL;
  for (int i = 0; i < init->n; i++) {
    const model_assignment *a = &init->assignments[i];
    if (a->is_velocity) {
      velocity = velocity ? velocity : a;
    } else if (a->is_momentum && !a->coordinate->is_time && !a->coordinate->is_algebraic) {
      momentum = momentum ? momentum : a;
    }
  }
  if (!momentum || !velocity) {
    return 1;
  }
  diagnostics_error(c->d, momentum->where,
                    "initial state '%s' has velocities and momenta: give all of them as "
                    "velocities, or all as momenta",
                    init->name);
  diagnostics_note(c->d, velocity->where, "a velocity is here");
  return 0;
}
