/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "toolchain.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
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

/* The signals by which a user ends the compilation. */
static void interruptions(sigset_t *set)
{
  sigemptyset(set);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

/* Starts the command with a signal mask of its own; 0 or an error number. */
static int start(pid_t *child, char *const command[], const sigset_t *mask)
{
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init(&attributes);
  if (error) {
    return error;
  }
  error = posix_spawnattr_setsigmask(&attributes, mask);
  if (!error) {
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  if (!error) {
    error = posix_spawnp(child, command[0], NULL, &attributes, command, environ);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}

static outcome run_compiler(words *command, const sigset_t *mask)
{
  pid_t child = 0;
  int status = 0;
  int error = start(&child, command->at, mask);
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

/* What one compilation reads and writes. */
typedef struct job {
  const char *prefix;
  const char *program;
  char *folder; /* temporary */
  char *source;
  char *header;
  char *start;
  char *witness; /* NULL where there is none */
  char *linked;  /* beside the program, which it becomes when it is whole */
} job;

/* No -I names the folder: a quoted include finds its neighbour without one, and a header of the model
 * can hide none of C's. */
static words compiler_command(arena *a, const job *j)
{
  words command = {.n = 0};
  add_words(a, &command, compiler());
  add_words(a, &command, COMPILE_FLAGS " " SW_BUILD_FLAGS);
  add_word(&command, arena_printf(a, "-I%s/include", j->prefix));
  add_word(&command, j->source);
  add_word(&command, j->start);
  if (j->witness) {
    add_word(&command, j->witness);
  }
  add_word(&command, "-o");
  add_word(&command, j->linked);
  add_word(&command, arena_printf(a, "-L%s/%s", j->prefix, SW_LIBDIR));
  add_words(a, &command, SW_LINK_FLAGS);
  return command;
}

static outcome compile_in(arena *a, const compilation *c, const job *j, const sigset_t *mask)
{
  if (file_write(a, j->source, c->source) || file_write(a, j->header, c->header) ||
      file_write(a, j->start, c->main_source) ||
      (j->witness && file_write(a, j->witness, c->witness_source))) {
    return (outcome)failed("write below", j->folder);
  }
  words command = compiler_command(a, j);
  outcome result = run_compiler(&command, mask);
  if (result == OUTCOME_GOOD && access(j->linked, X_OK) != 0) {
    fprintf(stderr, "sidewinder: the C compiler '%s' made no program\n", command.at[0]);
    result = OUTCOME_FAILED;
  }
  if (result == OUTCOME_GOOD && rename(j->linked, j->program) != 0) {
    result = (outcome)failed("write", j->program);
  }
  return result;
}

/* Compiles in a temporary folder and removes all that was written but the program.  Meanwhile a user's
 * interruption waits: it reaches the compiler, and this process once nothing is left behind. */
static outcome compile_and_clean(arena *a, const compilation *c, job *j)
{
  sigset_t blocked;
  sigset_t mask;
  interruptions(&blocked);
  if (sigprocmask(SIG_BLOCK, &blocked, &mask) != 0) {
    return (outcome)failed("hold back signals for", j->program);
  }
  outcome result = OUTCOME_FAILED;
  if (!mkdtemp(j->folder)) {
    failed("make a folder like", j->folder);
  } else {
    j->source = arena_printf(a, "%s/%s.c", j->folder, c->model->name);
    j->header = arena_printf(a, "%s/%s.h", j->folder, c->model->name);
    j->start = arena_printf(a, "%s/sw_main.c", j->folder); /* no model is called so */
    j->witness =
        c->witness_source ? arena_printf(a, "%s/%s.witness.c", j->folder, c->model->name) : NULL;
    result = compile_in(a, c, j, &mask);
    unlink(j->source);
    unlink(j->header);
    unlink(j->start);
    if (j->witness) {
      unlink(j->witness);
    }
    unlink(j->linked);
    rmdir(j->folder);
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return result;
}

/* The runtime stands beside this program, or what is missing is said. */
static outcome check_runtime(arena *a, const char *prefix)
{
  const char *needed[] = {"include/sidewinder/model.h", SW_LIBDIR "/libsidewinder.a"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    const char *path = arena_printf(a, "%s/%s", prefix, needed[i]);
    if (access(path, R_OK) != 0) {
      fprintf(stderr, "sidewinder: the runtime is not beside this program: %s is missing\n", path);
      return OUTCOME_FAILED;
    }
  }
  return OUTCOME_GOOD;
}

/* Says why no program can be written at this path; its folder must exist, and it may replace regular
 * files only. */
static outcome check_target(arena *a, const char *program)
{
  struct stat about;
  const char *slash = strrchr(program, '/');
  const char *folder = slash ? arena_strndup(a, program, (size_t)(slash - program) + 1) : ".";
  errno = 0;
  if (stat(program, &about) == 0) {
    errno = S_ISREG(about.st_mode) ? 0 : S_ISDIR(about.st_mode) ? EISDIR : EEXIST;
  } else if (errno == ENOENT && *program && !(slash && slash[1] == '\0')) {
    errno = 0;
  }
  if (errno || access(folder, W_OK | X_OK) != 0) {
    return (outcome)failed("write", program);
  }
  return OUTCOME_GOOD;
}

outcome toolchain_build(arena *a, const compilation *c, const char *program)
{
  const char *where = getenv("TMPDIR");
  job j = {.prefix = prefix_of(a),
           .program = program,
           .folder = arena_printf(a, "%s/sidewinder-XXXXXX", where && *where ? where : "/tmp"),
           .linked = arena_printf(a, "%s.%ld.part", program, (long)getpid())};
  if (!j.prefix) {
    return (outcome)failed("find", "/proc/self/exe");
  }
  outcome result = check_target(a, program);
  if (result == OUTCOME_GOOD) {
    result = check_runtime(a, j.prefix);
  }
  return result == OUTCOME_GOOD ? compile_and_clean(a, c, &j) : result;
}

/* The user's cache, or NULL where the environment names none. */
static const char *home_cache(arena *a)
{
  const char *cache = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  if (cache && *cache == '/') {
    return arena_printf(a, "%s/sidewinder", cache);
  }
  return home && *home ? arena_printf(a, "%s/.cache/sidewinder", home) : NULL;
}

/* A cache among the temporary files, which everyone may write to: programs are started from it, so it
 * must be a folder that is this user's and that nobody else can open.  NULL after a message. */
static const char *temporary_cache(arena *a)
{
  const char *where = getenv("TMPDIR");
  const char *folder =
      arena_printf(a, "%s/sidewinder-cache-%ld", where && *where ? where : "/tmp", (long)geteuid());
  struct stat about;
  if ((mkdir(folder, 0700) != 0 && errno != EEXIST) || lstat(folder, &about) != 0) {
    failed("make the folder", folder);
    return NULL;
  }
  if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid() || (about.st_mode & 077) != 0) {
    fprintf(stderr, "sidewinder: '%s' is not a folder of this user alone; set XDG_CACHE_HOME\n",
            folder);
    return NULL;
  }
  return folder;
}

static const char *cache_folder(arena *a)
{
  const char *folder = home_cache(a);
  if (!folder) {
    return temporary_cache(a);
  }
  if (directory_make(a, folder) != 0) {
    failed("make the folder", folder);
    return NULL;
  }
  return folder;
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
  const char *parts[] = {c->source,     c->header,     c->main_source,
                         compiler(),    COMPILE_FLAGS, SW_BUILD_FLAGS,
                         SW_LINK_FLAGS, library,       c->witness_source ? c->witness_source : ""};
  return text_digest(a, parts, (int)(sizeof parts / sizeof *parts));
}

outcome toolchain_cached(arena *a, const compilation *c, const char **program)
{
  const char *folder = cache_folder(a);
  if (!folder) {
    return OUTCOME_FAILED;
  }
  *program = arena_printf(a, "%s/%s-%.32s", folder, c->model->name, cache_key(a, c));
  return access(*program, X_OK) == 0 ? OUTCOME_GOOD : toolchain_build(a, c, *program);
}
