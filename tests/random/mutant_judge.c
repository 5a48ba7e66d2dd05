/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mutant_judge.c -- what small errors in generated C change, and whether `verify` finds them.
 *
 * Usage: mutant_judge [--step] NAME ORIGINAL [SIZE=VALUE ...] <MUTANTS
 *
 * ORIGINAL is a shared object with sw_model_NAME, sw_witness_of_NAME and the mutants of mutants.py.
 * A line of MUTANTS is the number of a mutant, or 0 and a shared object whose model is one.  For
 * each line prints
 *
 *   NUMBER REACHED OUTPUTS VERDICT
 *
 * REACHED: 1 where the mutant's place is reached while outputs are computed.  OUTPUTS, at a fixed
 * set of points that has nothing to do with those of `verify`: `same`; `scales`, where only scales
 * differ; `other`, where an output differs by more than 1e-9 of itself; `crash`, also for what
 * never ends.  VERDICT: `found` where `verify` fails, `crash`, or `passes`.
 *
 * --step: ORIGINAL has sw_stepper_NAME as well, and the mutants are in it.  OUTPUTS, for calls of
 * the stepper at a fixed set of states, sizes of a step and tolerances: `wider`, if a step is taken
 * that the original refuses; `narrower`, if a step is refused that it takes; `other`, if a step or
 * its multipliers differ; `scales`, if only numbers of iterations or residuals do.
 *
 * Each mutant runs in a process of its own.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/verifier.h"
#include "program/verify.h"
#include "sidewinder/stepper.h"
#include "sim/sim_internal.h"

enum { POINTS = 9, NEAR = 4, MAX_SIZES = 8, MAX_LINE = 4096, PATIENCE = 10, GUARDS = 8 };

/* Bits of the exit status of a process that looks at outputs. */
enum { DIFFERS = 1, SCALES_DIFFER = 2, IS_REACHED = 4, IS_NARROWER = 8, IS_WIDER = 16 };

/* What a block of outputs is: values, a scale or number of iterations, or whether a step is
 * taken. */
enum { VALUES, SCALES, GUARD };

/* An exit status of a process that asks `verify`. */
enum { PASSES = 0, IS_FOUND = 1 };

typedef struct library {
  void *handle;
  const sw_model *model;
  const sw_witness *witness;
  const sw_stepper *stepper; /* NULL where the mutants are not in a step */
  int *mutant;               /* these two NULL where there are no mutants */
  int *reached;
  void (*apply)(void);
} library;

typedef struct setting {
  const char *name;
  int n_sizes;
  sw_size sizes[MAX_SIZES];
} setting;

static void *allocate(size_t n)
{
  void *memory = calloc(n + 1, sizeof(double));
  if (!memory) {
    fputs("out of memory\n", stderr);
    exit(3);
  }
  return memory;
}

static void *symbol(void *handle, const char *prefix, const char *name)
{
  char text[256];
  snprintf(text, sizeof text, "%s%s", prefix, name);
  return dlsym(handle, text);
}

static library library_open(const char *path, const char *name)
{
  library l = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!l.handle) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  l.model = symbol(l.handle, "sw_model_", name);
  l.witness = symbol(l.handle, "sw_witness_of_", name);
  l.mutant = dlsym(l.handle, "sw_mutant");
  l.reached = dlsym(l.handle, "sw_reached");
  void *apply = dlsym(l.handle, "sw_apply");
  memcpy(&l.apply, &apply, sizeof apply);
  if (!l.model) {
    fprintf(stderr, "%s has no model '%s'\n", path, name);
    exit(2);
  }
  return l;
}

static sw_system *system_open(const library *l, const setting *s)
{
  sw_system *system = NULL;
  sw_system_create(l->model, l->model->n_sizes > 0 ? s->n_sizes : 0, s->sizes, &system, NULL);
  return system;
}

/* ---- points ---- */

