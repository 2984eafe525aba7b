/* Reports the events of a watched folder. */
#include "io/watched_folder.h"

#include "base/clock.h"
#include "files/lock.h"
#include "io/formats/gather_files.h"

#include <stdio.h>
#include <string.h>

/* Returns the name of a file for messages: without the folder if the user does
 * not know the folder. */
static const char *name_of(const cs_watched *w, const char *path)
{
    return w->gathered ? cs_gather_name(path) : path;
}

static bool tell_wrong(cs_watched *w, char *text, size_t size)
{
    for (size_t i = 0; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        bool refused = v.columns == 0 && *v.model; /* true if the header shows
                                                    * that the file has no
                                                    * draws */
        if (!v.wrong || w->file[i].reported ||
            !(refused || cs_watched_is_chain(&v)))
            continue;
        w->file[i].reported = true;
        snprintf(text, size, "%.300s: %s; %s", name_of(w, v.path), v.wrong,
                 refused ? "it is left out" : "nothing after it is shown");
        return true;
    }
    return false;
}

/* Reports a file that may contain draws but cannot be read. A table without
 * draws is not reported. */
static bool tell_unreadable(cs_watched *w, char *text, size_t size)
{
    for (size_t i = 0; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        if (!v.unreadable || v.gone || w->file[i].reported || w->file[i].shown)
            continue;
        w->file[i].reported = true;
        snprintf(text, size, "%.300s %s: it is left out", name_of(w, v.path),
                 v.unreadable);
        return true;
    }
    return false;
}

static bool tell_many(cs_watched *w, char *text, size_t size)
{
    if (!w->many || w->many_reported)
        return false;
    w->many_reported = true;
    snprintf(text, size,
             "%.300s has more than %d CSV files; the others are left "
             "out",
             w->folder, CS_WATCHED_FILES);
    return true;
}

static bool tell_behind(cs_watched *w, char *text, size_t size)
{
    for (size_t i = 0; i < w->n; i++) {
        cs_tail_view v = cs_tail_now(w->file[i].tail);
        if (!cs_watched_is_chain(&v) || w->file[i].reported || w->file[i].shown)
            continue;
        w->file[i].reported = true;
        snprintf(text, size,
                 "%.300s is left out%s: it has %llu draws, others have %llu",
                 name_of(w, v.path),
                 v.complete ? "" : " until it has caught up",
                 (unsigned long long)v.rows,
                 (unsigned long long)cs_watched_longest(w, v.arm));
        return true;
    }
    return false;
}

const char *cs_watched_short(const cs_watched *w, size_t arm, uint64_t *draws,
                             uint64_t *longest)
{
    const cs_watched_arm *a = &w->arm[arm];
    *draws = a->ready;
    *longest = cs_watched_longest(w, a->name);
    for (size_t c = 0; c < a->chains; c++) {
        cs_tail_view v = cs_tail_now(a->chain[c]);
        if (v.rows == a->ready && !cs_watched_is_whole(&v) && v.rows < *longest)
            return name_of(w, v.path);
    }
    return NULL;
}

/* Returns the first folder that has incomplete draws but no writer. */
static const char *abandoned(const cs_watched *w)
{
    for (size_t i = 0; i < w->n_folders; i++) {
        size_t n = strlen(w->folders[i]);
        bool open = false;
        for (size_t f = 0; f < w->n; f++) {
            cs_tail_view v = cs_tail_now(w->file[f].tail);
            open |= cs_watched_is_chain(&v) && !v.ended && !v.wrong &&
                    strncmp(v.path, w->folders[i], n) == 0 &&
                    v.path[n] == '/' && !strchr(v.path + n + 1, '/');
        }
        if (open && cs_lock_is_left(w->folders[i]))
            return w->folders[i];
    }
    return NULL;
}

static bool tell_dead(cs_watched *w, char *text, size_t size)
{
    if (w->sought || cs_clock() - w->news < CS_WATCHED_SILENCE)
        return false;
    w->sought = true;
    const char *folder = w->died ? NULL : abandoned(w);
    if (!folder)
        return false;
    w->died = true;
    snprintf(text, size,
             "the writer of %.300s has died; continue its run with chainscope "
             "run ... --resume",
             folder);
    return true;
}

bool cs_watched_tell(cs_watched *w, char *text, size_t size)
{
    if (tell_wrong(w, text, size) || tell_unreadable(w, text, size) ||
        tell_many(w, text, size) || tell_behind(w, text, size) ||
        tell_dead(w, text, size))
        return true;
    if (w->ended || !cs_watched_all_ended(w))
        return false;
    w->ended = true;
    snprintf(text, size, "the watched run has ended");
    return true;
}
