/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * placed.c -- moves the values of a matrix from the model's order to that of the pattern.
 *
 * A model with loops gives the values of every instance of a family in one order.  That order
 * differs from the order of the columns by one permutation, which is the same for all instances.
 */
#include "common/vectors.h"
#include "model/system_plan.h"

/* WIDEST: the longest permutation that is searched.  MANY: repetitions from which on a longer
 * permutation is preferred. */
enum { WIDEST = 64, MANY = 16 };

/* Returns 1 if the next `width` values continue the permutation of the values before them. */
static int placed_goes_on(const sw_placed *placed, int next, int width)
{
  int same = next + width <= placed->n;

  for (int t = next; t < next + width && same; t++) {
    same = placed->place[t] == placed->place[t - width] + width;
  }
  return same;
}

/* The number of repetitions of the `width` values from `first` on. */
static int times_of(const sw_placed *placed, int first, int width)
{
  int times = 1;

  while (placed_goes_on(placed, first + times * width, width)) {
    times++;
  }
  return times;
}

/* The width of the permutation that starts at `first`, and its number of repetitions in *times.
 * Prefers the shortest one with MANY repetitions, because some values of a row may stay in place;
 * else takes the shortest one.  Returns 0 if that is too long. */
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

/* Writes repeat and order unless they are NULL.  Returns the number of repeats, or 0 if a
 * permutation is too long.  *orders is the total length of the orders. */
static int placed_find(const sw_placed *placed, sw_repeat repeat[], int order[], int *orders)
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
  const int n = placed->n == entries ? placed_find(placed, NULL, NULL, &orders) : 0;

  if (n == 0 || n > entries / 16) {
    return SW_OK;
  }
  placed->repeat = calloc((size_t)n, sizeof *placed->repeat);
  placed->order = sw_plan_ints((size_t)orders);
  if (!placed->repeat || !placed->order) {
    return SW_ERR_MEMORY;
  }
  placed->repeats = placed_find(placed, placed->repeat, placed->order, &orders);
  return SW_OK;
}

void sw_placed_free(sw_placed *placed)
{
  free(placed->place);
  free(placed->repeat);
  free(placed->order);
  *placed = (sw_placed){0};
}

/* Data for the threads that move the values of one repeat. */
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

static void placed_settle(void *context, size_t first, size_t end)
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
    sw_team_share(team, (size_t)s.repeat->times, placed_settle, &s);
  }
  if (placed->repeats == 0) {
    sw_zero(out, (size_t)entries);
    sw_add_at(placed->n, placed->place, given, out);
  }
}
