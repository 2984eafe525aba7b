#include "cli/many/sweep_table.h"

#include "base/cells.h"
#include "base/count.h"
#include "base/memory.h"
#include "cli/many/sweep_picture.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL = 96, MOST_COLUMNS = CS_ARGS_OVER + 1 + CS_SWEEP_FIGURES };

void cs_sweep_fini(cs_sweep *s)
{
    cs_free(s->work);
    cs_free(s->cell);
    cs_free(s->failure);
    s->work = NULL;
    s->cell = NULL;
    s->failure = NULL;
}

const char *cs_sweep_value(const cs_sweep *s, size_t i, size_t a)
{
    for (size_t k = s->n_axes; k-- > a + 1;)
        i /= s->axis[k].n;
    return s->axis[a].text[i % s->axis[a].n];
}

cs_sweep_cell *cs_sweep_at(const cs_sweep *s, size_t point, size_t arm,
                           size_t figure)
{
    return &s->cell[(point * s->arms + arm) * s->figures + figure];
}

bool cs_sweep_is_uneven(const cs_sweep *s, size_t arm)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->points; i++) {
        double work = s->work[i * s->arms + arm];
        low = isfinite(work) ? fmin(low, work) : low;
        high = isfinite(work) ? fmax(high, work) : high;
    }
    return high > 1.05 * low;
}

size_t cs_sweep_best(const cs_sweep *s, size_t arm, size_t figure)
{
    size_t best = CS_NO_POINT;
    double found = -INFINITY;
    if (s->total[figure] && cs_sweep_is_uneven(s, arm))
        return best;
    for (size_t i = 0; i < s->points && s->way[figure]; i++) {
        double v = s->way[figure] * cs_sweep_at(s, i, arm, figure)->value;
        if (v > found) {
            found = v;
            best = i;
        }
    }
    return best;
}

bool cs_sweep_ties(const cs_sweep *s, size_t arm, size_t figure, size_t best,
                   size_t point)
{
    const cs_sweep_cell *a = cs_sweep_at(s, best, arm, figure);
    const cs_sweep_cell *b = cs_sweep_at(s, point, arm, figure);
    double freedom = fmin(a->freedom, b->freedom);
    double error = hypot(a->error, b->error);
    if (point == best || !isfinite(b->value))
        return false;
    if (!isfinite(error) || (freedom < 1 && error > 0))
        return true;
    double reach = error > 0 ? gsl_cdf_tdist_Pinv(0.975, freedom) * error : 0;
    return fabs(a->value - b->value) <= reach;
}

/* ---- cells ---- */

/* So many digits, and no exponent where a number has more before its point. */
static void put_number(double x, int digits, char text[CELL])
{
    double size = fabs(x);
    bool whole = size >= pow(10, digits) && size < 1e9;
    if (whole)
        snprintf(text, CELL, "%.0f", x);
    else
        snprintf(text, CELL, "%.*g", digits, x);
}

static void put_measured(const cs_sweep_cell *c, char text[CELL])
{
    char value[CELL], error[CELL];
    put_number(c->value, 4, value);
    put_number(c->error, 2, error);
    if (!isfinite(c->value))
        snprintf(text, CELL, "-");
    else
        snprintf(text, CELL, "%.40s%s%.40s", value, c->error > 0 ? " +- " : "",
                 c->error > 0 ? error : "");
}

/* The row of a point and an arm: its values, the arm, its figures, a star behind
 * the best. Returns how many cells. */
static size_t row_of(const cs_sweep *s, size_t i, size_t arm,
                     char cell[MOST_COLUMNS][CELL])
{
    size_t n = 0;
    for (size_t a = 0; a < s->n_axes; a++)
        snprintf(cell[n++], CELL, "%s", cs_sweep_value(s, i, a));
    snprintf(cell[n++], CELL, "%s", s->arm[arm]);
    for (size_t f = 0; f < s->figures; f++, n++) {
        put_measured(cs_sweep_at(s, i, arm, f), cell[n]);
        if (cs_sweep_best(s, arm, f) == i)
            strcat(cell[n], " *");
    }
    return n;
}

static size_t head_of(const cs_sweep *s, const char *head[MOST_COLUMNS])
{
    size_t n = 0;
    for (size_t a = 0; a < s->n_axes; a++)
        head[n++] = s->axis[a].name;
    head[n++] = "arm";
    for (size_t f = 0; f < s->figures; f++)
        head[n++] = s->figure[f];
    return n;
}

/* ---- sentences ---- */

static void put_what(const cs_sweep *s, cs_page *p)
{
    cs_page_put(p, "%s: %zu point%s of ", s->file, s->points,
                s->points == 1 ? "" : "s");
    for (size_t a = 0; a < s->n_axes; a++)
        cs_page_put(p, "%s%s", a ? " x " : "", s->axis[a].name);
    if (s->seeds > 1)
        cs_page_put(p, ", %zu seeds each", s->seeds);
    cs_page_put(p, "; +- is one standard error, * the best of an arm");
}

