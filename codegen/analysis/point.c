/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/point.h"

#include <arb_mat.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* ---- a square system near a point ----
 *
 * Elimination with complete pivoting on the Jacobian, in double precision, selects
 * equations and entries of z.  Columns are measured in the scales of z, and rows in their largest
 * entries. */

/* A pivot below this, relative to the largest, counts as zero in double precision. */
static const double smallest_pivot = 1e-13;

static int square_exponent_of(double x)
{
  int e = 0;
  frexp(x, &e);
  return e;
}

/* The Jacobian in doubles, with columns in their scales and row i divided by 2^unit[i], a bound of
 * its entries.  Returns 0 if an entry is not finite. */
static int scaled_jacobian(study *s, const surface *f, double J[], int unit[])
{
  size_t n = (size_t)s->n;
  memset(J, 0, (size_t)f->rows * n * sizeof *J);
  for (int i = 0, e = 0; i < f->rows; i++) {
    slong largest = -ARF_PREC_EXACT;
    for (int k = e; k < f->n && f->slope[k].row == i; k++) {
      arb_srcptr value = ball_value(s->balls, f->slope[k].value);
      if (!arf_is_finite(arb_midref(value))) {
        return 0;
      }
      slong size = arf_is_zero(arb_midref(value))
                       ? -ARF_PREC_EXACT
                       : arf_abs_bound_lt_2exp_si(arb_midref(value)) +
                             square_exponent_of(s->scale[f->slope[k].col]);
      largest = size > largest ? size : largest;
    }
    unit[i] = largest > -ARF_PREC_EXACT ? (int)largest : 0;
    for (; e < f->n && f->slope[e].row == i; e++) {
      arf_t entry;
      arf_init(entry);
      arf_mul_2exp_si(entry, arb_midref(ball_value(s->balls, f->slope[e].value)),
                      square_exponent_of(s->scale[f->slope[e].col]) - unit[i]);
      J[(size_t)i * n + (size_t)f->slope[e].col] = arf_get_d(entry, ARF_RND_NEAR);
      arf_clear(entry);
    }
  }
  return 1;
}

/* Elimination with complete pivoting, which overwrites J.  Returns the number of nonzero
 * pivots.  row, column and pivot hold the permutations and the pivots in order of elimination. */
static int square_eliminate(study *s, int rows, double J[], int row[], int column[], double pivot[])
{
  size_t n = (size_t)s->n;
  int most = rows < s->n ? rows : s->n;
  for (int i = 0; i < rows; i++) {
    row[i] = i;
  }
  for (int j = 0; j < s->n; j++) {
    column[j] = j;
  }
  for (int k = 0; k < most; k++) {
    int at_row = k;
    int at_column = k;
    double largest = 0;
    for (int i = k; i < rows; i++) {
      for (int j = k; j < s->n; j++) {
        double size = fabs(J[(size_t)i * n + (size_t)column[j]]);
        if (size > largest) {
          largest = size;
          at_row = i;
          at_column = j;
        }
      }
    }
    if (largest == 0) {
      return k;
    }
    swap_ints(&row[k], &row[at_row]);
    swap_ints(&column[k], &column[at_column]);
    pivot[k] = largest;
    study_eliminate(J, rows, s->n, k, at_row, column[k]);
  }
  return most;
}

/* The numerical rank: all pivots, or, if the last one is small, those before the largest gap. */
static int rank_of_pivots(int n, const double pivot[])
{
  if (n == 0 || pivot[n - 1] > smallest_pivot * pivot[0]) {
    return n;
  }
  int rank = n;
  double gap = 1;
  for (int k = 1; k < n; k++) {
    if (pivot[k - 1] / pivot[k] > gap) {
      gap = pivot[k - 1] / pivot[k];
      rank = k;
    }
  }
  return rank;
}

