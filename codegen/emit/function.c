/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/function.h"

#include <string.h>

const ir_code *emit_code(ir_context *c, int n, const ir_expr *const outputs[],
                         const int size[IR_SPACES], const char *quantity)
{
  const ir_code *code = ir_code_create(c, n, outputs, size);
  if (code->beyond) {
    ir_context_refuse(c, arena_printf(ir_context_arena(c), "the formulas of %s have the number %s",
                                      quantity, code->beyond));
  }
  return code;
}

/* ---- parts of a function ---- */

static void emit_pattern(writer *w, arena *a, const ir_function *f, const char *name)
{
  for (int column = 0; column < 2; column++) {
    writer *list = writer_create(a);
    writer_printf(list, "static const int %s_%s[] = {", name, column ? "col" : "row");
    for (int e = 0; e < f->n; e++) {
      writer_printf(list, "%s%d", e ? ", " : "", column ? f->entries[e].col : f->entries[e].row);
    }
    writer_printf(list, "};");
    writer_statement(w, 0, writer_text(list));
  }
  writer_printf(w, "\n");
}

static const char *counted(arena *a, int n, const char *one, const char *many)
{
  return arena_printf(a, "%d %s", n, n == 1 ? one : many);
}

const char *emit_cost(arena *a, const ir_code *code)
{
  const char *text = "";
  const char *parts[4] = {
      code->additions ? counted(a, code->additions, "addition", "additions") : NULL,
      code->products ? counted(a, code->products, "product", "products") : NULL,
      code->quotients ? counted(a, code->quotients, "quotient", "quotients") : NULL,
      code->calls ? counted(a, code->calls, "function", "functions") : NULL,
  };
  for (int i = 0; i < 4; i++) {
    if (parts[i]) {
      text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", parts[i]);
    }
  }
  return text;
}

static const char *shape(arena *a, const ir_function *f)
{
  if (f->cols == 0) {
    return counted(a, f->n, "value", "values");
  }
  return arena_printf(a, "%d by %d, %s", f->rows, f->cols,
                      f->n ? counted(a, f->n, "entry", "entries") : "zero");
}

/* const double a = z[0], b = z[1]; for the inputs that are read. */
static int emit_inputs(writer *w, arena *a, const ir_code *code, const emit_names *names,
                       ir_space space, const char *array, int from, int to)
{
  writer *list = writer_create(a);
  int n = 0;
  for (int i = from; i < to; i++) {
    if (code->used[space][i]) {
      writer_printf(list, "%s%s = %s[%d]", n++ ? ", " : "const double ", names->of[space][i], array,
                    i);
    }
  }
  if (n) {
    writer_printf(list, ";");
    writer_statement(w, 2, writer_text(list));
  }
  return n;
}

static unsigned char any_used(const ir_code *code, ir_space space, int n)
{
  for (int i = 0; i < n; i++) {
    if (code->used[space][i]) {
      return 1;
    }
  }
  return 0;
}

void emit_unused(writer *w, int n, const char *const arguments[], const unsigned char used[])
{
  const char *before = "  ";
  for (int i = 0; i < n; i++) {
    if (!used[i]) {
      writer_printf(w, "%s(void)%s", before, arguments[i]);
      before = ", ";
    }
  }
  if (*before == ',') {
    writer_printf(w, ";\n");
  }
}

void emit_temporaries(writer *w, arena *a, const ir_code *code, const emit_names *names, int indent)
{
  for (int i = 0; i < code->n_temporaries; i++) {
    const char *value = emit_expression(a, names, code->temporaries[i], 1);
    writer_statement(w, indent, arena_printf(a, "const double t%d = %s;", i, value));
  }
  if (code->n_temporaries) {
    writer_printf(w, "\n");
  }
}

static const char *z_name(const ir_program *p, int i)
{
  return i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
}

/* What an output is, as a comment; "" where the function has one output that its comment names. */
static const char *label(arena *a, const ir_program *p, ir_function_id id, const ir_entry *e)
{
  switch (id) {
  case IR_HAMILTONIAN_GRAD:
  case IR_FIBRE_FLOW:
    return z_name(p, e->row);
  case IR_HAMILTONIAN_HESS:
  case IR_CONSTRAINT_HESS:
  case IR_FIBRE_FLOW_Z:
    return arena_printf(a, "%s, %s", z_name(p, e->row), z_name(p, e->col));
  case IR_CONSTRAINT_JAC:
  case IR_HIDDEN_JAC:
    return arena_printf(a, "%s, %s", p->c_names[e->row], z_name(p, e->col));
  case IR_COISOTROPY:
  case IR_NONDEGENERACY:
    return arena_printf(a, "%s, %s", p->c_names[e->row], p->c_names[e->col]);
  case IR_FIBRE_FLOW_LAMBDA:
    return arena_printf(a, "%s, %s", z_name(p, e->row), p->c_names[e->col]);
  case IR_CONSTRAINT:
  case IR_CONSTRAINT_SCALE:
  case IR_HIDDEN:
  case IR_HIDDEN_SCALE:
    return p->c_names[e->row];
  case IR_OBSERVE:
    return p->observe_names[e->row];
  case IR_INVARIANT:
    return p->invariant_names[e->row];
  case IR_HAMILTONIAN:
  case IR_FUNCTIONS:
    break;
  }
  return "";
}

