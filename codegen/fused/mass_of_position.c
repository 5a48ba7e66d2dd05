/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/mass_of_position.h"

#include "expr/nest_bounds.h"

static int reads_p(const ir_kernel *k)
{
  for (int e = 0; e < k->hessian.n; e++) {
    if (k->hessian.entries[e].col >= k->n_sites) {
      return 1;
    }
  }
  return 0;
}

/* 1 if index x of the site affects the mass: it is not a single variable, or it is one that a
 * parameter also reads. */
static int tells_mass(const ir_part *part, const ir_reference *site, int x)
{
  const int is_variable = site->index[x]->kind == INDEX_VARIABLE;
  for (int i = 0; i < part->nest.n && is_variable; i++) {
    const model_binder *binder = part->nest.binders[i];
    if (index_reads(site->index[x], binder) && bounds_kernel_reads(&part->kernel, binder)) {
      return 1;
    }
  }
  return !is_variable;
}

/* 1 if the mass of an entry of a coordinate can depend on its index number x. */
static int mass_depends(const model *m, const ir_loops *loops, int coordinate, int x)
{
  const ir_looped_family *H = &loops->hamiltonian;
  int depends = 0;
  for (int i = 0; i < H->n_parts; i++) {
    const ir_kernel *k = &H->parts[i].kernel;
    for (int j = 0; j < k->n_sites && reads_p(k); j++) {
      if (k->sites[j].coordinate == m->coordinates[coordinate]) {
        depends |= tells_mass(&H->parts[i], &k->sites[j], x);
      }
    }
  }
  return depends;
}

int have_one_mass(const model *m, const ir_loops *loops, const position *a, const position *b)
{
  for (int x = 0; x < a->n && a->coordinate == b->coordinate; x++) {
    if (a->at[x] != b->at[x] && mass_depends(m, loops, a->coordinate, x)) {
      return 0;
    }
  }
  return a->coordinate == b->coordinate;
}
