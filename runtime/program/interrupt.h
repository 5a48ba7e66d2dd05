/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/interrupt.h -- SIGINT, SIGTERM and SIGHUP end a run behind the step that is under way.
 *
 * Signals belong to the process, so that what a handler sets is the one variable of this library that is not
 * const and belongs to no object.  Only commands of a program install the handlers, never what sim.h declares.
 */
#ifndef SW_PROGRAM_INTERRUPT_H
#define SW_PROGRAM_INTERRUPT_H

#include <signal.h>

enum { SW_SIGNALS = 4 };

/* What the process did before. */
typedef struct sw_interrupts {
  struct sigaction before[SW_SIGNALS];
} sw_interrupts;

/* From now on SIGINT, SIGTERM and SIGHUP (the terminal is gone) are noted, unless the process ignores them, as under
 * nohup(1), and SIGXFSZ is ignored, so that a
 * file that has become too large is an error of write(2). */
void sw_interrupts_catch(sw_interrupts *kept);

/* As it was before sw_interrupts_catch. */
void sw_interrupts_release(const sw_interrupts *kept);

/* The signal that was noted last since sw_interrupts_catch, or 0. */
int sw_interrupted(void);

#endif
