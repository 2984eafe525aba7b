/* Restricted Boltzmann machines of bits v, with the hidden units summed out:
 *
 *     log p(v) = sum_j log(1 + exp p_j) + sum_i b_i v_i,   p = W v + c,
 *
 * as in the papers on gradient-based discrete samplers (for example the
 * appendix of Grathwohl et al., Oops I took a gradient, 2021). The cache of a
 * lane is p and t = exp -|p|. Sums of weights are exact (rbm.h): to compute p
 * of a proposal, the rows of W whose bits have changed are added to p of the
 * state. The result has the same bits as the matrix product, and rounding
 * errors do not accumulate. For the site differences
 *
 *     log(1 + exp(p_j + w)) - log(1 + exp p_j), w = +-W_ji,
 *
 * the exponentials of w are tabulated, and one logarithm is taken for many
 * j. */
#include "targets/network/rbm.h"

#include "simd/matmul.h"
#include "simd/matmul_winograd.h"
#include "simd/simd.h"
#include "simd/vfloat.h"
#include "simd/vlanes.h"
#include <string.h>

/* Adds the bias of each unit to field[units][lanes]. */
static void add_bias(const double *bias, size_t units, size_t lanes,
                     double *field)
{
    for (size_t k = 0; k < units; k++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR)
            *(cs_vd *)(field + k * lanes + l) += bias[k];
}

/* ---- p ------------------------------------------------------------------- */

/* The bits in which two states differ. Each lane l has a list of entries, which
 * starts at change[l * most]. The entry for bit i is 2 i if the bit has become
 * 1, and 2 i + 1 if the bit has become 0. */
typedef struct changes {
    uint32_t *count, *change; /* count[lanes]: number of changes;
                                 change[lanes][most]: the changes */
} changes;

static changes room_for_changes(const cs_rbm *m, const cs_point *at)
{
    uint32_t *count = (void *)(at->scratch + 3 * m->stride * at->lanes);
    return (changes){count, count + 2 * at->lanes};
}

/* Records the changes of site i in eight lanes; returns false if there are too
 * many. */
static bool note_changes(const cs_rbm *m, changes c, size_t lane, size_t i,
                         unsigned left, unsigned down)
{
    for (; left; left &= left - 1) {
        unsigned k = (unsigned)__builtin_ctz(left);
        uint32_t *n = &c.count[lane + k];
        if (*n == m->most)
            return false;
        c.change[(lane + k) * m->most + (*n)++] =
            (uint32_t)(2 * i) | (down >> k & 1);
    }
    return true;
}

static bool find_changes(const cs_rbm *m, const cs_point *at, changes c)
{
    for (size_t l = 0; l < at->lanes; l++)
        c.count[l] = 0;
    for (size_t i = 0; i < m->visible; i++)
        for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
            cs_vd x = *(const cs_vd *)(at->x + i * at->lanes + l);
            cs_vd from = *(const cs_vd *)(at->from + i * at->lanes + l);
            unsigned differ = cs_vmask_bits(cs_vmask_differ(x, from));
            unsigned down = cs_vmask_bits(cs_vmask_less(x, from));
            if (differ && !note_changes(m, c, l, i, differ, down))
                return false;
        }
    return true;
}

enum { SOME = 4 };

/* Adds changed rows of one lane to sum[stride]. Adds the first SOME of the n
 * rows, or all rows if n is smaller. If `first` is true, sets sum to the total
 * of these rows instead. Adding several rows at once needs fewer loads and
 * stores of the sum. */
static void add_some(const cs_rbm *m, const uint32_t *change, size_t n,
                     bool first, double *sum)
{
    const int32_t *row[SOME];
    cs_vd sign[SOME];
#pragma GCC unroll 8
    for (size_t k = 0; k < SOME; k++) {
        uint32_t what = k < n ? change[k] : 0;
        row[k] = m->grains + (what >> 1) * m->stride;
        sign[k] = cs_vset(k >= n ? 0 : what & 1 ? -m->grain : m->grain);
    }
    for (size_t j = 0; j < m->stride; j += CS_VECTOR) {
        cs_vd total = first ? cs_vset(0) : *(const cs_vd *)(sum + j);
#pragma GCC unroll 8
        for (size_t k = 0; k < SOME; k++)
            total = cs_vfma(sign[k], cs_vwiden_int(row[k] + j), total);
        *(cs_vd *)(sum + j) = total;
    }
}

