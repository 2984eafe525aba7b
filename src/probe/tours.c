/* Distinct tours that a chain has visited. Each tour is stored once, with its
 * number of visits:
 *
 *   over distinct tours   number, mean and standard deviation of the costs
 *   mismatch to the best  number of pairs of positions i < j whose ordered
 *                         pair of cities differs, with the first city
 *                         appended to both tours: if m of the n + 1 positions
 *                         are equal it is (n + 1) n / 2 - m (m - 1) / 2
 *
 * Mohanty, Bhattacharya and Zhang, "Entropy-Guided Sampling of Flat Modes in
 * Discrete Spaces" (ICML 2025), sections 6.2 and E.2, after Schiavinotto and
 * Stuetzle 2007. Rotations of a tour count as distinct tours, and the mean
 * mismatch includes the best tour itself. These are properties of a chain; the
 * mean and standard deviation of the cost over visits are estimates and use the
 * weights of draws. If the cost is log p and log p is unknown, the costs are
 * NAN and no tour is the best. */
#include "base/hash.h"
#include "base/memory.h"
#include "probe/weigh.h"

#include <math.h>
#include <string.h>

enum { ROOM, AFTER };

/* Memory of a lane: the weights of visits; the number of tours stored; the
 * visits to tours that did not fit; the weighted sum and the weighted sum of
 * squares of the costs of visits. Then, for each entry of the table, the
 * visits, the cost and the packed tour. */
enum { KEPT = CS_WEIGH_ROWS, LEFT_OUT, SUM, SQUARE, HEAD };
enum { TIMES, COST, TOUR };
enum { MOST_WORDS = 1 << 16, PLACES = 1024, EXACT_BITS = 52 };

typedef struct layout {
    size_t places, bits, each; /* places: number of positions; bits: bits per
                                * position; each: positions per word */
    size_t words,
        capacity; /* words: number of words of a packed tour; capacity:
                                  number of entries of the table, a power of
                                  two */
    size_t cost;  /* index of the quantity `cost` */
    bool shown;   /* true: the target has a quantity `cost`;
                                * otherwise the cost is -log p */
} layout;

static size_t entry_of(const layout *a, size_t i)
{
    return HEAD + i * (TOUR + a->words);
}

static void find_cost(layout *a, const cs_target *t)
{
    char name[16];
    for (size_t i = 0; i < t->outputs.n && !a->shown; i++) {
        cs_target_coordinate(t, i, name, sizeof name);
        a->shown = strcmp(name, "cost") == 0;
        a->cost = i;
    }
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    const cs_picture *picture = &target->picture;
    if (picture->kind != CS_PICTURE_TOUR || !picture->order ||
        picture->places < 2 || picture->places > PLACES) {
        cs_fail(err, CS_UNSUPPORTED, "the states of target %s are not tours",
                target->name);
        cs_hint(err, "omit the probe tours");
        return CS_UNSUPPORTED;
    }
    layout *a = p->self = cs_alloc(1, sizeof *a);
    if (!a)
        return cs_fail(err, CS_MEMORY, "out of memory for the probe tours");
    a->places = picture->places;
    for (a->bits = 1; (size_t)1 << a->bits < a->places; a->bits++)
        ;
    a->each = EXACT_BITS / a->bits;
    a->words = (a->places + a->each - 1) / a->each;
    for (a->capacity = 1; 2 * a->capacity <= (size_t)p->values[ROOM] &&
                          2 * a->capacity * (TOUR + a->words) <= MOST_WORDS;)
        a->capacity *= 2;
    find_cost(a, target);
    p->words = entry_of(a, a->capacity);
    return CS_OK;
}

static void destroy(cs_probe *p)
{
    cs_free(p->self);
}

/* ---- observing ---------------------------------------------------------- */

