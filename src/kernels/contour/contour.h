/* Shared by csgld and csghmc: energy bins with learned weights theta, the
 * multiplier of the gradient that follows from theta, and the weight of a draw.
 * The formulas are in csgld.c. */
#pragma once

#include "kernels/contour/energy_bins.h"
#include "kernels/real/stochastic_gradient.h"

#include <assert.h>

/* Parameters of both kernels. They follow the parameters of all
 * stochastic-gradient kernels. */
enum {
    CS_CONTOUR_TEMPERATURE = CS_SG_PARAMS,
    CS_CONTOUR_ZETA,
    CS_CONTOUR_FIRST,
    CS_CONTOUR_WIDTH,
    CS_CONTOUR_BINS,
    CS_CONTOUR_GAIN,
    CS_CONTOUR_CLAMP,
    CS_CONTOUR_MULTIPLIER,
    CS_CONTOUR_UPDATE,
    CS_CONTOUR_WEIGHING,
    CS_CONTOUR_ENERGY_NOISE,
    CS_CONTOUR_RHO,
    CS_CONTOUR_SHARE,
    CS_CONTOUR_PARAMS
};

enum { CS_CONTOUR_BACKWARD, CS_CONTOUR_FORWARD };
enum { CS_CONTOUR_POWER, CS_CONTOUR_PLAIN, CS_CONTOUR_HIGH };
enum { CS_CONTOUR_BY_BIN, CS_CONTOUR_BY_ENERGY };

/* Words per chain. The memory holds, after the common part: theta / scale of
 * each bin; these words; the number of visits of each bin; and the factor by
 * which the last visit changed its theta (0: not visited). With shared weights
 * each chain has a copy. */
enum {
    CS_CONTOUR_SCALE,
    CS_CONTOUR_BIN,
    CS_CONTOUR_ENERGY,
    CS_CONTOUR_GAIN_NOW,
    CS_CONTOUR_INCREMENT, /* contribution to the next exchange of shared
                             weights */
    CS_CONTOUR_SECOND,
    CS_CONTOUR_EXCHANGES,
    CS_CONTOUR_WORDS
};

/* Rows of scratch after the common part: noise of the energies, multipliers. */
enum { CS_CONTOUR_OWN_NOISE, CS_CONTOUR_OWN_MULTIPLIER, CS_CONTOUR_OWN_ROWS };

/* Smallest values of the scale and of theta. With these limits, the ratio of
 * two values of theta is always finite, even if they are divided by the
 * scale. */
static const double cs_contour_least_scale = 1e-100;
static const double cs_contour_least_theta = 1e-180;
/* Largest share c that a new value may have in one update. With a larger c, the
 * old value would be lost in rounding. */
static const double cs_contour_most = 1 - 0x1p-40;
static const double cs_contour_settled =
    1.0512710963760241; /* exp(CS_BIN_SETTLED), as a factor of theta */

/* ---- functions for the kernel's table ------------------------------------ */

/* cs_contour_first returns the first row of theta. The other functions return
 * the sizes of the memory and of the scratch, in words per chain. */
size_t cs_contour_first(const cs_target *t, const double *values,
                        cs_sg_layout layout);
size_t cs_contour_memory_words(const cs_target *t, const double *values,
                               cs_sg_layout layout);
size_t cs_contour_scratch_words(const cs_target *t, const double *values,
                                cs_sg_layout layout);
/* cs_contour_rows returns the number of rows of the auxiliary variable theta;
 * cs_contour_show fills shown[] with its weights, scaled to sum to 1. */
size_t cs_contour_rows(const cs_target *t, const double *values);
void cs_contour_show(const cs_target *t, const double *values,
                     const double *memory, size_t stride, double *shown);
void cs_contour_report(const cs_exchange *m, cs_sg_layout layout,
                       const char *prefix, cs_flat *out);
/* cs_contour_period returns the number of steps between two exchanges of an
 * arm's chains (0: never); cs_contour_meet makes one exchange. */
uint64_t cs_contour_period(const double *values);
void cs_contour_meet(const cs_exchange *m, cs_sg_layout layout);
/* Implements `arrange` of a kernel with `numbers` numeric parameters: derives
 * values from the borders and the known weights. */
cs_status cs_contour_arrange(const cs_value *given, size_t numbers,
                             double *values, cs_error *err);
void cs_contour_explain(const cs_reason *why, char *text, size_t size);

/* ---- bins of a chain ----------------------------------------------------- */

