/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/kinsol_session.h -- setup shared by all users of KINSOL: its memory and its vectors.
 *
 * Only newton_kinsol.c and the files kinsol_* include SUNDIALS (versions 6 and 7).
 */
#ifndef SIDEWINDER_SOLVE_KINSOL_SESSION_H
#define SIDEWINDER_SOLVE_KINSOL_SESSION_H

#include <sundials/sundials_context.h>

#include "solve/kinsol_vectors.h"

typedef struct sw_session {
  SUNContext context;
  void *no_context[16]; /* see kinsol_session.c */
  void *kinsol;
  sw_vectors *vectors;
} sw_session;

/* Opens a session for n unknowns with a stock of `vectors` vectors, and silences SUNDIALS' output.
 * Returns 0 if memory runs out. Call sw_session_close in any case. */
int sw_session_open(sw_session *s, int n, int vectors);

/* 1 if a few kilobytes of memory are available: some SUNDIALS functions crash or print a message
 * without them. */
int sw_session_has_memory(void);

void sw_session_close(sw_session *s);

#endif
