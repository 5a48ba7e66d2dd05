/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * examine.c -- properties of the coefficients of a partitioned Runge-Kutta method.
 *
 * The order conditions belong to rooted trees whose vertices have two colours, positions and
 * momenta. The condition of a tree is
 *
 *   sum_i b_i phi_i = 1/gamma,   phi_i = product over the children of the root of sum_j a_ij phi_j,
 *
 * where each vertex uses the coefficients of its own colour (Hairer, Lubich, Wanner, Geometric
 * Numerical Integration, 2nd ed., section III.2).
 */
#include <math.h>
#include <string.h>

#include "common/vectors.h"
#include "step/stage_plan.h"
#include "step/tableau.h"

static const double tolerance = 1e-13;

enum { most_vertices = 4, trees = 8 };

/* The rooted trees of one to four vertices: the parent of each vertex except the root, number 0;
 * and 1/gamma. */
static const struct {
  int vertices;
  int parent[most_vertices];
  double gamma;
} tree[trees] = {
    {1, {0}, 1.0},           {2, {0, 0}, 2.0},        {3, {0, 0, 0}, 3.0},
    {3, {0, 0, 1}, 6.0},     {4, {0, 0, 0, 0}, 4.0},  {4, {0, 0, 0, 1}, 8.0},
    {4, {0, 0, 1, 1}, 12.0}, {4, {0, 0, 1, 2}, 24.0},
};

/* 1 if the condition of a tree holds; bit v of `colours` is the half (0 or 1) of vertex v. */
static int holds(const sw_tableau *t, int number, int colours)
{
  const int s = t->stages;
  double phi[most_vertices][SW_TABLEAU_STAGES];
  double size[most_vertices][SW_TABLEAU_STAGES]; /* sizes of the terms */
  double sum = 0.0;
  double sizes = 0.0;

  for (int v = 0; v < most_vertices; v++) {
    for (int i = 0; i < SW_TABLEAU_STAGES; i++) {
      phi[v][i] = size[v][i] = 1.0;
    }
  }
  /* Backwards, because a parent has a smaller number than its children. */
  for (int v = most_vertices - 1; v > 0; v--) {
    if (v >= tree[number].vertices) {
      continue;
    }
    const double *A = sw_tableau_A(t, colours >> v & 1);
    const int parent = tree[number].parent[v];
    for (int i = 0; i < s; i++) {
      double inner = 0.0;
      double inner_size = 0.0;
      for (int j = 0; j < s; j++) {
        inner += A[i * s + j] * phi[v][j];
        inner_size += fabs(A[i * s + j]) * size[v][j];
      }
      phi[parent][i] *= inner;
      size[parent][i] *= inner_size;
    }
  }
  for (int i = 0; i < s; i++) {
    const double weight = sw_tableau_b(t, colours & 1)[i];
    sum += weight * phi[0][i];
    sizes += fabs(weight) * size[0][i];
  }
  return fabs(sum - 1.0 / tree[number].gamma) <= tolerance * (sizes + 1.0);
}

static int order_of(const sw_tableau *t)
{
  for (int number = 0; number < trees; number++) {
    for (int colours = 0; colours < 1 << tree[number].vertices; colours++) {
      if (!holds(t, number, colours)) {
        return tree[number].vertices - 1;
      }
    }
  }
  return most_vertices;
}

/* The largest difference between corresponding coefficients of two tableaus; if `other` is NULL,
 * the largest coefficient. NaN if a coefficient is NaN. */
static double largest_difference(const sw_tableau *t, const sw_tableau *other)
{
  const size_t s = (size_t)t->stages;
  double most = 0.0;

  for (int half = 0; half < 2; half++) {
    const double *A = sw_tableau_A(t, half);
    const double *b = sw_tableau_b(t, half);
    const double of_A =
        other ? sw_distance(s * s, A, sw_tableau_A(other, half)) : sw_max_abs(s * s, A);
    const double of_b = other ? sw_distance(s, b, sw_tableau_b(other, half)) : sw_max_abs(s, b);
    most = sw_larger_or_nan(most, sw_larger_or_nan(of_A, of_b));
  }
  return most;
}

static double not_symplectic(const sw_tableau *t)
{
  const double *b = sw_tableau_b(t, 0);
  const double *b_hat = sw_tableau_b(t, 1);
  const int s = t->stages;
  double most = 0.0;

  for (int i = 0; i < s; i++) {
    most = sw_larger_or_nan(most, fabs(b[i] - b_hat[i]));
    for (int j = 0; j < s; j++) {
      const double left =
          b[i] * sw_tableau_A(t, 1)[i * s + j] + b_hat[j] * sw_tableau_A(t, 0)[j * s + i];
      most = sw_larger_or_nan(most, fabs(left - b[i] * b_hat[j]));
    }
  }
  return most;
}

static double not_symmetric(const sw_tableau *t)
{
  sw_own_tableau other;

  sw_tableau_adjoint(t, &other);
  return largest_difference(t, &other.tableau);
}

static const char *what_is_wrong(const sw_tableau *t)
{
  if (!t->name || t->name[0] == '\0' || strlen(t->name) >= SW_TABLEAU_NAME) {
    return "the tableau needs a name of 1 to 63 bytes";
  }
  if (t->stages < 1 || t->stages > SW_TABLEAU_STAGES) {
    return "the tableau needs 1 to 16 stages";
  }
  if (!t->A || !t->b) {
    return "the tableau needs A and b";
  }
  if (!t->A_hat != !t->b_hat) {
    return "A_hat and b_hat of a tableau belong together: give both or neither";
  }
  return isfinite(largest_difference(t, NULL)) ? "" : "a coefficient of the tableau is not finite";
}

sw_status sw_tableau_examine(const sw_tableau *tableau, sw_tableau_report *report, const char **why)
{
  const char *wrong = what_is_wrong(tableau);

  *report = (sw_tableau_report){0};
  if (wrong[0] == '\0') {
    const double most = tolerance * (1.0 + largest_difference(tableau, NULL));
    sw_stage_plan plan;
    report->order = order_of(tableau);
    report->not_symplectic = not_symplectic(tableau);
    report->not_symmetric = not_symmetric(tableau);
    report->symplectic = report->not_symplectic <= most;
    report->symmetric = report->not_symmetric <= most;
    sw_stage_plan_make(tableau, 0, &plan);
    report->unknowns = plan.blocks;
    sw_stage_plan_make(tableau, 1, &plan);
    report->unknowns_separable = plan.blocks;
    if (report->order == 0) {
      wrong = "the steps of the tableau do not follow the field: the entries of b, and those of "
              "b_hat, have to add up to 1";
    }
  }
  if (why) {
    *why = wrong;
  }
  return wrong[0] == '\0' ? SW_OK : SW_ERR_OPTION;
}
