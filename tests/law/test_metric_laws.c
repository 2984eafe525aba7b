/* Tests kernels with a metric S = L L'. Such a kernel makes the same moves as
 * the kernel without a metric on the target of z, where x = L z. Leapfrogs with
 * a metric are reversible and preserve volume. A kernel with a metric passes
 * all tests of the law book (support/laws.h), both by itself and as the kernel
 * of an arm in a run. A kernel that omits the metric somewhere is detected. */
#include "base/memory.h"
#include "kernel/metric_lanes.h"
#include "run/run.h"
#include "support/leapfrog.h"
#include "support/metrics.h"
#include "support/small_make.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <string.h>

/* ---- targets ------------------------------------------------------------- */

extern const cs_target_type small_ridge, small_turned;

/* Returns log p of two normal coordinates with sds 1 and 0.4 and correlation
 * 0.9, and of an independent third coordinate. */
static double ridge(const double *x, double *g)
{
    double a = x[0], b = x[1] / 0.4, c = 1 / (1 - 0.81);
    g[0] = -c * (a - 0.9 * b);
    g[1] = -c * (b - 0.9 * a) / 0.4;
    g[2] = -x[2] / 4;
    return -0.5 * c * (a * a - 1.8 * a * b + b * b) - x[2] * x[2] / 8;
}

static void draw_ridge(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    x[0] = gsl_cdf_ugaussian_Pinv(uniform[0]);
    x[1] = 0.4 * (0.9 * x[0] + sqrt(0.19) * gsl_cdf_ugaussian_Pinv(uniform[1]));
    x[2] = 2 * gsl_cdf_ugaussian_Pinv(uniform[2]);
}

/* A target for z: x = L z has the law of the wells. `around` is the metric L
 * L'. */
static const cs_metric *around;
static const points *wells;

static double at_factor(size_t i, size_t j)
{
    if (around->kind == CS_METRIC_DENSE)
        return around->lower[i * around->stride + j];
    return i == j ? around->sd[i] : 0;
}

static double turned(const double *z, double *g)
{
    double x[SMALL_DIM] = {0}, slope[SMALL_DIM], logp;
    size_t n = around->dim;
    for (size_t i = 0; i < n; i++) {
        x[i] = 0;
        for (size_t j = 0; j <= i; j++)
            x[i] += at_factor(i, j) * z[j];
    }
    logp = small_log_density(wells, x, slope);
    for (size_t j = 0; j < n; j++) {
        g[j] = 0;
        for (size_t i = j; i < n; i++)
            g[j] += at_factor(i, j) * slope[i];
    }
    return logp;
}

SMALL_STEERED(ridge, CS_CONTINUOUS, 3, 0, 0, NULL, draw_ridge, 3);
SMALL(turned, CS_CONTINUOUS, 3, 0, 0);

/* ---- equivalence in z ---------------------------------------------------- */

typedef struct pair {
    points wells;
    cs_metric *metric;
    setting with, without;
    cs_target *z;
    cs_block *a, *b; /* a: x, with the metric; b: z, with none */
} pair;

static pair pair_of(const setting *s, cs_metric_kind kind)
{
    pair p = {.wells = points_create(&small_wells),
              .metric = metric_of(kind, 3, false),
              .with = *s,
              .without = *s,
              .z = small(&small_turned)};
    p.with.metric = around = p.metric;
    return p;
}

static void open_pair(pair *p)
{
    static const double zero[3];
    wells = &p->wells;
    p->a = open_block(&p->with, p->wells.target, 5, 11, zero);
    p->b = open_block(&p->without, p->z, 5, 11, zero);
}

static void close_pair(pair *p)
{
    cs_block_destroy(p->a);
    cs_block_destroy(p->b);
    points_destroy(&p->wells);
    cs_metric_let_go(p->metric);
    cs_target_release(p->z);
}

/* Transforms states of x to z, or of z to x. */
static void turn(const cs_metric *m, const cs_block *b, bool to_z,
                 const double *from, double *to)
{
    cs_span s = {.by = b->lanes, .end = b->move.dim * b->lanes};
    multiply(m, to_z ? SOLVE : FACTOR, s, from, to);
}

