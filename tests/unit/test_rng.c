#include "support/support.h"

#include "base/memory.h"
#include "rng/fill.h"
#include "rng/octaves.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include <stdlib.h>
#include <string.h>

typedef struct known_answer {
    unsigned rounds;
    uint64_t counter[2], key[2], out[2];
} known_answer;

/* Known answers from Random123, tests/kat_vectors. */
static const known_answer known[] = {
    {13, {0, 0}, {0, 0}, {0xf167b032c3b480bd, 0xe91f9fee4b7a6fb5}},
    {13,
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0xccdec5c917a874b1, 0x4df53abca26ceb01}},
    {13,
     {0x243f6a8885a308d3, 0x13198a2e03707344},
     {0xa4093822299f31d0, 0x082efa98ec4e6c89},
     {0xc3aac71561042993, 0x3fe7ae8801aff316}},
    {20, {0, 0}, {0, 0}, {0xc2b6e3a8c2c69865, 0x6f81ed42f350084d}},
    {20,
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0xe02cb7c4d95d277a, 0xd06633d0893b8b68}},
    {20,
     {0x243f6a8885a308d3, 0x13198a2e03707344},
     {0xa4093822299f31d0, 0x082efa98ec4e6c89},
     {0x263c7d30bb0f0af1, 0x56be8361d3311526}},
    {32, {0, 0}, {0, 0}, {0x38ba854d7f13cfb3, 0xd02fca729d54fadc}},
    {32,
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0x6b532f4f6e288646, 0x0388f1ec135ee18e}},
};

static void threefry_gives_the_published_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t out[2];
        cs_threefry2x64(known[i].rounds, known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

/* Known answers from Random123, tests/kat_vectors, lines "ars4x32 10", as pairs
 * of 64 bits. */
static const known_answer known_ars[] = {
    {10, {0, 0}, {0, 0}, {0x506401ef8d73ee19, 0x0cbe9c0d13c2dbe4}},
    {10,
     {0x85a308d3243f6a88, 0x0370734413198a2e},
     {0x299f31d0a4093822, 0xec4e6c89082efa98},
     {0x8357ad74a516e7d6, 0x8763fff35b59b3ec}},
    {10,
     {0xffffffffffffffff, 0xffffffffffffffff},
     {0xffffffffffffffff, 0},
     {0x9f635551bb3743b1, 0xa19478a9ecbc87fc}},
};

static void ars_gives_the_published_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_ars / sizeof *known_ars; i++) {
        uint64_t out[2];
        cs_ars2x64(10, known_ars[i].counter, known_ars[i].key, out);
        assert_memory_equal(out, known_ars[i].out, sizeof out);
    }
}

/* The variants that this processor supports; the base variant is the first. */
static const cs_fill_ops *const variants[][CS_SIMD_COUNT] = {
    CS_VARIANT_ROW(cs_fill)};

/* Returns the variant with this number. The number after the last variant that
 * the processor supports selects AVX2 with wide AES, if the processor has wide
 * AES. Returns NULL for larger numbers. */
static const cs_fill_ops *variant(int number)
{
    int most = (int)cs_simd_level();
    while (!variants[0][most]->runs())
        most--;
#if CS_HAVE_AVX2
    if (number == most + 1 && most > 0 && cs_fill_avx2_vaes.runs())
        return &cs_fill_avx2_vaes;
#endif
    return number <= most ? variants[0][number] : NULL;
}

#define PI 3.14159265358979323846

enum { LANES = 24, MAX_ROWS = 131 };
#define LOW UINT64_C(0x000fffffffffffff) /* the bits of a uniform number */

static const uint64_t chains[LANES] = {
    900, 901, 902, 7,  3,  3,  12, 13, 14, 15, UINT64_MAX, 17,
    18,  19,  20,  21, 22, 23, 24, 25, 26, 27, 28,         29};

