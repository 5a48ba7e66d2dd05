/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h -- one look at a point at one precision: jets of H, of the constraints and of rho.
 */
#ifndef SIDEWINDER_WITNESS_SESSION_H
#define SIDEWINDER_WITNESS_SESSION_H

#include "witness/digits.h"
#include "witness/slide.h"
#include "witness/tree.h"

typedef struct session {
  const model *m;
  const sw_witness_point *point;
  jets arithmetic;
  tree t;
  int d;
  int nc;
  int nk;
  const jet *H;          /* with two derivatives */
  const jet **g;         /* nc: likewise */
  const jet **rho;       /* nc: with one */
  const char *H_trouble; /* why there is none of these; NULL */
  const char *g_trouble;
  const char *rho_trouble;
  digits slid[SLIDE_FUNCTIONS];
  long slide_work;
} session;

/* The point must outlive the session. */
void session_open(session *s, arena *a, const model *m, const sw_witness_point *point, long budget,
                  slong precision);
void session_close(session *s);

/* Each to that order.  What goes wrong is noted in s->H_trouble and its like. */
void session_make_H(session *s, int order);
void session_make_g(session *s, int order);
void session_make_rho(session *s, int order);

/* The trouble so far, which the next part does not inherit unless it is the end of the budget. */
const char *session_trouble(session *s);

/* n doubles as balls, to be cleared by _arb_vec_clear; zeros where x is NULL. */
arb_ptr session_vector(const double x[], int n);

#endif
