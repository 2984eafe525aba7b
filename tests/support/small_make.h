/* Creates a target type from a function of one state. Blocks are evaluated lane
 * by lane. */
#pragma once

#include "target/target.h"

enum { SMALL_DIM = 4 };

/* Returns the log density of one state, and computes its gradient g. */
typedef double small_density(const double *x, double *g);

static inline void small_each_lane(const cs_target *t, const cs_point *at,
                                   double *logp, double *g, small_density *f)
{
    double x[SMALL_DIM] = {0}, slope[SMALL_DIM] = {0};
    for (size_t l = 0; l < at->lanes; l++) {
        for (size_t i = 0; i < t->space.dim; i++)
            x[i] = at->x[i * at->lanes + l];
        logp[l] = f(x, slope);
        for (size_t i = 0; g && i < t->space.dim; i++)
            g[i * at->lanes + l] = slope[i];
    }
}

static inline void small_destroy(cs_target *t)
{
    (void)t;
}

#define SMALL(which, kind_, dim_, low_, values_)                               \
    SMALL_STEERED(which, kind_, dim_, low_, values_, NULL, NULL, 0)

#define SMALL_STEERED(which, kind_, dim_, low_, values_, force_, draw_,        \
                      uniforms_)                                               \
    static cs_status which##_create(cs_target *t, const cs_value *v,           \
                                    cs_error *err)                             \
    {                                                                          \
        (void)v;                                                               \
        (void)err;                                                             \
        t->space = (cs_space){                                                 \
            .kind = kind_, .dim = dim_, .low = low_, .values = values_};       \
        return CS_OK;                                                          \
    }                                                                          \
    static void which##_log_density(const cs_target *t, const cs_point *at,    \
                                    double *logp)                              \
    {                                                                          \
        small_each_lane(t, at, logp, NULL, which);                             \
    }                                                                          \
    static void which##_gradient(const cs_target *t, const cs_point *at,       \
                                 double *logp, double *g)                      \
    {                                                                          \
        small_each_lane(t, at, logp, g, which);                                \
    }                                                                          \
    const cs_target_type small_##which = {.name = "small_" #which,             \
                                          .title = "small " #which,            \
                                          .create = which##_create,            \
                                          .destroy = small_destroy,            \
                                          .log_density = which##_log_density,  \
                                          .gradient = which##_gradient,        \
                                          .force = force_,                     \
                                          .exact.draw = draw_,                 \
                                          .exact.n_uniform = uniforms_}
