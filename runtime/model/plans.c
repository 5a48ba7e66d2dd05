/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plans.c -- the patterns of all matrices of a system: the brackets and the fibre flow that a model
 * omits, and the model's own matrices.
 */
#include <stdlib.h>

#include "linear/pattern.h"
#include "model/system_plan.h"

/* ---- Drho = D(Dg) X_H - field^T Hess H ---- */

/* Makes the union of the patterns of Dg and of the product. */
static sw_status unite(sw_system *system, sw_plan *plan, const sw_pattern *bent)
{
  const sw_placed *of_jac = &plan->placed[SW_PLACED_constraint_jac];
  const sw_pattern *jac = &system->constraint_jac_pattern;
  const long long sum = (long long)jac->entries + bent->entries;

  if (sum >= INT_MAX) {
    return SW_ERR_MEMORY;
  }
  const int n = (int)sum;
  int *row = sw_plan_ints((size_t)n);
  int *col = sw_plan_ints((size_t)n);
  int *place = sw_plan_ints((size_t)n);
  sw_status status = SW_ERR_MEMORY;

  if (row && col && place) {
    for (int e = 0; e < n; e++) {
      const sw_pattern *from = e < jac->entries ? jac : bent;
      row[e] = from->row[e < jac->entries ? e : e - jac->entries];
      col[e] = from->col[e < jac->entries ? e : e - jac->entries];
    }
    status = sw_pattern_create(system->nc, 2 * system->nq, n, row, col, &system->hidden_jac_pattern,
                               place);
  }
  if (status == SW_OK) {
    status = sw_product_spread(&plan->curvature, system->hidden_jac_pattern.entries,
                               place + jac->entries);
  }
  plan->along_place = status == SW_OK ? sw_plan_ints((size_t)of_jac->n) : NULL;
  status = plan->along_place ? SW_OK : SW_ERR_MEMORY;
  for (int t = 0; t < of_jac->n && status == SW_OK; t++) {
    plan->along_place[t] = place[of_jac->place ? of_jac->place[t] : t];
  }
  free(row);
  free(col);
  free(place);
  return status;
}

/* Makes the product -field^T Hess H. Its terms refer to the entries of the field and of the lower
 * triangle, not to those of the transposed and the whole copy. */
static sw_status plan_curvature(sw_system *system, sw_plan *plan, sw_pattern *bent)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const sw_pattern *field = &plan->field_pattern;
  sw_pattern whole = {0, 0, 0, NULL, NULL};
  sw_pattern transposed = {0, 0, 0, NULL, NULL};
  int *source = sw_plan_ints(2 * (size_t)lower->entries);
  int *from = sw_plan_ints((size_t)field->entries);
  int *place = sw_plan_ints((size_t)field->entries);
  sw_product *product = &plan->curvature;
  sw_status status = source && from && place ? SW_OK : SW_ERR_MEMORY;

  if (status == SW_OK) {
    status = sw_pattern_symmetric(lower, &whole, source);
  }
  if (status == SW_OK) {
    status = sw_pattern_transpose(field, &transposed, place);
  }
  if (status == SW_OK) {
    status = sw_product_create(&transposed, &whole, product, bent);
  }
  if (status == SW_OK) {
    for (int e = 0; e < field->entries; e++) {
      from[place[e]] = e;
    }
    for (int t = 0; t < product->start[product->entries]; t++) {
      product->left[t] = from[product->left[t]];
      product->right[t] = source[product->right[t]];
    }
  }
  sw_pattern_free(&whole);
  sw_pattern_free(&transposed);
  free(source);
  free(from);
  free(place);
  return status;
}

static sw_status sw_plan_hidden_jac(sw_system *system)
{
  sw_plan *plan = system->plan;
  sw_pattern bent = {0, 0, 0, NULL, NULL};
  sw_status status = plan_curvature(system, plan, &bent);

  if (status == SW_OK) {
    status = unite(system, plan, &bent);
  }
  sw_pattern_free(&bent);
  return status;
}

/* ---- N = Drho field, C = Dg field ---- */

/* Sets used[e] to 1 if a term of N contains entry e of Drho.  Returns the number of such
 * entries. */
