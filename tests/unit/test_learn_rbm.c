/* A machine that learns four images of six pixels. */
#include "support/support.h"

#include "base/memory.h"
#include "learn/train_rbm.h"
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

/* The mean of log p over the images; at best log 1/4. */
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

/* At a steady rate these two end 2.2 and 2.8 below log 1/4. */
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

/* Ended on the way, it gives what it has learned until then. */
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

/* Chains moved by somebody else: back to the first image each time. */
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
    /* What the chains are fond of is made unlikely. */
    assert_true(rows[1] < rows[6]);
    cs_free(rows);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(images_become_likely),
    cmocka_unit_test(chains_keep_pace_as_the_rate_falls),
    cmocka_unit_test(the_seed_decides),
    cmocka_unit_test(it_ends_when_told_to),
    cmocka_unit_test(others_may_move_the_chains),
};
TESTS(test_learn_rbm)
