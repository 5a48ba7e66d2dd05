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

int sibling_open(arena *a, const char *path, sibling *s)
{
  struct stat about;
  s->path = path;
  s->name = arena_printf(a, "%s.XXXXXX", path);
  s->descriptor = mkostemp(s->name, O_CLOEXEC);
  if (s->descriptor < 0) {
    return 0;
  }
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(s->descriptor,
             stat(path, &about) == 0 ? about.st_mode & 0777 : (mode_t)(0666 & ~mask)) != 0) {
    sibling_discard(s);
    return 0;
  }
  return 1;
}

int sibling_finish(sibling *s)
{
  int good = fsync(s->descriptor) == 0;
  int error = errno;
  good = close(s->descriptor) == 0 && good;
  if (good && rename(s->name, s->path) == 0) {
    return 1;
  }
  error = good ? errno : error;
  unlink(s->name);
  errno = error;
  return 0;
}

void sibling_discard(sibling *s)
{
  int error = errno;
  close(s->descriptor);
  unlink(s->name);
  errno = error;
}

static int write_all(int file, const char *bytes, size_t length)
{
  size_t done = 0;
  while (done < length) {
    ssize_t n = write(file, bytes + done, length - done);
    if (n < 0 && errno != EINTR) {
      return 0;
    }
    done += n > 0 ? (size_t)n : 0;
  }
  return 1;
}

static int write_sibling(sibling *s, const char *bytes, size_t length)
{
  if (!write_all(s->descriptor, bytes, length)) {
    sibling_discard(s);
    return -1;
  }
  return sibling_finish(s) ? 0 : -1;
}

int file_write(arena *a, const char *path, const char *text)
{
  sibling s;
  if (same_content(a, path, text)) {
    return 0;
  }
  return sibling_open(a, path, &s) ? write_sibling(&s, text, strlen(text)) : -1;
}

int file_move(arena *a, const char *from, const char *path)
{
  struct stat about;
  size_t length = 0;
  sibling s;
  if (rename(from, path) == 0) {
    return 0;
  }
  if (errno != EXDEV || stat(from, &about) != 0) {
    return -1;
  }
  const char *bytes = file_read(a, from, (size_t)about.st_size, &length);
  if (!bytes || !sibling_open(a, path, &s)) {
    return -1;
  }
  if (fchmod(s.descriptor, about.st_mode & 0777) != 0) {
    sibling_discard(&s);
    return -1;
  }
  return write_sibling(&s, bytes, length);
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