/* Inverts the selected part of a scaled Jacobian; returns 0 if it is singular. */
static int invert(study *s, square *q, const double J[])
{
  lapack_int *pivots = ARENA_ARRAY(s->memory, q->rank + 1, lapack_int);
  size_t r = (size_t)q->rank;
  for (size_t i = 0; i < r; i++) {
    for (size_t j = 0; j < r; j++) {
      q->inverse[i * r + j] = J[(size_t)q->rows[i] * (size_t)s->n + (size_t)q->columns[j]];
    }
  }
  s->work += 2.0 * q->rank * q->rank * q->rank;
  if (r == 0) {
    return 1;
  }
  return LAPACKE_dgetrf(LAPACK_ROW_MAJOR, q->rank, q->rank, q->inverse, q->rank, pivots) == 0 &&
         LAPACKE_dgetri(LAPACK_ROW_MAJOR, q->rank, q->inverse, q->rank, pivots) == 0;
}

/* Selects the system with the Jacobian of f in the present pass of the balls (study.h).  For
 * rank < 0, the pivots determine the number of equations; otherwise it is `rank` if there are as
 * many pivots.  Returns 0 if the Jacobian is not finite, the selected part is singular, or this
 * takes too much work. */
static int square_choose(study *s, const surface *f, square *q, int rank)
{
  int rows = f->rows;
  double *J = ARENA_ARRAY(s->memory, (size_t)rows * (size_t)s->n + 1, double);
  double *work = ARENA_ARRAY(s->memory, (size_t)rows * (size_t)s->n + 1, double);
  double *pivot = ARENA_ARRAY(s->memory, rows + 1, double);
  int *row = ARENA_ARRAY(s->memory, rows + 1, int);
  int *column = ARENA_ARRAY(s->memory, s->n, int);
  int *unit = ARENA_ARRAY(s->memory, rows + 1, int);
  if (!study_afford(s, 2.0 * rows * rows * s->n + 10.0 * f->n, 2) ||
      !scaled_jacobian(s, f, J, unit)) {
    return 0;
  }
  memcpy(work, J, (size_t)rows * (size_t)s->n * sizeof *J);
  int n = square_eliminate(s, rows, work, row, column, pivot);
  q->rank = rank >= 0 && rank <= n ? rank : rank_of_pivots(n, pivot);
  q->rows = row;
  q->columns = column;
  q->row_unit = ARENA_ARRAY(s->memory, q->rank + 1, int);
  q->column_unit = ARENA_ARRAY(s->memory, q->rank + 1, int);
  q->inverse = ARENA_ARRAY(s->memory, (size_t)q->rank * (size_t)q->rank + 1, double);
  q->place_row = ARENA_ARRAY(s->memory, rows + 1, int);
  q->place_column = ARENA_ARRAY(s->memory, s->n, int);
  for (int i = 0; i < rows; i++) {
    q->place_row[row[i]] = i;
  }
  for (int j = 0; j < s->n; j++) {
    q->place_column[column[j]] = j;
  }
  for (int i = 0; i < q->rank; i++) {
    q->row_unit[i] = unit[row[i]];
    q->column_unit[i] = square_exponent_of(s->scale[column[i]]);
  }
  return invert(s, q, J);
}

/* ---- points ---- */

/* Largest contraction that proves a zero, and radii of the boxes to try, as powers of two. */
static const double best_contraction = 0.5;
static const int radii[] = {-24, -36, -48, -60, -72};
/* Bits to which a point is refined before the second choice of the Jacobian, and before the
 * proof. */
enum { NEAR_PRECISION = 48, FIRST_PRECISION = 192 };
/* Newton's method at a singular Jacobian: precision in bits, and limits on steps, unknowns, the
 * wanted bits, and attempts.  It is slow, so the attempts are few. */
enum {
  SINGULAR_PRECISION = 1024,
  SINGULAR_STEPS = 600,
  SINGULAR_RANK = 24,
  SINGULAR_BITS = 200,
  SINGULAR_TRIES = 10
};

/* ---- Newton's method with a fixed inverse ---- */

/* Starts an evaluation pass at the point with its present balls. */
static void begin_as_it_is(study *s, const point *x, slong precision)
{
  const ball_inputs inputs = {x->at->exact, x->exact, s->scale};
  ball_begin(s->balls, &inputs, precision);
}

