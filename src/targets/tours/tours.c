#include "targets/tours/tours.h"

#include "base/memory.h"
#include "rng/stream.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The eight cities A to H of Mohanty, Bhattacharya and Zhang 2025, section 6.2.
 * They are the corners of a cube, and their coordinates are their codes. The
 * weights of the edges are from the authors' program (the paper does not give
 * them). The cost of an edge is its weight times its length. */
static const uint32_t corner[8] = {4, 2, 1, 6, 3, 5, 7, 0};
static const double weight[8][8] = {
    {0, 2.0, 1.5, 1.2, 2.1, 2.3, 2.2, 2.4},
    {1.0, 0, 2.5, 2.0, 2.6, 2.5, 2.8, 2.9},
    {1.8, 2.2, 0, 1.6, 1.4, 1.6, 1.5, 1.7},
    {1.7, 1.3, 1.9, 0, 2.4, 2.3, 2.2, 2.6},
    {1.9, 2.1, 1.8, 1.5, 0, 2.5, 2.8, 2.6},
    {1.5, 1.9, 1.7, 1.7, 1.4, 0, 2.2, 2.3},
    {1.6, 1.7, 1.6, 1.8, 1.5, 1.4, 0, 2.5},
    {1.8, 1.5, 1.9, 2.0, 1.6, 1.5, 1.7, 0},
};

static cs_status no_memory(cs_error *err)
{
    return cs_fail(err, CS_MEMORY, "out of memory for target tsp");
}

/* ---- cities -------------------------------------------------------------- */

static cs_status room_for(cs_cities *c, size_t n, bool places, cs_error *err)
{
    *c = (cs_cities){.n = n, .cost = cs_alloc(n * n, sizeof *c->cost)};
    if (places)
        c->place = cs_alloc(n, 2 * sizeof *c->place);
    return c->cost && (c->place || !places) ? CS_OK : no_memory(err);
}

/* Creates the eight cities. They are drawn as a cube in perspective: the far
 * side is shifted up and to the right. */
static cs_status eight(cs_cities *c, cs_error *err)
{
    cs_status s = room_for(c, 8, true, err);
    for (size_t i = 0; !s && i < 8; i++) {
        uint32_t at = corner[i];
        c->place[2 * i] = (at >> 2 & 1) + 0.4 * (at >> 1 & 1);
        c->place[2 * i + 1] = (at & 1) + 0.3 * (at >> 1 & 1);
        for (size_t j = 0; j < 8; j++)
            c->cost[8 * i + j] =
                weight[i][j] * sqrt(__builtin_popcount(at ^ corner[j]));
    }
    return s;
}

static cs_status given(const cs_value *v, cs_cities *c, cs_error *err)
{
    size_t n = v->rows;
    if (v->cols != n || n < 3 || n > CS_TSPLIB_CITIES) {
        cs_fail(err, CS_INPUT, "tsp: `costs` has %zu rows of %zu numbers", n,
                v->cols);
        cs_hint(err, "give n rows of n numbers, n from 3 to 1024");
        return CS_INPUT;
    }
    for (size_t k = 0; k < n * n; k++)
        if (!(fabs(v->array[k]) < 1e100)) {
            cs_fail(err, CS_INPUT, "tsp: a cost is %g", v->array[k]);
            cs_hint(err, "give finite costs");
            return CS_INPUT;
        }
    cs_status s = room_for(c, n, false, err);
    for (size_t k = 0; !s && k < n * n; k++)
        c->cost[k] = k % (n + 1) ? v->array[k] : 0;
    return s;
}

static double uniform_of(uint64_t seed, uint64_t k)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){k, 0}, (const uint64_t[]){seed, 5},
                    word);
    return (double)(word[0] >> 11) * 0x1p-53;
}

