#include "screen/canvas/search.h"

#include <ctype.h>
#include <string.h>

static int lower(char c)
{
    return tolower((unsigned char)c);
}

/* Returns the number of bytes in which two texts agree, ignoring case; at most
 * n. */
static size_t agree(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && lower(a[i]) == lower(b[i]))
        i++;
    return i;
}

/* Returns true if `text` begins with the n bytes of `word`, or with a word that
 * differs in one letter: changed, added, left out, or exchanged with the next. */
static bool begins_nearly(const char *text, const char *word, size_t n)
{
    size_t i = agree(text, word, n), rest = n - i;
    if (rest <= 1)
        return true;
    const char *t = text + i, *w = word + i;
    if (!*t)
        return false;
    bool swapped = rest >= 2 && t[1] && lower(t[0]) == lower(w[1]) &&
                   lower(t[1]) == lower(w[0]) &&
                   agree(t + 2, w + 2, rest - 2) == rest - 2;
    return swapped || agree(t + 1, w + 1, rest - 1) == rest - 1 ||
           agree(t + 1, w, rest) == rest ||
           agree(t, w + 1, rest - 1) == rest - 1;
}

/* Returns true if `text` contains the n bytes of `word`, ignoring case. Words of
 * five letters and more may differ in one letter from the beginning of a word of
 * the text, except in the first letter. */
static bool has(const char *text, const char *word, size_t n)
{
    enum { LONG = 5 };
    bool inside = false;
    for (; *text; text++) {
        if (agree(text, word, n) == n)
            return true;
        if (n >= LONG && !inside && lower(*text) == lower(*word) &&
            begins_nearly(text, word, n))
            return true;
        inside = isalnum((unsigned char)*text);
    }
    return false;
}

bool cs_search(const char *words, const char *const *text, size_t n)
{
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " "), i = 0;
        while (i < n && !has(text[i], words, length))
            i++;
        if (i == n)
            return false;
        words += length;
    }
    return true;
}
