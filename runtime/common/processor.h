/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/processor.h -- what the processor has that machine code may need, and what it has for threads.
 */
#ifndef SIDEWINDER_COMMON_PROCESSOR_H
#define SIDEWINDER_COMMON_PROCESSOR_H

#include <stdint.h> /* which tells __GLIBC__ */

#include "sidewinder/stepper.h"

/* Whether it has all of these SW_NEEDS_... */
static inline int sw_processor_has(unsigned needs)
{
#if defined(__x86_64__) || defined(__i386__)
  const int avx2 = __builtin_cpu_supports("avx2");
  const int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");

  return (!(needs & SW_NEEDS_AVX2) || avx2) && (!(needs & SW_NEEDS_AVX512) || avx512);
#else
  return needs == 0;
#endif
}

/* Before a static function with loops that wider registers make faster: it is compiled several times, and the one for the processor at hand
 * is taken when the program begins.  Each operation is the same in all of them, without fused ones (-ffp-contract=off), and so are the
 * bits of their results.  Registers of AVX-512 made short rows slower on an Intel Xeon, and none faster.
 * What chooses runs before the sanitizers are ready. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define SW_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define SW_FOR_EACH_PROCESSOR
#endif

/* In place of `inline`, for what such a function calls in its loops: only as a part of it is that compiled for its processor. */
#define SW_INLINE_FOR_EACH inline __attribute__((always_inline))

/* What a thread does that waits for another one to write something at any moment. */
static inline void sw_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

#endif
