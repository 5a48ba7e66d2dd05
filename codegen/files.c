/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
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

int file_write(arena *a, const char *path, const char *text)
{
  if (same_content(a, path, text)) {
    return 0;
  }
  char *sibling = arena_printf(a, "%s.%ld.part", path, (long)getpid());
  FILE *file = fopen(sibling, "w");
  if (!file) {
    return -1;
  }
  size_t length = strlen(text);
  int good = fwrite(text, 1, length, file) == length;
  good = fflush(file) == 0 && good;
  good = fsync(fileno(file)) == 0 && good;
  int error = errno;
  good = fclose(file) == 0 && good;
  if (good && rename(sibling, path) == 0) {
    return 0;
  }
  error = good ? errno : error;
  unlink(sibling);
  errno = error;
  return -1;
}

int directory_make(arena *a, const char *path)
{
  char *copy = arena_strdup(a, path);
  for (char *at = copy + 1; *copy; at++) {
    if (*at == '/' || *at == '\0') {
      char kept = *at;
      *at = '\0';
      if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
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
