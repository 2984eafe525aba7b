/* Tests properties of the entropic kernels that the law book (support/laws.h)
 * does not cover: their limit for large eta, the exact bias of edula, results
 * of an independent program, half steps, and the outputs that report
 * theta_a. */
#include "base/memory.h"
#include "run/draws/kept_draws.h"
#include "run/run.h"
#include "run/views/view.h"
#include "support/entropic.h"
#include "support/laws.h"
#include "support/matrix.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

enum { LANES = LAW_CHAINS };

static setting made(const char *kernel, const double *value)
{
    setting s = {.kernel.type = cs_kernel_find(kernel), .formula = kernel};
    assert_non_null(s.kernel.type);
    memcpy(s.kernel.values, value, s.kernel.type->n_params * sizeof *value);
    return s;
}

/* ---- the limit ----------------------------------------------------------- */

/* Given the same random numbers, entropic kernels with a huge eta make the same
 * moves as discrete Langevin kernels without theta_a. */
static void entropic_tends_to_langevin(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"edula", "dula"},
                                           {"edmala", "dmala"},
                                           {"edula_glu", "dula"},
                                           {"edmala_glu", "dmala"}};
    for (size_t g = 0; law_grounds[g]; g++) {
        points p = points_create(law_grounds[g]);
        for (size_t k = 0; k < 4 && p.n; k++) {
            bool glu = k > 1;
            double far[CS_KERNEL_PARAMS] = {0.8, 0.6, 1e16, glu ? 0 : 0.3};
            double plain[CS_KERNEL_PARAMS] = {0.8, 0.6, 0};
            setting s = made(pairs[k][0], far), t = made(pairs[k][1], plain);
            cs_block *a = open_block(&s, p.target, 3, LANES, p.x);
            cs_block *b = open_block(&t, p.target, 3, LANES, p.x);
            for (int i = 0; i < 400; i++) {
                one_step(&s, a);
                one_step(&t, b);
                assert_memory_equal(a->move.x, b->move.x,
                                    p.dim * a->lanes * sizeof(double));
            }
            cs_block_destroy(a);
            cs_block_destroy(b);
        }
        points_destroy(&p);
    }
}

/* The difference between the transition matrices of the entropic kernel and the
 * Langevin kernel decreases as 1 / eta. */
static void matrices_come_together(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    double P[256], q[256], last = 1;
    langevin(&p, 0.8, 0.5, q);
    for (double eta = 1; eta < 2e4; eta *= 10) {
        const entropic e = {.step = 0.8, .balance = 0.5, .eta = eta};
        double worst = 0;
        entropic_matrix(&e, &p, P);
        for (size_t i = 0; i < 256; i++)
            worst = fmax(worst, fabs(P[i] - q[i]));
        assert_true(worst < last / 5);
        last = worst;
    }
    assert_true(last < 1e-5);
    points_destroy(&p);
}

/* ---- the bias of edula --------------------------------------------------- */

/* Returns log p of two coupled bits: log p = 0.9 x_0 - 0.6 x_1 + 1.4 x_0
 * x_1. */
static double coupled(const double *x, double *g)
{
    g[0] = 0.9 + 1.4 * x[1];
    g[1] = -0.6 + 1.4 * x[0];
    return 0.9 * x[0] - 0.6 * x[1] + 1.4 * x[0] * x[1];
}

extern const cs_target_type small_coupled;
SMALL(coupled, CS_BINARY, 2, 0, 2);

/* A distribution of (x, theta_a) on a grid of theta_a. Sums over the grid equal
 * integrals up to rounding, since the integrand is smooth and vanishes at the
 * ends of the grid. */
enum { GRID = 40, STATES = 4 };
typedef double grid_law[STATES][GRID][GRID];

static double grid_at(int k)
{
    return 0.5 + 0.3 * (k - (GRID - 1) / 2.0);
}

static double flip(const entropic *e, const double *x, size_t i, double a)
{
    double g[2];
    coupled(x, g);
    double slope = g[i] - (x[i] - a) / e->eta;
    double z = e->balance * (1 - 2 * x[i]) * slope - 1 / (2 * e->step);
    return 1 / (1 + exp(-z));
}

/* Computes the transition matrix of one theta_a: M[k][j] is N(j; a_k + step_a /
 * 2 (x - a_k) / eta, step_a). */