typedef struct cs_contour_bins {
    double *theta;         /* [n * stride] theta divided by the scale */
    double *word;          /* [CS_CONTOUR_WORDS * stride] words of the chain */
    double *visits, *last; /* [n * stride] visits: number of visits; last:
                              factor of the last change of theta */
    size_t n, stride;
} cs_contour_bins;

static inline cs_contour_bins cs_contour_bins_at(double *theta, size_t n,
                                                 size_t stride)
{
    double *word = theta + n * stride;
    double *visits = word + CS_CONTOUR_WORDS * stride;
    return (cs_contour_bins){theta, word,  visits, visits + n * stride,
                             n,     stride};
}

static inline cs_contour_bins cs_contour_bins_of(const cs_move *m,
                                                 const cs_sg_step *s, size_t l)
{
    size_t rows = s->layout.next + s->layout.kept + 2 * (size_t)s->control;
    size_t n = (size_t)m->param[CS_CONTOUR_BINS * m->lanes];
    size_t words = rows * m->dim + s->control;
    return cs_contour_bins_at(m->memory + words * m->lanes + l, n, m->lanes);
}

static inline double cs_contour_word(const cs_contour_bins *b, size_t i)
{
    return b->word[i * b->stride];
}

/* Returns theta of bin `at`, counted from 0, up to a common factor. Indices
 * beyond the ends are clamped. */
static inline double cs_contour_theta(const cs_contour_bins *b, size_t at)
{
    return b->theta[(at < b->n ? at : b->n - 1) * b->stride];
}

static inline double *cs_contour_scratch(const cs_move *m, const cs_sg_step *s,
                                         size_t row)
{
    return cs_sg_own_scratch(m, s) + row * m->lanes;
}

static inline cs_bins cs_contour_borders(const cs_move *m, size_t l)
{
    size_t given;
    return (cs_bins){.first = cs_move_param(m, CS_CONTOUR_FIRST)[l],
                     .width = cs_move_param(m, CS_CONTOUR_WIDTH)[l],
                     .n = (size_t)cs_move_param(m, CS_CONTOUR_BINS)[0],
                     .border = cs_move_list(m, CS_BIN_BORDERS, &given)};
}

/* Returns the number of live lanes among the eight lanes from l on. The lanes
 * after the last live lane are copies of that lane, and share its bins. */
static inline size_t cs_contour_live(const cs_move *m, size_t l)
{
    size_t left = m->live > l ? m->live - l : 0;
    return left < CS_VECTOR ? left : CS_VECTOR;
}

/* Loads eight numbers that were stored one by one. For a single chain it
 * broadcasts the first number, so the load does not wait for the other
 * stores. */
static inline cs_vd cs_contour_gathered(const double *value, size_t live)
{
    return live == 1 ? cs_vset(value[0]) : cs_load(value);
}

/* ---- multiplier of the gradient ------------------------------------------ */

/* Returns the two weights between which Psi interpolates in bin `at`: at its
 * lower and at its upper border. */
static inline void cs_contour_pieces(const cs_contour_bins *b, size_t at,
                                     bool forward, double *low, double *high)
{
    *low = cs_contour_theta(b, forward ? at : at ? at - 1 : 0);
    *high = cs_contour_theta(b, forward ? at + 1 : at);
}

/* Inputs of the multiplier M per lane: ratio of the two weights, width of the
 * bin, largest M allowed. */
typedef struct cs_contour_slope {
    double ratio, wide, most;
} cs_contour_slope;

static inline cs_contour_slope
cs_contour_slope_of(const cs_move *m, const cs_sg_step *s, size_t l)
{
    double low, high, clamp = cs_move_param(m, CS_CONTOUR_CLAMP)[l];
    bool forward =
        cs_move_param(m, CS_CONTOUR_MULTIPLIER)[0] == CS_CONTOUR_FORWARD;
    cs_bins borders = cs_contour_borders(m, l);
    cs_contour_bins b = cs_contour_bins_of(m, s, l);
    size_t at = (size_t)cs_contour_word(&b, CS_CONTOUR_BIN);
    cs_contour_pieces(&b, at, forward, &low, &high);
    return (cs_contour_slope){.ratio =
                                  clamp > 0 && at + 1 == b.n ? 1 : high / low,
                              .wide = cs_bin_width(borders, at),
                              .most = clamp > 0 ? clamp : HUGE_VAL};
}

