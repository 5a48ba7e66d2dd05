/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LINE_BYTES = 1024, COMMAND_BYTES = 4096 };

/* The numbers of a line; 0 if it begins with something else. */
static int read_row(char *line, double at[COMMAND_COLUMNS])
{
  char *rest = NULL;
  int n = 0;

  for (char *word = strtok_r(line, " \n", &rest); word != NULL && n < COMMAND_COLUMNS;
       word = strtok_r(NULL, " \n", &rest)) {
    char *end = word;
    const double value = strtod(word, &end);
    if (n == 0 && *end != '\0') {
      return 0;
    }
    at[n++] = *end == '\0' ? value : NAN;
  }
  return n;
}

void command_run(const page *p, command_table *table, const char *words, ...)
{
  char text[COMMAND_BYTES];
  char command[COMMAND_BYTES + 128];
  char line[LINE_BYTES];
  va_list arguments;

  va_start(arguments, words);
  vsnprintf(text, sizeof text, words, arguments);
  va_end(arguments);
  snprintf(command, sizeof command, "'%s' %s 2>/dev/null", p->generator, text);
  *table = (command_table){.starred = -1};
  FILE *output = popen(command, "r");
  if (output == NULL) {
    page_die("cannot run %s", p->generator);
  }
  while (fgets(line, sizeof line, output) != NULL) {
    const int has_star = line[0] == '*';
    if (table->rows < COMMAND_ROWS && read_row(line + has_star, table->at[table->rows]) > 0) {
      table->starred = has_star ? table->rows : table->starred;
      table->rows++;
    }
  }
  if (pclose(output) != 0) {
    page_die("sidewinder %s: it fails", text);
  }
}
