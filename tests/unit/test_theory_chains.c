/* Compares finite chains with closed forms. Sums over counts, chains on grids
 * and the small lattice are compared with complete enumeration. */
#include "base/memory.h"
#include "support/small.h"
#include "support/support.h"
#include "theory/bounds.h"
#include "theory/exchange_grid.h"
#include "theory/minibatch.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

/* ---- matrices ------------------------------------------------------------ */

/* A chain moves from 0 to 1 with probability p and back with probability q:
 * lambda_2 = 1 - p - q. */
static void two_states(void **state)
{
    (void)state;
    static const double of[][2] = {{0.1, 0.3}, {0.9, 0.8}, {0.5, 0.5}};
    for (size_t i = 0; i < 3; i++) {
        double p = of[i][0], q = of[i][1], time, found[2];
        const double P[] = {1 - p, p, q, 1 - q}, f[] = {3, -1};
        const double pi[] = {q / (p + q), p / (p + q)};
        cs_chain_gap gap;
        assert_int_equal(cs_chain_gaps(P, pi, 2, &gap, f, &time, NULL), CS_OK);
        assert_near(gap.right, p + q, 1e-13, 0);
        assert_near(gap.absolute, 1 - fabs(1 - p - q), 1e-13, 0);
        assert_near(time, (2 - p - q) / (p + q), 1e-12, 1e-12);
        assert_near(cs_chain_imbalance(P, pi, 2), 0, 0, 1e-16);
        assert_int_equal(cs_chain_stationary(P, 2, found, NULL), CS_OK);
        assert_near(found[0], pi[0], 1e-14, 0);
        assert_near(found[1], pi[1], 1e-14, 0);
        const double other[] = {1 - p / 2, p / 2, q / 4, 1 - q / 4};
        assert_near(cs_chain_excess(other, P, 2), -fmin(p / 2, 3 * q / 4),
                    1e-14, 0);
        assert_true(cs_chain_excess(P, other, 2) > 0);
    }
}

/* A random walk on a circle has the eigenvalues lambda = r + (1 - r) cos(2 pi k
 * / n), k = 0 .. n - 1. */
static void circle(void **state)
{
    (void)state;
    enum { N = 9 };
    double P[N * N] = {0}, pi[N], f[N], time, found[N];
    const double r = 0.3, turn = 2 * M_PI / N;
    for (size_t a = 0; a < N; a++) {
        P[a * N + a] = r;
        P[a * N + (a + 1) % N] = P[a * N + (a + N - 1) % N] = (1 - r) / 2;
        pi[a] = 1.0 / N;
        f[a] = cos(2 * turn * (double)a);
    }
    cs_chain_gap gap;
    assert_int_equal(cs_chain_gaps(P, pi, N, &gap, f, &time, NULL), CS_OK);
    double second = r + (1 - r) * cos(turn), of_f = r + (1 - r) * cos(2 * turn);
    assert_near(gap.right, 1 - second, 1e-12, 0);
    assert_near(gap.absolute, 1 - second, 1e-12, 0);
    assert_near(time, (1 + of_f) / (1 - of_f), 1e-12, 0);
    P[1] += 0.1; /* one direction of an edge becomes more likely */
    P[0] -= 0.1;
    assert_int_equal(cs_chain_stationary(P, N, found, NULL), CS_OK);
    double total = 0, back[N] = {0};
    for (size_t a = 0; a < N; a++) {
        total += found[a];
        for (size_t b = 0; b < N; b++)
            back[b] += found[a] * P[a * N + b];
    }
    assert_near(total, 1, 1e-14, 0);
    for (size_t b = 0; b < N; b++)
        assert_near(back[b], found[b], 1e-13, 0);
    assert_true(cs_chain_imbalance(P, found, N) > 0.001);
}

/* A state has two bits. A step chooses one of the bits, the first with
 * probability a, and makes a step of the two-state chain of that bit. The
 * eigenvalues are a alpha + (1 - a) beta, where alpha and beta are 1 or the
 * second eigenvalue of the bit's chain. The eigenfunctions are products. Here
 * the eigenvalues are 1, 0.28, -0.02 and -0.74. The value 0.28 gives the right
 * gap, and -0.74 gives the absolute gap. */
