/* A panel: one view of the run. Each panel type is a const table in its own
 * file, registered by one line in panels.def. */
#pragma once

#include "race/look.h"
#include "screen/canvas/bars.h"
#include "screen/canvas/log.h"

enum { CS_NO_PIN = 1 << 20 };

/* The user's choices. */
typedef struct cs_selection {
    size_t arm, chain, coordinate;
    bool every_arm; /* show all arms side by side, not only the chosen arm */
    /* arm that is shown beside the chosen arm; CS_NO_PIN: none */
    size_t pinned;
    /* hill chosen in the landscape editor, from 1; 0: the editor is not
     * active */
    size_t hill;
    cs_unit unit; /* unit of work in all panels */
    bool focused; /* the panel has the focus */
    bool big;     /* text for a projector is in large letters */
    /* the panel has the whole screen: it also shows details that would be too
     * many words beside other panels */
    bool detail;
    size_t first;      /* first arm that this panel shows */
    const char *panel; /* name of the panel */
    const char *of;    /* quantity for which the panel was opened; "": none */
    /* number of the chosen content; each panel takes it modulo its number of
     * contents */
    unsigned option;
    /* number of the chosen presentation; each panel takes it modulo its number
     * of presentations */
    unsigned variant;
    size_t scroll;    /* number of lines scrolled; each panel limits it */
    cs_window window; /* window of the horizontal axis */
    const cs_log *log;
    /* [n_from] state of the displayed chain before its last step; NULL: not
     * known */
    const double *from;
    size_t n_from;
    /* columns and lines of the smallest tile drawn beside this one, so that all
     * can have the same grid; 0: this tile is the only one */
    int tile[2];
    const struct cs_replicas *replicas,
        *sweep; /* sweep of the open run (race.h); NULL: none */
    /* ranks of a calibration of the open run (calibrated.h); NULL: none */
    const struct cs_calibrated *calibrated;
    /* effect of the line being typed (typed_set.h); NULL: none */
    const struct cs_typed_set *typed;
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
    /* choices of the keys o and v; NULL: none */
    const char *options;
    bool log_values; /* the axis of values may be logarithmic */
    bool text;       /* mostly text: never the large panel */
    bool no_arm;     /* shows no single arm: its title names none */
    /* `draw` draws all of `inside`; `draw_arm` draws a tile for each arm for
     * which `has` is true (NULL: every arm). One of the two is REQUIRED. */
    void (*draw)(const cs_area *inside, const cs_shot *shot,
                 const cs_selection *at);
    cs_draw_arm *draw_arm;
    bool (*has)(const cs_shot *shot, size_t arm);
    cs_tile tile;
    /* OPTIONAL: returns how many of an arm's chains the panel can show as
     * pictures. This number of pictures is requested from the session. */
    size_t (*pictures)(const cs_area *inside, const cs_shot *shot,
                       const cs_selection *at);
    /* OPTIONAL: writes to out[size] the single quantities that the panel
     * shows, as words of the command `reports` ("ranks=x.3"). The reports
     * are then requested from the session. */
    void (*ask)(const cs_shot *shot, const cs_selection *at, char *out,
                size_t size);
    /* OPTIONAL: writes a value for the title to out[size] in several forms, one
     * per line, the longest first. The first form that fits is shown. */
    void (*caption)(const cs_shot *shot, const cs_selection *at, char *out,
                    size_t size);
    /* OPTIONAL: returns the name of the contents, if they are not those that
     * the chosen view promises (an exact result may be unknown, or may not
     * fit); otherwise NULL. */
    const char *(*drawn)(const cs_area *inside, const cs_shot *shot,
                         const cs_selection *at);
} cs_panel_type;

const cs_panel_type *cs_panel_find(const char *name);

void cs_panel_draw(const cs_panel_type *type, const cs_area *inside,
                   const cs_shot *shot, const cs_selection *at);

/* Returns the probes whose reports the panel reads, separated by blanks; "" if
 * none. The snapshot holds only reports that open panels read. */
const char *cs_panel_probes(const cs_panel_type *type);

struct cs_own_list;

/* A panel as a word: its name, its quantity and the arm shown first, as in
 * "trace=x.1@small". "map:60x20" also sets the width and the height of the
 * panel in cells (state/layout.h). */
typedef struct cs_panel_word {
    const cs_panel_type *type; /* NULL: no panel has that name */
    char of[128], arm[48];
    double wide, tall; /* columns and lines; 0: default */
} cs_panel_word;

