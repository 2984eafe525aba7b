#include "io/draw_files.h"

#include "base/memory.h"
#include "files/open.h"
#include "io/cmdstan.h"
#include "io/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096 };

void cs_draw_files_free(cs_draw_files *f)
{
    for (size_t i = 0; i < f->n; i++)
        cs_free(f->path[i]);
    cs_free(f->path);
    *f = (cs_draw_files){0};
}

static cs_status add(cs_draw_files *f, const char *path, cs_error *err)
{
    char *copy = cs_copy_text(path);
    if (copy && CS_GROW(f->path, f->n, f->capacity, 1)) {
        f->path[f->n++] = copy;
        return CS_OK;
    }
    cs_free(copy);
    return cs_fail(err, CS_MEMORY, "out of memory for the files");
}

/* Compares file names so that a_2.csv precedes a_10.csv. */
static int compare_numbers(const char *x, const char *y)
{
    size_t n = strlen(x), m = strlen(y);
    return n != m ? (n > m) - (n < m) : strcmp(x, y);
}

static int by_number(const void *a, const void *b)
{
    return compare_numbers(*(char *const *)a, *(char *const *)b);
}

/* Adds a file of a folder if it contains draws of the requested arm. */
static cs_status look_at(void *self, const char *path, cs_error *err)
{
    cs_draw_files *f = self;
    cs_cmdstan_head h;
    if (cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return CS_OK; /* the file contains no draws */
    bool first = !f->arm[0];
    if (first)
        snprintf(f->arm, sizeof f->arm, "%s", h.arm);
    bool wanted = strcmp(h.arm, f->arm) == 0;
    if (!wanted) {
        f->other = true;
        snprintf(f->name, sizeof f->name, "%s", h.arm);
    }
    cs_cmdstan_head_free(&h);
    return wanted ? add(f, path, err) : CS_OK;
}

typedef cs_status each_table(void *self, const char *path, cs_error *err);

/* Calls `each` for the files *.csv of a folder. Fails if the folder does not
 * match its manifest. */
static cs_status walk_folder(DIR *d, const char *folder, each_table *each,
                             void *self, cs_error *err)
{
    cs_status status = cs_manifest_trust(folder, err);
    for (const struct dirent *e; status == CS_OK && (e = readdir(d));) {
        char path[PATH];
        const char *dot = strrchr(e->d_name, '.');
        int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (dot && strcmp(dot, ".csv") == 0 && n > 0 && n < PATH)
            status = each(self, path, err);
    }
    return status;
}

static cs_status take_folder(cs_draw_files *f, DIR *d, const char *folder,
                             bool reported, cs_error *err)
{
    cs_status status = cs_manifest_chains(folder, err);
    if (status == CS_OK)
        status = walk_folder(d, folder, look_at, f, err);
    if (status)
        return status;
    if (f->n == 0 && f->other) {
        cs_fail(err, CS_INPUT, "%s has no draws of arm %s", folder, f->arm);
        cs_hint(err, "give --arm %s", f->name);
    } else if (f->n == 0) {
        cs_fail(err, CS_INPUT, "%s has no files of draws", folder);
        cs_hint(err, "give a folder written by chainscope run --out");
    } else if (f->other && !reported) {
        cs_fail(err, CS_INPUT, "%s has draws of several arms", folder);
        cs_hint(err, "give --arm %s or --arm %s", f->arm, f->name);
    } else {
        qsort(f->path, f->n, sizeof *f->path, by_number);
        return CS_OK;
    }
    return CS_INPUT;
}

cs_status cs_draw_files_find(const char *const *word, size_t n, const char *arm,
                             cs_draw_files *f, cs_error *err)
{
    DIR *d = n == 1 ? cs_open_list(word[0]) : NULL;
    *f = (cs_draw_files){0};
    snprintf(f->arm, sizeof f->arm, "%s", arm ? arm : "");
    if (d) {
        cs_status status = take_folder(f, d, word[0], arm != NULL, err);
        closedir(d);
        return status;
    }
    if (n == 1 && errno == ENOENT)
        return cs_open_failed(word[0], "read", err);
    if (arm) {
        cs_fail(err, CS_INPUT, "--arm needs a folder");
        cs_hint(err, "leave out --arm and give only files of one arm");
        return CS_INPUT;
    }
    cs_status status = CS_OK;
    for (size_t i = 0; i < n && status == CS_OK; i++)
        status = add(f, word[i], err);
    return status;
}

/* ---- all arms of a folder ---- */

void cs_draw_folder_free(cs_draw_folder *f)
{
    for (size_t i = 0; i < f->n; i++) {
        cs_free(f->file[i].path);
        cs_free(f->file[i].arm);
    }
    cs_free(f->file);
    *f = (cs_draw_folder){0};
}

static cs_status add_file(void *self, const char *path, cs_error *err)
{
    cs_draw_folder *f = self;
    cs_cmdstan_head h;
    if (cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return CS_OK; /* the file contains no draws */
    cs_draw_file one = {cs_copy_text(path), cs_copy_text(h.arm)};
    cs_cmdstan_head_free(&h);
    if (one.path && one.arm && CS_GROW(f->file, f->n, f->capacity, 1)) {
        f->file[f->n++] = one;
        return CS_OK;
    }
    cs_free(one.path);
    cs_free(one.arm);
    return cs_fail(err, CS_MEMORY, "out of memory for the files");
}

static int by_arm(const void *a, const void *b)
{
    const cs_draw_file *x = a, *y = b;
    int order = strcmp(x->arm, y->arm);
    return order ? order : compare_numbers(x->path, y->path);
}

cs_status cs_draw_folder_read(const char *folder, cs_draw_folder *f,
                              cs_error *err)
{
    DIR *d = cs_open_list(folder);
    *f = (cs_draw_folder){0};
    if (!d)
        return cs_fail(err, CS_IO, "%s is not a folder", folder);
    cs_status status = walk_folder(d, folder, add_file, f, err);
    closedir(d);
    if (status == CS_OK && f->n)
        qsort(f->file, f->n, sizeof *f->file, by_arm);
    return status;
}

const cs_draw_file *cs_draw_folder_arm(const cs_draw_folder *f, const char *arm,
                                       size_t *n)
{
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(f->file[mid].arm, arm) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (*n = 0; low + *n < f->n && strcmp(f->file[low + *n].arm, arm) == 0;)
        ++*n;
    return *n ? &f->file[low] : NULL;
}
