#include "session/record/merged_folders.h"

#include "base/memory.h"
#include "files/file.h"
#include "io/checkpoint.h"
#include "io/manifest.h"
#include "run/arms/arms.h"
#include "run/arms/share.h"
#include "run/merge_parts.h"
#include "run/views/view.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };

typedef struct part {
    char *folder; /* path of the part's folder [own] */
    cs_share share;
    cs_cmdstan_mark *mark; /* [n_marks] states of the part's files [own] */
    size_t n_marks;
    cs_manifest manifest; /* manifest of the folder; empty if there is none */
} part;

struct cs_merge {
    cs_run *run; /* the run into which the parts are merged [borrowed] */
    part *part;  /* [n] parts, ordered by the chains that they contain [own] */
    size_t n, capacity;
    size_t at; /* index of the part that was used last; the next search starts
                  there */
    uint64_t thin;
    bool save_warmup;
    char *sets; /* settings of the run [own] */
};

/* ---- finding ---- */

static bool checkpoint_in(const char *folder, char *path)
{
    return snprintf(path, PATH, "%s/checkpoint", folder) < PATH &&
           access(path, F_OK) == 0;
}

static cs_status add(cs_merge *m, const char *folder, cs_error *err)
{
    if (m->n == m->capacity) {
        size_t capacity = 2 * m->capacity + 16;
        part *more = cs_alloc(capacity, sizeof *more);
        if (!more)
            return cs_fail(err, CS_MEMORY, "out of memory for the parts");
        if (m->n)
            memcpy(more, m->part, m->n * sizeof *more);
        cs_free(m->part);
        m->part = more;
        m->capacity = capacity;
    }
    m->part[m->n] = (part){.folder = cs_copy_text(folder)};
    return m->part[m->n++].folder
               ? CS_OK
               : cs_fail(err, CS_MEMORY, "out of memory for the parts");
}

static cs_status add_beneath(cs_merge *m, const char *folder, cs_error *err)
{
    char path[PATH], beneath[PATH];
    struct dirent **entry;
    size_t before = m->n;
    cs_status status = CS_OK;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        bool is_part =
            status == CS_OK && entry[i]->d_name[0] != '.' &&
            snprintf(beneath, PATH, "%s/%s", folder, entry[i]->d_name) < PATH &&
            checkpoint_in(beneath, path);
        if (is_part)
            status = add(m, beneath, err);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    if (status || m->n > before)
        return status;
    cs_fail(err, CS_INPUT, "%s contains no part of a run", folder);
    cs_hint(err, "give folders written by chainscope run --part K/N, or a "
                 "folder that contains them");
    return CS_INPUT;
}

static cs_status find(cs_merge *m, const char *const *folder, size_t n,
                      cs_error *err)
{
    char path[PATH];
    cs_status status = CS_OK;
    for (size_t i = 0; i < n && status == CS_OK; i++)
        status = checkpoint_in(folder[i], path)
                     ? add(m, folder[i], err)
                     : add_beneath(m, folder[i], err);
    return status;
}

/* ---- verifying ---- */

/* Returns the number of files of a part: one file per chain that draws from the
 * target. */
static size_t files_of(const cs_merge *m, cs_share share)
{
    size_t n = 0;
    for (size_t i = 0; i < cs_run_arms(m->run); i++) {
        cs_chains own = cs_share_of(m->run, share, i);
        n += (own.end - own.first) / cs_run_arm(m->run, i).group;
    }
    return n;
}

static cs_status same_rows(cs_merge *m, const cs_checkpoint *c, bool first,
                           cs_error *err)
{
    if (first) {
        m->thin = c->thin;
        m->save_warmup = c->save_warmup;
        m->sets = cs_copy_text(c->sets ? c->sets : "");
    }
    if (c->thin == m->thin && c->save_warmup == m->save_warmup)
        return m->sets ? CS_OK
                       : cs_fail(err, CS_MEMORY, "out of memory for the parts");
    return cs_fail(err, CS_INPUT, "%s differs from its value in %s",
                   c->thin == m->thin ? "--save-warmup" : "--thin",
                   m->part[0].folder);
}

