/* One kind of background runs of the screen (screen/state/background.h), and those of
 * it that were asked for. */
#pragma once

#include "base/page.h"
#include "figure/race.h"
#include "jobs/jobs.h"
#include "screen/panels/calibrated.h"

/* What is known of the open run when they are started. */
typedef struct cs_background_of {
    double opened;     /* run/opened */
    double seed;       /* run/seed */
    double chains;     /* of its first arm */
    double steps;      /* of each chain in each run; NAN: those of the budget */
    bool beyond;       /* the open run has no budget to stop at */
    size_t coordinate; /* that was chosen */
} cs_background_of;

typedef struct cs_background_runs {
    cs_background_of run;
    /* Of one kind each, and NULL for others. [own: cs_free] */
    cs_replicas *replicas;
    cs_calibrated *calibrated;
    /* In that table: runs whose results were taken, runs asked for (0: none), and
     * the seconds until all are made. */
    size_t *n, *of;
    double *left;
} cs_background_runs;

typedef struct cs_background_type {
    const char *name;  /* of its requests */
    const char *verb;  /* "calibrate": what is done to the run */
    const char *what;  /* "the sweep is": dropped */
    const char *has;   /* "the sweep has": ended */
    const char *query; /* NULL: the reports that the race reads, see `read` */
    bool budget;       /* each makes the steps of the budget */
    /* Makes the table; false: no memory. */
    bool (*create)(cs_background_runs *b);
    /* Reads what was typed, "5" or "small.step=0.1..2": sets *of. */
    cs_status (*begin)(cs_background_runs *b, const char *typed, cs_error *err);
    /* What sets job i apart; false: the line is too long. */
    bool (*describe)(const cs_background_runs *b, size_t i, cs_job *job);
    /* OPTIONAL. See cs_job_source. */
    void (*read)(const cs_background_runs *b, const cs_shot *s, cs_page *out);
    /* Takes the result of job *n. */
    void (*take)(cs_background_runs *b, const char *text);
    /* That all are made. */
    void (*say)(const cs_background_runs *b, char *text, size_t size);
} cs_background_type;

extern const cs_background_type cs_background_type_replicates,
    cs_background_type_sweep, cs_background_type_calibration;
