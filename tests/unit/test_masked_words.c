/* Compares log p of the target `masked_words` with its formula. Also tests the
 * text form of word models, and how such models are fitted. */
#include "support/support.h"

#include "base/memory.h"
#include "learn/train_words.h"
#include "target/target.h"
#include "targets/network/masked_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 8, MOST = 64 };

static cs_value number(const char *name, double value)
{
    return (cs_value){
        .name = name, .kind = CS_PARAM_REAL, .given = 1, .number = value};
}

static cs_target *open_words(const char *sentence, double normalise,
                             double radius, double words)
{
    cs_target *t = NULL;
    cs_error err = {0};
    cs_value given[] = {{.name = "sentence",
                         .kind = CS_PARAM_TEXT,
                         .given = 1,
                         .text = sentence},
                        {.name = "normalise",
                         .kind = CS_PARAM_BOOL,
                         .given = 1,
                         .number = normalise},
                        number("words", words),
                        number("width", 4),
                        number("radius", radius),
                        number("seed", 3)};
    if (cs_target_create(cs_target_find("masked_words"), given, 6, &t, &err))
        fail_msg("%s", err.what);
    return t;
}

static cs_target *open_sentence(const char *sentence, double normalise,
                                double radius)
{
    return open_words(sentence, normalise, radius, 6);
}

/* ---- the formula --------------------------------------------------------- */

/* A sentence in which each position has a share of each word. At each position,
 * either one word has the share 1, or several words have shares that add up to
 * 1. */
typedef struct mix {
    size_t places;
    double share[16][16]; /* [position][word]; 0 after the last position */
    size_t mask[16], masks;
} mix;

static mix as_given(const cs_masked_words *m)
{
    mix s = {.places = m->places, .masks = m->dim};
    for (size_t k = 0; k < m->places; k++)
        s.share[k][cs_words_find(&m->model, m->word[k])] = 1;
    for (size_t i = 0; i < m->dim; i++)
        s.mask[i] = m->mask[i];
    return s;
}

static void set_word(mix *s, size_t i, size_t value)
{
    memset(s->share[s->mask[i]], 0, sizeof *s->share);
    s->share[s->mask[i]][value + 1] = 1;
}

static double embedding(const cs_words *w, const mix *s, size_t at, size_t k)
{
    double sum = 0;
    if (at >= s->places)
        return (double)w->e[w->words * w->width + k];
    for (size_t v = 0; v < w->words; v++)
        sum += s->share[at][v] * (double)w->e[v * w->width + k];
    return sum;
}

static double hidden(const cs_words *w, const mix *s, size_t at, size_t k)
{
    double sum = (double)w->b[k];
    long radius = (long)w->radius;
    for (long d = -radius; d <= radius; d++) {
        size_t offset = (size_t)(d < 0 ? d + radius : d + radius - 1);
        const float *row = w->mix + (k * 2 * w->radius + offset) * w->width;
        for (size_t j = 0; d != 0 && j < w->width; j++)
            sum += (double)row[j] * embedding(w, s, (size_t)((long)at + d), j);
    }
    return tanh(sum);
}

static double by_hand(const cs_masked_words *m, const mix *s)
{
    const cs_words *w = &m->model;
    double total = 0;
    for (size_t i = 0; i < s->masks; i++) {
        double all = 0;
        for (size_t v = 1; v < w->words; v++) {
            double score = (double)w->c[v];
            for (size_t k = 0; k < w->width; k++)
                score += (double)w->u[v * w->width + k] *
                         hidden(w, s, s->mask[i], k);
            total += s->share[s->mask[i]][v] * score;
            all += exp(score);
        }
        total -= m->normalise ? log(all) : 0;
    }
    return total;
}

/* ---- tests --------------------------------------------------------------- */

static size_t value_of(const cs_target *t, size_t lane, size_t i)
{
    return (lane * 5 + i * (lane + 2) + 1) % (size_t)t->space.values;
}

