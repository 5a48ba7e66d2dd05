/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/npy.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  PREFIX = 8,            /* magic and version */
  LONGEST_HEADER = 4096, /* NumPy's own headers mostly have 118 bytes */
  LONGEST_WORD = 64,
  MOST_DIMENSIONS = 64, /* NumPy's own limit */
  BLOCK = 512           /* values per fread */
};

static const char magic[] = "\x93NUMPY";

/* The representation of a value in the file. */
typedef struct number {
  char kind; /* 'f', 'i' or 'u': floating point, signed, unsigned */
  int size;  /* bytes */
  int big;   /* 1 if the most significant byte comes first */
} number;

/* The contents of a header. */
typedef struct header {
  int has_descr;
  int has_order;
  int has_shape;
  int fortran_order;
  char descr[LONGEST_WORD];
  size_t shape[MOST_DIMENSIONS];
  int dimensions;
  char shape_text[LONGEST_WORD]; /* the beginning of the shape's text in the file */
} header;

/* Reads required bytes. `part` names, for the message, the part of the file in which it ends. */
static sw_status take_bytes(const sw_source *source, unsigned char bytes[], size_t count,
                            const char *part)
{
  if (fread(bytes, 1, count, source->stream) == count) {
    return SW_OK;
  }
  return ferror(source->stream)
             ? sw_source_broken(source)
             : sw_source_refuse(source, " is truncated: it ends in its %s", part);
}

/* The functions take_... below parse one item at *at after white space.  They return 1 and advance
 * *at past it, or return 0.  The text ends with a zero byte, which no item contains. */
static int npy_take(const char **at, const char *word)
{
  *at += strspn(*at, " \n");
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) {
    return 0;
  }
  *at += length;
  return 1;
}

static int take_string(const char **at, char text[LONGEST_WORD])
{
  const char *quote = npy_take(at, "'") ? "'" : npy_take(at, "\"") ? "\"" : NULL;
  if (quote == NULL) {
    return 0;
  }
  size_t length = strcspn(*at, quote);
  if (length >= LONGEST_WORD || (*at)[length] == '\0') {
    return 0;
  }
  memcpy(text, *at, length);
  text[length] = '\0';
  *at += length + 1;
  return 1;
}

static int take_count(const char **at, size_t *count)
{
  *at += strspn(*at, " \n");
  size_t digits = strspn(*at, "0123456789");
  *count = 0;
  for (size_t i = 0; i < digits; i++) {
    size_t digit = (size_t)((*at)[i] - '0');
    if (*count > (SIZE_MAX - digit) / 10) {
      return 0;
    }
    *count = 10 * *count + digit;
  }
  *at += digits;
  return digits > 0;
}

/* Parses a tuple: (), (3,), (2, 3), (2, 3,), but not (3), which is a number. */
static int npy_take_shape(const char **at, header *of)
{
  int comma = 1;
  of->dimensions = 0;
  if (!npy_take(at, "(")) {
    return 0;
  }
  const char *start = *at - 1;
  while (!npy_take(at, ")")) {
    if (!comma || of->dimensions == MOST_DIMENSIONS ||
        !take_count(at, &of->shape[of->dimensions])) {
      return 0;
    }
    of->dimensions++;
    comma = npy_take(at, ",");
  }
  snprintf(of->shape_text, sizeof of->shape_text, "%.*s", (int)(*at - start), start);
  return comma || of->dimensions > 1;
}

/* Parses one of the three keys, unless it is a duplicate, and its value. */
static int npy_take_item(const char **at, header *of)
{
  char key[LONGEST_WORD];
  if (!take_string(at, key) || !npy_take(at, ":")) {
    return 0;
  }
  if (strcmp(key, "descr") == 0 && !of->has_descr) {
    of->has_descr = 1;
    return take_string(at, of->descr);
  }
  if (strcmp(key, "fortran_order") == 0 && !of->has_order) {
    of->has_order = 1;
    of->fortran_order = npy_take(at, "True");
    return of->fortran_order || npy_take(at, "False");
  }
  if (strcmp(key, "shape") == 0 && !of->has_shape) {
    of->has_shape = 1;
    return npy_take_shape(at, of);
  }
  return 0;
}

/* Returns 1 if the whole text is a dictionary of the three keys. */
static int parse_header(const char *text, size_t length, header *of)
{
  const char *at = text;
  int comma = 1;
  if (!npy_take(&at, "{")) {
    return 0;
  }
  while (!npy_take(&at, "}")) {
    if (!comma || !npy_take_item(&at, of)) {
      return 0;
    }
    comma = npy_take(&at, ",");
  }
  at += strspn(at, " \n");
  return at == text + length && of->has_descr && of->has_order && of->has_shape;
}

