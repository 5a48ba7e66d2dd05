/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/step_source.h -- the file NAME_step.c under construction. The head of a function binds the
 * values that it reads. Values follow in the order of their dependences. Values that other
 * functions read are members of the structures `setup` and `work`.
 */
#ifndef SIDEWINDER_EMIT_STEP_SOURCE_H
#define SIDEWINDER_EMIT_STEP_SOURCE_H

#include "emit/tables.h"
#include "fused/step.h"

/* Limit on operations. C compilers need some seconds for this number, and twice as many no longer
 * fit the processor's instruction cache. */
enum { STEP_MOST_OPERATIONS = 10000 };

/* A file NAME_step.c under construction. No more functions are written after it exceeds
 * STEP_MOST_OPERATIONS, or after its attempt is spent (expr/expr.h). */
typedef struct step_source {
  arena *memory;
  ir_context *context;
  const fused_step *step;
  const fused_schedule *blocks;
  const sw_method *method;
  int compensated;
  const fused_cluster *cluster; /* NULL for the step of a whole model */
  emit_names names;
  emit_words *words; /* names in use */
  writer *w;         /* text of the functions */
  long operations;   /* number of operations of all blocks */
  int is_beyond;     /* 1 if a number is no double */
  int watches_N;     /* 1 if N may become singular and is examined along general steps */
} step_source;

/* ---- functions of values (step_block.c) ---- */

/* step_member: the storage of a value, such as "s->h" or "w->q_x", or its literal if it is a
 * number. step_name: its name inside a function that reads it. */
const char *step_member(const step_source *s, const ir_expr *node);
const char *step_name(const step_source *s, const ir_expr *node);

/* The factor " * s->..." from half an angle to a multiplier; "" if it is 1, or if the unknown is
 * the multiplier. */
const char *step_times_per_arctan(const step_source *s, const fused_phase *p, int j);

/* weight * text. */
const char *step_weighted(const step_source *s, double weight, const char *text);

/* Writes the head of an inline function, without a comment if `comment` is ""; step_close its
 * end. */
void step_open(step_source *s, const char *comment, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void step_close(step_source *s);

/* Writes an inline function with the arguments `const setup *s, work *w`. */
void step_function(step_source *s, const char *comment, const char *result, const char *name,
                   const char *head, const char *body);

/* The same for a function that computes the values of a block (fused/schedule.c) and then executes
 * the statements `more`. */
void step_block(step_source *s, int block, const char *comment, const char *result,
                const char *name, const char *more);

/* step_members writes the members of the structure setup or work; step_setup writes the function
 * set_up(k, h, s). */
void step_members(step_source *s, writer *w, int setup);
void step_setup(step_source *s);

/* step_flows writes the function set_up_flows(f, kept, s) if there are linear flows. step_kept: the
 * number of values that it keeps in each lane. */
void step_flows(step_source *s);
int step_kept(const step_source *s);

/* ---- parts of the file ---- */

/* Writes the functions of solve i (step_solve.c). */
void step_solve(step_source *s, int i);

/* The cluster of the looped model. NULL if there is none, or the method does not support clusters;
 * *refusal then gives the reason, a phrase about the model (step_cluster.c). */
const fused_cluster *step_cluster_of(step_source *s, const emit_input *in, const sw_tableau *base,
                                     const char **refusal);

/* step_cluster_functions writes the functions that only steps of clusters have;
 * step_cluster_tables, the loops over clusters and their table `clusters`. */
void step_cluster_functions(step_source *s);
void step_cluster_tables(const step_source *s, writer *w);

#endif
