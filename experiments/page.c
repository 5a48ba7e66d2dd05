/* SPDX-License-Identifier: BSD-3-Clause */
#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

void page_die(const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  fprintf(stderr, "experiments: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  exit(3);
}

void page_say(page *p, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  vfprintf(p->text, format, arguments);
  va_end(arguments);
}

void page_head(page *p, const char *titles)
{
  fprintf(p->text, "| %s |\n| ---", titles);
  for (const char *c = titles + 1; *c != '\0'; c++) {
    if (*c == '|' && c[-1] != '\\') {
      fprintf(p->text, " | ---:");
    }
  }
  fprintf(p->text, " |\n");
}

void page_row(page *p, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(p->row, sizeof p->row, format, arguments);
  va_end(arguments);
  fprintf(p->text, "| %s |", p->row);
}

void page_cell(page *p, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  fprintf(p->text, " ");
  vfprintf(p->text, format, arguments);
  fprintf(p->text, " |");
  va_end(arguments);
}

void page_end_row(page *p)
{
  fprintf(p->text, "\n");
}

/* Trailing zeros are kept, as they are digits that were compared; the point of "100." is not. */
void page_number(page *p, double value, int digits)
{
  char text[64];
  const int length = snprintf(text, sizeof text, "%#.*g", digits, value);

  if (length > 0 && text[length - 1] == '.') {
    text[length - 1] = '\0';
  }
  page_cell(p, "%s", text);
}

static void count(page *p, int good, const char *what, double against, double found)
{
  p->comparisons++;
  if (good == p->wrong) {
    fprintf(stderr, "experiments: %s: %s %.17g, found %.17g%s\n", p->row, what, against, found,
            p->wrong ? ", which is wrong and was not seen" : "");
  }
  p->failures += !good;
}

/* Returns what was found, falsified where that is asked for. */
static double compare(page *p, double reference, double found, int digits)
{
  const double unit = pow(10.0, floor(log10(fabs(reference))) - digits + 1);
  const double value = p->wrong ? found + 2.5 * unit : found;

  count(p, fabs(value - reference) <= unit, "reference", reference, value);
  return value;
}

void page_compare(page *p, double reference, double found, int digits)
{
  page_number(p, reference, digits);
  page_number(p, compare(p, reference, found, digits), digits);
}

void page_agrees(page *p, double reference, double found, int digits)
{
  compare(p, reference, found, digits);
  page_number(p, reference, digits);
}

void page_size(page *p, double value, double least)
{
  if (fabs(value) < least) {
    page_cell(p, "< %.0e", least);
  } else {
    page_cell(p, "%.1e", value);
  }
}

void page_below(page *p, double found, double bound)
{
  const double value = p->wrong ? found + 2.0 * bound : found;

  page_cell(p, "< %.0e", bound);
  count(p, value >= 0.0 && value <= bound, "bound", bound, value);
}

void page_none(page *p)
{
  fprintf(p->text, " |");
}

static void begin_row(page *p, const char *what, const char *paper)
{
  page_row(p, "%s", what);
  page_cell(p, "%s", paper);
}

void page_compare_row(page *p, const char *what, const char *paper, double reference, double found,
                      int digits)
{
  begin_row(p, what, paper);
  page_compare(p, reference, found, digits);
  page_end_row(p);
}

void page_below_row(page *p, const char *what, const char *paper, const char *reference,
                    double found, double bound)
{
  begin_row(p, what, paper);
  page_cell(p, "%s", reference);
  page_below(p, found, bound);
  page_end_row(p);
}

void page_count_row(page *p, const char *what, const char *paper, long reference, long found)
{
  const long value = p->wrong ? found + 1 : found;

  begin_row(p, what, paper);
  page_cell(p, "%ld", reference);
  page_cell(p, "%ld", value);
  count(p, value == reference, "reference", (double)reference, (double)value);
  page_end_row(p);
}

FILE *page_data(const page *p, const char *name, const char *columns)
{
  char path[PATH_BYTES];

  snprintf(path, sizeof path, "%s/%s", p->folder, name);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    page_die("cannot write %s", path);
  }
  fprintf(file, "%s\n", columns);
  return file;
}

void page_close_data(FILE *file)
{
  const int bad = ferror(file);

  if (fclose(file) != 0 || bad) {
    page_die("cannot write the data of a figure");
  }
}
