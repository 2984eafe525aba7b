/* The laws of kernels on small discrete spaces, over the registry: a kernel
 * that is registered without a formula in support/matrix.c fails here. */
#include "base/memory.h"
#include "support/laws.h"
#include "support/support.h"

#include <string.h>

static const cs_target_type *const targets[] = {&small_bits, &small_masses,
                                                &small_sites, &small_lattice};
enum { TARGETS = 4 };

/* More than one setting a kernel: small and large steps, other choices. */
static const struct {
    const char *name;
    double value[4];
} settings[] = {
    {"random_walk", {1, 1, 1}},
    {"random_walk", {1, 2, 2}},
    {"gibbs", {0}},
    {"gibbs", {1}},
    {"dula", {0.3, 0.5}},
    {"dula", {2, 0.8}},
    {"dmala", {0.3, 0.5}},
    {"dmala", {2, 0.5}},
    {"dmala", {1, 0.9}},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

static setting setting_of(size_t i)
{
    setting s = {.type = cs_kernel_find(settings[i].name),
                 .formula = settings[i].name};
    assert_non_null(s.type);
    memcpy(s.value, settings[i].value, sizeof s.value);
    return s;
}

static void every_discrete_kernel_has_a_setting(void **state)
{
    (void)state;
    const cs_kernel_type *type;
    for (size_t i = 0; (type = cs_kernel_at(i)); i++) {
        bool found = !(type->spaces & CS_DISCRETE);
        for (size_t k = 0; k < SETTINGS; k++)
            found |= strcmp(settings[k].name, type->name) == 0;
        if (!found)
            print_error("no setting for kernel %s\n", type->name);
        assert_true(found);
    }
}

static void matrices_have_the_target(void **state)
{
    (void)state;
    double P[32 * 32];
    for (size_t k = 0; k < TARGETS; k++) {
        points p = points_create(targets[k]);
        for (size_t i = 0; i < SETTINGS; i++) {
            setting s = setting_of(i);
            assert_true(matrix_of(s.formula, &p, s.value, 0, P));
            assert_true(row_error(P, p.n) < 1e-12);
            if (s.type->flags & CS_KERNEL_EXACT)
                assert_true(invariance_error(&p, P) < 1e-12);
            else
                assert_true(invariance_error(&p, P) > 1e-6);
            if (s.type->flags & CS_KERNEL_REVERSIBLE)
                assert_true(balance_error(&p, P) < 1e-14);
        }
        points_destroy(&p);
    }
}

/* One sweep of the systematic scan keeps the target but is not reversible. */
static void systematic_scan_is_not_reversible(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    double sweep[256], site[256], next[256], value[] = {1};
    assert_true(matrix_of("gibbs", &p, value, 0, sweep));
    for (size_t turn = 1; turn < p.dim; turn++) {
        assert_true(matrix_of("gibbs", &p, value, turn, site));
        memset(next, 0, sizeof next);
        for (size_t a = 0; a < 16; a++)
            for (size_t c = 0; c < 16; c++)
                for (size_t b = 0; b < 16; b++)
                    next[a * 16 + b] += sweep[a * 16 + c] * site[c * 16 + b];
        memcpy(sweep, next, sizeof next);
    }
    assert_true(invariance_error(&p, sweep) < 1e-12);
    assert_true(balance_error(&p, sweep) > 1e-4);
    points_destroy(&p);
}

/* A law on every target and setting that it applies to. */
static void hold_everywhere(bool (*law)(const setting *, const points *),
                            bool needs_log_q, unsigned flags)
{
    for (size_t k = 0; k < TARGETS; k++) {
        points p = points_create(targets[k]);
        for (size_t i = 0; i < SETTINGS; i++) {
            setting s = setting_of(i);
            if ((needs_log_q && !s.type->log_q) ||
                (s.type->flags & flags) != flags)
                continue;
            bool holds = law(&s, &p);
            if (!holds)
                print_error("%s (setting %zu) on %s\n", s.formula, i,
                            targets[k]->name);
            assert_true(holds);
        }
        points_destroy(&p);
    }
}

static bool record_of_points(const setting *s, const points *p)
{
    return law_record(s, p->target, p->x);
}

static void steps_have_the_frequencies(void **state)
{
    (void)state;
    hold_everywhere(law_frequencies, false, 0);
}

static void records_are_true(void **state)
{
    (void)state;
    hold_everywhere(record_of_points, true, CS_KERNEL_ACCEPTS);
}

static void proposals_follow_log_q(void **state)
{
    (void)state;
    hold_everywhere(law_proposals, true, 0);
}

/* ---- planted faults ------------------------------------------------------ */

static const cs_kernel_type *inner; /* of the faulty wrapper in use */
enum { LANES = 40, ROOM = LANES * 4 };
static double before[ROOM], memory[ROOM];
static _Alignas(CS_ALIGN) double params[ROOM];

static void remember(const cs_move *m)
{
    memcpy(before, m->x, m->dim * m->lanes * sizeof *before);
}

/* Puts each lane where `accept` says, and makes gradient and U anew. */
static void decide_again(cs_move *m, const bool *accept)
{
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            m->x[at] = accept[l] ? m->info.proposal[at] : before[at];
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.u);
    inner->init(m);
}