static void smear(const entropic *e, double x, double M[GRID][GRID])
{
    for (int k = 0; k < GRID; k++) {
        double mean = grid_at(k) + e->step_a / 2 * (x - grid_at(k)) / e->eta,
               total = 0;
        for (int j = 0; j < GRID; j++) {
            double r = grid_at(j) - mean;
            total += M[k][j] = exp(-r * r / (2 * e->step_a));
        }
        for (int j = 0; j < GRID; j++)
            M[k][j] /= total;
    }
}

/* Computes the part of law[s] that moves to state t, by flips of the sites and
 * by the drift of each theta_a. Adds this part to next[t]. */
static void flow(const entropic *e, unsigned s, unsigned t, grid_law law,
                 grid_law next)
{
    static double part[GRID][GRID], half[GRID][GRID], M[2][GRID][GRID];
    const double x[2] = {s >> 1, s & 1}, y[2] = {t >> 1, t & 1};
    double q[2][GRID];
    for (size_t i = 0; i < 2; i++) {
        smear(e, x[i], M[i]);
        for (int k = 0; k < GRID; k++) {
            double f = flip(e, x, i, grid_at(k));
            q[i][k] = x[i] != y[i] ? f : 1 - f;
        }
    }
    for (int k = 0; k < GRID; k++)
        for (int l = 0; l < GRID; l++)
            part[k][l] = law[s][k][l] * q[0][k] * q[1][l];
    memset(half, 0, sizeof half);
    for (int k = 0; k < GRID; k++)
        for (int j = 0; j < GRID; j++)
            for (int l = 0; l < GRID; l++)
                half[j][l] += M[0][k][j] * part[k][l];
    for (int j = 0; j < GRID; j++)
        for (int l = 0; l < GRID; l++)
            for (int k = 0; k < GRID; k++)
                next[t][j][k] += half[j][l] * M[1][l][k];
}

/* Computes the stationary distribution of x under edula, summed over theta_a:
 * out[4]. */
static void edula_law(const entropic *e, double *out)
{
    static grid_law law, next;
    double moved = 1;
    memset(law, 0, sizeof law);
    law[0][GRID / 2][GRID / 2] = 1;
    for (int round = 0; round < 400 && moved > 1e-9; round++) {
        memset(next, 0, sizeof next);
        for (unsigned s = 0; s < STATES; s++)
            for (unsigned t = 0; t < STATES; t++)
                flow(e, s, t, law, next);
        moved = 0;
        for (size_t i = 0; i < STATES * GRID * GRID; i++)
            moved += fabs((&next[0][0][0])[i] - (&law[0][0][0])[i]);
        memcpy(law, next, sizeof law);
    }
    assert_true(moved < 1e-8);
    for (size_t s = 0; s < STATES; s++) {
        out[s] = 0;
        for (size_t i = 0; i < GRID * GRID; i++)
            out[s] += (&law[s][0][0])[i];
    }
}

/* Computes the frequencies of the states in a long run. Their standard errors
 * are computed from the spread between chains. */
static void long_run(const setting *s, cs_target *t, size_t steps,
                     double *share, double *error)
{
    const double start[2] = {0, 0};
    double count[LANES][STATES] = {{0}};
    cs_block *b = open_block(s, t, 4, LANES, start);
    for (size_t k = 0; k < steps; k++) {
        one_step(s, b);
        for (size_t l = 0; l < LANES; l++) {
            double high = b->move.x[l], low = b->move.x[b->lanes + l];
            count[l][(size_t)(2 * high + low)] += 1 / (double)steps;
        }
    }
    cs_block_destroy(b);
    for (size_t i = 0; i < STATES; i++) {
        double sum = 0, square = 0;
        for (size_t l = 0; l < LANES; l++) {
            sum += count[l][i] / LANES;
            square += count[l][i] * count[l][i] / LANES;
        }
        share[i] = sum;
        error[i] = sqrt((square - sum * sum) / (LANES - 1));
    }
}

/* The stationary distribution of edula is computed by quadrature and agrees
 * with a long run within six standard errors. It differs from the target, but
 * the difference decreases with the step sizes. */
