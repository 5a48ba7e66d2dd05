/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/plot_draw.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/child.h"
#include "command/compiler.h"
#include "common/files.h"

/* report/web/style.gp, which the build turns into a text. */
extern const char web_gnuplot[];

enum { LONGEST_LABEL = 80 };

/* The destination of a picture: a file of its own, or a figure in a page.  Figures in a page are
 * smaller and have fewer points. */
typedef enum place { IN_FILE, IN_PAGE } place;

/* Writes a text in single quotes, in which gnuplot expands nothing.  Characters outside the safe
 * set become '?'. */
static void put_label(FILE *script, const char *text)
{
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ._-+*/=:,()[]{}|^";
  fputc('\'', script);
  for (int i = 0; text[i] && i < LONGEST_LABEL; i++) {
    fputc(strchr(plain, text[i]) ? text[i] : '?', script);
  }
  fputc('\'', script);
}

/* The range of an axis. */
typedef struct range {
  double low;
  double high;
} range;

static int is_shown(const panel *p, const curve *c, size_t i)
{
  return isfinite(c->x[i]) && isfinite(c->y[i]) && !(p->is_logarithmic && !(c->y[i] > 0.0));
}

static void put_point(FILE *script, const panel *p, const curve *c, size_t i)
{
  if (is_shown(p, c, i)) {
    fprintf(script, "%.10g %.10g\n", c->x[i], c->y[i]);
  } else {
    fputs("NaN NaN\n", script);
  }
}

/* Writes the points of a curve.  Long orbits are thinned out.  For long curves over time, the
 * minimum and maximum of each group of rows are kept, so that no peak is lost. */
static void put_points(FILE *script, const panel *p, const curve *c, size_t rows, size_t points)
{
  const size_t most = p->is_orbit ? points : points / 2;
  const size_t group = rows > points ? (rows + most - 1) / most : 1;
  for (size_t begin = 0; begin < rows; begin += group) {
    const size_t end = begin + group < rows ? begin + group : rows;
    size_t low = begin;
    size_t high = begin;
    for (size_t i = begin; i < end && !p->is_orbit; i++) {
      low = c->y[i] < c->y[low] || isnan(c->y[low]) ? i : low;
      high = c->y[i] > c->y[high] || isnan(c->y[high]) ? i : high;
    }
    put_point(script, p, c, low < high ? low : high);
    if (low != high) {
      put_point(script, p, c, low < high ? high : low);
    }
  }
}

/* The range of all shown x or y values; low > high if there are none. */
static range find_range(const panel *p, size_t rows, int of_y)
{
  range r = {INFINITY, -INFINITY};
  for (int j = 0; j < p->n; j++) {
    const curve *c = &p->curves[j];
    for (size_t i = 0; i < rows; i++) {
      const double value = of_y ? c->y[i] : c->x[i];
      if (is_shown(p, c, i)) {
        r.low = fmin(r.low, value);
        r.high = fmax(r.high, value);
      }
    }
  }
  return r;
}

/* Adds a margin.  gnuplot needs a range of nonzero length. */
static range widened(range r, int is_logarithmic)
{
  if (is_logarithmic) {
    return (range){0.5 * r.low, 2.0 * r.high};
  }
  const double margin = 0.04 * (0.5 * r.high - 0.5 * r.low);
  const double least = fmax(1e-9 * fmax(fabs(r.low), fabs(r.high)), 1e-300);
  return (range){r.low - fmax(margin, least), r.high + fmax(margin, least)};
}

static void put_panel(FILE *script, const panel *p, size_t rows, int number, place where)
{
  const range x = widened(find_range(p, rows, 0), 0);
  const range y = widened(find_range(p, rows, 1), p->is_logarithmic);
  const double ratio = (y.high - y.low) / (x.high - x.low);
  /* leaves enough room for the numbers on the axes */
  const double least = where == IN_FILE ? 0.1 : 0.3;
  fprintf(script, "%s\n%s\n%s\nset xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\nset title ",
          p->is_logarithmic ? "set logscale y" : "unset logscale",
          p->is_logarithmic ? "set format y '%.0e'" : "set format y '%g'",
          p->is_orbit && ratio > least && ratio < 1.0 / least ? "set size ratio -1"
                                                              : "set size noratio",
          x.low, x.high, y.low, y.high);
  put_label(script, where == IN_FILE ? p->title : ""); /* a page has the title below the figure */
  fputs("\nset xlabel ", script);
  put_label(script, p->x_name);
  fputs("\nset ylabel ", script);
  put_label(script, p->y_name);
  static const char *const key[] = {
      "\nset key outside right top\nplot ",
      "\nset key outside top horizontal left samplen 1.5 font ',11'\nplot "};
  fputs(p->n > 1 ? key[where] : "\nunset key\nplot ", script);
  for (int i = 0; i < p->n; i++) {
    fprintf(script, "%s$d%d_%d using 1:2 with %s title ", i > 0 ? ", " : "", number, i,
            p->is_orbit && where == IN_FILE ? "points pt 7 ps 0.2" : "lines lw 1.2");
    put_label(script, p->curves[i].name);
  }
  fputc('\n', script);
}

