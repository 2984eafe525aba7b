#include "cli/many/sweep_table.h"

#include "base/cells.h"
#include "base/count.h"
#include "base/memory.h"
#include "cli/many/sweep_picture.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CELL = CS_CELL_ROOM,
    MOST_COLUMNS = CS_ARGS_OVER + 2 + CS_SWEEP_FIGURES
};

void cs_sweep_fini(cs_sweep *s)
{
    CS_FREE_ALL(s->work, s->cell, s->failure);
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

const cs_figure_type *cs_sweep_type(const char *name)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "("), name);
    return cs_figure_find(word);
}

bool cs_sweep_is_unranked(const cs_sweep *s, size_t arm, size_t figure,
                          char *text, size_t size)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < s->points; i++) {
        double work = s->work[i * s->arms + arm];
        low = isfinite(work) ? fmin(low, work) : low;
        high = isfinite(work) ? fmax(high, work) : high;
    }
    return s->type[figure] &&
           cs_figure_is_unranked(s->type[figure], low, high, text, size);
}

/* Returns 1 if larger values are better, -1 if smaller values are better,
 * and 0 if neither is better or if this is unknown. */
static int way_of(const cs_figure_type *t)
{
    if (!t || t->merit == CS_MERIT_NONE || t->flags & CS_FIGURE_COST)
        return 0;
    return t->merit == CS_MERIT_MORE ? 1 : -1;
}

size_t cs_sweep_best(const cs_sweep *s, size_t arm, size_t figure)
{
    size_t best = CS_NO_POINT;
    double found = -INFINITY;
    int way = way_of(s->type[figure]);
    if (cs_sweep_is_unranked(s, arm, figure, NULL, 0))
        return best;
    for (size_t i = 0; i < s->points && way; i++) {
        double v = way * cs_sweep_at(s, i, arm, figure)->value;
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

/* Formats x with `digits` digits. A number whose integer part has more digits
 * is written without an exponent, up to 1e9. */
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

/* A row of the table, for one point and one arm. It holds the parameter values
 * and then the figures. A star follows the best value of a figure. In a column,
 * `at` is the index of the axis or of the figure. */
typedef struct line {
    const cs_sweep *s;
    size_t point, arm;
} line;

static void axis_cell(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const line *l = row;
    cell->text = cs_sweep_value(l->s, l->point, c->at);
}

static void arm_cell(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const line *l = row;
    (void)c;
    cell->text = l->s->arm[l->arm];
}

static void work_cell(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const line *l = row;
    (void)c;
    cell->value = l->s->work[l->point * l->s->arms + l->arm];
}

static void figure_cell(const cs_column *c, const void *row,
                        cs_column_cell *cell)
{
    const line *l = row;
    const cs_sweep_cell *of = cs_sweep_at(l->s, l->point, l->arm, c->at);
    cell->value = of->value;
    cell->error = of->error;
    put_measured(of, cell->buffer);
    if (cs_sweep_best(l->s, l->arm, c->at) == l->point)
        strcat(cell->buffer, " *");
    cell->text = cell->buffer;
}

static cs_cells table_of(const cs_sweep *s, cs_column column[MOST_COLUMNS],
                         char error[CS_SWEEP_FIGURES][CELL])
{
    size_t n = 0;
    for (size_t a = 0; a < s->n_axes; a++, n++)
        column[n] = (cs_column)CS_COLUMN(s->axis[a].name, s->axis[a].name,
                                         WORDS, 0, .at = a, .get = axis_cell);
    column[n++] = (cs_column)CS_COLUMN("arm", "arm", WORDS, 0, .get = arm_cell);
    column[n++] =
        (cs_column)CS_COLUMN(NULL, "work", NUMBER, 0, .get = work_cell);
    for (size_t f = 0; f < s->figures; f++, n++) {
        snprintf(error[f], CELL, "%s_error", s->figure[f]);
        column[n] = (cs_column)CS_COLUMN(s->figure[f], s->figure[f], NUMBER, 0,
                                         .error = error[f], .at = f,
                                         .get = figure_cell);
    }
    cs_cells t = cs_cells_begin(column, n);
    for (size_t i = 0; i < s->points * s->arms; i++)
        cs_cells_add(&t, &(line){s, i / s->arms, i % s->arms});
    return t;
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

/* Prints "work of an arm at each point: 20,000 gradients". */
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

/* Prints "ess: small is best at small.step = 0.74: 812 +- 33 (jackknife of 4
 * chains); not distinguishable: 0.56, 0.98". */
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
            cs_page_put(p, "%s", n ? ", " : "; not distinguishable: ");
        if (n++ < NAMED)
            put_bare_point(s, i, p);
    }
    if (n > NAMED)
        cs_page_put(p, " and %zu more", n - NAMED);
}

/* Prints "ess: the points of large are not ranked, since their work is unequal;
 * ...". */
static void put_uneven(const cs_sweep *s, size_t arm, size_t figure, cs_page *p)
{
    char why[80];
    if (!cs_sweep_is_unranked(s, arm, figure, why, sizeof why))
        return;
    cs_page_put(p, "%s: the points of %s are not ranked, since their %s",
                s->figure[figure], s->arm[arm], why);
    if (strncmp(s->figure[figure], "ess", 3) == 0)
        cs_page_put(p, "; use --figures ess_per_work to rank them");
}

/* Function that is called once for each sentence. */
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

static void put_table(const cs_sweep *s, const cs_markup *m, cs_page *p)
{
    cs_column column[MOST_COLUMNS];
    char error[CS_SWEEP_FIGURES][CELL];
    cs_cells t = table_of(s, column, error);
    cs_cells_put(&t, m, p);
    cs_cells_fini(&t);
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
    cs_markup_heading(m, "Parameter sweep", p);
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

static cs_status put_latex(const cs_sweep *s, cs_page *p, cs_error *err)
{
    (void)err;
    marked to = {cs_markup_find("latex"), p};
    markup_head(s, to.m, p);
    put_table(s, to.m, p);
    each_sentence(s, put_paragraph, &to, p);
    return CS_OK;
}

static cs_status put_html(const cs_sweep *s, cs_page *p, cs_error *err)
{
    marked to = {cs_markup_find("html"), p};
    cs_markup_page(p, "Parameter sweep");
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

static cs_status put_csv(const cs_sweep *s, cs_page *p, cs_error *err)
{
    (void)err;
    cs_column column[MOST_COLUMNS];
    char error[CS_SWEEP_FIGURES][CELL];
    cs_cells t = table_of(s, column, error);
    cs_cells_csv(&t, p);
    cs_cells_fini(&t);
    return CS_OK;
}

static const cs_sweep_format table[] = {
    {"text", ".txt", put_text},   {"markdown", ".md", put_markdown},
    {"latex", ".tex", put_latex}, {"html", ".html", put_html},
    {"svg", ".svg", put_svg},     {"json", ".json", put_json},
    {"csv", ".csv", put_csv},
};

const cs_sweep_format *cs_sweep_format_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
