/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/cluster_step.h -- what NAME_step.c has for one cluster of a looped model (fused/cluster.h) in the place of steps of a whole one.
 */
#ifndef SIDEWINDER_EMIT_CLUSTER_STEP_H
#define SIDEWINDER_EMIT_CLUSTER_STEP_H

#include "emit/head.h"
#include "emit/step_block.h"
#include "sidewinder/tableau.h"

/* The cluster of the looped model; NULL where there is none or the method is not for it, and why, a phrase about the model, in
 * *refusal. */
const fused_cluster *cluster_step_of(step_source *s, const emit_input *in, const sw_tableau *base,
                                     const char **refusal);

/* Adds the functions that only such a step has to those of the source. */
void cluster_step_functions(step_source *s);

/* Writes the loops over clusters and the table `clusters` of them. */
void cluster_step_tables(const step_source *s, writer *w);

#endif
