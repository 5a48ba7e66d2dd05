/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/source.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "emit/function.h"
#include "emit/head.h"
#include "emit/helpers.h"
#include "sidewinder/version.h"

/* ---- names ---- */

static const char *join_names(arena *a, const char *const names[], int n)
{
  const char *text = "";
  for (int i = 0; i < n; i++) {
    text = arena_printf(a, "%s%s%s", text, i ? ", " : "", names[i]);
  }
  return text;
}

/* "(a, b, c)" for a few, "(a, b, ..., z), n in all" for many. */
static const char *list_names(arena *a, const char *const names[], int n)
{
  static const int few = 12;
  if (n <= few) {
    return arena_printf(a, "(%s)", join_names(a, names, n));
  }
  return arena_printf(a, "(%s, %s, ..., %s), %d in all", names[0], names[1], names[n - 1], n);
}

/* The variables in their order. */
static const char *unknowns(arena *a, const ir_program *p)
{
  const char *text =
      arena_printf(a, "positions   q = %s\nmomenta     p = %s", list_names(a, p->q_names, p->nq),
                   list_names(a, p->p_names, p->nq));
  return p->nk ? arena_printf(a, "%s\nparameters  k = %s", text, list_names(a, p->k_names, p->nk))
               : text;
}

/* ---- the tables ---- */

static void emit_parameters(writer *w, arena *a, const emit_input *in)
{
  int n = in->program->nk;
  if (n == 0) {
    return;
  }
  double *lower = ARENA_ARRAY(a, n, double);
  double *upper = ARENA_ARRAY(a, n, double);
  writer *closed = writer_create(a);
  writer_printf(closed, "static const unsigned char k_closed[] = {");
  int i = 0;
  for (int j = 0; j < in->model->n_parameters; j++) {
    const model_parameter *parameter = in->model->parameters[j];
    for (long e = 0; e < parameter->shape.count; e++, i++) {
      lower[i] = emit_bound(parameter->lower, -INFINITY);
      upper[i] = emit_bound(parameter->upper, INFINITY);
      int bits = (parameter->lower_closed ? 1 : 0) | (parameter->upper_closed ? 2 : 0);
      writer_printf(closed, "%s%d", i ? ", " : "", bits);
    }
  }
  writer_printf(closed, "};");
  emit_doubles(w, a, "k_default", in->program->k_default, n);
  emit_doubles(w, a, "k_lower", lower, n);
  emit_doubles(w, a, "k_upper", upper, n);
  writer_statement(w, 0, writer_text(closed));
}

static const char *state_function(arena *a, int i)
{
  return arena_printf(a, "init_%d", i);
}

static void emit_tables(writer *w, arena *a, const emit_input *in)
{
  const ir_program *p = in->program;
  emit_strings(w, a, "q_names", p->q_names, p->nq);
  emit_strings(w, a, "p_names", p->p_names, p->nq);
  emit_strings(w, a, "k_names", p->k_names, p->nk);
  emit_strings(w, a, "c_names", p->c_names, p->nc);
  emit_strings(w, a, "observe_names", p->observe_names, p->n_observe);
  emit_strings(w, a, "invariant_names", p->invariant_names, p->n_invariants);
  emit_parameters(w, a, in);
  if (p->n_states) {
    writer_printf(w, "static const sw_initial_state init[] = {\n");
    for (int i = 0; i < p->n_states; i++) {
      writer_printf(w, "    {%s, %s},\n", writer_literal(a, p->states[i].name),
                    state_function(a, i));
    }
    writer_printf(w, "};\n");
  }
  writer_printf(w, "\n");
  emit_summary(w, a, in->summary);
}

/* ---- the model constant ---- */

static void emit_table_field(writer *w, const char *field, const char *table, int n)
{
  writer_printf(w, "    .%s = %s,\n", field, n ? table : "NULL");
}

static void emit_function_fields(writer *w, const ir_program *p)
{
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    const ir_function *f = &p->functions[id];
    const char *name = emit_function_name((ir_function_id)id);
    if (f->rows == 0) {
      continue;
    }
    writer_printf(w, "    .%s = %s,\n", name, name);
    if (f->cols && f->n) {
      writer_printf(w, "    .%s_pattern = {%d, %d, %d, %s_row, %s_col},\n", name, f->rows, f->cols,
                    f->n, name, name);
    } else if (f->cols) {
      writer_printf(w, "    .%s_pattern = {%d, %d, 0, NULL, NULL},\n", name, f->rows, f->cols);
    }
  }
}

