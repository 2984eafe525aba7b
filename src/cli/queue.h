/* A queue of runs: jobs, each a scenario that is opened with some sets in a
 * session of its own, run to the end of its budget and asked one thing, whose
 * answer is the result. `replicate`, `sweep` and `sbc` say what the jobs are and
 * what their results mean; here they are made, several at a time, kept (--out),
 * gone on with (--resume) and shared out (--part): job i of n goes to part
 * i mod n, be it another machine's, a later one's, or a rank's: of those that
 * mpirun has started each makes its part in one folder, and the first makes again
 * what had failed, and shows what came of all. */
#pragma once

#include "cli/queue_store.h"
#include "run/share.h"

enum { CS_JOB_NAME = 200, CS_JOB_LINE = 32 << 10 };

typedef struct cs_job {
    char name[CS_JOB_NAME]; /* for people: "small.step=0.1, seed 2" */
    const char *file;       /* the scenario [borrowed] */
    char open[CS_JOB_LINE]; /* the line that opens it: see cs_job_open */
    const char *ask;        /* the line whose answer is the result [borrowed] */
    bool still;             /* it is asked before any step */
} cs_job;

/* Begins the line: the scenario, and what --set says. Then cs_job_set, once for
 * each more ("seed=7"); false: there is no room. */
bool cs_job_open(cs_job *job, const char *file, const cs_args *args);
bool cs_job_set(cs_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct cs_queue cs_queue;

typedef struct cs_queue_spec {
    const cs_args *args; /* with CS_QUEUE_OPTIONS [borrowed] */
    size_t jobs;
    /* Says what job i is. */
    cs_status (*describe)(void *of, size_t i, cs_job *out, cs_error *err);
    /* OPTIONAL. Job i is done, or was kept; in any order. Its error ends the
     * queue. */
    cs_status (*done)(void *of, size_t i, cs_error *err);
    void *of;
    size_t processes; /* unless --jobs says it; 0: as many as cores */
} cs_queue_spec;

/* Looks into the folder of --out; what it holds of this queue need not be made
 * again. [own: cs_queue_close] */
cs_status cs_queue_open(cs_queue **out, const cs_queue_spec *spec,
                        cs_error *err);
void cs_queue_close(cs_queue *q);

/* Makes what is missing of this part, with a line of progress on stderr where that
 * is a terminal. A job that fails has a result that says so. CS_STOPPED after a
 * signal of cli/stop.h: what is done is kept. */
cs_status cs_queue_work(cs_queue *q, cs_error *err);

/* The result of job i; one of another part is not there. [borrowed] */
const cs_result *cs_queue_result(const cs_queue *q, size_t i);
/* Whether all are there. */
bool cs_queue_is_whole(const cs_queue *q);

/* Whether this process shows what comes of all: it has no part alone. */
bool cs_queue_shows(const cs_queue *q);

/* After cs_queue_work: the exit code where there is nothing to show yet, for it
 * was stopped, or the rest is elsewhere; says so on stderr. -1: show it. */
int cs_queue_say_end(const cs_queue *q, cs_status status, const cs_error *err);

#define CS_QUEUE_OPTIONS                                                       \
    {"out", "DIR", "results are kept there, each as it is made"},              \
        {"resume", NULL, "go on with what DIR holds, or begin"},               \
        {"force", NULL, "remove what DIR holds of such results"},              \
        {"part", "K/N",                                                        \
         "make the K-th of N parts of the runs alone, here or elsewhere; "     \
         "`chainscope merge` puts them together, or all go to one DIR"},       \
        {"jobs", "N", "so many runs at a time, each in a process of its own"}, \
    {                                                                          \
        "workers", "N", "threads of each; results do not depend on them"       \
    }
