/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/place.h -- the file that a path refers to, even if it does not exist yet.
 */
#ifndef SIDEWINDER_COMMON_PLACE_H
#define SIDEWINDER_COMMON_PLACE_H

#include <sys/types.h>

#include "sidewinder/status.h"

typedef struct sw_place {
  char *path; /* the path with links resolved; unchanged if the file is not regular */
  /* 1: the file exists, and device and inode are its own; 0: they are those of its folder */
  int exists;
  mode_t mode; /* 0 if the file does not exist */
  dev_t device;
  ino_t inode;
} sw_place;

/* Finds the file of a path.  The caller calls sw_place_clear in every case.  Errors: SW_ERR_IO with
 * errno, for example if the folder does not exist; SW_ERR_MEMORY. */
sw_status sw_place_find(const char *path, sw_place *place);
void sw_place_clear(sw_place *place);

/* The last component of a path, after the last slash. */
const char *sw_place_name(const char *path);

/* FOLDER/NAME with the folder of `path`. The caller frees it.  NULL if memory is short. */
char *sw_place_beside(const char *path, const char *name);

/* Returns 1 if both are the same regular file, or will be once it is created. */
int sw_place_same(const sw_place *a, const sw_place *b);

#endif
