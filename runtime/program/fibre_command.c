/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command `fibre`: finds the points where the fibre of a state meets M^H.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/fibre_points.h"
#include "io/json_writer.h"
#include "program/start.h"

/* The table shows the state if it has at most this many entries. */
enum { MOST_COLUMNS = 12 };

/* Step size of the test whether the state is on M, if the model's run line has none.  The test
 * barely depends on it. */
static const double some_step = 1e-3;

/* The data to print. */
typedef struct fibre_report {
  const sw_settings *settings;
  sw_system *system;
  const double *k;
  sw_fibre_points points;
  int slide; /* index of the point that RATTLE's slide leads to; -1 if unknown */
  char no_slide[SW_MESSAGE_BYTES]; /* why the slide fails, else "" */
} fibre_report;

static const char doc[] =
    "List the points where the fibre of a state meets M^H, and how far they are from det N = 0.\v"
    "The state has to be on M. SHAKE moves it along its fibre, and RATTLE to a point of the fibre "
    "on M^H, where H along the fibre is critical (paper 000, Fig. 6). Each row is such a point: "
    "the multiplier sigma that leads there, det N, the smallest change of a multiplier that leads "
    "to det N = 0, and H. A star is the point that the slide of RATTLE leads to. A degenerate "
    "point has det N = 0.\n"
    "The fibre of one constraint is a curve, which is searched for one turn, or if it is open for "
    "--range. Of several constraints a search from the first turn of each, which ends after 512 "
    "starts without a new point, may miss some.\n"
    "\n"
    "Examples:\n"
    "  fibre --init za\n"
    "  fibre --init-file state.csv --json\n"
    "\n"
    "Exit codes: as for run.";

static double energy_at(const fibre_report *r, int i)
{
  double energy = NAN;
  r->system->hamiltonian(r->system, r->points.z + (size_t)i * r->points.dim, r->k, &energy);
  return energy;
}

static const char *fibre_command_kind_of(const sw_fibre_point *point)
{
  return point->is_degenerate ? "degenerate" : "regular";
}

/* ---- output as a table ---- */

static void print_turns(const fibre_report *r)
{
  const sw_fibre_points *f = &r->points;
  char name[SW_NAME_BYTES];
  for (int i = 0; i < f->m; i++) {
    const sw_fibre_turn *turn = &f->turn[i];
    printf("%-14s %s: ", i == 0 ? "fibre" : "", sw_system_name(r->system, SW_C, i, name));
    if (turn->is_closed) {
      printf("closed, one turn is sigma = %.15g\n", turn->last - turn->first);
    } else {
      printf("open, searched from sigma = %.6g to %.6g\n", turn->first, turn->last);
    }
  }
}

static void fibre_command_print_head(const fibre_report *r)
{
  const sw_fibre_points *f = &r->points;
  char name[SW_NAME_BYTES];
  printf("\n ");
  for (int i = 0; i < f->m; i++) {
    char title[SW_NAME_BYTES + 8];
    snprintf(title, sizeof title, f->m > 1 ? "sigma.%s" : "sigma",
             sw_system_name(r->system, SW_C, i, name));
    printf(" %22s", title);
  }
  printf(" %-10s %14s %14s %18s", "kind", "det N", "distance", "H");
  for (int i = 0; i < r->system->nq * 2 && f->dim <= MOST_COLUMNS; i++) {
    const int is_q = i < r->system->nq;
    printf(" %18s",
           sw_system_name(r->system, is_q ? SW_Q : SW_P, is_q ? i : i - r->system->nq, name));
  }
  printf("\n");
}

static void print_point(const fibre_report *r, int i)
{
  const sw_fibre_points *f = &r->points;
  const sw_fibre_point *point = &f->point[i];
  printf("%s", i == r->slide ? "*" : " ");
  for (int j = 0; j < f->m; j++) {
    printf(" %22.15g", f->sigma[(size_t)i * (size_t)f->m + (size_t)j]);
  }
  printf(" %-10s %14.7g", fibre_command_kind_of(point), point->det);
  if (isfinite(point->distance)) {
    printf(" %14.7g", point->distance);
  } else {
    printf(" %14s", "-");
  }
  printf(" %18.12g", energy_at(r, i));
  for (size_t j = 0; j < f->dim && f->dim <= MOST_COLUMNS; j++) {
    printf(" %18.12g", f->z[(size_t)i * f->dim + j]);
  }
  printf("\n");
}

static void fibre_command_print_table(const fibre_report *r)
{
  const sw_fibre_points *f = &r->points;
  print_turns(r);
  if (f->is_constant) {
    printf("points         all: H is constant along the fibre\n");
    return;
  }
  printf("points on M^H  %d\n", f->count);
  if (f->m == 1) {
    printf("det N = 0      %s", f->zeros > 0 ? "at sigma =" : "nowhere");
    for (int i = 0; i < f->zeros; i++) {
      printf("%s %.15g", i > 0 ? "," : "", f->zero[i]);
    }
    printf("\n");
  }
  if (sw_fibre_points_sum(f) != 0) {
    printf("incomplete     if the fibre is compact a point is missing: the signs of det N add up "
           "to %d\n",
           sw_fibre_points_sum(f));
  }
  if (r->slide < 0) {
    printf("slide          %s%s\n", r->no_slide[0] != '\0' ? "none: " : "leads to no point below",
           r->no_slide);
  }
  if (f->count > 0) {
    fibre_command_print_head(r);
  }
  for (int i = 0; i < f->count; i++) {
    print_point(r, i);
  }
}

/* ---- output as JSON ---- */

