/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trajectory_rows.c -- the rows of a trajectory that continues beyond a mark, even if an earlier
 * process has finished its file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "common/target.h"
#include "common/user_text.h"
#include "io/format.h"
#include "io/trajectory.h"

enum { BLOCK = 4096 };

/* ---- copying a finished file to an unfinished one ---- */

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

/* Copies the rows of the finished file to a new unfinished one, and sets the mark to it. */
static sw_status unfinish(const char *path, sw_trajectory_mark *mark,
                          char unfinished[SW_LONGEST_UNFINISHED])
{
  sw_target target;
  sw_status status = sw_target_open(path, SW_VISIBLE, &target);

  if (status == SW_OK) {
    errno = 0;
    const sw_format *format = sw_format_of(path);
    const int good = format->restore != NULL ? format->restore(path, mark->rows, target.file)
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

/* Removes the last row, which begins at `bytes`, from the mark.  Errors: SW_ERR_IO with errno;
 * EBADMSG if the bytes of the file differ from those of the mark. */
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
  const sw_format *format = sw_format_of(path);
  sw_place place;
  char *rows =
      sw_place_find(path, &place) == SW_OK ? sw_place_beside(place.path, mark->unfinished) : NULL;
  FILE *file = rows == NULL ? NULL : fopen(rows, "rb");
  const long bytes = file == NULL ? -1 : format->last_row(file, mark->bytes, mark->rows);
  const sw_status status = bytes < 0 ? SW_ERR_IO : shorten(file, format->head_bytes, bytes, mark);
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
