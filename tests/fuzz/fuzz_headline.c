/* Fuzzes the reader of scenario titles. For any text, the fields are terminated
 * and have limited length. The fields do not depend on comments after the last
 * statement. */
#include "fuzz.h"
#include "script/headline.h"

#include <stdlib.h>
#include <string.h>

static void look(const char *field, size_t capacity)
{
    if (!memchr(field, 0, capacity))
        fuzz_broken("a field is not terminated");
}

static void one_input(const uint8_t *data, size_t size)
{
    static const char rest[] = "\n  -- no more\n--[[ nor here ]]\n";
    cs_headline one, other;
    memset(&one, 'x', sizeof one);
    memset(&other, 'x', sizeof other);
    char *text = malloc(size + sizeof rest);
    if (!text)
        return;
    memcpy(text, data, size);
    memcpy(text + size, rest, sizeof rest);
    bool first = cs_headline_read(text, size, &one);
    bool second = cs_headline_read(text, size + sizeof rest - 1, &other);
    free(text);
    if (first && !second)
        fuzz_broken("a comment at the end prevents reading");
    if (!first)
        return;
    look(one.title, sizeof one.title);
    look(one.shows, sizeof one.shows);
    look(one.source, sizeof one.source);
    look(one.names, sizeof one.names);
    if (strcmp(one.title, other.title) != 0 ||
        strcmp(one.shows, other.shows) != 0 ||
        strcmp(one.names, other.names) != 0)
        fuzz_broken("a comment at the end changes the fields");
}

const fuzz_reader reader_headline = {.read = one_input};
