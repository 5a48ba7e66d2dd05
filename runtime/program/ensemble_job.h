/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/ensemble_job.h -- the steps of an ensemble, shared by threads and ranks, and its
 * checkpoints.
 */
#ifndef SW_PROGRAM_ENSEMBLE_JOB_H
#define SW_PROGRAM_ENSEMBLE_JOB_H

#include "ensemble/ensemble_internal.h"
#include "io/progress.h"
#include "program/ensemble_file.h"
#include "program/ranks.h"
#include "program/settings.h"

/* The state of the computation. */
typedef struct sw_ensemble_job {
  const sw_settings *settings;
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

/* Takes all steps, and writes rows and checkpoints.  Returns SW_OK; SW_ERR_STOPPED after a
 * signal; SW_ERR_IO or SW_ERR_MEMORY, with job->message if a file could not be written. */
sw_status sw_ensemble_integrate(sw_ensemble_job *job);

/* Gathers the final data of all trajectories at rank 0.  Returns 0 if memory is short. */
int sw_ensemble_collect(const sw_ensemble_job *job, sw_ensemble_finals *finals);
sw_stats sw_ensemble_cost(const sw_ensemble_job *job);

/* Reads the checkpoint of --resume, at all ranks.  Errors: those of sw_kept_read. */
sw_status sw_ensemble_resume(sw_ensemble_job *job, sw_reached *at, char message[SW_TEXT_MESSAGE]);

/* The identity of this ensemble for its checkpoints, to be freed by the caller; NULL if memory is
 * short. */
char *sw_ensemble_identity(const sw_settings *settings);

#endif
