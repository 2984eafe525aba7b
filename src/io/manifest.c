#include "io/manifest.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "files/file.h"
#include "files/open.h"
#include "files/replace.h"
#include "io/saved_summary.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };
static const size_t most = (size_t)64 << 20;
static const char title[] = "chainscope manifest 1\n";

void cs_manifest_free(cs_manifest *m)
{
    cs_free(m->file);
    *m = (cs_manifest){0};
}

static cs_status path_of(const char *folder, const char *name, char path[PATH],
                         cs_error *err)
{
    if (snprintf(path, PATH, "%s/%s", folder, name) < PATH)
        return CS_OK;
    return cs_fail(err, CS_INPUT, "the path of the folder is too long");
}

/* ---- writing ---- */

cs_status cs_manifest_add(cs_manifest *m, const char *name, uint64_t chain,
                          const cs_cmdstan_mark *mark, cs_error *err)
{
    if (!CS_GROW(m->file, m->n, m->capacity, 1))
        return cs_fail(err, CS_MEMORY, "out of memory for the manifest");
    cs_manifest_file *f = &m->file[m->n++];
    *f = (cs_manifest_file){.chain = chain, .mark = *mark};
    snprintf(f->name, sizeof f->name, "%s", name);
    return CS_OK;
}

/* Computes the size and the checksum of a file. */
static cs_status measure(const char *path, cs_cmdstan_mark *mark, cs_error *err)
{
    unsigned char *bytes;
    size_t size;
    cs_status status = cs_file_read(path, most, &bytes, &size, err);
    if (status)
        return status;
    *mark = (cs_cmdstan_mark){.bytes = size,
                              .sum = cs_running_sum(CS_DIGEST, bytes, size)};
    cs_free(bytes);
    return CS_OK;
}

cs_status cs_manifest_add_whole(cs_manifest *m, const char *folder,
                                const char *name, cs_error *err)
{
    char path[PATH];
    cs_cmdstan_mark mark;
    cs_status status = path_of(folder, name, path, err);
    if (status || access(path, F_OK) != 0)
        return status;
    status = measure(path, &mark, err);
    return status ? status : cs_manifest_add(m, name, 0, &mark, err);
}

static void put_file(cs_page *p, const cs_manifest_file *f)
{
    if (f->chain)
        cs_page_put(p,
                    "draws %s chain %" PRIu64 " bytes %" PRIu64 " rows %" PRIu64
                    " warmup %" PRIu64 " sum %016" PRIx64,
                    f->name, f->chain, f->mark.bytes, f->mark.rows,
                    f->mark.warmup_rows, f->mark.sum);
    if (f->chain && f->mark.counted)
        cs_page_put(p, " counted %" PRIu64, f->mark.warmup_steps);
    if (f->chain)
        cs_page_put(p, "\n");
    else
        cs_page_put(p, "whole %s bytes %" PRIu64 " sum %016" PRIx64 "\n",
                    f->name, f->mark.bytes, f->mark.sum);
}

