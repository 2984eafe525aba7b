#include "support/poisson_hand.h"

#include "base/memory.h"
#include "kernels/auxiliary/poisson_count.h"
#include "support/by_name.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>

const char *const hand_name[] = {"poisson_mh", "poisson_mala",
                                 "poisson_barker"};

setting hand_setting(hand_kernel kernel, double step, double lambda)
{
    setting s = {.kernel = kernel_of(hand_name[kernel]),
                 .formula = hand_name[kernel]};
    s.kernel.values[0] = step;
    s.kernel.values[1] = lambda;
    return s;
}

hand hand_of(hand_kernel kernel, double step, double lambda, const cs_target *t)
{
    hand h = {.kernel = kernel, .step = step};
    const cs_row_bounds *b = cs_row_bounds_of(t, CS_ROW_RANGE);
    assert_non_null(b);
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
        h.low[r] = (long double)b->of[r].low;
        h.width[r] = (long double)b->of[r].width;
        h.all += h.width[r];
    }
    h.big = lambda * h.all * h.all;
    return h;
}

/* ---- formulas ------------------------------------------------------------ */

long double hand_logp(const double *x)
{
    long double sum = 0;
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        sum -= (long double)x[d] * x[d] / 2;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
        sum += small_tall_term(r, x, NULL);
    return sum;
}

long double hand_rate(const hand *h, size_t row, const double *x)
{
    return h->big * h->width[row] / h->all + small_tall_term(row, x, NULL) -
           h->low[row];
}

long double hand_log_counts(const hand *h, const size_t *s, const double *x)
{
    long double sum = 0;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
        long double rate = hand_rate(h, r, x), n = (long double)s[r];
        sum += n * logl(rate) - rate - lgammal(n + 1);
    }
    return sum;
}

void hand_slope(const hand *h, const size_t *s, const double *x, double *g)
{
    double by[SMALL_TALL_DIM];
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        g[d] = -x[d];
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
        long double rate = hand_rate(h, r, x);
        small_tall_term(r, x, by);
        for (size_t d = 0; d < SMALL_TALL_DIM; d++)
            g[d] += (double)((long double)s[r] * by[d] / rate);
    }
}

static long double log_normal(long double z, double sd)
{
    return -z * z / 2 - logl(sd) - 0.918938533204672741780L;
}

/* Returns the log density of a move in one coordinate with slope g. Barker's
 * proposal flips the sign of the noise z with a logistic probability, so its
 * density is 2 phi(z) / (1 + exp(-z g)). */
static long double log_noise(const hand *h, long double move, double g)
{
    long double sd = h->step;
    if (h->kernel == HAND_MALA)
        return log_normal((move - sd * sd / 2 * g) / sd, h->step);
    if (h->kernel == HAND_MH)
        return log_normal(move / sd, h->step);
    return log_normal(move / sd, h->step) + logl(2) - log1pl(expl(-move * g));
}

static long double log_q_along(const hand *h, const double *g, const double *x,
                               const double *y)
{
    long double sum = 0;
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        sum += log_noise(h, (long double)y[d] - x[d], g[d]);
    return sum;
}

long double hand_log_q(const hand *h, const size_t *s, const double *x,
                       const double *y)
{
    double g[SMALL_TALL_DIM] = {0};
    if (h->kernel != HAND_MH)
        hand_slope(h, s, x, g);
    return log_q_along(h, g, x, y);
}

long double hand_log_aux(const hand *h, const size_t *s, const double *x,
                         const double *y)
{
    long double sum = 0;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
        sum += (long double)s[r] *
               (logl(hand_rate(h, r, y)) - logl(hand_rate(h, r, x)));
    return sum;
}

/* ---- sums ---------------------------------------------------------------- */

/* Returns the largest count of a row that the sums include. For this count, the
 * upper tail probability at x and at y is at most `tail`. No smaller count has
 * this property. */
static size_t most_of(const hand *h, size_t row, const double *x,
                      const double *y, double tail)
{
    double rate = (double)fmaxl(hand_rate(h, row, x), hand_rate(h, row, y));
    size_t most = (size_t)rate;
    while (gsl_cdf_poisson_Q((unsigned)most, rate) > tail)
        most++;
    return most;
}

enum { MOST = 128 };

/* One end point of a move, with quantities that do not depend on the joint
 * counts. */
typedef struct end {
    const double *x;
    long double logp, prior, log_rate[SMALL_TALL_ROWS];
    long double log_p[SMALL_TALL_ROWS][MOST];
    double by[SMALL_TALL_ROWS][SMALL_TALL_DIM]; /* slope of the log rate of each
                                                 * row */
} end;

