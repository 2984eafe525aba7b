/* A target: a space, a log density, and what else it can do.
 *
 * A type is a const table plus rows of parameters; an instance holds its own
 * data in `self` and does not change while chains run, except for `learned`
 * between steps. Functions of a block work on x[dim][lanes], lanes next to each
 * other, their number as cs_target_lanes gives it, arrays aligned to CS_ALIGN.
 * Kernels never call these functions: they go through target/eval.h, which
 * counts. Padding lanes hold copies of a live lane, so that a density need not
 * look at `live`. It may, to save work: where the data is the long axis, one
 * live lane deserves a path of its own. */
#pragma once

#include "base/page.h"
#include "base/param.h"
#include "rng/stream.h"
#include "target/space.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cs_target cs_target;
struct cs_lower_bound;

/* The states of a block that a target is asked about, and the target's own
 * memory of them. */
typedef struct cs_point {
    const double *x; /* [dim][lanes] */
    double *cache;   /* [cache_words][lanes], NULL when cache_words is 0 */
    double *scratch; /* [scratch_words][lanes], not kept between calls */
    size_t lanes, live;
    const bool *failed; /* [lanes] true: the answer is not used; or NULL */
    const double *from, *from_cache; /* for a proposal: the present states and
                           their cache, so that only what differs need be
                           computed; NULL: not known */
    bool back; /* alternates from call to call: a hint to go through large data
                  in the other direction, so that the CPU's caches are reused;
                  only where the result has the same bits either way */
} cs_point;

/* Some rows of a target's table for each live lane: lane l asks for row[i],
 * first[l] <= i < first[l + 1], in any order, repeats allowed. A slope weighs
 * the terms: by numbers that are given, or by a function of the terms
 * themselves, which is called while they are in registers. */
typedef struct cs_batch {
    const uint32_t *row;  /* each below n_rows */
    const size_t *first;  /* [live + 1] */
    const double *weight; /* [first[live]] of each; NULL: 1 */
    /* OPTIONAL, in place of `weight`. weight[CS_PAD] of the n <= CS_PAD
     * rows row[at] ... row[at + n - 1], all of lane `lane`, whose terms are
     * term[CS_PAD]; beyond n both are anything. Called in the order of
     * `at`, once for each row. */
    void (*weigh)(void *of, size_t lane, size_t at, size_t n,
                  const double *term, double *weight);
    void *of; /* its first argument */
} cs_batch;

/* What is known of the terms beforehand: see range, change and lower of
 * cs_row_hooks. */
enum { CS_ROW_RANGE = 1, CS_ROW_CHANGE = 2, CS_ROW_LOWER = 4 };

/* Data sets that a target simulates, one a lane: see simulate and sweep. */
typedef struct cs_simulation {
    const cs_streams *streams; /* numbers for CS_FOR_AUXILIARY come from it */
    size_t first;  /* rows of the stream that are its own: from this one,
                      CS_SIMULATION_ROWS of them; in `skip` */
    size_t sweeps; /* of sweep: how often */
    double *data;  /* [n_data][lanes] out; of sweep, in and out */
    /* [lanes], out, of what was asked: */
    double *updates; /* how often one number of the data was drawn */
    double *past;    /* how far into the past an exact draw went, in passes
                        over the data; 0: it needs none */
    double *left;    /* 0: it is done; else it was given up, and so many numbers
                        were not settled yet: `data` is no draw */
} cs_simulation;

/* What an exact draw by coupling from the past went through that began `past`
 * passes ago, for whoever looks at it. */
typedef struct cs_coupling {
    size_t past;   /* passes over the data */
    size_t points; /* at least 1 */
    double *left; /* [points + 1] out: how many numbers were not settled after i
                      past / points passes, i = 0 ... points */
    size_t when;  /* one of these points */
    double *open; /* [n_data] out: 1 where a number was not settled then, 0
                      where it was; NAN: it is not known which ones */
} cs_coupling;

#define CS_SIMULATION_ROWS ((size_t)1 << 40)

