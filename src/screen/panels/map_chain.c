/* Draws the chosen chain in the panel map, over the plane of two coordinates:
 * its latest steps and the preview of the next step. */
#include "screen/canvas/jumps.h"
#include "screen/panels/map_plane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef cs_map_plane plane;

bool cs_map_cell(const cs_area *a, const plane *p, const double *x, int *at)
{
    double column = cs_map_share(&p->shown[0], x[p->axis[0]]) * a->w;
    double row = (1 - cs_map_share(&p->shown[1], x[p->axis[1]])) * a->h;
    if (!(column >= 0 && column < a->w && row >= 0 && row < a->h))
        return false;
    at[0] = (int)column;
    at[1] = (int)row;
    return true;
}

/* Returns the colour of one half of a cell. */
static unsigned half_of(const cs_cell *cell, bool lower)
{
    bool ink =
        cell->code == 0x2588 || cell->code == (lower ? 0x2584u : 0x2580u);
    return ink ? cell->role : cell->ground;
}

void cs_map_over(const cs_area *a, const int *at, bool lower, cs_role role,
                 unsigned glyph)
{
    const cs_cell *cell = a->canvas->cell +
                          (size_t)(a->y + at[1]) * (size_t)a->canvas->width +
                          (size_t)(a->x + at[0]);
    unsigned under = half_of(cell, lower);
    bool level = under >= CS_ROLE_RAMP && under < CS_ROLE_COUNT;
    cs_put(a, at[0], at[1], level ? cs_theme_over(under) : role, glyph);
    if (level)
        cs_ground(a, at[0], at[1], (cs_role)under);
}

/* Draws the ellipse of one standard deviation around x; c is the covariance
 * (xx, xy, yy). */
static void draw_ellipse(const cs_area *a, const plane *p, const double *x,
                         const double *c, cs_role role, unsigned glyph)
{
    enum { POINTS = 180 };
    static const double turn = 6.283185307179586 / POINTS;
    double l = sqrt(c[0]), across = l > 0 ? c[1] / l : 0;
    double rest = sqrt(fmax(c[2] - across * across, 0));
    double y[2];
    plane flat = *p;
    flat.axis[0] = 0;
    flat.axis[1] = 1;
    for (int i = 0; i < POINTS; i++) {
        int at[2];
        y[0] = x[p->axis[0]] + l * cos(turn * i);
        y[1] = x[p->axis[1]] + across * cos(turn * i) + rest * sin(turn * i);
        if (cs_map_cell(a, &flat, y, at))
            cs_map_over(a, at, false, role, glyph);
    }
}

void cs_map_axis_name(const cs_shot *s, size_t axis, char *out, size_t size)
{
    if (!cs_shot_word(cs_shot_text(s, "coordinates"), axis, out, size))
        snprintf(out, size, "x.%zu", axis + 1);
}

/* Returns the index of a coordinate's scalar in the trace, or `n` if the
 * trace does not contain the coordinate. */
static size_t scalar_of(const cs_shot *s, size_t arm, size_t axis, size_t n)
{
    char name[64], word[64];
    const char *list = cs_shot_text(s, "arm/%zu/trace/names", arm);
    cs_map_axis_name(s, axis, name, sizeof name);
    for (size_t i = 1; i < n && cs_shot_word(list, i, word, sizeof word); i++)
        if (strcmp(word, name) == 0)
            return i;
    return n;
}

/* The newest steps of a chain in the trace, in the coordinates of the plane. */
typedef struct path {
    const double *x, *y; /* [n]; NULL: not known */
    size_t n, chain;
    cs_jumps jumps;
} path;

static path find_path(const cs_shot *s, const plane *p, const cs_row_look *look)
{
    enum { SCALARS = 64 };
    size_t arm = (size_t)look->arm, r, rows, k;
    double group = cs_shot_number(s, 1, "arm/%zu/group", arm);
    path w = {.chain = (size_t)(look->chain / fmax(group, 1))};
    size_t i = scalar_of(s, arm, p->axis[0], SCALARS);
    size_t j = scalar_of(s, arm, p->axis[1], SCALARS);
    w.x = cs_shot_array(s, &r, &w.n, "arm/%zu/trace/%zu/recent", arm, i);
    w.y = cs_shot_array(s, &rows, &k, "arm/%zu/trace/%zu/recent", arm, j);
    if (!w.x || !w.y || r != rows || w.n != k || w.chain >= r)
        return (path){0};
    w.jumps = cs_jumps_find(s, arm, r, w.n);
    w.x += w.chain * w.n;
    w.y += w.chain * w.n;
    return w;
}