/* "work of an arm at each point: 20,000 gradients" */
static void put_work(const cs_sweep *s, cs_page *p)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->points * s->arms; i++) {
        low = isfinite(s->work[i]) ? fmin(low, s->work[i]) : low;
        high = isfinite(s->work[i]) ? fmax(high, s->work[i]) : high;
    }
    const char *what =
        strcmp(s->unit, "steps") == 0 ? "steps of all its chains" : s->unit;
    if (!(high >= low))
        return;
    if (low == high)
        cs_page_put(p, "work of an arm at each point: %s %s",
                    cs_count(low).text, what);
    else
        cs_page_put(p, "work of an arm at a point: from %s to %s %s",
                    cs_count(low).text, cs_count(high).text, what);
}

static void put_point(const cs_sweep *s, size_t i, cs_page *p)
{
    for (size_t a = 0; a < s->n_axes; a++)
        cs_page_put(p, "%s%s = %s", a ? ", " : "", s->axis[a].name,
                    cs_sweep_value(s, i, a));
}

static void put_bare_point(const cs_sweep *s, size_t i, cs_page *p)
{
    for (size_t a = 0; a < s->n_axes; a++)
        cs_page_put(p, "%s%s", a ? "/" : "", cs_sweep_value(s, i, a));
}

/* "ess: small is best at small.step = 0.74: 812 +- 33 (jackknife of 4 chains); not
 * told from it: 0.56, 0.98" */
static void put_best(const cs_sweep *s, size_t arm, size_t figure, cs_page *p)
{
    enum { NAMED = 8 };
    char text[CELL];
    size_t best = cs_sweep_best(s, arm, figure), n = 0;
    if (best == CS_NO_POINT)
        return;
    const cs_sweep_cell *c = cs_sweep_at(s, best, arm, figure);
    put_measured(c, text);
    cs_page_put(p, "%s: %s is best at ", s->figure[figure], s->arm[arm]);
    put_point(s, best, p);
    cs_page_put(p, ": %s%s%s%s", text, *c->by ? " (" : "", c->by,
                *c->by ? ")" : "");
    for (size_t i = 0; i < s->points; i++) {
        if (!cs_sweep_ties(s, arm, figure, best, i))
            continue;
        if (n < NAMED)
            cs_page_put(p, "%s", n ? ", " : "; not told from it: ");
        if (n++ < NAMED)
            put_bare_point(s, i, p);
    }
    if (n > NAMED)
        cs_page_put(p, " and %zu more", n - NAMED);
}

/* "ess: points of large are not compared, for their work is unequal; ..." */
static void put_uneven(const cs_sweep *s, size_t arm, size_t figure, cs_page *p)
{
    if (!s->total[figure] || !cs_sweep_is_uneven(s, arm))
        return;
    cs_page_put(p,
                "%s: the points of %s are not ranked, for their work is "
                "unequal and %s grows with it",
                s->figure[figure], s->arm[arm], s->figure[figure]);
    if (strncmp(s->figure[figure], "ess", 3) == 0)
        cs_page_put(p, "; --figures ess_per_work ranks them");
}

/* Each sentence given to `put` by itself. */
typedef void put_sentence(const char *text, void *to);

static void each_sentence(const cs_sweep *s, put_sentence *put, void *to,
                          cs_page *p)
{
    for (size_t f = 0; f < s->figures; f++)
        for (size_t k = 0; k < s->arms; k++) {
            cs_page one = {0};
            put_best(s, k, f, &one);
            put_uneven(s, k, f, &one);
            if (one.text)
                put(one.text, to);
            p->full |= one.full;
            cs_free(one.text);
        }
    for (size_t i = 0; i < s->points; i++) {
        cs_page one = {0};
        if (!*s->failure[i])
            continue;
        put_point(s, i, &one);
        cs_page_put(&one, " failed: %s", s->failure[i]);
        if (one.text)
            put(one.text, to);
        cs_free(one.text);
    }
}

/* ---- text ---- */

/* A row for each point and arm. */
static cs_cells table_of(const cs_sweep *s)
{
    char cell[MOST_COLUMNS][CELL];
    const char *at[MOST_COLUMNS], *head[MOST_COLUMNS];
    size_t n = head_of(s, head);
    cs_cells out = cs_cells_begin(head, n, s->n_axes + 1);
    for (size_t k = 0; k < n; k++)
        at[k] = cell[k];
    for (size_t i = 0; i < s->points * s->arms; i++) {
        row_of(s, i / s->arms, i % s->arms, cell);
        cs_cells_add(&out, at);
    }
    return out;
}

static void put_table(const cs_sweep *s, const cs_markup *m, cs_page *p)
{
    cs_cells c = table_of(s);
    cs_cells_put(&c, m, p);
    cs_cells_fini(&c);
}

static void put_line(const char *text, void *to)
{
    cs_page_put(to, "%s\n", text);
}

static cs_status put_text(const cs_sweep *s, cs_page *p, cs_error *err)
{
    put_what(s, p);
    cs_page_put(p, "\n");
    put_work(s, p);
    cs_page_put(p, "\n\n");
    put_table(s, NULL, p);
    cs_page_put(p, "\n");
    cs_status status = cs_sweep_picture(s, CS_TEXT, p, err);
    cs_page_put(p, "\n");
    each_sentence(s, put_line, p, p);
    return status;
}

