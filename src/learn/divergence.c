/* Contrastive divergence. The gradient of the mean of log p over the data is
 *
 *     mean over data of slope - mean over p of slope,   slope = d log f / dw.
 *
 * The mean over p is estimated from chains, which any kernel may move. At each
 * update, the chains continue from their last states (persistent contrastive
 * divergence: Tieleman, Training restricted Boltzmann machines using
 * approximations to the likelihood gradient, 2008), or take some steps from the
 * rows of the batch (Hinton, Training products of experts by minimizing
 * contrastive divergence, 2002). If there is a buffer (Du and Mordatch,
 * Implicit generation and modeling with energy based models, 2019), the chains
 * return their states to it after each update, and then draw other states from
 * it. Estimates from persistent chains are biased unless the rate decreases. An
 * epoch goes through the rows in random order and uses each at most once; rows
 * at the end that do not fill a batch are left out.
 *
 * Sums are computed in parts of fixed size, so that results do not depend on
 * the number of threads. */
#include "learn/divergence_parts.h"
#include "run/summary/learned_figures.h"

#include "base/memory.h"
#include "rng/stream.h"
#include "simd/simd.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    PIECES = 16, /* number of parts into which the optimiser splits the
                    parameters */
    BITS = 48    /* number of bits of the buffer that are stored in one double,
                  * as an exact integer */
};

enum { HEAD = sizeof(cs_learn_memory) / sizeof(double) };

/* ---- a learner ----------------------------------------------------------- */

static void destroy(cs_divergence *d)
{
    cs_data_release(d->spec.train);
    cs_data_release(d->spec.test);
    cs_free(d->base);
    cs_free(d);
}

static void hold(void *self)
{
    ((cs_divergence *)self)->holders++;
}

static void release(void *self)
{
    cs_divergence *d = self;
    if (--d->holders == 0)
        destroy(d);
}

/* Fails if all rows are equal. This happens, for example, for images whose
 * levels are all below the threshold. */
static cs_status check_data(const cs_data_set *d, cs_error *err)
{
    for (size_t i = 1; i < d->n; i++)
        if (memcmp(d->byte, d->byte + i * d->dim, d->dim) != 0)
            return CS_OK;
    if (d->n == 1)
        return CS_OK;
    cs_fail(err, CS_INPUT, "all %zu rows of the data are the same", d->n);
    cs_hint(err, "for images, check the threshold: some files have levels 0 "
                 "and 1, not 0 to 255");
    return CS_INPUT;
}

cs_status cs_divergence_create(cs_divergence **out,
                               const cs_divergence_spec *spec, cs_error *err)
{
    *out = NULL;
    if (spec->batch < 1 || spec->batch > spec->train->n)
        return cs_fail(err, CS_RANGE,
                       "the batch has %zu rows, but the data have only %zu",
                       spec->batch, spec->train->n);
    if (spec->runs == 1 || (spec->runs && spec->temperatures < 1))
        return cs_fail(err, CS_RANGE,
                       "annealing needs at least 2 runs and 1 temperature");
    if (check_data(spec->train, err))
        return CS_INPUT;
    cs_divergence *d = cs_alloc(1, sizeof *d);
    double *base = cs_alloc(spec->train->dim, sizeof *base);
    if (!d || !base) {
        cs_free(d);
        cs_free(base);
        return cs_fail(err, CS_MEMORY, "out of memory for a learner");
    }
    *d = (cs_divergence){.holders = 1, .spec = *spec, .base = base};
    const cs_data_set *train = cs_data_hold(spec->train);
    cs_data_hold(spec->test);
    for (size_t i = 0; i < train->dim; i++) {
        double p = fmin(fmax(train->mean[i] - train->low, 0.01), 0.99);
        base[i] = log(p / (1 - p));
    }
    d->independent =
        cs_data_independent(train, spec->test ? spec->test : train,
                            spec->judge_rows, &d->independent_error);
    *out = d;
    return CS_OK;
}

/* Fails if the buffer has fewer states than there are chains. Every chain needs
 * a state of its own. */
