/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/composer.h"

#include "expr/builders.h"
#include "fused/carry.h"
#include "step/tableau.h"

/* Largest number of velocities whose mass matrix is factorised within the step, as are its
 * derivatives. */
enum { MOST_VELOCITIES = 3 };

/* ---- values of a state ---- */

/* A sum of products w r, where w belongs to the setup. First the w of equal r are added, then the r
 * of equal w. */
typedef struct weighted_sum {
  int n;
  const ir_expr **weight;
  const ir_expr **of;
} weighted_sum;

/* Multiplies the weight, if `by` belongs to the setup, else the rest. */
static void compose_multiply(const composer *c, const ir_expr *by, const ir_expr **weight,
                             const ir_expr **rest)
{
  const ir_expr **to = fused_level(fused_depends(c->values, by)) == FUSED_SETUP ? weight : rest;
  *to = ir_times(c->context, *to, by);
}

static void add_part(composer *c, weighted_sum *sum, const ir_expr *part)
{
  const ir_expr *weight = ir_integer(c->context, 1);
  const ir_expr *rest = weight;
  if (part->kind == IR_SUM && part->n == 1) {
    weight = ir_scale(c->context, part->terms[0].coefficient, weight);
    part = part->terms[0].node;
  }
  for (int i = 0; part->kind == IR_PRODUCT && i < part->n; i++) {
    const ir_factor *f = &part->factors[i];
    compose_multiply(c, ir_pow(c->context, f->base, f->exponent), &weight, &rest);
  }
  if (part->kind != IR_PRODUCT) {
    compose_multiply(c, part, &weight, &rest);
  }
  int i = 0;
  while (i < sum->n && sum->of[i] != rest) {
    i++;
  }
  sum->weight[i] = i < sum->n ? ir_plus(c->context, sum->weight[i], weight) : weight;
  sum->of[i] = rest;
  sum->n = i < sum->n ? sum->n : i + 1;
}

static const ir_expr *whole_sum(composer *c, const char *name, weighted_sum *sum)
{
  const ir_expr *all = composer_zero(c);
  for (int i = 0; i < sum->n; i++) {
    const ir_expr *rest = composer_zero(c);
    for (int j = i; j < sum->n; j++) {
      if (sum->weight[j] == sum->weight[i]) {
        rest = ir_plus(c->context, rest, sum->of[j]);
        sum->of[j] = j > i ? composer_zero(c) : sum->of[j];
      }
    }
    const ir_expr *weight = composer_define(c, "weight", name, sum->weight[i]);
    composer_add(c, &all, weight, ir_held(c->context, rest));
  }
  return all;
}

/* The scale of f_i, sum_j |df_i/dz_j| size_j: its change with the whole state
 * (runtime/model/scale.h). */
static void scales(composer *c, ir_function_id jac, const char *what, const ir_expr *scale[])
{
  const ir_program *p = c->program;
  const ir_function *f = &p->functions[jac];
  for (int i = 0; i < p->nc; i++) {
    weighted_sum of[2];
    const ir_expr *sum[2];
    char *is_moved = ARENA_ARRAY(c->memory, 2 * p->nq + 1, char);
    for (int half = 0; half < 2; half++) {
      of[half] =
          (weighted_sum){.weight = composer_formulas(c, f->n), .of = composer_formulas(c, f->n)};
    }
    for (int e = 0; e < f->n; e++) {
      if (f->entries[e].row == i) {
        const ir_expr *size = ir_apply(c->context, IR_ABS, f->entries[e].value, NULL);
        add_part(c, &of[f->entries[e].col >= p->nq], composer_at(c, size, c->step->z, NULL));
        is_moved[(f->entries[e].col + p->nq) % (2 * p->nq)] = 1;
      }
    }
    if (jac == IR_CONSTRAINT_JAC) {
      c->step->is_moved[i] = is_moved;
    }
    const char *of_half = arena_printf(c->memory, "%s_by", what);
    for (int half = 0; half < 2; half++) {
      sum[half] =
          composer_define(c, of_half, p->c_names[i], whole_sum(c, p->c_names[i], &of[half]));
      if (jac == IR_CONSTRAINT_JAC) {
        c->step->slopes_of_g[half][i] = sum[half];
      }
      sum[half] = ir_times(c->context, half ? c->step->size_p : c->step->size_q, sum[half]);
    }
    scale[i] = composer_define(c, what, p->c_names[i], ir_plus(c->context, sum[0], sum[1]));
  }
}

