/* chainscope replicate [PAPER [SCENARIO]]: tests all claims of a paper's
 * scenarios in their full setting. A claim compares a value stated in the paper
 * with a measured value. The runs are jobs of a queue (cli/many/queue.h), one
 * per scenario and seed. The claims of a scenario are judged once all its runs
 * are complete. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/catalogue/scenarios.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/output.h"
#include "cli/line/stop.h"
#include "cli/many/queue.h"
#include "cli/many/replicate_table.h"
#include "files/file.h"
#include "files/replace.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 256, ABSENT = 64, ABSENT_BYTES = 1 << 14 };

typedef struct replication {
    const cs_args *args;
    const cs_replicate_format *format;
    const char *file; /* output file; NULL: stdout */
    cs_replicate_head head;
    cs_verdicts verdicts;
    cs_scenario own; /* entry for a scenario file that is not in the gallery */
    const cs_scenario *list[MOST];
    const char *absent[ABSENT];
    char absent_text[ABSENT_BYTES];
    cs_page page;
    size_t shown;        /* number of bytes of the page that are already
                          * printed */
    char *refusal[MOST]; /* reason why a scenario cannot be opened; NULL: it can
                          * be opened [own] */
    bool idle[MOST];     /* true if the data of all claims are missing, so that
                          * the runs make no steps */
    size_t first[MOST + 1]; /* first[i] is the number of the first job of
                             * scenario i */
    size_t next;            /* number of the next scenario to print */
    cs_queue *queue;        /* the queue of the runs [own] */
} replication;

/* ---- planning the runs ---- */

static bool is_file(const char *word)
{
    return strchr(word, '/') || strchr(word, '.');
}

static void take_file(replication *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(r->own.path, sizeof r->own.path, "%s", path);
    cs_text_clean(slash ? slash + 1 : path, r->own.name, sizeof r->own.name);
    char *dot = strrchr(r->own.name, '.');
    if (dot)
        *dot = 0;
    strcpy(r->own.folder, ".");
    r->list[r->head.scenarios++] = &r->own;
}

static bool is_asked(const cs_args *args, const cs_scenario *s)
{
    if (!s->papers)
        return false;
    if (args->n_words > 0 && strcmp(args->word[0], s->folder) != 0)
        return false;
    return args->n_words < 2 || strcmp(args->word[1], s->name) == 0;
}

/* Sets the error for an unknown name. The hint is the nearest name, or else the
 * list of all names. */
static cs_status refuse(const char *what, const char *wrong,
                        const char *const *names, cs_error *err)
{
    char all[400] = "";
    const char *near = cs_text_nearest(wrong, names);
    for (size_t i = 0; names[i] && !near; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i ? ", " : "", names[i]);
    cs_fail(err, CS_UNKNOWN, "unknown %s '%s'", what, wrong);
    if (near)
        cs_hint(err, "did you mean '%s'?", near);
    else
        cs_hint(err, "use one of: %s", all);
    return CS_UNKNOWN;
}

static cs_status refuse_paper(const char *wrong, cs_error *err)
{
    static cs_entry papers[64];
    const char *names[65] = {NULL};
    for (size_t i = 0; i < 64 && cs_paper_entry(i, &papers[i]); i++)
        names[i] = papers[i].name;
    return refuse("paper", wrong, names, err);
}

static cs_status refuse_scenario(const char *paper, const char *wrong,
                                 cs_error *err)
{
    const char *names[MOST + 1] = {NULL};
    const cs_scenario *s;
    for (size_t i = 0, n = 0; (s = cs_scenario_at(i)) && n < MOST; i++) {
        if (strcmp(s->folder, paper) != 0)
            continue;
        if (s->papers) {
            names[n++] = s->name;
        } else if (strcmp(s->name, wrong) == 0) {
            cs_fail(err, CS_INPUT,
                    "no claim of '%s' has a value stated in the paper", wrong);
            cs_hint(err, "show the claims: chainscope replicate %s", s->path);
            return CS_INPUT;
        }
    }
    return names[0] ? refuse("scenario", wrong, names, err)
                    : refuse_paper(paper, err);
}

