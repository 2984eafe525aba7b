/* Computes the probability q_i(v) that a proposal sets site i to the value v.
 * Let
 *
 *     L(i,v) = log q(x with x_i = v | x).
 *
 * If log q is a sum over sites, q_i(v) = e^L(i,v) / sum_w e^L(i,w). If the
 * proposal always changes exactly one site, q_i(v) = e^L(i,v). */
#include "run/preview/site_odds.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SITES = 64, MOST_ASKED = 512, LANES = 8 };

/* A block in which every lane has the state that the chain had before its
 * step. */
typedef struct asker {
    cs_block *f;
    size_t dim, aux, values;
    double low;
    /* from and to [dim + aux][lanes]: states before and after a step; out
     * [lanes]: log q of each step */
    double *from, *to, *out;
    bool odd; /* some log q is NaN */
} asker;

static bool open_asker(asker *w, const cs_block *before, const cs_block *b,
                       size_t aux)
{
    const cs_space *s = &before->target->space;
    double *words = cs_alloc(before->slab_words, sizeof *words);
    *w = (asker){
        .dim = s->dim, .aux = aux, .values = (size_t)s->values, .low = s->low};
    if (words && cs_block_create(&w->f, before->target, before->kernel, 0, 0,
                                 LANES, NULL, 0, NULL) == CS_OK) {
        cs_block *f = w->f;
        cs_block_save_lane(before, 0, words);
        for (size_t l = 0; l < f->live; l++)
            cs_block_load_lane(f, l, words);
        cs_block_set_metric(f, before->move.metric);
        for (size_t k = 0; k < before->kernel->type->n_params; k++)
            for (size_t l = 0; l < f->lanes; l++)
                f->param[k * f->lanes + l] = b->param[k * b->lanes];
        w->from =
            cs_alloc((2 * (w->dim + aux) + 1) * f->lanes, sizeof *w->from);
        w->to = w->from ? w->from + (w->dim + aux) * f->lanes : NULL;
        w->out = w->from ? w->to + (w->dim + aux) * f->lanes : NULL;
    }
    cs_free(words);
    return w->from != NULL;
}

static void close_asker(asker *w)
{
    cs_block_destroy(w->f);
    cs_free(w->from);
}

/* Fills all lanes of `to` with x and the auxiliary variables of `aux`. */
static void fill(const asker *w, const double *x, const double *aux, double *to)
{
    for (size_t d = 0; d < w->dim + w->aux; d++)
        for (size_t l = 0; l < w->f->lanes; l++)
            to[d * w->f->lanes + l] = d < w->dim ? x[d] : aux[d];
}

/* ---- choice of sites ----------------------------------------------------- */

/* Computes, for each site and each value, the change of log p when the site is
 * set to that value. Uses the gradient if the target has one, and returns true.
 * Otherwise uses differences of log p, one for each value (for binary sites,
 * one for each site), and returns false. */
static bool find_gains(asker *w, const double *x, double *gain)
{
    cs_eval *e = &w->f->eval;
    size_t n = w->f->lanes, v = w->values;
    double *known = cs_alloc(w->dim * v * n, sizeof *known);
    bool gradient = w->f->target->type->gradient;
    bool bits = w->f->target->space.kind == CS_BINARY;
    if (!known)
        return gradient;
    fill(w, x, x, w->from);
    if (gradient) {
        cs_eval_gradient(e, CS_NEXT, w->from, w->out, known);
    } else {
        cs_eval_one_hot(e, CS_NEXT, w->from, w->out, known);
    }
    for (size_t i = 0; i < w->dim * v; i++) {
        double by = w->low + (double)(i % v) - x[i / v];
        size_t row = gradient || bits ? i / v : i;
        gain[i] = by == 0 ? 0 : known[row * n] * (gradient ? by : 1) + 0.0;
    }
    cs_free(known);
    return gradient;
}

/* Returns the largest change of log p when a site is set to another value. */
static double best_of(const asker *w, const double *x, const double *gain,
                      size_t i)
{
    double best = -HUGE_VAL;
    for (size_t v = 0; v < w->values; v++)
        if (w->low + (double)v != x[i])
            best = fmax(best, gain[i * w->values + v]);
    return best;
}

typedef struct ranked {
    double score;
    size_t site;
} ranked;

static int by_score(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    return p->score != q->score ? (p->score < q->score) - (p->score > q->score)
                                : (p->site > q->site) - (p->site < q->site);
}

/* Chooses the sites to evaluate: first the sites that change, then the other
 * sites with the highest probabilities. Returns the number of chosen sites. */
static size_t choose(const asker *w, const cs_step_ends *q, const double *gain,
                     ranked *site)
{
    size_t changed = 0, most = MOST_ASKED / (w->values - 1);
    for (size_t i = 0; i < w->dim; i++) {
        bool moves = q->x[i] != q->y[i];
        changed += moves;
        site[i] = (ranked){moves ? HUGE_VAL : best_of(w, q->x, gain, i), i};
    }
    qsort(site, w->dim, sizeof *site, by_score);
    most = most < MOST_SITES ? most : MOST_SITES;
    most = most > changed ? most : changed;
    return most < w->dim ? most : w->dim;
}

/* ---- log q --------------------------------------------------------------- */

/* Computes L at the state x for n sites, l[n][values], and *stays = log q(x |
 * x). In the step, the auxiliary variables change from the values stored after
 * x to the values stored after `next`. */
