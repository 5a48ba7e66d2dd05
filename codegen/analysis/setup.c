/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/setup.h"

#include "analysis/point.h"

study *setup_study(arena *a, ir_context *c, const ir_program *p)
{
  study *s = study_create(a, c, p);
  settings_create(s);
  scales_find(s);
  return s;
}

void setup_free(study *s)
{
  points_free(s);
  settings_free(s);
  study_free(s);
}
