/* Predictive checks: data beside replicated data (stat/predictive.h), in one of
 * several views. */
#include "screen/panels/panel.h"
#include "session/host/script_host.h"
#include "stat/predictive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The views, in the order of the key v. The first one is that of the
 * scenario. */
static const char *const views[] = {"statistic", "interval", "density",
                                    "rootogram", "calibration"};
enum { VIEWS = sizeof views / sizeof *views };
enum { CHECKS = 8, STATISTICS_MOST = 8 };
/* FEET: lines of text below the plot; OUTSIDE: glyph of data outside their 90 %
 * interval */
enum { FEET = 2, INSIDE = 'o', OUTSIDE = 'x' };

/* A check of one arm. */
typedef struct check {
    const cs_shot *s;
    const cs_selection *at;
    size_t k, arm; /* numbers of the check and of the arm */
    const char *name, *unit, *view;
    const cs_predictive_row *row; /* [n] rows of the view */
    size_t n;
    double draws, left_out; /* replications; draws that are not finite */
} check;

/* ---- reading ------------------------------------------------------------- */

static size_t checks_of(const cs_shot *s)
{
    size_t n = 0;
    while (n < CHECKS && *cs_shot_text(s, "predictive/%zu/name", n))
        n++;
    return n;
}

static size_t check_number(const cs_shot *s, const cs_selection *at)
{
    char names[CHECKS * 48] = "";
    size_t n = checks_of(s), used = 0;
    for (size_t k = 0; k < n; k++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%.40s",
                                 k ? " " : "",
                                 cs_shot_text(s, "predictive/%zu/name", k));
    return n ? cs_panel_choice(at, names, n) % n : 0;
}

/* Returns the name of the view in a presentation. */
static const char *view_of(const cs_shot *s, size_t k, unsigned variant)
{
    const char *name = cs_shot_text(s, "predictive/%zu/view/0", k);
    size_t first = 0;
    while (first < VIEWS && strcmp(views[first], name) != 0)
        first++;
    return views[(first + variant) % VIEWS];
}

static bool read_rows(check *c)
{
    c->row = CS_SHOT_ROWS(c->s, cs_predictive_row, &c->n,
                          "predictive/%zu/arm/%zu/%s", c->k, c->arm, c->view);
    return c->row && c->n > 0;
}

static check read_check(const cs_shot *s, const cs_selection *at, size_t arm)
{
    size_t rows, cols, k = check_number(s, at);
    check c = {.s = s, .at = at, .k = k, .arm = arm};
    c.name = cs_shot_text(s, "predictive/%zu/name", k);
    c.unit = cs_shot_text(s, "predictive/%zu/unit", k);
    c.view = view_of(s, k, at->variant);
    const double *size =
        cs_shot_array(s, &rows, &cols, "predictive/%zu/arm/%zu/size", k, arm);
    if (size && rows * cols == 4) {
        c.draws = size[0];
        c.left_out = size[1];
    }
    return c;
}

/* Finds the range of the rows of all shown arms: x, and the numbers. */
static void find_range(const check *own, double x[2], double y[2])
{
    x[0] = y[0] = HUGE_VAL;
    x[1] = y[1] = -HUGE_VAL;
    for (size_t arm = 0; arm < cs_shot_arms(own->s); arm++) {
        check c = *own;
        c.arm = arm;
        if ((arm != own->arm && !cs_panel_shows(own->at, arm)) ||
            !read_rows(&c))
            continue;
        for (size_t i = 0; i < c.n; i++) {
            cs_widen(&x[0], &x[1], c.row[i].x);
            cs_widen(&y[0], &y[1], c.row[i].data);
            cs_widen(&y[0], &y[1], c.row[i].low);
            cs_widen(&y[0], &y[1], c.row[i].high);
        }
    }
}

static bool is_outside(const cs_predictive_row *r)
{
    return r->data < r->low || r->data > r->high;
}

/* ---- views --------------------------------------------------------------- */

