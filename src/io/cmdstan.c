/* The layout is that of the CmdStan Guide, "Stan CSV File Format". Readers
 * need num_samples and num_warmup before they are known: their fields have a
 * fixed width and are filled in at the end. */
#include "io/cmdstan.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/file.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 64 << 10, VALUE = 32 };

/* What stands between the number of draws and that of the warm-up. */
static const char between[] = "\n#     num_warmup = ";

struct cs_cmdstan {
    char *path;
    size_t columns;
    cs_cmdstan_mark mark; /* of what is in the file */
    uint64_t rows;        /* with what is in the buffer */
    uint64_t synced;      /* bytes that are on the disk for sure */
    uint64_t count_at;    /* where the number of draws stands */
    uint64_t thin;
    char remark[300];
    cs_status broken;
    cs_error why;
    size_t used, whole; /* bytes in the buffer, and those of whole rows */
    size_t room;
    char *buffer; /* [own] a row at least fits */
};

/* Only whole rows go to the file; what a failed write left of one is cut off
 * again, which needs no room on the disk. */
static cs_status empty(cs_cmdstan *w, cs_error *err)
{
    if (!w->broken && w->whole)
        w->broken = cs_file_write_at(w->path, w->mark.bytes, w->buffer,
                                     w->whole, false, &w->why);
    if (w->broken) {
        cs_file_cut(w->path, w->mark.bytes, NULL);
        if (err)
            *err = w->why;
        return w->broken;
    }
    w->mark.bytes += w->whole;
    w->mark.rows = w->rows;
    w->used -= w->whole;
    memmove(w->buffer, w->buffer + w->whole, w->used);
    w->whole = 0;
    return CS_OK;
}

static cs_status put(cs_cmdstan *w, const char *text, size_t n, cs_error *err)
{
    if (w->broken || w->used + n > w->room) {
        cs_status status = empty(w, err);
        if (status)
            return status;
    }
    memcpy(w->buffer + w->used, text, n);
    w->used += n;
    return CS_OK;
}

/* Ends a row, or the header. */
static cs_status end_row(cs_cmdstan *w, cs_error *err)
{
    cs_status status = put(w, "\n", 1, err);
    w->whole = w->used;
    return status;
}

/* Everything before the number of draws. */
static size_t head(const char *model, char *text, size_t size)
{
    return (size_t)snprintf(text, size,
                            "# stan_version_major = 2\n"
                            "# stan_version_minor = 33\n"
                            "# stan_version_patch = 0\n"
                            "# model = %.200s\n"
                            "# method = sample (Default)\n"
                            "#   sample\n"
                            "#     num_samples = ",
                            model);
}

static cs_status header(cs_cmdstan *w, const cs_cmdstan_spec *s, cs_error *err)
{
    char text[2048];
    /* rstan asks which engine an hmc has. */
    const char *engine = strcmp(s->algorithm, "hmc") == 0
                             ? "#       hmc\n#         engine = static\n"
                             : "";
    w->count_at = head(s->model, text, sizeof text);
    int n = (int)w->count_at;
    n +=
        snprintf(text + n, sizeof text - (size_t)n,
                 "%-20d%s%-20d\n"
                 "#     save_warmup = 0\n"
                 "#     thin = %llu\n"
                 "#     algorithm = %.200s\n%s"
                 "# id = %llu\n"
                 "# random\n"
                 "#   seed = %llu\n"
                 "# arm = %.200s\n"
                 "# chainscope_version = %s\n"
                 "%s%.200s%s",
                 0, between, 0, (unsigned long long)s->thin, s->algorithm,
                 engine, (unsigned long long)s->id, (unsigned long long)s->seed,
                 s->arm, CS_VERSION, s->note ? "# " : "",
                 s->note ? s->note : "", s->note ? "\n" : "");
    cs_status status = put(w, text, (size_t)n, err);
    for (size_t i = 0; i < s->columns && status == CS_OK; i++) {
        n = snprintf(text, sizeof text, "%s%.200s", i ? "," : "", s->name[i]);
        status = put(w, text, (size_t)n, err);
    }
    if (status == CS_OK)
        status = end_row(w, err);
    return status == CS_OK ? empty(w, err) : status;
}

/* A row, or the header, and what an average disk likes to get at once. */
static size_t room_for(const cs_cmdstan_spec *spec)
{
    size_t header = 3000, row = spec->columns * VALUE + 1;
    for (size_t i = 0; i < spec->columns; i++)
        header += strlen(spec->name[i]) + 1;
    row = row > header ? row : header;
    return row > BUFFER ? row : BUFFER;
}

