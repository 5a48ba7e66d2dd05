/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/interrupt.h"

#include <stddef.h>

static volatile sig_atomic_t sw_caught_signal;

static const int signals[SW_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};

static void note(int number)
{
  sw_caught_signal = number;
}

void sw_interrupts_catch(sw_interrupts *kept)
{
  sw_caught_signal = 0;
  for (int i = 0; i < SW_SIGNALS; i++) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(signals[i], NULL, &kept->before[i]);
    int ignored =
        (kept->before[i].sa_flags & SA_SIGINFO) == 0 && kept->before[i].sa_handler == SIG_IGN;
    action.sa_handler = ignored || signals[i] == SIGXFSZ ? SIG_IGN : note;
    sigaction(signals[i], &action, NULL);
  }
}

void sw_interrupts_release(const sw_interrupts *kept)
{
  for (int i = 0; i < SW_SIGNALS; i++) {
    sigaction(signals[i], &kept->before[i], NULL);
  }
}

int sw_interrupted(void)
{
  return sw_caught_signal;
}
