#include "io/export.h"

#include "files/file.h"

#include <string.h>
#include <unistd.h>

static void count_row(void *self, uint64_t i, const double *row)
{
    (void)row;
    *(uint64_t *)self = i + 1;
}

static cs_status same_columns(const cs_export *e, const char *path,
                              cs_error *err)
{
    cs_cmdstan_head h;
    cs_status status = cs_cmdstan_head_read(path, &h, err);
    if (status)
        return status;
    bool same = h.columns == e->head.columns;
    for (size_t i = 0; same && i < h.columns; i++)
        same = strcmp(h.name[i], e->head.name[i]) == 0;
    cs_cmdstan_head_free(&h);
    if (same)
        return CS_OK;
    cs_fail(err, CS_INPUT, "the columns of %s differ from those of %s", path,
            e->files->path[0]);
    cs_hint(err, "give files of one arm of one run");
    return CS_INPUT;
}

static cs_status count_warmup(cs_export *e, cs_error *err)
{
    cs_status status = CS_OK;
    e->warmup = UINT64_MAX;
    for (size_t i = 0; i < e->files->n && status == CS_OK && e->warmup; i++) {
        uint64_t rows = 0;
        status = cs_cmdstan_read_warmup(e->files->path[i], e->head.columns,
                                        count_row, &rows, err);
        if (rows < e->warmup)
            e->warmup = rows;
    }
    return status;
}

cs_status cs_export_open(cs_export *e, const cs_draw_files *files,
                         cs_error *err)
{
    *e = (cs_export){.files = files, .draws = UINT64_MAX};
    cs_status status = cs_cmdstan_head_read(files->path[0], &e->head, err);
    for (size_t i = 0; i < files->n && status == CS_OK; i++) {
        uint64_t rows = 0;
        status = same_columns(e, files->path[i], err);
        if (status == CS_OK)
            status = cs_cmdstan_read(files->path[i], NULL, e->head.columns,
                                     count_row, &rows, err);
        if (rows < e->draws)
            e->draws = rows;
        if (rows > e->most)
            e->most = rows;
    }
    if (status == CS_OK && e->draws == 0)
        status = cs_fail(err, CS_INPUT, "a chain has no draws");
    if (status == CS_OK)
        status = count_warmup(e, err);
    if (status == CS_OK)
        status = cs_data_lines_read(e->head.data_lines, &e->lines, err);
    return status ? status
                  : cs_draw_variables_of(e->head.name, e->head.columns,
                                         &e->variables, err);
}

void cs_export_close(cs_export *e)
{
    cs_draw_variables_free(&e->variables);
    cs_data_lines_free(&e->lines);
    cs_cmdstan_head_free(&e->head);
}

static const struct {
    const char *ending;
    cs_status (*write)(const cs_export *, const cs_replace *, cs_error *);
} formats[] = {{".jsonl", cs_export_json_lines}, {".nc", cs_export_netcdf}};

cs_status cs_export_write(const cs_export *e, const char *path, cs_error *err)
{
    const char *dot = strrchr(path, '.');
    size_t i = 0, n = sizeof formats / sizeof *formats;
    while (i < n && (!dot || strcmp(dot, formats[i].ending) != 0))
        i++;
    if (i == n) {
        cs_fail(err, CS_INPUT, "%s: unknown file ending", path);
        cs_hint(err, "use a file name that ends in one of " CS_EXPORT_ENDINGS);
        return CS_INPUT;
    }
    cs_replace r;
    cs_status status = cs_file_must_be_new(path, err);
    if (status == CS_OK)
        status = cs_replace_begin(&r, path, err);
    if (status)
        return status;
    status = formats[i].write(e, &r, err);
    if (status == CS_OK)
        return cs_replace_end(&r, true, err);
    cs_replace_end(&r, false, NULL);
    return status;
}
