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
 * are written only on request.  MULTIPLIER and IMPULSE together are what observables read. */
typedef enum group {
  CROSSING, /* of tables of crossings alone */
  TIME,
  STATE,
  OBSERVE,
  INVARIANT,
  DISCRETE,
  RESIDUAL,
  WORK,
  MULTIPLIER,
  IMPULSE,
  REGULARITY, /* det N, its smallest pivot and log |det N| */
  PLUS,       /* z+, z- and sigma of a step of RATTLE */
  MINUS,
  SIGMA,
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
  int reads_lambda;     /* SW_READS_... that the requested columns need */
  sw_fibre_probe probe; /* for det N, if it is requested; else zeros */
  double *scratch;      /* m */
  double *point;        /* 2d */
};

/* The names of the columns that are not the model's, group by group in the order of the columns. */
static const struct {
  const char *name;
  int of;
} own[] = {{"step", TIME},
           {"t", TIME},
           {"residual_g", RESIDUAL},
           {"residual_hidden", RESIDUAL},
           {"det_N", REGULARITY},
           {"smallest_pivot", REGULARITY},
           {"log_det_N", REGULARITY},
           {"work", WORK},
           {"H_minus_work", BALANCE},
           {"event", CROSSING},
           {"direction", CROSSING}};

enum { OWN = sizeof own / sizeof *own };

/* The first entry of a group in `own`; OWN if its columns have names of the model. */
static size_t own_of(int of)
{
  size_t i = 0;
  while (i < OWN && own[i].of != of) {
    i++;
  }
  return i;
}

/* What the names of a group begin with, if they would not be unique without; else NULL. */
static const char *const prefixes[GROUPS] = {[STATE] = "state.",
                                             [OBSERVE] = "observe.",
                                             [INVARIANT] = "invariant.",
                                             [DISCRETE] = "discrete.",
                                             [MULTIPLIER] = "multiplier.",
                                             [IMPULSE] = "impulse.",
                                             [PLUS] = "z+.",
                                             [MINUS] = "z-.",
                                             [SIGMA] = "sigma."};

/* 1 if a name begins with the prefix of a group. */
static int begins_as(const char *name, int of)
{
  return strncmp(name, prefixes[of], strlen(prefixes[of])) == 0;
}

/* 1 if a column of the model with this name needs its group in front. */
static int is_reserved(const sw_columns *columns, const char *name)
{
  int is_own = begins_as(name, IMPULSE) || begins_as(name, SIGMA);
  for (size_t i = 0; i < OWN; i++) {
    const int exists = own[i].of == CROSSING                       ? columns->first[TIME] > 0
                       : own[i].of == WORK || own[i].of == BALANCE ? columns->system->n_force > 0
                                                                   : 1;
    is_own |= exists && strcmp(name, own[i].name) == 0;
  }
  return is_own;
}

int sw_columns_is_on_request(const char *name)
{
  int is_own = 0;
  for (size_t i = 0; i < OWN; i++) {
    is_own |= (own[i].of == REGULARITY || own[i].of == BALANCE) && strcmp(name, own[i].name) == 0;
  }
  for (int of = DISCRETE; of < GROUPS; of++) {
    is_own |= prefixes[of] != NULL && begins_as(name, of);
  }
  return is_own;
}

/* det N is a column of systems with at most this number of constraints: its matrix is dense. */
enum { MOST_OF_DETERMINANT = 200 };

/* The name of column i, counted among all columns. */
static const char *name_column(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const sw_columns *columns = context;
  const sw_system *system = columns->system;
  size_t d = (size_t)system->nq;
  int of = CROSSING;
  while (i >= columns->first[of + 1]) {
    of++;
  }
  size_t k = i - columns->first[of];
  if (own_of(of) < OWN) {
    snprintf(buffer, SW_NAME_BYTES, "%s", own[own_of(of) + k].name);
    return buffer;
  }
  if (of == STATE || of == PLUS || of == MINUS) {
    sw_system_name(system, k < d ? SW_Q : SW_P, (int)(k < d ? k : k - d), buffer);
  } else {
    const sw_name_kind kind = of == OBSERVE ? SW_OBSERVE : of >= MULTIPLIER ? SW_C : SW_INVARIANT;
    sw_system_name(system, kind, (int)k, buffer);
  }
  if (is_reserved(columns, buffer) || of >= MULTIPLIER || of == DISCRETE) {
    size_t length = strlen(prefixes[of]);
    memmove(buffer + length, buffer, strlen(buffer) + 1);
    memcpy(buffer, prefixes[of], length);
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
    for (int of = CROSSING; of < GROUPS; of++) {
      columns->used[of] |=
          columns->chosen[i] >= columns->first[of] && columns->chosen[i] < columns->first[of + 1];
    }
  }
  return status;
}

