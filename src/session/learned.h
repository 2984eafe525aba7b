/* What arms have learned, as files. */
#pragma once

#include "run/run.h"

/* Writes FOLDER/ARM_learned.csv for every arm that learns a model which is made of
 * rows of numbers: 17 digits each, all that they are. */
cs_status cs_learned_write(const cs_run *run, const char *folder,
                           cs_error *err);
