/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/witness_table.h"

#include <math.h>
#include <stddef.h>

#include "emit/head.h"
#include "emit/writer.h"
#include "sidewinder/version.h"

/* Numbers to a line. */
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
};

/* static const double NAME[] = {...}; nothing where n = 0, as C has no empty arrays. */
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

static void emit_entries(writer *w, const char *name, const sw_witness_values *v)
{
  if (v->n == 0) {
    return;
  }
  writer_printf(w, "static const sw_witness_entry %s[] = {\n", name);
  for (int i = 0; i < v->n; i++) {
    const sw_witness_entry *e = &v->entries[i];
    writer_printf(w, "    {%d, %d, %.17g, %.15g, %.4g},\n", e->row, e->col, e->value, e->rest,
                  e->size);
  }
  writer_printf(w, "};\n");
}

static const char *named(arena *a, const char *name, long n)
{
  return n > 0 ? arena_strdup(a, name) : "NULL";
}

/* The entries of one function; its row in the table of functions goes to `rows`. */
static void emit_values(writer *w, writer *rows, arena *a, const char *name,
                        const sw_witness_values *v)
{
  emit_entries(w, name, v);
  writer_printf(rows, "    {%s, %d, %d, %s, %s},\n", names_of[v->what], v->number, v->n,
                named(a, name, v->n), v->missing ? writer_literal(a, v->missing) : "NULL");
}

/* One point, under names that begin with `stem`; its row in the table of points goes to `rows`. */
static void emit_point(writer *w, writer *rows, arena *a, const char *stem,
                       const sw_witness_case *c, const sw_witness_point *p)
{
  const struct {
    const char *letter;
    const double *x;
    long n;
  } vectors[] = {{"z", p->z, 2L * c->nq},
                 {"k", p->k, c->nk},
                 {"lambda", p->lambda, c->nc},
                 {"v", p->v, 2L * c->nq}};
  writer_printf(rows, "    {");
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    const char *name = arena_printf(a, "%s_%s", stem, vectors[i].letter);
    emit_numbers(w, name, vectors[i].x, vectors[i].n);
    writer_printf(rows, "%s, ", named(a, name, vectors[i].n));
  }
  writer *values = writer_create(a);
  for (int i = 0; i < p->n; i++) {
    emit_values(w, values, a, arena_printf(a, "%s_%d", stem, i), &p->values[i]);
  }
  writer_printf(w, "static const sw_witness_values %s[] = {\n%s};\n", stem, writer_text(values));
  writer_printf(rows, "%d, %d, %s},\n", p->is_near, p->n, stem);
}

static void emit_bounds(writer *w, arena *a, const char *name, const sw_bounds bounds[], int n)
{
  if (n == 0) {
    return;
  }
  writer_printf(w, "static const sw_bounds %s[] = {\n", name);
  for (int i = 0; i < n; i++) {
    writer_printf(w, "    {%s, %s, %d},\n", writer_double(a, bounds[i].lower),
                  writer_double(a, bounds[i].upper), bounds[i].closed);
  }
  writer_printf(w, "};\n");
}

static void emit_sizes(writer *w, const char *name, const long sizes[], int n)
{
  if (n > 0) {
    writer_printf(w, "static const long %s[] = {", name);
    for (int i = 0; i < n; i++) {
      writer_printf(w, "%s%ld", i ? ", " : "", sizes[i]);
    }
    writer_printf(w, "};\n");
  }
}

