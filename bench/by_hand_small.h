/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_small.h -- hand-written RATTLE for three small models, for one trajectory and for several
 * at once.
 *
 * The states are those of models/pendulum.sw and chain6.sw (over Stormer-Verlet) and hopf.sw (over
 * the midpoint method) with their own parameters.  Entry i of lane l is z[i * lanes + l].  Each
 * step finds both multipliers by Newton's method from zero, down to round-off; all lanes iterate
 * until the last one has converged.  There are no checks.
 */
#ifndef BENCH_BY_HAND_SMALL_H
#define BENCH_BY_HAND_SMALL_H

typedef void by_hand_steps(double z[], double h, long steps);

/* hopf rotates along its fibres, by sin and cos, or (cayley) by the tangent of half the angle. */
by_hand_steps by_hand_pendulum_1, by_hand_hopf_1, by_hand_hopf_cayley_1, by_hand_chain6_1;
by_hand_steps by_hand_pendulum_8, by_hand_hopf_8, by_hand_hopf_cayley_8, by_hand_chain6_8;

#endif
