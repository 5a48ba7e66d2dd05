/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/team.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/processor.h"

typedef struct member {
  sw_team *team;
  pthread_t thread;
  int worker;
} member;

struct sw_team {
  int started;   /* number of members whose threads are running */
  pid_t process; /* the process of these threads */
  locale_t locale;
  pthread_mutex_t mutex;
  pthread_cond_t begin; /* signals a new task, or the end */
  pthread_cond_t done;  /* signals that a member has finished its work */
  atomic_long task;     /* number of tasks so far */
  atomic_int ends;
  int is_open;     /* 1 while members may start to work on the current task */
  atomic_int busy; /* number of members that work on it */
  sw_team_job *job;
  void *context;
  long pieces;
  atomic_long next;
  member *members;
};

/* Number of polls before a thread sleeps: some microseconds. */
enum { PATIENCE = 1000 };

static void work(sw_team *team, int worker)
{
  for (long piece = atomic_fetch_add(&team->next, 1); piece < team->pieces;
       piece = atomic_fetch_add(&team->next, 1)) {
    team->job(team->context, piece, worker);
  }
}

/* Waits for a task other than number *seen and joins it.  Returns 0 at the end. */
static int begin_task(sw_team *team, long *seen)
{
  for (int i = 0; i < PATIENCE && atomic_load(&team->task) == *seen && !atomic_load(&team->ends);
       i++) {
    sw_pause();
  }
  pthread_mutex_lock(&team->mutex);
  while ((atomic_load(&team->task) == *seen || !team->is_open) && !atomic_load(&team->ends)) {
    *seen = atomic_load(&team->task); /* this task is already over */
    pthread_cond_wait(&team->begin, &team->mutex);
  }
  *seen = atomic_load(&team->task);
  const int goes_on = !atomic_load(&team->ends);
  atomic_fetch_add(&team->busy, goes_on);
  pthread_mutex_unlock(&team->mutex);
  return goes_on;
}

static void *serve(void *argument)
{
  member *self = argument;
  sw_team *team = self->team;
  uselocale(team->locale);
  for (long seen = 0; begin_task(team, &seen);) {
    work(team, self->worker);
    if (atomic_fetch_sub(&team->busy, 1) == 1) {
      pthread_mutex_lock(&team->mutex);
      pthread_cond_signal(&team->done);
      pthread_mutex_unlock(&team->mutex);
    }
  }
  return NULL;
}

/* Starts `count` members.  Returns the number of running ones. */
static int team_start(sw_team *team, int count)
{
  sigset_t all;
  sigset_t before;
  int started = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; started < count; started++) {
    member *m = &team->members[started];
    *m = (member){.team = team, .worker = started + 1};
    if (pthread_create(&m->thread, NULL, serve, m) != 0) {
      break;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

sw_status sw_team_create(int threads, sw_team **team)
{
  sw_team *made = calloc(1, sizeof *made);
  *team = made;
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->process = getpid();
  made->locale = uselocale((locale_t)0);
  pthread_mutex_init(&made->mutex, NULL);
  pthread_cond_init(&made->begin, NULL);
  pthread_cond_init(&made->done, NULL);
  made->members = calloc((size_t)threads, sizeof *made->members);
  made->started = made->members != NULL ? team_start(made, threads - 1) : 0;
  if (made->members == NULL || made->started < threads - 1) {
    sw_team_free(team);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

/* A forked child has a copy of the team without its threads.  Copied mutexes and conditions could
 * stay locked for ever. */
static int has_threads(const sw_team *team)
{
  return team->process == getpid();
}

/* Ends the threads. */
static void stop(sw_team *team)
{
  pthread_mutex_lock(&team->mutex);
  atomic_store(&team->ends, 1);
  pthread_cond_broadcast(&team->begin);
  pthread_mutex_unlock(&team->mutex);
  for (int i = 0; i < team->started; i++) {
    pthread_join(team->members[i].thread, NULL);
  }
  pthread_cond_destroy(&team->done);
  pthread_cond_destroy(&team->begin);
  pthread_mutex_destroy(&team->mutex);
}

void sw_team_free(sw_team **team)
{
  sw_team *freed = *team;
  *team = NULL;
  if (freed != NULL) {
    if (has_threads(freed)) {
      stop(freed);
    }
    free(freed->members);
    free(freed);
  }
}

void sw_team_run(sw_team *team, sw_team_job *job, void *context, long pieces)
{
  if (!has_threads(team)) {
    for (long piece = 0; piece < pieces; piece++) {
      job(context, piece, 0);
    }
    return;
  }
  pthread_mutex_lock(&team->mutex);
  team->job = job;
  team->context = context;
  team->pieces = pieces;
  atomic_store(&team->next, 0);
  team->is_open = 1;
  atomic_fetch_add(&team->task, 1);
  pthread_cond_broadcast(&team->begin);
  pthread_mutex_unlock(&team->mutex);
  work(team, 0);
  pthread_mutex_lock(&team->mutex);
  team->is_open = 0;
  pthread_mutex_unlock(&team->mutex);
  for (int i = 0; i < PATIENCE && atomic_load(&team->busy) > 0; i++) {
    sw_pause();
  }
  if (atomic_load(&team->busy) > 0) {
    pthread_mutex_lock(&team->mutex);
    while (atomic_load(&team->busy) > 0) {
      pthread_cond_wait(&team->done, &team->mutex);
    }
    pthread_mutex_unlock(&team->mutex);
  }
}

/* ---- ranges of a loop ---- */

typedef struct range {
  sw_range_job *job;
  void *context;
  size_t n;
  size_t length;
} range;

static void do_range(void *context, long piece, int worker)
{
  const range *r = context;
  const size_t first = (size_t)piece * r->length;
  const size_t end = r->n - first < r->length ? r->n : first + r->length;

  (void)worker;
  r->job(r->context, first, end);
}

size_t sw_team_range(size_t n)
{
  const size_t grains = n / ((size_t)SW_TEAM_RANGES * SW_TEAM_GRAIN) + 1;

  return grains * SW_TEAM_GRAIN;
}

long sw_team_pieces(const sw_team *team, size_t n)
{
  return team == NULL || n < 2 * SW_TEAM_GRAIN ? 1 : (long)((n - 1) / sw_team_range(n) + 1);
}

void sw_team_share_out(sw_team *team, size_t n, sw_range_job *job, void *context)
{
  range r = {job, context, n, sw_team_range(n)};

  sw_team_run(team, do_range, &r, sw_team_pieces(team, n));
}
