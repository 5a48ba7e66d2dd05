/* SPDX-License-Identifier: BSD-3-Clause */

#include "io/json_writer.h"
#include "program/run_summary.h"
#include "sidewinder/version.h"

static void put_course(sw_json *json, const char *key, const sw_course *course)
{
  sw_json_open(json, key, '{');
  sw_json_number(json, "first", course->first);
  sw_json_number(json, "last", course->last);
  sw_json_number(json, "lowest", course->lowest);
  sw_json_number(json, "highest", course->highest);
  sw_json_flag(json, "finite", !course->undefined);
  sw_json_close(json, '}');
}

static void put_stats(sw_json *json, const sw_stats *stats)
{
  sw_json_integer(json, "fused_steps", stats->fused_steps);
  sw_json_integer(json, "solves", stats->solves);
  sw_json_integer(json, "newton_iterations", stats->newton_iterations);
  sw_json_number(json, "residual_g", stats->residual_g);
  sw_json_number(json, "residual_hidden", stats->residual_hidden);
  sw_json_number(json, "residual_solve", stats->residual_solve);
  sw_json_integer(json, "fibre_flows", stats->fibre_flows);
  sw_json_integer(json, "fibre_evaluations", stats->fibre_evaluations);
  sw_json_number(json, "fibre_error", stats->fibre_error);
}

static void summary_json_put_projection(sw_json *json, const sw_run_outcome *outcome)
{
  if (outcome->moved[0] == '\0') {
    sw_json_null(json, "projection");
    return;
  }
  sw_json_open(json, "projection", '{');
  sw_json_number(json, "positions", outcome->moved_q);
  sw_json_number(json, "momenta", outcome->moved_p);
  sw_json_close(json, '}');
}

void sw_summary_print_json(const sw_summary *summary, const sw_sim *sim,
                           const sw_run_outcome *outcome, FILE *stream)
{
  const sw_model *model = summary->system->model;
  const sw_stats stats = sw_summary_stats(summary, sim);
  char name[SW_NAME_BYTES];
  sw_json json = {.file = stream};
  sw_json_open(&json, NULL, '{');
  sw_json_text(&json, "sidewinder", SW_VERSION);
  sw_json_text(&json, "kind", "run");
  sw_json_text(&json, "model", model->name);
  sw_json_text(&json, "digest", model->digest);
  sw_json_text(&json, "method", outcome->origin->options->method);
  sw_json_text(&json, "base", outcome->origin->options->base);
  sw_metadata_put_curve(&json, sim, outcome->origin);
  sw_json_text(&json, "compose", outcome->origin->options->compose);
  sw_json_number(&json, "step", outcome->origin->step);
  sw_json_text(&json, "init", outcome->origin->init);
  summary_json_put_projection(&json, outcome);
  sw_json_text(&json, "end", outcome->end);
  sw_json_text(&json, "message", outcome->message[0] == '\0' ? NULL : outcome->message);
  sw_json_integer(&json, "steps", stats.steps);
  sw_json_number(&json, "t", sw_sim_time(sim));
  sw_json_number(&json, "seconds", summary->seconds + outcome->seconds);
  put_stats(&json, &stats);
  put_course(&json, "energy", &summary->energy);
  sw_json_open(&json, "invariants", '{');
  for (int i = 0; i < summary->system->n_invariant; i++) {
    put_course(&json, sw_system_name(summary->system, SW_INVARIANT, i, name),
               &summary->invariant[i]);
  }
  sw_json_close(&json, '}');
  sw_json_text(&json, "out", outcome->out);
  sw_json_text(&json, "state", outcome->state);
  sw_json_close(&json, '}');
}
