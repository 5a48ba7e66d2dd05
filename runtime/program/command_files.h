/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/command_files.h -- the files that a command reads and writes.  Two options must not
 * name the same file if writing it would destroy data.
 */
#ifndef SIDEWINDER_PROGRAM_COMMAND_FILES_H
#define SIDEWINDER_PROGRAM_COMMAND_FILES_H

#include "program/command.h"

typedef enum sw_file_role { SW_FILE_READ, SW_FILE_WRITTEN } sw_file_role;

typedef struct sw_file {
  const char *option; /* such as "--out"; not copied */
  char *path;
  sw_file_role role;
} sw_file;

typedef struct sw_files {
  sw_file *file;
  size_t count;
} sw_files;

/* Adds a copy of the path, unless it is NULL or "-".  Returns 0 if memory is short. */
int sw_files_add(sw_files *files, const char *option, const char *path, sw_file_role role);
void sw_files_clear(sw_files *files);

/* Checks the list for two options with the same regular file, at least one of them written.  Then
 * clears the list.
 *
 * Links are resolved, and files that do not exist yet are compared, too.  Standard output and
 * standard error count as written files.  Exception: --checkpoint may replace the file of
 * --resume.  Opens nothing.  `added`: 0 if a call of sw_files_add has failed.  Returns
 * SW_EXIT_GOOD, or complains and returns another exit code. */
int sw_files_finish(const sw_invocation *call, sw_files *files, int added);

#endif
