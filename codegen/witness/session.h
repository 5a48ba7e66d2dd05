/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h -- one evaluation at a point and a precision: jets of H, of the constraints and of rho.
 */
#ifndef SIDEWINDER_WITNESS_SESSION_H
#define SIDEWINDER_WITNESS_SESSION_H

#include "witness/digits.h"
#include "witness/tree.h"

typedef struct session {
  const model *m;
  const sw_witness_point *point;
  jets arithmetic;
  tree t;
  int d;
  int nc;
  int nk;
  const jet *H;          /* with the order given to session_make_H */
  const jet **g;         /* nc constraints */
  const jet **rho;       /* nc: {g_i,H}, one order less */
  const char *H_trouble; /* why H does not exist, or NULL */
  const char *g_trouble;
  const char *rho_trouble;
} session;

/* Opens a session. The point must outlive the session. */
void session_open(session *s, arena *a, const model *m, const sw_witness_point *point, long budget,
                  slong precision);
void session_close(session *s);

/* Compute H, g or rho to this order. An error is recorded in s->H_trouble, s->g_trouble or
 * s->rho_trouble. */
void session_make_H(session *s, int order);
void session_make_g(session *s, int order);
void session_make_rho(session *s, int order);

/* Returns the trouble so far, and clears it for the next part unless the budget is used up. */
const char *session_trouble(session *s);

/* n doubles as balls, or zeros if x is NULL. The caller frees the vector with _arb_vec_clear. */
arb_ptr session_vector(const double x[], int n);

#endif
