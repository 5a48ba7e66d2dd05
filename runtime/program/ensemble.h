/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/ensemble.h -- the command `ensemble`: its options (ensemble_command.c), its initial states (ensemble_start.c), its rows
 * (ensemble_rows.c), what becomes of its trajectories (ensemble_finals.c), its file (ensemble_file.c), checkpoints
 * (ensemble_kept.c), and its end (ensemble_finish.c); and the command `merge` (merge_command.c).
 */
#ifndef SW_PROGRAM_ENSEMBLE_H
#define SW_PROGRAM_ENSEMBLE_H

#include "common/target.h"
#include "ensemble/ensemble_internal.h"
#include "ensemble/random_states.h"
#include "io/hdf5.h"
#include "io/metadata.h"
#include "io/progress.h"
#include "program/kept_file.h"
#include "program/ranks.h"
#include "program/run_settings.h"

enum { SW_LEVELS_MOST = 64 };

/* What is asked for. */
typedef struct sw_ensemble_request {
  sw_settings settings;
  long count;              /* of all trajectories; 0: as many as the file has */
  sw_sample_entry *sample; /* 2d; NULL without --sample */
  long seed;               /* -1: not given */
  const char *set_from;    /* NULL: all have the same parameters */
  long every;
  long threads;
  long index; /* from 1; 0: all of it */
  long of;
  const char *columns; /* NULL: all */
  const char *quantiles;
  int n_levels;
  double levels[SW_LEVELS_MOST];
  int stored; /* 1: --trajectories */
  const char *out;
  const char *checkpoint;
  double every_seconds; /* negative where it was not given */
  const char *resume;
  const char *model_file;
  int quiet;
} sw_ensemble_request;

/* The rows, in a file beside the target until all are there: for each
 *   the step, t, how many trajectories it is of, then means, variances and quantiles of the columns, and, where they are
 *   stored, the values, those of one column next to each other. */
typedef struct sw_ensemble_rows {
  sw_target target;
  long count;
  size_t columns;
  int levels;
  size_t stored; /* trajectories whose values are there; 0 without */
} sw_ensemble_rows;

/* Of each trajectory, `width` numbers: status, steps, what sw_sim_save writes (`stride`), the initial state, parameters where each
 * has its own, and the course of the energy. */
typedef struct sw_ensemble_finals {
  long count;
  size_t width;
  size_t stride;
  double *numbers;
  char *messages; /* of those that have failed, one behind the other, each with its zero */
  size_t bytes;
} sw_ensemble_finals;

/* What is being computed. */
typedef struct sw_ensemble_job {
  const sw_ensemble_request *request;
  sw_ranks ranks;
  long count; /* all trajectories */
  long part;  /* trajectories of all processes together, from number part_first of all on */
  long part_first;
  long first; /* the number of this process's first one among those of the part */
  sw_sim *like;
  sw_ensemble *ensemble;
  double *initial;       /* 2d for each trajectory of this process */
  sw_columns **columns;  /* one for each thread */
  sw_ensemble_rows rows; /* rank 0's */
  char *identity;
  sw_progress progress;
  double last_kept; /* seconds, when the last checkpoint was written */
  double earlier;   /* seconds before the run was resumed */
  int resumed;
  int is_whole; /* 1 where an earlier process has finished the file already */
  int signal;
  char message[SW_TEXT_MESSAGE]; /* of a file that could not be written */
} sw_ensemble_job;

/* Of `count` things, the first one that share number i of n has; that of share n is count. */
long sw_share_first(long count, long i, long n);

/* Makes the simulation, the ensemble and its initial states.  Returns SW_EXIT_GOOD, or complains and returns another exit code. */
int sw_ensemble_begin(const sw_invocation *call, sw_ensemble_job *job);

/* Takes all steps, and writes rows and checkpoints.  SW_OK; SW_ERR_STOPPED after a signal; SW_ERR_IO or SW_ERR_MEMORY, with
 * job->message where a file could not be written. */
sw_status sw_ensemble_integrate(sw_ensemble_job *job);

/* Collects what has become of the trajectories, at rank 0.  Returns 0 without memory. */
int sw_ensemble_collect(const sw_ensemble_job *job, sw_ensemble_finals *finals);
size_t sw_finals_width(const sw_ensemble_job *job);
void sw_ensemble_finals_clear(sw_ensemble_finals *finals);
sw_stats sw_ensemble_cost(const sw_ensemble_job *job);

/* What rank 0 says and writes in the end.  Returns the exit code. */
int sw_ensemble_conclude(const sw_invocation *call, sw_ensemble_job *job, sw_status status,
                         const sw_ensemble_finals *finals, const sw_stats *cost, double seconds);

/* Numbers of a row, and where its parts begin. */
size_t sw_rows_width(const sw_ensemble_rows *rows);
enum { SW_ROW_STEP, SW_ROW_TIME, SW_ROW_LIVING, SW_ROW_MEANS };

/* Appends a row: `values` are those of `count` trajectories, column by column, and behind the columns 1 for those that go on and 0 for those
 * that have failed.  Errors: SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_rows_add(sw_ensemble_rows *rows, sw_team *team, int threads, const double levels[],
                      long step, double t, const double values[], size_t count);

/* Write why the file of the rows cannot be written, after SW_ERR_IO, and append where the unfinished file is.  The first one returns
 * SW_ERR_IO. */
sw_status sw_rows_refuse(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE]);
void sw_rows_name_unfinished(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE]);

/* What the file has beside the rows and the finals; sw_ensemble_about_clear frees its texts. */
typedef struct sw_ensemble_about {
  char *metadata;
  char *columns; /* names, of `column_bytes` each */
  size_t column_bytes;
  char *coordinates; /* likewise, 2d of them */
  size_t coordinate_bytes;
  size_t dim;       /* 2d */
  char *parameters; /* nk of them; NULL where all have the same */
  size_t parameter_bytes;
  size_t nk;
  const double *levels;
  const long
      *part; /* index, of, the first one and the number of all, in a part; NULL in the whole */
} sw_ensemble_about;
void sw_ensemble_about_clear(sw_ensemble_about *about);

/* Makes the file of it, in the place of the rows.  Errors: SW_ERR_IO with a message, SW_ERR_MEMORY. */
sw_status sw_ensemble_write(sw_ensemble_rows *rows, const sw_ensemble_finals *finals,
                            const sw_ensemble_about *about, char message[SW_TEXT_MESSAGE]);

/* Opens the file for the rows.  Errors: SW_ERR_ARGUMENT, SW_ERR_OPTION or SW_ERR_IO with a message, SW_ERR_MEMORY. */
sw_status sw_rows_open(const char *path, const sw_trajectory_mark *mark, sw_ensemble_rows *rows,
                       char message[SW_TEXT_MESSAGE]);

/* Writes a checkpoint, by rank 0; reads one, by all ranks.  Errors: those of sw_kept_write and sw_kept_read. */
sw_status sw_ensemble_keep(sw_ensemble_job *job);
sw_status sw_ensemble_resume(sw_ensemble_job *job, sw_reached *at, char message[SW_TEXT_MESSAGE]);
char *sw_ensemble_identity(const sw_ensemble_request *request);

#endif
