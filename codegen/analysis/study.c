/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/study.h"

#include <string.h>

#include "expr/substitute.h"

const slong study_levels[STUDY_LEVELS] = {64, 256, 512};

/* Limit on work in operations on doubles; an operation on balls counts as BALL_COST of them. */
static const double most_work = 1e10;
#define BALL_COST 60.0

study *study_create(arena *a, ir_context *c, const ir_program *p)
{
  study *s = ARENA_NEW(a, study);
  s->memory = a;
  s->c = c;
  s->p = p;
  s->n = 2 * p->nq;
  s->k = certifier_create(c);
  s->balls = ball_evaluator_create(c);
  s->doubles = ir_evaluator_create(c);
  return s;
}

void study_free(study *s)
{
  ir_evaluator_free(s->doubles);
  ball_evaluator_free(s->balls);
  certifier_free(&s->k);
}

int study_exhausted(const study *s, double part)
{
  return s->work + BALL_COST * ball_work(s->balls) > part * most_work;
}

void study_begin(study *s, const setting *at, const double z[])
{
  ir_values values = {{at->k, NULL, z}};
  ir_evaluator_begin(s->doubles, &values);
}

void study_begin_defaults(study *s)
{
  const ball_inputs inputs = {s->settings[0].exact, NULL, NULL};
  ball_begin(s->balls, &inputs, 256);
}

void study_equations(const study *s, const ir_expr *out[])
{
  const ir_function *f = s->p->functions;
  for (int i = 0; i < s->p->nc; i++) {
    out[i] = f[IR_CONSTRAINT].entries[i].value;
    out[s->p->nc + i] = f[IR_HIDDEN].entries[i].value;
  }
}

double study_default(study *s, const ir_expr *e)
{
  study_begin(s, &s->settings[0], NULL);
  return ir_evaluator_value(s->doubles, e);
}

const ir_expr *study_with(study *s, int by_default, const ir_expr *e)
{
  return by_default ? ir_substitute(s->c, IR_K, s->p->k_exact, e) : e;
}
