/* The bytes of a saved run, for writing and reading. */
#pragma once

#include "base/memory.h"
#include "base/pack.h"
#include "run/arms/share.h"
#include "target/eval.h"

#include <string.h>

/* A stream of bytes. It writes if `out` is set, reads if `in` is set, and
 * always counts the bytes. The same functions are used to count, write, check
 * and load, so there is only one description of the layout. */
typedef struct stream {
    unsigned char *out;
    const unsigned char *in;
    size_t at, size;
    cs_pack pack; /* packs numbers while writing [own] */
    bool bad;
    cs_share share; /* chains to write or read */
} stream;

static inline void bytes(stream *s, void *data, size_t n)
{
    if (s->in && (s->bad || n > s->size - s->at)) {
        s->bad = true;
        memset(data, 0, n);
        return;
    }
    if (s->in)
        memcpy(data, s->in + s->at, n);
    if (s->out)
        memcpy(s->out + s->at, data, n);
    s->at += n;
}

static inline void word(stream *s, uint64_t *value)
{
    unsigned char b[8];
    for (int i = 0; i < 8; i++)
        b[i] = (unsigned char)(*value >> (8 * i));
    bytes(s, b, sizeof b);
    if (!s->in)
        return;
    *value = 0;
    for (int i = 0; i < 8; i++)
        *value |= (uint64_t)b[i] << (8 * i);
}

static inline void number(stream *s, double *value)
{
    uint64_t w;
    memcpy(&w, value, sizeof w);
    word(s, &w);
    memcpy(value, &w, sizeof w);
}

static inline void numbers(stream *s, double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        number(s, &value[i]);
}

/* Writes or reads n numbers in packed form (base/pack.h). If many of the
 * numbers are equal, the packed form is short. */
static inline void packed(stream *s, double *value, size_t n)
{
    cs_pack *p = &s->pack;
    if (s->in && !s->bad) {
        const uint8_t *at = s->in + s->at, *end = s->in + s->size;
        s->bad = !cs_pack_take(&at, end, value, n);
        s->at = (size_t)(at - s->in);
    } else if (!s->in) {
        p->n = 0;
        cs_pack_add(p, value, n);
        s->bad |= p->failed;
        if (!p->failed)
            bytes(s, p->byte, p->n);
    }
}

static inline void flag(stream *s, bool *value)
{
    uint64_t w = *value;
    word(s, &w);
    *value = w != 0;
}

static inline void work(stream *s, cs_work *w)
{
    word(s, &w->log_densities);
    word(s, &w->gradients);
    word(s, &w->site_differences);
    word(s, &w->data_terms);
    word(s, &w->simulations);
    word(s, &w->site_updates);
}

/* Writes *text [own] with its final 0 byte, or reads a text, which the caller
 * then owns. */
static inline cs_status long_text(stream *s, char **text, cs_error *err)
{
    uint64_t n = *text ? strlen(*text) : 0;
    word(s, &n);
    if (s->in && (s->bad || n >= s->size - s->at || s->in[s->at + n] != 0))
        return cs_fail(err, CS_INPUT,
                       "corrupt checkpoint: the data are truncated");
    if (s->in && !(*text = cs_alloc(n + 1, 1)))
        return cs_fail(err, CS_MEMORY, "out of memory for the saved run");
    bytes(s, *text, n + 1);
    return CS_OK;
}
