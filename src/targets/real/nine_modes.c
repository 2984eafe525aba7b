/* Nine wells in the plane, of Deng, Lin and Liang, "A Contour Stochastic
 * Gradient Langevin Dynamics Algorithm for Simulations of Multi-modal
 * Distributions" (NeurIPS 2020), section 4.1:
 *
 *     E(x) = sum_i (x_i^2 - 10 cos(1.2 pi x_i)) / 3
 *            + penalty max(|x|^2 - 7, 0)
 *
 * in the square |x_i| <= box. log p = -E, and -infinity outside. The paper's
 * formula has neither the square nor the penalty (box = 0, penalty = 0); the
 * released program has both, and so does this target by default. The modes are
 * at the multiples -1, 0, 1 of 1/0.6 in each coordinate. A point belongs to the
 * cell of the nearest of the nine modes. The minima of E are up to 0.02 closer
 * to the origin. Without the square, there are more wells farther out; these
 * belong to the outer cells. */
#include "base/memory.h"
#include "simd/simd.h"
#include "simd/vmath.h"
#include "target/target.h"

#include <math.h>

enum { BOX, PENALTY, PARAMS };
enum { CENTRE, SIDE, CORNER, CELLS, SQUARE = CELLS, SUMS };

static const double rim = 7, turns = 0.6, pi12 = 3.769911184307752;
#define STEP 1.6666666666666667

typedef struct nine {
    double edge, penalty; /* edge: half the side of the square; HUGE_VAL: no
                             square */
    double variance[2], weight[9];
} nine;

static const double mean[2];
static const double modes[18] = {-STEP, -STEP, -STEP, 0, -STEP, STEP,
                                 0,     -STEP, 0,     0, 0,     STEP,
                                 STEP,  -STEP, STEP,  0, STEP,  STEP};

/* ---- exact values: Gauss-Legendre quadrature of a quadrant --------------- */

enum { NODES = 10, MOST = 8 };
static const double node[NODES / 2] = {0.1488743389816312, 0.4333953941292472,
                                       0.6794095682990244, 0.8650633666889845,
                                       0.9739065285171717};
static const double share[NODES / 2] = {0.2955242247147529, 0.2692667193099963,
                                        0.2190863625159820, 0.1494513491505806,
                                        0.0666713443086881};

typedef struct integral {
    const nine *n;
    double y, at; /* y: the y coordinate of the current row of nodes; at: weight
                     of this row */
    double sum[SUMS];
} integral;

typedef void visitor(integral *s, double x, double weight);

/* Visits the nodes of a quadrature from a to b. The range is divided into short
 * intervals, each with its own nodes; the integrand is smooth between a and
 * b. */
static void between(integral *s, double a, double b, visitor *f)
{
    size_t pieces = (size_t)ceil((b - a) / 0.1);
    double half = (b - a) / (2 * (double)pieces);
    for (size_t p = 0; p < pieces; p++)
        for (size_t k = 0; k < NODES; k++) {
            double at = k < NODES / 2 ? node[k] : -node[k - NODES / 2];
            double middle = a + (2 * (double)p + 1) * half;
            f(s, middle + half * at, half * share[k % (NODES / 2)]);
        }
}

/* Visits the nodes from 0 to `end`, in intervals that end at the breaks. */
static void along(integral *s, const double *breaks, size_t n, double end,
                  visitor *f)
{
    double from = 0;
    while (from < end) {
        double to = end;
        for (size_t i = 0; i < n; i++)
            if (breaks[i] > from && breaks[i] < to)
                to = breaks[i];
        between(s, from, to, f);
        from = to;
    }
}

static double wave(double x)
{
    return (x * x - 10 * cos(pi12 * x)) / 3;
}

static void add_point(integral *s, double x, double weight)
{
    double over = x * x + s->y * s->y - rim;
    double e = wave(x) + wave(s->y) + s->n->penalty * fmax(over, 0);
    double mass = s->at * weight * exp(-e);
    int cell = (x > STEP / 2) + (s->y > STEP / 2);
    s->sum[cell] += mass;
    s->sum[SQUARE] += mass * x * x;
}

static double end_of(const nine *n)
{
    return fmin(n->edge, 9); /* the mass beyond 9 is only 1e-14 */
}

static void add_row(integral *s, double y, double weight)
{
    const double breaks[] = {STEP / 2, sqrt(fmax(rim - y * y, 0))};
    s->y = y;
    s->at = weight;
    along(s, breaks, 2, end_of(s->n), add_point);
}