/* The scales of g, and of rho if steps end on M^H, and N with its pivots. */
static void find_N(composer *c)
{
  fused_step *s = c->step;
  scales(c, IR_CONSTRAINT_JAC, "scale_g", s->scale_g);
  if (c->method->on_hidden) {
    scales(c, IR_HIDDEN_JAC, "scale_rho", s->scale_rho);
  }
  composer_find_N(c, "N", s->z, &s->N);
  fused_matrix N = s->N;
  composer_factorise(c, "N", "N", &N);
  for (int i = 0; i < s->m; i++) {
    s->N_pivot[i] = N.at[i][i];
  }
}

/* ---- a phase ---- */

/* Adds the unknown of multiplier j, and sets the inputs of the fibre flow that depend on it. */
static void add_multiplier(composer *c, int j, const ir_expr *lambda[])
{
  const ir_program *p = c->program;
  fused_phase *phase = c->phase;
  const ir_expr *rate = c->flow.rate[j];
  const char *name = arena_printf(c->memory, "along_%s", p->c_names[j]);
  if (!rate) {
    lambda[j] = composer_unknown(c, name, "h lambda", composer_zero(c));
    return;
  }
  if (!composer_has_room(c)) {
    return;
  }
  phase->guess[phase->n] = composer_zero(c);
  phase->unknown[phase->n++] = fused_angle(c->values, name, &lambda[p->nc + 2 * j],
                                           &lambda[p->nc + 2 * j + 1], &phase->per_angle[j]);
  const ir_expr *per_arctan =
      ir_times(c->context, ir_integer(c->context, 2),
               ir_power(c->context, composer_at(c, rate, NULL, NULL), -1, 1));
  phase->per_arctan[j] = composer_define(c, "per_arctan", p->c_names[j], per_arctan);
}

/* N where a slide ends that does not lead to M^H, if constraints depend on momenta: general steps
 * examine N along such slides (sw_check_slide in runtime/checks/step_check.h). */
static void find_N_slid(composer *c)
{
  fused_step *s = c->step;
  int depends = 0;
  for (int i = 0; i < s->m; i++) {
    depends |= !ir_is_zero(s->slopes_of_g[1][i]);
  }
  if (!depends || c->method->on_hidden || c->refusal) {
    return;
  }
  fused_matrix N;
  composer_find_N(c, "N_slid", c->z, &N);
  composer_factorise(c, "N", "N_slid", &N);
  for (int i = 0; i < s->m; i++) {
    s->slid_pivot[i] = N.at[i][i];
  }
}

/* Slides along the fibre. If only the end of the step follows, it is built from increments, so rho
 * may be affine in the unknowns. */
static void slide(composer *c, const sw_operation *o)
{
  const ir_program *p = c->program;
  const int is_last = o[1].kind == SW_REQUIRE_RHO;
  const ir_expr **lambda = composer_formulas(c, 3 * p->nc);
  const ir_expr **slid = composer_formulas(c, 2 * p->nq);
  if (p->nc == 0) {
    return;
  }
  for (int j = 0; j < p->nc && !c->refusal; j++) {
    add_multiplier(c, j, lambda);
  }
  c->phase->m = p->nc;
  for (int i = 0; i < 2 * p->nq && !c->refusal; i++) {
    const char *name = composer_name(c, i);
    const ir_expr *by = c->by ? composer_at(c, carry_of_slide(c, i), c->z, lambda) : NULL;
    if (by && !ir_is_zero(by)) {
      c->by[i] = carry_more(c, i, by);
    }
    slid[i] = by && ir_is_zero(by) ? c->z[i]
              : by && !is_last
                  ? carry_reached(c, i, arena_printf(c->memory, "%s_slid", name), c->by[i])
                  : composer_define(c, name, "slid", composer_at(c, c->flow.z[i], c->z, lambda));
  }
  c->z = slid;
  find_N_slid(c);
}

