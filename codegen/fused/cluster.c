/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/index_form.h"
#include "expr/substitute.h"
#include "fused/mass_of_position.h"
#include "fused/position.h"
#include "fused/values.h"

enum { MOST_POSITIONS = 64 };

static const char shares[] = "its constraints are no small clusters that share no coordinate";

typedef struct cluster {
  ir_context *context;
  arena *memory;
  const model *model;
  const ir_loops *loops;
  int d;
  position place[MOST_POSITIONS];
  fused_parameter *values;
  const char **k_names;
  int n_values;
  int n_masses;
  int mass_of[MOST_POSITIONS];
  ir_program *program;
  const char *refusal;
} cluster;

/* ---- positions ---- */

static int number_of(const cluster *c, const position *p)
{
  for (int i = 0; i < c->d; i++) {
    if (position_compare(&c->place[i], p) == 0) {
      return i;
    }
  }
  return -1;
}

/* Whether a family is one loop over the same range as the first one, without a condition. */
static int is_like_first(const cluster *c, const ir_looped_family *family)
{
  const ir_nest *nest = &family->nest;
  if (nest->n != 1 || nest->condition || family->fibre != IR_FIBRE_SHIFT_P) {
    return 0;
  }
  const model_set *set = nest->binders[0]->set;
  const ir_nest *other = &c->loops->constraints[0].nest;
  const model_set *first = other->n ? other->binders[0]->set : set;
  if (!set->is_range || !first->is_range) {
    return set == first && set->is_range;
  }
  const index_form below = index_form_difference(set->lower, first->lower);
  const index_form above = index_form_difference(set->upper, first->upper);
  return index_form_is_constant(&below) && below.constant == 0 && index_form_is_constant(&above) &&
         above.constant == 0;
}

static void add_position(cluster *c, const position *p)
{
  for (int i = 0; i < c->d; i++) {
    if (positions_can_meet(&c->place[i], p)) {
      c->refusal = shares;
    }
  }
  if (number_of(c, p) >= 0 || c->refusal) {
    return;
  }
  if (c->d == MOST_POSITIONS) {
    c->refusal = shares;
    return;
  }
  c->place[c->d++] = *p;
}

/* The positions of a family. */
static void collect(cluster *c, const ir_looped_family *family)
{
  if (!is_like_first(c, family)) {
    c->refusal = shares;
    return;
  }
  for (int i = 0; i < family->n_parts && !c->refusal; i++) {
    const ir_part *part = &family->parts[i];
    if (part->nest.n || part->nest.condition) {
      c->refusal = shares;
    }
    for (int j = 0; j < part->kernel.n_sites && !c->refusal; j++) {
      position p;
      if (position_of(c->model, &part->kernel.sites[j], family->nest.binders[0], &p)) {
        add_position(c, &p);
      } else {
        c->refusal = shares;
      }
    }
  }
}

/* ---- names ---- */

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

static const char *position_name(const cluster *c, int i, const char *name)
{
  const position *p = &c->place[i];
  return indexed_name(c, name, &c->model->coordinates[p->coordinate]->shape, p->at, p->along,
                      p->factor);
}

/* ---- parameters ---- */

/* Which entry of its array a value is, and in at[] its indices without that of the cluster, which stands at *along, or at none, -1.  0 where
 * that is not the same for all sizes. */
static int entry_of(const ir_reference *value, const model_binder *binder, fused_parameter *p,
                    long at[], int *along)
{
  const model_shape *shape = &value->parameter->shape;
  const index_form start = index_form_first(binder->set);
  *along = -1;
  for (int i = 0; i < value->n_index; i++) {
    const index_form form = index_form_of(value->index[i]);
    int other = 0;
    const long factor = index_form_factor(&form, binder, &other);
    const index_form rest = index_form_without(&form, binder);
    const index_form first = index_form_first(shape->sets[i]);
    const index_form last = index_form_last(shape->sets[i]);
    /* The first index may have any number of elements behind it. */
    if (i >= POSITION_INDICES || other || !index_form_is_constant(&rest) ||
        !index_form_is_constant(&first) || (i > 0 && !index_form_is_constant(&last)) ||
        (factor && !index_form_is_constant(&start))) {
      return 0;
    }
    const long count = i > 0 ? last.constant - first.constant + 1 : 1;
    at[i] = rest.constant;
    *along = factor ? i : *along;
    p->entry = p->entry * count + at[i] + factor * start.constant - first.constant;
    p->by = p->by * count + factor;
  }
  return 1;
}

