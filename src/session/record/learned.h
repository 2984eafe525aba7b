/* Writes files of learned models. */
#pragma once

#include "run/arms/spec.h"

/* Writes FOLDER/ARM_learned.csv for every arm whose learned model consists of
 * rows of numbers. 17 digits per number make this lossless. */
cs_status cs_learned_write(const cs_run *run, const char *folder,
                           cs_error *err);
