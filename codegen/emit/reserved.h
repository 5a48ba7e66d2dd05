/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reserved.h -- words that C, its headers, the runtime or the generated file use.
 */
#ifndef SIDEWINDER_EMIT_RESERVED_H
#define SIDEWINDER_EMIT_RESERVED_H

#include <stddef.h>

#include "common/arena.h"

/* The reserved words, except the functions of the contract (emit/contract.h). *n: their number. */
const char *const *emit_reserved_words(size_t *n);

/* 1 for a name of a reserved family: SW_MODEL_ABI, M_PI, t0, init_1, ... */
int emit_is_of_reserved_family(const char *name);

/* Why a model cannot have this name, because NAME.c, NAME.h and sw_model_NAME would clash with
 * other files and symbols; NULL if it can. */
const char *emit_model_name_fault(arena *a, const char *name);

#endif
