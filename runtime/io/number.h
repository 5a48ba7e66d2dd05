/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/number.h -- a number in a text file: %.17g, which is read back as the same bits, or NaN, Inf
 * and -Inf, which NumPy, pandas and R read.  The thread's locale must have a decimal point.
 */
#ifndef SW_IO_NUMBER_H
#define SW_IO_NUMBER_H

#include <math.h>
#include <stdio.h>

static inline void sw_number_write(FILE *file, double x)
{
  if (isnan(x)) { /* printf would write the sign of a NaN */
    fputs("NaN", file);
  } else if (isinf(x)) {
    fputs(x > 0.0 ? "Inf" : "-Inf", file);
  } else {
    fprintf(file, "%.17g", x);
  }
}

#endif
