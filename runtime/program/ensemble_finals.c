/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "program/ensemble.h"

long sw_share_first(long count, long i, long n)
{
  const long rest = count % n;
  return count / n * i + (i < rest ? i : rest);
}

size_t sw_finals_width(const sw_ensemble_job *job)
{
  const sw_system *system = job->request->settings.system;
  return 2 + SW_COURSE_NUMBERS + job->ensemble->stride + 2 * (size_t)system->nq +
         (job->ensemble->k != NULL ? (size_t)system->nk : 0);
}

/* The messages of this process's failed trajectories. */
static char *own_messages(const sw_ensemble *e, size_t *bytes)
{
  char *text = NULL;
  FILE *file = open_memstream(&text, bytes);
  if (file == NULL) {
    return NULL;
  }
  for (long i = 0; i < e->count; i++) {
    if (e->status[i] != SW_OK) {
      const char *message = sw_ensemble_message(e, i);
      fwrite(message, 1, strlen(message) + 1, file);
    }
  }
  return sw_text_written(file, &text);
}

static double *own_numbers(const sw_ensemble_job *job, size_t width)
{
  const sw_ensemble *e = job->ensemble;
  const size_t dim = 2 * (size_t)job->request->settings.system->nq;
  double *numbers = calloc((size_t)e->count, width * sizeof *numbers);
  for (long i = 0; numbers != NULL && i < e->count; i++) {
    double *to = numbers + (size_t)i * width;
    to[0] = (double)e->status[i];
    to[1] = (double)e->steps[i];
    sw_copy(to + 2, e->saved + (size_t)i * e->stride, e->stride);
    to += 2 + e->stride;
    sw_copy(to, job->initial + (size_t)i * dim, dim);
    const size_t nk = width - 2 - e->stride - dim - SW_COURSE_NUMBERS;
    sw_copy(to + dim, sw_ensemble_parameters(e, i), nk);
    sw_energy_course_save(&e->energy[i], to + dim + nk);
  }
  return numbers;
}

int sw_ensemble_collect(const sw_ensemble_job *job, sw_ensemble_finals *finals)
{
  const size_t width = sw_finals_width(job);
  size_t own_bytes = 0;
  size_t bytes = 0;
  *finals =
      (sw_ensemble_finals){.count = job->part, .width = width, .stride = job->ensemble->stride};
  double *numbers = own_numbers(job, width);
  char *messages = own_messages(job->ensemble, &own_bytes);
  int good = numbers != NULL && messages != NULL;
  if (sw_ranks_largest(&job->ranks, !good) == 0) {
    finals->numbers = sw_ranks_gather(
        &job->ranks, numbers, (size_t)job->ensemble->count * width * sizeof *numbers, &bytes);
    finals->messages = sw_ranks_gather(&job->ranks, messages, own_bytes, &finals->bytes);
    good = job->ranks.rank > 0 || (finals->numbers != NULL && finals->messages != NULL);
  }
  free(numbers);
  free(messages);
  return good;
}

void sw_ensemble_finals_clear(sw_ensemble_finals *finals)
{
  free(finals->numbers);
  free(finals->messages);
  *finals = (sw_ensemble_finals){.count = 0};
}

sw_stats sw_ensemble_cost(const sw_ensemble_job *job)
{
  sw_stats all = {0};
  const sw_stats own = sw_ensemble_stats(job->ensemble);
  size_t bytes = 0;
  sw_stats *of = sw_ranks_gather(&job->ranks, &own, sizeof own, &bytes);
  for (size_t r = 0; of != NULL && r < bytes / sizeof *of; r++) {
    sw_stats_add(&all, &of[r]);
  }
  free(of);
  return all;
}
