/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MOTION_H
#define MOTION_H

/* The position of the Hopf model after `steps` steps of h = 0.1, of a simulation and of one of a
 * batch; 0, or a status. */
int motion(long steps, double alone[2], double of_batch[2]);

/* The degrees of freedom of the mirror model, or -1. */
int mirror_freedom(void);

#endif