/* Draws the previous states of the chain. For a kernel with bins, draws all
 * known steps and then, over them, the jumps. Each jump has its own cell. */
static void draw_path(const cs_area *a, const plane *p, const path *w)
{
    enum { STEPS = 24 };
    size_t first = w->jumps.bin || w->n < STEPS ? 0 : w->n - STEPS;
    plane flat = *p;
    flat.axis[0] = 0;
    flat.axis[1] = 1;
    for (cs_jump kind = CS_NO_JUMP; w->x && kind <= CS_JUMP_UPHILL; kind++)
        for (size_t t = first; t < w->n; t++) {
            const double point[2] = {w->x[t], w->y[t]};
            int at[2];
            if (cs_jump_of(&w->jumps, w->chain, t) != kind ||
                !cs_map_cell(a, &flat, point, at))
                continue;
            if (kind == CS_NO_JUMP)
                cs_map_over(a, at, false, cs_jump_role(kind),
                            cs_jump_glyph(kind));
            else
                cs_put(a, at[0], at[1], cs_jump_role(kind),
                       cs_jump_glyph(kind));
        }
}

/* Draws the path of the chain, and two ellipses. The first ellipse shows the
 * spread of a step that is caused by the kernel's own noise. The second shows
 * the spread that is caused by the noise of the gradient. */
static void draw_noise(const cs_area *a, const cs_shot *s, const plane *p,
                       const path *w, const double *x)
{
    size_t r, n, k;
    size_t i = p->axis[0], j = p->axis[1];
    const double *g = cs_shot_array(s, &r, &n, "look/noise/gradient");
    const double *added = cs_shot_array(s, &r, &k, "look/noise/injected");
    bool known = g && added && i < n && j < n && k == n;
    if (known || w->jumps.bin)
        draw_path(a, p, w);
    if (!known)
        return;
    const double injected[3] = {added[i], 0, added[j]};
    const double gradient[3] = {g[i * n + i], g[i * n + j], g[j * n + j]};
    draw_ellipse(a, p, x, injected, CS_ROLE_ACCEPT, 'o');
    draw_ellipse(a, p, x, gradient, CS_ROLE_REJECT, 'x');
}

/* Draws the points of the next step as dots. In a trajectory that doubles,
 * each point is drawn as the number, from 1, of the doubling that added it.
 * The glyph * marks the end point. */
static void draw_step(const cs_area *a, const cs_shot *s, const plane *p)
{
    size_t n, dim, one, m;
    int at[2];
    const double *x = cs_shot_array(s, &n, &dim, "look/path");
    const double *end = cs_shot_array(s, &one, &m, "look/path/end");
    bool doubles = cs_shot_number(s, 0, "look/path/doubles") != 0;
    if (!x || !end || p->axis[0] >= dim || p->axis[1] >= dim)
        return;
    for (size_t i = 0, doubling = 1; i < n; i++) {
        doubling += i + 1 >= (size_t)1 << doubling;
        unsigned glyph = doubles ? '0' + (unsigned)(doubling % 10) : '.';
        if (cs_map_cell(a, p, x + i * dim, at))
            cs_put(a, at[0], at[1], CS_ROLE_LABEL, glyph);
    }
    if (cs_map_cell(a, p, end, at))
        cs_put(a, at[0], at[1], CS_ROLE_ACCEPT, '*');
}

/* Draws a straight line of one glyph, except at its end points. If `over`, the
 * colours of the cells remain as background. */
static void draw_way(const cs_area *a, const plane *p, const double *from,
                     const double *to, unsigned glyph, cs_role role, bool over)
{
    plane flat = *p;
    int at[2], n = 2 * (a->w > a->h ? a->w : a->h);
    flat.axis[0] = 0;
    flat.axis[1] = 1;
    for (int i = 1; i < n; i++) {
        double part = (double)i / n;
        const double x[2] = {from[0] + part * (to[0] - from[0]),
                             from[1] + part * (to[1] - from[1])};
        if (!cs_map_cell(a, &flat, x, at))
            continue;
        if (over)
            cs_map_over(a, at, false, role, glyph);
        else
            cs_put(a, at[0], at[1], role, glyph);
    }
}

/* Draws the parts of the next Langevin step: the drift from the state (d), and
 * the noise from the end of the drift (n). */
