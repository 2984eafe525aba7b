/* Tests properties of tempered kernels that the law book (support/laws.h) does
 * not cover. Each chain moves like the inner kernel on pi^beta. The transition
 * matrix of the whole ladder equals the formula, computed by brute force. The
 * ladder preserves the product of the tempered distributions. */
#include "run/arms/arms.h"
#include "run/run.h"
#include "support/laws.h"
#include "support/small_make.h"
#include "support/support.h"
#include "support/tempered.h"

#include "base/memory.h"
#include "kernel/wrapper.h"

#include <math.h>
#include <string.h>

/* ---- a target at a fixed temperature ------------------------------------- */

static const cs_target_type *base; /* the target at temperature 1 */
static double beta;

static void cooled_log_density(const cs_target *t, const cs_point *at,
                               double *logp)
{
    base->log_density(t, at, logp);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] *= beta;
}

static void cooled_gradient(const cs_target *t, const cs_point *at,
                            double *logp, double *g)
{
    base->gradient(t, at, logp, g);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] *= beta;
    for (size_t k = 0; k < t->space.dim * at->lanes; k++)
        g[k] *= beta;
}

static const cs_target_type *cooled(const cs_target_type *type, double by)
{
    static cs_target_type made;
    base = type;
    beta = by;
    made = *type;
    made.log_density = cooled_log_density;
    made.gradient = cooled_gradient;
    made.gradient_alone = NULL;
    made.force = NULL;
    return &made;
}

/* ---- a chain of a ladder is the inner kernel on pi^beta ------------------ */

static setting inner_of(const setting *s)
{
    const cs_wrapper *a = s->kernel.self;
    setting inner = {.kernel.type = a->inner.type,
                     .formula = a->inner.type->name};
    memcpy(inner.kernel.values, s->kernel.values + a->n_params,
           a->inner.type->n_params * sizeof *inner.kernel.values);
    return inner;
}

/* Returns true if the chains of a ladder equal chains of the inner kernel, bit
 * for bit. The ladder has two rungs with beta 1 and 1/4, which cause no
 * rounding. The chains are at rungs 0, 1, 0, 1 ..., and no temperatures are
 * exchanged. */
