/* Contrastive divergence. The gradient of the mean of log p over the data is
 *
 *     mean over data of grad log p(v) - mean over p of grad log p(v),
 *     dlogp/dW = sigmoid(W v + c) v',  dlogp/db = v,
 *     dlogp/dc = sigmoid(W v + c).
 *
 * The mean over p is estimated from chains. These chains take k steps of block
 * Gibbs, which start from the data of the batch (Hinton, "Training products of
 * experts by minimizing contrastive divergence", 2002, section 5), or continue
 * from their last states (persistent: Tieleman, "Training restricted Boltzmann
 * machines using approximations to the likelihood gradient", 2008). Adam
 * updates the parameters (Kingma and Ba, 2015, Algorithm 1) with its usual
 * constants. The rate may decrease linearly to 0, as in Tieleman's paper: the
 * estimates from persistent chains are biased unless the rate decreases. The
 * initial values are those of the papers on discrete samplers: b is the logit
 * of the data's means, clipped to 0.01 .. 0.99; W is uniform between -1 /
 * sqrt(visible) and 1 / sqrt(visible); c is 0. */
#include "learn/train_rbm.h"

#include "base/memory.h"
#include "learn/network_pass.h"
#include "rng/stream.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The parameters W, b, c as one array. Adam's two moments and minus the
 * gradient are arrays with the same layout. */
typedef struct store {
    size_t n;
    float *x, *mean, *square, *g; /* [n] [own] x: parameters; mean, square:
                                   * first and second moments; g: minus the
                                   * gradient */
} store;

typedef struct learner {
    const cs_learn_spec *spec;
    const cs_layers_ops *op;
    const cs_network_pass *pass;
    cs_layers m;
    size_t images;
    store s;
    size_t batch, lanes, k;
    bool persistent;
    uint64_t seed, batches, in_all; /* batches: number of batches so far;
                                     * in_all: number of batches in all
                                     * epochs */
    uint64_t *chain;                /* [lanes] chain numbers 0, 1, ... [own] */
    uint32_t *order;                /* [images] the order of the images in the
                                       epoch [own] */
    float *data, *fantasy;          /* [visible][lanes] states of the data, and
                                       of the chains [own] */
    float *h[2];     /* [hidden][lanes] P(h = 1 | v) of the data, and of the
                        chains [own] */
    float *bit;      /* [hidden][lanes] hidden units that were drawn [own] */
    cs_contrast c;   /* inputs and scratch of the gradient [own] */
    double *uniform; /* [max(visible, hidden)][lanes] uniforms [own] */
    double *logp;    /* [lanes] log densities [own] */
    double gap;      /* sum of the differences of mean log p (data minus chains)
                        over the batches of the epoch */
} learner;

static void choose(learner *r)
{
    static const cs_layers_ops *const op[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_layers_hot)};
    static const cs_network_pass *const pass[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_network_passes)};
    r->op = op[0][cs_simd_level()];
    r->pass = pass[0][cs_simd_level()];
}

/* ---- memory -------------------------------------------------------------- */

static void close(learner *r)
{
    CS_FREE_ALL(r->s.x, r->s.mean, r->s.square, r->s.g, r->m.wt, r->order,
                r->chain, r->data, r->fantasy, r->h[0], r->h[1], r->bit,
                r->c.vt, r->c.both, r->uniform, r->logp);
}

static bool open_store(learner *r)
{
    cs_layers *m = &r->m;
    store *s = &r->s;
    s->n = m->hidden * m->wide + m->wide + m->hidden;
    s->x = cs_alloc(s->n, sizeof *s->x);
    s->mean = cs_alloc(s->n, sizeof *s->mean);
    s->square = cs_alloc(s->n, sizeof *s->square);
    s->g = cs_alloc(s->n, sizeof *s->g);
    m->wt = cs_alloc(m->visible * m->hidden, sizeof *m->wt);
    m->w = s->x;
    m->b = s->x ? m->w + m->hidden * m->wide : NULL;
    m->c = s->x ? m->b + m->wide : NULL;
    return s->x && s->mean && s->square && s->g && m->wt;
}

