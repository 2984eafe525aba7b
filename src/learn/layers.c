/* Layers of a Boltzmann machine: see learn/layers.h. Hot. */
#include "learn/layers.h"

#include "simd/matmul.h"
#include "simd/vmath.h"

/* p = sigmoid(p + bias). */
static void squash(const float *bias, size_t units, size_t lanes, float *p)
{
    for (size_t i = 0; i < units; i++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR) {
            cs_vd x = cs_vwiden(p + i * lanes + l) + (double)bias[i];
            cs_vd e = cs_vexp_below(-cs_vabs(x));
            x = cs_vselect(x < 0.0, e, cs_vset(1)) / (1.0 + e);
            cs_vnarrow(p + i * lanes + l, x);
        }
}

/* u = b'v + sum_j log(1 + exp(p_j + c_j)). */
static void weigh(const cs_layers *m, const float *v, size_t lanes,
                  const float *p, double *logp)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t j = 0; j < m->hidden; j++)
            sum += cs_vsoftplus(cs_vwiden(p + j * lanes + l) + (double)m->c[j]);
        for (size_t i = 0; i < m->visible; i++)
            sum += (double)m->b[i] * cs_vwiden(v + i * lanes + l);
        *(cs_vd *)(logp + l) = sum;
    }
}

static void up(const cs_layers *m, const float *v, size_t lanes, float *p,
               double *logp)
{
    cs_matmul_float(m->w, m->hidden, m->wide, m->visible, v, lanes, p);
    if (logp)
        weigh(m, v, lanes, p, logp);
    squash(m->c, m->hidden, lanes, p);
}

static void down(const cs_layers *m, const float *h, size_t lanes, float *p)
{
    cs_matmul_float(m->wt, m->visible, m->hidden, m->hidden, h, lanes, p);
    squash(m->b, m->visible, lanes, p);
}

static void bernoulli(const double *uniform, size_t n, float *p)
{
    for (size_t k = 0; k < n; k++)
        p[k] = uniform[k] < (double)p[k] ? 1.0f : 0.0f;
}

static void outer_products(const cs_layers *m, const float *h, size_t lanes,
                           const float *vt, size_t live, float *g)
{
    cs_matmul_float(h, m->hidden, lanes, live, vt, m->wide, g);
}

static void transpose(const cs_layers *m)
{
    for (size_t j = 0; j < m->hidden; j++)
        for (size_t i = 0; i < m->visible; i++)
            m->wt[i * m->hidden + j] = m->w[j * m->wide + i];
}

const cs_layers_ops CS_VARIANT(cs_layers_hot) = {
    .up = up,
    .down = down,
    .bernoulli = bernoulli,
    .outer_products = outer_products,
    .transpose = transpose};