static void forgets_the_rejection(cs_move *m)
{
    bool accept[LANES];
    remember(m);
    inner->step(m);
    memset(accept, 1, sizeof accept);
    decide_again(m, accept);
}

static void drops_the_reverse_term(cs_move *m)
{
    bool accept[LANES];
    remember(m);
    inner->step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] =
            m->info.log_u[l] < m->info.u_change[l] - m->info.log_q_forward[l];
    decide_again(m, accept);
}

static void ignores_the_accept_noise(cs_move *m)
{
    bool accept[LANES];
    remember(m);
    inner->step(m);
    for (size_t l = 0; l < m->lanes; l++)
        accept[l] = m->info.log_ratio[l] > 0;
    decide_again(m, accept);
}

static void uses_half_the_step(cs_move *m)
{
    const double *right = m->param;
    memcpy(params, right, 2 * m->lanes * sizeof *params);
    for (size_t l = 0; l < m->lanes; l++)
        params[l] *= 0.5;
    m->param = params;
    inner->step(m);
    m->param = right;
}

static void keeps_a_stale_gradient(cs_move *m)
{
    memcpy(memory, m->memory, m->dim * m->lanes * sizeof *memory);
    inner->step(m);
    memcpy(m->memory, memory, m->dim * m->lanes * sizeof *memory);
}

static void (*const faults[])(cs_move *) = {
    forgets_the_rejection, drops_the_reverse_term, ignores_the_accept_noise,
    uses_half_the_step, keeps_a_stale_gradient};
enum { FAULTS = sizeof faults / sizeof *faults };

static setting spoilt(cs_kernel_type *copy, const char *name,
                      void (*step)(cs_move *))
{
    inner = cs_kernel_find(name);
    *copy = *inner;
    copy->step = step;
    return (setting){.type = copy, .value = {1, 0.5}, .formula = name};
}

static void frequencies_find_faults(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    cs_kernel_type copy;
    for (size_t k = 0; k < FAULTS; k++) {
        setting s = spoilt(&copy, "dmala", faults[k]);
        bool holds = law_frequencies(&s, &p);
        if (holds)
            print_error("fault %zu went unseen\n", k);
        assert_false(holds);
    }
    points_destroy(&p);
}

static void records_find_faults(void **state)
{
    (void)state;
    points p = points_create(&small_sites);
    cs_kernel_type copy;
    for (size_t k = 0; k < FAULTS; k++) {
        setting s = spoilt(&copy, "dmala", faults[k]);
        bool holds = law_record(&s, p.target, p.x);
        if (holds)
            print_error("fault %zu went unseen\n", k);
        assert_false(holds);
    }
    points_destroy(&p);
}

static void proposals_find_faults(void **state)
{
    (void)state;
    points p = points_create(&small_lattice);
    cs_kernel_type copy;
    setting s = spoilt(&copy, "dmala", uses_half_the_step);
    assert_false(law_proposals(&s, &p));
    s = spoilt(&copy, "dula", keeps_a_stale_gradient);
    assert_false(law_proposals(&s, &p));
    points_destroy(&p);
}

