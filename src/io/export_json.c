/* Draws as lines of JSON. */
#include "base/decimal.h"
#include "base/memory.h"
#include "base/page.h"
#include "io/export.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
    const cs_export *e;
    FILE *to;
    cs_page line;
    size_t chain;
    bool full;
} writer;

/* To its last digit. */
static void put_number(cs_page *p, double x)
{
    char text[CS_DECIMAL + 1];
    text[cs_decimal_put(x, text)] = 0;
    cs_page_put(p, "%s", isfinite(x) ? text : "null");
}

/* The numbers of v, an array for each of its dimensions from d on; *at: how
 * many are written. */
static void put_numbers(cs_page *p, const cs_draw_variable *v, size_t d,
                        const double *row, size_t *at)
{
    if (d >= v->n_dims || d >= CS_VARIABLE_DIMS) {
        put_number(p, row[v->column[(*at)++]]);
        return;
    }
    for (size_t i = 0; i < v->dim[d]; i++) {
        cs_page_put(p, i ? ", " : "[");
        put_numbers(p, v, d + 1, row, at);
    }
    cs_page_put(p, "]");
}

static void write_row(void *self, uint64_t i, const double *row)
{
    writer *w = self;
    if (i >= w->e->draws || w->full)
        return;
    w->line.used = 0;
    cs_page_put(&w->line, "{\"chain\": %zu, \"draw\": %llu", w->chain,
                (unsigned long long)i + 1);
    for (size_t k = 0; k < w->e->variables.n; k++) {
        const cs_draw_variable *v = &w->e->variables.variable[k];
        size_t at = 0;
        cs_page_put(&w->line, ", ");
        cs_page_quoted(&w->line, v->name);
        cs_page_put(&w->line, ": ");
        put_numbers(&w->line, v, 0, row, &at);
    }
    cs_page_put(&w->line, "}\n");
    w->full = w->line.full;
    if (!w->full)
        fwrite(w->line.text, 1, w->line.used, w->to);
}

cs_status cs_export_json_lines(const cs_export *e, const char *path,
                               cs_error *err)
{
    writer w = {.e = e, .to = fopen(path, "we")};
    cs_status status = CS_OK;
    if (!w.to)
        return cs_fail(err, CS_IO, "%s cannot be written: %s", path,
                       strerror(errno));
    for (size_t i = 0; i < e->files->n && status == CS_OK; i++) {
        w.chain = i + 1;
        status = cs_cmdstan_read(e->files->path[i], NULL, e->head.columns,
                                 write_row, &w, err);
    }
    bool bad = ferror(w.to) != 0;
    if ((fclose(w.to) != 0 || bad) && status == CS_OK)
        status = cs_fail(err, CS_IO, "%s cannot be written: %s", path,
                         strerror(errno));
    if (status == CS_OK && w.full)
        status = cs_fail(err, CS_MEMORY, "no memory for a line");
    cs_free(w.line.text);
    return status;
}
