/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trajectory_rows.c -- the rows of a trajectory that goes on beyond a mark, also if an earlier
 * process has finished its file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "common/target.h"
#include "common/user_text.h"
#include "io/hdf5_file.h"
#include "io/npy.h"
#include "io/trajectory.h"
#include "io/trajectory_format.h"

enum { BLOCK = 4096 };

/* ---- rows of a finished file, in an unfinished one ---- */

static int copy_bytes(const char *path, long bytes, FILE *to)
{
  char block[BLOCK];
  FILE *from = fopen(path, "rb");
  size_t left = (size_t)bytes;
  size_t got = 1;

  while (from != NULL && left > 0 && got > 0) {
    got = fread(block, 1, left < BLOCK ? left : BLOCK, from);
    got = fwrite(block, 1, got, to);
    left -= got;
  }
  if (from != NULL) {
    fclose(from);
  }
  return from != NULL && left == 0;
}

/* HDF5 is made of an .npy file in the end, and back. */
static int copy_values(const char *path, long rows, FILE *to)
{
  sw_h5 *file = NULL;
  sw_h5_shape shape = {.rank = 0};
  double *row = NULL;
  int good = sw_h5_open(path, &file) == SW_OK && sw_h5_get_shape(file, "trajectory", &shape) &&
             shape.rank == 2 && shape.size[0] == (size_t)rows;

  if (good) {
    row = calloc(shape.size[1] + 1, sizeof *row);
    good = row != NULL;
    sw_npy_write_header(to, shape.size[0], shape.size[1]);
  }
  for (size_t i = 0; good && i < shape.size[0]; i++) {
    good = sw_h5_get_rows(file, "trajectory", i, 1, row);
    sw_npy_write_values(to, row, shape.size[1]);
  }
  free(row);
  sw_h5_close(&file);
  return good;
}

/* Copies the rows of the finished file to a new unfinished one, which the mark names from then on.
 * */
static sw_status unfinish(const char *path, sw_trajectory_mark *mark,
                          char unfinished[SW_LONGEST_UNFINISHED])
{
  sw_target target;
  sw_status status = sw_target_open(path, SW_VISIBLE, &target);

  if (status == SW_OK) {
    errno = 0;
    const int good = sw_trajectory_format_of(path) == SW_FORMAT_HDF5
                         ? copy_values(path, mark->rows, target.file)
                         : copy_bytes(path, mark->bytes, target.file);
    status = !good ? SW_ERR_IO : sw_target_sync(&target);
  }
  const int cause = errno;
  if (status == SW_OK) {
    snprintf(unfinished, SW_LONGEST_UNFINISHED, "%s", sw_place_name(target.temporary));
    mark->unfinished = unfinished;
  } else {
    sw_target_discard(&target);
  }
  sw_target_clear(&target);
  errno = cause;
  return status;
}

/* ---- the row of the last step ---- */

/* Where the last `lines` lines of the first `bytes` bytes begin; -1 where there are fewer. */
static long last_lines(FILE *file, long bytes, long lines)
{
  long at = bytes - 1; /* the end of the last line */

  while (at > 0) {
    at--;
    if (fseek(file, at, SEEK_SET) != 0) {
      return -1;
    }
    if (getc(file) == '\n' && --lines == 0) {
      return at + 1;
    }
  }
  return lines == 1 ? 0 : -1;
}

/* Where the last row begins; -1 where the file is no such file. */
static long last_row(FILE *file, sw_trajectory_format format, const sw_trajectory_mark *mark)
{
  const long head = sw_trajectory_undigested(format);
  char first[SW_TEXT_NUMBER] = "";
  long points = 0;

  if (format == SW_FORMAT_XYZ && fgets(first, sizeof first, file) != NULL) {
    points = strtol(first, NULL, 10);
  }
  if (format == SW_FORMAT_XYZ && points <= 0) {
    return -1;
  }
  return format == SW_FORMAT_CSV   ? last_lines(file, mark->bytes, 1)
         : format == SW_FORMAT_XYZ ? last_lines(file, mark->bytes, points + 2)
                                   : mark->bytes - (mark->bytes - head) / mark->rows;
}

/* Takes the last row, which begins at `bytes`, out of the mark.  Errors: SW_ERR_IO with errno, EBADMSG
 * if the bytes of the file are not those of the mark. */
static sw_status shorten(FILE *file, long head, long bytes, sw_trajectory_mark *mark)
{
  uint32_t digest = 0;
  sw_status status = sw_digest_bytes(fileno(file), head, mark->bytes, &digest);

  if (status == SW_OK && digest != mark->digest) {
    errno = EBADMSG;
    status = SW_ERR_IO;
  }
  if (status == SW_OK) {
    mark->digest = 0;
    status = sw_digest_bytes(fileno(file), head, bytes, &mark->digest);
  }
  mark->bytes = bytes;
  mark->rows--;
  return status;
}

static sw_status drop_row(const char *path, sw_trajectory_mark *mark)
{
  const sw_trajectory_format format = sw_trajectory_format_of(path);
  sw_place place;
  char *rows =
      sw_place_find(path, &place) == SW_OK ? sw_place_beside(place.path, mark->unfinished) : NULL;
  FILE *file = rows == NULL ? NULL : fopen(rows, "rb");
  const long bytes = file == NULL ? -1 : last_row(file, format, mark);
  const sw_status status =
      bytes < 0 ? SW_ERR_IO : shorten(file, sw_trajectory_undigested(format), bytes, mark);
  const int cause = errno;

  if (file != NULL) {
    fclose(file);
  }
  free(rows);
  sw_place_clear(&place);
  errno = cause;
  return status;
}

sw_status sw_trajectory_go_on(const sw_trajectory_plan *plan, long step, sw_trajectory_mark *mark,
                              char unfinished[SW_LONGEST_UNFINISHED], char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = plan->path, .message = message};
  sw_status status = SW_OK;

  message[0] = '\0';
  if (sw_trajectory_is_whole(plan, mark)) {
    status = unfinish(plan->path, mark, unfinished);
  }
  if (status == SW_OK && mark->rows > step / plan->origin.every + 1) {
    status = drop_row(plan->path, mark);
  }
  if (status == SW_ERR_IO) {
    sw_source_refuse(&source, " cannot be continued: its rows cannot be read: %s", strerror(errno));
  }
  return status;
}
