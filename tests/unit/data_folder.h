/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data_folder.h -- a folder for the files of a test program, which runs in it, and which is removed
 * at the end.  To be given to cmocka_run_group_tests.
 */
#ifndef SIDEWINDER_TESTS_DATA_FOLDER_H
#define SIDEWINDER_TESTS_DATA_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int enter_folder(void **state)
{
  char folder[] = "test_data-XXXXXX";
  *state = mkdtemp(folder) == NULL ? NULL : strdup(folder);
  return *state == NULL ? -1 : chdir(folder);
}

static inline int leave_folder(void **state)
{
  char *folder = *state;
  DIR *files = opendir(".");
  if (files == NULL) {
    return -1;
  }
  for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
    if (entry->d_name[0] != '.') {
      remove(entry->d_name);
    }
  }
  closedir(files);
  int failed = chdir("..") != 0 || rmdir(folder) != 0;
  free(folder);
  return failed ? -1 : 0;
}

/* The files in it. */
static inline int count_files(void)
{
  int count = 0;
  DIR *files = opendir(".");
  if (files == NULL) {
    return -1;
  }
  for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
    count += entry->d_name[0] != '.';
  }
  closedir(files);
  return count;
}

#endif
