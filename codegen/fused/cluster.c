/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/step.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/nest_bounds.h"
#include "expr/substitute.h"
#include "fused/values.h"
#include "model/index_form.h"

/* ---- the entries of a looped model's arrays that are the positions of a cluster ---- */

enum { POSITION_INDICES = 8, POSITION_INNER = 4 };

/* The loops around a kernel: the loop over clusters, and one iteration of the loops inside it. */
typedef struct position_loops {
  const model_binder *binder;
  int n;
  const model_binder *inner[POSITION_INNER];
  long at[POSITION_INNER];
} position_loops;

/* An entry of a coordinate in the cluster with index i. Its index number `along` is at[along] +
 * factor i, the others are at[]. */
typedef struct position {
  int coordinate;
  int along;
  long factor;
  int n;
  long at[POSITION_INDICES];
} position;

/* ---- a cluster under construction ---- */

enum { CLUSTER_POSITIONS_MOST = 64 };

typedef struct cluster {
  ir_context *context;
  arena *memory;
  const model *model;
  const ir_loops *loops;
  int d;
  position place[CLUSTER_POSITIONS_MOST];
  fused_parameter *values;
  size_t room;
  int n_values;
  int n_masses;
  int *mass_of;
  const ir_expr **force;
  int n_others;
  fused_others *others;
  ir_program *program;
} cluster;

/* Writes an index as factor * (cluster index) + *rest. Returns 0 if it has no such form. */
static int position_index(const model_index *index, const position_loops *loops, long *factor,
                          long *rest)
{
  index_form form = index_form_of(index);
  int other = 0;
  for (int i = 0; i < loops->n; i++) {
    const long by = index_form_factor(&form, loops->inner[i], &other);
    const index_form without = index_form_without(&form, loops->inner[i]);
    form = index_form_plus(&without, by * loops->at[i]);
  }
  *factor = index_form_factor(&form, loops->binder, &other);
  form = index_form_without(&form, loops->binder);
  *rest = form.constant;
  return !other && index_form_is_constant(&form);
}

/* The position that a site of a kernel refers to. Returns 0 if the site is no position of a
 * cluster. */
static int position_of(const ir_reference *site, const position_loops *loops, position *p)
{
  *p = (position){.coordinate = site->coordinate->number, .along = -1, .n = site->n_index};
  for (int i = 0; i < site->n_index && i < POSITION_INDICES; i++) {
    long factor = 0;
    if (!position_index(site->index[i], loops, &factor, &p->at[i]) || (factor && p->along >= 0)) {
      return 0;
    }
    p->along = factor ? i : p->along;
    p->factor += factor;
  }
  return p->along >= 0 && p->n <= POSITION_INDICES;
}

/* Compares positions by their order in the model's q, for qsort; 0 if they are the same entry. */
static int position_compare(const void *left, const void *right)
{
  const position *a = left;
  const position *b = right;
  for (int i = 0; i < a->n && a->coordinate == b->coordinate; i++) {
    if (a->at[i] != b->at[i]) {
      return a->at[i] < b->at[i] ? -1 : 1;
    }
  }
  return (a->coordinate > b->coordinate) - (a->coordinate < b->coordinate);
}

/* 1 if two positions can be the same entry of q in two clusters, or move differently from cluster
 * to cluster. */
static int positions_can_meet(const position *a, const position *b)
{
  if (a->coordinate != b->coordinate) {
    return 0;
  }
  if (a->along != b->along || a->factor != b->factor) {
    return 1;
  }
  for (int i = 0; i < a->n; i++) {
    if (i != a->along && a->at[i] != b->at[i]) {
      return 0;
    }
  }
  const long apart = a->at[a->along] - b->at[b->along];
  return apart != 0 && apart % a->factor == 0;
}

/* ---- which positions form one cluster, and which sets enumerate the clusters ---- */

