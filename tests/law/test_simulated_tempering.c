/* Tests simulated tempering. For learned and then frozen weights, the
 * transition matrix on pairs of state and rung equals the formula, computed by
 * brute force. */
#include "run/arms/arms.h"
#include "run/run.h"
#include "run/views/reports.h"
#include "support/laws.h"
#include "support/support.h"
#include "support/tempered.h"

#include <math.h>
#include <string.h>

/* ---- matrix on states and rungs ------------------------------------------ */

enum { PAIRS = STATES * RUNGS };

/* The matrix by the formula. The pair (x, rung) has the index rung * STATES +
 * x. */
static struct {
    double pi[PAIRS], P[PAIRS][PAIRS];
} single;

/* Returns the probability that a chain at rung k, whose state has this log p,
 * moves to rung k + by. */
static double chance_of(const double *w, size_t k, int by, double logp)
{
    size_t to = k + (size_t)by;
    if (to >= RUNGS)
        return 0;
    double ratio = (beta_of(to) - beta_of(k)) * logp + w[to] - w[k];
    return 0.5 * fmin(1, exp(ratio));
}

/* Computes the matrix by the formula. First the temperature may change; then x
 * moves at the new temperature. */
static void know_single(const char *kernel, const double *value,
                        const double *w)
{
    double total = 0;
    memset(&single, 0, sizeof single);
    for (size_t k = 0; k < RUNGS; k++) {
        double move[STATES * STATES];
        points p = pair_at(beta_of(k));
        assert_true(matrix_of(kernel, &p, value, 0, move));
        for (size_t x = 0; x < STATES; x++) {
            double logp = p.logp[x] / beta_of(k);
            total += single.pi[k * STATES + x] = exp(p.logp[x] + w[k]);
            for (size_t from = 0; from < RUNGS; from++) {
                double chance = from == k ? 1 - chance_of(w, k, 1, logp) -
                                                chance_of(w, k, -1, logp)
                                : from + 1 == k ? chance_of(w, from, 1, logp)
                                : k + 1 == from ? chance_of(w, from, -1, logp)
                                                : 0;
                for (size_t y = 0; y < STATES; y++)
                    single.P[from * STATES + x][k * STATES + y] +=
                        chance * move[x * STATES + y];
            }
        }
        points_destroy(&p);
    }
    for (size_t a = 0; a < PAIRS; a++)
        single.pi[a] /= total;
}

static double single_error(void)
{
    double worst = 0;
    for (size_t b = 0; b < PAIRS; b++) {
        double flow = 0;
        for (size_t a = 0; a < PAIRS; a++)
            flow += single.pi[a] * single.P[a][b];
        worst = fmax(worst, fabs(flow - single.pi[b]));
    }
    return worst;
}

static void the_joint_law_is_kept(void **state)
{
    (void)state;
    const double w[] = {0, 0.3, -0.8}, step[] = {0.8, 0.5, 0, 0};
    know_single("dmala", step, w);
    assert_true(single_error() < 1e-12);
    single.pi[0] += 1e-6;
    assert_true(single_error() > 1e-9);
}

static size_t pair_of(cs_run *r, size_t chain)
{
    cs_chain_view v = cs_run_chain(r, 0, chain);
    size_t rung = 0;
    while (fabs(v.aux[0] - beta_of(rung)) > 1e-12)
        assert_true(++rung < RUNGS);
    return rung * STATES + cs_space_index(&cs_run_target(r)->space, v.x, 1);
}

/* Copies the weights learned by the run. */
static void read_weights(cs_run *r, double *w)
{
    static double memory[4096];
    cs_flat f;
    cs_flat_entry e;
    cs_flat_begin(&f, memory, sizeof memory);
    assert_true(cs_run_report_one(r, 0, "kernel", "", &f));
    assert_true(cs_flat_find(f.base, f.used, &e, "log_weight"));
    memcpy(w, e.data, RUNGS * sizeof *w);
}

/* Compares the formula with the frequencies of steps after learning has
 * ended. */
static bool single_frequencies(const cs_kernel *k, const char *kernel,
                               const double *value)
{
    enum { LEARN = 500, STEPS = 6000 };
    static double count[PAIRS][PAIRS];
    double w[RUNGS], later[RUNGS];
    size_t from[LADDERS];
    bool good = true;
    memset(count, 0, sizeof count);
    cs_run *r = open_ladders(k, &small_pair, LADDERS, 18);
    assert_int_equal(cs_run_advance(r, LEARN, NULL, NULL), CS_OK);
    read_weights(r, w);
    know_single(kernel, value, w);
    for (size_t l = 0; l < LADDERS; l++)
        from[l] = pair_of(r, l);
    for (size_t s = 1; s <= STEPS; s++) {
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        for (size_t l = 0; l < LADDERS; l++) {
            size_t to = pair_of(r, l);
            count[from[l]][to]++;
            from[l] = to;
        }
    }
    read_weights(r, later);
    cs_run_destroy(r);
    for (size_t a = 0; a < PAIRS; a++)
        good &= cs_check_cells_p(count[a], single.P[a], PAIRS) > 1e-7 / PAIRS;
    return good && memcmp(w, later, sizeof w) == 0;
}

