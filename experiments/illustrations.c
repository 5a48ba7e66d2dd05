/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * illustrations.c -- paper 000, Figs. 1 and 2: a step of SHAKE and RATTLE of the pendulum, and along fibres of the Hopf model.
 *
 * Reference numbers: the equations of the step with 40 digits.
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "commands.h"
#include "hopf.h"
#include "run.h"
#include "tables.h"

extern const sw_model sw_model_hopf;
extern const sw_model sw_model_pendulum;

/* ---- Fig. 1 ---- */

static const double h_pendulum = 0.5;

static void put_pair(page *p, const char *what, const double reference[2], const double found[2])
{
  page_row(p, "%s", what);
  page_compare(p, reference[0], found[0], 11);
  page_compare(p, reference[1], found[1], 11);
  page_end_row(p);
}

/* The parabola of the free fall, its ends, and momenta there. */
static void draw_fall(const page *p, const double z[4], const double kicked[2], const double end[4],
                      const double tangent[2])
{
  enum { POINTS = 40 };
  FILE *data = page_data(p, "000_fig1.dat", "# x, y of the fall; arrows: x, y, momentum");

  for (int i = 0; i <= POINTS; i++) {
    const double t = h_pendulum * i / POINTS;
    fprintf(data, "%.6f %.6f\n", z[0] + t * kicked[0], z[1] + t * kicked[1] - 0.5 * t * t);
  }
  fprintf(data, "\n\n%.6f %.6f %.6f %.6f\n%.6f %.6f %.6f %.6f\n", z[0], z[1], z[2], z[3], end[0],
          end[1], end[2], end[3]);
  fprintf(data, "\n\n%.6f %.6f %.6f %.6f\n%.6f %.6f %.6f %.6f\n", z[0], z[1], kicked[0], kicked[1],
          end[0], end[1], tangent[0], tangent[1]);
  page_close_data(data);
}

/* From a state of M off M^H: the kick, the fall to the circle, and the kick onto M^H. */
void table_pendulum_step(page *p)
{
  static const double z[4] = {0.6, -0.8, 0.7, 0.2};
  static const double kicked[2] = {0.381098094372297, 0.625202540836938};
  static const double position[2] = {0.790549047186148, -0.612398729581531};
  static const double arrived[2] = {0.381098094372297, 0.125202540836938};
  static const double tangent[2] = {0.20353851863604, 0.262749046006927};
  static const char *const names[4] = {"q.x", "q.y", "p.x", "p.y"};
  enum { STATE = 5 }; /* the first column of the state */
  const run_setup shake = {&sw_model_pendulum, .method = "shake", .base = "verlet"};
  command_table found;
  double end[4];
  sw_sim *sim = run_start(&shake);

  run_set_state(sim, z);
  run_advance(sim, h_pendulum, 1);
  memcpy(end, sw_sim_state(sim), sizeof end);
  sw_sim_free(&sim);
  FILE *file = page_data(p, "000_fig1.csv", "name,value");
  for (int i = 0; i < 4; i++) {
    fprintf(file, "%s,%.17g\n", names[i], end[i]);
  }
  page_close_data(file);
  command_run(p, &found, "fibre models/pendulum.sw --init-file '%s/000_fig1.csv'", p->folder);
  const double *on_mh = found.at[found.starred] + STATE + 2;
  const double before[2] = {end[2], end[3] + h_pendulum}; /* momenta of the fall */
  page_head(p,
            "q = (0.6, -0.8), p = (0.7, 0.2), h = 0.5 | x, reference | sidewinder | y, reference "
            "| sidewinder");
  put_pair(p, "momentum after the first kick (z_0^+)", kicked, before);
  put_pair(p, "position after the fall (z_1^- and z_1)", position, end);
  put_pair(p, "momentum after the fall (z_1^-)", arrived, end + 2);
  put_pair(p, "momentum after the second kick (z_1)", tangent, on_mh);
  draw_fall(p, z, before, end, on_mh);
}

/* ---- Fig. 2 ---- */

/* The angle theta of a fibre from a to b. */
static double angle(const double a[4], const double b[4])
{
  const double complex product =
      conj(a[0] + I * a[2]) * (b[0] + I * b[2]) + conj(a[1] + I * a[3]) * (b[1] + I * b[3]);

  return -carg(product);
}

/* A step of the midpoint rule back, for H = |p|^2/2 - g.q with g = (0, -1), where it is explicit. */
static void step_back(double h, const double z[4], double out[4])
{
  out[0] = z[0] - h * z[2];
  out[1] = z[1] - h * z[3] - 0.5 * h * h;
  out[2] = z[2];
  out[3] = z[3] + h;
}

typedef struct fibre_distances {
  double slid;      /* of the fibres of z_k and z_k^- */
  double kicked;    /* of z_k^+ and z_k^- */
  double hidden;    /* {g,H} at z_k */
  double from_slid; /* distance between SHAKE's steps from z_k and from z_k^- */
} fibre_distances;

static void watch_fibres(fibre_distances *seen, FILE *data)
{
  enum { STEPS = 20 };
  static const double h = 0.1;
  const run_setup by_shake = {&sw_model_hopf, .init = "za", .method = "shake", .base = "midpoint"};
  const run_setup by_rattle = {&sw_model_hopf, .init = "za", .base = "midpoint"};
  double start[4];
  double minus[4];
  sw_sim *shake = run_start(&by_shake);
  sw_sim *again = run_start(&by_shake);
  sw_sim *rattle = run_start(&by_rattle);

  hopf_along(&sw_model_hopf, sw_sim_state(shake), 0.2, start);
  run_set_state(shake, start);
  for (int k = 0; k < STEPS; k++) {
    double plus[4];
    double z[4];
    memcpy(minus, sw_sim_state(shake), sizeof minus);
    memcpy(z, sw_sim_state(rattle), sizeof z);
    run_set_state(again, z);
    run_advance(shake, h, 1);
    run_advance(rattle, h, 1);
    run_advance(again, h, 1);
    step_back(h, sw_sim_state(shake), plus);
    const double complex w = hopf_fibre(minus);
    seen->slid = fmax(seen->slid, cabs(hopf_fibre(z) - w));
    seen->kicked = fmax(seen->kicked, cabs(hopf_fibre(plus) - w));
    seen->hidden = fmax(seen->hidden, fabs(hopf_hidden(&sw_model_hopf, z)));
    seen->from_slid =
        fmax(seen->from_slid, run_distance(4, sw_sim_state(again), sw_sim_state(shake)));
    fprintf(data, "%d %.6f %.6f\n", k, angle(minus, z), angle(minus, plus));
  }
  sw_sim_free(&shake);
  sw_sim_free(&again);
  sw_sim_free(&rattle);
}

void table_fibre_steps(page *p)
{
  fibre_distances seen = {0.0, 0.0, 0.0, 0.0};
  FILE *data = page_data(p, "000_fig2.dat", "# k, theta from z_k^- to z_k, and to z_k^+");

  watch_fibres(&seen, data);
  page_close_data(data);
  page_head(p, "20 steps, h = 0.1 | paper | reference | sidewinder");
  page_below_row(p, "distance between the fibres of z_k and z_k^-", "0", "", seen.slid, 1e-13);
  page_below_row(p, "distance between the fibres of z_k^+ and z_k^-", "0", "", seen.kicked, 1e-13);
  page_below_row(p, "\\|p.(q + g)\\| at z_k", "0", "", seen.hidden, 1e-14);
  page_below_row(p, "distance between SHAKE's steps from z_k and from z_k^-", "0", "",
                 seen.from_slid, 1e-13);
}