static double apart(const double *a, const double *b, const cs_block *of)
{
    double most = 0;
    for (size_t d = 0; d < of->move.dim; d++)
        for (size_t l = 0; l < of->live; l++) {
            double x = a[d * of->lanes + l], y = b[d * of->lanes + l];
            most = fmax(most, fabs(x - y) / (1 + fabs(y)));
        }
    return most;
}

/* Returns the maximum difference between the steps of a and b from the same
 * states with the same random numbers. */
static double max_apart(pair *p, size_t steps)
{
    static _Alignas(CS_ALIGN) double x[3 * LAW_CHAINS];
    double most = 0;
    for (size_t k = 0; k < steps; k++) {
        const cs_info *i = &p->a->move.info, *j = &p->b->move.info;
        turn(p->metric, p->a, true, p->a->move.x, p->b->move.x);
        cs_block_refresh(p->b);
        run_on(p->a, 1);
        run_on(p->b, 1);
        turn(p->metric, p->a, false, p->b->move.x, x);
        most = fmax(most, apart(p->a->move.x, x, p->a));
        turn(p->metric, p->a, false, j->proposal, x);
        most = fmax(most, apart(i->proposal, x, p->a));
        for (size_t l = 0; l < p->a->live; l++)
            if (fabs(j->log_ratio[l]) < 20)
                most = fmax(most, fabs(i->log_ratio[l] - j->log_ratio[l]));
    }
    return most;
}

static void is_itself_of_z(const setting *s, cs_target *t)
{
    (void)t;
    const cs_kernel_type *type = s->kernel.type;
    int gradient =
        cs_param_find(type->params, type->n_params, "gradient_precision");
    if (gradient >= 0 && s->kernel.values[gradient] == CS_GRADIENT_FLOAT)
        return; /* not compared: only the target of x has a force */
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        pair p = pair_of(s, (cs_metric_kind)kind);
        open_pair(&p);
        double most = max_apart(&p, 40);
        if (!(most < 1e-8))
            fail_msg("%s (%g, %g), %s: off by %g", s->kernel.type->name,
                     s->kernel.values[0], s->kernel.values[1],
                     cs_metric_names[kind], most);
        close_pair(&p);
    }
}

static void kernels_are_themselves_of_z(void **state)
{
    cs_target *t = small(&small_wells);
    (void)state;
    assert_true(for_all(is_itself_of_z, t, false) >= 12);
    setting s;
    /* If the metric is not the metric of the target of z, the moves differ. */
    assert_true(law_setting(cs_kernel_find("mala"), 0, &s));
    pair p = pair_of(&s, CS_METRIC_DENSE);
    open_pair(&p);
    cs_metric *other = metric_of(CS_METRIC_DIAGONAL, 3, false);
    cs_block_set_metric(p.a, other);
    assert_true(max_apart(&p, 40) > 1e-3);
    cs_metric_let_go(other);
    close_pair(&p);
    cs_target_release(t);
}

/* ---- leapfrogs with a metric --------------------------------------------- */

/* The trajectory in z, along which hmc with a metric moves, is reversible. */
static void leapfrogs_come_back(void **state)
{
    static const double q[3] = {0.3, -0.2, 0.5}, v[3] = {0.7, -1.1, 0.4};
    setting s;
    (void)state;
    assert_true(law_setting(cs_kernel_find("hmc"), 0, &s));
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        pair p = pair_of(&s, (cs_metric_kind)kind);
        open_pair(&p);
        cs_block *b = open_block(&p.without, p.z, 9, 8, q);
        for (int n = 1; n <= 9; n += 4) {
            assert_near(leapfrog_astray(b, 0.2, n, KICK_EXACT, q, v), 0, 0,
                        1e-12);
            assert_near(leapfrog_volume(b, 0.2, n, KICK_EXACT, q, v), 0, 0,
                        1e-6);
        }
        cs_block_destroy(b);
        close_pair(&p);
    }
}

