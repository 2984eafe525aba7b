/* Energy networks. log p is the sum of a residual network f, which is a scalar
 * function of a binary or grey image, and a base measure:
 *
 *     log p(x) = f(s x) + sum_i base_i(x_i),     s x in 0..1,
 *     h = swish(enter(s x)),   swish(z) = z / (1 + exp -z),
 *     a = swish(first(h)),   h <- swish(second(a) + shortcut(h))  a block,
 *     f = sum_c w_c mean(h_c).
 *
 * Layers are convolutions of 3 x 3 (some blocks halve the image, and their
 * shortcut is a convolution of 1 x 1), or dense (every map is one number, and
 * there is one map per input pixel). This is the network of Grathwohl et al.,
 * "Oops I took a gradient" (2021), which Pynadath, Bhattacharya, Hariharan and
 * Zhang, "Gradient-based discrete sampling with automatic cyclical scheduling"
 * (2024), section 6.2, sample and learn, with a Bernoulli base measure given by
 * the pixels' means. The original network has 64 maps and eight blocks. The
 * base measure of grey values is exp(-(s x_i - mean_i)^2 / (2 variance)),
 * without its constant.
 *
 * Arrays are [map][row][column][lane]. A convolution is one matrix product for
 * each output row, over the windows of that row. */
#include "targets/network/energy_network.h"

#include "simd/matmul.h"
#include "simd/simd.h"
#include "simd/vlanes.h"

#include <string.h>

/* Layout of a pass in the scratch of a point. */
typedef struct pass {
    const cs_energy_network *m;
    size_t lanes, live;
    double *value;          /* [values][lanes] values of the units of all
                               layers */
    double *slope;          /* [values][lanes] derivatives of swish at the
                               inputs of all activations */
    double *input;          /* [dim][lanes] the network's input, s x */
    double *windows, *line; /* windows[window][lanes]: the windows of an output
                               row; line[line][lanes]: one output row */
    double *back, *other, *through; /* [widest][lanes] each: gradients with
                                       respect to the values of a layer */
    double *learned; /* the gradient with respect to the weights is added to
                        this array; NULL: that gradient is not needed */
    double *picture, *lane, *sum; /* arrays for a single lane: see learn_lane */
} pass;

static pass begin(const cs_energy_network *m, const cs_point *at)
{
    size_t n = at->lanes, dim = m->rows * m->cols;
    pass p = {.m = m, .lanes = n, .live = at->live, .value = at->scratch};
    p.slope = p.value + m->values * n;
    p.input = p.slope + m->values * n;
    p.windows = p.input + dim * n;
    p.line = p.windows + m->window * n;
    p.back = p.line + m->line * n;
    p.other = p.back + m->widest * n;
    p.through = p.other + m->widest * n;
    p.picture = p.through + m->widest * n; /* this memory exists only for
                                              learning */
    p.lane = p.picture + m->picture;
    p.sum = p.lane + cs_pad_lanes(m->widest);
    return p;
}

/* ---- one layer ----------------------------------------------------------- */

/* Returns the number of output values of a layer per lane. */
static size_t size_of(const cs_convolution *c)
{
    return c->out * c->to_rows * c->to_cols;
}

/* Returns true if the layer's windows consist of its input values in the same
 * order. */
static bool is_plain(const cs_convolution *c)
{
    return c->size == 1 && c->step == 1;
}

/* Copies row `row` of a map for tap v of the windows. The copy is shifted by
 * the offset of the tap; values beyond the edges are 0. */
static void see(const cs_convolution *c, const double *row, size_t v,
                size_t lanes, double *window)
{
    for (size_t k = 0; k < c->to_cols; k++, window += lanes) {
        size_t at = c->step * k + v - c->size / 2; /* may wrap below 0; the
                                                      comparison with the size
                                                      then fails */
        if (row && at < c->cols)
            memcpy(window, row + at * lanes, lanes * sizeof *window);
        else
            memset(window, 0, lanes * sizeof *window);
    }
}

