#include "cli/many/sbc_table.h"

#include "base/cells.h"
#include "base/memory.h"
#include "screen/canvas/canvas_export.h"
#include "screen/canvas/rank_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, HEIGHT = 11, PICTURES = 40 };

/* Maximum share of replicates that may fail or have too few effective draws. */
#define POOR_SHARE 0.05

void cs_sbc_fini(cs_sbc *s)
{
    for (size_t i = 0; i < s->rows; i++)
        cs_free(s->row[i].rank);
    cs_free(s->row);
    s->row = NULL;
    s->rows = 0;
}

bool cs_sbc_judge(cs_sbc *s)
{
    size_t last = 0;
    for (size_t i = 0; i < s->rows; i++) {
        cs_sbc_row *r = &s->row[i];
        r->known = cs_uniformity_of(r->rank, r->n, s->draws + 1, &r->u);
        if (r->known && r->n != last) {
            s->level = cs_ecdf_level(r->n, s->draws + 1, 0.95);
            last = r->n;
        }
    }
    return !isnan(s->level);
}

/* ---- the verdict ---- */

static bool is_of(const cs_sbc_row *r, const char *arm)
{
    return strcmp(r->arm, arm) == 0;
}

cs_sbc_verdict cs_sbc_verdict_of(const cs_sbc *s, const char *arm, double *p)
{
    size_t n = 0, poor = 0;
    double least = 1;
    for (size_t i = 0; i < s->rows; i++) {
        const cs_sbc_row *r = &s->row[i];
        if (!is_of(r, arm) || !r->known)
            continue;
        n++;
        least = fmin(least, r->u.p);
        poor = r->poor > poor ? r->poor : poor;
    }
    *p = fmin(1, least * (double)n);
    double most = POOR_SHARE * (double)s->replicates;
    if (n == 0 || (double)poor > most || (double)s->failed > most)
        return CS_SBC_OPEN;
    return *p < CS_SBC_LEVEL ? CS_SBC_FAILS : CS_SBC_HOLDS;
}

/* Prints which bias the non-uniform ranks indicate. */
static void put_meaning(const cs_sbc_row *r, cs_page *p)
{
    const cs_uniformity *u = &r->u;
    double shift = (u->mean - 0.5) / u->mean_error;
    double spread = (u->spread - 1) / u->spread_error;
    if (fabs(shift) >= 2)
        cs_page_put(p, ", draws are too %s", shift > 0 ? "low" : "high");
    if (fabs(spread) >= 2)
        cs_page_put(p, "%s%s", fabs(shift) >= 2 ? " and " : ", draws are ",
                    spread > 0 ? "too close together" : "too far apart");
}

/* Lists the quantities with non-uniform ranks; all other quantities appear only
 * in the table. */
static void put_faults(const cs_sbc *s, const char *arm, cs_page *p)
{
    enum { NAMED = 6 };
    size_t n = 0, all = 0;
    for (size_t i = 0; i < s->rows; i++)
        all += is_of(&s->row[i], arm) && s->row[i].known;
    for (size_t i = 0; i < s->rows && n < NAMED; i++) {
        const cs_sbc_row *r = &s->row[i];
        if (!is_of(r, arm) || !r->known || r->u.p * (double)all > 0.05)
            continue;
        cs_page_put(p, "%s%s: p = %.2g", n++ ? "; " : " (", r->quantity,
                    r->u.p);
        put_meaning(r, p);
    }
    if (n)
        cs_page_put(p, ")");
}

/* Prints the smallest bias that this number of replicates would detect: two
 * standard errors of the mean rank, and two standard errors of the spread of
 * the ranks. */
static void put_power(const cs_sbc *s, const char *arm, cs_page *p)
{
    for (size_t i = 0; i < s->rows; i++) {
        const cs_sbc_row *r = &s->row[i];
        if (!is_of(r, arm) || !r->known)
            continue;
        cs_page_put(p,
                    "; mean ranks are known to +- %.2f of the range of ranks, "
                    "and the spreads of ranks to +- %.0f %%",
                    2 * r->u.mean_error, 200 * r->u.spread_error);
        return;
    }
}

