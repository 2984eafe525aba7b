/* Tests neural networks: their slopes against differences, learning, and
 * invalid files. */
#include "base/memory.h"
#include "learn/network_pass.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cs_network_pass *const passes[][CS_SIMD_COUNT] = {
    CS_VARIANT_ROW(cs_network_passes)};

enum { IN = 5, OUT = 3, LANES = 16, LIVE = 11 };

typedef struct bench {
    cs_network net;
    cs_network_scratch scratch;
    float wanted[OUT * LANES];
} bench;

static void fill(bench *b, cs_loss loss)
{
    const size_t unit[] = {IN, 7, 4, OUT};
    cs_error err;
    assert_int_equal(cs_network_create(&b->net, unit, 4, 3, &err), CS_OK);
    b->scratch = (cs_network_scratch){.live = LIVE, .lanes = LANES};
    b->scratch.memory = cs_alloc(4096, sizeof(float));
    float *at = b->scratch.memory;
    for (size_t k = 0; k <= b->net.layers; at += unit[k++] * LANES)
        b->scratch.value[k] = at;
    for (size_t k = 0; k <= b->net.layers; at += unit[k++] * LANES)
        b->scratch.slope[k] = at;
    b->scratch.transposed = at;
    for (size_t i = 0; i < IN * LANES; i++)
        b->scratch.value[0][i] = (float)sin(1.7 * (double)i);
    for (size_t i = 0; i < OUT * LANES; i++)
        b->wanted[i] = loss == CS_LOSS_SQUARED ? (float)cos(0.9 * (double)i)
                                               : (i / LANES == i % LANES % OUT);
}

static void drop(bench *b)
{
    cs_network_free(&b->net);
    cs_free(b->scratch.memory);
}

/* Returns the mean loss at these weights, in double precision, as defined in
 * the header. */
static double mean_loss(const bench *b, cs_loss loss)
{
    double sum = 0;
    for (size_t l = 0; l < LIVE; l++) {
        double a[8], z[8], total = 0;
        for (size_t i = 0; i < IN; i++)
            a[i] = (double)b->scratch.value[0][i * LANES + l];
        for (size_t k = 0; k < b->net.layers; k++) {
            size_t in = b->net.unit[k];
            for (size_t j = 0; j < b->net.unit[k + 1]; j++) {
                z[j] = (double)b->net.bias[k][j];
                for (size_t i = 0; i < in; i++)
                    z[j] +=
                        (double)
                            b->net.weight[k][j * cs_network_stride(in) + i] *
                        a[i];
            }
            for (size_t j = 0; j < b->net.unit[k + 1]; j++)
                a[j] = k + 1 < b->net.layers ? fmax(0, z[j]) : z[j];
        }
        for (size_t j = 0; j < OUT; j++)
            total += exp(a[j]);
        for (size_t j = 0; j < OUT; j++) {
            double wanted = (double)b->wanted[j * LANES + l];
            sum += loss == CS_LOSS_SQUARED
                       ? (a[j] - wanted) * (a[j] - wanted) / OUT
                       : -wanted * (a[j] - log(total));
        }
    }
    return sum / LIVE;
}

static void slopes_are_those_of_the_loss(void **state)
{
    (void)state;
    for (int variant = 0; variant <= (int)cs_simd_level(); variant++)
        for (cs_loss loss = CS_LOSS_SQUARED; loss <= CS_LOSS_ENTROPY; loss++) {
            bench b;
            fill(&b, loss);
            const cs_network_pass *p = passes[0][variant];
            float *g = cs_alloc(b.net.words, sizeof *g);
            p->forward(&b.net, &b.scratch);
            double sum = p->back(&b.net, &b.scratch, loss, b.wanted, g);
            assert_near(sum / LIVE, mean_loss(&b, loss), 1e-5, 1e-5);
            for (size_t i = 0; i < b.net.words; i++) {
                float kept = b.net.number[i];
                const float h = 0x1p-15F;
                b.net.number[i] = kept + h;
                double up = mean_loss(&b, loss);
                b.net.number[i] = kept - h;
                double down = mean_loss(&b, loss);
                b.net.number[i] = kept;
                assert_near((double)g[i], (up - down) / (2 * (double)h), 1e-3,
                            1e-4);
            }
            cs_free(g);
            drop(&b);
        }
}

/* In the first step of Adam, each weight changes by the learning rate, in the
 * direction opposite to the slope. */
static void adam_steps_by_the_rate_at_first(void **state)
{
    (void)state;
    float x[3] = {1, 1, 1}, m[3] = {0}, s[3] = {0};
    const float g[3] = {0.3F, -20, 1e-3F};
    passes[0][0]->adam(x, g, m, s, 3, 0.01, 1);
    assert_near((double)x[0], 0.99, 1e-6, 0);
    assert_near((double)x[1], 1.01, 1e-6, 0);
    assert_near((double)x[2], 0.99, 1e-4, 0);
}

/* Computes point number `row`. The class of a point depends on whether its two
 * coordinates have the same sign. No straight line separates the two
 * classes. */
static void read_quarter(const void *self, size_t row, float *x, float *y)
{
    (void)self;
    double a = 0.7548776662466927 * (double)row,
           b = 0.5698402909980532 * (double)row;
    x[0] = (float)(2 * (a - floor(a)) - 1);
    x[1] = (float)(2 * (b - floor(b)) - 1);
    y[0] = (x[0] > 0) == (x[1] > 0);
    y[1] = 1 - y[0];
}

