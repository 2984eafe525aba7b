/* Maximum mean discrepancy between the states of the chains at one time and a
 * reference sample, with the kernel of the discrete sampling papers (Grathwohl
 * et al., "Oops I Took A Gradient", 2021; "Entropy-Guided Sampling of Flat
 * Modes in Discrete Spaces"; "Gradient-based Discrete Sampling with Automatic
 * Cyclical Scheduling"):
 *
 *   k(x, y) = exp(-(sites in which x and y differ) / dim),
 *   MMD = mean k(X, X) + mean k(Y, Y) - 2 mean k(X, Y).
 *
 * This is the biased V-statistic, which includes the diagonals; the report has
 * its natural logarithm. X are the states of the chains at one of up to 64
 * times, which are thinned as the run grows. Y are exact draws of the target or
 * the rows of a file. The file has only states, or it has the draws of another
 * run, with columns named after the coordinates.
 *
 * `floor` is the expected value for independent draws, one per chain: (1 -
 * kappa) (1 / n + 1 / m), where kappa is the mean of k over pairs of Y.
 *
 * A state counts by its weight divided by the mean weight of its chain. The
 * means of k are then weighted, and n in the floor is the effective sample size
 * (Kish) of the states at one time.
 *
 * Most of the time is spent on the sum of k(x, Y) for one x. Every report needs
 * the sums for all times again, so they are cached by a hash of x.
 *
 * A state is packed into words of 48 bits, so that a double represents each
 * word exactly. A site with more than two values takes one bit per value. */
#include "base/hash.h"
#include "base/memory.h"
#include "data/table.h"
#include "probe/rows.h"
#include "probe/time_bins.h"
#include "probe/weigh.h"
#include "target/enumeration.h"

#include <math.h>
#include <string.h>

enum { REFERENCE, FILE_ };
enum {
    KNOWN = 1 << 16,
    TIMES = 64,
    BITS = 48,
    MOST_BITS = 1 << 16,
    MOST_ROWS = 10000
};

/* Cached sum of k(x, Y) for the state x. `key` is the hash of the packed words
 * of x. */
typedef struct known {
    uint64_t key;
    double sum;
} known;

typedef struct mmd {
    size_t words, m;  /* words: number of words per packed state; m: number of
                         states in the reference */
    size_t per_site;  /* number of bits per site */
    bool of_file;     /* true: the reference comes from a file */
    uint64_t *y;      /* [m][words] the packed reference states */
    double *weight;   /* [dim + 1] value of k for each number of differing
                       * sites */
    double yy, apart; /* mean of k(Y, Y). yy: with the diagonal; apart: without
                       * the diagonal */
    known *known;     /* [KNOWN] cached sums */
} mmd;

static void destroy(cs_probe *p)
{
    mmd *d = p->self;
    CS_FREE_ALL(d->y, d->weight, d->known, d);
}

/* ---- states as bits ---- */

static void set_bit(uint64_t *to, size_t bit)
{
    to[bit / BITS] |= UINT64_C(1) << bit % BITS;
}

/* Packs the state x[dim], which is stored at a stride, into to[words]. */
static void pack(const mmd *d, const cs_space *space, const double *x,
                 size_t stride, uint64_t *to)
{
    memset(to, 0, d->words * sizeof *to);
    for (size_t i = 0; i < space->dim; i++) {
        size_t v = (size_t)(x[i * stride] - space->low);
        if (d->per_site > 1)
            set_bit(to, i * d->per_site + v);
        else if (v)
            set_bit(to, i);
    }
}

/* Returns k for two packed states. */
static double kernel(const mmd *d, const uint64_t *a, const uint64_t *b)
{
    size_t bits = 0;
    for (size_t w = 0; w < d->words; w++)
        bits += (size_t)__builtin_popcountll(a[w] ^ b[w]);
    return d->weight[d->per_site > 1 ? bits / 2 : bits];
}

/* Returns the hash of a state. The hash is never 0, because 0 marks an empty
 * entry. */
static uint64_t key_of(const uint64_t *x, size_t words)
{
    uint64_t key = words;
    for (size_t w = 0; w < words; w++)
        key = cs_hash_word(key, x[w]);
    return key | 1;
}

/* Returns the sum of k(x, Y) over all reference states Y. */
static double sum_across(const mmd *d, const uint64_t *x)
{
    uint64_t key = key_of(x, d->words);
    known *place = &d->known[(key >> 1) % KNOWN];
    if (place->key == key)
        return place->sum;
    double sum = 0;
    for (size_t j = 0; j < d->m; j++)
        sum += kernel(d, x, d->y + j * d->words);
    *place = (known){key, sum};
    return sum;
}

