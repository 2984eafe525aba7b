#include "io/watched_folder.h"

#include "base/clock.h"
#include "base/memory.h"
#include "files/lock.h"
#include "io/formats/gather_files.h"
#include "io/manifest.h"
#include "io/remote.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096 };
/* Maximum number of draws by which a displayed chain may be shorter than the
 * longest chain. */
enum { FAR = 256 };

/* Seconds between two checks for changes that cause no notification: another
 * machine has written files, or another folder has the same name now. */
static const double now_and_then = 2;
/* Pause after a look: at least least_rest seconds, and at least rest_share
 * times the duration of the look. */
static const double least_rest = 0.05, rest_share = 20;

/* ---- files ---- */

static bool is_csv(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".csv") == 0 && e->d_type != DT_DIR;
}

static bool is_known(const cs_watched *w, const char *path)
{
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(cs_tail_now(w->file[i].tail).path, path) == 0)
            return true;
    return false;
}

static cs_status add_file(cs_watched *w, const char *path, cs_error *err)
{
    if (is_known(w, path))
        return CS_OK;
    w->many |= w->n == CS_WATCHED_FILES;
    if (w->n == CS_WATCHED_FILES)
        return CS_OK;
    cs_tail *t;
    if (!CS_GROW(w->file, w->n, w->capacity, 1))
        return cs_fail(err, CS_MEMORY, "out of memory for the files");
    cs_status status = cs_tail_open(&t, path, err);
    if (status == CS_OK)
        w->file[w->n++] = (cs_watched_file){.tail = t};
    return status;
}

/* Watches a folder with inotify. Called at each look, since another folder may
 * have the same name by then. */
static void listen(cs_watched *w, const char *folder)
{
    static const uint32_t events = IN_MODIFY | IN_CREATE | IN_MOVED_TO |
                                   IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE |
                                   IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
    if (w->fd >= 0 && inotify_add_watch(w->fd, folder, events) < 0)
        w->remote = true; /* the limit on the number of watches is reached;
                           * check regularly instead */
}

static cs_status hear(cs_watched *w, const char *folder, cs_error *err)
{
    listen(w, folder);
    for (size_t i = 0; i < w->n_folders; i++)
        if (strcmp(w->folders[i], folder) == 0)
            return CS_OK;
    cs_status status = cs_manifest_trust(folder, err);
    if (status == CS_OK)
        status = cs_manifest_chains(folder, err);
    if (status)
        return status;
    char *copy = cs_copy_text(folder);
    if (!copy || !CS_GROW(w->folders, w->n_folders, w->folders_room, 1)) {
        cs_free(copy);
        return cs_fail(err, CS_MEMORY, "out of memory for the folders");
    }
    w->folders[w->n_folders++] = copy;
    return CS_OK;
}

/* Finds the files of a folder, or of its subfolders if the folder has no
 * files. */
static cs_status find(cs_watched *w, const char *folder, int depth,
                      cs_error *err)
{
    struct dirent **entry;
    size_t before = w->n;
    cs_status status = hear(w, folder, err);
    int n = status ? -1 : scandir(folder, &entry, NULL, alphasort);
    bool any = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n && status == CS_OK; i++) {
            char path[PATH];
            struct stat about;
            const char *name = entry[i]->d_name;
            if (*name == '.' || (pass == 0) != is_csv(entry[i]) ||
                (pass && (depth == 0 || any)) ||
                snprintf(path, PATH, "%s/%s", folder, name) >= PATH)
                continue;
            if (pass == 0)
                status = add_file(w, path, err);
            else if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
                status = find(w, path, depth - 1, err);
            any |= pass == 0;
        }
    for (int i = 0; i < n; i++)
        free(entry[i]);
    if (n >= 0)
        free(entry);
    w->grown |= w->n > before;
    return status;
}

/* ---- arms ---- */

bool cs_watched_is_chain(const cs_tail_view *v)
{
    return v->columns > 0 && strcmp(v->name[0], "lp__") == 0;
}

bool cs_watched_is_whole(const cs_tail_view *v)
{
    return v->ended && *v->arm;
}

