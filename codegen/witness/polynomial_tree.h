/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * polynomial_tree.h -- whether a formula is written as a polynomial in the state.
 */
#ifndef SIDEWINDER_WITNESS_POLYNOMIAL_TREE_H
#define SIDEWINDER_WITNESS_POLYNOMIAL_TREE_H

#include "model/model.h"

/* 1 if H, or every constraint, consists of sums, products, literal integer powers, and quotients by
 * numbers and parameters. Then no equivalent form has terms of a larger magnitude. */
int polynomial_tree_hamiltonian(const model *m);
int polynomial_tree_constraints(const model *m);

#endif