static double sum_between(const mmd *d, const uint64_t *x, const double *w,
                          size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += w[i] * sum_across(d, x + i * d->words);
    return sum;
}

/* Returns the sum of k over all pairs of distinct states; if `w` is NULL, all
 * states have equal weights. */
static double sum_within(const mmd *d, const uint64_t *x, const double *w,
                         size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            sum += 2 * (w ? w[i] * w[j] : 1) *
                   kernel(d, x + i * d->words, x + j * d->words);
    return sum;
}

/* ---- the reference ---- */

/* Returns the column of the table that has coordinate i, or `cols` if no column
 * has it. */
static size_t column_of(const cs_target *t, const cs_table *table, size_t i)
{
    char name[CS_TABLE_NAME];
    size_t k = 0;
    cs_target_coordinate(t, i, name, sizeof name);
    while (k < table->cols && strcmp(table->names[k], name) != 0)
        k++;
    return k == table->cols && table->cols == t->space.dim ? i : k;
}

static cs_status refuse(const char *file, const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "the reference %s: %s", file, what);
    cs_hint(err,
            "give one state per row, or the draws of a run of this target");
    return CS_INPUT;
}

/* Reads the reference x[rows][dim] [own] from the table. */
static cs_status take_rows(const cs_target *t, const char *file,
                           const cs_table *table, double **out, cs_error *err)
{
    size_t dim = t->space.dim;
    double last = t->space.low + (double)t->space.values - 1;
    double *x = cs_alloc(table->rows * dim, sizeof *x);
    *out = x;
    if (!x)
        return cs_fail(err, CS_MEMORY, "out of memory for the reference");
    for (size_t i = 0; i < dim; i++) {
        size_t k = column_of(t, table, i);
        if (k == table->cols)
            return refuse(file, "its columns are not the target's coordinates",
                          err);
        for (size_t r = 0; r < table->rows; r++) {
            double v = table->data[r * table->cols + k];
            if (!(v >= t->space.low && v <= last && v == floor(v)))
                return refuse(file, "a row is not a state of the target", err);
            x[r * dim + i] = v;
        }
    }
    return CS_OK;
}

static cs_status read_file(const cs_target *t, const char *file, double **x,
                           size_t *rows, cs_error *err)
{
    cs_table table = {0};
    cs_status s = cs_table_read(file, &table, err);
    if (s == CS_OK && (table.rows < 2 || table.rows > MOST_ROWS))
        s = refuse(file, "it must have 2 to 10000 rows", err);
    if (s == CS_OK)
        s = take_rows(t, file, &table, x, err);
    *rows = table.rows;
    cs_table_free(&table);
    return s;
}

static cs_status draw_reference(const cs_target *t, size_t rows, double **x,
                                cs_error *err)
{
    if (!t->type->exact.draw || !t->n_uniform) {
        cs_fail(err, CS_UNSUPPORTED, "target %s has no exact draws", t->name);
        cs_hint(err, "give the probe mmd a reference: file = \"draws.csv\"");
        return CS_UNSUPPORTED;
    }
    *x = cs_alloc(rows * t->space.dim, sizeof **x);
    if (*x && cs_enumeration_draws(t, rows, *x))
        return CS_OK;
    return cs_fail(err, CS_MEMORY, "out of memory for the reference");
}

static cs_status find_reference(const cs_probe *p, const cs_target *t,
                                cs_error *err)
{
    mmd *d = p->self;
    double *x = NULL;
    const char *file = p->text[FILE_];
    d->m = (size_t)p->values[REFERENCE];
    d->of_file = file && *file;
    cs_status s = d->of_file ? read_file(t, file, &x, &d->m, err)
                             : draw_reference(t, d->m, &x, err);
    if (s == CS_OK && !(d->y = cs_alloc(d->m * d->words, sizeof *d->y)))
        s = cs_fail(err, CS_MEMORY, "out of memory for the reference");
    for (size_t i = 0; s == CS_OK && i < d->m; i++)
        pack(d, &t->space, x + i * t->space.dim, 1, d->y + i * d->words);
    cs_free(x);
    return s;
}

static bool has_bit(const uint64_t *from, size_t bit)
{
    return from[bit / BITS] >> bit % BITS & 1;
}

