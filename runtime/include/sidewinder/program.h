/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/program.h -- the command line that every built model program has.
 */
#ifndef SIDEWINDER_PROGRAM_H
#define SIDEWINDER_PROGRAM_H

#include "sidewinder/model.h"
#include "sidewinder/witness.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `PROGRAM run | verify | converge | lyapunov | info ...` on *model and returns the exit code: 0 good,
 * 1 the answer is no, 2 wrong usage, 3 failed numerically.  Prints to stdout and stderr. */
int sw_program_main(const sw_model *model, int argc, char **argv);

/* The same, with the model's table of witnesses, which `verify` compares it with; NULL: without. */
int sw_program_main_witnessed(const sw_model *model, const sw_witness *witness, int argc,
                              char **argv);

#ifdef __cplusplus
}
#endif

#endif
