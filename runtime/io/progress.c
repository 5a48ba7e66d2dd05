/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/progress.h"

#include <time.h>

static double seconds(void)
{
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sw_progress_start(sw_progress *progress, FILE *stream, long done, long total)
{
  double now = seconds();
  *progress =
      (sw_progress){.stream = stream, .total = total, .first = done, .start = now, .last = now};
}

double sw_progress_seconds(const sw_progress *progress)
{
  return seconds() - progress->start;
}

void sw_progress_update(sw_progress *progress, long step)
{
  if (progress->stream == NULL) {
    return;
  }
  double now = seconds();
  if (now - progress->last < 0.1) {
    return;
  }
  double done = progress->total > 0 ? (double)step / (double)progress->total : 1.0;
  double elapsed = now - progress->start;
  progress->last = now;
  progress->shown = 1;
  fprintf(progress->stream, "\rstep %ld of %ld (%.0f %%), %.0f s", step, progress->total,
          100.0 * done, elapsed);
  if (step > progress->first) {
    fprintf(progress->stream, ", %.0f s left",
            elapsed * (double)(progress->total - step) / (double)(step - progress->first));
  }
  fputs("\033[K", progress->stream);
  fflush(progress->stream);
}

double sw_progress_finish(sw_progress *progress)
{
  if (progress->shown) {
    fputs("\r\033[K", progress->stream);
  }
  return seconds() - progress->start;
}
