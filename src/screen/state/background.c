#include "screen/state/background.h"

#include "base/hash.h"
#include "base/memory.h"
#include "files/file.h"
#include "jobs/cache.h"
#include "screen/panels/panel.h"
#include "screen/state/background_type.h"
#include "session/client/shell_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IDENTITY = 200, TYPED = 1000, SCENARIO_MOST = 64 << 20 };

/* Those of one kind that were asked for. */
typedef struct asked {
    const cs_background_type *kind;
    cs_background *all;
    cs_background_runs runs;
    cs_jobs *jobs; /* [own] NULL: all have been made, or none is wanted */
    char identity[IDENTITY];
    char file[1024], sets[CS_JOB_LINE];
    char *set[CS_WORDS]; /* [n_set], in `sets` */
    size_t n_set;
    uint64_t scenario; /* digest of the file's text when they were started */
    size_t loaded;     /* results that were kept before */
    long told;         /* seconds that are left, as shown */
    cs_job job;        /* that is being described */
} asked;

struct cs_background {
    const cs_app_link *link; /* [borrowed] */
    asked kind[CS_BACKGROUND_KINDS];
    size_t processes;
    cs_job_cache cache;
    char identity[IDENTITY]; /* of the run whose requests were looked for */
    char lost[600]; /* why a result could not be kept, "": they are kept, or it
                       was reported */
    bool loses;     /* one could not be kept */
    char query[400];
};

static const cs_background_type *const kinds[CS_BACKGROUND_KINDS] = {
    [CS_REPLICATES_RUN] = &cs_background_type_replicates,
    [CS_SWEEP_RUN] = &cs_background_type_sweep,
    [CS_CALIBRATION_RUN] = &cs_background_type_calibration,
};

cs_background *cs_background_create(const cs_app_link *link)
{
    cs_background *b = cs_alloc(1, sizeof *b);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bool good = b != NULL;
    for (size_t i = 0; good && i < CS_BACKGROUND_KINDS; i++) {
        b->kind[i].all = b;
        b->kind[i].kind = kinds[i];
        good = kinds[i]->create(&b->kind[i].runs);
    }
    if (!good) {
        cs_background_destroy(b);
        return NULL;
    }
    b->link = link;
    b->processes = cores > CS_JOBS_PROCESSES ? CS_JOBS_PROCESSES
                   : cores > 1               ? (size_t)cores
                                             : 1;
    snprintf(b->query, sizeof b->query, "reports %s",
             cs_panel_probes(cs_panel_find("race")));
    return b;
}

void cs_background_destroy(cs_background *b)
{
    for (size_t i = 0; b && i < CS_BACKGROUND_KINDS; i++) {
        cs_jobs_close(b->kind[i].jobs);
        cs_free(b->kind[i].runs.replicas);
        cs_free(b->kind[i].runs.calibrated);
    }
    cs_free(b);
}

void cs_background_keep(cs_background *b, const char *folder)
{
    cs_job_cache_open(&b->cache, folder, CS_JOB_CACHE_BYTES);
}

/* ---- keys ---------------------------------------------------------------- */

