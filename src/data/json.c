#include "data/json.h"

#include "base/text.h"
#include "data/lines.h"

#include <assert.h>
#include <math.h>
#include <string.h>

cs_status cs_json_open(cs_json *j, char *text, size_t size, const char *where,
                       cs_error *err)
{
    assert(text || size == 0);
    static const char mark[] = "\xef\xbb\xbf";
    *j = (cs_json){.at = text, .end = text + size, .where = where, .line = 1};
    if (size >= 3 && memcmp(text, mark, 3) == 0)
        j->at += 3;
    j->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return j->plain ? CS_OK
                    : cs_fail(err, CS_MEMORY, "out of memory for %s", where);
}

void cs_json_close(cs_json *j)
{
    if (j->plain)
        freelocale(j->plain);
    j->plain = (locale_t)0;
}

static cs_status refuse(const cs_json *j, cs_error *err, const char *what,
                        const char *hint)
{
    cs_fail(err, CS_INPUT, "%s", what);
    cs_where(err, j->where, j->line);
    cs_hint(err, "%s", hint);
    return CS_INPUT;
}

static void skip_blanks(cs_json *j)
{
    for (; j->at < j->end && strchr(" \t\r\n", *j->at) && *j->at; j->at++)
        j->line += *j->at == '\n';
}

/* ---- strings ------------------------------------------------------------- */

/* Returns the value of four hexadecimal digits at s, or -1. */
static int read_hex(const char *s, const char *end)
{
    int code = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char *d = s + i < end && s[i] ? strchr(digits, s[i]) : NULL;
        if (!d)
            return -1;
        code = code * 16 + (int)(d - digits) % 16;
    }
    return code;
}

/* Decodes an escape. j->at is the position after the backslash of the escape.
 * Writes the result to `to`, which is not after j->at. Returns the number of
 * bytes written, or 0 if the escape is invalid. */
static size_t undo_escape(cs_json *j, char *to)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = j->at < j->end ? *j->at++ : 0;
    const char *p = c ? strchr(plain, c) : NULL;
    if (p) {
        *to = meant[p - plain];
        return 1;
    }
    int code = c == 'u' ? read_hex(j->at, j->end) : -1;
    if (code <= 0)
        return 0;
    j->at += 4;
    if (code >= 0xd800 && code < 0xdc00) { /* first half of a surrogate pair */
        bool pair = j->end - j->at >= 6 && j->at[0] == '\\' && j->at[1] == 'u';
        int low = pair ? read_hex(j->at + 2, j->end) : -1;
        if (low < 0xdc00 || low > 0xdfff)
            return 0;
        j->at += 6;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        return 0;
    }
    char bytes[4];
    size_t n = cs_utf8_encode((unsigned)code, bytes);
    memcpy(to, bytes, n);
    return n;
}

/* Reads a string; starts after the opening quote. */
static cs_status read_text(cs_json *j, cs_json_token *out, cs_error *err)
{
    char *to = j->at;
    out->text = to;
    while (j->at < j->end && *j->at != '"') {
        unsigned code;
        size_t n;
        if ((unsigned char)*j->at < 0x20)
            return refuse(
                j, err, "a string is not closed, or has a control character",
                "write control characters as escapes, for example \\n");
        if (*j->at == '\\') {
            j->at++;
            n = undo_escape(j, to);
            if (!n)
                return refuse(j, err, "an escape sequence is invalid",
                              "for example \\n, \\\" or \\u00e9");
            to += n;
            continue;
        }
        n = cs_utf8_decode(j->at, (size_t)(j->end - j->at), &code);
        if (!n)
            return refuse(j, err, "a string is not valid UTF-8",
                          "save the file as UTF-8");
        memmove(to, j->at, n);
        to += n;
        j->at += n;
    }
    if (j->at >= j->end)
        return refuse(j, err, "a string is not closed", "end it with a quote");
    j->at++;
    out->size = (size_t)(to - out->text);
    return CS_OK;
}

/* ---- numbers and words --------------------------------------------------- */

static const char *skip_digits(const char *s, const char *end)
{
    while (s < end && *s >= '0' && *s <= '9')
        s++;
    return s;
}

/* Returns the end of the number at s, or NULL. */
static const char *number_end(const char *s, const char *end, bool *whole)
{
    const char *from;
    *whole = true;
    s += s < end && *s == '-';
    from = s;
    s = skip_digits(s, end);
    if (s == from || (*from == '0' && s > from + 1))
        return NULL;
    if (s < end && *s == '.') {
        *whole = false;
        from = ++s;
        s = skip_digits(s, end);
        if (s == from)
            return NULL;
    }
    if (s < end && (*s == 'e' || *s == 'E')) {
        *whole = false;
        s++;
        s += s < end && (*s == '+' || *s == '-');
        from = s;
        s = skip_digits(s, end);
        if (s == from)
            return NULL;
    }
    return s;
}