cs_status cs_cmdstan_create(cs_cmdstan **out, const cs_cmdstan_spec *spec,
                            const cs_cmdstan_mark *from, cs_error *err)
{
    assert(spec->columns > 0 && spec->thin > 0);
    cs_cmdstan *w = cs_alloc(1, sizeof *w);
    if (!w)
        return cs_fail(err, CS_MEMORY, "no memory to write %s", spec->path);
    w->columns = spec->columns;
    w->thin = spec->thin;
    w->room = room_for(spec);
    w->buffer = cs_alloc(1, w->room);
    w->path = cs_copy_text(spec->path);
    if (!w->path || !w->buffer) {
        cs_cmdstan_destroy(w);
        return cs_fail(err, CS_MEMORY, "no memory to write %s", spec->path);
    }
    cs_status status = from ? cs_file_cut(w->path, from->bytes, err)
                            : cs_file_write_at(w->path, 0, "", 0, true, err);
    if (status == CS_OK && !from) {
        status = header(w, spec, err);
    } else if (status == CS_OK) {
        char text[512]; /* only to learn where the count stands */
        w->count_at = head(spec->model, text, sizeof text);
        w->mark = *from;
        w->rows = from->rows;
    }
    if (status)
        cs_cmdstan_destroy(w);
    else
        *out = w;
    return status;
}

static size_t format(double value, char before, char *text)
{
    int n;
    if (value >= 0 && value <= 9 && value == floor(value) && !signbit(value)) {
        text[0] = before; /* bits: printf took most of their run */
        text[1] = (char)('0' + (int)value);
        return 2;
    }
    if (isnan(value)) /* as R spells them, the strictest of readers */
        n = snprintf(text, VALUE, "%cNaN", before);
    else if (isinf(value))
        n = snprintf(text, VALUE, "%c%sInf", before, value < 0 ? "-" : "");
    else
        n = snprintf(text, VALUE, "%c%.17g", before, value);
    return (size_t)n;
}

cs_status cs_cmdstan_rows(cs_cmdstan *w, const double *rows, size_t n,
                          cs_error *err)
{
    assert(rows || n == 0);
    char text[VALUE];
    for (size_t r = 0; r < n; r++) {
        const double *row = rows + r * w->columns;
        for (size_t i = 0; i < w->columns; i++) {
            size_t m = format(row[i], ',', text);
            cs_status status =
                i ? put(w, text, m, err) : put(w, text + 1, m - 1, err);
            if (status)
                return status;
        }
        cs_status status = end_row(w, err);
        if (status)
            return status;
        w->rows++;
    }
    return CS_OK;
}

cs_status cs_cmdstan_flush(cs_cmdstan *w, cs_cmdstan_mark *mark, cs_error *err)
{
    uint64_t before = w->synced;
    cs_status status = empty(w, err);
    if (status == CS_OK && before != w->mark.bytes)
        status = w->broken = cs_file_sync(w->path, &w->why);
    if (status && err)
        *err = w->why;
    w->synced = w->mark.bytes;
    if (mark)
        *mark = w->mark;
    return status;
}

/* In place: needs no room. Readers count in steps, and divide by thin. */
static cs_status write_counts(cs_cmdstan *w, uint64_t warmup, cs_error *err)
{
    char text[80];
    int n = snprintf(text, sizeof text, "%-20llu%s%-20llu",
                     (unsigned long long)(w->mark.rows * w->thin), between,
                     (unsigned long long)warmup);
    return cs_file_write_at(w->path, w->count_at, text, (size_t)n, false, err);
}

cs_status cs_cmdstan_finish(cs_cmdstan *w, uint64_t warmup, uint64_t steps,
                            double seconds, cs_error *err)
{
    assert(warmup <= steps);
    char text[600];
    double before = steps ? seconds * (double)warmup / (double)steps : 0;
    cs_status status = empty(w, err);
    cs_status counted = write_counts(w, warmup, status ? NULL : err);
    if (status || counted)
        return status ? status : counted;
    int n = snprintf(text, sizeof text,
                     "%s%s%s# \n#  Elapsed Time: %g seconds (Warm-up)\n"
                     "#                %g seconds (Sampling)\n"
                     "#                %g seconds (Total)\n# \n",
                     *w->remark ? "# " : "", w->remark, *w->remark ? "\n" : "",
                     before, seconds - before, seconds);
    status =
        cs_file_write_at(w->path, w->mark.bytes, text, (size_t)n, true, err);
    if (status)
        cs_file_cut(w->path, w->mark.bytes, NULL);
    return status;
}

void cs_cmdstan_remark(cs_cmdstan *w, const char *text)
{
    cs_text_clean(text, w->remark, sizeof w->remark);
}

void cs_cmdstan_destroy(cs_cmdstan *w)
{
    if (!w)
        return;
    cs_free(w->path);
    cs_free(w->buffer);
    cs_free(w);
}
