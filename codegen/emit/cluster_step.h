/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit/cluster_step.h -- the parts of NAME_step.c that belong to one cluster of a looped model
 * (fused/cluster.h), instead of steps of a whole model.
 */
#ifndef SIDEWINDER_EMIT_CLUSTER_STEP_H
#define SIDEWINDER_EMIT_CLUSTER_STEP_H

#include "emit/head.h"
#include "emit/step_block.h"
#include "sidewinder/tableau.h"

/* The cluster of the looped model. NULL if there is none, or the method does not support clusters;
 * *refusal then gives the reason, a phrase about the model. */
const fused_cluster *cluster_step_of(step_source *s, const emit_input *in, const sw_tableau *base,
                                     const char **refusal);

/* Adds the functions that only steps of clusters have to the source. */
void cluster_step_functions(step_source *s);

/* Writes the loops over clusters and their table `clusters`. */
void cluster_step_tables(const step_source *s, writer *w);

#endif