static void emit_model(writer *w, arena *a, const emit_input *in)
{
  const ir_program *p = in->program;
  emit_identity(w, a, in);
  writer_printf(w, "    .nq = %d,\n    .nc = %d,\n    .nk = %d,\n", p->nq, p->nc, p->nk);
  writer_printf(w, "    .n_observe = %d,\n    .n_invariant = %d,\n    .n_init = %d,\n",
                p->n_observe, p->n_invariants, p->n_states);
  writer_printf(w, "    .q_names = q_names,\n    .p_names = p_names,\n");
  emit_table_field(w, "k_names", "k_names", p->nk);
  emit_table_field(w, "c_names", "c_names", p->nc);
  emit_table_field(w, "observe_names", "observe_names", p->n_observe);
  emit_table_field(w, "invariant_names", "invariant_names", p->n_invariants);
  emit_table_field(w, "k_default", "k_default", p->nk);
  emit_table_field(w, "k_lower", "k_lower", p->nk);
  emit_table_field(w, "k_upper", "k_upper", p->nk);
  emit_table_field(w, "k_closed", "k_closed", p->nk);
  emit_table_field(w, "init", "init", p->n_states);
  emit_run(w, a, &in->model->run);
  emit_structure(w, a, in, &p->structure, p->structure.n_pairs == 0);
  emit_function_fields(w, p);
  writer_printf(w, "};\n");
}

const char *emit_source(arena *a, ir_context *c, const emit_input *in)
{
  writer *w = writer_create(a);
  const ir_program *p = in->program;
  writer *functions = writer_create(a);
  emit_names names = emit_names_create(a, p);
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    if (p->functions[id].rows > 0) {
      emit_function(functions, a, c, p, &names, (ir_function_id)id);
    }
  }
  for (int i = 0; i < p->n_states; i++) {
    emit_state(functions, a, c, p, &names, &p->states[i], state_function(a, i));
  }
  emit_head(w, a, in, unknowns(a, p));
  emit_helpers(w, writer_text(functions));
  writer_printf(w, "%s", writer_text(functions));
  emit_tables(w, a, in);
  emit_model(w, a, in);
  return writer_text(w);
}

const char *emit_header(arena *a, const emit_input *in)
{
  writer *w = writer_create(a);
  const char *name = in->model->name;
  char *guard = arena_printf(a, "SW_MODEL_%s_H", name);
  for (char *at = guard; *at; at++) {
    *at = (char)toupper((unsigned char)*at);
  }
  writer_printf(w, "/* SPDX-License-Identifier: BSD-3-Clause */\n/*\n");
  writer_printf(w, " * %s.h -- generated by sidewinder %s from %s.  Do not edit.\n", name,
                SW_VERSION, emit_base_name(in->model->file));
  if (*in->model->title) {
    writer_printf(w, " *\n");
    writer_comment_lines(w, " * ", in->model->title);
  }
  writer_printf(w, " */\n#ifndef %s\n#define %s\n\n#include \"sidewinder/model.h\"\n\n", guard,
                guard);
  writer_printf(
      w,
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nextern const sw_model sw_model_%s;\n\n"
      "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
      name);
  return writer_text(w);
}

const char *emit_main(arena *a, const model *m, int witnessed)
{
  const char *name = m->name;
  const char *table =
      witnessed ? arena_printf(a, "extern const sw_witness sw_witness_%s;\n\n", name) : "";
  const char *call =
      witnessed
          ? arena_printf(a, "sw_program_main_witnessed(&sw_model_%s, &sw_witness_%s, argc, argv)",
                         name, name)
          : arena_printf(a, "sw_program_main(&sw_model_%s, argc, argv)", name);
  return arena_printf(a,
                      "/* SPDX-License-Identifier: BSD-3-Clause */\n"
                      "#include \"%s.h\"\n"
                      "#include \"sidewinder/program.h\"\n\n"
                      "%sint main(int argc, char **argv)\n{\n"
                      "  return %s;\n}\n",
                      name, table, call);
}