static cs_status fills(const cs_divergence *d, size_t chains, cs_error *err)
{
    if (!d->spec.buffer || d->spec.buffer >= chains)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "the buffer has %zu states, but the arm has %zu chains",
            d->spec.buffer, chains);
    cs_hint(err,
            "use a buffer of at least %zu states, or no buffer: buffer = 0",
            chains);
    return CS_RANGE;
}

static cs_status fits(const void *self, const cs_target *t, size_t chains,
                      cs_error *err)
{
    const cs_divergence *d = self;
    const cs_data_set *train = d->spec.train;
    if (fills(d, chains, err))
        return CS_RANGE;
    if (!cs_space_is_discrete(&t->space) || train->dim != t->space.dim ||
        train->low != t->space.low)
        return cs_fail(err, CS_INPUT,
                       "the data are %s, which cannot be states of target %s",
                       train->from, t->name);
    if (!d->spec.runs || d->spec.annealer.type || t->type->model->anneal)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "target %s has no annealing path", t->name);
    cs_hint(err, "name the kernel of the annealing runs: judge = { kernel = "
                 "cs.kernel.gwg {} }");
    return CS_UNSUPPORTED;
}

/* ---- sizes --------------------------------------------------------------- */

static size_t lanes_of(size_t n)
{
    return (n + CS_LEARN_LANES - 1) / CS_LEARN_LANES * CS_LEARN_LANES;
}

static size_t packed_words(const cs_target *t)
{
    size_t each = t->space.values == 2 ? BITS : BITS / 8;
    return (t->space.dim + each - 1) / each;
}

static size_t buffer_words(const cs_divergence *d, const cs_target *t,
                           size_t chains)
{
    return d->spec.buffer ? d->spec.buffer * packed_words(t) + chains : 0;
}

static size_t words(const void *self, const cs_target *t, size_t chains)
{
    const cs_divergence *d = self;
    size_t n = d->spec.optimiser.type->memories + (d->spec.average > 0);
    return HEAD + n * t->n_learned + buffer_words(d, t, chains);
}

/* Return the addresses of the parts of the learner's memory. */
static double *memory_of_step(const cs_learning *l, size_t k)
{
    return l->memory + HEAD + k * l->target->n_learned;
}

double *cs_learn_average(const cs_learning *l)
{
    const cs_divergence *d = l->self;
    return memory_of_step(l, d->spec.optimiser.type->memories);
}

static double *buffer_of(const cs_learning *l)
{
    const cs_divergence *d = l->self;
    size_t n = d->spec.optimiser.type->memories + (d->spec.average > 0);
    return memory_of_step(l, n);
}

static bool is_whole(double x, double least, double most)
{
    return x >= least && x <= most && x == floor(x);
}

/* Returns whether x is a valid word of packed states. */
static bool is_packed(const cs_target *t, double x)
{
    if (!is_whole(x, 0, 0x1p48 - 1))
        return false;
    bool good = true;
    for (uint64_t all = (uint64_t)x; t->space.values > 2 && all; all >>= 8)
        good &= (all & 255) < (uint64_t)t->space.values;
    return good;
}

/* Returns whether number i of a saved memory is valid. Counts and packed states
 * must be integers in range. Only the results of evaluations may be infinite or
 * NaN, since the model may have diverged. */
static bool sound(const void *self, const cs_target *t, size_t i, double x)
{
    enum {
        ROWS = offsetof(cs_learn_memory, n) / sizeof(double),
        JUDGED = offsetof(cs_learn_memory, n_judged) / sizeof(double),
        JUDGEMENTS = offsetof(cs_learn_memory, judged) / sizeof(double)
    };
    const cs_divergence *d = self;
    size_t first = words(d, t, 0) - buffer_words(d, t, 0);
    if (i == ROWS)
        return is_whole(x, 0, CS_LEARN_SERIES);
    if (i == JUDGED)
        return is_whole(x, 0, CS_LEARN_JUDGED);
    if (i < first)
        return isfinite(x) || (i >= JUDGEMENTS && i < HEAD);
    return i < first + d->spec.buffer * packed_words(t)
               ? is_packed(t, x)
               : is_whole(x, 0, (double)d->spec.buffer - 1);
}