/* Ends the first half of a step. The second half reads the state reached from the location of the
 * start. */
static void cut(composer *c)
{
  fused_step *s = c->step;
  const ir_expr **again = composer_formulas(c, 2 * s->d);
  for (int i = 0; i < 2 * s->d; i++) {
    again[i] = fused_renewed(c->values, s->z[i]);
  }
  s->reached = c->z;
  c->z = again;
}

static void compose_close_phase(composer *c, const sw_operation *o)
{
  fused_step *s = c->step;
  fused_phase *phase = c->phase;
  const int hidden = o->kind == SW_REQUIRE_RHO;
  phase->multiplier = *c->multiplier++;
  if (c->z != c->start) {
    c->before = c->start;
  }
  if (phase->n == 0 && s->n_phases > 0) {
    c->start = c->z;
    return; /* nothing to solve for since the last phase */
  }
  phase->hidden = hidden;
  for (int i = 0; i < phase->m; i++) {
    if (hidden) {
      composer_hide(c, i, composer_value(c, IR_HIDDEN, i, c->z));
    } else {
      composer_hold(c, i, i,
                    c->by ? carry_residual(c, i, 1.0, c->z, c->by)
                          : composer_value(c, IR_CONSTRAINT, i, c->z));
    }
  }
  composer_change(c);
  if (c->by) {
    carry_end_early(c, o + 1);
  }
  if (c->is_cut && s->n_phases == 0) {
    cut(c);
  }
  composer_mark_early(c, o + 1);
  if (s->advances == c->values->phase) {
    composer_renew_place(c);
  }
  composer_next_phase(c);
}

/* ---- the step ---- */

/* c->z <- a weighted sum of the start of the last phase, its end, and the previous state. */
static void combine(composer *c, const sw_operation *o)
{
  const sw_combination *by = &o->combination;
  const int dim = 2 * c->step->d;
  const ir_expr **sum = composer_formulas(c, dim);
  for (int i = 0; i < dim; i++) {
    const int half = i >= c->step->d;
    sum[i] = ir_plus(c->context, composer_scaled(c, by->now[half], c->z[i]),
                     composer_scaled(c, by->before[half], c->before[i]));
    if (by->earlier[half] != 0.0) {
      sum[i] =
          ir_plus(c->context, sum[i], composer_scaled(c, by->earlier[half], c->step->z[dim + i]));
    }
    sum[i] = composer_define(c, composer_name(c, i), "combined", sum[i]);
  }
  c->z = c->start = sum;
  c->multiplier++;
}

/* Adds the other components of a state: its carry if the step is compensated, else the previous
 * state. */
static void begin_beside(composer *c)
{
  fused_step *s = c->step;
  const int compensated = c->compensated;
  const int dim = 2 * s->d;
  c->by = compensated ? composer_formulas(c, dim) : NULL;
  for (int i = 0; i < dim; i++) {
    const char *what = compensated ? "carry" : "earlier";
    const char *name = arena_printf(c->memory, "%s_%s", what, composer_name(c, i));
    s->z[dim + i] = fused_given(c->values, FUSED_Z, name, "");
    if (compensated) {
      c->by[i] = composer_zero(c);
    }
  }
}