static cs_status open(learner *r, const cs_learn_spec *spec, cs_error *err)
{
    const double *value = spec->value;
    size_t n = spec->images->n;
    *r = (learner){.spec = spec, .images = n};
    choose(r);
    r->m.visible = spec->images->rows * spec->images->cols;
    r->m.hidden = (size_t)value[CS_LEARN_HIDDEN];
    r->m.wide = cs_pad_lanes(r->m.visible);
    r->batch = (size_t)fmin(value[CS_LEARN_BATCH], (double)n);
    r->lanes = cs_pad_lanes(r->batch);
    r->k = (size_t)value[CS_LEARN_K];
    r->persistent = value[CS_LEARN_CHAINS] != 0;
    r->seed = (uint64_t)value[CS_LEARN_SEED];
    r->in_all = (uint64_t)value[CS_LEARN_EPOCHS] * (n / r->batch);
    size_t lanes = r->lanes,
           units = r->m.visible > r->m.hidden ? r->m.visible : r->m.hidden;
    r->order = cs_alloc(n, sizeof *r->order);
    r->chain = cs_alloc(lanes, sizeof *r->chain);
    r->data = cs_alloc(r->m.visible * lanes, sizeof *r->data);
    r->fantasy = cs_alloc(r->m.visible * lanes, sizeof *r->fantasy);
    for (size_t k = 0; k < 2; k++)
        r->h[k] = cs_alloc(r->m.hidden * lanes, sizeof *r->h[k]);
    r->bit = cs_alloc(r->m.hidden * lanes, sizeof *r->bit);
    r->c =
        (cs_contrast){.h = {r->h[0], r->h[1]},
                      .v = {r->data, r->fantasy},
                      .lanes = lanes,
                      .live = r->batch,
                      .both = cs_alloc(r->m.hidden * 2 * lanes, sizeof(float)),
                      .vt = cs_alloc(2 * lanes * r->m.wide, sizeof(float))};
    r->uniform = cs_alloc(units * lanes, sizeof *r->uniform);
    r->logp = cs_alloc(lanes, sizeof *r->logp);
    if (!open_store(r) || !r->order || !r->chain || !r->data || !r->fantasy ||
        !r->h[0] || !r->h[1] || !r->bit || !r->c.vt || !r->c.both ||
        !r->uniform || !r->logp)
        return cs_fail(err, CS_MEMORY, "out of memory for %zu x %zu weights",
                       r->m.hidden, r->m.visible);
    for (size_t l = 0; l < lanes; l++)
        r->chain[l] = l;
    return CS_OK;
}

/* ---- data ---------------------------------------------------------------- */

static bool is_set(const learner *r, size_t image, size_t i)
{
    return r->spec->images->level[image * r->m.visible + i] > 127;
}

static void begin(learner *r)
{
    const cs_layers *m = &r->m;
    size_t n = r->images;
    for (size_t i = 0; i < m->visible; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += is_set(r, k, i);
        double mean = fmin(fmax(sum / (double)n, 0.01), 0.99);
        m->b[i] = (float)log(mean / (1 - mean));
    }
    double edge = 1 / sqrt((double)m->visible);
    cs_streams s = cs_streams_of(r->seed, 0, r->chain, r->lanes, r->lanes);
    for (size_t j = 0; j < m->hidden; j++) {
        s.step = j;
        cs_fill_uniform(&s, CS_FOR_START, m->visible, r->uniform);
        for (size_t i = 0; i < m->visible; i++)
            m->w[j * m->wide + i] =
                (float)(edge * (2 * r->uniform[i * r->lanes] - 1));
    }
    r->op->transpose(m);
    r->op->transpose(&r->m);
    for (uint32_t k = 0; k < n; k++)
        r->order[k] = k;
}

/* Shuffles the images by the method of Fisher and Yates, so that all orders
 * have equal probability. */
