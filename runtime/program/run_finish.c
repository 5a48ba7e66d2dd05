/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "io/values_file.h"
#include "program/run_command.h"

/* The end of a run. */
typedef struct ending {
  sw_ending how;
  const char *word; /* value of "end" in the JSON summary */
  int code;
  int unfinished; /* 1 if the trajectory stays unfinished, so that the run can be continued */
  char message[2 * SW_TEXT_MESSAGE];
} ending;

static void run_finish_fail(ending *to, int code, const char *before, const char *message)
{
  to->word = "failed";
  to->code = code;
  snprintf(to->message, sizeof to->message, "%s%s", before, message);
}

/* Appends the location of the rows, and the option that continues the run. */
static void add_remedy(const sw_run_options *run, const sw_record *record, ending *to)
{
  const char *checkpoint = run->checkpoint != NULL ? run->checkpoint : run->resume;
  const char *unfinished =
      record->trajectory == NULL ? NULL : sw_trajectory_unfinished(record->trajectory);
  const size_t used = strlen(to->message);
  char *rest = to->message + used;
  const size_t room = sizeof to->message - used;
  if (checkpoint != NULL && unfinished != NULL) {
    snprintf(rest, room, "; go on with --resume %.200s; until then the rows are in %.200s",
             checkpoint, unfinished);
  } else if (checkpoint != NULL) {
    snprintf(rest, room, "; go on with --resume %.200s", checkpoint);
  } else if (unfinished != NULL) {
    snprintf(rest, room, "; %.200s ends there", run->out);
  }
}

/* Describes the end of the run from `status` and the messages. */
static ending run_finish_judge(const sw_run_options *run, const sw_record *record, sw_status status)
{
  char why[SW_MESSAGE_BYTES];
  sw_program_message(record->sim, why);
  ending found = {.how = SW_COMPLETE, .word = "complete", .code = SW_EXIT_GOOD};
  if (status == SW_ERR_STOPPED) {
    found.how = SW_INTERRUPTED;
    found.word = "interrupted";
    found.code = 128 + record->signal;
    found.unfinished = run->checkpoint != NULL || run->resume != NULL;
    snprintf(found.message, sizeof found.message,
             "interrupted at t = %.15g, after %ld of %ld steps", sw_sim_time(record->sim),
             record->step, record->steps);
    add_remedy(run, record, &found);
  } else if (record->message[0] != '\0') {
    found.unfinished = 1;
    run_finish_fail(&found, SW_EXIT_FAILED, "--checkpoint: ", record->message);
    add_remedy(run, record, &found);
  } else if (status != SW_OK) {
    found.how = SW_STEP_FAILED;
    run_finish_fail(&found, sw_exit_code(status), "", *why != '\0' ? why : sw_status_text(status));
  }
  return found;
}

/* Commits the trajectory.  Also completes a trajectory of an earlier process that may have been
 * killed before it wrote the metadata. */
static void settle_trajectory(const sw_run_options *run, sw_record *record, ending *found)
{
  const sw_trajectory_plan plan = sw_run_plan(run);
  char message[SW_TEXT_MESSAGE] = "";
  sw_status status = SW_OK;
  if (found->unfinished) {
    return;
  }
  if (record->trajectory != NULL) {
    status =
        sw_trajectory_finish(&record->trajectory, record->sim, record->step, found->how, message);
  } else if (record->whole_rows > 0) {
    status = sw_trajectory_describe(&plan, record->sim, record->whole_rows, record->whole_digest,
                                    record->step, message);
  }
  if (status != SW_OK) {
    run_finish_fail(found, SW_EXIT_FAILED,
                    "--out: ", *message != '\0' ? message : sw_status_text(status));
  }
}

/* Writes the final state, if --save-state is given. */
static int save_state(const sw_invocation *call, const sw_run_options *run, const sw_sim *sim)
{
  char message[SW_TEXT_MESSAGE];
  if (run->save_state == NULL) {
    return SW_EXIT_GOOD;
  }
  sw_status status = sw_values_write(run->save_state, sim, message);
  return sw_file_exit_code(call, "save-state", message, status);
}

static void run_finish_print_json(const sw_run_options *run, const sw_record *record,
                                  const ending *found, double seconds)
{
  const sw_trajectory_plan plan = sw_run_plan(run);
  char moved[SW_MOVED_TEXT];
  sw_moved_text(&run->settings, &run->moved, moved);
  const sw_run_outcome outcome = {.origin = &plan.origin,
                                  .moved = run->resume == NULL ? moved : "",
                                  .moved_q = sw_moved_part(run->moved.q, run->moved.size_q),
                                  .moved_p = sw_moved_part(run->moved.p, run->moved.size_p),
                                  .end = found->word,
                                  .message = found->message,
                                  .seconds = seconds,
                                  .out = run->out,
                                  .state = run->save_state};
  sw_summary_print_json(&record->summary, record->sim, &outcome, sw_run_output(run));
}

int sw_run_finish(const sw_invocation *call, const sw_run_options *run, sw_record *record,
                  sw_status status, double seconds)
{
  ending found = run_finish_judge(run, record, status);
  settle_trajectory(run, record, &found);
  const int saved = save_state(call, run, record->sim);
  if (run->json) {
    run_finish_print_json(run, record, &found, seconds);
  } else if (!run->quiet && record->summary.states > 0 &&
             (found.code == SW_EXIT_GOOD || sw_sim_stats(record->sim).steps > 0)) {
    const sw_stats stats = sw_summary_stats(&record->summary, record->sim);
    sw_summary_print(&record->summary, record->sim, seconds, sw_run_output(run));
    sw_settings_print_hint(&run->settings, &stats, sw_run_output(run));
  }
  if (found.message[0] != '\0') {
    fflush(stdout);
    sw_complain(call, found.code, "%s", found.message);
  }
  return saved != SW_EXIT_GOOD && found.code != SW_EXIT_USAGE ? saved : found.code;
}