static void words_are_ars_of_chain_and_index(void **state)
{
    (void)state;
    uint64_t *out = cs_alloc(MAX_ROWS * LANES, sizeof *out);
    for (int level = 0; variant(level); level++)
        for (size_t lanes = 8; lanes <= LANES; lanes += 8)
            for (size_t n = 0; n <= MAX_ROWS; n = n < 10 ? n + 1 : n + 11) {
                cs_streams s = cs_streams_of(5, 77, chains, lanes, lanes);
                variant(level)->shape[CS_RAW_WORDS].fill(&s, CS_FOR_SITE, n,
                                                         out);
                for (size_t i = 0; i < n * lanes; i++) {
                    uint64_t row = i / lanes, key[2], want[2];
                    cs_threefry2x64(20, (uint64_t[2]){CS_FOR_SITE, UINT64_MAX},
                                    (uint64_t[2]){5, UINT64_MAX}, key);
                    key[0] += 77;
                    cs_ars2x64(5, (uint64_t[2]){row / 2, chains[i % lanes]},
                               key, want);
                    assert_int_equal(out[i], want[row % 2]);
                }
            }
    cs_free(out);
}

typedef struct fills {
    uint64_t words[MAX_ROWS * LANES];
    double uniform[MAX_ROWS * LANES];
    double normal[MAX_ROWS * LANES];
    double single[MAX_ROWS * LANES];
    double logs[MAX_ROWS * LANES];
} fills;

static void fill_all(const cs_fill_ops *ops, const cs_streams *s, size_t n,
                     fills *f)
{
    ops->shape[CS_RAW_WORDS].fill(s, CS_FOR_USER, n, f->words);
    ops->shape[CS_UNIFORMS].fill(s, CS_FOR_USER, n, f->uniform);
    ops->shape[CS_NORMALS].fill(s, CS_FOR_USER, n, f->normal);
    ops->shape[CS_SINGLE_NORMALS].fill(s, CS_FOR_USER, n, f->single);
    ops->shape[CS_LOG_UNIFORMS].fill(s, CS_FOR_USER, n, f->logs);
}

/* Rows that are filled in several parts equal rows that are filled at once, in
 * every layout. */
static void rows_can_be_skipped(void **state)
{
    (void)state;
    enum { ROWS = 200, BLOCK = 32 };
    static _Alignas(64) uint64_t whole[ROWS * BLOCK], part[ROWS * BLOCK];
    static const size_t lanes[][2] = {{1, 1}, {8, 1}, {8, 5}, {32, 32}};
    uint64_t chain[BLOCK];
    cs_ahead *ahead = cs_alloc(1, sizeof *ahead);
    for (size_t k = 0; k < 4; k++) {
        size_t n = lanes[k][0];
        for (size_t l = 0; l < n; l++)
            chain[l] = l < lanes[k][1] ? 7 + l : 6 + lanes[k][1];
        cs_streams s = cs_streams_of(5, 9, chain, n, lanes[k][1]);
        s.ahead = lanes[k][1] == 1 ? ahead : NULL;
        cs_fill_words(&s, CS_FOR_SITE, ROWS, whole);
        for (s.skip = 0; s.skip < ROWS; s.skip += 8)
            cs_fill_words(&s, CS_FOR_SITE, 8, part + s.skip * n);
        assert_memory_equal(whole, part, ROWS * n * sizeof *part);
        cs_streams alone = cs_streams_alone(&s, n - 1);
        alone.skip = 0;
        cs_fill_words(&alone, CS_FOR_SITE, ROWS, part);
        for (size_t r = 0; r < ROWS; r++)
            assert_true(part[r] == whole[r * n + n - 1]);
    }
    cs_free(ahead);
}

/* Lane 0 of a fill equals a fill with only the chain of lane 0, for any number
 * of lanes and rows and for any instruction set. */
static void layout_and_processor_do_not_matter(void **state)
{
    (void)state;
    const uint64_t same[LANES] = {900, 900, 900, 900, 900, 900, 900, 900,
                                  900, 900, 900, 900, 900, 900, 900, 900,
                                  900, 900, 900, 900, 900, 900, 900, 900};
    fills *want = cs_alloc(1, sizeof *want), *got = cs_alloc(1, sizeof *got);
    cs_streams many = cs_streams_of(1, 2, chains, LANES, LANES);
    fill_all(variants[0][0], &many, MAX_ROWS, want);
    for (int level = 0; variant(level); level++) {
        fill_all(variant(level), &many, MAX_ROWS, got);
        assert_memory_equal(got, want, sizeof *got);
        for (size_t lanes = 8; lanes <= LANES; lanes += 8)
            for (size_t n = 1; n <= MAX_ROWS; n += n < 5 ? 1 : 63) {
                cs_streams one = cs_streams_of(1, 2, same, lanes, 1);
                fill_all(variant(level), &one, n, got);
                for (size_t i = 0; i < n * lanes; i++) {
                    size_t k = i / lanes * LANES;
                    assert_int_equal(got->words[i], want->words[k]);
                    assert_true(got->uniform[i] == want->uniform[k]);
                    assert_true(got->normal[i] == want->normal[k]);
                    assert_true(got->single[i] == want->single[k]);
                    assert_true(got->logs[i] == want->logs[k]);
                }
            }
    }
    cs_free(want);
    cs_free(got);
}

