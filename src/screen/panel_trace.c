/* The trace: the envelope of a scalar over time, all chains of an arm. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct series {
    const double *time, *low, *high;
    size_t chains, bins, scalar;
} series;

/* The chosen scalar: 0 is the energy, then coordinates. */
static bool find_series(const cs_shot *s, const cs_look_at *at, size_t arm,
                        series *out)
{
    size_t r, c, k = at->option;
    size_t names = 0;
    char word[64];
    const char *list = cs_shot_text(s, "arm/%zu/trace/names", arm);
    while (cs_shot_word(list, names, word, sizeof word))
        names++;
    out->scalar = names ? k % names : 0;
    out->low = cs_shot_array(s, &out->chains, &out->bins,
                             "arm/%zu/trace/%zu/low", arm, out->scalar);
    out->high =
        cs_shot_array(s, &r, &c, "arm/%zu/trace/%zu/high", arm, out->scalar);
    if (!out->low || !out->high || r != out->chains || c != out->bins)
        return false;
    out->time = cs_shot_array(s, &r, &c, "arm/%zu/trace/time", arm);
    return out->time && r * c == out->bins;
}

static double r_hat(const cs_shot *s, size_t arm, const char *name)
{
    size_t r, c;
    const double *t =
        cs_shot_array(s, &r, &c, "arm/%zu/diagnostics/table", arm);
    const char *list = cs_shot_text(s, "arm/%zu/diagnostics/names", arm);
    char word[64];
    for (size_t i = 0; t && c >= 3 && i < r; i++)
        if (cs_shot_word(list, i, word, sizeof word) && !strcmp(word, name))
            return t[i * c + 2];
    return NAN;
}

static void name_of(const cs_shot *s, size_t arm, size_t scalar, char *word,
                    size_t size)
{
    if (!cs_shot_word(cs_shot_text(s, "arm/%zu/trace/names", arm), scalar, word,
                      size))
        snprintf(word, size, "energy");
}

static void draw_chain(const cs_plot *p, const series *t, size_t chain)
{
    cs_role role = cs_theme_chain(chain);
    char mark = cs_theme_glyph(chain);
    const double *low = t->low + chain * t->bins;
    const double *high = t->high + chain * t->bins;
    double from = NAN;
    for (int x = 0; x < p->columns; x++) {
        size_t i = (size_t)x * t->bins / (size_t)p->columns;
        size_t end = ((size_t)x + 1) * t->bins / (size_t)p->columns;
        double a = low[i], b = high[i];
        for (size_t j = i + 1; j < end; j++) {
            a = fmin(a, low[j]);
            b = fmax(b, high[j]);
        }
        if (isfinite(from) && isfinite(a)) { /* joined to the one before */
            double reach_low = fmin(a, from), reach_high = fmax(b, from);
            cs_plot_stroke(p, x, reach_low, reach_high, role, mark);
        } else {
            cs_plot_stroke(p, x, a, b, role, mark);
        }
        from = (a + b) / 2;
    }
}

/* Where each chain is now, by its glyph at the right edge: told without
 * colour. */
static void mark_ends(const cs_plot *p, const cs_area *edge, const series *t)
{
    for (size_t c = 0; c < t->chains; c++)
        for (size_t i = t->bins; i-- > 0;) {
            double v = (t->low[c * t->bins + i] + t->high[c * t->bins + i]) / 2;
            if (!isfinite(v))
                continue;
            cs_put(edge, 0, cs_plot_row(p, v), cs_theme_chain(c),
                   (unsigned char)cs_theme_glyph(c));
            break;
        }
}

static void draw_foot(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                      size_t arm, const series *t)
{
    char name[64];
    name_of(s, arm, t->scalar, name, sizeof name);
    int x = cs_panel_legend(a, 0, a->h - 1, t->chains);
    x = cs_print(a, x, a->h - 1, CS_ROLE_LABEL, " %s%s", name,
                 t->scalar ? "" : " (-U, nats)");
    double r = r_hat(s, arm, name);
    if (isfinite(r))
        x = cs_print(a, x + 1, a->h - 1,
                     r > 1.01 ? CS_ROLE_WARN : CS_ROLE_VALUE, "R-hat %.3g%s", r,
                     r > 1.01 ? "!" : "");
    (void)at;
    double last = t->time[t->bins - 1];
    cs_number now = cs_num(last);
    if (isfinite(last) && x + (int)strlen(now.text) + 6 < a->w)
        cs_print_right(a, a->h - 1, CS_ROLE_LABEL, "step %s", now.text);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                     size_t arm)
{
    series t;
    double low, high, unused;
    if (!find_series(s, at, arm, &t) ||
        !cs_range(t.low, t.chains * t.bins, &low, &unused) ||
        !cs_range(t.high, t.chains * t.bins, &unused, &high)) {
        cs_panel_empty(a, s, "This run records no trace.",
                       "Add the probe \"trace\" to the scenario.");
        return;
    }
    cs_area top = cs_area_part(a, 0, 0, a->w - 1, a->h - 1);
    cs_area field = cs_plot_axis(&top, low, high);
    cs_area edge = cs_area_part(a, a->w - 1, 0, 1, a->h - 1);
    cs_plot p = cs_plot_make(&field, t.time[0], t.time[t.bins - 1], low, high);
    for (size_t c = 0; c < t.chains; c++)
        if (c != at->chain || arm != at->arm)
            draw_chain(&p, &t, c);
    if (arm == at->arm && at->chain < t.chains)
        draw_chain(&p, &t, at->chain);
    mark_ends(&p, &edge, &t);
    draw_foot(a, s, at, arm, &t);
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    cs_panel_arms(a, s, at, 24, draw_arm);
}

static void caption(const cs_shot *s, const cs_look_at *at, char *out,
                    size_t size)
{
    double r = r_hat(s, at->arm, "energy");
    if (isfinite(r))
        snprintf(out, size, "R-hat %.3g%s", r, r > 1.01 ? "!" : "");
}

const cs_panel_type cs_panel_trace = {
    .name = "trace",
    .title = "trace",
    .help = "A scalar over the steps, every chain of the arm in its colour and "
            "glyph. Each column spans from the least to the largest value in "
            "its time, so that nothing is lost. The energy is -U, in nats. "
            "Chains that agree overlap; R-hat above 1.01 (marked !) says that "
            "they do not. o chooses another scalar.",
    .width = 24,
    .height = 4,
    .weight = 1.4,
    .draw = draw,
    .caption = caption,
};
