#include "run/summary/rows_drawn.h"

#include "probe/rows.h"
#include "run/arms/arms.h"
#include "run/views/report_view.h"
#include "run/views/view.h"

#include <math.h>
#include <stdio.h>

double cs_run_expected_rows(const cs_run *run, size_t arm)
{
    return cs_kernel_expected_rows(cs_run_arm(run, arm).kernel,
                                   cs_run_target(run));
}

/* Writes digits in groups of three: "12 000". */
static const char *whole(double x, char text[32])
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%.0f", fmin(x, 1e18)), to = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[to++] = ' ';
        text[to++] = digits[i];
    }
    text[to] = 0;
    return text;
}

/* Compares twice the number of rows drawn with the number of all rows. The
 * factor is two because a drawn row is evaluated both at the state and at the
 * proposal. A full evaluation uses all rows, but only at the proposal. */
bool cs_run_loose_bounds(const cs_run *run, size_t arm, char *text, size_t size)
{
    cs_arm_view v = cs_run_arm(run, arm);
    double drawn = cs_run_expected_rows(run, arm);
    double all = (double)cs_run_target(run)->n_rows;
    char a[32], b[32];
    if (!(drawn >= all / 2) || all == 0)
        return false;
    const char *name = v.kernel->type->name;
    if (drawn >= all)
        snprintf(text, size,
                 "%s draws %s rows per step on average, more than all %s rows: "
                 "its bounds are too loose to help; use tighter bounds (a "
                 "smaller region, another lambda, chi or step), or a kernel "
                 "that reads all rows",
                 name, whole(drawn, a), whole(all, b));
    else
        snprintf(
            text, size,
            "%s draws on average %s of %s rows per step, and evaluates each "
            "row at two states: its bounds are too loose to save work; use "
            "tighter bounds (a smaller region, another lambda, chi or step)",
            name, whole(drawn, a), whole(all, b));
    return true;
}

/* Reads the mean numbers of rows drawn and kept; NAN: unknown. */
static void means_of(cs_run *run, size_t arm, double *drawn, double *kept)
{
    cs_flat_entry e;
    cs_report_view l = cs_report_view_open(run, arm, "rows", NULL);
    *drawn = *kept = (double)NAN;
    if (cs_report_view_find(&l, "drawn", &e))
        *drawn = CS_ENTRY_ROWS(e, cs_row_rows)->mean;
    if (cs_report_view_find(&l, "kept", &e))
        *kept = CS_ENTRY_ROWS(e, cs_row_rows)->mean;
    cs_report_view_close(&l);
}

void cs_rows_drawn_text(cs_run *run, size_t arm, cs_page *p)
{
    double drawn, kept, expected = cs_run_expected_rows(run, arm);
    double all = (double)cs_run_target(run)->n_rows;
    means_of(run, arm, &drawn, &kept);
    if (isnan(drawn))
        return;
    cs_page_put(p, "  rows drawn: %.4g per step, %.3g %% of %.0f", drawn,
                100 * drawn / all, all);
    if (!isnan(expected))
        cs_page_put(p, ", expected %.4g", expected);
    if (!isnan(kept))
        cs_page_put(p, "; kept: %.4g", kept);
    cs_page_put(p, "\n");
}

void cs_rows_drawn_json(cs_run *run, size_t arm, cs_page *p)
{
    static const char *const names[] = {"expected_rows", "rows_drawn",
                                        "rows_kept"};
    double value[] = {cs_run_expected_rows(run, arm), NAN, NAN};
    means_of(run, arm, &value[1], &value[2]);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        if (isnan(value[i]))
            continue;
        cs_page_put(p, ", \"%s\": ", names[i]);
        cs_page_number(p, value[i]);
    }
}
