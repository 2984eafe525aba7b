/* Shares of the draws per mode, compared with the exact weights of the
 * modes. */
#include "figure/figure.h"

#include "base/memory.h"

#include <math.h>

/* The share of visits to each mode, over all chains together. For weighted
 * draws, the share of the total weight. */
typedef struct shares {
    double *at; /* [n] [own]; NULL: not known */
    size_t n;
} shares;

static shares shares_of(const cs_facts *f, size_t arm)
{
    size_t chains, n;
    const double *row = cs_fact_array(f, arm, &chains, &n, "modes/mass");
    if (!row)
        row = cs_fact_array(f, arm, &chains, &n, "modes/visits");
    shares s = {row ? cs_alloc(n, sizeof *s.at) : NULL, n};
    double total = 0;
    for (size_t i = 0; s.at && i < chains; i++)
        for (size_t k = 0; k < n; k++) {
            s.at[k] += row[i * n + k];
            total += row[i * n + k];
        }
    for (size_t k = 0; s.at && k < n; k++)
        s.at[k] /= total;
    return s;
}

static cs_figure find_share(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    shares s = shares_of(f, q->arm);
    if (s.at && q->k >= 1 && q->k <= (double)s.n)
        out.value = s.at[(size_t)q->k - 1];
    cs_free(s.at);
    return out;
}

static cs_figure find_entropy(const cs_facts *f, const cs_figure_of *q)
{
    cs_figure out = cs_no_figure;
    shares s = shares_of(f, q->arm);
    double sum = 0;
    for (size_t k = 0; s.at && k < s.n; k++)
        sum -= s.at[k] > 0 ? s.at[k] * log(s.at[k]) : 0;
    if (s.at)
        out.value = sum / log((double)s.n);
    cs_free(s.at);
    return out;
}

/* Returns the sum of term(share, weight) over the n modes, or NAN if the exact
 * weights are unknown. */
static double compare(const cs_facts *f, size_t arm,
                      double (*term)(double share, double weight), double *n)
{
    size_t r, c;
    shares s = shares_of(f, arm);
    const double *weight = cs_fact_array(f, arm, &r, &c, "modes/weight");
    bool known = s.at && weight && r * c >= s.n;
    double sum = 0;
    for (size_t k = 0; known && k < s.n; k++)
        sum += term(s.at[k], weight[k]);
    cs_free(s.at);
    *n = (double)s.n;
    return known ? sum : (double)NAN;
}

static double half_apart(double share, double weight)
{
    return fabs(share - weight) / 2;
}

static double apart(double share, double weight)
{
    return fabs(share - weight);
}

static double information(double share, double weight)
{
    return share > 0 ? share * log(share / weight) : 0;
}

static cs_figure find_tv(const cs_facts *f, const cs_figure_of *q)
{
    double n;
    cs_figure out = cs_no_figure;
    out.value = compare(f, q->arm, half_apart, &n);
    return out;
}

static cs_figure find_kl(const cs_facts *f, const cs_figure_of *q)
{
    double n;
    cs_figure out = cs_no_figure;
    out.value = compare(f, q->arm, information, &n);
    return out;
}

static cs_figure find_error(const cs_facts *f, const cs_figure_of *q)
{
    double n, sum = compare(f, q->arm, apart, &n);
    cs_figure out = cs_no_figure;
    out.value = log(sum / n);
    return out;
}

static const char no_modes[] = "has no modes to visit";
static const char no_weights[] = "has no modes of known weight";

const cs_figure_type cs_figure_mode_share = {
    .name = "mode_share",
    .title = "share of a mode",
    .help = "share of the visits to all modes that are visits to mode `of`",
    .probe = "modes",
    .flags = CS_FIGURE_NEEDS | CS_FIGURE_STEADY,
    .of = CS_OF_MODE,
    .high = 1,
    .find = find_share,
    .missing = no_modes,
};

const cs_figure_type cs_figure_mode_entropy = {
    .name = "mode_entropy",
    .title = "entropy of the modes",
    .help = "entropy of the observed shares of the modes, divided by the "
            "largest possible entropy; 1 if all shares are equal",
    .probe = "modes",
    .merit = CS_MERIT_MORE,
    .find = find_entropy,
    .missing = no_modes,
};

const cs_figure_type cs_figure_mode_tv = {
    .name = "mode_tv",
    .title = "total variation of the modes",
    .help = "total variation distance between the observed and the exact "
            "shares of the modes",
    .probe = "modes",
    .merit = CS_MERIT_LESS,
    .find = find_tv,
    .missing = no_weights,
};

const cs_figure_type cs_figure_mode_kl = {
    .name = "mode_kl",
    .title = "divergence of the modes",
    .unit = "nats",
    .help = "Kullback-Leibler divergence of the observed shares of the modes "
            "from the exact shares",
    .probe = "modes",
    .merit = CS_MERIT_LESS,
    .find = find_kl,
    .missing = no_weights,
};

const cs_figure_type cs_figure_mode_error = {
    .name = "mode_error",
    .title = "log error of the modes' shares",
    .help =
        "log of the mean absolute error of the observed shares of the modes",
    .probe = "modes",
    .merit = CS_MERIT_LESS,
    .find = find_error,
    .missing = no_weights,
};
