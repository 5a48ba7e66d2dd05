/* SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/team.h"

#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct member {
  sw_team *team;
  pthread_t thread;
  int worker;
} member;

struct sw_team {
  int started; /* members whose threads run */
  locale_t locale;
  pthread_mutex_t mutex;
  pthread_cond_t begin; /* there is a new task, or the end */
  pthread_cond_t done;  /* a member has no more work */
  long task;            /* how many there have been */
  int busy;             /* members at work on the present one */
  int ends;
  sw_team_job *job;
  void *context;
  long pieces;
  atomic_long next;
  member *members;
};

static void work(sw_team *team, int worker)
{
  for (long piece = atomic_fetch_add(&team->next, 1); piece < team->pieces;
       piece = atomic_fetch_add(&team->next, 1)) {
    team->job(team->context, piece, worker);
  }
}

static void *serve(void *argument)
{
  member *self = argument;
  sw_team *team = self->team;
  uselocale(team->locale);
  pthread_mutex_lock(&team->mutex);
  for (long seen = 0;;) {
    while (team->task == seen && !team->ends) {
      pthread_cond_wait(&team->begin, &team->mutex);
    }
    if (team->ends) {
      break;
    }
    seen = team->task;
    pthread_mutex_unlock(&team->mutex);
    work(team, self->worker);
    pthread_mutex_lock(&team->mutex);
    if (--team->busy == 0) {
      pthread_cond_signal(&team->done);
    }
  }
  pthread_mutex_unlock(&team->mutex);
  return NULL;
}

/* Starts the members, of which there are `count`; returns how many run. */
static int start(sw_team *team, int count)
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
  made->locale = uselocale((locale_t)0);
  pthread_mutex_init(&made->mutex, NULL);
  pthread_cond_init(&made->begin, NULL);
  pthread_cond_init(&made->done, NULL);
  made->members = calloc((size_t)threads, sizeof *made->members);
  made->started = made->members != NULL ? start(made, threads - 1) : 0;
  if (made->members == NULL || made->started < threads - 1) {
    sw_team_free(team);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

void sw_team_free(sw_team **team)
{
  sw_team *freed = *team;
  *team = NULL;
  if (freed == NULL) {
    return;
  }
  pthread_mutex_lock(&freed->mutex);
  freed->ends = 1;
  pthread_cond_broadcast(&freed->begin);
  pthread_mutex_unlock(&freed->mutex);
  for (int i = 0; i < freed->started; i++) {
    pthread_join(freed->members[i].thread, NULL);
  }
  pthread_cond_destroy(&freed->done);
  pthread_cond_destroy(&freed->begin);
  pthread_mutex_destroy(&freed->mutex);
  free(freed->members);
  free(freed);
}

void sw_team_run(sw_team *team, sw_team_job *job, void *context, long pieces)
{
  pthread_mutex_lock(&team->mutex);
  team->job = job;
  team->context = context;
  team->pieces = pieces;
  atomic_store(&team->next, 0);
  team->busy = team->started;
  team->task++;
  pthread_cond_broadcast(&team->begin);
  pthread_mutex_unlock(&team->mutex);
  work(team, 0);
  pthread_mutex_lock(&team->mutex);
  while (team->busy > 0) {
    pthread_cond_wait(&team->done, &team->mutex);
  }
  pthread_mutex_unlock(&team->mutex);
}
