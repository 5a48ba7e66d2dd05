/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * universal.h -- the universal functions of sidewinder/functions.h as GiNaC functions.
 *
 *   G_k(c, t) = sum over j >= 0 of c^j t^(2j+k)/(2j+k)!,   k = 0, 1, 2, 3
 *   dG_k/dt = G_{k-1},   dG_0/dt = c G_1
 */
#ifndef SIDEWINDER_UNIVERSAL_H
#define SIDEWINDER_UNIVERSAL_H

#include <ginac/ginac.h>

#include <string>

namespace sidewinder
{

using GiNaC::ex;

DECLARE_FUNCTION_2P(universal0)
DECLARE_FUNCTION_2P(universal1)
DECLARE_FUNCTION_2P(universal2)
DECLARE_FUNCTION_2P(universal3)

/* G_k(c, t), and its t^k/k! where c = 0. */
ex universal(int k, const ex &c, const ex &t);

} // namespace sidewinder

#endif