/* Returns row `at` of map i; NULL if it is beyond the edge. */
static const double *row_of(const cs_convolution *c, const double *in, size_t i,
                            size_t at, size_t lanes)
{
    return at < c->rows ? in + (i * c->rows + at) * c->cols * lanes : NULL;
}

/* Fills windows[taps][to_cols][lanes] for output row r. */
static void fill_windows(const cs_convolution *c, const double *in, size_t r,
                         size_t lanes, double *windows)
{
    for (size_t i = 0; i < c->in; i++)
        for (size_t u = 0; u < c->size; u++) {
            size_t at = c->step * r + u - c->size / 2;
            const double *row = row_of(c, in, i, at, lanes);
            for (size_t v = 0; v < c->size; v++) {
                see(c, row, v, lanes, windows);
                windows += c->to_cols * lanes;
            }
        }
}

/* Adds the bias to `line`, which holds the product. Writes the sum to `out` or,
 * if `add` is true, adds the sum to `out`. */
static void add_line(const double *line, double bias, size_t n, bool add,
                     double *out)
{
    for (size_t k = 0; k < n; k += CS_VECTOR) {
        cs_vd sum = *(const cs_vd *)(line + k) + bias;
        if (add)
            sum += *(const cs_vd *)(out + k);
        *(cs_vd *)(out + k) = sum;
    }
}

/* Computes out[out][to_rows][to_cols][lanes], or, if `add` is true, adds the
 * result to `out`. */
static void convolve(const pass *p, const cs_convolution *c, const double *in,
                     bool add, double *out)
{
    const double *w = p->m->number + c->first, *bias = w + c->out * c->taps;
    size_t plain = is_plain(c);
    size_t lines = plain ? 1 : c->to_rows;
    size_t n = p->lanes * c->to_cols * (plain ? c->to_rows : 1);
    for (size_t r = 0; r < lines; r++) {
        if (!plain)
            fill_windows(c, in, r, p->lanes, p->windows);
        cs_matmul(w, c->out, c->taps, c->taps, plain ? in : p->windows, n,
                  p->line);
        for (size_t o = 0; o < c->out; o++)
            add_line(p->line + o * n, bias[o], n, add,
                     out + (o * lines + r) * n);
    }
}

/* Backward pass of `see`: scatter-adds the windows to the row. */
static void give_back(const cs_convolution *c, const double *window, size_t v,
                      size_t lanes, double *row)
{
    for (size_t k = 0; k < c->to_cols; k++, window += lanes) {
        size_t at = c->step * k + v - c->size / 2;
        for (size_t l = 0; at < c->cols && l < lanes; l += CS_VECTOR)
            *(cs_vd *)(row + at * lanes + l) += *(const cs_vd *)(window + l);
    }
}

static void give_windows_back(const cs_convolution *c, const double *windows,
                              size_t r, size_t lanes, double *in)
{
    for (size_t i = 0; i < c->in; i++)
        for (size_t u = 0; u < c->size; u++) {
            size_t at = c->step * r + u - c->size / 2;
            for (size_t v = 0; v < c->size; v++) {
                if (at < c->rows)
                    give_back(c, windows, v, lanes,
                              in + (i * c->rows + at) * c->cols * lanes);
                windows += c->to_cols * lanes;
            }
        }
}

/* Backward pass of `convolve`. `out` is the gradient with respect to the
 * layer's output. Adds the gradient with respect to the layer's input to
 * in[in][rows][cols][lanes]. */
static void convolve_back(const pass *p, const cs_convolution *c,
                          const double *out, double *in)
{
    size_t n = p->lanes * c->to_cols;
    for (size_t r = 0; r < c->to_rows; r++) {
        for (size_t o = 0; o < c->out; o++)
            memcpy(p->line + o * n, out + (o * c->to_rows + r) * n,
                   n * sizeof *out);
        cs_matmul(c->transposed, c->taps, c->out, c->out, p->line, n,
                  p->windows);
        give_windows_back(c, p->windows, r, p->lanes, in);
    }
}

