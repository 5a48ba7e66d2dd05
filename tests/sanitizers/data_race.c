/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares the scratch memory of one system between two threads; ThreadSanitizer has to say so. */
#include <pthread.h>
#include <stdlib.h>

#include "chain.h"
#include "model/system.h"

static void *evaluate(void *system)
{
  const sw_system *shared = system;
  double *z = calloc(2 * (size_t)shared->nq, sizeof *z);
  double *out = calloc((size_t)shared->nc, sizeof *out);

  if (z && out) {
    for (int i = 0; i < 100; i++) {
      shared->hidden(shared, z, shared->k_default, out);
    }
  }
  free(z);
  free(out);
  return NULL;
}

int main(void)
{
  pthread_t thread[2];
  sw_system *system = NULL;

  if (sw_system_create(&sw_model_chain, 0, NULL, &system, NULL) != SW_OK) {
    return 2;
  }
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&thread[i], NULL, evaluate, system) != 0) {
      return 2;
    }
  }
  for (int i = 0; i < 2; i++) {
    (void)pthread_join(thread[i], NULL);
  }
  sw_system_free(&system);
  return 0;
}
