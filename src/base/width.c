/* Widths of characters on a terminal, in columns. */
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

typedef struct range {
    unsigned first, last;
} range;

static bool within(unsigned code, const range *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (code >= r[i].first && code <= r[i].last)
            return true;
    return false;
}

/* The wide characters and the combining characters that are likely to occur in
 * names. */
static const range wide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
    {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};
static const range combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},   {0x0610, 0x061A},
    {0x064B, 0x065F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
};

int cs_utf8_width(unsigned code)
{
    if (code < 0x300)
        return 1;
    if (within(code, combining, sizeof combining / sizeof *combining))
        return 0;
    return within(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

enum { LINE = 2048 };

int cs_text_width(const char *text)
{
    char clean[LINE];
    cs_text_clean(text, clean, sizeof clean);
    int width = 0;
    const char *p = clean;
    for (size_t left = strlen(p), n; left; p += n, left -= n) {
        unsigned code = '?';
        n = cs_utf8_decode(p, left, &code);
        n = n ? n : 1;
        width += cs_utf8_width(code);
    }
    return width;
}