static cs_status look_at(cs_merge *m, size_t i, cs_error *err)
{
    part *p = &m->part[i];
    char path[PATH];
    cs_checkpoint c;
    checkpoint_in(p->folder, path);
    cs_status status = cs_checkpoint_read(&c, path, err);
    if (status)
        return status;
    status = cs_run_saved_share(m->run, c.run, c.size, &p->share, err);
    if (status == CS_OK && p->share.parts == 0)
        status = cs_fail(err, CS_INPUT,
                         "the folder contains a whole run, not a part");
    if (status == CS_OK)
        status = same_rows(m, &c, i == 0, err);
    if (status == CS_OK && c.n_marks != files_of(m, p->share))
        status = cs_fail(err, CS_INPUT,
                         "the checkpoint lists %zu files of draws, but the "
                         "part must have %zu",
                         c.n_marks, files_of(m, p->share));
    cs_manifest_read(&p->manifest, p->folder, NULL);
    p->mark = c.mark;
    p->n_marks = c.n_marks;
    c.mark = NULL;
    cs_checkpoint_fini(&c);
    if (status)
        cs_where(err, p->folder, 0);
    return status;
}

static int by_share(const void *a, const void *b)
{
    uint64_t x = ((const part *)a)->share.part,
             y = ((const part *)b)->share.part;
    return (x > y) - (x < y);
}

static cs_status refuse_missing(const cs_merge *m, uint64_t k, cs_error *err)
{
    unsigned long long all = m->part[0].share.parts;
    cs_fail(err, CS_INPUT, "part %llu of %llu is missing",
            (unsigned long long)k + 1, all);
    cs_hint(err, "run the part: chainscope run FILE --part %llu/%llu --out DIR",
            (unsigned long long)k + 1, all);
    return CS_INPUT;
}

/* Checks that each part occurs exactly once; a part without chains may be
 * missing. */
static cs_status complete(cs_merge *m, cs_error *err)
{
    uint64_t all = m->part[0].share.parts, next = 0;
    for (size_t i = 1; i < m->n; i++)
        if (m->part[i].share.parts != all) {
            cs_fail(err, CS_INPUT,
                    "the run in the folder has %llu parts, but the run in %s "
                    "has %llu",
                    (unsigned long long)m->part[i].share.parts,
                    m->part[0].folder, (unsigned long long)all);
            cs_where(err, m->part[i].folder, 0);
            return CS_INPUT;
        }
    qsort(m->part, m->n, sizeof *m->part, by_share);
    for (size_t i = 0; i < m->n; next = m->part[i++].share.part + 1) {
        cs_share s = m->part[i].share;
        if (i && s.part == m->part[i - 1].share.part) {
            cs_fail(
                err, CS_INPUT,
                "the folder contains part %llu of %llu, which is also in %s",
                (unsigned long long)s.part + 1, (unsigned long long)all,
                m->part[i - 1].folder);
            cs_hint(err, "give only one of the folders");
            cs_where(err, m->part[i].folder, 0);
            return CS_INPUT;
        }
        for (; next < s.part; next++)
            if (cs_share_has_any(m->run, (cs_share){next, all}))
                return refuse_missing(m, next, err);
    }
    for (; next < all; next++)
        if (cs_share_has_any(m->run, (cs_share){next, all}))
            return refuse_missing(m, next, err);
    return CS_OK;
}

cs_status cs_merge_open(cs_merge **out, cs_run *run, const char *const *folder,
                        size_t n, cs_error *err)
{
    assert(n > 0);
    cs_merge *m = cs_alloc(1, sizeof *m);
    if (!m)
        return cs_fail(err, CS_MEMORY, "out of memory for the parts");
    m->run = run;
    cs_status status = find(m, folder, n, err);
    for (size_t i = 0; i < m->n && status == CS_OK; i++)
        status = look_at(m, i, err);
    if (status == CS_OK)
        status = complete(m, err);
    if (status)
        cs_merge_close(m);
    else
        *out = m;
    return status;
}

