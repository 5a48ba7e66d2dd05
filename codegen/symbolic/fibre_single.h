/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fibre_single.h -- the flow of one constraint in closed form, for fibre.cpp.
 */
#ifndef SIDEWINDER_FIBRE_SINGLE_H
#define SIDEWINDER_FIBRE_SINGLE_H

#include <map>
#include <optional>
#include <string>

#include "symbolic/derivatives.h"

namespace sidewinder
{

/* Those entries of z that change, as expressions in z and in t, the time of the flow. */
struct Single {
  std::map<int, ex> z;
  std::string kind;
};

/* exp(t X_g) for constraint i of *of, where it is quadratic in z; nothing, and the reason, where it is
 * not or where no closed form is known. */
std::optional<Single> quadratic_flow(const Derivatives &of, size_t i, const ex &t,
                                     std::string &reason);

} // namespace sidewinder

#endif
