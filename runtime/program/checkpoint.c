/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"

static size_t count_numbers(const sw_sim *sim, const sw_summary *summary)
{
  return (size_t)sw_sim_nk(sim) + sw_sim_saved_count(sim) + sw_summary_size(summary);
}

static void collect_numbers(const sw_sim *sim, const sw_summary *summary, double seconds,
                            double numbers[])
{
  const size_t nk = (size_t)sw_sim_nk(sim);
  sw_copy(numbers, sw_sim_parameters(sim), nk);
  sw_sim_save(sim, numbers + nk);
  sw_summary_save(summary, sim, seconds, numbers + nk + sw_sim_saved_count(sim));
}

/* Restores everything except the parameters, which compare_parameters has already compared. */
static sw_status restore_numbers(const double numbers[], sw_sim *sim, sw_summary *summary)
{
  const size_t nk = (size_t)sw_sim_nk(sim);
  sw_status status = sw_sim_restore(sim, numbers + nk);
  if (status == SW_OK) {
    sw_summary_restore(summary, sim, numbers + nk + sw_sim_saved_count(sim));
  }
  return status;
}

sw_status sw_checkpoint_write(const char *path, const char *run, const sw_reached *at,
                              const sw_sim *sim, const sw_summary *summary, double seconds,
                              char message[SW_TEXT_MESSAGE])
{
  const size_t count = count_numbers(sim, summary);
  double *numbers = calloc(count, sizeof *numbers);
  message[0] = '\0';
  if (numbers == NULL) {
    return SW_ERR_MEMORY;
  }
  collect_numbers(sim, summary, seconds, numbers);
  sw_status status = sw_kept_write(path, run, at, numbers, count, message);
  free(numbers);
  return status;
}

static sw_status compare_parameters(const sw_source *source, const sw_sim *sim, const double k[])
{
  char name[SW_NAME_BYTES];
  for (int i = 0; i < sw_sim_nk(sim); i++) {
    const double here = sw_sim_parameters(sim)[i];
    if (memcmp(&k[i], &here, sizeof here) != 0) {
      return sw_source_refuse(source,
                              " is of another run: parameter %.100s is %.17g there and %.17g here",
                              sw_sim_name(sim, SW_K, i, name), k[i], here);
    }
  }
  return SW_OK;
}

sw_status sw_checkpoint_read(const char *path, const char *run, sw_reached *at, sw_sim *sim,
                             sw_summary *summary, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  const size_t wanted = count_numbers(sim, summary);
  double *numbers = NULL;
  size_t count = 0;
  sw_status status = sw_kept_read(path, run, wanted, at, &numbers, &count, message);
  if (status == SW_OK && count != wanted) {
    status = sw_kept_refuse_damage(path, message);
  }
  if (status == SW_OK) {
    status = compare_parameters(&source, sim, numbers);
  }
  if (status == SW_OK && restore_numbers(numbers, sim, summary) != SW_OK) {
    status = sw_kept_refuse_damage(path, message);
  }
  free(numbers);
  return status;
}
