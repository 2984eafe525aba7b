#include "support/leapfrog.h"

#include "base/memory.h"
#include "support/laws.h"
#include "support/small_make.h"
#include "support/support.h"

#include <string.h>

enum { LANES = LAW_CHAINS, ROOM = SMALL_DIM * LANES };

/* Computes log p at point k (0 <= k <= n), and the slope that the leapfrog uses
 * at this point. */
static void slopes(cs_block *at, leapfrog_kick kick, int k, int n,
                   const double *q, double *logp, double *g)
{
    static _Alignas(CS_ALIGN) float f[ROOM];
    bool single = (kick == KICK_SINGLE && k > 0 && k < n) ||
                  (kick == KICK_LOPSIDED && k < n);
    cs_eval_gradient(&at->eval, CS_NEXT, q, logp, g);
    if (!single)
        return;
    cs_eval_low_gradient(&at->eval, q, f);
    for (size_t i = 0; i < at->move.dim * at->lanes; i++)
        g[i] = (double)f[i];
}

/* Makes leapfrogs. Each lane has its own step size, step[lanes]. */
static void leapfrogs(cs_block *at, const double *step, int n,
                      leapfrog_kick kick, double *q, double *p, double *change)
{
    bool broken = kick == KICK_ONE_GRADIENT;
    static _Alignas(CS_ALIGN) double g[ROOM], next[ROOM], logp[LANES], v[LANES];
    size_t lanes = at->lanes, size = at->move.dim * lanes;
    assert_true(size <= ROOM);
    slopes(at, kick, 0, n, q, logp, g);
    for (size_t i = 0; i < size; i++)
        logp[i % lanes] -= p[i] * p[i] / 2;
    for (int k = 0; k < n; k++) {
        for (size_t i = 0; i < size; i++) {
            p[i] += step[i % lanes] / 2 * g[i];
            q[i] += step[i % lanes] * p[i];
        }
        slopes(at, kick, k + 1, n, q, v, next);
        for (size_t i = 0; i < size; i++)
            p[i] += step[i % lanes] / 2 * (broken ? g[i] : next[i]);
        memcpy(g, next, sizeof g);
    }
    for (size_t i = 0; i < size; i++)
        v[i % lanes] -= p[i] * p[i] / 2;
    for (size_t l = 0; l < lanes; l++)
        change[l] = v[l] - logp[l];
}

void leapfrog(cs_block *at, double step, int n, leapfrog_kick kick, double *q,
              double *p, double *change)
{
    double steps[LANES];
    for (size_t l = 0; l < LANES; l++)
        steps[l] = step;
    leapfrogs(at, steps, n, kick, q, p, change);
}

/* Returns log |det a| by elimination; overwrites a[n][n]. */
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

double leapfrog_volume(cs_block *at, double step, int n_steps,
                       leapfrog_kick kick, const double *q, const double *p)
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
            leapfrog(at, step, n_steps, kick, end[side][0], end[side][1],
                     change);
        }
        for (size_t r = 0; r < n; r++) {
            size_t i = r % dim * lanes;
            jacobian[r * n + c] =
                (end[0][r / dim][i] - end[1][r / dim][i]) / (2 * h);
        }
    }
    return log_determinant(jacobian, n);
}

double leapfrog_astray(cs_block *at, double step, int n, leapfrog_kick kick,
                       const double *q, const double *p)
{
    static _Alignas(CS_ALIGN) double x[ROOM], v[ROOM];
    double change[LANES], most = 0;
    size_t lanes = at->lanes, size = at->move.dim * lanes;
    for (size_t i = 0; i < size; i++) {
        x[i] = q[i / lanes];
        v[i] = p[i / lanes];
    }
    for (int there = 0; there < 2; there++) {
        leapfrog(at, step, n, kick, x, v, change);
        for (size_t i = 0; i < size; i++)
            v[i] = -v[i];
    }
    for (size_t i = 0; i < size; i++)
        most = fmax(most, fabs(x[i] - q[i / lanes]));
    return most;
}

/* Returns true if lane l of q equals `want`. Trajectories with a large change
 * of energy are not compared, because they amplify rounding errors without
 * bound. */
static bool at_end(const double *q, const double *want, size_t size, size_t l,
                   double change)
{
    bool near = true;
    for (size_t i = l; i < size; i += LANES)
        near &= fabs(q[i] - want[i]) < 1e-8;
    return near || !(fabs(change) < 10);
}

/* Computes step[lanes], the step sizes of the last trajectory. They include
 * hmc's jitter (parameter 3). */
static void steps_of(const cs_block *b, const cs_kernel *k, double *step)
{
    static _Alignas(CS_ALIGN) double u[LANES];
    cs_fill_uniform(&b->move.streams, CS_FOR_LENGTH, 1, u);
    for (size_t l = 0; l < LANES; l++)
        step[l] = k->values[0] * (1 + k->values[3] * (2 * u[l] - 1));
}

bool is_leapfrog(const setting *s, const points *pt)
{
    static _Alignas(CS_ALIGN) double q[ROOM], p[ROOM], x[ROOM];
    double change[LANES], back[LANES], step[LANES];
    cs_block *b = open_block(s, pt->target, 5, LANES, pt->x);
    cs_block *fresh = open_block(s, pt->target, 5, LANES, pt->x);
    const cs_info *i = &b->move.info;
    size_t size = b->move.dim * b->lanes;
    int n = (int)s->kernel.values[1];
    leapfrog_kick kick =
        s->kernel.values[2] == CS_GRADIENT_FLOAT ? KICK_SINGLE : KICK_EXACT;
    bool good = true;
    for (int k = 0; k < 50; k++) {
        memcpy(x, b->move.x, size * sizeof *x);
        memcpy(q, x, size * sizeof *q);
        one_step(s, b);
        cs_fill_normal(&b->move.streams, CS_FOR_PROPOSAL, b->move.dim, p);
        steps_of(b, &s->kernel, step);
        leapfrogs(fresh, step, n, kick, q, p, change);
        for (size_t l = 0; l < LANES; l++) {
            good &= at_end(q, i->proposal, size, l, change[l]);
            good &= fabs(change[l] - i->log_ratio[l]) <
                    1e-9 * (1 + change[l] * change[l]);
        }
        for (size_t at = 0; at < size; at++)
            p[at] = -p[at];
        leapfrogs(fresh, step, n, kick, q, p, back);
        for (size_t l = 0; l < LANES; l++)
            good &= at_end(q, x, size, l, change[l]);
    }
    cs_block_destroy(b);
    cs_block_destroy(fresh);
    return good;
}
