/* Tests a metric of the automatic kind. It becomes dense if the correlations
 * exceed the noise that is expected for the effective number of states. */
#include "base/memory.h"
#include "run/tuning/state_moments.h"
#include "support/support.h"

#include <stdlib.h>

enum { CHAINS = 4 };

static double normal(uint64_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        sum += (double)(*seed >> 11) * 0x1p-53;
    }
    return sum;
}

/* Random states. `across` is the correlation between neighbouring coordinates,
 * `along` the correlation between successive states. */
typedef struct states {
    size_t dim, steps;
    double across, along;
    size_t deep; /* in the first `deep` steps all trajectories are truncated */
} states;

/* Computes the next state. The new z is noise plus `along` times the old z, and
 * x is a scaled sum of z. */
static void next_state(const states *s, uint64_t *seed, bool first, double *z,
                       double *x)
{
    double new = first ? 1 : sqrt(1 - s->along * s->along);
    for (size_t i = 0; i < s->dim; i++)
        z[i] = (first ? 0 : s->along) * z[i] + new *normal(seed);
    double y = z[0];
    for (size_t i = 0; i < s->dim; i++) {
        if (i > 0)
            y = s->across * y + sqrt(1 - s->across * s->across) * z[i];
        x[i] = (double)(1 + i) * y;
    }
}

/* Returns the moments of the states of all chains. */
static double *gathered(const cs_moments_shape *m, const states *s)
{
    double *words = cs_alloc(cs_moments_words(m), sizeof *words);
    double *z = cs_alloc((CHAINS + 1) * m->dim, sizeof *z);
    double *x = z + CHAINS * m->dim;
    uint64_t seed = 1 + s->dim;
    for (size_t k = 0; k < s->steps; k++)
        for (size_t c = 0; c < CHAINS; c++) {
            next_state(s, &seed, k == 0, z + c * m->dim, x);
            cs_moments_add(m, words, c, x, k < s->deep);
        }
    cs_free(z);
    return words;
}

static cs_moments_shape shape_of(size_t dim)
{
    return (cs_moments_shape){CS_METRIC_DENSE, dim, CHAINS, true};
}

static void states_are_worth_what_they_are(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const states s = {20, 1000, 0.5, (double[]){-0.5, 0, 0.9}[k], 0};
        const cs_moments_shape m = shape_of(s.dim);
        double *words = gathered(&m, &s), n = CHAINS * (double)s.steps;
        double square = s.along * s.along;
        assert_near(cs_moments_ess(&m, words), n * (1 - square) / (1 + square),
                    0.1, 0);
        cs_free(words);
    }
}

/* If no chain ever moves, and each chain is at a state of its own, the
 * effective number of states is near 0. */
static void chains_that_stay_are_worth_little(void **state)
{
    const states s = {20, 100, 0, 1, 0};
    const cs_moments_shape m = shape_of(s.dim);
    double *words = gathered(&m, &s);
    (void)state;
    assert_near(cs_moments_ess(&m, words), 0, 0, 1e-9);
    cs_free(words);
}

static cs_metric_kind kind_of(const states *s)
{
    const cs_moments_shape m = shape_of(s->dim);
    double *words = gathered(&m, s);
    cs_metric *metric = cs_moments_metric(&m, words, NULL);
    cs_metric_kind kind = cs_metric_kind_of(metric);
    cs_metric_let_go(metric);
    cs_free(words);
    return kind;
}

/* Tries several numbers of effective states per coordinate, with independent
 * and with correlated coordinates. Noise must not be taken for correlation, and
 * strong correlation must be detected from few states. */
static void metrics_are_dense_where_that_is_due(void **state)
{
    static const size_t dims[] = {2, 10, 50, 100}, many[] = {1, 2, 8, 40};
    (void)state;
    for (size_t d = 0; d < 4; d++)
        for (size_t k = 0; k < 4; k++)
            for (int slow = 0; slow < 2; slow++) {
                /* with a correlation of 0.9, nine states count as one
                 * independent state */
                double along = slow ? 0.9 : 0;
                size_t steps = many[k] * dims[d] * (slow ? 9 : 1) / CHAINS + 2;
                const states none = {dims[d], steps, 0, along, 0};
                const states strong = {dims[d], steps, 0.95, along, 0};
                assert_int_equal(kind_of(&none), CS_METRIC_DIAGONAL);
                if (many[k] >= 8 && dims[d] * many[k] > 20)
                    assert_int_equal(kind_of(&strong), CS_METRIC_DENSE);
            }
}

/* If more than a tenth of the trajectories were truncated, the chains were slow
 * because the previous metric was unsuitable. The correlations of slow chains
 * look like noise. Hence in this case the metric becomes dense without evidence
 * of correlation. */
static void trajectories_that_are_cut_off_ask_for_a_dense_one(void **state)
{
    const states few = {20, 100, 0.9, 0.999, 10},
                 more = {20, 100, 0.9, 0.999, 11};
    (void)state;
    assert_int_equal(kind_of(&few), CS_METRIC_DIAGONAL);
    assert_int_equal(kind_of(&more), CS_METRIC_DENSE);
}

/* For a metric of a fixed kind, successive states are not stored. */
static void a_given_kind_stays(void **state)
{
    const states s = {3, 40, 0, 0, 0};
    (void)state;
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        const cs_moments_shape m = {(cs_metric_kind)kind, 3, CHAINS, false};
        double *words = gathered(&m, &s);
        cs_metric *metric = cs_moments_metric(&m, words, NULL);
        assert_int_equal(cs_metric_kind_of(metric), kind);
        assert_int_equal(cs_moments_words(&m),
                         1 + 3 + cs_metric_words(m.kind, 3));
        cs_metric_let_go(metric);
        cs_free(words);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(states_are_worth_what_they_are),
    cmocka_unit_test(chains_that_stay_are_worth_little),
    cmocka_unit_test(metrics_are_dense_where_that_is_due),
    cmocka_unit_test(trajectories_that_are_cut_off_ask_for_a_dense_one),
    cmocka_unit_test(a_given_kind_stays),
};
TESTS(test_moments)