/* step = A f(x), scaled, and a bound of its largest entry.  Returns 0 if f is not finite. */
static int newton_step(study *s, const point *x, slong precision, arb_ptr step, mag_t largest)
{
  int r = x->square.rank;
  int finite = 1;
  arb_ptr f = _arb_vec_init(r + 1);
  arb_t part;
  mag_t size;
  arb_init(part);
  mag_init(size);
  begin_as_it_is(s, x, precision);
  for (int i = 0; i < r; i++) {
    arb_mul_2exp_si(f + i, ball_value(s->balls, x->f->value[x->square.rows[i]]),
                    -x->square.row_unit[i]);
    finite = finite && arb_is_finite(f + i);
  }
  mag_zero(largest);
  for (int i = 0; i < r && finite; i++) {
    arb_zero(step + i);
    for (int j = 0; j < r; j++) {
      arb_set_d(part, x->square.inverse[(size_t)i * (size_t)r + (size_t)j]);
      arb_addmul(step + i, part, f + j, precision);
    }
    arb_get_mag(size, step + i);
    mag_max(largest, largest, size);
  }
  s->work += 30.0 * r * r;
  mag_clear(size);
  arb_clear(part);
  _arb_vec_clear(f, r + 1);
  return finite;
}

/* Subtracts the step from the unknowns, without radii. */
static void move(const point *x, arb_ptr step, slong precision)
{
  for (int i = 0; i < x->square.rank; i++) {
    arb_ptr unknown = x->exact + x->square.columns[i];
    mag_zero(arb_radref(step + i));
    arb_mul_2exp_si(step + i, step + i, x->square.column_unit[i]);
    arb_sub(unknown, unknown, step + i, precision);
    mag_zero(arb_radref(unknown));
  }
}

/* Iterates until |A f| <= 2^-bits, or until it no longer decreases; `reached` is the last |A f|.
 * Returns 0 if f is not finite. */
static int iterate(study *s, const point *x, slong bits, mag_t reached)
{
  slong precision = bits + 64;
  arb_ptr step = _arb_vec_init(x->square.rank + 1);
  mag_t before;
  mag_t wanted;
  mag_init(before);
  mag_init(wanted);
  mag_inf(before);
  mag_one(wanted);
  mag_mul_2exp_si(wanted, wanted, -bits);
  int finite = newton_step(s, x, precision, step, reached);
  for (int i = 0; finite && i < 100; i++) {
    mag_mul_2exp_si(before, before, -1);
    if (mag_cmp(reached, wanted) <= 0 || mag_cmp(reached, before) > 0) {
      break;
    }
    mag_set(before, reached);
    move(x, step, precision);
    finite = newton_step(s, x, precision, step, reached);
  }
  mag_clear(wanted);
  mag_clear(before);
  _arb_vec_clear(step, x->square.rank + 1);
  return finite;
}

/* Sets the radii of the unknowns to size * 2^exponent, in the scales. */
static void blow_up(const point *x, const mag_t size, slong exponent)
{
  for (int i = 0; i < x->square.rank; i++) {
    mag_ptr radius = arb_radref(x->exact + x->square.columns[i]);
    mag_mul_2exp_si(radius, size, exponent + x->square.column_unit[i]);
  }
}

static void shrink(const point *x)
{
  for (int i = 0; i < x->square.rank; i++) {
    mag_zero(arb_radref(x->exact + x->square.columns[i]));
  }
}

/* Entry e of the Jacobian in the present pass, scaled, with its row and column in the square
 * system.  Returns 0 if it is not in the system. */
static int square_entry(study *s, const point *x, int e, int *row, int *column, arb_t entry)
{
  const square *q = &x->square;
  *row = q->place_row[x->f->slope[e].row];
  *column = q->place_column[x->f->slope[e].col];
  if (*row >= q->rank || *column >= q->rank) {
    return 0;
  }
  arb_mul_2exp_si(entry, ball_value(s->balls, x->f->slope[e].value),
                  q->column_unit[*column] - q->row_unit[*row]);
  return 1;
}

