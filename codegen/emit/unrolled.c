/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unrolled.c -- the parts of a generated file for a model without loops.
 */
#include <string.h>

#include "emit/contract.h"
#include "emit/tables.h"
#include "emit/writer.h"

/* Data shared by all functions of one file. */
typedef struct unrolling {
  arena *memory;
  ir_context *context;
  const model *model;
  const ir_program *program;
  emit_names names;
  writer *functions;
  writer *members;
} unrolling;

/* ---- functions ---- */

/* Writes const double a = z[0], b = z[1]; for the inputs that are read: positions, momenta and
 * parameters begin new lines. */
static void bind(unrolling *u, writer *w, const ir_code *code)
{
  static const ir_space spaces[] = {IR_Z, IR_NEXT, IR_K};
  static const char *const array[] = {"z", "z1", "k"};
  const ir_program *p = u->program;
  emit_declaration list = {"double", w, 2, NULL, 0};
  for (int s = 0; s < 3; s++) {
    for (int i = 0; i < (s < 2 ? 2 * p->nq : p->nk); i++) {
      if (s < 2 && i == p->nq) {
        emit_declared(&list);
      }
      if (code->used[spaces[s]][i]) {
        emit_declare(&list, u->names.of[spaces[s]][i],
                     arena_printf(u->memory, "%s[%d]", array[s], i));
      }
    }
    emit_declared(&list);
  }
}

/* Writes a function that sets target[i] = output i, with its label. The head binds all inputs that
 * are read. */
static void write_function(unrolling *u, const char *comment, const char *name,
                           const char *arguments, const ir_code *code, const char *target,
                           const char *const labels[])
{
  writer *head = writer_create(u->memory);
  writer *body = writer_create(u->memory);
  bind(u, head, code);
  emit_temporaries(body, u->memory, code, &u->names, 2);
  for (int i = 0; i < code->n_outputs; i++) {
    emit_noted(body, 2, labels[i], "%s[%d] = %s;", target, i,
               emit_expression(u->memory, &u->names, code->outputs[i], 0));
  }
  emit_function(u->functions, comment, "void", name, arguments, writer_text(head),
                writer_text(body));
}

static const ir_code *code_of(unrolling *u, int n, const ir_expr *const values[],
                              const char *quantity)
{
  int size[IR_SPACES];
  ir_program_sizes(u->program, size);
  return emit_code(u->context, n, values, size, NULL, quantity);
}

/* The name of a row or a column of a function; NULL if it has none. */
static const char *unrolled_name_of(const ir_program *p, emit_entry which, int i)
{
  if (which == ENTRY_RATE) {
    return i < p->nq ? p->q_names[i] : p->c_names[i - p->nq];
  }
  if (which == ENTRY_Z_LAMBDA) {
    which = i < 2 * p->nq ? ENTRY_Z : ENTRY_CONSTRAINT;
    i -= which == ENTRY_CONSTRAINT ? 2 * p->nq : 0;
  }
  return which == ENTRY_Z            ? ir_program_entry_name(p, i)
         : which == ENTRY_CONSTRAINT ? p->c_names[i]
         : which == ENTRY_OBSERVABLE ? p->observe_names[i]
         : which == ENTRY_INVARIANT  ? p->invariant_names[i]
         : which == ENTRY_FORCE      ? p->force_names[i]
         : which == ENTRY_EVENT      ? p->event_names[i]
                                     : NULL;
}

static void emit_pattern(writer *w, const ir_function *f, const char *name)
{
  arena *a = writer_memory(w);
  for (int column = 0; column < 2; column++) {
    writer *items = writer_create(a);
    for (int e = 0; e < f->n; e++) {
      writer_printf(items, "%s%d", e ? ", " : "", column ? f->entries[e].col : f->entries[e].row);
    }
    emit_list(w, "int", arena_printf(a, "%s_%s", name, column ? "col" : "row"), writer_text(items));
  }
  writer_printf(w, "\n");
}

/* "2 values", "4 by 4, 6 entries". */
static const char *shape(arena *a, const ir_function *f)
{
  const char *entries =
      arena_printf(a, "%d %s", f->n,
                   f->cols ? (f->n == 1 ? "entry" : "entries") : (f->n == 1 ? "value" : "values"));
  return f->cols ? arena_printf(a, "%d by %d, %s", f->rows, f->cols, f->n ? entries : "zero")
                 : entries;
}

