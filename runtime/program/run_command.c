/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command `run`.  Functions that return an exit code return SW_EXIT_GOOD, or complain and
 * return another code.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/place.h"
#include "common/user_text.h"
#include "common/vectors.h"
#include "io/input_table.h"
#include "io/progress.h"
#include "io/values_file.h"
#include "program/interrupt.h"
#include "program/kept_file.h"
#include "program/run_events.h"
#include "program/run_summary.h"
#include "program/run_times.h"
#include "program/start.h"
#include "sim/sim_internal.h"

/* Takes the steps of a run, and writes the trajectory, the summary and checkpoints.
 *
 * A checkpoint is a file with all data that a later process needs to continue the run.  Its numbers
 * (program/kept_file.h) are the parameters, the values of sw_sim_save, the statistics and the
 * state of the summary.  A checkpoint refers only to rows of the unfinished trajectory that are
 * already on disk.  So it stays valid if the process is killed or the machine fails at any
 * moment. */

typedef struct sw_record {
  sw_sim *sim;
  sw_moved moved; /* displacement of the initial state by --project */
  /* the simulation whose state the rows show, namely the point of M^H on the same fibre; NULL:
   * sim */
  sw_sim *shown;
  double *point; /* 2d values of scratch */
  double h;
  long steps;            /* number of steps at the end of the run */
  long every;            /* rows show the first, each every-th and the last step */
  uint32_t whole_digest; /* check sum for the next checkpoint */
  long whole_rows;       /* rows of a trajectory that an earlier process has completed, else 0 */
  sw_trajectory *trajectory; /* NULL without --out */
  sw_run_events events;
  sw_run_times times;
  sw_input_table input; /* of --input; without it, input.rows is 0 */
  sw_summary summary;
  int observed;           /* 1 if the summary observes every state */
  const char *checkpoint; /* NULL without --checkpoint */
  double every_seconds;
  const char *run; /* identity of the run, for checkpoints */
  sw_progress progress;
  long step;   /* number of steps taken */
  int resumed; /* 1 if an earlier process has already recorded the current state */
  int signal;  /* the signal that has ended the run; 0: none */
  char message[SW_TEXT_MESSAGE]; /* about a file that could not be written, else "" */
} sw_record;

/* ---- checkpoints ---- */

