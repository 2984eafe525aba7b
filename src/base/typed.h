/* Values as they are typed. */
#pragma once

#include "base/param.h"

/* A number, the name of a choice, "true" or "false". Its range is not
 * checked. */
cs_status cs_param_read(const cs_param *row, const char *text, double *number,
                        cs_error *err);
