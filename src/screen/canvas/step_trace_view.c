#include "screen/canvas/step_trace_view.h"

#include "kernels/formula.h"
#include "screen/canvas/factors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------- */

/* A column of a table. In a narrow area, the columns with the highest rank
 * are left out first; columns without values are always left out. */
typedef struct column {
    const char *name;
    int width, rank;
    bool used;
} column;

static int width_of(const column *c, size_t n)
{
    int w = 0;
    for (size_t i = 0; i < n; i++)
        w += c[i].used ? c[i].width : 0;
    return w;
}

static bool drop_one(column *c, size_t n)
{
    size_t worst = n;
    for (size_t i = 0; i < n; i++)
        if (c[i].used && c[i].rank > 0 &&
            (worst == n || c[i].rank > c[worst].rank))
            worst = i;
    if (worst < n)
        c[worst].used = false;
    return worst < n;
}

static bool make_room(column *c, size_t n, int width)
{
    while (width_of(c, n) > width)
        if (!drop_one(c, n))
            return false;
    return true;
}

static void draw_head(const cs_area *a, int y, const column *c, size_t n)
{
    for (size_t i = 0, x = 0; i < n; i++)
        if (c[i].used)
            x = (size_t)cs_print(a, (int)x, y, CS_ROLE_LABEL, "%*s", c[i].width,
                                 c[i].name);
}

/* Draws a number in a column: four digits if an exponent and a sign still fit,
 * otherwise three. */
static int draw_number(const cs_area *a, int x, int y, cs_role role,
                       const column *c, double v)
{
    char text[40] = "-";
    int digits = 4;
    while (!isnan(v) && digits > 1 &&
           snprintf(text, sizeof text, "%.*g", digits, v) >= c->width)
        digits--;
    return cs_print(a, x, y, isnan(v) ? CS_ROLE_FAINT : role, "%*s", c->width,
                    text);
}

/* ---- rows of data ----------------------------------------------------------- */

enum { ROW, USE, BOUND, HERE, THERE, CHANCE, KEPT, PART, ROW_COLUMNS };

static double value_of(const cs_row_note *r, size_t k)
{
    const double of[] = {
        [ROW] = r->row + 1, [BOUND] = r->bound,   [HERE] = r->here,
        [THERE] = r->there, [CHANCE] = r->chance, [KEPT] = r->chance,
        [PART] = r->part,   [USE] = r->use};
    return of[k];
}

/* Returns true if at least one row has a value in column k. */
static bool is_known(const cs_step_trace_rows *rows, size_t k)
{
    for (size_t i = 0; i < rows->n; i++)
        if (!isnan(value_of(&rows->row[i], k)))
            return true;
    return false;
}

/* Returns true if the rows were not all evaluated for the same reason. */
static bool are_mixed(const cs_step_trace_rows *rows)
{
    for (size_t i = 1; i < rows->n; i++)
        if (rows->row[i].use != rows->row[0].use)
            return true;
    return false;
}

static bool is_firefly(const cs_step_trace_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->row[i].use > CS_ROW_WEIGHS)
            return true;
    return false;
}

static void choose_row_columns(const cs_step_trace_rows *rows, int width,
                               column *c)
{
    bool odds = is_firefly(rows);
    const column all[] = {
        [ROW] = {"row", 8, 0, true},
        [USE] = {"use", 10, 0, are_mixed(rows)},
        [BOUND] = {"bound", 10, 3, is_known(rows, BOUND)},
        [HERE] = {odds ? "odds, x" : "term, x", 11, 2, is_known(rows, HERE)},
        [THERE] = {odds ? "odds, x'" : "term, x'", 11, 1,
                   is_known(rows, THERE)},
        [CHANCE] = {odds ? "P(turns)" : "P(kept)", 9, 0,
                    is_known(rows, CHANCE)},
        [KEPT] = {odds ? "  turns" : "  kept ", 7, 0, is_known(rows, CHANCE)},
        [PART] = {"to log a", 10, 0, is_known(rows, PART)}};
    memcpy(c, all, sizeof all);
    make_room(c, ROW_COLUMNS, width);
}

