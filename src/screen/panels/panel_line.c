/* The energy of the target along a line, and the flattened energy that a kernel
 * with bins samples according to its learned weights. */
#include "screen/canvas/contour.h"
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 512 };

/* The two energies, relative to the lowest energy of the target on the line. */
typedef struct profile {
    const double *at, *marks;
    size_t n, n_marks;
    double energy[MOST], flat[MOST];
    bool flattened;
    size_t left, right; /* the two deepest wells; equal if there is only one */
} profile;

static bool has_bins(const cs_shot *s, size_t arm)
{
    cs_contour c;
    return cs_contour_find(s, arm, &c) && !*c.of;
}

static size_t lowest(const double *f, size_t first, size_t last)
{
    size_t at = first;
    for (size_t i = first; i <= last; i++)
        if (isfinite(f[i]) && !(f[at] <= f[i]))
            at = i;
    return at;
}

/* Considers the path from one point to another. Returns the largest rise
 * from a point of the path to any later point. */
static double climb(const double *f, size_t from, size_t to)
{
    double least = HUGE_VAL, most = 0;
    for (size_t i = from;; i += from < to ? 1 : (size_t)-1) {
        if (!isnan(f[i])) {
            least = fmin(least, f[i]);
            most = fmax(most, f[i] - least);
        }
        if (i == to)
            return most;
    }
}

/* Searches from `deep` towards one end (`by` is 1 or -1) for the point from
 * which the climb back to `deep` is highest. If this climb exceeds *most,
 * stores it in *most, and stores the point in *other. */
static void search(const profile *p, size_t deep, int by, size_t *other,
                   double *most)
{
    double top = -HUGE_VAL; /* highest energy passed */
    size_t end = by > 0 ? p->n - 1 : 0;
    for (size_t i = deep;; i += (size_t)by) {
        double v = p->energy[i];
        top = isnan(v) ? top : fmax(top, v);
        if (isfinite(v) && top - v > *most) {
            *most = top - v;
            *other = i;
        }
        if (i == end)
            return;
    }
}

/* Finds the lowest point, and the point from which the climb to the lowest
 * point is highest. The second point is used only if its climb is at least half
 * a nat. */
static void find_wells(profile *p)
{
    size_t deep = lowest(p->energy, 0, p->n - 1), other = deep;
    double most = 0.5;
    search(p, deep, -1, &other, &most);
    search(p, deep, 1, &other, &most);
    p->left = other < deep ? other : deep;
    p->right = other < deep ? deep : other;
}

static bool find_profile(const cs_shot *s, size_t arm, profile *p)
{
    size_t r, n, m;
    cs_contour c;
    p->at = cs_shot_array(s, &r, &p->n, "line/at");
    const double *energy = cs_shot_array(s, &r, &n, "line/energy");
    p->marks = cs_shot_array(s, &r, &m, "line/marks");
    p->n_marks = p->marks ? m : 0;
    if (!p->at || !energy || n != p->n || n < 3 || n > MOST)
        return false;
    double base = energy[lowest(energy, 0, n - 1)];
    if (!isfinite(base))
        return false;
    p->flattened = has_bins(s, arm) && cs_contour_find(s, arm, &c);
    double shift = p->flattened ? cs_contour_flat(&c, base) : 0;
    for (size_t i = 0; i < n; i++) {
        p->energy[i] = energy[i] - base;
        p->flat[i] =
            p->flattened ? cs_contour_flat(&c, energy[i]) - shift : (double)NAN;
    }
    find_wells(p);
    return true;
}

/* Finds the displayed range, which ends a little above the barrier between
 * the wells, or at 20 nats if there is a single well. */
static void find_range(const profile *p, double *low, double *high)
{
    double most = 0, all = 0;
    for (size_t i = 0; i < p->n; i++) {
        double v = p->energy[i];
        all = isfinite(v) ? fmax(all, v) : all;
        if (i >= p->left && i <= p->right)
            most = isfinite(v) ? fmax(most, v) : most;
    }
    *high = p->left < p->right ? 1.5 * most : fmin(all, 20);
    *low = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->energy[i] <= *high && isfinite(p->flat[i]))
            *low = fmin(*low, p->flat[i]);
    *low = fmax(*low, -*high);
}

