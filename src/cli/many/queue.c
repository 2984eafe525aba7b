#include "cli/many/queue.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"
#include "files/file.h"
#include "files/lock.h"
#include "session/host/join.h"

#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROCESSES = 64, SCENARIO_MOST = 64 << 20, CLOSING = 3000 };

/* What has been asked of a session: the ids of the replies. */
enum { NOTHING, QUIET, OPENED, MOVED, ASKED };

/* A process at work. */
typedef struct worker {
    cs_client *client; /* [own] NULL: it is idle */
    size_t job;
    bool still; /* as that of the job */
    uint32_t asked, answered;
    cs_seen seen;
    double told, began;
    FILE *answer; /* writes to text[size] [own] */
    char *text;
    size_t size;
} worker;

struct cs_queue {
    cs_queue_spec spec;
    cs_front_options front;
    cs_share share;
    const char *folder; /* NULL: nothing is kept */
    int lock;
    cs_page plan;
    cs_result *result;       /* [spec.jobs] [own] */
    bool *again;             /* [spec.jobs] of ranks: the first makes it, for it
                                had failed or is damaged [own] */
    cs_job job;              /* that is being described */
    size_t next;             /* the first that may still be to be made */
    size_t mine, kept, made; /* jobs of this part; there before; made now */
    worker *worker;          /* [processes] [own] */
    size_t processes;
    double began;
    bool ranks;   /* its parts are those of mpirun, and share the folder */
    bool gathers; /* the first of them, which waits for the others */
};

/* ---- jobs ---- */

bool cs_job_open(cs_job *job, const char *file, const cs_args *args)
{
    job->file = file;
    strcpy(job->open, "open");
    bool fits = cs_front_add(job->open, sizeof job->open, file);
    for (size_t i = 0; i < args->n_set; i++)
        fits = fits && cs_front_add(job->open, sizeof job->open, args->set[i]);
    return fits && cs_job_set(job, "default_warmup=usual") &&
           cs_job_set(job, "read=1");
}

bool cs_job_set(cs_job *job, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return n < (int)sizeof text &&
           cs_front_add(job->open, sizeof job->open, text);
}

static bool is_mine(const cs_queue *q, size_t i)
{
    return cs_share_is_all(q->share) ||
           (q->again[i] ? 0 : i % q->share.parts) == q->share.part;
}

/* Of all scenarios, each once where its jobs stand together. */
static cs_status digest_scenarios(cs_queue *q, uint64_t *digest, cs_error *err)
{
    const char *last = NULL;
    *digest = CS_DIGEST;
    for (size_t i = 0; i < q->spec.jobs; i++) {
        unsigned char *bytes;
        size_t size;
        cs_status status = q->spec.describe(q->spec.of, i, &q->job, err);
        if (status)
            return status;
        if (last && strcmp(last, q->job.file) == 0)
            continue;
        last = q->job.file;
        if (cs_file_read(last, SCENARIO_MOST, &bytes, &size, NULL))
            continue; /* its jobs will say so */
        *digest = cs_digest(*digest, bytes, size);
        cs_free(bytes);
    }
    return CS_OK;
}

/* ---- opening ---- */