static void draw_drift(const cs_area *a, const cs_shot *s, const plane *p,
                       const double *x, size_t dim)
{
    size_t r, n, m, i = p->axis[0], j = p->axis[1];
    const double *drift = cs_shot_array(s, &r, &n, "look/preview/drift");
    const double *noise = cs_shot_array(s, &r, &m, "look/preview/noise");
    if (!drift || !noise || n != dim || m != dim)
        return;
    const double from[2] = {x[i], x[j]};
    const double mean[2] = {x[i] + drift[i], x[j] + drift[j]};
    const double to[2] = {mean[0] + noise[i], mean[1] + noise[j]};
    draw_way(a, p, mean, to, 'n', CS_ROLE_LABEL, false);
    draw_way(a, p, from, mean, 'd', CS_ROLE_EVENT, false);
    plane flat = *p;
    int at[2];
    flat.axis[0] = 0;
    flat.axis[1] = 1;
    if (cs_map_cell(a, &flat, to, at))
        cs_put(a, at[0], at[1], CS_ROLE_ACCEPT, '*');
}

void cs_map_divergent(const cs_area *a, const cs_shot *s, const plane *p,
                      size_t arm)
{
    size_t n, dim;
    int at[2];
    const double *x =
        cs_shot_array(s, &n, &dim, "arm/%zu/divergent/points", arm);
    bool there = x && p->axis[0] < dim && p->axis[1] < dim;
    for (size_t i = 0; there && i < n; i++)
        if (cs_map_cell(a, p, x + dim * i, at))
            cs_put(a, at[0], at[1], CS_ROLE_REJECT, 'x');
}

/* Returns true if single steps can be seen: the run is paused or slow. */
static bool is_slow(const cs_shot *s)
{
    static const double most = 100; /* steps per second */
    double speed = cs_shot_number(s, 0, "run/speed");
    return strcmp(cs_shot_text(s, "run/state"), "running") != 0 ||
           (speed > 0 && speed <= most);
}

/* Returns the newest steps of the displayed chain, oldest first. Returns NULL
 * if no steps are known, for example for the hot chains of a temperature
 * ladder. */
static const cs_row_move *find_moves(const cs_shot *s, const cs_row_look *look,
                                     size_t *n)
{
    size_t arm = (size_t)look->arm, all;
    double group = fmax(cs_shot_number(s, 1, "arm/%zu/group", arm), 1);
    double of = floor(cs_shot_number(s, 0, "arm/%zu/chains", arm) / group);
    double chain = look->chain / group;
    const cs_row_move *move =
        CS_SHOT_ROWS(s, cs_row_move, &all, CS_KEY_PLANE_MOVES, arm);
    *n = of >= 1 && of <= (double)all ? all / (size_t)of : 0;
    if (!move || !*n || !(chain >= 0 && chain < of) || chain != floor(chain))
        return NULL;
    return move + (size_t)chain * *n;
}

static cs_role verdict_role(const cs_row_move *m)
{
    return m->accepted ? CS_ROLE_ACCEPT : CS_ROLE_REJECT;
}

static unsigned verdict_glyph(const cs_row_move *m)
{
    return m->accepted ? 0x25B2 : 0x25BC;
}

/* Draws dots from one point to another without changing the background
 * colours of their cells. */
static void draw_dots(const cs_area *a, const plane *flat, const double *from,
                      const double *to)
{
    int at[2], n = 2 * (a->w > a->h ? a->w : a->h);
    for (int i = 1; i < n; i++) {
        double part = (double)i / n;
        const double x[2] = {from[0] + part * (to[0] - from[0]),
                             from[1] + part * (to[1] - from[1])};
        if (cs_map_cell(a, flat, x, at))
            cs_map_over(a, at, false, CS_ROLE_LABEL, 0xB7);
    }
}

/* Returns the glyph for a line with this slope, in cells. */
static unsigned slope_glyph(const int *from, const int *to)
{
    int x = to[0] - from[0], y = to[1] - from[1];
    if (abs(x) > 4 * abs(y))
        return '-';
    if (abs(y) > 2 * abs(x))
        return '|';
    return (x > 0) == (y > 0) ? '\\' : '/';
}

/* ---- stairs of a Gibbs sampler --------------------------------------------- */

/* Returns the member that moves the coordinate of an axis; -1: not known, or
 * several members. */
