/* Tests that a window costs little more than the evaluations of the whole. The
 * peer evaluates the whole too, at states that are in place already: it copies
 * nothing, which no conditional target could do. */
#include "support/cost.h"
#include "support/support.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chain/block.h"
#include "target/part_window.h"

#include <string.h>

enum { DIM = 100, HALF = 50, LANES = 32, STEPS = 400, ROUNDS = 60 };

/* ---- the peer ---- */

/* The whole, and states of it. */
typedef struct peer {
    cs_target *whole; /* [held] */
    double *x;        /* [DIM][LANES] [own] */
} peer;

static cs_point in_place(const peer *p, const cs_point *at)
{
    cs_point whole = *at;
    whole.x = p->x;
    whole.scratch = at->scratch + DIM * at->lanes;
    return whole;
}

static void peer_density(const cs_target *t, const cs_point *at, double *logp)
{
    const peer *p = t->self;
    cs_point whole = in_place(p, at);
    p->whole->type->log_density(p->whole, &whole, logp);
}

static void peer_gradient(const cs_target *t, const cs_point *at, double *logp,
                          double *g)
{
    const peer *p = t->self;
    cs_point whole = in_place(p, at);
    (void)g;
    p->whole->type->gradient(p->whole, &whole, logp, at->scratch);
}

static cs_status peer_create(cs_target *t, const cs_value *v, cs_error *err)
{
    (void)v, (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = HALF};
    return CS_OK;
}

static void peer_destroy(cs_target *t)
{
    peer *p = t->self;
    cs_target_release(p->whole);
    cs_free(p->x);
}

static const cs_target_type peer_type = {.name = "peer",
                                         .title = "peer",
                                         .flags = CS_TARGET_EIGHTS,
                                         .size = sizeof(peer),
                                         .create = peer_create,
                                         .destroy = peer_destroy,
                                         .log_density = peer_density,
                                         .gradient = peer_gradient};

/* ---- the comparison ---- */

static cs_target *gaussian(void)
{
    cs_target *t;
    const cs_value given[] = {
        {.name = "dim", .kind = CS_PARAM_INT, .number = DIM, .given = 1},
        {.name = "rho", .kind = CS_PARAM_REAL, .number = 0.5, .given = 1}};
    assert_int_equal(
        cs_target_create(cs_target_find("gaussian"), given, 2, &t, NULL),
        CS_OK);
    return t;
}

static cs_block *open_block(cs_target *t, const cs_kernel *k, size_t live,
                            double *around)
{
    static const double zero[DIM];
    const double *start[LANES];
    cs_block *b;
    for (size_t l = 0; l < live; l++)
        start[l] = zero;
    assert_int_equal(cs_block_create(&b, t, k, 1, 0, live, NULL, 0, NULL),
                     CS_OK);
    b->eval.around = around;
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
    return b;
}

static double cost_of_steps(void *block)
{
    struct rusage from, to;
    getrusage(RUSAGE_SELF, &from);
    cs_block_run(block, NULL, STEPS, NULL);
    getrusage(RUSAGE_SELF, &to);
    return cost_of_use(&to) - cost_of_use(&from);
}

/* Returns the cost of a step in a window of half of the coordinates, relative
 * to the peer. */
static double ratio_of(const char *kernel, bool adjacent, size_t live)
{
    cs_target *whole = gaussian(), *window, *other;
    uint32_t coordinate[HALF];
    for (size_t i = 0; i < HALF; i++)
        coordinate[i] = (uint32_t)(adjacent ? 10 + i : 2 * i);
    assert_int_equal(
        cs_part_window_create(whole, coordinate, HALF, "half", &window, NULL),
        CS_OK);
    assert_int_equal(cs_target_create(&peer_type, NULL, 0, &other, NULL),
                     CS_OK);
    peer *p = other->self;
    p->whole = cs_target_hold(whole);
    p->x = cs_alloc(DIM * LANES, sizeof *p->x);
    other->scratch_words = DIM + whole->scratch_words;
    double *around = cs_alloc(DIM * LANES, sizeof *around);
    cs_kernel k;
    assert_int_equal(cs_kernel_init(&k, cs_kernel_find(kernel), NULL, 0, NULL),
                     CS_OK);
    cs_block *a = open_block(window, &k, live, around);
    cs_block *b = open_block(other, &k, live, NULL);
    double ratio = cost_ratio(cost_of_steps, a, cost_of_steps, b, ROUNDS, 0);
    cs_block_destroy(a);
    cs_block_destroy(b);
    cs_kernel_release(&k);
    cs_target_release(window);
    cs_target_release(other);
    cs_target_release(whole);
    cs_free(around);
    return ratio;
}

static void half_of_a_gaussian(void **state)
{
    (void)state;
    static const char *const kernels[] = {"random_walk", "mala", "hmc"};
    for (size_t k = 0; k < 3; k++)
        for (size_t way = 0; way < 4; way++) {
            size_t live = way % 2 ? 1 : LANES;
            double most = live == 1 ? 1.2 : 1.1;
            double ratio = ratio_of(kernels[k], way < 2, live);
            print_message("%-12s %2zu chains, %s: %.3f\n", kernels[k], live,
                          way < 2 ? "adjacent" : "every second", ratio);
            assert_true(ratio < most);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(half_of_a_gaussian),
};
TESTS(test_windows)