/* A view: the plot, the name of its x axis, and its legend. */
typedef struct drawing {
    const char *name, *legend, *brief;
    void (*draw)(const cs_area *field, const check *c, const cs_area *under);
} drawing;

static void put_data(const cs_plot *p, const cs_predictive_row *r, double x,
                     double y)
{
    int column = cs_plot_column(p, x), row = cs_plot_row(p, y);
    if (column >= 0 && column < p->area.w && row >= 0)
        cs_put(&p->area, column, row,
               r && is_outside(r) ? CS_ROLE_WARN : CS_ROLE_VALUE,
               r && is_outside(r) ? OUTSIDE : INSIDE);
}

/* Draws the 90 % interval as a thin stroke and the 50 % interval as a thick
 * one, in the middle of the cell. */
static void put_interval(const cs_plot *p, double x, const double at[4],
                         cs_role role)
{
    int each = p->columns / (p->area.w ? p->area.w : 1);
    int column = cs_plot_column(p, x) * each;
    cs_plot_stroke(p, column, at[0], at[3], role, '|');
    for (int k = 0; k < each; k++)
        cs_plot_stroke(p, column + k, at[1], at[2], role, '|');
}

static const char *axis_name(const check *c, char *text, size_t size)
{
    snprintf(text, size, *c->unit ? "%.40s (%.40s)" : "%.40s", c->name,
             c->unit);
    return text;
}

static void draw_density(const cs_area *field, const check *c,
                         const cs_area *under)
{
    double x[2], y[2], at[512], line[3][512];
    char name[100];
    size_t n = c->n < 512 ? c->n : 512;
    find_range(c, x, y);
    cs_area inside = cs_plot_axis(field, 0, y[1]);
    cs_plot p = cs_window_plot(&inside, &c->at->window, x[0], x[1],
                               (cs_scale){0, y[1], false});
    for (size_t i = 0; i < n; i++) {
        at[i] = c->row[i].x;
        line[0][i] = c->row[i].low;
        line[1][i] = c->row[i].mid;
        line[2][i] = c->row[i].high;
    }
    for (size_t k = 0; k < 3; k++)
        cs_plot_curve(&p, at, line[k], n,
                      k == 1 ? cs_theme_chain(c->arm) : CS_ROLE_FAINT,
                      k == 1 ? '-' : '.');
    for (int column = 0, i = 0; column < inside.w; column++) {
        double here = cs_plot_at(&p, (column + 0.5) / inside.w);
        while ((size_t)i + 1 < n &&
               fabs(at[i + 1] - here) <= fabs(at[i] - here))
            i++;
        if (c->row[i].data > y[1] / 100)
            put_data(&p, NULL, here, c->row[i].data);
    }
    cs_plot_axis_x(under, &p, axis_name(c, name, sizeof name));
}

/* Draws at most one observation per two columns. */
static void draw_intervals(const cs_area *field, const check *c,
                           const cs_area *under)
{
    double x[2], y[2];
    find_range(c, x, y);
    cs_area inside = cs_plot_axis(field, y[0], y[1]);
    cs_plot p = cs_window_plot(&inside, &c->at->window, x[0] - 0.5, x[1] + 0.5,
                               (cs_scale){y[0], y[1], false});
    size_t room = inside.w > 2 ? (size_t)inside.w / 2 : 1;
    size_t each = (c->n + room - 1) / room;
    for (size_t i = 0; i < c->n; i += each) {
        const cs_predictive_row *r = &c->row[i];
        put_interval(&p, r->x,
                     (const double[]){r->low, r->lower, r->upper, r->high},
                     cs_theme_chain(c->arm));
    }
    for (size_t i = 0; i < c->n; i += each)
        put_data(&p, &c->row[i], c->row[i].x, c->row[i].data);
    char name[100], text[160];
    snprintf(text, sizeof text, "observation; up: %s",
             axis_name(c, name, sizeof name));
    cs_plot_axis_x(under, &p, inside.w < 60 ? "observation" : text);
}