static void begin(composer *c)
{
  const ir_program *p = c->program;
  fused_step *s = ARENA_NEW(c->memory, fused_step);
  fused_values *f = fused_values_create(c->context);
  c->step = s;
  c->multiplier = c->method->multiplier;
  c->flow = p->nc ? fused_flow_of(c->context, p) : (fused_flow){NULL, NULL};
  *s = (fused_step){.values = f, .d = p->nq, .m = p->nc, .nk = p->nk, .advances = -1};
  s->dim = (c->compensated || c->method->earlier ? 4 : 2) * p->nq;
  c->values = f;
  c->phase = s->phase;
  s->is_early = ARENA_ARRAY(c->memory, s->dim, char);
  s->k = composer_formulas(c, p->nk);
  s->z = composer_formulas(c, s->dim);
  s->end = composer_formulas(c, s->dim);
  for (int i = 0; i < p->nk; i++) {
    s->k[i] = fused_given(f, 0, p->k_names[i], "");
  }
  s->h = fused_given(f, FUSED_H, "h", "size of the step");
  for (int i = 0; i < 2 * p->nq; i++) {
    s->z[i] = fused_given(f, FUSED_Z, composer_name(c, i), "");
  }
  s->size_q = fused_given(f, FUSED_Z, "size_q", "max |q|");
  s->size_p = fused_given(f, FUSED_Z, "size_p", "max |p|");
  c->z = c->start = c->before = s->z;
  if (s->dim > 2 * s->d) {
    begin_beside(c);
  }
}

/* Numbers the connected blocks of N in the order of their first constraints. If there are several
 * blocks, each pivot of a solve must keep its sign. */
static void find_blocks(composer *c)
{
  fused_step *s = c->step;
  const ir_expr **N = composer_formulas(c, s->m * s->m);
  for (int e = 0; e < s->m * s->m; e++) {
    N[e] = s->N.at[e / s->m][e % s->m];
  }
  const int *first = composer_blocks(c, s->m, N);
  for (int i = 0; i < s->m; i++) {
    s->block[i] = first[i] == i ? s->n_blocks++ : s->block[first[i]];
  }
  for (int i = 0; i < s->n_phases && s->n_blocks > 1; i++) {
    fused_phase *p = &s->phase[i];
    p->keeps_pivots |= p->m > 0 && p->n_pivots == p->n;
  }
}

static void finish(composer *c)
{
  const ir_program *p = c->program;
  fused_step *s = c->step;
  for (int i = 0; i < 2 * s->d; i++) {
    if (c->by && !s->end[i]) {
      carry_end(c, i);
    }
  }
  for (int i = 0; i < s->dim && !c->by; i++) {
    s->end[i] = i < 2 * s->d ? c->z[i] : s->z[i - 2 * s->d];
  }
  c->z = s->end;
  for (int i = 0; i < p->nc; i++) {
    s->g[i] = composer_define(c, "g", p->c_names[i], composer_value(c, IR_CONSTRAINT, i, c->z));
    s->rho[i] = composer_define(c, "rho", p->c_names[i], composer_value(c, IR_HIDDEN, i, c->z));
  }
  find_blocks(c);
}

/* Forces at the state, where the step starts or is cut, if the base has any. */
static void find_forces(composer *c)
{
  fused_step *s = c->step;
  s->force = c->base->force ? composer_formulas(c, s->d) : NULL;
  for (int i = 0; i < s->d && s->force; i++) {
    s->force[i] = fused_compute_as(c->values, composer_at(c, c->base->force[i], s->z, NULL), "H_%s",
                                   c->program->q_names[i]);
  }
}

/* The operations of methods. Compensated steps are written for those that carry alone. */
static const struct {
  void (*compose)(composer *c, const sw_operation *o);
  int carries;
} operations[] = {
    [SW_FIBRE] = {slide, 1},
    [SW_BASE] = {composer_stages, 1},
    [SW_FORCED] = {composer_stages, 1},
    [SW_COMBINE] = {combine, 0},
    [SW_LEGENDRE] = {composer_legendre, 0},
    [SW_DISCRETE] = {composer_discrete, 0},
    [SW_REQUIRE_G] = {compose_close_phase, 1},
    [SW_REQUIRE_RHO] = {compose_close_phase, 1},
};

