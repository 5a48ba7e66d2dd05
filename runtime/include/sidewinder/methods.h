/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/methods.h -- the names of all methods, X(identifier, name).
 *
 * Each method is a table in its own file, methods/IDENTIFIER.c. To add a method, add that file and
 * a line here: the command line, model files, `verify`, tests and help read these lists.
 */
#ifndef SIDEWINDER_METHODS_H
#define SIDEWINDER_METHODS_H

/* Constrained methods. */
#define SW_METHODS(X)                                                                              \
  X(shake, "shake")                                                                                \
  X(rattle, "rattle")                                                                              \
  X(lobatto, "lobatto")                                                                            \
  X(index1, "index1")                                                                              \
  X(leapfrog, "leapfrog")                                                                          \
  X(vs, "vs")                                                                                      \
  X(bdf2, "bdf2")                                                                                  \
  X(energy_momentum, "energy-momentum")                                                            \
  X(variational, "variational")                                                                    \
  X(baoab, "baoab")

/* Base methods. */
#define SW_BASES(X)                                                                                \
  X(euler_a, "euler-a")                                                                            \
  X(euler_b, "euler-b")                                                                            \
  X(verlet, "verlet")                                                                              \
  X(midpoint, "midpoint")                                                                          \
  X(gauss_4, "gauss-4")                                                                            \
  X(gauss_6, "gauss-6")                                                                            \
  X(lobatto_2, "lobatto-2")                                                                        \
  X(lobatto_4, "lobatto-4")                                                                        \
  X(lobatto_6, "lobatto-6")                                                                        \
  X(euler, "euler")                                                                                \
  X(explicit_midpoint, "explicit-midpoint")                                                        \
  X(kutta_3, "kutta-3")                                                                            \
  X(rk4, "rk4")

/* The base method without a tableau: exact flows of the parts into which the model splits H
 * (docs/methods.md). */
#define SW_SPLITTING  "splitting"
#define SW_PARTS_MOST 32

/* Named biases of variational integrators, X(identifier, name, alpha-, alpha+). */
#define SW_BIASES(X)                                                                               \
  X(symmetric, "symmetric", -0.5, 0.5)                                                             \
  X(forward, "forward", 0.0, 1.0)

/* The treatments of redundant constraints, in the order of sw_redundant. */
#define SW_REDUNDANTS(X)                                                                           \
  X(reject, "error")                                                                               \
  X(drop, "drop")                                                                                  \
  X(min_norm, "min-norm")

/* For variational integrators: which of the two methods is an adjoint. */
#define SW_ADJOINTS(X)                                                                             \
  X(neither, "none")                                                                               \
  X(minus, "minus")                                                                                \
  X(plus, "plus")                                                                                  \
  X(both, "both")

/* Compositions of a method with itself. */
#define SW_COMPOSITIONS(X)                                                                         \
  X(uncomposed, "none")                                                                            \
  X(triple_jump_4, "triple-jump-4")                                                                \
  X(suzuki_4, "suzuki-4")                                                                          \
  X(kahan_li_6, "kahan-li-6")                                                                      \
  X(kahan_li_8, "kahan-li-8")                                                                      \
  X(triple_jump_6, "triple-jump-6")                                                                \
  X(suzuki_6, "suzuki-6")

#endif
