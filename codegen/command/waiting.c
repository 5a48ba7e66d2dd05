/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/waiting.h"

#include <stdio.h>
#include <unistd.h>

void waiting_for(const char *what, const char *name)
{
  if (!isatty(STDERR_FILENO)) {
    return;
  }
  fprintf(stderr, "%s ", what);
  for (; *name; name++) {
    fputc((unsigned char)*name < ' ' ? '?' : *name, stderr);
  }
  fputs(" ...\r", stderr);
}

void waiting_over(void)
{
  if (isatty(STDERR_FILENO)) {
    fputs("\033[K", stderr);
  }
}
