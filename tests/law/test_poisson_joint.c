/* Applies Geweke's joint test (Getting it right, 2004) to the kernels with a
 * Poisson minibatch. The test draws parameters from the prior and data from the
 * model. Then it alternates between a step of the kernel given the data and new
 * data given the parameters. The joint distribution of parameters and data is
 * preserved, both if a step draws few rows and if it draws more rows than are
 * stored. */
#include "base/memory.h"
#include "check/laws.h"
#include "support/poisson_hand.h"
#include "support/sanitized.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

enum { LANES = 32, DIM = 2, ROWS = 6, CYCLES = 3, SEEN = 3 };

/* ---- the model ----------------------------------------------------------- */

/* theta ~ N(0, I); y_r is 1 with probability 1/2 + 0.45 sin(a_r theta + c_r).
 * Each chain has its own data. */
static bool data[LANES][ROWS];

static double angle(size_t r, const double *x)
{
    static const double by[ROWS][DIM] = {{0.9, 0.3},  {-0.4, 1.1}, {1.3, 0.2},
                                         {-0.7, 0.6}, {0.5, -0.9}, {1.6, 1}};
    return by[r][0] * x[0] + by[r][1] * x[1] + 0.4 * (double)r - 1;
}

static double chance(size_t r, const double *x)
{
    return 0.5 + 0.45 * sin(angle(r, x));
}

static void point_at(const cs_point *at, size_t l, double *x)
{
    for (size_t d = 0; d < DIM; d++)
        x[d] = at->x[d * at->lanes + l];
}

/* Returns log P(y_r | x), and its gradient in closed form. The angle is linear
 * in x, so a_r is a difference of two angles. */
static double term_at(const cs_point *at, size_t l, size_t r, double *slope)
{
    double x[DIM], to[DIM], sign = data[l][r] ? 1 : -1;
    point_at(at, l, x);
    double p = data[l][r] ? chance(r, x) : 1 - chance(r, x);
    for (size_t d = 0; slope && d < DIM; d++) {
        memcpy(to, x, sizeof to);
        to[d] += 1; /* the angle is linear in x */
        slope[d] =
            sign * 0.45 * cos(angle(r, x)) * (angle(r, to) - angle(r, x)) / p;
    }
    return log(p);
}

static void prior(const cs_target *t, const cs_point *at, double *logp,
                  double *g)
{
    (void)t;
    for (size_t l = 0; l < at->lanes; l++) {
        double x[DIM];
        point_at(at, l, x);
        logp[l] = -(x[0] * x[0] + x[1] * x[1]) / 2;
        for (size_t d = 0; g && d < DIM; d++)
            g[d * at->lanes + l] = -x[d];
    }
}

/* Computes log p for the live lanes. The states in the other lanes repeat the
 * state of the last live lane. */
static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    prior(t, at, logp, NULL);
    for (size_t l = 0; l < at->live; l++)
        for (size_t r = 0; r < ROWS; r++)
            logp[l] += term_at(at, l, r, NULL);
}

static void terms(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp)
{
    (void)t;
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i++)
            logp[i] = term_at(at, l, b->row[i], NULL);
}

static void slope(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g)
{
    double by[CS_PAD][DIM], weight[CS_PAD];
    (void)t;
    memset(g, 0, DIM * at->lanes * sizeof *g);
    for (size_t l = 0; l < at->live; l++)
        for (size_t i = b->first[l]; i < b->first[l + 1]; i += CS_PAD) {
            size_t left = b->first[l + 1] - i;
            size_t n = left < CS_PAD ? left : CS_PAD;
            for (size_t k = 0; k < n; k++)
                logp[i + k] = term_at(at, l, b->row[i + k], by[k]);
            b->weigh(b->of, l, i, n, logp + i, weight);
            for (size_t k = 0; k < n; k++)
                for (size_t d = 0; d < DIM; d++)
                    g[d * at->lanes + l] += weight[k] * by[k][d];
        }
}

static cs_status term_range(const cs_target *t, double *low, double *high,
                            cs_error *err)
{
    (void)t;
    (void)err;
    for (size_t r = 0; r < ROWS; r++) {
        low[r] = log(0.05);
        high[r] = log(0.95);
    }
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = DIM};
    t->n_rows = t->data_terms = ROWS;
    t->row_bounds = CS_ROW_RANGE;
    return CS_OK;
}

static const cs_target_type reported = {.name = "told",
                                        .title = "told",
                                        .create = create,
                                        .destroy = small_destroy,
                                        .log_density = log_density,
                                        .prior = prior,
                                        .rows.terms = terms,
                                        .rows.slope = slope,
                                        .rows.range = term_range};

/* ---- the test ------------------------------------------------------------ */

static void draw_data(const cs_block *b, uint64_t *seed)
{
    for (size_t l = 0; l < LANES; l++) {
        double x[DIM];
        cs_block_state(b, l, x);
        for (size_t r = 0; r < ROWS; r++)
            data[l][r] = small_uniform(seed) < chance(r, x);
    }
}

