/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h -- what `sidewinder check` prints.
 */
#ifndef SIDEWINDER_COMMAND_REPORT_H
#define SIDEWINDER_COMMAND_REPORT_H

#include <stdio.h>

#include "pipeline.h"

typedef enum report_format {
  REPORT_TEXT,     /* in UTF-8 where the locale has it, else in ASCII */
  REPORT_ASCII,    /* text in ASCII */
  REPORT_JSON,     /* one object (docs/check.md) */
  REPORT_LATEX,    /* a fragment, for a document that uses amsmath and textcomp */
  REPORT_DOCUMENT, /* LaTeX to be compiled by itself */
} report_format;

/* Prints the formulas as written and written out, the verdicts with their evidence, the initial states, and,
 * where the model is refused, why.  c->summary is there: the model could be lowered. */
void report_print(const compilation *c, report_format format, FILE *out);

#endif
