#include "screen/state/background_source.h"

#include "base/hash.h"
#include "base/memory.h"
#include "files/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { SCENARIO_MOST = 64 << 20 };

/* ---- keys ---------------------------------------------------------------- */

/* Writes the identity of the program: its version and build time. */
static void put_program(cs_page *p)
{
    struct stat about = {0};
    stat("/proc/self/exe", &about);
    cs_page_put(p, "version %s %lld.%ld\n", CS_VERSION,
                (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

/* Writes an identity; two runs with the same identity make the same draws. */
void cs_background_identify(const cs_shot *s, char out[CS_BACKGROUND_IDENTITY])
{
    snprintf(out, CS_BACKGROUND_IDENTITY, "run %s, opened %.0f",
             cs_shot_text(s, "run/name"), cs_shot_number(s, 0, "run/opened"));
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

/* Returns the key of a job, which contains everything that affects the job's
 * result. Returns NULL if memory runs out. [own: cs_free] */
static char *key_of(const cs_background_asked *a, const cs_job *job)
{
    cs_page p = {0};
    put_program(&p);
    cs_page_put(&p, "%s\nscenario %016llx\n%s\nsteps %.17g%s\n%s\n",
                a->identity, (unsigned long long)a->scenario, job->open,
                job->steps, job->beyond ? " and beyond" : "", job->query);
    if (a->type->read)
        cs_page_put(&p, "coordinate %zu\n", a->runs.run.coordinate);
    if (p.full) {
        cs_free(p.text);
        return NULL;
    }
    return p.text;
}

static char *request_key(const cs_background_asked *a)
{
    cs_page p = {0};
    put_program(&p);
    cs_page_put(&p, "request %s\n%s\n", a->type->name, a->identity);
    return p.text;
}

/* ---- the source ---------------------------------------------------------- */

static bool write_job(const cs_background_asked *a, size_t i, cs_job *job)
{
    bool fits =
        cs_job_open(job, a->file, (const char *const *)a->set, a->n_set);
    job->query = a->type->query ? a->type->query : a->shared->query;
    job->steps = a->runs.run.steps;
    job->beyond = a->runs.run.beyond;
    job->settles = a->type->read != NULL;
    return a->type->describe(&a->runs, i, job) && fits;
}

static cs_status describe(void *self, size_t i, cs_job *job, cs_error *err)
{
    const cs_background_asked *a = self;
    bool fits = write_job(a, i, job);
    if (a->shared->processes > 1) /* results do not depend on this setting */
        fits = fits && cs_job_set(job, "workers=1");
    return fits ? CS_OK
                : cs_fail(err, CS_INPUT,
                          "too many settings for a background run");
}

static cs_status load(void *self, size_t i, cs_result *r, cs_error *err)
{
    cs_background_asked *a = self;
    (void)err;
    char *key = write_job(a, i, &a->job) ? key_of(a, &a->job) : NULL;
    if (key)
        cs_job_cache_load(&a->shared->cache, key, r);
    a->loaded += r->there;
    cs_free(key);
    return CS_OK;
}

/* Stores the reason why a result could not be stored, unless an earlier reason
 * is stored. */
static void lose(cs_background_shared *b, const cs_error *err)
{
    char why[500];
    if (b->loses)
        return;
    b->loses = true;
    cs_error_format(err, why, sizeof why);
    snprintf(b->lost, sizeof b->lost, "background runs are not kept: %s", why);
}

/* Stores a result, unless the scenario's file has changed since the start. If
 * the result cannot be stored, the runs continue and the error is reported. */
static cs_status save(void *self, size_t i, const cs_job *job,
                      const cs_result *r, cs_error *err)
{
    cs_background_asked *a = self;
    cs_error why;
    (void)err;
    char *key = write_job(a, i, &a->job) ? key_of(a, &a->job) : NULL;
    if (key && digest_file(a->file) == a->scenario &&
        cs_job_cache_save(&a->shared->cache, key, job->name, r, &why))
        lose(a->shared, &why);
    cs_free(key);
    return CS_OK;
}

static void read_run(void *self, size_t i, const cs_shot *s, cs_page *out)
{
    const cs_background_asked *a = self;
    (void)i;
    a->type->read(&a->runs, s, out);
}

/* Passes the results that have arrived to `take`, in the order of the jobs. */
static cs_status done(void *self, size_t i, const cs_result *r, cs_error *err)
{
    cs_background_asked *a = self;
    cs_background_runs *b = &a->runs;
    (void)i;
    if (r->failure)
        return cs_fail(err, CS_INPUT, "%s", r->failure);
    for (; *b->n < *b->of && cs_jobs_result(a->jobs, *b->n)->text; ++*b->n)
        a->type->take(b, cs_jobs_result(a->jobs, *b->n)->text);
    return CS_OK;
}

static cs_status open_jobs(cs_background_asked *a, cs_error *err)
{
    const cs_job_source source = {.self = a,
                                  .n = *a->runs.of,
                                  .describe = describe,
                                  .load = load,
                                  .save = save,
                                  .read = a->type->read ? read_run : NULL,
                                  .done = done};
    const cs_jobs_options options = {.session = a->shared->link->another,
                                     .self = a->shared->link->self,
                                     .processes = a->shared->processes};
    a->reported = -1;
    a->loaded = 0;
    return cs_jobs_open(&a->jobs, &source, &options, err);
}

/* ---- start and end ------------------------------------------------------- */

cs_status cs_background_like(cs_background_asked *a, const cs_shot *s,
                             cs_error *err)
{
    const char *file = cs_shot_text(s, "run/file");
    const char *sets = cs_shot_text(s, "run/sets");
    cs_background_identify(s, a->identity);
    a->runs.run.opened = cs_shot_number(s, 0, "run/opened");
    a->runs.run.seed = cs_shot_number(s, 0, "run/seed");
    a->runs.run.chains = cs_shot_number(s, 1, "arm/0/chains");
    if (strlen(file) >= sizeof a->file || strlen(sets) >= sizeof a->sets)
        return cs_fail(err, CS_INPUT, "too many settings for a background run");
    strcpy(a->file, file);
    strcpy(a->sets, sets);
    a->scenario = digest_file(file);
    return cs_words_cut(a->sets, a->set, &a->n_set, err);
}

cs_status cs_background_open(cs_background_asked *a, const char *typed,
                             cs_error *err)
{
    *a->runs.n = 0;
    *a->runs.left = (double)NAN;
    cs_status status = a->type->begin(&a->runs, typed, err);
    if (status == CS_OK)
        status = open_jobs(a, err);
    if (status)
        cs_background_drop(a);
    return status;
}

void cs_background_end(cs_background_asked *a)
{
    cs_jobs_close(a->jobs);
    a->jobs = NULL;
}

void cs_background_drop(cs_background_asked *a)
{
    cs_background_end(a);
    *a->runs.n = *a->runs.of = 0;
}

/* ---- requests ------------------------------------------------------------ */

/* Stores a request as one line: steps, beyond, coordinate, and the typed
 * words. */
void cs_background_request(cs_background_asked *a, const char *typed)
{
    char text[CS_BACKGROUND_TYPED + 100];
    cs_error why;
    const cs_result r = {.there = true, .text = text};
    char *key = request_key(a);
    snprintf(text, sizeof text, "%.17g %d %zu %.*s", a->runs.run.steps,
             a->runs.run.beyond, a->runs.run.coordinate,
             CS_BACKGROUND_TYPED - 1, typed);
    if (key &&
        cs_job_cache_save(&a->shared->cache, key, a->type->name, &r, &why))
        lose(a->shared, &why);
    cs_free(key);
}

bool cs_background_requested(cs_background_asked *a, const cs_shot *s,
                             char typed[CS_BACKGROUND_TYPED])
{
    int beyond = 0, at = 0;
    cs_result r = {0};
    cs_background_of *run = &a->runs.run;
    cs_background_identify(s, a->identity);
    char *key = request_key(a);
    if (key)
        cs_job_cache_load(&a->shared->cache, key, &r);
    bool good = r.text &&
                sscanf(r.text, "%lf %d %zu %n", &run->steps, &beyond,
                       &run->coordinate, &at) == 3 &&
                at > 0;
    if (good)
        snprintf(typed, CS_BACKGROUND_TYPED, "%s", r.text + at);
    run->beyond = beyond != 0;
    cs_result_fini(&r);
    cs_free(key);
    return good;
}

void cs_background_forget(cs_background_asked *a)
{
    char *key = *a->identity ? request_key(a) : NULL;
    if (key)
        cs_job_cache_forget(&a->shared->cache, key);
    cs_free(key);
}
