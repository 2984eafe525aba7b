#include "data/cast.h"

#include "base/memory.h"
#include "base/page.h"
#include "data/json.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines -------------------------------------------------------------- */

/* One line of the text, as JSON. */
typedef struct line {
    char *at;
    size_t size;
    int number; /* from 1 */
    const char *where;
} line;

static cs_status refuse(const line *l, const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s", what);
    cs_where(err, l->where, l->number);
    cs_hint(err, "an asciicast of version 2 is needed; chainscope FILE.cast "
                 "and chainscope replay read what :record writes");
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

/* A side of the screen; 0: it is none. */
static int side(double x)
{
    return x >= 1 && x <= CS_CAST_WIDEST && x == floor(x) ? (int)x : 0;
}

typedef struct header {
    double version, width, height;
} header;

/* One of the header's own fields; what is within others is skipped. */
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
        return cs_fail(err, CS_INPUT, "it begins with no object");
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
        return refuse(l, "this is no recording", err);
    c->width = side(h.width);
    c->height = side(h.height);
    return c->width && c->height ? CS_OK
                                 : refuse(l, "the screen has no size", err);
}

static cs_status add_event(cs_cast *c, const cs_cast_event *e, cs_error *err)
{
    if (c->n == c->room) {
        size_t room = c->room ? 2 * c->room : 256;
        cs_cast_event *bigger = cs_resize(c->event, c->room * sizeof *bigger,
                                          room * sizeof *bigger);
        if (!bigger)
            return cs_fail(err, CS_MEMORY, "no memory for the recording");
        c->event = bigger;
        c->room = room;
    }
    c->event[c->n++] = *e;
    return CS_OK;
}

/* [seconds, "code", "text"], and nothing else; *known: it is to be kept. */
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
    *known = e->code && strchr("oimrJjs", e->code);
    return true;
}

/* What a size says: "80x24"; false: nothing. */
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
        return refuse(l, "no event of a recording", err);
    if (known && e.code == 'r' && !is_size(&e))
        return refuse(l, "no size of a screen", err);
    return known ? add_event(c, &e, err) : CS_OK;
}

static bool is_blank(const line *l)
{
    size_t n = 0;
    while (n < l->size && isspace((unsigned char)l->at[n]))
        n++;
    return n == l->size;
}

cs_status cs_cast_read(cs_cast *out, char *text, size_t size, const char *where,
                       cs_error *err)
{
    assert(out && (text || size == 0));
    *out = (cs_cast){0};
    line l = {.number = 1, .where = where};
    cs_status status = CS_OK;
    bool begun = false;
    for (size_t at = 0; status == CS_OK && at < size; l.number++) {
        char *end = memchr(text + at, '\n', size - at);
        l.at = text + at;
        l.size = end ? (size_t)(end - l.at) : size - at;
        at += l.size + 1;
        if (is_blank(&l))
            continue;
        if (!end && begun) { /* whoever wrote it was stopped */
            out->torn = true;
            break;
        }
        status = begun ? read_event(out, &l, err) : read_header(out, &l, err);
        begun = true;
    }
    if (status == CS_OK && !begun)
        status = refuse(&l, "this is no recording", err);
    if (status)
        cs_cast_fini(out);
    return status;
}

void cs_cast_fini(cs_cast *c)
{
    cs_free(c->event);
    *c = (cs_cast){0};
}

/* ---- the run ------------------------------------------------------------ */

/* The number of an event "s"; -1: it is none. */
static double number_of(const cs_cast_event *e)
{
    char text[32], *end;
    if (e->size == 0 || e->size >= 20)
        return -1;
    memcpy(text, e->text, e->size);
    text[e->size] = 0;
    double x = strtod(text, &end);
    return *end == 0 && x >= 0 && x < 1e18 && isdigit((unsigned char)*text)
               ? x
               : -1;
}

double cs_cast_step(const cs_cast *c, size_t at)
{
    double step = -1;
    for (size_t i = 0; i <= at && i < c->n; i++)
        if (c->event[i].code == 's')
            step = number_of(&c->event[i]);
    return step;
}

/* Adds the lines of the journal up to a step; its comments all. */
static void put_until(cs_page *p, char *lines, uint64_t step)
{
    for (char *at = lines, *next; at && *at; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        bool late = isdigit((unsigned char)*at) &&
                    strtoull(at, NULL, 10) > (unsigned long long)step;
        if (!late)
            cs_page_put(p, "%s\n", at);
    }
    cs_page_put(p, "%llu end\n", (unsigned long long)step);
}

cs_status cs_cast_journal(const cs_cast *c, const uint64_t *step, char **out,
                          cs_error *err)
{
    cs_page lines = {0}, p = {0};
    size_t begin = c->n;
    for (size_t i = 0; i < c->n; i++)
        begin = c->event[i].code == 'J' ? i : begin;
    *out = NULL;
    if (begin == c->n) {
        cs_fail(err, CS_INPUT, "the recording knows of no run");
        cs_hint(err, "chainscope replay shows it");
        return CS_INPUT;
    }
    uint64_t end = 0;
    for (size_t i = begin; i < c->n; i++) {
        const cs_cast_event *e = &c->event[i];
        double at = e->code == 's' ? number_of(e) : 0;
        if (e->code == 'J' || e->code == 'j')
            cs_page_put(&lines, "%.*s", (int)e->size, e->text);
        end = at > (double)end ? (uint64_t)at : end;
    }
    if (lines.text)
        put_until(&p, lines.text, step ? *step : end);
    bool full = lines.full || p.full;
    cs_free(lines.text);
    if (full || !p.text) {
        cs_free(p.text);
        return cs_fail(err, full ? CS_MEMORY : CS_INPUT,
                       "the journal of the recording cannot be read");
    }
    *out = p.text;
    return CS_OK;
}