/* Bars show the mean number of replicated observations per bin, as square
 * roots. */
static void draw_rootogram(const cs_area *field, const check *c,
                           const cs_area *under)
{
    double x[2], y[2], bar[CS_CANVAS_MAX] = {0};
    char name[100];
    find_range(c, x, y);
    double wide = c->n > 1 ? c->row[1].x - c->row[0].x : 1, top = sqrt(y[1]);
    cs_area inside = cs_plot_axis(field, 0, top);
    cs_plot p = cs_plot_make(&inside, x[0] - wide / 2, x[1] + wide / 2, 0, top);
    int slot = (int)(inside.w / ((x[1] - x[0]) / wide + 1));
    for (int column = 0; column < inside.w && column < CS_CANVAS_MAX;
         column++) {
        double at = cs_plot_at(&p, (column + 0.5) / inside.w);
        size_t i = (size_t)fmax(0, floor((at - x[0]) / wide + 0.5));
        bool gap = slot >= 4 && column + 1 < inside.w &&
                   cs_plot_at(&p, (column + 1.5) / inside.w) >=
                       x[0] + ((double)i + 0.5) * wide;
        bar[column] = i < c->n && !gap ? sqrt(c->row[i].mid) : 0;
    }
    cs_bars(&inside, bar, (size_t)inside.w, top, cs_theme_chain(c->arm));
    for (size_t i = 0; i < c->n; i++) {
        const cs_predictive_row *r = &c->row[i];
        cs_plot_stroke(&p, cs_plot_column(&p, r->x) * p.columns / inside.w,
                       sqrt(r->low), sqrt(r->high), CS_ROLE_EVENT, '|');
        put_data(&p, r, r->x, sqrt(r->data));
    }
    cs_plot_axis_x(under, &p, axis_name(c, name, sizeof name));
}

static void draw_calibration(const cs_area *field, const check *c,
                             const cs_area *under)
{
    cs_area inside = cs_plot_axis(field, 0, 1);
    cs_plot p = cs_plot_make(&inside, 0, 1, 0, 1);
    const double ends[2] = {0, 1};
    cs_plot_curve(&p, ends, ends, 2, CS_ROLE_FAINT, '.');
    for (size_t i = 0; i < c->n; i++) {
        const cs_predictive_row *r = &c->row[i];
        put_interval(&p, r->x,
                     (const double[]){r->low, r->lower, r->upper, r->high},
                     cs_theme_chain(c->arm));
    }
    for (size_t i = 0; i < c->n; i++)
        put_data(&p, &c->row[i], c->row[i].x, c->row[i].data);
    cs_plot_axis_x(under, &p, "predicted probability");
}

static const drawing drawings[] = {
    {"density", "o data; lines: mean and 5 to 95 % of replicated densities",
     "o data; lines: replicated", draw_density},
    {"interval",
     "o data, x outside 90 %; bars: 50 and 90 % of the replications",
     "o data, x outside 90 %", draw_intervals},
    {"rootogram",
     "up: square root of counts; o data, x outside 5 to 95 % (line) of the "
     "replications; bars: their mean",
     "up: root of counts; o data", draw_rootogram},
    {"calibration",
     "up: share of ones in a group; o data, x outside 90 % of the replications",
     "up: share of ones; o data", draw_calibration}};
enum { DRAWINGS = sizeof drawings / sizeof *drawings };

/* ---- statistics ---------------------------------------------------------- */

static const double *read_test(const check *c, size_t i)
{
    size_t rows, cols;
    const double *t = cs_shot_array(
        c->s, &rows, &cols, "predictive/%zu/arm/%zu/test/%zu", c->k, c->arm, i);
    return t && rows * cols == 6 ? t : NULL;
}

static const char *statistic_name(const check *c, size_t i)
{
    return cs_shot_text(c->s, "predictive/%zu/statistic/%zu", c->k, i);
}

