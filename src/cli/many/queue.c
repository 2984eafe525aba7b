#include "cli/many/queue.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"
#include "files/file.h"
#include "files/lock.h"
#include "run/arms/share.h"
#include "session/host/join.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SCENARIO_MOST = 64 << 20, CLOSING = 3000 };

struct cs_queue {
    cs_queue_spec spec;
    cs_front_options front;
    cs_share share;
    const char *folder; /* folder of --out; NULL: results are not saved */
    int lock;
    cs_page plan;
    cs_jobs *jobs; /* the running jobs [own] */
    /* [spec.jobs], used with ranks: true if rank 0 repeats the job, because
     * the job failed or its result was damaged [own] */
    bool *again;
    cs_job job; /* the job that is being described */
    size_t processes;
    bool ranks;   /* true if the parts are MPI ranks, which share the folder */
    bool gathers; /* true for rank 0, which waits for the other ranks */
};

/* ---- jobs ---- */

bool cs_queue_job(cs_job *job, const char *file, const cs_args *args)
{
    return cs_job_open(job, file, args->set, args->n_set) &&
           cs_job_set(job, "default_warmup=usual") && cs_job_set(job, "read=1");
}

cs_status cs_queue_ask(const cs_args *args, const cs_job *job,
                       const char *question, char **text, cs_error *err)
{
    cs_front_options options = {0};
    cs_client *c = NULL;
    cs_status status = cs_front_read(args, &options, err);
    if (status == CS_OK)
        status = cs_front_create(&c, &options, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "reports", NULL, err);
    if (status == CS_OK)
        status = cs_front_ask(c, job->open, NULL, err);
    if (status == CS_OK)
        status = cs_front_hear(c, question, text, err);
    if (c)
        cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status;
}

static bool is_mine(const cs_queue *q, size_t i)
{
    return cs_share_is_all(q->share) ||
           (q->again[i] ? 0 : i % q->share.parts) == q->share.part;
}

static bool mine(void *self, size_t i)
{
    return is_mine(self, i);
}

/* Computes a digest of all scenarios. A scenario that several consecutive jobs
 * share is included once. */
static void digest_scenarios(cs_queue *q, uint64_t *digest)
{
    const char *last = NULL;
    *digest = CS_DIGEST;
    for (size_t i = 0; i < q->spec.jobs; i++) {
        unsigned char *bytes;
        size_t size;
        const char *file = q->spec.file(q->spec.of, i);
        if (last && strcmp(last, file) == 0)
            continue;
        last = file;
        if (cs_file_read(last, SCENARIO_MOST, &bytes, &size, NULL))
            continue; /* the jobs of this scenario will report the error */
        *digest = cs_digest(*digest, bytes, size);
        cs_free(bytes);
    }
}

static cs_status describe(void *self, size_t i, cs_job *job, cs_error *err)
{
    cs_queue *q = self;
    const char *workers = cs_args_value(q->spec.args, "workers");
    cs_status status = q->spec.describe(q->spec.of, i, job, err);
    bool fits = true;
    if (workers)
        fits = cs_job_set(job, "workers=%s", workers);
    else if (q->processes > 1)
        fits = cs_job_set(job, "workers=1");
    return status || fits
               ? status
               : cs_fail(err, CS_INPUT, "too many settings for one run");
}

/* ---- opening ---- */

/* Assigns one part of the queue to each rank started by mpirun; all ranks use
 * one folder. */
static cs_status take_rank(cs_queue *q, cs_error *err)
{
    cs_rank mine = cs_join_expected();
    if (mine.size <= 1)
        return CS_OK;
    if (!q->folder || !cs_args_value(q->spec.args, "resume") ||
        cs_args_value(q->spec.args, "part")) {
        cs_fail(err, CS_INPUT, "MPI ranks need a shared folder");
        cs_hint(err, "add --out DIR --resume and leave out --part");
        return CS_INPUT;
    }
    q->share = (cs_share){mine.rank, mine.size};
    q->ranks = true;
    q->gathers = mine.rank == 0;
    return CS_OK;
}

static cs_status read_options(cs_queue *q, cs_error *err)
{
    const cs_args *args = q->spec.args;
    const char *part = cs_args_value(args, "part");
    size_t ranks = cs_join_expected().beside;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs, workers, usual = q->spec.processes;
    if (usual == 0)
        usual = cores > 0 ? (uint64_t)cores : 1;
    /* each rank gets an equal share of the processes on this machine */
    if (ranks > 1 && usual > 1)
        usual = usual > ranks ? usual / ranks : 1;
    q->folder = cs_args_value(args, "out");
    cs_status status = cs_front_read(args, &q->front, err);
    if (status == CS_OK && part)
        status = cs_share_read(&q->share, part, err);
    if (status == CS_OK)
        status = take_rank(q, err);
    if (status == CS_OK)
        status = cs_args_count(args, "jobs", usual, &jobs, err);
    if (status == CS_OK)
        status = cs_args_count(args, "workers", 0, &workers, err);
    if (status)
        return status;
    if (jobs < 1 || jobs > CS_JOBS_PROCESSES)
        return cs_fail(err, CS_RANGE, "--jobs must be between 1 and %d",
                       CS_JOBS_PROCESSES);
    q->processes = jobs;
    static const char *const of_files[] = {"part", "resume", "force"};
    for (size_t i = 0; i < 3 && !q->folder; i++)
        if (cs_args_value(args, of_files[i])) {
            cs_fail(err, CS_INPUT, "--%s needs --out", of_files[i]);
            cs_hint(err, "add --out DIR");
            return CS_INPUT;
        }
    return CS_OK;
}

