/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "program/interrupt.h"
#include "sim/sim_internal.h"

/* ---- checkpoints ---- */

static size_t count_numbers(const sw_sim *sim, const sw_summary *summary)
{
  return (size_t)sw_sim_nk(sim) + sw_sim_saved_count(sim) + sw_summary_size(summary);
}

/* Writes a checkpoint of the current state.  Errors: SW_ERR_IO, SW_ERR_MEMORY, with
 * record->message unless the rows could not be written. */
static sw_status write_checkpoint(sw_record *record)
{
  const sw_sim *sim = record->sim;
  const size_t nk = (size_t)sw_sim_nk(sim);
  const size_t count = count_numbers(sim, &record->summary);
  sw_reached at = {.step = record->step};
  sw_status status = SW_OK;
  if (record->trajectory != NULL) {
    status = sw_trajectory_reach(record->trajectory, &at.mark);
  }
  if (status != SW_OK) {
    return status;
  }
  double *numbers = calloc(count, sizeof *numbers);
  record->message[0] = '\0';
  if (numbers == NULL) {
    status = SW_ERR_MEMORY;
  } else {
    sw_copy(numbers, sw_sim_parameters(sim), nk);
    sw_sim_save(sim, numbers + nk);
    sw_summary_save(&record->summary, sim, sw_progress_seconds(&record->progress),
                    numbers + nk + sw_sim_saved_count(sim));
    status = sw_kept_write(record->checkpoint, record->run, &at, numbers, count, record->message);
  }
  free(numbers);
  if (status != SW_OK && record->message[0] == '\0') {
    snprintf(record->message, sizeof record->message, "%s", sw_status_text(SW_ERR_MEMORY));
  }
  return status;
}

/* Compares the parameters with those of a checkpoint. */
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
  if (status == SW_OK) {
    const double *saved = numbers + sw_sim_nk(sim);
    if (sw_sim_restore(sim, saved) == SW_OK) {
      sw_summary_restore(summary, sim, saved + sw_sim_saved_count(sim));
    } else {
      status = sw_kept_refuse_damage(path, message);
    }
  }
  free(numbers);
  return status;
}

/* ---- steps ---- */

/* Records the current state: updates the summary and writes a row. */
static sw_status observe(sw_record *record)
{
  const long n = record->step;
  if (record->observed) {
    sw_summary_observe(&record->summary, record->sim);
  }
  if (record->trajectory == NULL || (n % record->every != 0 && n != record->steps)) {
    return SW_OK;
  }
  if (record->shown != NULL) {
    sw_status status = sw_sim_hidden_point(record->sim, record->point);
    if (status != SW_OK) {
      return status;
    }
    sw_sim_show(record->sim, record->point, record->shown);
  }
  /* sw_trajectory_finish reports why a row could not be written. */
  return sw_trajectory_write(record->trajectory,
                             record->shown != NULL ? record->shown : record->sim, n);
}

/* Writes a checkpoint if one is due.  *last: time of the last checkpoint in seconds. */
static sw_status recorder_keep(sw_record *record, double *last)
{
  if (record->checkpoint == NULL) {
    return SW_OK;
  }
  const double now = sw_progress_seconds(&record->progress);
  if (now - *last < record->every_seconds && record->step != record->steps) {
    return SW_OK;
  }
  *last = now;
  return write_checkpoint(record);
}

/* The number of steps until the next observed state.  At most 1000, because signals are checked
 * only after that many steps. */
static long steps_at_once(const sw_record *record)
{
  const long left = record->steps - record->step;
  long n = record->observed ? 1 : 1000;
  if (record->trajectory != NULL && record->every - record->step % record->every < n) {
    n = record->every - record->step % record->every;
  }
  return n < left ? n : left;
}

sw_status sw_record_run(sw_record *record)
{
  double last = sw_progress_seconds(&record->progress);
  sw_status status = SW_OK;
  if (!record->resumed) {
    status = observe(record);
    if (status == SW_OK && record->checkpoint != NULL) {
      status = write_checkpoint(record);
    }
  }
  while (status == SW_OK && record->step < record->steps) {
    record->signal = sw_interrupted();
    if (record->signal != 0) {
      return record->checkpoint != NULL && write_checkpoint(record) != SW_OK ? SW_ERR_IO
                                                                             : SW_ERR_STOPPED;
    }
    const long before = sw_sim_stats(record->sim).steps;
    status = sw_sim_run(record->sim, record->h, steps_at_once(record), NULL, NULL);
    record->step += sw_sim_stats(record->sim).steps - before;
    if (status == SW_OK) {
      status = observe(record);
    }
    sw_progress_update(&record->progress, record->step);
    if (status == SW_OK) {
      status = recorder_keep(record, &last);
    }
  }
  return status;
}
