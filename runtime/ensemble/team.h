/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble/team.h -- threads that share out numbered pieces of work.
 *
 * Whoever is free takes the next piece, so that which thread has done which piece says nothing about the results.  POSIX threads, and
 * not OpenMP: no compiler flag and no library is needed by the programs that link this one, and ThreadSanitizer sees all of it.
 */
#ifndef SW_ENSEMBLE_TEAM_H
#define SW_ENSEMBLE_TEAM_H

#include "sidewinder/status.h"

typedef struct sw_team sw_team;

/* One piece of work, by the worker of that number, from 0 to below the number of threads. */
typedef void sw_team_job(void *context, long piece, int worker);

/* A team of that many threads, the caller's among them.  They have the caller's locale, and no signals.  On failure *team is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_team_create(int threads, sw_team **team);
void sw_team_free(sw_team **team);

/* Does pieces 0 to pieces - 1, and returns when all are done. */
void sw_team_run(sw_team *team, sw_team_job *job, void *context, long pieces);

#endif
