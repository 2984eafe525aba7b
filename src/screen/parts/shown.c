/* Draws a state by parameter. */
#include "screen/parts/shown.h"

#include "base/count.h"
#include "stat/diagnostics.h"
#include "target/space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns: names, kinds, numbers; a bar has at least BAR columns. */
enum { NAME = 10, KIND = 12, NUMBER = 10, AT = NAME + KIND, BAR = 12 };

cs_shown_kinds cs_shown_find(const cs_shot *s, size_t arm)
{
    size_t width;
    cs_shown_kinds k = {.names = cs_shot_text(s, "coordinates")};
    k.row = CS_SHOT_ROWS(s, cs_row_shown, &k.n, CS_KEY_SHOWN);
    k.quantile = cs_shot_array(s, &k.n_marginals, &width,
                               "arm/%zu/diagnostics/quantiles", arm);
    if (width != 3 * CS_QUANTILE_WORDS)
        k.quantile = NULL;
    return k;
}

bool cs_shown_by_part(const cs_shot *s, size_t arm)
{
    size_t n, columns;
    bool mixed = strcmp(cs_shot_text(s, "run/space"), "mixed") == 0;
    return CS_SHOT_ROWS(s, cs_row_shown, &n, CS_KEY_SHOWN) &&
           (mixed ||
            cs_shot_array(s, &n, &columns, "arm/%zu/kernel/members", arm));
}

bool cs_shown_is_discrete(const cs_shown_kinds *k, size_t i)
{
    return i < k->n && k->row[i].kind != CS_CONTINUOUS;
}

void cs_shown_name(const cs_shown_kinds *k, size_t i, bool whole, char *name,
                   size_t size)
{
    if (!cs_shot_word(k->names, i, name, size))
        snprintf(name, size, "x.%zu", i + 1);
    char *dot = strchr(name, '.');
    if (whole && dot && i < k->n && k->row[i].n > 1)
        *dot = 0;
}

/* ---- items ---------------------------------------------------------------- */

/* An item of the list: quantities first .. first + n - 1; several are elements
 * of a vector of discrete numbers. */
typedef struct item {
    size_t first, n;
    bool row;   /* the elements are in a row */
    int digits; /* of an element in a row */
} item;

static item item_at(const cs_shown_kinds *k, size_t i, size_t all)
{
    const cs_row_shown *r = i < k->n ? &k->row[i] : NULL;
    size_t n = r ? cs_shot_whole(r->n, all - i) : 1;
    item out = {.first = i, .n = 1};
    if (!r || r->kind == CS_CONTINUOUS || n < 2)
        return out;
    double most = fmax(fabs(r->low), fabs(r->low + r->values - 1));
    out.n = n;
    out.row = true;
    out.digits = 1 + (most > 9) + (most > 99) + (most > 999) + (r->low < 0);
    return out;
}

/* Returns the number of elements in a line; bits have no space between them. */
static size_t elements(const cs_shown_kinds *k, const item *t, int width)
{
    bool bits = k->row[t->first].kind == CS_BINARY;
    int each = bits ? 1 : t->digits + 1, n = (width - AT - 1) / each;
    return n > 1 ? (size_t)n : 1;
}

/* Returns true if an element between two indices has changed. */
static bool has_changed(const cs_shown_state *s, size_t from, size_t end)
{
    for (size_t i = from; s->from && i < end && i < s->n_from; i++)
        if (s->x[i] != s->from[i])
            return true;
    return false;
}

static int lines_of(const cs_shown_kinds *k, const cs_shown_state *s,
                    const item *t, int width)
{
    int lines = 0;
    if (!t->row)
        return 1;
    size_t each = elements(k, t, width), end = t->first + t->n;
    for (size_t i = t->first; i < end; i += each)
        lines += 1 + has_changed(s, i, i + each < end ? i + each : end);
    return lines;
}

int cs_shown_lines(const cs_shown_kinds *k, const cs_shown_state *s, int width)
{
    int lines = 1;
    for (size_t i = 0; i < s->n;) {
        item t = item_at(k, i, s->n);
        lines += lines_of(k, s, &t, width);
        i += t.n;
    }
    return lines;
}

/* ---- drawing -------------------------------------------------------------- */

