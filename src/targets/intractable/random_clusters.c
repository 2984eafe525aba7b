/* Draws Potts models by random clusters (Fortuin and Kasteleyn 1972). Sets of
 * open bonds have the distribution
 *
 *     P(bonds) ~ p^open (1 - p)^closed colours^clusters,  p = 1 - exp(-theta_1)
 *
 * The sites of a cluster, which are connected by open bonds, get one uniformly
 * drawn colour; y then has the Potts distribution. Given the other bonds, a
 * bond is open with probability p if its ends are connected without this bond,
 * and otherwise with the smaller probability p / (p + (1 - p) colours).
 * Therefore the map is monotone, and the chains that start with all bonds
 * closed and with all bonds open bound all others (Propp and Wilson 1996,
 * section 4). If the uniform is between the two probabilities, a search
 * determines whether the ends are connected; otherwise the result does not
 * depend on whether they are. The search expands a site of one end and a site
 * of the other in turn, until the two sides meet or one side has no more
 * sites. */
#include "targets/intractable/potts_field.h"

#include <math.h>
#include <string.h>

/* The memory of one lane; lanes do not share vectors. */
typedef struct bonds {
    double *chance;     /* [2] probability that a bond is open: [0] if its
                         * ends are not connected by other bonds, [1] if they
                         * are */
    uint8_t *state[2];  /* [edges] low and high state of the bonds */
    uint32_t *mark;     /* [sites] mark of the last search that reached the
                           site */
    uint32_t *queue[2]; /* [sites] queues of a search, one per end */
    uint32_t *label;    /* [sites] first site of the site's cluster */
    uint32_t *colour;   /* [sites] colour of the site's cluster */
    uint32_t *searches; /* [1] number of searches so far */
} bonds;

static size_t words(const void *model)
{
    const cs_site_graph *g = ((const cs_potts_field *)model)->graph;
    size_t bytes = 2 * g->edges + (5 * g->sites + 1) * sizeof(uint32_t);
    return 2 + (bytes + sizeof(double) - 1) / sizeof(double);
}

static bonds bonds_of(const cs_past_block *b, size_t l)
{
    const cs_site_graph *g = ((const cs_potts_field *)b->model)->graph;
    double *at = b->memory + l * words(b->model);
    uint32_t *number = (uint32_t *)(void *)(at + 2);
    uint8_t *byte = (uint8_t *)(number + 5 * g->sites + 1);
    return (bonds){.chance = at,
                   .mark = number,
                   .queue = {number + g->sites, number + 2 * g->sites},
                   .label = number + 3 * g->sites,
                   .colour = number + 4 * g->sites,
                   .searches = number + 5 * g->sites,
                   .state = {byte, byte + g->edges}};
}

static size_t rows(const void *model)
{
    return ((const cs_potts_field *)model)->graph->edges;
}

static void begin(const cs_past_block *b)
{
    const cs_potts_field *f = b->model;
    for (size_t l = 0; l < b->live; l++) {
        double *chance = bonds_of(b, l).chance, k = f->scale * b->theta[l];
        double closed = exp(-k);
        chance[1] = -expm1(-k);
        chance[0] = chance[1] / (chance[1] + closed * (double)f->colours);
    }
}

static void forget(const cs_past_block *b)
{
    const cs_site_graph *g = ((const cs_potts_field *)b->model)->graph;
    for (size_t l = 0; l < b->live; l++) {
        bonds s = bonds_of(b, l);
        memset(s.state[0], 0, g->edges);
        memset(s.state[1], 1, g->edges);
        memset(s.mark, 0, g->sites * sizeof *s.mark);
        *s.searches = 0;
    }
}

/* ---- search for a connection --------------------------------------------- */

typedef struct search {
    const cs_site_graph *g;
    const bonds *s;
    const uint8_t *open;
    uint32_t mark[2]; /* for each end, the mark of the sites reached from it */
    size_t next[2], end[2];
} search;

static void reach(search *h, int side, uint32_t site)
{
    h->s->mark[site] = h->mark[side];
    h->s->queue[side][h->end[side]++] = site;
}

/* Expands one site of a side; returns whether the two sides meet. */
static bool meets(search *h, int side)
{
    uint32_t i = h->s->queue[side][h->next[side]++];
    for (size_t k = h->g->start[i]; k < h->g->start[i + 1]; k++) {
        uint32_t j = h->g->other[k];
        if (!h->open[h->g->edge[k]] || h->s->mark[j] == h->mark[side])
            continue;
        if (h->s->mark[j] == h->mark[1 - side])
            return true;
        reach(h, side, j);
    }
    return false;
}