static void check_lane(const cs_target *t, size_t lane, double logp,
                       const double *d)
{
    const cs_masked_words *m = t->self;
    mix s = as_given(m);
    for (size_t i = 0; i < m->dim; i++)
        set_word(&s, i, value_of(t, lane, i));
    assert_near(logp, by_hand(m, &s), 1e-12, 1e-12);
    for (size_t i = 0; i < m->dim; i++)
        for (size_t v = 0; v < m->values; v++) {
            double h = 1e-5, side[2];
            for (int up = 0; up < 2; up++) {
                mix near = s;
                double by = up ? h : -h;
                near.share[s.mask[i]][v + 1] += by;
                near.share[s.mask[i]][value_of(t, lane, i) + 1] -= by;
                side[up] = by_hand(m, &near);
            }
            assert_near(d[(i * m->values + v) * LANES + lane],
                        (side[1] - side[0]) / (2 * h), 1e-7, 1e-8);
        }
}

static void check_sentence(const char *sentence, double normalise,
                           double radius)
{
    cs_target *t = open_sentence(sentence, normalise, radius);
    size_t dim = t->space.dim, values = (size_t)t->space.values;
    double *x = cs_alloc(dim * LANES, sizeof *x);
    double *d = cs_alloc(dim * values * LANES, sizeof *d);
    double *scratch = cs_alloc(t->scratch_words * LANES, sizeof *scratch);
    _Alignas(64) double logp[LANES], again[LANES];
    assert_true(x && d && scratch);
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < LANES; l++)
            x[i * LANES + l] = (double)value_of(t, l, i);
    cs_point at = {.x = x, .scratch = scratch, .lanes = LANES, .live = LANES};
    t->type->sites.one_hot(t, &at, logp, d);
    t->type->log_density(t, &at, again);
    assert_memory_equal(logp, again, sizeof logp);
    for (size_t l = 0; l < LANES; l++)
        check_lane(t, l, logp[l], d);
    cs_free(x);
    cs_free(d);
    cs_free(scratch);
    cs_target_release(t);
}

static void has_its_formula(void **state)
{
    (void)state;
    check_sentence("_ _ _", 1, 2);
    check_sentence("_ _ _ _", 0, 1);
    check_sentence("a _ nobody, _ _ c b _", 1, 3);
    check_sentence("b _ c", 0, 2);
    check_sentence("_", 1, 2);
}

/* Compares the values for all words at one position per lane with log p of the
 * whole sentences. */
static void check_sites(const char *sentence, double normalise, double words)
{
    cs_target *t = open_words(sentence, normalise, 3, words);
    size_t dim = t->space.dim, values = (size_t)t->space.values;
    double *x = cs_alloc(dim * LANES, sizeof *x);
    double *d = cs_alloc(values * LANES, sizeof *d);
    double *scratch = cs_alloc(t->scratch_words * LANES, sizeof *scratch);
    _Alignas(64) double logp[LANES], other[LANES];
    uint32_t site[LANES];
    assert_true(x && d && scratch);
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < LANES; l++)
            x[i * LANES + l] = (double)value_of(t, l, i);
    cs_point at = {
        .x = x, .scratch = scratch, .lanes = LANES, .live = LANES - 1};
    t->type->log_density(t, &at, logp);
    for (size_t i = 0; i < dim; i++) {
        for (size_t l = 0; l < LANES; l++)
            site[l] = (uint32_t)((i + l) % dim);
        t->type->sites.site(t, &at, site, d);
        for (size_t v = 0; v < values; v++) {
            for (size_t l = 0; l < LANES; l++)
                x[site[l] * LANES + l] = (double)v;
            t->type->log_density(t, &at, other);
            for (size_t l = 0; l < LANES; l++) {
                x[site[l] * LANES + l] = (double)value_of(t, l, site[l]);
                if (l < at.live)
                    assert_near(d[v * LANES + l], other[l] - logp[l], 1e-12,
                                1e-12);
            }
        }
    }
    cs_free(x);
    cs_free(d);
    cs_free(scratch);
    cs_target_release(t);
}

