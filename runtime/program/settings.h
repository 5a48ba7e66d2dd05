/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/settings.h -- the table of all options of all commands, and the settings that they
 * give.
 *
 * A new option is one row of SW_OPTIONS: the row declares the member that receives the value,
 * lists the commands that have the option, and gives name, help, type and range.
 */
#ifndef SIDEWINDER_PROGRAM_SETTINGS_H
#define SIDEWINDER_PROGRAM_SETTINGS_H

#include <argp.h>

#include "ensemble/random_states.h"
#include "io/metadata.h"
#include "program/command.h"
#include "step/tableau.h"

/* Sets of commands. */
enum {
  SW_FOR_RUN = 1,
  SW_FOR_ENSEMBLE = 2,
  SW_FOR_MERGE = 4,
  SW_FOR_VERIFY = 8,
  SW_FOR_CONVERGE = 16,
  SW_FOR_ADVISE = 32,
  SW_FOR_LYAPUNOV = 64,
  SW_FOR_FIBRE = 128,
  SW_FOR_INFO = 256,
  SW_FOR_STEPS = SW_FOR_RUN | SW_FOR_ENSEMBLE | SW_FOR_CONVERGE | SW_FOR_ADVISE | SW_FOR_LYAPUNOV,
  SW_FOR_STATES =
      SW_FOR_STEPS | SW_FOR_FIBRE /* commands with one initial state, or a file of them */
};

enum { SW_LEVELS_MOST = 64, SW_STEP_SIZES_MOST = 20, SW_POINTS_MOST = 10000 };

/* The type of an option's value, and of the member that receives the value. */
typedef enum sw_value_kind {
  SW_VALUE_TEXT,      /* const char * */
  SW_VALUE_FLAG,      /* int: 1 if the option is given */
  SW_VALUE_INTEGER,   /* long, from `lowest` to `highest` */
  SW_VALUE_SMALL,     /* int, from `lowest` to `highest` */
  SW_VALUE_SECONDS,   /* double */
  SW_VALUE_REAL,      /* double */
  SW_VALUE_TOLERANCE, /* double */
  SW_VALUE_NAME,      /* const char *: one of `names` */
  SW_VALUE_READ       /* the function `read` parses the value */
} sw_value_kind;

/* All options.  NEW(type, member, ROW) declares a member of sw_settings; MORE(member, ROW) fills a
 * member that exists.  ROW is: commands, name, argument, help, kind, and the other members of
 * sw_option (options.c). */
