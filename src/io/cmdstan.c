/* Writes files in the layout of the CmdStan Guide, "Stan CSV File Format".
 * Readers expect num_samples and num_warmup in the header, but these numbers
 * are not known when the header is written. The two fields therefore have a
 * fixed width and are overwritten at the end. */
#include "io/cmdstan.h"

#include "base/decimal.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "files/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 64 << 10 }; /* bytes per write; this size suits most disks */
enum { FEW = 8 };           /* maximum number of files synced one by one */

struct cs_cmdstan {
    char *path;
    size_t columns;
    cs_cmdstan_mark mark; /* state of the file */
    cs_cmdstan_mark next; /* state of the file once the buffer is written */
    bool save_warmup, binary;
    uint64_t synced;   /* number of bytes that were synced to the disk */
    uint64_t count_at; /* offset of the number of draws in the file */
    uint64_t thin;
    char remark[300];
    cs_status broken;
    cs_error why;
    size_t used;         /* bytes of complete rows in the buffer */
    size_t row_capacity; /* maximum size of a row in bytes */
    size_t capacity;
    char *buffer; /* [own] has room for at least one row */
};

/* Appends text to the file. If the write fails, removes the incomplete row from
 * the file; this needs no disk space. */
static cs_status append(cs_cmdstan *w, const char *text, size_t n,
                        cs_error *err)
{
    if (!w->broken && n)
        w->broken = cs_file_write_at(w->path, w->mark.bytes, text, n,
                                     w->mark.bytes == 0, &w->why);
    if (w->broken) {
        cs_file_cut(w->path, w->mark.bytes, NULL);
        if (err)
            *err = w->why;
        return w->broken;
    }
    w->next.bytes = w->mark.bytes + n;
    if (!w->binary)
        w->next.sum = cs_running_sum(w->mark.sum, text, n);
    w->mark = w->next;
    return CS_OK;
}

static cs_status empty(cs_cmdstan *w, cs_error *err)
{
    cs_status status = append(w, w->buffer, w->used, err);
    if (status == CS_OK)
        w->used = 0;
    return status;
}

/* Writes the start of the header, up to the number of draws, to text[size]. */
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

/* Returns true if the draws have weights. Weights are known only up to a
 * constant factor per chain. Readers of several files must therefore scale the
 * weights of each chain. */
static bool has_weights(const cs_cmdstan_spec *s)
{
    bool found = false;
    for (size_t i = 0; i < s->columns; i++)
        found |= strcmp(s->name[i], "log_weight__") == 0;
    return found;
}

