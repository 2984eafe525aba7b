/* Fits a model of words. Builds the vocabulary, then trains by Adam on
 * minibatches of words in shuffled order; the rate decreases to 0. Cold, except
 * the passes over a minibatch (words_pass.c). */
#include "learn/train_words.h"

#include "base/memory.h"
#include "learn/network_pass.h"
#include "learn/words_pass.h"
#include "rng/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = CS_WORDS_BATCH, DISTINCT = 1 << 18 };

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for a word model");
}

/* ---- sentences ----------------------------------------------------------- */

/* Handles one sentence of the text; returns false if out of memory. */
typedef bool take_sentence(void *self, cs_word_span sentence);

typedef struct reading {
    take_sentence *take;
    void *self;
} reading;

/* Returns field number k of a line whose fields are separated by tabs. */
static cs_word_span field(cs_word_span line, size_t k)
{
    for (const char *at = line.at; at < line.end; at++)
        if (*at == '\t' && k-- == 0)
            return (cs_word_span){line.at, at};
        else if (*at == '\t')
            line.at = at + 1;
    return k ? (cs_word_span){line.end, line.end} : line;
}

/* Finds the field that contains the sentences, from the names of the fields in
 * the first line. Returns the number of this field, or SIZE_MAX if each entire
 * line is a sentence. */
static size_t find_field(cs_word_span first)
{
    for (size_t k = 0; memchr(first.at, '\t', (size_t)(first.end - first.at)) &&
                       field(first, k).at < first.end;
         k++)
        if (cs_word_is(field(first, k), "sentence"))
            return k;
    return SIZE_MAX;
}

static cs_status read_lines(cs_lines *l, void *out, cs_error *err)
{
    const reading *r = out;
    cs_word_span line;
    bool first = true;
    size_t k = SIZE_MAX;
    for (; cs_lines_next(l, &line); first = false) {
        if (first)
            k = find_field(line);
        if (first && k != SIZE_MAX)
            continue;
        if (!r->take(r->self, k == SIZE_MAX ? line : field(line, k)))
            return no_memory(err);
    }
    return CS_OK;
}

static cs_status each_sentence(const char *text, size_t size, const char *where,
                               take_sentence *take, void *self, cs_error *err)
{
    reading r = {take, self};
    return cs_lines_parse(text, size, where, read_lines, &r, err);
}

/* ---- the vocabulary ------------------------------------------------------ */

typedef struct census {
    cs_words all; /* words seen so far, in order of appearance */
    size_t n;
    size_t *count; /* [DISTINCT] number of occurrences of each word [own] */
} census;

static bool count_words(void *self, cs_word_span sentence)
{
    census *c = self;
    char word[CS_WORD_BYTES];
    while (cs_words_next(&sentence, word)) {
        if (word[0] == '#') /* a word that starts with # would be read as a
                             * comment in the file */
            continue;
        size_t i = cs_words_enter(&c->all, c->n, word);
        c->n += i == c->n;
        c->count[i]++;
    }
    return true;
}

typedef struct ranked {
    size_t count, word;
} ranked;

/* Orders words by frequency, then by first appearance. */
static int by_count(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1)
                                : (x->word > y->word) - (x->word < y->word);
}

static cs_status choose_words(const census *c, const double *value, cs_words *w,
                              cs_error *err)
{
    size_t most = (size_t)value[CS_FIT_WORDS];
    ranked *r = cs_alloc(c->n, sizeof *r);
    if (!r)
        return no_memory(err);
    for (size_t i = 1; i < c->n; i++)
        r[i - 1] = (ranked){c->count[i], i};
    qsort(r, c->n - 1, sizeof *r, by_count);
    cs_status s = cs_words_create(w, most < c->n ? most : c->n,
                                  ((size_t)value[CS_FIT_WIDTH] + 15) / 16 * 16,
                                  (size_t)value[CS_FIT_RADIUS], err);
    for (size_t i = 1; !s && i < w->words; i++)
        memcpy(w->word[i], c->all.word[r[i - 1].word], CS_WORD_BYTES);
    if (!s)
        cs_words_index(w);
    cs_free(r);
    return s;
}

