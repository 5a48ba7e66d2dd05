/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/command.h -- declarations shared by all sub-commands of a model program.
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
  SW_EXIT_NO = 1,    /* a check of `verify` or of `lyapunov` has failed */
  SW_EXIT_USAGE = 2, /* wrong usage, a wrong parameter, or an initial state off M or M^H */
  SW_EXIT_FAILED = 3 /* a solve, a file or an allocation failed */
                     /* 128 + N: signal N has ended the run */
};

/* One call of a sub-command: argv[0] is "PROGRAM COMMAND", its own arguments follow. */
typedef struct sw_invocation {
  const sw_program *program;
  const sw_model *model;
  const sw_stepper *stepper;      /* NULL if the program has no generated step */
  const sw_stepper *const *lanes; /* as in sw_options; NULL if the program has none */
  sw_system *system;   /* the model at the requested sizes; NULL outside of a sub-command */
  const sw_data *data; /* of --data; NULL without the option */
  const char *name;    /* argv[0] */
  int argc;
  char **argv;
} sw_invocation;

/* A sub-command. */
typedef struct sw_settings sw_settings;
typedef struct sw_command {
  unsigned command; /* SW_FOR_RUN, ...: its bit in the table of options (program/settings.h) */
  const char *name;
  const char *args_doc; /* of arguments that are not options; NULL if there are none */
  const char *doc;      /* as in struct argp */
  int (*run)(const sw_invocation *call, sw_settings *settings); /* returns an exit code */
} sw_command;

extern const sw_command sw_command_run;
extern const sw_command sw_command_ensemble;
extern const sw_command sw_command_merge;
extern const sw_command sw_command_verify;
extern const sw_command sw_command_converge;
extern const sw_command sw_command_advise;
extern const sw_command sw_command_lyapunov;
extern const sw_command sw_command_fibre;
extern const sw_command sw_command_info;

/* Prints "NAME: MESSAGE" on stderr and returns `code`.  After a usage error, a second line says
 * how to get help. */
int sw_complain(const sw_invocation *call, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints "out of memory" as sw_complain does, and returns SW_EXIT_FAILED. */
int sw_out_of_memory(const sw_invocation *call);

/* Maps the status of a call of the runtime to an exit code: 0 for SW_OK; 2 if the caller's input
 * is at fault (argument, option, parameter, state off M or M^H, generated for another version);
 * else 3. */
int sw_exit_code(sw_status status);

/* Writes the message about the last failed step of sim.  It recommends command-line options
 * instead of library options. */
void sw_program_message(const sw_sim *sim, char message[SW_MESSAGE_BYTES]);

/* Complains with the message of the runtime, or with the text of the status if there is no
 * message.  Returns the exit code of the status. */
int sw_program_refuse(const sw_invocation *call, const sw_sim *sim, sw_status status);

/* Complains if a parameter that comes from data has no value in k.  Returns the exit code. */
int sw_program_check_parameters(const sw_invocation *call, const double k[]);

/* Prints a note with the names of unfinished output files that killed runs have left beside
 * `out`. */
void sw_name_left_over(const sw_invocation *call, const char *out);

/* Flushes standard output.  Returns SW_EXIT_GOOD, or complains and returns SW_EXIT_FAILED. */
int sw_output_flush(const sw_invocation *call);

/* Maps the status of reading or writing the file of --`option` to an exit code.  Unless the
 * status is SW_OK, complains with the message, or with the text of the status if the message is
 * "". */
int sw_file_exit_code(const sw_invocation *call, const char *option, const char *message,
                      sw_status status);

/* ---- the files that a command reads and writes ---- */

/* Two options must not name the same file if writing it would destroy data. */
typedef enum sw_file_role { SW_FILE_READ, SW_FILE_WRITTEN } sw_file_role;

typedef struct sw_file {
  const char *option; /* such as "--out"; not copied */
  char *path;
  sw_file_role role;
} sw_file;

typedef struct sw_files {
  sw_file *file;
  size_t count;
} sw_files;

/* Adds a copy of the path, unless it is NULL or "-".  Returns 0 if memory is short. */
int sw_files_add(sw_files *files, const char *option, const char *path, sw_file_role role);
void sw_files_clear(sw_files *files);

/* Checks the list for two options with the same regular file, at least one of them written.  Then
 * clears the list.
 *
 * Links are resolved, and files that do not exist yet are compared, too.  Standard output and
 * standard error count as written files.  Exception: --checkpoint may replace the file of
 * --resume.  Opens nothing.  `added`: 0 if a call of sw_files_add has failed.  Returns
 * SW_EXIT_GOOD, or complains and returns another exit code. */
int sw_files_finish(const sw_invocation *call, sw_files *files, int added);

#endif
