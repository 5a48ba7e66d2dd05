/* SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/block.h"

#include <stdio.h>
#include <string.h>

#include "sim/sim_internal.h"

sw_status sw_block_enter(sw_sim *sim, const sw_block *block, long j)
{
  const size_t at = (size_t)j;
  sw_status status = SW_OK;
  if (block->k != NULL) {
    status = sw_sim_set_parameters(sim, block->k + at * (size_t)sw_sim_nk(sim));
  }
  if (status == SW_OK) {
    status = sw_sim_restore(sim, block->saved + at * sw_sim_saved_count(sim));
  }
  sim->energy = block->energy[j];
  return status;
}

void sw_block_fail(const sw_block *block, long j, sw_status status, const char *message)
{
  block->status[j] = status;
  block->message[j] = strdup(message);
}

sw_status sw_stepping_tools_create(const sw_sim *like, sw_stepping_tools *tools)
{
  sw_status status = sw_batch_create(like, SW_BLOCK, &tools->batch);
  if (status == SW_OK) {
    status = sw_batch_worker_create(tools->batch, &tools->worker);
  }
  return status == SW_OK ? sw_sim_set_parameters(tools->worker->sim, sw_sim_parameters(like))
                         : status;
}

void sw_stepping_tools_free(sw_stepping_tools *tools)
{
  sw_batch_worker_free(&tools->worker);
  sw_batch_free(&tools->batch);
}

/* Puts the trajectories that have not failed into consecutive slots of the batch.  place[slot]
 * becomes the index in the block.  Returns the number of slots. */
static int block_fill(const sw_stepping_tools *tools, const sw_block *block, long place[SW_BLOCK])
{
  sw_sim *sim = tools->worker->sim;
  int count = 0;
  for (long j = 0; j < block->count; j++) {
    if (block->status[j] != SW_OK) {
      continue;
    }
    const sw_status status = sw_block_enter(sim, block, j);
    if (status != SW_OK) {
      sw_block_fail(block, j, status, sw_sim_message(sim));
      continue;
    }
    (void)sw_batch_put(tools->batch, count, sim);
    place[count++] = j;
  }
  return count;
}

/* Copies slot `slot` of the batch back to trajectory j.  After a failure the step is repeated to
 * obtain its message; the repeated step fails as well, because a step is a map of the state. */
static void empty(const sw_stepping_tools *tools, const sw_block *block, int slot, long j, double h)
{
  sw_sim *sim = sw_batch_get(tools->batch, slot);
  const sw_status status = sw_batch_status(tools->batch, slot);
  char message[SW_MESSAGE_BYTES] = "";
  sw_sim_save(sim, block->saved + (size_t)j * sw_sim_saved_count(sim));
  block->energy[j] = sim->energy;
  if (status == SW_OK) {
    return;
  }
  (void)sw_sim_step(sim, h);
  if (block->words != NULL) {
    block->words(sim, message);
  } else {
    snprintf(message, sizeof message, "%s", sw_sim_message(sim));
  }
  sw_block_fail(block, j, status, message);
}

void sw_block_advance(const sw_stepping_tools *tools, const sw_block *block, double h, long steps,
                      sw_stats *cost)
{
  long place[SW_BLOCK];
  const int lanes = sw_batch_lanes(tools->batch);
  const int count = block_fill(tools, block, place);
  /* Unused lanes of the last group step the states of an earlier block; these results are
   * ignored. */
  for (int b = 0; b * lanes < count; b++) {
    sw_batch_run_block(tools->batch, b, tools->worker, h, steps);
  }
  for (int slot = 0; slot < count; slot++) {
    const sw_stats of = sw_batch_stats(tools->batch, slot);
    sw_stats_add(cost, &of);
    block->steps[place[slot]] += of.steps;
    empty(tools, block, slot, place[slot], h);
  }
}
