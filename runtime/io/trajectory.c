/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/trajectory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/place.h"
#include "common/target.h"
#include "common/user_text.h"
#include "io/format.h"
#include "sim/sim_internal.h"

struct sw_trajectory {
  sw_trajectory_plan plan;
  const sw_format *format;
  sw_target target;
  sw_columns *columns;
  sw_points points; /* empty unless the format has points */
  double *gradient; /* 2d; NULL unless the format has velocities */
  long rows;
};

/* Writes the message why an unfinished file cannot be continued. */
static sw_status refuse_mark(const sw_trajectory_plan *plan, const sw_trajectory_mark *mark,
                             int cause, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = plan->path, .message = message};
  sw_source_refuse(
      &source, " cannot be continued: its unfinished file %.200s %s%s", mark->unfinished,
      cause == EINVAL        ? "is shorter than it was, or is not a regular file"
      : cause == EBADMSG     ? "has changed"
      : cause == EWOULDBLOCK ? "is being written by another process"
                             : "cannot be opened: ",
      cause == EINVAL || cause == EBADMSG || cause == EWOULDBLOCK ? "" : strerror(cause));
  return SW_ERR_IO;
}

/* Writes the message "PATH cannot be written: REASON", with the name of the file that contains the
 * rows so far. */
static sw_status trajectory_refuse(const sw_trajectory *trajectory, int cause,
                                   char message[SW_TEXT_MESSAGE])
{
  const int output = strcmp(trajectory->plan.path, "-") == 0;
  const sw_source source = {.path = output ? "standard output" : trajectory->plan.path,
                            .message = message};
  const char *unfinished = sw_trajectory_unfinished(trajectory);
  if (unfinished == NULL) {
    sw_source_refuse(&source, " cannot be written: %s", strerror(cause));
  } else {
    sw_source_refuse(&source, " cannot be written: %s; the rows so far are in %.200s%s",
                     strerror(cause), unfinished,
                     trajectory->format->counts_rows ? ""
                                                     : ", in which the last row may be incomplete");
  }
  return SW_ERR_IO;
}

/* Rejects columns and numbers of points that the format does not support. */
static sw_status check_room(const sw_trajectory *made, char message[SW_TEXT_MESSAGE])
{
  const sw_format *format = made->format;
  if (made->plan.of_crossings) {
    snprintf(message, SW_TEXT_MESSAGE,
             "a %s file has no column for the event; write .csv, .npy or .h5", format->endings[0]);
    return SW_ERR_ARGUMENT;
  }
  if (made->plan.columns != NULL && !format->has_columns) {
    snprintf(message, SW_TEXT_MESSAGE,
             "a %s file has positions and velocities of points and no other columns; leave out "
             "--columns, or write .xyz",
             format->endings[0]);
    return SW_ERR_ARGUMENT;
  }
  if (format->most_points > 0 && made->points.n > format->most_points) {
    snprintf(message, SW_TEXT_MESSAGE,
             "the model has more points than a frame of %s can have; write .xyz",
             format->endings[0]);
    return SW_ERR_ARGUMENT;
  }
  return SW_OK;
}

static sw_status prepare_points(sw_trajectory *made, const sw_system *system,
                                char message[SW_TEXT_MESSAGE])
{
  sw_status status = sw_points_create(system, made->format->endings[0], &made->points, message);
  if (status == SW_OK) {
    status = check_room(made, message);
  }
  if (status == SW_OK && made->format->has_velocities) {
    made->gradient = calloc(2 * (size_t)system->nq, sizeof *made->gradient);
    status = made->gradient == NULL ? SW_ERR_MEMORY : SW_OK;
  }
  return status;
}

/* Checks that the file could be written, without opening it, and makes its columns and points. */
static sw_status trajectory_prepare(sw_trajectory *made, const sw_sim *sim,
                                    char message[SW_TEXT_MESSAGE])
{
  const sw_trajectory_plan *plan = &made->plan;
  sw_status status = (plan->of_crossings ? sw_columns_of_crossings : sw_columns_of)(
      sim, plan->origin.step, plan->columns, &made->columns, message);
  if (status != SW_OK || strcmp(plan->path, "-") == 0) {
    return status;
  }
  if (made->format->find != NULL) {
    status = made->format->find(message);
  }
  if (status == SW_OK && made->format->has_points) {
    status = prepare_points(made, sim->system, message);
  }
  if (status == SW_OK && !sw_metadata_may_write(plan->path, message)) {
    status = message[0] == '\0' ? SW_ERR_MEMORY : SW_ERR_ARGUMENT;
  }
  return status;
}