/* Returns the multiplier M of the gradient for the eight lanes from l on. */
static inline cs_vd cs_contour_multiplier(const cs_move *m, size_t l,
                                          cs_vd ratio, cs_vd wide, cs_vd most)
{
    cs_vd by = cs_load(cs_move_param(m, CS_CONTOUR_ZETA) + l) *
               cs_load(cs_move_param(m, CS_CONTOUR_TEMPERATURE) + l);
    cs_vd all = 1 + by * (cs_vlog(ratio) / wide);
    return cs_vmin(cs_vmax(all, -most), most);
}

/* Writes the multiplier M of all lanes to
 * cs_contour_scratch(CS_CONTOUR_OWN_MULTIPLIER). */
static inline void cs_contour_multiply(const cs_move *m, const cs_sg_step *s)
{
    double *to = cs_contour_scratch(m, s, CS_CONTOUR_OWN_MULTIPLIER);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        _Alignas(64) double ratio[CS_VECTOR], most[CS_VECTOR], wide[CS_VECTOR];
        size_t live = cs_contour_live(m, l);
        cs_contour_slope of = {1, 1, 1};
        if (live == 1) { /* a single chain: its values stay in registers */
            of = cs_contour_slope_of(m, s, l);
            cs_store(to + l,
                     cs_contour_multiplier(m, l, cs_vset(of.ratio),
                                           cs_vset(of.wide), cs_vset(of.most)));
            continue;
        }
        for (size_t k = 0; k < CS_VECTOR; k++) {
            if (k < live)
                of = cs_contour_slope_of(m, s, l + k);
            ratio[k] = of.ratio;
            wide[k] = of.wide;
            most[k] = of.most;
        }
        cs_store(to + l, cs_contour_multiplier(m, l, cs_load(ratio),
                                               cs_load(wide), cs_load(most)));
    }
}

/* ---- bins ---------------------------------------------------------------- */

/* Draws the noise of the energies: normals in z[lanes], or zeros without
 * noise. */
static inline void cs_contour_noise(const cs_move *m, double *z)
{
    cs_vi any = {0};
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        any |= cs_vless(cs_vset(0),
                        cs_load(cs_move_param(m, CS_CONTOUR_ENERGY_NOISE) + l));
        cs_store(z + l, cs_vset(0));
    }
    if (cs_vbits(any))
        cs_fill_normal(&m->streams, CS_FOR_AUXILIARY, 1, z);
}

/* Computes the energies of the states and their bins. */
static inline void cs_contour_locate(cs_move *m, const cs_sg_step *s)
{
    double *z = cs_contour_scratch(m, s, CS_CONTOUR_OWN_NOISE);
    cs_contour_noise(m, z);
    for (size_t l = 0; l < m->live; l++) {
        cs_contour_bins b = cs_contour_bins_of(m, s, l);
        double energy = cs_move_param(m, CS_CONTOUR_ENERGY_NOISE)[l] * z[l] -
                        m->info.logp[l];
        if (m->failed[l])
            continue;
        b.word[CS_CONTOUR_ENERGY * b.stride] = energy;
        b.word[CS_CONTOUR_BIN * b.stride] =
            (double)cs_bin_of(cs_contour_borders(m, l), energy);
    }
}

/* Renormalises the scale before it underflows. Rarely needed. */
static __attribute__((noinline, unused)) void
cs_contour_scale_in(cs_contour_bins *b)
{
    double scale = cs_contour_word(b, CS_CONTOUR_SCALE);
    for (size_t i = 0; i < b->n; i++)
        b->theta[i * b->stride] =
            fmax(b->theta[i * b->stride] * scale, cs_contour_least_theta);
    b->word[CS_CONTOUR_SCALE * b->stride] = 1;
}

/* Multiplies all theta by 1 - c and adds c to theta of the state's bin. */
static inline void cs_contour_update(cs_contour_bins *b, double c)
{
    double *scale = b->word + CS_CONTOUR_SCALE * b->stride;
    double *theta =
        b->theta + (size_t)cs_contour_word(b, CS_CONTOUR_BIN) * b->stride;
    *scale *= 1 - c;
    *theta += c / *scale;
    if (*scale < cs_contour_least_scale)
        cs_contour_scale_in(b);
}

/* Returns whether the weight of bin `at` is still being learned. */
static inline bool cs_contour_is_learning(const cs_contour_bins *b, size_t at)
{
    double last = b->last[at * b->stride];
    return cs_contour_word(b, CS_CONTOUR_GAIN_NOW) > 0 &&
           (last > cs_contour_settled || last * cs_contour_settled < 1);
}

