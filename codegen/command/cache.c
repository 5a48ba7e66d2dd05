/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/files.h"

#define LARGEST_PROGRAM ((size_t)1 << 30)

enum { SUM = 32 /* hexadecimal digits of a digest in a name */, ONE_DAY = 86400 };

static const char building[] = "build-";

static int not_made(const char *folder)
{
  fprintf(stderr,
          "sidewinder: cannot make the folder '%s', where programs are kept: %s; set "
          "XDG_CACHE_HOME to a folder that can be written to\n",
          folder, strerror(errno));
  return 0;
}

/* ---- whose folder is it? ---- */

static int others_can_write(const struct stat *about)
{
  return (about->st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

/* Anyone who may write to a folder can replace its contents, unless the folder is sticky.  The
 * folders above the cache must therefore not be writable by everybody. */
static int check_above(arena *a, const char *folder)
{
  char *path = realpath(folder, NULL);
  char *above = arena_strdup(a, path ? path : "/");
  free(path);
  for (char *slash = strrchr(above, '/'); slash && slash != above; slash = strrchr(above, '/')) {
    struct stat about;
    *slash = '\0';
    if (stat(above, &about) != 0) {
      return file_failed("look at", above);
    }
    if ((about.st_mode & S_IWOTH) != 0 && (about.st_mode & S_ISVTX) == 0) {
      fprintf(
          stderr,
          "sidewinder: the cache '%s' is not safe: everybody can write to '%s'; set XDG_CACHE_HOME "
          "to a folder of yours\n",
          folder, above);
      return 0;
    }
  }
  return 1;
}

static int check_folder(arena *a, const cache *c)
{
  struct stat about;
  if (fstat(c->descriptor, &about) != 0) {
    return file_failed("look at", c->folder);
  }
  if (about.st_uid != geteuid() || others_can_write(&about)) {
    fprintf(
        stderr,
        "sidewinder: the cache '%s' is not safe: %s; programs are started from it, so it has to be "
        "yours alone (chmod go-w, or set XDG_CACHE_HOME)\n",
        c->folder,
        about.st_uid != geteuid() ? "it belongs to another user" : "others can write to it");
    return 0;
  }
  return check_above(a, c->folder);
}

/* ---- remains of killed processes ---- */

static void remove_tree(int above, const char *name)
{
  int folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *entries = folder < 0 ? NULL : fdopendir(folder);
  if (!entries) {
    return;
  }
  for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
        unlinkat(folder, entry->d_name, 0) != 0) {
      remove_tree(folder, entry->d_name);
    }
  }
  closedir(entries);
  unlinkat(above, name, AT_REMOVEDIR);
}

/* 1 if no process builds in the folder any more.  On a file system without locks, a folder counts
 * as left over after a day. */
static int is_left_over(const cache *c, const char *name)
{
  struct stat about;
  int folder = openat(c->descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) {
    return 0;
  }
  int left = flock(folder, LOCK_EX | LOCK_NB) == 0;
  if (!left && errno != EWOULDBLOCK) {
    left = fstat(folder, &about) == 0 && time(NULL) - about.st_mtime > ONE_DAY;
  }
  close(folder);
  return left;
}

/* Removes build folders of killed processes.  Build folders are created and locked while the cache
 * is locked, so no unlocked new folder is visible here.  If another process holds the lock, that
 * process sweeps. */
static void sweep(const cache *c)
{
  if (flock(c->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return;
  }
  DIR *entries = opendir(c->folder);
  for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
    if (!strncmp(entry->d_name, building, sizeof building - 1) && is_left_over(c, entry->d_name)) {
      remove_tree(c->descriptor, entry->d_name);
    }
  }
  if (entries) {
    closedir(entries);
  }
  flock(c->descriptor, LOCK_UN);
}

/* ---- opening ---- */

static int open_folder(arena *a, const char *folder, cache *c)
{
  c->folder = folder;
  c->descriptor = -1;
  if (directory_make_private(a, folder) != 0) {
    return not_made(folder);
  }
  c->descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (c->descriptor < 0) {
    return file_failed("open the folder", folder);
  }
  if (!check_folder(a, c)) {
    cache_close(c);
    return 0;
  }
  sweep(c);
  return 1;
}

/* $HOME, or NULL if it is not a folder: a missing home must not be created. */
static const char *home_folder(void)
{
  const char *home = getenv("HOME");
  struct stat about;
  return home && *home == '/' && stat(home, &about) == 0 && S_ISDIR(about.st_mode) ? home : NULL;
}

/* The path of the user's cache; NULL if the environment names none. */
static const char *home_cache(arena *a)
{
  const char *cache_home = getenv("XDG_CACHE_HOME");
  const char *home = home_folder();
  if (cache_home && *cache_home == '/') {
    return arena_printf(a, "%s/sidewinder", cache_home);
  }
  return home ? arena_printf(a, "%s/.cache/sidewinder", home) : NULL;
}

