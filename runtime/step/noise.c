/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/noise.h"

#include <Random123/philox.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carver.h"
#include "common/vectors.h"

/* ---- create and free ---- */

/* Finds the envelope of L, which is that of the lower triangle of H_pp. */
static sw_status plan_root(sw_noise *noise, size_t *size)
{
  const sw_pattern *pattern = &noise->mass.pattern;
  const size_t d = (size_t)noise->system->nq;

  noise->first = malloc(d * sizeof *noise->first);
  noise->start = malloc(d * sizeof *noise->start);
  if (!noise->first || !noise->start) {
    return SW_ERR_MEMORY;
  }
  for (size_t i = 0; i < d; i++) {
    noise->first[i] = (int)i;
  }
  for (int e = 0; e < pattern->entries; e++) {
    int *first = &noise->first[pattern->row[e]];
    *first = sw_smaller_int(*first, pattern->col[e]);
  }
  *size = 0;
  for (size_t i = 0; i < d; i++) {
    *size += i - (size_t)noise->first[i] + 1;
    noise->start[i] = *size - 1;
  }
  return SW_OK;
}

static void carve_noise(sw_carver *c, sw_noise *noise, size_t size)
{
  const size_t d = (size_t)noise->system->nq;

  noise->k_of = sw_carve(c, (size_t)noise->system->nk, 1);
  noise->H_pp = sw_carve(c, (size_t)noise->mass.entries, 1);
  noise->given = sw_carve(c, (size_t)noise->mass.given, 1);
  noise->root = sw_carve(c, size, 1);
  SW_CARVE(c, 2 * d, 1, &noise->bath, &noise->z, &noise->xi);
}

sw_status sw_noise_create(const sw_system *system, const double k[], sw_noise **noise)
{
  size_t size = (size_t)system->nq;
  sw_noise *made = calloc(1, sizeof *made);

  *noise = made;
  if (!made) {
    return SW_ERR_MEMORY;
  }
  made->system = system;
  made->k = k;
  sw_status status = sw_mass_create(system, &made->mass);
  if (status == SW_OK && !sw_mass_is_diagonal(&made->mass)) {
    status = plan_root(made, &size);
  }
  if (status == SW_OK) {
    sw_carver c = {NULL, 0, 0};
    carve_noise(&c, made, size);
    c = sw_carver_open(c);
    made->block = c.block;
    carve_noise(&c, made, size);
    status = made->block ? SW_OK : SW_ERR_MEMORY;
  }
  if (status != SW_OK) {
    sw_noise_free(noise);
  }
  return status;
}

void sw_noise_free(sw_noise **noise)
{
  if (*noise) {
    sw_mass_free(&(*noise)->mass);
    free((*noise)->first);
    free((*noise)->start);
    free((*noise)->block);
    free(*noise);
    *noise = NULL;
  }
}

/* ---- the bath at the present parameters ---- */

static sw_noise_fault fault(sw_noise *noise, sw_noise_fault kind, int i, int j)
{
  noise->fault_at[0] = i;
  noise->fault_at[1] = j;
  return kind;
}

/* gamma of coordinate i. */
static double gamma_of(const sw_noise *noise, int i)
{
  return noise->bath[noise->system->nq + i];
}

/* L of H_pp = L L^T within its envelope.  Rows without friction may have no mass. */
static sw_noise_fault factor(sw_noise *noise)
{
  const sw_pattern *pattern = &noise->mass.pattern;
  double *L = noise->root;
  const size_t *at = noise->start;

  sw_zero(L, at[noise->system->nq - 1] + 1);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    if (pattern->col[e] <= i) {
      L[at[i] - (size_t)(i - pattern->col[e])] = noise->H_pp[e];
    }
  }
  for (int i = 0; i < noise->system->nq; i++) {
    double *row = L + at[i] - (size_t)i; /* row[j] = L_ij */
    double rest = row[i];
    for (int j = noise->first[i]; j < i; j++) {
      const double *above = L + at[j] - (size_t)j;
      const int from = sw_larger_int(noise->first[i], noise->first[j]);
      row[j] =
          (row[j] - (from < j ? sw_inner(j - from, row + from, above + from) : 0.0)) / above[j];
      rest -= row[j] * row[j];
    }
    if (!(rest > 0.0) && (gamma_of(noise, i) > 0.0 || noise->first[i] < i)) {
      return fault(noise, SW_NOISE_NO_MASS, i, i);
    }
    row[i] = rest > 0.0 ? sqrt(rest) : INFINITY;
  }
  return SW_NOISE_GOOD;
}

