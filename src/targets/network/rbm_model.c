/* Learning of restricted Boltzmann machines. With p = W v + c,
 *
 *     d logp / dW_ji = sigmoid(p_j) v_i,  / db_i = v_i,  / dc_j = sigmoid(p_j).
 *
 * Annealed importance sampling uses a path on which block Gibbs is exact,
 *
 *     f_t(v) = sum over h of exp(t h'(W v + c) + ((1 - t) b0 + t b)'v),
 *     log f_t(v) = sum_j log(1 + exp t p_j) + ((1 - t) b0 + t b)'v,
 *     h ~ sigmoid(t p),  v ~ sigmoid(t W'h + (1 - t) b0 + t b)
 *
 * (Salakhutdinov and Murray, On the quantitative analysis of deep belief
 * networks, 2008, except that they use the hidden units of two machines). The
 * program released with the papers on discrete samplers uses transitions for
 * f_1 at every temperature, so the weights in that program do not estimate Z.
 * Hot. */
#include "simd/matmul.h"
#include "simd/vlanes.h"
#include "simd/vmath.h"
#include "targets/network/rbm.h"

#include <string.h>

enum { STRIP = 12 /* number of rows of W whose slopes are summed together */ };

/* Computes p[hidden][lanes] = W v + c. */
static void activations(const cs_rbm *m, const cs_point *at, double *p)
{
    cs_matmul(m->w, m->hidden, m->visible, m->visible, at->x, at->lanes, p);
    for (size_t j = 0; j < m->hidden; j++)
        for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
            *(cs_vd *)(p + j * at->lanes + l) += m->c[j];
}

/* ---- the slope ----------------------------------------------------------- */

static void weigh(const cs_rbm *m, const cs_point *at, const double *p,
                  double *logp)
{
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t i = 0; i < m->visible; i++)
            sum += m->b[i] * *(const cs_vd *)(at->x + i * at->lanes + l);
        for (size_t j = 0; j < m->hidden; j++)
            sum += cs_vsoftplus(*(const cs_vd *)(p + j * at->lanes + l));
        *(cs_vd *)(logp + l) = sum;
    }
}

/* Adds the product of p and the transpose of v to d, for the rows of a strip:
 * d[j][] += p[j][] vt. `y` is scratch memory. */
static void add_strip(const cs_rbm *m, const cs_point *at, const double *p,
                      const double *vt, size_t wide, size_t rows, double *y,
                      double *d)
{
    cs_matmul(p, rows, at->lanes, at->live, vt, wide, y);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < m->visible; i++)
            d[j * m->visible + i] += y[j * wide + i];
}

/* Computes the slope of log p in all parameters. Scratch: p, then v transposed,
 * then a strip of rows. */
static void slope(const cs_target *t, const cs_point *at, const double *weight,
                  double *logp, double *d)
{
    const cs_rbm *m = t->self;
    size_t lanes = at->lanes, wide = cs_pad_lanes(m->visible);
    double *p = at->scratch, *vt = p + m->hidden * lanes,
           *y = vt + wide * lanes;
    double *db = d + m->hidden * m->visible, *dc = db + m->visible;
    activations(m, at, p);
    if (logp)
        weigh(m, at, p, logp);
    for (size_t j = 0; j < m->hidden; j++) {
        for (size_t l = 0; l < lanes; l += CS_VECTOR) {
            cs_vd *to = (cs_vd *)(p + j * lanes + l);
            *to = cs_vsigmoid(*to) * *(const cs_vd *)(weight + l);
        }
        for (size_t l = 0; l < at->live; l++)
            dc[j] += p[j * lanes + l];
    }
    memset(vt, 0, wide * lanes * sizeof *vt);
    for (size_t i = 0; i < m->visible; i++)
        for (size_t l = 0; l < at->live; l++) {
            vt[l * wide + i] = at->x[i * lanes + l];
            db[i] += weight[l] * at->x[i * lanes + l];
        }
    for (size_t j = 0; j < m->hidden; j += STRIP) {
        size_t rows = m->hidden - j < STRIP ? m->hidden - j : STRIP;
        add_strip(m, at, p + j * lanes, vt, wide, rows, y, d + j * m->visible);
    }
}

/* ---- annealing ----------------------------------------------------------- */