/* Computes the variance and the masses of the cells; returns log Z. */
static double integrate(nine *n)
{
    double end = end_of(n), b = STEP / 2;
    const double breaks[] = {b, sqrt(rim), sqrt(rim - b * b),
                             sqrt(fmax(rim - end * end, 0))};
    integral s = {.n = n};
    along(&s, breaks, 4, end, add_row);
    double z = 4 * (s.sum[CENTRE] + s.sum[SIDE] + s.sum[CORNER]);
    for (size_t k = 0; k < 9; k++) {
        bool middle = k == 4, corner = k % 2 == 0 && !middle;
        n->weight[k] = (middle   ? 4 * s.sum[CENTRE]
                        : corner ? s.sum[CORNER]
                                 : s.sum[SIDE]) /
                       z;
    }
    n->variance[0] = n->variance[1] = 4 * s.sum[SQUARE] / z;
    return log(z);
}

/* ---- the density --------------------------------------------------------- */

/* Returns log p of eight lanes; unless `g` is NULL, also computes the
 * gradient. */
static inline cs_vd eight(const nine *n, cs_vd x, cs_vd y, cs_vd *g)
{
    cs_vd cosx, cosy, sinx, siny;
    cs_vsincos2pi(turns * x, &sinx, &cosx);
    cs_vsincos2pi(turns * y, &siny, &cosy);
    cs_vd square = x * x + y * y, over = square - rim;
    cs_vi beyond = over > 0;
    cs_vi outside = (cs_vabs(x) > n->edge) | (cs_vabs(y) > n->edge);
    cs_vd energy = (square - 10 * (cosx + cosy)) / 3 +
                   n->penalty * cs_vselect(beyond, over, cs_vset(0));
    if (g) {
        cs_vd push =
            cs_vselect(beyond, cs_vset(2 * n->penalty), cs_vset(0)) + 2.0 / 3;
        double swing = 10 * pi12 / 3;
        g[0] = cs_vselect(outside, cs_vset(0), -(push * x + swing * sinx));
        g[1] = cs_vselect(outside, cs_vset(0), -(push * y + swing * siny));
    }
    return cs_vselect(outside, cs_vset(-HUGE_VAL), -energy);
}

static void log_density(const cs_target *t, const cs_point *at, double *logp)
{
    const nine *n = t->self;
    const double *x = at->x, *y = x + at->lanes;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
        *(cs_vd *)(logp + l) =
            eight(n, *(const cs_vd *)(x + l), *(const cs_vd *)(y + l), NULL);
}

static void gradient(const cs_target *t, const cs_point *at, double *logp,
                     double *g)
{
    const nine *n = t->self;
    const double *x = at->x, *y = x + at->lanes;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd slope[2];
        *(cs_vd *)(logp + l) =
            eight(n, *(const cs_vd *)(x + l), *(const cs_vd *)(y + l), slope);
        *(cs_vd *)(g + l) = slope[0];
        *(cs_vd *)(g + at->lanes + l) = slope[1];
    }
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)err;
    nine *n = t->self;
    n->edge = values[BOX].number > 0 ? values[BOX].number : HUGE_VAL;
    n->penalty = values[PENALTY].number;
    double seen = fmin(n->edge, 4);
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 2};
    t->exact = (cs_exact){.mean = mean,
                          .variance = n->variance,
                          .log_z = integrate(n),
                          .n_modes = 9,
                          .modes = modes,
                          .mode_weight = n->weight,
                          .shares = true,
                          .view = {-seen, seen, -seen, seen}};
    return CS_OK;
}

static const cs_param params[PARAMS] = {
    [BOX] = {.name = "box",
             CS_FIXED(REAL),
             CS_PARAM_RANGE(0, 1e6, 2.5),
             .help = "half the side of the square to which the density is "
                     "restricted; 0: no restriction"},
    [PENALTY] = {.name = "penalty",
                 CS_FIXED(REAL),
                 CS_PARAM_RANGE(0, 10, 1),
                 .help = "penalty: for |x|^2 above 7, the energy is increased "
                         "by this value times (|x|^2 - 7)"},
};

const cs_target_type CS_VARIANT(cs_target_nine_modes) = {
    .name = "nine_modes",
    .title = "Nine modes in the plane",
    .ref = "Deng, Lin and Liang 2020, section 4.1",
    .help = "The two-dimensional multimodal density of the contour SGLD paper. "
            "By default it follows the paper's program, which restricts x to a "
            "square and adds a penalty where |x|^2 exceeds 7. With box = 0 and "
            "penalty = 0 it follows the paper's formula.",
    CS_PARAM_TABLE(params),
    .size = sizeof(nine),
    .create = create,
    .log_density = log_density,
    .gradient = gradient,
};