static size_t lay_out(const cs_divergence *d, const cs_target *t, double *at,
                      cs_learn_scratch *r)
{
    size_t n = t->n_learned, dim = t->space.dim, used = 0;
    size_t most = n > dim * CS_LEARN_LANES ? n : dim * CS_LEARN_LANES;
#define TAKE(to, size)                                                         \
    (to) = at ? at + used : NULL;                                              \
    used += lanes_of(size)
    for (size_t k = 0; k < CS_LEARN_JOBS; k++) {
        TAKE(r->part[k], n);
    }
    TAKE(r->x, CS_LEARN_JOBS * dim * CS_LEARN_LANES);
    TAKE(r->scratch, CS_LEARN_JOBS * t->slope_words * CS_LEARN_LANES);
    TAKE(r->logp, CS_LEARN_JOBS * CS_LEARN_LANES);
    TAKE(r->weight, CS_LEARN_JOBS * CS_LEARN_LANES);
    TAKE(r->energy, CS_LEARN_JOBS);
    TAKE(r->uniform, most);
    TAKE(r->kept, n);
    TAKE(r->order, d->spec.train->n + 1);
#undef TAKE
    return used;
}

static size_t scratch_words(const void *self, const cs_target *t, size_t chains)
{
    cs_learn_scratch r;
    (void)chains;
    return lay_out(self, t, NULL, &r);
}

/* ---- random numbers of a learner ----------------------------------------- */

/* Returns uniform random number k of the given update for the purpose
 * `what`. */
double cs_learn_uniform(const cs_learning *l, uint64_t what, uint64_t update,
                        uint64_t k)
{
    uint64_t word[2];
    const uint64_t key[2] = {l->seed, UINT64_MAX - 16 - what};
    cs_threefry2x64(20, (const uint64_t[]){k, update}, key, word);
    return ((double)(word[0] >> 11) + 0.5) * 0x1p-53;
}

/* ---- rows of the data ---------------------------------------------------- */

/* Shuffles the rows by the method of Fisher and Yates, so that all orders have
 * equal probability. */
static void shuffle(const cs_learning *l, const cs_learn_scratch *r,
                    uint64_t epoch, size_t n)
{
    double *row = r->order + 1;
    for (size_t k = 0; k < n; k++)
        row[k] = (double)k;
    for (size_t k = n; k > 1; k--) {
        size_t other =
            (size_t)(cs_learn_uniform(l, CS_LEARN_ORDER, epoch, k) * (double)k);
        double kept = row[k - 1];
        row[k - 1] = row[other];
        row[other] = kept;
    }
    r->order[0] = 1 + (double)epoch;
}

/* Returns row number i of the batch of an update. `update` is the number of the
 * update, from 1. */
static size_t row_of(const cs_learning *l, const cs_learn_scratch *r,
                     uint64_t update, size_t i)
{
    const cs_divergence *d = l->self;
    size_t n = d->spec.train->n, each = n / d->spec.batch;
    uint64_t epoch = (update - 1) / each;
    if (r->order[0] != 1 + (double)epoch)
        shuffle(l, r, epoch, n);
    return (size_t)r->order[1 + (update - 1) % each * d->spec.batch + i];
}

/* ---- the buffer ---------------------------------------------------------- */

static void pack(const cs_target *t, const double *x, double *to)
{
    size_t wide = t->space.values == 2 ? 1 : 8, each = BITS / wide;
    for (size_t w = 0; w * each < t->space.dim; w++) {
        uint64_t all = 0;
        for (size_t k = 0; k < each && w * each + k < t->space.dim; k++) {
            double v = x[w * each + k] - t->space.low;
            all |= (uint64_t)v << (k * wide);
        }
        to[w] = (double)all;
    }
}

static void unpack(const cs_target *t, const double *from, double *x)
{
    size_t wide = t->space.values == 2 ? 1 : 8, each = BITS / wide;
    for (size_t k = 0; k < t->space.dim; k++) {
        uint64_t all = (uint64_t)from[k / each] >> (k % each * wide);
        x[k] = t->space.low + (double)(all & ((1u << wide) - 1));
    }
}

