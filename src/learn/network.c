#include "learn/network.h"

#include "base/memory.h"
#include "learn/network_pass.h"
#include "rng/stream.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const cs_network_pass *pass(void)
{
    static const cs_network_pass *const variant[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_network_passes)};
    return variant[0][cs_simd_level()];
}

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for a network");
}

/* Returns uniform number k of a stream that depends on the seed. */
static double uniform(uint64_t seed, uint64_t stream, uint64_t k)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){k, stream},
                    (const uint64_t[]){seed, 4}, word);
    return ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
}

/* ---- the network --------------------------------------------------------- */

static cs_status check_units(const size_t *unit, size_t n_units, cs_error *err)
{
    if (n_units < 2 || n_units > CS_NETWORK_LAYERS + 1) {
        cs_fail(err, CS_RANGE, "network: the number of layers is %zu", n_units);
        cs_hint(err, "give 2 to %d layers: inputs, hidden layers, outputs",
                CS_NETWORK_LAYERS + 1);
        return CS_RANGE;
    }
    for (size_t k = 0; k < n_units; k++)
        if (unit[k] < 1 || unit[k] > CS_NETWORK_UNITS) {
            cs_fail(err, CS_RANGE, "network: a layer has %zu units", unit[k]);
            cs_hint(err, "give each layer 1 to %d units", CS_NETWORK_UNITS);
            return CS_RANGE;
        }
    return CS_OK;
}

/* Allocates a network whose weights are all 0. */
static cs_status lay(cs_network *net, const size_t *unit, size_t n_units,
                     cs_error *err)
{
    *net = (cs_network){0};
    cs_status s = check_units(unit, n_units, err);
    if (s)
        return s;
    net->layers = n_units - 1;
    memcpy(net->unit, unit, n_units * sizeof *unit);
    for (size_t k = 0; k < net->layers; k++)
        net->words += unit[k + 1] * cs_network_stride(unit[k]) +
                      cs_network_stride(unit[k + 1]);
    net->number = cs_alloc(net->words, sizeof *net->number);
    if (!net->number)
        return no_memory(err);
    float *at = net->number;
    for (size_t k = 0; k < net->layers; k++) {
        net->weight[k] = at;
        at += unit[k + 1] * cs_network_stride(unit[k]);
        net->bias[k] = at;
        at += cs_network_stride(unit[k + 1]);
    }
    return CS_OK;
}

cs_status cs_network_create(cs_network *net, const size_t *unit, size_t n_units,
                            uint64_t seed, cs_error *err)
{
    cs_status s = lay(net, unit, n_units, err);
    uint64_t n = 0;
    for (size_t k = 0; !s && k < net->layers; k++) {
        double most = sqrt(6 / (double)unit[k]);
        size_t stride = cs_network_stride(unit[k]);
        for (size_t j = 0; j < unit[k + 1]; j++)
            for (size_t i = 0; i < unit[k]; i++)
                net->weight[k][j * stride + i] =
                    (float)(most * (2 * uniform(seed, 0, n++) - 1));
    }
    return s;
}

void cs_network_free(cs_network *net)
{
    cs_free(net->number);
    *net = (cs_network){0};
}

size_t cs_network_class(const float *y, size_t n)
{
    assert(n > 0);
    size_t best = 0;
    for (size_t j = 1; j < n; j++)
        best = y[j] > y[best] ? j : best;
    return best;
}

/* ---- minibatches --------------------------------------------------------- */

static size_t widest(const cs_network *net)
{
    size_t most = 0;
    for (size_t k = 0; k <= net->layers; k++)
        most = net->unit[k] > most ? net->unit[k] : most;
    return cs_network_stride(most);
}

/* Allocates memory for `batch` examples; if `learns` is true, also allocates
 * the gradients. */
static bool open_room(cs_network_scratch *scratch, const cs_network *net,
                      size_t batch, bool learns)
{
    size_t lanes = cs_network_stride(batch), units = 0, wide = widest(net);
    for (size_t k = 0; k <= net->layers; k++)
        units += net->unit[k];
    size_t transposed = learns ? wide * (wide > lanes ? wide : lanes) : 0;
    *scratch = (cs_network_scratch){.live = batch, .lanes = lanes};
    scratch->memory = cs_alloc((learns ? 2 : 1) * units * lanes + transposed,
                               sizeof *scratch->memory);
    float *at = scratch->memory;
    for (size_t k = 0; at && k <= net->layers;
         k++, at += net->unit[k - 1] * lanes)
        scratch->value[k] = at;
    for (size_t k = 0; at && learns && k <= net->layers;
         k++, at += net->unit[k - 1] * lanes)
        scratch->slope[k] = at;
    scratch->transposed = at;
    return scratch->memory;
}

/* Writes from[n] to column l of to[n][lanes]. */
static void put(const float *from, size_t n, size_t lanes, size_t l, float *to)
{
    for (size_t i = 0; i < n; i++)
        to[i * lanes + l] = from[i];
}

