/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_solve.h -- Newton's method for one solve of a generated step. A generated file
 * includes this header once per solve.
 *
 * For phase P = SW_FUSED_PHASE the file defines begin_P, guess_P, residual_P, correct_P and, if the
 * Jacobian depends on the unknowns, keep_P and is_near_P. This header defines solve_P.
 * SW_FUSED_TURNS is true if the determinant of the Jacobian has the opposite sign of det N. If the
 * sign depends on more than N, the generated file defines SW_FUSED_TURNS by `turned`, the sign of
 * the first Jacobian.
 *
 * The solve is accepted if its scaled residual is round-off, or if it will be after the last
 * correction: Newton's method squares the residual, r_{k+1} = C r_k^2, with C from the two previous
 * residuals. The solve is also accepted if the residual no longer falls and is at most the
 * tolerance. The general solver takes the step in these cases:
 * - the first iteration reduces the residual too little, or the root is not near the first iterate,
 *   since the root may then belong to another state (runtime/checks/step_check.h);
 * - a later residual does not fall;
 * - the determinant has another sign.
 *
 * SW_FUSED_FROM_ZERO is defined if all unknowns start at 0. Then start_P and first_P replace the
 * first calls of residual_P and correct_P; they omit the terms that are 0.
 *
 * SW_FUSED_ONCE_MORE is defined if one more correction follows, which removes the rest of an
 * accepted residual, and with it the bias of its sign (codegen/fused/carry.h).
 *
 * With several lanes, the checks of the first correction are combined into one after it.
 *
 * A lane that has converged keeps its unknowns while other lanes iterate, so its results do not
 * depend on them. A lane that gives up ends the step for all lanes; the others repeat the step
 * without it.
 */

#define SW_FUSED_JOIN_(name, phase) name##phase
#define SW_FUSED_JOIN(name, phase)  SW_FUSED_JOIN_(name, phase)
#define SW_FUSED_OF_PHASE(name)     SW_FUSED_JOIN(name, SW_FUSED_PHASE)
#ifdef SW_FUSED_FROM_ZERO
#define SW_FUSED_START SW_FUSED_OF_PHASE(start_)
#define SW_FUSED_FIRST SW_FUSED_OF_PHASE(first_)
#else
#define SW_FUSED_START SW_FUSED_OF_PHASE(residual_)
#define SW_FUSED_FIRST SW_FUSED_OF_PHASE(correct_)
#endif

static inline int SW_FUSED_OF_PHASE(solve_)(const setup *s, work *w, sw_fused *f, truth live)
{
  SW_FUSED_OF_PHASE(guess_)(s, w);
  const number start = SW_FUSED_START(s, w);
  const truth begun = live & SW_NOT(SW_EQUAL(start, 0.0));
  truth busy = begun;
  truth bad = busy & SW_NOT(SW_LESS(SW_FUSED_ROUND_OFF, start) & SW_LESS(start, 1e100));
  w->tally.solves += SW_ONE(live);
  if (SW_LANES == 1 && sw_gives_up(f, bad)) {
    return 0;
  }
  if (SW_LANES == 1 && !SW_ANY(busy)) {
    return 1;
  }
  truth turned = SW_FUSED_FIRST(s, w, busy);
  whole iterations = SW_ONE(busy);
  int rounds = 1;
#if SW_FUSED_KIND == SW_FUSED_NEWTON
  const truth sign = w->odd ^ SW_FUSED_TURNS;
  SW_FUSED_OF_PHASE(keep_)(s, w);
  bad |= busy & (turned ^ sign);
  if (SW_LANES == 1 && sw_gives_up(f, bad)) {
    return 0;
  }
#endif
  number before = start;
  number last = start;
  number now = SW_FUSED_OF_PHASE(residual_)(s, w);
  if (sw_gives_up(f, bad | (busy & SW_NOT(SW_AT_MOST(now, SW_FUSED_GAIN * start))))) {
    return 0;
  }
  for (;;) {
    busy &= SW_LESS(SW_FUSED_TARGET, now) &
            SW_NOT(SW_AT_MOST(now, 16.0 * SW_FUSED_TARGET) &
                   SW_AT_MOST(last * last * last, SW_FUSED_TARGET * before * before));
    if (!SW_ANY(busy)) {
      break;
    }
    if (rounds >= f->most_iterations) {
      return !sw_gives_up(f, busy);
    }
    const truth turns = SW_FUSED_OF_PHASE(correct_)(s, w, busy);
    turned = SW_SELECT_TRUTH(busy, turns, turned);
    iterations += SW_ONE(busy);
    rounds++;
    before = last;
    last = now;
    now = SW_FUSED_OF_PHASE(residual_)(s, w);
    const truth stalls = busy & SW_NOT(SW_AT_MOST(now, 0.5 * last));
    if (SW_LANES > 1 || SW_ANY(stalls)) {
      if (sw_gives_up(
              f, stalls & SW_NOT(SW_AT_MOST(now, f->tolerance) & SW_AT_MOST(last, f->tolerance)))) {
        return 0;
      }
      busy &= SW_NOT(stalls);
    }
  }
#ifdef SW_FUSED_ONCE_MORE
  (void)SW_FUSED_OF_PHASE(correct_)(s, w, begun);
  iterations += SW_ONE(begun);
  now = SW_FUSED_OF_PHASE(residual_)(s, w);
#endif
  w->tally.iterations += iterations;
  w->tally.residual_solve =
      SW_SELECT(begun, SW_LARGER(now, w->tally.residual_solve), w->tally.residual_solve);
#if SW_FUSED_KIND == SW_FUSED_LINEAR
  (void)turned;
  return 1;
#else
  return !sw_gives_up(f, begun & SW_NOT(SW_FUSED_OF_PHASE(is_near_)(s, w) & SW_NOT(turned ^ sign)));
#endif
}

#undef SW_FUSED_PHASE
#undef SW_FUSED_KIND
#undef SW_FUSED_GAIN
#undef SW_FUSED_TURNS
#undef SW_FUSED_FROM_ZERO
#undef SW_FUSED_START
#undef SW_FUSED_FIRST
#undef SW_FUSED_ONCE_MORE
#undef SW_FUSED_JOIN_
#undef SW_FUSED_JOIN
#undef SW_FUSED_OF_PHASE
