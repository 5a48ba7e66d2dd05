/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/step_source.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- values ---- */

static const char *name_at(const step_source *s, int i)
{
  return s->names.of[IR_VALUE][i];
}

static int is_setup(const fused_value *v)
{
  return fused_level(v->reads) == FUSED_SETUP;
}

static int is_bias(const step_source *s, int i)
{
  const ir_expr *const *bias = s->step->bias;
  return bias[0] && (bias[0]->index == i || bias[1]->index == i);
}

const char *step_member(const step_source *s, const ir_expr *node)
{
  const fused_value *v = fused_of(s->step->values, node);
  if (!v) {
    const ir_code *code = ir_code_create(s->context, 1, &node, NULL, NULL);
    return arena_printf(s->memory, "SW_SPREAD(%s)",
                        emit_expression(s->memory, &s->names, code->outputs[0], 0));
  }
  return arena_printf(s->memory, "%s->%s", is_setup(v) ? "s" : "w", name_at(s, node->index));
}

const char *step_name(const step_source *s, const ir_expr *node)
{
  return fused_of(s->step->values, node) ? name_at(s, node->index) : step_member(s, node);
}

const char *step_times_per_arctan(const step_source *s, const fused_phase *p, int j)
{
  const ir_expr *per = p->per_arctan[j];
  return per && per != ir_integer(s->context, 1)
             ? arena_printf(s->memory, " * %s", step_member(s, per))
             : "";
}

const char *step_weighted(const step_source *s, double weight, const char *text)
{
  return weight == 1.0 ? text
                       : arena_printf(s->memory, "%s * %s", writer_double(s->memory, weight), text);
}

/* ---- a function ---- */

/* Writes (void)s; for arguments that the texts do not mention. */
static const char *step_block_unused(const step_source *s, const char *head, const char *body)
{
  static const char *const names[] = {"s", "w"};
  const char *text = "";
  for (int i = 0; i < 2; i++) {
    if (!writer_mentions(head, names[i]) && !writer_mentions(body, names[i])) {
      text = arena_printf(s->memory, "%s  (void)%s;\n", text, names[i]);
    }
  }
  return text;
}

void step_open(step_source *s, const char *comment, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (*comment) {
    writer_statement(s->w, 0, "/* %s */", comment);
  }
  writer_printf(s->w, "static inline %s\n{\n", arena_vprintf(s->memory, format, args));
  va_end(args);
}

void step_close(step_source *s)
{
  writer_printf(s->w, "}\n\n");
}

void step_function(step_source *s, const char *comment, const char *result, const char *name,
                   const char *head, const char *body)
{
  const char *rest = step_block_unused(s, head, body);
  step_open(s, comment, "%s %s(const setup *s, work *w%s)", result, name,
            writer_mentions(body, "busy") ? ", truth busy" : "");
  writer_printf(s->w, "%s%s%s%s", head, rest, (*head || *rest) && *body ? "\n" : "", body);
  step_close(s);
}

static const ir_expr *step_block_formula_of(const step_source *s, int block, int i)
{
  return fused_formula_in(s->blocks, s->step->values, block, i);
}

/* The depth of each value: the length of the longest chain of earlier values of the block. */
static int *depths(const step_source *s, int block, int *deepest)
{
  const fused_values *f = s->step->values;
  const char *in = s->blocks->is_in[block];
  int *depth = ARENA_ARRAY(s->memory, f->n + 1, int);
  *deepest = 0;
  for (int i = 0; i < f->n; i++) {
    if (!in[i]) {
      continue;
    }
    const fused_list reads = fused_reads(f, step_block_formula_of(s, block, i));
    for (int e = 0; e < reads.n && reads.at[e] < i; e++) {
      const int j = reads.at[e];
      depth[i] = in[j] && depth[i] <= depth[j] ? depth[j] + 1 : depth[i];
    }
    *deepest = depth[i] > *deepest ? depth[i] : *deepest;
  }
  return depth;
}

