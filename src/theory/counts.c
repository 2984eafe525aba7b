/* Sums over the counts of Poisson minibatches. With d_i = log(back_i /
 * there_i),
 *
 *     log Q(s) / P(s) = sum_i s_i d_i - back_i + there_i.
 *
 * Consider the count of one row, given the counts of all others. On one side of
 * a threshold for this count log(rho Q / P) is below 0, and P min(1, rho Q / P)
 * is rho Q; on the other side it is P. */
#include "theory/counts.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <math.h>

enum { MOST = 4096 };

/* Searches outwards from the most likely count. Ratios of neighbouring
 * probabilities decrease, so a geometric series bounds the probability beyond a
 * count. */
void cs_counts_window(double rate, size_t *low, size_t *n)
{
    size_t middle = (size_t)rate, first = middle, last = middle;
    double top = gsl_ran_poisson_pdf((unsigned)middle, rate), p = top;
    while (first > 0) {
        p *= (double)first / rate;
        if (p / (1 - fmin((double)(first - 1) / rate, 0.999)) < CS_COUNTS_LOST)
            break;
        first--;
    }
    for (p = top;; last++) {
        p *= rate / (double)(last + 1);
        if (p / (1 - rate / (double)(last + 2)) < CS_COUNTS_LOST)
            break;
    }
    *low = first;
    *n = last - first + 1;
}

/* A row, with the range of counts that are likely under at least one of its two
 * rates. */
typedef struct row {
    double there, back, change; /* there, back: rates under P and under Q;
                                   change: log(back / there) */
    size_t low, n;
} row;

typedef struct sum {
    cs_aux_rule rule;
    size_t rows;
    row row[CS_COUNT_ROWS]; /* the rows; the last row has the most counts */
    double p[CS_COUNT_ROWS][MOST];
    double below[2]
                [MOST + 1]; /* distribution function P(S < low + j) of the last
                               row's count S, for the rates `there` and
                               `back` */
} sum;

static row row_of(double there, double back)
{
    size_t low[2], n[2];
    cs_counts_window(there, &low[0], &n[0]);
    cs_counts_window(back, &low[1], &n[1]);
    size_t first = low[0] < low[1] ? low[0] : low[1];
    size_t end = low[0] + n[0] > low[1] + n[1] ? low[0] + n[0] : low[1] + n[1];
    return (row){there, back, log(back / there), first, end - first};
}

static void fill(const row *r, double rate, double *p)
{
    p[0] = gsl_ran_poisson_pdf((unsigned)r->low, rate);
    for (size_t j = 1; j < r->n; j++)
        p[j] = p[j - 1] * rate / (double)(r->low + j);
}

static void place_rows(sum *s, const double *there, const double *back)
{
    size_t widest = 0;
    for (size_t i = 0; i < s->rows; i++) {
        s->row[i] = row_of(there[i], back[i]);
        widest = s->row[i].n > s->row[widest].n ? i : widest;
    }
    row last = s->row[widest];
    s->row[widest] = s->row[s->rows - 1];
    s->row[s->rows - 1] = last;
}

static void open_sum(sum *s, const double *there, const double *back)
{
    place_rows(s, there, back);
    assert(s->row[s->rows - 1].n <= MOST);
    for (size_t i = 0; i < s->rows; i++)
        fill(&s->row[i], s->row[i].there, s->p[i]);
    const row *last = &s->row[s->rows - 1];
    double q[MOST];
    fill(last, last->back, q);
    s->below[0][0] = s->below[1][0] = 0;
    for (size_t j = 0; j < last->n; j++) {
        s->below[0][j + 1] = s->below[0][j] + s->p[s->rows - 1][j];
        s->below[1][j + 1] = s->below[1][j] + q[j];
    }
}

/* Returns exp(log_x) p for a probability p that may be 0. */
static double scaled(double log_x, double p)
{
    return p > 0 ? exp(log_x + log(p)) : 0;
}

/* Returns the sum over the values of the last row's count, for the Metropolis
 * rule. log_r is the log ratio for the count 0. */
static double last_metropolis(const sum *s, double log_r)
{
    const row *r = &s->row[s->rows - 1];
    const double *P = s->below[0], *Q = s->below[1];
    double from = log_r + r->back - r->there, all = P[r->n];
    if (r->change == 0)
        return all * cs_aux_accept(CS_AUX_METROPOLIS, log_r);
    /* The ratio is 1 at the (real) count low + at. */
    double at = -log_r / r->change - (double)r->low;
    double cut = ceil(fmin(fmax(at, 0), (double)r->n));
    size_t j = (size_t)cut;
    if (r->change > 0) /* counts below j have ratios below 1 */
        return all - P[j] + scaled(from, Q[j]);
    return P[j] + scaled(from, Q[r->n] - Q[j]);
}

static double last_barker(const sum *s, double log_r)
{
    const row *r = &s->row[s->rows - 1];
    double total = 0, ratio = log_r + (double)r->low * r->change;
    for (size_t j = 0; j < r->n; j++, ratio += r->change)
        total += s->p[s->rows - 1][j] * cs_aux_accept(CS_AUX_BARKER, ratio);
    return total;
}

/* Returns the sum over the counts of rows i, i + 1, ..., given the counts of
 * the rows before i. */
static double sum_from(const sum *s, size_t i, double log_r)
{
    const row *r = &s->row[i];
    log_r += r->there - r->back;
    if (i + 1 == s->rows)
        return s->rule == CS_AUX_BARKER ? last_barker(s, log_r)
                                        : last_metropolis(s, log_r);
    double total = 0;
    for (size_t j = 0; j < r->n; j++)
        if (s->p[i][j] > 0)
            total +=
                s->p[i][j] *
                sum_from(s, i + 1, log_r + (double)(r->low + j) * r->change);
    return total;
}

double cs_counts_accept(const double *there, const double *back, size_t rows,
                        cs_aux_rule rule, double log_rho)
{
    sum s;
    s.rule = rule;
    s.rows = rows;
    assert(rows >= 1 && rows <= CS_COUNT_ROWS);
    if (!(log_rho > -HUGE_VAL))
        return 0;
    open_sum(&s, there, back);
    return fmin(sum_from(&s, 0, log_rho), 1);
}

double cs_counts_kl(const double *there, const double *back, size_t rows)
{
    double total = 0;
    for (size_t i = 0; i < rows; i++)
        total += there[i] * log(there[i] / back[i]) + back[i] - there[i];
    return total;
}

double cs_counts_terms(const double *there, const double *back, size_t rows,
                       cs_aux_rule rule)
{
    sum s;
    double product = 1;
    s.rows = rows;
    place_rows(&s, there, back);
    if (s.row[rows - 1].n > MOST)
        return HUGE_VAL;
    for (size_t i = 0; i + 1 < rows; i++)
        product *= (double)s.row[i].n;
    if (rule == CS_AUX_BARKER)
        product *= (double)s.row[rows - 1].n;
    return product;
}
