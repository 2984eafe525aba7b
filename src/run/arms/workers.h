/* A pool of threads that process numbered jobs. */
#pragma once

#include "base/status.h"

#include <stddef.h>

typedef struct cs_pool cs_pool;

/* Creates a pool of `workers` threads, including the caller's. */
cs_status cs_pool_create(cs_pool **out, size_t workers, cs_error *err);
void cs_pool_destroy(cs_pool *pool);

/* Calls job(self, i) for all i < n, and returns after the last job has
 * ended. */
void cs_pool_run(cs_pool *pool, void (*job)(void *self, size_t i), void *self,
                 size_t n);

/* Calls job(self, i) for all i < n. If `pool` is NULL, the calls are made in
 * the order of i. */
void cs_share_jobs(cs_pool *pool, void (*job)(void *self, size_t i), void *self,
                   size_t n);
