#include "screen/panels/arm_table.h"

#include "figure/figure.h"
#include "screen/canvas/table_cells.h"
#include "screen/panels/sentence.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- figures of an arm ------------------------------------------------------ */

const cs_figures *cs_figures_of(const cs_shot *s, size_t arm, size_t *rows)
{
    return CS_SHOT_ROWS(s, cs_figures, rows, CS_KEY_FIGURES, arm);
}

/* Finds the largest R-hat and the smallest ESS over all scalars. */
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

/* Finds a distance that can be compared between arms: the total variation of
 * the states. If this is not known, finds the distance of the coordinate that
 * is farthest above its floor. */
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

static double known_of(double x)
{
    return isfinite(x) ? x : (double)NAN;
}

static void find_rows(cs_arm_row *out)
{
    double terms = cs_shot_number(out->s, 0, "arm/%zu/data_terms", out->arm);
    out->passes = cs_shot_number(out->s, NAN, "arm/%zu/passes", out->arm);
    out->terms = isnan(out->passes) ? (double)NAN : terms;
    out->terms_per_step = known_of(out->terms / (out->chains * out->steps));
}

cs_arm_row cs_arm_row_of(const cs_shot *s, size_t arm, cs_unit unit)
{
    cs_arm_row out = {.s = s, .arm = arm};
    unit = cs_shot_unit(s, unit);
    out.unit = cs_unit_at(unit);
    out.kernel = cs_shot_text(s, "arm/%zu/kernel", arm);
    out.chains = cs_shot_number(s, NAN, "arm/%zu/chains", arm);
    out.steps = cs_shot_number(s, NAN, "arm/%zu/steps", arm);
    out.gradients = cs_shot_number(s, NAN, "arm/%zu/gradients", arm);
    out.densities = cs_shot_number(s, NAN, "arm/%zu/log_densities", arm);
    double seconds = cs_shot_number(s, NAN, "arm/%zu/seconds", arm);
    double failed = cs_shot_number(s, 0, "arm/%zu/failed", arm);
    out.failed = failed > 0 ? failed : (double)NAN;
    find_rows(&out);
    find_distance(&out);
    diagnose(&out);
    find_rates(&out);
    count_modes(&out);
    out.ess_per_work =
        known_of(out.unit->in_lot * out.ess / cs_shot_work(s, arm, unit));
    out.ess_per_second = known_of(out.ess / seconds);
    return out;
}

/* ---- columns ---------------------------------------------------------------- */

static void distance(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const cs_arm_row *r = row;
    (void)c;
    /* the floor is for independent draws; the draws of a sampler count only
     * as ESS independent draws */
    double fewer = fmax(r->chains * r->steps / r->ess, 1);
    cell->value = known_of(r->distance);
    if (r->distance > 3 * r->floor * (isfinite(fewer) ? sqrt(fewer) : 1))
        cell->mark = CS_CELL_BAD;
    snprintf(cell->buffer, sizeof cell->buffer, "%.3f %.20s", r->distance,
             r->which);
    cell->text = isfinite(r->distance) ? cell->buffer : NULL;
}

static void modes(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const cs_arm_row *r = row;
    (void)c;
    if (r->found < r->modes)
        cell->mark = CS_CELL_BAD;
    snprintf(cell->buffer, sizeof cell->buffer, "%.0f/%.0f", r->found,
             r->modes);
    cell->text = r->modes > 0 ? cell->buffer : NULL;
}

static void failed(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const cs_arm_row *r = row;
    (void)c;
    cell->value = r->failed;
    cell->mark = isnan(r->failed) ? CS_CELL_PLAIN : CS_CELL_BAD;
}

/* Shows the result of :check for the arm: the number of laws that hold, or
 * "broken". */
static void laws(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const cs_arm_row *r = row;
    const char *held = cs_shot_text(r->s, "arm/%zu/held", r->arm);
    size_t n = *held ? 1 : 0;
    (void)c;
    for (const char *at = held; *at; at++)
        n += *at == ' ';
    snprintf(cell->buffer, sizeof cell->buffer, "%zu hold", n);
    cell->text = n ? cell->buffer : NULL;
    if (!*cs_shot_text(r->s, "arm/%zu/broken", r->arm))
        return;
    cell->text = "broken";
    cell->mark = CS_CELL_BAD;
}

/* Shows the verdict on the arm's draws. */
static void verdict(const cs_column *c, const void *row, cs_column_cell *cell)
{
    const cs_arm_row *r = row;
    cs_arm_verdict v;
    (void)c;
    if (!cs_verdict_of(r->s, r->arm, &v))
        return;
    cell->text = cs_verdict_name(v, false);
    cell->mark = v == CS_VERDICT_GOOD ? CS_CELL_PLAIN : CS_CELL_BAD;
}

#define AT(member) CS_AT(cs_arm_row, member)

/* Columns in order of importance: columns that do not fit are left out from the
 * end. */