static size_t count_numbers(const sw_sim *sim, const sw_summary *summary)
{
  return (size_t)sw_sim_nk(sim) + sw_sim_saved_count(sim) + sw_summary_size(summary, sim);
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

/* Compares the parameters with those of a checkpoint, except inputs of the table, which it sets. */
static sw_status take_parameters(const sw_source *source, const sw_input_table *input, sw_sim *sim,
                                 const double k[])
{
  char name[SW_NAME_BYTES];
  for (int i = 0; i < sw_sim_nk(sim); i++) {
    const double here = sw_sim_parameters(sim)[i];
    if (!sw_input_table_has(input, sim->system, i) && memcmp(&k[i], &here, sizeof here) != 0) {
      return sw_source_refuse(source,
                              " is of another run: parameter %.100s is %.17g there and %.17g here",
                              sw_sim_name(sim, SW_K, i, name), k[i], here);
    }
  }
  for (int i = 0; i < input->n; i++) {
    input->present[i] = k[sw_sim_input(sim, i)];
  }
  return input->n > 0 && sw_sim_set_inputs(sim, input->present) != SW_OK
             ? sw_kept_refuse_damage(source->path, source->message)
             : SW_OK;
}

/* Reads a checkpoint and restores *sim and *summary from it.  On failure *sim and *summary may
 * have changed.
 *
 * Errors: SW_ERR_ARGUMENT, with a message, if the file is no checkpoint, is damaged, or belongs
 * to another run; the message then names the difference.  SW_ERR_IO with a message; SW_ERR_MEMORY
 * with message "". */
static sw_status sw_checkpoint_read(const char *path, const char *run, const sw_input_table *input,
                                    sw_reached *at, sw_sim *sim, sw_summary *summary,
                                    char message[SW_TEXT_MESSAGE])
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
    status = take_parameters(&source, input, sim, numbers);
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
  if (record->times.n > 0) {
    return sw_run_times_after(&record->times, record->sim, record->trajectory, n);
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
  long n = record->observed || record->input.rows > 0 ? 1 : 1000;
  if (record->trajectory != NULL && record->every - record->step % record->every < n) {
    n = record->every - record->step % record->every;
  }
  return n < left ? n : left;
}

/* Takes steps from record->step to record->steps.  Returns SW_OK; SW_ERR_STOPPED after a signal;
 * SW_ERR_IO or SW_ERR_MEMORY with record->message if a file could not be written; else the status
 * of the failed step, with the message in the simulation. */
static sw_status sw_record_run(sw_record *record)
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
    if (record->input.rows > 0) {
      status = sw_input_table_set(&record->input, record->sim, record->h);
    }
    if (status == SW_OK) {
      const long steps = sw_run_times_before(&record->times, record->sim, steps_at_once(record));
      status = sw_run_events_take(&record->events, record->sim, record->h, steps, record->step);
    }
    record->step += sw_sim_stats(record->sim).steps - before;
    if (record->summary.stopped) {
      record->steps = record->step;
    }
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

static const char doc[] =
    "Integrate, write a trajectory, print a summary.\v"
    "The model's run line gives the values of missing options; 'info' prints it.\n"
    "\n"
    "Examples:\n"
    "  run --step 0.01 --t-end 10 --out traj.csv\n"
    "  run --method shake --base midpoint --step 0.1 --steps 500 --columns t,energy --out -\n"
    "  run --set gravity=1.62 --set m=0.5 --step 0.01 --steps 100 --project\n"
    "  run --set m=@masses.npy --init-file start.csv --save-state end.csv\n"
    "  run --steps 100000000 --every 1000 --out long.npy --checkpoint long.ckpt\n"
    "  run --steps 100000000 --every 1000 --out long.npy --checkpoint long.ckpt --resume "
    "long.ckpt\n"
    "\n"
    "docs/output.md describes the files.\n"
    "\n"
    "The summary goes to standard output, or to standard error if the trajectory goes to standard "
    "output.  SIGINT, SIGTERM and SIGHUP end a run after the current step.";

/* Rejects incompatible options. */
static int run_check_options(const sw_invocation *call, const sw_settings *run)
{
  if (run->columns != NULL && run->out == NULL && run->events == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--columns needs --out FILE%s",
                       run->system->n_event > 0 ? " or --events FILE" : "");
  }
  if (run->project_output && run->out == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--project-output needs --out FILE");
  }
  if (run->input_linear && run->input == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--input-linear needs --input FILE");
  }
  if (run->every_seconds >= 0.0 && run->checkpoint == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--every-seconds needs --checkpoint FILE");
  }
  if (run->json && run->quiet) {
    return sw_complain(call, SW_EXIT_USAGE, "--json and --quiet exclude each other");
  }
  if ((run->checkpoint != NULL || run->resume != NULL) && run->out != NULL &&
      strcmp(run->out, "-") == 0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--%s needs --out FILE: rows on standard output cannot be continued",
                       run->checkpoint != NULL ? "checkpoint" : "resume");
  }
  const int code = sw_run_times_check(call, run);
  return code == SW_EXIT_GOOD ? sw_run_events_check(call, run) : code;
}

/* The stream of the summary. */
static FILE *run_output(const sw_settings *run)
{
  const int is_taken = (run->out != NULL && strcmp(run->out, "-") == 0) ||
                       (run->events != NULL && strcmp(run->events, "-") == 0);
  return is_taken ? stderr : stdout;
}

/* The trajectory that the options describe. */
static sw_trajectory_plan run_plan(const sw_settings *run)
{
  sw_trajectory_plan plan = {
      .path = run->out, .columns = run->columns, .origin = sw_settings_origin(run)};
  plan.origin.projected_rows = run->project_output;
  plan.origin.at_times = run->at != NULL;
  return plan;
}

/* Returns the identity of this run for its checkpoints: lines "KEY: VALUE" for all inputs of the
 * result except the parameters.  The caller frees the text; NULL if memory is short. */