void cs_merge_close(cs_merge *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n; i++) {
        cs_free(m->part[i].folder);
        cs_free(m->part[i].mark);
        cs_manifest_free(&m->part[i].manifest);
    }
    CS_FREE_ALL(m->part, m->sets, m);
}

uint64_t cs_merge_thin(const cs_merge *m)
{
    return m->thin;
}

bool cs_merge_save_warmup(const cs_merge *m)
{
    return m->save_warmup;
}

const char *cs_merge_sets(const cs_merge *m)
{
    return m->sets;
}

bool cs_merge_has(const cs_merge *m, const char *folder)
{
    struct stat a, b;
    bool has = false;
    for (size_t i = 0; i < m->n; i++)
        has |= stat(folder, &a) == 0 && stat(m->part[i].folder, &b) == 0 &&
               a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return has;
}

/* ---- loading ---- */

typedef struct fetching {
    const cs_merge *m;
    size_t last; /* index of the part used last */
} fetching;

static cs_status fetch(void *self, size_t i, unsigned char **bytes,
                       size_t *size, cs_error *err)
{
    fetching *f = self;
    char path[PATH];
    cs_checkpoint c;
    f->last = i;
    checkpoint_in(f->m->part[i].folder, path);
    cs_status status = cs_checkpoint_read(&c, path, err);
    if (status)
        return status;
    *bytes = c.run;
    *size = c.size;
    c.run = NULL;
    cs_checkpoint_fini(&c);
    return CS_OK;
}

cs_status cs_merge_load(cs_merge *m, cs_error *err)
{
    fetching f = {m, 0};
    cs_status status = cs_run_merge(m->run, m->n, fetch, &f, err);
    if (status)
        cs_where(err, m->part[f.last].folder, 0);
    return status;
}

/* ---- files ---- */

/* Returns the part that contains the chain, and sets *file to the number of
 * the chain's file within that part. */
static const part *owner_of(cs_merge *m, size_t arm, size_t chain, size_t *file)
{
    cs_chains own;
    for (size_t tried = 0;; tried++, m->at = (m->at + 1) % m->n) {
        own = cs_share_of(m->run, m->part[m->at].share, arm);
        assert(tried <= m->n); /* the set of parts is complete */
        if (chain >= own.first && chain < own.end)
            break;
    }
    *file = (chain - own.first) / cs_run_arm(m->run, arm).group;
    for (size_t i = 0; i < arm; i++) {
        own = cs_share_of(m->run, m->part[m->at].share, i);
        *file += (own.end - own.first) / cs_run_arm(m->run, i).group;
    }
    return &m->part[m->at];
}

cs_status cs_merge_take(cs_merge *m, size_t arm, size_t chain, const char *name,
                        const char *path, cs_cmdstan_mark *mark, cs_error *err)
{
    size_t file;
    const part *p = owner_of(m, arm, chain, &file);
    assert(file < p->n_marks);
    *mark = p->mark[file];
    cs_manifest_counted(&p->manifest, name, mark);
    char from[PATH];
    if (snprintf(from, PATH, "%s/%s", p->folder, name) >= PATH)
        return cs_fail(err, CS_INPUT, "the path of %s is too long", name);
    return path ? cs_file_copy(from, path, mark->bytes, err)
                : cs_cmdstan_verify(from, mark, err);
}

cs_status cs_merge_copy_whole(cs_merge *m, const char *name, const char *path,
                              cs_error *err)
{
    char from[PATH];
    struct stat about;
    const part *p = m->part;
    if (snprintf(from, PATH, "%s/%s", p->folder, name) >= PATH ||
        stat(from, &about) != 0)
        return CS_OK;
    return cs_file_copy(from, path, (uint64_t)about.st_size, err);
}