static void put_verdict(const cs_sbc *s, const char *arm, cs_page *page)
{
    double p;
    cs_sbc_verdict v = cs_sbc_verdict_of(s, arm, &p);
    cs_page_put(page, "%s: ", arm);
    if (v == CS_SBC_FAILS)
        cs_page_put(page,
                    "DOES NOT HOLD: ranks are not uniform, p = %.2g for "
                    "all quantities",
                    p);
    else if (v == CS_SBC_HOLDS)
        cs_page_put(page,
                    "holds: ranks agree with uniform ones, p = %.2g for "
                    "all quantities",
                    p);
    else
        cs_page_put(page, "cannot tell: %s",
                    s->failed ? "runs failed"
                              : "more than 5 % of the replicates have too few "
                                "effective draws; use a longer budget");
    if (v == CS_SBC_FAILS)
        put_faults(s, arm, page);
    if (v == CS_SBC_HOLDS)
        put_power(s, arm, page);
}

/* Function that is called once for each arm, with the arm's name. */
typedef void with_arm(const cs_sbc *s, const char *arm, void *to);

static void each_arm(const cs_sbc *s, with_arm *f, void *to)
{
    for (size_t i = 0; i < s->rows; i++) {
        bool seen = false;
        for (size_t k = 0; k < i; k++)
            seen |= is_of(&s->row[k], s->row[i].arm);
        if (!seen)
            f(s, s->row[i].arm, to);
    }
}

/* ---- the table ---- */

/* A row of the table. Values are NAN where the ranks are not informative. */
typedef struct line {
    const char *arm, *quantity;
    /* mean and spread: the value and its standard error */
    double p, mean[2], spread[2], chi2, chi2_p;
    double ess, draws, poor, bins;
} line;

static line line_of(const cs_sbc_row *r)
{
    const cs_uniformity *u = &r->u;
    line l = {r->arm,
              r->quantity,
              u->p,
              {u->mean, u->mean_error},
              {u->spread, u->spread_error},
              u->chi2,
              u->chi2_p,
              r->effective,
              r->used,
              (double)r->poor,
              (double)u->bins};
    if (!r->known)
        l.p = *l.mean = l.mean[1] = *l.spread = l.spread[1] = l.chi2 =
            l.chi2_p = NAN;
    return l;
}

static void chi2_cell(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const line *l = row;
    (void)c;
    cell->value = l->chi2;
    if (isnan(l->chi2))
        return;
    snprintf(cell->buffer, sizeof cell->buffer, "%.1f of %.0f (p = %.2g)",
             l->chi2, l->bins - 1, l->chi2_p);
    cell->text = cell->buffer;
}

static const cs_column columns[] = {
    CS_COLUMN("arm", "arm", WORDS, 0, CS_AT(line, arm)),
    CS_COLUMN("quantity", "quantity", WORDS, 0, CS_AT(line, quantity)),
    CS_COLUMN("p", "p", NUMBER, 3, CS_AT(line, p)),
    CS_COLUMN("mean rank", "mean", FIXED, 3, CS_AT(line, mean),
              .error = "mean_error"),
    CS_COLUMN("spread", "spread", FIXED, 2, CS_AT(line, spread),
              .error = "spread_error"),
    CS_COLUMN("chi-square", "chi_square", NUMBER, 0, .get = chi2_cell),
    CS_COLUMN(NULL, "chi_square_p", NUMBER, 0, CS_AT(line, chi2_p)),
    CS_COLUMN("ESS", "ess", FIXED, 0, CS_AT(line, ess)),
    CS_COLUMN("draws", "draws", FIXED, 0, CS_AT(line, draws)),
    CS_COLUMN(NULL, "poor", FIXED, 0, CS_AT(line, poor)),
};

