/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shim.c -- the functions of one model that Python calls; their arguments are numbers, texts and
 * opaque pointers.
 *
 * It is compiled together with the model's C, against the headers of the library that it runs with.
 * So Python needs no struct layouts and no enum values.  `sidewinder build --shared` inserts
 * definitions of SW_MODEL, SW_STEPPER and SW_STEPPER_LANES before it (docs/c.md).
 *
 * Functions that can fail return a status of the library; 0 is the only success.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sidewinder/adjoint.h"
#include "sidewinder/columns.h"
#include "sidewinder/data.h"
#include "sidewinder/derivatives.h"
#include "sidewinder/ensemble.h"
#include "sidewinder/events.h"

#ifdef SW_STEPPER_LANES
static const sw_stepper *const lanes[] = SW_STEPPER_LANES;
#endif

/* ---- the model ---- */

const char *swpy_model_text(const char *what)
{
  const sw_model *m = &SW_MODEL;
  return strcmp(what, "name") == 0     ? m->name
         : strcmp(what, "title") == 0  ? m->title
         : strcmp(what, "digest") == 0 ? m->digest
         : strcmp(what, "init") == 0   ? m->run.init
                                       : NULL;
}

/* NaN if the run line gives no step size. */
double swpy_model_step(void)
{
  return SW_MODEL.run.step;
}

/* The default limit of a projection. */
double swpy_project_most(void)
{
  return SW_PROJECT_MOST;
}

/* 1 if the model cannot be simulated without data. */
int swpy_model_takes_data(void)
{
  int takes = SW_MODEL.n_indices > 0;
  for (int i = 0; i < SW_MODEL.n_sizes; i++) {
    takes |= SW_MODEL.size_default[i] == SW_NO_DEFAULT;
  }
  return takes;
}

int swpy_model_sizes(void)
{
  return SW_MODEL.n_sizes;
}

const char *swpy_model_size(int i, long *value)
{
  *value = SW_MODEL.size_default[i];
  return SW_MODEL.size_names[i];
}

/* The method (0) or the base method (1) of the straight-line code; NULL if there is none. */
const char *swpy_stepper(int of_base)
{
#ifdef SW_STEPPER
  return of_base ? SW_STEPPER.base : SW_STEPPER.method;
#else
  (void)of_base;
  return NULL;
#endif
}

int swpy_room(void)
{
  return SW_NAME_BYTES > SW_COLUMNS_MESSAGE ? SW_NAME_BYTES : SW_COLUMNS_MESSAGE;
}

/* ---- options, by their names ---- */

enum { SIZES_MOST = 64 };

typedef struct swpy_options {
  sw_options o;
  sw_size sizes[SIZES_MOST];
  sw_tableau tableau;
} swpy_options;

static const struct {
  const char *name;
  char kind; /* t: text, r: a number, i: an integer, 2: two numbers */
  size_t place;
} table[] = {{"method", 't', offsetof(sw_options, method)},
             {"base", 't', offsetof(sw_options, base)},
             {"compose", 't', offsetof(sw_options, compose)},
             {"bias", '2', offsetof(sw_options, bias)},
             {"base_minus", 't', offsetof(sw_options, base_minus)},
             {"adjoint", 't', offsetof(sw_options, adjoint)},
             {"tolerance", 'r', offsetof(sw_options, tolerance)},
             {"max_iterations", 'i', offsetof(sw_options, max_iterations)},
             {"numerical_fibre", 'i', offsetof(sw_options, numerical_fibre)},
             {"check_reversible", 'i', offsetof(sw_options, check_reversible)},
             {"reversible_tolerance", 'r', offsetof(sw_options, reversible_tolerance)},
             {"compensated", 'i', offsetof(sw_options, compensated)},
             {"redundant", 't', offsetof(sw_options, redundant)},
             {"solver", 't', offsetof(sw_options, solver)}};

