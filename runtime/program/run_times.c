/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/run_times.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "common/vectors.h"
#include "sidewinder/events.h"

int sw_run_times_check(const sw_invocation *call, const sw_settings *run)
{
  const long every = run->system->model->run.every;
  if (run->at == NULL) {
    return SW_EXIT_GOOD;
  }
  if (run->out == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--at needs --out FILE");
  }
  const char *other = run->checkpoint != NULL                 ? "checkpoint"
                      : run->resume != NULL                   ? "resume"
                      : run->project_output                   ? "project-output"
                      : run->every != (every > 0 ? every : 1) ? "every"
                                                              : NULL;
  return other == NULL
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_USAGE, "--at and --%s exclude each other", other);
}

/* ---- the list ---- */

/* The text of the list: that of the option, or of the file after '@', without lines that begin with
 * '#'.  The caller frees it; NULL with errno. */
static char *list_text(const char *at)
{
  char *text = NULL;
  char *line = NULL;
  size_t size = 0;
  if (at[0] != '@') {
    return strdup(at);
  }
  FILE *file = fopen(at + 1, "r");
  FILE *copy = file != NULL ? open_memstream(&text, &size) : NULL;
  while (copy != NULL && getline(&line, &size, file) >= 0) {
    fputs(line[0] == '#' ? "" : line, copy);
  }
  free(line);
  const int bad = copy == NULL || ferror(file) || fclose(copy) != 0;
  const int cause = errno;
  if (file != NULL) {
    fclose(file);
  }
  if (bad) {
    free(text);
    errno = cause;
    return NULL;
  }
  return text;
}

/* Reads the numbers of a text, which are separated by commas and blanks.  Returns the first word
 * that is no number, or NULL. */
static const char *read_list(char *text, sw_run_times *times)
{
  static const char separators[] = ", \t\r\n";
  char *rest = NULL;
  for (char *word = strtok_r(text, separators, &rest); word != NULL;
       word = strtok_r(NULL, separators, &rest)) {
    if (!sw_text_real(word, &times->t[times->n])) {
      return word;
    }
    times->n++;
  }
  return NULL;
}

/* Two times that differ by rounding errors. */
static double tolerance_of(const sw_run_times *times, double t)
{
  return 4.0 * DBL_EPSILON * fmax(fabs(t), fabs(times->h));
}

/* Checks that the times are in the order of the run and within it. */
static int check_times(const sw_invocation *call, const sw_settings *run, const sw_sim *sim,
                       const sw_run_times *times)
{
  const double first = sw_sim_time(sim);
  const double last = first + (double)run->steps * run->step;
  const double sign = copysign(1.0, run->step);
  if (times->n == 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--at: the list has no times");
  }
  for (long i = 0; i < times->n; i++) {
    const double t = times->t[i];
    const double slack = tolerance_of(times, t);
    if (i > 0 && !(sign * (t - times->t[i - 1]) > 0.0)) {
      return sw_complain(call, SW_EXIT_USAGE, "--at: %.17g does not come after %.17g in the run", t,
                         times->t[i - 1]);
    }
    if (sign * (t - first) < -slack || sign * (t - last) > slack) {
      return sw_complain(call, SW_EXIT_USAGE,
                         "--at: %.17g is not within the run, from %.15g to %.15g", t, first, last);
    }
  }
  return SW_EXIT_GOOD;
}

int sw_run_times_open(const sw_invocation *call, const sw_settings *run, const sw_sim *sim,
                      sw_run_times *times)
{
  if (run->at == NULL) {
    return SW_EXIT_GOOD;
  }
  const char *objection = sw_sim_between_objection(sim);
  if (*objection) {
    return sw_complain(call, SW_EXIT_USAGE, "--at: %s", objection);
  }
  char *text = list_text(run->at);
  if (text == NULL) {
    return errno == ENOMEM ? sw_out_of_memory(call)
                           : sw_complain(call, SW_EXIT_FAILED, "--at: %.200s cannot be read: %s",
                                         run->at + 1, strerror(errno));
  }
  times->h = run->step;
  times->t = calloc(strlen(text) / 2 + 1, sizeof *times->t);
  times->start = calloc(sw_sim_saved_count(sim), sizeof *times->start);
  int code = SW_EXIT_GOOD;
  if (times->t == NULL || times->start == NULL || sw_sim_create_like(sim, &times->trial) != SW_OK ||
      sw_sim_set_parameters(times->trial, sw_sim_parameters(sim)) != SW_OK) {
    code = sw_out_of_memory(call);
  } else {
    const char *word = read_list(text, times);
    code = word == NULL ? check_times(call, run, sim, times)
                        : sw_complain(call, SW_EXIT_USAGE, "--at: '%.100s' is not a number", word);
  }
  free(text);
  return code;
}

void sw_run_times_clear(sw_run_times *times)
{
  sw_sim_free(&times->trial);
  free(times->t);
  free(times->start);
}

/* ---- rows ---- */

long sw_run_times_before(sw_run_times *times, const sw_sim *sim, long most)
{
  if (times->next == times->n) {
    return most;
  }
  const double t = times->t[times->next];
  const double ahead = (t - sw_sim_time(sim)) / times->h;
  if (ahead < 1.0) {
    sw_sim_save(sim, times->start);
    return 1;
  }
  return ahead < (double)most ? (long)ahead : most;
}

/* Moves the trial simulation to time t, from the saved start of the step. */
static sw_status go_to(sw_run_times *times, sw_sim *sim, double t)
{
  sw_sim *trial = times->trial;
  sw_copy(trial->k, sim->k, (size_t)sim->system->nk); /* inputs change from step to step */
  sw_status status = sw_sim_restore(trial, times->start);
  if (status == SW_OK) {
    status = sw_sim_step(trial, t - sw_sim_time(trial));
  }
  if (status != SW_OK) {
    return sw_refuse(sim, status, "the row at t = %.15g: %.400s", t, sw_sim_message(trial));
  }
  trial->state.clock = (sw_clock){t, 0, trial->state.clock.h};
  return SW_OK;
}

sw_status sw_run_times_after(sw_run_times *times, sw_sim *sim, sw_trajectory *trajectory, long step)
{
  const double now = sw_sim_time(sim);
  sw_status status = SW_OK;
  for (; times->next < times->n && status == SW_OK; times->next++) {
    const double t = times->t[times->next];
    const double behind = copysign(1.0, times->h) * (now - t);
    const int is_now = fabs(behind) <= tolerance_of(times, t);
    if (!is_now && behind < 0.0) {
      break;
    }
    status = is_now ? SW_OK : go_to(times, sim, t);
    if (status == SW_OK) {
      status =
          sw_trajectory_write(trajectory, is_now ? sim : times->trial, is_now ? step : step - 1);
    }
  }
  return status;
}
