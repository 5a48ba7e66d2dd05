/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fibre.h -- closed forms of the fibre flow Gamma_lambda = exp(sum_i lambda_i X_{g_i}).
 *
 *   fibre.cpp             the supported forms, their names, and the product of the single flows
 *   fibre_quadratic.cpp   quadratic constraints
 */
#ifndef SIDEWINDER_FIBRE_H
#define SIDEWINDER_FIBRE_H

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "symbolic/derivatives.h"

namespace sidewinder
{

struct Fibre {
  /* 2d expressions in z, k and lambda; empty if there is no closed form */
  std::vector<ex> flow;
  std::vector<std::string> kinds; /* one phrase per constraint */
  /* one phrase for all constraints; "" if there is no closed form */
  std::string summary;
  int numerical = -1; /* a constraint that prevents a closed form, or -1 */
  std::string reason; /* why it does, as a clause of a message */
};

/* If every pair of constraints commutes identically, exp of the sum is the product of the single
 * flows, in any order (paper 000, Corollary 3.7).  A single flow has a closed form if the
 * constraint
 *   depends on q alone          p <- p - lambda g_q
 *   depends on p alone          q <- q + lambda g_p
 *   is quadratic in z           z' = A z + b.  If A^2 = c I on each invariant block, then
 *                               exp(lambda A) = I + S A + T A^2, S = sinh(sqrt(c) lambda)/sqrt(c),
 *                               T = (cosh(sqrt(c) lambda) - 1)/c: a rotation for c < 0, hyperbolic
 *                               for c > 0, a shear for c = 0.  Blocks with A^3 = c A or A^k = 0
 *                               have one as well.  If c depends on parameters, S and T are written
 *                               as entire functions of c (symbols.h).
 *   is f.p + c(q) or f.q + c(p) with a constant f, if the gradient of c along the line q + s f
 *                               is a polynomial in s: a translation, and the integral of that
 *                               gradient
 *   is l + c(q) or l + c(p)     with l quadratic as above and {l,c} = 0: the flow of c, then that
 *                               of l */
Fibre find_fibre(const Derivatives &of);

/* The entries of z that a single flow changes, as expressions in z and in the time t of the
 * flow. */
struct Single {
  std::map<int, ex> z;
  std::string kind;
};

/* exp(t X_g) for constraint i, if g is quadratic in z.  Otherwise, or if no closed form is
 * known, returns nothing and sets `reason`. */
std::optional<Single> quadratic_flow(const Derivatives &of, size_t i, const ex &t,
                                     std::string &reason);

/* The distinct kinds, in the order of their first occurrence. */
inline std::string each_once(const std::vector<std::string> &kinds, const char *between)
{
  std::string text;
  for (size_t i = 0; i < kinds.size(); i++) {
    const auto here = kinds.begin() + static_cast<long>(i);
    if (std::find(kinds.begin(), here, kinds[i]) == here) {
      text += (i ? between : "") + kinds[i];
    }
  }
  return text;
}

/* One phrase that lists the distinct kinds, in the order of the constraints. */
std::string fibre_summary(const std::vector<std::string> &kinds, bool several);

/* The phrase for a model in which this constraint has no closed flow. */
std::string fibre_numerical(const std::string &constraint);

} // namespace sidewinder

#endif
