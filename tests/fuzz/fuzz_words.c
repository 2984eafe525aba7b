/* Fuzzes the reader of word models, and the splitting of sentences into
 * words. */
#include "data/word_model.h"
#include "fuzz.h"

#include <math.h>

static void one_input(const uint8_t *data, size_t size)
{
    cs_words w;
    cs_error err = {0};
    cs_status s = cs_words_parse(&w, (const char *)data, size, "input", &err);
    for (size_t i = 0; s == CS_OK && i < w.numbers; i++)
        if (!isfinite((double)w.number[i]))
            fuzz_broken("a number is not finite");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_words_free(&w);
    cs_word_span rest = {(const char *)data, (const char *)data + size};
    for (char word[CS_WORD_BYTES]; cs_words_next(&rest, word);)
        if (!word[0])
            fuzz_broken("an empty word");
}

const fuzz_reader reader_words = {.read = one_input};