/* Number of a position in the cluster; -1 if it is not one of the cluster's. */
static int cluster_number_of(const cluster *c, const position *p)
{
  for (int i = 0; i < c->d; i++) {
    if (position_compare(&c->place[i], p) == 0) {
      return i;
    }
  }
  return -1;
}

/* 1 if, for all sizes, a set has as many elements as the index set of the first family of
 * constraints. */
static int cluster_counts(const cluster *c, const model_set *set)
{
  const ir_nest *nest = &c->loops->constraints[0].nest;
  const model_set *first = nest->n ? nest->binders[0]->set : set;
  if (!set->is_range || !first->is_range || set->is_dependent) {
    return 0;
  }
  const index_form below = index_form_difference(set->lower, first->lower);
  const index_form above = index_form_difference(set->upper, first->upper);
  return index_form_is_constant(&below) && below.constant == 0 && index_form_is_constant(&above) &&
         above.constant == 0;
}

/* Returns 0 if the position cannot be one of the cluster's. */
static int add_position(cluster *c, const position *p)
{
  for (int i = 0; i < c->d; i++) {
    if (positions_can_meet(&c->place[i], p)) {
      return 0;
    }
  }
  if (cluster_number_of(c, p) < 0) {
    if (c->d == CLUSTER_POSITIONS_MOST) {
      return 0;
    }
    c->place[c->d++] = *p;
  }
  return 1;
}

/* Collects the positions that a family of constraints reads. Returns 0 if they form no cluster. */
static int cluster_positions_collect(cluster *c, const ir_looped_family *family)
{
  const ir_nest *nest = &family->nest;
  int found = nest->n == 1 && !nest->condition && family->fibre == IR_FIBRE_SHIFT_P &&
              cluster_counts(c, nest->binders[0]->set);
  const position_loops loops = {.binder = found ? nest->binders[0] : NULL};
  for (int i = 0; i < family->n_parts && found; i++) {
    const ir_part *part = &family->parts[i];
    position p;
    found = !part->nest.n && !part->nest.condition;
    for (int j = 0; j < part->kernel.n_sites && found; j++) {
      found = position_of(&part->kernel.sites[j], &loops, &p) && add_position(c, &p);
    }
  }
  return found;
}

/* Sets c->d and c->place, in ascending order. Returns 0 if there are no such clusters. */
static int cluster_find_positions(cluster *c)
{
  int found = c->loops->n_constraints <= FUSED_UNKNOWNS_MOST;
  for (int i = 0; i < c->loops->n_constraints && found; i++) {
    found = cluster_positions_collect(c, &c->loops->constraints[i]);
  }
  qsort(c->place, (size_t)c->d, sizeof *c->place, position_compare);
  return found;
}

/* ---- kernels, rewritten in the entries and the parameters of one cluster: names ---- */

static const char *indexed_name(const cluster *c, const char *name, const model_shape *shape,
                                const long at[], int along, long factor)
{
  for (int i = 0; i < shape->n; i++) {
    if (i != along) {
      name = arena_printf(c->memory, "%s.%s", name,
                          model_element_text(c->memory, shape->sets[i], at[i]));
    } else if (factor != 1 && factor != -1) {
      name = arena_printf(c->memory, "%s.%ld", name, model_index_modulo(at[i], labs(factor)));
    }
  }
  return name;
}

/* Name of position i of the cluster, or of its momentum, formed from the name of the coordinate. */
static const char *cluster_position_name(const cluster *c, int i, const char *name)
{
  const position *p = &c->place[i];
  return indexed_name(c, name, &c->model->coordinates[p->coordinate]->shape, p->at, p->along,
                      p->factor);
}

/* ---- parameters ---- */

/* Finds the entry of its array that a value of a kernel is. at[] gets its indices, except the
 * cluster's index, which has the number *along (-1: none). Returns 0 if the entry is not the same
 * for all sizes. */
