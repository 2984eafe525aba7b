#include "io/formats/gather_files.h"

#include "base/memory.h"
#include "base/text.h"
#include "files/file.h"
#include "files/open.h"
#include "files/temporary.h"
#include "io/cmdstan.h"
#include "io/formats/column_names.h"
#include "io/formats/convert.h"
#include "io/formats/other_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that the user gave, or that a folder of the user contains. */
typedef struct source {
    char *path; /* [own] */
    const cs_draw_format *format;
    bool native;
} source;

typedef struct sources {
    source *file; /* [n] [own] */
    size_t n, capacity, known, native, chains;
    char list[1024]; /* names, for the title */
} sources;

static void free_sources(sources *s)
{
    for (size_t i = 0; i < s->n; i++)
        cs_free(s->file[i].path);
    cs_free(s->file);
    *s = (sources){0};
}

bool cs_gather_is(const char *folder)
{
    char path[CS_GATHER_PATH];
    int n = snprintf(path, sizeof path, "%s/%s", folder, CS_GATHER_SOURCE);
    return n > 0 && n < CS_GATHER_PATH && access(path, F_OK) == 0;
}

const char *cs_gather_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static cs_status add(sources *s, const char *path, const cs_draw_format *format,
                     bool native, cs_error *err)
{
    char *copy = cs_copy_text(path);
    if (!copy || !CS_GROW(s->file, s->n, s->capacity, 1)) {
        cs_free(copy);
        return cs_fail(err, CS_MEMORY, "out of memory for the files");
    }
    s->file[s->n++] = (source){copy, format, native};
    s->known += format != NULL;
    s->native += native;
    s->chains += format && !format->companion;
    return CS_OK;
}

/* ---- finding files ---- */

static int by_number(const void *a, const void *b)
{
    const char *x = ((const source *)a)->path, *y = ((const source *)b)->path;
    size_t n = strlen(x), m = strlen(y);
    return n != m ? (n > m) - (n < m) : strcmp(x, y);
}

/* Finds the files of a folder with a known format. A file that cannot be read
 * is left out. */