/* Writes a function of one or of two states, EMIT_STATE or EMIT_STATES; for a matrix with entries,
 * the tables of its pattern come first. Returns its initialiser as a member. */
static const char *unrolled_emit_values(unrolling *u, const ir_function *f,
                                        const emit_contract_row *about, const char *states)
{
  arena *a = u->memory;
  const char *name = about->name;
  const ir_expr **values = ARENA_ARRAY(a, f->n + 1, const ir_expr *);
  const char **labels = ARENA_ARRAY(a, f->n + 1, const char *);
  for (int e = 0; e < f->n; e++) {
    values[e] = f->entries[e].value;
    const char *row = unrolled_name_of(u->program, about->row, f->entries[e].row);
    const char *col = unrolled_name_of(u->program, about->col, f->entries[e].col);
    labels[e] = col ? arena_printf(a, "%s, %s", row, col) : row ? row : "";
  }
  const ir_code *code = code_of(u, f->n, values, about->quantity);
  if (f->cols && f->n) {
    emit_pattern(u->functions, f, name);
  }
  const char *cost = emit_cost(a, code);
  write_function(u,
                 arena_printf(a, "%s: %s.%s%s%s", about->quantity, shape(a, f), *cost ? "  " : "",
                              cost, *cost ? "." : ""),
                 name,
                 arena_printf(a, "%s%s, double out[]", states,
                              about->has_lambda ? ", const double lambda[]" : ""),
                 code, "out", labels);
  return !f->cols ? name
         : f->n   ? arena_printf(a, "{{%d, %s_row, %s_col, NULL}, %s}", f->n, name, name, name)
                  : arena_printf(a, "{{.n = 0}, %s}", name);
}

/* Writes the functions of the parts of H, and a table row for each part. */
static void emit_splitting(unrolling *u, const emit_input *in, emit_table *table)
{
  arena *a = u->memory;
  const record_splitting *s = &in->found->splitting;
  for (int i = 0; i < s->n && s->parts; i++) {
    const record_part *part = &s->parts[i];
    const emit_contract_row grad = {arena_printf(a, "part_grad_%d", i),
                                    arena_printf(a, "grad of part %d of H", i + 1), 0, ENTRY_Z,
                                    ENTRY_NONE};
    const emit_contract_row hess = {arena_printf(a, "part_hess_%d", i),
                                    arena_printf(a, "Hess of part %d of H, lower triangle", i + 1),
                                    0, ENTRY_Z, ENTRY_Z};
    const char *slopes = unrolled_emit_values(u, &part->grad, &grad, EMIT_STATE);
    emit_row(a, table, "%s, %s, %s, %s", writer_literal(a, in->parts[i]),
             part->flow == FLOW_LINEAR ? "SW_PART_QUADRATIC" : "SW_PART_COMMUTING", slopes,
             unrolled_emit_values(u, &part->hess, &hess, EMIT_STATE));
  }
  if (table->n) {
    writer_printf(u->members, "    .n_parts = %zu,\n    .parts = parts,\n", table->n);
  }
}

/* Writes the momenta on which the forces act. */
static void emit_force_target(unrolling *u)
{
  const ir_program *p = u->program;
  ir_function f = {.rows = p->n_forces, .cols = p->nq, .n = p->n_forces};
  f.entries = ARENA_ARRAY(u->memory, f.n + 1, ir_entry);
  for (int i = 0; i < f.n; i++) {
    f.entries[i] = (ir_entry){i, p->force_target[i], NULL};
  }
  if (f.n > 0) {
    emit_pattern(u->functions, &f, "force_target");
    writer_printf(u->members,
                  "    .force_target = {%d, force_target_row, force_target_col, NULL},\n", f.n);
  }
}

static void emit_state(unrolling *u, int i)
{
  const ir_program *p = u->program;
  const ir_state *state = &p->states[i];
  const char **labels = ARENA_ARRAY(u->memory, 2 * p->nq, const char *);
  for (int j = 0; j < 2 * p->nq; j++) {
    labels[j] = ir_program_entry_name(p, j);
  }
  const ir_code *code =
      code_of(u, 2 * p->nq, state->z, arena_printf(u->memory, "initial state '%s'", state->name));
  write_function(u, emit_state_comment(u->memory, state->name, i == p->n_states),
                 emit_state_name(u->memory, i), EMIT_SIZES ", const double k[], double z[]", code,
                 "z", labels);
}

