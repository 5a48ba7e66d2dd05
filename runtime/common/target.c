/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/place.h"

enum { TRIES = 100, LONGEST_NAME = 240 };

/* Records the reason of the first failure. */
static void note_failure(sw_target *target)
{
  if (target->cause == 0) {
    target->cause = errno != 0 ? errno : EIO;
  }
}

/* PATH.part-XXXXXX with random letters.  The caller frees it. */
static char *draw_name(const char *path)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567"; /* 32 letters */
  char name[LONGEST_NAME + 16];
  uint32_t random = 0;
  if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
    return NULL;
  }
  int used = snprintf(name, sizeof name, "%.*s.part-", LONGEST_NAME, sw_place_name(path));
  for (int i = 0; i < 6; i++) {
    name[used++] = letters[random >> 5 * i & 31];
  }
  name[used] = '\0';
  return sw_place_beside(path, name);
}

/* Creates a file with a unique name: by open, or by linkat for an open file without a name.
 * Returns its descriptor (0 for linkat), or -1 with errno. */
static int make_name(sw_target *target, int nameless)
{
  char from[64];
  snprintf(from, sizeof from, "/proc/self/fd/%d", nameless);
  for (int i = 0; i < TRIES; i++) {
    char *name = draw_name(target->path);
    if (name == NULL) {
      return -1;
    }
    int file = nameless >= 0 ? linkat(AT_FDCWD, from, AT_FDCWD, name, AT_SYMLINK_FOLLOW)
                             : open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      target->temporary = name;
      return file;
    }
    int error = errno;
    free(name);
    errno = error;
    if (error != EEXIST) {
      break;
    }
  }
  return -1;
}

/* Opens a file without a name in the target's folder.  Returns -1 if this is not supported. */
static int make_nameless(const sw_target *target)
{
  char *folder = sw_place_beside(target->path, ".");
  int file = folder != NULL && access("/proc/self/fd", X_OK) == 0
                 ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666)
                 : -1;
  free(folder);
  return file;
}

/* Takes ownership of an open descriptor, and closes it on failure. */
static sw_status target_take(sw_target *target, int file, const char *mode)
{
  target->file = file < 0 ? NULL : fdopen(file, mode);
  if (target->file != NULL) {
    return SW_OK;
  }
  int error = errno;
  if (file >= 0) {
    close(file);
  }
  errno = error;
  return SW_ERR_IO;
}

static sw_status open_place(const sw_place *place, sw_visibility how, sw_target *target)
{
  if (S_ISDIR(place->mode)) {
    errno = EISDIR;
    return SW_ERR_IO;
  }
  if (place->exists && !S_ISREG(place->mode)) {
    target->in_place = 1;
    return target_take(target, open(place->path, O_WRONLY | O_CLOEXEC | O_NOCTTY), "w");
  }
  if (place->exists && access(place->path, W_OK) != 0) {
    return SW_ERR_IO;
  }
  int file = how == SW_HIDDEN ? make_nameless(target) : -1;
  file = file < 0 ? make_name(target, -1) : file;
  if (file >= 0 && place->exists) {
    fchmod(file, place->mode & 0777); /* on failure the file has the permissions of a new one */
  }
  return target_take(target, file, "w+");
}

sw_status sw_target_open(const char *path, sw_visibility how, sw_target *target)
{
  sw_place place;
  *target = (sw_target){.file = NULL};
  if (strcmp(path, "-") == 0) {
    target->in_place = 1;
    target->file = stdout;
    return SW_OK;
  }
  sw_status status = sw_place_find(path, &place);
  int error = errno;
  if (status == SW_OK) {
    target->path = strdup(place.path);
    status = target->path == NULL ? SW_ERR_MEMORY : open_place(&place, how, target);
    error = errno;
  }
  sw_place_clear(&place);
  errno = error;
  return status;
}