/* Ranks that mpirun has started are parts of the queue, in one folder. */
static cs_status take_rank(cs_queue *q, cs_error *err)
{
    cs_rank mine = cs_join_expected();
    if (mine.size <= 1)
        return CS_OK;
    if (!q->folder || !cs_args_value(q->spec.args, "resume") ||
        cs_args_value(q->spec.args, "part")) {
        cs_fail(err, CS_INPUT, "ranks share a folder");
        cs_hint(err, "give --out DIR --resume, and no --part");
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
    if (ranks > 1 && usual > 1) /* they share the machine */
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
    if (jobs < 1 || jobs > MOST_PROCESSES)
        return cs_fail(err, CS_RANGE, "--jobs is from 1 to %d", MOST_PROCESSES);
    q->processes = jobs;
    static const char *const of_files[] = {"part", "resume", "force"};
    for (size_t i = 0; i < 3 && !q->folder; i++)
        if (cs_args_value(args, of_files[i])) {
            cs_fail(err, CS_INPUT, "--%s is of the files of --out",
                    of_files[i]);
            cs_hint(err, "give --out DIR too");
            return CS_INPUT;
        }
    return CS_OK;
}

/* One that cannot be read is made anew; that is said. So is one that had failed,
 * for it may go better now: of ranks by the first, which could not tell a failure
 * that was there before from another rank's new one. */
static cs_status read_kept(cs_queue *q, size_t i, cs_error *err)
{
    cs_error why;
    cs_status status = cs_store_read(q->folder, q->plan.text, i, q->spec.jobs,
                                     &q->result[i], &why);
    if (status == CS_MEMORY)
        return cs_fail(err, status, "no memory for the results");
    q->again[i] = q->ranks && (status || q->result[i].failure);
    if (status) {
        char text[1100], clean[2400];
        cs_error_format(&why, text, sizeof text);
        cs_text_clean(text, clean, sizeof clean);
        if (is_mine(q, i))
            fprintf(stderr, "chainscope: %s: it is made again\n", clean);
        return CS_OK;
    }
    if (q->result[i].failure && is_mine(q, i))
        cs_result_fini(&q->result[i]);
    bool there = q->result[i].there;
    q->kept += there && is_mine(q, i);
    return there && q->spec.done ? q->spec.done(q->spec.of, i, err) : CS_OK;
}

static cs_status open_folder(cs_queue *q, cs_error *err)
{
    const cs_args *args = q->spec.args;
    uint64_t digest;
    cs_status status = digest_scenarios(q, &digest, err);
    if (status)
        return status;
    cs_store_plan(args, digest, q->spec.jobs, &q->plan);
    if (q->plan.full)
        return cs_fail(err, CS_MEMORY, "no memory for the plan");
    if (!q->folder || q->spec.jobs == 0) /* nothing to keep */
        return CS_OK;
    status = cs_store_open(q->folder, q->plan.text,
                           cs_args_value(args, "resume") != NULL,
                           cs_args_value(args, "force") != NULL, err);
    if (status == CS_OK && cs_share_is_all(q->share))
        status = cs_lock_take(q->folder, &q->lock, err);
    for (size_t i = 0; i < q->spec.jobs && status == CS_OK; i++)
        status = read_kept(q, i, err);
    return status;
}

cs_status cs_queue_open(cs_queue **out, const cs_queue_spec *spec,
                        cs_error *err)
{
    cs_queue *q = cs_alloc(1, sizeof *q);
    if (!q)
        return cs_fail(err, CS_MEMORY, "no memory for the runs");
    q->spec = *spec;
    q->lock = CS_NO_LOCK;
    cs_status status = read_options(q, err);
    if (status == CS_OK) {
        q->result = cs_alloc(spec->jobs + 1, sizeof *q->result);
        q->again = cs_alloc(spec->jobs + 1, sizeof *q->again);
        q->worker = cs_alloc(q->processes, sizeof *q->worker);
        if (!q->result || !q->again || !q->worker)
            status = cs_fail(err, CS_MEMORY, "no memory for the runs");
    }
    *out = q; /* known to `done` */
    if (status == CS_OK)
        status = open_folder(q, err);
    for (size_t i = 0; i < spec->jobs && status == CS_OK; i++)
        q->mine += is_mine(q, i);
    if (status) {
        *out = NULL;
        cs_queue_close(q);
    }
    return status;
}

/* ---- a worker ---- */

static void end_session(worker *w, int milliseconds)
{
    if (w->client) {
        cs_client_close(w->client, milliseconds);
        cs_client_destroy(w->client);
    }
    if (w->answer)
        fclose(w->answer);
    free(w->text);
    *w = (worker){0};
}

void cs_queue_close(cs_queue *q)
{
    if (!q)
        return;
    for (size_t i = 0; q->worker && i < q->processes; i++)
        end_session(&q->worker[i], 0);
    for (size_t i = 0; q->result && i < q->spec.jobs; i++)
        cs_result_fini(&q->result[i]);
    if (q->folder)
        cs_lock_release(q->folder, q->lock);
    cs_free(q->result);
    cs_free(q->again);
    cs_free(q->worker);
    cs_free(q->plan.text);
    cs_free(q);
}

static cs_status say(worker *w, const char *line, uint32_t id, cs_error *err)
{
    w->asked = id;
    return cs_client_send(w->client, line, id, err);
}

static cs_status start_session(cs_queue *q, worker *w, cs_error *err)
{
    cs_client *other[MOST_PROCESSES];
    size_t n = 0;
    for (size_t i = 0; i < q->processes; i++)
        if (q->worker[i].client)
            other[n++] = q->worker[i].client;
    w->answer = open_memstream(&w->text, &w->size);
    if (!w->answer)
        return cs_fail(err, CS_MEMORY, "no memory for an answer");
    return cs_front_create_among(&w->client, &q->front, other, n, q->lock, err);
}

/* Begins job i. */
static cs_status begin(cs_queue *q, worker *w, size_t i, cs_error *err)
{
    const char *workers = cs_args_value(q->spec.args, "workers");
    cs_status status = q->spec.describe(q->spec.of, i, &q->job, err);
    bool fits = true;
    if (status)
        return status;
    if (workers)
        fits = cs_job_set(&q->job, "workers=%s", workers);
    else if (q->processes > 1)
        fits = cs_job_set(&q->job, "workers=1");
    if (!fits)
        return cs_fail(err, CS_INPUT, "more is set than a run can be given");
    status = start_session(q, w, err);
    w->job = i;
    w->still = q->job.still;
    w->began = cs_clock();
    if (status == CS_OK)
        status = say(w, "reports", QUIET, err);
    return status ? status : say(w, q->job.open, OPENED, err);
}

static void take_answer(void *self, const cs_message *m)
{
    worker *w = self;
    if (w->asked == ASKED && m->id == ASKED)
        fwrite(m->body, 1, m->size, w->answer);
}

/* Takes what the session says; its refusal, or its end, is the error. */
static cs_status listen(worker *w, cs_error *err)
{
    cs_status status =
        cs_client_listen(w->client, take_answer, w, &w->answered, ASKED, err);
    cs_follow_look(w->client, &w->seen);
    return status;
}

static cs_status ask(cs_queue *q, worker *w, cs_error *err)
{
    cs_status status = q->spec.describe(q->spec.of, w->job, &q->job, err);
    return status ? status : say(w, q->job.ask, ASKED, err);
}

/* It is open: it runs, unless its script has moved it. */
static cs_status set_going(cs_queue *q, worker *w, cs_error *err)
{
    bool endless = isnan(w->seen.progress);
    w->told = w->seen.messages;
    if (w->still || (endless && w->seen.steps > 0))
        return ask(q, w, err);
    if (endless) {
        cs_fail(err, CS_INPUT, "the scenario has no budget");
        cs_hint(err, "budget = { steps = 10000 }, say");
        return CS_INPUT;
    }
    return say(w, "run", MOVED, err);
}

static cs_status look_after(cs_queue *q, worker *w, cs_error *err)
{
    const cs_seen *s = &w->seen;
    bool failed = strcmp(s->state, "failed") == 0;
    cs_follow_messages(s, s->messages - failed, &w->told);
    if (strcmp(s->state, "running") == 0)
        return CS_OK;
    if (failed)
        return cs_fail(err, CS_NUMERIC, "%s", s->message);
    return ask(q, w, err);
}

/* One job further; *done: it has its result. */
static cs_status tend(cs_queue *q, worker *w, bool *done, cs_error *err)
{
    cs_status status = listen(w, err);
    *done = false;
    if (status || w->answered != w->asked)
        return status;
    if (w->asked == OPENED && w->seen.state[0])
        return set_going(q, w, err);
    if (w->asked == MOVED)
        return look_after(q, w, err);
    *done = w->asked == ASKED;
    return CS_OK;
}

/* ---- the whole ---- */

/* Ends the answer, which has a line at least where all of it came. */
static cs_status end_answer(worker *w, cs_error *err)
{
    bool whole = !ferror(w->answer);
    whole = fclose(w->answer) == 0 && whole;
    w->answer = NULL;
    if (!whole || !w->text)
        return cs_fail(err, CS_MEMORY, "no memory for an answer");
    return *w->text ? CS_OK
                    : cs_fail(err, CS_INTERNAL, "the run's answer is empty");
}

/* Keeps what has come of the worker's job. */
static cs_status keep(cs_queue *q, worker *w, cs_error *why, cs_error *err)
{
    size_t i = w->job;
    cs_result *r = &q->result[i];
    char text[1100];
    cs_error late;
    r->seconds = cs_clock() - w->began;
    if (end_answer(w, &late) && !why->status)
        *why = late;
    if (why->status)
        cs_error_format(why, text, sizeof text);
    char *copy = cs_copy_text(why->status ? text : w->text);
    if (!copy)
        return cs_fail(err, CS_MEMORY, "no memory for the results");
    *(why->status ? &r->failure : &r->text) = copy;
    r->there = true;
    q->made++;
    end_session(w, CLOSING);
    cs_status status = CS_OK;
    if (q->folder) {
        status = q->spec.describe(q->spec.of, i, &q->job, err);
        if (status == CS_OK)
            status = cs_store_write(q->folder, q->plan.text, i, q->spec.jobs,
                                    q->job.name, r, err);
    }
    return status == CS_OK && q->spec.done ? q->spec.done(q->spec.of, i, err)
                                           : status;
}

/* The next job that this part has to make; false: there is none. */
static bool take_next(cs_queue *q, size_t *job)
{
    while (q->next < q->spec.jobs &&
           (!is_mine(q, q->next) || q->result[q->next].there))
        q->next++;
    *job = q->next;
    return q->next < q->spec.jobs ? (q->next++, true) : false;
}

/* The share of the jobs at work that is made. */
static double under_way(const cs_queue *q, size_t *busy)
{
    double sum = 0;
    *busy = 0;
    for (size_t i = 0; i < q->processes; i++) {
        const worker *w = &q->worker[i];
        bool known = w->client && w->seen.progress >= 0;
        sum += known ? fmin(w->seen.progress, 1) : 0;
        *busy += w->client != NULL;
    }
    return sum;
}

/* "sweep: 12 of 48 runs, 2 at work, 27 %, 1:20 left" */
static void show_progress(cs_queue *q)
{
    size_t busy;
    if (!isatty(STDERR_FILENO) || q->mine == 0)
        return;
    double now = (double)q->made + under_way(q, &busy);
    double all = (double)(q->mine - q->kept);
    fprintf(stderr, "\r\033[K%s: %zu of %zu run%s, %zu at work, %.0f %%",
            q->spec.args->sub->name, q->kept + q->made, q->mine,
            q->mine == 1 ? "" : "s", busy,
            floor(100 * ((double)q->kept + now) / (double)q->mine));
    if (now > 0)
        cs_follow_left((cs_clock() - q->began) * (all - now) / now);
    fflush(stderr);
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

static void wait_for_news(const cs_queue *q)
{
    struct pollfd p[2 * MOST_PROCESSES];
    nfds_t n = 0;
    for (size_t i = 0; i < q->processes; i++) {
        int fd[2];
        if (!q->worker[i].client)
            continue;
        cs_client_fds(q->worker[i].client, fd);
        for (int k = 0; k < 2; k++)
            if (fd[k] >= 0)
                p[n++] = (struct pollfd){.fd = fd[k], .events = POLLIN};
    }
    if (n)
        poll(p, n, 200);
}

/* Begins the next job, if there is one. Where no process can be had, that is not
 * the job's fault, and the error. */
static cs_status take_up(cs_queue *q, worker *w, cs_error *err)
{
    size_t job;
    cs_error why = {0};
    if (!take_next(q, &job))
        return CS_OK;
    cs_status status = begin(q, w, job, &why);
    if (status && w->client)
        return keep(q, w, &why, err);
    if (status && err)
        *err = why;
    return status;
}

/* One look at a worker; what it says once a signal has come is of its being
 * stopped. */
static cs_status turn(cs_queue *q, worker *w, cs_error *err)
{
    cs_error why = {0};
    bool done = false;
    cs_status status = CS_OK;
    if (w->client) {
        status = tend(q, w, &done, &why);
        if (status == CS_OK)
            why.status = CS_OK;
        bool ends = (status || done) && !cs_stop_signal();
        status = ends ? keep(q, w, &why, err) : CS_OK;
    }
    return status || w->client ? status : take_up(q, w, err);
}

static bool is_busy(const cs_queue *q)
{
    bool busy = false;
    for (size_t i = 0; i < q->processes; i++)
        busy |= q->worker[i].client != NULL;
    return busy;
}

static void stop_all(cs_queue *q)
{
    for (size_t i = 0; i < q->processes; i++)
        if (q->worker[i].client)
            cs_client_interrupt(q->worker[i].client);
    for (size_t i = 0; i < q->processes; i++)
        end_session(&q->worker[i], CLOSING);
}

/* Until the other ranks have written what is theirs. */
static cs_status gather(cs_queue *q, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < q->spec.jobs && status == CS_OK;) {
        if (cs_stop_signal())
            return cs_fail(err, CS_STOPPED, "stopped");
        if (!q->result[i].there)
            status = cs_store_read(q->folder, q->plan.text, i, q->spec.jobs,
                                   &q->result[i], err);
        bool there = q->result[i].there, news = there && !is_mine(q, i);
        if (news && status == CS_OK && q->spec.done)
            status = q->spec.done(q->spec.of, i, err);
        if (there)
            i++;
        else
            poll(NULL, 0, 200);
    }
    return status;
}

cs_status cs_queue_work(cs_queue *q, cs_error *err)
{
    cs_status status = CS_OK;
    q->began = cs_clock();
    do {
        for (size_t i = 0; i < q->processes && status == CS_OK; i++)
            status = turn(q, &q->worker[i], err);
        show_progress(q);
        if (status == CS_OK && !cs_stop_signal())
            wait_for_news(q);
    } while (is_busy(q) && status == CS_OK && !cs_stop_signal());
    clear_progress();
    stop_all(q);
    if (status == CS_OK && cs_stop_signal())
        return cs_fail(err, CS_STOPPED, "stopped");
    return status == CS_OK && q->gathers ? gather(q, err) : status;
}

const cs_result *cs_queue_result(const cs_queue *q, size_t i)
{
    return &q->result[i];
}

bool cs_queue_is_whole(const cs_queue *q)
{
    for (size_t i = 0; i < q->spec.jobs; i++)
        if (!q->result[i].there)
            return false;
    return true;
}

bool cs_queue_shows(const cs_queue *q)
{
    return q->gathers || cs_share_is_all(q->share);
}

/* What this part has failed in. */
static size_t failures(const cs_queue *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->spec.jobs; i++)
        n += is_mine(q, i) && q->result[i].failure != NULL;
    return n;
}

static void say_where(const cs_queue *q)
{
    char clean[4096];
    if (!q->folder) {
        cs_stop_say("after %zu of %zu run%s; with --out DIR they would be kept",
                    q->made, q->mine, q->mine == 1 ? "" : "s");
        return;
    }
    cs_text_clean(q->folder, clean, sizeof clean);
    cs_stop_say("after %zu of %zu run%s, which %s holds; the same command with "
                "--resume goes on",
                q->kept + q->made, q->mine, q->mine == 1 ? "" : "s", clean);
}

int cs_queue_say_end(const cs_queue *q, cs_status status, const cs_error *err)
{
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
    fprintf(stderr, "chainscope: part %llu of %llu is made: %zu run%s in %s",
            (unsigned long long)q->share.part + 1,
            (unsigned long long)q->share.parts, q->mine,
            q->mine == 1 ? " is" : "s are", clean);
    if (failures(q))
        fprintf(stderr, ", %zu of which failed", failures(q));
    fprintf(stderr, "\n");
    return failures(q) ? CS_EXIT_FAILED : CS_EXIT_OK;
}
