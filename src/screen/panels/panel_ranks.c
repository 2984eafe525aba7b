/* Rank histograms, which show whether the chains have the same distribution. */
#include "run/draws/quantity_rows.h"
#include "screen/panels/quantity.h"

#include "session/client/snapshot_rows.h"

#include <math.h>
#include <stdio.h>

typedef struct ranks {
    const double *counts; /* [chains][bars] */
    /* [bars] expected range of the counts of one chain */
    const double *low, *high;
    const cs_row_ranks *figures;
    size_t chains, bars;
} ranks;

static bool read_ranks(const cs_shot *s, size_t arm, size_t k, ranks *r)
{
    size_t n, ends, bars;
    r->counts = cs_shot_array(s, &r->chains, &r->bars,
                              "arm/%zu/draws/%zu/counts", arm, k);
    r->low = cs_shot_array(s, &ends, &bars, "arm/%zu/draws/%zu/band", arm, k);
    if (!r->counts || !r->low || ends != 2 || bars != r->bars)
        return false;
    r->high = r->low + bars;
    r->figures = CS_SHOT_ROWS(s, cs_row_ranks, &n, CS_KEY_RANKS, arm, k);
    return r->chains && r->bars && r->figures && n == 1;
}

static bool is_outside(const ranks *r, size_t chain, size_t bar)
{
    double count = r->counts[chain * r->bars + bar];
    return count < r->low[bar] || count > r->high[bar];
}

static size_t outside(const ranks *r, size_t chain)
{
    size_t n = 0;
    for (size_t b = 0; b < r->bars; b++)
        n += is_outside(r, chain, b);
    return n;
}

/* Draws the bars of a chain and the two lines of the band, with a mark above
 * each bar outside the band. */
static void draw_chain(const cs_area *a, const ranks *r, size_t k, double top,
                       cs_role role)
{
    double low[CS_CANVAS_MAX], high[CS_CANVAS_MAX], bar[CS_CANVAS_MAX];
    int wide = a->w;
    cs_area bars = *a;
    for (int x = 0; x < wide; x++) {
        size_t b = (size_t)x * r->bars / (size_t)wide;
        bar[x] = r->counts[k * r->bars + b];
        low[x] = r->low[b];
        high[x] = r->high[b];
    }
    cs_bars(&bars, bar, (size_t)wide, top, role);
    if (a->h > 2) { /* in less space the lines would hide the bars */
        cs_steps_over(&bars, low, top, CS_ROLE_TRUTH);
        cs_steps_over(&bars, high, top, CS_ROLE_TRUTH);
    }
    for (size_t b = 0; b < r->bars; b++)
        if (is_outside(r, k, b))
            cs_put(&bars, (int)((b * (size_t)wide + r->bars - 1) / r->bars), 0,
                   CS_ROLE_WARN, 0x25B2);
}

static void name_chain(const cs_area *a, const ranks *r, size_t k, size_t chain)
{
    size_t out = outside(r, k);
    int x = r->figures->halves != 0
                ? cs_print_fit(a, 0, 0, a->w, cs_theme_chain(chain), "%s half",
                               k ? "second" : "first")
                : cs_print(a, 0, 0, cs_theme_chain(chain), "%zu%c", chain + 1,
                           cs_theme_glyph(chain));
    if (out)
        cs_print_fit(a, x + 1, 0, a->w - x - 1, CS_ROLE_WARN, "%zu outside",
                     out);
}

static void draw_foot(const cs_area *a, const cs_shot *s, size_t arm,
                      const ranks *r, size_t shown)
{
    const cs_row_ranks *f = r->figures;
    int y = a->h - 1;
    if (isnan(f->rhat)) /* covered by a question */
        return;
    bool bad = f->rhat > CS_RHAT_MOST;
    int x = cs_print_fit(a, 0, y, a->w, bad ? CS_ROLE_WARN : CS_ROLE_VALUE,
                         "R-hat %.3f%s", f->rhat, bad ? ": too large" : "");
    size_t all = cs_shot_chains(s, arm);
    int end = x;
    if (shown < all && f->halves == 0)
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL,
                         ", %zu of %zu chains", shown, all);
    if (x == end && shown < all && f->halves == 0)
        x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", %zu of %zu",
                         shown, all);
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_LABEL, ", ESS %s",
                     cs_count(round(f->size)).text);
    x = cs_print_fit(a, x, y, a->w - x, CS_ROLE_TRUTH,
                     "; all bars are within the lines in %.0f of 100 runs",
                     100 * f->level);
    if (cs_shot_number(s, 0, "arm/%zu/draws/weighed", arm) != 0)
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_FAINT, "; weights ignored");
}

/* Returns the count that all bars have if each value is in one bar. */
static double mean_of(const ranks *r)
{
    return r->figures->draws / (double)r->bars;
}

/* Returns the height of an arm's plots, as a multiple of its mean bar. A
 * stuck chain, whose draws are in a few bars, does not set it. */
