/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/ranks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of processes that mpirun has started, from its environment variable; 1 without
 * mpirun. */
static long count_started(void)
{
  const char *text = getenv("OMPI_COMM_WORLD_SIZE");
  long size = 1;
  return text != NULL && sw_text_integer(text, 1, &size) ? size : 1;
}

/* The gather operation of a single process. */
static void *ranks_copy(const void *own, size_t bytes, size_t *total)
{
  void *all = malloc(bytes + 1);
  *total = bytes;
  if (all != NULL && bytes > 0) {
    memcpy(all, own, bytes);
  }
  return all;
}

#ifdef SW_MPI_LIBRARY

#include <dlfcn.h>
#include <mpi.h>

enum { PIECE = 65536 /* largest size of a message, in bytes */, TAG = 1 };

#define FUNCTIONS(X)                                                                               \
  X(MPI_Init)                                                                                      \
  X(MPI_Comm_rank)                                                                                 \
  X(MPI_Comm_size)                                                                                 \
  X(MPI_Send)                                                                                      \
  X(MPI_Recv)                                                                                      \
  X(MPI_Bcast)                                                                                     \
  X(MPI_Allreduce)                                                                                 \
  X(MPI_Finalize)

/* The functions of the library, and its handles (variables of Open MPI). */
struct sw_mpi {
#define MEMBER(name) __typeof__(&(name)) name; /* NOLINT(bugprone-macro-parentheses) */
  FUNCTIONS(MEMBER)
#undef MEMBER
  MPI_Comm world;
  MPI_Datatype byte;
  MPI_Datatype integer;
  MPI_Op most;
};

static void *look_up(void *handle, const char *name, int *found)
{
  void *symbol = *found ? dlsym(handle, name) : NULL;
  *found = symbol != NULL;
  return symbol;
}

/* Loads the library.  RTLD_GLOBAL is needed because Open MPI loads plug-ins that look up its
 * symbols globally. */
static int ranks_load(struct sw_mpi *mpi)
{
  void *handle = dlopen(SW_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  int found = handle != NULL;
#define LOOK_UP(name) *(void **)(void *)&mpi->name = look_up(handle, #name, &found);
  FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  mpi->world = look_up(handle, "ompi_mpi_comm_world", &found);
  mpi->byte = look_up(handle, "ompi_mpi_byte", &found);
  mpi->integer = look_up(handle, "ompi_mpi_int", &found);
  mpi->most = look_up(handle, "ompi_mpi_op_max", &found);
  return found;
}

sw_status sw_ranks_open(sw_ranks *ranks, char message[SW_TEXT_MESSAGE])
{
  *ranks = (sw_ranks){.rank = 0, .size = 1};
  message[0] = '\0';
  if (count_started() == 1) {
    return SW_OK;
  }
  struct sw_mpi *mpi = calloc(1, sizeof *mpi);
  if (mpi == NULL) {
    return SW_ERR_MEMORY;
  }
  if (!ranks_load(mpi) || mpi->MPI_Init(NULL, NULL) != MPI_SUCCESS) {
    snprintf(message, SW_TEXT_MESSAGE, "mpirun has started %ld processes, but %s cannot be used",
             count_started(), SW_MPI_LIBRARY);
    free(mpi);
    return SW_ERR_OPTION;
  }
  ranks->mpi = mpi;
  mpi->MPI_Comm_rank(mpi->world, &ranks->rank);
  mpi->MPI_Comm_size(mpi->world, &ranks->size);
  return SW_OK;
}

void sw_ranks_close(sw_ranks *ranks)
{
  if (ranks->mpi != NULL) {
    ranks->mpi->MPI_Finalize();
    free(ranks->mpi);
  }
  *ranks = (sw_ranks){.rank = 0, .size = 1};
}

/* Return codes are not checked below: Open MPI ends all processes if a call fails. */

static int piece_of(size_t left)
{
  return left < PIECE ? (int)left : PIECE;
}

static void send(const struct sw_mpi *mpi, const char *bytes, uint64_t count)
{
  mpi->MPI_Send(&count, (int)sizeof count, mpi->byte, 0, TAG, mpi->world);
  for (size_t at = 0; at < count; at += PIECE) {
    mpi->MPI_Send(bytes + at, piece_of(count - at), mpi->byte, 0, TAG, mpi->world);
  }
}

/* Appends the data from rank `from` to *all.  If memory is short, receives and discards the
 * data. */
static void receive(const struct sw_mpi *mpi, int from, char **all, size_t *total)
{
  char lost[PIECE];
  uint64_t count = 0;
  mpi->MPI_Recv(&count, (int)sizeof count, mpi->byte, from, TAG, mpi->world, MPI_STATUS_IGNORE);
  char *grown = *all != NULL ? realloc(*all, *total + count + 1) : NULL;
  if (grown == NULL) {
    free(*all);
  }
  *all = grown;
  for (size_t at = 0; at < count; at += PIECE) {
    mpi->MPI_Recv(grown != NULL ? grown + *total + at : lost, piece_of(count - at), mpi->byte, from,
                  TAG, mpi->world, MPI_STATUS_IGNORE);
  }
  *total += count;
}

void *sw_ranks_gather(const sw_ranks *ranks, const void *own, size_t bytes, size_t *total)
{
  if (ranks->rank > 0) {
    send(ranks->mpi, own, bytes);
    *total = 0;
    return NULL;
  }
  char *all = ranks_copy(own, bytes, total);
  for (int r = 1; r < ranks->size; r++) {
    receive(ranks->mpi, r, &all, total);
  }
  return all;
}

void sw_ranks_share(const sw_ranks *ranks, void *bytes, size_t count)
{
  if (ranks->mpi != NULL) {
    ranks->mpi->MPI_Bcast(bytes, (int)count, ranks->mpi->byte, 0, ranks->mpi->world);
  }
}

int sw_ranks_largest(const sw_ranks *ranks, int number)
{
  int largest = number;
  if (ranks->mpi != NULL) {
    ranks->mpi->MPI_Allreduce(&number, &largest, 1, ranks->mpi->integer, ranks->mpi->most,
                              ranks->mpi->world);
  }
  return largest;
}

#else

sw_status sw_ranks_open(sw_ranks *ranks, char message[SW_TEXT_MESSAGE])
{
  *ranks = (sw_ranks){.rank = 0, .size = 1};
  message[0] = '\0';
  if (count_started() == 1) {
    return SW_OK;
  }
  snprintf(message, SW_TEXT_MESSAGE,
           "mpirun has started %ld processes, but the runtime was built without MPI (Debian: "
           "libopenmpi-dev)",
           count_started());
  return SW_ERR_OPTION;
}

void sw_ranks_close(sw_ranks *ranks)
{
  (void)ranks;
}

void *sw_ranks_gather(const sw_ranks *ranks, const void *own, size_t bytes, size_t *total)
{
  (void)ranks;
  return ranks_copy(own, bytes, total);
}

void sw_ranks_share(const sw_ranks *ranks, void *bytes, size_t count)
{
  (void)ranks, (void)bytes, (void)count;
}

int sw_ranks_largest(const sw_ranks *ranks, int number)
{
  (void)ranks;
  return number;
}

#endif