static void edula_has_its_exact_bias(void **state)
{
    (void)state;
    static const double values[][CS_KERNEL_PARAMS] = {{1, 0.5, 0.7, 0.6},
                                                      {0.2, 0.5, 1, 0.3}};
    cs_target *t = NULL;
    double pi[STATES], total = 0, g[2], last = 1;
    assert_int_equal(cs_target_create(&small_coupled, NULL, 0, &t, NULL),
                     CS_OK);
    for (unsigned s = 0; s < STATES; s++) {
        const double x[2] = {s >> 1, s & 1};
        total += pi[s] = exp(coupled(x, g));
    }
    for (size_t k = 0; k < 2; k++) {
        setting s = made("edula", values[k]);
        entropic e;
        double want[STATES], share[STATES], error[STATES], tv = 0;
        assert_true(entropic_of("edula", s.kernel.values, CS_BINARY, &e));
        edula_law(&e, want);
        long_run(&s, t, 6000, share, error);
        for (size_t i = 0; i < STATES; i++) {
            assert_true(fabs(share[i] - want[i]) < 6 * error[i]);
            tv += fabs(want[i] - pi[i] / total) / 2;
        }
        assert_true(tv > 0.01 && tv < last);
        last = tv;
    }
    cs_target_release(t);
}

/* ---- results of an independent program ----------------------------------- */

typedef struct figures {
    double accepted, tv;
} figures;

static figures measure(const char *kernel, const double *value, size_t steps)
{
    points p = points_create(&small_masses);
    setting s = made(kernel, value);
    figures f = {0, 0};
    double count[16] = {0}, n = (double)steps * LANES;
    cs_block *b = open_block(&s, p.target, 9, LANES, p.x);
    for (size_t k = 0; k < steps; k++) {
        one_step(&s, b);
        for (size_t l = 0; l < LANES; l++) {
            double x[4];
            cs_block_state(b, l, x);
            count[cs_space_index(&p.target->space, x, 1)] += 1 / n;
            f.accepted += b->move.info.accepted[l] / n;
        }
    }
    cs_block_destroy(b);
    for (size_t i = 0; i < 16; i++)
        f.tv += fabs(count[i] - p.pi[i]) / 2;
    points_destroy(&p);
    return f;
}

/* Compares with values of a program written from the paper, which used 256
 * chains of 18,000 steps. Three values are the acceptance of edmala (step 0.4,
 * step_a 0.1). Three values are the total variation distance between edula
 * (step 0.2, step_a 0.1) and the target. */
static void four_bits_have_the_known_figures(void **state)
{
    (void)state;
    static const double accepted[][2] = {{0.1, 0.266}, {1, 0.837}, {4, 0.876}};
    static const double tv[][2] = {{0.1, 0.142}, {1, 0.0446}, {4, 0.0395}};
    for (size_t k = 0; k < 3; k++) {
        const double a[CS_KERNEL_PARAMS] = {0.4, 0.5, accepted[k][0], 0.1};
        const double b[CS_KERNEL_PARAMS] = {0.2, 0.5, tv[k][0], 0.1};
        assert_near(measure("edmala", a, 8000).accepted, accepted[k][1], 0,
                    0.006);
        assert_near(measure("edula", b, 16000).tv, tv[k][1], 0, 0.007);
    }
}

/* For the Gibbs-like version the transition matrix of x is known exactly. At
 * step 0.2 and eta 4 the total variation distance between its stationary
 * distribution and the target is 0.041, according to the independent program
 * named above. */
static void gibbs_like_bias_is_known(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    const entropic e = {.step = 0.2, .balance = 0.5, .eta = 4, .glu = true};
    double P[256], law[16], tv = 0;
    entropic_matrix(&e, &p, P);
    stationary(P, 16, law);
    for (size_t i = 0; i < 16; i++)
        tv += fabs(law[i] - p.pi[i]) / 2;
    assert_near(tv, 0.041, 0, 1.5e-3);
    points_destroy(&p);
}

/* ---- half steps ---------------------------------------------------------- */

/* With half steps x moves only in odd steps and theta_a only in even steps. The
 * variable that does not move keeps its value, bit for bit. */
