/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h -- the options and arguments of one command.
 */
#ifndef SIDEWINDER_COMMAND_REQUEST_H
#define SIDEWINDER_COMMAND_REQUEST_H

#include "pipeline.h"

#define REQUEST_SIZES 64

/* The output of `sidewinder check`. */
typedef enum report_format {
  REPORT_TEXT,     /* in UTF-8 if the locale uses it, else in ASCII */
  REPORT_ASCII,    /* text in ASCII */
  REPORT_JSON,     /* one object (docs/check.md) */
  REPORT_LATEX,    /* a fragment for a document that uses amsmath and textcomp */
  REPORT_DOCUMENT, /* a complete LaTeX document */
} report_format;

typedef struct request {
  const char *model;
  const char *output;
  int needs_output;
  lowering how;
  int at_own_sizes; /* as in compile_settings */
  int discrete;     /* as in compile_settings */
  int variational;  /* as in compile_settings */
  int parameters;   /* as in compile_settings */
  /* as in compile_settings: method of NAME_step.c; NULL takes it from the run line */
  const char *method;
  const char *base;   /* as in compile_settings: base method */
  int compensated;    /* as in compile_settings */
  int witness;        /* 1 generates the witness table for `verify` */
  int always_step;    /* 1 writes NAME_step.c even if the model has no such step */
  int no_lanes;       /* 1 builds without the step for several trajectories at once */
  long compile_limit; /* seconds for each run of the C compiler; 0: no limit */
  const char *data;   /* data file for `check`, or NULL */
  const char *shared; /* C file for a shared object; NULL builds a program */
  int has_format;     /* 0 for REPORT_TEXT */
  report_format format;
  int n_sizes;
  model_size_setting sizes[REQUEST_SIZES];
} request;

/* Keys of options without a short form. */
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

/* Each function stores the value of an option in the request.  It returns NULL or an error
 * message. */
const char *request_size(request *r, arena *a, const char *text);          /* NAME=VALUE */
const char *request_lowering(request *r, arena *a, const char *text);      /* a name */
const char *request_with(request *r, arena *a, const char *text);          /* a name */
const char *request_method(request *r, arena *a, const char *text);        /* a name */
const char *request_base(request *r, arena *a, const char *text);          /* a name */
const char *request_compensated(request *r, arena *a, const char *text);   /* yes, no or NULL */
const char *request_compile_limit(request *r, arena *a, const char *text); /* seconds */
const char *request_format(request *r, int key); /* one of the keys above */

/* 1, after a message, if the file to write is the model itself. */
int request_is_model(const request *r, const char *path);

/* The compile settings of the request. */
compile_settings request_settings(const request *r);

/* Compiles the requested model.  Reasons for refusing the model or its method, and warnings, go to
 * stderr. */
outcome request_compile(arena *a, const request *r, compilation *c);

#endif