static char *run_identity(const sw_settings *run, const sw_input_table *input)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL) {
    return NULL;
  }
  sw_identity_put(file, run);
  fprintf(file, "project-output: %s\nevery: %ld\n", run->project_output ? "yes" : "no", run->every);
  sw_identity_line(file, "out", run->out == NULL ? "" : sw_place_name(run->out));
  sw_identity_line(file, "columns", run->columns);
  if (run->no_events) {
    sw_identity_line(file, "events", "no");
  }
  if (sw_settings_have_noise(run)) {
    fprintf(file, "seed: %ld\n", sw_settings_seed(run));
  }
  if (input->rows > 0) {
    fprintf(file, "input: %s, digest %08lx\n", input->is_linear ? "linear" : "hold",
            (unsigned long)sw_input_table_digest(input));
  }
  return sw_text_written(file, &text);
}

/* ---- files ---- */

/* Adds an output file and its metadata file FILE.json. */
static int add_with_metadata(sw_files *files, const char *option, const char *metadata,
                             const char *path)
{
  if (path == NULL || strcmp(path, "-") == 0) {
    return 1;
  }
  char *beside = sw_metadata_path(path);
  int added = beside != NULL && sw_files_add(files, option, path, SW_FILE_WRITTEN) &&
              sw_files_add(files, metadata, beside, SW_FILE_WRITTEN);
  free(beside);
  return added;
}

/* Rejects output files that would overwrite other files of the command.  Opens nothing. */
static int run_check_files(const sw_invocation *call, const sw_settings *run)
{
  sw_files files = {NULL, 0};
  const int added =
      sw_settings_add_files(run, &files) &&
      sw_files_add(&files, "--resume", run->resume, SW_FILE_READ) &&
      sw_files_add(&files, "--input", run->input, SW_FILE_READ) &&
      add_with_metadata(&files, "--out", "the metadata of --out", run->out) &&
      (run->at == NULL || run->at[0] != '@' ||
       sw_files_add(&files, "--at", run->at + 1, SW_FILE_READ)) &&
      add_with_metadata(&files, "--events", "the metadata of --events", run->events) &&
      add_with_metadata(&files, "--save-state", "the metadata of --save-state", run->save_state) &&
      sw_files_add(&files, "--checkpoint", run->checkpoint, SW_FILE_WRITTEN);
  return sw_files_finish(call, &files, added);
}

/* Rejects output files that would overwrite the unfinished trajectory. */
static int check_unfinished(const sw_invocation *call, const sw_settings *run,
                            const char *unfinished)
{
  sw_place place;
  sw_files files = {NULL, 0};
  char *path =
      sw_place_find(run->out, &place) == SW_OK ? sw_place_beside(place.path, unfinished) : NULL;
  int added = path == NULL || sw_files_add(&files, "the unfinished", path, SW_FILE_WRITTEN);
  added =
      added &&
      add_with_metadata(&files, "--save-state", "the metadata of --save-state", run->save_state) &&
      sw_files_add(&files, "--checkpoint", run->checkpoint, SW_FILE_WRITTEN);
  int code = sw_files_finish(call, &files, added);
  sw_place_clear(&place);
  free(path);
  return code;
}

/* Reads the checkpoint into the record, whose simulation and summary must exist. */
static int run_resume(const sw_invocation *call, const sw_settings *run, sw_record *record)
{
  sw_reached at;
  char message[SW_TEXT_MESSAGE];
  sw_trajectory_plan plan = run_plan(run);
  sw_status status = sw_checkpoint_read(run->resume, record->run, &record->input, &at, record->sim,
                                        &record->summary, message);
  if (status != SW_OK) {
    return sw_file_exit_code(call, "resume", message, status);
  }
  record->step = at.step;
  record->resumed = 1;
  if (at.step > record->steps) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--resume: %.160s is a checkpoint after %ld steps, and the run has %ld",
                       run->resume, at.step, record->steps);
  }
  if (run->out == NULL) {
    return SW_EXIT_GOOD;
  }
  int code = check_unfinished(call, run, at.unfinished);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  if (at.step == record->steps && sw_trajectory_is_whole(&plan, &at.mark)) {
    record->whole_rows = at.mark.rows;
    record->whole_digest = at.mark.digest;
    return SW_EXIT_GOOD;
  }
  status = at.step < record->steps
               ? sw_trajectory_go_on(&plan, at.step, &at.mark, at.unfinished, message)
               : SW_OK;
  if (status == SW_OK) {
    status = sw_trajectory_open(&plan, record->sim, &at.mark, &record->trajectory, message);
  }
  return sw_file_exit_code(call, "out", message, status);
}

