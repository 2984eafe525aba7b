#include "screen/state/layout.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    TITLE = 1,
    GAP = 1, /* columns between panels, and lines below the strip */
    WIDE = 98,
    LEFT = 52, /* default columns of the strip */
    LEAST_W = CS_LAYOUT_WIDTH,
    LEAST_H = CS_LAYOUT_HEIGHT + TITLE,
    TALL = 13, /* usual lines of a panel below the strip */
    MOST_ARMS = 12
};

/* share of the height for the large panel */
#define MAIN_SHARE 0.56

bool cs_layout_fits(int w, int h)
{
    enum { COLUMNS = 60, LINES = 16 };
    return w >= COLUMNS && h >= LINES;
}

bool cs_layout_is_wide(int w)
{
    return w >= WIDE;
}

static int clamp(double x, int low, int high)
{
    return x < low ? low : x > high ? high : (int)x;
}

/* Returns a size set by dragging; 0: default. */
static double given(const double *size, size_t panel)
{
    return size ? size[panel] : 0;
}

/* Cuts n places of one region into equal parts of w columns or h lines, or in
 * proportion to the sizes that were set. */
static void cut(cs_layout_place *p, size_t n, const cs_layout_place *field,
                bool down, const double *size)
{
    double all = 0, share = 0;
    int gap = down ? 0 : GAP, whole = (down ? field->h : field->w) + gap;
    for (size_t i = 0; i < n; i++) {
        double s = given(size, p[i].panel);
        all += s > 0 ? s : (double)whole / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double s = given(size, p[i].panel);
        int from = (int)(share / all * whole + 1e-6);
        share += s > 0 ? s : (double)whole / (double)n;
        int length = (int)(share / all * whole + 1e-6) - from - gap;
        p[i].region = field->region;
        p[i].x = down ? field->x : field->x + from;
        p[i].y = down ? field->y + from : field->y;
        p[i].w = down ? field->w : length;
        p[i].h = down ? length : field->h;
    }
}

static bool is_next(const cs_layout_wish *wish, size_t i)
{
    return wish->next && strcmp(wish->slot[i].type->name, wish->next) == 0;
}

static bool is_shown(const cs_layout_wish *wish, size_t i)
{
    bool text = wish->slot[i].type->text;
    return i == wish->focus || is_next(wish, i) ||
           (wish->slot[i].on && (wish->text || !text));
}

/* Moves entry `from` of the list to the earlier place `to`. */
static void bring(cs_layout_place *p, size_t from, size_t to)
{
    for (size_t i = from; i > to; i--) {
        size_t panel = p[i].panel;
        p[i].panel = p[i - 1].panel;
        p[i - 1].panel = panel;
    }
}

/* Lists the visible panels: the large one first. */
static size_t list_panels(const cs_layout_wish *wish, cs_layout_place *p)
{
    size_t n = 0, large = 0;
    for (size_t i = 0; i < wish->n; i++)
        if (is_shown(wish, i))
            p[n++].panel = i;
    while (large < n && (wish->compare ? p[large].panel != wish->focus
                                       : wish->slot[p[large].panel].type->text))
        large++;
    bring(p, large < n ? large : 0, 0);
    size_t to = n > 1 && wish->slot[p[1].panel].type->text ? 2 : 1;
    for (size_t i = to + 1; i < n; i++)
        if (is_next(wish, p[i].panel))
            bring(p, i, to);
    return n;
}

/* If none of the first n places has the focused panel, the last of these n
 * places gets it. */
static void keep_focus(cs_layout_place *p, size_t n, size_t all, size_t focus)
{
    for (size_t i = n; i < all; i++)
        if (p[i].panel == focus) {
            p[i].panel = p[n - 1].panel;
            p[n - 1].panel = focus;
        }
}

