/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/model_source.h"

#include <math.h>
#include <stddef.h>

/* Numbers per line. */
enum { IN_A_LINE = 4 };

static const char *const names_of[SW_WITNESSED] = {
    "SW_WITNESS_K_DEFAULT",         "SW_WITNESS_INIT",
    "SW_WITNESS_HAMILTONIAN",       "SW_WITNESS_HAMILTONIAN_GRAD",
    "SW_WITNESS_HAMILTONIAN_HESS",  "SW_WITNESS_CONSTRAINT",
    "SW_WITNESS_CONSTRAINT_JAC",    "SW_WITNESS_CONSTRAINT_JAC_ALONG",
    "SW_WITNESS_CONSTRAINT_HESS",   "SW_WITNESS_HIDDEN",
    "SW_WITNESS_HIDDEN_JAC",        "SW_WITNESS_COISOTROPY",
    "SW_WITNESS_NONDEGENERACY",     "SW_WITNESS_FIBRE_FLOW",
    "SW_WITNESS_FIBRE_FLOW_LAMBDA", "SW_WITNESS_FIBRE_FLOW_Z",
    "SW_WITNESS_OBSERVE",           "SW_WITNESS_INVARIANT",
    "SW_WITNESS_ACCELERATION",      "SW_WITNESS_ACCELERATION_JAC",
    "SW_WITNESS_ACCELERATION_HESS", "SW_WITNESS_CONSTRAINT_THIRD",
    "SW_WITNESS_HAMILTONIAN_THIRD", "SW_WITNESS_HAMILTONIAN_FOURTH",
    "SW_WITNESS_CONSTRAINT_FOURTH", "SW_WITNESS_FORCE",
    "SW_WITNESS_FORCE_JAC",         "SW_WITNESS_EVENT",
};

/* Writes static const double NAME[] = {...}; nothing if n = 0, since C has no empty arrays. */
static void emit_numbers(writer *w, const char *name, const double x[], long n)
{
  if (n == 0) {
    return;
  }
  writer_printf(w, "static const double %s[] = {", name);
  for (long i = 0; i < n; i++) {
    writer_printf(w, "%s%.17g,", i % IN_A_LINE ? " " : "\n    ", x[i]);
  }
  writer_printf(w, "\n};\n");
}

/* Writes the entries of one function, and adds its row to `functions`. */
static void witness_table_emit_values(writer *w, emit_table *functions, const char *name,
                                      const sw_witness_values *v)
{
  arena *a = writer_memory(w);
  emit_table entries = {0};
  for (int i = 0; i < v->n; i++) {
    const sw_witness_entry *e = &v->entries[i];
    emit_row(a, &entries, "%d, %d, %.17g, %.15g, %.4g", e->row, e->col, e->value, e->rest, e->size);
  }
  emit_rows(w, "sw_witness_entry", name, &entries);
  emit_row(a, functions, "%s, %d, %d, %s, %s", names_of[v->what], v->number, v->n,
           v->n > 0 ? name : "NULL", v->missing ? writer_literal(a, v->missing) : "NULL");
}

/* Writes one point, under names that begin with `stem`, and adds its row to `points`. */
static void emit_point(writer *w, emit_table *points, const char *stem, const sw_witness_case *c,
                       const sw_witness_point *p)
{
  const struct {
    const char *letter;
    const double *x;
    long n;
  } vectors[] = {{"z", p->z, 2L * c->nq},
                 {"k", p->k, c->nk},
                 {"lambda", p->lambda, c->nc},
                 {"v", p->v, 2L * c->nq}};
  arena *a = writer_memory(w);
  const char *row = "";
  emit_table functions = {0};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    const char *name = arena_printf(a, "%s_%s", stem, vectors[i].letter);
    emit_numbers(w, name, vectors[i].x, vectors[i].n);
    row = arena_printf(a, "%s%s, ", row, vectors[i].n > 0 ? name : "NULL");
  }
  for (int i = 0; i < p->n; i++) {
    witness_table_emit_values(w, &functions, arena_printf(a, "%s_%d", stem, i), &p->values[i]);
  }
  emit_rows(w, "sw_witness_values", stem, &functions);
  emit_row(a, points, "%s%d, %d, %s", row, p->is_near, p->n, p->n > 0 ? stem : "NULL");
}

static void witness_table_emit_sizes(writer *w, const char *name, const long sizes[], int n)
{
  writer *items = writer_create(writer_memory(w));
  for (int i = 0; i < n; i++) {
    writer_printf(items, "%s%ld", i ? ", " : "", sizes[i]);
  }
  emit_list(w, "long", name, writer_text(items));
}

