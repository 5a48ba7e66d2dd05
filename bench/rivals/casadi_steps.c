/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * casadi_steps.c -- takes the steps that casadi_steps.py has CasADi write as step.c, and times them.
 *
 *   steps H STEPS Z...       prints the seconds of a processor that so many steps from z take, and the state that they lead to
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* CasADi's; one translation unit, so that the compiler may put the step into the loop. */
#include "step.h"

#include "step.c"

enum { most_entries = 24 };

/* Of |g|^2, where g = |q|^2 - 1 for every bond. */
static const double accepted = 1e-24;

static double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
  const int n = argc - 3;
  const double *arg[step_SZ_ARG];
  double *res[step_SZ_RES];
  casadi_int iw[step_SZ_IW + 1];
  double w[step_SZ_W + 1];
  double z[2][most_entries];
  double off = 0.0;

  if (n < 1 || n > most_entries) {
    fprintf(stderr, "usage: %s H STEPS Z...\n", argv[0]);
    return 2;
  }
  const double h = strtod(argv[1], NULL);
  const long steps = strtol(argv[2], NULL, 10);
  for (int i = 0; i < n; i++) {
    z[0][i] = strtod(argv[3 + i], NULL);
  }
  const double begin = seconds();
  for (long i = 0; i < steps; i++) {
    arg[0] = z[i % 2];
    arg[1] = &h;
    res[0] = z[1 - i % 2];
    res[1] = &off;
    if (step(arg, res, iw, w, 0) != 0 || !(off <= accepted)) {
      fprintf(stderr, "step %ld leaves |g|^2 = %g\n", i, off);
      return 1;
    }
  }
  printf("%.17g\n", seconds() - begin);
  for (int i = 0; i < n; i++) {
    printf("%.17g\n", z[steps % 2][i]);
  }
  return 0;
}
