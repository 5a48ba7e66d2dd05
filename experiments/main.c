/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c -- the program `experiments`: the numbers of the papers, computed anew.
 *
 *   experiments [--wrong] GENERATOR TEMPLATE FOLDER PAGE
 *
 * Copies TEMPLATE to PAGE, with a table in the place of each line @NAME@ (tables.h), and writes the data of the figures
 * into FOLDER.  GENERATOR is the program `sidewinder`.  Exit: 0 where all numbers agree with their references, 1 where one
 * does not; with --wrong, which falsifies every number, 0 where each of them was found to be wrong; 2 wrong usage,
 * 3 where an experiment failed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "page.h"
#include "tables.h"

enum { LINE_BYTES = 4096 };

typedef struct table {
  const char *name;
  void (*write)(page *p);
} table;

#define TABLE_ENTRY(name) {#name, table_##name},
static const table tables[] = {TABLES(TABLE_ENTRY)};
#undef TABLE_ENTRY

enum { N_TABLES = sizeof tables / sizeof tables[0] };

/* The number of the table whose line this is, -1 where it is text. */
static int table_of(const char *line)
{
  const size_t length = strcspn(line, "\n");

  if (length < 3 || line[0] != '@' || line[length - 1] != '@') {
    return -1;
  }
  for (int i = 0; i < N_TABLES; i++) {
    if (strlen(tables[i].name) == length - 2 &&
        strncmp(line + 1, tables[i].name, length - 2) == 0) {
      return i;
    }
  }
  page_die("there is no table %.*s", (int)length, line);
}

static void write_page(page *p, FILE *template)
{
  char line[LINE_BYTES];
  int used[N_TABLES] = {0};

  while (fgets(line, sizeof line, template) != NULL) {
    const int i = table_of(line);
    if (i < 0) {
      page_say(p, "%s", line);
      continue;
    }
    used[i]++;
    tables[i].write(p);
  }
  for (int i = 0; i < N_TABLES; i++) {
    if (used[i] != 1) {
      page_die("the page has the table '%s' %d times", tables[i].name, used[i]);
    }
  }
}

int main(int argc, char **argv)
{
  page p = {0};

  if (argc > 1 && strcmp(argv[1], "--wrong") == 0) {
    p.wrong = 1;
    argv++;
    argc--;
  }
  if (argc != 5) {
    fprintf(stderr, "usage: experiments [--wrong] GENERATOR TEMPLATE FOLDER PAGE\n");
    return 2;
  }
  p.generator = argv[1];
  p.folder = argv[3];
  if (mkdir(p.folder, 0777) != 0 && errno != EEXIST) {
    page_die("cannot make %s", p.folder);
  }
  FILE *template = fopen(argv[2], "r");
  p.text = fopen(argv[4], "w");
  if (template == NULL || p.text == NULL) {
    page_die("cannot open %s", template == NULL ? argv[2] : argv[4]);
  }
  write_page(&p, template);
  fclose(template);
  const int bad = ferror(p.text);
  if (fclose(p.text) != 0 || bad) {
    page_die("cannot write %s", argv[4]);
  }
  fprintf(stderr, "experiments: %d numbers compared, %d disagree\n", p.comparisons, p.failures);
  return p.failures == (p.wrong ? p.comparisons : 0) ? 0 : 1;
}
