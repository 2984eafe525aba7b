/* Draws the conditional distribution of a coordinate with the drawn value. */
#include "screen/canvas/plot.h"
#include "screen/parts/turns_view.h"

#include <math.h>
#include <stdio.h>

enum { LEAST_WIDTH = 24, LEAST_HEIGHT = 5, MOST_HEIGHT = 12 };

static double sum_of(const cs_turns_view *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n_values; i++)
        sum += t->density[i];
    return sum;
}

/* Returns the probability of a value of a discrete coordinate. */
static double probability(const cs_turns_view *t, double value)
{
    for (size_t i = 0; i < t->n_values; i++)
        if (t->value[i] == value)
            return t->density[i] / sum_of(t);
    return (double)NAN;
}

static void draw_title(const cs_area *a, const cs_shown_kinds *k,
                       const cs_turns_view *t)
{
    char name[64], ends[64];
    const cs_row_conditional *c = t->conditional;
    cs_shown_name(k, cs_shot_whole(c->quantity, 1 << 20), false, name,
                  sizeof name);
    int size = snprintf(ends, sizeof ends, ": %.4g to %.4g", c->from, c->to);
    int x = cs_print_fit(a, 0, 0, a->w - size, CS_ROLE_LABEL,
                         "conditional of %s given the rest", name);
    if (x == 0)
        x = cs_print_cut(a, 0, 0, a->w - size, CS_ROLE_LABEL,
                         "%s given the rest", name);
    x = cs_print(a, x, 0, CS_ROLE_ACCEPT, "%s", ends);
    if (c->discrete != 0)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, " (probability %.3g)",
                     probability(t, c->to));
}

/* Marks the values before and after the draw; `at` are their columns. */
static void draw_marks(const cs_area *a, int y, const int at[2])
{
    if (at[0] >= 0 && at[0] < a->w)
        cs_put(a, at[0], y, CS_ROLE_FOCUS, 0x25CB);
    if (at[1] >= 0 && at[1] < a->w)
        cs_put(a, at[1], y, CS_ROLE_VALUE, 0x25B2);
}

/* ---- discrete ------------------------------------------------------------- */

/* The values that are drawn: those with a visible probability, and the values
 * before and after the draw. */
typedef struct span {
    size_t first, n;
    int each; /* columns per value */
} span;

static span span_of(const cs_turns_view *t, int columns)
{
    enum { WIDEST = 8 };
    static const double visible = 1e-3;
    span s = {.first = t->n_values};
    size_t last = 0, most = (size_t)columns;
    for (size_t i = 0; i < t->n_values; i++)
        if (t->density[i] >= visible || t->value[i] == t->conditional->from ||
            t->value[i] == t->conditional->to) {
            s.first = i < s.first ? i : s.first;
            last = i;
        }
    s.n = last + 1 - s.first;
    if (s.n > most) {
        s.first = last + 1 - most;
        s.n = most;
    }
    s.each = columns / (int)s.n < WIDEST ? columns / (int)s.n : WIDEST;
    return s;
}

static void draw_bar(const cs_area *a, int x, int w, double share, cs_role role)
{
    bool ascii = a->canvas->glyphs == CS_ASCII;
    int eighths = (int)(share * a->h * 8 + 0.5);
    eighths = eighths == 0 && share >= 1e-3 ? 1 : eighths;
    for (int y = a->h - 1; y >= 0 && eighths > 0; y--, eighths -= 8)
        for (int k = 0; k < w; k++)
            cs_put(a, x + k, y, role,
                   ascii          ? '#'
                   : eighths >= 8 ? 0x2588
                                  : 0x2580u + (unsigned)eighths);
}

/* Draws a bar per value, the marks, and the values below. */
static void draw_bars(const cs_area *a, const cs_turns_view *t)
{
    const cs_row_conditional *c = t->conditional;
    const span s = span_of(t, a->w);
    cs_area bars = cs_area_part(a, 0, 0, a->w, a->h - 2);
    int at[2] = {-1, -1}, wide = s.each > 2 ? s.each - 1 : s.each, end = -1;
    for (size_t i = s.first; i < s.first + s.n; i++) {
        int x = (int)(i - s.first) * s.each;
        char text[24];
        bool drawn = t->value[i] == c->to;
        draw_bar(&bars, x, wide, t->density[i],
                 drawn ? CS_ROLE_EVENT : CS_ROLE_BAR);
        at[0] = t->value[i] == c->from ? x + wide / 2 : at[0];
        at[1] = drawn ? x + wide / 2 : at[1];
        int size = snprintf(text, sizeof text, "%.6g", t->value[i]);
        int left = x + (wide - size) / 2;
        if (left > end && left + size <= a->w) {
            cs_print(a, left, a->h - 1, CS_ROLE_LABEL, "%s", text);
            end = left + size;
        }
    }
    draw_marks(a, a->h - 2, at);
}

/* ---- real ----------------------------------------------------------------- */

static void draw_curve(const cs_area *a, const cs_turns_view *t)
{
    const cs_row_conditional *c = t->conditional;
    size_t n = t->n_values;
    double low = fmin(t->value[0], fmin(c->from, c->to)),
           high = fmax(t->value[n - 1], fmax(c->from, c->to));
    cs_area top = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area foot = cs_area_part(a, 0, a->h - 1, a->w, 1);
    cs_plot p = cs_plot_make(&top, low, high, 0, 1.02);
    cs_plot_curve(&p, t->value, t->density, n, CS_ROLE_VALUE, '*');
    const int at[2] = {cs_plot_column(&p, c->from), cs_plot_column(&p, c->to)};
    draw_marks(a, a->h - 2, at);
    cs_plot_axis_x(&foot, &p, "");
}

int cs_draw_conditional(const cs_area *a, const cs_shown_kinds *k,
                        const cs_turns_view *t)
{
    if (!t->conditional || a->w < LEAST_WIDTH || a->h < LEAST_HEIGHT)
        return 0;
    int h = a->h < MOST_HEIGHT ? a->h : MOST_HEIGHT;
    draw_title(a, k, t);
    cs_area body = cs_area_part(a, 0, 1, a->w, h - 1);
    if (t->conditional->discrete != 0)
        draw_bars(&body, t);
    else
        draw_curve(&body, t);
    return h;
}
