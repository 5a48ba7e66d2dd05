/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fibre.h -- the fibre flow Gamma_lambda = exp(sum_i lambda_i X_{g_i}) in closed form, where there is one.
 *
 *   fibre.cpp             the forms that are tried, and their product
 *   fibre_quadratic.cpp   quadratic constraints
 *   fibre_words.cpp       what they are called
 */
#ifndef SIDEWINDER_FIBRE_H
#define SIDEWINDER_FIBRE_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "symbolic/derivatives.h"

namespace sidewinder
{

struct Fibre {
  std::vector<ex> flow;           /* 2d, in z, k and lambda; empty without a closed form */
  std::vector<std::string> kinds; /* one phrase per constraint */
  std::string summary;            /* one phrase for all; "" without a closed form */
  int numerical = -1;             /* the constraint that has no closed flow, */
  std::string reason;             /* and why */
};

/* Where every pair of constraints commutes identically, exp of the sum is the product of the single
 * flows, in any order (paper 000, Corollary 3.7).  A single flow is closed where the constraint
 *   depends on q alone          p <- p - lambda g_q
 *   depends on p alone          q <- q + lambda g_p
 *   is quadratic in z           z' = A z + b: where A^2 = c I on each invariant block, exp(lambda A) = I +
 *                               S A + T A^2, with S = sinh(sqrt(c) lambda)/sqrt(c) and T = (cosh(sqrt(c)
 *                               lambda) - 1)/c: a rotation for c < 0, hyperbolic for c > 0, a shear for
 *                               c = 0; likewise where A^3 = c A, and where A^k = 0.  Entire functions of c
 *                               (symbols.h) where c depends on parameters
 *   f.p + c(q), f.q + c(p)      f constant, c such that its gradient along the line q + s f is a polynomial
 *                               in s: a translation, and the integral of that gradient
 *   l + c(q), l + c(p)          l quadratic as above, {l,c} = 0: the flow of one after that of the other */
Fibre find_fibre(const Derivatives &of);

/* Those entries of z that change, as expressions in z and in t, the time of the flow. */
struct Single {
  std::map<int, ex> z;
  std::string kind;
};

/* exp(t X_g) for constraint i of *of, where it is quadratic in z; nothing, and the reason, where it is
 * not or where no closed form is known. */
std::optional<Single> quadratic_flow(const Derivatives &of, size_t i, const ex &t,
                                     std::string &reason);

/* The kinds that occur, each once, in the order in which they do. */
std::string each_once(const std::vector<std::string> &kinds, const char *between);

/* One phrase for all: the kinds that occur, each once, in the order of the constraints. */
std::string fibre_summary(const std::vector<std::string> &kinds, bool several);

/* Likewise, where a constraint has no closed flow. */
std::string fibre_numerical(const std::string &constraint);

} // namespace sidewinder

#endif
