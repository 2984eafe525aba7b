/* Constructs energy networks: their layers, and their weights from a file, an
 * array or random numbers. */
#include "targets/network/energy_network.h"

#include "base/memory.h"
#include "data/table.h"
#include "simd/simd.h"
#include "targets/network/network_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONVOLUTIONS, DENSE };
static const char *const kinds[] = {"convolutions", "dense", NULL};

enum { MOST_SIDE = 256, MOST_CHANNELS = 1024 };

/* Default variance for grey values. The base measure keeps the pixels in
 * range. */
static const double grey_variance = 0.25;

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target energy_network");
}

/* ---- layers -------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Adds a layer over maps of rows x cols. Assigns the next indices to the
 * weights of the layer, and enlarges the scratch sizes as needed. */
static const cs_convolution *add_layer(cs_energy_network *m, size_t in,
                                       size_t rows, size_t cols, size_t size,
                                       size_t step)
{
    size_t out = m->channels;
    cs_convolution c = {.in = in,
                        .out = out,
                        .rows = rows,
                        .cols = cols,
                        .to_rows = (rows + step - 1) / step,
                        .to_cols = (cols + step - 1) / step,
                        .size = size,
                        .step = step,
                        .taps = in * size * size,
                        .first = m->numbers};
    m->numbers += out * (c.taps + 1);
    m->widest = larger(m->widest,
                       larger(in * rows * cols, out * c.to_rows * c.to_cols));
    m->window = larger(m->window, c.taps * c.to_cols);
    m->line = larger(m->line, out * c.to_cols);
    size_t wide = cs_pad_lanes(c.taps);
    m->picture = larger(m->picture, c.to_rows * c.to_cols * wide);
    m->products = larger(m->products, out * wide);
    m->layer[m->layers] = c;
    return &m->layer[m->layers++];
}

static void add_block(cs_energy_network *m, size_t k, size_t size, bool halves,
                      size_t *rows, size_t *cols)
{
    cs_energy_block *b = &m->block[k];
    size_t n = m->channels, step = halves ? 2 : 1;
    *b = (cs_energy_block){.first = m->layers, .halves = halves};
    const cs_convolution *first = add_layer(m, n, *rows, *cols, size, step);
    size_t inner_rows = first->to_rows, inner_cols = first->to_cols;
    add_layer(m, n, inner_rows, inner_cols, size, 1);
    if (halves)
        add_layer(m, n, *rows, *cols, 1, step);
    *rows = inner_rows;
    *cols = inner_cols;
    m->values += 2 * n * inner_rows * inner_cols;
}

static void lay_out(cs_energy_network *m, const cs_value *v)
{
    bool dense = v[CS_ENERGY_KIND].number == DENSE;
    size_t rows = dense ? 1 : m->rows, cols = dense ? 1 : m->cols;
    size_t size = dense ? 1 : 3;
    size_t halvings = dense ? 0 : (size_t)v[CS_ENERGY_HALVINGS].number;
    m->channels = (size_t)v[CS_ENERGY_CHANNELS].number;
    m->blocks = (size_t)v[CS_ENERGY_BLOCKS].number;
    add_layer(m, dense ? m->rows * m->cols : 1, rows, cols, size, 1);
    m->values = m->channels * rows * cols;
    for (size_t k = 0; k < m->blocks; k++)
        add_block(m, k, size, k < halvings, &rows, &cols);
    m->last = rows * cols;
    m->head = m->numbers;
    m->numbers += m->channels;
}

/* ---- weights ------------------------------------------------------------- */

void cs_energy_network_changed(cs_target *t)
{
    const cs_energy_network *m = t->self;
    const cs_convolution *end = m->layer + m->layers;
    for (const cs_convolution *c = m->layer; c < end; c++)
        for (size_t o = 0; o < c->out; o++)
            for (size_t i = 0; i < c->taps; i++)
                c->transposed[i * c->out + o] =
                    m->number[c->first + o * c->taps + i];
}

/* Draws normal weights with variance gain^2 2 / taps (He et al. 2015), and sets
 * the biases to 0. Scales the output weights so that f has about unit
 * variance. */
static void at_random(cs_energy_network *m, const cs_value *v)
{
    uint64_t seed = (uint64_t)v[CS_ENERGY_SEED].number;
    double gain = v[CS_ENERGY_GAIN].number;
    const cs_convolution *end = m->layer + m->layers;
    for (const cs_convolution *c = m->layer; c < end; c++)
        for (size_t i = 0; i < c->out * c->taps; i++)
            m->number[c->first + i] = gain * sqrt(2 / (double)c->taps) *
                                      cs_network_normal(seed, c->first + i);
    for (size_t i = 0; i < m->channels; i++)
        m->number[m->head + i] = gain / sqrt((double)m->channels) *
                                 cs_network_normal(seed, m->head + i);
}

