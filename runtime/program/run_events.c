/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_events.h"

#include <string.h>

int sw_run_events_check(const sw_invocation *call, const sw_settings *run)
{
  if ((run->events != NULL || run->no_events) && run->system->n_event == 0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--%s: the model has no events%s; a line such as 'event turn: p == 0' "
                       "declares one",
                       run->events != NULL ? "events" : "no-events",
                       run->system->model->n_events > 0 ? " at these sizes" : "");
  }
  if (run->events != NULL && run->no_events) {
    return sw_complain(call, SW_EXIT_USAGE, "--events and --no-events exclude each other");
  }
  if (run->events != NULL && (run->checkpoint != NULL || run->resume != NULL)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--events excludes --%s: a checkpoint does not contain the table of events",
                       run->checkpoint != NULL ? "checkpoint" : "resume");
  }
  if (run->events != NULL && run->project_output) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--events excludes --project-output: an event is located in states that "
                       "are not projected");
  }
  if (run->events != NULL && run->out != NULL && strcmp(run->events, "-") == 0 &&
      strcmp(run->out, "-") == 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--events and --out cannot both go to standard output");
  }
  return SW_EXIT_GOOD;
}

int sw_run_events_open(const sw_invocation *call, const sw_settings *run, sw_trajectory_plan plan,
                       sw_sim *sim, sw_summary *summary, sw_run_events *events)
{
  char message[SW_TEXT_MESSAGE];
  if (run->system->n_event == 0 || run->no_events) {
    return SW_EXIT_GOOD;
  }
  const char *objection = sw_sim_between_objection(sim);
  if (*objection) {
    return sw_complain(call, SW_EXIT_USAGE, "the model has events, but %s, or give --no-events",
                       objection);
  }
  if (sw_events_create(sim, &events->search) != SW_OK) {
    return sw_out_of_memory(call);
  }
  events->summary = summary;
  summary->has_events = 1;
  if (run->events == NULL) {
    return SW_EXIT_GOOD;
  }
  plan.path = run->events;
  plan.of_crossings = 1;
  return sw_file_exit_code(call, "events", message,
                           sw_trajectory_open(&plan, sim, NULL, &events->table, message));
}

/* Counts a crossing and writes its row. */
static int note_crossing(sw_sim *at, const sw_crossing *crossing, void *user)
{
  sw_run_events *events = user;
  events->summary->crossings[crossing->event] += 1.0;
  if (events->table != NULL) {
    /* The step of the trial is the last one. */
    events->status = sw_trajectory_write_crossing(
        events->table, at, events->step + sw_sim_stats(at).steps - 1, crossing);
  }
  return events->status != SW_OK;
}

sw_status sw_run_events_take(sw_run_events *events, sw_sim *sim, double h, long steps, long step)
{
  if (events->search == NULL) {
    return sw_sim_run(sim, h, steps, NULL, NULL);
  }
  events->step = step - sw_sim_stats(sim).steps;
  events->status = SW_OK;
  const sw_status status =
      sw_events_run(events->search, sim, h, steps, NULL, note_crossing, events);
  const sw_crossing *stop = sw_events_stopped(events->search);
  events->summary->stopped = stop != NULL ? stop->event + 1 : 0;
  return events->status != SW_OK ? events->status : status;
}

sw_status sw_run_events_finish(sw_run_events *events, const sw_sim *sim, long step,
                               sw_ending ending, char message[SW_TEXT_MESSAGE])
{
  return events->table != NULL ? sw_trajectory_finish(&events->table, sim, step, ending, message)
                               : SW_OK;
}

void sw_run_events_clear(sw_run_events *events)
{
  sw_events_free(&events->search);
  sw_trajectory_leave(&events->table);
}