/* Selects the scenarios named on the command line. The scenarios of papers must
 * have been read. */
static cs_status choose(replication *r, cs_error *err)
{
    const cs_args *args = r->args;
    const cs_scenario *s;
    if (args->n_words && is_file(args->word[0])) {
        take_file(r, args->word[0]);
        return CS_OK;
    }
    for (size_t i = 0; (s = cs_scenario_at(i)); i++)
        if (is_asked(args, s) && r->head.scenarios < MOST)
            r->list[r->head.scenarios++] = s;
    if (r->head.scenarios)
        return CS_OK;
    return args->n_words == 2
               ? refuse_scenario(args->word[0], args->word[1], err)
               : refuse_paper(args->n_words ? args->word[0] : "", err);
}

static const char *name_at(size_t i)
{
    const cs_replicate_format *f = cs_replicate_format_at(i);
    return f ? f->name : NULL;
}

static const char *suffix_at(size_t i)
{
    return cs_replicate_format_at(i)->suffix;
}

static cs_status choose_format(replication *r, cs_error *err)
{
    size_t i = 0;
    cs_status status =
        cs_output_choose(r->args, name_at, suffix_at, &i, &r->file, err);
    r->format = cs_replicate_format_at(i);
    return status;
}

/* ---- results without a scenario ---- */

/* Copies the lines of the text, without control characters, to `out`. Returns
 * the size used. */
static size_t take_lines(replication *r, char *text, char *out, size_t size)
{
    size_t used = 0;
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = 0;
        if (text == end || r->head.n_absent == ABSENT || used + 2 > size)
            continue;
        r->absent[r->head.n_absent++] = out + used;
        used += cs_text_clean(text, out + used, size - used) + 1;
    }
    return used;
}

/* Reads absent.txt in a paper's folder. Each line names a result of the paper
 * that has no scenario. The file may be missing. */
static void read_absent(replication *r)
{
    size_t used = 0, size;
    unsigned char *bytes;
    cs_error err;
    char path[sizeof r->own.path + 16];
    r->head.absent = r->absent;
    for (size_t i = 0; i < r->head.scenarios && r->args->n_words < 2; i++) {
        const cs_scenario *s = r->list[i];
        const char *slash = strrchr(s->path, '/');
        if (s == &r->own || !slash ||
            (i && strcmp(s->folder, r->list[i - 1]->folder) == 0))
            continue;
        snprintf(path, sizeof path, "%.*s/absent.txt", (int)(slash - s->path),
                 s->path);
        if (cs_file_read(path, ABSENT_BYTES, &bytes, &size, &err))
            continue;
        used += take_lines(r, (char *)bytes, r->absent_text + used,
                           ABSENT_BYTES - used);
        cs_free(bytes);
    }
}

/* ---- claims of the scenarios ---- */

static double flat_number(const cs_message *m, const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(m->body, m->size, &e, "%s", key) && e.data;
    return there ? e.data[0] : (double)NAN;
}

static cs_status describe(void *of, size_t i, cs_job *job, cs_error *err);

/* Opens scenario i in a separate session with the settings of its runs. Returns
 * CS_ENDED if the session's process could not be started or has died. */
static cs_status open_it(replication *r, size_t i, cs_client **c, cs_error *err)
{
    static cs_job job;
    cs_front_options options = {0};
    cs_status status = cs_front_read(r->args, &options, err);
    if (status)
        return status;
    if (cs_front_create(c, &options, err))
        return err->status = CS_ENDED;
    bool fits = cs_queue_job(&job, r->list[i]->path, r->args);
    if (!r->head.quick)
        fits = fits && cs_job_set(&job, "full=1");
    if (!fits)
        return cs_fail(err, CS_INPUT, "too many settings for one run");
    status = cs_front_ask(*c, "reports", NULL, err);
    return status ? status : cs_front_ask(*c, job.open, NULL, err);
}

