/* Models of words: vocabulary, and conversion to and from text. */
#include "data/word_model.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"

#include <math.h>
#include <string.h>

cs_status cs_words_create(cs_words *w, size_t words, size_t width,
                          size_t radius, cs_error *err)
{
    *w = (cs_words){.words = words, .width = width, .radius = radius};
    size_t mix = width * 2 * radius * width;
    w->numbers = (2 * words + 1) * width + mix + width + words;
    w->number = cs_alloc(w->numbers, sizeof *w->number);
    w->word = cs_alloc(words, sizeof *w->word);
    for (w->slots = 64; w->slots < 2 * words;)
        w->slots *= 2;
    w->slot = cs_alloc(w->slots, sizeof *w->slot);
    if (!w->number || !w->word || !w->slot) {
        cs_words_free(w);
        return cs_fail(err, CS_MEMORY, "out of memory for a word model");
    }
    w->e = w->number;
    w->mix = w->e + (words + 1) * width;
    w->b = w->mix + mix;
    w->u = w->b + width;
    w->c = w->u + words * width;
    return CS_OK;
}

void cs_words_free(cs_words *w)
{
    CS_FREE_ALL(w->number, w->word, w->slot);
    *w = (cs_words){0};
}

void cs_sentences_free(cs_sentences *s)
{
    cs_free(s->first);
    cs_free(s->word);
    *s = (cs_sentences){0};
}

/* ---- words --------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '\'' || (unsigned char)c >= 0x80;
}

bool cs_words_next(cs_word_span *s, char *word)
{
    size_t n = 0;
    while (s->at < s->end && (unsigned char)*s->at <= ' ')
        s->at++;
    if (s->at == s->end)
        return false;
    bool letters = is_letter(*s->at);
    do {
        char c = *s->at++;
        if (n + 1 < CS_WORD_BYTES)
            word[n++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } while (letters && s->at < s->end && is_letter(*s->at));
    word[n] = '\0';
    return true;
}

/* Returns the slot of a word, or the free slot for it. */
static uint32_t *slot_of(const cs_words *w, const char *word)
{
    size_t at = (size_t)cs_digest(CS_DIGEST, word, strlen(word));
    for (;; at++) {
        uint32_t *slot = &w->slot[at & (w->slots - 1)];
        if (!*slot || strcmp(w->word[*slot], word) == 0)
            return slot;
    }
}

void cs_words_index(cs_words *w)
{
    memset(w->slot, 0, w->slots * sizeof *w->slot);
    for (uint32_t i = 1; i < w->words; i++)
        *slot_of(w, w->word[i]) = i;
}

size_t cs_words_find(const cs_words *w, const char *word)
{
    return *slot_of(w, word);
}

size_t cs_words_enter(cs_words *w, size_t n, const char *word)
{
    uint32_t *slot = slot_of(w, word);
    if (!*slot && n < w->words) {
        memcpy(w->word[n], word, strlen(word) + 1);
        *slot = (uint32_t)n;
    }
    return *slot;
}

/* ---- conversion to and from text ----------------------------------------- */

static void put_numbers(cs_page *page, const float *number, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cs_page_put(page, " %.4g", (double)number[i]);
}

cs_status cs_words_text(const cs_words *w, char **text, cs_error *err)
{
    cs_page page = {0};
    cs_page_put(&page, "words %zu %zu %zu\n", w->words, w->width, w->radius);
    for (size_t i = 0; i < w->words; i++) {
        cs_page_put(&page, "%s", i ? w->word[i] : "?");
        put_numbers(&page, w->c + i, 1);
        put_numbers(&page, w->u + i * w->width, w->width);
        put_numbers(&page, w->e + i * w->width, w->width);
        cs_page_put(&page, "\n");
    }
    cs_page_put(&page, ".");
    put_numbers(&page, w->e + w->words * w->width, w->width);
    cs_page_put(&page, "\n.");
    put_numbers(&page, w->b, w->width);
    for (size_t i = 0; i < w->width; i++) {
        cs_page_put(&page, "\n.");
        put_numbers(&page, w->mix + i * 2 * w->radius * w->width,
                    2 * w->radius * w->width);
    }
    cs_page_put(&page, "\n");
    if (!page.text)
        return cs_fail(err, CS_MEMORY, "out of memory for a word model");
    *text = page.text;
    return CS_OK;
}

