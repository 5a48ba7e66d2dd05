/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h -- what the writers of the parts of a page share.
 */
#ifndef SIDEWINDER_REPORT_NOTES_H
#define SIDEWINDER_REPORT_NOTES_H

#include "compilation.h"
#include "report/algebra.h"
#include "report/facts.h"
#include "report/sheet.h"

/* Columns that one formula takes at most, and how many are listed one below the other. */
#define ROOM   400
#define LISTED 8

typedef struct notes {
  arena *memory;
  spelling style;
  sheet *sheet;
  const compilation *c;
  const ir_program *program; /* NULL where it could not be made; */
  ir_names names;            /* those of the program */
  const record *found;
  page_printer *printer;
  algebra *algebra;
} notes;

notes notes_take(sheet *s, const compilation *c);

/* left = the value, over the inputs of the program. */
void notes_value(const notes *n, const char *left, const char *relation, const ir_expr *value);

/* The name of constraint i in formulas, and in words. */
const char *notes_constraint(const notes *n, int i);
const char *notes_constraint_words(const notes *n, int i);

/* The number of constraint i in formulas: 0, for none, where it is the only one. */
int notes_number(const notes *n, int i);

/* "... and 3 more of them", where there are more. */
void notes_more(const notes *n, int more, const char *of_them);

/* ---- the parts of a page ---- */

/* H and g written out, for an unrolled model.  The first returns 0 where H was shortened. */
int page_hamiltonian(const notes *n);
void page_constraints(const notes *n);

/* H with its sums over sets; the families of constraints of a looped model, with their derivatives and their
 * fibre flows, which hold for all sizes. */
void page_terms_of_H(const notes *n);
void page_families(const notes *n);

/* rho, C, N and the fibre flow of an unrolled model, or of the small one that stands for a looped model. */
void page_program(const notes *n);

/* What G0, G1 and G3 are, where one of them was met in the formulas above. */
void page_explain_universal(const notes *n);

/* What each verdict rests on: certificates, samples and witnesses; det N; the chain of a singular N. */
void page_evidence(const notes *n);

#endif
