/* A masked language model of words. The model predicts the word at a position i
 * from the words within a radius:
 *
 *     h_i = tanh(b + sum of M_d e(w_(i+d)) over d = -radius .. radius, d != 0),
 *     score of word w at position i = u_w h_i + c_w,
 *     P(w | the others) = softmax of the scores,
 *
 * with an embedding e of each word, and one embedding for positions outside the
 * sentence. The model combines the window of a log-bilinear model (Mnih and
 * Hinton, Three new graphical models for statistical language modelling, 2007)
 * with the hidden layer of Bengio et al. (A neural probabilistic language
 * model, 2003). Unlike the window of Mnih and Hinton, it includes words on both
 * sides of the predicted word. Word 0 represents all words outside the
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
    CS_WORD_BYTES = 48, /* maximum bytes of a word, with its terminator */
    CS_WORDS_RARE = 0
};

/* Start of each array in `number`. The arrays are, in this order: e[words +
 * 1][width], whose last row is for positions outside the sentence; M[width][2
 * radius][width], by increasing offset d; b[width]; u[words][width];
 * c[words]. */
typedef struct cs_words {
    size_t words, width, radius;
    char (*word)[CS_WORD_BYTES]; /* [words] [own] */
    uint32_t *slot;              /* slots of a hash table of words [own] */
    size_t slots;
    float *number; /* [numbers] all parameters [own] */
    size_t numbers;
    float *e, *mix, *b, *u, *c; /* pointers into `number` */
} cs_words;

/* Allocates a model of n words. All parameters are 0 and all words are empty.
 * [own, cs_words_free] */
cs_status cs_words_create(cs_words *w, size_t words, size_t width,
                          size_t radius, cs_error *err);
void cs_words_free(cs_words *w);

/* Removes the next word from a sentence and copies it to `word` in lower case.
 * Letters, digits and apostrophes form words; every other character is a word
 * by itself. Returns false at the end. A word that does not fit in
 * CS_WORD_BYTES is cut. */
bool cs_words_next(cs_word_span *sentence, char *word);

/* Returns the index of a word, or CS_WORDS_RARE. Requires that the words are
 * set and cs_words_index has been called. */
size_t cs_words_find(const cs_words *w, const char *word);
void cs_words_index(cs_words *w);

/* Adds a word to a growing vocabulary. A new word gets the index n if n is
 * below `words`, otherwise CS_WORDS_RARE. Returns the index of the word. */
size_t cs_words_enter(cs_words *w, size_t n, const char *word);

/* cs_words_text writes the model as text, with four digits per number. The text
 * starts with "words 1500 24 3". Then there is a line for each word, with the
 * word's c, u and e. The last lines have e for positions outside the sentence,
 * b, and the rows of M [own, cs_free *text]. cs_words_parse reads such a text.
 * cs_words_read reads a file that contains such a text; the file may be
 * gzipped. */
cs_status cs_words_text(const cs_words *w, char **text, cs_error *err);
cs_status cs_words_parse(cs_words *w, const char *text, size_t size,
                         const char *where, cs_error *err);
cs_status cs_words_read(cs_words *w, const char *path, cs_error *err);

/* Sentences as lists of word indices: sentence i consists of word[first[i]] to
 * word[first[i + 1] - 1]. */
typedef struct cs_sentences {
    size_t n;
    size_t *first;  /* [n + 1] [own] */
    uint32_t *word; /* [own] */
} cs_sentences;
void cs_sentences_free(cs_sentences *s);
