/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/point_kind.h -- what kind of point a coordinate is of, by its name: the species of an .xyz file, the colour in a picture.
 */
#ifndef SW_COMMON_POINT_KIND_H
#define SW_COMMON_POINT_KIND_H

#include <stddef.h>

/* The last label before that of the axis, without digits (H of q.3.H1.x), or, where that is a number or missing, the array: *length
 * bytes of the name, from where it returns. */
const char *sw_point_kind(const char *name, size_t *length);

#endif
