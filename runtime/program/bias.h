/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/bias.h -- parses the bias of a variational integrator (--bias).
 */
#ifndef SW_PROGRAM_BIAS_H
#define SW_PROGRAM_BIAS_H

/* Parses a name of sidewinder/methods.h, or two numbers "A-,A+".  The check of the method
 * (sw_options_objection) decides whether the numbers are allowed.  Returns 0 if the text is
 * neither a name nor two numbers. */
int sw_bias_read(const char *text, double bias[2]);

#endif
