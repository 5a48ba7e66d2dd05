/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compare.c -- two lowerings of each of many models, against each other.
 *
 * Usage: compare LIBRARY <PAIRS
 *
 * LIBRARY is a shared object with the models.  A line of PAIRS is a label, the names of two models,
 * and sizes, such as "7 sw_model_random7_unrolled_0 sw_model_random7_looped N=3 M=2".  Sizes are
 * given to models that have loops.  Instead of the first name "-" may stand: then the second is to
 * refuse these sizes.  Prints a line "LABEL: ..." for each of the first failures of a pair, and
 * exits with 1 if there were any.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"

enum { POINTS = 3, MAX_SIZES = 8, MAX_LINE = 1024 };

/* A system of the model with that name, or NULL and a message. */
static sw_system *open_system(void *library, const char *name, int n_sizes, const sw_size sizes[],
                              char message[])
{
  sw_system *system = NULL;
  const sw_model *model = dlsym(library, name);
  if (!model) {
    snprintf(message, SW_SYSTEM_MESSAGE, "there is no such model");
    return NULL;
  }
  message[0] = '\0';
  sw_system_create(model, model->n_sizes > 0 ? n_sizes : 0, sizes, &system, message);
  return system;
}

static void compare(const sw_system *a, const sw_system *b, findings *f)
{
  if (!same_model(a, b, f)) {
    return;
  }
  unsigned long state = 20140323;
  point x;
  point_create(a, &x);
  for (int i = 0; i < POINTS && !f->failures; i++) {
    point_random(a, &state, &x);
    same_values(a, b, &x, f);
  }
  true_derivatives(b, &x, f);
  point_free(&x);
}

/* Takes a line apart, in place, and compares what it names. */
static int compare_line(void *library, char *line)
{
  char *rest = NULL;
  const char *label = strtok_r(line, " \n", &rest);
  const char *first = strtok_r(NULL, " \n", &rest);
  const char *second = strtok_r(NULL, " \n", &rest);
  findings f = {label, 0};
  sw_size sizes[MAX_SIZES];
  int n_sizes = 0;
  char *word = NULL;
  if (!second) {
    fputs("a line of PAIRS is a label, two models and sizes\n", stderr);
    exit(2);
  }
  while ((word = strtok_r(NULL, " \n", &rest)) && n_sizes < MAX_SIZES) {
    char *equals = strchr(word, '=');
    if (!equals) {
      fprintf(stderr, "'%s' is no size\n", word);
      exit(2);
    }
    *equals = '\0';
    sizes[n_sizes++] = (sw_size){.name = word, .value = strtol(equals + 1, NULL, 10)};
  }
  char message[SW_SYSTEM_MESSAGE];
  int is_refused = strcmp(first, "-") == 0;
  sw_system *a = is_refused ? NULL : open_system(library, first, n_sizes, sizes, message);
  if (!a && !is_refused) {
    finding(&f, "%s: %s", first, message);
  }
  sw_system *b = open_system(library, second, n_sizes, sizes, message);
  if (!b && !is_refused) {
    finding(&f, "%s: %s", second, message);
  } else if (b && is_refused) {
    finding(&f, "%s accepts sizes at which the model makes no sense", second);
  } else if (a && b) {
    compare(a, b, &f);
  }
  sw_system_free(&a);
  sw_system_free(&b);
  return f.failures;
}

int main(int argc, char **argv)
{
  if (argc != 2) {
    fputs("Usage: compare LIBRARY <PAIRS\n", stderr);
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  char line[MAX_LINE];
  int failed = 0;
  int pairs = 0;
  while (fgets(line, sizeof line, stdin)) {
    failed += compare_line(library, line) != 0;
    pairs++;
    fflush(stdout);
  }
  dlclose(library);
  printf("%d pairs, %d differ\n", pairs, failed);
  return failed > 0;
}
