/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/format.h -- the formats of trajectories.
 *
 * A format is one constant: the endings of its files, what a file of it has, and the functions that write its head
 * and its rows and find its last row.  io/formats.c lists all formats.  To add one, write io/format_NAME.c and add
 * its name to that list; io/trajectory.c does the rest: the unfinished file, marks and resumption, digests, and
 * FILE.json.
 */
#ifndef SW_IO_FORMAT_H
#define SW_IO_FORMAT_H

#include <stdio.h>

#include "io/axis_points.h"
#include "io/columns.h"
#include "sidewinder/program.h"

/* The head of a file, and what its rows are. */
typedef struct sw_format_head {
  size_t rows; /* so far */
  const sw_columns *columns;
  const sw_program *program; /* NULL: no comments are known */
  const char *metadata;      /* the text of FILE.json; NULL before the end */
} sw_format_head;

/* One state, as a row of columns or as a frame of points. */
typedef struct sw_format_frame {
  long step;
  double t;
  const sw_columns *columns; /* with their values; */
  const double *row;         /* NULL if the format has none */
  const sw_points *points;   /* with their positions and velocities H_p, d values each; */
  const double *q;           /* NULL if the format has none */
  const double *velocities;
  double scale;      /* by which a file in angstrom multiplies lengths */
  const double *box; /* the three edges of the box of the model, in its units; NULL: it has none */
} sw_format_frame;

typedef struct sw_format {
  const char *name;       /* in FILE.json */
  const char *endings[3]; /* of the names of its files, with NULL behind the last */

  /* What a file has. */
  int has_columns;    /* the columns that were asked for; 0: step and t alone */
  int has_points;     /* frames of points */
  int has_velocities; /* of the points, too */
  int counts_rows;    /* its head says how many rows there are, and is written again in the end */
  long head_bytes;    /* of the head that counts rows: the digest leaves them out */
  int most_points;    /* of a frame; 0: any number */

  /* Whether such a file can be written here; NULL: always.  Errors: SW_ERR_OPTION with a message. */
  sw_status (*find)(char message[SW_TEXT_MESSAGE]);

  /* Writes what comes before the rows, and a row.  Whether it has arrived is for the caller to find out.
   * put_head: NULL if nothing does. */
  void (*put_head)(FILE *file, const sw_format_head *head);
  void (*put_row)(FILE *file, const sw_format_frame *frame);

  /* Where the last of the rows in the first `bytes` bytes of a file begins; -1 if the file is none of this format. */
  long (*last_row)(FILE *file, long bytes, long rows);

  /* NULL, or, for a format to which no rows can be added: put_head and put_row write another format, of which
   * `convert` makes the file `path` in the end, from the rows at the current position of `rows`; and `restore` makes
   * the unfinished file of a finished one again.  Errors: SW_ERR_IO with errno, SW_ERR_OPTION, SW_ERR_MEMORY.
   * restore returns 0 after a failure. */
  sw_status (*convert)(const char *path, FILE *rows, const sw_format_head *head);
  int (*restore)(const char *path, long rows, FILE *to);
} sw_format;

/* The format that the end of a file's name tells, in upper or lower case; comma-separated values for other names. */
const sw_format *sw_format_of(const char *path);

/* Of standard output and of other names. */
extern const sw_format sw_format_csv;

/* The last `lines` lines of the first `bytes` bytes of a text begin there; -1 if it has fewer. */
long sw_format_last_lines(FILE *file, long bytes, long lines);

/* `last_row` of formats whose rows have as many bytes each, behind the head. */
long sw_format_last_of_equal(long head_bytes, long bytes, long rows);

/* `last_row` of frames of points as text: a line with the number of points, a line of comment, a line for each point. */
long sw_format_last_text_frame(FILE *file, long bytes, long rows);

/* Writes the columns of a frame that are not of the state, each as " NAME=VALUE". */
void sw_format_put_others(FILE *file, const sw_format_frame *frame);

#endif
