/* Shared by kernels that flatten a histogram, for use outside of their steps:
 * sizes, checks and reports. */
#include "kernels/contour/flatten.h"

#include "base/memory.h"
#include "target/enumeration.h"

#include <assert.h>

const char *const cs_flatten_functions[] = {"energy", "shown", "sum", NULL};
const char *const cs_flatten_measures[] = {"target", "uniform", NULL};
const char *const cs_flatten_stats[] = {"bin__", "learning__", NULL};

/* ---- sizes --------------------------------------------------------------- */

static size_t bins_of(const double *values)
{
    return (size_t)values[CS_FLATTEN_BINS];
}

static size_t bin_rows(const cs_target *t, const double *values)
{
    (void)t;
    return bins_of(values);
}

static size_t aux_first(const cs_target *t, const double *values)
{
    (void)t;
    return CS_FLATTEN_WORDS + CS_FLATTEN_TABLES * bins_of(values);
}

size_t cs_flatten_memory_words(const cs_target *t, const double *values)
{
    return aux_first(t, values) + bins_of(values);
}

size_t cs_flatten_scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    return CS_FLATTEN_SCRATCH + t->space.dim + t->cache_words + t->outputs.n;
}

double cs_flatten_log_sum(const double *log_theta, size_t n, size_t stride)
{
    assert(log_theta && n && stride);
    double top = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, log_theta[i * stride]);
    for (size_t i = 0; i < n; i++)
        sum += exp(log_theta[i * stride] - top);
    return top + log(sum);
}

/* Fills shown[bins] with theta, scaled to sum to 1. */
static void show(const cs_target *t, const double *values, const double *memory,
                 size_t stride, double *shown)
{
    size_t n = bins_of(values);
    double all = cs_flatten_log_sum(memory, n, stride);
    (void)t;
    for (size_t i = 0; i < n; i++)
        shown[i] = exp(memory[i * stride] - all);
}

static const cs_aux variables[] = {
    {.name = "theta",
     .help = "weight of each bin",
     .rows = bin_rows,
     .unrecorded = true,
     .show = show},
    {.name = NULL},
};

const cs_aux_type cs_flatten_aux = {.variable = variables, .first = aux_first};

/* ---- checks -------------------------------------------------------------- */

cs_status cs_flatten_check(const cs_target *t, const double *values,
                           cs_error *err)
{
    size_t shown = cs_target_shown(t);
    if (values[CS_FLATTEN_OF] != CS_FLATTEN_OUTPUT ||
        values[CS_FLATTEN_SHOWN] <= (double)shown)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "`shown` is %g, but target %s records %zu numbers per draw",
            values[CS_FLATTEN_SHOWN], t->name, shown);
    cs_hint(err, "set `shown` to an index between 1 and %zu", shown);
    return CS_RANGE;
}

cs_status cs_flatten_check_list(const cs_value *list, const double *values,
                                cs_error *err)
{
    return cs_bins_check_list(list, (double)bins_of(values), err);
}

cs_status cs_flatten_arrange(const cs_value *given, const cs_value *log_weights,
                             double *values, cs_error *err)
{
    if (log_weights->given && !given[CS_FLATTEN_BINS].given)
        values[CS_FLATTEN_BINS] = fmax((double)log_weights->rows, 2);
    return cs_flatten_check_list(log_weights, values, err);
}

/* ---- exchanges between chains -------------------------------------------- */

static cs_flatten_lane lane_of(const cs_exchange *m, size_t c)
{
    return cs_flatten_at(m->self, m->target, bins_of(m->values),
                         m->lane[c].memory, m->lane[c].stride);
}

/* Returns the chain with the most exchanges, or -1 if no chain is live. (The
 * data of a chain that had failed for some time are outdated.) */
