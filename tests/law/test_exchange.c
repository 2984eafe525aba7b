/* Tests the kernel `exchange` on four spins, for which sums over all simulated
 * data are possible. The record of a step agrees with the formula, and the
 * formula satisfies detailed balance. Steps have the stated probabilities, and
 * each move follows from its random numbers. The bias due to an inner chain has
 * the computed value. */
#include "base/memory.h"
#include "check/laws.h"
#include "support/laws.h"
#include "support/sanitized.h"
#include "support/small_factor.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

enum { LANES = 19, STATES = SMALL_FACTOR_STATES, GRID = 7 };

/* The parameters of the kernel. */
typedef struct form {
    double step, simulations, bridges, inner;
} form;

static setting setting_of(const form *f)
{
    setting s = {.formula = "exchange"};
    const double value[] = {f->step, f->simulations, f->bridges, f->inner};
    s.kernel.type = cs_kernel_find("exchange");
    assert_non_null(s.kernel.type);
    memcpy(s.kernel.values, value, sizeof value);
    return s;
}

/* ---- paths --------------------------------------------------------------- */

/* All paths of at most three data sets between the states a and b. The first
 * data set is w_0 ~ p(. | a); a sweep leads from each data set to the next. A
 * path is numbered in base STATES, with w_0 as the last digit. */
typedef struct paths {
    size_t bridges, n; /* n = STATES^(bridges + 1) */
    double a, b;
    double first[STATES];
    double sweep[2][STATES][STATES];
} paths;

static double between(const paths *p, size_t j)
{
    double part = (double)j / (double)(p->bridges + 1);
    return (1 - part) * p->a + part * p->b;
}

/* Computes the distribution of w_0: exact, or after `inner` sweeps from the
 * observed data. */
static void first_law(double a, size_t inner, double law[STATES])
{
    static double sweep[STATES][STATES];
    double next[STATES];
    for (size_t y = 0; y < STATES; y++)
        law[y] = inner ? y == small_factor_observed
                       : exp(small_factor_log_f(a, y) - small_factor_log_z(a));
    small_factor_sweep(a, sweep);
    for (size_t n = 0; n < inner; n++) {
        memset(next, 0, sizeof next);
        for (size_t y = 0; y < STATES; y++)
            for (size_t to = 0; to < STATES; to++)
                next[to] += law[y] * sweep[y][to];
        memcpy(law, next, sizeof next);
    }
}

static paths paths_of(const form *f, double a, double b)
{
    paths p = {.bridges = (size_t)f->bridges, .n = STATES, .a = a, .b = b};
    first_law(a, (size_t)f->inner, p.first);
    for (size_t j = 1; j <= p.bridges; j++) {
        small_factor_sweep(between(&p, j), p.sweep[j - 1]);
        p.n *= STATES;
    }
    return p;
}

/* Returns the probability of path number `at`; s receives S, the log factor of
 * the path. */
static double path_chance(const paths *p, size_t at, double *s)
{
    size_t y = at % STATES;
    double chance = p->first[y];
    *s = 0;
    for (size_t j = 0; j <= p->bridges; j++) {
        *s += small_factor_log_f(between(p, j + 1), y) -
              small_factor_log_f(between(p, j), y);
        if (j == p->bridges)
            break;
        at /= STATES;
        chance *= p->sweep[j][y][at % STATES];
        y = at % STATES;
    }
    return chance;
}

/* ---- simulations summed out ---------------------------------------------- */

/* The distinct values of S and their probabilities. S has only a few values, so
 * sums over tuples of simulations are possible. */
enum { MOST = 512 };
typedef struct factors {
    size_t n;
    double s[MOST], chance[MOST];
} factors;

static factors factors_of(const paths *p)
{
    factors f = {0};
    for (size_t at = 0; at < p->n; at++) {
        double s, chance = path_chance(p, at, &s);
        size_t k = 0;
        while (k < f.n && fabs(f.s[k] - s) > 1e-12)
            k++;
        assert_true(k < MOST);
        f.n += k == f.n;
        f.s[k] = s;
        f.chance[k] += chance;
    }
    return f;
}

/* Returns the mean over `left` more simulations of
 * min(1, exp(known + sign log mean)). Here `mean` is the average over all
 * simulations, and `sum` is the sum over the simulations made so far. */
static double mean_of(const factors *f, double sign, size_t left, size_t all,
                      double sum, double known)
{
    double total = 0;
    if (left == 0)
        return fmin(1, exp(known + sign * log(sum / (double)all)));
    for (size_t k = 0; k < f->n; k++)
        total += f->chance[k] *
                 mean_of(f, sign, left - 1, all, sum + exp(f->s[k]), known);
    return total;
}

