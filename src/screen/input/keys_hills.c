#include "screen/input/key_acts.h"
#include "screen/input/mouse.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An arrow key moves the hill by 1/40 of the map; widths and weights change by
 * a tenth of a decade. */
enum { STEPS = 40 };
#define FACTOR 1.2589254117941673

static const cs_row_hill *hills_of(const cs_shot *s, size_t *n)
{
    const cs_row_hill *row = CS_SHOT_ROWS(s, cs_row_hill, n, CS_KEY_HILLS);
    *n = row ? *n : 0;
    return row;
}

/* Returns the chosen hill. If no hill is chosen, returns NULL. */
static const cs_row_hill *chosen(const cs_key_press *p)
{
    size_t n;
    const cs_row_hill *row = hills_of(p->shot, &n);
    size_t k = p->ui->look.hill;
    return k >= 1 && k <= n ? &row[k - 1] : NULL;
}

/* Returns the map of the last frame, if it is visible. */
static const cs_plane *map_of(const cs_ui *ui)
{
    return ui->drawn.canvas && ui->drawn.canvas->n_planes
               ? &ui->drawn.canvas->plane[0]
               : NULL;
}

static void complain(cs_ui *ui, const char *what)
{
    cs_log_add(&ui->log, CS_LOG_ERROR, what);
}

void cs_key_landscape(const cs_key_press *p)
{
    cs_ui *ui = p->ui;
    size_t n, i = 0;
    hills_of(p->shot, &n);
    if (ui->look.hill || !n) {
        if (!n)
            complain(ui, "only a mixture in the plane has hills: open "
                         "scenarios/start/09_landscape.lua");
        ui->look.hill = 0;
        return;
    }
    while (i < ui->slots.n && strcmp(ui->slots.of[i].type->name, "map") != 0)
        i++;
    if (i < ui->slots.n) {
        ui->slots.of[i].on = true;
        ui->slots.focus = i;
    }
    ui->look.hill = 1;
}

void cs_key_hill(const cs_key_press *p)
{
    size_t n;
    hills_of(p->shot, &n);
    if (n && p->ui->look.hill)
        p->ui->look.hill =
            1 + cs_turn((p->ui->look.hill - 1) % n, n, p->key == 'n');
}

static void move(const cs_key_press *p, double across, double along)
{
    const cs_row_hill *h = chosen(p);
    const cs_plane *map = map_of(p->ui);
    double wide = map ? map->right - map->left : STEPS * (h ? h->sd / 4 : 1);
    double high = map ? map->top - map->bottom : wide;
    if (h)
        cs_say(p, "hill %zu at %.4g %.4g", p->ui->look.hill,
               h->x + across * wide / STEPS, h->y + along * high / STEPS);
}

void cs_key_hill_across(const cs_key_press *p)
{
    move(p, p->key == CS_KEY_RIGHT ? 1 : -1, 0);
}

void cs_key_hill_along(const cs_key_press *p)
{
    move(p, 0, p->key == CS_KEY_UP ? 1 : -1);
}

void cs_key_hill_width(const cs_key_press *p)
{
    const cs_row_hill *h = chosen(p);
    if (h)
        cs_say(p, "hill %zu width %.4g", p->ui->look.hill,
               p->key == ')' ? h->sd * FACTOR : h->sd / FACTOR);
}

/* Changes the weight by multiplying its odds, so that the weight never reaches
 * 1. */
void cs_key_hill_weight(const cs_key_press *p)
{
    const cs_row_hill *h = chosen(p);
    double odds = h ? h->share / (1 - h->share) : 1;
    odds = p->key == '+' ? odds * FACTOR : odds / FACTOR;
    if (h)
        cs_say(p, "hill %zu weight %.4g", p->ui->look.hill, odds / (1 + odds));
}

void cs_key_hill_put(const cs_key_press *p)
{
    const cs_plane *map = map_of(p->ui);
    size_t n;
    hills_of(p->shot, &n);
    if (!map) {
        complain(p->ui, "the map is not visible: type :panel map");
        return;
    }
    cs_say(p, "hill add %.4g %.4g", (map->left + map->right) / 2,
           (map->bottom + map->top) / 2);
    p->ui->look.hill = n + 1;
}

void cs_key_hill_remove(const cs_key_press *p)
{
    if (!chosen(p))
        return;
    cs_say(p, "hill drop %zu", p->ui->look.hill);
    p->ui->look.hill = p->ui->look.hill > 1 ? p->ui->look.hill - 1 : 1;
}

/* ---- the mouse --------------------------------------------------------------- */

static bool is_in(const cs_plane *m, int x, int y)
{
    return x >= m->x && x < m->x + m->w && y >= m->y && y < m->y + m->h;
}

static const cs_plane *plane_at(const cs_ui *ui, int x, int y)
{
    for (size_t i = 0; ui->drawn.canvas && i < ui->drawn.canvas->n_planes; i++)
        if (is_in(&ui->drawn.canvas->plane[i], x, y))
            return &ui->drawn.canvas->plane[i];
    return NULL;
}

/* Computes the point at the middle of a cell. */
static void point_of(const cs_plane *m, int x, int y, double at[2])
{
    at[0] = cs_axis_value(
        &(cs_x_axis){.from = m->left, .to = m->right, .log = m->log_x},
        (x - m->x + 0.5) / m->w);
    at[1] = cs_axis_value(
        &(cs_x_axis){.from = m->top, .to = m->bottom, .log = m->log_y},
        (y - m->y + 0.5) / m->h);
}

