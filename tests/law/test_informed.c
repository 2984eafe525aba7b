/* Tests properties of gwg, locally_balanced, path_auxiliary, dlmc, any_scale,
 * gibbs and hamming_ball that the law book (support/laws.h) does not cover:
 * identities between kernels, results of an independent program, and the
 * benefit of the adaptation. */
#include "base/memory.h"
#include "support/laws.h"
#include "support/matrix.h"
#include "support/support.h"

#include <string.h>

enum { LANES = LAW_CHAINS, MOST = 32 * 32 };

static setting made(const char *kernel, const double *value)
{
    setting s = {.kernel.type = cs_kernel_find(kernel), .formula = kernel};
    assert_non_null(s.kernel.type);
    memcpy(s.kernel.values, value, s.kernel.type->n_params * sizeof *value);
    return s;
}

/* Runs two settings with the same random numbers. Returns the largest
 * difference between their log ratios, or infinity if they make different
 * moves. */
static double apart(const setting *s, const setting *t, const points *p,
                    int steps)
{
    cs_block *a = open_block(s, p->target, 3, LANES, p->x);
    cs_block *b = open_block(t, p->target, 3, LANES, p->x);
    double worst = 0;
    for (int i = 0; i < steps; i++) {
        one_step(s, a);
        one_step(t, b);
        if (memcmp(a->move.x, b->move.x, p->dim * a->lanes * 8) != 0)
            worst = HUGE_VAL;
        for (size_t l = 0; l < LANES; l++)
            worst = fmax(worst, fabs(a->move.info.log_ratio[l] -
                                     b->move.info.log_ratio[l]));
    }
    cs_block_destroy(a);
    cs_block_destroy(b);
    return worst;
}

/* Returns the largest absolute value of the log ratio over some steps. */
static double largest_ratio(const setting *s, const points *p, int steps)
{
    cs_block *b = open_block(s, p->target, 3, LANES, p->x);
    double worst = 0;
    for (int i = 0; i < steps; i++) {
        one_step(s, b);
        for (size_t l = 0; l < LANES; l++)
            worst = fmax(worst, fabs(b->move.info.log_ratio[l]));
    }
    cs_block_destroy(b);
    return worst;
}

/* If log p is linear, the gradient gives exact differences, so gwg equals
 * locally_balanced for every balancing function. If log p is not linear, the
 * two kernels differ. */
static void gwg_is_locally_balanced_where_u_is_linear(void **state)
{
    (void)state;
    points line = points_create(&small_bits);
    points bent = points_create(&small_sites);
    for (int function = 0; function < 4; function++) {
        const double value[CS_KERNEL_PARAMS] = {function, 1, 1};
        setting s = made("gwg", value), t = made("locally_balanced", value);
        assert_true(apart(&s, &t, &line, 500) < 1e-12);
        assert_true(apart(&s, &t, &bent, 500) > 1e-3);
    }
    points_destroy(&line);
    points_destroy(&bent);
}

/* A step of path_auxiliary with a path of one site equals a step of gwg: the
 * transition matrices are equal. */
static void a_path_of_one_site_is_gwg(void **state)
{
    (void)state;
    const cs_target_type *const ground[] = {&small_masses, &small_sites,
                                            &small_lattice};
    static double P[MOST], Q[MOST];
    for (int k = 0; k < 12; k++) {
        points p = points_create(ground[k / 4]);
        const double path[CS_KERNEL_PARAMS] = {1, k % 4, 2},
                     gwg[CS_KERNEL_PARAMS] = {k % 4, 2, 1};
        assert_true(matrix_of("path_auxiliary", &p, path, 0, P));
        assert_true(matrix_of("gwg", &p, gwg, 0, Q));
        for (size_t i = 0; i < p.n * p.n; i++)
            assert_near(P[i], Q[i], 1e-12, 1e-15);
        points_destroy(&p);
    }
}

/* If log p is linear, the jump process of each bit preserves the distribution
 * of the bit, even with Euler's rule. The log ratio of every step of dlmc is
 * then 0. If log p is not linear, log ratios differ from 0. */
static void dlmc_is_exact_where_u_is_linear(void **state)
{
    (void)state;
    points line = points_create(&small_bits);
    points bent = points_create(&small_masses);
    for (int k = 0; k < 4; k++) {
        const double value[CS_KERNEL_PARAMS] = {0.7, k},
                     euler[CS_KERNEL_PARAMS] = {0.7, k, 1};
        setting s = made("dlmc", value), t = made("dlmc", euler);
        assert_true(largest_ratio(&s, &line, 500) < 1e-12);
        assert_true(largest_ratio(&s, &bent, 500) > 1e-3);
        assert_true(largest_ratio(&t, &line, 500) < 1e-12);
    }
    points_destroy(&line);
    points_destroy(&bent);
}

/* A Hamming ball that contains the whole block resamples the block, like block
 * Gibbs: the transition matrices are equal. */
static void a_full_ball_is_block_gibbs(void **state)
{
    (void)state;
    points p = points_create(&small_sites);
    const double ball[CS_KERNEL_PARAMS] = {2, 2},
                 block[CS_KERNEL_PARAMS] = {0, 2};
    static double P[27 * 27], Q[27 * 27];
    assert_true(matrix_of("hamming_ball", &p, ball, 0, P));
    assert_true(matrix_of("gibbs", &p, block, 0, Q));
    for (size_t i = 0; i < p.n * p.n; i++)
        assert_near(P[i], Q[i], 1e-12, 1e-15);
    points_destroy(&p);
}

/* Compares with values that another program computed by enumeration of the
 * sixteen states. */