/* max_i sum_j |I - A f'|_ij on the box x; infinite if f' is not finite. */
static double contraction_on_box(study *s, const point *x)
{
  int r = x->square.rank;
  arb_mat_t product;
  arb_t entry;
  arb_t factor;
  arb_mat_init(product, r, r);
  arb_init(entry);
  arb_init(factor);
  begin_as_it_is(s, x, 64);
  int finite = 1;
  for (int e = 0; e < x->f->n && finite; e++) {
    int k = 0;
    int j = 0;
    if (!square_entry(s, x, e, &k, &j, entry)) {
      continue;
    }
    finite = arb_is_finite(entry);
    for (int i = 0; i < r && finite; i++) {
      arb_set_d(factor, x->square.inverse[(size_t)i * (size_t)r + (size_t)k]);
      arb_addmul(arb_mat_entry(product, i, j), factor, entry, 64);
    }
    s->work += 30.0 * r;
  }
  double worst = finite ? 0 : (double)INFINITY;
  for (int i = 0; i < r && finite; i++) {
    mag_t sum;
    mag_t size;
    mag_init(sum);
    mag_init(size);
    for (int j = 0; j < r; j++) {
      arb_sub_si(entry, arb_mat_entry(product, i, j), i == j, 64);
      arb_get_mag(size, entry);
      mag_add(sum, sum, size);
    }
    worst = fmax(worst, mag_get_d(sum));
    mag_clear(size);
    mag_clear(sum);
  }
  arb_clear(factor);
  arb_clear(entry);
  arb_mat_clear(product);
  return worst;
}

/* Proves a zero in a box around x, given the bound `off` of |A f(x)|.  Returns 1 on success. */
static int show(study *s, point *x, const mag_t off)
{
  int shown = 0;
  mag_t room;
  mag_init(room);
  for (size_t i = 0; i < sizeof radii / sizeof *radii && !shown; i++) {
    mag_one(room);
    blow_up(x, room, radii[i]);
    x->contraction = contraction_on_box(s, x);
    shrink(x);
    mag_mul_2exp_si(room, room, radii[i] - 1); /* (1 - k) >= 1/2 of the radius */
    shown = x->contraction <= best_contraction && mag_cmp(off, room) <= 0;
  }
  mag_clear(room);
  return shown;
}

/* Sets the radii to 2 |A f| >= |A f| / (1 - k). */
static void point_enclose(const point *x, const mag_t off)
{
  blow_up(x, off, 1);
}

void point_refine(study *s, point *x, slong precision)
{
  if (x->precision >= precision || !x->exists || x->square.rank == 0) {
    return;
  }
  mag_t off;
  mag_init(off);
  shrink(x);
  iterate(s, x, precision, off);
  point_enclose(x, off);
  x->precision = precision;
  mag_clear(off);
}

/* ---- finding one ---- */

/* 1 if the redundant equations hold at the point, too. */
static int others_hold(study *s, point *x)
{
  int hold = 1;
  point_begin(s, x, 256);
  for (int i = x->square.rank; i < x->f->rows && hold; i++) {
    hold = ball_decide(s->balls, x->f->value[x->square.rows[i]]) == BALL_ZERO;
  }
  return hold;
}

static int choose_square(study *s, point *x, int rank)
{
  begin_as_it_is(s, x, 64);
  return square_choose(s, x->f, &x->square, rank);
}

static int find_regular(study *s, point *x, const double z[], int rank)
{
  for (int j = 0; j < s->n; j++) {
    arb_set_d(x->exact + j, z[j]);
  }
  for (int tries = 0; tries < 3; tries++) {
    mag_t off;
    mag_init(off);
    /* The second choice uses the Jacobian at the improved point; then every step gains about 50
     * bits. */
    int good = choose_square(s, x, rank) && iterate(s, x, NEAR_PRECISION, off) &&
               choose_square(s, x, x->square.rank) && iterate(s, x, FIRST_PRECISION, off) &&
               show(s, x, off);
    if (good) {
      x->exists = 1;
      x->precision = FIRST_PRECISION;
      point_enclose(x, off);
    }
    mag_clear(off);
    if (good) {
      return others_hold(s, x);
    }
  }
  return 0;
}

/* One Newton step with the Jacobian at the present point.  Returns the exponent (base 2) of the
 * largest scaled step, or 1 if there is no step. */