/* ---- forward ------------------------------------------------------------- */

/* Replaces z by swish(z) and computes the derivative. With q = 1 / (1 + exp
 * -z), swish(z) is z q, and the derivative is q + z q (1 - q). */
static void swish(size_t n, double *value, double *slope)
{
    for (size_t k = 0; k < n; k += CS_VECTOR) {
        cs_vd z = *(const cs_vd *)(value + k), q = cs_vsigmoid(z), y = z * q;
        *(cs_vd *)(value + k) = y;
        *(cs_vd *)(slope + k) = cs_vfma(y, 1.0 - q, q);
    }
}

static void scale_input(const pass *p, const double *x)
{
    size_t n = p->m->rows * p->m->cols * p->lanes;
    for (size_t k = 0; k < n; k += CS_VECTOR)
        *(cs_vd *)(p->input + k) = *(const cs_vd *)(x + k) * p->m->scale;
}

/* Evaluates a block at h. Stores the values of the block from index *used on.
 * Returns the new h. */
static const double *forward_block(const pass *p, const cs_energy_block *b,
                                   const double *h, size_t *used)
{
    const cs_convolution *first = &p->m->layer[b->first];
    size_t n = size_of(first) * p->lanes;
    double *a = p->value + *used, *y = a + n, *slope = p->slope + *used;
    convolve(p, first, h, false, a);
    swish(n, a, slope);
    convolve(p, first + 1, a, false, y);
    if (b->halves)
        convolve(p, first + 2, h, true, y);
    else
        add_line(h, 0, n, true, y);
    swish(n, y, slope + n);
    *used += 2 * n;
    return y;
}

/* Computes values and slopes of all layers; returns the values of the last
 * layer. */
static const double *forward(const pass *p, const double *x)
{
    size_t used = size_of(p->m->layer) * p->lanes;
    const double *h = p->value;
    scale_input(p, x);
    convolve(p, p->m->layer, p->input, false, p->value);
    swish(used, p->value, p->slope);
    for (size_t k = 0; k < p->m->blocks; k++)
        h = forward_block(p, &p->m->block[k], h, &used);
    return h;
}

/* Computes logp = sum_c w_c mean(h_c). */
static void weigh(const pass *p, const double *h, double *logp)
{
    const double *w = p->m->number + p->m->head;
    for (size_t l = 0; l < p->lanes; l += CS_VECTOR) {
        cs_vd sum = cs_vset(0);
        for (size_t c = 0; c < p->m->channels; c++) {
            cs_vd map = cs_vset(0);
            for (size_t i = 0; i < p->m->last; i++)
                map +=
                    *(const cs_vd *)(h + (c * p->m->last + i) * p->lanes + l);
            sum = cs_vfma(cs_vset(w[c] / (double)p->m->last), map, sum);
        }
        *(cs_vd *)(logp + l) = sum;
    }
}

/* Returns the base measure of a pixel. For bits, this is the log mass of bit 0,
 * plus the pixel times the difference between the log masses of bit 1 and bit
 * 0. For grey values, it is minus the squared distance from the mean, divided
 * by 2 variance. */
static inline cs_vd base_of(const cs_energy_network *m, size_t dim, size_t i,
                            cs_vd pixel)
{
    double a = m->base[i], b = m->base[dim + i];
    if (m->scale == 1)
        return cs_vfma(cs_vset(b - a), pixel, cs_vset(a));
    cs_vd apart = pixel - a;
    return -b * (apart * apart);
}

static void add_base(const pass *p, double *logp)
{
    size_t dim = p->m->rows * p->m->cols;
    for (size_t i = 0; p->m->base && i < dim; i++)
        for (size_t l = 0; l < p->lanes; l += CS_VECTOR)
            *(cs_vd *)(logp + l) += base_of(
                p->m, dim, i, *(const cs_vd *)(p->input + i * p->lanes + l));
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    pass p = begin(t->self, at);
    weigh(&p, forward(&p, at->x), logp);
    add_base(&p, logp);
}