/* Writes the tables of a case and adds its row to `cases`. */
static void emit_case(writer *w, emit_table *cases, int number, int has_sizes,
                      const sw_witness_case *c)
{
  const int n_given = has_sizes ? c->n_given : 0;
  const int counts[] = {c->nq, c->nq, c->nk, c->nc, c->n_observe, c->n_invariant, c->n_init};
  arena *a = writer_memory(w);
  const char *stem = arena_printf(a, "case%d", number);
  const char *point_rows = arena_printf(a, "%s_points", stem);
  const char *size_list = arena_printf(a, "%s_sizes", stem);
  const char *bound_rows = arena_printf(a, "%s_bounds", stem);
  const char *names = "";
  emit_table points = {0};
  emit_table bounds = {0};
  emit_table defaults = {0};
  for (int i = 0; i < c->n_points; i++) {
    emit_point(w, &points, arena_printf(a, "%s_point%d", stem, i), c, &c->points[i]);
  }
  emit_rows(w, "sw_witness_point", point_rows, &points);
  witness_table_emit_sizes(w, size_list, c->sizes, n_given);
  for (int i = 0; i < c->nk; i++) {
    emit_row(a, &bounds, "%s, %s, %d", writer_double(a, c->bounds[i].lower),
             writer_double(a, c->bounds[i].upper), c->bounds[i].closed);
  }
  emit_rows(w, "sw_bounds", bound_rows, &bounds);
  witness_table_emit_values(w, &defaults, arena_printf(a, "%s_k", stem), c->k_default);
  emit_rows(w, "sw_witness_values", arena_printf(a, "%s_default", stem), &defaults);
  for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++) {
    const char *name = arena_printf(a, "%s_names%d", stem, i);
    emit_strings(w, a, name, c->names[i], counts[i]);
    names = arena_printf(a, "%s%s%s", names, i ? ", " : "", counts[i] > 0 ? name : "NULL");
  }
  emit_row(a, cases, "%d, %s, %d, %d, %d, %d, %d, %d,\n     {%s},\n     %s, %s_default, %d, %s",
           n_given, n_given > 0 ? size_list : "NULL", c->nq, c->nc, c->nk, c->n_observe,
           c->n_invariant, c->n_init, names, c->nk > 0 ? bound_rows : "NULL", stem, c->n_points,
           c->n_points > 0 ? point_rows : "NULL");
}

const char *emit_witness_table(arena *a, const model *m, const sw_witness *table)
{
  writer *w = writer_create(a);
  emit_table cases = {0};
  emit_table trials = {0};
  emit_origin(w, m, ".witness.c", "  Do not edit.");
  writer_printf(w,
                " *\n"
                " * What the functions of the model are at some points, to 30 digits: value + "
                "rest.  They were\n"
                " * computed from the model's text in ball arithmetic, and not from the C in %s.c, "
                "which the\n"
                " * command `verify` of a program compares with them (sidewinder/witness.h).\n"
                " */\n"
                "#include <math.h>\n#include <stddef.h>\n\n#include \"sidewinder/witness.h\"\n\n",
                m->name);
  for (int i = 0; i < table->n_cases; i++) {
    emit_case(w, &cases, i, table->n_sizes > 0, &table->cases[i]);
  }
  emit_rows(w, "sw_witness_case", "cases", &cases);
  emit_strings(w, a, "size_names", table->size_names, table->n_sizes);
  for (int i = 0; i < table->n_trials; i++) {
    const char *name = arena_printf(a, "trial%d_sizes", i);
    const sw_witness_trial *trial = &table->trials[i];
    witness_table_emit_sizes(w, name, trial->sizes, trial->n_given);
    emit_row(a, &trials, "%d, %s, %d", trial->n_given, trial->n_given > 0 ? name : "NULL",
             trial->fits);
  }
  emit_rows(w, "sw_witness_trial", "trials", &trials);
  witness_table_emit_sizes(w, "size_default", table->size_default, table->n_sizes);
  writer_printf(w,
                "\nextern const sw_witness sw_witness_of_%s;\n"
                "const sw_witness sw_witness_of_%s = {\n    .name = %s,\n    .title = %s,\n"
                "    .digest = %s,\n",
                m->name, m->name, writer_literal(a, table->name), writer_literal(a, table->title),
                writer_literal(a, table->digest));
  emit_run(w, a, &m->run);
  writer_printf(w,
                "    .polynomial_H = %d,\n    .polynomial_g = %d,\n    .n_sizes = %d,\n"
                "    .size_names = %s,\n    .size_default = %s,\n    .n_trials = %d,\n"
                "    .trials = %s,\n    .n_cases = %d,\n    .cases = %s,\n};\n",
                table->polynomial_H, table->polynomial_g, table->n_sizes,
                table->n_sizes > 0 ? "size_names" : "NULL",
                table->n_sizes > 0 ? "size_default" : "NULL", table->n_trials,
                table->n_trials > 0 ? "trials" : "NULL", table->n_cases,
                table->n_cases > 0 ? "cases" : "NULL");
  return writer_text(w);
}