static double mover_of(const cs_shot *s, size_t arm, size_t axis)
{
    size_t rows, dim, n, d = axis;
    const double *by =
        cs_shot_array(s, &rows, &dim, "arm/%zu/kernel/moved_by", arm);
    const cs_row_shown *shown = CS_SHOT_ROWS(s, cs_row_shown, &n, CS_KEY_SHOWN);
    if (shown)
        d = axis < n && shown[axis].coordinate >= 0
                ? cs_shot_whole(shown[axis].coordinate, dim)
                : dim;
    return by && d < dim ? by[d] : -1;
}

/* Returns the axis, 0 or 1, that a member moves before another member moves the
 * other: each step goes along this axis to a corner, and then along the other.
 * Returns -1 if the kernel does not move the axes one after the other, or if the
 * path does not have all steps. */
static int first_axis(const cs_shot *s, const plane *p, size_t arm)
{
    double x = mover_of(s, arm, p->axis[0]), y = mover_of(s, arm, p->axis[1]);
    if (x < 0 || y < 0 || x == y ||
        cs_shot_number(s, 0, "arm/%zu/plane/every", arm) != 1)
        return -1;
    return y < x;
}

/* Draws a step: straight, or along the axes with a corner. The last step is a
 * line. */
static void draw_leg(const cs_area *a, const plane *flat, const cs_row_move *m,
                     int first, bool last)
{
    double corner[2] = {m[first == 0].x, m[first == 1].y};
    const double *from = &m->x, *to = &m[1].x;
    int at[2];
    if (first < 0) {
        draw_dots(a, flat, from, to);
        return;
    }
    if (last) {
        draw_way(a, flat, from, corner, first ? '|' : '-', CS_ROLE_ACCEPT,
                 true);
        draw_way(a, flat, corner, to, first ? '-' : '|', CS_ROLE_ACCEPT, true);
    } else {
        draw_dots(a, flat, from, corner);
        draw_dots(a, flat, corner, to);
    }
    if (last && cs_map_cell(a, flat, corner, at))
        cs_map_over(a, at, false, CS_ROLE_ACCEPT, first ? '-' : '|');
}

/* Draws past states as dots, proposals as triangles, and a line to the last
 * proposal. `first_moved`: as in
 * first_axis. */
static void draw_moves(const cs_area *a, const plane *p, const cs_row_move *m,
                       size_t n, int first_moved)
{
    enum { ROOMY = 30, LESS = 5 };
    plane flat = *p;
    int at[2], from[2];
    flat.axis[0] = 0;
    flat.axis[1] = 1;
    size_t first = a->w < ROOMY && n > LESS ? n - LESS : 0;
    for (size_t t = first + 1; t < n; t++)
        draw_leg(a, &flat, &m[t - 1], first_moved, t + 1 == n);
    for (size_t t = first; t < n; t++)
        if (cs_map_cell(a, &flat, &m[t].to_x, at))
            cs_put(a, at[0], at[1], verdict_role(&m[t]), verdict_glyph(&m[t]));
    const cs_row_move *last = &m[n - 1], *was = n > 1 ? last - 1 : NULL;
    if (was && cs_map_cell(a, &flat, &was->x, from) &&
        cs_map_cell(a, &flat, &last->to_x, at)) {
        draw_way(a, p, &was->x, &last->to_x, slope_glyph(from, at),
                 verdict_role(last), true);
        cs_put(a, at[0], at[1], verdict_role(last), verdict_glyph(last));
    }
}

void cs_map_chain(const cs_area *a, const cs_shot *s, const plane *p,
                  size_t arm)
{
    size_t r, n, m;
    int at[2];
    const cs_row_look *look = cs_shot_look(s);
    const double *x = cs_shot_array(s, &r, &n, "look/x");
    const double *y = cs_shot_array(s, &r, &m, "look/proposal");
    if (!look || !x || look->arm != (double)arm || p->axis[0] >= n ||
        p->axis[1] >= n)
        return;
    const path w = find_path(s, p, look);
    draw_noise(a, s, p, &w, x);
    draw_step(a, s, p);
    draw_drift(a, s, p, x, n);
    size_t steps;
    const cs_row_move *move = find_moves(s, look, &steps);
    if (move && !w.jumps.bin && is_slow(s))
        draw_moves(a, p, move, steps, first_axis(s, p, arm));
    else if (y && m == n && cs_map_cell(a, p, y, at))
        cs_put(a, at[0], at[1], CS_ROLE_EVENT, '?');
    if (cs_map_cell(a, p, x, at)) {
        cs_put(a, at[0], at[1], CS_ROLE_FOCUS, '@');
        cs_attribute(a, at[0], at[1], 1, CS_REVERSE);
    }
}
