/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/data_schema.h -- describes the data of a model, as text and as a JSON Schema (draft 2020-12)
 * of the .json files that sidewinder/data.h reads.  Both depend on the model alone.
 */
#ifndef SW_IO_DATA_SCHEMA_H
#define SW_IO_DATA_SCHEMA_H

#include <stdio.h>

#include "sidewinder/model.h"

void sw_data_schema_text(const sw_model *model, FILE *stream);
void sw_data_schema_json(const sw_model *model, FILE *stream);

#endif