/* Opens a cache among the temporary files.  Everyone may write there, so a link planted by another
 * user must be rejected. */
static int open_temporary(arena *a, cache *c)
{
  const char *where = getenv("TMPDIR");
  const char *folder =
      arena_printf(a, "%s/sidewinder-cache-%ld", where && *where ? where : "/tmp", (long)geteuid());
  struct stat about;
  const char *home = getenv("HOME");
  const int is_there = lstat(folder, &about) == 0;
  if (is_there && (!S_ISDIR(about.st_mode) || (about.st_mode & 077) != 0)) {
    fprintf(stderr, "sidewinder: '%s' is not a folder of this user alone; set XDG_CACHE_HOME\n",
            folder);
    return 0;
  }
  if (!is_there && home && *home && !home_folder()) {
    fprintf(stderr, "sidewinder: the home '%s' is no folder; programs are kept in '%s'\n", home,
            folder);
  }
  return open_folder(a, folder, c);
}

int cache_open(arena *a, cache *c)
{
  const char *folder = home_cache(a);
  return folder ? open_folder(a, folder, c) : open_temporary(a, c);
}

int cache_open_any(arena *a, cache *c)
{
  const char *folder = home_cache(a);
  /* A home that is missing or read-only must not prevent a build. */
  int can = folder && directory_make_private(a, folder) == 0 && access(folder, W_OK | X_OK) == 0;
  return can ? open_folder(a, folder, c) : open_temporary(a, c);
}

void cache_close(cache *c)
{
  if (c->descriptor >= 0) {
    close(c->descriptor);
  }
  c->descriptor = -1;
}

/* ---- programs ---- */

/* 1 if the file belongs to this user and its bytes have the digest at the end of its name. */
static int is_intact(arena *a, const cache *c, const char *name)
{
  struct stat about;
  size_t length = 0;
  if (fstatat(c->descriptor, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode) ||
      about.st_uid != geteuid() || others_can_write(&about) || (about.st_mode & S_IXUSR) == 0) {
    return 0;
  }
  const char *path = arena_printf(a, "%s/%s", c->folder, name);
  const char *bytes = file_read(a, path, LARGEST_PROGRAM, &length);
  return bytes && !strncmp(bytes_digest(a, bytes, length), name + strlen(name) - SUM, SUM);
}

const char *cache_find(arena *a, const cache *c, const char *stem)
{
  const char *begin = arena_printf(a, "%s-", stem);
  const size_t length = strlen(begin);
  const char *found = NULL;
  DIR *entries = opendir(c->folder);
  for (struct dirent *entry = entries ? readdir(entries) : NULL; entry && !found;
       entry = readdir(entries)) {
    const char *name = entry->d_name;
    if (strncmp(name, begin, length) != 0 || strlen(name) != length + SUM) {
      continue;
    }
    int intact = is_intact(a, c, name);
    if (!intact) {
      flock(c->descriptor, LOCK_EX);
      intact = is_intact(a, c, name); /* another process may have built it meanwhile */
      if (!intact && unlinkat(c->descriptor, name, 0) != 0) {
        remove_tree(c->descriptor, name);
      }
      flock(c->descriptor, LOCK_UN);
    }
    found = intact ? arena_printf(a, "%s/%s", c->folder, name) : NULL;
  }
  if (entries) {
    closedir(entries);
  }
  return found;
}

const char *cache_keep(arena *a, const cache *c, const char *file, const char *stem)
{
  size_t length = 0;
  const char *bytes = file_read(a, file, LARGEST_PROGRAM, &length);
  if (!bytes || chmod(file, 0700) != 0) {
    file_failed("read", file);
    return NULL;
  }
  const char *path =
      arena_printf(a, "%s/%s-%.*s", c->folder, stem, SUM, bytes_digest(a, bytes, length));
  flock(c->descriptor, LOCK_EX);
  const int is_kept = rename(file, path) == 0 || file_failed("write", path);
  flock(c->descriptor, LOCK_UN);
  return is_kept ? path : NULL;
}

/* ---- folders to build in ---- */

int workshop_open(arena *a, const cache *c, workshop *w)
{
  char *folder = arena_printf(a, "%s/%sXXXXXX", c->folder, building);
  w->folder = folder;
  w->lock = -1;
  flock(c->descriptor, LOCK_EX); /* without locks, is_left_over waits a day instead */
  int made = mkdtemp(folder) != NULL;
  if (made) {
    w->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    made = w->lock >= 0;
  }
  int error = errno;
  if (made) {
    flock(w->lock, LOCK_EX | LOCK_NB);
  }
  flock(c->descriptor, LOCK_UN);
  errno = error;
  return made ? 1 : not_made(folder);
}

void workshop_close(workshop *w)
{
  if (w->lock >= 0) {
    remove_tree(AT_FDCWD, w->folder);
    close(w->lock);
  }
  w->lock = -1;
}