static void two_bits(void **state)
{
    (void)state;
    enum { N = 4 };
    const double a = 0.6, up[] = {0.9, 1}, down[] = {0.8, 0.8},
                 part[] = {a, 1 - a};
    double P[N * N] = {0}, pi[N], f[N], g[N], time, found[N];
    for (size_t s = 0; s < N; s++) {
        pi[s] = 1;
        for (size_t k = 0; k < 2; k++) {
            bool on = s >> k & 1;
            double go = part[k] * (on ? down[k] : up[k]);
            P[s * N + (s ^ (1u << k))] = go;
            P[s * N + s] += part[k] - go;
            pi[s] *= (on ? up[k] : down[k]) / (up[k] + down[k]);
        }
    }
    const double one = up[0] / (up[0] + down[0]),
                 two = up[1] / (up[1] + down[1]);
    for (size_t s = 0; s < N; s++) {
        double x = (double)(s & 1) - one, y = (double)(s >> 1) - two;
        f[s] = 7 + x + 2 * y;
        g[s] = x * y;
    }
    cs_chain_gap gap;
    assert_int_equal(cs_chain_gaps(P, pi, N, &gap, f, &time, NULL), CS_OK);
    assert_near(gap.right, 0.72, 1e-12, 0);
    assert_near(gap.absolute, 0.26, 1e-12, 0);
    const double v = one * (1 - one), w = 4 * two * (1 - two);
    assert_near(time, (v * 0.98 / 1.02 + w * 1.28 / 0.72) / (v + w), 1e-12, 0);
    assert_int_equal(cs_chain_gaps(P, pi, N, &gap, g, &time, NULL), CS_OK);
    assert_near(time, 0.26 / 1.74, 1e-12, 0);
    assert_near(cs_chain_imbalance(P, pi, N), 0, 0, 1e-15);
    assert_int_equal(cs_chain_stationary(P, N, found, NULL), CS_OK);
    for (size_t s = 0; s < N; s++)
        assert_near(found[s], pi[s], 1e-13, 0);
    /* An error in the last pair of states that is compared is also found. */
    P[2 * N + 3] += 0.01;
    assert_near(cs_chain_imbalance(P, pi, N), 0.01 * pi[2], 1e-12, 0);
}

/* A walk moves around a triangle. If it moves in both directions, its
 * eigenvalues are 1, -1/2 and -1/2. If it moves in one direction only, the
 * chain is not reversible, and its imbalance is 1/3. */
static void triangle(void **state)
{
    (void)state;
    static const double both[] = {0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0};
    static const double round[] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, f[] = {1, 0, 0};
    const double pi[] = {1. / 3, 1. / 3, 1. / 3};
    double time, found[3];
    cs_chain_gap gap;
    assert_int_equal(cs_chain_gaps(both, pi, 3, &gap, f, &time, NULL), CS_OK);
    assert_near(gap.right, 1.5, 1e-13, 0);
    assert_near(gap.absolute, 0.5, 1e-13, 0);
    assert_near(time, 1. / 3, 1e-13, 0);
    assert_near(cs_chain_imbalance(both, pi, 3), 0, 0, 1e-16);
    assert_near(cs_chain_imbalance(round, pi, 3), 1. / 3, 1e-15, 0);
    assert_near(cs_chain_excess(round, both, 3), 0.5, 1e-15, 0);
    assert_int_equal(cs_chain_stationary(round, 3, found, NULL), CS_OK);
    for (size_t s = 0; s < 3; s++)
        assert_near(found[s], pi[s], 1e-14, 0);
}

static void two_parts_are_refused(void **state)
{
    (void)state;
    const double P[] = {1, 0, 0, 1};
    double pi[2];
    cs_error err;
    assert_int_equal(cs_chain_stationary(P, 2, pi, &err), CS_NUMERIC);
    assert_non_null(strstr(err.what, "more than one stationary"));
}

/* ---- counts -------------------------------------------------------------- */

