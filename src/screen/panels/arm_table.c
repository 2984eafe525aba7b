#include "screen/panels/arm_table.h"

#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is known of an arm ------------------------------------------------ */

const cs_figures *cs_figures_of(const cs_shot *s, size_t arm, size_t *rows)
{
    return CS_SHOT_ROWS(s, cs_figures, rows, CS_KEY_FIGURES, arm);
}

/* The worst R-hat and the smallest ESS of all scalars. */
static void diagnose(cs_arm_row *out)
{
    const cs_table_facts t = cs_shot_facts(out->s);
    const cs_figure_of of = cs_figure_of_arm(out->arm);
    out->r_hat = cs_figure_ask(&cs_figure_rhat, &t.facts, of).value;
    out->ess = cs_figure_ask(&cs_figure_ess, &t.facts, of).value;
}

static void find_rates(cs_arm_row *out)
{
    size_t n;
    const cs_row_acceptance *row = CS_SHOT_ROWS(out->s, cs_row_acceptance, &n,
                                                CS_KEY_ACCEPTANCE, out->arm);
    double steps = 0, rolling = 0;
    for (size_t i = 0; i < n; i++) {
        steps += row[i].steps;
        rolling += row[i].rolling / (double)n;
    }
    out->accepted = cs_shot_accepted(out->s, out->arm);
    out->rolling = steps > 0 ? rolling : (double)NAN;
}

static void count_modes(cs_arm_row *out)
{
    size_t r, c;
    const double *v =
        cs_shot_array(out->s, &r, &c, "arm/%zu/modes/visits", out->arm);
    out->modes = (double)c;
    for (size_t m = 0; v && m < c; m++) {
        double sum = 0;
        for (size_t k = 0; k < r; k++)
            sum += v[k * c + m];
        out->found += sum > 0;
    }
}

/* One that can be held beside another arm's: the total variation of the states,
 * or where those are not known that of the coordinate farthest above its floor.
 */
static void find_distance(cs_arm_row *out)
{
    const char *names =
        cs_shot_text(out->s, "arm/%zu/distance/names", out->arm);
    size_t r, n, m;
    const double *v =
        cs_shot_array(out->s, &r, &n, "arm/%zu/distance/values", out->arm);
    const double *f =
        cs_shot_array(out->s, &r, &m, "arm/%zu/distance/floor", out->arm);
    out->distance = out->floor = NAN;
    n = strncmp(names, "tv", 2) == 0 ? 1 : n;
    for (size_t i = 0; v && f && i < n && i < m; i++)
        if (!(v[i] / f[i] <= out->distance / out->floor)) {
            out->distance = v[i];
            out->floor = f[i];
            cs_shot_word(names, i, out->which, sizeof out->which);
        }
}

cs_arm_row cs_arm_row_of(const cs_shot *s, size_t arm, cs_unit unit)
{
    cs_arm_row out = {.s = s, .arm = arm};
    unit = cs_shot_unit(s, unit);
    out.unit = cs_unit_at(unit);
    out.work = cs_shot_work(s, arm, unit);
    out.chains = cs_shot_number(s, NAN, "arm/%zu/chains", arm);
    out.steps = cs_shot_number(s, NAN, "arm/%zu/steps", arm);
    out.gradients = cs_shot_number(s, NAN, "arm/%zu/gradients", arm);
    out.terms = cs_shot_number(s, 0, "arm/%zu/data_terms", arm);
    out.passes = cs_shot_number(s, NAN, "arm/%zu/passes", arm);
    out.densities = cs_shot_number(s, NAN, "arm/%zu/log_densities", arm);
    out.seconds = cs_shot_number(s, NAN, "arm/%zu/seconds", arm);
    out.failed = cs_shot_number(s, 0, "arm/%zu/failed", arm);
    find_distance(&out);
    diagnose(&out);
    find_rates(&out);
    count_modes(&out);
    return out;
}

/* ---- cells ------------------------------------------------------------------ */

cs_figure_text cs_figure_number(double v)
{
    cs_figure_text c = {"-", false};
    if (isfinite(v))
        cs_short(v, c.text, sizeof c.text);
    return c;
}

cs_figure_text cs_figure_rate(double v)
{
    cs_figure_text c = {"-", false};
    if (isfinite(v))
        snprintf(c.text, sizeof c.text, "%.3f", v);
    return c;
}

static cs_figure_text steps(const cs_arm_row *r)
{
    return cs_figure_number(r->steps);
}

static cs_figure_text accepted(const cs_arm_row *r)
{
    return cs_figure_rate(r->accepted);
}