static int parameter_number(const model *m, const model_parameter *parameter)
{
  int i = 0;
  while (m->parameters[i] != parameter) {
    i++;
  }
  return i;
}

/* The input for a value of a kernel in the loop over that binder; NULL where there is none. */
static const ir_expr *value_of(cluster *c, const ir_reference *value, const model_binder *binder)
{
  long at[POSITION_INDICES] = {0};
  int along = -1;
  if (!value->parameter) {
    const int is_number = !value->coordinate && !value->constraint && !value->sum;
    const index_form form = is_number ? index_form_of(value->index[0]) : (index_form){.linear = 0};
    return index_form_is_constant(&form) ? ir_integer(c->context, form.constant) : NULL;
  }
  fused_parameter p = {parameter_number(c->model, value->parameter), 0, 0};
  if (!entry_of(value, binder, &p, at, &along)) {
    return NULL;
  }
  for (int i = 0; i < c->n_values; i++) {
    const fused_parameter *other = &c->values[i];
    if (other->array == p.array && other->entry == p.entry && other->by == p.by) {
      return ir_input(c->context, IR_K, i);
    }
  }
  c->values[c->n_values] = p;
  c->k_names[c->n_values] =
      indexed_name(c, value->parameter->name, &value->parameter->shape, at, along, 1);
  return ir_input(c->context, IR_K, c->n_values++);
}

/* ---- masses ---- */

/* Numbers the masses of the positions; equal ones get one number, so that formulas have them as a factor. */
static void number_masses(cluster *c)
{
  for (int i = 0; i < c->d; i++) {
    int j = 0;
    while (j < i && !have_one_mass(c->model, c->loops, &c->place[i], &c->place[j])) {
      j++;
    }
    c->mass_of[i] = j < i ? c->mass_of[j] : c->n_masses++;
  }
}

/* ---- the program ---- */

/* A kernel's formula in the entries of the cluster. */
static const ir_expr *in_cluster(cluster *c, const ir_looped_family *family, const ir_kernel *k)
{
  const ir_expr **z = ARENA_ARRAY(c->memory, 2 * k->n_sites + 1, const ir_expr *);
  const ir_expr **values = ARENA_ARRAY(c->memory, k->n_values + 1, const ir_expr *);
  for (int i = 0; i < k->n_sites; i++) {
    position p;
    (void)position_of(c->model, &k->sites[i], family->nest.binders[0], &p);
    z[i] = ir_input(c->context, IR_Z, number_of(c, &p));
    z[k->n_sites + i] = ir_input(c->context, IR_Z, c->d + number_of(c, &p));
  }
  for (int i = 0; i < k->n_values; i++) {
    values[i] = value_of(c, &k->values[i], family->nest.binders[0]);
    if (!values[i]) {
      c->refusal = "its clusters of constraints differ by more than entries of parameters";
      return NULL;
    }
  }
  const ir_expr *formula = ir_substitute(c->context, IR_Z, z, k->value);
  return ir_substitute(c->context, IR_K, values, formula);
}

static ir_function vector(const cluster *c, int n, const ir_expr *const values[])
{
  ir_function f = {.rows = n, .n = n, .entries = ARENA_ARRAY(c->memory, n + 1, ir_entry)};
  for (int i = 0; i < n; i++) {
    f.entries[i] = (ir_entry){i, 0, values[i]};
  }
  return f;
}

static const ir_expr *inverse_mass(const cluster *c, int j)
{
  return ir_input(c->context, IR_K, c->n_values + c->mass_of[j]);
}

/* N_ij = -sum over the masses of w (g_i,q . g_j,q of the positions that have it). */
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

/* Fields and brackets of g[] with H = sum_j w_j p_j^2/2. */
static void make_functions(cluster *c, const ir_expr *const g[])
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
  p->functions[IR_CONSTRAINT] = vector(c, m, g);
  p->functions[IR_HIDDEN] = vector(c, m, rho);
  p->functions[IR_HAMILTONIAN_GRAD] = vector(c, 2 * d, H_z);
  p->functions[IR_FIBRE_FLOW] = vector(c, 2 * d, flow);
  p->functions[IR_CONSTRAINT_JAC] = ir_jacobian(x, &p->functions[IR_CONSTRAINT], IR_Z, 2 * d);
  p->functions[IR_HIDDEN_JAC] = ir_jacobian(x, &p->functions[IR_HIDDEN], IR_Z, 2 * d);
}