/* The name of option i and its kind; NULL after the last option. */
const char *swpy_option(int i, char *kind)
{
  if (i < 0 || (size_t)i >= sizeof table / sizeof *table) {
    return NULL;
  }
  *kind = table[i].kind;
  return table[i].name;
}

/* The options of the run line, for `method` unless it is NULL.  Free them with
 * swpy_options_free.  Returns NULL without memory. Texts of options are not copied: they must
 * outlive the options and all simulations created with them. */
swpy_options *swpy_options_new(const char *method)
{
  swpy_options *made = calloc(1, sizeof *made);
  if (made != NULL) {
    sw_options_of_run(&SW_MODEL, method, &made->o);
#ifdef SW_STEPPER
    made->o.stepper = &SW_STEPPER;
#endif
#ifdef SW_STEPPER_LANES
    made->o.lanes = lanes;
#endif
  }
  return made;
}

void swpy_options_free(swpy_options *options)
{
  free(options);
}

void swpy_options_set_text(swpy_options *options, int i, const char *value)
{
  memcpy((char *)&options->o + table[i].place, &value, sizeof value);
}

const char *swpy_options_text(const swpy_options *options, int i)
{
  const char *value;
  memcpy(&value, (const char *)&options->o + table[i].place, sizeof value);
  return value;
}

/* values: two for kind '2', otherwise one.  The value of an integer option is truncated. */
void swpy_options_set_numbers(swpy_options *options, int i, const double values[])
{
  char *to = (char *)&options->o + table[i].place;
  const int integer = (int)values[0];
  if (table[i].kind == 'i') {
    memcpy(to, &integer, sizeof integer);
  } else {
    memcpy(to, values, (table[i].kind == '2' ? 2 : 1) * sizeof *values);
  }
}

/* Returns 0 if there are too many sizes. */
int swpy_options_add_size(swpy_options *options, const char *name, long value)
{
  sw_options *o = &options->o;
  if (o->n_sizes == SIZES_MOST) {
    return 0;
  }
  options->sizes[o->n_sizes] = (sw_size){.name = name, .value = value};
  o->n_sizes++;
  o->sizes = options->sizes;
  return 1;
}

/* ---- data ---- */

/* Arrays by name; their contents are not copied. */
typedef struct swpy_arrays {
  size_t n;
  sw_data_array array[];
} swpy_arrays;

swpy_arrays *swpy_arrays_new(size_t n)
{
  swpy_arrays *made = calloc(1, sizeof *made + n * sizeof made->array[0]);
  if (made != NULL) {
    made->n = n;
  }
  return made;
}

void swpy_arrays_free(swpy_arrays *arrays)
{
  free(arrays);
}

/* labels: NULL, or for each entry its text (NULL if the entry is a number).  Returns 0 if the
 * array has too many dimensions. */
int swpy_arrays_set(swpy_arrays *arrays, size_t i, const char *name, int n_dims, const long size[],
                    const double values[], const char *const labels[])
{
  sw_data_array *to = &arrays->array[i];
  if (n_dims > SW_DATA_DIMS) {
    return 0;
  }
  *to = (sw_data_array){.name = name, .n_dims = n_dims, .values = values, .labels = labels};
  for (int d = 0; d < n_dims; d++) {
    to->size[d] = (size_t)size[d];
  }
  return 1;
}

/* Reads data from a file, or from `arrays` if path is NULL, and combines their sizes with those
 * of the options.  The options then refer to the sizes of the data, so the data must outlive
 * them.  Free the data with sw_data_free. */
int swpy_options_set_data(swpy_options *options, const char *path, const swpy_arrays *arrays,
                          sw_data **data, char message[])
{
  sw_options *o = &options->o;
  const int status =
      path != NULL
          ? sw_data_read(&SW_MODEL, path, o->n_sizes, o->sizes, data, message)
          : sw_data_make(&SW_MODEL, arrays->n, arrays->array, o->n_sizes, o->sizes, data, message);
  if (status == SW_OK) {
    o->n_sizes = sw_data_n_sizes(*data);
    o->sizes = sw_data_sizes(*data);
  }
  return status;
}

