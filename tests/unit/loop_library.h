/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loop_library.h -- a model's looped C, compiled and loaded: for tests of the emission.
 */
#ifndef SIDEWINDER_TESTS_LOOP_LIBRARY_H
#define SIDEWINDER_TESTS_LOOP_LIBRARY_H

#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emit/model_source.h"
#include "sidewinder/model.h"
#include "symbolic/symbolic.h"

typedef struct loop_library {
  char folder[64];
  void *handle;
  const sw_model *model;
  char *source;
} loop_library;

static inline void loop_write(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

/* Compiles as strictly as generated code has to bear. */
static inline int loop_compile(const char *compiler, const char *source, const char *library)
{
  char *argv[] = {(char *)(size_t)compiler,
                  "-std=c99",
                  "-pedantic",
                  "-Wall",
                  "-Wextra",
                  "-Wconversion",
                  "-Wshadow",
                  "-Werror",
                  "-O1",
                  "-fPIC",
                  "-shared",
                  "-Iruntime/include",
                  "-o",
                  (char *)(size_t)library,
                  (char *)(size_t)source,
                  "-lm",
                  NULL};
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, compiler, NULL, NULL, argv, environ) != 0) {
    return -1;
  }
  return waitpid(child, &status, 0) == child ? status : -1;
}

static inline const char *loop_emit(arena *a, const char *text)
{
  diagnostics *d = diagnostics_create(a, "test.sw", text, strlen(text));
  const model *m = model_check(a, d, "test.sw", text, strlen(text), 0, NULL);
  ir_context *c = ir_context_create(a);
  const ir_loops *loops = m ? symbolic_loop(a, d, m, c) : NULL;
  if (!loops) {
    diagnostics_print(d, stderr);
  }
  assert_non_null(loops);
  emit_input in = {.model = m, .loops = loops, .summary = "nothing\n", .digest = "0"};
  const char *source = emit_source(a, c, &in);
  ir_context_free(c);
  return source;
}

/* The looped C of the model `name`, through gcc and clang. */
static inline loop_library loop_library_open(const char *text, const char *name)
{
  loop_library l = {.folder = "test_emit_loops-XXXXXX"};
  char path[4][128];
  arena *a = arena_create();
  assert_non_null(mkdtemp(l.folder));
  snprintf(path[0], sizeof path[0], "%s/%s.c", l.folder, name);
  snprintf(path[1], sizeof path[1], "%s/%s.h", l.folder, name);
  snprintf(path[2], sizeof path[2], "%s/gcc.so", l.folder);
  snprintf(path[3], sizeof path[3], "%s/clang.so", l.folder);
  l.source = strdup(loop_emit(a, text));
  arena_free(a);
  loop_write(path[0], l.source);
  char header[256];
  char symbol[96];
  snprintf(symbol, sizeof symbol, "sw_model_%s", name);
  snprintf(header, sizeof header, "#include \"sidewinder/model.h\"\nextern const sw_model %s;\n",
           symbol);
  loop_write(path[1], header);
  assert_int_equal(loop_compile("clang", path[0], path[3]), 0);
  assert_int_equal(loop_compile("gcc", path[0], path[2]), 0);
  l.handle = dlopen(path[2], RTLD_NOW);
  assert_non_null(l.handle);
  l.model = dlsym(l.handle, symbol);
  assert_non_null(l.model);
  for (int i = 0; i < 4; i++) {
    unlink(path[i]);
  }
  rmdir(l.folder);
  return l;
}

static inline void loop_library_close(loop_library *l)
{
  dlclose(l->handle);
  free(l->source);
}

#endif