/* Computes p of eight lanes; sum[CS_VECTOR][stride] is scratch. */
static void follow_eight(const cs_rbm *m, const cs_point *at, changes c,
                         size_t l, double *sum)
{
    size_t stride = m->stride;
    for (size_t k = 0; k < CS_VECTOR; k++) {
        const uint32_t *change = c.change + (l + k) * m->most;
        size_t n = c.count[l + k], done = 0;
        do {
            add_some(m, change + done, n - done, !done, sum + k * stride);
            done += SOME;
        } while (done < n);
    }
    for (size_t j = 0; j < m->hidden; j += CS_VECTOR) {
        cs_vd tile[CS_VECTOR];
        for (size_t k = 0; k < CS_VECTOR; k++)
            tile[k] = *(const cs_vd *)(sum + k * stride + j);
        cs_vtranspose(tile);
        for (size_t k = 0; k < CS_VECTOR && j + k < m->hidden; k++) {
            size_t to = (j + k) * at->lanes + l;
            *(cs_vd *)(at->cache + to) =
                *(const cs_vd *)(at->from_cache + to) + tile[k];
        }
    }
}

/* Updates p from the value of p at the present states. Returns false if a full
 * computation of p is cheaper. */
static bool follow(const cs_rbm *m, const cs_point *at)
{
    changes c = room_for_changes(m, at);
    if (!at->from || !find_changes(m, at, c))
        return false;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
        follow_eight(m, at, c, l, at->scratch);
    return true;
}

static void multiply(const cs_rbm *m, const cs_point *at)
{
    cs_matmul(m->w, m->hidden, m->visible, m->visible, at->x, at->lanes,
              at->cache);
    add_bias(m->c, m->hidden, at->lanes, at->cache);
}

/* ---- log p and its gradient ---------------------------------------------- */

/* Computes p, t and log p. */
static void activate(const cs_rbm *m, const cs_point *at, double *logp)
{
    size_t lanes = at->lanes;
    if (!follow(m, at))
        multiply(m, at);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_log_product rest = cs_log_product_one();
        cs_vd sum = cs_vset(0);
        double *t = at->cache + m->hidden * lanes;
        for (size_t i = 0; i < m->visible; i++)
            sum += m->b[i] * *(const cs_vd *)(at->x + i * lanes + l);
        for (size_t j = 0; j < m->hidden; j++) {
            cs_vd p = *(const cs_vd *)(at->cache + j * lanes + l);
            cs_vd e = cs_vexp_below(-cs_vabs(p));
            *(cs_vd *)(t + j * lanes + l) = e;
            sum += cs_vmax(p, cs_vset(0));
            cs_log_product_times(&rest, 1.0 + e);
        }
        *(cs_vd *)(logp + l) = sum + cs_log_product_end(&rest);
    }
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    activate(t->self, at, logp);
}

/* Returns size / 2 with the sign of p. Centred activations are
 *
 *     size (sigmoid(p) - 1/2) = +-size / 2 (1 - t) / (1 + t). */
static inline cs_vd half_size(const cs_rbm *m, cs_vd p)
{
    return cs_vcopysign(cs_vset(m->size / 2), p);
}

/* Computes g = b + W' sigmoid(p), with centred activations scaled to the size
 * of W. */
static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const cs_rbm *m = t->self;
    size_t lanes = at->lanes, rest = m->hidden * lanes;
    activate(m, at, logp);
    for (size_t k = 0; k < rest; k += CS_VECTOR) {
        cs_vd p = *(const cs_vd *)(at->cache + k);
        cs_vd e = *(const cs_vd *)(at->cache + rest + k);
        *(cs_vd *)(at->scratch + k) = half_size(m, p) * (1.0 - e) / (1.0 + e);
    }
    cs_matmul_winograd(m->wt, m->pairs, m->visible, m->stride, m->hidden,
                       at->scratch, lanes, g);
    for (size_t i = 0; i < m->visible; i++)
        for (size_t k = i * lanes; k < (i + 1) * lanes; k += CS_VECTOR)
            *(cs_vd *)(g + k) =
                cs_vfma(*(const cs_vd *)(g + k), cs_vset(1 / m->size),
                        cs_vset(m->centre[i]));
}

/* Returns the point with p and t. p and t are in the point's cache. If the
 * point has no cache, they are in scratch. */
static cs_point with_cache(const cs_rbm *m, const cs_point *at)
{
    cs_point here = *at;
    if (at->cache)
        return here;
    here.cache = at->scratch + m->hidden * at->lanes;
    here.from = NULL;
    activate(m, &here, here.cache + 2 * m->hidden * at->lanes);
    return here;
}

