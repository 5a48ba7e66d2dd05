/* SPDX-License-Identifier: BSD-3-Clause */
/* a.h -- one of two files that need each other, which circles.py has to see. */
#include "b.h"