/* Sets a user-defined base method with `stages` stages; A_hat and b_hat may be NULL.  Nothing is
 * copied.  Returns the reason if it is invalid, otherwise "". */
const char *swpy_options_set_tableau(swpy_options *options, const char *name, int stages,
                                     const double A[], const double b[], const double A_hat[],
                                     const double b_hat[])
{
  sw_tableau_report report;
  const char *why = "";
  options->tableau = (sw_tableau){name, stages, A, b, A_hat, b_hat};
  options->o.tableau = &options->tableau;
  options->o.base = name;
  sw_tableau_examine(&options->tableau, &report, &why);
  return why;
}

const char *swpy_options_objection(const swpy_options *options)
{
  return sw_options_objection(&SW_MODEL, &options->o);
}

int swpy_sim_create(const swpy_options *options, sw_sim **sim)
{
  return sw_sim_create(&SW_MODEL, &options->o, sim);
}

/* ---- a simulation ---- */

/* kind: q, p, k, c, o, i or e, as in sw_name_kind. */
const char *swpy_sim_name(const sw_sim *sim, char kind, int i, char buffer[])
{
  const sw_name_kind of = kind == 'q'   ? SW_Q
                          : kind == 'p' ? SW_P
                          : kind == 'k' ? SW_K
                          : kind == 'c' ? SW_C
                          : kind == 'o' ? SW_OBSERVE
                          : kind == 'e' ? SW_EVENT
                                        : SW_INVARIANT;
  return sw_sim_name(sim, of, i, buffer);
}

enum { STATS = 11 };

/* Statistic i; NULL after the last one. */
static const char *take_stat(const sw_stats *s, int i, double *value)
{
  static const char *const names[STATS] = {"steps",
                                           "fused_steps",
                                           "solves",
                                           "newton_iterations",
                                           "residual_g",
                                           "residual_hidden",
                                           "residual_solve",
                                           "fibre_flows",
                                           "fibre_steps",
                                           "fibre_error",
                                           "heat"};
  const double values[STATS] = {(double)s->steps,
                                (double)s->fused_steps,
                                (double)s->solves,
                                (double)s->newton_iterations,
                                s->residual_g,
                                s->residual_hidden,
                                s->residual_solve,
                                (double)s->fibre_flows,
                                (double)s->fibre_steps,
                                s->fibre_error,
                                s->heat};
  if (i < 0 || i >= STATS) {
    return NULL;
  }
  *value = values[i];
  return names[i];
}

const char *swpy_sim_stat(const sw_sim *sim, int i, double *value)
{
  const sw_stats stats = sw_sim_stats(sim);
  return take_stat(&stats, i, value);
}

/* Takes steps from+1 .. from+steps of a run of `last` steps that begins at step `first` of the
 * simulation.  Writes a row of all columns after each every-th step and after the last one, and
 * their number to *written. */
int swpy_sim_run(sw_sim *sim, sw_columns *columns, double h, long first, long from, long steps,
                 long every, long last, double rows[], long *written)
{
  const size_t n = sw_columns_count(columns);
  const long end = from + steps;
  *written = 0;
  while (from < end) {
    const long due = every - from % every < last - from ? from + every - from % every : last;
    const long next = due < end ? due : end;
    const sw_status status = sw_sim_run(sim, h, next - from, NULL, NULL);
    if (status != SW_OK) {
      return status;
    }
    from = next;
    if (from == due) {
      memcpy(rows + (size_t)*written * n, sw_columns_values(columns, sim, first + from),
             n * sizeof *rows);
      (*written)++;
    }
  }
  return SW_OK;
}

typedef struct crossing_rows {
  sw_columns *columns;
  double *next;
  long step; /* number of steps of the run before those of the simulation's statistics */
  long written;
} crossing_rows;