static void shuffle(learner *r, size_t epoch)
{
    const uint64_t key[2] = {r->seed, UINT64_MAX - 1};
    for (size_t k = r->images; k > 1; k--) {
        uint64_t word[2];
        cs_threefry2x64(20, (const uint64_t[]){k, epoch}, key, word);
        size_t other = (size_t)((double)(word[0] >> 11) * 0x1p-53 * (double)k);
        uint32_t kept = r->order[k - 1];
        r->order[k - 1] = r->order[other];
        r->order[other] = kept;
    }
}

/* Loads the images of a batch; padding lanes repeat the last image. */
static void load(learner *r, size_t first)
{
    for (size_t l = 0; l < r->lanes; l++) {
        size_t at = l < r->batch ? l : r->batch - 1;
        for (size_t i = 0; i < r->m.visible; i++)
            r->data[i * r->lanes + l] =
                is_set(r, r->order[first + at], i) ? 1.0f : 0.0f;
    }
}

/* ---- learning ------------------------------------------------------------ */

/* Moves chains by block Gibbs. If the chains start at the data, the first
 * probabilities of the hidden units are already known. */
static void block_gibbs(learner *r, float *v, bool at_data)
{
    cs_streams s = cs_streams_of(r->seed, 0, r->chain, r->lanes, r->lanes);
    for (size_t k = 0; k < r->k; k++) {
        const float *h = at_data && k == 0 ? r->h[0] : r->h[1];
        s.step = r->batches * r->k + k + 1;
        if (h == r->h[1])
            r->op->up(&r->m, v, r->lanes, r->h[1], NULL);
        cs_fill_uniform(&s, CS_FOR_AUXILIARY, r->m.hidden, r->uniform);
        r->op->bernoulli(r->uniform, r->m.hidden * r->lanes, h, r->bit);
        r->op->down(&r->m, r->bit, r->lanes, v);
        cs_fill_uniform(&s, CS_FOR_PROPOSAL, r->m.visible, r->uniform);
        r->op->bernoulli(r->uniform, r->m.visible * r->lanes, v, v);
    }
}

static void advance(learner *r)
{
    size_t size = r->m.visible * r->lanes;
    bool at_data = !r->persistent || r->batches == 0;
    if (!r->spec->advance) {
        block_gibbs(r, r->fantasy, at_data);
        return;
    }
    if (at_data)
        memcpy(r->fantasy, r->data, size * sizeof *r->data);
    r->spec->advance(r->spec->advance_self, &r->m, r->fantasy, r->lanes,
                     r->batches + 1);
}

/* Computes h = P(h = 1 | v); returns the mean of log p. */
static double look(learner *r, const float *v, float *h)
{
    double mean = 0;
    r->op->up(&r->m, v, r->lanes, h, r->logp);
    for (size_t l = 0; l < r->batch; l++)
        mean += r->logp[l] / (double)r->batch;
    return mean;
}

/* Returns the rate of the batch; the rate decreases over the last batches. */
static double rate_now(const learner *r)
{
    const double *value = r->spec->value;
    double left = (double)(r->in_all - r->batches + 1);
    double falls = value[CS_LEARN_RATE_DECAY] * (double)r->in_all;
    return value[CS_LEARN_RATE] * (left < falls ? left / falls : 1);
}

static void learn_batch(learner *r, size_t first)
{
    load(r, first);
    double data = look(r, r->data, r->h[0]);
    advance(r);
    r->gap += data - look(r, r->fantasy, r->h[1]);
    r->op->contrast(&r->m, &r->c, r->s.g);
    r->batches++;
    r->pass->adam(r->s.x, r->s.g, r->s.mean, r->s.square, r->s.n, rate_now(r),
                  (double)r->batches);
    r->op->transpose(&r->m);
}

/* Runs one epoch. Returns false if the training is to end. */
static bool learn_epoch(learner *r, size_t epoch)
{
    const cs_learn_spec *spec = r->spec;
    size_t n = r->images / r->batch;
    bool goes_on = true;
    shuffle(r, epoch);
    r->gap = 0;
    for (size_t k = 0; goes_on && k < n; k++) {
        learn_batch(r, k * r->batch);
        goes_on = !spec->report || spec->report(spec->report_self, epoch, k + 1,
                                                n, r->gap / (double)(k + 1));
    }
    return goes_on;
}

