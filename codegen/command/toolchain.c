/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/toolchain.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/cache.h"
#include "command/child.h"
#include "command/compiler.h"
#include "command/waiting.h"
#include "common/files.h"
#include "common/user_text.h"

/* Defined by the build system: extra flags of this build (sanitizers), the library folder below the
 * prefix, and the link flags of programs. */
#ifndef SW_BUILD_FLAGS
#define SW_BUILD_FLAGS ""
#endif
#ifndef SW_LIBDIR
#define SW_LIBDIR "lib"
#endif
#ifndef SW_LINK_FLAGS
#error "the build must say what programs link"
#endif

/* Returns the path of this program, from /proc/self/exe; NULL if it cannot be read. */
static char *own_path(char path[PATH_MAX])
{
  const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (n < 0) {
    return NULL;
  }
  path[n] = '\0';
  return path;
}

char *toolchain_help(int key, const char *text, void *input)
{
  char path[PATH_MAX];
  (void)key;
  (void)input;
  return sw_text_installed(own_path(path), 2, text);
}

/* PREFIX of PREFIX/bin/sidewinder. */
static char *prefix_of(arena *a)
{
  char path[PATH_MAX];
  if (!own_path(path)) {
    return NULL;
  }
  for (int level = 0; level < 2; level++) {
    char *slash = strrchr(path, '/');
    if (!slash) {
      return NULL;
    }
    *slash = '\0';
  }
  return arena_strdup(a, path);
}

/* The location of this installation and its library. */
typedef struct installation {
  const char *prefix;
  const char *library;   /* path of the library */
  const char *libraries; /* folder of the library */
  int is_shared;         /* 1 if it is the shared library */
} installation;

/* One run of the compiler. */
typedef struct compiling {
  const sigset_t *blocked; /* signals that this process blocks, */
  const sigset_t *mask;    /* and those that the compiler does */
  const char *folder;      /* for temporary files */
  const char *work;        /* files and kilobytes */
  long limit;              /* seconds; 0: none */
} compiling;

static void report_compiling(const child *c, long seconds)
{
  const compiling *of = c->work;
  const char *remedy = of->limit ? "" : "; --compile-limit SECONDS bounds it";
  fprintf(stderr, "sidewinder: the C compiler '%s' has been compiling %s for %ld s%s\n",
          c->words[0], of->work, seconds, remedy);
}

static outcome run_compiler(arena *a, const words *command, const compiling *of)
{
  const char *temporary = arena_printf(a, "TMPDIR=%s", of->folder);
  const child compiler = {.words = command->at,
                          .environment = child_environment(a, temporary, NULL),
                          .input = -1,
                          .output = -1,
                          .mask = of->mask,
                          .handed_on = of->blocked,
                          .is_group = 1,
                          .limit = of->limit,
                          .report = report_compiling,
                          .work = of};
  int code = 0;
  const int error = child_run(&compiler, &code);
  if (error) {
    fprintf(stderr, "sidewinder: cannot start the C compiler '%s': %s; set CC or install one\n",
            command->at[0], strerror(error));
    return OUTCOME_FAILED;
  }
  if (code == CHILD_OVER_LIMIT) {
    fprintf(stderr,
            "sidewinder: interrupted the C compiler '%s' after %ld s (--compile-limit), while it "
            "was compiling %s\n",
            command->at[0], of->limit, of->work);
    return OUTCOME_FAILED;
  }
  if (code > 128 && sigismember(of->blocked, code - 128) == 1) {
    fprintf(stderr, "sidewinder: interrupted while the C compiler '%s' was running (%s)\n",
            command->at[0], strsignal(code - 128));
    return OUTCOME_FAILED;
  }
  if (code != 0) {
    fprintf(stderr, "sidewinder: the C compiler '%s' failed on the generated code\n",
            command->at[0]);
    return OUTCOME_FAILED;
  }
  return OUTCOME_GOOD;
}

/* Vector widths of the step for several trajectories at once, and their compiler flags.  The
 * program selects a width for its processor at run time. */