static cs_status find_in(sources *s, const char *folder, cs_error *err)
{
    DIR *d = cs_open_list(folder);
    cs_status status = CS_OK;
    for (const struct dirent *e;
         d && status == CS_OK && s->native == 0 && (e = readdir(d));) {
        char path[CS_GATHER_PATH];
        struct stat about;
        const cs_draw_format *format;
        bool native;
        if (*e->d_name == '.' ||
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >=
                CS_GATHER_PATH ||
            stat(path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        if (cs_draw_format_find(path, &format, &native, NULL) == CS_OK &&
            format)
            status = add(s, path, format, native, err);
    }
    if (d)
        closedir(d);
    if (s->n)
        qsort(s->file, s->n, sizeof *s->file, by_number);
    return status;
}

/* Returns true if nothing exists at the path: a folder may appear there. */
static bool is_missing(const char *path)
{
    struct stat about;
    return lstat(path, &about) != 0 && errno == ENOENT;
}

static cs_status refuse_unknown(const char *path, cs_error *err)
{
    char names[200] = "";
    for (size_t i = 0; cs_draw_format_at(i); i++) {
        size_t n = strlen(names);
        if (!cs_draw_format_at(i)->companion)
            snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "",
                     cs_draw_format_at(i)->name);
    }
    cs_fail(err, CS_INPUT, "%.300s is not a file of draws in a known format",
            path);
    const char *what = cs_other_file(path);
    if (what && strcmp(what, "JSON") == 0)
        cs_hint(err, "write one object per line: stream_out (jsonlite), "
                     "lines=True (pandas)");
    else
        cs_hint(err, "%s%s%sthe formats are %s with a header",
                what ? "it is " : "", what ? what : "", what ? "; " : "",
                names);
    return CS_INPUT;
}

static cs_status find_file(sources *s, const char *path, bool only,
                           cs_error *err)
{
    const cs_draw_format *format = NULL;
    bool native = false;
    if (cs_is_folder(path)) {
        cs_fail(err, CS_INPUT, "%.300s is a folder among several files", path);
        cs_hint(err, "give one folder, or files");
        return CS_INPUT;
    }
    cs_error why = {0};
    cs_status status = cs_draw_format_find(path, &format, &native, &why);
    /* a scenario that cannot be read is reported by the command itself */
    if (status && !only && status != CS_INPUT)
        return add(s, path, NULL, false, err);
    if (status && err)
        *err = why;
    if (status == CS_OK && !format && only)
        status = refuse_unknown(path, err);
    return status ? status : add(s, path, format, native, err);
}

/* ---- folders ---- */

/* Writes the title and the notes to the folder. */
static cs_status describe(const sources *s, const cs_gather_options *how,
                          cs_gathered *g, cs_error *err)
{
    char path[CS_GATHER_PATH + 16];
    cs_page text = {0};
    size_t n = s->chains;
    const char *first = NULL;
    for (size_t i = 0; i < s->n && !first; i++)
        if (s->file[i].format && !s->file[i].format->companion)
            first = cs_gather_name(s->file[i].path);
    cs_page_put(&text, "draws of %.150s", first ? first : "");
    if (n > 1)
        cs_page_put(&text, " and %zu more file%s", n - 1, n > 2 ? "s" : "");
    cs_page_put(&text, "\n%s", how->tell && g->notes.text ? g->notes.text : "");
    snprintf(path, sizeof path, "%s/%s", g->folder, CS_GATHER_SOURCE);
    cs_status status =
        text.full ? cs_fail(err, CS_MEMORY, "out of memory for the notes")
                  : cs_file_create(path, text.text, text.used, err);
    cs_free(text.text);
    return status;
}

/* Fails if two columns of a native file have the same name. */
static cs_status check_columns(const char *path, cs_error *err)
{
    cs_cmdstan_head h;
    cs_column_names names = {0};
    if (cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return CS_OK; /* the header is not complete yet */
    cs_status status = CS_OK;
    for (size_t i = 0; i < h.columns && status == CS_OK; i++)
        status = cs_names_add(&names, h.name[i], strlen(h.name[i]), err);
    if (status == CS_OK)
        status = cs_names_check(&names, err);
    if (status)
        cs_where(err, path, 0);
    cs_names_free(&names);
    cs_cmdstan_head_free(&h);
    return status;
}

static cs_status link_files(const sources *s, const cs_gather_options *how,
                            cs_gathered *g, cs_error *err)
{
    cs_status status = cs_temporary_folder(g->folder, sizeof g->folder, err);
    for (size_t i = 0; i < s->n && status == CS_OK; i++) {
        char link[CS_GATHER_PATH + 300], stem[200];
        const char *name = cs_gather_name(s->file[i].path);
        const char *dot = strrchr(name, '.');
        bool same = false;
        for (size_t k = 0; k < s->n; k++)
            same |=
                k != i && strcmp(cs_gather_name(s->file[k].path), name) == 0;
        snprintf(stem, sizeof stem, "%.*s", dot ? (int)(dot - name) : 180,
                 name);
        if (same)
            snprintf(link, sizeof link, "%s/%s_%zu.csv", g->folder, stem,
                     i + 1);
        else
            snprintf(link, sizeof link, "%s/%s.csv", g->folder, stem);
        status = check_columns(s->file[i].path, err);
        if (status == CS_OK)
            status = cs_temporary_link(s->file[i].path, link, err);
    }
    return status ? status : describe(s, how, g, err);
}

static cs_status convert_files(const sources *s, const cs_gather_options *how,
                               cs_gathered *g, cs_error *err)
{
    const char **path = cs_alloc(s->n, sizeof *path);
    if (!path)
        return cs_fail(err, CS_MEMORY, "out of memory for the files");
    for (size_t i = 0; i < s->n; i++)
        path[i] = s->file[i].path;
    cs_status status = cs_temporary_folder(g->folder, sizeof g->folder, err);
    cs_converter *c = NULL;
    if (status == CS_OK)
        status = cs_converter_open(&c, g->folder, how->arm ? how->arm : "draws",
                                   path, s->n, how->groups, err);
    for (size_t i = 0; i < s->n && status == CS_OK; i++)
        if (!s->file[i].format->companion)
            status = cs_converter_take(c, path[i], s->file[i].format, err);
    if (status == CS_OK)
        status = cs_converter_end(c, &g->notes, err);
    cs_converter_close(c);
    cs_free(path);
    return status ? status : describe(s, how, g, err);
}

static cs_status refuse_index(const sources *s, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%.300s is the index of CODA files, without draws",
            s->file[0].path);
    cs_hint(err, "give the files of the chains, too, for example "
                 "CODAchain1.txt");
    return CS_INPUT;
}

/* Fails if a file can be no scenario. */
static cs_status refuse_others(const sources *s, cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t i = 0; i < s->n && status == CS_OK; i++)
        status = cs_other_file_refuse(s->file[i].path, true, err);
    return status;
}

