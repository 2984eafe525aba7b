/* Parses parameter values that a user has typed. */
#pragma once

#include "base/param.h"

/* Parses a number, the name of a choice, "true" or "false". Does not check the
 * range. */
cs_status cs_param_read(const cs_param *row, const char *text, double *number,
                        cs_error *err);
