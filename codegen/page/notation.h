/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notation.h -- names and numbers in the three alphabets of the page: ASCII, UTF-8 and LaTeX.
 */
#ifndef SIDEWINDER_PAGE_NOTATION_H
#define SIDEWINDER_PAGE_NOTATION_H

#include <gmp.h>

#include "ir/program.h"

/* ASCII formulas are written as in a model file, so that they can be put into one. */
typedef enum page_style { PAGE_ASCII, PAGE_UTF8, PAGE_LATEX } page_style;

/* The letters that the page adds to the model's own. */
typedef enum page_letter {
  LETTER_LAMBDA,
  LETTER_RHO,
  LETTER_GAMMA,
  LETTER_MAPS_TO,
  LETTER_MINUS,
  LETTER_DOTS,
  LETTER_PARTIAL,
  LETTER_SUM,
  LETTER_PRODUCT,
  LETTER_IN,
  LETTER_COUNT
} page_letter;

const char *page_letter_text(page_style style, page_letter letter);

/* The name of an entry, given as a model file writes it ("q[i+1,x]", "gravity").  Integers as the only
 * index become subscripts in UTF-8; LaTeX has all indices below. */
const char *page_name(arena *a, page_style style, const char *name);

/* An index expression by itself, such as "i+1". */
const char *page_index(arena *a, page_style style, const char *index);

/* "q.1.x", as in an ir_program, to "q[1,x]". */
const char *page_dotted(arena *a, const char *name);

/* A letter of the page with a number from 1 as its index, such as rho[2]; number 0: without. */
const char *page_indexed(arena *a, page_style style, const char *letter, int number);

/* Ordinary words: LaTeX's own characters are escaped, all else is kept.  In ASCII and in LaTeX a character
 * that the style lacks becomes its code, <U+2603>. */
const char *page_words(arena *a, page_style style, const char *words);

/* The text with what is no UTF-8 replaced by question marks. */
const char *page_utf8(arena *a, const char *text);

/* Words for LaTeX, in which what the analysis writes in ASCII, such as {g_i,g_j} and M^H, is set as
 * formulas. */
const char *page_prose(arena *a, const char *words);

/* |value|, exactly: an integer, a fraction of small numbers, a decimal where there is one, or else a
 * fraction.  *is_fraction says that the text is "n/d". */
const char *page_rational(arena *a, mpq_srcptr value, int *is_fraction);

/* An exponent above the line: " ^2" as the style writes it behind its base; the exponent is positive. */
const char *page_exponent(arena *a, page_style style, mpq_srcptr exponent);

/* Columns that a text takes: its code points, each of which has one. */
int page_columns(const char *text);

/* The names of a program's inputs in a style; m multipliers are lambda, or lambda[1] ... */
typedef struct page_names {
  const char *const *of[IR_SPACES];
} page_names;

page_names page_program_names(arena *a, page_style style, const ir_program *p);

#endif
