/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/axis_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/point_kind.h"

/* Returns 1 if a name ends with this axis: "q.3.O.x" for 'x'. *stem is the length of the part
 * before the axis, "q.3.O". */
static int is_axis(const char *name, char axis, size_t *stem)
{
  const size_t length = strlen(name);
  *stem = length > 2 ? length - 2 : 0;
  return length > 2 && name[length - 2] == '.' && name[length - 1] == axis;
}

/* Returns 1 if entry i of q is that axis of the point with this stem. */
static int has_axis(const sw_system *system, int i, const char *stem_of, size_t stem, char axis)
{
  char name[SW_NAME_BYTES];
  size_t own = 0;
  return i < system->nq && is_axis(sw_system_name(system, SW_Q, i, name), axis, &own) &&
         own == stem && strncmp(name, stem_of, stem) == 0;
}

static void find_species(const char *name, char species[SW_SPECIES_BYTES])
{
  size_t n = 0;
  const char *kind = sw_point_kind(name, &n);
  if (kind == name) { /* the name of an array is no element */
    kind = "X";
    n = 1;
  }
  const size_t length = n < SW_SPECIES_BYTES - 1 ? n : SW_SPECIES_BYTES - 1;
  memcpy(species, kind, length);
  species[length] = '\0';
}

/* ---- elements given as data ---- */

/* The array of indices `element`: a value for each element of its set, and the labels that the
 * values select. */
typedef struct elements {
  int set; /* -1 if there is no such array */
  long first;
  long count;
  const long *value;
  const char *const *labels;
} elements;

static sw_status find_elements(const sw_system *system, elements *found)
{
  const sw_model *model = system->model;
  *found = (elements){.set = -1};
  for (int i = 0; i < model->n_indices; i++) {
    const sw_index_array *array = &model->indices[i];
    const char *const *labels = model->sets[array->target].labels;
    if (strcmp(array->name, "element") == 0 && labels != NULL) {
      sw_size *given = sw_sizes_given(model, sw_system_sizes(system));
      if (given == NULL) {
        return SW_ERR_MEMORY;
      }
      const sw_size *values = &given[model->n_sizes + i];
      *found = (elements){array->set, sw_system_first(system, array->set), values->value,
                          values->indices, labels};
      free(given);
    }
  }
  return SW_OK;
}

/* The element of a point, found by the first index of its name; NULL if there is none. */
static const char *axis_points_element_of(const sw_system *system, const elements *of,
                                          const char *name)
{
  const sw_model *model = system->model;
  const size_t length = strcspn(name, ".");
  for (int i = 0; i < model->n_coordinates && of->set >= 0; i++) {
    const sw_array *array = &model->positions[i];
    if (strlen(array->name) == length && strncmp(array->name, name, length) == 0 &&
        array->n_sets > 0 && array->set[0] == of->set) {
      const long number = strtol(name + length + 1, NULL, 10) - of->first;
      return number >= 0 && number < of->count ? of->labels[of->value[number]] : NULL;
    }
  }
  return NULL;
}

/* The index of the first entry of a parameter, -1 if there is none. *size is its number of
 * entries. */
static int axis_points_find_parameter(const sw_system *system, const char *parameter, int *size)
{
  const size_t length = strlen(parameter);
  char name[SW_NAME_BYTES];
  int first = -1;
  *size = 0;
  for (int i = 0; i < system->nk; i++) {
    sw_system_name(system, SW_K, i, name);
    if (strncmp(name, parameter, length) == 0 && (name[length] == '\0' || name[length] == '.')) {
      first = *size == 0 ? i : first;
      (*size)++;
    }
  }
  return first;
}

static void find_points(const sw_system *system, const elements *of, sw_points *points)
{
  int size = 0;
  points->scale = axis_points_find_parameter(system, "angstroms", &size);
  points->scale = size == 1 ? points->scale : -1;
  points->box = axis_points_find_parameter(system, "box", &points->box_size);
  points->box = points->box_size == 1 || points->box_size == 3 ? points->box : -1;
  for (int i = 0; i < system->nq; i++) {
    char name[SW_NAME_BYTES];
    size_t stem = 0;
    sw_point *next = &points->at[points->n];
    if (!is_axis(sw_system_name(system, SW_Q, i, name), 'x', &stem) ||
        !has_axis(system, i + 1, name, stem, 'y')) {
      continue;
    }
    next->first = i;
    next->axes = has_axis(system, i + 2, name, stem, 'z') ? 3 : 2;
    const char *element = axis_points_element_of(system, of, name);
    if (element != NULL) {
      snprintf(next->species, SW_SPECIES_BYTES, "%s", element);
    } else {
      find_species(name, next->species);
    }
    points->n++;
  }
}

sw_status sw_points_create(const sw_system *system, const char *ending, sw_points *points,
                           char message[SW_TEXT_MESSAGE])
{
  message[0] = '\0';
  *points = (sw_points){.at = calloc((size_t)system->nq / 2 + 1, sizeof *points->at)};
  elements of;
  if (points->at == NULL || find_elements(system, &of) != SW_OK) {
    sw_points_clear(points);
    return SW_ERR_MEMORY;
  }
  find_points(system, &of, points);
  if (points->n > 0) {
    return SW_OK;
  }
  snprintf(message, SW_TEXT_MESSAGE,
           "the model has no points to write as %s: positions such as q[x], q[y], q[z], with the "
           "labels x, y (and z) as the last index; write .csv, .npy or .h5",
           ending);
  sw_points_clear(points);
  return SW_ERR_ARGUMENT;
}

void sw_points_clear(sw_points *points)
{
  free(points->at);
  *points = (sw_points){.n = 0};
}

double sw_points_scale(const sw_points *points, const double k[])
{
  return points->scale >= 0 ? k[points->scale] : 1.0;
}

int sw_points_box(const sw_points *points, const double k[], double edges[3])
{
  for (int i = 0; i < 3 && points->box >= 0; i++) {
    edges[i] = k[points->box + (points->box_size == 3 ? i : 0)];
  }
  return points->box >= 0;
}

double sw_point_entry(const sw_point *point, int axis, const double q[])
{
  return axis < point->axes ? q[point->first + axis] : 0.0;
}