static void close_it(cs_client *c)
{
    if (c)
        cs_client_close(c, 3000);
    cs_client_destroy(c);
}

static bool lack_data(const void *claims, size_t size)
{
    const cs_replica all = {.claims = claims, .size = size};
    cs_verdicts v = {0};
    cs_replicate_count(&all, &v);
    return v.idle && !(v.hold + v.fail + v.size + v.loose + v.open);
}

/* Finds the number of runs that the scenario needs, and whether the data of all
 * its claims are missing. For a file outside the gallery, also finds its
 * title. */
static cs_status count_seeds(replication *r, size_t i, double *seeds,
                             cs_error *err)
{
    static cs_seen seen;
    cs_client *c = NULL;
    const cs_message *m;
    cs_status status = open_it(r, i, &c, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "claims table", &m, err);
    *seeds = status == CS_OK ? flat_number(m, "claims/seeds") : 0;
    r->idle[i] = status == CS_OK && lack_data(m->body, m->size);
    if (status == CS_OK && !(*seeds >= 1))
        status = cs_fail(err, CS_INPUT, "the scenario has no claims");
    if (status == CS_OK && r->list[i] == &r->own && cs_follow_see(c, &seen))
        cs_text_clean(seen.title, r->own.title, sizeof r->own.title);
    close_it(c);
    return status;
}

/* Returns true if the scenario was read and rejected, so that the scenario
 * itself caused the error. Returns false if the session's process is missing,
 * in which case nothing is known about the scenario. */
static bool is_refusal(const cs_error *why)
{
    return why->status != CS_ENDED && why->status != CS_STOPPED;
}

/* Plans the runs of scenario i, one per seed. A scenario that cannot be opened
 * has no runs; the reason is stored. */
static cs_status plan_one(replication *r, size_t i, cs_error *err)
{
    double seeds = 0;
    char text[1100];
    cs_error why;
    r->first[i + 1] = r->first[i];
    if (count_seeds(r, i, &seeds, &why)) {
        if (!is_refusal(&why)) {
            *err = why;
            if (why.status == CS_ENDED)
                cs_where(err, r->list[i]->path, 0);
            return why.status;
        }
        cs_complain(&why);
        cs_error_format(&why, text, sizeof text);
        r->refusal[i] = cs_copy_text(text);
        return r->refusal[i]
                   ? CS_OK
                   : cs_fail(err, CS_MEMORY, "out of memory for the plan");
    }
    r->first[i + 1] += (size_t)seeds;
    return CS_OK;
}

/* Plans the jobs of all scenarios. */
static cs_status plan(replication *r, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < r->head.scenarios && !status; i++)
        status = plan_one(r, i, err);
    return status;
}

static size_t scenario_of(const replication *r, size_t job)
{
    size_t i = 0;
    while (job >= r->first[i + 1])
        i++;
    return i;
}

static cs_status describe(void *of, size_t i, cs_job *job, cs_error *err)
{
    const replication *r = of;
    size_t which = scenario_of(r, i), seed = i - r->first[which];
    const cs_scenario *s = r->list[which];
    snprintf(job->name, sizeof job->name, "%s/%s, run %zu of %zu", s->folder,
             s->name, seed + 1, r->first[which + 1] - r->first[which]);
    job->query = "results claims";
    bool fits = cs_queue_job(job, s->path, r->args);
    job->still = r->idle[which];
    if (!r->head.quick)
        fits = fits && cs_job_set(job, "full=1");
    if (seed)
        fits = fits && cs_job_set(job, "replicate=%zu", seed);
    return fits ? CS_OK
                : cs_fail(err, CS_INPUT, "too many settings for one run");
}

static const char *file_of(void *of, size_t i)
{
    const replication *r = of;
    return r->list[scenario_of(r, i)]->path;
}

/* ---- verdicts ---- */

/* Counts the completed runs of scenario i. *failure is set to the reason why
 * the first failed run failed. */
