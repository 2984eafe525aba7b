#include "figure/facts.h"

#include <assert.h>
#include <string.h>

static bool find(const cs_facts *f, size_t arm, cs_flat_entry *entry,
                 const char *format, va_list args)
{
    char key[CS_FLAT_KEY];
    cs_flat_key(key, format, args);
    return f->find(f, arm, key, entry);
}

double cs_fact(const cs_facts *f, size_t arm, double fallback, const char *key,
               ...)
{
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(f, arm, &e, key, args);
    va_end(args);
    return there && e.data && e.rows && e.cols ? e.data[0] : fallback;
}

const char *cs_fact_text(const cs_facts *f, size_t arm, const char *key)
{
    cs_flat_entry e;
    return f->find(f, arm, key, &e) && e.text ? e.text : "";
}

const double *cs_fact_array(const cs_facts *f, size_t arm, size_t *rows,
                            size_t *cols, const char *key, ...)
{
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(f, arm, &e, key, args);
    va_end(args);
    there = there && e.data && e.rows && e.cols;
    *rows = there ? e.rows : 0;
    *cols = there ? e.cols : 0;
    return there ? e.data : NULL;
}

const double *cs_fact_rows(const cs_facts *f, size_t arm, size_t cols,
                           size_t *n, const char *key, ...)
{
    assert(cols > 0);
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(f, arm, &e, key, args);
    va_end(args);
    there = there && e.data && e.rows && e.cols == cols;
    *n = there ? e.rows : 0;
    return there ? e.data : NULL;
}

bool cs_fact_word(const char *words, size_t i, char *out, size_t size)
{
    assert(size > 0);
    for (;;) {
        words += strspn(words, " ");
        size_t n = strcspn(words, " ");
        if (n == 0)
            return false;
        if (i-- == 0) {
            n = n < size ? n : size - 1;
            memcpy(out, words, n);
            out[n] = 0;
            return true;
        }
        words += strcspn(words, " ");
    }
}

/* ---- facts in a table ---- */

static bool look_up(const cs_table_facts *t, cs_flat_entry *entry,
                    const char *format, ...)
{
    char key[CS_FLAT_KEY];
    va_list args;
    va_start(args, format);
    cs_flat_key(key, format, args);
    va_end(args);
    if (t->index)
        return cs_flat_index_find_key(t->index, entry, key);
    return t->base && cs_flat_find(t->base, t->used, entry, "%s", key);
}

static bool find_in_table(const cs_facts *f, size_t arm, const char *key,
                          cs_flat_entry *entry)
{
    const cs_table_facts *t = (const cs_table_facts *)f;
    return arm == CS_FACTS_RUN ? look_up(t, entry, "run/%s", key)
                               : look_up(t, entry, "arm/%zu/%s", arm, key);
}

/* The number of arms in the table may be corrupt. Each arm has an entry, so the
 * number is limited to the number of entries that the table can hold. */
cs_table_facts cs_facts_of_table(const unsigned char *base, size_t used,
                                 const cs_flat_index *index)
{
    cs_table_facts t = {{find_in_table, NULL, 0, NULL}, base, used, index};
    double arms = cs_fact(&t.facts, CS_FACTS_RUN, 0, "arms");
    double most = (double)(used / CS_FLAT_LEAST);
    t.facts.arms = arms > 0 ? (size_t)(arms < most ? arms : most) : 0;
    return t;
}
