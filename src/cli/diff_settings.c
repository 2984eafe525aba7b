/* What two runs were made of: lines "NAME = VALUE", and the changes on the way. */
#include "cli/diff_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t key_of(const char *line)
{
    const char *end = strstr(line, " = ");
    size_t n = strcspn(line, "\n");
    return end && (size_t)(end - line) < n ? (size_t)(end - line) : n;
}

/* The value of that key in a text of lines, *n bytes; NULL: it has none. */
static const char *value_of(const char *text, const char *key, size_t size,
                            size_t *n)
{
    for (const char *at = text; at && *at;
         at += strcspn(at, "\n"), at += *at == '\n') {
        size_t k = key_of(at);
        if (k != size || strncmp(at, key, k) != 0)
            continue;
        at += k + (at[k] == ' ' ? strlen(" = ") : 0);
        *n = strcspn(at, "\n");
        return at;
    }
    return NULL;
}

static void copy(char *to, size_t size, const char *from, size_t n)
{
    snprintf(to, size, "%.*s", from ? (int)(n < size ? n : size - 1) : 1,
             from ? from : "-");
}

/* Of the keys of run `of` those that the other has otherwise, or not at all
 * (`lacks`: only these). */
static size_t walk_settings(const cs_diff_pair *d, size_t of, bool lacks,
                            cs_diff_each_setting *each, cs_page *p)
{
    const char *mine = d->run[of].made_of.text;
    const char *other = d->run[!of].made_of.text;
    size_t found = 0;
    for (const char *at = mine; at && *at;
         at += strcspn(at, "\n"), at += *at == '\n') {
        size_t k = key_of(at), n = 0, m = 0;
        char key[200], value[2][300];
        const char *here = value_of(mine, at, k, &n);
        const char *there = value_of(other ? other : "", at, k, &m);
        bool differs =
            !there || (!lacks && (n != m || strncmp(here, there, n)));
        if (!differs || (lacks && there))
            continue;
        found++;
        copy(key, sizeof key, at, k);
        copy(value[of], sizeof value[of], here, n);
        copy(value[!of], sizeof value[!of], there, m);
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
    return walk_settings(d, 0, false, each, p) +
           walk_settings(d, 1, true, each, p);
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