/* Computes the gradient in single precision. */
static void force(const cs_target *t, const cs_point *at, float *g)
{
    const cs_rbm *m = t->self;
    size_t lanes = at->lanes, rest = m->hidden * lanes;
    const cs_point here = with_cache(m, at);
    float *s = (float *)(void *)at->scratch;
    for (size_t k = 0; k < rest; k += CS_VECTOR) {
        cs_vd p = *(const cs_vd *)(here.cache + k);
        cs_vf e = cs_vfround(*(const cs_vd *)(here.cache + rest + k));
        cs_vf half = cs_vfround(half_size(m, p));
        *(cs_vf *)(s + k) = half * (1.0f - e) / (1.0f + e);
    }
    cs_matmul_winograd_float(m->single, m->pairs_single, m->visible, m->hidden,
                             m->hidden, s, lanes, g);
    for (size_t i = 0; i < m->visible; i++)
        for (size_t k = i * lanes; k < (i + 1) * lanes; k += CS_VECTOR)
            *(cs_vf *)(g + k) = cs_vffma(*(const cs_vf *)(g + k),
                                         cs_vfset((float)(1 / m->size)),
                                         cs_vfset((float)m->centre[i]));
}

/* ---- sites --------------------------------------------------------------- */

/* A product of ratios. Two products of a few factors each are kept, and also
 * the log of all ratios before these. */
typedef struct ratio {
    cs_vd above, below, sum;
    size_t left;
} ratio;

static inline void ratio_times(const cs_rbm *m, ratio *r, cs_vd p, cs_vd t,
                               cs_vd e)
{
    cs_vi high = p > 0.0;
    cs_vd one = cs_vset(1);
    r->above *= cs_vfma(cs_vselect(high, one, t), e, cs_vselect(high, t, one));
    r->below *= 1.0 + t;
    if (--r->left)
        return;
    r->sum += cs_vlog(r->above) - cs_vlog(r->below);
    r->above = r->below = one;
    r->left = m->group;
}

/* Computes sum_j log(1 + exp(p_j + w_j)) - log(1 + exp p_j) for eight lanes;
 * row[k] holds exp w_j of lane k. */
static cs_vd rise(const cs_rbm *m, const cs_point *at, size_t l,
                  const double *const *row)
{
    const double *p = at->cache + l, *t = p + m->hidden * at->lanes;
    ratio r = {cs_vset(1), cs_vset(1), cs_vset(0), m->group};
    for (size_t j = 0; j < m->hidden; j += CS_VECTOR) {
        cs_vd e[CS_VECTOR];
        for (size_t k = 0; k < CS_VECTOR; k++)
            e[k] = *(const cs_vd *)(row[k] + j);
        cs_vtranspose(e);
        for (size_t k = 0; k < CS_VECTOR && j + k < m->hidden; k++)
            ratio_times(m, &r, *(const cs_vd *)(p + (j + k) * at->lanes),
                        *(const cs_vd *)(t + (j + k) * at->lanes), e[k]);
    }
    return r.sum + (cs_vlog(r.above) - cs_vlog(r.below));
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const cs_rbm *m = t->self;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        const double *row[CS_VECTOR];
        cs_vd x, b;
        for (size_t k = 0; k < CS_VECTOR; k++) {
            size_t i = where[l + k];
            x[k] = at->x[i * at->lanes + l + k];
            b[k] = m->b[i];
            row[k] = (x[k] == 0 ? m->grow : m->shrink) + i * m->stride;
        }
        cs_vd flip = rise(m, at, l, row) + (1.0 - 2.0 * x) * b;
        *(cs_vd *)(d + l) = cs_vselect(x != 0.0, flip, cs_vset(0));
        *(cs_vd *)(d + at->lanes + l) = cs_vselect(x != 0.0, cs_vset(0), flip);
    }
}

/* Updates p and t of one lane after the change of a bit, eight hidden units at
 * a time. row holds the weights of the bit. */
