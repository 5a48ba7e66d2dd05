/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/place.h -- which file a path stands for, also where there is none yet.
 */
#ifndef SIDEWINDER_COMMON_PLACE_H
#define SIDEWINDER_COMMON_PLACE_H

#include <sys/types.h>

#include "sidewinder/status.h"

typedef struct sw_place {
  char *
      path; /* the path behind all links at its end; the way it was given where it is no regular file */
  int exists;  /* 1: there is a file, device and inode are its own; 0: they are its folder's */
  mode_t mode; /* 0 where there is none */
  dev_t device;
  ino_t inode;
} sw_place;

/* Finds the place; sw_place_clear releases what it owns, and is to be called in every case.  Errors:
 * SW_ERR_IO with errno, where there is not even a folder for it; SW_ERR_MEMORY. */
sw_status sw_place_find(const char *path, sw_place *place);
void sw_place_clear(sw_place *place);

/* The last component of a path: what follows the last slash. */
const char *sw_place_name(const char *path);

/* FOLDER/NAME for the folder of `path`, to be freed; NULL without memory. */
char *sw_place_beside(const char *path, const char *name);

/* 1 where both are one regular file, or will be. */
int sw_place_same(const sw_place *a, const sw_place *b);

#endif
