/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/c_names.h"

#include <string.h>

#include "emit/contract.h"
#include "emit/reserved.h"
#include "model/text_set.h"

struct emit_words {
  text_set *own;
  const emit_words *outer;  /* more words in use, or NULL */
  const text_set *reserved; /* words that no name may be; no set here contains them */
};

static int is_in_use(const emit_words *words, const char *word)
{
  return text_set_contains(words->own, word) || (words->outer && is_in_use(words->outer, word));
}

void emit_words_reserve(emit_words *words, const char *word)
{
  text_set_add(words->own, word);
}

/* ---- names ---- */

/* The reserved words, with the functions of the contract and the tables of their patterns. */
static const text_set *reserved_words(arena *a)
{
  size_t n = 0;
  const char *const *list = emit_reserved_words(&n);
  text_set *words = text_set_create(a);
  for (size_t i = 0; i < n; i++) {
    text_set_add(words, list[i]);
  }
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    const char *name = emit_contract[id].name;
    text_set_add(words, name);
    text_set_add(words, arena_printf(a, "%s_row", name));
    text_set_add(words, arena_printf(a, "%s_col", name));
  }
  return words;
}

/* The letters, digits and '_' of the text. Dots, commas and opening brackets become '_', signs
 * become letters. A leading '_' gets the prefix 'v'. The buffer has space for one more character at
 * the end. */
static char *c_names_identifier(arena *a, const char *text)
{
  char *name = arena_printf(a, "%s%s ", *text == '_' ? "v" : "", text);
  char *to = name;
  for (const char *at = name; *at; at++) {
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

/* Appends '_' to a reserved word, with or without trailing '_'. Therefore different names stay
 * different. */
static void escape(const emit_words *words, char *name)
{
  size_t length = strlen(name);
  size_t stem = length;
  while (stem > 0 && name[stem - 1] == '_') {
    stem--;
  }
  char behind = name[stem];
  name[stem] = '\0';
  int is_reserved = text_set_contains(words->reserved, name) || emit_is_of_reserved_family(name);
  name[stem] = behind;
  if (is_reserved) {
    name[length] = '_';
    name[length + 1] = '\0';
  }
}

/* The first unused name among name, name_, name__3, name__4 and so on. */
static const char *unique(arena *a, emit_words *words, const char *name)
{
  const char *chosen = name;
  for (int n = 2; is_in_use(words, chosen); n++) {
    chosen = n == 2 ? arena_printf(a, "%s_", name) : arena_printf(a, "%s__%d", name, n);
  }
  text_set_add(words->own, chosen);
  return chosen;
}

const char *emit_words_take(arena *a, emit_words *words, const char *text)
{
  char *name = c_names_identifier(a, text);
  escape(words, name);
  return unique(a, words, name);
}

const char *emit_words_make(arena *a, emit_words *words, const char *text)
{
  return unique(a, words, c_names_identifier(a, text));
}

emit_words *emit_words_create(arena *a)
{
  emit_words *words = ARENA_NEW(a, emit_words);
  *words = (emit_words){text_set_create(a), NULL, reserved_words(a)};
  return words;
}

emit_words *emit_words_inside(arena *a, const emit_words *outer)
{
  emit_words *words = ARENA_NEW(a, emit_words);
  *words = (emit_words){text_set_create(a), outer, outer->reserved};
  return words;
}

/* The dotted name of entry i of (z, k). */
static const char *dotted(const ir_program *p, int i)
{
  return i < 2 * p->nq ? ir_program_entry_name(p, i) : p->k_names[i - 2 * p->nq];
}

emit_names emit_names_create(arena *a, const ir_program *p)
{
  int n = 2 * p->nq + p->nk;
  const char **all = ARENA_ARRAY(a, n + 1, const char *);
  const char **lambda = ARENA_ARRAY(a, p->nc + p->n_weights + 1, const char *);
  const char **next = ARENA_ARRAY(a, 2 * p->nq + 1, const char *);
  emit_words *taken = emit_words_create(a);
  /* scalars come first, so that their C names depend on nothing else */
  for (int indexed = 0; indexed < 2; indexed++) {
    for (int i = 0; i < n; i++) {
      if ((strchr(dotted(p, i), '.') != NULL) == indexed) {
        all[i] = emit_words_take(a, taken, dotted(p, i));
      }
    }
  }
  const int has_next = p->functions[IR_DISCRETE_GRAD].rows > 0;
  for (int i = 0; has_next && i < 2 * p->nq; i++) {
    next[i] = emit_words_take(a, taken, arena_printf(a, "%s.next", dotted(p, i)));
  }
  for (int i = 0; i < p->nc + p->n_weights; i++) {
    lambda[i] = arena_printf(a, "lambda[%d]", i);
  }
  return (emit_names){
      {[IR_K] = all + 2 * p->nq, [IR_LAMBDA] = lambda, [IR_Z] = all, [IR_NEXT] = next}};
}
