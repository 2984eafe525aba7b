#include "run/history/remembered.h"

#include "base/hash.h"
#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/history/marks.h"
#include "run/history/script_memory.h"

#include <string.h>

enum { WHOLE = 32 }; /* every 32nd entry contains the complete text */
/* maximum total size of all entries */
static const size_t max_bytes = (size_t)64 << 20;

/* ---- entries ---- */

static void drop(cs_remembered *m, size_t from, size_t to)
{
    if (from == to)
        return;
    for (size_t i = from; i < to; i++) {
        m->bytes -= m->entry[i].n;
        cs_free(m->entry[i].text);
    }
    memmove(&m->entry[from], &m->entry[to], (m->n - to) * sizeof *m->entry);
    m->n -= to - from;
}

bool cs_remembered_apply(cs_remembered *m, const cs_memory_entry *e)
{
    size_t n = e->head + e->n + e->tail;
    char *text = cs_alloc(n + 1, 1);
    if (!text)
        return false;
    if (e->head)
        memcpy(text, m->now, e->head);
    if (e->n)
        memcpy(text + e->head, e->text, e->n);
    if (e->tail)
        memcpy(text + e->head + e->n, m->now + m->length - e->tail, e->tail);
    cs_free(m->now);
    m->now = text;
    m->length = n;
    return true;
}

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY,
                   "out of memory for the values kept by the script");
}

static cs_status put(cs_run *r, cs_error *err)
{
    cs_remembered *m = r->remembered;
    return m->recall && m->now ? m->recall(m->self, r, m->now, false, err)
                               : CS_OK;
}

/* Applies entries [0 .. at). */
static cs_status go(cs_run *r, size_t at, cs_error *err)
{
    cs_remembered *m = r->remembered;
    size_t from = at;
    while (from-- > 0 && (m->entry[from].head || m->entry[from].tail))
        ;
    for (size_t i = from; i < at; i++)
        if (!cs_remembered_apply(m, &m->entry[i]))
            return no_memory(err);
    m->at = at;
    return put(r, err);
}

cs_status cs_remembered_place(cs_run *r, uint64_t step, cs_error *err)
{
    cs_remembered *m = r->remembered;
    size_t at = m->n ? 1 : 0;
    while (at < m->n && m->entry[at].step < step)
        at++;
    return at == m->at ? CS_OK : go(r, at, err);
}

uint64_t cs_remembered_step(const cs_remembered *m)
{
    return m->at < m->n ? m->entry[m->at].step : UINT64_MAX;
}

cs_status cs_remembered_next(cs_run *r, cs_error *err)
{
    cs_remembered *m = r->remembered;
    if (!cs_remembered_apply(m, &m->entry[m->at]))
        return no_memory(err);
    m->at++;
    return put(r, err);
}

/* ---- present text ---- */

void cs_run_remembers(cs_run *r, cs_recall *recall, void *self)
{
    r->remembered->recall = recall;
    r->remembered->self = self;
}

const char *cs_run_remembered(const cs_run *r)
{
    return r->remembered->now;
}

cs_memory_entry cs_remembered_difference(const cs_remembered *m,
                                         const char *text, size_t n)
{
    cs_memory_entry e = {.n = n};
    size_t least = n < m->length ? n : m->length;
    if (!m->now)
        return e;
    while (e.head < least && text[e.head] == m->now[e.head])
        e.head++;
    while (e.tail < least - e.head &&
           text[n - 1 - e.tail] == m->now[m->length - 1 - e.tail])
        e.tail++;
    e.n = n - e.head - e.tail;
    return e;
}

bool cs_remembered_forget_old(cs_remembered *m)
{
    size_t first = m->n / 2 / WHOLE * WHOLE;
    if (m->bytes < max_bytes || first == 0)
        return false;
    drop(m, 0, first);
    m->at -= first;
    return true;
}

cs_status cs_remembered_add(cs_remembered *m, uint64_t step, const char *text,
                            cs_error *err)
{
    size_t n = strlen(text);
    if (m->now && n == m->length && memcmp(text, m->now, n) == 0)
        return CS_OK;
    drop(m, m->at, m->n);
    cs_memory_entry e = {.n = n};
    if (m->n % WHOLE)
        e = cs_remembered_difference(m, text, n);
    e.step = step;
    e.text = cs_alloc(e.n + 1, 1);
    if (!e.text || !CS_GROW(m->entry, m->n, m->capacity, 1)) {
        cs_free(e.text);
        return no_memory(err);
    }
    memcpy(e.text, text + e.head, e.n);
    m->entry[m->n++] = e;
    m->at = m->n;
    m->bytes += e.n;
    return cs_remembered_apply(m, &e) ? CS_OK : no_memory(err);
}

cs_status cs_run_remember(cs_run *r, const char *text, cs_error *err)
{
    cs_status status = cs_remembered_add(r->remembered, r->steps, text, err);
    if (status == CS_OK && cs_remembered_forget_old(r->remembered))
        cs_marks_forget_before(r->marks, r->remembered->entry[0].step + 1);
    return status;
}

