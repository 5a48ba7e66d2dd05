/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/team.h -- threads that share numbered pieces of work, such as trajectories, or ranges of a
 * long loop.
 *
 * A free thread takes the next piece, so results must not depend on which thread has done which
 * piece.  The team uses POSIX threads instead of OpenMP: programs that link the library need no
 * compiler flag and no library, and ThreadSanitizer understands all of it.
 *
 * An idle thread polls for new work for some microseconds before it sleeps, since the loops of a
 * step follow each other closely.  The team never waits for a thread that has not started to work:
 * if processors are busy with other programs, the other threads do its pieces.
 */
#ifndef SIDEWINDER_COMMON_TEAM_H
#define SIDEWINDER_COMMON_TEAM_H

#include <stddef.h>

#include "sidewinder/status.h"

typedef struct sw_team sw_team;

/* Does one piece of work. worker is the number of the thread, from 0 to one below the number of
 * threads. */
typedef void sw_team_job(void *context, long piece, int worker);

/* A team of `threads` threads, including the caller's.  They inherit the caller's locale and block
 * all signals.  On failure *team is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_team_create(int threads, sw_team **team);

/* Ends the threads and frees the memory.  A forked child has no copies of the threads: there
 * sw_team_free frees the memory, and sw_team_run does all pieces itself. */
void sw_team_free(sw_team **team);

/* Does pieces 0 .. pieces - 1.  Returns when all are done. */
void sw_team_run(sw_team *team, sw_team_job *job, void *context, long pieces);

/* ---- ranges of a loop ---- */

/* Does iterations first .. end - 1. */
typedef void sw_range_job(void *context, size_t first, size_t end);

#define SW_TEAM_GRAIN 4096

/* Does iterations 0 .. n - 1 of a loop on a team.  The ranges are multiples of SW_TEAM_GRAIN, do
 * not depend on the number of threads, and are each done in order. */
void sw_team_share_out(sw_team *team, size_t n, sw_range_job *job, void *context);

/* As sw_team_share_out, but runs the whole loop at once if team is NULL or the loop is short.
 * Inline, so that the compiler sees the job: small systems, which have no team, run many such loops
 * per microsecond. */
static inline void sw_team_share(sw_team *team, size_t n, sw_range_job *job, void *context)
{
  if (team && n >= 2 * SW_TEAM_GRAIN) {
    sw_team_share_out(team, n, job, context);
  } else if (n > 0) {
    job(context, 0, n);
  }
}

/* The length of the ranges.  There are at most SW_TEAM_RANGES of them. */
size_t sw_team_range(size_t n);
#define SW_TEAM_RANGES 256

/* The number of ranges into which sw_team_share divides n iterations; 1 if it does not use the
 * team.  For work that is divided in another way. */
long sw_team_pieces(const sw_team *team, size_t n);

#endif
