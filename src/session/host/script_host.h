/* The session's interface to the script language, so that the session itself
 * does not depend on Lua: script/ fills this table, cli/ passes it. All
 * functions run on the session's thread, except `interrupt`. */
#pragma once

#include "data/inputs.h"
#include "run/arms/spec.h"
#include "run/arms/world.h"

enum { CS_OPENED_PANELS = 16, CS_OPENED_PANEL = 192, CS_OPENED_OWN = 8 };

/* The exit code of a session whose host kept running in C long past a limit. */
enum { CS_HOST_OVERTIME = 75 };

/* An open scenario. Strings are UTF-8 as the author wrote them: clean them
 * (base/text.h) before they reach a terminal. */
typedef struct cs_opened {
    cs_run *run; /* [own] by the receiver: cs_run_destroy */
    char title[128], shows[256], source[128], file[512];
    /* In order: each a name, then optionally the quantity and the arm that it
     * shows first: "trace=x.1@small". */
    char panel[CS_OPENED_PANELS][CS_OPENED_PANEL];
    size_t n_panels;
    double speed;     /* initial steps per second on the screen, 0: no limit */
    size_t arm;       /* the initially selected arm */
    bool save_warmup; /* also write warm-up states to files of draws */
    struct cs_watch *watch; /* [own] with the run, if it is read from files that
                               others write (session/record/watched_run.h); else
                               NULL */
    bool lost; /* these files have changed and cannot be opened at present */
    cs_inputs *inputs; /* [own] with the run: inputs it was opened from; not
                          used by a host */
    char *scenario;    /* [own] with the run: its source text, or NULL;
                          likewise */
} cs_opened;

/* Prefix of the report of a scenario's own panel: "panel/NAME" is wanted if the
 * panel is displayed. */
#define CS_HOST_PANEL "panel/"
typedef bool cs_host_wanted(const void *of, const char *word);

typedef void cs_host_print(void *to, const char *text, size_t n);

enum { CS_GALLERY_CLAIMS = 1, CS_GALLERY_RECENT = 2 };

typedef struct cs_host {
    void *self;
    const cs_world *ranks; /* ranks of a shared run, or NULL [borrowed] */
    /* Loads `path` and creates its run. `set` [n_set]: "arm.param=value". */
    cs_status (*open)(void *self, const char *path, const char *const *set,
                      size_t n_set, cs_opened *out, cs_error *err);
    /* OPTIONAL. Records the scripts' input in `in` [borrowed until replaced];
     * the inputs of a recording are read instead of files. */
    void (*inputs)(void *self, cs_inputs *in);
    /* Sets the open run (NULL: none), for `run` in the console: the run opened
     * last, or the previous one if that was not taken. */
    void (*attach)(void *self, cs_run *run);
    /* Runs a piece of Lua; its output and its values go to `print` while it
     * runs. CS_INPUT: it is incomplete (a bracket or an `end` is missing). */
    cs_status (*eval)(void *self, const char *code, cs_host_print *print,
                      void *to, cs_error *err);
    /* Completions of the last word of `line`: texts under keys "0", "1" ... */
    void (*complete)(void *self, const char *line, cs_flat *out);
    /* Lists up to `count` scenarios of the gallery, from number `from` on:
     * texts "i/file", "i/title", "i/shows", "i/source", "i/tags", "i/folder",
     * "i/names", "i/error"; and the number "files" of all. CS_GALLERY_CLAIMS:
     * all are run, and the numbers "i/papers" count claims with a paper;
     * CS_GALLERY_RECENT: includes the recently opened files, the newest first,
     * and the user's own (cs_folder_data). */
    cs_status (*gallery)(void *self, size_t from, size_t count, unsigned how,
                         cs_flat *out, cs_error *err);
    /* Call after each quantum: runs the events that the script requested
     * (run:every, run:at). Their output, and the output since the last call,
     * goes to `print`. Returns the steps until the next event, UINT64_MAX if
     * none. */
    uint64_t (*events)(void *self, cs_run *run, cs_host_print *print, void *to,
                       cs_error *err);
    /* OPTIONAL. Evaluates the claims of the attached run's scenario, as
     * run/summary/summary.h takes them; empty without claims. `again`:
     * evaluates the claims passed to `results` to keep since the last call
     * without `again`. */
    cs_status (*claims)(void *self, bool again, cs_flat *out, cs_error *err);
    /* OPTIONAL. Results of the attached run for a front that collects many
     * runs, as lines: "claims", "figures" or "ranks" as it measured them;
     * "keep" and the lines of another run's claims stores these. */
    cs_status (*results)(void *self, const char *what, cs_host_print *print,
                         void *to, cs_error *err);
    /* OPTIONAL. The own panels of the attached run's scenario, "own/..." of the
     * snapshot: the constant part, and the current data of the wanted panels.
     * Each call has a time limit; an error replaces the panel's data. */
    void (*panels)(void *self, cs_host_wanted *wanted, const void *of,
                   cs_flat *out);
    /* OPTIONAL. Adds a point to the panels' curves at the current step if one
     * is due, of at most `room` points; 0: none is added. Removes points beyond
     * the current step. Returns the step of the next point, UINT64_MAX: there
     * are no curves. */
    uint64_t (*sample)(void *self, size_t room);
    /* OPTIONAL. Passes a key press to a panel that handles the key. */
    cs_status (*key)(void *self, const char *panel, const char *key,
                     cs_error *err);
    /* Drops errors of callbacks that were called outside a step (a probe
     * evaluated the density elsewhere, a schedule was evaluated ahead): they
     * are not faults of the run. */
    void (*forget)(void *self);
    /* OPTIONAL. Moves the error message of the last failed callback to
     * text[size]; false: none has failed. */
    bool (*fault)(void *self, char *text, size_t size);
    /* OPTIONAL. Call before a command moves the run: resets the time limit of
     * callbacks. */
    void (*afresh)(void *self);
    /* Reports that the attached run was moved to another step: events up to
     * `fired` have happened, later ones have not. `loaded`: earlier events are
     * unknown and are not repeated. */
    void (*placed)(void *self, double fired, bool loaded);
    /* Makes running Lua raise an error soon. Safe from any thread and from
     * signal handlers. */
    void (*interrupt)(void *self);
} cs_host;
