/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign_words.h -- words of other languages that users type, and their equivalents in a model
 * file.
 */
#ifndef SIDEWINDER_LANGUAGE_FOREIGN_WORDS_H
#define SIDEWINDER_LANGUAGE_FOREIGN_WORDS_H

/* The equivalent of a function of another language, such as "write log(...)"; NULL if the word is
 * unknown. */
const char *foreign_function(const char *word);

/* The equivalent of a statement of another language; NULL if the word is unknown. */
const char *foreign_statement(const char *word);

/* The equivalent of a constant of another language; NULL if the word is unknown. */
const char *foreign_constant(const char *word);

#endif
