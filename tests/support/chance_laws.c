/* Statistical laws of long runs. They need exact draws and formulas that exist
 * only in the tests. If the p-value of a test is doubtful, the test is repeated
 * (cs_check_look). */
#include "support/laws.h"

#include "base/memory.h"
#include "support/small_make.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = LAW_CHAINS, DRAWS = 8000, MOST = 16 * DRAWS };
enum { PLACES = 8, SEEN = 3 };

/* Runs one round of a test, with `batches` blocks of LANES chains. Returns the
 * smallest p-value of the statistics times the number of statistics. */
typedef double chance(const setting *s, const points *p, size_t batches,
                      uint64_t seed);

static bool survives(chance *test, const setting *s, const points *p)
{
    const cs_check c = {.draws = DRAWS};
    cs_looks looks = {0};
    while (cs_check_look(&c, &looks))
        looks.p = test(s, p, looks.draws / LANES, (uint64_t)looks.look << 40);
    return !cs_check_refutes(&looks);
}

/* ---- samples ------------------------------------------------------------- */

/* Computes the statistics of a state: log p, the first and the last
 * coordinate. */
static void look(const points *p, const double *x, double out[SEEN])
{
    double g[SMALL_DIM];
    out[0] = small_log_density(p, x, g);
    out[1] = x[0];
    out[2] = x[p->dim - 1];
}

typedef struct samples {
    size_t n;
    double *value[SEEN + 1], *fresh[SEEN + 1], state[32];
} samples;

static samples *samples_create(void)
{
    samples *m = calloc(1, sizeof *m);
    assert_non_null(m);
    for (size_t k = 0; k <= SEEN; k++) {
        m->value[k] = malloc(MOST * sizeof(double));
        m->fresh[k] = malloc(MOST * sizeof(double));
        assert_true(m->value[k] && m->fresh[k]);
    }
    return m;
}

/* Adds two values to the samples: a state that should be a draw of the target,
 * and a number that should have the law of `fresh`. */
static void samples_add(samples *m, const points *p, const double *x,
                        double number, double fresh, uint64_t *seed)
{
    double out[SEEN], other[SEEN], y[SMALL_DIM];
    look(p, x, out);
    points_draw(p, seed, y);
    look(p, y, other);
    for (size_t k = 0; k < SEEN; k++) {
        m->value[k][m->n] = out[k];
        m->fresh[k][m->n] = other[k];
    }
    m->value[SEEN][m->n] = number;
    m->fresh[SEEN][m->n++] = fresh;
    bool inside = cs_space_contains(&p->target->space, x, 1);
    if (p->n)
        m->state[inside ? cs_space_index(&p->target->space, x, 1) : 0]++;
}

/* Returns the smallest p-value times the number of tests, and frees m. If the
 * states can be enumerated, they are counted. Otherwise the states are compared
 * with exact draws. */
static double samples_end(samples *m, const points *p)
{
    double least = 1, far;
    for (size_t k = p->n ? SEEN : 0; k <= SEEN; k++)
        least = fmin(least,
                     cs_check_samples_p(m->value[k], m->fresh[k], m->n, &far));
    if (p->n)
        least = fmin(least, cs_check_cells_p(m->state, p->pi, p->n));
    for (size_t k = 0; k <= SEEN; k++) {
        free(m->value[k]);
        free(m->fresh[k]);
    }
    free(m);
    return least * (p->n ? 2 : SEEN + 1);
}

/* Returns true if the state of lane l is a draw from the target. */
static bool draws(const cs_block *b, size_t l)
{
    return !b->move.info.log_weight || b->move.info.log_weight[l] > -HUGE_VAL;
}

/* Starts every lane at an exact draw, with new random streams. */
static void start_exactly(cs_block *b, const points *p, uint64_t stream,
                          uint64_t *seed)
{
    double x[LANES][SMALL_DIM];
    const double *start[LANES];
    for (size_t l = 0; l < LANES; l++) {
        points_draw(p, seed, x[l]);
        start[l] = x[l];
    }
    cs_check_reseed(b, stream);
    assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
}

/* ---- ranks (Gandy and Scott, section 3.3) -------------------------------- */

typedef double trail[2][PLACES][LANES][SEEN]; /* states along a trail in both
                                               * directions */

static void walk_both_ways(const setting *s, const points *p, cs_block *b,
                           uint64_t stream, uint64_t *seed, trail seen)
{
    double x[LANES][SMALL_DIM];
    const double *start[LANES];
    double *begin = cs_alloc(b->slab_words * b->lanes, sizeof *begin);
    for (size_t l = 0; l < LANES; l++) {
        points_draw(p, seed, x[l]);
        start[l] = x[l];
    }
    for (size_t way = 0; way < 2; way++) {
        cs_check_reseed(b, stream + way);
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        if (way) /* use the auxiliary variables of the first direction again */
            cs_block_load(b, begin);
        cs_block_save(b, begin);
        for (size_t k = 0; k < PLACES; k++) {
            for (size_t l = 0; l < LANES; l++) {
                double y[SMALL_DIM];
                cs_block_state(b, l, y);
                look(p, y, seen[way][k][l]);
            }
            if (k + 1 < PLACES)
                one_step(s, b);
        }
    }
    cs_free(begin);
}

/* Returns the rank of the start among the states of its trail. The trail has
 * `place` states in one direction and the remaining states in the other
 * direction. Ties are broken at random. */