static cs_cells table_of(const cs_sbc *s)
{
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < s->rows; i++) {
        line l = line_of(&s->row[i]);
        cs_cells_add(&t, &l);
    }
    return t;
}

static void put_table(const cs_sbc *s, const cs_markup *m, cs_page *p)
{
    cs_cells t = table_of(s);
    cs_cells_put(&t, m, p);
    cs_cells_fini(&t);
}

static void put_what(const cs_sbc *s, cs_page *p)
{
    cs_page_put(p, "%s: %zu data sets, ranks among %zu draws", s->file,
                s->replicates, s->draws);
    if (s->failed)
        cs_page_put(p, "; %zu run%s failed: %s", s->failed,
                    s->failed == 1 ? "" : "s", s->failure);
}

/* ---- pictures ---- */

static size_t number_of_arm(const cs_sbc *s, size_t row)
{
    size_t n = 0;
    for (size_t i = 1; i <= row; i++)
        n += !is_of(&s->row[i], s->row[i - 1].arm);
    return n;
}

static void draw_all(const cs_area *a, const cs_sbc *s, size_t n)
{
    char name[140];
    for (size_t i = 0; i < n; i++) {
        const cs_sbc_row *r = &s->row[i];
        cs_area part = cs_area_part(a, 0, (int)i * HEIGHT, a->w, HEIGHT - 1);
        snprintf(name, sizeof name, "%s, %s", r->quantity, r->arm);
        if (r->known)
            cs_rank_plot_draw(&part,
                              &(cs_rank_plot){.name = name,
                                              .number = number_of_arm(s, i),
                                              .rank = r->rank,
                                              .n = r->n,
                                              .places = s->draws + 1,
                                              .u = r->u,
                                              .level = s->level});
    }
}

static cs_status put_picture(const cs_sbc *s, cs_medium as, cs_page *p,
                             cs_error *err)
{
    cs_canvas c = {0};
    char *text = NULL;
    size_t size, n = s->rows < PICTURES ? s->rows : PICTURES;
    cs_status status =
        cs_canvas_init(&c, WIDTH, (int)n * HEIGHT, CS_BRAILLE, err);
    if (status)
        return status;
    cs_area all = cs_canvas_area(&c);
    draw_all(&all, s, n);
    FILE *out = open_memstream(&text, &size);
    bool good = out && cs_canvas_export(&c, as, CS_TIER_TRUE, out);
    if (out && fclose(out) != 0)
        good = false;
    if (good)
        cs_page_put(p, "%s", text);
    free(text);
    cs_canvas_fini(&c);
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for the picture");
}

/* ---- formats ---- */

static void verdict_line(const cs_sbc *s, const char *arm, void *to)
{
    put_verdict(s, arm, to);
    cs_page_put(to, "\n");
}

static const char explained[] =
    "lines: band that contains uniform ranks with 95 % probability, "
    "simultaneously; p: probability that uniform ranks deviate at least this "
    "far";

static cs_status put_text(const cs_sbc *s, cs_page *p, cs_error *err)
{
    put_what(s, p);
    cs_page_put(p, "\n\n");
    put_table(s, NULL, p);
    cs_page_put(p, "\n");
    cs_status status = put_picture(s, CS_TEXT, p, err);
    cs_page_put(p, "%s\n\n", explained);
    each_arm(s, verdict_line, p);
    return status;
}

typedef struct marked {
    const cs_markup *m;
    cs_page *p;
} marked;

static void verdict_paragraph(const cs_sbc *s, const char *arm, void *to)
{
    const marked *at = to;
    cs_page one = {0};
    put_verdict(s, arm, &one);
    cs_markup_paragraph(at->m, one.text ? one.text : "", at->p);
    cs_free(one.text);
}

