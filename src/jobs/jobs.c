#include "jobs/jobs.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/page.h"
#include "session/client/shell_words.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The states of a session, in the order in which their commands are sent. Each
 * state has the name of the command that was sent last. The value of a state is
 * also the id of the reply to this command. */
typedef enum state { IDLE, QUIET, OPENED, MOVED, QUERIED } state;

/* A running session. */
typedef struct worker {
    cs_client *client; /* [own] NULL: idle */
    size_t i;          /* index of its job */
    cs_job job;
    uint32_t sent, answered; /* last command; last reply */
    cs_shot shot;            /* newest snapshot [borrowed] */
    double reported, began;
    FILE *answer; /* writes to text[size] [own] */
    char *text;
    size_t size;
} worker;

struct cs_jobs {
    cs_job_source source;
    cs_jobs_options options;
    cs_result *result;       /* [source.n] [own] */
    worker *worker;          /* [options.processes] [own] */
    size_t allowed;          /* maximum number of simultaneous sessions */
    size_t next;             /* first job whose result may be missing */
    size_t mine, kept, made; /* see cs_jobs_count */
    double began;
};

/* ---- jobs ---- */

static bool add_word(cs_job *job, const char *text)
{
    size_t at = strlen(job->open);
    if (at + 2 >= sizeof job->open)
        return false;
    job->open[at] = ' ';
    return cs_words_quote(text, job->open + at + 1, sizeof job->open - at - 1);
}

bool cs_job_open(cs_job *job, const char *file, const char *const *set,
                 size_t n)
{
    strcpy(job->open, "open");
    job->steps = (double)NAN;
    job->beyond = job->still = job->settles = false;
    bool fits = add_word(job, file);
    for (size_t i = 0; i < n; i++)
        fits = fits && add_word(job, set[i]);
    return fits;
}

bool cs_job_set(cs_job *job, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return n < (int)sizeof text && add_word(job, text);
}

/* ---- opening ---- */

static bool is_mine(const cs_jobs *j, size_t i)
{
    return !j->source.mine || j->source.mine(j->source.self, i);
}

static cs_status tell_done(cs_jobs *j, size_t i, cs_error *err)
{
    return j->source.done
               ? j->source.done(j->source.self, i, &j->result[i], err)
               : CS_OK;
}

static cs_status load(cs_jobs *j, size_t i, cs_error *err)
{
    cs_result *r = &j->result[i];
    cs_status status =
        j->source.load ? j->source.load(j->source.self, i, r, err) : CS_OK;
    bool mine = is_mine(j, i); /* computed after `load`, which may change its
                                * value */
    j->mine += mine;
    j->kept += r->there && mine;
    return status == CS_OK && r->there ? tell_done(j, i, err) : status;
}

cs_status cs_jobs_open(cs_jobs **out, const cs_job_source *source,
                       const cs_jobs_options *options, cs_error *err)
{
    assert(options->processes >= 1 && options->processes <= CS_JOBS_PROCESSES);
    cs_jobs *j = cs_alloc(1, sizeof *j);
    *out = j;
    if (!j)
        return cs_fail(err, CS_MEMORY, "out of memory for the runs");
    j->source = *source;
    j->options = *options;
    j->allowed = options->processes;
    j->result = cs_alloc(source->n + 1, sizeof *j->result);
    j->worker = cs_alloc(options->processes, sizeof *j->worker);
    cs_status status =
        j->result && j->worker
            ? CS_OK
            : cs_fail(err, CS_MEMORY, "out of memory for the runs");
    for (size_t i = 0; i < source->n && status == CS_OK; i++)
        status = load(j, i, err);
    j->began = cs_clock();
    if (status) {
        *out = NULL;
        cs_jobs_close(j);
    }
    return status;
}

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

void cs_jobs_close(cs_jobs *j)
{
    if (!j)
        return;
    for (size_t i = 0; j->worker && i < j->options.processes; i++)
        end_session(&j->worker[i], 0);
    for (size_t i = 0; j->result && i < j->source.n; i++)
        cs_result_fini(&j->result[i]);
    cs_free(j->result);
    cs_free(j->worker);
    cs_free(j);
}

/* ---- commands to a session ---- */

static cs_status send(worker *w, const char *line, state id, cs_error *err)
{
    w->sent = id;
    return cs_client_send(w->client, line, id, err);
}

static cs_status query(worker *w, cs_error *err)
{
    return send(w, w->job.query, QUERIED, err);
}

/* Runs the remaining steps of the job. If the job has no number of steps, runs
 * it until the budget is spent. */