static const cs_column all_columns[] = {
    CS_COLUMN("steps", NULL, SHORT, 0, AT(steps), .width = 8),
    CS_COLUMN("accept", NULL, FIXED, 3, AT(accepted), .width = 7),
    CS_COLUMN("R-hat", NULL, FIXED, 3, AT(r_hat), .width = 8,
              .most = CS_RHAT_MOST),
    CS_COLUMN("ESS", NULL, SHORT, 0, AT(ess), .width = 7),
    CS_COLUMN("laws", NULL, NUMBER, 0, .get = laws, .width = 10,
              .missing = "not checked", .optional = true),
    CS_COLUMN("verdict", NULL, WORDS, 0, .get = verdict, .width = 15),
    CS_COLUMN("distance", NULL, FIXED, 3, .get = distance, .width = 14),
    CS_COLUMN("(floor)", NULL, FIXED, 3, AT(floor), .width = 8),
    CS_COLUMN(NULL, NULL, SHORT, 0, AT(ess_per_work), /* "ESS/" and a unit */
              .width = 10),
    CS_COLUMN("modes", NULL, NUMBER, 0, .get = modes, .width = 8),
    CS_COLUMN("terms/step", NULL, SHORT, 0, AT(terms_per_step), .width = 11,
              .optional = true),
    CS_COLUMN("passes", NULL, SHORT, 0, AT(passes), .width = 8,
              .optional = true),
    CS_COLUMN("gradients", NULL, SHORT, 0, AT(gradients), .width = 10),
    CS_COLUMN("densities", NULL, SHORT, 0, AT(densities), .width = 10),
    CS_COLUMN("data terms", NULL, SHORT, 0, AT(terms), .width = 11,
              .optional = true),
    CS_COLUMN("kernel", NULL, WORDS, 0, AT(kernel), .width = 16),
    CS_COLUMN("ESS/s", NULL, SHORT, 0, AT(ess_per_second), .width = 8),
    CS_COLUMN("last 256", NULL, FIXED, 3, AT(rolling), .width = 9),
    CS_COLUMN("failed", NULL, SHORT, 0, .get = failed, .width = 7),
};
enum {
    ALL_COLUMNS = sizeof all_columns / sizeof *all_columns,
    ARM = CS_ARM_WIDTH
};

/* Columns in which some arm has a value. */
typedef struct shown_columns {
    cs_column at[ALL_COLUMNS];
    size_t n;
    char per_work[24];
} shown_columns;

/* Chooses the columns in which some arm has a value. If the ESS per unit of
 * work equals another column, only one of the two columns is kept. */
static void choose_columns(const cs_arm_row *row, size_t n, shown_columns *out)
{
    size_t chosen = cs_columns_choose(all_columns, ALL_COLUMNS, row, n,
                                      sizeof *row, out->at);
    snprintf(out->per_work, sizeof out->per_work, "ESS/%s", row->unit->brief);
    out->n = 0;
    for (size_t k = 0; k < chosen; k++) {
        bool twice =
            out->at[k].name && strcmp(out->at[k].name, out->per_work) == 0;
        if (!twice)
            out->at[out->n++] = out->at[k];
        if (!twice && !out->at[out->n - 1].name)
            out->at[out->n - 1].name = out->per_work;
    }
}

static void draw_name(const cs_area *a, int x, int y, int w,
                      const cs_arm_row *r)
{
    cs_print_cut(a, x, y, w, cs_theme_chain(r->arm), "%c %s",
                 cs_theme_glyph(r->arm), cs_shot_arm(r->s, r->arm));
}

/* ---- the table -------------------------------------------------------------- */

size_t cs_arm_table_columns(const cs_arm_row *row, size_t n)
{
    shown_columns c;
    choose_columns(row, n, &c);
    return c.n;
}

int cs_arm_table_draw_wide(const cs_area *a, const cs_arm_row *row, size_t n,
                           size_t chosen)
{
    shown_columns c;
    choose_columns(row, n, &c);
    size_t fit = cs_columns_fit(c.at, c.n, a->w - ARM);
    cs_print(a, 0, 0, CS_ROLE_LABEL, "arm");
    if (a->h > 1)
        cs_columns_head(a, ARM, 0, c.at, fit);
    for (size_t i = 0; i < n && (int)i + 1 < a->h; i++) {
        int y = (int)i + 1;
        draw_name(a, 0, y, ARM - 1, &row[i]);
        cs_columns_row(a, ARM, y, c.at, fit, &row[i]);
        if (i == chosen && n > 1)
            cs_attribute(a, 0, y, a->w, CS_BOLD);
    }
    return (int)n + 1;
}

void cs_arm_table_draw_tall(const cs_area *a, const cs_arm_row *row, size_t n,
                            size_t chosen, size_t top)
{
    shown_columns c;
    choose_columns(row, n, &c);
    size_t most = a->w >= 18 ? (size_t)(a->w - 10) / 8 : 1;
    size_t shown = n < most ? n : most;
    int width = (a->w - 10) / (int)(shown ? shown : 1);
    width = width < 13 ? width : 13;
    size_t first = chosen + 1 > shown ? chosen + 1 - shown : 0;
    for (size_t i = 0; i < shown; i++)
        draw_name(a, 10 + (int)i * width, 0, width - 1, &row[first + i]);
    for (int y = 1; y < a->h && top + (size_t)y - 1 < c.n; y++) {
        const cs_column *column = &c.at[top + (size_t)y - 1];
        cs_print_cut(a, 0, y, 9, CS_ROLE_LABEL, "%s", column->name);
        for (size_t i = 0; i < shown; i++)
            cs_columns_cell(a, 10 + (int)i * width, y, width - 1, column,
                            &row[first + i]);
    }
}