static size_t count_runs(const replication *r, size_t i, const char **failure,
                         double *seconds)
{
    size_t n = 0;
    *failure = r->refusal[i];
    *seconds = 0;
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++) {
        const cs_result *one = cs_queue_result(r->queue, k);
        n += one->there;
        *seconds += one->there ? one->seconds : 0;
        if (one->failure && !*failure)
            *failure = one->failure;
    }
    return n;
}

/* Judges the claims of scenario i using the measurements of its runs. *claims
 * [own] */
static cs_status judge(replication *r, size_t i, void **claims, size_t *size,
                       cs_error *err)
{
    static char line[CS_WIRE_BYTES];
    cs_client *c = NULL;
    const cs_message *m;
    cs_status status = open_it(r, i, &c, err);
    for (size_t k = r->first[i]; k < r->first[i + 1] && !status; k++) {
        const cs_result *one = cs_queue_result(r->queue, k);
        if (one->text && snprintf(line, sizeof line, "results keep %s",
                                  one->text) >= (int)sizeof line)
            status = cs_fail(err, CS_INPUT, "too many claims for one command");
        else if (one->text)
            status = cs_front_ask(c, line, NULL, err);
    }
    if (status == CS_OK)
        status = cs_front_ask(c, "claims again", &m, err);
    *claims = status == CS_OK ? cs_alloc(1, m->size + 1) : NULL;
    if (status == CS_OK && !*claims)
        status = cs_fail(err, CS_MEMORY, "out of memory for the claims");
    if (status == CS_OK) {
        memcpy(*claims, m->body, m->size);
        *size = m->size;
    }
    close_it(c);
    return status;
}

/* ---- output ---- */

static cs_status put_out(replication *r, bool last, cs_error *err)
{
    if (last)
        r->format->tail(&r->page, &r->head, &r->verdicts);
    if (r->page.full)
        return cs_fail(err, CS_MEMORY, "out of memory for the table");
    if (!r->file) {
        fwrite(r->page.text + r->shown, 1, r->page.used - r->shown, stdout);
        fflush(stdout);
        r->shown = r->page.used;
        return CS_OK;
    }
    size_t used = r->page.used;
    if (!last && cs_file_is_through(r->file))
        return CS_OK; /* the table is written once, at the end */
    if (!last)
        r->format->tail(&r->page, &r->head, &r->verdicts);
    cs_status status =
        cs_file_replace(r->file, r->page.text, r->page.used, err);
    r->page.used = used;
    return status;
}

/* Prints completed scenarios on stderr while the table is written to a file. */
static void tell_done(const replication *r, const cs_replica *one)
{
    if (!isatty(STDERR_FILENO) || (!r->file && isatty(STDOUT_FILENO)))
        return;
    fprintf(stderr, "%s/%s: %s%.1f s\n", one->folder, one->name,
            one->failure ? "failed, " : "", one->seconds);
}

/* Judges scenario i and adds it to the table. */
static cs_status show_one(replication *r, size_t i, cs_error *err)
{
    const cs_scenario *s = r->list[i];
    cs_replica one = {.name = s->name,
                      .folder = s->folder,
                      .title = s->title,
                      .source = s->source};
    void *claims = NULL;
    char failure[1100];
    cs_error why = {0};
    size_t runs = count_runs(r, i, &one.failure, &one.seconds);
    one.seeds = (double)runs;
    if (!one.failure && judge(r, i, &claims, &one.size, &why)) {
        if (!is_refusal(&why)) {
            *err = why;
            return why.status;
        }
        cs_error_format(&why, failure, sizeof failure);
        cs_complain(&why);
        one.failure = failure;
    }
    one.claims = one.failure ? NULL : claims;
    if (one.claims && lack_data(claims, one.size))
        one.seeds = 0;
    r->format->one(&r->page, &one, r->head.done);
    cs_replicate_count(&one, &r->verdicts);
    r->head.done++;
    tell_done(r, &one);
    cs_free(claims);
    return put_out(r, false, err);
}

