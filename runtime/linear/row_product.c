/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/row_product.h"

#include <stddef.h>
#include <stdlib.h>

#include "common/processor.h"
#include "common/vectors.h"
#include "linear/sparse_product.h"

/* Returns 1 if term t of a product is contiguous with term t - 1 in both factors. */
static int row_product_goes_on(const sw_product *terms, int t)
{
  return terms->left[t] == terms->left[t - 1] + 1 && terms->right[t] == terms->right[t - 1] + 1;
}

/* Appends the pieces of the row of C that starts at entry e to piece[n..].  Returns the new number
 * of pieces. */
static int join(const sw_product *terms, const sw_pattern *C, int e, int n, sw_piece piece[])
{
  const int first = e;

  for (const int i = C->row[e]; e < C->entries && C->row[e] == i; e++) {
    for (int t = terms->start[e]; t < terms->start[e + 1]; t++) {
      if (t == terms->start[e] || !row_product_goes_on(terms, t)) {
        piece[n++] = (sw_piece){e - first, terms->left[t], terms->right[t], 0};
      }
      piece[n - 1].length++;
    }
  }
  return n;
}

/* Returns 1 if a row with these pieces continues the strip.  The second row of a strip defines its
 * steps. */
static int fits(sw_strip *strip, const sw_piece first[], int row, int width, int pieces,
                const sw_piece next[])
{
  const int rows = row - strip->first;
  const int left = next[0].left - first[0].left;
  const int right = next[0].right - first[0].right;

  if (row != strip->first + strip->rows || width != strip->width || pieces != strip->pieces) {
    return 0;
  }
  if (rows > 1 && (left != rows * strip->left_step || right != rows * strip->right_step)) {
    return 0;
  }
  for (int p = 0; p < pieces; p++) {
    if (next[p].entry != first[p].entry || next[p].length != first[p].length ||
        next[p].left - first[p].left != left || next[p].right - first[p].right != right) {
      return 0;
    }
  }
  if (rows == 1) {
    strip->left_step = left;
    strip->right_step = right;
  }
  return 1;
}

/* Makes strips and pieces.  There are at most as many pieces as terms. */
static sw_status row_product_collect(const sw_product *terms, const sw_pattern *C,
                                     sw_row_product *product)
{
  int kept = 0; /* number of pieces kept */

  product->strips = 0;
  for (int e = 0; e < C->entries;) {
    const int row = C->row[e];
    const int end = join(terms, C, e, kept, product->piece);
    int width = 0;
    while (e + width < C->entries && C->row[e + width] == row) {
      width++;
    }
    sw_strip *last = product->strips > 0 ? &product->strip[product->strips - 1] : NULL;
    if (last &&
        fits(last, product->piece + last->from, row, width, end - kept, product->piece + kept)) {
      last->rows++;
    } else {
      product->strip[product->strips++] = (sw_strip){row, 1, e, width, end - kept, kept, 0, 0};
      kept = end;
    }
    e += width;
  }
  /* Shrink the arrays to their used sizes. */
  sw_strip *strip = realloc(product->strip, ((size_t)product->strips + 1) * sizeof *strip);
  if (strip) {
    product->strip = strip;
  }
  sw_piece *piece = realloc(product->piece, ((size_t)kept + 1) * sizeof *piece);
  if (piece) {
    product->piece = piece;
  }
  return strip && piece ? SW_OK : SW_ERR_MEMORY;
}

sw_status sw_row_product_create(const sw_pattern *A, const sw_pattern *B, sw_row_product *product,
                                sw_pattern *C)
{
  sw_product terms = {0};
  sw_status status = sw_product_create_transposed(A, B, &terms, C);

  *product = (sw_row_product){0};
  if (status != SW_OK) {
    return status;
  }
  product->strip = calloc((size_t)C->rows + 1, sizeof *product->strip);
  product->piece = calloc((size_t)terms.start[terms.entries] + 1, sizeof *product->piece);
  status =
      product->strip && product->piece ? row_product_collect(&terms, C, product) : SW_ERR_MEMORY;
  status = status == SW_OK ? sw_runs_create(C, &product->runs) : status;
  if (status != SW_OK) {
    sw_row_product_free(product);
    sw_pattern_free(C);
  }
  sw_product_free(&terms);
  return status;
}

void sw_row_product_free(sw_row_product *product)
{
  free(product->strip);
  free(product->piece);
  sw_runs_free(&product->runs);
  *product = (sw_row_product){0};
}

/* ---- values ---- */

/* Rows processed together, so that their operands stay in the first-level cache. */
enum { CHUNK = 64 };

static inline double inner(int length, const double a[], const double b[])
{
  double sum = a[0] * b[0];

  for (int t = 1; t < length; t++) {
    sum += a[t] * b[t];
  }
  return sum;
}

