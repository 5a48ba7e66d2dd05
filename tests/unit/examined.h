/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * examined.h -- a model's text, lowered and analysed, for tests of the verdicts.
 */
#ifndef SIDEWINDER_TESTS_EXAMINED_H
#define SIDEWINDER_TESTS_EXAMINED_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "expr/evaluate.h"
#include "report/page.h"
#include "symbolic/symbolic.h"

typedef struct examined {
  arena *memory;
  ir_context *context;
  const ir_program *program;
  const record *found;
  const char *refusal;
  compilation known; /* all of it, as `check` has it */
} examined;

static inline examined examine(const char *text)
{
  examined r = {.memory = arena_create()};
  diagnostics *d = diagnostics_create(r.memory, "test.sw", text, strlen(text));
  const model *m = model_check(r.memory, d, "test.sw", text, strlen(text), 0, NULL);
  r.context = ir_context_create(r.memory);
  r.program = m ? symbolic_lower(r.memory, d, m, r.context) : NULL;
  if (!r.program) {
    diagnostics_print(d, stderr);
  }
  assert_non_null(r.program);
  r.found = analyse(r.memory, r.context, r.program);
  r.known = (compilation){
      .file = "test.sw", .model = m, .context = r.context, .program = r.program, .found = r.found};
  r.refusal = r.known.refusal = page_refusal(&r.known);
  return r;
}

static inline void release(examined *r)
{
  ir_context_free(r->context);
  arena_free(r->memory);
}

static inline void says(const char *text, const char *part)
{
  if (!strstr(text, part)) {
    print_error("wanted: %s\nin:\n%s\n", part, text);
  }
  assert_non_null(strstr(text, part));
}

static inline double value(const examined *r, const ir_expr *e, const double z[])
{
  ir_evaluator *evaluator = ir_evaluator_create(r->context);
  const ir_values values = {{r->program->k_default, NULL, z}};
  ir_evaluator_begin(evaluator, &values);
  double v = ir_evaluator_value(evaluator, e);
  ir_evaluator_free(evaluator);
  return v;
}

/* How far value - rest - sum factor generator is from 0 at a point off M. */
static inline double defect(const examined *r, const record_certificate *c)
{
  static const double z[6] = {0.7, -0.4, 0.35, 0.9, -0.55, 0.2};
  double sum = value(r, c->rest, z);
  for (int i = 0; i < c->n; i++) {
    sum += value(r, c->products[i].factor, z) * value(r, c->products[i].generator, z);
  }
  return fabs(value(r, c->value, z) - sum);
}

#define PLANE   "model t\ncoord x momentum u\ncoord y momentum v\n"
#define SPACE   PLANE "coord w momentum s\n"
#define KINETIC "hamiltonian H = u^2/2 + v^2/2 + y\n"

#endif