/* ---- learning ------------------------------------------------------------ */

/* Fills picture[to_rows to_cols][padded taps] with the windows of one lane;
 * each window is contiguous. */
static void picture_of(const cs_convolution *c, const double *in, size_t lanes,
                       size_t wide, double *picture)
{
    memset(picture, 0, c->to_rows * c->to_cols * wide * sizeof *picture);
    for (size_t r = 0; r < c->to_rows; r++)
        for (size_t k = 0; k < c->to_cols; k++, picture += wide)
            for (size_t tap = 0; tap < c->taps; tap++) {
                size_t v = tap % c->size, u = tap / c->size % c->size;
                size_t row = c->step * r + u - c->size / 2;
                size_t col = c->step * k + v - c->size / 2;
                size_t map = tap / (c->size * c->size);
                if (row < c->rows && col < c->cols)
                    picture[tap] =
                        in[((map * c->rows + row) * c->cols + col) * lanes];
            }
}

/* Adds the gradient with respect to a layer's weights, for one lane. This
 * gradient is a matrix product over the pixels. Its factors are `in`, the input
 * values of the layer, and `out`, the gradient with respect to the output of
 * the layer. */
static void learn_lane(const pass *p, const cs_convolution *c, const double *in,
                       const double *out)
{
    size_t pixels = c->to_rows * c->to_cols, wide = cs_pad_lanes(c->taps);
    double *d = p->learned + c->first, *bias = d + c->out * c->taps;
    picture_of(c, in, p->lanes, wide, p->picture);
    for (size_t o = 0; o < c->out; o++)
        for (size_t i = 0; i < pixels; i++) {
            double one = out[(o * pixels + i) * p->lanes];
            p->lane[o * pixels + i] = one;
            bias[o] += one;
        }
    cs_matmul(p->lane, c->out, pixels, pixels, p->picture, wide, p->sum);
    for (size_t o = 0; o < c->out; o++)
        for (size_t i = 0; i < c->taps; i++)
            d[o * c->taps + i] += p->sum[o * wide + i];
}

/* Adds the gradients with respect to a layer's weights to p->learned, over all
 * live lanes in order. */
static void learn(const pass *p, const cs_convolution *c, const double *in,
                  const double *out)
{
    for (size_t l = 0; p->learned && l < p->live; l++)
        learn_lane(p, c, in + l, out + l);
}

static void learn_head(const pass *p, const double *h, const double *weight)
{
    double *d = p->learned + p->m->head, part = 1 / (double)p->m->last;
    for (size_t l = 0; l < p->live; l++)
        for (size_t c = 0; c < p->m->channels; c++)
            for (size_t i = 0; i < p->m->last; i++)
                d[c] +=
                    weight[l] * part * h[(c * p->m->last + i) * p->lanes + l];
}

/* ---- backward ------------------------------------------------------------ */

static void times(size_t n, const double *slope, double *g)
{
    for (size_t k = 0; k < n; k += CS_VECTOR)
        *(cs_vd *)(g + k) *= *(const cs_vd *)(slope + k);
}

/* Computes the gradient with respect to the values of the last layer: w_c /
 * last, times the weight of the lane. */
static void leave(const pass *p, const double *weight, double *g)
{
    const double *w = p->m->number + p->m->head;
    for (size_t c = 0; c < p->m->channels; c++)
        for (size_t i = 0; i < p->m->last; i++, g += p->lanes)
            for (size_t l = 0; l < p->lanes; l += CS_VECTOR) {
                cs_vd one = cs_vset(w[c] / (double)p->m->last);
                if (weight)
                    one *= cs_load(weight + l);
                *(cs_vd *)(g + l) = one;
            }
}

/* Backward pass of a block. From `g`, the gradient with respect to the output
 * of the block, computes `into`, the gradient with respect to the input of the
 * block. The values of the block end at *used; before them are its input
 * values. */
