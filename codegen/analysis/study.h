/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * study.h -- the context of one analysis: the model, its scales, settings of its parameters,
 * evaluators, and the certifier.
 */
#ifndef SIDEWINDER_ANALYSIS_STUDY_H
#define SIDEWINDER_ANALYSIS_STUDY_H

#include "analysis/ball.h"
#include "analysis/certify.h"
#include "expr/evaluate.h"
#include "expr/ir_program.h"
#include "expr/sign.h"

/* Values for all parameters.  Setting 0 has the exact defaults.  Every other setting has values
 * within the bounds that differ in the entries of one declared array, or of all arrays. */
typedef struct setting {
  double *k;
  arb_ptr exact;  /* the same values to STUDY_EXACT bits */
  int array;      /* index of the changed array; -1: none, -2: all */
  double *states; /* the initial states that are finite with these parameters, 2d values each */
  int n_states;
} setting;

#define STUDY_EXACT 1100
/* The precisions for decisions in balls, in bits. */
#define STUDY_LEVELS 3
extern const slong study_levels[STUDY_LEVELS];

typedef struct study {
  arena *memory;
  ir_context *c;
  const ir_program *p;
  int n; /* 2d */
  const ir_expr *H;
  const ir_expr **g;   /* m constraints, followed by the m hidden ones */
  const ir_expr **rho; /* g + m */
  certifier k;
  ball_evaluator *balls;
  ir_evaluator *doubles;
  double *scale; /* 2d typical sizes of the entries of z; positive */
  int n_settings;
  setting *settings;
  size_t n_states; /* see study_state */
  size_t room;
  arb_ptr *states;
  int singular_tries;  /* used by point.h */
  struct poles *poles; /* used by proof.h */
  /* m expressions or NULL: expression i, if not NULL, replaces g_i in the search for M */
  const ir_expr **instead;
  /* work of linear algebra, in operations on doubles; the ball evaluator counts its own */
  double work;
  const ir_expr **gradients; /* see study_gradients */
} study;

study *study_create(arena *a, ir_context *c, const ir_program *p);

void study_free(study *s);

/* A new state in balls, 2d entries, which exists as long as the study. */
arb_ptr study_state(study *s);

/* The work so far, in units of the limit for one analysis (about 5 seconds). */
double study_spent(const study *s);

static inline int study_exhausted(const study *s, double part)
{
  return study_spent(s) > part;
}

/* Adds to the work; returns 0, and adds nothing, if that would exceed this part of the limit. */
int study_afford(study *s, double work, double part);

/* Starts an evaluation pass in doubles at z (2d values; NULL if only parameters are read). */
void study_begin(study *s, const setting *at, const double z[]);

/* Starts an evaluation pass in balls with the default parameters, without a state. */
void study_begin_defaults(study *s);

/* The gradients of H, g_1, ..., g_m, 2d entries each, which are computed once. */
const ir_expr *const *study_gradients(study *s);

/* The value of an expression in parameters, with the defaults. */
double study_default(study *s, const ir_expr *e);

/* e itself, or, with `by_default`, e with all parameters replaced by their defaults. */
const ir_expr *study_with(study *s, int by_default, const ir_expr *e);

static inline void swap_ints(int *a, int *b)
{
  int t = *a;
  *a = *b;
  *b = t;
}

/* The parameters of a setting that differ from the defaults: "m.2 = 0.73" or "a = 0.3, b = 1.2,
 * ...". */
const char *study_setting_text(const study *s, const setting *at);

/* Number of settings in which all arrays differ from the defaults.  Settings with one changed array
 * follow. */
#define SETTINGS_ALL 2

/* ---- scales.c ----
 *
 * Typical sizes of positions and momenta.
 *
 * Starting points and distances are measured in scales, one for each declared array of coordinates
 * and of momenta.  They come from the model itself, so that other units give the same verdicts:
 *   - the largest entry of the array in the initial states;
 *   - if that is 0, or there is no initial state, the size at which the terms of the constraints
 *     balance, then those of H, and at which the arguments of functions such as sin are about 1.
 *
 * Least squares for the logarithms of sizes find the balance (the scaling of A. R. Curtis and J. K.
 * Reid, J. Inst. Maths Applics 10 (1972)).  It is repeated with smaller weights for terms that are
 * small in their sums.  If several scales balance the terms, the model is the same in all of
 * them. */

/* Sets s->scale, in an evaluation pass with the default parameters. */
void scales_find(study *s);

/* Exchanges row `from` of A, row major, with row `top`, divides it by its entry in `column`, and
 * clears that column of all other rows. */
void study_eliminate(double *A, int rows, int columns, int top, int from, int column);

#endif
