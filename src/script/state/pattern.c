/* A backtracking matcher for the patterns of Lua's manual, section 6.4.1. It
 * counts compared characters as work, and checks after each fixed amount of
 * work whether the script has exceeded a limit. If so, it raises an error. */
#define _GNU_SOURCE /* memmem */
#include "script/state/pattern.h"

#include "script/state/state.h"

#include <ctype.h>
#include <lauxlib.h>
#include <string.h>

enum { CAPTURES = 32, DEPTH = 200, LOOK = 1 << 16, FINISH = 1 << 24 };
enum {
    OPEN = -1,
    PLACE = -2
}; /* sizes of special captures: OPEN means that the capture is not closed yet,
    * PLACE that it is a position */

typedef struct capture {
    const char *at;
    ptrdiff_t size;
} capture;

typedef struct matcher {
    lua_State *L;
    const char *text, *end, *stop; /* text, end: start and end of the text;
                                    * stop: end of the pattern */
    size_t work;                   /* work since the last test of the limits */
    int depth, n;
    capture got[CAPTURES];
} matcher;

static const char *match(matcher *m, const char *s, const char *p);

static void spend(matcher *m, size_t work)
{
    m->work += work;
    if (m->work < LOOK)
        return;
    m->work = 0;
    cs_script_check(m->L);
}

/* ---- one character ---- */

/* Returns the position after the item that starts at p. */
static const char *skip(const matcher *m, const char *p)
{
    if (*p == '%') {
        if (p + 1 >= m->stop)
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 2;
    }
    if (*p++ != '[')
        return p;
    p += *p == '^';
    do {
        if (p >= m->stop)
            luaL_error(m->L, "malformed pattern (missing ']')");
        p += *p == '%' && p + 1 < m->stop ? 2 : 1;
    } while (p >= m->stop || *p != ']');
    return p + 1;
}

typedef struct class
{
    char letter;
    int (*has)(int c);
} class;

static const class classes[] = {{'a', isalpha}, {'c', iscntrl}, {'d', isdigit},
                                {'g', isgraph}, {'l', islower}, {'p', ispunct},
                                {'s', isspace}, {'u', isupper}, {'w', isalnum},
                                {'x', isxdigit}};

/* True if c belongs to the class `letter`. A capital letter means the
 * complement of its class; a character that is not a class letter means the
 * character itself. */
static bool in_class(int c, int letter)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].letter == tolower(letter))
            return (classes[i].has(c) != 0) != (isupper(letter) != 0);
    return letter == c;
}

/* True if c is in the set from '[' at `p` to ']' at `last`. */
static bool in_set(int c, const char *p, const char *last)
{
    bool wanted = p[1] != '^';
    for (p += wanted ? 1 : 2; p < last; p++) {
        unsigned char low = (unsigned char)*p;
        if (*p == '%') {
            if (in_class(c, (unsigned char)*++p))
                return wanted;
        } else if (p[1] == '-' && p + 2 < last) {
            p += 2;
            if (low <= c && c <= (unsigned char)*p)
                return wanted;
        } else if (low == c) {
            return wanted;
        }
    }
    return !wanted;
}

/* True if the character at s matches the item from p to next. */
static bool fits(matcher *m, const char *s, const char *p, const char *next)
{
    spend(m, (size_t)(next - p));
    if (s >= m->end)
        return false;
    int c = (unsigned char)*s;
    if (*p == '.')
        return true;
    if (*p == '%')
        return in_class(c, (unsigned char)p[1]);
    if (*p == '[')
        return in_set(c, p, next - 1);
    return (unsigned char)*p == c;
}

/* ---- repetition ---- */

static const char *greedy(matcher *m, const char *s, const char *p,
                          const char *next)
{
    size_t n = 0;
    const char *end;
    while (fits(m, s + n, p, next))
        n++;
    while (!(end = match(m, s + n, next + 1)) && n > 0)
        n--;
    return end;
}

static const char *lazy(matcher *m, const char *s, const char *p,
                        const char *next)
{
    for (;; s++) {
        const char *end = match(m, s, next + 1);
        if (end || !fits(m, s, p, next))
            return end;
    }
}

