#include "run/history/kept_text.h"

#include "base/memory.h"
#include "run/arms/run_state.h"
#include "run/history/remembered.h"

#include <stdlib.h>
#include <string.h>

static void put_escaped(cs_page *p, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\\')
            cs_page_put(p, "\\\\");
        else if (c < ' ' || c > '~')
            cs_page_put(p, "\\x%02x", c);
        else
            cs_page_put(p, "%c", c);
    }
}

/* Writes an entry as a difference from the previous text, even if the complete
 * text is stored in the entry. */
static void put_entry(cs_kept_text *k, const cs_memory_entry *e, cs_page *p)
{
    cs_memory_entry d = *e;
    const char *text = e->text;
    if (!e->head && !e->tail) {
        d = cs_remembered_difference(&k->before, e->text, e->n);
        text += d.head;
    }
    cs_page_put(p, "%llu kept %zu %zu ", (unsigned long long)e->step, d.head,
                d.tail);
    put_escaped(p, text, d.n);
    cs_page_put(p, "\n");
}

void cs_kept_put(cs_kept_text *k, const cs_run *r, uint64_t step, cs_page *p)
{
    const cs_remembered *m = r->remembered;
    for (; k->next < m->at && m->entry[k->next].step <= step; k->next++) {
        const cs_memory_entry *e = &m->entry[k->next];
        put_entry(k, e, p);
        p->full |= !cs_remembered_apply(&k->before, e);
    }
}

void cs_kept_done(cs_kept_text *k)
{
    cs_remembered_free(&k->before);
}

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reads the next byte of the escaped text. Returns -1 at the end of the text,
 * and -2 for an invalid escape. */
static int next_byte(const char **at)
{
    const char *c = *at;
    if (*c == 0 || *c == '\n' || *c == '\r')
        return -1;
    *at = c + 1;
    if (*c != '\\')
        return (unsigned char)*c;
    *at = c + 2;
    if (c[1] == '\\')
        return '\\';
    int high = c[1] == 'x' ? digit(c[2]) : -1;
    int low = high < 0 ? -1 : digit(c[3]);
    *at = c + 4;
    return low < 0 || 16 * high + low == 0 ? -2 : 16 * high + low;
}

static bool read_size(const char **at, size_t *n)
{
    char *end;
    *at += strspn(*at, " ");
    if (digit(**at) < 0 || digit(**at) > 9)
        return false;
    *n = strtoull(*at, &end, 10);
    *at = end + (*end == ' ');
    return *end == ' ';
}

static cs_status no_line(cs_error *err)
{
    cs_fail(err, CS_INPUT,
            "a line of values kept by the script is damaged, or the line "
            "before it is missing");
    cs_hint(err, "write the journal again from the run");
    return CS_INPUT;
}

cs_status cs_kept_read(const cs_remembered *m, const char *line, char **text,
                       cs_error *err)
{
    size_t head, tail, n = 0;
    int c = 0;
    *text = NULL;
    if (!read_size(&line, &head) || !read_size(&line, &tail) ||
        head > m->length || tail > m->length - head)
        return no_line(err);
    char *out = cs_alloc(head + tail + strcspn(line, "\n") + 1, 1);
    if (!out)
        return cs_fail(err, CS_MEMORY, "out of memory for the journal");
    if (head)
        memcpy(out, m->now, head);
    for (n = head; (c = next_byte(&line)) >= 0; n++)
        out[n] = (char)c;
    if (tail)
        memcpy(out + n, m->now + m->length - tail, tail);
    out[n + tail] = 0;
    *text = out;
    if (c == -1)
        return CS_OK;
    cs_free(out);
    *text = NULL;
    return no_line(err);
}

cs_status cs_kept_add(cs_remembered *m, uint64_t step, const char *line,
                      cs_error *err)
{
    char *text;
    if (m->n && m->entry[m->n - 1].step > step)
        return no_line(err);
    cs_status status = cs_kept_read(m, line, &text, err);
    if (status == CS_OK)
        status = cs_remembered_add(m, step, text, err);
    if (status == CS_OK)
        cs_remembered_forget_old(m);
    cs_free(text);
    return status;
}