static void draw_row(const cs_area *a, int y, const column *c,
                     const cs_row_note *r)
{
    static const char *const use[] = {"gradient", "ratio", "dark", "bright"};
    bool kept = r->kept != 0, thinned = !isnan(r->chance);
    int x = 0;
    for (size_t k = 0; k < ROW_COLUMNS; k++) {
        if (!c[k].used)
            continue;
        if (k == ROW)
            x = cs_print(a, x, y, CS_ROLE_NORMAL, "%*.0f", c[k].width,
                         r->row + 1);
        else if (k == USE)
            x = cs_print(a, x, y, CS_ROLE_LABEL, "%*s", c[k].width,
                         use[(size_t)r->use % 4]);
        else if (k == KEPT)
            x = cs_print(a, x, y, kept ? CS_ROLE_ACCEPT : CS_ROLE_REJECT,
                         "  %-*s", c[k].width - 2,
                         !thinned ? ""
                         : kept   ? "\u25B2 yes"
                                  : "\u25BC no");
        else if (k == CHANCE && thinned)
            x = cs_print(a, x, y, CS_ROLE_VALUE, "%*.3f", c[k].width,
                         r->chance);
        else if (k == PART && thinned && !kept)
            x = cs_print(a, x, y, CS_ROLE_FAINT, "%*s", c[k].width, "0");
        else
            x = draw_number(a, x, y, k == PART ? CS_ROLE_VALUE : CS_ROLE_NORMAL,
                            &c[k], value_of(r, k));
    }
}

int cs_draw_step_trace_rows(const cs_area *a, const cs_step_trace_rows *rows)
{
    column c[ROW_COLUMNS];
    if (rows->n == 0 || a->h < 2)
        return 0;
    choose_row_columns(rows, a->w, c);
    if (width_of(c, ROW_COLUMNS) > a->w)
        return 0;
    draw_head(a, 0, c, ROW_COLUMNS);
    size_t capacity = (size_t)(a->h - 1), left = rows->n - rows->top;
    bool more = (double)rows->top + (double)capacity < rows->of;
    size_t n = left < capacity ? left : capacity;
    n -= more && n == capacity && n > 1;
    for (size_t i = 0; i < n; i++)
        draw_row(a, (int)i + 1, c, &rows->row[rows->top + i]);
    double hidden = rows->of - (double)n;
    if (n < capacity && hidden > 0)
        cs_print_fit(a, 0, (int)n + 1, a->w, CS_ROLE_FAINT,
                     "%9s more of %s, in the order drawn",
                     cs_count(hidden).text, cs_count(rows->of).text);
    return (int)n + 1 + (n < capacity && hidden > 0);
}

/* ---- swaps ----------------------------------------------------------------- */

enum {
    RUNGS,
    COLD,
    HOT,
    ENERGY,
    OTHER,
    TEMPERED,
    REST,
    RATIO,
    CHANCES,
    UNIFORM,
    VERDICT,
    SWAP_COLUMNS
};

static void choose_swap_columns(const cs_step_trace_swaps *s,
                                const cs_formula *f, int width, column *c)
{
    const column all[] = {
        [RUNGS] = {"rungs", 7, 0, true},
        [COLD] = {"T", 7, 0, true},
        [HOT] = {"T'", 7, 0, true},
        [ENERGY] = {s->within ? "E(x)" : "E", 8, 0, true},
        [OTHER] = {"E'", 8, 0, !s->within},
        [TEMPERED] = {f->swap_energies, 9, 1, f->swap_energies != NULL},
        [REST] = {f->swap_rest, 9, 2, f->swap_rest != NULL},
        [RATIO] = {"log a", 8, 0, true},
        [CHANCES] = {"prob.", 7, 0, true},
        [UNIFORM] = {"u", 7, 3, true},
        [VERDICT] = {"", 7, 0, true}};
    memcpy(c, all, sizeof all);
    make_room(c, SWAP_COLUMNS, width);
}

