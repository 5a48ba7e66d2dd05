/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/processor.h -- the processor's features: what generated machine code may use, and a pause
 * instruction for threads.
 */
#ifndef SIDEWINDER_COMMON_PROCESSOR_H
#define SIDEWINDER_COMMON_PROCESSOR_H

#include <stdint.h> /* defines __GLIBC__ */

#include "sidewinder/stepper.h"

/* Returns 1 if the processor has all of these SW_NEEDS_... features. */
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

/* Written before a static function with loops that wider registers make faster.  The compiler makes
 * several versions of the function, and the program selects one when it starts.  All versions do
 * the same operations, without fused ones (-ffp-contract=off), and give the same bits.  AVX-512
 * made short rows slower on an Intel Xeon and nothing faster, so there is no version for it.  The
 * selection runs before sanitizers are initialised, hence the exceptions. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define SW_FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define SW_FOR_EACH_PROCESSOR
#endif

/* Replaces `inline` for functions called in the loops of such a function: only inlined code is
 * compiled for its processor. */
#define SW_INLINE_FOR_EACH inline __attribute__((always_inline))

/* Called in a loop by a thread that waits for another thread's store. */
static inline void sw_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

#endif
