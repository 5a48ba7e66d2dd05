/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * monomial.h -- products of variables of a jet (jet.h) as numbers: 16 bits for each variable, its number + 1, the largest number in
 * the lowest bits; 0 is the constant one.
 */
#ifndef SIDEWINDER_WITNESS_MONOMIAL_H
#define SIDEWINDER_WITNESS_MONOMIAL_H

#include <stdint.h>

/* Variables of a monomial, with repetition, and so the highest degree. */
enum { MONOMIAL_MAX_DEGREE = 4 };

int monomial_degree(uint64_t monomial);

/* Its variables, the largest first. */
int monomial_variable(uint64_t monomial, int i);

/* How often it has a variable. */
int monomial_exponent(uint64_t monomial, int variable);

/* The monomial without its largest variable, and without one factor, which it has. */
uint64_t monomial_rest(uint64_t monomial);
uint64_t monomial_without(uint64_t monomial, int variable);

/* Of degree MONOMIAL_MAX_DEGREE at most. */
uint64_t monomial_times(uint64_t a, uint64_t b);

#endif
