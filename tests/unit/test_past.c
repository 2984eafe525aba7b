/* Tests draws by coupling from the past on small models whose states are all
 * enumerated. The draws have the target's distribution, and planted faults are
 * detected. */
#include "support/small_models.h"
#include "support/support.h"

#include "base/memory.h"

#include <gsl/gsl_cdf.h>
#include <stdio.h>
#include <string.h>

enum { LANES = CS_PAST_LANES, STEPS = 128 };
static const double least = 1e-5; /* smallest accepted chi-square p-value */

/* ---- simulations --------------------------------------------------------- */

/* A block of draws. */
typedef struct block {
    const cs_past_model *m;
    size_t lanes, live, sweeps;
    bool failed[LANES];
    uint64_t chain[LANES];
    double theta[SMALL_THETA * LANES] __attribute__((aligned(64)));
    double data[SMALL_DATA * LANES] __attribute__((aligned(64)));
    double updates[LANES], past[LANES], left[LANES];
    double *scratch;
} block;

static block *block_of(const cs_past_model *m, size_t live, const double *theta)
{
    block *b = cs_alloc(1, sizeof *b);
    b->m = m;
    b->live = live;
    b->lanes = cs_pad_lanes(live);
    for (size_t l = 0; l < b->lanes; l++) {
        b->chain[l] = l < live ? l : live - 1;
        for (size_t p = 0; p < m->parameters; p++)
            b->theta[p * b->lanes + l] = theta[p];
    }
    b->scratch = cs_alloc(cs_past_words(m) * b->lanes, sizeof(double));
    return b;
}

static void block_free(block *b)
{
    cs_free(b->scratch);
    cs_free(b);
}

typedef void simulation(const cs_past_model *m, const cs_point *at,
                        const cs_simulation *s);

static void simulate(block *b, simulation *f, uint64_t step, size_t first)
{
    cs_streams streams = cs_streams_of(7, step, b->chain, b->lanes, b->live);
    cs_point at = {.x = b->theta,
                   .scratch = b->scratch,
                   .lanes = b->lanes,
                   .live = b->live,
                   .failed = b->failed};
    cs_simulation s = {.streams = &streams,
                       .first = first,
                       .sweeps = b->sweeps,
                       .data = b->data,
                       .updates = b->updates,
                       .past = b->past,
                       .left = b->left};
    f(b->m, &at, &s);
}

static void tally(const small_open *s, const block *b, double *count)
{
    for (size_t l = 0; l < b->live; l++)
        count[small_bin(s, b->data + l, b->lanes)]++;
}

/* ---- the law ------------------------------------------------------------- */

static void test_draws_have_the_law(void **state)
{
    (void)state;
    for (const small_model *m = small_models; m->parameters; m++) {
        small_open s;
        double count[SMALL_STATES] = {0};
        small_open_model(&s, m, (int)cs_simd_level());
        block *b = block_of(&s.exact, LANES, m->theta);
        for (uint64_t step = 0; step < STEPS; step++) {
            simulate(b, cs_past_draw, step, 0);
            for (size_t l = 0; l < LANES; l++)
                assert_true(b->left[l] == 0 && b->past[l] >= 1 &&
                            b->updates[l] >= b->past[l]);
            tally(&s, b, count);
        }
        double p = small_chi_square(count, s.p, s.bins);
        if (!(p > least))
            fail_msg("%s: chance %g", s.name, p);
        block_free(b);
        small_close(&s);
    }
}

/* ---- planted faults ------------------------------------------------------ */

typedef enum fault { NONE, FRESH, AT_ONCE, AT_LIMIT, FAULTS } fault;
static const char *const fault_names[] = {
    "none", "fresh numbers", "stops when states are one", "draws at the limit"};

/* Simulates all lanes of `b` with a planted fault. Apart from the fault, the
 * simulation is the same as in past.c. */
typedef struct driver {
    block *b;
    cs_past_block at;
    fault fault;
    uint64_t step;
    uint64_t done;
    double u[SMALL_DATA * 2 * LANES] __attribute__((aligned(64)));
} driver;

