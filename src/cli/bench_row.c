#include "cli/bench_row.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>

double cs_bench_median(double *values, size_t n)
{
    gsl_sort(values, 1, n);
    return gsl_stats_median_from_sorted_data(values, 1, n);
}

cs_bench_row cs_bench_row_of(const char *id, const char *title,
                             const char *unit)
{
    const double none = (double)NAN;
    return (cs_bench_row){.id = id,
                          .title = title,
                          .unit = unit,
                          .ours = none,
                          .peer = none,
                          .ratio = none,
                          .draws = none,
                          .limit = none,
                          .must = none};
}

/* The part of the limit that is reached: of a rate, or of a time. */
static double share(const cs_bench_row *r)
{
    return r->ask == CS_ASK_SHARE ? r->ours / r->limit : r->limit / r->ours;
}

static bool is_met(const cs_bench_row *r)
{
    if (r->ask == CS_ASK_MOST)
        return r->ours <= r->must;
    return (r->ask == CS_ASK_RATIO ? r->ratio : share(r)) >= r->must;
}

void cs_bench_head(bool csv)
{
    if (csv)
        puts("case,unit,ours,draws,limit,share,peer,ratio,ask,must,met,title");
    else
        puts("case        ours    draws    limit of it      GSL    ratio"
             "     must");
}

static void number(double value, int width, const char *suffix)
{
    char text[32] = "";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.3g%s", value, suffix);
    printf(" %*s", width, text);
}

static void print_line(const cs_bench_row *r)
{
    static const char *const sign[] = {">=", ">=", "<="};
    double scale = r->ask == CS_ASK_SHARE ? 100 : 1;
    const char *unit[] = {"x", "%", ""};
    printf("%-7s", r->id);
    number(r->ours, 8, "");
    number(r->draws, 8, "");
    number(r->limit, 8, "");
    number(100 * share(r), 5, "%");
    number(r->peer, 8, "");
    number(r->ratio, 8, "x");
    printf("  %s", sign[r->ask]);
    number(scale * r->must, 5, unit[r->ask]);
    printf(" %s  %s: %s\n", is_met(r) ? "met " : "MISS", r->unit, r->title);
}

static void print_csv(const cs_bench_row *r)
{
    static const char *const ask[] = {"ratio", "share", "at most"};
    const double figure[] = {r->ours,  r->draws, r->limit,
                             share(r), r->peer,  r->ratio};
    printf("%s,%s", r->id, r->unit);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        if (isnan(figure[i]))
            printf(",");
        else
            printf(",%.6g", figure[i]);
    printf(",%s,%g,%s,\"%s\"\n", ask[r->ask], r->must, is_met(r) ? "yes" : "no",
           r->title);
}

void cs_bench_print(const cs_bench_row *row, bool csv)
{
    (csv ? print_csv : print_line)(row);
    fflush(stdout);
}