/* Computes the statistics that are compared: both coordinates of x, and the
 * product of x and the data. */
static void look(const double *x, const bool *y, double *out)
{
    double sum = 0;
    for (size_t r = 0; r < ROWS; r++)
        sum += y[r] ? 1 : -1;
    memcpy(out, x, DIM * sizeof *x);
    out[DIM] = x[0] * sum + x[1] * (y[1] ? 1 : -1);
}

static void look_afresh(uint64_t *seed, double *out)
{
    double x[DIM] = {small_normal(seed), small_normal(seed)};
    bool y[ROWS];
    for (size_t r = 0; r < ROWS; r++)
        y[r] = small_uniform(seed) < chance(r, x);
    look(x, y, out);
}

static void start_in_the_prior(cs_block *b, uint64_t stream, uint64_t *seed)
{
    double x[LANES][DIM];
    const double *start[LANES];
    for (size_t l = 0; l < LANES; l++) {
        for (size_t d = 0; d < DIM; d++)
            x[l][d] = small_normal(seed);
        start[l] = x[l];
    }
    cs_check_reseed(b, stream);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
}

static double joint_law_stays(const setting *s, cs_target *t, size_t draws,
                              uint64_t seed)
{
    double *seen[SEEN], *fresh[SEEN], least = 1, far;
    const double origin[DIM] = {0};
    size_t n = 0;
    uint64_t aux = seed + 1;
    for (size_t k = 0; k < SEEN; k++) {
        seen[k] = cs_alloc(draws + LANES, sizeof **seen);
        fresh[k] = cs_alloc(draws + LANES, sizeof **fresh);
        assert_true(seen[k] && fresh[k]);
    }
    cs_block *b = open_block(s, t, seed, LANES, origin);
    while (n < draws) {
        start_in_the_prior(b, seed + n, &aux);
        for (int i = 0; i < CYCLES; i++) {
            draw_data(b, &aux);
            cs_block_refresh(b);
            one_step(s, b);
        }
        for (size_t l = 0; l < LANES; l++, n++) {
            double x[DIM], is[SEEN], should[SEEN];
            cs_block_state(b, l, x);
            look(x, data[l], is);
            look_afresh(&aux, should);
            for (size_t k = 0; k < SEEN; k++) {
                seen[k][n] = is[k];
                fresh[k][n] = should[k];
            }
        }
    }
    cs_block_destroy(b);
    for (size_t k = 0; k < SEEN; k++) {
        least = fmin(least, cs_check_samples_p(seen[k], fresh[k], n, &far));
        cs_free(seen[k]);
        cs_free(fresh[k]);
    }
    return SEEN * least;
}

static void try_joint(hand_kernel kernel, double step, double lambda,
                      size_t draws)
{
    setting s = hand_setting(kernel, step, lambda);
    const cs_check c = {.draws = draws};
    cs_looks looks = {0};
    cs_target *t;
    assert_int_equal(cs_target_create(&reported, NULL, 0, &t, NULL), CS_OK);
    while (cs_check_look(&c, &looks))
        looks.p =
            joint_law_stays(&s, t, looks.draws, (uint64_t)looks.look << 40);
    if (cs_check_refutes(&looks))
        fail_msg("%s, lambda %g: p = %g", hand_name[kernel], lambda, looks.p);
    cs_target_release(t);
}

static void parameters_and_data_keep_their_law(void **state)
{
    (void)state;
    for (hand_kernel k = 0; k < HANDS; k++) {
        try_joint(k, 1.5, 0.003, 16000 / SHORTER);
        try_joint(k, 1.2, 0.2, 8000 / SHORTER);
    }
}

/* With L^2 = 312 a step draws 9400 rows on average, of which at most 8192 are
 * stored. */
static void many_draws_keep_it_too(void **state)
{
    (void)state;
    for (hand_kernel k = 0; k < HANDS; k++)
        try_joint(k, 1.2, 30, 160 / SHORTER);
}

/* The law book requires a test of ranks on rows with bounds, for each of these
 * kernels and for at least two settings of each kernel. */
static void ranks_are_tried(void **state)
{
    (void)state;
    const kernel_law *ranks = law_find("ranks");
    points p = points_create(&small_tall);
    for (hand_kernel k = 0; k < HANDS; k++) {
        const cs_kernel_type *type = cs_kernel_find(hand_name[k]);
        setting s;
        size_t n = 0;
        assert_true(law_owed(ranks, type));
        while (law_setting(type, n, &s)) {
            assert_true(law_fits(&s, &p) && ranks->applies(&s, &p));
            n++;
        }
        assert_true(n >= 2);
    }
    points_destroy(&p);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parameters_and_data_keep_their_law),
    cmocka_unit_test(many_draws_keep_it_too),
    cmocka_unit_test(ranks_are_tried),
};
TESTS(test_poisson_joint)
