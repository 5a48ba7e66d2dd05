/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starts.h -- initial states of chains and of water without forces, for round.c and for other
 * programs.
 */
#ifndef BENCH_STARTS_H
#define BENCH_STARTS_H

#include <stdio.h>

#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"

/* The check that other programs take the same steps compares states after this many steps. */
enum { check_steps = 100 };

/* A system of bonds between points in space. */
typedef struct large {
  const char *name;
  const sw_model *model;
  const char *size_name;
  long size;
  const char *zero;       /* a size to set to 0, or NULL */
  const char *zero_force; /* a parameter to set to 0, because other programs lack this force */
  int coil; /* 1: links at the tetrahedral angle in random directions, nodes with random momenta */
  double h;
  long steps;
  const sw_stepper *stepper;  /* for clusters of constraints, or NULL */
  const sw_stepper *lanes[2]; /* the stepper for 4 and for 8 lanes */
} large;

/* chain 100, chain 1000, coil 1000, water 1000; terminated by a NULL name. */
extern const large larges[];

/* A simulation at the initial state, on M^H, with one of the steppers or the general solver
 * (NULL).  Exits if the simulation cannot be created. */
sw_sim *start_large(const large *l, const sw_stepper *stepper);

/* The squared length of the shortest bond. */
double shortest_bond2(const large *l);

/* create_start opens FOLDER/NAME.start for writing, with _ for spaces in NAME.  write_start
 * writes one: "nodes bonds h steps", then the nodes at the start and after this many RATTLE
 * steps, each as "mass x y z vx vy vz", then the bonds, each as two node numbers from 0.  All
 * three exit on failure. */
FILE *create_start(const char *folder, const char *name);
void close_start(FILE *file, const char *name);

void write_start(const char *folder, const large *l);

/* Exits with a message about a subject unless `good`. */
void must(int good, const char *subject, const char *what);

#endif
