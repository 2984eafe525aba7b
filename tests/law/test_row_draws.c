/* Tests how a step draws rows. The number of rows has a Poisson distribution,
 * and a row is drawn with a probability proportional to its bound. The random
 * numbers come from the chain's own stream. The rows do not depend on the
 * number of pieces in which they are drawn. */
#include "base/memory.h"
#include "check/laws.h"
#include "kernels/auxiliary/row_draws.h"
#include "support/by_name.h"
#include "support/poisson_hand.h"
#include "support/sanitized.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <string.h>

enum { TRIES = 20000 / SHORTER };

/* ---- number of rows ------------------------------------------------------ */

static double count_at(double mean, uint64_t step)
{
    static const uint64_t chain[] = {3};
    cs_streams s = cs_streams_of(11, step, chain, 1, 1);
    return cs_poisson_count(&s, CS_FOR_SITE, mean);
}

enum { CELLS = 50 };

/* The probabilities of the counts first .. first + n - 1, whose sum is at least
 * 1 - 1e-20. (GSL's distribution function fails at some of the large means.) */
typedef struct law {
    size_t first, n;
    double *p, *below; /* [n] P(K = k), P(K < k) */
} law;

static law law_of(double mean)
{
    double reach = 10 * sqrt(mean) + 30, from = fmax(0, floor(mean - reach));
    law w = {(size_t)from, (size_t)(mean + reach - from) + 1, NULL, NULL};
    double sum = 0;
    w.p = cs_alloc(w.n, sizeof *w.p);
    w.below = cs_alloc(w.n, sizeof *w.below);
    assert_true(w.p && w.below);
    for (size_t i = 0; i < w.n; i++) {
        w.p[i] = gsl_ran_poisson_pdf((unsigned)(w.first + i), mean);
        w.below[i] = sum;
        sum += w.p[i];
    }
    assert_near(sum, 1, 1e-6, 0);
    return w;
}

/* Returns the p-value of the hypothesis that the counts have these
 * probabilities. A randomized probability transform makes the counts
 * uniform. */
static double p_of_counts(double mean, const law *w, size_t n, uint64_t from)
{
    double cell[CELLS] = {0}, even[CELLS];
    uint64_t seed = 5 + from;
    for (size_t i = 0; i < n; i++) {
        double k = count_at(mean, from + i), u = small_uniform(&seed);
        assert_true(k == floor(k) && k >= (double)w->first);
        size_t at = (size_t)k - w->first;
        assert_true(at < w->n);
        u = fmin(w->below[at] + u * w->p[at], 1 - 1e-9);
        cell[(size_t)(u * CELLS)]++;
    }
    for (size_t i = 0; i < CELLS; i++)
        even[i] = 1.0 / CELLS;
    return cs_check_cells_p(cell, even, CELLS);
}

/* A test with a doubtful p-value is repeated. */
static void numbers_are_poisson(void **state)
{
    (void)state;
    static const double mean[] = {0.3, 3,  9.9, 10,  10.5, 13,
                                  30,  98, 400, 1e4, 1e7};
    for (size_t i = 0; i < sizeof mean / sizeof *mean; i++) {
        const cs_check c = {.draws = TRIES};
        cs_looks looks = {0};
        law w = law_of(mean[i]);
        while (cs_check_look(&c, &looks))
            looks.p = p_of_counts(mean[i], &w, looks.draws,
                                  (uint64_t)looks.look << 40);
        cs_free(w.p);
        cs_free(w.below);
        if (cs_check_refutes(&looks))
            fail_msg("mean %g: p = %g", mean[i], looks.p);
    }
    assert_true(count_at(0, 1) == 0);
}

/* If the mean is small, the number of rows is found by inversion, as a known
 * function of the uniform random number. */
static void small_numbers_are_inverted(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (size_t i = 0; i < 20000; i++) {
        double mean = 10 * small_uniform(&seed), u = small_uniform(&seed);
        double k = cs_poisson_small(mean, u);
        double below = k > 0 ? gsl_cdf_poisson_P((unsigned)k - 1, mean) : 0;
        assert_true(below <= u + 1e-13);
        assert_true(u < gsl_cdf_poisson_P((unsigned)k, mean) + 1e-13);
    }
    assert_true(cs_poisson_small(9.9, 1 - 0x1p-53) < 60);
}

/* ---- which rows ---------------------------------------------------------- */

enum { LANES = 16, MOST = 24000 };

