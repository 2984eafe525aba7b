/* The energy histogram, with the exact one as dots where it is known. */
#include "screen/panel.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

/* The distance to the exact shares and what it would be for independent
 * draws: the expectation of |share - p| / 2 summed, about sqrt(p (1 - p) /
 * (2 pi n)) a bin. */
static double total_variation(const double *sum, const double *truth,
                              size_t bins, double n, double *floor_out)
{
    double tv = 0, noise = 0;
    for (size_t b = 0; b < bins; b++) {
        tv += fabs(sum[b] / n - truth[b]) / 2;
        noise += sqrt(fmax(truth[b] * (1 - truth[b]), 0) /
                      (2 * 3.14159265358979323846 * n));
    }
    *floor_out = noise;
    return tv;
}

static void draw_truth(const cs_area *a, const double *truth, size_t bins,
                       double top)
{
    for (int x = 0; x < a->w; x++) {
        size_t b = (size_t)x * bins / (size_t)a->w;
        int y = a->h - 1 - (int)(truth[b] / top * (a->h - 0.01));
        if (truth[b] > 0)
            cs_put(a, x, y < 0 ? 0 : y, CS_ROLE_TRUTH, 0x25CB);
    }
}

static void draw_foot(const cs_area *a, const double *edges, size_t bins,
                      double n)
{
    cs_print(a, 0, a->h - 2, CS_ROLE_LABEL, "%s", cs_num(edges[0]).text);
    cs_print(a, a->w / 2 - 6, a->h - 2, CS_ROLE_LABEL, "-U (nats)");
    cs_print_right(a, a->h - 2, CS_ROLE_LABEL, "%s", cs_num(edges[bins]).text);
    cs_print(a, 0, a->h - 1, CS_ROLE_LABEL, "n %s", cs_num(n).text);
}

static void draw_sums(const cs_area *a, const cs_shot *s, size_t arm,
                      const double *sum, size_t bins)
{
    size_t r, c;
    double n = 0, top = 0, noise;
    const double *edges = cs_shot_array(s, &r, &c, "arm/%zu/energy/edges", arm);
    bool labelled = edges && r * c == bins + 1;
    const double *truth = cs_shot_array(s, &r, &c, "arm/%zu/energy/truth", arm);
    truth = truth && r * c == bins ? truth : NULL;
    for (size_t b = 0; b < bins; b++)
        n += sum[b];
    if (!(n > 0)) {
        cs_panel_empty(a, s, "No energy fell into the histogram yet.",
                       "Run some steps.");
        return;
    }
    for (size_t b = 0; b < bins; b++) {
        top = fmax(top, sum[b]);
        top = truth ? fmax(top, truth[b] * n) : top;
    }
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_bars(&field, sum, bins, top, cs_theme_chain(arm));
    if (truth)
        draw_truth(&field, truth, bins, top / n);
    if (labelled)
        draw_foot(a, edges, bins, n);
    if (truth) {
        double tv = total_variation(sum, truth, bins, n, &noise);
        cs_print_right(a, a->h - 1, CS_ROLE_VALUE,
                       " TV %.3f (floor %.3f)  o exact", tv, noise);
    } else {
        cs_print_right(a, a->h - 1, CS_ROLE_FAINT, " no exact answer");
    }
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                     size_t arm)
{
    size_t chains, bins;
    (void)at;
    const double *counts =
        cs_shot_array(s, &chains, &bins, "arm/%zu/energy/counts", arm);
    double *sum = counts ? cs_alloc(bins, sizeof *sum) : NULL;
    if (!sum) {
        cs_panel_empty(a, s, "This run records no energy histogram.",
                       "Add the probe \"energy\" to the scenario.");
        return;
    }
    for (size_t c = 0; c < chains; c++)
        for (size_t b = 0; b < bins; b++)
            sum[b] += counts[c * bins + b];
    draw_sums(a, s, arm, sum, bins);
    cs_free(sum);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    cs_panel_arms(a, s, at, 26, draw_arm);
}

const cs_panel_type cs_panel_energy = {
    .name = "energy",
    .title = "energy histogram",
    .help = "How often each energy -U (nats) was met, all chains of the arm "
            "together, after every step. Circles: the exact shares, where they "
            "can be computed. TV is half the sum of the differences; the floor "
            "is what as many independent draws would give: near the floor the "
            "sampler is as good as it gets.",
    .width = 26,
    .height = 5,
    .weight = 1.0,
    .draw = draw,
};