/* Unpacks a state: the inverse of `pack`. */
static void unpack(const mmd *d, const cs_space *space, const uint64_t *from,
                   double *x)
{
    for (size_t i = 0; i < space->dim; i++) {
        size_t v = 0;
        if (d->per_site == 1)
            v = has_bit(from, i);
        while (d->per_site > 1 && v + 1 < d->per_site &&
               !has_bit(from, i * d->per_site + v))
            v++;
        x[i] = space->low + (double)v;
    }
}

static size_t reference(const cs_probe *p, size_t most, double *x)
{
    const mmd *d = p->self;
    const cs_space *space = &p->target->space;
    size_t n = d->of_file ? d->m : 0;
    if (most == 0)
        return n;
    n = n < most ? n : most;
    for (size_t i = 0; x && i < n; i++)
        unpack(d, space, d->y + i * d->words, x + i * space->dim);
    return n;
}

static void compare_reference(mmd *d)
{
    double m = (double)d->m, sum = sum_within(d, d->y, NULL, d->m);
    d->yy = (sum + m) / (m * m);
    d->apart = sum / (m * (m - 1));
}

static cs_status check_space(const cs_target *t, cs_error *err)
{
    bool binary = t->space.values == 2;
    double bits = (double)t->space.dim * (binary ? 1 : (double)t->space.values);
    if (cs_space_is_discrete(&t->space) && bits <= MOST_BITS)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED,
            "mmd uses the Hamming distance and supports at most %d bits",
            MOST_BITS);
    cs_hint(err, "omit the probe mmd");
    return CS_UNSUPPORTED;
}

/* Memory of a lane: the weights, the number of observations, then TIMES packed
 * states with their log weights. The first word of a stored state is increased
 * by 1; 0 means that no state is stored. */
enum { SEEN = CS_WEIGH_ROWS, STATES };

static size_t words_of(const mmd *d)
{
    return d->words + 1;
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    const cs_space *space = &target->space;
    cs_status s = check_space(target, err);
    if (s != CS_OK)
        return s;
    mmd *d = p->self = cs_alloc(1, sizeof *d);
    if (!d)
        return cs_fail(err, CS_MEMORY, "out of memory for the reference");
    d->per_site = space->values == 2 ? 1 : (size_t)space->values;
    d->words = (space->dim * d->per_site + BITS - 1) / BITS;
    d->weight = cs_alloc(space->dim + 1, sizeof *d->weight);
    d->known = cs_alloc(KNOWN, sizeof *d->known);
    if (!d->weight || !d->known)
        s = cs_fail(err, CS_MEMORY, "out of memory for the reference");
    for (size_t h = 0; d->weight && h <= space->dim; h++)
        d->weight[h] = exp(-(double)h / (double)space->dim);
    if (s == CS_OK)
        s = find_reference(p, target, err);
    p->words = STATES + TIMES * words_of(d);
    if (s == CS_OK)
        compare_reference(d);
    else
        destroy(p);
    return s;
}

/* ---- observing ---- */

/* Stores the packed state of lane l as numbers, and then the log weight of this
 * state. */
static void keep(const cs_probe *p, const cs_step_view *s, size_t l, double *to)
{
    const mmd *d = p->self;
    const cs_space *space = &p->target->space;
    uint64_t word = 1; /* added to the first word, so that 0 means no state */
    size_t at = 0, bit = 0;
    for (size_t i = 0; i < s->dim; i++) {
        size_t v = (size_t)(s->x[i * s->lanes + l] - space->low);
        size_t next = d->per_site > 1 ? i * d->per_site + v : i;
        for (; bit + BITS <= next; bit += BITS) {
            to[at++ * s->lanes] = (double)word;
            word = 0;
        }
        if (d->per_site > 1 || v)
            word += UINT64_C(1) << (next - bit);
    }
    for (; at < d->words; word = 0)
        to[at++ * s->lanes] = (double)word;
    to[at * s->lanes] = s->log_weight ? s->log_weight[l] : 0;
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    const mmd *d = p->self;
    size_t n = s->lanes, row = words_of(d) * n;
    bool fold;
    uint64_t seen = cs_bins_seen(p, s->step);
    size_t slot = cs_bins_at_of(seen, TIMES, &fold);
    double *times = memory + STATES * n;
    if (fold) {
        for (size_t k = 0; k < TIMES / 2; k++)
            memcpy(times + k * row, times + (2 * k + 1) * row,
                   row * sizeof *times);
        memset(times + TIMES / 2 * row, 0, TIMES / 2 * row * sizeof *times);
    }
    for (size_t l = 0; l < n; l++)
        memory[SEEN * n + l] = (double)seen;
    for (size_t l = 0; l < n; l += CS_VECTOR)
        cs_weigh_lanes(s, l, ~cs_load_bool(s->left_out + l), memory);
    if (seen % cs_bins_width_of(seen, TIMES) != 0)
        return;
    for (size_t l = 0; l < s->live; l++)
        if (!s->left_out[l])
            keep(p, s, l, times + slot * row + l);
}

