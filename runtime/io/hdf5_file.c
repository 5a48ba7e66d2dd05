/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/hdf5_file.h"

#include <stdio.h>

#ifdef SW_HDF5_LIBRARY

#include <dlfcn.h>
#include <errno.h>
#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/target.h"

/* Constants of hdf5.h call the library before they yield their value; without linking, those calls
 * must be removed. */
#undef H5OPEN
#undef H5CHECK
#define H5OPEN
#define H5CHECK

enum { BLOCK = 65536 /* values per transfer, unless a single row has more */ };

#define FUNCTIONS(X)                                                                               \
  X(H5open)                                                                                        \
  X(H5Eset_auto2)                                                                                  \
  X(H5Fcreate)                                                                                     \
  X(H5Fopen)                                                                                       \
  X(H5Fclose)                                                                                      \
  X(H5Screate)                                                                                     \
  X(H5Screate_simple)                                                                              \
  X(H5Sselect_hyperslab)                                                                           \
  X(H5Sget_simple_extent_ndims)                                                                    \
  X(H5Sget_simple_extent_dims)                                                                     \
  X(H5Sclose)                                                                                      \
  X(H5Pcreate)                                                                                     \
  X(H5Pset_obj_track_times)                                                                        \
  X(H5Pclose)                                                                                      \
  X(H5Tcopy)                                                                                       \
  X(H5Tset_size)                                                                                   \
  X(H5Tset_cset)                                                                                   \
  X(H5Tget_cset)                                                                                   \
  X(H5Tget_class)                                                                                  \
  X(H5Tget_size)                                                                                   \
  X(H5Tis_variable_str)                                                                            \
  X(H5Tclose)                                                                                      \
  X(H5Dcreate2)                                                                                    \
  X(H5Dopen2)                                                                                      \
  X(H5Dget_space)                                                                                  \
  X(H5Dget_type)                                                                                   \
  X(H5Dread)                                                                                       \
  X(H5Dwrite)                                                                                      \
  X(H5Dclose)                                                                                      \
  X(H5Lget_name_by_idx)

/* The functions of the library, and its types, which are variables in the library. */
typedef struct library {
#define MEMBER(name) __typeof__(&(name)) name; /* NOLINT(bugprone-macro-parentheses) */
  FUNCTIONS(MEMBER)
#undef MEMBER
  hid_t real;
  hid_t integer;
  hid_t text;
  hid_t creation;
} library;

static int take_variable(void *handle, const char *name, hid_t *value)
{
  const hid_t *variable = dlsym(handle, name);
  *value = variable == NULL ? -1 : *variable;
  return variable != NULL;
}

/* Loads the library and looks up its functions and types.  The library is never unloaded, since it
 * runs code when the process ends. */
static int hdf5_file_load(library *hdf5)
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
         take_variable(handle, "H5T_STD_I64LE_g", &hdf5->integer) &&
         take_variable(handle, "H5T_C_S1_g", &hdf5->text) &&
         take_variable(handle, "H5P_CLS_DATASET_CREATE_ID_g", &hdf5->creation);
}

sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE])
{
  library hdf5;
  message[0] = '\0';
  if (hdf5_file_load(&hdf5)) {
    return SW_OK;
  }
  snprintf(message, SW_TEXT_MESSAGE,
           "HDF5 is not there: %s cannot be loaded (Debian: libhdf5-dev); write .npy or .csv",
           SW_HDF5_LIBRARY);
  return SW_ERR_OPTION;
}

enum { MOST_SETS = 32, LONGEST_SET = 40 };

/* The digest of a data set. */
typedef struct set_digest {
  char name[LONGEST_SET];
  uint32_t crc32;
} set_digest;

struct sw_h5 {
  library hdf5;
  hid_t file;
  int is_new;    /* 1: it was created, and gets the digests of its data sets when it is closed */
  int n_digests; /* of the data sets that were written */
  set_digest digests[MOST_SETS];
};

