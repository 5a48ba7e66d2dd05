/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shipped.h -- the models that tests of the whole runtime run over, at sizes that a test can
 * afford.
 */
#ifndef SIDEWINDER_TESTS_SHIPPED_H
#define SIDEWINDER_TESTS_SHIPPED_H

#include "chain.h"
#include "chain6.h"
#include "double_pendulum.h"
#include "driven.h"
#include "fixtures.h"
#include "hopf.h"
#include "lj7.h"
#include "loops.h"
#include "net.h"
#include "pendulum.h"
#include "sidewinder/sim.h"
#include "spherical.h"
#include "spin_chain.h"
#include "two_constraints.h"
#include "water_box.h"

typedef struct {
  const sw_model *model;
  int n_sizes;
  sw_size sizes[2];
  double h; /* a step in the model's own units of time */
} shipped;

static const shipped shipped_models[] = {
    {&sw_model_chain, 1, {{.name = "N", .value = 2}}, 0.02},
    {&sw_model_chain, 1, {{.name = "N", .value = 7}}, 0.01},
    {&sw_model_net, 1, {{.name = "N", .value = 4}}, 0.01},
    {&sw_model_spin_chain, 1, {{.name = "N", .value = 6}}, 0.05},
    {&sw_model_water_box, 1, {{.name = "W", .value = 3}}, 1e-3},
    {&sw_fixture_loops_chain, 0, {{.name = NULL}}, 0.01},
    {&sw_fixture_loops_spins, 0, {{.name = NULL}}, 0.02},
    {&sw_model_pendulum, 0, {{.name = NULL}}, 0.05},
    {&sw_model_double_pendulum, 0, {{.name = NULL}}, 0.05},
    {&sw_model_driven, 0, {{.name = NULL}}, 0.005},
    {&sw_model_chain6, 0, {{.name = NULL}}, 0.05},
    {&sw_model_lj7, 0, {{.name = NULL}}, 0.05},
    {&sw_model_spherical, 0, {{.name = NULL}}, 0.05},
    {&sw_model_hopf, 0, {{.name = NULL}}, 0.05},
    {&sw_model_two_constraints, 0, {{.name = NULL}}, 0.05},
    {&sw_fixture_pendulum, 0, {{.name = NULL}}, 0.05},
    {&sw_fixture_hopf, 0, {{.name = NULL}}, 0.05},
    {&sw_fixture_spherical, 0, {{.name = NULL}}, 0.05},
    {&sw_fixture_two, 0, {{.name = NULL}}, 0.05},
    {&sw_fixture_free, 0, {{.name = NULL}}, 0.05},
};

enum { n_shipped = (int)(sizeof shipped_models / sizeof shipped_models[0]) };

#endif