/* ---- Markdown and HTML ---- */

typedef struct marked {
    const cs_markup *m;
    cs_page *p;
} marked;

static void put_paragraph(const char *text, void *to)
{
    const marked *at = to;
    cs_markup_paragraph(at->m, text, at->p);
}

static void markup_head(const cs_sweep *s, const cs_markup *m, cs_page *p)
{
    cs_page text = {0};
    put_what(s, &text);
    cs_page_put(&text, "; ");
    put_work(s, &text);
    cs_markup_heading(m, "A sweep", p);
    cs_markup_paragraph(m, text.text ? text.text : "", p);
    p->full |= text.full;
    cs_free(text.text);
}

static cs_status put_markdown(const cs_sweep *s, cs_page *p, cs_error *err)
{
    marked to = {cs_markup_find("markdown"), p};
    cs_page picture = {0};
    markup_head(s, to.m, p);
    put_table(s, to.m, p);
    cs_status status = cs_sweep_picture(s, CS_TEXT, &picture, err);
    cs_markup_code(to.m, picture.text ? picture.text : "", p);
    cs_free(picture.text);
    each_sentence(s, put_paragraph, &to, p);
    return status;
}

static cs_status put_html(const cs_sweep *s, cs_page *p, cs_error *err)
{
    marked to = {cs_markup_find("html"), p};
    cs_markup_page(p, "A sweep");
    markup_head(s, to.m, p);
    cs_status status = cs_sweep_picture(s, CS_SVG, p, err);
    put_table(s, to.m, p);
    each_sentence(s, put_paragraph, &to, p);
    cs_page_put(p, "</body></html>\n");
    return status;
}

static cs_status put_svg(const cs_sweep *s, cs_page *p, cs_error *err)
{
    return cs_sweep_picture(s, CS_SVG, p, err);
}

/* ---- JSON ---- */

static void json_value(const cs_sweep *s, size_t i, size_t a, cs_page *p)
{
    const char *text = cs_sweep_value(s, i, a);
    if (s->axis[a].numbers)
        cs_page_put(p, "%s", text);
    else
        cs_page_quoted(p, text);
}

static void json_figure(const cs_sweep *s, size_t i, size_t arm, size_t f,
                        cs_page *p)
{
    const cs_sweep_cell *c = cs_sweep_at(s, i, arm, f);
    cs_page_put(p, "%s", f ? ", " : "");
    cs_page_quoted(p, s->figure[f]);
    cs_page_put(p, ": {\"value\": ");
    cs_page_number(p, c->value);
    cs_page_put(p, ", \"error\": ");
    cs_page_number(p, c->error);
    cs_page_put(p, ", \"freedom\": ");
    cs_page_number(p, c->freedom);
    cs_page_put(p, ", \"by\": ");
    cs_page_quoted(p, c->by);
    if (*c->why) {
        cs_page_put(p, ", \"reason\": ");
        cs_page_quoted(p, c->why);
    }
    cs_page_put(p, ", \"best\": %s}",
                cs_sweep_best(s, arm, f) == i ? "true" : "false");
}

static void json_point(const cs_sweep *s, size_t i, size_t arm, cs_page *p)
{
    cs_page_put(p, "%s\n    {", i + arm ? "," : "");
    for (size_t a = 0; a < s->n_axes; a++) {
        cs_page_quoted(p, s->axis[a].name);
        cs_page_put(p, ": ");
        json_value(s, i, a, p);
        cs_page_put(p, ", ");
    }
    cs_page_put(p, "\"arm\": ");
    cs_page_quoted(p, s->arm[arm]);
    cs_page_put(p, ", \"work\": ");
    cs_page_number(p, s->work[i * s->arms + arm]);
    cs_page_put(p, ", \"failed\": ");
    if (*s->failure[i])
        cs_page_quoted(p, s->failure[i]);
    else
        cs_page_put(p, "null");
    cs_page_put(p, ", \"figures\": {");
    for (size_t f = 0; f < s->figures; f++)
        json_figure(s, i, arm, f, p);
    cs_page_put(p, "}}");
}

static cs_status put_json(const cs_sweep *s, cs_page *p, cs_error *err)
{
    (void)err;
    cs_page_put(p, "{\n  \"version\": \"%s\",\n  \"scenario\": ", CS_VERSION);
    cs_page_quoted(p, s->file);
    cs_page_put(p, ",\n  \"seeds\": %zu,\n  \"unit\": ", s->seeds);
    cs_page_quoted(p, s->unit);
    cs_page_put(p, ",\n  \"points\": [");
    for (size_t i = 0; i < s->points; i++)
        for (size_t k = 0; k < s->arms; k++)
            json_point(s, i, k, p);
    cs_page_put(p, "\n  ]\n}\n");
    return CS_OK;
}

static const cs_sweep_format table[] = {
    {"text", ".txt", put_text},  {"markdown", ".md", put_markdown},
    {"html", ".html", put_html}, {"svg", ".svg", put_svg},
    {"json", ".json", put_json},
};

const cs_sweep_format *cs_sweep_format_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
