/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_given_data.c -- data of a model from files in each format and from memory: what is read, and
 * what is refused, in which words.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "given_data.h"
#include "io/hdf5_file.h"

/* ---- the same data in each way ---- */

/* n[]. */
static const long all_n[] = {3, 3, 1, 2, 3, 2, 3, 1, 1, 0, 1};

static void check(const sw_data *data)
{
  sw_options options;
  sw_sim *sim = NULL;
  double z[18];
  sw_options_init(&options);
  options.n_sizes = sw_data_n_sizes(data);
  options.sizes = sw_data_sizes(data);
  assert_int_equal(sw_sim_create(bonds, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_nk(sim), sizeof all_k / sizeof *all_k);
  assert_int_equal(sw_data_nk(data), sw_sim_nk(sim));
  assert_memory_equal(sw_data_parameters(data), all_k, sizeof all_k);
  assert_int_equal(sw_sim_set_parameters(sim, sw_data_parameters(data)), SW_OK);
  sw_sim_init_state(sim, 0, z);
  assert_memory_equal(z, all_k + 6, 9 * sizeof *z);
  sw_sim_free(&sim);
  int arrays = 0;
  const long *expected = all_n + 2;
  for (int i = 0; i < sw_data_n_sizes(data); i++) {
    const sw_size *size = &sw_data_sizes(data)[i];
    if (size->indices != NULL) {
      assert_string_equal(size->name, bonds->indices[arrays].name);
      assert_int_equal(size->value, 3);
      assert_memory_equal(size->indices, expected + 3 * (ptrdiff_t)arrays++, 3 * sizeof *expected);
    }
  }
  assert_int_equal(arrays, 3);
}

static void check_file(const char *path)
{
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;
  if (sw_data_read(bonds, path, 0, NULL, &data, message) != SW_OK) {
    fail_msg("%s", message);
  }
  check(data);
  sw_data_free(&data);
  assert_null(data);
}

static void all_of_it_as_json(void **state)
{
  (void)state;
  put_text("a.json",
           "{\"atom\": 3, \"bond\": 3, \"a\": [1, 2, 3], \"b\": [2, 3, 1.0], \"kind\": [1, 0, 1],\n"
           "\"m\": [12.5, 1], \"length\": [1.5, 2, 2.5], \"gravity\": 9.5,\n"
           "\"x\": [[0, 0, 0], [1.5, 0, 0], [0, 2, -0.5]], \"comment\": \"three\"}");
  check_file("a.json");
  /* Labels, objects, part of an array, and sets that are told by others alone. */
  put_text(
      "a.json",
      "{\"atom\": [\"P\", \"Q\", \"R\"], \"a\": [\"P\", 2, \"R\"], \"b\": [\"Q\", \"R\", \"P\"],\n"
      "\"kind\": [\"H\", \"C\", 1], \"m.C\": 12.5, \"length\": [1.5, 2, 2.5], \"gravity\": 9.5,\n"
      "\"x\": [[0, 0, 0], {\"y\": 0, \"x\": 1.5, \"z\": 0}, [0, 2, -0.5]]}");
  check_file("a.json");
  put_text(
      "a.json",
      "{\"a\": [1, 2, 3], \"b\": [2, 3, 1], \"kind\": [1, 0, 1], \"m\": {\"H\": 1, \"C\": 12.5},\n"
      "\"length\": [1.5, 2, 2.5], \"gravity\": 9.5,\n"
      "\"x.x\": [0, 1.5, 0], \"x.y\": [0, 0, 2], \"x.z\": [0, 0, -0.5]}");
  check_file("a.json");
}

static void all_of_it_as_csv(void **state)
{
  (void)state;
  put_folder("# three atoms\n\nkind,x.x,x.y,x.z\n1,0,0,0\nC, 1.5 ,0,0\n\"H\",0,2,-0.5\n",
             "a,b,length\r\n1,2,1.5\r\n2,3,2\r\n3,1,2.5", "name,value\nm.C,12.5\ngravity,9.5\n\n");
  check_file("csv");
  put_folder("name,kind,x.x,x.y,x.z\nP,1,0,0,0\n\"a \"\"Q\"\"\",C,1.5,0,0\nR,\"H\",0,2,-0.5\n",
             "a,b,length\nP,\"a \"\"Q\"\"\",1.5\n2,R,2\nR,P,2.5\n",
             "name,value\nm.C,12.5\ngravity,9.5\n");
  check_file("csv/");
}

static void all_of_it_as_hdf5(void **state)
{
  const double a[] = {1.0, 2.0, 3.0};
  (void)state;
  if (!has_hdf5()) {
    skip();
  }
  put_hdf5("a.h5", a);
  check_file("a.h5");
  put_hdf5("a.HDF5", a);
  check_file("a.HDF5");
}

/* ---- what is wrong ---- */

static void wrong_json_is_refused_with_its_place(void **state)
{
  static const char *const cases[][2] = {
      {"{\"a\": [1, 2], \"b\": [2, 4], \"kind\": [0, 0, 1]" REST,
       "a.json: b[2] = 4 is not in atom = 1 .. 3"},
      {"{\"a\": [1, 0], \"b\": [2, 3], \"kind\": [0, 0, 1]" REST,
       "a.json: a[2] = 0 is not in atom = 1 .. 3"},
      {"{\"a\": [1, 2], \"b\": [2, 3], \"kind\": [0, 2, 1]" REST,
       "a.json: kind[2] = 2 is not in species = {C, H}, which are 0 .. 1"},
      {"{\"a\": [1, 2.5], \"b\": [2, 3], \"kind\": [0, 0, 1]" REST,
       "a.json: entry 2 of 'a', 2.5, is no element of 'atom'"},
      {"{\"a\": [1, 1e18], \"b\": [2, 3], \"kind\": [0, 0, 1]" REST,
       "a.json: entry 2 of 'a', 1e+18, is no element of 'atom'"},
      {"{\"a\": [1, 2], \"b\": [2, 3], \"kind\": [\"C\", \"h\", \"C\"]" REST,
       "a.json: entry 2 of 'kind': unknown label 'h'; did you mean 'H'? known: C, H"},
      {"{\"a\": [1, \"P\"], \"b\": [2, 3], \"kind\": [0, 0, 1]" REST,
       "a.json: entry 2 of 'a' is the label 'P', and 'atom' has no labels in these data"},
      {"{\"atom\": [\"P\", \"Q\", \"P\"], " PATH REST, "a.json: 'atom' has the label 'P' twice"},
      {"{\"atom\": [\"P\", 2, \"R\"], " PATH REST,
       "a.json: 'atom' is a number of elements or a list of labels, and entry 2 is no label"},
      {"{\"atom\": [[1]], " PATH REST,
       "a.json: 'atom' is a number of elements, or a list of labels"},
      {"{\"atom\": 4, " PATH REST, "a.json: 'kind' says that n_atom is 3, and 'atom' that it is 4"},
      {"{\"a\": [1, 2], \"b\": [2], \"kind\": [0, 0, 1]" REST,
       "a.json: 'b' says that n_bond is 1, and 'a' that it is 2"},
      {"{\"atom\": 1000000000000000000, " PATH REST,
       "a.json: 'atom' = 1e+18 is no integer from 0 to 1000000000"},
      {"{\"atom\": 2.5, " PATH REST, "a.json: 'atom' = 2.5 is no integer from 0 to 1000000000"},
      {"{\"atom\": -1, " PATH REST, "a.json: 'atom' = -1 is no integer from 0 to 1000000000"},
      {"{\"atom\": \"three\", " PATH REST, "a.json: 'atom' is a size, one integer"},
      {"{\"atoms\": 3, " PATH REST, "a.json: unknown name 'atoms'; did you mean 'atom'? known: "
                                    "atom, bond, a, b, kind, m, length, gravity, x"},
      {"{\"m.C.1\": 3, " PATH REST,
       "a.json: unknown name 'm.C.1'; known: atom, bond, a, b, kind, m, length, gravity, x"},
      {"{\"m.D\": 3, " PATH REST, "a.json: 'm.D': 'D' is no element of 'species'"},
      {"{\"m\": 1, \"m.C\": 3, " PATH REST, "a.json: 'm.C' gives m.C a second time"},
      {"{\"xyz\": 2, " PATH REST, "a.json: the set 'xyz' is the model's, and not data"},
      {"{" PATH ", \"length\": [1], \"x\": 0}",
       "a.json: 'length' says that n_bond is 1, and 'b' that it is 2"},
      {"{" PATH ", \"length\": [1, -1], \"x\": 0}",
       "a.json: length.2 = -1 is outside its bounds (0, inf)"},
      {"{" PATH ", \"length\": [1, \"two\"], \"x\": 0}",
       "a.json: 'two' for length.2 is not a finite number"},
      {"{" PATH ", \"length\": 1, \"x\": [[0, 0], [0, 0], [0, 0]]}",
       "a.json: 'x' has 3 x 2 entries, and not 3 x 3 for atom, xyz"},
      {"{" PATH ", \"length\": 1, \"x\": [[0, 0, 0], [0, 0], [0, 0, 0]]}",
       "a.json: x[2] has 2 entries, and the first one of its kind 3"},
      {"{" PATH ", \"length\": 1, \"x\": [[0, 0, 0], [0, 0, null], [0, 0, 0]]}",
       "a.json: x[2,3] is null, and neither a number nor a label"},
      {"{" PATH ", \"length\": 1, \"x\": [[0, 0, 0], 3, [0, 0, 0]]}",
       "a.json: x[2] is no list, as the first one of its kind is"},
      {"{" PATH ", \"length\": 1, \"x\": [[0, 0, 0], {\"x\": 0, \"y\": 1}, [0, 0, 0]]}",
       "a.json: x[2] has no 'z'"},
      {"{" PATH ", \"length\": 1, \"x\": [{\"x\": 0, \"y\": 1, \"w\": 1}, [0, 0, 0], [0, 0, 0]]}",
       "a.json: x[1]: unknown label 'w'; known: x, y, z"},
      {"{" PATH ", \"length\": {\"x\": 1}, \"x\": 0}",
       "a.json: length is an object, and there are no labels for its keys"},
      {"{" PATH ", \"length\": 1, \"x\": [[[[[[[[[1]]]]]]]]]}",
       "a.json: 'x' has more than 8 indices"},
      {"{" PATH ", \"length\": true, \"x\": 0}",
       "a.json: length is true or false, and neither a number nor a label"},
      {"{\"a\": 1, \"b\": [2, 3], \"kind\": [0, 0, 1]" REST,
       "a.json: 'a' is a list, with an entry for each element of bond"},
      {"{\"a\": [1, 2], \"kind\": [0, 0, 1]" REST,
       "a.json: the array of indices 'b' comes from data: give its 2 values with --data FILE, or "
       "in "
       "sw_options.sizes"},
      {"[1, 2]", "a.json: it is no object, such as {\"atom\": 3, ...}"},
      {"{\"a\": [1, 2], \"a\": [1, 2]}",
       "a.json: line 1, column 17: duplicate object key near '\"a\"'"},
      {"{\"a\": [1,\n 2, 1e400]}", "a.json: line 2, column 9: real number overflow near '1e400'"},
      {"{\"a\": [1, NaN]}", "a.json: line 1, column 13: invalid token near 'NaN'"},
      {"", "a.json: line 1, column 0: '[' or '{' expected near end of file"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put_text("a.json", cases[i][0]);
    refuse("a.json", cases[i][1]);
  }
}

static void wrong_csv_is_refused_with_its_line(void **state)
{
  static const char good_atom[] = "kind\n0\n0\n1\n";
  static const struct {
    const char *atom;
    const char *bond;
    const char *parameters;
    const char *expected;
  } cases[] = {
      {good_atom, "a,b\n1,2\n2,4\n", NULL, "csv/bond.csv:3: b[2] = 4 is not in atom = 1 .. 3"},
      {"# atoms\n\nkind\n0\n0\n2\n", "a,b\n1,2\n2,3\n", NULL,
       "csv/atom.csv:6: kind[3] = 2 is not in species = {C, H}, which are 0 .. 1"},
      {"kind\nC\nN\nH\n", "a,b\n1,2\n2,3\n", NULL,
       "csv/atom.csv:3: entry 2 of 'kind': unknown label 'N'; known: C, H"},
      {good_atom, "a,b,length\n1,2,1\n2,3,0\n", NULL,
       "csv/bond.csv:3: length.2 = 0 is outside its bounds (0, inf)"},
      {good_atom, "a,b,length\n1,2,1\n2,3,nan\n", NULL,
       "csv/bond.csv:3: 'nan' for length.2 is not a finite number"},
      {good_atom, "a,b,length\n1,2,1\n2,3\n", NULL,
       "csv/bond.csv:3: 2 fields, where the header has 3"},
      {good_atom, "a,b,lenght\n1,2,1\n", NULL,
       "csv/bond.csv: unknown name 'lenght'; did you mean 'length'? known: atom, bond, a, b, kind, "
       "m, "
       "length, gravity, x"},
      {good_atom, "a,b,kind\n1,2,1\n", NULL,
       "csv/bond.csv: 'kind' is no array over 'bond' alone: give it in another file"},
      {"kind,x\n0,1\n", "a,b\n", NULL,
       "csv/atom.csv: 'x' has 2 indices: give a column for each element of the other sets, such as "
       "'x.x'"},
      {"kind,x.w\n0,1\n", "a,b\n", NULL, "csv/atom.csv:2: 'x.w': 'w' is no element of 'xyz'"},
      {"kind,kind\n0,1\n", "a,b\n", NULL, "csv/atom.csv:2: 'kind' is there twice"},
      {"name,kind\nP,0\nQ,0\nP,1\n", "a,b\n1,2\n", NULL,
       "csv/atom.csv:4: 'atom' has the label 'P' twice"},
      {good_atom, "a,b\n1,2\n\n2,3\n", NULL,
       "csv/bond.csv:4: an empty line stands before this one"},
      {good_atom, "a,b\n1,\"2\n2,3\n", NULL,
       "csv/bond.csv:2: a quoted field does not end where it should"},
      {good_atom, "a,b\n1,\"2\"3\n2,3\n", NULL,
       "csv/bond.csv:2: a quoted field does not end where it should"},
      {good_atom, "a,b\n1,\xff\xfe\n", NULL, "csv/bond.csv:2: this is no text in UTF-8"},
      {good_atom, "", NULL, "csv/bond.csv: it is empty, and has not even a header"},
      {good_atom, NULL, "gravity,9.81\n",
       "csv/parameters.csv:1: this is not the header name,value"},
      {good_atom, NULL, "name,value\ngravity\n",
       "csv/parameters.csv:2: 1 field, where the header has 2"},
      {good_atom, NULL, "name,value\ngravitas,1\n",
       "csv/parameters.csv: unknown name 'gravitas'; did you mean 'gravity'? known: atom, bond, a, "
       "b, "
       "kind, m, length, gravity, x"},
      {good_atom, "a,b\n1,2\n", "name,value\ngravity,strong\n",
       "csv/parameters.csv:2: 'strong' for gravity is not a finite number"},
      {good_atom, "a,b\n1,2\n", "name,value\nm.C,1\nm.H,-3\n",
       "csv/parameters.csv:3: m.H = -3 is outside its bounds (0, inf)"},
      {NULL, NULL, NULL, "csv: there is no .csv file in this folder"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    put_folder(cases[i].atom, cases[i].bond, cases[i].parameters);
    refuse("csv", cases[i].expected);
  }
  put_text("csv/atoms.csv", "kind\n0\n");
  refuse("csv", "csv/atoms.csv: unknown set 'atoms'; did you mean 'atom'? known: atom, bond, xyz, "
                "species, parameters");
  (void)remove("csv/atoms.csv");
}

static void wrong_hdf5_is_refused(void **state)
{
  const double a[] = {1.0, 5.0, 3.0};
  const double odd[] = {1.0, NAN, 3.0};
  const sw_h5_shape shape = {1, {3}};
  sw_h5 *file = NULL;

  (void)state;
  if (!has_hdf5()) {
    skip();
  }
  put_hdf5("a.h5", a);
  refuse("a.h5", "a.h5: a[2] = 5 is not in atom = 1 .. 3");
  put_hdf5("a.h5", odd);
  refuse("a.h5", "a.h5: entry 2 of 'a', nan, is no element of 'atom'");
  assert_int_equal(sw_h5_create("a.h5", &file), SW_OK);
  assert_true(sw_h5_put_reals(file, "lengths", &shape, odd));
  assert_true(sw_h5_close(&file));
  refuse("a.h5",
         "a.h5: unknown name 'lengths'; did you mean 'length'? known: atom, bond, a, b, kind, m, "
         "length, gravity, x");
  put_text("a.h5", "this is no HDF5");
  refuse("a.h5", "a.h5: HDF5 cannot read it");
}

static void other_files_are_refused(void **state)
{
  (void)state;
  refuse("a.yaml",
         "a.yaml: data come from a file whose name ends in .json, .h5 or .hdf5, or from a "
         "folder of .csv files");
  refuse("missing.json", "missing.json cannot be read: No such file or directory");
  assert_int_equal(mkfifo("pipe.json", 0600), 0);
  refuse("pipe.json", "pipe.json is not a regular file; copy what it gives into one");
  assert_int_equal(truncate("a.json", 0x20000000), 0);
  refuse("a.json", "a.json has more than 256 MiB");
}

/* ---- from memory, and beside other sizes ---- */

static void arrays_in_memory(void **state)
{
  static const double a[] = {1.0, 2.0, 3.0};
  static const double b[] = {2.0, 3.0, 1.0};
  static const char *const kind[] = {"H", "C", "H"};
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;
  sw_data_array arrays[] = {
      {.name = "a", .n_dims = 1, .size = {3}, .values = a},
      {.name = "kind", .n_dims = 1, .size = {3}, .labels = kind},
      {.name = "b", .n_dims = 1, .size = {3}, .values = b},
      {.name = "m.C", .values = all_k},
      {.name = "length", .n_dims = 1, .size = {3}, .values = all_k + 2},
      {.name = "gravity", .values = all_k + 5},
      {.name = "x", .n_dims = 2, .size = {3, 3}, .values = all_k + 6},
  };

  (void)state;
  assert_int_equal(sw_data_make(bonds, 7, arrays, 0, NULL, &data, message), SW_OK);
  check(data);
  sw_data_free(&data);
  arrays[3].name = "m.X";
  assert_int_equal(sw_data_make(bonds, 7, arrays, 0, NULL, &data, message), SW_ERR_ARGUMENT);
  assert_null(data);
  assert_string_equal(message, "data: 'm.X': 'X' is no element of 'species'");
  arrays[3].name = "b";
  assert_int_equal(sw_data_make(bonds, 7, arrays, 0, NULL, &data, message), SW_ERR_ARGUMENT);
  assert_string_equal(message, "data: 'b' is there twice");
}

static void sizes_beside_it_count_more(void **state)
{
  const sw_size size = {.name = "n_atom", .value = 5};
  const sw_size unknown = {.name = "N", .value = 5};
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;

  (void)state;
  put_text("a.json", "{" PATH REST);
  assert_int_equal(sw_data_read(bonds, "a.json", 1, &size, &data, message), SW_ERR_SIZE);
  assert_string_equal(message, "'kind' has 3 entries, and not 5, one for each element of atom");
  assert_int_equal(sw_data_read(bonds, "a.json", 1, &unknown, &data, message), SW_ERR_SIZE);
  assert_non_null(strstr(message, "unknown size 'N'"));
}

/* A set may be empty, and a model of another version is none. */
static void nothing_is_data_too(void **state)
{
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;
  sw_model other = *bonds;

  (void)state;
  put_text("a.json", "{\"a\": [], \"b\": [], \"kind\": [0], \"length\": [], \"x\": [[1, 2, 3]]}");
  assert_int_equal(sw_data_read(bonds, "a.json", 0, NULL, &data, message), SW_OK);
  assert_int_equal(sw_data_nk(data), 6);
  assert_true(sw_data_parameters(data)[5] == 3.0);
  sw_data_free(&data);
  put_text("a.json", "{\"a\": [], \"b\": [], \"kind\": [], \"length\": [], \"x\": []}");
  refuse("a.json",
         "a.json: there is nothing to integrate: no coordinates at n_atom = 0, n_bond = 0; try "
         "larger sizes");
  other.abi = SW_MODEL_ABI - 1;
  assert_int_equal(sw_data_read(&other, "a.json", 0, NULL, &data, message), SW_ERR_ABI);
  assert_null(data);
  sw_data_free(&data);
}

/* What data leave out has no value. */
static void what_is_left_out_is_not_a_number(void **state)
{
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;

  (void)state;
  put_text("a.json", "{" PATH ", \"x\": 0}");
  assert_int_equal(sw_data_read(bonds, "a.json", 0, NULL, &data, message), SW_OK);
  assert_true(isnan(sw_data_parameters(data)[2]) && isnan(sw_data_parameters(data)[3]));
  assert_true(sw_data_parameters(data)[4] == 9.81);
  sw_data_free(&data);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_of_it_as_json),
      cmocka_unit_test(all_of_it_as_csv),
      cmocka_unit_test(all_of_it_as_hdf5),
      cmocka_unit_test(wrong_json_is_refused_with_its_place),
      cmocka_unit_test(wrong_csv_is_refused_with_its_line),
      cmocka_unit_test(wrong_hdf5_is_refused),
      cmocka_unit_test(other_files_are_refused),
      cmocka_unit_test(arrays_in_memory),
      cmocka_unit_test(sizes_beside_it_count_more),
      cmocka_unit_test(nothing_is_data_too),
      cmocka_unit_test(what_is_left_out_is_not_a_number),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave);
}