/* Gives each chain a distinct state of the buffer, drawn at random. */
static void draw_of_buffer(const cs_learning *l)
{
    const cs_divergence *d = l->self;
    size_t dim = l->target->space.dim, size = packed_words(l->target);
    double *state = buffer_of(l), *slot = state + d->spec.buffer * size;
    uint64_t k = 0;
    for (size_t c = 0; c < l->chains; c++) {
        bool taken = true;
        while (taken) {
            slot[c] =
                floor(cs_learn_uniform(l, CS_LEARN_BUFFER, l->update, k++) *
                      (double)d->spec.buffer);
            taken = false;
            for (size_t b = 0; b < c; b++)
                taken |= slot[b] == slot[c];
        }
        unpack(l->target, state + (size_t)slot[c] * size, l->x + c * dim);
    }
    *l->placed = true;
}

/* Returns the states of live chains to the buffer. The state of a chain goes to
 * the slot from which that chain took its state before the update. */
static void give_back(const cs_learning *l)
{
    const cs_divergence *d = l->self;
    size_t dim = l->target->space.dim, size = packed_words(l->target);
    double *state = buffer_of(l), *slot = state + d->spec.buffer * size;
    for (size_t c = 0; d->spec.buffer && c < l->chains; c++)
        if (!l->failed[c])
            pack(l->target, l->x + c * dim, state + (size_t)slot[c] * size);
}

/* ---- starting points of chains ------------------------------------------- */

/* Writes the initial state number k to x[dim]. */
static void first_state(const cs_learning *l, uint64_t k, double *x)
{
    const cs_divergence *d = l->self;
    const cs_data_set *train = d->spec.train;
    size_t dim = train->dim;
    if (d->spec.at_mean && l->target->space.values == 2) {
        for (size_t i = 0; i < dim; i++)
            x[i] = train->low + (cs_learn_uniform(l, CS_LEARN_STATES, k, i) <
                                 train->mean[i] - train->low);
        return;
    }
    double u = cs_learn_uniform(l, CS_LEARN_STATES, k, 0);
    cs_data_state(train, (size_t)(u * (double)train->n), 1, x);
}

/* Sets the states of the chains to the rows of an update's batch. */
static void to_data(const cs_learning *l, const cs_learn_scratch *r,
                    uint64_t update)
{
    const cs_divergence *d = l->self;
    size_t dim = l->target->space.dim;
    for (size_t c = 0; c < l->chains; c++)
        cs_data_state(d->spec.train, row_of(l, r, update, c % d->spec.batch), 1,
                      l->x + c * dim);
    *l->placed = true;
}

static void begin_states(const cs_learning *l, const cs_learn_scratch *r)
{
    const cs_divergence *d = l->self;
    size_t dim = l->target->space.dim, size = packed_words(l->target);
    if (d->spec.from_data) {
        to_data(l, r, 1);
        return;
    }
    for (size_t k = 0; k < d->spec.buffer; k++) {
        first_state(l, k, l->x);
        pack(l->target, l->x, buffer_of(l) + k * size);
    }
    for (size_t c = 0; !d->spec.buffer && c < l->chains; c++)
        first_state(l, c, l->x + c * dim);
    if (d->spec.buffer)
        draw_of_buffer(l);
    *l->placed = true;
}

static void begin(const cs_learning *l)
{
    const cs_divergence *d = l->self;
    cs_target *t = l->target;
    cs_learn_scratch r;
    lay_out(d, t, l->scratch, &r);
    r.order[0] = 0;
    ((cs_learn_memory *)(void *)l->memory)->every = 1;
    if (t->type->model->begin && !d->spec.as_made) {
        for (size_t i = 0; i < t->n_learned; i++)
            r.uniform[i] = cs_learn_uniform(l, CS_LEARN_NUMBERS, 0, i);
        t->type->model->begin(t, d->spec.train->mean, r.uniform);
    }
    if (d->spec.average > 0)
        memcpy(cs_learn_average(l), t->learned, t->n_learned * sizeof(double));
    begin_states(l, &r);
}

/* ---- the gradient -------------------------------------------------------- */

typedef struct slopes {
    const cs_learning *l;
    const cs_learn_scratch *r;
    size_t living; /* number of live chains */
    uint64_t update;
} slopes;