static void four_bits_have_the_known_figures(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    double P[256], gwg[CS_KERNEL_PARAMS] = {0, 1, 1}, moved = 0, taken = 0;
    assert_true(matrix_of("gwg", &p, gwg, 0, P));
    for (size_t a = 0; a < 16; a++)
        moved += p.pi[a] * (1 - P[a * 16 + a]);
    assert_near(moved, 0.760691, 0, 6e-7);
    setting s = made("gwg", gwg);
    cs_block *b = open_block(&s, p.target, 6, LANES, p.x);
    for (int k = 0; k < 4000; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++)
            taken += b->move.info.accepted[l] / (4000.0 * LANES);
    }
    cs_block_destroy(b);
    assert_near(taken, 0.760691, 0, 0.006);
    points_destroy(&p);
}

/* A step of gwg costs one gradient, however many sites it flips. A step of
 * locally_balanced costs one density and the differences for one state, however
 * many sites it flips. */
static void what_is_known_is_kept(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    const double gwg[CS_KERNEL_PARAMS] = {0, 1, 5},
                 exact[CS_KERNEL_PARAMS] = {1, 1};
    setting s = made("gwg", gwg), t = made("locally_balanced", exact);
    cs_target *bits = NULL;
    assert_int_equal(
        cs_target_create(cs_target_find("bernoulli4"), NULL, 0, &bits, NULL),
        CS_OK);
    cs_block *a = open_block(&s, p.target, 1, 8, p.x);
    cs_block *b = open_block(&t, bits, 1, 8, p.x);
    cs_work one = a->eval.work, two = b->eval.work;
    for (int k = 0; k < 10; k++) {
        one_step(&s, a);
        one_step(&t, b);
    }
    assert_int_equal(a->eval.work.gradients - one.gradients, 80);
    assert_int_equal(a->eval.work.log_densities - one.log_densities, 0);
    assert_int_equal(b->eval.work.log_densities - two.log_densities, 80);
    assert_int_equal(b->eval.work.site_differences - two.site_differences,
                     4 * 80);
    cs_block_destroy(a);
    cs_block_destroy(b);
    cs_target_release(bits);
    points_destroy(&p);
}

/* ---- any_scale ----------------------------------------------------------- */

/* Without adaptation any_scale equals dmala, bit for bit. */
static void any_scale_is_dmala_when_still(void **state)
{
    (void)state;
    static const cs_target_type *const of[] = {&small_masses, &small_sites,
                                               &small_colours};
    for (size_t k = 0; k < 6; k++) {
        points p = points_create(of[k / 2]);
        double coding = (double)(k % 2);
        const double value[CS_KERNEL_PARAMS] = {0.7,    0.8, 0,  100,
                                                coding, 0.2, 0.9},
                     same[CS_KERNEL_PARAMS] = {0.7, 0.8, coding};
        setting s = made("any_scale", value), t = made("dmala", same);
        assert_true(apart(&s, &t, &p, 500) == 0);
        points_destroy(&p);
    }
}

/* Returns the mean number of coordinates that a step of dmala changes, by
 * enumeration. */
static double changes(const points *p, double step, double balance)
{
    double P[256], sum = 0, value[CS_KERNEL_PARAMS] = {step, balance};
    assert_true(matrix_of("dmala", p, value, 0, P));
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = 0; b < p->n; b++)
            sum += p->pi[a] * P[a * p->n + b] *
                   __builtin_popcount((unsigned)(a ^ b));
    return sum;
}

/* Starting from a small step, any_scale finds a nearly optimal setting. The
 * setting is kept when the adaptation is frozen. */
static void any_scale_finds_its_scale(void **state)
{
    (void)state;
    enum { ADAPT = 60000, ALPHA = 1 };
    points p = points_create(&small_masses);
    const double value[CS_KERNEL_PARAMS] = {0.1, 0.5, ADAPT, 500, 0, 0.3, 0.95};
    setting s = made("any_scale", value);
    cs_block *b = open_block(&s, p.target, 2, LANES, p.x);
    const double *aux = b->move.memory + p.dim * b->lanes;
    double kept[2 * LANES], most = 0, mean = 0;
    for (int k = 0; k < ADAPT; k++)
        one_step(&s, b);
    for (size_t l = 0; l < LANES; l++) {
        kept[l] = aux[l];
        kept[LANES + l] = aux[ALPHA * b->lanes + l];
        assert_true(kept[LANES + l] >= 0.5 && kept[LANES + l] <= 1);
        mean += changes(&p, kept[l], kept[LANES + l]) / LANES;
    }
    for (int k = 0; k < 2000; k++)
        one_step(&s, b);
    for (size_t l = 0; l < LANES; l++)
        assert_true(kept[l] == aux[l] &&
                    kept[LANES + l] == aux[ALPHA * b->lanes + l]);
    for (double step = 0.2; step < 1e3; step *= 1.5)
        for (double balance = 0.5; balance < 1.01; balance += 0.1)
            most = fmax(most, changes(&p, step, balance));
    print_message("changes per step: %.3g at the start, %.3g adapted, "
                  "%.3g maximum\n",
                  changes(&p, 0.1, 0.5), mean, most);
    assert_true(mean > 0.75 * most);
    cs_block_destroy(b);
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(gwg_is_locally_balanced_where_u_is_linear),
    cmocka_unit_test(a_full_ball_is_block_gibbs),
    cmocka_unit_test(four_bits_have_the_known_figures),
    cmocka_unit_test(what_is_known_is_kept),
    cmocka_unit_test(a_path_of_one_site_is_gwg),
    cmocka_unit_test(dlmc_is_exact_where_u_is_linear),
    cmocka_unit_test(any_scale_is_dmala_when_still),
    cmocka_unit_test(any_scale_finds_its_scale),
};
TESTS(test_informed)
