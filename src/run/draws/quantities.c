#include "run/draws/quantities.h"

#include "base/memory.h"
#include "run/draws/chosen.h"
#include "run/draws/diagnosed.h"
#include "run/draws/quantity_rows.h"

#include <stdio.h>
#include <string.h>

/* The kinds of requests, and the number of quantities in a request of each
 * kind. */
static const struct {
    const char *name;
    size_t least, most;
    bool exact; /* the report uses exact answers */
    cs_quantity_report *report;
} kinds[] = {
    {"marginal", 1, 1, true, cs_report_marginal},
    {"autocorrelation", 1, 1, false, cs_report_autocorrelation},
    {"ranks", 1, 1, false, cs_report_ranks},
    {"running", 1, 1, true, cs_report_running},
    {"pairs", 2, CS_QUANTITY_MOST, false, cs_report_pairs},
    {"series", 1, 1, false, cs_report_series},
};
enum { KINDS = sizeof kinds / sizeof *kinds, NAME = 64 };

static const char unknown[] = "the target has no such coordinate";
static const char too_few[] = "at least two coordinates are needed";
static const char not_kept[] =
    "the draws of this coordinate did not fit in memory";
static const char no_draws[] = "there are no draws yet";
static const char no_logp[] = "the kernel has no log p";
static const char no_memory[] = "out of memory";

/* ---- requests ---- */

/* Returns the scalar with a name; SIZE_MAX: none. */
static size_t find_scalar(const cs_target *t, const char *name)
{
    char other[NAME];
    if (strcmp(name, "energy") == 0)
        return 0;
    for (size_t i = 0; i < cs_target_shown(t); i++) {
        cs_target_coordinate(t, i, other, NAME);
        if (strcmp(name, other) == 0)
            return i + 1;
    }
    return SIZE_MAX;
}

static void read_names(const cs_target *t, const char *names, cs_quantity *q)
{
    while (*names && q->n < kinds[q->kind].most) {
        char name[NAME];
        size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        q->scalar[q->n] = find_scalar(t, name);
        if (q->scalar[q->n++] == SIZE_MAX)
            q->why = unknown;
        names += length + (names[length] == ',');
    }
    if (q->n < kinds[q->kind].least && !q->why)
        q->why = too_few;
}

static void read_word(cs_quantities *w, const cs_target *t, const char *word,
                      size_t length)
{
    cs_quantity q = {.kind = 0};
    const char *equals = memchr(word, '=', length);
    if (!equals || length >= sizeof q.word || w->n == CS_QUANTITIES)
        return;
    size_t name = (size_t)(equals - word);
    while (q.kind < KINDS && (strlen(kinds[q.kind].name) != name ||
                              strncmp(kinds[q.kind].name, word, name) != 0))
        q.kind++;
    if (q.kind == KINDS)
        return;
    memcpy(q.word, word, length);
    char names[CS_QUANTITY_WORD];
    snprintf(names, sizeof names, "%s", q.word + name + 1);
    char *part = strchr(names, '@');
    if (part && sscanf(part, "@%15llu..%15llu", &q.from, &q.to) == 2)
        *part = 0;
    read_names(t, names, &q);
    w->one[w->n++] = q;
}

static void forget(cs_quantities *w)
{
    for (size_t i = 0; i < w->n_truth; i++)
        cs_free(w->truth[i].marginal.cut);
    w->n_truth = w->sought = 0;
}

bool cs_quantities_read(cs_quantities *w, const cs_target *t, const char *words)
{
    if (strncmp(w->words, words, sizeof w->words - 1) == 0)
        return false;
    snprintf(w->words, sizeof w->words, "%s", words);
    forget(w);
    w->number++;
    w->n = 0;
    for (const char *at = w->words; *at; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        read_word(w, t, at, length);
        at += length;
    }
    return true;
}

void cs_quantities_free(cs_quantities *w)
{
    forget(w);
}

/* ---- exact answers ---- */

static const cs_marginal *truth_of(const cs_quantities *w, size_t scalar)
{
    for (size_t i = 0; i < w->n_truth; i++)
        if (w->truth[i].scalar == scalar)
            return &w->truth[i].marginal;
    return NULL;
}

bool cs_quantities_settle(cs_quantities *w, const cs_target *t)
{
    while (w->sought < w->n) {
        const cs_quantity *q = &w->one[w->sought++];
        if (q->why || !kinds[q->kind].exact || truth_of(w, q->scalar[0]))
            continue;
        w->number++; /* marks the reports without this answer as outdated */
        w->truth[w->n_truth++] =
            (cs_quantity_truth){q->scalar[0], cs_marginal_of(t, q->scalar[0])};
        return true;
    }
    return false;
}

