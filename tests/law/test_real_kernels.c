/* The laws of kernels on real spaces: records against log_q, the leapfrog
 * against one written here, its reversal, the order of its energy error, and
 * MALA as Hamiltonian Monte Carlo with one leapfrog. */
#include "base/memory.h"
#include "support/laws.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 40, DIM = 2, SIZE = DIM * LANES };

static const double start[DIM] = {0.3, -0.2};

static setting named(const char *name, double a, double b)
{
    setting s = {.type = cs_kernel_find(name), .value = {a, b}};
    assert_non_null(s.type);
    return s;
}

static cs_target *banana(void)
{
    cs_target *t = NULL;
    assert_int_equal(cs_target_create(&small_banana, NULL, 0, &t, NULL), CS_OK);
    return t;
}

static void records_are_true(void **state)
{
    (void)state;
    cs_target *t = banana();
    setting walk = named("random_walk", 0.7, 1), mala = named("mala", 0.4, 0);
    walk.value[2] = 1;
    assert_true(law_record(&walk, t, start));
    assert_true(law_record(&mala, t, start));
    cs_target_release(t);
}

/* Every registered kernel that moves real states and has an accept step has a
 * log_q, or is the one whose proposal has no density. */
static void densities_are_there(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++)
        if ((type->spaces & CS_CONTINUOUS) && (type->flags & CS_KERNEL_ACCEPTS))
            assert_true(type->log_q || strcmp(type->name, "hmc") == 0);
}

/* ---- the leapfrog -------------------------------------------------------- */

/* `n` leapfrogs of q and p; `broken` uses the gradient at the start for both
 * half kicks. The energy change U - p^2/2 per lane to change. */
static void leapfrog(cs_block *at, double step, int n, bool broken, double *q,
                     double *p, double *change)
{
    static _Alignas(CS_ALIGN) double g[SIZE], next[SIZE], u[LANES], v[LANES];
    cs_eval_gradient(&at->eval, CS_NEXT, q, u, g);
    for (size_t i = 0; i < SIZE; i++)
        u[i % LANES] -= p[i] * p[i] / 2;
    for (int k = 0; k < n; k++) {
        for (size_t i = 0; i < SIZE; i++) {
            p[i] += step / 2 * g[i];
            q[i] += step * p[i];
        }
        cs_eval_gradient(&at->eval, CS_NEXT, q, v, next);
        for (size_t i = 0; i < SIZE; i++)
            p[i] += step / 2 * (broken ? g[i] : next[i]);
        memcpy(g, next, sizeof g);
    }
    for (size_t i = 0; i < SIZE; i++)
        v[i % LANES] -= p[i] * p[i] / 2;
    for (size_t l = 0; l < LANES; l++)
        change[l] = v[l] - u[l];
}

/* The kernel's proposals and ratios are those of the leapfrog, from the same
 * momenta, and the leapfrog comes back when they are turned round. */
static bool law_leapfrog(const setting *s, bool broken)
{
    static _Alignas(CS_ALIGN) double q[SIZE], p[SIZE], x[SIZE], change[LANES];
    cs_target *t = banana();
    cs_block *b = open_block(s, t, 5, LANES, start);
    cs_block *fresh = open_block(s, t, 5, LANES, start);
    int n = (int)s->value[1];
    bool good = true;
    for (int k = 0; k < 50; k++) {
        memcpy(x, b->move.x, sizeof x);
        memcpy(q, x, sizeof q);
        one_step(s, b);
        cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, DIM, p);
        leapfrog(fresh, s->value[0], n, broken, q, p, change);
        for (size_t i = 0; i < SIZE; i++)
            good &= fabs(q[i] - b->move.info.proposal[i]) < 1e-10;
        for (size_t l = 0; l < LANES; l++)
            good &= fabs(change[l] - b->move.info.log_ratio[l]) < 1e-10;
        for (size_t i = 0; i < SIZE; i++)
            p[i] = -p[i];
        leapfrog(fresh, s->value[0], n, broken, q, p, change);
        for (size_t i = 0; i < SIZE; i++)
            good &= fabs(q[i] - x[i]) < 1e-10;
    }
    cs_block_destroy(b);
    cs_block_destroy(fresh);
    cs_target_release(t);
    return good;
}

