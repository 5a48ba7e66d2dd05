/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_settings.h -- the options of all commands with an initial state: `run`, `converge`,
 * `fibre` and others.
 */
#ifndef SIDEWINDER_PROGRAM_RUN_SETTINGS_H
#define SIDEWINDER_PROGRAM_RUN_SETTINGS_H

#include "io/metadata.h"
#include "program/command.h"
#include "program/command_files.h"
#include "program/option_values.h"
#include "step/tableau.h"

typedef struct sw_settings {
  const sw_program *program;
  sw_system *system;
  sw_options options;     /* method, base, tolerance, redundant */
  sw_own_tableau tableau; /* of --base-file; options.tableau then points to it */
  sw_tableau_report tableau_report;
  int base_named; /* 1 if --base or --base-file gave the base method; 0 if the run line did */
  int bias_named; /* 1 if --bias gave the bias */
  int init;       /* index of the initial state, -1 if the model has none */
  int init_named; /* 1 if --init gave the index */
  const char *init_file; /* file of the initial state (--init-file), or NULL */
  const char *init_from; /* file with the initial states of an ensemble (--init-from), or NULL */
  double step;           /* NaN if not given */
  double t_end;          /* from --t-end; NaN without it */
  /* from --steps, -1 without it; the number of steps once the settings are finished */
  long steps;
  int project;
  /* largest displacement by a projection, relative to the size of positions and momenta */
  double most_moved;
  double *k;      /* nk values */
  sw_files files; /* input files of --data, --base-file and --set */
} sw_settings;

/* Apply --init to *init, the index of a state of the system, and --set to k (nk values), within a
 * command's parser.  Each returns 0 or an error code of argp: EINVAL or EIO after it has printed
 * the error, or ENOMEM. */
error_t sw_settings_choose_init(struct argp_state *state, sw_system *system, const char *arg,
                                int *init);
error_t sw_settings_set_parameter(struct argp_state *state, sw_system *system, const char *arg,
                                  double k[]);

/* Runs a command that takes these options and its own: parses the words into `input`, whose first
 * member is the settings, finishes the settings and calls command(call, input).  Returns the exit
 * code, also if the words are wrong or ask for help. */
int sw_settings_command(const sw_invocation *call, const sw_option options[], const char *doc,
                        void *input, int (*command)(const sw_invocation *call, void *input));

/* The same for a command about one state of M.  The command takes only the options of a state.
 * Its settings have no steps, and the method is `shake`, which starts from states of M. */
int sw_settings_state_command(const sw_invocation *call, const sw_option options[], const char *doc,
                              void *input, int (*command)(const sw_invocation *call, void *input));

/* Adds the files that a program with these settings reads.  Returns 0 if memory is short. */
int sw_settings_add_files(const sw_settings *settings, const char *model_file, sw_files *files);

/* Prints a line if KINSOL took all steps because the program was built with, or without,
 * --compensated. */
void sw_settings_print_hint(const sw_settings *settings, const sw_stats *stats, FILE *stream);

/* The name of the initial state in the system, or of its file.  *settings must be finished. */
const char *sw_settings_start(const sw_settings *settings);

/* The metadata of trajectories with these settings and `every` steps between rows.  Refers to
 * *settings. */
sw_origin sw_settings_origin(const sw_settings *settings, long every);

/* Prints the report about the tableau of --base-file; nothing without the option. */
void sw_settings_print_base(const sw_settings *settings, FILE *stream);

#endif
