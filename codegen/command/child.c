/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/child.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/compiler.h"

extern char **environ;

char **child_environment(arena *a, const char *setting, const char *left_out)
{
  const size_t name = strcspn(setting, "=") + 1;
  words list = {.n = 0};
  for (char **variable = environ; variable && *variable; variable++) {
    if (strncmp(*variable, setting, name) != 0 &&
        !(left_out && !strncmp(*variable, left_out, strlen(left_out)))) {
      add_word(a, &list, *variable);
    }
  }
  add_word(a, &list, setting);
  return list.at;
}

sigset_t child_interruptions(void)
{
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction present;
    if (sigaction(numbers[i], NULL, &present) == 0 && present.sa_handler != SIG_IGN) {
      sigaddset(&set, numbers[i]);
    }
  }
  return set;
}

static int redirect(posix_spawn_file_actions_t *actions, int from, int to)
{
  return from < 0 ? 0 : posix_spawn_file_actions_adddup2(actions, from, to);
}

static int start(const child *c, pid_t *id)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) {
    return error;
  }
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = redirect(&actions, c->input, STDIN_FILENO);
    error = error ? error : redirect(&actions, c->output, STDOUT_FILENO);
    if (!error && c->mask) {
      error = posix_spawnattr_setsigmask(&attributes, c->mask);
    }
    const int flags =
        (c->mask ? POSIX_SPAWN_SETSIGMASK : 0) | (c->is_group ? POSIX_SPAWN_SETPGROUP : 0);
    error = error ? error : posix_spawnattr_setflags(&attributes, (short)flags);
    char *const *variables = c->environment ? c->environment : environ;
    if (!error && c->path) {
      error = posix_spawn(id, c->path, &actions, &attributes, c->words, variables);
    } else if (!error) {
      error = posix_spawnp(id, c->words[0], &actions, &attributes, c->words, variables);
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* Milliseconds of a clock that only goes forwards. */
static long now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1000 * (long)t.tv_sec + t.tv_nsec / 1000000;
}

/* Ends what its leader has left of a process group, so that nothing writes any more. */
static void end_group(pid_t id)
{
  const struct timespec moment = {.tv_nsec = 1000000};
  for (int i = 0; i < 100 && kill(-id, SIGKILL) == 0; i++) {
    nanosleep(&moment, NULL);
  }
}

/* Waits while it hands on what comes, reports, and ends the child at its limit; 0 or an error
 * number.  *code is as for child_run if a signal or the limit has ended the child, else 0. */
static int wait_and_hand_on(const child *c, pid_t id, int *status, int *code)
{
  enum { FIRST_REPORT = 60, GRACE = 2 };
  const struct timespec moment = {.tv_nsec = 5000000};
  const pid_t target = c->is_group ? -id : id;
  const long start = now();
  long next = FIRST_REPORT;
  int caught = 0;
  int is_over = 0;
  pid_t ended = 0;
  while (ended == 0 || (ended < 0 && errno == EINTR)) {
    const int number = sigtimedwait(c->handed_on, NULL, &moment);
    const long seconds = (now() - start) / 1000;
    if (number > 0) {
      caught = number;
      kill(target, number);
    }
    if (c->limit > 0 && seconds >= c->limit) {
      kill(target, seconds >= c->limit + GRACE ? SIGKILL : is_over ? 0 : SIGTERM);
      is_over = 1;
    }
    if (c->report && seconds >= next && !is_over) {
      c->report(c, seconds);
      next *= 2;
    }
    ended = waitpid(id, status, WNOHANG);
  }
  const int error = ended < 0 ? errno : 0;
  if (c->is_group) {
    end_group(id);
  }
  const int is_good = WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
  *code = is_good || !c->is_group ? 0 : caught ? 128 + caught : is_over ? CHILD_OVER_LIMIT : 0;
  if (caught) {
    raise(caught); /* blocked, so it stays pending */
  }
  return error;
}

static int wait_for(pid_t id, int *status)
{
  while (waitpid(id, status, 0) < 0) {
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int child_run(const child *c, int *code)
{
  pid_t id = 0;
  int status = 0;
  int ended_by = 0;
  int error = start(c, &id);
  if (!error) {
    error = c->handed_on ? wait_and_hand_on(c, id, &status, &ended_by) : wait_for(id, &status);
  }
  *code = ended_by ? ended_by : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return error;
}
