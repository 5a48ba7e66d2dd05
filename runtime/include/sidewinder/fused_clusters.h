/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_clusters.h -- the solves of a step in loops over clusters of constraints, SW_LANES of them at once, from the
 * functions of a generated file, which includes it at its end (sidewinder/stepper.h).
 *
 * Where fewer clusters are left than there are lanes, the last one is computed several times.
 */

/* Clusters of the lanes of a block. */
typedef struct block {
  long of[SW_LANES];
  int lanes; /* that are clusters of their own */
} block;

static inline block block_at(long at, long last)
{
  block b;
  b.lanes = last - at < SW_LANES ? (int)(last - at) : SW_LANES;
  for (int lane = 0; lane < SW_LANES; lane++) {
    b.of[lane] = lane < b.lanes ? at + lane : last - 1;
  }
  return b;
}

/* What depends on the parameters alone, for clusters that differ in them. */
static inline void set_up_block(const sw_cluster_job *job, const block *b, setup *s)
{
  double k[PARAMETERS * SW_LANES];

  for (int i = 0; i < PARAMETERS; i++) {
    for (int lane = 0; lane < SW_LANES; lane++) {
      k[i * SW_LANES + lane] = job->each[i * job->n + b->of[lane]];
    }
  }
  set_up(k, SW_SPREAD(job->f.h), s);
}

/* ---- entries of the model to lanes and back ---- */

/* Positions of a cluster that follow each other in the model are a row of numbers. */
static inline long row_at(const sw_cluster_job *job, const block *b, int lane)
{
  return job->at[0] + job->by[0] * b->of[lane];
}

/* to = from - kick force, for half of the state; force is not read where kick is 0. */
static inline void gather_entry(const sw_cluster_job *job, const block *b, int i,
                                const double from[], double kick, double to[])
{
  for (int lane = 0; lane < SW_LANES; lane++) {
    const long at = job->at[i] + job->by[i] * b->of[lane];
    to[i * SW_LANES + lane] = kick != 0.0 ? from[at] - kick * job->force[at] : from[at];
  }
}

static inline void gather(const sw_cluster_job *job, const block *b, const double from[],
                          double kick, double to[])
{
  int i = 0;

#ifdef SW_HAS_TRANSPOSE
  for (; job->is_row && i + SW_LANES <= POSITIONS; i += SW_LANES) {
    number r[SW_LANES];
    for (int lane = 0; lane < SW_LANES; lane++) {
      const long at = row_at(job, b, lane) + i;
      r[lane] = SW_LOAD(from + at, 0);
      if (kick != 0.0) {
        r[lane] -= kick * SW_LOAD(job->force + at, 0);
      }
    }
    sw_lanes_transpose(r);
    for (int lane = 0; lane < SW_LANES; lane++) {
      SW_STORE(to, i + lane, r[lane]);
    }
  }
#endif
  for (; i < POSITIONS; i++) {
    gather_entry(job, b, i, from, kick, to);
  }
}

static inline void scatter(const sw_cluster_job *job, const block *b, const double from[],
                           double to[])
{
  int i = 0;

#ifdef SW_HAS_TRANSPOSE
  for (; job->is_row && i + SW_LANES <= POSITIONS; i += SW_LANES) {
    number r[SW_LANES];
    for (int lane = 0; lane < SW_LANES; lane++) {
      r[lane] = SW_LOAD(from, i + lane);
    }
    sw_lanes_transpose(r);
    for (int lane = 0; lane < b->lanes; lane++) {
      SW_STORE(to + row_at(job, b, lane) + i, 0, r[lane]);
    }
  }
#endif
  for (; i < POSITIONS; i++) {
    for (int lane = 0; lane < b->lanes; lane++) {
      to[job->at[i] + job->by[i] * b->of[lane]] = from[i * SW_LANES + lane];
    }
  }
}

/* The state of a block, with the momenta behind a kick by the forces. */
static inline void load_block(const sw_cluster_job *job, const block *b, const double from[],
                              work *w)
{
  double z[2 * POSITIONS * SW_LANES];

  gather(job, b, from, 0.0, z);
  gather(job, b, from + job->d, job->kick, z + POSITIONS * SW_LANES);
  load(z, w);
  take_sizes(job->size_q, job->size_p, w);
  w->tally = (tally){0};
}

static inline void store_block(const sw_cluster_job *job, const block *b, int first,
                               const double z[])
{
  for (int half = first; half < 2; half++) {
    scatter(job, b, z + half * POSITIONS * SW_LANES, job->to + half * job->d);
  }
}

/* Adds the multipliers of a solve to those of the step. */
static inline void add_multipliers(const sw_cluster_job *job, const block *b, const double sum[])
{
  for (int i = 0; i < CONSTRAINTS; i++) {
    double *to = job->sum + job->row[i] + b->of[0];
    if (b->lanes == SW_LANES) {
      const number part = SW_LOAD(sum, i);
      SW_STORE(to, 0, job->adds ? SW_LOAD(to, 0) + part : part);
      continue;
    }
    for (int lane = 0; lane < b->lanes; lane++) {
      const double part = sum[i * SW_LANES + lane];
      to[lane] = job->adds ? to[lane] + part : part;
    }
  }
}

