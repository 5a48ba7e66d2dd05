/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lowered_text.h -- the looped lowering of a model's text, for tests.
 */
#ifndef SIDEWINDER_TESTS_LOWERED_TEXT_H
#define SIDEWINDER_TESTS_LOWERED_TEXT_H

#include <stdio.h>
#include <string.h>

#include "symbolic/symbolic.h"

typedef struct lowered {
  arena *memory;
  diagnostics *errors;
  const model *model;
  ir_context *context;
  const ir_loops *loops;
} lowered;

/* With the size N, or the model's own sizes where N = 0; loops is NULL where the lowering
 * refuses. */
static inline lowered lower_text(const char *text, long N)
{
  lowered r = {.memory = arena_create()};
  model_size_setting size = {.name = "N", .value = N};
  r.errors = diagnostics_create(r.memory, "test.sw", text, strlen(text));
  r.model = model_check(r.memory, r.errors, "test.sw", text, strlen(text), N > 0, &size);
  if (!r.model) {
    diagnostics_print(r.errors, stderr);
  }
  assert_non_null(r.model);
  r.context = ir_context_create(r.memory);
  r.loops = symbolic_loop(r.memory, r.errors, r.model, r.context);
  return r;
}

static inline void release(lowered *r)
{
  ir_context_free(r->context);
  arena_free(r->memory);
}

#endif