int sw_target_is_special(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Opens an unfinished file and truncates it to its first bytes. */
static sw_status open_again(sw_target *target, long bytes)
{
  struct stat about;
  int file = open(target->temporary, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 || fstat(file, &about) != 0) {
    return target_take(target, file, "r+");
  }
  int fits = S_ISREG(about.st_mode) && bytes >= 0 && about.st_size >= bytes;
  sw_status status = target_take(target, file, "r+");
  if (status == SW_OK && !fits) {
    errno = EINVAL;
    status = SW_ERR_IO;
  }
  if (status == SW_OK) {
    status = sw_target_lock(target);
  }
  if (status == SW_OK &&
      (ftruncate(file, bytes) != 0 || fseek(target->file, bytes, SEEK_SET) != 0)) {
    status = SW_ERR_IO;
  }
  return status;
}

sw_status sw_target_reopen(const char *path, const char *name, long bytes, sw_target *target)
{
  sw_place place;
  *target = (sw_target){.file = NULL};
  sw_status status = sw_place_find(path, &place);
  int error = errno;
  if (status == SW_OK) {
    target->path = strdup(place.path);
    target->temporary = sw_place_beside(place.path, name);
    status = target->path == NULL || target->temporary == NULL ? SW_ERR_MEMORY
                                                               : open_again(target, bytes);
    error = errno;
  }
  sw_place_clear(&place);
  errno = error;
  return status;
}

sw_status sw_target_open_second(const sw_target *first, sw_target *second)
{
  struct stat about;
  const size_t size = strlen(first->temporary) + sizeof ".2";
  *second = (sw_target){.path = strdup(first->path), .temporary = malloc(size)};
  if (second->path == NULL || second->temporary == NULL) {
    sw_target_clear(second);
    return SW_ERR_MEMORY;
  }
  snprintf(second->temporary, size, "%s.2", first->temporary);
  unlink(second->temporary);
  int file = open(second->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0 && fstat(fileno(first->file), &about) == 0) {
    fchmod(file, about.st_mode & 0777);
  }
  return target_take(second, file, "w+");
}

sw_status sw_target_lock(const sw_target *target)
{
  /* Locking succeeds on a file system without locks. */
  return flock(fileno(target->file), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ? SW_OK
                                                                                     : SW_ERR_IO;
}

sw_status sw_target_check(sw_target *target)
{
  if (ferror(target->file)) {
    note_failure(target);
  }
  return target->cause == 0 ? SW_OK : SW_ERR_IO;
}

/* table[k][i] is the remainder of byte i followed by k zero bytes. */
static void make_remainders(uint32_t table[8][256])
{
  for (uint32_t i = 0; i < 256; i++) {
    table[0][i] = i;
    for (int bit = 0; bit < 8; bit++) {
      table[0][i] = table[0][i] >> 1 ^ (table[0][i] & 1 ? UINT32_C(0xedb88320) : 0);
    }
  }
  for (int k = 1; k < 8; k++) {
    for (uint32_t i = 0; i < 256; i++) {
      table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
    }
  }
}

/* Processes eight bytes at a time (Kounavis and Berry, ISCC 2005). */
static uint32_t add_bytes(uint32_t table[8][256], uint32_t sum, const unsigned char bytes[],
                          size_t count)
{
  for (; count >= 8; count -= 8, bytes += 8) {
    sum ^= (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
    sum = table[7][sum & 0xff] ^ table[6][sum >> 8 & 0xff] ^ table[5][sum >> 16 & 0xff] ^
          table[4][sum >> 24] ^ table[3][bytes[4]] ^ table[2][bytes[5]] ^ table[1][bytes[6]] ^
          table[0][bytes[7]];
  }
  for (size_t i = 0; i < count; i++) {
    sum = sum >> 8 ^ table[0][(sum ^ bytes[i]) & 0xff];
  }
  return sum;
}

void sw_digest_memory(const void *bytes, size_t count, uint32_t *digest)
{
  uint32_t table[8][256];
  make_remainders(table);
  *digest = ~add_bytes(table, ~*digest, bytes, count);
}

sw_status sw_digest_bytes(int file, long from, long to, uint32_t *digest)
{
  enum { AT_ONCE = 65536 };
  unsigned char bytes[AT_ONCE];
  uint32_t table[8][256];
  uint32_t sum = ~*digest;
  make_remainders(table);
  while (from < to) {
    const size_t wanted = to - from < AT_ONCE ? (size_t)(to - from) : AT_ONCE;
    const ssize_t got = pread(file, bytes, wanted, from);
    if (got <= 0) {
      errno = got == 0 ? EINVAL : errno;
      return SW_ERR_IO;
    }
    sum = add_bytes(table, sum, bytes, (size_t)got);
    from += got;
  }
  *digest = ~sum;
  return SW_OK;
}

sw_status sw_target_digest(sw_target *target, long from, long to, uint32_t *digest)
{
  const long first = target->digested > from ? target->digested : from;
  const sw_status status = sw_digest_bytes(fileno(target->file), first, to, &target->digest);
  if (status != SW_OK) {
    note_failure(target);
  }
  target->digested = to;
  *digest = target->digest;
  return status;
}

/* Returns 1 if no process has locked the file. */
static int is_free(int folder, const char *name)
{
  struct stat about;
  const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  const int free_now = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                       flock(file, LOCK_EX | LOCK_NB) == 0;
  if (file >= 0) {
    close(file);
  }
  return free_now;
}

char *sw_target_left_over(const char *path)
{
  char *names = NULL;
  size_t size = 0;
  char begin[LONGEST_NAME + 16];
  char *folder = sw_place_beside(path, ".");
  DIR *entries = folder != NULL ? opendir(folder) : NULL;
  FILE *list = entries != NULL ? open_memstream(&names, &size) : NULL;
  int found = 0;
  const int length = snprintf(begin, sizeof begin, "%.*s.part-", LONGEST_NAME, sw_place_name(path));
  for (struct dirent *entry = list != NULL ? readdir(entries) : NULL; entry != NULL;
       entry = readdir(entries)) {
    if (strncmp(entry->d_name, begin, (size_t)length) == 0 && strlen(entry->d_name + length) == 6 &&
        is_free(dirfd(entries), entry->d_name)) {
      fprintf(list, "%s%s", found++ > 0 ? ", " : "", entry->d_name);
    }
  }
  if (list != NULL && (fclose(list) != 0 || found == 0)) {
    free(names);
    names = NULL;
  }
  if (entries != NULL) {
    closedir(entries);
  }
  free(folder);
  return names;
}

/* fsync fails for pipes and terminals, for which there is nothing to do. */
static int reach_disk(FILE *file)
{
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

sw_status sw_target_sync(sw_target *target)
{
  if (sw_target_check(target) == SW_OK) {
    errno = 0;
    if (fflush(target->file) != 0 || !reach_disk(target->file)) {
      note_failure(target);
    }
  }
  return target->cause == 0 ? SW_OK : SW_ERR_IO;
}

/* Makes the new name persistent. */
static void sync_folder(const char *path)
{
  char *folder = sw_place_beside(path, ".");
  int file = folder == NULL ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    /* best effort: the file already has its name, and some file systems cannot sync folders */
    fsync(file);
    close(file);
  }
  free(folder);
}

sw_status sw_target_commit(sw_target *target)
{
  sw_status status = sw_target_sync(target);
  if (status == SW_OK && !target->in_place && target->temporary == NULL &&
      make_name(target, fileno(target->file)) < 0) {
    note_failure(target);
    status = SW_ERR_IO;
  }
  FILE *file = target->file;
  target->file = NULL;
  errno = 0;
  if (file != stdout && fclose(file) != 0) {
    note_failure(target);
    status = SW_ERR_IO;
  }
  if (status != SW_OK || target->in_place) {
    return status;
  }
  if (rename(target->temporary, target->path) != 0) {
    note_failure(target);
    return SW_ERR_IO;
  }
  sync_folder(target->path);
  free(target->temporary);
  target->temporary = NULL;
  return SW_OK;
}

static void close_target(sw_target *target)
{
  if (target->file != NULL && target->file != stdout) {
    fclose(target->file);
  }
  target->file = NULL;
}

void sw_target_discard(sw_target *target)
{
  close_target(target);
  if (target->temporary != NULL) {
    unlink(target->temporary);
    free(target->temporary);
    target->temporary = NULL;
  }
}

void sw_target_clear(sw_target *target)
{
  close_target(target);
  free(target->path);
  free(target->temporary);
  *target = (sw_target){.file = NULL};
}

sw_status sw_target_write(const char *path, const char *bytes, size_t size, mode_t mode)
{
  sw_target target;
  sw_status status = sw_target_open(path, SW_HIDDEN, &target);
  int error = errno;
  if (status == SW_OK && mode != 0 && fchmod(fileno(target.file), mode) != 0) {
    error = errno;
    status = SW_ERR_IO;
  }
  if (status == SW_OK) {
    errno = 0;
    if (fwrite(bytes, 1, size, target.file) < size) {
      note_failure(&target);
    }
    status = sw_target_commit(&target);
    error = target.cause;
  }
  sw_target_discard(&target);
  sw_target_clear(&target);
  errno = error;
  return status;
}