static void fill(driver *d, size_t first, size_t n)
{
    cs_streams s = cs_streams_of(7, d->step, d->b->chain, LANES, LANES);
    s.skip = first;
    cs_fill_uniform(&s, CS_FOR_AUXILIARY, n, d->u);
}

static void take_draws(driver *d, uint64_t which)
{
    const cs_past_type *type = d->b->m->type;
    size_t last = type->finish ? type->last_rows(d->b->m->of) : 0;
    if (last) {
        fill(d, 0, last);
        type->finish(&d->at, 0, last, d->u);
    }
    for (size_t l = 0; l < LANES; l++)
        if (which >> l & 1)
            type->write(&d->at, l, d->b->data + l, LANES);
    d->done |= which;
}

static void come(driver *d, size_t past)
{
    const cs_past_type *type = d->b->m->type;
    size_t rows = type->rows(d->b->m->of), step = rows + rows % 2;
    size_t last = type->finish ? type->last_rows(d->b->m->of) : 0;
    size_t first = last + last % 2 + (d->fault == FRESH ? past << 20 : 0);
    type->forget(&d->at);
    for (size_t t = past; t > 0; t--) {
        fill(d, first + (t - 1) * step, rows);
        type->update(&d->at, false, 0, rows, d->u);
        if (d->fault == AT_ONCE)
            take_draws(d, ~type->open(&d->at) & ~d->done);
    }
}

static void faulty_draw(driver *d)
{
    const cs_past_type *type = d->b->m->type;
    d->done = 0;
    d->at = (cs_past_block){.model = d->b->m->of,
                            .theta = d->b->theta,
                            .lanes = LANES,
                            .live = LANES,
                            .memory = d->b->scratch};
    type->begin(&d->at);
    for (size_t past = 1; ~d->done; past *= 2) {
        come(d, past);
        take_draws(d, ~type->open(&d->at) & ~d->done);
        if (d->fault == AT_LIMIT && past == 1)
            take_draws(d, ~d->done);
    }
}

static double chance_of_faulty(const small_open *s, fault f)
{
    double count[SMALL_STATES] = {0};
    block *b = block_of(&s->exact, LANES, s->m.theta);
    driver *d = cs_alloc(1, sizeof *d);
    *d = (driver){.b = b, .fault = f};
    for (d->step = 0; d->step < 5 * STEPS; d->step++) {
        double product[SMALL_DATA * LANES];
        size_t bytes = s->n_data * LANES * sizeof(double);
        simulate(b, cs_past_draw, d->step, 0);
        memcpy(product, b->data, bytes);
        faulty_draw(d);
        if (f == NONE)
            assert_memory_equal(product, b->data, bytes);
        tally(s, b, count);
    }
    cs_free(d);
    block_free(b);
    return small_chi_square(count, s->p, s->bins);
}

/* Lists the faults that must be detected on each model. For updates of bonds or
 * of sets, the coupling time hardly depends on the state, so some faults have
 * no effect. */
static void test_faults_are_seen(void **state)
{
    static const struct {
        small_model m;
        unsigned seen;
    } on[] = {
        {{SPINS, PATH, 0, 2, 2, {-0.6, 0.4}},
         1 << FRESH | 1 << AT_ONCE | 1 << AT_LIMIT},
        {{BITS, STAR, 0, 2, 2, {1.1, -1}},
         1 << FRESH | 1 << AT_ONCE | 1 << AT_LIMIT},
        {{EDGES, PATH, 4, 3, 2, {0.3, -0.3, -0.5}},
         1 << FRESH | 1 << AT_ONCE | 1 << AT_LIMIT},
        {{POTTS, PATH, 0, 2, 3, {1.2, -0.8}}, 1 << AT_ONCE | 1 << AT_LIMIT},
        {{POTTS, CYCLE, 0, 1, 3, {2}}, 1 << AT_LIMIT},
    };
    (void)state;
    for (size_t k = 0; k < sizeof on / sizeof *on; k++) {
        small_open s;
        small_open_model(&s, &on[k].m, (int)cs_simd_level());
        for (fault f = NONE; f < FAULTS; f++) {
            bool seen = on[k].seen >> f & 1;
            double p = f == NONE || seen ? chance_of_faulty(&s, f) : 0;
            if ((p > least) != (f == NONE))
                fail_msg("%s, %s: chance %g", s.name, fault_names[f], p);
        }
        small_close(&s);
    }
}