/* Returns the position of v between two edges, as a share. */
static double share_of(double v, double from, double to, bool log_scale)
{
    return log_scale ? log(fmax(v, DBL_MIN) / from) / log(to / from)
                     : (v - from) / (to - from);
}

/* Returns the number, from 1, of the hill whose top is close to a cell, or 0
 * if no hill is close. `reach` is in columns; a row counts as two columns. */
static size_t hill_near(const cs_shot *s, const cs_plane *m, int x, int y,
                        double reach)
{
    size_t n, best = 0;
    const cs_row_hill *h = hills_of(s, &n);
    for (size_t k = 0; k < n; k++) {
        double across = share_of(h[k].x, m->left, m->right, m->log_x);
        double down = share_of(h[k].y, m->top, m->bottom, m->log_y);
        double column = across * m->w - 0.5 + m->x;
        double row = down * m->h - 0.5 + m->y;
        double far = hypot(column - x, 2 * (row - y));
        if (far < reach) {
            reach = far;
            best = k + 1;
        }
    }
    return best;
}

/* Chooses the hill at the cell. If there is no hill at the cell, adds a hill
 * there and chooses it. */
static void take(const cs_key_press *p, const cs_plane *m, int x, int y)
{
    cs_ui *ui = p->ui;
    double at[2];
    size_t n, k = hill_near(p->shot, m, x, y, 2.5);
    hills_of(p->shot, &n);
    ui->mouse.pull = k ? CS_PULL_BEGUN : CS_PULL_ON;
    ui->look.hill = k ? k : n + 1;
    point_of(m, x, y, at);
    if (!k)
        cs_say(p, "hill add %.4g %.4g", at[0], at[1]);
}

/* Drags a hill; only the first move starts a new undo step. */
static void pull(const cs_key_press *p, const cs_plane *m, int x, int y)
{
    cs_ui *ui = p->ui;
    double at[2];
    point_of(m, x, y, at);
    cs_say(p, "hill %zu %s %.4g %.4g", ui->look.hill,
           ui->mouse.pull == CS_PULL_BEGUN ? "at" : "drag", at[0], at[1]);
    ui->mouse.pull = CS_PULL_ON;
}

static bool build(const cs_key_press *p, const cs_mouse *m)
{
    cs_ui *ui = p->ui;
    const cs_plane *map = plane_at(ui, m->x, m->y);
    if (m->kind == CS_MOUSE_RELEASE) {
        if (ui->mouse.pull && !map)
            cs_key_hill_remove(p);
        ui->mouse.pull = CS_PULL_NONE;
        return false;
    }
    if (m->kind == CS_MOUSE_DRAG && ui->mouse.pull) {
        if (map)
            pull(p, map, m->x, m->y);
        return true;
    }
    if (!map)
        return false;
    if (m->kind == CS_MOUSE_PRESS) {
        take(p, map, m->x, m->y);
        return true;
    }
    if (m->kind == CS_MOUSE_DRAG)
        return false;
    size_t near = hill_near(p->shot, map, m->x, m->y, HUGE_VAL);
    cs_key_press as = *p;
    as.key = m->kind == CS_MOUSE_WHEEL_UP ? ')' : '(';
    ui->look.hill = near ? near : ui->look.hill;
    cs_key_hill_width(&as);
    return true;
}

/* Answers an open question about a place by the point at[2] of the map. Returns
 * false if no such question is open, or if it is about other coordinates. */
static bool answer_place(const cs_key_press *p, const cs_plane *map,
                         const double *at)
{
    const char *names = cs_shot_text(p->shot, "coordinates");
    const char *asked = cs_shot_text(p->shot, "course/place");
    char shown[64], wanted[64];
    if (!cs_shot_asks(p->shot) || !*asked)
        return false;
    for (size_t i = 0; i < 2; i++)
        if (!cs_shot_word(names, map->axis[i], shown, sizeof shown) ||
            !cs_shot_word(asked, i, wanted, sizeof wanted) ||
            strcmp(shown, wanted) != 0)
            return false;
    cs_say(p, "answer %.4g %.4g", at[0], at[1]);
    return true;
}

/* Moves the displayed chain, or the first chain of another arm, to the cell. */
static bool place(const cs_key_press *p, const cs_mouse *m)
{
    const cs_plane *map = plane_at(p->ui, m->x, m->y);
    const cs_selection *look = &p->ui->look;
    double at[2];
    if (!map)
        return false;
    point_of(map, m->x, m->y, at);
    if (answer_place(p, map, at))
        return true;
    cs_say(p, "start %s %zu at %zu=%.4g %zu=%.4g",
           cs_shot_arm(p->shot, map->arm),
           map->arm == look->arm ? look->chain + 1 : 1, map->axis[0] + 1, at[0],
           map->axis[1] + 1, at[1]);
    return true;
}

bool cs_map_mouse(const cs_key_press *p, const cs_mouse *m)
{
    if (cs_ui_views(p->ui) & 1u << CS_VIEW_BUILD)
        return build(p, m);
    return m->kind == CS_MOUSE_PRESS && place(p, m);
}