void emit_noted(writer *w, arena *a, int indent, const char *statement, const char *note)
{
  const char *comment = *note ? arena_printf(a, " /* %s */", note) : "";
  if (strlen(statement) + strlen(comment) + (size_t)indent <= WRITER_COLUMNS) {
    writer_printf(w, "%*s%s%s\n", indent, "", statement, comment);
    return;
  }
  if (*note) {
    writer_printf(w, "%*s/* %s */\n", indent, "", note);
  }
  writer_statement(w, indent, statement);
}

static void emit_output(writer *w, arena *a, const char *target, const char *value,
                        const char *note)
{
  emit_noted(w, a, 2, arena_printf(a, "%s = %s;", target, value), note);
}

static void emit_bindings(writer *w, arena *a, const ir_program *p, const ir_code *code,
                          const emit_names *names)
{
  int n = emit_inputs(w, a, code, names, IR_Z, "z", 0, p->nq);
  n += emit_inputs(w, a, code, names, IR_Z, "z", p->nq, 2 * p->nq);
  n += emit_inputs(w, a, code, names, IR_K, "k", 0, p->nk);
  if (n) {
    writer_printf(w, "\n");
  }
}

void emit_function(writer *w, arena *a, ir_context *c, const ir_program *p, const emit_names *names,
                   ir_function_id id)
{
  const ir_function *f = &p->functions[id];
  const emit_contract_row *about = &emit_contract[id];
  const ir_expr **values = ARENA_ARRAY(a, f->n + 1, const ir_expr *);
  for (int e = 0; e < f->n; e++) {
    values[e] = f->entries[e].value;
  }
  int size[IR_SPACES];
  ir_program_sizes(p, size);
  const ir_code *code = emit_code(c, f->n, values, size, about->quantity);
  if (f->cols && f->n) {
    emit_pattern(w, a, f, about->name);
  }
  const char *cost = emit_cost(a, code);
  writer_statement(w, 0,
                   arena_printf(a, "/* %s: %s.%s%s%s */", about->quantity, shape(a, f),
                                *cost ? "  " : "", cost, *cost ? "." : ""));
  writer_statement(
      w, 0,
      arena_printf(
          a,
          "static void %s(const long sizes[], const double z[], const double k[], %sdouble out[])",
          about->name, about->has_lambda ? "const double lambda[], " : ""));
  writer_printf(w, "{\n");
  emit_bindings(w, a, p, code, names);
  emit_temporaries(w, a, code, names, 2);
  emit_unused(
      w, 5, (const char *const[]){"sizes", "z", "k", "lambda", "out"},
      (const unsigned char[]){0, any_used(code, IR_Z, 2 * p->nq), any_used(code, IR_K, p->nk),
                              !about->has_lambda || any_used(code, IR_LAMBDA, p->nc), f->n > 0});
  for (int e = 0; e < f->n; e++) {
    emit_output(w, a, arena_printf(a, "out[%d]", e), emit_expression(a, names, code->outputs[e], 0),
                label(a, p, id, &f->entries[e]));
  }
  writer_printf(w, "}\n\n");
}

void emit_state(writer *w, arena *a, ir_context *c, const ir_program *p, const emit_names *names,
                const ir_state *state, const char *name)
{
  int n = 2 * p->nq;
  int size[IR_SPACES];
  ir_program_sizes(p, size);
  const ir_code *code =
      emit_code(c, n, state->z, size, arena_printf(a, "initial state '%s'", state->name));
  writer_printf(w, "/* Initial state '%s'. */\n", state->name);
  writer_printf(w, "static void %s(const long sizes[], const double k[], double z[])\n{\n", name);
  if (emit_inputs(w, a, code, names, IR_K, "k", 0, p->nk)) {
    writer_printf(w, "\n");
  }
  emit_temporaries(w, a, code, names, 2);
  emit_unused(w, 2, (const char *const[]){"sizes", "k"},
              (const unsigned char[]){0, any_used(code, IR_K, p->nk)});
  for (int i = 0; i < n; i++) {
    emit_output(w, a, arena_printf(a, "z[%d]", i), emit_expression(a, names, code->outputs[i], 0),
                z_name(p, i));
  }
  writer_printf(w, "}\n\n");
}

void emit_parameter_values(writer *w, arena *a, const ir_program *p)
{
  writer_printf(w, "/* The defaults of the parameters. */\n"
                   "static void parameter_values(const long sizes[], double k[])\n{\n");
  emit_unused(w, 1, (const char *const[]){"sizes"}, (const unsigned char[]){0});
  for (int i = 0; i < p->nk; i++) {
    emit_output(w, a, arena_printf(a, "k[%d]", i), writer_double(a, p->k_default[i]),
                p->k_names[i]);
  }
  writer_printf(w, "}\n\n");
}
