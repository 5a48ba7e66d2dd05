/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_report.h -- the command `report`: a model, its verdicts and a run of it as one HTML page.
 */
#ifndef SIDEWINDER_COMMAND_WEB_REPORT_H
#define SIDEWINDER_COMMAND_WEB_REPORT_H

#include "pipeline.h"

/* Runs the command.  The page of a refused model gives the reasons.  If a step fails, the page
 * shows the run up to it.  Exit codes are those of `check` and `run`. */
outcome web_report(arena *a, int argc, char **argv);

#endif