/* Returns the sum over all counts up to 80, or up to 35 for three rows. */
static double by_hand(const double *there, const double *back, size_t rows,
                      cs_aux_rule rule, double log_rho)
{
    double total = 0;
    size_t most[3] = {0};
    for (size_t i = 0; i < rows; i++)
        most[i] = rows == 3 ? 35 : 80;
    for (size_t i = 0; i <= most[0]; i++)
        for (size_t j = 0; j <= most[1]; j++)
            for (size_t k = 0; k <= most[2]; k++) {
                const size_t s[] = {i, j, k};
                double p = 1, log_r = log_rho;
                for (size_t r = 0; r < rows; r++) {
                    p *= gsl_ran_poisson_pdf((unsigned)s[r], there[r]);
                    log_r += (double)s[r] * log(back[r] / there[r]) - back[r] +
                             there[r];
                }
                total += p * (rule == CS_AUX_BARKER ? 1 / (1 + exp(-log_r))
                                                    : fmin(1, exp(log_r)));
            }
    return total;
}

static void counts_are_summed(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 60; n++) {
        size_t rows = 1 + (size_t)(n % 10 == 0 ? 2 : n % 2);
        double there[3], back[3], log_rho = 3 * small_normal(&seed);
        for (size_t r = 0; r < rows; r++) {
            there[r] = 1e-4 + (rows == 3 ? 3 : 12) * small_uniform(&seed);
            back[r] = n % 7 ? 1e-4 + (rows == 3 ? 3 : 12) * small_uniform(&seed)
                            : there[r];
        }
        for (int rule = 0; rule < 2; rule++)
            assert_near(
                cs_counts_accept(there, back, rows, (cs_aux_rule)rule, log_rho),
                by_hand(there, back, rows, (cs_aux_rule)rule, log_rho), 1e-12,
                1e-14);
    }
    const double far[] = {150}, near[] = {2};
    assert_true(cs_counts_accept(far, near, 1, CS_AUX_METROPOLIS, 0) < 1e-20);
    assert_near(cs_counts_accept(far, near, 1, CS_AUX_METROPOLIS, 2000), 1,
                1e-14, 0);
}

/* The window of counts omits a probability below 1e-13. The width of the window
 * is at most 20 plus 18 standard deviations. */
static void windows_leave_little(void **state)
{
    (void)state;
    for (double rate = 1e-8; rate < 900; rate *= 3) {
        size_t low, n;
        double inside = 0;
        cs_counts_window(rate, &low, &n);
        for (size_t s = low; s < low + n; s++)
            inside += gsl_ran_poisson_pdf((unsigned)s, rate);
        assert_near(inside, 1, 0, 1e-13);
        assert_true((double)n < 20 + 18 * sqrt(rate));
    }
}

/* ---- kernels on a grid --------------------------------------------------- */

enum { N = 7, ROWS = 2 };

typedef struct field {
    double x[N], prior[N], prior_slope[N], term[ROWS][N], slope[ROWS][N];
    cs_tall_grid g;
} field;

static void make_field(field *f)
{
    static const double at[ROWS] = {-0.7, 1.1};
    f->g = (cs_tall_grid){N,        ROWS,           -1.5,     0.5,
                          f->prior, f->prior_slope, *f->term, *f->slope};
    for (size_t a = 0; a < N; a++) {
        double x = f->x[a] = -1.5 + 0.5 * (double)a;
        f->prior[a] = -x * x / 6;
        f->prior_slope[a] = -x / 3;
        for (size_t i = 0; i < ROWS; i++) {
            double r = x - at[i];
            f->term[i][a] = -1.5 * log1p(r * r);
            f->slope[i][a] = -3 * r / (1 + r * r);
        }
    }
}

static double span(const double *v, double *low)
{
    double high = *low = v[0];
    for (size_t a = 1; a < N; a++) {
        *low = fmin(*low, v[a]);
        high = fmax(high, v[a]);
    }
    return high - *low;
}

/* Returns the normal density of a move times 0.5, the spacing of the grid
 * points. */
static double bell(double move, double step)
{
    return 0.5 * exp(-move * move / (2 * step * step)) /
           (step * sqrt(2 * M_PI));
}

enum { MOST = 70 };