/* Prints all scenarios that are complete, in order. At the end, also prints
 * the scenarios for which only some of the runs are complete. */
static cs_status show_ready(replication *r, bool end, cs_error *err)
{
    cs_status status = CS_OK;
    while (r->next < r->head.scenarios && status == CS_OK) {
        size_t i = r->next;
        const char *failure;
        double seconds;
        size_t runs = count_runs(r, i, &failure, &seconds);
        bool ready = runs == r->first[i + 1] - r->first[i];
        if (!ready && !end)
            break;
        r->next++;
        if (ready || runs)
            status = show_one(r, i, err);
    }
    return status;
}

/* Prints the scenarios that are complete after job i, unless this process runs
 * only a part. */
static cs_status done(void *of, size_t i, cs_error *err)
{
    replication *r = of;
    (void)i;
    return cs_queue_shows(r->queue) ? show_ready(r, false, err) : CS_OK;
}

static cs_status make_all(replication *r, int *code, cs_error *err)
{
    const cs_queue_spec spec = {.args = r->args,
                                .jobs = r->first[r->head.scenarios],
                                .describe = describe,
                                .file = file_of,
                                .done = done,
                                .of = r,
                                .processes = 1};
    cs_status status = cs_queue_open(&r->queue, &spec, err);
    if (status)
        return status;
    status = cs_queue_work(r->queue, err);
    bool stopped = status == CS_STOPPED && cs_stop_signal();
    *code = cs_queue_say_end(r->queue, status, err);
    if (*code >= 0 && !(stopped && cs_queue_shows(r->queue)))
        return CS_OK;
    cs_stop_finish();
    status = show_ready(r, true, err);
    if (status == CS_OK)
        status = put_out(r, true, err);
    *code =
        r->verdicts.fail || r->verdicts.broken ? CS_EXIT_FAILED : CS_EXIT_OK;
    return status;
}

static int replicate_all(replication *r)
{
    cs_error err;
    int code = CS_EXIT_OK;
    r->format->head(&r->page, &r->head);
    cs_status status = plan(r, &err);
    if (status == CS_OK)
        status = make_all(r, &code, &err);
    cs_queue_close(r->queue);
    cs_free(r->page.text);
    for (size_t i = 0; i < r->head.scenarios; i++)
        cs_free(r->refusal[i]);
    return status ? cs_complain(&err) : code;
}

static int replicate(const cs_args *args)
{
    static replication r;
    cs_error err;
    r = (replication){.args = args,
                      .head = {.what = args->n_words ? args->word[0] : "",
                               .quick = cs_args_value(args, "quick") != NULL}};
    uint64_t workers;
    cs_status status = cs_args_count(args, "workers", 0, &workers, &err);
    if (status == CS_OK)
        status = choose_format(&r, &err);
    if (status == CS_OK && !(args->n_words && is_file(args->word[0])) &&
        cs_scenarios_read(true, &err))
        return cs_complain(&err);
    if (status == CS_OK)
        status = choose(&r, &err);
    if (status == CS_OK) {
        if (cs_output_ready(args, r.format->suffix, r.file, &err))
            return cs_complain(&err);
        read_absent(&r);
        return replicate_all(&r);
    }
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

static const cs_option options[] = {
    {"quick", NULL,
     "use the scenarios' quick setting instead of the full setting"},
    {"format", "NAME",
     "text, markdown, json or csv (default: from the file name)"},
    {"output", "FILE",
     "(-o) output file instead of stdout, updated during the runs"},
    CS_QUEUE_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_replicate = {
    .name = "replicate",
    .args = "[PAPER [SCENARIO] | FILE] ...",
    .help = "run the scenarios of a paper and compare all claims with the "
            "measured values",
    .more =
        "The exit code is 1 if some claim does not hold. Ctrl-C stops, shows "
        "the completed\nclaims and saves them in --out. Runs are executed one "
        "at a time with all cores;\n--jobs runs several at a time.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = 2,
    .main = replicate,
};
