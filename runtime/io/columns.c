/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/columns.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/fibre_points.h"
#include "common/sorted_names.h"
#include "common/vectors.h"
#include "model/system.h"
#include "sim/sim_internal.h"

_Static_assert(SW_COLUMNS_MESSAGE == SW_TEXT_MESSAGE, "one room for messages");

/* The groups of columns; a group is evaluated as a whole.  Columns of the groups from MULTIPLIER on
 * are written only on request. */
typedef enum group {
  TIME,
  STATE,
  OBSERVE,
  INVARIANT,
  DISCRETE,
  RESIDUAL,
  WORK,
  MULTIPLIER,
  IMPULSE,
  DETERMINANT,
  BALANCE, /* H minus the work */
  GROUPS
} group;

struct sw_columns {
  const sw_system *system;
  double h; /* step size if DISCRETE has columns, else 0 */
  /* the first column of each group; first[GROUPS] is the number of columns */
  size_t first[GROUPS + 1];
  int used[GROUPS]; /* 1 if a column of the group is requested */
  size_t count;
  size_t *chosen;       /* count column numbers; NULL: all columns */
  double *all;          /* the values of all columns */
  double *row;          /* the values of the requested columns */
  int reads_lambda;     /* 1 if a requested column needs the multipliers */
  sw_fibre_probe probe; /* for det N, if it is requested; else zeros */
  double *scratch;      /* m */
  double *point;        /* 2d */
};

/* The names of the columns that are not the model's; the last two exist for models with forces. */
static const char *const own_names[] = {"step",  "t",    "residual_g",  "residual_hidden",
                                        "det_N", "work", "H_minus_work"};

enum { OWN_NAMES = sizeof own_names / sizeof *own_names, OWN_OF_FORCES = 2 };

/* The first name of a group in own_names; -1 if its columns have names of the model. */
static int own_name(int of)
{
  return of == TIME          ? 0
         : of == RESIDUAL    ? 2
         : of == DETERMINANT ? 4
         : of == WORK        ? 5
         : of == BALANCE     ? 6
                             : -1;
}

/* 1 if a column of the model with this name needs its group in front. */
static int is_reserved(const sw_system *system, const char *name)
{
  const size_t n = system->n_force > 0 ? OWN_NAMES : OWN_NAMES - OWN_OF_FORCES;

  return sw_text_place(name, own_names, n) >= 0 ||
         strncmp(name, "impulse.", strlen("impulse.")) == 0;
}

/* det N is a column of systems with at most this number of constraints: its matrix is dense. */
enum { MOST_OF_DETERMINANT = 200 };

/* The name of column i, counted among all columns. */
static const char *name_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  static const char *const prefix[GROUPS] = {
      [STATE] = "state.",       [OBSERVE] = "observe.",       [INVARIANT] = "invariant.",
      [DISCRETE] = "discrete.", [MULTIPLIER] = "multiplier.", [IMPULSE] = "impulse."};
  const sw_columns *columns = context;
  const sw_system *system = columns->system;
  size_t d = (size_t)system->nq;
  int of = TIME;
  while (i >= columns->first[of + 1]) {
    of++;
  }
  size_t k = i - columns->first[of];
  if (own_name(of) >= 0) {
    snprintf(buffer, SW_NAME_BYTES, "%s", own_names[(size_t)own_name(of) + k]);
    return buffer;
  }
  if (of == STATE) {
    sw_system_name(system, k < d ? SW_Q : SW_P, (int)(k < d ? k : k - d), buffer);
  } else {
    const sw_name_kind kind = of == OBSERVE ? SW_OBSERVE : of >= MULTIPLIER ? SW_C : SW_INVARIANT;
    sw_system_name(system, kind, (int)k, buffer);
  }
  if (is_reserved(system, buffer) || of >= MULTIPLIER || of == DISCRETE) {
    size_t length = strlen(prefix[of]);
    memmove(buffer + length, buffer, strlen(buffer) + 1);
    memcpy(buffer, prefix[of], length);
  }
  return buffer;
}

const char *sw_columns_name(const sw_columns *columns, size_t i, char buffer[SW_NAME_BYTES])
{
  return name_column(columns, columns->chosen != NULL ? columns->chosen[i] : i, buffer);
}

int sw_columns_is_state(const sw_columns *columns, size_t i)
{
  const size_t of_all = columns->chosen != NULL ? columns->chosen[i] : i;
  return of_all >= columns->first[STATE] && of_all < columns->first[STATE + 1];
}

