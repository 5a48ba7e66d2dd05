/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreign_words.h -- words that users bring from other languages, with what to write in a model file.
 */
#ifndef SIDEWINDER_LANGUAGE_FOREIGN_WORDS_H
#define SIDEWINDER_LANGUAGE_FOREIGN_WORDS_H

/* What to write instead of a function of another language, "write log(...)"; NULL if the word is
 * not known. */
const char *foreign_function(const char *word);

/* What to write instead of a statement of another language; NULL if the word is not known. */
const char *foreign_statement(const char *word);

/* What to write instead of a constant of another language; NULL if the word is not known. */
const char *foreign_constant(const char *word);

#endif