/* ---- captures ---- */

static const char *open_capture(matcher *m, const char *s, const char *p,
                                ptrdiff_t size)
{
    if (m->n >= CAPTURES)
        luaL_error(m->L, "too many captures");
    m->got[m->n++] = (capture){s, size};
    const char *end = match(m, s, p);
    if (!end)
        m->n--;
    return end;
}

static const char *close_capture(matcher *m, const char *s, const char *p)
{
    int i = m->n - 1;
    while (i >= 0 && m->got[i].size != OPEN)
        i--;
    if (i < 0)
        luaL_error(m->L, "invalid pattern capture");
    m->got[i].size = s - m->got[i].at;
    const char *end = match(m, s, p);
    if (!end)
        m->got[i].size = OPEN;
    return end;
}

/* Matches %1: a repetition of the text of a capture. */
static const char *again(matcher *m, const char *s, int digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->n || m->got[i].size == OPEN)
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    size_t size = (size_t)m->got[i].size; /* a position capture has a size too
                                           * large to match */
    if ((size_t)(m->end - s) < size)
        return NULL;
    spend(m, 1 + size / 16);
    bool same = memcmp(m->got[i].at, s, size) == 0;
    return same ? s + size : NULL;
}

/* ---- other items ---- */

/* Matches %bxy: from an x to the balancing y. */
static const char *balanced(matcher *m, const char *s, const char *p)
{
    int depth = 1;
    if (p + 1 >= m->stop)
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->end || *s != *p)
        return NULL;
    while (++s < m->end) {
        spend(m, 1);
        if (*s == p[1]) {
            if (--depth == 0)
                return s + 1;
        } else if (*s == *p) {
            depth++;
        }
    }
    return NULL;
}

/* Matches %f[set]: a position between a character outside the set and a
 * character inside it. */
static bool at_border(matcher *m, const char *s, const char *p,
                      const char *next)
{
    int before = s == m->text ? 0 : (unsigned char)s[-1];
    int here = s < m->end ? (unsigned char)*s : 0;
    spend(m, (size_t)(next - p));
    return !in_set(before, p, next - 1) && in_set(here, p, next - 1);
}

/* Matches one item of the pattern, which matches a single character,
 * with its repetition mark if there is one. If the rest of the pattern
 * is still to be matched, advances *s and returns this rest. If NULL is
 * returned, the whole match is decided: *s is the end of the match, or
 * NULL if there is no match. */
static const char *one_item(matcher *m, const char **s, const char *p)
{
    const char *next = skip(m, p), *end;
    char repeat = '\0';
    if (next < m->stop)
        repeat = *next;
    if (repeat == '*' || repeat == '-') {
        *s = repeat == '*' ? greedy(m, *s, p, next) : lazy(m, *s, p, next);
        return NULL;
    }
    bool fit = fits(m, *s, p, next);
    if (repeat == '+') {
        *s = fit ? greedy(m, *s + 1, p, next) : NULL;
        return NULL;
    }
    if (repeat == '?') {
        if (fit && (end = match(m, *s + 1, next + 1))) {
            *s = end;
            return NULL;
        }
        return next + 1;
    }
    *s = fit ? *s + 1 : NULL;
    return fit ? next : NULL;
}

/* Matches an item that starts with '%'. After '%', the letters b and f and the
 * digits are special. Returns its results in the same way as one_item. */
static const char *escaped(matcher *m, const char **s, const char *p)
{
    char kind = '\0';
    if (p + 1 < m->stop)
        kind = p[1];
    if (kind == 'b') {
        *s = balanced(m, *s, p + 2);
        return *s ? p + 4 : NULL;
    }
    if (kind == 'f') {
        p += 2;
        if (p >= m->stop || *p != '[')
            luaL_error(m->L, "missing '[' after '%%f' in pattern");
        const char *next = skip(m, p);
        if (at_border(m, *s, p, next))
            return next;
        *s = NULL;
        return NULL;
    }
    if (isdigit((unsigned char)kind)) {
        *s = again(m, *s, kind);
        return *s ? p + 2 : NULL;
    }
    return one_item(m, s, p);
}