static size_t rank_of(trail seen, size_t l, size_t k, size_t place,
                      uint64_t *seed)
{
    double mine = seen[0][0][l][k], below = 0, ties = 0;
    for (size_t way = 0; way < 2; way++)
        for (size_t i = 1; i <= (way ? PLACES - 1 - place : place); i++) {
            below += seen[way][i][l][k] < mine;
            ties += seen[way][i][l][k] == mine;
        }
    return (size_t)(below + floor(small_uniform(seed) * (ties + 1)));
}

static double ranks_are_uniform(const setting *s, const points *p,
                                size_t batches, uint64_t seed)
{
    static trail seen;
    double count[SEEN][PLACES] = {{0}}, even[PLACES], least = 1;
    cs_block *b = open_block(s, p->target, 1, LANES, p->x);
    uint64_t aux = seed + 2;
    for (size_t k = 0; k < batches; k++) {
        walk_both_ways(s, p, b, seed + 2 * k, &aux, seen);
        for (size_t l = 0; l < LANES; l++) {
            size_t place = (size_t)(small_uniform(&aux) * PLACES);
            for (size_t i = 0; i < SEEN; i++)
                count[i][rank_of(seen, l, i, place, &aux)]++;
        }
    }
    cs_block_destroy(b);
    for (size_t i = 0; i < PLACES; i++)
        even[i] = 1.0 / PLACES;
    for (size_t i = 0; i < SEEN; i++)
        least = fmin(least, cs_check_cells_p(count[i], even, PLACES));
    return least * SEEN;
}

static bool ranks(const setting *s, const points *p)
{
    return survives(ranks_are_uniform, s, p);
}

/* ---- the joint law of states and data ------------------------------------ */

/* Each chain has its own data y_i ~ N(x_i, 1); the target is the prior of x. */
static const points *prior;
static double data[SMALL_DIM][LANES];

static cs_status posterior_create(cs_target *t, const cs_value *values,
                                  cs_error *err)
{
    (void)values;
    (void)err;
    t->space = prior->target->space;
    return CS_OK;
}

static void posterior_gradient(const cs_target *t, const cs_point *at,
                               double *logp, double *g)
{
    double x[SMALL_DIM], slope[SMALL_DIM];
    for (size_t l = 0; l < at->lanes; l++) {
        for (size_t i = 0; i < t->space.dim; i++)
            x[i] = at->x[i * at->lanes + l];
        logp[l] = small_log_density(prior, x, slope);
        for (size_t i = 0; i < t->space.dim; i++) {
            double off = data[i][l] - x[i];
            logp[l] -= off * off / 2;
            if (g)
                g[i * at->lanes + l] = slope[i] + off;
        }
    }
}

static void posterior_log_density(const cs_target *t, const cs_point *at,
                                  double *logp)
{
    posterior_gradient(t, at, logp, NULL);
}

static const cs_target_type posterior = {.name = "posterior",
                                         .title = "posterior",
                                         .create = posterior_create,
                                         .destroy = small_destroy,
                                         .log_density = posterior_log_density,
                                         .gradient = posterior_gradient};

static void draw_data(const cs_block *b, uint64_t *seed)
{
    for (size_t l = 0; l < LANES; l++)
        for (size_t i = 0; i < prior->dim; i++)
            data[i][l] = b->move.x[i * b->lanes + l] + small_normal(seed);
}

/* Alternates between two operations: it draws new data given the states, and
 * makes steps given the data. Returns the p-value of the hypothesis that the
 * joint distribution of state and data is preserved. */
static double joint_law_stays(const setting *s, const points *p, size_t batches,
                              uint64_t seed)
{
    enum { CYCLES = 4 };
    samples *m = samples_create();
    cs_target *t = NULL;
    double x[SMALL_DIM], y[SMALL_DIM];
    uint64_t aux = seed + 3;
    prior = p;
    assert_int_equal(cs_target_create(&posterior, NULL, 0, &t, NULL), CS_OK);
    cs_block *b = open_block(s, t, 1, LANES, p->x);
    for (size_t k = 0; k < batches; k++) {
        start_exactly(b, p, seed + k, &aux);
        for (int i = 0; i < CYCLES; i++) {
            draw_data(b, &aux);
            cs_block_refresh(b);
            one_step(s, b);
        }
        for (size_t l = 0; l < LANES; l++) {
            cs_block_state(b, l, x);
            points_draw(p, &aux, y);
            double fresh = y[0] * (y[0] + small_normal(&aux));
            if (!draws(b, l))
                continue;
            samples_add(m, p, x, x[0] * data[0][l], fresh, &aux);
        }
    }
    cs_block_destroy(b);
    cs_target_release(t);
    return samples_end(m, p);
}

static bool joint(const setting *s, const points *p)
{
    return survives(joint_law_stays, s, p);
}

/* ---- the list ------------------------------------------------------------ */

static bool exact(const cs_kernel_type *type)
{
    return type->flags & CS_KERNEL_EXACT && !wanders(type);
}

static bool reversible(const cs_kernel_type *type)
{
    return type->flags & CS_KERNEL_REVERSIBLE || type->is_reversible;
}

static bool is_reversible(const setting *s, const points *p)
{
    (void)p;
    return cs_kernel_is_reversible(&s->kernel);
}

/* Returns true if the kernel is exact and accepts any target. The law adds data
 * to a target, so other kernels cannot be tested. */
static bool takes_data(const cs_kernel_type *type)
{
    return exact(type) && takes_any_target(type);
}

static bool may_take_data(const setting *s, const points *p)
{
    (void)p;
    return takes_data(s->kernel.type);
}

const kernel_law chance_laws[] = {
    {"ranks", reversible, is_reversible, ranks},
    {"joint law", takes_data, may_take_data, joint},
    {NULL, NULL, NULL, NULL}};
