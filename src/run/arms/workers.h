/* A pool of threads that share numbered jobs. */
#pragma once

#include "base/status.h"

#include <stddef.h>

typedef struct cs_pool cs_pool;

/* Creates `workers` workers; the caller is one of them. */
cs_status cs_pool_create(cs_pool **out, size_t workers, cs_error *err);
void cs_pool_destroy(cs_pool *pool);

/* Calls job(self, i) for all i < n; returns when all are done. */
void cs_pool_run(cs_pool *pool, void (*job)(void *self, size_t i), void *self,
                 size_t n);

/* Does the same; without a pool one job after another. */
void cs_share_jobs(cs_pool *pool, void (*job)(void *self, size_t i), void *self,
                   size_t n);