static double height_of(const ranks *r)
{
    double own[CS_QUANTITY_CHAINS], top = 0, mean = mean_of(r);
    size_t n = 0;
    for (size_t k = 0; k < r->chains && n < CS_QUANTITY_CHAINS; k++) {
        double most = 0;
        for (size_t b = 0; b < r->bars; b++)
            most = fmax(most, r->counts[k * r->bars + b]);
        own[n++] = most;
    }
    for (size_t b = 0; b < r->bars; b++)
        top = fmax(top, 1.05 * r->high[b]);
    top = fmax(top, cs_common_top(own, n));
    return mean > 0 ? top / mean : top;
}

/* Returns the count that is as high as the plot. Relative to the mean bar it is
 * the same for all arms. */
static double find_top(const cs_shot *s, const cs_selection *at,
                       const char *word, const ranks *own)
{
    double most = height_of(own), mean = mean_of(own);
    for (size_t arm = 0; arm < cs_shot_arms(s); arm++) {
        ranks r;
        size_t k = cs_quantity_there(s, arm, word);
        if (k != CS_QUANTITY_NONE && cs_panel_shows(at, arm) &&
            read_ranks(s, arm, k, &r) && mean_of(&r) > 0)
            most = fmax(most, height_of(&r));
    }
    return mean > 0 ? most * mean : most;
}

static size_t rows_of(const ranks *r, int columns)
{
    return (r->chains + (size_t)columns - 1) / (size_t)columns;
}

/* Draws tiles in columns, each with a name and bars of at least two lines. */
static void draw_tiles(const cs_area *a, const cs_shot *s,
                       const cs_selection *at, size_t arm, const ranks *r,
                       double top, size_t *shown)
{
    enum { HIGH = 3, GOOD = 7 }; /* minimum and preferred height */
    int least = (int)r->bars + 1;
    int columns = a->w / least > 0 ? a->w / least : 1;
    while (columns > 1 && rows_of(r, columns - 1) * GOOD <= (size_t)a->h)
        columns--; /* uses the available height for wide tiles */
    size_t rows = rows_of(r, columns);
    size_t most = (size_t)(a->h / HIGH > 0 ? a->h / HIGH : 1);
    rows = rows < most ? rows : most;
    *shown =
        rows * (size_t)columns < r->chains ? rows * (size_t)columns : r->chains;
    size_t first = at->chain >= *shown && at->chain < r->chains
                       ? at->chain + 1 - *shown
                       : 0;
    for (size_t i = 0; i < *shown; i++) {
        int w = a->w / columns, y = (int)(i / (size_t)columns);
        int from = y * a->h / (int)rows, end = (y + 1) * a->h / (int)rows;
        cs_area tile = cs_area_part(a, (int)(i % (size_t)columns) * w, from,
                                    w - (columns > 1), end - from);
        size_t chain = cs_quantity_chain(s, arm, first + i);
        cs_area bars =
            cs_area_part(&tile, 0, 1, tile.w, tile.h > 1 ? tile.h - 1 : 0);
        name_chain(&tile, r, first + i, chain);
        draw_chain(&bars, r, first + i, top, cs_theme_chain(chain));
    }
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    ranks r;
    char word[128];
    size_t shown = 0;
    cs_quantity_ask(s, at, word, sizeof word);
    size_t k = cs_quantity_find(a, s, arm, word);
    if (k == CS_QUANTITY_NONE || !read_ranks(s, arm, k, &r))
        return;
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 1);
    if (a->w < (int)r.bars)
        cs_print_wrapped(&field, 0, 0, CS_ROLE_LABEL,
                         "Too narrow for the bars. Press z to zoom.");
    else
        draw_tiles(&field, s, at, arm, &r, find_top(s, at, word, &r), &shown);
    draw_foot(a, s, arm, &r, shown);
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    char name[64];
    cs_quantity_name(s, at, name, sizeof name);
    snprintf(out, size, "%s, from the lowest to the highest draw", name);
}

const cs_panel_type cs_panel_ranks = {
    .name = "ranks",
    .title = "ranks of the chains",
    .help =
        "Rank histograms (Vehtari et al. 2021): the draws of all chains are "
        "sorted together, and each bar counts a chain's draws in one "
        "twentieth of the sorted draws, from the lowest to the highest; "
        "weights are ignored. If all chains have the same distribution, the "
        "bars of each chain have about the same height. A slope means that the "
        "values of the chain are too high or too low; a hill or a valley means "
        "that the chain is too narrow or too wide.\nIf the chains agree, all "
        "bars of all chains are between the two lines in 95 of 100 runs; the "
        "lines allow for the autocorrelation of the draws (with the smaller of "
        "bulk and tail ESS). Draws with the same value are spread evenly over "
        "their "
        "ranks, and the lines are those of such bars. Bars outside of the "
        "lines are "
        "marked; those of a stuck chain can be cut at the top. For a "
        "single chain, its two halves are compared.",
    .options = "o the next quantity",
    .tile = {32, 6, 3},
    .draw_arm = draw_arm,
    .caption = caption,
    .ask = cs_quantity_ask,
};
