/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lobatto_6.c -- Lobatto IIIA-IIIB with four stages: IIIA for the positions, IIIB for the momenta
 * (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., section IV.5).  With
 * w = sqrt(5),
 *
 *   a =
 *     (    0          0            0           0     )
 *     ( (11+w)/120 (25-w)/120   (25-13w)/120 (-1+w)/120 )
 *     ( (11-w)/120 (25+13w)/120 (25+w)/120   (-1-w)/120 )
 *     (  1/12       5/12         5/12         1/12   )
 *
 *   a^ =
 *     ( 1/12  (-1-w)/24      (-1+w)/24      0 )
 *     ( 1/12  (25+w)/120     (25-13w)/120   0 )
 *     ( 1/12  (25+13w)/120   (25-w)/120     0 )
 *     ( 1/12  (11-w)/24      (11+w)/24      0 )
 *
 * and b = (1/12, 5/12, 5/12, 1/12).  Order 6, symplectic, symmetric.
 */
#include "methods/bases.h"

#define W 2.23606797749978969641

static const double A[] = {0.0,
                           0.0,
                           0.0,
                           0.0,
                           (11.0 + W) / 120.0,
                           (25.0 - W) / 120.0,
                           (25.0 - 13.0 * W) / 120.0,
                           (-1.0 + W) / 120.0,
                           (11.0 - W) / 120.0,
                           (25.0 + 13.0 * W) / 120.0,
                           (25.0 + W) / 120.0,
                           (-1.0 - W) / 120.0,
                           1.0 / 12.0,
                           5.0 / 12.0,
                           5.0 / 12.0,
                           1.0 / 12.0};
static const double A_hat[] = {
    1.0 / 12.0, (-1.0 - W) / 24.0,         (-1.0 + W) / 24.0,         0.0,
    1.0 / 12.0, (25.0 + W) / 120.0,        (25.0 - 13.0 * W) / 120.0, 0.0,
    1.0 / 12.0, (25.0 + 13.0 * W) / 120.0, (25.0 - W) / 120.0,        0.0,
    1.0 / 12.0, (11.0 - W) / 24.0,         (11.0 + W) / 24.0,         0.0};
static const double b[] = {1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0};

const sw_base sw_base_lobatto_6 = {
    .tableau = {"lobatto-6", 4, A, b, A_hat, b},
    .what = "Lobatto IIIA-IIIB, 4 stages",
    .order = 6,
};
