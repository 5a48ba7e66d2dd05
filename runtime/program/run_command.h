/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_command.h -- the command `run`: its options (run_command.c), its files (run_files.c), and its end (run_finish.c).
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
  const char *save_state; /* NULL: the final state is not kept */
  const char *checkpoint; /* NULL: none */
  double every_seconds;   /* negative where it was not given */
  const char *resume;     /* NULL: the run begins at its initial state */
  const char *model_file; /* that the program was made of; NULL where that is not known */
  int project_output;     /* 1: rows show the point of M^H on the fibre of the state */
  int json;
  int quiet;
  sw_moved moved; /* by the projection of the initial state */
} sw_run_options;

/* Each of these returns SW_EXIT_GOOD, or complains and returns another exit code. */

/* Refuses files that would lose what is in others.  Opens nothing. */
int sw_run_check_files(const sw_invocation *call, const sw_run_options *run);

/* Reads the checkpoint into the record, whose simulation and summary have been made. */
int sw_run_resume(const sw_invocation *call, const sw_run_options *run, sw_record *record);

/* Finds out whether all files can be written, and opens the trajectory. */
int sw_run_open(const sw_invocation *call, const sw_run_options *run, sw_record *record);

/* After the last step, or the one that failed with `status`: puts the files in their places, prints the summary, and
 * says what went wrong. */
int sw_run_finish(const sw_invocation *call, const sw_run_options *run, sw_record *record,
                  sw_status status, double seconds);

/* Lines "KEY: VALUE" that say which run this is, for its checkpoints: what the result depends on, but for the
 * parameters.  To be freed; NULL without memory. */
char *sw_run_identity(const sw_run_options *run);

/* The trajectory that is asked for. */
sw_trajectory_plan sw_run_plan(const sw_run_options *run);

/* Where the summary goes. */
FILE *sw_run_output(const sw_run_options *run);

#endif