static void nothing_is_written_past_the_end(void **state)
{
    (void)state;
    double out[4 * LANES] __attribute__((aligned(CS_ALIGN)));
    for (size_t live = 1; live <= LANES; live += LANES - 1)
        for (size_t n = 0; n < 4; n++) {
            cs_streams s = cs_streams_of(1, 2, chains, LANES, live);
            for (size_t i = 0; i < 4 * LANES; i++)
                out[i] = -99;
            for (int coarse = 0; coarse < 2; coarse++) {
                (coarse ? cs_fill_single_normal
                        : cs_fill_uniform)(&s, CS_FOR_ACCEPT, n, out);
                for (size_t i = 0; i < 4 * LANES; i++)
                    assert_int_equal(out[i] != -99, i < n * LANES);
                for (size_t i = 0; i < 4 * LANES; i++)
                    out[i] = -99;
            }
        }
}

static void logs_and_normals_come_from_the_uniforms(void **state)
{
    (void)state;
    fills *f = cs_alloc(1, sizeof *f);
    cs_streams s = cs_streams_of(9, 9, chains, LANES, LANES);
    fill_all(variants[0][0], &s, MAX_ROWS, f);
    for (size_t i = 0; i < MAX_ROWS * LANES; i++) {
        double u = f->uniform[i];
        assert_true(u == (double)(f->words[i] & LOW) * 0x1p-52 + 0x1p-53);
        assert_near(f->logs[i], log(u), 1e-13, 0);
        if (i / LANES % 2 == 0 && i / LANES + 1 < MAX_ROWS) {
            double r = sqrt(-2 * log(u));
            uint64_t w = f->words[i + LANES];
            double v = 0.5 * PI * ((double)(w & LOW) * 0x1p-52 - 0.5);
            double along = w >> 63 ? -cos(v) : cos(v), off = sin(v);
            bool across = w >> 62 & 1;
            assert_near(f->normal[i], r * (across ? off : along), 1e-13, 0);
            assert_near(f->normal[i + LANES], r * (across ? along : off), 1e-13,
                        0);
        }
    }
    cs_free(f);
}

/* Each half of a word gives one normal number. One bit of the half is the sign,
 * and the other bits select the quantile. */
static void single_normals_come_from_the_words(void **state)
{
    (void)state;
    fills *f = cs_alloc(1, sizeof *f);
    cs_streams s = cs_streams_of(9, 9, chains, LANES, LANES);
    fill_all(variants[0][0], &s, MAX_ROWS, f);
    for (size_t r = 0; r < MAX_ROWS / 4 * 4; r++)
        for (size_t l = 0; l < LANES; l++) {
            uint64_t word = f->words[(r / 4 * 2 + r % 4 / 2) * LANES + l];
            uint32_t part = (uint32_t)(word >> 32 * (r % 2));
            double u = ((part & 0x7fffffff) + 0.5) * 0x1p-32;
            double z = gsl_cdf_ugaussian_Qinv(u) * (part >> 31 ? -1 : 1);
            assert_near(f->single[r * LANES + l], z, 0, 3e-5);
        }
    cs_free(f);
}

