/* Computations for posteriors of exponential families: see family.h. */
#include "targets/intractable/family.h"

#include <math.h>

/* Loads theta of eight lanes, starting at lane l. */
static void take(const cs_family *f, const cs_point *at, size_t l, cs_vd *theta)
{
    for (size_t p = 0; p < f->parameters; p++)
        theta[p] = cs_load(at->x + p * at->lanes + l);
}

static cs_vd times(const cs_family *f, const cs_vd *theta, const double *s)
{
    cs_vd sum = cs_vset(0);
    for (size_t p = 0; p < f->parameters; p++)
        sum += theta[p] * cs_load(s + p * CS_PAD);
    return sum;
}

/* Returns which lanes are outside the box; a NaN counts as inside. */
static cs_vi outside(const cs_family *f, const cs_vd *theta)
{
    cs_vi any = {0};
    for (size_t p = 0; p < f->parameters; p++)
        any |= (theta[p] < f->low[p]) | (theta[p] > f->high[p]);
    return any;
}

/* Returns log prior + theta . S(y), the known part of log p inside the box. */
static cs_vd known(const cs_family *f, const cs_vd *theta)
{
    cs_vd sum = cs_vset(0);
    for (size_t p = 0; p < f->parameters; p++) {
        cs_vd far = theta[p] - f->mean[p];
        sum += theta[p] * f->observed[p] - 0.5 * f->precision[p] * far * far;
    }
    return sum;
}

/* ---- log Z --------------------------------------------------------------- */

static cs_vd log_weight(const cs_family *f, const cs_vd *theta, size_t k)
{
    const cs_state_counts *c = &f->counts;
    cs_vd logp = cs_vset(c->log_count[k]);
    for (size_t p = 0; p < f->parameters; p++)
        logp += theta[p] * c->s[p * c->n + k];
    return logp;
}

/* Log of the largest relative weight that is ignored. Such a weight is too
 * small to change a sum. At any theta most states have a smaller weight. */
static const double negligible = -45;

static cs_vd counted_log_z(const cs_family *f, const cs_vd *theta, cs_vd *mean)
{
    const cs_state_counts *c = &f->counts;
    cs_vd top = cs_vset(-HUGE_VAL), sum = cs_vset(0), s[CS_FAMILY_THETA];
    for (size_t p = 0; p < f->parameters; p++)
        s[p] = cs_vset(0);
    for (size_t k = 0; k < c->n; k++)
        top = cs_vmax(top, log_weight(f, theta, k));
    for (size_t k = 0; k < c->n; k++) {
        cs_vd below = log_weight(f, theta, k) - top;
        cs_vi none = cs_vless(below, cs_vset(negligible));
        if (cs_vbits(none) == (1u << CS_VECTOR) - 1)
            continue;
        cs_vd weight = cs_vselect(none, cs_vset(0), cs_vexp_below(below));
        sum += weight;
        for (size_t p = 0; mean && p < f->parameters; p++)
            s[p] += weight * c->s[p * c->n + k];
    }
    for (size_t p = 0; mean && p < f->parameters; p++)
        mean[p] = s[p] / sum;
    return top + cs_vlog(sum);
}

static cs_vd log_z(const cs_family *f, const cs_vd *theta, cs_vd *mean)
{
    return f->log_z ? f->log_z(f, theta, mean) : counted_log_z(f, theta, mean);
}

/* ---- functions of target types ------------------------------------------- */

/* Sets log p and its gradient to NAN, because both are unknown. */
static void unknown(const cs_target *t, const cs_point *at, double *logp,
                    double *g)
{
    for (size_t l = 0; l < at->lanes; l++)
        logp[l] = NAN;
    for (size_t i = 0; g && i < t->space.dim * at->lanes; i++)
        g[i] = NAN;
}

static void density(const cs_target *t, const cs_point *at, double *logp,
                    double *g)
{
    const cs_family *f = t->self;
    cs_vd theta[CS_FAMILY_THETA], mean[CS_FAMILY_THETA];
    if (t->flags & CS_TARGET_UNNORMALISED) {
        unknown(t, at, logp, g);
        return;
    }
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        take(f, at, l, theta);
        cs_vi out = outside(f, theta);
        cs_vd value = known(f, theta) - log_z(f, theta, g ? mean : NULL);
        cs_store(logp + l, cs_vselect(out, cs_vset(-HUGE_VAL), value));
        for (size_t p = 0; g && p < f->parameters; p++) {
            cs_vd slope = f->observed[p] - mean[p] -
                          f->precision[p] * (theta[p] - f->mean[p]);
            cs_store(g + p * at->lanes + l, cs_vselect(out, cs_vset(0), slope));
        }
    }
}

void CS_VARIANT(cs_family_log_density)(const cs_target *t, const cs_point *at,
                                       double *logp)
{
    density(t, at, logp, NULL);
}

void CS_VARIANT(cs_family_gradient)(const cs_target *t, const cs_point *at,
                                    double *logp, double *g)
{
    density(t, at, logp, g);
}

void CS_VARIANT(cs_family_prior)(const cs_target *t, const cs_point *at,
                                 double *logp, double *g)
{
    const cs_family *f = t->self;
    cs_vd theta[CS_FAMILY_THETA];
    (void)g;
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        take(f, at, l, theta);
        cs_store(logp + l, cs_vselect(outside(f, theta), cs_vset(-HUGE_VAL),
                                      known(f, theta)));
    }
}

void CS_VARIANT(cs_family_log_factor)(const cs_target *t, const cs_point *at,
                                      const double *data, double *log_f)
{
    const cs_family *f = t->self;
    cs_vd theta[CS_FAMILY_THETA];
    _Alignas(64) double s[CS_FAMILY_THETA * CS_PAD];
    for (size_t l = 0; l < at->lanes; l += CS_VECTOR) {
        take(f, at, l, theta);
        f->statistics(f, data + l, at->lanes, s);
        cs_store(log_f + l, times(f, theta, s));
    }
}
