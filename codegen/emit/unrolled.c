/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/unrolled.h"

#include <string.h>

#include "emit/function.h"

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

/* ---- the tables ---- */

/* An array of one entry for each of the names. */
static void emit_arrays(writer *w, arena *a, const char *table, int n, const char *const names[])
{
  const char **rows = ARENA_ARRAY(a, n + 1, const char *);
  for (int i = 0; i < n; i++) {
    rows[i] = arena_printf(a, "%s, 0, NULL", writer_literal(a, names[i]));
  }
  emit_rows(w, a, "sw_array", table, n, rows);
}

/* A family of one instance likewise. */
static void emit_families(writer *w, arena *a, const char *table, int n, const char *const names[],
                          const char *const fibres[])
{
  const char **rows = ARENA_ARRAY(a, n + 1, const char *);
  for (int i = 0; i < n; i++) {
    rows[i] = arena_printf(a, "%s, 0, NULL, NULL, %s", writer_literal(a, names[i]),
                           fibres ? fibres[i] : "SW_FIBRE_SHIFT_P");
  }
  emit_rows(w, a, "sw_family", table, n, rows);
}

/* How each constraint slides; where no closed form is known of all of them together, the runtime must not take
 * each for itself. */
static const char *const *fibres_of(arena *a, const ir_program *p)
{
  const ir_function *jac = &p->functions[IR_CONSTRAINT_JAC];
  const char **fibres = ARENA_ARRAY(a, p->nc + 1, const char *);
  int closed = p->functions[IR_FIBRE_FLOW].rows > 0;
  for (int i = 0; i < p->nc; i++) {
    fibres[i] = closed ? NULL : "SW_FIBRE_FLOW";
  }
  for (int e = 0; e < jac->n && closed; e++) {
    const char **fibre = &fibres[jac->entries[e].row];
    const char *own = jac->entries[e].col < p->nq ? "SW_FIBRE_SHIFT_P" : "SW_FIBRE_SHIFT_Q";
    *fibre = !*fibre || !strcmp(*fibre, own) ? own : "SW_FIBRE_FLOW";
  }
  return fibres;
}

static void emit_tables(writer *w, arena *a, const emit_input *in)
{
  const ir_program *p = in->program;
  const char **rows = ARENA_ARRAY(a, p->nk + p->n_states + 1, const char *);
  int n = 0;
  emit_arrays(w, a, "positions", p->nq, p->q_names);
  emit_arrays(w, a, "momenta", p->nq, p->p_names);
  emit_arrays(w, a, "parameters", p->nk, p->k_names);
  for (int j = 0; j < in->model->n_parameters; j++) {
    const model_parameter *parameter = in->model->parameters[j];
    for (long e = 0; e < parameter->shape.count; e++) {
      rows[n++] = emit_bounds_row(a, parameter);
    }
  }
  emit_rows(w, a, "sw_bounds", "bounds", n, rows);
  emit_families(w, a, "constraints", p->nc, p->c_names, fibres_of(a, p));
  emit_families(w, a, "observables", p->n_observe, p->observe_names, NULL);
  emit_families(w, a, "invariants", p->n_invariants, p->invariant_names, NULL);
  for (int i = 0; i < p->n_states; i++) {
    rows[i] = emit_state_row(a, p->states[i].name, i);
  }
  emit_rows(w, a, "sw_initial_state", "init", p->n_states, rows);
}

/* ---- functions ---- */

static const char *members_of(arena *a, const ir_program *p)
{
  writer *w = writer_create(a);
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    const ir_function *f = &p->functions[id];
    const char *name = emit_contract[id].name;
    if (f->rows && !f->cols) {
      writer_printf(w, "    .%s = %s,\n", name, name);
    } else if (f->rows && f->n) {
      writer_printf(w, "    .%s = {{%d, %s_row, %s_col, NULL}, %s},\n", name, f->n, name, name,
                    name);
    } else if (f->rows) {
      writer_printf(w, "    .%s = {{.n = 0}, %s},\n", name, name);
    }
  }
  return writer_text(w);
}

static const char *functions_of(arena *a, ir_context *c, const ir_program *p)
{
  writer *w = writer_create(a);
  emit_names names = emit_names_create(a, p);
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    if (p->functions[id].rows > 0) {
      emit_function(w, a, c, p, &names, (ir_function_id)id);
    }
  }
  for (int i = 0; i < p->n_states; i++) {
    emit_state(w, a, c, p, &names, &p->states[i], emit_state_name(a, i));
  }
  if (p->nk) {
    emit_parameter_values(w, a, p);
  }
  return writer_text(w);
}

emit_parts emit_unrolled(arena *a, ir_context *c, const emit_input *in)
{
  const ir_program *p = in->program;
  writer *tables = writer_create(a);
  emit_tables(tables, a, in);
  return (emit_parts){.positions = list_names(a, p->q_names, p->nq),
                      .momenta = list_names(a, p->p_names, p->nq),
                      .parameters = list_names(a, p->k_names, p->nk),
                      .functions = functions_of(a, c, p),
                      .tables = writer_text(tables),
                      .members = members_of(a, p),
                      .structure = &p->structure,
                      .commuting = p->structure.n_pairs == 0,
                      .counts = {.n_coordinates = p->nq,
                                 .n_parameters = p->nk,
                                 .n_constraints = p->nc,
                                 .n_observe = p->n_observe,
                                 .n_invariants = p->n_invariants,
                                 .n_states = p->n_states}};
}