static double *as_rows(const cs_layers *m)
{
    size_t width = m->visible + 1;
    double *rows = cs_alloc((m->hidden + 1) * width, sizeof *rows);
    for (size_t i = 0; rows && i < m->visible; i++)
        rows[1 + i] = (double)m->b[i];
    for (size_t j = 0; rows && j < m->hidden; j++) {
        rows[(j + 1) * width] = (double)m->c[j];
        for (size_t i = 0; i < m->visible; i++)
            rows[(j + 1) * width + 1 + i] = (double)m->w[j * m->wide + i];
    }
    return rows;
}

cs_status cs_learn_rbm(const cs_learn_spec *spec, double **rows, cs_error *err)
{
    assert(spec->images && rows);
    learner r;
    *rows = NULL;
    if (spec->images->n < 1 || spec->images->n > UINT32_MAX)
        return cs_fail(err, CS_INPUT, "no images to learn from");
    cs_status s = open(&r, spec, err);
    if (!s)
        begin(&r);
    size_t epochs = (size_t)spec->value[CS_LEARN_EPOCHS];
    bool goes_on = true;
    for (size_t epoch = 1; !s && goes_on && epoch <= epochs; epoch++)
        goes_on = learn_epoch(&r, epoch);
    if (!s && !(*rows = as_rows(&r.m)))
        s = cs_fail(err, CS_MEMORY, "out of memory for the weights");
    close(&r);
    return s;
}

static const char *const chains[] = {"data", "persistent", NULL};

const cs_param cs_learn_params[CS_LEARN_PARAMS] = {
    [CS_LEARN_HIDDEN] = {.name = "hidden",
                         .kind = CS_PARAM_INT,
                         CS_PARAM_RANGE(1, 1 << 16, 500),
                         .help = "hidden units"},
    [CS_LEARN_K] = {.name = "k",
                    .unit = "steps",
                    .kind = CS_PARAM_INT,
                    CS_PARAM_RANGE(1, 1e6, 10),
                    .help = "block Gibbs steps that the chains make per batch",
                    .ref = "Hinton 2002"},
    [CS_LEARN_CHAINS] =
        {.name = "chains",
         .kind = CS_PARAM_CHOICE,
         .max = 1,
         .choices = chains,
         .help = "initial states of the chains for each batch. data: the "
                 "batch; persistent: the last states of the chains",
         .ref = "Tieleman 2008"},
    [CS_LEARN_EPOCHS] = {.name = "epochs",
                         .kind = CS_PARAM_INT,
                         CS_PARAM_RANGE(0, 1e6, 1),
                         .help = "passes over the images"},
    [CS_LEARN_BATCH] = {.name = "batch",
                        .unit = "images",
                        .kind = CS_PARAM_INT,
                        CS_PARAM_RANGE(1, 1 << 16, 100),
                        .help = "images per update; an incomplete batch at the "
                                "end of an epoch is left out"},
    [CS_LEARN_RATE] = {.name = "rate",
                       .flags = CS_PARAM_LOG,
                       CS_PARAM_RANGE(1e-12, 1, 1e-3),
                       .help = "learning rate of Adam",
                       .ref = "Kingma and Ba 2015, Algorithm 1"},
    [CS_LEARN_RATE_DECAY] =
        {.name = "rate_decay",
         .min = 0,
         .max = 1,
         .help = "fraction of all batches, at the end of training, during "
                 "which the rate decreases to 0",
         .ref = "Tieleman 2008"},
    [CS_LEARN_SEED] = {.name = "seed",
                       .kind = CS_PARAM_INT,
                       CS_PARAM_RANGE(0, 1e15, 1),
                       .help = "seed of the initial weights, the order of the "
                               "images, and the chains"},
};
