/* Fuzzes the reader of data files, gzipped or plain, and the splitting of these
 * files into lines, words and numbers. */
#include "base/memory.h"
#include "data/lines.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

static void look(cs_word_span word)
{
    double x, y;
    bool real = cs_word_real(word, &x), number = cs_word_number(word, &y);
    if (number && (!real || !isfinite(y)))
        fuzz_broken("a number is not finite");
    if (cs_word_whole(word, -5, 1e6, &x) &&
        (x != floor(x) || x < -5 || x > 1e6))
        fuzz_broken("an integer is not integral, or out of range");
    if (memchr(word.at, '\n', (size_t)(word.end - word.at)))
        fuzz_broken("a word contains a line break");
}

static cs_status read_lines(cs_lines *l, void *out, cs_error *err)
{
    int *words = out, before = 0;
    (void)err;
    for (cs_word_span line; cs_lines_next(l, &line); before = l->line) {
        if (line.at >= line.end || *line.at == '#' || l->line <= before)
            fuzz_broken("a line is empty, a comment or out of order");
        cs_word_span word = cs_word_next(&line);
        for (; word.at < word.end; word = cs_word_next(&line), ++*words)
            look(word);
    }
    return CS_OK;
}

static void one_input(const uint8_t *data, size_t size)
{
    char *text;
    size_t got;
    int words = 0;
    cs_error err = {0};
    const char *path = fuzz_file(data, size);
    bool gzipped = size > 1 && data[0] == 0x1f && data[1] == 0x8b;
    cs_status s = cs_data_read(path, "file", &text, &got, &err);
    if (s != CS_OK && (!err.what[0] || text))
        fuzz_broken("error without a message, or with a result");
    if (s != CS_OK && !gzipped)
        fuzz_broken("a plain file is rejected");
    if (s == CS_OK && !gzipped && (got != size || memcmp(text, data, size)))
        fuzz_broken("a plain file is read with other contents");
    if (s == CS_OK)
        cs_lines_parse(text, got, path, read_lines, &words, &err);
    cs_free(text);
}

const fuzz_reader reader_data = {.read = one_input};