static const struct {
  int lanes;
  const char *flags;
} widths[] = {
#if defined(__x86_64__)
    {4, "-mavx2"},
    {8, "-mavx512f -mavx512dq -mavx512vl"},
#endif
    {0, ""}};

/* The files of one compilation, all in one folder. */
typedef struct job {
  const char *prefix;
  const char *libraries; /* folder of the library */
  int shared;            /* 1 for a shared object */
  int links_shared;      /* 1 to link the shared library */
  workshop shop;
  char *source;
  char *header;
  char *start;
  char *step;    /* NULL if the model has no such step */
  char *lifted;  /* NULL without the lifted model */
  int has_lanes; /* 1 if the step is also compiled for several lanes */
  char *witness; /* NULL without a witness table */
  char *linked;
} job;

/* The flags contain no -I for the folder.  A quoted include finds its neighbour without it, and no
 * header of the model can hide a header of C. */
static words flags_of(arena *a, const job *j)
{
  words command = compiler_command(a);
  add_words(a, &command, SW_BUILD_FLAGS);
  if (j->shared) {
    add_word(a, &command, "-fPIC");
  }
  add_word(a, &command, arena_printf(a, "-I%s/include", j->prefix));
  return command;
}

static char *object_of(arena *a, const job *j, int lanes)
{
  return arena_printf(a, "%s/step_%d.o", j->shop.folder, lanes);
}

static words lanes_command(arena *a, const job *j, int width)
{
  words command = flags_of(a, j);
  add_words(a, &command, widths[width].flags);
  add_word(a, &command, arena_printf(a, "-DSW_LANES=%d", widths[width].lanes));
  add_word(a, &command, "-c");
  add_word(a, &command, j->step);
  add_word(a, &command, "-o");
  add_word(a, &command, object_of(a, j, widths[width].lanes));
  return command;
}

static words job_command(arena *a, const job *j)
{
  words command = flags_of(a, j);
  if (j->has_lanes) {
    add_word(a, &command, "-DSW_WITH_LANES");
    for (int i = 0; widths[i].lanes; i++) {
      add_word(a, &command, object_of(a, j, widths[i].lanes));
    }
  }
  add_word(a, &command, j->source);
  add_word(a, &command, j->start);
  if (j->lifted) {
    add_word(a, &command, j->lifted);
  }
  if (j->step) {
    add_word(a, &command, j->step);
  }
  if (j->witness) {
    add_word(a, &command, j->witness);
  }
  add_word(a, &command, "-o");
  add_word(a, &command, j->linked);
  add_word(a, &command, arena_printf(a, "-L%s", j->libraries));
  if (j->shared) {
    add_word(a, &command, "-shared");
  }
  if (j->links_shared) {
    add_word(a, &command, arena_printf(a, "-Wl,-rpath,%s", j->libraries));
  }
  add_words(a, &command, j->links_shared ? "-lsidewinder -lm" : SW_LINK_FLAGS);
  return command;
}

/* "hopf.c and hopf_step.c (25 kB)". */
static const char *work_of(arena *a, const compilation *c)
{
  const char *name = c->model->name;
  const size_t step = c->step_source ? strlen(c->step_source) : 0;
  return arena_printf(a, "%s.c%s (%zu kB)", name,
                      step ? arena_printf(a, " and %s_step.c", name) : "",
                      (strlen(c->source) + step + 999) / 1000);
}

static outcome compile_in(arena *a, const compilation *c, const job *j, const compiling *of)
{
  if (file_write(a, j->source, c->source) || file_write(a, j->header, c->header) ||
      file_write(a, j->start, c->main_source) ||
      (j->step && file_write(a, j->step, c->step_source)) ||
      (j->lifted && file_write(a, j->lifted, c->lifted_source)) ||
      (j->witness && file_write(a, j->witness, c->witness_source))) {
    file_failed("write below", j->shop.folder);
    return OUTCOME_FAILED;
  }
  outcome result = OUTCOME_GOOD;
  words command;
  waiting_for("compiling", arena_printf(a, "%s.c", c->model->name));
  for (int i = 0; j->has_lanes && widths[i].lanes && result == OUTCOME_GOOD; i++) {
    command = lanes_command(a, j, i);
    result = run_compiler(a, &command, of);
  }
  command = job_command(a, j);
  if (result == OUTCOME_GOOD) {
    result = run_compiler(a, &command, of);
  }
  waiting_over();
  if (result == OUTCOME_GOOD && access(j->linked, X_OK) != 0) {
    fprintf(stderr, "sidewinder: the C compiler '%s' made no %s\n", command.at[0],
            j->shared ? "shared object" : "program");
    result = OUTCOME_FAILED;
  }
  return result;
}

