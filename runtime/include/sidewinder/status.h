/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/status.h -- the list of status codes.
 *
 * SW_OK is zero and the only success. SW_STATUS_LIST gives each code with its sentence; the enum,
 * sw_status_name and sw_status_text all expand it.
 */
#ifndef SIDEWINDER_STATUS_H
#define SIDEWINDER_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define SW_STATUS_LIST(X)                                                                          \
  X(SW_OK, "success")                                                                              \
  X(SW_ERR_ARGUMENT, "an argument is NULL, not finite, or out of its range")                       \
  X(SW_ERR_ABI, "the model was generated for another version of the runtime")                      \
  X(SW_ERR_MEMORY, "out of memory")                                                                \
  X(SW_ERR_OPTION, "no such method or base method, or an option is out of its range")              \
  X(SW_ERR_PARAMETER, "a parameter is not finite or outside the bounds that the model gives")      \
  X(SW_ERR_SIZE, "there is no such size, or the model is not possible at these sizes")             \
  X(SW_ERR_OFF_M, "the state is not on the constraint manifold M")                                 \
  X(SW_ERR_OFF_MH, "the state is on M but not on the hidden constraint manifold M^H")              \
  X(SW_ERR_SECOND_CLASS, "the bracket of two constraints is not 0 on M")                           \
  X(SW_ERR_NOT_CONVERGED, "the nonlinear solve did not converge")                                  \
  X(SW_ERR_SINGULAR, "the Jacobian of the solve is singular: N is, or the step is too large")      \
  X(SW_ERR_LEFT_M, "the step would end off M or M^H, by more than round-off")                      \
  X(SW_ERR_COMPONENT, "the step would end on another component of M^H")                            \
  X(SW_ERR_NOT_REVERSIBLE, "the step back does not lead to where the step came from")              \
  X(SW_ERR_NOT_FINITE, "a function of the model is not finite near this state")                    \
  X(SW_ERR_STOPPED, "the observer asked to stop")                                                  \
  X(SW_ERR_IO, "a file could not be read or written")                                              \
  X(SW_ERR_ENERGY, "the energy has left its scale, although the method should conserve it")        \
  X(SW_ERR_MASS, "the mass matrix becomes singular along the step")

typedef enum sw_status {
#define SW_STATUS_ENUM(code, text) code,
  SW_STATUS_LIST(SW_STATUS_ENUM)
#undef SW_STATUS_ENUM
      SW_STATUS_COUNT /* number of codes; never returned */
} sw_status;

/* The name of the code in C, such as "SW_ERR_OFF_M"; "SW_ERR_UNKNOWN" for any other value. Static
 * storage. */
const char *sw_status_name(sw_status status);

/* The meaning of the code in one sentence without a full stop. Static storage. */
const char *sw_status_text(sw_status status);

#ifdef __cplusplus
}
#endif

#endif
