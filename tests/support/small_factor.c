#include "support/small_factor.h"

#include "support/support.h"

#include <math.h>
#include <string.h>

enum { SPINS = SMALL_FACTOR_SPINS, STATES = SMALL_FACTOR_STATES };

static const double field = 0.3;
const size_t small_factor_observed = 11; /* the spins + + - + as bits */
static double observed[SPINS];

static double spin(size_t y, size_t i)
{
    return y >> i % SPINS & 1 ? 1 : -1;
}

double small_factor_log_f(double x, size_t y)
{
    double sum = 0;
    for (size_t i = 0; i < SPINS; i++)
        sum += x * spin(y, i) * spin(y, i + 1) + field * spin(y, i);
    return sum;
}

double small_factor_log_z(double x)
{
    double sum = 0;
    for (size_t y = 0; y < STATES; y++)
        sum += exp(small_factor_log_f(x, y) - 4 * fabs(x));
    return log(sum) + 4 * fabs(x);
}

double small_factor_known(double x)
{
    return -x * x / 2 + small_factor_log_f(x, small_factor_observed);
}

double small_factor_logp(double x)
{
    return small_factor_known(x) - small_factor_log_z(x);
}

size_t small_factor_state(const double *data, size_t stride)
{
    size_t y = 0;
    for (size_t i = 0; i < SPINS; i++)
        y |= (size_t)(data[i * stride] > 0) << i;
    return y;
}

/* Returns the probability that spin i is up, given all other spins. */
static double chance(double x, size_t y, size_t i)
{
    double up = small_factor_log_f(x, y | (size_t)1 << i);
    double down = small_factor_log_f(x, y & ~((size_t)1 << i));
    return 1 / (1 + exp(down - up));
}

/* Returns the site that is resampled at position k of a sweep. */
static size_t site_at(size_t k)
{
    return k < SPINS ? k : 2 * SPINS - 1 - k;
}

void small_factor_sweep(double x, double p[STATES][STATES])
{
    memset(p, 0, STATES * sizeof *p);
    for (size_t from = 0; from < STATES; from++) {
        double now[STATES] = {0}, next[STATES];
        now[from] = 1;
        for (size_t k = 0; k < 2 * SPINS; k++) {
            size_t bit = (size_t)1 << site_at(k);
            memset(next, 0, sizeof next);
            for (size_t y = 0; y < STATES; y++) {
                double up = chance(x, y, site_at(k));
                next[y | bit] += now[y] * up;
                next[y & ~bit] += now[y] * (1 - up);
            }
            memcpy(now, next, sizeof now);
        }
        memcpy(p[from], now, sizeof now);
    }
}

/* ---- the target ---- */

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    bool known = !(t->flags & CS_TARGET_UNNORMALISED);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = known ? small_factor_logp(at->x[l]) : (double)NAN;
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    (void)t;
    (void)g;
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = small_factor_known(at->x[l]);
}

static void log_factor(const cs_target *t, const cs_point *at,
                       const double *data, double *log_f)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++)
        log_f[l] = small_factor_log_f(at->x[l],
                                      small_factor_state(data + l, at->lanes));
}

static void put(const cs_simulation *s, size_t lanes, size_t l, size_t y)
{
    for (size_t i = 0; i < SPINS; i++)
        s->data[i * lanes + l] = spin(y, i);
    s->past[l] = s->left[l] = 0;
}

static size_t state_below(double x, double uniform)
{
    double log_z = small_factor_log_z(x), below = 0;
    size_t y = 0;
    for (; y + 1 < STATES; y++) {
        below += exp(small_factor_log_f(x, y) - log_z);
        if (uniform < below)
            break;
    }
    return y;
}

static void simulate(const cs_target *t, const cs_point *at,
                     const cs_simulation *s)
{
    (void)t;
    double uniform[64] __attribute__((aligned(64)));
    cs_streams from = *s->streams;
    from.skip = s->first;
    cs_fill_uniform(&from, CS_FOR_AUXILIARY, 1, uniform);
    for (size_t l = 0; l < at->lanes; l++) {
        if (at->failed && at->failed[l])
            continue;
        put(s, at->lanes, l, state_below(at->x[l], uniform[l]));
        s->updates[l] = SPINS;
    }
}

static void sweep(const cs_target *t, const cs_point *at,
                  const cs_simulation *s)
{
    (void)t;
    double uniform[2 * SPINS * 64] __attribute__((aligned(64)));
    cs_streams from = *s->streams;
    for (size_t l = 0; l < at->lanes; l++)
        s->updates[l] = s->past[l] = s->left[l] = 0;
    for (size_t n = 0; n < s->sweeps; n++) {
        from.skip = s->first + n * 2 * SPINS;
        cs_fill_uniform(&from, CS_FOR_AUXILIARY, 2 * SPINS, uniform);
        for (size_t l = 0; l < at->lanes; l++) {
            size_t y = small_factor_state(s->data + l, at->lanes);
            for (size_t k = 0; k < 2 * SPINS; k++) {
                size_t bit = (size_t)1 << site_at(k);
                double up = chance(at->x[l], y, site_at(k));
                y = uniform[k * at->lanes + l] < up ? y | bit : y & ~bit;
            }
            if (at->failed && at->failed[l])
                continue;
            put(s, at->lanes, l, y);
            s->updates[l] += 2 * SPINS;
        }
    }
}

/* ---- exact draws: a table of the distribution function ------------------- */

enum { POINTS = 20001 };
static const double reach = 8;
static double below[POINTS];

static double place(size_t i)
{
    return reach * (2 * (double)i / (POINTS - 1) - 1);
}

/* Tabulates the distribution function by the trapezoidal rule. */
static void tabulate(void)
{
    double before = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double now = exp(small_factor_logp(place(i)));
        below[i] = i ? below[i - 1] + (before + now) / 2 : 0;
        before = now;
    }
    for (size_t i = 0; i < POINTS; i++)
        below[i] /= below[POINTS - 1];
}

static void draw(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    size_t low = 0, high = POINTS - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(below[middle] <= *uniform ? &low : &high) = middle;
    }
    double share = (*uniform - below[low]) / (below[high] - below[low]);
    *x = place(low) + share * (place(high) - place(low));
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    if (below[POINTS - 1] < 1)
        tabulate();
    for (size_t i = 0; i < SPINS; i++)
        observed[i] = spin(small_factor_observed, i);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 1};
    t->n_data = SPINS;
    t->data = observed;
    return CS_OK;
}

static void destroy(cs_target *t)
{
    (void)t;
}

#define COMMON                                                                 \
    .create = create, .destroy = destroy, .log_density = log_density,          \
    .prior = prior, .factor.log_factor = log_factor,                           \
    .factor.simulate = simulate, .factor.sweep = sweep, .exact.n_uniform = 1,  \
    .exact.draw = draw

const cs_target_type small_factor = {
    .name = "small_factor",
    .title = "small data with an intractable factor",
    COMMON};

const cs_target_type small_factor_unknown = {
    .name = "small_factor_unknown",
    .title = "the same with an unknown factor",
    .flags = CS_TARGET_UNNORMALISED,
    COMMON};
