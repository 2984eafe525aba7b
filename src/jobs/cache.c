#include "jobs/cache.h"

#include "base/hash.h"
#include "files/file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = CS_JOB_CACHE_PATH + 64, NAME = 64 };
enum { MARGIN = 8 }; /* trimming leaves 1/8 of the size limit free */

static void path_of(const cs_job_cache *k, const char *key, char path[PATH])
{
    snprintf(path, PATH, "%s/job_%016" PRIx64, k->folder,
             cs_digest(CS_DIGEST, key, strlen(key)));
}

/* ---- size limit ---- */

typedef struct one {
    char name[NAME];
    size_t size;
    struct timespec when;
} one;

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const one *)a)->when,
                          *y = &((const one *)b)->when;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static int is_kept(const struct dirent *e)
{
    return strncmp(e->d_name, "job_", 4) == 0 && strlen(e->d_name) < NAME;
}

/* Lists the files of the folder; *n: their number. [own: free] Returns NULL if
 * the folder is empty. */
static one *list(const cs_job_cache *k, size_t *n)
{
    struct dirent **found;
    int all = scandir(k->folder, &found, is_kept, NULL);
    one *out = all > 0 ? calloc((size_t)all, sizeof *out) : NULL;
    *n = 0;
    for (int i = 0; i < all; i++) {
        char path[PATH];
        struct stat about;
        snprintf(path, PATH, "%s/%.63s", k->folder, found[i]->d_name);
        if (out && stat(path, &about) == 0) {
            one *o = &out[(*n)++];
            snprintf(o->name, NAME, "%.63s", found[i]->d_name);
            o->size = (size_t)about.st_size;
            o->when = about.st_mtim;
        }
        free(found[i]);
    }
    if (all >= 0)
        free(found);
    return out;
}

/* Adds up the file sizes, and removes the oldest files if the sum exceeds the
 * limit. */
static void trim(cs_job_cache *k)
{
    size_t n;
    one *all = list(k, &n);
    k->used = 0;
    for (size_t i = 0; i < n; i++)
        k->used += all[i].size;
    if (all && k->used > k->most) {
        qsort(all, n, sizeof *all, by_age);
        for (size_t i = 0; i < n && k->used > k->most - k->most / MARGIN; i++) {
            char path[PATH];
            snprintf(path, PATH, "%s/%s", k->folder, all[i].name);
            unlink(path);
            k->used -= all[i].size;
        }
    }
    free(all);
}

void cs_job_cache_open(cs_job_cache *k, const char *folder, size_t most)
{
    *k = (cs_job_cache){.most = most};
    if (folder && snprintf(k->folder, sizeof k->folder, "%s", folder) >=
                      CS_JOB_CACHE_PATH)
        k->folder[0] = 0;
    if (*k->folder)
        trim(k);
}

/* ---- results ---- */

void cs_job_cache_load(const cs_job_cache *k, const char *key, cs_result *r)
{
    char path[PATH];
    *r = (cs_result){0};
    if (!*k->folder)
        return;
    path_of(k, key, path);
    if (cs_result_read(path, key, 0, 1, r, NULL) == CS_OK)
        return;
    cs_result_fini(r);
    unlink(path);
}

cs_status cs_job_cache_save(cs_job_cache *k, const char *key, const char *name,
                            const cs_result *r, cs_error *err)
{
    char path[PATH];
    struct stat about;
    if (!*k->folder || r->failure)
        return CS_OK;
    path_of(k, key, path);
    cs_status status = cs_folder_make(k->folder, err);
    if (status == CS_OK)
        status = cs_result_write(path, key, 0, 1, name, r, err);
    if (status == CS_OK && stat(path, &about) == 0)
        k->used += (size_t)about.st_size;
    if (k->used > k->most)
        trim(k);
    return status;
}

void cs_job_cache_forget(const cs_job_cache *k, const char *key)
{
    char path[PATH];
    if (!*k->folder)
        return;
    path_of(k, key, path);
    unlink(path);
}
