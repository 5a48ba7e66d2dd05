/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls.py has to see: first and second call each other, and third calls both. */
#ifndef CIRCLE_H
#define CIRCLE_H

int first(int n);
int second(int n);
int third(int n);

#endif
