/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/model_source.h"

#include <ctype.h>
#include <string.h>

#include "emit/tables.h"
#include "emit/writer.h"
#include "expr/derivative.h"
#include "expr/expr_formula.h"
#include "expr/ir_program.h"
#include "expr/sign.h"
#include "expr/substitute.h"

/* The functions in H that are not defined at all states; for the message
 * that H is not finite at the start. */

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

/* Writes the table `partial` of sw_partial_function, such as {"1/sin(th)^2", "th"}: a function, and
 * the coordinates and momenta that it reads. */
static void emit_partial_functions(writer *w, arena *a, ir_context *c, const ir_program *p)
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

/* "(a, b, c)" for a few names, "(a, b, ..., z), n in all" for many. */
static const char *list_names(arena *a, const char *const names[], size_t n)
{
  static const size_t few = 12;
  const char *text = "";
  for (size_t i = 0; i < n && n <= few; i++) {
    text = arena_printf(a, "%s%s%s", text, i ? ", " : "", names[i]);
  }
  return n <= few ? arena_printf(a, "(%s)", text)
                  : arena_printf(a, "(%s, %s, ..., %s), %zu in all", names[0], names[1],
                                 names[n - 1], n);
}

/* The names of positions, momenta and parameters, in their order. */
static const char *model_source_unknowns(arena *a, const emit_parts *parts)
{
  static const char *const lines[] = {[TABLE_POSITIONS] = "positions   q = ",
                                      [TABLE_MOMENTA] = "\nmomenta     p = ",
                                      [TABLE_PARAMETERS] = "\nparameters  k = "};
  const char *text = "";
  for (int i = 0; i <= TABLE_PARAMETERS; i++) {
    if (parts->tables[i].n) {
      text = arena_printf(a, "%s%s%s", text, lines[i],
                          list_names(a, parts->names[i], parts->tables[i].n));
    }
  }
  return text;
}

const char *emit_source(arena *a, ir_context *c, const emit_input *in)
{
  writer *w = writer_create(a);
  const emit_parts parts = in->loops ? emit_looped(a, c, in) : emit_unrolled(a, c, in);
  emit_head(w, a, in, model_source_unknowns(a, &parts));
  emit_helpers(w, parts.functions);
  writer_printf(w, "%s", parts.functions);
  emit_tables(w, &parts);
  emit_summary(w, a, in->summary);
  emit_constant(w, a, in, &parts);
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
  emit_origin(w, in->model, ".h", "  Do not edit.");
  if (*in->model->title) {
    writer_printf(w, " *\n");
    writer_comment_lines(w, " * ", in->model->title);
  }
  writer_printf(w, " */\n#ifndef %s\n#define %s\n\n#include \"sidewinder/model.h\"\n%s\n", guard,
                guard, in->unfused ? "" : "#include \"sidewinder/stepper.h\"\n");
  writer_printf(
      w,
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nextern const sw_model sw_model_%s;\n%s\n"
      "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
      name,
      in->unfused
          ? arena_printf(a, "/* No %s_step.c: %s. */\n", name, in->unfused)
          : arena_printf(a,
                         "/* %s_step.c, %s%s%s, and the same compiled with -DSW_LANES=4 and 8. */\n"
                         "extern const sw_stepper sw_stepper_%s;\n"
                         "extern const sw_stepper sw_stepper_%s_4;\n"
                         "extern const sw_stepper sw_stepper_%s_8;\n",
                         name, in->step_method->name, emit_over_base(a, " over ", in->step_base),
                         in->step_compensated ? ", compensated" : "", name, name, name));
  return writer_text(w);
}

/* ---- the program ---- */

/* Bytes of the model's text in one string. Strings longer than 4095 bytes are not portable in
 * C99. */
#define PIECE 4000

/* Writes the model's text in pieces: one per line, several for a long line. */
static void emit_text(writer *w, arena *a, const char *text)
{
  writer_printf(w, "static const char *const text[] = {\n");
  while (*text) {
    size_t length = strcspn(text, "\n");
    length += text[length] == '\n';
    length = length < PIECE ? length : PIECE;
    while ((text[length] & 0xc0) == 0x80) { /* inside a UTF-8 character */
      length--;
    }
    writer_printf(w, "    %s,\n", writer_literal(a, arena_strndup(a, text, length)));
    text += length;
  }
  writer_printf(w, "    NULL};\n\n");
}

