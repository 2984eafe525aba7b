/* Tests restricted Boltzmann machines small enough to enumerate. A machine with
 * 12 visible and 6 hidden units is compared with results of another program:
 * its distribution, and the mean effects of a step of gwg, gibbs and dmala. For
 * a machine with 4 visible and 3 hidden units, the transition matrices of
 * kernels that use a force are computed from the formula. */
#include "base/memory.h"
#include "support/laws.h"
#include "support/support.h"
#include "target/enumeration.h"
#include "targets/network/rbm.h"

#include <math.h>
#include <string.h>

enum { VISIBLE = 12, HIDDEN = 6, STATES = 1 << VISIBLE };

/* W_ji = sin(0.7 (j + 1)(i + 1)), c_j = 0.1 (j - 2.5), b_i = 0.2 cos i. */
static double weight(size_t j, size_t i)
{
    return sin(0.7 * (double)((j + 1) * (i + 1)));
}

static double hidden_bias(size_t j)
{
    return 0.1 * ((double)j - 2.5);
}

/* Returns the weight as stored by the machine: a multiple of 2^-30, since the
 * largest weight is 1. */
static double held(double v)
{
    return ldexp(rint(ldexp(v, 30)), -30);
}

static double visible_bias(size_t i)
{
    return 0.2 * cos((double)i);
}

static cs_target *make(const cs_value *given, size_t n)
{
    cs_target *t = NULL;
    cs_error err = {0};
    if (cs_target_create(cs_target_find("rbm"), given, n, &t, &err) != CS_OK)
        fail_msg("%s", err.what);
    return t;
}

static cs_target *known_machine(void)
{
    double rows[HIDDEN + 1][VISIBLE + 1] = {{0}};
    for (size_t i = 0; i < VISIBLE; i++)
        rows[0][i + 1] = visible_bias(i);
    for (size_t j = 0; j < HIDDEN; j++) {
        rows[j + 1][0] = hidden_bias(j);
        for (size_t i = 0; i < VISIBLE; i++)
            rows[j + 1][i + 1] = weight(j, i);
    }
    const cs_value given = {.name = "weights",
                            .kind = CS_PARAM_ARRAY,
                            .array = rows[0],
                            .rows = HIDDEN + 1,
                            .cols = VISIBLE + 1};
    return make(&given, 1);
}

/* All states, one per lane, and their probabilities. x[VISIBLE][STATES]:
 * coordinate i of state s is the bit 2^(VISIBLE - 1 - i) of s. */
typedef struct all {
    cs_target *t;
    cs_eval e;
    double *x, *logp, *g, *d, *pi, *cache, *scratch;
} all;

static all go_through(void)
{
    all a = {.t = known_machine()};
    a.x = cs_alloc(VISIBLE * STATES, sizeof(double));
    a.g = cs_alloc(VISIBLE * STATES, sizeof(double));
    a.d = cs_alloc(VISIBLE * STATES, sizeof(double));
    a.logp = cs_alloc(STATES, sizeof(double));
    a.pi = cs_alloc(STATES, sizeof(double));
    a.cache = cs_alloc(cs_eval_cache_words(a.t) * STATES, sizeof(double));
    a.scratch = cs_alloc(cs_eval_scratch_words(a.t) * STATES, sizeof(double));
    cs_eval_open(&a.e, a.t, STATES, STATES, a.cache, a.scratch);
    for (size_t s = 0; s < STATES; s++)
        for (size_t i = 0; i < VISIBLE; i++)
            a.x[i * STATES + s] = (double)(s >> (VISIBLE - 1 - i) & 1);
    cs_eval_gradient(&a.e, CS_NOW, a.x, a.logp, a.g);
    cs_eval_neighbours(&a.e, CS_NOW, a.x, a.logp, a.d);
    for (size_t s = 0; s < STATES; s++)
        a.pi[s] = exp(a.logp[s] - a.t->exact.log_z);
    return a;
}

static void leave(all *a)
{
    cs_target_release(a->t);
    double *const parts[] = {a->x,  a->g,     a->d,      a->logp,
                             a->pi, a->cache, a->scratch};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        cs_free(parts[k]);
}

static size_t flipped(size_t s, size_t i)
{
    return s ^ (size_t)1 << (VISIBLE - 1 - i);
}

/* ---- the law ------------------------------------------------------------- */