static void pack(const layout *a, const uint32_t *tour, double *word)
{
    for (size_t w = 0; w < a->words; w++) {
        uint64_t sum = 0;
        for (size_t k = w * a->each; k < (w + 1) * a->each; k++)
            sum = sum << a->bits | (k < a->places ? tour[k] : 0);
        word[w] = (double)sum;
    }
}

static size_t place_of(const layout *a, const double *word)
{
    uint64_t h = 0;
    for (size_t w = 0; w < a->words; w++)
        h = cs_hash_word(h, (uint64_t)word[w]);
    return (size_t)h & (a->capacity - 1);
}

/* Returns the index (from 1) of the entry of this tour. Adds the tour if
 * necessary; returns 0 if the tour does not fit. A quarter of the table is kept
 * empty. */
static size_t find(const layout *a, const double *word, double cost,
                   double *memory, size_t n)
{
    size_t i = place_of(a, word);
    for (;; i = (i + 1) & (a->capacity - 1)) {
        double *e = memory + entry_of(a, i) * n;
        size_t same = 0;
        while (same < a->words && e[(TOUR + same) * n] == word[same])
            same++;
        if (e[TIMES * n] > 0 && same == a->words)
            return i + 1;
        if (e[TIMES * n] > 0)
            continue;
        if (4 * (memory[KEPT * n] + 1) > 3 * (double)a->capacity)
            return 0;
        memory[KEPT * n]++;
        e[COST * n] = cost;
        for (size_t w = 0; w < a->words; w++)
            e[(TOUR + w) * n] = word[w];
        return i + 1;
    }
}

static double cost_of(const layout *a, const cs_step_view *s, size_t l)
{
    if (a->shown)
        return s->shown[a->cost * s->lanes + l];
    return s->logp ? -s->logp[l] : (double)NAN;
}

static void visit(const cs_probe *p, const cs_step_view *s, size_t l,
                  double weight, double *memory)
{
    const layout *a = p->self;
    size_t n = s->lanes;
    double cost = cost_of(a, s, l);
    uint32_t tour[PLACES];
    double word[PLACES];
    p->target->picture.order(p->target, s->x + l, n, tour);
    pack(a, tour, word);
    memory[SUM * n] += weight * cost;
    memory[SQUARE * n] += weight * (cost * cost);
    size_t at = find(a, word, cost, memory, n);
    if (at)
        memory[(entry_of(a, at - 1) + TIMES) * n]++;
    else
        memory[LEFT_OUT * n]++;
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    bool early = (double)s->step <= p->values[AFTER];
    for (size_t l = 0; !early && l < s->live; l += CS_VECTOR) {
        const bool *skip = s->left_out + l;
        cs_weighed now = cs_weigh_lanes(s, l, ~cs_load_bool(skip), memory);
        cs_weigh_rescale(&now, memory + SUM * s->lanes + l, 2, s->lanes);
        for (size_t k = 0; k < CS_VECTOR && l + k < s->live; k++)
            if (!skip[k])
                visit(p, s, l + k, now.w[k], memory + l + k);
    }
}

/* ---- reporting ---------------------------------------------------------- */

static double word_of(const cs_lane_memory *c, size_t w)
{
    return c->word[w * c->stride];
}

static void unpack(const layout *a, const cs_lane_memory *c, size_t entry,
                   uint32_t *tour)
{
    for (size_t k = 0; k < a->places; k++) {
        uint64_t word = (uint64_t)word_of(c, entry + TOUR + k / a->each);
        size_t shift = (a->each - 1 - k % a->each) * a->bits;
        tour[k] = (uint32_t)(word >> shift) & ((1u << a->bits) - 1);
    }
}

static double mismatch(const layout *a, const uint32_t *p, const uint32_t *q)
{
    size_t n = a->places, m = p[0] == q[0];
    for (size_t k = 0; k < n; k++)
        m += p[k] == q[k];
    return (double)((n + 1) * n - m * (m > 0 ? m - 1 : 0)) / 2;
}

