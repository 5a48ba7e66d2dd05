/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/report.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "report/page.h"

/* Only LC_CTYPE comes from the locale, so that numbers keep their decimal point. */
static int terminal_has_utf8(void)
{
  return setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void report_print(const compilation *c, report_format format, FILE *out)
{
  const char *text = "";
  switch (format) {
  case REPORT_TEXT:
    text = page_write(c, terminal_has_utf8() ? SPELL_UTF8 : SPELL_ASCII, 0);
    break;
  case REPORT_ASCII:
    text = page_write(c, SPELL_ASCII, 0);
    break;
  case REPORT_JSON:
    text = page_json(c);
    break;
  case REPORT_LATEX:
  case REPORT_DOCUMENT:
    text = page_write(c, SPELL_LATEX, format == REPORT_DOCUMENT);
    break;
  }
  fputs(text, out);
}
