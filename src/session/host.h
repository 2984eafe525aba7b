/* What the session asks of the script language, so that the session itself
 * knows no Lua: script/ fills this table, cli/ hands it over. All functions
 * run on the session's thread, except `interrupt`. */
#pragma once

#include "data/inputs.h"
#include "run/run.h"

enum { CS_OPENED_PANELS = 16, CS_OPENED_PANEL = 192, CS_OPENED_OWN = 8 };

/* The exit code of a session whose host ran on in C long past a limit. */
enum { CS_HOST_OVERTIME = 75 };

/* A scenario that was opened. Strings are UTF-8 as the author wrote them:
 * clean them (base/text.h) before they reach a terminal. */
typedef struct cs_opened {
    cs_run *run; /* [own] by the receiver: cs_run_destroy */
    char title[128], shows[256], source[128], file[512];
    /* In order, each a name, then what it shows and the arm it shows first,
     * where that was said: "trace=x.1@small". */
    char panel[CS_OPENED_PANELS][CS_OPENED_PANEL];
    size_t n_panels;
    double speed;     /* steps a second on the screen at first, 0: no limit */
    size_t arm;       /* that is looked at first */
    bool save_warmup; /* files of draws have the warm-ups too */
    struct cs_watch *watch; /* [own] with the run, where that is of files which
                               others write (session/watch.h); else NULL */
    bool lost; /* these have changed, and cannot be opened as they are now */
    cs_inputs *inputs; /* [own] with the run: what it was opened from; a host
                          leaves it alone */
} cs_opened;

/* Whether somebody looks at what is reported under that word: "panel/NAME" of a
 * scenario's own panel. */
#define CS_HOST_PANEL "panel/"
typedef bool cs_host_wanted(const void *of, const char *word);

typedef void cs_host_print(void *to, const char *text, size_t n);

enum { CS_GALLERY_CLAIMS = 1, CS_GALLERY_RECENT = 2 };

typedef struct cs_host {
    void *self;
    const cs_world *ranks; /* that move its run together, or NULL [borrowed] */
    /* Loads `path` and makes its run. `set` [n_set]: "arm.param=value". */
    cs_status (*open)(void *self, const char *path, const char *const *set,
                      size_t n_set, cs_opened *out, cs_error *err);
    /* OPTIONAL. From now on what scripts read is noted in `in` [borrowed, and held];
     * inputs of a recording are read instead of files. */
    void (*inputs)(void *self, cs_inputs *in);
    /* Says which run is open now (NULL: none), for `run` in the console: the one
     * that was opened last, or, where that is not taken, the one before it. */
    void (*attach)(void *self, cs_run *run);
    /* Runs a piece of Lua; what it prints and its values go to `print` while
     * it runs. CS_INPUT: it is not finished (a bracket or an end is missing).*/
    cs_status (*eval)(void *self, const char *code, cs_host_print *print,
                      void *to, cs_error *err);
    /* Completions of the last word of `line`: texts under keys "0", "1" ... */
    void (*complete)(void *self, const char *line, cs_flat *out);
    /* `count` scenarios of the gallery at most, from number `from` on: texts
     * "i/file", "i/title", "i/shows", "i/source", "i/tags", "i/folder",
     * "i/names", "i/error"; and the number "files" of all that there are. CS_GALLERY_CLAIMS: all are run, and numbers
     * "i/papers" are of claims with a paper; CS_GALLERY_RECENT: with the files
     * that were opened lately, the newest first of all, and the user's own
     * (cs_folder_data). */
    cs_status (*gallery)(void *self, size_t from, size_t count, unsigned how,
                         cs_flat *out, cs_error *err);
    /* After each quantum: events the script asked for (run:every, run:at).
     * What they print, and what was printed since the last time, goes to
     * `print`. Returns the steps until the next one, UINT64_MAX if none. */
    uint64_t (*events)(void *self, cs_run *run, cs_host_print *print, void *to,
                       cs_error *err);
    /* OPTIONAL. The claims of the attached run's scenario, judged now, as
     * run/summary.h takes them; nothing where there are none. `again`: of what
     * `results` was given to keep, since the last call without `again`. */
    cs_status (*claims)(void *self, bool again, cs_flat *out, cs_error *err);
    /* OPTIONAL. What is told of the attached run to who gathers many, as lines:
     * "claims", "figures" or "ranks" as it measured them; "keep" and the lines
     * of another run's claims takes these in. */
    cs_status (*results)(void *self, const char *what, cs_host_print *print,
                         void *to, cs_error *err);
    /* OPTIONAL. The own panels of the attached run's scenario, "own/..." of the
     * snapshot: what does not change, and what those that are wanted show now.
     * Each has a time limit; an error stands in its place. */
    void (*panels)(void *self, cs_host_wanted *wanted, const void *of,
                   cs_flat *out);
    /* OPTIONAL. Adds a point to their curves where the run stands, if one is due,
     * of `room` that there may be: so many as can be paid for; 0: none is added.
     * Forgets points beyond. Returns the step at which the next one is,
     * UINT64_MAX: there are no curves. */
    uint64_t (*sample)(void *self, size_t room);
    /* OPTIONAL. Tells one of them that a key which it takes was pressed. */
    cs_status (*key)(void *self, const char *panel, const char *key,
                     cs_error *err);
    /* Drops errors of callbacks that were called outside a step (a probe
     * evaluated the density elsewhere, a schedule was drawn ahead): they are
     * no faults of the run. */
    void (*forget)(void *self);
    /* OPTIONAL. Takes the error of the last callback that failed, in words,
     * into text[size]; false: none has failed. */
    bool (*fault)(void *self, char *text, size_t size);
    /* OPTIONAL. Before the run is moved by a command: resets the time limit
     * of callbacks. */
    void (*afresh)(void *self);
    /* The attached run was put at another step: events up to `fired` have
     * happened, later ones have not. `loaded`: what was before is not known, and
     * does not come again. */
    void (*placed)(void *self, double fired, bool loaded);
    /* Makes running Lua raise an error soon. Any thread, signal handlers. */
    void (*interrupt)(void *self);
} cs_host;
