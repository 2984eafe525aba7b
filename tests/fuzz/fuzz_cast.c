/* Fuzzes the reader of recordings. Recordings have events, which are displayed
 * on a terminal, and a journal. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/inputs.h"
#include "fuzz.h"
#include "screen/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Checks the bytes. They may be printable characters, or sequences that move
 * the cursor, erase, or set colours. No other sequence may reach the
 * terminal. */
static void look_at_bytes(const char *bytes, size_t n)
{
    char clean[32], one[8];
    for (size_t i = 0; i < n;) {
        unsigned code;
        size_t k = cs_utf8_decode(bytes + i, n - i, &code);
        if (bytes[i] == 27) {
            k = 1 + strspn(bytes + i + 1, "[0123456789;");
            if (bytes[i + 1] != '[' || !strchr("mHJ", bytes[i + k]))
                fuzz_broken("a control sequence was not removed");
            i += k + 1;
            continue;
        }
        if (!k)
            fuzz_broken("invalid UTF-8 was not removed");
        memcpy(one, bytes + i, k);
        one[k] = 0;
        cs_text_clean(one, clean, sizeof clean);
        if (strcmp(one, clean) != 0)
            fuzz_broken("a control character was not removed");
        i += k;
    }
}

static bool is_wide(unsigned code)
{
    char one[8];
    one[cs_utf8_encode(code, one)] = 0;
    return cs_text_width(one) == 2;
}

static void look_at_grid(const cs_vt *v)
{
    for (int i = 0; i < v->width * v->height; i++)
        if (v->cell[i].code == 0 &&
            (i % v->width == 0 || !is_wide(v->cell[i - 1].code)))
            fuzz_broken("half of a wide character is on the screen");
    if (v->x < 0 || v->x > v->width || v->y < 0 || v->y >= v->height)
        fuzz_broken("the cursor is outside the screen");
}

static void play(const cs_cast *c)
{
    cs_vt v = {0};
    cs_error err;
    char *bytes;
    size_t n, area = (size_t)c->width * (size_t)c->height;
    for (size_t i = 0; i < c->n; i++) /* skip screens that need much memory */
        area += c->event[i].code == 'r' ? 1 << 16 : 0;
    if (area > 1 << 20)
        return;
    cs_status status = cs_player_draw(c, c->n, &v, &err);
    if (status != CS_OK && status != CS_MEMORY)
        fuzz_broken(err.what);
    if (status == CS_OK) {
        look_at_grid(&v);
        FILE *out = open_memstream(&bytes, &n);
        cs_vt_emit(NULL, &v, 80, 24, false, out);
        fclose(out);
        look_at_bytes(bytes, n);
        free(bytes);
    }
    cs_vt_fini(&v);
}

static void take_journal(const cs_cast *c)
{
    const uint64_t step = 100;
    cs_error err = {0};
    char *text;
    for (int i = 0; i < 2; i++)
        if (cs_cast_journal(c, i ? &step : NULL, &text, &err) == CS_OK) {
            if (!strstr(text, " end\n"))
                fuzz_broken("the journal has no last line");
            cs_free(text);
        } else if (!err.what[0]) {
            fuzz_broken("error without a message");
        }
}

/* Checks that the recorded inputs can be written and read again. */
static void take_inputs(const cs_cast *c)
{
    cs_error err = {0};
    char *text;
    cs_inputs *in, *again;
    cs_page p = {0};
    if (cs_cast_inputs(c, &text, &err))
        return;
    if (cs_inputs_read(&in, text, &err) == CS_OK) {
        cs_inputs_put(in, &p);
        if (cs_inputs_read(&again, p.text, &err))
            fuzz_broken(err.what);
        cs_inputs_drop(again);
        cs_inputs_drop(in);
    } else if (!err.what[0]) {
        fuzz_broken("error without a message");
    }
    cs_free(p.text);
    cs_free(text);
}

/* Returns a copy of the lines with correct checksums. Without them, the reader
 * of runs would ignore the lines. */
static char *sum_up(const uint8_t *data, size_t size, size_t *n)
{
    cs_page p = {0};
    uint64_t sum = CS_DIGEST;
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at,
               from = p.used;
        cs_page_put(&p, "%.*s\n", (int)length, (const char *)data + at);
        if (p.used > from + 1) {
            cs_cast_put_sum(&p, from, 0, &sum);
            cs_page_put(&p, "\n");
        }
        at += length + 1;
    }
    *n = p.used;
    return p.text;
}

static void read_run(const uint8_t *data, size_t size)
{
    cs_cast c;
    cs_error err = {0};
    size_t n;
    char *text = sum_up(data, size, &n);
    if (text && cs_cast_read(&c, text, n, "input.cast", &err) == CS_OK) {
        take_journal(&c);
        take_inputs(&c);
        cs_cast_fini(&c);
    }
    cs_free(text);
}

static void one_input(const uint8_t *data, size_t size)
{
    cs_cast c;
    cs_error err = {0};
    read_run(data, size);
    char *text = fuzz_text(data, size);
    cs_status status = cs_cast_read(&c, text, size, "input.cast", &err);
    if (status != CS_OK) {
        if (status == CS_INPUT && (!err.what[0] || err.line < 1))
            fuzz_broken("error without a message or line number");
        return;
    }
    for (size_t i = 1; i < c.n; i++)
        if (!(c.event[i].time >= c.event[i - 1].time))
            fuzz_broken("time decreases");
    play(&c);
    take_journal(&c);
    cs_cast_step(&c, c.n / 2);
    cs_cast_fini(&c);
}

const fuzz_reader reader_cast = {.read = one_input};
