/* Background runs, for the command line and the screen. A job is a scenario with
 * sets and a seed: it is opened in a session of its own, run, and queried once; the
 * answer is its result. A source describes the jobs, a store keeps results, and the
 * engine makes what the store lacks in several sessions at a time:
 *
 *     open     its snapshot is there          -> run, or the query
 *     run      it has stopped                 -> more steps, or the query
 *     query    the answer has come, and what
 *              it is read from is settled     -> the result
 *
 * cs_jobs_tend takes one look at all sessions and never waits, so that the screen
 * calls it in its own loop; the command line polls cs_jobs_fds in between. */
#pragma once

#include "base/page.h"
#include "figure/shot.h"
#include "jobs/result.h"
#include "session/client.h"

enum { CS_JOB_NAME = 200, CS_JOB_LINE = 32 << 10 };
enum { CS_JOBS_PROCESSES = 64, CS_JOBS_FDS = 2 * CS_JOBS_PROCESSES };

typedef struct cs_job {
    char name[CS_JOB_NAME]; /* for people: "small.step=0.1, seed 2" */
    char open[CS_JOB_LINE]; /* the line that opens it: see cs_job_open */
    const char *query;      /* the line whose answer is the result [borrowed] */
    double steps;           /* of each chain; NAN: the scenario's budget */
    bool beyond;            /* goes on where the run stops before `steps` */
    bool still;             /* is queried before any step */
    bool settles;           /* waits until all reports have been made */
} cs_job;

/* Begins the line with the scenario `file` and set[n]; the job has the scenario's
 * budget. Then cs_job_set, once for each further set ("seed=7"). False: the line is
 * too long. */
bool cs_job_open(cs_job *job, const char *file, const char *const *set,
                 size_t n);
bool cs_job_set(cs_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What the jobs are. `self` is handed to each function. */
typedef struct cs_job_source {
    void *self;
    size_t n;
    cs_status (*describe)(void *self, size_t i, cs_job *out, cs_error *err);
    /* OPTIONAL. Whether job i is made here; NULL: all are. */
    bool (*mine)(void *self, size_t i);
    /* OPTIONAL. The result of job i that is kept: *r stays as it is, with
     * r->there false, where there is none. */
    cs_status (*load)(void *self, size_t i, cs_result *r, cs_error *err);
    cs_status (*save)(void *self, size_t i, const cs_job *job,
                      const cs_result *r, cs_error *err);
    /* OPTIONAL. Writes the result from the last snapshot, in place of the
     * answer's text. */
    void (*read)(void *self, size_t i, const cs_shot *s, cs_page *out);
    /* OPTIONAL. Job i has its result, made or kept; in any order. An error ends
     * the engine. */
    cs_status (*done)(void *self, size_t i, const cs_result *r, cs_error *err);
    /* OPTIONAL. A snapshot of a run that moves. *told: messages of the session
     * that were printed so far, at first those of its opening. */
    void (*watch)(void *self, const cs_shot *s, double *told);
} cs_job_source;

typedef struct cs_jobs_options {
    /* Forks a session with a script host. [own: cs_client_destroy] */
    cs_status (*session)(void *self, cs_client **out, cs_error *err);
    void *self;
    size_t processes; /* at a time, 1 .. CS_JOBS_PROCESSES */
    int closing;      /* milliseconds for a session to end; 0: it is killed */
    /* OPTIONAL. Whether a signal came: sessions are being stopped, and what they
     * report from then on is no result. */
    bool (*stopped)(void);
} cs_jobs_options;

typedef struct cs_jobs cs_jobs;

/* Loads what is kept. *out is set before the first call of the source.
 * [own: cs_jobs_close] */
cs_status cs_jobs_open(cs_jobs **out, const cs_job_source *source,
                       const cs_jobs_options *options, cs_error *err);
/* Ends all sessions. NULL is allowed. */
void cs_jobs_close(cs_jobs *j);

/* Takes what the sessions report and starts jobs in those that are idle. A job that
 * fails has a result with the reason. An error is that no process can be had, or
 * that of the source. */
cs_status cs_jobs_tend(cs_jobs *j, cs_error *err);
/* At most so many sessions from now on; those at work stay. 0: none is started. */
void cs_jobs_allow(cs_jobs *j, size_t processes);
/* Interrupts all sessions and ends them. */
void cs_jobs_stop(cs_jobs *j);

/* Descriptors for poll(), into fd[CS_JOBS_FDS]; returns how many. */
int cs_jobs_fds(const cs_jobs *j, int *fd);

typedef struct cs_jobs_count {
    size_t mine, kept,
        made;     /* jobs made here; of which kept before, made now */
    size_t busy;  /* sessions at work */
    double share; /* of all that are made here, in [0, 1] */
    double left;  /* seconds until all are made; NAN: unknown */
} cs_jobs_count;
cs_jobs_count cs_jobs_counted(const cs_jobs *j);

/* The result of job i [borrowed], which a source may fill in from elsewhere. */
cs_result *cs_jobs_result(cs_jobs *j, size_t i);