/* Writes "p 0.12", or an upper bound if no replication is on one side. */
static void write_p(const check *c, const double *t, char *text, size_t size)
{
    double p = t[4];
    if (p > 0 && p < 1)
        snprintf(text, size, "p %.3f", p);
    else
        snprintf(text, size, p > 0 ? "p > %.3f" : "p < %.3f",
                 p > 0 ? 1 - 1 / c->draws : 1 / c->draws);
}

/* Displays statistic i in one line, in the longest form that fits. */
static void draw_test(const cs_area *a, int y, const check *c, size_t i)
{
    const double *t = read_test(c, i);
    char p[32];
    if (!t)
        return;
    write_p(c, t, p, sizeof p);
    cs_role role = t[4] < 0.025 || t[4] > 0.975 ? CS_ROLE_WARN : CS_ROLE_VALUE;
    const char *name = statistic_name(c, i);
    int x = cs_print_fit(a, 0, y, a->w, role,
                         "%s: data %s, replicated %s (90 %% in %s to %s), %s",
                         name, cs_num(t[0]).text, cs_num(t[1]).text,
                         cs_num(t[2]).text, cs_num(t[3]).text, p);
    if (x == 0)
        x = cs_print_fit(a, 0, y, a->w, role, "%s %s, replicated %s, %s", name,
                         cs_num(t[0]).text, cs_num(t[1]).text, p);
    if (x == 0)
        x = cs_print_fit(a, 0, y, a->w, role, "%s %s, %s", name,
                         cs_num(t[0]).text, p);
    if (x == 0)
        x = cs_print_cut(a, 0, y, a->w, role, "%s %s", name, p);
    if (c->left_out > 0)
        cs_print_fit(a, x, y, a->w - x, CS_ROLE_WARN, "; %s draws not finite",
                     cs_count(c->left_out).text);
}

/* Draws the histogram of a replicated statistic, and a line at that of the
 * data. */
static void draw_statistic(const cs_area *a, const check *c, size_t i)
{
    size_t r, n, edges;
    double bar[CS_CANVAS_MAX], top = 0;
    const double *t = read_test(c, i);
    const double *share = cs_shot_array(
        c->s, &r, &n, "predictive/%zu/arm/%zu/%zu/shares", c->k, c->arm, i);
    const double *edge = cs_shot_array(
        c->s, &r, &edges, "predictive/%zu/arm/%zu/%zu/edges", c->k, c->arm, i);
    if (!t || !share || !edge || edges != n + 1 || a->h < 3)
        return;
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 2);
    cs_area under = cs_area_part(a, 0, a->h - 2, a->w, 1);
    cs_plot p = cs_plot_make(&field, edge[0], edge[n], 0, 1);
    size_t w = field.w < CS_CANVAS_MAX ? (size_t)field.w : CS_CANVAS_MAX;
    cs_rebin(share, edge, n, &p, w, bar);
    for (size_t x = 0; x < w; x++)
        top = fmax(top, bar[x]);
    cs_bars(&field, bar, w, top, cs_theme_chain(c->arm));
    int column = cs_plot_column(&p, t[0]);
    for (int y = 0; y < field.h && column >= 0 && column < field.w; y++)
        cs_put(&field, column, y, CS_ROLE_VALUE, 0x2502);
    cs_plot_axis_x(&under, &p, statistic_name(c, i));
    draw_test(a, a->h - 1, c, i);
}

static void draw_statistics(const cs_area *a, const check *c)
{
    cs_area part[STATISTICS_MOST];
    size_t n = 0;
    while (n < STATISTICS_MOST && *statistic_name(c, n))
        n++;
    cs_area above = cs_area_part(a, 0, 0, a->w, a->h - 1);
    n = cs_panel_tiles(&above, n, (cs_tile){24, 5, 3}, part);
    for (size_t i = 0; i < n; i++)
        draw_statistic(&part[i], c, i);
    cs_print_fit(a, 0, a->h - 1, a->w, CS_ROLE_LABEL,
                 "bars: %s replications; line: data", cs_count(c->draws).text);
}

/* ---- the panel ----------------------------------------------------------- */