static void make_program(cluster *c)
{
  const int m = c->loops->n_constraints;
  const ir_expr **g = ARENA_ARRAY(c->memory, m, const ir_expr *);
  const char **q_names = ARENA_ARRAY(c->memory, c->d, const char *);
  const char **p_names = ARENA_ARRAY(c->memory, c->d, const char *);
  const char **c_names = ARENA_ARRAY(c->memory, m, const char *);
  int most = 0;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < c->loops->constraints[i].n_parts; j++) {
      most += c->loops->constraints[i].parts[j].kernel.n_values;
    }
  }
  c->values = ARENA_ARRAY(c->memory, most + 1, fused_parameter);
  c->k_names = ARENA_ARRAY(c->memory, most + c->d + 1, const char *);
  for (int i = 0; i < m && !c->refusal; i++) {
    const ir_looped_family *family = &c->loops->constraints[i];
    g[i] = ir_integer(c->context, 0);
    c_names[i] = family->family->name;
    for (int j = 0; j < family->n_parts && !c->refusal; j++) {
      const ir_expr *part = in_cluster(c, family, &family->parts[j].kernel);
      g[i] = part ? ir_plus(c->context, g[i], part) : NULL;
    }
  }
  if (c->refusal) {
    return;
  }
  for (int i = 0; i < c->d; i++) {
    const model_coordinate *of = c->model->coordinates[c->place[i].coordinate];
    q_names[i] = position_name(c, i, of->name);
    p_names[i] = position_name(c, i, of->momentum);
    const int w = c->n_values + c->mass_of[i];
    c->k_names[w] = c->k_names[w] ? c->k_names[w] : arena_printf(c->memory, "w.%s", p_names[i]);
  }
  *c->program = (ir_program){.nq = c->d,
                             .nc = m,
                             .nk = c->n_values + c->n_masses,
                             .q_names = q_names,
                             .p_names = p_names,
                             .k_names = c->k_names,
                             .c_names = c_names};
  make_functions(c, g);
}

/* Which positions each constraint reads, and which masses these have. */
static void list_positions(const cluster *c, fused_cluster *out)
{
  int *mass_of = ARENA_ARRAY(c->memory, c->d, int);
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
  memcpy(mass_of, c->mass_of, (size_t)c->d * sizeof *mass_of);
  out->n_masses = c->n_masses;
  out->mass_of = mass_of;
  out->n_columns = n;
  out->columns = columns;
}

const fused_cluster *fused_cluster_of(ir_context *context, const model *m, const ir_loops *loops,
                                      const char **refusal)
{
  cluster c = {.context = context, .memory = ir_context_arena(context), .model = m, .loops = loops};
  *refusal = NULL;
  if (!loops->structure.separable || !loops->structure.holonomic || loops->n_constraints == 0 ||
      loops->structure.mass != IR_MASS_CONSTANT_DIAGONAL) {
    *refusal = "it has loops, and not both constraints on the positions alone and H = T(p) + V(q) "
               "with a constant diagonal mass matrix";
  } else if (loops->n_constraints > FUSED_UNKNOWNS_MOST) {
    *refusal = shares;
  }
  for (int i = 0; i < loops->n_constraints && !c.refusal && !*refusal; i++) {
    collect(&c, &loops->constraints[i]);
  }
  *refusal = *refusal ? *refusal : c.refusal;
  if (*refusal) {
    return NULL;
  }
  qsort(c.place, (size_t)c.d, sizeof *c.place, position_compare);
  number_masses(&c);
  c.program = ARENA_NEW(c.memory, ir_program);
  make_program(&c);
  *refusal = c.refusal;
  if (c.refusal) {
    return NULL;
  }
  fused_cluster *made = ARENA_NEW(c.memory, fused_cluster);
  *made = (fused_cluster){.program = c.program, .n_values = c.n_values, .values = c.values};
  list_positions(&c, made);
  return made;
}