#define SW_OPTIONS(NEW, MORE)                                                                      \
  NEW(long, steps, SW_FOR_RUN | SW_FOR_LYAPUNOV, "steps", "N",                                     \
      "Number of steps, instead of --t-end", SW_VALUE_INTEGER, .lowest = 1, .preset = -1)          \
  NEW(long, count, SW_FOR_ENSEMBLE, "count", "N",                                                  \
      "Number of trajectories (the number of rows of --init-from)", SW_VALUE_INTEGER, .lowest = 1, \
      .highest = INT_MAX)                                                                          \
  NEW(const char *, init_from, SW_FOR_ENSEMBLE, "init-from", "FILE",                               \
      "Initial states, one row for each trajectory: a .csv file with column names, .npy or .h5",   \
      SW_VALUE_TEXT)                                                                               \
  NEW(sw_sample_entry *, sample, SW_FOR_ENSEMBLE, "sample", "LIST",                                \
      "Draw initial states around --init, such as 'q[x] ~ normal(0, 0.1), p ~ uniform(-1, 1)', "   \
      "and project them to the constraint manifold; repeatable",                                   \
      SW_VALUE_READ, .read = read_sample)                                                          \
  NEW(long, seed, SW_FOR_ENSEMBLE, "seed", "S",                                                    \
      "Seed of the random numbers of --sample, and of the noise of baoab (0)", SW_VALUE_INTEGER,   \
      .preset = -1)                                                                                \
  MORE(seed, SW_FOR_RUN, "seed", "S", "Seed of the noise of baoab (0)", SW_VALUE_INTEGER,          \
       .preset = -1)                                                                               \
  MORE(seed, SW_FOR_VERIFY, "seed", "S", "Seed of the random points (1)", SW_VALUE_INTEGER,        \
       .preset = 1)                                                                                \
  NEW(const char *, set_from, SW_FOR_ENSEMBLE, "set-from", "FILE",                                 \
      "Parameters, one row for each trajectory. A .csv file may have some of the parameters only", \
      SW_VALUE_TEXT)                                                                               \
  MORE(steps, SW_FOR_ENSEMBLE, "steps", "K", "Number of steps, instead of --t-end",                \
       SW_VALUE_INTEGER, .lowest = 1, .preset = -1)                                                \
  NEW(long, every, SW_FOR_RUN, "every", "K",                                                       \
      "Write the start, every K-th step and the last step (1)", SW_VALUE_INTEGER, .lowest = 1)     \
  MORE(every, SW_FOR_ENSEMBLE, "every", "E",                                                       \
       "Write rows for the start, every E-th step and the last step (1)", SW_VALUE_INTEGER,        \
       .lowest = 1)                                                                                \
  NEW(const char *, out, SW_FOR_RUN, "out", "FILE",                                                \
      "Write the trajectory to FILE. The ending .npy, .h5, .xyz, .extxyz or .trr selects that "    \
      "format, any other name CSV; '-' is standard output (no trajectory)",                        \
      SW_VALUE_TEXT)                                                                               \
  NEW(const char *, columns, SW_FOR_RUN, "columns", "NAMES",                                       \
      "Columns of the trajectory, such as t,q,energy. An array's name selects all of its entries " \
      "(all columns)",                                                                             \
      SW_VALUE_TEXT)                                                                               \
  NEW(const char *, at, SW_FOR_RUN, "at", "TIMES",                                                 \
      "Write the rows of --out at these times alone, such as 0.5,1.25; @FILE reads them from a "   \
      "file. Parts of steps lead there, and the run is the same",                                  \
      SW_VALUE_TEXT)                                                                               \
  NEW(const char *, events, SW_FOR_RUN, "events", "FILE",                                          \
      "Write a row for each crossing of an event to FILE (.csv, .npy, .h5 or '-'): the event, "    \
      "its "                                                                                       \
      "direction and the columns of --columns",                                                    \
      SW_VALUE_TEXT)                                                                               \
  NEW(int, no_events, SW_FOR_RUN, "no-events", NULL, "Ignore the events of the model",             \
      SW_VALUE_FLAG)                                                                               \
  MORE(columns, SW_FOR_ENSEMBLE, "columns", "NAMES",                                               \
       "Columns of trajectories for the statistics (all except step and t)", SW_VALUE_TEXT)        \
  MORE(n_levels, SW_FOR_ENSEMBLE, "quantiles", "LEVELS",                                           \
       "Levels of the quantiles, from 0 to 1 (0,0.05,0.25,0.5,0.75,0.95,1)", SW_VALUE_READ,        \
       .read = read_quantiles)                                                                     \
  NEW(int, stored, SW_FOR_ENSEMBLE, "trajectories", NULL,                                          \
      "Also store the columns of every trajectory", SW_VALUE_FLAG)                                 \
  NEW(long, threads, SW_FOR_ENSEMBLE, "threads", "T", "Number of threads of this process (1)",     \
      SW_VALUE_INTEGER, .lowest = 1, .highest = SW_THREADS_MOST, .preset = 1)                      \
  NEW(long, index, SW_FOR_ENSEMBLE, "index", "I",                                                  \
      "Compute only part I of the N parts of --of, counted from 1; 'merge' merges the parts",      \
      SW_VALUE_INTEGER, .lowest = 1, .highest = INT_MAX)                                           \
  NEW(long, of, SW_FOR_ENSEMBLE, "of", "N", "Divide the trajectories into N parts",                \
      SW_VALUE_INTEGER, .lowest = 1, .highest = INT_MAX)                                           \
  MORE(out, SW_FOR_ENSEMBLE, "out", "FILE.h5", "Output file", SW_VALUE_TEXT)                       \
  MORE(out, SW_FOR_MERGE, "out", "FILE.h5", "Output file", SW_VALUE_TEXT)                          \
  NEW(int, project_output, SW_FOR_RUN, "project-output", NULL,                                     \
      "Project the rows along their fibres onto M^H. The run continues from the unprojected "      \
      "states. For methods that leave M^H, such as shake",                                         \
      SW_VALUE_FLAG)                                                                               \
  MORE(project_output, SW_FOR_CONVERGE, "project-output", NULL,                                    \
       "Compare the states after a projection along their fibres onto M^H. The runs continue "     \
       "from the unprojected states. For methods that leave M^H, such as shake",                   \
       SW_VALUE_FLAG)                                                                              \
  NEW(const char *, save_state, SW_FOR_RUN, "save-state", "FILE",                                  \
      "Write the final state as .npy or .csv; if a step fails, the last good state",               \
      SW_VALUE_TEXT)                                                                               \
  NEW(const char *, checkpoint, SW_FOR_RUN, "checkpoint", "FILE",                                  \
      "Write a checkpoint to FILE periodically, so that --resume can continue the run",            \
      SW_VALUE_TEXT)                                                                               \
  MORE(checkpoint, SW_FOR_ENSEMBLE, "checkpoint", "FILE",                                          \
       "Write a checkpoint to FILE periodically, so that --resume can continue the ensemble",      \
       SW_VALUE_TEXT)                                                                              \
  NEW(double, every_seconds, SW_FOR_RUN | SW_FOR_ENSEMBLE, "every-seconds", "S",                   \
      "Write a checkpoint S seconds after the previous one (60)", SW_VALUE_SECONDS, .preset = -1)  \
  NEW(const char *, resume, SW_FOR_RUN, "resume", "FILE",                                          \
      "Continue the run of the checkpoint FILE. Repeat all other options; only --threads may "     \
      "differ, and the number of steps may be larger",                                             \
      SW_VALUE_TEXT)                                                                               \
  MORE(resume, SW_FOR_ENSEMBLE, "resume", "FILE",                                                  \
       "Continue the ensemble of the checkpoint FILE. Repeat all other options; only --threads "   \
       "may differ, and the number of steps may be larger",                                        \
       SW_VALUE_TEXT)                                                                              \
  NEW(const char *, input, SW_FOR_RUN, "input", "FILE",                                            \
      "Read the inputs from a .csv, .npy or .h5 table with a column t and columns named after "    \
      "inputs. A step has the values of the last row at or before its start",                      \
      SW_VALUE_TEXT)                                                                               \
  NEW(int, input_linear, SW_FOR_RUN, "input-linear", NULL,                                         \
      "With --input: a step has the values at its middle, by linear interpolation between rows",   \
      SW_VALUE_FLAG)                                                                               \
  MORE(options.threads, SW_FOR_RUN, "threads", "T",                                                \
       "Number of threads that share the loops of each step (1). Results agree bit for bit for "   \
       "any number. For systems with thousands of constraints",                                    \
       SW_VALUE_SMALL, .lowest = 1, .highest = SW_THREADS_MOST, .preset = 1)                       \
  NEW(const char *, model_file, SW_FOR_RUN | SW_FOR_ENSEMBLE, "model-file", "FILE", NULL,          \
      SW_VALUE_TEXT, .flags = OPTION_HIDDEN)                                                       \
  NEW(int, points, SW_FOR_VERIFY, "points", "N", "Number of random points (6)", SW_VALUE_SMALL,    \
      .lowest = 1, .highest = SW_POINTS_MOST, .preset = 6)                                         \
  MORE(k, SW_FOR_VERIFY, "set", "PARAM=VALUE",                                                     \
       "Verify with this value of a parameter, given as for 'run'; repeatable", SW_VALUE_READ,     \
       .read = read_parameter)                                                                     \
  NEW(int, init, SW_FOR_VERIFY, "init", "NAME",                                                    \
      "Check only at points near this initial state (near each initial state)", SW_VALUE_READ,     \
      .read = read_init)                                                                           \
  NEW(const char *, only, SW_FOR_VERIFY, "only", "TEXT",                                           \
      "Carry out only the checks whose names begin with TEXT, such as witness", SW_VALUE_READ,     \
      .read = read_only)                                                                           \
  NEW(long, step_sizes, SW_FOR_CONVERGE, "levels", "L", "Number of step sizes, 2 to 20 (5)",       \
      SW_VALUE_INTEGER, .lowest = 2, .highest = SW_STEP_SIZES_MOST, .preset = 5)                   \
  NEW(double, error, SW_FOR_ADVISE, "error", "E",                                                  \
      "Requested error of the positions at the end, relative to their size (1e-6)", SW_VALUE_READ, \
      .read = read_error)                                                                          \
  NEW(long, exponents, SW_FOR_LYAPUNOV, "exponents", "N",                                          \
      "Number of exponents, from the largest down (6, or all if there are fewer). There are "      \
      "2(d-m), where m is the number of independent constraints",                                  \
      SW_VALUE_INTEGER, .lowest = 1)                                                               \
  NEW(long, rows, SW_FOR_LYAPUNOV, "rows", "N", "Number of rows of running estimates (10)",        \
      SW_VALUE_INTEGER, .lowest = 1, .preset = 10)                                                 \
  NEW(double, range, SW_FOR_FIBRE, "range", "R",                                                   \
      "Follow an open fibre of one constraint for up to R times the size of the state (100)",      \
      SW_VALUE_REAL, .preset = 100)                                                                \
  NEW(int, schema, SW_FOR_INFO, "schema", NULL,                                                    \
      "Print only the contents of a file for --data, which docs/data.md describes", SW_VALUE_FLAG) \
  NEW(int, given, SW_FOR_INFO, "given", NULL,                                                      \
      "Print only the sizes, arrays of indices and parameters, as numbers", SW_VALUE_FLAG)         \
  NEW(int, json, SW_FOR_RUN, "json", NULL, "Print the summary as a JSON object", SW_VALUE_FLAG)    \
  MORE(json, SW_FOR_FIBRE, "json", NULL, "Print a JSON object", SW_VALUE_FLAG)                     \
  MORE(json, SW_FOR_INFO, "json", NULL, "With --schema: print a JSON Schema", SW_VALUE_FLAG)       \
  NEW(int, quiet, SW_FOR_RUN | SW_FOR_ENSEMBLE, "quiet", NULL, "Print no progress and no summary", \
      SW_VALUE_FLAG)                                                                               \
  /* options of steps */                                                                           \
  MORE(options.method, SW_FOR_STEPS, "method", "NAME",                                             \
       "Method (rattle, or baoab with a heat bath); see below", SW_VALUE_NAME, .what = "method",   \
       .names = sw_method_names)                                                                   \
  MORE(options.base, SW_FOR_STEPS, "base", "NAME",                                                 \
       "Base method, or none if the method has its own; see below", SW_VALUE_READ,                 \
       .read = read_named_base)                                                                    \
  MORE(options.tableau, SW_FOR_STEPS, "base-file", "FILE",                                         \
       "Read the base method from FILE: a partitioned Runge-Kutta method such as {\"name\": "      \
       "\"heun\", \"A\": [[0, 0], [1, 0]], \"b\": [0.5, 0.5]}. Add \"A_hat\" and \"b_hat\" if "    \
       "the momenta have other coefficients",                                                      \
       SW_VALUE_READ, .read = read_base)                                                           \
  MORE(options.bias, SW_FOR_STEPS, "bias", "A-,A+",                                                \
       "For variational: the curve of a state covers the times from A- to A+ in units of the "     \
       "step, with A+ - A- = 1. Give two numbers, symmetric (-0.5,0.5; the default) or forward "   \
       "(0,1)",                                                                                    \
       SW_VALUE_READ, .read = read_bias)                                                           \
  MORE(options.base_minus, SW_FOR_STEPS, "base-minus", "NAME",                                     \
       "For variational: another base method for the part of a curve before its state (that of "   \
       "--base)",                                                                                  \
       SW_VALUE_NAME, .what = "base method", .names = sw_base_names)                               \
  MORE(options.adjoint, SW_FOR_STEPS, "adjoint", "WHICH",                                          \
       "For variational: use the adjoint of the base method for the part of a curve before its "   \
       "state (minus), after it (plus), for both, or for none (none)",                             \
       SW_VALUE_NAME, .what = "adjoint", .names = sw_adjoint_names)                                \
  MORE(options.compose, SW_FOR_STEPS, "compose", "NAME",                                           \
       "Compose each step of shorter steps, for a higher order (none); see below", SW_VALUE_NAME,  \
       .what = "composition", .names = sw_composition_names)                                       \
  MORE(options.compensated, SW_FOR_STEPS, "compensated", "no|yes",                                 \
       "Add the steps by compensated summation, which reduces the rounding errors to about h "     \
       "times their size (no)",                                                                    \
       SW_VALUE_READ, .read = read_compensated, .flags = OPTION_ARG_OPTIONAL)                      \
  NEW(double, step, SW_FOR_STEPS, "step", "H", "Step size; a negative one integrates backwards",   \
      SW_VALUE_READ, .read = read_step)                                                            \
  NEW(double, t_end, SW_FOR_STEPS, "t-end", "T",                                                   \
      "Final time, a multiple of the step; t starts at 0", SW_VALUE_REAL, .preset = NAN)           \
  MORE(options.check_reversible, SW_FOR_STEPS, "check-reversible", "T",                            \
       "After every step, take the step back, and stop if it misses the start by more than T "     \
       "times the size of the state (2e-8). For methods with an inverse, such as rattle",          \
       SW_VALUE_READ, .read = read_reversible, .flags = OPTION_ARG_OPTIONAL)                       \
  MORE(options.solver, SW_FOR_STEPS, "solver", "NAME",                                             \
       "Solver of the steps. auto (default): the model's straight-line code if it has any for "    \
       "the method, else KINSOL; fused: stop if there is no such code; kinsol: KINSOL only",       \
       SW_VALUE_NAME, .what = "solver", .names = sw_solver_names)                                  \
  /* options of an initial state, and of a solve from it */                                        \
  MORE(init, SW_FOR_STATES, "init", "NAME", "Initial state; 'info' lists them (the first)",        \
       SW_VALUE_READ, .read = read_init)                                                           \
  NEW(const char *, init_file, SW_FOR_STATES, "init-file", "FILE",                                 \
      "Read the initial state from a .npy or .csv file, such as --save-state writes; t starts at " \
      "0",                                                                                         \
      SW_VALUE_TEXT)                                                                               \
  MORE(k, SW_FOR_STATES, "set", "PARAM=VALUE",                                                     \
       "Set a parameter (repeatable): an entry such as m.3, or a whole array by its name. @FILE "  \
       "as VALUE reads the value of each entry from a .npy or .csv file",                          \
       SW_VALUE_READ, .read = read_parameter)                                                      \
  NEW(int, project, SW_FOR_STATES, "project", "R",                                                 \
      "First project the initial state to the constraint manifold. Reject it if that moves "       \
      "positions or momenta by more than R times their size (0.1; inf: no limit)",                 \
      SW_VALUE_READ, .read = read_projection, .flags = OPTION_ARG_OPTIONAL)                        \
  MORE(options.tolerance, SW_FOR_STATES, "tolerance", "T",                                         \
       "Accept a solve if its scaled residuals are at most T (1e-12)", SW_VALUE_TOLERANCE)         \
  MORE(options.redundant, SW_FOR_STATES, "redundant", "NAME",                                      \
       "Treatment of constraints that follow from others. error (default): stop and name them; "   \
       "drop: leave them out; min-norm: compute the impulses of the smallest norm",                \
       SW_VALUE_NAME, .what = "treatment of redundant constraints", .names = sw_redundant_names)

