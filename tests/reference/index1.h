/* SPDX-License-Identifier: BSD-3-Clause */
/* index1.h -- reference numbers for the model index1; made by extract.py. */
#ifndef TESTS_REFERENCE_INDEX1_H
#define TESTS_REFERENCE_INDEX1_H

#include "row.h"

/* clang-format off */

static const reference_row reference_index1_states[] = {
  {"default", "shake", "midpoint", 0.1, 1,
   {0.71379384602394880343, 0.0, 0.23419038878163507563,
    0.18270943039476445339}},
  {"default", "rattle", "midpoint", 0.1, 1,
   {0.71379384602394880343, 0.0, 0.23419038878163507563,
    0.16284523542167415483}},
  {"default", "shake", "midpoint", 0.1, 10,
   {0.67282505854399542073, 0.0, -0.38728289191821171739,
    -0.23153320457532862359}},
  {"default", "rattle", "midpoint", 0.1, 10,
   {0.67282505854399542073, 0.0, -0.38728289191821171739,
    -0.24573479413448134422}},
  {"default", "shake", "midpoint", 0.1, 100,
   {-0.19857237608365474837, 0.0, -0.71940078895999434507,
    0.11658019432543713161}},
  {"default", "rattle", "midpoint", 0.1, 100,
   {-0.19857237608365474837, 0.0, -0.71940078895999434507,
    0.14010305965074124937}},
  {"default", "shake", "midpoint", 0.1, 1000,
   {-0.60368943418690098741, 0.0, -0.51483475488783397113,
    0.28964422296597510950}},
  {"default", "rattle", "midpoint", 0.1, 1000,
   {-0.60368943418690098741, 0.0, -0.51483475488783397113,
    0.28712860535262201383}},
};

/* Twelve digits. */
static const reference_range reference_index1_energy[] = {
  {"default", "rattle", "midpoint", 0.1, 1000,
   0.0, 0.268363138987, 0.268430601869},
};

#endif