/* Counts a step that ended in the state's bin. */
static inline void cs_contour_visit(cs_contour_bins *b, double gain)
{
    b->visits[(size_t)cs_contour_word(b, CS_CONTOUR_BIN) * b->stride]++;
    b->word[CS_CONTOUR_GAIN_NOW * b->stride] = gain;
}

/* Multiplies theta of the state's bin by `times`, and records the factor. */
static inline void cs_contour_grow(cs_contour_bins *b, double times)
{
    b->last[(size_t)cs_contour_word(b, CS_CONTOUR_BIN) * b->stride] = times;
}

/* Returns log Psi at the energy of the state, interpolated from the log weights
 * at the borders of its bin. */
static inline double cs_contour_log_psi(const cs_move *m,
                                        const cs_contour_bins *b, size_t l)
{
    bool forward =
        cs_move_param(m, CS_CONTOUR_MULTIPLIER)[0] == CS_CONTOUR_FORWARD;
    bool printed = cs_move_param(m, CS_CONTOUR_CLAMP)[l] == 0;
    cs_bins borders = cs_contour_borders(m, l);
    double low, high;
    size_t at = (size_t)cs_contour_word(b, CS_CONTOUR_BIN);
    cs_contour_pieces(b, at, forward, &low, &high);
    double scale = log(cs_contour_word(b, CS_CONTOUR_SCALE)), from = log(low),
           to = log(high);
    if (at + 1 == b->n && !printed)
        return scale + from;
    double above =
        cs_contour_word(b, CS_CONTOUR_ENERGY) - cs_bin_low(borders, at);
    return scale + from + (to - from) * above / cs_bin_width(borders, at);
}

/* Applies Eq. 57 (see csgld.c) to all bins of eight chains. c is the power, and
 * d is rho; chains that do not learn have c = d = 0. The scale absorbs the
 * division by the sum of theta. Returns the new theta(J). */
static inline cs_vd cs_contour_update_all(const cs_contour_bins *first, cs_vd c,
                                          cs_vd d)
{
    size_t by = first->stride;
    cs_vd at = cs_load(first->word + CS_CONTOUR_BIN * by);
    cs_vd scale = cs_load(first->word + CS_CONTOUR_SCALE * by);
    cs_vd none = cs_vset(0), sum = none, mine = cs_vset(1);
    for (size_t i = 0; i < first->n; i++) {
        cs_vd here = cs_vset((double)i), old = cs_load(first->theta + i * by);
        cs_vd high = cs_vselect(cs_vless(here, at), none, d);
        cs_vi is = here == at;
        cs_vd theta =
            old * scale * (1 - (c + high)) + cs_vselect(is, c + d, none);
        theta = cs_vmax(theta, cs_vset(cs_contour_least_theta));
        sum += theta;
        mine = cs_vselect(is, theta, mine);
        cs_store(first->theta + i * by, theta);
    }
    cs_store(first->word + CS_CONTOUR_SCALE * by, 1 / sum);
    return mine / sum;
}

/* Stores c and d, the contribution of a chain to the next exchange. */
static inline void cs_contour_keep(const cs_contour_bins *b, double c, double d)
{
    b->word[CS_CONTOUR_INCREMENT * b->stride] = c;
    b->word[CS_CONTOUR_SECOND * b->stride] = d;
}

/* Updates the weights of eight chains whose theta(J) was `was`. Returns the new
 * theta(J). */
static inline cs_vd cs_contour_change(const cs_move *m, size_t l, size_t live,
                                      cs_contour_bins *b, cs_vd was)
{
    double kind = cs_move_param(m, CS_CONTOUR_UPDATE)[0];
    cs_vd gain = cs_load(cs_move_param(m, CS_CONTOUR_GAIN) + l), c = was;
    cs_vd rho = cs_load(cs_move_param(m, CS_CONTOUR_RHO) + l);
    cs_vd zeta = cs_load(cs_move_param(m, CS_CONTOUR_ZETA) + l);
    bool shared = cs_move_param(m, CS_CONTOUR_SHARE)[0] > 0;
    if (kind != CS_CONTOUR_PLAIN)
        c = cs_vexp(zeta * cs_vlog(c));
    c = cs_vmin(gain * c, cs_vset(cs_contour_most));
    cs_vd now = was * (1 - c) + c, d = gain * gain * rho;
    if (kind == CS_CONTOUR_HIGH && !shared && live) {
        cs_vi out = cs_load_bool(m->failed + l);
        for (size_t k = live; k < CS_VECTOR; k++)
            out[k] = -1;
        now = cs_contour_update_all(&b[0], cs_vselect(out, cs_vset(0), c),
                                    cs_vselect(out, cs_vset(0), d));
    }
    for (size_t k = 0; k < live; k++) {
        if (m->failed[l + k])
            continue;
        cs_contour_visit(&b[k], gain[k]);
        if (shared) {
            cs_contour_keep(&b[k], c[k], kind == CS_CONTOUR_HIGH ? d[k] : 0);
            continue;
        }
        if (kind != CS_CONTOUR_HIGH && c[k] != 0)
            cs_contour_update(&b[k], c[k]);
        cs_contour_grow(&b[k], now[k] / was[k]);
    }
    return shared ? was : now;
}

