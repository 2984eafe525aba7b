/* Law of cycles: a step of a cycle is a step of each member, as if each member
 * ran by itself in its window and computed everything again that depends on the
 * state. */
#include "support/laws.h"

#include "base/memory.h"
#include "kernel/composed.h"
#include "support/paired.h"
#include "support/support.h"
#include "target/part_window.h"

#include <string.h>

enum { LANES = CS_PAD, STEPS = 20, MOST_DIM = 8 };

/* A cycle on the coordinates x and r of a whole, and its members by hand. */
typedef struct hand {
    cs_target *whole;
    cs_kernel cycle, other; /* other: the kernel of r */
    cs_block *of_cycle, *of_member[2];
    double *around; /* [2 dim][LANES] the states of the members by hand */
    size_t dim;
} hand;

/* The kernel of r, and its steps per step of the cycle. */
typedef struct second {
    const char *kernel;
    double step;
    uint64_t times;
} second;

static cs_block *make_block(cs_target *t, const cs_kernel *k)
{
    cs_block *b;
    assert_int_equal(cs_block_create(&b, t, k, 3, 0, LANES, NULL, 0, NULL),
                     CS_OK);
    return b;
}

/* Fills the states of the whole: x of the points, and small numbers r. */
static void fill_around(hand *h, const points *p)
{
    for (size_t i = 0; i < h->dim; i++)
        for (size_t l = 0; l < LANES; l++) {
            uint32_t at = paired_coordinate(h->whole, i, false);
            h->around[at * LANES + l] =
                p->x[(p->n ? l % p->n : 0) * h->dim + i];
            at = paired_coordinate(h->whole, i, true);
            h->around[at * LANES + l] = 0.1 * (double)(l + i) - 0.3;
        }
}

/* Starts a block at rows of the states. */
static void start_at(cs_block *b, const double *x)
{
    static double state[LANES][2 * MOST_DIM];
    const double *start[LANES];
    for (size_t l = 0; l < LANES; l++) {
        start[l] = state[l];
        for (size_t i = 0; i < b->target->space.dim; i++)
            state[l][i] = x[i * LANES + l];
    }
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
}

/* Creates the block of member k, which has the streams of the member. */
static void open_member(hand *h, size_t k)
{
    double x[MOST_DIM * LANES];
    const cs_member *q = &cs_composed_of(&h->cycle)->member[k];
    const cs_part_window *w = cs_part_window_of(q->target);
    cs_block *b = h->of_member[k] = make_block(q->target, &q->kernel);
    b->eval.around = h->around;
    cs_block_set_metric(b, q->metric);
    cs_part_window_gather(w, h->around, LANES, x);
    start_at(b, x);
    cs_part_window_scatter(w, b->move.x, LANES, h->around);
    b->move.streams = cs_member_streams(q, &b->move.streams, 0);
}

static cs_metric *copy_of(const cs_metric *metric)
{
    cs_metric *copy = NULL;
    if (!metric)
        return NULL;
    assert_int_equal(cs_metric_make(&copy, metric->kind, metric->dim,
                                    metric->covariance, NULL),
                     CS_OK);
    assert_int_equal(cs_metric_set_centre(copy, metric->centre, NULL), CS_OK);
    return copy;
}

static void open_hand(hand *h, const setting *s, const points *p,
                      const second *r)
{
    uint32_t coordinate[2][MOST_DIM];
    const cs_kernel_type *type = cs_kernel_find(r->kernel);
    *h = (hand){.whole = paired_whole(p->target, PAIRED_CACHE, true),
                .dim = p->dim};
    assert_true(p->dim <= MOST_DIM);
    for (size_t i = 0; i < h->dim; i++)
        for (size_t k = 0; k < 2; k++)
            coordinate[k][i] = paired_coordinate(h->whole, i, k);
    h->around = cs_alloc(2 * h->dim * LANES, sizeof *h->around);
    assert_non_null(h->around);
    fill_around(h, p);
    assert_int_equal(cs_kernel_init(&h->other, type, NULL, 0, NULL), CS_OK);
    h->other.values[0] = r->step;
    cs_metric *metric = copy_of(s->metric);
    const cs_member_spec spec[2] = {{.name = "x",
                                     .kernel = &s->kernel,
                                     .coordinate = coordinate[0],
                                     .n = h->dim,
                                     .times = 1,
                                     .metric = metric},
                                    {.name = "r",
                                     .kernel = &h->other,
                                     .coordinate = coordinate[1],
                                     .n = h->dim,
                                     .times = r->times}};
    assert_int_equal(cs_kernel_cycle(&h->cycle, h->whole, spec, 2, NULL),
                     CS_OK);
    cs_metric_let_go(metric);
    h->of_cycle = make_block(h->whole, &h->cycle);
    start_at(h->of_cycle, h->around);
    for (size_t k = 0; k < 2; k++)
        open_member(h, k);
}

static void close_hand(hand *h)
{
    for (size_t k = 0; k < 2; k++)
        cs_block_destroy(h->of_member[k]);
    cs_block_destroy(h->of_cycle);
    cs_kernel_release(&h->cycle);
    cs_kernel_release(&h->other);
    cs_target_release(h->whole);
    cs_free(h->around);
}

/* Makes the steps of a member by hand. */
static void step_by_hand(hand *h, size_t k, uint64_t times)
{
    cs_block *b = h->of_member[k];
    cs_block_refresh(b);
    for (uint64_t j = 0; j < times; j++)
        cs_block_run(b, NULL, 1, NULL);
    cs_part_window_scatter(cs_part_window_of(b->target), b->move.x, LANES,
                           h->around);
}

static bool same_steps(const setting *s, const points *p, const second *r)
{
    hand h;
    bool same = true;
    open_hand(&h, s, p, r);
    for (size_t k = 0; k < STEPS && same; k++) {
        step_by_hand(&h, 0, 1);
        step_by_hand(&h, 1, r->times);
        cs_block_run(h.of_cycle, NULL, 1, NULL);
        same = !memcmp(h.around, h.of_cycle->move.x,
                       2 * h.dim * LANES * sizeof *h.around);
    }
    close_hand(&h);
    return same;
}

static bool cycle(const setting *s, const points *p)
{
    static const second by[] = {{"random_walk", 0.3, 3}, {"mala", 0.2, 1}};
    return same_steps(s, p, &by[0]) &&
           (!p->target->type->gradient || same_steps(s, p, &by[1]));
}

/* Returns true if `init` draws an auxiliary variable of the state, so that a chain
 * whose memory is computed again is not that of the steps by hand. */
static bool draws_again(const cs_kernel_type *type)
{
    return type->aux && strcmp(type->aux->variable->name, "theta_a") == 0;
}

/* Returns true if a member may have the kernel, and can be compared. */
static bool may_be_member(const cs_kernel_type *type)
{
    return !cs_kernel_no_member(type) && !draws_again(type);
}

static bool on_a_part(const setting *s, const points *p)
{
    return may_be_member(s->kernel.type) && !p->target->n_rows &&
           !p->target->n_data;
}

const kernel_law cycle_laws[] = {{"cycle", may_be_member, on_a_part, cycle},
                                 {NULL, NULL, NULL, NULL}};