/* Tests whether all files can be written, and opens the trajectory. */
static int run_open(const sw_invocation *call, const sw_settings *run, sw_record *record)
{
  const sw_trajectory_plan plan = run_plan(run);
  char message[SW_TEXT_MESSAGE];
  sw_status status = run->save_state != NULL ? sw_values_try(run->save_state, message) : SW_OK;
  if (status != SW_OK) {
    return sw_file_exit_code(call, "save-state", message, status);
  }
  status = run->checkpoint != NULL ? sw_kept_try(run->checkpoint, message) : SW_OK;
  if (status != SW_OK) {
    return sw_file_exit_code(call, "checkpoint", message, status);
  }
  if (run->out != NULL && run->resume == NULL) {
    status = sw_trajectory_open(&plan, record->sim, NULL, &record->trajectory, message);
    if (status == SW_OK && run->checkpoint != NULL &&
        sw_trajectory_unfinished(record->trajectory) == NULL) {
      snprintf(message, sizeof message,
               "%.160s is not a regular file, so the run could not be continued", run->out);
      status = SW_ERR_ARGUMENT;
    }
    if (status == SW_OK && !run->quiet) {
      sw_name_left_over(call, run->out);
    }
  }
  return sw_file_exit_code(call, "out", message, status);
}

/* ---- the end of a run ---- */

/* The end of a run. */
typedef struct ending {
  sw_ending how;
  const char *word; /* value of "end" in the JSON summary */
  int code;
  int unfinished; /* 1 if the trajectory stays unfinished, so that the run can be continued */
  char message[2 * SW_TEXT_MESSAGE];
} ending;

static void ending_fail(ending *to, int code, const char *before, const char *message)
{
  to->word = "failed";
  to->code = code;
  snprintf(to->message, sizeof to->message, "%s%s", before, message);
}

/* Appends the location of the rows, and the option that continues the run. */
static void add_remedy(const sw_settings *run, const sw_record *record, ending *to)
{
  const char *checkpoint = run->checkpoint != NULL ? run->checkpoint : run->resume;
  const char *unfinished =
      record->trajectory == NULL ? NULL : sw_trajectory_unfinished(record->trajectory);
  const size_t used = strlen(to->message);
  char *rest = to->message + used;
  const size_t room = sizeof to->message - used;
  if (checkpoint != NULL && unfinished != NULL) {
    snprintf(rest, room, "; continue with --resume %.200s; until then the rows are in %.200s",
             checkpoint, unfinished);
  } else if (checkpoint != NULL) {
    snprintf(rest, room, "; continue with --resume %.200s", checkpoint);
  } else if (unfinished != NULL) {
    snprintf(rest, room, "; %.200s ends there", run->out);
  }
}

/* Describes the end of the run from `status` and the messages. */
static ending ending_judge(const sw_settings *run, const sw_record *record, sw_status status)
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
    ending_fail(&found, SW_EXIT_FAILED, "--checkpoint: ", record->message);
    add_remedy(run, record, &found);
  } else if (status != SW_OK) {
    found.how = SW_STEP_FAILED;
    ending_fail(&found, sw_exit_code(status), "", *why != '\0' ? why : sw_status_text(status));
  }
  return found;
}

/* Commits the trajectory.  Also completes a trajectory of an earlier process that may have been
 * killed before it wrote the metadata. */
static void settle_trajectory(const sw_settings *run, sw_record *record, ending *found)
{
  const sw_trajectory_plan plan = run_plan(run);
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
    ending_fail(found, SW_EXIT_FAILED,
                "--out: ", *message != '\0' ? message : sw_status_text(status));
  }
}

