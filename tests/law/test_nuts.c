/* Compares the No-U-Turn sampler with a recursive implementation of its pseudo
 * code. Given the same random numbers, both have equal trees, draws and
 * statistics. A tree is the same from each of its points, and exact draws stay
 * exact. Waiting chains cost nothing, and an interrupted step leaves no
 * trace. */
#include "base/memory.h"
#include "run/run.h"
#include "run/views/view.h"
#include "support/by_name.h"
#include "support/laws.h"
#include "support/nuts_hand.h"
#include "support/small_make.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <stdatomic.h>
#include <string.h>

/* ---- targets ------------------------------------------------------------- */

extern const cs_target_type small_hill, small_funnel, small_bend;

/* Returns log p of a normal with sds 1 and 0.3 and correlation 0.8, and of an
 * independent coordinate with sd 2. */
static double hill(const double *x, double *g)
{
    double a = x[0], b = x[1] / 0.3, r = 0.8, c = 1 / (1 - r * r);
    g[0] = -c * (a - r * b);
    g[1] = -c * (b - r * a) / 0.3;
    g[2] = -x[2] / 4;
    return -0.5 * c * (a * a - 2 * r * a * b + b * b) - x[2] * x[2] / 8;
}

static void draw_hill(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    x[0] = gsl_cdf_ugaussian_Pinv(uniform[0]);
    x[1] = 0.3 * (0.8 * x[0] + 0.6 * gsl_cdf_ugaussian_Pinv(uniform[1]));
    x[2] = 2 * gsl_cdf_ugaussian_Pinv(uniform[2]);
}

/* Returns log p of Neal's funnel in three coordinates: x_0 ~ N(0, 1.5^2), and
 * x_1 and x_2 ~ N(0, exp(x_0)). */
static double funnel(const double *x, double *g)
{
    double wide = exp(-x[0]), squares = x[1] * x[1] + x[2] * x[2];
    g[0] = -x[0] / 2.25 + 0.5 * squares * wide - 1;
    g[1] = -x[1] * wide;
    g[2] = -x[2] * wide;
    return -x[0] * x[0] / 4.5 - 0.5 * squares * wide - x[0];
}

static void draw_funnel(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    x[0] = 1.5 * gsl_cdf_ugaussian_Pinv(uniform[0]);
    for (int i = 1; i < 3; i++)
        x[i] = exp(x[0] / 2) * gsl_cdf_ugaussian_Pinv(uniform[i]);
}

/* Returns log p of x_0 ~ N(0, 1), x_1 ~ N(x_0^2, 1/4), and a logistic x_2. */
static double bend(const double *x, double *g)
{
    double r = x[1] - x[0] * x[0], e = exp(-fabs(x[2]));
    g[0] = -x[0] + 8 * r * x[0];
    g[1] = -4 * r;
    g[2] = (x[2] > 0 ? -1 : 1) * (1 - e) / (1 + e);
    return -0.5 * x[0] * x[0] - 2 * r * r - fabs(x[2]) - 2 * log1p(e);
}

static void draw_bend(const cs_target *t, const double *uniform, double *x)
{
    (void)t;
    x[0] = gsl_cdf_ugaussian_Pinv(uniform[0]);
    x[1] = x[0] * x[0] + 0.5 * gsl_cdf_ugaussian_Pinv(uniform[1]);
    x[2] = log(uniform[2] / (1 - uniform[2]));
}

SMALL_STEERED(hill, CS_CONTINUOUS, 3, 0, 0, NULL, draw_hill, 3);
SMALL_STEERED(funnel, CS_CONTINUOUS, 3, 0, 0, NULL, draw_funnel, 3);
SMALL_STEERED(bend, CS_CONTINUOUS, 3, 0, 0, NULL, draw_bend, 3);

enum { DIM = 3, CHAINS = 11, LANES = 64 };

static const struct ground {
    const cs_target_type *type;
    double (*density)(const double *x, double *g);
    double step;
} grounds[] = {{&small_hill, hill, 0.25},
               {&small_funnel, funnel, 0.4},
               {&small_bend, bend, 0.3}};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

