/* A panel: one view of the run. A type is a const table in its own file,
 * registered by one line in panels.def. */
#pragma once

#include "race/look.h"
#include "screen/canvas/log.h"
#include "screen/canvas/plot.h"

/* The user's choices. */
typedef struct cs_selection {
    size_t arm, chain, coordinate;
    bool every_arm;    /* show all arms side by side, not only the chosen one */
    size_t hill;       /* chosen hill while a landscape is edited, from 1; 0:
                        * none is edited */
    cs_unit unit;      /* of work, the same in all panels */
    size_t first;      /* arm that this panel shows first */
    const char *panel; /* name of the panel */
    const char *of;    /* quantity that the panel was opened for; "": none */
    unsigned option;   /* which content; panels take it modulo */
    unsigned variant;  /* which presentation; panels take it modulo */
    size_t scroll;     /* lines scrolled; panels clamp it */
    cs_window window;  /* of the horizontal axis */
    const cs_log *log;
    const double *from; /* [n_from] state of the displayed chain before its last
                         * step; NULL: not known */
    size_t n_from;
    const struct cs_replicas *replicas,
        *sweep; /* of the open run (race.h); NULL: none */
    const struct cs_calibrated *calibrated; /* of the open run (calibrations.h);
                                             * NULL: none */
    const struct cs_typed_set *typed;       /* effect of the line being typed
                                             * (typed_set.h); NULL: none */
} cs_selection;

/* The smallest size of a tile, and its best ratio of columns to lines. */
typedef struct cs_tile {
    int width, height;
    double shape;
} cs_tile;

typedef void cs_draw_arm(const cs_area *tile, const cs_shot *shot,
                         const cs_selection *at, size_t arm);

typedef struct cs_panel_type {
    const char *name, *title, *help; /* the title begins with the name */
    const char *options;             /* what o and v choose; NULL: nothing */
    int width, height;               /* smallest useful size of the inside */
    double weight;                   /* of its share of a row's width */
    double tall;     /* of its row's share of the height; 0 means 1 */
    bool log_values; /* its values may have a logarithmic axis */
    /* `draw` draws all of `inside`; `draw_arm` draws a tile for each arm for
     * which `has` is true (NULL: every arm). One of the two is REQUIRED. */
    void (*draw)(const cs_area *inside, const cs_shot *shot,
                 const cs_selection *at);
    cs_draw_arm *draw_arm;
    bool (*has)(const cs_shot *shot, size_t arm);
    cs_tile tile;
    /* OPTIONAL: number of chains of an arm that it can show as pictures; the
     * session is asked to send that many. */
    size_t (*pictures)(const cs_area *inside, const cs_shot *shot,
                       const cs_selection *at);
    /* OPTIONAL: writes the single quantities that it shows, as words of the
     * command `reports` ("ranks=x.3"), to out[size]; they are requested from
     * the session. */
    void (*ask)(const cs_shot *shot, const cs_selection *at, char *out,
                size_t size);
    /* OPTIONAL: writes a figure for the title to out[size], in several forms,
     * one per line, the longest first; the first that fits is shown. */
    void (*caption)(const cs_shot *shot, const cs_selection *at, char *out,
                    size_t size);
} cs_panel_type;

const cs_panel_type *cs_panel_find(const char *name);

void cs_panel_draw(const cs_panel_type *type, const cs_area *inside,
                   const cs_shot *shot, const cs_selection *at);

/* Returns the probes whose reports the panel reads, separated by blanks; "":
 * none. The snapshot holds only what open panels read. */
const char *cs_panel_probes(const cs_panel_type *type);

struct cs_own_list;

/* A panel as a word: its name, its quantity and the arm shown first, as in
 * "trace=x.1@small". After a colon, its share of its row's width and of the
 * height, relative to the others: "map:60x20". */
typedef struct cs_panel_word {
    const cs_panel_type *type; /* NULL: no panel has that name */
    char of[128], arm[48];
    double wide, tall; /* 0: default */
} cs_panel_word;

/* `own`: panels of the scenario; NULL: built-in panels only. */
cs_panel_word cs_panel_read(const struct cs_own_list *own, const char *text);

/* Returns the choices that matter to figures. */
cs_figure_look cs_panel_look(const cs_selection *at);
/* Returns which of `names`, separated by blanks, to show: the n-th after the
 * quantity that the panel was opened for (or after the first if that is
 * absent). */
size_t cs_panel_choice(const cs_selection *at, const char *names, size_t n);
const cs_panel_type *cs_panel_at(size_t i);

/* Writes to out[size] what the option `key` ('o' or 'v') of a panel chooses,
 * for choice n modulo the number of choices; "" where the panel has no such
 * option. Returns the number of choices. */
unsigned cs_panel_option(const cs_panel_type *type, char key, unsigned n,
                         char *out, size_t size);

/* Says why a panel is empty: `what` is missing; `hint` says what to do. */
void cs_panel_empty(const cs_area *a, const cs_shot *s, const char *what,
                    const char *hint);
/* Says that the kernel of an arm computes no log p and the probe did not
 * request it. Returns false, and draws nothing, if log p is available. */
bool cs_panel_lacks_logp(const cs_area *a, const cs_shot *s, size_t arm,
                         const char *probe);
/* Like cs_panel_empty for results of background jobs, which do not depend on
 * whether the run has started. */
void cs_panel_idle(const cs_area *a, const cs_shot *s, const char *what,
                   const char *hint);
/* Returns "energy = -log p (nats)", or the name for an estimate. */
const char *cs_panel_energy_name(const cs_shot *s, size_t arm,
                                 const char *probe);
/* Returns the seconds since an arm's diagnostics were computed; 0 if they are
 * of the current step. Past the last arm: of the oldest. */
double cs_panel_age(const cs_shot *s, size_t arm);
/* Draws the text of a lesson (io/lesson.h) from line `scroll`.
 * (panel_lesson.c) */
void cs_draw_lesson(const cs_area *a, const char *text, size_t scroll);
/* Cuts an area into n tiles, or as many as fit, so that pictures of the best
 * shape are as large as possible: out[n]. Returns how many. */
size_t cs_panel_tiles(const cs_area *a, size_t n, cs_tile tile, cs_area *out);
/* Cuts an area into tiles, one for each arm for which `has` is true (NULL:
 * every arm), as many as fit and always including the chosen arm; only the
 * chosen arm if `has` is true for none or the user has chosen one. Writes the
 * arms' names and calls `draw` for each. If there is room for one more tile,
 * `beside` (may be NULL) draws what all arms share in it. */
void cs_panel_arms(const cs_area *a, const cs_shot *s, const cs_selection *at,
                   cs_tile tile, bool (*has)(const cs_shot *shot, size_t arm),
                   cs_draw_arm *draw, cs_draw_arm *beside);
/* Writes "1,588 divergent, 3 not finite" for an arm's steps to out[size];
 * returns false, and writes "", if there are none. */
bool cs_panel_failures(const cs_shot *s, size_t arm, char *out, size_t size);
/* Returns the first of n lines to show where `room` lines fit. */
size_t cs_panel_top(const cs_selection *at, size_t n, size_t room);
/* Draws "1o 2# 3^ ..." in the colours of the chains from x, as many as fit, and
 * how many more there are; returns the x after it. */
int cs_panel_legend_width(size_t chains);
int cs_panel_legend(const cs_area *a, int x, int y, size_t chains);