/* Draws a curve with gaps at values that are not finite. */
static void draw_whole(const cs_plot *p, const profile *f, const double *y,
                       cs_role role, char mark)
{
    size_t from = 0;
    for (size_t i = 0; i <= f->n; i++) {
        if (i < f->n && isfinite(y[i]))
            continue;
        if (i > from)
            cs_plot_curve(p, f->at + from, y + from, i - from, role, mark);
        from = i + 1;
    }
}

/* Draws a curve as dashes, so that two curves differ without colour. The
 * dashes of cs_plot_curve would be too long where the energy is steep. */
static void draw_broken(const cs_plot *p, const profile *f, const double *y,
                        cs_role role, char mark)
{
    static const double stroke = 4, gap = 3; /* in dots along the curve */
    double across = p->columns / (p->x1 - p->x0),
           up = p->rows / (p->y1 - p->y0);
    double length = 0;
    for (size_t i = 1; i < f->n; i++) {
        double x = f->at[i - 1], dx = f->at[i] - x, dy = y[i] - y[i - 1];
        double far = hypot(dx * across, dy * up);
        /* draws no dashes from i - 1 to i if their distance is not finite */
        int steps = far < 1e4 ? (int)ceil(far) : 0;
        for (int k = 0; k < steps; k++) {
            double part = (k + 0.5) / steps;
            if (fmod(length + part * far, stroke + gap) < stroke)
                cs_plot_point(p, x + part * dx, y[i - 1] + part * dy, role,
                              mark);
        }
        length += steps ? far : 0;
    }
}

static double energy_at(const profile *f, double x)
{
    double part = (x - f->at[0]) / (f->at[f->n - 1] - f->at[0]);
    double at = part * (double)(f->n - 1);
    return at >= 0 && at <= (double)(f->n - 1) ? f->energy[(size_t)(at + 0.5)]
                                               : (double)NAN;
}

static void draw_marks(const cs_plot *p, const profile *f)
{
    for (size_t i = 0; i < f->n_marks; i++) {
        int x = cs_plot_column(p, f->marks[i]);
        int y = cs_plot_row(p, energy_at(f, f->marks[i]));
        if (x < 0 || y < 0)
            continue;
        cs_put(&p->area, x, y, CS_ROLE_FOCUS,
               f->n_marks == 1 ? '@' : '1' + (unsigned)i);
        cs_attribute(&p->area, x, y, 1, CS_REVERSE);
    }
}

/* Writes the climbs between the wells in both directions, each after an
 * arrow. */
static int tell_climbs(const cs_area *a, int x, const char *name,
                       const profile *p, const double *f, cs_role role)
{
    return cs_print_fit(a, x, 0, a->w - x, role, "%s\u2192 %.3g \u2190 %.3g",
                        name, climb(f, p->left, p->right),
                        climb(f, p->right, p->left));
}

/* Draws the barriers in the longest form that fits. */
static void draw_foot(const cs_area *a, const profile *p, cs_role role)
{
    static const char *const words[][2] = {
        {"barrier (nats): ", ", flattened "}, {"nats ", ", "}, {"", ", "}};
    if (p->left == p->right) {
        if (cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL,
                         "no barrier of half a nat on this line") == 0)
            cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "no barrier");
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cs_fill(a, CS_ROLE_NORMAL, ' ');
        int x = cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "%s", words[i][0]);
        int first = tell_climbs(a, x, "", p, p->energy, CS_ROLE_TRUTH);
        if (!p->flattened ||
            tell_climbs(a, first, words[i][1], p, p->flat, role) > first)
            return;
    }
    cs_fill(a, CS_ROLE_NORMAL, ' ');
    cs_print_fit(a, 0, 0, a->w, role, "%.3g to %.3g nats",
                 climb(p->energy, p->left, p->right),
                 climb(p->flat, p->left, p->right));
}

