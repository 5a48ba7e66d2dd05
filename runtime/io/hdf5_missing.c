/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hdf5_missing.c -- the functions of io/hdf5_file.h if HDF5 was not available when the runtime was
 * built: no file can be created or opened.
 */
#include "io/hdf5_file.h"

#ifndef SW_HDF5_LIBRARY

#include <stdio.h>

sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE])
{
  snprintf(message, SW_TEXT_MESSAGE,
           "HDF5 was not there when the runtime was built (Debian: libhdf5-dev); write .npy or "
           ".csv");
  return SW_ERR_OPTION;
}

sw_status sw_h5_create(const char *path, sw_h5 **file)
{
  (void)path;
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
  (void)file;
  return 0;
}

int sw_h5_close(sw_h5 **file)
{
  (void)file;
  return 1;
}

sw_status sw_h5_finish(sw_h5 **file, int good)
{
  (void)file, (void)good;
  return SW_ERR_OPTION;
}

int sw_h5_put_rows(sw_h5 *to, const char *name, const sw_h5_shape *shape, sw_h5_source *source,
                   void *context)
{
  (void)to, (void)name, (void)shape, (void)source, (void)context;
  return 0;
}

int sw_h5_put_reals(sw_h5 *to, const char *name, const sw_h5_shape *shape, const double values[])
{
  (void)to, (void)name, (void)shape, (void)values;
  return 0;
}

int sw_h5_put_integers(sw_h5 *to, const char *name, size_t count, const long values[])
{
  (void)to, (void)name, (void)count, (void)values;
  return 0;
}

int sw_h5_put_texts(sw_h5 *to, const char *name, const char *texts, size_t length, size_t count)
{
  (void)to, (void)name, (void)texts, (void)length, (void)count;
  return 0;
}

int sw_h5_get_shape(sw_h5 *file, const char *name, sw_h5_shape *shape)
{
  (void)file, (void)name, (void)shape;
  return 0;
}

int sw_h5_get_rows(sw_h5 *file, const char *name, size_t first, size_t count, double values[])
{
  (void)file, (void)name, (void)first, (void)count, (void)values;
  return 0;
}

char *sw_h5_get_texts(sw_h5 *file, const char *name, size_t *length, size_t *count)
{
  (void)file, (void)name, (void)length, (void)count;
  return NULL;
}

int sw_h5_has_numbers(sw_h5 *file, const char *name)
{
  (void)file, (void)name;
  return 0;
}

int sw_h5_get_reals(sw_h5 *file, const char *name, double values[])
{
  (void)file, (void)name, (void)values;
  return 0;
}

char *sw_h5_get_name(sw_h5 *file, size_t i)
{
  (void)file, (void)i;
  return NULL;
}

#endif