static int cluster_values_entry_of(const ir_reference *value, const position_loops *loops,
                                   fused_parameter *p, long at[], int *along)
{
  const model_shape *shape = &value->parameter->shape;
  const index_form start = index_form_first(loops->binder->set);
  *along = -1;
  for (int i = 0; i < value->n_index; i++) {
    long factor = 0;
    const index_form first = index_form_first(shape->sets[i]);
    const index_form last = index_form_last(shape->sets[i]);
    /* Only the first index may range over a set of variable length. */
    if (i >= POSITION_INDICES || !position_index(value->index[i], loops, &factor, &at[i]) ||
        !index_form_is_constant(&first) || (i > 0 && !index_form_is_constant(&last)) ||
        (factor && !index_form_is_constant(&start))) {
      return 0;
    }
    const long count = i > 0 ? last.constant - first.constant + 1 : 1;
    *along = factor ? i : *along;
    p->entry = p->entry * count + at[i] + factor * start.constant - first.constant;
    p->by = p->by * count + factor;
  }
  return 1;
}

/* The input for a value of a kernel; NULL if it has none. */
static const ir_expr *value_of(cluster *c, const ir_reference *value, const position_loops *loops)
{
  long at[POSITION_INDICES] = {0};
  int along = -1;
  if (!value->parameter) {
    const int is_number = !value->coordinate && !value->constraint && !value->sum;
    long factor = 0;
    long number = 0;
    return is_number && position_index(value->index[0], loops, &factor, &number) && factor == 0
               ? ir_integer(c->context, number)
               : NULL;
  }
  fused_parameter p = {.array = value->parameter->number};
  if (!cluster_values_entry_of(value, loops, &p, at, &along)) {
    return NULL;
  }
  for (int i = 0; i < c->n_values; i++) {
    const fused_parameter *other = &c->values[i];
    if (other->array == p.array && other->entry == p.entry && other->by == p.by) {
      return ir_input(c->context, IR_K, i);
    }
  }
  const size_t n = (size_t)c->n_values;
  c->values = arena_grow(c->memory, c->values, n, &c->room, sizeof *c->values);
  c->values[n] = p;
  c->values[n].name =
      indexed_name(c, value->parameter->name, &value->parameter->shape, at, along, 1);
  return ir_input(c->context, IR_K, c->n_values++);
}

/* ---- kernels ---- */

/* Rewrites a formula of a kernel in the entries of the cluster. All sites of the kernel must be
 * positions of the cluster. Values of the kernel become parameters of the cluster. Returns NULL if
 * a value cannot be one. */
static const ir_expr *cluster_formula(cluster *c, const ir_kernel *k, const position_loops *loops,
                                      const ir_expr *formula)
{
  const ir_expr **z = ARENA_ARRAY(c->memory, 2 * k->n_sites + 1, const ir_expr *);
  const ir_expr **values = ARENA_ARRAY(c->memory, k->n_values + 1, const ir_expr *);
  for (int i = 0; i < k->n_sites; i++) {
    position p;
    (void)position_of(&k->sites[i], loops, &p);
    z[i] = ir_input(c->context, IR_Z, cluster_number_of(c, &p));
    z[k->n_sites + i] = ir_input(c->context, IR_Z, c->d + cluster_number_of(c, &p));
  }
  for (int i = 0; i < k->n_values; i++) {
    values[i] = value_of(c, &k->values[i], loops);
    if (!values[i]) {
      return NULL;
    }
  }
  formula = ir_substitute(c->context, IR_Z, z, formula);
  return ir_substitute(c->context, IR_K, values, formula);
}

/* Which terms of H act within single clusters, and their forces; which terms make other forces. */

enum { ITERATIONS_MOST = 64 };

/* ---- the loops of a term ---- */

static int cluster_forces_is_fixed(const model_set *set)
{
  const index_form first = index_form_first(set);
  const index_form count = index_form_count(set);
  return !set->is_dependent && index_form_is_constant(&first) && index_form_is_constant(&count);
}

