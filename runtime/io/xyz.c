/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/xyz.h"

#include <stdlib.h>
#include <string.h>

#include "common/point_kind.h"
#include "io/number.h"

enum { SPECIES_BYTES = 16 };

typedef struct point {
  char species[SPECIES_BYTES];
  int first; /* of its entries in q, */
  int axes;  /* 2 or 3 of them */
} point;

struct sw_xyz {
  int n;
  point *points;
};

/* Whether a name is that of an axis: "q.3.O.x" for 'x'; then the part before it, "q.3.O", is as long as *stem. */
static int is_axis(const char *name, char axis, size_t *stem)
{
  const size_t length = strlen(name);
  *stem = length > 2 ? length - 2 : 0;
  return length > 2 && name[length - 2] == '.' && name[length - 1] == axis;
}

/* Whether entry i of q is that axis of the point with this stem. */
static int has_axis(const sw_system *system, int i, const char *stem_of, size_t stem, char axis)
{
  char name[SW_NAME_BYTES];
  size_t own = 0;
  return i < system->nq && is_axis(sw_system_name(system, SW_Q, i, name), axis, &own) &&
         own == stem && strncmp(name, stem_of, stem) == 0;
}

static void find_species(const char *name, char species[SPECIES_BYTES])
{
  size_t n = 0;
  const char *kind = sw_point_kind(name, &n);
  const size_t length = n < SPECIES_BYTES - 1 ? n : SPECIES_BYTES - 1;
  memcpy(species, kind, length);
  species[length] = '\0';
}

static void find_points(const sw_system *system, sw_xyz *xyz)
{
  for (int i = 0; i < system->nq; i++) {
    char name[SW_NAME_BYTES];
    size_t stem = 0;
    point *next = &xyz->points[xyz->n];
    if (!is_axis(sw_system_name(system, SW_Q, i, name), 'x', &stem) ||
        !has_axis(system, i + 1, name, stem, 'y')) {
      continue;
    }
    next->first = i;
    next->axes = has_axis(system, i + 2, name, stem, 'z') ? 3 : 2;
    find_species(name, next->species);
    xyz->n++;
  }
}

sw_status sw_xyz_create(const sw_system *system, sw_xyz **xyz, char message[SW_TEXT_MESSAGE])
{
  sw_xyz *made = calloc(1, sizeof *made);
  message[0] = '\0';
  *xyz = made;
  if (made != NULL) {
    made->points = calloc((size_t)system->nq / 2 + 1, sizeof *made->points);
  }
  if (made == NULL || made->points == NULL) {
    sw_xyz_free(xyz);
    return SW_ERR_MEMORY;
  }
  find_points(system, made);
  if (made->n == 0) {
    snprintf(
        message, SW_TEXT_MESSAGE,
        "the model has no points to write as .xyz: positions such as q[x], q[y], q[z], with the "
        "labels x, y (and z) as the last index; write .csv, .npy or .h5");
    sw_xyz_free(xyz);
    return SW_ERR_ARGUMENT;
  }
  return SW_OK;
}

void sw_xyz_free(sw_xyz **xyz)
{
  if (*xyz != NULL) {
    free((*xyz)->points);
    free(*xyz);
  }
  *xyz = NULL;
}

void sw_xyz_write(FILE *file, const sw_xyz *xyz, const sw_columns *columns, const double row[],
                  const double q[])
{
  const size_t count = sw_columns_count(columns);
  char name[SW_NAME_BYTES];
  fprintf(file, "%d\nProperties=species:S:1:pos:R:3", xyz->n);
  for (size_t i = 0; i < count; i++) {
    if (!sw_columns_is_state(columns, i)) {
      fprintf(file, " %s=", sw_columns_name(columns, i, name));
      sw_number_write(file, row[i]);
    }
  }
  fputc('\n', file);
  for (int i = 0; i < xyz->n; i++) {
    const point *p = &xyz->points[i];
    fputs(p->species, file);
    for (int axis = 0; axis < 3; axis++) {
      fputc(' ', file);
      sw_number_write(file, axis < p->axes ? q[p->first + axis] : 0.0);
    }
    fputc('\n', file);
  }
}