static cs_figure_text rolling(const cs_arm_row *r)
{
    return cs_figure_rate(r->rolling);
}

static cs_figure_text r_hat(const cs_arm_row *r)
{
    cs_figure_text c = cs_figure_rate(r->r_hat);
    c.warn = r->r_hat > CS_RHAT_MOST;
    if (c.warn)
        snprintf(c.text, sizeof c.text, "%.3f!", r->r_hat);
    return c;
}

static cs_figure_text ess(const cs_arm_row *r)
{
    return cs_figure_number(r->ess);
}

static cs_figure_text ess_per_work(const cs_arm_row *r)
{
    return cs_figure_number(r->unit->in_lot * r->ess / r->work);
}

static cs_figure_text ess_per_second(const cs_arm_row *r)
{
    return cs_figure_number(r->ess / r->seconds);
}

static cs_figure_text distance(const cs_arm_row *r)
{
    cs_figure_text c = cs_figure_rate(r->distance);
    /* the floor is of independent draws: a sampler has fewer, ESS of them */
    double fewer = fmax(r->chains * r->steps / r->ess, 1);
    c.warn = r->distance > 3 * r->floor * (isfinite(fewer) ? sqrt(fewer) : 1);
    if (isfinite(r->distance))
        snprintf(c.text, sizeof c.text, "%.3f %.20s", r->distance, r->which);
    return c;
}

static cs_figure_text floor_of(const cs_arm_row *r)
{
    return cs_figure_rate(r->floor);
}

static cs_figure_text modes(const cs_arm_row *r)
{
    cs_figure_text c = {"-", r->found < r->modes};
    if (r->modes > 0)
        snprintf(c.text, sizeof c.text, "%.0f/%.0f", r->found, r->modes);
    return c;
}

static cs_figure_text gradients(const cs_arm_row *r)
{
    return cs_figure_number(r->gradients);
}

static cs_figure_text densities(const cs_arm_row *r)
{
    return cs_figure_number(r->densities);
}

static cs_figure_text terms(const cs_arm_row *r)
{
    return cs_figure_number(r->terms);
}

static cs_figure_text terms_per_step(const cs_arm_row *r)
{
    return cs_figure_number(r->terms / (r->chains * r->steps));
}

static cs_figure_text passes(const cs_arm_row *r)
{
    return cs_figure_number(r->passes);
}

static cs_figure_text failed(const cs_arm_row *r)
{
    cs_figure_text c = cs_figure_number(r->failed);
    c.warn = r->failed > 0;
    if (!c.warn)
        snprintf(c.text, sizeof c.text, "-");
    return c;
}

/* What :check has found of the arm: how many laws hold, or which does not. */
static cs_figure_text laws(const cs_arm_row *r)
{
    const char *broken = cs_shot_text(r->s, "arm/%zu/broken", r->arm);
    const char *held = cs_shot_text(r->s, "arm/%zu/held", r->arm);
    cs_figure_text c = {"not tried", *broken};
    size_t n = *held ? 1 : 0;
    for (const char *at = held; *at; at++)
        n += *at == ' ';
    if (*broken)
        snprintf(c.text, sizeof c.text, "broken!");
    else if (n)
        snprintf(c.text, sizeof c.text, "%zu hold", n);
    return c;
}

static cs_figure_text kernel(const cs_arm_row *r)
{
    cs_figure_text c = {"", false};
    snprintf(c.text, sizeof c.text, "%.31s",
             cs_shot_text(r->s, "arm/%zu/kernel", r->arm));
    return c;
}

/* When a column is shown: for targets with rows of data; once an arm was
 * checked. */
enum { ALWAYS, OF_ROWS, OF_LAWS, WHENS };

/* The most telling first: what does not fit is left out from the end. */
typedef struct column {
    const char *name;
    int width;
    cs_figure_text (*of)(const cs_arm_row *);
    int when;
} column;

static const column all_columns[] = {
    {"steps", 8, steps, ALWAYS},
    {"accept", 7, accepted, ALWAYS},
    {"R-hat", 8, r_hat, ALWAYS},
    {"ESS", 7, ess, ALWAYS},
    {"laws", 10, laws, OF_LAWS},
    {"distance", 14, distance, ALWAYS},
    {"(floor)", 8, floor_of, ALWAYS},
    {NULL, 10, ess_per_work, ALWAYS}, /* its name is that of the unit */
    {"modes", 8, modes, ALWAYS},
    {"terms/step", 11, terms_per_step, OF_ROWS},
    {"passes", 8, passes, OF_ROWS},
    {"gradients", 10, gradients, ALWAYS},
    {"densities", 10, densities, ALWAYS},
    {"data terms", 11, terms, OF_ROWS},
    {"kernel", 16, kernel, ALWAYS},
    {"ESS/s", 8, ess_per_second, ALWAYS},
    {"last 256", 9, rolling, ALWAYS},
    {"failed", 7, failed, ALWAYS},
};
enum {
    ALL_COLUMNS = sizeof all_columns / sizeof *all_columns,
    ARM = CS_ARM_WIDTH
};

