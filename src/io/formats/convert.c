#include "io/formats/convert.h"

#include "base/memory.h"
#include "io/cmdstan.h"
#include "io/formats/gather_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes per write of a chain, if there are few chains, and otherwise. */
enum { FEW = 16, GATHER_FEW = 1 << 18, GATHER = 1 << 14 };

typedef struct chain {
    cs_cmdstan *to; /* [own] */
    size_t file;    /* number of its file */
    uint64_t label; /* its number in the file */
    uint64_t warmup, draws;
} chain;

struct cs_converter {
    const char *folder, *arm;
    cs_draw_sink sink;
    chain chain[CS_GATHER_CHAINS];
    size_t chains, last; /* last: the chain of the last row */
    const char **name;   /* [columns] names in the files that are written, lp__
                          * first; the strings are part of `text` [own] */
    char *text;          /* [own] */
    size_t columns;
    size_t *from; /* [columns] for each column its number in the current file;
                   * SIZE_MAX: it is NaN [own] */
    double *row;  /* [columns] [own] */
    const char *path; /* the current file, and its number */
    size_t file;
    char first[200]; /* name of the first file */
    char stem[120];  /* name of the current file without its ending */
    char model[120];
    cs_page notes, data; /* data: lines for the headers, of the first file */
};

cs_status cs_converter_open(cs_converter **out, const char *folder,
                            const char *arm, const char *const *path, size_t n,
                            const char *groups, cs_error *err)
{
    cs_converter *c = *out = cs_alloc(1, sizeof *c);
    if (!c)
        return cs_fail(err, CS_MEMORY, "out of memory for the draws");
    c->folder = folder;
    c->arm = arm;
    c->sink =
        (cs_draw_sink){.self = c, .groups = groups, .file = path, .n_files = n};
    return CS_OK;
}

void cs_converter_close(cs_converter *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->chains; i++)
        cs_cmdstan_destroy(c->chain[i].to);
    CS_FREE_ALL(c->name, c->text, c->from, c->row, c->notes.text, c->data.text,
                c);
}

/* Adds a note, unless it was noted for an earlier file. */
static void take_note(void *self, const char *text)
{
    cs_converter *c = self;
    char line[700];
    int n = snprintf(line, sizeof line, ": %.680s\n", text);
    if (n > 0 && !(c->notes.text && strstr(c->notes.text, line)))
        cs_page_put(&c->notes, "%.200s%s", cs_gather_name(c->path), line);
}

/* Takes the lines about data from the first file. */
static void take_data(void *self, const char *line)
{
    cs_converter *c = self;
    if (c->file == 0)
        cs_page_put(&c->data, "%s", line);
}

/* ---- columns ---- */

/* Returns the number of the column with the log density, or n. Names of other
 * programs count only if there is no lp__. */
static size_t find_logp(const char *const *name, size_t n)
{
    static const char *const names[] = {
        "lp__", "lp", "logp", "log_prob", "log_density", "log_posterior"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < n; i++)
            if (strcmp(name[i], names[k]) == 0)
                return i;
    return n;
}

/* Takes the names of the first file; lp__ becomes the first one. */
static cs_status first_names(cs_converter *c, const char *const *name, size_t n,
                             cs_error *err)
{
    size_t logp = find_logp(name, n), bytes = 0;
    c->columns = n + (logp == n);
    for (size_t i = 0; i < n; i++)
        bytes += strlen(name[i]) + 1;
    c->name = cs_alloc(c->columns, sizeof *c->name);
    c->text = cs_alloc(bytes + 1, 1);
    c->from = cs_alloc(c->columns, sizeof *c->from);
    c->row = cs_alloc(c->columns, sizeof *c->row);
    if (!c->name || !c->text || !c->from || !c->row)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu columns", n);
    char *at = c->text;
    c->name[0] = "lp__";
    for (size_t i = 0, k = 1; i < n; i++) {
        if (i == logp)
            continue;
        size_t m = strlen(name[i]) + 1;
        memcpy(at, name[i], m);
        c->name[k++] = at;
        at += m;
    }
    if (logp == n)
        cs_draw_note(&c->sink, "there is no column with the log density");
    else if (strcmp(name[logp], "lp__") != 0)
        cs_draw_note(&c->sink, "%s is the log density", name[logp]);
    return CS_OK;
}

static cs_status refuse_names(const cs_converter *c, const char *name,
                              bool more, cs_error *err)
{
    cs_fail(err, CS_INPUT, "column %.100s is %s %.150s", name,
            more ? "not in" : "missing, but it is in", c->first);
    cs_where(err, c->path, 0);
    cs_hint(err, "give files of one model");
    return CS_INPUT;
}

/* Finds the columns of the earlier files in the names of this file, which may
 * have another order. */
static cs_status match_names(cs_converter *c, const char *const *name, size_t n,
                             cs_error *err)
{
    size_t logp = find_logp(name, n), at = 0;
    c->from[0] = logp < n ? logp : SIZE_MAX;
    for (size_t k = 1; k < c->columns; k++) {
        size_t i = 0;
        for (; i < n; i++, at++)
            if (at % n != logp && strcmp(name[at % n], c->name[k]) == 0)
                break;
        if (i == n)
            return refuse_names(c, c->name[k], false, err);
        c->from[k] = at++ % n;
    }
    if (n - (logp < n) == c->columns - 1)
        return CS_OK;
    for (size_t i = 0; i < n; i++) {
        bool known = i == logp;
        for (size_t k = 1; k < c->columns && !known; k++)
            known = c->from[k] == i;
        if (!known)
            return refuse_names(c, name[i], true, err);
    }
    return CS_OK;
}

