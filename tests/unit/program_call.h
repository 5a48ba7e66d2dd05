/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_call.h -- a model program called as from a shell, with what it prints.  Include it after
 * cmocka.h.
 */
#ifndef PROGRAM_CALL_H
#define PROGRAM_CALL_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sidewinder/program.h"

enum { MOST_WORDS = 24, CAPTURE = 65536 };

static char out[CAPTURE];
static char err[CAPTURE];

static void read_all(FILE *file, char text[CAPTURE])
{
  rewind(file);
  text[fread(text, 1, CAPTURE - 1, file)] = '\0';
  fclose(file);
}

/* Calls the program with the words of `line`; what it prints is then in out and err. */
static int call(const sw_model *model, const char *line)
{
  char text[512];
  char *argv[MOST_WORDS + 1] = {NULL};
  int argc = 0;
  FILE *captured[2] = {tmpfile(), tmpfile()};
  assert_true(captured[0] != NULL && captured[1] != NULL);
  assert_true(strlen(line) < sizeof text);
  strcpy(text, line);
  for (char *word = strtok(text, " "); word != NULL && argc < MOST_WORDS; word = strtok(NULL, " "))
    argv[argc++] = word;
  fflush(stdout);
  fflush(stderr);
  int kept[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  dup2(fileno(captured[0]), STDOUT_FILENO);
  dup2(fileno(captured[1]), STDERR_FILENO);
  int code = sw_program_main(model, argc, argv);
  fflush(stdout);
  fflush(stderr);
  dup2(kept[0], STDOUT_FILENO);
  dup2(kept[1], STDERR_FILENO);
  close(kept[0]);
  close(kept[1]);
  read_all(captured[0], out);
  read_all(captured[1], err);
  return code;
}

#endif
