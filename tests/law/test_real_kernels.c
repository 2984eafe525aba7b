/* Tests theorems about kernels on real spaces. The leapfrog preserves volume
 * and has an energy error of second order. MALA is Hamiltonian Monte Carlo with
 * one leapfrog. The Barker proposal equals its formula. */
#include "base/memory.h"
#include "support/laws.h"
#include "support/leapfrog.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 40, DIM = 2, SIZE = DIM * LANES };

static const double start[DIM] = {0.3, -0.2};

static setting named(const char *name, double a, double b)
{
    setting s = {.kernel.type = cs_kernel_find(name), .kernel.values = {a, b}};
    assert_non_null(s.kernel.type);
    return s;
}

static cs_target *banana(void)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&small_banana, NULL, 0, &t, NULL), CS_OK);
    return t;
}

/* ---- the leapfrog -------------------------------------------------------- */

/* Returns the mean |energy error| of the kernel's first trajectory, whose time
 * is 1. */
static double energy_error(double step)
{
    setting s = named("hmc", step, 1 / step);
    cs_target *t = banana();
    cs_block *b = open_block(&s, t, 9, LANES, start);
    double sum = 0;
    one_step(&s, b);
    for (size_t l = 0; l < LANES; l++)
        sum += fabs(b->move.info.log_ratio[l]);
    cs_block_destroy(b);
    cs_target_release(t);
    return sum / LANES;
}

static double broken_error(double step)
{
    static _Alignas(CS_ALIGN) double q[SIZE], p[SIZE], change[LANES];
    setting s = named("hmc", step, 1 / step);
    cs_target *t = banana();
    cs_block *b = open_block(&s, t, 9, LANES, start);
    memcpy(q, b->move.x, sizeof q);
    b->move.streams.step = 1;
    cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, DIM, p);
    leapfrog(b, step, (int)(1 / step + 0.5), KICK_ONE_GRADIENT, q, p, change);
    double sum = 0;
    for (size_t l = 0; l < LANES; l++)
        sum += fabs(change[l]);
    cs_block_destroy(b);
    cs_target_release(t);
    return sum / LANES;
}

