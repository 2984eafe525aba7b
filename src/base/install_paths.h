/* Paths of the files that belong to the program: scenarios, Lua modules, data,
 * other executables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of `name` ("scenarios", "assets/data/x.csv") into out[size].
 * Returns true if the path is readable. Three places are tried in order. First
 * comes a place relative to the running program (PREFIX/share/chainscope for
 * PREFIX/bin, so that an installed tree can be moved). Then come the sources of
 * this build, and the configured prefix. If no path is readable, `out` holds
 * the last path tried, for a message. */
bool cs_install_path(char *out, size_t size, const char *name);

/* Writes to out[size] the path of the file `name` in the folder of the running
 * executable. Returns true if this file exists. */
bool cs_next_to_program(char *out, size_t size, const char *name);