static int by_arm(const void *a, const void *b)
{
    cs_tail_view x = cs_tail_now(((const cs_watched_file *)a)->tail),
                 y = cs_tail_now(((const cs_watched_file *)b)->tail);
    int order = strcmp(x.arm, y.arm);
    if (order == 0)
        order = (x.id > y.id) - (x.id < y.id);
    return order ? order : strcmp(x.path, y.path);
}

uint64_t cs_watched_longest(const cs_watched *w, const char *arm)
{
    uint64_t most = 0;
    for (size_t i = 0; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        if (cs_watched_is_chain(&v) && strcmp(v.arm, arm) == 0 && v.rows > most)
            most = v.rows;
    }
    return most;
}

/* Returns true if the chain has far fewer draws than the longest chain. Returns
 * false for a completed chain, even if it is short. */
static bool is_far_behind(const cs_tail_view *v, uint64_t longest)
{
    uint64_t capacity = longest / 2 > FAR ? longest / 2 : FAR;
    return !cs_watched_is_whole(v) && !v->wrong && longest - v->rows > capacity;
}

/* For the arm whose files start at number `first`, collects the chains to show
 * in chain[n]. Sets *behind to the number of chains that are left out. Returns
 * the index after the files of the arm. */
static size_t chains_of(const cs_watched *w, size_t first, cs_tail **chain,
                        size_t *n, size_t *behind)
{
    cs_tail_view of = cs_tail_now(w->file[first].tail);
    uint64_t longest = cs_watched_longest(w, of.arm);
    size_t i = first;
    *n = *behind = 0;
    for (; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        if (strcmp(v.arm, of.arm) != 0)
            break;
        if (!cs_watched_is_chain(&v))
            continue;
        if (is_far_behind(&v, longest))
            ++*behind;
        else
            chain[(*n)++] = w->file[i].tail;
    }
    return i;
}

/* Computes the number of draws of an arm that can be shown. */
static void measure(cs_watched_arm *a)
{
    uint64_t least = UINT64_MAX, most = 0;
    bool ended = a->behind == 0;
    for (size_t c = 0; c < a->chains; c++) {
        cs_tail_view v = cs_tail_now(a->chain[c]);
        most = v.rows > most ? v.rows : most;
        ended &= v.ended || v.wrong;
        if (!cs_watched_is_whole(&v) && !v.wrong && v.rows < least)
            least = v.rows;
    }
    a->ready = least < most ? least : most;
    a->ended = ended && (least == UINT64_MAX || least == most);
}

bool cs_watched_all_ended(const cs_watched *w)
{
    bool ended = true;
    for (size_t i = 0; i < w->n_arms; i++)
        ended &= w->arm[i].ended;
    return ended;
}

static void free_arms(cs_watched *w)
{
    for (size_t i = 0; i < w->n_arms; i++)
        cs_free(w->arm[i].chain);
    cs_free(w->arm);
    w->arm = NULL;
    w->n_arms = 0;
}

/* Returns true if the file is a chain of an arm that is shown. */
static bool is_shown(const cs_watched *w, const cs_tail *t)
{
    for (size_t i = 0; i < w->n_arms; i++)
        for (size_t c = 0; c < w->arm[i].chains; c++)
            if (w->arm[i].chain[c] == t)
                return true;
    return false;
}

static void put_in_order(cs_watched *w)
{
    if (w->n) /* the array is NULL if there are no files */
        qsort(w->file, w->n, sizeof *w->file, by_arm);
}

static cs_status group(cs_watched *w, cs_error *err)
{
    put_in_order(w);
    w->arm = cs_alloc(w->n, sizeof *w->arm);
    if (!w->arm)
        return cs_fail(err, CS_MEMORY, "out of memory for the arms");
    for (size_t i = 0; i < w->n;) {
        cs_watched_arm *a = &w->arm[w->n_arms++];
        a->chain = cs_alloc(w->n - i, sizeof(cs_tail *));
        if (!a->chain)
            return cs_fail(err, CS_MEMORY, "out of memory for the arms");
        a->name = cs_tail_now(w->file[i].tail).arm;
        i = chains_of(w, i, a->chain, &a->chains, &a->behind);
        measure(a);
        if (a->chains == 0) { /* the files are tables that contain no draws */
            cs_free(a->chain);
            w->n_arms--;
        }
    }
    for (size_t i = 0; i < w->n; i++)
        w->file[i].shown = is_shown(w, w->file[i].tail);
    return CS_OK;
}