enum {
    CS_TARGET_MAIN_THREAD = 1,  /* only the session's thread may evaluate it */
    CS_TARGET_HIDDEN = 2,       /* made by other means than its name */
    CS_TARGET_EIGHTS = 16,      /* takes lanes by eights only */
    CS_TARGET_ALONE = 32,       /* evaluates a single chain for itself, in the
                                   time of a lane or two */
    CS_TARGET_UNNORMALISED = 8, /* log p is not known: it lacks log Z(x), see
                                   cs_factor_hooks; log_density gives NAN */
    CS_TARGET_OUTSIDE = 64,     /* evaluated by code of others, at a price of
                                   its own: where one may choose, at few points */
    CS_TARGET_LEARNS = 128,     /* a copy whose numbers change (cs_model_type):
                                   nothing is known of it */
    CS_TARGET_PACKED = 4        /* also takes packed states of a single chain:
                                  lanes = 1, x[dim] and g[dim] with room to
                                  whole vectors; keeps no cache */
};

/* What is known exactly. Any pointer may be NULL. All arrays belong to the
 * target. Moments are of the distribution itself. */
typedef struct cs_exact {
    const double *mean, *variance; /* [dim] */
    double log_z;                  /* log of the integral of exp log p; NAN */
    size_t n_modes;
    const double *modes;       /* [n_modes][dim] */
    const double *mode_weight; /* [n_modes], sums to 1 */
    bool shares;               /* mode_weight[m] is the probability of the
                                  points whose nearest mode is m */
    double mode_radius;        /* a visit: within this of the nearest mode, in
                                  Euclidean distance; 0 = nearest, at any
                                  distance */
    double view[4]; /* x0, x1, y0, y1: the part of the plane worth showing */
    const double
        *logp; /* [states] log p of all, in the order of cs_space_state */
} cs_exact;

/* The bonds of one site of a target on a graph: see `bonds` below. */
typedef struct cs_site_bonds {
    size_t n;
    const uint32_t *other;  /* [n] the sites at the other ends */
    const double *strength; /* [n] K = scale strength */
    double scale;
} cs_site_bonds;

/* Generated quantities: what users see and what is recorded in place of the
 * state, parameters on their own scale or quantities made of them. Any target
 * may have some. */
typedef struct cs_outputs {
    size_t n, scratch_words;
    /* y[n][lanes] of the states at->x; may use at->scratch. Called each
     * step. */
    void (*fill)(const void *self, const cs_point *at, double *y);
    /* The name of number i into text[size]. */
    void (*name)(const void *self, size_t i, char *text, size_t size);
    void (*destroy)(void *self); /* OPTIONAL */
    void *self;                  /* [own] */
} cs_outputs;

typedef enum cs_picture_kind {
    CS_PICTURE_NONE,
    CS_PICTURE_PIXELS, /* of each coordinate, row by row */
    CS_PICTURE_GRAPH,  /* vertices in the plane, one a coordinate, and edges */
    CS_PICTURE_TOUR    /* points in the plane, in the state's order */
} cs_picture_kind;

/* How to draw a state: data alone, so that whoever draws needs no target. What
 * it points to belongs to the target. */
typedef struct cs_picture {
    cs_picture_kind kind;
    size_t first;         /* the first coordinate that is drawn */
    size_t rows, cols;    /* of pixels, the last row may be short */
    size_t layers;        /* so many such pictures, side by side; 0: 1 */
    double low, high;     /* real coordinates: what is black, what is white */
    size_t places;        /* points of a graph or a tour */
    const double *place;  /* [places][2] x, y; NULL: on a circle */
    const uint32_t *edge; /* [edges][2] vertices from 0 */
    size_t edges;
    /* OPTIONAL, of a tour: to[places] = the order in which the state x[dim *
     * stride] visits them, `places` if it is no tour. NULL: x lists them
     * itself. */
    void (*order)(const cs_target *t, const double *x, size_t stride,
                  uint32_t *to);
} cs_picture;

/* What a mean prediction is worth on data held out. NAN: it is not known of this
 * model, without data, states or memory. */
typedef struct cs_held_out {
    double rmse;      /* root mean square error, in units of the response */
    double accuracy;  /* share of the rows whose class is the likeliest */
    double log_score; /* mean log probability (density) of what was held out, in
                         nats a row: of the mean of probabilities */
} cs_held_out;

typedef struct cs_anneal cs_anneal;