static cs_status find_words(const cs_words_fit *fit, cs_words *w, cs_error *err)
{
    census c = {.n = 1};
    if (memchr(fit->text, 0, fit->size)) {
        cs_fail(err, CS_INPUT, "%s is not a text file: it contains zero bytes",
                fit->where);
        cs_hint(err, "give a file with one sentence per line");
        return CS_INPUT;
    }
    cs_status s = cs_words_create(&c.all, DISTINCT, 1, 1, err);
    if (s)
        return s;
    c.count = cs_alloc(DISTINCT, sizeof *c.count);
    s = c.count ? each_sentence(fit->text, fit->size, fit->where, count_words,
                                &c, err)
                : no_memory(err);
    if (!s && c.n < 3) {
        s = cs_fail(err, CS_INPUT, "%s: %zu words are too few for training",
                    fit->where, c.n - 1);
        cs_hint(err, "give a file with one sentence per line");
    }
    if (!s)
        s = choose_words(&c, fit->value, w, err);
    cs_words_free(&c.all);
    cs_free(c.count);
    return s;
}

/* ---- sentences as word numbers ------------------------------------------- */

typedef struct gathering {
    const cs_words *w;
    cs_sentences *out;
    size_t words, capacity, sentence_capacity;
} gathering;

static bool add_sentence(void *self, cs_word_span sentence)
{
    gathering *g = self;
    cs_sentences *out = g->out;
    char word[CS_WORD_BYTES];
    size_t before = g->words;
    while (cs_words_next(&sentence, word)) {
        if (!CS_GROW(out->word, g->words, g->capacity, 1))
            return false;
        out->word[g->words++] = (uint32_t)cs_words_find(g->w, word);
    }
    if (g->words == before)
        return true;
    if (!CS_GROW(out->first, out->n + 1, g->sentence_capacity, 1))
        return false;
    out->first[++out->n] = g->words;
    return true;
}

cs_status cs_words_sentences(const cs_words *w, const char *text, size_t size,
                             const char *where, cs_sentences *out,
                             cs_error *err)
{
    *out = (cs_sentences){0};
    gathering g = {.w = w, .out = out};
    cs_status s = CS_GROW(out->first, 0, g.sentence_capacity, 1)
                      ? each_sentence(text, size, where, add_sentence, &g, err)
                      : no_memory(err);
    if (s)
        cs_sentences_free(out);
    return s;
}

/* ---- training ------------------------------------------------------------ */

typedef struct trainer {
    const cs_words_fit *fit;
    cs_words *w, gradient, mean, square;
    cs_sentences text;
    uint32_t *place;    /* [places] positions to predict, in the order of
                         * use. Each position is the index of a word in the
                         * text. The order is shuffled for each epoch of
                         * training */
    uint32_t *sentence; /* [words of the text] number of the sentence of each
                           word */
    size_t places, steps, total;
    bool ended; /* true: `enough` returned true */
    cs_words_scratch scratch;
} trainer;

static const cs_words_pass *pass(void)
{
    static const cs_words_pass *const variant[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_words_passes)};
    return variant[0][cs_simd_level()];
}

static const cs_network_pass *dense(void)
{
    static const cs_network_pass *const variant[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_network_passes)};
    return variant[0][cs_simd_level()];
}

/* Returns uniform random number k of stream `part`, on (0, 1). */
static double uniform(uint64_t seed, uint64_t part, uint64_t k)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){k, part},
                    (const uint64_t[]){seed, 11}, word);
    return ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
}

/* Draws the initial weights uniformly between -1 / sqrt(inputs) and 1 /
 * sqrt(inputs), and sets the biases to 0. */
static void start(trainer *t)
{
    cs_words *w = t->w;
    uint64_t seed = (uint64_t)t->fit->value[CS_FIT_SEED];
    double wide = sqrt(1 / (double)w->width);
    double mixed = sqrt(0.5 / (double)(w->radius * w->width));
    for (size_t i = 0; i < w->numbers; i++) {
        bool bias = (i >= (size_t)(w->b - w->number) &&
                     i < (size_t)(w->u - w->number)) ||
                    i >= (size_t)(w->c - w->number);
        bool mix =
            i >= (size_t)(w->mix - w->number) && i < (size_t)(w->b - w->number);
        double scale = bias ? 0 : mix ? mixed : wide;
        w->number[i] = (float)(scale * (2 * uniform(seed, 0, i) - 1));
    }
}

