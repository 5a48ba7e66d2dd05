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

/* Writes a checkpoint of *sim.  Errors: SW_ERR_IO with a message; SW_ERR_MEMORY with message "". */
static sw_status checkpoint_write(const char *path, const char *run, const sw_reached *at,
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

/* ---- steps ---- */

static void write_failed(sw_record *record)
{
  if (record->message[0] == '\0') {
    snprintf(record->message, sizeof record->message, "%s", sw_status_text(SW_ERR_MEMORY));
  }
}

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

/* Writes a checkpoint of the current state.  Errors: SW_ERR_IO, SW_ERR_MEMORY, with
 * record->message. */
static sw_status write_checkpoint(sw_record *record)
{
  sw_reached at = {.step = record->step};
  sw_status status = SW_OK;
  if (record->trajectory != NULL) {
    status = sw_trajectory_reach(record->trajectory, &at.mark);
  }
  if (status == SW_OK) {
    status = checkpoint_write(record->checkpoint, record->run, &at, record->sim, &record->summary,
                              sw_progress_seconds(&record->progress), record->message);
    if (status != SW_OK) {
      write_failed(record);
    }
  }
  return status;
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

/* Takes these steps, until one fails. */
static sw_status recorder_take_steps(sw_record *record)
{
  const long before = sw_sim_stats(record->sim).steps;
  const sw_status status = sw_sim_run(record->sim, record->h, steps_at_once(record), NULL, NULL);
  record->step += sw_sim_stats(record->sim).steps - before;
  return status;
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
    status = recorder_take_steps(record);
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
