/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/input_table.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sorted_names.h"
#include "common/target.h"
#include "common/vectors.h"
#include "io/number_table.h"

/* ---- reading ---- */

/* The inputs of a system. */
typedef struct sw_inputs {
  const sw_system *system;
  int *place; /* their indices in k */
} sw_inputs;

/* The name of column i of an array: t, then the inputs. */
static const char *name_input(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const sw_inputs *of = context;
  if (i == 0) {
    snprintf(buffer, SW_NAME_BYTES, "t");
    return buffer;
  }
  return sw_system_name(of->system, SW_K, of->place[i - 1], buffer);
}

/* Looks up the columns: column i of the file is column to[i] of the table. */
static sw_status place_columns(const sw_number_table *file, const sw_sorted_names *sorted,
                               sw_input_table *table, size_t to[])
{
  char why[SW_TEXT_MESSAGE];
  size_t inputs = 0;
  for (size_t i = 0; i < file->width; i++) {
    to[i] = sw_names_number(sorted, file->names[i]);
    if (to[i] == sorted->count) {
      sw_text_unknown("input", file->names[i], sorted->names, sorted->count, why);
      return sw_source_refuse(&file->source, ": column %zu: %.300s", i + 1, why);
    }
    if (table->given[to[i]]) {
      return sw_source_refuse(&file->source, ": column %zu: '%.100s' for the second time", i + 1,
                              file->names[i]);
    }
    table->given[to[i]] = 1;
    inputs += to[i] > 0;
  }
  return !table->given[0] ? sw_source_refuse(&file->source, " has no column 't', the times")
         : inputs == 0    ? sw_source_refuse(&file->source, " has no column of an input")
                          : SW_OK;
}

/* Checks that times increase and that inputs are within their bounds. */
static sw_status check_rows(const sw_number_table *file, const sw_inputs *inputs,
                            const sw_input_table *table)
{
  const size_t width = 1 + (size_t)table->n;
  char where[SW_TABLE_PLACE];
  char name[SW_NAME_BYTES];
  char bounds[64];
  for (size_t r = 0; r < table->rows; r++) {
    const double *row = table->values + r * width;
    if (r > 0 && !(row[0] > row[-(ptrdiff_t)width])) {
      return sw_source_refuse(
          &file->source, ": %s: t = %.17g does not follow t = %.17g; sort the rows",
          sw_number_table_place(file, r, where), row[0], row[-(ptrdiff_t)width]);
    }
    for (int i = 0; i < table->n; i++) {
      const int place = inputs->place[i];
      if (table->given[i + 1] && !sw_system_allows(inputs->system, place, row[i + 1])) {
        sw_bounds_text(sw_system_bounds(inputs->system, place), bounds);
        return sw_source_refuse(&file->source, ": %s: %.100s = %.17g is outside its bounds %s",
                                sw_number_table_place(file, r, where),
                                sw_system_name(inputs->system, SW_K, place, name), row[i + 1],
                                bounds);
      }
    }
  }
  return SW_OK;
}

static sw_status read_file(sw_number_table *file, const sw_inputs *inputs,
                           const sw_sorted_names *sorted, sw_input_table *table)
{
  sw_status status = sw_number_table_open(file);
  size_t *to = status == SW_OK ? calloc(file->width, sizeof *to) : NULL;
  status = status == SW_OK && to == NULL ? SW_ERR_MEMORY : status;
  if (status == SW_OK) {
    status = place_columns(file, sorted, table, to);
  }
  if (status == SW_OK) {
    status = sw_number_table_read(file, sorted->count, to, &table->values, &table->rows);
  }
  free(to);
  return status == SW_OK ? check_rows(file, inputs, table) : status;
}

sw_status sw_input_table_read(const char *path, int is_linear, const sw_system *system,
                              sw_input_table *table, char message[SW_TEXT_MESSAGE])
{
  static const sw_number_sets sets[2] = {{"inputs", "columns"}, {"trajectory", "columns"}};
  sw_number_table file = {
      .source = {.path = path, .message = message}, .sets = sets, .is_strict = 1};
  sw_inputs inputs = {system, calloc((size_t)system->nk + 1, sizeof *inputs.place)};
  *table = (sw_input_table){.is_linear = is_linear};
  message[0] = '\0';
  for (int i = 0; inputs.place != NULL && i < system->nk; i++) {
    if (sw_system_is_input(system, i)) {
      inputs.place[table->n++] = i;
    }
  }
  if (inputs.place != NULL && table->n == 0) {
    free(inputs.place);
    snprintf(message, SW_TEXT_MESSAGE,
             "model '%.100s' has no inputs; declare one with a line 'input NAME = VALUE'",
             system->model->name);
    return SW_ERR_ARGUMENT;
  }
  const size_t width = 1 + (size_t)table->n;
  const char **names = inputs.place != NULL ? sw_names_create(width, name_input, &inputs) : NULL;
  const sw_sorted_names sorted = sw_names_sort(names, names != NULL ? width : 0);
  file.of_array = names;
  file.n_of_array = width;
  table->given = calloc(width, 1);
  table->present = calloc(width, sizeof *table->present);
  const int good =
      names != NULL && sorted.place != NULL && table->given != NULL && table->present != NULL;
  const sw_status status = good ? read_file(&file, &inputs, &sorted, table) : SW_ERR_MEMORY;
  sw_number_table_close(&file);
  free(sorted.place);
  free(names);
  free(inputs.place);
  return status;
}