static cs_status at_random(size_t n, uint64_t seed, cs_cities *c, cs_error *err)
{
    cs_status s = room_for(c, n, true, err);
    for (size_t k = 0; !s && k < 2 * n; k++)
        c->place[k] = uniform_of(seed, k);
    for (size_t i = 0; !s && i < n; i++)
        for (size_t j = 0; j < n; j++)
            c->cost[i * n + j] =
                hypot(c->place[2 * i] - c->place[2 * j],
                      c->place[2 * i + 1] - c->place[2 * j + 1]);
    return s;
}

static cs_status find_cities(const cs_value *v, cs_cities *c, cs_error *err)
{
    double n = v[CS_TOURS_CITIES].number;
    if (v[CS_TOURS_FILE].given)
        return cs_cities_read(v[CS_TOURS_FILE].text, c, err);
    if (v[CS_TOURS_COSTS].given)
        return given(&v[CS_TOURS_COSTS], c, err);
    if (n == 0)
        return eight(c, err);
    if (n >= 3)
        return at_random((size_t)n, (uint64_t)v[CS_TOURS_SEED].number, c, err);
    cs_fail(err, CS_RANGE, "tsp: a tour cannot have %g cities", n);
    cs_hint(err, "use at least 3 cities, or 0 for the paper's eight cities");
    return CS_RANGE;
}

/* ---- codes --------------------------------------------------------------- */

static void spell(const cs_tours *s, size_t k, uint32_t city, double *x)
{
    for (size_t b = 0; b < s->bits; b++)
        x[k * s->bits + b] = s->code_of[city] >> (s->bits - 1 - b) & 1 ? 1 : 0;
}

static cs_status encode(cs_tours *s, const cs_cities *c, bool cube,
                        cs_error *err)
{
    s->n = c->n;
    for (s->bits = 1, s->codes = 2; s->codes < s->n; s->bits++)
        s->codes *= 2;
    s->code_of = cs_alloc(s->n, sizeof *s->code_of);
    s->city_of = cs_alloc(s->codes, sizeof *s->city_of);
    s->cost = cs_alloc(s->codes * s->codes, sizeof *s->cost);
    if (!s->code_of || !s->city_of || !s->cost)
        return no_memory(err);
    for (size_t i = 0; i < s->codes; i++)
        s->city_of[i] = (uint32_t)s->n;
    for (uint32_t i = 0; i < s->n; i++) {
        s->code_of[i] = cube ? corner[i] : i;
        s->city_of[s->code_of[i]] = i;
    }
    return CS_OK;
}

/* Computes the table of the costs, indexed by the codes of two cities. */
static void lay_out(cs_tours *s, const cs_cities *c)
{
    double sum = 0, most = -HUGE_VAL;
    size_t n = s->n;
    for (size_t k = 0; k < n * n; k++)
        if (k % (n + 1)) {
            sum += c->cost[k];
            most = fmax(most, c->cost[k]);
        }
    for (size_t a = 0; a < s->codes; a++)
        for (size_t b = 0; b < s->codes; b++) {
            size_t i = s->city_of[a], j = s->city_of[b];
            bool both = i < n && j < n;
            s->cost[a * s->codes + b] = !both    ? most
                                        : i == j ? sum / (double)(n * (n - 1))
                                                 : c->cost[i * n + j];
        }
}

/* Computes mean and variance of the bits. At every position all cities have the
 * same probability, because rotations of a tour have equal cost. */
static cs_status know_bits(cs_target *t, cs_error *err)
{
    cs_tours *s = t->self;
    size_t dim = t->space.dim;
    s->moments = cs_alloc(2 * dim, sizeof *s->moments);
    if (!s->moments)
        return no_memory(err);
    for (size_t i = 0; i < dim; i++) {
        size_t shift = s->bits - 1 - i % s->bits, set = 0;
        for (size_t c = 0; c < s->n; c++)
            set += s->code_of[c] >> shift & 1;
        s->moments[i] = (double)set / (double)s->n;
        s->moments[dim + i] = s->moments[i] * (1 - s->moments[i]);
    }
    t->exact.mean = s->moments;
    t->exact.variance = s->moments + dim;
    return CS_OK;
}

/* ---- all tours ----------------------------------------------------------- */

