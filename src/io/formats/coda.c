/* Reads CODA, which JAGS, OpenBUGS and R's package coda write: an index with a
 * line "name first last" per quantity, and a file per chain whose lines are
 * "iteration value". The quantities follow one another in the file of the
 * chain, so that a chain is held in memory. */
#include "base/memory.h"
#include "files/open.h"
#include "io/formats/column_names.h"
#include "io/formats/head_lines.h"
#include "io/formats/text_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

/* The lines of one quantity in the file of a chain. */
typedef struct range {
    uint64_t first, last;
} range;

typedef struct coda {
    const char *path; /* the chain [borrowed] */
    char index[PATH];
    cs_column_names names;
    uint64_t last; /* last line of the last quantity */
    uint64_t draws;
    double *value;         /* [draws][names.n] [own] */
    uint64_t begin, every; /* first iteration, and iterations per draw */
} coda;

/* ---- the index ---- */

static bool is_whole(cs_word_span s, double *value)
{
    return cs_word_whole(s, 1, 9e15, value);
}

static bool read_index_line(cs_word_span line, cs_word_span *name, range *r)
{
    double first, last;
    cs_word_span rest = cs_word_trim(line);
    /* a name may contain blanks: theta[1, 2] */
    const char *cut = rest.end;
    cs_word_span word[2];
    for (int i = 1; i >= 0; i--) {
        const char *end = cut;
        while (end > rest.at && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        cut = end;
        while (cut > rest.at && cut[-1] != ' ' && cut[-1] != '\t')
            cut--;
        word[i] = (cs_word_span){cut, end};
    }
    *name = cs_word_trim((cs_word_span){rest.at, cut});
    bool quoted =
        name->end - name->at >= 2 && *name->at == '"' && name->end[-1] == '"';
    if (quoted)
        *name = (cs_word_span){name->at + 1, name->end - 1};
    double unused;
    if (name->at == name->end || (!quoted && cs_word_real(*name, &unused)) ||
        !is_whole(word[0], &first) || !is_whole(word[1], &last) || last < first)
        return false;
    *r = (range){(uint64_t)first, (uint64_t)last};
    return true;
}

static cs_status take_index_line(coda *c, const cs_text_lines *t,
                                 cs_word_span line, cs_error *err)
{
    cs_word_span name;
    range r;
    if (!read_index_line(line, &name, &r))
        return cs_text_refuse(t, err,
                              "this is not a line of a CODA index: "
                              "NAME FIRST LAST");
    uint64_t draws = r.last - r.first + 1;
    if (c->names.n && draws != c->draws)
        return cs_text_refuse(
            t, err, "this quantity has %llu draws, but the first one has %llu",
            (unsigned long long)draws, (unsigned long long)c->draws);
    if (r.first != c->last + 1)
        return cs_text_refuse(
            t, err,
            "this quantity starts at line %llu of the chain, but the one "
            "before it ends at line %llu",
            (unsigned long long)r.first, (unsigned long long)c->last);
    c->draws = draws;
    c->last = r.last;
    cs_status status =
        cs_names_add(&c->names, name.at, (size_t)(name.end - name.at), err);
    if (status)
        cs_where(err, t->path, t->line);
    return status;
}

static cs_status read_index(coda *c, cs_error *err)
{
    cs_text_lines t;
    cs_word_span line;
    bool more = true;
    cs_status status = cs_text_open(&t, c->index, err);
    while (status == CS_OK && more) {
        status = cs_text_next(&t, &line, &more, err);
        if (status == CS_OK && more && cs_word_trim(line).at < line.end)
            status = take_index_line(c, &t, line, err);
    }
    cs_text_close(&t);
    if (status == CS_OK)
        status = cs_names_check(&c->names, err);
    if (status)
        cs_where(err, c->index, 0);
    return status;
}

static bool has_index(const char *path)
{
    const cs_draw_format *f;
    bool native;
    return access(path, R_OK) == 0 &&
           cs_draw_format_find(path, &f, &native, NULL) == CS_OK &&
           f == &cs_format_coda_index;
}

/* Finds the index: the one that the user gave, or one in the folder of the
 * chain: CODAindex.txt for CODAchain1.txt, x.ind or xindex.txt for x1.out. */
static cs_status find_index(coda *c, const cs_draw_sink *sink, cs_error *err)
{
    static const char *const ends[] = {"index.txt", ".ind", "Index.txt",
                                       "index"};
    for (size_t i = 0; i < sink->n_files; i++)
        if (snprintf(c->index, PATH, "%s", sink->file[i]) < PATH &&
            has_index(c->index))
            return CS_OK;
    const char *slash = strrchr(c->path, '/');
    const char *name = slash ? slash + 1 : c->path;
    size_t n = strcspn(name, ".");
    while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    if (n >= 5 && strncmp(name + n - 5, "chain", 5) == 0)
        n -= 5;
    int stem = (int)(name + n - c->path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (snprintf(c->index, PATH, "%.*s%s", stem, c->path, ends[i]) < PATH &&
            has_index(c->index))
            return CS_OK;
    cs_fail(err, CS_INPUT,
            "%.300s is a chain in CODA's format, but its index is missing",
            c->path);
    cs_hint(err, "give the index, for example CODAindex.txt, with the chains");
    return CS_INPUT;
}

/* ---- a chain ---- */

static cs_status take_line(coda *c, const cs_text_lines *t, size_t k,
                           uint64_t i, cs_word_span line, cs_error *err)
{
    double step, value;
    cs_word_span at = cs_word_next(&line), number = cs_word_next(&line);
    if (cs_word_is(number, "NA"))
        value = NAN;
    else if (!cs_word_real(number, &value) || cs_word_trim(line).at < line.end)
        return cs_text_refuse(t, err, "this is not a line ITERATION VALUE");
    if (!cs_word_whole(at, 0, 9e15, &step))
        return cs_text_refuse(t, err, "the iteration is not a whole number");
    if (i == 0 && k == 0)
        c->begin = (uint64_t)step;
    if (i == 1 && k == 0)
        c->every = (uint64_t)step - c->begin;
    if ((uint64_t)step != c->begin + i * c->every)
        return cs_text_refuse(
            t, err, "iteration %.0f of %s is out of order: %llu was expected",
            step, c->names.name[k],
            (unsigned long long)(c->begin + i * c->every));
    c->value[i * c->names.n + k] = value;
    return CS_OK;
}

static cs_status read_values(coda *c, cs_text_lines *t, cs_error *err)
{
    cs_word_span line;
    for (size_t k = 0; k < c->names.n; k++)
        for (uint64_t i = 0; i < c->draws;) {
            bool more;
            cs_status status = cs_text_next(t, &line, &more, err);
            if (status)
                return status;
            if (!more)
                return cs_text_refuse(
                    t, err,
                    "the file ends at byte %llu: draw %llu of %s is missing",
                    (unsigned long long)t->after, (unsigned long long)i + 1,
                    c->names.name[k]);
            if (cs_word_trim(line).at == line.end)
                continue;
            status = take_line(c, t, k, i++, line, err);
            if (status)
                return status;
        }
    return CS_OK;
}

/* Checks, before memory is allocated, that the file is long enough for the
 * index: a line has at least 4 bytes. */
static cs_status check_size(const coda *c, cs_error *err)
{
    uint64_t size = 0;
    int fd = cs_open_read(c->path, &size);
    if (fd < 0)
        return cs_open_failed(c->path, "read", err);
    close(fd);
    if (c->names.n && c->draws <= size / 3 / c->names.n)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "the file has %llu bytes, too few for the %zu quantities with %llu "
            "draws of %.200s",
            (unsigned long long)size, c->names.n, (unsigned long long)c->draws,
            c->index);
    cs_where(err, c->path, 0);
    return CS_INPUT;
}

static cs_status send(const coda *c, const cs_draw_sink *sink, cs_error *err)
{
    cs_status status = sink->columns(
        sink->self, (const char *const *)c->names.name, c->names.n, err);
    for (uint64_t i = 0; i < c->draws && status == CS_OK; i++)
        status =
            sink->row(sink->self, 0, false, c->value + i * c->names.n, err);
    if (c->begin > 1 || c->every > 1)
        cs_draw_note(sink,
                     "iterations %llu, %llu ...: warm-up and thinning before "
                     "this file are unknown",
                     (unsigned long long)c->begin,
                     (unsigned long long)(c->begin + c->every));
    cs_names_note(&c->names, sink);
    return status;
}

static cs_status read_chain(const char *path, const cs_draw_sink *sink,
                            cs_error *err)
{
    coda c = {.path = path, .every = 1};
    cs_text_lines t = {.path = path};
    cs_status status = find_index(&c, sink, err);
    if (status == CS_OK)
        status = read_index(&c, err);
    if (status == CS_OK)
        status = check_size(&c, err);
    if (status == CS_OK) {
        c.value = cs_alloc((size_t)c.draws, c.names.n * sizeof *c.value);
        status = c.value
                     ? cs_text_open(&t, path, err)
                     : cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    }
    if (status == CS_OK)
        status = read_values(&c, &t, err);
    if (status == CS_OK)
        status = send(&c, sink, err);
    cs_text_close(&t);
    cs_names_free(&c.names);
    cs_free(c.value);
    return status;
}

/* ---- recognition ---- */

static bool is_chain_line(cs_word_span line)
{
    double step, value;
    cs_word_span at = cs_word_next(&line), number = cs_word_next(&line);
    return cs_word_whole(at, 0, 9e15, &step) &&
           (cs_word_real(number, &value) || cs_word_is(number, "NA")) &&
           cs_word_trim(line).at == line.end;
}

/* A single line may be the size of a table, so it must be the whole file. The
 * iterations of the first two lines increase, unless all are the same: then the
 * chain has one draw, and each line is a quantity. */
static bool is_chain(const cs_draw_head *h)
{
    cs_word_span rest = cs_head_text(h), line;
    double first = 0, step = 0;
    size_t n = 0;
    while (cs_head_line(&rest, h->whole, &line)) {
        if (line.at == line.end)
            continue;
        cs_word_span at = line;
        if (!is_chain_line(line) || !cs_word_real(cs_word_next(&at), &step))
            return false;
        if (n++ == 0)
            first = step;
        else if (step != first)
            return n == 2 && step > first;
    }
    return n > 1 || (n == 1 && h->whole);
}

/* The first line is one of an index, and so are most lines; a damaged line is
 * reported when the index is read. */
static bool is_index(const cs_draw_head *h)
{
    cs_word_span rest = cs_head_text(h), line, name;
    range r;
    size_t good = 0, bad = 0;
    while (cs_head_line(&rest, h->whole, &line)) {
        if (line.at == line.end)
            continue;
        bool fits = read_index_line(line, &name, &r);
        if (!fits && !good)
            return false;
        if (fits && !good && r.first != 1)
            return false;
        good += fits;
        bad += !fits;
    }
    return good > bad;
}

const cs_draw_format cs_format_coda = {
    .name = "CODA",
    .recognise = is_chain,
    .read = read_chain,
};

const cs_draw_format cs_format_coda_index = {
    .name = "CODA index",
    .recognise = is_index,
    .companion = true,
};