static void put_terminal(FILE *script, int n, place where)
{
  if (where == IN_FILE) {
    fprintf(script,
            "set terminal svg size 800,%d font 'sans-serif,13' background 'white' noenhanced\n",
            n > 1 ? 340 * n : 440);
  } else {
    fputs("set terminal svg size 460,290 font 'sans-serif,12' noenhanced\n", script);
  }
  fprintf(script, "set border 3\nset tics nomirror out scale 0.6\nset datafile missing NaN\n%s",
          web_gnuplot);
}

static void put_script(FILE *script, int n, const panel panels[], size_t rows, place where)
{
  /* more points per curve would not be visible */
  const size_t most_points = where == IN_FILE ? 20000 : 2000;
  put_terminal(script, n, where);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < panels[i].n; j++) {
      fprintf(script, "$d%d_%d << END\n", i, j);
      put_points(script, &panels[i], &panels[i].curves[j], rows, most_points);
      fputs("END\n", script);
    }
  }
  if (n > 1) {
    fprintf(script, "set multiplot layout %d,1\n", n);
  }
  for (int i = 0; i < n; i++) {
    put_panel(script, &panels[i], rows, i, where);
  }
  fputs(n > 1 ? "unset multiplot\n" : "", script);
}

/* Runs gnuplot on the script, with output to the descriptor `picture`; returns 1 on success. */
static int run_gnuplot(arena *a, FILE *script, int picture)
{
  words command = {.n = 0};
  int code = 0;
  add_words(a, &command, "gnuplot -d -");
  /* The C locale has a decimal point.  Without GNUPLOT_ variables, no settings of the user are
   * read. */
  const child gnuplot = {.words = command.at,
                         .environment = child_environment(a, "LC_ALL=C", "GNUPLOT_"),
                         .input = fileno(script),
                         .output = picture};
  const int error = child_run(&gnuplot, &code);
  if (error) {
    fprintf(stderr, "sidewinder: cannot start gnuplot: %s; install it (Debian: gnuplot-nox)\n",
            strerror(error));
    return 0;
  }
  if (code != 0) {
    fprintf(stderr, "sidewinder: gnuplot failed\n");
    return 0;
  }
  return 1;
}

/* Writes the script to a temporary file and rewinds it; NULL after a message. */
static FILE *write_script(int n, const panel panels[], size_t rows, place where)
{
  FILE *script = file_temporary();
  if (!script) {
    return NULL;
  }
  put_script(script, n, panels, rows, where);
  if (fflush(script) != 0 || ferror(script)) {
    fprintf(stderr, "sidewinder: cannot write a temporary file: %s\n", strerror(errno));
    fclose(script);
    return NULL;
  }
  rewind(script);
  return script;
}

int plot_has_points(const panel *p, size_t rows)
{
  const range x = find_range(p, rows, 0);
  return x.low <= x.high;
}

/* The picture as SVG; NULL after a message.  The end tag is checked because gnuplot exits with 0
 * even if it cannot write the whole picture. */
static const char *draw_text(arena *a, FILE *script)
{
  FILE *picture = file_temporary();
  const char *text = NULL;
  if (!picture) {
    return NULL;
  }
  if (run_gnuplot(a, script, fileno(picture))) {
    size_t length = 0;
    text = file_contents(a, picture, SIZE_MAX, &length);
    if (!text || !strstr(text, "</svg>")) {
      fprintf(stderr, "sidewinder: gnuplot did not write the whole picture to a temporary file\n");
      text = NULL;
    }
  }
  fclose(picture);
  return text;
}

outcome plot_draw(arena *a, int n, const panel panels[], size_t rows, const char *path)
{
  for (int i = 0; i < n; i++) {
    if (!plot_has_points(&panels[i], rows)) {
      fprintf(stderr, "sidewinder: there is nothing to draw: '%.100s' has no finite value\n",
              panels[i].curves[0].name);
      return OUTCOME_WRONG;
    }
  }
  FILE *script = write_script(n, panels, rows, IN_FILE);
  if (!script) {
    return OUTCOME_FAILED;
  }
  const char *picture = draw_text(a, script);
  fclose(script);
  int good = picture && (file_write(a, path, picture) == 0 || file_failed("write", path));
  return good ? OUTCOME_GOOD : OUTCOME_FAILED;
}

const char *plot_colours(arena *a)
{
  const char *list = strchr(web_gnuplot, '"') + 1; /* the first quoted text */
  return arena_strndup(a, list, strcspn(list, "\""));
}

const char *plot_svg(arena *a, const panel *p, size_t rows)
{
  FILE *script = write_script(1, p, rows, IN_PAGE);
  const char *text = script ? draw_text(a, script) : NULL;
  if (script) {
    fclose(script);
  }
  return text ? strstr(text, "<svg") : NULL;
}
