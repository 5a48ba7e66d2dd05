/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compensated.c -- growth of the rounding errors of the energy over long runs, with and without
 * compensated summation (growth.h).
 *
 * Usage: compensated [STEPS [FOLDER]]
 *
 * Takes STEPS steps of the pendulum, and a tenth of them for hopf, whose steps take longer.  With
 * FOLDER, writes FOLDER/compensated.dat for examples/long_runs.gp.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compensated_steppers.h"
#include "growth.h"
#include "hopf.h"
#include "pendulum.h"

static void fail(const char *what, const char *why)
{
  fprintf(stderr, "compensated: %s: %s\n", what, why);
  exit(3);
}

/* The slope of log error against log steps, by least squares. */
static double slope(int n, const growth_mark marks[])
{
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;

  for (int i = 0; i < n; i++) {
    const double u = log((double)marks[i].steps);
    const double v = log(marks[i].error);
    x += u / n;
    y += v / n;
    xx += u * u / n;
    xy += u * v / n;
  }
  return (xy - x * y) / (xx - x * x);
}

static void compare(const growth_example *e, long steps, FILE *file)
{
  growth_mark marks[2][GROWTH_MARKS];
  double taken[2];
  int n = 0;

  for (int compensated = 0; compensated < 2; compensated++) {
    n = growth_measure(e, compensated, steps, marks[compensated], &taken[compensated]);
  }
  printf("%s over %s, h = %g, error of the energy and largest |g|\n", e->model->name,
         e->stepper[0]->base, e->h);
  printf("  %10s  %8s %8s %8s    %8s %8s %8s\n", "steps", "plain", "mean", "|g|", "compens.",
         "mean", "|g|");
  for (int i = 0; i < n; i++) {
    const growth_mark *a = &marks[0][i];
    const growth_mark *b = &marks[1][i];
    printf("  %10ld  %8.1e %8.0e %8.1e    %8.1e %8.0e %8.1e\n", a->steps, a->error, a->mean,
           a->largest_g, b->error, b->mean, b->largest_g);
    if (file) {
      fprintf(file, "%ld %.3e %.3e %.3e %.3e\n", a->steps, a->error, a->largest_g, b->error,
              b->largest_g);
    }
  }
  printf("  slopes %.2f and %.2f; compensated steps take %.2f times the time\n", slope(n, marks[0]),
         slope(n, marks[1]), taken[1] / taken[0]);
  fflush(stdout);
  if (file) {
    fprintf(file, "\n\n");
  }
}

static FILE *open_data(const char *folder)
{
  char path[4096];

  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    fail(folder, strerror(errno));
  }
  if (snprintf(path, sizeof path, "%s/compensated.dat", folder) >= (int)sizeof path) {
    fail(folder, "the name is too long");
  }
  FILE *file = fopen(path, "w");
  if (!file) {
    fail(path, strerror(errno));
  }
  fprintf(file, "# steps, error of the energy, |g|, and both with compensated summation\n");
  return file;
}

int main(int argc, char **argv)
{
  const long steps = argc > 1 ? atol(argv[1]) : 1000000;
  static const growth_example examples[] = {GROWTH_EXAMPLE(pendulum, 0.05),
                                            GROWTH_EXAMPLE(hopf, 0.02)};
  static const long parts[] = {1, 10};

  if (steps < 50 * GROWTH_BLOCK) {
    fprintf(stderr, "compensated: at least %d steps\n", 50 * GROWTH_BLOCK);
    return 2;
  }
  FILE *file = argc > 2 ? open_data(argv[2]) : NULL;
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    compare(&examples[i], steps / parts[i], file);
  }
  if (file && fclose(file) != 0) {
    fail(argv[2], strerror(errno));
  }
  return 0;
}