void sw_input_table_clear(sw_input_table *table)
{
  free(table->values);
  free(table->given);
  free(table->present);
  *table = (sw_input_table){0};
}

/* ---- values ---- */

static double time_of(const sw_input_table *table, size_t row)
{
  return table->values[row * (1 + (size_t)table->n)];
}

/* The time at which a step reads the table. */
static double time_read(const sw_input_table *table, double t, double h)
{
  return table->is_linear ? t + 0.5 * h : fmin(t, t + h);
}

/* A bound of the rounding of the times of steps. */
static double slack_of(double t, double h)
{
  return 1e-9 * fabs(h) + 4.0 * DBL_EPSILON * fabs(t);
}

/* The last row with a time of at most t; the first row if there is none. */
static size_t row_at(const sw_input_table *table, double t)
{
  size_t first = 0;
  size_t end = table->rows;
  while (end - first > 1) {
    const size_t middle = first + (end - first) / 2;
    if (time_of(table, middle) <= t) {
      first = middle;
    } else {
      end = middle;
    }
  }
  return first;
}

sw_status sw_input_table_check_times(const sw_input_table *table, const char *path, double t,
                                     double h, long steps, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  const double last = t + (double)(steps > 1 ? steps - 1 : 0) * h;
  const double a = time_read(table, h > 0.0 ? t : last, h);
  const double b = time_read(table, h > 0.0 ? last : t, h);
  const double begin = time_of(table, 0);
  const double end = time_of(table, table->rows - 1);
  if (a >= begin - slack_of(a, h) && b <= end + slack_of(b, h)) {
    return SW_OK;
  }
  return sw_source_refuse(&source,
                          " has the times %.15g to %.15g, and the steps read it from t = %.15g to "
                          "%.15g; add a row at the %s, or change --step or the end of the run",
                          begin, end, a, b, a < begin ? "beginning" : "end");
}

/* The value at t between rows r and r + 1. */
static double between(const sw_input_table *table, size_t r, double t, int column)
{
  const size_t width = 1 + (size_t)table->n;
  const double *row = table->values + r * width;
  if (r + 1 == table->rows || t <= row[0]) {
    return row[column];
  }
  const double s = fmin((t - row[0]) / (row[width] - row[0]), 1.0);
  const double u = row[column];
  const double v = row[width + (size_t)column];
  /* The clamp keeps rounding within the bounds of the input. */
  return fmax(fmin((1.0 - s) * u + s * v, fmax(u, v)), fmin(u, v));
}

sw_status sw_input_table_set(const sw_input_table *table, sw_sim *sim, double h)
{
  const double t = time_read(table, sw_sim_time(sim), h);
  const size_t r = row_at(table, table->is_linear ? t : t + slack_of(t, h));
  const double *k = sw_sim_parameters(sim);
  for (int i = 0; i < table->n; i++) {
    table->present[i] = !table->given[i + 1] ? k[sw_sim_input(sim, i)]
                        : table->is_linear
                            ? between(table, r, t, i + 1)
                            : table->values[r * (1 + (size_t)table->n) + 1 + (size_t)i];
  }
  return sw_sim_set_inputs(sim, table->present);
}

int sw_input_table_has(const sw_input_table *table, const sw_system *system, int i)
{
  int n = 0;
  for (int j = 0; j < i; j++) {
    n += sw_system_is_input(system, j);
  }
  return table->n > 0 && sw_system_is_input(system, i) && table->given[1 + n];
}

uint32_t sw_input_table_digest(const sw_input_table *table)
{
  const size_t width = 1 + (size_t)table->n;
  uint32_t digest = 0;
  sw_digest_memory(table->given, width, &digest);
  sw_digest_memory(table->values, table->rows * width * sizeof *table->values, &digest);
  return digest;
}
