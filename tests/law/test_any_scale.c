/* Tests the adaptation of any_scale, which learns a scale and a balance. A
 * second implementation, driven by the moves of the chains, must give the same
 * settings. Each setting is tried for `buffer` steps, and the setting that
 * changed the most coordinates is kept. The adaptation first tries three
 * scales, then three balances. */
#include "kernel/wrapper.h"
#include "support/laws.h"
#include "support/small_make.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { LANES = 16, STEPS = 1200, LAST = 1000, BUFFER = 10, TRIALS = 5 };

static const double first_sigma = 0.6, first_alpha = 0.7, first_rate = 0.3,
                    decay = 0.9;

/* The state of one chain's adaptation. sigma and alpha are the best setting so
 * far; the trials vary them. */
typedef struct learner {
    double sigma, alpha, rate;
    double changes[TRIALS]; /* sums of integers, so ties are exact */
    size_t steps;           /* number of steps in this round of trials */
} learner;

static double balance(double alpha)
{
    return fmin(fmax(alpha, 0.5), 1);
}

static double sigma_of_trial(const learner *h, size_t trial)
{
    const double by[TRIALS] = {0, h->rate, -h->rate};
    return h->sigma * (1 + by[trial]);
}

static double alpha_of_trial(const learner *h, size_t trial)
{
    const double by[TRIALS] = {0, 0, 0, h->rate / 2, -h->rate / 2};
    return balance(h->alpha + by[trial]);
}

/* Returns the best of the trials 0, `at` and at + 1. If trials are equally
 * good, returns the first of them. */
static size_t best(const double *mean, size_t at, double so_far)
{
    if (mean[at] > so_far && !(mean[at + 1] > mean[at]))
        return at;
    return mean[at + 1] > so_far ? at + 1 : 0;
}

/* Updates the learner after a step that changed `changed` coordinates. */
static void learn(learner *h, double changed)
{
    size_t trial = h->steps++ / BUFFER;
    h->changes[trial] += changed;
    double top = fmax(h->changes[0], fmax(h->changes[1], h->changes[2]));
    if (h->steps == 3 * BUFFER)
        h->sigma = sigma_of_trial(h, best(h->changes, 1, h->changes[0]));
    if (h->steps < TRIALS * BUFFER)
        return;
    h->alpha = alpha_of_trial(h, best(h->changes, 3, top));
    h->rate *= decay;
    h->steps = 0;
    memset(h->changes, 0, sizeof h->changes);
}

/* Computes the setting of the next step. After adaptation this is the setting
 * that the adaptation kept. */
static void expect(const learner *h, size_t step, double *sigma, double *alpha)
{
    size_t trial = step < LAST ? h->steps / BUFFER : 0;
    *sigma = sigma_of_trial(h, trial);
    *alpha = alpha_of_trial(h, trial);
}

static setting any_scale(void)
{
    setting s = {.formula = "any_scale"};
    s.kernel.type = cs_kernel_find("any_scale");
    assert_non_null(s.kernel.type);
    const double value[] = {first_sigma, first_alpha, LAST, BUFFER,
                            0,           first_rate,  decay};
    memcpy(s.kernel.values, value, sizeof value);
    return s;
}

/* Returns the maximum difference, over all steps, between the kernel's settings
 * (sigma and alpha) and the settings computed here. *sigmas and *alphas receive
 * the number of changes of sigma and of alpha, summed over the lanes. */
static double astray(const cs_target_type *type, size_t *sigmas, size_t *alphas)
{
    points p = points_create(type);
    setting s = any_scale();
    cs_block *b = open_block(&s, p.target, 11, LANES, p.x);
    learner hand[LANES];
    double worst = 0, x[SMALL_DIM][LANES], was[2][LANES];
    const double *now =
        b->move.memory + cs_kernel_aux_first(&s.kernel, p.target) * b->lanes;
    *sigmas = *alphas = 0;
    for (size_t l = 0; l < LANES; l++)
        hand[l] = (learner){first_sigma, first_alpha, first_rate, {0}, 0};
    for (size_t n = 1; n <= STEPS; n++) {
        for (size_t i = 0; i < p.dim; i++)
            memcpy(x[i], b->move.x + i * b->lanes, sizeof x[i]);
        memcpy(was[0], now, sizeof was[0]);
        memcpy(was[1], now + b->lanes, sizeof was[1]);
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            double changed = 0, sigma, alpha;
            for (size_t i = 0; i < p.dim; i++)
                changed += b->move.x[i * b->lanes + l] != x[i][l];
            if (n <= LAST)
                learn(&hand[l], changed);
            expect(&hand[l], n, &sigma, &alpha);
            worst = fmax(worst, fabs(now[l] / sigma - 1));
            worst = fmax(worst, fabs(now[b->lanes + l] - alpha));
            *sigmas += now[l] != was[0][l];
            *alphas += now[b->lanes + l] != was[1][l];
        }
    }
    cs_block_destroy(b);
    points_destroy(&p);
    return worst;
}

static void the_adaptation_is_its_second_writing(void **state)
{
    (void)state;
    static const cs_target_type *const type[] = {&small_bits, &small_sites,
                                                 &small_masses};
    for (size_t k = 0; k < 3; k++) {
        size_t sigmas, alphas;
        assert_near(astray(type[k], &sigmas, &alphas), 0, 0, 1e-9);
        assert_true(sigmas > 20 * LANES && alphas > 20 * LANES);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_adaptation_is_its_second_writing),
};
TESTS(test_any_scale)