uint64_t cs_run_remembered_sign(const cs_run *r)
{
    const cs_remembered *m = r->remembered;
    uint64_t h = cs_hash_word(m->at, m->length);
    if (m->at == 0)
        return h;
    const cs_memory_entry *last = &m->entry[m->at - 1];
    return cs_digest(cs_hash_word(h, last->step), last->text, last->n);
}

cs_status cs_remembered_again(cs_run *r, const char *text, cs_error *err)
{
    bool first = r->remembered->n == 0;
    cs_status status = cs_run_remember(r, text, err);
    if (status == CS_OK && first && r->steps)
        cs_marks_forget_before(r->marks, r->steps + 1);
    return status ? status : put(r, err);
}

static void clear(cs_remembered *m)
{
    cs_remembered_free_list(m->entry, m->n);
    cs_free(m->now);
    *m = (cs_remembered){.recall = m->recall, .self = m->self};
}

void cs_remembered_take(cs_run *r, cs_remembered *past)
{
    past->recall = r->remembered->recall;
    past->self = r->remembered->self;
    clear(r->remembered);
    *r->remembered = *past;
    *past = (cs_remembered){.n = 0};
}

cs_status cs_remembered_look(cs_run *r, const char *text, cs_error *err)
{
    const cs_remembered *m = r->remembered;
    return m->recall && *text ? m->recall(m->self, r, text, true, err) : CS_OK;
}

cs_status cs_remembered_load(cs_run *r, const char *text, cs_error *err)
{
    cs_remembered *m = r->remembered;
    cs_status status = cs_remembered_look(r, text, err);
    if (status)
        return status;
    if (!m->now || strcmp(m->now, text) != 0)
        clear(m);
    if (!*text)
        return CS_OK;
    status = cs_run_remember(r, text, err);
    return status ? status : put(r, err);
}

/* ---- later entries ---- */

void cs_remembered_cut(cs_remembered *m, cs_memory_entry **out, size_t *n)
{
    size_t ahead = m->n - m->at;
    if (out && ahead && (*out = cs_alloc(ahead, sizeof **out))) {
        memcpy(*out, m->entry + m->at, ahead * sizeof **out);
        for (*n = ahead; ahead; ahead--)
            m->bytes -= m->entry[--m->n].n;
    }
    drop(m, m->at, m->n);
}

void cs_remembered_join(cs_remembered *m, cs_memory_entry *entry, size_t n)
{
    if (n == 0)
        return;
    if (!CS_GROW(m->entry, m->n, m->capacity, n)) {
        cs_remembered_free_list(entry, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        m->entry[m->n++] = entry[i];
        m->bytes += entry[i].n;
    }
    cs_free(entry);
}

void cs_remembered_free_list(cs_memory_entry *entry, size_t n)
{
    for (size_t i = 0; i < n; i++)
        cs_free(entry[i].text);
    cs_free(entry);
}

void cs_remembered_free(cs_remembered *m)
{
    clear(m);
}

/* Appends copies of entry[n]. */
static bool copy_entries(cs_remembered *to, const cs_memory_entry *entry,
                         size_t n)
{
    if (n == 0 || !CS_GROW(to->entry, to->n, to->capacity, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        cs_memory_entry e = entry[i];
        e.text = cs_alloc(e.n + 1, 1);
        if (!e.text)
            return false;
        memcpy(e.text, entry[i].text, e.n);
        to->entry[to->n++] = e;
        to->bytes += e.n;
    }
    return true;
}

cs_status cs_remembered_keep_ahead(cs_remembered *m,
                                   const cs_memory_entry *entry, size_t n,
                                   cs_error *err)
{
    if (n == 0 || m->n > m->at || copy_entries(m, entry, n))
        return CS_OK;
    drop(m, m->at, m->n);
    return no_memory(err);
}

void cs_remembered_transfer(cs_run *r, const cs_run *from)
{
    cs_remembered *m = r->remembered;
    clear(m);
    if (copy_entries(m, from->remembered->entry, from->remembered->n) &&
        go(r, from->remembered->at, NULL) == CS_OK)
        return;
    clear(m);
}

/* ---- parts ---- */

cs_status cs_remembered_same(const cs_remembered *m, const char *text,
                             cs_error *err)
{
    const char *a = m->now ? m->now : "", *b = text;
    while (*a || *b) {
        size_t n = strcspn(a, "\n"), k = strcspn(b, "\n");
        if (n != k || memcmp(a, b, n) != 0) {
            cs_fail(err, CS_INPUT,
                    "the values kept by the script differ between parts: "
                    "\"%.*s\" here, \"%.*s\" in the first part",
                    (int)(k < 150 ? k : 150), b, (int)(n < 150 ? n : 150), a);
            cs_hint(err, "run without parts, or make the events independent of "
                         "the chains of a part");
            return CS_INPUT;
        }
        a += n + (a[n] == '\n');
        b += k + (b[k] == '\n');
    }
    return CS_OK;
}