typedef struct sums {
    double n, sum, square;
} sums;

static void add(sums *s, double x)
{
    s->n++;
    s->sum += x;
    s->square += x * x;
}

static double mean_of(sums s)
{
    return s.n > 0 ? s.sum / s.n : (double)NAN;
}

static double sd_of(sums s)
{
    double mean = mean_of(s);
    return isnan(s.sum) ? s.sum : sqrt(fmax(s.square / s.n - mean * mean, 0));
}

/* Finds the cheapest tour of a chain. Returns false if the chain has no
 * tour. */
static bool best_of(const layout *a, const cs_lane_memory *c, double *cost,
                    uint32_t *tour)
{
    bool any = false;
    for (size_t i = 0; i < a->capacity; i++) {
        size_t e = entry_of(a, i);
        if (word_of(c, e + TIMES) > 0 && !isnan(word_of(c, e + COST)) &&
            (!any || word_of(c, e + COST) < *cost)) {
            any = true;
            *cost = word_of(c, e + COST);
            unpack(a, c, e, tour);
        }
    }
    return any;
}

enum { COLUMNS = 10 };

static void report_chain(const layout *a, const cs_lane_memory *c, double *row)
{
    uint32_t best[PLACES], tour[PLACES];
    cs_chain_weight w = cs_chain_weight_of(c, 0);
    sums cost = {0}, off = {0},
         visits = {w.sum, word_of(c, SUM), word_of(c, SQUARE)};
    double least = (double)NAN;
    bool any = best_of(a, c, &least, best);
    for (size_t i = 0; i < a->capacity; i++) {
        size_t e = entry_of(a, i);
        if (!(word_of(c, e + TIMES) > 0))
            continue;
        add(&cost, word_of(c, e + COST));
        unpack(a, c, e, tour);
        add(&off, any ? mismatch(a, tour, best) : (double)NAN);
    }
    const double out[COLUMNS] = {
        cost.n,       mean_of(cost),       sd_of(cost),     least,
        mean_of(off), sd_of(off),          mean_of(visits), sd_of(visits),
        w.draws,      word_of(c, LEFT_OUT)};
    memcpy(row, out, sizeof out);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const layout *a = p->self;
    uint32_t tour[PLACES];
    double least = HUGE_VAL,
           *row = cs_flat_array(out, n, COLUMNS, "%schains", prefix);
    double *best = cs_flat_array(out, 1, a->places, "%sbest", prefix);
    for (size_t c = 0; row && best && c < n; c++) {
        double cost = 0;
        report_chain(a, &chain[c], row + c * COLUMNS);
        if (!best_of(a, &chain[c], &cost, tour) || !(cost < least))
            continue;
        least = cost;
        for (size_t k = 0; k < a->places; k++)
            best[k] = tour[k] + 1;
    }
    cs_flat_text(out,
                 "tours cost cost_sd least mismatch mismatch_sd "
                 "visits_cost visits_cost_sd visits left_out",
                 "%snames", prefix);
}

static const cs_param params[] = {
    [ROOM] =
        {.name = "room",
         .kind = CS_PARAM_INT,
         .flags = CS_PARAM_FIXED | CS_PARAM_LOG,
         CS_PARAM_RANGE(4, 1 << 16, 1024),
         .help =
             "number of places in each chain's table of tours, rounded up to a "
             "power of two; at most three quarters of the places are used"},
    [AFTER] = {.name = "after",
               .unit = "steps",
               CS_FIXED(INT),
               .max = 9007199254740992.0,
               .help = "steps discarded at the start"},
};

const cs_probe_type CS_VARIANT(cs_probe_tours) = {
    .name = "tours",
    .title = "Tours",
    .help = "distinct tours of each chain, their costs, and their numbers of "
            "mismatches with the best tour",
    CS_PARAM_TABLE(params),
    .create = create,
    .destroy = destroy,
    .observe = observe,
    .report = report,
};
