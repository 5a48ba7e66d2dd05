/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * structure.h -- what kind of model this is.
 */
#ifndef SIDEWINDER_STRUCTURE_H
#define SIDEWINDER_STRUCTURE_H

#include "expr/ir_program.h"
#include "symbolic/derivatives.h"

namespace sidewinder
{

/* Largest total degree in z of the expressions as polynomials, -1 where one is no polynomial; throws ModelError,
 * at `where`, where it is no int. */
int polynomial_degree(const Symbols &symbols, const std::vector<ex> &expressions, span where);

/* H_qp = 0: then H(q,p) = T(p) + V(q). */
bool is_separable(const Derivatives &of);

bool is_holonomic(const Derivatives &of);

ir_mass mass_matrix(const Derivatives &of);

/* Effort (symbols.h) that the proofs for all invariants of a model may take together: some seconds. */
constexpr double max_effort = 1e5;

/* Whether I is conserved: {I,H} = 0, and each {I,g_i} is 0 or -rho_i (as for I = H), as identities;
 * then dI/dt = {I,H} + sum_i lambda_i {I,g_i} vanishes on M^H.  Takes its effort from `left`; "no" where too
 * little is left to find out. */
bool is_conserved(const Derivatives &of, const ex &I, double &left);

} // namespace sidewinder

#endif