/* Tries every octave from end to end, with both signs. */
static void quantiles_hold_in_every_octave(void **state)
{
    (void)state;
    enum { wide = 1, STEPS = 100 };
    for (int e = 0; e < 31; e++)
        for (uint32_t i = 0; i < STEPS; i++) {
            uint64_t span = UINT64_C(1) << e;
            uint32_t k = (uint32_t)(span - 1 + span * i / STEPS);
            cs_vu word = cs_vset_u((uint64_t)(k | 0x80000000u) << 32 | k);
            halves z[WIDE];
            half_normals(wide, &word, z);
            double want = gsl_cdf_ugaussian_Qinv((k + 0.5) * 0x1p-32);
            assert_near((double)z[0][0], want, 0, 3e-5);
            assert_true(z[0][1] == -z[0][0]);
        }
    cs_vu ends = cs_vset_u(UINT64_C(0x7fffffff00000000));
    halves z[WIDE];
    half_normals(1, &ends, z);
    assert_near((double)z[0][0], gsl_cdf_ugaussian_Qinv(0x1p-33), 0, 3e-5);
    assert_near((double)z[0][1], 0, 0, 3e-5);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns sqrt(n) times the Kolmogorov-Smirnov distance of u[n] from
 * uniform. */
static double distance(double *u, size_t n)
{
    double worst = 0;
    qsort(u, n, sizeof *u, ascending);
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(u[i] - (double)i / (double)n));
        worst = fmax(worst, fabs(u[i] - (double)(i + 1) / (double)n));
    }
    return worst * sqrt((double)n);
}

enum { SAMPLE = 1 << 17 };

typedef void fill(const cs_streams *s, cs_purpose purpose, size_t n,
                  double *out);

static void follows_the_normal_law(const cs_streams *s, fill *normal,
                                   double *out)
{
    normal(s, CS_FOR_PROPOSAL, SAMPLE / 8, out);
    double m[5] = {0};
    for (size_t i = 0; i < SAMPLE; i++)
        for (int k = 1; k < 5; k++)
            m[k] += pow(out[i], k) / SAMPLE;
    /* five standard errors: sqrt(var(x^k) / SAMPLE) */
    assert_near(m[1], 0, 0, 5 * sqrt(1.0 / SAMPLE));
    assert_near(m[2], 1, 0, 5 * sqrt(2.0 / SAMPLE));
    assert_near(m[3], 0, 0, 5 * sqrt(15.0 / SAMPLE));
    assert_near(m[4], 3, 0, 5 * sqrt(96.0 / SAMPLE));
    for (size_t i = 0; i < SAMPLE; i++)
        out[i] = gsl_cdf_ugaussian_P(out[i]);
    assert_true(distance(out, SAMPLE) < 1.95);
}

/* The seed is fixed, so the test always has the same result. The critical value
 * 1.95 has probability 0.1 %. */