static void move_lane(const cs_rbm *m, const cs_point *at, size_t l,
                      const double *row, double change)
{
    double *p = at->cache + l, *t = p + m->hidden * at->lanes;
    for (size_t j = 0; j < m->hidden; j += CS_VECTOR) {
        size_t left = m->hidden - j, n = left < CS_VECTOR ? left : CS_VECTOR;
        double now[CS_VECTOR] = {0}, e[CS_VECTOR];
        for (size_t k = 0; k < n; k++)
            now[k] = p[(j + k) * at->lanes] + change * row[j + k];
        cs_vd all;
        __builtin_memcpy(&all, now, sizeof all);
        all = cs_vexp_below(-cs_vabs(all));
        __builtin_memcpy(e, &all, sizeof e);
        for (size_t k = 0; k < n; k++) {
            p[(j + k) * at->lanes] = now[k];
            t[(j + k) * at->lanes] = e[k];
        }
    }
}

static void site_moved(const cs_target *t, const cs_point *at,
                       const uint32_t *where, const double *value)
{
    const cs_rbm *m = t->self;
    for (size_t l = 0; l < at->lanes; l++) {
        double change = value[l] - at->x[where[l] * at->lanes + l];
        if (change != 0)
            move_lane(m, at, l, m->wt + where[l] * m->stride, change);
    }
}

/* ---- layers -------------------------------------------------------------- */

/* Draws n bits: each bit is 1 with probability sigmoid(field). */
static void decide(const double *uniform, size_t n, const double *field,
                   double *bit)
{
    for (size_t k = 0; k < n; k += CS_VECTOR) {
        cs_vd f = *(const cs_vd *)(field + k);
        cs_vd e = cs_vexp_below(-cs_vabs(f));
        cs_vd logp = *(const cs_vd *)(uniform + k) * (1.0 + e);
        cs_vi set = logp < cs_vselect(f > 0.0, cs_vset(1), e);
        *(cs_vd *)(bit + k) = cs_vselect(set, cs_vset(1), cs_vset(0));
    }
}

static void note_moved(const cs_point *at, size_t rows, const double *y,
                       bool *moved)
{
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vi differ = {0};
        for (size_t k = l; k < rows * at->lanes; k += at->lanes)
            differ |= *(const cs_vd *)(at->x + k) != *(const cs_vd *)(y + k);
        for (size_t k = 0; k < CS_VECTOR; k++)
            moved[l + k] = differ[k] != 0;
    }
}

/* Draws the hidden units given the visible units, then the visible units given
 * the hidden units. Scratch: the fields, the hidden units, the visible units
 * and the uniforms. */
static void resample(const cs_target *t, const cs_point *at,
                     const cs_streams *s, size_t times, double *x, bool *moved)
{
    const cs_rbm *m = t->self;
    size_t lanes = at->lanes, most = m->stride + m->visible;
    double *field = at->scratch, *h = field + most * lanes;
    double *y = h + m->hidden * lanes, *uniform = y + m->visible * lanes;
    cs_streams some = *s;
    for (size_t k = 0; k < times; k++) {
        const double *v = k ? y : at->x;
        cs_matmul(m->w, m->hidden, m->visible, m->visible, v, lanes, field);
        add_bias(m->c, m->hidden, lanes, field);
        some.skip = k * m->stride;
        cs_fill_uniform(&some, CS_FOR_AUXILIARY, m->hidden, uniform);
        decide(uniform, m->hidden * lanes, field, h);
        cs_matmul(m->wt, m->visible, m->stride, m->hidden, h, lanes, field);
        add_bias(m->b, m->visible, lanes, field);
        some.skip = k * (m->visible + m->visible % 2);
        cs_fill_uniform(&some, CS_FOR_PROPOSAL, m->visible, uniform);
        decide(uniform, m->visible * lanes, field, y);
    }
    note_moved(at, m->visible, y, moved);
    memcpy(x, y, m->visible * lanes * sizeof *x);
}

const cs_target_type CS_VARIANT(cs_target_rbm) = {
    .name = "rbm",
    .title = "Restricted Boltzmann machine",
    .ref = "Smolensky 1986; Hinton, Training products of experts by minimizing "
           "contrastive divergence, 2002",
    .help = "The visible units of a restricted Boltzmann machine, summed over "
            "all states of the hidden units. Weights are rounded to "
            "multiples of 2^-30 times the largest weight.",
    .params = cs_rbm_params,
    .n_params = CS_RBM_PARAMS,
    .size = sizeof(cs_rbm),
    .create = cs_rbm_create,
    .destroy = cs_rbm_destroy,
    .log_density = log_density,
    .gradient = gradient,
    .force = force,
    .sites.site = site,
    .sites.moved = site_moved,
    .sites.resample = resample,
    .exact.draw = cs_rbm_draw,
    .coordinate = cs_rbm_coordinate,
    .model = &CS_VARIANT(cs_rbm_model),
};