static void the_law_has_the_known_figures(void **state)
{
    static const double mean[VISIBLE] = {
        0.760905, 0.721502, 0.542050, 0.389523, 0.540917, 0.457322,
        0.332388, 0.280048, 0.541137, 0.677717, 0.672332, 0.564669};
    (void)state;
    all a = go_through();
    double z = 0, first = 0, second = 0, on[VISIBLE] = {0};
    size_t top = 0;
    for (size_t s = 0; s < STATES; s++) {
        z += exp(a.logp[s]);
        first += a.pi[s] * a.logp[s];
        second += a.pi[s] * a.logp[s] * a.logp[s];
        top = a.logp[s] > a.logp[top] ? s : top;
        for (size_t i = 0; i < VISIBLE; i++)
            on[i] += a.pi[s] * a.x[i * STATES + s];
    }
    /* The other program does not round weights. */
    assert_near(log(z), 15.0387162192, 0, 5e-9);
    assert_near(a.t->exact.log_z, log(z), 0, 1e-13);
    assert_near(first, 7.4432237356, 0, 5e-9);
    assert_near(sqrt(second - first * first), 1.14248297, 0, 5e-9);
    assert_near(a.logp[top], 10.00263448, 0, 5e-9);
    assert_int_equal(top, 0xe8f); /* 111010001111 */
    for (size_t i = 0; i < VISIBLE; i++) {
        assert_near(on[i], mean[i], 0, 5e-7);
        assert_near(a.t->exact.mean[i], on[i], 0, 1e-13);
    }
    leave(&a);
}

/* Computes log p(v) = sum_j log(1 + exp p_j) + b'v and its derivatives
 * dlogp/dv_i = b_i + sum_j W_ji s(p_j), where s is the logistic function. */
static double by_formula(const double *x, size_t s, double *slope)
{
    double logp = 0;
    for (size_t i = 0; i < VISIBLE; i++) {
        slope[i] = visible_bias(i);
        logp += slope[i] * x[i * STATES + s];
    }
    for (size_t j = 0; j < HIDDEN; j++) {
        double p = held(hidden_bias(j));
        for (size_t i = 0; i < VISIBLE; i++)
            p += held(weight(j, i)) * x[i * STATES + s];
        logp += log1p(exp(p));
        for (size_t i = 0; i < VISIBLE; i++)
            slope[i] += held(weight(j, i)) / (1 + exp(-p));
    }
    return logp;
}

static void every_state_is_as_the_formula_says(void **state)
{
    (void)state;
    all a = go_through();
    for (size_t s = 0; s < STATES; s++) {
        double slope[VISIBLE];
        assert_near(a.logp[s], by_formula(a.x, s, slope), 1e-13, 0);
        for (size_t i = 0; i < VISIBLE; i++) {
            double there = a.logp[flipped(s, i)];
            assert_near(a.g[i * STATES + s], slope[i], 1e-12, 1e-13);
            assert_near(a.d[i * STATES + s], there - a.logp[s], 0, 1e-12);
        }
    }
    leave(&a);
}

/* ---- mean effects of a step ---------------------------------------------- */

/* Creates a block with a lane for each state, to evaluate log_q. */
static cs_block *block_of(const all *a, const char *kernel, const double *value)
{
    static cs_kernel k; /* used by one block at a time */
    cs_block *b = NULL;
    k.type = cs_kernel_find(kernel);
    memcpy(k.values, value, sizeof k.values);
    assert_int_equal(cs_block_create(&b, a->t, &k, 1, 0, STATES, NULL, 0, NULL),
                     CS_OK);
    assert_int_equal(cs_block_start(b, NULL, NULL), CS_OK);
    double *param = b->param;
    for (size_t r = 0; r < k.type->n_params; r++)
        for (size_t l = 0; l < STATES; l++)
            param[r * STATES + l] = value[r];
    return b;
}

typedef struct average {
    /* Acceptance probability; mean number of flips proposed; mean number of
     * flips made. */
    double accepted, proposed, moved;
} average;

/* Computes means over the proposals that flip the bits of `mask`, and adds the
 * means to `sum`. Uses the exact distribution and the kernel's log_q. Both
 * directions of a move have the same mask. */