static void emit_defaults(unrolling *u)
{
  const ir_program *p = u->program;
  writer *body = writer_create(u->memory);
  for (int i = 0; i < p->nk; i++) {
    int is_data = u->model->parameters[p->k_array[i]]->is_data;
    const char *value = is_data ? "NAN" : writer_double(u->memory, p->k_default[i]);
    emit_noted(body, 2, p->k_names[i], "k[%d] = %s;", i, value);
  }
  emit_function(u->functions, "The defaults of the parameters.", "void", "parameter_values",
                EMIT_SIZES ", double k[]", "", writer_text(body));
}

/* ---- rows of tables ---- */

static void emit_arrays(emit_parts *parts, emit_table_id table, int n, const char *const names[])
{
  parts->names[table] = names;
  for (int i = 0; i < n; i++) {
    emit_array_row(parts, table, names[i], 0, "NULL");
  }
}

/* Families of one instance each. */
static void emit_families(emit_parts *parts, emit_table_id table, int n, const char *const names[],
                          const char *const fibres[])
{
  for (int i = 0; i < n; i++) {
    emit_family_row(parts, table, names[i], 0, "NULL", NULL,
                    fibres ? fibres[i] : "SW_FIBRE_SHIFT_P");
  }
}

/* The kind of fibre flow of each constraint. If no closed form is known for all constraints
 * together, all have SW_FIBRE_FLOW, so that the runtime does not treat them separately. */
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

static void add_rows(emit_parts *parts, const model *m, const ir_program *p)
{
  emit_arrays(parts, TABLE_POSITIONS, p->nq, p->q_names);
  emit_arrays(parts, TABLE_MOMENTA, p->nq, p->p_names);
  emit_arrays(parts, TABLE_PARAMETERS, p->nk, p->k_names);
  for (int j = 0; j < m->n_parameters; j++) {
    for (long e = 0; e < m->parameters[j]->shape.count; e++) {
      emit_bounds_row(parts, m->parameters[j]);
    }
  }
  emit_families(parts, TABLE_CONSTRAINTS, p->nc, p->c_names, fibres_of(parts->memory, p));
  emit_families(parts, TABLE_OBSERVABLES, p->n_observe, p->observe_names, NULL);
  emit_families(parts, TABLE_INVARIANTS, p->n_invariants, p->invariant_names, NULL);
  emit_families(parts, TABLE_FORCES, p->n_forces, p->force_names, NULL);
  emit_families(parts, TABLE_EVENTS, p->n_events, p->event_names, NULL);
  for (int i = 0; i < p->n_states; i++) {
    emit_state_row(parts, p->states[i].name, i);
  }
}

/* ---- all parts ---- */

emit_parts emit_unrolled(arena *a, ir_context *c, const emit_input *in)
{
  const ir_program *p = in->program;
  unrolling u = {a, c, in->model, p, emit_names_create(a, p), writer_create(a), writer_create(a)};
  if (p->nk) {
    writer_printf(u.members, "    .parameter_values = parameter_values,\n");
  }
  for (int id = 0; id < IR_FUNCTIONS; id++) {
    const emit_contract_row *about = &emit_contract[id];
    if (p->functions[id].rows > 0) {
      const int is_of_two = id >= IR_DISCRETE_GRAD && id <= IR_DISCRETE_JAC_NEXT;
      writer_printf(
          u.members, "    .%s = %s,\n", about->name,
          unrolled_emit_values(&u, &p->functions[id], about, is_of_two ? EMIT_STATES : EMIT_STATE));
    }
  }
  emit_table division = {0};
  emit_splitting(&u, in, &division);
  emit_force_target(&u);
  for (int i = 0; i < p->n_states + p->has_bath; i++) {
    emit_state(&u, i);
  }
  if (p->has_bath) {
    writer_printf(u.members, "    .bath = %s,\n", emit_state_name(a, p->n_states));
  }
  if (p->nk) {
    emit_defaults(&u);
  }
  emit_parts parts = {.memory = a,
                      .functions = writer_text(u.functions),
                      .lists = writer_create(a),
                      .sizes = "",
                      .members = writer_text(u.members),
                      .structure = &p->structure,
                      .commuting = p->structure.n_pairs == 0};
  emit_rows(parts.lists, "sw_part", "parts", &division);
  add_rows(&parts, in->model, p);
  return parts;
}
