/* What two runs were made of: lines "NAME = VALUE", and the changes on the way. */
#include "base/memory.h"
#include "cli/diff/diff_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line: its key and its value. */
typedef struct setting {
    const char *key, *value;
    size_t n_key, n_value;
} setting;

/* The settings of a run, sorted by their keys. */
typedef struct settings {
    setting *row; /* [n] [own] */
    size_t n;
} settings;

/* Reads the line at `at`; returns the next. */
static const char *read_setting(const char *at, setting *s)
{
    size_t n = strcspn(at, "\n"), k = 0;
    while (k < n && strncmp(at + k, " = ", 3) != 0)
        k++;
    size_t skip = k < n ? k + 3 : n;
    *s = (setting){at, at + skip, k, n - skip};
    return at + n + (at[n] == '\n');
}

static int compare_keys(const setting *x, const setting *y)
{
    size_t n = x->n_key < y->n_key ? x->n_key : y->n_key;
    int order = memcmp(x->key, y->key, n);
    return order ? order : (x->n_key > y->n_key) - (x->n_key < y->n_key);
}

/* The earlier of two lines with one key first. */
static int by_key(const void *a, const void *b)
{
    const setting *x = a, *y = b;
    int order = compare_keys(x, y);
    return order ? order : (x->key > y->key) - (x->key < y->key);
}

/* False: no memory. */
static bool sort_settings(const char *text, settings *s)
{
    size_t lines = 1, n = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    s->row = cs_alloc(lines, sizeof *s->row);
    if (!s->row)
        return false;
    for (const char *at = text; *at;)
        at = read_setting(at, &s->row[n++]);
    s->n = n;
    if (n)
        qsort(s->row, n, sizeof *s->row, by_key);
    return true;
}

/* The first line with that key; NULL: there is none. */
static const setting *find_setting(const settings *s, const setting *wanted)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare_keys(&s->row[mid], wanted) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->n && compare_keys(&s->row[low], wanted) == 0 ? &s->row[low]
                                                                 : NULL;
}

static const char *text_of(const cs_diff_pair *d, size_t of)
{
    const char *text = d->run[of].made_of.text;
    return text ? text : "";
}

static void copy(char *to, size_t size, const char *from, size_t n)
{
    snprintf(to, size, "%.*s", from ? (int)(n < size ? n : size - 1) : 1,
             from ? from : "-");
}

static bool is_same_value(const setting *x, const setting *y)
{
    return x->n_value == y->n_value &&
           memcmp(x->value, y->value, x->n_value) == 0;
}

/* Of the keys of run `of` those that the other has otherwise, or not at all
 * (`lacks`: only these), in the order of their lines. */
static size_t walk_settings(const cs_diff_pair *d, size_t of,
                            const settings *sorted, bool lacks,
                            cs_diff_each_setting *each, cs_page *p)
{
    size_t found = 0;
    setting line;
    for (const char *at = text_of(d, of); *at;) {
        char key[200], value[2][300];
        at = read_setting(at, &line);
        const setting *here = find_setting(&sorted[of], &line);
        const setting *there = find_setting(&sorted[!of], &line);
        if (there && (lacks || is_same_value(here, there)))
            continue;
        found++;
        copy(key, sizeof key, line.key, line.n_key);
        copy(value[of], sizeof value[of], here->value, here->n_value);
        copy(value[!of], sizeof value[!of], there ? there->value : NULL,
             there ? there->n_value : 0);
        each(p, key, value[0], value[1]);
    }
    return found;
}

bool cs_diff_knows_settings(const cs_diff_pair *d)
{
    return d->run[0].made_of.text && d->run[1].made_of.text &&
           d->journal[0] == d->journal[1];
}

const char *cs_diff_why_unknown(const cs_diff_pair *d)
{
    return d->journal[0] != d->journal[1]
               ? "Not compared: a journal does not say what the run is made of."
               : "Not known: one was written by an older chainscope.";
}

const char cs_diff_without_draws[] =
    "Not compared: a journal has none. chainscope run FILE.cast --out FOLDER "
    "makes the run of a recording again.";

size_t cs_diff_settings(const cs_diff_pair *d, cs_diff_each_setting *each,
                        cs_page *p)
{
    settings sorted[2] = {{0}, {0}};
    size_t found = 0;
    if (sort_settings(text_of(d, 0), &sorted[0]) &&
        sort_settings(text_of(d, 1), &sorted[1]))
        found = walk_settings(d, 0, sorted, false, each, p) +
                walk_settings(d, 1, sorted, true, each, p);
    else
        p->full = true; /* no memory for the tables */
    cs_free(sorted[0].row);
    cs_free(sorted[1].row);
    return found;
}

void cs_diff_first_change(const cs_diff_pair *d, size_t of, char *out,
                          size_t size)
{
    const char *a = d->run[of].changes.text, *b = d->run[!of].changes.text;
    a = a ? a : "";
    b = b ? b : "";
    while (*a && strcspn(a, "\n") == strcspn(b, "\n") &&
           strncmp(a, b, strcspn(a, "\n")) == 0) {
        a += strcspn(a, "\n");
        b += strcspn(b, "\n");
        a += *a == '\n';
        b += *b == '\n';
    }
    char *rest;
    unsigned long long step = strtoull(a, &rest, 10);
    size_t arm = strtoul(rest, &rest, 10), n = strcspn(rest, "\n");
    char name[CS_SAVED_NAME + 2] = "";
    if (arm >= 1 && arm <= d->run[of].n)
        snprintf(name, sizeof name, ", %s", d->run[of].arm[arm - 1].name);
    else if (arm >= 1)
        snprintf(name, sizeof name, ", arm %zu", arm);
    *out = 0;
    if (*a)
        snprintf(out, size, "at step %llu%s:%.*s", step, name, (int)n, rest);
}
