/* The program as a child, for cases that measure a whole process; and programs of
 * others. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of the program, which is beside this executable, into
 * out[size]. */
cs_status cs_bench_program(char *out, size_t size, cs_error *err);

/* Runs the program with these arguments (NULL last) and discards its output:
 * wall time, and *megabytes raised to the largest resident set, front and
 * session (but never less than the caller's own). Fails if the program cannot be
 * run or fails. */
cs_status cs_bench_child(char *const *args, double *milliseconds,
                         double *megabytes, cs_error *err);

/* Runs another program on a file, with one thread where it can be configured:
 * text[size] receives the start of its output. Returns false if it is missing
 * or failed. */
bool cs_bench_listen(const char *program, char *file, char *text, size_t size);

/* Writes the text to a new file, whose name comes to `path`
 * ("/tmp/...XXXXXX.lua", four letters at its end). */
bool cs_bench_file(const char *text, char *path);
