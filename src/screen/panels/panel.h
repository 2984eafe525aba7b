/* A panel: one thing to look at. A type is a const table in a file of its
 * own, registered by one line in panels.def. */
#pragma once

#include "figure/look.h"
#include "screen/canvas/log.h"
#include "screen/canvas/plot.h"

/* What the user has chosen to look at. */
typedef struct cs_selection {
    size_t arm, chain, coordinate;
    bool every_arm;    /* all arms side by side, not only the chosen one */
    size_t hill;       /* from 1: that which is chosen while a landscape is
                          built; 0: none is built */
    cs_unit unit;      /* of work, the same in all panels */
    size_t first;      /* arm that stands first in this panel */
    const char *panel; /* its name */
    const char *of;    /* what the panel was told to show, "": nothing */
    unsigned option;   /* what the panel shows; it counts modulo */
    unsigned variant;  /* how the panel shows it; it counts modulo */
    size_t scroll;     /* lines that are scrolled away; panels clamp it */
    cs_window window;  /* of its horizontal axis */
    const cs_log *log;
    const double *from; /* [n_from] where the chain that is looked at was before
                           its last step, NULL: not known */
    size_t n_from;
    const struct cs_replicas *replicas,
        *sweep; /* of the open run (race.h), NULL: none */
    const struct cs_calibrated *calibrated; /* likewise (calibrations.h) */
    const struct cs_typed_set *typed; /* that the line which is typed would set
                                         (typed_set.h), NULL: nothing */
} cs_selection;

typedef struct cs_panel_type {
    const char *name, *title, *help; /* the title begins with the name */
    const char *options;             /* what o and v choose; NULL: nothing */
    int width, height; /* the least inside that is worth drawing */
    double weight;     /* of its share of a row */
    double tall;       /* of its row's share of the height; 0: 1 */
    bool log_values;   /* its values may stand on a logarithmic axis */
    /* REQUIRED. Draws all of `inside`. */
    void (*draw)(const cs_area *inside, const cs_shot *shot,
                 const cs_selection *at);
    /* OPTIONAL: how many chains of an arm it has room to show as pictures: the
     * session is asked to send so many. */
    size_t (*pictures)(const cs_area *inside, const cs_shot *shot,
                       const cs_selection *at);
    /* OPTIONAL: what it shows of single quantities, as words of the command
     * `reports` ("ranks=x.3"), into out[size]: the session is asked for it. */
    void (*ask)(const cs_shot *shot, const cs_selection *at, char *out,
                size_t size);
    /* OPTIONAL: a figure for the title, into out[size]; in several forms, a line
     * each, the longest first, of which that is shown for which there is room. */
    void (*caption)(const cs_shot *shot, const cs_selection *at, char *out,
                    size_t size);
} cs_panel_type;

const cs_panel_type *cs_panel_find(const char *name);

/* The probes whose reports it reads, separated by blanks, "": none. Only what
 * an open panel reads is in the snapshot. */
const char *cs_panel_probes(const cs_panel_type *type);

struct cs_own_list;

/* A panel as a word: its name, what it shows, the arm that stands first, as
 * in "trace=x.1@small"; behind a colon its share of its row's width and of the
 * height, beside the others': "map:60x20". */
typedef struct cs_panel_word {
    const cs_panel_type *type; /* NULL: there is none of that name */
    char of[128], arm[48];
    double wide, tall; /* 0: as is usual */
} cs_panel_word;

/* `own`: panels of the scenario's own, NULL: built-in ones alone. */
cs_panel_word cs_panel_read(const struct cs_own_list *own, const char *text);

/* What figures are asked for by it. */
cs_figure_look cs_panel_look(const cs_selection *at);
/* Which of `names`, separated by blanks, is to be shown: the one that the
 * panel was told (the first unless it is there), then those after it. */
size_t cs_panel_choice(const cs_selection *at, const char *names, size_t n);
const cs_panel_type *cs_panel_at(size_t i);

/* What the option `key` ('o' or 'v') of a panel chooses, part number n modulo
 * how many there are: into out[size], "" where the panel has no such option.
 * Returns how many. */
unsigned cs_panel_option(const cs_panel_type *type, char key, unsigned n,
                         char *out, size_t size);

/* Says why a panel is empty: `what` is missing, `mend` what to do. */
void cs_panel_empty(const cs_area *a, const cs_shot *s, const char *what,
                    const char *hint);
/* The same of what needs log p, where the kernel of an arm has none and the
 * probe did not ask for it; false, and nothing is drawn, elsewhere. */
bool cs_panel_lacks_logp(const cs_area *a, const cs_shot *s, size_t arm,
                         const char *probe);
/* As cs_panel_empty, of what is made in the background: whether or not the run has
 * begun. */
void cs_panel_idle(const cs_area *a, const cs_shot *s, const char *what,
                   const char *hint);
/* "energy = -log p (nats)", or that of an estimate. */
const char *cs_panel_energy_name(const cs_shot *s, size_t arm,
                                 const char *probe);
/* The seconds since the diagnostics of an arm were made, 0: they are of this
 * step. Past the last arm: of the oldest. */
double cs_panel_age(const cs_shot *s, size_t arm);
/* Draws the text of a lesson (io/lesson.h), `scroll` lines down.
 * (panel_lesson.c) */
void cs_draw_lesson(const cs_area *a, const char *text, size_t scroll);
/* The least size of a tile, and its best shape: columns to lines. */
typedef struct cs_tile {
    int width, height;
    double shape;
} cs_tile;
/* Cuts an area into n tiles, or as many as fit, so that pictures of the best
 * shape are as large as can be: out[n]. Returns how many. */
size_t cs_panel_tiles(const cs_area *a, size_t n, cs_tile tile, cs_area *out);
/* Cuts an area into tiles, one for each arm (as many as fit, the chosen one
 * among them) or for the chosen arm alone; names them and calls `draw` for
 * each. */
void cs_panel_arms(const cs_area *a, const cs_shot *s, const cs_selection *at,
                   cs_tile tile,
                   void (*draw)(const cs_area *, const cs_shot *,
                                const cs_selection *, size_t arm));
/* The same; where there is room for one tile more, the last one is drawn by
 * `beside`: what all arms share. */
void cs_panel_arms_beside(const cs_area *a, const cs_shot *s,
                          const cs_selection *at, cs_tile tile,
                          void (*draw)(const cs_area *, const cs_shot *,
                                       const cs_selection *, size_t arm),
                          void (*beside)(const cs_area *, const cs_shot *,
                                         const cs_selection *, size_t arm));
/* The same of the arms for which `has` is true; of the chosen arm where there
 * is none. */
void cs_panel_arms_with(const cs_area *a, const cs_shot *s,
                        const cs_selection *at, cs_tile tile,
                        bool (*has)(const cs_shot *shot, size_t arm),
                        void (*draw)(const cs_area *, const cs_shot *,
                                     const cs_selection *, size_t arm));
/* "1,588 divergent, 3 not finite" of an arm's steps into out[size]; false, and
 * empty, when there are none. */
bool cs_panel_trouble(const cs_shot *s, size_t arm, char *out, size_t size);
/* The first of n lines to show in `room` of them. */
size_t cs_panel_top(const cs_selection *at, size_t n, size_t room);
/* "1o 2# 3^ ..." in the colours of the chains, from x, as many as fit and how
 * many more there are; returns the x after. */
int cs_panel_legend_width(size_t chains);
int cs_panel_legend(const cs_area *a, int x, int y, size_t chains);