/* Probabilities that the move from x to y is accepted if the coin shows heads,
 * and if it shows tails. With tails one of the simulations starts at y. The
 * sums assume that it is always the first simulation, which gives the same
 * result. */
typedef struct chances {
    double heads, tails;
} chances;

static chances chances_of(const form *f, double x, double y)
{
    paths there = paths_of(f, y, x), back = paths_of(f, x, y);
    factors of_there = factors_of(&there), of_back = factors_of(&back);
    size_t n = (size_t)f->simulations;
    double known = small_factor_known(y) - small_factor_known(x);
    double heads = mean_of(&of_there, 1, n, n, 0, known), tails = 0;
    if (n == 1)
        return (chances){heads, heads};
    for (size_t k = 0; k < of_there.n; k++)
        tails += of_there.chance[k] *
                 mean_of(&of_back, -1, n - 1, n, exp(-of_there.s[k]), known);
    return (chances){heads, tails};
}

static double chance_of(const form *f, double x, double y)
{
    chances c = chances_of(f, x, y);
    return (c.heads + c.tails) / 2;
}

static const form exact[] = {
    {0.9, 1, 0, 0}, {0.9, 1, 1, 0}, {0.9, 1, 2, 0},
    {2.5, 2, 0, 0}, {2, 3, 0, 0},   {0.9, 2, 1, 0},
};
enum { EXACT = sizeof exact / sizeof *exact };

static double grid_at(size_t i)
{
    return -1.2 + 0.45 * (double)i;
}

/* Checks that pi(x) P(x -> y) = pi(y) P(y -> x). The proposal of the random
 * walk is symmetric. */
static double asymmetry(const form *f, double x, double y)
{
    double there = exp(small_factor_logp(x)) * chance_of(f, x, y);
    double back = exp(small_factor_logp(y)) * chance_of(f, y, x);
    return fabs(there - back) / fmax(there, back);
}

static void flows_are_symmetric(void **state)
{
    (void)state;
    for (size_t k = 0; k < EXACT; k++)
        for (size_t i = 0; i < GRID; i++)
            for (size_t j = 0; j < i; j += SHORTER)
                assert_near(asymmetry(&exact[k], grid_at(i), grid_at(j)), 0, 0,
                            1e-14);
}

/* Returns sum |pi(x) P(x, y) - pi(y) P(y, x)| over sum pi(x) P(x, y), on the
 * grid. */
static double imbalance(const form *f)
{
    double off = 0, all = 0;
    for (size_t i = 0; i < GRID; i++)
        for (size_t j = 0; j < i; j++) {
            double x = grid_at(i), y = grid_at(j);
            double there = exp(small_factor_logp(x)) * chance_of(f, x, y);
            double back = exp(small_factor_logp(y)) * chance_of(f, y, x);
            off += fabs(there - back);
            all += (there + back) / 2;
        }
    return off / all;
}

/* With an inner chain the kernel is not reversible. Its imbalance decreases
 * with the length of the inner chain. */
static void inner_chains_are_biased(void **state)
{
    (void)state;
    double before = HUGE_VAL;
    for (double n = 1; n <= 256; n *= 2) {
        const form f = {0.9, 1, 0, n};
        double off = imbalance(&f);
        assert_true(off < before);
        if (n == 1)
            assert_true(off > 0.1);
        before = off;
    }
    assert_true(before < 1e-4);
}

/* ---- frequencies of steps ------------------------------------------------ */

typedef struct bench {
    points p;
    setting s;
    cs_block *b;
    double x[LANES]; /* before the last step */
} bench;

static void open_bench(bench *t, const form *f, const cs_target_type *type,
                       uint64_t seed)
{
    t->p = points_create(type);
    t->s = setting_of(f);
    t->b = open_block(&t->s, t->p.target, seed, LANES, t->p.x);
}

static void close_bench(bench *t)
{
    cs_block_destroy(t->b);
    points_destroy(&t->p);
}

static void step_bench(bench *t)
{
    memcpy(t->x, t->b->move.x, sizeof t->x);
    one_step(&t->s, t->b);
}

/* Places the chains at many states. Some of these states are far from the mode,
 * where the estimates vary. */
static void spread(bench *t)
{
    for (size_t l = 0; l < t->b->lanes; l++)
        t->b->move.x[l] = -1.6 + 3.3 * (double)(l % LANES) / (LANES - 1);
    cs_block_refresh(t->b);
}