static int write_crossing(sw_sim *at, const sw_crossing *crossing, void *user)
{
  crossing_rows *to = user;
  const size_t n = sw_columns_count(to->columns);
  const long step = to->step + sw_sim_stats(at).steps - 1;

  to->next[0] = crossing->event;
  to->next[1] = crossing->direction;
  memcpy(to->next + 2, sw_columns_values(to->columns, at, step), n * sizeof *to->next);
  to->next += 2 + n;
  to->written++;
  return 0;
}

/* Takes at most `steps` steps while `room` rows suffice for another one.  Writes a row of event,
 * direction and all columns for each crossing.  `before`: number of steps before those of the
 * statistics.  *stop: 1 + the number of the event that ended the run, or 0. */
int swpy_events_run(sw_events *events, sw_sim *sim, sw_columns *columns, double h, long before,
                    long steps, double rows[], long room, long *written, long *taken, int *stop)
{
  crossing_rows to = {columns, rows, before, 0};
  sw_status status = SW_OK;

  *taken = 0;
  *stop = 0;
  while (*taken < steps && room - to.written >= 2L * sw_sim_n_event(sim) && !*stop &&
         status == SW_OK) {
    status = sw_events_run(events, sim, h, 1, NULL, write_crossing, &to);
    *taken += status == SW_OK;
    *stop = sw_events_stopped(events) != NULL ? sw_events_stopped(events)->event + 1 : 0;
  }
  *written = to.written;
  return status;
}

typedef int swpy_loss(long step, double t, const double z[], double *value, double gradient[]);

typedef struct swpy_trajectory {
  swpy_loss *loss;
  const double *inputs; /* n_inputs for each step; or NULL */
  int n_inputs;
} swpy_trajectory;

static int loss_of(void *user, long step, double t, const double z[], double *value,
                   double gradient[])
{
  const swpy_trajectory *of = user;
  return of->loss(step, t, z, value, gradient);
}

static int inputs_of(void *user, long step, double u[])
{
  const swpy_trajectory *of = user;
  memcpy(u, of->inputs + step * of->n_inputs, (size_t)of->n_inputs * sizeof *u);
  return 0;
}

/* The gradient over a trajectory.  inputs: rows for all steps, or NULL.  slopes: nk + 1 values, dL/dk
 * and dL/dh, or NULL.  u: like inputs, or NULL. */
int swpy_sim_gradient(sw_sim *sim, double h, long steps, long checkpoints, swpy_loss *loss,
                      const double *inputs, double *value, double z0[], double *slopes, double *u)
{
  swpy_trajectory of = {loss, inputs, sw_sim_n_inputs(sim)};
  const sw_trajectory trajectory = {.h = h,
                                    .steps = steps,
                                    .checkpoints = checkpoints,
                                    .loss = loss_of,
                                    .inputs = inputs != NULL ? inputs_of : NULL,
                                    .user = &of};
  sw_gradient gradient = {
      .z0 = z0, .k = slopes, .h = slopes != NULL ? slopes + sw_sim_nk(sim) : NULL, .u = u};
  const int status = sw_sim_gradient(sim, &trajectory, &gradient);
  *value = gradient.value;
  return status;
}

/* ---- an ensemble that measures all columns of its trajectories ---- */

typedef struct swpy_ensemble {
  sw_ensemble *ensemble;
  int threads;
  sw_sim **sim; /* one per thread; the columns use their memory */
  sw_columns **columns;
} swpy_ensemble;

static void measure(sw_sim *sim, long step, int worker, double values[], void *user)
{
  const swpy_ensemble *e = user;
  sw_columns *columns = e->columns[worker];
  memcpy(values, sw_columns_values(columns, sim, step), sw_columns_count(columns) * sizeof *values);
}

void swpy_ensemble_free(swpy_ensemble *e)
{
  if (e == NULL) {
    return;
  }
  sw_ensemble_free(&e->ensemble);
  for (int i = 0; i < e->threads; i++) {
    if (e->columns != NULL) {
      sw_columns_free(&e->columns[i]);
    }
    if (e->sim != NULL) {
      sw_sim_free(&e->sim[i]);
    }
  }
  free(e->columns);
  free(e->sim);
  free(e);
}