/* Returns the mean |energy error| of the first trajectory, whose time is 1. */
static double energy_error(double step, const cs_metric *metric)
{
    static const double start[3] = {0.3, -0.2, 0.5};
    setting s = {
        .kernel = {.type = cs_kernel_find("hmc"), .values = {step, 1 / step}},
        .metric = metric};
    cs_target *t = small(&small_wells);
    cs_block *b = open_block(&s, t, 9, LAW_CHAINS, start);
    double sum = 0;
    run_on(b, 1);
    for (size_t l = 0; l < LAW_CHAINS; l++)
        sum += fabs(b->move.info.log_ratio[l]);
    cs_block_destroy(b);
    cs_target_release(t);
    return sum;
}

static void energy_error_is_of_second_order(void **state)
{
    (void)state;
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        cs_metric *m = metric_of((cs_metric_kind)kind, 3, false);
        double ratio = energy_error(1.0 / 64, m) / energy_error(1.0 / 128, m);
        assert_near(log2(ratio), 2, 0, 0.05);
        cs_metric_let_go(m);
    }
}

/* ---- the law book -------------------------------------------------------- */

static const char *const laws[] = {"again", "record", "stationarity",
                                   "balance"};

static const double middle[3] = {0.6, -0.4, 0.8}; /* centre of a metric */

static void is_lawful(const setting *s, cs_target *t)
{
    points p = points_create(t->type);
    for (int kind = CS_METRIC_DIAGONAL; kind < CS_METRICS; kind++) {
        setting with = *s;
        cs_metric *m = metric_of((cs_metric_kind)kind, t->space.dim, false);
        assert_int_equal(cs_metric_set_centre(m, middle, NULL), CS_OK);
        with.metric = m;
        for (size_t k = 0; k < 4; k++) {
            law_result r = law_check(laws[k], &with, &p);
            if (!r.holds)
                fail_msg("%s (%g, %g, %g) on %s with a %s metric violates the "
                         "law: %s %s",
                         s->kernel.type->name, s->kernel.values[0],
                         s->kernel.values[1], s->kernel.values[2],
                         t->type->name, cs_metric_names[kind], laws[k], r.text);
        }
        cs_metric_let_go(m);
    }
    points_destroy(&p);
}

static void kernels_with_a_metric_are_lawful(void **state)
{
    const cs_target_type *const on[] = {&small_ridge, &small_wells};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cs_target *t = small(on[i]);
        assert_true(for_all(is_lawful, t, true) >= 12);
        cs_target_release(t);
    }
}

/* ---- the same in a run, as in `chainscope check` ------------------------- */

typedef struct found {
    size_t holds, broken;
} found;

static void note(void *to, const cs_finding *f)
{
    found *n = to;
    n->holds += f->arm && f->verdict == CS_HOLDS;
    n->broken += f->verdict == CS_BROKEN;
}

static found check_run(const cs_kernel_type *type, double step, const char *law)
{
    setting s;
    found n = {0};
    cs_metric *m = metric_of(CS_METRIC_DENSE, 3, false);
    cs_target *t = small(&small_ridge);
    assert_true(law_setting(cs_kernel_find(type->name), 1, &s));
    s.kernel.type = type;
    s.kernel.values[0] = step;
    assert_int_equal(cs_metric_set_centre(m, middle, NULL), CS_OK);
    s.metric = m;
    cs_run *r = run_of(&s, t, 1, 8);
    cs_check c = {
        .say = note, .to = &n, .seconds = 60, .law = law, .draws = 8000};
    assert_int_equal(cs_check_run(r, &c, NULL), CS_OK);
    cs_run_destroy(r);
    cs_target_release(t);
    cs_metric_let_go(m);
    return n;
}

/* ---- faults -------------------------------------------------------------- */

static const cs_kernel_type *inner;

static void log_q_without(cs_move *m, const double *from, const double *to,
                          double *out)
{
    const cs_metric *metric = m->metric;
    m->metric = NULL;
    inner->log_q(m, from, to, out);
    m->metric = metric;
}

/* Decides again, with other log ratios, whether the move is accepted. */
static void decide_again(cs_move *m, const double *before, const double *ratio)
{
    for (size_t l = 0; l < m->lanes; l++)
        for (size_t at = l; at < m->dim * m->lanes; at += m->lanes)
            m->x[at] = m->info.log_uniform[l] < ratio[l] ? m->info.proposal[at]
                                                         : before[at];
    cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
    inner->init(m);
}

