/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipeline.h -- the stages of the compiler in their order.
 */
#ifndef SIDEWINDER_PIPELINE_H
#define SIDEWINDER_PIPELINE_H

#include "compilation.h"
#include "small_model.h"

/* The exit codes of all commands. */
typedef enum outcome {
  OUTCOME_GOOD = 0,
  OUTCOME_NO = 1,     /* negative answer: the theory does not cover the model, or a check failed */
  OUTCOME_WRONG = 2,  /* wrong usage, or an invalid model */
  OUTCOME_FAILED = 3, /* a file, the compiler, or the numerical method failed */
} outcome;

/* The translation of a model's families to C. */
typedef enum lowering {
  LOWERING_AUTO,     /* unrolled if the model has no sizes, or is small at the present ones */
  LOWERING_UNROLLED, /* one formula per instance, all brackets as formulas; fixed sizes */
  LOWERING_LOOPED    /* one kernel per family, in loops; sizes are set at run time */
} lowering;

/* Limit on the sum of degrees of freedom and constraints for which LOWERING_AUTO unrolls. */
#define LOWERING_SMALL 32

typedef struct compile_settings {
  int n_sizes;
  const model_size_setting *sizes; /* sizes that override the model's own */
  lowering how;
  /* 1 to compile a looped model at its own sizes, if possible, so that one program serves all
   * sizes.  The sizes above then only decide whether the model is looped. */
  int at_own_sizes;
  int discrete; /* 1 to generate discrete gradients even if the run line does not ask for them */
  /* 1 to generate the functions of the method variational even if the run line does not name it. */
  int variational;
  int parameters; /* 1 to generate the lifted model, for derivatives along parameters */
  /* The method and base method of NAME_step.c; NULL takes them from the run line. */
  const char *method;
  const char *base;
  int compensated; /* compensated NAME_step.c: 1 on, -1 off, 0 as the run line says */
} compile_settings;

/* Runs all stages on the file `path`.  Errors in the model are printed on stderr.  OUTCOME_GOOD
 * sets every member except witness_source, and those that looped models lack.  OUTCOME_NO sets the
 * members before step_source. */
outcome compile_model(arena *a, const char *path, const compile_settings *settings, compilation *c);

/* Examines the model again with the data.  Returns OUTCOME_NO if it is refused, or OUTCOME_WRONG,
 * after a message, if it could not be examined. */
outcome compile_with_data(arena *a, compilation *c, const given_data *data);

/* Adds the witness table (witness/witness.h) to a model that is not refused; `verify` in its
 * program needs it. */
void compile_witness(arena *a, compilation *c);

/* Releases the libraries' caches at the end of the process, so that remaining memory is a leak. */
void compile_close(void);

/* Releases memory that the arena does not own. */
void compilation_free(compilation *c);

#endif
