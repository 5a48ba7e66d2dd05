/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/helpers.h"

/* Names of helpers are reserved words (emit/reserved.c). NaN arguments give NaN. */
static const struct {
  const char *name;
  int arguments; /* number of double arguments; 0: other types */
  const char *definition;
} helpers[] = {
    {"larger", 0, "static long larger(long x, long y)\n{\n  return x > y ? x : y;\n}\n\n"},
    {"smaller", 0, "static long smaller(long x, long y)\n{\n  return x < y ? x : y;\n}\n\n"},
    {"cut", 0,
     "/* The first of n iterations that belongs to a piece of several, which are about equally "
     "long. */\n"
     "static long cut(long n, long piece, long pieces)\n{\n"
     "  return n / pieces * piece + n % pieces * piece / pieces;\n}\n\n"},
    {"modulo", 0,
     "/* The remainder of x by n, from 0 to n - 1; 0 where n < 1. */\n"
     "static long modulo(long x, long n)\n{\n"
     "  const long r = n > 0 ? x % n : 0;\n  return r < 0 ? r + n : r;\n}\n\n"},
    {"modulo_of", 2,
     "/* The remainder of x by n, from 0 to n - 1; no number where n < 1. */\n"
     "static double modulo_of(double x, double n)\n{\n"
     "  const double r = n >= 1.0 ? fmod(x, n) : NAN;\n"
     "  return r < 0.0 ? r + n : r;\n}\n\n"},
    {"sign_of", 1,
     "static double sign_of(double x)\n{\n"
     "  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;\n}\n\n"},
    {"min_of", 2,
     "static double min_of(double x, double y)\n{\n"
     "  return x < y || isnan(x) ? x : y;\n}\n\n"},
    {"max_of", 2,
     "static double max_of(double x, double y)\n{\n"
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

void emit_helpers_in_lanes(writer *w, const char *text)
{
  const char *before = "#if SW_LANES > 1\n";
  for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++) {
    const char *name = helpers[i].name;
    const int n = helpers[i].arguments;
    if (n && writer_mentions(text, name)) {
      writer_printf(w,
                    n == 1 ? "%sSW_LANE_BY_LANE(%s)\n#define %s(x) %s_in_lanes(SW_SPREAD(x))\n"
                           : "%sSW_LANE_BY_LANE_2(%s)\n"
                             "#define %s(x, y) %s_in_lanes(SW_SPREAD(x), SW_SPREAD(y))\n",
                    before, name, name, name);
      before = "";
    }
  }
  writer_printf(w, "%s", *before ? "" : "#endif\n\n");
}
