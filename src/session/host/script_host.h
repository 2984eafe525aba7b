/* The session's interface to the script language: a table that script/ fills
 * and cli/ passes to the session, so that the session does not depend on Lua.
 * All functions run on the session's thread, except `interrupt`. */
#pragma once

#include "data/inputs.h"
#include "run/arms/spec.h"
#include "run/arms/world.h"

enum { CS_OPENED_PANELS = 16, CS_OPENED_PANEL = 192, CS_OPENED_OWN = 8 };

/* The exit code of a session that was ended because a call of C code in the
 * script host took far longer than its time limit. */
enum { CS_HOST_OVERTIME = 75 };

/* An open scenario. Strings are UTF-8 as the author wrote them: remove control
 * characters (base/text.h) before printing them to a terminal. */
typedef struct cs_opened {
    cs_run *run; /* [own] the receiver destroys it: cs_run_destroy */
    char title[128], shows[256], source[128], file[512];
    /* The panels in order. Each is a name, optionally followed by the quantity
     * and the arm that the panel displays first: "trace=x.1@small". */
    char panel[CS_OPENED_PANELS][CS_OPENED_PANEL];
    size_t n_panels;
    double speed;     /* initial steps per second on the screen; 0: no limit */
    size_t arm;       /* index of the arm that is selected first */
    bool save_warmup; /* true: files of draws also contain the warm-up */
    /* source of the draws if they are read from files that another process
     * writes (session/record/watched_run.h), otherwise NULL [own] with the
     * run */
    struct cs_watch *watch;
    /* the watched files have changed and cannot be opened for now */
    bool lost;
    /* inputs from which the run was opened [own] with the run; not used by
     * hosts */
    cs_inputs *inputs;
    /* source text of the scenario, or NULL [own] with the run; not used by
     * hosts */
    char *scenario;
} cs_opened;

/* Prefix of the names under which a scenario's panels are requested. While a
 * panel is displayed, "panel/NAME" is requested. */
#define CS_HOST_PANEL "panel/"
typedef bool cs_host_wanted(const void *of, const char *word);

typedef void cs_host_print(void *to, const char *text, size_t n);

enum { CS_GALLERY_CLAIMS = 1, CS_GALLERY_RECENT = 2 };

