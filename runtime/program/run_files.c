/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_command.h"

#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "common/user_text.h"
#include "io/values_file.h"
#include "program/identity.h"
#include "sim/sim_internal.h"

FILE *sw_run_output(const sw_run_options *run)
{
  return run->out != NULL && strcmp(run->out, "-") == 0 ? stderr : stdout;
}

sw_trajectory_plan sw_run_plan(const sw_run_options *run)
{
  sw_trajectory_plan plan = {.path = run->out,
                             .columns = run->columns,
                             .origin = sw_settings_origin(&run->settings, run->every)};
  plan.origin.projected_rows = run->project_output;
  return plan;
}

/* ---- identity of the run ---- */

char *sw_run_identity(const sw_run_options *run)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL) {
    return NULL;
  }
  sw_identity_put(file, &run->settings);
  fprintf(file, "project-output: %s\nevery: %ld\n", run->project_output ? "yes" : "no", run->every);
  sw_identity_line(file, "out", run->out == NULL ? "" : sw_place_name(run->out));
  sw_identity_line(file, "columns", run->columns);
  return sw_text_written(file, &text);
}

/* ---- before the first step ---- */

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

int sw_run_check_files(const sw_invocation *call, const sw_run_options *run)
{
  sw_files files = {NULL, 0};
  const int added =
      sw_settings_add_files(&run->settings, run->model_file, &files) &&
      sw_files_add(&files, "--resume", run->resume, SW_FILE_READ) &&
      add_with_metadata(&files, "--out", "the metadata of --out", run->out) &&
      add_with_metadata(&files, "--save-state", "the metadata of --save-state", run->save_state) &&
      sw_files_add(&files, "--checkpoint", run->checkpoint, SW_FILE_WRITTEN);
  return sw_files_finish(call, &files, added);
}

/* Rejects output files that would overwrite the unfinished trajectory. */
static int check_unfinished(const sw_invocation *call, const sw_run_options *run,
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

int sw_run_resume(const sw_invocation *call, const sw_run_options *run, sw_record *record)
{
  sw_reached at;
  char message[SW_TEXT_MESSAGE];
  sw_trajectory_plan plan = sw_run_plan(run);
  sw_status status =
      sw_checkpoint_read(run->resume, record->run, &at, record->sim, &record->summary, message);
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

int sw_run_open(const sw_invocation *call, const sw_run_options *run, sw_record *record)
{
  const sw_trajectory_plan plan = sw_run_plan(run);
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
               "%.160s is not a regular file, so that the run could not be continued", run->out);
      status = SW_ERR_ARGUMENT;
    }
    if (status == SW_OK && !run->quiet) {
      sw_name_left_over(call, run->out);
    }
  }
  return sw_file_exit_code(call, "out", message, status);
}
