/* A queue of runs on the command line: executes jobs (jobs/jobs.h) until all
 * are done, saves their results (--out), continues an earlier queue
 * (--resume) and divides the jobs into parts (--part). `replicate`, `sweep`
 * and `sbc` define the jobs and interpret the results. Job i belongs to part
 * i mod p, where p is the number of parts. Parts may run on different
 * machines and at different times. Each rank started by mpirun runs one
 * part, all in the same folder; rank 0 also repeats failed jobs and prints
 * all results. */
#pragma once

#include "cli/many/queue_store.h"
#include "jobs/jobs.h"

/* Calls cs_job_open with the settings of --set and the settings common to all
 * runs of the command. */
bool cs_queue_job(cs_job *job, const char *file, const cs_args *args);

/* Opens the run of a job, without steps, in a session of its own, and returns the
 * answer to a question in *text [own, free]. On failure *text is unchanged. */
cs_status cs_queue_ask(const cs_args *args, const cs_job *job,
                       const char *question, char **text, cs_error *err);

typedef struct cs_queue cs_queue;

typedef struct cs_queue_spec {
    const cs_args *args; /* arguments, which include CS_QUEUE_OPTIONS
                          * [borrowed] */
    size_t jobs;
    /* Describes job i in *out. */
    cs_status (*describe)(void *of, size_t i, cs_job *out, cs_error *err);
    /* Returns the scenario of job i [borrowed]; the scenario's text is part of
     * the plan. */
    const char *(*file)(void *of, size_t i);
    /* OPTIONAL. Called when job i is done or its saved result is loaded; the
     * order of the calls is not defined. An error ends the queue. */
    cs_status (*done)(void *of, size_t i, cs_error *err);
    void *of;
    size_t processes; /* number of processes if --jobs is not given; 0: number
                       * of cores */
} cs_queue_spec;

/* Opens the queue and the folder of --out. Jobs whose results are already in
 * the folder are not repeated. [own: cs_queue_close] */
cs_status cs_queue_open(cs_queue **out, const cs_queue_spec *spec,
                        cs_error *err);
void cs_queue_close(cs_queue *q);

/* Runs the missing jobs of this part, with a progress line on stderr if stderr
 * is a terminal. The result of a failed job contains the reason. Returns
 * CS_STOPPED after a signal of cli/line/stop.h; completed results are kept. */
cs_status cs_queue_work(cs_queue *q, cs_error *err);

/* Returns the result of job i [borrowed]; results of jobs of other parts may be
 * absent. */
const cs_result *cs_queue_result(const cs_queue *q, size_t i);
/* Returns true if all results exist. */
bool cs_queue_is_whole(const cs_queue *q);

/* Returns true if this process prints the results of all jobs. This is the
 * case unless it runs only a part of the jobs. */
bool cs_queue_shows(const cs_queue *q);

/* Call after cs_queue_work. Returns -1 if the results can be printed. If the
 * queue was stopped or other parts are missing, reports this on stderr and
 * returns the exit code. */
int cs_queue_say_end(const cs_queue *q, cs_status status, const cs_error *err);

#define CS_QUEUE_OPTIONS                                                       \
    {"out", "DIR",                                                             \
     "folder for the results; each result is saved when it "                   \
     "is ready"},                                                              \
        {"resume", NULL,                                                       \
         "continue from the results in DIR, or start if DIR has no results"},  \
        {"force", NULL, "remove earlier results in DIR"},                      \
        {"part", "K/N",                                                        \
         "run only part K of N (for example 3/16), on any machine; join the "  \
         "parts with `chainscope merge`, or use the same DIR for all parts"},  \
        {"jobs", "N", "number of simultaneous runs, each in its own process"}, \
    {                                                                          \
        "workers", "N", "threads per run; results do not depend on it"         \
    }