/* Reads a number that JSON does not have. */
static bool read_infinite(cs_json *j, cs_json_token *out)
{
    static const struct {
        const char *word;
        double number;
    } words[] = {
        {"NaN", NAN}, {"Infinity", HUGE_VAL}, {"-Infinity", -HUGE_VAL}};
    for (size_t i = 0; j->words && i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if ((size_t)(j->end - j->at) >= n &&
            memcmp(j->at, words[i].word, n) == 0) {
            j->at += n;
            out->kind = CS_JSON_NUMBER;
            out->number = words[i].number;
            out->whole = false;
            return true;
        }
    }
    return false;
}

static cs_status read_number(cs_json *j, cs_json_token *out, cs_error *err)
{
    if (read_infinite(j, out))
        return CS_OK;
    const char *end = number_end(j->at, j->end, &out->whole);
    locale_t before = uselocale(j->plain);
    bool good = end && cs_word_number((cs_word_span){j->at, end}, &out->number);
    uselocale(before);
    if (!good)
        return refuse(j, err,
                      "this is not a JSON value, or not a finite number",
                      "write 0.5, -3, 1e6, \"text\", true, null, [...] or "
                      "{...}");
    j->at += end - j->at;
    out->kind = CS_JSON_NUMBER;
    return CS_OK;
}

static bool read_word(cs_json *j, cs_json_token *out)
{
    static const struct {
        const char *word;
        cs_json_kind kind;
    } words[] = {{"true", CS_JSON_TRUE},
                 {"false", CS_JSON_FALSE},
                 {"null", CS_JSON_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if ((size_t)(j->end - j->at) >= n &&
            memcmp(j->at, words[i].word, n) == 0) {
            j->at += n;
            out->kind = words[i].kind;
            return true;
        }
    }
    return false;
}

/* ---- structure ----------------------------------------------------------- */

static cs_status open_one(cs_json *j, cs_json_token *out, cs_error *err)
{
    if (j->depth == CS_JSON_DEPTH)
        return refuse(j, err, "lists and objects are nested too deeply",
                      "nest at most 64 levels");
    bool object = *j->at++ == '{';
    out->kind = object ? CS_JSON_OPEN_OBJECT : CS_JSON_OPEN_LIST;
    j->object[j->depth++] = object;
    j->some = j->value = false;
    return CS_OK;
}

static void close_one(cs_json *j, cs_json_token *out)
{
    out->kind =
        j->object[--j->depth] ? CS_JSON_CLOSE_OBJECT : CS_JSON_CLOSE_LIST;
    j->at++;
    j->some = true;
}

static cs_status read_key(cs_json *j, cs_json_token *out, cs_error *err)
{
    if (j->at >= j->end || *j->at++ != '"')
        return refuse(j, err, "a name in quotes is missing",
                      "write { \"name\": value }");
    cs_status s = read_text(j, out, err);
    if (s)
        return s;
    out->kind = CS_JSON_KEY;
    skip_blanks(j);
    if (j->at >= j->end || *j->at++ != ':')
        return refuse(j, err, "a colon is missing after a name",
                      "write { \"name\": value }");
    j->value = true;
    return CS_OK;
}

static cs_status read_value(cs_json *j, cs_json_token *out, cs_error *err)
{
    cs_status s = CS_OK;
    j->value = false;
    if (j->at < j->end && (*j->at == '[' || *j->at == '{'))
        return open_one(j, out, err);
    if (j->at < j->end && *j->at == '"') {
        j->at++;
        out->kind = CS_JSON_TEXT;
        s = read_text(j, out, err);
    } else if (!read_word(j, out)) {
        s = read_number(j, out, err);
    }
    j->some = true;
    return s;
}

cs_status cs_json_next(cs_json *j, cs_json_token *out, cs_error *err)
{
    assert(j->plain && j->depth <= CS_JSON_DEPTH);
    *out = (cs_json_token){.kind = CS_JSON_END};
    skip_blanks(j);
    bool more = j->at < j->end;
    if (j->value)
        return read_value(j, out, err);
    if (!j->depth) {
        if (!j->some)
            return read_value(j, out, err);
        return more ? refuse(j, err, "the file has more text after the value",
                             "write one value per file")
                    : CS_OK;
    }
    bool object = j->object[j->depth - 1];
    if (more && *j->at == (object ? '}' : ']')) {
        close_one(j, out);
        return CS_OK;
    }
    if (j->some) {
        if (!more || *j->at != ',')
            return refuse(j, err, "a comma or a closing bracket is missing",
                          object ? "write { \"a\": 1, \"b\": 2 }"
                                 : "write [1, 2]");
        j->at++;
        skip_blanks(j);
    }
    return object ? read_key(j, out, err) : read_value(j, out, err);
}
