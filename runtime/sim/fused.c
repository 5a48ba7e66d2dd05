/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fused.c -- steps by the generated code of a model (sidewinder/stepper.h).
 *
 * Whether the code takes a step depends only on the state.  So a run that is resumed from one of
 * its states is reproduced bit for bit.
 */
#include <math.h>
#include <string.h>

#include "linear/phi_matrix.h"
#include "sim/sim_internal.h"

int sw_fused_keeps_pace(const sw_sim *sim, const sw_clock *clock, double h)
{
  return !(sim->plan->method->staggered || sim->plan->method->start) || clock->h == h;
}

int sw_fused_may_start(sw_sim *sim, double h, long n)
{
  if (!sim->plan->stepper || sim->work.slides || !sw_fused_keeps_pace(sim, &sim->state.clock, h) ||
      !sw_is_step_size(h) || !isfinite(sw_clock_time(&sim->state.clock) + (double)n * h) ||
      !sw_component_commutes(&sim->work.check.component)) {
    return 0;
  }
  if (sim->state.known.checked && sim->state.is_fused) {
    return 1;
  }
  const sw_status status = sw_step_examine_start(sim, h);
  sw_say_nothing(sim);
  sw_step_forget(sim);
  return status == SW_OK;
}

sw_fused sw_fused_begin(const sw_sim *sim, double h)
{
  return (sw_fused){.k = sim->k,
                    .h = h,
                    .parts = sim->plan->composition->n,
                    .factor = sim->plan->composition->factor,
                    .bias = sim->plan->options.bias,
                    .tolerance = sim->plan->options.tolerance,
                    .most_iterations = sim->plan->options.max_iterations,
                    .phi = sw_phi_matrix,
                    .kept = sim->work.of_stepper,
                    .floor = sw_floor_at_end(&sim->work.check),
                    .live = 1,
                    .z = sim->state.z,
                    .more = sim->state.more,
                    .sum = sim->work.F};
}

void sw_fused_count(const sw_fused *f, int lane, long taken, sw_stats *stats)
{
  stats->steps += taken;
  stats->fused_steps += taken;
  stats->solves += f->solves[lane];
  stats->newton_iterations += f->iterations[lane];
  stats->residual_g = fmax(stats->residual_g, f->residual_g[lane]);
  stats->residual_hidden = fmax(stats->residual_hidden, f->residual_rho[lane]);
  stats->residual_solve = fmax(stats->residual_solve, f->residual_solve[lane]);
}

typedef struct scaled {
  double by;
  const double *from;
  double *to;
} scaled;

static void scale(void *context, size_t first, size_t end)
{
  const scaled *s = context;
  const double by = s->by;

  for (size_t i = first; i < end; i++) {
    s->to[i] = by * s->from[i];
  }
}

/* Commits the end of the last step with its results. */
static void take_over(sw_sim *sim, const sw_fused *f, long taken)
{
  sw_state *state = &sim->state;

  scaled lambda = {1.0 / f->h, f->sum, state->lambda};

  sw_team_share(sim->system->team, (size_t)sim->system->nc, scale, &lambda);
  if (sim->work.dropped) {
    memset(sim->work.dropped, 0, (size_t)sim->system->nc); /* N is regular */
  }
  state->known.judged = state->known.extent;
  state->known.checked = 1;
  sw_fused_count(f, 0, taken, &sim->stats);
  state->clock = sw_clock_next(&state->clock, f->h);
  state->clock.n += taken - 1;
}

long sw_fused_steps(sw_sim *sim, double h, long n)
{
  if (!sw_fused_may_start(sim, h, n)) {
    sim->state.is_fused = 0;
    return 0;
  }
  sw_fused f = sw_fused_begin(sim, h);
  const long taken =
      sim->plan->clusters ? sw_cluster_steps(sim, &f, n) : sim->plan->stepper->steps(&f, n);

  sim->state.is_fused = taken > 0;
  if (taken > 0) {
    sw_say_nothing(sim);
    if (sim->plan->clusters) {
      sw_cluster_steps_end(sim);
    } else {
      sw_step_forget(sim);
      sim->state.known.extent = sw_sizes_of(sim->system, sim->state.z);
    }
    take_over(sim, &f, taken);
  }
  return taken;
}
