/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/lu_condition.h -- the 1-norm of an inverse that is only known by its products with vectors.
 */
#ifndef SIDEWINDER_LINEAR_LU_CONDITION_H
#define SIDEWINDER_LINEAR_LU_CONDITION_H

/* x <- B x, or B^T x. */
typedef void sw_apply(void *context, int transposed, double x[]);

/* A lower bound of the 1-norm of B, n x n, that rarely is less than a third of it: the method of Hager with
 * the additions of Higham (ACM Trans. Math. Softw. 14, 1988, 381-396), in at most eleven products.
 * work: 2 n values. */
double sw_condition_norm1(int n, sw_apply *apply, void *context, double work[]);

#endif
