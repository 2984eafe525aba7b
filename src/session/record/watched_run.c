#include "session/record/watched_run.h"

#include "base/memory.h"
#include "files/file.h"
#include "io/formats/gather_files.h"
#include "io/watched.h"
#include "run/draws/recall.h"
#include "session/record/read_run.h"
#include "warn/warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cs_watch {
    cs_watched *files; /* the folder of draws [own] */
    bool uneven_reported;
    char *notes;      /* how files of other programs were read, one note per
                        * line; NULL: no such files [own] */
    const char *note; /* the next note to report */
};

/* Reads the description of a temporary folder with draws of other programs: a
 * title, then notes. Returns the title, or NULL for another folder. */
static const char *read_source(cs_watch *w, const char *folder)
{
    enum { MOST = 1 << 20 };
    char path[CS_GATHER_PATH];
    unsigned char *text;
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, CS_GATHER_SOURCE);
    if (access(path, R_OK) != 0 ||
        cs_file_read(path, MOST, &text, &size, NULL) != CS_OK)
        return NULL;
    w->notes = (char *)text;
    char *end = strchr(w->notes, '\n');
    if (!end)
        return w->notes;
    *end = 0;
    w->note = end + 1;
    return w->notes;
}

static void describe(cs_opened *out, const char *folder, const char *source)
{
    static const char *const panels[] = {"trace", "marginal", "ranks",
                                         "summary"};
    if (source)
        snprintf(out->title, sizeof out->title, "%s", source);
    else
        snprintf(out->title, sizeof out->title, "watching %s", folder);
    snprintf(out->shows, sizeof out->shows,
             source ? "draws that were read from files; a step is a draw"
                    : "draws that another process writes; a step is a draw");
    snprintf(out->file, sizeof out->file, "%s", folder);
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++)
        snprintf(out->panel[out->n_panels++], CS_OPENED_PANEL, "%s", panels[i]);
    const char *lines = cs_run_data_lines(out->run);
    if (lines && strstr(lines, "# posterior_predictive ") &&
        strstr(lines, "# observed_data "))
        snprintf(out->panel[out->n_panels++], CS_OPENED_PANEL, "predictive");
}

cs_status cs_watch_open(cs_opened *out, const char *folder, bool once,
                        cs_error *err)
{
    memset(out, 0, sizeof *out);
    cs_watch *w = cs_alloc(1, sizeof *w);
    if (!w)
        return cs_fail(err, CS_MEMORY,
                       "out of memory for the watched folder %s", folder);
    cs_status status = cs_watched_open(&w->files, folder, err);
    if (status == CS_OK)
        status = cs_read_run_create(w->files, &out->run, err);
    if (status) {
        cs_watch_close(w);
        return status;
    }
    if (once)
        cs_run_read_once(out->run);
    cs_read_run_limit(w->files, out->run);
    out->watch = w;
    describe(out, folder, read_source(w, folder));
    return CS_OK;
}

void cs_watch_close(cs_watch *w)
{
    if (!w)
        return;
    cs_watched_close(w->files);
    cs_free(w->notes);
    cs_free(w);
}

int cs_watch_fd(const cs_watch *w)
{
    return w ? cs_watched_fd(w->files) : -1;
}

double cs_watch_wait(const cs_watch *w)
{
    return w ? cs_watched_wait(w->files) : HUGE_VAL;
}

const char *cs_watch_tend(cs_watch *w, cs_run *run)
{
    if (cs_watched_look(w->files))
        cs_read_run_limit(w->files, run);
    return cs_watched_is_other(w->files);
}

bool cs_watch_stirs(cs_watch *w)
{
    return cs_watched_stirs(w->files);
}

void cs_watch_failed(cs_watch *w)
{
    cs_watched_failed(w->files);
}

/* Reports chains of unequal length. Chains that are written in lockstep differ
 * by only a few draws, but another program may start or stop its chains one at
 * a time. This message, which names a file, is printed only once; the warning
 * about the arm remains as long as the lengths differ. */
static bool tell_uneven(cs_watch *w, char *text, size_t size)
{
    size_t n;
    const cs_watched_arm *arm = cs_watched_arms(w->files, &n);
    for (size_t i = 0; i < n && !w->uneven_reported; i++) {
        cs_warnings found = {0};
        cs_warn_facts f = {.ended = false};
        f.files.complete = cs_tail_now(*arm[i].chain).complete;
        const char *path =
            cs_watched_short(w->files, i, &f.steps, &f.files.longest);
        if (path)
            cs_warnings_find_kind(&found, "unequal", &f);
        const char *line = cs_warnings_text(&found, "unequal");
        w->uneven_reported = line != NULL;
        if (line)
            snprintf(text, size, "%.300s: %.*s", path, (int)strcspn(line, "\n"),
                     line);
        cs_warnings_free(&found);
    }
    return w->uneven_reported;
}

/* Reports the next note about files of other programs. */
static bool tell_note(cs_watch *w, char *text, size_t size)
{
    if (!w->note || !*w->note)
        return false;
    size_t n = strcspn(w->note, "\n");
    snprintf(text, size, "%.*s", (int)n, w->note);
    w->note += n + (w->note[n] == '\n');
    return true;
}

bool cs_watch_tell(cs_watch *w, char *text, size_t size)
{
    return tell_note(w, text, size) || cs_watched_tell(w->files, text, size) ||
           (!w->uneven_reported && tell_uneven(w, text, size));
}