/* Let A be 1 for an accepted move and 0 for a rejected move, minus the
 * acceptance probability. The test sums three values: A, A times the move, and
 * A times the effect of the coin. The last sum detects a coin that is not
 * random. */
enum { KINDS = 3 };

static double p_of_moves(const form *f, size_t draws, uint64_t seed)
{
    double off[KINDS] = {0}, variance[KINDS] = {0}, least = 1;
    bench t;
    open_bench(&t, f, &small_factor, seed);
    for (size_t n = 0; n < draws; n += LANES) {
        spread(&t);
        step_bench(&t);
        for (size_t l = 0; l < LANES; l++) {
            double y = t.b->move.info.proposal[l];
            chances c = chances_of(f, t.x[l], y);
            double chance = (c.heads + c.tails) / 2;
            double odd = (double)t.b->move.info.accepted[l] - chance;
            const double weight[] = {1, y - t.x[l], c.heads - c.tails};
            for (size_t k = 0; k < KINDS; k++) {
                off[k] += weight[k] * odd;
                variance[k] += weight[k] * weight[k] * chance * (1 - chance);
            }
        }
    }
    close_bench(&t);
    for (size_t k = 0; k < KINDS; k++)
        if (variance[k] > 0)
            least = fmin(least, 2 * gsl_cdf_ugaussian_Q(fabs(off[k]) /
                                                        sqrt(variance[k])));
    return KINDS * least;
}

static void moves_are_as_likely(void **state)
{
    (void)state;
    static const form inner[] = {{1.3, 1, 0, 1}, {1.3, 2, 1, 2}};
    for (size_t k = 0; k < EXACT + 2; k++) {
        const form *f = k < EXACT ? &exact[k] : &inner[k - EXACT];
        const cs_check c = {.draws = (f->bridges > 1 ? 400 : 4000) / SHORTER};
        cs_looks looks = {0};
        while (cs_check_look(&c, &looks))
            looks.p = p_of_moves(f, looks.draws, (uint64_t)looks.look << 40);
        if (cs_check_refutes(&looks))
            fail_msg("simulations %g, bridges %g, inner %g: p = %g",
                     f->simulations, f->bridges, f->inner, looks.p);
    }
}

/* With one simulation and no bridge the simulated data are known, so the ratio
 * can be computed from these data. */
static void records_are_the_formula(void **state)
{
    (void)state;
    const form f = {0.9, 1, 0, 0};
    bench t;
    open_bench(&t, &f, &small_factor, 5);
    for (size_t n = 0; n < 50; n++) {
        step_bench(&t);
        const cs_info *i = &t.b->move.info;
        for (size_t l = 0, lanes = t.b->lanes; l < LANES; l++) {
            double x = t.x[l], y = i->proposal[l];
            size_t w = small_factor_state(t.b->move.memory + l, lanes);
            double here = small_factor_log_f(x, w);
            double there = small_factor_log_f(y, w);
            assert_near(i->logp_change[l],
                        small_factor_known(y) - small_factor_known(x), 1e-12,
                        1e-13);
            assert_near(i->log_aux[l], here - there, 1e-12, 1e-13);
            assert_true(i->stat[2 * lanes + l] == here);
            assert_true(i->stat[3 * lanes + l] == there);
            assert_true(i->stat[l] ==
                        small_factor_log_f(x, small_factor_observed));
            assert_true(i->stat[lanes + l] ==
                        small_factor_log_f(y, small_factor_observed));
            assert_true(i->accepted[l] ==
                        (i->log_uniform[l] < i->log_ratio[l]));
        }
    }
    close_bench(&t);
}

/* ---- each move, given its random numbers --------------------------------- */

/* A step that is recomputed from its random numbers. Each row has one number
 * per lane. The data are data[n_data][lanes]. */
typedef struct again {
    cs_block *b;
    const cs_streams *streams;
    const form *f;
    const double *y;
    double *x, *from, *to, *here, *next, *s, *sum, *coin, *which, *f_here,
        *f_next, *updates, *past, *left, *data, *work;
    double *memory; /* [own] for all arrays */
} again;

static void open_again(again *a, bench *t, const form *f)
{
    const cs_target *target = t->p.target;
    size_t n = t->b->lanes;
    *a = (again){.b = open_block(&t->s, t->p.target, 1, LANES, t->p.x), .f = f};
    a->memory = cs_alloc((14 + target->n_data + target->simulate_words) * n,
                         sizeof *a->memory);
    assert_non_null(a->memory);
    double *at = a->memory,
           **const row[] = {&a->x,     &a->from,   &a->to,     &a->here,
                            &a->next,  &a->s,      &a->sum,    &a->coin,
                            &a->which, &a->f_here, &a->f_next, &a->updates,
                            &a->past,  &a->left};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++, at += n)
        *row[k] = at;
    a->data = at;
    a->work = at + target->n_data * n;
}

