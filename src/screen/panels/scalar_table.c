#include "screen/panels/scalar_table.h"

#include "screen/canvas/table_cells.h"
#include "screen/panels/arm_table.h"

#include <math.h>
#include <string.h>

enum { ARM = CS_ARM_WIDTH, WORST = 10, MANY = 21 };

typedef struct scalar {
    cs_figures of;
    double q[3];  /* quantiles: 5, 50 and 95 % */
    double exact; /* exact mean */
} scalar;

/* Condition for showing a column: weighted draws have quantiles instead of rank
 * diagnostics. */
typedef enum when { ALWAYS, RANKED, WEIGHTED, KNOWN, WHENS } when;
#define AT(member) CS_AT(scalar, member), .width = 10
static const struct scalar_column {
    when when;
    cs_column column;
} all_columns[] = {
    {ALWAYS, CS_COLUMN("mean", NULL, SHORT, 0, AT(of.mean))},
    {ALWAYS, CS_COLUMN("sd", NULL, SHORT, 0, AT(of.sd))},
    {RANKED,
     CS_COLUMN("R-hat", NULL, FIXED, 3, AT(of.rhat), .most = CS_RHAT_MOST)},
    {RANKED, CS_COLUMN("bulk ESS", NULL, SHORT, 0, AT(of.bulk))},
    {RANKED, CS_COLUMN("tail ESS", NULL, SHORT, 0, AT(of.tail))},
    {WEIGHTED, CS_COLUMN("5 %", NULL, SHORT, 0, AT(q[0]))},
    {WEIGHTED, CS_COLUMN("50 %", NULL, SHORT, 0, AT(q[1]))},
    {WEIGHTED, CS_COLUMN("95 %", NULL, SHORT, 0, AT(q[2]))},
    {ALWAYS, CS_COLUMN("MCSE", NULL, SHORT, 0, AT(of.mcse))},
    {ALWAYS, CS_COLUMN("mean ESS", NULL, SHORT, 0, AT(of.ess))},
    {KNOWN, CS_COLUMN("exact mean", NULL, SHORT, 0, CS_AT(scalar, exact),
                      .width = 11, .missing = "", .mark = CS_CELL_EXACT)},
};
enum { ALL_COLUMNS = sizeof all_columns / sizeof *all_columns };

/* Chooses the columns that fit in w columns of the screen. */
static size_t choose_columns(bool weighted, bool known, int w,
                             cs_column out[ALL_COLUMNS])
{
    const bool has[WHENS] = {true, !weighted, weighted, known};
    size_t n = 0;
    for (size_t k = 0; k < ALL_COLUMNS; k++)
        if (has[all_columns[k].when])
            out[n++] = all_columns[k].column;
    return cs_columns_fit(out, n, w);
}

/* If there are many scalars, finds the scalars with R-hat above the limit, the
 * largest R-hat first. */
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

/* Returns the note that follows the name lp__ if the scalar is not log p. */
static const char *logp_of(const cs_shot *s, size_t arm)
{
    const char *kind = cs_shot_text(s, "arm/%zu/diagnostics/logp", arm);
    return !*kind ? "" : strcmp(kind, "none") == 0 ? " none" : " est.";
}

int cs_scalar_table_draw(const cs_area *a, const cs_shot *s, size_t arm,
                         size_t top)
{
    size_t rows, r, c, n_quantiles, width;
    const cs_figures *t = cs_figures_of(s, arm, &rows);
    const double *q = cs_shot_array(s, &n_quantiles, &width,
                                    "arm/%zu/diagnostics/quantiles", arm);
    bool weighted =
        !isnan(cs_shot_number(s, NAN, "arm/%zu/diagnostics/kish", arm));
    const double *exact =
        cs_shot_array(s, &r, &c, "arm/%zu/moments/exact_mean", arm);
    const char *names = cs_shot_text(s, "arm/%zu/diagnostics/names", arm);
    size_t known = exact ? r * c : 0, shown_of = 0;
    if (cs_shot_array(s, &r, &c, "look/x"))
        shown_of = r * c;
    if (known && shown_of &&
        (double)shown_of != cs_shot_number(s, 0, "run/dim"))
        known = 0; /* no exact means if the scalars are not the coordinates */
    if (!t || a->h < 3)
        return 0;
    cs_column column[ALL_COLUMNS];
    size_t shown = choose_columns(weighted, known > 0, a->w - ARM, column);
    int y = 1;
    cs_print_cut(a, 0, 0, ARM - 1, cs_theme_chain(arm),
                 "%s:", cs_shot_arm(s, arm));
    cs_columns_head(a, ARM, 0, column, shown);
    size_t worst[WORST], n = find_worst(t, rows, worst);
    size_t end = top + cs_panel_fit(a, y, rows + n > top ? rows + n - top : 0);
    for (size_t at = top; at < end; at++, y++) {
        char name[64] = "";
        size_t i = at == 0 || n == 0 ? at : at <= n ? worst[at - 1] : at - n;
        cs_shot_word(names, i, name, sizeof name);
        cs_print_cut(a, 0, y, ARM - 1, CS_ROLE_LABEL, "%s%s", name,
                     i ? "" : logp_of(s, arm));
        scalar row = {.of = t[i], .exact = NAN};
        for (size_t k = 0; k < 3; k++)
            row.q[k] = q && i < n_quantiles && width == 3 * CS_QUANTILE_WORDS
                           ? q[i * width + k * CS_QUANTILE_WORDS]
                           : (double)NAN;
        if (i >= 1 && i - 1 < known)
            row.exact = exact[i - 1];
        cs_columns_row(a, ARM, y, column, shown, &row);
    }
    return y;
}
