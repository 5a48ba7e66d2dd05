/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/stated_digest.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/target.h"

/* The digest of PATH.json; NULL if there is none. */
static json_t *stated(const char *path)
{
  const size_t room = strlen(path) + sizeof ".json";
  char *beside = malloc(room);
  json_t *about = NULL;

  if (beside != NULL) {
    snprintf(beside, room, "%s.json", path);
    about = json_load_file(beside, 0, NULL);
    free(beside);
  }
  json_t *digest = json_incref(json_object_get(about, "crc32"));
  json_decref(about);
  return digest;
}

int sw_has_stated_digest(int file, long from, const char *path)
{
  json_t *wanted = stated(path);
  struct stat of;
  uint32_t digest = 0;
  const int has =
      !json_is_integer(wanted) ||
      (fstat(file, &of) == 0 && sw_digest_bytes(file, from, (long)of.st_size, &digest) == SW_OK &&
       digest == json_integer_value(wanted));

  json_decref(wanted);
  return has;
}
