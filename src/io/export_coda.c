/* Writes draws as CODA, which R's package coda reads (read.coda): an index with
 * a line "NAME FIRST LAST" per column, and for each chain a file with a line
 * "ITERATION VALUE" per draw, column by column. The files of the chains are in
 * the folder of the index: CODAindex.txt has CODAchain1.txt, CODAchain2.txt ...
 */
#include "base/decimal.h"
#include "base/memory.h"
#include "base/page.h"
#include "data/lines.h"
#include "files/file.h"
#include "files/gate.h"
#include "files/open.h"
#include "io/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    HELD = 1 << 16,   /* number of bytes collected before they are written */
    NUMBERS = 1 << 23 /* numbers of a chain in memory; a larger chain is read
                       * several times */
};

/* Some adjacent columns of a chain. */
typedef struct part {
    double *x;       /* [n][draws] [own] */
    size_t first, n; /* number of the first column, and of columns */
    uint64_t draws;
} part;

static void take_row(void *self, uint64_t i, const double *row)
{
    part *p = self;
    for (size_t k = 0; k < p->n && i < p->draws; k++)
        p->x[k * p->draws + i] = row[p->first + k];
}

/* ---- the index ---- */

/* Writes the name of element i of a variable, as R and JAGS do: theta[2,3]. */
static void name_element(const cs_draw_variable *v, size_t i, cs_page *p)
{
    size_t at[CS_VARIABLE_DIMS];
    cs_page_put(p, "%s", v->name);
    for (size_t d = v->n_dims; d-- > 0; i /= v->dim[d])
        at[d] = i % v->dim[d] + 1;
    for (size_t d = 0; d < v->n_dims; d++)
        cs_page_put(p, "%s%zu", d ? "," : "[", at[d]);
    cs_page_put(p, v->n_dims ? "]" : "");
}

/* Writes the line of a column. A name that R's read.table would split, or take
 * for a number or a comment, is quoted. */
static cs_status put_line(const cs_export *e, size_t column, const char *name,
                          cs_page *p, cs_error *err)
{
    double unused;
    const cs_word_span word = {name, name + strlen(name)};
    unsigned long long n = e->draws;
    if (strpbrk(name, "\"\n\r")) {
        cs_fail(err, CS_INPUT,
                "the name of column %zu, %.80s, has a quotation mark or a line "
                "break, which CODA cannot hold",
                column + 1, name);
        cs_hint(err, "rename the column, or export to .jsonl");
        return CS_INPUT;
    }
    bool quoted = strpbrk(name, " \t#'") || cs_word_real(word, &unused);
    cs_page_put(p, quoted ? "\"%s\" %llu %llu\n" : "%s %llu %llu\n", name,
                column * n + 1, (column + 1) * n);
    return CS_OK;
}

static cs_status put_index(const cs_export *e, cs_page *p, cs_error *err)
{
    cs_page *name = cs_alloc(e->head.columns, sizeof *name);
    cs_status status =
        name ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for the index");
    for (size_t i = 0; i < e->variables.n && status == CS_OK; i++) {
        const cs_draw_variable *v = &e->variables.variable[i];
        for (size_t k = 0; k < v->n; k++)
            name_element(v, k, &name[v->column[k]]);
    }
    for (size_t c = 0; c < e->head.columns && status == CS_OK; c++)
        status = name[c].full || !name[c].text
                     ? cs_fail(err, CS_MEMORY, "out of memory for the index")
                     : put_line(e, c, name[c].text, p, err);
    for (size_t c = 0; name && c < e->head.columns; c++)
        cs_free(name[c].text);
    cs_free(name);
    return status == CS_OK && p->full
               ? cs_fail(err, CS_MEMORY, "out of memory for the index")
               : status;
}

/* ---- chains ---- */

static cs_status flush(cs_page *p, const cs_replace *r, cs_error *err)
{
    if (p->full)
        return cs_fail(err, CS_MEMORY, "out of memory for a line");
    if (p->used && !cs_gate_write(r->fd, p->text, p->used))
        return cs_open_failed(r->path, "written", err);
    p->used = 0;
    return CS_OK;
}

static cs_status put_part(const part *c, const cs_replace *r, cs_page *p,
                          cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t k = 0; k < c->n; k++)
        for (uint64_t i = 0; i < c->draws && status == CS_OK; i++) {
            char text[CS_DECIMAL + 1];
            text[cs_decimal_put(c->x[k * c->draws + i], text)] = 0;
            cs_page_put(p, "%llu %s\n", (unsigned long long)i + 1, text);
            if (p->used >= HELD)
                status = flush(p, r, err);
        }
    return status;
}

static cs_status put_chain(const cs_export *e, const char *draws,
                           const cs_replace *r, cs_error *err)
{
    size_t columns = e->head.columns, n = NUMBERS / e->draws;
    n = n < 1 ? 1 : n > columns ? columns : n;
    part c = {.draws = e->draws, .x = cs_alloc(n, e->draws * sizeof *c.x)};
    cs_page p = {0};
    cs_status status =
        c.x ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for a chain");
    for (; c.first < columns && status == CS_OK; c.first += n) {
        c.n = columns - c.first < n ? columns - c.first : n;
        status = cs_cmdstan_read(draws, NULL, columns, take_row, &c, err);
        if (status == CS_OK)
            status = put_part(&c, r, &p, err);
    }
    if (status == CS_OK)
        status = flush(&p, r, err);
    CS_FREE_ALL(c.x, p.text);
    return status;
}

/* Writes the path of the file of chain i. */
static cs_status name_chain(const char *index, size_t i,
                            char out[CS_REPLACE_PATH], cs_error *err)
{
    int stem = (int)(strlen(index) - strlen(CS_EXPORT_CODA));
    return snprintf(out, CS_REPLACE_PATH, "%.*schain%zu.txt", stem, index,
                    i + 1) < CS_REPLACE_PATH
               ? CS_OK
               : cs_fail(err, CS_INPUT, "%.80s...: the path is too long",
                         index);
}

static cs_status write_chain(const cs_export *e, size_t i, const char *path,
                             cs_error *err)
{
    cs_replace r;
    cs_status status = cs_replace_begin(&r, path, err);
    if (status)
        return status;
    status = put_chain(e, e->files->path[i], &r, err);
    if (status == CS_OK)
        return cs_replace_end(&r, true, err);
    cs_replace_end(&r, false, NULL);
    return status;
}

void cs_export_remove_chains(cs_export *e, const char *index)
{
    char path[CS_REPLACE_PATH];
    for (; e->chains > 0; e->chains--)
        if (name_chain(index, e->chains - 1, path, NULL) == CS_OK)
            unlink(path);
}

cs_status cs_export_coda(cs_export *e, const cs_replace *r, const char *index,
                         cs_error *err)
{
    char path[CS_REPLACE_PATH];
    cs_page p = {0};
    cs_status status = put_index(e, &p, err);
    for (size_t i = 0; i < e->files->n && status == CS_OK; i++) {
        status = name_chain(index, i, path, err);
        if (status == CS_OK)
            status = cs_file_must_be_new(path, err);
    }
    while (e->chains < e->files->n && status == CS_OK) {
        status = name_chain(index, e->chains, path, err);
        if (status == CS_OK)
            status = write_chain(e, e->chains, path, err);
        e->chains += status == CS_OK;
    }
    if (status == CS_OK)
        status = flush(&p, r, err);
    cs_free(p.text);
    return status;
}