/* Reads the magic bytes, the version and the header's length. */
static sw_status read_prefix(const sw_source *source, size_t *length)
{
  unsigned char bytes[PREFIX] = {0};
  size_t got = fread(bytes, 1, PREFIX, source->stream);
  if (ferror(source->stream)) {
    return sw_source_broken(source);
  }
  if (got == 0) {
    return sw_source_refuse(source, " is empty");
  }
  if (memcmp(bytes, magic, got < 6 ? got : 6) != 0) {
    return sw_source_refuse(source,
                            " is no NumPy file: its first bytes are not those of numpy.save");
  }
  if (got < PREFIX) {
    return sw_source_refuse(source, " is truncated: it ends in its first %d bytes", PREFIX);
  }
  if ((bytes[6] != 1 && bytes[6] != 2) || bytes[7] != 0) {
    return sw_source_refuse(source,
                            " has format version %d.%d; wanted is 1.0 or 2.0: write it with "
                            "numpy.lib.format.write_array(file, a, version=(1, 0))",
                            bytes[6], bytes[7]);
  }
  size_t size = bytes[6] == 1 ? 2 : 4;
  sw_status status = take_bytes(source, bytes, size, "header");
  *length = 0;
  for (size_t i = size; status == SW_OK && i > 0; i--) {
    *length = *length << 8 | bytes[i - 1];
  }
  return status;
}

static sw_status npy_check_shape(const sw_source *source, const header *of)
{
  const sw_entries *wanted = source->wanted;
  size_t half = wanted->count / 2;
  size_t count = 1;
  for (int i = 0; i < of->dimensions; i++) {
    size_t n = of->shape[i];
    count = n > 0 && count > SIZE_MAX / n ? SIZE_MAX : count * n;
  }
  if (count != wanted->count) {
    return sw_source_refuse_count(source, count, "");
  }
  if (wanted->parameter != NULL || of->dimensions == 1 ||
      (of->dimensions == 2 && (of->shape[0] == 2 || of->shape[1] == 1))) {
    return SW_OK;
  }
  return sw_source_refuse(source,
                          " has shape %s; model '%.63s' needs (%zu,), (2, %zu) or (%zu, 1), q then "
                          "p: reshape it",
                          of->shape_text, sw_entries_owner(wanted), wanted->count, half,
                          wanted->count);
}

/* Parses a type such as '<f8', '>f4', '<i4' or '|u1'. Returns 0 for any other text. */
static int read_type(const char *descr, number *type)
{
  static const char *const known[] = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"};
  if (descr[0] == '\0' || strchr("<>|", descr[0]) == NULL) {
    return 0;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(descr + 1, known[i]) == 0) {
      *type = (number){descr[1], descr[2] - '0', descr[0] == '>'};
      return (descr[0] == '|') == (type->size == 1);
    }
  }
  return 0;
}

static sw_status npy_read_header(const sw_source *source, number *type, header *of)
{
  unsigned char text[LONGEST_HEADER + 1];
  size_t length = 0;
  sw_status status = read_prefix(source, &length);
  if (status == SW_OK && length > LONGEST_HEADER) {
    return sw_source_refuse(source,
                            ": the header has %zu bytes, more than %d; write the plain array with "
                            "numpy.save",
                            length, LONGEST_HEADER);
  }
  if (status == SW_OK) {
    status = take_bytes(source, text, length, "header");
  }
  if (status != SW_OK) {
    return status;
  }
  text[length] = '\0';
  if (!parse_header((const char *)text, length, of)) {
    return sw_source_refuse(source,
                            ": the header is '%.100s', but wanted is {'descr': '<f8', "
                            "'fortran_order': False, 'shape': (%zu,), }",
                            (const char *)text, source->wanted->count);
  }
  if (!read_type(of->descr, type)) {
    return sw_source_refuse(source,
                            " has values of type '%s'; wanted are real numbers of 4 or 8 bytes, or "
                            "integers: numpy.save(file, a.astype('<f8'))",
                            of->descr);
  }
  if (of->fortran_order) {
    return sw_source_refuse(source, " has fortran_order True; wanted is False: numpy.save(file, "
                                    "numpy.ascontiguousarray(a))");
  }
  return SW_OK;
}

