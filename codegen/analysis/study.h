/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * study.h -- what one analysis works with: the model, its scales, settings of its parameters, and the means
 * to evaluate and to prove.
 */
#ifndef SIDEWINDER_ANALYSIS_STUDY_H
#define SIDEWINDER_ANALYSIS_STUDY_H

#include "analysis/ball.h"
#include "analysis/certify.h"
#include "expr/evaluate.h"
#include "expr/ir_program.h"
#include "expr/sign.h"

/* Values for all parameters.  Setting 0 has the defaults as they are written; every other one has values within
 * the bounds: each entry of one declared array differs, or those of all arrays. */
typedef struct setting {
  double *k;
  arb_ptr exact;  /* to STUDY_EXACT bits */
  int array;      /* the array that differs; -1: none, -2: all */
  double *states; /* the initial states that are finite here, 2d values each */
  int n_states;
} setting;

#define STUDY_EXACT 1100
/* Precisions at which is asked, in bits. */
#define STUDY_LEVELS 3
extern const slong study_levels[STUDY_LEVELS];

typedef struct study {
  arena *memory;
  ir_context *c;
  const ir_program *p;
  int n; /* 2d */
  certifier k;
  ball_evaluator *balls;
  ir_evaluator *doubles;
  double *scale; /* 2d: a typical size of each entry of z; positive */
  int n_settings;
  setting *settings;
  struct point *points; /* all that were made, to be released */
  int singular_tries;   /* of point.h */
  struct poles *poles;  /* of proof.h */
  const ir_expr *
      *instead; /* m: what is to be zero instead of g_i where M is sought, or NULL; NULL: nothing */
  double work;  /* of linear algebra, in operations on doubles; that of the balls stands in them */
} study;

/* Without settings and scales, which setup.h adds. */
study *study_create(arena *a, ir_context *c, const ir_program *p);
void study_free(study *s);

/* Whether the work so far is more than a part of what one analysis may take (about 5 seconds for all). */
int study_exhausted(const study *s, double part);

/* Starts a pass of evaluation in doubles at z (2d values; NULL where only parameters are read). */
void study_begin(study *s, const setting *at, const double z[]);

/* Starts a pass of evaluation in balls with the default parameters alone. */
void study_begin_defaults(study *s);

/* The m constraints, and behind them the m hidden ones: out[0 .. 2m-1]. */
void study_equations(const study *s, const ir_expr *out[]);

/* The value of an expression in parameters with the defaults. */
double study_default(study *s, const ir_expr *e);

/* e itself, or, with `by_default`, e with the defaults in the place of all parameters. */
const ir_expr *study_with(study *s, int by_default, const ir_expr *e);

static inline void swap_ints(int *a, int *b)
{
  int t = *a;
  *a = *b;
  *b = t;
}

/* "m.2 = 0.73" or "a = 0.3, b = 1.2, ...": what of a setting differs from the defaults. */
const char *study_setting_text(const study *s, const setting *at);

#endif
