/* chainscope replicate [PAPER [SCENARIO]]: every claim of a paper's scenarios,
 * in their full setting: what was printed, what is measured, does it hold.
 * Each scenario has a session of its own, in which it runs once for each
 * seed. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/follow.h"
#include "cli/host.h"
#include "cli/replicate_table.h"
#include "cli/scenarios.h"
#include "cli/stop.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 256, ABSENT = 64, ABSENT_BYTES = 1 << 14 };

typedef struct replication {
    const cs_args *args;
    const cs_replicate_format *format;
    const char *file; /* NULL: stdout */
    cs_replicate_head head;
    cs_verdicts verdicts;
    cs_scenario own; /* a file that is no scenario of the gallery */
    const cs_scenario *list[MOST];
    const char *absent[ABSENT];
    char absent_text[ABSENT_BYTES];
    cs_page page;
    size_t shown;     /* of the page, on stdout */
    double began;     /* when, in seconds */
    double seed_done; /* seeds of the scenario at work, and of how many */
    double seeds;
} replication;

/* ---- what is to be run ---- */

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

/* The hint for an unknown name: the nearest one, else the list of all. */
static cs_status refuse(const char *what, const char *wrong,
                        const char *const *names, cs_error *err)
{
    char all[400] = "";
    const char *near = cs_text_nearest(wrong, names);
    for (size_t i = 0; names[i] && !near; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s",
                 i ? ", " : "", names[i]);
    cs_fail(err, CS_UNKNOWN, "there is no %s '%s'", what, wrong);
    if (near)
        cs_hint(err, "did you mean '%s'?", near);
    else
        cs_hint(err, "there is: %s", all);
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
    for (size_t i = 0, n = 0; (s = cs_scenario_at(i)) && n < MOST; i++)
        if (s->papers && strcmp(s->folder, paper) == 0)
            names[n++] = s->name;
    return names[0] ? refuse("scenario", wrong, names, err)
                    : refuse_paper(paper, err);
}

/* The scenarios that were named. */
static cs_status choose(replication *r, cs_error *err)
{
    const cs_args *args = r->args;
    const cs_scenario *s;
    if (args->n_words && is_file(args->word[0])) {
        take_file(r, args->word[0]);
        return CS_OK;
    }
    cs_scenario_claims();
    for (size_t i = 0; (s = cs_scenario_at(i)); i++)
        if (is_asked(args, s) && r->head.scenarios < MOST)
            r->list[r->head.scenarios++] = s;
    if (r->head.scenarios)
        return CS_OK;
    return args->n_words == 2
               ? refuse_scenario(args->word[0], args->word[1], err)
               : refuse_paper(args->n_words ? args->word[0] : "", err);
}

static cs_status choose_format(replication *r, cs_error *err)
{
    const cs_replicate_format *f;
    const char *name = cs_args_value(r->args, "format"), *names[8] = {NULL};
    r->file = cs_args_value(r->args, "output");
    if (r->file && strcmp(r->file, "-") == 0)
        r->file = NULL;
    const char *suffix = r->file ? strrchr(r->file, '.') : NULL;
    r->format = cs_replicate_format_at(0);
    for (size_t i = 0; (f = cs_replicate_format_at(i)); i++) {
        names[i] = f->name;
        if (name ? strcmp(name, f->name) == 0
                 : suffix && strcmp(suffix, f->suffix) == 0) {
            r->format = f;
            return CS_OK;
        }
    }
    if (!name)
        return CS_OK;
    return refuse("format", name, names, err);
}

/* ---- what has no scenario ---- */

/* The lines of the text, cleaned, into `out`; how much of it they take. */
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

/* The lines of absent.txt in a paper's folder: results of the paper that no
 * scenario is about. The file may be missing. */
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

/* ---- running ---- */

/* "edlp/sharp_and_flat (2 of 7), run 1 of 5: 45 %, 1:20 left". The time left is
 * that of all scenarios, at the speed so far. */