/* What the options give.  A member without an option of its command has its default. */
struct sw_settings {
  const sw_program *program;
  sw_system *system;
  unsigned command;       /* one of the commands above */
  sw_options options;     /* method, base, tolerance, redundant */
  sw_own_tableau tableau; /* of --base-file; options.tableau then points to it */
  sw_tableau_report tableau_report;
  int base_named; /* 1 if --base or --base-file gave the base method; 0 if the run line did */
  int bias_named; /* 1 if --bias gave the bias */
  int init_named; /* 1 if --init gave the initial state; else init is that of the run line, or -1 */
  /* largest displacement by a projection, relative to the size of positions and momenta */
  double most_moved;
  double *k;      /* nk values */
  sw_files files; /* input files of --data, --base-file and --set */
  int n_levels;   /* of --quantiles */
  double levels[SW_LEVELS_MOST];
  char **words; /* arguments that are not options */
  size_t n_words;
#define SW_OPTION_MEMBER(type, member, ...) type member;
#define SW_OPTION_NO_MEMBER(...)
  SW_OPTIONS(SW_OPTION_MEMBER, SW_OPTION_NO_MEMBER)
#undef SW_OPTION_MEMBER
#undef SW_OPTION_NO_MEMBER
};

/* Sets the numbers that the command's options give to their defaults. */
void sw_options_preset(sw_settings *settings);

