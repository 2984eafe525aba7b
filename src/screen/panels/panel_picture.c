/* States as pictures (spins, images, bits), one per chain if they fit; or the
 * chosen chain with its proposal and the kernel's auxiliary variable. */
#include "screen/canvas/field.h"
#include "screen/canvas/tiling.h"
#include "screen/panels/panel.h"

#include "session/client/snapshot.h"
#include "target/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAINS, CHOSEN, VARIANTS };
enum { STATES, MEANS, OPTIONS };

/* The chains of an arm in the snapshot. */
typedef struct shown {
    const unsigned char *states;  /* [k][n] */
    const double *tours;          /* [k][places], in visiting order */
    const cs_row_pictured *about; /* [k] facts about each picture */
    size_t k, first;
    const char *logp; /* "log p ", or the name of the kernel's substitute */
} shown;

static size_t whole(double v)
{
    return v >= 0 && v < 1e9 ? (size_t)v : 0;
}

static bool find_shown(const cs_shot *s, const cs_field *p, size_t arm,
                       shown *out)
{
    size_t r, c;
    out->about =
        CS_SHOT_ROWS(s, cs_row_pictured, &out->k, CS_KEY_PICTURED, arm);
    const char *text = cs_shot_text(s, "arm/%zu/picture/states", arm);
    out->states = (const unsigned char *)text;
    out->first = whole(cs_shot_number(s, 0, "arm/%zu/picture/first", arm));
    const char *kind = cs_shot_text(s, "arm/%zu/logp", arm);
    out->logp = strcmp(kind, "estimate") == 0 ? "est. " : "log p ";
    if (!out->about)
        return false;
    out->tours = cs_shot_array(s, &r, &c, "arm/%zu/picture/tours", arm);
    if (p->kind == CS_PICTURE_TOUR)
        return out->tours && r == out->k && c == p->n;
    return strlen(text) == out->k * p->n;
}

/* ---- pictures of chains -------------------------------------------------- */

/* Returns the state of displayed chain number i. */
static cs_picture_tile tile_of(const cs_field *p, const shown *v, size_t i)
{
    cs_picture_tile t = {.tour = NULL};
    if (p->kind == CS_PICTURE_TOUR)
        t.tour = v->tours + i * p->n;
    else
        t.pixels = cs_field_pixels(p, v->states + i * p->n);
    return t;
}

/* Returns the mean level. It is between 0 and 1; for bits treated as spins,
 * between -1 and 1. */
static double mean_of(const cs_pixels *p)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->level[i] >= 1 && p->level[i] <= p->most + 1) {
            sum += p->level[i] - 1;
            n++;
        }
    return sum / n / p->most;
}

/* Writes "3^ log p -412.8 m +0.21", shortened to fit. With `brief`, writes only
 * "3^". */
static void name_chain(cs_picture_tile *t, const cs_field *p, const shown *v,
                       size_t i, int w, bool brief)
{
    size_t chain = v->first + i;
    int used = snprintf(t->text, sizeof t->text, "%zu%c", chain + 1,
                        cs_theme_glyph(chain));
    const char *u = cs_num(v->about[i].logp).text;
    t->role = v->about[i].failed != 0 ? CS_ROLE_ERROR : cs_theme_chain(chain);
    if (brief)
        return;
    if (!isnan(v->about[i].logp) && used + 1 + (int)strlen(u) <= w)
        used += snprintf(t->text + used, sizeof t->text - (size_t)used, " %s%s",
                         used + 7 + (int)strlen(u) <= w ? v->logp : "", u);
    if (p->values == 2 && !t->tour && used + 8 <= w)
        snprintf(t->text + used, sizeof t->text - (size_t)used, " m %+.2f",
                 2 * mean_of(&t->pixels) - 1);
}

/* Draws the number of chains shown, unless all are shown. Returns the column
 * after the text. */
static int foot_of_chains(const cs_area *a, size_t n, size_t of, bool wide)
{
    if (n >= of)
        return 0;
    return cs_print(a, 0, a->h - 1, CS_ROLE_FAINT, "%zu of %zu%s  ", n, of,
                    wide ? " chains" : "");
}

