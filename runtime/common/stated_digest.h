/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/stated_digest.h -- does a file belong to the metadata beside it?
 *
 * PATH.json gives the CRC-32 of the file of that path as "crc32" (docs/output.md).
 */
#ifndef SIDEWINDER_COMMON_STATED_DIGEST_H
#define SIDEWINDER_COMMON_STATED_DIGEST_H

/* 1 if the bytes of an open file from number `from` on have the digest that PATH.json gives, or if
 * there is no such digest.  0 if they have another one or cannot be read. */
int sw_has_stated_digest(int file, long from, const char *path);

#endif
