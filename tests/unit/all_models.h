/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * all_models.h -- every model that tests of the runtime can link, from a state of each on.
 */
#ifndef SIDEWINDER_TESTS_ALL_MODELS_H
#define SIDEWINDER_TESTS_ALL_MODELS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain6_tied.h"
#include "charged_sphere.h"
#include "curved.h"
#include "four_bar.h"
#include "hopf_free.h"
#include "index1.h"
#include "mirror.h"
#include "near.h"
#include "pairs.h"
#include "shipped.h"
#include "spherical_discrete.h"
#include "spun.h"
#include "spun_mixed.h"
#include "square.h"
#include "squeeze.h"

/* Besides those of shipped.h: a name for the option `redundant` where that is needed. */
static const struct {
  shipped model;
  const char *redundant;
} others[] = {
    {{&sw_model_chain, 1, {{.name = "N", .value = 16}}, 0.005}, "error"},
    {{&sw_model_net, 1, {{.name = "N", .value = 5}}, 0.005}, "error"},
    {{&sw_model_spin_chain, 1, {{.name = "N", .value = 20}}, 0.05}, "error"},
    {{&sw_model_four_bar, 0, {{.name = NULL}}, 0.02}, "error"},
    {{&sw_model_hopf_free, 0, {{.name = NULL}}, 0.05}, "error"},
    {{&sw_model_charged_sphere, 0, {{.name = NULL}}, 0.05}, "error"},
    {{&sw_model_mirror, 0, {{.name = NULL}}, 0.05}, "error"},
    {{&sw_model_index1, 0, {{.name = NULL}}, 0.1}, "error"},
    {{&sw_model_square, 0, {{.name = NULL}}, 0.02}, "drop"},
    {{&sw_model_square, 0, {{.name = NULL}}, 0.02}, "min-norm"},
    {{&sw_model_chain6_tied, 0, {{.name = NULL}}, 0.02}, "drop"},
    {{&sw_model_chain6_tied, 0, {{.name = NULL}}, 0.02}, "min-norm"},
    {{&sw_model_spun, 0, {{.name = NULL}}, 0.02}, "error"},
    {{&sw_model_spun_mixed, 0, {{.name = NULL}}, 0.02}, "error"},
    {{&sw_model_squeeze, 0, {{.name = NULL}}, 0.02}, "error"},
    {{&sw_model_curved, 0, {{.name = NULL}}, 0.02}, "error"},
    {{&sw_model_spherical_discrete, 0, {{.name = NULL}}, 0.05}, "error"},
};
enum { n_others = (int)(sizeof others / sizeof others[0]) };

static inline const shipped *model_number(int i)
{
  return i < n_shipped ? &shipped_models[i] : &others[i - n_shipped].model;
}

static inline const char *redundant_number(int i)
{
  return i < n_shipped ? "error" : others[i - n_shipped].redundant;
}

enum { n_models = n_shipped + n_others };

/* 1 where a fibre flow without a closed form takes long to find out that a step is hopeless. */
static inline int is_slow(const shipped *s)
{
  return s->model->n_sizes == 0 && s->model->n_constraints > 0 && !s->model->fibre_flow;
}

/* Whether the model goes with a method and a base method, with what it does about redundant
 * constraints. */
static inline int model_takes(int i, const char *method, const char *base)
{
  sw_options options;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.redundant = redundant_number(i);
  return sw_options_objection(model_number(i)->model, &options)[0] == '\0';
}

static inline int place_of(const char *name, const char *const *names)
{
  int n = 0;

  while (names[n] && strcmp(names[n], name) != 0)
    n++;
  return n;
}

/* Sweeps over all models, methods and base methods take one of the methods for each model and base
 * method, in turn, so that every model meets every method and every base method, and every method
 * without a base method, unless the program is given the word `all`. */
static int whole_sweep = 0;

static inline int sweep_takes(int i, const char *method, const char *base)
{
  int place = 0;
  int n = 0;

  for (const char *const *other = sw_method_names(); *other; other++)
    if (model_takes(i, *other, base)) {
      place = strcmp(*other, method) == 0 ? n : place;
      n++;
    }
  return model_takes(i, method, base) && (whole_sweep || strcmp(base, "none") == 0 ||
                                          place == (i + place_of(base, bases_and_none)) % n);
}

static inline double *saved_state(const sw_sim *sim)
{
  double *saved = calloc(sw_sim_saved_count(sim), sizeof *saved);

  assert_non_null(saved);
  sw_sim_save(sim, saved);
  return saved;
}

static inline sw_sim *open_model(const shipped *s, const char *method, const char *base,
                                 const char *redundant)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.redundant = redundant;
  options.n_sizes = s->n_sizes;
  options.sizes = s->sizes;
  assert_int_equal(sw_sim_create(s->model, &options, &sim), SW_OK);
  return sim;
}

/* A few steps on from the model's initial state where that is one, or from a point that is found by
 * trial. */
static inline void start_model(sw_sim *sim, double h, const char *what)
{
  for (int trial = 0; trial < 100; trial++) {
    if (sw_sim_run(sim, h, 3, NULL, NULL) == SW_OK ||
        (sw_sim_project(sim) == SW_OK && sw_sim_run(sim, h, 3, NULL, NULL) == SW_OK))
      return;
    double *saved = saved_state(sim);
    for (size_t i = 0; i < sw_sim_saved_count(sim); i++)
      saved[i] = i < 3 ? 0.0 : 0.5 + 0.4 * sin(1.7 * (double)(i + (size_t)trial));
    assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
    free(saved);
  }
  fail_msg("%s: %s", what, sw_sim_message(sim));
}

#endif