/* Matches the text at s against the pattern at p. Returns the end of the match,
 * or NULL. */
static const char *match(matcher *m, const char *s, const char *p)
{
    if (m->depth++ >= DEPTH)
        luaL_error(m->L, "pattern too complex");
    while (p && p < m->stop) {
        spend(m, 1);
        if (*p == '(') {
            bool place = p + 1 < m->stop && p[1] == ')';
            s = open_capture(m, s, p + 1 + place, place ? PLACE : OPEN);
            p = NULL;
        } else if (*p == ')') {
            s = close_capture(m, s, p + 1);
            p = NULL;
        } else if (*p == '$' && p + 1 == m->stop) {
            s = s == m->end ? s : NULL;
            p = NULL;
        } else {
            p = *p == '%' ? escaped(m, &s, p) : one_item(m, &s, p);
        }
    }
    m->depth--;
    return s;
}

/* ---- Lua functions ---- */

static matcher start(lua_State *L, const char *text, size_t n, const char *p,
                     size_t n_pattern)
{
    return (matcher){
        .L = L, .text = text, .end = text + n, .stop = p + n_pattern};
}

static const char *begin(matcher *m, const char *s, const char *p)
{
    m->depth = m->n = 0;
    spend(m, 1);
    return match(m, s, p);
}

/* Pushes capture i. If there are no captures and i is 0, pushes the whole match
 * from s to e. */
static void push_one(matcher *m, int i, const char *s, const char *e)
{
    if (i >= m->n) {
        if (i != 0)
            luaL_error(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, s, (size_t)(e - s));
        return;
    }
    capture c = m->got[i];
    if (c.size == OPEN)
        luaL_error(m->L, "unfinished capture");
    if (c.size == PLACE)
        lua_pushinteger(m->L, c.at - m->text + 1);
    else
        lua_pushlstring(m->L, c.at, (size_t)c.size);
}

/* Pushes all captures. If there are none and s is not NULL, pushes the whole
 * match. */
static int push_all(matcher *m, const char *s, const char *e)
{
    int n = m->n == 0 && s ? 1 : m->n;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++)
        push_one(m, i, s, e);
    return n;
}

/* Converts the start position in a Lua argument to a position that counts from
 * 0. The argument counts from 1, or from the end of the text if it is negative.
 * Returns n + 1 if the position is after the end of the text. */
static size_t first(lua_State *L, int index, size_t n)
{
    lua_Integer at = luaL_optinteger(L, index, 1);
    if (at > 0)
        return (lua_Unsigned)at - 1 > n ? n + 1 : (size_t)at - 1;
    if (at == 0 || at < -(lua_Integer)n)
        return 0;
    return n - (size_t)-at;
}

/* Searches for a plain string. The time is linear, except for short strings in
 * unusual texts. The text is searched in pieces. After each piece the script's
 * time and memory limits are checked. */
static const char *plain(lua_State *L, const char *text, size_t n,
                         const char *what, size_t size)
{
    if (size == 0)
        return text;
    while (n >= size) {
        size_t piece = n - size < FINISH ? n : FINISH + size - 1;
        const char *at = memmem(text, piece, what, size);
        if (at || piece == n)
            return at;
        text += FINISH;
        n -= FINISH;
        cs_script_check(L);
    }
    return NULL;
}

static bool is_plain(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] && strchr("^$*+?.([%-", p[i]))
            return false;
    return true;
}

static int seek(lua_State *L, bool find)
{
    size_t n, n_pattern;
    const char *text = luaL_checklstring(L, 1, &n);
    const char *p = luaL_checklstring(L, 2, &n_pattern);
    size_t from = first(L, 3, n);
    const char *s = text + from, *e;
    if (from > n) {
        luaL_pushfail(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) || is_plain(p, n_pattern))) {
        s = plain(L, s, n - from, p, n_pattern);
        if (!s)
            luaL_pushfail(L);
        else
            lua_pushinteger(L, s - text + 1);
        if (s)
            lua_pushinteger(L, s - text + (lua_Integer)n_pattern);
        return s ? 2 : 1;
    }
    bool anchored = n_pattern && *p == '^';
    matcher m = start(L, text, n, p, n_pattern);
    for (p += anchored; s <= m.end; s++) {
        e = begin(&m, s, p);
        if (e && !find)
            return push_all(&m, s, e);
        if (e) {
            lua_pushinteger(L, s - text + 1);
            lua_pushinteger(L, e - text);
            return 2 + push_all(&m, NULL, NULL);
        }
        if (anchored)
            break;
    }
    luaL_pushfail(L);
    return 1;
}