/* The destination of a program: `path`, or the cache if path is NULL. */
typedef struct destination {
  const cache *kept;
  const char *stem;
  const char *path;
} destination;

static outcome put_in_place(arena *a, const job *j, destination *to)
{
  if (!to->path) {
    to->path = cache_keep(a, to->kept, j->linked, to->stem);
    return to->path ? OUTCOME_GOOD : OUTCOME_FAILED;
  }
  return file_move(a, j->linked, to->path) == 0 || file_failed("write", to->path) ? OUTCOME_GOOD
                                                                                  : OUTCOME_FAILED;
}

/* Compiles in a temporary folder, which is then removed with everything except the program.
 * Signals of the user are blocked meanwhile: the compiler receives them, and this process handles
 * them after cleaning up. */
static outcome compile_and_clean(arena *a, const compilation *c, const installation *of,
                                 const toolchain_product *what, destination *to)
{
  const sigset_t blocked = child_interruptions();
  sigset_t mask;
  job j = {.prefix = of->prefix,
           .libraries = of->libraries,
           .shared = what->shared,
           .links_shared = of->is_shared,
           .has_lanes = what->lanes && c->step_source && widths[0].lanes};
  if (sigprocmask(SIG_BLOCK, &blocked, &mask) != 0) {
    file_failed("hold back signals for", c->model->name);
    return OUTCOME_FAILED;
  }
  outcome result = OUTCOME_FAILED;
  if (workshop_open(a, to->kept, &j.shop)) {
    j.source = arena_printf(a, "%s/%s.c", j.shop.folder, c->model->name);
    j.header = arena_printf(a, "%s/%s.h", j.shop.folder, c->model->name);
    j.start = arena_printf(a, "%s/sw_main.c", j.shop.folder); /* not a valid model name */
    j.step = c->step_source ? arena_printf(a, "%s/%s_step.c", j.shop.folder, c->model->name) : NULL;
    j.lifted =
        c->lifted_source ? arena_printf(a, "%s/%s_lifted.c", j.shop.folder, c->model->name) : NULL;
    j.witness = c->witness_source
                    ? arena_printf(a, "%s/%s.witness.c", j.shop.folder, c->model->name)
                    : NULL;
    j.linked = arena_printf(a, "%s/program", j.shop.folder);
    const compiling of_job = {&blocked, &mask, j.shop.folder, work_of(a, c), what->limit};
    result = compile_in(a, c, &j, &of_job);
    result = result == OUTCOME_GOOD ? put_in_place(a, &j, to) : result;
  }
  workshop_close(&j.shop);
  sigprocmask(SIG_SETMASK, &mask, NULL);
  return result;
}

/* Finds the headers and the library next to this program, or prints which file is missing.
 * Programs link the shared library if the static one is not installed, as in the wheel. */
static outcome find_runtime(arena *a, const toolchain_product *what, installation *of)
{
  /* a build tree has the shared library in the second folder */
  static const char *const folders[] = {SW_LIBDIR, "shared"};
  const char *header = arena_printf(a, "%s/include/sidewinder/model.h", of->prefix);
  static const char *const names[] = {"libsidewinder.a", "libsidewinder.so"};
  const char *missing = access(header, R_OK) == 0 ? NULL : header;
  for (int i = 2 * what->shared; !missing && !of->libraries && i < 4; i++) {
    const char *folder = arena_printf(a, "%s/%s", of->prefix, folders[i % 2]);
    of->library = arena_printf(a, "%s/%s", folder, names[i / 2]);
    of->libraries = access(of->library, R_OK) == 0 ? folder : NULL;
    of->is_shared = i / 2;
  }
  if (!missing && !of->libraries) {
    missing = arena_printf(a, "%s/%s/%s", of->prefix, SW_LIBDIR, names[what->shared]);
  }
  if (missing) {
    fprintf(stderr, "sidewinder: the runtime is not beside this program: %s is missing%s\n",
            missing, what->shared ? " (Debian: libsidewinder-dev)" : "");
    return OUTCOME_FAILED;
  }
  return OUTCOME_GOOD;
}