/* Number of iterations of a nest for one cluster, in loops over sets that are fixed for all sizes.
 * Returns 0 if the nest has no loop over the clusters, or too many iterations. */
static long iterations_of(const cluster *c, const ir_nest *nest, position_loops *loops)
{
  long iterations = 1;
  *loops = (position_loops){.binder = NULL};
  for (int i = 0; i < nest->n; i++) {
    const model_binder *binder = nest->binders[i];
    if (!loops->binder && cluster_counts(c, binder->set)) {
      loops->binder = binder;
    } else if (loops->n < POSITION_INNER && cluster_forces_is_fixed(binder->set)) {
      const index_form count = index_form_count(binder->set);
      iterations *= count.constant < ITERATIONS_MOST ? count.constant : ITERATIONS_MOST + 1;
      loops->inner[loops->n++] = binder;
    } else {
      return 0;
    }
  }
  return loops->binder && !nest->condition && iterations <= ITERATIONS_MOST ? iterations : 0;
}

static void go_to(position_loops *loops, long iteration)
{
  for (int i = loops->n; i-- > 0;) {
    const index_form first = index_form_first(loops->inner[i]->set);
    const index_form count = index_form_count(loops->inner[i]->set);
    loops->at[i] = first.constant + iteration % count.constant;
    iteration /= count.constant;
  }
}

/* ---- forces ---- */

static int reads_momenta(const cluster *c, const ir_expr *e)
{
  char *reads = ARENA_ARRAY(c->memory, 2 * c->d + 1, char);
  ir_inputs_read(c->context, IR_Z, 2 * c->d, e, reads);
  return memchr(reads + c->d, 1, (size_t)c->d) != NULL;
}

/* Adds the gradient of the kernel to the forces on the positions of the cluster. Returns 0 if the
 * kernel reads other positions. */
static int add_forces(cluster *c, const ir_kernel *k, const position_loops *loops,
                      const ir_expr *force[])
{
  int place[CLUSTER_POSITIONS_MOST];
  for (int i = 0; i < k->n_sites; i++) {
    position p;
    if (i == CLUSTER_POSITIONS_MOST || !position_of(&k->sites[i], loops, &p) ||
        cluster_number_of(c, &p) < 0) {
      return 0;
    }
    place[i] = cluster_number_of(c, &p);
  }
  for (int e = 0; e < k->gradient.n; e++) {
    const ir_entry *entry = &k->gradient.entries[e];
    if (entry->row >= k->n_sites) {
      continue;
    }
    const ir_expr *slope = cluster_formula(c, k, loops, entry->value);
    if (!slope || reads_momenta(c, slope)) {
      return 0;
    }
    force[place[entry->row]] = ir_plus(c->context, force[place[entry->row]], slope);
  }
  return 1;
}

/* 1 if a term acts within clusters alone; its forces are then added. */
static int acts_within(cluster *c, const ir_part *part)
{
  const ir_expr **force = ARENA_ARRAY(c->memory, c->d, const ir_expr *);
  position_loops loops;
  const long iterations = iterations_of(c, &part->nest, &loops);
  const int n_values = c->n_values;
  int within = iterations > 0;
  memcpy(force, c->force, (size_t)c->d * sizeof *force);
  for (long i = 0; i < iterations && within; i++) {
    go_to(&loops, i);
    within = add_forces(c, &part->kernel, &loops, force);
  }
  if (within) {
    c->force = force;
  } else {
    c->n_values = n_values;
  }
  return within;
}

/* ---- other terms ---- */

static int moves_momenta(const ir_kernel *k)
{
  int moves = 0;
  for (int e = 0; e < k->gradient.n; e++) {
    moves |= k->gradient.entries[e].row < k->n_sites;
  }
  return moves;
}

