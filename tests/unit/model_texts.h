/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_texts.h -- two models for the tests of the checker, and a model checked from its text.
 */
#ifndef SIDEWINDER_MODEL_TEXTS_H
#define SIDEWINDER_MODEL_TEXTS_H

#include <string.h>

#include "model/model.h"

static const char chain_text[] =
    "# Hanging chain: N nodes, N-1 inextensible links, the first node pinned.\n"
    "model chain \"Inextensible chain of N nodes\"\n"
    "size  N = 64\n"
    "set   node = 1 .. N\n"
    "set   link = 1 .. N-1\n"
    "set   xyz  = {x, y, z}\n"
    "param m[i in node] = 1/N            # nodal masses; a run can override the array\n"
    "param a = 1/(N-1)                   # link length\n"
    "param gravity = 9.81\n"
    "coord q[node, xyz] momentum p\n"
    "let d2(i) = sum(k in xyz: (q[i+1,k] - q[i,k])^2)\n"
    "hamiltonian H = sum(i in node, k in xyz: p[i,k]^2/(2*m[i]))\n"
    "              + sum(i in node: m[i]*gravity*q[i,z])\n"
    "constraint pin[k in xyz]:     q[1,k] == 0\n"
    "constraint length[i in link]: d2(i)   # squared\n   == a^2\n"
    "observe   tension[i in link] = multiplier(length[i])\n"
    "invariant energy = H\n"
    "init q[i in node, x] = (i-1)*a\n"
    "init q[i in node, y] = 0\n"
    "init q[i in node, z] = 0\n"
    "init p[i in node, k in xyz] = 0\n"
    "run method = rattle, step = 1e-3, t_end = 5, every = 50\n";

static const char hopf_text[] = "model hopf \"Hopf sphere |q|^2 + |p|^2 = 1, linear potential\"\n"
                                "set ax = 1 .. 2\n"
                                "param g[k in ax] = {1: 0, 2: -1}\n"
                                "coord q[ax] momentum p\n"
                                "hamiltonian H = sum(k in ax: p[k]^2/2 - g[k]*q[k])\n"
                                "constraint sphere: sum(k in ax: q[k]^2 + p[k]^2) == 1\n"
                                "invariant energy = H\n";

/* A checked text; m is NULL where there are errors.  The caller frees the memory. */
typedef struct checked_text {
  arena *memory;
  diagnostics *errors;
  const model *m;
} checked_text;

static inline checked_text check_bytes(const char *text, size_t length, int n,
                                       const model_size_setting settings[])
{
  checked_text result = {arena_create(), NULL, NULL};
  result.errors = diagnostics_create(result.memory, "test.sw", text, length);
  result.m = model_check(result.memory, result.errors, "test.sw", text, length, n, settings);
  return result;
}

static inline checked_text check_text(const char *text)
{
  return check_bytes(text, strlen(text), 0, NULL);
}

#endif
