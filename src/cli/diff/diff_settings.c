/* Compares the settings of two runs, as lines "NAME = VALUE", and the changes
 * made during the runs. */
#include "base/memory.h"
#include "cli/diff/diff_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A setting: a line with key and value. */
typedef struct setting {
    const char *key, *value;
    size_t n_key, n_value;
} setting;

/* A setting that differs between the runs. */
typedef struct change {
    const char *key, *value[2];
} change;

/* The settings of a run, sorted by key. */
typedef struct settings {
    setting *row; /* [n] the settings [own] */
    size_t n;
} settings;

/* Reads the setting in the line at `at`; returns the start of the next line. */
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

/* Compares settings by key; settings with equal keys keep their order. */
static int by_key(const void *a, const void *b)
{
    const setting *x = a, *y = b;
    int order = compare_keys(x, y);
    return order ? order : (x->key > y->key) - (x->key < y->key);
}

/* Reads and sorts the settings in the text. Returns false if memory runs
 * out. */
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

/* Returns the first setting with that key, or NULL. */
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
    const char *text = d->run[of].provenance.text;
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

/* Returns true if both runs are draws that were read from files. */
static bool are_files(const cs_diff_pair *d)
{
    static const char kind[] = "target: kind = recorded\n";
    return strstr(text_of(d, 0), kind) && strstr(text_of(d, 1), kind);
}

/* Returns true for a setting that follows from the names of the files and their
 * columns. */
static bool is_derived(const setting *s)
{
    static const char *const keys[] = {"probe", "target: name"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(s->key, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

/* Adds keys of run number `of`, in the order of the lines: keys that are
 * missing in the other run, and keys that have another value there. With
 * `lacks`, adds only the keys that are missing. */
static void add_settings(const cs_diff_pair *d, size_t of,
                         const settings *sorted, bool lacks, cs_cells *t)
{
    setting line;
    const bool files = are_files(d);
    for (const char *at = text_of(d, of); *at;) {
        char key[200], value[2][300];
        at = read_setting(at, &line);
        if (files && is_derived(&line))
            continue;
        const setting *here = find_setting(&sorted[of], &line);
        const setting *there = find_setting(&sorted[!of], &line);
        if (there && (lacks || is_same_value(here, there)))
            continue;
        copy(key, sizeof key, line.key, line.n_key);
        copy(value[of], sizeof value[of], here->value, here->n_value);
        copy(value[!of], sizeof value[!of], there ? there->value : NULL,
             there ? there->n_value : 0);
        cs_cells_add(t, &(change){key, {value[0], value[1]}});
    }
}

bool cs_diff_knows_settings(const cs_diff_pair *d)
{
    return d->run[0].provenance.text && d->run[1].provenance.text &&
           d->journal[0] == d->journal[1];
}

const char *cs_diff_why_unknown(const cs_diff_pair *d)
{
    return d->journal[0] != d->journal[1]
               ? "Not compared: a journal does not record the settings."
               : "Unknown: one run was written by an older chainscope.";
}

const char cs_diff_without_draws[] =
    "Not compared: a journal has no draws. Reproduce the run of a recording "
    "with chainscope run FILE.cast --out FOLDER.";

cs_cells cs_diff_settings(const cs_diff_pair *d)
{
    static const cs_column columns[] = {
        CS_COLUMN("setting", "name", WORDS, 0, CS_AT(change, key)),
        CS_COLUMN("first", "first", WORDS, 0, CS_AT(change, value[0])),
        CS_COLUMN("second", "second", WORDS, 0, CS_AT(change, value[1])),
    };
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    settings sorted[2] = {{0}, {0}};
    if (!cs_diff_knows_settings(d))
        return t;
    if (sort_settings(text_of(d, 0), &sorted[0]) &&
        sort_settings(text_of(d, 1), &sorted[1])) {
        add_settings(d, 0, sorted, false, &t);
        add_settings(d, 1, sorted, true, &t);
    } else {
        t.full = true; /* memory ran out */
    }
    cs_free(sorted[0].row);
    cs_free(sorted[1].row);
    return t;
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
