/* Fuzzes the cleaning of untrusted text for a terminal, and the splitting of
 * command lines into words. */
#include "base/text.h"
#include "fuzz.h"
#include "session/client/shell_words.h"

#include <string.h>

/* Checks that cleaned text contains no control sequences and no incomplete
 * characters. */
static void clean(const char *text)
{
    char out[97];
    size_t capacity = strlen(text) % sizeof out + 1;
    capacity = capacity > sizeof out ? sizeof out : capacity;
    size_t n = cs_text_clean(text, out, capacity);
    if (n >= capacity || out[n] || strlen(out) != n)
        fuzz_broken("the text is not terminated");
    for (size_t i = 0, k; i < n; i += k) {
        unsigned code;
        k = cs_utf8_decode(out + i, n - i, &code);
        if (k == 0 || code < 32 || (code >= 127 && code < 160))
            fuzz_broken("a control character was not removed");
        if ((code >= 0x202a && code <= 0x202e) ||
            (code >= 0x2066 && code <= 0x2069))
            fuzz_broken("a text direction mark was not removed");
    }
}

/* Checks each word: if the word is quoted and split again, the result is this
 * word. */
static void words(char *line)
{
    static char quoted[1 << 16], again[1 << 16];
    char *word[CS_WORDS + 1], *one[CS_WORDS + 1];
    size_t n = 0, m = 0;
    if (cs_words_cut(line, word, &n, NULL) != CS_OK)
        return;
    for (size_t i = 0; i < n; i++) {
        if (!cs_words_quote(word[i], quoted, sizeof quoted))
            continue;
        memcpy(again, quoted, strlen(quoted) + 1);
        if (cs_words_cut(again, one, &m, NULL) != CS_OK || m != 1 ||
            strcmp(one[0], word[i]) != 0)
            fuzz_broken("a quoted word changes when split again");
    }
}

static void one_input(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"step", "balance", "leapfrogs", NULL};
    char *text = fuzz_text(data, size);
    clean(text);
    cs_text_nearest(text, names);
    words(text);
}

const fuzz_reader reader_text = {.read = one_input};