static void add_mask(const all *a, cs_block *b, size_t mask, double *y,
                     double *log_q, average *sum)
{
    double flips = __builtin_popcount((unsigned)mask);
    for (size_t i = 0; i < VISIBLE; i++)
        for (size_t s = 0; s < STATES; s++)
            y[i * STATES + s] = a->x[i * STATES + (s ^ mask)];
    b->kernel->type->log_q(&b->move, a->x, y, log_q);
    for (size_t s = 0; s < STATES; s++) {
        double there = a->pi[s] * exp(log_q[s]);
        double back = a->pi[s ^ mask] * exp(log_q[s ^ mask]);
        sum->accepted += fmin(there, back);
        sum->proposed += flips * there;
        sum->moved += flips * fmin(there, back);
    }
}

static average average_of(const all *a, const char *kernel, const double *value,
                          bool one_flip)
{
    average sum = {0};
    cs_block *b = block_of(a, kernel, value);
    double *y = cs_alloc((VISIBLE + 1) * STATES, sizeof(double));
    for (size_t mask = 0; mask < STATES; mask++)
        if (!one_flip || __builtin_popcount((unsigned)mask) == 1)
            add_mask(a, b, mask, y, y + VISIBLE * STATES, &sum);
    cs_free(y);
    cs_block_destroy(b);
    return sum;
}

static void single_flips_have_the_known_figures(void **state)
{
    const double estimate[CS_KERNEL_PARAMS] = {0, 1, 1},
                 exact[CS_KERNEL_PARAMS] = {0, 1};
    (void)state;
    all a = go_through();
    double flip = 0;
    average gwg = average_of(&a, "gwg", estimate, true);
    average balanced = average_of(&a, "locally_balanced", exact, true);
    assert_near(gwg.proposed, 1, 0, 1e-12);
    assert_near(gwg.accepted, 0.96330032, 0, 6e-9);
    assert_near(balanced.accepted, 0.96028443, 0, 6e-9);
    for (size_t k = 0; k < VISIBLE * STATES; k++)
        flip += a.pi[k % STATES] / (1 + exp(-a.d[k])) / VISIBLE;
    assert_near(flip, 0.43307779, 0, 6e-9); /* expected number for gibbs */
    leave(&a);
}

/* Returns the mean over `steps` real steps from exact draws. */
static average simulated(const all *a, const double *value, size_t steps)
{
    enum { LIVE = 2048 };
    static double x[LIVE][VISIBLE];
    const double *start[LIVE];
    average sum = {0};
    cs_kernel k = {.type = cs_kernel_find("dmala")};
    cs_block *b = NULL;
    memcpy(k.values, value, sizeof k.values);
    assert_true(cs_enumeration_draws(a->t, LIVE, &x[0][0]));
    for (size_t l = 0; l < LIVE; l++)
        start[l] = x[l];
    cs_block_create(&b, a->t, &k, 5, 0, LIVE, NULL, 0, NULL);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    for (size_t step = 0; step < steps; step++) {
        double before[VISIBLE * LIVE];
        memcpy(before, b->move.x, sizeof before);
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        for (size_t l = 0; l < LIVE; l++) {
            double flips = 0, weight = 1.0 / ((double)steps * LIVE);
            for (size_t i = 0; i < VISIBLE; i++)
                flips += b->move.info.proposal[i * b->lanes + l] !=
                         before[i * b->lanes + l];
            sum.accepted += weight * b->move.info.accepted[l];
            sum.proposed += weight * flips;
            sum.moved += weight * flips * b->move.info.accepted[l];
        }
    }
    cs_block_destroy(b);
    return sum;
}

/* Step size, balance, and the expected mean effects of one step. */
static const struct {
    double step, balance;
    average known;
} langevin_steps[] = {
    {0.2, 0.5, {0.981262, 0.746500, 0.716566}},
    {5, 0.95, {0.853114, 4.355392, 3.661966}},
    {0.5, 0.7, {0.944027, 2.552661, 2.375949}},
    {0.1, 1, {0.982205, 0.062031, 0.043567}},
};

static void langevin_steps_have_the_known_figures(void **state)
{
    (void)state;
    all a = go_through();
    for (size_t k = 0; k < 4; k++) {
        const double value[CS_KERNEL_PARAMS] = {langevin_steps[k].step,
                                                langevin_steps[k].balance};
        const average *want = &langevin_steps[k].known;
        average got = simulated(&a, value, 100);
        assert_near(got.accepted, want->accepted, 0, 0.004);
        assert_near(got.proposed, want->proposed, 0, 0.025);
        assert_near(got.moved, want->moved, 0, 0.025);
        if (k >= 2)
            continue;
        got = average_of(&a, "dmala", value, false);
        assert_near(got.accepted, want->accepted, 0, 6e-7);
        assert_near(got.proposed, want->proposed, 0, 6e-7);
        assert_near(got.moved, want->moved, 0, 6e-7);
    }
    leave(&a);
}

