/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/newton_kinsol.h"

#include <kinsol/kinsol.h>
#include <math.h>
#include <stdlib.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "common/shared_vectors.h"

/* Vectors for KINSOL, all allocated before it asks for them.
 *
 * Sums and maxima run in four lanes, in an order that does not depend on the compiler. */

enum { lanes = 4 };

/* The content of a vector. */
typedef struct {
  double *data;
  sw_vectors *stock;
  int taken;
} content;

struct sw_vectors {
  sunindextype n;
  sw_team *team; /* NULL for one thread */
  int count;
  double *data;      /* count x n */
  content *contents; /* count */
  N_Vector *vectors; /* count */
};

static content *content_of(N_Vector v)
{
  return v->content;
}

static sunindextype length(N_Vector v)
{
  return content_of(v)->stock->n;
}

double *sw_vector_data(N_Vector v)
{
  return content_of(v)->data;
}

static sw_team *team_of(N_Vector v)
{
  return content_of(v)->stock->team;
}

/* Distributes the vector operations over the threads of a team. */
static void sw_vectors_share(sw_vectors *stock, sw_team *team)
{
  stock->team = team;
}

static N_Vector clone(N_Vector v)
{
  return sw_vectors_take(content_of(v)->stock);
}

static void kinsol_vectors_put_back(N_Vector v)
{
  content_of(v)->taken = 0;
}

/* ---- sums and maxima ---- */

static sunrealtype max_norm(N_Vector x)
{
  const double norm = sw_share_max_abs(team_of(x), (size_t)length(x), sw_vector_data(x));

  /* KINSOL compares norms, and every comparison with NaN is false; infinity fails the tests as it
   * should. */
  return isnan(norm) ? (double)INFINITY : norm;
}

/* Two arrays; some sums multiply the entries of the first by those of the second. */
typedef struct arrays {
  const double *a;
  const double *b;
} arrays;