static slong singular_step(study *s, const point *x)
{
  const surface *f = x->f;
  int r = x->square.rank;
  arb_t slope;
  arb_mat_t J;
  arb_mat_t step;
  arb_init(slope);
  arb_mat_init(J, r, r);
  arb_mat_init(step, r, 1);
  begin_as_it_is(s, x, SINGULAR_PRECISION);
  for (int i = 0; i < r; i++) {
    arb_mul_2exp_si(arb_mat_entry(step, i, 0), ball_value(s->balls, f->value[x->square.rows[i]]),
                    -x->square.row_unit[i]);
  }
  for (int e = 0; e < f->n; e++) {
    int k = 0;
    int j = 0;
    if (square_entry(s, x, e, &k, &j, slope)) {
      arb_swap(arb_mat_entry(J, k, j), slope);
    }
  }
  s->work += 60.0 * r * r * r;
  slong largest = 1;
  if (arb_mat_is_finite(J) && arb_mat_is_finite(step) &&
      arb_mat_approx_solve(step, J, step, SINGULAR_PRECISION)) {
    largest = -ARF_PREC_EXACT;
    for (int i = 0; i < r; i++) {
      arf_srcptr entry = arb_midref(arb_mat_entry(step, i, 0));
      slong size = arf_is_zero(entry) ? largest : arf_abs_bound_lt_2exp_si(entry);
      largest = size > largest ? size : largest;
    }
    move(x, arb_mat_entry(step, 0, 0), SINGULAR_PRECISION);
  }
  arb_mat_clear(step);
  arb_mat_clear(J);
  arb_clear(slope);
  return largest;
}

/* Iterates towards a point with a singular Jacobian. */
static int find_singular(study *s, point *x, const double z[])
{
  for (int j = 0; j < s->n; j++) {
    arb_set_d(x->exact + j, z[j]);
  }
  if (s->singular_tries++ >= SINGULAR_TRIES || !choose_square(s, x, x->f->rows) ||
      x->square.rank > SINGULAR_RANK || x->square.rank == 0) {
    return 0;
  }
  slong step = 0;
  mag_t one;
  for (int i = 0;
       i < SINGULAR_STEPS && step <= 0 && step > -SINGULAR_BITS - 2 && !study_exhausted(s, 0.5);
       i++) {
    step = singular_step(s, x);
  }
  x->exists = 0;
  x->precision = SINGULAR_PRECISION;
  mag_init(one);
  mag_one(one);
  blow_up(x, one, -SINGULAR_BITS);
  mag_clear(one);
  return step <= -SINGULAR_BITS - 2 && others_hold(s, x);
}

point *point_find(study *s, const surface *f, const setting *at, const double z[])
{
  point *x = ARENA_NEW(s->memory, point);
  x->at = at;
  x->f = f;
  x->exact = study_state(s);
  x->z = ARENA_ARRAY(s->memory, s->n, double);
  if (!find_regular(s, x, z, -1) && !find_singular(s, x, z)) {
    return NULL;
  }
  for (int j = 0; j < s->n; j++) {
    x->z[j] = arb_contains_zero(x->exact + j) ? 0.0 : ball_double(x->exact + j);
  }
  return x;
}

/* ---- questions ---- */

void point_begin(study *s, point *x, slong precision)
{
  point_refine(s, x, precision);
  begin_as_it_is(s, x, precision);
}

int point_tends_to_zero(study *s, const point *x, const ir_expr *e)
{
  arb_ptr middle = _arb_vec_init(s->n);
  for (int j = 0; j < s->n; j++) {
    arb_get_mid_arb(middle + j, x->exact + j);
  }
  const ball_inputs inputs = {x->at->exact, middle, s->scale};
  ball_begin(s->balls, &inputs, SINGULAR_PRECISION);
  arb_srcptr value = ball_value(s->balls, e);
  int tends = ball_is_small(value, ball_size(s->balls, e));
  _arb_vec_clear(middle, s->n);
  return tends;
}

ball_answer point_decide(study *s, point *x, const ir_expr *e)
{
  ball_answer answer = BALL_UNDECIDED;
  for (int i = 0; i < STUDY_LEVELS && answer == BALL_UNDECIDED; i++) {
    point_begin(s, x, study_levels[i]);
    answer = ball_decide(s->balls, e);
  }
  return answer;
}
