/* SPDX-License-Identifier: BSD-3-Clause */
/* spherical_discrete.h -- reference numbers for the model spherical_discrete; made by
 * extract.py. */
#ifndef TESTS_REFERENCE_SPHERICAL_DISCRETE_H
#define TESTS_REFERENCE_SPHERICAL_DISCRETE_H

#include "row.h"

/* clang-format off */

static const reference_row reference_spherical_discrete_states[] = {
  {"default", "energy-momentum", "none", 0.1, 1,
   {0.63992827433726068818, 0.059453229891279790230, -0.76613126627179905155,
    0.27023922906689284270, 0.49739672905375867052, 0.26828078713839937585}},
  {"default", "energy-momentum", "none", 0.1, 10,
   {0.40273741857968861052, 0.52332873843127560745, -0.75095246401333433818,
    -0.72050619689161452435, 0.28732519683792832302, -0.19048381314411856287}},
  {"default", "energy-momentum", "none", 0.1, 100,
   {0.31261191896721996254, -0.39602986713582731858, -0.86338527463468547448,
    -0.90273673614909476896, 0.026078085448857501217, -0.34324944060435559398}},
};

#endif