static void release_parts(sw_trajectory *trajectory)
{
  sw_columns_free(&trajectory->columns);
  sw_points_clear(&trajectory->points);
  free(trajectory->gradient);
}

static void release(sw_trajectory **trajectory)
{
  sw_trajectory *released = *trajectory;
  sw_target_clear(&released->target);
  release_parts(released);
  free(released);
  *trajectory = NULL;
}

static sw_format_head head_of(const sw_trajectory *trajectory, const char *metadata)
{
  return (sw_format_head){.rows = (size_t)trajectory->rows,
                          .columns = trajectory->columns,
                          .program = trajectory->plan.origin.program,
                          .metadata = metadata};
}

static void trajectory_put_head(sw_trajectory *trajectory)
{
  const sw_format_head head = head_of(trajectory, NULL);
  if (trajectory->format->put_head != NULL) {
    trajectory->format->put_head(trajectory->target.file, &head);
  }
}

/* Errors: SW_ERR_IO with errno; EBADMSG if the bytes differ from those of the mark. */
static sw_status compare_bytes(sw_trajectory *made, const sw_trajectory_mark *mark)
{
  uint32_t digest = 0;
  sw_status status =
      sw_target_digest(&made->target, made->format->head_bytes, mark->bytes, &digest);
  if (status == SW_OK && digest != mark->digest) {
    errno = EBADMSG;
    status = SW_ERR_IO;
  }
  return status;
}

/* Opens the file and writes its head. */
static sw_status open_file(sw_trajectory *made, const sw_trajectory_mark *mark)
{
  const char *path = made->plan.path;
  if (mark != NULL) {
    made->rows = mark->rows;
    const sw_status found = sw_target_reopen(path, mark->unfinished, mark->bytes, &made->target);
    return found == SW_OK ? compare_bytes(made, mark) : found;
  }
  sw_status status = sw_target_open(path, SW_VISIBLE, &made->target);
  if (status == SW_OK && !made->target.in_place) {
    status = sw_target_lock(&made->target);
  }
  if (status == SW_OK && made->target.in_place) {
    made->format = &sw_format_csv;
  }
  if (status == SW_OK) {
    errno = 0;
    trajectory_put_head(made);
    status = sw_target_check(&made->target);
  }
  return status;
}

sw_status sw_trajectory_open(const sw_trajectory_plan *plan, sw_sim *sim,
                             const sw_trajectory_mark *mark, sw_trajectory **trajectory,
                             char message[SW_TEXT_MESSAGE])
{
  sw_trajectory *made = calloc(1, sizeof *made);
  *trajectory = made;
  message[0] = '\0';
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->plan = *plan;
  made->format = sw_format_of(plan->path);
  sw_status status = trajectory_prepare(made, sim, message);
  if (status == SW_OK) {
    status = sw_columns_follow(made->columns, sim);
  }
  if (status == SW_OK) {
    status = open_file(made, mark);
    if (status == SW_OK) {
      return SW_OK;
    }
  }
  if (status == SW_ERR_IO) {
    const int cause = made->target.cause != 0 ? made->target.cause : errno;
    if (mark != NULL) {
      refuse_mark(plan, mark, cause, message);
    } else {
      sw_target_discard(&made->target);
      trajectory_refuse(made, cause, message);
    }
  }
  release(trajectory);
  return status;
}

