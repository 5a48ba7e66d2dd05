/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/trajectory_format.h -- the formats of a trajectory, by the end of the file's name.
 */
#ifndef SW_IO_TRAJECTORY_FORMAT_H
#define SW_IO_TRAJECTORY_FORMAT_H

typedef enum sw_trajectory_format {
  SW_FORMAT_CSV,
  SW_FORMAT_NPY,
  SW_FORMAT_HDF5,
  SW_FORMAT_XYZ,
  SW_FORMAT_TRR
} sw_trajectory_format;

sw_trajectory_format sw_trajectory_format_of(const char *path);

/* Bytes at the beginning of the file that its digest leaves out: the header of .npy, which counts
 * the rows; also of HDF5, whose rows are collected in an .npy file. */
long sw_trajectory_undigested(sw_trajectory_format format);

#endif