/* ---- opening ---- */

/* Fails, since the two files cannot belong to one run. */
static cs_status refuse_several(const cs_tail_view *a, const cs_tail_view *b,
                                const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s and %s are %s", a->path, b->path, what);
    cs_hint(err, "give the folder of one run, or of its parts");
    return CS_INPUT;
}

/* Returns true if both files have the same columns, as the chains of an arm
 * must. */
static bool have_same_columns(const cs_tail_view *a, const cs_tail_view *b)
{
    bool same = a->columns == b->columns;
    for (size_t k = 0; same && k < a->columns; k++)
        same = strcmp(a->name[k], b->name[k]) == 0;
    return same;
}

/* Returns the index of an earlier file with the same chain, or i if there is
 * none. Files are ordered by arm and number. */
static size_t same_chain(const cs_watched *w, size_t i)
{
    enum { MOST = 64 };
    cs_tail_view v = cs_tail_now(w->file[i].tail);
    for (size_t k = i; k > 0 && i - k < MOST; k--) {
        cs_tail_view u = cs_tail_now(w->file[k - 1].tail);
        if (strcmp(u.arm, v.arm) != 0 || u.id != v.id)
            break;
        if (cs_watched_is_chain(&u) &&
            cs_tail_is_twin(w->file[k - 1].tail, w->file[i].tail))
            return k - 1;
    }
    return i;
}

/* Checks that the files belong to one run. The check uses only their headers,
 * so that it precedes the reading of all draws. */
static cs_status check_one_run(cs_watched *w, cs_error *err)
{
    cs_tail_view first = {0}, before = {0};
    put_in_order(w);
    for (size_t i = 0; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        if (!cs_watched_is_chain(&v))
            continue;
        if (!first.path)
            first = v;
        if (strcmp(v.model, first.model) != 0)
            return refuse_several(&first, &v, "from different models", err);
        bool same_arm = before.path && strcmp(v.arm, before.arm) == 0;
        size_t same = same_chain(w, i);
        if (same != i) {
            before = cs_tail_now(w->file[same].tail);
            return refuse_several(&before, &v, "one chain, written twice", err);
        }
        if (same_arm && !have_same_columns(&v, &before))
            return refuse_several(
                &before, &v, "chains of one arm with different columns", err);
        before = v;
    }
    return CS_OK;
}

static cs_status refuse_many(const char *folder, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s has more than %d CSV files", folder,
            CS_WATCHED_FILES);
    cs_hint(err, "give the folder of one run, or of one of its parts");
    return CS_INPUT;
}

static cs_status refuse_empty(const cs_watched *w, const char *folder,
                              cs_error *err)
{
    for (size_t i = 0; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        if (!v.wrong && (!v.unreadable || v.gone))
            continue;
        if (v.wrong)
            cs_fail(err, CS_INPUT, "%s is not a file of draws: %s", v.path,
                    v.wrong);
        else
            cs_fail(err, CS_INPUT, "%s %s", v.path, v.unreadable);
        cs_hint(err, "give the folder of chainscope run --out");
        return CS_INPUT;
    }
    cs_fail(err, CS_UNKNOWN, "%s has no files of draws%s", folder,
            w->n ? " yet: their headers are incomplete" : "");
    cs_hint(err, "give a folder written by run --out, or a folder of parts; "
                 "watch --wait waits for the first draws");
    return CS_UNKNOWN;
}

/* Checks that the folder has files to watch. */
static cs_status check_folder(cs_watched *w, const char *folder, cs_error *err)
{
    struct stat about;
    bool there = stat(folder, &about) == 0;
    w->device = there ? about.st_dev : 0;
    w->number = there ? about.st_ino : 0;
    if (there && S_ISDIR(about.st_mode))
        return CS_OK;
    cs_status status = there ? CS_INPUT : CS_UNKNOWN;
    cs_fail(err, status,
            there ? "%s is not a folder" : "there is no file or folder '%s'",
            folder);
    cs_hint(err, there ? "give the folder of chainscope run --out"
                       : "check the name; if a run will make the folder, add "
                         "--wait");
    return status;
}

