/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * users.h -- a reference count for data shared by threads.  The last user releases the data.
 */
#ifndef SIDEWINDER_COMMON_USERS_H
#define SIDEWINDER_COMMON_USERS_H

#include <stdatomic.h>

/* Starts at 1, for the creator. */
typedef atomic_long sw_users;

static inline void sw_users_join(sw_users *users)
{
  atomic_fetch_add_explicit(users, 1, memory_order_relaxed);
}

/* Returns 1 for the last user.  All accesses by the other users happen before that. */
static inline int sw_users_leave(sw_users *users)
{
  return atomic_fetch_sub_explicit(users, 1, memory_order_acq_rel) == 1;
}

#endif