/* The sets whose emptiness makes a term vanish. */
static fused_others others_of(const cluster *c, const ir_nest *nest)
{
  int *sets = ARENA_ARRAY(c->memory, nest->n + 1, int);
  fused_others others = {.sets = sets};
  for (int i = 0; i < c->model->n_sets; i++) {
    int is_there = 0;
    for (int j = 0; j < nest->n; j++) {
      is_there |= nest->binders[j]->set == c->model->sets[i];
    }
    if (is_there && !c->model->sets[i]->is_dependent) {
      sets[others.n++] = i;
    }
  }
  return others;
}

/* Sets c->force and c->others. */
static void cluster_find_forces(cluster *c)
{
  const ir_looped_family *H = &c->loops->hamiltonian;
  c->others = ARENA_ARRAY(c->memory, H->n_parts + 1, fused_others);
  c->force = ARENA_ARRAY(c->memory, c->d, const ir_expr *);
  for (int i = 0; i < c->d; i++) {
    c->force[i] = ir_integer(c->context, 0);
  }
  for (int i = 0; i < H->n_parts; i++) {
    const ir_part *part = &H->parts[i];
    if (moves_momenta(&part->kernel) && (H->nest.n || !acts_within(c, part))) {
      c->others[c->n_others++] = others_of(c, &part->nest);
    }
  }
}

/* Which positions of a cluster have equal masses for all sizes and parameters. */

static int reads_p(const ir_kernel *k)
{
  for (int e = 0; e < k->hessian.n; e++) {
    if (k->hessian.entries[e].col >= k->n_sites) {
      return 1;
    }
  }
  return 0;
}

/* 1 if index x of the site affects the mass: it is not a single variable, or it is one that a
 * parameter also reads. */
static int tells_mass(const ir_part *part, const ir_reference *site, int x)
{
  const int is_variable = site->index[x]->kind == INDEX_VARIABLE;
  for (int i = 0; i < part->nest.n && is_variable; i++) {
    const model_binder *binder = part->nest.binders[i];
    if (index_reads(site->index[x], binder) && bounds_kernel_reads(&part->kernel, binder)) {
      return 1;
    }
  }
  return !is_variable;
}

/* 1 if the mass of an entry of a coordinate can depend on its index number x. */
static int mass_depends(const model *m, const ir_loops *loops, int coordinate, int x)
{
  const ir_looped_family *H = &loops->hamiltonian;
  int depends = 0;
  for (int i = 0; i < H->n_parts; i++) {
    const ir_kernel *k = &H->parts[i].kernel;
    for (int j = 0; j < k->n_sites && reads_p(k); j++) {
      if (k->sites[j].coordinate == m->coordinates[coordinate]) {
        depends |= tells_mass(&H->parts[i], &k->sites[j], x);
      }
    }
  }
  return depends;
}

/* 1 if the kinetic energy of the loops proves that two positions have equal masses; 0 if it does
 * not prove it. */
static int have_one_mass(const model *m, const ir_loops *loops, const position *a,
                         const position *b)
{
  for (int x = 0; x < a->n && a->coordinate == b->coordinate; x++) {
    if (a->at[x] != b->at[x] && mass_depends(m, loops, a->coordinate, x)) {
      return 0;
    }
  }
  return a->coordinate == b->coordinate;
}

/* ---- masses ---- */

/* Numbers the masses of the positions. Equal masses share a number, so that formulas can factor
 * them out. */
static void number_masses(cluster *c)
{
  c->mass_of = ARENA_ARRAY(c->memory, c->d, int);
  for (int i = 0; i < c->d; i++) {
    int j = 0;
    while (j < i && !have_one_mass(c->model, c->loops, &c->place[i], &c->place[j])) {
      j++;
    }
    c->mass_of[i] = j < i ? c->mass_of[j] : c->n_masses++;
  }
}

/* ---- the program ---- */

