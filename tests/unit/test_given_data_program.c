/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_given_data_program.c -- data on the command line of a model's program; and files of data
 * that nobody meant, or that somebody meant badly.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "given_data.h"
#include "program_call.h"
#include "sidewinder/ensemble.h"

/* ---- the program ---- */

static void expect_call(int code, const char *line, const char *text)
{
  if (call(bonds, line) != code) {
    fail_msg("%s: %s", line, err);
  }
  if (strstr(code == 0 ? out : err, text) == NULL) {
    fail_msg("'%s' is not in '%s'", text, code == 0 ? out : err);
  }
}

static void the_program_reads_them(void **state)
{
  (void)state;
  put_text("a.json", "{" PATH ", \"length\": [1, 1], \"x\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}");
  expect_call(0, "prog run --data a.json --step 0.01 --steps 5 --save-state s.csv",
              "steps          5, to t");
  expect_call(0, "prog info --data=a.json", "sizes                n_atom = 3 n_bond = 2");
  expect_call(0, "prog verify --data a.json --only grad", " 0 failed");
  expect_call(0, "prog converge --data a.json --step 0.01 --t-end 0.04 --levels 3", "order");
  expect_call(2, "prog run --data a.json --data a.json --step 0.01 --steps 5",
              "--data is given twice");
  expect_call(2, "prog run --step 0.01 --steps 5 --data", "--data needs FILE");
  expect_call(2, "prog run --step 0.01 --steps 5",
              "the number of elements of 'atom' comes from data: give it with --data FILE, or "
              "n_atom and its "
              "arrays in sw_options.sizes; 'info --schema' lists the data of the model");
  expect_call(2, "prog run --data a.json --step 0.01 --steps 5 --out a.json", "--data");
  expect_call(0, "prog run --help", "Usage: prog run");
  expect_call(0, "prog help verify", "Usage: prog verify");
  put_text("b.json", "{" PATH ", \"x\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}");
  expect_call(
      2, "prog run --data b.json --step 0.01 --steps 5",
      "parameter length.1 comes from data and has no value: give it with --data FILE or --set "
      "length.1=VALUE");
  expect_call(2, "prog verify --data b.json",
              "parameter length.1 comes from data and has no value");
  expect_call(0, "prog info --data b.json", "length.1           comes from data  in (0, inf)");
  expect_call(0, "prog run --data b.json --set length=1 --step 0.01 --steps 5",
              "steps          5, to t");
  /* What is set counts more than data. */
  expect_call(0,
              "prog run --data a.json --set length=1 --set gravity=0 --step 0.01 --steps 5 "
              "--columns q.2.z --out o.csv",
              "steps          5, to t");
  FILE *rows = fopen("o.csv", "r");
  char last[200] = "";
  assert_non_null(rows);
  while (fgets(last, sizeof last, rows) != NULL) {
  }
  fclose(rows);
  assert_true(last[strspn(last, "-")] == '0' && strtod(last, NULL) == 0.0);
}

/* A run that was begun with other data is not gone on with. */
static void a_run_goes_on_with_its_own_data(void **state)
{
  (void)state;
  put_text("a.json", "{" PATH ", \"length\": 1, \"x\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}");
  put_text("b.json", "{\"a\": [1, 2], \"b\": [2, 3], \"kind\": [0, 1, 1], \"length\": 1,"
                     "\"x\": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}");
  expect_call(0, "prog run --data a.json --step 0.01 --steps 5 --checkpoint c.chk", "steps");
  expect_call(2, "prog run --data b.json --step 0.01 --steps 9 --resume c.chk", "indices");
  expect_call(0, "prog run --data a.json --step 0.01 --steps 9 --resume c.chk", "steps");
}

static void the_schema_is_printed(void **state)
{
  (void)state;
  expect_call(0, "prog info --schema", "sets and arrays that loops_bonds reads");
  assert_non_null(strstr(
      out, "  atom                   set        no       number of elements, or their labels\n"));
  assert_non_null(strstr(
      out, "  a[bond]                indices    yes      in atom: 1 .. n_atom, or labels\n"));
  assert_non_null(strstr(out, "  kind[atom]             indices    yes      in species: C, H\n"));
  assert_non_null(
      strstr(out, "  length[bond]           parameter  yes      numbers in (0, inf)\n"));
  assert_non_null(
      strstr(out, "  x[atom, xyz]           parameter  yes      numbers; xyz = x, y, z\n"));
  expect_call(
      0, "prog info --schema --json",
      "\"required\": [\n    \"a\",\n    \"b\",\n    \"kind\",\n    \"length\",\n    \"x\"\n  ]");
  expect_call(2, "prog info --json --data a.json", "--json needs --schema");
}

/* ---- hostile files ---- */

static void survive(const char *path)
{
  char message[SW_DATA_MESSAGE] = "";
  sw_data *data = NULL;
  const sw_status status = sw_data_read(bonds, path, 0, NULL, &data, message);
  assert_int_equal(status == SW_OK, data != NULL);
  assert_true(status == SW_OK || message[0] != '\0');
  sw_data_free(&data);
}

