/* Constructs sentences with masked words: the model, the positions of the
 * masks, and the contributions of the given words. */
#include "targets/network/masked_words.h"

#include "base/memory.h"
#include "simd/simd.h"
#include "targets/network/network_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PLACES = 512 };

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target masked_words");
}

/* ---- the model ----------------------------------------------------------- */

/* Makes a random model: words "a", "b", ... and normal weights. */
static cs_status at_random(cs_masked_words *m, const cs_value *v, cs_error *err)
{
    uint64_t seed = (uint64_t)v[CS_MASKED_SEED].number;
    cs_status s =
        cs_words_create(&m->model, (size_t)v[CS_MASKED_WORDS].number + 1,
                        (size_t)v[CS_MASKED_WIDTH].number,
                        (size_t)v[CS_MASKED_RADIUS].number, err);
    for (size_t i = 1; !s && i < m->model.words; i++)
        snprintf(m->model.word[i], CS_WORD_BYTES, "%c%.0zu",
                 (char)('a' + (i - 1) % 26), (i - 1) / 26);
    if (!s)
        cs_words_index(&m->model);
    for (size_t i = 0; !s && i < m->model.numbers; i++)
        m->model.number[i] = (float)(0.7 * cs_network_normal(seed, i));
    return s;
}

static cs_status take_model(cs_masked_words *m, const cs_value *v,
                            cs_error *err)
{
    const cs_value *file = &v[CS_MASKED_FILE];
    cs_status s = file->given ? cs_words_read(&m->model, file->text, err)
                              : at_random(m, v, err);
    m->values = s ? 0 : m->model.words - 1;
    m->width = m->model.width;
    m->radius = m->model.radius;
    m->normalise = v[CS_MASKED_NORMALISE].number != 0;
    if (s || m->values >= 2)
        return s;
    return cs_fail(err, CS_INPUT, "masked_words: the model has only one word");
}

/* ---- the sentence -------------------------------------------------------- */

static bool is_gap(const char *word)
{
    return strcmp(word, "_") == 0;
}

static cs_status cut(cs_masked_words *m, const char *sentence, cs_error *err)
{
    cs_word_span rest = {sentence, sentence + strlen(sentence)};
    m->word = cs_alloc(MOST_PLACES, sizeof *m->word);
    m->mask = cs_alloc(MOST_PLACES, sizeof *m->mask);
    if (!m->word || !m->mask)
        return no_memory(err);
    for (char word[CS_WORD_BYTES]; cs_words_next(&rest, word); m->places++) {
        if (m->places == MOST_PLACES)
            return cs_fail(err, CS_INPUT,
                           "masked_words: the sentence has more than %d words",
                           MOST_PLACES);
        memcpy(m->word[m->places], word, CS_WORD_BYTES);
        if (is_gap(word))
            m->mask[m->dim++] = (uint32_t)m->places;
    }
    return CS_OK;
}

/* Masks a share of the words, at least one word. The masked words are those
 * with the smallest uniform numbers. */
static void mask_some(cs_masked_words *m, double share, uint64_t seed)
{
    size_t wanted = (size_t)ceil(share * (double)m->places);
    for (size_t i = 0; i < m->places; i++) {
        double mine = cs_network_uniform(seed, i);
        size_t below = 0;
        for (size_t j = 0; j < m->places; j++)
            below += cs_network_uniform(seed, j) < mine;
        if (below < (wanted ? wanted : 1))
            m->mask[m->dim++] = (uint32_t)i;
    }
}

static cs_status take_sentence(cs_masked_words *m, const cs_value *v,
                               cs_error *err)
{
    const cs_value *sentence = &v[CS_MASKED_SENTENCE];
    cs_status s = cut(m, sentence->given ? sentence->text : "_ _ _", err);
    if (!s && !m->dim && m->places)
        mask_some(m, v[CS_MASKED_SHARE].number,
                  (uint64_t)v[CS_MASKED_SEED].number);
    if (s || m->dim)
        return s;
    cs_fail(err, CS_INPUT, "masked_words: the sentence has no words");
    cs_hint(err, "for example sentence = \"the king had a _ daughter\"");
    return CS_INPUT;
}

/* ---- derived tables ------------------------------------------------------ */

/* Returns the position at offset number d (-radius .. -1, 1 .. radius) from
 * position k; SIZE_MAX if that position is outside the sentence. */