/* Draws the legend of a graph or a tour. */
static void foot_of_places(const cs_area *a, const cs_field *p, size_t n,
                           size_t of, bool detail)
{
    bool wide = a->w >= 40;
    int x = foot_of_chains(a, n, of, wide), y = a->h - 1;
    unsigned code;
    if (!detail)
        return;
    if (p->kind == CS_PICTURE_TOUR) {
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, "%zu places%s", p->n,
                     wide ? " in the order 1 2 3" : "");
        return;
    }
    cs_pixels scale = cs_field_pixels(p, NULL);
    for (size_t i = 0; i < p->values && i < CS_CHAIN_ROLES; i++) {
        cs_role role = cs_pixels_role(&scale, (unsigned)i + 1, &code);
        cs_put(a, x, y, role, code);
        x = cs_print(a, x + 2, y, CS_ROLE_LABEL, "%.0f  ", p->low + (double)i);
    }
    cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, "lines: their ends differ");
}

static void foot(const cs_area *a, const cs_field *p, const cs_tiling *f,
                 size_t n, size_t of, bool detail)
{
    if (p->kind != CS_PICTURE_PIXELS) {
        foot_of_places(a, p, n, of, detail);
        return;
    }
    bool wide = a->w >= 40;
    char low[24], high[24];
    cs_short(p->low, low, sizeof low);
    cs_short(p->high, high, sizeof high);
    cs_area at = cs_area_part(a, 0, a->h - 1, a->w, 1);
    int x = foot_of_chains(a, n, of, wide);
    if (f->grain.shrink > 1)
        x = cs_print(&at, x, 0, CS_ROLE_WARN, "1/%d%s  ", f->grain.shrink,
                     wide ? ": averaged" : "");
    if (!detail)
        return;
    if (cs_field_pixels(p, NULL).palette == CS_PALETTE_CLASSES) {
        for (size_t i = 0; i < p->values; i++) {
            cs_put_two(&at, x++, 0, cs_theme_class(i), cs_theme_class(i));
            x = cs_print(&at, x, 0, CS_ROLE_LABEL, "%.0f ", p->low + (double)i);
        }
        return;
    }
    int steps = p->values == 2 ? 2 : 8;
    if (x + (int)(strlen(low) + strlen(high)) + steps + 2 > a->w)
        return;
    x = cs_print(&at, x, 0, CS_ROLE_LABEL, "%s ", low);
    for (int i = 0; i < steps; i++) {
        cs_role role = cs_theme_ramp((double)i / (steps - 1));
        cs_put_two(&at, x++, 0, role, role);
    }
    cs_print(&at, x, 0, CS_ROLE_LABEL, " %s", high);
}

/* Returns the number of chains to show: those that fit, but few tours beside
 * other panels, because their numbers need large pictures. */
static size_t chains_of(const cs_field *p, const cs_selection *at,
                        size_t chains)
{
    enum { TOURS = 4 };
    bool few = p->kind == CS_PICTURE_TOUR && !at->detail && chains > TOURS;
    return few ? TOURS : chains;
}

static void draw_chains(const cs_area *a, const cs_shot *s,
                        const cs_selection *at, const cs_field *p, size_t arm)
{
    shown v;
    size_t all = cs_shot_chains(s, arm), chains = chains_of(p, at, all);
    cs_area body = cs_area_part(a, 0, 0, a->w, a->h - (a->h > 5));
    cs_tiling f = cs_field_tiling(&body, p, chains);
    if (!find_shown(s, p, arm, &v) || f.n == 0) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT,
                     f.n ? "..." : "no room for a picture");
        return;
    }
    size_t n = f.n < v.k ? f.n : v.k, from = 0;
    if (arm == at->arm && at->chain >= v.first + n)
        from = at->chain + 1 - v.first - n;
    from = from + n <= v.k ? from : v.k - n;
    for (size_t i = 0; i < n; i++) {
        size_t c = from + i;
        cs_picture_tile t = tile_of(p, &v, c);
        name_chain(&t, p, &v, c, f.w, !at->detail);
        t.chosen = arm == at->arm && v.first + c == at->chain;
        cs_field_draw(&body, p, &f, &t, i);
    }
    if (body.h < a->h)
        foot(a, p, &f, n, all, at->detail);
}

