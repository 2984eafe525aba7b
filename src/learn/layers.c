/* Layers of a restricted Boltzmann machine: see learn/layers.h. Hot. */
#include "learn/layers.h"

#include "simd/matmul.h"
#include "simd/vfloat.h"

enum {
    STRIP = 24,   /* number of rows of a matrix that remain in the cache while
                   * all lanes are processed */
    ROWS = 8,     /* number of rows that are transposed together; each row is
                   * read as a stream */
    FACTORS = 512 /* number of factors between 1 and 2 that can be multiplied
                   * without overflow */
};

/* Computes y[rows][lanes] = a[rows][cols] x[cols][lanes]. */
static void product(const float *a, size_t rows, size_t stride, size_t cols,
                    const float *x, size_t lanes, float *y)
{
    for (size_t i = 0; i < rows; i += STRIP)
        cs_matmul_float(a + i * stride, rows - i < STRIP ? rows - i : STRIP,
                        stride, cols, x, lanes, y + i * lanes);
}

/* Replaces p by sigmoid(x), x = p + bias, and sets e = exp(-|x|); returns x. */
static inline cs_vf squash(float *p, float bias, cs_vf *e)
{
    cs_vf x = *(cs_vf *)p + bias, size = cs_vfmax(x, -x);
    *e = cs_vfexp_below(-size);
    cs_vwhole below = (cs_vwhole)(x < 0.0f), one = (cs_vwhole)cs_vfset(1);
    cs_vf top = (cs_vf)((below & (cs_vwhole)*e) | (~below & one));
    *(cs_vf *)p = top / (1.0f + *e);
    return x;
}

static void squash_all(const float *bias, size_t units, size_t lanes, float *p)
{
    cs_vf e;
    for (size_t i = 0; i < units; i++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            squash(p + i * lanes + l, bias[i], &e);
}

/* Does the work of squash for all hidden units. Also computes logp = b'v +
 * sum_j log(1 + exp(p_j + c_j)). Up to FACTORS factors 1 + exp(-|x|) are
 * multiplied, and only one logarithm, that of the product, is computed for
 * these factors. */
static void squash_and_weigh(const cs_layers *m, const float *v, size_t lanes,
                             float *p, double *logp)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0), factors = cs_vset(1);
        for (size_t i = 0; i < m->visible; i++)
            sum += (double)m->b[i] * cs_vwiden(v + i * lanes + l);
        for (size_t j = 0; j < m->hidden; j++) {
            cs_vf e, x = squash(p + j * lanes + l, m->c[j], &e);
            sum += cs_vfwiden(cs_vfmax(x, cs_vfset(0)));
            factors *= 1.0 + cs_vfwiden(e);
            if (j % FACTORS < FACTORS - 1 && j + 1 < m->hidden)
                continue;
            sum += cs_vlog(factors);
            factors = cs_vset(1);
        }
        *(cs_vd *)(logp + l) = sum;
    }
}

static void up(const cs_layers *m, const float *v, size_t lanes, float *p,
               double *logp)
{
    product(m->w, m->hidden, m->wide, m->visible, v, lanes, p);
    if (logp)
        squash_and_weigh(m, v, lanes, p, logp);
    else
        squash_all(m->c, m->hidden, lanes, p);
}

static void down(const cs_layers *m, const float *h, size_t lanes, float *p)
{
    product(m->wt, m->visible, m->hidden, m->hidden, h, lanes, p);
    squash_all(m->b, m->visible, lanes, p);
}

static void bernoulli(const double *uniform, size_t n, const float *p,
                      float *bit)
{
    for (size_t k = 0; k < n; k++)
        bit[k] = uniform[k] < (double)p[k] ? 1.0f : 0.0f;
}

/* Transposes a matrix: to[cols][to_stride] = from[rows][stride]'. */
static void turn(const float *from, size_t rows, size_t stride, size_t cols,
                 size_t to_stride, float *to)
{
    size_t r = 0;
    for (; r + ROWS <= rows; r += ROWS)
        for (size_t k = 0; k < cols; k++)
            for (size_t i = r; i < r + ROWS; i++)
                to[k * to_stride + i] = from[i * stride + k];
    for (; r < rows; r++)
        for (size_t k = 0; k < cols; k++)
            to[k * to_stride + r] = from[r * stride + k];
}

static void contrast(const cs_layers *m, const cs_contrast *c, float *g)
{
    size_t lanes = c->lanes;
    float *gb = g + m->hidden * m->wide, *gc = gb + m->wide;
    for (size_t i = 0; i < m->wide + m->hidden; i++)
        gb[i] = 0;
    for (size_t half = 0; half < 2; half++) {
        float share = (half ? 1.0f : -1.0f) / (float)c->live;
        float *vt = c->vt + half * lanes * m->wide;
        turn(c->v[half], m->visible, lanes, c->live, m->wide, vt);
        for (size_t l = 0; l < c->live; l++)
            for (size_t i = 0; i < m->visible; i++)
                gb[i] += share * vt[l * m->wide + i];
        for (size_t j = 0; j < m->hidden; j++) {
            float *to = c->both + (2 * j + half) * lanes;
            for (size_t l = 0; l < lanes; l++)
                to[l] = share * c->h[half][j * lanes + l];
            for (size_t l = 0; l < c->live; l++)
                gc[j] += to[l];
        }
    }
    product(c->both, m->hidden, 2 * lanes, 2 * lanes, c->vt, m->wide, g);
}

static void transpose(const cs_layers *m)
{
    turn(m->w, m->hidden, m->wide, m->visible, m->hidden, m->wt);
}

const cs_layers_ops CS_VARIANT(cs_layers_hot) = {.up = up,
                                                 .down = down,
                                                 .bernoulli = bernoulli,
                                                 .contrast = contrast,
                                                 .transpose = transpose};
