/* Modes on a square lattice of integers, of Pynadath, Bhattacharya, Hariharan
 * and Zhang, "Gradient-based Discrete Sampling with Automatic Cyclical
 * Scheduling" (NeurIPS 2024), section 6.1:
 *
 *     log p(x) = log(sum_m w_m exp(-|x - c_m| / s) + 1e-10),   s = variance n
 *
 * on {0 .. V-1}^2 with V = (side + 1) gap, side = sqrt n, and centres at all
 * pairs of multiples gap, 2 gap, ..., side gap. This is the formula of the
 * published program. In it the Euclidean norm is not squared and has a minus
 * sign. In Eq. (2) of the paper the norm is squared and has a plus sign, the
 * divisor is 2 sigma, and the centres are others. The gradient is that of log p
 * on the plane; at a centre, the term of this centre contributes 0. At
 * creation, log p of every state is computed, together with the sums for exact
 * results. Later, site differences are read from the table of log p. */
#include "base/memory.h"
#include "simd/simd.h"
#include "simd/vmath.h"
#include "target/target.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MODES, GAP, VARIANCE, WEIGHTS, N_PARAMS };

/* Largest number of states. A larger number would take too long to sum and to
 * display. */
enum { MOST_STATES = 4000000 };
static const double ground = 1e-10;

typedef struct lattice {
    size_t n;
    double rate;     /* 1 / s, the inverse length scale */
    double *weight;  /* [n] weights w_m as given */
    double *centre;  /* [n][2] coordinates of the centres */
    double *share;   /* [n] mass of the states for which the centre is
                        nearest */
    double *energy;  /* [states] log p of each state */
    double *running; /* [values] cumulative mass up to each row of states */
    double mean[2], variance[2];
} lattice;

/* Computes the sum inside the logarithm for eight lanes; unless `g` is NULL,
 * also computes the slopes of the sum. */
static inline cs_vd heap_up(const lattice *t, cs_vd x, cs_vd y, cs_vd *g)
{
    cs_vd sum = cs_vset(0), gx = cs_vset(0), gy = cs_vset(0);
    for (size_t m = 0; m < t->n; m++) {
        cs_vd rx = x - t->centre[2 * m], ry = y - t->centre[2 * m + 1];
        cs_vd distance = cs_vsqrt(rx * rx + ry * ry);
        cs_vd term = t->weight[m] * cs_vexp(-t->rate * distance);
        sum += term;
        if (g) {
            cs_vd pull = cs_vselect(distance == 0, cs_vset(0), term / distance);
            gx -= pull * rx;
            gy -= pull * ry;
        }
    }
    sum += ground;
    if (g) {
        g[0] = t->rate * gx / sum;
        g[1] = t->rate * gy / sum;
    }
    return sum;
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const double *x = at->x, *y = x + at->lanes;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
        *(cs_vd *)(logp + l) = cs_vlog(heap_up(t->self, *(const cs_vd *)(x + l),
                                               *(const cs_vd *)(y + l), NULL));
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const double *x = at->x, *y = x + at->lanes;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd slope[2];
        *(cs_vd *)(logp + l) = cs_vlog(heap_up(t->self, *(const cs_vd *)(x + l),
                                               *(const cs_vd *)(y + l), slope));
        *(cs_vd *)(g + l) = slope[0];
        *(cs_vd *)(g + at->lanes + l) = slope[1];
    }
}

static void site(const cs_target *t, const cs_point *at, const uint32_t *where,
                 double *d)
{
    const lattice *m = t->self;
    size_t values = (size_t)t->space.values, lanes = at->lanes;
    for (size_t l = 0; l < lanes; l++) {
        size_t x = (size_t)at->x[l], y = (size_t)at->x[lanes + l];
        size_t pitch = where[l] ? 1 : values;
        const double *row = m->energy + (where[l] ? x * values : y);
        double now = m->energy[x * values + y];
        for (size_t v = 0; v < values; v++)
            d[v * lanes + l] = row[v * pitch] - now;
    }
}

/* Draws the first state whose cumulative mass reaches u. */
static void draw(const cs_target *t, const double *uniform, double *x)
{
    const lattice *m = t->self;
    size_t values = (size_t)t->space.values, row = 0, column = 0;
    while (row + 1 < values && m->running[row] < uniform[0])
        row++;
    double mass = row ? m->running[row - 1] : 0;
    const double *energy = m->energy + row * values;
    for (; column + 1 < values; column++)
        if ((mass += exp(energy[column] - t->exact.log_z)) >= uniform[0])
            break;
    x[0] = (double)row;
    x[1] = (double)column;
}

static void destroy(cs_target *t)
{
    lattice *m = t->self;
    CS_FREE_ALL(m->weight, m->centre, m->share, m->energy, m->running);
}

/* Returns the index of the nearest centre along one coordinate (the lattice is
 * square, so the coordinates are independent). If the value is halfway between
 * two centres, returns the larger index. */