typedef struct cs_host {
    void *self;
    const cs_world *ranks; /* ranks that share the run, or NULL [borrowed] */
    /* Loads the scenario `path` and creates its run. The settings set[n_set]
     * have the form "arm.param=value". */
    cs_status (*open)(void *self, const char *path, const char *const *set,
                      size_t n_set, cs_opened *out, cs_error *err);
    /* OPTIONAL. Records in `in` [borrowed until replaced] the files that
     * scripts read. If `in` holds the inputs of a recording, scripts read these
     * inputs instead of files. */
    void (*inputs)(void *self, cs_inputs *in);
    /* Sets the run to which the name `run` refers in the console (NULL: none).
     * This is the run that was opened last. If the new run was dropped, it is
     * the previous run. */
    void (*attach)(void *self, cs_run *run);
    /* OPTIONAL. on: keeps the objects of this open run while other runs are
     * attached, so that it can be attached again. off: closes the objects of
     * such a run, which the session is about to destroy. */
    void (*park)(void *self, cs_run *run, bool on);
    /* OPTIONAL. Returns the run that the console opened last (cs.open, cs.load),
     * or NULL. The run lives until Lua runs again. */
    cs_run *(*latest)(void *self);
    /* Runs a piece of Lua. Passes the output and the values of the piece to
     * `print` while the piece runs. Returns CS_INPUT if the piece is incomplete
     * (a bracket or an `end` is missing). */
    cs_status (*eval)(void *self, const char *code, cs_host_print *print,
                      void *to, cs_error *err);
    /* Writes completions of the last word of `line` as strings under the keys
     * "0", "1" ... */
    void (*complete)(void *self, const char *line, cs_flat *out);
    /* Lists up to `count` scenarios of the gallery, starting with number
     * `from`. Writes strings "i/file", "i/title", "i/shows", "i/source",
     * "i/tags", "i/folder", "i/names" and "i/lesson", "i/error" for scenario i,
     * and the total number of scenarios under "files". CS_GALLERY_CLAIMS: runs
     * all of these scenarios, and writes "i/papers", the number of claims of
     * scenario i that come from a paper. CS_GALLERY_RECENT: includes the
     * recently opened files, the newest first, and the user's own scenarios
     * (cs_folder_data). */
    cs_status (*gallery)(void *self, size_t from, size_t count, unsigned how,
                         cs_flat *out, cs_error *err);
    /* Runs the events that the script requested (run:every, run:at) and that
     * are due. Called after each quantum of steps. Passes the scripts' output
     * since the last call to `print`. Returns the number of steps until the
     * next event; UINT64_MAX if there is none. */
    uint64_t (*events)(void *self, cs_run *run, cs_host_print *print, void *to,
                       cs_error *err);
    /* OPTIONAL. Evaluates the claims of the attached run's scenario and writes
     * the results in the format of run/summary/summary.h; the table is empty if
     * there are no claims. If `again` is true, evaluates instead the claims
     * that `results` ("keep") has stored since the last call in which `again`
     * was false. */
    cs_status (*claims)(void *self, bool again, cs_flat *out, cs_error *err);
    /* OPTIONAL. Prints results of the attached run as lines, for a front that
     * collects many runs: "claims", "figures" or "ranks". "keep", followed by
     * the lines of another run's claims, stores these claims. */
    cs_status (*results)(void *self, const char *what, cs_host_print *print,
                         void *to, cs_error *err);
    /* OPTIONAL. Obeys the command `exercise`, word[0], with n more words, and
     * prints its answer. Needs no open run. */
    cs_status (*exercise)(void *self, char **word, size_t n,
                          cs_host_print *print, void *to, cs_error *err);
    /* OPTIONAL. Writes the data of the panels that the scenario defines
     * ("own/..." in the snapshot): the constant data of all of these panels,
     * and the data of the requested panels. Each call of a panel's function has
     * a time limit; an error message replaces the panel's data. Slow panels are
     * called in turn, one per call of this function, and the other panels keep
     * their last data. Returns true when every panel has been called since the
     * last call that returned true. */
    bool (*panels)(void *self, cs_host_wanted *wanted, const void *of,
                   cs_flat *out);
    /* OPTIONAL. Adds a point to the panels' curves at the current step, if a
     * point is due and the curves have fewer than `capacity` points. Removes
     * points after the current step. Returns the step of the next point;
     * UINT64_MAX if there are no curves. */
    uint64_t (*sample)(void *self, size_t capacity);
    /* OPTIONAL. Passes a key press to a panel that handles the key. */
    cs_status (*key)(void *self, const char *panel, const char *key,
                     cs_error *err);
    /* Drops errors of callbacks that were called outside a step. For example, a
     * probe evaluated the density at another point, or a schedule was evaluated
     * for later steps. Such errors are not faults of the run. */
    void (*forget)(void *self);
    /* OPTIONAL. Removes the error message of the last failed callback and
     * copies it to text[size]. Returns false if no callback has failed. */
    bool (*fault)(void *self, char *text, size_t size);
    /* OPTIONAL. Resets the time limit of callbacks. Call it before a command
     * moves the run. */
    void (*afresh)(void *self);
    /* Reports that the attached run was moved to another step. Events up to
     * step `fired` have happened; later events have not. If `loaded` is true,
     * the earlier events are unknown, and do not happen again. */
    void (*placed)(void *self, double fired, bool loaded);
    /* Makes running Lua raise an error soon. May be called from any thread and
     * from signal handlers. */
    void (*interrupt)(void *self);
} cs_host;
