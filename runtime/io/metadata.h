/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/metadata.h -- what a data file is about, in FILE.json beside it (docs/output.md has the members).
 *
 * It has no dates and no durations: equal runs write equal files.
 */
#ifndef SW_IO_METADATA_H
#define SW_IO_METADATA_H

#include <stdint.h>

#include "ensemble/random_states.h"
#include "io/axis_points.h"
#include "io/columns.h"
#include "io/json_writer.h"
#include "sidewinder/program.h"

/* How a trajectory is made. */
typedef struct sw_origin {
  const sw_program *program; /* whose model file is told; NULL: it is not known */
  const sw_options *options; /* as they were given; a simulation keeps no names of base methods */
  const char *init;          /* name of the initial state */
  double step;
  long every;
  int projected;      /* 1 where the initial state was moved to the constraint manifold */
  int projected_rows; /* 1 where the rows show points of M^H on the fibres of the states */
} sw_origin;

/* How it ended: with the last step, or because it was interrupted, or a step failed. */
typedef enum sw_ending { SW_COMPLETE, SW_INTERRUPTED, SW_STEP_FAILED } sw_ending;

/* What makes a curve of a state, as members, where the method is one that does: "bias", "base_minus", "adjoint". */
void sw_metadata_put_curve(sw_json *json, const sw_sim *sim, const sw_origin *origin);

/* What the model file says behind the declaration of a column, such as "q.1.x", "observe.t" or "discrete.momentum"; "" where it says nothing.
 * program may be NULL. */
const char *sw_metadata_comment(const sw_program *program, const char *column);

/* What a file of a trajectory has. */
typedef struct sw_shown {
  const char *format;
  const sw_columns *columns;
  const sw_points *points; /* in the place of the columns that are of the state; NULL */
  int velocities;          /* 1: with their velocities */
  int step_and_t_alone;    /* 1: of the other columns step and t alone */
  long rows;
  uint32_t digest; /* of the file, of .npy and HDF5 of the array (sw_digest_bytes) */
} sw_shown;

/* The text about a trajectory that ends at the state of *sim after `step` steps, of *size bytes, to be freed; NULL without memory. */
char *sw_metadata_of_trajectory(const sw_sim *sim, const sw_origin *origin, const sw_shown *shown,
                                long step, sw_ending ending, size_t *size);

/* What an ensemble is, beside how its trajectories are made. */
typedef struct sw_many {
  long count;
  const sw_sample_entry *sample; /* 2d; NULL where the states are from a file */
  long seed;
  const char *parameters; /* the file that they are from; NULL: they are the same for all */
  int n_levels;
  const double *levels; /* of the quantiles */
  int stored;           /* 1 where all rows of all trajectories are there */
} sw_many;

/* The text about an ensemble, likewise. */
char *sw_metadata_of_ensemble(const sw_sim *sim, const sw_origin *origin, const sw_many *many,
                              const sw_columns *columns, long rows, long step, sw_ending ending,
                              size_t *size);

/* The text about the current state of *sim in a file with these contents, likewise. */
char *sw_metadata_of_state(const char *format, uint32_t digest, const sw_sim *sim,
                           const char *contents, size_t *size);

/* "PATH.json", to be freed; NULL without memory. */
char *sw_metadata_path(const char *path);

/* 1 where "PATH.json" may be written: there is none, or it is one of ours.  Else a message. */
int sw_metadata_may_write(const char *path, char message[SW_TEXT_MESSAGE]);

/* Removes "PATH.json" where it is one of ours, because PATH is about to become another file. */
void sw_metadata_remove(const char *path);

/* Writes the text (of `size` bytes) to "PATH.json".  Errors: SW_ERR_IO with errno, SW_ERR_MEMORY. */
sw_status sw_metadata_write(const char *path, const char *text, size_t size);

#endif
