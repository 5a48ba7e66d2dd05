/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/ensemble.h -- the commands `ensemble` and `merge` (merge_command.c).
 *
 * The parts of `ensemble`: options (ensemble_command.c), initial states (ensemble_start.c), rows
 * of statistics (ensemble_rows.c), final data of the trajectories (ensemble_finals.c), the file
 * (ensemble_file.c), checkpoints (ensemble_kept.c), and the end of a run (ensemble_finish.c).
 */
#ifndef SW_PROGRAM_ENSEMBLE_H
#define SW_PROGRAM_ENSEMBLE_H

#include "common/target.h"
#include "ensemble/ensemble_internal.h"
#include "ensemble/random_states.h"
#include "io/columns.h"
#include "io/metadata.h"
#include "io/progress.h"
#include "program/kept_file.h"
#include "program/ranks.h"
#include "program/run_settings.h"

enum { SW_LEVELS_MOST = 64 };

/* The options of the command. */
typedef struct sw_ensemble_request {
  sw_settings settings;
  long count;              /* number of trajectories; 0: as many as the file has rows */
  sw_sample_entry *sample; /* 2d entries; NULL without --sample */
  long seed;               /* -1: not given */
  const char *set_from;    /* NULL: all trajectories have the same parameters */
  long every;
  long threads;
  long index; /* part to compute, from 1; 0: the whole ensemble */
  long of;
  const char *columns; /* NULL: all */
  const char *quantiles;
  int n_levels;
  double levels[SW_LEVELS_MOST];
  int stored; /* 1 with --trajectories */
  const char *out;
  const char *checkpoint;
  double every_seconds; /* negative if not given */
  const char *resume;
  const char *model_file;
  int quiet;
} sw_ensemble_request;

/* The rows, in a temporary file beside the target until the run ends.  A row holds
 *
 *   the step, t, the number of living trajectories,
 *   then means, variances and quantiles of the columns,
 *   and with --trajectories the values, column by column. */
typedef struct sw_ensemble_rows {
  sw_target target;
  long count;
  size_t columns;
  int levels;
  size_t stored; /* number of trajectories with stored values; 0: none */
} sw_ensemble_rows;

/* The final data of each trajectory, `width` numbers: status, steps, the values of sw_sim_save
 * (`stride`), the initial state, its own parameters if each trajectory has its own, and the
 * course of the energy. */
typedef struct sw_ensemble_finals {
  long count;
  size_t width;
  size_t stride;
  double *numbers;
  char *messages; /* messages of the failed trajectories, each with its terminating zero */
  size_t bytes;
} sw_ensemble_finals;

/* The state of the computation. */
typedef struct sw_ensemble_job {
  const sw_ensemble_request *request;
  sw_ranks ranks;
  long count; /* trajectories of the whole ensemble */
  long part;  /* trajectories of this part (--index), over all processes */
  long part_first;
  long first; /* index of this process's first trajectory within the part */
  sw_sim *like;
  sw_ensemble *ensemble;
  double *initial;       /* 2d values for each trajectory of this process */
  sw_columns **columns;  /* one for each thread */
  sw_ensemble_rows rows; /* used by rank 0 only */
  char *identity;
  sw_progress progress;
  double last_kept; /* time of the last checkpoint, in seconds */
  double earlier;   /* seconds used before the run was resumed */
  int resumed;
  int is_whole; /* 1 if an earlier process has already completed the file */
  int signal;
  char message[SW_TEXT_MESSAGE]; /* about a file that could not be written */
} sw_ensemble_job;

/* Divides `count` items among n shares and returns the first item of share i.  Share n begins at
 * count. */
long sw_share_first(long count, long i, long n);

/* Creates the simulation, the ensemble and its initial states.  Returns SW_EXIT_GOOD, or
 * complains and returns another exit code. */
int sw_ensemble_begin(const sw_invocation *call, sw_ensemble_job *job);

/* Takes all steps, and writes rows and checkpoints.  Returns SW_OK; SW_ERR_STOPPED after a
 * signal; SW_ERR_IO or SW_ERR_MEMORY, with job->message if a file could not be written. */
sw_status sw_ensemble_integrate(sw_ensemble_job *job);

/* Gathers the final data of all trajectories at rank 0.  Returns 0 if memory is short. */
int sw_ensemble_collect(const sw_ensemble_job *job, sw_ensemble_finals *finals);
size_t sw_finals_width(const sw_ensemble_job *job);
void sw_ensemble_finals_clear(sw_ensemble_finals *finals);
sw_stats sw_ensemble_cost(const sw_ensemble_job *job);

/* Prints the summary and writes the file, at rank 0.  Returns the exit code. */
int sw_ensemble_conclude(const sw_invocation *call, sw_ensemble_job *job, sw_status status,
                         const sw_ensemble_finals *finals, const sw_stats *cost, double seconds);

/* The number of values of a row; below, the indices of its parts. */
size_t sw_rows_width(const sw_ensemble_rows *rows);
enum { SW_ROW_STEP, SW_ROW_TIME, SW_ROW_LIVING, SW_ROW_MEANS };

/* Appends a row.  `values` holds `count` trajectories column by column; a last column holds 1 for
 * living trajectories and 0 for failed ones.  Errors: SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_rows_add(sw_ensemble_rows *rows, sw_team *team, int threads, const double levels[],
                      long step, double t, const double values[], size_t count);

/* After SW_ERR_IO: the first function writes why the file of the rows cannot be written, and
 * returns SW_ERR_IO.  The second one appends the name of the unfinished file. */
sw_status sw_rows_refuse(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE]);
void sw_rows_name_unfinished(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE]);

/* The rest of the file's content.  sw_ensemble_about_clear frees its texts. */
typedef struct sw_ensemble_about {
  char *metadata;
  char *columns; /* names of the columns, `column_bytes` each */
  size_t column_bytes;
  char *coordinates; /* 2d names, `coordinate_bytes` each */
  size_t coordinate_bytes;
  size_t dim; /* 2d */
  /* nk names, `parameter_bytes` each; NULL if all trajectories have the same parameters */
  char *parameters;
  size_t parameter_bytes;
  size_t nk;
  const double *levels;
  /* index, of, first trajectory and number of all trajectories of a part; NULL for the whole
   * ensemble */
  const long *part;
} sw_ensemble_about;
void sw_ensemble_about_clear(sw_ensemble_about *about);

/* Writes the final file and discards the temporary file of the rows.  Errors: SW_ERR_IO with a
 * message, SW_ERR_MEMORY. */
sw_status sw_ensemble_write(sw_ensemble_rows *rows, const sw_ensemble_finals *finals,
                            const sw_ensemble_about *about, char message[SW_TEXT_MESSAGE]);

/* Opens the file of the rows; with a mark, continues an existing file.  Errors: SW_ERR_ARGUMENT,
 * SW_ERR_OPTION or SW_ERR_IO with a message, SW_ERR_MEMORY. */
sw_status sw_rows_open(const char *path, const sw_trajectory_mark *mark, sw_ensemble_rows *rows,
                       char message[SW_TEXT_MESSAGE]);

/* Checkpoints: rank 0 writes them, all ranks read them.  Errors: those of sw_kept_write and
 * sw_kept_read. */
sw_status sw_ensemble_keep(sw_ensemble_job *job);
sw_status sw_ensemble_resume(sw_ensemble_job *job, sw_reached *at, char message[SW_TEXT_MESSAGE]);
char *sw_ensemble_identity(const sw_ensemble_request *request);

#endif
