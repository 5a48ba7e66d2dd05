/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/recorded_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/child.h"
#include "common/text_writer.h"
#include "common/user_text.h"

static outcome recorded_run_failed(const char *what, const char *which, int error)
{
  fprintf(stderr, "sidewinder: cannot %s '%s': %s\n", what, which, strerror(error));
  return OUTCOME_FAILED;
}

/* Appends our options.  The program ignores options after "--", so a final "--" is removed. */
static void add_options(arena *a, program_call *call, const char *trajectory, const char *columns)
{
  call->n -= !strcmp(call->words[call->n - 1], "--");
  program_call_add(a, call, arena_printf(a, "--out=%s", trajectory));
  program_call_add(a, call, "--json");
  if (columns) {
    program_call_add(a, call, arena_printf(a, "--columns=%s", columns));
  }
}

/* Appends a column.  Names of the columns of every trajectory are reserved, so an array with such a
 * name needs its group in front (sidewinder/columns.h). */
static void add_column(writer *w, const char *group, const char *name)
{
  static const char *const taken[] = {"step", "t", "residual_g", "residual_hidden"};
  const int is_taken = sw_text_place(name, taken, sizeof taken / sizeof *taken) >= 0;
  writer_printf(w, ",%s%s", is_taken ? group : "", name);
}

static void add_families(writer *w, const char *group, int n, const model_family *const of[])
{
  for (int i = 0; i < n; i++) {
    if (of[i]->count > 0) {
      add_column(w, group, of[i]->name);
    }
  }
}

const char *recorded_run_columns(arena *a, const compilation *c)
{
  enum { FEW = 1000 };
  const model *m = c->model;
  writer *w = writer_create(a);
  long observed = 0;
  writer_printf(w, "step,t");
  for (int i = 0; i < m->n_coordinates; i++) {
    add_column(w, "state.", m->coordinates[i]->name);
  }
  for (int i = 0; i < m->n_coordinates; i++) {
    add_column(w, "state.", m->coordinates[i]->momentum);
  }
  for (int i = 0; i < m->n_observe; i++) {
    observed += m->observe[i]->count;
  }
  add_families(w, "observe.", observed <= FEW ? m->n_observe : 0, m->observe);
  add_families(w, "invariant.", m->n_invariants, m->invariants);
  writer_printf(w, ",residual_g,residual_hidden%s", m->nc > 0 ? ",multiplier" : "");
  return writer_text(w);
}

static outcome recorded_run_start(const program_call *call, const char *said,
                                  const sigset_t *blocked, recorded_run *run)
{
  FILE *output = fopen(said, "w");
  if (!output) {
    return recorded_run_failed("write", said, errno);
  }
  const child program = {.path = call->program,
                         .words = call->words,
                         .input = -1,
                         .output = fileno(output),
                         .mask = &run->mask,
                         .handed_on = blocked};
  fflush(stderr);
  const int error = child_run(&program, &run->code);
  fclose(output);
  return error ? recorded_run_failed("start", call->program, error) : OUTCOME_GOOD;
}

outcome recorded_run_open(arena *a, program_call *call, const char *columns, recorded_run *run)
{
  const sigset_t blocked = child_interruptions();
  *run = (recorded_run){.shop = {.lock = -1}, .kept = {.descriptor = -1}};
  sigprocmask(SIG_BLOCK, &blocked, &run->mask);
  if (!cache_open(a, &run->kept)) {
    run->kept.descriptor = -1;
    return OUTCOME_FAILED;
  }
  if (!workshop_open(a, &run->kept, &run->shop)) {
    return OUTCOME_FAILED;
  }
  const char *trajectory = arena_printf(a, "%s/trajectory.npy", run->shop.folder);
  const char *said = arena_printf(a, "%s/summary.json", run->shop.folder);
  add_options(a, call, trajectory, columns);
  const outcome result = recorded_run_start(call, said, &blocked, run);
  if (result == OUTCOME_GOOD) {
    run->trajectory = access(trajectory, R_OK) == 0 ? trajectory : NULL;
    run->summary = json_load_file(said, 0, NULL);
  }
  return result;
}

void recorded_run_close(recorded_run *run)
{
  json_decref(run->summary);
  workshop_close(&run->shop);
  if (run->kept.descriptor >= 0) {
    cache_close(&run->kept);
  }
  sigprocmask(SIG_SETMASK, &run->mask, NULL);
}
