/* Law of windows: a kernel in a window makes the same steps, to the last bit, as
 * on an independent target of the conditional distribution, and changes nothing
 * outside its window. */
#include "support/laws.h"

#include "base/memory.h"
#include "kernel/members.h"
#include "support/paired.h"
#include "support/support.h"
#include "target/part_window.h"

#include <string.h>

enum { STEPS = 25, MOST = CS_PAD * 2 };

/* A window with its kernel, and the conditional target with the same kernel. */
typedef struct pair {
    cs_target *whole, *window, *conditional;
    cs_block *in, *beside;
    double *around, *kept; /* [whole dim][lanes]; kept: states at the start */
    double *r;             /* [dim][lanes] */
} pair;

static void close_pair(pair *q)
{
    cs_block_destroy(q->in);
    cs_block_destroy(q->beside);
    cs_target_release(q->window);
    cs_target_release(q->whole);
    cs_target_release(q->conditional);
    CS_FREE_ALL(q->around, q->kept, q->r);
}

static cs_block *make_block(const setting *s, cs_target *t, size_t live)
{
    cs_block *b;
    assert_int_equal(
        cs_block_create(&b, t, &s->kernel, 5, 0, live, NULL, 0, NULL), CS_OK);
    cs_block_set_metric(b, s->metric);
    return b;
}

/* Fills r with a number per lane and coordinate, and the rows of the whole that
 * belong to r. */
static void fill_around(pair *q, size_t dim, size_t lanes)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < 2 * dim * lanes; i++)
        q->around[i] = -99; /* the rows of the window are written before each
                               evaluation */
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < lanes; l++) {
            double *to =
                q->around + paired_coordinate(q->whole, i, true) * lanes;
            to[l] = q->r[i * lanes + l] = 2 * small_uniform(&seed) - 1;
        }
    memcpy(q->kept, q->around, 2 * dim * lanes * sizeof *q->kept);
}

static pair open_pair(const setting *s, const points *p, paired_sites sites,
                      bool mixed_up, size_t live)
{
    pair q = {.whole = paired_whole(p->target, sites, mixed_up)};
    size_t dim = p->dim, lanes = cs_pad_lanes(live);
    uint32_t coordinate[8];
    const double *start[MOST];
    assert_true(dim <= 8 && live <= MOST);
    for (size_t i = 0; i < dim; i++)
        coordinate[i] = paired_coordinate(q.whole, i, false);
    for (size_t l = 0; l < live; l++)
        start[l] = p->x + (p->n ? l % p->n * dim : 0);
    q.around = cs_alloc(2 * dim * lanes, sizeof *q.around);
    q.kept = cs_alloc(2 * dim * lanes, sizeof *q.kept);
    q.r = cs_alloc(dim * lanes, sizeof *q.r);
    assert_true(q.around && q.kept && q.r);
    assert_int_equal(cs_part_window_create(q.whole, coordinate, dim, "part",
                                           &q.window, NULL),
                     CS_OK);
    q.conditional = paired_conditional(p->target, sites, q.r);
    q.in = make_block(s, q.window, live);
    q.beside = make_block(s, q.conditional, live);
    assert_true(q.in->lanes == lanes && q.beside->lanes == lanes);
    fill_around(&q, dim, lanes);
    q.in->eval.around = q.around;
    assert_int_equal(cs_block_start(q.beside, start, NULL),
                     cs_block_start(q.in, start, NULL));
    return q;
}

static bool same_row(const double *a, const double *b, size_t live)
{
    return !a == !b && (!a || !memcmp(a, b, live * sizeof *a));
}

/* Returns true if the last decisions are equal. */
static bool same_info(const cs_block *a, const cs_block *b)
{
    const cs_info *i = &a->move.info, *j = &b->move.info;
    size_t n = a->live;
    return same_row(i->logp, j->logp, n) &&
           same_row(i->logp_change, j->logp_change, n) &&
           same_row(i->log_ratio, j->log_ratio, n) &&
           same_row(i->log_uniform, j->log_uniform, n) &&
           same_row(i->log_q_forward, j->log_q_forward, n) &&
           same_row(i->log_q_back, j->log_q_back, n) &&
           !memcmp(i->accepted, j->accepted, n) &&
           !memcmp(i->moved, j->moved, n) &&
           !memcmp(a->move.failed, b->move.failed, n);
}

/* Returns true if the states, the caches and the memories are equal. (The slabs
 * have the same layout.) */
static bool same_slab(const cs_block *a, const cs_block *b)
{
    bool same = a->slab_words == b->slab_words;
    for (size_t w = 0; same && w < a->slab_words; w++)
        same =
            same_row(a->slab + w * a->lanes, b->slab + w * b->lanes, a->live);
    return same;
}

/* Returns true if no row outside the window has changed. */
static bool kept_the_rest(const pair *q, size_t dim)
{
    size_t n = q->in->lanes;
    for (size_t i = 0; i < dim; i++) {
        size_t at = paired_coordinate(q->whole, i, true) * n;
        if (memcmp(q->around + at, q->kept + at, n * sizeof *q->around) != 0)
            return false;
    }
    return true;
}

static bool same_steps(const setting *s, const points *p, paired_sites sites,
                       bool mixed_up, size_t live)
{
    pair q = open_pair(s, p, sites, mixed_up, live);
    bool same = same_slab(q.in, q.beside);
    for (size_t k = 0; same && k < STEPS && cs_block_lives(q.in); k++) {
        one_step(s, q.in);
        one_step(s, q.beside);
        same = same_info(q.in, q.beside) && same_slab(q.in, q.beside) &&
               !memcmp(&q.in->eval.work, &q.beside->eval.work,
                       sizeof q.in->eval.work) &&
               kept_the_rest(&q, p->dim);
    }
    close_pair(&q);
    return same;
}

static bool window(const setting *s, const points *p)
{
    bool same = true;
    for (int sites = PAIRED_TRIALS; sites <= PAIRED_CACHE; sites++) {
        if (sites == PAIRED_STATE && !p->n)
            continue;
        for (size_t live = 1; same && live <= 5; live += 4)
            same = same_steps(s, p, (paired_sites)sites, false, live) &&
                   same_steps(s, p, (paired_sites)sites, true, live);
    }
    return same;
}

/* Returns true if the kernel may move a part of a state. */
static bool may_be_member(const cs_kernel_type *type)
{
    return !cs_kernel_no_member(type);
}

static bool on_a_window(const setting *s, const points *p)
{
    return may_be_member(s->kernel.type) && !p->target->n_rows &&
           !p->target->n_data;
}

const kernel_law window_laws[] = {
    {"window", may_be_member, on_a_window, window}, {NULL, NULL, NULL, NULL}};