size_t sw_columns_count(const sw_columns *columns)
{
  return columns->count;
}

/* ---- choice of columns ---- */

static int by_number(const void *a, const void *b)
{
  size_t left = *(const size_t *)a;
  size_t right = *(const size_t *)b;
  return (left > right) - (left < right);
}

/* Writes the numbers of the columns that a name selects to found[], in increasing order.  Returns
 * their number. */
static size_t find_columns(const sw_sorted_names *index, const char *name, size_t found[])
{
  size_t at = sw_names_from(index, name);
  size_t length = strlen(name);
  size_t count = 0;
  if (at < index->count && strcmp(*index->place[at], name) == 0) {
    found[0] = (size_t)(index->place[at] - index->names);
    return 1;
  }
  for (; at < index->count && strncmp(*index->place[at], name, length) == 0; at++) {
    if ((*index->place[at])[length] == '.') {
      found[count++] = (size_t)(index->place[at] - index->names);
    }
  }
  qsort(found, count, sizeof *found, by_number);
  return count;
}

/* Appends the columns that one name selects. taken[i] is 1 if column i has been selected. */
static sw_status columns_add_columns(sw_columns *columns, const sw_sorted_names *index,
                                     const char *name, char taken[], char message[SW_TEXT_MESSAGE])
{
  /* A name selects at most all columns, and columns->chosen has space for all. */
  size_t *found = calloc(index->count, sizeof *found);
  if (found == NULL) {
    return SW_ERR_MEMORY;
  }
  size_t count = find_columns(index, name, found);
  if (count == 0) {
    sw_text_unknown("column", name, index->names, index->count, message);
    if (strcmp(name, "energy") == 0) {
      snprintf(message, SW_TEXT_MESSAGE,
               "unknown column 'energy'; the model needs a line "
               "'invariant energy = H', or 'observe energy = H'");
    }
  }
  sw_status status = count == 0 ? SW_ERR_ARGUMENT : SW_OK;
  for (size_t i = 0; i < count && status == SW_OK; i++) {
    if (taken[found[i]]) {
      snprintf(message, SW_TEXT_MESSAGE, "column '%.100s' is given twice", index->names[found[i]]);
      status = SW_ERR_ARGUMENT;
    } else {
      taken[found[i]] = 1;
      columns->chosen[columns->count++] = found[i];
    }
  }
  free(found);
  return status;
}

static sw_status choose(sw_columns *columns, const sw_sorted_names *index, const char *wanted,
                        char message[SW_TEXT_MESSAGE])
{
  char *list = strdup(wanted);
  char *taken = calloc(index->count, 1);
  sw_status status = list == NULL || taken == NULL ? SW_ERR_MEMORY : SW_OK;
  char *rest = list;
  while (status == SW_OK && rest != NULL) {
    const char *name = strsep(&rest, ",");
    status = columns_add_columns(columns, index, name, taken, message);
  }
  free(taken);
  free(list);
  return status;
}

static sw_status choose_columns(sw_columns *columns, const char *wanted,
                                char message[SW_TEXT_MESSAGE])
{
  const size_t count = columns->first[GROUPS];
  const char **names = sw_names_create(count, name_column, columns);
  const sw_sorted_names index = sw_names_sort(names, names != NULL ? count : 0);
  columns->count = 0;
  columns->chosen = calloc(count, sizeof *columns->chosen);
  sw_status status = columns->chosen == NULL || names == NULL || index.place == NULL
                         ? SW_ERR_MEMORY
                         : choose(columns, &index, wanted, message);
  free(index.place);
  free(names);
  memset(columns->used, 0, sizeof columns->used);
  for (size_t i = 0; i < columns->count; i++) {
    for (int of = TIME; of < GROUPS; of++) {
      columns->used[of] |=
          columns->chosen[i] >= columns->first[of] && columns->chosen[i] < columns->first[of + 1];
    }
  }
  return status;
}

/* 1 if a requested column is a multiplier or an observable that reads one. */
static int reads_lambda(const sw_columns *columns)
{
  const size_t first = columns->first[OBSERVE];
  const size_t end = columns->first[OBSERVE + 1];
  int reads = columns->used[MULTIPLIER];
  for (size_t i = 0; i < columns->count && !reads; i++) {
    const size_t column = columns->chosen != NULL ? columns->chosen[i] : i;
    reads = column >= first && column < end &&
            sw_system_reads_lambda(columns->system, (int)(column - first));
  }
  return reads;
}

