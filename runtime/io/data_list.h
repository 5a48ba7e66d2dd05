/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/data_list.h -- what a file of data holds, whatever its format: arrays by name.
 *
 *   data_json.c, data_csv.c, data_hdf5.c   make a list of a file
 *   data_names.c                           what a name stands for in the model
 *   data_sizes.c                           makes sizes and arrays of indices of a list
 *   data_parameters.c                      makes parameters of it
 *   data.c                                 all of it, for sidewinder/data.h
 */
#ifndef SW_IO_DATA_LIST_H
#define SW_IO_DATA_LIST_H

#include <stdio.h>

#include "io/source.h"
#include "sidewinder/data.h"

/* No array has more entries, and no list more arrays. */
enum { SW_DATA_ENTRIES = 100000000, SW_DATA_ARRAYS = 1000000 };

/* An array, and where it stands.  What it points to is the list's, but for arrays in memory. */
typedef struct sw_data_item {
  sw_data_array array;
  double *values;
  const char **labels;
  int is_text; /* 1: labels[] has the text of every entry; values[] is NaN unless it is a number */
  const char *path; /* of its file */
  size_t line;      /* of its first entry, where each stands on a line of its own; 0 elsewhere */
} sw_data_item;

typedef struct sw_data_list {
  const sw_model *model;
  char *message; /* SW_TEXT_MESSAGE bytes */
  const char *path;
  sw_data_item *item;
  size_t count;
  size_t room;
  void **kept; /* memory that names, labels and paths are in */
  size_t n_kept;
  char **file; /* the files that were read */
  size_t n_files;
} sw_data_list;

/* The readers.  Errors: those of sw_data_read. */
sw_status sw_data_read_json(sw_data_list *list);
sw_status sw_data_read_csv(sw_data_list *list);
sw_status sw_data_read_hdf5(sw_data_list *list);

/* Adds an array of that shape whose values, and labels where there may be some, are to be filled in; the name and the path are not copied.  NULL without
 * memory, or, with a message, where it is too large. */
sw_data_item *sw_data_add(sw_data_list *list, const char *name, int n_dims, const size_t size[],
                          int may_have_labels);

/* How many entries it has. */
size_t sw_data_entries(const sw_data_array *array);

/* Hands memory to the list, which gives it to free() in the end, also where this fails and returns 0.  sw_data_copy: a copy of the text that is
 * kept so; NULL without memory. */
int sw_data_keep(sw_data_list *list, void *memory);
char *sw_data_copy(sw_data_list *list, const char *text, size_t length);

/* Says that the file is read, and reads it, all of it, but for a byte order mark, with a zero behind it; the text is kept.  Refuses one of more than `most` bytes. */
sw_status sw_data_slurp(sw_data_list *list, const char *path, size_t most, char **text,
                        size_t *bytes);
sw_status sw_data_reads(sw_data_list *list, const char *path);

/* Writes the message "PATH: ...", with the line of the entry where that is known; the first without an item. */
sw_status sw_data_wrong(const sw_data_list *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
sw_status sw_data_wrong_at(const sw_data_list *list, const sw_data_item *item, size_t entry,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What went wrong where NULL was returned: SW_ERR_ARGUMENT with a message, or else SW_ERR_MEMORY. */
sw_status sw_data_not_made(const sw_data_list *list);

/* Sorts the arrays by name and refuses one that is there twice. */
sw_status sw_data_sort(sw_data_list *list);

void sw_data_clear(sw_data_list *list);

/* ---- data_names.c ---- */

typedef enum sw_data_kind {
  SW_DATA_UNKNOWN,
  SW_DATA_COMMENT,
  SW_DATA_SIZE,
  SW_DATA_SET,
  SW_DATA_INDICES,
  SW_DATA_PARAMETER
} sw_data_kind;

typedef struct sw_data_target {
  sw_data_kind kind;
  int number;        /* in the model's table of that kind */
  const char *fixed; /* "" or, of some parameters, their last indices, such as ".x" of "x.x" */
  int n_fixed;
} sw_data_target;

sw_data_target sw_data_find(const sw_model *model, const char *name);

/* "unknown name ...", with what was probably meant. */
sw_status sw_data_unknown(const sw_data_list *list, const char *name);

/* The sets that an array of that name has an entry for each element of, one after the other; their number goes to *n.  NULL where the name is none of an
 * array of the model. */
const int *sw_data_sets(const sw_model *model, const char *name, int *n);

/* Number of the size that counts the elements of the set, -1 for one that is not data. */
int sw_data_size_of(const sw_model *model, int set);

/* Whether a model can do nothing without data. */
int sw_data_is_wanted(const sw_model *model);

/* Component c, from 0, of a set of tuples: the number of its array of indices, "SET.1" and so on; -1 where there is none. */
int sw_data_component(const sw_model *model, int set, int c);

/* How many labels a set of labels has; -1 without memory. */
int sw_data_label_count(const sw_model *model, int set);

/* ---- data.c ---- */

/* The files that *data has been read from. */
size_t sw_data_n_files(const sw_data *data);
const char *sw_data_file(const sw_data *data, size_t i);

#endif
