/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/format.h -- the formats of trajectory files.
 *
 * A format is one constant: the endings of its files, the contents of a file, and the functions
 * that write its head and its rows and find its last row. io/formats.c lists all formats.  To add
 * one, write io/format_NAME.c and add its name to that list. io/trajectory.c does the rest: the
 * unfinished file, marks and resumption, digests, and FILE.json.
 */
#ifndef SW_IO_FORMAT_H
#define SW_IO_FORMAT_H

#include <stdio.h>

#include "io/axis_points.h"
#include "io/columns.h"
#include "sidewinder/program.h"

/* The data for the head of a file. */
typedef struct sw_format_head {
  size_t rows; /* number of rows so far */
  const sw_columns *columns;
  const sw_program *program; /* source of the columns' comments; NULL: no comments */
  const char *metadata;      /* the text of FILE.json; NULL until the file is finished */
} sw_format_head;

/* One state, as a row of columns or as a frame of points. */
typedef struct sw_format_frame {
  long step;
  double t;
  const sw_columns *columns; /* the columns of `row` */
  const char *event;         /* the name of the first value of a crossing, for text; else NULL */
  const double *row;         /* the values of the columns; NULL if the format has none */
  const sw_points *points;   /* the points of `q` and `velocities` */
  const double *q;           /* positions, d values; NULL if the format has no points */
  const double *velocities;
  double scale; /* factor of lengths for files in angstrom */
  /* the three edges of the box in the model's units; NULL if the model has no box */
  const double *box;
} sw_format_frame;

typedef struct sw_format {
  const char *name;       /* name of the format in FILE.json */
  const char *endings[3]; /* endings of file names, terminated by NULL */

  /* The contents of a file. */
  int has_columns;    /* 1: the requested columns; 0: only step and t */
  int has_points;     /* 1: frames of points */
  int has_velocities; /* 1: velocities of the points */
  int counts_rows;    /* 1: the head contains the number of rows and is rewritten at the end */
  long head_bytes; /* size of a head that contains the number of rows; digests skip these bytes */
  int most_points; /* the largest number of points of a frame; 0: no limit */

  /* Checks that such files can be written here; NULL if they always can.  Errors: SW_ERR_OPTION
   * with a message. */
  sw_status (*find)(char message[SW_TEXT_MESSAGE]);

  /* Write the head and a row.  The caller checks the stream for errors. put_head is NULL if there
   * is no head. */
  void (*put_head)(FILE *file, const sw_format_head *head);
  void (*put_row)(FILE *file, const sw_format_frame *frame);

  /* The position of the last row within the first `bytes` bytes of a file; -1 if the file has
   * another format. */
  long (*last_row)(FILE *file, long bytes, long rows);

  /* For formats to which rows cannot be appended; else NULL. put_head and put_row then write
   * another format.  At the end, `convert` makes the file `path` from the file `rows` that they
   * have written.  `restore` makes such a file from a finished one.  Errors of convert: SW_ERR_IO
   * with errno, SW_ERR_OPTION, SW_ERR_MEMORY.  restore returns 0 on failure. */
  sw_status (*convert)(const char *path, FILE *rows, const sw_format_head *head);
  int (*restore)(const char *path, long rows, FILE *to);
} sw_format;

/* The format for the ending of a file name, ignoring case; CSV for unknown endings. */
const sw_format *sw_format_of(const char *path);

/* The format of standard output and of unknown endings. */
extern const sw_format sw_format_csv;

/* The position of the last `lines` lines within the first `bytes` bytes of a text; -1 if the text
 * has fewer lines. */
long sw_format_last_lines(FILE *file, long bytes, long lines);

#endif