/* The comment after '#' on the line of a declaration, or "". */
static const char *comment_at(arena *a, const char *text, span where)
{
  const char *line = text + where.begin;
  const char *sign = memchr(line, '#', strcspn(line, "\n"));
  if (!sign) {
    return "";
  }
  sign += 1 + strspn(sign + 1, " \t");
  size_t length = strcspn(sign, "\n");
  while (length > 0 && isspace((unsigned char)sign[length - 1])) {
    length--;
  }
  return arena_strndup(a, sign, length);
}

static void model_source_emit_comment(writer *w, arena *a, const model *m, const char *name,
                                      span where)
{
  const char *comment = comment_at(a, m->text, where);
  if (*comment) {
    writer_printf(w, "    {\"%s\", %s},\n", name, writer_literal(a, comment));
  }
}

static void emit_comments(writer *w, arena *a, const model *m)
{
  writer_printf(w, "static const sw_comment comments[] = {\n");
  for (int i = 0; i < m->n_coordinates; i++) {
    model_source_emit_comment(w, a, m, m->coordinates[i]->name, m->coordinates[i]->where);
    model_source_emit_comment(w, a, m, m->coordinates[i]->momentum, m->coordinates[i]->where);
  }
  for (int i = 0; i < m->n_parameters; i++) {
    model_source_emit_comment(w, a, m, m->parameters[i]->name, m->parameters[i]->where);
  }
  for (int i = 0; i < m->n_observe; i++) {
    model_source_emit_comment(w, a, m, m->observe[i]->name, m->observe[i]->where);
  }
  for (int i = 0; i < m->n_invariants; i++) {
    model_source_emit_comment(w, a, m, m->invariants[i]->name, m->invariants[i]->where);
  }
  writer_printf(w, "    {NULL, NULL}};\n\n");
}

const char *emit_main(arena *a, const model *m, ir_context *c, const ir_program *p, int witnessed,
                      int has_step)
{
  writer *w = writer_create(a);
  const char *name = m->name;
  writer_printf(w,
                "/* SPDX-License-Identifier: BSD-3-Clause */\n"
                "#include \"%s.h\"\n"
                "#include \"sidewinder/program.h\"\n\n"
                "#include <stddef.h>\n\n",
                name);
  if (witnessed) {
    writer_printf(w, "extern const sw_witness sw_witness_of_%s;\n\n", name);
  }
  if (has_step) {
    writer_printf(w,
                  "static const sw_stepper *const steppers[] = {\n"
                  "    &sw_stepper_%s,\n"
                  "#ifdef SW_WITH_LANES\n"
                  "    &sw_stepper_%s_4,\n"
                  "    &sw_stepper_%s_8,\n"
                  "#endif\n"
                  "    NULL};\n\n",
                  name, name, name);
  }
  emit_text(w, a, m->text);
  emit_comments(w, a, m);
  emit_partial_functions(w, a, c, p);
  writer_printf(w,
                "int main(int argc, char **argv)\n{\n"
                "  const sw_program program = {\n"
                "      .model = &sw_model_%s, .text = text, .comments = comments,\n"
                "      .partial = partial, .header = sw_program_header(),\n",
                name);
  if (witnessed) {
    writer_printf(w, "      .witness = &sw_witness_of_%s,\n", name);
  }
  writer_printf(w, "%s  };\n  return sw_program_main_of(&program, argc, argv);\n}\n",
                has_step ? "      .steppers = steppers,\n" : "");
  return writer_text(w);
}

const char *emit_shared(arena *a, const model *m, int has_step, const char *path, const char *text)
{
  const char *name = m->name;
  writer *w = writer_create(a);
  writer_printf(w, "#include \"%s.h\"\n#define SW_MODEL sw_model_%s\n", name, name);
  if (has_step) {
    writer_printf(w,
                  "#define SW_STEPPER sw_stepper_%s\n"
                  "#ifdef SW_WITH_LANES\n"
                  "#define SW_STEPPER_LANES {&sw_stepper_%s_4, &sw_stepper_%s_8, NULL}\n"
                  "#endif\n",
                  name, name, name);
  }
  writer_printf(w, "#line 1 %s\n%s", writer_literal(a, path), text);
  return writer_text(w);
}
