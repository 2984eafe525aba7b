/* Runs the program as a child process, for cases that measure a whole process.
 * Also runs other programs. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of the program, which is in the folder of this executable,
 * into out[size]. */
cs_status cs_bench_program(char *out, size_t size, cs_error *err);

/* Runs the program with these arguments (NULL last) and discards its output.
 * Sets *milliseconds to the wall time. If the largest resident set of the front
 * end's and the session's processes is above *megabytes, sets *megabytes to
 * this size. The size is never less than the resident set of the calling
 * process. Fails if the program cannot be run or returns an error. */
cs_status cs_bench_child(char *const *args, double *milliseconds,
                         double *megabytes, cs_error *err);

/* Runs another program on a file. Uses one thread if the number of threads can
 * be configured. text[size] receives the start of the program's output. Returns
 * false if the program is missing or failed. */
bool cs_bench_listen(const char *program, char *file, char *text, size_t size);

/* Writes the text to a new file. `path` is a template such as
 * "/tmp/...XXXXXX.lua", with a suffix of four characters, and receives the name
 * of the file. */
bool cs_bench_file(const char *text, char *path);