static int open_ensemble(swpy_ensemble *e, const sw_sim *like, long count, double h,
                         const char *wanted, char message[])
{
  sw_ensemble_options options;
  sw_status status = e->sim == NULL || e->columns == NULL ? SW_ERR_MEMORY : SW_OK;
  for (int i = 0; status == SW_OK && i < e->threads; i++) {
    status = sw_sim_create_like(like, &e->sim[i]);
    if (status == SW_OK) {
      status = sw_columns_of(e->sim[i], h, wanted, &e->columns[i], message);
    }
    if (status == SW_OK && sw_columns_of_steps(e->columns[i])) {
      snprintf(message, SW_COLUMNS_MESSAGE, SW_COLUMNS_NOT_OF_ENSEMBLES);
      status = SW_ERR_ARGUMENT;
    }
  }
  if (status != SW_OK) {
    return status;
  }
  sw_ensemble_options_init(&options);
  options.count = count;
  options.threads = e->threads;
  options.n_values = (long)sw_columns_count(e->columns[0]);
  options.measure = measure;
  options.user = e;
  return sw_ensemble_create(like, &options, &e->ensemble);
}

int swpy_ensemble_create(const sw_sim *like, long count, int threads, double h, const char *wanted,
                         swpy_ensemble **made, char message[])
{
  swpy_ensemble *e = NULL;
  message[0] = '\0';
  *made = NULL;
  if (threads < 1 || threads > SW_THREADS_MOST || count < 1) {
    return SW_ERR_ARGUMENT;
  }
  e = calloc(1, sizeof *e);
  if (e == NULL) {
    return SW_ERR_MEMORY;
  }
  e->threads = threads;
  e->sim = calloc((size_t)threads, sizeof(sw_sim *));
  e->columns = calloc((size_t)threads, sizeof(sw_columns *));
  const int status = open_ensemble(e, like, count, h, wanted, message);
  if (status != SW_OK) {
    swpy_ensemble_free(e);
    return status;
  }
  *made = e;
  return SW_OK;
}

sw_ensemble *swpy_ensemble_of(const swpy_ensemble *e)
{
  return e->ensemble;
}

const sw_columns *swpy_ensemble_columns(const swpy_ensemble *e)
{
  return e->columns[0];
}

/* Sets the states of all trajectories, n values each, or their parameters if `parameters` is 1.
 * After an error *at is the number of the rejected trajectory. */
int swpy_ensemble_set(swpy_ensemble *e, int parameters, double t, long n, const double values[],
                      long *at)
{
  const long count = sw_ensemble_count(e->ensemble);
  for (*at = 0; *at < count; (*at)++) {
    const double *of = values + *at * n;
    const sw_status status = parameters ? sw_ensemble_set_parameters(e->ensemble, *at, of)
                                        : sw_ensemble_set_state(e->ensemble, *at, t, of);
    if (status != SW_OK) {
      return status;
    }
  }
  return SW_OK;
}

void swpy_ensemble_get(const swpy_ensemble *e, int parameters, long n, double values[])
{
  const long count = sw_ensemble_count(e->ensemble);
  for (long i = 0; i < count; i++) {
    const double *of =
        parameters ? sw_ensemble_parameters(e->ensemble, i) : sw_ensemble_state(e->ensemble, i);
    memcpy(values + i * n, of, (size_t)n * sizeof *values);
  }
}

/* The status and the number of steps of each trajectory. */
void swpy_ensemble_progress(const swpy_ensemble *e, int status[], long steps[])
{
  const long count = sw_ensemble_count(e->ensemble);
  for (long i = 0; i < count; i++) {
    status[i] = sw_ensemble_status(e->ensemble, i);
    steps[i] = sw_ensemble_steps(e->ensemble, i);
  }
}

const char *swpy_ensemble_stat(const swpy_ensemble *e, int i, double *value)
{
  const sw_stats stats = sw_ensemble_stats(e->ensemble);
  return take_stat(&stats, i, value);
}
