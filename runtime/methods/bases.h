/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/bases.h -- the named base methods, each a table in its own file (sidewinder/methods.h).
 */
#ifndef SIDEWINDER_METHODS_BASES_H
#define SIDEWINDER_METHODS_BASES_H

#include "sidewinder/methods.h"
#include "sidewinder/tableau.h"

typedef struct sw_base {
  sw_tableau tableau;
  const char *what; /* a short description, for lists */
  int order;        /* for any H, without constraints */
} sw_base;

#define SW_BASE_DECLARE(identifier, name) extern const sw_base sw_base_##identifier;
SW_BASES(SW_BASE_DECLARE)
#undef SW_BASE_DECLARE

/* The base method of that name, or NULL. */
const sw_base *sw_base_find(const char *name);

#endif