/* ---- only the chosen chain ----------------------------------------------- */

enum { MOST_PIXELS = 1 << 16 };

/* Sets to[i] to 2 where the proposal differs from the state, otherwise to 1.
 * Returns the number of differences. */
static size_t mark_changes(const unsigned char *x, const char *y, size_t n,
                           unsigned char *to)
{
    size_t changes = 0;
    for (size_t i = 0; i < n; i++) {
        bool other = x[i] != (unsigned char)y[i];
        to[i] = other ? 2 : 1;
        changes += other;
    }
    return changes;
}

static const unsigned char *clusters_of(const cs_shot *s)
{
    return (const unsigned char *)cs_shot_text(s, "look/picture/clusters");
}

static void draw_aux(const cs_area *a, const cs_shot *s, const cs_field *p,
                     const cs_tiling *f, size_t i)
{
    size_t n;
    cs_picture_tile t = {
        .pixels = cs_field_pixels(
            p, (const unsigned char *)cs_shot_text(s, "look/picture/own")),
        .role = CS_ROLE_LABEL};
    char name[16] = "own";
    const cs_row_range *range =
        CS_SHOT_ROWS(s, cs_row_range, &n, CS_KEY_AUX_RANGE);
    cs_shot_word(cs_shot_text(s, "look/own"), 0, name, sizeof name);
    t.pixels.palette = CS_PALETTE_SIDES;
    t.pixels.most = CS_LEVELS - 1;
    int used = snprintf(t.text, sizeof t.text, "%s", name);
    if (range && f->w >= 20)
        snprintf(t.text + used, sizeof t.text - (size_t)used, " %s to %s",
                 cs_num(range->low).text, cs_num(range->high).text);
    cs_field_draw(a, p, f, &t, i);
}

/* Draws the clusters of connected sites, the largest in separate colours. */
static void draw_clusters(const cs_area *a, const cs_shot *s, const cs_field *p,
                          const cs_tiling *f, size_t i)
{
    double n = cs_shot_number(s, 0, "look/picture/clusters_n");
    double share = cs_shot_number(s, NAN, "look/picture/clusters_share");
    cs_picture_tile t = {.pixels = cs_field_pixels(p, clusters_of(s)),
                         .role = CS_ROLE_LABEL};
    t.pixels.most = CS_CLUSTERS_NAMED;
    t.pixels.palette = CS_PALETTE_CLASSES;
    if (f->w < 30)
        snprintf(t.text, sizeof t.text, "%.0f clusters", n);
    else
        snprintf(t.text, sizeof t.text, "%.0f clusters, largest %.0f %%", n,
                 100 * share);
    cs_field_draw(a, p, f, &t, i);
}

/* Returns the tour that the last step proposed. If there was no proposal,
 * returns NULL. */
static const double *find_proposal(const cs_shot *s, const cs_field *p)
{
    size_t r, c;
    const double *v = cs_shot_array(s, &r, &c, "look/picture/tour");
    return v && p->kind == CS_PICTURE_TOUR && r * c == p->n ? v : NULL;
}

/* Draws the edges in which the proposed tour differs from the state. */
static void draw_detour(const cs_area *a, const cs_field *p, const cs_tiling *f,
                        size_t i, cs_detour d, const double *was,
                        const double *now)
{
    cs_picture_tile t = {.tour = now, .was = was, .role = CS_ROLE_LABEL};
    const char *head = f->w < 30 ? "" : "proposed: ";
    snprintf(t.text, sizeof t.text, "%s%zu new edge%s", head, d.added,
             d.added == 1 ? "" : "s");
    if (d.missed) {
        t.role = CS_ROLE_REJECT;
        snprintf(t.text, sizeof t.text, "%sinfeasible", head);
    }
    cs_field_draw(a, p, f, &t, i);
}