static size_t nearest(double value, double gap, size_t side)
{
    double step = floor(value / gap + 0.5) - 1;
    return step < 0 ? 0 : step >= (double)side ? side - 1 : (size_t)step;
}

/* Memory for the sums over all states. States and centres are integers, so that
 * the sums have only a few distinct terms. near[a][b], 0 <= a, b <= far, is the
 * term of a mode with weight 1 at a state whose offset from the centre is (a,
 * b). */
typedef struct sums {
    size_t far, pitch;
    double *near;    /* [far + 1][pitch] terms by offset [own] */
    double *line;    /* [2 far + 1] a row of `near`, extended to both sides
                        [own] */
    double *mass;    /* [values, padded] masses of a row of states [own] */
    size_t *nearest; /* [values] index of the nearest centre along a coordinate
                        [own] */
} sums;

static void close_sums(sums *s)
{
    CS_FREE_ALL(s->near, s->line, s->mass, s->nearest);
}

static bool open_sums(sums *s, const lattice *m, size_t values, size_t side,
                      size_t gap)
{
    static const cs_vd steps = {CS_COUNT_UP};
    s->far = side * gap;
    s->pitch = s->far / CS_VECTOR * CS_VECTOR + CS_VECTOR;
    s->near = cs_alloc((s->far + 1) * s->pitch, sizeof *s->near);
    s->line = cs_alloc(2 * s->far + 1, sizeof *s->line);
    s->mass = cs_alloc(values + CS_VECTOR, sizeof *s->mass);
    s->nearest = cs_alloc(values, sizeof *s->nearest);
    if (!s->near || !s->line || !s->mass || !s->nearest)
        return false;
    for (size_t a = 0; a <= s->far; a++)
        for (size_t b = 0; b < s->pitch; b += CS_VECTOR) {
            cs_vd x = cs_vset((double)a), y = steps + (double)b;
            *(cs_vd *)(s->near + a * s->pitch + b) =
                cs_vexp(-m->rate * cs_vsqrt(x * x + y * y));
        }
    for (size_t i = 0; i < values; i++)
        s->nearest[i] = nearest((double)i, (double)gap, side);
    return true;
}

/* Computes the sums inside the logarithm along row i. The terms are added in
 * the same order as in heap_up. */
static void sum_row(sums *s, const lattice *m, size_t i, size_t values,
                    size_t side, size_t gap)
{
    memset(s->mass, 0, values * sizeof *s->mass);
    for (size_t r = 0; r < side; r++) {
        size_t centre = (r + 1) * gap, a = i < centre ? centre - i : i - centre;
        const double *near = s->near + a * s->pitch;
        for (size_t b = 0; b <= s->far; b++)
            s->line[s->far + b] = s->line[s->far - b] = near[b];
        for (size_t c = 0; c < side; c++) {
            const double *line = s->line + s->far - (c + 1) * gap;
            double weight = m->weight[r * side + c], *restrict mass = s->mass;
            for (size_t j = 0; j < values; j++)
                mass[j] += weight * line[j];
        }
    }
    for (size_t j = 0; j < values; j++)
        s->mass[j] += ground;
}

/* Computes the masses of all states, row by row; returns their sum. */
static double sum_states(lattice *m, sums *s, size_t values, size_t side,
                         size_t gap)
{
    double total = 0, mean[2] = {0}, square[2] = {0};
    for (size_t i = 0; i < values; i++) {
        double *share = m->share + s->nearest[i] * side, x = (double)i;
        sum_row(s, m, i, values, side, gap);
        for (size_t j = 0; j < values; j++) {
            double p = s->mass[j], y = (double)j;
            total += p;
            share[s->nearest[j]] += p;
            mean[0] += p * x;
            mean[1] += p * y;
            square[0] += p * x * x;
            square[1] += p * y * y;
        }
        for (size_t j = 0; j < values; j += CS_VECTOR) {
            cs_vd logp = cs_vlog(*(const cs_vd *)(s->mass + j));
            size_t left = values - j < CS_VECTOR ? values - j : CS_VECTOR;
            memcpy(m->energy + i * values + j, &logp, left * sizeof(double));
        }
        m->running[i] = total;
    }
    memcpy(m->mean, mean, sizeof mean);
    memcpy(m->variance, square, sizeof square);
    return total;
}

static bool summarise(cs_target *t, size_t side, size_t gap)
{
    lattice *m = t->self;
    size_t values = (size_t)t->space.values;
    sums s;
    bool good = open_sums(&s, m, values, side, gap);
    double total = good ? sum_states(m, &s, values, side, gap) : 1;
    close_sums(&s);
    for (size_t k = 0; k < 2; k++) {
        m->mean[k] /= total;
        m->variance[k] = m->variance[k] / total - m->mean[k] * m->mean[k];
    }
    for (size_t i = 0; i < values; i++)
        m->running[i] /= total;
    for (size_t k = 0; k < m->n; k++)
        m->share[k] /= total;
    double last = t->space.values - 1;
    t->exact = (cs_exact){.mean = m->mean,
                          .variance = m->variance,
                          .log_z = log(total),
                          .n_modes = m->n,
                          .modes = m->centre,
                          .mode_weight = m->share,
                          .shares = true,
                          .view = {0, last, 0, last},
                          .logp = m->energy};
    return good;
}

