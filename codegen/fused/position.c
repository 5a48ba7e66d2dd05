/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/position.h"

int position_index(const model_index *index, const position_loops *loops, long *factor, long *rest)
{
  index_form form = index_form_of(index);
  int other = 0;
  for (int i = 0; i < loops->n; i++) {
    const long by = index_form_factor(&form, loops->inner[i], &other);
    const index_form without = index_form_without(&form, loops->inner[i]);
    form = index_form_plus(&without, by * loops->at[i]);
  }
  *factor = index_form_factor(&form, loops->binder, &other);
  form = index_form_without(&form, loops->binder);
  *rest = form.constant;
  return !other && index_form_is_constant(&form);
}

int position_of(const ir_reference *site, const position_loops *loops, position *p)
{
  *p = (position){.coordinate = site->coordinate->number, .along = -1, .n = site->n_index};
  for (int i = 0; i < site->n_index && i < POSITION_INDICES; i++) {
    long factor = 0;
    if (!position_index(site->index[i], loops, &factor, &p->at[i]) || (factor && p->along >= 0)) {
      return 0;
    }
    p->along = factor ? i : p->along;
    p->factor += factor;
  }
  return p->along >= 0 && p->n <= POSITION_INDICES;
}

int position_compare(const void *left, const void *right)
{
  const position *a = left;
  const position *b = right;
  for (int i = 0; i < a->n && a->coordinate == b->coordinate; i++) {
    if (a->at[i] != b->at[i]) {
      return a->at[i] < b->at[i] ? -1 : 1;
    }
  }
  return (a->coordinate > b->coordinate) - (a->coordinate < b->coordinate);
}

int positions_can_meet(const position *a, const position *b)
{
  if (a->coordinate != b->coordinate) {
    return 0;
  }
  if (a->along != b->along || a->factor != b->factor) {
    return 1;
  }
  for (int i = 0; i < a->n; i++) {
    if (i != a->along && a->at[i] != b->at[i]) {
      return 0;
    }
  }
  const long apart = a->at[a->along] - b->at[b->along];
  return apart != 0 && apart % a->factor == 0;
}
