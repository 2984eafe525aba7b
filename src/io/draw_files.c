#include "io/draw_files.h"

#include "base/memory.h"
#include "files/open.h"
#include "io/cmdstan.h"
#include "io/manifest.h"

#include <dirent.h>
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
    if (copy && CS_GROW(f->path, f->n, f->room, 1)) {
        f->path[f->n++] = copy;
        return CS_OK;
    }
    cs_free(copy);
    return cs_fail(err, CS_MEMORY, "no memory for the files");
}

/* a_2.csv before a_10.csv. */
static int by_number(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    size_t n = strlen(x), m = strlen(y);
    return n != m ? (n > m) - (n < m) : strcmp(x, y);
}

/* A file of a folder, if it is of draws of the arm that is wanted. */
static cs_status look_at(cs_draw_files *f, const char *path, cs_error *err)
{
    cs_cmdstan_head h;
    if (cs_cmdstan_head_read(path, &h, NULL) != CS_OK)
        return CS_OK; /* another table */
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

static cs_status take_folder(cs_draw_files *f, DIR *d, const char *folder,
                             bool told, cs_error *err)
{
    cs_status status = cs_manifest_trust(folder, err);
    for (const struct dirent *e; status == CS_OK && (e = readdir(d));) {
        char path[PATH];
        const char *dot = strrchr(e->d_name, '.');
        int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (dot && strcmp(dot, ".csv") == 0 && n > 0 && n < PATH)
            status = look_at(f, path, err);
    }
    if (status)
        return status;
    if (f->n == 0 && f->other) {
        cs_fail(err, CS_INPUT, "%s has no draws of arm %s", folder, f->arm);
        cs_hint(err, "--arm %s", f->name);
    } else if (f->n == 0) {
        cs_fail(err, CS_INPUT, "%s has no files of draws", folder);
        cs_hint(err, "name the folder that chainscope run --out has made");
    } else if (f->other && !told) {
        cs_fail(err, CS_INPUT, "%s has draws of several arms", folder);
        cs_hint(err, "--arm %s, or --arm %s", f->arm, f->name);
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
    if (arm) {
        cs_fail(err, CS_INPUT, "--arm is for a folder");
        cs_hint(err, "name the files of one arm alone");
        return CS_INPUT;
    }
    cs_status status = CS_OK;
    for (size_t i = 0; i < n && status == CS_OK; i++)
        status = add(f, word[i], err);
    return status;
}
