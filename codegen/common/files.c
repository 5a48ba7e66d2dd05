/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/target.h"

static int read_all(int file, char *text, size_t size)
{
  size_t done = 0;
  while (done < size) {
    ssize_t n = read(file, text + done, size - done);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      errno = n == 0 ? EIO : errno;
      return -1;
    }
    done += (size_t)n;
  }
  return 0;
}

char *file_read(arena *a, const char *path, size_t limit, size_t *length)
{
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return NULL;
  }
  struct stat about;
  char *text = NULL;
  if (fstat(file, &about) == 0) {
    if (!S_ISREG(about.st_mode)) {
      errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
    } else if ((uintmax_t)about.st_size > limit) {
      errno = EFBIG;
    } else {
      *length = (size_t)about.st_size;
      text = ARENA_ARRAY(a, *length + 1, char);
      if (read_all(file, text, *length) != 0) {
        text = NULL;
      }
    }
  }
  int error = errno;
  close(file);
  errno = error;
  return text;
}

static int same_content(arena *a, const char *path, const char *text)
{
  size_t length = 0;
  const char *old = file_read(a, path, strlen(text), &length);
  return old && length == strlen(text) && memcmp(old, text, length) == 0;
}

/* Writes bytes to a target that was opened with `status`, and closes it; 0, or -1 with errno set. */
static int write_target(sw_target *target, sw_status status, const char *bytes, size_t length)
{
  int error = errno;
  if (status == SW_OK) {
    errno = 0;
    fwrite(bytes, 1, length, target->file);
    status = sw_target_commit(target);
    error = target->cause;
  }
  if (status != SW_OK) {
    sw_target_discard(target);
  }
  sw_target_clear(target);
  errno = error;
  return status == SW_OK ? 0 : -1;
}

int file_write(arena *a, const char *path, const char *text)
{
  sw_target target;
  if (same_content(a, path, text)) {
    return 0;
  }
  return write_target(&target, sw_target_open(path, SW_HIDDEN, &target), text, strlen(text));
}

int file_move(arena *a, const char *from, const char *path)
{
  struct stat about;
  size_t length = 0;
  sw_target target;
  if (rename(from, path) == 0) {
    return 0;
  }
  if (errno != EXDEV || stat(from, &about) != 0) {
    return -1;
  }
  const char *bytes = file_read(a, from, (size_t)about.st_size, &length);
  if (!bytes) {
    return -1;
  }
  sw_status status = sw_target_open(path, SW_HIDDEN, &target);
  if (status == SW_OK && fchmod(fileno(target.file), about.st_mode & 0777) != 0) {
    status = SW_ERR_IO;
  }
  return write_target(&target, status, bytes, length);
}

int file_same(const char *one, const char *other)
{
  struct stat a;
  struct stat b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

static int make_folders(arena *a, const char *path, mode_t mode)
{
  char *copy = arena_strdup(a, path);
  for (char *at = copy + 1; *copy; at++) {
    if (*at == '/' || *at == '\0') {
      char kept = *at;
      *at = '\0';
      if (mkdir(copy, mode) != 0 && errno != EEXIST) {
        return -1;
      }
      *at = kept;
      if (kept == '\0') {
        break;
      }
    }
  }
  struct stat about;
  if (stat(path, &about) != 0) {
    return -1;
  }
  if (!S_ISDIR(about.st_mode)) {
    errno = ENOTDIR;
    return -1;
  }
  return 0;
}

int directory_make(arena *a, const char *path)
{
  return make_folders(a, path, 0777);
}

int directory_make_private(arena *a, const char *path)
{
  return make_folders(a, path, 0700);
}

const char *bytes_digest(arena *a, const void *bytes, size_t length)
{
  char *digest = ARENA_ARRAY(a, SHA256_DIGEST_STRING_LENGTH, char);
  SHA256Data(bytes, length, digest);
  return digest;
}

const char *text_digest(arena *a, const char *const texts[], int n)
{
  SHA2_CTX context;
  SHA256Init(&context);
  for (int i = 0; i < n; i++) {
    SHA256Update(&context, (const uint8_t *)texts[i], strlen(texts[i]) + 1);
  }
  char *digest = ARENA_ARRAY(a, SHA256_DIGEST_STRING_LENGTH, char);
  SHA256End(&context, digest);
  return digest;
}
