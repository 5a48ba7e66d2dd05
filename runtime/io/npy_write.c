/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/npy.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 512 /* values per fwrite */ };

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
