/* Background runs, for the command line and the screen. A job is a scenario
 * with settings and a seed. It is opened in a separate session, run, and
 * queried once; the answer is its result. A source describes the jobs and may
 * save and load results. The engine runs the missing jobs in several sessions
 * at a time. A job has three states. It leaves a state when the condition of
 * that state holds:
 *
 *     state    condition                      next
 *     open     the snapshot has arrived       run, or query
 *     run      the run has stopped            run more steps, or query
 *     query    the answer has arrived, and
 *              the reports are complete       store the result
 *
 * cs_jobs_tend processes the messages of all sessions and never waits. The
 * screen calls it in its event loop; the command line calls poll() on
 * cs_jobs_fds between calls. */
#pragma once

#include "base/page.h"
#include "jobs/result.h"
#include "race/shot.h"
#include "session/client/client.h"

enum { CS_JOB_NAME = 200, CS_JOB_LINE = 32 << 10 };
enum { CS_JOBS_PROCESSES = 64, CS_JOBS_FDS = 2 * CS_JOBS_PROCESSES };

typedef struct cs_job {
    char name[CS_JOB_NAME]; /* description, as in "small.step=0.1, seed 2" */
    char open[CS_JOB_LINE]; /* command that opens the job (see cs_job_open) */
    const char *query;      /* command whose answer is the result [borrowed] */
    double steps;           /* steps per chain; NAN: the scenario's budget */
    bool beyond;            /* continue if the run stops before `steps` */
    bool still;             /* query before the first step */
    bool settles;           /* wait until all reports are complete before the
                               query */
} cs_job;

/* Writes the command that opens the scenario `file` with the n settings set[].
 * The job ends when the scenario's budget is spent. Call cs_job_set once for
 * each further setting ("seed=7"). Both return false if the command is too
 * long. */
bool cs_job_open(cs_job *job, const char *file, const char *const *set,
                 size_t n);
bool cs_job_set(cs_job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The functions that describe the jobs. `self` is passed to each function. */
typedef struct cs_job_source {
    void *self;
    size_t n;
    cs_status (*describe)(void *self, size_t i, cs_job *out, cs_error *err);
    /* OPTIONAL. Returns true if this process must run job i. NULL: this process
     * runs all jobs. */
    bool (*mine)(void *self, size_t i);
    /* OPTIONAL. Loads the saved result of job i. If the job has no saved
     * result, *r is unchanged and r->there is false. */
    cs_status (*load)(void *self, size_t i, cs_result *r, cs_error *err);
    cs_status (*save)(void *self, size_t i, const cs_job *job,
                      const cs_result *r, cs_error *err);
    /* OPTIONAL. Writes the result of job i, read from the job's last snapshot.
     * This result replaces the text of the answer. */
    void (*read)(void *self, size_t i, const cs_shot *s, cs_page *out);
    /* OPTIONAL. Called once per job, in any order, with its new or saved
     * result. If it fails, the engine stops with that error. */
    cs_status (*done)(void *self, size_t i, const cs_result *r, cs_error *err);
    /* OPTIONAL. Called with each snapshot of a running job. Updates *reported,
     * the number of messages that were printed so far. Messages that were
     * printed when the job was opened are counted too. */
    void (*watch)(void *self, const cs_shot *s, double *reported);
} cs_job_source;

typedef struct cs_jobs_options {
    /* Forks a session with a script host. [own: cs_client_destroy] */
    cs_status (*session)(void *self, cs_client **out, cs_error *err);
    void *self;
    /* number of simultaneous sessions, 1 .. CS_JOBS_PROCESSES */
    size_t processes;
    int closing; /* milliseconds to wait for the end of a session; 0: kill it */
    /* OPTIONAL. Returns true if a signal has arrived. In this case sessions are
     * being stopped, and answers that arrive later are not results. */
    bool (*stopped)(void);
} cs_jobs_options;

typedef struct cs_jobs cs_jobs;

/* Creates the engine and loads saved results. *out is set before any function
 * of the source is called. [own: cs_jobs_close] */
cs_status cs_jobs_open(cs_jobs **out, const cs_job_source *source,
                       const cs_jobs_options *options, cs_error *err);
/* Ends all sessions. NULL is allowed. */
void cs_jobs_close(cs_jobs *j);

/* Processes the messages of the sessions and starts jobs in idle ones. The
 * result of a failed job contains the reason. Returns an error if no process
 * can be created or if the source fails. */
cs_status cs_jobs_tend(cs_jobs *j, cs_error *err);
/* Limits the number of sessions from now on. Running sessions continue. 0:
 * start no more sessions. */
void cs_jobs_allow(cs_jobs *j, size_t processes);
/* Interrupts and ends all sessions. */
void cs_jobs_stop(cs_jobs *j);

/* Writes descriptors for poll() to fd[CS_JOBS_FDS]. Returns the number of
 * descriptors. */
int cs_jobs_fds(const cs_jobs *j, int *fd);

typedef struct cs_jobs_count {
    /* numbers of jobs. mine: jobs for this process; kept: jobs whose saved
     * result was loaded; made: jobs that this process has run so far */
    size_t mine, kept, made;
    size_t busy;  /* number of running sessions */
    double share; /* completed share of the jobs of this process, in [0, 1] */
    double left;  /* seconds until all jobs are complete; NAN: unknown */
} cs_jobs_count;
cs_jobs_count cs_jobs_counted(const cs_jobs *j);

/* Returns the result of job i [borrowed]. The source may change the result. */
cs_result *cs_jobs_result(cs_jobs *j, size_t i);
