/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.h -- the experiments: each writes a table of the page, and the data of its figure.
 *
 * TABLES is their list.  page.md says where a table goes by a line @NAME@.
 */
#ifndef EXPERIMENTS_TABLES_H
#define EXPERIMENTS_TABLES_H

#include "page.h"

/* "Geometric Generalisations of SHAKE and RATTLE", paper 000. */
#define TABLES_000(X)                                                                              \
  X(pendulum_step)                                                                                 \
  X(fibre_steps)                                                                                   \
  X(initial_data)                                                                                  \
  X(free_motion)                                                                                   \
  X(closed_curves)                                                                                 \
  X(energy)                                                                                        \
  X(derivative_on_fibres)                                                                          \
  X(points_on_fibres)                                                                              \
  X(fibre_kinds)                                                                                   \
  X(other_component)                                                                               \
  X(orders_mixed)                                                                                  \
  X(orders_holonomic)                                                                              \
  X(geometry)                                                                                      \
  X(offset)                                                                                        \
  X(index_one)                                                                                     \
  X(index_one_orders)                                                                              \
  X(failing)

/* "Mechanical systems subject to holonomic constraints", paper 001. */
#define TABLES_001(X)                                                                              \
  X(four_particles)                                                                                \
  X(particle_errors)                                                                               \
  X(particle_multipliers)                                                                          \
  X(multiplier_orders)                                                                             \
  X(midpoint_formula)                                                                              \
  X(midpoint_errors)

/* "Symplectic Numerical Integrators in Constrained Hamiltonian Systems", paper 002. */
#define TABLES_002(X)                                                                              \
  X(velocity_residual)                                                                             \
  X(errors_stiff)                                                                                  \
  X(errors_soft)                                                                                   \
  X(second_order)                                                                                  \
  X(wedge)                                                                                         \
  X(energy_over_time)                                                                              \
  X(molecule)                                                                                      \
  X(larger_steps)                                                                                  \
  X(inexact)                                                                                       \
  X(tolerance)

/* "Structure-preserving integrators", paper 003. */
#define TABLES_003(X)                                                                              \
  X(square)                                                                                        \
  X(tied_chain)                                                                                    \
  X(four_bar)                                                                                      \
  X(many_passages)                                                                                 \
  X(naive)                                                                                         \
  X(as_printed)                                                                                    \
  X(structure)

/* "On converting any one-step method to a variational integrator of the same order", paper 004. */
#define TABLES_004(X)                                                                              \
  X(variational_sphere)                                                                            \
  X(variational_body)                                                                              \
  X(variational_long)                                                                              \
  X(variational_pairs)

#define TABLES(X) TABLES_000(X) TABLES_001(X) TABLES_002(X) TABLES_003(X) TABLES_004(X)

#define TABLE_DECLARATION(name) void table_##name(page *p);
TABLES(TABLE_DECLARATION)
#undef TABLE_DECLARATION

#endif
