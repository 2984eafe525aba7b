/* Writes files of learned models. */
#pragma once

#include "run/arms/spec.h"

/* Writes the file FOLDER/ARM_learned.csv for every arm whose learned model
 * consists of rows of numbers. Numbers have 17 digits, so no precision is
 * lost. */
cs_status cs_learned_write(const cs_run *run, const char *folder,
                           cs_error *err);