/* Computes a step of Algorithms 5 and 2 as stated in the paper, with a prior in
 * addition to the terms. The ratio contains log(1 + L phi / (lambda M)) instead
 * of the probabilities of the counts. */
static double poisson_by_hand(const field *f, int which, double step,
                              double lambda, size_t a, size_t b)
{
    double low[ROWS], width[ROWS], all = 0, total = 0;
    for (size_t i = 0; i < ROWS; i++)
        all += width[i] = span(f->term[i], &low[i]);
    double big = lambda * all * all;
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j < MOST; j++) {
            const size_t s[] = {i, j};
            double p = 1, log_r = f->prior[b] - f->prior[a];
            double g[2] = {f->prior_slope[a], f->prior_slope[b]};
            for (size_t r = 0; r < ROWS; r++) {
                double here = f->term[r][a] - low[r],
                       there = f->term[r][b] - low[r];
                double base = big * width[r] / all;
                p *= gsl_ran_poisson_pdf((unsigned)s[r], base + here);
                log_r += (double)s[r] * (log1p(all / (big * width[r]) * there) -
                                         log1p(all / (big * width[r]) * here));
                g[0] += (double)s[r] * f->slope[r][a] / (base + here);
                g[1] += (double)s[r] * f->slope[r][b] / (base + there);
            }
            double move = f->x[b] - f->x[a], half = step * step / 2;
            double q[2] = {bell(move, step), bell(move, step)};
            if (which == CS_POISSON_MALA) {
                q[0] = bell(move - half * g[0], step);
                q[1] = bell(-move - half * g[1], step);
            } else if (which == CS_POISSON_BARKER) {
                q[0] *= 2 / (1 + exp(-move * g[0]));
                q[1] *= 2 / (1 + exp(move * g[1]));
            }
            total += p * q[0] * fmin(1, exp(log_r) * q[1] / q[0]);
        }
    return total;
}

/* Computes a step of Algorithms 6 and 3 as stated in the paper, given the rows
 * that the proposal uses. If `rows` is 0, the proposal is a random walk. */
static double tuna_given(const field *f, double step, double chi, unsigned rows,
                         size_t a, size_t b, const double *c)
{
    double far = fabs(f->x[b] - f->x[a]), all = c[0] + c[1], total = 0;
    double lambda = chi * all * all * far * far;
    double g[2] = {0, 0}, half = step * step / 2, move = f->x[b] - f->x[a];
    for (size_t r = 0; r < ROWS && rows; r++) {
        double scale = (double)ROWS / __builtin_popcount(rows);
        g[0] += (rows >> r & 1) * scale * f->slope[r][a];
        g[1] += (rows >> r & 1) * scale * f->slope[r][b];
    }
    g[0] += rows ? f->prior_slope[a] : 0;
    g[1] += rows ? f->prior_slope[b] : 0;
    double q[2] = {bell(move - half * g[0], step),
                   bell(-move - half * g[1], step)};
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j < MOST; j++) {
            const size_t s[] = {i, j};
            double p = 1, log_r = f->prior[b] - f->prior[a];
            for (size_t r = 0; r < ROWS; r++) {
                double up = f->term[r][a] - f->term[r][b];
                double here = up / 2 + c[r] / 2 * far,
                       there = -up / 2 + c[r] / 2 * far;
                p *= gsl_ran_poisson_pdf((unsigned)s[r],
                                         lambda * c[r] / all + here);
                log_r += (double)s[r] * (log1p(all / (lambda * c[r]) * there) -
                                         log1p(all / (lambda * c[r]) * here));
            }
            total += p * q[0] * fmin(1, exp(log_r) * q[1] / q[0]);
        }
    return total;
}

static void compare(const cs_aux_chain *c,
                    double (*hand)(const void *, size_t, size_t),
                    const void *self)
{
    cs_aux_theory t;
    assert_int_equal(cs_aux_theory_make(c, false, &t, NULL), CS_OK);
    for (size_t a = 0; a < N; a++)
        for (size_t b = 0; b < N; b++)
            if (a != b)
                assert_near(t.P[CS_AUX][a * N + b], hand(self, a, b), 1e-12,
                            1e-15);
    assert_true(t.lost < 1e-13);
    cs_aux_theory_free(&t);
}

