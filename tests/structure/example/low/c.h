/* SPDX-License-Identifier: BSD-3-Clause */
#include "high/d.h"
