/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notation.h -- the spellings of formulas, and how names and letters look in each.
 */
#ifndef SIDEWINDER_FORMULA_NOTATION_H
#define SIDEWINDER_FORMULA_NOTATION_H

#include "common/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spelling {
  SPELL_ASCII, /* as in a model file, so that it can be put into one */
  SPELL_UTF8,  /* for a terminal */
  SPELL_LATEX,
  SPELL_C,
  SPELL_INDEX, /* ASCII without blanks, as between the brackets of a name */
  SPELL_MATHML, /* for a browser: elements of MathML, and short pieces of text (mathml_mixed) between them */
  SPELLINGS
} spelling;

/* The letters that the page adds to the model's own, in the spellings of a page: the first three, and MathML. */
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

/* The name of an entry, given as a model file writes it ("q[i+1,x]", "gravity").  Integers as the only
 * index become subscripts in UTF-8; LaTeX has all indices below. */
const char *spelled_name(arena *a, spelling s, const char *name);

/* An index expression by itself, such as "i+1". */
const char *spelled_index(arena *a, spelling s, const char *index);

/* A letter of the page with a number from 1 as its index, such as rho[2]; number 0: without. */
const char *spelled_indexed(arena *a, spelling s, formula_letter which, int number);

/* Digits below the line and above it, in UTF-8. */
const char *spelled_below(arena *a, const char *digits);
const char *spelled_above(arena *a, const char *digits);

/* "q.1.x", as in an ir_program, to "q[1,x]". */
const char *spelled_entry(arena *a, const char *name);

#ifdef __cplusplus
}
#endif

#endif