static double cost_of(const cs_tours *s, const unsigned char *city)
{
    double sum = 0;
    for (size_t k = 0; k < s->n; k++)
        sum += s->cost[s->code_of[city[k]] * s->codes +
                       s->code_of[city[(k + 1) % s->n]]];
    return sum;
}

/* Appends to s->known all tours whose first `fixed` cities are those of
 * `now`. */
static void go_through(cs_tours *s, cs_tour *now, size_t fixed)
{
    if (fixed == s->n) {
        now->cost = cost_of(s, now->city);
        s->known[s->n_known++] = *now;
        return;
    }
    for (size_t k = fixed; k < s->n; k++) {
        unsigned char city = now->city[k];
        now->city[k] = now->city[fixed];
        now->city[fixed] = city;
        go_through(s, now, fixed + 1);
        now->city[fixed] = now->city[k];
        now->city[k] = city;
    }
}

static int by_cost(const void *a, const void *b)
{
    const cs_tour *p = a, *q = b;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return memcmp(p->city, q->city, sizeof p->city);
}

static cs_status know_tours(cs_target *t, cs_error *err)
{
    cs_tours *s = t->self;
    cs_tour now = {0};
    size_t all = 1;
    double total = 0;
    t->n_uniform = 0;
    if (s->n > CS_TOURS_KNOWN)
        return CS_OK;
    for (size_t k = 0; k < s->n; k++) {
        now.city[k] = (unsigned char)k;
        all *= k ? k : 1;
    }
    s->known = cs_alloc(all, sizeof *s->known);
    if (!s->known)
        return no_memory(err);
    go_through(s, &now, 1);
    qsort(s->known, s->n_known, sizeof *s->known, by_cost);
    for (size_t k = 0; k < s->n_known; k++) {
        total += exp(s->beta * (s->known[0].cost - s->known[k].cost));
        s->known[k].running = total;
    }
    for (size_t k = 0; k < s->n_known; k++)
        s->known[k].running /= total;
    t->exact.log_z = log(total * (double)s->n) - s->beta * s->known[0].cost;
    t->n_uniform = 2;
    return CS_OK;
}

void cs_tours_draw(const cs_target *t, const double *logp, double *x)
{
    const cs_tours *s = t->self;
    size_t low = 0, high = s->n_known - 1;
    while (low < high) {
        size_t half = (low + high) / 2;
        if (s->known[half].running < logp[0])
            low = half + 1;
        else
            high = half;
    }
    size_t turn = (size_t)(logp[1] * (double)s->n);
    for (size_t k = 0; k < s->n; k++)
        spell(s, k, s->known[low].city[(k + turn) % s->n], x);
}

/* Returns the probability of all tours whose energy is at most `energy`. The
 * comparison has a tolerance for rounding: the computed sum of a tour's costs
 * depends on the city where the tour starts. */
double cs_tours_energy(const cs_target *t, double energy)
{
    const cs_tours *s = t->self;
    size_t low = 0, high = s->n_known;
    if (!s->n_known)
        return NAN;
    while (low < high) {
        size_t half = (low + high) / 2;
        if (s->beta * s->known[half].cost <= energy + 1e-12 * fabs(energy))
            low = half + 1;
        else
            high = half;
    }
    return low ? s->known[low - 1].running : 0;
}

/* ---- initial states, generated quantities -------------------------------- */

void cs_tours_start(const cs_target *t, const double *logp, double *x)
{
    const cs_tours *s = t->self;
    for (uint32_t k = 0; k < s->n; k++)
        spell(s, k, k, x);
    for (size_t k = s->n; s->shuffled && k > 1; k--) { /* shuffles the cities by
                                                          the method of Fisher
                                                          and Yates */
        size_t other = (size_t)(logp[k - 1] * (double)k);
        for (size_t b = 0; b < s->bits; b++) {
            double *p = x + (k - 1) * s->bits + b, *q = x + other * s->bits + b;
            double kept = *p;
            *p = *q;
            *q = kept;
        }
    }
}