static ptrdiff_t oldest_of(const cs_exchange *m, double *live)
{
    ptrdiff_t best = -1;
    double most = -1;
    *live = 0;
    for (size_t c = 0; c < m->chains; c++) {
        cs_flatten_lane b = lane_of(m, c);
        double count = *cs_flatten_word(&b, CS_FLATTEN_COUNT);
        *live += !m->failed[c];
        if (m->failed[c] || count <= most)
            continue;
        best = (ptrdiff_t)c;
        most = count;
    }
    return best;
}

static double *number_at(const cs_exchange *m, size_t c, size_t row)
{
    return m->lane[c].memory + row * m->lane[c].stride;
}

/* Applies the mean increment to one bin. Row `theta` is log theta of the bin,
 * and row `was` is log theta at the last exchange. `base` is the value of row
 * `was` in the chain with the most exchanges. */
static void meet_in_bin(const cs_exchange *m, size_t theta, size_t was,
                        double base, double live)
{
    double sum = 0;
    for (size_t c = 0; c < m->chains; c++)
        if (!m->failed[c])
            sum += *number_at(m, c, theta) - *number_at(m, c, was);
    for (size_t c = 0; c < m->chains; c++)
        if (!m->failed[c])
            *number_at(m, c, theta) = *number_at(m, c, was) = base + sum / live;
}

void cs_flatten_meet(const cs_exchange *m)
{
    assert(m->chains && m->lane);
    double live, *memory = m->lane[0].memory;
    ptrdiff_t best = oldest_of(m, &live);
    cs_flatten_lane b = lane_of(m, 0);
    size_t theta = (size_t)(cs_flatten_theta(&b, 0) - memory) / b.stride;
    size_t was =
        (size_t)(cs_flatten_entry(&b, CS_FLATTEN_BASE, 0) - memory) / b.stride;
    if (best < 0)
        return;
    for (size_t i = 0; i < b.n; i++)
        meet_in_bin(m, theta + i, was + i, *number_at(m, (size_t)best, was + i),
                    live);
    b = lane_of(m, (size_t)best);
    double level = cs_flatten_log_sum(b.theta, b.n, b.stride);
    for (size_t c = 0; c < m->chains; c++) {
        b = lane_of(m, c);
        if (!m->failed[c])
            *cs_flatten_word(&b, CS_FLATTEN_LEVEL) = level;
    }
}

/* ---- report -------------------------------------------------------------- */

static double log_weight_there(const cs_exchange *m, size_t c, size_t i)
{
    cs_flatten_lane b = lane_of(m, c);
    return *cs_flatten_theta(&b, i);
}

static double visits_there(const cs_exchange *m, size_t c, size_t i)
{
    cs_flatten_lane b = lane_of(m, c);
    return *cs_flatten_entry(&b, CS_FLATTEN_VISITS, i);
}

static double learning_there(const cs_exchange *m, size_t c, size_t i)
{
    cs_flatten_lane b = lane_of(m, c);
    return *cs_flatten_word(&b, CS_FLATTEN_GAIN) > 0 &&
           *cs_flatten_entry(&b, CS_FLATTEN_LAST, i) > CS_BIN_SETTLED;
}

/* Returns the log of the number of states, or 0 if that number is not known. If
 * 0 is returned, the reported shares sum to 1. */
static double log_states(const cs_exchange *m)
{
    const cs_space *space = &m->target->space;
    double states = cs_space_states(space), possible = 0;
    bool all = m->values[CS_FLATTEN_MEASURE] == CS_FLATTEN_UNIFORM &&
               m->values[CS_FLATTEN_WINDOW] == 0 && cs_space_is_discrete(space);
    for (size_t c = 0; c < m->chains; c++) {
        cs_flatten_lane b = lane_of(m, c);
        possible += *cs_flatten_word(&b, CS_FLATTEN_OUTSIDE) == 0;
    }
    if (!all)
        return 0;
    if (possible == (double)m->chains)
        return (double)space->dim * log(space->values);
    const cs_enumeration *truth =
        states <= 65536 ? cs_enumeration_of(m->target) : NULL;
    possible = 0;
    for (size_t k = 0; truth && truth->all && k < truth->n; k++)
        possible += truth->logp[k] > -HUGE_VAL;
    return possible > 0 ? log(possible) : 0;
}

