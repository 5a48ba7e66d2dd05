/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/xyz.h"

#include "io/number.h"

void sw_xyz_write(FILE *file, const sw_points *points, const sw_columns *columns,
                  const double row[], const double q[], double scale)
{
  const size_t count = sw_columns_count(columns);
  char name[SW_NAME_BYTES];
  fprintf(file, "%d\nProperties=species:S:1:pos:R:3", points->n);
  for (size_t i = 0; i < count; i++) {
    if (!sw_columns_is_state(columns, i)) {
      fprintf(file, " %s=", sw_columns_name(columns, i, name));
      sw_number_write(file, row[i]);
    }
  }
  fputc('\n', file);
  for (int i = 0; i < points->n; i++) {
    const sw_point *p = &points->at[i];
    fputs(p->species, file);
    for (int axis = 0; axis < 3; axis++) {
      fputc(' ', file);
      sw_number_write(file, scale * sw_point_entry(p, axis, q));
    }
    fputc('\n', file);
  }
}
