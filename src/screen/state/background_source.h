/* Background runs of one kind as a source of jobs (jobs/jobs.h), their kept
 * results, and the request that created them, which is kept until they are
 * complete. */
#pragma once

#include "jobs/cache.h"
#include "screen/state/app_link.h"
#include "screen/state/background_type.h"
#include "session/client/shell_words.h"

enum { CS_BACKGROUND_IDENTITY = 200, CS_BACKGROUND_TYPED = 1000 };

/* Data shared by all kinds. */
typedef struct cs_background_shared {
    const cs_app_link *link; /* [borrowed] */
    size_t processes;        /* at a time, for all kinds together */
    cs_job_cache cache;
    char query[400]; /* for kinds that read a snapshot */
    char lost[600];  /* why a result could not be kept, until it is reported */
    bool loses;      /* a result could not be kept */
} cs_background_shared;

typedef struct cs_background_asked {
    const cs_background_type *type;
    cs_background_shared *shared; /* [borrowed] */
    cs_background_runs runs;
    cs_jobs *jobs; /* [own]; NULL: all jobs are done, or none is requested */
    char identity[CS_BACKGROUND_IDENTITY]; /* of the open run */
    char file[1024], sets[CS_JOB_LINE];
    char *set[CS_WORDS]; /* [n_set], in `sets` */
    size_t n_set;
    uint64_t scenario; /* digest of the file's text when the runs were
                        * started */
    size_t loaded;     /* number of results loaded from disk */
    long reported;     /* remaining seconds, as displayed */
    cs_job job;        /* the job being described */
} cs_background_asked;

/* Writes an identity; two runs with the same text make the same draws. */
void cs_background_identify(const cs_shot *s, char out[CS_BACKGROUND_IDENTITY]);

/* Takes file, settings and seed of the run in the snapshot for the background
 * runs. */
cs_status cs_background_like(cs_background_asked *a, const cs_shot *s,
                             cs_error *err);
/* After that, with runs.run.steps, beyond and coordinate set: starts the typed
 * runs. */
cs_status cs_background_open(cs_background_asked *a, const char *typed,
                             cs_error *err);
/* The first ends the sessions and keeps the results; the second also forgets
 * the results. */
void cs_background_end(cs_background_asked *a);
void cs_background_drop(cs_background_asked *a);

/* Keep the request; find the one kept for the run of the snapshot, and set its
 * steps, beyond and coordinate in runs.run; remove it. */
void cs_background_request(cs_background_asked *a, const char *typed);
bool cs_background_requested(cs_background_asked *a, const cs_shot *s,
                             char typed[CS_BACKGROUND_TYPED]);
void cs_background_forget(cs_background_asked *a);