static void markup_all(const cs_sbc *s, const marked *to)
{
    cs_page what = {0};
    put_what(s, &what);
    cs_markup_heading(to->m, "Simulation-based calibration", to->p);
    cs_markup_paragraph(to->m, what.text ? what.text : "", to->p);
    cs_free(what.text);
    marked copy = *to;
    each_arm(s, verdict_paragraph, &copy);
    put_table(s, to->m, to->p);
    cs_markup_paragraph(to->m, explained, to->p);
}

static cs_status put_markdown(const cs_sbc *s, cs_page *p, cs_error *err)
{
    const marked to = {cs_markup_find("markdown"), p};
    cs_page picture = {0};
    markup_all(s, &to);
    cs_status status = put_picture(s, CS_TEXT, &picture, err);
    cs_markup_code(to.m, picture.text ? picture.text : "", p);
    cs_free(picture.text);
    return status;
}

static cs_status put_latex(const cs_sbc *s, cs_page *p, cs_error *err)
{
    (void)err;
    markup_all(s, &(marked){cs_markup_find("latex"), p});
    return CS_OK;
}

static cs_status put_html(const cs_sbc *s, cs_page *p, cs_error *err)
{
    const marked to = {cs_markup_find("html"), p};
    cs_markup_page(p, "Simulation-based calibration");
    markup_all(s, &to);
    cs_status status = put_picture(s, CS_SVG, p, err);
    cs_page_put(p, "</body></html>\n");
    return status;
}

static cs_status put_svg(const cs_sbc *s, cs_page *p, cs_error *err)
{
    return put_picture(s, CS_SVG, p, err);
}

static void json_quantities(const cs_sbc *s, cs_page *p)
{
    cs_cells t = table_of(s);
    p->full |= t.full;
    for (size_t i = 0; i < t.rows; i++) {
        cs_page_put(p, "%s\n    {", i ? "," : "");
        cs_cells_json_row(&t, i, p);
        cs_page_put(p, ", \"ranks\": [");
        for (size_t k = 0; k < s->row[i].n; k++)
            cs_page_put(p, "%s%.0f", k ? ", " : "", s->row[i].rank[k]);
        cs_page_put(p, "]}");
    }
    cs_cells_fini(&t);
}

static void json_verdict(const cs_sbc *s, const char *arm, void *to)
{
    static const char *const words[] = {"holds", "does not hold",
                                        "cannot tell"};
    double p;
    cs_sbc_verdict v = cs_sbc_verdict_of(s, arm, &p);
    cs_page *page = to;
    cs_page_put(page, "%s\n    ",
                page->used && page->text[page->used - 1] == '{' ? "" : ",");
    cs_page_quoted(page, arm);
    cs_page_put(page, ": {\"p\": %.6g, \"verdict\": \"%s\"}", p, words[v]);
}

static cs_status put_json(const cs_sbc *s, cs_page *p, cs_error *err)
{
    (void)err;
    cs_page_put(p, "{\n  \"version\": \"%s\",\n  \"scenario\": ", CS_VERSION);
    cs_page_quoted(p, s->file);
    cs_page_put(p,
                ",\n  \"replicates\": %zu, \"failed\": %zu, \"draws\": %zu,\n"
                "  \"arms\": {",
                s->replicates, s->failed, s->draws);
    each_arm(s, json_verdict, p);
    cs_page_put(p, "\n  },\n  \"quantities\": [");
    json_quantities(s, p);
    cs_page_put(p, "\n  ]\n}\n");
    return CS_OK;
}

static cs_status put_csv(const cs_sbc *s, cs_page *p, cs_error *err)
{
    (void)err;
    cs_cells t = table_of(s);
    cs_cells_csv(&t, p);
    cs_cells_fini(&t);
    return CS_OK;
}

static const cs_sbc_format table[] = {
    {"text", ".txt", put_text},   {"markdown", ".md", put_markdown},
    {"latex", ".tex", put_latex}, {"html", ".html", put_html},
    {"svg", ".svg", put_svg},     {"json", ".json", put_json},
    {"csv", ".csv", put_csv},
};

const cs_sbc_format *cs_sbc_format_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}
