/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/session.h"

arb_ptr session_vector(const double x[], int n)
{
  arb_ptr v = _arb_vec_init(n);
  for (int i = 0; x && i < n; i++) {
    arb_set_d(v + i, x[i]);
  }
  return v;
}

void session_open(session *s, arena *a, const model *m, const sw_witness_point *point, long budget,
                  slong precision)
{
  *s = (session){.m = m, .point = point};
  jets_open(&s->arithmetic, budget);
  s->arithmetic.precision = precision;
  s->t = tree_create(a, m, &s->arithmetic);
  s->d = (int)tree_coordinates_count(&s->t);
  s->nk = (int)tree_parameters_count(&s->t);
  s->nc = (int)tree_families_count(&s->t, m->n_constraints, m->constraints);
  s->t.k = session_vector(point->k, s->nk);
  s->t.lambda = session_vector(point->lambda, s->nc);
  s->t.z = session_vector(point->z, 2 * s->d);
  s->g = ARENA_ARRAY(a, s->nc + 1, const jet *);
  s->rho = ARENA_ARRAY(a, s->nc + 1, const jet *);
}

void session_close(session *s)
{
  _arb_vec_clear(s->t.z, 2 * s->d);
  _arb_vec_clear(s->t.k, s->nk);
  _arb_vec_clear(s->t.lambda, s->nc);
  jets_close(&s->arithmetic);
}

const char *session_trouble(session *s)
{
  const char *trouble = s->arithmetic.trouble;
  if (s->arithmetic.work <= s->arithmetic.budget) {
    s->arithmetic.trouble = NULL;
  }
  return trouble;
}

/* ---- H, g, rho ---- */

void session_make_H(session *s, int order)
{
  s->arithmetic.order = order;
  s->H = tree_hamiltonian(&s->t);
  s->H_trouble = session_trouble(s);
}

void session_make_g(session *s, int order)
{
  s->arithmetic.order = order;
  tree_constraints(&s->t, s->g);
  s->g_trouble = session_trouble(s);
}

void session_make_rho(session *s, int order)
{
  s->rho_trouble = s->g_trouble ? s->g_trouble : s->H_trouble;
  if (s->rho_trouble) {
    return;
  }
  s->arithmetic.order = order;
  for (int i = 0; i < s->nc; i++) {
    s->rho[i] = jet_bracket(&s->arithmetic, s->g[i], s->H, s->d);
  }
  s->rho_trouble = session_trouble(s);
}
