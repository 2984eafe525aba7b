/* Checks values that are stored with the draws: log p updated by differences,
 * the energy of HMC, weights before a ladder has learned, the input of
 * adaptation, the initial auxiliary variables, and recent acceptance. Tests of
 * the draws' distribution would not detect errors in these values. */
#include "support/by_name.h"
#include "support/laws.h"
#include "support/small.h"
#include "support/support.h"

#include "base/memory.h"
#include "chain/tally.h"

#include <string.h>

static cs_target *small(const cs_target_type *type)
{
    cs_target *t;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    return t;
}

static setting defaults(const char *kernel)
{
    setting s;
    assert_true(law_setting(cs_kernel_find(kernel), 0, &s));
    return s;
}

/* ---- log p updated by differences ---------------------------------------- */

/* If a target computes only differences of log p, rounding errors accumulate in
 * log p. Such an error is corrected within 1024 steps. */
static void carried_u_is_evaluated_anew(void **state)
{
    static const char *const kernels[] = {"gibbs", "hamming_ball", "wolff"};
    enum { LANES = 5, SITES = 64 };
    cs_target *t = target_of("ising");
    double x[SITES] = {0};
    (void)state;
    assert_int_equal(t->space.dim, SITES);
    for (size_t k = 0; k < 3; k++) {
        setting s = defaults(kernels[k]);
        cs_block *b = open_block(&s, t, 3, LANES, x);
        double was[LANES];
        for (size_t l = 0; l < b->lanes; l++)
            b->move.info.logp[l] += 1e-6;
        for (int step = 0; step < 1024; step++)
            one_step(&s, b);
        memcpy(was, b->move.info.logp, sizeof was);
        cs_block_refresh(b);
        for (size_t l = 0; l < LANES; l++)
            assert_near(was[l], b->move.info.logp[l], 0, 1e-9);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* ---- the energy of HMC --------------------------------------------------- */

/* energy__ is -log p of the state minus the log density of the momentum. If the
 * end of the trajectory was accepted, this is the momentum at the end;
 * otherwise it is the initial momentum. The step's record contains the energies
 * of both ends. */
static void energy_is_of_the_end_that_was_kept(void **state)
{
    size_t refused = 0, live[] = {1, 7};
    (void)state;
    points p = points_create(&small_banana);
    setting s = defaults("hmc");
    s.kernel.values[0] = 0.6;
    for (size_t k = 0; k < 2; k++) {
        cs_block *b = open_block(&s, p.target, 3, live[k], p.x);
        const cs_info *i = &b->move.info;
        for (int step = 0; step < 200; step++) {
            one_step(&s, b);
            for (size_t l = 0; l < live[k]; l++) {
                double kinetic =
                    i->accepted[l] ? i->log_q_back[l] : i->log_q_forward[l];
                refused += !i->accepted[l];
                assert_near(i->stat[2 * b->lanes + l], -i->logp[l] - kinetic,
                            1e-12, 1e-12);
            }
        }
        cs_block_destroy(b);
    }
    assert_true(refused > 100);
    points_destroy(&p);
}

/* ---- weights before a ladder has learned --------------------------------- */

static void nothing_counts_while_a_ladder_learns(void **state)
{
    enum { LEARN = 200 };
    const cs_kernel inner = kernel_of("gibbs");
    const cs_value given[] = {
        {.name = "learn", .kind = CS_PARAM_INT, .given = 1, .number = LEARN},
        {.name = "rungs", .kind = CS_PARAM_INT, .given = 1, .number = 2},
        {.name = "hottest", .given = 1, .number = 1.5}};
    cs_kernel k;
    cs_target *t = small(&small_masses);
    cs_block *b;
    double after = 0;
    (void)state;
    assert_int_equal(cs_kernel_wrap(&k, cs_kernel_find("simulated_tempering"),
                                    given, 3, &inner, NULL),
                     CS_OK);
    assert_int_equal(cs_block_create(&b, t, &k, 3, 0, 8, NULL, 0, NULL), CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    for (int step = 1; step <= 2 * LEARN; step++) {
        cs_block_run(b, NULL, 1, NULL);
        for (size_t l = 0; l < 8; l++) {
            double weight = exp(b->move.info.log_weight[l]);
            assert_true(weight == 0 || step > LEARN);
            after += weight;
        }
    }
    assert_true(after > 0);
    cs_block_destroy(b);
    cs_target_release(t);
    cs_kernel_release(&k);
}

/* ---- the input of the adaptation of any_scale ---------------------------- */

/* A second implementation of the adaptation of any_scale, driven by the number
 * of changed coordinates. Its setting must equal the setting of the kernel at
 * every step. */
typedef struct by_hand {
    double sigma, alpha, rate, best, sum;
    int phase, pick, count;
} by_hand;

static double clipped(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double sigma_in(const by_hand *h, int phase)
{
    static const double sign[] = {0, 1, -1, 0, 0};
    return clipped(h->sigma * (1 + sign[phase] * h->rate), 1e-9, 1e30);
}

static double alpha_in(const by_hand *h, int phase)
{
    static const double sign[] = {0, 0, 0, 1, -1};
    return phase < 3 ? h->alpha
                     : clipped(h->alpha + sign[phase] * h->rate / 2, 0.5, 1);
}

static void hear(by_hand *h, double changed, int buffer, double decay)
{
    h->sum += changed;
    if (++h->count < buffer)
        return;
    double mean = h->sum / buffer;
    if (h->phase == 0 || mean > h->best) {
        h->best = mean;
        h->pick = h->phase;
    }
    if (h->phase == 2 || h->phase == 4) {
        double sigma = sigma_in(h, h->pick), alpha = alpha_in(h, h->pick);
        h->sigma = sigma;
        h->alpha = alpha;
        h->pick = 0;
    }
    h->rate *= h->phase == 4 ? decay : 1;
    h->phase = (h->phase + 1) % 5;
    h->sum = h->count = 0;
}

static void adapts_on(const cs_target_type *of, double coding)
{
    enum { STEPS = 1500, LANES = 5, BUFFER = 20, STEP = 2, MOST = 8 };
    const cs_kernel_type *type = cs_kernel_find("any_scale");
    by_hand h[LANES];
    double before[MOST][LANES], changes = 0, proposed = 0;
    points p = points_create(of);
    setting s = defaults("any_scale");
    assert_true(p.dim <= MOST);
    s.kernel.values[0] = STEP;
    s.kernel.values[cs_param_find(type->params, type->n_params, "coding")] =
        coding;
    s.kernel.values[cs_param_find(type->params, type->n_params, "adapt")] =
        STEPS;
    s.kernel.values[cs_param_find(type->params, type->n_params, "buffer")] =
        BUFFER;
    double decay =
        s.kernel.values[cs_param_find(type->params, type->n_params, "decay")];
    double rate =
        s.kernel.values[cs_param_find(type->params, type->n_params, "rate")];
    cs_block *b = open_block(&s, p.target, 3, LANES, p.x);
    size_t n = b->lanes;
    const double *sigma = /* rows: sigma, alpha, and the auxiliary variables */
        b->move.memory + type->aux->first(p.target, s.kernel.values) * n;
    for (size_t l = 0; l < LANES; l++)
        h[l] = (by_hand){.sigma = s.kernel.values[0],
                         .alpha = s.kernel.values[1],
                         .rate = rate};
    for (int step = 1; step < STEPS; step++) {
        for (size_t l = 0; l < LANES; l++)
            for (size_t d = 0; d < p.dim; d++)
                before[d][l] = b->move.x[d * n + l];
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            double done = 0;
            for (size_t d = 0; d < p.dim; d++) {
                done += b->move.x[d * n + l] != before[d][l];
                proposed += b->move.info.proposal[d * n + l] != before[d][l];
            }
            changes += done;
            hear(&h[l], done, BUFFER, decay);
            assert_near(sigma[l], sigma_in(&h[l], h[l].phase), 1e-12, 0);
            assert_near(sigma[n + l], alpha_in(&h[l], h[l].phase), 1e-12, 0);
        }
    }
    assert_true(changes > 0 && changes < 0.95 * proposed);
    cs_block_destroy(b);
    points_destroy(&p);
}

static void any_scale_adapts_to_what_was_done(void **state)
{
    (void)state;
    adapts_on(&small_masses, 0);
    for (double coding = 0; coding < 2; coding++)
        adapts_on(&small_colours, coding);
}

/* ---- initial theta_a ----------------------------------------------------- */

/* Given x, the initial theta_a has the distribution N(x, eta I). The noise
 * theta_a - x comes from separate random numbers, so over many chains it is
 * uncorrelated with x. */
static void theta_a_begins_apart_from_x(void **state)
{
    enum { LANES = 1024, BLOCKS = 10, CHAINS = LANES * BLOCKS, DIM = 4 };
    cs_kernel k = kernel_of("edmala");
    cs_target *t = target_of("bernoulli4");
    double xa[DIM] = {0}, x1[DIM] = {0}, x2[DIM] = {0}, a1[DIM] = {0},
           a2[DIM] = {0};
    (void)state;
    assert_int_equal(t->space.dim, DIM);
    for (size_t i = 0; i < BLOCKS; i++) {
        cs_block *b;
        assert_int_equal(
            cs_block_create(&b, t, &k, 3, i * LANES, LANES, NULL, 0, NULL),
            CS_OK);
        assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
        for (size_t at = 0; at < DIM * b->lanes; at++) {
            size_t d = at / b->lanes;
            double x = b->move.x[at], a = b->move.memory[at] - x;
            xa[d] += x * a;
            x1[d] += x;
            x2[d] += x * x;
            a1[d] += a;
            a2[d] += a * a;
        }
        cs_block_destroy(b);
    }
    for (size_t d = 0; d < DIM; d++) {
        double n = CHAINS, mx = x1[d] / n, ma = a1[d] / n;
        double r = (xa[d] / n - mx * ma) /
                   sqrt((x2[d] / n - mx * mx) * (a2[d] / n - ma * ma));
        assert_true(mx > 0.05 && mx < 0.95);
        assert_near(r, 0, 0, 4.5 / sqrt(n)); /* p about 3e-5 in total */
    }
    cs_target_release(t);
}

/* ---- recent acceptance --------------------------------------------------- */

static bool accepts_now;

static size_t no_words(const cs_target *t, const double *values)
{
    (void)t;
    (void)values;
    return 0;
}

static void nothing(cs_move *m)
{
    (void)m;
}

static void by_turns(cs_move *m)
{
    for (size_t l = 0; l < m->lanes; l++)
        m->info.accepted[l] = accepts_now;
}

/* After 300 accepted and then 300 rejected steps, the overall acceptance rate
 * is 1/2. The recent rate is an exponential mean over 256 steps. It is 1 after
 * the accepted steps, and about exp(-300/256) at the end. */
static void late_acceptance_forgets(void **state)
{
    const cs_kernel_type type = {.name = "by turns",
                                 .spaces = CS_DISCRETE | CS_CONTINUOUS,
                                 .memory_words = no_words,
                                 .scratch_words = no_words,
                                 .init = nothing,
                                 .step = by_turns};
    const cs_kernel k = {.type = &type};
    cs_target *t = small(&small_bits);
    cs_block *b;
    cs_tally tally;
    (void)state;
    assert_int_equal(cs_block_create(&b, t, &k, 3, 0, 3, NULL, 0, NULL), CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    for (int part = 0; part < 2; part++) {
        accepts_now = part == 0;
        for (int step = 0; step < 300; step++)
            cs_block_run(b, NULL, 1, NULL);
        tally = cs_tally_of(b->tally + 1, b->lanes);
        assert_near(tally.accepted / tally.steps, part ? 0.5 : 1, 0, 0);
        assert_near(tally.rolling, part ? exp(-300.0 / 256) : 1, 0, 0.03);
    }
    cs_block_destroy(b);
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(carried_u_is_evaluated_anew),
    cmocka_unit_test(energy_is_of_the_end_that_was_kept),
    cmocka_unit_test(nothing_counts_while_a_ladder_learns),
    cmocka_unit_test(any_scale_adapts_to_what_was_done),
    cmocka_unit_test(theta_a_begins_apart_from_x),
    cmocka_unit_test(late_acceptance_forgets),
};
TESTS(test_bookkeeping)
