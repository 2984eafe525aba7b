#include "io/formats/formats.h"

#include "base/memory.h"
#include "files/open.h"
#include "io/formats/stan_header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Number of bytes that are read to recognise a file: the most for a file whose
 * first two lines are longer, since it has many columns. */
enum { HEAD = 1 << 22, LONG_HEAD = 1 << 26 };

/* The table of formats. A file has the first format that recognises it. */
static const cs_draw_format *const formats[] = {
    &cs_format_netcdf, &cs_format_json_lines, &cs_format_cmdstan,
    &cs_format_coda,   &cs_format_coda_index, &cs_format_csv};

const cs_draw_format *cs_draw_format_at(size_t i)
{
    return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

void cs_draw_note(const cs_draw_sink *sink, const char *format, ...)
{
    char text[600];
    va_list more;
    va_start(more, format);
    vsnprintf(text, sizeof text, format, more);
    va_end(more);
    sink->note(sink->self, text);
}

/* Formats that are not read, with the way to convert them. */
static const struct {
    const char *magic;
    size_t n;
    const char *name, *remedy;
} others[] = {
    {"\x1f\x8b", 2, "compressed by gzip (an .rds file of R is, too)",
     "unpack it with gunzip, or in R write draws with write.csv"},
    {"BZh", 3, "compressed by bzip2", "unpack it with bunzip2"},
    {"\xfd"
     "7zXZ",
     5, "compressed by xz", "unpack it with unxz"},
    {"PK\x03\x04", 4, "a zip archive (.npz, .zarr.zip or .xlsx)",
     "in Python write netCDF with arviz.to_netcdf"},
    {"PAR1", 4, "a Parquet file", "write CSV or netCDF instead"},
    {"\x80\x04", 2, "a pickle of Python",
     "in Python write netCDF with arviz.to_netcdf"},
    {"\xff\xfe", 2, "text in UTF-16", "convert it to UTF-8 with iconv"},
    {"\xfe\xff", 2, "text in UTF-16", "convert it to UTF-8 with iconv"},
};

static cs_status refuse_others(const char *path, const cs_draw_head *h,
                               cs_error *err)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (h->n >= others[i].n &&
            memcmp(h->text, others[i].magic, others[i].n) == 0) {
            cs_fail(err, CS_INPUT, "%.300s is %s, which is not read", path,
                    others[i].name);
            cs_hint(err, "%s", others[i].remedy);
            return CS_INPUT;
        }
    return CS_OK;
}

static cs_status find(const char *path, const cs_draw_head *h,
                      const cs_draw_format **out, bool *native, cs_error *err)
{
    cs_status status = refuse_others(path, h, err);
    for (size_t i = 0; status == CS_OK && !*out; i++) {
        const cs_draw_format *f = cs_draw_format_at(i);
        if (!f)
            break;
        *out = f->recognise(h) ? f : NULL;
    }
    if (status == CS_OK && *out == &cs_format_cmdstan) {
        *native = cs_stan_is_native(h);
        status = cs_stan_check_method(path, h, err);
    }
    return status;
}

/* Returns true if the text has less than two lines. */
static bool has_long_lines(const char *text, size_t n)
{
    const char *stop = memchr(text, '\n', n);
    return !stop || !memchr(stop + 1, '\n', n - (size_t)(stop + 1 - text));
}

static cs_status find_in(FILE *f, const char *path, size_t most,
                         const cs_draw_format **out, bool *native, bool *again,
                         cs_error *err)
{
    char *text = cs_alloc(most + 1, 1);
    if (!text)
        return cs_fail(err, CS_MEMORY, "out of memory for %s", path);
    size_t n = fread(text, 1, most, f);
    const cs_draw_head h = {text, n, n < most};
    cs_status status = find(path, &h, out, native, err);
    *again = status == CS_OK && !*out && !h.whole && has_long_lines(text, n);
    cs_free(text);
    return status;
}

cs_status cs_draw_format_find(const char *path, const cs_draw_format **out,
                              bool *native, cs_error *err)
{
    *out = NULL;
    *native = false;
    FILE *f = cs_open_stream(path);
    if (!f)
        return cs_open_failed(path, "read", err);
    bool again;
    cs_status status = find_in(f, path, HEAD, out, native, &again, err);
    if (again) {
        rewind(f);
        status = find_in(f, path, LONG_HEAD, out, native, &again, err);
    }
    fclose(f);
    return status;
}