static void halves_take_turns(void **state)
{
    (void)state;
    points p = points_create(&small_masses);
    for (int k = 0; k < 2; k++) {
        const double value[CS_KERNEL_PARAMS] = {1, 0.5, 1, 1};
        setting s = made(k ? "edmala_glu" : "edula_glu", value);
        cs_block *b = open_block(&s, p.target, 5, LANES, p.x);
        size_t size = p.dim * b->lanes * sizeof(double);
        double *x = cs_alloc(2 * size, 1), *a = x + p.dim * b->lanes;
        int moves = 0;
        for (int i = 1; i <= 60; i++) {
            uint64_t gradients = b->eval.work.gradients;
            memcpy(x, b->move.x, size);
            memcpy(a, b->move.memory, size);
            one_step(&s, b);
            bool same_x = memcmp(x, b->move.x, size) == 0;
            assert_int_equal(memcmp(a, b->move.memory, size) == 0, i % 2);
            assert_true(i % 2 || same_x);
            assert_int_equal(b->eval.work.gradients - gradients,
                             i % 2 ? LANES : 0);
            moves += !same_x;
        }
        assert_true(moves > 20);
        cs_free(x);
        cs_block_destroy(b);
    }
    points_destroy(&p);
}

/* ---- where theta_a is reported ------------------------------------------- */

typedef struct written {
    size_t rows;
    double last[16];
} written;

static void sink(void *self, size_t arm, size_t chain, const double *rows,
                 size_t n)
{
    written *s = self;
    if (arm != 0 || chain != 1)
        return;
    s->rows += n;
    memcpy(s->last, rows + (n - 1) * (3 + 4 + 4), 11 * sizeof *rows);
}

static void theta_a_is_seen(void **state)
{
    (void)state;
    cs_target *t = NULL;
    cs_run *r = NULL;
    cs_arm_spec arm = {.name = "a"};
    written s = {0};
    char name[32];
    double kept[40 * 9];
    assert_int_equal(
        cs_target_create(cs_target_find("bernoulli4"), NULL, 0, &t, NULL),
        CS_OK);
    assert_int_equal(
        cs_kernel_init(&arm.kernel, cs_kernel_find("edmala"), NULL, 0, NULL),
        CS_OK);
    const cs_run_spec spec = {.target = t,
                              .arms = &arm,
                              .n_arms = 1,
                              .chains = 3,
                              .seed = 2,
                              .keep = 32,
                              .workers = 1};
    assert_int_equal(cs_run_create(&r, &spec, NULL), CS_OK);
    assert_int_equal(cs_run_aux(r, 0), 4);
    cs_run_aux_name(r, 0, 2, name, sizeof name);
    assert_string_equal(name, "theta_a.3");
    assert_int_equal(cs_run_sink(r, sink, &s, 1, NULL), CS_OK);
    assert_int_equal(cs_run_advance(r, 20, NULL, NULL), CS_OK);
    cs_chain_view v = cs_run_chain(r, 0, 1);
    assert_int_equal(v.aux_rows, 4);
    assert_int_equal(cs_run_draws(r, 0, 1, kept, NULL), 20);
    assert_int_equal(s.rows, 20);
    for (size_t i = 0; i < 4; i++) {
        assert_near(v.aux[i * v.aux_stride], kept[19 * 9 + 5 + i], 0, 0);
        assert_near(v.aux[i * v.aux_stride], s.last[7 + i], 0, 0);
        assert_near(v.x[i], s.last[3 + i], 0, 0);
    }
    cs_run_destroy(r);
    cs_target_release(t);
}

/* A step size of theta_a that would make theta_a diverge is rejected with a
 * message. */
static void unstable_steps_are_refused(void **state)
{
    (void)state;
    points p = points_create(&small_bits);
    cs_error err;
    cs_kernel k = {.type = cs_kernel_find("edula"), .values = {1, 0.5, 1, 4}};
    assert_int_equal(cs_kernel_fits(&k, p.target, &err), CS_RANGE);
    assert_non_null(strstr(err.what, "theta_a"));
    k.values[3] = 3.99;
    assert_int_equal(cs_kernel_fits(&k, p.target, NULL), CS_OK);
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(entropic_tends_to_langevin),
    cmocka_unit_test(matrices_come_together),
    cmocka_unit_test(edula_has_its_exact_bias),
    cmocka_unit_test(four_bits_have_the_known_figures),
    cmocka_unit_test(gibbs_like_bias_is_known),
    cmocka_unit_test(halves_take_turns),
    cmocka_unit_test(theta_a_is_seen),
    cmocka_unit_test(unstable_steps_are_refused),
};
TESTS(test_entropic)