static void tries_every_word_at_a_place(void **state)
{
    (void)state;
    check_sites("_ _ _ _ _", 1, 6);
    check_sites("a _ nobody, _ _ c b _", 1, 71);
    check_sites("a _ nobody, _ _ c b _", 0, 34);
    check_sites("_", 1, 33);
}

static void is_read_as_a_sentence(void **state)
{
    (void)state;
    cs_target *t = open_sentence("The _ fox, _", 1, 2);
    char text[200];
    t->type->read(t, (const double[]){1, 0}, text, sizeof text);
    assert_string_equal(text, "the [b] fox , [a]");
    char few[8];
    t->type->read(t, (const double[]){1, 0}, few, sizeof few);
    assert_string_equal(few, "the [b]");
    cs_target_release(t);
}

/* A language in which c follows "a b", and d follows "b b". */
static const char language[] = "# made up\n"
                               "a b c a b c a b c\nb b d b b d b b d\n"
                               "a b c\nb b d\na b c a b c\nb b d b b d\n";

static void keep_last(void *self, size_t epoch, double learned, double held_out)
{
    (void)epoch;
    (void)held_out;
    *(double *)self = learned;
}

static void fit(cs_words *w, double *perplexity)
{
    cs_error err = {0};
    cs_words_fit how = {.text = language,
                        .size = sizeof language - 1,
                        .where = "text",
                        .report = keep_last,
                        .self = perplexity};
    for (size_t i = 0; i < CS_FIT_PARAMS; i++)
        how.value[i] = cs_fit_words_params[i].def;
    how.value[CS_FIT_WIDTH] = 16;
    how.value[CS_FIT_EPOCHS] = 300;
    how.value[CS_FIT_HELD_OUT] = 0;
    if (cs_words_train(&how, w, &err))
        fail_msg("%s", err.what);
}

static void learns_a_language(void **state)
{
    (void)state;
    cs_words w, copy;
    cs_error err = {0};
    double perplexity = 0;
    char *text = NULL, *again = NULL;
    fit(&w, &perplexity);
    assert_int_equal(w.words, 5);
    assert_string_equal(w.word[1], "b"); /* the most frequent word */
    assert_true(perplexity < 1.2);
    assert_int_equal(cs_words_text(&w, &text, &err), CS_OK);
    if (cs_words_parse(&copy, text, strlen(text), "text", &err))
        fail_msg("%s", err.what);
    assert_int_equal(cs_words_text(&copy, &again, &err), CS_OK);
    assert_string_equal(text, again);
    cs_free(text);
    cs_free(again);
    cs_words_free(&copy);
    cs_words_free(&w);
}

static void refuses(const char *text, const char *why)
{
    cs_words w;
    cs_error err = {0};
    assert_int_equal(cs_words_parse(&w, text, strlen(text), "text", &err),
                     CS_INPUT);
    if (!strstr(err.what, why))
        fail_msg("\"%s\" does not say \"%s\"", err.what, why);
}

static void refuses_what_is_no_model(void **state)
{
    (void)state;
    refuses("network 2 3\n", "not a word model");
    refuses("words 1 4 2\n", "sizes of the model");
    refuses("words 3 4 99\n", "sizes of the model");
    refuses("words 20000 256 8\n", "fewer numbers");
    refuses("words 2 1 1\n? 0 0 0\na 0 0 x\n. 0\n. 0\n. 0 0\n",
            "missing or invalid");
    refuses("words 2 1 1\n? 0 0 0\na 0 0 0 7\n. 0\n. 0\n. 0 0\n",
            "more numbers");
    refuses("words 2 1 1\n? 0 0 0\na 0 0 0\n. 0\n. 0\n", "fewer lines");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(has_its_formula),
    cmocka_unit_test(tries_every_word_at_a_place),
    cmocka_unit_test(is_read_as_a_sentence),
    cmocka_unit_test(learns_a_language),
    cmocka_unit_test(refuses_what_is_no_model),
};
TESTS(test_masked_words)