/* Updates the weights of the bins and the weight of the draw, eight chains at a
 * time. */
static inline void cs_contour_learn(cs_move *m, const cs_sg_step *s, size_t l)
{
    _Alignas(64) double theta[CS_VECTOR];
    cs_contour_bins b[CS_VECTOR];
    cs_vd zeta = cs_load(cs_move_param(m, CS_CONTOUR_ZETA) + l);
    size_t live = cs_contour_live(m, l);
    for (size_t k = 0; k < CS_VECTOR; k++) {
        theta[k] = 1;
        if (k >= live)
            continue;
        b[k] = cs_contour_bins_of(m, s, l + k);
        theta[k] = cs_contour_theta(
                       &b[k], (size_t)cs_contour_word(&b[k], CS_CONTOUR_BIN)) *
                   cs_contour_word(&b[k], CS_CONTOUR_SCALE);
    }
    cs_vd now =
        cs_contour_change(m, l, live, b, cs_contour_gathered(theta, live));
    cs_vd weight = zeta * cs_vlog(now);
    bool by_energy =
        cs_move_param(m, CS_CONTOUR_WEIGHING)[0] == CS_CONTOUR_BY_ENERGY;
    for (size_t k = 0; k < live; k++)
        m->info.log_weight[l + k] +=
            by_energy ? zeta[k] * cs_contour_log_psi(m, &b[k], l + k)
                      : weight[k];
    for (size_t k = live; k < CS_VECTOR && m->live < m->lanes; k++)
        m->info.log_weight[l + k] = m->info.log_weight[m->live - 1];
}

/* ---- steps --------------------------------------------------------------- */

static inline void cs_contour_init(cs_move *m, cs_sg_layout layout)
{
    size_t given;
    const double *known = cs_move_list(m, CS_BIN_LOG_WEIGHTS, &given);
    cs_sg_step s = cs_sg_step_of(m, layout);
    cs_sg_init(m, layout);
    for (size_t l = 0; m->fresh && l < m->lanes; l++) {
        cs_contour_bins b = cs_contour_bins_of(m, &s, l);
        cs_bins_weigh(known, b.n, cs_contour_least_theta, b.theta, b.stride);
        b.word[CS_CONTOUR_SCALE * b.stride] = 1;
    }
    cs_contour_locate(m, &s);
}

/* If a chain failed in this step, stores the multiplier of its gradient in the
 * reason of the failure. */
static inline void cs_contour_blame(cs_move *m, const cs_sg_step *s,
                                    const bool *before)
{
    for (size_t l = 0; l < m->lanes; l++)
        if (m->failed[l] && !before[l] && m->why[l].code)
            m->why[l].bound =
                cs_contour_scratch(m, s, CS_CONTOUR_OWN_MULTIPLIER)[l];
}

/* Ends a step that moves to s->y. `arrive` is cs_sg_arrive or a function that
 * calls it. */
static inline void cs_contour_end(cs_move *m, cs_sg_step *s,
                                  void (*arrive)(cs_move *m, cs_sg_step *s))
{
    bool before[4 * CS_STREAMS_PART]; /* more elements than any block has
                                         lanes */
    assert(m->lanes <= sizeof before);
    memcpy(before, m->failed, m->lanes);
    arrive(m, s);
    if (memcmp(before, m->failed, m->lanes) != 0)
        cs_contour_blame(m, s, before);
    cs_contour_locate(m, s);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        cs_contour_learn(m, s, l);
    for (size_t l = 0; l < m->live; l++) {
        cs_contour_bins b = cs_contour_bins_of(m, s, l);
        size_t at = (size_t)cs_contour_word(&b, CS_CONTOUR_BIN);
        double *stat = m->info.stat + l;
        stat[0] = (double)at + 1;
        stat[m->lanes] = cs_contour_scratch(m, s, CS_CONTOUR_OWN_MULTIPLIER)[l];
        stat[2 * m->lanes] = cs_contour_is_learning(&b, at);
    }
}
