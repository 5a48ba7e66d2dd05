/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_clusters.h -- the solves of a step in loops over clusters of constraints,
 * SW_LANES clusters at once (sidewinder/stepper.h). A generated file includes this header at its
 * end, after the functions that it calls.
 *
 * If fewer clusters than lanes remain, the remaining lanes repeat the last cluster.
 */

/* Clusters first .. first + lanes - 1, one per lane. The other lanes repeat the last of these
 * clusters. */
typedef struct block {
  long first;
  int lanes;
} block;

static inline block block_at(long at, long last)
{
  return (block){at, last - at < SW_LANES ? (int)(last - at) : SW_LANES};
}

static inline long cluster_in(const block *b, int lane)
{
  return b->first + (lane < b->lanes ? lane : b->lanes - 1);
}

/* Sets up the parameters of a block, for clusters with different parameters. */
static inline void set_up_block(const sw_cluster_job *job, const block *b, setup *s)
{
  double k[PARAMETERS * SW_LANES];

  for (int i = 0; i < PARAMETERS; i++) {
    for (int lane = 0; lane < SW_LANES; lane++) {
      k[i * SW_LANES + lane] = job->each[i * job->n + cluster_in(b, lane)];
    }
  }
  set_up(k, SW_SPREAD(job->f.h), s);
}

/* ---- copies between the model's arrays and the blocks ---- */

/* Number of positions that a full block copies by transposition, SW_LANES positions at a time. They
 * must be contiguous in the model. */
#ifdef SW_HAS_TRANSPOSE
enum { TURNED = POSITIONS - POSITIONS % SW_LANES };
#else
enum { TURNED = 0 };
#endif

static inline int turned(const sw_cluster_job *job, const block *b)
{
  return job->is_row && b->lanes == SW_LANES ? TURNED : 0;
}

/* Copies the positions or the momenta of a block from a model's array to `to`. */
static inline void gather(const sw_cluster_job *job, const block *b, const double from[],
                          double to[])
{
  const int rows = turned(job, b);

#ifdef SW_HAS_TRANSPOSE
  const long by = job->by[0];
  const double *row = from + job->at[0] + by * b->first;
  for (int i = 0; i < rows; i += SW_LANES) {
    number r[SW_LANES];
    for (int lane = 0; lane < SW_LANES; lane++) {
      r[lane] = SW_LOAD(row + by * lane + i, 0);
    }
    sw_lanes_transpose(r);
    for (int lane = 0; lane < SW_LANES; lane++) {
      SW_STORE(to, i + lane, r[lane]);
    }
  }
  for (int i = rows; rows > 0 && i < POSITIONS; i++) {
    number r = {0};
    for (int lane = 0; lane < SW_LANES; lane++) {
      r[lane] = row[by * lane + i];
    }
    SW_STORE(to, i, r);
  }
#endif
  for (int i = rows > 0 ? POSITIONS : 0; i < POSITIONS; i++) {
    for (int lane = 0; lane < SW_LANES; lane++) {
      to[i * SW_LANES + lane] = from[job->at[i] + job->by[i] * cluster_in(b, lane)];
    }
  }
}

static inline void scatter(const sw_cluster_job *job, const block *b, const double from[],
                           double to[])
{
  const int rows = turned(job, b);

#ifdef SW_HAS_TRANSPOSE
  const long by = job->by[0];
  double *row = to + job->at[0] + by * b->first;
  for (int i = 0; i < rows; i += SW_LANES) {
    number r[SW_LANES];
    for (int lane = 0; lane < SW_LANES; lane++) {
      r[lane] = SW_LOAD(from, i + lane);
    }
    sw_lanes_transpose(r);
    for (int lane = 0; lane < SW_LANES; lane++) {
      SW_STORE(row + by * lane + i, 0, r[lane]);
      SW_FETCH(row + by * (SW_LANES + lane) + i); /* prefetch for the next block */
    }
  }
#endif
  for (int i = rows; i < POSITIONS; i++) {
    for (int lane = 0; lane < b->lanes; lane++) {
      to[job->at[i] + job->by[i] * (b->first + lane)] = from[i * SW_LANES + lane];
    }
  }
}

/* Layout of a block in the array of all states. */
enum { BLOCK = 2 * POSITIONS * SW_LANES, HALF = POSITIONS * SW_LANES };

static inline long place_of(const block *b)
{
  return b->first / SW_LANES * BLOCK;
}

/* Prefetches the next block during the work on this one, because the hardware prefetcher does not
 * look that far ahead. After the last block the address is invalid, which is harmless. */
static inline void fetch_block(const double z[])
{
  for (int i = 0; i < BLOCK; i += 8) { /* one cache line */
    SW_FETCH(z + i);
  }
}

static int enter(sw_cluster_job *job, long first, long last)
{
  for (long at = first; at < last; at += SW_LANES) {
    const block b = block_at(at, last);
    double *to = job->state + place_of(&b);
    gather(job, &b, job->z, to);
    gather(job, &b, job->z + job->d, to + HALF);
  }
  return 1;
}

static int leave(sw_cluster_job *job, long first, long last)
{
  for (long at = first; at < last; at += SW_LANES) {
    const block b = block_at(at, last);
    const double *from = job->state + place_of(&b);
    scatter(job, &b, from, job->z);
    scatter(job, &b, from + HALF, job->z + job->d);
  }
  return 1;
}

/* Loads the state of a block. */
static inline void load_block(const sw_cluster_job *job, const double from[], work *w)
{
  load(from, w);
  take_sizes(job->size_q, job->size_p, w);
  w->tally = (tally){0};
}

/* Kicks the momenta of a block by `by` times the model's forces, or by the forces within clusters
 * if job->force is NULL. The forces are not read if `by` is 0. */
