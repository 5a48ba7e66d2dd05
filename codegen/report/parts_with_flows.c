/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts_with_flows.c -- the parts of H with exact flows, or why there are none, and the term that
 * prevents them.
 */
#include <string.h>

#include "report/notes.h"
#include "report/page.h"

/* Maximal number of operations of a part that is written out. */
#define LONGEST 120.0

record_division notes_division(const notes *n)
{
  return n->c->loops || !n->found ? record_division_by_form(n->structure)
                                  : n->found->splitting.division;
}

static const char *parts_with_flows_written_out(const notes *n, const ir_expr *e)
{
  const char *text = page_expression(n->printer, &n->names, e, LONGEST);
  return text ? text : "(a long formula)";
}

/* "FILE:LINE:COLUMN". */
static const char *parts_with_flows_place_of(const notes *n, span where)
{
  const char *slash = strrchr(n->c->file, '/');
  int line = 1;
  int begin = 0;
  for (int i = 0; i < where.begin; i++) {
    if (n->c->model->text[i] == '\n') {
      line++;
      begin = i + 1;
    }
  }
  return arena_printf(n->memory, "%s:%d:%d", slash ? slash + 1 : n->c->file, line,
                      where.begin - begin + 1);
}

static const char *const remedy =
    "write H with terms that read at most one half of each pair, or are of degree 2 with constant "
    "coefficients, or take a base method that needs no parts, such as midpoint";

static const char *reason(const notes *n)
{
  const ir_program *p = n->program;
  const record_splitting *s = n->found ? &n->found->splitting : NULL;
  if (n->c->loops) {
    return arena_printf(n->memory,
                        "H is neither T(p) + V(q) nor of degree 2, and a model with loops is not "
                        "divided any further: %stake a base method that needs no parts, such as "
                        "midpoint",
                        model_can_unroll(n->c->model) ? "generate it with --lowering unrolled, or "
                                                      : "");
  }
  if (!s || s->term < 0) {
    return arena_printf(n->memory, "H has too many parts: %s", remedy);
  }
  const char *halves = "";
  if (s->pair >= 0) {
    halves = arena_printf(n->memory, ": it reads both %s and %s",
                          spelled_entry(n->memory, p->q_names[s->pair]),
                          spelled_entry(n->memory, p->p_names[s->pair]));
  }
  return arena_printf(n->memory, "the part %s of H has no exact flow%s; %s",
                      parts_with_flows_written_out(n, s->stuck), halves, remedy);
}

/* The source range of the term of H that prevents a division, or of H. */
static span place_in_H(const notes *n)
{
  const record_splitting *s = n->c->loops || !n->found ? NULL : &n->found->splitting;
  return s && s->term >= 0 ? n->program->terms[s->term].where : n->c->model->terms[0]->where;
}

const char *page_undivided_at(const compilation *c, span *where)
{
  const notes n = notes_plain(c);
  *where = place_in_H(&n);
  return notes_division(&n) == DIVISION_NONE ? reason(&n) : NULL;
}

const char *page_undivided(const compilation *c)
{
  const notes n = notes_plain(c);
  span where;
  const char *words = page_undivided_at(c, &where);
  return words ? arena_printf(n.memory, "%s: %s", parts_with_flows_place_of(&n, where), words)
               : NULL;
}

const char *const *page_parts(const compilation *c)
{
  const notes n = notes_plain(c);
  const int parts = notes_division(&n) == DIVISION_PARTS ? n.found->splitting.n : 0;
  const char **list = ARENA_ARRAY(n.memory, parts + 1, const char *);
  for (int i = 0; i < parts; i++) {
    list[i] = parts_with_flows_written_out(&n, n.found->splitting.parts[i].value);
  }
  return list;
}

void page_splitting(const notes *n)
{
  static const char *const flows[] = {[FLOW_KICK] = "kick",
                                      [FLOW_MIXED] = "shift",
                                      [FLOW_DRIFT] = "drift",
                                      [FLOW_LINEAR] = "linear flow"};
  const record_division division = notes_division(n);
  const char *label = "splitting";
  if (division == DIVISION_NONE) {
    const record_splitting *s = n->found ? &n->found->splitting : NULL;
    if (n->c->loops || !s || s->term < 0) {
      sheet_item(n->sheet, label, "none: H was not divided into parts with exact flows");
    } else {
      sheet_item(n->sheet, label, "none: %s, in the term at %s, has no exact flow",
                 notes_short(n, s->stuck),
                 parts_with_flows_place_of(n, n->program->terms[s->term].where));
    }
  }
  for (int i = 0; division == DIVISION_PARTS && i < n->found->splitting.n; i++) {
    const record_part *part = &n->found->splitting.parts[i];
    sheet_item(n->sheet, label, "%s of %s", flows[part->flow], notes_short(n, part->value));
    label = "";
  }
}