/* The proposal without its accept step is not invariant; a Metropolis matrix
 * that takes every proposal as symmetric is not reversible. */
static void matrices_find_faults(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    double q[256], P[256];
    langevin(&p, 1, 0.5, q);
    assert_true(invariance_error(&p, q) > 1e-3);
    for (size_t a = 0; a < 16; a++) {
        double left = 1;
        for (size_t b = 0; b < 16; b++)
            if (a != b)
                left -= P[a * 16 + b] =
                    q[a * 16 + b] * fmin(1, p.pi[b] / p.pi[a]);
        P[a * 16 + a] = left;
    }
    assert_true(row_error(P, 16) < 1e-12);
    assert_true(balance_error(&p, P) > 1e-4);
    P[0] += 1e-9;
    assert_true(row_error(P, 16) > 1e-12);
    points_destroy(&p);
}

/* ---- known figures ------------------------------------------------------- */

/* On independent bits of log-odds a the unadjusted law is p01 / (p01 + p10),
 * p01 = s(balance a - 1/(2 step)), p10 = s(-balance a - 1/(2 step)). */
static void dula_has_its_closed_bias(void **state)
{
    (void)state;
    points p = points_create(&small_bits);
    double P[64], law[8], last = 0;
    const double steps[] = {0.2, 0.5, 2, 100};
    for (size_t k = 0; k < 4; k++) {
        double half = 1 / (2 * steps[k]), off = 0;
        langevin(&p, steps[k], 0.5, P);
        stationary(P, p.n, law);
        for (size_t i = 0; i < 3; i++) {
            double up = 1 / (1 + exp(half - small_odds[i] / 2)), on = 0;
            double down = 1 / (1 + exp(half + small_odds[i] / 2));
            for (size_t s = 0; s < p.n; s++)
                on += p.x[s * 3 + i] * law[s];
            assert_near(on, up / (up + down), 1e-9, 0);
            off += fabs(on - 1 / (1 + exp(-small_odds[i])));
        }
        assert_true(off > last); /* the bias grows with the step */
        last = off;
    }
    points_destroy(&p);
}

/* Exact figures by enumeration in double precision, by an independent program
 * (16 states, eight-digit masses): total variation of the unadjusted law,
 * acceptance and probability to move of the adjusted one. */
static void four_bits_have_the_known_figures(void **state)
{
    (void)state;
    static const double want[][4] = {{0.1, 0.00335, 0.999842, 0.02349},
                                     {0.2, 0.03835, 0.982418, 0.22315},
                                     {0.5, 0.12691, 0.851709, 0.50190},
                                     {1, 0.16053, 0.767284, 0.55824},
                                     {5, 0.18018, 0.702015, 0.58029}};
    points p = points_create(&small_masses);
    double q[256], P[256], law[16];
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        double tv = 0, accept = 0, move = 0;
        langevin(&p, want[k][0], 0.5, q);
        stationary(q, 16, law);
        metropolis(&p, q, P);
        for (size_t a = 0; a < 16; a++) {
            tv += 0.5 * fabs(law[a] - p.pi[a]);
            accept += p.pi[a] * q[a * 16 + a];
            move += p.pi[a] * (1 - P[a * 16 + a]);
        }
        assert_near(tv, want[k][1], 0, 6e-6);
        assert_near(accept + move, want[k][2], 0, 6e-7);
        assert_near(move, want[k][3], 0, 6e-6);
    }
    points_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_discrete_kernel_has_a_setting),
        cmocka_unit_test(matrices_have_the_target),
        cmocka_unit_test(matrices_find_faults),
        cmocka_unit_test(systematic_scan_is_not_reversible),
        cmocka_unit_test(steps_have_the_frequencies),
        cmocka_unit_test(frequencies_find_faults),
        cmocka_unit_test(records_are_true),
        cmocka_unit_test(records_find_faults),
        cmocka_unit_test(proposals_follow_log_q),
        cmocka_unit_test(proposals_find_faults),
        cmocka_unit_test(dula_has_its_closed_bias),
        cmocka_unit_test(four_bits_have_the_known_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
