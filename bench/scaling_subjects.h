/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scaling_subjects.h -- the looped models and sizes that scaling.c measures.
 */
#ifndef BENCH_SCALING_SUBJECTS_H
#define BENCH_SCALING_SUBJECTS_H

#include "sidewinder/model.h"
#include "sidewinder/stepper.h"

enum { MAX_CASES = 5 };

typedef enum by_hand_kind { NOTHING_BY_HAND, CHAIN_BY_HAND, WATER_BY_HAND } by_hand_kind;

/* A model and the settings of its measurement. */
typedef struct subject {
  const char *title;
  const sw_model *model;
  const char *base;
  const char *size_name;
  const char *zero; /* a size to set to 0, "forces", or NULL */
  by_hand_kind by_hand;
  const sw_stepper *stepper; /* for clusters, and in lanes */
  const sw_stepper *lanes[3];
  double h;              /* step size, for size 1 if h_falls is 1 */
  int h_falls;           /* 1: divide h by the size, because the fastest waves get faster */
  double work;           /* constraints times steps per round; smaller if all pairs interact */
  int constraints;       /* approximate number of constraints per unit of the size */
  int square;            /* 1: per unit of the squared size */
  long sizes[MAX_CASES]; /* terminated by 0 */
} subject;

/* Terminated by a NULL title. */
extern const subject subjects[];

#endif
