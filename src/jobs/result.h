/* The result of a job (jobs/jobs.h) and its file:
 *
 *     chainscope result 1
 *     plan 0123456789abcdef      digest of the text that defines the job
 *     job 12 of 48
 *     name ...                   for human readers
 *     seconds 1.234
 *     done                       or failed
 *     ...                        the answer, or the reason for the failure
 *     sum 0123456789abcdef       checksum of all preceding bytes
 *
 * A file is written completely or not at all (files/replace.h). */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cs_result {
    bool there;
    char *text;     /* text of the answer [own]; NULL: the job failed */
    char *failure;  /* reason for the failure [own]; NULL: none */
    double seconds; /* run time of the job */
} cs_result;

void cs_result_fini(cs_result *r);

/* Write and read the result of job i of n, counted from 0, in the file `path`.
 * If the file is missing, cs_result_read succeeds and sets r->there to false.
 * If the file is truncated or damaged, or belongs to another plan or job, it
 * fails, and the error names the file. */
cs_status cs_result_write(const char *path, const char *plan, size_t i,
                          size_t n, const char *name, const cs_result *r,
                          cs_error *err);
cs_status cs_result_read(const char *path, const char *plan, size_t i, size_t n,
                         cs_result *r, cs_error *err);