static void ask(asker *w, const double *x, const double *next,
                const ranked *site, size_t n, double *l, double *stays)
{
    const cs_block *f = w->f;
    size_t lanes = f->lanes, all = n * w->values;
    fill(w, x, x, w->from);
    for (size_t at = 0; at < all; at += f->live) {
        fill(w, x, next, w->to);
        for (size_t k = 0; k < f->live && at + k < all; k++)
            w->to[site[(at + k) / w->values].site * lanes + k] =
                w->low + (double)((at + k) % w->values);
        f->kernel->type->log_q(&w->f->move, w->from, w->to, w->out);
        for (size_t k = 0; k < f->live && at + k < all; k++) {
            l[at + k] = w->out[k];
            w->odd |= isnan(w->out[k]);
            if (x[site[(at + k) / w->values].site] ==
                w->low + (double)((at + k) % w->values))
                *stays = w->out[k];
        }
    }
}

/* Converts L to probabilities. `one` is true if the proposal always changes
 * exactly one site. */
static void normalise(const asker *w, size_t n, bool one, double *l)
{
    for (size_t i = 0; i < n; i++) {
        double *row = l + i * w->values, top = -HUGE_VAL, sum = 0;
        for (size_t v = 0; v < w->values; v++)
            top = fmax(top, row[v]);
        for (size_t v = 0; v < w->values; v++)
            sum += row[v] = exp(row[v] - (one ? 0 : top));
        for (size_t v = 0; v < w->values && !one; v++)
            row[v] /= sum;
    }
}

/* ---- the table ----------------------------------------------------------- */

/* Makes the row of a site from p[values], the probabilities at the state, and
 * back[values], the probabilities at the proposal. */
static cs_site_odds row_of(const asker *w, const cs_step_ends *q, size_t i,
                           bool one, const double *p, const double *back)
{
    cs_site_odds s = {.site = (double)i,
                      .now = q->x[i],
                      .proposed = q->y[i],
                      .value = q->x[i]};
    bool moves = q->x[i] != q->y[i];
    double leaves_there = 0;
    for (size_t v = 0; v < w->values; v++) {
        double value = w->low + (double)v;
        if (value != q->x[i]) {
            s.leaves += p[v];
            s.value = p[v] > s.to_value || s.to_value == 0 ? value : s.value;
            s.to_value = fmax(s.to_value, p[v]);
        }
        leaves_there += value != q->y[i] ? back[v] : 0;
        s.there += value == q->y[i] ? p[v] : 0;
        s.back += value == q->x[i] ? back[v] : 0;
    }
    if (one && !moves) {
        s.there = s.leaves;
        s.back = leaves_there;
    }
    return s;
}

/* Orders the sites: first the sites that will change, then the others by
 * decreasing probability. */
static int by_odds(const void *a, const void *b)
{
    const cs_site_odds *p = a, *q = b;
    bool moves = p->now != p->proposed, other = q->now != q->proposed;
    if (moves != other)
        return moves ? -1 : 1;
    return p->leaves != q->leaves
               ? (p->leaves < q->leaves) - (p->leaves > q->leaves)
               : (p->site > q->site) - (p->site < q->site);
}

/* Computes the table. `scratch` has space for three arrays: the gains, L at the
 * state, and L at the proposal. */
static cs_site_odds *table(asker *w, const cs_step_ends *q, ranked *site,
                           double *scratch, cs_proposal_odds *odds)
{
    double *gain = scratch, *l = gain + w->dim * w->values;
    double stays = -HUGE_VAL, stays_there = -HUGE_VAL;
    odds->gradient = find_gains(w, q->x, gain);
    size_t n = choose(w, q, gain, site);
    double *back = l + n * w->values;
    cs_site_odds *rows = cs_alloc(n, sizeof *rows);
    if (!rows)
        return NULL;
    ask(w, q->x, q->y, site, n, l, &stays);
    ask(w, q->y, q->x, site, n, back, &stays_there);
    bool one = stays == -HUGE_VAL;
    normalise(w, n, one, l);
    normalise(w, n, one, back);
    for (size_t k = 0; k < n; k++) {
        size_t i = site[k].site;
        rows[k] = row_of(w, q, i, one, l + k * w->values, back + k * w->values);
        rows[k].change = gain[i * w->values + (size_t)(rows[k].value - w->low)];
    }
    qsort(rows, n, sizeof *rows, by_odds);
    odds->sites = (double)w->dim;
    odds->known = (double)n;
    odds->one = one;
    if (w->odd) {
        cs_free(rows);
        rows = NULL;
    }
    return rows;
}

cs_site_odds *cs_site_odds_find(const cs_block *before, const cs_block *b,
                                const cs_step_ends *q, cs_proposal_odds *odds)
{
    asker w;
    cs_site_odds *rows = NULL;
    size_t n = before->target->space.dim,
           values = (size_t)before->target->space.values;
    *odds = (cs_proposal_odds){0};
    if (!before->kernel->type->log_q || values < 2)
        return NULL;
    ranked *site = cs_alloc(n, sizeof *site);
    double *scratch = cs_alloc(3 * n * values, sizeof *scratch);
    if (open_asker(&w, before, b, q->aux) && site && scratch)
        rows = table(&w, q, site, scratch, odds);
    if (!rows)
        *odds = (cs_proposal_odds){0};
    close_asker(&w);
    cs_free(site);
    cs_free(scratch);
    return rows;
}
