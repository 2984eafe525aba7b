/* This program once more, as a child: for cases of its whole life. */
#ifndef CS_BENCH_CHILD_H
#define CS_BENCH_CHILD_H

#include <stdbool.h>

/* Runs it with these arguments (NULL last), its output unseen: wall time, and
 * *megabytes raised to the largest resident set, front and session (but never
 * less than the caller's own). False: it could not be run, or failed. */
bool cs_bench_child(char *const *args, double *milliseconds, double *megabytes);

/* Writes the text to a new file, whose name comes to `path`
 * ("/tmp/...XXXXXX.lua"). */
bool cs_bench_file(const char *text, char *path);

#endif
