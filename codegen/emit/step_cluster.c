/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step_cluster.c -- one cluster of a looped model (fused/cluster.c), instead of steps of a whole
 * model.
 */
#include "emit/step_source.h"
#include "expr/builders.h"
#include "sidewinder/tableau.h"
#include "step/stage_plan.h"

const fused_cluster *step_cluster_of(step_source *s, const emit_input *in, const sw_tableau *base,
                                     const char **refusal)
{
  const fused_cluster *cluster = fused_cluster_of(s->context, in->model, in->loops, refusal);
  sw_stage_plan plan;
  sw_stage_plan_make(base, 1, &plan);
  const int kicks = sw_stage_plan_kick(&plan) >= 0.0;
  if (cluster && (!s->method->on_hidden || s->method->operation[0].kind != SW_FIBRE || !kicks)) {
    *refusal =
        "it has loops, and the method is not rattle over a base method that kicks and drifts";
    return NULL;
  }
  return cluster;
}

void step_cluster_functions(step_source *s)
{
  const fused_step *step = s->step;
  const int d = step->d;
  const char *text = "";
  step_open(s, "The state between the two solves takes the place of the start.",
            "void go_between(work *w)");
  for (int i = 0; i < 2 * d; i++) {
    writer_printf(s->w, "  %s = %s;\n", step_member(s, step->z[i]),
                  step_member(s, step->reached[i]));
  }
  step_close(s);
  step_open(s, "Moves the momenta along the forces -H_q.",
            "void kick(const double force[], double by, work *w)");
  for (int i = 0; i < d; i++) {
    writer_printf(s->w, "  %s -= by * SW_LOAD(force, %d);\n", step_member(s, step->z[d + i]), i);
  }
  step_close(s);
  for (int i = 0; i < d; i++) {
    if (!ir_is_zero(step->force[i])) {
      text = arena_printf(s->memory, "%s  %s -= by * %s;\n", text, step_member(s, step->z[d + i]),
                          step_member(s, step->force[i]));
    }
  }
  if (*text) {
    step_block(s, FUSED_BLOCK_FORCE, "H_q of the terms of H that act within clusters alone.",
               "void", "find_force", "");
  }
  step_open(s, "The same along those of the terms that act within clusters alone.",
            "void kick_within(const setup *s, double by, work *w)");
  writer_printf(s->w, "%s%s",
                *text ? "  find_force(s, w);\n" : "  (void)s;\n  (void)by;\n  (void)w;\n", text);
  step_close(s);
  step_open(s, "The sizes of the whole state.",
            "void take_sizes(double size_q, double size_p, work *w)");
  writer_printf(s->w, "  %s = SW_SPREAD(size_q);\n  %s = SW_SPREAD(size_p);\n",
                step_member(s, step->size_q), step_member(s, step->size_p));
  step_close(s);
  for (int phase = 0; phase < 2; phase++) {
    const fused_phase *p = &step->phase[phase];
    step_open(s, arena_printf(s->memory, "The multipliers of solve %d, times h.", phase + 1),
              "void multipliers_%d(const work *w, double sum[])", phase + 1);
    for (int i = 0; i < p->m; i++) {
      writer_printf(s->w, "  SW_STORE(sum, %d, %s);\n", i,
                    step_weighted(s, p->multiplier, step_member(s, p->unknown[i])));
    }
    step_close(s);
  }
}

/* Writes a table of numbers. An empty table has the element -1, since C has no empty arrays. */
static void write_list(writer *w, const char *name, int n, const int values[])
{
  writer_printf(w, "static const int %s[] = {%s", name, n ? "" : "-1");
  for (int i = 0; i < n; i++) {
    writer_printf(w, "%s%d", i ? ", " : "", values[i]);
  }
  writer_printf(w, "};\n");
}

void step_cluster_tables(const step_source *s, writer *w)
{
  const fused_cluster *c = s->cluster;
  writer_printf(w,
                "enum { POSITIONS = %d, CONSTRAINTS = %d, PARAMETERS = %d };\n\n"
                "#include \"sidewinder/fused_clusters.h\"\n\n",
                s->step->d, s->step->m, s->step->nk);
  for (int i = 0; i < s->step->m; i++) {
    write_list(w, arena_printf(s->memory, "columns_%d", i), c->n_columns[i], c->columns[i]);
  }
  writer_printf(w, "static const int *const columns[] = {");
  for (int i = 0; i < s->step->m; i++) {
    writer_printf(w, "%scolumns_%d", i ? ", " : "", i);
  }
  writer_printf(w, "};\n");
  write_list(w, "n_columns", s->step->m, c->n_columns);
  write_list(w, "mass_of", s->step->d, c->mass_of);
  writer_printf(w, "/* Arrays of parameters, entries in them, and by how much these move on "
                   "from cluster to cluster. */\n"
                   "static const sw_cluster_value values[] = {");
  for (int i = 0; i < c->n_values; i++) {
    writer_printf(w, "%s{%d, %ld, %ld}", i ? ", " : "", c->values[i].array, c->values[i].entry,
                  c->values[i].by);
  }
  writer_printf(w, "%s};\n", c->n_values ? "" : "{0, 0, 0}");
  /* the terms of H that make other forces, as the sets that they are sums over */
  for (int i = 0; i < c->n_others; i++) {
    write_list(w, arena_printf(s->memory, "others_%d", i), c->others[i].n, c->others[i].sets);
  }
  writer_printf(w, "static const sw_cluster_others others[] = {");
  for (int i = 0; i < c->n_others; i++) {
    writer_printf(w, "%s{%d, others_%d}", i ? ", " : "", c->others[i].n, i);
  }
  writer_printf(w, "%s};\n", c->n_others ? "" : "{0, 0}");
  writer_printf(
      w,
      "\nstatic const sw_clusters clusters = {\n"
      "    .positions = POSITIONS,\n    .constraints = CONSTRAINTS,\n    .n_values = %d,\n"
      "    .values = values,\n    .n_masses = %d,\n    .mass_of = mass_of,\n    .n_columns = "
      "n_columns,\n    .columns = columns,\n    .n_others = %d,\n    .others = others,\n"
      "    .enter = enter,\n    .leave = leave,\n    .solve = solve,\n};\n\n",
      c->n_values, c->n_masses, c->n_others);
}
