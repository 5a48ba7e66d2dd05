/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/npy.h"

#include <stdint.h>
#include <string.h>

enum {
  PREFIX = 8,            /* magic and version */
  LONGEST_HEADER = 4096, /* NumPy's own headers mostly have 118 bytes */
  LONGEST_WORD = SW_NPY_SHAPE_TEXT,
  BLOCK = 512 /* values per fread or fwrite */
};

static const char magic[] = "\x93NUMPY";

/* The contents of a header. */
typedef struct header {
  int has_descr;
  int has_order;
  int has_shape;
  int fortran_order;
  char descr[LONGEST_WORD];
  sw_npy *array;
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
static int npy_take_shape(const char **at, sw_npy *of)
{
  int comma = 1;
  of->dimensions = 0;
  if (!npy_take(at, "(")) {
    return 0;
  }
  const char *start = *at - 1;
  while (!npy_take(at, ")")) {
    if (!comma || of->dimensions == SW_NPY_DIMENSIONS ||
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
    return npy_take_shape(at, of->array);
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

/* Parses a type such as '<f8', '>f4', '<i4' or '|u1'. Returns 0 for any other text. */
static int read_type(const char *descr, sw_npy *array)
{
  static const char *const known[] = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"};
  if (descr[0] == '\0' || strchr("<>|", descr[0]) == NULL) {
    return 0;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(descr + 1, known[i]) == 0) {
      array->kind = descr[1];
      array->size = descr[2] - '0';
      array->big = descr[0] == '>';
      return (descr[0] == '|') == (array->size == 1);
    }
  }
  return 0;
}

sw_status sw_npy_open(const sw_source *source, sw_npy *array)
{
  header of = {.array = array};
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
  if (!parse_header((const char *)text, length, &of)) {
    return sw_source_refuse(source,
                            ": the header is '%.100s', but wanted is {'descr': '<f8', "
                            "'fortran_order': False, 'shape': (%zu,), }",
                            (const char *)text,
                            source->wanted != NULL ? source->wanted->count : (size_t)1);
  }
  if (!read_type(of.descr, array)) {
    return sw_source_refuse(source,
                            " has values of type '%s'; wanted are real numbers of 4 or 8 bytes, or "
                            "integers: numpy.save(file, a.astype('<f8'))",
                            of.descr);
  }
  if (of.fortran_order) {
    return sw_source_refuse(source, " has fortran_order True; wanted is False: numpy.save(file, "
                                    "numpy.ascontiguousarray(a))");
  }
  array->done = 0;
  array->count = 1;
  for (int i = 0; i < array->dimensions; i++) {
    const size_t n = array->shape[i];
    array->count = n > 0 && array->count > SIZE_MAX / n ? SIZE_MAX : array->count * n;
  }
  return SW_OK;
}

/* Decodes one number. *exact is 0 if the number is not representable as a double. */
static double decode(const sw_npy *type, const unsigned char bytes[8], int *exact)
{
  uint64_t bits = 0;
  for (int i = 0; i < type->size; i++) {
    bits = bits << 8 | bytes[type->big ? i : type->size - 1 - i];
  }
  *exact = 1;
  if (type->kind == 'f' && type->size == 8) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (type->kind == 'f') {
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
  }
  const uint64_t sign = (uint64_t)1 << (8 * type->size - 1);
  const int negative = type->kind == 'i' && (bits & sign) != 0;
  /* The magnitude of a negative number from its two's complement. */
  const uint64_t size = negative ? sign - (bits & (sign - 1)) : bits;
  /* Exact if the conversion round-trips or, from 2^63 on, if the size is a multiple of the spacing
   * of doubles. */
  *exact = size >> 63 == 0 ? (uint64_t)(double)size == size : (size & 0x7ff) == 0;
  return negative ? -(double)size : (double)size;
}

void sw_npy_decode(const unsigned char bytes[], size_t count, double values[])
{
  static const sw_npy written = {.kind = 'f', .size = 8};
  int exact;
  for (size_t i = 0; i < count; i++) {
    values[i] = decode(&written, bytes + 8 * i, &exact);
  }
}

sw_status sw_npy_take(const sw_source *source, sw_npy *array, size_t count, double values[],
                      size_t *inexact)
{
  unsigned char bytes[8 * BLOCK];
  const size_t size = (size_t)array->size;
  *inexact = count;
  for (size_t i = 0; i < count; i++) {
    const size_t left = count - i < BLOCK ? count - i : BLOCK;
    const size_t got = i % BLOCK == 0 ? fread(bytes, 1, size * left, source->stream) : size * left;
    int exact = 1;
    if (got < size * left) {
      return ferror(source->stream)
                 ? sw_source_broken(source)
                 : sw_source_refuse(source, " is truncated: %zu of %zu bytes of values",
                                    size * array->done + got, size * array->count);
    }
    values[i] = decode(array, bytes + size * (i % BLOCK), &exact);
    *inexact = !exact && *inexact == count ? i : *inexact;
    array->done++;
  }
  return SW_OK;
}

sw_status sw_npy_close(const sw_source *source, const sw_npy *array)
{
  if (getc(source->stream) != EOF) {
    return sw_source_refuse(source, " goes on behind its %zu values; wanted is one array alone",
                            array->count);
  }
  return ferror(source->stream) ? sw_source_broken(source) : SW_OK;
}

/* ---- writing ---- */

static void encode(double value, unsigned char bytes[8])
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  for (int i = 0; i < 8; i++) {
    bytes[i] = (unsigned char)(bits >> 8 * i & 0xff);
  }
}

void sw_npy_write_header(FILE *file, size_t rows, size_t columns)
{
  char shape[64];
  char text[SW_NPY_HEADER];
  /* Blanks and a line break pad the header to a multiple of 64 bytes, which aligns the values. */
  const int length = SW_NPY_HEADER - 10;
  if (columns == 0) {
    snprintf(shape, sizeof shape, "(%zu,)", rows);
  } else {
    snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns);
  }
  int used =
      snprintf(text, sizeof text, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
  fwrite("\x93NUMPY\x01", 1, 8, file);
  fputc(length & 0xff, file);
  fputc(length >> 8, file);
  fprintf(file, "%s%*s\n", text, length - 1 - used, "");
}

void sw_npy_write_values(FILE *file, const double values[], size_t count)
{
  unsigned char bytes[8 * BLOCK];
  for (size_t i = 0; i < count; i += BLOCK) {
    size_t size = count - i < BLOCK ? count - i : BLOCK;
    for (size_t j = 0; j < size; j++) {
      encode(values[i + j], bytes + 8 * j);
    }
    fwrite(bytes, 8, size, file);
  }
}
