#include "data/cast.h"

#include "base/hash.h"
#include "base/memory.h"
#include "data/json.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- lines -------------------------------------------------------------- */

/* One line of the recording, as JSON. */
typedef struct line {
    char *at;
    size_t size;
    int number; /* number of the line, from 1 */
    const char *where;
} line;

static cs_status refuse(const line *l, const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s", what);
    cs_where(err, l->where, l->number);
    cs_hint(err, "give a recording made with :record (asciicast version 2)");
    return CS_INPUT;
}

static bool is_key(const cs_json_token *t, const char *name)
{
    return t->size == strlen(name) && memcmp(t->text, name, t->size) == 0;
}

static void copy_text(const cs_json_token *t, char *out, size_t size)
{
    size_t n = t->size < size ? t->size : size - 1;
    memcpy(out, t->text, n);
    out[n] = 0;
}

/* Returns a side of the screen in characters, or 0 if invalid. */
static int side(double x)
{
    return x >= 1 && x <= CS_CAST_WIDEST && x == floor(x) ? (int)x : 0;
}

typedef struct header {
    double version, width, height;
} header;

/* Reads one field of the header; skips a field whose value is an object or a
 * list. */
static void take_field(cs_cast *c, header *h, const cs_json_token *key,
                       const cs_json_token *value)
{
    if (value->kind == CS_JSON_TEXT && is_key(key, "title"))
        copy_text(value, c->title, sizeof c->title);
    else if (value->kind != CS_JSON_NUMBER)
        return;
    else if (is_key(key, "version"))
        h->version = value->number;
    else if (is_key(key, "width"))
        h->width = value->number;
    else if (is_key(key, "height"))
        h->height = value->number;
}

static cs_status read_fields(cs_json *j, cs_cast *c, header *h, cs_error *err)
{
    cs_json_token key, value = {.kind = CS_JSON_NULL};
    cs_status status = cs_json_next(j, &key, err);
    if (!status && key.kind != CS_JSON_OPEN_OBJECT)
        return cs_fail(err, CS_INPUT,
                       "not an asciicast file: line 1 has no JSON header");
    while (!status && key.kind != CS_JSON_END) {
        status = cs_json_next(j, &key, err);
        if (status || key.kind != CS_JSON_KEY)
            continue;
        size_t depth = j->depth;
        status = cs_json_next(j, &value, err);
        if (!status && depth == 1)
            take_field(c, h, &key, &value);
    }
    return status;
}

static cs_status read_header(cs_cast *c, const line *l, cs_error *err)
{
    cs_json j;
    header h = {0};
    cs_status status = cs_json_open(&j, l->at, l->size, l->where, err);
    if (!status)
        status = read_fields(&j, c, &h, err);
    cs_json_close(&j);
    if (status == CS_MEMORY)
        return status;
    if (status || h.version != 2)
        return refuse(l, "this is not a recording", err);
    c->width = side(h.width);
    c->height = side(h.height);
    return c->width && c->height
               ? CS_OK
               : refuse(l, "the header has no valid screen size", err);
}

static cs_status add_event(cs_cast *c, const cs_cast_event *e, cs_error *err)
{
    if (c->n == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 256;
        cs_cast_event *bigger = cs_resize(
            c->event, c->capacity * sizeof *bigger, capacity * sizeof *bigger);
        if (!bigger)
            return cs_fail(err, CS_MEMORY, "out of memory for the recording");
        c->event = bigger;
        c->capacity = capacity;
    }
    c->event[c->n++] = *e;
    return CS_OK;
}

/* Reads an event [seconds, "code", "text"]. Sets *known to true if the code of
 * the event is known; the caller then stores the event. */
static bool read_tokens(cs_json *j, cs_cast_event *e, bool *known)
{
    static const cs_json_kind want[] = {CS_JSON_OPEN_LIST,  CS_JSON_NUMBER,
                                        CS_JSON_TEXT,       CS_JSON_TEXT,
                                        CS_JSON_CLOSE_LIST, CS_JSON_END};
    cs_json_token t[sizeof want / sizeof *want];
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (cs_json_next(j, &t[i], NULL) || t[i].kind != want[i])
            return false;
    e->time = t[1].number;
    e->text = t[3].text;
    e->size = t[3].size;
    e->code = t[2].size == 1 ? t[2].text[0] : 0;
    *known = e->code && strchr("oimnrJjsTte", e->code);
    return true;
}