/* In (-1, 1); the linear congruential generator of Knuth's MMIX. */
static double next_random(unsigned long *state)
{
  *state = *state * 6364136223846793005UL + 1442695040888963407UL;
  return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

typedef struct point {
  double *z;
  double *k;
  double *lambda;
  double *v;
} point;

/* NEAR points are near an initial state, the others anywhere, with entries of either sign; the
 * parameters are the defaults at the first point, and within a third of them, where the bounds
 * allow it, at the others. */
static point point_random(const sw_system *s, int number, unsigned long *random)
{
  const size_t n = 2 * (size_t)s->nq;
  point p = {allocate(n), allocate((size_t)s->nk), allocate((size_t)s->nc), allocate(n)};
  for (int i = 0; i < s->nk; i++) {
    const sw_bounds b = sw_system_bounds(s, i);
    double by = next_random(random) / 3.0;
    double moved = s->k_default[i] != 0.0 ? s->k_default[i] * (1.0 + by) : by;
    p.k[i] = number > 0 && moved > b.lower && moved < b.upper ? moved : s->k_default[i];
  }
  if (s->n_init > 0 && number < NEAR) {
    sw_system_init(s, number % s->n_init, s->k_default, p.z);
  }
  double largest = 0.0;
  for (size_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs(p.z[i]));
  }
  for (size_t i = 0; i < n; i++) {
    double length = s->n_init > 0 && number < NEAR ? 0.1 * largest + 0.01 : 1.0;
    p.z[i] += length * next_random(random);
    p.v[i] = next_random(random);
  }
  for (int i = 0; i < s->nc; i++) {
    p.lambda[i] = 0.1 * next_random(random);
  }
  return p;
}

/* ---- outputs ---- */

/* Blocks of values: one for each function at each point.  Dense, so that patterns count. */
typedef struct blocks {
  int n;
  int room;
  struct {
    double *value;
    size_t count;
    int kind;
  } * at;
} blocks;

static double *append(blocks *b, size_t count, int kind)
{
  if (b->n == b->room) {
    b->room = 2 * b->room + 64;
    b->at = realloc(b->at, (size_t)b->room * sizeof *b->at);
    if (!b->at) {
      exit(3);
    }
  }
  b->at[b->n].value = allocate(count);
  b->at[b->n].count = count;
  b->at[b->n].kind = kind;
  return b->at[b->n++].value;
}

/* Room for n values, of which none has been written, between others that are not to be. */
static double *guarded(size_t n)
{
  double *room = allocate(n + 2 * (size_t)GUARDS);
  for (size_t i = 0; i < n + 2 * (size_t)GUARDS; i++) {
    room[i] = i >= GUARDS && i < GUARDS + n ? NAN : 12345.678;
  }
  return room;
}

/* Values as a dense matrix with a last entry that is not 0 where something outside of their array
 * was written, or the pattern (NULL: a vector) is wrong.  Frees the room. */
static void keep(const sw_pattern *pattern, size_t n, double *room, int is_scale, blocks *b)
{
  size_t count = pattern ? (size_t)pattern->rows * (size_t)pattern->cols : n;
  double *dense = append(b, count + 1, is_scale);
  for (size_t i = 0; i < GUARDS; i++) {
    dense[count] += room[i] != 12345.678 || room[n + GUARDS + i] != 12345.678;
  }
  for (size_t e = 0; e < n; e++) {
    int row = pattern ? pattern->row[e] : (int)e;
    int col = pattern ? pattern->col[e] : 0;
    int is_inside =
        !pattern || (row >= 0 && row < pattern->rows && col >= 0 && col < pattern->cols);
    if (is_inside) {
      dense[pattern ? (size_t)row * (size_t)pattern->cols + (size_t)col : e] += room[GUARDS + e];
    }
    dense[count] += !is_inside;
  }
  free(room);
}

/* A function's values at a point. */
static void dump(const sw_system *s, const sw_output *of, const point *p, const double lambda[],
                 int is_scale, blocks *b)
{
  if (!sw_output_exists(of)) {
    return;
  }
  double *room = guarded((size_t)of->count);
  sw_output_evaluate(s, of, p->z, p->k, lambda, NAN, room + GUARDS);
  keep(of->pattern, (size_t)of->count, room, is_scale, b);
}

/* Discrete gradients between a point and another one. */
static void dump_discrete(const sw_system *s, const point *p, blocks *b)
{
  const struct {
    sw_system_pair_function *function;
    sw_system_pair_lambda_function *lambda_function;
    const sw_pattern *pattern;
  } all[] = {{s->discrete_grad, NULL, NULL},
             {s->discrete_grad_next, NULL, &s->discrete_grad_next_pattern},
             {s->discrete_jac, NULL, &s->discrete_jac_pattern},
             {NULL, s->discrete_jac_next, &s->discrete_jac_next_pattern}};
  const size_t dim = 2 * (size_t)s->nq;
  double *z1 = allocate(dim);
  for (size_t i = 0; i < dim; i++) {
    z1[i] = p->z[i] + 0.3 * p->v[i];
  }
  for (int i = 0; i < 4; i++) {
    size_t n = all[i].pattern ? (size_t)all[i].pattern->entries : dim;
    double *room = guarded(n);
    if (all[i].function) {
      all[i].function(s, p->z, z1, p->k, room + GUARDS);
    } else if (all[i].lambda_function) {
      all[i].lambda_function(s, p->z, z1, p->k, p->lambda, room + GUARDS);
    }
    keep(all[i].pattern, n, room, 0, b);
  }
  free(z1);
}