static cs_status refuse(const cs_lines *l, cs_error *err, const char *what)
{
    return cs_lines_refuse(l, CS_INPUT, err, what,
                           "chainscope train words writes such files: a line "
                           "\"words 1500 24 3\", then a line for each word");
}

static cs_status read_numbers(cs_lines *l, cs_word_span *line, float *to,
                              size_t n, cs_error *err)
{
    double number;
    for (size_t i = 0; i < n; i++) {
        if (!cs_word_number(cs_word_next(line), &number) || fabs(number) > 1e30)
            return refuse(l, err, "a number is missing or invalid");
        to[i] = (float)number;
    }
    return CS_OK;
}

/* Reads the next line; copies its first word to `word`, unless `word` is
 * NULL. */
static cs_status read_line(cs_lines *l, cs_word_span *line, char *word,
                           cs_error *err)
{
    if (!cs_lines_next(l, line))
        return refuse(l, err, "there are fewer lines than the model needs");
    cs_word_span first = cs_word_next(line);
    size_t n = (size_t)(first.end - first.at);
    if (word && n >= CS_WORD_BYTES)
        return refuse(l, err, "a word is too long");
    if (word) {
        memcpy(word, first.at, n);
        word[n] = '\0';
    }
    return CS_OK;
}

static cs_status read_word(cs_lines *l, cs_words *w, size_t i, cs_error *err)
{
    cs_word_span line;
    cs_status s = read_line(l, &line, w->word[i], err);
    if (!s)
        s = read_numbers(l, &line, w->c + i, 1, err);
    if (!s)
        s = read_numbers(l, &line, w->u + i * w->width, w->width, err);
    if (!s)
        s = read_numbers(l, &line, w->e + i * w->width, w->width, err);
    if (!s && line.at < line.end)
        s = refuse(l, err, "this line has more numbers than a word needs");
    return s;
}

static cs_status read_row(cs_lines *l, float *to, size_t n, cs_error *err)
{
    cs_word_span line;
    cs_status s = read_line(l, &line, NULL, err);
    return s ? s : read_numbers(l, &line, to, n, err);
}

static cs_status read_head(cs_lines *l, cs_words *w, cs_error *err)
{
    cs_word_span line;
    double words, width, radius;
    if (!cs_lines_next(l, &line) || !cs_word_is(cs_word_next(&line), "words"))
        return refuse(l, err, "this is not a word model");
    if (!cs_word_whole(cs_word_next(&line), 2, CS_WORDS_MOST, &words) ||
        !cs_word_whole(cs_word_next(&line), 1, CS_WORDS_WIDTH, &width) ||
        !cs_word_whole(cs_word_next(&line), 1, CS_WORDS_RADIUS, &radius))
        return refuse(l, err, "the sizes of the model are invalid");
    /* Each number takes at least two bytes of the text, and the text must
     * contain u and e of all words. */
    if (2 * words * width > (double)(l->end - l->at))
        return refuse(l, err, "there are fewer numbers than these sizes need");
    return cs_words_create(w, (size_t)words, (size_t)width, (size_t)radius,
                           err);
}

static cs_status read_lines(cs_lines *l, void *out, cs_error *err)
{
    cs_words *w = out;
    cs_status s = read_head(l, w, err);
    for (size_t i = 0; !s && i < w->words; i++)
        s = read_word(l, w, i, err);
    if (!s)
        s = read_row(l, w->e + w->words * w->width, w->width, err);
    if (!s)
        s = read_row(l, w->b, w->width, err);
    size_t wide = 2 * w->radius * w->width;
    for (size_t i = 0; !s && i < w->width; i++)
        s = read_row(l, w->mix + i * wide, wide, err);
    if (s)
        cs_words_free(w);
    else
        cs_words_index(w);
    return s;
}

cs_status cs_words_parse(cs_words *w, const char *text, size_t size,
                         const char *where, cs_error *err)
{
    *w = (cs_words){0};
    return cs_lines_parse(text, size, where, read_lines, w, err);
}

cs_status cs_words_read(cs_words *w, const char *path, cs_error *err)
{
    *w = (cs_words){0};
    return cs_lines_read(path, "word model", read_lines, w, err);
}