/* Makes a step that is accepted or rejected with a wrong log q of the reverse
 * move. */
static void step_with_back(cs_move *m,
                           void (*back)(cs_move *m, const double *from,
                                        const double *to, double *out))
{
    static _Alignas(CS_ALIGN) double before[3 * LAW_CHAINS], y[3 * LAW_CHAINS];
    _Alignas(CS_ALIGN) double there[LAW_CHAINS], q[LAW_CHAINS];
    memcpy(before, m->x, m->dim * m->lanes * sizeof *before);
    inner->step(m);
    memcpy(y, m->info.proposal, m->dim * m->lanes * sizeof *y);
    inner->log_q(m, before, y, there);
    back(m, y, before, q);
    m->info.proposal = y;
    for (size_t l = 0; l < m->lanes; l++)
        q[l] += m->info.logp_change[l] - there[l];
    decide_again(m, before, q);
}

static void forgets_the_metric_back(cs_move *m)
{
    step_with_back(m, log_q_without);
}

static void log_q_about_zero(cs_move *m, const double *from, const double *to,
                             double *out)
{
    const cs_metric *metric = m->metric;
    cs_metric bare = *metric;
    bare.centre = NULL;
    m->metric = &bare;
    inner->log_q(m, from, to, out);
    m->metric = metric;
}

static void forgets_the_centre_back(cs_move *m)
{
    step_with_back(m, log_q_about_zero);
}

/* Fault: Barker's skew is computed in x instead of z = L^-1 x. Computes the
 * kernel's log q in z, subtracts the skew in z, and adds the skew in x. */
static void skew_of_x(cs_move *m, const double *from, const double *to,
                      double *out)
{
    static _Alignas(CS_ALIGN) double g[3 * LAW_CHAINS], slope[3 * LAW_CHAINS];
    static _Alignas(CS_ALIGN) double z[3 * LAW_CHAINS], x[3 * LAW_CHAINS];
    _Alignas(CS_ALIGN) double logp[LAW_CHAINS];
    cs_span s = {.by = m->lanes, .end = m->dim * m->lanes};
    inner->log_q(m, from, to, out);
    cs_eval_gradient(m->eval, CS_NEXT, from, logp, g);
    cs_metric_product_transposed(m->metric, s, g, slope);
    for (size_t at = 0; at < s.end; at++)
        z[at] = x[at] = from[at] - to[at];
    cs_metric_solve(m->metric, s, z);
    for (size_t at = 0; at < s.end; at++) {
        double is = z[at] * slope[at], says = x[at] * slope[at];
        out[at % m->lanes] += fmax(is, 0) + log1p(exp(-fabs(is)));
        out[at % m->lanes] -= fmax(says, 0) + log1p(exp(-fabs(says)));
    }
}

static void skews_by_x(cs_move *m)
{
    static _Alignas(CS_ALIGN) double before[3 * LAW_CHAINS], y[3 * LAW_CHAINS];
    _Alignas(CS_ALIGN) double there[LAW_CHAINS], q[LAW_CHAINS];
    memcpy(before, m->x, m->dim * m->lanes * sizeof *before);
    inner->step(m);
    memcpy(y, m->info.proposal, m->dim * m->lanes * sizeof *y);
    skew_of_x(m, before, y, there);
    skew_of_x(m, y, before, q);
    m->info.proposal = y;
    for (size_t l = 0; l < m->lanes; l++)
        q[l] += m->info.logp_change[l] - there[l];
    decide_again(m, before, q);
}

/* Fault: the density of the momenta has covariance S^-1 at the start of a
 * trajectory, and I at the end. */
