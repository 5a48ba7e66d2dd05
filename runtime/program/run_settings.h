/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_settings.h -- the options that `run`, `converge` and `lyapunov` share.
 */
#ifndef SIDEWINDER_PROGRAM_RUN_SETTINGS_H
#define SIDEWINDER_PROGRAM_RUN_SETTINGS_H

#include "program/command.h"
#include "program/command_files.h"
#include "sim/sim_internal.h"
#include "step/tableau.h"

typedef struct sw_settings {
  sw_system *system;
  sw_options options;     /* method, base, tolerance, redundant */
  sw_own_tableau tableau; /* of --base-file; options.tableau points here then */
  sw_tableau_report tableau_report;
  int init;              /* index of the initial state, -1 where the model has none */
  int init_named;        /* 1 where --init gave it */
  const char *init_file; /* the file to read it from instead, NULL without --init-file */
  double step;           /* NaN where nobody gave one */
  double t_end;          /* as given by --t-end, NaN without */
  long steps;            /* as given by --steps, -1 without; the number of steps once finished */
  int project;
  double most_moved; /* by a projection, as a part of the size of positions and momenta */
  double *k;         /* nk values */
  sw_files files;    /* that parameters come from */
  int helped;
} sw_settings;

/* --method --base --base-file --compose --step --t-end --init --init-file --set --project --tolerance --check-reversible
 * --redundant, and --help; a child of a command's argp.  Its input is the sw_settings. */
extern const struct argp sw_settings_argp;

/* Fills *settings with what the model's run line says and the default parameters.  Returns 1, or 0
 * when out of memory.  sw_settings_clear releases what it owns. */
int sw_settings_init(sw_system *system, sw_settings *settings);
void sw_settings_clear(sw_settings *settings);

/* Carries out --init on *init, the index of a state of the system, and --set on k (nk values), for a
 * command's parser.  Each returns 0, or what argp wants to see after an error: EINVAL or EIO once the
 * error has been printed, ENOMEM. */
error_t sw_settings_choose_init(struct argp_state *state, sw_system *system, const char *arg,
                                int *init);
error_t sw_settings_set_parameter(struct argp_state *state, sw_system *system, const char *arg,
                                  double k[]);

/* Checks that there are one initial state and a step, and settles the number of steps: --steps, or
 * --t-end, or what the model's run line says.  A time is t_end / step steps, which must be an integer to
 * 1e-9.  Returns SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
int sw_settings_finish(const sw_invocation *call, sw_settings *settings);

/* What the initial state is called: its name in the system, or the file's.  *settings is finished. */
const char *sw_settings_start(const sw_settings *settings);

/* What the last step of sim has failed with, with the options that help in the place of those of the library. */
void sw_settings_message(const sw_sim *sim, char message[SW_MESSAGE_BYTES]);

/* Complains with the message of the runtime, or the status's sentence where there is none, and
 * returns the exit code that belongs to the status. */
int sw_settings_refuse(const sw_invocation *call, const sw_sim *sim, sw_status status);

/* Complains with the message about a file that was given to the option, or that memory is out where it
 * is "", and returns the exit code that belongs to the status. */
int sw_settings_refuse_file(const sw_invocation *call, const char *option, const char *message,
                            sw_status status);

/* Prints what the file of --base-file has been found to be; nothing without it. */
void sw_settings_print_base(const sw_settings *settings, FILE *stream);

#endif
