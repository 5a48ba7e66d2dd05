/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_hdf5.c -- trajectories as HDF5, read back by the library itself; and what is said where it
 * is not there.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data_folder.h"
#include "fixtures.h"
#include "program_call.h"
#include "sidewinder/sim.h"

#ifdef SW_HDF5_LIBRARY

#include <hdf5.h>

static void read_text(hid_t file, const char *name, size_t size, char text[])
{
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t type = H5Dget_type(set);
  assert_true(set >= 0 && H5Tget_class(type) == H5T_STRING && H5Tget_cset(type) == H5T_CSET_UTF8);
  assert_int_equal(H5Tis_variable_str(type), 0);
  assert_true((size_t)H5Dget_storage_size(set) <= size);
  assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
  H5Tclose(type);
  H5Dclose(set);
}

static void test_read_back(void **state)
{
  enum { ROWS = 4, COLUMNS = 3 };
  double values[ROWS][COLUMNS];
  double row[COLUMNS];
  hsize_t size[2] = {0, 0};
  char names[COLUMNS][7];
  char comments[COLUMNS][1];
  char text[4096];
  char beside[4096] = "";
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum,
                        "prog run --step 0.1 --steps 3 --quiet --columns t,energy,p.x "
                        "--out t.h5"),
                   0);
  hid_t file = H5Fopen("t.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  hid_t set = H5Dopen2(file, "trajectory", H5P_DEFAULT);
  hid_t space = H5Dget_space(set);
  assert_int_equal(H5Sget_simple_extent_dims(space, size, NULL), 2);
  assert_true(size[0] == ROWS && size[1] == COLUMNS);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  read_text(file, "columns", sizeof names, names[0]);
  assert_string_equal(names[0], "t");
  assert_string_equal(names[1], "energy");
  assert_string_equal(names[2], "p.x");
  read_text(file, "comments", sizeof comments, comments[0]);
  for (int i = 0; i < COLUMNS; i++) {
    assert_string_equal(comments[i], ""); /* a program that is given a model alone knows none */
  }
  read_text(file, "metadata", sizeof text, text);
  H5Fclose(file);
  FILE *json = fopen("t.h5.json", "r");
  assert_non_null(json);
  beside[fread(beside, 1, sizeof beside - 1, json)] = '\0';
  fclose(json);
  assert_string_equal(text, beside);

  /* The same numbers as in a .csv. */
  assert_int_equal(call(&sw_fixture_pendulum,
                        "prog run --step 0.1 --steps 3 --quiet --columns t,energy,p.x "
                        "--out -"),
                   0);
  char *next = strchr(out, '\n') + 1;
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) {
      row[j] = strtod(next, &next);
      next++;
    }
    assert_memory_equal(row, values[i], sizeof row);
  }
}

/* More rows than are handed on at once, and none of them twice. */
static void test_many_rows(void **state)
{
  enum { ROWS = 70001 };
  static double steps[ROWS];
  (void)state;
  assert_int_equal(call(&sw_fixture_free,
                        "prog run --step 0.1 --steps 70000 --quiet --columns step "
                        "--out many.hdf5"),
                   0);
  hid_t file = H5Fopen("many.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = H5Dopen2(file, "trajectory", H5P_DEFAULT);
  assert_int_equal(H5Dget_storage_size(set), sizeof steps);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps) >= 0);
  H5Dclose(set);
  H5Fclose(file);
  for (int i = 0; i < ROWS; i++) {
    assert_true(steps[i] == (double)i);
  }
}

/* ---- ensembles ---- */

enum { MANY = 9, STEPS = 20, EVERY = 6, MANY_ROWS = 5, LEVELS = 2, DIM = 4 };

static void read_reals(hid_t file, const char *name, size_t size, double values[])
{
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  assert_true(set >= 0);
  assert_int_equal(H5Dget_storage_size(set), size);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
}

