/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/stepper.h -- steps of one small model with one method as straight-line C, which the
 * generator writes into NAME_step.c.
 *
 * A generated step solves the same equations as the general solver, to round-off. It is accepted
 * only if it ends on M (and on M^H, for methods that keep it), is finite, and N is regular with the
 * same signs of its pivots. Otherwise the general solver takes the step from the same state, or
 * reports why it fails.
 *
 * The m constraints of a step are those of the model that do not follow from others by proof
 * (sw_model.follows).
 */
#ifndef SIDEWINDER_STEPPER_H
#define SIDEWINDER_STEPPER_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_FUSED_PARTS_MOST = 32, SW_LANES_MOST = 8, SW_PHI_MOST = 16 };

/* Input and output of generated steps. Arrays of states, parameters and multipliers are in lanes:
 * entry i of lane l is at [i * lanes + l]. */
typedef struct sw_fused {
  const double *k;      /* nk parameters */
  double h;             /* step size, nonzero */
  int parts;            /* number of substeps in a step */
  const double *factor; /* substep i has size factor[i] h */
  const double *bias;   /* alpha-, alpha+ of a variational integrator, the same in all lanes */
  double tolerance;     /* for scaled residuals that no longer fall */
  double floor;         /* for scaled residuals at the end of a step (acceptance.h) */
  int most_iterations;  /* limit per solve */
  /* Computes Phi = integral_0^h e^(s A) ds for the n x n matrix A, row-major, n <= SW_PHI_MOST.
   * work: 2 n x n values */
  void (*phi)(int n, double h, const double matrix[], double Phi[], double work[]);
  /* parts x stepper->kept values: cached h, A and Phi from call to call; initially zero */
  double *kept;
  /* bit mask of the lanes to move; state and sums of other lanes are undefined afterwards */
  unsigned live;

  double *z; /* 2d: the state, advanced by the accepted steps */
  /* 2d: the carry of compensated steps, or the previous state if the method needs it; else NULL */
  double *more;
  double *sum;     /* m: h times the multipliers of the last accepted step */
  unsigned failed; /* bit mask of the live lanes whose next step falls back to the general solver */

  /* Per lane, over the accepted steps: largest residuals, and counts. */
  double residual_g[SW_LANES_MOST], residual_rho[SW_LANES_MOST], residual_solve[SW_LANES_MOST];
  long solves[SW_LANES_MOST];
  long iterations[SW_LANES_MOST];
} sw_fused;

/* Steps of a model whose constraints form equal clusters without shared coordinates, such as rigid
 * molecules, over a base method that kicks, drifts and kicks. Each cluster needs two solves. The
 * caller computes forces between the two solves; if forces act only within clusters, one call does
 * both solves. */
enum { SW_CLUSTERS_SHAKE = 1 /* solve for g = 0 */, SW_CLUSTERS_SLIDE = 2 /* solve for rho = 0 */ };

typedef struct sw_cluster_job {
  /* f.k: parameters of a cluster, repeated in all lanes. f.z, f.sum, f.parts, f.factor and f.live
   * are unused. */
  sw_fused f;
  /* parameter i of cluster c is each[i n + c]; NULL if all clusters have the parameters f.k */
  const double *each;
  long n; /* number of clusters */
  long d; /* positions of the whole model; the momenta follow them in z */
  /* Position i of cluster c is entry at[i] + by[i] c of the model; constraint i of cluster c is
   * number row[i] + c. */
  const long *at;
  const long *by;
  const long *row;
  int is_row; /* 1 if at[i] = at[0] + i and by[i] = by[0] for all i */
  /* States of clusters in blocks of as many clusters as there are lanes: entry i of lane l of block
   * b is at (2b positions + i) lanes + l. Unused lanes of the last block hold copies of the last
   * cluster. */
  double *state;
  /* 2d: state of the model; a solve for M alone writes its positions, so that the caller can
   * compute forces */
  double *z;
  /* d: H_q of the model; NULL if all forces act within clusters, where the generated code computes
   * them */
  const double *force;
  double kick[2]; /* factors of the forces in the momentum kicks before the two solves */
  double size_q;  /* max |q| and size_p = max |p| of the whole model at the start of the step */
  double size_p;
  double *sum; /* output: h times the multipliers; may be NULL */
  /* 1: the first solve adds to sum; 0: it overwrites sum. The second solve always adds */
  int adds;
  /* bit mask of SW_CLUSTERS_*; 0: only computes `negative` and checks that N is regular */
  int solves;
  /* one bit mask per cluster: the negative pivots of N; written if solves = 0, else compared */
  long *negative;
  double end_q; /* max |q| and end_p = max |p| at the end of the slides */
  double end_p;
} sw_cluster_job;

/* Processes clusters first .. last-1. Returns 1, or 0 if a cluster needs the general solver.
 * Clusters are independent: ranges that start at multiples of the lanes may run in any order, each
 * with its own job, and the results of the jobs combine by their maxima. */
typedef int sw_cluster_work(sw_cluster_job *job, long first, long last);

/* Entry entry + by c of array number `array` of the model's parameters, in cluster c. */
typedef struct sw_cluster_value {
  int array;
  long entry;
  long by;
} sw_cluster_value;

/* A term of H that produces forces outside of clusters. The term is empty if one of these index
 * sets is empty. */
typedef struct sw_cluster_others {
  int n;
  const int *sets;
} sw_cluster_others;

typedef struct sw_clusters {
  int positions;   /* positions per cluster, in the order of the model */
  int constraints; /* constraints per cluster, one of each family of the model */
  int n_values;
  /* sources of the first n_values parameters of a cluster; its other parameters are n_masses
   * entries of H_pp */
  const sw_cluster_value *values;
  int n_masses;
  /* position j has the diagonal entry of H_pp that is parameter n_values + mass_of[j] */
  const int *mass_of;
  const int *n_columns;      /* number of positions that each constraint reads */
  const int *const *columns; /* their numbers, ascending */
  int n_others;
  const sw_cluster_others *others; /* all terms in the positions that act across clusters */
  sw_cluster_work *enter;          /* copies the model's z into `state` */
  sw_cluster_work *leave;          /* copies `state` into the model's z */
  sw_cluster_work *solve;          /* advances `state` as job->solves says */
} sw_clusters;

typedef struct sw_stepper {
  const char *digest; /* hash of the model's text and sizes, as in sw_model */
  const char *method; /* name, as in sw_options */
  const char *base;
  int compensated; /* 1: the state is z + carry */
  /* Takes at most n steps from states on M (on M^H) with a regular N, and returns the number of
   * steps taken, which is the same in all live lanes. "leapfrog" needs the momenta of half a
   * step before, and "bdf2" the previous state, from a step of the same size. NULL if `clusters`
   * is set. */
  long (*steps)(sw_fused *f, long n);
  int kept;                    /* number of cached values per substep (sw_fused.kept) */
  int lanes;                   /* number of lanes; 0 means 1 */
  unsigned processor;          /* instruction sets that the machine code needs (SW_NEEDS_...) */
  const sw_clusters *clusters; /* for a looped model, whose lanes are clusters; else NULL */
} sw_stepper;

enum { SW_NEEDS_AVX2 = 1, SW_NEEDS_AVX512 = 2 /* AVX-512 F, DQ and VL */ };

#ifdef __cplusplus
}
#endif

#endif