static void dump_text(const char *text, blocks *b)
{
  size_t n = strlen(text);
  double *value = append(b, n, 0);
  for (size_t i = 0; i < n; i++) {
    value[i] = text[i];
  }
}

static void dump_names(const sw_system *s, blocks *b)
{
  const int counts[] = {s->nq, s->nq, s->nk, s->nc, s->n_observe, s->n_invariant};
  static const sw_name_kind kinds[] = {SW_Q, SW_P, SW_K, SW_C, SW_OBSERVE, SW_INVARIANT};
  char name[SW_NAME_BYTES];
  for (int kind = 0; kind < 6; kind++) {
    for (int i = 0; i < counts[kind]; i++) {
      dump_text(sw_system_name(s, kinds[kind], i, name), b);
    }
  }
  for (int i = 0; i < s->n_init; i++) {
    dump_text(sw_system_init_name(s, i), b);
  }
}

static void dump_run(const sw_model *m, blocks *b)
{
  const double numbers[] = {m->run.step, m->run.t_end, (double)m->run.steps, (double)m->run.every,
                            (double)m->run.compensated};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    *append(b, 1, 0) = isnan(numbers[i]) ? -2.0 : numbers[i];
  }
  dump_text(m->run.method ? m->run.method : "", b);
  dump_text(m->run.base ? m->run.base : "", b);
  dump_text(m->run.compose ? m->run.compose : "", b);
  dump_text(m->run.init ? m->run.init : "", b);
  dump_text(m->name, b);
  for (int i = 0; i < m->n_sizes; i++) {
    *append(b, 1, 0) = (double)m->size_default[i];
  }
}

static void dump_parameters(const sw_system *s, blocks *b)
{
  double *value = append(b, (size_t)s->nk, 0);
  for (int i = 0; i < s->nk; i++) {
    const sw_bounds bounds = sw_system_bounds(s, i);
    value[i] = s->k_default[i];
    *append(b, 1, 0) = isfinite(bounds.lower) ? bounds.lower : copysign(1e300, bounds.lower);
    *append(b, 1, 0) = isfinite(bounds.upper) ? bounds.upper : copysign(1e300, bounds.upper);
    *append(b, 1, 0) = bounds.closed;
  }
}

/* Whether the sizes 0 .. 4 are possible. */
static void dump_refusals(const library *l, blocks *b)
{
  sw_size sizes[MAX_SIZES];
  int n = l->model->n_sizes;
  for (long size = 0; n > 0 && n <= MAX_SIZES && size < 5; size++) {
    sw_system *system = NULL;
    for (int i = 0; i < n; i++) {
      sizes[i] = (sw_size){.name = l->model->size_names[i], .value = size};
    }
    *append(b, 1, 0) = 1.0 + (sw_system_create(l->model, n, sizes, &system, NULL) == SW_OK);
    sw_system_free(&system);
  }
}

static void dump_point(const sw_system *s, const point *p, blocks *b)
{
  static const int others[] = {SW_OUTPUT_GRAD_Q, SW_OUTPUT_CONSTRAINT_SCALE, SW_OUTPUT_GRAD_P,
                               SW_OUTPUT_HIDDEN_SCALE, SW_OUTPUT_FIBRE_INCREMENT};
  double *weights = allocate(SW_OUTPUT_WEIGHTS(s));
  for (int what = SW_WITNESS_HAMILTONIAN; what < SW_WITNESSED; what++) {
    const sw_output of = sw_output_of(s, what);
    dump(s, &of, p, sw_output_argument(s, what, p->lambda, p->v, weights), 0, b);
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    const sw_output of = sw_output_of(s, others[i]);
    dump(s, &of, p, p->lambda, (int)(i % 2), b);
  }
  for (int i = 0; i < s->n_init; i++) {
    const sw_output of = sw_output_init(s, i);
    dump(s, &of, p, p->lambda, 0, b);
  }
  dump_discrete(s, p, b);
  free(weights);
}

/* ---- steps ---- */

