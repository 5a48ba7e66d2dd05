/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_solve.h -- Newton's method for one solve of a generated step; a generated file includes it for each.
 *
 * For phase P = SW_FUSED_PHASE the file has defined begin_P, guess_P, residual_P, correct_P and, where the Jacobian depends on the unknowns, keep_P and is_near_P;
 * this defines solve_P.  SW_FUSED_TURNS is 1 where the Jacobian has another sign than N.
 *
 * The solve is accepted where its scaled residual is round-off, or what is left of it will be after the change that has just been made
 * (Newton's method squares: r_{k+1} = C r_k^2 with C from the two residuals before), or where it no longer falls and is at most
 * the tolerance.  It is given up, for the general way, where the first iterate leaves much of the residual or the root is not near it, since
 * that may then be another one than the state's (runtime/checks/jump.h), where later residuals do not fall, and where the determinant has another
 * sign than at the state.
 */

#define SW_FUSED_JOIN_(name, phase) name##phase
#define SW_FUSED_JOIN(name, phase)  SW_FUSED_JOIN_(name, phase)
#define SW_FUSED_OF_PHASE(name)     SW_FUSED_JOIN(name, SW_FUSED_PHASE)

static inline int SW_FUSED_OF_PHASE(solve_)(const setup *s, work *w, sw_fused *f)
{
  int turned = 0;
  long iterations = 1;

  SW_FUSED_OF_PHASE(guess_)(s, w);
  const double start = SW_FUSED_OF_PHASE(residual_)(s, w);
  f->solves++;
  if (start == 0.0) {
    return 1;
  }
  if (!(start > SW_FUSED_ROUND_OFF && start < 1e100)) {
    return 0;
  }
  turned = SW_FUSED_OF_PHASE(correct_)(s, w);
#if SW_FUSED_KIND == SW_FUSED_NEWTON
  SW_FUSED_OF_PHASE(keep_)(s, w);
  if (turned != (sw_fused_is_odd(w->negative) ^ SW_FUSED_TURNS)) {
    return 0;
  }
#endif
  double before = start;
  double last = start;
  double now = SW_FUSED_OF_PHASE(residual_)(s, w);
  if (!(now <= SW_FUSED_GAIN * start)) {
    return 0;
  }
  while (now > SW_FUSED_TARGET) {
    if (now <= 16.0 * SW_FUSED_TARGET && last * last * last <= SW_FUSED_TARGET * before * before) {
      break;
    }
    if (iterations >= f->most_iterations) {
      return 0;
    }
    turned = SW_FUSED_OF_PHASE(correct_)(s, w);
    iterations++;
    before = last;
    last = now;
    now = SW_FUSED_OF_PHASE(residual_)(s, w);
    if (!(now <= 0.5 * last)) {
      if (now <= f->tolerance && last <= f->tolerance) {
        break;
      }
      return 0;
    }
  }
  f->iterations += iterations;
  f->residual_solve = SW_FUSED_LARGER(f->residual_solve, now);
#if SW_FUSED_KIND == SW_FUSED_LINEAR
  (void)turned;
  return 1;
#else
  return SW_FUSED_OF_PHASE(is_near_)(s, w) &&
         turned == (sw_fused_is_odd(w->negative) ^ SW_FUSED_TURNS);
#endif
}

#undef SW_FUSED_PHASE
#undef SW_FUSED_KIND
#undef SW_FUSED_GAIN
#undef SW_FUSED_TURNS
#undef SW_FUSED_JOIN_
#undef SW_FUSED_JOIN
#undef SW_FUSED_OF_PHASE
