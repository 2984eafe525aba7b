/* Where the files that belong to the program are: scenarios, Lua modules,
 * data, other executables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of `name` ("scenarios", "assets/data/x.csv") into out[size]
 * and returns whether it is readable. Searched in this order: next to the
 * running program (PREFIX/share/chainscope of PREFIX/bin, so that an installed
 * tree can be moved), the sources it was built from, the prefix it was
 * configured for. If it is not found, `out` holds the last of these, for a
 * message. */
bool cs_install_path(char *out, size_t size, const char *name);

/* Writes the path of the file `name` in the folder of the running executable
 * into out[size]; true if it exists. */
bool cs_next_to_program(char *out, size_t size, const char *name);
