#include "screen/canvas/log.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void add_line(cs_log *log, cs_log_kind kind, const char *text, size_t n)
{
    char *to = log->line[log->added % CS_LOG_LINES].text;
    snprintf(to, CS_LOG_WIDTH, "%.*s", (int)n, text);
    log->line[log->added % CS_LOG_LINES].kind = kind;
    log->added++;
}

/* Returns how many bytes of a long line are stored in one entry. The line is
 * divided after a blank in the second half of the entry, if there is a
 * blank. */
static size_t piece(const char *text, size_t n)
{
    if (n < CS_LOG_WIDTH)
        return n;
    n = CS_LOG_WIDTH - 1;
    for (size_t k = n; k > n / 2; k--)
        if (text[k - 1] == ' ')
            return k;
    while (n > 1 && (text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

/* Returns true for a line of a script that is quoted after an error, "   12 |
 * code". Such a line belongs to the error message. */
static bool quotes(const char *text, size_t n)
{
    size_t blanks = strspn(text, " ");
    size_t digits = strspn(text + blanks, "0123456789");
    return digits && blanks + digits + 3 <= n &&
           strncmp(text + blanks + digits, " | ", 3) == 0;
}

size_t cs_log_add(cs_log *log, cs_log_kind kind, const char *text)
{
    assert(text);
    size_t before = log->added;
    size_t last = (before + CS_LOG_LINES - 1) % CS_LOG_LINES;
    if (!*text || (before && strcmp(text, log->line[last].text) == 0))
        return 0;
    for (bool goes_on = false; *text;) {
        size_t n = strcspn(text, "\n"), k = piece(text, n);
        add_line(log, kind, text, k);
        log->line[(log->added - 1) % CS_LOG_LINES].goes_on =
            goes_on || (log->added - 1 > before && quotes(text, n));
        goes_on = k < n;
        text += k;
        if (k == n && *text)
            text++;
    }
    return log->added - before;
}

static cs_role role_of(cs_log_kind kind)
{
    static const cs_role roles[] = {
        [CS_LOG_EVENT] = CS_ROLE_EVENT, [CS_LOG_OPENED] = CS_ROLE_EVENT,
        [CS_LOG_TYPED] = CS_ROLE_KEY,   [CS_LOG_REPLY] = CS_ROLE_NORMAL,
        [CS_LOG_ERROR] = CS_ROLE_ERROR,
    };
    return roles[kind];
}

/* Returns the index of the start of the newest line that is not a typed
 * command; CS_LOG_LINES if no such line exists. */
static size_t newest(const cs_log *log)
{
    for (size_t back = 1; back <= log->added && back <= CS_LOG_LINES; back++) {
        size_t i = (log->added - back) % CS_LOG_LINES;
        if (log->line[i].kind != CS_LOG_TYPED && !log->line[i].goes_on)
            return i;
    }
    return CS_LOG_LINES;
}

const char *cs_log_newest(const cs_log *log, cs_role *role)
{
    size_t i = newest(log);
    *role = i < CS_LOG_LINES ? role_of(log->line[i].kind) : CS_ROLE_NORMAL;
    return i < CS_LOG_LINES ? log->line[i].text : "";
}

bool cs_log_newest_is(const cs_log *log, cs_log_kind kind)
{
    size_t i = newest(log);
    return i < CS_LOG_LINES && log->line[i].kind == kind;
}

/* Draws a line so that it ends above `bottom`; returns the first screen line
 * used. */
static int draw_up(const cs_area *a, const char *text, cs_role role, int bottom)
{
    char clean[4 * CS_LOG_WIDTH];
    cs_text_clean(text, clean, sizeof clean);
    int capacity = a->w - 1, lines = 0;
    for (const char *p = clean; *p; lines++) {
        size_t n = cs_text_line(p, capacity);
        if (n == 0)
            break;
        p += n;
        p += strspn(p, " ");
    }
    lines = lines ? lines : 1;
    int top = bottom - lines;
    const char *p = clean;
    for (int y = top; y < bottom; y++) {
        size_t n = cs_text_line(p, capacity);
        if (y >= 0)
            cs_print(a, 1, y, role, "%.*s", (int)n, p);
        p += n;
        p += strspn(p, " ");
    }
    return top;
}

void cs_log_draw(const cs_log *log, const cs_area *a, size_t skip)
{
    size_t kept = log->added < CS_LOG_LINES ? log->added : CS_LOG_LINES;
    skip = skip < kept ? skip : kept ? kept - 1 : 0;
    int y = a->h;
    for (size_t i = skip; i < kept && y > 0 && a->w > 1; i++) {
        size_t at = (log->added - 1 - i) % CS_LOG_LINES;
        y = draw_up(a, log->line[at].text, role_of(log->line[at].kind), y);
    }
    if (!kept)
        cs_print_cut(a, 1, a->h / 3, a->w - 1, CS_ROLE_LABEL, "No messages.");
}