/* Decodes one number. *exact is 0 if the number is not representable as a double. */
static double decode(number type, const unsigned char bytes[8], int *exact)
{
  uint64_t bits = 0;
  for (int i = 0; i < type.size; i++) {
    bits = bits << 8 | bytes[type.big ? i : type.size - 1 - i];
  }
  *exact = 1;
  if (type.kind == 'f' && type.size == 8) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (type.kind == 'f') {
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
  }
  const uint64_t sign = (uint64_t)1 << (8 * type.size - 1);
  const int negative = type.kind == 'i' && (bits & sign) != 0;
  /* The magnitude of a negative number from its two's complement. */
  const uint64_t size = negative ? sign - (bits & (sign - 1)) : bits;
  /* Exact if the conversion round-trips or, from 2^63 on, if the size is a multiple of the spacing
   * of doubles. */
  *exact = size >> 63 == 0 ? (uint64_t)(double)size == size : (size & 0x7ff) == 0;
  return negative ? -(double)size : (double)size;
}

void sw_npy_decode(const unsigned char bytes[], size_t count, double values[])
{
  int exact;
  for (size_t i = 0; i < count; i++) {
    values[i] = decode((number){'f', 8, 0}, bytes + 8 * i, &exact);
  }
}

static size_t block_size(size_t left)
{
  return left < BLOCK ? left : BLOCK;
}

/* Reads the next values, at most BLOCK, into bytes; `done` of `count` have been read. */
static sw_status take_block(const sw_source *source, number type, size_t done, size_t count,
                            unsigned char bytes[8 * BLOCK])
{
  const size_t value = (size_t)type.size;
  const size_t size = value * block_size(count - done);
  const size_t got = fread(bytes, 1, size, source->stream);
  if (got == size) {
    return SW_OK;
  }
  return ferror(source->stream)
             ? sw_source_broken(source)
             : sw_source_refuse(source, " is truncated: %zu of %zu bytes of values",
                                value * done + got, value * count);
}

/* Rejects value i; the wanted entries are one row. */
static sw_status npy_refuse_value(const sw_source *source, size_t i, size_t count, double value)
{
  const size_t width = source->wanted->count;
  char name[SW_NAME_BYTES];
  char row[40] = "";
  sw_entries_name(source->wanted, i % width, name);
  if (count > width) {
    snprintf(row, sizeof row, "row %zu: ", i / width);
  }
  return isfinite(value)
             ? sw_source_refuse(source,
                                ": %s%.100s is an integer that no double is; the nearest is %.17g",
                                row, name, value)
             : sw_source_refuse(source, ": %s%.100s is %s; wanted are finite numbers", row, name,
                                isnan(value) ? "nan" : "infinite");
}

/* Reads `count` values; the file must end after them. */
static sw_status npy_read_all(const sw_source *source, number type, size_t count, double values[])
{
  unsigned char bytes[8 * BLOCK];
  for (size_t i = 0; i < count; i++) {
    int exact = 1;
    sw_status status = i % BLOCK == 0 ? take_block(source, type, i, count, bytes) : SW_OK;
    if (status != SW_OK) {
      return status;
    }
    values[i] = decode(type, bytes + (size_t)type.size * (i % BLOCK), &exact);
    if (!isfinite(values[i]) || !exact) {
      return npy_refuse_value(source, i, count, values[i]);
    }
  }
  if (getc(source->stream) != EOF) {
    return sw_source_refuse(source, " goes on behind its %zu values; wanted is one array alone",
                            count);
  }
  return ferror(source->stream) ? sw_source_broken(source) : SW_OK;
}

sw_status sw_npy_read(const sw_source *source, double values[])
{
  number type = {'f', 8, 0};
  header of = {.has_descr = 0};
  sw_status status = npy_read_header(source, &type, &of);
  status = status == SW_OK ? npy_check_shape(source, &of) : status;
  return status == SW_OK ? npy_read_all(source, type, source->wanted->count, values) : status;
}

sw_status sw_npy_read_rows(const sw_source *source, double **values, size_t *rows)
{
  const size_t width = source->wanted->count;
  number type = {'f', 8, 0};
  header of = {.has_descr = 0};
  *values = NULL;
  sw_status status = npy_read_header(source, &type, &of);
  if (status == SW_OK && (of.dimensions != 2 || of.shape[1] != width || of.shape[0] == 0)) {
    return sw_source_refuse(source,
                            " has shape %s; wanted is a row of %zu values for each trajectory",
                            of.shape_text, width);
  }
  if (status == SW_OK) {
    *rows = of.shape[0];
    *values = *rows <= SIZE_MAX / 8 / width ? malloc(*rows * width * sizeof **values) : NULL;
    status = *values == NULL ? SW_ERR_MEMORY : npy_read_all(source, type, *rows * width, *values);
  }
  if (status != SW_OK) {
    free(*values);
    *values = NULL;
  }
  return status;
}