/* ---- the same bits ------------------------------------------------------- */

/* Draws data for `live` lanes with one instruction set. Lanes in the mask
 * `without` are left out. Lane l has chain number l. */
static void draw_as(const small_model *m, int level, size_t live,
                    uint64_t without, double *to)
{
    small_open s;
    small_open_model(&s, m, level);
    block *b = block_of(&s.exact, live, m->theta);
    for (size_t l = 0; l < live; l++) {
        b->failed[l] = without >> l & 1;
        for (size_t p = 0; p < m->parameters; p++)
            b->theta[p * b->lanes + l] *= 1 + 0.01 * (double)(l % 5);
    }
    simulate(b, cs_past_draw, 3, CS_SIMULATION_ROWS);
    for (size_t l = 0; l < live; l++)
        for (size_t i = 0; i < s.n_data && !b->failed[l]; i++)
            to[l * SMALL_DATA + i] = b->data[i * b->lanes + l];
    for (size_t l = live; l < b->lanes; l++)
        for (size_t i = 0; i < s.n_data && !b->failed[live - 1]; i++)
            assert_true(b->data[i * b->lanes + l] ==
                        b->data[i * b->lanes + live - 1]);
    block_free(b);
    small_close(&s);
}

static void test_a_lane_stands_for_itself(void **state)
{
    static const size_t live[] = {1, 5, 8, 33, 64};
    (void)state;
    for (const small_model *m = small_models; m->parameters; m++) {
        double all[SMALL_DATA * LANES] = {0}, some[SMALL_DATA * LANES];
        draw_as(m, 0, LANES, 0, all);
        for (int level = 0; level <= (int)cs_simd_level(); level++)
            for (size_t k = 0; k < 5; k++) {
                memcpy(some, all, sizeof some);
                draw_as(m, level, live[k], 0x5a00f00000010b4, some);
                assert_memory_equal(some, all, sizeof all);
                draw_as(m, level, live[k], 0, some);
                assert_memory_equal(some, all, sizeof all);
            }
    }
}

/* If the number of updates reaches its limit, no draw is returned. Every draw
 * that is returned equals the draw without a limit. */
static void test_no_draw_past_the_limit(void **state)
{
    (void)state;
    for (const small_model *m = small_models; m->parameters; m++) {
        small_open s;
        size_t given = 0;
        small_open_model(&s, m, (int)cs_simd_level());
        double rows = (double)s.exact.type->rows(s.exact.of);
        block *whole = block_of(&s.exact, LANES, m->theta);
        cs_past_model small = s.exact;
        small.limit = 3 * rows;
        block *b = block_of(&small, LANES, m->theta);
        simulate(whole, cs_past_draw, 1, 0);
        simulate(b, cs_past_draw, 1, 0);
        for (size_t l = 0; l < LANES; l++) {
            bool soon = whole->past[l] <= 2;
            given += soon;
            assert_true((b->left[l] == 0) == soon);
            assert_true(b->updates[l] == (whole->past[l] == 1 ? 1 : 3) * rows);
            for (size_t i = 0; i < s.n_data; i++)
                assert_true(soon ? b->data[i * LANES + l] ==
                                       whole->data[i * LANES + l]
                                 : isnan(b->data[i * LANES + l]));
        }
        small.limit = rows - 1;
        simulate(b, cs_past_draw, 1, 0);
        for (size_t l = 0; l < LANES; l++)
            assert_true(b->left[l] > 0 && b->updates[l] == 0 &&
                        isnan(b->data[l]));
        block_free(whole);
        block_free(b);
        small_close(&s);
    }
}

/* ---- sweeps -------------------------------------------------------------- */

