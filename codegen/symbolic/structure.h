/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * structure.h -- structural properties of a model: degree, separability, kind of mass matrix,
 * invariants.
 */
#ifndef SIDEWINDER_STRUCTURE_H
#define SIDEWINDER_STRUCTURE_H

#include "expr/ir_program.h"
#include "symbolic/derivatives.h"

namespace sidewinder
{

/* The largest total degree in z of the expressions, -1 if one is no polynomial.  Throws
 * ModelError at `where` if the degree exceeds an int. */
int polynomial_degree(const Symbols &symbols, const std::vector<ex> &expressions, span where);

/* H_qp = 0: then H(q,p) = T(p) + V(q). */
bool is_separable(const Derivatives &of);

bool is_holonomic(const Derivatives &of);

ir_mass mass_matrix(const Derivatives &of);

/* Budget (in units of effort(), symbols.h) for the proofs about all invariants of a model: a few
 * seconds. */
constexpr double max_effort = 1e5;

/* Whether I is conserved: {I,H} = 0, and each {I,g_i} is 0 or -rho_i (as for I = H), as
 * identities; then dI/dt = {I,H} + sum_i lambda_i {I,g_i} vanishes on M^H.  Subtracts the effort
 * from `left`, and returns false if the budget does not suffice. */
bool is_conserved(const Derivatives &of, const ex &I, double &left);

} // namespace sidewinder

#endif