/* Reads a size such as "80x24"; returns false if the event's text is not a
 * size. */
static bool is_size(const cs_cast_event *e)
{
    char text[16], end;
    int w, h;
    snprintf(text, sizeof text, "%.*s", (int)(e->size < 15 ? e->size : 15),
             e->text);
    return sscanf(text, "%5dx%5d%c", &w, &h, &end) == 2 && side(w) && side(h);
}

static cs_status read_event(cs_cast *c, const line *l, cs_error *err)
{
    cs_json j;
    cs_cast_event e = {0};
    bool known = false;
    cs_status status = cs_json_open(&j, l->at, l->size, l->where, err);
    if (status)
        return status;
    bool good = read_tokens(&j, &e, &known);
    cs_json_close(&j);
    double before = c->n ? c->event[c->n - 1].time : 0;
    if (!good || !(e.time >= before) || e.time > 1e9)
        return refuse(l, "this line is not an event of a recording", err);
    if (known && e.code == 'r' && !is_size(&e))
        return refuse(l, "this event has no valid screen size", err);
    c->ended |= known && e.code == 'e';
    return known && e.code != 'e' ? add_event(c, &e, err) : CS_OK;
}

/* ---- checksums ----------------------------------------------------------- */

void cs_cast_put_sum(cs_page *p, size_t from, double seconds, uint64_t *sum)
{
    if (p->full)
        return;
    *sum = cs_running_sum(*sum, p->text + from, p->used - from);
    cs_page_put(p, "[%.3f, \"c\", \"%016llx\"]", seconds,
                (unsigned long long)*sum);
}

/* Returns true if the line is a checksum in exactly the form that this program
 * writes. In this case sets *sum to the checksum. */
static bool is_sum(const line *l, uint64_t *sum)
{
    static const char head[] = ", \"c\", \"", end[] = "\"]";
    enum { HEAD = sizeof head - 1, END = sizeof end - 1, DIGITS = 16 };
    const char *comma = memchr(l->at, ',', l->size);
    size_t n = comma ? (size_t)(comma - l->at) : 0;
    if (!n || *l->at != '[' || l->size < n + HEAD + DIGITS + END ||
        memcmp(comma, head, HEAD) != 0 ||
        memcmp(comma + HEAD + DIGITS, end, END) != 0)
        return false;
    *sum = 0;
    for (size_t i = 0; i < DIGITS; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *at = strchr(digits, comma[HEAD + i]);
        if (!at || !*at)
            return false;
        *sum = *sum << 4 | (uint64_t)(at - digits);
    }
    for (n += HEAD + DIGITS + END; n < l->size; n++)
        if (!isspace((unsigned char)l->at[n]))
            return false;
    return true;
}

static cs_status refuse_damaged(const line *l, cs_error *err)
{
    cs_fail(err, CS_INPUT,
            "the recording is damaged: the checksum of this line is wrong");
    cs_where(err, l->where, l->number);
    cs_hint(err, "use an undamaged copy of the recording");
    return CS_INPUT;
}

/* ---- the file ------------------------------------------------------------ */

/* State of the reader. `held` is a line whose checksum has not been read
 * yet. */
typedef struct reader {
    cs_cast *out;
    line held;
    bool begun, holds;
    uint64_t sum;
} reader;

static cs_status take(reader *r, const line *l, cs_error *err)
{
    r->out->lines = l->number;
    cs_status status =
        r->begun ? read_event(r->out, l, err) : read_header(r->out, l, err);
    r->begun = true;
    return status;
}

/* Verifies the held line against the checksum in the next line. At the second
 * line of the file, finds out whether the file has checksums. The checksum of a
 * line includes the line end. */