/* Loads at most CS_LEARN_LANES states for a job. The states are rows of the
 * data, or live chains. Their numbers are from `first` to n - 1. Returns the
 * number of states. Padding lanes repeat the last state. */
static size_t load(const slopes *s, bool data, size_t first, size_t n,
                   double *x)
{
    const cs_learning *l = s->l;
    const cs_divergence *d = l->self;
    size_t dim = l->target->space.dim;
    size_t live = n - first < CS_LEARN_LANES ? n - first : CS_LEARN_LANES;
    for (size_t k = 0; k < CS_LEARN_LANES; k++) {
        size_t i = first + (k < live ? k : live - 1);
        if (data) {
            size_t row = (size_t)s->r->order[1 + i];
            cs_data_state(d->spec.train, row, CS_LEARN_LANES, x + k);
            continue;
        }
        for (size_t at = 0; at < dim; at++)
            x[at * CS_LEARN_LANES + k] = l->x[i * dim + at];
    }
    return live;
}

/* Computes a part of the gradient. Each job handles every second group of
 * lanes. The groups are those of the data or those of the chains. */
static void slope_job(void *self, size_t j)
{
    const slopes *s = self;
    const cs_learning *l = s->l;
    const cs_divergence *d = l->self;
    const cs_learn_scratch *r = s->r;
    const cs_target *t = l->target;
    bool data = j < CS_LEARN_HALVES;
    size_t dim = t->space.dim, each = d->spec.train->n / d->spec.batch;
    size_t from = data ? (s->update - 1) % each * d->spec.batch : 0;
    size_t n = from + (data ? d->spec.batch : s->living);
    double *x = r->x + j * dim * CS_LEARN_LANES,
           *logp = r->logp + j * CS_LEARN_LANES,
           *weight = r->weight + j * CS_LEARN_LANES;
    double share = data ? 1 / (double)d->spec.batch : -1 / (double)s->living;
    memset(r->part[j], 0, t->n_learned * sizeof(double));
    r->energy[j] = 0;
    for (size_t first = from + j % CS_LEARN_HALVES * CS_LEARN_LANES; first < n;
         first += CS_LEARN_HALVES * CS_LEARN_LANES) {
        size_t live = load(s, data, first, n, x);
        for (size_t k = 0; k < CS_LEARN_LANES; k++)
            weight[k] = k < live ? share : 0;
        const cs_point at = {.x = x,
                             .scratch = r->scratch +
                                        j * t->slope_words * CS_LEARN_LANES,
                             .lanes = CS_LEARN_LANES,
                             .live = live};
        t->type->model->slope(t, &at, weight, logp, r->part[j]);
        for (size_t k = 0; k < live; k++)
            r->energy[j] -= logp[k] * fabs(share);
    }
}

/* ---- the step ------------------------------------------------------------ */

typedef struct climb {
    const cs_learning *l;
    const cs_learn_scratch *r;
    const cs_optimiser_ops *op;
    double rate;
    bool finite[PIECES];
} climb;

static size_t edge(size_t n, size_t piece)
{
    size_t each = (n / PIECES + CS_PAD - 1) / CS_PAD * CS_PAD,
           at = piece * each;
    return piece == PIECES || at > n ? n : at;
}

static void sum_piece(void *self, size_t piece)
{
    climb *c = self;
    size_t n = c->l->target->n_learned, first = edge(n, piece);
    c->finite[piece] = c->op->sum(c->r->part, CS_LEARN_JOBS, first,
                                  edge(n, piece + 1) - first, c->r->part[0]);
}

static void step_piece(void *self, size_t piece)
{
    const climb *c = self;
    const cs_learning *l = c->l;
    const cs_divergence *d = l->self;
    const cs_optimiser *o = &d->spec.optimiser;
    size_t n = l->target->n_learned, first = edge(n, piece);
    cs_ascent a = {.value = o->value,
                   .rate = c->rate,
                   .update = (double)l->update,
                   .n = edge(n, piece + 1) - first,
                   .x = l->target->learned + first,
                   .g = c->r->part[0] + first};
    for (size_t k = 0; k < o->type->memories; k++)
        a.memory[k] = memory_of_step(l, k) + first;
    c->op->step[o->type->step](&a);
    if (d->spec.average > 0)
        c->op->follow(a.x, d->spec.average, a.n, cs_learn_average(l) + first);
}

