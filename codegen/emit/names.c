/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/names.h"

#include <stdint.h>
#include <string.h>

#include "emit/function.h"

/* Words that a name of the language, or the name of an array and its indices joined by '_', may spell.
 * A macro would break the declaration; anything else would be hidden by it. */
static const char *const reserved[] = {
    /* types and keywords with an underscore: C11, C23, <stddef.h>, <math.h> */
    "char16_t", "char32_t", "char8_t", "double_t", "float_t", "max_align_t", "nullptr_t",
    "ptrdiff_t", "size_t", "static_assert", "thread_local", "typeof_unqual", "wchar_t",
    /* macros of <math.h> and <stddef.h>, and the variable signgam */
    "INFINITY", "MAXFLOAT", "M_E", "M_El", "NAN", "NULL", "SNAN", "SNANL", "fpclassify",
    "iscanonical", "iseqsig", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless",
    "islessequal", "islessgreater", "isnan", "isnormal", "issignaling", "issubnormal",
    "isunordered", "iszero", "math_errhandling", "offsetof", "signbit", "signgam", "unreachable",
    /* macros of compilers in their GNU modes, on one machine or another */
    "arm", "hpux", "i386", "linux", "m68k", "mips", "sparc", "sun", "unix", "vax",
    /* tables of the generated file, and arguments of its functions */
    "analysis", "c_names", "init", "invariant_names", "k", "k_closed", "k_default", "k_lower",
    "k_names", "k_upper", "lambda", "observe_names", "out", "p_names", "q_names", "z"};

/* Families of macros, and what belongs to the runtime. */
static const char *const reserved_beginnings[] = {
    "FP_",  "HUGE_", "MATH_", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_Ef",
    "M_LN", "M_LOG", "M_PI",  "M_SQRT", "SNANF",  "SW_",        "sw_"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- a set of words: open addressing, never more than half full ---- */

struct emit_words {
  const char **slots;
  size_t mask;
  size_t n;
};

static emit_words *words_create(arena *a, size_t most)
{
  size_t size = 16;
  while (size < 2 * most) {
    size *= 2;
  }
  emit_words *words = ARENA_NEW(a, emit_words);
  *words = (emit_words){ARENA_ARRAY(a, size, const char *), size - 1, 0};
  return words;
}

/* Where the word is, or the free slot where it would be.  The hash is FNV-1a. */
static const char **words_slot(const emit_words *set, const char *word)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  for (const char *at = word; *at; at++) {
    hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
  }
  size_t i = (size_t)(hash ^ hash >> 32) & set->mask;
  while (set->slots[i] && strcmp(set->slots[i], word) != 0) {
    i = (i + 1) & set->mask;
  }
  return &set->slots[i];
}

static void words_add(emit_words *set, const char *word)
{
  const char **slot = words_slot(set, word);
  set->n += *slot == NULL;
  *slot = word;
}

/* ---- names ---- */

/* The functions of the contract and the tables of their patterns. */
static void add_functions(arena *a, emit_words *taken)
{
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    const char *name = emit_function_name((ir_function_id)id);
    words_add(taken, name);
    words_add(taken, arena_printf(a, "%s_row", name));
    words_add(taken, arena_printf(a, "%s_col", name));
  }
}

/* init_0, init_1, ...: the functions of the initial states. */
static int is_state_function(const char *name)
{
  return strncmp(name, "init_", 5) == 0 && name[5] &&
         name[5 + strspn(name + 5, "0123456789")] == '\0';
}

static int has_reserved_beginning(const char *name)
{
  for (size_t i = 0; i < COUNT(reserved_beginnings); i++) {
    if (strncmp(name, reserved_beginnings[i], strlen(reserved_beginnings[i])) == 0) {
      return 1;
    }
  }
  return is_state_function(name);
}

/* Letters, digits and '_' of the text: dots, commas and opening brackets become '_', signs letters. */
static char *identifier(arena *a, const char *text)
{
  char *name = arena_strdup(a, text);
  char *to = name;
  for (const char *at = text; *at; at++) {
    if (strchr(".,[", *at)) {
      *to++ = '_';
    } else if (*at == '-' || *at == '*') {
      *to++ = *at == '-' ? 'm' : 'x';
    } else if (!strchr("+]() ", *at)) {
      *to++ = *at;
    }
  }
  *to = '\0';
  return name;
}

const char *emit_words_take(arena *a, emit_words *words, const char *text)
{
  char *name = identifier(a, text);
  if (has_reserved_beginning(name)) {
    name = arena_printf(a, "%s_", name);
  }
  while (*words_slot(words, name)) {
    name = arena_printf(a, "%s_", name);
  }
  words_add(words, name);
  return name;
}

void emit_words_reserve(emit_words *words, const char *word)
{
  words_add(words, word);
}

emit_words *emit_words_create(arena *a, size_t more)
{
  emit_words *words = words_create(a, more + COUNT(reserved) + (size_t)3 * IR_FUNCTIONS);
  for (size_t i = 0; i < COUNT(reserved); i++) {
    words_add(words, reserved[i]);
  }
  add_functions(a, words);
  return words;
}

emit_words *emit_words_copy(arena *a, const emit_words *from, size_t more)
{
  emit_words *words = words_create(a, from->n + more);
  for (size_t i = 0; i <= from->mask; i++) {
    if (from->slots[i]) {
      words_add(words, from->slots[i]);
    }
  }
  return words;
}

emit_names emit_names_create(arena *a, const ir_program *p)
{
  int n = 2 * p->nq + p->nk;
  const char **all = ARENA_ARRAY(a, n + 1, const char *);
  const char **lambda = ARENA_ARRAY(a, p->nc + 1, const char *);
  emit_words *taken = emit_words_create(a, (size_t)n);
  for (int i = 0; i < n; i++) {
    const char *dotted = i < p->nq       ? p->q_names[i]
                         : i < 2 * p->nq ? p->p_names[i - p->nq]
                                         : p->k_names[i - 2 * p->nq];
    all[i] = emit_words_take(a, taken, dotted);
  }
  for (int i = 0; i < p->nc; i++) {
    lambda[i] = arena_printf(a, "lambda[%d]", i);
  }
  return (emit_names){{[IR_K] = all + 2 * p->nq, [IR_LAMBDA] = lambda, [IR_Z] = all}};
}
