#include "io/resample.h"

#include "base/memory.h"
#include "files/file.h"
#include "files/open.h"
#include "io/cmdstan.h"
#include "rng/stream.h"
#include "stat/weighted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char column[] = "log_weight__";

/* The draws of all files, one after the other. */
typedef struct pool {
    cs_resample *job;
    cs_cmdstan_head head; /* header of the first file */
    size_t weight;        /* column of the log weight */
    double *w;            /* [n] weight of each draw [own] */
    size_t n, capacity;
    size_t *rows; /* [files] number of rows of each file [own] */
    bool full;
    size_t *from; /* [job->draws] for each output draw, the index of the row
                   * that is copied to it; the indices increase [own] */
    uint64_t k;   /* number of draws written so far */
    size_t at;    /* number of draws in the preceding files */
    cs_cmdstan *to;
    double *row; /* [columns] the row being written [own] */
    cs_status broken;
    cs_error why;
} pool;

double cs_resample_uniform(uint64_t seed, uint64_t step, uint64_t chain)
{
    const uint64_t key[2] = {seed, UINT64_MAX - 1}, counter[2] = {step, chain};
    uint64_t out[2];
    cs_threefry2x64(20, counter, key, out);
    return ((double)(out[0] >> 12) + 0.5) * 0x1p-52;
}

/* ---- weights ------------------------------------------------------------- */

static void take_weight(void *self, uint64_t i, const double *row)
{
    pool *p = self;
    (void)i;
    p->full |= !CS_EXTEND(p->w, p->n, p->capacity, 1);
    if (p->full)
        return;
    p->w[p->n++] = row[p->weight];
}

static cs_status same_columns(const pool *p, const char *path, cs_error *err)
{
    cs_cmdstan_head h;
    cs_status status = cs_cmdstan_head_read(path, &h, err);
    if (status)
        return status;
    bool same = h.columns == p->head.columns;
    for (size_t k = 0; same && k < h.columns; k++)
        same = strcmp(h.name[k], p->head.name[k]) == 0;
    if (!same) {
        status =
            cs_fail(err, CS_INPUT, "the columns of %s differ from those of %s",
                    path, p->job->path[0]);
        cs_hint(err, "give files of one arm");
    } else if (strcmp(h.arm, p->head.arm) != 0) {
        status = cs_fail(err, CS_INPUT,
                         "%s belongs to arm %s, but %s belongs to arm %s", path,
                         h.arm, p->job->path[0], p->head.arm);
        cs_hint(err, "give files of one arm");
    }
    cs_cmdstan_head_free(&h);
    return status;
}

/* Reads the weights of one file and divides them by their mean. */
static cs_status weigh(pool *p, size_t file, cs_error *err)
{
    const char *path = p->job->path[file];
    size_t before = p->n;
    cs_status status = same_columns(p, path, err);
    if (status == CS_OK)
        status =
            cs_cmdstan_read(path, NULL, p->head.columns, take_weight, p, err);
    if (status)
        return status;
    if (p->full)
        return cs_fail(err, CS_MEMORY, "out of memory for the weights of %s",
                       path);
    double *w = p->w + before;
    size_t n = p->rows[file] = p->n - before;
    if (n == 0 || cs_weights_of_chains(w, 1, n, w))
        return CS_OK;
    for (size_t i = 0; i < n; i++)
        if (w[i] != -HUGE_VAL)
            return cs_fail(
                err, CS_INPUT,
                "%s: %s of draw %zu is %g, which is not a valid log weight",
                path, column, i + 1, w[i]);
    memset(w, 0, n * sizeof *w); /* every log weight is -infinity */
    return CS_OK;
}

static cs_status find_column(pool *p, cs_error *err)
{
    while (p->weight < p->head.columns &&
           strcmp(p->head.name[p->weight], column) != 0)
        p->weight++;
    if (p->weight < p->head.columns)
        return CS_OK;
    cs_fail(err, CS_INPUT, "there is no column %s: the draws are unweighted",
            column);
    cs_hint(err, "use the files as they are");
    return CS_INPUT;
}