static void show_progress(const cs_seen *s, void *to)
{
    const replication *r = to;
    const cs_scenario *at = r->list[r->head.done];
    double part = s->progress >= 0 ? s->progress : 0;
    double share = ((double)r->head.done + (r->seed_done + part) / r->seeds) /
                   (double)r->head.scenarios;
    fprintf(stderr, "%s/%s (%zu of %zu)", at->folder, at->name,
            r->head.done + 1, r->head.scenarios);
    if (r->seeds > 1)
        fprintf(stderr, ", run %.0f of %.0f", r->seed_done + 1, r->seeds);
    fprintf(stderr, ": %.0f %%", floor(100 * part));
    if (share > 0)
        cs_follow_left((cs_clock() - r->began) * (1 - share) / share);
}

static double flat_number(const cs_message *m, const char *key)
{
    cs_flat_entry e;
    bool there = cs_flat_find(m->body, m->size, &e, "%s", key) && e.data;
    return there ? e.data[0] : (double)NAN;
}

static double flat_seed(cs_client *c)
{
    cs_error err;
    const cs_message *m;
    double seed = 0;
    if (cs_front_ask(c, "lua =run.seed", &m, &err) == CS_OK)
        sscanf((const char *)m->body, "%lf", &seed);
    return seed;
}

/* Opens it, with another seed where one is given. */
static cs_status open_it(cs_client *c, const replication *r, const char *path,
                         double seed, cs_error *err)
{
    static cs_args args;
    char text[2][64];
    const char *more[6] = {"default_warmup=usual", "read=1"};
    const char *workers = cs_args_value(r->args, "workers");
    size_t n = 2;
    args = (cs_args){.sub = r->args->sub, .word = {path}, .n_words = 1};
    if (!r->head.quick)
        more[n++] = "full=1";
    snprintf(text[0], sizeof text[0], "seed=%.0f", seed);
    if (seed >= 0)
        more[n++] = text[0];
    snprintf(text[1], sizeof text[1], "workers=%s", workers ? workers : "");
    if (workers)
        more[n++] = text[1];
    cs_status status = cs_front_ask(c, "reports", NULL, err);
    return status ? status : cs_front_open(c, &args, more, err);
}

/* Runs the open scenario to the end of its budget; *m: its claims, judged with
 * what the runs before it measured. */
static cs_status run_it(cs_client *c, replication *r, const cs_message **m,
                        cs_error *err)
{
    cs_seen s = {0};
    cs_follow_look(c, &s); /* published before the replies so far */
    double told = s.messages;
    cs_text_clean(s.title, r->own.title, sizeof r->own.title);
    cs_status status = cs_front_ask(c, "run", NULL, err);
    if (status == CS_OK)
        status = cs_follow(c, show_progress, r, &told, err);
    if (status == CS_OK && cs_stop_signal())
        return cs_fail(err, CS_STOPPED, "stopped");
    return status ? status : cs_front_ask(c, "claims again", m, err);
}

/* Runs all seeds, one after the other. *copy [own]: the claims after the last
 * run that was completed. */
static cs_status run_seeds(cs_client *c, replication *r, const char *path,
                           void **copy, cs_replica *out, cs_error *err)
{
    const cs_message *m;
    cs_status status = open_it(c, r, path, -1, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "claims table", &m, err);
    if (status)
        return status;
    r->seeds = flat_number(m, "claims/seeds");
    if (!(r->seeds >= 1))
        return cs_fail(err, CS_INPUT, "the scenario has no claims");
    double seed = flat_seed(c);
    *copy = cs_alloc(1, CS_WIRE_BYTES);
    if (!*copy)
        return cs_fail(err, CS_MEMORY, "no memory for the claims");
    for (r->seed_done = 0; r->seed_done < r->seeds; r->seed_done++) {
        if (r->seed_done > 0)
            status = open_it(c, r, path, seed + r->seed_done, err);
        if (status == CS_OK)
            status = run_it(c, r, &m, err);
        if (status)
            return status;
        memcpy(*copy, m->body, m->size);
        out->size = m->size;
        out->claims = *copy;
        out->seeds++;
    }
    return CS_OK;
}

/* ---- showing ---- */

