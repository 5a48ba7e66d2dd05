/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program of one's own does with a model, models/hopf.sw: a simulation with options, its
 * columns, a step that fails, a state that is kept and gone back to, a simulation for another
 * thread, and many trajectories side by side.  docs/c.md goes through it.
 *
 *   cc -Igenerated -Ibuild/include examples/embedding.c generated/hopf.c generated/hopf_step.c
 *   build/lib/libsidewinder.a \
 *      -lsundials_kinsol -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -llapacke -ljansson -lm
 *
 * and -DWITH_LANES with two objects more, of hopf_step.c: -DSW_LANES=4 -mavx2, and -DSW_LANES=8
 * -mavx512f -mavx512dq -mavx512vl.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hopf.h"
#include "sidewinder/batch.h"
#include "sidewinder/columns.h"
#include "sidewinder/sim.h"

/* ---- a simulation ---- */

static sw_sim *begin(void)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_of_run(&sw_model_hopf, NULL, &options); /* method, base, ... of the model's run line */
  options.tolerance = 1e-11;
  options.stepper = &sw_stepper_hopf;
#ifdef WITH_LANES
  static const sw_stepper *const lanes[] = {&sw_stepper_hopf_4, &sw_stepper_hopf_8, NULL};
  options.lanes = lanes;
#endif
  const sw_status status = sw_sim_create(&sw_model_hopf, &options, &sim);
  if (status == SW_ERR_OPTION) {
    fprintf(stderr, "%s\n", sw_options_objection(&sw_model_hopf, &options));
  } else if (status != SW_OK) {
    fprintf(stderr, "%s\n", sw_status_text(status));
  }
  return sim;
}

/* Changes a parameter by its name; 0 where there is none or its value is refused. */
static int set_parameter(sw_sim *sim, const char *wanted, double value)
{
  char name[SW_NAME_BYTES];
  const int nk = sw_sim_nk(sim);
  double *k = malloc((size_t)nk * sizeof *k);
  int found = 0;

  memcpy(k, sw_sim_parameters(sim), (size_t)nk * sizeof *k);
  for (int i = 0; i < nk; i++) {
    if (strcmp(sw_sim_name(sim, SW_K, i, name), wanted) == 0) {
      k[i] = value;
      found = 1;
    }
  }
  found = found && sw_sim_set_parameters(sim, k) == SW_OK;
  free(k);
  return found;
}

/* ---- rows ---- */

typedef struct printer {
  sw_columns *columns;
  sw_sim *sim;
} printer;

static int print_row(const sw_sim *sim, long step, void *user)
{
  const printer *to = user;
  (void)sim; /* to->sim, which columns may write to */
  if (step % 50 == 0) {
    const double *row = sw_columns_values(to->columns, to->sim, step);
    for (size_t i = 0; i < sw_columns_count(to->columns); i++) {
      printf("%s%.6f", i == 0 ? "" : ",", row[i]);
    }
    printf("\n");
  }
  return 0; /* anything else ends the run */
}

static sw_status print_run(sw_sim *sim, double h, long steps)
{
  char message[SW_COLUMNS_MESSAGE];
  printer to = {NULL, sim};
  sw_status status = sw_columns_of(sim, h, "t,q,energy", &to.columns, message);

  if (status != SW_OK) {
    fprintf(stderr, "%s\n", message);
    return status;
  }
  status = sw_sim_run(sim, h, steps, print_row, &to);
  if (status != SW_OK) {
    fprintf(stderr, "%s\n", sw_sim_message(sim));
  }
  sw_columns_free(&to.columns);
  return status;
}

/* ---- going back ---- */

/* Takes the same steps twice from one state; 1 where both lead to the same bits. */
static int goes_on_alike(sw_sim *sim, double h)
{
  const size_t count = sw_sim_saved_count(sim);
  const size_t bytes = (size_t)(2 * sw_sim_nq(sim)) * sizeof(double);
  double *saved = malloc(count * sizeof *saved);
  double *first = malloc(bytes);
  int alike = 0;

  sw_sim_save(sim, saved);
  if (sw_sim_run(sim, h, 100, NULL, NULL) == SW_OK) {
    memcpy(first, sw_sim_state(sim), bytes);
    alike = sw_sim_restore(sim, saved) == SW_OK && sw_sim_run(sim, h, 100, NULL, NULL) == SW_OK &&
            memcmp(first, sw_sim_state(sim), bytes) == 0;
  }
  free(saved);
  free(first);
  return alike;
}

/* A step that fails leaves the state as it was; a shorter one may do. */
static double careful_step(sw_sim *sim, double h)
{
  sw_status status = sw_sim_step(sim, h);

  while (status != SW_OK && h > 1e-6) {
    printf("a step of %g: %s\n", h, sw_status_name(status)); /* sw_sim_message says it in words */
    h /= 2.0;
    status = sw_sim_step(sim, h);
  }
  return h;
}

/* ---- many trajectories ---- */

/* As many as `count`, each with another gravity; how many are left in the end. */
static int run_many(sw_sim *sim, int count, double h, long steps)
{
  sw_batch *batch = NULL;
  int left = 0;

  if (sw_batch_create(sim, count, &batch) != SW_OK) {
    return -1;
  }
  for (int i = 0; i < count; i++) {
    double z[4];
    sw_sim_init_state(sim, 0, z);
    /* The gravity moves M^H, and so the state has to move. */
    if (set_parameter(sim, "g.1", 0.001 * i) && sw_sim_set_state(sim, 0.0, z) == SW_OK &&
        sw_sim_project(sim) == SW_OK) {
      sw_batch_put(batch, i, sim);
    }
  }
  sw_batch_run(batch, h, steps); /* one that fails stops, and disturbs no other */
  for (int i = 0; i < count; i++) {
    left += sw_batch_status(batch, i) == SW_OK;
  }
  sw_batch_free(&batch);
  return left;
}

/* ---- a base method of one's own ---- */

/* The order of RATTLE over Ralston's method. */
static int order_of_own(void)
{
  sw_options options;
  sw_sim *sim = NULL;
  static const double A[] = {0.0, 0.0, 2.0 / 3.0, 0.0}; /* by rows */
  static const double b[] = {0.25, 0.75};
  const sw_tableau ralston = {.name = "ralston", .stages = 2, .A = A, .b = b};

  sw_options_init(&options);
  options.tableau = &ralston;
  if (sw_sim_create(&sw_model_hopf, &options, &sim) != SW_OK) {
    fprintf(stderr, "%s\n", sw_options_objection(&sw_model_hopf, &options));
    return 0;
  }
  const int order = sw_sim_order(sim);
  sw_sim_free(&sim);
  return order;
}

int main(void)
{
  const double h = sw_model_hopf.run.step;
  sw_sim *sim = begin();
  sw_sim *another = NULL;

  if (sim == NULL || print_run(sim, h, 200) != SW_OK) {
    return 1;
  }
  printf("again the same bits: %s\n", goes_on_alike(sim, h) ? "yes" : "no");
  printf("a step of %g\n", careful_step(sim, 8.0));

  /* For another thread: it shares with the first what neither writes to. */
  if (sw_sim_create_like(sim, &another) != SW_OK) {
    return 1;
  }
  printf("%d of 100 left\n", run_many(another, 100, h, 100));
  sw_sim_free(&sim);
  sw_sim_free(&another);
  printf("order %d over a tableau\n", order_of_own());
  return 0;
}
