/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/data_list.h -- the contents of a data file of any format: arrays by name.
 *
 *   data_json.c, data_csv.c, data_hdf5.c   read a file into a list
 *   data_names.c                           looks up names in the model
 *   data_sizes.c, data_parameters.c        take the sizes and the parameters from a list
 *   data.c                                 does all this for sidewinder/data.h
 */
#ifndef SW_IO_DATA_LIST_H
#define SW_IO_DATA_LIST_H

#include <stdio.h>

#include "io/source.h"
#include "sidewinder/data.h"

/* Limits: entries of an array, arrays of a list. */
enum { SW_DATA_ENTRIES = 100000000, SW_DATA_ARRAYS = 1000000 };

/* An array and its location in the file.  The list owns the memory, except for arrays that a caller
 * of sw_data_make passes. */
typedef struct sw_data_item {
  sw_data_array array;
  double *values;
  const char **labels;
  /* 1: labels[] contains the text of every entry; values[] is NaN for texts that are not numbers */
  int is_text;
  const char *path; /* of the file */
  size_t line;      /* line of the first entry if each entry is on a line of its own, else 0 */
} sw_data_item;

typedef struct sw_data_list {
  const sw_model *model;
  char *message; /* SW_TEXT_MESSAGE bytes */
  const char *path;
  sw_data_item *item;
  size_t count;
  size_t room;
  void **kept; /* owns names, labels and paths */
  size_t n_kept;
  char **file; /* the files that were read */
  size_t n_files;
} sw_data_list;

/* The readers.  Errors: see sw_data_read. */
sw_status sw_data_read_json(sw_data_list *list);
sw_status sw_data_read_csv(sw_data_list *list);
sw_status sw_data_read_hdf5(sw_data_list *list);

/* Adds an array of this shape; the caller fills in the values, and the labels if may_have_labels.
 * The name and the path are not copied.  Returns NULL if memory is short or, with a message, if the
 * array is too large. */
sw_data_item *sw_data_add(sw_data_list *list, const char *name, int n_dims, const size_t size[],
                          int may_have_labels);

/* The number of entries of an array. */
size_t sw_data_entries(const sw_data_array *array);

/* sw_data_keep transfers ownership of memory to the list, even on failure; returns 0 on failure.
 * sw_data_copy makes a copy that the list owns; NULL if memory is short. */
int sw_data_keep(sw_data_list *list, void *memory);
char *sw_data_copy(sw_data_list *list, const char *text, size_t length);

/* sw_data_reads records the file as read. sw_data_slurp also reads the whole file, without a byte
 * order mark and with a terminating zero; the list owns the text.  A file of more than `most` bytes
 * is rejected. */
sw_status sw_data_slurp(sw_data_list *list, const char *path, size_t most, char **text,
                        size_t *bytes);
sw_status sw_data_reads(sw_data_list *list, const char *path);

/* Write the message "PATH: ...". The second one adds the line of the entry if it is known. */
sw_status sw_data_wrong(const sw_data_list *list, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
sw_status sw_data_wrong_at(const sw_data_list *list, const sw_data_item *item, size_t entry,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The error after a function has returned NULL: SW_ERR_ARGUMENT if there is a message, else
 * SW_ERR_MEMORY. */
sw_status sw_data_not_made(const sw_data_list *list);

/* Sorts the arrays by name and rejects duplicates. */
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
  int number; /* index in the model's table of that kind */
  /* the last indices of an array of parameters, such as ".x" of "x.x"; "" if there are none */
  const char *fixed;
  int n_fixed;
} sw_data_target;

sw_data_target sw_data_find(const sw_model *model, const char *name);

/* Writes the message "unknown name ..." with suggestions. */
sw_status sw_data_unknown(const sw_data_list *list, const char *name);

/* The sets of an array's indices; *n is their number.  NULL if the model has no array of that
 * name. */
const int *sw_data_sets(const sw_model *model, const char *name, int *n);

/* The size that counts the elements of the set; -1 if the set is not data. */
int sw_data_size_of(const sw_model *model, int set);

/* Returns 1 if the model needs data. */
int sw_data_is_wanted(const sw_model *model);

/* The array of indices "SET.1", "SET.2", ... that is component c, from 0, of a set of tuples; -1 if
 * there is none. */
int sw_data_component(const sw_model *model, int set, int c);

/* The number of labels of a set; -1 if memory is short. */
int sw_data_label_count(const sw_model *model, int set);

/* ---- data.c ---- */

/* The files from which *data has been read. */
size_t sw_data_n_files(const sw_data *data);
const char *sw_data_file(const sw_data *data, size_t i);

struct sw_data {
  sw_data_list list; /* after reading, only its file names remain */
  sw_size *sizes;
  int n_sizes;
  long **indices; /* n_indices: NULL for arrays that are not given */
  int n_indices;
  double *k;
  int nk;
};

/* ---- data_sizes.c, data_parameters.c ---- */

/* Fills in the sizes and arrays of indices of *data: first those in its list, then the `given`
 * ones.  origins (n_indices, all NULL on entry) receives the item of each array of indices.
 * Errors, with a message: SW_ERR_ARGUMENT; SW_ERR_MEMORY. */
sw_status sw_data_take_sizes(sw_data *data, int n_given, const sw_size given[],
                             const sw_data_item *origins[]);

/* k, nk values: the defaults, overridden by the list's parameters after their shapes and values
 * have been checked.  Errors, with a message: SW_ERR_ARGUMENT, SW_ERR_PARAMETER; SW_ERR_MEMORY. */
sw_status sw_data_take_parameters(const sw_data_list *list, const sw_system *system, double k[]);

#endif
