/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h -- what the command line of one command says.
 */
#ifndef SIDEWINDER_COMMAND_REQUEST_H
#define SIDEWINDER_COMMAND_REQUEST_H

#include "command/report.h"
#include "pipeline.h"

#define REQUEST_SIZES 64

typedef struct request {
  const char *model;
  const char *output;
  int needs_output;
  lowering how;
  int at_own_sizes;   /* as in compile_settings */
  int discrete;       /* likewise */
  int variational;    /* likewise */
  const char *method; /* likewise, of NAME_step.c; NULL: the run line's */
  const char *base;   /* likewise */
  int compensated;    /* likewise */
  int witness;        /* 1: generate the table of witnesses, too */
  int always_step;    /* 1: write NAME_step.c also where the model has no such step */
  int no_lanes;       /* 1: build without the step of several trajectories */
  long compile_limit; /* seconds for each run of the C compiler; 0: no limit */
  const char *data;   /* check: a file of data that the model is examined with; NULL */
  const char *shared; /* build a shared object with this C file; NULL: a program */
  int has_format;     /* 0: REPORT_TEXT */
  report_format format;
  int n_sizes;
  model_size_setting sizes[REQUEST_SIZES];
} request;

/* Keys of the options without a letter. */
enum {
  KEY_ASCII = 256,
  KEY_DATA,
  KEY_JSON,
  KEY_LATEX,
  KEY_DOCUMENT,
  KEY_WITNESS,
  KEY_WITH,
  KEY_METHOD,
  KEY_BASE,
  KEY_COMPENSATED,
  KEY_NO_LANES,
  KEY_SHARED,
  KEY_ALWAYS_STEP,
  KEY_COMPILE_LIMIT
};

/* Each takes the value of an option into the request, and returns NULL, or what is wrong with it. */
const char *request_size(request *r, arena *a, const char *text);          /* NAME=VALUE */
const char *request_lowering(request *r, arena *a, const char *text);      /* a name */
const char *request_with(request *r, arena *a, const char *text);          /* a name */
const char *request_method(request *r, arena *a, const char *text);        /* a name */
const char *request_base(request *r, arena *a, const char *text);          /* a name */
const char *request_compensated(request *r, arena *a, const char *text);   /* yes, no or NULL */
const char *request_compile_limit(request *r, arena *a, const char *text); /* seconds */
const char *request_format(request *r, int key); /* one of the keys above */

/* Whether a file that is to be written is the model's own, which is then said. */
int request_is_model(const request *r, const char *path);

/* What the request says of compilation. */
compile_settings request_settings(const request *r);

/* Compiles the model that is asked for; why it or its method is refused, and what it is warned of,
 * goes to stderr. */
outcome request_compile(arena *a, const request *r, compilation *c);

#endif