typedef struct question {
    field f;
    int which;
    double step, knob;
    size_t batch;
    double c[ROWS];
} question;

static double of_poisson(const void *self, size_t a, size_t b)
{
    const question *q = self;
    return poisson_by_hand(&q->f, q->which, q->step, q->knob, a, b);
}

static double of_tuna(const void *self, size_t a, size_t b)
{
    const question *q = self;
    const field *f = &q->f;
    if (q->batch == 0)
        return tuna_given(f, q->step, q->knob, 0, a, b, q->c);
    if (q->batch == ROWS)
        return tuna_given(f, q->step, q->knob, 3, a, b, q->c);
    return (tuna_given(f, q->step, q->knob, 1, a, b, q->c) +
            tuna_given(f, q->step, q->knob, 2, a, b, q->c)) /
           2;
}

static void grids_are_the_printed_algorithms(void **state)
{
    (void)state;
    question q;
    make_field(&q.f);
    q.step = 0.8;
    for (q.which = 0; q.which < 3; q.which++)
        for (int i = 0; i < 2; i++) {
            cs_aux_chain c;
            q.knob = i ? 0.4 : 0.02;
            const cs_poisson_setting s = {(cs_poisson_proposal)q.which,
                                          q.step,
                                          q.knob,
                                          NULL,
                                          NULL,
                                          CS_AUX_METROPOLIS};
            assert_int_equal(cs_poisson_chain(&q.f.g, &s, &c, NULL), CS_OK);
            compare(&c, of_poisson, &q);
            cs_aux_chain_free(&c);
        }
    q.c[0] = 2;
    q.c[1] = 1.7;
    for (q.batch = 0; q.batch <= ROWS; q.batch++)
        for (int i = 0; i < 2; i++) {
            cs_aux_chain c;
            q.knob = i ? 0.2 : 0.05;
            const cs_tuna_setting s = {q.step, q.knob, q.c, q.batch,
                                       CS_AUX_METROPOLIS};
            assert_int_equal(cs_tuna_chain(&q.f.g, &s, &c, NULL), CS_OK);
            compare(&c, of_tuna, &q);
            cs_aux_chain_free(&c);
        }
}

/* ---- the lattice --------------------------------------------------------- */

static void lattice_is_enumerated(void **state)
{
    (void)state;
    cs_lattice l;
    double p[CS_LATTICE_VALUES], q[CS_LATTICE_VALUES], total = 0, mean = 0;
    static const double spins[] = {1, 1, -1, -1, 1, 1};
    assert_int_equal(cs_lattice_make(1, 6, &l, NULL), CS_OK);
    /* A line of n sites has n - 1 independent bonds, so E T = (n - 1)
     * tanh(theta). */
    cs_lattice_law(&l, 0.4, p);
    for (size_t k = 0; k < l.values; k++) {
        total += p[k];
        mean += p[k] * l.value[k];
    }
    assert_int_equal(l.values, 6);
    assert_near(total, 1, 1e-14, 0);
    assert_near(mean, 5 * tanh(0.4), 1e-13, 0);
    assert_near(cs_lattice_sum(&l, spins), 1, 0, 0);
    assert_int_equal(cs_lattice_make(2, 3, &l, NULL), CS_OK);
    assert_near(cs_lattice_sum(&l, spins), -1, 0, 0);
    /* Without a sweep the data are unchanged. If there is no coupling, a single
     * sweep gives the exact distribution. With coupling, many sweeps give the
     * exact distribution. */
    assert_int_equal(cs_lattice_law_after(&l, 0.7, spins, 0, q, NULL), CS_OK);
    for (size_t k = 0; k < l.values; k++)
        assert_near(q[k], l.value[k] == -1, 0, 0);
    for (int i = 0; i < 2; i++) {
        double coupling = i ? 0.7 : 0, worst = 0;
        cs_lattice_law(&l, coupling, p);
        assert_int_equal(
            cs_lattice_law_after(&l, coupling, spins, i ? 60 : 1, q, NULL),
            CS_OK);
        for (size_t k = 0; k < l.values; k++)
            worst = fmax(worst, fabs(p[k] - q[k]));
        assert_near(worst, 0, 0, 1e-13);
    }
    assert_int_equal(cs_lattice_make(5, 5, &l, NULL), CS_RANGE);
}