/* Returns 1 if the rows of a strip have the structure of sw_neighbours. */
static int are_neighbours(const sw_strip *strip, const sw_piece piece[])
{
  int so = strip->width == 3 && strip->pieces == 3 && piece[1].length == 6 &&
           strip->left_step == 6 && strip->right_step == 6 && piece[0].left == piece[1].left &&
           piece[2].left == piece[1].left + 3 && piece[0].right == piece[1].right - 3 &&
           piece[2].right == piece[1].right + 6;

  for (int p = 0; p < 3 && so; p++) {
    so = piece[p].entry == p && (p == 1 || piece[p].length == 3);
  }
  return so;
}

static sw_neighbours neighbours_of(const sw_strip *strip, const sw_piece piece[], const double a[],
                                   const double b[], const double factor[], double c[])
{
  return (sw_neighbours){.first = strip->first,
                         .end = strip->first + strip->rows,
                         .a = a + piece[1].left,
                         .b = b + piece[1].right,
                         .factor = factor + strip->first,
                         .c = c + strip->entry};
}

sw_neighbours sw_row_product_neighbours(const sw_row_product *product, const double a[],
                                        const double b[], const double factor[], double c[])
{
  const sw_strip *longest = NULL;

  for (int s = 0; s < product->strips; s++) {
    const sw_strip *strip = &product->strip[s];
    if ((!longest || strip->rows > longest->rows) &&
        are_neighbours(strip, product->piece + strip->from)) {
      longest = strip;
    }
  }
  return longest ? neighbours_of(longest, product->piece + longest->from, a, b, factor, c)
                 : (sw_neighbours){0};
}

/* Adds one piece of several rows to c, or initialises c if is_first. */
static SW_INLINE_FOR_EACH void add_piece(int length, int is_first, int rows, const sw_strip *strip,
                                         const double a[], const double b[], const double factor[],
                                         double c[])
{
  const int left = strip->left_step;
  const int right = strip->right_step;
  const int width = strip->width;

  for (int r = 0; r < rows; r++, a += left, b += right, c += width) {
    const double sum = factor[r] * inner(length, a, b);
    *c = is_first ? sum : *c + sum;
  }
}

SW_FOR_EACH_PROCESSOR static void add_rows(const sw_strip *strip, const sw_piece piece[], int first,
                                           int rows, const double a[], const double b[],
                                           const double factor[], double c[])
{
  for (int p = 0; p < strip->pieces; p++) {
    const int is_first = p == 0 || piece[p].entry != piece[p - 1].entry;
    const double *x = a + piece[p].left + (ptrdiff_t)first * strip->left_step;
    const double *y = b + piece[p].right + (ptrdiff_t)first * strip->right_step;
    const double *by = factor + strip->first + first;
    double *to = c + strip->entry + (ptrdiff_t)first * strip->width + piece[p].entry;
    if (is_first && piece[p].length == 3) {
      add_piece(3, 1, rows, strip, x, y, by, to);
    } else if (is_first && piece[p].length == 6) {
      add_piece(6, 1, rows, strip, x, y, by, to);
    } else {
      add_piece(piece[p].length, is_first, rows, strip, x, y, by, to);
    }
  }
}

/* The first strip that contains row i or a later one. */
static int strip_of(const sw_row_product *product, int i)
{
  int low = 0;
  int high = i > 0 ? product->strips : 0;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    const sw_strip *strip = &product->strip[middle];
    if (strip->first + strip->rows <= i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void sw_row_product_values(const sw_row_product *product, int first, int end, const double a[],
                           const double b[], const double factor[], double c[])
{
  for (int s = strip_of(product, first); s < product->strips && product->strip[s].first < end;
       s++) {
    const sw_strip *strip = &product->strip[s];
    const int last = sw_smaller_int(end - strip->first, strip->rows);
    for (int at = sw_larger_int(first - strip->first, 0); at < last; at += CHUNK) {
      add_rows(strip, product->piece + strip->from, at, sw_smaller_int(last - at, CHUNK), a, b,
               factor, c);
    }
  }
}

SW_FOR_EACH_PROCESSOR static void times(const sw_run *run, const double c[], const int col[],
                                        const double x[], double y[])
{
  if (sw_run_is_band(run)) {
    sw_times_band(run->end - run->first, c + run->entry, x + run->col, y + run->first);
  } else if (run->width == 3) {
    sw_times_rows(run, 3, c, col, x, y);
  } else {
    sw_times_rows(run, run->width, c, col, x, y);
  }
}

void sw_row_product_times(const sw_row_product *product, int first, int end, const double c[],
                          const int col[], const double x[], double y[])
{
  const sw_runs *runs = &product->runs;

  for (int r = sw_runs_find(runs, first); r < runs->n && runs->run[r].first < end; r++) {
    const sw_run run = sw_run_within(&runs->run[r], first, end);
    times(&run, c, col, x, y);
  }
}
