/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/place.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

const char *sw_place_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

char *sw_place_beside(const char *path, const char *name)
{
  const size_t folder = (size_t)(sw_place_name(path) - path);
  const size_t size = folder + strlen(name) + 1;
  char *made = malloc(size);
  if (made != NULL) {
    snprintf(made, size, "%.*s%s", (int)folder, path, name);
  }
  return made;
}

/* Sets *place to the existing file that `about` describes. */
static sw_status found(sw_place *place, const struct stat *about)
{
  char *real = S_ISREG(about->st_mode) ? realpath(place->path, NULL) : strdup(place->path);
  if (real == NULL) {
    return errno == ENOMEM ? SW_ERR_MEMORY : SW_ERR_IO;
  }
  free(place->path);
  place->path = real;
  place->exists = 1;
  place->mode = about->st_mode;
  place->device = about->st_dev;
  place->inode = about->st_ino;
  return SW_OK;
}

/* Replaces the path of a link by the link's target.  Returns 0 if memory is short. */
static int place_follow(sw_place *place, const char *link)
{
  char *next = link[0] == '/' ? strdup(link) : sw_place_beside(place->path, link);
  if (next == NULL) {
    return 0;
  }
  free(place->path);
  place->path = next;
  return 1;
}

/* Sets *place to a file that does not exist, and to its folder's device and inode. */
static sw_status in_folder(sw_place *place)
{
  struct stat about = {0};
  char *folder = sw_place_beside(place->path, ".");
  if (folder == NULL) {
    return SW_ERR_MEMORY;
  }
  int error = stat(folder, &about) != 0 ? errno : 0;
  free(folder);
  if (sw_place_name(place->path)[0] == '\0') {
    error = ENOENT;
  }
  place->device = about.st_dev;
  place->inode = about.st_ino;
  errno = error;
  return error == 0 ? SW_OK : SW_ERR_IO;
}

sw_status sw_place_find(const char *path, sw_place *place)
{
  struct stat about;
  char link[PATH_MAX];
  *place = (sw_place){.path = strdup(path)};
  if (place->path == NULL) {
    return SW_ERR_MEMORY;
  }
  if (stat(path, &about) == 0) {
    return found(place, &about);
  }
  if (errno != ENOENT) {
    return SW_ERR_IO;
  }
  for (int links = 0; links < MOST_LINKS; links++) {
    ssize_t length = readlink(place->path, link, sizeof link - 1);
    if (length < 0) {
      return in_folder(place);
    }
    link[length] = '\0';
    if (!place_follow(place, link)) {
      return SW_ERR_MEMORY;
    }
  }
  errno = ELOOP;
  return SW_ERR_IO;
}

void sw_place_clear(sw_place *place)
{
  free(place->path);
  place->path = NULL;
}

int sw_place_same(const sw_place *a, const sw_place *b)
{
  if (a->exists != b->exists || a->device != b->device || a->inode != b->inode) {
    return 0;
  }
  return a->exists ? S_ISREG(a->mode) : strcmp(sw_place_name(a->path), sw_place_name(b->path)) == 0;
}
