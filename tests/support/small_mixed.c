#include "support/small_mixed.h"

#include "support/small_make.h"

#include <math.h>

enum { DIM = 4, MOST = 4 };

/* ---- bits, a label and an integer ---- */

static const cs_part listed_parts[] = {
    {.name = "b", .kind = CS_BINARY, .first = 0, .dim = 2, .values = 2},
    {.name = "z",
     .kind = CS_CATEGORICAL,
     .first = 2,
     .dim = 1,
     .low = 1,
     .values = 3},
    {.name = "n",
     .kind = CS_ORDINAL,
     .first = 3,
     .dim = 1,
     .low = 2,
     .values = 4}};

static double listed(const double *x, double *g)
{
    static const double table[3] = {0.3, -0.7, 0.9};
    int label = (int)x[2]; /* 0 in lanes without a chain */
    double z = label >= 1 && label <= 3 ? table[label - 1] : 0;
    double off = x[3] - 3.4 - x[0];
    for (int i = 0; i < DIM; i++)
        g[i] = 0;
    g[0] = 0.8 + 0.6 * off - 0.5 * x[1];
    g[1] = -0.4 - 0.5 * x[0] + 0.7 * z;
    g[3] = -0.6 * off;
    return 0.8 * x[0] - 0.4 * x[1] - 0.5 * x[0] * x[1] + z + 0.7 * x[1] * z -
           0.3 * off * off;
}

static cs_status set_listed(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v, (void)err;
    t->space = (cs_space){
        .kind = CS_MIXED, .dim = DIM, .n_parts = 3, .part = listed_parts};
    return CS_OK;
}

static void listed_logp(const cs_target *t, const cs_point *at, double *logp)
{
    small_each_lane(t, at, logp, NULL, listed);
}

static void listed_gradient(const cs_target *t, const cs_point *at,
                            double *logp, double *g)
{
    small_each_lane(t, at, logp, g, listed);
}

const cs_target_type small_listed = {.name = "small_listed",
                                     .title = "small bits, label, integer",
                                     .create = set_listed,
                                     .destroy = small_destroy,
                                     .log_density = listed_logp,
                                     .gradient = listed_gradient};

/* ---- the same with a cache ---- */

static cs_status set_cached(cs_target *t, const cs_value *v, cs_error *err)
{
    t->cache_words = DIM; /* a copy of the state */
    return set_listed(t, v, err);
}

static void fill(const cs_point *at)
{
    for (size_t i = 0; at->cache && i < DIM * at->lanes; i++)
        at->cache[i] = at->x[i];
}

static void cached_logp(const cs_target *t, const cs_point *at, double *logp)
{
    fill(at);
    small_each_lane(t, at, logp, NULL, listed);
}

static void cached_gradient(const cs_target *t, const cs_point *at,
                            double *logp, double *g)
{
    fill(at);
    small_each_lane(t, at, logp, g, listed);
}

/* Reads the state from the cache only. */
static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    for (size_t l = 0; l < at->lanes; l++) {
        double x[DIM], g[DIM];
        for (size_t i = 0; i < DIM; i++)
            x[i] = at->cache[i * at->lanes + l];
        double now = listed(x, g);
        cs_part part = cs_space_part(&t->space, where[l]);
        for (int v = 0; v < part.values; v++) {
            x[where[l]] = part.low + v;
            d[(size_t)v * at->lanes + l] = listed(x, g) - now;
        }
    }
}

static void moved(const cs_target *t, const cs_point *at, const uint32_t *where,
                  const double *value)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++)
        at->cache[where[l] * at->lanes + l] = value[l];
}

const cs_target_type small_cached = {.name = "small_cached",
                                     .title = "small parts with a cache",
                                     .create = set_cached,
                                     .destroy = small_destroy,
                                     .log_density = cached_logp,
                                     .gradient = cached_gradient,
                                     .sites.site = site,
                                     .sites.moved = moved};

/* ---- means and labels ---- */

static const cs_part label_parts[] = {
    {.name = "mu", .kind = CS_CONTINUOUS, .first = 0, .dim = 2},
    {.name = "z", .kind = CS_CATEGORICAL, .first = 2, .dim = 2, .values = 2}};

static double labels(const double *x, double *g)
{
    static const double y[2] = {-0.9, 1.6};
    double logp = -0.5 * (x[0] + 1) * (x[0] + 1) / 2.25 -
                  0.5 * (x[1] - 1.5) * (x[1] - 1.5) / 2.25;
    g[0] = -(x[0] + 1) / 2.25;
    g[1] = -(x[1] - 1.5) / 2.25;
    g[2] = g[3] = 0;
    for (int i = 0; i < 2; i++) {
        int k = x[2 + i] > 0.5;
        double off = y[i] - x[k];
        logp += log(k ? 0.65 : 0.35) - 0.5 * off * off;
        g[k] += off;
    }
    return logp;
}

static cs_status set_labels(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v, (void)err;
    t->space = (cs_space){
        .kind = CS_MIXED, .dim = DIM, .n_parts = 2, .part = label_parts};
    return CS_OK;
}

static void labels_logp(const cs_target *t, const cs_point *at, double *logp)
{
    small_each_lane(t, at, logp, NULL, labels);
}

static void labels_gradient(const cs_target *t, const cs_point *at,
                            double *logp, double *g)
{
    small_each_lane(t, at, logp, g, labels);
}

const cs_target_type small_labels = {.name = "small_labels",
                                     .title = "small means and labels",
                                     .create = set_labels,
                                     .destroy = small_destroy,
                                     .log_density = labels_logp,
                                     .gradient = labels_gradient};
