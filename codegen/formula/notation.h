/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notation.h -- the spellings of formulas, names and letters.
 */
#ifndef SIDEWINDER_FORMULA_NOTATION_H
#define SIDEWINDER_FORMULA_NOTATION_H

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spelling {
  SPELL_ASCII, /* as in a model file, so that it can be pasted into one */
  SPELL_UTF8,  /* for a terminal */
  SPELL_LATEX,
  SPELL_C,
  SPELL_INDEX, /* ASCII without spaces, as between the brackets of a name */
  /* for a browser: MathML elements, with short pieces of text (mathml_mixed) between them */
  SPELL_MATHML,
  SPELLINGS
} spelling;

/* Letters and signs that the page adds to the model's names.  They exist in the first three
 * spellings and in MathML. */
typedef enum formula_letter {
  LETTER_LAMBDA,
  LETTER_RHO,
  LETTER_MAPS_TO,
  LETTER_DOTS,
  LETTER_IN,
  LETTER_PI,
  LETTER_COUNT
} formula_letter;

const char *spelled_letter(spelling s, formula_letter which);

/* The spelling of an entry's name, given as in a model file ("q[i+1,x]", "gravity").  An integer as
 * the only index becomes a subscript in UTF-8; in LaTeX all indices become subscripts. */
const char *spelled_name(arena *a, spelling s, const char *name);

/* The spelling of an index expression alone, such as "i+1". */
const char *spelled_index(arena *a, spelling s, const char *index);

/* A letter with an index, counted from 1, such as rho[2]; without an index for number 0. */
const char *spelled_indexed(arena *a, spelling s, formula_letter which, int number);

/* Digits as subscripts and as superscripts, in UTF-8. */
const char *spelled_below(arena *a, const char *digits);
const char *spelled_above(arena *a, const char *digits);

/* Converts "q.1.x", as in an ir_program, to "q[1,x]". */
const char *spelled_entry(arena *a, const char *name);

#ifdef __cplusplus
}
#endif

#endif