cs_status cs_manifest_write(const char *folder, const cs_manifest *m,
                            cs_error *err)
{
    char path[PATH];
    cs_page p = {0};
    cs_status status = path_of(folder, "manifest", path, err);
    cs_page_put(&p, "%srun %016" PRIx64 "\n", title, m->run);
    if (m->parts)
        cs_page_put(&p, "part %" PRIu64 " of %" PRIu64 "\n", m->part, m->parts);
    if (*m->scenario)
        cs_page_put(&p, "scenario %016" PRIx64 " %s\n", m->scenario_sum,
                    m->scenario);
    for (size_t i = 0; i < m->n; i++)
        put_file(&p, &m->file[i]);
    if (!p.full)
        cs_page_put(&p, "sum %016" PRIx64 "\n", cs_checksum(p.text, p.used));
    if (status == CS_OK && p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the manifest");
    if (status == CS_OK)
        status = cs_file_replace(path, p.text, p.used, err);
    cs_free(p.text);
    return status;
}

/* ---- reading ---- */

/* Returns true if the name contains no folder. (The files of a manifest are in
 * the manifest's folder.) */
static bool is_plain(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

static cs_status take_line(cs_manifest *m, const char *line, cs_error *err)
{
    cs_manifest_file f = {.chain = 0};
    cs_cmdstan_mark *k = &f.mark;
    int end = 0;
    sscanf(line, "run %" SCNx64 "%n", &m->run, &end);
    if (!end)
        sscanf(line, "part %" SCNu64 " of %" SCNu64 "%n", &m->part, &m->parts,
               &end);
    if (!end)
        sscanf(line, "scenario %" SCNx64 " %199[^\n]%n", &m->scenario_sum,
               m->scenario, &end);
    if (end)
        return line[end] ? CS_INPUT : CS_OK;
    sscanf(line,
           "draws %199s chain %" SCNu64 " bytes %" SCNu64 " rows %" SCNu64
           " warmup %" SCNu64 " sum %" SCNx64 "%n",
           f.name, &f.chain, &k->bytes, &k->rows, &k->warmup_rows, &k->sum,
           &end);
    int more = 0;
    if (end)
        sscanf(line + end, " counted %" SCNu64 "%n", &k->warmup_steps, &more);
    k->counted = more > 0;
    end += more;
    if (!end)
        sscanf(line, "whole %199s bytes %" SCNu64 " sum %" SCNx64 "%n", f.name,
               &k->bytes, &k->sum, &end);
    if (!end || line[end] || !is_plain(f.name))
        return CS_INPUT;
    return cs_manifest_add(m, f.name, f.chain, k, err);
}

/* If the last line is the checksum of the lines before it, removes the last
 * line and returns true. */
static bool is_whole(char *text, size_t size)
{
    uint64_t sum;
    char *last = NULL;
    if (size < sizeof title || text[size - 1] != '\n' ||
        strncmp(text, title, sizeof title - 1) != 0)
        return false;
    text[size - 1] = 0;
    last = strrchr(text, '\n');
    if (!last || sscanf(last + 1, "sum %16" SCNx64, &sum) != 1)
        return false;
    last[1] = 0;
    return sum == cs_checksum(text, (size_t)(last + 1 - text));
}

static cs_status parse(cs_manifest *m, char *text, size_t size,
                       const char *path, cs_error *err)
{
    cs_status status = is_whole(text, size) ? CS_OK : CS_INPUT;
    int number = 2;
    for (char *line = text + sizeof title - 1, *next; status == CS_OK && *line;
         line = next, number++) {
        next = strchr(line, '\n') + 1; /* never NULL, since each line ends with
                                        * a newline */
        next[-1] = 0;
        status = take_line(m, line, err);
    }
    if (status != CS_INPUT)
        return status;
    cs_fail(err, CS_INPUT, "the manifest is damaged");
    cs_where(err, path, 0);
    cs_hint(err, "restore the file; without a manifest the draws are not "
                 "verified");
    return CS_INPUT;
}

cs_status cs_manifest_read(cs_manifest *m, const char *folder, cs_error *err)
{
    char path[PATH];
    unsigned char *text;
    size_t size;
    *m = (cs_manifest){0};
    cs_status status = path_of(folder, "manifest", path, err);
    if (status)
        return status;
    if (access(path, F_OK) != 0)
        return cs_fail(err, CS_UNKNOWN, "%s has no manifest", folder);
    status = cs_file_read(path, most, &text, &size, err);
    if (status)
        return status;
    status = parse(m, (char *)text, size, path, err);
    cs_free(text);
    if (status)
        cs_manifest_free(m);
    return status;
}

/* ---- verification ---- */

static cs_status check_whole(const char *path, const cs_manifest_file *f,
                             cs_error *err)
{
    cs_cmdstan_mark now;
    cs_status status = cs_file_has(path, f->mark.bytes, err);
    if (status == CS_OK)
        status = measure(path, &now, err);
    if (status || (now.bytes == f->mark.bytes && now.sum == f->mark.sum))
        return status;
    cs_fail(err, CS_INPUT, "the file has changed since it was written");
    cs_where(err, path, 0);
    cs_hint(err, "restore the file or repeat the run");
    return CS_INPUT;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the sorted names of the files in a manifest [own]; NULL if memory
 * runs out. */
static const char **sort_names(const cs_manifest *m)
{
    const char **name = cs_alloc(m->n, sizeof *name);
    for (size_t i = 0; name && i < m->n; i++)
        name[i] = m->file[i].name;
    if (name && m->n)
        qsort(name, m->n, sizeof *name, by_name);
    return name;
}

static bool is_foreign(const char *folder, const char *file,
                       const char *const *name, size_t n, char path[PATH])
{
    cs_cmdstan_head h;
    const char *dot = strrchr(file, '.');
    if (!dot || strcmp(dot, ".csv") != 0 ||
        (n && bsearch(&file, name, n, sizeof *name, by_name)) ||
        path_of(folder, file, path, NULL) != CS_OK ||
        cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return false;
    cs_cmdstan_head_free(&h);
    return true;
}

/* Fails if the folder has draws that do not belong to the run. Such draws are
 * from an earlier run, or a user has added them. */
static cs_status check_foreign(const cs_manifest *m, const char *folder,
                               cs_error *err)
{
    const char **name = sort_names(m);
    DIR *d = name ? cs_open_list(folder) : NULL;
    cs_status status =
        name ? CS_OK
             : cs_fail(err, CS_MEMORY, "out of memory for the manifest");
    for (const struct dirent *e; d && status == CS_OK && (e = readdir(d));) {
        char path[PATH];
        if (!is_foreign(folder, e->d_name, name, m->n, path))
            continue;
        status = cs_fail(err, CS_INPUT,
                         "these draws do not belong to the run in this folder");
        cs_where(err, path, 0);
        cs_hint(err, "move the file away");
    }
    if (d)
        closedir(d);
    cs_free(name);
    return status;
}

cs_status cs_manifest_check(cs_manifest *m, const char *folder, cs_error *err)
{
    cs_status status = cs_manifest_read(m, folder, err);
    if (status)
        return status;
    for (size_t i = 0; i < m->n && status == CS_OK; i++) {
        char path[PATH];
        const cs_manifest_file *f = &m->file[i];
        status = path_of(folder, f->name, path, err);
        if (status == CS_OK)
            status = f->chain ? cs_cmdstan_verify(path, &f->mark, err)
                              : check_whole(path, f, err);
    }
    if (status == CS_OK)
        status = check_foreign(m, folder, err);
    if (status)
        cs_manifest_free(m);
    return status;
}

cs_status cs_manifest_trust(const char *folder, cs_error *err)
{
    cs_manifest m;
    cs_error why;
    struct stat about;
    if (!folder || stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
        return CS_OK;
    cs_status status = cs_manifest_check(&m, folder, &why);
    if (status == CS_OK)
        cs_manifest_free(&m);
    if (status == CS_OK || status == CS_UNKNOWN)
        return CS_OK;
    if (err)
        *err = why;
    return status;
}

/* Counts the files of draws of each arm in the folder. */
static void count_files(const char *folder, const cs_saved_summary *s,
                        size_t *files)
{
    DIR *d = cs_open_list(folder);
    for (const struct dirent *e; d && (e = readdir(d));) {
        char path[PATH];
        cs_cmdstan_head h;
        const char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".csv") != 0 ||
            path_of(folder, e->d_name, path, NULL) != CS_OK ||
            cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
            continue;
        for (size_t i = 0; i < s->n; i++)
            files[i] += strcmp(h.arm, s->arm[i].name) == 0;
        cs_cmdstan_head_free(&h);
    }
    if (d)
        closedir(d);
}

/* Compares the number of chains of each arm with the number of its files.
 * Several chains may share a file if one kernel contains another. */
static cs_status compare_chains(const char *folder, const cs_saved_summary *s,
                                const size_t *files, cs_error *err)
{
    for (size_t i = 0; i < s->n; i++) {
        const cs_saved_arm_summary *a = &s->arm[i];
        double n = (double)files[i];
        bool shared =
            n > 0 && strchr(a->kernel, '(') && fmod(a->chains, n) == 0;
        if (!(a->chains > n) || shared)
            continue;
        cs_fail(err, CS_INPUT,
                "%s has files for only %.0f of the %.0f chains of arm %s",
                folder, n, a->chains, a->name);
        cs_hint(err, "restore the files or repeat the run");
        return CS_INPUT;
    }
    return CS_OK;
}

cs_status cs_manifest_chains(const char *folder, cs_error *err)
{
    char path[PATH];
    struct stat about;
    cs_saved_summary s = {0};
    cs_status status = CS_OK;
    if (path_of(folder, "manifest", path, NULL) == CS_OK &&
        stat(path, &about) == 0)
        return CS_OK;
    bool there = cs_saved_summary_read(folder, &s, NULL) == CS_OK;
    size_t *files = there ? cs_alloc(s.n, sizeof *files) : NULL;
    if (there && !files)
        status = cs_fail(err, CS_MEMORY, "out of memory for the arms");
    if (files) {
        count_files(folder, &s, files);
        status = compare_chains(folder, &s, files, err);
    }
    cs_free(files);
    cs_saved_summary_free(&s);
    return status;
}

void cs_manifest_counted(const cs_manifest *m, const char *name,
                         cs_cmdstan_mark *mark)
{
    for (size_t i = 0; i < m->n; i++) {
        const cs_manifest_file *f = &m->file[i];
        if (f->chain == 0 || strcmp(f->name, name) != 0)
            continue;
        mark->counted = f->mark.counted && f->mark.rows == mark->rows;
        mark->warmup_steps = f->mark.warmup_steps;
    }
}

void cs_manifest_clear(const char *folder)
{
    cs_manifest m;
    char path[PATH];
    if (cs_manifest_read(&m, folder, NULL) != CS_OK)
        return;
    for (size_t i = 0; i < m.n; i++)
        if (path_of(folder, m.file[i].name, path, NULL) == CS_OK)
            unlink(path);
    if (path_of(folder, "manifest", path, NULL) == CS_OK)
        unlink(path);
    cs_manifest_free(&m);
}
