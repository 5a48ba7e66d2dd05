/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * given_data.h -- files of data for the fixture loops_bonds, in the folder of a test program
 * (data_folder.h).  Include it after cmocka.h.
 */
#ifndef GIVEN_DATA_H
#define GIVEN_DATA_H

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data_folder.h"
#include "io/hdf5_file.h"
#include "loops.h"
#include "sidewinder/data.h"

static const sw_model *const bonds = &sw_fixture_loops_bonds;

static inline void write_file(const char *path, const char *text, size_t bytes)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, bytes, file), bytes);
  assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *path, const char *text)
{
  write_file(path, text, strlen(text));
}

/* The files of a folder of CSV; those with the text NULL are removed. */
static inline void put_folder(const char *atom, const char *bond, const char *parameters)
{
  static const char *const names[] = {"csv/atom.csv", "csv/bond.csv", "csv/parameters.csv"};
  const char *const texts[] = {atom, bond, parameters};
  (void)mkdir("csv", 0700);
  for (int i = 0; i < 3; i++) {
    (void)remove(names[i]);
    if (texts[i] != NULL) {
      put_text(names[i], texts[i]);
    }
  }
}

static inline int leave(void **state)
{
  put_folder(NULL, NULL, NULL);
  (void)rmdir("csv");
  return leave_folder(state);
}

static inline void refuse(const char *path, const char *expected)
{
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;
  assert_int_not_equal(sw_data_read(bonds, path, 0, NULL, &data, message), SW_OK);
  assert_null(data);
  assert_string_equal(message, expected);
}

/* k = m.C, m.H, length[3], gravity, x[3,xyz]. */
static const double all_k[] = {12.5, 1.0, 1.5, 2.0, 2.5, 9.5, 0.0, 0.0,
                               0.0,  1.5, 0.0, 0.0, 0.0, 2.0, -0.5};

static inline void put_hdf5(const char *path, const double a[3])
{
  static const char labels[] = "P\0Q\0R";
  static const long b[] = {2, 3, 1};
  static const long kind[] = {1, 0, 1};
  const sw_h5_shape three = {1, {3}};
  const sw_h5_shape two = {1, {2}};
  const sw_h5_shape one = {0, {0}};
  const sw_h5_shape table = {2, {3, 3}};
  sw_h5 *file = NULL;
  assert_int_equal(sw_h5_create(path, &file), SW_OK);
  assert_true(sw_h5_put_texts(file, "atom", labels, 2, 3));
  assert_true(sw_h5_put_texts(file, "comment", "three", 6, 0));
  assert_true(sw_h5_put_reals(file, "a", &three, a));
  assert_true(sw_h5_put_integers(file, "b", 3, b));
  assert_true(sw_h5_put_integers(file, "kind", 3, kind));
  assert_true(sw_h5_put_reals(file, "m", &two, all_k));
  assert_true(sw_h5_put_reals(file, "length", &three, all_k + 2));
  assert_true(sw_h5_put_reals(file, "gravity", &one, all_k + 5));
  assert_true(sw_h5_put_reals(file, "x", &table, all_k + 6));
  assert_true(sw_h5_close(&file));
}

static inline int has_hdf5(void)
{
  char message[SW_TEXT_MESSAGE];
  return sw_hdf5_find(message) == SW_OK;
}

/* Three atoms in a row, of two kinds, and what else such data need. */
#define REST ", \"length\": 1, \"x\": 0}"
#define PATH "\"a\": [1, 2], \"b\": [2, 3], \"kind\": [0, 0, 1]"

#endif
