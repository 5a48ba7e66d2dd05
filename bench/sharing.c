/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sharing.c -- memory of several simulations of one chain: created by sw_sim_create_like, and
 * created separately.
 *
 * Usage: bench_sharing [NODES]
 *
 * Each row is the peak memory of a process of its own, after two steps of every simulation.
 */
#include <stdio.h>
#include <stdlib.h>

#include "chain.h"
#include "measure.h"
#include "sidewinder/sim.h"

enum { MOST = 4 };

typedef struct {
  long nodes;
  int count;
  int shared;
} sharing;

/* A task of in_own_process: sharing -> peak memory in bytes, -1 if a simulation could not be
 * created or stepped. */
static void measure(const void *argument, void *answer)
{
  const sharing *asked = argument;
  double *peak = answer;
  const sw_size size = {.name = "N", .value = asked->nodes};
  sw_sim *sim[MOST] = {NULL};
  sw_options options;
  sw_status status = SW_OK;

  sw_options_init(&options);
  options.n_sizes = 1;
  options.sizes = &size;
  for (int i = 0; i < asked->count && status == SW_OK; i++) {
    status = asked->shared && i > 0 ? sw_sim_create_like(sim[0], &sim[i])
                                    : sw_sim_create(&sw_model_chain, &options, &sim[i]);
  }
  for (int i = 0; i < asked->count && status == SW_OK; i++) {
    status = sw_sim_run(sim[i], 1.0 / (double)asked->nodes / 100.0, 2, NULL, NULL);
  }
  *peak = status == SW_OK ? peak_memory() : -1.0;
  for (int i = 0; i < asked->count; i++) {
    sw_sim_free(&sim[i]);
  }
}

int main(int argc, char **argv)
{
  const long nodes = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
  const struct {
    sharing asked;
    const char *what;
  } rows[] = {{{nodes, 1, 0}, "one simulation"},
              {{nodes, MOST, 1}, "four that share"},
              {{nodes, MOST, 0}, "four that do not"}};

  printf("chain of %ld nodes, peak memory\n", nodes);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double peak = -1.0;
    if (in_own_process(measure, &rows[i].asked, &peak, sizeof peak) != 0 || peak < 0.0) {
      fprintf(stderr, "%s: not made\n", rows[i].what);
      return 1;
    }
    printf("  %-18s %8.0f MB\n", rows[i].what, peak * 1e-6);
  }
  return 0;
}