static int mark_reached(const sw_product *product, int used[])
{
  int n = 0;

  for (int t = 0; t < product->start[product->entries]; t++) {
    n += !used[product->left[t]];
    used[product->left[t]] = 1;
  }
  return n;
}

static int among(const int used[], const int place[], int n)
{
  for (int t = 0; t < n; t++) {
    if (used[place[t]]) {
      return 1;
    }
  }
  return 0;
}

/* Makes `reached` from the used entries of Drho, and renumbers the terms of N accordingly. */
static sw_status copy_reached(sw_plan *plan, int n, int used[])
{
  const sw_product *all = &plan->curvature;
  sw_product *part = &plan->reached;
  sw_product *N = &plan->nondegeneracy;
  size_t terms = 0;
  int e = 0;
  int t = 0;

  for (int i = 0; i < all->entries; i++) {
    terms += used[i] ? (size_t)(all->start[i + 1] - all->start[i]) : 0;
  }
  part->start = sw_plan_ints((size_t)n);
  part->left = sw_plan_ints(terms);
  part->right = sw_plan_ints(terms);
  if (!part->start || !part->left || !part->right) {
    return SW_ERR_MEMORY;
  }
  part->entries = n;
  for (int i = 0; i < all->entries; i++) {
    if (used[i]) {
      for (int s = all->start[i]; s < all->start[i + 1]; s++, t++) {
        part->left[t] = all->left[s];
        part->right[t] = all->right[s];
      }
      used[i] = e++;
      part->start[e] = t;
    }
  }
  for (int s = 0; s < N->start[N->entries]; s++) {
    N->left[s] = used[N->left[s]];
  }
  return SW_OK;
}

static sw_status sw_plan_nondegeneracy(sw_system *system)
{
  sw_plan *plan = system->plan;
  const sw_pattern *hidden = &system->hidden_jac_pattern;
  int *used = sw_plan_ints((size_t)hidden->entries);
  sw_status status = used ? SW_OK : SW_ERR_MEMORY;

  if (status == SW_OK) {
    status = sw_product_create(hidden, &plan->field_pattern, &plan->nondegeneracy,
                               &system->nondegeneracy_pattern);
  }
  if (status == SW_OK) {
    const int n = mark_reached(&plan->nondegeneracy, used);
    plan->needs_hidden_jac = !plan->along_place || among(used, plan->along_place,
                                                         plan->placed[SW_PLACED_constraint_jac].n);
    if (!plan->needs_hidden_jac) {
      status = copy_reached(plan, n, used);
    }
  }
  free(used);
  return status;
}

/* Removes the diagonal from a pattern and from its product. */
static void drop_diagonal(sw_product *product, sw_pattern *pattern)
{
  int *row = (int *)pattern->row;
  int *col = (int *)pattern->col;
  int n = 0;
  int t = 0;
  int from = 0;

  for (int e = 0; e < pattern->entries; e++) {
    const int to = product->start[e + 1];
    if (row[e] != col[e]) {
      row[n] = row[e];
      col[n] = col[e];
      for (int s = from; s < to; s++, t++) {
        product->left[t] = product->left[s];
        product->right[t] = product->right[s];
      }
      product->start[++n] = t;
    }
    from = to;
  }
  product->entries = pattern->entries = n;
}

static sw_status sw_plan_coisotropy(sw_system *system)
{
  sw_plan *plan = system->plan;
  const sw_status status = sw_product_create(&system->constraint_jac_pattern, &plan->field_pattern,
                                             &plan->coisotropy, &system->coisotropy_pattern);

  if (status == SW_OK) {
    drop_diagonal(&plan->coisotropy, &system->coisotropy_pattern);
    if (system->coisotropy_pattern.entries == 0) {
      sw_product_free(&plan->coisotropy);
      sw_pattern_free(&system->coisotropy_pattern);
      system->coisotropy_pattern = (sw_pattern){system->nc, system->nc, 0, NULL, NULL};
    }
  }
  return status;
}

/* ---- a fibre flow composed of the flows of the families ---- */