/* Reads all files that were found. */
static cs_status read_files(cs_watched *w, cs_error *err)
{
    for (size_t i = 0; i < w->n; i++)
        cs_tail_head(w->file[i].tail);
    cs_status status = check_one_run(w, err);
    for (size_t i = 0; i < w->n && status == CS_OK; i++)
        cs_tail_look(w->file[i].tail);
    return status ? status : check_one_run(w, err);
}

static cs_status fill_in(cs_watched *w, const char *folder, cs_error *err)
{
    w->folder = cs_copy_text(folder);
    if (!w->folder)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the watched folder %s", folder);
    cs_status status = check_folder(w, folder, err);
    if (status)
        return status;
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    w->remote = w->fd < 0 || cs_remote_is(folder);
    status = find(w, folder, 1, err);
    if (status == CS_OK && w->many)
        status = refuse_many(folder, err);
    if (status == CS_OK)
        status = read_files(w, err);
    if (status)
        return status;
    w->grown = false;
    status = group(w, err);
    /* an end before the start of watching is not reported */
    w->ended = status == CS_OK && cs_watched_all_ended(w);
    if (status == CS_OK && w->n_arms == 0)
        status = refuse_empty(w, folder, err);
    return status;
}

/* Sets a pause after work that started at `from`, so that files that change
 * constantly are not read all the time. */
static void have_rest(cs_watched *w, double from, double share)
{
    double now = cs_clock();
    w->tried = now;
    w->rest = now + fmax(least_rest, share * (now - from));
}

cs_status cs_watched_open(cs_watched **out, const char *folder, cs_error *err)
{
    *out = NULL;
    cs_watched *w = cs_alloc(1, sizeof *w);
    if (!w)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the watched folder %s", folder);
    double from = cs_clock();
    w->fd = -1;
    w->gathered = cs_gather_is(folder);
    cs_status status = fill_in(w, folder, err);
    have_rest(w, from, 1);
    w->news = w->checked = w->tried;
    if (status)
        cs_watched_close(w);
    else
        *out = w;
    return status;
}

void cs_watched_close(cs_watched *w)
{
    if (!w)
        return;
    free_arms(w);
    for (size_t i = 0; i < w->n; i++)
        cs_tail_close(w->file[i].tail);
    for (size_t i = 0; i < w->n_folders; i++)
        cs_free(w->folders[i]);
    CS_FREE_ALL(w->file, w->folders, w->folder);
    if (w->fd >= 0)
        close(w->fd);
    cs_free(w);
}

const cs_watched_arm *cs_watched_arms(const cs_watched *w, size_t *n)
{
    *n = w->n_arms;
    return w->arm;
}

const char *cs_watched_model(const cs_watched *w)
{
    return cs_tail_now(w->arm[0].chain[0]).model;
}

uint64_t cs_watched_seed(const cs_watched *w)
{
    return cs_tail_now(w->arm[0].chain[0]).seed;
}

/* ---- looking ---- */

int cs_watched_fd(const cs_watched *w)
{
    return cs_clock() < w->rest ? -1 : w->fd;
}

double cs_watched_wait(const cs_watched *w)
{
    double now = cs_clock(), left = w->news + CS_WATCHED_SILENCE - now;
    if (now < w->rest)
        return w->rest - now;
    if (w->remote || w->sought || cs_watched_all_ended(w))
        return now_and_then;
    return fmin(fmax(left, 0.01), now_and_then);
}

/* Returns how the folder has changed, or "" if it is the same folder. */
static const char *replaced_by(const cs_watched *w)
{
    struct stat about;
    if (stat(w->folder, &about) != 0)
        return "is gone";
    if (!S_ISDIR(about.st_mode))
        return "is no longer a folder";
    return about.st_dev == w->device && about.st_ino == w->number
               ? ""
               : "was replaced by another folder and is read again";
}

/* Returns true if it is time to check for changes that no notification
 * reports. */
static bool is_time(cs_watched *w)
{
    double now = cs_clock();
    if (now - w->checked < now_and_then)
        return false;
    w->checked = now;
    return true;
}