/* Creates a block for a target with bounds. */
static cs_block *block_of(size_t live)
{
    static const double x[SMALL_TALL_DIM] = {0.2, -0.3};
    cs_target *t;
    setting s = {.kernel = kernel_of("poisson_mh")};
    assert_int_equal(cs_target_create(&small_tall, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(&s, t, 21, live, x);
    cs_target_release(t);
    b->move.streams.step = 7;
    return b;
}

static cs_row_draws open_draws(const cs_block *b, double **scratch)
{
    const cs_row_bounds *bounds = cs_row_bounds_of(b->target, CS_ROW_RANGE);
    *scratch = cs_alloc(cs_row_draws_words() * b->lanes, sizeof **scratch);
    assert_non_null(*scratch);
    return cs_row_draws_open(&b->move, bounds, *scratch);
}

typedef struct drawn {
    size_t n;
    uint32_t row[MOST], coin[MOST];
} drawn;

/* Collects all pieces of all lanes. */
static void draw_pieces(cs_row_draws *d, drawn *out)
{
    for (size_t l = 0; l < d->m->live; l++)
        out[l].n = 0;
    cs_row_draws_begin(d);
    while (cs_row_draws_next(d)) {
        cs_batch b = cs_row_draws_batch(d);
        assert_true(b.first[0] == 0 && b.first[d->m->live] > 0);
        for (size_t l = 0; l < d->m->live; l++) {
            size_t n = b.first[l + 1] - b.first[l];
            assert_true(n <= CS_PIECE && out[l].n + n <= MOST);
            memcpy(out[l].row + out[l].n, b.row + b.first[l],
                   n * sizeof *b.row);
            memcpy(out[l].coin + out[l].n, d->coin + b.first[l],
                   n * sizeof *d->coin);
            out[l].n += n;
        }
    }
}

static void same_draws(const drawn *a, const hand_stream *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->row, b->row, a->n * sizeof *a->row);
    assert_memory_equal(a->coin, b->coin, a->n * sizeof *a->coin);
}

/* Draws all pieces twice, because a step may generate earlier pieces again.
 * Each lane has its own mean, and lane 2 draws no rows. */
static void try_pieces(size_t live, double mean)
{
    static drawn got[LANES];
    double *scratch;
    cs_block *b = block_of(live);
    cs_row_draws d = open_draws(b, &scratch);
    for (size_t l = 0; l < live; l++)
        cs_row_draws_count(&d, l, l == 2 ? 0 : mean / (double)(1 + l % 4));
    for (int again = 0; again < 2; again++) {
        draw_pieces(&d, got);
        for (size_t l = 0; l < live; l++) {
            double own = l == 2 ? 0 : mean / (double)(1 + l % 4);
            hand_stream want = hand_read(&b->move, d.bounds, l, own);
            assert_true(d.count[l] == (double)want.n);
            same_draws(&got[l], &want);
            hand_forget(&want);
        }
    }
    cs_free(scratch);
    cs_block_destroy(b);
}

static void pieces_are_the_whole(void **state)
{
    (void)state;
    static const double mean[] = {0.5, 3, 512, 1100, 2000, 20000};
    for (size_t i = 0; i < sizeof mean / sizeof *mean; i++)
        for (size_t live = 1; live <= LANES; live += 3)
            try_pieces(live, mean[i]);
}

/* Rows are drawn in proportion to their bounds. The row's random number for its
 * acceptance (the coin) is uniform and independent of the row. */
static void rows_are_in_proportion(void **state)
{
    (void)state;
    enum { PARTS = 16, STEPS = 200 };
    static drawn got[LANES];
    double count[SMALL_TALL_ROWS * PARTS] = {0}, mass[SMALL_TALL_ROWS * PARTS];
    double *scratch;
    cs_block *b = block_of(LANES);
    cs_row_draws d = open_draws(b, &scratch);
    for (uint64_t k = 0; k < STEPS; k++) {
        b->move.streams =
            cs_streams_of(21, k, b->move.streams.chain, b->lanes, LANES);
        for (size_t l = 0; l < LANES; l++)
            cs_row_draws_count(&d, l, 40);
        draw_pieces(&d, got);
        for (size_t l = 0; l < LANES; l++)
            for (size_t i = 0; i < got[l].n; i++)
                count[got[l].row[i] * PARTS + got[l].coin[i] / (1u << 28)]++;
    }
    for (size_t i = 0; i < SMALL_TALL_ROWS * PARTS; i++)
        mass[i] =
            (double)d.bounds->of[i / PARTS].width / d.bounds->total / PARTS;
    assert_true(cs_check_cells_p(count, mass, SMALL_TALL_ROWS * PARTS) > 1e-5);
    cs_free(scratch);
    cs_block_destroy(b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_are_poisson),
    cmocka_unit_test(small_numbers_are_inverted),
    cmocka_unit_test(pieces_are_the_whole),
    cmocka_unit_test(rows_are_in_proportion),
};
TESTS(test_row_draws)
