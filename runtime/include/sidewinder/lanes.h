/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/lanes.h -- the numbers of a generated step: one double, or SW_LANES of them side by
 * side.
 *
 * The same text of NAME_step.c compiles for any number of lanes. Without options it is plain C99,
 * and a `number` is a double. With -DSW_LANES=4 or 8 a `number` is a vector of that many doubles
 * (an extension of gcc and clang), one per trajectory. A `truth` holds one boolean per lane: bits
 * if AVX-512 comparisons are available, else a vector. SW_LESS, SW_AT_MOST and SW_EQUAL compare
 * numbers and are false for a NaN. Every operation rounds as in the scalar code, and functions of
 * <math.h> are called lane by lane, so each lane has the same bits as the scalar code.
 *
 * Entry i of a state in lanes is at z[i * SW_LANES + lane]; parameters and multipliers have the
 * same layout.
 */
#ifndef SIDEWINDER_LANES_H
#define SIDEWINDER_LANES_H

#include <math.h>

#include "sidewinder/functions.h"

#ifndef SW_LANES
#define SW_LANES 1
#endif

/* SW_FLAT inlines all calls in a function; SW_FETCH prefetches memory for writing. */
#if defined(__GNUC__)
#define SW_FLAT      __attribute__((flatten))
#define SW_FETCH(at) __builtin_prefetch(at, 1)
#else
#define SW_FLAT
#define SW_FETCH(at) ((void)(at))
#endif

/* Instruction sets that the machine code of this file needs (sidewinder/stepper.h). */
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define SW_PROCESSOR SW_NEEDS_AVX512
#elif defined(__AVX2__)
#define SW_PROCESSOR SW_NEEDS_AVX2
#else
#define SW_PROCESSOR 0
#endif

#if SW_LANES == 1

typedef double number;
typedef int truth;  /* 0 or 1 */
typedef long whole; /* a count or a bit mask */

#define SW_STEPPER(model)        sw_stepper_##model
#define SW_YES                   1
#define SW_NO                    0
#define SW_SPREAD(x)             (x)
#define SW_LOAD(a, i)            ((a)[i])
#define SW_STORE(a, i, x)        ((void)((a)[i] = (x)))
#define SW_STORE_WHOLE(a, x)     ((void)((a)[0] = (x)))
#define SW_LOAD_WHOLE(a)         ((a)[0])
#define SW_LARGER(a, b)          ((a) > (b) ? (a) : (b))
#define SW_LARGER_WHOLE(a, b)    ((a) > (b) ? (a) : (b))
#define SW_LESS(a, b)            ((a) < (b))
#define SW_AT_MOST(a, b)         ((a) <= (b))
#define SW_EQUAL(a, b)           ((a) == (b))
#define SW_SAME(a, b)            ((a) == (b)) /* for wholes */
#define SW_SELECT(c, a, b)       ((c) ? (a) : (b))
#define SW_SELECT_TRUTH(c, a, b) ((c) ? (a) : (b))
#define SW_SELECT_WHOLE(c, a, b) ((c) ? (a) : (b))
#define SW_NOT(c)                (!(c))
#define SW_ANY(c)                (c)
#define SW_ONE(c)                ((long)(c))
#define SW_BIT(c, i)             ((long)(c) << (i))
#define SW_TRUTH(x)              ((truth)(x)) /* x is 0 or 1 */
#define SW_TRUTHS(lanes)         1            /* scalar code has one lane */
#define SW_LANES_OF(c)           ((unsigned)(c))

#else

/* -Wpsabi warns about vector arguments of external functions; these functions are inline. */
#pragma GCC diagnostic ignored "-Wpsabi"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double number __attribute__((vector_size(8 * SW_LANES)));
typedef long long whole __attribute__((vector_size(8 * SW_LANES)));
typedef double sw_unaligned __attribute__((vector_size(8 * SW_LANES), aligned(8), may_alias));

#define SW_STEPPER(model)      SW_STEPPER_(model, SW_LANES)
#define SW_STEPPER_(model, n)  SW_STEPPER__(model, n)
#define SW_STEPPER__(model, n) sw_stepper_##model##_##n
/* Broadcasts x. The form x - 0 keeps the sign of a zero. */
#define SW_SPREAD(x)           ((x) - (number){0})
#define SW_LOAD(a, i)          ((number) * (const sw_unaligned *)((a) + (i)*SW_LANES))
#define SW_STORE(a, i, x)      ((void)(*(sw_unaligned *)((a) + (i)*SW_LANES) = (x)))
#define SW_STORE_WHOLE(a, x)   sw_lanes_store(a, x)
#define SW_LOAD_WHOLE(a)       sw_lanes_load(a)
#define SW_LARGER(a, b)        sw_lanes_larger(a, b)
#define SW_LARGER_WHOLE(a, b)  sw_lanes_larger_whole(a, b)
#define SW_ANY(c)              (sw_lanes_set(c) != 0)
#define SW_LANES_OF(c)         sw_lanes_set(c)

