/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/point_kind.h -- the kind of point to which a coordinate belongs, from its name: the
 * species in an .xyz file, the colour in a plot.
 */
#ifndef SW_COMMON_POINT_KIND_H
#define SW_COMMON_POINT_KIND_H

#include <stddef.h>

/* The last label before the axis, without digits (H for q.3.H1.x), or the name of the array if that
 * label is a number or missing.  The kind is *length bytes of the name, from the returned pointer
 * on. */
const char *sw_point_kind(const char *name, size_t *length);

#endif
