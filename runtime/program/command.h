/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/command.h -- what the sub-commands of a model program have in common.
 */
#ifndef SW_PROGRAM_COMMAND_H
#define SW_PROGRAM_COMMAND_H

#include "common/subcommands.h"
#include "model/system.h"
#include "sidewinder/data.h"
#include "sidewinder/model.h"
#include "sidewinder/program.h"
#include "sidewinder/sim.h"
#include "sidewinder/status.h"
#include "sim/sim_internal.h"

enum {
  SW_EXIT_GOOD = 0,
  SW_EXIT_NO = 1,    /* the answer is no: a check of `verify` or of `lyapunov` fails */
  SW_EXIT_USAGE = 2, /* wrong usage, a wrong parameter, or an initial state off M or M^H */
  SW_EXIT_FAILED = 3 /* a solve, a file or an allocation failed */
                     /* 128 + N: a signal N has ended a run */
};

/* One call of a sub-command: argv[0] is "PROGRAM COMMAND", its own arguments follow. */
typedef struct sw_invocation {
  const sw_program *program;
  const sw_model *model;
  const sw_stepper *stepper;      /* NULL where the program has none */
  const sw_stepper *const *lanes; /* likewise, as in sw_options */
  sw_system *system;   /* the model at the sizes asked for; NULL outside of a sub-command */
  const sw_data *data; /* of --data; NULL without */
  const char *name;    /* argv[0] */
  int argc;
  char **argv;
} sw_invocation;

/* The sub-commands.  Each returns an exit code. */
int sw_command_run(const sw_invocation *call);
int sw_command_ensemble(const sw_invocation *call);
int sw_command_merge(const sw_invocation *call);
int sw_command_verify(const sw_invocation *call);
int sw_command_converge(const sw_invocation *call);
int sw_command_advise(const sw_invocation *call);
int sw_command_lyapunov(const sw_invocation *call);
int sw_command_fibre(const sw_invocation *call);
int sw_command_info(const sw_invocation *call);

/* Prints "NAME: MESSAGE" on stderr and returns `code`.  After a usage error a second line says how to
 * get help. */
int sw_complain(const sw_invocation *call, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Complains of it, and returns SW_EXIT_FAILED. */
int sw_out_of_memory(const sw_invocation *call);

/* The exit code for the outcome of a call of the runtime: 0, 2 where the caller's input is at fault
 * (argument, option, parameter, state off M or M^H, generated for another version), else 3. */
int sw_exit_code(sw_status status);

/* What the last step of sim has failed with, with the options that help in the place of those of the library. */
void sw_program_message(const sw_sim *sim, char message[SW_MESSAGE_BYTES]);

/* Complains with the message of the runtime, or the status's sentence where there is none, and
 * returns the exit code that belongs to the status. */
int sw_program_refuse(const sw_invocation *call, const sw_sim *sim, sw_status status);

/* Complains where a parameter that comes from data has no value in k, and returns the exit code. */
int sw_program_check_parameters(const sw_invocation *call, const double k[]);

/* Names unfinished files of the output that killed runs have left. */
void sw_name_left_over(const sw_invocation *call, const char *out);

/* Writes out what was printed.  Returns SW_EXIT_GOOD, or after a message SW_EXIT_FAILED. */
int sw_output_flush(const sw_invocation *call);

/* The exit code for what came of a file that was given to the option.  Unless that is SW_OK, complains with the message about it, or
 * that memory is out where it is "". */
int sw_file_exit_code(const sw_invocation *call, const char *option, const char *message,
                      sw_status status);

#endif
