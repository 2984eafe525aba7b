#include "screen/canvas/search.h"

#include <ctype.h>
#include <string.h>

/* Returns true if `text` contains the n bytes of `word`, ignoring case. */
static bool has(const char *text, const char *word, size_t n)
{
    for (; *text; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) ==
                            tolower((unsigned char)word[i]))
            i++;
        if (i == n)
            return true;
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