/* Beginnings of the file, and the file with bytes that nobody meant. */
static void survive_changes(const char *path, const char *read, const char *bytes, size_t length,
                            uint64_t rounds)
{
  static const char meant[] = "{}[]\",:0189.eE-+\n# \\\xff\0\1";
  const size_t step = 1 + length / 300;
  char *changed = malloc(length);
  assert_non_null(changed);
  for (size_t i = 0; i < length; i += step) {
    write_file(path, bytes, i);
    survive(read);
  }
  for (uint64_t n = 0; n < rounds; n++) {
    const size_t places = 1 + (size_t)(3.0 * sw_draw_uniform(1, n, 0));
    memcpy(changed, bytes, length);
    for (size_t c = 0; c < places; c++) {
      const size_t at = (size_t)((double)length * sw_draw_uniform(2, n, (uint64_t)c));
      changed[at] =
          meant[(size_t)((double)(sizeof meant - 1) * sw_draw_uniform(3, n, (uint64_t)c))];
    }
    write_file(path, changed, length);
    survive(read);
  }
  free(changed);
}

static void nothing_breaks_the_readers(void **state)
{
  static const char atoms[] = "name,kind,x.x,x.y,x.z\nP,1,0,0,0\nQ,C,1.5,0,0\nR,\"H\",0,2,-0.5\n";
  static const char bonds_between[] = "a,b,length\nP,\"Q\",1.5\n2,R,2\nR,P,2.5\n";
  static const char numbers[] = "name,value\nm.C,12.5\ngravity,9.5\n";
  static const char json[] =
      "{\"atom\": [\"P\", \"Q\", \"R\"], \"a\": [1, 2, 3], \"b\": [\"Q\", 3, 1.0], \"kind\": [1, "
      "0, \"C\"],\n"
      "\"m\": {\"H\": 1, \"C\": 12.5}, \"length\": [1.5, 2, 2.5], \"gravity\": 9.5,\n"
      "\"x\": [[0, 0, 0], [1.5, 0, 0], {\"x\": 1, \"y\": 2, \"z\": 3}]}";

  (void)state;
  survive_changes("a.json", "a.json", json, sizeof json - 1, 1000);
  put_folder(atoms, bonds_between, numbers);
  survive_changes("csv/atom.csv", "csv", atoms, sizeof atoms - 1, 1000);
  put_folder(atoms, bonds_between, numbers);
  survive_changes("csv/bond.csv", "csv", bonds_between, sizeof bonds_between - 1, 1000);
  put_folder(atoms, bonds_between, numbers);
  survive_changes("csv/parameters.csv", "csv", numbers, sizeof numbers - 1, 1000);
}

/* A file that is cut short.  (What the library makes of other changes is not ours.) */
static void beginnings_of_hdf5_are_refused(void **state)
{
  const double a[] = {1.0, 2.0, 3.0};
  char bytes[40000];

  (void)state;
  if (!has_hdf5()) {
    skip();
  }
  put_hdf5("a.h5", a);
  FILE *file = fopen("a.h5", "rb");
  assert_non_null(file);
  const size_t length = fread(bytes, 1, sizeof bytes, file);
  assert_true(length > 1000 && length < sizeof bytes);
  fclose(file);
  for (size_t i = 0; i < length; i += 1 + length / 100) {
    write_file("b.h5", bytes, i);
    refuse("b.h5", "b.h5: HDF5 cannot read it");
  }
}

/* Lists in lists, and one list that says that it is very large. */
static void deep_and_large_texts_are_refused(void **state)
{
  enum { DEPTH = 100000 };
  char *deep = malloc(DEPTH + 16);
  assert_non_null(deep);
  const size_t begin = (size_t)sprintf(deep, "{\"x\": ");
  memset(deep + begin, '[', DEPTH);

  (void)state;
  write_file("a.json", deep, begin + DEPTH);
  refuse("a.json", "a.json: line 1, column 2054: maximum parsing depth reached near '['");
  free(deep);
  /* Products of sizes that only the first lists have. */
  char text[20000] = "{\"x\": ";
  for (int d = 0; d < 7; d++) {
    strcat(text, "[");
  }
  strcat(text, "0");
  for (int d = 0; d < 7; d++) {
    for (int i = 0; i < 400; i++) {
      strcat(text, ",0");
    }
    strcat(text, "]");
  }
  strcat(text, "}");
  put_text("a.json", text);
  char message[SW_DATA_MESSAGE];
  sw_data *data = NULL;
  assert_int_equal(sw_data_read(bonds, "a.json", 0, NULL, &data, message), SW_ERR_ARGUMENT);
  assert_non_null(strstr(message, "has fewer entries than the first one of its kind"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_program_reads_them),
      cmocka_unit_test(a_run_goes_on_with_its_own_data),
      cmocka_unit_test(the_schema_is_printed),
      cmocka_unit_test(nothing_breaks_the_readers),
      cmocka_unit_test(beginnings_of_hdf5_are_refused),
      cmocka_unit_test(deep_and_large_texts_are_refused),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave);
}
