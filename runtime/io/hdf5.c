/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/hdf5.h"

#ifdef SW_HDF5_LIBRARY

#include <dlfcn.h>
#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

/* Constants of hdf5.h call the library before they give their value, which no linked function is there for. */
#undef H5OPEN
#undef H5CHECK
#define H5OPEN
#define H5CHECK

enum { BLOCK = 65536 /* values that are handed on at once, or those of one row */ };

#define FUNCTIONS(X)                                                                               \
  X(H5open)                                                                                        \
  X(H5Eset_auto2)                                                                                  \
  X(H5Fcreate)                                                                                     \
  X(H5Fclose)                                                                                      \
  X(H5Screate)                                                                                     \
  X(H5Screate_simple)                                                                              \
  X(H5Sselect_hyperslab)                                                                           \
  X(H5Sclose)                                                                                      \
  X(H5Pcreate)                                                                                     \
  X(H5Pset_obj_track_times)                                                                        \
  X(H5Pclose)                                                                                      \
  X(H5Tcopy)                                                                                       \
  X(H5Tset_size)                                                                                   \
  X(H5Tset_cset)                                                                                   \
  X(H5Tclose)                                                                                      \
  X(H5Dcreate2)                                                                                    \
  X(H5Dwrite)                                                                                      \
  X(H5Dclose)

/* The functions of the library, and its types, which are variables there. */
typedef struct library {
#define MEMBER(name) __typeof__(&(name)) name; /* NOLINT(bugprone-macro-parentheses) */
  FUNCTIONS(MEMBER)
#undef MEMBER
  hid_t real;
  hid_t text;
  hid_t creation;
} library;

static int take_variable(void *handle, const char *name, hid_t *value)
{
  const hid_t *variable = dlsym(handle, name);
  *value = variable == NULL ? -1 : *variable;
  return variable != NULL;
}

/* Fills in the library.  It stays loaded, as it has work to do when the process ends. */
static int load(library *hdf5)
{
  void *handle = dlopen(SW_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  int found = handle != NULL;
#define LOOK_UP(name)                                                                              \
  if (found) {                                                                                     \
    *(void **)(void *)&hdf5->name = dlsym(handle, #name);                                          \
    found = hdf5->name != NULL;                                                                    \
  }
  FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  return found && hdf5->H5open() >= 0 && hdf5->H5Eset_auto2(H5E_DEFAULT, NULL, NULL) >= 0 &&
         take_variable(handle, "H5T_IEEE_F64LE_g", &hdf5->real) &&
         take_variable(handle, "H5T_C_S1_g", &hdf5->text) &&
         take_variable(handle, "H5P_CLS_DATASET_CREATE_ID_g", &hdf5->creation);
}

sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE])
{
  library hdf5;
  message[0] = '\0';
  if (load(&hdf5)) {
    return SW_OK;
  }
  snprintf(message, SW_TEXT_MESSAGE,
           "HDF5 is not there: %s cannot be loaded (Debian: libhdf5-dev); write .npy or .csv",
           SW_HDF5_LIBRARY);
  return SW_ERR_OPTION;
}

/* A file that is being written.  Calls return 0 after a failure. */
typedef struct writer {
  library hdf5;
  hid_t file;
} writer;

