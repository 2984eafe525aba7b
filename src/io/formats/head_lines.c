#include "io/formats/head_lines.h"

#include <string.h>

bool cs_head_line(cs_word_span *rest, bool whole, cs_word_span *line)
{
    size_t n = (size_t)(rest->end - rest->at);
    const char *stop = n ? memchr(rest->at, '\n', n) : NULL;
    if (!n || (!stop && !whole))
        return false;
    *line = cs_word_trim((cs_word_span){rest->at, stop ? stop : rest->end});
    rest->at = stop ? stop + 1 : rest->end;
    return true;
}

bool cs_head_row(cs_word_span *rest, bool whole, cs_word_span *line)
{
    while (cs_head_line(rest, whole, line))
        if (line->at < line->end && *line->at != '#')
            return true;
    return false;
}

cs_word_span cs_head_text(const cs_draw_head *h)
{
    size_t skip = h->n >= 3 && memcmp(h->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return (cs_word_span){h->text + skip, h->text + h->n};
}