/* Explains why there is nothing to draw; returns true if it did. */
static bool draw_missing(const cs_area *a, const check *c)
{
    const char *why = cs_shot_text(c->s, "predictive/why");
    if (!*cs_shot_text(c->s, "predictive/there")) {
        cs_panel_empty(a, c->s, "The scenario has no predictive checks.",
                       "Add predictive = { data = y, replicated = \"y_rep\" "
                       "} to the scenario.");
        return true;
    }
    if (!*why)
        why = cs_shot_text(c->s, "predictive/%zu/arm/%zu/why", c->k, c->arm);
    if (*why) {
        char text[300];
        snprintf(text, sizeof text, "No check: %.250s.", why);
        cs_panel_empty(a, c->s, text, "Run longer, or change the scenario.");
    } else if (!(c->draws > 0)) {
        cs_panel_empty(a, c->s, "The check is still being computed.", "");
    }
    return *why || !(c->draws > 0);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    check c = read_check(s, at, arm);
    if (draw_missing(a, &c))
        return;
    if (strcmp(c.view, "statistic") == 0) {
        draw_statistics(a, &c);
        return;
    }
    const drawing *d = drawings;
    while (d < drawings + DRAWINGS - 1 && strcmp(d->name, c.view) != 0)
        d++;
    if (!read_rows(&c)) {
        cs_panel_empty(a, s, "This view does not suit the data.",
                       "Rootograms need counts, calibration needs zeros and "
                       "ones. Press v for the next view.");
        return;
    }
    cs_area field = cs_area_part(a, 0, 0, a->w, a->h - 1 - FEET);
    cs_area under = cs_area_part(a, 0, a->h - 1 - FEET, a->w, 1);
    if (field.h > 1)
        d->draw(&field, &c, &under);
    bool brief = cs_text_width(d->legend) > a->w;
    int x = cs_print_cut(a, 0, a->h - 2, a->w, CS_ROLE_LABEL, "%s",
                         brief ? d->brief : d->legend);
    cs_print_fit(a, x, a->h - 2, a->w - x, CS_ROLE_FAINT, "; %s replications",
                 cs_count(c.draws).text);
    draw_test(a, a->h - 1, &c, 0);
}

static void ask(const cs_shot *s, const cs_selection *at, char *out,
                size_t size)
{
    (void)s, (void)at;
    snprintf(out, size, CS_HOST_PANEL "predictive");
}

static void caption(const cs_shot *s, const cs_selection *at, char *out,
                    size_t size)
{
    size_t k = check_number(s, at);
    const char *name = cs_shot_text(s, "predictive/%zu/name", k);
    const char *view = view_of(s, k, at->variant);
    snprintf(out, size, "%s: %s\n%s", name, view, view);
}

static const char *drawn(const cs_area *inside, const cs_shot *shot,
                         const cs_selection *at)
{
    (void)inside;
    const char *view = view_of(shot, check_number(shot, at), at->variant);
    return strcmp(view, views[at->variant % VIEWS]) == 0 ? NULL : view;
}

const cs_panel_type cs_panel_predictive = {
    .name = "predictive",
    .title = "predictive check",
    .help =
        "Compares the data (o, or a line) with replicated data, which a "
        "generated quantity draws from the model for each draw of the "
        "parameters. Data outside the central 90 % of their replications are "
        "marked x; about one in ten should be.\nThe density of the data is "
        "drawn with the mean and the 5 and 95 % quantiles of the replicated "
        "densities. A rootogram shows the square root of the number of "
        "observations with each count. Calibration shows the share of ones "
        "among observations with similar predicted probabilities, which "
        "should be near the diagonal.\np is the share of replications whose "
        "statistic is above that of the data; values near 0 or 1 mean that "
        "the model does not reproduce it.",
    .options = "o the next check; v statistic, interval, density, rootogram, "
               "calibration",
    .tile = {30, 8, 2.5},
    .draw_arm = draw_arm,
    .caption = caption,
    .ask = ask,
    .drawn = drawn,
};
