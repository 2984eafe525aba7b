#include "io/export.h"

#include "base/memory.h"
#include "files/file.h"

#include <stdio.h>
#include <stdlib.h>
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
    cs_free(e->notes.text);
}

typedef struct format {
    const char *ending;
    const char *name;
    cs_export_format *write;
    bool draws;  /* the format holds only draws */
    bool arrays; /* its variables are arrays with the labels chain and draw, and
                  * not columns */
} format;

static const format formats[] = {
    {".jsonl", "JSON lines", cs_export_json_lines, true, true},
    {".nc", "netCDF", cs_export_netcdf, false, true},
    {CS_EXPORT_CODA, "CODA", cs_export_coda, true, false},
};

/* ---- what the format cannot hold ---- */

/* Notes that a part of the draws' files is left out. */
static void note_part(cs_export *e, const format *f, const char *group,
                      const char *name)
{
    cs_page_put(&e->notes,
                "left out, because a file of %s has only draws: "
                "%s%s%s\n",
                f->name, group, *name ? " " : "", name);
}

static void note_left_out(cs_export *e, const format *f)
{
    char text[80];
    for (size_t i = 0; i < e->lines.n; i++) {
        const cs_data_line *line = &e->lines.line[i];
        if (!*line->variable)
            note_part(e, f, cs_data_group_name(line->group), line->name);
    }
    snprintf(text, sizeof text, "the saved warm-up of %llu draws per chain",
             (unsigned long long)e->warmup);
    if (e->warmup)
        note_part(e, f, text, "");
    if (e->prior)
        note_part(e, f, "the draws of the prior", "");
}

static int by_name(const void *a, const void *b)
{
    const cs_draw_variable *x = *(cs_draw_variable *const *)a;
    const cs_draw_variable *y = *(cs_draw_variable *const *)b;
    int order = strcmp(x->name, y->name);
    return order
               ? order
               : (x->column[0] > y->column[0]) - (x->column[0] < y->column[0]);
}

static bool is_taken(const cs_export *e, const char *name)
{
    for (size_t i = 0; i < e->variables.n; i++)
        if (strcmp(e->variables.variable[i].name, name) == 0)
            return true;
    return false;
}

/* Appends "_" to the name of a variable until it is the only one with this name,
 * also in the lines that name it. */
static void rename_variable(cs_export *e, cs_draw_variable *v)
{
    char old[CS_VARIABLE_NAME], name[CS_VARIABLE_NAME];
    size_t n = strlen(v->name);
    snprintf(old, sizeof old, "%s", v->name);
    snprintf(name, sizeof name, "%s", v->name);
    for (; n + 1 < sizeof name && is_taken(e, name); n++)
        memcpy(name + n, "_", 2);
    snprintf(v->name, sizeof v->name, "%s", name);
    for (size_t i = 0; i < e->lines.n; i++) {
        cs_data_line *line = &e->lines.line[i];
        if (*line->variable && strcmp(line->variable, old) == 0)
            snprintf(line->variable, sizeof line->variable, "%.*s",
                     CS_DATA_NAME - 1, name);
    }
    cs_page_put(&e->notes, "the variable %s is written as %s\n", old, name);
}

/* Gives distinct names to all variables, none of which is chain or draw. The
 * columns x, x.1 and x.2 would be two variables x. */
static cs_status make_distinct(cs_export *e, cs_error *err)
{
    size_t n = e->variables.n;
    cs_draw_variable **v = cs_alloc(n, sizeof *v);
    if (!v)
        return cs_fail(err, CS_MEMORY, "out of memory for the variables");
    for (size_t i = 0; i < n; i++)
        v[i] = &e->variables.variable[i];
    qsort(v, n, sizeof *v, by_name);
    for (size_t i = n; i-- > 0;)
        if (strcmp(v[i]->name, "chain") == 0 ||
            strcmp(v[i]->name, "draw") == 0 ||
            (i > 0 && strcmp(v[i]->name, v[i - 1]->name) == 0))
            rename_variable(e, v[i]);
    cs_free(v);
    return CS_OK;
}

/* ---- writing ---- */

/* Returns the format of a file name, or NULL. */
static const format *format_of(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t m = strlen(formats[i].ending);
        if (n > m && strcmp(path + n - m, formats[i].ending) == 0)
            return &formats[i];
    }
    return NULL;
}

bool cs_export_is_netcdf(const char *path)
{
    const format *f = format_of(path);
    return f && f->write == cs_export_netcdf;
}

cs_status cs_export_write(cs_export *e, const char *path, cs_error *err)
{
    const format *f = format_of(path);
    if (!f) {
        cs_fail(err, CS_INPUT, "%s: unknown file ending", path);
        cs_hint(err, "use a file name that ends in one of " CS_EXPORT_ENDINGS);
        return CS_INPUT;
    }
    cs_replace r;
    cs_status status = cs_file_must_be_new(path, err);
    if (status == CS_OK && f->draws)
        note_left_out(e, f);
    if (status == CS_OK && f->arrays)
        status = make_distinct(e, err);
    if (status == CS_OK)
        status = cs_replace_begin(&r, path, err);
    if (status)
        return status;
    status = f->write(e, &r, path, err);
    if (status == CS_OK)
        status = cs_replace_end(&r, true, err);
    else
        cs_replace_end(&r, false, NULL);
    if (status)
        cs_export_remove_chains(e, path);
    return status;
}