static const ir_expr *inverse_mass(const cluster *c, int j)
{
  return ir_input(c->context, IR_K, c->n_values + c->mass_of[j]);
}

/* N_ij = -sum over the masses of w (g_i,q . g_j,q of the positions with inverse mass w). */
static const ir_expr *N_entry(const cluster *c, const ir_expr *const a_z[],
                              const ir_expr *const b_z[])
{
  ir_context *x = c->context;
  const ir_expr *entry = ir_integer(x, 0);
  for (int w = 0; w < c->n_masses; w++) {
    const ir_expr *sum = ir_integer(x, 0);
    const ir_expr *mass = NULL;
    for (int j = 0; j < c->d; j++) {
      if (c->mass_of[j] == w) {
        sum = ir_plus(x, sum, ir_times(x, a_z[j], b_z[j]));
        mass = inverse_mass(c, j);
      }
    }
    entry = ir_minus(x, entry, ir_times(x, mass, ir_held(x, sum)));
  }
  return entry;
}

/* Sets the functions of the program: fields and brackets of g[] with H = sum_j w_j p_j^2/2. */
static void cluster_make_functions(cluster *c, const ir_expr *const g[])
{
  ir_program *p = c->program;
  ir_context *x = c->context;
  const int m = p->nc;
  const int d = p->nq;
  const ir_expr **H_z = ARENA_ARRAY(c->memory, 2 * d, const ir_expr *);
  const ir_expr **flow = ARENA_ARRAY(c->memory, 2 * d, const ir_expr *);
  const ir_expr **rho = ARENA_ARRAY(c->memory, m, const ir_expr *);
  const ir_expr ***g_z = ARENA_ARRAY(c->memory, m, const ir_expr **);
  ir_function *N = &p->functions[IR_NONDEGENERACY];
  *N = (ir_function){m, m, 0, ARENA_ARRAY(c->memory, m * m, ir_entry)};
  for (int i = 0; i < 2 * d; i++) {
    const ir_expr *z = ir_input(x, IR_Z, i);
    H_z[i] = i < d ? ir_integer(x, 0) : ir_held(x, ir_times(x, inverse_mass(c, i - d), z));
    flow[i] = z;
  }
  for (int i = 0; i < m; i++) {
    g_z[i] = ARENA_ARRAY(c->memory, 2 * d, const ir_expr *);
    ir_gradient(x, 2 * d, g[i], g_z[i]);
    rho[i] = ir_bracket(x, d, g_z[i], H_z);
    for (int j = 0; j < d; j++) {
      flow[d + j] = ir_minus(x, flow[d + j], ir_times(x, ir_input(x, IR_LAMBDA, i), g_z[i][j]));
    }
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      const ir_expr *entry = N_entry(c, g_z[i], g_z[j]);
      if (!ir_is_zero(entry)) {
        N->entries[N->n++] = (ir_entry){i, j, entry};
      }
    }
  }
  p->functions[IR_CONSTRAINT] = ir_vector(x, m, g);
  p->functions[IR_HIDDEN] = ir_vector(x, m, rho);
  p->functions[IR_HAMILTONIAN_GRAD] = ir_vector(x, 2 * d, H_z);
  p->functions[IR_FIBRE_FLOW] = ir_vector(x, 2 * d, flow);
  p->functions[IR_CONSTRAINT_JAC] = ir_jacobian(x, &p->functions[IR_CONSTRAINT], IR_Z, 2 * d);
  p->functions[IR_HIDDEN_JAC] = ir_jacobian(x, &p->functions[IR_HIDDEN], IR_Z, 2 * d);
}

