#include "run/tuning/inverse_hessian.h"

#include <math.h>
#include <string.h>

size_t cs_inverse_hessian_words(size_t dim)
{
    return (1 + 3 * CS_PAIRS) * dim;
}

void cs_inverse_hessian_begin(cs_inverse_hessian *h, size_t dim,
                              double *scratch)
{
    *h = (cs_inverse_hessian){.dim = dim, .diagonal = scratch};
    h->s = scratch + dim;
    h->y = h->s + CS_PAIRS * dim;
    h->w = h->y + CS_PAIRS * dim;
    for (size_t i = 0; i < dim; i++)
        h->diagonal[i] = 1;
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Computes v += by (b'v) a. */
static void add_rank_one(size_t n, double by, const double *a, const double *b,
                         double *v)
{
    double f = by * dot(n, b, v);
    for (size_t i = 0; i < n; i++)
        v[i] += f * a[i];
}

/* Computes v = H^-1 v from the first n pairs, where A^-1 = I - t s w'. */
static void solve(const cs_inverse_hessian *h, size_t n, double *v)
{
    size_t dim = h->dim;
    for (size_t j = n; j-- > 0;)
        add_rank_one(dim, -h->t[j], h->s + j * dim, h->w + j * dim, v);
    for (size_t i = 0; i < dim; i++)
        v[i] /= h->diagonal[i];
    for (size_t j = 0; j < n; j++)
        add_rank_one(dim, -h->t[j], h->w + j * dim, h->s + j * dim, v);
}

/* Recomputes the factors after a change of the diagonal. */
static void factor(cs_inverse_hessian *h)
{
    size_t dim = h->dim;
    h->log_det = 0;
    for (size_t i = 0; i < dim; i++)
        h->log_det += log(h->diagonal[i]);
    for (size_t k = 0; k < h->n; k++) {
        const double *s = h->s + k * dim, *y = h->y + k * dim;
        double *w = h->w + k * dim, sy = dot(dim, s, y);
        memcpy(w, s, dim * sizeof *w);
        solve(h, k, w);
        h->t[k] = sqrt(sy / dot(dim, s, w));
        for (size_t i = 0; i < dim; i++)
            w[i] = (h->t[k] * w[i] - y[i]) / sy;
        h->log_det -= 2 * log(h->t[k]);
    }
}

/* Computes the next diagonal in to[dim]; returns false if it is not
 * positive. */
static bool next_diagonal(const cs_inverse_hessian *h, const double *s,
                          const double *y, double *to)
{
    double a = 0, b = 0, c = 0;
    bool good = true;
    for (size_t i = 0; i < h->dim; i++) {
        a += y[i] * y[i] * h->diagonal[i];
        b += s[i] * y[i];
        c += s[i] * s[i] / h->diagonal[i];
    }
    for (size_t i = 0; i < h->dim; i++) {
        double d = h->diagonal[i];
        to[i] = 1 / (a / (b * d) + y[i] * y[i] / b -
                     a * s[i] * s[i] / (b * c * d * d));
        good &= to[i] > 0 && isfinite(to[i]);
    }
    return good;
}

static void drop_first(cs_inverse_hessian *h)
{
    size_t kept = (CS_PAIRS - 1) * h->dim;
    memmove(h->s, h->s + h->dim, kept * sizeof *h->s);
    memmove(h->y, h->y + h->dim, kept * sizeof *h->y);
    h->n--;
}

bool cs_inverse_hessian_add(cs_inverse_hessian *h, const double *s,
                            const double *y, double *scratch)
{
    size_t dim = h->dim;
    double sy = dot(dim, s, y), yy = dot(dim, y, y);
    if (!(sy > 1e-12 * yy) || !isfinite(yy) || !next_diagonal(h, s, y, scratch))
        return false;
    if (h->n == CS_PAIRS)
        drop_first(h);
    memcpy(h->diagonal, scratch, dim * sizeof *scratch);
    memcpy(h->s + h->n * dim, s, dim * sizeof *s);
    memcpy(h->y + h->n * dim, y, dim * sizeof *y);
    h->n++;
    factor(h);
    return true;
}

void cs_inverse_hessian_times(const cs_inverse_hessian *h, double *v)
{
    size_t dim = h->dim;
    for (size_t j = h->n; j-- > 0;)
        add_rank_one(dim, 1, h->w + j * dim, h->s + j * dim, v);
    for (size_t i = 0; i < dim; i++)
        v[i] *= h->diagonal[i];
    for (size_t j = 0; j < h->n; j++)
        add_rank_one(dim, 1, h->s + j * dim, h->w + j * dim, v);
}

void cs_inverse_hessian_root(const cs_inverse_hessian *h, double *v)
{
    size_t dim = h->dim;
    for (size_t i = 0; i < dim; i++)
        v[i] *= sqrt(h->diagonal[i]);
    for (size_t j = 0; j < h->n; j++)
        add_rank_one(dim, 1, h->s + j * dim, h->w + j * dim, v);
}
