/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/file.h"

#include <errno.h>
#include <unistd.h>

/* Remembers why writing has failed, once. */
static void note_failure(int *cause)
{
  if (*cause == 0) {
    *cause = errno != 0 ? errno : EIO;
  }
}

sw_status sw_file_check(FILE *file, int *cause)
{
  if (ferror(file)) {
    note_failure(cause);
  }
  return *cause == 0 ? SW_OK : SW_ERR_IO;
}

/* fsync refuses what is no file on a disk, such as a pipe or a terminal; there is nothing to do for
 * those. */
static int reach_disk(FILE *file)
{
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

sw_status sw_file_close(FILE *file, int *cause)
{
  errno = 0;
  if (ferror(file) || fflush(file) != 0 || !reach_disk(file)) {
    note_failure(cause);
  }
  if (file != stdout && fclose(file) != 0) {
    note_failure(cause);
  }
  return *cause == 0 ? SW_OK : SW_ERR_IO;
}

void sw_file_metadata(FILE *file, const char *key, const char *text)
{
  fprintf(file, "# %s: ", key);
  for (; *text != '\0'; text++) {
    fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
  }
  fputc('\n', file);
}