static void fills_follow_their_laws(void **state)
{
    (void)state;
    double *out = cs_alloc(SAMPLE, sizeof *out);
    uint64_t chain[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    cs_streams s = cs_streams_of(20, 0, chain, 8, 8);
    cs_fill_uniform(&s, CS_FOR_USER, SAMPLE / 8, out);
    assert_true(distance(out, SAMPLE) < 1.95);
    cs_fill_log_uniform(&s, CS_FOR_ACCEPT, SAMPLE / 8, out);
    for (size_t i = 0; i < SAMPLE; i++)
        out[i] = exp(out[i]);
    assert_true(distance(out, SAMPLE) < 1.95);
    for (int coarse = 0; coarse < 2; coarse++)
        follows_the_normal_law(
            &s, coarse ? cs_fill_single_normal : cs_fill_normal, out);
    cs_free(out);
}

/* Streams that differ in one part of the key or counter are uncorrelated. */
static void streams_do_not_meet(void **state)
{
    (void)state;
    enum { ROWS = 4096 };
    double *a = cs_alloc(8 * ROWS, sizeof *a), *b = cs_alloc(8 * ROWS, 8);
    uint64_t chain[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                            {8, 9, 10, 11, 12, 13, 14, 15}};
    for (int what = 0; what < 4; what++) {
        cs_streams s = cs_streams_of(1, 1, chain[0], 8, 8);
        cs_fill_normal(&s, CS_FOR_PROPOSAL, ROWS, a);
        if (what == 0)
            s = cs_streams_of(2, 1, chain[0], 8, 8);
        s.step += what == 1;
        s.chain = chain[what == 2];
        cs_fill_normal(&s, what == 3 ? CS_FOR_ACCEPT : CS_FOR_PROPOSAL, ROWS,
                       b);
        double sum = 0;
        for (size_t i = 0; i < 8 * ROWS; i++)
            sum += a[i] * b[i];
        assert_near(sum / sqrt(8.0 * ROWS), 0, 0, 4);
    }
    cs_free(a);
    cs_free(b);
}

/* Returns true if words[n] pass a basic test. Each of the eight bytes of a word
 * must be uniform by chi-square. Successive words must be uncorrelated and
 * differ in half of their bits. The limits are six standard deviations. */
static bool looks_random(const uint64_t *word, size_t n)
{
    double share = (double)n / 256, product = 0, bits = 0;
    for (unsigned at = 0; at < 64; at += 8) {
        double seen[256] = {0}, square = 0;
        for (size_t i = 0; i < n; i++)
            seen[word[i] >> at & 255]++;
        for (size_t k = 0; k < 256; k++)
            square += (seen[k] - share) * (seen[k] - share) / share;
        if (fabs(square - 255) > 6 * sqrt(2 * 255.0))
            return false;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        double a = (double)word[i] * 0x1p-64 - 0.5;
        double b = (double)word[i + 1] * 0x1p-64 - 0.5;
        product += 12 * a * b;
        bits += __builtin_popcountll(word[i] ^ word[i + 1]);
    }
    double pairs = (double)(n - 1);
    return fabs(product) < 6 * sqrt(pairs) &&
           fabs(bits - 32 * pairs) < 6 * 4 * sqrt(pairs);
}

enum { WORDS = 1 << 14 };

/* Words look random if only the index, the step, the chain, the purpose or the
 * seed varies from word to word. */
static void words_look_random_in_every_direction(void **state)
{
    (void)state;
    uint64_t *out = cs_alloc(WORDS * 8, 8), *word = cs_alloc(WORDS, 8);
    uint64_t chain[8] = {0};
    for (int along = 0; along < 5; along++) {
        for (uint64_t i = 0; i < (along ? WORDS : 1); i++) {
            cs_streams s = cs_streams_of(along == 4 ? i : 1, along == 1 ? i : 1,
                                         chain, 8, 8);
            for (size_t l = 0; l < 8; l++)
                chain[l] = along == 2 ? i : 5;
            cs_purpose what = along == 3 ? i % CS_PURPOSES : CS_FOR_SITE;
            s.step += along == 3 ? i / CS_PURPOSES : 0;
            cs_fill_words(&s, what, along ? 1 : WORDS, out);
            word[i] = out[0];
        }
        for (size_t i = 0; along == 0 && i < WORDS; i++)
            word[i] = out[8 * i];
        assert_true(looks_random(word, WORDS));
    }
    cs_free(out);
    cs_free(word);
}

/* Three sequences must not look random: counters, multiples of a constant, and
 * the generator ARS with too few rounds. */
static void poor_words_do_not_look_random(void **state)
{
    (void)state;
    uint64_t *word = cs_alloc(WORDS, 8), out[2];
    for (int fault = 0; fault < 3; fault++) {
        for (uint64_t i = 0; i < WORDS; i++) {
            cs_ars2x64(2, (uint64_t[2]){i, 5}, (uint64_t[2]){1, 2}, out);
            word[i] = fault == 0   ? i
                      : fault == 1 ? i * UINT64_C(0x9e3779b97f4a7c15)
                                   : out[0];
        }
        assert_false(looks_random(word, WORDS));
    }
    cs_free(word);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threefry_gives_the_published_answers),
    cmocka_unit_test(ars_gives_the_published_answers),
    cmocka_unit_test(words_are_ars_of_chain_and_index),
    cmocka_unit_test(rows_can_be_skipped),
    cmocka_unit_test(layout_and_processor_do_not_matter),
    cmocka_unit_test(nothing_is_written_past_the_end),
    cmocka_unit_test(logs_and_normals_come_from_the_uniforms),
    cmocka_unit_test(single_normals_come_from_the_words),
    cmocka_unit_test(quantiles_hold_in_every_octave),
    cmocka_unit_test(fills_follow_their_laws),
    cmocka_unit_test(streams_do_not_meet),
    cmocka_unit_test(words_look_random_in_every_direction),
    cmocka_unit_test(poor_words_do_not_look_random),
};
TESTS(test_rng)