/* Converts or links the files that were found. */
static cs_status gather(const sources *s, const cs_gather_options *how,
                        cs_gathered *g, cs_error *err)
{
    for (size_t i = 0; i < s->n && s->known; i++)
        if (!s->file[i].format)
            return refuse_unknown(s->file[i].path, err);
    if (s->known == 0)
        return refuse_others(s, err); /* scenarios, or nothing */
    if (s->chains == 0)
        return refuse_index(s, err);
    bool native = s->native == s->n && !how->convert;
    if (native && !how->link)
        return CS_OK;
    return native ? link_files(s, how, g, err) : convert_files(s, how, g, err);
}

cs_status cs_draws_gather(const char *const *word, size_t n,
                          const cs_gather_options *how, cs_gathered *out,
                          cs_error *err)
{
    sources s = {0};
    cs_status status = CS_OK;
    *out = (cs_gathered){.notes = {0}};
    bool folder = n == 1 && cs_is_folder(word[0]);
    if (folder)
        status = find_in(&s, word[0], err);
    bool whole = folder && s.native && !how->convert; /* read by the command */
    bool later = n == 1 && is_missing(word[0]);
    for (size_t i = 0; i < n && status == CS_OK && !folder && !later; i++)
        status = find_file(&s, word[i], how->only, err);
    if (status == CS_OK && !whole)
        status = gather(&s, how, out, err);
    free_sources(&s);
    if (status)
        cs_gathered_free(out);
    return status;
}

cs_status cs_gather_list(const char *const *word, size_t n,
                         const cs_draw_format *format, cs_draw_files *out,
                         cs_error *err)
{
    sources s = {0};
    cs_status status = CS_OK;
    *out = (cs_draw_files){0};
    if (n == 1 && cs_is_folder(word[0]))
        status = find_in(&s, word[0], err);
    else
        for (size_t i = 0; i < n && status == CS_OK && !is_missing(word[i]);
             i++)
            status = find_file(&s, word[i], false, err);
    bool all = status == CS_OK && (n == 1 || s.n == n);
    for (size_t i = 0; i < s.n; i++)
        all &= s.file[i].format == format;
    for (size_t i = 0; all && i < s.n && status == CS_OK; i++) {
        char *copy = cs_copy_text(s.file[i].path);
        if (copy && CS_GROW(out->path, out->n, out->capacity, 1)) {
            out->path[out->n++] = copy;
            continue;
        }
        cs_free(copy);
        status = cs_fail(err, CS_MEMORY, "out of memory for the files");
    }
    free_sources(&s);
    return status;
}

void cs_gathered_free(cs_gathered *g)
{
    cs_temporary_remove(g->folder);
    cs_free(g->notes.text);
    *g = (cs_gathered){.notes = {0}};
}
