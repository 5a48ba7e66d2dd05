/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/ranks.h -- the processes that `mpirun` has started, or this one alone.
 *
 * Open MPI is looked for where mpirun has started more than one process, and not linked: no program needs it, or is slower to start
 * for it, and one that is carried to another machine runs there without it.
 */
#ifndef SW_PROGRAM_RANKS_H
#define SW_PROGRAM_RANKS_H

#include <stddef.h>

#include "common/user_text.h"
#include "sidewinder/status.h"

typedef struct sw_ranks {
  int rank; /* from 0, who writes the files */
  int size;
  struct sw_mpi *mpi; /* NULL where there is one process */
} sw_ranks;

/* Finds out who there is.  sw_ranks_close is to be called in every case.  Errors: SW_ERR_OPTION with a message, where there are several and
 * no library; SW_ERR_MEMORY. */
sw_status sw_ranks_open(sw_ranks *ranks, char message[SW_TEXT_MESSAGE]);
void sw_ranks_close(sw_ranks *ranks);

/* Of these, all ranks call the same ones in the same order. */

/* Rank 0 gets what all ranks have, in their order, as one block to be freed; NULL at the others, and without memory. */
void *sw_ranks_gather(const sw_ranks *ranks, const void *own, size_t bytes, size_t *total);

/* All get what rank 0 has. */
void sw_ranks_share(const sw_ranks *ranks, void *bytes, size_t count);

/* All get the largest number that one has. */
int sw_ranks_largest(const sw_ranks *ranks, int number);

#endif
