/* Tests that a restricted Boltzmann machine learns four images of six
 * pixels. */
#include "support/support.h"

#include "base/memory.h"
#include "learn/layers.h"
#include "learn/train_rbm.h"
#include "rng/stream.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { IMAGES = 400, PIXELS = 6 };

static const unsigned char motif[4][PIXELS] = {{255, 255, 255, 0, 0, 0},
                                               {0, 0, 0, 255, 255, 255},
                                               {255, 0, 0, 255, 0, 0},
                                               {0, 127, 128, 0, 0, 255}};

static double *learn_and(double epochs, double chains, double decay,
                         double seed, cs_learn_report *report, void *self)
{
    static unsigned char level[IMAGES * PIXELS];
    for (size_t i = 0; i < IMAGES; i++)
        memcpy(level + i * PIXELS, motif[i % 4], PIXELS);
    const cs_images images = {
        .n = IMAGES, .rows = 2, .cols = 3, .level = level};
    const cs_learn_spec spec = {.images = &images,
                                .value = {[CS_LEARN_HIDDEN] = 5,
                                          [CS_LEARN_K] = 5,
                                          [CS_LEARN_CHAINS] = chains,
                                          [CS_LEARN_EPOCHS] = epochs,
                                          [CS_LEARN_BATCH] = 50,
                                          [CS_LEARN_RATE] = 0.005,
                                          [CS_LEARN_RATE_DECAY] = decay,
                                          [CS_LEARN_SEED] = seed},
                                .report = report,
                                .report_self = self};
    double *rows;
    cs_error err = {0};
    if (cs_learn_rbm(&spec, &rows, &err))
        fail_msg("%s", err.what);
    return rows;
}

static double *learn(double epochs, double chains, double decay, double seed)
{
    return learn_and(epochs, chains, decay, seed, NULL, NULL);
}

/* Returns the mean of log p over the images. It is at most log 1/4. */
static double likelihood(const double *rows)
{
    const cs_value given = {.name = "weights",
                            .kind = CS_PARAM_ARRAY,
                            .given = 1,
                            .array = rows,
                            .rows = 6,
                            .cols = PIXELS + 1};
    cs_target *t;
    double x[PIXELS], logp, sum = 0;
    assert_int_equal(
        cs_target_create(cs_target_find("rbm"), &given, 1, &t, NULL), CS_OK);
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < PIXELS; i++)
            x[i] = motif[k][i] > 127;
        assert_true(cs_enumeration_evaluate(t, x, 1, &logp));
        sum += (logp - t->exact.log_z) / 4;
    }
    cs_target_release(t);
    return sum;
}

static void images_become_likely(void **state)
{
    (void)state;
    for (int chains = 0; chains < 2; chains++) {
        double *before = learn(0, chains, 0, 1);
        double *after = learn(1000, chains, 0, 1);
        assert_true(likelihood(before) < -2.5);
        assert_true(likelihood(after) > log(0.25) - (chains ? 0.8 : 0.3));
        cs_free(before);
        cs_free(after);
    }
}

/* With a constant rate, the mean log likelihood of two machines ends 2.2 and
 * 2.8 below the largest possible value, log 1/4. With a decreasing rate it
 * comes close to log 1/4. */
static void chains_keep_pace_as_the_rate_falls(void **state)
{
    (void)state;
    for (int seed = 2; seed < 4; seed++) {
        double *rows = learn(1000, 1, 0.5, seed);
        assert_true(likelihood(rows) > log(0.25) - 0.1);
        cs_free(rows);
    }
}

static void the_seed_decides(void **state)
{
    (void)state;
    double *a = learn(3, 1, 0, 1), *b = learn(3, 1, 0, 1);
    double *c = learn(3, 1, 0, 2);
    size_t bytes = 6 * (PIXELS + 1) * sizeof *a;
    assert_memory_equal(a, b, bytes);
    assert_memory_not_equal(a, c, bytes);
    cs_free(a);
    cs_free(b);
    cs_free(c);
}

static bool fifth(void *self, size_t epoch, size_t batch, size_t batches,
                  double gap)
{
    size_t *calls = self;
    assert_true(epoch >= 1 && batch >= 1 && batch <= batches && isfinite(gap));
    return ++*calls < 5;
}

/* If learning is stopped, the weights learned so far are returned. */
static void it_ends_when_told_to(void **state)
{
    (void)state;
    size_t calls = 0;
    double *rows = learn_and(3000, 0, 0, 1, fifth, &calls);
    assert_int_equal(calls, 5);
    double *start = learn(0, 0, 0, 1);
    assert_memory_not_equal(rows, start, 6 * (PIXELS + 1) * sizeof *rows);
    cs_free(rows);
    cs_free(start);
}

/* Moves the chains without the learner: at each update, back to the first
 * image. */
static void to_the_first(void *self, const cs_layers *m, float *v, size_t lanes,
                         uint64_t batch)
{
    size_t *calls = self;
    assert_int_equal(batch, ++*calls);
    for (size_t i = 0; i < m->visible; i++)
        for (size_t l = 0; l < lanes; l++)
            v[i * lanes + l] = motif[0][i] ? 1.0F : 0.0F;
}

static void others_may_move_the_chains(void **state)
{
    (void)state;
    unsigned char level[4 * PIXELS];
    memcpy(level, motif, sizeof level);
    size_t calls = 0;
    const cs_images images = {.n = 4, .rows = 2, .cols = 3, .level = level};
    const cs_learn_spec spec = {.images = &images,
                                .value = {[CS_LEARN_HIDDEN] = 2,
                                          [CS_LEARN_K] = 1,
                                          [CS_LEARN_EPOCHS] = 3,
                                          [CS_LEARN_BATCH] = 2,
                                          [CS_LEARN_RATE] = 0.1,
                                          [CS_LEARN_SEED] = 1},
                                .advance = to_the_first,
                                .advance_self = &calls};
    double *rows;
    assert_int_equal(cs_learn_rbm(&spec, &rows, NULL), CS_OK);
    assert_int_equal(calls, 6);
    /* the state to which the chains are moved becomes unlikely */
    assert_true(rows[1] < rows[6]);
    cs_free(rows);
}