int cs_pattern_find(lua_State *L)
{
    return seek(L, true);
}

int cs_pattern_match(lua_State *L)
{
    return seek(L, false);
}

/* The iterator of gmatch. Its upvalues are the text, the pattern, the next
 * start, and the end of the last match (-1: no match yet). Skips an empty match
 * at the end of the last match. */
static int next_match(lua_State *L)
{
    size_t n, n_pattern;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &n);
    const char *p = lua_tolstring(L, lua_upvalueindex(2), &n_pattern);
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    matcher m = start(L, text, n, p, n_pattern);
    for (const char *s = text + at; s <= m.end; s++) {
        const char *e = begin(&m, s, p);
        if (!e || e - text == last)
            continue;
        lua_pushinteger(L, e - text);
        lua_pushvalue(L, -1);
        lua_replace(L, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return push_all(&m, s, e);
    }
    return 0;
}

int cs_pattern_gmatch(lua_State *L)
{
    size_t n;
    luaL_checklstring(L, 1, &n);
    luaL_checkstring(L, 2);
    size_t from = first(L, 3, n);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)from);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

/* Appends the replacement string to the buffer. In the string, %0 to %9 are
 * replaced by captures. */
static void add_text(matcher *m, luaL_Buffer *b, const char *s, const char *e)
{
    size_t n;
    const char *r = lua_tolstring(m->L, 3, &n), *stop = r + n;
    while (r < stop) {
        const char *mark = memchr(r, '%', (size_t)(stop - r));
        luaL_addlstring(b, r, (size_t)((mark ? mark : stop) - r));
        if (!mark)
            return;
        char c = '\0';
        if (mark + 1 < stop)
            c = mark[1];
        r = mark + 2;
        spend(m, 1);
        if (c == '%') {
            luaL_addchar(b, c);
        } else if (c == '0') {
            luaL_addlstring(b, s, (size_t)(e - s));
        } else if (isdigit((unsigned char)c)) {
            push_one(m, c - '1', s, e);
            luaL_tolstring(m->L, -1, NULL);
            lua_remove(m->L, -2);
            luaL_addvalue(b);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Appends the replacement of a match to the buffer. Returns true if the
 * replacement differs from the match. */
static bool add_value(matcher *m, luaL_Buffer *b, const char *s, const char *e,
                      int type)
{
    lua_State *L = m->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_all(m, s, e), 1);
    } else if (type == LUA_TTABLE) {
        push_one(m, 0, s, e);
        lua_gettable(L, 3);
    } else {
        add_text(m, b, s, e);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, s, (size_t)(e - s));
        return false;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(b);
    return true;
}

int cs_pattern_gsub(lua_State *L)
{
    size_t n, n_pattern;
    const char *text = luaL_checklstring(L, 1, &n), *s = text, *last = NULL;
    const char *p = luaL_checklstring(L, 2, &n_pattern);
    int type = lua_type(L, 3);
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)n + 1), done = 0;
    luaL_argexpected(L,
                     type == LUA_TNUMBER || type == LUA_TSTRING ||
                         type == LUA_TFUNCTION || type == LUA_TTABLE,
                     3, "string/function/table");
    bool anchored = n_pattern && *p == '^', changed = false;
    matcher m = start(L, text, n, p, n_pattern);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (p += anchored; done < most;) {
        const char *e = begin(&m, s, p);
        if (e && e != last) {
            done++;
            changed |= add_value(&m, &b, s, e, type);
            s = last = e;
        } else if (s < m.end) {
            luaL_addchar(&b, *s++);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    if (changed) {
        luaL_addlstring(&b, s, (size_t)(m.end - s));
        luaL_pushresult(&b);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, done);
    return 2;
}