/* Those that the arms have something to say of. */
typedef struct shown_columns {
    column at[ALL_COLUMNS];
    size_t n;
    char per_work[24];
} shown_columns;

static const char *name_of(const shown_columns *c, size_t k)
{
    return c->at[k].name ? c->at[k].name : c->per_work;
}

static shown_columns choose_columns(const cs_arm_row *row, size_t n)
{
    shown_columns out = {.n = 0};
    bool has[WHENS] = {[ALWAYS] = true};
    for (size_t i = 0; i < n; i++) {
        has[OF_ROWS] |= isfinite(row[i].passes);
        has[OF_LAWS] |= strcmp(laws(&row[i]).text, "not tried") != 0;
    }
    snprintf(out.per_work, sizeof out.per_work, "ESS/%s", row->unit->brief);
    for (size_t k = 0; k < ALL_COLUMNS; k++) {
        const column *c = &all_columns[k];
        bool twice = c->name && strcmp(c->name, out.per_work) == 0;
        if (has[c->when] && !twice)
            out.at[out.n++] = *c;
    }
    return out;
}

/* A figure in what room there is: without the words after it, if need be. */
static void draw_cell(const cs_area *a, int x, int y, int w, cs_figure_text c)
{
    char *blank = strrchr(c.text, ' ');
    while (blank && cs_text_width(c.text) > w) {
        *blank = 0;
        blank = strrchr(c.text, ' ');
    }
    cs_print_cut(a, x, y, w, c.warn ? CS_ROLE_WARN : CS_ROLE_NORMAL, "%s",
                 c.text);
}

static void draw_name(const cs_area *a, int x, int y, int w,
                      const cs_arm_row *r)
{
    cs_print_cut(
        a, x, y, w, cs_theme_chain(r->arm), "%c %s%s", cs_theme_glyph(r->arm),
        cs_shot_is_warned(r->s, r->arm) ? "!" : "", cs_shot_arm(r->s, r->arm));
}

/* ---- the table -------------------------------------------------------------- */

size_t cs_arm_table_columns(const cs_arm_row *row, size_t n)
{
    return choose_columns(row, n).n;
}

int cs_arm_table_draw_wide(const cs_area *a, const cs_arm_row *row, size_t n,
                           size_t chosen)
{
    shown_columns c = choose_columns(row, n);
    cs_print(a, 0, 0, CS_ROLE_LABEL, "arm");
    for (size_t i = 0; i < n && (int)i + 1 < a->h; i++) {
        int x = ARM, y = (int)i + 1;
        draw_name(a, 0, y, ARM - 1, &row[i]);
        for (size_t k = 0; k < c.n; k++) {
            int width = c.at[k].width;
            if (x + width > a->w + 1)
                break;
            cs_print(a, x, 0, CS_ROLE_LABEL, "%s", name_of(&c, k));
            draw_cell(a, x, y, width - 1, c.at[k].of(&row[i]));
            x += width;
        }
        if (i == chosen && n > 1)
            cs_attribute(a, 0, y, a->w, CS_BOLD);
    }
    return (int)n + 1;
}

void cs_arm_table_draw_tall(const cs_area *a, const cs_arm_row *row, size_t n,
                            size_t chosen, size_t top)
{
    shown_columns c = choose_columns(row, n);
    size_t most = a->w >= 18 ? (size_t)(a->w - 10) / 8 : 1;
    size_t shown = n < most ? n : most;
    int width = (a->w - 10) / (int)(shown ? shown : 1);
    width = width < 13 ? width : 13;
    size_t first = chosen + 1 > shown ? chosen + 1 - shown : 0;
    for (size_t i = 0; i < shown; i++) {
        int x = 10 + (int)i * width;
        draw_name(a, x, 0, width - 1, &row[first + i]);
        for (int y = 1; y < a->h && top + (size_t)y - 1 < c.n; y++)
            draw_cell(a, x, y, width - 1,
                      c.at[top + (size_t)y - 1].of(&row[first + i]));
    }
    for (int y = 1; y < a->h && top + (size_t)y - 1 < c.n; y++)
        cs_print_cut(a, 0, y, 9, CS_ROLE_LABEL, "%s",
                     name_of(&c, top + (size_t)y - 1));
}
