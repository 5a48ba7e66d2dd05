/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_run.h -- steps, one after the other, from the functions of a generated file, which includes it at its end.
 */

static long steps(sw_fused *f, long n)
{
  setup s[SW_FUSED_PARTS_MOST];
  work w = {0};
  long taken = 0;

  if (f->parts > SW_FUSED_PARTS_MOST) {
    return 0;
  }
  for (int i = 0; i < f->parts; i++) {
    set_up(f->k, f->factor[i] * f->h, &s[i]);
  }
  load(f->z, &w);
  measure(&s[0], &w);
  look_early(&s[0], &w);
  look(&s[0], &w);
  if (!judge_N(&s[0], &w)) {
    return 0;
  }
  while (taken < n) {
    int i = 0;
    clear_sums(&w);
    while (i < f->parts && step(&s[i], &w, f)) {
      i++;
    }
    if (i < f->parts) {
      break;
    }
    taken++;
    store(&w, f->z);
    store_sums(&w, f->sum);
    f->residual_g = w.largest_g;
    f->residual_rho = w.largest_rho;
  }
  return taken;
}
