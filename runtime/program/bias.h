/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/bias.h -- the bias of a variational integrator, as a user writes it.
 */
#ifndef SW_PROGRAM_BIAS_H
#define SW_PROGRAM_BIAS_H

/* Reads a name of sidewinder/methods.h, or two numbers A-,A+; which ones are good is decided with the method.  Returns 0 where
 * the text is neither. */
int sw_bias_read(const char *text, double bias[2]);

#endif