/* A model whose numbers w = learned[n_learned] can be learned from data y, by
 *
 *     d/dw mean of log p(y) = mean over y of slope - mean over x ~ p of slope,
 *     slope(x) = d log_density(x) / dw,
 *
 * log_density being log p but for log Z(w). An instance that users make has no
 * `learned`; what learns are copies of it, one an arm (run/learner.h). */
typedef struct cs_model_type {
    /* REQUIRED. Makes of `to`, whose type, name, values and parts are those of
     * t, a copy that can learn: fills what create fills, without exact answers,
     * and learned[n_learned] = the numbers of t [own, by the type: destroy frees
     * them], slope_words. On failure leaves nothing behind. */
    cs_status (*copy)(const cs_target *t, cs_target *to, cs_error *err);
    /* REQUIRED, hot. d[n_learned] += the sum over live lanes of weight[lane] times
     * the slope at x of the lane, in double precision; unless NULL, logp[lanes]
     * = log_density. The sum is made in the order of lanes. at->cache is NULL,
     * at->scratch has slope_words rows. Any thread, several at once. */
    void (*slope)(const cs_target *t, const cs_point *at, const double *weight,
                  double *logp, double *d);
    /* REQUIRED. `learned` has changed: makes all that the density reads of it
     * anew, a function of `learned` alone. Between steps; allocates nothing.
     * May round or bound the numbers themselves. */
    void (*changed)(cs_target *t);
    /* OPTIONAL. learned[] = where learning begins on data of these means[dim],
     * from uniform[n_learned]. NULL: where the instance is. `changed` is called
     * behind it. */
    void (*begin)(cs_target *t, const double *mean, const double *uniform);
    /* OPTIONAL. Numbers worth a picture of the picture's pixels: filter number
     * i, from 0, as out[dim]; false past the last. */
    bool (*filter)(const cs_target *t, size_t i, double *out);
    /* OPTIONAL. What this kind of model is annealed by: see cs_anneal. log_z0 =
     * log of the sum of f_0. NULL: by any kernel, on another path
     * (learn/anneal.h). */
    double (*log_z0)(const cs_target *t, const double *base);
    void (*anneal)(const cs_target *t, const cs_point *at, const cs_anneal *a);
} cs_model_type;

/* One step of annealed importance sampling (Neal 2001) on a path of functions
 * f_0 ... f_1 of x, f_1 = exp log_density, f_0 one whose sum is known: adds log
 * f_to(x) - log f_from(x) to log_weight, then moves x by a transition that
 * leaves f_to invariant (from and to may fall). at->x is x, at->scratch has
 * slope_words rows. */
struct cs_anneal {
    const double *base;        /* [dim] of f_0: log odds of independent bits */
    double from, to;           /* inverse temperatures, 0 to 1 */
    const cs_streams *streams; /* for CS_FOR_PROPOSAL and CS_FOR_AUXILIARY */
    double *x;                 /* [dim][lanes] in and out */
    double *log_weight;        /* [lanes] in and out */
};

/* ---- optional functions of a type, by idea ----
 * A type without an idea leaves its functions NULL. */

/* A log density that is a sum over the rows of a table,
 *     log p(x) = prior(x) + sum of term(x, r) over the rows r < n_rows. */
typedef struct cs_row_hooks {
    /* With prior and slope. The terms of a batch: logp[i] = term(x of the lane,
     * row[i]). */
    void (*terms)(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp);
    /* The same, and g[dim][lanes]: the gradient of the sum of weight * term
     * over a lane's batch. */
    void (*slope)(const cs_target *t, const cs_point *at, const cs_batch *b,
                  double *logp, double *g);
    /* OPTIONAL. Prefetches row[n]. */
    void (*fetch)(const cs_target *t, const uint32_t *row, size_t n);
    /* OPTIONAL: t->row_bounds says which bounds an instance has. Cold, called
     * once per instance: see target/row_bounds.h. low[n_rows] and high[n_rows]:
     * low[r] <= term(x, r) <= high[r] wherever the prior is finite. */
    cs_status (*range)(const cs_target *t, double *low, double *high,
                       cs_error *err);
    /* ... c[n_rows], with a symmetric M: |term(x, r) - term(y, r)| <= c[r] M(x,
     * y) wherever the prior is finite at x and y. change_measure, hot:
     * m[lanes] = M(x, y) of x[dim][lanes] and y[dim][lanes]. */
    cs_status (*change)(const cs_target *t, double *c, cs_error *err);
    void (*change_measure)(const cs_target *t, const double *x, const double *y,
                           size_t lanes, double *m);
    /* OPTIONAL, both, with a gradient: lower bounds of the terms that are tight
     * at b->mode, log B(x, r) <= term(x, r) for every x; see
     * target/lower_bound.h. Cold: fills b->row, and adds what each row's bound
     * is of x - mode by cs_lower_bound_add. */
    void (*lower)(const cs_target *t, struct cs_lower_bound *b);
    /* The terms of a batch and their bounds at t->lower: logp[i], log_b[i]. */
    void (*lower_terms)(const cs_target *t, const cs_point *at,
                        const cs_batch *b, double *logp, double *log_b);
} cs_row_hooks;

