/* One kind of background runs of the screen (screen/state/background.h), and
 * the requested runs of that kind. */
#pragma once

#include "base/page.h"
#include "jobs/jobs.h"
#include "race/race.h"
#include "screen/panels/calibrated.h"

/* Facts about the open run at the start of the background runs. */
typedef struct cs_background_of {
    double opened;     /* run/opened */
    double seed;       /* run/seed */
    double chains;     /* of its first arm */
    double steps;      /* of each chain in each run; NAN: those of the budget */
    bool beyond;       /* the open run has no budget to stop at */
    size_t coordinate; /* the chosen coordinate */
} cs_background_of;

typedef struct cs_background_runs {
    cs_background_of run;
    /* The table of this kind; NULL for the others. [own: cs_free] */
    cs_replicas *replicas;
    cs_calibrated *calibrated;
    /* In that table: number of results taken, number of runs requested (0:
     * none), and seconds until all are done. */
    size_t *n, *of;
    double *left;
} cs_background_runs;

typedef struct cs_background_type {
    const char *name;  /* name of its requests */
    const char *verb;  /* "calibrate", as in messages */
    const char *what;  /* "the sweep is": dropped */
    const char *has;   /* "the sweep has": ended */
    const char *query; /* NULL: the reports that the race reads, see `read` */
    bool budget;       /* each run makes the steps of the budget */
    /* Creates the table; false: no memory. */
    bool (*create)(cs_background_runs *b);
    /* Reads the typed words, "5" or "small.step=0.1..2": sets *of. */
    cs_status (*begin)(cs_background_runs *b, const char *typed, cs_error *err);
    /* Describes job i by its difference from the open run; false: the line is
     * too long. */
    bool (*describe)(const cs_background_runs *b, size_t i, cs_job *job);
    /* OPTIONAL. See cs_job_source. */
    void (*read)(const cs_background_runs *b, const cs_shot *s, cs_page *out);
    /* Takes the result of job *n. */
    void (*take)(cs_background_runs *b, const char *text);
    /* Writes the message that all runs are done. */
    void (*say)(const cs_background_runs *b, char *text, size_t size);
} cs_background_type;

extern const cs_background_type cs_background_type_replicates,
    cs_background_type_sweep, cs_background_type_calibration;