static inline void kick_block(const sw_cluster_job *job, const block *b, double by, const setup *s,
                              work *w)
{
  double force[HALF];

  if (by != 0.0 && job->force) {
    gather(job, b, job->force, force);
    kick(force, by, w);
  } else if (by != 0.0) {
    kick_within(s, by, w);
  }
}

/* Stores the multipliers of a solve into job->sum, or adds them. */
static inline void add_multipliers(const sw_cluster_job *job, const block *b, const double sum[],
                                   int adds)
{
  for (int i = 0; i < CONSTRAINTS; i++) {
    double *to = job->sum + job->row[i] + b->first;
    if (b->lanes == SW_LANES) {
      const number part = SW_LOAD(sum, i);
      SW_STORE(to, 0, adds ? SW_LOAD(to, 0) + part : part);
      continue;
    }
    for (int lane = 0; lane < b->lanes; lane++) {
      const double part = sum[i * SW_LANES + lane];
      to[lane] = adds ? to[lane] + part : part;
    }
  }
}

static inline void add_first(const sw_cluster_job *job, const block *b, const work *w)
{
  double sum[CONSTRAINTS * SW_LANES];

  if (job->sum) {
    multipliers_1(w, sum);
    add_multipliers(job, b, sum, job->adds);
  }
}

static inline void add_second(const sw_cluster_job *job, const block *b, const work *w)
{
  double sum[CONSTRAINTS * SW_LANES];

  if (job->sum) {
    multipliers_2(w, sum);
    add_multipliers(job, b, sum, 1);
  }
}

static inline void keep_negative(const sw_cluster_job *job, const block *b, whole negative)
{
  long bits[SW_LANES];

  SW_STORE_WHOLE(bits, negative);
  for (int lane = 0; lane < b->lanes; lane++) {
    job->negative[cluster_in(b, lane)] = bits[lane];
  }
}

static inline whole kept_negative(const sw_cluster_job *job, const block *b)
{
  long bits[SW_LANES];

  if (b->lanes == SW_LANES) {
    return SW_LOAD_WHOLE(job->negative + b->first);
  }
  for (int lane = 0; lane < SW_LANES; lane++) {
    bits[lane] = job->negative[cluster_in(b, lane)];
  }
  return SW_LOAD_WHOLE(bits);
}

/* max(size, |z_i|) over one half of a block, per lane. */
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

/* Maxima over the blocks so far: counts and residuals, and sizes of the final states. */
typedef struct ends {
  tally all;
  number size_q;
  number size_p;
} ends;

static inline void add_tally(tally *all, const tally *t)
{
  all->iterations = SW_LARGER_WHOLE(t->iterations, all->iterations);
  all->solves = SW_LARGER_WHOLE(t->solves, all->solves);
  all->residual_solve = SW_LARGER(t->residual_solve, all->residual_solve);
  all->residual_g = SW_LARGER(t->residual_g, all->residual_g);
  all->residual_rho = SW_LARGER(t->residual_rho, all->residual_rho);
}

/* ---- the solves ---- */

/* Solves for g = 0. */
static inline int onto_M(const setup *s, work *w, sw_fused *f)
{
  look_1(s, w);
  begin_1(s, w);
  if (!solve_1(s, w, f, SW_YES)) {
    return 0;
  }
  after_1(s, w);
  go_between(w);
  return 1;
}

/* Then solves for rho = 0. */
static inline int onto_M_H(const setup *s, work *w, sw_fused *f)
{
  begin_2(s, w);
  if (!solve_2(s, w, f, SW_YES)) {
    return 0;
  }
  after_2(s, w);
  arrive(s, w);
  return !sw_gives_up(f, SW_NOT(is_good(s, w, f)));
}

/* SW_FLAT inlines all calls (if the compiler supports it), so that the data of a block stays in
 * registers. */
SW_FLAT static int solve(sw_cluster_job *job, long first, long last)
{
  setup s;
  work w;
  ends found = {0};

  set_up(job->f.k, SW_SPREAD(job->f.h), &s);
  for (long at = first; at < last; at += SW_LANES) {
    const block b = block_at(at, last);
    const whole negative = kept_negative(job, &b);
    double *z = job->state + place_of(&b);
    if (job->each) {
      set_up_block(job, &b, &s);
    }
    load_block(job, z, &w);
    w.odd = sw_is_odd(negative);
    fetch_block(z + BLOCK);
    if (job->solves & SW_CLUSTERS_SHAKE) {
      kick_block(job, &b, job->kick[0], &s, &w);
      if (!onto_M(&s, &w, &job->f)) {
        return 0;
      }
      add_first(job, &b, &w);
    }
    if (job->solves == SW_CLUSTERS_SHAKE) {
      store(&w, z);
      scatter(job, &b, z, job->z);
      add_tally(&found.all, &w.tally);
      continue;
    }
    kick_block(job, &b, job->kick[1], &s, &w);
    look_2(&s, &w);
    truth regular = judge_N(&s, &w);
    if (job->solves == 0) {
      keep_negative(job, &b, w.negative);
    } else {
      regular &= SW_SAME(w.negative, negative);
    }
    if (sw_gives_up(&job->f, SW_NOT(regular))) {
      return 0;
    }
    if (job->solves == 0) {
      continue;
    }
    if (!onto_M_H(&s, &w, &job->f)) {
      return 0;
    }
    add_second(job, &b, &w);
    store(&w, z);
    found.size_q = larger_size(found.size_q, z);
    found.size_p = larger_size(found.size_p, z + HALF);
    add_tally(&found.all, &w.tally);
  }
  job->end_q = largest_lane(found.size_q);
  job->end_p = largest_lane(found.size_p);
  sw_show_tally(&found.all, &job->f);
  return 1;
}