static sw_noise_fault find_mass_root(sw_noise *noise, const double z[])
{
  sw_mass_values(&noise->mass, noise->system, z, noise->k, noise->given, noise->H_pp);
  if (noise->first) {
    return factor(noise);
  }
  for (int i = 0; i < noise->system->nq; i++) {
    if (!(noise->H_pp[i] > 0.0) && gamma_of(noise, i) > 0.0) {
      return fault(noise, SW_NOISE_NO_MASS, i, i);
    }
    noise->root[i] = noise->H_pp[i] > 0.0 ? 1.0 / sqrt(noise->H_pp[i]) : 0.0;
  }
  return SW_NOISE_GOOD;
}

/* 1 if the coordinates have the same bath. */
static int is_same(const sw_noise *noise, int i, int j)
{
  return gamma_of(noise, i) == gamma_of(noise, j) &&
         (gamma_of(noise, i) == 0.0 || noise->bath[i] == noise->bath[j]);
}

/* 1 if momentum j has a mass.  That of the time has none. */
static int has_mass(const sw_noise *noise, int j)
{
  return noise->first ? isfinite(noise->root[noise->start[j]]) : noise->root[j] > 0.0;
}

/* Checks that coordinates in a row of a matrix have the same bath.  Columns >= nq do not count, and
 * neither do coordinates without mass. */
static sw_noise_fault check_coupled(sw_noise *noise, const sw_pattern *pattern)
{
  int first = -1;

  for (int e = 0; e < pattern->entries; e++) {
    const int j = pattern->col[e];
    first = e > 0 && pattern->row[e] == pattern->row[e - 1] ? first : -1;
    if (j >= noise->system->nq || !has_mass(noise, j)) {
      continue;
    }
    first = first < 0 ? j : first;
    if (!is_same(noise, first, j)) {
      return fault(noise, SW_NOISE_COUPLED, first, j);
    }
  }
  return SW_NOISE_GOOD;
}

/* Computes the bath and the root of the mass matrix at the present parameters. */
static sw_noise_fault prepare(sw_noise *noise, const double z[])
{
  const sw_system *system = noise->system;
  const int d = system->nq;

  sw_system_bath(system, noise->k, noise->bath);
  for (int i = 0; i < 2 * d; i++) {
    if (!(isfinite(noise->bath[i]) && noise->bath[i] >= 0.0)) {
      return fault(noise, SW_NOISE_VALUE, i % d, i / d);
    }
  }
  sw_noise_fault found = find_mass_root(noise, z);
  if (found == SW_NOISE_GOOD && noise->first) {
    found = check_coupled(noise, &noise->mass.pattern);
  }
  if (found == SW_NOISE_GOOD && system->nc > 0) {
    found = check_coupled(noise, &system->constraint_jac_pattern);
  }
  sw_copy_and_zero(noise->z, z, (size_t)d);
  double *slope = noise->xi;
  system->hamiltonian_grad(system, noise->z, noise->k, slope);
  for (int i = 0; i < d && found == SW_NOISE_GOOD; i++) {
    found = gamma_of(noise, i) > 0.0 && slope[d + i] != 0.0 ? fault(noise, SW_NOISE_NOT_EVEN, i, i)
                                                            : SW_NOISE_GOOD;
  }
  noise->degrees = 0;
  for (int i = 0; i < d; i++) {
    noise->degrees += has_mass(noise, i);
  }
  sw_copy(noise->k_of, noise->k, (size_t)system->nk);
  noise->is_known = found == SW_NOISE_GOOD;
  return found;
}

