/* A masked language model of words: predicts the word at a place from the
 * words within a radius,
 *
 *     h_i = tanh(b + sum over d = -radius .. radius, d != 0, of M_d e(w_(i+d))),
 *     score of word w at place i = u_w h_i + c_w,
 *     P(w | the others) = softmax of the scores,
 *
 * with an embedding e of each word and one for positions outside the sentence.
 * A window of a log-bilinear model (Mnih and Hinton, Three new graphical
 * models for statistical language modelling, 2007) with the hidden layer of
 * Bengio et al. (A neural probabilistic language model, 2003), on both sides
 * of the word that is left out. Word 0 represents all words outside the
 * vocabulary. */
#pragma once

#include "base/status.h"
#include "data/lines.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CS_WORDS_MOST = 20000,
    CS_WORDS_WIDTH = 256,
    CS_WORDS_RADIUS = 8,
    CS_WORD_BYTES = 48, /* of a word, with its end */
    CS_WORDS_RARE = 0
};

/* Where numbers begin: e[words + 1][width], the last one beyond a sentence;
 * M[width][2 radius][width], offsets in their order; b[width]; u[words][width];
 * c[words]. */
typedef struct cs_words {
    size_t words, width, radius;
    char (*word)[CS_WORD_BYTES]; /* [words] [own] */
    uint32_t *slot;              /* of the hash table of words [own] */
    size_t slots;
    float *number; /* [numbers] [own] */
    size_t numbers;
    float *e, *mix, *b, *u, *c; /* in `number` */
} cs_words;

/* Allocates a model of n words, all numbers 0 and all words empty. [own,
 * cs_words_free] */
cs_status cs_words_create(cs_words *w, size_t words, size_t width,
                          size_t radius, cs_error *err);
void cs_words_free(cs_words *w);

/* Cuts the next word off a sentence, in small letters: letters, digits and
 * apostrophes together, every other mark by itself. False at the end; a longer
 * word is cut to CS_WORD_BYTES. */
bool cs_words_next(cs_word_span *sentence, char *word);

/* The number of a word, or CS_WORDS_RARE; after the words are in place and
 * cs_words_index has been called. */
size_t cs_words_find(const cs_words *w, const char *word);
void cs_words_index(cs_words *w);

/* The same while a vocabulary grows: a word that is not there becomes number n,
 * if that is below `words`; else CS_WORDS_RARE. */
size_t cs_words_enter(cs_words *w, size_t n, const char *word);

/* As text: "words 1500 24 3", a line of each word with c, u and e, then e
 * outside the sentence, b and the rows of M, to four digits [own, cs_free
 * *text]; and from a file of it, which may be gzipped. */
cs_status cs_words_text(const cs_words *w, char **text, cs_error *err);
cs_status cs_words_parse(cs_words *w, const char *text, size_t size,
                         const char *where, cs_error *err);
cs_status cs_words_read(cs_words *w, const char *path, cs_error *err);

/* Sentences as numbers of words: sentence i is word[first[i]] to
 * word[first[i + 1] - 1]. */
typedef struct cs_sentences {
    size_t n;
    size_t *first;  /* [n + 1] [own] */
    uint32_t *word; /* [own] */
} cs_sentences;
void cs_sentences_free(cs_sentences *s);