/* ---- the force ----------------------------------------------------------- */

enum { BITS = 4, UNITS = 3, SMALL_STATES = 16 };

/* Computes the force at x, which differs from the gradient only by negligible
 * rounding. */
static void force_at(const cs_rbm *m, const double *x, double *force)
{
    double active[UNITS];
    for (size_t j = 0; j < UNITS; j++) {
        double p = m->c[j];
        for (size_t i = 0; i < BITS; i++)
            p += m->w[j * BITS + i] * x[i];
        active[j] = 1 / (1 + exp(-p));
    }
    for (size_t i = 0; i < BITS; i++) {
        force[i] = m->b[i];
        for (size_t j = 0; j < UNITS; j++)
            force[i] += m->w[j * BITS + i] * active[j];
    }
}

static points small_machine(void)
{
    const cs_value size[3] = {
        {.name = "visible", .kind = CS_PARAM_INT, .number = BITS},
        {.name = "hidden", .kind = CS_PARAM_INT, .number = UNITS},
        {.name = "sd", .kind = CS_PARAM_REAL, .number = 2.5}};
    points p = {.target = make(size, 3), .n = SMALL_STATES, .dim = BITS};
    p.x = cs_alloc(p.n * p.dim, sizeof(double));
    p.force = cs_alloc(p.n * p.dim, sizeof(double));
    p.logp = cs_alloc(p.n, sizeof(double));
    p.pi = cs_alloc(p.n, sizeof(double));
    for (size_t s = 0; s < p.n; s++) {
        double *x = p.x + s * BITS;
        cs_space_state(&p.target->space, s, x);
        assert_true(cs_enumeration_evaluate(p.target, x, 1, &p.logp[s]));
        p.pi[s] = exp(p.logp[s] - p.target->exact.log_z);
        force_at(p.target->self, x, p.force + s * BITS);
    }
    return p;
}

static const struct {
    const char *kernel;
    double value[CS_KERNEL_PARAMS];
} steered[] = {
    {"gwg", {0, 1, 1, CS_GRADIENT_FLOAT}},
    {"gwg", {1, 1, 1, CS_GRADIENT_FLOAT}},
    {"dmala", {1, 0.5, 0, CS_GRADIENT_FLOAT}},
};

/* The transition matrix P satisfies pi P = pi to 1e-12. The frequencies and
 * records of real steps agree with the formula. */
static void a_force_leaves_the_law_alone(void **state)
{
    static const char *const laws[] = {"matrix", "frequencies", "proposals",
                                       "record"};
    (void)state;
    points p = small_machine();
    for (size_t k = 0; k < sizeof steered / sizeof *steered; k++) {
        setting s = {.kernel.type = cs_kernel_find(steered[k].kernel),
                     .formula = steered[k].kernel};
        memcpy(s.kernel.values, steered[k].value, sizeof s.kernel.values);
        for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
            if (!law_try(law_find(laws[i]), &s, &p).holds)
                fail_msg("%s (%g, %g) violates the law: %s", s.formula,
                         s.kernel.values[0], s.kernel.values[1], laws[i]);
    }
    points_destroy(&p);
}

/* A formula with a more coarsely rounded force also preserves the target, but
 * does not agree with the kernel's steps. */
static void a_wrong_force_is_found(void **state)
{
    (void)state;
    points p = small_machine();
    setting s = {.kernel.type = cs_kernel_find("gwg"),
                 .formula = "gwg",
                 .kernel.values = {0, 1, 1, CS_GRADIENT_FLOAT}};
    for (size_t k = 0; k < p.n * p.dim; k++)
        p.force[k] = floor(2 * p.force[k]) / 2;
    assert_true(law_try(law_find("matrix"), &s, &p).holds);
    assert_false(law_try(law_find("frequencies"), &s, &p).holds);
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_law_has_the_known_figures),
    cmocka_unit_test(every_state_is_as_the_formula_says),
    cmocka_unit_test(single_flips_have_the_known_figures),
    cmocka_unit_test(langevin_steps_have_the_known_figures),
    cmocka_unit_test(a_force_leaves_the_law_alone),
    cmocka_unit_test(a_wrong_force_is_found),
};
TESTS(test_machines)