/* Whether requested columns are, or read, multipliers and impulses: the sum of SW_READS_... */
static int reads_lambda(const sw_columns *columns)
{
  const size_t first = columns->first[OBSERVE];
  const size_t end = columns->first[OBSERVE + 1];
  int reads = (columns->used[MULTIPLIER] ? SW_READS_MULTIPLIERS : 0) |
              (columns->used[IMPULSE] ? SW_READS_IMPULSES : 0);
  for (size_t i = 0; i < columns->count && columns->system->model->reads_lambda; i++) {
    const size_t column = columns->chosen != NULL ? columns->chosen[i] : i;
    if (column >= first && column < end) {
      reads |= sw_system_reads_lambda(columns->system, (int)(column - first));
    }
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

/* 1 if the list may name columns of a group; unnamed ones of large systems are not counted. */
static int asks(const char *wanted, group of)
{
  char name[8];
  snprintf(name, sizeof name, "%.*s", (int)strlen(prefixes[of]) - 1, prefixes[of]);
  return wanted != NULL && strstr(wanted, name) != NULL;
}

static sw_status create(const sw_system *given, double h, const char *wanted, int of_crossings,
                        sw_columns **columns, char message[SW_TEXT_MESSAGE])
{
  const sw_system *system = sw_system_whole(given); /* whose multipliers rows have */
  const int has[] = {asks(wanted, PLUS), asks(wanted, MINUS), asks(wanted, SIGMA)};
  const size_t sizes[GROUPS] = {[CROSSING] = of_crossings ? 2 : 0,
                                [TIME] = 2,
                                [STATE] = 2 * (size_t)system->nq,
                                [OBSERVE] = (size_t)system->n_observe,
                                [INVARIANT] = (size_t)system->n_invariant,
                                [DISCRETE] = h != 0.0 ? (size_t)system->n_invariant : 0,
                                [RESIDUAL] = 2,
                                [WORK] = system->n_force > 0,
                                [BALANCE] = system->n_force > 0,
                                [MULTIPLIER] = (size_t)system->nc,
                                [IMPULSE] = (size_t)system->nc,
                                [REGULARITY] =
                                    system->nc > 0 && system->nc <= MOST_OF_DETERMINANT ? 3 : 0,
                                [PLUS] = has[0] ? 2 * (size_t)system->nq : 0,
                                [MINUS] = has[1] ? 2 * (size_t)system->nq : 0,
                                [SIGMA] = has[2] ? (size_t)system->nc : 0};
  sw_columns *made = calloc(1, sizeof *made);
  message[0] = '\0';
  *columns = made;
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->system = system;
  made->h = h;
  for (int of = CROSSING; of < GROUPS; of++) {
    made->first[of + 1] = made->first[of] + sizes[of];
    made->used[of] = of < MULTIPLIER;
  }
  made->count = made->first[MULTIPLIER];
  sw_status status = wanted != NULL ? choose_columns(made, wanted, message) : SW_OK;
  made->reads_lambda = reads_lambda(made);
  if (status == SW_OK && !columns_allocate(made)) {
    status = SW_ERR_MEMORY;
  }
  if (status == SW_OK && made->used[REGULARITY]) {
    status = sw_fibre_probe_open(system, NULL, &made->probe);
  }
  if (status != SW_OK) {
    sw_columns_free(columns);
  }
  return status;
}

sw_status sw_columns_create(const sw_system *system, double h, const char *wanted,
                            sw_columns **columns, char message[SW_TEXT_MESSAGE])
{
  return create(system, h, wanted, 0, columns, message);
}

sw_status sw_columns_of_crossings(const sw_sim *sim, double h, const char *wanted,
                                  sw_columns **columns, char message[SW_TEXT_MESSAGE])
{
  static const char first[] = "event,direction";
  const size_t size = sizeof first + 1 + (wanted != NULL ? strlen(wanted) : 0);
  char *list = malloc(size);
  *columns = NULL;
  message[0] = '\0';
  if (list == NULL) {
    return SW_ERR_MEMORY;
  }
  snprintf(list, size, "%s,%s", first, wanted != NULL ? wanted : "");
  const sw_status status = create(sim->system, sw_sim_has_legendre(sim) ? h : 0.0,
                                  wanted != NULL ? list : NULL, 1, columns, message);
  free(list);
  if (status == SW_OK && sw_columns_of_steps(*columns)) {
    snprintf(message, SW_TEXT_MESSAGE,
             "the columns z+, z- and sigma belong to whole steps; a table "
             "of crossings has none");
    sw_columns_free(columns);
    return SW_ERR_ARGUMENT;
  }
  return status;
}

sw_status sw_columns_of(const sw_sim *sim, double h, const char *wanted, sw_columns **columns,
                        char message[SW_COLUMNS_MESSAGE])
{
  const char *why = sw_slides_objection(sim);
  const sw_status status =
      sw_columns_create(sim->system, sw_sim_has_legendre(sim) ? h : 0.0, wanted, columns, message);
  if (status == SW_OK && why != NULL && sw_columns_of_steps(*columns)) {
    snprintf(message, SW_COLUMNS_MESSAGE, "no columns z+, z- and sigma: %s", why);
    sw_columns_free(columns);
    return SW_ERR_ARGUMENT;
  }
  return status;
}

int sw_columns_of_steps(const sw_columns *columns)
{
  return columns->used[PLUS] || columns->used[MINUS] || columns->used[SIGMA];
}

sw_status sw_columns_follow(const sw_columns *columns, sw_sim *sim)
{
  return sw_columns_of_steps(columns) ? sw_slides_keep(sim) : SW_OK;
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

/* det N, its smallest |pivot| and log |det N| at the state, or at the point of M^H on its fibre. */
static void put_regularity(sw_columns *columns, sw_sim *sim, double to[])
{
  sw_fibre_probe *probe = &columns->probe;
  probe->k = sw_sim_parameters(sim);
  int is_good = sw_fibre_probe_at(probe, sw_sim_state(sim));
  int is_on_hidden = 1;
  for (int i = 0; i < columns->system->nc; i++) {
    is_on_hidden &= fabs(probe->rho[i]) <= 64.0 * DBL_EPSILON * probe->scale[i];
  }
  if (is_good && !is_on_hidden) {
    is_good = sw_sim_hidden_point(sim, columns->point) == SW_OK &&
              sw_fibre_probe_at(probe, columns->point);
  }
  if (!is_good) {
    sw_say_nothing(sim);
  }
  to[0] = is_good ? probe->det : NAN;
  to[1] = is_good ? probe->pivot : NAN;
  to[2] = is_good ? probe->log_det : NAN;
}

/* z+, z- and sigma of the last step; NaN if the state is not the end of a step. */
static void put_slides(const sw_columns *columns, const sw_sim *sim, double all[])
{
  const sw_slides *s = sim->work.slides;
  const int is_known = s != NULL && s->is_known;
  const double *from[] = {is_known ? s->plus : NULL, is_known ? s->minus : NULL,
                          is_known ? s->sigma : NULL};
  for (int of = PLUS; of <= SIGMA; of++) {
    const size_t n = columns->first[of + 1] - columns->first[of];
    if (is_known) {
      sw_copy(all + columns->first[of], from[of - PLUS], n);
    } else {
      sw_fill(all + columns->first[of], NAN, n);
    }
  }
}

void sw_columns_cross(sw_columns *columns, const sw_crossing *crossing)
{
  columns->all[0] = (double)crossing->event;
  columns->all[1] = (double)crossing->direction;
}

const double *sw_columns_values(sw_columns *columns, sw_sim *sim, long step)
{
  const sw_system *system = columns->system;
  const double *z = sw_sim_state(sim);
  const double *k = sw_sim_parameters(sim);
  double *all = columns->all;
  const size_t m = (size_t)system->nc;
  double *lambda = all + columns->first[MULTIPLIER];
  double *impulses = all + columns->first[IMPULSE];
  put_slides(columns, sim, all); /* before other columns use the memory of steps */
  /* Observables that read multipliers are evaluated with the others, although nobody asked. */
  sw_fill(lambda, NAN, 2 * m);
  if ((columns->reads_lambda & SW_READS_MULTIPLIERS) != 0) {
    sw_copy(lambda, sw_sim_shown_multipliers(sim), m);
  }
  if ((columns->reads_lambda & SW_READS_IMPULSES) != 0) {
    sw_copy(impulses, sw_sim_impulses(sim), m);
  }
  all[columns->first[TIME]] = (double)step;
  all[columns->first[TIME] + 1] = sw_sim_time(sim);
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
  if (step == 0) {
    sw_fill(impulses, NAN, m); /* observables have read 0 */
  }
  if (columns->used[REGULARITY]) {
    put_regularity(columns, sim, all + columns->first[REGULARITY]);
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
