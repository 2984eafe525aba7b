#include "screen/term/keyboards.h"

#include "screen/term/key_names.h"

#include <string.h>

static const cs_keyboard table[] = {
    {"us", "[ ] { } as they are", {{NULL, NULL}}},
    {"qwertz",
     "\u00F6 \u00E4 scrub, \u00D6 \u00C4 go to events (instead of [ ] { })",
     {{"\u00F6", "scrub back"},
      {"\u00E4", "scrub on"},
      {"\u00D6", "event previous"},
      {"\u00C4", "event next"}}},
    {"azerty",
     "\u00F9 * scrub, % \u00B5 go to events (instead of [ ] { })",
     {{"\u00F9", "scrub back"},
      {"*", "scrub on"},
      {"%", "event previous"},
      {"\u00B5", "event next"}}},
    {"nordic",
     "\u00F8 \u00E6 scrub, \u00D8 \u00C6 go to events (instead of [ ] { })",
     {{"\u00F8", "scrub back"},
      {"\u00E6", "scrub on"},
      {"\u00D8", "event previous"},
      {"\u00C6", "event next"}}},
    {"letters",
     "ctrl-b ctrl-f scrub, ctrl-p ctrl-n go to events (instead of [ ] { })",
     {{"ctrl-b", "scrub back"},
      {"ctrl-f", "scrub on"},
      {"ctrl-p", "event previous"},
      {"ctrl-n", "event next"}}},
};

const cs_keyboard *cs_keyboard_at(size_t i)
{
    return i < sizeof table / sizeof *table ? &table[i] : NULL;
}

const cs_keyboard *cs_keyboard_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const char *cs_keyboard_line(const cs_keyboard *keyboard, unsigned key)
{
    for (size_t i = 0; keyboard && keyboard->key[i].name; i++)
        if (cs_key_read(keyboard->key[i].name) == key)
            return keyboard->key[i].line;
    return NULL;
}