/* A model of data y that lacks a factor,
 *     p(y | x) = f(x, y) / Z(x),  log p(x) = prior(x) - log Z(x),
 * where the prior includes log f of the observed data. Where Z(x) is not known,
 * the instance has CS_TARGET_UNNORMALISED. */
typedef struct cs_factor_hooks {
    /* With prior. log_f[lanes] = log f(x, y) of data[n_data][lanes]. */
    void (*log_factor)(const cs_target *t, const cs_point *at,
                       const double *data, double *log_f);
    /* OPTIONAL, with log_factor. Exact draws y ~ p(. | x) of all lanes that are
     * not at->failed, as functions of x and of the lane's own numbers alone.
     * at->scratch has simulate_words rows. The work is limited: see `left`. */
    void (*simulate)(const cs_target *t, const cs_point *at,
                     const cs_simulation *s);
    /* OPTIONAL, with simulate. The draw of the one live lane once more, with the
     * same numbers. Cold. */
    void (*coupling)(const cs_target *t, const cs_point *at,
                     const cs_simulation *s, const cs_coupling *c);
    /* OPTIONAL, with log_factor. Moves data that leave p(. | x) invariant, and
     * are reversible, s->sweeps times. at->scratch as in simulate. */
    void (*sweep)(const cs_target *t, const cs_point *at,
                  const cs_simulation *s);
} cs_factor_hooks;

/* A discrete space: changes of single sites, and moves of many. */
typedef struct cs_site_hooks {
    /* OPTIONAL. d[values][lanes] = log p(x with x_i = low + v) - log p(x), i =
     * site[lane]. Reads the point's cache. */
    void (*site)(const cs_target *t, const cs_point *at, const uint32_t *site,
                 double *d);
    /* OPTIONAL, with `site` and a cache: x_i of each lane has just become
     * value[lane] (at->x still holds the old one); mends the cache. */
    void (*moved)(const cs_target *t, const cs_point *at, const uint32_t *site,
                  const double *value);
    /* OPTIONAL, with `site`, where it saves work: the differences of all sites
     * at once, laid out as cs_eval_neighbours says. Reads the point's cache. */
    void (*neighbours)(const cs_target *t, const cs_point *at, double *d);
    /* OPTIONAL, categorical, where it saves work. The gradient of an extension
     * of log p to a site as one bit a value, of which one is set:
     * d[dim * values][lanes], row i * values + v the slope in the bit of value
     * v less that in the bit of x_i; so 0 at x_i. logp[lanes] = log p, unless
     * NULL. Fills the point's cache. */
    void (*one_hot)(const cs_target *t, const cs_point *at, double *logp,
                    double *d);
    /* OPTIONAL. Block Gibbs: redraws every coordinate of x (which is at->x) in
     * place, `times` times, part by part from the distribution of the part given
     * the rest, in a fixed order; this leaves the target invariant. Random
     * numbers come from `s`, for CS_FOR_PROPOSAL or CS_FOR_AUXILIARY.
     * moved[lane]: x differs from what it was. at->scratch has resample_words
     * rows, at->cache is NULL. */
    void (*resample)(const cs_target *t, const cs_point *at,
                     const cs_streams *s, size_t times, double *x, bool *moved);
    /* OPTIONAL, for cluster moves: the bonds of a site, where up to a constant
     *     log p(x) = sum over bonds i~j of K_ij [x_i = x_j]
     *                + sum of field[i][x_i].
     * Each of the n_bonds is listed twice, once at each end. */
    cs_site_bonds (*bonds)(const cs_target *t, size_t site);
} cs_site_hooks;