/* For each visited bin of one chain, adds the log mass to sum[n], and 1 to
 * met[n]. `whole` is the log of the total mass. At convergence, theta of a bin
 * is the mass of the bin divided by its share of visits. The shares of empty
 * bins are spread over the other bins. */
static void add_masses(const cs_exchange *m, size_t c, const double *share,
                       double whole, double *sum, double *met)
{
    cs_flatten_lane b = lane_of(m, c);
    double top = -HUGE_VAL, all = 0, empty = 0, seen = 0;
    for (size_t i = 0; i < b.n; i++)
        if (*cs_flatten_entry(&b, CS_FLATTEN_VISITS, i) > 0) {
            seen++;
            top = fmax(top, *cs_flatten_theta(&b, i));
        } else {
            empty += share ? share[i] : 0;
        }
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < b.n; i++) {
            double by = share ? share[i] + empty / seen : 1;
            double mass = *cs_flatten_theta(&b, i) - top + log(by);
            if (*cs_flatten_entry(&b, CS_FLATTEN_VISITS, i) == 0)
                continue;
            all += pass ? 0 : exp(mass);
            sum[i] += pass ? mass - log(all) + whole : 0;
            met[i] += pass;
        }
}

static void tell_masses(const cs_exchange *m, const double *share,
                        const char *prefix, cs_flat *out)
{
    size_t n = bins_of(m->values);
    bool uniform = m->values[CS_FLATTEN_MEASURE] == CS_FLATTEN_UNIFORM;
    double *mass = cs_flat_array(out, 1, n, "%s%s", prefix,
                                 uniform ? "log_density" : "log_mass");
    double *met = cs_alloc(n, sizeof *met), whole = log_states(m);
    for (size_t i = 0; mass && i < n; i++)
        mass[i] = met ? 0 : (double)NAN;
    for (size_t c = 0; mass && met && c < m->chains; c++)
        if (!m->failed[c])
            add_masses(m, c, share, whole, mass, met);
    for (size_t i = 0; mass && met && i < n; i++)
        mass[i] = met[i] > 0 ? mass[i] / met[i] : (double)NAN;
    cs_free(met);
}

/* Reports log theta minus its maximum, and the gain, both averaged over
 * chains. */
static void tell_weights(const cs_exchange *m, const char *prefix, cs_flat *out)
{
    size_t n = bins_of(m->values);
    double *weight = cs_flat_array(out, 1, n, "%slog_weight", prefix);
    double top = -HUGE_VAL, live = 0, gain = 0;
    for (size_t c = 0; c < m->chains; c++) {
        cs_flatten_lane b = lane_of(m, c);
        live += !m->failed[c];
        gain += m->failed[c] ? 0 : *cs_flatten_word(&b, CS_FLATTEN_GAIN);
    }
    for (size_t i = 0; weight && i < n; i++) {
        weight[i] = 0;
        for (size_t c = 0; c < m->chains; c++)
            weight[i] += m->failed[c] ? 0 : log_weight_there(m, c, i);
        weight[i] = live > 0 ? weight[i] / live : (double)NAN;
        top = fmax(top, weight[i]);
    }
    for (size_t i = 0; weight && i < n; i++)
        weight[i] -= top;
    cs_flat_number(out, live > 0 ? gain / live : (double)NAN, "%sgain", prefix);
}

void cs_flatten_report(const cs_exchange *m, const double *share,
                       const char *prefix, cs_flat *out)
{
    const cs_bins_reported reported = {
        .bins = {.first = m->values[CS_FLATTEN_FIRST],
                 .width = m->values[CS_FLATTEN_WIDTH],
                 .n = bins_of(m->values)},
        .log_weight = log_weight_there,
        .visits = visits_there,
        .learning = learning_there};
    cs_bins_report(&reported, m, prefix, out);
    tell_weights(m, prefix, out);
    tell_masses(m, share, prefix, out);
}
