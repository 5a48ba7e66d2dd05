/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/ranks.h -- the processes that `mpirun` has started, or this single process.
 *
 * Open MPI is loaded at run time, only if mpirun has started more than one process.  So no
 * program depends on the library, starts more slowly because of it, or fails on a machine without
 * it.
 */
#ifndef SW_PROGRAM_RANKS_H
#define SW_PROGRAM_RANKS_H

#include <stddef.h>

#include "common/user_text.h"
#include "sidewinder/status.h"

typedef struct sw_ranks {
  int rank; /* from 0; rank 0 writes the files */
  int size;
  struct sw_mpi *mpi; /* NULL if there is only one process */
} sw_ranks;

/* Detects the processes.  Call sw_ranks_close in every case.  Errors: SW_ERR_OPTION with a
 * message, if there are several processes and no MPI library; SW_ERR_MEMORY. */
sw_status sw_ranks_open(sw_ranks *ranks, char message[SW_TEXT_MESSAGE]);
void sw_ranks_close(sw_ranks *ranks);

/* Collective functions: all ranks call them in the same order. */

/* Gathers the data of all ranks at rank 0, in the order of the ranks, as one block that the
 * caller frees.  Returns NULL at other ranks, and if memory is short. */
void *sw_ranks_gather(const sw_ranks *ranks, const void *own, size_t bytes, size_t *total);

/* Broadcasts the bytes of rank 0. */
void sw_ranks_share(const sw_ranks *ranks, void *bytes, size_t count);

/* Returns the maximum of all ranks' numbers, at every rank. */
int sw_ranks_largest(const sw_ranks *ranks, int number);

#endif