static cs_status check_numbers(const cs_energy_network *m, const double *number,
                               size_t n, cs_error *err)
{
    if (n != m->numbers) {
        cs_fail(
            err, CS_INPUT,
            "energy_network: %zu weights are given, but the layers need %zu", n,
            m->numbers);
        cs_hint(err, "give all weights and biases; rows, cols, kind, channels, "
                     "blocks and halvings define the layers");
        return CS_INPUT;
    }
    for (size_t i = 0; i < n; i++)
        if (!(fabs(number[i]) < 1e100)) {
            cs_fail(err, CS_INPUT,
                    "energy_network: weight %zu is %g; weights must be finite",
                    i + 1, number[i]);
            cs_hint(err, "use the file of a learned network");
            return CS_INPUT;
        }
    return CS_OK;
}

static cs_status take_numbers(cs_energy_network *m, const double *number,
                              size_t n, cs_error *err)
{
    cs_status s = check_numbers(m, number, n, err);
    if (!s)
        memcpy(m->number, number, n * sizeof *number);
    return s;
}

static cs_status from_file(cs_energy_network *m, const char *path,
                           cs_error *err)
{
    cs_table table;
    cs_status s = cs_table_read(path, &table, err);
    if (s)
        return s;
    s = take_numbers(m, table.data, table.rows * table.cols, err);
    cs_table_free(&table);
    if (s == CS_INPUT)
        cs_where(err, path, 0);
    return s;
}

static cs_status take_base(cs_energy_network *m, const cs_value *mean,
                           size_t dim, cs_error *err)
{
    if (!mean->given)
        return CS_OK;
    if (mean->rows * mean->cols != dim) {
        cs_fail(err, CS_INPUT,
                "energy_network: %zu means are given for %zu pixels",
                mean->rows * mean->cols, dim);
        cs_hint(err, "give one mean per pixel, row by row");
        return CS_INPUT;
    }
    m->base = cs_alloc(2 * dim, sizeof *m->base);
    if (!m->base)
        return no_memory(err);
    for (size_t i = 0; i < dim; i++) {
        double p = mean->array[i];
        if (!(p > 0 && p < 1)) {
            cs_fail(err, CS_INPUT,
                    "energy_network: the mean of pixel %zu is %g", i + 1, p);
            cs_hint(err, "give means above 0 and below 1: 0.01 + 0.98 times "
                         "the means of the data set");
            return CS_INPUT;
        }
        m->base[i] = m->scale == 1 ? log1p(-p) : p;
        m->base[dim + i] = m->scale == 1 ? log(p) : 0.5 / grey_variance;
    }
    return CS_OK;
}

/* ---- instances ----------------------------------------------------------- */

void cs_energy_network_coordinate(const cs_target *t, size_t i, char *text,
                                  size_t size)
{
    const cs_energy_network *m = t->self;
    snprintf(text, size, "x.%zu.%zu", i / m->cols + 1, i % m->cols + 1);
}

void cs_energy_network_destroy(cs_target *t)
{
    cs_energy_network *m = t->self;
    for (size_t k = 0; k < m->layers; k++)
        cs_free(m->layer[k].transposed);
    cs_free(m->number);
    cs_free(m->base);
}

/* Allocates the weights and the transposed weights of each layer. */
static cs_status make_room(cs_energy_network *m, cs_error *err)
{
    m->number = cs_alloc(m->numbers, sizeof *m->number);
    bool whole = m->number;
    for (size_t k = 0; k < m->layers; k++) {
        cs_convolution *c = &m->layer[k];
        c->transposed = cs_alloc(c->out * c->taps, sizeof(double));
        whole = whole && c->transposed;
    }
    return whole ? CS_OK : no_memory(err);
}

static void describe(cs_target *t, int levels)
{
    cs_energy_network *m = t->self;
    size_t dim = m->rows * m->cols;
    t->space = (cs_space){.kind = levels == 2 ? CS_BINARY : CS_ORDINAL,
                          .dim = dim,
                          .values = levels};
    t->scratch_words =
        2 * m->values + dim + m->window + m->line + 3 * m->widest;
    t->slope_words =
        t->scratch_words +
        cs_rows_for(m->picture + cs_pad_lanes(m->widest) + m->products);
    t->shared_words = 2 * m->numbers;
    t->exact = (cs_exact){.log_z = NAN,
                          .view = {-0.5, levels - 0.5, -0.5, levels - 0.5}};
    t->picture = (cs_picture){.kind = CS_PICTURE_PIXELS,
                              .rows = m->rows,
                              .cols = m->cols,
                              .high = levels - 1};
}

cs_status cs_energy_network_create(cs_target *t, const cs_value *v,
                                   cs_error *err)
{
    cs_energy_network *m = t->self;
    const cs_value *w = &v[CS_ENERGY_WEIGHTS], *file = &v[CS_ENERGY_FILE];
    m->rows = (size_t)v[CS_ENERGY_ROWS].number;
    m->cols = (size_t)v[CS_ENERGY_COLS].number;
    m->scale = 1 / (v[CS_ENERGY_LEVELS].number - 1);
    lay_out(m, v);
    describe(t, (int)v[CS_ENERGY_LEVELS].number);
    cs_status s = make_room(m, err);
    if (!s && file->given)
        s = from_file(m, file->text, err);
    else if (!s && w->given)
        s = take_numbers(m, w->array, w->rows * w->cols, err);
    else if (!s)
        at_random(m, v);
    if (!s)
        s = take_base(m, &v[CS_ENERGY_MEAN], t->space.dim, err);
    if (!s)
        cs_energy_network_changed(t);
    return s;
}