/* Creates or opens the file, as `create` says. */
static sw_status start(const char *path, int create, sw_h5 **file)
{
  sw_h5 *made = calloc(1, sizeof *made);
  sw_status status = made == NULL                  ? SW_ERR_MEMORY
                     : hdf5_file_load(&made->hdf5) ? SW_OK
                                                   : SW_ERR_OPTION;
  *file = NULL;
  if (status == SW_OK) {
    errno = 0;
    made->file = create ? made->hdf5.H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                        : made->hdf5.H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (made->file >= 0) {
      made->is_new = create;
      *file = made;
      return SW_OK;
    }
    errno = errno != 0 ? errno : EIO;
    status = SW_ERR_IO;
  }
  free(made);
  return status;
}

sw_status sw_h5_create(const char *path, sw_h5 **file)
{
  return start(path, 1, file);
}

sw_status sw_h5_open(const char *path, sw_h5 **file)
{
  return start(path, 0, file);
}

/* Closes a handle unless it is negative, that is, was never opened. */
static void release(herr_t (*close)(hid_t handle), hid_t handle)
{
  if (handle >= 0) {
    close(handle);
  }
}

static hid_t make_space(const sw_h5 *file, const sw_h5_shape *shape)
{
  hsize_t size[3] = {0, 0, 0};
  for (int i = 0; i < shape->rank; i++) {
    size[i] = shape->size[i];
  }
  return shape->rank == 0 ? file->hdf5.H5Screate(H5S_SCALAR)
                          : file->hdf5.H5Screate_simple(shape->rank, size, NULL);
}

