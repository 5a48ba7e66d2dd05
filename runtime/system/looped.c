/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * looped.c -- makes a system of a looped model, and releases it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "system/looped.h"

sw_status sw_looped_open(sw_system *system, int n_sizes, const sw_size sizes[], char message[])
{
  sw_looped *looped = calloc(1, sizeof *looped);
  sw_status status = looped ? SW_OK : SW_ERR_MEMORY;

  *system = (sw_system){.model = system->model, .looped = looped};
  if (status == SW_OK) {
    looped->loops = system->model->loops;
    system->n_init = system->model->n_init;
    status = sw_looped_size(system, n_sizes, sizes, message);
  }
  if (status == SW_OK) {
    status = sw_looped_plan(system, message);
  }
  if (status == SW_OK) {
    sw_looped_functions(system);
  }
  if (status == SW_ERR_MEMORY && message) {
    (void)snprintf(message, SW_SYSTEM_MESSAGE, "out of memory; try smaller sizes");
  }
  return status;
}

void sw_looped_close(sw_system *system)
{
  if (!system->looped) {
    return;
  }
  sw_looped_plan_free(system);
  sw_looped_size_free(system->looped);
  free(system->looped);
  system->looped = NULL;
}