/* What is known of the distribution in closed form, beside cs_exact. */
typedef struct cs_exact_hooks {
    /* OPTIONAL. x[dim] = an exact draw made from uniform[t->n_uniform].
     * n_uniform here is what an instance starts with; create may change it:
     * with 0 the instance has no exact draws. */
    size_t n_uniform;
    void (*draw)(const cs_target *t, const double *uniform, double *x);
    /* OPTIONAL. P(x_i <= value): the distribution function of a coordinate. */
    double (*marginal)(const cs_target *t, size_t i, double value);
    /* OPTIONAL, real. The density of coordinates i and j alone, the others
     * integrated out, up to a constant. */
    double (*pair)(const cs_target *t, size_t i, size_t j, double x, double y);
    /* OPTIONAL. P(-log p <= energy); always NAN: this instance has none. */
    double (*energy)(const cs_target *t, double energy);
} cs_exact_hooks;

/* A density that is evaluated by code of others: a script, a library, a process
 * of its own. */
typedef struct cs_outside_hooks {
    /* OPTIONAL, for a density that may not return: sets a limit of time for the
     * calls that follow, 0: none again. A call that passes it answers NAN,
     * which does not count as a failure of the density. */
    void (*allow)(const cs_target *t, double seconds);
    /* OPTIONAL. The reason that it gave for the last log density that is not a
     * number, into text[size]; false: none. Any thread. */
    bool (*why)(const cs_target *t, char *text, size_t size);
    /* OPTIONAL, of a density that was evaluated twice at one point. If the two
     * values differ, writes what differs into text[size]; else false. Any
     * thread. */
    bool (*unsteady)(const cs_target *t, char *text, size_t size);
} cs_outside_hooks;

typedef struct cs_target_type {
    const char *name, *title, *ref, *help;
    const cs_param *params;
    size_t n_params;
    unsigned flags;

    /* REQUIRED. Fills space, self, exact, cache_words and scratch_words from
     * values[n_params] (resolved against `params`; arrays and texts must be
     * copied). On failure leaves nothing behind. */
    cs_status (*create)(cs_target *t, const cs_value *values, cs_error *err);
    /* REQUIRED. Frees what create made. */
    void (*destroy)(cs_target *t);

    /* REQUIRED. logp[lanes] = log density in nats, up to a constant. Fills the
     * point's cache. -HUGE_VAL outside the support. */
    void (*log_density)(const cs_target *t, const cs_point *at, double *logp);
    /* OPTIONAL. logp[lanes] and its gradient g[dim][lanes]; in a discrete space
     * that of a differentiable extension. Fills the point's cache. */
    void (*gradient)(const cs_target *t, const cs_point *at, double *logp,
                     double *g);
    /* OPTIONAL, with a gradient, where it saves work. g[dim][lanes] = the
     * gradient without log p: the same bits. at->cache is NULL. */
    void (*gradient_alone)(const cs_target *t, const cs_point *at, double *g);
    /* OPTIONAL, with a gradient. g[dim][lanes] = the gradient in single
     * precision, cheaper: for proposals that an accept step corrects by log p.
     * A function of x alone, the same bits at each call, or the density of the
     * proposal could not be computed for the way back. Not finite where single
     * precision overflows. at->cache is NULL, or filled by the log density of
     * the same x. */
    void (*force)(const cs_target *t, const cs_point *at, float *g);
    /* OPTIONAL, with `force`. The same from weights of eight bits: rougher and
     * faster still. */
    void (*gradient_int8)(const cs_target *t, const cs_point *at, float *g);
    /* OPTIONAL, both. prepare_hessian sets hessian_words (cold; may be called
     * again; may fail as unsupported). Then h[dim][lanes] = H(x) v[dim][lanes],
     * H the second derivatives of log p; at->scratch has hessian_words rows. */
    cs_status (*prepare_hessian)(cs_target *t, cs_error *err);
    void (*hessian_times)(const cs_target *t, const cs_point *at,
                          const double *v, double *h);
    /* REQUIRED with rows.terms and with factor.log_factor: the part of log p
     * that is no work. logp[lanes] and, unless NULL, its gradient g[dim][lanes].
     * (With log_factor there is no gradient of it.) */
    void (*prior)(const cs_target *t, const cs_point *at, double *logp,
                  double *g);
    /* OPTIONAL. The name of coordinate i into text[size]; default "x.i". */
    void (*coordinate)(const cs_target *t, size_t i, char *text, size_t size);
    /* OPTIONAL. A state x[dim] as people read it, a sentence say, into
     * text[size]. Cold. */
    void (*read)(const cs_target *t, const double *x, char *text, size_t size);
    /* OPTIONAL. x[dim] = where chains start unless told otherwise, from
     * uniform[dim]; default: uniform on a discrete space, uniform on
     * (-2, 2) on a real one (as Stan does). */
    void (*start)(const cs_target *t, const double *uniform, double *x);
    /* OPTIONAL, of a model that predicts. out[0]: how the mean prediction of
     * the n states x[n][dim], each counting exp log_weight[n] (NULL: alike),
     * does on held-out data; out[1 + g] the same without the states of group g
     * (group[n] < groups: for a jackknife). Cold. */
    void (*held_out)(const cs_target *t, const double *x,
                     const double *log_weight, size_t n, const size_t *group,
                     size_t groups, cs_held_out *out);
    /* OPTIONAL, of a target with generated quantities of which the first
     * t->free_numbers make a state: x[dim] whose first quantities are
     * y[free_numbers]. Cold. */
    cs_status (*free_point)(const cs_target *t, const double *y, double *x,
                            cs_error *err);
    cs_row_hooks rows;          /* with `terms`: a sum over rows of data */
    cs_factor_hooks factor;     /* with `log_factor`: Z(x) is not known */
    cs_site_hooks sites;        /* discrete spaces */
    cs_exact_hooks exact;       /* closed forms */
    cs_outside_hooks outside;   /* code of others */
    const cs_model_type *model; /* OPTIONAL: its numbers can be learned */
} cs_target_type;