/* Returns the sum over all ordered pairs of draws. */
static double exchange_by_hand(const double *pa, const double *pb,
                               size_t values, bool heads, double rho)
{
    double total = 0;
    for (size_t i = 0; i < values; i++)
        for (size_t j = 0; j < values; j++) {
            double there = (pa[i] / pb[i] + pa[j] / pb[j]) / 2;
            double back = (pb[i] / pa[i] + pb[j] / pa[j]) / 2;
            if (heads)
                total += pb[i] * pb[j] * fmin(1, rho * there);
            else
                total +=
                    (pb[i] * pa[j] + pa[i] * pb[j]) / 2 * fmin(1, rho / back);
        }
    return total;
}

static void exchange_draws_are_summed(void **state)
{
    (void)state;
    static const double spins[] = {1, 1, -1, -1, 1, 1};
    cs_lattice l;
    cs_aux_chain c;
    size_t values;
    assert_int_equal(cs_lattice_make(2, 3, &l, NULL), CS_OK);
    const cs_exchange_setting s = {.n = 5,
                                   .low = -0.2,
                                   .gap = 0.2,
                                   .step = 0.3,
                                   .spins = spins,
                                   .draws = 2};
    assert_int_equal(cs_exchange_chain(&l, &s, &c, NULL), CS_OK);
    const double *p = cs_exchange_laws(&c, &values);
    assert_int_equal(c.n1, 2);
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < 5; b++)
            for (size_t k = 0; k < 2 && a != b; k++)
                assert_near(
                    c.accept(c.self, k, a, b, CS_AUX_METROPOLIS, log(0.8)),
                    exchange_by_hand(p + a * values, p + b * values, values,
                                     (a < b) == (k == 0), 0.8),
                    1e-12, 0);
    cs_aux_chain_free(&c);
}

/* ---- bounds -------------------------------------------------------------- */

static void bounds_are_the_printed_ones(void **state)
{
    (void)state;
    cs_bounds b = cs_bounds_poisson(2, 3);
    assert_near(cs_bound_constant(), 0.69220062755534635, 1e-15, 0);
    assert_near(b.older, exp(-0.8) / 2, 1e-14, 0);
    assert_near(b.newer, 0.69220062755534635 * exp(-2.0 / 3), 1e-14, 0);
    assert_near(b.printed, b.newer, 0, 0);
    assert_near(b.sharper, 0.69220062755534635 * 3 / 5, 1e-14, 0);
    assert_true(cs_bounds_poisson(2, 0.1).printed ==
                cs_bounds_poisson(2, 0.1).older);
    b = cs_bounds_tuna(4, 0.5);
    assert_near(b.older, exp(-2 - 2 * sqrt(log(2) / 0.5)), 1e-14, 0);
    assert_near(b.printed, 0.69220062755534635 * exp(-1), 1e-14, 0);
    assert_near(b.sharper, 0.69220062755534635 / 2.25, 1e-14, 0);
    /* Let the two distributions p_a and p_b have two values. P_b{p_a > delta
     * p_b} is 1 if delta is below the smallest ratio. For larger delta it is
     * the mass where the ratio is larger than delta. */
    static const double p[] = {0.5, 0.5, 0.8, 0.2};
    assert_near(cs_bound_exchange(p, 2, 2), 0.395, 1e-12, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_states),
    cmocka_unit_test(circle),
    cmocka_unit_test(two_bits),
    cmocka_unit_test(triangle),
    cmocka_unit_test(two_parts_are_refused),
    cmocka_unit_test(counts_are_summed),
    cmocka_unit_test(windows_leave_little),
    cmocka_unit_test(grids_are_the_printed_algorithms),
    cmocka_unit_test(lattice_is_enumerated),
    cmocka_unit_test(exchange_draws_are_summed),
    cmocka_unit_test(bounds_are_the_printed_ones),
};
TESTS(test_theory_chains)
