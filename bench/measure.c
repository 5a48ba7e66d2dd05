/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.c -- clocks, memory, processes (POSIX).
 */
#include "measure.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double seconds(void)
{
  struct timespec now;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double peak_memory(void)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

/* Waits for a child and sets *used to its resource usage.  Returns 1 if it exited with 0. */
static int ended_well(pid_t child, struct rusage *used)
{
  int status = 0;

  while (wait4(child, &status, 0, used) < 0) {
    if (errno != EINTR) {
      return 0;
    }
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int write_all(int file, const char *bytes, size_t size)
{
  while (size > 0) {
    const ssize_t n = write(file, bytes, size);
    if (n < 0 && errno != EINTR) {
      return 1;
    }
    if (n > 0) {
      bytes += n;
      size -= (size_t)n;
    }
  }
  return 0;
}

static int read_all(int file, char *bytes, size_t size)
{
  while (size > 0) {
    const ssize_t n = read(file, bytes, size);
    if (n == 0 || (n < 0 && errno != EINTR)) {
      return 1;
    }
    if (n > 0) {
      bytes += n;
      size -= (size_t)n;
    }
  }
  return 0;
}

int in_own_process(void (*task)(const void *argument, void *result), const void *argument,
                   void *result, size_t size)
{
  struct rusage used;
  int pipe_ends[2];
  int failed;

  if (pipe(pipe_ends) != 0) {
    return 1;
  }
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    task(argument, result);
    _exit(write_all(pipe_ends[1], result, size));
  }
  close(pipe_ends[1]);
  failed = child < 0 || read_all(pipe_ends[0], result, size) != 0;
  close(pipe_ends[0]);
  return (child > 0 && !ended_well(child, &used)) || failed;
}

static double seconds_of(struct timeval time)
{
  return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

double time_program(char *const argv[])
{
  struct rusage used = {0};

  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    /* Send the program's output to stderr, so that it does not become part of the table. */
    if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
      execvp(argv[0], argv);
    }
    _exit(127);
  }
  return child > 0 && ended_well(child, &used)
             ? seconds_of(used.ru_utime) + seconds_of(used.ru_stime)
             : -1.0;
}