struct cs_target {
    const cs_target_type *type;
    char *name; /* [own] what the user calls it; type->name by default */
    double *told_modes; /* [own] what exact.modes and its weights point to where
                           a script told them (cs_target_tell_modes); NULL */
    cs_space space;
    cs_exact exact;
    size_t cache_words, scratch_words;
    size_t hessian_words;    /* scratch of hessian_times, 0: not prepared */
    size_t resample_words;   /* scratch of resample */
    size_t n_bonds;          /* with `bonds` */
    const double *field;     /* [dim][values] with `bonds`, or NULL: none
                              [borrowed from self] */
    size_t n_data;           /* numbers of a data set, with log_factor */
    const double *data;      /* [n_data] those observed [borrowed from self] */
    cs_picture data_picture; /* how to draw such a data set; kind 0: none. Of
                              pixels or of a graph; with low and high */
    size_t data_values;      /* how many values a number has, evenly from low to
                              high of the picture; 0: any between */
    size_t simulate_words;   /* scratch of simulate and sweep */
    double site_cost;      /* of the differences of a site in evaluations of the
                              whole log density; 0: 1 / dim */
    size_t data_terms;     /* data points that one evaluation sums over, or 0 */
    size_t n_rows;         /* of the table, with `terms`; else 0 */
    unsigned row_bounds;   /* CS_ROW_... bounds of its terms that it can give */
    size_t shared_words;   /* doubles (weights, say) that one evaluation of a
                              block reads, however many lanes it has; 0: few */
    size_t n_uniform;      /* uniforms that one exact draw takes */
    size_t free_numbers;   /* with free_point */
    size_t gradient_calls; /* a gradient by differences costs so many log
                              densities; 0: the type has its own gradient */
    const char *note;      /* what a user of its gradient should know: a
                              constant text, or NULL */
    unsigned flags;        /* type->flags, and what the instance adds */
    cs_outputs outputs;    /* n = 0: the state itself is shown */
    cs_picture picture;    /* kind 0: cs_target_picture finds one, if any */
    void *self;            /* [own, by the type] */
    double *values;        /* [own] the numeric parameters, [n_params] */
    cs_page parts; /* [own] what it was made of (base/parts.h): a saved run
                      resumes with a target of equal parts only */
    /* Numbers of the density that may be changed between steps (a model that
     * is trained): rewind and checkpoints restore them. Whoever changes them
     * counts `generation` up; chains then evaluate their states again before
     * the next step. */
    double *learned; /* [n_learned] [own, by the type] */
    size_t n_learned;
    size_t slope_words; /* scratch of model->slope and model->anneal */
    uint64_t generation;
    struct cs_enumeration *truth;    /* [own] see target/enumeration.h */
    struct cs_row_bounds *bounds[2]; /* [own] range, change; NULL: not asked for
                                        yet; see target/row_bounds.h */
    struct cs_lower_bound *lower;    /* [own] NULL: not asked for yet; see
                                     target/lower_bound.h */
    size_t holders;
};

