/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h -- the output of `sidewinder check`.
 */
#ifndef SIDEWINDER_COMMAND_REPORT_H
#define SIDEWINDER_COMMAND_REPORT_H

#include <stdio.h>

#include "pipeline.h"

typedef enum report_format {
  REPORT_TEXT,     /* in UTF-8 if the locale uses it, else in ASCII */
  REPORT_ASCII,    /* text in ASCII */
  REPORT_JSON,     /* one object (docs/check.md) */
  REPORT_LATEX,    /* a fragment for a document that uses amsmath and textcomp */
  REPORT_DOCUMENT, /* a complete LaTeX document */
} report_format;

/* Prints the formulas (as written, and expanded), the verdicts with their evidence, the initial
 * states, and the reasons if the model is refused.  c->summary must exist: the model must have been
 * lowered. */
void report_print(const compilation *c, report_format format, FILE *out);

#endif
