/* Background runs, for the command line and the screen. A job is a scenario with
 * settings and a seed: it is opened in a separate session, run, and queried once;
 * the answer is its result. A source describes the jobs, a store keeps results, and
 * the engine runs the missing jobs in several sessions at a time:
 *
 *     open     its snapshot has arrived       -> run, or the query
 *     run      it has stopped                 -> more steps, or the query
 *     query    the answer has arrived, and
 *              its reports are complete       -> the result
 *
 * cs_jobs_tend processes the messages of all sessions and never waits, so the screen
 * calls it in its own loop; the command line polls cs_jobs_fds in between. */
#pragma once

#include "base/page.h"
#include "jobs/result.h"
#include "race/shot.h"
#include "session/client/client.h"

enum { CS_JOB_NAME = 200, CS_JOB_LINE = 32 << 10 };
enum { CS_JOBS_PROCESSES = 64, CS_JOBS_FDS = 2 * CS_JOBS_PROCESSES };

typedef struct cs_job {
    char name[CS_JOB_NAME]; /* description: "small.step=0.1, seed 2" */
    char open[CS_JOB_LINE]; /* the command that opens it: see cs_job_open */
    const char *query; /* the command whose answer is the result [borrowed] */
    double steps;      /* steps per chain; NAN: the scenario's budget */
    bool beyond;       /* continue if the run stops before `steps` */
    bool still;        /* query before any step */
    bool settles;      /* wait until all reports are complete */
} cs_job;

/* Starts the line with the scenario `file` and set[n]; the job has the
 * scenario's budget. Call cs_job_set once per further setting ("seed=7"). Both
 * return false if the line is too long. */
bool cs_job_open(cs_job *job, const char *file, const char *const *set,
                 size_t n);
bool cs_job_set(cs_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Describes the jobs. `self` is passed to each function. */
typedef struct cs_job_source {
    void *self;
    size_t n;
    cs_status (*describe)(void *self, size_t i, cs_job *out, cs_error *err);
    /* OPTIONAL. Returns true if job i is to be run here; NULL: all are. */
    bool (*mine)(void *self, size_t i);
    /* OPTIONAL. Loads the saved result of job i; leaves *r unchanged, with
     * r->there false, if there is none. */
    cs_status (*load)(void *self, size_t i, cs_result *r, cs_error *err);
    cs_status (*save)(void *self, size_t i, const cs_job *job,
                      const cs_result *r, cs_error *err);
    /* OPTIONAL. Writes the result from the last snapshot, instead of the
     * answer's text. */
    void (*read)(void *self, size_t i, const cs_shot *s, cs_page *out);
    /* OPTIONAL. Called when job i has its result, new or saved, in any order.
     * An error ends the engine. */
    cs_status (*done)(void *self, size_t i, const cs_result *r, cs_error *err);
    /* OPTIONAL. Called with a snapshot of a running job. *told: number of
     * messages of the session printed so far, initially those of its
     * opening. */
    void (*watch)(void *self, const cs_shot *s, double *reported);
} cs_job_source;

typedef struct cs_jobs_options {
    /* Forks a session with a script host. [own: cs_client_destroy] */
    cs_status (*session)(void *self, cs_client **out, cs_error *err);
    void *self;
    size_t processes; /* simultaneous sessions, 1 .. CS_JOBS_PROCESSES */
    int closing;      /* milliseconds for a session to end; 0: kill it */
    /* OPTIONAL. Returns true if a signal arrived: sessions are being stopped,
     * and later reports are not results. */
    bool (*stopped)(void);
} cs_jobs_options;

typedef struct cs_jobs cs_jobs;

/* Opens the jobs and loads saved results. *out is set before the first call of
 * the source. [own: cs_jobs_close] */
cs_status cs_jobs_open(cs_jobs **out, const cs_job_source *source,
                       const cs_jobs_options *options, cs_error *err);
/* Ends all sessions. NULL is allowed. */
void cs_jobs_close(cs_jobs *j);

/* Processes the messages of the sessions and starts jobs in idle ones. A failed
 * job has a result with the reason. An error means that no process could be
 * created, or comes from the source. */
cs_status cs_jobs_tend(cs_jobs *j, cs_error *err);
/* Limits the number of sessions from now on; running ones continue. 0: start
 * none. */
void cs_jobs_allow(cs_jobs *j, size_t processes);
/* Interrupts and ends all sessions. */
void cs_jobs_stop(cs_jobs *j);

/* Writes descriptors for poll() to fd[CS_JOBS_FDS]; returns their number. */
int cs_jobs_fds(const cs_jobs *j, int *fd);

typedef struct cs_jobs_count {
    size_t mine, kept,
        made;     /* jobs to run here; of these loaded, and run now */
    size_t busy;  /* running sessions */
    double share; /* completed share of the jobs to run here, in [0, 1] */
    double left;  /* seconds until all are complete; NAN: unknown */
} cs_jobs_count;
cs_jobs_count cs_jobs_counted(const cs_jobs *j);

/* Returns the result of job i [borrowed], which a source may fill in from
 * elsewhere. */
cs_result *cs_jobs_result(cs_jobs *j, size_t i);
