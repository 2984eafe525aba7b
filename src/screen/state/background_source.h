/* Background runs of one kind as a source of jobs (jobs/jobs.h), with their
 * stored results and the request that created them. The request is stored until
 * the runs are complete. */
#pragma once

#include "jobs/cache.h"
#include "screen/state/app_link.h"
#include "screen/state/background_type.h"
#include "session/client/shell_words.h"

enum { CS_BACKGROUND_IDENTITY = 200, CS_BACKGROUND_TYPED = 1000 };

/* Data shared by all kinds. */
typedef struct cs_background_shared {
    const cs_app_link *link; /* [borrowed] */
    /* maximum number of simultaneous processes, for all kinds together */
    size_t processes;
    cs_job_cache cache;
    char query[400]; /* command `reports ...`, for kinds without a `query` of
                      * their own */
    /* reason why a result could not be stored, until it is reported */
    char lost[600];
    bool loses; /* a result could not be stored */
} cs_background_shared;

typedef struct cs_background_asked {
    const cs_background_type *type;
    cs_background_shared *shared; /* [borrowed] */
    cs_background_runs runs;
    cs_jobs *jobs; /* [own]; NULL: all jobs are done, or no job is requested */
    char identity[CS_BACKGROUND_IDENTITY]; /* identity of the open run */
    char file[1024], sets[CS_JOB_LINE];
    char *set[CS_WORDS]; /* [n_set] pointers into `sets` */
    size_t n_set;
    /* digest of the scenario file when the runs were started */
    uint64_t scenario;
    size_t loaded; /* number of results loaded from disk */
    long reported; /* remaining seconds, as displayed */
    cs_job job;    /* the job being described */
} cs_background_asked;

/* Writes an identity; two runs with the same identity make the same draws. */
void cs_background_identify(const cs_shot *s, char out[CS_BACKGROUND_IDENTITY]);

/* Copies the file, settings and seed of the run in the snapshot to the
 * description of the background runs. */
cs_status cs_background_like(cs_background_asked *a, const cs_shot *s,
                             cs_error *err);
/* Starts the runs that the words `typed` describe. Call cs_background_like
 * first, and set steps, beyond and coordinate in runs.run. */
cs_status cs_background_open(cs_background_asked *a, const char *typed,
                             cs_error *err);
/* cs_background_end ends the sessions and keeps the results;
 * cs_background_drop also discards the results. */
void cs_background_end(cs_background_asked *a);
void cs_background_drop(cs_background_asked *a);

/* cs_background_request stores the request. cs_background_requested finds
 * the request that is stored for the run in the snapshot, and sets steps,
 * beyond and coordinate in runs.run. cs_background_forget removes the
 * request. */
void cs_background_request(cs_background_asked *a, const char *typed);
bool cs_background_requested(cs_background_asked *a, const cs_shot *s,
                             char typed[CS_BACKGROUND_TYPED]);
void cs_background_forget(cs_background_asked *a);