/* event: the name of the event of a crossing, or NULL. */
static sw_status write_row(sw_trajectory *trajectory, sw_sim *sim, long step, const char *event)
{
  const sw_format *format = trajectory->format;
  const sw_system *system = sim->system;
  double edges[3];
  sw_format_frame frame = {.step = step,
                           .t = sw_sim_time(sim),
                           .columns = trajectory->columns,
                           .event = event,
                           .points = &trajectory->points};
  if (format->has_columns) {
    frame.row = sw_columns_values(trajectory->columns, sim, step);
  }
  if (format->has_points) {
    frame.q = sw_sim_state(sim);
    frame.scale = sw_points_scale(&trajectory->points, sw_sim_parameters(sim));
    frame.box = sw_points_box(&trajectory->points, sw_sim_parameters(sim), edges) ? edges : NULL;
  }
  if (format->has_velocities) {
    system->hamiltonian_grad(system, sw_sim_state(sim), sw_sim_parameters(sim),
                             trajectory->gradient);
    frame.velocities = trajectory->gradient + system->nq;
  }
  errno = 0;
  format->put_row(trajectory->target.file, &frame);
  trajectory->rows++;
  return sw_target_check(&trajectory->target);
}

sw_status sw_trajectory_write(sw_trajectory *trajectory, sw_sim *sim, long step)
{
  return write_row(trajectory, sim, step, NULL);
}

sw_status sw_trajectory_write_crossing(sw_trajectory *trajectory, sw_sim *sim, long step,
                                       const sw_crossing *crossing)
{
  char name[SW_NAME_BYTES];
  sw_columns_cross(trajectory->columns, crossing);
  return write_row(trajectory, sim, step, sw_sim_name(sim, SW_EVENT, crossing->event, name));
}

/* Rewrites a head that contains the number of rows. */
static sw_status trajectory_count_rows(sw_trajectory *trajectory)
{
  FILE *file = trajectory->target.file;
  if (!trajectory->format->counts_rows) {
    return SW_OK;
  }
  errno = 0;
  if (fseek(file, 0, SEEK_SET) == 0) {
    trajectory_put_head(trajectory);
  }
  fseek(file, 0, SEEK_END);
  return sw_target_check(&trajectory->target);
}

sw_status sw_trajectory_reach(sw_trajectory *trajectory, sw_trajectory_mark *mark)
{
  sw_status status = trajectory_count_rows(trajectory);
  if (status == SW_OK) {
    status = sw_target_sync(&trajectory->target);
  }
  *mark = (sw_trajectory_mark){.bytes = ftell(trajectory->target.file), .rows = trajectory->rows};
  if (trajectory->target.temporary != NULL) {
    mark->unfinished = sw_place_name(trajectory->target.temporary);
  }
  if (status == SW_OK && !trajectory->target.in_place) {
    status = sw_target_digest(&trajectory->target, trajectory->format->head_bytes, mark->bytes,
                              &mark->digest);
  }
  return status;
}

/* Converts the rows to a second file, which then replaces the file of rows. */
static sw_status convert(sw_trajectory *trajectory, const char *metadata)
{
  const sw_format_head head = head_of(trajectory, metadata);
  sw_target made;
  sw_status status = sw_target_open_second(&trajectory->target, &made);
  if (status == SW_OK) {
    status = trajectory->format->convert(made.temporary, trajectory->target.file, &head);
  }
  const int cause = errno;
  if (status == SW_OK) {
    status = sw_target_commit(&made);
  }
  if (status == SW_OK) {
    sw_target_discard(&trajectory->target);
  } else {
    trajectory->target.cause = made.cause != 0 ? made.cause : cause;
    sw_target_discard(&made);
  }
  sw_target_clear(&made);
  return status;
}

/* The text of FILE.json.  The caller frees it.  NULL if memory is short. */
static char *trajectory_make_metadata(const sw_trajectory *of, uint32_t digest, const sw_sim *sim,
                                      long step, sw_ending ending, size_t *size)
{
  const sw_shown shown = {.format = of->format->name,
                          .columns = of->columns,
                          .points = of->format->has_points ? &of->points : NULL,
                          .velocities = of->format->has_velocities,
                          .step_and_t_alone = !of->format->has_columns,
                          .of_crossings = of->plan.of_crossings,
                          .rows = of->rows,
                          .digest = digest};
  return sw_metadata_of_trajectory(sim, &of->plan.origin, &shown, step, ending, size);
}

