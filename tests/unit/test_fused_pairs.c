/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fused_pairs.c -- what test_fused.c asks of the steppers that are shipped, asked of several
 * methods and base methods, each generated for this test (generator_tests.cmake).
 */
#define SW_FUSED_MODELS "fused_pairs.h"
#include "unit/test_fused.c"