static cs_status put_out(replication *r, bool last, cs_error *err)
{
    if (last)
        r->format->tail(&r->page, &r->head, &r->verdicts);
    if (r->page.full)
        return cs_fail(err, CS_MEMORY, "no memory for the table");
    if (!r->file) {
        fwrite(r->page.text + r->shown, 1, r->page.used - r->shown, stdout);
        fflush(stdout);
        r->shown = r->page.used;
        return CS_OK;
    }
    size_t used = r->page.used;
    if (!last)
        r->format->tail(&r->page, &r->head, &r->verdicts);
    cs_status status =
        cs_file_replace(r->file, r->page.text, r->page.used, err);
    r->page.used = used;
    return status;
}

/* Where the table goes to a file, stderr says which scenario is done. */
static void tell_done(const replication *r, const cs_replica *one)
{
    if (!isatty(STDERR_FILENO) || (!r->file && isatty(STDOUT_FILENO)))
        return;
    fprintf(stderr, "%s/%s: %s%.1f s\n", one->folder, one->name,
            one->failure ? "failed, " : "", one->seconds);
}

/* One scenario, and what it adds to the table. */
static cs_status replicate_one(replication *r, cs_error *err)
{
    const cs_scenario *s = r->list[r->head.done];
    cs_front_options options = {0};
    cs_replica one = {.name = s->name,
                      .folder = s->folder,
                      .title = s->title,
                      .source = s->source};
    cs_client *c;
    void *copy = NULL;
    char failure[1100];
    double began = cs_clock();
    cs_status status = cs_front_read(r->args, &options, err);
    if (!status)
        status = cs_front_create(&c, &options, err);
    if (status)
        return status;
    cs_error why = {0};
    status = run_seeds(c, r, s->path, &copy, &one, &why);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    one.seconds = cs_clock() - began;
    bool stopped = cs_stop_signal() != 0;
    if (status && !stopped) {
        cs_error_format(&why, failure, sizeof failure);
        cs_complain(&why);
        one.failure = failure;
        one.claims = NULL;
    }
    if (!stopped || one.claims) {
        r->format->one(&r->page, &one, r->head.done);
        cs_replicate_count(&one, &r->verdicts);
        r->head.done++;
        tell_done(r, &one);
        status = put_out(r, false, err);
    }
    cs_free(copy);
    return stopped || one.failure || !status ? CS_OK : status;
}

static int replicate_all(replication *r)
{
    cs_error err;
    cs_status status = CS_OK;
    r->began = cs_clock();
    r->format->head(&r->page, &r->head);
    cs_stop_listen();
    while (r->head.done < r->head.scenarios && !status && !cs_stop_signal())
        status = replicate_one(r, &err);
    if (status == CS_OK)
        status = put_out(r, true, &err);
    cs_free(r->page.text);
    if (status)
        return cs_complain(&err);
    if (cs_stop_signal())
        return 128 + cs_stop_signal();
    return r->verdicts.fail || r->verdicts.broken ? CS_EXIT_FAILED : CS_EXIT_OK;
}

static int replicate(const cs_args *args)
{
    static replication r;
    cs_error err;
    uint64_t workers;
    r = (replication){.args = args,
                      .seeds = 1,
                      .head = {.what = args->n_words ? args->word[0] : "",
                               .quick = cs_args_value(args, "quick") != NULL}};
    cs_status status = cs_args_count(args, "workers", 0, &workers, &err);
    if (status == CS_OK)
        status = choose_format(&r, &err);
    if (status == CS_OK)
        status = choose(&r, &err);
    if (status == CS_OK) {
        read_absent(&r);
        return replicate_all(&r);
    }
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

static const cs_option options[] = {
    {"quick", NULL, "the scenarios as they stand, not in their full setting"},
    {"format", "NAME", "text, markdown or json; else by the file's ending"},
    {"output", "FILE", "(-o) instead of stdout; kept up to date as it goes"},
    {"workers", "N", "threads; results do not depend on them"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_replicate = {
    .name = "replicate",
    .args = "[PAPER [SCENARIO] | FILE] ...",
    .help = "all claims of a paper: what it printed, what we measured, whether "
            "it holds",
    .more = "Exit code 1: some claim does not hold. Ctrl-C stops and keeps "
            "what is done.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .most_words = 2,
    .main = replicate,
};
