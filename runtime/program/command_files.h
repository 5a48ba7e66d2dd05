/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/command_files.h -- the files that a command reads and writes: no two of them may be one, if that would lose
 * what is in it.
 */
#ifndef SIDEWINDER_PROGRAM_COMMAND_FILES_H
#define SIDEWINDER_PROGRAM_COMMAND_FILES_H

#include "program/command.h"

typedef enum sw_file_role { SW_FILE_READ, SW_FILE_WRITTEN } sw_file_role;

typedef struct sw_file {
  const char *option; /* such as "--out"; it is not copied */
  char *path;
  sw_file_role role;
} sw_file;

typedef struct sw_files {
  sw_file *file;
  size_t count;
} sw_files;

/* Adds a file; a path that is NULL or "-" is none.  Returns 0 without memory. */
int sw_files_add(sw_files *files, const char *option, const char *path, sw_file_role role);
void sw_files_clear(sw_files *files);

/* Of files that have all been added, or not for want of memory: refuses two that are the same regular file, at least one of which
 * is written, also through links and where it is not there yet; standard output and standard error are among those that are written.
 * A checkpoint may replace the one that is resumed.  Opens nothing, and clears the files.  Returns SW_EXIT_GOOD, or complains and
 * returns another exit code. */
int sw_files_finish(const sw_invocation *call, sw_files *files, int added);

#endif
