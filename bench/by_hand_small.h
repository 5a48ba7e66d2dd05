/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand_small.h -- RATTLE for three small models, written by hand, for one trajectory and for several at once.
 *
 * The states are those of models/pendulum.sw and chain6.sw (over Stormer-Verlet) and hopf.sw (over the midpoint method) with their own
 * parameters; entry i of lane l is at z[i * lanes + l].  Both multipliers are found by Newton's method from zero, for each step
 * anew, down to round-off, with all lanes going on until the last one has converged.  Nothing is checked.
 */
#ifndef BENCH_BY_HAND_SMALL_H
#define BENCH_BY_HAND_SMALL_H

typedef void by_hand_steps(double z[], double h, long steps);

/* The rotation of hopf's fibres by sin and cos, or by the tangent of half the angle. */
by_hand_steps by_hand_pendulum_1, by_hand_hopf_1, by_hand_hopf_cayley_1, by_hand_chain6_1;
by_hand_steps by_hand_pendulum_8, by_hand_hopf_8, by_hand_hopf_cayley_8, by_hand_chain6_8;

#endif