/* ---- initial states of the chains ---------------------------------------- */

/* A second implementation of the chains of a batch. The chains make steps of
 * block Gibbs sampling, starting at v. */
typedef struct by_hand {
    size_t k, batches,
        moved; /* number of batches that did not start where the previous batch
                * ended */
    uint64_t seed;
    float *end; /* [visible][lanes] last states */
    bool holds; /* fault: the chains do not move */
} by_hand;

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Updates h and v of lane l with uniforms [units][lanes]. */
static void sweep(const cs_layers *m, float *v, size_t l, size_t lanes,
                  const double *for_h, const double *for_v)
{
    bool h[8];
    for (size_t j = 0; j < m->hidden; j++) {
        double a = (double)m->c[j];
        for (size_t i = 0; i < m->visible; i++)
            a += (double)(m->w[j * m->wide + i] * v[i * lanes + l]);
        h[j] = for_h[j * lanes + l] < logistic(a);
    }
    for (size_t i = 0; i < m->visible; i++) {
        double a = (double)m->b[i];
        for (size_t j = 0; j < m->hidden; j++)
            a += h[j] ? (double)m->w[j * m->wide + i] : 0;
        v[i * lanes + l] = for_v[i * lanes + l] < logistic(a) ? 1.0F : 0.0F;
    }
}

static void advance_by_hand(void *self, const cs_layers *m, float *v,
                            size_t lanes, uint64_t batch)
{
    by_hand *g = self;
    size_t bytes = m->visible * lanes * sizeof *v;
    uint64_t chain[64];
    double *u = cs_alloc((m->hidden + m->visible) * lanes, sizeof *u);
    for (size_t l = 0; l < lanes; l++)
        chain[l] = l;
    assert_int_equal(batch, ++g->batches);
    g->moved += batch > 1 && memcmp(v, g->end, bytes) != 0;
    cs_streams s = cs_streams_of(g->seed, 0, chain, lanes, lanes);
    for (size_t k = 0; !g->holds && k < g->k; k++) {
        s.step = (batch - 1) * g->k + k + 1;
        cs_fill_uniform(&s, CS_FOR_AUXILIARY, m->hidden, u);
        cs_fill_uniform(&s, CS_FOR_PROPOSAL, m->visible, u + m->hidden * lanes);
        for (size_t l = 0; l < lanes; l++)
            sweep(m, v, l, lanes, u, u + m->hidden * lanes);
    }
    memcpy(g->end, v, bytes);
    cs_free(u);
}

static double *learn_by(by_hand *g, double chains)
{
    unsigned char level[8 * PIXELS];
    for (size_t i = 0; i < 8; i++)
        memcpy(level + i * PIXELS, motif[i % 4], PIXELS);
    const cs_images images = {.n = 8, .rows = 2, .cols = 3, .level = level};
    const cs_learn_spec spec = {.images = &images,
                                .value = {[CS_LEARN_HIDDEN] = 5,
                                          [CS_LEARN_K] = 2,
                                          [CS_LEARN_CHAINS] = chains,
                                          [CS_LEARN_EPOCHS] = 15,
                                          [CS_LEARN_BATCH] = 4,
                                          [CS_LEARN_RATE] = 0.05,
                                          [CS_LEARN_SEED] = 3},
                                .advance = g ? advance_by_hand : NULL,
                                .advance_self = g};
    double *rows;
    assert_int_equal(cs_learn_rbm(&spec, &rows, NULL), CS_OK);
    return rows;
}

/* Persistent chains continue from their states. All other chains start at the
 * data of the batch. Both kinds of chains make steps of block Gibbs sampling.
 * The second implementation learns the same machine. */
static void chains_begin_where_they_should(void **state)
{
    (void)state;
    for (int chains = 0; chains < 2; chains++) {
        by_hand g = {.k = 2, .seed = 3, .end = cs_alloc(1024, sizeof(float))};
        double *own = learn_by(NULL, chains), *hand = learn_by(&g, chains);
        for (size_t i = 1; i < 6 * (PIXELS + 1); i++)
            assert_near(own[i], hand[i], 1e-4, 1e-4);
        assert_int_equal(g.batches, 30);
        assert_true(chains ? g.moved == 0 : g.moved > 15);
        cs_free(own);
        cs_free(hand);
        cs_free(g.end);
    }
}

/* If persistent chains are not moved by their steps, they stay at the first
 * batch, and the machine learns other weights. */
static void held_chains_are_another_machine(void **state)
{
    (void)state;
    by_hand g = {.k = 2, .seed = 3, .holds = true};
    g.end = cs_alloc(1024, sizeof(float));
    double *own = learn_by(NULL, 1), *held = learn_by(&g, 1), far = 0;
    for (size_t i = 1; i < 6 * (PIXELS + 1); i++)
        far = fmax(far, fabs(own[i] - held[i]));
    assert_true(far > 0.05);
    cs_free(own);
    cs_free(held);
    cs_free(g.end);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(images_become_likely),
    cmocka_unit_test(chains_keep_pace_as_the_rate_falls),
    cmocka_unit_test(the_seed_decides),
    cmocka_unit_test(it_ends_when_told_to),
    cmocka_unit_test(others_may_move_the_chains),
    cmocka_unit_test(chains_begin_where_they_should),
    cmocka_unit_test(held_chains_are_another_machine),
};
TESTS(test_learn_rbm)
