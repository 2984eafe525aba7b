/* Jumps between modes: the counts for each pair of modes, and whether the
 * counts in both directions agree. */
#include "screen/panels/panel.h"

#include <math.h>
#include <stdio.h>

enum { COUNTS, LEAVING, BALANCE, VARIANTS };

typedef struct matrix {
    const double *n;      /* [modes][modes]; row: from, column: to */
    const double *weight; /* [modes] exact shares; NULL: not known */
    size_t modes;
    double all;
} matrix;

static bool find_matrix(const cs_shot *s, size_t arm, matrix *m)
{
    size_t r, c;
    *m = (matrix){.n = cs_shot_array(s, &r, &c, "arm/%zu/modes/matrix", arm)};
    if (!m->n || r != c)
        return false;
    m->modes = r;
    m->weight = cs_shot_array(s, &r, &c, "arm/%zu/modes/weight", arm);
    if (m->weight && r * c != m->modes)
        m->weight = NULL;
    for (size_t i = 0; i < m->modes * m->modes; i++)
        m->all += m->n[i];
    return true;
}

static double leaving(const matrix *m, size_t from)
{
    double sum = 0;
    for (size_t to = 0; to < m->modes; to++)
        sum += m->n[from * m->modes + to];
    return sum;
}

/* Returns the imbalance of a pair of modes. In a stationary reversible
 * chain, jumps in the two directions are equally frequent on average. The
 * imbalance is the difference of the counts divided by the standard
 * deviation that it has if both directions are equally likely. */
static double unevenness(const matrix *m, size_t from, size_t to)
{
    double there = m->n[from * m->modes + to];
    double back = m->n[to * m->modes + from];
    return there + back > 0 ? (there - back) / sqrt(there + back) : 0;
}

/* Returns the number to show in a cell; "" for no number. */
static cs_number number_of(const matrix *m, size_t from, size_t to,
                           unsigned kind)
{
    cs_number out = {""};
    double n = m->n[from * m->modes + to], all = leaving(m, from);
    double z = unevenness(m, from, to);
    if (kind == COUNTS && n > 0)
        out = cs_num(n);
    else if (kind == LEAVING && n > 0)
        snprintf(out.text, sizeof out.text, "%.0f%%", 100 * n / all);
    else if (kind == BALANCE && n + m->n[to * m->modes + from] > 0)
        snprintf(out.text, sizeof out.text, "%+.1f", z);
    return out;
}

/* Returns a bound for the largest imbalance over all pairs, in standard
 * deviations. By chance the largest imbalance exceeds this bound in one of
 * 1,000 runs. */
static double bound_of(const matrix *m)
{
    double pairs = (double)(m->modes * (m->modes - 1)) / 2, z = 3;
    while (pairs * erfc(z / sqrt(2)) > 1e-3)
        z += 0.05;
    return z;
}

static int width_of(const matrix *m, unsigned kind)
{
    int widest = 2;
    for (size_t i = 0; i < m->modes * m->modes; i++) {
        cs_number text = number_of(m, i / m->modes, i % m->modes, kind);
        int w = cs_text_width(text.text);
        widest = w > widest ? w : widest;
    }
    return widest + 1;
}

enum { NAME = 4, EXACT = 7 };

static void draw_row(const cs_area *a, const matrix *m, size_t from, int y,
                     unsigned kind, int width, size_t columns)
{
    double bound = bound_of(m);
    cs_print(a, 0, y, CS_ROLE_LABEL, "%3zu", from + 1);
    for (size_t to = 0; to < columns; to++) {
        int x = NAME + (int)to * width;
        cs_number text = number_of(m, from, to, kind);
        bool odd = fabs(unevenness(m, from, to)) > bound;
        const char *shown = from == to ? "-" : *text.text ? text.text : ".";
        cs_role role = from == to || !*text.text ? CS_ROLE_FAINT
                       : odd                     ? CS_ROLE_WARN
                                                 : CS_ROLE_VALUE;
        cs_print(a, x + width - cs_text_width(shown), y, role, "%s", shown);
    }
    if (m->weight)
        cs_print_right(a, y, CS_ROLE_TRUTH, "%5.1f%%", 100 * m->weight[from]);
}

