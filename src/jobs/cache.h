/* A cache of job results on disk, so that background runs started from the
 * screen survive a restart. A folder contains one file per job (jobs/result.h),
 * named by the digest of the job's key. The key is a text with all inputs of
 * the result. If the folder exceeds its size limit, the oldest files are
 * removed. A damaged file is removed and its job is run again. */
#pragma once

#include "jobs/result.h"

enum { CS_JOB_CACHE_PATH = 4096, CS_JOB_CACHE_BYTES = 64 << 20 };

typedef struct cs_job_cache {
    char folder[CS_JOB_CACHE_PATH]; /* "": nothing is saved */
    /* limit for the sum of the file sizes, and the present sum; in bytes */
    size_t most, used;
} cs_job_cache;

/* Opens the cache in `folder`, which is created when the first result is saved.
 * If `folder` is NULL or "", nothing is saved, and the functions below succeed
 * without doing anything. */
void cs_job_cache_open(cs_job_cache *k, const char *folder, size_t most);

/* Loads the result of a key into *r. If the result is missing or damaged,
 * r->there is false. */
void cs_job_cache_load(const cs_job_cache *k, const char *key, cs_result *r);
/* Saves a result, unless it is a failure. `name` is for human readers. */
cs_status cs_job_cache_save(cs_job_cache *k, const char *key, const char *name,
                            const cs_result *r, cs_error *err);
void cs_job_cache_forget(const cs_job_cache *k, const char *key);