/* Loads the result of job i. A result that cannot be read is reported, and the
 * job is repeated. A failed job is also repeated, since it may succeed now.
 * With ranks, rank 0 repeats the failed jobs: it cannot know whether a failure
 * is an earlier one or a new one of another rank. */
static cs_status load(void *self, size_t i, cs_result *r, cs_error *err)
{
    cs_queue *q = self;
    cs_error why;
    if (!q->folder)
        return CS_OK;
    cs_status status =
        cs_store_read(q->folder, q->plan.text, i, q->spec.jobs, r, &why);
    if (status == CS_MEMORY)
        return cs_fail(err, status, "out of memory for the results");
    q->again[i] = q->ranks && (status || r->failure);
    if (status) {
        char text[1100], clean[2400];
        cs_error_format(&why, text, sizeof text);
        cs_text_clean(text, clean, sizeof clean);
        if (is_mine(q, i))
            fprintf(stderr, "chainscope: %s: this run is repeated\n", clean);
    }
    if (r->failure && is_mine(q, i))
        cs_result_fini(r);
    return CS_OK;
}

static cs_status save(void *self, size_t i, const cs_job *job,
                      const cs_result *r, cs_error *err)
{
    cs_queue *q = self;
    return q->folder ? cs_store_write(q->folder, q->plan.text, i, q->spec.jobs,
                                      job->name, r, err)
                     : CS_OK;
}

static cs_status done(void *self, size_t i, const cs_result *r, cs_error *err)
{
    const cs_queue *q = self;
    (void)r;
    return q->spec.done ? q->spec.done(q->spec.of, i, err) : CS_OK;
}

/* Prints messages of the runs. The last message of a failed run is not printed,
 * since it is the run's result. */
static void print_messages(void *self, const cs_shot *s, double *reported)
{
    static cs_seen seen; /* static because it is too large for the stack */
    (void)self;
    cs_follow_read(s->base, s->used, &seen);
    bool failed = strcmp(seen.state, "failed") == 0;
    cs_follow_messages(&seen, seen.messages - failed, reported);
}

static cs_status open_folder(cs_queue *q, cs_error *err)
{
    const cs_args *args = q->spec.args;
    uint64_t digest;
    digest_scenarios(q, &digest);
    cs_store_plan(args, digest, q->spec.jobs, &q->plan);
    if (q->plan.full)
        return cs_fail(err, CS_MEMORY, "out of memory for the plan");
    if (!q->folder || q->spec.jobs == 0) /* there is nothing to save */
        return CS_OK;
    cs_status status = cs_store_open(q->folder, q->plan.text,
                                     cs_args_value(args, "resume") != NULL,
                                     cs_args_value(args, "force") != NULL, err);
    return status == CS_OK && cs_share_is_all(q->share)
               ? cs_lock_take(q->folder, &q->lock, err)
               : status;
}

static cs_status start_session(void *self, cs_client **out, cs_error *err)
{
    const cs_queue *q = self;
    return cs_front_create_locked(out, &q->front, q->lock, err);
}

static bool is_stopped(void)
{
    return cs_stop_signal() != 0;
}

static cs_status open_jobs(cs_queue *q, cs_error *err)
{
    const cs_job_source source = {.self = q,
                                  .n = q->spec.jobs,
                                  .describe = describe,
                                  .mine = mine,
                                  .load = load,
                                  .save = save,
                                  .done = done,
                                  .watch = print_messages};
    const cs_jobs_options options = {.session = start_session,
                                     .self = q,
                                     .processes = q->processes,
                                     .closing = CLOSING,
                                     .stopped = is_stopped};
    return cs_jobs_open(&q->jobs, &source, &options, err);
}

cs_status cs_queue_open(cs_queue **out, const cs_queue_spec *spec,
                        cs_error *err)
{
    cs_queue *q = cs_alloc(1, sizeof *q);
    if (!q)
        return cs_fail(err, CS_MEMORY, "out of memory for the runs");
    q->spec = *spec;
    q->lock = CS_NO_LOCK;
    cs_status status = read_options(q, err);
    q->again = cs_alloc(spec->jobs + 1, sizeof *q->again);
    if (status == CS_OK && !q->again)
        status = cs_fail(err, CS_MEMORY, "out of memory for the runs");
    *out = q; /* set now, since the callback `done` uses it */
    if (status == CS_OK)
        status = open_folder(q, err);
    if (status == CS_OK)
        status = open_jobs(q, err);
    if (status) {
        *out = NULL;
        cs_queue_close(q);
    }
    return status;
}