static size_t place_at(const cs_masked_words *m, size_t k, size_t d)
{
    size_t at = k + d + (d >= m->radius) - m->radius; /* may wrap below 0; `at`
                                                         is then too large */
    return at < m->places ? at : SIZE_MAX;
}

static uint32_t mask_at(const cs_masked_words *m, size_t place)
{
    for (uint32_t i = 0; i < m->dim; i++)
        if (m->mask[i] == place)
            return i;
    return CS_MASKED_NONE;
}

/* Adds M_d e(w) to to[width]. w may be the word that represents positions
 * outside the sentence. */
static void add_moved(const cs_masked_words *m, size_t d, size_t w, double *to)
{
    const cs_words *model = &m->model;
    for (size_t i = 0; i < m->width; i++) {
        const float *row = model->mix + (i * 2 * m->radius + d) * m->width;
        for (size_t k = 0; k < m->width; k++)
            to[i] += (double)row[k] * (double)model->e[w * m->width + k];
    }
}

static void look_around(cs_masked_words *m)
{
    for (size_t i = 0; i < m->dim; i++) {
        double *given = m->given + i * m->width;
        for (size_t k = 0; k < m->width; k++)
            given[k] = (double)m->model.b[k];
        for (size_t d = 0; d < 2 * m->radius; d++) {
            size_t at = place_at(m, m->mask[i], d);
            uint32_t mask = at == SIZE_MAX ? CS_MASKED_NONE : mask_at(m, at);
            m->near[i * 2 * m->radius + d] = mask;
            if (mask == CS_MASKED_NONE)
                add_moved(m, d,
                          at == SIZE_MAX
                              ? m->model.words
                              : cs_words_find(&m->model, m->word[at]),
                          given);
        }
    }
}

