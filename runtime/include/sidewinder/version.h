/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/version.h -- the version of the generator and the runtime, which are released as one.
 */
#ifndef SIDEWINDER_VERSION_H
#define SIDEWINDER_VERSION_H

#define SW_VERSION "0.1.0"

#endif