void cs_queue_close(cs_queue *q)
{
    if (!q)
        return;
    cs_jobs_close(q->jobs);
    if (q->folder)
        cs_lock_release(q->folder, q->lock);
    cs_free(q->again);
    cs_free(q->plan.text);
    cs_free(q);
}

/* ---- the queue ---- */

/* Prints "sweep: 12 of 48 runs, 2 running, 27 %, 1:20 left". */
static void show_progress(const cs_queue *q)
{
    cs_jobs_count c = cs_jobs_counted(q->jobs);
    if (!isatty(STDERR_FILENO) || c.mine == 0)
        return;
    fprintf(stderr, "\r\033[K%s: %zu of %zu run%s, %zu running, %.0f %%",
            q->spec.args->sub->name, c.kept + c.made, c.mine,
            c.mine == 1 ? "" : "s", c.busy, floor(100 * c.share));
    if (isfinite(c.left))
        cs_follow_left(c.left);
    fflush(stderr);
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

static void wait_for_news(const cs_queue *q)
{
    int fd[CS_JOBS_FDS], n = cs_jobs_fds(q->jobs, fd);
    struct pollfd p[CS_JOBS_FDS];
    for (int i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
    if (n)
        poll(p, (nfds_t)n, 200);
}

/* Waits until the other ranks have written all results. */
static cs_status gather(cs_queue *q, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < q->spec.jobs && status == CS_OK;) {
        cs_result *r = cs_jobs_result(q->jobs, i);
        if (cs_stop_signal())
            return cs_fail(err, CS_STOPPED, "stopped");
        if (!r->there)
            status =
                cs_store_read(q->folder, q->plan.text, i, q->spec.jobs, r, err);
        bool news = r->there && !is_mine(q, i);
        if (news && status == CS_OK)
            status = done(q, i, r, err);
        if (r->there)
            i++;
        else
            poll(NULL, 0, 200);
    }
    return status;
}

cs_status cs_queue_work(cs_queue *q, cs_error *err)
{
    cs_status status;
    do {
        status = cs_jobs_tend(q->jobs, err);
        show_progress(q);
        if (status == CS_OK && !cs_stop_signal())
            wait_for_news(q);
    } while (cs_jobs_counted(q->jobs).busy && status == CS_OK &&
             !cs_stop_signal());
    clear_progress();
    cs_jobs_stop(q->jobs);
    if (status == CS_OK && cs_stop_signal())
        return cs_fail(err, CS_STOPPED, "stopped");
    return status == CS_OK && q->gathers ? gather(q, err) : status;
}

const cs_result *cs_queue_result(const cs_queue *q, size_t i)
{
    return cs_jobs_result(q->jobs, i);
}

bool cs_queue_is_whole(const cs_queue *q)
{
    for (size_t i = 0; i < q->spec.jobs; i++)
        if (!cs_queue_result(q, i)->there)
            return false;
    return true;
}

bool cs_queue_shows(const cs_queue *q)
{
    return q->gathers || cs_share_is_all(q->share);
}

/* Returns the number of failed jobs of this part. */
static size_t failures(const cs_queue *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->spec.jobs; i++)
        n += is_mine(q, i) && cs_queue_result(q, i)->failure != NULL;
    return n;
}

static void say_where(const cs_queue *q)
{
    cs_jobs_count c = cs_jobs_counted(q->jobs);
    char clean[4096];
    if (!q->folder) {
        cs_stop_say(
            "after %zu of %zu run%s; add --out DIR to save their results",
            c.made, c.mine, c.mine == 1 ? "" : "s");
        return;
    }
    cs_text_clean(q->folder, clean, sizeof clean);
    cs_stop_say("after %zu of %zu run%s, saved in %s; repeat the command with "
                "--resume to continue",
                c.kept + c.made, c.mine, c.mine == 1 ? "" : "s", clean);
}

int cs_queue_say_end(const cs_queue *q, cs_status status, const cs_error *err)
{
    size_t mine = cs_jobs_counted(q->jobs).mine;
    char clean[4096];
    if (status == CS_STOPPED && cs_stop_signal()) {
        say_where(q);
        return CS_EXIT_FAILED;
    }
    if (status)
        return cs_complain(err);
    if (cs_queue_is_whole(q) && (q->gathers || cs_join_expected().size <= 1))
        return -1;
    if (cs_join_expected().size > 1)
        return failures(q) ? CS_EXIT_FAILED : CS_EXIT_OK;
    cs_text_clean(q->folder, clean, sizeof clean);
    fprintf(stderr,
            "chainscope: part %llu of %llu is complete: %zu run%s in %s",
            (unsigned long long)q->share.part + 1,
            (unsigned long long)q->share.parts, mine,
            mine == 1 ? " is" : "s are", clean);
    if (failures(q))
        fprintf(stderr, ", %zu of which failed", failures(q));
    fprintf(stderr, "\n");
    return failures(q) ? CS_EXIT_FAILED : CS_EXIT_OK;
}
