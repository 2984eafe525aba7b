#include "session/client/shell_words.h"

#include <assert.h>

static int blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one word from *from to `to`; `to` is never after *from. Returns false
 * if a quote is not closed. */
static bool cut_one(char **from, char *to)
{
    char quote = 0, *p = *from;
    for (; *p && (quote || !blank(*p)); p++) {
        if (quote && *p == quote)
            quote = 0;
        else if (!quote && (*p == '\'' || *p == '"'))
            quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1])
            *to++ = *++p;
        else
            *to++ = *p;
    }
    *from = *p ? p + 1 : p;
    *to = 0;
    return !quote;
}

cs_status cs_words_cut(char *line, char **word, size_t *n, cs_error *err)
{
    *n = 0;
    for (;;) {
        while (blank(*line))
            line++;
        if (!*line)
            return CS_OK;
        if (*n == CS_WORDS)
            return cs_fail(err, CS_INPUT, "more than %d words", CS_WORDS);
        word[(*n)++] = line;
        if (!cut_one(&line, line)) {
            cs_fail(err, CS_INPUT, "a quote is not closed");
            cs_hint(err, "close the quote, or put a backslash before it");
            return CS_INPUT;
        }
    }
}

bool cs_words_quote(const char *text, char *out, size_t size)
{
    assert(size > 0);
    size_t at = 0;
    if (size < 3)
        return false;
    out[at++] = '"';
    for (; *text; text++) {
        if (at + 4 > size)
            return false;
        if (*text == '"' || *text == '\\')
            out[at++] = '\\';
        out[at++] = *text;
    }
    out[at++] = '"';
    out[at] = 0;
    return true;
}
