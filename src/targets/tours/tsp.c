/* The travelling salesman problem:
 *
 *     log p(x) = -beta sum_k c(x_k, x_k+1),   x_n+1 = x_1,
 *
 * where c is the cost between two cities, and the bits x_k encode the city at
 * position k. log p is -inf if a city is missing. Therefore a proposal that is
 * not a tour is rejected, even by a kernel without an accept step.
 *
 * Mohanty, Bhattacharya and Zhang, "Entropy-Guided Sampling of Flat Modes in
 * Discrete Spaces" (ICML 2025), section 6.2. In the paper the cities are the
 * eight corners of a cube, and the gradient is the gradient of weight times
 * distance with respect to the corners, with constant weights. This gradient is
 * not defined for other cities. For other cities, and by default, log p is
 * extended multilinearly between all codes of the cities at neighbouring
 * positions, so that a slope is the change of log p when a bit is flipped. If
 * two cities whose codes differ in one bit are exchanged, and their positions
 * are not adjacent, the slopes of the two changed bits sum to the exact change
 * of log p.
 *
 * Difference from the paper's program: a proposal is accepted or rejected as a
 * whole, for all bits. The program decides for each position separately, which
 * does not leave any distribution invariant. */
#include "simd/simd.h"
#include "targets/tours/tours.h"

#include <math.h>
#include <string.h>

/* ---- log density and gradient -------------------------------------------- */

/* Decodes the city at each position into the rows of scratch. */
static void decode(const cs_tours *s, const cs_point *at)
{
    size_t lanes = at->lanes;
    for (size_t k = 0; k < s->n; k++)
        for (size_t l = 0; l < lanes; l += CS_VECTOR) {
            cs_vd code = {0};
            for (size_t b = k * s->bits; b < (k + 1) * s->bits; b++)
                code = 2.0 * code + *(const cs_vd *)(at->x + b * lanes + l);
            *(cs_vd *)(at->scratch + k * lanes + l) = code;
        }
}

/* Returns whether lane l holds a tour; replaces an invalid code by code 0. */
static bool is_tour(const cs_tours *s, const cs_point *at, size_t l)
{
    uint64_t seen[CS_TSPLIB_CITIES / 64] = {0};
    bool good = true;
    for (size_t k = 0; k < s->n; k++) {
        double *code = at->scratch + k * at->lanes + l;
        if (!(*code >= 0 && *code < (double)s->codes && *code == trunc(*code)))
            *code = -1;
        size_t city = *code < 0 ? s->n : s->city_of[(size_t)*code];
        *code = fmax(*code, 0);
        if (city >= s->n || seen[city / 64] >> city % 64 & 1)
            good = false;
        else
            seen[city / 64] |= UINT64_C(1) << city % 64;
    }
    return good;
}

static size_t code_at(const cs_tours *s, const cs_point *at, size_t k, size_t l)
{
    return (size_t)at->scratch[k % s->n * at->lanes + l];
}

static double cost_of(const cs_tours *s, const cs_point *at, size_t l)
{
    double sum = 0;
    for (size_t k = 0, from = code_at(s, at, 0, l); k < s->n; k++) {
        size_t to = code_at(s, at, k + 1, l);
        sum += s->cost[from * s->codes + to];
        from = to;
    }
    return sum;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const cs_tours *s = t->self;
    decode(s, at);
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = is_tour(s, at, l) ? -s->beta * cost_of(s, at, l) : -HUGE_VAL;
}

/* The codes of the cities at a position and at its two neighbouring
 * positions. */
typedef struct stop {
    size_t before, here, after;
} stop;

/* Returns the change of the tour's cost when the bit at this position changes
 * from 0 to 1. */
static double slope_of_codes(const cs_tours *s, stop p, size_t bit)
{
    size_t one = p.here | bit, none = p.here & ~bit, n = s->codes;
    return (s->cost[p.before * n + one] - s->cost[p.before * n + none]) +
           (s->cost[one * n + p.after] - s->cost[none * n + p.after]);
}

/* Returns the slope of weight times distance along a coordinate. This slope is
 * the cost of an edge divided by the squared length of the edge, times the
 * difference of the coordinates. */