/* Creates a data set of this type and space.  Returns a negative handle on failure. */
static hid_t make_set(const sw_h5 *to, const char *name, hid_t type, hid_t space)
{
  const library *hdf5 = &to->hdf5;
  hid_t set = -1;
  hid_t creation = hdf5->H5Pcreate(hdf5->creation);
  if (creation >= 0 && hdf5->H5Pset_obj_track_times(creation, 0) >= 0) {
    set = hdf5->H5Dcreate2(to->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  }
  release(hdf5->H5Pclose, creation);
  return set;
}

/* Keeps the digest of a data set that was written, unless it is the one of digests. */
static int note_digest(sw_h5 *to, const char *name, uint32_t crc32)
{
  if (strcmp(name, SW_H5_DIGESTS) == 0) {
    return 1;
  }
  if (to->n_digests == MOST_SETS || strlen(name) >= LONGEST_SET) {
    return 0;
  }
  set_digest *of = &to->digests[to->n_digests++];
  snprintf(of->name, sizeof of->name, "%s", name);
  of->crc32 = crc32;
  return 1;
}

static size_t count_values(const sw_h5_shape *shape)
{
  size_t count = 1;
  for (int i = 0; i < shape->rank; i++) {
    count *= shape->size[i];
  }
  return count;
}

/* Writes a whole data set. */
static int hdf5_file_put(sw_h5 *to, const char *name, hid_t type, const sw_h5_shape *shape,
                         const void *values)
{
  const library *hdf5 = &to->hdf5;
  hid_t space = make_space(to, shape);
  hid_t set = type >= 0 && space >= 0 ? make_set(to, name, type, space) : -1;
  int good = set >= 0 && hdf5->H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  good = set >= 0 && hdf5->H5Dclose(set) >= 0 && good;
  release(hdf5->H5Sclose, space);
  if (good) {
    uint32_t crc32 = 0;
    sw_digest_memory(values, count_values(shape) * hdf5->H5Tget_size(type), &crc32);
    good = note_digest(to, name, crc32);
  }
  return good;
}

int sw_h5_put_reals(sw_h5 *to, const char *name, const sw_h5_shape *shape, const double values[])
{
  return hdf5_file_put(to, name, to->hdf5.real, shape, values);
}

int sw_h5_put_integers(sw_h5 *to, const char *name, size_t count, const long values[])
{
  const sw_h5_shape shape = {1, {count}};
  return sizeof(long) == 8 && hdf5_file_put(to, name, to->hdf5.integer, &shape, values);
}

int sw_h5_put_texts(sw_h5 *to, const char *name, const char *texts, size_t length, size_t count)
{
  const library *hdf5 = &to->hdf5;
  const sw_h5_shape shape = {count > 0, {count}};
  hid_t type = hdf5->H5Tcopy(hdf5->text);
  int good = type >= 0 && hdf5->H5Tset_size(type, length) >= 0 &&
             hdf5->H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
             hdf5_file_put(to, name, type, &shape, texts);
  release(hdf5->H5Tclose, type);
  return good;
}

static size_t row_size(const sw_h5_shape *shape)
{
  size_t size = 1;
  for (int i = 1; i < shape->rank; i++) {
    size *= shape->size[i];
  }
  return size;
}

/* Writes or reads rows of a data set. */
static int move_rows(sw_h5 *file, hid_t set, const sw_h5_shape *shape, size_t first, size_t count,
                     int writes, double values[])
{
  const library *hdf5 = &file->hdf5;
  sw_h5_shape part = *shape;
  hsize_t start[3] = {first, 0, 0};
  hsize_t size[3];
  part.size[0] = count;
  for (int i = 0; i < 3; i++) {
    size[i] = part.size[i];
  }
  hid_t space = make_space(file, shape);
  hid_t memory = make_space(file, &part);
  int good = space >= 0 && memory >= 0 &&
             hdf5->H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
  if (good) {
    good = (writes ? hdf5->H5Dwrite(set, hdf5->real, memory, space, H5P_DEFAULT, values)
                   : hdf5->H5Dread(set, hdf5->real, memory, space, H5P_DEFAULT, values)) >= 0;
  }
  release(hdf5->H5Sclose, memory);
  release(hdf5->H5Sclose, space);
  return good;
}

int sw_h5_put_rows(sw_h5 *to, const char *name, const sw_h5_shape *shape, sw_h5_source *source,
                   void *context)
{
  const size_t width = row_size(shape);
  const size_t most = width < BLOCK ? BLOCK / (width > 0 ? width : 1) : 1;
  double *values = calloc(most, (width + 1) * sizeof *values);
  hid_t space = values != NULL ? make_space(to, shape) : -1;
  hid_t set = space >= 0 ? make_set(to, name, to->hdf5.real, space) : -1;
  int good = set >= 0;
  uint32_t crc32 = 0;
  for (size_t row = 0; good && row < shape->size[0]; row += most) {
    const size_t rows = shape->size[0] - row < most ? shape->size[0] - row : most;
    good = source(context, row, rows, values) &&
           (width == 0 || move_rows(to, set, shape, row, rows, 1, values));
    sw_digest_memory(values, good ? rows * width * sizeof *values : 0, &crc32);
  }
  good = set >= 0 && to->hdf5.H5Dclose(set) >= 0 && good && note_digest(to, name, crc32);
  release(to->hdf5.H5Sclose, space);
  free(values);
  return good;
}

/* ---- closing ---- */

static int hdf5_file_by_name(const void *a, const void *b)
{
  return strcmp(((const set_digest *)a)->name, ((const set_digest *)b)->name);
}

/* Writes the digests of all data sets, in the order of their names. */
static int put_digests(sw_h5 *to)
{
  long values[MOST_SETS];
  const int n = to->n_digests;
  qsort(to->digests, (size_t)n, sizeof *to->digests, hdf5_file_by_name);
  for (int i = 0; i < n; i++) {
    values[i] = to->digests[i].crc32;
  }
  return n == 0 || sw_h5_put_integers(to, SW_H5_DIGESTS, (size_t)n, values);
}

int sw_h5_close(sw_h5 **file)
{
  sw_h5 *closed = file == NULL ? NULL : *file;
  int good = 1;
  if (closed != NULL) {
    const int error = errno;
    good = !closed->is_new || put_digests(closed);
    good = closed->hdf5.H5Fclose(closed->file) >= 0 && good;
    errno = good ? error : errno != 0 ? errno : EIO;
    free(closed);
    *file = NULL;
  }
  return good;
}

sw_status sw_h5_finish(sw_h5 **file, int good)
{
  const int error = errno;
  good = sw_h5_close(file) && good;
  errno = error != 0 ? error : errno != 0 ? errno : EIO;
  return good ? SW_OK : SW_ERR_IO;
}

/* ---- reading ---- */

static int shape_of(const sw_h5 *file, hid_t set, sw_h5_shape *shape)
{
  const library *hdf5 = &file->hdf5;
  hsize_t size[3] = {0, 0, 0};
  hid_t space = hdf5->H5Dget_space(set);
  const int rank = space >= 0 ? hdf5->H5Sget_simple_extent_ndims(space) : -1;
  const int good =
      rank >= 0 && rank <= 3 && hdf5->H5Sget_simple_extent_dims(space, size, NULL) == rank;
  release(hdf5->H5Sclose, space);
  *shape = (sw_h5_shape){rank, {size[0], size[1], size[2]}};
  return good;
}

int sw_h5_get_shape(sw_h5 *file, const char *name, sw_h5_shape *shape)
{
  hid_t set = file->hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
  const int good = set >= 0 && shape_of(file, set, shape);
  release(file->hdf5.H5Dclose, set);
  return good;
}

/* The class of the values of a data set, and their size in bytes.  Variable-length texts count as
 * H5T_NO_CLASS. */
static H5T_class_t class_of(const sw_h5 *file, hid_t set, size_t *size)
{
  const library *hdf5 = &file->hdf5;
  hid_t type = hdf5->H5Dget_type(set);
  H5T_class_t kind = H5T_NO_CLASS;
  if (type >= 0) {
    kind = hdf5->H5Tget_class(type);
    *size = hdf5->H5Tget_size(type);
    if (kind == H5T_STRING && hdf5->H5Tis_variable_str(type) != 0) {
      kind = H5T_NO_CLASS;
    }
    hdf5->H5Tclose(type);
  }
  return kind;
}

int sw_h5_get_rows(sw_h5 *file, const char *name, size_t first, size_t count, double values[])
{
  sw_h5_shape shape;
  size_t size = 0;
  hid_t set = file->hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
  const H5T_class_t kind = set >= 0 ? class_of(file, set, &size) : H5T_NO_CLASS;
  int good = (kind == H5T_FLOAT || kind == H5T_INTEGER) && shape_of(file, set, &shape) &&
             shape.rank > 0 && first + count <= shape.size[0];
  good = good && (count == 0 || row_size(&shape) == 0 ||
                  move_rows(file, set, &shape, first, count, 0, values));
  release(file->hdf5.H5Dclose, set);
  return good;
}

int sw_h5_has_numbers(sw_h5 *file, const char *name)
{
  size_t size = 0;
  hid_t set = file->hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
  const H5T_class_t kind = set >= 0 ? class_of(file, set, &size) : H5T_NO_CLASS;
  release(file->hdf5.H5Dclose, set);
  return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

int sw_h5_get_reals(sw_h5 *file, const char *name, double values[])
{
  const library *hdf5 = &file->hdf5;
  hid_t set = hdf5->H5Dopen2(file->file, name, H5P_DEFAULT);
  const int good =
      set >= 0 && hdf5->H5Dread(set, hdf5->real, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  release(hdf5->H5Dclose, set);
  return good;
}

char *sw_h5_get_name(sw_h5 *file, size_t i)
{
  enum { LONGEST = 1000 };
  char *name = calloc(1, LONGEST + 1);
  const ssize_t length =
      name == NULL ? -1
                   : file->hdf5.H5Lget_name_by_idx(file->file, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                                                   name, LONGEST, H5P_DEFAULT);
  if (length < 0) {
    free(name);
    return NULL;
  }
  return name;
}

enum { MOST_TEXT = 1 << 30 };

/* The declared encoding of the texts, ASCII or UTF-8; H5T_CSET_ERROR on failure. */
static H5T_cset_t encoding_of(const library *hdf5, hid_t set)
{
  hid_t type = hdf5->H5Dget_type(set);
  const H5T_cset_t encoding = type >= 0 ? hdf5->H5Tget_cset(type) : H5T_CSET_ERROR;
  release(hdf5->H5Tclose, type);
  return encoding;
}

/* The texts of an open data set, each with a terminating zero.  They are read in the file's
 * encoding, since HDF5 does not convert between ASCII and UTF-8. */
static char *read_texts(sw_h5 *file, hid_t set, size_t size, size_t count)
{
  const library *hdf5 = &file->hdf5;
  const H5T_cset_t encoding = encoding_of(hdf5, set);
  char *texts = size > 0 && size < MOST_TEXT && count < MOST_TEXT / (size + 1)
                    ? calloc(count + 1, size + 1)
                    : NULL;
  hid_t type = texts != NULL ? hdf5->H5Tcopy(hdf5->text) : -1;
  const int good = type >= 0 && hdf5->H5Tset_size(type, size + 1) >= 0 &&
                   encoding != H5T_CSET_ERROR && hdf5->H5Tset_cset(type, encoding) >= 0 &&
                   hdf5->H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0;
  release(hdf5->H5Tclose, type);
  if (!good) {
    free(texts);
  }
  return good ? texts : NULL;
}

char *sw_h5_get_texts(sw_h5 *file, const char *name, size_t *length, size_t *count)
{
  sw_h5_shape shape;
  size_t size = 0;
  char *texts = NULL;
  hid_t set = file->hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
  if (set >= 0 && class_of(file, set, &size) == H5T_STRING && shape_of(file, set, &shape) &&
      shape.rank < 2) {
    *count = shape.rank == 0 ? 1 : shape.size[0];
    *length = size + 1;
    texts = read_texts(file, set, size, *count);
  }
  release(file->hdf5.H5Dclose, set);
  return texts;
}

/* ---- digests ---- */

/* The digest of a data set of texts or of integers, which is read as a whole. */
static int digest_whole(sw_h5 *file, hid_t set, hid_t type, size_t bytes, uint32_t *crc32)
{
  const library *hdf5 = &file->hdf5;
  char *values = type >= 0 && bytes < MOST_TEXT ? calloc(bytes + 1, 1) : NULL;
  const int good =
      values != NULL && hdf5->H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  sw_digest_memory(values, good ? bytes : 0, crc32);
  free(values);
  return good;
}

static int digest_texts(sw_h5 *file, hid_t set, const sw_h5_shape *shape, size_t size,
                        uint32_t *crc32)
{
  const library *hdf5 = &file->hdf5;
  hid_t type = hdf5->H5Tcopy(hdf5->text);
  const int good = type >= 0 && hdf5->H5Tset_size(type, size) >= 0 &&
                   hdf5->H5Tset_cset(type, encoding_of(hdf5, set)) >= 0 &&
                   digest_whole(file, set, type, count_values(shape) * size, crc32);
  release(hdf5->H5Tclose, type);
  return good;
}

static int digest_reals(sw_h5 *file, hid_t set, const sw_h5_shape *shape, uint32_t *crc32)
{
  const size_t width = row_size(shape);
  const size_t most = width < BLOCK ? BLOCK / (width > 0 ? width : 1) : 1;
  double *values = calloc(most, (width + 1) * sizeof *values);
  int good = values != NULL;
  for (size_t row = 0; good && width > 0 && row < shape->size[0]; row += most) {
    const size_t rows = shape->size[0] - row < most ? shape->size[0] - row : most;
    good = move_rows(file, set, shape, row, rows, 0, values);
    sw_digest_memory(values, good ? rows * width * sizeof *values : 0, crc32);
  }
  free(values);
  return good;
}

/* 0 if no data set in a file can have so many values: sizes may be those of a damaged file. */
static int is_possible(const sw_h5_shape *shape)
{
  static const double most = 1e14;
  double count = 1.0;
  for (int i = 0; i < shape->rank; i++) {
    count *= (double)shape->size[i];
  }
  return count <= most;
}

/* The digest of the data set `name`. */
static int digest_set(sw_h5 *file, const char *name, uint32_t *crc32)
{
  sw_h5_shape shape;
  size_t size = 0;
  hid_t set = file->hdf5.H5Dopen2(file->file, name, H5P_DEFAULT);
  const H5T_class_t kind = set >= 0 ? class_of(file, set, &size) : H5T_NO_CLASS;
  int good = kind != H5T_NO_CLASS && shape_of(file, set, &shape) && is_possible(&shape);
  *crc32 = 0;
  if (good && kind == H5T_STRING) {
    good = digest_texts(file, set, &shape, size, crc32);
  } else if (good && kind == H5T_FLOAT && shape.rank > 0) {
    good = digest_reals(file, set, &shape, crc32);
  } else if (good) {
    good = digest_whole(file, set, kind == H5T_FLOAT ? file->hdf5.real : file->hdf5.integer,
                        count_values(&shape) * 8, crc32);
  }
  release(file->hdf5.H5Dclose, set);
  return good;
}

int sw_h5_is_whole(sw_h5 *file)
{
  sw_h5_shape shape;
  double wanted[MOST_SETS];
  uint32_t found = 0;
  size_t n = 0;
  if (!sw_h5_get_shape(file, SW_H5_DIGESTS, &shape)) {
    return 1;
  }
  int good =
      shape.rank == 1 && shape.size[0] <= MOST_SETS && sw_h5_get_reals(file, SW_H5_DIGESTS, wanted);
  char *name = NULL;
  for (size_t i = 0; good && (name = sw_h5_get_name(file, i)) != NULL; i++) {
    if (strcmp(name, SW_H5_DIGESTS) != 0) {
      good = n < shape.size[0] && digest_set(file, name, &found) && (double)found == wanted[n];
      n++;
    }
    free(name);
  }
  return good && n == shape.size[0];
}

#else

/* HDF5 was not available when the runtime was built: no file can be created or opened. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE])
{
  snprintf(message, SW_TEXT_MESSAGE,
           "HDF5 was not there when the runtime was built (Debian: libhdf5-dev); write .npy or "
           ".csv");
  return SW_ERR_OPTION;
}

sw_status sw_h5_create(const char *path, sw_h5 **file)
{
  *file = NULL;
  return SW_ERR_OPTION;
}

sw_status sw_h5_open(const char *path, sw_h5 **file)
{
  return sw_h5_create(path, file);
}

/* The functions below are never called, as there is no open file. */

int sw_h5_is_whole(sw_h5 *file)
{
  return 0;
}

int sw_h5_close(sw_h5 **file)
{
  return 1;
}

sw_status sw_h5_finish(sw_h5 **file, int good)
{
  return SW_ERR_OPTION;
}

int sw_h5_put_rows(sw_h5 *to, const char *name, const sw_h5_shape *shape, sw_h5_source *source,
                   void *context)
{
  return 0;
}

int sw_h5_put_reals(sw_h5 *to, const char *name, const sw_h5_shape *shape, const double values[])
{
  return 0;
}

int sw_h5_put_integers(sw_h5 *to, const char *name, size_t count, const long values[])
{
  return 0;
}

int sw_h5_put_texts(sw_h5 *to, const char *name, const char *texts, size_t length, size_t count)
{
  return 0;
}

int sw_h5_get_shape(sw_h5 *file, const char *name, sw_h5_shape *shape)
{
  return 0;
}

int sw_h5_get_rows(sw_h5 *file, const char *name, size_t first, size_t count, double values[])
{
  return 0;
}

char *sw_h5_get_texts(sw_h5 *file, const char *name, size_t *length, size_t *count)
{
  return NULL;
}

int sw_h5_has_numbers(sw_h5 *file, const char *name)
{
  return 0;
}

int sw_h5_get_reals(sw_h5 *file, const char *name, double values[])
{
  return 0;
}

char *sw_h5_get_name(sw_h5 *file, size_t i)
{
  return NULL;
}

#endif
