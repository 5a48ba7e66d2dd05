/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncomposed.c -- the trivial composition: one step of the method.
 */
#include "methods/compositions.h"

static const double factor[] = {1.0};

const sw_composition sw_composition_uncomposed = {
    .name = "none",
    .what = "no composition",
    .order = 0,
    .n = 1,
    .factor = factor,
};