/* A call of a stepper. */
typedef struct call {
  double *z;
  double *more; /* NULL where there is none */
  double *k;
  sw_fused f;
} call;

typedef struct calls {
  int n;
  int room;
  call *at;
  size_t dim;
  size_t nc;
  sw_sim *sim;
} calls;

static double *copy_of(const double from[], size_t n)
{
  double *to = allocate(n);
  memcpy(to, from, n * sizeof *to);
  return to;
}

static call *add_call(calls *c, const double z[], double h)
{
  if (c->n == c->room) {
    c->room = 2 * c->room + 64;
    c->at = realloc(c->at, (size_t)c->room * sizeof *c->at);
    if (!c->at) {
      exit(3);
    }
  }
  call *made = &c->at[c->n++];
  const sw_sim *sim = c->sim;
  made->z = copy_of(z, c->dim);
  made->more = sim->plan->n_more ? copy_of(sim->state.more, c->dim) : NULL;
  made->k = copy_of(sim->k, (size_t)sim->system->nk);
  made->f = sw_fused_begin(sim, h);
  return made;
}

/* From a state that the simulation has: with other tolerances, and from states beside it. */
static void add_variants(calls *c, double h, int which, unsigned long *random)
{
  const double *z = c->sim->state.z;
  double *other = copy_of(z, c->dim);
  add_call(c, z, h);
  add_call(c, z, h)->f.floor = 1e-16;
  add_call(c, z, h)->f.most_iterations = 2;
  add_call(c, z, h)->f.tolerance = 1e300;
  for (size_t i = 0; i < c->dim; i++) {
    other[i] *= 1.0 + 0.1 * next_random(random);
  }
  add_call(c, other, h);
  memcpy(other, z, c->dim * sizeof *z);
  other[(size_t)which % c->dim] = NAN;
  add_call(c, other, h);
  free(other);
}

static int start_at(calls *c, const double z[], double h)
{
  sw_status status = sw_sim_set_state(c->sim, 0.0, z);
  if (status == SW_OK && !sw_fused_keeps_pace(c->sim, &c->sim->state.clock, h)) {
    status = sw_sim_step(c->sim, h);
  }
  return status == SW_OK;
}

enum { STATES = 14, STEP_SIZES = 16 };

/* States on M^H, with steps of many sizes from them; none of them depends on a mutant. */
static calls *make_calls(const library *l, sw_system *system)
{
  unsigned long random = 20141027;
  calls *c = allocate(sizeof *c);
  sw_options options;
  sw_options_init(&options);
  options.method = l->stepper->method;
  options.base = l->stepper->base;
  options.compensated = l->stepper->compensated;
  options.solver = "kinsol";
  c->dim = 2 * (size_t)system->nq;
  c->nc = (size_t)system->nc;
  if (sw_sim_create_on(system, &options, &c->sim) != SW_OK) {
    fputs("no simulation for these steps\n", stderr);
    exit(2);
  }
  const double own =
      isfinite(l->model->run.step) && l->model->run.step > 0.0 ? l->model->run.step : 0.01;
  for (int i = 0; i < STATES; i++) {
    const point p = point_random(system, i % NEAR, &random);
    if (sw_sim_set_parameters(c->sim, p.k) != SW_OK ||
        sw_sim_set_state(c->sim, 0.0, p.z) != SW_OK || sw_sim_project(c->sim) != SW_OK) {
      continue;
    }
    double *z = copy_of(sw_sim_state(c->sim), c->dim);
    for (int j = 0; j < STEP_SIZES; j++) {
      const double h = own * exp2(0.7 * (6 - j) + next_random(&random)) * (j % 2 ? -1.0 : 1.0);
      if (start_at(c, z, h)) {
        add_variants(c, h, i * STEP_SIZES + j, &random);
      }
    }
    memset(z, 0, c->dim * sizeof *z);
    add_call(c, z, own);
    free(z);
  }
  return c;
}

