#include "run/summary/off_law.h"

#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/draws/kept_draws.h"
#include "run/views/report_view.h"
#include "run/views/view.h"
#include "target/enumeration.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reports ------------------------------------------------------------- */

/* Returns the index of `name` in a list of names. If the list does not contain
 * `name`, returns SIZE_MAX. */
static size_t place_of(const char *list, const char *name, size_t size)
{
    for (size_t i = 0; *list; i++) {
        size_t n = strcspn(list, " ");
        if (n == size && memcmp(list, name, n) == 0)
            return i;
        list += n + (list[n] == ' ');
    }
    return SIZE_MAX;
}

/* ---- exact distributions ------------------------------------------------- */

/* Returns the ESS of a quantity; if `name` is NULL, returns the smallest ESS of
 * all quantities. The ESS of a quantity is the smallest of three: the ESS for
 * the mean, the bulk ESS and the tail ESS. A chain that alternates between two
 * sides has a good mean but not a good distribution. NAN: unknown. */
static double size_of(const cs_report_view *found, const char *name, size_t n)
{
    cs_flat_entry names, table;
    double size = (double)NAN;
    if (!cs_report_view_find(found, "names", &names) || !names.text ||
        !cs_report_view_find(found, "table", &table))
        return size;
    const cs_figures *row = CS_ENTRY_ROWS(table, cs_figures);
    size_t only = name ? place_of(names.text, name, n) : SIZE_MAX;
    for (size_t k = 0; row && k < table.rows; k++)
        if (!name || k == only)
            size = fmin(size, fmin(fmin(row[k].bulk, row[k].tail), row[k].ess));
    return size;
}

double cs_kernel_heat(const cs_kernel *kernel)
{
    const cs_kernel_type *type = kernel->type;
    int i = cs_param_find(type->params, type->n_params, "temperature");
    return i < 0 ? 1 : kernel->values[i];
}

/* Returns the largest distance that is likely by chance, times sqrt(n). The
 * Kolmogorov-Smirnov distance (ks) of n independent draws exceeds 2.5 / sqrt(n)
 * in 7 of a million samples. Total variation (tv) is near its floor, which
 * decreases as 1 / sqrt(n). Floors are computed for a large number of draws, so
 * that a few draws in regions of small probability are not reported. */
static double most_of(const char *name, double floor, double draws)
{
    if (strncmp(name, "ks.", 3) == 0)
        return 2.5;
    bool tv = strncmp(name, "tv", strcspn(name, " ")) == 0;
    return tv ? 3 * floor * sqrt(draws) : HUGE_VAL;
}

/* Returns the fraction of an arm's kept draws that are outside the grid on
 * which the exact law was summed. The exact law may lack this fraction of its
 * mass. */
static double share_beyond(cs_run *run, size_t arm)
{
    const cs_target *t = cs_run_target(run);
    const cs_enumeration *truth =
        t->type->exact.marginal || t->outputs.n ? NULL : cs_enumeration_of(t);
    size_t dim = t->space.dim, width = 1 + dim + cs_run_aux(run, arm);
    double low, high, all = 0, beyond = 0;
    uint64_t every;
    if (!truth || !cs_enumeration_window(t, truth, 0, &low, &high))
        return 0;
    for (size_t c = 0; c < cs_run_arm(run, arm).chains; c++) {
        size_t n = cs_run_draws(run, arm, c, NULL, &every);
        double *row = cs_alloc(n * width, sizeof *row);
        n = row ? cs_run_draws(run, arm, c, row, &every) : 0;
        for (size_t i = 0; i < n; i++) {
            bool out = false;
            for (size_t k = 0; k < dim; k++)
                if (cs_enumeration_window(t, truth, k, &low, &high))
                    out |= row[i * width + 1 + k] < low ||
                           row[i * width + 1 + k] > high;
            beyond += out;
        }
        all += (double)n;
        cs_free(row);
    }
    return all > 0 ? beyond / all : 0;
}

/* Returns true if a distance, minus the possible error of the exact law, is too
 * large to be due to chance. */
static bool is_off(const char *name, double far, double floor, double draws,
                   double size)
{
    enum { LEAST = 10 };
    return far * sqrt(size) > most_of(name, floor, draws) && far * size > LEAST;
}

/* The distances reported by probes. */
typedef struct distances {
    cs_report_view known, found;
    cs_flat_entry names, value, least, draws, law;
    bool there;
} distances;

static distances open_distances(cs_run *run, size_t arm,
                                const cs_flat *reported)
{
    distances d = {.known = cs_report_view_open(run, arm, "distance", reported),
                   .found =
                       cs_report_view_open(run, arm, "diagnostics", reported)};
    d.there = cs_report_view_find(&d.known, "names", &d.names) &&
              d.names.text &&
              cs_report_view_find(&d.known, "values", &d.value) &&
              cs_report_view_find(&d.known, "floor", &d.least) &&
              cs_report_view_find(&d.known, "law", &d.law) &&
              cs_report_view_find(&d.known, "draws", &d.draws) && d.draws.data;
    return d;
}

bool cs_has_law(cs_run *run, size_t arm, const cs_flat *reported)
{
    distances d = open_distances(run, arm, reported);
    bool has = d.there && *d.names.text;
    cs_report_view_close(&d.known);
    cs_report_view_close(&d.found);
    return has;
}

size_t cs_off_law(cs_run *run, size_t arm, const cs_flat *reported,
                  cs_warn_distance *out, size_t most)
{
    size_t off = 0;
    distances d = open_distances(run, arm, reported);
    bool hot = cs_kernel_heat(cs_run_arm(run, arm).kernel) != 1;
    const char *at = d.there && !hot ? d.names.text : "";
    for (size_t k = 0, n; *at && off < most; k++, at += n + (at[n] == ' ')) {
        n = strcspn(at, " ");
        bool ks = strncmp(at, "ks.", 3) == 0;
        double size = size_of(&d.found, ks ? at + 3 : NULL, ks ? n - 3 : 0);
        double far = d.value.data[k] - d.law.data[k], floor = d.least.data[k];
        double draws = d.draws.data[0];
        if (!is_off(at, far, floor, draws, size) ||
            !is_off(at, ks ? far - share_beyond(run, arm) : far, floor, draws,
                    size))
            continue;
        cs_warn_distance *to = &out[off++];
        *to = (cs_warn_distance){.value = d.value.data[k], .size = size};
        snprintf(to->name, sizeof to->name, "%.*s", (int)n, at);
    }
    cs_report_view_close(&d.known);
    cs_report_view_close(&d.found);
    return off;
}