/* What the file says of trajectory i is what a simulation makes of its initial state. */
static void check_trajectory(size_t i, const double initial[], const double final[],
                             double values[][2][MANY])
{
  sw_sim *sim = NULL;
  double energy = 0.0;
  size_t row = 0;
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, NULL, &sim), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, initial), SW_OK);
  for (int n = 0; n <= STEPS; n++) {
    if (n > 0) {
      assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    }
    if (n % EVERY == 0 || n == STEPS) {
      sw_sim_hamiltonian(sim, &energy);
      assert_true(values[row][0][i] == energy);
      assert_true(values[row++][1][i] == sw_sim_state(sim)[2]);
    }
  }
  assert_memory_equal(sw_sim_state(sim), final, DIM * sizeof *final);
  sw_sim_free(&sim);
}

static void test_ensemble(void **state)
{
  static double values[MANY_ROWS][2][MANY];
  static double initial[MANY][DIM];
  static double final[MANY][DIM];
  static double mean[MANY_ROWS][2];
  static double variance[MANY_ROWS][2];
  static double quantiles[MANY_ROWS][2][LEVELS];
  double step[MANY_ROWS];
  char status[MANY][6];
  const double steps[MANY_ROWS] = {0, 6, 12, 18, 20};
  (void)state;
  assert_int_equal(
      call(&sw_fixture_pendulum,
           "prog ensemble --count 9 --sample q~normal(0,0.1),p.y~uniform(-1,1) --seed 1 "
           "--step 0.1 --steps 20 --every 6 --columns energy,p.x --quantiles 0.5,1 "
           "--trajectories --threads 2 --out e.h5"),
      0);
  hid_t file = H5Fopen("e.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  read_reals(file, "values", sizeof values, values[0][0]);
  read_reals(file, "initial", sizeof initial, initial[0]);
  read_reals(file, "final", sizeof final, final[0]);
  read_reals(file, "mean", sizeof mean, mean[0]);
  read_reals(file, "variance", sizeof variance, variance[0]);
  read_reals(file, "quantiles", sizeof quantiles, quantiles[0][0]);
  read_reals(file, "step", sizeof step, step);
  read_text(file, "status", sizeof status, status[0]);
  H5Fclose(file);
  assert_memory_equal(step, steps, sizeof steps);
  for (size_t i = 0; i < MANY; i++) {
    check_trajectory(i, initial[i], final[i], values);
    assert_string_equal(status[i], "SW_OK");
  }
  for (size_t row = 0; row < MANY_ROWS; row++) {
    for (size_t c = 0; c < 2; c++) {
      long double sum = 0.0L;
      long double squares = 0.0L;
      double largest = -1e300;
      size_t below = 0;
      for (size_t i = 0; i < MANY; i++) {
        const double x = values[row][c][i];
        sum += x;
        largest = x > largest ? x : largest;
        below += x < quantiles[row][c][0];
      }
      for (size_t i = 0; i < MANY; i++) {
        squares += (values[row][c][i] - sum / MANY) * (values[row][c][i] - sum / MANY);
      }
      assert_true(fabs(mean[row][c] - (double)(sum / MANY)) <= DBL_EPSILON);
      assert_true(fabs(variance[row][c] - (double)(squares / (MANY - 1))) <= DBL_EPSILON);
      assert_true(quantiles[row][c][1] == largest);
      assert_int_equal(below, MANY / 2);
    }
  }
}

#else

static void test_refused(void **state)
{
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --steps 3 --out t.h5"), 2);
  assert_non_null(strstr(err, "--out: HDF5 was not there when the runtime was built (Debian: "
                              "libhdf5-dev); write .npy or .csv"));
  assert_int_equal(call(&sw_fixture_pendulum,
                        "prog ensemble --count 2 --sample q~normal(0,1) --seed 1 --out t.h5"),
                   2);
  assert_non_null(strstr(err, "--out: HDF5 was not there"));
  assert_int_equal(count_files(), 0);
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
#ifdef SW_HDF5_LIBRARY
      cmocka_unit_test(test_read_back), cmocka_unit_test(test_many_rows),
      cmocka_unit_test(test_ensemble)
#else
      cmocka_unit_test(test_refused)
#endif
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
