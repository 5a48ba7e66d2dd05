/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/stepper.h -- steps of one small model with one method as straight-line C, which the generator writes into
 * NAME_step.c.
 *
 * Such a step solves the same equations as the general one, to round-off, and takes nothing for granted: it ends on M (and, for methods
 * that keep it, on M^H), finite, with N regular and of the same signs, or it is not taken, and the general way makes it from the same
 * state, or says why there is none.
 */
#ifndef SIDEWINDER_STEPPER_H
#define SIDEWINDER_STEPPER_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_FUSED_PARTS_MOST = 32, SW_LANES_MOST = 8, SW_PHI_MOST = 16 };

/* What steps are made from, and where they have led.  Arrays over states, parameters and multipliers are in lanes: entry i of lane l is
 * at [i * lanes + l]. */
typedef struct sw_fused {
  const double *k;      /* nk parameters */
  double h;             /* size of a step, which is not zero */
  int parts;            /* a step is so many ones, */
  const double *factor; /* of the sizes factor[i] h */
  const double *bias;   /* alpha-, alpha+ of a variational integrator, the same in all lanes */
  double tolerance;     /* of scaled residuals that no longer fall */
  double floor;         /* of scaled residuals where a step ends */
  int most_iterations;  /* of a solve */
  /* Phi = integral_0^h e^(s A) ds, n x n like the matrix A, n <= SW_PHI_MOST, row by row; work: 2 n x n */
  void (*phi)(int n, double h, const double matrix[], double Phi[], double work[]);
  double *kept; /* parts x stepper->kept: such matrices, from call to call; zeros at first */
  unsigned
      live; /* bits: the lanes that are to move; the state and the sums of the others are undefined afterwards */

  double *z; /* 2d: the state, moved on by the steps that were taken */
  double *
      more; /* 2d: what rounding has left out of it, of compensated steps, or the state before it, where the method needs that; else NULL */
  double *sum;     /* m: h times the multipliers of the last step that was taken */
  unsigned failed; /* bits: lanes, live ones, for which the next step is up to the general way */

  /* Of these steps, for each lane: the largest residuals, and counts. */
  double residual_g[SW_LANES_MOST], residual_rho[SW_LANES_MOST], residual_solve[SW_LANES_MOST];
  long solves[SW_LANES_MOST];
  long iterations[SW_LANES_MOST];
} sw_fused;

/* A step of a model whose constraints are equal clusters that share no coordinate, such as rigid molecules, over a base method
 * that kicks, drifts and kicks: for each cluster two solves, between which the caller computes forces; or both at once, where forces act within
 * clusters alone. */
enum { SW_CLUSTERS_SHAKE = 1 /* onto M */, SW_CLUSTERS_SLIDE = 2 /* and onto M^H */ };

typedef struct sw_cluster_job {
  /* k: parameters of a cluster, each in as many lanes; z, sum, parts, factor and live are not used. */
  sw_fused f;
  const double
      *each; /* NULL, or where clusters differ: parameter i of cluster c is each[i n + c], */
  long n;    /* of n clusters */
  long d;    /* positions of the whole model: momenta follow behind these */
  /* Position i of cluster c is entry at[i] + by[i] c of the model, constraint i is number row[i] + c. */
  const long *at;
  const long *by;
  const long *row;
  int is_row; /* 1 where at[i] = at[0] + i, and by[i] = by[0] */
  /* States of clusters are kept side by side, as many as there are lanes: number i of lane l of block b is at
   * (2b positions + i) lanes + l, with copies of the last cluster in lanes behind it. */
  double *state;
  double *z; /* 2d: of the model.  A solve onto M alone writes its positions, for forces */
  const double *
      force; /* d: H_q; NULL: that of the terms which act within clusters, which is found where it is needed; */
  double kick[2]; /* by so much of which the momenta are moved before each of the two solves */
  double size_q;  /* max |q| and max |p| over the whole model where the step starts */
  double size_p;
  double *sum; /* h times the multipliers, which a solve writes, or NULL, */
  int adds;    /* or adds to what is there */
  int solves; /* bits: which of these two; none: where N is regular the next is found, and nothing else done: */
  long *negative; /* for each cluster, bits: which pivots of N are negative */
  double end_q;   /* max |q| and max |p| where slides have ended */
  double end_p;
} sw_cluster_job;

/* Works on clusters first .. last-1, and returns 1, or 0 where one of them is up to the general way.  Clusters do not depend on each
 * other, so that ranges that begin at multiples of the lanes can be worked on in any order, with a job for each; their results are the largest of
 * any cluster. */
typedef int sw_cluster_work(sw_cluster_job *job, long first, long last);

/* Entry entry + by c of array number `array` of the model's parameters, in cluster c. */
typedef struct sw_cluster_value {
  int array;
  long entry;
  long by;
} sw_cluster_value;

/* A term of H that makes forces of other kinds; there is none where one of these sets of the model has no element. */
typedef struct sw_cluster_others {
  int n;
  const int *sets;
} sw_cluster_others;

typedef struct sw_clusters {
  int positions;   /* of a cluster, in the order of the model's */
  int constraints; /* of a cluster: one of each family of the model */
  int n_values;
  const sw_cluster_value *values; /* the first parameters of a cluster, */
  int n_masses;
  const int *
      mass_of; /* and the others are values of the diagonal of H_pp: the number of that of a position */
  const int *n_columns;      /* how many positions a constraint reads, */
  const int *const *columns; /* and which, ascending */
  int n_others;
  const sw_cluster_others *others; /* all terms with positions but those that act within clusters */
  sw_cluster_work *enter;          /* `state` becomes that of the model, */
  sw_cluster_work *leave;          /* and z that of `state` */
  sw_cluster_work *solve;          /* moves `state` by job->solves */
} sw_clusters;

typedef struct sw_stepper {
  const char *digest; /* of the model's text and sizes, as in sw_model */
  const char *method; /* as sw_options has it */
  const char *base;
  int compensated; /* 1: the state is z + carry */
  /* Takes at most n steps from states on M (on M^H) with a regular N, the same number in all lanes that are live, and returns how many
   * it has taken.  With momenta of half a step before ("leapfrog") or the state before
   * ("bdf2"), after a step of the same size.  NULL where there are clusters. */
  long (*steps)(sw_fused *f, long n);
  int kept;                    /* how many values its steps keep from call to call, for each part */
  int lanes;                   /* 0 is 1 */
  unsigned processor;          /* what its machine code needs (SW_NEEDS_...) */
  const sw_clusters *clusters; /* of a looped model, lanes being clusters; else NULL */
} sw_stepper;

enum { SW_NEEDS_AVX2 = 1, SW_NEEDS_AVX512 = 2 /* F, DQ and VL */ };

#ifdef __cplusplus
}
#endif

#endif