/* A new data set of that type and space; negative where it cannot be made. */
static hid_t make_set(const writer *to, const char *name, hid_t type, hid_t space)
{
  const library *hdf5 = &to->hdf5;
  hid_t set = -1;
  hid_t creation = hdf5->H5Pcreate(hdf5->creation);
  if (creation >= 0 && hdf5->H5Pset_obj_track_times(creation, 0) >= 0) {
    set = hdf5->H5Dcreate2(to->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  }
  if (creation >= 0) {
    hdf5->H5Pclose(creation);
  }
  return set;
}

/* Writes `count` texts of `length` bytes each, or, for count = 0, a single one that is no array. */
static int put_texts(const writer *to, const char *name, const char *texts, size_t length,
                     size_t count)
{
  const library *hdf5 = &to->hdf5;
  const hsize_t size = count;
  hid_t type = hdf5->H5Tcopy(hdf5->text);
  hid_t space = count == 0 ? hdf5->H5Screate(H5S_SCALAR) : hdf5->H5Screate_simple(1, &size, NULL);
  int good = type >= 0 && space >= 0 && hdf5->H5Tset_size(type, length) >= 0 &&
             hdf5->H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
  hid_t set = good ? make_set(to, name, type, space) : -1;
  good = set >= 0 && hdf5->H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0;
  good = set >= 0 && hdf5->H5Dclose(set) >= 0 && good;
  if (space >= 0) {
    hdf5->H5Sclose(space);
  }
  if (type >= 0) {
    hdf5->H5Tclose(type);
  }
  return good;
}

static int put_names(const writer *to, const sw_columns *columns)
{
  char name[SW_NAME_BYTES];
  size_t count = sw_columns_count(columns);
  size_t longest = 1;
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(sw_columns_name(columns, i, name)) + 1;
    longest = length > longest ? length : longest;
  }
  char *texts = calloc(count + 1, longest);
  for (size_t i = 0; texts != NULL && i < count; i++) {
    snprintf(texts + i * longest, longest, "%s", sw_columns_name(columns, i, name));
  }
  int good = texts != NULL && put_texts(to, "columns", texts, longest, count);
  free(texts);
  return good;
}

/* Hands the rows on from the stream to the data set, some at a time. */
static int put_rows(const writer *to, const sw_hdf5_content *content, hid_t set, hid_t space)
{
  const library *hdf5 = &to->hdf5;
  const size_t columns = sw_columns_count(content->columns);
  const size_t most = columns < BLOCK ? BLOCK / columns : 1;
  double *values = calloc(most * columns, sizeof *values);
  int good = values != NULL;
  for (size_t row = 0; good && row < content->rows; row += most) {
    const size_t rows = content->rows - row < most ? content->rows - row : most;
    const hsize_t start[2] = {row, 0};
    const hsize_t size[2] = {rows, columns};
    hid_t memory = hdf5->H5Screate_simple(2, size, NULL);
    good = memory >= 0 &&
           fread(values, sizeof *values, rows * columns, content->values) == rows * columns &&
           hdf5->H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
           hdf5->H5Dwrite(set, hdf5->real, memory, space, H5P_DEFAULT, values) >= 0;
    if (memory >= 0) {
      hdf5->H5Sclose(memory);
    }
  }
  free(values);
  return good;
}

static int put_trajectory(const writer *to, const sw_hdf5_content *content)
{
  const library *hdf5 = &to->hdf5;
  const hsize_t size[2] = {content->rows, sw_columns_count(content->columns)};
  hid_t space = hdf5->H5Screate_simple(2, size, NULL);
  hid_t set = space >= 0 ? make_set(to, "trajectory", hdf5->real, space) : -1;
  int good = set >= 0 && put_rows(to, content, set, space);
  good = set >= 0 && hdf5->H5Dclose(set) >= 0 && good;
  if (space >= 0) {
    hdf5->H5Sclose(space);
  }
  return good;
}

sw_status sw_hdf5_write(const char *path, const sw_hdf5_content *content)
{
  writer to = {.file = -1};
  if (!load(&to.hdf5)) {
    return SW_ERR_OPTION;
  }
  errno = 0;
  to.file = to.hdf5.H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  int good = to.file >= 0 && put_trajectory(&to, content) && put_names(&to, content->columns) &&
             put_texts(&to, "metadata", content->metadata, strlen(content->metadata) + 1, 0);
  int error = errno;
  good = to.file >= 0 && to.hdf5.H5Fclose(to.file) >= 0 && good;
  errno = error != 0 ? error : EIO;
  return good ? SW_OK : SW_ERR_IO;
}

#else

sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE])
{
  snprintf(message, SW_TEXT_MESSAGE,
           "HDF5 was not there when the runtime was built (Debian: libhdf5-dev); write .npy or "
           ".csv");
  return SW_ERR_OPTION;
}

sw_status sw_hdf5_write(const char *path, const sw_hdf5_content *content)
{
  (void)path;
  (void)content;
  return SW_ERR_OPTION;
}

#endif
