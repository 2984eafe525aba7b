/* Predicts with eight states at a time. Weighted predictions are summed by
 * groups of states, so that any group can be left out. Probabilities of the
 * held-out responses are summed on the log scale, since they may be very
 * small. */
#include "targets/network/held_out.h"

#include "base/memory.h"
#include "simd/simd.h"

#include <assert.h>
#include <math.h>

typedef struct holding {
    size_t groups;    /* number of groups, at least 1 */
    double *state;    /* [dim][CS_PAD] up to eight states */
    double *scratch;  /* [scratch_words][CS_PAD] scratch of the target */
    double *p, *fit;  /* outputs of `predict`: p[rows][values][CS_PAD] and
                         fit[rows][CS_PAD] */
    double *sum;      /* [groups][rows][values] sums of weight * p */
    double *evidence; /* [groups][rows] log of the sum of weight exp fit */
    double *weight;   /* [groups] sum of the weights */
} holding;

static bool hold(const cs_target *t, const cs_held_model *m, size_t groups,
                 holding *h)
{
    size_t values = m->rows * m->values, room = CS_PAD;
    h->groups = groups ? groups : 1;
    h->state = cs_alloc(t->space.dim * room, sizeof *h->state);
    h->scratch = cs_alloc(t->scratch_words * room, sizeof *h->scratch);
    h->p = cs_alloc(values * room, sizeof *h->p);
    h->fit = cs_alloc(m->rows * room, sizeof *h->fit);
    h->sum = cs_alloc(h->groups * values, sizeof *h->sum);
    h->evidence = cs_alloc(h->groups * m->rows, sizeof *h->evidence);
    h->weight = cs_alloc(h->groups, sizeof *h->weight);
    for (size_t i = 0; h->evidence && i < h->groups * m->rows; i++)
        h->evidence[i] = -HUGE_VAL;
    return h->state && h->scratch && h->p && h->fit && h->sum && h->evidence &&
           h->weight;
}

static void drop(const holding *h)
{
    CS_FREE_ALL(h->state, h->scratch, h->p, h->fit, h->sum, h->evidence,
                h->weight);
}

/* Returns log(exp a + exp b). */
static double log_add(double a, double b)
{
    double most = fmax(a, b), least = fmin(a, b);
    return least == -HUGE_VAL ? most : most + log1p(exp(least - most));
}

/* Adds the prediction of the state in lane l to the sums of group g. */
static void add(const cs_held_model *m, const holding *h, size_t l, size_t g,
                double log_weight)
{
    double weight = exp(log_weight);
    double *sum = h->sum + g * m->rows * m->values;
    h->weight[g] += weight;
    for (size_t i = 0; i < m->rows * m->values; i++)
        sum[i] += weight * h->p[i * CS_PAD + l];
    for (size_t r = 0; m->fits && r < m->rows; r++) {
        double *to = h->evidence + g * m->rows + r;
        *to = log_add(*to, log_weight + h->fit[r * CS_PAD + l]);
    }
}

/* ---- scores -------------------------------------------------------------- */

/* Returns the prediction for value v of row r, without group `left`. */
static double mean_of(const cs_held_model *m, const holding *h, size_t left,
                      double weight, size_t r, size_t v)
{
    double sum = 0;
    for (size_t g = 0; g < h->groups; g++)
        if (g != left)
            sum += h->sum[(g * m->rows + r) * m->values + v];
    return sum / weight;
}

/* Returns whether the true class of row r has the largest probability. */
static bool is_right(const cs_held_model *m, const holding *h, size_t left,
                     double weight, size_t r)
{
    size_t best = 0;
    double most = -1;
    for (size_t v = 0; v < m->values; v++) {
        double p = mean_of(m, h, left, weight, r, v);
        if (p > most)
            best = v;
        most = fmax(most, p);
    }
    return (double)best == m->y[r];
}

static double evidence_of(const cs_held_model *m, const holding *h, size_t left,
                          size_t r)
{
    double sum = -HUGE_VAL;
    for (size_t g = 0; g < h->groups; g++)
        if (g != left)
            sum = log_add(sum, h->evidence[g * m->rows + r]);
    return sum;
}

/* Computes the scores without group `left`. */
static cs_held_out answer(const cs_held_model *m, const holding *h, size_t left)
{
    cs_held_out out = {(double)NAN, (double)NAN, (double)NAN};
    double weight = 0, square = 0, right = 0, fit = 0, n = (double)m->rows;
    for (size_t g = 0; g < h->groups; g++)
        weight += g == left ? 0 : h->weight[g];
    if (!(weight > 0) || !m->rows)
        return out;
    for (size_t r = 0; r < m->rows; r++) {
        double want = m->y_mean + m->y_sd * m->y[r];
        double off = mean_of(m, h, left, weight, r, 0) - want;
        square += off * off / n;
        right += m->classes && is_right(m, h, left, weight, r);
        fit += m->fits ? (evidence_of(m, h, left, r) - log(weight)) / n : 0;
    }
    if (m->classes)
        out.accuracy = right / n;
    else
        out.rmse = sqrt(square);
    if (m->fits)
        out.log_score = fit;
    return out;
}

/* ---- states -------------------------------------------------------------- */

/* Makes a block of up to eight states, starting at state k. Padding lanes
 * repeat the first of these states. */
static cs_point block_of(const cs_target *t, const double *x, size_t n,
                         size_t k, const holding *h)
{
    size_t dim = t->space.dim;
    cs_point at = {.x = h->state, .scratch = h->scratch, .lanes = CS_PAD};
    at.live = n - k < CS_PAD ? n - k : CS_PAD;
    for (size_t i = 0; i < dim * CS_PAD; i++) {
        size_t l = i % CS_PAD;
        h->state[i] = x[(k + (l < at.live ? l : 0)) * dim + i / CS_PAD];
    }
    return at;
}

void cs_held_out_of(const cs_target *t, const cs_held_model *m, const double *x,
                    const double *log_weight, size_t n, const size_t *group,
                    size_t groups, cs_held_out *out)
{
    assert(x && n && out && (group || !groups));
    holding h;
    bool good = hold(t, m, groups, &h);
    double most = log_weight ? -HUGE_VAL : 0;
    for (size_t k = 0; log_weight && k < n; k++)
        most = fmax(most, log_weight[k]);
    for (size_t k = 0; good && k < n; k += CS_PAD) {
        cs_point at = block_of(t, x, n, k, &h);
        m->predict(t, &at, h.p, h.fit);
        for (size_t l = 0; l < at.live; l++) {
            double w = log_weight ? log_weight[k + l] - most : 0;
            if (w > -HUGE_VAL)
                add(m, &h, l, groups ? group[k + l] : 0, w);
        }
    }
    for (size_t g = 0; g <= groups; g++)
        out[g] = good ? answer(m, &h, g ? g - 1 : h.groups)
                      : (cs_held_out){(double)NAN, (double)NAN, (double)NAN};
    drop(&h);
}