/* ---- the noise ---- */

static uint64_t bits_of(double x)
{
  uint64_t bits = 0;

  x += 0.0; /* -0 becomes 0 */
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Four independent normal numbers. */
static void normals(const sw_noise_key *key, uint64_t number, double xi[4])
{
  const philox4x64_ctr_t counter = {
      {bits_of(key->t0), (uint64_t)key->n, (uint64_t)key->trajectory, number}};
  const philox4x64_key_t of = {{(uint64_t)key->seed, 0}};
  const philox4x64_ctr_t bits = philox4x64(counter, of);

  for (int i = 0; i < 4; i += 2) {
    const double u = ((double)(bits.v[i] >> 11) + 0.5) * 0x1p-53;
    const double angle = 2.0 * M_PI * ((double)(bits.v[i + 1] >> 11) * 0x1p-53);
    const double radius = sqrt(-2.0 * log(u));
    xi[i] = radius * cos(angle);
    xi[i + 1] = radius * sin(angle);
  }
}

/* x <- M^{1/2} x */
static void times_root(const sw_noise *noise, double x[])
{
  const int d = noise->system->nq;

  if (!noise->first) {
    for (int i = 0; i < d; i++) {
      x[i] *= noise->root[i];
    }
    return;
  }
  for (int i = d - 1; i >= 0; i--) {
    const double *row = noise->root + noise->start[i] - (size_t)i;
    x[i] /= row[i];
    for (int j = noise->first[i]; j < i; j++) {
      x[j] -= row[j] * x[i];
    }
  }
}

/* Prepares the bath unless it belongs to the present parameters. */
static sw_noise_fault update(sw_noise *noise, const double z[])
{
  const size_t bytes = (size_t)noise->system->nk * sizeof *noise->k;
  const int differs = bytes > 0 && memcmp(noise->k, noise->k_of, bytes) != 0;

  return noise->is_known && !differs ? SW_NOISE_GOOD : prepare(noise, z);
}

int sw_noise_degrees(sw_noise *noise, const double z[])
{
  return update(noise, z) == SW_NOISE_GOOD ? noise->degrees : 0;
}

sw_noise_fault sw_noise_apply(sw_noise *noise, double h, const sw_noise_key *key, const double z[])
{
  const int d = noise->system->nq;
  const sw_noise_fault found = h < 0.0 ? SW_NOISE_BACKWARDS : update(noise, z);
  double xi[4];

  if (found != SW_NOISE_GOOD) {
    return found;
  }
  for (int i = 0; i < d; i++) {
    if (i % 4 == 0) {
      normals(key, (uint64_t)(i / 4), xi);
    }
    noise->xi[i] = xi[i % 4];
  }
  times_root(noise, noise->xi);
  sw_copy(noise->z, z, 2 * (size_t)d);
  for (int i = 0; i < d; i++) {
    const double decay = gamma_of(noise, i) * h;
    const double added = sqrt(-noise->bath[i] * expm1(-2.0 * decay)) * noise->xi[i];
    noise->z[d + i] = decay > 0.0 ? exp(-decay) * z[d + i] + added : z[d + i];
  }
  return SW_NOISE_GOOD;
}

double sw_noise_heat(sw_noise *noise, const double z[])
{
  const sw_pattern *pattern = &noise->mass.pattern;
  const double *p = z + noise->system->nq;
  double heat = 0.0;

  for (int e = 0; e < noise->mass.entries; e++) {
    heat += noise->first ? noise->H_pp[e] * p[pattern->row[e]] * p[pattern->col[e]]
                         : noise->H_pp[e] * p[e] * p[e];
  }
  return heat;
}