static double share_right(const cs_network *net)
{
    enum { N = 500 };
    size_t right = 0;
    for (size_t i = 0; i < N; i++) {
        float x[2], y[2], got[2];
        read_quarter(NULL, 100000 + i, x, y);
        assert_int_equal(cs_network_apply(net, x, 1, got, NULL), CS_OK);
        right += cs_network_class(got, 2) == cs_network_class(y, 2);
    }
    return (double)right / N;
}

static const cs_examples quarters = {.n = 1000, .read = read_quarter};

static void learns_what_no_line_parts(void **state)
{
    (void)state;
    cs_network net, line, again;
    const cs_training how = {.loss = CS_LOSS_ENTROPY,
                             .epochs = 60,
                             .batch = 24,
                             .rate = 0.01,
                             .seed = 5};
    double loss;
    assert_int_equal(
        cs_network_create(&net, (const size_t[]){2, 16, 2}, 3, 1, NULL), CS_OK);
    assert_true(share_right(&net) < 0.75);
    assert_int_equal(cs_network_train(&net, &quarters, &how, &loss, NULL),
                     CS_OK);
    assert_true(share_right(&net) > 0.95);
    assert_true(loss < 0.2);
    assert_int_equal(
        cs_network_create(&line, (const size_t[]){2, 2}, 2, 1, NULL), CS_OK);
    assert_int_equal(cs_network_train(&line, &quarters, &how, &loss, NULL),
                     CS_OK);
    assert_true(share_right(&line) < 0.8);
    assert_int_equal(
        cs_network_create(&again, (const size_t[]){2, 16, 2}, 3, 1, NULL),
        CS_OK);
    assert_int_equal(cs_network_train(&again, &quarters, &how, &loss, NULL),
                     CS_OK);
    assert_memory_equal(net.number, again.number, net.words * sizeof(float));
    cs_network_free(&net);
    cs_network_free(&line);
    cs_network_free(&again);
}

static bool stop_at_once(void *self, double done, double loss)
{
    *(double *)self = done;
    return loss < 0;
}

static void stops_when_asked_and_says_so(void **state)
{
    (void)state;
    cs_network net;
    double done = 0;
    const cs_training how = {.epochs = 10,
                             .batch = 10,
                             .rate = 0.01,
                             .go_on = stop_at_once,
                             .self = &done};
    assert_int_equal(
        cs_network_create(&net, (const size_t[]){2, 4, 2}, 3, 1, NULL), CS_OK);
    assert_int_equal(cs_network_train(&net, &quarters, &how, NULL, NULL),
                     CS_STOPPED);
    assert_near(done, 0.1, 1e-12, 0);
    cs_network_free(&net);
}

/* ---- files --------------------------------------------------------------- */

static const char *written(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/cs-network-%d.txt", (int)getpid());
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static void a_file_brings_it_back(void **state)
{
    (void)state;
    cs_network net, back;
    char *text;
    assert_int_equal(
        cs_network_create(&net, (const size_t[]){3, 20, 2}, 3, 7, NULL), CS_OK);
    assert_int_equal(cs_network_text(&net, 9, &text, NULL), CS_OK);
    assert_int_equal(cs_network_read(&back, written(text), NULL), CS_OK);
    assert_int_equal(back.words, net.words);
    assert_memory_equal(net.number, back.number, net.words * sizeof(float));
    cs_free(text);
    cs_network_free(&net);
    cs_network_free(&back);
    remove(written(""));
}

static void bad_files_are_refused_at_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
        int line;
    } bad[] = {
        {"", "not a network file", 0},
        {"tree 2 3\n", "not a network file", 1},
        {"network 2\n", "the number of layers is 1", 1},
        {"network 2 0\n", "the network has invalid sizes", 1},
        {"network 2 1e9\n", "the network has invalid sizes", 1},
        {"network 1 1 1 1 1 1 1 1 1\n", "the network has invalid sizes", 1},
        {"network 60000 60000\n1 2\n", "fewer weights", 1},
        {"network 2 1\n1 2 nan\n", "not a number", 2},
        {"network 2 1\n1 2 1e300\n", "not a number", 2},
        {"network 2 1\n1 2\n", "missing", 2},
        {"network 2 1\n1 2 3 4\n", "more weights", 2},
        {"network 2 2\n1 2 3\n", "fewer lines", 2},
        {"network 2 1\n1 2 3\n4\n", "more lines", 3},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cs_network net;
        cs_error err = {0};
        assert_int_not_equal(cs_network_read(&net, written(bad[i].text), &err),
                             CS_OK);
        if (!strstr(err.what, bad[i].what))
            fail_msg("%zu: %s", i, err.what);
        assert_int_equal(err.line, bad[i].line);
        assert_null(net.number);
    }
    remove(written(""));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(slopes_are_those_of_the_loss),
    cmocka_unit_test(adam_steps_by_the_rate_at_first),
    cmocka_unit_test(learns_what_no_line_parts),
    cmocka_unit_test(stops_when_asked_and_says_so),
    cmocka_unit_test(a_file_brings_it_back),
    cmocka_unit_test(bad_files_are_refused_at_their_line),
};
TESTS(test_network)