/* Sets flows[i] to 1 for the degrees of freedom on which a family with its own flow depends. */
static void mark_flows(const sw_system *system, sw_plan *plan, char flows[])
{
  const sw_family_table *table = &plan->constraints;

  for (int f = 0; f < table->n; f++) {
    const int from = plan->jac_start[table->start[f]];
    const int to = plan->jac_start[table->start[f + 1]];
    if (table->start[f] == table->start[f + 1]) {
      continue;
    }
    if (table->family[f].fibre != SW_FIBRE_FLOW) {
      plan->has_shift = 1;
      continue;
    }
    plan->has_flow = 1;
    for (int e = from; e < to; e++) {
      flows[system->constraint_jac_pattern.col[e] % system->nq] = 1;
    }
  }
}

/* Appends the ones, and the positions to which shifts add the entries of Hess(lambda . g): for
 * g(q), entry (q_i,q_j) is added to (p_i,q_j); for g(p), (p_i,p_j) to (q_i,p_j); and the same for
 * (j,i).  All other entries, such as (p_i,q_j), belong to families with their own flow, since
 * families of different kinds share no degree of freedom. */
static void append_shifts(const sw_system *system, const sw_plan *plan, const char flows[],
                          sw_gathered *c)
{
  const sw_pattern *hess = &system->constraint_hess_pattern;
  const int d = system->nq;

  for (int i = 0; i < 2 * d; i++) {
    plan->one_place[i] = c->n;
    sw_gather(c, i, i);
  }
  for (int e = 0; e < hess->entries; e++) {
    const int i = hess->row[e];
    const int j = hess->col[e];
    plan->shift_place[2 * (size_t)e] = plan->shift_place[2 * (size_t)e + 1] = -1;
    if (flows[i % d] || flows[j % d]) {
      continue;
    }
    const int shift = i < d ? d : -d;
    plan->shift_place[2 * (size_t)e] = c->n;
    sw_gather(c, i + shift, j);
    if (i != j) {
      plan->shift_place[2 * (size_t)e + 1] = c->n;
      sw_gather(c, j + shift, i);
    }
  }
}

static sw_status plan_flow_z(sw_system *system, sw_plan *plan, const char flows[], sw_gathered *c)
{
  const int own = c->n;
  const size_t hess = (size_t)system->constraint_hess_pattern.entries;
  const size_t dim = 2 * (size_t)system->nq;
  int *place = NULL;

  plan->flow_places = own;
  plan->flow_place = sw_plan_ints((size_t)own);
  plan->one_place = sw_plan_ints(dim);
  plan->shift_place = sw_plan_ints(2 * hess);
  if (!plan->flow_place || !plan->one_place || !plan->shift_place) {
    return SW_ERR_MEMORY;
  }
  append_shifts(system, plan, flows, c);
  const sw_status status =
      sw_gathered_pattern(c, (int)dim, (int)dim, &system->fibre_flow_z_pattern, &place);
  if (status == SW_OK) {
    for (int t = 0; t < own; t++) {
      plan->flow_place[t] = place[t];
    }
    for (size_t i = 0; i < dim; i++) {
      plan->one_place[i] = place[plan->one_place[i]];
    }
    for (size_t e = 0; e < 2 * hess; e++) {
      plan->shift_place[e] = plan->shift_place[e] < 0 ? -1 : place[plan->shift_place[e]];
    }
  }
  free(place);
  return status;
}

/* Plans the composed flow.  It requires the model's family_flow if a family is not a shift. */
static sw_status plan_composed(sw_system *system, sw_plan *plan, const char flows[], char message[])
{
  static const sw_places none = {0, NULL, NULL, NULL};
  const int dim = 2 * system->nq;
  sw_gathered c = {0};

  plan->is_composed = !plan->has_flow || plan->model->family_flow;
  if (!plan->is_composed) {
    return SW_OK;
  }
  sw_status status = sw_plan_list(plan, plan->has_flow ? &plan->model->family_flow_z.places : &none,
                                  "the derivative of the fibre flow", dim, dim, &c, message);
  if (status == SW_OK) {
    status = plan_flow_z(system, plan, flows, &c);
  }
  if (status == SW_OK) {
    status = sw_pattern_copy(&plan->field_pattern, &system->fibre_flow_lambda_pattern);
  }
  sw_gathered_free(&c);
  return status;
}

