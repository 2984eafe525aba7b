#include "bench/row.h"

#include "base/memory.h"
#include "base/page.h"
#include "bench/peer.h"
#include "simd/variants.h"

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

/* Requirements for AVX2 that are lower than those for AVX-512. An entry applies
 * to rows that have this id, if their title contains this word. */
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
    {"B06", "", 2.5},
    {"B06s", "", 1.3},
    {"B10", "a term", 4.5},
    {"B10", "built in", 5},
    {"B11", "script", 12},
    {"B12c", "", 140},
    {"B13", "", 35},
    {"B14", "", 0.08},
    {"B14b", "", 0.8},
    {"W1a", "", 1},
    {"W1b", "", 1.5},
    {"W1c", "", 4},
    {"W2g1", "", 0.25},
    {"W2g8", "", 0.67},
    {"W2r1", "", 0.25},
    {"W2r8", "", 0.67},
    {"W2v1", "", 0.25},
    {"W2v8", "", 0.67},
    {"W2h1", "", 0.25},
    {"W2h8", "", 0.67},
    {"W7w4", "", 1.54},
    {"W7l4", "", 1.54},
    {"W7b4", "", 1.54},
    {"W7v4", "", 1.54},
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

/* Returns the fraction of the limit that is reached. The limit is a rate or a
 * time. */
static double share(const cs_bench_row *r)
{
    return r->ask == CS_ASK_SHARE ? r->ours / r->limit : r->limit / r->ours;
}

static bool is_exchanged(const cs_bench_row *r)
{
    if (r->ask == CS_ASK_MOST)
        return r->ours <= r->must;
    if (r->ask == CS_ASK_LEAST)
        return r->ours >= r->must;
    return (r->ask == CS_ASK_RATIO ? r->ratio : share(r)) >= r->must;
}

static void text_head(const cs_bench_plan *plan)
{
    printf("%s, %.0f GFLOP/s of multiply-adds at most. One thread, CPU time, "
           "median of %zu\nrounds, ours alternating with the peer; draws: only "
           "the random numbers of a step;\nlimit: the draws plus the products "
           "at peak rate; GSL: a plain loop, with %s\n(for B07 and B08: the "
           "second kernel named).\n\n",
           cs_simd_name(cs_simd_level()), plan->gflops, plan->rounds,
           cs_peer_blas());
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

static void print_line(const cs_bench_row *r, size_t i)
{
    (void)i;
    static const char *const sign[] = {">=", ">=", "<=", ">="};
    double scale = r->ask == CS_ASK_SHARE ? 100 : 1;
    const char *unit[] = {"x", "%", "", ""};
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

static void text_tail(const cs_bench_plan *plan)
{
    const char *out = plan->count->left_out;
    if (out)
        printf("\nskipped, because it takes minutes: chainscope bench %s\n",
               out);
}

static const char *const ask_name[] = {"ratio", "share", "at most", "at least"};

static void csv_head(const cs_bench_plan *plan)
{
    (void)plan;
    puts("case,simd,unit,ours,draws,limit,share,peer,ratio,ask,must,met,"
         "title");
}

static void print_csv(const cs_bench_row *r, size_t i)
{
    (void)i;
    const double figure[] = {r->ours,  r->draws, r->limit,
                             share(r), r->peer,  r->ratio};
    printf("%s,%s,%s", r->id, cs_simd_name(cs_simd_level()), r->unit);
    for (size_t k = 0; k < sizeof figure / sizeof *figure; k++)
        if (isnan(figure[k]))
            printf(",");
        else
            printf(",%.6g", figure[k]);
    printf(",%s,%g,%s,\"%s\"\n", ask_name[r->ask], r->must,
           is_exchanged(r) ? "yes" : "no", r->title);
}

static void flush(cs_page *p)
{
    fputs(p->text ? p->text : "", stdout);
    cs_free(p->text);
}

static void json_head(const cs_bench_plan *plan)
{
    cs_page p = {0};
    cs_page_put(&p, "{\n  \"version\": \"%s\", \"simd\": \"%s\", ", CS_VERSION,
                cs_simd_name(cs_simd_level()));
    cs_page_put(&p, "\"gflops\": ");
    cs_page_number(&p, plan->gflops);
    cs_page_put(&p, ", \"rounds\": %zu, \"blas\": ", plan->rounds);
    cs_page_quoted(&p, cs_peer_blas());
    cs_page_put(&p, ",\n  \"rows\": [");
    flush(&p);
}

static void print_json(const cs_bench_row *r, size_t i)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"case", r->id},
                 {"title", r->title},
                 {"unit", r->unit},
                 {"ask", ask_name[r->ask]}};
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"ours", r->ours},   {"draws", r->draws},
                   {"limit", r->limit}, {"share", share(r)},
                   {"peer", r->peer},   {"ratio", r->ratio},
                   {"must", r->must}};
    cs_page p = {0};
    cs_page_put(&p, "%s\n    {", i ? "," : "");
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        cs_page_put(&p, "\"%s\": ", texts[k].name);
        cs_page_quoted(&p, texts[k].text);
        cs_page_put(&p, ", ");
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        cs_page_put(&p, "\"%s\": ", numbers[k].name);
        cs_page_number(&p, numbers[k].value);
        cs_page_put(&p, ", ");
    }
    cs_page_put(&p, "\"met\": %s}",
                isnan(r->must)    ? "null"
                : is_exchanged(r) ? "true"
                                  : "false");
    flush(&p);
}

static void json_tail(const cs_bench_plan *plan)
{
    cs_page p = {0};
    cs_page_put(
        &p, "\n  ],\n  \"missed\": %zu, \"left_out\": ", plan->count->missed);
    if (plan->count->left_out)
        cs_page_quoted(&p, plan->count->left_out);
    else
        cs_page_put(&p, "null");
    cs_page_put(&p, "\n}\n");
    flush(&p);
}

/* Output formats, in the order of the enum. `print` receives the number of rows
 * already printed. */
static const struct form {
    void (*head)(const cs_bench_plan *plan);
    void (*print)(const cs_bench_row *row, size_t i);
    void (*tail)(const cs_bench_plan *plan); /* NULL: nothing is printed */
} forms[] = {
    {text_head, print_line, text_tail},
    {csv_head, print_csv, NULL},
    {json_head, print_json, json_tail},
};

void cs_bench_head(const cs_bench_plan *plan)
{
    forms[plan->format].head(plan);
}

void cs_bench_tail(const cs_bench_plan *plan)
{
    if (forms[plan->format].tail)
        forms[plan->format].tail(plan);
}

static void count_missed(cs_bench_count *count, const char *id)
{
    size_t n = strlen(count->cases);
    snprintf(count->cases + n, sizeof count->cases - n, "%s%s", n ? ", " : "",
             id);
    count->missed++;
}

void cs_bench_print(const cs_bench_row *row, const cs_bench_plan *plan)
{
    assert(plan->count);
    cs_bench_row r = *row;
    r.must = bar_of(row);
    forms[plan->format].print(&r, plan->count->rows++);
    fflush(stdout);
    if (r.ask == CS_ASK_RATIO && r.ratio < r.must)
        count_missed(plan->count, r.id);
}