/* Commits the table of events. */
static void settle_events(sw_record *record, ending *found)
{
  char message[SW_TEXT_MESSAGE] = "";
  const sw_status status =
      sw_run_events_finish(&record->events, record->sim, record->step, found->how, message);
  if (status != SW_OK) {
    ending_fail(found, SW_EXIT_FAILED,
                "--events: ", *message != '\0' ? message : sw_status_text(status));
  }
}

/* Writes the final state, if --save-state is given. */
static int save_state(const sw_invocation *call, const sw_settings *run, const sw_sim *sim)
{
  char message[SW_TEXT_MESSAGE];
  if (run->save_state == NULL) {
    return SW_EXIT_GOOD;
  }
  sw_status status = sw_values_write(run->save_state, sim, message);
  return sw_file_exit_code(call, "save-state", message, status);
}

static void ending_print_json(const sw_settings *run, const sw_record *record, const ending *found,
                              double seconds)
{
  const sw_trajectory_plan plan = run_plan(run);
  char moved[SW_MOVED_TEXT] = "";
  if (run->project && run->resume == NULL) {
    sw_moved_text(&record->moved, moved);
  }
  const sw_run_outcome outcome = {.origin = &plan.origin,
                                  .moved = moved,
                                  .moved_q = sw_moved_of(record->moved.q, record->moved.size_q),
                                  .moved_p = sw_moved_of(record->moved.p, record->moved.size_p),
                                  .end = found->word,
                                  .message = found->message,
                                  .seconds = seconds,
                                  .out = run->out,
                                  .state = run->save_state};
  sw_summary_print_json(&record->summary, record->sim, &outcome, run_output(run));
}

/* Ends a run after its last step, or after a step that failed with `status`: commits the files,
 * prints the summary, and reports errors. */
static int run_finish(const sw_invocation *call, const sw_settings *run, sw_record *record,
                      sw_status status, double seconds)
{
  ending found = ending_judge(run, record, status);
  settle_trajectory(run, record, &found);
  settle_events(record, &found);
  const int saved = save_state(call, run, record->sim);
  if (run->json) {
    ending_print_json(run, record, &found, seconds);
  } else if (!run->quiet && record->summary.states > 0 &&
             (found.code == SW_EXIT_GOOD || sw_sim_stats(record->sim).steps > 0)) {
    const sw_stats stats = sw_summary_stats(&record->summary, record->sim);
    sw_summary_print(&record->summary, record->sim, seconds, run_output(run));
    sw_settings_print_hint(run, &stats, run_output(run));
  }
  if (found.message[0] != '\0') {
    fflush(stdout);
    sw_complain(call, found.code, "%s", found.message);
  }
  return saved != SW_EXIT_GOOD && found.code != SW_EXIT_USAGE ? saved : found.code;
}

/* ---- the whole command ---- */

/* Takes one step and restores the state.  So a start off the constraint manifold is rejected
 * before a file is written.  Other errors are left to the run, which keeps the rows before
 * them. */
static int try_start(const sw_invocation *call, const sw_settings *settings, sw_sim *sim)
{
  double *start = calloc(sw_sim_saved_count(sim), sizeof *start);
  int code = SW_EXIT_GOOD;
  if (start == NULL) {
    return sw_out_of_memory(call);
  }
  sw_sim_save(sim, start);
  sw_status status = sw_sim_step(sim, settings->step);
  if (status != SW_OK && sw_exit_code(status) == SW_EXIT_USAGE) {
    code = settings->project ? SW_EXIT_FAILED : sw_exit_code(status);
    sw_program_refuse(call, sim, status);
  } else {
    status = sw_sim_restore(sim, start);
    if (status != SW_OK) {
      code = sw_program_refuse(call, sim, status);
    }
  }
  free(start);
  return code;
}

/* Integrates from the record's current state and finishes the files.  If a step fails, the
 * summary and the saved state describe the last good state. */
static int run_integrate(const sw_invocation *call, const sw_settings *run, sw_record *record)
{
  sw_interrupts kept;
  const int shown = !run->quiet && isatty(STDERR_FILENO);
  sw_interrupts_catch(&kept);
  sw_progress_start(&record->progress, shown ? stderr : NULL, record->step, record->steps);
  sw_status status = sw_record_run(record);
  double seconds = sw_progress_finish(&record->progress);
  int code = run_finish(call, run, record, status, seconds);
  sw_interrupts_release(&kept);
  return code;
}