static sw_status write_metadata(const char *path, const char *text, size_t size,
                                char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  sw_status status = sw_metadata_write(path, text, size);
  if (status == SW_ERR_IO) {
    sw_source_refuse(&source,
                     " is whole, but not what it is about: %.200s.json cannot be written: %s", path,
                     strerror(errno));
  }
  return status;
}

/* Gives a complete file its final name.  An older FILE.json is removed first, so that it never
 * describes another file. */
static sw_status put_in_place(sw_trajectory *trajectory, const char *metadata, size_t size,
                              char message[SW_TEXT_MESSAGE])
{
  sw_target *target = &trajectory->target;
  if (!target->in_place) {
    sw_metadata_remove(trajectory->plan.path);
  }
  sw_status status = trajectory->format->convert != NULL ? convert(trajectory, metadata)
                                                         : sw_target_commit(target);
  if (status == SW_ERR_IO) {
    trajectory_refuse(trajectory, target->cause, message);
  }
  return status != SW_OK || target->in_place
             ? status
             : write_metadata(trajectory->plan.path, metadata, size, message);
}

sw_status sw_trajectory_finish(sw_trajectory **trajectory, const sw_sim *sim, long step,
                               sw_ending ending, char message[SW_TEXT_MESSAGE])
{
  sw_trajectory *finished = *trajectory;
  sw_trajectory_mark mark;
  size_t size = 0;
  message[0] = '\0';
  char *metadata = NULL;
  sw_status status = sw_trajectory_reach(finished, &mark);
  if (status == SW_ERR_IO) {
    trajectory_refuse(finished, finished->target.cause, message);
  } else {
    metadata = trajectory_make_metadata(finished, mark.digest, sim, step, ending, &size);
    status = metadata == NULL ? SW_ERR_MEMORY : put_in_place(finished, metadata, size, message);
  }
  free(metadata);
  release(trajectory);
  return status;
}

/* Returns 1 if a finished file has the bytes of the mark. */
static int has_bytes(const char *path, const sw_trajectory_mark *mark)
{
  uint32_t digest = 0;
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const int same =
      file >= 0 &&
      sw_digest_bytes(file, sw_format_of(path)->head_bytes, mark->bytes, &digest) == SW_OK &&
      digest == mark->digest;
  if (file >= 0) {
    close(file);
  }
  return same;
}

int sw_trajectory_is_whole(const sw_trajectory_plan *plan, const sw_trajectory_mark *mark)
{
  struct stat about;
  sw_place place;
  char *unfinished = sw_place_find(plan->path, &place) == SW_OK
                         ? sw_place_beside(place.path, mark->unfinished)
                         : NULL;
  int moved = unfinished != NULL && access(unfinished, F_OK) != 0 && errno == ENOENT;
  free(unfinished);
  sw_place_clear(&place);
  return moved && stat(plan->path, &about) == 0 && S_ISREG(about.st_mode) &&
         (sw_format_of(plan->path)->convert != NULL ||
          (about.st_size == mark->bytes && has_bytes(plan->path, mark)));
}

sw_status sw_trajectory_describe(const sw_trajectory_plan *plan, const sw_sim *sim, long rows,
                                 uint32_t digest, long step, char message[SW_TEXT_MESSAGE])
{
  sw_trajectory of = {.plan = *plan, .format = sw_format_of(plan->path), .rows = rows};
  size_t size = 0;
  char *metadata = NULL;
  sw_status status = trajectory_prepare(&of, sim, message);
  if (status == SW_OK) {
    metadata = trajectory_make_metadata(&of, digest, sim, step, SW_COMPLETE, &size);
    status = metadata == NULL ? SW_ERR_MEMORY : write_metadata(plan->path, metadata, size, message);
  }
  free(metadata);
  release_parts(&of);
  return status;
}

void sw_trajectory_leave(sw_trajectory **trajectory)
{
  if (*trajectory != NULL) {
    release(trajectory);
  }
}

const char *sw_trajectory_unfinished(const sw_trajectory *trajectory)
{
  return trajectory->target.temporary;
}

/* ---- going on beyond a mark, even if an earlier process has finished the file ---- */

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