static void the_chain_moves_as_the_formula(void **state)
{
    (void)state;
    const double step[] = {0.8, 0.5, 0, 0}, scan[] = {0, 1};
    cs_kernel k[] = {
        wandering(cs_kernel_find("dmala"), step, RUNGS, HOTTEST, 1, 500),
        wandering(cs_kernel_find("gibbs"), scan, RUNGS, HOTTEST, 1, 500)};
    assert_true(single_frequencies(&k[0], "dmala", step));
    /* the rungs are equally likely */
    for (size_t r = 0; r < RUNGS; r++) {
        double mass = 0;
        for (size_t x = 0; x < STATES; x++)
            mass += single.pi[r * STATES + x];
        assert_near(mass, 1.0 / RUNGS, 0, 0.05);
    }
    assert_true(single_frequencies(&k[1], "gibbs", scan));
    cs_kernel_release(&k[0]);
    cs_kernel_release(&k[1]);
}

/* A ladder and weights that are given as parameters are used unchanged. */
static void what_is_given_by_hand_is_used(void **state)
{
    (void)state;
    const double value[] = {0.8, 0.5, 0, 0}, hot[RUNGS] = {1, 1.5, 20};
    const double w[RUNGS] = {5, 5.3, 4.6};
    set_ladder(hot);
    cs_kernel k =
        by_hand("simulated_tempering", cs_kernel_find("dmala"), value, w);
    assert_true(k.values[3] == 0); /* nothing is learned */
    assert_true(single_frequencies(&k, "dmala", value));
    double used[RUNGS];
    cs_run *r = open_ladders(&k, &small_pair, LADDERS, 18);
    assert_int_equal(cs_run_advance(r, 30, NULL, NULL), CS_OK);
    read_weights(r, used);
    cs_run_destroy(r);
    for (size_t i = 0; i < RUNGS; i++)
        assert_near(used[i], w[i] - w[0], 0, 1e-12);
    cs_kernel_release(&k);
    set_ladder(NULL);
}

/* ---- planted faults ------------------------------------------------------ */

static const cs_kernel_type *honest;

static void stays_stale(cs_move *m)
{
    if (m->fresh)
        honest->init(m);
}

static void never_freezes(const cs_exchange *m)
{
    cs_exchange wrong = *m;
    wrong.step = 1;
    cs_kernel_find("simulated_tempering")->exchange->run(&wrong);
}

/* Tables with a row per rung, stored before beta in the memory of
 * simulated_tempering. The first table contains the weights. */
enum { TABLES = 4 };
static cs_kernel tempered;

/* Fault: a change of rung is accepted with a wrong temperature for the second
 * rung. To plant this fault, the error of the log ratio that the wrong
 * temperature would cause is added to the weight of the second rung during the
 * step. The weight is restored after the step. */
static void takes_another_temperature(cs_move *m)
{
    size_t beta = cs_kernel_aux_first(&tempered, m->eval->target);
    double *w = m->memory + (beta - TABLES * RUNGS + 1) * m->lanes, kept[64],
           by = 0.3;
    assert_true(m->lanes <= 64);
    for (size_t l = 0; l < m->lanes; l++) {
        kept[l] = w[l];
        w[l] += by * m->info.logp[l];
    }
    cs_kernel_find("simulated_tempering")->step(m);
    memcpy(w, kept, m->lanes * sizeof *w);
}

static void faults_are_caught(void **state)
{
    (void)state;
    const double value[] = {0.8, 0.5, 0, 0};
    honest = cs_kernel_find("dmala");
    cs_kernel_type stale = *honest;
    stale.init = stays_stale;
    cs_kernel k = wandering(&stale, value, RUNGS, HOTTEST, 1, 500);
    assert_false(single_frequencies(&k, "dmala", value));
    cs_kernel_release(&k);
    k = wandering(honest, value, RUNGS, HOTTEST, 1, 500);
    cs_kernel_type type = *k.type;
    cs_exchange_type exchange = *type.exchange;
    exchange.run = never_freezes;
    type.exchange = &exchange;
    k.type = &type;
    assert_false(single_frequencies(&k, "dmala", value));
    type.exchange = cs_kernel_find("simulated_tempering")->exchange;
    tempered = k;
    assert_true(single_frequencies(&k, "dmala", value));
    type.step = takes_another_temperature;
    assert_false(single_frequencies(&k, "dmala", value));
    cs_kernel_release(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_joint_law_is_kept),
    cmocka_unit_test(the_chain_moves_as_the_formula),
    cmocka_unit_test(what_is_given_by_hand_is_used),
    cmocka_unit_test(faults_are_caught),
};
TESTS(test_simulated_tempering)
