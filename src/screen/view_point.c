/* The arrow of a lesson: a word at the row of an arm, at a place of the map or
 * at a value of a histogram. */
#include "screen/state/ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cell of the canvas, and the columns in which the word may be written. */
typedef struct mark {
    int x, y, left, right;
} mark;

/* Finds the end of an arm's name in the strip. */
static bool find_row(const cs_ui *ui, const cs_shot *s, const char *name,
                     mark *out)
{
    for (size_t i = 0; i < ui->mouse.n_hits; i++) {
        const cs_hit *hit = &ui->mouse.hit[i];
        if (hit->kind != CS_HIT_ARM ||
            strcmp(cs_shot_arm(s, hit->key), name) != 0)
            continue;
        *out = (mark){hit->x + 3 + cs_text_width(name), hit->y, hit->x,
                      hit->x + hit->w};
        return true;
    }
    return false;
}

static int column(double share, int x, int w)
{
    return share >= 0 && share <= 1 ? x + (int)lround(share * (w - 1)) : -1;
}

/* Finds a place in the first map. */
static bool find_place(const cs_canvas *c, const char *text, mark *out)
{
    double x, y;
    if (sscanf(text, "%lf %lf", &x, &y) != 2 || c->n_planes == 0)
        return false;
    const cs_plane *p = &c->plane[0];
    int at = column((x - p->left) / (p->right - p->left), p->x, p->w);
    int up = column((p->top - y) / (p->top - p->bottom), p->y, p->h);
    *out = (mark){at, up, p->x, p->x + p->w};
    return at >= 0 && up >= 0;
}

/* Finds a value on the axis of the panel `marginal`. */
static bool find_value(const cs_ui *ui, const cs_canvas *c, const char *text,
                       mark *out)
{
    double value;
    const cs_area *in = NULL;
    if (sscanf(text, "%lf", &value) != 1)
        return false;
    for (size_t i = 0; i < ui->drawn.n_parts; i++)
        if (strcmp(ui->slots.of[ui->drawn.part_of[i]].type->name, "marginal") ==
            0)
            in = &ui->drawn.part[i];
    for (size_t i = 0; in && i < c->n_axes; i++) {
        const cs_x_axis *a = &c->axis[i];
        bool inside = a->x >= in->x && a->x < in->x + in->w && a->y >= in->y &&
                      a->y < in->y + in->h;
        int at = column((value - a->from) / (a->to - a->from), a->x, a->w);
        if (!inside || a->plane || a->log || at < 0)
            continue;
        *out = (mark){at, a->top, a->x, a->x + a->w};
        return true;
    }
    return false;
}

static bool find(const cs_ui *ui, const cs_shot *s, mark *out)
{
    const cs_canvas *c = ui->drawn.canvas;
    const char *arm = cs_shot_text(s, "course/point/arm");
    const char *x = cs_shot_text(s, "course/point/x");
    const char *value = cs_shot_text(s, "course/point/value");
    if (*arm)
        return find_row(ui, s, arm, out);
    return *x ? find_place(c, x, out) : find_value(ui, c, value, out);
}

void cs_view_point(const cs_area *whole, const cs_ui *ui, const cs_shot *s)
{
    const char *word = cs_shot_text(s, "course/point/word");
    mark at;
    if (!*word || !find(ui, s, &at) || at.y < 0 || at.y >= whole->h)
        return;
    bool plain = whole->canvas->glyphs == CS_ASCII;
    char text[120];
    int w = cs_text_width(word) + 2;
    bool right = at.x + 1 + w <= at.right;
    int x = right ? at.x + 1 : at.x - w;
    if (x < at.left)
        return;
    if (right)
        snprintf(text, sizeof text, "%s %.100s", plain ? "<" : "\u2190", word);
    else
        snprintf(text, sizeof text, "%.100s %s", word, plain ? ">" : "\u2192");
    cs_print_cut(whole, x, at.y, w, CS_ROLE_WARN, "%s", text);
    cs_attribute(whole, x, at.y, w, CS_BOLD);
}