static double products(const void *context, size_t first, size_t end)
{
  const arrays *x = context;
  double sum[lanes] = {0.0};
  size_t i = first;

  for (; i + lanes <= end; i += lanes) {
    for (size_t k = 0; k < lanes; k++) {
      sum[k] += x->a[i + k] * x->b[i + k];
    }
  }
  for (; i < end; i++) {
    sum[0] += x->a[i] * x->b[i];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Adds the partial sums in a fixed order. */
static double sum_of(N_Vector x, sw_part_job *of, const arrays *both)
{
  double part[SW_TEAM_RANGES];
  const int n = sw_share_parts(team_of(x), (size_t)length(x), of, both, part);
  double sum = part[0];

  for (int i = 1; i < n; i++) {
    sum += part[i];
  }
  return sum;
}

static sunrealtype dot_product(N_Vector x, N_Vector y)
{
  const arrays both = {sw_vector_data(x), sw_vector_data(y)};

  return sum_of(x, products, &both);
}

static double squares(const void *context, size_t first, size_t end)
{
  const arrays *x = context;
  double sum[lanes] = {0.0};
  size_t i = first;

  for (; i + lanes <= end; i += lanes) {
    for (size_t k = 0; k < lanes; k++) {
      const double scaled = x->a[i + k] * x->b[i + k];
      sum[k] += scaled * scaled;
    }
  }
  for (; i < end; i++) {
    const double scaled = x->a[i] * x->b[i];
    sum[0] += scaled * scaled;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static sunrealtype weighted_norm(N_Vector x, N_Vector w)
{
  const arrays both = {sw_vector_data(x), sw_vector_data(w)};

  return sqrt(sum_of(x, squares, &both));
}

static double least_of(const void *context, size_t first, size_t end)
{
  const double *a = context;
  double least[lanes] = {a[first], a[first], a[first], a[first]};
  size_t i = first;

  for (; i + lanes <= end; i += lanes) {
    for (size_t k = 0; k < lanes; k++) {
      least[k] = a[i + k] < least[k] ? a[i + k] : least[k];
    }
  }
  for (; i < end; i++) {
    least[0] = a[i] < least[0] ? a[i] : least[0];
  }
  for (int k = 1; k < lanes; k++) {
    least[0] = least[k] < least[0] ? least[k] : least[0];
  }
  return least[0];
}

static sunrealtype smallest(N_Vector x)
{
  double part[SW_TEAM_RANGES];
  const int n = sw_share_parts(team_of(x), (size_t)length(x), least_of, sw_vector_data(x), part);
  double least = part[0];

  for (int i = 1; i < n; i++) {
    least = part[i] < least ? part[i] : least;
  }
  return least;
}

/* ---- operations by component: the result may be one of the arguments ---- */

typedef struct components {
  double a;
  const double *x;
  double b;
  const double *y;
  double *z;
} components;

/* Defines a function with the given head, and the loop body for its threads: z[i] = value. */
#define BY_COMPONENTS(name, head, of, one, other, to, first_factor, second_factor, value)          \
  static void name##_range(void *context, size_t first, size_t end)                                \
  {                                                                                                \
    const components c = *(const components *)context;                                             \
    for (size_t i = first; i < end; i++) {                                                         \
      c.z[i] = value;                                                                              \
    }                                                                                              \
  }                                                                                                \
  static void name head                                                                            \
  {                                                                                                \
    components c = {first_factor, one, second_factor, other, sw_vector_data(to)};                  \
    sw_team_share(team_of(of), (size_t)length(of), name##_range, &c);                              \
  }

#define DATA(v) sw_vector_data(v)
BY_COMPONENTS(linear_sum, (sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z), x,
              DATA(x), DATA(y), z, a, b, c.a *c.x[i] + c.b * c.y[i])
BY_COMPONENTS(constant, (sunrealtype a, N_Vector z), z, NULL, NULL, z, a, 0.0, c.a)
BY_COMPONENTS(product, (N_Vector x, N_Vector y, N_Vector z), x, DATA(x), DATA(y), z, 0.0, 0.0,
              c.x[i] * c.y[i])
BY_COMPONENTS(quotient, (N_Vector x, N_Vector y, N_Vector z), x, DATA(x), DATA(y), z, 0.0, 0.0,
              c.x[i] / c.y[i])
BY_COMPONENTS(scale, (sunrealtype a, N_Vector x, N_Vector z), x, DATA(x), NULL, z, a, 0.0,
              c.a *c.x[i])
BY_COMPONENTS(absolute, (N_Vector x, N_Vector z), x, DATA(x), NULL, z, 0.0, 0.0, fabs(c.x[i]))
BY_COMPONENTS(inverse, (N_Vector x, N_Vector z), x, DATA(x), NULL, z, 0.0, 0.0, 1.0 / c.x[i])

static void set_operations(N_Vector v)
{
  v->ops->nvgetlength = length;
  v->ops->nvclone = clone;
  v->ops->nvdestroy = kinsol_vectors_put_back;
  v->ops->nvmaxnorm = max_norm;
  v->ops->nvdotprod = dot_product;
  v->ops->nvwl2norm = weighted_norm;
  v->ops->nvmin = smallest;
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvconst = constant;
  v->ops->nvprod = product;
  v->ops->nvdiv = quotient;
  v->ops->nvscale = scale;
  v->ops->nvabs = absolute;
  v->ops->nvinv = inverse;
}

sw_vectors *sw_vectors_create(int n, int count, SUNContext context)
{
  sw_vectors *stock = calloc(1, sizeof *stock);

  if (!stock) {
    return NULL;
  }
  stock->n = n;
  stock->count = count;
  stock->data = calloc((size_t)n, (size_t)count * sizeof *stock->data);
  stock->contents = calloc((size_t)count, sizeof *stock->contents);
  stock->vectors = calloc((size_t)count, sizeof(N_Vector));
  int made = stock->data && stock->contents && stock->vectors;
  for (int i = 0; i < count && made; i++) {
    N_Vector v = N_VNewEmpty(context);
    stock->vectors[i] = v;
    made = v != NULL;
    if (made) {
      stock->contents[i] = (content){stock->data + (size_t)i * (size_t)n, stock, 0};
      v->content = &stock->contents[i];
      set_operations(v);
    }
  }
  if (!made) {
    sw_vectors_free(stock);
    return NULL;
  }
  return stock;
}

void sw_vectors_free(sw_vectors *stock)
{
  if (!stock) {
    return;
  }
  for (int i = 0; i < stock->count && stock->vectors; i++) {
    if (stock->vectors[i]) {
      N_VFreeEmpty(stock->vectors[i]);
    }
  }
  free(stock->vectors);
  free(stock->contents);
  free(stock->data);
  free(stock);
}

N_Vector sw_vectors_take(sw_vectors *stock)
{
  for (int i = 0; i < stock->count; i++) {
    if (!stock->contents[i].taken) {
      stock->contents[i].taken = 1;
      return stock->vectors[i];
    }
  }
  return NULL;
}

/* KINSOL with its memory and its vectors.  Only this file and its header include SUNDIALS (versions
 * 6 and 7). */
typedef struct {
  SUNContext context;
  void *no_context[16]; /* see open_context */
  void *kinsol;
  sw_vectors *vectors;
} kinsol_session;

#if SUNDIALS_VERSION_MAJOR < 7
/* KINSetErrFile(NULL) also silences messages, but slowly. */
static void keep_silent(int code, const char *module, const char *function, char *message,
                        void *user)
{
  (void)code;
  (void)module;
  (void)function;
  (void)message;
  (void)user;
}
#endif

/* SUNDIALS 6 creates a log for each context and does not check one of its allocations; if it fails,
 * the program crashes. A context consists only of its log and its profiler, and without them
 * SUNDIALS does not access it, so a zeroed block of memory replaces it. */
#if SUNDIALS_VERSION_MAJOR < 7 && !defined(SUNDIALS_BUILD_WITH_PROFILING)
static int open_context(kinsol_session *s)
{
  s->context = (SUNContext)(void *)s->no_context;
  return 1;
}

static void close_context(kinsol_session *s)
{
  s->context = NULL;
}
#else
static int open_context(kinsol_session *s)
{
#if SUNDIALS_VERSION_MAJOR < 7
  return SUNContext_Create(NULL, &s->context) == 0;
#else
  return SUNContext_Create(SUN_COMM_NULL, &s->context) == 0 &&
         SUNContext_ClearErrHandlers(s->context) == 0;
#endif
}

static void close_context(kinsol_session *s)
{
  if (s->context) {
    SUNContext_Free(&s->context);
  }
}
#endif

/* 1 if a few kilobytes of memory are available: some SUNDIALS functions crash or print a message
 * without them. */
static int session_has_memory(void)
{
  enum { ample = 1 << 16 };
  void *trial = malloc(ample);

  free(trial);
  return trial != NULL;
}

/* Opens a session for n unknowns with a stock of `vectors` vectors, and silences SUNDIALS' output.
 * Returns 0 if memory runs out. Call session_close in any case. */
static int session_open(kinsol_session *s, int n, int vectors)
{
  if (!open_context(s)) {
    return 0;
  }
  /* KINCreate prints a message if its allocation fails; it is called only if memory is
   * available. */
  s->kinsol = session_has_memory() ? KINCreate(s->context) : NULL;
  s->vectors = s->kinsol ? sw_vectors_create(n, vectors, s->context) : NULL;
#if SUNDIALS_VERSION_MAJOR < 7
  return s->vectors && KINSetErrHandlerFn(s->kinsol, keep_silent, NULL) == KIN_SUCCESS;
#else
  return s->vectors != NULL;
#endif
}

static void session_close(kinsol_session *s)
{
  if (s->kinsol) {
    KINFree(&s->kinsol);
  }
  sw_vectors_free(s->vectors);
  close_context(s);
}

/* KINInit allocates five vectors; three are ours. */
enum { VECTORS = 8 };

struct sw_newton {
  int n;
  sw_team *team;
  sw_newton_calls calls;
  kinsol_session session;
  N_Vector u;
  N_Vector weights; /* weights of the unknowns */
  N_Vector ones;    /* weights of the equations, all 1 */
  SUNMatrix J;
  SUNLinearSolver linear;
};

static int newton_kinsol_on_residual(N_Vector u, N_Vector F, void *user)
{
  sw_newton *s = user;

  return s->calls.residual(s->calls.context, sw_vector_data(u), sw_vector_data(F));
}

static int newton_kinsol_on_jacobian(N_Vector u, N_Vector F, SUNMatrix J, void *user,
                                     N_Vector scratch1, N_Vector scratch2)
{
  sw_newton *s = user;

  (void)F;
  (void)J;
  (void)scratch1;
  (void)scratch2;
  return s->calls.jacobian(s->calls.context, sw_vector_data(u));
}

/* The matrix and the linear solver for KINSOL. The matrix is a placeholder: the caller stores the
 * entries, and no n x n array exists. */

static SUNMatrix_ID matrix_id(SUNMatrix J)
{
  (void)J;
  return SUNMATRIX_CUSTOM;
}

/* KINSOL zeroes the matrix before every Jacobian; this is unnecessary, because every entry is
 * overwritten. */
static int keep_matrix(SUNMatrix J)
{
  (void)J;
  return 0;
}

static SUNLinearSolver_Type linear_type(SUNLinearSolver linear)
{
  (void)linear;
  return SUNLINEARSOLVER_DIRECT;
}

/* The caller has already factorised, in on_jacobian. */
static int linear_setup(SUNLinearSolver linear, SUNMatrix J)
{
  (void)linear;
  (void)J;
  return 0;
}

static int linear_solve(SUNLinearSolver linear, SUNMatrix J, N_Vector x, N_Vector b,
                        sunrealtype tolerance)
{
  sw_newton *s = linear->content;
  double *values = sw_vector_data(x);

  (void)J;
  (void)tolerance;
  if (x != b) {
    sw_share_copy(s->team, values, sw_vector_data(b), (size_t)s->n);
  }
  sw_deficient_solve(s->calls.system, values);
  return 0;
}

static int make_objects(sw_newton *s)
{
  kinsol_session *session = &s->session;

  s->J = session_open(session, s->n, VECTORS) ? SUNMatNewEmpty(session->context) : NULL;
  s->linear = s->J ? SUNLinSolNewEmpty(session->context) : NULL;
  if (!s->linear) {
    return 0;
  }
  s->u = sw_vectors_take(session->vectors);
  s->weights = sw_vectors_take(session->vectors);
  s->ones = sw_vectors_take(session->vectors);
  N_VConst(1.0, s->ones);
  s->J->ops->getid = matrix_id;
  s->J->ops->zero = keep_matrix;
  s->linear->content = s;
  s->linear->ops->gettype = linear_type;
  s->linear->ops->setup = linear_setup;
  s->linear->ops->solve = linear_solve;
  return 1;
}

/* Each setting replaces an unsuitable default: a tolerance of 6e-6, a largest Newton step of 1000
 * |u0| or 1, a Jacobian kept for ten iterations, and a step tolerance that mistakes small
 * multipliers for convergence. */
static int newton_kinsol_configure(sw_newton *s, int max_iterations, double target)
{
  void *kinsol = s->session.kinsol;

  return KINInit(kinsol, newton_kinsol_on_residual, s->u) == KIN_SUCCESS &&
         KINSetUserData(kinsol, s) == KIN_SUCCESS &&
         KINSetLinearSolver(kinsol, s->linear, s->J) == KIN_SUCCESS &&
         KINSetJacFn(kinsol, newton_kinsol_on_jacobian) == KIN_SUCCESS &&
         KINSetNumMaxIters(kinsol, max_iterations) == KIN_SUCCESS &&
         KINSetFuncNormTol(kinsol, target) == KIN_SUCCESS &&
         KINSetScaledStepTol(kinsol, 1e-30) == KIN_SUCCESS &&
         KINSetMaxNewtonStep(kinsol, 1e200) == KIN_SUCCESS &&
         KINSetNoResMon(kinsol, SUNTRUE) == KIN_SUCCESS &&
         KINSetMaxSetupCalls(kinsol, 1) == KIN_SUCCESS;
}

sw_newton *sw_newton_create(int n, int max_iterations, double target, sw_newton_calls calls)
{
  sw_newton *s = calloc(1, sizeof *s);

  if (!s) {
    return NULL;
  }
  s->n = n;
  s->calls = calls;
  if (!make_objects(s) || !newton_kinsol_configure(s, max_iterations, target)) {
    sw_newton_free(s);
    return NULL;
  }
  return s;
}

void sw_newton_free(sw_newton *s)
{
  if (!s) {
    return;
  }
  if (s->session.kinsol) {
    KINFree(&s->session.kinsol); /* before the objects that it refers to */
  }
  if (s->linear) {
    SUNLinSolFreeEmpty(s->linear);
  }
  if (s->J) {
    SUNMatFreeEmpty(s->J);
  }
  session_close(&s->session);
  free(s);
}

void sw_newton_share(sw_newton *s, sw_team *team)
{
  s->team = team;
  sw_vectors_share(s->session.vectors, team);
}

double *sw_newton_start(sw_newton *s)
{
  return sw_vector_data(s->u);
}

double *sw_newton_weights(const sw_newton *s)
{
  return sw_vector_data(s->weights);
}

sw_newton_end sw_newton_search(sw_newton *s, int line_search, long *iterations)
{
  const int flag =
      KINSol(s->session.kinsol, s->u, line_search ? KIN_LINESEARCH : KIN_NONE, s->weights, s->ones);

  (void)KINGetNumNonlinSolvIters(s->session.kinsol, iterations);
  if (flag == KIN_LSETUP_FAIL || flag == KIN_LSOLVE_FAIL) {
    return SW_NEWTON_NO_MATRIX;
  }
  return flag == KIN_MAXITER_REACHED ? SW_NEWTON_EXHAUSTED : SW_NEWTON_ENDED;
}
