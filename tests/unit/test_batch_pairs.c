/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_batch_pairs.c -- what test_batch.c asks of the steppers that are shipped, asked of other
 * methods and base methods, too, each generated for this test (generator_tests.cmake).
 */
#define SW_BATCH_MODELS "fused_pairs.h"
#include "unit/test_batch.c"