static void weighs_momenta_unlike(cs_move *m)
{
    static _Alignas(CS_ALIGN) double before[3 * LAW_CHAINS];
    static _Alignas(CS_ALIGN) double p[3 * LAW_CHAINS], v[3 * LAW_CHAINS];
    _Alignas(CS_ALIGN) double ratio[LAW_CHAINS];
    cs_span s = {.by = m->lanes, .end = m->dim * m->lanes};
    memcpy(before, m->x, m->dim * m->lanes * sizeof *before);
    inner->step(m);
    cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, p);
    cs_metric_product(m->metric, s, p, v);
    for (size_t l = 0; l < m->lanes; l++)
        ratio[l] = m->info.logp_change[l] + m->info.log_q_back[l];
    for (size_t at = 0; at < s.end; at++)
        ratio[at % m->lanes] += 0.5 * v[at] * v[at];
    decide_again(m, before, ratio);
}

/* Step sizes with which most acceptance probabilities are strictly between 0
 * and 1. */
static const struct fault {
    const char *law, *kernel;
    double step;
    cs_kernel_type with;
} faults[] = {
    {"record", "mala", 0.6, {.log_q = log_q_without}},
    {"record", "barker", 0.6, {.log_q = log_q_without}},
    {"record", "mala", 0.6, {.step = forgets_the_metric_back}},
    {"stationarity", "mala", 1, {.step = forgets_the_metric_back}},
    {"balance", "mala", 1, {.step = forgets_the_metric_back}},
    {"stationarity", "barker", 0.6, {.step = skews_by_x}},
    {"balance", "barker", 0.6, {.step = skews_by_x}},
    {"record", "independence", 0.3, {.log_q = log_q_without}},
    {"record", "independence", 0.3, {.log_q = log_q_about_zero}},
    {"record", "independence", 0.3, {.step = forgets_the_centre_back}},
    {"stationarity", "independence", 0.3, {.step = forgets_the_centre_back}},
    {"balance", "independence", 0.3, {.step = forgets_the_centre_back}},
    {"stationarity", "hmc", 0.3, {.step = weighs_momenta_unlike}},
};

/* Returns the registered kernel, in which the functions of the fault that are
 * not NULL replace the original ones. */
static cs_kernel_type spoiled(const struct fault *f)
{
    inner = cs_kernel_find(f->kernel);
    cs_kernel_type type = *inner;
    type.step = f->with.step ? f->with.step : type.step;
    type.log_q = f->with.log_q ? f->with.log_q : type.log_q;
    return type;
}

static void faults_are_caught(void **state)
{
    points p = points_create(&small_wells);
    cs_metric *m = metric_of(CS_METRIC_DENSE, 3, false);
    (void)state;
    assert_int_equal(cs_metric_set_centre(m, middle, NULL), CS_OK);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        setting s;
        cs_kernel_type type = spoiled(&faults[i]);
        assert_true(law_setting(inner, 1, &s));
        s.kernel.type = &type;
        s.kernel.values[0] = faults[i].step;
        s.metric = m;
        law_result r = law_check(faults[i].law, &s, &p);
        if (r.holds || !r.tried)
            fail_msg("fault %zu of %s is not detected by the law: %s", i,
                     faults[i].kernel, faults[i].law);
    }
    cs_metric_let_go(m);
    points_destroy(&p);
}

/* In a run, the laws are tried with the metric that the arm has. */
static void runs_are_checked_with_their_metric(void **state)
{
    static const char *const names[] = {
        "random_walk", "metropolis_within_gibbs",
        "mala",        "barker",
        "hmc",         "nuts",
        "independence"};
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        found n = check_run(cs_kernel_find(names[i]), 0.3, NULL);
        if (n.broken || n.holds < 3)
            fail_msg("%s: %zu laws violated, %zu hold", names[i], n.broken,
                     n.holds);
    }
    cs_kernel_type type = spoiled(&faults[0]);
    assert_true(check_run(&type, 0.6, "record").broken > 0);
    type = spoiled(&faults[3]);
    assert_true(check_run(&type, 0.3, "stationarity").broken > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kernels_are_themselves_of_z),
    cmocka_unit_test(leapfrogs_come_back),
    cmocka_unit_test(energy_error_is_of_second_order),
    cmocka_unit_test(kernels_with_a_metric_are_lawful),
    cmocka_unit_test(runs_are_checked_with_their_metric),
    cmocka_unit_test(faults_are_caught),
};
TESTS(test_metric_laws)