static blocks *dump_steps(const library *l, const calls *c)
{
  blocks *b = allocate(sizeof *b);
  double *z = allocate(c->dim);
  double *more = allocate(c->dim);
  double *sum = allocate(c->nc);
  double *kept = allocate((size_t)l->stepper->kept * SW_FUSED_PARTS_MOST);
  for (int i = 0; i < c->n; i++) {
    const call *at = &c->at[i];
    sw_fused f = at->f;
    f.z = z;
    f.k = at->k;
    f.sum = sum;
    f.more = at->more ? more : NULL;
    f.kept = kept;
    memcpy(z, at->z, c->dim * sizeof *z);
    memcpy(more, at->more ? at->more : at->z, c->dim * sizeof *z);
    const int taken = l->stepper->steps(&f, 1) == 1;
    *append(b, 1, GUARD) = taken;
    memcpy(append(b, taken ? c->dim : 0, VALUES), z, (taken ? c->dim : 0) * sizeof *z);
    memcpy(append(b, taken && at->more ? c->dim : 0, VALUES), more,
           (taken && at->more ? c->dim : 0) * sizeof *z);
    memcpy(append(b, taken ? c->nc : 0, VALUES), sum, (taken ? c->nc : 0) * sizeof *z);
    double *found = append(b, 6, SCALES);
    found[0] = 1.0; /* the size that residuals are compared with */
    if (taken) {
      found[1] = (double)f.iterations[0];
      found[2] = (double)f.solves[0];
      found[3] = f.residual_g[0];
      found[4] = f.residual_rho[0];
      found[5] = f.residual_solve[0];
    }
  }
  return b;
}

static const calls *calls_of_steps;

/* NULL where there is no such system. */
static blocks *dump_all(const library *l, const setting *s, const point points[])
{
  if (l->stepper) {
    return dump_steps(l, calls_of_steps);
  }
  blocks *b = allocate(sizeof *b);
  sw_system *system = system_open(l, s);
  if (!system) {
    return NULL;
  }
  dump_names(system, b);
  dump_run(l->model, b);
  dump_parameters(system, b);
  dump_refusals(l, b);
  for (int i = 0; i < POINTS; i++) {
    dump_point(system, &points[i], b);
  }
  return b;
}

/* Which kinds of outputs differ by more than 1e-9 of themselves, and by more than rounding. */
static int difference(const blocks *a, const blocks *b)
{
  int found = a->n == b->n ? 0 : DIFFERS;
  for (int i = 0; i < a->n && a->n == b->n; i++) {
    double largest = 0.0;
    int differs = a->at[i].count != b->at[i].count;
    for (size_t j = 0; j < a->at[i].count && !differs; j++) {
      largest = isfinite(a->at[i].value[j]) ? fmax(largest, fabs(a->at[i].value[j])) : largest;
    }
    for (size_t j = 0; j < a->at[i].count && !differs; j++) {
      double value = a->at[i].value[j];
      double off = fabs(b->at[i].value[j] - value);
      differs = isfinite(value) && !(off <= 1e-9 * fabs(value) + 1e-12 * largest);
    }
    const int is_guard = differs && a->at[i].kind == GUARD;
    const int guard = is_guard && b->at[i].value[0] > a->at[i].value[0] ? IS_WIDER : IS_NARROWER;
    found |= !differs ? 0 : is_guard ? guard : a->at[i].kind == SCALES ? SCALES_DIFFER : DIFFERS;
  }
  return found;
}

/* ---- mutants ---- */

static void put_in(const library *l, int number)
{
  if (l->mutant) {
    *l->mutant = number;
    *l->reached = 0;
    l->apply();
  }
}

static int look(const library *l, int number, const setting *s, const point points[],
                const blocks *right)
{
  put_in(l, number);
  const blocks *b = dump_all(l, s, points);
  int found = b ? difference(right, b) : DIFFERS;
  return found | (l->reached && !*l->reached ? 0 : IS_REACHED);
}

/* What `verify` finds; NULL where there is no such system. */
static sw_finding *findings_of(const library *l, const setting *s, const sw_witness *witness,
                               const char *only)
{
  const sw_verify_options options = {.seed = 1,
                                     .points = l->stepper ? 6 : 4,
                                     .witness = witness,
                                     .stepper = l->stepper,
                                     .only = only};
  sw_finding *findings = allocate((size_t)sw_verify_count() * sizeof *findings);
  sw_system *system = system_open(l, s);
  if (!system || sw_verify_model(system, &options, findings) < 0) {
    return NULL;
  }
  sw_system_free(&system);
  return findings;
}

/* First the witnesses alone, which are quick.  A check counts that passes on what is not broken:
 * invariants of random models need not be ones. */
static int ask(const library *l, int number, const setting *s, const sw_witness *witness,
               const sw_finding right[])
{
  static const char *const stages[] = {"witness", NULL};
  static const char *const step[] = {"straight", NULL};
  put_in(l, number);
  for (int stage = 0; stage < (l->stepper ? 1 : 2); stage++) {
    const sw_finding *findings = findings_of(l, s, witness, (l->stepper ? step : stages)[stage]);
    for (int i = 0; i < sw_verify_count(); i++) {
      if (!findings ||
          (findings[i].outcome == SW_CHECK_FAIL && right[i].outcome != SW_CHECK_FAIL)) {
        return IS_FOUND;
      }
    }
  }
  return PASSES;
}

