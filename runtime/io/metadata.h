/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/metadata.h -- metadata of a data file, in FILE.json beside it (docs/output.md lists the
 * members).
 *
 * The metadata contains no dates and no durations: equal runs write equal files.
 */
#ifndef SW_IO_METADATA_H
#define SW_IO_METADATA_H

#include <stdint.h>

#include "ensemble/random_states.h"
#include "io/axis_points.h"
#include "io/columns.h"
#include "io/json_writer.h"
#include "sidewinder/program.h"

/* The settings of a run that produces a trajectory. */
typedef struct sw_origin {
  const sw_program *program; /* describes the model file; NULL if that is unknown */
  /* as given on the command line; a simulation does not store the names of base methods */
  const sw_options *options;
  const char *init; /* name of the initial state */
  double step;
  long every;
  int at_times;       /* 1 if rows are at the times of --at instead */
  const char *input;  /* the file of --input; NULL without it */
  int input_linear;   /* 1 if the inputs are interpolated */
  int projected;      /* 1 if the initial state was projected to the constraint manifold */
  int projected_rows; /* 1 if each row is projected to M^H along the fibres */
} sw_origin;

/* How the run ended: complete, interrupted, or with a failed step. */
typedef enum sw_ending { SW_COMPLETE, SW_INTERRUPTED, SW_STEP_FAILED } sw_ending;

/* Writes the members "bias", "base_minus" and "adjoint", which define the curve of a state, if the
 * method has such curves. */
void sw_metadata_put_curve(sw_json *json, const sw_sim *sim, const sw_origin *origin);

/* Writes the member "dropped", the names of the constraints that are dropped at the end
 * (sw_sim_drops): before the first step, those that are proved to follow from others. */
void sw_metadata_put_dropped(sw_json *json, const sw_sim *sim);

/* The model file's comment on the declaration of a column, such as "q.1.x", "observe.t" or
 * "discrete.momentum"; "" if there is none. program may be NULL. */
const char *sw_metadata_comment(const sw_program *program, const char *column);

/* The contents of a trajectory file. */
typedef struct sw_shown {
  const char *format;
  const sw_columns *columns;
  const sw_points *points; /* replace the columns of the state; NULL if the format has no points */
  int velocities;          /* 1: the points have velocities */
  int step_and_t_alone;    /* 1: of the other columns, only step and t */
  int of_crossings;        /* 1: the rows are crossings of events */
  long rows;
  uint32_t digest; /* of the file; for .npy and HDF5, of the array (sw_digest_bytes) */
} sw_shown;

/* The metadata text of a trajectory that ends at the state of *sim after `step` steps.  Its size is
 * *size bytes, and the caller frees it.  NULL if memory is short. */
char *sw_metadata_of_trajectory(const sw_sim *sim, const sw_origin *origin, const sw_shown *shown,
                                long step, sw_ending ending, size_t *size);

/* The settings of an ensemble, in addition to those of its trajectories. */
typedef struct sw_many {
  long count;
  const sw_sample_entry *sample; /* 2d; NULL if the states are read from a file */
  long seed;
  const char *parameters; /* the file of parameters; NULL if they are equal for all trajectories */
  int n_levels;
  const double *levels; /* levels of the quantiles */
  int stored;           /* 1 if all rows of all trajectories are stored */
} sw_many;

/* The metadata text of an ensemble; otherwise as above. */
char *sw_metadata_of_ensemble(const sw_sim *sim, const sw_origin *origin, const sw_many *many,
                              const sw_columns *columns, long rows, long step, sw_ending ending,
                              size_t *size);

/* The metadata text of a file with the current state of *sim and these contents; otherwise as
 * above. */
char *sw_metadata_of_state(const char *format, uint32_t digest, const sw_sim *sim,
                           const char *contents, size_t *size);

/* "PATH.json". The caller frees it.  NULL if memory is short. */
char *sw_metadata_path(const char *path);

/* Returns 1 if "PATH.json" may be written: it does not exist, or sidewinder wrote it.  Else a
 * message. */
int sw_metadata_may_write(const char *path, char message[SW_TEXT_MESSAGE]);

/* Removes "PATH.json" if sidewinder wrote it, because PATH is about to be replaced. */
void sw_metadata_remove(const char *path);

/* Writes `size` bytes of text to "PATH.json".  Errors: SW_ERR_IO with errno, SW_ERR_MEMORY. */
sw_status sw_metadata_write(const char *path, const char *text, size_t size);

#endif
