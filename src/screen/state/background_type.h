/* A kind of background runs (screen/state/background.h), and the requested runs
 * of that kind. */
#pragma once

#include "base/page.h"
#include "jobs/jobs.h"
#include "race/race.h"
#include "screen/panels/calibrated.h"

/* Facts about the open run at the start of the background runs. */
typedef struct cs_background_of {
    double opened;     /* value of run/opened */
    double seed;       /* value of run/seed */
    double chains;     /* chains of the first arm */
    double steps;      /* steps per chain in each run; NAN: as in the budget */
    bool beyond;       /* the open run has no budget at which it stops */
    size_t coordinate; /* the chosen coordinate */
} cs_background_of;

typedef struct cs_background_runs {
    cs_background_of run;
    /* One of the two tables, according to the kind; the other pointer is
     * NULL. [own: cs_free] */
    cs_replicas *replicas;
    cs_calibrated *calibrated;
    /* Pointers to members of this table. n: number of results received; of:
     * number of runs requested (0: none); left: seconds until all runs are
     * done. */
    size_t *n, *of;
    double *left;
} cs_background_runs;

typedef struct cs_background_type {
    const char *name; /* name of stored requests of this kind */
    const char *verb; /* verb for messages: "calibrate" */
    /* start of the message about dropped runs: "the sweep is" */
    const char *what;
    /* start of the message about ended runs: "the sweep has" */
    const char *has;
    /* NULL: the reports that the race panel reads, see `read` */
    const char *query;
    bool budget; /* each run continues to the end of the budget */
    /* Creates the table. Returns false if memory runs out. */
    bool (*create)(cs_background_runs *b);
    /* Parses the typed words, "5" or "small.step=0.1..2", and sets *of. */
    cs_status (*begin)(cs_background_runs *b, const char *typed, cs_error *err);
    /* Describes job i by its difference from the open run. Returns false if the
     * line is too long. */
    bool (*describe)(const cs_background_runs *b, size_t i, cs_job *job);
    /* OPTIONAL. See cs_job_source. */
    void (*read)(const cs_background_runs *b, const cs_shot *s, cs_page *out);
    /* Stores the result of job *n. */
    void (*take)(cs_background_runs *b, const char *text);
    /* Writes the message that all runs are done. */
    void (*say)(const cs_background_runs *b, char *text, size_t size);
} cs_background_type;

extern const cs_background_type cs_background_type_replicates,
    cs_background_type_sweep, cs_background_type_calibration;
