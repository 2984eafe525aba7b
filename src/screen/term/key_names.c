#include "screen/term/key_names.h"

#include "base/text.h"
#include "screen/term/key_codes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned key;
} names[] = {{"enter", '\r'},
             {"esc", 27},
             {"tab", '\t'},
             {"backtab", CS_KEY_BACK_TAB},
             {"space", ' '},
             {"lt", '<'},
             {"backspace", 127},
             {"up", CS_KEY_UP},
             {"down", CS_KEY_DOWN},
             {"left", CS_KEY_LEFT},
             {"right", CS_KEY_RIGHT},
             {"home", CS_KEY_HOME},
             {"end", CS_KEY_END},
             {"pgup", CS_KEY_PAGE_UP},
             {"pgdn", CS_KEY_PAGE_DOWN},
             {"shift-left", CS_KEY_SHIFT_LEFT},
             {"shift-right", CS_KEY_SHIFT_RIGHT},
             {"shift-up", CS_KEY_SHIFT_UP},
             {"shift-down", CS_KEY_SHIFT_DOWN}};

/* Returns the function key with this number, for names such as "f5". */
static unsigned function_key(const char *digits)
{
    size_t n = strlen(digits);
    long number =
        n && strspn(digits, "0123456789") == n ? strtol(digits, NULL, 10) : 0;
    return number >= 1 && number <= CS_F_KEYS ? CS_KEY_F1 + (unsigned)number - 1
                                              : 0;
}

unsigned cs_key_read(const char *name)
{
    static const char control[] = "ctrl-";
    size_t n = strlen(name), prefix = strlen(control);
    unsigned code;
    /* the name is one character */
    if (n && cs_utf8_decode(name, n, &code) == n)
        return code > ' ' && (code < 127 || code >= 0xA0) ? code : 0;
    if (n == prefix + 1 && strncmp(name, control, prefix) == 0)
        return name[prefix] >= 'a' && name[prefix] <= 'z'
                   ? (unsigned)(name[prefix] - 'a' + 1)
                   : 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].key;
    return *name == 'f' ? function_key(name + 1) : 0;
}

void cs_key_name(unsigned key, char *out, size_t size)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == key && key != '<') {
            snprintf(out, size, "%s", names[i].name);
            return;
        }
    if (key >= CS_KEY_F1 && key <= CS_KEY_F12)
        snprintf(out, size, "f%u", key - CS_KEY_F1 + 1);
    else
        snprintf(out, size, key < ' ' ? "ctrl-%c" : "%c",
                 (int)(key < ' ' ? key + 'a' - 1 : key));
}

unsigned cs_key_to_bind(const char *name)
{
    unsigned key = cs_key_read(name);
    bool kept = key == 'c' - 'a' + 1 || key == 'l' - 'a' + 1 ||
                key == 'z' - 'a' + 1 || key == 27;
    return kept ? 0 : key;
}
