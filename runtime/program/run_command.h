/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_command.h -- the command `run`: options (run_command.c), files (run_files.c), and
 * the end of a run (run_finish.c).
 */
#ifndef SIDEWINDER_PROGRAM_RUN_COMMAND_H
#define SIDEWINDER_PROGRAM_RUN_COMMAND_H

#include "program/recorder.h"
#include "program/start.h"

typedef struct sw_run_options {
  sw_settings settings;
  long every;
  const char *out;        /* NULL: no trajectory */
  const char *columns;    /* NULL: all */
  const char *save_state; /* NULL: the final state is not written */
  const char *checkpoint; /* NULL: none */
  double every_seconds;   /* negative if not given */
  const char *resume;     /* NULL: start from the initial state */
  const char *model_file; /* the source of the program; NULL if unknown */
  int project_output;     /* 1: rows show the point of M^H on the fibre of the state */
  int json;
  int quiet;
  sw_moved moved; /* displacement of the initial state by --project */
} sw_run_options;

/* Functions that return an exit code return SW_EXIT_GOOD, or complain and return another code. */

/* Rejects output files that would overwrite other files of the command.  Opens nothing. */
int sw_run_check_files(const sw_invocation *call, const sw_run_options *run);

/* Reads the checkpoint into the record, whose simulation and summary must exist. */
int sw_run_resume(const sw_invocation *call, const sw_run_options *run, sw_record *record);

/* Tests whether all files can be written, and opens the trajectory. */
int sw_run_open(const sw_invocation *call, const sw_run_options *run, sw_record *record);

/* Ends a run after its last step, or after a step that failed with `status`: commits the files,
 * prints the summary, and reports errors. */
int sw_run_finish(const sw_invocation *call, const sw_run_options *run, sw_record *record,
                  sw_status status, double seconds);

/* Returns the identity of this run for its checkpoints: lines "KEY: VALUE" for all inputs of the
 * result except the parameters.  The caller frees the text; NULL if memory is short. */
char *sw_run_identity(const sw_run_options *run);

/* The trajectory that the options describe. */
sw_trajectory_plan sw_run_plan(const sw_run_options *run);

/* The stream of the summary. */
FILE *sw_run_output(const sw_run_options *run);

#endif