/* ---- memory ---- */

static double *reals(size_t n)
{
  return calloc(n + 1, sizeof(double));
}

static int columns_allocate(sw_columns *columns)
{
  size_t m = (size_t)columns->system->nc;
  columns->all = reals(columns->first[GROUPS]);
  columns->row = reals(columns->count);
  columns->scratch = reals(m);
  columns->point = reals(2 * (size_t)columns->system->nq);
  return columns->all != NULL && columns->row != NULL && columns->scratch != NULL &&
         columns->point != NULL;
}

sw_status sw_columns_create(const sw_system *given, double h, const char *wanted,
                            sw_columns **columns, char message[SW_TEXT_MESSAGE])
{
  const sw_system *system = sw_system_whole(given); /* whose multipliers rows have */
  const size_t sizes[GROUPS] = {[TIME] = 2,
                                [STATE] = 2 * (size_t)system->nq,
                                [OBSERVE] = (size_t)system->n_observe,
                                [INVARIANT] = (size_t)system->n_invariant,
                                [DISCRETE] = h != 0.0 ? (size_t)system->n_invariant : 0,
                                [RESIDUAL] = 2,
                                [WORK] = system->n_force > 0,
                                [BALANCE] = system->n_force > 0,
                                [MULTIPLIER] = (size_t)system->nc,
                                [IMPULSE] = (size_t)system->nc,
                                [DETERMINANT] =
                                    system->nc > 0 && system->nc <= MOST_OF_DETERMINANT};
  sw_columns *made = calloc(1, sizeof *made);
  message[0] = '\0';
  *columns = made;
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->system = system;
  made->h = h;
  for (int of = TIME; of < GROUPS; of++) {
    made->first[of + 1] = made->first[of] + sizes[of];
    made->used[of] = of < MULTIPLIER;
  }
  made->count = made->first[MULTIPLIER];
  sw_status status = wanted != NULL ? choose_columns(made, wanted, message) : SW_OK;
  made->reads_lambda = reads_lambda(made);
  if (status == SW_OK && !columns_allocate(made)) {
    status = SW_ERR_MEMORY;
  }
  if (status == SW_OK && made->used[DETERMINANT]) {
    status = sw_fibre_probe_open(system, NULL, &made->probe);
  }
  if (status != SW_OK) {
    sw_columns_free(columns);
  }
  return status;
}

sw_status sw_columns_of(const sw_sim *sim, double h, const char *wanted, sw_columns **columns,
                        char message[SW_COLUMNS_MESSAGE])
{
  return sw_columns_create(sim->system, sw_sim_has_legendre(sim) ? h : 0.0, wanted, columns,
                           message);
}

void sw_columns_free(sw_columns **columns)
{
  sw_columns *freed = *columns;
  if (freed != NULL) {
    free(freed->chosen);
    free(freed->all);
    free(freed->row);
    free(freed->scratch);
    free(freed->point);
    sw_fibre_probe_close(&freed->probe);
    free(freed);
  }
  *columns = NULL;
}

/* ---- values ---- */

static void put_residuals(sw_columns *columns, const double z[], const double k[], double to[])
{
  const sw_system *system = columns->system;
  const size_t m = (size_t)system->nc;
  if (m > 0) {
    system->constraint(system, z, k, columns->scratch);
  }
  to[0] = sw_max_abs(m, columns->scratch);
  if (m > 0) {
    system->hidden(system, z, k, columns->scratch);
  }
  to[1] = sw_max_abs(m, columns->scratch);
}

/* The invariants at the end point of the state's discrete curve, with the momentum there. */
static void put_discrete(sw_columns *columns, sw_sim *sim, const double k[], double to[])
{
  const sw_system *system = columns->system;
  if (sw_sim_legendre(sim, columns->h, columns->point, NULL) == SW_OK) {
    system->invariant(system, columns->point, k, to);
    return;
  }
  sw_fill(to, NAN, (size_t)system->n_invariant);
}

