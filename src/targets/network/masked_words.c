/* The missing words of a sentence, by a masked language model
 * (data/word_model.h). With masked positions i = 1 .. dim,
 *
 *     log p(x) = sum over i of score_i(x_i) - log sum over v of exp score_i(v),
 *     score_i(v) = u_v h_i + c_v,
 *     h_i = tanh(b + sum over d of M_d e(word at i + d)).
 *
 * Each word is scored given all other words, including the masked words. The
 * model was not trained for this distribution. The energy -log p is the energy
 * that Pynadath, Bhattacharya, Hariharan and Zhang, "Gradient-based discrete
 * sampling with automatic cyclical scheduling" (2024), section 6.3, use to fill
 * in sentences. Their model is a transformer that also reads the word that it
 * scores. In their released program the sum contains only the scores (normalise
 * = false).
 *
 * With one bit per word, one evaluation gives the slopes for all words of all
 * positions,
 *
 *     slope_iv = score_i(v) + e_v' sum over j of M_(i-j)' (1 - h_j^2) g_j,
 *     g_j = u of the word at j - sum over v of P_j(v) u_v,
 *
 * with two matrix products over all words for each position. A word at one
 * position only changes the inputs of nearby positions, so the differences of a
 * site need only those positions. */
#include "targets/network/masked_words.h"

#include "simd/matmul.h"
#include "simd/vlanes.h"
#include "simd/vmath.h"

#include <math.h>
#include <string.h>

/* Scratch rows. h: the values h_i, [dim][width]; back: their gradient, of the
 * same size; score: the scores of all words, [values]; sum, part: [width]. */
typedef struct room {
    double *h, *back, *score, *sum, *part;
} room;

static room room_of(const cs_masked_words *m, const cs_point *at)
{
    room r = {.h = at->scratch};
    r.back = r.h + m->dim * m->width * at->lanes;
    r.score = r.back + m->dim * m->width * at->lanes;
    r.sum = r.score + m->values * at->lanes;
    r.part = r.sum + m->width * at->lanes;
    return r;
}

/* ---- forward ------------------------------------------------------------- */