/* Returns true if a notification arrived for any folder. */
static bool is_reported(cs_watched *w)
{
    /* number of reads, limited since events may arrive faster than they are
     * read */
    enum { AT_ONCE = 64 };
    char events[8192];
    bool reported = false;
    for (int i = 0; i < AT_ONCE && w->fd >= 0; i++) {
        if (read(w->fd, events, sizeof events) <= 0)
            break;
        reported = true;
    }
    return (is_time(w) && (w->remote || *replaced_by(w))) || reported;
}

static const char *end_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void say_other(cs_watched *w, const char *path, const char *what)
{
    if (!*w->other)
        snprintf(w->other, sizeof w->other, "%.200s %s", end_of(path), what);
}

/* Finds chains for which reopening the folder would make a difference. These
 * are chains that are left out now and would be shown, and chains that are
 * shown now and would be left out. */
static void compare(cs_watched *w)
{
    for (size_t i = 0; i < w->n && !*w->other; i++) {
        const cs_tail *t = w->file[i].tail;
        cs_tail_view v = cs_tail_now(t);
        if (!cs_watched_is_chain(&v))
            continue;
        bool shown = w->file[i].shown;
        bool far = is_far_behind(&v, cs_watched_longest(w, v.arm));
        if (shown && far)
            say_other(
                w, v.path,
                "has far fewer draws than the other chains and is left out");
        else if (!shown && !far)
            say_other(w, v.path, "has appeared and is shown");
    }
}

/* Drops a file that is not displayed and that was removed or overwritten. If
 * the file still exists, the next search finds it, and it is read from the
 * start. */
static void drop_file(cs_watched *w, size_t i)
{
    cs_tail_close(w->file[i].tail);
    memmove(w->file + i, w->file + i + 1, (w->n - i - 1) * sizeof *w->file);
    w->n--;
}

/* Reads new content of a file. Returns false if the file must be dropped. */
static bool look_at(cs_watched *w, size_t i, bool *news)
{
    const cs_watched_file *f = &w->file[i];
    cs_tail_news got = cs_tail_look(f->tail);
    cs_tail_view v = cs_tail_now(f->tail);
    if (f->shown && got == CS_TAIL_CUT)
        say_other(w, v.path,
                  "was truncated or replaced; all files are read again");
    if (f->shown && got == CS_TAIL_GONE)
        say_other(w, v.path, v.unreadable);
    *news |= got == CS_TAIL_GREW || *w->other;
    return f->shown || !(got == CS_TAIL_CUT || v.gone);
}

/* Reads new content of all files. */
static bool look(cs_watched *w)
{
    bool news = false;
    const char *other = replaced_by(w);
    if (*other) {
        say_other(w, w->folder, other);
        return true;
    }
    for (size_t i = w->n; i-- > 0;)
        if (!look_at(w, i, &news))
            drop_file(w, i);
    size_t known = w->n;
    find(w, w->folder, 1, NULL);
    for (size_t i = known; i < w->n; i++)
        look_at(w, i, &news);
    news |= w->grown;
    w->grown = false;
    return news;
}

bool cs_watched_look(cs_watched *w)
{
    double from = cs_clock();
    if (from < w->rest || *w->other || !is_reported(w))
        return *w->other;
    bool news = look(w);
    have_rest(w, from, rest_share);
    if (!news)
        return false;
    for (size_t i = 0; i < w->n_arms; i++)
        measure(&w->arm[i]);
    compare(w);
    w->news = w->tried;
    w->sought = w->died = false;
    w->ended &= cs_watched_all_ended(w);
    return true;
}

bool cs_watched_stirs(cs_watched *w)
{
    double now = cs_clock();
    w->sought = true; /* prevents further checks of the writers */
    if (now < w->rest || !(is_reported(w) || now - w->tried >= now_and_then))
        return false;
    w->tried = now;
    w->rest = now + least_rest;
    return true;
}

void cs_watched_failed(cs_watched *w)
{
    have_rest(w, w->tried, 1);
}

const char *cs_watched_is_other(const cs_watched *w)
{
    return *w->other ? w->other : NULL;
}
