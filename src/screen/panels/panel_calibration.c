/* Ranks from simulation-based calibration, with the bands for uniform ranks. */
#include "screen/canvas/rank_plot.h"
#include "screen/panels/calibrated.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TILE = 9, LEAST = 20 };

/* A cached result that takes too long to compute for each frame, with the
 * number of ranks from which it was computed. */
typedef struct known {
    size_t n, places;
    double sum; /* sum of the ranks; if it differs, the ranks have changed */
    bool good;
    cs_uniformity u;
} known;

static const cs_uniformity *uniformity(const cs_calibrated *all, size_t i)
{
    /* one static table suffices, because a process has only one screen */
    static known rows[CS_CALIBRATED_ROWS];
    const cs_calibrated_row *r = &all->row[i];
    known *k = &rows[i];
    double sum = 0;
    for (size_t j = 0; j < r->n; j++)
        sum += (double)(j + 1) * r->rank[j];
    if (k->n != r->n || k->places != all->draws + 1 || k->sum != sum) {
        k->n = r->n;
        k->sum = sum;
        k->places = all->draws + 1;
        k->good = cs_uniformity_of(r->rank, r->n, k->places, &k->u);
    }
    return k->good ? &k->u : NULL;
}

static double level_of(size_t n, size_t places)
{
    static double level;
    static size_t of, on;
    if (of != n || on != places)
        level = cs_ecdf_level(n, places, 0.95);
    of = n;
    on = places;
    return level;
}

static size_t number_of_arm(const cs_calibrated *all, size_t row)
{
    size_t n = 0;
    for (size_t i = 1; i <= row; i++)
        n += strcmp(all->row[i].arm, all->row[i - 1].arm) != 0;
    return n;
}

static void draw_row(const cs_area *a, const cs_calibrated *all, size_t i)
{
    char name[120];
    const cs_calibrated_row *r = &all->row[i];
    const cs_uniformity *u = uniformity(all, i);
    snprintf(name, sizeof name, "%s, %s", r->quantity, r->arm);
    if (!u || r->n < LEAST) {
        cs_print_cut(a, 0, 0, a->w, CS_ROLE_FAINT, "%s: %zu ranks so far", name,
                     r->n);
        return;
    }
    cs_rank_plot_draw(a,
                      &(cs_rank_plot){.name = name,
                                      .number = number_of_arm(all, i),
                                      .rank = r->rank,
                                      .n = r->n,
                                      .places = all->draws + 1,
                                      .u = *u,
                                      .level = level_of(r->n, all->draws + 1)});
}

static void draw_head(const cs_area *a, const cs_calibrated *all)
{
    char left[40] = "";
    long s = all->left < 1e7 ? (long)ceil(all->left) : -1;
    if (all->n < all->of && s >= 0)
        snprintf(left, sizeof left, ", %ld:%02ld left", s / 60, s % 60);
    cs_print_cut(a, 0, 0, a->w, CS_ROLE_LABEL,
                 "%zu of %zu data sets%s; ranks among %zu draws", all->n,
                 all->of, left, all->draws);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_selection *at)
{
    const cs_calibrated *all = at->calibrated;
    if (!all || !all->of) {
        cs_panel_idle(a, s, "No calibration is running.",
                      "Type :sbc 100 to simulate 100 data sets (the scenario "
                      "must have the field sbc).");
        return;
    }
    draw_head(a, all);
    if (all->rows == 0)
        return;
    int capacity = a->h - 1, tiles = capacity / TILE;
    tiles = tiles < 1 ? 1 : tiles > (int)all->rows ? (int)all->rows : tiles;
    size_t first = at->option % all->rows;
    for (int i = 0; i < tiles; i++) {
        cs_area part = cs_area_part(a, 0, 1 + i * (capacity / tiles), a->w,
                                    capacity / tiles);
        draw_row(&part, all, (first + (size_t)i) % all->rows);
    }
}

const cs_panel_type cs_panel_calibration = {
    .name = "calibration",
    .title = "calibration: ranks of simulated parameters",
    .help =
        "Simulation-based calibration, started by :sbc 100. In the background, "
        "parameters are drawn from the prior and data are simulated; the true "
        "parameters, and log p at the true parameters, are then ranked among "
        "each arm's posterior draws. Ranks are uniform if model and kernel are "
        "correct.\nThe left plot is the histogram of the ranks; the right plot "
        "is the difference between their distribution function and the "
        "diagonal. Each plot shows the band that contains uniform ranks with a "
        "probability of 95 %. p is the probability that uniform ranks deviate "
        "at least this much.\nIf the histogram is high in the middle, the "
        "draws are too dispersed. If it is high at both ends, they are too "
        "concentrated. If it is sloped, they are shifted to one side.",
    .options = "o the next quantity first",
    .no_arm = true,
    .draw = draw,
};