static cs_status move(worker *w, double steps, cs_error *err)
{
    char line[64] = "run";
    double left = w->job.steps - steps;
    if (left <= 0)
        return query(w, err);
    if (isfinite(left))
        snprintf(line, sizeof line, "step %.0f", left);
    w->answered = OPENED; /* allows the command to be sent again */
    return send(w, line, MOVED, err);
}

/* ---- states ---- */

static bool is_open(const worker *w)
{
    return *cs_shot_text(&w->shot, "run/state") != 0;
}

static bool has_stopped(const worker *w)
{
    return is_open(w) &&
           strcmp(cs_shot_text(&w->shot, "run/state"), "running") != 0;
}

static bool is_settled(const worker *w)
{
    return !w->job.settles ||
           (cs_shot_number(&w->shot, 0, "run/settled") == 1 &&
            cs_shot_number(&w->shot, 0, "run/reported") == 1);
}

/* Runs the job. If job.still is true, queries the job at once, without further
 * steps. Does this also if the scenario has no budget and its script has
 * already made steps. */
static cs_status after_open(worker *w, cs_error *err)
{
    double steps = cs_shot_number(&w->shot, 0, "run/steps");
    bool endless = isnan(w->job.steps) &&
                   isnan(cs_shot_number(&w->shot, NAN, "run/progress"));
    w->reported = cs_shot_number(&w->shot, 0, "run/messages");
    if (w->job.still || (endless && steps > 0))
        return query(w, err);
    if (endless) {
        cs_fail(err, CS_INPUT, "the scenario has no budget");
        cs_hint(err,
                "add a budget to the scenario: budget = { steps = 10000 }");
        return CS_INPUT;
    }
    return move(w, steps, err);
}

static cs_status after_run(worker *w, cs_error *err)
{
    double steps = cs_shot_number(&w->shot, 0, "run/steps");
    if (strcmp(cs_shot_text(&w->shot, "run/state"), "failed") == 0)
        return cs_fail(err, CS_NUMERIC, "%s",
                       cs_shot_text(&w->shot, "run/message"));
    return w->job.beyond && steps < w->job.steps ? move(w, steps, err)
                                                 : query(w, err);
}

/* The action for each state; NULL: the job is done. The action is taken when
 * the session has replied to the job's last command and `over` has returned
 * true. */
static const struct {
    bool (*over)(const worker *w);
    cs_status (*then)(worker *w, cs_error *err);
} states[] = {
    [OPENED] = {is_open, after_open},
    [MOVED] = {has_stopped, after_run},
    [QUERIED] = {is_settled, NULL},
};

static void take_answer(void *self, const cs_message *m)
{
    worker *w = self;
    if (w->sent == QUERIED && m->id == QUERIED)
        fwrite(m->body, 1, m->size, w->answer);
}

/* Processes the messages of a session. An error reply, or the end of the
 * session, is returned as an error. */
static cs_status look(cs_jobs *j, worker *w, bool *done, cs_error *err)
{
    *done = false;
    cs_status status =
        cs_client_listen(w->client, take_answer, w, &w->answered, QUERIED, err);
    cs_client_snapshot(w->client, &w->shot.base, &w->shot.used);
    if (status || w->answered != w->sent)
        return status;
    if (w->sent == MOVED && j->source.watch)
        j->source.watch(j->source.self, &w->shot, &w->reported);
    if (!states[w->sent].over(w))
        return CS_OK;
    *done = !states[w->sent].then;
    return *done ? CS_OK : states[w->sent].then(w, err);
}

/* ---- results ---- */

/* Closes the answer. An answer without any line is an error. */
static cs_status end_answer(worker *w, cs_error *err)
{
    bool whole = !ferror(w->answer);
    whole = fclose(w->answer) == 0 && whole;
    w->answer = NULL;
    if (!whole || !w->text)
        return cs_fail(err, CS_MEMORY, "out of memory for an answer");
    return *w->text ? CS_OK
                    : cs_fail(err, CS_INTERNAL, "the run's answer is empty");
}

static cs_status read_answer(cs_jobs *j, worker *w, char **text, cs_error *err)
{
    cs_page p = {0};
    if (j->source.read) {
        j->source.read(j->source.self, w->i, &w->shot, &p);
        *text = p.text;
        return p.text && !p.full
                   ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for the results");
    }
    cs_status status = end_answer(w, err);
    *text = status ? NULL : cs_copy_text(w->text);
    return status || *text
               ? status
               : cs_fail(err, CS_MEMORY, "out of memory for the results");
}

