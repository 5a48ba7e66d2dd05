/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placed.c -- the values of a matrix are brought from the order in which the model gives them to that of the pattern.
 *
 * A model with loops gives the values of every instance of a family in one order, which differs from that of the columns in
 * the same way for all of them.
 */
#include "common/vectors.h"
#include "model/system_plan.h"

/* Longer ones are no longer rows of a family, and fewer than MANY in turn no family worth the name. */
enum { WIDEST = 64, MANY = 16 };

/* Whether the next `width` values go the way of those before them. */
static int goes_on(const sw_placed *placed, int next, int width)
{
  int same = next + width <= placed->n;

  for (int t = next; t < next + width && same; t++) {
    same = placed->place[t] == placed->place[t - width] + width;
  }
  return same;
}

/* How often the `width` values from `first` on are repeated. */
static int times_of(const sw_placed *placed, int first, int width)
{
  int times = 1;

  while (goes_on(placed, first + times * width, width)) {
    times++;
  }
  return times;
}

/* How many values from `first` on change places among themselves: the fewest that are repeated often, such as those of a row of which some
 * stay where they are, else the fewest; 0 where these are too many.  *times: how often. */
static int width_of_cycle(const sw_placed *placed, int first, int *times)
{
  int last = first;
  int fewest = 0;
  int fewest_times = 0;

  for (int t = first; t < placed->n && t < first + WIDEST && placed->place[t] >= first; t++) {
    last = placed->place[t] > last ? placed->place[t] : last;
    if (last == t) {
      const int width = t + 1 - first;
      *times = times_of(placed, first, width);
      if (*times >= MANY) {
        return width;
      }
      fewest_times = fewest == 0 ? *times : fewest_times;
      fewest = fewest == 0 ? width : fewest;
    }
  }
  *times = fewest_times;
  return fewest;
}

/* Fills repeat and order unless they are NULL; returns how many repeats there are, and in *orders what they take, or 0 where
 * there is one without an end. */
static int find(const sw_placed *placed, sw_repeat repeat[], int order[], int *orders)
{
  int n = 0;

  *orders = 0;
  for (int first = 0; first < placed->n; n++) {
    int times = 0;
    const int width = width_of_cycle(placed, first, &times);
    if (width == 0) {
      return 0;
    }
    if (repeat) {
      repeat[n] = (sw_repeat){first, times, width, order + *orders};
      for (int t = 0; t < width; t++) {
        order[*orders + t] = placed->place[first + t] - first;
      }
    }
    *orders += width;
    first += times * width;
  }
  return n;
}

sw_status sw_placed_find(sw_placed *placed, int entries)
{
  int orders = 0;
  const int n = placed->n == entries ? find(placed, NULL, NULL, &orders) : 0;

  if (n == 0 || n > entries / 16) {
    return SW_OK;
  }
  placed->repeat = calloc((size_t)n, sizeof *placed->repeat);
  placed->order = sw_plan_ints((size_t)orders);
  if (!placed->repeat || !placed->order) {
    return SW_ERR_MEMORY;
  }
  placed->repeats = find(placed, placed->repeat, placed->order, &orders);
  return SW_OK;
}

void sw_placed_free(sw_placed *placed)
{
  free(placed->place);
  free(placed->repeat);
  free(placed->order);
  *placed = (sw_placed){0};
}

/* What the threads know that bring the values of one repeat to their places. */
typedef struct settling {
  const sw_repeat *repeat;
  const double *given;
  double *out;
} settling;

static inline void settle_rows(int width, const settling *s, size_t first, size_t end)
{
  const int *order = s->repeat->order;
  const double *given = s->given + s->repeat->first + first * (size_t)width;
  double *out = s->out + s->repeat->first + first * (size_t)width;

  for (size_t i = first; i < end; i++, given += width, out += width) {
    for (int t = 0; t < width; t++) {
      out[order[t]] = given[t];
    }
  }
}

static void settle(void *context, size_t first, size_t end)
{
  const settling *s = context;
  const size_t from = (size_t)s->repeat->first + first;

  if (s->repeat->width == 1) {
    sw_copy(s->out + from, s->given + from, end - first);
  } else if (s->repeat->width == 6) {
    settle_rows(6, s, first, end);
  } else {
    settle_rows(s->repeat->width, s, first, end);
  }
}

void sw_placed_settle(sw_team *team, const sw_placed *placed, const double given[], int entries,
                      double out[])
{
  for (int r = 0; r < placed->repeats; r++) {
    settling s = {&placed->repeat[r], given, out};
    sw_team_share(team, (size_t)s.repeat->times, settle, &s);
  }
  if (placed->repeats == 0) {
    sw_zero(out, (size_t)entries);
    sw_add_at(placed->n, placed->place, given, out);
  }
}
