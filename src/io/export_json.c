/* Writes draws as lines of JSON. */
#include "base/decimal.h"
#include "base/memory.h"
#include "base/page.h"
#include "files/gate.h"
#include "files/open.h"
#include "io/export.h"

#include <errno.h>
#include <math.h>

enum { HELD = 1 << 16 }; /* number of bytes collected before they are written */

typedef struct writer {
    const cs_export *e;
    int fd;
    cs_page lines;
    size_t chain;
    int failed; /* errno of the first failure, or 0 */
} writer;

/* Writes a number with all its digits. */
static void put_number(cs_page *p, double x)
{
    char text[CS_DECIMAL + 1];
    text[cs_decimal_put(x, text)] = 0;
    cs_page_put(p, "%s", isfinite(x) ? text : "null");
}

/* Writes the numbers of v as nested arrays, starting with dimension d. *at is
 * the number of values that have been written. */
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

static void flush(writer *w)
{
    if (!w->lines.full && !w->failed && w->lines.used &&
        !cs_gate_write(w->fd, w->lines.text, w->lines.used))
        w->failed = errno;
    w->lines.used = 0;
}

static void write_row(void *self, uint64_t i, const double *row)
{
    writer *w = self;
    if (i >= w->e->draws || w->lines.full || w->failed)
        return;
    cs_page_put(&w->lines, "{\"chain\": %zu, \"draw\": %llu", w->chain,
                (unsigned long long)i + 1);
    for (size_t k = 0; k < w->e->variables.n; k++) {
        const cs_draw_variable *v = &w->e->variables.variable[k];
        size_t at = 0;
        cs_page_put(&w->lines, ", ");
        cs_page_quoted(&w->lines, v->name);
        cs_page_put(&w->lines, ": ");
        put_numbers(&w->lines, v, 0, row, &at);
    }
    cs_page_put(&w->lines, "}\n");
    if (w->lines.used >= HELD)
        flush(w);
}

cs_status cs_export_json_lines(cs_export *e, const cs_replace *r,
                               const char *path, cs_error *err)
{
    (void)path;
    writer w = {.e = e, .fd = r->fd};
    cs_status status = CS_OK;
    for (size_t i = 0; i < e->files->n && status == CS_OK; i++) {
        w.chain = i + 1;
        status = cs_cmdstan_read(e->files->path[i], NULL, e->head.columns,
                                 write_row, &w, err);
    }
    flush(&w);
    if (status == CS_OK && w.lines.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for a line of JSON");
    errno = w.failed;
    if (status == CS_OK && w.failed)
        status = cs_open_failed(r->path, "written", err);
    cs_free(w.lines.text);
    return status;
}