#if SW_LANES == 8 && defined(__AVX512F__) && defined(__AVX512DQ__)

typedef __mmask8 truth; /* one bit per lane */

#define SW_YES                   ((truth)0xff)
#define SW_NO                    ((truth)0)
#define SW_COMPARE(a, how, b)    _mm512_cmp_pd_mask((__m512d)SW_SPREAD(a), (__m512d)SW_SPREAD(b), how)
#define SW_LESS(a, b)            SW_COMPARE(a, _CMP_LT_OS, b)
#define SW_AT_MOST(a, b)         SW_COMPARE(a, _CMP_LE_OS, b)
#define SW_EQUAL(a, b)           SW_COMPARE(a, _CMP_EQ_OQ, b)
#define SW_SAME(a, b)            _mm512_cmpeq_epi64_mask((__m512i)(a), (__m512i)(b))
#define SW_SELECT(c, a, b)       ((number)_mm512_mask_blend_pd(c, (__m512d)(b), (__m512d)(a)))
#define SW_SELECT_TRUTH(c, a, b) ((truth)(((c) & (a)) | (SW_NOT(c) & (b))))
#define SW_SELECT_WHOLE(c, a, b) ((whole)_mm512_mask_blend_epi64(c, (__m512i)(b), (__m512i)(a)))
#define SW_NOT(c)                ((truth)((c) ^ SW_YES))
#define SW_ONE(c)                SW_BIT(c, 0)
#define SW_BIT(c, i)             ((whole)_mm512_maskz_set1_epi64(c, 1LL << (i)))
#define SW_TRUTH(x)              _mm512_test_epi64_mask((__m512i)(x), (__m512i)(x))
#define SW_TRUTHS(lanes)         ((truth)(lanes))

static inline unsigned sw_lanes_set(truth c)
{
  return c;
}

#else

typedef whole truth; /* 0 or -1 in each lane */

#define SW_YES                   (~(truth){0})
#define SW_NO                    ((truth){0})
#define SW_LESS(a, b)            ((a) < (b))
#define SW_AT_MOST(a, b)         ((a) <= (b))
#define SW_EQUAL(a, b)           ((a) == (b))
#define SW_SAME(a, b)            ((a) == (b))
#define SW_SELECT(c, a, b)       ((number)(((c) & (whole)(a)) | (~(c) & (whole)(b))))
#define SW_SELECT_TRUTH(c, a, b) (((c) & (a)) | (~(c) & (b)))
#define SW_SELECT_WHOLE(c, a, b) SW_SELECT_TRUTH(c, a, b)
#define SW_NOT(c)                (~(c))
#define SW_ONE(c)                (-(c))
#define SW_BIT(c, i)             ((c) & (1LL << (i)))
#define SW_TRUTH(x)              (-(x))
#define SW_TRUTHS(lanes)         sw_lanes_truths(lanes)

/* Bit mask of the lanes in which c is true. */
static inline unsigned sw_lanes_set(truth c)
{
#if SW_LANES == 4 && defined(__AVX2__)
  return (unsigned)_mm256_movemask_pd((__m256d)c);
#else
  unsigned set = 0;
  for (int i = 0; i < SW_LANES; i++) {
    set |= (unsigned)(c[i] & 1) << i;
  }
  return set;
#endif
}

static inline truth sw_lanes_truths(unsigned set)
{
  truth c = {0};
  for (int i = 0; i < SW_LANES; i++) {
    c[i] = -(long long)(set >> i & 1u);
  }
  return c;
}

#endif

static inline void sw_lanes_store(long to[], whole x)
{
  for (int i = 0; i < SW_LANES; i++) {
    to[i] = (long)x[i];
  }
}

/* Transposes a SW_LANES x SW_LANES block: in pass k, rows 2^k apart exchange every other group of
 * 2^k numbers. */