static cs_status fill(cs_target *t, const cs_value *v, size_t side,
                      cs_error *err)
{
    lattice *m = t->self;
    double gap = v[GAP].number;
    m->rate = 1 / (v[VARIANCE].number * (double)m->n);
    for (size_t k = 0; k < m->n; k++) {
        m->centre[2 * k] = gap * (double)(k / side + 1);
        m->centre[2 * k + 1] = gap * (double)(k % side + 1);
        m->weight[k] = v[WEIGHTS].given ? v[WEIGHTS].array[k] : 1;
        if (!(m->weight[k] >= 0 && isfinite(m->weight[k]))) {
            cs_fail(err, CS_RANGE, "lattice_modes: weight %zu is out of range",
                    k + 1);
            cs_hint(err, "use weights of at least 0");
            return CS_RANGE;
        }
    }
    return summarise(t, side, (size_t)gap)
               ? CS_OK
               : cs_fail(err, CS_MEMORY,
                         "out of memory for target lattice_modes");
}

/* Checks the side of the lattice and the number of values. */
static cs_status shape(const cs_value *v, size_t *side, size_t *values,
                       cs_error *err)
{
    size_t n = (size_t)v[MODES].number;
    *side = (size_t)(sqrt((double)n) + 0.5);
    *values = (*side + 1) * (size_t)v[GAP].number;
    if (*side * *side != n) {
        cs_fail(err, CS_RANGE,
                "lattice_modes: modes = %zu is not a square number", n);
        cs_hint(err, "use %zu", *side * *side);
        return CS_RANGE;
    }
    if (*values > MOST_STATES / *values) {
        cs_fail(err, CS_RANGE, "lattice_modes: %zu x %zu states are too many",
                *values, *values);
        cs_hint(err, "use fewer modes or a smaller gap");
        return CS_RANGE;
    }
    if (v[WEIGHTS].given && v[WEIGHTS].rows * v[WEIGHTS].cols != n) {
        cs_fail(err, CS_INPUT, "lattice_modes: weights must have %zu entries",
                n);
        cs_hint(err, "give one weight per mode, row by row");
        return CS_INPUT;
    }
    return CS_OK;
}

static cs_status create(cs_target *t, const cs_value *v, cs_error *err)
{
    size_t side, values;
    cs_status s = shape(v, &side, &values, err);
    if (s)
        return s;
    lattice *m = t->self;
    m->n = side * side;
    m->weight = cs_alloc(m->n, sizeof(double));
    m->centre = cs_alloc(2 * m->n, sizeof(double));
    m->share = cs_alloc(m->n, sizeof(double));
    m->energy = cs_alloc(values * values, sizeof(double));
    m->running = cs_alloc(values, sizeof(double));
    t->space = (cs_space){.kind = CS_ORDINAL, .dim = 2, .values = (int)values};
    return m->weight && m->centre && m->share && m->energy && m->running
               ? fill(t, v, side, err)
               : cs_fail(err, CS_MEMORY,
                         "out of memory for target lattice_modes");
}

static const cs_param params[N_PARAMS] = {
    [MODES] = {.name = "modes",
               CS_FIXED(INT),
               CS_PARAM_RANGE(1, 400, 25),
               .help = "number of modes; a square number"},
    [GAP] = {.name = "gap",
             CS_FIXED(INT),
             CS_PARAM_RANGE(1, 1000, 75),
             .help = "distance between neighbouring modes"},
    [VARIANCE] = {.name = "variance",
                  CS_FIXED_SCALE,
                  CS_PARAM_RANGE(1e-3, 1e3, 0.15),
                  .help = "width of a mode divided by the number of modes. The "
                          "density falls as exp(-distance / s), where s is "
                          "this value times the number of modes"},
    [WEIGHTS] =
        {.name = "weights",
         CS_FIXED(ARRAY),
         .help =
             "heights of the modes, in the order of the rows of the square; 1 "
             "by default"},
};

const cs_target_type CS_VARIANT(cs_target_lattice_modes) = {
    .name = "lattice_modes",
    .title = "Modes on a lattice of integers",
    .ref = "Pynadath et al. 2024, section 6.1",
    .help =
        "Modes on a square of integers, which are so far apart that only large "
        "moves lead from one mode to another. Exact values are computed by "
        "summing over all states.",
    CS_PARAM_TABLE(params),
    .size = sizeof(lattice),
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
    .sites.site = site,
    .exact.n_uniform = 1,
    .exact.draw = draw,
};
