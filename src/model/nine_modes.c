/* Nine wells in the plane, of Deng, Lin and Liang, "A Contour Stochastic
 * Gradient Langevin Dynamics Algorithm for Simulations of Multi-modal
 * Distributions" (NeurIPS 2020), section 4.1.
 *
 *     E(x) = sum_i (x_i^2 - 10 cos(1.2 pi x_i)) / 3 + max(|x|^2 - 7, 0)
 *
 * in the box |x_i| <= 2.5; the log density is U = -E, -infinity outside. The
 * box is that of the published program; the paper does not mention it. A mode
 * stands at each multiple of 1/0.6, so that the nearest one names the box of
 * the plane that a point is in; the minima of E lie up to 0.02 further in. */
#include "base/simd.h"
#include "base/vmath.h"
#include "model/target.h"

#include <math.h>

static const double edge = 2.5, rim = 7, turns = 0.6, pi12 = 3.769911184307752;

/* log Z, variance and masses by Gauss-Legendre quadrature, 40 nodes on each
 * piece between box borders, cell borders and the rim. */
#define STEP 1.6666666666666667
#define CORNER 0.049495117839836886
#define SIDE 0.12369216905553691
#define CENTRE 0.3072508524185048
static const double mean[2],
    variance[2] = {1.2192557609702888, 1.2192557609702888};
static const double modes[18] = {-STEP, -STEP, -STEP, 0, -STEP, STEP,
                                 0,     -STEP, 0,     0, 0,     STEP,
                                 STEP,  -STEP, STEP,  0, STEP,  STEP};
static const double weights[9] = {CORNER, SIDE,   CORNER, SIDE,  CENTRE,
                                  SIDE,   CORNER, SIDE,   CORNER};

/* U of eight lanes; with `g` its gradient too. */
static inline cs_vd eight(cs_vd x, cs_vd y, cs_vd *g)
{
    cs_vd cosx, cosy, sinx, siny;
    cs_vsincos2pi(turns * x, &sinx, &cosx);
    cs_vsincos2pi(turns * y, &siny, &cosy);
    cs_vd square = x * x + y * y, over = square - rim;
    cs_vi beyond = over > 0;
    cs_vi outside = (cs_vabs(x) > edge) | (cs_vabs(y) > edge);
    cs_vd energy = (square - 10 * (cosx + cosy)) / 3 +
                   cs_vselect(beyond, over, cs_vset(0));
    if (g) {
        cs_vd push = cs_vselect(beyond, cs_vset(2), cs_vset(0)) + 2.0 / 3;
        double wave = 10 * pi12 / 3;
        g[0] = cs_vselect(outside, cs_vset(0), -(push * x + wave * sinx));
        g[1] = cs_vselect(outside, cs_vset(0), -(push * y + wave * siny));
    }
    return cs_vselect(outside, cs_vset(-HUGE_VAL), -energy);
}

static void log_density(const cs_target *t, const cs_point *at, double *u)
{
    (void)t;
    const double *x = at->x, *y = x + at->lanes;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR)
        *(cs_vd *)(u + l) =
            eight(*(const cs_vd *)(x + l), *(const cs_vd *)(y + l), NULL);
}

static void gradient(const cs_target *t, const cs_point *at, double *u,
                     double *g)
{
    (void)t;
    const double *x = at->x, *y = x + at->lanes;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        cs_vd slope[2];
        *(cs_vd *)(u + l) =
            eight(*(const cs_vd *)(x + l), *(const cs_vd *)(y + l), slope);
        *(cs_vd *)(g + l) = slope[0];
        *(cs_vd *)(g + at->lanes + l) = slope[1];
    }
}

static cs_status create(cs_target *t, const cs_value *values, cs_error *err)
{
    (void)values;
    (void)err;
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = 2};
    t->exact = (cs_exact){.mean = mean,
                          .variance = variance,
                          .log_z = 5.902418749134029,
                          .n_modes = 9,
                          .modes = modes,
                          .mode_weight = weights,
                          .shares = true,
                          .view = {-edge, edge, -edge, edge}};
    return CS_OK;
}

static void destroy(cs_target *t)
{
    (void)t;
}

const cs_target_type CS_VARIANT(cs_target_nine_modes) = {
    .name = "nine_modes",
    .title = "Nine modes in the plane",
    .ref = "Deng, Lin and Liang 2020, section 4.1",
    .help = "The two-dimensional multi-modal density of the contour SGLD "
            "paper, in its box.",
    .create = create,
    .destroy = destroy,
    .log_density = log_density,
    .gradient = gradient,
};