static bool connected(const cs_site_graph *g, const bonds *s,
                      const uint8_t *open, const uint32_t end[2])
{
    search h = {.g = g, .s = s, .open = open};
    if (*s->searches >= UINT32_MAX - 2) {
        memset(s->mark, 0, g->sites * sizeof *s->mark);
        *s->searches = 0;
    }
    h.mark[0] = ++*s->searches;
    h.mark[1] = ++*s->searches;
    reach(&h, 0, end[0]);
    reach(&h, 1, end[1]);
    for (int side = 0; h.next[side] < h.end[side]; side = 1 - side)
        if (meets(&h, side))
            return true;
    return false;
}

/* ---- chains -------------------------------------------------------------- */

static void update_bond(const cs_site_graph *g, const bonds *s, size_t e,
                        double u)
{
    bool low = u < s->chance[0], high = u < s->chance[1];
    s->state[0][e] = s->state[1][e] = low;
    if (low == high)
        return;
    low = connected(g, s, s->state[0], g->end + 2 * e);
    s->state[1][e] = low || connected(g, s, s->state[1], g->end + 2 * e);
    s->state[0][e] = low;
}

static void update(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u)
{
    const cs_site_graph *g = ((const cs_potts_field *)b->model)->graph;
    for (size_t l = 0; l < b->live; l++) {
        bonds s = bonds_of(b, l);
        for (size_t k = 0; k < n; k++)
            update_bond(g, &s, back ? g->edges - 1 - (row + k) : row + k,
                        u[k * b->lanes + l]);
    }
}

static size_t left(const cs_past_block *b, size_t l)
{
    bonds s = bonds_of(b, l);
    size_t n = 0;
    for (size_t e = 0; e < rows(b->model); e++)
        n += s.state[0][e] != s.state[1][e];
    return n;
}

static uint64_t open_lanes(const cs_past_block *b)
{
    uint64_t bits = 0;
    for (size_t l = 0; l < b->live; l++) {
        bonds s = bonds_of(b, l);
        bool same = memcmp(s.state[0], s.state[1], rows(b->model)) == 0;
        bits |= (uint64_t)!same << l;
    }
    return bits;
}

/* ---- colours ------------------------------------------------------------- */

static size_t last_rows(const void *model)
{
    return ((const cs_potts_field *)model)->graph->sites;
}

/* Labels all sites of a cluster with the number of its first site, which is
 * `site`. */
static void label_cluster(const cs_site_graph *g, const bonds *s, uint32_t site)
{
    size_t next = 0, end = 0;
    s->queue[0][end++] = site;
    s->label[site] = site;
    while (next < end) {
        uint32_t i = s->queue[0][next++];
        for (size_t k = g->start[i]; k < g->start[i + 1]; k++) {
            uint32_t j = g->other[k];
            if (!s->state[0][g->edge[k]] || s->label[j] != UINT32_MAX)
                continue;
            s->label[j] = site;
            s->queue[0][end++] = j;
        }
    }
}

static void label_clusters(const cs_site_graph *g, const bonds *s)
{
    memset(s->label, 0xff, g->sites * sizeof *s->label);
    for (uint32_t i = 0; i < g->sites; i++)
        if (s->label[i] == UINT32_MAX)
            label_cluster(g, s, i);
}

static void finish(const cs_past_block *b, size_t row, size_t n,
                   const double *u)
{
    const cs_potts_field *f = b->model;
    for (size_t l = 0; l < b->live; l++) {
        bonds s = bonds_of(b, l);
        if (row == 0)
            label_clusters(f->graph, &s);
        for (size_t i = row; i < row + n; i++) {
            double own = (double)f->colours * u[(i - row) * b->lanes + l];
            bool first = s.label[i] == i;
            s.colour[i] = first ? (uint32_t)own : s.colour[s.label[i]];
        }
    }
}

static void write(const cs_past_block *b, size_t l, double *to, size_t stride)
{
    const cs_potts_field *f = b->model;
    bonds s = bonds_of(b, l);
    for (size_t i = 0; i < f->graph->sites; i++)
        to[i * stride] = s.colour[i];
}

const cs_past_type cs_past_random_clusters = {
    .words = words,
    .rows = rows,
    .begin = begin,
    .forget = forget,
    .update = update,
    .open = open_lanes,
    .left = left,
    .write = write,
    .last_rows = last_rows,
    .finish = finish,
};
