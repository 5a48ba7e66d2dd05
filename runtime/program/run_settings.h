/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_settings.h -- the options that commands with an initial state share: `run`, `converge`, `fibre` and others.
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
  sw_own_tableau tableau; /* of --base-file; options.tableau points here then */
  sw_tableau_report tableau_report;
  int base_named; /* 1 where --base or --base-file gave the base method, and not the run line */
  int bias_named; /* likewise of --bias */
  int init;       /* index of the initial state, -1 where the model has none */
  int init_named; /* 1 where --init gave it */
  const char *init_file; /* the file to read it from instead, NULL without --init-file */
  const char *init_from; /* a file of the states of an ensemble instead, NULL elsewhere */
  double step;           /* NaN where nobody gave one */
  double t_end;          /* as given by --t-end, NaN without */
  long steps;            /* as given by --steps, -1 without; the number of steps once finished */
  int project;
  double most_moved; /* by a projection, as a part of the size of positions and momenta */
  double *k;         /* nk values */
  sw_files files;    /* that parameters come from */
} sw_settings;

/* Carries out --init on *init, the index of a state of the system, and --set on k (nk values), for a
 * command's parser.  Each returns 0, or what argp wants to see after an error: EINVAL or EIO once the
 * error has been printed, ENOMEM. */
error_t sw_settings_choose_init(struct argp_state *state, sw_system *system, const char *arg,
                                int *init);
error_t sw_settings_set_parameter(struct argp_state *state, sw_system *system, const char *arg,
                                  double k[]);

/* A command that takes these options beside its own: parses its words into `input`, whose first member the settings
 * are, finishes these and calls command(call, input), whose exit code it returns, as it does where the words are
 * wrong or ask for help. */
int sw_settings_command(const sw_invocation *call, const sw_option options[], const char *doc,
                        void *input, int (*command)(const sw_invocation *call, void *input));

/* The same for a command about one state of M, which takes only the options of a state: its settings have no steps, and the
 * method `shake`, which starts from states of M. */
int sw_settings_state_command(const sw_invocation *call, const sw_option options[], const char *doc,
                              void *input, int (*command)(const sw_invocation *call, void *input));

/* Adds the files that a model's program with these settings reads.  Returns 0 without memory. */
int sw_settings_add_files(const sw_settings *settings, const char *model_file, sw_files *files);

/* Prints a line if all steps were taken by KINSOL because the program was built with, or without, --compensated. */
void sw_settings_print_hint(const sw_settings *settings, const sw_stats *stats, FILE *stream);

/* What the initial state is called: its name in the system, or the file's.  *settings is finished. */
const char *sw_settings_start(const sw_settings *settings);

/* How trajectories are made with them, which it refers to, `every` steps from one row to the next. */
sw_origin sw_settings_origin(const sw_settings *settings, long every);

/* Prints what the file of --base-file has been found to be; nothing without it. */
void sw_settings_print_base(const sw_settings *settings, FILE *stream);

#endif