static void close_again(again *a)
{
    cs_block_destroy(a->b);
    cs_free(a->memory);
}

static void put_pier(const again *a, size_t j, double *at)
{
    double part = (double)j / (a->f->bridges + 1);
    for (size_t l = 0; l < a->b->lanes; l++)
        at[l] = j == 0      ? a->from[l]
                : part == 1 ? a->to[l]
                            : (1 - part) * a->from[l] + part * a->to[l];
}

/* Simulates data at a->here; the first data set of a simulation starts at the
 * observed data. */
static void simulate_again(again *a, size_t k, size_t j)
{
    const cs_target *t = a->b->target;
    size_t n = a->b->lanes, parts = (size_t)a->f->bridges + 1;
    const cs_simulation s = {.streams = a->streams,
                             .first = (k * parts + j) * CS_SIMULATION_ROWS,
                             .sweeps = j ? 1 : (size_t)a->f->inner,
                             .data = a->data,
                             .updates = a->updates,
                             .past = a->past,
                             .left = a->left};
    for (size_t i = 0; j == 0 && i < t->n_data * n; i++)
        a->data[i] = t->data[i / n];
    if (s.sweeps)
        cs_eval_sweep(&a->b->eval, a->here, NULL, a->work, &s);
    else
        cs_eval_simulate(&a->b->eval, a->here, NULL, a->work, &s);
}

static bool is_there(const again *a, size_t k, size_t l)
{
    return a->coin[l] < 0.5 || (size_t)(a->which[l] * a->f->simulations) == k;
}

/* Computes S of simulation k for each lane, and stores it in a->s. */
static void path_again(again *a, size_t k)
{
    for (size_t l = 0; l < a->b->lanes; l++) {
        a->from[l] = is_there(a, k, l) ? a->y[l] : a->x[l];
        a->to[l] = is_there(a, k, l) ? a->x[l] : a->y[l];
        a->s[l] = 0;
    }
    for (size_t j = 0; j <= (size_t)a->f->bridges; j++) {
        put_pier(a, j, a->here);
        put_pier(a, j + 1, a->next);
        simulate_again(a, k, j);
        cs_eval_log_factor(&a->b->eval, a->here, a->data, a->f_here);
        cs_eval_log_factor(&a->b->eval, a->next, a->data, a->f_next);
        for (size_t l = 0; l < a->b->lanes; l++)
            a->s[l] += a->f_next[l] - a->f_here[l];
    }
}

/* For each lane, computes log_aux of the last step, which t->b made from the
 * states t->x. Stores log_aux in a->sum. */
static void estimate_again(again *a, const bench *t)
{
    size_t n = (size_t)a->f->simulations;
    a->streams = &t->b->move.streams;
    a->y = t->b->move.info.proposal;
    /* One random number is the coin. If the coin shows tails, another random
     * number selects the simulation that starts at y. */
    cs_fill_uniform(a->streams, CS_FOR_LENGTH, 2, a->coin);
    for (size_t l = 0; l < t->b->lanes; l++) {
        a->x[l] = t->x[l < LANES ? l : LANES - 1];
        a->sum[l] = 0;
        a->coin[l] = n == 1 ? 0 : a->coin[l];
    }
    for (size_t k = 0; k < n; k++) {
        path_again(a, k);
        for (size_t l = 0; l < t->b->lanes; l++) {
            bool back = a->coin[l] >= 0.5 && is_there(a, k, l);
            a->sum[l] += exp(back ? -a->s[l] : a->s[l]) / (double)n;
        }
    }
    for (size_t l = 0; l < t->b->lanes; l++)
        a->sum[l] = a->coin[l] < 0.5 ? log(a->sum[l]) : -log(a->sum[l]);
}

static void each_move_follows_from_its_random_numbers(void **state)
{
    (void)state;
    static const form forms[] = {{0.9, 1, 0, 0}, {0.9, 3, 0, 0},
                                 {0.9, 2, 2, 0}, {1.3, 3, 0, 1},
                                 {1.3, 2, 1, 2}, {2.5, 4, 0, 3}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        bench t;
        again a;
        open_bench(&t, &forms[k], &small_factor, 23 + k);
        open_again(&a, &t, &forms[k]);
        for (size_t n = 0; n < 20; n++) {
            spread(&t);
            step_bench(&t);
            estimate_again(&a, &t);
            const cs_info *i = &t.b->move.info;
            for (size_t l = 0; l < LANES; l++) {
                double y = i->proposal[l];
                double ratio = a.sum[l] + small_factor_known(y) -
                               small_factor_known(t.x[l]);
                assert_near(i->log_aux[l], a.sum[l], 1e-10, 1e-10);
                assert_true(i->accepted[l] == (i->log_uniform[l] < ratio));
            }
        }
        close_again(&a);
        close_bench(&t);
    }
}