static const char *verdict_of(const cs_swap_note *n, bool within)
{
    bool end = isnan(n->other_temperature);
    return n->swaps != 0 ? within ? " \u25B2 goes" : " \u25B2 swap"
           : end         ? " \u25BC end"
           : within      ? " \u25BC stays"
                         : " \u25BC no";
}

static void draw_swap(const cs_area *a, int y, const column *c,
                      const cs_swap_note *n, const cs_step_trace_swaps *s)
{
    const double of[] = {[COLD] = n->temperature,  [HOT] = n->other_temperature,
                         [ENERGY] = n->energy,     [OTHER] = n->other_energy,
                         [TEMPERED] = n->tempered, [REST] = n->rest,
                         [RATIO] = n->log_ratio,   [CHANCES] = n->chance,
                         [UNIFORM] = n->uniform,   [VERDICT] = 0};
    bool mine = n->chain == (double)s->chain || n->other == (double)s->chain;
    char pair[32];
    snprintf(pair, sizeof pair, "%.0f %s %.0f", n->rung + 1,
             s->within ? ">" : "-", n->other_rung + 1);
    int x = cs_print(a, 0, y, mine ? CS_ROLE_FOCUS : CS_ROLE_NORMAL, "%*s",
                     c[RUNGS].width, pair);
    for (size_t k = COLD; k < SWAP_COLUMNS; k++) {
        if (!c[k].used)
            continue;
        if (k == VERDICT)
            x = cs_print(a, x, y,
                         n->swaps != 0 ? CS_ROLE_ACCEPT : CS_ROLE_REJECT, "%s",
                         verdict_of(n, s->within));
        else
            x = draw_number(a, x, y,
                            k >= TEMPERED ? CS_ROLE_VALUE : CS_ROLE_NORMAL,
                            &c[k], of[k]);
    }
}

/* Draws "swaps after step 1,240 (in 3 steps)". A change of temperature happens
 * at the start of a step. */
static int draw_when(const cs_area *a, const cs_step_trace_swaps *s)
{
    double ahead = s->step - s->steps;
    int x = cs_print(a, 0, 0, CS_ROLE_LABEL, "%s %s ",
                     s->within ? "change of temperature in step"
                               : "swaps after step",
                     cs_count(s->step).text);
    if (ahead > 1)
        x = cs_print_fit(a, x, 0, a->w - x, CS_ROLE_LABEL, "(in %s steps)",
                         cs_count(ahead).text);
    if (s->n == 0)
        cs_print_fit(a, x, 0, a->w - x, CS_ROLE_FAINT,
                     ": too far ahead to preview");
    return 1;
}

int cs_draw_step_trace_swaps(const cs_area *a, const cs_step_trace_swaps *s)
{
    column c[SWAP_COLUMNS];
    const cs_formula *f = cs_formula_of_swaps(s->kernel);
    if (!f || a->h < 1)
        return 0;
    int y = draw_when(a, s);
    if (s->n == 0 || a->h < 3)
        return y;
    choose_swap_columns(s, f, a->w, c);
    if (width_of(c, SWAP_COLUMNS) > a->w)
        return y;
    int spare = a->h - y - 1 - (int)s->n;
    y += cs_draw_formula_text(a, y, f->swap, spare > 0 ? spare : 1);
    draw_head(a, y++, c, SWAP_COLUMNS);
    size_t capacity = a->h > y ? (size_t)(a->h - y) : 0, at = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->swap[i].chain <= (double)s->chain)
            at = i;
    size_t top = at >= capacity ? at + 1 - capacity : 0;
    for (size_t i = top; i < s->n && i - top < capacity; i++)
        draw_swap(a, y++, c, &s->swap[i], s);
    return y;
}