typedef struct task {
  const library *l;
  int number;
  const setting *s;
  const point *points;
  const blocks *right;
  const sw_witness *witness;
  const sw_finding *found_before; /* by `verify`, in what is not broken */
} task;

/* The exit status of a process of its own, -1 where it crashed or was ended. */
static int in_process(const task *t, int is_question)
{
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(3);
  }
  if (child == 0) {
    alarm(PATIENCE);
    _exit(is_question ? ask(t->l, t->number, t->s, t->witness, t->found_before)
                      : look(t->l, t->number, t->s, t->points, t->right));
  }
  if (waitpid(child, &status, 0) < 0) {
    perror("waitpid");
    exit(3);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void judge(const task *t, const char *label)
{
  int outputs = in_process(t, 0);
  int is_asked = outputs < 0 || (outputs & (DIFFERS | SCALES_DIFFER | IS_NARROWER | IS_WIDER)) ||
                 t->number == 0;
  int verdict = is_asked ? in_process(t, 1) : PASSES;
  printf("%s %d %s %s\n", label, outputs < 0 || (outputs & IS_REACHED),
         outputs < 0                 ? "crash"
         : (outputs & IS_WIDER)      ? "wider"
         : (outputs & IS_NARROWER)   ? "narrower"
         : (outputs & DIFFERS)       ? "other"
         : (outputs & SCALES_DIFFER) ? "scales"
                                     : "same",
         verdict < 0         ? "crash"
         : verdict == PASSES ? "passes"
                             : "found");
}

static void judge_all(const library *original, const setting *s)
{
  unsigned long random = 20140323;
  point points[POINTS];
  char line[MAX_LINE];
  sw_system *system = system_open(original, s);
  if (!system) {
    fprintf(stderr, "%s is not possible at these sizes\n", s->name);
    exit(2);
  }
  for (int i = 0; i < POINTS; i++) {
    points[i] = point_random(system, i, &random);
  }
  calls_of_steps = original->stepper ? make_calls(original, system) : NULL;
  const blocks *right = dump_all(original, s, points);
  const sw_finding *before =
      findings_of(original, s, original->witness, original->stepper ? "straight" : NULL);
  const task first = {original, 0, s, points, right, original->witness, before};
  for (int i = 0; i < sw_verify_count(); i++) {
    if (!before || (before[i].outcome == SW_CHECK_FAIL &&
                    (original->stepper || !strncmp(before[i].name, "witness", 7)))) {
      printf("0 1 same fails\n");
      return;
    }
  }
  while (fgets(line, sizeof line, stdin)) {
    char *end = NULL;
    line[strcspn(line, "\n")] = '\0';
    int number = (int)strtol(line, &end, 10);
    task t = first;
    t.number = number;
    if (*end == ' ') {
      library other = library_open(end + 1, s->name);
      other.stepper = original->stepper ? symbol(other.handle, "sw_stepper_", s->name) : NULL;
      t.l = &other;
      judge(&t, line);
      dlclose(other.handle);
    } else {
      judge(&t, line);
    }
  }
}

int main(int argc, char **argv)
{
  const int is_step = argc > 1 && !strcmp(argv[1], "--step");
  argc -= is_step;
  argv += is_step;
  if (argc < 3 || argc - 3 > MAX_SIZES) {
    fputs("Usage: mutant_judge [--step] NAME ORIGINAL [SIZE=VALUE ...] <MUTANTS\n", stderr);
    return 2;
  }
  setting s = {.name = argv[1]};
  for (int i = 3; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (!equals) {
      fprintf(stderr, "'%s' is no size\n", argv[i]);
      return 2;
    }
    *equals = '\0';
    s.sizes[s.n_sizes++] = (sw_size){.name = argv[i], .value = strtol(equals + 1, NULL, 10)};
  }
  library original = library_open(argv[2], argv[1]);
  original.stepper = is_step ? symbol(original.handle, "sw_stepper_", argv[1]) : NULL;
  if (is_step && !(original.stepper && original.stepper->steps)) {
    fprintf(stderr, "%s has no generated step\n", argv[2]);
    return 2;
  }
  judge_all(&original, &s);
  return 0;
}