/* Draws the shades of a row's cells on `lines` lines. The shade is the square
 * root of a cell's count divided by the row's largest count. */
static void put_shades(const cs_area *a, const matrix *m, size_t from, int y,
                       int lines, int width, int gap)
{
    double top = 0;
    for (size_t i = 0; i < m->modes * m->modes; i++)
        top = fmax(top, m->n[i]);
    for (size_t to = 0; to < m->modes; to++) {
        double n = m->n[from * m->modes + to];
        double share = top > 0 ? sqrt(n / top) : 0;
        int wide = width - gap, x = NAME + (int)to * width + gap;
        bool skipped = from == to && gap;
        for (int i = 0; !skipped && i < wide * lines; i++)
            cs_put(a, x + i % wide, y + i / wide, cs_theme_ramp(share),
                   from == to ? '-' : cs_theme_shade(share));
    }
}

/* Draws one shade per cell if numbers do not fit. */
static void draw_shades(const cs_area *a, const matrix *m, size_t from, int y,
                        int width)
{
    cs_print(a, 0, y, CS_ROLE_LABEL, "%3zu", from + 1);
    put_shades(a, m, from, y, 1, width, 0);
    if (m->weight)
        cs_print_right(a, y, CS_ROLE_TRUTH, "%5.1f%%", 100 * m->weight[from]);
}

static void draw_head(const cs_area *a, const matrix *m, int width,
                      size_t columns)
{
    cs_print(a, 0, 0, CS_ROLE_LABEL, "from");
    for (size_t to = 0; to < columns; to++) {
        char text[24];
        snprintf(text, sizeof text, "%zu", to + 1);
        cs_print(a, NAME + (int)(to + 1) * width - cs_text_width(text), 0,
                 CS_ROLE_LABEL, "%s", text);
    }
    int x = NAME + (int)columns * width + 1;
    int capacity = a->w - x - (m->weight ? EXACT : 0);
    if (columns < m->modes)
        cs_print_fit(a, x, 0, capacity, CS_ROLE_FAINT, "+%zu",
                     m->modes - columns);
    else
        cs_print_fit(a, x, 0, capacity, CS_ROLE_LABEL, "to");
    if (m->weight)
        cs_print_right(a, 0, CS_ROLE_TRUTH, "exact");
}

/* Draws the total numbers of jumps and the pair of modes with the largest
 * imbalance. */
static void draw_foot(const cs_area *a, const matrix *m, size_t below,
                      double work, cs_unit unit)
{
    size_t worst[2] = {0, 0}, y = (size_t)a->h - 1;
    double bound = bound_of(m);
    for (size_t i = 0; i < m->modes; i++)
        for (size_t j = 0; j < m->modes; j++)
            if (unevenness(m, i, j) > unevenness(m, worst[0], worst[1])) {
                worst[0] = i;
                worst[1] = j;
            }
    double z = unevenness(m, worst[0], worst[1]);
    int x = cs_print_fit(a, 0, (int)y, a->w,
                         m->all > 0 ? CS_ROLE_VALUE : CS_ROLE_WARN, "%s jump%s",
                         cs_count(m->all).text, m->all == 1 ? "" : "s");
    if (below)
        x = cs_print_fit(a, x, (int)y, a->w - x, CS_ROLE_FAINT,
                         ", %zu below: pgdn", below);
    if (m->all > 0 && work > 0)
        x = cs_print_fit(a, x, (int)y, a->w - x, CS_ROLE_LABEL,
                         ", one per %s %s", cs_num(work / m->all).text,
                         cs_unit_at(unit)->many);
    if (!(z > 0))
        return;
    cs_role role = z > bound ? CS_ROLE_WARN : CS_ROLE_LABEL;
    int end = cs_print_fit(a, x, (int)y, a->w - x, role,
                           ", least even %zu to %zu: %s, back %s (%.1f sd%s)",
                           worst[0] + 1, worst[1] + 1,
                           cs_count(m->n[worst[0] * m->modes + worst[1]]).text,
                           cs_count(m->n[worst[1] * m->modes + worst[0]]).text,
                           z, z > bound ? ", not by chance" : "");
    if (end == x)
        cs_print_fit(a, x, (int)y, a->w - x, role, ", least even %.1f sd%s", z,
                     z > bound ? ", not by chance" : "");
}

