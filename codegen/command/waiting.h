/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting.h -- what a command waits for, on a terminal.
 */
#ifndef SIDEWINDER_COMMAND_WAITING_H
#define SIDEWINDER_COMMAND_WAITING_H

/* Shows "WHAT NAME ..." on stderr where that is a terminal.  The cursor is left at the beginning of the line, so that
 * whatever is printed next takes its place. */
void waiting_for(const char *what, const char *name);

/* Wipes it. */
void waiting_over(void);

#endif