/* The text of a value's formula; a constant is spread to all lanes. */
static const char *step_block_formula_text(const step_source *s, arena *a, const ir_expr *formula,
                                           const ir_op *op)
{
  const char *text = emit_expression(a, &s->names, op, 0);
  return fused_reads(s->step->values, formula).n ? text : arena_printf(a, "SW_SPREAD(%s)", text);
}

/* Sets op->wait, the depth of the values of the block that an operation needs; 0 if it needs none.
 * Sorts the terms of sums by it, so that few additions remain when the last term is ready. A term
 * that is not subtracted stays in front, and a literal keeps its position: for a sum of squares
 * minus a number nearly equal to it, the squares are added first. */
static void put_in_order(ir_op *op, const char in[], const int depth[])
{
  if (op->wait >= 0) {
    return;
  }
  op->wait =
      op->kind == OP_INPUT && op->space == IR_VALUE && in[op->index] ? depth[op->index] + 1 : 0;
  for (int i = 0; i < op->n; i++) {
    ir_op *arg = op->arg[i];
    put_in_order(arg, in, depth);
    op->wait = arg->wait > op->wait ? arg->wait : op->wait;
    const ir_op *size = arg->kind == OP_NEG ? arg->arg[0] : arg;
    int j = op->kind == OP_ADD && size->kind != OP_LITERAL ? i : 0;
    while (j > 0 && op->arg[j - 1]->wait > arg->wait && (j > 1 || arg->kind != OP_NEG)) {
      op->arg[j] = op->arg[j - 1];
      j--;
      op->arg[j] = arg;
    }
  }
}

/* Writes the values of a block of one depth: shared parts as temporaries, then each value. */
static void write_layer(step_source *s, writer *body, int block, const int depth[], int layer,
                        int *temporaries, ir_code *all)
{
  const fused_values *f = s->step->values;
  const char *in = s->blocks->is_in[block];
  const ir_expr **formulas = ir_zeros((size_t)f->n + 1, sizeof *formulas);
  int n = 0;
  for (int i = 0; i < f->n; i++) {
    if (in[i] && depth[i] == layer) {
      formulas[n++] = step_block_formula_of(s, block, i);
    }
  }
  arena *scratch = arena_create();
  const ir_code *code = ir_code_create_in(scratch, s->context, n, formulas, NULL, NULL);
  free(formulas);
  for (int i = 0; i < n; i++) {
    put_in_order(code->outputs[i], in, depth);
  }
  s->is_beyond |= code->beyond != NULL;
  all->additions += code->additions;
  all->products += code->products;
  all->quotients += code->quotients;
  all->calls += code->calls;
  s->operations += code->additions + code->products + code->quotients + code->calls;
  for (int i = 0; i < code->n_temporaries; i++) {
    code->temporaries[i]->temporary += *temporaries;
  }
  for (int i = 0; i < code->n_temporaries; i++) {
    writer_statement(body, 2, "const number t%d = %s;", *temporaries + i,
                     emit_expression(scratch, &s->names, code->temporaries[i], 1));
  }
  *temporaries += code->n_temporaries;
  n = 0;
  for (int i = 0; i < f->n; i++) {
    if (in[i] && depth[i] == layer) {
      const char *formula = step_block_formula_text(s, scratch, step_block_formula_of(s, block, i),
                                                    code->outputs[n++]);
      emit_noted(body, 2, f->at[i].note, "const number %s = %s;", name_at(s, i), formula);
    }
  }
  arena_free(scratch);
}

/* Binds the values that the block reads from other blocks. */
static void write_head(const step_source *s, int block, writer *head)
{
  const fused_values *f = s->step->values;
  emit_declaration list = {"number", head, 2, NULL, 0};
  for (int setup = 1; setup >= 0; setup--) {
    for (int i = 0; i < f->n; i++) {
      if (s->blocks->is_read[block][i] && is_setup(&f->at[i]) == setup) {
        emit_declare(&list, name_at(s, i),
                     arena_printf(s->memory, "%s->%s", setup ? "s" : "w", name_at(s, i)));
      }
    }
    emit_declared(&list);
  }
}

