#include "race/look.h"

#include <string.h>

size_t cs_look_choice(const cs_figure_look *at, const char *names, size_t n)
{
    char word[64];
    size_t told = 0;
    for (size_t i = 0; at->of && *at->of && i < n; i++)
        if (cs_shot_word(names, i, word, sizeof word) &&
            strcmp(word, at->of) == 0)
            told = i;
    return n ? (told + at->option) % n : 0;
}
