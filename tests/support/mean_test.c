#include "support/mean_test.h"

#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { LANES = 64, ROUNDS = 6 };

/* Returns the p-value of the hypothesis that the mean over chains has the
 * expectation `want`. */
static double p_of(const double *sum, size_t n, size_t lanes, double want)
{
    double mean = 0, square = 0;
    for (size_t l = 0; l < lanes; l++)
        mean += sum[l] / (double)n / (double)lanes;
    for (size_t l = 0; l < lanes; l++)
        square += pow(sum[l] / (double)n - mean, 2);
    double freedom = (double)lanes - 1;
    double error = sqrt(square / freedom / (double)lanes);
    if (error <= 1e-12 * fabs(want)) /* all chains agree */
        return fabs(mean - want) <= 1e-9 * fabs(want);
    return 2 * gsl_cdf_tdist_Q(fabs(mean - want) / error, freedom);
}

bool mean_test_holds(const mean_test *t)
{
    double sum[LANES] = {0}, p = 0;
    size_t live = t->block->live, n = 0, more = t->first;
    assert_true(live > 1 && live <= LANES);
    for (size_t round = 0; round < ROUNDS; round++, more = n) {
        for (size_t i = 0; i < more; i++, n++) {
            cs_block_run(t->block, NULL, t->thin, NULL);
            for (size_t l = 0; l < live; l++)
                sum[l] += t->value(t->self, t->block, l);
        }
        p = p_of(sum, n, live, t->want);
        if (p > 0.05 || p < 1e-9)
            break;
    }
    return p > 1e-5;
}