/* ---- reporting ---- */

/* The states of the chains at one time. */
typedef struct sample {
    uint64_t *x;         /* [n][words] packed states */
    double *w;           /* [n] weights of the states */
    double sum, squares; /* sum: sum of the weights; squares: sum of their
                          * squares */
    size_t n;
} sample;

/* Adds the state of chain c at this time to the sample, if the chain has such a
 * state. */
static void add(const mmd *d, const cs_lane_memory *chain, size_t slot,
                sample *s)
{
    size_t from = STATES + slot * words_of(d);
    uint64_t *to = s->x + s->n * d->words;
    for (size_t w = 0; w < d->words; w++)
        to[w] = (uint64_t)cs_bin_word(chain, from + w);
    if (to[0] == 0)
        return;
    to[0]--;
    double lw = cs_bin_word(chain, from + d->words);
    double w = exp(lw - cs_bin_word(chain, CS_WEIGH_MOST)) *
               cs_chain_weight_of(chain, 0).unit;
    s->w[s->n++] = w;
    s->sum += w;
    s->squares += w * w;
}

static void gather(const mmd *d, const cs_lane_memory *chain, size_t n,
                   size_t slot, sample *s)
{
    s->n = 0;
    s->sum = s->squares = 0;
    for (size_t c = 0; c < n; c++)
        add(d, &chain[c], slot, s);
}

static double discrepancy(const mmd *d, const sample *s)
{
    double m = (double)d->m;
    double xx =
        (sum_within(d, s->x, s->w, s->n) + s->squares) / (s->sum * s->sum);
    double xy = sum_between(d, s->x, s->w, s->n) / (s->sum * m);
    return s->sum > 0 ? fmax(xx + d->yy - 2 * xy, 0) : (double)NAN;
}

static double log_of(double x)
{
    return x > 0 ? log(x) : (double)NAN;
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const mmd *d = p->self;
    uint64_t seen = n ? (uint64_t)cs_bin_word(&chain[0], SEEN) : 0;
    uint64_t width = cs_bins_width_of(seen, TIMES);
    size_t used = (size_t)(seen / width), counted = 0;
    sample s = {.x = cs_alloc(n * d->words, sizeof *s.x),
                .w = cs_alloc(n, sizeof *s.w)};
    double *time = cs_flat_array(out, 1, used, "%stime", prefix);
    double *curve = cs_flat_array(out, 1, used, "%scurve", prefix);
    cs_row_mmd *value = CS_FLAT_ROWS(out, cs_row_mmd, 1, "%svalue", prefix);
    double sum = 0, apart = 0;
    for (size_t i = 0; s.x && s.w && value && i < used; i++) {
        gather(d, chain, n, i, &s);
        double now = discrepancy(d, &s);
        time[i] = (double)((i + 1) * width * p->every);
        curve[i] = log_of(now);
        if (i >= used / 2 && s.sum > 0) {
            sum += now;
            apart += s.squares / (s.sum * s.sum);
            counted++;
        }
    }
    cs_free(s.x);
    cs_free(s.w);
    if (!value)
        return;
    value->now = counted ? log_of(sum / (double)counted) : (double)NAN;
    apart = counted && cs_pool_weights(chain, n, 0).differ
                ? apart / (double)counted
                : 1 / (double)n;
    value->floor = log_of((1 - d->apart) * (apart + 1 / (double)d->m));
    value->reference = (double)d->m;
}

static const cs_param params[] = {
    [REFERENCE] = {.name = "reference",
                   CS_FIXED(INT),
                   CS_PARAM_RANGE(2, MOST_ROWS, 500),
                   .help = "number of exact draws in the reference"},
    [FILE_] = {.name = "file",
               CS_FIXED_PATH,
               .help = "CSV file with one reference state per row, or the "
                       "draws of another run, instead of exact draws"},
};

const cs_probe_type CS_VARIANT(cs_probe_mmd) = {
    .name = "mmd",
    .title = "Maximum mean discrepancy (MMD)",
    .help = "log of the maximum mean discrepancy (MMD) between the chains' "
            "states and a reference sample, with a Hamming kernel, and the "
            "value that exact draws would have",
    CS_PARAM_TABLE(params),
    .asked = true,
    .costly = true,
    .reference = reference,
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .report = report,
};
