/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bad_model_printer.c -- prints what the checker says of one model file.
 *
 *     bad_model_printer MODEL
 *
 * Exit status: 0 where the model is accepted, 2 where it is not, 1 where it cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/model.h"

/* The whole file; the caller frees it.  NULL where it cannot be read. */
static char *read_all(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t capacity = 0;
  *length = 0;
  if (!file)
    return NULL;
  do {
    capacity = 2 * capacity + 4096;
    char *larger = realloc(text, capacity);
    if (!larger)
      break;
    text = larger;
    *length += fread(text + *length, 1, capacity - *length, file);
  } while (*length == capacity);
  fclose(file);
  return text;
}

int main(int argc, char *argv[])
{
  size_t length = 0;
  char *text = argc == 2 ? read_all(argv[1], &length) : NULL;
  if (!text) {
    fprintf(stderr, argc == 2 ? "cannot read the model\n" : "usage: bad_model_printer MODEL\n");
    return 1;
  }
  arena *a = arena_create();
  diagnostics *d = diagnostics_create(a, argv[1], text, length);
  const model *m = model_check(a, d, argv[1], text, length, 0, NULL);
  diagnostics_print(d, stdout);
  arena_free(a);
  free(text);
  return m ? 0 : 2;
}