static cs_status header(cs_cmdstan *w, const cs_cmdstan_spec *s, cs_error *err)
{
    char text[512];
    cs_page p = {0};
    /* rstan requires the line "engine" if the algorithm is hmc. */
    const char *engine = strcmp(s->algorithm, "hmc") == 0
                             ? "#       hmc\n#         engine = static\n"
                             : "";
    w->count_at = head(s->model, text, sizeof text);
    cs_page_put(
        &p,
        "%s" CS_CMDSTAN_COUNTS("%-20d", "%-20d") "\n"
                                                 "#     save_warmup = %d\n"
                                                 "#     thin = %llu\n"
                                                 "#     algorithm = %.200s\n%s"
                                                 "# id = %llu\n"
                                                 "# random\n"
                                                 "#   seed = %llu\n"
                                                 "# arm = %.200s\n"
                                                 "# chainscope_version = %s\n"
                                                 "%s%.200s%s",
        text, 0, 0, s->save_warmup, (unsigned long long)s->thin, s->algorithm,
        engine, (unsigned long long)s->id, (unsigned long long)s->seed, s->arm,
        CS_VERSION, s->note ? "# " : "", s->note ? s->note : "",
        s->note ? "\n" : "");
    if (has_weights(s))
        cs_page_put(&p, "# log_weight = known up to a constant of this chain: "
                        "normalise each chain before chains are combined\n");
    if (s->integers && *s->integers)
        cs_page_put(&p, "# integers = %.1000s\n", s->integers);
    if (s->data_lines)
        cs_page_put(&p, "%s", s->data_lines);
    if (s->run)
        cs_page_put(&p, "# run = %016llx\n", (unsigned long long)s->run);
    if (s->before == CS_CMDSTAN_UNKNOWN)
        cs_page_put(&p, "# draws_before = unknown\n");
    else if (s->before)
        cs_page_put(&p, "# draws_before = %llu\n",
                    (unsigned long long)s->before);
    if (s->binary)
        cs_page_put(&p, CS_CMDSTAN_BINARY "\n");
    for (size_t i = 0; i < s->columns; i++)
        cs_page_put(&p, "%s%.200s", i ? "," : "", s->name[i]);
    cs_page_put(&p, "\n");
    cs_status status =
        p.full ? cs_fail(err, CS_MEMORY, "out of memory for %s", s->path)
               : append(w, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* Sets the counts in the file to 0; cs_cmdstan_finish writes them again. */
static cs_status forget_counts(cs_cmdstan *w, cs_error *err)
{
    char text[80];
    int n =
        snprintf(text, sizeof text, CS_CMDSTAN_COUNTS("%-20d", "%-20d"), 0, 0);
    return cs_file_write_at(w->path, w->count_at, text, (size_t)n, false, err);
}

cs_status cs_cmdstan_create(cs_cmdstan **out, const cs_cmdstan_spec *spec,
                            const cs_cmdstan_mark *from, cs_error *err)
{
    assert(spec->columns > 0 && spec->thin > 0);
    assert(!spec->binary || !spec->save_warmup);
    cs_cmdstan *w = cs_alloc(1, sizeof *w);
    if (!w)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", spec->path);
    w->columns = spec->columns;
    w->mark.sum = w->next.sum = CS_DIGEST;
    w->thin = spec->thin;
    w->save_warmup = spec->save_warmup;
    w->binary = spec->binary;
    w->row_capacity = spec->binary
                          ? spec->columns * sizeof(double)
                          : spec->columns * (CS_DECIMAL_MOST + 1) + CS_DECIMAL;
    w->capacity = spec->gather ? spec->gather : BUFFER;
    if (w->capacity < w->row_capacity)
        w->capacity = w->row_capacity;
    w->buffer = cs_alloc(1, w->capacity);
    w->path = cs_copy_text(spec->path);
    if (!w->path || !w->buffer) {
        cs_cmdstan_destroy(w);
        return cs_fail(err, CS_MEMORY, "out of memory for %s", spec->path);
    }
    cs_status status =
        from ? cs_file_cut(w->path, from->bytes, err) : header(w, spec, err);
    if (from) {
        char text[512]; /* used only to compute the offset of the counts */
        w->count_at = head(spec->model, text, sizeof text);
        w->mark = w->next = *from;
        w->synced = from->bytes;
    }
    if (from && status == CS_OK)
        status = forget_counts(w, err);
    if (status)
        cs_cmdstan_destroy(w);
    else
        *out = w;
    return status;
}

/* Writes a row to the buffer, and returns the end of the row. */
static char *put_row(const cs_cmdstan *w, const double *row, char *at)
{
    if (w->binary) {
        memcpy(at, row, w->columns * sizeof *row);
        return at + w->columns * sizeof *row;
    }
    for (size_t i = 0; i < w->columns; i++) {
        at += cs_decimal_put(row[i], at);
        *at++ = ',';
    }
    at[-1] = '\n';
    return at;
}

cs_status cs_cmdstan_rows(cs_cmdstan *w, const double *rows, size_t n,
                          cs_error *err)
{
    assert(rows || n == 0);
    for (size_t r = 0; r < n; r++) {
        if (w->broken || w->used + w->row_capacity > w->capacity) {
            cs_status status = empty(w, err);
            if (status)
                return status;
        }
        assert(w->used + w->row_capacity <= w->capacity);
        const char *end =
            put_row(w, rows + r * w->columns, w->buffer + w->used);
        w->used = (size_t)(end - w->buffer);
        if (w->save_warmup && !w->next.adapted)
            w->next.warmup_rows++;
        else
            w->next.rows++;
    }
    return CS_OK;
}

cs_status cs_cmdstan_adapted(cs_cmdstan *w, const char *text, cs_error *err)
{
    if (!w->save_warmup || w->next.adapted)
        return CS_OK;
    cs_status status = empty(w, err);
    if (status)
        return status;
    w->next.adapted = true;
    return append(w, text, strlen(text), err);
}

void cs_cmdstan_mark_words(cs_cmdstan_mark *m, double *word, bool in)
{
    if (in)
        *m = (cs_cmdstan_mark){.bytes = (uint64_t)word[0],
                               .rows = (uint64_t)word[1],
                               .warmup_rows = (uint64_t)word[2],
                               .adapted = word[3] != 0,
                               .sum =
                                   (uint64_t)word[4] << 32 | (uint64_t)word[5]};
    word[0] = (double)m->bytes;
    word[1] = (double)m->rows;
    word[2] = (double)m->warmup_rows;
    word[3] = m->adapted;
    word[4] = (double)(m->sum >> 32); /* split in two, since a double has only
                                       * 53 bits */
    word[5] = (double)(m->sum & UINT32_MAX);
}

cs_status cs_cmdstan_flush(cs_cmdstan *w, cs_cmdstan_mark *mark, cs_error *err)
{
    cs_status status = empty(w, err);
    *mark = w->mark;
    return status;
}

static bool is_synced(const cs_cmdstan *w)
{
    return w->synced == w->mark.bytes;
}

cs_status cs_cmdstan_sync(cs_cmdstan *const *file, size_t n, cs_error *err)
{
    size_t waiting = 0;
    cs_status all = CS_OK, status = CS_OK;
    cs_error why;
    for (size_t i = 0; i < n; i++)
        if (file[i] && !is_synced(file[i]) && ++waiting > FEW) {
            all = cs_file_sync_all(file[i]->path, &why);
            break;
        }
    for (size_t i = 0; i < n; i++) {
        cs_cmdstan *w = file[i];
        if (!w || is_synced(w))
            continue;
        w->broken = waiting > FEW ? all : cs_file_sync(w->path, &why);
        if (w->broken)
            w->why = why;
        else
            w->synced = w->mark.bytes;
        if (w->broken && !status) {
            status = w->broken;
            if (err)
                *err = why;
        }
    }
    return status;
}

/* Writes the counts over the zeros in the file, which needs no disk space.
 * Readers expect counts in steps and divide them by thin. */
static cs_status write_counts(cs_cmdstan *w, uint64_t warmup, cs_error *err)
{
    char text[80];
    if (w->save_warmup)
        warmup = w->mark.warmup_rows * w->thin;
    int n = snprintf(text, sizeof text, CS_CMDSTAN_COUNTS("%-20llu", "%-20llu"),
                     (unsigned long long)(w->mark.rows * w->thin),
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
    if (status || counted || w->binary)
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
    CS_FREE_ALL(w->path, w->buffer, w);
}
