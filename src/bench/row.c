#include "bench/row.h"

#include "simd/simd.h"

#include <assert.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double cs_bench_median(double *values, size_t n)
{
    assert(values && n > 0);
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

/* What is asked on AVX2 where that is less than on AVX-512: of the rows of an
 * id whose titles have the word. */
static const struct bar {
    const char *id, *word;
    double must;
} avx2[] = {
    {"B07", "poisson_mala, mala, an effective draw", 10},
    {"B07m", "", 100},
    {"uniform", "", 25},
    {"normal", "", 6},
    {"B01a", "", 1.5},
    {"B01b", "", 4.5},
    {"B03b", "", 2.2},
    {"B04", "one update", 50},
    {"B05", "", 2.7},
    {"B05s", "", 1.5},
    {"B05i", "", 0.9},
    {"B06", "", 2.5},
    {"B06s", "", 1.3},
    {"B06i", "", 0.8},
    {"B10", "term", 4.5},
    {"B10", "built in", 5},
    {"B11", "script", 12},
    {"B12c", "", 140},
    {"B13", "", 35},
    {"B14", "", 0.08},
    {"B14b", "", 0.8},
};

static double bar_of(const cs_bench_row *r)
{
    if (strcmp(cs_simd_name(cs_simd_level()), "base") == 0)
        return (double)NAN;
    bool narrow = strcmp(cs_simd_name(cs_simd_level()), "avx2") == 0;
    for (size_t i = 0; narrow && i < sizeof avx2 / sizeof *avx2; i++)
        if (strcmp(r->id, avx2[i].id) == 0 && strstr(r->title, avx2[i].word))
            return avx2[i].must;
    return r->must;
}

/* The part of the limit that is reached: of a rate, or of a time. */
static double share(const cs_bench_row *r)
{
    return r->ask == CS_ASK_SHARE ? r->ours / r->limit : r->limit / r->ours;
}

static bool is_exchanged(const cs_bench_row *r)
{
    if (r->ask == CS_ASK_MOST)
        return r->ours <= r->must;
    return (r->ask == CS_ASK_RATIO ? r->ratio : share(r)) >= r->must;
}

void cs_bench_head(bool csv)
{
    if (csv)
        puts("case,simd,unit,ours,draws,limit,share,peer,ratio,ask,must,met,"
             "title");
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
    const char *met = isnan(r->must)    ? "    "
                      : is_exchanged(r) ? "met "
                                        : "MISS";
    printf(" %s  %s: %s\n", met, r->unit, r->title);
}

static void print_csv(const cs_bench_row *r)
{
    static const char *const ask[] = {"ratio", "share", "at most"};
    const double figure[] = {r->ours,  r->draws, r->limit,
                             share(r), r->peer,  r->ratio};
    printf("%s,%s,%s", r->id, cs_simd_name(cs_simd_level()), r->unit);
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        if (isnan(figure[i]))
            printf(",");
        else
            printf(",%.6g", figure[i]);
    printf(",%s,%g,%s,\"%s\"\n", ask[r->ask], r->must,
           is_exchanged(r) ? "yes" : "no", r->title);
}

void cs_bench_print(const cs_bench_row *row, const cs_bench_plan *plan)
{
    assert(plan->missed);
    cs_bench_row r = *row;
    r.must = bar_of(row);
    (plan->csv ? print_csv : print_line)(&r);
    fflush(stdout);
    *plan->missed += r.ask == CS_ASK_RATIO && r.ratio < r.must;
}