static void copy_numbers(cs_masked_words *m)
{
    const cs_words *model = &m->model;
    size_t n = m->width, offsets = 2 * m->radius;
    for (size_t v = 0; v < m->values; v++) {
        m->c[v] = (double)model->c[v + 1];
        for (size_t k = 0; k < n; k++) {
            m->e[v * n + k] = (double)model->e[(v + 1) * n + k];
            m->u[v * n + k] = (double)model->u[(v + 1) * n + k];
            m->turned[k * m->values + v] = m->u[v * n + k];
        }
        for (size_t d = 0; d < offsets; d++)
            add_moved(m, d, v + 1, m->moved + (d * m->values + v) * n);
    }
    for (size_t d = 0; d < offsets; d++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                m->mix[(d * n + k) * n + i] =
                    (double)model->mix[(i * offsets + d) * n + k];
}

static cs_status make_room(cs_masked_words *m, cs_error *err)
{
    size_t n = m->width, offsets = 2 * m->radius;
    m->u = cs_alloc(m->values * n, sizeof *m->u);
    m->turned = cs_alloc(m->values * n, sizeof *m->turned);
    m->e = cs_alloc(m->values * n, sizeof *m->e);
    m->c = cs_alloc(m->values, sizeof *m->c);
    m->moved = cs_alloc(offsets * m->values * n, sizeof *m->moved);
    m->mix = cs_alloc(offsets * n * n, sizeof *m->mix);
    m->given = cs_alloc(m->dim * n, sizeof *m->given);
    m->near = cs_alloc(m->dim * offsets, sizeof *m->near);
    return m->u && m->turned && m->e && m->c && m->moved && m->mix &&
                   m->given && m->near
               ? CS_OK
               : no_memory(err);
}

/* ---- instances ----------------------------------------------------------- */

void cs_masked_words_destroy(cs_target *t)
{
    cs_masked_words *m = t->self;
    CS_FREE_ALL(m->u, m->turned, m->e, m->c, m->moved, m->mix, m->given,
                m->near, m->word, m->mask);
    cs_words_free(&m->model);
}

void cs_masked_words_coordinate(const cs_target *t, size_t i, char *text,
                                size_t size)
{
    const cs_masked_words *m = t->self;
    snprintf(text, size, "word.%u", m->mask[i] + 1);
}

/* Writes the sentence to text[size], with the filled-in words in brackets. */
void cs_masked_words_read(const cs_target *t, const double *x, char *text,
                          size_t size)
{
    const cs_masked_words *m = t->self;
    size_t used = 0;
    if (size)
        text[0] = '\0';
    for (size_t k = 0; k < m->places && used < size; k++) {
        uint32_t mask = mask_at(m, k);
        bool gap = mask != CS_MASKED_NONE;
        const char *word =
            gap ? m->model.word[(size_t)x[mask] + 1] : m->word[k];
        int n = snprintf(text + used, size - used, "%s%s%s%s", k ? " " : "",
                         gap ? "[" : "", word, gap ? "]" : "");
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Returns the cost of a site's differences. Each position that depends on the
 * site computes the scores of all words once per candidate word; for log p,
 * each position computes them only once. */
static double site_cost(const cs_masked_words *m)
{
    size_t see = 0, all = m->dim * 2 * m->radius;
    for (size_t k = 0; k < all; k++)
        see += m->near[k] != CS_MASKED_NONE;
    double dim = (double)m->dim;
    return ((double)m->values * (double)see / dim + 1) / dim;
}

/* Returns the number of scratch rows for `one_hot` and for `site`. (`site`
 * processes one chain at a time.) */
static size_t scratch_words(const cs_masked_words *m)
{
    size_t slopes = 2 * m->dim * m->width + m->values + 2 * m->width + 1;
    size_t tried = (m->values + m->width + 2) * CS_MASKED_TRIED +
                   cs_pad_lanes(m->values) + cs_pad_lanes(m->width);
    size_t chain = (tried + CS_LEAST_LANES - 1) / CS_LEAST_LANES;
    return slopes > chain ? slopes : chain;
}

cs_status cs_masked_words_create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_masked_words *m = t->self;
    cs_status s = take_model(m, v, err);
    if (!s)
        s = take_sentence(m, v, err);
    if (!s)
        s = make_room(m, err);
    if (s)
        return s;
    copy_numbers(m);
    look_around(m);
    t->space = (cs_space){
        .kind = CS_CATEGORICAL, .dim = m->dim, .values = (int)m->values};
    t->scratch_words = scratch_words(m);
    t->site_cost = site_cost(m);
    t->shared_words = (3 + 2 * m->radius) * m->values * m->width;
    t->exact = (cs_exact){.log_z = NAN};
    return CS_OK;
}

const cs_param cs_masked_words_params[CS_MASKED_PARAMS] = {
    [CS_MASKED_FILE] = {.name = "file",
                        CS_FIXED_PATH,
                        .help = "path of a model written by `chainscope train "
                                "words`; without it, a random model is used"},
    [CS_MASKED_SENTENCE] =
        {.name = "sentence",
         CS_FIXED(TEXT),
         .help = "the sentence, with an underscore in place of each masked "
                 "word: \"the king had a _ daughter\". In a sentence without "
                 "underscores, random words are masked"},
    [CS_MASKED_SHARE] =
        {.name = "share",
         CS_FIXED(REAL),
         CS_PARAM_RANGE(0, 1, 0.5),
         .help = "share of masked words, for a sentence without underscores",
         .ref = "1/2 in acs, 0.35 in its program"},
    [CS_MASKED_SEED] =
        {.name = "seed",
         CS_FIXED(INT),
         CS_PARAM_RANGE(0, 1e9, 1),
         .help = "seed for the choice of masked words and for a random model"},
    [CS_MASKED_NORMALISE] =
        {.name = "normalise",
         CS_FIXED(BOOL),
         .max = 1,
         .def = 1,
         .help = "true: log p is the sum of the words' log probabilities; "
                 "false: log p is the sum of the words' scores",
         .ref = "the acs paper states log probabilities, but its program uses "
                "scores"},
    [CS_MASKED_WORDS] = {.name = "words",
                         CS_FIXED(INT),
                         CS_PARAM_RANGE(2, CS_WORDS_MOST - 1, 5),
                         .help = "words of a random model"},
    [CS_MASKED_WIDTH] = {.name = "width",
                         CS_FIXED(INT),
                         CS_PARAM_RANGE(1, CS_WORDS_WIDTH, 3),
                         .help =
                             "dimension of the embedding of a random model"},
    [CS_MASKED_RADIUS] =
        {.name = "radius",
         CS_FIXED(INT),
         CS_PARAM_RANGE(1, CS_WORDS_RADIUS, 2),
         .help =
             "number of words on each side that a random model conditions on"},
};