/* Makes a target of `type` from given[n_given] values; one holder. [own,
 * release with cs_target_release] Cold. */
cs_status cs_target_create(const cs_target_type *type, const cs_value *given,
                           size_t n_given, cs_target **out, cs_error *err);

/* For `create` of a type whose `self` is one block of `size` bytes: allocates
 * it as zeros and calls `fill`; where that fails, `destroy` is called. */
cs_status cs_target_make(cs_target *t, size_t size,
                         cs_status (*fill)(cs_target *t, const cs_value *v,
                                           cs_error *err),
                         const cs_value *values, cs_error *err);

/* A copy of t that can learn, by its model: its numbers are in `learned`. One
 * holder. Fails as unsupported where the type has no model, and where the
 * instance has generated quantities, which a copy would lack. [own] Cold. */
cs_status cs_target_learner(const cs_target *t, cs_target **out, cs_error *err);

/* Count one more, one fewer holder; the last release destroys. NULL is fine. */
cs_target *cs_target_hold(cs_target *t);
void cs_target_release(cs_target *t);

/* What the user calls it from now on. */
cs_status cs_target_call(cs_target *t, const char *name, cs_error *err);

/* Whether whoever chooses how often to evaluate log p had better do it rarely:
 * a function of a script, code of others, a sum over data. */
static inline bool cs_target_is_dear(const cs_target *t)
{
    return (t->flags & (CS_TARGET_MAIN_THREAD | CS_TARGET_OUTSIDE)) ||
           t->data_terms;
}

/* Gives a target generated quantities [owned by it from then on]; to be called
 * before chains are made of it. */
void cs_target_set_outputs(cs_target *t, cs_outputs outputs);

/* y[shown] of one state x[dim]; false when out of memory. Cold. */
bool cs_target_show(const cs_target *t, const double *x, double *y);

/* How to draw a state: the target's own picture; else for a discrete state of
 * more than four coordinates a grid of pixels about as wide as high. */
cs_picture cs_target_picture(const cs_target *t);

/* How many numbers are shown of a state: its outputs, or its coordinates. */
size_t cs_target_shown(const cs_target *t);

/* The lanes of a block of so many chains: whole vectors of the variant in use,
 * where the target takes them. No draw depends on it. */
size_t cs_target_lanes(const cs_target *t, size_t live);

/* The name of shown number i, cleaned for CSV headers: "x.1" by default. The middle
 * of a name that is longer than size - 1 bytes is left out. size >= 8. */
void cs_target_coordinate(const cs_target *t, size_t i, char *text,
                          size_t size);

/* x[dim] = where a chain starts unless told otherwise, from uniform[dim]:
 * the type's own `start`, or the default named there. */
void cs_target_start(const cs_target *t, const double *uniform, double *x);

/* An error where log p is not known: see CS_TARGET_UNNORMALISED. */
cs_status cs_target_check_density(const cs_target *t, cs_error *err);

/* Says where the modes are: points[n][dim], of states; what within `radius` of
 * the nearest is a visit, 0: anything; share[n] the probability of the points
 * that are nearest to each, NULL: it is not known. All are copied. */
cs_status cs_target_tell_modes(cs_target *t, const double *points, size_t n,
                               const double *share, double radius,
                               cs_error *err);

/* The registered type called `name` (best instruction set), or NULL. */
const cs_target_type *cs_target_find(const char *name);

/* Registered type number i, NULL at the end: in the order of targets.def. */
const cs_target_type *cs_target_at(size_t i);