static cs_status check_held(reader *r, const line *l, cs_error *err)
{
    uint64_t sum;
    bool summed = is_sum(l, &sum);
    r->holds = false;
    if (!summed && r->begun)
        return refuse_damaged(&r->held, err);
    if (summed) {
        r->sum = cs_running_sum(r->sum, r->held.at, r->held.size + 1);
        if (r->sum != sum)
            return refuse_damaged(&r->held, err);
        r->out->summed = true;
    }
    cs_status status = take(r, &r->held, err);
    if (status || summed) {
        r->out->lines = l->number;
        return status;
    }
    return take(r, l, err);
}

static cs_status read_line(reader *r, const line *l, cs_error *err)
{
    uint64_t sum;
    if (r->holds)
        return check_held(r, l, err);
    if (r->begun && !r->out->summed)
        return is_sum(l, &sum) ? refuse_damaged(&r->held, err)
                               : take(r, l, err);
    r->held = *l;
    r->holds = true;
    return CS_OK;
}

static bool is_blank(const line *l)
{
    size_t n = 0;
    while (n < l->size && isspace((unsigned char)l->at[n]))
        n++;
    return n == l->size;
}

/* Returns true for an incomplete checksum line, which an interrupted writer
 * leaves. */
static bool begins_sum(const line *l)
{
    static const char rest[] = "[0.000, \"c\", \"";
    size_t i = 0, k = 0;
    while (i < l->size && (l->at[i] == '[' || l->at[i] == '.' ||
                           isdigit((unsigned char)l->at[i])))
        i++;
    const char *at = rest + strcspn(rest, ",");
    while (i < l->size && at[k] && l->at[i] == at[k])
        i++, k++;
    while (i < l->size && isxdigit((unsigned char)l->at[i]))
        i++;
    return i == l->size || (l->at[i] == '"' && i + 1 == l->size);
}

/* Reads a last line that has no line end. If only the line end of a checksum is
 * missing, uses this checksum. Drops any other incomplete line. */
static cs_status read_tail(reader *r, const line *l, cs_error *err)
{
    uint64_t sum;
    if (!r->begun && !r->holds)
        return take(r, l, err);
    if (r->holds && is_sum(l, &sum))
        return check_held(r, l, err);
    r->out->torn = true;
    return r->holds && r->out->summed && !begins_sum(l)
               ? refuse_damaged(&r->held, err)
               : CS_OK;
}

/* Handles a held line that is the last line of the file and has no checksum. In
 * a recording with checksums the line is dropped, because it cannot be
 * verified. */
static cs_status end_reading(reader *r, cs_error *err)
{
    if (!r->holds)
        return CS_OK;
    if (!r->out->summed)
        return take(r, &r->held, err);
    r->out->torn = true;
    cs_cast left_out = {.width = 1};
    bool good = read_event(&left_out, &r->held, NULL) == CS_OK;
    cs_cast_fini(&left_out);
    return good ? CS_OK : refuse_damaged(&r->held, err);
}

static cs_status read_lines(reader *r, char *text, size_t size, line *l,
                            cs_error *err)
{
    cs_status status = CS_OK;
    for (size_t at = 0; status == CS_OK && at < size; l->number++) {
        char *end = memchr(text + at, '\n', size - at);
        l->at = text + at;
        l->size = end ? (size_t)(end - l->at) : size - at;
        at += l->size + 1;
        if (!is_blank(l))
            status = end ? read_line(r, l, err) : read_tail(r, l, err);
    }
    return status ? status : end_reading(r, err);
}

cs_status cs_cast_read(cs_cast *out, char *text, size_t size, const char *where,
                       cs_error *err)
{
    assert(out && (text || size == 0));
    *out = (cs_cast){0};
    line l = {.number = 1, .where = where};
    reader r = {.out = out, .sum = CS_DIGEST};
    cs_status status = read_lines(&r, text, size, &l, err);
    if (status == CS_OK && !r.begun)
        status = refuse(&l, "this is not a recording", err);
    if (status)
        cs_cast_fini(out);
    return status;
}

void cs_cast_fini(cs_cast *c)
{
    cs_free(c->event);
    *c = (cs_cast){0};
}
