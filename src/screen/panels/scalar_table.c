#include "screen/panels/scalar_table.h"

#include "screen/panels/arm_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ARM = CS_ARM_WIDTH };

/* A column of the table of scalars. */
typedef struct scalar_column {
    const char *name;
    size_t at; /* of cs_figures */
    cs_figure_text (*text)(double value);
    double most; /* what lies above is a warning */
} scalar_column;

static const scalar_column scalar_columns[] = {
    {"mean", offsetof(cs_figures, mean), cs_figure_number, HUGE_VAL},
    {"sd", offsetof(cs_figures, sd), cs_figure_number, HUGE_VAL},
    {"R-hat", offsetof(cs_figures, rhat), cs_figure_rate, CS_RHAT_MOST},
    {"bulk ESS", offsetof(cs_figures, bulk), cs_figure_number, HUGE_VAL},
    {"tail ESS", offsetof(cs_figures, tail), cs_figure_number, HUGE_VAL},
    {"MCSE", offsetof(cs_figures, mcse), cs_figure_number, HUGE_VAL},
    {"mean ESS", offsetof(cs_figures, ess), cs_figure_number, HUGE_VAL},
};
enum { SCALAR_COLUMNS = sizeof scalar_columns / sizeof *scalar_columns };

enum { WORST = 10, MANY = 21 };
enum { TEN = 10 /* columns of each */, EXACT = ARM + 7 * TEN };

/* Of weighted draws quantiles stand in the place of what ranks draws. */
enum { RANKED = 2 /* the first of its columns */ };
static const char *const quantile_heads[CS_QUANTILES] = {"5 %", "50 %", "95 %"};

static bool is_ranked(int k)
{
    return k >= RANKED && k < RANKED + CS_QUANTILES;
}

static void draw_scalar(const cs_area *a, int y, const cs_figures *row,
                        const cs_quantiles *q, int shown)
{
    for (int k = 0; k < shown; k++) {
        const scalar_column *c = &scalar_columns[k];
        double value;
        memcpy(&value, (const char *)row + c->at, sizeof value);
        if (q && is_ranked(k)) {
            cs_print(a, ARM + TEN * k, y, CS_ROLE_NORMAL, "%s",
                     cs_figure_number(q->at[k - RANKED]).text);
            continue;
        }
        bool warn = value > c->most;
        cs_print(a, ARM + TEN * k, y, warn ? CS_ROLE_WARN : CS_ROLE_NORMAL,
                 "%s%s", c->text(value).text, warn ? "!" : "");
    }
}

/* How many columns there is room for. */
static int draw_scalar_heads(const cs_area *a, const cs_shot *s, size_t arm,
                             bool exact, bool weighted)
{
    int shown = a->w > ARM ? (a->w - ARM) / TEN : 0;
    shown = shown < SCALAR_COLUMNS ? shown : (int)SCALAR_COLUMNS;
    cs_print_cut(a, 0, 0, ARM - 1, cs_theme_chain(arm),
                 "%s%s:", cs_shot_flaw(s, arm), cs_shot_arm(s, arm));
    for (int k = 0; k < shown; k++)
        cs_print(a, ARM + TEN * k, 0, CS_ROLE_LABEL, "%s",
                 weighted && is_ranked(k) ? quantile_heads[k - RANKED]
                                          : scalar_columns[k].name);
    if (exact)
        cs_print(a, EXACT, 0, CS_ROLE_TRUTH, "exact mean");
    return shown;
}

/* Of many scalars those with an R-hat over the limit, the worst first. */
static size_t find_worst(const cs_figures *row, size_t rows,
                         size_t worst[WORST])
{
    size_t n = 0;
    for (size_t i = 1; rows > MANY && i < rows; i++) {
        double r = row[i].rhat;
        size_t at = n;
        while (at && r > row[worst[at - 1]].rhat)
            at--;
        if (!(r > CS_RHAT_MOST) || at == WORST)
            continue;
        n += n < WORST;
        memmove(worst + at + 1, worst + at, (n - at - 1) * sizeof *worst);
        worst[at] = i;
    }
    return n;
}

/* What lp__ is, behind its name, where that is not log p. */
static const char *logp_of(const cs_shot *s, size_t arm)
{
    const char *kind = cs_shot_text(s, "arm/%zu/diagnostics/logp", arm);
    return !*kind ? "" : strcmp(kind, "none") == 0 ? " none" : " est.";
}

int cs_scalar_table_draw(const cs_area *a, const cs_shot *s, size_t arm,
                         size_t top)
{
    size_t rows, r, c, n_quantiles;
    const cs_figures *t = cs_figures_of(s, arm, &rows);
    const cs_quantiles *q = CS_SHOT_ROWS(s, cs_quantiles, &n_quantiles,
                                         "arm/%zu/diagnostics/quantiles", arm);
    const double *exact =
        cs_shot_array(s, &r, &c, "arm/%zu/moments/exact_mean", arm);
    const char *names = cs_shot_text(s, "arm/%zu/diagnostics/names", arm);
    size_t known = exact && a->w >= EXACT + TEN ? r * c : 0, shown_of = 0;
    if (cs_shot_array(s, &r, &c, "look/x"))
        shown_of = r * c;
    if (known && shown_of &&
        (double)shown_of != cs_shot_number(s, 0, "run/dim"))
        known = 0; /* the scalars are others than the coordinates */
    if (!t || a->h < 3)
        return 0;
    int shown = draw_scalar_heads(a, s, arm, known > 0, q), y = 1;
    size_t worst[WORST], n = find_worst(t, rows, worst);
    for (size_t at = top; at < rows + n && y < a->h; at++, y++) {
        char name[64] = "";
        size_t i = at == 0 || n == 0 ? at : at <= n ? worst[at - 1] : at - n;
        cs_shot_word(names, i, name, sizeof name);
        cs_print_cut(a, 0, y, ARM - 1, CS_ROLE_LABEL, "%s%s", name,
                     i ? "" : logp_of(s, arm));
        draw_scalar(a, y, &t[i], q && i < n_quantiles ? &q[i] : NULL, shown);
        if (i >= 1 && i - 1 < known)
            cs_print(a, EXACT, y, CS_ROLE_TRUTH, "%s",
                     cs_figure_number(exact[i - 1]).text);
    }
    return y;
}