/* ---- long runs ----------------------------------------------------------- */

/* Returns P(X <= at) by the trapezoidal rule. */
static double below(double at)
{
    double sum = 0, part = 0, h = 1e-3;
    for (double x = -8; x < 8; x += h) {
        double mass = exp(small_factor_logp(x + h / 2));
        sum += mass;
        part += x + h / 2 <= at ? mass : 0;
    }
    return part / sum;
}

/* Returns the share of draws below a point. Each lane gives one draw, `steps`
 * steps after an exact draw. */
static double share_below(const form *f, const cs_target_type *type, double at,
                          size_t rounds, size_t steps)
{
    double count = 0;
    for (size_t k = 0; k < rounds; k++) {
        bench t;
        uint64_t seed = k + 1;
        open_bench(&t, f, type, 100 + k);
        for (size_t l = 0; l < t.b->lanes; l++)
            points_draw(&t.p, &seed, &t.b->move.x[l]);
        cs_block_refresh(t.b);
        for (size_t n = 0; n < steps; n++)
            one_step(&t.s, t.b);
        for (size_t l = 0; l < LANES; l++)
            count += t.b->move.x[l] <= at;
        close_bench(&t);
    }
    return count / (double)(rounds * LANES);
}

/* The kernel also samples a target correctly if log p of this target is
 * unknown. */
static void the_factor_need_not_be_known(void **state)
{
    (void)state;
    enum { ROUNDS = 400 / SHORTER };
    const form f = {1.2, 1, 0, 0};
    double want = below(0.1), n = ROUNDS * LANES;
    double got = share_below(&f, &small_factor_unknown, 0.1, ROUNDS, 20);
    assert_near(got, want, 0, 4.5 * sqrt(want * (1 - want) / n));
}

static void log_p_is_refused_where_it_is_not_known(void **state)
{
    (void)state;
    cs_target *t = NULL;
    cs_error err;
    assert_int_equal(cs_target_create(&small_factor_unknown, NULL, 0, &t, NULL),
                     CS_OK);
    cs_kernel k = {.type = cs_kernel_find("random_walk")};
    assert_int_equal(cs_kernel_fits(&k, t, &err), CS_UNSUPPORTED);
    assert_non_null(strstr(err.what, "has no log Z"));
    const form f = {1, 1, 0, 0};
    setting s = setting_of(&f);
    assert_int_equal(cs_kernel_fits(&s.kernel, t, &err), CS_OK);
    assert_true(cs_kernel_is_exact(&s.kernel, t));
    s.kernel.values[3] = 4;
    assert_false(cs_kernel_is_exact(&s.kernel, t));
    cs_target_release(t);
}

/* ---- a simulator that fails ---------------------------------------------- */

static void give_up(const cs_target *t, const cs_point *at,
                    const cs_simulation *s)
{
    small_factor.factor.simulate(t, at, s);
    s->left[3] = 2;
    s->past[3] = 64;
    s->updates[3] = 512;
}

static void giving_up_ends_the_chain(void **state)
{
    (void)state;
    const form f = {0.5, 1, 0, 0};
    static cs_target_type type;
    bench t;
    type = small_factor;
    type.factor.simulate = give_up;
    open_bench(&t, &f, &type, 2);
    one_step(&t.s, t.b);
    for (size_t l = 0; l < LANES; l++)
        assert_true((t.b->failed[l] != 0) == (l == 3));
    char text[256];
    cs_reason why = cs_block_reason(t.b, 3);
    cs_kernel_explain(&t.s.kernel, &why, text, sizeof text);
    assert_string_equal(
        text, "coupling from the past did not end: 2 values undetermined after "
              "64 passes and 512 updates");
    close_bench(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(flows_are_symmetric),
    cmocka_unit_test(inner_chains_are_biased),
    cmocka_unit_test(moves_are_as_likely),
    cmocka_unit_test(records_are_the_formula),
    cmocka_unit_test(each_move_follows_from_its_random_numbers),
    cmocka_unit_test(the_factor_need_not_be_known),
    cmocka_unit_test(log_p_is_refused_where_it_is_not_known),
    cmocka_unit_test(giving_up_ends_the_chain),
};
TESTS(test_exchange)
