/* Background runs of one kind as a source of jobs (jobs/jobs.h), what is kept of them,
 * and the request that they come from, which is kept until they are complete. */
#pragma once

#include "jobs/cache.h"
#include "screen/state/app_link.h"
#include "screen/state/background_type.h"
#include "session/words.h"

enum { CS_BACKGROUND_IDENTITY = 200, CS_BACKGROUND_TYPED = 1000 };

/* What all kinds share. */
typedef struct cs_background_shared {
    const cs_app_link *link; /* [borrowed] */
    size_t processes;        /* at a time, of all kinds */
    cs_job_cache cache;
    char query[400]; /* of kinds that read a snapshot */
    char lost[600];  /* why a result could not be kept, until it is reported */
    bool loses;      /* one could not be kept */
} cs_background_shared;

typedef struct cs_background_asked {
    const cs_background_type *type;
    cs_background_shared *shared; /* [borrowed] */
    cs_background_runs runs;
    cs_jobs *jobs; /* [own] NULL: all have been made, or none is wanted */
    char identity[CS_BACKGROUND_IDENTITY]; /* of the open run */
    char file[1024], sets[CS_JOB_LINE];
    char *set[CS_WORDS]; /* [n_set], in `sets` */
    size_t n_set;
    uint64_t scenario; /* digest of the file's text when they were started */
    size_t loaded;     /* results that were kept before */
    long told;         /* seconds that are left, as shown */
    cs_job job;        /* that is being described */
} cs_background_asked;

/* Two runs with the same text make the same draws. */
void cs_background_identify(const cs_shot *s, char out[CS_BACKGROUND_IDENTITY]);

/* The runs will be like the one that the snapshot shows: its file, sets and seed. */
cs_status cs_background_like(cs_background_asked *a, const cs_shot *s,
                             cs_error *err);
/* Then, with runs.run.steps, beyond and coordinate: starts those that were typed. */
cs_status cs_background_open(cs_background_asked *a, const char *typed,
                             cs_error *err);
/* Ends the sessions; what was found stays. Likewise, and forgets it. */
void cs_background_end(cs_background_asked *a);
void cs_background_drop(cs_background_asked *a);

/* Keeps the request; finds the one that is kept for the run of the snapshot, with its
 * steps, beyond and coordinate in runs.run; removes it. */
void cs_background_request(cs_background_asked *a, const char *typed);
bool cs_background_requested(cs_background_asked *a, const cs_shot *s,
                             char typed[CS_BACKGROUND_TYPED]);
void cs_background_forget(cs_background_asked *a);