static void back_block(const pass *p, const cs_energy_block *b, size_t *used,
                       double *g, double *into)
{
    const cs_convolution *first = &p->m->layer[b->first];
    size_t n = size_of(first) * p->lanes;
    size_t entered = first->in * first->rows * first->cols * p->lanes;
    const double *slope = p->slope + *used - 2 * n;
    const double *a = p->value + *used - 2 * n, *h = a - entered;
    times(n, slope + n, g);
    learn(p, first + 1, a, g);
    if (b->halves) {
        learn(p, first + 2, h, g);
        memset(into, 0, entered * sizeof *into);
        convolve_back(p, first + 2, g, into);
    } else {
        memcpy(into, g, n * sizeof *into);
    }
    memset(p->through, 0, n * sizeof *p->through);
    convolve_back(p, first + 1, g, p->through);
    times(n, slope, p->through);
    learn(p, first, h, p->through);
    convolve_back(p, first, p->through, into);
    *used -= 2 * n;
}

/* Runs the whole backward pass. Returns the gradient with respect to the output
 * of the first layer before the activation function. */
static double *backward(pass *p, const double *weight)
{
    size_t used = p->m->values * p->lanes;
    leave(p, weight, p->back);
    for (size_t k = p->m->blocks; k--;) {
        back_block(p, &p->m->block[k], &used, p->back, p->other);
        double *kept = p->back;
        p->back = p->other;
        p->other = kept;
    }
    times(used, p->slope, p->back);
    learn(p, p->m->layer, p->input, p->back);
    return p->back;
}

/* Computes g = scale (g + gradient of the base measure). */
static void finish_gradient(const pass *p, double *g)
{
    const cs_energy_network *m = p->m;
    size_t dim = m->rows * m->cols;
    for (size_t i = 0; i < dim; i++)
        for (size_t l = 0; l < p->lanes; l += CS_VECTOR) {
            size_t k = i * p->lanes + l;
            cs_vd slope = *(const cs_vd *)(g + k);
            if (m->base && m->scale == 1)
                slope += m->base[dim + i] - m->base[i];
            else if (m->base)
                slope -= 2 * m->base[dim + i] *
                         (*(const cs_vd *)(p->input + k) - m->base[i]);
            *(cs_vd *)(g + k) = slope * m->scale;
        }
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    pass p = begin(t->self, at);
    weigh(&p, forward(&p, at->x), logp);
    add_base(&p, logp);
    memset(g, 0, t->space.dim * p.lanes * sizeof *g);
    convolve_back(&p, p.m->layer, backward(&p, NULL), g);
    finish_gradient(&p, g);
}

/* Computes the slope with respect to all weights; see cs_model_type. */
static void slope(const cs_target *t, const cs_point *at, const double *weight,
                  double *logp, double *d)
{
    pass p = begin(t->self, at);
    const double *h = forward(&p, at->x);
    p.learned = d;
    if (logp) {
        weigh(&p, h, logp);
        add_base(&p, logp);
    }
    learn_head(&p, h, weight);
    backward(&p, weight);
}

static const cs_model_type model = {
    .copy = cs_energy_network_copy,
    .slope = slope,
    .changed = cs_energy_network_changed,
    .filter = cs_energy_network_filter,
};

const cs_target_type CS_VARIANT(cs_target_energy_network) = {
    .name = "energy_network",
    .title = "Residual energy network",
    .ref = "Grathwohl et al., Oops I took a gradient, 2021; Pynadath et al., "
           "Gradient-based discrete sampling with automatic cyclical "
           "scheduling, 2024, section 6.2",
    .help = "A deep energy-based model of images of bits or grey values. log p "
            "is the output of a residual network of convolutional or dense "
            "layers, plus the log density of a base measure.",
    .params = cs_energy_network_params,
    .n_params = CS_ENERGY_PARAMS,
    .size = sizeof(cs_energy_network),
    .create = cs_energy_network_create,
    .destroy = cs_energy_network_destroy,
    .log_density = log_density,
    .gradient = gradient,
    .coordinate = cs_energy_network_coordinate,
    .model = &model,
};
