/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starts.h -- chains and water without forces, for round.c and for the programs that it is compared with.
 */
#ifndef BENCH_STARTS_H
#define BENCH_STARTS_H

#include <stdio.h>

#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"

/* After so many steps it is seen whether other programs make the same ones. */
enum { check_steps = 100 };

/* A system of bonds between points in space. */
typedef struct large {
  const char *name;
  const sw_model *model;
  const char *size_name;
  long size;
  const char *zero;       /* a size that is 0, or NULL */
  const char *zero_force; /* a parameter that is 0: what other programs have no force for */
  int coil; /* 1: links at the tetrahedral angle in random directions, and nodes with random momenta */
  double h;
  long steps;
  const sw_stepper *stepper;  /* for clusters of constraints, or NULL, */
  const sw_stepper *lanes[2]; /* and 4 and 8 of them at once */
} large;

/* chain 100, chain 1000, coil 1000, water 1000; ends with a name that is NULL. */
extern const large larges[];

/* Where it starts, on M^H, to be stepped by one of its steppers, or by the general way (NULL); ends the program where that cannot be
 * made. */
sw_sim *start_large(const large *l, const sw_stepper *stepper);

/* The square of the shortest bond. */
double shortest_bond2(const large *l);

/* FOLDER/NAME.start, with _ for each space of the name, to be written to: "nodes bonds h steps", then the nodes at the start and after so many steps
 * of RATTLE, each as "mass x y z vx vy vz", then the bonds, each as two nodes, the first of which is 0.  Ends the program where that cannot be
 * made; so does close_start where it could not be written. */
FILE *create_start(const char *folder, const char *name);
void close_start(FILE *file, const char *name);

void write_start(const char *folder, const large *l);

/* Ends the program with a message about a subject where it is not good. */
void must(int good, const char *subject, const char *what);

#endif