static bool open_room(trainer *t)
{
    const cs_words *w = t->w;
    size_t wide = 2 * w->radius * w->width;
    cs_words_scratch *r = &t->scratch;
    r->around = cs_alloc(2 * w->radius * N, sizeof *r->around);
    r->wanted = cs_alloc(N, sizeof *r->wanted);
    r->in = cs_alloc(wide * N, sizeof *r->in);
    r->h = cs_alloc(w->width * N, sizeof *r->h);
    r->back = cs_alloc(w->width * N, sizeof *r->back);
    r->score = cs_alloc(w->words * N, sizeof *r->score);
    r->turned =
        cs_alloc(wide * (N > w->width ? N : w->width), sizeof *r->turned);
    r->product = cs_alloc(wide * N, sizeof *r->product);
    return r->around && r->wanted && r->in && r->h && r->back && r->score &&
           r->turned && r->product;
}

static void close_trainer(trainer *t)
{
    cs_words_scratch *r = &t->scratch;
    CS_FREE_ALL(r->around, r->wanted, r->in, r->h, r->back, r->score, r->turned,
                r->product, t->place, t->sentence);
    cs_words_free(&t->gradient);
    cs_words_free(&t->mean);
    cs_words_free(&t->square);
    cs_sentences_free(&t->text);
}

/* Returns whether sentence number i is held out. The decision is random, but
 * depends only on the seed and the number of the sentence. */
static bool is_held_out(const trainer *t, size_t sentence)
{
    const double *v = t->fit->value;
    return uniform((uint64_t)v[CS_FIT_SEED], 1, sentence) < v[CS_FIT_HELD_OUT];
}

/* Lists the positions in training or held-out sentences. Positions of words
 * outside the vocabulary are left out, because these words are not
 * predicted. */
static size_t list_places(trainer *t, bool held_out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->text.n; i++)
        for (size_t k = t->text.first[i]; k < t->text.first[i + 1]; k++) {
            t->sentence[k] = (uint32_t)i;
            if (is_held_out(t, i) == held_out &&
                t->text.word[k] != CS_WORDS_RARE)
                t->place[n++] = (uint32_t)k;
        }
    return n;
}

static void shuffle(trainer *t, size_t epoch)
{
    uint64_t seed = (uint64_t)t->fit->value[CS_FIT_SEED];
    for (size_t i = t->places; i > 1; i--) {
        size_t j = (size_t)(uniform(seed, epoch + 2, i) * (double)i);
        uint32_t kept = t->place[i - 1];
        t->place[i - 1] = t->place[j];
        t->place[j] = kept;
    }
}

/* Loads the words around position k of the text into lane l. */
static void look_around(trainer *t, size_t k, size_t l)
{
    const size_t *first = t->text.first + t->sentence[k];
    size_t radius = t->w->radius;
    t->scratch.wanted[l] = t->text.word[k];
    for (size_t d = 0; d < 2 * radius; d++) {
        size_t at = k + d + (d >= radius) - radius; /* k - radius may wrap below
                                                       0 */
        t->scratch.around[d * N + l] = at >= first[0] && at < first[1]
                                           ? t->text.word[at]
                                           : (uint32_t)t->w->words;
    }
}

/* Loads the positions from number `first` on. If fewer positions than lanes are
 * left, the last lanes repeat a position. */
static void fill_room(trainer *t, size_t first)
{
    size_t left = t->places - first;
    t->scratch.live = left < N ? left : N;
    for (size_t l = 0; l < N; l++)
        look_around(t, t->place[first + (l < t->scratch.live ? l : 0)], l);
}

static void step(trainer *t)
{
    double left = 1 - (double)t->steps / (double)t->total;
    pass()->back(t->w, &t->scratch, &t->gradient);
    dense()->adam(t->w->number, t->gradient.number, t->mean.number,
                  t->square.number, t->w->numbers,
                  t->fit->value[CS_FIT_RATE] * left, (double)++t->steps);
}

/* Runs one epoch of training. If `learn` is false, only evaluates the model.
 * Returns the perplexity. */