#if SW_LANES == 8 && (defined(__clang__) || __GNUC__ >= 12)
#define SW_HAS_TRANSPOSE 1
static inline void sw_lanes_transpose(number r[])
{
  number t[8];
  for (int i = 0; i < 8; i += 2) {
    t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += i % 4 ? 3 : 1) {
    r[i] = __builtin_shufflevector(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    r[i + 2] = __builtin_shufflevector(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; i++) {
    t[i] = __builtin_shufflevector(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    r[i + 4] = __builtin_shufflevector(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    r[i] = t[i];
  }
}
#elif SW_LANES == 4 && (defined(__clang__) || __GNUC__ >= 12)
#define SW_HAS_TRANSPOSE 1
static inline void sw_lanes_transpose(number r[])
{
  const number a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
  const number b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  const number c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
  const number d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#endif

static inline whole sw_lanes_load(const long from[])
{
  whole x = {0};
  for (int i = 0; i < SW_LANES; i++) {
    x[i] = from[i];
  }
  return x;
}

/* a > b ? a : b in each lane. */
static inline number sw_lanes_larger(number a, number b)
{
#if SW_LANES == 8 && defined(__AVX512F__) && defined(__AVX512DQ__)
  return (number)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif SW_LANES == 4 && defined(__AVX2__)
  return (number)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
  const truth c = a > b;
  return SW_SELECT(c, a, b);
#endif
}

static inline whole sw_lanes_larger_whole(whole a, whole b)
{
  const whole c = a > b;
  return (c & a) | (~c & b);
}

static inline number sw_lanes_fabs(number x)
{
  return (number)((whole)x & 0x7fffffffffffffffLL);
}

/* SW_LANE_BY_LANE(sin) defines sin_in_lanes, which calls sin for each lane. */
#define SW_LANE_BY_LANE(name)                                                                      \
  static inline number name##_in_lanes(number x)                                                   \
  {                                                                                                \
    for (int i = 0; i < SW_LANES; i++) {                                                           \
      x[i] = name(x[i]);                                                                           \
    }                                                                                              \
    return x;                                                                                      \
  }
#define SW_LANE_BY_LANE_2(name)                                                                    \
  static inline number name##_in_lanes(number x, number y)                                         \
  {                                                                                                \
    for (int i = 0; i < SW_LANES; i++) {                                                           \
      x[i] = name(x[i], y[i]);                                                                     \
    }                                                                                              \
    return x;                                                                                      \
  }

SW_LANE_BY_LANE(sqrt)
SW_LANE_BY_LANE(sin)
SW_LANE_BY_LANE(cos)
SW_LANE_BY_LANE(tan)
SW_LANE_BY_LANE(asin)
SW_LANE_BY_LANE(acos)
SW_LANE_BY_LANE(atan)
SW_LANE_BY_LANE(sinh)
SW_LANE_BY_LANE(cosh)
SW_LANE_BY_LANE(tanh)
SW_LANE_BY_LANE(exp)
SW_LANE_BY_LANE(log)
SW_LANE_BY_LANE(cbrt)
SW_LANE_BY_LANE(sw_inside)
SW_LANE_BY_LANE_2(atan2)
SW_LANE_BY_LANE_2(pow)
SW_LANE_BY_LANE_2(sw_g0)
SW_LANE_BY_LANE_2(sw_g1)
SW_LANE_BY_LANE_2(sw_g2)
SW_LANE_BY_LANE_2(sw_g3)

#define fabs(x)      sw_lanes_fabs(SW_SPREAD(x))
#define sqrt(x)      sqrt_in_lanes(SW_SPREAD(x))
#define sin(x)       sin_in_lanes(SW_SPREAD(x))
#define cos(x)       cos_in_lanes(SW_SPREAD(x))
#define tan(x)       tan_in_lanes(SW_SPREAD(x))
#define asin(x)      asin_in_lanes(SW_SPREAD(x))
#define acos(x)      acos_in_lanes(SW_SPREAD(x))
#define atan(x)      atan_in_lanes(SW_SPREAD(x))
#define sinh(x)      sinh_in_lanes(SW_SPREAD(x))
#define cosh(x)      cosh_in_lanes(SW_SPREAD(x))
#define tanh(x)      tanh_in_lanes(SW_SPREAD(x))
#define exp(x)       exp_in_lanes(SW_SPREAD(x))
#define log(x)       log_in_lanes(SW_SPREAD(x))
#define cbrt(x)      cbrt_in_lanes(SW_SPREAD(x))
#define sw_inside(x) sw_inside_in_lanes(SW_SPREAD(x))
#define atan2(x, y)  atan2_in_lanes(SW_SPREAD(x), SW_SPREAD(y))
#define pow(x, y)    pow_in_lanes(SW_SPREAD(x), SW_SPREAD(y))
#define sw_g0(x, y)  sw_g0_in_lanes(SW_SPREAD(x), SW_SPREAD(y))
#define sw_g1(x, y)  sw_g1_in_lanes(SW_SPREAD(x), SW_SPREAD(y))
#define sw_g2(x, y)  sw_g2_in_lanes(SW_SPREAD(x), SW_SPREAD(y))
#define sw_g3(x, y)  sw_g3_in_lanes(SW_SPREAD(x), SW_SPREAD(y))

#endif

#endif