static const cs_kernel_type *inner;

static void keeps_a_stale_gradient(cs_move *m)
{
    double memory[SIZE];
    memcpy(memory, m->memory, sizeof memory);
    inner->step(m);
    memcpy(m->memory, memory, sizeof memory);
}

static void leapfrogs_are_leapfrogs(void **state)
{
    (void)state;
    setting s = named("hmc", 0.12, 7);
    assert_true(law_leapfrog(&s, false));
    assert_false(law_leapfrog(&s, true));
    cs_kernel_type copy = *s.type;
    inner = s.type;
    copy.step = keeps_a_stale_gradient;
    s.type = &copy;
    assert_false(law_leapfrog(&s, false));
}

/* Mean |energy error| of the kernel's first step over a time of 1. */
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
    leapfrog(b, step, (int)(1 / step + 0.5), true, q, p, change);
    double sum = 0;
    for (size_t l = 0; l < LANES; l++)
        sum += fabs(change[l]);
    cs_block_destroy(b);
    cs_target_release(t);
    return sum / LANES;
}

static void energy_error_is_of_second_order(void **state)
{
    (void)state;
    double slope = log2(energy_error(1.0 / 32) / energy_error(1.0 / 64));
    assert_near(slope, 2, 0, 0.05);
    slope = log2(broken_error(1.0 / 32) / broken_error(1.0 / 64));
    assert_true(slope < 1.5);
}

/* ---- one leapfrog is MALA ------------------------------------------------ */

/* The largest difference of proposals and ratios over 100 steps. */
static double apart(const setting *a, const setting *b)
{
    cs_target *t = banana();
    cs_block *one = open_block(a, t, 3, LANES, start);
    cs_block *two = open_block(b, t, 3, LANES, start);
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        memcpy(two->move.x, one->move.x, SIZE * sizeof(double));
        cs_block_refresh(two); /* rounding must not grow from step to step */
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

/* ---- faults of the records ----------------------------------------------- */

static void uses_half_the_step(cs_move *m)
{
    static _Alignas(CS_ALIGN) double half[3 * LANES];
    const double *right = m->param;
    for (size_t l = 0; l < LANES; l++)
        half[l] = right[l] / 2;
    m->param = half;
    inner->step(m);
    m->param = right;
}

static void forgets_the_rejection(cs_move *m)
{
    inner->step(m);
    memcpy(m->x, m->info.proposal, SIZE * sizeof *m->x);
}

static void records_find_faults(void **state)
{
    (void)state;
    static void (*const faults[])(cs_move *) = {
        uses_half_the_step, forgets_the_rejection, keeps_a_stale_gradient};
    cs_target *t = banana();
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        setting s = named("mala", 0.8, 0);
        cs_kernel_type copy = *s.type;
        inner = s.type;
        copy.step = faults[k];
        s.type = &copy;
        assert_false(law_record(&s, t, start));
    }
    cs_target_release(t);
}

/* A huge step overflows; the move is refused and the chain lives on. */
static void overflow_is_refused(void **state)
{
    (void)state;
    cs_target *t = banana();
    const char *const names[] = {"mala", "hmc"};
    for (int k = 0; k < 2; k++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_true),
        cmocka_unit_test(records_find_faults),
        cmocka_unit_test(densities_are_there),
        cmocka_unit_test(leapfrogs_are_leapfrogs),
        cmocka_unit_test(energy_error_is_of_second_order),
        cmocka_unit_test(one_leapfrog_is_mala),
        cmocka_unit_test(overflow_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
