/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipeline.h -- the whole compiler on one page.
 */
#ifndef SIDEWINDER_PIPELINE_H
#define SIDEWINDER_PIPELINE_H

#include "compilation.h"
#include "small_model.h"

/* Exit codes of every command. */
typedef enum outcome {
  OUTCOME_GOOD = 0,
  OUTCOME_NO = 1,     /* the answer is no: the theory does not cover the model, or a check failed */
  OUTCOME_WRONG = 2,  /* wrong usage or a wrong model */
  OUTCOME_FAILED = 3, /* a file, the compiler, or the numerics failed */
} outcome;

/* How the families of a model become C. */
typedef enum lowering {
  LOWERING_AUTO,     /* unrolled where the model is small at the present sizes, or has none */
  LOWERING_UNROLLED, /* every instance by itself, all brackets as formulas; the sizes are fixed */
  LOWERING_LOOPED    /* one kernel a family, in loops; the sizes are arguments */
} lowering;

/* Most degrees of freedom and constraints, together, of what LOWERING_AUTO unrolls. */
#define LOWERING_SMALL 32

typedef struct compile_settings {
  int n_sizes;
  const model_size_setting *sizes; /* in the place of the model's own */
  lowering how;
  /* 1: what is looped is compiled at the model's own sizes, where these are possible, so that one program serves
   * all sizes; those above only decide whether it is looped. */
  int at_own_sizes;
  int discrete; /* 1: with discrete gradients, also where the model's run line does not ask for them */
  /* 1: with what the method variational needs of an unrolled model, as for one that names it in its `run` line. */
  int variational;
  /* What NAME_step.c is made for; NULL: as the run line says. */
  const char *method;
  const char *base;
  int compensated; /* 1: a compensated one, -1: not; 0: as the run line says */
} compile_settings;

/* Runs all stages on the file `path`.  Errors in the model are printed on stderr.  OUTCOME_GOOD: every
 * member is set but for what looped models lack and witness_source.  OUTCOME_NO: all but source, header and main_source. */
outcome compile_model(arena *a, const char *path, const compile_settings *settings, compilation *c);

/* Examines the model again with the data.  OUTCOME_NO: refused; OUTCOME_WRONG, after a message: not examined. */
outcome compile_with_data(arena *a, compilation *c, const given_data *data);

/* Adds the table of witnesses (witness/witness.h) to a model that is not refused: a program then has it for
 * `verify`. */
void compile_witness(arena *a, compilation *c);

/* Releases what the libraries keep for the next computation; at the end of the process, so that what is left
 * then is a leak. */
void compile_close(void);

/* Releases what the arena does not own. */
void compilation_free(compilation *c);

#endif