void cs_tours_coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    assert(i < t->space.dim);
    const cs_tours *s = t->self;
    snprintf(text, size, "bit.%zu.%zu", i / s->bits + 1, i % s->bits + 1);
}

static uint32_t code_at(const cs_tours *s, const double *x, size_t stride,
                        size_t k)
{
    uint32_t code = 0;
    for (size_t b = 0; b < s->bits; b++)
        code = 2 * code + (x[(k * s->bits + b) * stride] > 0.5);
    return code;
}

static void order(const cs_target *t, const double *x, size_t stride,
                  uint32_t *to)
{
    const cs_tours *s = t->self;
    for (size_t k = 0; k < s->n; k++)
        to[k] = s->city_of[code_at(s, x, stride, k)];
}

/* Computes two outputs: the cost, and the cities in the order of the tour,
 * numbered from 1. */
static void show(const void *self, const cs_point *at, double *y)
{
    const cs_tours *s = self;
    for (size_t l = 0; l < at->lanes; l++) {
        uint32_t first = code_at(s, at->x + l, at->lanes, 0), now = first;
        double sum = 0;
        for (size_t k = 0; k < s->n; k++) {
            uint32_t next =
                k + 1 < s->n ? code_at(s, at->x + l, at->lanes, k + 1) : first;
            sum += s->cost[now * s->codes + next];
            y[(1 + k) * at->lanes + l] = s->city_of[now] + 1;
            now = next;
        }
        y[l] = sum;
    }
}

static void name(const void *self, size_t i, char *text, size_t size)
{
    (void)self;
    if (i == 0)
        snprintf(text, size, "cost");
    else
        snprintf(text, size, "city.%zu", i);
}

/* ---- instances ----------------------------------------------------------- */

void cs_tours_destroy(cs_target *t)
{
    cs_tours *s = t->self;
    CS_FREE_ALL(s->code_of, s->city_of, s->cost, s->place, s->moments,
                s->known);
}

static cs_status fill(cs_target *t, const cs_value *v, cs_cities *c,
                      cs_error *err)
{
    cs_tours *s = t->self;
    bool cube = !v[CS_TOURS_FILE].given && !v[CS_TOURS_COSTS].given &&
                v[CS_TOURS_CITIES].number == 0;
    s->by_coordinates = v[CS_TOURS_GRADIENT].number == CS_TOURS_COORDINATES;
    if (s->by_coordinates && !cube) {
        cs_fail(err, CS_UNSUPPORTED,
                "tsp: the codes of the cities are not coordinates");
        cs_hint(err, "use gradient = \"multilinear\"");
        return CS_UNSUPPORTED;
    }
    s->beta = v[CS_TOURS_BETA].number;
    s->shuffled = v[CS_TOURS_TOURS].number == CS_TOURS_SHUFFLED;
    cs_status status = encode(s, c, cube, err);
    if (status)
        return status;
    lay_out(s, c);
    s->place = c->place;
    c->place = NULL;
    t->space =
        (cs_space){.kind = CS_BINARY, .dim = s->n * s->bits, .values = 2};
    t->scratch_words = s->n;
    t->picture = (cs_picture){.kind = CS_PICTURE_TOUR,
                              .places = s->n,
                              .place = s->place,
                              .order = order};
    t->exact = (cs_exact){.log_z = NAN, .view = {-0.5, 1.5, -0.5, 1.5}};
    status = know_bits(t, err);
    return status ? status : know_tours(t, err);
}

cs_status cs_tours_create(cs_target *t, const cs_value *v, cs_error *err)
{
    cs_cities cities = {0};
    cs_tours *s = t->self;
    cs_status status = find_cities(v, &cities, err);
    if (!status)
        status = fill(t, v, &cities, err);
    cs_cities_free(&cities);
    if (status)
        return status;
    cs_target_set_outputs(
        t, (cs_outputs){.n = 1 + s->n, .fill = show, .name = name, .self = s});
    return CS_OK;
}