static void fibre_command_put_numbers(sw_json *json, const char *key, size_t n, const double x[])
{
  sw_json_open(json, key, '[');
  for (size_t i = 0; i < n; i++) {
    sw_json_number(json, NULL, x[i]);
  }
  sw_json_close(json, ']');
}

static void put_fibre(sw_json *json, const fibre_report *r)
{
  const sw_fibre_points *f = &r->points;
  char name[SW_NAME_BYTES];
  sw_json_open(json, "constraints", '[');
  for (int i = 0; i < f->m; i++) {
    sw_json_open(json, NULL, '{');
    sw_json_text(json, "name", sw_system_name(r->system, SW_C, i, name));
    sw_json_flag(json, "closed", f->turn[i].is_closed);
    sw_json_number(json, "first", f->turn[i].first);
    sw_json_number(json, "last", f->turn[i].last);
    sw_json_close(json, '}');
  }
  sw_json_close(json, ']');
  sw_json_flag(json, "constant", f->is_constant);
  sw_json_flag(json, "complete", sw_fibre_points_sum(f) == 0);
  if (f->m == 1) {
    fibre_command_put_numbers(json, "det_zero", (size_t)f->zeros, f->zero);
  } else {
    sw_json_null(json, "det_zero");
  }
}

static void put_point(sw_json *json, const fibre_report *r, int i)
{
  const sw_fibre_points *f = &r->points;
  const sw_fibre_point *point = &f->point[i];
  const double *z = f->z + (size_t)i * f->dim;
  sw_json_open(json, NULL, '{');
  fibre_command_put_numbers(json, "sigma", (size_t)f->m, f->sigma + (size_t)i * (size_t)f->m);
  sw_json_text(json, "kind", fibre_command_kind_of(point));
  sw_json_flag(json, "slide", i == r->slide);
  sw_json_number(json, "det", point->det);
  sw_json_number(json, "distance", point->distance);
  sw_json_number(json, "energy", energy_at(r, i));
  fibre_command_put_numbers(json, "q", f->dim / 2, z);
  fibre_command_put_numbers(json, "p", f->dim / 2, z + f->dim / 2);
  sw_json_close(json, '}');
}

static void fibre_command_print_json(const fibre_report *r)
{
  sw_json json = {.file = stdout};
  sw_json_open(&json, NULL, '{');
  sw_json_text(&json, "model", r->system->model->name);
  sw_json_text(&json, "init", sw_settings_start(r->settings));
  put_fibre(&json, r);
  sw_json_open(&json, "points", '[');
  for (int i = 0; i < r->points.count; i++) {
    put_point(&json, r, i);
  }
  sw_json_close(&json, ']');
  sw_json_text(&json, "slide_failure", r->no_slide[0] != '\0' ? r->no_slide : NULL);
  sw_json_close(&json, '}');
}

/* ---- the command ---- */

static int print_report(const sw_invocation *call, const sw_settings *settings, sw_sim *sim,
                        fibre_report *r)
{
  double *end = calloc(r->points.dim, sizeof *end);
  if (end == NULL) {
    return sw_out_of_memory(call);
  }
  if (sw_sim_hidden_point(sim, end) == SW_OK) {
    r->slide = sw_fibre_points_at(&r->points, end);
  } else {
    sw_program_message(sim, r->no_slide);
  }
  free(end);
  if (settings->json) {
    fibre_command_print_json(r);
  } else {
    fibre_command_print_table(r);
  }
  return SW_EXIT_GOOD;
}

/* Lists the points on the fibre of the independent constraints. */
static int list_points(const sw_invocation *call, const sw_settings *settings, sw_sim *sim)
{
  sw_system *reduced = NULL;
  fibre_report report = {.settings = settings, .k = sw_sim_parameters(sim), .slide = -1};
  sw_status status = sw_sim_complete(sim);
  if (status == SW_OK && sim->system->model->follows && !sim->system->whole) {
    status = sw_system_reduce(sim->system, &reduced);
  }
  report.system = reduced != NULL ? reduced : sim->system;
  const int m = report.system->nc;
  int code = SW_EXIT_GOOD;
  if (status == SW_OK && (m == 0 || m > SW_FIBRE_CONSTRAINTS)) {
    code = sw_complain(call, SW_EXIT_USAGE,
                       "%s: the model has %d constraints; fibres of at most %d are searched",
                       m == 0 ? "no fibres" : "too many", m, SW_FIBRE_CONSTRAINTS);
  } else if (status == SW_OK) {
    status = sw_fibre_points_find(report.system, report.k, sw_sim_state(sim), settings->range,
                                  &report.points);
  }
  if (status != SW_OK) {
    code = sw_complain(call, sw_exit_code(status), "%s", sw_status_text(status));
  } else if (code == SW_EXIT_GOOD) {
    code = print_report(call, settings, sim, &report);
  }
  sw_fibre_points_close(&report.points);
  sw_system_free(&reduced);
  return code;
}

static int fibre_with(const sw_invocation *call, sw_settings *settings)
{
  const double step = isfinite(settings->step) ? settings->step : some_step;
  sw_sim *sim = NULL;
  sw_moved moved;
  if (!(settings->range > 0.0)) {
    return sw_complain(call, SW_EXIT_USAGE, "--range: it must be positive");
  }
  int code = sw_start(call, settings, &sim, &moved);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  sw_moved_print(settings, &moved, settings->json ? stderr : stdout);
  const sw_status status = sw_say(sim, "step", sw_step_examine_start(sim, step));
  code = status == SW_OK ? list_points(call, settings, sim) : sw_program_refuse(call, sim, status);
  sw_sim_free(&sim);
  return code;
}

const sw_command sw_command_fibre = {
    .command = SW_FOR_FIBRE, .name = "fibre", .doc = doc, .run = fibre_with};
