/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_run.h -- the loop over steps. A generated file includes this header at its end,
 * after the functions that it calls.
 */

static long steps(sw_fused *f, long n)
{
  const truth live = SW_TRUTHS(f->live);
  setup s[SW_FUSED_PARTS_MOST];
  work w = {0};
  long taken = 0;

  f->failed = 0;
  if (f->parts > SW_FUSED_PARTS_MOST) {
    f->failed = f->live;
    return 0;
  }
  for (int i = 0; i < f->parts; i++) {
#ifdef SW_FUSED_HAS_BIAS
    take_bias(f->bias, &s[i]);
#endif
    set_up(f->k, SW_SPREAD(f->factor[i] * f->h), &s[i]);
#ifdef SW_FUSED_KEPT
    set_up_flows(f, f->kept + i * SW_FUSED_KEPT * SW_LANES, &s[i]);
#endif
  }
  load(f->z, &w);
#ifdef SW_FUSED_HAS_MORE
  load_more(f->more, &w);
#endif
  measure(&s[0], &w);
  look_early(&s[0], &w);
  look(&s[0], &w);
  if (sw_gives_up(f, live & SW_NOT(judge_N(&s[0], &w)))) {
    return 0;
  }
  w.odd = sw_is_odd(w.negative); /* the parity at the end of every accepted step */
  while (taken < n) {
    const tally before = w.tally;
    int i = 0;
    clear_sums(&s[0], &w);
    while (i < f->parts && step(&s[i], &w, f, live)) {
      i++;
      if (i < f->parts) {
        add_sums(&s[i - 1], &w);
      }
    }
    if (i < f->parts) {
      w.tally = before;
      break;
    }
    taken++;
    store(&w, f->z);
#ifdef SW_FUSED_HAS_MORE
    store_more(&w, f->more);
#endif
    keep_sums(&s[f->parts - 1], &w);
  }
  if (taken > 0) {
    store_sums(&s[0], &w, f->sum);
  }
  sw_show_tally(&w.tally, f);
  return taken;
}
