/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contract.h -- the functions of a model in C: their names and quantities.
 */
#ifndef SIDEWINDER_EMIT_CONTRACT_H
#define SIDEWINDER_EMIT_CONTRACT_H

#include "expr/ir_program.h"

/* The meaning of a row or column number of a function. */
typedef enum emit_entry {
  ENTRY_NONE,
  ENTRY_Z,
  ENTRY_CONSTRAINT,
  ENTRY_OBSERVABLE,
  ENTRY_INVARIANT,
  ENTRY_FORCE,
  ENTRY_EVENT,
  ENTRY_RATE,    /* accelerations, then rates of the hidden constraints */
  ENTRY_Z_LAMBDA /* the state, then multipliers */
} emit_entry;

typedef struct emit_contract_row {
  const char *name;
  const char *quantity; /* description, for the comment */
  int has_lambda;
  emit_entry row;
  emit_entry col;
} emit_contract_row;

/* Indexed by ir_function_id. */
extern const emit_contract_row emit_contract[IR_FUNCTIONS];

#endif