static const double variances[DIM] = {0.5, 2, 1.3};
static const double dense[DIM * DIM] = {1.2, 0.5,  -0.3, 0.5, 0.8,
                                        0.2, -0.3, 0.2,  1.7};

static cs_metric *metric_of(int kind)
{
    cs_metric *m;
    assert_int_equal(cs_metric_make(&m, (cs_metric_kind)kind, DIM,
                                    kind == CS_METRIC_DENSE ? dense : variances,
                                    NULL),
                     CS_OK);
    return m;
}

static setting nuts(double step, int max_depth, const cs_metric *metric)
{
    return (setting){
        .kernel = {.type = cs_kernel_find("nuts"), .values = {step, max_depth}},
        .formula = "nuts",
        .metric = metric};
}

/* ---- the same random numbers --------------------------------------------- */

typedef struct drawn {
    _Alignas(CS_ALIGN) double normal[HAND_DIM * LANES];
    _Alignas(CS_ALIGN) double side[HAND_DEPTH * LANES];
    _Alignas(CS_ALIGN) double log_half[HAND_DEPTH * LANES];
    _Alignas(CS_ALIGN) double log_leaf[HAND_LEAVES * LANES];
} drawn;

/* Fills in the random numbers of the current (or last) step. */
static void fill(const cs_streams *s, int max_depth, drawn *d)
{
    size_t n = (size_t)max_depth;
    cs_fill_normal(s, CS_FOR_PROPOSAL, DIM, d->normal);
    cs_fill_uniform(s, CS_FOR_LENGTH, n, d->side);
    cs_fill_log_uniform(s, CS_FOR_ACCEPT, n, d->log_half);
    cs_fill_log_uniform(s, CS_FOR_AUXILIARY, ((size_t)1 << n) - 1, d->log_leaf);
}

/* Copies one lane's numbers for a tree of this depth into contiguous arrays. */
static hand_numbers numbers_of(const drawn *d, int max_depth, size_t lanes,
                               size_t l)
{
    static _Thread_local double near[HAND_DIM + 2 * HAND_DEPTH + HAND_LEAVES];
    double *to = near;
    const double *from[] = {d->normal, d->side, d->log_half, d->log_leaf};
    const size_t deep = (size_t)max_depth;
    const size_t n[] = {DIM, deep, deep, ((size_t)1 << deep) - 1};
    const double *of[4];
    for (int k = 0; k < 4; k++) {
        of[k] = to;
        for (size_t i = 0; i < n[k]; i++)
            *to++ = from[k][i * lanes + l];
    }
    return (hand_numbers){of[0], of[1], of[2], of[3]};
}

static bool close_to(double got, double want)
{
    return fabs(got - want) <= 1e-7 * (1 + fabs(want));
}

/* Returns true if the state of lane l agrees with the tree. */
static bool agrees(const cs_block *b, size_t l, const hand_tree *t)
{
    const cs_info *i = &b->move.info;
    size_t n = b->lanes;
    bool good = i->stat[l] == t->depth && i->stat[n + l] == (double)t->leaves &&
                i->stat[2 * n + l] == t->divergent &&
                close_to(i->stat[3 * n + l], t->energy) &&
                close_to(i->accept_stat[l], t->accept) &&
                close_to(i->logp[l], t->draw.logp);
    for (size_t d = 0; d < DIM; d++)
        good &= close_to(b->move.x[d * n + l], t->draw.x[d]);
    return good;
}

/* Numbers of trees in a comparison, by kind of tree. */
typedef struct tally {
    size_t steps, wrong, divergent, turns, deep, at_limit, moved;
} tally;