static int step_is_excessive(const step_source *s)
{
  return s->operations > STEP_MOST_OPERATIONS || ir_is_spent(s->context);
}

/* Writes the values of a block, and stores those that other blocks read. Returns the cost as text
 * (emit_cost). */
static const char *write_values(step_source *s, int block, writer *body)
{
  const fused_values *f = s->step->values;
  const char *in = s->blocks->is_in[block];
  ir_code all = {0};
  int deepest = 0;
  int temporaries = 0;
  const int *depth = depths(s, block, &deepest);
  for (int layer = 0; layer <= deepest && !step_is_excessive(s); layer++) {
    write_layer(s, body, block, depth, layer, &temporaries, &all);
  }
  for (int i = 0; i < f->n; i++) {
    if (in[i] && s->blocks->is_kept[i]) {
      writer_printf(body, "  %s->%s = %s;\n", is_setup(&f->at[i]) ? "s" : "w", name_at(s, i),
                    name_at(s, i));
    }
  }
  return emit_cost(s->memory, &all);
}

void step_block(step_source *s, int block, const char *comment, const char *result,
                const char *name, const char *more)
{
  writer *head = writer_create(s->memory);
  writer *body = writer_create(s->memory);
  write_head(s, block, head);
  const char *cost = write_values(s, block, body);
  step_function(
      s, arena_printf(s->memory, "%s%s%s%s", comment, *cost ? "  " : "", cost, *cost ? "." : ""),
      result, name, writer_text(head), arena_printf(s->memory, "%s%s", writer_text(body), more));
}

/* ---- structures ---- */

void step_members(step_source *s, writer *w, int setup)
{
  const fused_values *f = s->step->values;
  writer_printf(w, "typedef struct %s {\n", setup ? "setup" : "work");
  for (int i = 0; i < f->n; i++) {
    const fused_value *v = &f->at[i];
    if (s->blocks->is_kept[i] && v->home == i && is_setup(v) == setup) {
      emit_noted(w, 2, v->note, "number %s;", name_at(s, i));
    }
  }
  if (!setup) {
    for (int i = 0; i < s->step->m && !s->cluster; i++) {
      emit_noted(
          w, 2,
          i ? ""
            : "of what multipliers times h have been, in the parts of a step and in the last one",
          "number sum_%d, last_%d;", i, i);
    }
    for (int i = 0; i < s->step->n_phases; i++) {
      const int multipliers = s->step->phase[i].m + s->step->phase[i].forces;
      for (int j = 0; j < multipliers && !s->step->phase[i].is_linear; j++) {
        writer_printf(w, "  number first_%d_%d;\n", i + 1, j + 1);
      }
      if (s->step->phase[i].keeps_pivots && !s->step->phase[i].is_linear) {
        writer_printf(w, "  whole signs_%d, first_signs_%d;\n", i + 1, i + 1);
      }
      for (int j = 0; j < s->step->phase[i].m; j++) {
        if (s->step->phase[i].per_arctan[j] && s->step->phase[i].multiplier != 0.0) {
          writer_printf(w, "  number turn_%d_%d;\n", i + 1, j + 1);
        }
      }
    }
    if (s->watches_N) {
      emit_noted(w, 2, "largest distance of multipliers from their first ones", "number far_of_N;");
    }
    emit_noted(w, 2, "bits: pivots of N that are negative,", "whole negative;");
    emit_noted(w, 2, "whether their number is odd", "truth odd;");
    emit_noted(w, 2, "", "tally tally;");
  }
  writer_printf(w, "} %s;\n\n", setup ? "setup" : "work");
}

/* ---- the functions ---- */

