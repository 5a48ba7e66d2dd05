/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fused_shipped.h -- for test_fused.c: the steppers that come with the shipped models, and a step
 * of a usual size.
 */
#include "chain6.h"
#include "charged_sphere.h"
#include "double_pendulum.h"
#include "driven.h"
#include "four_bar.h"
#include "four_particles.h"
#include "hoop.h"
#include "hopf.h"
#include "hopf_free.h"
#include "index1.h"
#include "lj7.h"
#include "mirror.h"
#include "pendulum.h"
#include "spherical.h"
#include "spherical_pendulum.h"
#include "two_constraints.h"

#define SW_FUSED_TABLE(X)                                                                          \
  X(sw_model_pendulum, sw_stepper_pendulum, 0.05)                                                  \
  X(sw_model_double_pendulum, sw_stepper_double_pendulum, 0.02)                                    \
  X(sw_model_chain6, sw_stepper_chain6, 0.01)                                                      \
  X(sw_model_lj7, sw_stepper_lj7, 0.005)                                                           \
  X(sw_model_spherical, sw_stepper_spherical, 0.05)                                                \
  X(sw_model_driven, sw_stepper_driven, 0.005)                                                     \
  X(sw_model_hoop, sw_stepper_hoop, 0.02)                                                          \
  X(sw_model_hopf, sw_stepper_hopf, 0.05)                                                          \
  X(sw_model_two_constraints, sw_stepper_two_constraints, 0.02)                                    \
  X(sw_model_index1, sw_stepper_index1, 0.02)                                                      \
  X(sw_model_four_bar, sw_stepper_four_bar, 0.01)                                                  \
  X(sw_model_four_particles, sw_stepper_four_particles, 0.01)                                      \
  X(sw_model_hopf_free, sw_stepper_hopf_free, 0.05)                                                \
  X(sw_model_charged_sphere, sw_stepper_charged_sphere, 0.05)                                      \
  X(sw_model_mirror, sw_stepper_mirror, 0.02)                                                      \
  X(sw_model_spherical_pendulum, sw_stepper_spherical_pendulum, 0.05)