static void leapfrogs_keep_the_volume(void **state)
{
    (void)state;
    setting s = named("hmc", 0.3, 1);
    cs_target *t = banana();
    cs_block *b = open_block(&s, t, 9, 8, start);
    const double p[DIM] = {0.7, -1.1};
    for (int n = 1; n <= 4; n++) {
        double exact = leapfrog_volume(b, 0.3, n, KICK_EXACT, start, p);
        double single = leapfrog_volume(b, 0.3, n, KICK_SINGLE, start, p);
        assert_near(exact, 0, 0, 1e-7);
        assert_near(single, 0, 0, 1e-7);
    }
    double broken = leapfrog_volume(b, 0.3, 1, KICK_ONE_GRADIENT, start, p);
    assert_true(fabs(broken) > 1e-3);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* A trajectory whose momentum is reversed returns to its start. This is true
 * for any force at interior points. It is not true if the forces at the two
 * ends are inconsistent. */
static void leapfrogs_come_back(void **state)
{
    (void)state;
    setting s = named("hmc", 0.3, 1);
    cs_target *t = banana();
    cs_block *b = open_block(&s, t, 9, 8, start);
    const double p[DIM] = {0.7, -1.1};
    for (int n = 1; n <= 5; n++) {
        assert_near(leapfrog_astray(b, 0.3, n, KICK_EXACT, start, p), 0, 0,
                    1e-12);
        assert_near(leapfrog_astray(b, 0.3, n, KICK_SINGLE, start, p), 0, 0,
                    1e-12);
        assert_true(leapfrog_astray(b, 0.3, n, KICK_LOPSIDED, start, p) > 1e-2);
    }
    cs_block_destroy(b);
    cs_target_release(t);
}

static void energy_error_is_of_second_order(void **state)
{
    (void)state;
    double slope = log2(energy_error(1.0 / 32) / energy_error(1.0 / 64));
    assert_near(slope, 2, 0, 0.05);
    slope = log2(broken_error(1.0 / 32) / broken_error(1.0 / 64));
    assert_true(slope < 1.5);
}

/* ---- the force ----------------------------------------------------------- */

/* Computes the states after 20 steps of hmc. */
static void go(const cs_target_type *type, double leapfrogs, double force,
               double *x)
{
    setting s = named("hmc", 0.3, leapfrogs);
    cs_target *t = NULL;
    s.kernel.values[2] = force;
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(&s, t, 9, LANES, start);
    for (int k = 0; k < 20; k++)
        one_step(&s, b);
    memcpy(x, b->move.x, SIZE * sizeof *x);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* A trajectory of one leapfrog step has no interior points, so it never
 * evaluates the target's approximate force. For a target without a force, the
 * gradient is used. A schedule may also select the gradient. */
static void without_a_force_it_is_exact(void **state)
{
    double exact[SIZE], single[SIZE];
    cs_target_type none = small_banana;
    (void)state;
    for (int n = 1; n <= 3; n++) {
        go(&small_banana, n, CS_GRADIENT_DOUBLE, exact);
        go(&small_banana, n, CS_GRADIENT_FLOAT, single);
        assert_true((memcmp(exact, single, sizeof exact) == 0) == (n == 1));
    }
    none.force = NULL;
    go(&none, 3, CS_GRADIENT_FLOAT, single);
    assert_memory_equal(exact, single, sizeof exact);
}

/* ---- gradient without log p ---------------------------------------------- */

static void holed_gradient(const cs_target *t, const cs_point *at, double *logp,
                           double *g)
{
    small_banana.gradient(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        if (at->x[l] > 0.5 && at->x[l] < 0.8)
            g[l] = HUGE_VAL;
}

static unsigned long asked_alone;

static void alone(const cs_target *t, const cs_point *at, double *g)
{
    static _Alignas(CS_ALIGN) double logp[LANES];
    asked_alone++;
    t->type->gradient(t, at, logp, g);
}

/* At interior points of a trajectory log p is not evaluated. Omitting these
 * evaluations saves time and changes no result, even if a gradient is not
 * finite. */
static void without_u_it_is_the_same(void **state)
{
    double with[SIZE], without[SIZE], first = 0;
    (void)state;
    for (int hole = 0; hole < 2; hole++) {
        cs_target_type type = small_banana;
        if (hole)
            type.gradient = holed_gradient;
        go(&type, 4, CS_GRADIENT_DOUBLE, with);
        assert_true(with[0] != first);
        first = with[0];
        type.gradient_alone = alone;
        asked_alone = 0;
        go(&type, 4, CS_GRADIENT_DOUBLE, without);
        assert_memory_equal(with, without, sizeof with);
        assert_int_equal(asked_alone, 20 * 3);
    }
}

/* ---- one leapfrog is MALA ------------------------------------------------ */

/* Returns the largest difference between the proposals and log ratios of the
 * two kernels over 100 steps. */
static double apart(const setting *a, const setting *b)
{
    cs_target *t = banana();
    cs_block *one = open_block(a, t, 3, LANES, start);
    cs_block *two = open_block(b, t, 3, LANES, start);
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        memcpy(two->move.x, one->move.x, SIZE * sizeof(double));
        cs_block_refresh(two); /* removes accumulated rounding */
        one_step(a, one);
        one_step(b, two);
        const cs_info *i = &one->move.info, *j = &two->move.info;
        for (size_t at = 0; at < SIZE; at++)
            worst = fmax(worst, fabs(i->proposal[at] - j->proposal[at]));
        for (size_t l = 0; l < LANES; l++)
            worst = fmax(worst, fabs(i->log_ratio[l] - j->log_ratio[l]) /
                                    (1 + fabs(i->log_ratio[l])));
    }
    cs_block_destroy(one);
    cs_block_destroy(two);
    cs_target_release(t);
    return worst;
}

static void one_leapfrog_is_mala(void **state)
{
    (void)state;
    setting mala = named("mala", 0.4, 0), hmc = named("hmc", 0.4, 1);
    assert_near(apart(&mala, &hmc), 0, 0, 1e-12);
    setting two = named("hmc", 0.4, 2), half = named("hmc", 0.2, 1);
    assert_true(apart(&mala, &two) > 1e-3);
    assert_true(apart(&mala, &half) > 1e-3);
}

/* ---- the Barker proposal ------------------------------------------------- */

static double softplus(double a)
{
    return fmax(a, 0) + log1p(exp(-fabs(a)));
}

/* Recomputes one step of `b` from x with the same random numbers. Returns the
 * largest difference between the result and the kernel's record of the step. */
static double astray_of_barker(cs_block *b, double step)
{
    static _Alignas(CS_ALIGN) double z[SIZE], u[SIZE], g[SIZE], back[SIZE];
    static _Alignas(CS_ALIGN) double logp[LANES];
    cs_streams s = b->move.streams;
    const cs_info *i = &b->move.info;
    _Alignas(CS_ALIGN) double x[SIZE];
    double worst = 0;
    memcpy(x, b->move.x, sizeof x);
    s.step = b->step + 1;
    cs_fill_single_normal(&s, CS_FOR_PROPOSAL, DIM, z);
    cs_fill_uniform(&s, CS_FOR_LENGTH, DIM, u);
    cs_eval_gradient(&b->eval, CS_NEXT, b->move.x, logp, g);
    setting k = named("barker", step, 0);
    one_step(&k, b);
    cs_eval_gradient(&b->eval, CS_NEXT, i->proposal, logp, back);
    for (size_t l = 0; l < LANES; l++) {
        double ratio = i->logp_change[l];
        for (size_t at = l; at < SIZE; at += LANES) {
            double up = 1 / (1 + exp(-step * z[at] * g[at]));
            double d = u[at] < up ? step * z[at] : -step * z[at];
            worst = fmax(worst, fabs(i->proposal[at] - (x[at] + d)));
            ratio += softplus(-d * g[at]) - softplus(d * back[at]);
        }
        worst = fmax(worst, fabs(i->log_ratio[l] - ratio) / (1 + fabs(ratio)));
    }
    return worst;
}

static void barker_is_its_formula(void **state)
{
    (void)state;
    cs_target *t = banana();
    for (double step = 0.1; step < 3; step *= 3) {
        setting s = named("barker", step, 0);
        cs_block *b = open_block(&s, t, 3, LANES, start);
        for (int k = 0; k < 50; k++)
            assert_near(astray_of_barker(b, step), 0, 0, 1e-10);
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

/* The integral of exp log_q(y | x) is 1. The trapezoidal rule covers `reach`
 * standard deviations. log_q omits the factor 2^dim (2 pi step^2)^(-dim / 2) of
 * the density. */
static void barker_integrates_to_one(void **state)
{
    static _Alignas(CS_ALIGN) double from[SIZE], to[SIZE], log_q[LANES];
    const double step = 0.7, reach = 8;
    enum { CELLS = 8 * LANES };
    (void)state;
    setting s = named("barker", step, 0);
    cs_target *t = banana();
    cs_block *b = open_block(&s, t, 3, LANES, start);
    double h = 2 * reach * step / CELLS, sum = 0;
    cs_driven driven = {.n = 1, .value = &s.kernel.values[0]};
    assert_int_equal(cs_block_run(b, &driven, 1, NULL), 1);
    for (size_t at = 0; at < SIZE; at++)
        from[at] = start[at / LANES];
    for (size_t i = 0; i < CELLS; i++)
        for (size_t j = 0; j < CELLS; j += LANES) {
            for (size_t l = 0; l < LANES; l++) {
                to[l] = start[0] - reach * step + (double)i * h;
                to[LANES + l] = start[1] - reach * step + (double)(j + l) * h;
            }
            s.kernel.type->log_q(&b->move, from, to, log_q);
            for (size_t l = 0; l < LANES; l++)
                sum += exp(log_q[l]);
        }
    assert_near(sum * h * h * 4 / (2 * M_PI * step * step), 1, 0, 1e-9);
    cs_block_destroy(b);
    cs_target_release(t);
}

/* log p = -1e150 |x|^2 */
static void cliff_gradient(const cs_target *t, const cs_point *at, double *logp,
                           double *g)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        logp[l] = 0;
        for (size_t d = 0; d < DIM; d++) {
            double x = at->x[d * at->lanes + l];
            logp[l] -= 1e150 * x * x;
            g[d * at->lanes + l] = -2e150 * x;
        }
    }
}

static void cliff_density(const cs_target *t, const cs_point *at, double *logp)
{
    static _Alignas(CS_ALIGN) double g[SIZE];
    cliff_gradient(t, at, logp, g);
}

/* On a slope of any steepness, each chain moves uphill by the length of its
 * noise. */
static void barker_stands_steep_slopes(void **state)
{
    (void)state;
    cs_target_type cliff = small_banana;
    cliff.log_density = cliff_density;
    cliff.gradient = cliff_gradient;
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&cliff, NULL, 0, &t, NULL), CS_OK);
    setting s = named("barker", 0.01, 0);
    cs_block *b = open_block(&s, t, 3, LANES, start);
    one_step(&s, b);
    for (size_t l = 0; l < LANES; l++) {
        assert_true(b->move.info.accepted[l]);
        assert_true(b->move.info.log_q_forward[l] == 0);
        for (size_t at = l; at < SIZE; at += LANES) {
            double was = start[at / LANES], now = b->move.x[at];
            assert_true(fabs(now) < fabs(was) && fabs(now - was) < 0.07);
        }
    }
    cs_block_destroy(b);
    cs_target_release(t);
}

/* A huge step overflows. The proposal is then rejected, and the chain
 * continues. */
static void overflow_is_refused(void **state)
{
    (void)state;
    cs_target *t = banana();
    const char *const names[] = {"mala", "hmc", "barker"};
    for (int k = 0; k < 3; k++) {
        setting s = named(names[k], 1e200, 3);
        cs_block *b = open_block(&s, t, 3, LANES, start);
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            assert_false(b->move.failed[l]);
            assert_false(b->move.info.accepted[l]);
            assert_true(b->move.x[l] == start[0]);
        }
        cs_block_destroy(b);
    }
    cs_target_release(t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(leapfrogs_keep_the_volume),
    cmocka_unit_test(leapfrogs_come_back),
    cmocka_unit_test(energy_error_is_of_second_order),
    cmocka_unit_test(without_a_force_it_is_exact),
    cmocka_unit_test(without_u_it_is_the_same),
    cmocka_unit_test(one_leapfrog_is_mala),
    cmocka_unit_test(barker_is_its_formula),
    cmocka_unit_test(barker_integrates_to_one),
    cmocka_unit_test(barker_stands_steep_slopes),
    cmocka_unit_test(overflow_is_refused),
};
TESTS(test_real_kernels)
