/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * monomial.h -- products of variables of a jet (jet.h), encoded in 64 bits: 16 bits for each
 * variable, which hold its number + 1. The largest number is in the lowest bits. 0 is the constant
 * monomial 1.
 */
#ifndef SIDEWINDER_WITNESS_MONOMIAL_H
#define SIDEWINDER_WITNESS_MONOMIAL_H

#include <stdint.h>

/* Number of variables of a monomial, counted with repetition; so it is the highest degree. */
enum { MONOMIAL_MAX_DEGREE = 4 };

int monomial_degree(uint64_t monomial);

/* Variable number i of the monomial; i = 0 is the largest one. */
int monomial_variable(uint64_t monomial, int i);

/* Exponent of a variable in the monomial. */
int monomial_exponent(uint64_t monomial, int variable);

/* The monomial without its largest variable, and without one factor `variable`, which it must
 * contain. */
uint64_t monomial_rest(uint64_t monomial);
uint64_t monomial_without(uint64_t monomial, int variable);

/* a b, whose degree must not exceed MONOMIAL_MAX_DEGREE. */
uint64_t monomial_times(uint64_t a, uint64_t b);

#endif
