/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/kinsol_session.h -- what any use of KINSOL begins with: its memory, and vectors for it.
 *
 * SUNDIALS (versions 6 and 7) is included in newton_kinsol.c, fixed_point.c and the files kinsol_* only.
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

/* For n unknowns, with so many vectors; silent from then on.  Returns 0 without memory; sw_session_close is to be called in
 * either case. */
int sw_session_open(sw_session *s, int n, int vectors);

/* Whether a few kilobytes are left, for what does not survive or prints without them. */
int sw_session_has_memory(void);

void sw_session_close(sw_session *s);

#endif
