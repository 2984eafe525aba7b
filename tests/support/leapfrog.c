#include "support/leapfrog.h"

#include "base/memory.h"
#include "support/laws.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

enum { LANES = LAW_CHAINS, ROOM = SMALL_DIM * LANES };

void leapfrog(cs_block *at, double step, int n, bool broken, double *q,
              double *p, double *change)
{
    static _Alignas(CS_ALIGN) double g[ROOM], next[ROOM], u[LANES], v[LANES];
    size_t lanes = at->lanes, size = at->move.dim * lanes;
    assert_true(size <= ROOM);
    cs_eval_gradient(&at->eval, CS_NEXT, q, u, g);
    for (size_t i = 0; i < size; i++)
        u[i % lanes] -= p[i] * p[i] / 2;
    for (int k = 0; k < n; k++) {
        for (size_t i = 0; i < size; i++) {
            p[i] += step / 2 * g[i];
            q[i] += step * p[i];
        }
        cs_eval_gradient(&at->eval, CS_NEXT, q, v, next);
        for (size_t i = 0; i < size; i++)
            p[i] += step / 2 * (broken ? g[i] : next[i]);
        memcpy(g, next, sizeof g);
    }
    for (size_t i = 0; i < size; i++)
        v[i % lanes] -= p[i] * p[i] / 2;
    for (size_t l = 0; l < lanes; l++)
        change[l] = v[l] - u[l];
}

/* log |det a| by elimination; a[n][n] is spent. */
static double log_determinant(double *a, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t r = k + 1; r < n; r++)
            best = fabs(a[r * n + k]) > fabs(a[best * n + k]) ? r : best;
        for (size_t c = 0; c < n; c++) {
            double kept = a[k * n + c];
            a[k * n + c] = a[best * n + c];
            a[best * n + c] = kept;
        }
        sum += log(fabs(a[k * n + k]));
        for (size_t r = k + 1; r < n; r++)
            for (size_t c = n; c-- > k;)
                a[r * n + c] -= a[r * n + k] / a[k * n + k] * a[k * n + c];
    }
    return sum;
}

double leapfrog_volume(cs_block *at, double step, bool broken, const double *q,
                       const double *p)
{
    static _Alignas(CS_ALIGN) double end[2][2][ROOM];
    static double change[LANES];
    double jacobian[4 * SMALL_DIM * SMALL_DIM], h = 1e-5;
    size_t dim = at->move.dim, n = 2 * dim, lanes = at->lanes;
    for (size_t c = 0; c < n; c++) {
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < dim * lanes; i++) {
                double nudge = (side ? -h : h);
                end[side][0][i] = q[i / lanes] + (i / lanes == c ? nudge : 0);
                end[side][1][i] =
                    p[i / lanes] + (i / lanes + dim == c ? nudge : 0);
            }
            leapfrog(at, step, 1, broken, end[side][0], end[side][1], change);
        }
        for (size_t r = 0; r < n; r++) {
            size_t i = r % dim * lanes;
            jacobian[r * n + c] =
                (end[0][r / dim][i] - end[1][r / dim][i]) / (2 * h);
        }
    }
    return log_determinant(jacobian, n);
}

/* Lane l of q after a trajectory, unless that was thrown far off, where
 * roundings grow without bound. */
static bool at_end(const double *q, const double *want, size_t size, size_t l,
                   double change)
{
    bool near = true;
    for (size_t i = l; i < size; i += LANES)
        near &= fabs(q[i] - want[i]) < 1e-8;
    return near || !(fabs(change) < 10);
}

bool is_leapfrog(const setting *s, const points *pt)
{
    static _Alignas(CS_ALIGN) double q[ROOM], p[ROOM], x[ROOM];
    double change[LANES], back[LANES];
    cs_block *b = open_block(s, pt->target, 5, LANES, pt->x);
    cs_block *fresh = open_block(s, pt->target, 5, LANES, pt->x);
    const cs_info *i = &b->move.info;
    size_t size = b->move.dim * b->lanes;
    int n = (int)s->value[1];
    bool good = true;
    for (int k = 0; k < 50; k++) {
        memcpy(x, b->move.x, size * sizeof *x);
        memcpy(q, x, size * sizeof *q);
        one_step(s, b);
        cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, b->move.dim, p);
        leapfrog(fresh, s->value[0], n, false, q, p, change);
        for (size_t l = 0; l < LANES; l++) {
            good &= at_end(q, i->proposal, size, l, change[l]);
            good &= fabs(change[l] - i->log_ratio[l]) <
                    1e-9 * (1 + change[l] * change[l]);
        }
        for (size_t at = 0; at < size; at++)
            p[at] = -p[at];
        leapfrog(fresh, s->value[0], n, false, q, p, back);
        for (size_t l = 0; l < LANES; l++)
            good &= at_end(q, x, size, l, change[l]);
    }
    cs_block_destroy(b);
    cs_block_destroy(fresh);
    return good;
}
