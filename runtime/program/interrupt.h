/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/interrupt.h -- SIGINT, SIGTERM and SIGHUP end a run after the current step.
 *
 * Signals belong to the process.  Therefore the handler's variable is the only global variable of
 * this library that is not const.  Only commands of a program install handlers; the functions of
 * sim.h never do.
 */
#ifndef SW_PROGRAM_INTERRUPT_H
#define SW_PROGRAM_INTERRUPT_H

#include <signal.h>

enum { SW_SIGNALS = 4 };

/* The former signal actions of the process. */
typedef struct sw_interrupts {
  struct sigaction before[SW_SIGNALS];
} sw_interrupts;

/* Installs handlers that record SIGINT, SIGTERM and SIGHUP (the terminal was closed), unless the
 * process ignores these signals, as under nohup(1).  Ignores SIGXFSZ, so that write(2) returns an
 * error if a file becomes too large. */
void sw_interrupts_catch(sw_interrupts *kept);

/* Restores the actions from before sw_interrupts_catch. */
void sw_interrupts_release(const sw_interrupts *kept);

/* The last signal recorded since sw_interrupts_catch, or 0. */
int sw_interrupted(void);

#endif