static double go_through(trainer *t, bool learn)
{
    const cs_words_fit *fit = t->fit;
    double sum = 0;
    for (size_t i = 0; i < t->places && !t->ended; i += N) {
        fill_room(t, i);
        sum += pass()->forward(t->w, &t->scratch);
        if (learn) {
            step(t);
            t->ended =
                fit->enough &&
                fit->enough(fit->self, (double)t->steps / (double)t->total);
        }
    }
    return exp(sum / (double)t->places); /* NaN if there are no positions */
}

static cs_status train(trainer *t, cs_error *err)
{
    const cs_words_fit *fit = t->fit;
    size_t epochs = (size_t)fit->value[CS_FIT_EPOCHS];
    t->places = list_places(t, false);
    t->total = epochs * ((t->places + N - 1) / N);
    for (size_t epoch = 0; epoch < epochs && !t->ended; epoch++) {
        t->places = list_places(t, false);
        shuffle(t, epoch);
        double learned = go_through(t, true);
        if (!isfinite(learned)) {
            cs_fail(err, CS_INPUT, "words: the perplexity is not finite");
            cs_hint(err, "use a smaller rate, or a longer text");
            return CS_INPUT;
        }
        t->places = list_places(t, true);
        double held_out = go_through(t, false);
        if (fit->report && !t->ended)
            fit->report(fit->self, epoch + 1, learned, held_out);
    }
    return CS_OK;
}

static cs_status open_trainer(trainer *t, cs_error *err)
{
    const cs_words *w = t->w;
    cs_words *const like[] = {&t->gradient, &t->mean, &t->square};
    cs_status s = cs_words_sentences(w, t->fit->text, t->fit->size,
                                     t->fit->where, &t->text, err);
    for (size_t i = 0; !s && i < 3; i++)
        s = cs_words_create(like[i], w->words, w->width, w->radius, err);
    if (s)
        return s;
    size_t n = t->text.first[t->text.n];
    t->place = cs_alloc(n + 1, sizeof *t->place);
    t->sentence = cs_alloc(n + 1, sizeof *t->sentence);
    return t->place && t->sentence && open_room(t) ? CS_OK : no_memory(err);
}

cs_status cs_words_train(const cs_words_fit *fit, cs_words *w, cs_error *err)
{
    *w = (cs_words){0};
    trainer t = {.fit = fit, .w = w};
    cs_status s = find_words(fit, w, err);
    if (s)
        return s;
    start(&t);
    s = open_trainer(&t, err);
    if (!s)
        s = train(&t, err);
    close_trainer(&t);
    if (s)
        cs_words_free(w);
    return s;
}

const cs_param cs_fit_words_params[CS_FIT_PARAMS] = {
    [CS_FIT_WORDS] = {.name = "words",
                      .kind = CS_PARAM_INT,
                      CS_PARAM_RANGE(3, CS_WORDS_MOST, 2000),
                      .help =
                          "size of the vocabulary, which consists of the most "
                          "frequent words; all other words count as one word"},
    [CS_FIT_WIDTH] =
        {.name = "width",
         .kind = CS_PARAM_INT,
         CS_PARAM_RANGE(16, CS_WORDS_WIDTH, 32),
         .help = "length of an embedding, rounded up to a multiple of 16"},
    [CS_FIT_RADIUS] = {.name = "radius",
                       .kind = CS_PARAM_INT,
                       CS_PARAM_RANGE(1, CS_WORDS_RADIUS, 3),
                       .help = "number of context words on either side"},
    [CS_FIT_EPOCHS] = {.name = "epochs",
                       .kind = CS_PARAM_INT,
                       CS_PARAM_RANGE(1, 1e6, 10),
                       .help = "passes over the text"},
    [CS_FIT_RATE] = {.name = "rate",
                     CS_PARAM_RANGE(1e-9, 1, 0.003),
                     .help = "initial learning rate of Adam; the rate "
                             "decreases to 0 during training"},
    [CS_FIT_HELD_OUT] =
        {.name = "held_out",
         CS_PARAM_RANGE(0, 0.9, 0.1),
         .help = "share of the sentences that is held out for evaluation"},
    [CS_FIT_SEED] =
        {.name = "seed",
         .kind = CS_PARAM_INT,
         CS_PARAM_RANGE(0, 1e9, 1),
         .help =
             "seed of the initial weights and of the order of the sentences"},
};