/* det N at the state, or at the point of M^H on its fibre. */
static double determinant(sw_columns *columns, sw_sim *sim)
{
  sw_fibre_probe *probe = &columns->probe;
  int is_on_hidden = 1;
  probe->k = sw_sim_parameters(sim);
  if (!sw_fibre_probe_at(probe, sw_sim_state(sim))) {
    return NAN;
  }
  for (int i = 0; i < columns->system->nc; i++) {
    is_on_hidden &= fabs(probe->rho[i]) <= 64.0 * DBL_EPSILON * probe->scale[i];
  }
  if (!is_on_hidden && sw_sim_hidden_point(sim, columns->point) != SW_OK) {
    sw_say_nothing(sim);
    return NAN;
  }
  return is_on_hidden || sw_fibre_probe_at(probe, columns->point) ? probe->det : NAN;
}

const double *sw_columns_values(sw_columns *columns, sw_sim *sim, long step)
{
  const sw_system *system = columns->system;
  const double *z = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  double *all = columns->all;
  const size_t m = (size_t)system->nc;
  const double *lambda = all + columns->first[MULTIPLIER];
  if (columns->reads_lambda) {
    lambda = sw_sim_shown_multipliers(sim);
  } else {
    /* Observables that read multipliers are evaluated with the others, although nobody asked. */
    sw_fill(all + columns->first[MULTIPLIER], NAN, m);
  }
  all[0] = (double)step;
  all[1] = sw_sim_time(sim);
  if (columns->used[STATE]) {
    sw_copy(all + columns->first[STATE], z, 2 * (size_t)system->nq);
  }
  if (columns->used[OBSERVE] && system->n_observe > 0) {
    system->observe(system, z, k, lambda, all + columns->first[OBSERVE]);
  }
  if (columns->used[INVARIANT] && system->n_invariant > 0) {
    system->invariant(system, z, k, all + columns->first[INVARIANT]);
  }
  if (columns->used[DISCRETE] && columns->h != 0.0 && system->n_invariant > 0) {
    put_discrete(columns, sim, k, all + columns->first[DISCRETE]);
  }
  if (columns->used[RESIDUAL]) {
    put_residuals(columns, z, k, all + columns->first[RESIDUAL]);
  }
  if (columns->used[WORK] && system->n_force > 0) {
    all[columns->first[WORK]] = sw_sim_work(sim);
  }
  if (columns->used[BALANCE]) {
    double H;
    sw_sim_hamiltonian(sim, &H);
    all[columns->first[BALANCE]] = H - sw_sim_work(sim);
  }
  if (columns->used[MULTIPLIER]) {
    sw_copy(all + columns->first[MULTIPLIER], lambda, m);
  }
  if (columns->used[IMPULSE] && step == 0) {
    sw_fill(all + columns->first[IMPULSE], NAN, m);
  } else if (columns->used[IMPULSE]) {
    sw_copy(all + columns->first[IMPULSE], sw_sim_impulses(sim), m);
  }
  if (columns->used[DETERMINANT]) {
    all[columns->first[DETERMINANT]] = determinant(columns, sim);
  }
  if (columns->chosen == NULL) {
    return all;
  }
  for (size_t i = 0; i < columns->count; i++) {
    columns->row[i] = all[columns->chosen[i]];
  }
  return columns->row;
}

/* ---- names as data sets of an HDF5 file ---- */

char *sw_hdf5_texts(sw_namer *name, const void *context, size_t n, size_t *bytes)
{
  char buffer[SW_NAME_BYTES];
  *bytes = 1;
  for (size_t i = 0; i < n; i++) {
    const size_t length = strlen(name(context, i, buffer)) + 1;
    *bytes = length > *bytes ? length : *bytes;
  }
  char *texts = calloc(n + 1, *bytes);
  for (size_t i = 0; texts != NULL && i < n; i++) {
    snprintf(texts + i * *bytes, *bytes, "%s", name(context, i, buffer));
  }
  return texts;
}

const char *sw_hdf5_name_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_columns_name(context, i, buffer);
}

char *sw_hdf5_column_texts(const sw_columns *columns, size_t *bytes)
{
  return sw_hdf5_texts(sw_hdf5_name_column, columns, sw_columns_count(columns), bytes);
}

int sw_hdf5_put_names(sw_h5 *to, const char *name, sw_namer *namer, const void *context, size_t n)
{
  size_t bytes = 0;
  char *texts = sw_hdf5_texts(namer, context, n, &bytes);
  const int good = texts != NULL && sw_h5_put_texts(to, name, texts, bytes, n);
  free(texts);
  return good;
}