/* Returns the number of lines of a row. In a large panel, a shade is drawn
 * below each number. */
static int lines_of(const matrix *m, int high, int wide)
{
    int lines = high / (int)m->modes, most = wide / (int)m->modes / 2;
    lines = lines < most ? lines : most;
    return lines < 2 ? 1 : lines;
}

static void draw_arm(const cs_area *a, const cs_shot *s, const cs_selection *at,
                     size_t arm)
{
    matrix m;
    size_t r, c;
    if (!find_matrix(s, arm, &m)) {
        bool many = cs_shot_array(s, &r, &c, "arm/%zu/modes/visits", arm);
        cs_panel_empty(
            a, s,
            many ? c == 1
                       ? "This target has only one mode, so there are no jumps."
                       : "This target has too many modes: jumps are counted "
                         "for up to 32."
                 : "The modes of this target are not known.",
            many ? "See the panel visits for the number of visits to each mode."
                 : "Use a target with known modes, or give the scenario a list "
                   "of modes.");
        return;
    }
    unsigned kind = at->variant % VARIANTS;
    int width = width_of(&m, kind);
    int capacity = a->w - NAME - (m.weight ? EXACT : 0);
    size_t fit = capacity > width ? (size_t)(capacity / width) : 1;
    size_t columns = fit < m.modes ? fit : m.modes;
    int shade =
        columns < m.modes && kind == COUNTS ? capacity / (int)m.modes : 0;
    int lines = columns < m.modes ? 1 : lines_of(&m, a->h - 2, capacity);
    if (lines > 1)
        width = capacity / (int)m.modes < 3 * lines ? capacity / (int)m.modes
                                                    : 3 * lines;
    size_t rows = a->h > 2 ? (size_t)((a->h - 2) / lines) : 0;
    size_t top = cs_panel_top(at, m.modes, rows), y = 0;
    if (shade)
        cs_print_fit(a, 0, 0, a->w, CS_ROLE_LABEL, "from%*sto 1 ... %zu", shade,
                     "", m.modes);
    else
        draw_head(a, &m, width, columns);
    for (; y < rows && top + y < m.modes; y++)
        if (shade)
            draw_shades(a, &m, top + y, (int)y + 1, shade < 3 ? shade : 3);
        else
            draw_row(a, &m, top + y, (int)y * lines + 1, kind, width, columns);
    for (size_t i = 0; lines > 1 && i < y; i++)
        put_shades(a, &m, top + i, (int)i * lines + 2, lines - 1, width, 1);
    cs_unit unit = cs_unit_of_axis(at->unit);
    draw_foot(a, &m, m.modes - top - y, cs_shot_work(s, arm, unit), unit);
}

const cs_panel_type cs_panel_jumps = {
    .name = "jumps",
    .title = "jumps between modes",
    .help =
        "Number of jumps from the mode of the row to the mode of the column, "
        "for all chains of the arm and up to 32 modes; states between modes "
        "are ignored. Shades (square-root scale) replace numbers that do not "
        "fit, or are displayed below the numbers. The last column is the exact "
        "share of each mode, which is the long-run fraction of time that a "
        "chain spends in this mode.\nv shows each mode's outgoing jumps as "
        "shares, or the difference between the two directions of each pair of "
        "modes, in standard deviations of a fair coin. A stationary reversible "
        "chain jumps equally often in both directions. Pairs whose difference "
        "occurs by chance in only 1 of 1,000 runs are marked: either the "
        "chains have not converged, or the kernel is not reversible and "
        "circulates.\nThe last line gives the work of all chains per jump, in "
        "the unit chosen with u.",
    .options = "v counts, share of outgoing jumps, imbalance of both "
               "directions; page keys scroll",
    .tile = {30, 6, 3},
    .draw_arm = draw_arm,
};
