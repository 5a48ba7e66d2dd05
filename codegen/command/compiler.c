/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/compiler.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\n\r\v\f"

void add_word(arena *a, words *list, const char *text)
{
  /* One more item for the terminating NULL. */
  list->at = arena_grow(a, list->at, list->n == 0 ? 0 : (size_t)list->n + 1, &list->room,
                        sizeof *list->at);
  list->at[list->n++] = arena_strdup(a, text);
  list->at[list->n] = NULL;
}

void add_words(arena *a, words *list, const char *text)
{
  char *rest = arena_strdup(a, text);
  char *state = NULL;
  for (char *word = strtok_r(rest, BLANKS, &state); word; word = strtok_r(NULL, BLANKS, &state)) {
    add_word(a, list, word);
  }
}

/* $CC, or "cc" by default. */
static const char *compiler_name(void)
{
  const char *cc = getenv("CC");
  return cc && cc[strspn(cc, BLANKS)] ? cc : "cc";
}

/* Flags that invalidate the verification of generated code.  It assumes that each operation is
 * carried out as written and rounded to the nearest double. */
static const struct {
  const char *pattern; /* pattern of a word, for fnmatch */
  const char *why;
} refused[] = {
    {"-Ofast", "it has -ffast-math"},
    {"-ffast-math", "sums are reordered, and nan is taken for a number"},
    {"-funsafe-math-optimizations", "sums are reordered"},
    {"-fassociative-math", "sums are reordered"},
    {"-freciprocal-math", "quotients become products"},
    {"-ffinite-math-only", "nan is taken for a number"},
    {"-fno-honor-nans", "nan is taken for a number"},
    {"-fno-honor-infinities", "infinity is taken for a number"},
    {"-fno-signed-zeros", "the sign of zero is lost"},
    {"-fapprox-func", "functions are approximated"},
    {"-fsingle-precision-constant", "constants lose half of their digits"},
    {"-ffp-contract=fast*", "products and sums are fused"},
    {"-ffp-contract=on", "products and sums are fused"},
    {"-ffp-model=fast", "it has -ffast-math"},
    {"-ffp-model=aggressive", "it has -ffast-math"},
    {"-fp-model=fast*", "sums are reordered"},
    {"-fdenormal-fp-math=*", "small numbers become zero"},
    {"-mdaz-ftz", "small numbers become zero"},
    {"-mrecip*", "quotients are approximated"},
    {"-mfpmath=*387*", "sums are rounded twice"},
    {"-mfpmath=both", "sums are rounded twice"},
    {"-menable-unsafe-fp-math", "sums are reordered"},
    {"-menable-no-nans", "nan is taken for a number"},
    {"-menable-no-infs", "infinity is taken for a number"},
    {"-mreassociate", "sums are reordered"},
    {"-fp-contract=*", "products and sums are fused"},
    {"--fp-contract=*", "products and sums are fused"},
    {"@*", "flags come from a file, where they are not looked at"},
    {"-specs=*", "flags come from a file, where they are not looked at"},
    {"--specs=*", "flags come from a file, where they are not looked at"},
    {"--config*", "flags come from a file, where they are not looked at"},
};

const char *compiler_refusal(arena *a)
{
  words given = {.n = 0};
  add_words(a, &given, compiler_name());
  for (int i = 0; i < given.n; i++) {
    for (size_t j = 0; j < sizeof refused / sizeof *refused; j++) {
      if (fnmatch(refused[j].pattern, given.at[i], 0) == 0) {
        return arena_printf(a,
                            "CC has '%s', under which %s: programs would not compute what was "
                            "verified; leave it out",
                            given.at[i], refused[j].why);
      }
    }
  }
  return NULL;
}

static int has_word(const words *list, const char *begin)
{
  for (int i = 0; i < list->n; i++) {
    if (!strncmp(list->at[i], begin, strlen(begin))) {
      return 1;
    }
  }
  return 0;
}

words compiler_command(arena *a)
{
  words command = {.n = 0};
  add_words(a, &command, compiler_name());
  if (!has_word(&command, "-std=")) {
    add_word(a, &command, "-std=c99");
  }
  if (!has_word(&command, "-O")) {
    add_word(a, &command, "-O2");
  }
  add_word(a, &command, "-ffp-contract=off");
  /* Despite this flag, the straight-line vectoriser of gcc 12 creates fused operations (vfmaddsub)
   * if -march or -mfma allows them. */
  if (has_word(&command, "-m")) {
    add_word(a, &command, "-fno-tree-slp-vectorize");
  }
  return command;
}