/* Adds log f_to - log f_from at the present states to log_weight. */
static void reweigh(const cs_rbm *m, const cs_point *at, const cs_anneal *a,
                    const double *p)
{
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t i = 0; i < m->visible; i++)
            sum += (m->b[i] - a->base[i]) *
                   *(const cs_vd *)(at->x + i * at->lanes + l);
        sum *= a->to - a->from;
        for (size_t j = 0; j < m->hidden; j++) {
            cs_vd at_1 = *(const cs_vd *)(p + j * at->lanes + l);
            sum += cs_vsoftplus(at_1 * a->to) - cs_vsoftplus(at_1 * a->from);
        }
        *(cs_vd *)(a->log_weight + l) += sum;
    }
}

/* Draws bits: bit = 1 with probability sigmoid(to field + bias). */
static void decide(const double *uniform, size_t lanes, double to, double bias,
                   const double *field, double *bit)
{
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd chance = cs_vsigmoid(*(const cs_vd *)(field + l) * to + bias);
        cs_vi set = *(const cs_vd *)(uniform + l) < chance;
        *(cs_vd *)(bit + l) = cs_vselect(set, cs_vset(1), cs_vset(0));
    }
}

/* Runs annealed importance sampling. Scratch: fields, then hidden units, then
 * uniforms. */
static void anneal(const cs_target *t, const cs_point *at, const cs_anneal *a)
{
    const cs_rbm *m = t->self;
    size_t lanes = at->lanes, most = m->stride + cs_pad_lanes(m->visible);
    double *field = at->scratch, *h = field + most * lanes,
           *uniform = h + m->stride * lanes, to = a->to;
    activations(m, at, field);
    reweigh(m, at, a, field);
    cs_fill_uniform(a->streams, CS_FOR_AUXILIARY, m->hidden, uniform);
    for (size_t j = 0; j < m->hidden; j++)
        decide(uniform + j * lanes, lanes, to, 0, field + j * lanes,
               h + j * lanes);
    cs_matmul(m->wt, m->visible, m->stride, m->hidden, h, lanes, field);
    cs_fill_uniform(a->streams, CS_FOR_PROPOSAL, m->visible, uniform);
    for (size_t i = 0; i < m->visible; i++)
        decide(uniform + i * lanes, lanes, to,
               (1 - to) * a->base[i] + to * m->b[i], field + i * lanes,
               a->x + i * lanes);
}

/* ---- derived tables ------------------------------------------------------ */

/* Rounds to multiples of the grain. The grain is a power of two, so that both
 * scalings are exact. */
static void round_to(double grain, size_t n, const double *from, double *to)
{
    const cs_vd big = cs_vset(0x1.8p52);
    double turn = 1 / grain;
    for (size_t k = 0; k < n; k++) {
        double grains = from[k] * turn + big[0];
        to[k] = (grains - big[0]) * grain;
    }
}

/* Computes row i of the transposed tables from column i of W. */
static void remake_row(const cs_rbm *m, size_t i)
{
    size_t at = i * m->stride;
    double *wt = m->wt + at, turn = 1 / m->grain;
    for (size_t j = 0; j < m->hidden; j++)
        wt[j] = m->w[j * m->visible + i];
    for (size_t j = 0; j < m->stride; j += CS_VECTOR) {
        cs_vd w = *(const cs_vd *)(wt + j), grow = cs_vexp(w);
        *(cs_vd *)(m->grow + at + j) = grow;
        *(cs_vd *)(m->shrink + at + j) = cs_vexp(-w);
    }
    for (size_t j = 0; j < m->hidden; j++)
        m->grains[at + j] = (int32_t)(wt[j] * turn);
}

static void changed(cs_target *t)
{
    cs_rbm *m = t->self;
    size_t n = m->hidden * m->visible;
    cs_rbm_bound(m, t->learned);
    round_to(m->grain, n, t->learned, m->w);
    memcpy(m->b, t->learned + n, m->visible * sizeof *m->b);
    round_to(m->grain, m->hidden, t->learned + n + m->visible, m->c);
    for (size_t i = 0; i < m->visible; i++)
        remake_row(m, i);
    cs_rbm_remake_rest(m);
}

const cs_model_type CS_VARIANT(cs_rbm_model) = {
    .copy = cs_rbm_copy,
    .slope = slope,
    .changed = changed,
    .begin = cs_rbm_begin,
    .filter = cs_rbm_filter,
    .log_z0 = cs_rbm_log_z0,
    .anneal = anneal,
};