static sw_status sw_plan_flow(sw_system *system, char message[])
{
  char *flows = calloc((size_t)system->nq, sizeof *flows);
  sw_status status = SW_ERR_MEMORY;

  if (flows) {
    mark_flows(system, system->plan, flows);
    status = plan_composed(system, system->plan, flows, message);
  }
  free(flows);
  return status;
}

/* ---- the model's own matrices ---- */

/* Drops the mapping if value e is entry e. */
static void drop_identity(sw_placed *placed, int entries)
{
  int same = placed->n == entries;

  for (int e = 0; e < placed->n && same; e++) {
    same = placed->place[e] == e;
  }
  if (same) {
    free(placed->place);
    placed->place = NULL;
  }
}

/* A matrix at the sizes of a system. */
typedef struct matrix {
  const sw_places *places; /* NULL if the model does not give the matrix */
  int rows;
  int cols;
  int is_triangle;
  const char *what;
  sw_pattern *pattern;
} matrix;

static matrix matrix_of(sw_system *system, int i)
{
  enum { OF_H, OF_G };
  const sw_model *model = system->model;
  const int m = system->nc;
  const int d = system->nq;
  const int dim = 2 * d;
  const matrix all[] = {
#define MATRIX(name, of, form, rows, cols, is_triangle, what)                                      \
  {model->name.values && (OF_##of == OF_H || m > 0) ? &model->name.places : NULL,                  \
   (rows),                                                                                         \
   (cols),                                                                                         \
   is_triangle,                                                                                    \
   what,                                                                                           \
   &system->name##_pattern},
      SW_MATRICES(MATRIX)
#undef MATRIX
  };

  return all[i];
}

static sw_status check_triangle(const matrix *of, char message[])
{
  const sw_pattern *pattern = of->pattern;

  for (int e = 0; e < pattern->entries; e++) {
    if (pattern->row[e] < pattern->col[e]) {
      sw_say_outside(of->what, pattern->row[e], pattern->col[e], of->rows, of->cols, message);
      return SW_ERR_ARGUMENT;
    }
  }
  return SW_OK;
}

/* Lists the targets of the forces. */
static sw_status plan_forces(sw_system *system, char message[])
{
  const sw_model *model = system->model;
  sw_gathered list;

  if (model->n_forces == 0) {
    return SW_OK;
  }
  const sw_status status =
      sw_plan_list(system->plan, &model->force_target, "the targets of the forces", INT_MAX,
                   system->nq, &list, message);
  system->n_force = status == SW_OK ? list.n : 0;
  system->plan->force_target = list.col;
  list.col = NULL;
  sw_gathered_free(&list);
  return status;
}

/* Makes the pattern of matrix number i, if the model gives it, and the mapping of its values. */
static sw_status plan_matrix(sw_system *system, int i, char message[])
{
  const matrix of = matrix_of(system, i);
  const int of_forces = i == SW_PLACED_force_jac;
  const int rows = of_forces ? system->n_force : of.rows;
  sw_placed *placed = &system->plan->placed[i];
  sw_gathered list;

  if (!of.places) {
    return SW_OK;
  }
  sw_status status = sw_plan_list(system->plan, of.places, of.what, rows, of.cols, &list, message);
  placed->n = list.n;
  for (int e = 0; e < list.n && status == SW_OK && of_forces; e++) {
    list.row[e] = system->plan->force_target[list.row[e]];
  }
  if (status == SW_OK) {
    status = sw_gathered_pattern(&list, of.rows, of.cols, of.pattern, &placed->place);
  }
  if (status == SW_OK) {
    drop_identity(placed, of.pattern->entries);
  }
  sw_gathered_free(&list);
  return status == SW_OK && of.is_triangle ? check_triangle(&of, message) : status;
}

/* ---- the field J Dg^T ---- */

static sw_status plans_plan_field(sw_system *system, sw_plan *plan)
{
  const sw_pattern *jac = &system->constraint_jac_pattern;
  sw_pattern *field = &plan->field_pattern;
  const int d = system->nq;
  const size_t n = (size_t)jac->entries;
  int *row = sw_plan_ints(n);
  int *place = sw_plan_ints(n);
  sw_status status = SW_ERR_MEMORY;

  plan->field_source = sw_plan_ints(n);
  if (row && place && plan->field_source) {
    for (int e = 0; e < jac->entries; e++) {
      row[e] = jac->col[e] < d ? jac->col[e] + d : jac->col[e] - d;
    }
    status = sw_pattern_create(2 * d, system->nc, jac->entries, row, jac->row, field, place);
  }
  for (int e = 0; e < jac->entries && status == SW_OK; e++) {
    plan->field_source[place[e]] = e;
    plan->field_split += jac->col[e] >= d;
  }
  free(row);
  free(place);
  return status;
}

/* ---- functions that the model omits ---- */

static sw_status plan_brackets(sw_system *system)
{
  const sw_model *model = system->model;
  sw_status status = model->hidden_jac.values ? SW_OK : sw_plan_hidden_jac(system);

  if (status == SW_OK && !model->nondegeneracy.values) {
    status = sw_plan_nondegeneracy(system);
  }
  return status == SW_OK && !model->coisotropy.values ? sw_plan_coisotropy(system) : status;
}

/* Returns 1 if a function that the model omits needs the field. */
static int needs_field(const sw_model *model)
{
  return !model->hidden || !model->hidden_scale || !model->hidden_jac.values ||
         !model->nondegeneracy.values || !model->coisotropy.values || !model->fibre_flow;
}

static sw_status find_rows(sw_system *system)
{
  system->plan->jac_start = sw_plan_ints((size_t)system->nc);
  if (!system->plan->jac_start) {
    return SW_ERR_MEMORY;
  }
  sw_pattern_rows(&system->constraint_jac_pattern, system->plan->jac_start);
  return SW_OK;
}

static sw_status plan_constraints(sw_system *system, char message[])
{
  const sw_model *model = system->model;
  sw_status status = find_rows(system);

  if (status == SW_OK && needs_field(model)) {
    status = plans_plan_field(system, system->plan);
  }
  if (status == SW_OK) {
    status = plan_brackets(system);
  }
  return status == SW_OK && !model->fibre_flow ? sw_plan_flow(system, message) : status;
}

/* ---- the whole plan ---- */

static void set_empty_patterns(sw_system *system)
{
  for (int i = 0; i < SW_PLACED_MATRICES; i++) {
    const matrix of = matrix_of(system, i);
    *of.pattern = (sw_pattern){of.rows, of.cols, 0, NULL, NULL};
  }
}

sw_status sw_plan_make(sw_system *system, char message[])
{
  sw_status status = SW_OK;

  set_empty_patterns(system);
  status = plan_forces(system, message);
  for (int i = 0; i < SW_PLACED_MATRICES && status == SW_OK; i++) {
    status = plan_matrix(system, i, message);
  }
  return status == SW_OK && system->nc > 0 ? plan_constraints(system, message) : status;
}

sw_status sw_plan_make_lean(sw_system *system, char message[])
{
  set_empty_patterns(system);
  /* All families of a lean system are shifts. */
  system->plan->has_shift = system->plan->is_composed = 1;
  const sw_status status = plan_matrix(system, SW_PLACED_constraint_jac, message);
  return status == SW_OK ? find_rows(system) : status;
}

void sw_plan_free(sw_system *system)
{
  sw_plan *plan = system->plan;
  int *const ints[] = {plan->field_source, plan->jac_start,  plan->along_place, plan->one_place,
                       plan->shift_place,  plan->flow_place, plan->force_target};

  for (int i = 0; i < SW_PLACED_MATRICES; i++) {
    free(plan->placed[i].place);
    sw_pattern_free(matrix_of(system, i).pattern);
  }
  for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
    free(ints[i]);
  }
  sw_pattern_free(&plan->field_pattern);
  sw_product_free(&plan->curvature);
  sw_product_free(&plan->nondegeneracy);
  sw_product_free(&plan->reached);
  sw_product_free(&plan->coisotropy);
}