/* ---- draws ---- */

size_t cs_quantities_columns(const cs_quantities *w, size_t there,
                             size_t out[CS_QUANTITIES * CS_QUANTITY_MOST])
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->one[i].n && !w->one[i].why; k++) {
            size_t scalar = w->one[i].scalar[k], at = 0;
            if (scalar == 0 || scalar > there)
                continue;
            while (at < n && out[at] < scalar - 1)
                at++;
            if (at < n && out[at] == scalar - 1)
                continue;
            memmove(out + at + 1, out + at, (n - at) * sizeof *out);
            out[at] = scalar - 1;
            n++;
        }
    return n;
}

/* Returns the index of scalar k of a target in a view of some columns. If the
 * view does not have scalar k, returns SIZE_MAX. */
static size_t scalar_in(size_t scalar, const size_t *column, size_t columns)
{
    size_t at = 0;
    if (scalar == 0)
        return 0;
    while (at < columns && column[at] != scalar - 1)
        at++;
    return at < columns ? at + 1 : SIZE_MAX;
}

/* Copies the draws of all quantities to `scratch`. If this fails, returns the
 * reason; otherwise returns NULL. */
static const char *gather(const cs_chosen *g, const cs_quantity *q,
                          const size_t *column, size_t columns, double *scratch)
{
    size_t all = g->n * g->draws;
    for (size_t k = 0; k < q->n; k++) {
        size_t at = scalar_in(q->scalar[k], column, columns);
        if (at == SIZE_MAX)
            return not_kept;
        if (at == 0 && g->view->logp == CS_LOGP_NONE)
            return no_logp;
        cs_chosen_copy(g, at, scratch + k * all);
        for (size_t i = 0; at == 0 && i < all; i++)
            scratch[k * all + i] = -scratch[k * all + i];
    }
    return NULL;
}

static const char *report_one(const cs_chosen *g, const cs_quantities *w,
                              const cs_quantity *q, const size_t *column,
                              size_t columns, const char *prefix, cs_flat *out)
{
    size_t all = g->n * g->draws;
    if (q->why || g->why)
        return q->why ? q->why : g->why;
    if (g->draws < 8)
        return no_draws;
    double *scratch = cs_alloc(q->n * all, sizeof *scratch);
    const char *why =
        scratch ? gather(g, q, column, columns, scratch) : no_memory;
    const cs_marginal *truth = truth_of(w, q->scalar[0]);
    cs_quantity_draws d = {.chosen = g,
                           .scalar = q->scalar,
                           .n = q->n,
                           .from = q->from,
                           .to = q->to,
                           .truth = truth && truth->n ? truth : NULL,
                           .prefix = prefix,
                           .out = out};
    for (size_t k = 0; k < q->n; k++)
        d.x[k] = scratch + k * all;
    if (!why && !kinds[q->kind].report(&d))
        why = no_memory;
    cs_free(scratch);
    return why;
}

void cs_quantities_report(const cs_quantities *w, const cs_target *t,
                          cs_diagnosed_view *v, const size_t *column,
                          size_t columns, const char *prefix, cs_flat *out)
{
    cs_chosen g = cs_choose(t, v);
    cs_chosen_weigh(&g);
    cs_flat_number(out, (double)g.draws, "%sn", prefix);
    cs_flat_number(out, (double)v->every, "%severy", prefix);
    cs_flat_number(out, (double)v->missing, "%smissing", prefix);
    cs_flat_number(out, g.w != NULL, "%sweighed", prefix);
    size_t shown = g.n < CS_QUANTITY_CHAINS ? g.n : CS_QUANTITY_CHAINS;
    double *chain = cs_flat_array(out, 1, shown, "%schains", prefix);
    for (size_t c = 0; chain && c < shown; c++)
        chain[c] = (double)v->chain[c].number;
    for (size_t i = 0; i < w->n; i++) {
        char own[CS_FLAT_KEY];
        snprintf(own, sizeof own, "%s%zu/", prefix, i);
        cs_flat_text(out, w->one[i].word, "%swhat", own);
        const char *why =
            report_one(&g, w, &w->one[i], column, columns, own, out);
        cs_flat_text(out, why ? why : "", "%swhy", own);
    }
    cs_free(g.w);
}
