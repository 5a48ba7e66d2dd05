/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/team.h -- threads that share out numbered pieces of work, such as trajectories, or ranges of a long loop.
 *
 * Whoever is free takes the next piece, so that which thread has done which piece says nothing about the results.  POSIX threads, and
 * not OpenMP: no compiler flag and no library is needed by the programs that link this one, and ThreadSanitizer sees all of it.
 *
 * A thread without work looks for more for some microseconds before it sleeps, since the loops of a step follow each other closely.
 * Nobody waits for a thread that has not begun to work: where processors are busy with other programs, the others do its pieces.
 */
#ifndef SIDEWINDER_COMMON_TEAM_H
#define SIDEWINDER_COMMON_TEAM_H

#include <stddef.h>

#include "sidewinder/status.h"

typedef struct sw_team sw_team;

/* One piece of work, by the worker of that number, from 0 to below the number of threads. */
typedef void sw_team_job(void *context, long piece, int worker);

/* A team of that many threads, the caller's among them.  They have the caller's locale, and no signals.  On failure *team is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_team_create(int threads, sw_team **team);

/* Ends the threads and frees the memory.  In a forked child, which has no copies of the threads, sw_team_free frees the memory and
 * sw_team_run does all pieces itself. */
void sw_team_free(sw_team **team);

/* Does pieces 0 to pieces - 1, and returns when all are done. */
void sw_team_run(sw_team *team, sw_team_job *job, void *context, long pieces);

/* ---- ranges of a loop ---- */

/* Iterations from `first` to end - 1. */
typedef void sw_range_job(void *context, size_t first, size_t end);

#define SW_TEAM_GRAIN 4096

/* Does iterations 0 to n - 1 of a loop by a team, in ranges that are multiples of SW_TEAM_GRAIN long and do not depend on the number of
 * threads, those of one range in their order. */
void sw_team_share_out(sw_team *team, size_t n, sw_range_job *job, void *context);

/* The same, and all at once where team is NULL or the loop is short.  Here, so that the compiler sees which job it is: small systems,
 * which have no team, take many such loops a microsecond. */
static inline void sw_team_share(sw_team *team, size_t n, sw_range_job *job, void *context)
{
  if (team && n >= 2 * SW_TEAM_GRAIN) {
    sw_team_share_out(team, n, job, context);
  } else if (n > 0) {
    job(context, 0, n);
  }
}

/* The length of these ranges, of which there are at most SW_TEAM_RANGES. */
size_t sw_team_range(size_t n);
#define SW_TEAM_RANGES 256

/* The number of ranges that n iterations are cut into where it takes a team to do them, else 1: for what is cut in another way. */
long sw_team_pieces(const sw_team *team, size_t n);

#endif