static void draw_kind(const cs_area *a, int y, const cs_shown_kinds *k,
                      const item *t)
{
    static const struct {
        double kind;
        const char *one;
    } word[] = {{CS_BINARY, "bit"},
                {CS_CATEGORICAL, "label"},
                {CS_ORDINAL, "integer"},
                {CS_CONTINUOUS, "real"}};
    const cs_row_shown *r = t->first < k->n ? &k->row[t->first] : NULL;
    if (!r || r->coordinate < 0) {
        cs_print(a, NAME, y, CS_ROLE_FAINT, "generated");
        return;
    }
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (word[i].kind == r->kind && r->n > 1 &&
            (t->row || r->first == (double)t->first))
            cs_print(a, NAME, y, CS_ROLE_LABEL, "%.0f %ss", r->n, word[i].one);
        else if (word[i].kind == r->kind && r->n <= 1)
            cs_print(a, NAME, y, CS_ROLE_LABEL, "%s", word[i].one);
}

/* Draws the range of 5 to 95 % of the draws, and the present value in it. A
 * value outside the drawn range is at its end. */
static void draw_marginal(const cs_area *a, int x, int y,
                          const cs_shown_kinds *k, size_t i, double value)
{
    int w = a->w - x;
    if (!k->quantile || i + 1 >= k->n_marginals || w < BAR)
        return;
    const double *q = k->quantile + (i + 1) * 3 * CS_QUANTILE_WORDS;
    double low = q[0], high = q[2 * CS_QUANTILE_WORDS], wide = high - low;
    if (!(wide > 0) || !isfinite(wide) || !isfinite(value))
        return;
    w = w > 4 * BAR ? 4 * BAR : w;
    double left = low - wide / 2, each = 2 * wide / (w - 1);
    int from = (int)((low - left) / each + 0.5),
        to = (int)((high - left) / each + 0.5);
    for (int c = from; c <= to; c++)
        cs_put(a, x + c, y, CS_ROLE_FAINT,
               c == from ? 0x251C
               : c == to ? 0x2524
                         : 0x2500);
    double at = fmin(fmax((value - left) / each + 0.5, 0), w - 1);
    cs_put(a, x + (int)at, y, CS_ROLE_FOCUS, 0x25CF);
}

static void draw_number(const cs_area *a, int y, const cs_shown_kinds *k,
                        const cs_shown_state *s, size_t i)
{
    bool known = s->from && i < s->n_from,
         changed = known && s->x[i] != s->from[i];
    cs_role role = i == s->chosen ? CS_ROLE_FOCUS : CS_ROLE_NORMAL;
    int x = AT, digits = cs_shown_is_discrete(k, i) ? 10 : 4;
    if (s->from) {
        if (known)
            cs_print(a, x, y, changed ? CS_ROLE_LABEL : CS_ROLE_FAINT, "%*.*g",
                     NUMBER, digits, s->from[i]);
        x += NUMBER;
    }
    cs_print(a, x, y, changed ? CS_ROLE_ACCEPT : role, "%*.*g", NUMBER, digits,
             s->x[i]);
    draw_marginal(a, x + NUMBER + 2, y, k, i, s->x[i]);
}

/* Draws the elements from .. stop of a vector in one line; below an element that
 * has changed is its previous value. Returns the number of lines used. */
static int draw_elements(const cs_area *a, int y, const cs_shown_kinds *k,
                         const cs_shown_state *s, const item *t, size_t from,
                         size_t stop)
{
    bool bits = k->row[t->first].kind == CS_BINARY,
         below = has_changed(s, from, stop);
    int digits = bits ? 1 : t->digits;
    for (size_t j = from; j < stop; j++) {
        int x = AT + 1 + (int)(j - from) * (digits + !bits);
        bool changed = has_changed(s, j, j + 1);
        cs_role role = changed          ? CS_ROLE_ACCEPT
                       : j == s->chosen ? CS_ROLE_FOCUS
                                        : CS_ROLE_NORMAL;
        cs_print(a, x, y, role, "%*.10g", digits, s->x[j]);
        if (j == s->chosen)
            cs_attribute(a, x, y, digits, CS_REVERSE);
        if (changed)
            cs_print(a, x, y + 1, CS_ROLE_REJECT, "%*.10g", digits, s->from[j]);
    }
    if (below)
        cs_print(a, NAME, y + 1, CS_ROLE_FAINT, "before");
    return 1 + below;
}

