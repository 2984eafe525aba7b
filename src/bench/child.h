/* This program once more, as a child: for cases of its whole life; and programs
 * of others. */
#ifndef CS_BENCH_CHILD_H
#define CS_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* Runs it with these arguments (NULL last), its output unseen: wall time, and
 * *megabytes raised to the largest resident set, front and session (but never
 * less than the caller's own). False: it could not be run, or failed. */
bool cs_bench_child(char *const *args, double *milliseconds, double *megabytes);

/* Runs another program on a file, with one thread for what knows how to be told:
 * text[size] begins with what it prints. False: it is not there, or failed. */
bool cs_bench_listen(const char *program, char *file, char *text, size_t size);

/* Writes the text to a new file, whose name comes to `path`
 * ("/tmp/...XXXXXX.lua", four letters at its end). */
bool cs_bench_file(const char *text, char *path);

#endif