/* Prints why no program can be written at this path.  The folder must exist, and only regular files
 * may be replaced. */
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
  int good = (errno == 0 && access(folder, W_OK | X_OK) == 0) || file_failed("write", program);
  return good ? OUTCOME_GOOD : OUTCOME_FAILED;
}

/* Checks $CC before any compiler starts. */
static outcome check_compiler(arena *a)
{
  const char *refusal = compiler_refusal(a);
  if (refusal) {
    fprintf(stderr, "sidewinder: %s\n", refusal);
    return OUTCOME_WRONG;
  }
  return OUTCOME_GOOD;
}

/* Finds this program's installation. */
static outcome find_installation(arena *a, const toolchain_product *what, installation *of)
{
  *of = (installation){.prefix = prefix_of(a)};
  return of->prefix || file_failed("find", "/proc/self/exe") ? find_runtime(a, what, of)
                                                             : OUTCOME_FAILED;
}

outcome toolchain_build(arena *a, const compilation *c, const toolchain_product *what,
                        const char *path)
{
  cache kept;
  installation of;
  destination to = {.kept = &kept, .path = path};
  outcome result = check_target(a, path);
  if (result == OUTCOME_GOOD) {
    result = check_compiler(a);
  }
  if (result == OUTCOME_GOOD) {
    result = find_installation(a, what, &of);
  }
  if (result == OUTCOME_GOOD && !cache_open_any(a, &kept)) {
    return OUTCOME_FAILED;
  }
  if (result == OUTCOME_GOOD) {
    result = compile_and_clean(a, c, &of, what, &to);
    cache_close(&kept);
  }
  return result;
}

/* The digest of all inputs of a program.  The bytes of the library represent its version, so a
 * rebuilt runtime leads to new programs. */
static const char *cache_key(arena *a, const compilation *c, const toolchain_product *what,
                             const installation *of)
{
  size_t length = 0;
  const char *bytes = file_read(a, of->library, (size_t)1 << 28, &length);
  const char *library = bytes ? bytes_digest(a, bytes, length) : "";
  words command = compiler_command(a);
  const char *said = what->shared ? "shared" : "";
  for (int i = 0; i < command.n; i++) {
    said = arena_printf(a, "%s %s", said, command.at[i]);
  }
  const char *witness = c->witness_source ? c->witness_source : "";
  const char *step = c->step_source ? c->step_source : "";
  const char *lifted = c->lifted_source ? c->lifted_source : "";
  const char *parts[] = {
      c->source,     c->header,      c->main_source, witness,
      step,          lifted,         said,           library,
      of->libraries, SW_BUILD_FLAGS, SW_LINK_FLAGS,  what->lanes && c->step_source ? "lanes" : ""};
  return text_digest(a, parts, (int)(sizeof parts / sizeof *parts));
}

outcome toolchain_cached(arena *a, const compilation *c, const toolchain_product *what,
                         const char **path)
{
  installation of;
  cache kept;
  outcome result = find_installation(a, what, &of);
  if (result != OUTCOME_GOOD || !cache_open(a, &kept)) {
    return OUTCOME_FAILED;
  }
  destination to = {.kept = &kept};
  to.stem = arena_printf(a, "%.100s-%.32s", c->model->name, cache_key(a, c, what, &of));
  *path = cache_find(a, &kept, to.stem);
  if (!*path) {
    result = check_compiler(a);
    result = result == OUTCOME_GOOD ? compile_and_clean(a, c, &of, what, &to) : result;
    *path = to.path;
  }
  cache_close(&kept);
  return result;
}
