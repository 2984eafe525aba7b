/* Sub-commands whose work is in an executable of its own, beside the program. */
#pragma once

#include "base/status.h"

/* Replaces this process by the executable `name`, which is in the same folder,
 * with the arguments argv[argc]. Returns only if it fails. */
cs_status cs_executable_replace(const char *name, int argc, char **argv,
                                cs_error *err);
