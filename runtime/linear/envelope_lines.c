/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/envelope_lines.h"

/* ---- which rows ---- */

static int is_made(const sw_neighbours *rows, int row)
{
  return row >= rows->first && row < rows->end;
}

/* The part of a line whose rows these are, too. */
static sw_line line_within(const int order[], sw_line line, const sw_neighbours *rows)
{
  while (line.first < line.end && !is_made(rows, order[line.first])) {
    line.first++;
  }
  while (line.first < line.end && !is_made(rows, order[line.end - 1])) {
    line.end--;
  }
  return line;
}

sw_lines sw_lines_of(const sw_envelope *envelope, const sw_row_maker *maker)
{
  const sw_lines none = {0};
  sw_lines lines = {0};
  int length[2];

  if (!maker || envelope->rows == envelope->n) {
    return none;
  }
  lines.rows = maker->neighbours;
  for (int side = 0; side < 2; side++) {
    lines.of[side] = line_within(envelope->order, envelope->line[side], &lines.rows);
    length[side] = lines.of[side].end - lines.of[side].first;
  }
  const int pays = length[0] > 0 && length[1] > 0 && length[0] + length[1] >= envelope->n / 2;
  return pays && lines.of[0].step == -lines.of[1].step ? lines : none;
}

void sw_lines_others(const sw_envelope *envelope, const sw_lines *lines, int first[3], int end[3])
{
  int low[2];
  int high[2];

  for (int side = 0; side < 2; side++) {
    const int a = envelope->order[lines->of[side].first];
    const int b = envelope->order[lines->of[side].end - 1];
    low[side] = a < b ? a : b;
    high[side] = a < b ? b : a;
  }
  const int lower = low[1] < low[0];
  first[0] = 0;
  end[0] = low[lower];
  first[1] = high[lower] + 1;
  end[1] = low[!lower];
  first[2] = high[!lower] + 1;
  end[2] = envelope->n;
}

/* ---- elimination ---- */

typedef struct made_line {
  sw_elimination s;
  ptrdiff_t row; /* the next one, in the rows that are made */
  double u;      /* what the row before has in the column of the next one */
} made_line;

static made_line begin(const sw_lines *lines, const sw_elimination *s)
{
  return (made_line){
      .s = *s, .row = s->envelope->order[s->row] - lines->rows.first, .u = s->next[1]};
}

/* The next row.  step: that of the line. */
static inline int eliminate_next(const sw_neighbours *rows, made_line *line, int step)
{
  double c[3];

  sw_neighbours_row(rows, line->row, c);
  for (int e = 0; e < 3; e++) {
    rows->c[3 * line->row + e] = c[e];
  }
  const int good = sw_eliminate_one(&line->s, c[1 - step], line->u, c[1]);
  line->u = c[1 + step];
  line->row += step;
  return good;
}

/* What the row behind needs goes into the store. */
static sw_elimination end(const made_line *line, int step, int part)
{
  const sw_envelope *envelope = line->s.envelope;
  const int last = envelope->order[line->s.row - 1];
  sw_elimination s = line->s;

  envelope->store[envelope->place[envelope->entry[last] + 1 + step]] = line->u;
  s.end = envelope->part[part + 1];
  return s;
}

static inline int eliminate_one_line(const sw_lines *lines, int part, sw_elimination *s, int step)
{
  const sw_neighbours rows = lines->rows;
  const int behind = lines->of[part].end;
  made_line line = begin(lines, s);
  int good = 1;

  while (line.s.row < behind) {
    good &= eliminate_next(&rows, &line, step);
  }
  *s = end(&line, step, part);
  return good;
}

int sw_eliminate_line(const sw_lines *lines, int part, sw_elimination *s)
{
  if (s->row >= lines->of[part].end) {
    return 1;
  }
  return lines->of[part].step > 0 ? eliminate_one_line(lines, part, s, 1)
                                  : eliminate_one_line(lines, part, s, -1);
}

static inline int eliminate_two_lines(const sw_lines *lines, sw_elimination *of_a,
                                      sw_elimination *of_b, int step)
{
  const sw_neighbours rows = lines->rows;
  made_line a = begin(lines, of_a);
  made_line b = begin(lines, of_b);
  int good = 1;

  while (a.s.row < lines->of[0].end && b.s.row < lines->of[1].end) {
    good &= eliminate_next(&rows, &a, step) & eliminate_next(&rows, &b, -step);
  }
  *of_a = end(&a, step, 0);
  *of_b = end(&b, -step, 1);
  return good;
}

int sw_eliminate_lines(const sw_lines *lines, sw_elimination *a, sw_elimination *b)
{
  return lines->of[0].step > 0 ? eliminate_two_lines(lines, a, b, 1)
                               : eliminate_two_lines(lines, a, b, -1);
}