/* Places the large panel and, below it, the `feet` others in `field`. */
static void place_main(cs_layout *l, size_t feet, const cs_layout_place *field,
                       const cs_layout_sizes *sizes)
{
    cs_layout_place *p = l->place, foot = *field;
    double tall = given(sizes ? sizes->tall : NULL, p->panel);
    int most = field->h - (feet ? LEAST_H : 0);
    int h = feet ? clamp(tall >= LEAST_H ? tall : field->h * MAIN_SHARE,
                         LEAST_H, most < LEAST_H ? LEAST_H : most)
                 : field->h;
    size_t panel = p->panel;
    *p = *field;
    p->panel = panel;
    p->h = h;
    foot.region = CS_REGION_FOOT;
    foot.y += h;
    foot.h -= h;
    cut(p + l->n - feet, feet, &foot, false, sizes ? sizes->wide : NULL);
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the number of panels that fit below a large panel. */
static size_t feet_of(const cs_layout_place *field)
{
    return field->h >= 2 * LEAST_H + 4
               ? (size_t)((field->w + GAP) / (LEAST_W + GAP + 2))
               : 0;
}

static void place_wide(const cs_layout_wish *wish, cs_layout *l, int w, int h)
{
    const cs_layout_sizes *sizes = wish->sizes;
    double wide = given(sizes ? sizes->wide : NULL, l->place[0].panel);
    int left =
        wish->arms == 0
            ? 0
            : clamp(wide >= LEAST_W ? w - wide - GAP
                                    : fmin(w * 0.45, fmax(LEFT, w * 0.36)),
                    LEAST_W, w - LEAST_W - GAP);
    l->strip.w = left;
    cs_layout_place field = {.region = CS_REGION_MAIN, .h = h};
    field.x = left ? left + GAP : 0;
    field.w = w - field.x;
    cs_layout_place below = {.region = CS_REGION_LEFT, .w = left};
    below.y = l->strip.h ? l->strip.h + GAP : 0;
    below.h = h - below.y;
    size_t others = l->n - 1, feet = wish->compare ? 0 : feet_of(&field);
    size_t lefts = left == 0 || wish->list || below.h < LEAST_H ? 0
                   : below.h < 2 * TALL                         ? 1
                                        : (size_t)below.h / TALL;
    feet = least_of(feet, others - (lefts && others ? 1 : 0));
    lefts = least_of(lefts, others - feet);
    keep_focus(l->place, 1 + lefts + feet, l->n, wish->focus);
    l->n = 1 + lefts + feet;
    place_main(l, feet, &field, sizes);
    cut(l->place + 1, lefts, &below, true, sizes ? sizes->tall : NULL);
}

static void place_narrow(const cs_layout_wish *wish, cs_layout *l, int w, int h)
{
    l->strip.w = w;
    cs_layout_place field = {.region = CS_REGION_MAIN, .w = w};
    field.y = l->strip.h;
    field.h = h - field.y;
    size_t others = l->n - 1, feet = wish->compare ? 0 : feet_of(&field);
    bool beside = feet == 0 && !wish->compare && w >= 2 * LEAST_W + GAP;
    feet = least_of(beside ? 1 : feet, others);
    keep_focus(l->place, 1 + feet, l->n, wish->focus);
    l->n = 1 + feet;
    if (!beside || feet == 0) {
        place_main(l, feet, &field, wish->sizes);
        return;
    }
    cut(l->place, 2, &field, false, wish->sizes ? wish->sizes->wide : NULL);
    l->place[1].region = CS_REGION_FOOT;
}

/* Brings the lesson to the first place. Returns false if it is not shown. */
static bool bring_lesson(const cs_layout_wish *wish, cs_layout *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(wish->slot[l->place[i].panel].type->name, "lesson") == 0) {
            bring(l->place, i, 0);
            return true;
        }
    return false;
}

/* Places the lesson, with half of the lines, above one or two pictures. */
static void place_lecture(const cs_layout_wish *wish, cs_layout *l, int w,
                          int h)
{
    cs_layout_place field = {.region = CS_REGION_MAIN, .w = w, .h = h};
    size_t most = h < 2 * LEAST_H ? 0 : w < 2 * LEAST_W + GAP ? 1 : 2;
    size_t feet = least_of(most, l->n - 1);
    if (feet > 0 && l->place[0].panel != wish->focus)
        keep_focus(l->place + 1, feet, l->n - 1, wish->focus);
    l->n = 1 + feet;
    place_main(l, feet, &field, wish->sizes);
}

cs_layout cs_layout_make(const cs_layout_wish *wish, int w, int h)
{
    assert(wish->n <= CS_LAYOUT_PANELS);
    cs_layout l = {.n = 0};
    if (w < 1 || h < 1)
        return l;
    size_t arms = wish->lecture ? 0 : least_of(wish->arms, MOST_ARMS);
    /* most of the lines are for panels: two thirds or, below a strip at the
     * left, half */
    int lines = cs_layout_is_wide(w) ? h / 2 : h / 3;
    arms = least_of(arms, lines > 1 ? (size_t)lines - 1 : 0);
    l.strip.h = arms ? (int)arms + TITLE : 0;
    l.n = list_panels(wish, l.place);
    if (l.n == 0)
        return l;
    if (wish->lecture && bring_lesson(wish, &l))
        place_lecture(wish, &l, w, h);
    else if (cs_layout_is_wide(w))
        place_wide(wish, &l, w, h);
    else
        place_narrow(wish, &l, w, h);
    return l;
}

/* Sets the sizes of place k to its current sizes, and also the sizes of all
 * places in the region of place i. Then moves `by` cells from place k to place
 * i. */
static void move(const cs_layout *l, size_t i, size_t k, bool down, int by,
                 double *size)
{
    int least = down ? LEAST_H : LEAST_W + GAP;
    for (size_t j = 0; j < l->n; j++)
        if (j == k || l->place[j].region == l->place[i].region)
            size[l->place[j].panel] =
                down ? l->place[j].h : l->place[j].w + GAP;
    double *a = &size[l->place[i].panel], *b = &size[l->place[k].panel];
    double both = *a + *b;
    *a = fmin(fmax(*a + by, least), both - least);
    *b = both - *a;
}

void cs_layout_move(const cs_layout *l, size_t i, bool down, int by,
                    cs_layout_sizes *sizes)
{
    assert(l->n && (i < l->n || (i == CS_LAYOUT_STRIP && !down)));
    const cs_layout_place *large = l->place;
    double *size = down ? sizes->tall : sizes->wide;
    if (i == CS_LAYOUT_STRIP) {
        size[large->panel] = fmax(LEAST_W, large->w - by);
        return;
    }
    const cs_layout_place *p = &l->place[i];
    size_t next = i + 1;
    bool same = next < l->n && l->place[next].region == p->region;
    if (p->region == CS_REGION_LEFT && !down)
        size[large->panel] = fmax(LEAST_W, large->w - by);
    else if (p->region == CS_REGION_MAIN && down && l->n > 1)
        size[large->panel] = fmax(LEAST_H, large->h + by);
    else if (p->region == CS_REGION_MAIN && l->n > 1 &&
             l->place[1].y == large->y && l->place[1].x > large->x)
        move(l, 0, 1, false, by, size);
    else if (same && down == (p->region == CS_REGION_LEFT))
        move(l, i, next, down, by, size);
}
