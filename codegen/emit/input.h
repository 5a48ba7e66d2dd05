/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h -- what a generated file is made from.
 */
#ifndef SIDEWINDER_EMIT_INPUT_H
#define SIDEWINDER_EMIT_INPUT_H

#include "analysis/analysis.h"
#include "common/arena.h"
#include "expr/ir_program.h"
#include "expr/loops.h"
#include "model/model.h"

typedef struct emit_input {
  const model *model;
  const ir_program *program;
  const record *found;
  const ir_loops *loops; /* NULL for a model whose sizes are fixed */
  const char *summary;   /* what the analysis says, in lines */
  const char *digest;    /* of the model's text and sizes, hexadecimal */
} emit_input;

#endif