/* Parses the words of a command.  Returns -1 if the command should continue, else an
 * exit code, as sw_words_parse does. */
int sw_options_parse(const sw_invocation *call, const sw_command *command, sw_settings *settings);

/* Applies an assignment "PARAM=VALUE" to k (nk values): sets every entry with the name PARAM to
 * VALUE.  The entries of an array parameter m are adjacent and have the names m.1, m.2 and so on,
 * or m.1.2 with two indices.  The name m means all of its entries; a partial list of indices, such
 * as m.1 for m.1.2, is not a name.  If VALUE is "@FILE", the file has one value for each entry
 * (io/values_file.h).
 *
 * Errors, with the reason in message and k unchanged: SW_ERR_PARAMETER if the text is not an
 * assignment, PARAM is unknown, or VALUE is not a number within the bounds; SW_ERR_ARGUMENT if
 * FILE has the wrong format; SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_parameters_set(const sw_system *system, const char *assignment, double k[],
                            char message[SW_TEXT_MESSAGE]);

/* Runs a command: sets the defaults, parses the words, checks the settings and calls
 * command->run.  For commands with steps, sets settings->steps from --steps, --t-end or the
 * model's run line.  Returns the exit code, also if the words are wrong or ask for help. */
int sw_settings_run(const sw_invocation *call, const sw_command *command);

