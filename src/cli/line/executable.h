/* Runs sub-commands that are separate executables in the program's folder. */
#pragma once

#include "base/status.h"

/* Replaces this process by the executable `name` in the program's folder, and
 * passes the arguments argv[argc] to it. Returns only if that fails. */
cs_status cs_executable_replace(const char *name, int argc, char **argv,
                                cs_error *err);