/* The program: its version, and when it was built. */
static void put_program(cs_page *p)
{
    struct stat about = {0};
    stat("/proc/self/exe", &about);
    cs_page_put(p, "version %s %lld.%ld\n", CS_VERSION,
                (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

/* Two runs with the same text make the same draws. */
static void identify(const cs_shot *s, char out[IDENTITY])
{
    snprintf(out, IDENTITY, "run %s, opened %.0f", cs_shot_text(s, "run/name"),
             cs_shot_number(s, 0, "run/opened"));
}

static uint64_t digest_file(const char *file)
{
    unsigned char *bytes;
    size_t size;
    if (cs_file_read(file, SCENARIO_MOST, &bytes, &size, NULL))
        return 0;
    uint64_t digest = cs_digest(CS_DIGEST, bytes, size);
    cs_free(bytes);
    return digest;
}

/* All that the result of a job depends on. [own: cs_free] NULL: no memory. */
static char *key_of(const asked *a, const cs_job *job)
{
    cs_page p = {0};
    put_program(&p);
    cs_page_put(&p, "%s\nscenario %016llx\n%s\nsteps %.17g%s\n%s\n",
                a->identity, (unsigned long long)a->scenario, job->open,
                job->steps, job->beyond ? " and beyond" : "", job->query);
    if (a->kind->read)
        cs_page_put(&p, "coordinate %zu\n", a->runs.run.coordinate);
    if (p.full) {
        cs_free(p.text);
        return NULL;
    }
    return p.text;
}

static char *request_key(const asked *a)
{
    cs_page p = {0};
    put_program(&p);
    cs_page_put(&p, "request %s\n%s\n", a->kind->name, a->identity);
    return p.text;
}

/* ---- a source of jobs (jobs/jobs.h) -------------------------------------- */

static bool write_job(const asked *a, size_t i, cs_job *job)
{
    bool fits =
        cs_job_open(job, a->file, (const char *const *)a->set, a->n_set);
    job->query = a->kind->query ? a->kind->query : a->all->query;
    job->steps = a->runs.run.steps;
    job->beyond = a->runs.run.beyond;
    job->settles = a->kind->read != NULL;
    return a->kind->describe(&a->runs, i, job) && fits;
}

static cs_status describe(void *self, size_t i, cs_job *job, cs_error *err)
{
    const asked *a = self;
    bool fits = write_job(a, i, job);
    if (a->all->processes > 1) /* results do not depend on it */
        fits = fits && cs_job_set(job, "workers=1");
    return fits ? CS_OK
                : cs_fail(err, CS_INPUT, "more is set than a run can be given");
}

static cs_status load(void *self, size_t i, cs_result *r, cs_error *err)
{
    asked *a = self;
    (void)err;
    char *key = write_job(a, i, &a->job) ? key_of(a, &a->job) : NULL;
    if (key)
        cs_job_cache_load(&a->all->cache, key, r);
    a->loaded += r->there;
    cs_free(key);
    return CS_OK;
}

/* Why something could not be kept, once. */
static void lose(cs_background *b, const cs_error *err)
{
    char why[500];
    if (b->loses)
        return;
    b->loses = true;
    cs_error_format(err, why, sizeof why);
    snprintf(b->lost, sizeof b->lost, "runs in the background are not kept: %s",
             why);
}

/* Without a file they go on, and that is reported. Nothing is kept of a scenario
 * that has changed since. */
static cs_status save(void *self, size_t i, const cs_job *job,
                      const cs_result *r, cs_error *err)
{
    asked *a = self;
    cs_error why;
    (void)err;
    char *key = write_job(a, i, &a->job) ? key_of(a, &a->job) : NULL;
    if (key && digest_file(a->file) == a->scenario &&
        cs_job_cache_save(&a->all->cache, key, job->name, r, &why))
        lose(a->all, &why);
    cs_free(key);
    return CS_OK;
}

static void read_run(void *self, size_t i, const cs_shot *s, cs_page *out)
{
    const asked *a = self;
    (void)i;
    a->kind->read(&a->runs, s, out);
}

/* Results are taken in the order of the jobs. */
static cs_status done(void *self, size_t i, const cs_result *r, cs_error *err)
{
    asked *a = self;
    cs_background_runs *b = &a->runs;
    (void)i;
    if (r->failure)
        return cs_fail(err, CS_INPUT, "%s", r->failure);
    for (; *b->n < *b->of && cs_jobs_result(a->jobs, *b->n)->text; ++*b->n)
        a->kind->take(b, cs_jobs_result(a->jobs, *b->n)->text);
    return CS_OK;
}

static cs_status open_jobs(asked *a, cs_error *err)
{
    const cs_job_source source = {.self = a,
                                  .n = *a->runs.of,
                                  .describe = describe,
                                  .load = load,
                                  .save = save,
                                  .read = a->kind->read ? read_run : NULL,
                                  .done = done};
    const cs_jobs_options options = {.session = a->all->link->another,
                                     .self = a->all->link->self,
                                     .processes = a->all->processes};
    a->told = -1;
    a->loaded = 0;
    return cs_jobs_open(&a->jobs, &source, &options, err);
}

/* ---- starting ------------------------------------------------------------ */

static cs_status refuse(const cs_background *b, const cs_shot *s,
                        const char *verb, cs_error *err)
{
    if (!b->link->another || cs_shot_arms(s) == 0)
        return cs_fail(err, CS_UNSUPPORTED, "nothing is open to %s", verb);
    if (*cs_shot_text(s, "run/watched"))
        return cs_fail(err, CS_UNSUPPORTED,
                       "these draws are read: only their scenario can be %sd",
                       verb);
    if (cs_shot_number(s, 0, "run/differs") != 0)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the recorded scenario is not that of its file: :save "
                       "NAME.lua and open that to %s it",
                       verb);
    return CS_OK;
}

/* What the runs are like: file and sets of the open one. */
static cs_status take_run(asked *a, const cs_shot *s, cs_error *err)
{
    const char *file = cs_shot_text(s, "run/file");
    const char *sets = cs_shot_text(s, "run/sets");
    identify(s, a->identity);
    a->runs.run.opened = cs_shot_number(s, 0, "run/opened");
    a->runs.run.seed = cs_shot_number(s, 0, "run/seed");
    a->runs.run.chains = cs_shot_number(s, 1, "arm/0/chains");
    if (strlen(file) >= sizeof a->file || strlen(sets) >= sizeof a->sets)
        return cs_fail(err, CS_INPUT, "more is set than a run can be given");
    strcpy(a->file, file);
    strcpy(a->sets, sets);
    a->scenario = digest_file(file);
    return cs_words_cut(a->sets, a->set, &a->n_set, err);
}

static cs_status take_steps(asked *a, const cs_shot *s, cs_error *err)
{
    cs_background_of *run = &a->runs.run;
    bool endless = isnan(cs_shot_number(s, NAN, "run/progress"));
    bool ended = strcmp(cs_shot_text(s, "run/state"), "done") == 0;
    run->steps = cs_shot_number(s, 0, "run/steps");
    run->beyond = endless;
    if (a->kind->budget || (!endless && (ended || run->steps == 0))) {
        run->steps = (double)NAN;
        run->beyond = false;
    } else if (run->steps == 0) {
        cs_fail(err, CS_UNSUPPORTED,
                "the run has made no step, and no budget "
                "says how many a replicate makes");
        cs_hint(err, "let it run first");
        return CS_UNSUPPORTED;
    }
    return CS_OK;
}

/* Ends the sessions; what was found stays. */
static void end(asked *a)
{
    cs_jobs_close(a->jobs);
    a->jobs = NULL;
}

static void drop(asked *a)
{
    end(a);
    *a->runs.n = *a->runs.of = 0;
}

/* The request is complete, or no longer wanted. */
static void forget(asked *a)
{
    char *key = *a->identity ? request_key(a) : NULL;
    if (key)
        cs_job_cache_forget(&a->all->cache, key);
    cs_free(key);
}

/* Keeps what is asked for: "steps beyond coordinate typed". */
static void keep_request(asked *a, const char *typed)
{
    char text[TYPED + 100];
    cs_error why;
    const cs_result r = {.there = true, .text = text};
    char *key = request_key(a);
    snprintf(text, sizeof text, "%.17g %d %zu %.*s", a->runs.run.steps,
             a->runs.run.beyond, a->runs.run.coordinate, TYPED, typed);
    if (key && cs_job_cache_save(&a->all->cache, key, a->kind->name, &r, &why))
        lose(a->all, &why);
    cs_free(key);
}

static cs_status start(asked *a, const char *typed, cs_error *err)
{
    *a->runs.n = 0;
    *a->runs.left = (double)NAN;
    cs_status status = a->kind->begin(&a->runs, typed, err);
    if (status == CS_OK)
        status = open_jobs(a, err);
    if (status)
        drop(a);
    return status;
}

cs_status cs_background_start(cs_background *b, cs_background_kind kind,
                              const cs_shot *s, const char *typed,
                              size_t coordinate, cs_error *err)
{
    asked *a = &b->kind[kind];
    cs_background_stop(b, kind);
    cs_status status = refuse(b, s, a->kind->verb, err);
    if (status == CS_OK)
        status = take_run(a, s, err);
    if (status == CS_OK)
        status = take_steps(a, s, err);
    a->runs.run.coordinate = coordinate;
    if (status == CS_OK)
        status = start(a, typed, err);
    if (status == CS_OK)
        keep_request(a, typed);
    return status;
}

void cs_background_stop(cs_background *b, cs_background_kind kind)
{
    forget(&b->kind[kind]);
    drop(&b->kind[kind]);
}

/* Reads a request; what was typed, NULL: it is none. */
static const char *read_request(asked *a, const char *text)
{
    int beyond, at = 0;
    cs_background_of *run = &a->runs.run;
    bool good = sscanf(text, "%lf %d %zu %n", &run->steps, &beyond,
                       &run->coordinate, &at) == 3 &&
                at > 0;
    run->beyond = good && beyond;
    return good ? text + at : NULL;
}

/* Goes on with what was asked for of this run: by a screen that was left, or before
 * another run took its place. */
static void resume(asked *a, const cs_shot *s, cs_background_say *say, void *to)
{
    cs_result r = {0};
    char text[200];
    identify(s, a->identity);
    char *key = request_key(a);
    if (key)
        cs_job_cache_load(&a->all->cache, key, &r);
    const char *typed = r.there ? read_request(a, r.text) : NULL;
    if (typed && refuse(a->all, s, a->kind->verb, NULL) == CS_OK &&
        take_run(a, s, NULL) == CS_OK && start(a, typed, NULL) == CS_OK) {
        snprintf(text, sizeof text, "%s resumed: %zu of %zu runs were kept",
                 a->kind->what, a->loaded, *a->runs.of);
        say(to, text, false);
    }
    cs_result_fini(&r);
    cs_free(key);
}

/* ---- going on ------------------------------------------------------------ */

/* How many sessions there may be: as many as there are processors, but for one where
 * the open run moves. */
static size_t idle(const cs_background *b, const cs_shot *s)
{
    bool moves = strcmp(cs_shot_text(s, "run/state"), "running") == 0;
    return b->processes - (moves && b->processes > 1);
}

/* Those that are started first come first. */
static void share_out(cs_background *b, const cs_shot *s)
{
    size_t free = idle(b, s), busy[CS_BACKGROUND_KINDS] = {0}, all = 0;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        all += busy[i] =
            b->kind[i].jobs ? cs_jobs_counted(b->kind[i].jobs).busy : 0;
    free = free > all ? free - all : 0;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        if (b->kind[i].jobs)
            cs_jobs_allow(b->kind[i].jobs, busy[i] + free);
}

/* The whole seconds that are left; true: that is news. */
static bool estimate(asked *a, double left)
{
    long told = left < 1e9 ? (long)ceil(left) : -1;
    bool news = told != a->told;
    a->told = told;
    *a->runs.left = left;
    return news;
}

static bool go_on(asked *a, cs_background_say *say, void *to)
{
    cs_error err = {0};
    char text[500], why[400];
    size_t n = *a->runs.n;
    if (cs_jobs_tend(a->jobs, &err)) {
        cs_error_format(&err, why, sizeof why);
        forget(a);
        drop(a);
        snprintf(text, sizeof text, "%s ended: %s", a->kind->has, why);
        say(to, text, true);
        return true;
    }
    bool news = estimate(a, cs_jobs_counted(a->jobs).left) || *a->runs.n != n;
    if (*a->runs.n < *a->runs.of)
        return news;
    a->kind->say(&a->runs, text, sizeof text);
    say(to, text, false);
    forget(a);
    end(a);
    return true;
}

/* Drops those of another run. */
static bool follow(asked *a, const cs_shot *s, cs_background_say *say, void *to)
{
    char text[200];
    if (*a->runs.of == 0 ||
        cs_shot_number(s, 0, "run/opened") == a->runs.run.opened)
        return false;
    drop(a);
    snprintf(text, sizeof text, "%s dropped: the run is another",
             a->kind->what);
    say(to, text, false);
    return true;
}

/* The run is another than at the last look. */
static bool is_new(cs_background *b, const cs_shot *s)
{
    char identity[IDENTITY];
    identify(s, identity);
    if (strcmp(identity, b->identity) == 0)
        return false;
    strcpy(b->identity, identity);
    return true;
}

bool cs_background_tend(cs_background *b, const cs_shot *s,
                        cs_background_say *say, void *to)
{
    bool news = false, another = s->used && is_new(b, s);
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++) {
        asked *a = &b->kind[i];
        news |= follow(a, s, say, to);
        if (another && *a->runs.of == 0 && cs_shot_arms(s) > 0)
            resume(a, s, say, to);
        share_out(b, s);
        if (a->jobs)
            news |= go_on(a, say, to);
    }
    if (*b->lost)
        say(to, b->lost, true);
    b->lost[0] = 0;
    return news;
}

bool cs_background_busy(const cs_background *b)
{
    bool busy = false;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        busy |= b->kind[i].jobs != NULL;
    return busy;
}

int cs_background_fds(const cs_background *b, int *fd)
{
    int n = 0;
    for (size_t i = 0; i < CS_BACKGROUND_KINDS; i++)
        if (b->kind[i].jobs)
            n += cs_jobs_fds(b->kind[i].jobs, fd + n);
    return n;
}

const cs_replicas *cs_background_replicas(const cs_background *b,
                                          cs_background_kind kind)
{
    return b->kind[kind].runs.replicas;
}

const cs_calibrated *cs_background_calibrated(const cs_background *b)
{
    return b->kind[CS_CALIBRATION_RUN].runs.calibrated;
}