/* Computes h of position i, in all lanes. */
static void see(const cs_masked_words *m, const cs_point *at, size_t i,
                double *h)
{
    size_t lanes = at->lanes, width = m->width;
    const uint32_t *near = m->near + i * 2 * m->radius;
    for (size_t k = 0; k < width; k++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            cs_store(h + k * lanes + l, cs_vset(m->given[i * width + k]));
    for (size_t d = 0; d < 2 * m->radius; d++) {
        if (near[d] == CS_MASKED_NONE)
            continue;
        const double *x = at->x + near[d] * lanes;
        for (size_t l = 0; l < lanes; l++) {
            const double *e = m->moved + (d * m->values + (size_t)x[l]) * width;
            for (size_t k = 0; k < width; k++)
                h[k * lanes + l] += e[k];
        }
    }
    for (size_t k = 0; k < width * lanes; k += CS_VECTOR)
        cs_store(h + k, cs_vtanh(cs_load(h + k)));
}

/* Computes score[values][lanes], the scores of all words at a position. */
static void score_all(const cs_masked_words *m, const double *h, size_t lanes,
                      double *score)
{
    cs_matmul(m->u, m->values, m->width, m->width, h, lanes, score);
    for (size_t v = 0; v < m->values; v++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            *(cs_vd *)(score + v * lanes + l) += m->c[v];
}

/* Adds the score of the current word of the position to logp. */
static void add_own(const cs_masked_words *m, const double *x, const double *h,
                    size_t lanes, double *logp)
{
    for (size_t l = 0; l < lanes; l++) {
        size_t v = (size_t)x[l];
        double sum = 0;
        for (size_t k = 0; k < m->width; k++)
            sum = __builtin_fma(m->u[v * m->width + k], h[k * lanes + l], sum);
        logp[l] += sum + m->c[v];
    }
}

/* Subtracts log sum exp score from logp. If p is not NULL, also fills p with
 * the softmax of the scores. */
static void normalise(const cs_masked_words *m, const double *score,
                      size_t lanes, double *logp, double *p)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd top = cs_vset(-CS_VM_INF), sum = cs_vset(0);
        for (size_t k = l; k < m->values * lanes; k += lanes)
            top = cs_vmax(top, cs_load(score + k));
        for (size_t k = l; k < m->values * lanes; k += lanes) {
            cs_vd e = cs_vexp(cs_load(score + k) - top);
            if (p)
                cs_store(p + k, e);
            sum += e;
        }
        *(cs_vd *)(logp + l) -= top + cs_vlog(sum);
        for (size_t k = l; p && k < m->values * lanes; k += lanes)
            *(cs_vd *)(p + k) /= sum;
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const cs_masked_words *m = t->self;
    room r = room_of(m, at);
    memset(logp, 0, at->lanes * sizeof *logp);
    for (size_t i = 0; i < m->dim; i++) {
        see(m, at, i, r.h);
        add_own(m, at->x + i * at->lanes, r.h, at->lanes, logp);
        if (!m->normalise)
            continue;
        score_all(m, r.h, at->lanes, r.score);
        normalise(m, r.score, at->lanes, logp, NULL);
    }
}

/* ---- backward ------------------------------------------------------------ */

/* Computes back = (1 - h^2) (u of the current word - less); `less` may be
 * NULL. */
static void turn_back(const cs_masked_words *m, const double *x,
                      const double *h, const double *less, size_t lanes,
                      double *back)
{
    for (size_t k = 0; k < m->width; k++)
        for (size_t l = 0; l < lanes; l++) {
            size_t to = k * lanes + l;
            double u = m->u[(size_t)x[l] * m->width + k];
            double g = less ? u - less[to] : u;
            back[to] = (1 - h[to] * h[to]) * g;
        }
}

/* Computes h, its gradient and the scores for one position. The scores are the
 * first part of d. */
static void visit(const cs_masked_words *m, const cs_point *at, const room *r,
                  size_t i, double *logp, double *d)
{
    size_t lanes = at->lanes, own = i * m->width * lanes;
    const double *x = at->x + i * lanes;
    double *h = r->h + own;
    see(m, at, i, h);
    score_all(m, h, lanes, d);
    add_own(m, x, h, lanes, logp);
    if (m->normalise) {
        normalise(m, d, lanes, logp, r->score);
        cs_matmul(m->turned, m->width, m->values, m->values, r->score, lanes,
                  r->sum);
    }
    turn_back(m, x, h, m->normalise ? r->sum : NULL, lanes, r->back + own);
}

/* Computes the gradient with respect to the embedding of position i. The
 * gradient is a sum over the masks whose inputs contain this embedding. (If a
 * mask is at offset d from position i, position i is at offset -d from this
 * mask.) */
static void collect(const cs_masked_words *m, const room *r, size_t i,
                    size_t lanes)
{
    size_t n = m->width * lanes, offsets = 2 * m->radius;
    memset(r->sum, 0, n * sizeof *r->sum);
    for (size_t d = 0; d < offsets; d++) {
        uint32_t j = m->near[i * offsets + d];
        if (j == CS_MASKED_NONE)
            continue;
        cs_matmul(m->mix + (offsets - 1 - d) * m->width * m->width, m->width,
                  m->width, m->width, r->back + j * n, lanes, r->part);
        for (size_t k = 0; k < n; k += CS_VECTOR)
            *(cs_vd *)(r->sum + k) += cs_load(r->part + k);
    }
}

/* Adds `more` to d. Then subtracts, in each lane, the value of d at the lane's
 * current word. */
static void finish(const cs_masked_words *m, const double *x,
                   const double *more, size_t lanes, double *d)
{
    for (size_t k = 0; k < m->values * lanes; k += CS_VECTOR)
        *(cs_vd *)(d + k) += cs_load(more + k);
    for (size_t l = 0; l < lanes; l++) {
        double own = d[(size_t)x[l] * lanes + l];
        for (size_t v = 0; v < m->values; v++)
            d[v * lanes + l] -= own;
    }
}

static void one_hot(const cs_target *t, const cs_point *at, double *logp,
                    double *d)
{
    const cs_masked_words *m = t->self;
    size_t lanes = at->lanes, all = m->values * lanes;
    room r = room_of(m, at);
    double *log = logp ? logp : r.part + m->width * lanes;
    memset(log, 0, lanes * sizeof *log);
    for (size_t i = 0; i < m->dim; i++)
        visit(m, at, &r, i, log, d + i * all);
    for (size_t i = 0; i < m->dim; i++) {
        collect(m, &r, i, lanes);
        cs_matmul(m->e, m->values, m->width, m->width, r.sum, lanes, r.score);
        finish(m, at->x + i * lanes, r.score, lanes, d + i * all);
    }
}

/* ---- all words at one position ------------------------------------------- */

/* Number of words that are evaluated together, for one chain. In the arrays,
 * each word takes the place of a lane. */
enum { TRIED = CS_MASKED_TRIED };

/* Scratch. logp: log p with each word, [values]. The other arrays are for a
 * neighbouring position. rest: its other inputs, [width]; h: [width][TRIED];
 * score: the scores, [values][TRIED]; there, part: [TRIED]. */
typedef struct trial {
    double *logp, *rest, *h, *score, *there, *part;
} trial;

static trial trial_of(const cs_masked_words *m, const cs_point *at)
{
    trial r = {.logp = at->scratch};
    r.rest = r.logp + cs_pad_lanes(m->values);
    r.h = r.rest + cs_pad_lanes(m->width);
    r.score = r.h + m->width * TRIED;
    r.there = r.score + m->values * TRIED;
    r.part = r.there + TRIED;
    return r;
}

static const double *moved_by(const cs_masked_words *m, size_t d, size_t v)
{
    return m->moved + (d * m->values + v) * m->width;
}

/* Computes z[width], the input of position j in lane l. If `less` is the number
 * of an offset, leaves out the word at this offset. */
static void see_others(const cs_masked_words *m, const cs_point *at, size_t l,
                       size_t j, size_t less, double *z)
{
    memcpy(z, m->given + j * m->width, m->width * sizeof *z);
    for (size_t d = 0; d < 2 * m->radius; d++) {
        uint32_t near = m->near[j * 2 * m->radius + d];
        if (near == CS_MASKED_NONE || d == less)
            continue;
        const double *e = moved_by(m, d, (size_t)at->x[near * at->lanes + l]);
        for (size_t k = 0; k < m->width; k++)
            z[k] += e[k];
    }
}

/* Computes r->logp[values], the scores of all words at position i. The inputs
 * of this position do not depend on its own word. */
static void score_here(const cs_masked_words *m, const cs_point *at, size_t l,
                       size_t i, const trial *r)
{
    see_others(m, at, l, i, 2 * m->radius, r->rest);
    for (size_t k = 0; k < m->width; k++)
        r->rest[k] = tanh(r->rest[k]);
    for (size_t v = 0; v < m->values; v++) {
        double sum = m->c[v];
        for (size_t k = 0; k < m->width; k++)
            sum = __builtin_fma(m->u[v * m->width + k], r->rest[k], sum);
        r->logp[v] = sum;
    }
}

/* Adds the terms of a neighbouring position to r->logp. Does so for TRIED
 * words, starting at word `first`. The words are at offset d from the
 * neighbouring position; r->rest holds the other inputs of that position. */
static void look_on(const cs_masked_words *m, size_t d, size_t first,
                    const trial *r)
{
    size_t n = m->values - first < TRIED ? m->values - first : TRIED;
    for (size_t c = 0; c < TRIED; c++) {
        const double *e = moved_by(m, d, first + (c < n ? c : 0));
        for (size_t k = 0; k < m->width; k++)
            r->h[k * TRIED + c] = r->rest[k] + e[k];
    }
    for (size_t k = 0; k < m->width * TRIED; k += CS_VECTOR)
        cs_store(r->h + k, cs_vtanh(cs_load(r->h + k)));
    memset(r->part, 0, TRIED * sizeof *r->part);
    add_own(m, r->there, r->h, TRIED, r->part);
    if (m->normalise) {
        score_all(m, r->h, TRIED, r->score);
        normalise(m, r->score, TRIED, r->part, NULL);
    }
    for (size_t c = 0; c < n; c++)
        r->logp[first + c] += r->part[c];
}

/* Computes r->logp[values]: log p with each word at position i of lane l.
 * Leaves out the terms of positions that do not depend on position i. */
static void try_all(const cs_masked_words *m, const cs_point *at, size_t l,
                    size_t i, const trial *r)
{
    size_t offsets = 2 * m->radius;
    score_here(m, at, l, i, r);
    for (size_t d = 0; d < offsets; d++) {
        uint32_t j = m->near[i * offsets + d];
        if (j == CS_MASKED_NONE)
            continue;
        size_t back = offsets - 1 - d; /* offset of i from j */
        see_others(m, at, l, j, back, r->rest);
        for (size_t c = 0; c < TRIED; c++)
            r->there[c] = at->x[j * at->lanes + l];
        for (size_t v = 0; v < m->values; v += TRIED)
            look_on(m, back, v, r);
    }
}

/* Computes site differences, which are expensive. In the normalised density,
 * each position that depends on site i must compute the scores of all words for
 * each word at site i. These are values^2 scores. */
static void site(const cs_target *t, const cs_point *at, const uint32_t *of,
                 double *d)
{
    const cs_masked_words *m = t->self;
    trial r = trial_of(m, at);
    for (size_t l = 0; l < at->lanes; l++) {
        bool used = l < at->live && !(at->failed && at->failed[l]);
        if (used)
            try_all(m, at, l, of[l], &r);
        size_t old = (size_t)at->x[of[l] * at->lanes + l];
        for (size_t v = 0; v < m->values; v++)
            d[v * at->lanes + l] = used ? r.logp[v] - r.logp[old] : 0;
    }
}

const cs_target_type CS_VARIANT(cs_target_masked_words) = {
    .name = "masked_words",
    .title = "Masked words of a sentence",
    .ref = "Pynadath et al., Gradient-based discrete sampling with automatic "
           "cyclical scheduling, 2024, section 6.3",
    .help = "The missing words of a sentence, under a language model that was "
            "fitted by `chainscope train words`. Gradient kernels need coding "
            "= \"one_hot\".",
    .params = cs_masked_words_params,
    .n_params = CS_MASKED_PARAMS,
    .size = sizeof(cs_masked_words),
    .create = cs_masked_words_create,
    .destroy = cs_masked_words_destroy,
    .log_density = log_density,
    .sites.one_hot = one_hot,
    .sites.site = site,
    .coordinate = cs_masked_words_coordinate,
    .read = cs_masked_words_read,
};