static cs_status weigh_all(pool *p, cs_error *err)
{
    cs_resample *job = p->job;
    cs_status status = cs_cmdstan_head_read(job->path[0], &p->head, err);
    if (status == CS_OK)
        status = find_column(p, err);
    p->rows = cs_alloc(job->files, sizeof *p->rows);
    if (status == CS_OK && !p->rows)
        status =
            cs_fail(err, CS_MEMORY, "out of memory for %zu files", job->files);
    for (size_t f = 0; f < job->files && status == CS_OK; f++)
        status = weigh(p, f, err);
    if (status)
        return status;
    snprintf(job->arm, sizeof job->arm, "%s", p->head.arm);
    job->had = p->n;
    job->kish = cs_weight_size(p->w, p->n);
    if (isnan(job->kish)) {
        cs_fail(err, CS_INPUT, "all draws in %s have weight 0", job->path[0]);
        cs_hint(err, "run more steps");
        return CS_INPUT;
    }
    if (job->draws == 0)
        job->draws = (uint64_t)fmax(job->kish, 1);
    return CS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

static void take_row(void *self, uint64_t i, const double *row)
{
    pool *p = self;
    size_t rest = p->head.columns - p->weight - 1;
    memcpy(p->row, row, p->weight * sizeof *row);
    memcpy(p->row + p->weight, row + p->weight + 1, rest * sizeof *row);
    for (; p->k < p->job->draws && p->from[p->k] == p->at + i; p->k++)
        if (!p->broken)
            p->broken = cs_cmdstan_rows(p->to, p->row, 1, &p->why);
}

static cs_status copy_rows(pool *p, cs_error *err)
{
    const cs_resample *job = p->job;
    cs_status status = CS_OK;
    for (size_t f = 0; f < job->files && status == CS_OK; f++) {
        status = cs_cmdstan_read(job->path[f], NULL, p->head.columns, take_row,
                                 p, err);
        p->at += p->rows[f];
    }
    if (status == CS_OK && p->broken)
        *err = p->why;
    return status ? status : p->broken;
}

/* Creates the output with all columns except the weight. */
static cs_status begin(pool *p, cs_error *err)
{
    const char **name = p->head.name;
    size_t n = p->head.columns - 1;
    memmove(name + p->weight, name + p->weight + 1,
            (n - p->weight) * sizeof *name);
    const cs_cmdstan_spec spec = {.path = p->job->out,
                                  .model = p->head.model,
                                  .algorithm = "resampled",
                                  .arm = p->head.arm,
                                  .id = 1,
                                  .seed = p->job->seed,
                                  .thin = 1,
                                  .name = name,
                                  .columns = n};
    return cs_cmdstan_create(&p->to, &spec, NULL, err);
}

/* Removes the output file if this process created it and nothing has replaced
 * it since. If another file or a link is at the path now, does nothing. */
static void remove_own(const char *path, const struct stat *own)
{
    struct stat now;
    if (lstat(path, &now) == 0 && now.st_dev == own->st_dev &&
        now.st_ino == own->st_ino)
        unlink(path);
}

/* Creates the empty output file. Fails if anything exists at the output's path,
 * even a link. */
static cs_status make(const char *path, struct stat *own, cs_error *err)
{
    cs_status status = cs_file_create(path, "", 0, err);
    if (status == CS_OK && lstat(path, own) != 0)
        status = cs_open_failed(path, "written", err);
    return status;
}

static cs_status write_all(pool *p, cs_error *err)
{
    struct stat own;
    const cs_resample *job = p->job;
    p->from = job->draws <= SIZE_MAX / sizeof *p->from
                  ? cs_alloc((size_t)job->draws, sizeof *p->from)
                  : NULL;
    p->row = cs_alloc(p->head.columns, sizeof *p->row);
    if (!p->from || !p->row)
        return cs_fail(err, CS_MEMORY, "out of memory for %llu draws",
                       (unsigned long long)job->draws);
    cs_resample_systematic(p->w, p->n, cs_resample_uniform(job->seed, 0, 0),
                           (size_t)job->draws, p->from);
    cs_status status = make(job->out, &own, err);
    if (status)
        return status;
    status = begin(p, err);
    if (status == CS_OK)
        status = copy_rows(p, err);
    if (status == CS_OK)
        status = cs_cmdstan_finish(p->to, 0, job->draws, 0, err);
    cs_cmdstan_destroy(p->to);
    if (status)
        remove_own(job->out, &own);
    return status;
}

cs_status cs_resample_files(cs_resample *job, cs_error *err)
{
    pool p = {.job = job};
    cs_status status = CS_OK;
    if (access(job->out, F_OK) == 0) {
        status = cs_fail(err, CS_INPUT, "%s already exists", job->out);
        cs_hint(err, "choose another name or remove the file");
    }
    if (status == CS_OK)
        status = weigh_all(&p, err);
    if (status == CS_OK)
        status = write_all(&p, err);
    cs_cmdstan_head_free(&p.head);
    CS_FREE_ALL(p.w, p.rows, p.from, p.row);
    return status;
}