/* Draws a vector in at most `most` lines, from the line of the chosen element on
 * if not all fit. Returns the number of lines used; *hidden is the number of
 * elements that are not drawn. */
static int draw_row(const cs_area *a, int y, const cs_shown_kinds *k,
                    const cs_shown_state *s, const item *t, int most,
                    size_t *hidden)
{
    size_t each = elements(k, t, a->w), end = t->first + t->n, i = t->first;
    int top = y;
    bool chosen = s->chosen >= t->first && s->chosen < end;
    if (chosen && lines_of(k, s, t, a->w) > most)
        i += (s->chosen - t->first) / each * each;
    *hidden = i - t->first;
    for (; i < end; i += each) {
        size_t stop = i + each < end ? i + each : end;
        if (y - top + 1 + has_changed(s, i, stop) > most)
            break;
        y += draw_elements(a, y, k, s, t, i, stop);
    }
    *hidden += i < end ? end - i : 0;
    return y - top;
}

/* Draws an item in at most `most` lines, at least 1. */
static int draw_item(const cs_area *a, int y, const cs_shown_kinds *k,
                     const cs_shown_state *s, const item *t, int most,
                     size_t *hidden)
{
    char name[64];
    bool chosen = s->chosen >= t->first && s->chosen < t->first + t->n;
    cs_shown_name(k, t->first, t->row, name, sizeof name);
    cs_print(a, 0, y, chosen ? CS_ROLE_FOCUS : CS_ROLE_NORMAL, "%-*.*s", NAME,
             NAME - 1, name);
    draw_kind(a, y, k, t);
    *hidden = 0;
    if (t->row)
        return draw_row(a, y, k, s, t, most, hidden);
    draw_number(a, y, k, s, t->first);
    return 1;
}

/* Returns the state, without the old values if they do not fit. */
static cs_shown_state fitting(const cs_shown_state *s, int width)
{
    cs_shown_state out = *s;
    if (width < AT + 2 * NUMBER)
        out.from = NULL;
    return out;
}

static int draw_head(const cs_area *a, const cs_shown_kinds *k,
                     const cs_shown_state *s)
{
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "%-*s%-*s", NAME, "parameter",
                     KIND, "kind");
    if (s->from)
        x = cs_print(a, x, 0, CS_ROLE_LABEL, "%*s", NUMBER, "before");
    x = cs_print(a, x, 0, CS_ROLE_LABEL, "%*s", NUMBER, "now");
    int end = x + 2;
    if (k->quantile)
        end = cs_print_fit(a, x + 2, 0, a->w - x - 2, CS_ROLE_LABEL,
                           "5 to 95 %% of draws");
    if (k->quantile && end == x + 2)
        cs_print_fit(a, end, 0, a->w - end, CS_ROLE_LABEL, "5 to 95 %%");
    return 1;
}

/* Returns the first quantity to draw, so that the chosen one fits. */
static size_t first_of(const cs_area *a, const cs_shown_kinds *k,
                       const cs_shown_state *s)
{
    for (size_t first = 0; first < s->n;) {
        int lines = 1;
        for (size_t i = first; i <= s->chosen && lines < a->h;) {
            item t = item_at(k, i, s->n);
            bool last = i + t.n > s->chosen;
            lines += last ? 1 : lines_of(k, s, &t, a->w);
            i += t.n;
        }
        if (lines < a->h || s->chosen < first)
            return first;
        first += item_at(k, first, s->n).n;
    }
    return 0;
}

int cs_draw_shown(const cs_area *a, const cs_shown_kinds *k,
                  const cs_shown_state *state)
{
    if (a->h < 2)
        return 0;
    const cs_shown_state fits = fitting(state, a->w), *s = &fits;
    bool all = cs_shown_lines(k, s, a->w) <= a->h;
    size_t i = all || s->chosen >= s->n ? 0 : first_of(a, k, s);
    size_t hidden = i;
    int y = draw_head(a, k, s), capacity = all ? a->h : a->h - 1;
    for (; i < s->n;) {
        item t = item_at(k, i, s->n);
        i += t.n;
        size_t left = t.n;
        if (y < capacity)
            y += draw_item(a, y, k, s, &t, capacity - y, &left);
        hidden += left;
    }
    if (hidden)
        cs_print_cut(a, 0, y, a->w, CS_ROLE_LABEL, "%s more",
                     cs_count((double)hidden).text);
    return y + (hidden > 0);
}