static double slope_of_way(const cs_tours *s, size_t from, size_t to,
                           double change)
{
    int square = __builtin_popcountll(from ^ to);
    return square ? change * s->cost[from * s->codes + to] / square : 0;
}

static double slope_of_places(const cs_tours *s, stop p, size_t bit)
{
    double here = (p.here & bit) != 0;
    return slope_of_way(s, p.before, p.here, here - ((p.before & bit) != 0)) +
           slope_of_way(s, p.here, p.after, here - ((p.after & bit) != 0));
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const cs_tours *s = t->self;
    size_t lanes = at->lanes;
    log_density(t, at, logp);
    for (size_t l = 0; l < lanes; l++)
        for (size_t k = 0; k < s->n; k++) {
            stop p = {code_at(s, at, k + s->n - 1, l), code_at(s, at, k, l),
                      code_at(s, at, k + 1, l)};
            double *to = g + k * s->bits * lanes + l;
            for (size_t b = 0, bit = s->codes / 2; b < s->bits; b++, bit /= 2)
                to[b * lanes] =
                    -s->beta * (s->by_coordinates ? slope_of_places(s, p, bit)
                                                  : slope_of_codes(s, p, bit));
        }
}

/* ---- parameters ---------------------------------------------------------- */

static const char *const slopes[] = {"multilinear", "coordinates", NULL};
static const char *const starts[] = {"random", "identity", NULL};

static const cs_param params[] = {
    [CS_TOURS_FILE] = {.name = "file",
                       CS_FIXED_PATH,
                       .help = "path of a TSPLIB file"},
    [CS_TOURS_COSTS] = {.name = "costs",
                        CS_FIXED(ARRAY),
                        .help = "n rows of n numbers: entry j of row i is the "
                                "cost of travelling from city i to city j"},
    [CS_TOURS_CITIES] =
        {.name = "cities",
         CS_FIXED(INT),
         CS_PARAM_RANGE(0, CS_TSPLIB_CITIES, 0),
         .help = "number of random cities in the unit square; 0: the eight "
                 "cities of the entropy-guided sampling paper",
         .ref = "Mohanty, Bhattacharya and Zhang 2025, "
                "section 6.2"},
    [CS_TOURS_SEED] = {.name = "seed",
                       CS_FIXED(INT),
                       CS_PARAM_RANGE(0, 1e9, 1),
                       .help = "seed of random cities"},
    [CS_TOURS_BETA] = {.name = "beta",
                       CS_FIXED_SCALE,
                       CS_PARAM_RANGE(1e-9, 1e9, 1),
                       .help = "inverse temperature, per unit of cost"},
    [CS_TOURS_GRADIENT] =
        {.name = "gradient",
         CS_FIXED(CHOICE),
         .max = 1,
         .choices = slopes,
         .help = "gradient for the gradient kernels. multilinear: the change "
                 "in log p for each bit; coordinates: the paper's derivatives "
                 "with respect to the coordinates of the eight cities. The "
                 "choice does not change the target"},
    [CS_TOURS_TOURS] =
        {.name = "tours",
         CS_FIXED(CHOICE),
         .max = 1,
         .choices = starts,
         .help = "initial states. random: a random tour for each chain; "
                 "identity: the tour in the order of the file for all chains"},
};

const cs_target_type CS_VARIANT(cs_target_tsp) = {
    .name = "tsp",
    .title = "Travelling salesman",
    .ref = "Mohanty, Bhattacharya and Zhang, Entropy-Guided Sampling of Flat "
           "Modes in Discrete Spaces, 2025, section 6.2",
    .help = "The travelling salesman problem: tours of cities, coded as the "
            "binary digits of the cities' numbers. Cheaper tours are more "
            "likely. Codes that do not represent a tour have probability 0.",
    CS_PARAM_TABLE(params),
    .size = sizeof(cs_tours),
    .create = cs_tours_create,
    .destroy = cs_tours_destroy,
    .log_density = log_density,
    .gradient = gradient,
    .exact.draw = cs_tours_draw,
    .exact.energy = cs_tours_energy,
    .coordinate = cs_tours_coordinate,
    .start = cs_tours_start,
};