/* Draws the names of the curves in the longest form that fits. */
static void draw_head(const cs_area *a, const profile *p, cs_role role)
{
    static const char *const words[][2] = {
        {"energy above its minimum (nats)", "flattened by the learned weights"},
        {"energy (nats)", "flattened"},
        {"energy", "flat"}};
    bool ascii = a->canvas->glyphs == CS_ASCII;
    const char *broken = !p->flattened ? ""
                         : ascii       ? "o: "
                                       : "broken: ",
               *whole = ascii ? "  #: " : "  solid: ";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int wide = cs_text_width(broken) + cs_text_width(words[i][0]);
        if (p->flattened)
            wide += cs_text_width(whole) + cs_text_width(words[i][1]);
        if (wide > a->w)
            continue;
        int x = cs_print(a, 0, 0, CS_ROLE_TRUTH, "%s%s", broken, words[i][0]);
        if (p->flattened)
            cs_print(a, x, 0, role, "%s%s", whole, words[i][1]);
        return;
    }
    cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "energies (nats)");
}

/* Draws, at the bottom, the state through which the line passes. Returns the
 * number of lines used. */
static int draw_through(const cs_area *a, const cs_shot *s)
{
    const char *through = cs_shot_text(s, "line/through");
    if (!*through || a->h < 9)
        return 0;
    if (cs_print_fit(a, 0, a->h - 1, a->w, CS_ROLE_FAINT, "%s, step %s",
                     through,
                     cs_count(cs_shot_number(s, 0, "line/step")).text) == 0)
        cs_print_fit(a, 0, a->h - 1, a->w, CS_ROLE_FAINT, "%s", through);
    return 1;
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    profile p;
    double low, high;
    const char *why = cs_shot_text(s, "line/why");
    if (!find_profile(s, arm, &p)) {
        char text[96];
        snprintf(text, sizeof text, "No line can be shown: %s.", why);
        cs_panel_empty(
            a, s, *why ? text : "No energies along a line have been evaluated.",
            "Choose another line, for example :line modes 1 2.");
        return;
    }
    cs_role role = cs_theme_chain(arm);
    find_range(&p, &low, &high);
    int h = a->h - draw_through(a, s);
    cs_area body = cs_area_part(a, 0, 1, a->w, h - 3);
    cs_area axis = cs_area_part(a, 0, h - 2, a->w, 1);
    cs_area foot = cs_area_part(a, 0, h - 1, a->w, 1);
    cs_area field = cs_plot_axis(&body, low, high);
    cs_plot q = cs_window_plot(&field, &at->window, p.at[0], p.at[p.n - 1],
                               (cs_scale){low, high, false});
    if (a->canvas->glyphs != CS_ASCII)
        draw_broken(&q, &p, p.energy, CS_ROLE_TRUTH, 'o');
    else
        draw_whole(&q, &p, p.energy, CS_ROLE_TRUTH, 'o');
    draw_whole(&q, &p, p.flat, role, '#');
    draw_marks(&q, &p);
    draw_head(a, &p, role);
    cs_plot_axis_x(&axis, &q, cs_shot_text(s, "line/name"));
    draw_foot(&foot, &p, role);
}

const cs_panel_type cs_panel_line = {
    .name = "line",
    .title = "line: energy along a line",
    .help =
        "The energy U = -log p along a line, and, for a kernel with bins, the "
        "effective energy that the kernel samples with its learned weights; "
        "both are 0 at the minimum. The effective energy of csgld is U + zeta "
        "T log Psi(U), where Psi interpolates exponentially between the "
        "weights at the borders of the bins; the effective energy of kernels "
        "without zeta is U plus the log weight of the bin or, if states are "
        "counted, only the log weight. The drift of csgld does not follow this "
        "curve where a multiplier is clamped or a bin was never visited.\nThe "
        "barrier between two wells is the largest continuous climb, to the "
        "right and to the left; it is given for the two wells with the highest "
        "barrier. @ is the displayed chain.\nThe line runs along the "
        "coordinate chosen with n and N through the state of the chain. For "
        "another line, type :line x.1 -10 10, :line modes 1 2 or :line chains "
        "1 2 (1 and 2 mark the ends of the line). The energies are evaluated "
        "in the background, repeatedly during the run.",
    .tile = {28, 8, 3},
    .has = has_bins,
    .draw_arm = draw_arm,
};
