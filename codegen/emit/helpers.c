/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/helpers.h"

/* Their names are reserved words: emit/reserved.c.  What is not a number stays so. */
static const struct {
  const char *name;
  const char *definition;
} helpers[] = {
    {"larger", "static long larger(long x, long y)\n{\n  return x > y ? x : y;\n}\n\n"},
    {"smaller", "static long smaller(long x, long y)\n{\n  return x < y ? x : y;\n}\n\n"},
    {"modulo", "/* The remainder of x by n, from 0 to n - 1; 0 where n < 1. */\n"
               "static long modulo(long x, long n)\n{\n"
               "  const long r = n > 0 ? x % n : 0;\n  return r < 0 ? r + n : r;\n}\n\n"},
    {"modulo_of", "/* The remainder of x by n, from 0 to n - 1; no number where n < 1. */\n"
                  "static double modulo_of(double x, double n)\n{\n"
                  "  const double r = n >= 1.0 ? fmod(x, n) : NAN;\n"
                  "  return r < 0.0 ? r + n : r;\n}\n\n"},
    {"sign_of", "static double sign_of(double x)\n{\n"
                "  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n}\n\n"},
    {"min_of", "static double min_of(double x, double y)\n{\n"
               "  return x < y || isnan(x) ? x : y;\n}\n\n"},
    {"max_of", "static double max_of(double x, double y)\n{\n"
               "  return x > y || isnan(x) ? x : y;\n}\n\n"},
};

void emit_helpers(writer *w, const char *text)
{
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    if (writer_mentions(text, helpers[i].name)) {
      writer_printf(w, "%s", helpers[i].definition);
    }
  }
}