/* Parses the bias of a variational integrator: a name of sidewinder/methods.h, or two numbers
 * "A-,A+".  The check of the method (sw_options_objection) decides whether the numbers are allowed.
 * Returns 0 if the text is neither a name nor two numbers. */
int sw_bias_read(const char *text, double bias[2]);

/* Adds the files that a program with these settings reads.  Returns 0 if memory is short. */
int sw_settings_add_files(const sw_settings *settings, sw_files *files);

/* Prints a line if KINSOL took all steps because the program was built with, or without,
 * --compensated. */
void sw_settings_print_hint(const sw_settings *settings, const sw_stats *stats, FILE *stream);

/* The name of the initial state in the system, or of its file. */
const char *sw_settings_start(const sw_settings *settings);

/* 1 if the steps of the method contain noise; and the seed of the noise. */
int sw_settings_have_noise(const sw_settings *settings);
long sw_settings_seed(const sw_settings *settings);

/* The metadata of trajectories with these settings.  Refers to *settings. */
sw_origin sw_settings_origin(const sw_settings *settings);

/* Prints the report about the tableau of --base-file; nothing without the option. */
void sw_settings_print_base(const sw_settings *settings, FILE *stream);

/* The identity of a run, for its checkpoints: lines "KEY: VALUE" for all inputs of the result
 * except the parameters.  The first function writes one line: control characters in the value
 * become blanks; NULL becomes an empty value.  The second one writes the lines of the model, the
 * method, the step and the initial state. */
void sw_identity_line(FILE *file, const char *key, const char *value);
void sw_identity_put(FILE *file, const sw_settings *settings);

#endif
