#include "session/summary.h"

#include "base/memory.h"
#include "stat/diagnostics.h"
#include "stat/moments.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { COLUMNS = 6 };
static const char *const columns[COLUMNS] = {"mean",     "sd",       "rhat",
                                             "ess_bulk", "ess_tail", "mcse"};

typedef struct page {
    char *out;
    size_t size, used;
} page;

static void put(page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(page *p, const char *format, ...)
{
    if (p->used + 1 >= p->size)
        return;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(p->out + p->used, p->size - p->used, format, args);
    va_end(args);
    p->used += (size_t)(n > 0 ? n : 0);
    if (p->used >= p->size)
        p->used = p->size - 1;
}

/* JSON has no NaN and no infinity. */
static void put_number(page *p, double x)
{
    if (isfinite(x))
        put(p, "%.10g", x);
    else
        put(p, "null");
}

static void put_quoted(page *p, const char *text)
{
    put(p, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32)
            put(p, "\\u%04x", c);
        else
            put(p, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    put(p, "\"");
}

/* The kept draws of an arm, column by column: x[1 + dim][chains][n]. */
typedef struct kept {
    double *x;
    size_t n, chains, columns;
} kept;

static bool gather(cs_run *run, size_t arm, kept *k)
{
    size_t width = 1 + cs_run_target(run)->space.dim;
    uint64_t every;
    k->chains = cs_run_arm(run, arm).chains;
    k->columns =
        width < 1 + CS_SUMMARY_COORDINATES ? width : 1 + CS_SUMMARY_COORDINATES;
    k->n = cs_run_draws(run, arm, 0, NULL, &every);
    double *rows = cs_alloc(k->n * width, sizeof *rows);
    k->x = cs_alloc(k->columns * k->chains * k->n, sizeof *k->x);
    bool good = rows && k->x;
    for (size_t c = 0; good && c < k->chains; c++) {
        size_t n = cs_run_draws(run, arm, c, rows, &every);
        for (size_t j = 0; j < k->columns; j++)
            for (size_t i = 0; i < k->n; i++)
                k->x[(j * k->chains + c) * k->n + i] =
                    i < n ? rows[i * width + j] : (double)NAN;
    }
    cs_free(rows);
    return good;
}

static void sum_up(const kept *k, size_t column, double out[COLUMNS])
{
    const double *x = k->x + column * k->chains * k->n;
    size_t all = k->chains * k->n;
    cs_draws d = {x, k->n, k->chains};
    out[0] = cs_mean(x, all);
    out[1] = sqrt(cs_variance(x, all));
    out[2] = cs_rhat(d, NULL);
    out[3] = cs_ess_bulk(d, NULL);
    out[4] = cs_ess_tail(d, NULL);
    out[5] = cs_mcse_mean(d, NULL);
}

static void name_of(const cs_run *run, size_t column, char *out, size_t size)
{
    if (column)
        cs_target_coordinate(cs_run_target(run), column - 1, out, size);
    else
        snprintf(out, size, "lp__");
}

static double accepted(cs_run *run, size_t arm)
{
    double steps = 0, yes = 0;
    for (size_t c = 0; c < cs_run_arm(run, arm).chains; c++) {
        cs_chain_view v = cs_run_chain(run, arm, c);
        steps += v.tally.steps;
        yes += v.tally.accepted;
    }
    return steps > 0 ? yes / steps : (double)NAN;
}

static void text_of_arm(cs_run *run, size_t arm, page *p)
{
    cs_arm_view v = cs_run_arm(run, arm);
    put(p,
        "%s (%s): %zu chains, %llu steps, accepted %.3f, %llu log "
        "densities, %llu gradients\n",
        v.name, v.kernel->type->name, v.chains, (unsigned long long)v.steps,
        accepted(run, arm), (unsigned long long)v.work.log_densities,
        (unsigned long long)v.work.gradients);
    kept k = {0};
    if (gather(run, arm, &k) && k.n) {
        put(p, "  %-12s", "");
        for (size_t j = 0; j < COLUMNS; j++)
            put(p, " %10s", columns[j]);
        put(p, "\n");
        for (size_t c = 0; c < k.columns; c++) {
            double row[COLUMNS];
            char name[64];
            name_of(run, c, name, sizeof name);
            sum_up(&k, c, row);
            put(p, "  %-12s", name);
            for (size_t j = 0; j < COLUMNS; j++)
                put(p, " %10.4g", row[j]);
            put(p, "\n");
        }
    }
    cs_free(k.x);
}

size_t cs_summary_text(cs_run *run, char *out, size_t size)
{
    page p = {out, size, 0};
    const char *note = cs_run_note(run);
    if (note)
        put(&p, "target %s: %s\n", cs_run_target(run)->name, note);
    for (size_t i = 0; i < cs_run_arms(run); i++)
        text_of_arm(run, i, &p);
    return p.used;
}

static void json_of_arm(cs_run *run, size_t arm, page *p)
{
    cs_arm_view v = cs_run_arm(run, arm);
    put(p, "%s\n    {\"arm\": ", arm ? "," : "");
    put_quoted(p, v.name);
    put(p, ", \"kernel\": ");
    put_quoted(p, v.kernel->type->name);
    put(p,
        ", \"chains\": %zu, \"steps\": %llu, \"log_densities\": %llu, "
        "\"gradients\": %llu, \"site_differences\": %llu, \"data_terms\": "
        "%llu, \"accepted\": ",
        v.chains, (unsigned long long)v.steps,
        (unsigned long long)v.work.log_densities,
        (unsigned long long)v.work.gradients,
        (unsigned long long)v.work.site_differences,
        (unsigned long long)v.work.data_terms);
    put_number(p, accepted(run, arm));
    put(p, ", \"variables\": {");
    kept k = {0};
    size_t n = gather(run, arm, &k) && k.n ? k.columns : 0;
    for (size_t c = 0; c < n; c++) {
        double row[COLUMNS];
        char name[64];
        name_of(run, c, name, sizeof name);
        sum_up(&k, c, row);
        put(p, "%s\n      ", c ? "," : "");
        put_quoted(p, name);
        for (size_t j = 0; j < COLUMNS; j++) {
            put(p, "%s\"%s\": ", j ? ", " : ": {", columns[j]);
            put_number(p, row[j]);
        }
        put(p, "}");
    }
    put(p, "}}");
    cs_free(k.x);
}

size_t cs_summary_json(cs_run *run, char *out, size_t size)
{
    page p = {out, size, 0};
    put(&p, "{\n  \"version\": \"%s\",\n  \"target\": ", CS_VERSION);
    put_quoted(&p, cs_run_target(run)->name);
    put(&p, ",\n  \"seed\": %llu,\n  \"arms\": [",
        (unsigned long long)cs_run_seed(run));
    for (size_t i = 0; i < cs_run_arms(run); i++)
        json_of_arm(run, i, &p);
    put(&p, "\n  ]\n}\n");
    return p.used;
}