/* Many sweeps from one state lead to the target's distribution. */
static void test_sweeps_lead_to_the_law(void **state)
{
    (void)state;
    for (const small_model *m = small_models; m->parameters; m++) {
        small_open s;
        double count[SMALL_STATES] = {0};
        small_open_model(&s, m, (int)cs_simd_level());
        block *b = block_of(&s.sweep, LANES, m->theta);
        b->sweeps = 12;
        for (uint64_t step = 0; step < STEPS; step++) {
            memset(b->data, 0, sizeof b->data);
            simulate(b, cs_past_sweep, step, 0);
            assert_true(b->updates[0] ==
                        24 * (double)s.sweep.type->rows(s.sweep.of));
            tally(&s, b, count);
        }
        double p = small_chi_square(count, s.p, s.bins);
        if (!(p > least))
            fail_msg("%s: chance %g", s.name, p);
        block_free(b);
        small_close(&s);
    }
}

/* A faulty draw, for which only the forward half of a sweep is made. */
static void half_a_sweep(const cs_past_model *m, const cs_point *at,
                         const cs_simulation *s)
{
    double u[SMALL_DATA * LANES] __attribute__((aligned(64)));
    size_t rows = m->type->rows(m->of);
    cs_streams streams = *s->streams;
    cs_past_block b = {.model = m->of,
                       .theta = at->x,
                       .lanes = LANES,
                       .live = LANES,
                       .memory = at->scratch};
    streams.skip = s->first;
    cs_fill_uniform(&streams, CS_FOR_AUXILIARY, rows, u);
    m->type->begin(&b);
    for (size_t l = 0; l < LANES; l++)
        m->type->read(&b, l, s->data + l, LANES);
    m->type->update(&b, false, 0, rows, u);
    for (size_t l = 0; l < LANES; l++)
        m->type->write(&b, l, s->data + l, LANES);
}

/* Returns the p-value of the hypothesis that the moves x -> y and y -> x are
 * equally frequent, where x is a draw. */
static double reversible(const small_model *m, simulation *f)
{
    small_open s;
    double chi = 0, used = 0;
    small_open_model(&s, m, (int)cs_simd_level());
    double *count = cs_alloc(s.bins * s.bins, sizeof *count);
    block *b = block_of(&s.exact, LANES, m->theta);
    block *sweep = block_of(&s.sweep, LANES, m->theta);
    sweep->sweeps = 1;
    for (uint64_t step = 0; step < 4 * STEPS; step++) {
        simulate(b, cs_past_draw, step, 0);
        memcpy(sweep->data, b->data, sizeof b->data);
        simulate(sweep, f, step, CS_SIMULATION_ROWS);
        for (size_t l = 0; l < LANES; l++)
            count[small_bin(&s, b->data + l, LANES) * s.bins +
                  small_bin(&s, sweep->data + l, LANES)]++;
    }
    for (size_t x = 0; x < s.bins; x++)
        for (size_t y = 0; y < x; y++) {
            double to = count[x * s.bins + y], back = count[y * s.bins + x];
            if (to + back < 10)
                continue;
            chi += (to - back) * (to - back) / (to + back);
            used++;
        }
    cs_free(count);
    block_free(b);
    block_free(sweep);
    small_close(&s);
    return gsl_cdf_chisq_Q(chi, used);
}

static void test_sweeps_are_reversible(void **state)
{
    static const small_model on[] = {
        {.kind = SPINS,
         .shape = PATH,
         .values = 2,
         .parameters = 2,
         .theta = {0.8, -0.5}},
        {.kind = POTTS,
         .shape = TRIANGLE,
         .values = 3,
         .parameters = 2,
         .theta = {0.9, 0.8}},
        {.kind = EDGES,
         .vertices = 4,
         .values = 2,
         .parameters = 3,
         .theta = {-0.8, 0.3, 0.5}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof on / sizeof *on; k++) {
        double p = reversible(&on[k], cs_past_sweep);
        double half = reversible(&on[k], half_a_sweep);
        assert_true(p > least && half < least);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_draws_have_the_law),
    cmocka_unit_test(test_faults_are_seen),
    cmocka_unit_test(test_a_lane_stands_for_itself),
    cmocka_unit_test(test_no_draw_past_the_limit),
    cmocka_unit_test(test_sweeps_lead_to_the_law),
    cmocka_unit_test(test_sweeps_are_reversible),
};
TESTS(test_past)
