/* SPDX-License-Identifier: BSD-3-Clause */
#include "generating.h"

#include <stdio.h>
#include <sys/stat.h>

#include "measure.h"

enum { PATH_BYTES = 4096 };

/* Generates and compiles the C of a model.  Returns 1 on failure. */
static int measure_generator(const char *name, const char *folder, char *const generator[])
{
  char model[PATH_BYTES];
  char source[PATH_BYTES];
  char object[PATH_BYTES];
  char out[PATH_BYTES];
  char *generate[MAX_GENERATOR_OPTIONS + 8] = {generator[0], "generate", model};
  char *compile[] = {
      "cc", "-std=c99", "-O2", "-ffp-contract=off", "-Iruntime/include", "-c", source,
      "-o", object,     NULL};
  struct stat text;
  int n = 3;

  snprintf(model, sizeof model, "models/%s.sw", name);
  snprintf(out, sizeof out, "%s", folder);
  snprintf(source, sizeof source, "%s/%s.c", folder, name);
  snprintf(object, sizeof object, "%s/%s.o", folder, name);
  for (int i = 1; generator[i] != NULL && i <= MAX_GENERATOR_OPTIONS; i++) {
    generate[n++] = generator[i];
  }
  generate[n++] = "-o";
  generate[n++] = out;
  generate[n] = NULL;
  const double generating = time_program(generate);
  const double compiling = generating >= 0.0 ? time_program(compile) : -1.0;
  if (compiling < 0.0 || stat(source, &text) != 0) {
    fprintf(stderr, "%s: generating or compiling failed\n", name);
    return 1;
  }
  printf("| %s | %.3f | %ld | %.2f |\n", name, generating, (long)text.st_size, compiling);
  fflush(stdout);
  return 0;
}

int measure_generators(const char *folder, char *const generator[])
{
  static const char *const names[] = {"chain", "water_box", "net", "spin_chain"};
  int failures = 0;

  printf("| model | generate, s | bytes of C | compile, s |\n| --- | ---: | ---: | ---: |\n");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    failures += measure_generator(names[i], folder, generator);
  }
  printf("\n");
  return failures;
}
