/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/target.h"

char *file_contents(arena *a, FILE *file, size_t limit, size_t *length)
{
  struct stat about;
  char *text = NULL;
  rewind(file);
  if (fstat(fileno(file), &about) == 0) {
    if (!S_ISREG(about.st_mode)) {
      errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
    } else if ((uintmax_t)about.st_size > limit) {
      errno = EFBIG;
    } else {
      errno = EIO; /* if the file has become shorter */
      *length = (size_t)about.st_size;
      text = ARENA_ARRAY(a, *length + 1, char);
      text = fread(text, 1, *length, file) == *length ? text : NULL;
    }
  }
  return text;
}

char *file_read(arena *a, const char *path, size_t limit, size_t *length)
{
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
  if (!file) {
    return NULL;
  }
  char *text = file_contents(a, file, limit, length);
  int error = errno;
  fclose(file);
  errno = error;
  return text;
}

FILE *file_temporary(void)
{
  FILE *file = tmpfile();
  if (!file) {
    fprintf(stderr, "sidewinder: cannot write a temporary file: %s\n", strerror(errno));
  }
  return file;
}

int file_failed(const char *what, const char *which)
{
  fprintf(stderr, "sidewinder: cannot %s '%s': %s\n", what, which, strerror(errno));
  return 0;
}

int file_write(arena *a, const char *path, const char *text)
{
  size_t length = 0;
  const char *old = file_read(a, path, strlen(text), &length);
  if (old && length == strlen(text) && memcmp(old, text, length) == 0) {
    return 0;
  }
  return sw_target_write(path, text, strlen(text), 0) == SW_OK ? 0 : -1;
}

int file_move(arena *a, const char *from, const char *path)
{
  struct stat about;
  size_t length = 0;
  if (rename(from, path) == 0) {
    return 0;
  }
  if (errno != EXDEV || stat(from, &about) != 0) {
    return -1;
  }
  const char *bytes = file_read(a, from, (size_t)about.st_size, &length);
  return bytes && sw_target_write(path, bytes, length, about.st_mode & 0777) == SW_OK ? 0 : -1;
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
