/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting.h -- a progress line for slow operations, on a terminal.
 */
#ifndef SIDEWINDER_COMMAND_WAITING_H
#define SIDEWINDER_COMMAND_WAITING_H

/* Shows "WHAT NAME ..." on stderr if it is a terminal.  The cursor stays at the beginning of the
 * line, so that the next output overwrites it. */
void waiting_for(const char *what, const char *name);

/* Clears the line. */
void waiting_over(void);

#endif
