/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/step_block.h -- functions of NAME_step.c: what they read is bound at the head, values come in the order in which they need each
 * other, and what others read is kept in the structures `setup` and `work`.
 */
#ifndef SIDEWINDER_EMIT_STEP_BLOCK_H
#define SIDEWINDER_EMIT_STEP_BLOCK_H

#include "emit/function.h"
#include "fused/cluster.h"
#include "fused/schedule.h"

/* C compilers take some seconds for as many, and a processor no longer keeps the code of twice as many at hand. */
enum { STEP_MOST_OPERATIONS = 10000 };

/* A file NAME_step.c in the making.  Once it has more operations than that, or has spent its attempt (expr/expr.h), functions
 * are no longer written. */
typedef struct step_source {
  arena *memory;
  ir_context *context;
  const fused_step *step;
  const fused_schedule *blocks;
  const sw_method *method;
  int compensated;
  const fused_cluster *cluster; /* NULL where it is the step of a whole model */
  emit_names names;
  emit_words *words; /* the names in use */
  writer *w;         /* the functions */
  long operations;   /* of all blocks */
  int is_beyond;     /* 1 where a number is no double */
  int watches_N;     /* 1 if N may become singular and is examined along general steps */
} step_source;

/* Where a value is kept: "s->h", "w->q_x", or the number that it is.  And what it is called inside of a function that reads it. */
const char *step_member(const step_source *s, const ir_expr *node);
const char *step_name(const step_source *s, const ir_expr *node);

/* " * s->...": what makes a multiplier of a half angle; "" for 1, and where the unknown is the multiplier. */
const char *step_times_per_arctan(const step_source *s, const fused_phase *p, int j);

/* A text times a number. */
const char *step_weighted(const step_source *s, double weight, const char *text);

/* An inline function; no comment where that is "". */
void step_inline(step_source *s, const char *comment, const char *head, const char *body);

/* One of `const setup *s, work *w`. */
void step_function(step_source *s, const char *comment, const char *result, const char *name,
                   const char *head, const char *body);

/* One that computes the values of a block (fused/schedule.h), and then has `more` statements. */
void step_block(step_source *s, int block, const char *comment, const char *result,
                const char *name, const char *more);

/* The structures, and the function set_up(k, h, s). */
void step_members(step_source *s, writer *w, int setup);
void step_setup(step_source *s);

/* The function set_up_flows(f, kept, s), where there are linear flows, and how many values are kept for it in each lane. */
void step_flows(step_source *s);
int step_kept(const step_source *s);

#endif