/* Returns 0 if the clusters differ by more than entries of parameters. */
static int make_program(cluster *c)
{
  const int m = c->loops->n_constraints;
  const ir_expr **g = ARENA_ARRAY(c->memory, m, const ir_expr *);
  const char **q_names = ARENA_ARRAY(c->memory, c->d, const char *);
  const char **p_names = ARENA_ARRAY(c->memory, c->d, const char *);
  const char **c_names = ARENA_ARRAY(c->memory, m, const char *);
  for (int i = 0; i < m; i++) {
    const ir_looped_family *family = &c->loops->constraints[i];
    g[i] = ir_integer(c->context, 0);
    c_names[i] = family->family->name;
    for (int j = 0; j < family->n_parts; j++) {
      const ir_kernel *k = &family->parts[j].kernel;
      const position_loops loops = {.binder = family->nest.binders[0]};
      const ir_expr *part = cluster_formula(c, k, &loops, k->value);
      if (!part) {
        return 0;
      }
      g[i] = ir_plus(c->context, g[i], part);
    }
  }
  cluster_find_forces(c);
  const char **k_names = ARENA_ARRAY(c->memory, c->n_values + c->n_masses + 1, const char *);
  for (int i = 0; i < c->d; i++) {
    const model_coordinate *of = c->model->coordinates[c->place[i].coordinate];
    q_names[i] = cluster_position_name(c, i, of->name);
    p_names[i] = cluster_position_name(c, i, of->momentum);
    const int w = c->n_values + c->mass_of[i];
    k_names[w] = k_names[w] ? k_names[w] : arena_printf(c->memory, "w.%s", p_names[i]);
  }
  for (int i = 0; i < c->n_values; i++) {
    k_names[i] = c->values[i].name;
  }
  *c->program = (ir_program){.nq = c->d,
                             .nc = m,
                             .nk = c->n_values + c->n_masses,
                             .q_names = q_names,
                             .p_names = p_names,
                             .k_names = k_names,
                             .c_names = c_names};
  cluster_make_functions(c, g);
  return 1;
}

/* Lists the positions that each constraint reads. */
static void list_positions(const cluster *c, fused_cluster *out)
{
  const ir_function *jac = &c->program->functions[IR_CONSTRAINT_JAC];
  const int m = c->program->nc;
  int *n = ARENA_ARRAY(c->memory, m, int);
  const int **columns = ARENA_ARRAY(c->memory, m, const int *);
  for (int i = 0; i < m; i++) {
    int *of_row = ARENA_ARRAY(c->memory, c->d, int);
    for (int e = 0; e < jac->n; e++) {
      if (jac->entries[e].row == i && jac->entries[e].col < c->d) {
        of_row[n[i]++] = jac->entries[e].col;
      }
    }
    columns[i] = of_row;
  }
  out->n_columns = n;
  out->columns = columns;
}

const fused_cluster *fused_cluster_of(ir_context *context, const model *m, const ir_loops *loops,
                                      const char **refusal)
{
  cluster c = {.context = context, .memory = ir_context_arena(context), .model = m, .loops = loops};
  const ir_structure *has = &loops->structure;
  *refusal = !has->separable || !has->holonomic || loops->n_constraints == 0 ||
                     has->mass != IR_MASS_CONSTANT_DIAGONAL
                 ? "it has loops, and not both constraints on the positions alone and H = T(p) + "
                   "V(q) with "
                   "a constant diagonal mass matrix"
             : !cluster_find_positions(&c)
                 ? "its constraints are no small clusters that share no coordinate"
                 : NULL;
  if (*refusal) {
    return NULL;
  }
  number_masses(&c);
  c.program = ARENA_NEW(c.memory, ir_program);
  if (!make_program(&c)) {
    *refusal = "its clusters of constraints differ by more than entries of parameters";
    return NULL;
  }
  fused_cluster *made = ARENA_NEW(c.memory, fused_cluster);
  *made = (fused_cluster){.program = c.program,
                          .n_values = c.n_values,
                          .values = c.values,
                          .n_masses = c.n_masses,
                          .mass_of = c.mass_of,
                          .force = c.force,
                          .n_others = c.n_others,
                          .others = c.others};
  list_positions(&c, made);
  return made;
}
