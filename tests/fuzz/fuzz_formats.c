/* Fuzzes the readers of draws of other programs. The first byte selects the
 * reader, so that each one also reads files that it would not recognise; the
 * rest is the file or, for netCDF, the choice of its contents. */
#include "fuzz.h"
#include "io/data_lines.h"
#include "io/formats/formats.h"
#include "io/formats/netcdf_size.h"
#include "io/join_netcdf.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct taken {
    size_t columns;
    bool begun;
    double sum;
} taken;

static cs_status take_columns(void *self, const char *const *name, size_t n,
                              cs_error *err)
{
    taken *t = self;
    (void)err;
    if (t->begun || n == 0)
        fuzz_broken("columns were sent twice, or there are none");
    for (size_t i = 0; i < n; i++)
        if (!*name[i] || strlen(name[i]) > CS_DRAW_NAME ||
            strpbrk(name[i], ",\n"))
            fuzz_broken("a name is not a name of a column");
    t->begun = true;
    t->columns = n;
    return CS_OK;
}

static cs_status take_row(void *self, uint64_t chain, bool warmup,
                          const double *row, cs_error *err)
{
    taken *t = self;
    (void)chain, (void)warmup, (void)err;
    if (!t->begun)
        fuzz_broken("a row precedes the columns");
    for (size_t i = 0; i < t->columns; i++)
        t->sum += row[i];
    return CS_OK;
}

static void take_note(void *self, const char *text)
{
    (void)self;
    if (!*text)
        fuzz_broken("an empty note");
}

/* A line about data must be one that the header of draws can have. */
static void take_data(void *self, const char *line)
{
    cs_data_lines lines;
    (void)self;
    if (cs_data_lines_read(line, &lines, NULL) != CS_OK)
        fuzz_broken("a line about data is wrong");
    cs_data_lines_free(&lines);
}

static void read_with(const cs_draw_format *f, const char *path,
                      const char *groups)
{
    static const char *const files[] = {"index"};
    taken t = {.begun = false};
    const cs_draw_sink sink = {.self = &t,
                               .columns = take_columns,
                               .row = take_row,
                               .note = take_note,
                               .data = take_data,
                               .groups = groups,
                               .file = files,
                               .n_files = 1};
    cs_error err = {0};
    if (f->read(path, &sink, &err) != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
}

/* Joins the file with itself. */
static void join_twice(const char *path)
{
    const char *const files[] = {path, path};
    cs_joined done;
    cs_error err = {0};
    unlink("joined.nc");
    if (cs_netcdf_join(files, 2, "joined.nc", &done, &err) == CS_OK) {
        if (done.known && access("joined.nc", R_OK) != 0)
            fuzz_broken("a joined file was not written");
    } else if (!err.what[0])
        fuzz_broken("error without a message");
}

/* Writes the index that chains of CODA need. */
static void write_index(void)
{
    static const char index[] = "mu 1 2\nb[1,2] 3 4\n";
    if (rename(fuzz_file(index, sizeof index - 1), "index") != 0)
        fuzz_broken("cannot write the index");
}

static void one_input(const uint8_t *data, size_t size)
{
    const cs_draw_format *f;
    bool native;
    cs_error err = {0};
    size_t n = 0;
    while (cs_draw_format_at(n))
        n++;
    f = cs_draw_format_at(size ? data[0] % n : 0);
    const char *path = fuzz_file(data + (size > 0), size - (size > 0));
    if (f == &cs_format_netcdf) {
        if (cs_netcdf_check_size(path, &err) != CS_OK && !err.what[0])
            fuzz_broken("error without a message");
        if (size && fuzz_netcdf("a.nc", data + 1, size - 1)) {
            read_with(f, "a.nc", "all");
            read_with(f, "a.nc", "~posterior_predictive,~log_likelihood");
            if (size % 4 == 0) /* writes to the disk, which is slow */
                join_twice("a.nc");
        }
        return;
    }
    if (f->read)
        read_with(f, path, "all");
    if (cs_draw_format_find(path, &f, &native, &err) != CS_OK) {
        if (!err.what[0])
            fuzz_broken("error without a message");
    } else if (f && f->read && f != &cs_format_netcdf) {
        read_with(f, path, "all");
    }
}

const fuzz_reader reader_formats = {.prepare = write_index, .read = one_input};
