/* The plane of two coordinates: visits beside the true density, where the
 * chosen chain is and what it proposes. */
#include "screen/panel.h"

#include <math.h>
#include <stdio.h>

typedef struct plane {
    const double *counts, *truth, *view;
    size_t rows, cols;
    size_t axis[2];
} plane;

static bool find_plane(const cs_shot *s, size_t arm, plane *p)
{
    size_t r, c;
    p->counts =
        cs_shot_array(s, &p->rows, &p->cols, "arm/%zu/plane/counts", arm);
    p->truth = cs_shot_array(s, &r, &c, "arm/%zu/plane/truth", arm);
    if (r != p->rows || c != p->cols)
        p->truth = NULL;
    p->view = cs_shot_array(s, &r, &c, "arm/%zu/plane/view", arm);
    if (r * c != 4 || !(p->view[1] > p->view[0]) || !(p->view[3] > p->view[2]))
        p->view = NULL;
    const double *axes = cs_shot_array(s, &r, &c, "arm/%zu/plane/axes", arm);
    bool given = axes && r * c == 2;
    for (int i = 0; i < 2; i++)
        p->axis[i] = given && axes[i] >= 0 && axes[i] < 1e9 ? (size_t)axes[i]
                                                            : (size_t)i;
    return p->counts && p->view;
}

/* The heat map of mass per cell of the screen, on a square-root scale: thin
 * islands stay visible. */
static void draw_mass(const cs_area *a, const double *mass, const plane *p)
{
    double top = 0, w = a->w, h = a->h;
    for (int pass = 0; pass < 2; pass++)
        for (int y = 0; y < a->h; y++)
            for (int x = 0; x < a->w; x++) {
                size_t r0 = (size_t)(y / h * (double)p->rows);
                size_t r1 = (size_t)ceil((y + 1) / h * (double)p->rows);
                size_t c0 = (size_t)(x / w * (double)p->cols);
                size_t c1 = (size_t)ceil((x + 1) / w * (double)p->cols);
                double sum = 0;
                for (size_t r = r0; r < r1 && r < p->rows; r++)
                    for (size_t c = c0; c < c1 && c < p->cols; c++)
                        sum += mass[r * p->cols + c];
                if (pass == 0)
                    top = fmax(top, sum);
                else if (sum > 0)
                    cs_put(a, x, y, cs_theme_ramp(sqrt(sum / top)),
                           cs_theme_shade(sqrt(sum / top)));
            }
}

/* Where the chosen chain is (its glyph) and what it proposed last. */
static void draw_look(const cs_area *a, const cs_shot *s, const plane *p,
                      size_t arm)
{
    size_t r, c, n, m;
    const double *look = cs_shot_array(s, &r, &c, "look/at");
    const double *x = cs_shot_array(s, &r, &n, "look/x");
    const double *y = cs_shot_array(s, &r, &m, "look/proposal");
    if (!look || !x || look[0] != (double)arm || p->axis[0] >= n ||
        p->axis[1] >= n)
        return;
    cs_plot q = cs_plot_make(a, p->view[0], p->view[1], p->view[2], p->view[3]);
    if (y && p->axis[0] < m && p->axis[1] < m) {
        int row = cs_plot_row(&q, y[p->axis[1]]);
        int column = cs_plot_column(&q, y[p->axis[0]]);
        if (row >= 0 && column >= 0)
            cs_put(a, column, row, CS_ROLE_REJECT, '?');
    }
    int row = cs_plot_row(&q, x[p->axis[1]]);
    int column = cs_plot_column(&q, x[p->axis[0]]);
    if (row >= 0 && column >= 0) {
        cs_put(a, column, row, CS_ROLE_FOCUS, '@');
        cs_attribute(a, column, row, 1, CS_REVERSE);
    }
}

static void draw_one(const cs_area *a, const cs_shot *s, const plane *p,
                     const double *mass, const char *name, size_t arm)
{
    char x[64] = "", y[64] = "";
    const char *names = cs_shot_text(s, "coordinates");
    if (!cs_shot_word(names, p->axis[0], x, sizeof x))
        snprintf(x, sizeof x, "x%zu", p->axis[0] + 1);
    if (!cs_shot_word(names, p->axis[1], y, sizeof y))
        snprintf(y, sizeof y, "x%zu", p->axis[1] + 1);
    cs_area field = cs_area_part(a, 0, 1, a->w, a->h - 2);
    draw_mass(&field, mass, p);
    if (mass == p->counts)
        draw_look(&field, s, p, arm);
    int end = cs_print(a, 0, 0, CS_ROLE_LABEL, "%s", name);
    if (end + 12 < a->w)
        cs_print_right(a, 0, CS_ROLE_FAINT, "%s %s to %s", y,
                       cs_num(p->view[2]).text, cs_num(p->view[3]).text);
    cs_print(a, 0, a->h - 1, CS_ROLE_LABEL, "%s", cs_num(p->view[0]).text);
    cs_print(a, a->w / 2 - 1, a->h - 1, CS_ROLE_LABEL, "%s", x);
    cs_print_right(a, a->h - 1, CS_ROLE_LABEL, "%s", cs_num(p->view[1]).text);
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_look_at *at,
                     size_t arm)
{
    plane p;
    if (!find_plane(s, arm, &p)) {
        cs_panel_empty(a, s, "This run keeps no map of a plane.",
                       "Add the probe \"plane\" to the scenario; a discrete "
                       "target without a plane has none.");
        return;
    }
    bool both = p.truth && at->option % 3 == 0 && a->w >= 30;
    if (both) {
        int half = (a->w - 1) / 2;
        cs_area left = cs_area_part(a, 0, 0, half, a->h);
        cs_area right = cs_area_part(a, half + 1, 0, a->w - half - 1, a->h);
        draw_one(&left, s, &p, p.counts, "visits", arm);
        draw_one(&right, s, &p, p.truth, "exact", arm);
    } else if (p.truth && at->option % 3 == 2) {
        draw_one(a, s, &p, p.truth, "exact", arm);
    } else {
        draw_one(a, s, &p, p.counts, "visits", arm);
    }
}

static void draw(const cs_area *a, const cs_shot *s, const cs_look_at *at)
{
    cs_panel_arms(a, s, at, 20, draw_arm);
}

const cs_panel_type cs_panel_map = {
    .name = "map",
    .title = "map",
    .help = "Two coordinates as a plane: where the chains of the arm have "
            "been, and beside it the exact density where it can be computed. "
            "Shades follow the square root of the mass. @ is the chosen chain, "
            "? its last proposal. o shows visits, exact, or both.",
    .width = 20,
    .height = 7,
    .weight = 1.3,
    .draw = draw,
};
