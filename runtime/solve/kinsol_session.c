/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/kinsol_session.h"

#include <kinsol/kinsol.h>
#include <stdlib.h>

#if SUNDIALS_VERSION_MAJOR < 7
/* KINSetErrFile(NULL) also silences messages, but slowly. */
static void keep_silent(int code, const char *module, const char *function, char *message,
                        void *user)
{
  (void)code;
  (void)module;
  (void)function;
  (void)message;
  (void)user;
}
#endif

/* SUNDIALS 6 creates a log for each context and does not check one of its allocations; if it fails,
 * the program crashes. A context consists only of its log and its profiler, and without them
 * SUNDIALS does not access it, so a zeroed block of memory replaces it. */
#if SUNDIALS_VERSION_MAJOR < 7 && !defined(SUNDIALS_BUILD_WITH_PROFILING)
static int open_context(sw_session *s)
{
  s->context = (SUNContext)(void *)s->no_context;
  return 1;
}

static void close_context(sw_session *s)
{
  s->context = NULL;
}
#else
static int open_context(sw_session *s)
{
#if SUNDIALS_VERSION_MAJOR < 7
  return SUNContext_Create(NULL, &s->context) == 0;
#else
  return SUNContext_Create(SUN_COMM_NULL, &s->context) == 0 &&
         SUNContext_ClearErrHandlers(s->context) == 0;
#endif
}

static void close_context(sw_session *s)
{
  if (s->context) {
    SUNContext_Free(&s->context);
  }
}
#endif

int sw_session_has_memory(void)
{
  enum { ample = 1 << 16 };
  void *trial = malloc(ample);

  free(trial);
  return trial != NULL;
}

int sw_session_open(sw_session *s, int n, int vectors)
{
  if (!open_context(s)) {
    return 0;
  }
  /* KINCreate prints a message if its allocation fails; it is called only if memory is
   * available. */
  s->kinsol = sw_session_has_memory() ? KINCreate(s->context) : NULL;
  s->vectors = s->kinsol ? sw_vectors_create(n, vectors, s->context) : NULL;
#if SUNDIALS_VERSION_MAJOR < 7
  return s->vectors && KINSetErrHandlerFn(s->kinsol, keep_silent, NULL) == KIN_SUCCESS;
#else
  return s->vectors != NULL;
#endif
}

void sw_session_close(sw_session *s)
{
  if (s->kinsol) {
    KINFree(&s->kinsol);
  }
  sw_vectors_free(s->vectors);
  close_context(s);
}
