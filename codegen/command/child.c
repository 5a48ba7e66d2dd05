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
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

static int redirect(posix_spawn_file_actions_t *actions, int from, int to)
{
  return from < 0 ? 0 : posix_spawn_file_actions_adddup2(actions, from, to);
}

static int set_mask(posix_spawnattr_t *attributes, const sigset_t *mask)
{
  const int error = mask ? posix_spawnattr_setsigmask(attributes, mask) : 0;
  return error || !mask ? error : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
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
    error = error ? error : set_mask(&attributes, c->mask);
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

/* Waits for the child and forwards signals to it meanwhile.  Returns 0 or an error number. */
static int wait_and_hand_on(pid_t id, const sigset_t *signals, int *status)
{
  const struct timespec moment = {.tv_nsec = 10000000};
  int caught = 0;
  pid_t ended = 0;
  while (ended == 0 || (ended < 0 && errno == EINTR)) {
    const int number = sigtimedwait(signals, NULL, &moment);
    if (number > 0) {
      caught = number;
      kill(id, number);
    }
    ended = waitpid(id, status, WNOHANG);
  }
  const int error = ended < 0 ? errno : 0;
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
  int error = start(c, &id);
  if (!error) {
    error = c->handed_on ? wait_and_hand_on(id, c->handed_on, &status) : wait_for(id, &status);
  }
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return error;
}