cs_status cs_network_apply(const cs_network *net, const float *x, size_t n,
                           float *y, cs_error *err)
{
    assert(n == 0 || (x && y));
    enum { BATCH = 64 };
    cs_network_scratch scratch;
    size_t in = net->unit[0], out = net->unit[net->layers];
    if (!open_room(&scratch, net, n < BATCH ? n : BATCH, false))
        return no_memory(err);
    for (size_t first = 0; first < n; first += BATCH) {
        size_t live = n - first < BATCH ? n - first : BATCH;
        for (size_t l = 0; l < live; l++)
            put(x + (first + l) * in, in, scratch.lanes, l, scratch.value[0]);
        pass()->forward(net, &scratch);
        for (size_t l = 0; l < live; l++)
            for (size_t j = 0; j < out; j++)
                y[(first + l) * out + j] =
                    scratch.value[net->layers][j * scratch.lanes + l];
    }
    cs_free(scratch.memory);
    return CS_OK;
}

/* ---- training ------------------------------------------------------------ */

typedef struct trainer {
    cs_network *net;
    const cs_examples *examples;
    const cs_training *how;
    cs_network_scratch scratch;
    float *gradient, *mean, *square; /* [words] gradient, and the two moments of
                                        Adam */
    float *x, *y, *wanted;           /* x, y: one example; wanted: wanted
                                      * outputs of the batch */
    uint32_t *order;                 /* [examples] indices of the examples in
                                        the order of the epoch */
    double steps;
} trainer;

static void close_trainer(trainer *t)
{
    CS_FREE_ALL(t->scratch.memory, t->gradient, t->mean, t->square, t->x, t->y,
                t->wanted, t->order);
}

static bool open_trainer(trainer *t)
{
    const cs_network *net = t->net;
    size_t out = net->unit[net->layers];
    if (!open_room(&t->scratch, net, t->how->batch, true))
        return false;
    t->gradient = cs_alloc(net->words, sizeof(float));
    t->mean = cs_alloc(net->words, sizeof(float));
    t->square = cs_alloc(net->words, sizeof(float));
    t->x = cs_alloc(net->unit[0], sizeof(float));
    t->y = cs_alloc(out, sizeof(float));
    t->wanted = cs_alloc(out * t->scratch.lanes, sizeof(float));
    t->order = cs_alloc(t->examples->n, sizeof *t->order);
    return t->gradient && t->mean && t->square && t->x && t->y && t->wanted &&
           t->order;
}

/* Shuffles the examples of an epoch by the method of Fisher and Yates, so that
 * all orders have equal probability. */
static void shuffle(trainer *t, size_t epoch)
{
    size_t n = t->examples->n;
    for (size_t i = 0; i < n; i++)
        t->order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        double u = uniform(t->how->seed, epoch + 1, i);
        size_t j = (size_t)(u * (double)i);
        uint32_t kept = t->order[i - 1];
        t->order[i - 1] = t->order[j];
        t->order[j] = kept;
    }
}

/* Takes one step on the examples order[first ...]; returns the sum of their
 * losses. */
static double learn(trainer *t, size_t first)
{
    cs_network *net = t->net;
    cs_network_scratch *scratch = &t->scratch;
    size_t out = net->unit[net->layers], left = t->examples->n - first;
    scratch->live = left < t->how->batch ? left : t->how->batch;
    for (size_t l = 0; l < scratch->live; l++) {
        memset(t->y, 0, out * sizeof *t->y);
        t->examples->read(t->examples->self, t->order[first + l], t->x, t->y);
        put(t->x, net->unit[0], scratch->lanes, l, scratch->value[0]);
        put(t->y, out, scratch->lanes, l, t->wanted);
    }
    pass()->forward(net, scratch);
    double sum =
        pass()->back(net, scratch, t->how->loss, t->wanted, t->gradient);
    pass()->adam(net->number, t->gradient, t->mean, t->square, net->words,
                 t->how->rate, ++t->steps);
    return sum;
}

static cs_status train(trainer *t, double *loss, cs_error *err)
{
    const cs_training *how = t->how;
    for (size_t epoch = 0; epoch < how->epochs; epoch++) {
        double sum = 0, done = (double)(epoch + 1) / (double)how->epochs;
        shuffle(t, epoch);
        for (size_t i = 0; i < t->examples->n; i += how->batch)
            sum += learn(t, i);
        sum /= (double)t->examples->n;
        if (loss)
            *loss = sum;
        if (!isfinite(sum)) {
            cs_fail(err, CS_INPUT, "network: the loss is not finite");
            cs_hint(err, "use a smaller rate, or finite examples");
            return CS_INPUT;
        }
        if (how->go_on && !how->go_on(how->self, done, sum))
            return cs_fail(err, CS_STOPPED, "network: training was stopped");
    }
    return CS_OK;
}

cs_status cs_network_train(cs_network *net, const cs_examples *examples,
                           const cs_training *how, double *loss, cs_error *err)
{
    assert(examples->read);
    trainer t = {.net = net, .examples = examples, .how = how};
    if (examples->n < 1 || examples->n > UINT32_MAX || how->batch < 1 ||
        how->batch > CS_NETWORK_UNITS || !(how->rate > 0))
        return cs_fail(err, CS_RANGE,
                       "network: examples, batch and rate must be positive");
    cs_status s = open_trainer(&t) ? train(&t, loss, err) : no_memory(err);
    close_trainer(&t);
    return s;
}
