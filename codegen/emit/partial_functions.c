/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial_functions.c -- the functions in H that are undefined at some states; for the message
 * that H is not finite at the start.
 */
#include "emit/model_source.h"
#include "expr/derivative.h"
#include "expr/expr_formula.h"
#include "expr/sign.h"
#include "expr/substitute.h"

/* MOST: listed functions. LONGEST: nodes of a function that is written out. */
enum { MOST = 24, LONGEST = 60 };

typedef struct collection {
  writer *w;
  arena *memory;
  ir_context *c;
  const ir_program *p;
  ir_names names;
  const ir_expr **plain; /* by id: formulas without IR_HOLD, so that their terms cancel */
  unsigned n_plain;
  char *visited; /* by id */
  unsigned n_visited;
  int n;
} collection;

static const ir_expr *plain(void *data, const ir_expr *e)
{
  collection *k = data;
  if (e->id >= k->n_plain) {
    return e;
  }
  if (!k->plain[e->id]) {
    k->plain[e->id] = e->kind == IR_CALL && e->call == IR_HOLD ? plain(k, e->arguments[0])
                                                               : ir_rebuilt(k->c, e, plain, k);
  }
  return k->plain[e->id];
}

/* Number of nodes of e, written out; stops beyond `most`. */
static int length(const ir_expr *e, int most)
{
  int sum = 1;
  for (int i = 0; i < e->n && sum <= most; i++) {
    sum += length(ir_operand(e, i), most - sum);
  }
  return sum;
}

static void partial_functions_list(collection *k, const ir_expr *function)
{
  const int dim = 2 * k->p->nq;
  if (k->n == MOST || !ir_reads_state(k->c, function) || length(function, LONGEST) > LONGEST) {
    return;
  }
  k->n++;
  char *reads = ARENA_ARRAY(k->memory, dim, char);
  ir_inputs_read(k->c, IR_Z, dim, function, reads);
  writer_printf(k->w, "    {\"%s\", \"",
                formula_text(k->memory, SPELL_ASCII, ir_formula(k->memory, &k->names, function)));
  for (int i = 0; i < dim; i++) {
    if (reads[i]) {
      writer_printf(k->w, " %s", i < k->p->nq ? k->p->q_names[i] : k->p->p_names[i - k->p->nq]);
    }
  }
  writer_printf(k->w, " \"},\n");
}

static void partial_functions_collect(collection *k, const ir_expr *e)
{
  if (e->id >= k->n_visited || k->visited[e->id]) {
    return;
  }
  k->visited[e->id] = 1;
  for (int i = 0; i < e->n; i++) {
    partial_functions_collect(k, ir_operand(e, i));
    if (e->kind != IR_PRODUCT) {
      continue;
    }
    const ir_factor *f = &e->factors[i];
    const int has_pole = mpq_sgn(f->exponent) < 0 && ir_may_vanish(k->p, f->base);
    const int is_root =
        mpz_cmp_ui(mpq_denref(f->exponent), 1) != 0 && ir_may_be_negative(k->p, f->base);
    if (has_pole || is_root) {
      partial_functions_list(k, ir_pow(k->c, f->base, f->exponent));
    }
  }
  if (e->kind == IR_CALL && (e->call == IR_LOG || e->call == IR_ASIN || e->call == IR_ACOS ||
                             e->call == IR_POW || e->call == IR_TAN)) {
    partial_functions_list(k, e);
  }
}

void emit_partial_functions(writer *w, arena *a, ir_context *c, const ir_program *p)
{
  writer_printf(w, "static const sw_partial_function partial[] = {\n");
  if (p && p->functions[IR_HAMILTONIAN].n > 0) {
    collection k = {.w = w, .memory = a, .c = c, .p = p, .n_plain = ir_context_size(c)};
    k.names = ir_program_names(a, SPELL_ASCII, p);
    k.plain = ARENA_ARRAY(a, k.n_plain, const ir_expr *);
    const ir_expr *H = plain(&k, p->functions[IR_HAMILTONIAN].entries[0].value);
    k.n_visited = ir_context_size(c);
    k.visited = ARENA_ARRAY(a, k.n_visited, char);
    partial_functions_collect(&k, H);
  }
  writer_printf(w, "    {NULL, NULL}};\n\n");
}