static cs_status take_columns(void *self, const char *const *name, size_t n,
                              cs_error *err)
{
    cs_converter *c = self;
    cs_status status = c->name ? CS_OK : first_names(c, name, n, err);
    return status ? status : match_names(c, name, n, err);
}

/* ---- rows ---- */

static bool is_chain(const cs_converter *c, size_t i, uint64_t label)
{
    return i < c->chains && c->chain[i].file == c->file &&
           c->chain[i].label == label;
}

static cs_status add_chain(cs_converter *c, uint64_t label, cs_error *err)
{
    char path[CS_GATHER_PATH + 200];
    if (c->chains == CS_GATHER_CHAINS) {
        cs_fail(err, CS_INPUT, "there are more than %d chains",
                CS_GATHER_CHAINS);
        cs_where(err, c->path, 0);
        return CS_INPUT;
    }
    snprintf(path, sizeof path, "%s/%s_%zu.csv", c->folder, c->stem,
             c->chains + 1);
    const cs_cmdstan_spec spec = {.path = path,
                                  .model = c->model,
                                  .algorithm = "imported",
                                  .arm = c->arm,
                                  .id = c->chains + 1,
                                  .thin = 1,
                                  .binary = true,
                                  .data_lines = c->data.text,
                                  .name = c->name,
                                  .columns = c->columns,
                                  .gather =
                                      c->chains < FEW ? GATHER_FEW : GATHER};
    chain *to = &c->chain[c->chains];
    *to = (chain){.file = c->file, .label = label};
    cs_status status = cs_cmdstan_create(&to->to, &spec, NULL, err);
    if (status == CS_OK)
        c->last = c->chains++;
    return status;
}

static cs_status find_chain(cs_converter *c, uint64_t label, cs_error *err)
{
    if (is_chain(c, c->last, label))
        return CS_OK;
    for (size_t i = c->chains; i-- > 0 && c->chain[i].file == c->file;)
        if (is_chain(c, i, label)) {
            c->last = i;
            return CS_OK;
        }
    return add_chain(c, label, err);
}

/* Writes a draw. The warm-up is counted, but not written. */
static cs_status take_row(void *self, uint64_t label, bool warmup,
                          const double *row, cs_error *err)
{
    cs_converter *c = self;
    cs_status status = find_chain(c, label, err);
    if (status)
        return status;
    chain *to = &c->chain[c->last];
    if (warmup && to->draws) {
        cs_fail(err, CS_INPUT, "warm-up follows the draws of chain %llu",
                (unsigned long long)label);
        cs_where(err, c->path, 0);
        return CS_INPUT;
    }
    to->warmup += warmup;
    to->draws += !warmup;
    if (warmup)
        return CS_OK;
    for (size_t k = 0; k < c->columns; k++)
        c->row[k] = c->from[k] == SIZE_MAX ? (double)NAN : row[c->from[k]];
    return cs_cmdstan_rows(to->to, c->row, 1, err);
}

/* ---- files ---- */

/* Copies the file's name without its ending. Characters that a name of a column
 * or a path could not contain become "_". */
static void take_stem(cs_converter *c)
{
    const char *name = cs_gather_name(c->path), *dot = strrchr(name, '.');
    size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    snprintf(c->stem, sizeof c->stem, "%.*s", n < 100 ? (int)n : 100, name);
    for (char *at = c->stem; *at; at++)
        if ((unsigned char)*at < ' ' || *at == '/')
            *at = '_';
    if (!*c->model)
        snprintf(c->model, sizeof c->model, "%s", c->stem);
}

cs_status cs_converter_take(cs_converter *c, const char *path,
                            const cs_draw_format *format, cs_error *err)
{
    size_t before = c->chains;
    c->path = path;
    c->sink.columns = take_columns;
    c->sink.row = take_row;
    c->sink.note = take_note;
    c->sink.data = take_data;
    take_stem(c);
    if (!*c->first)
        snprintf(c->first, sizeof c->first, "%s", cs_gather_name(path));
    cs_status status = format->read(path, &c->sink, err);
    c->file++;
    if (status)
        cs_where(err, path, 0);
    else if (c->chains == before) {
        status = cs_fail(err, CS_INPUT, "the file has no draws");
        cs_where(err, path, 0);
    }
    return status;
}

/* The warm-up of different files may end at different draws. Chains of unequal
 * length are left open, so that the draws that all of them have are used, as
 * for chains that are still being written. */
cs_status cs_converter_end(cs_converter *c, cs_page *notes, cs_error *err)
{
    bool equal = true;
    cs_status status = CS_OK;
    for (size_t i = 0; i < c->chains; i++)
        equal &= c->chain[i].draws == c->chain[0].draws;
    for (size_t i = 0; i < c->chains && status == CS_OK; i++) {
        const chain *one = &c->chain[i];
        cs_cmdstan_mark mark;
        if (one->draws == 0)
            return cs_fail(err, CS_INPUT, "chain %zu has only warm-up", i + 1);
        status = equal ? cs_cmdstan_finish(one->to, one->warmup,
                                           one->warmup + one->draws, 0, err)
                       : cs_cmdstan_flush(one->to, &mark, err);
    }
    if (status == CS_OK && c->chain[0].warmup)
        cs_page_put(&c->notes, "%llu draws of warm-up per chain are left out\n",
                    (unsigned long long)c->chain[0].warmup);
    cs_page_put(notes, "%s", c->notes.text ? c->notes.text : "");
    return status;
}