/* ---- learning ------------------------------------------------------------ */

cs_status cs_energy_network_copy(const cs_target *t, cs_target *to,
                                 cs_error *err)
{
    const cs_energy_network *m = t->self;
    cs_energy_network *copy = to->self;
    size_t dim = m->rows * m->cols;
    *copy = *m;
    copy->number = copy->base = NULL;
    for (size_t k = 0; k < m->layers; k++)
        copy->layer[k].transposed = NULL;
    describe(to, t->space.values);
    cs_status s = make_room(copy, err);
    if (s)
        return s;
    memcpy(copy->number, m->number, m->numbers * sizeof *m->number);
    to->learned = copy->number;
    to->n_learned = copy->numbers;
    cs_energy_network_changed(to);
    if (!m->base)
        return CS_OK;
    copy->base = cs_alloc(2 * dim, sizeof *copy->base);
    if (!copy->base)
        return no_memory(err);
    memcpy(copy->base, m->base, 2 * dim * sizeof *m->base);
    return CS_OK;
}

/* Writes a filter if the network is dense, because a filter of a dense network
 * has one number per pixel. */
bool cs_energy_network_filter(const cs_target *t, size_t i, double *out)
{
    const cs_energy_network *m = t->self;
    const cs_convolution *enter = m->layer;
    if (enter->taps != t->space.dim || i >= enter->out)
        return false;
    memcpy(out, m->number + enter->first + i * enter->taps,
           enter->taps * sizeof *out);
    return true;
}

const cs_param cs_energy_network_params[CS_ENERGY_PARAMS] = {
    [CS_ENERGY_ROWS] = {.name = "rows",
                        CS_FIXED(INT),
                        CS_PARAM_RANGE(1, MOST_SIDE, 3),
                        .help = "rows of the image"},
    [CS_ENERGY_COLS] = {.name = "cols",
                        CS_FIXED(INT),
                        CS_PARAM_RANGE(1, MOST_SIDE, 3),
                        .help = "columns of the image"},
    [CS_ENERGY_LEVELS] = {.name = "levels",
                          CS_FIXED(INT),
                          CS_PARAM_RANGE(2, 256, 2),
                          .help = "number of values of a pixel: 2 for bits, "
                                  "more for grey values; 0 is black"},
    [CS_ENERGY_KIND] = {.name = "kind",
                        CS_FIXED(CHOICE),
                        .max = DENSE,
                        .def = CONVOLUTIONS,
                        .choices = kinds,
                        .help = "kind of the layers"},
    [CS_ENERGY_CHANNELS] = {.name = "channels",
                            CS_FIXED(INT),
                            CS_PARAM_RANGE(1, MOST_CHANNELS, 4),
                            .help = "number of maps of a convolutional layer, "
                                    "or of units of a dense layer",
                            .ref = "64 in acs"},
    [CS_ENERGY_BLOCKS] = {.name = "blocks",
                          CS_FIXED(INT),
                          CS_PARAM_RANGE(0, CS_ENERGY_MOST_BLOCKS, 2),
                          .help =
                              "number of residual blocks, each of two layers",
                          .ref = "8 in acs"},
    [CS_ENERGY_HALVINGS] =
        {.name = "halvings",
         CS_FIXED(INT),
         CS_PARAM_RANGE(0, CS_ENERGY_MOST_BLOCKS, 1),
         .help = "number of blocks, starting with the first, that halve the "
                 "numbers of rows and columns of the image; unused for dense "
                 "layers",
         .ref = "2 in acs"},
    [CS_ENERGY_GAIN] = {.name = "gain",
                        CS_FIXED_SCALE,
                        CS_PARAM_RANGE(1e-6, 100, 1),
                        .help =
                            "gain of a random network, whose weights have the "
                            "standard deviation gain * sqrt(2 / inputs)"},
    [CS_ENERGY_SEED] = {.name = "seed",
                        CS_FIXED(INT),
                        CS_PARAM_RANGE(0, 1e9, 1),
                        .help = "seed of a random network"},
    [CS_ENERGY_MEAN] =
        {.name = "mean",
         CS_FIXED(ARRAY),
         .help = "mean of each pixel in the base measure, between 0 and 1. "
                 "Without `mean`, no base measure is used. The base measure is "
                 "independent bits or, for grey values, a Gaussian with "
                 "variance 1/4"},
    [CS_ENERGY_WEIGHTS] =
        {.name = "weights",
         CS_FIXED(ARRAY),
         .help = "all weights of the network in the order of the layers; "
                 "within a block: first layer, second layer, shortcut. Each "
                 "layer has its weights [map][input map][row][column], then "
                 "its biases. The weights of the means are at the end"},
    [CS_ENERGY_FILE] = {.name = "file",
                        CS_FIXED_PATH,
                        .help = "path of a CSV file that contains the weights, "
                                "in the order of `weights`"},
};
