/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_data_hostile.c -- the readers of states and parameters: files without end, disks that fail,
 * and bytes that nobody meant.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "ball.h"
#include "io/npy.h"
#include "io/values_file.h"

enum { BYTES = 4096, MOST = 24, MUTATIONS = 2000 };

typedef sw_status reader(const sw_source *source, double values[]);

/* An endless file: `text` once, and then `again` for ever. */
typedef struct endless {
  const char *text;
  const char *again;
  size_t at;
  size_t given;
} endless;

static ssize_t read_endless(void *cookie, char *buffer, size_t size)
{
  endless *file = cookie;
  for (size_t i = 0; i < size; i++) {
    if (file->text[file->at] == '\0') {
      file->text = file->again;
      file->at = 0;
    }
    buffer[i] = file->text[file->at++];
  }
  file->given += size;
  return (ssize_t)size;
}

static void test_endless(void **state)
{
  static const struct {
    endless file;
    reader *read;
    const char *part;
    size_t most;
  } cases[] = {{{"", "#", 0, 0}, sw_table_read, "line 1 is longer than 1000 characters", 8192},
               {{"", "#\n", 0, 0}, sw_table_read, "more than 10000 lines of comments", 32768},
               {{"name,value\nm.1,1\n", "\n", 0, 0}, sw_table_read, "more than 10000 lines", 32768},
               {{"name,value\n", "m.1,1\n", 0, 0}, sw_table_read, "second time", 8192},
               {{"", "0", 0, 0}, sw_npy_read, "is no NumPy file", 8192},
               {{"\x93NUMPY\x02", "\x01", 0, 0}, sw_npy_read, "version 2.1", 8192}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    endless file = cases[i].file;
    char message[SW_TEXT_MESSAGE] = "";
    double values[MOST];
    sw_source source = {.path = "endless", .wanted = &masses, .message = message};
    source.stream = fopencookie(&file, "r", (cookie_io_functions_t){.read = read_endless});
    assert_non_null(source.stream);
    assert_int_equal(cases[i].read(&source, values), SW_ERR_ARGUMENT);
    fclose(source.stream);
    assert_non_null(strstr(message, cases[i].part));
    assert_true(file.given <= cases[i].most);
  }
}

static ssize_t read_failing(void *cookie, char *buffer, size_t size)
{
  int *left = cookie;
  (void)size;
  if ((*left)-- == 0) {
    return -1;
  }
  buffer[0] = '#';
  return 1;
}

/* A disk that fails is told from a file that is wrong. */
static void test_read_fails(void **state)
{
  (void)state;
  for (int i = 0; i < 2; i++) {
    int left = 0;
    char message[SW_TEXT_MESSAGE] = "";
    double values[MOST];
    sw_source source = {.path = "disk", .wanted = &masses, .message = message};
    source.stream = fopencookie(&left, "r", (cookie_io_functions_t){.read = read_failing});
    assert_non_null(source.stream);
    assert_int_equal((i == 0 ? sw_table_read : sw_npy_read)(&source, values), SW_ERR_IO);
    assert_non_null(strstr(message, "disk cannot be read"));
    fclose(source.stream);
  }
}

/* Reads size > 0 bytes; whatever they are, the outcome has a form. */
static sw_status read_bytes(reader *read, unsigned char bytes[], size_t size)
{
  char message[SW_TEXT_MESSAGE] = "";
  double values[MOST];
  sw_source source = {.path = "bytes", .wanted = &state6, .message = message};
  source.stream = fmemopen(bytes, size, "rb");
  assert_non_null(source.stream);
  sw_status status = read(&source, values);
  fclose(source.stream);
  if (status == SW_OK) {
    for (int i = 0; i < STATE; i++) {
      assert_true(isfinite(values[i]));
    }
    return status;
  }
  assert_int_equal(status, SW_ERR_ARGUMENT);
  assert_memory_equal(message, "bytes", 5);
  assert_true(strlen(message) > 8 && strlen(message) < SW_TEXT_MESSAGE);
  for (const char *at = message; *at != '\0'; at++) {
    assert_true((unsigned char)*at >= ' ');
  }
  return status;
}

/* A valid file of each format. */
static size_t make_valid(reader *read, unsigned char bytes[BYTES])
{
  static const double z[STATE] = {0.1, -2.0, 3e100, 4.0, 5e-300, -0.0};
  FILE *file = tmpfile();
  assert_non_null(file);
  if (read == sw_npy_read) {
    sw_npy_write_header(file, STATE, 0);
    sw_npy_write_values(file, z, STATE);
  } else {
    fputs("# model: ball\n# t: 0.25\n", file);
    sw_table_write(file, &state6, z);
  }
  rewind(file);
  size_t size = fread(bytes, 1, BYTES, file);
  fclose(file);
  return size;
}

static void test_prefixes(void **state)
{
  static reader *const readers[] = {sw_npy_read, sw_table_read};
  unsigned char bytes[BYTES];
  (void)state;
  for (int i = 0; i < 2; i++) {
    size_t size = make_valid(readers[i], bytes);
    assert_int_equal(read_bytes(readers[i], bytes, size), SW_OK);
    for (size_t end = 1; end < size; end++) {
      assert_int_equal(read_bytes(readers[i], bytes, end), SW_ERR_ARGUMENT);
    }
  }
}

/* xorshift64 (Marsaglia 2003). */
static size_t draw(uint64_t *seed, size_t below)
{
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (size_t)(*seed % below);
}

/* Changes, removes, doubles or swaps one to four stretches of bytes.  Returns the new size. */
static size_t mutate(uint64_t *seed, unsigned char bytes[2 * BYTES], size_t size)
{
  static const char special[] = "\n,.#0-e+'({})\r \xff";
  for (size_t changes = 1 + draw(seed, 4); changes > 0; changes--) {
    size_t at = draw(seed, size);
    size_t length = 1 + draw(seed, size - at < 16 ? size - at : 16);
    switch (draw(seed, 5)) {
    case 0:
      bytes[at] = (unsigned char)draw(seed, 256);
      break;
    case 1:
      bytes[at] = (unsigned char)special[draw(seed, sizeof special)];
      break;
    case 2:
      bytes[at] ^= (unsigned char)(1u << draw(seed, 8));
      break;
    case 3:
      if (size > length) {
        memmove(bytes + at, bytes + at + length, size - at - length);
        size -= length;
      }
      break;
    default:
      memmove(bytes + at + length, bytes + at, size - at);
      size += length;
    }
  }
  return size;
}

static void test_mutations(void **state)
{
  static reader *const readers[] = {sw_npy_read, sw_table_read};
  unsigned char valid[BYTES];
  unsigned char bytes[2 * BYTES];
  (void)state;
  for (int i = 0; i < 2; i++) {
    uint64_t seed = 20261120;
    int refused = 0;
    size_t size = make_valid(readers[i], valid);
    for (int n = 0; n < MUTATIONS; n++) {
      memcpy(bytes, valid, size);
      size_t now = mutate(&seed, bytes, size);
      refused += read_bytes(readers[i], bytes, now) != SW_OK;
    }
    /* Some changes are none, or hit a digit or a comment: the mutations go through both ends. */
    assert_in_range(refused, MUTATIONS / 2, MUTATIONS - 50);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_endless), cmocka_unit_test(test_read_fails),
      cmocka_unit_test(test_prefixes), cmocka_unit_test(test_mutations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
