/* Results that are kept beyond the process, so that background runs of the screen
 * go on where they were: one file a job (jobs/result.h) in one folder, named by the
 * digest of a text that says all that the result depends on, its key. The folder has
 * a bound: where it is exceeded, the oldest files are removed. A damaged file is
 * removed, and its job made again. */
#pragma once

#include "jobs/result.h"

enum { CS_JOB_CACHE_PATH = 4096, CS_JOB_CACHE_BYTES = 64 << 20 };

typedef struct cs_job_cache {
    char folder[CS_JOB_CACHE_PATH]; /* "": nothing is kept */
    size_t most, used;              /* bytes of all files: the bound, now */
} cs_job_cache;

/* Begins with the files that are in `folder`, which is made when something is
 * written. `folder` NULL or "": nothing is kept, and the functions below do nothing
 * and succeed. */
void cs_job_cache_open(cs_job_cache *k, const char *folder, size_t most);

/* The result under a key; r->there is false where there is none, or it is damaged.
 * *r is overwritten. */
void cs_job_cache_load(const cs_job_cache *k, const char *key, cs_result *r);
/* A result that is a failure is not kept. `name` is for people. */
cs_status cs_job_cache_save(cs_job_cache *k, const char *key, const char *name,
                            const cs_result *r, cs_error *err);
void cs_job_cache_forget(const cs_job_cache *k, const char *key);
