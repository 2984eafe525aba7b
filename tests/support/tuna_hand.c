#include "support/tuna_hand.h"

#include "support/by_name.h"
#include "support/support.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { DIM = SMALL_TALL_DIM, ROWS = SMALL_TALL_ROWS };

setting tuna_setting(const tuna *h)
{
    const char *name = h->sgld ? "tuna_sgld" : "tuna_mh";
    setting s = {.kernel = kernel_of(name), .formula = name};
    const double value[] = {h->step, h->chi, (double)h->batch, h->length};
    for (size_t i = 0; i < s.kernel.type->n_params; i++)
        s.kernel.values[i] = value[i];
    return s;
}

void tuna_bounds(tuna *h, const cs_target *t)
{
    const cs_row_bounds *b = cs_row_bounds_of(t, CS_ROW_CHANGE);
    assert_non_null(b);
    h->all = 0;
    for (size_t r = 0; r < ROWS; r++)
        h->all += h->c[r] = (long double)b->of[r].width;
}

tuna_move tuna_back(const tuna_move *m)
{
    tuna_move back = {.rows = m->rows};
    for (size_t d = 0; d < DIM; d++) {
        back.x[d] = m->y[d];
        back.y[d] = m->x[d];
    }
    return back;
}

/* ---- formulas ------------------------------------------------------------ */

long double tuna_measure(const tuna_move *m)
{
    long double most = 0;
    for (size_t d = 0; d < DIM; d++)
        most = fmaxl(most, fabs(m->x[d] - m->y[d]));
    return most;
}

long double tuna_lambda(const tuna *h, const tuna_move *m)
{
    return h->chi * powl(h->all * tuna_measure(m), 2);
}

/* U_i = -term_i. */
static long double u_of(size_t row, const double *x)
{
    return -(long double)small_tall_term(row, x, NULL);
}

long double tuna_rate(const tuna *h, const tuna_move *m, size_t row)
{
    long double phi = (u_of(row, m->y) - u_of(row, m->x)) / 2 +
                      h->c[row] / 2 * tuna_measure(m);
    return tuna_lambda(h, m) * h->c[row] / h->all + phi;
}

void tuna_mean(const tuna *h, const tuna_move *m, double *mean)
{
    double sum[DIM] = {0}, g[DIM], length = 0, scale = 1;
    for (size_t r = 0; r < ROWS; r++) {
        small_tall_term(r, m->x, g);
        for (size_t d = 0; d < DIM; d++)
            sum[d] += m->rows >> r & 1 ? g[d] : 0;
    }
    for (size_t d = 0; d < DIM; d++)
        length += sum[d] * sum[d];
    if (h->length > 0 && length > 0)
        scale = h->length / sqrt(length);
    scale *= (double)ROWS / (double)h->batch;
    for (size_t d = 0; d < DIM; d++)
        mean[d] =
            m->x[d] +
            (h->sgld ? h->step * h->step / 2 * (scale * sum[d] - m->x[d]) : 0);
}

long double tuna_log_q(const tuna *h, const tuna_move *m)
{
    double mean[DIM];
    long double sum = 0;
    tuna_mean(h, m, mean);
    for (size_t d = 0; d < DIM; d++)
        sum -= powl(((long double)m->y[d] - mean[d]) / h->step, 2) / 2 +
               logl(h->step) + 0.918938533204672741780L;
    return sum;
}

long double tuna_log_aux(const tuna *h, const tuna_move *m, const size_t *s)
{
    const tuna_move back = tuna_back(m);
    long double sum = 0;
    for (size_t r = 0; r < ROWS; r++)
        if (s[r])
            sum += (long double)s[r] *
                   (logl(tuna_rate(h, &back, r)) - logl(tuna_rate(h, m, r)));
    return sum;
}

long double tuna_log_counts(const tuna *h, const tuna_move *m, const size_t *s)
{
    long double sum = 0;
    for (size_t r = 0; r < ROWS; r++) {
        long double rate = tuna_rate(h, m, r), n = (long double)s[r];
        sum += n * logl(rate) - rate - lgammal(n + 1);
    }
    return sum;
}

/* ---- sums ---------------------------------------------------------------- */

enum { MOST = 200 };

/* One direction of a move, with quantities that do not depend on the joint
 * counts. */
typedef struct way {
    /* flow: log p(x) q(y | x); prior: prior(y) - prior(x) */
    long double flow, prior, log_q;
    long double log_rate[ROWS], log_p[ROWS][MOST];
} way;

static way way_of(const tuna *h, const tuna_move *m, const size_t *most)
{
    way w = {.log_q = tuna_log_q(h, m)};
    w.flow = hand_logp(m->x) + w.log_q;
    for (size_t d = 0; d < DIM; d++)
        w.prior +=
            ((long double)m->x[d] * m->x[d] - (long double)m->y[d] * m->y[d]) /
            2;
    for (size_t r = 0; r < ROWS; r++) {
        long double rate = tuna_rate(h, m, r);
        w.log_rate[r] = logl(rate);
        for (size_t n = 0; n <= most[r]; n++)
            w.log_p[r][n] = (n ? (long double)n * w.log_rate[r] : 0) - rate -
                            lgammal((long double)n + 1);
    }
    return w;
}

static void add_counts(const way *a, const way *b, const size_t *s,
                       tuna_sums *sum)
{
    long double there = 0, back = 0, ratio = a->prior + b->log_q - a->log_q;
    for (size_t r = 0; r < ROWS; r++) {
        if (s[r])
            ratio += (long double)s[r] * (b->log_rate[r] - a->log_rate[r]);
        there += a->log_p[r][s[r]];
        back += b->log_p[r][s[r]];
    }
    sum->taken += expl(there + fminl(0, ratio));
    there += a->flow + fminl(0, ratio);
    back += b->flow + fminl(0, -ratio);
    if (isfinite(there) || isfinite(back))
        sum->off = fmaxl(sum->off, fabsl(expm1l(there - back)));
}

tuna_sums tuna_sum(const tuna *h, const tuna_move *m, double tail)
{
    const tuna_move back = tuna_back(m);
    tuna_sums sum = {0};
    size_t most[ROWS], s[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        double rate = (double)fmaxl(tuna_rate(h, m, r), tuna_rate(h, &back, r));
        for (most[r] = (size_t)rate;
             gsl_cdf_poisson_Q((unsigned)most[r], rate) > tail;)
            most[r]++;
        assert_true(most[r] < MOST);
    }
    way a = way_of(h, m, most), b = way_of(h, &back, most);
    for (s[0] = 0; s[0] <= most[0]; s[0]++)
        for (s[1] = 0; s[1] <= most[1]; s[1]++)
            for (s[2] = 0; s[2] <= most[2]; s[2]++)
                add_counts(&a, &b, s, &sum);
    return sum;
}

/* ---- draws --------------------------------------------------------------- */

hand_draws tuna_draw(const tuna *h, const cs_block *b, size_t l,
                     const tuna_move *m)
{
    long double measure = tuna_measure(m), lambda = tuna_lambda(h, m);
    hand_stream s =
        hand_read(&b->move, cs_row_bounds_of(b->target, CS_ROW_CHANGE), l,
                  (double)(lambda + h->all * measure));
    hand_draws out = {.drawn = s.n};
    for (size_t i = 0; i < s.n; i++) {
        uint32_t r = s.row[i];
        out.s[r] += hand_keeps(s.coin[i], tuna_rate(h, m, r), lambda / measure,
                               h->all, h->c[r] * measure);
    }
    out.kept = out.s[0] + out.s[1] + out.s[2];
    hand_forget(&s);
    return out;
}