/* Takes a step of the optimiser, unless the gradient is not finite. */
static void go_up(const cs_learning *l, const cs_learn_scratch *r)
{
    const cs_divergence *d = l->self;
    climb c = {.l = l, .r = r, .op = cs_optimiser_best()};
    bool finite = true;
    c.rate = cs_optimiser_rate(&d->spec.optimiser, l->update);
    cs_share_jobs(l->pool, sum_piece, &c, PIECES);
    for (size_t k = 0; k < PIECES; k++)
        finite &= c.finite[k];
    if (finite)
        cs_share_jobs(l->pool, step_piece, &c, PIECES);
    else
        ((cs_learn_memory *)(void *)l->memory)->refused += 1;
}

/* ---- learning curve ------------------------------------------------------ */

/* If all rows of the learning curve are used, merges them in pairs. */
static void thin(cs_learn_memory *m)
{
    for (size_t i = 0; i < CS_LEARN_SERIES / 2; i++) {
        cs_learned_row *a = &m->row[2 * i], *b = a + 1;
        m->row[i] = (cs_learned_row){.update = b->update,
                                     .data = (a->data + b->data) / 2,
                                     .chains = (a->chains + b->chains) / 2};
    }
    m->n = CS_LEARN_SERIES / 2;
    m->every *= 2;
}

static void note(const cs_learning *l, const cs_learn_scratch *r)
{
    cs_learn_memory *m = (void *)l->memory;
    double data = r->energy[0] + r->energy[1];
    double chains = r->energy[2] + r->energy[3];
    if (!isfinite(data) || !isfinite(chains))
        return;
    m->data += data;
    m->chains += chains;
    if (++m->since < m->every)
        return;
    if ((size_t)m->n == CS_LEARN_SERIES)
        thin(m);
    m->row[(size_t)m->n++] = (cs_learned_row){.update = (double)l->update,
                                              .data = m->data / m->since,
                                              .chains = m->chains / m->since};
    m->since = m->data = m->chains = 0;
}

/* Moves the states of live chains to the start of l->x. */
static void close_up(const cs_learning *l, size_t living)
{
    size_t dim = l->target->space.dim, to = 0;
    for (size_t c = 0; c < l->chains && living < l->chains; c++)
        if (!l->failed[c])
            memmove(l->x + to++ * dim, l->x + c * dim, dim * sizeof *l->x);
}

/* Takes one gradient step, if at least one chain is live. */
static void learn(const cs_learning *l, const cs_learn_scratch *r)
{
    slopes s = {.l = l, .r = r, .update = l->update};
    for (size_t c = 0; c < l->chains; c++)
        s.living += !l->failed[c];
    if (s.living == 0)
        return;
    close_up(l, s.living);
    cs_share_jobs(l->pool, slope_job, &s, CS_LEARN_JOBS);
    note(l, r);
    go_up(l, r);
}

static void update(const cs_learning *l)
{
    const cs_divergence *d = l->self;
    cs_learn_scratch r;
    lay_out(d, l->target, l->scratch, &r);
    row_of(l, &r, l->update, 0); /* shuffles the rows of the data if an epoch
                                    starts */
    give_back(l);
    learn(l, &r);
    bool last = l->update == l->updates;
    bool due = d->spec.judge_every && l->update % d->spec.judge_every == 0;
    if (last || (due && d->spec.runs))
        cs_learn_judge(l, &r, last);
    if (d->spec.buffer)
        draw_of_buffer(l);
    else if (d->spec.from_data)
        to_data(l, &r, l->update + 1);
}

const cs_learner_type cs_learns_by_divergence = {.hold = hold,
                                                 .release = release,
                                                 .fits = fits,
                                                 .words = words,
                                                 .scratch_words = scratch_words,
                                                 .sound = sound,
                                                 .begin = begin,
                                                 .update = update,
                                                 .report = cs_learn_report,
                                                 .parts = cs_learn_parts};