/* Reads the table of --input.  Runs start at t = 0. */
static int read_input(const sw_invocation *call, const sw_settings *run, sw_input_table *input)
{
  char message[SW_TEXT_MESSAGE];
  if (run->input == NULL) {
    return SW_EXIT_GOOD;
  }
  sw_status status =
      sw_input_table_read(run->input, run->input_linear, run->system, input, message);
  if (status == SW_OK) {
    status = sw_input_table_check_times(input, run->input, 0.0, run->step, run->steps, message);
  }
  return sw_file_exit_code(call, "input", message, status);
}

/* Creates the simulation and the identity of the run. */
static int run_begin(const sw_invocation *call, const sw_settings *run, sw_record *record,
                     char **identity)
{
  int code = read_input(call, run, &record->input);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  *identity = run_identity(run, &record->input);
  if (*identity == NULL || !sw_summary_init(run->system, &record->summary)) {
    return sw_out_of_memory(call);
  }
  record->run = *identity;
  if (run->resume != NULL) {
    code = sw_start_create(call, run, &record->sim);
    return code == SW_EXIT_GOOD ? run_resume(call, run, record) : code;
  }
  code = sw_start(call, run, &record->sim, &record->moved);
  if (code == SW_EXIT_GOOD && record->input.rows > 0) {
    const sw_status status = sw_input_table_set(&record->input, record->sim, record->h);
    code = status == SW_OK ? SW_EXIT_GOOD : sw_program_refuse(call, record->sim, status);
  }
  return code == SW_EXIT_GOOD ? try_start(call, run, record->sim) : code;
}

/* Creates the simulation whose state the rows show, if --project-output is given. */
static int make_shown(const sw_invocation *call, const sw_settings *run, sw_record *record)
{
  if (!run->project_output) {
    return SW_EXIT_GOOD;
  }
  record->point = calloc(2 * (size_t)run->system->nq, sizeof *record->point);
  return record->point != NULL && sw_sim_create_like(record->sim, &record->shown) == SW_OK
             ? SW_EXIT_GOOD
             : sw_out_of_memory(call);
}

static int run_with(const sw_invocation *call, sw_settings *run)
{
  sw_record record = {.h = run->step,
                      .steps = run->steps,
                      .every = run->every,
                      /* A quiet run with a checkpoint may be continued without --quiet. */
                      .observed = !run->quiet || run->checkpoint != NULL,
                      .checkpoint = run->checkpoint,
                      .every_seconds = run->every_seconds < 0.0 ? 60.0 : run->every_seconds};
  char *identity = NULL;
  int code = run_check_options(call, run);
  if (code == SW_EXIT_GOOD) {
    code = run_check_files(call, run);
  }
  if (code == SW_EXIT_GOOD) {
    code = run_begin(call, run, &record, &identity);
  }
  if (code == SW_EXIT_GOOD) {
    code = make_shown(call, run, &record);
  }
  if (code == SW_EXIT_GOOD) {
    code =
        sw_run_events_open(call, run, run_plan(run), record.sim, &record.summary, &record.events);
  }
  if (code == SW_EXIT_GOOD) {
    code = sw_run_times_open(call, run, record.sim, &record.times);
  }
  if (code == SW_EXIT_GOOD) {
    code = run_open(call, run, &record);
  }
  if (code == SW_EXIT_GOOD) {
    if (!run->quiet && !run->json) {
      sw_settings_print_base(run, run_output(run));
      sw_moved_print(run, &record.moved, run_output(run));
    }
    code = run_integrate(call, run, &record);
  }
  sw_trajectory_leave(&record.trajectory);
  sw_run_events_clear(&record.events);
  sw_run_times_clear(&record.times);
  sw_summary_clear(&record.summary);
  sw_input_table_clear(&record.input);
  sw_sim_free(&record.shown);
  sw_sim_free(&record.sim);
  free(record.point);
  free(identity);
  return code;
}

const sw_command sw_command_run = {
    .command = SW_FOR_RUN, .name = "run", .doc = doc, .run = run_with};