/* Parses a panel's word. `own`: panels of the scenario; NULL: built-in panels
 * only. */
cs_panel_word cs_panel_read(const struct cs_own_list *own, const char *text);

/* Returns true if the panel shows this arm: all arms, or the chosen and the
 * pinned arm. The tiles of these arms have the same scales. */
bool cs_panel_shows(const cs_selection *at, size_t arm);
/* Returns the user's choices that affect computed figures. */
cs_figure_look cs_panel_look(const cs_selection *at);
/* Returns the index of a name in `names`, a list separated by blanks: the name
 * n places after the quantity for which the panel was opened or, if the list
 * lacks this quantity, n places after the first name. */
size_t cs_panel_choice(const cs_selection *at, const char *names, size_t n);
const cs_panel_type *cs_panel_at(size_t i);

/* Writes to out[size] the meaning of choice n, modulo the number of choices,
 * of a panel's option `key` ('o' or 'v'); "" if the panel has no such
 * option. Returns the number of choices. */
unsigned cs_panel_option(const cs_panel_type *type, char key, unsigned n,
                         char *out, size_t size);

/* Explains why a panel is empty: `what` is missing; `hint` gives a remedy. */
void cs_panel_empty(const cs_area *a, const cs_shot *s, const char *what,
                    const char *hint);
/* Returns true if log p is missing because the kernel of an arm does not
 * compute it and the probe did not request it. In this case it also draws an
 * explanation. Otherwise draws nothing. */
bool cs_panel_lacks_logp(const cs_area *a, const cs_shot *s, size_t arm,
                         const char *probe);
/* Explains, like cs_panel_empty, that results of background jobs are missing.
 * The text does not depend on whether the run has started. */
void cs_panel_idle(const cs_area *a, const cs_shot *s, const char *what,
                   const char *hint);
/* Returns "energy = -log p (nats)", or the name of an estimate. */
const char *cs_panel_energy_name(const cs_shot *s, size_t arm,
                                 const char *probe);
/* Returns the seconds since an arm's diagnostics were computed. If they
 * describe the current step, returns 0. If `arm` is past the last arm, returns
 * the greatest age of all arms. */
double cs_panel_age(const cs_shot *s, size_t arm);
/* Displays the text of a lesson (io/lesson.h) from line `scroll`
 * (panel_lesson.c). */
void cs_draw_lesson(const cs_area *a, const char *text, size_t scroll);
/* Cuts an area into at most n tiles, out[n], so that pictures of the best shape
 * are as large as possible. Returns the number of tiles. */
size_t cs_panel_tiles(const cs_area *a, size_t n, cs_tile tile, cs_area *out);
/* Cuts an area into tiles, one for each arm for which `has` is true (NULL:
 * every arm). If not all fit, some arms are left out, but never the chosen
 * arm. If `has` is true for no arm, or if the user has chosen to see one
 * arm, there is only the tile of the chosen arm. Writes the arms' names and
 * calls `draw` for each tile. If one more tile fits, `beside` (may be NULL)
 * draws in it the information common to all arms. */
void cs_panel_arms(const cs_area *a, const cs_shot *s, const cs_selection *at,
                   cs_tile tile, bool (*has)(const cs_shot *shot, size_t arm),
                   cs_draw_arm *draw, cs_draw_arm *beside);
/* Returns true if cs_panel_arms draws `beside` in an area. */
bool cs_panel_fits_beside(const cs_area *a, const cs_shot *s,
                          const cs_selection *at, cs_tile tile,
                          bool (*has)(const cs_shot *shot, size_t arm));
/* Writes the numbers of an arm's failed steps to out[size], as in "1,588
 * divergent, 3 not finite". Returns false and writes "" if no step failed. */
bool cs_panel_failures(const cs_shot *s, size_t arm, char *out, size_t size);
/* Returns the index of the first line to show, if n lines share a space of
 * `capacity` lines. */
size_t cs_panel_top(const cs_selection *at, size_t n, size_t capacity);
/* Returns how many of the n rows of a list are shown from line y on. If not all
 * rows fit, the last line gives the number of missing rows ("12 more"). */
size_t cs_panel_fit(const cs_area *a, int y, size_t n);
/* cs_panel_legend draws "1o 2# 3^ ..." from column x in the colours of the
 * chains, followed by the number of chains that do not fit. It returns the
 * column after the text. */
int cs_panel_legend_width(size_t chains);
int cs_panel_legend(const cs_area *a, int x, int y, size_t chains);
