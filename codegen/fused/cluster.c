/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/cluster.h"

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/nest_bounds.h"
#include "fused/cluster_making.h"
#include "fused/position.h"
#include "fused/values.h"

/* Which positions of a cluster have equal masses for all sizes and
 * parameters. */

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

static void make_program(cluster *c)
{
  const int m = c->loops->n_constraints;
  const ir_expr **g = ARENA_ARRAY(c->memory, m, const ir_expr *);
  const char **q_names = ARENA_ARRAY(c->memory, c->d, const char *);
  const char **p_names = ARENA_ARRAY(c->memory, c->d, const char *);
  const char **c_names = ARENA_ARRAY(c->memory, m, const char *);
  for (int i = 0; i < m && !c->refusal; i++) {
    const ir_looped_family *family = &c->loops->constraints[i];
    g[i] = ir_integer(c->context, 0);
    c_names[i] = family->family->name;
    for (int j = 0; j < family->n_parts && !c->refusal; j++) {
      const ir_kernel *k = &family->parts[j].kernel;
      const position_loops loops = {.binder = family->nest.binders[0]};
      const ir_expr *part = cluster_formula(c, k, &loops, k->value);
      c->refusal =
          part ? NULL : "its clusters of constraints differ by more than entries of parameters";
      g[i] = part ? ir_plus(c->context, g[i], part) : NULL;
    }
  }
  if (c->refusal) {
    return;
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
  *refusal = NULL;
  if (!loops->structure.separable || !loops->structure.holonomic || loops->n_constraints == 0 ||
      loops->structure.mass != IR_MASS_CONSTANT_DIAGONAL) {
    *refusal = "it has loops, and not both constraints on the positions alone and H = T(p) + V(q) "
               "with a constant diagonal mass matrix";
  } else {
    cluster_find_positions(&c);
    *refusal = c.refusal;
  }
  if (*refusal) {
    return NULL;
  }
  number_masses(&c);
  c.program = ARENA_NEW(c.memory, ir_program);
  make_program(&c);
  *refusal = c.refusal;
  if (c.refusal) {
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