/* Draws in tile n the changes from state x to proposal y. */
static void draw_changes(const cs_area *a, const cs_field *p,
                         const cs_tiling *f, size_t n, const unsigned char *x,
                         const char *y)
{
    unsigned char changes[MOST_PIXELS];
    size_t k = mark_changes(x, y, p->n, changes);
    cs_picture_tile t = {.pixels = cs_field_pixels(p, changes),
                         .role = CS_ROLE_LABEL};
    t.pixels.most = 1;
    t.pixels.palette = CS_PALETTE_TWO;
    snprintf(t.text, sizeof t.text,
             f->w < 20 ? "%zu change" : "proposed: %zu changes", k);
    cs_field_draw(a, p, f, &t, n);
}

/* Draws the state, the changes proposed by the last step, and the auxiliary
 * variable. */
static void draw_chosen(const cs_area *a, const cs_shot *s,
                        const cs_selection *at, const cs_field *p)
{
    shown v;
    const char *y = cs_shot_text(s, "look/picture/proposal");
    const double *detour = find_proposal(s, p);
    bool proposed = strlen(y) == p->n && p->n <= MOST_PIXELS;
    bool own = strlen(cs_shot_text(s, "look/picture/own")) == p->n;
    bool hold = strlen((const char *)clusters_of(s)) == p->n;
    cs_area body = cs_area_part(a, 0, 0, a->w, a->h - (a->h > 5));
    size_t n = 1, c = at->chain;
    if (!find_shown(s, p, at->arm, &v) || c < v.first || c >= v.first + v.k)
        return;
    cs_field scale = *p;
    /* The number of levels is set so that greys (auxiliary variables) and
     * classes (clusters) are not drawn as dots. */
    scale.values = own ? 0 : hold ? CS_CLUSTERS_NAMED + 1 : p->values;
    cs_tiling f = cs_field_tiling(
        &body, &scale, (size_t)(1 + (proposed || detour) + own + hold));
    if (f.n == 0) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT, "no room for a picture");
        return;
    }
    const unsigned char *x = v.states + (c - v.first) * p->n;
    cs_picture_tile t = tile_of(p, &v, c - v.first);
    t.chosen = true;
    name_chain(&t, p, &v, c - v.first, f.w, !at->detail);
    cs_field_draw(&body, p, &f, &t, 0);
    if (own && n < f.n)
        draw_aux(&body, s, p, &f, n++);
    bool both = detour && n < f.n;
    cs_detour d = {0};
    if (both) {
        d = cs_graph_layout_compare(&p->places, t.tour, detour);
        draw_detour(&body, p, &f, n, d, t.tour, detour);
    }
    if (proposed && n < f.n)
        draw_changes(&body, p, &f, n++, x, y);
    if (hold && n < f.n)
        draw_clusters(&body, s, p, &f, n);
    if (body.h < a->h && both)
        cs_graph_layout_detour_signs(a, a->h - 1, d.missed);
    else if (body.h < a->h)
        foot(a, p, &f, 1, 1, at->detail);
}

/* ---- mean pictures ------------------------------------------------------- */

/* Finds the levels of the means, on the scale of the states. */
static bool find_means(const cs_shot *s, const cs_field *p, size_t arm,
                       const char *key, unsigned char *to)
{
    size_t r, c;
    const double *mean =
        cs_shot_array(s, &r, &c, "arm/%zu/moments/%s", arm, key);
    if (!mean || p->n > MOST_PIXELS || p->first < 0 ||
        (double)(r * c) < p->first + (double)p->n)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        double x = mean[whole(p->first) + i];
        double share = (x - p->low) / (p->high - p->low);
        share = fmin(fmax(share, 0), 1);
        to[i] = (unsigned char)(isnan(x) ? CS_LEVELS + 1
                                         : 1.5 + share * (CS_LEVELS - 1));
    }
    return true;
}

/* Displays the mean of all draws of an arm. If the exact mean is known,
 * displays it too. */