static void compose_operations(composer *c)
{
  for (const sw_operation *o = c->method->operation;
       o->kind != SW_END && !c->refusal && !ir_is_spent(c->context); o++) {
    if (c->by && !operations[o->kind].carries) {
      c->refusal = "compensated steps are written out of fibres and stages alone";
    } else {
      operations[o->kind].compose(c, o);
    }
  }
  c->refusal = c->refusal                ? c->refusal
               : ir_is_spent(c->context) ? "its formulas are too long"
                                         : NULL;
}

static void check_cut(composer *c)
{
  if (c->is_cut && (c->step->n_phases != 2 || c->step->advances != 0)) {
    c->refusal =
        "it has loops, and the step is not a slide onto M^H behind one with the base method";
  }
}

/* ---- the passes ---- */

/* The method does not apply to the model; the runtime rejects it as well (runtime/sim/choice.c). */
static void check_method(composer *c)
{
  const ir_program *p = c->program;
  const ir_structure *has = &p->structure;
  const sw_tableau *base = c->base->tableau;
  const unsigned needs = c->method->needs;
  const char *what =
      needs & SW_NEEDS_BATH ? "general steps, because they contain noise"
      : (needs & SW_NEEDS_HOLONOMIC) && !has->holonomic ? "constraints on the positions alone"
      : (needs & SW_NEEDS_CONSTANT_MASS) && !(has->separable && has->mass != IR_MASS_GENERAL)
          ? "H = T(p) + V(q) with a constant mass matrix"
      : (needs & SW_NEEDS_LOBATTO) && !(base && sw_tableau_is_lobatto(base))
          ? "base methods with a stage at either end, such as lobatto-4"
      : (needs & SW_NEEDS_LINEAR) && p->nc && has->degree_g != 1
          ? "constraints that are linear in the positions"
      : (needs & SW_NEEDS_INVERTIBLE) && !(base && sw_tableau_is_invertible(base))
          ? "base methods with invertible coefficients, such as gauss-4"
          : NULL;
  c->refusal =
      what ? arena_printf(c->memory, "the method %s is for %s", c->method->name, what) : NULL;
}

/* The model has no step of this kind. */
static void check_model(composer *c)
{
  const ir_program *p = c->program;
  if (p->nc && !p->functions[IR_FIBRE_FLOW].rows) {
    c->refusal = "its fibre flow has no closed form";
  } else if (p->structure.solved > MOST_VELOCITIES) {
    c->refusal =
        arena_printf(c->memory, "its mass matrix, of %d velocities, is factorised at each state",
                     p->structure.solved);
  } else if (p->nc > FUSED_UNKNOWNS_MOST) {
    c->refusal = arena_printf(c->memory, "it has more than %d constraints", FUSED_UNKNOWNS_MOST);
  }
}

/* The passes over a step. The first that refuses is the last. */
static void (*const passes[])(composer *c) = {
    check_model, check_method, begin, find_N, compose_operations, check_cut, finish, find_forces};

const fused_step *fused_step_compose(ir_context *context, const ir_program *p,
                                     const sw_method *method, const fused_base *base,
                                     int compensated, fused_shape shape, const char **refusal)
{
  composer c = {.context = context,
                .memory = ir_context_arena(context),
                .program = p,
                .method = method,
                .base = base,
                .compensated = compensated,
                .may_advance = shape != FUSED_AT_ONCE,
                .is_cut = shape == FUSED_CUT};
  for (size_t i = 0; i < sizeof passes / sizeof *passes && !c.refusal; i++) {
    passes[i](&c);
  }
  *refusal = c.refusal;
  return c.refusal ? NULL : c.step;
}
