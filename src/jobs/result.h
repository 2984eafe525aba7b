/* The result of a job (jobs/jobs.h) and its file:
 *
 *     chainscope result 1
 *     plan 0123456789abcdef      digest of the text that says what the job is
 *     job 12 of 48
 *     name ...                   for people
 *     seconds 1.234
 *     done                       or failed
 *     ...                        the answer, or why it failed
 *     sum 0123456789abcdef       of all bytes before
 *
 * A file is written whole or not at all (files/replace.h). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_result {
    bool there;
    char *text;     /* answer [own]; NULL: the job failed */
    char *failure;  /* why it failed [own]; NULL: it did not */
    double seconds; /* time of the job */
} cs_result;

void cs_result_fini(cs_result *r);

/* Writes and reads the result of job i of n, counted from 0, in the file `path`.
 * A file that does not exist is no error: r->there is false. A file that is cut
 * short, damaged or of another plan or job is an error that names the file. */
cs_status cs_result_write(const char *path, const char *plan, size_t i,
                          size_t n, const char *name, const cs_result *r,
                          cs_error *err);
cs_status cs_result_read(const char *path, const char *plan, size_t i, size_t n,
                         cs_result *r, cs_error *err);