/* Stores the result of a job: its answer, or the reason for its failure. */
static cs_status keep(cs_jobs *j, worker *w, cs_error *why, cs_error *err)
{
    size_t i = w->i;
    cs_result *r = &j->result[i];
    r->seconds = cs_clock() - w->began;
    if (why->status || read_answer(j, w, &r->text, why)) {
        char text[1100];
        cs_free(r->text);
        r->text = NULL;
        cs_error_format(why, text, sizeof text);
        r->failure = cs_copy_text(text);
        if (!r->failure)
            return cs_fail(err, CS_MEMORY, "out of memory for the results");
    }
    r->there = true;
    j->made++;
    cs_status status = j->source.save
                           ? j->source.save(j->source.self, i, &w->job, r, err)
                           : CS_OK;
    end_session(w, j->options.closing);
    return status ? status : tell_done(j, i, err);
}

/* ---- next jobs ---- */

/* Finds the next job for this process. After the last job, returns false. */
static bool take_next(cs_jobs *j, size_t *i)
{
    while (j->next < j->source.n &&
           (!is_mine(j, j->next) || j->result[j->next].there))
        j->next++;
    *i = j->next;
    return j->next < j->source.n ? (j->next++, true) : false;
}

static cs_status begin(cs_jobs *j, worker *w, cs_error *err)
{
    cs_status status = j->source.describe(j->source.self, w->i, &w->job, err);
    if (status)
        return status;
    w->began = cs_clock();
    w->answer = open_memstream(&w->text, &w->size);
    if (!w->answer)
        return cs_fail(err, CS_MEMORY, "out of memory for an answer");
    status = j->options.session(j->options.self, &w->client, err);
    if (status == CS_OK)
        status = send(w, "reports", QUIET, err);
    return status ? status : send(w, w->job.open, OPENED, err);
}

static size_t busy(const cs_jobs *j)
{
    size_t n = 0;
    for (size_t i = 0; i < j->options.processes; i++)
        n += j->worker[i].client != NULL;
    return n;
}

/* Starts the next job. If no process can be created, the engine fails; the job
 * is not counted as failed. */
static cs_status take_up(cs_jobs *j, worker *w, cs_error *err)
{
    cs_error why = {0};
    if (busy(j) >= j->allowed || !take_next(j, &w->i))
        return CS_OK;
    cs_status status = begin(j, w, &why);
    if (status && w->client)
        return keep(j, w, &why, err);
    if (status)
        end_session(w, 0);
    if (status && err)
        *err = why;
    return status;
}

static bool is_stopped(const cs_jobs *j)
{
    return j->options.stopped && j->options.stopped();
}

static cs_status turn(cs_jobs *j, worker *w, cs_error *err)
{
    cs_error why = {0};
    bool done = false;
    cs_status status = CS_OK;
    if (w->client) {
        bool failed = look(j, w, &done, &why) != CS_OK;
        if (!failed)
            why.status = CS_OK;
        if ((failed || done) && !is_stopped(j))
            status = keep(j, w, &why, err);
    }
    return status || w->client ? status : take_up(j, w, err);
}

cs_status cs_jobs_tend(cs_jobs *j, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < j->options.processes && status == CS_OK; i++)
        status = turn(j, &j->worker[i], err);
    return status;
}

void cs_jobs_allow(cs_jobs *j, size_t processes)
{
    j->allowed = processes;
}

void cs_jobs_stop(cs_jobs *j)
{
    for (size_t i = 0; i < j->options.processes; i++)
        if (j->worker[i].client)
            cs_client_interrupt(j->worker[i].client);
    for (size_t i = 0; i < j->options.processes; i++)
        end_session(&j->worker[i], j->options.closing);
}

int cs_jobs_fds(const cs_jobs *j, int *fd)
{
    int n = 0;
    for (size_t i = 0; i < j->options.processes; i++) {
        if (!j->worker[i].client)
            continue;
        cs_client_fds(j->worker[i].client, fd + n);
        n += fd[n + 1] >= 0 ? 2 : 1;
    }
    return n;
}

/* Returns the completed share of the current job of a session. */
static double share_of(const worker *w)
{
    double share = cs_shot_number(&w->shot, 0, "run/progress");
    if (isfinite(w->job.steps))
        share = cs_shot_number(&w->shot, 0, "run/steps") / w->job.steps;
    return share >= 0 ? fmin(share, 1) : 0;
}

cs_jobs_count cs_jobs_counted(const cs_jobs *j)
{
    cs_jobs_count c = {j->mine, j->kept, j->made, busy(j), 0, 0};
    double now = (double)j->made, all = (double)(j->mine - j->kept);
    for (size_t i = 0; i < j->options.processes; i++)
        if (j->worker[i].client)
            now += share_of(&j->worker[i]);
    c.share = j->mine ? (now + (double)j->kept) / (double)j->mine : 0;
    c.left =
        now > 0 ? (cs_clock() - j->began) * (all - now) / now : (double)NAN;
    return c;
}

cs_result *cs_jobs_result(cs_jobs *j, size_t i)
{
    return &j->result[i];
}