static void compare(const hand_nuts *by, cs_block *b, size_t steps, tally *n)
{
    static drawn d;
    static hand_tree t;
    double x[LANES][DIM];
    for (size_t k = 0; k < steps; k++) {
        for (size_t l = 0; l < b->live; l++)
            cs_block_state(b, l, x[l]);
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        fill(&b->move.streams, by->max_depth, &d);
        for (size_t l = 0; l < b->live; l++) {
            hand_numbers numbers = numbers_of(&d, by->max_depth, b->lanes, l);
            nuts_by_hand(by, x[l], &numbers, &t);
            n->steps++;
            n->wrong += !agrees(b, l, &t);
            n->divergent += t.divergent;
            n->turns += t.turns;
            n->deep += t.depth > 3;
            n->at_limit += t.depth == by->max_depth;
            n->moved += memcmp(t.draw.x, x[l], sizeof x[l]) != 0;
        }
    }
}

static tally tally_of(const struct ground *g, int kind, int max_depth,
                      double longer, hand_fault fault, size_t live)
{
    static const double start[DIM] = {0.4, -0.3, 0.8};
    cs_metric *metric = metric_of(kind);
    setting s = nuts(g->step * longer, max_depth, metric);
    hand_nuts by = {.dim = DIM,
                    .density = g->density,
                    .metric = metric,
                    .step = s.kernel.values[0],
                    .max_depth = max_depth,
                    .fault = fault};
    cs_target *t = NULL;
    tally n = {0};
    assert_int_equal(cs_target_create(g->type, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(&s, t, 7, live, start);
    compare(&by, b, 40, &n);
    cs_block_destroy(b);
    cs_target_release(t);
    cs_metric_let_go(metric);
    return n;
}

static void trees_are_those_of_the_pseudo_code(void **state)
{
    tally all = {0};
    (void)state;
    for (size_t g = 0; g < GROUNDS; g++)
        for (int kind = CS_METRIC_UNIT; kind < CS_METRICS; kind++)
            for (int depth = 1; depth <= 7; depth += 2) {
                tally n = tally_of(&grounds[g], kind, depth,
                                   depth == 5 ? 0.2 : 1, HAND_RIGHT, CHAINS);
                if (n.wrong)
                    fail_msg("%zu of %zu trees differ on %s, metric %s, at "
                             "most %d doublings",
                             n.wrong, n.steps, grounds[g].type->name,
                             cs_metric_names[kind], depth);
                all.steps += n.steps;
                all.turns += n.turns;
                all.deep += n.deep;
                all.at_limit += n.at_limit;
                all.moved += n.moved;
            }
    assert_true(all.turns > 1000 && all.deep > 1000 && all.at_limit > 1000);
    /* In the other trees that ended by a turn, the trajectory turned within one
     * half of the tree. */
    assert_true(all.turns + all.at_limit < all.steps);
    assert_true(all.moved > all.steps / 2);
}

/* With large step sizes, trajectories diverge in the narrow part of the funnel.
 * With still larger step sizes, trajectories diverge everywhere. */
static void divergences_are_those_of_the_pseudo_code(void **state)
{
    (void)state;
    tally far = tally_of(&grounds[0], CS_METRIC_DENSE, 6, 8, HAND_RIGHT, 11);
    tally neck = tally_of(&grounds[1], CS_METRIC_UNIT, 6, 3, HAND_RIGHT, 11);
    assert_int_equal(far.wrong + neck.wrong, 0);
    assert_true(far.divergent > 100);
    assert_true(neck.divergent > 0 && neck.divergent < neck.steps / 2);
}

static void one_chain_and_three(void **state)
{
    (void)state;
    for (size_t live = 1; live <= 3; live += 2) {
        tally n =
            tally_of(&grounds[1], CS_METRIC_DENSE, 6, 1, HAND_RIGHT, live);
        assert_int_equal(n.wrong, 0);
    }
}

static void other_trees_are_told_apart(void **state)
{
    (void)state;
    for (int fault = HAND_RIGHT + 1; fault < HAND_FAULTS; fault++) {
        tally n = tally_of(&grounds[2], CS_METRIC_DENSE, 6, 0.5,
                           (hand_fault)fault, CHAINS);
        if (n.wrong == 0)
            fail_msg("fault %d makes the same trees", fault);
    }
}

/* ---- a tree is the same from each of its points -------------------------- */

static bool same_tree(const hand_tree *a, const hand_tree *b)
{
    bool good = a->depth == b->depth && a->turns == b->turns && a->n == b->n;
    for (size_t i = 0; good && i < a->n; i++)
        for (size_t d = 0; d < DIM; d++)
            good &= close_to(a->point[i].x[d], b->point[i].x[d]);
    return good;
}

/* Rebuilds each tree from another of its points, and returns the number of
 * rebuilt trees that differ from the original tree. */
static size_t lopsided(const struct ground *g, hand_fault fault, size_t steps)
{
    static drawn d;
    static hand_tree t, again;
    uint64_t chain[CS_PAD] = {0}, seed = 3;
    cs_metric *metric = metric_of(CS_METRIC_DENSE);
    hand_nuts by = {.dim = DIM,
                    .density = g->density,
                    .metric = metric,
                    .step = g->step,
                    .max_depth = 6,
                    .fault = fault};
    points p = points_create(g->type);
    size_t wrong = 0;
    for (uint64_t k = 1; k <= steps; k++) {
        cs_streams s = cs_streams_of(5, k, chain, CS_PAD, 1);
        double x[DIM];
        bool good = true;
        points_draw(&p, &seed, x);
        fill(&s, by.max_depth, &d);
        hand_numbers numbers = numbers_of(&d, by.max_depth, CS_PAD, 0);
        nuts_by_hand(&by, x, &numbers, &t);
        for (size_t j = 0; good && j < t.n; j++) {
            nuts_from_place(&by, &t.point[j], j, t.depth, &again);
            good = same_tree(&t, &again);
        }
        wrong += !good;
    }
    points_destroy(&p);
    cs_metric_let_go(metric);
    return wrong;
}

static void trees_are_the_same_from_each_point(void **state)
{
    (void)state;
    for (size_t g = 0; g < GROUNDS; g++)
        assert_int_equal(lopsided(&grounds[g], HAND_RIGHT, 300), 0);
    assert_true(lopsided(&grounds[2], HAND_ONE_END, 300) > 0);
    assert_true(lopsided(&grounds[2], HAND_LAST_HALF, 300) > 0);
}

/* ---- exact draws stay exact ---------------------------------------------- */

/* A kernel that runs the pseudo code with a planted fault. */
static const struct ground *under;
static hand_fault planted;

static void hand_step(cs_move *m)
{
    static drawn d;
    static hand_tree t;
    int depth = (int)m->param[m->lanes];
    hand_nuts by = {.dim = DIM,
                    .density = under->density,
                    .metric = m->metric,
                    .step = m->param[0],
                    .max_depth = depth,
                    .fault = planted};
    fill(&m->streams, depth, &d);
    for (size_t l = 0; l < m->lanes; l++) {
        double x[DIM];
        for (size_t i = 0; i < DIM; i++)
            x[i] = m->x[i * m->lanes + l];
        hand_numbers numbers = numbers_of(&d, by.max_depth, m->lanes, l);
        nuts_by_hand(&by, x, &numbers, &t);
        for (size_t i = 0; i < DIM; i++)
            m->x[i * m->lanes + l] = t.draw.x[i];
        m->info.moved[l] = memcmp(t.draw.x, x, sizeof x) != 0;
        m->info.accepted[l] = true;
        m->info.log_ratio[l] = 0;
        m->info.logp[l] = t.draw.logp;
    }
    m->info.proposal = NULL;
}

/* Number of trees needed to detect one fault: turns are checked only at one
 * end. */
enum { MANY = 64000 };

static law_result stays(const struct ground *g, const cs_kernel_type *type,
                        hand_fault fault, const cs_metric *metric)
{
    setting s = nuts(3 * g->step, 4, metric);
    points p = points_create(g->type);
    s.kernel.type = type;
    under = g;
    planted = fault;
    law_result r = law_check_draws("stationarity", &s, &p, MANY);
    points_destroy(&p);
    return r;
}

static void exact_draws_stay_exact(void **state)
{
    (void)state;
    for (size_t g = 0; g < GROUNDS; g++)
        for (int kind = CS_METRIC_UNIT; kind < CS_METRICS; kind++) {
            cs_metric *metric = metric_of(kind);
            law_result r =
                stays(&grounds[g], cs_kernel_find("nuts"), HAND_RIGHT, metric);
            if (!r.tried || !r.holds)
                fail_msg("%s, metric %s: %s", grounds[g].type->name,
                         cs_metric_names[kind], r.text);
            cs_metric_let_go(metric);
        }
}

static void faults_do_not_stay_exact(void **state)
{
    cs_kernel_type by_hand = *cs_kernel_find("nuts");
    cs_metric *metric = metric_of(CS_METRIC_DENSE);
    by_hand.step = hand_step;
    (void)state;
    for (int fault = HAND_RIGHT; fault < HAND_FAULTS; fault++) {
        size_t caught = 0;
        for (size_t g = 0; g < GROUNDS; g++)
            caught += !stays(&grounds[g], &by_hand, (hand_fault)fault,
                             fault == HAND_MOMENTA ? metric : NULL)
                           .holds;
        if ((fault == HAND_RIGHT) != (caught == 0))
            fail_msg("fault %d is detected on %zu targets", fault, caught);
    }
    cs_metric_let_go(metric);
}

/* ---- work ---------------------------------------------------------------- */

static void waiting_chains_cost_nothing(void **state)
{
    setting s = nuts(0.4, 8, NULL);
    points p = points_create(&small_funnel);
    cs_block *b = open_block(&s, p.target, 3, CHAINS, p.x);
    double leapfrogs = 0, least = HUGE_VAL, most = 0;
    (void)state;
    assert_true(b->eval.work.gradients == CHAINS); /* one gradient per chain, at
                                                    * the start */
    for (int k = 0; k < 50; k++) {
        assert_int_equal(cs_block_run(b, NULL, 1, NULL), 1);
        for (size_t l = 0; l < CHAINS; l++) {
            double n = b->move.info.stat[b->lanes + l];
            leapfrogs += n;
            least = fmin(least, n);
            most = fmax(most, n);
        }
        assert_true((double)b->eval.work.gradients == CHAINS + leapfrogs);
        assert_true(b->eval.work.log_densities == CHAINS);
    }
    assert_true(most > 4 * least);
    cs_block_destroy(b);
    points_destroy(&p);
}

/* ---- an interrupted step ------------------------------------------------- */

static _Atomic bool stop;
static atomic_long left; /* number of gradients before the flag is set */
static atomic_long since;
static cs_run *to_stop;

static void stopping_gradient(const cs_target *t, const cs_point *at,
                              double *logp, double *g)
{
    small_funnel.gradient(t, at, logp, g);
    if (atomic_load(&stop))
        atomic_fetch_add(&since, 1);
    if (atomic_fetch_sub(&left, 1) == 1) {
        atomic_store(&stop, true);
        if (to_stop)
            cs_run_stop(to_stop);
    }
}

static cs_target_type stopping(void)
{
    cs_target_type type = small_funnel;
    type.gradient = stopping_gradient;
    atomic_store(&stop, false);
    atomic_store(&left, 0);
    atomic_store(&since, 0);
    to_stop = NULL;
    return type;
}

static void is_given_up(const setting *s)
{
    static const size_t live[] = {1, CHAINS};
    cs_target_type type = stopping();
    points p = points_create(&type);
    for (int k = 0; k < 2; k++) {
        cs_block *one = open_block(s, p.target, 3, live[k], p.x);
        cs_block *two = open_block(s, p.target, 3, live[k], p.x);
        size_t words = one->slab_words * one->lanes, undone = 0;
        for (long n = 1; n < 3000; n = 2 * n + 7) {
            assert_int_equal(cs_block_run(one, NULL, 1, NULL), 1);
            atomic_store(&since, 0);
            atomic_store(&left, n);
            size_t made = cs_block_run(two, NULL, 1, &stop);
            undone += made == 0;
            assert_int_equal(atomic_load(&since), 0);
            atomic_store(&left, 0);
            atomic_store(&stop, false);
            if (!made)
                assert_int_equal(cs_block_run(two, NULL, 1, &stop), 1);
            assert_memory_equal(one->slab, two->slab, words * sizeof(double));
            assert_memory_equal(&one->eval.work, &two->eval.work,
                                sizeof one->eval.work);
            assert_true(one->step == two->step);
        }
        assert_true(undone > 5);
        cs_block_destroy(one);
        cs_block_destroy(two);
    }
    points_destroy(&p);
}

static void a_step_given_up_has_not_been(void **state)
{
    static const double covariance[] = {1, 0.5, 2, 1, 1, 1, 1, 1};
    setting tree = nuts(0.004, 10, NULL); /* about 1000 leapfrogs per step */
    setting hmc = {.kernel = kernel_of("hmc"), .formula = "hmc"};
    cs_metric *metric;
    (void)state;
    is_given_up(&tree);
    hmc.kernel.values[0] = 0.004;
    hmc.kernel.values[1] = 900; /* number of leapfrogs */
    is_given_up(&hmc);
    assert_int_equal(
        cs_metric_make(&metric, CS_METRIC_DIAGONAL, DIM, covariance, NULL),
        CS_OK);
    hmc.metric = metric;
    is_given_up(&hmc);
    cs_metric_let_go(metric);
}

static cs_run *opened(cs_target *t, size_t workers)
{
    cs_run *r = NULL;
    setting s = nuts(0.02, 8, NULL);
    cs_arm_spec arm = {.name = "a", .kernel = s.kernel};
    cs_run_spec spec = {.target = t,
                        .arms = &arm,
                        .n_arms = 1,
                        .chains = CHAINS,
                        .seed = 5,
                        .workers = workers,
                        .block_lanes = 3,
                        .keep = 64};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    return r;
}

/* A block that interrupts its step waits until the other blocks have
 * stopped. */
static void a_run_that_is_stopped_goes_on(void **state)
{
    cs_target_type type = stopping();
    points p = points_create(&type);
    (void)state;
    for (size_t workers = 1; workers <= 2; workers++) {
        cs_run *one = opened(p.target, workers), *two = opened(p.target, 2);
        uint64_t done = 0, all = 0, pauses = 0;
        run_steps(one, 20);
        to_stop = two;
        while (all < 20) {
            atomic_store(&left, 300);
            assert_int_equal(cs_run_advance(two, 20 - all, &done, NULL), CS_OK);
            all += done;
            pauses++;
        }
        assert_true(all == 20 && pauses > 5);
        to_stop = NULL;
        atomic_store(&left, 0);
        atomic_store(&stop, false);
        cs_arm_view u = cs_run_arm(one, 0), v = cs_run_arm(two, 0);
        assert_memory_equal(&u.work, &v.work, sizeof u.work);
        for (size_t c = 0; c < CHAINS; c++) {
            double x[DIM];
            memcpy(x, cs_run_chain(one, 0, c).x, sizeof x);
            assert_memory_equal(x, cs_run_chain(two, 0, c).x, sizeof x);
        }
        cs_run_destroy(one);
        cs_run_destroy(two);
    }
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trees_are_those_of_the_pseudo_code),
    cmocka_unit_test(divergences_are_those_of_the_pseudo_code),
    cmocka_unit_test(one_chain_and_three),
    cmocka_unit_test(other_trees_are_told_apart),
    cmocka_unit_test(trees_are_the_same_from_each_point),
    cmocka_unit_test(exact_draws_stay_exact),
    cmocka_unit_test(faults_do_not_stay_exact),
    cmocka_unit_test(waiting_chains_cost_nothing),
    cmocka_unit_test(a_step_given_up_has_not_been),
    cmocka_unit_test(a_run_that_is_stopped_goes_on),
};
TESTS(test_nuts)
