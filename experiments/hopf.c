/* SPDX-License-Identifier: BSD-3-Clause */
#include "hopf.h"

#include <math.h>

#include "run.h"

enum { GRID = 2000, BISECTIONS = 60, MAX_PARAMETERS = 2 };

static void defaults(const sw_model *model, double k[MAX_PARAMETERS])
{
  k[0] = 0.0;
  k[1] = 0.0;
  if (model->parameter_values != NULL) {
    model->parameter_values(NULL, k);
  }
}

void hopf_along(const sw_model *model, const double z[4], double theta, double out[4])
{
  const double lambda = theta / 2.0;
  double k[MAX_PARAMETERS];

  defaults(model, k);
  model->fibre_flow(NULL, z, k, &lambda, out);
}

double hopf_hidden(const sw_model *model, const double z[4])
{
  double k[MAX_PARAMETERS];
  double rho = NAN;

  defaults(model, k);
  model->hidden(NULL, z, k, &rho);
  return rho / 2.0;
}

double hopf_slope(const sw_model *model, const double z[4])
{
  double k[MAX_PARAMETERS];
  double N = NAN;

  defaults(model, k);
  model->nondegeneracy.values(NULL, z, k, &N);
  return N / 4.0;
}

static double hidden_at(const sw_model *model, const double z[4], double theta)
{
  double there[4];

  hopf_along(model, z, theta, there);
  return hopf_hidden(model, there);
}

static double bisect(const sw_model *model, const double z[4], double low, double high)
{
  const double sign = hidden_at(model, z, low) < 0.0 ? -1.0 : 1.0;

  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = (low + high) / 2.0;
    if (sign * hidden_at(model, z, middle) >= 0.0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2.0;
}

int hopf_points(const sw_model *model, const double z[4], int max, double theta[])
{
  const double start = -acos(-1.0) * (1.0 + 1e-9); /* a root at an end is not seen twice */
  const double width = 2.0 * acos(-1.0) / GRID;
  double before = hidden_at(model, z, start);
  int n = 0;

  for (int i = 1; i <= GRID && n < max; i++) {
    const double now = hidden_at(model, z, start + i * width);
    if ((before < 0.0) != (now < 0.0)) {
      theta[n++] = bisect(model, z, start + (i - 1) * width, start + i * width);
    }
    before = now;
  }
  return n;
}