/* Its row in the table of cases goes to `rows`. */
static void emit_case(writer *w, writer *rows, arena *a, int number, int n_sizes,
                      const sw_witness_case *c)
{
  const int counts[] = {c->nq, c->nq, c->nk, c->nc, c->n_observe, c->n_invariant, c->n_init};
  writer *points = writer_create(a);
  for (int i = 0; i < c->n_points; i++) {
    emit_point(w, points, a, arena_printf(a, "case%d_point%d", number, i), c, &c->points[i]);
  }
  const char *stem = arena_printf(a, "case%d", number);
  if (c->n_points > 0) {
    writer_printf(w, "static const sw_witness_point %s_points[] = {\n%s};\n", stem,
                  writer_text(points));
  }
  emit_sizes(w, arena_printf(a, "%s_sizes", stem), c->sizes, n_sizes);
  emit_bounds(w, a, arena_printf(a, "%s_bounds", stem), c->bounds, c->nk);
  writer *defaults = writer_create(a);
  emit_values(w, defaults, a, arena_printf(a, "%s_k", stem), c->k_default);
  writer_printf(w, "static const sw_witness_values %s_default[] = {\n%s};\n", stem,
                writer_text(defaults));
  writer_printf(rows, "    {%s, %d, %d, %d, %d, %d, %d,\n     {",
                named(a, arena_printf(a, "%s_sizes", stem), n_sizes), c->nq, c->nc, c->nk,
                c->n_observe, c->n_invariant, c->n_init);
  for (int i = 0; i < (int)(sizeof counts / sizeof *counts); i++) {
    const char *name = arena_printf(a, "%s_names%d", stem, i);
    emit_strings(w, a, name, c->names[i], counts[i]);
    writer_printf(rows, "%s%s", i ? ", " : "", named(a, name, counts[i]));
  }
  writer_printf(rows, "},\n     %s, %s_default, %d, %s},\n",
                named(a, arena_printf(a, "%s_bounds", stem), c->nk), stem, c->n_points,
                named(a, arena_printf(a, "%s_points", stem), c->n_points));
}

/* The table of trials; nothing where there is none. */
static void emit_trials(writer *w, arena *a, const sw_witness *table)
{
  writer *rows = writer_create(a);
  for (int i = 0; i < table->n_trials; i++) {
    const char *name = arena_printf(a, "trial%d_sizes", i);
    emit_sizes(w, name, table->trials[i].sizes, table->n_sizes);
    writer_printf(rows, "    {%s, %d},\n", name, table->trials[i].fits);
  }
  if (table->n_trials > 0) {
    writer_printf(w, "static const sw_witness_trial trials[] = {\n%s};\n", writer_text(rows));
  }
}

static void emit_comment(writer *w, const model *m)
{
  writer_printf(w,
                "/* SPDX-License-Identifier: BSD-3-Clause */\n"
                "/*\n"
                " * %s.witness.c -- generated by sidewinder %s from %s.  Do not edit.\n"
                " *\n"
                " * What the functions of the model are at some points, to 30 digits: value + "
                "rest.  They were\n"
                " * computed from the model's text in ball arithmetic, and not from the C in %s.c, "
                "which the\n"
                " * command `verify` of a program compares with them (sidewinder/witness.h).\n"
                " */\n",
                m->name, SW_VERSION, emit_base_name(m->file), m->name);
  writer_printf(w,
                "#include <math.h>\n#include <stddef.h>\n\n#include \"sidewinder/witness.h\"\n\n");
}

const char *emit_witness_table(arena *a, const model *m, const sw_witness *table)
{
  writer *w = writer_create(a);
  writer *cases = writer_create(a);
  emit_comment(w, m);
  for (int i = 0; i < table->n_cases; i++) {
    emit_case(w, cases, a, i, table->n_sizes, &table->cases[i]);
  }
  if (table->n_cases > 0) {
    writer_printf(w, "static const sw_witness_case cases[] = {\n%s};\n", writer_text(cases));
  }
  emit_strings(w, a, "size_names", table->size_names, table->n_sizes);
  emit_trials(w, a, table);
  emit_sizes(w, "size_default", table->size_default, table->n_sizes);
  writer_printf(w, "\nextern const sw_witness sw_witness_%s;\n", m->name);
  writer_printf(w, "const sw_witness sw_witness_%s = {\n    .name = %s,\n    .title = %s,\n",
                m->name, writer_literal(a, table->name), writer_literal(a, table->title));
  writer_printf(w, "    .digest = %s,\n", writer_literal(a, table->digest));
  emit_run(w, a, &m->run);
  writer_printf(w, "    .polynomial_H = %d,\n    .polynomial_g = %d,\n", table->polynomial_H,
                table->polynomial_g);
  writer_printf(w, "    .n_sizes = %d,\n    .size_names = %s,\n    .size_default = %s,\n",
                table->n_sizes, named(a, "size_names", table->n_sizes),
                named(a, "size_default", table->n_sizes));
  writer_printf(w, "    .n_trials = %d,\n    .trials = %s,\n", table->n_trials,
                named(a, "trials", table->n_trials));
  writer_printf(w, "    .n_cases = %d,\n    .cases = %s,\n};\n", table->n_cases,
                named(a, "cases", table->n_cases));
  return writer_text(w);
}
