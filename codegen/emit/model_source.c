/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/model_source.h"

#include <ctype.h>
#include <string.h>

#include "emit/tables.h"
#include "emit/writer.h"
#include "expr/ir_program.h"

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

/* ---- the head of NAME.c ---- */

static void emit_formulas(writer *w, arena *a, const emit_input *in)
{
  const model *m = in->model;
  if (m->lagrangian_name) {
    writer_comment_formula(
        w, " *   ", arena_printf(a, "%s(q, v) = %s", m->lagrangian_name, m->lagrangian_text));
  }
  writer_comment_formula(w, " *   ",
                         arena_printf(a, "%s(q, p) = %s", m->hamiltonian_name, in->hamiltonian));
  for (int i = 0; i < m->n_constraints; i++) {
    const model_family *f = m->constraints[i];
    writer_comment_formula(w, " *   ", arena_printf(a, "%s: %s", f->heading, f->text));
  }
}

/* Writes the comment at the top, then the includes. The comment has provenance, formulas,
 * `unknowns` (lines about variables), sizes, analysis and the model's text. */
static void emit_head(writer *w, arena *a, const emit_input *in, const char *unknowns)
{
  const model *m = in->model;
  emit_origin(w, m, ".c", EMIT_DO_NOT_EDIT);
  if (*m->title) {
    writer_comment_lines(w, " * ", m->title);
    writer_printf(w, " *\n");
  }
  emit_formulas(w, a, in);
  writer_printf(w, " *\n");
  writer_comment_lines(w, " *   ", unknowns);
  for (int i = 0; i < m->n_sizes; i++) {
    const model_size *s = m->sizes[i];
    writer_comment_lines(w, " *   ",
                         s->is_data ? arena_printf(a, "size        %s, of data", s->name)
                                    : arena_printf(a, "size        %s = %ld", s->name, s->value));
  }
  for (int i = 0; i < m->n_indices; i++) {
    const model_indices *own = m->indices[i];
    writer_comment_lines(w, " *   ",
                         arena_printf(a, "indices     %s[%s] in %s, of data", own->name,
                                      own->set->name, own->target->name));
  }
  writer_printf(w, " *\n * Found by analysis:\n");
  writer_comment_lines(w, " *   ", in->summary);
  writer_printf(w, " *\n * The model:\n *\n");
  writer_comment_lines(w, " *     ", m->text);
  writer_printf(w, " */\n\n#include \"%s.h\"\n\n#include <math.h>\n#include <stddef.h>\n\n",
                m->name);
}

/* the length of strings that C99 guarantees */
#define LONGEST_STRING 4095

/* Writes static const char analysis[] = ...; */
static void emit_summary(writer *w, arena *a, const char *summary)
{
  static const char more[] = "...           and more: see sidewinder check\n";
  size_t room = LONGEST_STRING - (sizeof more - 1);
  writer_printf(w, "static const char analysis[] =\n");
  for (const char *line = summary; *line;) {
    size_t length = strcspn(line, "\n") + 1;
    int fits = length <= room;
    const char *text = fits ? arena_strndup(a, line, length) : more;
    line = fits ? line + length : "";
    room -= fits ? length : 0;
    writer_printf(w, "    %s%s\n", writer_literal(a, text), *line ? "" : ";");
  }
  writer_printf(w, "\n");
}

/* ---- the files ---- */

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

const char *emit_lifted(arena *a, ir_context *c, const emit_input *in, const char *name)
{
  writer *w = writer_create(a);
  const emit_parts parts = in->loops ? emit_looped(a, c, in) : emit_unrolled(a, c, in);
  emit_origin(w, in->model, ".c", EMIT_DO_NOT_EDIT);
  writer_comment_lines(w, " * ",
                       "The lifted model, for derivatives with respect to parameters: the\n"
                       "parameters, and a factor of H and of the forces, are positions.\n\n");
  writer_comment_lines(w, " *   ", model_source_unknowns(a, &parts));
  writer_printf(w, " */\n\n#include \"%s.h\"\n\n#include <math.h>\n#include <stddef.h>\n\n", name);
  emit_helpers(w, parts.functions);
  writer_printf(w, "%s", parts.functions);
  emit_tables(w, &parts);
  emit_summary(w, a, "lifted model\n");
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
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nextern const sw_model sw_model_%s;\n%s%s\n"
      "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
      name,
      in->has_lifted ? arena_printf(a,
                                    "/* %s_lifted.c, for derivatives along parameters. */\n"
                                    "extern const sw_model sw_model_%s_lifted;\n",
                                    name, name)
                     : "",
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