static void draw_means(const cs_area *a, const cs_shot *s, const cs_field *of,
                       size_t arm, bool detail)
{
    static const char *const keys[] = {"mean", "exact_mean"};
    unsigned char level[MOST_PIXELS];
    cs_field p = *of;
    size_t n = 0;
    p.values = 0; /* greys for any kind of state */
    bool exact = find_means(s, &p, arm, keys[1], level);
    if (p.classes || p.kind == CS_PICTURE_TOUR ||
        !find_means(s, &p, arm, keys[0], level)) {
        cs_panel_empty(a, s, "The means of these coordinates are not recorded.",
                       "Add probes = { \"energy\", moments = { coordinates = "
                       "784 } }; not for classes or tours.");
        return;
    }
    cs_area body = cs_area_part(a, 0, 0, a->w, a->h - (a->h > 5));
    cs_tiling f = cs_field_tiling(&body, &p, 1 + exact);
    for (size_t k = 0; k < 2 && n < f.n; k++) {
        if (!find_means(s, &p, arm, keys[k], level))
            continue;
        cs_picture_tile t = {.pixels = cs_field_pixels(&p, level),
                             .role = k ? CS_ROLE_TRUTH : cs_theme_chain(arm)};
        snprintf(t.text, sizeof t.text, k ? "exact mean" : "mean");
        cs_field_draw(&body, &p, &f, &t, n++);
    }
    if (body.h < a->h)
        foot(a, &p, &f, 1, 1, detail);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    cs_field p;
    if (!cs_field_find(s, "picture", &p))
        return;
    if (at->option % OPTIONS == MEANS)
        draw_means(a, s, &p, arm, at->detail);
    else
        draw_chains(a, s, at, &p, arm);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_field p;
    if (!cs_field_find(s, "picture", &p)) {
        cs_panel_empty(a, s, "This target has no picture.",
                       "Give the target picture = { rows = 28, cols = 28 }; "
                       "discrete targets have a picture.");
        return;
    }
    if (at->variant % VARIANTS == CHOSEN && at->option % OPTIONS == STATES)
        draw_chosen(a, s, at, &p);
    else
        cs_panel_arms(a, s, at, (cs_tile){16, 6, 2}, NULL, draw_arm, NULL);
}

static size_t wanted(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    cs_field p;
    size_t most = 0;
    if (!cs_field_find(s, "picture", &p))
        return 0;
    for (size_t i = 0; i < cs_shot_arms(s); i++) {
        size_t chains = cs_shot_chains(s, i);
        most = chains > most ? chains : most;
    }
    size_t n = cs_field_tiling(a, &p, chains_of(&p, at, most)).n;
    if (at->option % OPTIONS == MEANS)
        return 0;
    return at->variant % VARIANTS == CHOSEN || n < 1 ? 1 : n;
}

const cs_panel_type cs_panel_picture = {
    .name = "picture",
    .title = "picture",
    .help =
        "The states of the chains that fit into the panel, as pictures "
        "(spins of a lattice, an image, bits). The zoomed panel adds log p "
        "and, for bits that "
        "are spins, the magnetisation m. Sites are larger in a larger panel; "
        "in a small panel, blocks of sites are averaged (1/4: blocks of four "
        "by four; for classes, the most frequent class). Without colours, a "
        "letter is the class of the upper of two sites; a capital shows that "
        "the lower site has another class.\nFor the chosen chain, the panel "
        "also shows the kernel's auxiliary variable (theta_a, on a scale where "
        "0 is pale) and the sites that the last step proposed to change. For a "
        "model with bonds, it shows clusters of sites that are joined with "
        "probability 1 - exp(-|K|) by each bond, as swendsen_wang moves them. "
        "The seven largest clusters have their own colours and "
        "letters.\nVertices of a graph are displayed on a circle, with lines "
        "between neighbours whose values differ. Places of a tour are numbered "
        "in visiting order; proposed edges are solid if new, dashed if "
        "dropped, and dotted if kept. An x marks a place that is never "
        "reached, which makes the tour infeasible.",
    .options =
        "o states, or the mean of all draws with the exact one; v all chains "
        "of the arm, or the chosen one with the kernel's additions",
    .draw = draw,
    .pictures = wanted,
};