static end end_at(const hand *h, const double *x, const size_t *most)
{
    end e = {.x = x, .logp = hand_logp(x)};
    for (size_t d = 0; d < SMALL_TALL_DIM; d++)
        e.prior -= (long double)x[d] * x[d] / 2;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
        long double rate = hand_rate(h, r, x);
        e.log_rate[r] = logl(rate);
        small_tall_term(r, x, e.by[r]);
        for (size_t d = 0; d < SMALL_TALL_DIM; d++)
            e.by[r][d] /= (double)rate;
        for (size_t n = 0; n <= most[r]; n++)
            e.log_p[r][n] = (long double)n * e.log_rate[r] - rate -
                            lgammal((long double)n + 1);
    }
    return e;
}

static long double log_counts_at(const end *e, const size_t *s)
{
    long double sum = 0;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
        sum += e->log_p[r][s[r]];
    return sum;
}

static long double log_q_at(const hand *h, const end *from, const end *to,
                            const size_t *s)
{
    double g[SMALL_TALL_DIM];
    for (size_t d = 0; d < SMALL_TALL_DIM; d++) {
        g[d] = -from->x[d];
        for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
            g[d] += (double)s[r] * from->by[r][d];
    }
    return log_q_along(h, g, from->x, to->x);
}

/* Adds one set of counts to the sums. As in the kernel, the ratio is computed
 * from three terms: the change of the prior, log_aux, and log q. */
static void add_counts(const hand *h, const end *a, const end *b,
                       const size_t *s, hand_sums *sum)
{
    long double there = log_q_at(h, a, b, s), back = log_q_at(h, b, a, s);
    long double ratio = b->prior - a->prior + back - there;
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++)
        ratio += (long double)s[r] * (b->log_rate[r] - a->log_rate[r]);
    there += log_counts_at(a, s);
    back += log_counts_at(b, s);
    sum->proposed += expl(there);
    sum->taken += expl(there + fminl(0, ratio));
    there += a->logp + fminl(0, ratio);
    back += b->logp + fminl(0, -ratio);
    sum->off = fmaxl(sum->off, fabsl(expm1l(there - back)));
}

hand_sums hand_sum(const hand *h, const double *x, const double *y, double tail)
{
    hand_sums sum = {0};
    size_t most[SMALL_TALL_ROWS], s[SMALL_TALL_ROWS];
    for (size_t r = 0; r < SMALL_TALL_ROWS; r++) {
        most[r] = most_of(h, r, x, y, tail);
        assert_true(most[r] < MOST);
    }
    end a = end_at(h, x, most), b = end_at(h, y, most);
    for (s[0] = 0; s[0] <= most[0]; s[0]++)
        for (s[1] = 0; s[1] <= most[1]; s[1]++)
            for (s[2] = 0; s[2] <= most[2]; s[2]++)
                add_counts(h, &a, &b, s, &sum);
    return sum;
}

/* ---- draws --------------------------------------------------------------- */

/* Reads lane l of the stream. In 768 consecutive words, 512 are row indices,
 * and the other 256 contain two coins each. */
hand_stream hand_read(const cs_move *m, const cs_row_bounds *bounds, size_t l,
                      double mean)
{
    enum { ROWS = 512, WORDS = 768 };
    cs_streams s = cs_streams_alone(&m->streams, l);
    size_t n = (size_t)cs_poisson_count(&s, CS_FOR_SITE, mean);
    size_t words = (n / ROWS + 1) * WORDS;
    uint64_t *word = cs_alloc(words, sizeof *word);
    hand_stream out = {n, cs_alloc(n, sizeof *out.row),
                       cs_alloc(n, sizeof *out.coin)};
    assert_true(word && out.row && out.coin);
    cs_fill_words(&s, CS_FOR_DATA, words, word);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *piece = word + i / ROWS * WORDS;
        size_t at = i % ROWS;
        uint64_t coins = piece[ROWS + at / 2];
        out.row[i] = cs_row_bounds_pick(bounds, piece[at]);
        out.coin[i] = (uint32_t)(at % 2 ? coins >> 32 : coins);
    }
    cs_free(word);
    return out;
}

void hand_forget(hand_stream *s)
{
    cs_free(s->row);
    cs_free(s->coin);
}

bool hand_keeps(uint32_t coin, long double rate, long double big,
                long double all, long double width)
{
    long double whole = big * width / all + width;
    return (coin + 0.5L) / 4294967296.0L < rate / whole;
}

hand_draws hand_draw(const hand *h, const cs_block *b, size_t l,
                     const double *x)
{
    hand_stream s =
        hand_read(&b->move, cs_row_bounds_of(b->target, CS_ROW_RANGE), l,
                  (double)(h->big + h->all));
    hand_draws out = {.drawn = s.n};
    for (size_t i = 0; i < s.n; i++) {
        uint32_t r = s.row[i];
        out.s[r] += hand_keeps(s.coin[i], hand_rate(h, r, x), h->big, h->all,
                               h->width[r]);
    }
    out.kept = out.s[0] + out.s[1] + out.s[2];
    hand_forget(&s);
    return out;
}
