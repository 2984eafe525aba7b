#include "tape/sites/site_colours.h"

#include "base/memory.h"

#include <string.h>

/* The search stops after FIRST visits to neighbours, and LOOKS more per site. */
enum { FIRST = 1 << 22, LOOKS = 512 };

/* The search: sites[first[t]] to sites[first[t + 1] - 1] are the sites that term
 * t reads. */
typedef struct search {
    size_t dim, n_sites, n_terms;
    size_t *first;    /* [n_terms + 1] */
    uint32_t *sites;  /* sites of the terms */
    uint32_t *colour; /* [dim] */
    uint32_t *taken;  /* [dim + 1] the last site, plus 1, for which a colour was
                          taken */
    uint32_t *range;  /* [dim] number of the range of a site */
    size_t n_colours; /* colours so far */
} search;

static bool is_site(const cs_sparsity *c, uint32_t d)
{
    return !c->g->n_ranges || cs_graph_range_of(c->g, d);
}

static size_t terms_of(const cs_sparsity *c, uint32_t d)
{
    return is_site(c, d) ? c->of[d].n : 0;
}

/* Lists the sites of each term. Returns false if out of memory. */
static bool list_sites(const cs_sparsity *c, search *s)
{
    size_t all = 0;
    for (uint32_t d = 0; d < s->dim; d++) {
        const uint32_t *term = c->of[d].item;
        for (size_t i = 0; i < terms_of(c, d); i++)
            s->first[term[i] + 1]++;
        all += terms_of(c, d);
    }
    for (size_t t = 0; t < s->n_terms; t++)
        s->first[t + 1] += s->first[t];
    s->sites = cs_alloc(all + 1, sizeof *s->sites);
    size_t *next = cs_alloc(s->n_terms + 1, sizeof *next);
    bool good = s->sites && next;
    if (good)
        memcpy(next, s->first, s->n_terms * sizeof *next);
    for (uint32_t d = 0; good && d < s->dim; d++) {
        const uint32_t *term = c->of[d].item;
        for (size_t i = 0; i < terms_of(c, d); i++)
            s->sites[next[term[i]]++] = d;
    }
    cs_free(next);
    return good;
}

/* Numbers the ranges of the sites: two sites have the same number if they have
 * the same values. */
static void number_ranges(const cs_sparsity *c, search *s)
{
    const cs_graph_range *r = c->g->ranges;
    for (uint32_t d = 0; c->g->n_ranges && d < s->dim; d++) {
        const cs_graph_range *mine = cs_graph_range_of(c->g, d);
        uint32_t k = 0;
        while (mine && (r[k].low != mine->low || r[k].values != mine->values))
            k++;
        s->range[d] = k;
    }
}

/* Gives site d the first colour that no earlier neighbour has. Returns the
 * number of looks at neighbours. */
static size_t colour_site(const cs_sparsity *c, search *s, uint32_t d)
{
    const uint32_t *term = c->of[d].item;
    size_t looks = 0;
    for (size_t i = 0; i < c->of[d].n; i++)
        for (size_t k = s->first[term[i]];
             k < s->first[term[i] + 1] && s->sites[k] < d; k++) {
            s->taken[s->colour[s->sites[k]]] = d + 1;
            looks++;
        }
    uint32_t free = 0;
    while (s->taken[free] == d + 1)
        free++;
    s->colour[d] = free;
    if (free + 1 > s->n_colours)
        s->n_colours = free + 1;
    return looks;
}

/* Counts the sites of each pair of a colour and a range in end[], and lists
 * them. */
static void list_colours(const cs_sparsity *c, const search *s, size_t *end,
                         cs_site_colours *out)
{
    size_t ranges = c->g->n_ranges ? c->g->n_ranges : 1;
    size_t groups = s->n_colours * ranges, before = 0;
    for (uint32_t d = 0; d < s->dim; d++)
        if (is_site(c, d))
            end[s->colour[d] * ranges + s->range[d]]++;
    for (size_t k = 0; k < groups; k++) {
        size_t n = end[k];
        end[k] = before;
        before += n;
        if (n)
            out->end[out->n++] = before;
    }
    for (uint32_t d = 0; d < s->dim; d++)
        if (is_site(c, d))
            out->site[end[s->colour[d] * ranges + s->range[d]]++] = d;
}

static void close_search(search *s)
{
    CS_FREE_ALL(s->first, s->sites, s->colour, s->taken, s->range);
}

static bool open_search(const cs_sparsity *c, search *s)
{
    s->dim = c->g->dim;
    s->n_terms = c->terms.n;
    s->first = cs_alloc(s->n_terms + 2, sizeof *s->first);
    s->colour = cs_alloc(s->dim, sizeof *s->colour);
    s->taken = cs_alloc(s->dim + 1, sizeof *s->taken);
    s->range = cs_alloc(s->dim, sizeof *s->range);
    return s->first && s->colour && s->taken && s->range && list_sites(c, s);
}

/* Returns false if finding the colours would take too long. */
static bool colour_all(const cs_sparsity *c, search *s)
{
    size_t left = FIRST;
    bool good = true;
    for (uint32_t d = 0; good && d < s->dim; d++) {
        if (!is_site(c, d))
            continue;
        s->n_sites++;
        left += LOOKS;
        size_t looks = colour_site(c, s, d);
        good = looks < left;
        left -= good ? looks : 0;
    }
    return good;
}

bool cs_site_colours_find(const cs_sparsity *c, cs_site_colours *out)
{
    search s = {.dim = 0};
    bool good = open_search(c, &s);
    *out = (cs_site_colours){.n = 0};
    if (good && colour_all(c, &s)) {
        size_t ranges = c->g->n_ranges ? c->g->n_ranges : 1;
        size_t *end = cs_alloc(s.n_colours * ranges + 1, sizeof *end);
        number_ranges(c, &s);
        out->site = cs_alloc(s.n_sites + 1, sizeof *out->site);
        out->end = cs_alloc(s.n_colours * ranges + 1, sizeof *out->end);
        good = end && out->site && out->end;
        if (good)
            list_colours(c, &s, end, out);
        cs_free(end);
    }
    close_search(&s);
    return good;
}

void cs_site_colours_free(cs_site_colours *k)
{
    CS_FREE_ALL(k->site, k->end);
    *k = (cs_site_colours){.n = 0};
}