void step_setup(step_source *s)
{
  const fused_values *f = s->step->values;
  const fused_schedule *b = s->blocks;
  writer *text = writer_create(s->memory);
  const ir_expr *const *bias = s->step->bias;
  if (bias[0]) { /* on which other values of the setup depend */
    step_open(s, "", "void take_bias(const double bias[], setup *s)");
    writer_printf(s->w, "  %s = SW_SPREAD(bias[0]);\n  %s = SW_SPREAD(bias[1]);\n",
                  step_member(s, bias[0]), step_member(s, bias[1]));
    step_close(s);
  }
  for (int i = 0; i < s->step->nk; i++) {
    const int k = s->step->k[i]->index;
    if (b->is_kept[k] || b->is_read[FUSED_BLOCK_SETUP][k]) {
      writer_printf(text, "  const number %s = SW_LOAD(k, %d);\n", name_at(s, k), i);
    }
  }
  for (int i = 0; i < 2 && bias[i]; i++) {
    writer_printf(text, "  const number %s = %s;\n", step_name(s, bias[i]),
                  step_member(s, bias[i]));
  }
  (void)write_values(s, FUSED_BLOCK_SETUP, text);
  for (int i = 0; i < f->n; i++) { /* h and parameters, but no entry of a matrix Phi */
    if (b->is_kept[i] && is_setup(&f->at[i]) && !f->at[i].formula &&
        !(f->at[i].reads & FUSED_PHI) && !is_bias(s, i)) {
      writer_printf(text, "  s->%s = %s;\n", name_at(s, i), name_at(s, i));
    }
  }
  step_open(s, "What depends on the size of a step and the parameters alone.",
            "void set_up(const double k[], number %s, setup *s)", step_name(s, s->step->h));
  writer_printf(s->w, "%s%s", writer_mentions(writer_text(text), "k") ? "" : "  (void)k;\n",
                writer_text(text));
  step_close(s);
}

/* Number of doubles kept for a matrix Phi: t, A and Phi. */
static int step_block_size_of(const fused_phi *phi)
{
  return 1 + 2 * phi->n * phi->n;
}

/* Writes the computation of the matrix Phi of a block from A; `at`: its position in `kept`. */
static void write_phi(step_source *s, int number, int at)
{
  const fused_phi *phi = &s->step->phi[number];
  const char *A_name =
      emit_words_make(s->memory, s->words, arena_printf(s->memory, "A.%d", number));
  const char *Phi_name =
      emit_words_make(s->memory, s->words, arena_printf(s->memory, "Phi.%d", number));
  writer *A = writer_create(s->memory);
  for (int e = 0; e < phi->n * phi->n; e++) {
    const char *value = phi->A[e] ? step_member(s, phi->A[e]) : "SW_SPREAD(0.0)";
    writer_printf(A, "%s%s", e ? ", " : "", value);
  }
  writer_statement(s->w, 2, "const number %s[] = {%s};", A_name, writer_text(A));
  writer_statement(s->w, 2, "const double *%s = sw_find_phi(f, kept + %d * SW_LANES, %d, %s, %s);",
                   Phi_name, at, phi->n, step_member(s, phi->t), A_name);
  for (int e = 0; e < phi->n * phi->n; e++) {
    if (phi->Phi[e] && s->blocks->is_kept[phi->Phi[e]->index]) {
      writer_printf(s->w, "  %s = SW_LOAD(%s, %d);\n", step_member(s, phi->Phi[e]), Phi_name, e);
    }
  }
}

int step_kept(const step_source *s)
{
  int size = 0;
  for (int i = 0; i < s->step->n_phis; i++) {
    size += step_block_size_of(&s->step->phi[i]);
  }
  return size;
}

void step_flows(step_source *s)
{
  int at = 0;
  step_open(s, "And on the matrices Phi = integral_0^t e^(s A) ds of linear flows.",
            "void set_up_flows(const sw_fused *f, double kept[], setup *s)");
  for (int i = 0; i < s->step->n_phis; i++) {
    write_phi(s, i, at);
    at += step_block_size_of(&s->step->phi[i]);
  }
  write_head(s, FUSED_BLOCK_FLOWS, s->w);
  (void)write_values(s, FUSED_BLOCK_FLOWS, s->w);
  step_close(s);
}
