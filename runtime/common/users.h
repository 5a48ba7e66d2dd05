/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users.h -- how many use something that is shared, in whatever threads: the last one releases it.
 */
#ifndef SIDEWINDER_COMMON_USERS_H
#define SIDEWINDER_COMMON_USERS_H

#include <stdatomic.h>

/* Begins at 1, with whoever makes what is shared. */
typedef atomic_long sw_users;

static inline void sw_users_join(sw_users *users)
{
  atomic_fetch_add_explicit(users, 1, memory_order_relaxed);
}

/* Returns 1 to the last one.  All that the others did happens before that. */
static inline int sw_users_leave(sw_users *users)
{
  return atomic_fetch_sub_explicit(users, 1, memory_order_acq_rel) == 1;
}

#endif
