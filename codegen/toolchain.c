/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "toolchain.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"

/* Set by the build: flags of this build's own (sanitizers), the folder of libraries below the prefix, and
 * what a program links after it. */
#ifndef SW_BUILD_FLAGS
#define SW_BUILD_FLAGS ""
#endif
#ifndef SW_LIBDIR
#define SW_LIBDIR "lib"
#endif
#ifndef SW_LINK_FLAGS
#error "the build must say what programs link"
#endif

#define COMPILE_FLAGS "-std=c99 -O2 -ffp-contract=off"

extern char **environ;

typedef struct words {
  char *at[64];
  int n;
} words;

static int failed(const char *what, const char *which)
{
  fprintf(stderr, "sidewinder: cannot %s '%s': %s\n", what, which, strerror(errno));
  return OUTCOME_FAILED;
}

/* Appends the blank-separated words of text. */
static void add_words(arena *a, words *list, const char *text)
{
  char *rest = arena_strdup(a, text);
  char *state = NULL;
  for (char *word = strtok_r(rest, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
    if (list->n < (int)(sizeof list->at / sizeof *list->at) - 1) {
      list->at[list->n++] = word;
    }
  }
}

static void add_word(words *list, char *word)
{
  if (list->n < (int)(sizeof list->at / sizeof *list->at) - 1) {
    list->at[list->n++] = word;
  }
}

/* PREFIX of PREFIX/bin/sidewinder. */
static char *prefix_of(arena *a)
{
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n < 0) {
    return NULL;
  }
  path[n] = '\0';
  for (int level = 0; level < 2; level++) {
    char *slash = strrchr(path, '/');
    if (!slash) {
      return NULL;
    }
    *slash = '\0';
  }
  return arena_strdup(a, path);
}

static const char *compiler(void)
{
  const char *cc = getenv("CC");
  return cc && *cc ? cc : "cc";
}

static outcome run_compiler(words *command)
{
  pid_t child = 0;
  int status = 0;
  int error = posix_spawnp(&child, command->at[0], NULL, NULL, command->at, environ);
  if (error) {
    fprintf(stderr, "sidewinder: cannot start the C compiler '%s': %s; set CC or install one\n",
            command->at[0], strerror(error));
    return OUTCOME_FAILED;
  }
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return (outcome)failed("wait for", command->at[0]);
    }
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "sidewinder: the C compiler '%s' failed on the generated code\n",
            command->at[0]);
    return OUTCOME_FAILED;
  }
  return OUTCOME_GOOD;
}

static outcome compile_in(arena *a, const compilation *c, const char *folder, const char *program)
{
  const char *name = c->model->name;
  char *source = arena_printf(a, "%s/%s.c", folder, name);
  char *header = arena_printf(a, "%s/%s.h", folder, name);
  char *start = arena_printf(a, "%s/main.c", folder);
  char *linked = arena_printf(a, "%s.%ld.part", program, (long)getpid());
  char *prefix = prefix_of(a);
  if (!prefix) {
    return (outcome)failed("find", "/proc/self/exe");
  }
  if (file_write(a, source, c->source) || file_write(a, header, c->header) ||
      file_write(a, start, c->main_source)) {
    return (outcome)failed("write below", folder);
  }
  words command = {.n = 0};
  add_words(a, &command, compiler());
  add_words(a, &command, COMPILE_FLAGS " " SW_BUILD_FLAGS);
  add_word(&command, arena_printf(a, "-I%s", folder));
  add_word(&command, arena_printf(a, "-I%s/include", prefix));
  add_word(&command, source);
  add_word(&command, start);
  add_word(&command, "-o");
  add_word(&command, linked);
  add_word(&command, arena_printf(a, "-L%s/%s", prefix, SW_LIBDIR));
  add_words(a, &command, SW_LINK_FLAGS);
  outcome result = run_compiler(&command);
  unlink(source);
  unlink(header);
  unlink(start);
  if (result == OUTCOME_GOOD && rename(linked, program) != 0) {
    result = (outcome)failed("write", program);
  }
  if (result != OUTCOME_GOOD) {
    unlink(linked);
  }
  return result;
}

outcome toolchain_build(arena *a, const compilation *c, const char *program)
{
  const char *where = getenv("TMPDIR");
  char *folder = arena_printf(a, "%s/sidewinder-XXXXXX", where && *where ? where : "/tmp");
  if (!mkdtemp(folder)) {
    return (outcome)failed("make a folder like", folder);
  }
  outcome result = compile_in(a, c, folder, program);
  rmdir(folder);
  return result;
}

static const char *cache_folder(arena *a)
{
  const char *cache = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (cache && *cache == '/') {
    return arena_printf(a, "%s/sidewinder", cache);
  }
  return home && *home ? arena_printf(a, "%s/.cache/sidewinder", home) : NULL;
}

/* The library's own bytes stand for its version: a rebuilt runtime makes new programs. */
static const char *cache_key(arena *a, const compilation *c)
{
  size_t length = 0;
  const char *library = "";
  const char *prefix = prefix_of(a);
  if (prefix) {
    const char *path = arena_printf(a, "%s/%s/libsidewinder.a", prefix, SW_LIBDIR);
    const char *bytes = file_read(a, path, (size_t)1 << 28, &length);
    library = bytes ? bytes_digest(a, bytes, length) : "";
  }
  const char *parts[] = {c->source,     c->header,      c->main_source, compiler(),
                         COMPILE_FLAGS, SW_BUILD_FLAGS, SW_LINK_FLAGS,  library};
  return text_digest(a, parts, (int)(sizeof parts / sizeof *parts));
}

outcome toolchain_cached(arena *a, const compilation *c, const char **program)
{
  const char *folder = cache_folder(a);
  if (!folder) {
    fputs("sidewinder: neither XDG_CACHE_HOME nor HOME is set, so there is no place to keep the "
          "program; "
          "use 'sidewinder build'\n",
          stderr);
    return OUTCOME_FAILED;
  }
  if (directory_make(a, folder) != 0) {
    return (outcome)failed("make the folder", folder);
  }
  *program = arena_printf(a, "%s/%s-%.32s", folder, c->model->name, cache_key(a, c));
  return access(*program, X_OK) == 0 ? OUTCOME_GOOD : toolchain_build(a, c, *program);
}
