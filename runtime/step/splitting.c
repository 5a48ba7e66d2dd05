/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/splitting.h"

#include <stdlib.h>

sw_division sw_division_of(const sw_model *model)
{
  const sw_structure *structure = &model->structure;
  const int is_whole = structure->degree_H == 1 || structure->degree_H == 2;

  return model->n_parts > 0     ? SW_DIVISION_PARTS
         : is_whole             ? SW_DIVISION_WHOLE
         : structure->separable ? SW_DIVISION_VERLET
                                : SW_DIVISION_NONE;
}

/* The sequence f1 .. fn .. f1. */
static void splitting_arrange(int n, sw_splitting *s)
{
  const int count = 2 * n - 1;

  for (int i = 0; i < count; i++) {
    s->order[i] = i < n ? i : count - 1 - i;
    s->weight[i] = s->order[i] == n - 1 ? 1.0 : 0.5;
  }
  s->flows = (sw_flows){.name = SW_SPLITTING,
                        .order = 2,
                        .n_maps = n,
                        .maps = s->maps,
                        .n = count,
                        .map = s->order,
                        .weight = s->weight};
}

sw_status sw_splitting_make(const sw_system *system, sw_splitting *splitting)
{
  const sw_model *model = system->model;
  const int n = model->n_parts > 0 ? model->n_parts : 1;
  sw_status status = SW_OK;

  splitting_arrange(n, splitting);
  for (int i = 0; i < n && status == SW_OK; i++) {
    const sw_part *part = model->n_parts > 0 ? &model->parts[i] : NULL;
    splitting->maps[i] = (sw_map){sw_part_flow_values, sw_part_flow_directions, NULL, 1};
    status = sw_part_plan_make(system, part, &splitting->part[i]);
  }
  return status;
}

void sw_splitting_free(sw_splitting *splitting)
{
  for (int i = 0; i < splitting->flows.n_maps; i++) {
    sw_part_plan_free(&splitting->part[i]);
  }
  *splitting = (sw_splitting){0};
}

static int has_flows(const sw_model *model)
{
  const sw_division division = sw_division_of(model);

  return division == SW_DIVISION_WHOLE || division == SW_DIVISION_PARTS;
}

int sw_splitting_is_too_large(const sw_system *system)
{
  sw_splitting *splitting = has_flows(system->model) ? calloc(1, sizeof *splitting) : NULL;
  int is = 0;

  if (splitting) {
    is = sw_splitting_make(system, splitting) == SW_ERR_SIZE;
    sw_splitting_free(splitting);
  }
  free(splitting);
  return is;
}

int sw_splitting_has_flows(const sw_system *system)
{
  return has_flows(system->model) && !sw_splitting_is_too_large(system);
}
