/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling_subjects.h -- which looped models scaling.c times, at which sizes.
 */
#ifndef BENCH_SCALING_SUBJECTS_H
#define BENCH_SCALING_SUBJECTS_H

#include "sidewinder/model.h"
#include "sidewinder/stepper.h"

enum { MAX_CASES = 5 };

typedef enum by_hand_kind { NOTHING_BY_HAND, CHAIN_BY_HAND, WATER_BY_HAND } by_hand_kind;

/* A model and what is done with it. */
typedef struct subject {
  const char *title;
  const sw_model *model;
  const char *base;
  const char *size_name;
  const char *zero; /* the size that is 0, "forces", or NULL */
  by_hand_kind by_hand;
  const sw_stepper *stepper; /* for clusters, and in lanes */
  const sw_stepper *lanes[3];
  double h;              /* the step, to be divided by the size where ... */
  int h_falls;           /* ... this is 1, as the fastest waves get faster */
  double work;           /* constraints times steps of one round, less where all pairs interact */
  int constraints;       /* for each unit of the size, ... */
  int square;            /* ... or of its square where this is 1; about */
  long sizes[MAX_CASES]; /* ends with 0 */
} subject;

/* Ends with a title that is NULL. */
extern const subject subjects[];

#endif