static inline void keep_negative(const sw_cluster_job *job, const block *b, whole negative)
{
  long bits[SW_LANES];

  SW_STORE_WHOLE(bits, negative);
  for (int lane = 0; lane < b->lanes; lane++) {
    job->negative[b->of[lane]] = bits[lane];
  }
}

static inline whole kept_negative(const sw_cluster_job *job, const block *b)
{
  long bits[SW_LANES];

  if (b->lanes == SW_LANES) {
    return SW_LOAD_WHOLE(job->negative + b->of[0]);
  }
  for (int lane = 0; lane < SW_LANES; lane++) {
    bits[lane] = job->negative[b->of[lane]];
  }
  return SW_LOAD_WHOLE(bits);
}

/* Whether an odd number of these bits is set. */
static inline truth is_odd(whole bits)
{
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return SW_TRUTH(bits & 1);
}

/* The larger ones of these and the positions, or the momenta, of a block. */
static inline number larger_size(number size, const double z[])
{
  for (int i = 0; i < POSITIONS; i++) {
    size = SW_LARGER(fabs(SW_LOAD(z, i)), size);
  }
  return size;
}

static inline double largest_lane(number x)
{
  double lanes[SW_LANES];
  double largest = 0.0;

  SW_STORE(lanes, 0, x);
  for (int i = 0; i < SW_LANES; i++) {
    largest = lanes[i] > largest ? lanes[i] : largest;
  }
  return largest;
}

/* The largest of what the blocks so far have taken, or found. */
static inline void add_tally(tally *all, const tally *t)
{
  all->iterations =
      SW_SELECT_TRUTH(t->iterations > all->iterations, t->iterations, all->iterations);
  all->solves = SW_SELECT_TRUTH(t->solves > all->solves, t->solves, all->solves);
  all->residual_solve = SW_LARGER(t->residual_solve, all->residual_solve);
  all->residual_g = SW_LARGER(t->residual_g, all->residual_g);
  all->residual_rho = SW_LARGER(t->residual_rho, all->residual_rho);
}

static int shake(sw_cluster_job *job, long first, long last)
{
  setup s;
  work w;
  tally all = {0};

  set_up(job->f.k, SW_SPREAD(job->f.h), &s);
  for (long at = first; at < last; at += SW_LANES) {
    const block b = block_at(at, last);
    if (job->each) {
      set_up_block(job, &b, &s);
    }
    double z[2 * POSITIONS * SW_LANES];
    double sum[CONSTRAINTS * SW_LANES];
    load_block(job, &b, job->from, &w);
    w.odd = is_odd(kept_negative(job, &b));
    look_1(&s, &w);
    begin_1(&s, &w);
    if (!solve_1(&s, &w, &job->f, SW_YES)) {
      return 0;
    }
    after_1(&s, &w);
    store_reached(&w, z);
    store_block(job, &b, 0, z);
    multipliers_1(&w, sum);
    add_multipliers(job, &b, sum);
    add_tally(&all, &w.tally);
  }
  sw_show_tally(&all, &job->f);
  return 1;
}

static int slide(sw_cluster_job *job, long first, long last)
{
  setup s;
  work w;
  tally all = {0};
  number size_q = SW_SPREAD(0.0);
  number size_p = SW_SPREAD(0.0);

  set_up(job->f.k, SW_SPREAD(job->f.h), &s);
  for (long at = first; at < last; at += SW_LANES) {
    const block b = block_at(at, last);
    if (job->each) {
      set_up_block(job, &b, &s);
    }
    double z[2 * POSITIONS * SW_LANES];
    double sum[CONSTRAINTS * SW_LANES];
    load_block(job, &b, job->to, &w);
    look_2(&s, &w);
    truth regular = judge_N(&s, &w);
    if (job->looks) {
      keep_negative(job, &b, w.negative);
    } else {
      regular &= w.negative == kept_negative(job, &b);
    }
    if (sw_gives_up(&job->f, SW_NOT(regular))) {
      return 0;
    }
    if (job->looks) {
      continue;
    }
    begin_2(&s, &w);
    if (!solve_2(&s, &w, &job->f, SW_YES)) {
      return 0;
    }
    after_2(&s, &w);
    arrive(&s, &w);
    if (sw_gives_up(&job->f, SW_NOT(is_good(&s, &w, &job->f)))) {
      return 0;
    }
    store(&w, z);
    store_block(job, &b, 1, z);
    size_q = larger_size(size_q, z);
    size_p = larger_size(size_p, z + POSITIONS * SW_LANES);
    multipliers_2(&w, sum);
    add_multipliers(job, &b, sum);
    add_tally(&all, &w.tally);
  }
  job->end_q = largest_lane(size_q);
  job->end_p = largest_lane(size_p);
  sw_show_tally(&all, &job->f);
  return 1;
}
