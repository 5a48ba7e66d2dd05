/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/rows_file.h"

#include <stdlib.h>
#include <string.h>

#include "common/sorted_names.h"
#include "io/columns.h"

sw_rows_wanted sw_rows_of_states(const sw_system *system)
{
  return (sw_rows_wanted){.entries = sw_entries_of_state(system),
                          .sets = {{"trajectory", "columns"}, {"final", "coordinates"}}};
}

sw_rows_wanted sw_rows_of_parameters(const sw_system *system)
{
  return (sw_rows_wanted){
      .entries = {.system = system, .parameter = "", .count = (size_t)system->nk},
      .sets = {{"parameters", "parameter_names"}}};
}

typedef struct reader {
  sw_number_table table;
  const sw_rows_wanted *wanted;
  const char **names; /* of the entries */
  sw_sorted_names sorted;
  sw_columns *others; /* all columns of a trajectory; NULL until needed */
  size_t *to;         /* for each column, its entry, or `count` if it is ignored */
} reader;

/* Returns 1 if a trajectory can have this column and it is not an entry of the state. */
static int is_passed_over(reader *in, const char *name)
{
  char buffer[SW_NAME_BYTES];
  if (in->wanted->entries.parameter != NULL) {
    return 0;
  }
  if (in->others == NULL && sw_columns_create(in->wanted->entries.system, 0.0, NULL, &in->others,
                                              in->table.source.message) != SW_OK) {
    return 1;
  }
  for (size_t i = 0; i < sw_columns_count(in->others); i++) {
    if (strcmp(sw_columns_name(in->others, i, buffer), name) == 0) {
      return 1;
    }
  }
  return sw_columns_is_on_request(name);
}

static sw_status refuse_column(const reader *in, size_t column, const char *name)
{
  char why[SW_TEXT_MESSAGE];
  sw_text_unknown(in->wanted->entries.parameter != NULL ? "parameter" : "coordinate or momentum",
                  name, in->names, in->wanted->entries.count, why);
  return sw_source_refuse(&in->table.source, ": column %zu: %.300s", column + 1, why);
}

/* Returns NAME if the column is "state.NAME", which trajectories have if NAME is the name of
 * another column (sidewinder/columns.h); else NULL. */
static const char *prefixed(const reader *in, size_t column)
{
  static const char prefix[] = "state.";
  const size_t length = strlen(prefix);
  const char *name = in->table.names[column];
  const int is_prefixed = in->wanted->entries.parameter == NULL &&
                          strncmp(name, prefix, length) == 0 &&
                          sw_names_number(&in->sorted, name) == in->wanted->entries.count;
  return is_prefixed ? name + length : NULL;
}

/* Column t, for example, is not the coordinate t if state.t is a later column.  Returns 1 if there
 * was such a column. */
static int pass_over_earlier(reader *in, size_t column)
{
  for (size_t i = 0; i < column && prefixed(in, column) != NULL; i++) {
    if (in->to[i] == in->to[column] && prefixed(in, i) == NULL) {
      in->to[i] = in->wanted->entries.count;
      return 1;
    }
  }
  return 0;
}

/* Looks up the entry of a column. */
static sw_status place_column(reader *in, size_t column, sw_rows *rows)
{
  const char *name = in->table.names[column];
  const char *of_state = prefixed(in, column);
  const size_t count = in->wanted->entries.count;
  const size_t number = sw_names_number(&in->sorted, of_state != NULL ? of_state : name);
  in->to[column] = number;
  if (number == count) {
    return is_passed_over(in, name) ? SW_OK : refuse_column(in, column, name);
  }
  if (rows->given[number] && !pass_over_earlier(in, column)) {
    return sw_source_refuse(&in->table.source, ": column %zu: '%.100s' for the second time",
                            column + 1, name);
  }
  rows->given[number] = 1;
  return SW_OK;
}

/* Checks that the file contains all entries of a state, or at least one parameter. */
static sw_status check_given(const reader *in, const sw_rows *rows)
{
  const size_t count = in->wanted->entries.count;
  size_t given = 0;
  for (size_t i = 0; i < count; i++) {
    given += (size_t)rows->given[i];
    if (!rows->given[i] && in->wanted->entries.parameter == NULL) {
      return sw_source_refuse(&in->table.source, " has no column '%.100s'", in->names[i]);
    }
  }
  return given > 0 ? SW_OK : sw_source_refuse(&in->table.source, " has no column of a parameter");
}

static sw_status read_rows(reader *in, sw_rows *rows)
{
  const size_t count = in->wanted->entries.count;
  in->table.of_array = in->names;
  in->table.n_of_array = count;
  sw_status status = sw_number_table_open(&in->table);
  if (status == SW_OK) {
    in->to = calloc(in->table.width, sizeof *in->to);
    status = in->to == NULL ? SW_ERR_MEMORY : SW_OK;
  }
  for (size_t column = 0; status == SW_OK && column < in->table.width; column++) {
    status = place_column(in, column, rows);
  }
  status = status == SW_OK ? check_given(in, rows) : status;
  return status == SW_OK
             ? sw_number_table_read(&in->table, count, in->to, &rows->values, &rows->count)
             : status;
}

sw_status sw_rows_read(const char *path, const sw_rows_wanted *wanted, sw_rows *rows,
                       char message[SW_TEXT_MESSAGE])
{
  const size_t count = wanted->entries.count;
  reader in = {
      .table = {.source = {.path = path, .message = message}, .sets = wanted->sets, .is_strict = 1},
      .wanted = wanted,
      .names = sw_names_create(count, sw_name_entry, &wanted->entries)};
  sw_status status = SW_ERR_MEMORY;
  message[0] = '\0';
  *rows = (sw_rows){.count = 0, .given = calloc(count + 1, 1)};
  if (in.names != NULL && rows->given != NULL) {
    in.sorted = sw_names_sort(in.names, count);
    status = in.sorted.place != NULL ? read_rows(&in, rows) : SW_ERR_MEMORY;
  }
  sw_number_table_close(&in.table);
  sw_columns_free(&in.others);
  free(in.to);
  free(in.names);
  free(in.sorted.place);
  return status;
}

void sw_rows_clear(sw_rows *rows)
{
  free(rows->values);
  free(rows->given);
  *rows = (sw_rows){.count = 0};
}