static bool chains_are_tempered(setting s, const points *p)
{
    enum { STEPS = 300 };
    bool good = true;
    s.kernel.values[0] = 2;
    s.kernel.values[1] = 4;
    s.kernel.values[2] = 1e9;
    if (((cs_wrapper *)s.kernel.self)->n_params > 3)
        s.kernel.values[3] = 0; /* nothing is learned, so every state is a
                                 * draw */
    setting inner = inner_of(&s);
    cs_target *t = NULL;
    const cs_target_type *type = cooled(p->target->type, 0.25);
    assert_int_equal(cs_target_create(type, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(&s, p->target, 31, LAW_CHAINS, p->x);
    cs_block *plain[] = {open_block(&inner, p->target, 31, LAW_CHAINS, p->x),
                         open_block(&inner, t, 31, LAW_CHAINS, p->x)};
    for (int k = 0; k < STEPS && good; k++) {
        one_step(&s, b);
        one_step(&inner, plain[0]);
        one_step(&inner, plain[1]);
        for (size_t l = 0; l < LAW_CHAINS; l++) {
            const cs_block *o = plain[l % 2];
            for (size_t at = l; at < p->dim * b->lanes; at += b->lanes)
                good &= b->move.x[at] == o->move.x[at];
            double by = l % 2 ? 0.25 : 1;
            good &= b->move.info.logp[l] * by == o->move.info.logp[l] &&
                    b->move.info.log_weight[l] == (l % 2 ? -HUGE_VAL : 0) &&
                    b->move.info.log_ratio[l] == o->move.info.log_ratio[l];
        }
    }
    const cs_work *cold = &plain[0]->eval.work, *hot = &plain[1]->eval.work;
    /* The work can be compared only if it does not depend on the states. */
    if (memcmp(cold, hot, sizeof *cold) == 0)
        good &= memcmp(&b->eval.work, cold, sizeof *cold) == 0;
    cs_block_destroy(b);
    cs_block_destroy(plain[0]);
    cs_block_destroy(plain[1]);
    cs_target_release(t);
    return good;
}

/* Tries every kernel of the list on every compatible small target. */
static size_t everywhere(const char *name,
                         bool (*law)(setting s, const points *p))
{
    const cs_kernel_type *type = cs_kernel_find(name);
    size_t n = 0;
    for (size_t g = 0; law_grounds[g]; g++) {
        points p = points_create(law_grounds[g]);
        setting s;
        for (size_t k = 0; law_setting(type, k, &s); k++) {
            if (!law_fits(&s, &p))
                continue;
            if (!law(s, &p))
                fail_msg("%s on %s", s.kernel.type->name, p.target->name);
            n++;
        }
        points_destroy(&p);
    }
    return n;
}

static void each_rung_has_its_temperature(void **state)
{
    (void)state;
    assert_true(everywhere("parallel_tempering", chains_are_tempered) > 12);
    assert_true(everywhere("simulated_tempering", chains_are_tempered) > 8);
}

/* ---- the ladder ---------------------------------------------------------- */

enum { ALL = STATES * STATES * STATES };

static size_t state_of(size_t joint, size_t rung)
{
    for (; rung; rung--)
        joint /= STATES;
    return joint % STATES;
}

static size_t swapped(size_t joint, size_t r)
{
    size_t at = 1;
    for (size_t i = 0; i < r; i++)
        at *= STATES;
    size_t a = state_of(joint, r), b = state_of(joint, r + 1);
    return joint - a * at - b * at * STATES + b * at + a * at * STATES;
}

/* The ladder's matrices and law, from the formulas. */
typedef struct ladder {
    double logp[STATES], pi[ALL], move[ALL][ALL], P[2][ALL][ALL];
} ladder;

static ladder known;

/* Computes the matrix of the moves between swaps. Every rung moves by the
 * kernel's matrix at the temperature of the rung. */
static void fill_moves(const char *kernel, const double *value)
{
    static double one[RUNGS][STATES * STATES], law[RUNGS][STATES];
    for (size_t r = 0; r < RUNGS; r++) {
        points p = pair_at(beta_of(r));
        assert_true(matrix_of(kernel, &p, value, 0, one[r]));
        for (size_t s = 0; s < STATES; s++) {
            law[r][s] = p.pi[s];
            known.logp[s] = p.logp[s] / beta_of(r);
        }
        points_destroy(&p);
    }
    for (size_t a = 0; a < ALL; a++) {
        known.pi[a] = 1;
        for (size_t r = 0; r < RUNGS; r++)
            known.pi[a] *= law[r][state_of(a, r)];
        for (size_t b = 0; b < ALL; b++) {
            known.move[a][b] = 1;
            for (size_t r = 0; r < RUNGS; r++)
                known.move[a][b] *=
                    one[r][state_of(a, r) * STATES + state_of(b, r)];
        }
    }
}

/* Adds the swap of rungs r and r + 1 to P. `sign` is 1, or -1 for a planted
 * fault. */
static void fill_matrix(size_t r, double sign, double P[ALL][ALL])
{
    memset(P, 0, sizeof(double[ALL][ALL]));
    for (size_t b = 0; b < ALL; b++) {
        double ui = known.logp[state_of(b, r)],
               uj = known.logp[state_of(b, r + 1)];
        double ratio = sign * (beta_of(r) - beta_of(r + 1)) * (uj - ui);
        double chance = fmin(1, exp(ratio));
        for (size_t a = 0; a < ALL; a++) {
            P[a][swapped(b, r)] += known.move[a][b] * chance;
            P[a][b] += known.move[a][b] * (1 - chance);
        }
    }
}

static double error_of(double P[ALL][ALL])
{
    double worst = 0;
    for (size_t b = 0; b < ALL; b++) {
        double flow = 0;
        for (size_t a = 0; a < ALL; a++)
            flow += known.pi[a] * P[a][b];
        worst = fmax(worst, fabs(flow - known.pi[b]));
    }
    return worst;
}

static void know(const char *kernel, const double *value)
{
    fill_moves(kernel, value);
    fill_matrix(0, 1, known.P[0]); /* exchanges of even pairs */
    fill_matrix(1, 1, known.P[1]);
}

static void the_product_of_the_laws_is_kept(void **state)
{
    (void)state;
    static double P[ALL][ALL];
    const double step[] = {0.8, 0.5, 0, 0}, scan[] = {0, 1};
    know("dmala", step);
    assert_true(error_of(known.P[0]) < 1e-12 && error_of(known.P[1]) < 1e-12);
    fill_matrix(0, -1, P);
    assert_true(error_of(P) > 1e-3);
    know("gibbs", scan);
    assert_true(error_of(known.P[0]) < 1e-12 && error_of(known.P[1]) < 1e-12);
}

/* ---- the real ladder ----------------------------------------------------- */

static size_t joint_of(cs_run *r, size_t first)
{
    size_t joint = 0;
    for (size_t rung = RUNGS; rung-- > 0;) {
        const double *x = cs_run_chain(r, 0, first + rung).x;
        joint = joint * STATES + cs_space_index(&cs_run_target(r)->space, x, 1);
    }
    return joint;
}

/* Returns true if the frequencies of steps of real ladders agree with the
 * matrices, by one chi-square test per row with p > 1e-7 / rows. */
static bool frequencies(const cs_kernel *k)
{
    enum { STEPS = 6000 };
    static double count[2][ALL][ALL];
    size_t from[LADDERS];
    bool good = true;
    memset(count, 0, sizeof count);
    cs_run *r = open_ladders(k, &small_pair, LADDERS, 17);
    for (size_t l = 0; l < LADDERS; l++)
        from[l] = joint_of(r, l * RUNGS);
    for (size_t s = 1; s <= STEPS; s++) {
        assert_int_equal(cs_run_advance(r, 1, NULL, NULL), CS_OK);
        for (size_t l = 0; l < LADDERS; l++) {
            size_t to = joint_of(r, l * RUNGS);
            count[s % 2][from[l]][to]++;
            from[l] = to;
        }
    }
    cs_run_destroy(r);
    for (size_t odd = 0; odd < 2; odd++)
        for (size_t a = 0; a < ALL; a++)
            good &= cs_check_cells_p(count[odd][a], known.P[odd][a], ALL) >
                    1e-7 / (2 * ALL);
    return good;
}

static void the_ladder_moves_as_the_formula(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double value[4];
    } list[] = {{"dmala", {0.8, 0.5, 0, 0}}, {"gibbs", {0, 1}}};
    for (size_t i = 0; i < 2; i++) {
        const cs_kernel_type *type = cs_kernel_find(list[i].name);
        cs_kernel k = around(type, list[i].value, RUNGS, HOTTEST, 1);
        know(list[i].name, list[i].value);
        if (!frequencies(&k))
            fail_msg("a ladder of %s", list[i].name);
        cs_kernel_release(&k);
    }
}

/* Also compares ladders whose temperatures are given as a parameter. */
static void a_ladder_by_hand_moves_as_the_formula(void **state)
{
    (void)state;
    const double value[] = {0.8, 0.5, 0, 0}, hot[RUNGS] = {1, 1.5, 20};
    set_ladder(hot);
    know("dmala", value);
    cs_kernel k =
        by_hand("parallel_tempering", cs_kernel_find("dmala"), value, NULL);
    assert_true(frequencies(&k));
    set_ladder(NULL); /* other temperatures than those of the kernel */
    know("dmala", value);
    assert_false(frequencies(&k));
    cs_kernel_release(&k);
}

/* ---- planted faults ------------------------------------------------------ */

static const cs_kernel_type *honest;

static void stays_stale(cs_move *m)
{
    if (m->fresh)
        honest->init(m);
}

static void swaps_uphill(const cs_exchange *m)
{
    double *logp = cs_alloc(m->chains, sizeof *logp);
    cs_exchange wrong = *m;
    for (size_t c = 0; c < m->chains; c++)
        logp[c] = -m->logp[c];
    wrong.logp = logp;
    cs_kernel_find("parallel_tempering")->exchange->run(&wrong);
    cs_free(logp);
}

/* Fault: swaps are accepted as if neighbours were half as far apart in
 * temperature. */
static void swaps_at_other_temperatures(const cs_exchange *m)
{
    double *logp = cs_alloc(m->chains, sizeof *logp);
    cs_exchange wrong = *m;
    for (size_t c = 0; c < m->chains; c++)
        logp[c] = 0.5 * m->logp[c];
    wrong.logp = logp;
    cs_kernel_find("parallel_tempering")->exchange->run(&wrong);
    cs_free(logp);
}

static void faults_are_caught(void **state)
{
    (void)state;
    const double value[] = {0.8, 0.5, 0, 0};
    honest = cs_kernel_find("dmala");
    know("dmala", value);
    cs_kernel k = around(honest, value, RUNGS, HOTTEST, 1);
    cs_kernel_type type = *k.type;
    cs_exchange_type exchange = *type.exchange;
    type.exchange = &exchange;
    exchange.run = swaps_uphill;
    k.type = &type;
    assert_false(frequencies(&k));
    exchange.run = swaps_at_other_temperatures;
    assert_false(frequencies(&k));
    cs_kernel_release(&k);
    cs_kernel_type stale = *honest;
    stale.init = stays_stale;
    k = around(&stale, value, RUNGS, HOTTEST, 1);
    assert_false(frequencies(&k));
    cs_kernel_release(&k);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_rung_has_its_temperature),
    cmocka_unit_test(the_product_of_the_laws_is_kept),
    cmocka_unit_test(the_ladder_moves_as_the_formula),
    cmocka_unit_test(a_ladder_by_hand_moves_as_the_formula),
    cmocka_unit_test(faults_are_caught),
};
TESTS(test_tempering)
